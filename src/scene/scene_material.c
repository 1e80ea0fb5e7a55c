// scene_material.c: a material of the scene: a base from the library, changed field by field.

#include "scene/scene.h"
#include "material/laws.h"
#include "math/vec.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void set_if(double given, double *field) {
    if (!isnan(given)) *field = given;
}

void fr_set_colour(FrVec3 colour, FrMaterial *material) {
    if (isnan(colour.x)) return;
    material->colour[0] = (float)colour.x;
    material->colour[1] = (float)colour.y;
    material->colour[2] = (float)colour.z;
}

static void set_look(const FrSceneMaterial *from, FrMaterial *m) {
    fr_set_colour(from->colour, m);
    if (!isnan(from->roughness)) m->roughness = (float)from->roughness;
    if (!isnan(from->metallic)) m->metallic = (float)from->metallic;
    if (!isnan(from->opacity)) m->opacity = (float)from->opacity;
    if (!isnan(from->inside.x)) {
        double least = 1e-4; // all 0 would say that it is not given
        m->inside[0] = (float)fr_max(from->inside.x, least);
        m->inside[1] = (float)fr_max(from->inside.y, least);
        m->inside[2] = (float)fr_max(from->inside.z, least);
    }
}

// Voigt's average of a stiffness: the isotropic material that contact, waves and damping go by
//     9 K = C11 + C22 + C33 + 2 (C12 + C23 + C31)
//    15 G = C11 + C22 + C33 - (C12 + C23 + C31) + 3 (C44 + C55 + C66)
static void set_average(FrMaterial *m) {
    double axial = m->C[0][0] + m->C[1][1] + m->C[2][2];
    double cross = m->C[0][1] + m->C[1][2] + m->C[2][0];
    double shear = m->C[3][3] + m->C[4][4] + m->C[5][5];
    m->mu = (axial - cross + 3.0 * shear) / 15.0;
    m->lambda = (axial + 2.0 * cross) / 9.0 - 2.0 / 3.0 * m->mu;
}

// Strain-rate damping over stiffness, s: alpha1, but of a material whose tones do without (library
// glass) what phi and psi say, to the last bit where both agree on it.
static double damping_rate(const FrMaterial *m) {
    if (m->alpha1 > 0.0 || !(m->psi > 0.0) || !(m->mu > 0.0)) return m->alpha1;
    double rate = m->psi / m->mu, near[3] = {rate, nextafter(rate, 0.0), nextafter(rate, 1.0)};
    for (int k = 0; k < 3; k++)
        if (fabs(near[k] * m->mu - m->psi) <= 0.0 && fabs(near[k] * m->lambda - m->phi) <= 0.0)
            return near[k];
    return rate;
}

static void set_elasticity(const FrSceneMaterial *from, FrMaterial *m) {
    double rate = isnan(from->alpha1) ? damping_rate(m) : from->alpha1;
    set_if(from->alpha1, &m->alpha1);
    if (!isnan(from->young)) {
        double of_base = fr_poisson(m->lambda, m->mu);
        fr_material_set_young(m, from->young, isnan(from->poisson) ? of_base : from->poisson);
        m->anisotropic = false;
    } else if (!isnan(from->lambda)) {
        m->lambda = from->lambda;
        m->mu = from->mu;
        m->anisotropic = false;
    } else if (from->stiffness_count == 36) {
        memcpy(m->C, from->stiffness, sizeof m->C);
        m->anisotropic = true;
        set_average(m);
    }
    // strain-rate damping follows stiffness and alpha1 unless the scene says otherwise
    bool changed = !isnan(from->alpha1) || !isnan(from->young) || !isnan(from->lambda);
    if (changed || from->stiffness_count == 36) {
        m->phi = rate * m->lambda;
        m->psi = rate * m->mu;
    }
    set_if(from->phi, &m->phi);
    set_if(from->psi, &m->psi);
}

static void apply(const FrSceneMaterial *from, FrMaterial *m) {
    snprintf(m->name, sizeof m->name, "%s", from->name);
    set_if(from->density, &m->density);
    set_elasticity(from, m);
    set_if(from->alpha2, &m->alpha2);
    set_if(from->eta, &m->eta);
    set_if(from->friction_static, &m->friction_static);
    set_if(from->friction_dynamic, &m->friction_dynamic);
    set_if(from->restitution, &m->restitution);
    set_if(from->strength, &m->strength);
    set_if(from->Gc, &m->Gc);
    set_if(from->tau, &m->tau);
    set_if(from->yield_strain, &m->yield_strain);
    set_if(from->plastic_limit, &m->plastic_limit);
    if (from->yield_strain > 0.0 && isnan(from->plastic_limit) && m->plastic_limit == 0.0)
        m->plastic_limit = FR_PLASTIC_LIMIT_MAX;
    set_if(from->creep, &m->creep);
    set_if(from->conductivity, &m->conductivity);
    set_if(from->heat_capacity, &m->heat_capacity);
    set_if(from->cooling, &m->cooling);
    set_if(from->softens, &m->softens);
    set_if(from->melts, &m->melts);
    set_if(from->crack_alpha, &m->crack_alpha);
    set_look(from, m);
}

// the shortest turn that takes x to g:  R = I + [v] + [v]^2 / (1 + c),  v = x cross g,  c = x . g
static FrMat3 turn_x_to(FrVec3 g) {
    if (g.x <= -1.0 + 1e-12) return fr_mat3(fr_vec3(-1, 0, 0), fr_vec3(0, -1, 0), fr_vec3(0, 0, 1));
    FrMat3 v = fr_mat3(fr_vec3(0, g.y, g.z), fr_vec3(-g.y, 0, 0), fr_vec3(-g.z, 0, 0));
    FrMat3 v2 = fr_mat3_scale(1.0 / (1.0 + g.x), fr_mat3_mul(v, v));
    return fr_mat3_add(fr_mat3_identity, fr_mat3_add(v, v2));
}

void fr_turn_grain(FrVec3 grain, FrMaterial *material) {
    double turned[6][6];
    if (isnan(grain.x) || !material->anisotropic) return;
    fr_stiffness_rotate((const double(*)[6])material->C, turn_x_to(grain), turned);
    memcpy(material->C, turned, sizeof turned);
}

static const FrSceneMaterial *find(const FrScene *scene, const char *name, int32_t before) {
    for (int32_t k = before - 1; k >= 0; k--)
        if (!strcmp(scene->materials[k].name, name)) return &scene->materials[k];
    return NULL;
}

FrResult fr_scene_material(FrContext *ctx, const FrScene *scene, const char *name,
                           FrMaterial *material) {
    // down the chain of bases, each earlier in the list than the one before
    const FrSceneMaterial *chain[64];
    int32_t depth = 0, before = scene->materials_count;
    const char *base = name;
    for (const FrSceneMaterial *m; depth < 64 && (m = find(scene, base, before)) != NULL; depth++) {
        chain[depth] = m;
        before = (int32_t)(m - scene->materials);
        base = m->base;
    }
    memset(material, 0, sizeof *material);
    if (base[0] && !fr_material_find(base, material))
        return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%s'", base);
    if (!base[0])
        material->roughness = 0.6f, material->opacity = 1.0f, material->friction_static = 0.5,
        material->friction_dynamic = 0.4, material->restitution = 0.3;
    while (depth > 0) apply(chain[--depth], material);
    return fr_material_check(ctx, material);
}
