// crack_def.c: how bodies break by default, and what may be asked of it.

#include "cut/crack_def.h"
#include "base/base.h"
#include "math/vec.h"
#include <float.h>
#include <stdio.h>

#define DEGREE (FR_PI / 180.0) ///< rad, as scenes have it

FrCrackDef fr_crack_def_default(void) {
    return (FrCrackDef){
        .upright = true,
        .residual = FR_CHOSEN,
        .toughness = {1, 1, 1},
        .min_piece = FR_CHOSEN,
        .settle = FR_CHOSEN,
        .criterion = {.scan_interval = FR_CHOSEN},
        .remeshing = {.snap_distance = FR_CHOSEN,
                      .snap_angle = 5.7 * DEGREE,
                      .snap_part = 0.5,
                      .together = FR_CHOSEN,
                      .move = true,
                      .straight = 0.8,
                      .back_angle = 20.0 * DEGREE,
                      .min_height = 0.3},
        .pieces = {.rigid_piece = FR_CHOSEN, .dust_mass = 0.01},
        .cost = {.step_floor = 0.4, .added_mass = 0.01},
        .shatter = {
            .eta = 0.8, .exponent = 0.15, .stretch = 5.0, .least = FR_CHOSEN, .release = true}};
}

/// One number, and what it may be.
typedef struct Range {
    const char *name;
    size_t offset; ///< in FrCrackDef
    double min, max;
    bool chosen; ///< FR_CHOSEN is allowed
} Range;

#define AT(field) #field, offsetof(FrCrackDef, field)
static const Range range[] = {
    {AT(residual), 0.0, 1.0, true},
    {AT(toughness.x), DBL_MIN, DBL_MAX, false},
    {AT(toughness.y), DBL_MIN, DBL_MAX, false},
    {AT(toughness.z), DBL_MIN, DBL_MAX, false},
    {AT(cleavage.x), -DBL_MAX, DBL_MAX, false},
    {AT(cleavage.y), -DBL_MAX, DBL_MAX, false},
    {AT(cleavage.z), -DBL_MAX, DBL_MAX, false},
    {AT(min_piece), 0.0, DBL_MAX, true},
    {AT(settle), 0.0, DBL_MAX, true},
    {AT(criterion.scan_interval), 0.0, DBL_MAX, true},
    {AT(remeshing.snap_distance), 0.0, 0.49, true},
    {AT(remeshing.snap_angle), 0.0, 1.0, false},
    {AT(remeshing.snap_part), 0.0, 0.5, false},
    {AT(remeshing.together), 0.0, 1.0, true},
    {AT(remeshing.straight), 0.0, 10.0, false},
    {AT(remeshing.back_angle), 0.0, 1.5, false},
    {AT(remeshing.min_height), 1e-3, 1.0, false},
    {AT(pieces.rigid_piece), 0.0, DBL_MAX, true},
    {AT(pieces.dust_piece), 0.0, DBL_MAX, false},
    {AT(pieces.dust_mass), 0.0, 0.01, false},
    {AT(cost.step_floor), 0.0, 1.0, false},
    {AT(cost.added_mass), 0.0, 0.01, false},
    {AT(shatter.eta), 0.0, 1.0, false},
    {AT(shatter.exponent), 0.0, 2.0, false},
    {AT(shatter.stretch), 0.0, 20.0, false},
    {AT(shatter.least), 0.0, DBL_MAX, true},
    {AT(shatter.dust), 0.0, DBL_MAX, false},
};

static FrResult check_number(FrContext *ctx, const FrCrackDef *crack, const Range *r) {
    double value = *(const double *)(const void *)((const char *)crack + r->offset);
    if ((value >= r->min && value <= r->max) || (r->chosen && isnan(value))) return FR_OK;
    char allowed[64];
    if (r->max < DBL_MAX)
        snprintf(allowed, sizeof allowed, "allowed: %.4g to %.4g", r->min, r->max);
    else
        snprintf(allowed, sizeof allowed,
                 r->min < 0.0   ? "it must be finite"
                 : r->min > 0.0 ? "above 0"
                                : "at least 0");
    return fr_fail(ctx, FR_BAD_USE, "crack.%s is %g; %s%s", r->name, value, allowed,
                   r->chosen ? ", or FR_CHOSEN" : "");
}

FrResult fr_crack_def_check(FrContext *ctx, const FrCrackDef *crack, int32_t tet_count) {
    for (size_t k = 0; k < sizeof range / sizeof range[0]; k++)
        FR_TRY(check_number(ctx, crack, &range[k]));
    for (int32_t e = 0; crack->weak && e < tet_count; e++)
        if (!(crack->weak[e] > 0.0 && isfinite(crack->weak[e])))
            return fr_fail(ctx, FR_BAD_USE, "tet %d: factor on strength %g; above 0", e,
                           crack->weak[e]);
    if (crack->cut_count < 0 || crack->seed_count < 0)
        return fr_fail(ctx, FR_BAD_USE, "crack.cut_count is %d, crack.seed_count %d; at least 0",
                       crack->cut_count, crack->seed_count);
    FR_NEED(ctx, crack->cut || !crack->cut_count, "give the cracks from the start: crack.cut");
    FR_NEED(ctx, crack->seed || !crack->seed_count, "give the places: crack.seed");
    for (int32_t k = 0; k < crack->cut_count; k++) {
        const FrPreCut *cut = &crack->cut[k];
        if (!fr_vec3_finite(cut->centre) || !(cut->radius > 0.0) ||
            !(fabs(fr_length(cut->normal) - 1.0) < 1e-6))
            return fr_fail(ctx, FR_BAD_USE,
                           "a crack from the start needs a finite centre, a unit normal and a "
                           "radius above 0");
    }
    for (int32_t k = 0; k < crack->seed_count; k++)
        if (!fr_vec3_finite(crack->seed[k]))
            return fr_fail(ctx, FR_BAD_USE, "crack.seed %d is not finite", k);
    if ((unsigned)crack->shatter.style > FR_SHATTER_SPLINTER)
        return fr_fail(ctx, FR_BAD_USE, "crack.shatter.style is %d; it is 0 to %d",
                       (int)crack->shatter.style, (int)FR_SHATTER_SPLINTER);
    return FR_OK;
}

// as by default, but for rounding of units
static bool as_default(const FrCrackDef *crack, const FrCrackDef *plain, const Range *r) {
    double a = *(const double *)(const void *)((const char *)crack + r->offset);
    double b = *(const double *)(const void *)((const char *)plain + r->offset);
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

bool fr_crack_def_is_open(const FrCrackDef *crack) {
    FrCrackDef plain = fr_crack_def_default();
    plain.shatter = crack->shatter;
    for (size_t k = 0; k < sizeof range / sizeof range[0]; k++)
        if (!as_default(crack, &plain, &range[k])) return false;
    return !crack->along_faces && !crack->cut_count && crack->upright == plain.upright &&
           crack->remeshing.move == plain.remeshing.move &&
           crack->criterion.elastic_only == plain.criterion.elastic_only &&
           crack->criterion.kind == plain.criterion.kind;
}
