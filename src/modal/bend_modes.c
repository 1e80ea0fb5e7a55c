// bend_modes.c: from a body's mesh and material to the modes that it moves by.

#include "modal/bend_modes.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "modal/bend_tuning.h"
#include "modal/compute.h"
#include <math.h>
#include <string.h>

void fr_bend_modes_free(FrContext *ctx, FrBendModes *modes) {
    FR_FREE_ALL(ctx, modes->lambda, modes->most, modes->gravity, modes->shape);
    *modes = (FrBendModes){0};
}

FrResult fr_bend_modes_alloc(FrContext *ctx, int32_t count, int32_t node_count,
                             FrBendModes *modes) {
    size_t n = (size_t)count;
    *modes = (FrBendModes){.count = count, .node_count = node_count};
    modes->lambda = FR_NEW(ctx, double, n + 1);
    modes->most = FR_NEW(ctx, double, n + 1);
    modes->gravity = FR_NEW(ctx, double, 3 * n + 1);
    modes->shape = FR_NEW(ctx, float, 3 * n * (size_t)node_count + 1);
    if (modes->lambda && modes->most && modes->gravity && modes->shape) return FR_OK;
    fr_bend_modes_free(ctx, modes);
    return fr_no_memory(ctx, "modes of a body");
}

FrResult fr_bend_modes_copy(FrContext *ctx, const FrBendModes *from, FrBendModes *to) {
    size_t n = (size_t)from->count;
    FR_TRY(fr_bend_modes_alloc(ctx, from->count, from->node_count, to));
    memcpy(to->lambda, from->lambda, n * sizeof *to->lambda);
    memcpy(to->most, from->most, n * sizeof *to->most);
    memcpy(to->gravity, from->gravity, 3 * n * sizeof *to->gravity);
    memcpy(to->shape, from->shape, 3 * n * (size_t)from->node_count * sizeof *to->shape);
    return FR_OK;
}

static void fill(const FrModes *from, FrBendModes *to) {
    size_t numbers = 3 * (size_t)to->node_count;
    for (int32_t m = 0; m < to->count; m++) {
        const double *w = from->shape + numbers * (size_t)m;
        to->lambda[m] = from->lambda[m];
        for (int32_t n = 0; n < to->node_count; n++)
            to->most[m] = fr_max(to->most[m], fr_length(fr_get3(w, n)));
        for (size_t k = 0; k < numbers; k++) to->shape[numbers * (size_t)m + k] = (float)w[k];
    }
}

// a quarter of each tet goes to each of its nodes
static void weigh(const FrBodyDef *def, const FrModes *from, FrBendModes *to) {
    const FrTetMesh *mesh = def->mesh;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        const FrMaterial *m = &def->material[mesh->region ? mesh->region[e] : 0];
        double quarter = 0.25 * m->density * fr_tet_volume(mesh, e);
        for (int32_t k = 0; k < 4 * to->count; k++) {
            const double *w = from->shape + 3 * ((size_t)(k / 4) * (size_t)to->node_count +
                                                 (size_t)mesh->tet[e][k % 4]);
            for (int axis = 0; axis < 3; axis++)
                to->gravity[axis * to->count + k / 4] += quarter * w[axis];
        }
    }
}

// Continual constraints are removed before the decomposition                       [S1 s. 3.4.1]
static FrResult mark_held(FrContext *ctx, const FrBodyDef *def, uint8_t **held) {
    *held = NULL;
    if (!def->held_count) return FR_OK;
    *held = FR_NEW(ctx, uint8_t, def->mesh->node_count);
    if (!*held) return fr_no_memory(ctx, "held nodes");
    for (int32_t k = 0; k < def->held_count; k++) (*held)[def->held[k]] = 1;
    return FR_OK;
}

// All that is asked for, or those that can be seen: moved by 0.1 mm by 60,000 N, and slower than
// half the frame rate                                                                  [S1 s. 3.2]
static FrResult find_modes(FrContext *ctx, const FrBodyDef *def, FrModes *modes) {
    bool all = def->modes != FR_MODES_SEEN;
    uint8_t *held = NULL;
    *modes = (FrModes){.node_count = def->mesh->node_count};
    if (all && !def->modes) return FR_OK;
    FR_TRY(mark_held(ctx, def, &held));
    FrModalDef what = {.mesh = def->mesh,
                       .held = held,
                       .material = def->material,
                       .material_count = def->material_count,
                       .count = all ? def->modes : FR_MODES_MOST};
    FrResult result = fr_modes_compute(ctx, &what, modes, NULL);
    fr_free(ctx, held);
    FR_TRY(result);
    FrModeFilter filter = fr_mode_filter_visual(FR_SEEN_MOVE, FR_SEEN_FORCE, def->mode_fps);
    if (!all) fr_modes_select(modes, &def->material[0], &filter);
    return FR_OK;
}

FrResult fr_bend_modes_find(FrContext *ctx, const FrBodyDef *def, FrBendModes *modes) {
    FrModes found;
    *modes = (FrBendModes){0};
    FrResult result = find_modes(ctx, def, &found);
    if (result == FR_OK)
        result = fr_bend_modes_alloc(ctx, found.mode_count, found.node_count, modes);
    if (result == FR_OK) fill(&found, modes);
    if (result == FR_OK && def->held_count) weigh(def, &found, modes);
    fr_modes_free(ctx, &found);
    return result;
}
