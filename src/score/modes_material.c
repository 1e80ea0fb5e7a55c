// modes_material.c: a material from the command line: a name of the library, or constants.

#include "score/modes_material.h"
#include "base/text.h"
#include "build/build.h"
#include "material/laws.h"
#include "scene/material_names.h"
#include "scene/problems.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Constants {
    double young, poisson, lambda, mu; ///< NaN: not given
    FrMaterial *material;
} Constants;

static FrResult unknown_name(FrContext *ctx, const char *name) {
    char meant[80];
    const char *near = fr_material_meant(name);
    return fr_fail(ctx, FR_BAD_INPUT,
                   "there is no material '%.40s'%s; `fracas materials` lists them", name,
                   fr_suggest_text(near, meant, sizeof meant));
}

// "70GPa" -> 70e9; the unit may be left away
static bool number(const char *text, size_t length, bool pressure, double *value) {
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"GPa", 1e9}, {"MPa", 1e6}, {"kPa", 1e3}, {"Pa", 1.0}};
    for (size_t k = 0; pressure && k < sizeof units / sizeof units[0]; k++) {
        size_t end = strlen(units[k].unit);
        if (length <= end || strncmp(text + length - end, units[k].unit, end)) continue;
        if (!fr_parse_double(text, length - end, value)) return false;
        *value *= units[k].factor;
        return true;
    }
    return fr_parse_double(text, length, value);
}

static FrResult one(FrContext *ctx, const char *text, size_t length, Constants *c) {
    const struct {
        const char *name;
        double *to;
        bool pressure;
    } keys[] = {{"E", &c->young, true},
                {"nu", &c->poisson, false},
                {"lambda", &c->lambda, true},
                {"mu", &c->mu, true},
                {"rho", &c->material->density, false},
                {"alpha1", &c->material->alpha1, false},
                {"alpha2", &c->material->alpha2, false},
                {"eta", &c->material->eta, false}};
    const char *sign = memchr(text, '=', length);
    size_t name = sign ? (size_t)(sign - text) : length;
    for (size_t k = 0; sign && k < sizeof keys / sizeof keys[0]; k++) {
        if (strlen(keys[k].name) != name || strncmp(keys[k].name, text, name)) continue;
        if (number(sign + 1, length - name - 1, keys[k].pressure, keys[k].to)) return FR_OK;
        return fr_fail(ctx, FR_BAD_INPUT, "--material: '%.*s' is not a number", (int)length, text);
    }
    return fr_fail(
        ctx, FR_BAD_INPUT,
        "--material: '%.*s' is none of E=, nu=, rho=, lambda=, mu=, alpha1=, alpha2=, eta=",
        (int)fr_min_i((int32_t)length, 40), text);
}

// all that is out of range, not only the first
static FrResult check_ranges(FrContext *ctx, const char *text, const Constants *c) {
    const struct {
        bool wrong;
        const char *allowed;
        double found;
    } check[] = {{c->young <= 0.0, "E must be above 0", c->young},
                 {c->poisson <= -1.0 || c->poisson >= 0.5, "nu between -1 and 0.5", c->poisson},
                 {c->mu <= 0.0, "mu must be above 0", c->mu},
                 {c->material->density <= 0.0, "rho must be above 0", c->material->density}};
    char faults[200] = "";
    size_t at = 0;
    for (size_t k = 0; k < sizeof check / sizeof check[0]; k++)
        if (check[k].wrong)
            at += (size_t)snprintf(faults + at, sizeof faults - at, "%s%s, found %g",
                                   at ? "; " : "", check[k].allowed, check[k].found);
    if (!at) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "--material %.80s: %s", text, faults);
}

static FrResult constants(FrContext *ctx, const char *text, FrMaterial *material) {
    const double none = (double)NAN;
    Constants c = {none, none, none, none, material};
    material->density = none;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        FR_TRY(one(ctx, at, length, &c));
        at += length + (at[length] == ',');
    }
    bool young = isfinite(c.young) && isfinite(c.poisson),
         lame = isfinite(c.lambda) && isfinite(c.mu);
    if (young == lame || isnan(material->density))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "--material %.80s: give rho, and E with nu or lambda with mu", text);
    FR_TRY(check_ranges(ctx, text, &c));
    if (young) {
        fr_material_set_young(material, c.young, c.poisson);
    } else {
        material->lambda = c.lambda;
        material->mu = c.mu;
        material->phi = material->alpha1 * c.lambda;
        material->psi = material->alpha1 * c.mu;
    }
    return fr_material_check(ctx, material);
}

FrResult fr_material_named(FrContext *ctx, const FrScene *scene, const char *name,
                           FrMaterial *material) {
    if (scene) return fr_scene_material(ctx, scene, name, material);
    return fr_material_find(name, material) ? FR_OK : unknown_name(ctx, name);
}

FrResult fr_material_from_text(FrContext *ctx, const char *text, FrMaterial *material) {
    if (!strchr(text, '=')) return fr_material_named(ctx, NULL, text, material);
    *material = (FrMaterial){.name = "given",
                             .friction_static = 0.5,
                             .friction_dynamic = 0.4,
                             .restitution = 0.3,
                             .roughness = 0.6f,
                             .opacity = 1.0f};
    return constants(ctx, text, material);
}
