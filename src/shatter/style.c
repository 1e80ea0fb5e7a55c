// style.c: which way cracks of a body run besides where its stress leads them: its grain, and the
// styles that a scene may ask for, as metrics of the distance that regions grow by (M34).

#include "shatter/shatter_inside.h"
#include "fracture/separation.h"
#include "material/laws.h"
#include "math/decompose.h"
#include "mesh/quality.h"

/// Tougher directions count as this many times the weakest at most.
#define MOST_GRAIN 50.0

// sum of f_k n_k n_k'
static FrSym3 along(const FrMat3 *axes, const double f[3]) {
    const FrVec3 n[3] = {axes->c0, axes->c1, axes->c2};
    FrSym3 sum = fr_sym3_zero;
    for (int k = 0; k < 3; k++) sum = fr_sym3_axpy(1.0, fr_outer_times(f[k], n[k]), sum);
    return sum;
}

// Axes of a grain, and how tough it is along each: what the scene says, else as stiff as it is.
// Wood stretches as far until it breaks along its grain as across it.
static bool grain_of(const FrMaterial *m, const FrCrackDef *crack, FrMat3 *axes, double tough[3]) {
    FrVec3 t = crack->toughness;
    if (t.x != t.y || t.y != t.z) {
        *axes = fr_quat_mat3(fr_quat_from_euler(crack->cleavage));
        for (int k = 0; k < 3; k++) tough[k] = fr_vec3_get(t, k);
        return true;
    }
    if (!m->anisotropic) return false;
    // the stress of an even squeeze has the axes of the grain
    FrEigen3 e = fr_sym3_eigen(fr_stress_anisotropic(m->C, (FrSym3){1, 1, 1, 0, 0, 0}));
    *axes = (FrMat3){e.vector[0], e.vector[1], e.vector[2]};
    for (int k = 0; k < 3; k++) tough[k] = fr_stiffness_young(m->C, e.vector[k]);
    return true;
}

// Of boxes of the same volume that fill a body, those that are as long along each axis as it is
// tough have the cheapest sides: lengths count the less the tougher it is.                   [M34]
void fr_shatter_set_grain(FrShatter *s, const FrCrackDef *crack) {
    FrMat3 axes;
    double tough[3], length[3];
    FrVec3 t = crack->toughness;
    s->toughness = t;
    s->cleavage = crack->cleavage;
    s->directional = t.x != 1.0 || t.y != 1.0 || t.z != 1.0;
    s->tougher = fr_toughness_scale(fr_quat_mat3(fr_quat_from_euler(crack->cleavage)), t);
    s->weakest *= fr_shatter_least_toughness(s);
    s->grained = grain_of(&s->material, crack, &axes, tough);
    if (!s->grained) return;
    double most = fr_max(tough[0], fr_max(tough[1], tough[2]));
    for (int k = 0; k < 3; k++) length[k] = fr_min(most / tough[k], MOST_GRAIN);
    s->grain = along(&axes, length);
    s->lengthwise = fr_sym3_eigen(s->grain).vector[2];
}

// the longest way through the body: the axis of its least inertia
static FrVec3 longest_way(const FrShatter *s) {
    return fr_sym3_eigen(fr_tetmesh_props(&s->mesh).inertia).vector[2];
}

/// Where a style looks from.
typedef struct Look {
    FrShatterStyle style;
    FrVec3 from;  ///< where it was struck, m
    FrVec3 axis;  ///< unit: of the push there
    FrVec3 along; ///< unit: the way of splinters
    double more;  ///< square of how much lengths across count
} Look;

// the direction in which lengths count more: across radial cracks, and across rings
static FrVec3 across_at(const Look *look, FrVec3 x) {
    FrVec3 r = fr_sub(x, look->from);
    r = fr_axpy(-fr_dot(r, look->axis), look->axis, r);
    if (look->style == FR_SHATTER_RADIAL) r = fr_cross(look->axis, r);
    return fr_length2(r) > 0.0 ? fr_normalize(r) : fr_vec3_zero;
}

// G = I + (more - 1) n n', n across the cracks; of splinters all but their own way is across [M34]
static FrSym3 style_at(const Look *look, FrVec3 x) {
    FrSym3 even = {1, 1, 1, 0, 0, 0};
    if (look->style == FR_SHATTER_STRESS) return even;
    if (look->style != FR_SHATTER_SPLINTER)
        return fr_sym3_axpy(1.0, fr_outer_times(look->more - 1.0, across_at(look, x)), even);
    FrSym3 across = {look->more, look->more, look->more, 0, 0, 0};
    return fr_sym3_axpy(1.0, fr_outer_times(1.0 - look->more, look->along), across);
}

static Look look_of(const FrShatter *s, FrVec3 from, FrVec3 push) {
    double more = 1.0 + s->how.stretch;
    FrVec3 axis = fr_length2(push) > 0.0 ? fr_normalize(push) : fr_vec3(0, 0, 1);
    Look look = {.style = s->how.style, .from = from, .axis = axis, .more = more * more};
    if (look.style == FR_SHATTER_SPLINTER) look.along = s->grained ? s->lengthwise : longest_way(s);
    return look;
}

FrResult fr_shatter_metric(const FrShatter *s, FrVec3 from, FrVec3 push, FrSym3 **metric) {
    *metric = NULL;
    if (!s->grained && s->how.style == FR_SHATTER_STRESS) return FR_OK;
    *metric = FR_NEW(s->ctx, FrSym3, s->mesh.tet_count);
    if (!*metric) return fr_no_memory(s->ctx, "ways of cracks");
    Look look = look_of(s, from, push);
    for (int32_t e = 0; e < s->mesh.tet_count; e++) {
        FrVec3 x = fr_vec3_zero;
        for (int i = 0; i < 4; i++) x = fr_axpy(0.25, fr_get3(s->mesh.x, s->mesh.tet[e][i]), x);
        FrSym3 G = style_at(&look, x);
        (*metric)[e] = s->grained ? fr_stress_scaled(fr_sym3_full(s->grain), G) : G;
    }
    return FR_OK;
}
