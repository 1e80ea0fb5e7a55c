// shatter.c: a rigid body that a blow may break: what is known of it from the start.

#include "shatter/shatter_inside.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "mesh/quality.h"
#include <math.h>
#include <string.h>

bool fr_shatter_wanted(const FrBodyDef *def) {
    const FrMaterial *m = &def->material[0];
    return def->mesh && !def->kinematic && !def->crack.off && m->strength > 0.0 && m->Gc > 0.0;
}

void fr_shatter_destroy(FrShatter *s) {
    if (!s) return;
    fr_shatter_drop(s);
    fr_labels_free(s->ctx, &s->labels);
    FR_FREE_ALL(s->ctx, s->name, s->held, s->weak, s->seed, s->field, s);
}

void fr_shatter_drop(FrShatter *s) {
    fr_stress_answer_free(s->ctx, &s->pushed.answer);
    fr_stress_destroy(s->stress);
    s->pushed.count = 0;
    s->stress = NULL;
}

FrResult fr_shatter_hold(FrShatter *s, const FrShatterHold *hold, int32_t count) {
    if (count > FR_MOST_HOLDS)
        return fr_fail(s->ctx, FR_BAD_USE, "%s: %d things hold it; at most %d", s->name, count,
                       FR_MOST_HOLDS);
    fr_shatter_drop(s); // modes are of what is free
    s->held_count = 0;
    if (!s->held) s->held = FR_NEW(s->ctx, uint8_t, s->mesh.node_count);
    if (!s->held) return fr_no_memory(s->ctx, "what holds a body");
    memset(s->held, 0, (size_t)s->mesh.node_count);
    for (int32_t h = 0; h < count; h++)
        for (int32_t k = 0; k < hold[h].node_count; k++) {
            uint8_t *by = &s->held[hold[h].node[k]];
            s->held_count += !*by;
            if (!*by) *by = (uint8_t)(h + 1);
        }
    return FR_OK;
}

bool fr_shatter_may(const FrShatter *s) { return s->held_count < s->mesh.node_count; }

size_t fr_shatter_bytes(const FrShatter *s) { return s->stress ? fr_stress_bytes(s->stress) : 0; }

static void measure(FrShatter *s) {
    FrVec3 box = fr_box_size(fr_tetmesh_bounds(&s->mesh));
    s->size = fr_max(box.x, fr_max(box.y, box.z));
    s->volume = fr_tetmesh_props(&s->mesh).volume;
    s->wall = fr_tetmesh_wall(&s->mesh, &s->surface);
}

// parts that hang together by faces
static FrResult count_parts(FrShatter *s) {
    FrMeshCheck check;
    FR_TRY(fr_tetmesh_check(s->ctx, &s->mesh, &check));
    s->parts = check.component_count;
    return FR_OK;
}

// weak places, and those that get pieces of their own
static FrResult copy_places(FrShatter *s, const FrCrackDef *crack) {
    int32_t tets = s->mesh.tet_count;
    s->weakest = 1.0;
    s->seed_count = crack->seed_count;
    if (crack->seed_count) s->seed = FR_NEW(s->ctx, FrVec3, crack->seed_count);
    if (crack->weak) s->weak = FR_NEW(s->ctx, double, tets);
    if ((crack->seed_count && !s->seed) || (crack->weak && !s->weak))
        return fr_no_memory(s->ctx, "weak places");
    for (int32_t k = 0; k < crack->seed_count; k++) s->seed[k] = crack->seed[k];
    for (int32_t e = 0; crack->weak && e < tets; e++) {
        s->weak[e] = crack->weak[e];
        s->weakest = fr_min(s->weakest, s->weak[e]);
    }
    return FR_OK;
}

static FrResult set_up(FrShatter *s, const FrBodyDef *def) {
    s->name = fr_strdup(s->ctx, def->name);
    if (!s->name) return fr_no_memory(s->ctx, "a body");
    measure(s);
    FR_TRY(count_parts(s));
    s->density = def->mass / s->volume;
    s->whole = isnan(s->how.least);
    if (s->whole) s->how.least = cbrt(2.0 * fr_shatter_smallest(s->wall));
    FR_TRY(copy_places(s, &def->crack));
    fr_shatter_set_grain(s, &def->crack);
    return FR_OK;
}

FrResult fr_shatter_create(FrContext *ctx, const FrBodyDef *def, FrShatter **shatter) {
    FrShatter *s = FR_NEW(ctx, FrShatter, 1);
    *shatter = NULL;
    if (!s) return fr_no_memory(ctx, "a body");
    s->ctx = ctx;
    s->mesh = *def->mesh;
    s->surface = *def->surface;
    if (def->embedded) s->skin = *def->embedded;
    s->material = def->material[0];
    s->how = def->crack.shatter;
    FrResult result = set_up(s, def);
    if (result != FR_OK) {
        fr_shatter_destroy(s);
        return result;
    }
    *shatter = s;
    return FR_OK;
}
