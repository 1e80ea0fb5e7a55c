// materials_job.c: the library as a table, and one material explained with the source of each
// value.

#include "export/report_text.h"
#include "base/json.h"
#include "fracas/material.h"
#include "material/laws.h"
#include "math/vec.h"
#include "scene/material_names.h"
#include <stdio.h>
#include <string.h>

// Young's moduli along the axes of an orthotropic material, Pa: 1 over the diagonal of C's inverse,
// whose stretches and shears do not mix
static FrVec3 young_axes(const FrMaterial *m) {
    FrMat3 C = fr_mat3(fr_vec3(m->C[0][0], m->C[1][0], m->C[2][0]),
                       fr_vec3(m->C[0][1], m->C[1][1], m->C[2][1]),
                       fr_vec3(m->C[0][2], m->C[1][2], m->C[2][2]));
    FrMat3 S = fr_mat3_inverse(C);
    return fr_vec3(1.0 / S.c0.x, 1.0 / S.c1.y, 1.0 / S.c2.z);
}

static void young_poisson(const FrMaterial *m, double *young, double *poisson) {
    *young = fr_young(m->lambda, m->mu);
    *poisson = fr_poisson(m->lambda, m->mu);
}

// E along x, y, z; nu has three values, too
static void print_axes(FrWriter *w, FrVec3 young) {
    char text[32];
    snprintf(text, sizeof text, "%.3g:%.2g:%.2g", young.x * 1e-9, young.y * 1e-9, young.z * 1e-9);
    fr_print(w, "%14s GPa %8s ", text, "ortho");
}

static void print_table(FrWriter *w) {
    fr_print(w, "%-22s %10s %18s %8s %10s %9s %12s\n", "name", "kg/m^3", "E", "nu", "c_p m/s",
             "friction", "strength");
    for (int32_t k = 0; k < fr_material_count(); k++) {
        FrMaterial m;
        double young, poisson;
        fr_material_find(fr_material_name(k), &m);
        young_poisson(&m, &young, &poisson);
        fr_print(w, "%-22s %10.5g ", m.name, m.density);
        if (m.anisotropic)
            print_axes(w, young_axes(&m));
        else
            fr_print(w, "%14.4g %s %8.3f ",
                     young >= 1e9   ? young * 1e-9
                     : young >= 1e6 ? young * 1e-6
                                    : young * 1e-3,
                     young >= 1e9   ? "GPa"
                     : young >= 1e6 ? "MPa"
                                    : "kPa",
                     poisson);
        fr_print(w, "%10.4g %9.2g ", fr_wave_speed_p(&m), m.friction_static);
        if (m.strength > 0.0)
            fr_print(w, "%8.4g MPa\n", m.strength * 1e-6);
        else if (m.tau > 0.0)
            fr_print(w, "%8.4g N\n", m.tau);
        else
            fr_print(w, "%12s\n", "-");
    }
}

typedef struct Row {
    const char *name, *unit;
    double value;
    const char *source;
} Row;

#define MAX_ROWS 25

static int32_t rows_of(const FrMaterial *m, const FrMaterialInfo *info, Row *row) {
    double young, poisson;
    young_poisson(m, &young, &poisson);
    const Row all[] = {
        {"density", "kg/m^3", m->density, info->density},
        {"young", "Pa", young, info->elasticity},
        {"poisson", "", poisson, info->elasticity},
        {"lambda", "Pa", m->lambda, info->elasticity},
        {"mu", "Pa", m->mu, info->elasticity},
        {"alpha1", "s", m->alpha1, info->damping},
        {"alpha2", "1/s", m->alpha2, info->damping},
        {"phi", "Pa s", m->phi, info->damping},
        {"psi", "Pa s", m->psi, info->damping},
        {"eta", "", m->eta, info->damping},
        {"friction_static", "", m->friction_static, info->contact},
        {"friction_dynamic", "", m->friction_dynamic, info->contact},
        {"restitution", "", m->restitution, info->contact},
        {"strength", "Pa", m->strength, info->breaking},
        {"Gc", "J/m^2", m->Gc, info->breaking},
        {"tau", "N", m->tau, info->breaking},
        {"crack_alpha", "", m->crack_alpha, info->breaking},
        {"yield_strain", "", m->yield_strain, info->plasticity},
        {"plastic_limit", "", m->plastic_limit, info->plasticity},
        {"creep", "1/s", m->creep, info->plasticity},
        {"conductivity", "W/m/K", m->conductivity, info->plasticity},
        {"heat_capacity", "J/kg/K", m->heat_capacity, info->plasticity},
        {"cooling", "W/m^2/K", m->cooling, info->plasticity},
        {"softens", "C", m->softens, info->plasticity},
        {"melts", "C", m->melts, info->plasticity},
    };
    int32_t count = (int32_t)(sizeof all / sizeof all[0]);
    memcpy(row, all, sizeof all);
    return count;
}

static void print_one(FrWriter *w, const FrMaterial *m, const FrMaterialInfo *info) {
    Row row[MAX_ROWS];
    int32_t count = rows_of(m, info, row);
    fr_print(w, "%s: %s\n\n", m->name, info->summary);
    for (int32_t k = 0; k < count; k++)
        if (row[k].value != 0.0)
            fr_print(w, "  %-17s %12.6g %-7s %s\n", row[k].name, row[k].value, row[k].unit,
                     row[k].source);
    if (m->anisotropic) {
        FrVec3 young = young_axes(m);
        fr_print(w,
                 "\n  orthotropic: Young's modulus %.4g GPa along x, %.4g along y, %.4g along z; "
                 "young, poisson,\n  lambda and mu above are averages, for waves and contact\n",
                 young.x * 1e-9, young.y * 1e-9, young.z * 1e-9);
        fr_print(w, "\n  stiffness along the material's axes, GPa (xx yy zz yz zx xy):\n");
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) fr_print(w, " %9.4f", m->C[i][j] * 1e-9);
            fr_print(w, "\n");
        }
    }
    if (m->eta > 0.0 && m->alpha1 > 0.0)
        fr_print(
            w,
            "\n  a tone loses by eta and by alpha1 * 2 pi Hz together: %.3g at 1 kHz, the loss "
            "factor of handbooks\n",
            m->eta + m->alpha1 * 2.0 * M_PI * 1000.0);
    fr_print(w, "\n  waves: %.0f m/s (pressure), %.0f m/s (shear), %.0f m/s (along a bar)\n",
             fr_wave_speed_p(m), fr_wave_speed_s(m), fr_wave_speed_bar(m));
}

static void json_one(FrJson *j, const FrMaterial *m, const FrMaterialInfo *info) {
    Row row[MAX_ROWS];
    int32_t count = rows_of(m, info, row);
    fr_json_object(j, NULL);
    fr_json_text(j, "name", m->name);
    fr_json_text(j, "summary", info->summary);
    fr_json_bool(j, "anisotropic", m->anisotropic);
    if (m->anisotropic) fr_json_vec3(j, "young_axes", young_axes(m));
    for (int32_t k = 0; k < count; k++) fr_json_number(j, row[k].name, row[k].value);
    fr_json_array(j, "colour");
    for (int k = 0; k < 3; k++) fr_json_number(j, NULL, (double)m->colour[k]);
    fr_json_end(j);
    fr_json_end(j);
}

static FrResult unknown(FrContext *ctx, const char *name) {
    const char *near = fr_material_meant(name);
    if (near)
        return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%s'; did you mean '%s'?", name,
                       near);
    return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%s'; `fracas materials` lists them",
                   name);
}

static void print_json(FrWriter *w, const char *name) {
    FrJson j;
    fr_json_begin(&j, w, true);
    if (!name) fr_json_array(&j, NULL);
    for (int32_t k = 0; k < fr_material_count(); k++) {
        FrMaterial m;
        FrMaterialInfo info;
        if (name && strcmp(fr_material_name(k), name)) continue;
        fr_material_find(fr_material_name(k), &m);
        fr_material_info(m.name, &info);
        json_one(&j, &m, &info);
    }
    if (!name) fr_json_end(&j);
}

FrResult fr_job_materials(FrContext *ctx, const char *name, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && text);
    FrMaterial material;
    FrMaterialInfo info;
    *text = (FrText){NULL, 0};
    if (name && (!fr_material_find(name, &material) || !fr_material_info(name, &info)))
        return unknown(ctx, name);
    FrWriter w;
    fr_writer_init(&w, ctx);
    if (json)
        print_json(&w, name);
    else if (name)
        print_one(&w, &material, &info);
    else
        print_table(&w);
    return fr_text_take(&w, text);
}
