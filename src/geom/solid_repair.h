// solid_repair.h: making a bad surface agree with itself; only the files of a solid look here.
#pragma once
#include "geom/solid.h"
#include "geom/solid_tree.h"

/// Its area times its normal, m^2.
static inline FrVec3 fr_tri_vector(const FrTriMesh *mesh, int32_t t) {
    FrVec3 a = fr_get3(mesh->p, mesh->tri[t][0]), b = fr_get3(mesh->p, mesh->tri[t][1]);
    FrVec3 c = fr_get3(mesh->p, mesh->tri[t][2]);
    return fr_scale(0.5, fr_cross(fr_sub(b, a), fr_sub(c, a)));
}

static inline void fr_tri_turn_over(FrTriMesh *mesh, int32_t t) {
    int32_t swap = mesh->tri[t][1];
    mesh->tri[t][1] = mesh->tri[t][2];
    mesh->tri[t][2] = swap;
}

/// Triangles joined by edges that have exactly two triangles.
typedef struct FrPatches {
    int32_t count;
    int32_t *of;  ///< patch of each triangle (tri_count)
    bool *closed; ///< no edge of the patch is open or has a third triangle (count)
} FrPatches;

/// Remove triangles with the points of an earlier one, or without area.
FrResult fr_repair_drop(FrContext *ctx, FrTriMesh *mesh, int32_t *dropped);
/// Turn triangles of each patch the same way round, the way most of its area had. Triangles that
/// cannot agree (a Moebius strip) stay as they are reached.
FrResult fr_repair_patches(FrContext *ctx, FrTriMesh *mesh, FrPatches *patches, int32_t *flipped);
/// Turn patches over that face inwards: closed ones by their volume unless they are cavities, open
/// ones where rays say so two to one. Open ones that lie inside others are turned as most are.
FrResult fr_repair_outwards(FrContext *ctx, FrTriMesh *mesh, const FrPatches *patches,
                            const FrTree *tree, int32_t *flipped);
/// The repaired `mesh` with the normals and UVs of the `given` one, of which point n became
/// joined[n]. Normals that are missing are made, with creases.
FrResult fr_repair_dress(FrContext *ctx, const FrTriMesh *mesh, const FrTriMesh *given,
                         const int32_t *joined, FrTriMesh *dressed);
void fr_patches_free(FrContext *ctx, FrPatches *patches);
