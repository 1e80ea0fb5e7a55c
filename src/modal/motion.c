// motion.c: a cooked body that bends by modes: made, looked at, and what graphics want of it.

#include "modal/motion.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "modal/modes.h"
#include <math.h>
#include <string.h>

void fr_motion_destroy(FrMotion *m) {
    if (!m) return;
    if (m->drawn.at != m->skin.at) FR_FREE_ALL(m->ctx, m->drawn.at, m->drawn.tri);
    FR_FREE_ALL(m->ctx, m->skin.at, m->skin.normal, m->skin.uv, m->skin.tri);
    FR_FREE_ALL(m->ctx, m->material, m->held);
    fr_tetmesh_free(m->ctx, &m->mesh);
    fr_bend_modes_free(m->ctx, &m->modes);
    fr_free(m->ctx, m);
}

// as bytes and back: nothing of the def stays borrowed, and what is made is what a file would give
FrResult fr_motion_make(FrContext *ctx, const FrBodyDef *def, FrMotion **motion) {
    *motion = NULL;
    FrMotion from = {.ctx = ctx,
                     .mesh = *def->mesh,
                     .material = (FrMaterial *)(uintptr_t)def->material,
                     .material_count = def->material_count,
                     .held = (int32_t *)(uintptr_t)def->held,
                     .held_count = def->held_count};
    strncpy(from.name, def->name, sizeof from.name - 1);
    if (def->embedded) from.skin = *def->embedded;
    FR_TRY(fr_bend_modes_find(ctx, def, &from.modes));
    FrWriter w;
    FrReader r;
    fr_writer_init(&w, ctx);
    fr_motion_write(&from, &w);
    fr_bend_modes_free(ctx, &from.modes);
    FrResult result = fr_writer_result(&w);
    fr_reader_init(&r, w.data, w.size);
    if (result == FR_OK) result = fr_motion_read(ctx, def->name, &r, motion);
    fr_writer_free(&w);
    return result;
}

FrMotionInfo fr_motion_info(const FrMotion *m) {
    if (!m) return (FrMotionInfo){0};
    FrMotionInfo info = {.mode_count = m->modes.count,
                         .node_count = m->mesh.node_count,
                         .tet_count = m->mesh.tet_count,
                         .held_count = m->held_count,
                         .skin_points = m->drawn.point_count,
                         .skin_tris = m->drawn.tri_count,
                         .fine = m->skin.point_count > 0};
    memcpy(info.name, m->name, sizeof info.name);
    return info;
}

void fr_motion_mode(const FrMotion *m, int32_t i, double *hz, double *t60) {
    if (!(m && hz && t60) || i < 0 || i >= m->modes.count) return;

    double lambda = m->modes.lambda[i], c = fr_mode_damping(m->material, lambda, sqrt(lambda));
    *hz = fr_mode_tone(m->material, lambda) / (2.0 * M_PI);
    *t60 = c > 0.0 ? 2.0 * log(1000.0) / c : HUGE_VAL;
}

const int32_t (*fr_motion_skin_tris(const FrMotion *m))[3] {
    return m ? (const int32_t(*)[3])m->drawn.tri : NULL;
}

// numbers of nodes, three each, as they are at the points of the skin
static void at_skin(const FrMotion *m, const double *x, const float *w, float *to) {
    for (int32_t k = 0; k < m->drawn.point_count; k++) {
        const FrPoint *at = &m->drawn.at[k];
        double sum[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 4; i++) {
            size_t n = 3 * (size_t)m->mesh.tet[at->tet][i];
            for (int axis = 0; axis < 3; axis++)
                sum[axis] += at->b[i] * (x ? x[n + (size_t)axis] : (double)w[n + (size_t)axis]);
        }
        for (int axis = 0; axis < 3; axis++) to[3 * k + axis] = (float)sum[axis];
    }
}

void fr_motion_skin_rest(const FrMotion *m, float *place) {
    if (m && place) at_skin(m, m->mesh.x, NULL, place);
}

void fr_motion_skin_shape(const FrMotion *m, int32_t i, float *shape) {
    if (!(m && shape) || i < 0 || i >= m->modes.count) return;

    at_skin(m, NULL, m->modes.shape + 3 * (size_t)i * (size_t)m->mesh.node_count, shape);
}
