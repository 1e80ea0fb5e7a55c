// render_picture.c: the picture as a script sees it: light, shadow, edges, colours, same bytes.
//
// The pictures are left beside the test as render-*.png for the eye.

#include "test.h"
#include "context.h"
#include "render/camera.h"
#include "render/colour.h"
#include "render/image.h"
#include "render/overlay.h"
#include "unit/render_scene.h"

enum { WIDTH = 640, HEIGHT = 360 };

static FrRenderer *make_renderer(FrContext *ctx) {
    FrRendererDef def = fr_renderer_def_default();
    def.width = WIDTH, def.height = HEIGHT;
    FrRenderer *renderer = NULL;
    CHECK_OK(ctx, fr_renderer_create(ctx, &def, &renderer));
    return renderer;
}

typedef struct Shot {
    FrCamera camera;
    uint8_t rgba[4 * WIDTH * HEIGHT];
} Shot;

// auto camera, one frame; kept as `name`
static void shoot(FrContext *ctx, const Scene *s, const FrRenderOptions *options, const char *name,
                  Shot *shot) {
    FrRenderer *renderer = make_renderer(ctx);
    if (!renderer) return;
    CHECK_OK(ctx, fr_camera_auto_view(ctx, &s->view, WIDTH / (double)HEIGHT, &shot->camera));
    CHECK_OK(ctx, fr_render_frame(renderer, &s->view, &shot->camera, options, shot->rgba));
    CHECK_OK(ctx, fr_png_write(ctx, name, WIDTH, HEIGHT, shot->rgba));
    fr_renderer_destroy(renderer);
}

static double luminance(const uint8_t *c) {
    return 0.2126 * srgb_decode(c[0] / 255.0) + 0.7152 * srgb_decode(c[1] / 255.0) +
           0.0722 * srgb_decode(c[2] / 255.0);
}

static const uint8_t *pixel(const Shot *shot, int32_t x, int32_t y) {
    return shot->rgba + 4 * (y * WIDTH + x);
}

// mean luminance of 3 x 3 pixels where a world point is seen
static double seen(const Shot *shot, FrVec3 at) {
    FrVec3 p = fr_camera_project(&shot->camera, WIDTH, HEIGHT, at);
    CHECK(p.x > 2 && p.x < WIDTH - 3 && p.y > 2 && p.y < HEIGHT - 3);
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += luminance(pixel(shot, (int32_t)p.x + k % 3 - 1, (int32_t)p.y + k / 3 - 1)) / 9;
    return sum;
}

// share of the picture's height that strongly coloured pixels take
static double coloured_height(const Shot *shot) {
    int32_t lo = HEIGHT, hi = -1;
    for (int32_t y = 0; y < HEIGHT; y++) {
        int count = 0;
        for (int32_t x = 0; x < WIDTH; x++) {
            const uint8_t *c = pixel(shot, x, y);
            int most = c[0] > c[1] ? c[0] : c[1], least = c[0] < c[1] ? c[0] : c[1];
            most = c[2] > most ? c[2] : most, least = c[2] < least ? c[2] : least;
            count += most > 60 && 10 * (most - least) > 4 * most;
        }
        if (count < 2) continue;
        lo = fr_min_i(lo, y), hi = y;
    }
    return (hi - lo + 1) / (double)HEIGHT;
}

static void check_exposure(const Shot *shot) {
    double mean = 0, luma = 0;
    int clipped = 0;
    for (int32_t k = 0; k < WIDTH * HEIGHT; k++) {
        const uint8_t *c = shot->rgba + 4 * k;
        mean += luminance(c) / (WIDTH * HEIGHT);
        luma += (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]) / 255 / (WIDTH * HEIGHT);
        clipped +=
            c[0] == 255 || c[1] == 255 || c[2] == 255 || (c[0] == 0 && c[1] == 0 && c[2] == 0);
        CHECK_INT(c[3], 255);
    }
    // linear luminance and the eye's scale both inside 0.25 .. 0.6
    CHECK(mean > 0.25 && mean < 0.6);
    CHECK(luma > 0.25 && luma < 0.6);
    CHECK(clipped < WIDTH * HEIGHT / 100);
}

TEST(letters_look_as_they_should) {
    FrContext *ctx = make_context(0);
    static Scene s;
    static Shot shot;
    scene_hello(&s, 16);
    FrRenderOptions options = fr_render_options_default();
    shoot(ctx, &s, &options, "render-letters.png", &shot);
    check_exposure(&shot);
    double height = coloured_height(&shot);
    CHECK(height > 0.35 && height < 0.70);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// a box of side 1 on the floor; the sun stands at (-0.46, -0.42, 0.88)
static void box_scene(Scene *s) {
    memset(s, 0, sizeof *s);
    scene_floor(s);
    scene_box(s, fr_vec3(-0.5, -0.5, 0), 0.125, 8, 8, 8, scene_material(0.7, 0.2, 0.1, 0.5, 0, 1));
}

// a small body on a wide floor: the floor makes the picture, and is not too bright from anywhere
TEST(a_floor_that_fills_the_picture_is_exposed_for) {
    FrContext *ctx = make_context(0);
    static Scene s;
    static Shot shot;
    box_scene(&s);
    FrRenderOptions options = fr_render_options_default();
    FrRenderer *renderer = make_renderer(ctx);
    for (double degrees = 14; renderer && degrees <= 75; degrees += 12) {
        double e = degrees * FR_PI / 180;
        FrCamera camera = {.eye = {3 * cos(e), -7 * cos(e), 8 * sin(e) + 0.5},
                           .target = {0, 0, 0.5},
                           .up = {0, 0, 1},
                           .fov = FR_CAMERA_FOV};
        CHECK_OK(ctx, fr_render_frame(renderer, &s.view, &camera, &options, shot.rgba));
        check_exposure(&shot);
    }
    fr_renderer_destroy(renderer);
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(shadow_begins_at_the_foot_and_light_is_clean) {
    FrContext *ctx = make_context(0);
    static Scene s;
    static Shot shot;
    box_scene(&s);
    FrRenderOptions options = fr_render_options_default();
    shoot(ctx, &s, &options, "render-box.png", &shot);
    double lit = seen(&shot, fr_vec3(-0.9, -0.3, 0));
    // sun and sky against sky alone: less than half; well inside and right at the foot
    CHECK(seen(&shot, fr_vec3(0.62, 0.1, 0)) < 0.5 * lit);
    CHECK(seen(&shot, fr_vec3(0.535, -0.1, 0)) < 0.5 * lit); // no gap between body and shadow
    // the lit foot is a little darker than the open floor: contact
    CHECK(seen(&shot, fr_vec3(-0.2, -0.53, 0)) < 0.97 * lit);
    // the lit top is smooth: no stripes of its own shadow (2 % is five 8-bit steps)
    double lo = 1e9, hi = 0;
    for (int k = 0; k < 100; k++) {
        double v =
            seen(&shot, fr_vec3(-0.35 + 0.07 * (k % 10), -0.35 + 0.07 * (double)(k / 10), 1));
        lo = fr_min(lo, v), hi = fr_max(hi, v);
    }
    CHECK(hi / lo < 1.10); // the highlight and the corners vary slowly
    for (int k = 0; k < 60; k++) {
        double a = seen(&shot, fr_vec3(-0.35 + 0.01 * k, 0, 1));
        double b = seen(&shot, fr_vec3(-0.34 + 0.01 * k, 0, 1));
        CHECK_NEAR(a / b, 1, 0.02); // raster: 8 bits of colour, and a highlight that varies slowly
    }
    check_exposure(&shot);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// across the rim of a dark ball before a light floor: pixels in between exist in nearly every row
// All lamps stand overhead: what a polished ball mirrors on its lower half is the floor, evenly,
// also where it looks straight away from a lamp.
TEST(a_mirror_has_no_lamps_behind_it) {
    FrContext *ctx = make_context(0);
    static Shot shot;
    Scene s = {0};
    double least = 1, most = 0;
    scene_floor(&s);
    scene_ball(&s, fr_vec3(0, 0, 1.2), 1, scene_material(0.6, 0.6, 0.6, 0.25, 1, 1));
    FrRenderOptions options = fr_render_options_default();
    shoot(ctx, &s, &options, "render-mirror.png", &shot);
    FrVec3 middle = fr_camera_project(&shot.camera, WIDTH, HEIGHT, fr_vec3(0, 0, 1.2));
    FrCameraFrame axes = fr_camera_frame(&shot.camera);
    FrVec3 rim = fr_axpy(1, axes.right, fr_vec3(0, 0, 1.2));
    double radius = fr_camera_project(&shot.camera, WIDTH, HEIGHT, rim).x - middle.x;
    for (int32_t k = 0; k < WIDTH * HEIGHT; k++) {
        double x = k % WIDTH - middle.x, y = k / WIDTH - middle.y;
        if (y < 0.35 * radius || hypot(x, y) > 0.93 * radius) continue;
        double light = luminance(pixel(&shot, k % WIDTH, k / WIDTH));
        least = fr_min(least, light), most = fr_max(most, light);
    }
    CHECK(least < most && most < 1.25 * least);
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(silhouettes_are_smooth) {
    FrContext *ctx = make_context(0);
    static Scene s;
    static Shot shot;
    memset(&s, 0, sizeof s);
    scene_floor(&s);
    int32_t k = scene_soft_ball(&s, fr_vec3(0, 0, 0.5), 0.5, 14,
                                scene_material(0.02, 0.02, 0.02, 0.9, 0, 1));
    s.p[k][0] += 0;
    FrRenderOptions options = fr_render_options_default();
    shoot(ctx, &s, &options, "render-ball.png", &shot);
    FrVec3 centre = fr_camera_project(&shot.camera, WIDTH, HEIGHT, fr_vec3(0, 0, 0.5));
    int rows = 0, smooth = 0;
    double last_edge = -1, worst = 0;
    for (int32_t y = (int32_t)centre.y - 60; y < (int32_t)centre.y + 20; y++) {
        // the sunny left rim: coverage of the light floor sums to the place of the edge
        int32_t x = (int32_t)centre.x;
        while (x > 0 && luminance(pixel(&shot, x, y)) < 0.12) x--;
        double outside = luminance(pixel(&shot, x - 4, y)),
               inside = luminance(pixel(&shot, x + 4, y));
        int between = 0;
        double edge = x + 4;
        for (int32_t i = x - 4; i < x + 4; i++) {
            double c = (luminance(pixel(&shot, i, y)) - inside) / (outside - inside);
            between += c > 0.1 && c < 0.9;
            edge -= 1 - fr_clamp(c, 0, 1);
        }
        rows++, smooth += between > 0;
        if (last_edge >= 0) worst = fr_max(worst, fabs(edge - last_edge));
        last_edge = edge;
    }
    // an edge crosses a pixel's samples in 3 of 4 places
    CHECK(smooth > 0.6 * rows);
    CHECK(worst < 1.6); // the rim moves by about a pixel a row, without steps
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(same_frame_same_bytes) {
    FrContext *one = make_context(1), *three = make_context(3);
    static Scene s;
    static Shot a, b, c;
    scene_hello(&s, 8);
    FrRenderOptions options = fr_render_options_default();
    FrRenderer *renderer = make_renderer(one), *other = make_renderer(three);
    CHECK_OK(one, fr_camera_auto_view(one, &s.view, 1.777, &a.camera));
    CHECK_OK(one, fr_render_frame(renderer, &s.view, &a.camera, &options, a.rgba));
    options.show = FR_SHOW_TETS; // something else in between leaves no trace
    CHECK_OK(one, fr_render_frame(renderer, &s.view, &a.camera, &options, b.rgba));
    CHECK(memcmp(a.rgba, b.rgba, sizeof a.rgba) != 0);
    options.show = FR_SHOW_SURFACE;
    CHECK_OK(one, fr_render_frame(renderer, &s.view, &a.camera, &options, b.rgba));
    CHECK_OK(three, fr_render_frame(other, &s.view, &a.camera, &options, c.rgba));
    CHECK(memcmp(a.rgba, b.rgba, sizeof a.rgba) == 0);
    CHECK(memcmp(a.rgba, c.rgba, sizeof a.rgba) == 0);
    // one renderer may end while the other goes on
    fr_renderer_destroy(renderer);
    CHECK_OK(three, fr_render_frame(other, &s.view, &a.camera, &options, b.rgba));
    CHECK(memcmp(a.rgba, b.rgba, sizeof a.rgba) == 0);
    fr_renderer_destroy(other);
    scene_free(&s);
    fr_context_destroy(one);
    fr_context_destroy(three);
}

// a bar pulled by 10 % is one colour, the one that the bar of the legend has at its stress
TEST(stress_colours_match_the_legend) {
    FrContext *ctx = make_context(0);
    static Scene s;
    static Shot shot;
    memset(&s, 0, sizeof s);
    scene_floor(&s);
    int32_t k =
        scene_box(&s, fr_vec3(-0.5, -0.25, 0.1), 0.125, 8, 4, 8, scene_material(1, 1, 1, 1, 0, 1));
    for (int32_t n = 0; n < s.mesh[k].node_count; n++) s.p[k][3 * n] *= 1.2;
    // E = 0.22: sigma_xx - sigma_yy = 1.2 * 6e5 * 0.22 - 4e5 * 0.22 / 1.2 = 85.07 kPa
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_STRESS;
    options.stress_max = 170133; // the middle of the bar
    shoot(ctx, &s, &options, "render-stress.png", &shot);
    FrVec3 p = fr_camera_project(&shot.camera, WIDTH, HEIGHT, fr_vec3(0, -0.25, 0.8));
    const uint8_t *c = pixel(&shot, (int32_t)p.x, (int32_t)p.y);
    uint8_t map[FR_COLOUR_STEPS][3];
    fr_colour_map(map);
    // shading scales the three channels alike: compare their ratios
    double scale = srgb_decode(c[1] / 255.0) / srgb_decode(map[127][1] / 255.0);
    CHECK(scale > 0.4 && scale < 1.1);
    for (int i = 0; i < 3; i++)
        // raster: 8 bits of colour
        CHECK_NEAR(srgb_decode(c[i] / 255.0), scale * srgb_decode(map[127][i] / 255.0), 0.02);
    // the legend is there
    FrImage image = {WIDTH, HEIGHT, shot.rgba};
    FrLegendBar bar = fr_legend_bar(image);
    CHECK(memcmp(pixel(&shot, bar.x + bar.width / 2, bar.y + 2), map[127], 3) == 0 ||
          memcmp(pixel(&shot, bar.x + bar.width / 2, bar.y + 2), map[128], 3) == 0);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// planes at any angle: a wall behind the box is seen, the camera's side of it is not cut away
TEST(a_slope_and_a_wall_are_drawn) {
    FrContext *ctx = make_context(0);
    static Scene s;
    static Shot shot;
    box_scene(&s);
    int32_t wall = scene_add(&s, "wall", FR_BODY_PLANE, scene_material(0.1, 0.2, 0.6, 0.9, 0, 1));
    s.body[wall].normal = fr_vec3(0, -1, 0.0);
    s.body[wall].offset = -0.8;
    FrRenderOptions options = fr_render_options_default();
    shoot(ctx, &s, &options, "render-wall.png", &shot);
    FrVec3 p = fr_camera_project(&shot.camera, WIDTH, HEIGHT, fr_vec3(-0.6, 0.8, 1.0));
    const uint8_t *c = pixel(&shot, (int32_t)p.x, (int32_t)p.y);
    CHECK(c[2] > c[0] + 30); // blue
    p = fr_camera_project(&shot.camera, WIDTH, HEIGHT, fr_vec3(-0.9, -0.5, 0.0));
    c = pixel(&shot, (int32_t)p.x, (int32_t)p.y);
    CHECK(abs(c[2] - c[0]) < 25); // grey floor
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(bad_wishes_are_refused) {
    FrContext *ctx = make_context(1);
    FrRendererDef def = fr_renderer_def_default();
    FrRenderer *renderer;
    def.width = 5;
    CHECK_INT(fr_renderer_create(ctx, &def, &renderer), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "picture of 5 x 720 pixels");
    CHECK(renderer == NULL);
    fr_renderer_destroy(NULL);
    renderer = make_renderer(ctx);
    static Scene s;
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    box_scene(&s);
    FrRenderOptions options = fr_render_options_default();
    FrCamera camera = {.eye = {1, 1, 1}, .target = {1, 1, 1}, .up = {0, 0, 1}, .fov = 0.5};
    CHECK_INT(fr_render_frame(renderer, &s.view, &camera, &options, rgba), FR_BAD_USE);
    camera.target = fr_vec3_zero, camera.fov = 4;
    CHECK_INT(fr_render_frame(renderer, &s.view, &camera, &options, rgba), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "fov is 4");
    fr_renderer_destroy(renderer);
    scene_free(&s);
    fr_context_destroy(ctx);
}
