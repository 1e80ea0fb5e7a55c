// split_kit.h: meshes to cut, and what must hold after every cut.
#pragma once
#include "mesh_support.h"
#include "base/random.h"
#include "base/table.h"
#include "cut/split.h"
#include "mesh/structured.h"
#include "mesh/stuffing.h"

/// A mesh that is being cut, and what its cuts must keep.
typedef struct CutTest {
    FrContext *ctx;
    FrCutMesh *cut;
    FrCutLog log;        ///< of every cut since the start
    double *v;           ///< m/s, carried by the log (3 * node_count)
    int32_t carried;     ///< nodes that `v` has
    int32_t moved;       ///< nodes that moved in it
    bool moves;          ///< splits may move nodes
    int32_t first_tets;  ///< before the first cut
    double volume, area; ///< m^3, m^2 at rest; area follows the cuts
    FrVec3 momentum, spin;
    double *height; ///< least height of each tet's ancestor in the first mesh, m
    double longest; ///< m
} CutTest;

static double kit_density(const FrTetMesh *mesh, int32_t e) {
    return mesh->region ? 1000.0 + 500.0 * mesh->region[e] : 1000.0;
}

// momentum from masses lumped at the corners, kg m/s; moment of momentum of the linear fields x and
// v integrated exactly (lumped masses do not keep it: x times v is quadratic), kg m^2/s
static void kit_momentum(const FrTetMesh *mesh, const double *v, FrVec3 *p, FrVec3 *l) {
    *p = *l = fr_vec3_zero;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        double m = kit_density(mesh, e) * fr_tet_volume(mesh, e);
        FrVec3 x_sum = fr_vec3_zero, v_sum = fr_vec3_zero, own = fr_vec3_zero;
        for (int i = 0; i < 4; i++) {
            FrVec3 xi = fr_get3(mesh->x, mesh->tet[e][i]), vi = fr_get3(v, mesh->tet[e][i]);
            x_sum = fr_add(x_sum, xi);
            v_sum = fr_add(v_sum, vi);
            own = fr_add(own, fr_cross(xi, vi));
        }
        *p = fr_axpy(m / 4, v_sum, *p);
        *l = fr_axpy(m / 20, fr_add(fr_cross(x_sum, v_sum), own), *l);
    }
}

static double tri_area(const double *x, const int32_t n[3]) {
    FrVec3 a = fr_get3(x, n[0]);
    return 0.5 * fr_length(fr_cross(fr_sub(fr_get3(x, n[1]), a), fr_sub(fr_get3(x, n[2]), a)));
}

static double surface_area(FrContext *ctx, const FrTetMesh *mesh) {
    FrSurface surface;
    double area = 0;
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, mesh, &surface));
    for (int32_t t = 0; t < surface.tri_count; t++) area += tri_area(mesh->x, surface.tri[t]);
    fr_surface_free(ctx, &surface);
    return area;
}

static double mesh_volume(const FrTetMesh *mesh) {
    double volume = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) volume += fr_tet_volume(mesh, e);
    return volume;
}

static double kit_height(const double *x, const int32_t n[4]) {
    double most = 0;
    for (int i = 0; i < 4; i++) {
        int32_t face[3] = {n[fr_tet_face[i][0]], n[fr_tet_face[i][1]], n[fr_tet_face[i][2]]};
        most = fr_max(most, tri_area(x, face));
    }
    return fr_volume6(fr_get3(x, n[0]), fr_get3(x, n[1]), fr_get3(x, n[2]), fr_get3(x, n[3])) /
           (2 * most);
}

/// Takes the mesh over.
__attribute__((unused)) static void cut_begin(CutTest *t, FrContext *ctx, FrTetMesh *mesh,
                                              uint64_t seed) {
    *t = (CutTest){.ctx = ctx, .first_tets = mesh->tet_count};
    FrRandom random = fr_random_for(seed, "velocities", 0);
    CHECK_OK(ctx, fr_cutmesh_create(ctx, mesh, &t->cut));
    fr_cutlog_init(&t->log, mesh->node_count);
    t->carried = mesh->node_count;
    t->v = malloc(3 * sizeof(double) * (size_t)mesh->node_count);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++) t->v[k] = fr_random_range(&random, -1, 1);
    t->volume = mesh_volume(mesh);
    t->area = surface_area(ctx, mesh);
    FrBox box = fr_tetmesh_bounds(mesh);
    t->longest = fr_length(fr_box_size(box));
    kit_momentum(mesh, t->v, &t->momentum, &t->spin);
    t->height = malloc(sizeof(double) * (size_t)mesh->tet_count);
    for (int32_t e = 0; e < mesh->tet_count; e++) t->height[e] = kit_height(mesh->x, mesh->tet[e]);
    fr_tetmesh_free(ctx, mesh);
}

/// From now on splits may move nodes, which keeps momentum where velocities are linear over the
/// mesh.
__attribute__((unused)) static void cut_let_move(CutTest *t) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    t->moves = true;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 x = fr_scale(1 / t->longest, fr_get3(mesh->x, n));
        fr_set3(t->v, n, fr_vec3(0.3 * x.x - 0.4 * x.y + 0.1, 0.2 * x.z, 0.5 * x.x + 0.1 * x.z));
    }
    kit_momentum(mesh, t->v, &t->momentum, &t->spin);
}

__attribute__((unused)) static void cut_end(CutTest *t) {
    fr_cutmesh_destroy(t->cut);
    fr_cutlog_free(t->ctx, &t->log);
    free(t->v);
    free(t->height);
}

// velocities of the nodes that the log has added since last time
static void carry(CutTest *t) {
    int32_t count = t->log.first_node + t->log.node_count;
    t->v = realloc(t->v, 3 * sizeof(double) * (size_t)count);
    FrCutLog later = {.nodes = t->log.nodes + (t->carried - t->log.first_node),
                      .node_count = count - t->carried,
                      .first_node = t->carried,
                      .moves = t->log.moves + t->moved,
                      .move_count = t->log.move_count - t->moved};
    fr_cutlog_apply_positions(&later, t->v);
    t->carried = count;
    t->moved = t->log.move_count;
}

static double corner_volume(const double *x, const int32_t n[4]) {
    return fr_volume6(fr_get3(x, n[0]), fr_get3(x, n[1]), fr_get3(x, n[2]), fr_get3(x, n[3])) / 6;
}

// the divisions of one split: volume goes to the children, none too small, no node out of place
__attribute__((unused)) static void check_divisions(CutTest *t, int32_t tet0, int32_t node0,
                                                    const FrSplitOptions *options) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    t->height = realloc(t->height, sizeof(double) * (size_t)mesh->tet_count);
    for (int32_t k = tet0; k < t->log.tet_count;) {
        const FrSplitTet *first = &t->log.tets[k];
        double parent = corner_volume(mesh->x, first->parent_node), sum = 0;
        int32_t count = 0;
        bool divided = k + 1 < t->log.tet_count && t->log.tets[k + 1].group == first->group;
        for (; k < t->log.tet_count && t->log.tets[k].group == first->group; k++, count++) {
            const FrSplitTet *s = &t->log.tets[k];
            double child = corner_volume(mesh->x, s->node);
            sum += child;
            CHECK(child > 0);
            CHECK_INT(s->parent, first->parent);
            CHECK(!memcmp(s->node, mesh->tet[s->child], sizeof s->node));
            t->height[s->child] = t->height[first->parent];
            double height = kit_height(mesh->x, s->node), ancestor = t->height[s->child];
            if (divided && height < options->min_height * ancestor * (1 - 1e-9))
                TEST_FAIL("child %d is %g of its ancestor's height", s->child, height / ancestor);
            // bisections multiply: 1e-9 is for their rounding
            if (child < options->min_quality * parent * (1 - 1e-9))
                TEST_FAIL("child %d has %g of its parent's volume", s->child, child / parent);
        }
        // volumes of differences of coordinates: 1e-16 * longest * edge^2 against edge^3 / 10
        if (!(fabs(sum - parent) <= 1e-12 * parent + 1e-15 * cbrt(parent * parent) * t->longest))
            TEST_FAIL("%d children of %d hold %.17g of %.17g m^3", count, first->parent, sum,
                      parent);
    }
    for (int32_t k = node0; k < t->log.node_count; k++) {
        const FrNewNode *n = &t->log.nodes[k];
        int32_t id = t->log.first_node + k;
        FrVec3 at = fr_lerp(fr_get3(mesh->x, n->a), fr_get3(mesh->x, n->b), n->t);
        CHECK(n->a < id && n->b < id);
        CHECK(fr_distance(at, fr_get3(mesh->x, id)) == 0); // the same arithmetic
    }
}

// the faces of one split: the two sides name the same places by different nodes, and the area is
// what the split said
__attribute__((unused)) static void check_open_faces(const CutTest *t, int32_t face0, double area) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    double sum = 0;
    for (int32_t k = face0; k < t->log.face_count; k++) {
        const FrOpenFace *f = &t->log.faces[k];
        int same = 0;
        for (int i = 0; i < 3; i++) {
            same += f->plus_node[i] == f->minus_node[i];
            CHECK(fr_distance(fr_get3(mesh->x, f->plus_node[i]),
                              fr_get3(mesh->x, f->minus_node[i])) == 0);
        }
        CHECK(same < 3);
        sum += tri_area(mesh->x, f->plus_node);
        // outward of `plus`: its fourth corner is behind the face
        FrVec3 centre = fr_vec3_zero, a = fr_get3(mesh->x, f->plus_node[0]);
        for (int i = 0; i < 4; i++)
            centre = fr_axpy(0.25, fr_get3(mesh->x, mesh->tet[f->plus][i]), centre);
        FrVec3 normal = fr_cross(fr_sub(fr_get3(mesh->x, f->plus_node[1]), a),
                                 fr_sub(fr_get3(mesh->x, f->plus_node[2]), a));
        CHECK(fr_dot(normal, fr_sub(centre, a)) < 0);
    }
    CHECK_CLOSE(sum, area, 1e-12); // rounding: sums of the same few numbers in another order
}

// the star of a node: ascending, its own, and connected through faces
__attribute__((unused)) static void check_star(const CutTest *t, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(t->cut, node, &count);
    CHECK(count > 0);
    bool *reached = calloc((size_t)count + 1, sizeof *reached);
    if (count) reached[0] = true;
    int32_t done = 0;
    for (bool more = true; more;) {
        more = false;
        for (int32_t a = 0; a < count; a++)
            for (int32_t b = 0; b < count && reached[a]; b++) {
                int shared = 0;
                for (int k = 0; k < 16; k++)
                    shared += mesh->tet[star[a]][k / 4] == mesh->tet[star[b]][k % 4];
                if (shared < 3 || reached[b]) continue;
                reached[b] = more = true;
            }
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t *n = mesh->tet[star[k]];
        done += reached[k];
        CHECK(n[0] == node || n[1] == node || n[2] == node || n[3] == node);
        CHECK(k == 0 || star[k - 1] < star[k]);
    }
    CHECK_INT(done, count);
    free(reached);
}

/// One split with every check that costs no more than the star.
__attribute__((unused)) static FrSplitResult cut_split(CutTest *t, int32_t node, FrVec3 normal,
                                                       const FrSplitOptions *options) {
    int32_t tet0 = t->log.tet_count, node0 = t->log.node_count, face0 = t->log.face_count;
    int32_t tets = fr_cutmesh_view(t->cut)->tet_count, nodes = fr_cutmesh_view(t->cut)->node_count;
    FrSplitResult result;
    FrSplitOptions set = *options;
    if (!t->moves) set.move = 0;
    CHECK_OK(t->ctx, fr_cutmesh_split(t->cut, node, normal, &set, &t->log, &result));
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    if (result.outcome != FR_SPLIT_DONE) {
        CHECK(mesh->tet_count == tets && mesh->node_count == nodes);
        CHECK(t->log.tet_count == tet0 && t->log.node_count == node0 && t->log.face_count == face0);
        CHECK(result.area == 0 && result.front_count == 0);
        return result;
    }
    CHECK(result.area > 0);
    CHECK(mesh->node_count == t->log.first_node + t->log.node_count);
    check_divisions(t, tet0, node0, options);
    check_open_faces(t, face0, result.area);
    for (int32_t k = 0; k < result.touched_count; k++) check_star(t, result.touched[k]);
    t->area += 2 * result.area;
    carry(t);
    return result;
}

// every directed edge of the surface has as many triangles as its reverse
static void check_closed(FrContext *ctx, const FrSurface *surface) {
    int32_t count = 3 * surface->tri_count, bad = 0;
    uint64_t *key = calloc((size_t)count + 1, sizeof *key);
    int8_t *sense = malloc((size_t)count + 1);
    for (int32_t k = 0; k < count; k++) {
        int32_t a = surface->tri[k / 3][k % 3], b = surface->tri[k / 3][(k + 1) % 3];
        sense[k] = a < b ? 1 : -1;
        key[k] = a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
    }
    int32_t *order;
    CHECK_OK(ctx, fr_sort_keys(ctx, key, count, &order));
    for (int32_t k = 0; k < count;) {
        uint64_t edge = key[order[k]];
        int sum = 0;
        for (; k < count && key[order[k]] == edge; k++) sum += sense[order[k]];
        bad += sum != 0;
    }
    CHECK_INT(bad, 0);
    free(key);
    free(sense);
    fr_free(ctx, order);
}

static void kit_orbit(int32_t *link, int32_t a, int32_t b) {
    while (link[a] != a) a = link[a] = link[link[a]];
    while (link[b] != b) b = link[b] = link[link[b]];
    if (a < b)
        link[b] = a;
    else
        link[a] = b;
}

// The surface as the material sees it: at each edge, triangles are paired by walking through the
// tets between them, and a node counts once per fan. Each part is then a closed orientable surface,
// whose Euler characteristic is even. Returns the sum over parts.
__attribute__((unused)) static int32_t check_euler(FrContext *ctx, const FrTetMesh *mesh) {
    int32_t(*across)[4], *id = malloc(sizeof(int32_t) * (4 * (size_t)mesh->tet_count + 1));
    CHECK_OK(ctx, fr_tet_neighbours(ctx, mesh, &across));
    int32_t faces = 0;
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++)
        id[k] = across[k / 4][k % 4] < 0 ? faces++ : -1;
    size_t size = sizeof(int32_t) * (3 * (size_t)faces + 1);
    int32_t *corner = malloc(size), *part = malloc(size), *sum = calloc(1, size);
    for (int32_t k = 0; k < 3 * faces; k++) corner[k] = part[k] = k;
    int32_t bad = 0;
    for (int32_t k = 0; k < 4 * mesh->tet_count; k++) {
        if (id[k] < 0) continue;
        for (int j = 0; j < 3; j++) {
            // round the edge from corner j to corner j + 1 of the face
            int32_t e = k / 4, i = k % 4, a = mesh->tet[e][fr_tet_face[i][j]],
                    b = mesh->tet[e][fr_tet_face[i][(j + 1) % 3]];
            for (;;) {
                int next = 0;
                while (next == i || mesh->tet[e][next] == a || mesh->tet[e][next] == b) next++;
                // leave through the other face at the edge: opposite the face's third corner
                int32_t other = across[e][next];
                if (other < 0) {
                    i = next;
                    break;
                }
                int32_t shared = mesh->tet[e][i];
                int back = 0;
                while (mesh->tet[other][back] == a || mesh->tet[other][back] == b ||
                       mesh->tet[other][back] == shared)
                    back++;
                e = other;
                i = back;
            }
            int32_t mate = id[4 * e + i];
            for (int m = 0; m < 3; m++) {
                int32_t n = mesh->tet[e][fr_tet_face[i][m]];
                if (n == a) kit_orbit(corner, 3 * id[k] + j, 3 * mate + m);
                if (n == b) kit_orbit(corner, 3 * id[k] + (j + 1) % 3, 3 * mate + m);
            }
            kit_orbit(part, id[k], mate);
        }
    }
    int32_t total = 0;
    // V - E + F with E = 3 F / 2, doubled
    for (int32_t f = 0; f < faces; f++) {
        int32_t root = f;
        while (part[root] != root) root = part[root];
        sum[root] -= 1;
        for (int j = 0; j < 3; j++) sum[root] += 2 * (corner[3 * f + j] == 3 * f + j);
    }
    for (int32_t f = 0; f < faces; f++) {
        bad += sum[f] % 4 != 0;
        total += sum[f] / 2;
    }
    CHECK_INT(bad, 0);
    fr_free(ctx, across);
    free(id);
    free(corner);
    free(part);
    free(sum);
    return total;
}

/// Everything, over the whole mesh.
__attribute__((unused)) static void check_whole(CutTest *t) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    FrMeshCheck check;
    FrSurface surface;
    CHECK_OK(t->ctx, fr_tetmesh_check(t->ctx, mesh, &check));
    CHECK_INT(check.crowded_faces, 0);
    // rounding: sums over all tets, before and after all cuts
    CHECK_CLOSE(check.volume, t->volume, 1e-12); // the promise
    // a node left hanging on a face would show as surface that no split spoke of
    CHECK_CLOSE(surface_area(t->ctx, mesh), t->area, 1e-12);
    CHECK_OK(t->ctx, fr_tetmesh_surface(t->ctx, mesh, &surface));
    check_closed(t->ctx, &surface);
    fr_surface_free(t->ctx, &surface);
    check_euler(t->ctx, mesh);
    FrVec3 p, l;
    kit_momentum(mesh, t->v, &p, &l);
    double size = 2000 * t->volume; // kg: random velocities below 1 m/s, density below 2000
    CHECK_NEAR(fr_distance(p, t->momentum), 0, 1e-12 * size);
    CHECK_NEAR(fr_distance(l, t->spin), 0, 1e-12 * size * t->longest);
}

/// the last of a test: all holds, and nothing is left
__attribute__((unused)) static void cut_done(CutTest *t) {
    check_whole(t);
    cut_end(t);
    fr_context_destroy(t->ctx);
}

typedef enum CutShape {
    CUT_BOX,
    CUT_TUBE,
    CUT_BALL,
    CUT_GRADED,
    CUT_TET,
    CUT_PLATE,
    CUT_SHAPES
} CutShape;

__attribute__((unused)) static FrResult cut_shape(FrContext *ctx, CutShape shape, FrTetMesh *mesh) {
    FrBox box = {{0, 0, 0}, {0.3, 0.2, 0.1}};
    Body body = {BALL, 0.1, 0, 0, fr_quat_identity, {0.05, 0, 0}};
    FrField field = body_field(&body);
    FrStuffingOptions stuffing = fr_stuffing_options_default(shape == CUT_BALL ? 0.05 : 0.025);
    const double x[12] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    const int32_t tet[1][4] = {{0, 1, 2, 3}};
    switch (shape) {
    case CUT_BOX: {
        FR_TRY(fr_mesh_box_cells(ctx, box, (int32_t[3]){3, 3, 2}, mesh));
        mesh->region = FR_NEW(ctx, int32_t, mesh->tet_count);
        for (int32_t e = 0; mesh->region && e < mesh->tet_count; e++) mesh->region[e] = e % 3;
        return mesh->region ? FR_OK : FR_NO_MEMORY;
    }
    case CUT_TUBE:
        return fr_mesh_tube_layers(ctx, (FrTube){0.1, 0.08, 0.2}, 0.04, 1, mesh);
    case CUT_GRADED:
        stuffing.graded = true;
        return fr_mesh_stuff(ctx, &field, &stuffing, mesh, NULL);
    case CUT_BALL:
        return fr_mesh_stuff(ctx, &field, &stuffing, mesh, NULL);
    case CUT_PLATE:
        box.hi = fr_vec3(0.3, 0.3, 0.01);
        return fr_mesh_box_cells(ctx, box, (int32_t[3]){8, 8, 1}, mesh);
    default:
        return fr_tetmesh_create(ctx, x, 4, tet, 1, mesh);
    }
}

/// cells of 1 m, to be cut
static inline void unit_box(FrContext *ctx, int32_t nx, int32_t ny, int32_t nz, CutTest *t) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {nx, ny, nz}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){nx, ny, nz}, &mesh));
    cut_begin(t, ctx, &mesh, 3);
}

static inline int32_t node_at(const CutTest *t, double x, double y, double z) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_distance(fr_get3(mesh->x, n), fr_vec3(x, y, z)) < 1e-9) return n;
    TEST_FAIL("no node at %g %g %g", x, y, z);
    return 0;
}
