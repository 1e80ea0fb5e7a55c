// modes_picture.c: the first modes as a sheet of pictures: the body bent far beyond truth, coloured
// by how far each place moves.

#include "output/modes_picture.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "render/colour.h"
#include "render/image.h"
#include "render/render.h"
#include <stdio.h>

#define COLUMNS 4
#define MOST_PICTURES 12
#define WIDTH 400
#define HEIGHT 300
#define GAP 6
// what the colours mean, under the pictures: height of the strip, of its bar and of its letters
#define STRIP 30
#define BAR 12
#define LETTERS 9.0
// the largest displacement drawn, of the body's diagonal
#define BEND 0.05

typedef struct Pictures {
    FrContext *ctx;
    const FrModes *modes;
    const FrModeTable *table;
    FrTetMesh corners; ///< borrowed from the mesh: its 4-node tets
    FrSurface surface;
    FrBodyView body;
    FrBodyFrame frame;
    FrFrameView view;
    double *p, *v; ///< positions and velocities (3 * corner_count)
    float *moved;  ///< displacement over the largest one (corner_count)
    FrImage all, cell;
    int32_t count;
} Pictures;

double fr_mode_moved(const FrModes *modes, int32_t mode, int32_t count, float *moved) {
    const double *shape = modes->shape + 3 * (size_t)mode * (size_t)modes->node_count;
    double most = 0.0;
    for (int32_t n = 0; n < count; n++) most = fr_max(most, fr_length(fr_get3(shape, n)));
    for (int32_t n = 0; n < count; n++)
        moved[n] = most > 0.0 ? (float)(fr_length(fr_get3(shape, n)) / most) : 0.0f;
    return most;
}

static void bend(Pictures *s, int32_t mode) {
    const double *shape = s->modes->shape + 3 * (size_t)mode * (size_t)s->modes->node_count;
    double most = fr_mode_moved(s->modes, mode, s->corners.node_count, s->moved);
    double size = fr_length(fr_box_size(fr_tetmesh_bounds(&s->corners)));
    double scale = most > 0.0 ? BEND * size / most : 0.0;
    for (int32_t k = 0; k < 3 * s->corners.node_count; k++)
        s->p[k] = s->corners.x[k] + scale * shape[k];
}

// the modes as frames, so that one camera holds them all
static FrResult frame_of(void *user, int32_t k, const FrFrameView **view) {
    Pictures *s = user;
    bend(s, k);
    *view = &s->view;
    return FR_OK;
}

static void label(const Pictures *s, int32_t mode) {
    const FrModeRow *row = &s->table->row[mode];
    char text[64];
    snprintf(text, sizeof text, "%d   %.1f Hz   %s", mode + 1, row->hz, row->note);
    fr_text_draw(s->cell, 12.0, 24.0, 11.0, (FrInk){30, 30, 34, 1.0}, text);
}

// rest, a bar of the colours, and most, in the middle of the foot
static void legend(const Pictures *s) {
    static const char rest[] = "at rest: hold it here", most[] = "moves most: hit it here";
    FrInk ink = {30, 30, 34, 1.0};
    uint8_t map[FR_COLOUR_STEPS][3];
    fr_colour_map(map);
    double before = fr_text_width(LETTERS, rest) + 10.0;
    double width = before + fr_text_width(LETTERS, most) + 10.0;
    int32_t bar = fr_min_i(160, s->all.width - 2 * GAP - (int32_t)width);
    double left = 0.5 * (s->all.width - width - bar);
    int32_t x = (int32_t)(left + before), y = s->all.height - (STRIP + BAR) / 2;
    fr_text_draw(s->all, left, y + 0.5 * (BAR + LETTERS), LETTERS, ink, rest);
    for (int32_t i = 0; i < bar; i++) {
        const uint8_t *c = map[(FR_COLOUR_STEPS - 1) * i / (bar - 1)];
        fr_image_fill(s->all, x + i, y, 1, BAR, (FrInk){c[0], c[1], c[2], 1.0});
    }
    fr_text_draw(s->all, x + bar + 10.0, y + 0.5 * (BAR + LETTERS), LETTERS, ink, most);
}

static FrResult draw(Pictures *s, FrRenderer *renderer) {
    FrCamera camera;
    FrRenderOptions options = fr_render_options_default();
    options.show = FR_SHOW_SEPARATION; // any number from 0 to 1 at each node
    options.legend = options.time_stamp = false;
    FrFrameSource source = {s, s->count, 1.0, frame_of};
    FR_TRY(fr_camera_auto(s->ctx, &source, (double)WIDTH / HEIGHT, 0, &camera));
    fr_image_fill(s->all, 0, 0, s->all.width, s->all.height, (FrInk){244, 244, 246, 1});
    for (int32_t k = 0; k < s->count; k++) {
        if (fr_context_cancelled(s->ctx)) return fr_fail(s->ctx, FR_INTERRUPTED, "interrupted");
        bend(s, k);
        FR_TRY(fr_render_frame(renderer, &s->view, &camera, &options, s->cell.rgba));
        label(s, k);
        fr_image_paste(s->all, GAP + k % COLUMNS * (WIDTH + GAP),
                       GAP + k / COLUMNS * (HEIGHT + GAP), s->cell);
    }
    legend(s);
    return FR_OK;
}

static FrResult prepare(Pictures *s, const FrTetMesh *mesh, const FrMaterial *material) {
    s->corners = *mesh;
    s->corners.node_count = mesh->corner_count;
    s->corners.order = 1;
    s->corners.mid = NULL;
    FR_TRY(fr_tetmesh_surface(s->ctx, &s->corners, &s->surface));
    size_t numbers = 3 * (size_t)mesh->corner_count;
    int32_t rows = (s->count - 1) / COLUMNS + 1, columns = fr_min_i(s->count, COLUMNS);
    s->all = (FrImage){columns * (WIDTH + GAP) + GAP, rows * (HEIGHT + GAP) + STRIP, NULL};
    s->cell = (FrImage){WIDTH, HEIGHT, NULL};
    s->p = FR_NEW(s->ctx, double, numbers);
    s->v = FR_NEW(s->ctx, double, numbers);
    s->moved = FR_NEW(s->ctx, float, mesh->corner_count);
    s->all.rgba = fr_alloc(s->ctx, 4 * (size_t)s->all.width * (size_t)s->all.height);
    s->cell.rgba = fr_alloc(s->ctx, 4 * (size_t)WIDTH * (size_t)HEIGHT);
    if (!s->p || !s->v || !s->moved || !s->all.rgba || !s->cell.rgba)
        return fr_no_memory(s->ctx, "pictures");
    s->body = (FrBodyView){.name = s->table->name,
                           .model = "fem",
                           .deforms = true,
                           .kind = FR_BODY_TETS,
                           .mesh = &s->corners,
                           .surface = &s->surface,
                           .material = *material};
    s->frame = (FrBodyFrame){
        .p = s->p, .v = s->v, .load = s->moved, .rotation = fr_quat_identity, .alive = true};
    s->view = (FrFrameView){.body_count = 1, .body = &s->body, .frame = &s->frame};
    return FR_OK;
}

FrResult fr_modes_picture(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                          const FrMaterial *material, const FrModeTable *table, const char *path) {
    Pictures s = {.ctx = ctx,
                  .modes = modes,
                  .table = table,
                  .count = fr_min_i(modes->mode_count, MOST_PICTURES)};
    FrRendererDef def = fr_renderer_def_still(WIDTH, HEIGHT);
    FrRenderer *renderer = NULL;
    FrResult result = prepare(&s, mesh, material);
    if (result == FR_OK) result = fr_renderer_create(ctx, &def, &renderer);
    if (result == FR_OK) result = draw(&s, renderer);
    if (result == FR_OK) result = fr_png_write(ctx, path, s.all.width, s.all.height, s.all.rgba);
    fr_renderer_destroy(renderer);
    fr_surface_free(ctx, &s.surface);
    fr_free(ctx, s.p);
    fr_free(ctx, s.v);
    fr_free(ctx, s.moved);
    fr_free(ctx, s.all.rgba);
    fr_free(ctx, s.cell.rgba);
    return result;
}
