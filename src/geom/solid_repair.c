// solid_repair.c: doubles go, neighbours agree.

#include "geom/edges.h"
#include "geom/solid_repair.h"
#include <string.h>

typedef struct Neighbours {
    int32_t tri[3];
    bool against[3]; ///< runs through the common edge the same way, so one must turn
    int32_t count;
} Neighbours;

FrResult fr_repair_drop(FrContext *ctx, FrTriMesh *mesh, int32_t *dropped) {
    bool *duplicate;
    FR_TRY(fr_trimesh_duplicates(ctx, mesh, &duplicate));
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        if (duplicate[t] || fr_length2(fr_tri_vector(mesh, t)) == 0.0) continue;
        memmove(mesh->tri[kept++], mesh->tri[t], sizeof *mesh->tri);
    }
    *dropped = mesh->tri_count - kept;
    mesh->tri_count = kept;
    fr_free(ctx, duplicate);
    return FR_OK;
}

static void link_two(Neighbours *near, const FrEdgeUse *a, const FrEdgeUse *b) {
    bool against = a->forward == b->forward;
    Neighbours *na = &near[a->tri], *nb = &near[b->tri];
    na->tri[na->count] = b->tri, na->against[na->count++] = against;
    nb->tri[nb->count] = a->tri, nb->against[nb->count++] = against;
}

static FrResult find_neighbours(FrContext *ctx, const FrTriMesh *mesh, Neighbours *near) {
    FrEdgeUse *uses;
    FR_TRY(fr_trimesh_edges(ctx, mesh, &uses));
    int32_t count = 3 * mesh->tri_count;
    for (int32_t at = 0, run; at < count; at += run) {
        run = fr_edge_run(uses, count, at);
        if (run == 2 && uses[at].tri != uses[at + 1].tri) link_two(near, &uses[at], &uses[at + 1]);
    }
    fr_free(ctx, uses);
    return FR_OK;
}

// walk one patch from its first triangle; list: its triangles, turn: which of them must turn
static int32_t walk(const Neighbours *near, int32_t seed, int32_t patch, int32_t *of, bool *turn,
                    int32_t *list) {
    int32_t count = 0;
    of[seed] = patch, turn[seed] = false;
    list[count++] = seed;
    for (int32_t at = 0; at < count; at++) {
        int32_t t = list[at];
        for (int32_t k = 0; k < near[t].count; k++) {
            int32_t other = near[t].tri[k];
            if (of[other] >= 0) continue;
            of[other] = patch;
            turn[other] = turn[t] != near[t].against[k];
            list[count++] = other;
        }
    }
    return count;
}

static int32_t settle(FrTriMesh *mesh, const int32_t *list, int32_t count, const bool *turn) {
    double turned = 0.0, kept = 0.0;
    int32_t flipped = 0;
    for (int32_t i = 0; i < count; i++) {
        double area = fr_length(fr_tri_vector(mesh, list[i]));
        if (turn[list[i]])
            turned += area;
        else
            kept += area;
    }
    bool other = turned > kept; // most of the patch was the other way round
    for (int32_t i = 0; i < count; i++)
        if (turn[list[i]] != other) fr_tri_turn_over(mesh, list[i]), flipped++;
    return flipped;
}

FrResult fr_repair_patches(FrContext *ctx, FrTriMesh *mesh, FrPatches *patches, int32_t *flipped) {
    int32_t n = mesh->tri_count;
    *patches = (FrPatches){.of = FR_NEW(ctx, int32_t, n), .closed = FR_NEW(ctx, bool, n)};
    Neighbours *near = FR_NEW(ctx, Neighbours, n);
    int32_t *list = FR_NEW(ctx, int32_t, n);
    bool *turn = FR_NEW(ctx, bool, n);
    bool good = patches->of && patches->closed && near && list && turn;
    FrResult result = good ? find_neighbours(ctx, mesh, near) : fr_no_memory(ctx, "patches");
    *flipped = 0;
    for (int32_t t = 0; t < n && result == FR_OK; t++) patches->of[t] = -1;
    for (int32_t t = 0; t < n && result == FR_OK; t++) {
        if (patches->of[t] >= 0) continue;
        int32_t count = walk(near, t, patches->count, patches->of, turn, list);
        *flipped += settle(mesh, list, count, turn);
        bool closed = true;
        for (int32_t i = 0; i < count; i++) closed &= near[list[i]].count == 3;
        patches->closed[patches->count++] = closed;
    }
    fr_free(ctx, near);
    fr_free(ctx, list);
    fr_free(ctx, turn);
    if (result != FR_OK) fr_patches_free(ctx, patches);
    return result;
}

void fr_patches_free(FrContext *ctx, FrPatches *patches) {
    fr_free(ctx, patches->of);
    fr_free(ctx, patches->closed);
    *patches = (FrPatches){0};
}
