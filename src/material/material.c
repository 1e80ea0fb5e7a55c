// material.c: filling a material from handbook constants, and refusing one that cannot exist.

#include "material/laws.h"
#include <math.h>
#include <string.h>

static void set_lame(FrMaterial *m, double lambda, double mu) {
    m->lambda = lambda;
    m->mu = mu;
    // damping matrix alpha1 K + alpha2 M                                               [S4 eq. 3]
    // phi / lambda = psi / mu = alpha1; S4 prints the inverse ratio (E7)
    m->phi = m->alpha1 * lambda;
    m->psi = m->alpha1 * mu;
}

void fr_material_set_young(FrMaterial *m, double young, double poisson) {
    if (!m) return;

    double lambda, mu;
    fr_lame_from_young(young, poisson, &lambda, &mu);
    set_lame(m, lambda, mu);
    m->anisotropic = false;
}

bool fr_material_set_orthotropic(FrMaterial *m, const FrOrthotropic *constants) {
    if (!(m && constants)) return false;

    double C[6][6];
    if (!fr_stiffness_orthotropic(constants, C)) return false;
    memcpy(m->C, C, sizeof C);
    // isotropic average (Voigt): same response to pressure, same mean response to shear
    double straight = C[0][0] + C[1][1] + C[2][2], mixed = C[0][1] + C[0][2] + C[1][2];
    double bulk = (straight + 2.0 * mixed) / 9.0;
    double shear = (straight - mixed + 3.0 * (C[3][3] + C[4][4] + C[5][5])) / 15.0;
    set_lame(m, bulk - 2.0 / 3.0 * shear, shear);
    m->anisotropic = true;
    return true;
}

static FrResult refuse(FrContext *ctx, const FrMaterial *m, const char *field, double value,
                       const char *allowed) {
    return fr_fail(ctx, FR_BAD_INPUT, "material \"%.39s\": %s is %g; allowed: %s", m->name, field,
                   value, allowed);
}

typedef struct FieldLimit {
    const char *name;
    size_t offset;
    double lo, hi;
    bool open_lo; ///< lo itself is not allowed
    const char *allowed;
} FieldLimit;

#define FIELD(f) #f, offsetof(FrMaterial, f)
static const FieldLimit field_limits[] = {
    {FIELD(density), 0, 1e5, true, "more than 0, at most 1e5 kg/m^3"},
    {FIELD(mu), 0, 1e15, true, "more than 0, at most 1e15 Pa"},
    {FIELD(lambda), -1e15, 1e15, false, "-2/3 mu to 1e15 Pa"},
    {FIELD(alpha1), 0, 1e3, false, "0 to 1000 s"},
    {FIELD(alpha2), 0, 1e9, false, "0 to 1e9 1/s"},
    {FIELD(phi), -1e15, 1e15, false, "-2/3 psi to 1e15 Pa s"},
    {FIELD(psi), 0, 1e15, false, "0 to 1e15 Pa s"},
    {FIELD(eta), 0, 2, false, "0 to 2"},
    {FIELD(friction_static), 0, 10, false, "0 to less than 10"},
    {FIELD(friction_dynamic), 0, 10, false, "0 to less than 10"},
    {FIELD(restitution), 0, 1, false, "0 to 1"},
    {FIELD(strength), 0, 1e15, false, "0 (does not break) to 1e15 Pa"},
    {FIELD(Gc), 0, 1e12, false, "0 (does not break) to 1e12 J/m^2"},
    {FIELD(tau), 0, 1e15, false, "0 (does not break) to 1e15 N"},
    {FIELD(yield_strain), 0, 10, false, "0 (does not yield) to 10"},
    {FIELD(plastic_limit), 0, 100, false, "0 to 100"},
    {FIELD(creep), 0, 1e6, false, "0 to 1e6 1/s"},
    {FIELD(conductivity), 0, 1e5, false, "0 to 1e5 W/m/K"},
    {FIELD(heat_capacity), 0, 1e6, false, "0 (does not get warm) to 1e6 J/kg/K"},
    {FIELD(cooling), 0, 1e6, false, "0 to 1e6 W/m^2/K"},
    {FIELD(softens), -273.15, 1e4, false, "-273.15 to 1e4 degrees C"},
    {FIELD(melts), -273.15, 1e4, false, "0 (does not melt), or -273.15 to 1e4 degrees C"},
    {FIELD(crack_alpha), 0, 1, false, "0 to 1"},
};

static FrResult check_fields(FrContext *ctx, const FrMaterial *m) {
    for (size_t k = 0; k < sizeof field_limits / sizeof field_limits[0]; k++) {
        const FieldLimit *f = &field_limits[k];
        double value;
        memcpy(&value, (const char *)m + f->offset, sizeof value);
        bool good = f->open_lo ? value > f->lo : value >= f->lo;
        if (!good || !(value <= f->hi)) return refuse(ctx, m, f->name, value, f->allowed);
    }
    if (!(m->friction_static < 10.0))
        return refuse(ctx, m, "friction_static", m->friction_static, "0 to less than 10");
    if (m->plastic_limit > FR_PLASTIC_LIMIT_MAX && !(m->creep > 0.0))
        return refuse(ctx, m, "plastic_limit", m->plastic_limit,
                      "0 to 0.55 in standard Green strain: from 0.6124 on no rest shape need exist "
                      "(E11); more only with creep, of model corot");
    if (fr_material_melts(m) && !(m->softens < m->melts))
        return refuse(ctx, m, "softens", m->softens, "below melts");
    if (m->friction_dynamic > m->friction_static)
        return refuse(ctx, m, "friction_dynamic", m->friction_dynamic, "at most friction_static");
    return FR_OK;
}

static FrResult check_stiffness(FrContext *ctx, const FrMaterial *m) {
    if (!(3.0 * m->lambda + 2.0 * m->mu > 0.0))
        return refuse(ctx, m, "lambda", m->lambda, "more than -2/3 mu");
    if (!(3.0 * m->phi + 2.0 * m->psi >= 0.0))
        return refuse(ctx, m, "phi", m->phi, "-2/3 psi or more, so that damping takes energy out");
    if (!m->anisotropic) return FR_OK;
    double size = 0.0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            if (!isfinite(m->C[i][j]))
                return refuse(ctx, m, "C", m->C[i][j], "finite numbers only");
            size = fr_max(size, fabs(m->C[i][j]));
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            // handbooks print four digits; a real asymmetry is larger than rounding
            if (fabs(m->C[i][j] - m->C[j][i]) > 1e-9 * size)
                return refuse(ctx, m, "C", m->C[i][j], "a symmetric matrix");
    double lowest, largest;
    fr_stiffness_range(m->C, &lowest, &largest);
    if (!(lowest > 0.0) || !(largest <= 1e15))
        return refuse(ctx, m, "C (lowest eigenvalue)", lowest, "positive definite, at most 1e15");
    return FR_OK;
}

// Fresh faces scatter more light than worn or polished ones: brighter by half (metals by a fifth),
// and a little of the colour is lost, towards the grey that is as bright as its brightest part.
// Both keep the hue, and what is dark stays so.
void fr_material_inside(const FrMaterial *m, float rgb[3]) {
    if (!(m && rgb)) return;

    memcpy(rgb, m->inside, sizeof m->inside);
    if (rgb[0] > 0 || rgb[1] > 0 || rgb[2] > 0) return;
    const float *c = m->colour;
    float most = fmaxf(c[0], fmaxf(c[1], c[2])), gain = 1.5f - 0.3f * m->metallic;
    if (most <= 0) return;
    gain = fmaxf(1.0f, fminf(gain, 0.95f / most));
    float grey = 0.12f * (1.0f - 0.5f * m->metallic);
    for (int k = 0; k < 3; k++) rgb[k] = gain * ((1.0f - grey) * c[k] + grey * most);
}

static FrResult check_look(FrContext *ctx, const FrMaterial *m) {
    const char *names[] = {"colour[0]", "colour[1]", "colour[2]", "roughness", "metallic",
                           "opacity",   "inside[0]", "inside[1]", "inside[2]"};
    float values[] = {m->colour[0], m->colour[1], m->colour[2], m->roughness, m->metallic,
                      m->opacity,   m->inside[0], m->inside[1], m->inside[2]};
    for (int k = 0; k < 9; k++)
        if (!(values[k] >= 0.0f && values[k] <= 1.0f))
            return refuse(ctx, m, names[k], (double)values[k], "0 to 1");
    return FR_OK;
}

FrResult fr_material_check(FrContext *ctx, const FrMaterial *m) {
    FR_NEED_ALL(ctx, ctx && m);

    if (!memchr(m->name, 0, sizeof m->name))
        return fr_fail(ctx, FR_BAD_INPUT, "material \"%.20s...\": name is longer than %zu bytes",
                       m->name, sizeof m->name - 1);
    FR_TRY(check_fields(ctx, m));
    FR_TRY(check_stiffness(ctx, m));
    return check_look(ctx, m);
}
