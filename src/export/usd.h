// usd.h: a run as USD text (.usda): a prim per body, time samples and defaults.
#pragma once
#include "record/recording.h"

/// Where the file goes; decides up axis and unit. The file always says which it has.
typedef enum FrUsdPreset {
    FR_USD_BLENDER, ///< z up, metres (also the default)
    FR_USD_HOUDINI, ///< y up, metres
    FR_USD_UNREAL,  ///< z up, centimetres
} FrUsdPreset;

typedef struct FrUsdOptions {
    FrUsdPreset preset;
    double fps;         ///< time codes per second; 0: the source's
    double start_frame; ///< time code of the first frame
} FrUsdOptions;

FrUsdOptions fr_usd_options_default(void);
/// "blender", "houdini", "unreal"; false for any other.
bool fr_usd_preset_find(const char *name, FrUsdPreset *preset);

/// Writes `path` whole or not at all. Needs room for the samples in a scratch file beside it.
FrResult fr_export_usd(FrContext *ctx, const FrFrameSource *source, const FrUsdOptions *options,
                       const char *path);
