// live_spawn.c: bodies that hands drop: a shape, a material and a size.

#include "live/live.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "world/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Shapes, with lengths for a size of 1 m.
typedef enum Shape { BALL, BOX, PLATE, CYLINDER, TUBE, BOWL, SHAPES } Shape;
static const char *const shape_names[] = {"ball", "box", "plate", "cylinder", "tube", "bowl"};

/// What is stiffer and does not shatter is rigid, Pa: its own substeps would hold up all others.
#define SOFT 5e7
/// Smallest and largest, m.
#define SMALLEST 1e-3
#define LARGEST 1e2
/// Cells along a soft body: few, so that it moves in real time.
#define SOFT_CELLS 6.0

const char *fr_live_shape(int32_t k) { return k >= 0 && k < SHAPES ? shape_names[k] : NULL; }

static Shape find_shape(const char *word) {
    int k = 0;
    while (k < SHAPES && strcmp(shape_names[k], word) != 0) k++;
    return (Shape)k;
}

static double young_of(const FrMaterial *m) {
    return m->mu * (3.0 * m->lambda + 2.0 * m->mu) / (m->lambda + m->mu);
}

// an open bowl, its profile from the foot to the rim
static FrResult make_bowl(FrContext *ctx, double size, double cell, FrTetMesh *mesh) {
    static const double shape[][2] = {{0, 0}, {0.2, 0}, {0.36, 0.08}, {0.45, 0.24}, {0.48, 0.4}};
    enum { POINTS = sizeof shape / sizeof *shape };
    double rz[POINTS][2];
    for (int k = 0; k < POINTS; k++)
        rz[k][0] = size * shape[k][0], rz[k][1] = size * (shape[k][1] - 0.2);
    return fr_mesh_lathe(ctx, (const double(*)[2])rz, POINTS, 0.05 * size, cell, mesh);
}

static FrResult make_mesh(FrContext *ctx, Shape shape, double size, double cell, FrTetMesh *mesh) {
    switch (shape) {
    case BALL:
        return fr_mesh_sphere(ctx, 0.5 * size, cell, mesh);
    case BOX:
        return fr_mesh_box(ctx, fr_vec3(size, size, size), cell, mesh);
    case PLATE:
        return fr_mesh_box(ctx, fr_vec3(size, size, 0.06 * size), 0.0, mesh);
    case CYLINDER:
        return fr_mesh_tube(ctx, 0.3 * size, 0.0, size, cell, mesh);
    case TUBE:
        return fr_mesh_tube(ctx, 0.3 * size, 0.24 * size, size, 0.0, mesh);
    case BOWL:
        return make_bowl(ctx, size, 0.0, mesh);
    case SHAPES:
        break;
    }
    return FR_BAD_USE;
}

static bool only_moves(const FrModelTraits *traits) {
    return traits->rigid && !traits->breaks && !traits->bends;
}

// as a scene with these words would choose, but rigid where that is too stiff to be stepped at once
static FrModel choose_model(const FrBodyDef *def, bool quick) {
    FrModel model = fr_model_choose(def);
    if (!fr_model_traits(model).deforms) return model;
    if (young_of(def->material) > SOFT) return fr_model_find(only_moves);
    return quick ? fr_live_quick_model() : model;
}

static FrResult spawn(FrLive *live, const FrInput *input, Shape shape, FrBodyDef *def) {
    FrTetMesh mesh = {0};
    double cell = young_of(def->material) > SOFT ? 0.0 : input->amount / SOFT_CELLS;
    FR_TRY(make_mesh(live->ctx, shape, input->amount, cell, &mesh));
    FrBodyId id;
    def->mesh = &mesh;
    def->model = choose_model(def, live->def.quick);
    FrModelTraits traits = fr_model_traits(def->model);
    if (shape == BALL && only_moves(&traits)) {
        def->mesh = NULL;
        def->radius = 0.5 * input->amount;
    }
    FrResult result = fr_body_create(live->built.world, def, &id);
    fr_tetmesh_free(live->ctx, &mesh);
    return result;
}

FrResult fr_live_spawn(FrLive *live, const FrInput *input) {
    FrMaterial material;
    char name[64];
    Shape shape = find_shape(input->word);
    if (shape == SHAPES)
        return fr_fail(live->ctx, FR_BAD_USE,
                       "no shape is called \"%s\"; there are ball, box, "
                       "plate, cylinder, tube and bowl",
                       input->word);
    if (!fr_material_find(input->material, &material))
        return fr_fail(live->ctx, FR_BAD_USE, "the library has no material \"%s\"",
                       input->material);
    if (!(input->amount >= SMALLEST && input->amount <= LARGEST))
        return fr_fail(live->ctx, FR_BAD_USE, "a size of %g m; 1 mm to 100 m are possible",
                       input->amount);
    snprintf(name, sizeof name, "%s of %.24s (%d)", input->word, material.name, live->spawned + 1);
    FrBodyDef def = fr_body_def_default();
    def.name = name;
    def.material = &material;
    def.material_count = 1;
    def.position = input->to;
    def.velocity = input->v;
    FR_TRY(spawn(live, input, shape, &def));
    live->spawned++;
    live->births = true;
    return FR_OK;
}
