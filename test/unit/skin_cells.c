// skin_cells.c: a fine surface stays closed while its tets part along faces.

#include "fem_mesh.h"
#include "base/random.h"
#include "base/table.h"
#include "geom/trimesh.h"
#include "skin/cells.h"
#include "skin/embed.h"

// a closed grid of quads wrapped round both ways
static FrTriMesh make_torus(FrContext *ctx, double R, double r, int32_t n, int32_t m) {
    FrTriMesh mesh;
    CHECK_OK(ctx, fr_trimesh_alloc(ctx, n * m, 2 * n * m, &mesh));
    for (int32_t k = 0; k < n * m; k++) {
        int32_t i = k / m, j = k % m;
        double u = 2 * FR_PI * i / n, v = 2 * FR_PI * j / m, d = R + r * cos(v);
        fr_set3(mesh.p, k, fr_vec3(d * cos(u), d * sin(u), r * sin(v)));
        int32_t b = (i + 1) % n * m + j, c = (i + 1) % n * m + (j + 1) % m, e = i * m + (j + 1) % m;
        int32_t two[2][3] = {{k, b, c}, {k, c, e}};
        memcpy(mesh.tri + 2 * k, two, sizeof two);
    }
    return mesh;
}

/// A surface in tets, and what it was.
typedef struct Dressed {
    FrContext *ctx;
    FrTetMesh mesh;
    FrEmbedded whole;
    FrCutMesh *cut;
    FrCells *cells;
} Dressed;

// a box of tets of uneven size and shape round [-1, 1] x [-1, 1] x [-0.5, 0.5]
static FrTetMesh cage_of(int cells, double uneven) {
    FrTetMesh mesh = test_box(cells, cells, cells, 1.0);
    FrRandom r = fr_random_for(5, "cage", (uint64_t)cells);
    for (int32_t n = 0; n < mesh.node_count; n++)
        for (int a = 0; a < 3; a++) {
            double *x = &mesh.x[3 * n + a];
            bool inner = *x > 0.5 && *x < cells - 0.5;
            double at = *x + (inner ? fr_random_range(&r, -uneven, uneven) : 0.0);
            *x = (at / cells - 0.5) * (a == 2 ? 1.3 : 2.6);
        }
    return mesh;
}

static Dressed dress(int cells, double uneven, FrTriMesh *surface) {
    Dressed d = {.ctx = test_context(1), .mesh = cage_of(cells, uneven)};
    FrEmbedReport report;
    CHECK_OK(d.ctx, fr_embed(d.ctx, &d.mesh, surface, &d.whole, &report));
    CHECK(report.outside_count == 0);
    CHECK_OK(d.ctx, fr_cutmesh_create(d.ctx, &d.mesh, &d.cut));
    CHECK_OK(d.ctx, fr_cells_create(d.ctx, &d.mesh, &d.whole, &d.cells));
    return d;
}

static void undress(Dressed *d) {
    fr_cells_destroy(d->cells);
    fr_cutmesh_destroy(d->cut);
    fr_embedded_free(d->ctx, &d->whole);
    test_mesh_free(&d->mesh);
    fr_context_destroy(d->ctx);
}

/// What a surface encloses at rest, and how far it is from closed.
typedef struct Shape {
    double volume, area, caps;
    int32_t bad_edges; ///< without exactly two triangles, one each way
} Shape;

static Shape shape_of(const Dressed *d, const FrEmbedded *s) {
    Shape shape = {0};
    FrTable table = {0};
    int32_t *place = calloc((size_t)s->point_count, sizeof *place);
    int32_t *count = calloc(3 * (size_t)s->tri_count, sizeof *count);
    const int32_t(*tet)[4] = (const int32_t(*)[4])d->mesh.tet;
    CHECK_OK(d->ctx, fr_embedded_places(d->ctx, fr_cutmesh_view(d->cut), s, place));
    CHECK(fr_table_reserve(d->ctx, &table, 3 * s->tri_count));
    for (int32_t t = 0; t < s->tri_count; t++) {
        FrVec3 p[3];
        for (int i = 0; i < 3; i++) p[i] = fr_point_carried(tet, &s->at[s->tri[t][i]], d->mesh.x);
        double area = 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
        shape.volume += fr_dot(p[0], fr_cross(p[1], p[2])) / 6.0;
        shape.area += area;
        if (t >= s->tri_count - s->closing_count) shape.caps += area;
        for (int i = 0; i < 3; i++) {
            uint64_t a = (uint64_t)place[s->tri[t][i]], b = (uint64_t)place[s->tri[t][(i + 1) % 3]];
            count[fr_table_add(&table, a << 32 | b, 3 * t + i)]++;
        }
    }
    for (int32_t t = 0; t < s->tri_count; t++)
        for (int i = 0; i < 3; i++) {
            uint64_t a = (uint64_t)place[s->tri[t][i]], b = (uint64_t)place[s->tri[t][(i + 1) % 3]];
            int32_t one = fr_table_find(&table, a << 32 | b);
            int32_t other = fr_table_find(&table, b << 32 | a);
            shape.bad_edges += a == b || other < 0 || count[one] != 1 || count[other] != 1;
        }
    fr_table_free(d->ctx, &table);
    free(place), free(count);
    return shape;
}

// tets part round a node that is drawn, across a plane that is drawn; false: nothing opened
static bool separate(Dressed *d, FrRandom *r) {
    FrSplitOptions options = fr_split_options_default();
    options.along_faces = true;
    options.snap_distance = options.snap_angle = options.back_angle = options.straight = 0.0;
    FrCutLog log = {0};
    FrSplitResult result;
    int32_t nodes = fr_cutmesh_view(d->cut)->node_count;
    fr_cutlog_init(&log, nodes);
    FrVec3 normal = fr_normalize(test_vec(r, 1.0));
    CHECK_OK(d->ctx,
             fr_cutmesh_split(d->cut, fr_random_below(r, nodes), normal, &options, &log, &result));
    fr_cutlog_free(d->ctx, &log);
    return result.outcome == FR_SPLIT_DONE;
}

// separations until `wanted` were made, the surface looked at after each
static int tear(Dressed *d, int wanted, uint64_t seed) {
    FrRandom r = fr_random_for(seed, "tear", 0);
    Shape first = shape_of(d, fr_cells_surface(d->cells)), now = first;
    Shape whole = shape_of(d, &d->whole);
    int made = 0, bad = 0;
    double volume = 0.0, area = 0.0;
    CHECK(first.bad_edges == 0);
    // model: where surface and tets meet in corners, points lie where a grid of 4e-6 has them
    CHECK_CLOSE(first.volume, whole.volume, 2e-5);
    CHECK_CLOSE(first.area, whole.area, 2e-5);
    for (int tries = 0; made < wanted && tries < 20 * wanted; tries++) {
        if (!separate(d, &r)) continue;
        made++;
        fr_cutmesh_clock(d->cut, 0.01 * made);
        CHECK_OK(d->ctx, fr_cells_follow(d->cells, d->cut, NULL));
        now = shape_of(d, fr_cells_surface(d->cells));
        bad += now.bad_edges;
        volume = fr_max(volume, fabs(now.volume - first.volume));
        area = fr_max(area, fabs(now.area - first.area - now.caps));
    }
    printf("  %d separations: %d triangles, caps of %.3f m^2 over a surface of %.3f; volume off by "
           "%.1e of itself, area by %.1e; bad edges %d\n",
           made, fr_cells_surface(d->cells)->tri_count, now.caps, first.area, volume / first.volume,
           area / first.area, bad);
    CHECK(bad == 0);
    CHECK(volume < 1e-9 * first.volume); // promise
    CHECK(area < 1e-9 * first.area);     // promise: it grows by both sides of the caps
    return made;
}

// Two triangles at every edge, the volume stays, the area grows by the caps: through a thousand
// random separations of a torus and of a ball                        [S5 section 5.2] [M13]
TEST(it_stays_closed_through_a_thousand_separations) {
    int made = 0;
    for (int k = 0; k < 4; k++) {
        FrContext *ctx = test_context(1);
        FrTriMesh torus = make_torus(ctx, 0.75, 0.35, 48, 24);
        Dressed d = dress(k % 2 ? 5 : 8, k < 2 ? 0.2 : 0.0, &torus);
        made += tear(&d, 250, (uint64_t)k);
        undress(&d);
        fr_trimesh_free(ctx, &torus);
        fr_context_destroy(ctx);
    }
    CHECK(made == 1000);
}

// all faces open: each tet has its own closed cell, and together they are the solid
TEST(every_tet_has_a_cell) {
    FrContext *ctx = test_context(1);
    FrTriMesh torus = make_torus(ctx, 0.75, 0.35, 40, 20);
    Dressed d = dress(4, 0.25, &torus);
    FrRandom r = fr_random_for(1, "all", 0);
    for (int k = 0; k < 4000; k++) separate(&d, &r);
    Shape first = shape_of(&d, fr_cells_surface(d.cells));
    CHECK_OK(d.ctx, fr_cells_follow(d.cells, d.cut, NULL));
    Shape now = shape_of(&d, fr_cells_surface(d.cells));
    printf("  %d nodes of %d: bad edges %d, caps of %.3f m^2\n", fr_cutmesh_view(d.cut)->node_count,
           4 * d.mesh.tet_count, now.bad_edges, now.caps);
    CHECK(now.bad_edges == 0);
    CHECK_CLOSE(now.volume, first.volume, 1e-9);        // rounding
    CHECK_CLOSE(now.area, first.area + now.caps, 1e-9); // rounding
    undress(&d);
    fr_trimesh_free(ctx, &torus);
    fr_context_destroy(ctx);
}

// what is not closed, or not in the tets, is refused with its place
TEST(what_cannot_stay_closed_is_refused) {
    FrContext *ctx = test_context(1);
    FrTriMesh torus = make_torus(ctx, 0.75, 0.35, 24, 12);
    FrTetMesh mesh = cage_of(5, 0.2);
    FrEmbedded whole;
    FrCells *cells;
    CHECK_OK(ctx, fr_embed(ctx, &mesh, &torus, &whole, NULL));
    whole.tri_count--;
    CHECK(fr_cells_create(ctx, &mesh, &whole, &cells) == FR_BAD_INPUT && !cells);
    CHECK(strstr(fr_context_message(ctx), "not closed"));
    fr_embedded_free(ctx, &whole);
    for (int32_t k = 0; k < 3 * torus.point_count; k++) torus.p[k] *= 1.25;
    CHECK_OK(ctx, fr_embed(ctx, &mesh, &torus, &whole, NULL));
    CHECK(fr_cells_create(ctx, &mesh, &whole, &cells) == FR_BAD_INPUT && !cells);
    CHECK(strstr(fr_context_message(ctx), "tets"));
    fr_embedded_free(ctx, &whole);
    test_mesh_free(&mesh);
    fr_trimesh_free(ctx, &torus);
    fr_context_destroy(ctx);
}
