// structured.c: boxes and tubes from grids of hexahedra, and triangle sheets swept through layers.

#include "mesh/structured.h"
#include "mesh/grid.h"
#include "mesh/topology.h"

// the six ways from one corner of a cell to the opposite one
static const int8_t path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static int32_t grid_node(const FrGrid *g, int32_t i, int32_t j, int32_t k) {
    int32_t rows = g->periodic ? g->n[1] : g->n[1] + 1;
    return (i * rows + j % rows) * (g->n[2] + 1) + k;
}

// mirrored Kuhn split: paths start at the corner whose coordinates are even
static void split_cell(const FrGrid *g, const int32_t cell[3], int32_t (*tet)[4]) {
    for (int p = 0; p < 6; p++) {
        int32_t c[3];
        for (int k = 0; k < 3; k++) c[k] = cell[k] + (cell[k] & 1);
        tet[p][0] = grid_node(g, c[0], c[1], c[2]);
        for (int s = 0; s < 3; s++) {
            int axis = path[p][s];
            c[axis] += cell[axis] & 1 ? -1 : 1;
            tet[p][s + 1] = grid_node(g, c[0], c[1], c[2]);
        }
    }
}

FrResult fr_mesh_grid(FrContext *ctx, const FrGrid *g, FrTetMesh *mesh) {
    FR_ASSERT_IN(ctx, !g->periodic || g->n[1] % 2 == 0, "a mirrored ring needs an even count");
    double nodes = (g->n[0] + 1.0) * (g->n[1] + 1.0) * (g->n[2] + 1.0);
    if (nodes > 2e8)
        return fr_fail(ctx, FR_BAD_INPUT, "%.3g nodes are too many: use a larger h", nodes);
    int32_t rows = g->periodic ? g->n[1] : g->n[1] + 1;
    int32_t cells = g->n[0] * g->n[1] * g->n[2];
    FR_TRY(fr_tetmesh_alloc(ctx, (g->n[0] + 1) * rows * (g->n[2] + 1), 6 * cells, 1, false, mesh));
    for (int32_t i = 0; i <= g->n[0]; i++)
        for (int32_t j = 0; j < rows; j++)
            for (int32_t k = 0; k <= g->n[2]; k++)
                fr_set3(mesh->x, grid_node(g, i, j, k), g->at(g->user, i, j, k));
    int32_t e = 0;
    for (int32_t i = 0; i < g->n[0]; i++)
        for (int32_t j = 0; j < g->n[1]; j++)
            for (int32_t k = 0; k < g->n[2]; k++, e += 6)
                split_cell(g, (int32_t[3]){i, j, k}, mesh->tet + e);
    fr_tetmesh_orient(mesh);
    return FR_OK;
}

/// Cells in the box around a solid when nobody gives an edge: some thousand tets.
#define CHOSEN_CELLS 600.0

double fr_mesh_chosen_cell(FrVec3 size) { return cbrt(size.x * size.y * size.z / CHOSEN_CELLS); }

typedef struct BoxShape {
    FrBox box;
    int32_t n[3];
} BoxShape;

// exact at both ends
static double between(double lo, double hi, int32_t k, int32_t n) {
    return k == n ? hi : lo + (hi - lo) * ((double)k / n);
}

static FrVec3 box_at(const void *user, int32_t i, int32_t j, int32_t k) {
    const BoxShape *b = user;
    return fr_vec3(between(b->box.lo.x, b->box.hi.x, i, b->n[0]),
                   between(b->box.lo.y, b->box.hi.y, j, b->n[1]),
                   between(b->box.lo.z, b->box.hi.z, k, b->n[2]));
}

FrResult fr_mesh_box_cells(FrContext *ctx, FrBox box, const int32_t n[3], FrTetMesh *mesh) {
    FrVec3 size = fr_box_size(box);
    *mesh = (FrTetMesh){0};
    if (!(size.x > 0 && size.y > 0 && size.z > 0) || !fr_vec3_finite(size))
        return fr_fail(ctx, FR_BAD_INPUT, "a box of %g x %g x %g m cannot be meshed", size.x,
                       size.y, size.z);
    if (n[0] < 1 || n[1] < 1 || n[2] < 1)
        return fr_fail(ctx, FR_BAD_USE, "%d x %d x %d cells: at least 1 each", n[0], n[1], n[2]);
    BoxShape shape = {box, {n[0], n[1], n[2]}};
    FrGrid grid = {{n[0], n[1], n[2]}, false, box_at, &shape};
    return fr_mesh_grid(ctx, &grid, mesh);
}

FrResult fr_mesh_count(FrContext *ctx, double length, double h, int32_t least, int32_t *count) {
    if (!(h > 0) || !isfinite(h))
        return fr_fail(ctx, FR_BAD_USE, "an edge length of %g m: it must be positive", h);
    double n = floor(length / h + 0.5);
    if (!(n < 1e6))
        return fr_fail(ctx, FR_BAD_INPUT, "an edge length of %g m is too small for %g m", h,
                       length);
    *count = fr_max_i((int32_t)n, least);
    return FR_OK;
}

FrResult fr_mesh_box_sized(FrContext *ctx, FrBox box, double h, int32_t layers, FrTetMesh *mesh) {
    FrVec3 size = fr_box_size(box);
    int32_t n[3];
    double shortest = fr_min(size.x, fr_min(size.y, size.z));
    for (int k = 0; k < 3; k++) {
        double length = fr_vec3_get(size, k);
        FR_TRY(fr_mesh_count(ctx, length, h, length == shortest ? fr_max_i(layers, 1) : 1, &n[k]));
    }
    return fr_mesh_box_cells(ctx, box, n, mesh);
}

/// Cells along the inside of a hollow box and through its walls.
typedef struct HollowShape {
    FrBox box;
    double wall;
    int32_t inside[3], layers;
} HollowShape;

// walls have planes of their own
static double hollow_plane(double lo, double hi, double wall, int32_t k, int32_t layers,
                           int32_t inside) {
    if (k <= layers) return between(lo, lo + wall, k, layers);
    if (k <= layers + inside) return between(lo + wall, hi - wall, k - layers, inside);
    return between(hi - wall, hi, k - layers - inside, layers);
}

static FrVec3 hollow_at(const void *user, int32_t i, int32_t j, int32_t k) {
    const HollowShape *h = user;
    return fr_vec3(hollow_plane(h->box.lo.x, h->box.hi.x, h->wall, i, h->layers, h->inside[0]),
                   hollow_plane(h->box.lo.y, h->box.hi.y, h->wall, j, h->layers, h->inside[1]),
                   hollow_plane(h->box.lo.z, h->box.hi.z, h->wall, k, h->layers, h->inside[2]));
}

// takes the six tets of every cell of the inside away
static FrResult hollow_out(FrContext *ctx, const HollowShape *h, const int32_t n[3],
                           FrTetMesh *mesh) {
    uint8_t *keep = FR_NEW(ctx, uint8_t, mesh->tet_count);
    if (!keep) return fr_no_memory(ctx, "a hollow box");
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t cell = e / 6, at[3] = {cell / (n[1] * n[2]), cell / n[2] % n[1], cell % n[2]};
        for (int k = 0; k < 3; k++)
            keep[e] |= at[k] < h->layers || at[k] >= h->layers + h->inside[k];
    }
    FrResult result = fr_tetmesh_keep(ctx, mesh, keep);
    fr_free(ctx, keep);
    return result;
}

FrResult fr_mesh_hollow_box(FrContext *ctx, FrBox box, double wall, double h, FrTetMesh *mesh) {
    FrVec3 size = fr_box_size(box);
    double shortest = fr_min(size.x, fr_min(size.y, size.z));
    HollowShape shape = {.box = box, .wall = wall};
    int32_t n[3];
    *mesh = (FrTetMesh){0};
    if (!(wall > 0.0 && 2.0 * wall < shortest) || !fr_vec3_finite(size))
        return fr_fail(ctx, FR_BAD_INPUT, "a box of %g x %g x %g m cannot have walls of %g m",
                       size.x, size.y, size.z, wall);
    FR_TRY(fr_mesh_count(ctx, wall, h, 1, &shape.layers));
    for (int k = 0; k < 3; k++) {
        FR_TRY(fr_mesh_count(ctx, fr_vec3_get(size, k) - 2.0 * wall, h, 1, &shape.inside[k]));
        n[k] = shape.inside[k] + 2 * shape.layers;
    }
    FrGrid grid = {{n[0], n[1], n[2]}, false, hollow_at, &shape};
    FR_TRY(fr_mesh_grid(ctx, &grid, mesh));
    FrResult result = hollow_out(ctx, &shape, n, mesh);
    if (result != FR_OK) fr_tetmesh_free(ctx, mesh);
    return result;
}

typedef struct TubeShape {
    double outer, inner, height;
    int32_t n[3]; ///< through the wall, around, along
} TubeShape;

static FrVec3 tube_at(const void *user, int32_t i, int32_t j, int32_t k) {
    const TubeShape *t = user;
    double r = between(t->inner, t->outer, i, t->n[0]);
    double angle = 2 * FR_PI * j / t->n[1];
    return fr_vec3(r * cos(angle), r * sin(angle),
                   between(-0.5 * t->height, 0.5 * t->height, k, t->n[2]));
}

FrResult fr_mesh_tube_layers(FrContext *ctx, FrTube tube, double h, int32_t layers,
                             FrTetMesh *mesh) {
    double outer = tube.outer, inner = tube.inner, height = tube.height;
    *mesh = (FrTetMesh){0};
    if (!(outer > inner && inner >= 0 && height > 0) || !isfinite(outer) || !isfinite(height))
        return fr_fail(
            ctx, FR_BAD_INPUT,
            "a tube of radii %g and %g m, %g m high: needs outer > inner >= 0, height > 0", outer,
            inner, height);
    if (inner == 0) return fr_mesh_cylinder(ctx, outer, height, h, mesh);
    TubeShape shape = {outer, inner, height, {0}};
    int32_t *n = shape.n;
    FR_TRY(fr_mesh_count(ctx, outer - inner, h, 1, &n[0]));
    if (layers > 0) n[0] = layers;
    FR_TRY(fr_mesh_count(ctx, FR_PI * (outer + inner), h, 8, &n[1]));
    n[1] += n[1] & 1; // the mirrored split closes around even counts only
    FR_TRY(fr_mesh_count(ctx, height, h, 1, &n[2]));
    FrGrid grid = {{n[0], n[1], n[2]}, true, tube_at, &shape};
    return fr_mesh_grid(ctx, &grid, mesh);
}

// a < b < c below (0) and above (1): diagonals a0 b1, a0 c1, b0 c1. All tets of a sheet whose
// triangles turn the same way have the same sign
static void split_prism(const int32_t *tri, int32_t nodes_per_point, int32_t layer,
                        int32_t (*tet)[4]) {
    int32_t v[3] = {tri[0], tri[1], tri[2]}, lo[3], hi[3];
    bool flip = fr_sort3(v) != (layer & 1);
    for (int k = 0; k < 3; k++) {
        lo[k] = v[k] * nodes_per_point + layer + (layer & 1);
        hi[k] = v[k] * nodes_per_point + layer + 1 - (layer & 1);
    }
    int32_t out[3][4] = {
        {lo[0], lo[1], lo[2], hi[2]}, {lo[0], lo[1], hi[2], hi[1]}, {lo[0], hi[0], hi[1], hi[2]}};
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 4; k++) tet[t][k] = out[t][flip && k > 1 ? 5 - k : k];
}

FrResult fr_mesh_sweep(FrContext *ctx, const FrSheet *sheet, FrTetMesh *mesh) {
    *mesh = (FrTetMesh){0};
    int32_t layers = sheet->layers;
    int64_t nodes = (int64_t)sheet->point_count * (layers + 1),
            tets = 3 * (int64_t)sheet->tri_count * layers;
    if (nodes > 200000000 || tets > 600000000)
        return fr_fail(ctx, FR_BAD_INPUT, "%lld tets are too many: use a larger h",
                       (long long)tets);
    FR_TRY(fr_tetmesh_alloc(ctx, (int32_t)nodes, (int32_t)tets, 1, false, mesh));
    for (int32_t p = 0; p < sheet->point_count; p++)
        for (int32_t l = 0; l <= layers; l++)
            fr_set3(mesh->x, p * (layers + 1) + l, sheet->at(sheet->user, p, l));
    for (int32_t t = 0; t < sheet->tri_count; t++)
        for (int32_t l = 0; l < layers; l++)
            split_prism(sheet->tri[t], layers + 1, l, mesh->tet + 3 * ((size_t)t * layers + l));
    // the right sign is that of the whole; a tet of the other sign lies where the sheet folds
    double volume = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) volume += fr_tet_volume(mesh, e);
    for (int32_t e = 0; e < mesh->tet_count && volume < 0; e++) {
        int32_t t = mesh->tet[e][2];
        mesh->tet[e][2] = mesh->tet[e][3];
        mesh->tet[e][3] = t;
    }
    volume = fabs(volume);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        if (fr_tet_volume(mesh, e) > 1e-9 * volume / mesh->tet_count) continue;
        FrVec3 x = fr_get3(mesh->x, mesh->tet[e][0]);
        fr_tetmesh_free(ctx, mesh);
        return fr_fail(ctx, FR_BAD_INPUT, "the sheet folds onto itself near (%g, %g, %g) m", x.x,
                       x.y, x.z);
    }
    return FR_OK;
}
