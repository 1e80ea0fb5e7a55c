// regions_kit.h: bodies that regions grow in, and what their labels say.
#pragma once
#include "test.h"
#include "context.h"
#include "base/groups.h"
#include "fracture/regions_inside.h"
#include "mesh/structured.h"
#include "mesh/topology.h"

// where the border meets the edge from a to b
static inline double labels_crossing(const FrLabels *labels, int32_t a, int32_t b) {
    int32_t i = labels->label[a], j = labels->label[b];
    double at_a[2] = {labels->key[a], fr_labels_key(labels, a, j)};
    double at_b[2] = {fr_labels_key(labels, b, i), labels->key[b]};
    return fr_label_balance(at_a, at_b);
}

typedef struct RegionBody {
    FrContext *ctx;
    FrTetMesh mesh;
    FrSym3 *stress;  ///< Pa, 0 (node_count)
    double *density; ///< J/m^3, 1 (node_count)
    double *Gc;      ///< J/m^2 (tet_count)
    FrRegionsDef def;
    FrLabels labels;
    FrRegionsReport report;
} RegionBody;

/// takes the mesh; density 1, no stress, plain distances, energy for any crack
static inline RegionBody region_body(FrContext *ctx, FrTetMesh mesh, double Gc) {
    RegionBody b = {.ctx = ctx, .mesh = mesh};
    b.stress = FR_NEW(ctx, FrSym3, mesh.node_count);
    b.density = FR_NEW(ctx, double, mesh.node_count);
    b.Gc = FR_NEW(ctx, double, mesh.tet_count);
    for (int32_t n = 0; n < mesh.node_count; n++) b.density[n] = 1.0;
    for (int32_t e = 0; e < mesh.tet_count; e++) b.Gc[e] = Gc;
    b.def = fr_regions_def_default();
    b.def.stress = b.stress;
    b.def.density = b.density;
    b.def.Gc = b.Gc;
    b.def.stretch = 0.0;
    b.def.energy = 1e9;
    return b;
}

static inline RegionBody region_box(FrContext *ctx, FrVec3 size, const int32_t n[3], double Gc) {
    FrTetMesh mesh;
    FrBox box = {fr_scale(-0.5, size), fr_scale(0.5, size)};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, n, &mesh));
    return region_body(ctx, mesh, Gc);
}

static inline void region_grow(RegionBody *b) {
    fr_labels_free(b->ctx, &b->labels);
    b->def.mesh = &b->mesh;
    CHECK_OK(b->ctx, fr_regions_grow(b->ctx, &b->def, &b->labels, &b->report));
}

static inline void region_free(RegionBody *b) {
    fr_labels_free(b->ctx, &b->labels);
    FR_FREE_ALL(b->ctx, b->stress, b->density, b->Gc);
    fr_tetmesh_free(b->ctx, &b->mesh);
}

static inline void region_free_all(RegionBody *b) {
    FrContext *ctx = b->ctx;
    region_free(b);
    fr_context_destroy(ctx);
}

/// where the edges of a tet are cut, as those who cut read it
static inline void region_cuts(const RegionBody *b, int32_t e, int32_t label[4], double cut[6]) {
    const int32_t *n = b->mesh.tet[e];
    for (int i = 0; i < 4; i++) label[i] = b->labels.label[n[i]];
    for (int k = 0; k < 6; k++) {
        int32_t i = n[fr_tet_edge[k][0]], j = n[fr_tet_edge[k][1]];
        cut[k] = 0.0;
        if (b->labels.label[i] == b->labels.label[j]) continue;
        cut[k] =
            i < j ? labels_crossing(&b->labels, i, j) : 1.0 - labels_crossing(&b->labels, j, i);
    }
}

static inline int region_facets(const RegionBody *b, int32_t e, int32_t label[4],
                                RegionFacet facet[FR_REGION_FACETS]) {
    double cut[6];
    FrVec3 x[4];
    region_cuts(b, e, label, cut);
    for (int i = 0; i < 4; i++) x[i] = fr_get3(b->mesh.x, b->mesh.tet[e][i]);
    return fr_region_facets(x, label, cut, facet);
}

static inline FrVec3 region_facet_normal(const RegionFacet *f) {
    return fr_normalize(
        fr_cross(fr_sub(f->corner[1], f->corner[0]), fr_sub(f->corner[2], f->corner[0])));
}

/// volume of each region, m^3, and its centre, m; caller frees both (malloc)
static inline double *region_volumes(const RegionBody *b, FrVec3 **centre) {
    double *volume = calloc((size_t)b->labels.count, sizeof *volume);
    *centre = calloc((size_t)b->labels.count, sizeof **centre);
    for (int32_t e = 0; e < b->mesh.tet_count; e++) {
        int32_t label[4];
        double cut[6], share[4];
        FrVec3 middle = fr_vec3_zero;
        region_cuts(b, e, label, cut);
        fr_region_shares(label, cut, share);
        for (int i = 0; i < 4; i++)
            middle = fr_axpy(0.25, fr_get3(b->mesh.x, b->mesh.tet[e][i]), middle);
        for (int i = 0; i < 4; i++) {
            double v = share[i] * fr_tet_volume(&b->mesh, e);
            volume[label[i]] += v;
            (*centre)[label[i]] = fr_axpy(v, middle, (*centre)[label[i]]);
        }
    }
    for (int32_t r = 0; r < b->labels.count; r++)
        (*centre)[r] = fr_scale(1.0 / volume[r], (*centre)[r]);
    return volume;
}

/// How many pieces a cut would leave: parts of tets, one per label, that hang together by faces.
static inline int32_t region_pieces(const RegionBody *b) {
    int32_t tets = b->mesh.tet_count, count = 0, (*across)[4];
    int32_t *group = malloc(sizeof *group * 4 * (size_t)tets);
    CHECK_OK(b->ctx, fr_tet_neighbours(b->ctx, &b->mesh, &across));
    for (int32_t k = 0; k < 4 * tets; k++) group[k] = k;
    for (int32_t e = 0; e < tets; e++) {
        const int32_t *n = b->mesh.tet[e];
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < i; j++) // one part per label
                if (b->labels.label[n[i]] == b->labels.label[n[j]])
                    fr_group_join(group, 4 * e + i, 4 * e + j);
            for (int f = 0; f < 4; f++) { // corner i is on the faces opposite the others
                if (f == i || across[e][f] < 0) continue;
                for (int j = 0; j < 4; j++)
                    if (b->mesh.tet[across[e][f]][j] == n[i])
                        fr_group_join(group, 4 * e + i, 4 * across[e][f] + j);
            }
        }
    }
    for (int32_t k = 0; k < 4 * tets; k++) count += fr_group_head(group, k) == k;
    fr_free(b->ctx, across);
    free(group);
    return count;
}

/// What bends a thin round plate of radius `outer` m that stands free on its rim and is pressed in
/// its middle by P N over a disc of radius `inner` m (Timoshenko: moments per length
/// M_r = P/(4 pi) (1 + v) ln(R/r), M_t = M_r + P/(4 pi) (1 - v)); z: through the plate.
typedef struct RegionPlate {
    double outer, inner, thick, P;
} RegionPlate;

static inline void region_bend(RegionBody *b, RegionPlate plate) {
    const double E = 70e9, v = 0.22; // glass
    for (int32_t n = 0; n < b->mesh.node_count; n++) {
        FrVec3 x = fr_get3(b->mesh.x, n);
        double r = sqrt(x.x * x.x + x.y * x.y);
        double at = fr_clamp(r, plate.inner, 0.999 * plate.outer), c = 1.0, s = 0.0;
        double Mr = plate.P / (4.0 * FR_PI) * (1.0 + v) * log(plate.outer / at);
        double Mt = Mr + plate.P / (4.0 * FR_PI) * (1.0 - v);
        if (r < plate.inner) Mr = Mt = 0.5 * (Mr + Mt); // alike under the load
        if (r > 0.0) c = x.x / r, s = x.y / r;
        double f = 12.0 * x.z / (plate.thick * plate.thick * plate.thick);
        double sr = f * Mr, st = f * Mt;
        b->stress[n] = (FrSym3){
            .xx = sr * c * c + st * s * s, .yy = sr * s * s + st * c * c, .xy = (sr - st) * c * s};
        b->density[n] = (sr * sr + st * st - 2.0 * v * sr * st) / (2.0 * E);
    }
}
