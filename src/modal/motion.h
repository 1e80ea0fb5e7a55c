// motion.h: a cooked body that bends by modes: all that it takes to move it without a back end
// [M33].
#pragma once
#include "base/bytes.h"
#include "fracas/motion.h"
#include "modal/bend_modes.h"

struct FrMotion {
    FrContext *ctx;
    char name[40];
    FrBendModes modes;
    FrTetMesh mesh;
    FrMaterial *material; ///< of each region (material_count)
    int32_t material_count;
    int32_t *held; ///< nodes that never move (held_count)
    int32_t held_count;
    FrEmbedded skin;  ///< a finer surface; point_count 0: none
    FrEmbedded drawn; ///< that, or the surface of the tets; shares arrays with `skin`
};

/// Its modes by the context's back end, and all else of the body that moves it.
FrResult fr_motion_make(FrContext *ctx, const FrBodyDef *def, FrMotion **motion);
void fr_motion_write(const FrMotion *motion, FrWriter *writer);
/// FR_BAD_INPUT: with the offset and what was found; `what` begins the message.
FrResult fr_motion_read(FrContext *ctx, const char *what, FrReader *reader, FrMotion **motion);
