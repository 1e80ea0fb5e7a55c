// rigid_modes.h: the motions of a mesh that store no energy: six for each part, fewer where nodes
// are held.
#pragma once
#include "fem/matrices.h"

typedef struct FrRigidMotions {
    int32_t count;
    double *R;     ///< M-orthonormal (3 * matrices node_count * count)
    int32_t parts; ///< face-connected
} FrRigidMotions;
void fr_rigid_motions_free(FrContext *ctx, FrRigidMotions *motions);

/// FR_BAD_INPUT: parts that hang together by a node or an edge only (more than six motions of
/// theirs are free), or several parts where `several` is false.
FrResult fr_rigid_motions(FrContext *ctx, const FrTetMesh *mesh, const uint8_t *held,
                          const FrMatrices *matrices, bool several, FrRigidMotions *motions);
