// render_camera.c: where a camera stands that finds its place by itself.

#include "test.h"
#include "context.h"
#include "render/camera.h"
#include "render/subject.h"
#include "unit/render_scene.h"

TEST(a_camera_projects_its_target_to_the_middle) {
    FrCamera c = {.eye = {3, -4, 2}, .target = {0.5, 0.2, 0.1}, .up = {0, 0, 1}, .fov = 0.6};
    FrVec3 p = fr_camera_project(&c, 640, 360, c.target);
    // rounding: in pixels
    CHECK_NEAR(p.x, 320, 1e-12);
    CHECK_NEAR(p.y, 180, 1e-12);
    c.orbit = FR_PI;
    FrCamera half = fr_camera_at(&c, 1.0); // half a turn: the other side, same height
    // rounding: of places of some metres
    CHECK_NEAR(half.eye.x, 2 * c.target.x - 3, 1e-12);
    CHECK_NEAR(half.eye.z, 2, 1e-12);
}

// a ball falls from 2.4 m, bounces once at t = 0.7 s to half its speed
static FrResult drop_get(void *user, int32_t k, const FrFrameView **view) {
    double t = k / 60.0, hit = 0.7, g = 9.81;
    double v = t < hit ? -g * t : 0.5 * g * hit - g * (t - hit);
    double z = t < hit ? 0.5 * g * (hit * hit - t * t)
                       : 0.5 * g * hit * (t - hit) - 0.5 * g * (t - hit) * (t - hit);
    Scene *s = user;
    for (int32_t n = 0; n < s->mesh[1].node_count; n++) {
        fr_set3(s->p[1], n, fr_add(fr_get3(s->mesh[1].x, n), fr_vec3(0, 0, z)));
        fr_set3(s->v[1], n, fr_vec3(0, 0, v));
    }
    s->view.t = t;
    *view = &s->view;
    return FR_OK;
}

// is all of the ball in a picture of 1280 x 720? lo, hi: rows it spans
static bool ball_seen(Scene *s, int32_t k, const FrCamera *camera, double *lo, double *hi) {
    const FrFrameView *view;
    drop_get(s, k, &view);
    for (int32_t n = 0; n < s->mesh[1].node_count; n++) {
        FrVec3 p = fr_camera_project(camera, 1280, 720, fr_get3(s->p[1], n));
        if (!(p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0)) return false;
        *lo = fr_min(*lo, p.y), *hi = fr_max(*hi, p.y);
    }
    return true;
}

TEST(the_poster_is_the_blow_and_the_camera_frames_it) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    scene_floor(&s);
    scene_soft_ball(&s, fr_vec3(0, 0, 0.2), 0.2, 6, scene_material(1, 1, 1, 1, 0, 1));
    FrFrameSource source = {&s, 80, 60, drop_get};
    int32_t poster;
    CHECK_OK(ctx, fr_poster_frame(ctx, &source, &poster));
    CHECK_INT(poster, 42); // 0.7 s at 60 frames per second
    FrCamera camera, again;
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 16.0 / 9, -1, &camera));
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 16.0 / 9, -1, &again));
    CHECK(memcmp(&camera, &again, sizeof camera) == 0);
    // every frame is in the picture, the start of the fall too; it is six balls high and fills the
    // picture but for a margin: a ball has at least a tenth of the height
    double lo = 1e9, hi = -1e9;
    for (int32_t k = 0; k < 80; k++) CHECK(ball_seen(&s, k, &camera, &lo, &hi));
    CHECK((hi - lo) / 720 > 0.80);
    lo = 1e9, hi = -1e9;
    CHECK(ball_seen(&s, poster, &camera, &lo, &hi));
    CHECK((hi - lo) / 720 > 0.10 && (hi - lo) / 720 < 0.70);
    CHECK(camera.eye.z > 0.1);
    // a wider opening comes nearer and still holds all of it
    FrCamera wide;
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, 1.2, -1, NULL}, &wide));
    CHECK_NEAR(wide.fov, 1.2, TOL_EXACT);
    CHECK(fr_distance(wide.eye, wide.target) < 0.7 * fr_distance(camera.eye, camera.target));
    for (int32_t k = 0; k < 80; k++) CHECK(ball_seen(&s, k, &wide, &lo, &hi));
    scene_free(&s);
    fr_context_destroy(ctx);
}

// a camera that follows sees the ball at every moment, larger than one that stands, and never
// jumps; gives the share of the height that the ball takes
static double follow_fall(double radius) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    scene_floor(&s);
    scene_soft_ball(&s, fr_vec3(0, 0, radius), radius, 6, scene_material(1, 1, 1, 1, 0, 1));
    FrFrameSource source = {&s, 80, 60, drop_get};
    FrCamera still, moving, last;
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 16.0 / 9, -1, &still));
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, FR_CAMERA_FOV, -1, NULL},
                                   &moving));
    double share = 0, fastest = 0, turned = 0;
    for (int32_t k = 0; k < 80; k++) {
        double lo = 1e9, hi = -1e9;
        FrCamera now = fr_camera_at(&moving, k / 60.0);
        CHECK(ball_seen(&s, k, &now, &lo, &hi));
        CHECK((hi - lo) / 720 < 0.72);
        CHECK(now.eye.z > 0.01);
        share += (hi - lo) / 720 / 80;
        if (k) fastest = fr_max(fastest, 60 * fr_distance(now.eye, last.eye));
        turned = fr_max(turned, fr_length(fr_cross(fr_sub(now.target, now.eye),
                                                   fr_sub(moving.target, moving.eye))));
        last = now;
    }
    printf("the ball fills %.2f of the height; the camera goes at up to %.2f m/s\n", share,
           fastest);
    CHECK(fastest < 9.81 * 0.7); // slower than what it follows
    CHECK(turned < 1e-12);       // rounding
    scene_free(&s);
    fr_context_destroy(ctx);
    return share;
}

TEST(a_camera_follows_a_fall) {
    CHECK(follow_fall(0.2) > 0.14);  // 0.12 where the camera stands
    CHECK(follow_fall(0.06) > 0.20); // a small one is looked at from near, too
}

// a bar of 20 cells and one that lies beside it, which flies away; both are one body
typedef struct Chip {
    Scene *scene;
    double speed; ///< m/s
} Chip;

static bool bar_and_chip(void *arg, FrVec3 x) {
    return x.x < 0 ? x.x > -*(double *)arg : x.x > 0.05;
}

static FrResult chip_get(void *user, int32_t k, const FrFrameView **view) {
    Chip *chip = user;
    Scene *s = chip->scene;
    double t = k / 60.0;
    for (int32_t n = 0; n < s->mesh[1].node_count; n++) {
        FrVec3 x = fr_get3(s->mesh[1].x, n);
        if (x.x > 0.01) x.x += chip->speed * t;
        fr_set3(s->p[1], n, x);
    }
    s->view.t = t;
    *view = &s->view;
    return FR_OK;
}

// share of the width of the picture that the bar takes in the worst frame; 0: it is not all seen.
// *chip: the chip is seen in the last frame
static double bar_width(double bar, double speed, bool *chip_seen) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    int cells[3] = {24, 2, 2};
    scene_floor(&s);
    int32_t b = scene_grid(&s, "bar", cells, fr_vec3(-1.1, -0.05, 0), 0.05, bar_and_chip, &bar,
                           scene_material(1, 1, 1, 1, 0, 1));
    scene_finish_mesh(&s, b);
    int32_t *piece = calloc((size_t)s.mesh[b].tet_count, sizeof *piece);
    for (int32_t e = 0; e < s.mesh[b].tet_count; e++)
        piece[e] = fr_get3(s.mesh[b].x, s.mesh[b].tet[e][0]).x > 0.01;
    s.body[b].piece = piece;
    Chip chip = {&s, speed};
    FrFrameSource source = {&chip, 61, 60, chip_get};
    FrCamera camera;
    double share = 1;
    CHECK_OK(ctx, fr_camera_auto(ctx, &source, 16.0 / 9, 0, &camera));
    for (int32_t k = 0; k < 61; k += 10) {
        const FrFrameView *view;
        chip_get(&chip, k, &view);
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int32_t n = 0; n < s.mesh[b].node_count; n++) {
            FrVec3 p = fr_camera_project(&camera, 1280, 720, fr_get3(s.p[b], n));
            bool seen = p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0;
            if (fr_get3(s.mesh[b].x, n).x > 0.01)
                *chip_seen = seen;
            else if (!seen)
                share = 0;
            else
                lo = fr_min(lo, p.x), hi = fr_max(hi, p.x);
        }
        share = fr_min(share, (hi - lo) / 1280);
    }
    free(piece);
    scene_free(&s);
    fr_context_destroy(ctx);
    return share;
}

// what flies far off leaves the picture when it is a small part of the mass, else it stays
TEST(a_camera_looks_at_the_bulk) {
    bool chip;
    double calm = bar_width(1, 0.3, &chip);
    CHECK(calm > 0.4 && chip); // it goes 30 cm: not far
    double fast = bar_width(1, 40, &chip);
    CHECK(fast > 0.4 && !chip); // 1 part in 20 goes 40 m
    double heavy = bar_width(0.3, 0.3, &chip);
    CHECK(heavy > 0.2 && chip); // 1 part in 7 goes as far as the bar is long
    double far = bar_width(0.3, 4, &chip);
    CHECK(far > 0.25 && !chip); // it goes 4 m: the bar would have a tenth
}

// all of what breaks flies apart: some of it is in the picture, not all of it as specks
static FrResult burst_get(void *user, int32_t k, const FrFrameView **view) {
    Scene *s = user;
    double t = k / 60.0;
    for (int32_t e = 0; e < s->mesh[1].tet_count; e++)
        for (int i = 0; i < 4; i++) {
            FrVec3 x = fr_get3(s->mesh[1].x, s->mesh[1].tet[e][i]);
            // each cube of 5 cm for itself, the more so the farther out it is
            FrVec3 cube = fr_vec3(floor(x.x / 0.1), floor(x.y / 0.1), 0);
            fr_set3(s->p[1], s->mesh[1].tet[e][i], fr_axpy(2 * t, cube, x));
        }
    s->view.t = t;
    *view = &s->view;
    return FR_OK;
}

static bool cubes(void *arg, FrVec3 x) {
    (void)arg;
    return fmod(x.x + 1, 0.1) < 0.05 && fmod(x.y + 1, 0.1) < 0.05;
}

TEST(a_camera_stays_near_what_flies_apart) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    int cells[3] = {9, 9, 1};
    scene_floor(&s);
    int32_t b = scene_grid(&s, "plate", cells, fr_vec3(-0.2, -0.2, 0), 0.05, cubes, NULL,
                           scene_material(1, 1, 1, 1, 0, 1));
    scene_finish_mesh(&s, b);
    int32_t *piece = calloc((size_t)s.mesh[b].tet_count, sizeof *piece);
    for (int32_t e = 0; e < s.mesh[b].tet_count; e++) {
        FrVec3 x = fr_get3(s.mesh[b].x, s.mesh[b].tet[e][0]);
        for (int i = 1; i < 4; i++) {
            FrVec3 y = fr_get3(s.mesh[b].x, s.mesh[b].tet[e][i]);
            x.x = fr_min(x.x, y.x), x.y = fr_min(x.y, y.y);
        }
        piece[e] = (int32_t)floor((x.x + 0.21) / 0.1) + 5 * (int32_t)floor((x.y + 0.21) / 0.1);
    }
    s.body[b].piece = piece;
    FrFrameSource source = {&s, 61, 60, burst_get};
    FrCamera camera;
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, FR_CAMERA_FOV, 0, NULL},
                                   &camera));
    const FrFrameView *view;
    FrCamera last = fr_camera_at(&camera, 1.0);
    int32_t seen = 0;
    burst_get(&s, 60, &view);
    for (int32_t n = 0; n < s.mesh[b].node_count; n++) {
        FrVec3 p = fr_camera_project(&last, 1280, 720, fr_get3(s.p[b], n));
        seen += p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0;
    }
    double distance = fr_distance(last.eye, last.target);
    printf("%d of %d nodes in the picture, from %.1f m\n", seen, s.mesh[b].node_count, distance);
    CHECK(seen >= 3 * 8);  // cubes
    CHECK(distance < 7.0); // 8.3 m for nearly all of them
    free(piece);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// a sheet of 20 cm that is held and gives way by a millimetre, and a ball of 2 cm that hits it at
// t = 10 ms and flies off
static FrResult dent_get(void *user, int32_t k, const FrFrameView **view) {
    Scene *s = user;
    double t = k / 500.0, since = t - 0.01;
    s->frame[2].position = fr_vec3(0.1, 0.1, 0.03 + (since < 0 ? -6 : 40) * since);
    s->frame[2].velocity = fr_vec3(0, 0, since < 0 ? -6 : 40);
    for (int32_t n = 0; n < s->mesh[1].node_count; n++) {
        FrVec3 x = fr_get3(s->mesh[1].x, n);
        if (since >= 0 && hypot(x.x - 0.1, x.y - 0.1) < 0.02) x.z -= 0.001;
        fr_set3(s->p[1], n, x);
    }
    s->view.t = t;
    *view = &s->view;
    return FR_OK;
}

// the same, and the ball comes from 3 m above at 60 m/s before it strikes
static FrResult afar_get(void *user, int32_t k, const FrFrameView **view) {
    Scene *s = user;
    FR_TRY(dent_get(s, k > 20 ? k - 20 : 0, view));
    if (k < 25) s->frame[2].position.z = 0.03 + 60 * (25 - k) / 500.0;
    s->view.t = k / 500.0;
    return FR_OK;
}

// what comes from afar enters the picture when it is near; all of it is seen when it strikes
TEST(a_camera_does_not_wait_for_what_comes) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    scene_floor(&s);
    scene_box(&s, fr_vec3_zero, 0.01, 20, 20, 1, scene_material(1, 1, 1, 1, 0, 1));
    scene_ball(&s, fr_vec3(0.1, 0.1, 0.09), 0.02, scene_material(1, 1, 1, 1, 0, 1));
    FrFrameSource source = {&s, 46, 500, afar_get};
    FrCamera camera;
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, FR_CAMERA_FOV, 25, NULL},
                                   &camera));
    for (int32_t k = 0; k < 46; k++) {
        FrCamera now = fr_camera_at(&camera, k / 500.0);
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int32_t n = 0; n < s.mesh[1].node_count; n++) {
            FrVec3 p = fr_camera_project(&now, 1280, 720, fr_get3(s.mesh[1].x, n));
            CHECK(p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0);
            lo = fr_min(lo, p.y), hi = fr_max(hi, p.y);
        }
        CHECK((hi - lo) / 720 > 0.25);
    }
    FrCamera strike = fr_camera_at(&camera, 25 / 500.0);
    FrVec3 top = fr_camera_project(&strike, 1280, 720, fr_vec3(0.1, 0.1, 0.05));
    CHECK(top.x > 0 && top.x < 1280 && top.y > 0 && top.y < 720);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// what is struck is in the picture as long as the film lasts, from above, and fills it; what struck
// it may leave
TEST(a_camera_keeps_what_is_struck) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    scene_floor(&s);
    scene_box(&s, fr_vec3_zero, 0.01, 20, 20, 1, scene_material(1, 1, 1, 1, 0, 1));
    scene_ball(&s, fr_vec3(0.1, 0.1, 0.09), 0.02, scene_material(1, 1, 1, 1, 0, 1));
    FrFrameSource source = {&s, 26, 500, dent_get};
    FrCamera camera;
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, FR_CAMERA_FOV, 5, NULL},
                                   &camera));
    for (int32_t k = 0; k < 26; k++) {
        const FrFrameView *view;
        FrCamera now = fr_camera_at(&camera, k / 500.0);
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        dent_get(&s, k, &view);
        for (int32_t n = 0; n < s.mesh[1].node_count; n++) {
            FrVec3 p = fr_camera_project(&now, 1280, 720, fr_get3(s.p[1], n));
            CHECK(p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0);
            lo = fr_min(lo, p.y), hi = fr_max(hi, p.y);
        }
        CHECK((hi - lo) / 720 > 0.35 && (hi - lo) / 720 < 0.71);
        CHECK(fr_normalize(fr_sub(now.eye, now.target)).z > sin(FR_PI / 6));
    }
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(nothing_to_see_still_gives_a_camera) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    scene_floor(&s);
    FrCamera camera;
    CHECK_OK(ctx, fr_camera_auto_view(ctx, &s.view, 1.5, &camera));
    CHECK(fr_distance(camera.eye, camera.target) > 0.1);
    fr_context_destroy(ctx);
}

// degrees that the camera stands above what it looks at, `rows` by `rows` rigid boxes of 6 cm
static double elevation_over(FrContext *ctx, int rows, double *fill) {
    Scene s = {0};
    scene_floor(&s);
    for (int k = 0; k < rows * rows; k++) {
        FrVec3 lo = fr_vec3(0.09 * (k % rows), 0.09 * (k / rows), 0);
        int32_t body = scene_box(&s, lo, 0.03, 2, 2, 2, scene_material(1, 1, 1, 1, 0, 1));
        s.body[body].rigid = true;
    }
    FrCamera camera;
    double low = HUGE_VAL, high = -HUGE_VAL;
    CHECK_OK(ctx, fr_camera_auto_view(ctx, &s.view, 16.0 / 9, &camera));
    for (int32_t b = 1; b < s.view.body_count; b++)
        for (int32_t n = 0; n < s.mesh[b].node_count; n++) {
            double y = fr_camera_project(&camera, 1600, 900, fr_get3(s.mesh[b].x, n)).y;
            low = fr_min(low, y), high = fr_max(high, y);
        }
    *fill = (high - low) / 900.0;
    FrVec3 away = fr_normalize(fr_sub(camera.eye, camera.target));
    scene_free(&s);
    return asin(away.z) * 180.0 / FR_PI;
}

// many rigid things on a floor are looked at from above, or the first would hide the last; one from
// low; both fill a third to seven tenths of the height
TEST(many_things_are_seen_from_above) {
    FrContext *ctx = make_context(1);
    double fill;
    CHECK(elevation_over(ctx, 1, &fill) < 20.0);
    CHECK(fill > 0.35 && fill <= 0.71);
    CHECK(elevation_over(ctx, 3, &fill) > 30.0);
    CHECK(fill > 0.35 && fill <= 0.71);
    fr_context_destroy(ctx);
}

// a rigid tile that falls 30 cm, turned so; sine of the angle at which its broad side is looked at
typedef struct Tile {
    Scene *scene;
    FrQuat turn;
} Tile;

static FrResult tile_get(void *user, int32_t k, const FrFrameView **view) {
    Tile *tile = user;
    FrBodyFrame *frame = &tile->scene->frame[1];
    double t = k / 60.0, left = 0.3 - 0.5 * 9.81 * t * t;
    frame->rotation = tile->turn;
    frame->position = fr_vec3(0, 0, 0.12 + fr_max(0, left));
    frame->velocity = fr_vec3(0, 0, left > 0 ? -9.81 * t : 0);
    tile->scene->view.t = t;
    *view = &tile->scene->view;
    return FR_OK;
}

static double tile_seen(FrVec3 degrees) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    FrCamera camera;
    scene_floor(&s);
    scene_box(&s, fr_vec3(-0.1, -0.1, -0.005), 0.01, 20, 20, 1, scene_material(1, 1, 1, 1, 0, 1));
    s.body[1].rigid = true;
    s.frame[1].p = s.frame[1].v = NULL;
    Tile tile = {&s, fr_quat_from_euler(fr_scale(FR_PI / 180, degrees))};
    FrFrameSource source = {&tile, 30, 60, tile_get};
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, FR_CAMERA_FOV, -1, NULL},
                                   &camera));
    CHECK(camera.eye.z > 0.1);
    FrVec3 normal = fr_quat_rotate(tile.turn, fr_vec3(0, 0, 1));
    scene_free(&s);
    fr_context_destroy(ctx);
    return fabs(fr_dot(normal, fr_normalize(fr_sub(camera.target, camera.eye))));
}

// what is flat is seen from its broad side, however it falls
TEST(a_camera_shows_the_broad_side) {
    double least = 1;
    for (int k = 0; k < 36; k++) {
        double upright = tile_seen(fr_vec3(90, 0, 10.0 * k));
        double leaning = tile_seen(fr_vec3(60, 0, 10.0 * k));
        least = fr_min(least, fr_min(upright, leaning));
    }
    least = fr_min(least, tile_seen(fr_vec3_zero));
    printf("tiles are seen at %.0f degrees and more\n", 180 / FR_PI * asin(least));
    CHECK(least >= 0.5); // 30 degrees
}

// a block of 4 x 4 x 8 cells, each a piece of its own, and one piece on it, 9 cells high, as the
// neck of a vase stands over its belly that broke
static bool block_and_neck(void *arg, FrVec3 x) {
    (void)arg;
    return x.z < 0.8 || (x.x > 0 && x.x < 0.1 && x.y > 0 && x.y < 0.1);
}

static FrResult neck_get(void *user, int32_t k, const FrFrameView **view) {
    Scene *s = user;
    s->view.t = k / 60.0;
    *view = &s->view;
    return FR_OK;
}

// 7 % of the mass, and twice as far out as all the rest: but it never went anywhere
TEST(a_camera_does_not_behead_what_breaks) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    FrCamera camera;
    int cells[3] = {4, 4, 17};
    scene_floor(&s);
    int32_t b = scene_grid(&s, "vase", cells, fr_vec3(-0.2, -0.2, 0), 0.1, block_and_neck, NULL,
                           scene_material(1, 1, 1, 1, 0, 1));
    scene_finish_mesh(&s, b);
    int32_t *piece = calloc((size_t)s.mesh[b].tet_count, sizeof *piece);
    for (int32_t e = 0; e < s.mesh[b].tet_count; e++) piece[e] = fr_min_i(e / 6, 4 * 4 * 8);
    s.body[b].piece = piece;
    FrFrameSource source = {&s, 30, 60, neck_get};
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, (FrCameraWish){16.0 / 9, FR_CAMERA_FOV, -1, NULL},
                                   &camera));
    for (int32_t n = 0; n < s.mesh[b].node_count; n++) {
        FrVec3 p = fr_camera_project(&camera, 1280, 720, fr_get3(s.p[b], n));
        CHECK(p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0);
    }
    free(piece);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// --- a body that breaks to others

/// A block that falls from 75 cm, breaks at its foot, and goes on: two larger parts bounce and roll
/// off, four crumbs fly away at 4 m/s.
#define BROKEN_AT 0.39
#define PIECES 6

static FrVec3 crumbling_place(int32_t k, double t) {
    static const FrVec3 speed[1 + PIECES] = {{0, 0, 0},  {0.1, 0.05, 1}, {-0.1, 0, 0.6}, {4, 0, 2},
                                             {-4, 0, 2}, {0, 4, 2},      {0, -4, 2}};
    double since = fr_max(0.0, t - BROKEN_AT), g = 9.81;
    if (k == 0) return fr_vec3(0, 0, 0.75 - 0.5 * g * t * t);
    FrVec3 at = fr_axpy(since, speed[k], fr_vec3_zero);
    at.z = fr_max(0.0, at.z - 0.5 * g * since * since);
    return at;
}

static FrResult crumbling_get(void *user, int32_t frame, const FrFrameView **view) {
    Scene *s = user;
    double t = frame / 60.0;
    for (int32_t k = 0; k <= PIECES; k++) {
        int32_t b = 1 + k;
        FrVec3 at = crumbling_place(k, t);
        s->frame[b].alive = (t >= BROKEN_AT) == (k > 0);
        s->frame[b].position = at;
        for (int32_t n = 0; n < s->mesh[b].node_count; n++) {
            fr_set3(s->p[b], n, fr_add(at, fr_get3(s->mesh[b].x, n)));
            fr_set3(s->v[b], n, fr_vec3(0, 0, k ? 0.0 : -9.81 * t));
        }
    }
    s->view.t = t;
    *view = &s->view;
    return FR_OK;
}

static void crumbling_scene(Scene *s) {
    static const char *const name[] = {"cup", "cup.1", "cup.2", "cup.3", "cup.4", "cup.5", "cup.6"};
    FrMaterial m = scene_material(1, 1, 1, 1, 0, 1);
    scene_floor(s);
    scene_box(s, fr_vec3(-0.04, -0.04, 0), 0.02, 4, 4, 5, m);
    scene_box(s, fr_vec3(-0.04, -0.04, 0), 0.02, 3, 4, 5, m);
    scene_box(s, fr_vec3(0.02, -0.04, 0), 0.02, 1, 3, 4, m);
    for (int k = 0; k < 4; k++) scene_box(s, fr_vec3(0, 0, 0), 0.01, 1, 1, 1 + k, m);
    for (int32_t b = 1; b <= 1 + PIECES; b++) {
        s->body[b].rigid = true;
        s->body[b].name = name[b - 1];
        if (b > 1) s->body[b].parent.index1 = 2;
    }
}

// rows that a body takes of a picture of 1280 x 720; false: some of it is not seen
static bool rows_of(const Scene *s, int32_t b, const FrCamera *camera, double *lo, double *hi) {
    bool seen = true;
    for (int32_t n = 0; n < s->mesh[b].node_count; n++) {
        FrVec3 p = fr_camera_project(camera, 1280, 720, fr_get3(s->p[b], n));
        seen &= p.x > 0 && p.x < 1280 && p.y > 0 && p.y < 720 && p.z > 0;
        *lo = fr_min(*lo, p.y), *hi = fr_max(*hi, p.y);
    }
    return seen;
}

// share of the height that what is seen of [first, last] takes in the worst frame
static double least_height(Scene *s, const FrCamera *camera, int32_t first, int32_t last) {
    double least = 1.0;
    for (int32_t k = 0; k < 61; k++) {
        const FrFrameView *view;
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        FrCamera now = fr_camera_at(camera, k / 60.0);
        CHECK_OK(NULL, crumbling_get(s, k, &view));
        for (int32_t b = first; b <= last; b++)
            if (view->frame[b].alive) CHECK(rows_of(s, b, &now, &lo, &hi));
        if (hi > lo) least = fr_min(least, (hi - lo) / 720);
    }
    return least;
}

TEST(a_camera_keeps_the_larger_pieces_of_what_breaks) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    FrCamera camera;
    crumbling_scene(&s);
    FrFrameSource source = {&s, 61, 60, crumbling_get};
    int32_t broken, poster;
    CHECK_OK(ctx, fr_break_frame(&source, &broken));
    CHECK_INT(broken, 24); // the first after 0.39 s
    CHECK_OK(ctx, fr_poster_frame(ctx, &source, &poster));
    CHECK(poster > broken && poster < broken + 6); // its pieces come apart
    FrCameraWish wish = {16.0 / 9, FR_CAMERA_FOV, -1, NULL};
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, wish, &camera));
    double all = least_height(&s, &camera, 1, 3);
    printf("what fell and its larger pieces take %.2f of the height and more\n", all);
    CHECK(all >= 1.0 / 3);
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(a_camera_follows_who_is_named) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    FrCamera camera;
    crumbling_scene(&s);
    FrFrameSource source = {&s, 61, 60, crumbling_get};
    FrCameraWish wish = {16.0 / 9, FR_CAMERA_FOV, -1, "cup"};
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, wish, &camera));
    CHECK(least_height(&s, &camera, 1, 3) >= 1.0 / 3);
    // one piece, from when it is there
    wish.body = "cup.2";
    CHECK_OK(ctx, fr_camera_follow(ctx, &source, wish, &camera));
    CHECK(least_height(&s, &camera, 3, 3) >= 1.0 / 3);
    wish.body = "saucer";
    CHECK_INT(fr_camera_follow(ctx, &source, wish, &camera), FR_BAD_USE);
    CHECK_TEXT(fr_context_message(ctx), "no body of the film is called saucer");
    scene_free(&s);
    fr_context_destroy(ctx);
}
