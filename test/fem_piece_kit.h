// fem_piece_kit.h: a jittered box that turns and shivers, cut until a small piece comes off.
#pragma once
#include "fem/body.h"
#include "fem/step_cost.h"
#include "fem_cut_kit.h"
#include "mesh/topology.h"

static inline Scene scene_make(void) {
    Scene s = scene_box(1, 3, 3, 3, 0.0);
    double *v = calloc(3 * (size_t)s.mesh.node_count, sizeof *v);
    for (int32_t n = 0; n < s.mesh.node_count; n++)
        fr_set3(v, n, scene_velocity(&s, fr_get3(s.mesh.x, n)));
    fr_fem_set_state(s.fem, NULL, v);
    free(v);
    return s;
}

static inline void split_some(Scene *s, int count) {
    FrSplitOptions options = fr_split_options_default();
    options.min_height = 0.02; // tiny tets are wanted here
    for (int k = 0; k < count; k++)
        if (scene_split(s, &options)) CHECK_OK(s->ctx, fr_fem_keep_floor(s->fem, &s->log, s->cut));
}

static inline double ledger(FrFem *fem) {
    FrFemEnergy e;
    fr_fem_energy(fem, fr_vec3_zero, &e);
    return e.kinetic + e.elastic + e.damping + e.fracture - e.load_work - e.contact_work;
}

/// all tets of the smallest part that hangs together
static inline int32_t smallest_part(Scene *s, int32_t *tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(s->cut);
    int32_t *part, parts, best = -1, least = INT32_MAX;
    CHECK_OK(s->ctx, fr_tet_components(s->ctx, mesh, &part, &parts));
    for (int32_t k = 0; k < parts; k++) {
        int32_t count = 0;
        for (int32_t e = 0; e < mesh->tet_count; e++) count += part[e] == k;
        if (count < least) least = count, best = k;
    }
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        if (part[e] == best) tet[count++] = e;
    fr_free(s->ctx, part);
    return count;
}

// tets of a piece of 40 of them at most; caller frees
static inline int32_t *cut_small(Scene *s, int32_t *count) {
    int32_t *tet = malloc(sizeof *tet * 4096);
    *count = 0;
    for (int k = 0; k < 60 && (*count == 0 || *count > 40); k++) {
        split_some(s, 10);
        *count = smallest_part(s, tet);
    }
    return tet;
}
