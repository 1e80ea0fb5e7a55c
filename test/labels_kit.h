// labels_kit.h: regions of meshes for tests.
#pragma once
#include "test.h"
#include "base/random.h"
#include "cut/labels.h"
#include "mesh/tetmesh.h"

/// All in region 0; no node knows a second.
static FrLabels labels_for(FrContext *ctx, int32_t nodes, int32_t count) {
    FrLabels l = {.node_count = nodes, .count = count};
    l.label = FR_NEW(ctx, int32_t, nodes);
    l.key = FR_NEW(ctx, double, nodes);
    l.second = FR_NEW(ctx, int32_t, nodes);
    l.second_key = FR_NEW(ctx, double, nodes);
    for (int32_t n = 0; l.second && n < nodes; n++) l.second[n] = -1;
    return l;
}

/// Keys are distances from the seeds (count), times the weights.
__attribute__((unused)) static void label_by_seeds(const FrTetMesh *mesh, FrLabels *l,
                                                   const FrVec3 *seed, const double *weight) {
    for (int32_t n = 0; n < mesh->node_count; n++) {
        l->key[n] = l->second_key[n] = HUGE_VAL;
        l->label[n] = l->second[n] = -1;
        for (int32_t k = 0; k < l->count; k++) {
            double key = weight[k] * fr_distance(fr_get3(mesh->x, n), seed[k]);
            if (key < l->key[n]) {
                l->second[n] = l->label[n], l->second_key[n] = l->key[n];
                l->label[n] = k, l->key[n] = key;
            } else if (key < l->second_key[n]) {
                l->second[n] = k, l->second_key[n] = key;
            }
        }
    }
}

__attribute__((unused)) static void label_by_random_seeds(const FrTetMesh *mesh, FrLabels *l,
                                                          FrRandom *random) {
    FrVec3 *seed = malloc(sizeof *seed * (size_t)l->count);
    double *weight = malloc(sizeof *weight * (size_t)l->count);
    FrBox box = fr_tetmesh_bounds(mesh);
    for (int32_t k = 0; k < l->count; k++) {
        seed[k] = fr_vec3(fr_random_range(random, box.lo.x, box.hi.x),
                          fr_random_range(random, box.lo.y, box.hi.y),
                          fr_random_range(random, box.lo.z, box.hi.z));
        weight[k] = fr_random_range(random, 0.7, 1.4);
    }
    label_by_seeds(mesh, l, seed, weight);
    free(seed), free(weight);
}

/// Two regions on either side of the plane n . x = c; the difference of keys is the distance.
__attribute__((unused)) static void label_by_plane(const FrTetMesh *mesh, FrLabels *l, FrVec3 n,
                                                   double c) {
    for (int32_t k = 0; k < mesh->node_count; k++) {
        double d = fr_dot(n, fr_get3(mesh->x, k)) - c;
        l->label[k] = d >= 0;
        l->second[k] = d < 0;
        l->key[k] = 10 - fabs(d) / 2;
        l->second_key[k] = 10 + fabs(d) / 2;
    }
}
