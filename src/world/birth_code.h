// birth_code.h: all that a body was made from, as bytes and back: checkpoints hold it of bodies
// that were born after the first step.
#pragma once
#include "base/bytes.h"
#include "fracas/world.h"
#include "modal/motion.h"

/// A def with arrays of its own.
typedef struct FrBirth {
    FrContext *ctx;
    FrBodyDef def;
    char *name;
    FrTetMesh mesh;
    FrSurface surface;
    FrEmbedded skin;
    FrMaterial *material;
    FrKey *key;
    double *weak;
    FrPreCut *cut;
    FrVec3 *seed;
    int32_t *held;
    FrMotion *motion;
} FrBirth;

void fr_birth_write(const FrBodyDef *def, FrWriter *writer);
/// FR_BAD_INPUT: counts that do not fit the bytes that are left. Free it in any case.
FrResult fr_birth_read(FrContext *ctx, FrReader *reader, FrBirth *birth);
void fr_birth_free(FrBirth *birth);
