// stuffing_octree.c: which cells of the lattice matter, found top-down from the distance bound.

#include "mesh/lattice.h"
#include "base/tasks.h"

// how far from the surface, in finest cells, cells may be larger or left out. A warped point is
// within 0.36 cells of the surface and its tets reach half a cell further: all of them stay finest
#define MARGIN 1.0
#define HALF_DIAGONAL 0.86602540378443864676

typedef FR_ARRAY(FrCell) CellList;

FrVec3 fr_lattice_point(const FrLattice *lattice, uint32_t x, uint32_t y, uint32_t z) {
    double half = 0.5 * lattice->size;
    return fr_vec3(lattice->origin.x + half * x, lattice->origin.y + half * y,
                   lattice->origin.z + half * z);
}

uint64_t fr_cell_key(int level, uint32_t x, uint32_t y, uint32_t z) {
    return (uint64_t)level << 60 | (uint64_t)(x >> level) << 40 | (uint64_t)(y >> level) << 20 |
           (uint64_t)(z >> level);
}

// lattice over the bounds, centred, two cells of air around
static FrResult place(FrLattice *L) {
    FrContext *ctx = L->ctx;
    FrVec3 size = fr_box_size(L->field->bounds), centre = fr_box_center(L->field->bounds);
    if (!(size.x >= 0 && size.y >= 0 && size.z >= 0) || !fr_vec3_finite(size) ||
        !fr_vec3_finite(centre))
        return fr_fail(ctx, FR_BAD_INPUT, "the bounds of the shape are empty or not finite");
    double n[3] = {ceil(size.x / L->size - 1e-9), ceil(size.y / L->size - 1e-9),
                   ceil(size.z / L->size - 1e-9)};
    double most = fr_max(n[0], fr_max(n[1], n[2]));
    if (!(most < 500000))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "a size of %g m is too small for a shape %g m long: at least %g m", L->size,
                       fr_max(size.x, fr_max(size.y, size.z)), L->size * most / 500000);
    for (L->top = 0; L->top < 5 && (1 << (L->top + 1)) <= (int)most;) L->top++;
    for (int k = 0; k < 3; k++) L->cells[k] = (uint32_t)n[k] + 4;
    L->origin =
        fr_vec3(centre.x - L->size * (0.5 * n[0] + 2), centre.y - L->size * (0.5 * n[1] + 2),
                centre.z - L->size * (0.5 * n[2] + 2));
    return FR_OK;
}

typedef struct CentreRun {
    const FrLattice *L;
    FrCell *cell;
} CentreRun;

static void centre_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    CentreRun *run = arg;
    for (int32_t k = begin; k < end; k++) {
        FrCell *c = &run->cell[k];
        uint32_t half = 1u << c->level;
        if (!c->known)
            c->value =
                fr_field_at(run->L->field, fr_lattice_point(run->L, 2 * c->x + half,
                                                            2 * c->y + half, 2 * c->z + half));
    }
}

static bool push_children(FrLattice *L, CellList *list, const FrCell *c, bool known) {
    uint32_t half = 1u << (c->level - 1);
    for (uint32_t k = 0; k < 8; k++) {
        FrCell child = {c->x + (k & 1 ? half : 0),
                        c->y + (k & 2 ? half : 0),
                        c->z + (k & 4 ? half : 0),
                        (uint8_t)(c->level - 1),
                        known,
                        false,
                        0};
        if (child.x >= L->cells[0] || child.y >= L->cells[1] || child.z >= L->cells[2]) continue;
        if (!fr_array_push(L->ctx, list, child)) return false;
    }
    return true;
}

// drop, keep, or divide one cell
static bool sort_cell(FrLattice *L, CellList *next, const FrCell *c) {
    double reach = L->size * (HALF_DIAGONAL * (1 << c->level) + MARGIN);
    if (!c->known && c->value > reach) return true;
    bool inside = c->known || c->value < -reach;
    if (c->level == 0 || (inside && L->options.graded && c->level <= L->options.max_level)) {
        FrCell leaf = *c;
        leaf.known = inside;
        return fr_array_push(L->ctx, &L->cell, leaf);
    }
    return push_children(L, next, c, inside);
}

static FrResult too_many(FrLattice *L, double tets) {
    double fit = L->size * cbrt(tets / L->options.max_tets) * 1.05;
    return fr_fail(L->ctx, FR_BAD_INPUT,
                   "a size of %g m gives about %.3g tets, the limit is %d: a size of %.3g m fits",
                   L->size, tets, L->options.max_tets, fit);
}

// tets to come from the cells so far: 12 per cell, half of the surface cells are outside
static double tets_expected(const FrLattice *L, const CellList *list, int level) {
    double cells = 0, share = L->options.graded ? 1.0 : (double)(1 << (3 * level));
    for (int32_t k = 0; k < list->count; k++) cells += list->data[k].known ? share : 0.0;
    for (int32_t k = 0; k < L->cell.count; k++) cells += L->cell.data[k].known ? 1.0 : 0.2;
    return 12.0 * cells;
}

static FrResult refine_level(FrLattice *L, CellList *list, CellList *next) {
    CentreRun run = {L, list->data};
    fr_parallel_for(L->ctx, list->count, 256, centre_range, &run);
    next->count = 0;
    for (int32_t k = 0; k < list->count; k++) {
        const FrCell *c = &list->data[k];
        L->evaluations += !c->known;
        if (!c->known && !isfinite(c->value))
            return fr_fail(L->ctx, FR_BAD_INPUT, "the field is not finite near cell (%u, %u, %u)",
                           c->x, c->y, c->z);
        if (!sort_cell(L, next, c)) return fr_no_memory(L->ctx, "lattice cells");
    }
    int level = next->count ? next->data[0].level : 0;
    double tets = tets_expected(L, next, level);
    if (tets > L->options.max_tets) return too_many(L, tets);
    // an endless thin surface shows here before memory is gone
    if (next->count > 8 * (int64_t)L->options.max_tets) return too_many(L, 8.0 * next->count);
    return fr_context_cancelled(L->ctx) ? fr_fail(L->ctx, FR_INTERRUPTED, "meshing was stopped")
                                        : FR_OK;
}

static FrResult push_roots(FrLattice *L, CellList *list) {
    uint32_t step = 1u << L->top;
    double roots = 1;
    for (int k = 0; k < 3; k++) roots *= ceil((double)L->cells[k] / step);
    if (roots > 1e8) return too_many(L, roots * 100);
    for (uint32_t z = 0; z < L->cells[2]; z += step)
        for (uint32_t y = 0; y < L->cells[1]; y += step)
            for (uint32_t x = 0; x < L->cells[0]; x += step) {
                FrCell root = {x, y, z, (uint8_t)L->top, false, false, 0};
                if (!fr_array_push(L->ctx, list, root))
                    return fr_no_memory(L->ctx, "lattice roots");
            }
    return FR_OK;
}

static FrResult refine(FrLattice *L) {
    CellList list = {0}, next = {0};
    FrResult result = push_roots(L, &list);
    while (result == FR_OK && list.count) {
        result = refine_level(L, &list, &next);
        CellList swap = list;
        list = next;
        next = swap;
    }
    fr_array_free(L->ctx, &list);
    fr_array_free(L->ctx, &next);
    return result;
}

static FrResult index_cell(FrLattice *L, int32_t k) {
    if (!fr_table_reserve(L->ctx, &L->cell_at, 1)) return fr_no_memory(L->ctx, "lattice cells");
    const FrCell *c = &L->cell.data[k];
    fr_table_add(&L->cell_at, fr_cell_key(c->level, c->x, c->y, c->z), k);
    return FR_OK;
}

// the living cell of this level or coarser at a place; -1: none
static int32_t coarse_cell(const FrLattice *L, int level, uint32_t x, uint32_t y, uint32_t z) {
    for (; level <= L->options.max_level; level++) {
        int32_t k = fr_table_find(&L->cell_at, fr_cell_key(level, x, y, z));
        if (k >= 0 && !L->cell.data[k].dead) return k;
    }
    return -1;
}

static FrResult split_cell(FrLattice *L, int32_t k) {
    FrCell c = L->cell.data[k];
    L->cell.data[k].dead = true;
    uint32_t half = 1u << (c.level - 1);
    for (uint32_t j = 0; j < 8; j++) {
        FrCell child = {c.x + (j & 1 ? half : 0),
                        c.y + (j & 2 ? half : 0),
                        c.z + (j & 4 ? half : 0),
                        (uint8_t)(c.level - 1),
                        true,
                        false,
                        0};
        if (!fr_array_push(L->ctx, &L->cell, child)) return fr_no_memory(L->ctx, "lattice cells");
        FR_TRY(index_cell(L, L->cell.count - 1));
    }
    return FR_OK;
}

// no cell touches, by face, edge or corner, one more than twice its size. The smallest such octree
// is unique, so the order of splits does not matter
static FrResult balance(FrLattice *L) {
    for (int32_t k = 0; k < L->cell.count; k++) {
        for (int d = 0; d < 27 && !L->cell.data[k].dead; d++) {
            FrCell c = L->cell.data[k];
            int64_t step = (int64_t)1 << c.level;
            int64_t x = c.x + step * (d % 3 - 1), y = c.y + step * (d / 3 % 3 - 1),
                    z = c.z + step * (d / 9 - 1);
            if (x < 0 || y < 0 || z < 0) continue;
            for (;;) {
                int32_t big = coarse_cell(L, c.level + 2, (uint32_t)x, (uint32_t)y, (uint32_t)z);
                if (big < 0) break;
                FR_TRY(split_cell(L, big));
            }
        }
    }
    return FR_OK;
}

// living cells along a Morton curve
static FrResult sort_cells(FrLattice *L) {
    int32_t count = 0;
    for (int32_t k = 0; k < L->cell.count; k++)
        if (!L->cell.data[k].dead) L->cell.data[count++] = L->cell.data[k];
    L->cell.count = count;
    uint64_t *key = FR_NEW(L->ctx, uint64_t, count);
    CellList sorted = {0};
    int32_t *order = NULL;
    FrResult result = key && fr_array_reserve(L->ctx, &sorted, count)
                          ? FR_OK
                          : fr_no_memory(L->ctx, "lattice cells");
    for (int32_t k = 0; result == FR_OK && k < count; k++) {
        const FrCell *c = &L->cell.data[k];
        key[k] = fr_morton(c->x, c->y, c->z);
    }
    if (result == FR_OK) result = fr_sort_keys(L->ctx, key, count, &order);
    for (int32_t k = 0; result == FR_OK && k < count; k++)
        sorted.data[sorted.count++] = L->cell.data[order[k]];
    for (int32_t k = 0; result == FR_OK && k < count; k++) L->cell.data[k] = sorted.data[k];
    fr_array_free(L->ctx, &sorted);
    fr_free(L->ctx, key);
    fr_free(L->ctx, order);
    return result;
}

static FrResult index_cells(FrLattice *L) {
    fr_table_free(L->ctx, &L->cell_at);
    if (!fr_table_reserve(L->ctx, &L->cell_at, L->cell.count))
        return fr_no_memory(L->ctx, "lattice cells");
    for (int32_t k = 0; k < L->cell.count; k++) FR_TRY(index_cell(L, k));
    return FR_OK;
}

FrResult fr_lattice_cells(FrLattice *L) {
    FR_TRY(place(L));
    FR_TRY(refine(L));
    if (!L->cell.count)
        return fr_fail(L->ctx, FR_BAD_INPUT, "the shape is empty: nothing is inside its bounds");
    if (L->options.graded) {
        FR_TRY(index_cells(L));
        FR_TRY(balance(L));
    }
    FR_TRY(sort_cells(L));
    return index_cells(L);
}
