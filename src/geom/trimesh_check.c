// trimesh_check.c: what is wrong with a surface, and the joining of points that are one.

#include "geom/edges.h"
#include "base/groups.h"
#include "base/hash.h"
#include <string.h>

static void count_edges(const FrEdgeUse *uses, int32_t count, int32_t *parent,
                        FrTriReport *report) {
    for (int32_t at = 0, run; at < count; at += run) {
        run = fr_edge_run(uses, count, at);
        if (uses[at].lo == uses[at].hi) continue;
        report->open_edges += run == 1;
        report->nonmanifold_edges += run > 2;
        report->inconsistent_edges += run == 2 && uses[at].forward == uses[at + 1].forward;
        int32_t balance = 0;
        for (int32_t k = 0; k < run; k++) balance += uses[at + k].forward ? 1 : -1;
        report->unbalanced_edges += balance != 0;
        for (int32_t k = 1; k < run; k++) fr_group_join(parent, uses[at].tri, uses[at + k].tri);
    }
}

static double share_of_holes(const FrTriMesh *mesh, const FrEdgeUse *uses) {
    double around = 0.0, area = fr_trimesh_area(mesh);
    for (int32_t at = 0, run; at < 3 * mesh->tri_count; at += run) {
        run = fr_edge_run(uses, 3 * mesh->tri_count, at);
        if (run == 1 && uses[at].lo != uses[at].hi)
            around += fr_distance(fr_get3(mesh->p, uses[at].lo), fr_get3(mesh->p, uses[at].hi));
    }
    return area > 0.0 ? around * around / (4.0 * FR_PI * area) : 0.0;
}

static bool is_degenerate(const FrTriMesh *mesh, int32_t t) {
    const int32_t *c = mesh->tri[t];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) return true;
    FrVec3 a = fr_get3(mesh->p, c[0]);
    FrVec3 u = fr_sub(fr_get3(mesh->p, c[1]), a), v = fr_sub(fr_get3(mesh->p, c[2]), a);
    return fr_length2(fr_cross(u, v)) == 0.0;
}

static void count_points(const FrTriMesh *mesh, bool *used, FrTriReport *report) {
    for (int32_t t = 0; t < mesh->tri_count; t++)
        for (int k = 0; k < 3; k++) used[mesh->tri[t][k]] = true;
    for (int32_t n = 0; n < mesh->point_count; n++) report->unused_points += !used[n];
}

/// Components that are looked at one against the other; with more, they count as one group.
#define MOST_COMPONENTS 500

// components whose boxes meet become one; `parent`: of the triangles, as edges join them
static FrResult count_groups(FrContext *ctx, const FrTriMesh *mesh, int32_t *parent,
                             FrTriReport *report) {
    report->groups = 1;
    if (report->components < 2 || report->components > MOST_COMPONENTS) return FR_OK;
    FrBox *box = FR_NEW(ctx, FrBox, report->components);
    int32_t *first = FR_NEW(ctx, int32_t, report->components), count = 0;
    FrResult result = box && first ? FR_OK : fr_no_memory(ctx, "a surface report");
    // a root is the first triangle of its component
    for (int32_t t = 0; t < mesh->tri_count && result == FR_OK; t++) {
        int32_t root = fr_group_head(parent, t), k = 0;
        if (root == t) first[count] = t, box[count++] = fr_box_empty();
        while (first[k] != root) k++;
        for (int i = 0; i < 3; i++) box[k] = fr_box_add(box[k], fr_get3(mesh->p, mesh->tri[t][i]));
    }
    for (int32_t a = 0; a < count; a++)
        for (int32_t b = 0; b < a; b++)
            if (fr_box_overlaps(box[a], box[b])) fr_group_join(parent, first[a], first[b]);
    if (result == FR_OK) report->groups = 0;
    for (int32_t k = 0; k < count; k++)
        report->groups += fr_group_head(parent, first[k]) == first[k];
    fr_free(ctx, box);
    fr_free(ctx, first);
    return result;
}

FrResult fr_trimesh_report(FrContext *ctx, const FrTriMesh *mesh, FrTriReport *report) {
    *report = (FrTriReport){0};
    FrEdgeUse *uses = NULL;
    bool *duplicate = NULL, *used = FR_NEW(ctx, bool, mesh->point_count);
    int32_t *parent = FR_NEW(ctx, int32_t, mesh->tri_count);
    FrResult result = used && parent ? FR_OK : fr_no_memory(ctx, "a surface report");
    if (result == FR_OK) result = fr_trimesh_edges(ctx, mesh, &uses);
    if (result == FR_OK) result = fr_trimesh_duplicates(ctx, mesh, &duplicate);
    if (result == FR_OK) {
        for (int32_t t = 0; t < mesh->tri_count; t++) parent[t] = t;
        count_edges(uses, 3 * mesh->tri_count, parent, report);
        for (int32_t t = 0; t < mesh->tri_count; t++) {
            report->components += fr_group_head(parent, t) == t;
            report->duplicate_tris += duplicate[t];
            report->degenerate_tris += is_degenerate(mesh, t);
        }
        count_points(mesh, used, report);
        result = count_groups(ctx, mesh, parent, report);
        report->holes = share_of_holes(mesh, uses);
        report->closed = mesh->tri_count > 0 && !report->open_edges && !report->nonmanifold_edges &&
                         !report->inconsistent_edges;
    }
    fr_free(ctx, uses);
    fr_free(ctx, duplicate);
    fr_free(ctx, used);
    fr_free(ctx, parent);
    return result;
}

// points kept so far, found by the cell they lie in
typedef struct WeldGrid {
    const double *p;
    double tolerance, inverse; ///< inverse == 0: cells are the coordinates themselves
    int32_t *slot;             ///< first point of the chain of a hash (mask + 1); -1: none
    int32_t *next;             ///< (point_count)
    uint64_t mask;
} WeldGrid;

typedef struct Cell {
    int64_t c[3];
} Cell;

static Cell cell_of(const WeldGrid *grid, FrVec3 x) {
    Cell cell;
    for (int k = 0; k < 3; k++) {
        double v = fr_vec3_get(x, k) + 0.0; // -0 becomes 0
        if (grid->inverse > 0.0)
            cell.c[k] = (int64_t)floor(v * grid->inverse);
        else
            memcpy(&cell.c[k], &v, sizeof v);
    }
    return cell;
}

static uint64_t slot_of(const WeldGrid *grid, Cell cell) {
    return fr_hash_of(&cell, sizeof cell, 0) & grid->mask;
}

// the earliest kept point of one cell within the tolerance, or `best`
static int32_t match_in(const WeldGrid *grid, Cell cell, FrVec3 x, int32_t best) {
    double reach2 = grid->tolerance * grid->tolerance;
    for (int32_t n = grid->slot[slot_of(grid, cell)]; n >= 0; n = grid->next[n])
        if ((best < 0 || n < best) && fr_length2(fr_sub(fr_get3(grid->p, n), x)) <= reach2)
            best = n;
    return best;
}

static int32_t find_match(const WeldGrid *grid, FrVec3 x) {
    Cell cell = cell_of(grid, x);
    if (grid->inverse == 0.0) return match_in(grid, cell, x, -1);
    int32_t best = -1;
    for (int64_t k = 0; k < 27; k++) {
        Cell near = {{cell.c[0] + k % 3 - 1, cell.c[1] + k / 3 % 3 - 1, cell.c[2] + k / 9 - 1}};
        best = match_in(grid, near, x, best);
    }
    return best;
}

static void match_points(WeldGrid *grid, int32_t count, int32_t *same) {
    for (int32_t n = 0; n < count; n++) {
        FrVec3 x = fr_get3(grid->p, n);
        int32_t match = find_match(grid, x);
        same[n] = match >= 0 ? match : n;
        if (match >= 0) continue;
        uint64_t slot = slot_of(grid, cell_of(grid, x));
        grid->next[n] = grid->slot[slot];
        grid->slot[slot] = n;
    }
}

// renumber: triangles first, then the points they use, in their old order
static void compact(FrTriMesh *mesh, const int32_t *same, int32_t *number) {
    int32_t kept = 0;
    for (int32_t n = 0; n < mesh->point_count; n++) number[n] = -1;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        int32_t a = same[mesh->tri[t][0]], b = same[mesh->tri[t][1]], c = same[mesh->tri[t][2]];
        if (a == b || b == c || c == a) continue;
        number[a] = number[b] = number[c] = 0;
        mesh->tri[kept][0] = a, mesh->tri[kept][1] = b, mesh->tri[kept][2] = c;
        kept++;
    }
    mesh->tri_count = kept;
    kept = 0;
    for (int32_t n = 0; n < mesh->point_count; n++) {
        if (number[n] < 0) continue;
        fr_set3(mesh->p, kept, fr_get3(mesh->p, n));
        number[n] = kept++;
    }
    mesh->point_count = kept;
    for (int32_t t = 0; t < mesh->tri_count; t++)
        for (int k = 0; k < 3; k++) mesh->tri[t][k] = number[mesh->tri[t][k]];
}

FrResult fr_trimesh_weld(FrContext *ctx, FrTriMesh *mesh, double tolerance, int32_t *joined) {
    FR_ASSERT_IN(ctx, tolerance >= 0.0, "weld with a tolerance that is not negative");
    int32_t count = mesh->point_count;
    WeldGrid grid = {.p = mesh->p, .mask = 15};
    while (grid.mask < (uint64_t)count) grid.mask = 2 * grid.mask + 1;
    // cells must be numbered by 64-bit integers; a tolerance below rounding is none
    FrVec3 size = fr_box_size(fr_trimesh_bounds(mesh)), far = fr_vec3_zero;
    for (int32_t n = 0; n < count; n++) {
        FrVec3 x = fr_get3(mesh->p, n);
        far = fr_vec3(fr_max(far.x, fabs(x.x)), fr_max(far.y, fabs(x.y)), fr_max(far.z, fabs(x.z)));
    }
    double reach = fr_max(fr_max(far.x, far.y), fr_max(far.z, fr_length(size)));
    if (tolerance > 0.0 && reach / tolerance < 1e15)
        grid.tolerance = tolerance, grid.inverse = 1.0 / tolerance;
    grid.slot = FR_NEW(ctx, int32_t, grid.mask + 1);
    grid.next = FR_NEW(ctx, int32_t, count);
    int32_t *same = FR_NEW(ctx, int32_t, count);
    FrResult result = grid.slot && grid.next && same ? FR_OK : fr_no_memory(ctx, "welding");
    if (result == FR_OK) {
        for (uint64_t k = 0; k <= grid.mask; k++) grid.slot[k] = -1;
        match_points(&grid, count, same);
        compact(mesh, same, grid.next);
        for (int32_t n = 0; n < count && joined; n++) joined[n] = grid.next[same[n]];
        fr_free(ctx, mesh->normal);
        fr_free(ctx, mesh->uv);
        mesh->normal = mesh->uv = NULL;
    }
    fr_free(ctx, grid.slot);
    fr_free(ctx, grid.next);
    fr_free(ctx, same);
    return result;
}
