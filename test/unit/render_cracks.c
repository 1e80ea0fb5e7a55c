// render_cracks.c: bodies that broke: lighter, flat faces inside, shading outside as before.
//
// The pictures are left beside the test as render-crack*.png for the eye.

#include "test.h"
#include "context.h"
#include "cut/pieces.h"
#include "render/colour.h"
#include "render/drawlist.h"
#include "render/overlay.h"
#include "unit/render_scene.h"

enum { WIDTH = 640, HEIGHT = 360 };

typedef struct Broken {
    FrContext *ctx;
    Scene scene;
    int32_t body;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrSurface surface;
    double *p;
} Broken;

// a ball of tets cracked through its middle along several planes, at 1, 2, 3 ms
static void break_ball(Broken *b, FrMaterial material, int planes, double apart) {
    *b = (Broken){.ctx = make_context(1)};
    b->body = scene_soft_ball(&b->scene, fr_vec3(0, 0, 0.5), 0.5, 8, material);
    CHECK_OK(b->ctx, fr_cutmesh_create(b->ctx, &b->scene.mesh[b->body], &b->cut));
    CHECK_OK(b->ctx, fr_pieces_create(b->ctx, b->cut, &b->pieces));
    FrVec3 normal[3] = {{1, 0.3, 0.2}, {0.2, 1, 0.3}, {-0.2, 0.1, 1}};
    for (int k = 0; k < planes; k++) {
        FrCutLog log;
        int32_t queue[4096], count = 0;
        fr_cutlog_init(&log, fr_cutmesh_view(b->cut)->node_count);
        fr_cutmesh_clock(b->cut, 1e-3 * (k + 1));
        FrSplitOptions options = fr_split_options_default();
        options.straight = options.move = 0; // three planes, as they are
        // the middle; pieces of it after the first plane
        const FrTetMesh *mesh = fr_cutmesh_view(b->cut);
        for (int32_t n = 0; n < mesh->node_count; n++)
            if (fr_distance(fr_get3(mesh->x, n), fr_vec3(0, 0, 0.5)) < 1e-6) queue[count++] = n;
        while (count > 0) {
            FrSplitResult result;
            CHECK_OK(b->ctx, fr_cutmesh_split(b->cut, queue[--count], fr_normalize(normal[k]),
                                              &options, &log, &result));
            // nothing relaxes here: without this bound the crack would spread over a slab
            for (int32_t f = 0; f < result.front_count && count < 4096; f++) {
                FrVec3 x = fr_get3(fr_cutmesh_view(b->cut)->x, result.front[f]);
                double off = fr_dot(fr_sub(x, fr_vec3(0, 0, 0.5)), fr_normalize(normal[k]));
                if (fabs(off) < 1e-6) queue[count++] = result.front[f];
            }
        }
        CHECK_OK(b->ctx, fr_pieces_follow(b->pieces, b->cut, &log, 0, 1e-3, NULL));
        fr_cutlog_free(b->ctx, &log);
    }
    const FrTetMesh *mesh = fr_cutmesh_view(b->cut);
    const int32_t *piece = fr_pieces_of_tets(b->pieces);
    int32_t count;
    fr_pieces_table(b->pieces, &count);
    FrSolidProps *props = calloc((size_t)count, sizeof *props);
    fr_pieces_props(b->pieces, b->cut, NULL, 0, count, props);
    b->p = calloc(3 * (size_t)mesh->node_count, sizeof *b->p);
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) {
            FrVec3 away = fr_sub(props[piece[e]].centre, fr_vec3(0, 0, 0.5));
            fr_set3(b->p, mesh->tet[e][i], fr_axpy(apart, away, fr_get3(mesh->x, mesh->tet[e][i])));
        }
    free(props);
    CHECK_OK(b->ctx, fr_cutmesh_surface(b->cut, piece, &b->surface));
    FrBodyView *view = &b->scene.body[b->body];
    view->mesh = mesh;
    view->surface = &b->surface;
    b->scene.frame[b->body].p = b->p;
}

static void sweep_up(Broken *b) {
    fr_surface_free(b->ctx, &b->surface);
    fr_pieces_destroy(b->pieces);
    fr_cutmesh_destroy(b->cut);
    free(b->p);
    scene_free(&b->scene);
    fr_context_destroy(b->ctx);
}

static void shoot(Broken *b, const FrRenderOptions *options, const char *name, uint8_t *rgba) {
    FrRendererDef def = fr_renderer_def_default();
    FrRenderer *renderer = NULL;
    FrCamera camera;
    def.width = WIDTH, def.height = HEIGHT;
    CHECK_OK(b->ctx, fr_renderer_create(b->ctx, &def, &renderer));
    if (!renderer) return;
    CHECK_OK(b->ctx, fr_camera_auto_view(b->ctx, &b->scene.view, WIDTH / (double)HEIGHT, &camera));
    CHECK_OK(b->ctx, fr_render_frame(renderer, &b->scene.view, &camera, options, rgba));
    CHECK_OK(b->ctx, fr_png_write(b->ctx, name, WIDTH, HEIGHT, rgba));
    fr_renderer_destroy(renderer);
}

static FrResult get_view(void *user, int32_t k, const FrFrameView **view) {
    (void)k;
    *view = user;
    return FR_OK;
}

// closed cracks do not show in the shading outside: a node and its copies have one normal, where
// the surface is round
TEST(shading_outside_does_not_know_of_cracks) {
    Broken b;
    FrSkin skin = {0};
    break_ball(&b, scene_material(0.2, 0.3, 0.6, 0.4, 0, 1), 3, 0);
    CHECK_OK(b.ctx, fr_skin_build(b.ctx, &b.scene.body[b.body], &skin));
    CHECK(skin.outside > 0 && skin.outside < skin.index_count);
    double worst = 0;
    int32_t copies = 0;
    const double *x = fr_cutmesh_view(b.cut)->x;
    for (int32_t k = 0; k < skin.outside; k++) {
        const FrSkinVertex *v = &skin.vertex[skin.index[k]];
        CHECK(v->opened < 0);
        copies += v->node[0] >= b.scene.mesh[b.body].node_count;
        FrVec3 radial = fr_normalize(fr_sub(fr_get3(x, v->node[0]), fr_vec3(0, 0, 0.5)));
        worst = fr_max(worst, fr_length(fr_cross(radial, v->normal)));
    }
    CHECK(copies > 20);
    // 32 facets round the equator: the mean of the faces round a point is this near the radius
    CHECK(worst < 0.12);
    // faces inside are flat
    for (int32_t k = skin.outside; k < skin.index_count; k += 3) {
        const FrSkinVertex *v = &skin.vertex[skin.index[k]];
        FrVec3 e =
            fr_sub(fr_get3(x, skin.vertex[skin.index[k + 1]].node[0]), fr_get3(x, v->node[0]));
        CHECK_NEAR(fr_dot(e, v->normal), 0, 1e-12); // rounding
        CHECK(v->opened >= 1e-3 && v->opened <= 3e-3);
    }
    fr_skin_free(&skin);
    sweep_up(&b);
}

TEST(inside_is_lighter_and_a_batch_of_its_own) {
    Broken b;
    FrDrawList list;
    break_ball(&b, scene_material(0.2, 0.3, 0.6, 0.4, 0, 1), 1, 0.5);
    fr_drawlist_init(&list, b.ctx);
    FrRenderOptions options = fr_render_options_default();
    FrVec3 eye = {4, 0, 1};
    CHECK_OK(b.ctx, fr_drawlist_update(&list, &b.scene.view, eye, fr_vec3_zero, &options));
    CHECK_INT(list.batch.count, 2);
    const FrDrawBatch *out = &list.batch.data[0], *in = &list.batch.data[1];
    CHECK(!out->inside && in->inside && !in->clear);
    CHECK_INT(out->count + in->count, 3 * b.surface.tri_count);
    for (int c = 0; c < 3; c++) CHECK(in->colour[c] > out->colour[c]);
    // cracks: by time, the rest clear and drawn after what it holds
    options.show = FR_SHOW_CRACKS;
    CHECK_OK(b.ctx, fr_drawlist_update(&list, &b.scene.view, eye, fr_vec3_zero, &options));
    CHECK_INT(list.batch.count, 2);
    CHECK(list.batch.data[0].inside && !list.batch.data[0].clear && list.batch.data[1].clear);
    CHECK_NEAR(list.crack_first, 1e-3, TOL_EXACT);
    CHECK(list.crack_last > list.crack_first);
    fr_drawlist_free(&list);
    sweep_up(&b);
}

// Rest: the tets as they were, turned and shifted to where the body began, however far its pieces
// flew. The edges of its surface that faces of cracks share lie on the ball, and on the plane.
TEST(put_together_again) {
    Broken b;
    FrDrawList list;
    break_ball(&b, scene_material(0.2, 0.3, 0.6, 0.4, 0, 1), 1, 0.5);
    b.scene.body[b.body].breaks = true;
    fr_drawlist_init(&list, b.ctx);
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_REST;
    FrDrawStart start = {true, {3, 2, 1}, fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0, 0, 1)))};
    FrDrawStart starts[SCENE_BODIES] = {[0] = {.known = false}};
    starts[b.body] = start;
    options.start = starts;
    options.start_count = SCENE_BODIES;
    FrVec3 eye = {4, 0, 1}, middle = fr_add(start.position, fr_vec3(0, 0, 0.5));
    CHECK_OK(b.ctx, fr_drawlist_update(&list, &b.scene.view, eye, fr_vec3_zero, &options));
    CHECK_INT(list.batch.count, 3); // the outside, its mesh, its cracks
    const FrDrawBody *body = &list.body.data[b.body];
    for (int32_t k = 0; k < body->vertex_count; k++) {
        const float *p = list.vertex.data[body->first_vertex + k].p;
        double r = fr_distance(fr_vec3((double)p[0], (double)p[1], (double)p[2]), middle);
        CHECK(r < 0.5 + 1e-5); // floats
    }
    FrVec3 normal = fr_mat3_apply(start.rotation, fr_normalize(fr_vec3(1, 0.3, 0.2)));
    int32_t first = list.wire_end[FR_WIRE_MESH], last = list.wire_end[FR_WIRE_CRACK];
    CHECK(first > 100 && last - first > 16); // more than a cell of 1/8 goes round the ball
    for (int32_t k = first; k < last; k++)
        for (int i = 0; i < 2; i++) {
            FrVec3 x = fr_sub(fr_get3(body->posed, list.wire.data[k].node[i]), middle);
            CHECK_NEAR(fr_length(x), 0.5, 0.03);    // mesh: chords
            CHECK_NEAR(fr_dot(x, normal), 0, 0.05); // mesh: cuts near nodes meet them
        }
    // wire: the edges inside, too, and nothing opaque but lines
    options.show = FR_SHOW_WIRE;
    CHECK_OK(b.ctx, fr_drawlist_update(&list, &b.scene.view, eye, fr_vec3_zero, &options));
    for (int32_t k = 0; k < list.batch.count; k++)
        CHECK(list.batch.data[k].clear == (list.batch.data[k].body >= 0));
    CHECK(list.wire_end[FR_WIRE_MESH] > 0);
    for (int32_t k = 0; k < list.wire_end[FR_WIRE_MESH]; k++) {
        FrVec3 x = fr_sub(fr_get3(body->posed, list.wire.data[k].node[0]), middle);
        CHECK_NEAR(fr_dot(x, normal), 0, 0.05); // mesh: as above
    }
    // a body that is not known is left out
    starts[b.body].known = false;
    CHECK_OK(b.ctx, fr_drawlist_update(&list, &b.scene.view, eye, fr_vec3_zero, &options));
    for (int32_t k = 0; k < list.batch.count; k++) CHECK(list.batch.data[k].body < 0);
    fr_drawlist_free(&list);
    sweep_up(&b);
}

// the first plane was cut before the run: grey, and the colours begin with the first crack that
// came by itself
TEST(cracks_cut_beforehand_are_grey) {
    Broken b;
    FrDrawList list;
    FrFrameSource source;
    double first, last;
    break_ball(&b, scene_material(0.2, 0.3, 0.6, 0.4, 0, 1), 3, 0);
    for (int32_t k = 0; k < b.surface.tri_count; k++)
        if (b.surface.opened[k] == 1e-3) b.surface.opened[k] = 0;
    source = (FrFrameSource){&b.scene.view, 1, 60, get_view};
    CHECK_OK(b.ctx, fr_crack_range(&source, &first, &last));
    CHECK_NEAR(first, 2e-3, TOL_EXACT);
    CHECK_NEAR(last, 3e-3, TOL_EXACT);
    fr_drawlist_init(&list, b.ctx);
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_CRACKS;
    CHECK_OK(b.ctx,
             fr_drawlist_update(&list, &b.scene.view, fr_vec3(4, 0, 1), fr_vec3_zero, &options));
    CHECK(list.precut);
    CHECK_NEAR(list.crack_first, 2e-3, TOL_EXACT);
    const FrDrawBody *body = &list.body.data[b.body];
    int32_t count[3] = {0};
    for (int32_t k = 0; k < body->skin.vertex_count; k++) {
        double opened = body->skin.vertex[k].opened;
        double s = (double)list.vertex.data[body->first_vertex + k].s;
        if (opened < 0) continue;
        CHECK_NEAR(s, opened == 0 ? -1 : opened < 2.5e-3 ? 0 : 1, TOL_EXACT);
        count[(int)lround(1e3 * fr_max(0, opened - 1e-3))]++;
    }
    for (int k = 0; k < 3; k++) CHECK(count[k] > 100);
    fr_drawlist_free(&list);
    sweep_up(&b);
}

// the legend says what grey means, and there is room for it on a sheet's small pictures
TEST(legends_tell_what_grey_is) {
    CHECK_HAS(FR_LOAD_TITLE, "grey: rigid");
    CHECK(fr_text_width(8.0, FR_LOAD_TITLE) < 400);
    CHECK(fr_text_width(8.0, FR_PRECUT_TITLE) < 400);
}

// one half of a ball, seen from its round side: through the ghost its broken face is whole
TEST(cracks_are_seen_from_behind) {
    Broken b;
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    break_ball(&b, scene_material(0.55, 0.35, 0.25, 0.5, 0, 1), 1, 6);
    FrRendererDef def = fr_renderer_def_default();
    FrRenderer *renderer = NULL;
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_CRACKS, options.legend = false;
    def.width = WIDTH, def.height = HEIGHT;
    CHECK_OK(b.ctx, fr_renderer_create(b.ctx, &def, &renderer));
    // beside the other half, which lies in the distance
    FrCamera camera = {.eye = {4, 4, 0.2}, .target = {1.1, 0.3, 0.7}, .up = {0, 0, 1}, .fov = 0.5};
    CHECK_OK(b.ctx, fr_render_frame(renderer, &b.scene.view, &camera, &options, rgba));
    CHECK_OK(b.ctx, fr_png_write(b.ctx, "render-cracks-behind.png", WIDTH, HEIGHT, rgba));
    int32_t away = 0;
    for (int32_t t = 0; t < b.surface.tri_count; t++) {
        const int32_t *n = b.surface.tri[t];
        FrVec3 x[3] = {fr_get3(b.p, n[0]), fr_get3(b.p, n[1]), fr_get3(b.p, n[2])};
        FrVec3 c = fr_scale(1.0 / 3, fr_add(x[0], fr_add(x[1], x[2])));
        FrVec3 normal = fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0]));
        if (b.surface.opened[t] < 0 || fr_dot(normal, fr_sub(camera.eye, c)) >= 0) continue;
        // not at the rim
        if (fr_distance(fr_get3(fr_cutmesh_view(b.cut)->x, n[0]), fr_vec3(0, 0, 0.5)) > 0.3)
            continue;
        FrVec3 p = fr_camera_project(&camera, WIDTH, HEIGHT, c);
        if (!(p.x >= 0 && p.x < WIDTH && p.y >= 0 && p.y < HEIGHT)) continue;
        const uint8_t *at = rgba + 4 * ((size_t)p.y * WIDTH + (size_t)p.x);
        CHECK(at[1] < 60); // violet, the first colour, is the darkest thing there is
        away++;
    }
    CHECK(away > 50);
    fr_renderer_destroy(renderer);
    sweep_up(&b);
}

// the colours of the picture: yellow is late, violet is early
TEST(crack_colours_tell_the_time) {
    Broken b;
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    uint8_t map[FR_COLOUR_STEPS][3];
    break_ball(&b, scene_material(0.55, 0.35, 0.25, 0.5, 0, 1), 3, 0.8);
    scene_floor(&b.scene);
    FrRenderOptions options = fr_render_options_default();
    shoot(&b, &options, "render-crack.png", rgba);
    options.show = FR_SHOW_CRACKS;
    shoot(&b, &options, "render-cracks.png", rgba);
    fr_colour_map(map);
    // the middle of each of the three times is seen somewhere, in its hue
    FrLegendBar bar = fr_legend_bar((FrImage){WIDTH, HEIGHT, rgba});
    int32_t seen[3] = {0};
    for (int32_t k = 0; k < WIDTH * (bar.y - 20); k++)
        for (int t = 0; t < 3; t++) {
            const uint8_t *c = rgba + 4 * (size_t)k, *m = map[t * 255 / 2];
            double size = sqrt((double)(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]));
            double want = sqrt((double)(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
            double dot = (double)(c[0] * m[0] + c[1] * m[1] + c[2] * m[2]);
            seen[t] += size > 30 && dot > 0.985 * size * want;
        }
    for (int t = 0; t < 3; t++) CHECK(seen[t] > 200);
    // glass: cracks can be seen in it
    sweep_up(&b);
    break_ball(&b, scene_material(0.75, 0.9, 0.85, 0.1, 0, 0.2), 3, 0.15);
    scene_floor(&b.scene);
    options.show = FR_SHOW_SURFACE;
    shoot(&b, &options, "render-crack-glass.png", rgba);
    sweep_up(&b);
}

// texts below the colours of a sheet's small pictures do not run into each other
TEST(marks_of_a_legend_keep_clear) {
    static const char few[5][32] = {"0", "25", "50", "75", "100"};
    static const char some[5][32] = {"3.951 ms", "3.976 ms", "4.001 ms", "4.025 ms", "4.05 ms"};
    static const char many[5][32] = {"1.25e-05 seconds", "1.25e-05 seconds", "1.25e-05 seconds",
                                     "1.25e-05 seconds", "1.25e-05 seconds"};
    FrImage cell = {480, 270, NULL}, wide = {1920, 1080, NULL};
    CHECK_INT(fr_legend_step(cell, few), 1);
    CHECK_INT(fr_legend_step(cell, some), 2);
    CHECK_INT(fr_legend_step(wide, some), 1); // a large picture has room for them
    CHECK_INT(fr_legend_step(cell, many), 4);
}
