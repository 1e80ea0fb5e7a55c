// bank_picture.h: which ellipsoids a soundbank has, as a picture.
#pragma once
#include "fracas/soundbank.h"

/// Each as it looks from the front, its shortest axis up, at its place between ball, disc and
/// needle: logarithms of b/c across and of a/c down (S7, figures 7 and 8). Brighter: more tones.
FrResult fr_bank_picture_save(FrContext *ctx, const FrSoundbank *bank, const char *path);
