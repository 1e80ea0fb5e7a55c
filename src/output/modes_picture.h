// modes_picture.h: mode shapes to look at.
#pragma once
#include "score/modes_table.h"

/// The first dozen modes as a sheet of pictures (PNG): the body bent far beyond truth, coloured by
/// how far each place moves (dark: at rest), with number, Hz and note. FR_FAILED where this machine
/// cannot draw.
FrResult fr_modes_picture(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                          const FrMaterial *material, const FrModeTable *table, const char *path);

/// What the pictures are coloured by: how far each of the first `count` nodes moves in a mode, over
/// the largest of them, 0 to 1. Returns that largest, kg^-1/2.
double fr_mode_moved(const FrModes *modes, int32_t mode, int32_t count, float *moved);
