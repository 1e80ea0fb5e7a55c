// sound_kit.h: bodies whose modes have a closed form, and measures of sounds, for tests.
#pragma once
#include "base/base.h"
#include "context.h"
#include "math/vec.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"
#include "sound/asset.h"
#include "test.h"

#define BEAM_MODES 8

/// A free bar along x that bends up and down (Euler and Bernoulli).
typedef struct Beam {
    FrTetMesh mesh;
    FrModes modes;
    FrMaterial material;
    double length, width, height; ///< m
} Beam;

/// cos(b) cosh(b) = 1
static inline double beam_root(int k) {
    double b = (k + 1.5) * M_PI;
    for (int n = 0; n < 50; n++) {
        double f = cos(b) - 1 / cosh(b), g = -sin(b) + sinh(b) / (cosh(b) * cosh(b));
        b -= f / g;
    }
    return b;
}

/// shape at s in [0, 1], mean square 1
static inline double beam_shape(int k, double s) {
    double b = beam_root(k), c = (cosh(b) - cos(b)) / (sinh(b) - sin(b));
    // cosh - c sinh without overflow or loss: c = 1 + (e^-b material)
    double grow = (1 - c) * 0.5 * exp(b * s) + (1 + c) * 0.5 * exp(-b * s);
    return grow + cos(b * s) - c * sin(b * s);
}

static inline Beam make_beam(FrContext *ctx, const char *material, double length, double width,
                             double height) {
    Beam beam = {.length = length, .width = width, .height = height};
    int32_t n[3] = {48, 4, 2};
    FrBox box = {{0, 0, 0}, {length, width, height}};
    CHECK(fr_material_find(material, &beam.material));
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, n, &beam.mesh));
    const FrMaterial *m = &beam.material;
    double young = m->mu * (3 * m->lambda + 2 * m->mu) / (m->lambda + m->mu);
    double mass = m->density * length * width * height;
    beam.modes = (FrModes){.node_count = beam.mesh.node_count, .mode_count = BEAM_MODES};
    beam.modes.lambda = FR_NEW(ctx, double, BEAM_MODES);
    beam.modes.shape = FR_NEW(ctx, double, 3 * BEAM_MODES * (size_t)beam.mesh.node_count);
    for (int k = 0; k < BEAM_MODES; k++) {
        double b = beam_root(k) / length;
        beam.modes.lambda[k] = pow(b, 4) * young * height * height / (12 * m->density);
        for (int32_t i = 0; i < beam.mesh.node_count; i++)
            beam.modes.shape[3 * ((size_t)k * beam.mesh.node_count + i) + 2] =
                beam_shape(k, beam.mesh.x[3 * (size_t)i] / length) / sqrt(mass);
    }
    return beam;
}

static inline void free_beam(FrContext *ctx, Beam *beam) {
    fr_tetmesh_free(ctx, &beam->mesh);
    fr_free(ctx, beam->modes.lambda);
    fr_free(ctx, beam->modes.shape);
}

static inline FrAsset *beam_asset(FrContext *ctx, const char *material, double length, double width,
                                  double height) {
    Beam beam = make_beam(ctx, material, length, width, height);
    FrAsset *asset = NULL;
    CHECK_OK(ctx, fr_asset_make(ctx, &beam.mesh, &beam.modes, &beam.material, NULL, &asset));
    free_beam(ctx, &beam);
    return asset;
}

/// a bar of 30 x 4 x 1 cm
static inline FrAsset *bar_of(FrContext *ctx, const char *material) {
    return beam_asset(ctx, material, 0.30, 0.04, 0.01);
}

static inline double peak_of(const double *s, int n) {
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(s[k]));
    return most;
}

static inline double energy_of(const double *s, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += s[k] * s[k];
    return sum;
}

/// power of one frequency in a Hann-windowed stretch
static inline double power_at(const double *s, int n, double hz, double rate) {
    double re = 0, im = 0;
    for (int k = 0; k < n; k++) {
        double w = 0.5 - 0.5 * cos(2 * M_PI * k / n), a = 2 * M_PI * hz * k / rate;
        re += w * s[k] * cos(a);
        im += w * s[k] * sin(a);
    }
    return re * re + im * im;
}
