// calculix.h: CalculiX (ccx) as a yardstick: the same tets, its frequencies, time and
// memory.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"

/// What it took: CPU seconds of all threads, largest resident memory.
typedef struct FrCalculixRun {
    int32_t count;  ///< eigenvalues found
    double seconds; ///< CPU time, s
    double peak_mb; ///< MB
    bool installed; ///< false: there is no ccx to run
} FrCalculixRun;

/// folder/name.inp: free linear tets, the `count` lowest eigenvalues. Order 1, one isotropic
/// material.
FrResult fr_calculix_save(FrContext *ctx, const char *folder, const char *name,
                          const FrTetMesh *mesh, const FrMaterial *material, int32_t count);
/// Run ccx on it with one thread. `lambda` gets up to `most` eigenvalues, 1/s^2, rigid ones among
/// them.
FrResult fr_calculix_run(FrContext *ctx, const char *folder, const char *name, double *lambda,
                         int32_t most, FrCalculixRun *run);
