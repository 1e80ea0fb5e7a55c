// build_mesh.c: tets for a body of the scene: from a file, by structure, or stuffed.

#include "base/file.h"
#include "base/tasks.h"
#include "build/build.h"
#include "build/build_walls.h"
#include "export/surface_report.h"
#include "math/vec.h"
#include "mesh/flat.h"
#include "mesh/meshfile.h"
#include "mesh/ruled.h"
#include "mesh/structured.h"
#include "mesh/stuffing.h"
#include "mesh/tetmesh.h"
#include "scene/scene_files.h"
#include <math.h>
#include <string.h>

/// How far the fine surface may be from the tets, over its diagonal, and how much of the volume may
/// be cut off. A twenty-fifth of the diagonal is the tip of an ear; patches of an open surface that
/// enclose nothing stay away for ever.
#define MOST_AWAY 0.04
#define MOST_CUT 0.12
/// Cells that are asked for stay when no part is lost and hardly any wall is thinner than this many
/// of them, so that none can have holes: what is cut off then is edges and corners.
#define THIN_CELLS 1.84
/// Share of the surface whose walls may be thinner all the same.
#define THIN_SHARE 0.02
#define SMALLER 0.7
#define MOST_ROUNDS 8
#define MOST_TETS 3000000
/// Where 10-node tets are wanted: the factor of a compact body with half as many is too large.
#define MOST_MODE_TETS 500000
/// Share of the volume that is cut off at edges from which it is told.
#define MOST_EDGE_CUT 0.05

static double chosen_cells(const FrShape *shape) {
    return fr_mesh_chosen_cell(fr_box_size(fr_shape_bounds(shape)));
}

static FrResult tets_from_file(FrContext *ctx, const FrSceneFile *from, const char *folder,
                               FrBuiltMesh *built) {
    char *path = fr_path_join(ctx, folder, from->file);
    if (!path) return fr_no_memory(ctx, from->file);
    FrResult result = fr_tets_load(ctx, path, &built->mesh);
    fr_free(ctx, path);
    FR_TRY(result);
    FrMat3 linear = fr_mat3_scale(from->unit, fr_mat3_identity);
    if (from->up == FR_SCENE_UP_Y)
        linear =
            fr_mat3_mul(linear, fr_mat3(fr_vec3(1, 0, 0), fr_vec3(0, 0, 1), fr_vec3(0, -1, 0)));
    built->method = "file";
    FR_TRY(fr_tetmesh_transform(ctx, &built->mesh, linear, fr_vec3_zero));
    built->size = fr_box_size(fr_tetmesh_bounds(&built->mesh));
    fr_tetmesh_orient(&built->mesh);
    return fr_tetmesh_check(ctx, &built->mesh, NULL);
}

static FrResult stuff_once(FrContext *ctx, const FrSceneBody *body, const FrShape *shape,
                           int32_t most, FrBuiltMesh *built, FrStuffingReport *report) {
    FrField field;
    fr_shape_field(shape, &field);
    FrStuffingOptions options = fr_stuffing_options_default(built->cells);
    options.graded = body->graded;
    options.thin = FR_THIN_ALLOW;
    options.thin_cells = body->cells > 0.0 ? THIN_CELLS : 0.0; // walls decide only there
    options.max_tets = most;
    fr_tetmesh_free(ctx, &built->mesh);
    FR_TRY(fr_mesh_stuff(ctx, &field, &options, &built->mesh, report));
    return fr_tetmesh_renumber(ctx, &built->mesh);
}

/// Blocks along each side of the box around a shape whose volume is measured.
#define VOLUME_BLOCKS 40

typedef struct VolumeRun {
    const FrField *field;
    FrVec3 block;
    double blocks[VOLUME_BLOCKS]; ///< inside, of each layer
} VolumeRun;

static void volume_layer(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    VolumeRun *run = arg;
    double width = cbrt(run->block.x * run->block.y * run->block.z);
    for (int32_t layer = begin; layer < end; layer++) {
        for (int32_t k = 0; k < VOLUME_BLOCKS * VOLUME_BLOCKS; k++) {
            FrVec3 at = {(k % VOLUME_BLOCKS + 0.5) * run->block.x,
                         (k / VOLUME_BLOCKS + 0.5) * run->block.y, (layer + 0.5) * run->block.z};
            double value = fr_field_at(run->field, fr_add(run->field->bounds.lo, at));
            run->blocks[layer] += fr_clamp(0.5 - value / width, 0.0, 1.0);
        }
    }
}

// m^3, of the field alone: a ramp one block wide across the surface
static double field_volume(FrContext *ctx, const FrField *field) {
    VolumeRun run = {field, fr_scale(1.0 / VOLUME_BLOCKS, fr_box_size(field->bounds)), {0.0}};
    double blocks = 0.0;
    fr_parallel_for(ctx, VOLUME_BLOCKS, 1, volume_layer, &run);
    for (int k = 0; k < VOLUME_BLOCKS; k++) blocks += run.blocks[k];
    return blocks * run.block.x * run.block.y * run.block.z;
}

// what cells that were asked for cut off at edges
static void note_cut(FrContext *ctx, const FrShape *shape, const FrStuffingReport *report) {
    FrField field;
    fr_shape_field(shape, &field);
    double cut = 1.0 - report->volume / field_volume(ctx, &field);
    if (cut > MOST_EDGE_CUT)
        fr_log(ctx, FR_LOG_INFO,
               "cells of %.3g m cut off %.0f %% of the volume at edges; smaller cells keep more",
               report->size, 100.0 * cut);
}

// thin parts that are lost because the scene wants its cells
static void note_lost(FrContext *ctx, const FrBuiltMesh *built, double away, double cut) {
    fr_log(ctx, FR_LOG_INFO,
           "coarse: cells of %.3g m stay, though they lose thin parts (%.2g m, %.0f %% of the "
           "volume)",
           built->cells, away, 100.0 * cut);
}

// cells that were asked for and could not be kept
static void note_smaller(FrContext *ctx, const FrSceneBody *body, const FrBuiltMesh *built,
                         int rounds) {
    if (body->cells > 0.0 && rounds > 0)
        fr_log(ctx, FR_LOG_WARNING,
               "cells of %.3g m were asked for, %.3g m are taken: larger ones lose thin parts "
               "(coarse = true keeps them)",
               built->cells / pow(SMALLER, rounds), built->cells);
}

// Cells are made smaller until the fine surface is near the tets everywhere and hardly any volume
// is cut off: ears and spouts stay, walls have no holes. Cells that the scene gives stay where only
// edges are cut off. The log says so.
static FrResult fill_lattice(FrContext *ctx, const FrSceneBody *body, const FrShape *shape,
                             int32_t most, bool breaks, FrBuiltMesh *built) {
    built->method = "stuffing";
    for (int round = 0; round < MOST_ROUNDS; round++) {
        FrStuffingReport report;
        double away = HUGE_VAL, cut = 1.0, diagonal = 0.0;
        FrResult result = stuff_once(ctx, body, shape, most, built, &report);
        bool nothing = result == FR_BAD_INPUT && !(body->cells > 0.0) &&
                       report.sampled_volume > 0.0 && report.volume == 0.0;
        if (!nothing) {
            FR_TRY(result);
            fr_embedded_free(ctx, &built->skin);
            FR_TRY(fr_build_away(ctx, shape, &report, breaks, built, &away));
            diagonal = fr_length(fr_box_size(fr_tetmesh_bounds(&built->mesh)));
            cut = fabs(report.volume / report.sampled_volume - 1.0);
        }
        bool near = away <= fr_max(built->cells, MOST_AWAY * diagonal);
        if (near && cut <= MOST_CUT) return note_smaller(ctx, body, built, round), FR_OK;
        bool thick = report.volume < report.sampled_volume && report.thin_fraction <= THIN_SHARE;
        if (near && body->cells > 0.0 && thick) return note_cut(ctx, shape, &report), FR_OK;
        if (body->coarse && body->cells > 0.0) return note_lost(ctx, built, away, cut), FR_OK;
        if (!nothing)
            fr_log(ctx, FR_LOG_INFO,
                   "cells of %.3g m lose thin parts (%.2g m, %.0f %% of the volume); trying %.3g m",
                   built->cells, away, 100.0 * cut, SMALLER * built->cells);
        built->cells *= SMALLER;
    }
    return fr_fail(ctx, FR_BAD_INPUT,
                   "thin parts are lost even with cells of %.2g m; give cells yourself",
                   built->cells);
}

// walls are followed where that is possible; otherwise a warning says that they are not
static FrResult stuff_thin(FrContext *ctx, const FrSceneBody *body, const FrShape *shape,
                           const FrBuildOptions *options, FrBuiltMesh *built) {
    bool met;
    double cells = built->cells;
    int32_t most = options->shatters ? FR_MOST_SHATTER_TETS : FR_MOST_WALL_TETS;
    FR_TRY(fr_walls_stuff(ctx, shape, most, built, &met));
    if (met) return FR_OK;
    built->cells = cells;
    if (built->wall == 0.0)
        return fill_lattice(ctx, body, shape, MOST_TETS, options->breaks, built);
    FrResult result = fill_lattice(ctx, body, shape, most, options->breaks, built);
    if (result == FR_BAD_INPUT) return fr_walls_too_thin(ctx, built->wall, most);
    fr_log(ctx, FR_LOG_WARNING,
           "walls of %.2g m are thinner than cells of %.2g m: low tones are off", built->wall,
           built->cells);
    return result;
}

// for a rehearsal: cells that leave something, whatever it is
static FrResult stuff_roughly(FrContext *ctx, const FrSceneBody *body, const FrShape *shape,
                              FrBuiltMesh *built) {
    FrStuffingReport report;
    FrResult result = FR_BAD_INPUT;
    built->method = "stuffing";
    for (int round = 0; round < MOST_ROUNDS && result == FR_BAD_INPUT; round++) {
        result = stuff_once(ctx, body, shape, MOST_TETS, built, &report);
        built->cells *= SMALLER;
    }
    return result;
}

static FrResult by_rule(FrContext *ctx, const FrSceneBody *body, const FrPlacedShape *placed,
                        FrBuiltMesh *built) {
    FR_TRY(body->mesher == FR_SCENE_MESHER_SCATTERED
               ? fr_tets_scattered(ctx, placed, built->cells, &built->mesh)
               : fr_tets_by_rule(ctx, placed, built->cells, &built->mesh));
    built->method = body->mesher == FR_SCENE_MESHER_SCATTERED ? "scattered" : "structured";
    return fr_tetmesh_renumber(ctx, &built->mesh);
}

// does a rule mesh this body? Otherwise it is stuffed
static bool meshed_by_rule(const FrSceneBody *body, const FrPlacedShape *placed, double cells) {
    const FrShapeInfo *info = fr_shape_info(placed->shape);
    bool fills = body->mesher == FR_SCENE_MESHER_STUFFING || body->mesher == FR_SCENE_MESHER_CAGE;
    if (fills || !fr_has_rule(info)) return false;
    return body->mesher != FR_SCENE_MESHER_AUTO || fr_rule_is_good(info, cells / placed->scale);
}

// a plate or a prism that came as a surface; *done false: it is neither
static FrResult sweep_flat(FrContext *ctx, const FrShape *shape, double cells, FrBuiltMesh *built,
                           bool *done) {
    FrFlatTets flat = {0};
    FrResult result = fr_tets_flat(ctx, shape, cells, &flat, done);
    if (!*done) return result;
    built->mesh = flat.mesh;
    built->method = flat.method;
    built->cells = flat.cells;
    return result;
}

static FrResult solid_tets(FrContext *ctx, const FrSceneBody *body, const FrShape *shape,
                           const FrBuildOptions *options, FrBuiltMesh *built) {
    FrPlacedShape placed = fr_place_shape(shape);
    if (body->mesher == FR_SCENE_MESHER_STRUCTURED && !fr_has_rule(fr_shape_info(placed.shape)))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "no rule meshes this shape; boxes, shells of boxes, cylinders, tubes, "
                       "lathes with a wall, "
                       "extrusions and text "
                       "without rounding have one");
    if (body->mesher == FR_SCENE_MESHER_SCATTERED && !fr_has_scatter(fr_shape_info(placed.shape)))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "no scattered points for this shape; boxes, extrusions and text without "
                       "rounding can have them");
    if (body->mesher == FR_SCENE_MESHER_CAGE && !options->walls)
        return fr_build_cage(ctx, shape, MOST_TETS, built);
    if (meshed_by_rule(body, &placed, built->cells)) return by_rule(ctx, body, &placed, built);
    if (options->rough) return stuff_roughly(ctx, body, shape, built);
    bool walls = options->walls || (options->shatters && !(body->cells > 0.0));
    if (!walls) return fill_lattice(ctx, body, shape, MOST_TETS, options->breaks, built);
    bool flat = false;
    if (body->mesher != FR_SCENE_MESHER_STUFFING)
        FR_TRY(sweep_flat(ctx, shape, body->cells, built, &flat));
    if (flat) return FR_OK;
    if (!(body->cells > 0.0)) {
        FR_TRY(stuff_thin(ctx, body, shape, options, built));
        return options->shatters && built->wall > 0.0 ? fr_walls_coarsen(ctx, built) : FR_OK;
    }
    FrResult result = fill_lattice(ctx, body, shape, MOST_MODE_TETS, options->breaks, built);
    return result == FR_BAD_INPUT ? fr_fail_within(ctx, result, "for modes: ") : result;
}

/// Tets that are shorter than the shape by more than this share of it are reported.
#define MOST_SHORT 0.02

// stuffing cuts off sharp and thin ends within a cell; bounds of what is imported are exact
static void note_loss(FrContext *ctx, const FrShape *shape, const FrBuiltMesh *built) {
    FrVec3 want = fr_box_size(fr_shape_bounds(shape));
    FrVec3 have = fr_box_size(fr_tetmesh_bounds(&built->mesh));
    FrVec3 lost = fr_sub(want, have);
    bool short_of = false;
    for (int i = 0; i < 3; i++) {
        double whole = i == 0 ? want.x : i == 1 ? want.y : want.z;
        double less = i == 0 ? lost.x : i == 1 ? lost.y : lost.z;
        short_of = short_of || less > fr_min(built->cells, MOST_SHORT * whole);
    }
    if (short_of)
        fr_log(ctx, FR_LOG_INFO,
               "the tets are %.3g x %.3g x %.3g m, the shape is %.3g x %.3g x %.3g m: its sharp or "
               "thin ends are cut off at cells of %.2g m; smaller cells keep more",
               have.x, have.y, have.z, want.x, want.y, want.z, built->cells);
}

// at most so many tets: those that would fill the box around the shape
static double expected_tets(const FrShape *shape, double cells) {
    FrVec3 size = fr_box_size(fr_shape_bounds(shape));
    return FR_TETS_PER_CELL * (size.x / cells) * (size.y / cells) * (size.z / cells);
}

/// Blocks along each side of the box around a shape in which its inside is looked for.
#define BLOCKS 16

// at least so many tets: those of the blocks that lie inside the shape by a cell and more, as the
// distance at their centres tells
static double least_tets(const FrShape *shape, double cells) {
    FrField field;
    fr_shape_field(shape, &field);
    FrVec3 block = fr_scale(1.0 / BLOCKS, fr_box_size(field.bounds));
    double reach = 0.5 * fr_length(block) + cells;
    int32_t inside = 0;
    for (int32_t k = 0; k < BLOCKS * BLOCKS * BLOCKS; k++) {
        FrVec3 at = {(k % BLOCKS + 0.5) * block.x, (k / BLOCKS % BLOCKS + 0.5) * block.y,
                     (k / (BLOCKS * BLOCKS) + 0.5) * block.z};
        inside += fr_field_at(&field, fr_add(field.bounds.lo, at)) < -reach;
    }
    return FR_TETS_PER_CELL * inside * (block.x / cells) * (block.y / cells) * (block.z / cells);
}

// not made; refused where a run is certain to refuse it
static FrResult leave_out(FrContext *ctx, const FrSceneBody *body, const FrShape *shape,
                          double expected, FrBuiltMesh *built) {
    FrPlacedShape placed = fr_place_shape(shape);
    built->left_out = expected;
    if (body->graded || meshed_by_rule(body, &placed, built->cells)) return FR_OK;
    double least = least_tets(shape, built->cells);
    if (least <= MOST_TETS) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT,
                   "cells of %.3g m give more than %.2g tets, the limit is %d: larger cells, or "
                   "another unit",
                   built->cells, least, MOST_TETS);
}

// m^3; 0: no surface, or one whose parts may overlap
static double surface_volume(const FrShape *shape) {
    FrPlacedShape placed = fr_place_shape(shape);
    const FrShapeInfo *info = fr_shape_info(placed.shape);
    if (info->kind != FR_SHAPE_SURFACE) return 0.0;
    const FrSolidReport *report = fr_solid_report(info->solid);
    if (!report->after.closed || report->after.components != 1) return 0.0;
    return report->volume * placed.scale * placed.scale * placed.scale;
}

static FrResult tets_from_shape(FrContext *ctx, FrShapeSet *set, const FrSceneBody *body,
                                const char *folder, const FrBuildOptions *options,
                                FrBuiltMesh *built) {
    const FrShape *shape;
    FR_TRY(fr_build_shape(ctx, set, &body->shape, folder, &shape));
    built->cells = options->coarseness * (body->cells > 0.0 ? body->cells : chosen_cells(shape));
    built->size = fr_box_size(fr_shape_bounds(shape));
    built->volume = surface_volume(shape);
    double expected = expected_tets(shape, built->cells);
    if (options->most_tets > 0.0 && expected > options->most_tets)
        return leave_out(ctx, body, shape, expected, built);
    const FrSceneFile *file = fr_scene_shape_file(&body->shape);
    FrResult result = solid_tets(ctx, body, shape, options, built);
    if (result == FR_BAD_INPUT && file) return fr_blame_surface(ctx, file, folder);
    FR_TRY(result);
    if (options->rough) return FR_OK;
    if (file) note_loss(ctx, shape, built);
    fr_note_uv(ctx, shape, built);
    if (body->skin == FR_SCENE_SKIN_NONE) fr_embedded_free(ctx, &built->skin);
    // round things meshed by rule have facets as long as their tets
    double away;
    bool stuffed = !strcmp(built->method, "stuffing") && !options->walls;
    bool wanted =
        (body->skin == FR_SCENE_SKIN_SHAPE || (body->skin == FR_SCENE_SKIN_AUTO && stuffed)) &&
        built->skin.point_count == 0;
    return wanted ? fr_build_skin(ctx, shape, options->breaks, built, &away) : FR_OK;
}

FrResult fr_build_tets(FrContext *ctx, const FrSceneBody *body, const char *folder,
                       const FrBuildOptions *options, FrBuiltMesh *built) {
    *built = (FrBuiltMesh){0};
    if (body->shape.kind == FR_SCENE_MESH)
        return tets_from_file(ctx, body->shape.file, folder, built);
    FrShapeSet *set;
    FR_TRY(fr_shapeset_create(ctx, &set));
    FrResult result = tets_from_shape(ctx, set, body, folder, options, built);
    fr_shapeset_destroy(set);
    return result;
}
