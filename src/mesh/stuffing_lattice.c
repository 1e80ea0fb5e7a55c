// stuffing_lattice.c: lattice points with their field values, and the tets between them.

#include "mesh/lattice.h"
#include "base/tasks.h"

static uint64_t node_key(uint32_t x, uint32_t y, uint32_t z) {
    return (uint64_t)x << 42 | (uint64_t)y << 21 | (uint64_t)z;
}

static int32_t find_node(const FrLattice *L, uint32_t x, uint32_t y, uint32_t z) {
    return fr_table_find(&L->node_at, node_key(x, y, z));
}

static void add_node(FrLattice *L, uint32_t x, uint32_t y, uint32_t z, bool known) {
    int32_t k = fr_table_add(&L->node_at, node_key(x, y, z), L->node.count);
    if (k == L->node.count) {
        FrLatticeNode node = {.x = x, .y = y, .z = z, .known = known, .value = -HUGE_VAL};
        node.at = fr_lattice_point(L, x, y, z);
        L->node.data[L->node.count++] = node;
    }
    if (!known) L->node.data[k].known = false;
}

static FrResult add_nodes(FrLattice *L) {
    for (int32_t k = 0; k < L->cell.count; k++) {
        const FrCell *c = &L->cell.data[k];
        if (!fr_table_reserve(L->ctx, &L->node_at, 9) || !fr_array_reserve(L->ctx, &L->node, 9))
            return fr_no_memory(L->ctx, "lattice points");
        uint32_t half = 1u << c->level;
        for (uint32_t j = 0; j < 8; j++)
            add_node(L, 2 * (c->x + (j & 1 ? half : 0)), 2 * (c->y + (j & 2 ? half : 0)),
                     2 * (c->z + (j & 4 ? half : 0)), c->known);
        add_node(L, 2 * c->x + half, 2 * c->y + half, 2 * c->z + half, true);
        // the centre of a cell near the surface was evaluated with the octree
        if (!c->known) L->node.data[L->node.count - 1].value = c->value;
    }
    return FR_OK;
}

static void value_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrLattice *L = arg;
    for (int32_t k = begin; k < end; k++) {
        FrLatticeNode *node = &L->node.data[k];
        if (!node->known) node->value = fr_field_at(L->field, node->at);
    }
}

static FrResult check_values(FrLattice *L) {
    for (int32_t k = 0; k < L->node.count; k++) {
        const FrLatticeNode *node = &L->node.data[k];
        L->evaluations += !node->known;
        if (!(node->value < HUGE_VAL))
            return fr_fail(L->ctx, FR_BAD_INPUT, "the field is not finite at (%g, %g, %g)",
                           node->at.x, node->at.y, node->at.z);
    }
    return FR_OK;
}

static int64_t orientation(const FrLattice *L, const int32_t *n) {
    int64_t d[3][3];
    const FrLatticeNode *a = &L->node.data[n[0]];
    for (int k = 0; k < 3; k++) {
        const FrLatticeNode *b = &L->node.data[n[k + 1]];
        d[k][0] = (int64_t)b->x - a->x;
        d[k][1] = (int64_t)b->y - a->y;
        d[k][2] = (int64_t)b->z - a->z;
    }
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

// a tet between lattice points; irregular ones may not be near the surface
static FrResult add_tet(FrLattice *L, int32_t a, int32_t b, int32_t c, int32_t d, bool regular) {
    int32_t n[4] = {a, b, c, d};
    bool inside = false, surface = false;
    for (int k = 0; k < 4; k++) {
        inside |= L->node.data[n[k]].value < 0;
        surface |= L->node.data[n[k]].value >= 0;
    }
    if (!inside) return FR_OK;
    if (surface && !regular)
        return fr_fail(L->ctx, FR_BAD_INPUT,
                       "the field changes faster than distance near (%g, %g, %g): mesh it ungraded",
                       L->node.data[a].at.x, L->node.data[a].at.y, L->node.data[a].at.z);
    if (orientation(L, n) < 0) n[2] = d, n[3] = c;
    if (!fr_array_extend(L->ctx, &L->tet, 1)) return fr_no_memory(L->ctx, "lattice tets");
    for (int k = 0; k < 4; k++) L->tet.data[L->tet.count - 1].n[k] = n[k];
    return FR_OK;
}

// the face of a cell on one side: centre of the cell, corners in order, edge midpoints
typedef struct CellFace {
    int32_t centre, corner[4];
    uint32_t at[4][3]; ///< of the corners, half cells
} CellFace;

static CellFace cell_face(const FrLattice *L, const FrCell *c, int axis, int side) {
    static const int8_t around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    CellFace face;
    uint32_t step = 2u << c->level, half = 1u << c->level;
    face.centre = find_node(L, 2 * c->x + half, 2 * c->y + half, 2 * c->z + half);
    for (int k = 0; k < 4; k++) {
        uint32_t *p = face.at[k];
        p[0] = 2 * c->x, p[1] = 2 * c->y, p[2] = 2 * c->z;
        p[axis] += side ? step : 0;
        p[(axis + 1) % 3] += around[k][0] ? step : 0;
        p[(axis + 2) % 3] += around[k][1] ? step : 0;
        face.corner[k] = find_node(L, p[0], p[1], p[2]);
    }
    return face;
}

// four tets around the line between the centres of two equal cells; an edge that smaller cells
// have divided makes two
static FrResult equal_cells(FrLattice *L, const FrCell *c, const CellFace *face, int32_t other) {
    for (int k = 0; k < 4; k++) {
        const uint32_t *p = face->at[k], *q = face->at[(k + 1) % 4];
        int32_t a = face->corner[k], b = face->corner[(k + 1) % 4], mid = -1;
        if (c->level > 0)
            mid = find_node(L, (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
        if (mid < 0) {
            FR_TRY(add_tet(L, face->centre, other, a, b, c->level == 0));
        } else {
            FR_TRY(add_tet(L, face->centre, other, a, mid, false));
            FR_TRY(add_tet(L, face->centre, other, mid, b, false));
        }
    }
    return FR_OK;
}

// a quarter of the face of a larger cell: two triangles, their diagonal from the middle of the
// large face outwards, seen from both centres
static FrResult larger_cell(FrLattice *L, const FrCell *c, const CellFace *face, int32_t other,
                            int axis) {
    uint32_t step = 2u << c->level;
    int middle = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t *p = face->at[k];
        bool odd1 = p[(axis + 1) % 3] / step % 2, odd2 = p[(axis + 2) % 3] / step % 2;
        if (odd1 && odd2) middle = k;
    }
    const int32_t *n = face->corner;
    int32_t m = n[middle], next = n[(middle + 1) % 4], far = n[(middle + 2) % 4],
            last = n[(middle + 3) % 4];
    FR_TRY(add_tet(L, face->centre, m, next, far, false));
    FR_TRY(add_tet(L, face->centre, m, far, last, false));
    FR_TRY(add_tet(L, other, m, next, far, false));
    return add_tet(L, other, m, far, last, false);
}

// nothing lies beyond this face: then all of it must be outside
static FrResult outer_face(FrLattice *L, const CellFace *face) {
    double least = L->node.data[face->centre].value;
    for (int k = 0; k < 4; k++) least = fr_min(least, L->node.data[face->corner[k]].value);
    if (least > 0) return FR_OK;
    FrVec3 at = L->node.data[face->centre].at;
    return fr_fail(
        L->ctx, FR_BAD_INPUT,
        "near (%g, %g, %g) m it is not clear what is inside, or the shape reaches out of "
        "its bounds",
        at.x, at.y, at.z);
}

static FrResult cell_side(FrLattice *L, const FrCell *c, int axis, int side) {
    int64_t q[3] = {c->x, c->y, c->z};
    q[axis] += side ? (int64_t)1 << c->level : -((int64_t)1 << c->level);
    CellFace face = cell_face(L, c, axis, side);
    if (q[axis] < 0) return outer_face(L, &face);
    uint32_t x = (uint32_t)q[0], y = (uint32_t)q[1], z = (uint32_t)q[2];
    int32_t k = fr_table_find(&L->cell_at, fr_cell_key(c->level, x, y, z));
    if (k >= 0) {
        uint32_t half = 1u << c->level;
        return side ? equal_cells(L, c, &face,
                                  find_node(L, 2 * x + half, 2 * y + half, 2 * z + half))
                    : FR_OK;
    }
    k = fr_table_find(&L->cell_at, fr_cell_key(c->level + 1, x, y, z));
    if (k >= 0) {
        const FrCell *big = &L->cell.data[k];
        uint32_t half = 1u << big->level;
        int32_t other = find_node(L, 2 * big->x + half, 2 * big->y + half, 2 * big->z + half);
        return larger_cell(L, c, &face, other, axis);
    }
    // smaller cells beyond make the tets themselves
    if (c->level > 0) {
        if (!side) q[axis] += (int64_t)1 << (c->level - 1);
        uint64_t key = fr_cell_key(c->level - 1, (uint32_t)q[0], (uint32_t)q[1], (uint32_t)q[2]);
        if (fr_table_find(&L->cell_at, key) >= 0) return FR_OK;
    }
    return outer_face(L, &face);
}

FrResult fr_lattice_tets(FrLattice *L) {
    FR_TRY(add_nodes(L));
    fr_parallel_for(L->ctx, L->node.count, 256, value_range, L);
    FR_TRY(check_values(L));
    for (int32_t k = 0; k < L->cell.count; k++)
        for (int axis = 0; axis < 3; axis++)
            for (int side = 0; side < 2; side++) FR_TRY(cell_side(L, &L->cell.data[k], axis, side));
    return FR_OK;
}
