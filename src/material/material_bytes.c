// material_bytes.c: a material as bytes and back: one list of its fields, two directions.

#include "material/material_bytes.h"

/// Numbers and colours of a material.
#define NUMBERS 23
#define LOOKS 9

static void fields_of(FrMaterial *m, double *number[NUMBERS], float *look[LOOKS]) {
    double *numbers[NUMBERS] = {
        &m->density,          &m->lambda,      &m->mu,           &m->alpha1,
        &m->alpha2,           &m->phi,         &m->psi,          &m->eta,
        &m->friction_static,  &m->restitution, &m->strength,     &m->Gc,
        &m->friction_dynamic, &m->tau,         &m->yield_strain, &m->plastic_limit,
        &m->crack_alpha,      &m->creep,       &m->conductivity, &m->heat_capacity,
        &m->cooling,          &m->softens,     &m->melts};
    float *looks[LOOKS] = {&m->colour[0], &m->colour[1], &m->colour[2], &m->roughness, &m->metallic,
                           &m->opacity,   &m->inside[0], &m->inside[1], &m->inside[2]};
    for (int k = 0; k < NUMBERS; k++) number[k] = numbers[k];
    for (int k = 0; k < LOOKS; k++) look[k] = looks[k];
}

void fr_material_write(FrWriter *w, const FrMaterial *material) {
    FrMaterial m = *material;
    double *number[NUMBERS];
    float *look[LOOKS];
    fields_of(&m, number, look);
    fr_write_bytes(w, m.name, sizeof m.name);
    for (int k = 0; k < NUMBERS; k++) fr_write_f64(w, *number[k]);
    fr_write_u8(w, m.anisotropic);
    for (int k = 0; k < 36; k++) fr_write_f64(w, m.C[k / 6][k % 6]);
    for (int k = 0; k < LOOKS; k++) fr_write_f64(w, (double)*look[k]);
}

void fr_material_read(FrReader *r, FrMaterial *m) {
    double *number[NUMBERS];
    float *look[LOOKS];
    *m = (FrMaterial){.name = ""};
    fields_of(m, number, look);
    fr_read_bytes(r, m->name, sizeof m->name);
    m->name[sizeof m->name - 1] = 0;
    for (int k = 0; k < NUMBERS; k++) *number[k] = fr_read_f64(r);
    m->anisotropic = fr_read_u8(r) != 0;
    for (int k = 0; k < 36; k++) m->C[k / 6][k % 6] = fr_read_f64(r);
    for (int k = 0; k < LOOKS; k++) *look[k] = (float)fr_read_f64(r);
}
