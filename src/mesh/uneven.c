// uneven.c: nodes of a tet mesh moved by chance, so that its faces show no lattice.

#include "mesh/uneven.h"
#include "base/random.h"
#include "math/vec.h"
#include "mesh/topology.h"
#include <string.h>

#define TRIES 6

typedef struct Stars {
    int32_t *first, *tet;
    uint8_t *outside; ///< node of the surface
} Stars;

static bool make_stars(FrContext *ctx, const FrTetMesh *mesh, Stars *s) {
    s->first = FR_NEW(ctx, int32_t, mesh->node_count + 1);
    s->tet = FR_NEW(ctx, int32_t, 4 * (size_t)mesh->tet_count);
    s->outside = FR_NEW(ctx, uint8_t, mesh->node_count);
    if (!s->first || !s->tet || !s->outside) return false;
    int32_t *first = s->first;
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) first[mesh->tet[k / 4][k % 4] + 1]++;
    for (int32_t n = 0; n < mesh->node_count; n++) first[n + 1] += first[n];
    for (int32_t k = 4 * mesh->tet_count - 1; k >= 0; k--)
        s->tet[--first[mesh->tet[k / 4][k % 4] + 1]] = k / 4;
    memmove(first, first + 1, (size_t)mesh->node_count * sizeof *first);
    first[mesh->node_count] = 4 * mesh->tet_count;
    return true;
}

// volume over the cube of the root mean square edge, 1 for a regular tet: of the worst round a node
static double worst_round(const FrTetMesh *mesh, const Stars *s, int32_t node) {
    double worst = HUGE_VAL;
    for (int32_t k = s->first[node]; k < s->first[node + 1]; k++) {
        FrVec3 p[4];
        double edges = 0.0;
        for (int i = 0; i < 4; i++) p[i] = fr_get3(mesh->x, mesh->tet[s->tet[k]][i]);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++) edges += fr_length2(fr_sub(p[i], p[j])) / 6.0;
        FrVec3 a = fr_sub(p[1], p[0]), b = fr_sub(p[2], p[0]), c = fr_sub(p[3], p[0]);
        double volume = fr_dot(a, fr_cross(b, c)) / 6.0;
        worst = fr_min(worst, 6.0 * sqrt(2.0) * volume / (edges * sqrt(edges)));
    }
    return worst;
}

static FrVec3 random_way(FrRandom *r) {
    FrVec3 way;
    do
        way = fr_vec3(fr_random_range(r, -1, 1), fr_random_range(r, -1, 1),
                      fr_random_range(r, -1, 1));
    while (fr_length2(way) > 1.0);
    return way;
}

static void move_node(FrTetMesh *mesh, const Stars *s, const FrUnevenOptions *options, double least,
                      int32_t node) {
    FrRandom r = fr_random_for(1, "uneven", (uint64_t)node);
    FrVec3 was = fr_get3(mesh->x, node);
    double reach = options->most, wanted = options->quality * least;
    for (int k = 0; k < TRIES; k++, reach *= 0.7) {
        FrVec3 to = fr_axpy(reach, random_way(&r), was);
        if (s->outside[node] && fr_field_at(&options->outer, to) < options->clear) continue;
        fr_set3(mesh->x, node, to);
        if (worst_round(mesh, s, node) >= wanted) return;
        fr_set3(mesh->x, node, was);
    }
}

FrResult fr_tetmesh_uneven(FrContext *ctx, FrTetMesh *mesh, const FrUnevenOptions *options) {
    Stars s = {0};
    FrSurface surface = {0};
    FrResult result = make_stars(ctx, mesh, &s) ? FR_OK : fr_no_memory(ctx, "an uneven mesh");
    if (result == FR_OK) result = fr_tetmesh_surface(ctx, mesh, &surface);
    for (int32_t k = 0; result == FR_OK && k < 3 * surface.tri_count; k++)
        s.outside[surface.tri[k / 3][k % 3]] = 1;
    double least = HUGE_VAL;
    for (int32_t n = 0; result == FR_OK && n < mesh->node_count; n++)
        least = fr_min(least, worst_round(mesh, &s, n));
    for (int32_t n = 0; result == FR_OK && n < mesh->node_count; n++)
        move_node(mesh, &s, options, least, n);
    fr_surface_free(ctx, &surface);
    FR_FREE_ALL(ctx, s.first, s.tet, s.outside);
    return result;
}
