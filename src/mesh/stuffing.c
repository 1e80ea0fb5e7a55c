// stuffing.c: isosurface stuffing from field to finished mesh: thickness first, specks last.

#include "mesh/lattice.h"
#include "mesh/topology.h"

#define MAX_REFINEMENTS 8
// a share of the volume that is missed: its walls are looked at
#define MISSED 0.05
// no refinement makes cells smaller than this at once: the thinnest tips need not decide
#define REFINEMENT 0.6

/// Tets joined by faces.
typedef struct MeshPart {
    double volume; ///< m^3
    FrBox box;     ///< m
} MeshPart;

FrStuffingOptions fr_stuffing_options_default(double size) {
    return (FrStuffingOptions){.size = size,
                               .max_level = 4,
                               .max_tets = 20000000,
                               .thin = FR_THIN_REFUSE,
                               .thin_cells = 2,
                               .thin_share = 0.002,
                               .speck_fraction = 1e-3};
}

void fr_lattice_free(FrLattice *L) {
    fr_array_free(L->ctx, &L->cell);
    fr_table_free(L->ctx, &L->cell_at);
    fr_array_free(L->ctx, &L->node);
    fr_table_free(L->ctx, &L->node_at);
    fr_array_free(L->ctx, &L->tet);
    fr_array_free(L->ctx, &L->cut);
    fr_tetmesh_free(L->ctx, &L->mesh);
}

// walls thinner than thin_cells cells, into the report
static FrResult measure_walls(FrLattice *L, FrStuffingReport *report) {
    FrThickness thickness;
    FR_TRY(fr_lattice_thickness(L, L->options.thin_cells * L->size, &thickness));
    report->wall = thickness.wall;
    report->thin_fraction = thickness.fraction;
    return FR_OK;
}

// the octree at the size wanted, or at one that thin walls need
static FrResult prepare(FrLattice *L, FrStuffingReport *report) {
    for (;;) {
        FR_TRY(fr_lattice_cells(L));
        report->size = L->size;
        if (L->options.thin == FR_THIN_ALLOW) return FR_OK;
        FR_TRY(measure_walls(L, report));
        if (!(report->thin_fraction > L->options.thin_share)) return FR_OK;
        double needed = 0.98 * report->wall / L->options.thin_cells;
        if (L->options.thin == FR_THIN_REFUSE || report->refinements == MAX_REFINEMENTS)
            return fr_fail(L->ctx, FR_BAD_INPUT,
                           "a wall is %.3g m thick (%.2g %% of the surface), thinner than %.3g "
                           "cells of %.3g m: use a size of %.3g m or less",
                           report->wall, 100 * report->thin_fraction, L->options.thin_cells,
                           L->size, needed);
        needed = fr_max(needed, REFINEMENT * L->size);
        fr_log(L->ctx, FR_LOG_INFO, "walls are %.3g m thick: cells of %.3g m instead of %.3g m",
               report->wall, needed, L->size);
        int64_t evaluations = L->evaluations;
        FrLattice next = {.ctx = L->ctx,
                          .field = L->field,
                          .options = L->options,
                          .size = needed,
                          .evaluations = evaluations};
        fr_lattice_free(L);
        *L = next;
        report->refinements++;
    }
}

// volume from the centres of cells: a ramp one cell wide across the surface
static double sampled_volume(const FrLattice *L) {
    double cells = 0;
    for (int32_t k = 0; k < L->cell.count; k++) {
        const FrCell *c = &L->cell.data[k];
        cells +=
            c->known ? (double)(1 << (3 * c->level)) : fr_clamp(0.5 - c->value / L->size, 0.0, 1.0);
    }
    return cells * L->size * L->size * L->size;
}

// the first of them that are dropped
static void note_speck(FrStuffingReport *report, double volume, FrBox box) {
    if (report->specks_dropped < FR_STUFF_SPECKS) report->speck[report->specks_dropped] = box;
    report->specks_dropped++;
    report->specks_volume += volume;
}

// volumes and boxes of all parts; the volume of a speck becomes -1
static void find_specks(const FrLattice *L, const int32_t *part, MeshPart *of, int32_t parts,
                        FrStuffingReport *report) {
    const FrTetMesh *mesh = &L->mesh;
    double total = 0;
    for (int32_t p = 0; p < parts; p++) of[p] = (MeshPart){0.0, fr_box_empty()};
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        of[part[e]].volume += fr_tet_volume(mesh, e);
        for (int i = 0; i < 4; i++)
            of[part[e]].box = fr_box_add(of[part[e]].box, fr_get3(mesh->x, mesh->tet[e][i]));
    }
    for (int32_t p = 0; p < parts; p++) total += of[p].volume;
    for (int32_t p = 0; p < parts; p++) {
        if (!(of[p].volume < L->options.speck_fraction * total)) continue;
        note_speck(report, of[p].volume, of[p].box);
        of[p].volume = -1;
    }
    report->component_count = parts - report->specks_dropped;
    report->volume = total - report->specks_volume;
}

// *across: neighbours of the tets that stay
static FrResult drop_specks(FrLattice *L, FrStuffingReport *report, int32_t (**across)[4]) {
    FrTetMesh *mesh = &L->mesh;
    int32_t *part = NULL, parts = 0;
    FR_TRY(fr_tet_neighbours(L->ctx, mesh, across));
    FR_TRY(fr_tet_components_across(L->ctx, mesh->tet_count, *across, &part, &parts));
    MeshPart *of = FR_NEW(L->ctx, MeshPart, parts);
    uint8_t *keep = FR_NEW(L->ctx, uint8_t, mesh->tet_count);
    FrResult result = of && keep ? FR_OK : fr_no_memory(L->ctx, "mesh parts");
    if (result == FR_OK) find_specks(L, part, of, parts, report);
    if (result == FR_OK && report->specks_dropped) {
        for (int32_t e = 0; e < mesh->tet_count; e++) keep[e] = of[part[e]].volume >= 0;
        result = fr_tetmesh_keep(L->ctx, mesh, keep);
        fr_free(L->ctx, *across);
        *across = NULL;
        if (result == FR_OK) result = fr_tet_neighbours(L->ctx, mesh, across);
    }
    FR_FREE_ALL(L->ctx, part, of, keep);
    return result;
}

static FrResult count_nonmanifold(FrLattice *L, int32_t (*across)[4], FrStuffingReport *report) {
    FrSurface surface;
    FrSurfaceCheck check;
    FR_TRY(fr_tetmesh_surface_across(L->ctx, &L->mesh, across, &surface));
    FrResult result = fr_surface_check(L->ctx, &surface, &check);
    report->nonmanifold_edges = check.nonmanifold_edges;
    fr_surface_free(L->ctx, &surface);
    return result;
}

// is what is left worth having?
static FrResult judge(FrLattice *L, FrStuffingReport *report) {
    if (!L->mesh.tet_count && !fr_field_below(L->field, 0.0))
        return fr_fail(L->ctx, FR_BAD_INPUT,
                       "the shape is empty: nothing is inside it at any size");
    if (!L->mesh.tet_count)
        return fr_fail(L->ctx, FR_BAD_INPUT, "nothing is left at a size of %g m: use a smaller one",
                       L->size);
    if (L->options.thin == FR_THIN_ALLOW && L->options.thin_cells > 0 &&
        report->volume < (1.0 - MISSED) * report->sampled_volume)
        FR_TRY(measure_walls(L, report));
    if (L->options.thin != FR_THIN_ALLOW && report->volume < 0.7 * report->sampled_volume)
        return fr_fail(L->ctx, FR_BAD_INPUT,
                       "parts are lost at a size of %.3g m: the mesh holds %.3g m^3 of about %.3g "
                       "m^3; use a smaller size",
                       L->size, report->volume, report->sampled_volume);
    if (report->specks_dropped)
        fr_log(L->ctx, FR_LOG_INFO, "%d %s with %.3g of the volume dropped", report->specks_dropped,
               report->specks_dropped == 1 ? "speck" : "specks",
               report->specks_volume / report->volume);
    return FR_OK;
}

static FrResult finish(FrLattice *L, FrStuffingReport *report) {
    int32_t(*across)[4] = NULL;
    FrResult result = drop_specks(L, report, &across);
    report->sampled_volume = sampled_volume(L);
    report->evaluations = L->evaluations;
    if (result == FR_OK) result = judge(L, report);
    if (result == FR_OK)
        result = fr_tetmesh_split_hinges(L->ctx, &L->mesh, across, &report->hinges_split);
    if (result == FR_OK) result = count_nonmanifold(L, across, report);
    fr_free(L->ctx, across);
    return result;
}

// give back what the arrays hold beyond their counts
static FrResult trim(FrContext *ctx, FrTetMesh *mesh) {
    double *x = fr_resize(ctx, mesh->x, 3 * sizeof(double) * (size_t)mesh->node_count);
    if (!x) return fr_no_memory(ctx, "a tet mesh");
    mesh->x = x;
    return FR_OK;
}

FrResult fr_mesh_stuff(FrContext *ctx, const FrField *field, const FrStuffingOptions *options,
                       FrTetMesh *mesh, FrStuffingReport *report) {
    FrStuffingReport own;
    if (!report) report = &own;
    *report = (FrStuffingReport){0};
    *mesh = (FrTetMesh){0};
    if (!(options->size > 0) || !isfinite(options->size))
        return fr_fail(ctx, FR_BAD_USE, "a mesh size of %g m: it must be positive", options->size);
    if (options->max_level < 0 || options->max_level > 8 || options->max_tets < 1)
        return fr_fail(ctx, FR_BAD_USE, "max_level %d (0 to 8) or max_tets %d (at least 1)",
                       options->max_level, options->max_tets);
    FrLattice L = {.ctx = ctx, .field = field, .options = *options, .size = options->size};
    FrResult result = prepare(&L, report);
    if (result == FR_OK) result = fr_lattice_tets(&L);
    if (result == FR_OK) result = fr_lattice_cut(&L);
    if (result == FR_OK) result = fr_lattice_fill(&L);
    if (result == FR_OK) result = finish(&L, report);
    if (result == FR_OK) result = trim(ctx, &L.mesh);
    if (result == FR_OK) {
        *mesh = L.mesh;
        L.mesh = (FrTetMesh){0};
    }
    fr_lattice_free(&L);
    return result;
}
