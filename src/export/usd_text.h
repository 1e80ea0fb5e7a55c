// usd_text.h: numbers, texts and lists as USD writes them.
#pragma once
#include "export/usd_inside.h"
#include "base/file.h"

/// A file being written.
typedef struct FrUsd {
    FrUsdGather gather;
    FrFileWriter file;
    char point; ///< decimal point of the locale
} FrUsd;

FrResult fr_usd_put(FrUsd *u, const char *text);
/// Eight digits: float32 to within a unit in the last place.
FrResult fr_usd_number(FrUsd *u, double value);
/// "(1, 2, 3)"
FrResult fr_usd_tuple(FrUsd *u, const float *value, int count);
/// "[(1, 2, 3), ...]", each of `width`
FrResult fr_usd_tuples(FrUsd *u, const float *value, size_t count, int width);
/// In quotes.
FrResult fr_usd_text(FrUsd *u, const char *text);
FrResult fr_usd_time(FrUsd *u, double code);

// usd_stage.c
/// Header and the looks of all prims.
FrResult fr_usd_stage(FrUsd *u);
/// The look of one prim, as it is and by name.
FrResult fr_usd_material(FrUsd *u, const FrUsdBody *body);
/// Path of a prim's look, or of the look of its faces inside.
FrResult fr_usd_look_path(FrUsd *u, const FrUsdBody *body, bool inside);
// usd_dust.c
/// Grains of dust as points; nothing where there are none.
FrResult fr_usd_dust(FrUsd *u);

// usd_stage.c
/// Where it is seen from, and what lights it; nothing where the options say nothing.
FrResult fr_usd_camera(FrUsd *u);
