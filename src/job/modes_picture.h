// modes_picture.h: mode shapes to look at.
#pragma once
#include "job/modes_table.h"

/// The first dozen modes as a sheet of pictures (PNG): the body bent far beyond truth, coloured by
/// stress, with number, Hz and note. FR_FAILED where this machine cannot draw.
FrResult fr_modes_picture(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                          const FrMaterial *material, const FrModeTable *table, const char *path);
