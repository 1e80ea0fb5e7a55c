// bend_modes.h: the modes of a body as it moves by them: what an eigen solver found, or what was
// cooked.
#pragma once
#include "fracas/world.h"
#include "modal/modes.h"

typedef struct FrBendModes {
    int32_t count, node_count;
    double *lambda; ///< squared angular frequency, 1/s^2 (count)
    double *most;   ///< largest displacement of a node per mode, kg^-1/2 (count)
    /// the integral of rho w: what gravity does to each mode of a body that is held, rows x y z of
    /// body axes, sqrt(kg) (3 count); zeros of a free one, whose modes it does not move
    double *gravity;
    float *shape; ///< kg^-1/2, mode after mode: x y z of each node
} FrBendModes;

/// All zero.
FrResult fr_bend_modes_alloc(FrContext *ctx, int32_t count, int32_t node_count, FrBendModes *modes);
void fr_bend_modes_free(FrContext *ctx, FrBendModes *modes); ///< fine on a zeroed one
FrResult fr_bend_modes_copy(FrContext *ctx, const FrBendModes *from, FrBendModes *to);
/// Those of a body (mesh, materials, held nodes, how many of them), by the context's back end: all
/// that it asks for, or those that can be seen [S1 s. 3.2].
FrResult fr_bend_modes_find(FrContext *ctx, const FrBodyDef *def, FrBendModes *modes);
