// render_skin.c: normals, stress, colours, letters and cameras, all without a picture.

#include "test.h"
#include "context.h"
#include "render/camera.h"
#include "render/colour.h"
#include "render/drawlist.h"
#include "render/overlay.h"
#include "material/stress.h"
#include "unit/render_scene.h"

// --- normals

static FrSkin skin_of(FrContext *ctx, Scene *s, int32_t k) {
    FrSkin skin = {0};
    CHECK_OK(ctx, fr_skin_build(ctx, &s->body[k], &skin));
    fr_skin_deform(&skin, &s->body[k], &s->frame[k], s->p[k], true);
    return skin;
}

// a box of 2x2x2 cells: 8 corners with 3 normals, 12 edge points with 2, 6 face points with 1
TEST(edges_of_a_box_stay_sharp) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    int32_t k = scene_box(&s, fr_vec3(0, 0, 0), 0.5, 2, 2, 2, scene_material(1, 1, 1, 1, 0, 1));
    FrSkin skin = skin_of(ctx, &s, k);
    CHECK_INT(skin.vertex_count, 8 * 3 + 12 * 2 + 6);
    CHECK_INT(skin.index_count, 3 * 6 * 4 * 2);
    for (int32_t v = 0; v < skin.vertex_count; v++) {
        FrVec3 n = fr_skin_normal(&skin, v);
        double most = fr_max(fabs(n.x), fr_max(fabs(n.y), fabs(n.z)));
        CHECK_NEAR(most, 1, 1e-12); // rounding: along an axis
    }
    fr_skin_free(&skin);
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(a_ball_is_shaded_round) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    FrVec3 centre = {1, 2, 3};
    int32_t k = scene_soft_ball(&s, centre, 0.5, 8, scene_material(1, 1, 1, 1, 0, 1));
    FrSkin skin = skin_of(ctx, &s, k);
    CHECK_INT(skin.vertex_count, 6 * 8 * 8 + 2); // one normal per node of the cube's surface
    for (int32_t v = 0; v < skin.vertex_count; v++) {
        FrVec3 out = fr_normalize(fr_sub(fr_skin_position(&skin, v, s.p[k]), centre));
        CHECK(fr_dot(out, fr_skin_normal(&skin, v)) > cos(0.06)); // facets are 0.2 rad wide
    }
    fr_skin_free(&skin);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// a rigid frame, or a piece that became rigid, has no stress that its place could tell: it is drawn
// grey, whatever the range is
static void check_no_stress(bool piece) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    float load[27];
    int32_t k = scene_box(&s, fr_vec3_zero, 0.5, 2, 2, 2, scene_material(1, 1, 1, 1, 0, 1));
    for (int32_t n = 0; n < 27; n++) {
        load[n] = -1;
        s.p[k][3 * n] *= 1.01; // stretched
    }
    CHECK_INT(s.mesh[k].node_count, 27);
    if (piece)
        s.frame[k].load = load;
    else
        s.body[k].rigid = true;
    FrSkin skin = skin_of(ctx, &s, k);
    for (int32_t v = 0; v < skin.vertex_count; v++) CHECK(fr_skin_stress(&skin, v) == -1);
    FrDrawList list;
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_STRESS;
    options.stress_max = 1e6;
    fr_drawlist_init(&list, ctx);
    CHECK_OK(ctx, fr_drawlist_update(&list, &s.view, fr_vec3(0, -5, 2), fr_vec3_zero, &options));
    CHECK(list.vertex.count >= skin.vertex_count);
    for (int32_t v = 0; v < skin.vertex_count; v++) CHECK(list.vertex.data[v].s == -1);
    for (int32_t v = 0; piece && v < skin.vertex_count; v++)
        CHECK(fr_skin_load(&skin, v, load) == -1);
    fr_drawlist_free(&list);
    fr_skin_free(&skin);
    scene_free(&s);
    fr_context_destroy(ctx);
}

TEST(what_is_rigid_has_no_stress) {
    check_no_stress(false);
    check_no_stress(true);
}

// under one affine map every normal becomes F^-T n
TEST(normals_move_with_the_inverse_transpose) {
    FrContext *ctx = make_context(2);
    Scene s = {0};
    FrMaterial m = scene_material(1, 1, 1, 1, 0, 1);
    int32_t k = scene_soft_ball(&s, fr_vec3_zero, 0.5, 5, m);
    FrMat3 F = fr_mat3(fr_vec3(1.3, 0.2, -0.1), fr_vec3(0.4, 0.8, 0.1), fr_vec3(0, -0.3, 1.1));
    FrSkin rest = skin_of(ctx, &s, k);
    for (int32_t n = 0; n < s.mesh[k].node_count; n++)
        fr_set3(s.p[k], n, fr_mat3_apply(F, fr_get3(s.mesh[k].x, n)));
    FrSkin moved = skin_of(ctx, &s, k);
    FrMat3 transposed = fr_mat3_transpose(fr_mat3_inverse(F));
    double stress = fr_stress_at(&m, F).von_mises;
    for (int32_t v = 0; v < rest.vertex_count; v++) {
        FrVec3 wanted = fr_normalize(fr_mat3_apply(transposed, fr_skin_normal(&rest, v)));
        CHECK_NEAR(fr_distance(wanted, fr_skin_normal(&moved, v)), 0, 1e-12); // rounding
        CHECK_CLOSE(fr_skin_stress(&moved, v), stress, 1e-10); // rounding: means of equal numbers
    }
    fr_skin_free(&rest);
    fr_skin_free(&moved);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// a skin point hangs on its tet with its own normal
TEST(embedded_surfaces_use_their_own_normals) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    int32_t k = scene_box(&s, fr_vec3_zero, 1, 1, 1, 1, scene_material(1, 1, 1, 1, 0, 1));
    FrPoint at[3] = {{0, {0.25, 0.25, 0.25, 0.25}}, {1, {1, 0, 0, 0}}, {2, {0, 0.5, 0.5, 0}}};
    double normal[9] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
    int32_t tri[1][3] = {{0, 1, 2}};
    FrEmbedded embedded = {3, 1, at, normal, NULL, tri, NULL, 0, NULL, false};
    s.body[k].embedded = &embedded;
    FrSkin skin = skin_of(ctx, &s, k);
    CHECK_INT(skin.vertex_count, 3);
    FrVec3 centre = fr_vec3_zero;
    for (int i = 0; i < 4; i++)
        centre = fr_axpy(0.25, fr_get3(s.mesh[k].x, s.mesh[k].tet[0][i]), centre);
    // rounding: means of four places
    CHECK_NEAR(fr_distance(fr_skin_position(&skin, 0, s.p[k]), centre), 0, 1e-15);
    CHECK_NEAR(fr_skin_normal(&skin, 1).y, 1, 1e-15);
    fr_skin_free(&skin);
    tri[0][1] = 3;
    CHECK_INT(fr_skin_build(ctx, &s.body[k], &skin), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "corner 1 of triangle 0 is point 3 of 3");
    tri[0][1] = 1, at[2].tet = 6;
    CHECK_INT(fr_skin_build(ctx, &s.body[k], &skin), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "skin point 2 lies in tet 6 of 6");
    scene_free(&s);
    fr_context_destroy(ctx);
}

// --- draw lists

TEST(triangles_are_kept_until_the_topology_changes) {
    FrContext *ctx = make_context(2);
    Scene s = {0};
    scene_floor(&s);
    scene_box(&s, fr_vec3_zero, 0.5, 2, 2, 2, scene_material(1, 1, 1, 1, 0, 1));
    scene_ball(&s, fr_vec3(3, 0, 1), 1, scene_material(1, 1, 1, 1, 0, 0.2));
    FrDrawList list;
    fr_drawlist_init(&list, ctx);
    FrRenderOptions options = fr_render_options_default();
    FrVec3 eye = {0, -5, 2};
    CHECK_OK(ctx, fr_drawlist_update(&list, &s.view, eye, fr_vec3_zero, &options));
    CHECK(list.index_changed);
    CHECK_INT(list.batch.count, 2);
    CHECK_INT(list.plane_count, 1);
    CHECK(!list.batch.data[0].clear && list.batch.data[1].clear);
    // a cube of side 1 and a ball around (3, 0, 1)
    // rounding: float32 places, on the axes of the ball
    CHECK_NEAR(list.bounds.hi.x, 4, 1e-6);
    CHECK_NEAR(list.bounds.hi.z, 2, 1e-6);
    CHECK_NEAR(list.bounds.lo.x, 0, TOL_EXACT);
    fr_add3(s.p[1], 0, fr_vec3(-0.1, 0, 0));
    CHECK_OK(ctx, fr_drawlist_update(&list, &s.view, eye, fr_vec3_zero, &options));
    CHECK(!list.index_changed);
    CHECK_NEAR(list.bounds.lo.x, -0.1, 1e-7);
    s.surface[1].tri_count -= 2;
    CHECK_OK(ctx, fr_drawlist_update(&list, &s.view, eye, fr_vec3_zero, &options));
    CHECK(list.index_changed);
    s.frame[2].alive = false;
    CHECK_OK(ctx, fr_drawlist_update(&list, &s.view, eye, fr_vec3_zero, &options));
    CHECK_INT(list.batch.count, 1);
    s.p[1][5] = (double)NAN;
    CHECK_INT(fr_drawlist_update(&list, &s.view, eye, fr_vec3_zero, &options), FR_NUMERICAL);
    CHECK_HAS(fr_context_message(ctx), "body \"box\"");
    fr_drawlist_free(&list);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// rigid bodies come with a pose instead of nodes: both give the same vertices
TEST(a_pose_moves_the_rest_shape) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    int32_t k =
        scene_box(&s, fr_vec3(-0.5, -0.5, 0), 0.5, 2, 2, 2, scene_material(1, 1, 1, 1, 0, 1));
    FrQuat q = fr_quat_from_rotation(fr_vec3(0.2, 0.5, -0.3));
    FrVec3 at = {0.3, 0.4, 0.5};
    for (int32_t n = 0; n < s.mesh[k].node_count; n++)
        fr_set3(s.p[k], n, fr_add(at, fr_quat_rotate(q, fr_get3(s.mesh[k].x, n))));
    FrDrawList list[2];
    FrRenderOptions options = fr_render_options_default();
    for (int i = 0; i < 2; i++) {
        if (i) s.frame[k].p = NULL, s.frame[k].position = at, s.frame[k].rotation = q;
        fr_drawlist_init(&list[i], ctx);
        CHECK_OK(ctx, fr_drawlist_update(&list[i], &s.view, fr_vec3(9, 9, 9), at, &options));
    }
    CHECK_INT(list[1].vertex.count, list[0].vertex.count);
    CHECK(memcmp(list[0].vertex.data, list[1].vertex.data,
                 sizeof(FrDrawVertex) * (size_t)list[0].vertex.count) == 0);
    fr_drawlist_free(&list[0]);
    fr_drawlist_free(&list[1]);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// half of the tets are left out, the rest is smaller by the cube of the shrink
TEST(tets_are_cut_and_shrunk) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    scene_box(&s, fr_vec3(-1, -1, -1), 0.5, 4, 4, 4, scene_material(1, 1, 1, 1, 0, 1));
    FrDrawList list;
    fr_drawlist_init(&list, ctx);
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_TETS;
    options.shrink = 0.5;
    options.cut = fr_vec3(0, -1, 0);
    CHECK_OK(ctx, fr_drawlist_update(&list, &s.view, fr_vec3(0, -9, 0), fr_vec3_zero, &options));
    CHECK_INT(list.batch.data[0].count, 12 * 6 * 4 * 4 * 2);
    // volume by the divergence theorem over the drawn triangles
    double volume = 0;
    for (int32_t t = 0; t < list.batch.data[0].count; t += 3) {
        FrVec3 x[3];
        for (int i = 0; i < 3; i++) {
            const float *p = list.vertex.data[t + i].p;
            x[i] = fr_vec3((double)p[0], (double)p[1], (double)p[2]);
        }
        volume += fr_dot(x[0], fr_cross(x[1], x[2])) / 6;
    }
    CHECK_CLOSE(volume, 4.0 / 8, 1e-5); // float positions
    fr_drawlist_free(&list);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// --- colours and letters

static double lightness(const uint8_t *rgb) {
    double Y = 0.2126 * srgb_decode(rgb[0] / 255.0) + 0.7152 * srgb_decode(rgb[1] / 255.0) +
               0.0722 * srgb_decode(rgb[2] / 255.0);
    return Y > 0.008856 ? 116 * cbrt(Y) - 16 : 903.3 * Y;
}

TEST(colour_map_gets_lighter_evenly) {
    uint8_t map[FR_COLOUR_STEPS][3];
    fr_colour_map(map);
    for (int k = 0; k < FR_COLOUR_STEPS; k++)
        // 8-bit steps are up to 0.4 L* apart in the dark
        CHECK_NEAR(lightness(map[k]), 17 + 74.0 * k / (FR_COLOUR_STEPS - 1), 0.6);
}

TEST(srgb_goes_there_and_back) {
    for (int k = 0; k <= 255; k++)
        // rounding: powers of numbers of size 1
        CHECK_NEAR(fr_srgb_encode(srgb_decode(k / 255.0)) * 255, k, 1e-12);
}

TEST(ranges_are_round) {
    // rounding: powers of ten
    CHECK_CLOSE(fr_round_up(1.3e5), 2e5, 1e-12);
    CHECK_CLOSE(fr_round_up(2e5), 2e5, 1e-12);
    CHECK_CLOSE(fr_round_up(7.1), 10, 1e-12);
    CHECK_CLOSE(fr_round_up(0.003), 0.005, 1e-12);
    CHECK_CLOSE(fr_round_up(-1), 1, TOL_EXACT);
    char text[32];
    fr_stress_text(1.25e6, text);
    CHECK_TEXT(text, "1.25 MPa");
    fr_stress_text(0, text);
    CHECK_TEXT(text, "0 Pa");
}

static long ink_of(const char *text, int32_t *right) {
    static uint8_t rgba[4 * 400 * 40];
    memset(rgba, 255, sizeof rgba);
    FrImage image = {400, 40, rgba};
    fr_text_draw(image, 4, 30, 20, (FrInk){0, 0, 0, 1}, text);
    long ink = 0;
    *right = 0;
    for (int32_t k = 0; k < 400 * 40; k++) {
        ink += 255 - rgba[4 * k];
        if (rgba[4 * k] < 255 && k % 400 > *right) *right = k % 400;
    }
    return ink;
}

TEST(letters_are_drawn_where_their_width_says) {
    int32_t right;
    for (char c = '!'; c <= '~'; c++) {
        char text[2] = {c, 0};
        CHECK(ink_of(text, &right) > 800); // something is there
        // raster: pen width and one pixel of slope
        CHECK_NEAR(right, 4 + fr_text_width(20, text), 3.0);
    }
    CHECK(ink_of(" ", &right) == 0);
    ink_of("t = 0.125 s", &right);
    CHECK_NEAR(right, 4 + fr_text_width(20, "t = 0.125 s"), 3.0); // raster: as above
}

// the most ink, of 255, in the pixels of columns from..to near the base line of `rgba`
static int base_ink(const uint8_t *rgba, double from, double to) {
    int most = 0;
    for (int32_t i = (int32_t)floor(from); i <= (int32_t)floor(to); i++)
        for (int32_t j = 58; j <= 60; j++) most = fr_max_i(most, 255 - rgba[4 * (j * 200 + i)]);
    return most;
}

// a decimal point is dark enough to be read at every size that pictures use, and light is seen
// between it and the digits beside it
TEST(decimal_points_are_seen_at_every_size) {
    static uint8_t rgba[4 * 200 * 80];
    FrImage image = {200, 80, rgba};
    FrInk ink = {0, 0, 0, 1};
    for (double size = 8; size <= 40; size += 0.25)
        for (double x = 4; x < 5; x += 0.1) {
            double digit = fr_text_width(size, "1"), gap = 0.25 * size;
            double dot = x + digit + gap + 0.078 * size; // its middle
            memset(rgba, 255, sizeof rgba);
            fr_text_draw(image, x, 60, size, ink, "1.1");
            int there = base_ink(rgba, dot - 0.5, dot + 0.5);
            CHECK(there > 150);
            // its left neighbour ends before, the right one begins behind
            int left = 255, right = 255;
            for (double w = 0.0; w < gap; w += 0.25) {
                left = fr_min_i(left, base_ink(rgba, dot - w, dot - w));
                right = fr_min_i(right, base_ink(rgba, dot + w, dot + w));
            }
            CHECK(left < there / 2 && right < there / 2);
        }
}

TEST(legend_gets_lighter_from_left_to_right) {
    static uint8_t rgba[4 * 640 * 360];
    FrImage image = {640, 360, rgba};
    fr_overlay_legend(image, 5e5);
    FrLegendBar bar = fr_legend_bar(image);
    double last = -1;
    for (int32_t i = 0; i < bar.width; i++) {
        const uint8_t *c = rgba + 4 * ((bar.y + bar.height / 2) * 640 + bar.x + i);
        CHECK(lightness(c) > last - 0.4); // bytes are rounded
        last = fr_max(last, lightness(c));
    }
    CHECK(last > 85);
}

// --- frames

static FrResult get_same(void *user, int32_t k, const FrFrameView **view) {
    (void)k;
    *view = user;
    return FR_OK;
}

TEST(stress_range_covers_the_strained_frames) {
    FrContext *ctx = make_context(1);
    Scene s = {0};
    FrMaterial m = scene_material(1, 1, 1, 1, 0, 1);
    scene_floor(&s);
    scene_soft_ball(&s, fr_vec3(0, 0, 0.2), 0.2, 4, m);
    FrFrameSource still = {&s.view, 1, 60, get_same};
    double top;
    for (int32_t n = 0; n < s.mesh[1].node_count; n++) fr_add3(s.p[1], n, fr_vec3(0, 0, 2.4));
    CHECK_OK(ctx, fr_stress_range(ctx, &still, &top));
    CHECK(top <= 1e-3); // moved, not strained: round-off only
    // stretched by 1.2 along x everywhere: one value, rounded up
    FrMat3 F = fr_mat3(fr_vec3(1.2, 0, 0), fr_vec3(0, 1, 0), fr_vec3(0, 0, 1));
    for (int32_t n = 0; n < s.mesh[1].node_count; n++)
        fr_set3(s.p[1], n, fr_mat3_apply(F, fr_get3(s.mesh[1].x, n)));
    CHECK_OK(ctx, fr_stress_range(ctx, &still, &top));
    // rounding: one round number, found twice
    CHECK_CLOSE(top, fr_round_up(fr_stress_at(&m, F).von_mises), 1e-12);
    scene_free(&s);
    fr_context_destroy(ctx);
}

// --- memory

TEST(every_allocation_may_fail) {
    Refuser refuser = {0};
    FrContext *ctx = make_refusing_context(&refuser);
    Scene s = {0};
    scene_floor(&s);
    scene_box(&s, fr_vec3_zero, 0.5, 2, 2, 2, scene_material(1, 1, 1, 1, 0, 1));
    scene_ball(&s, fr_vec3(3, 0, 1), 1, scene_material(1, 1, 1, 1, 0, 0.2));
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_STRESS;
    int before = refuser.live;
    FrResult result = FR_NO_MEMORY;
    int rounds = 0;
    refuser.from_then_on = true;
    for (int k = 1; result != FR_OK; k++, rounds++) {
        FrDrawList list;
        FrCamera camera;
        double top;
        refuser.calls = 0, refuser.refuse_at = k;
        fr_drawlist_init(&list, ctx);
        result = fr_drawlist_update(&list, &s.view, fr_vec3(0, -5, 2), fr_vec3_zero, &options);
        fr_drawlist_free(&list);
        if (result == FR_OK) result = fr_camera_auto_view(ctx, &s.view, 1.5, &camera);
        FrFrameSource source = {&s.view, 3, 60, get_same};
        if (result == FR_OK) result = fr_stress_range(ctx, &source, &top);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        CHECK_INT(refuser.live, before);
    }
    CHECK(rounds > 20);
    scene_free(&s);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}
