// regions_stress.c: regions follow the stress: square cuts in a pulled bar, radial shards in a pane
// that is hit in its middle, and the same in any frame.                                   [M34]

#include "regions_kit.h"
#include "mesh/tetmesh.h"

/// a facet and the middle of it
typedef struct Seen {
    int32_t a, b; ///< regions, the lower first
    double area;  ///< m^2
    FrVec3 x, n;  ///< m; unit
} Seen;

typedef struct Crack {
    Seen *facet; ///< malloc (count)
    int32_t count;
    double area; ///< m^2
} Crack;

static Crack crack_of(const RegionBody *b) {
    Crack c = {.facet = malloc(sizeof(Seen) * FR_REGION_FACETS * (size_t)b->mesh.tet_count)};
    for (int32_t e = 0; e < b->mesh.tet_count; e++) {
        RegionFacet facet[FR_REGION_FACETS];
        int32_t label[4];
        int count = region_facets(b, e, label, facet);
        for (int k = 0; k < count; k++) {
            const RegionFacet *f = &facet[k];
            int32_t i = label[f->a], j = label[f->b];
            FrVec3 sum = fr_add(fr_add(f->corner[0], f->corner[1]), f->corner[2]);
            Seen s = {fr_min_i(i, j), fr_max_i(i, j), fr_region_facet_area(f),
                      fr_scale(1.0 / 3.0, sum), region_facet_normal(f)};
            c.facet[c.count++] = s;
            c.area += s.area;
        }
    }
    return c;
}

/// share of the crack's area whose normal is within `degrees` of the x axis
static double share_along_x(const Crack *c, double degrees) {
    double area = 0.0;
    for (int32_t k = 0; k < c->count; k++)
        if (fabs(c->facet[k].n.x) >= cos(degrees * FR_PI / 180.0)) area += c->facet[k].area;
    return area / c->area;
}

static RegionBody pulled_bar(FrContext *ctx) {
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_scattered_box(ctx, fr_vec3(0.3, 0.03, 0.03), 0.006, 5, &mesh));
    RegionBody b = region_body(ctx, mesh, 1.0);
    for (int32_t n = 0; n < mesh.node_count; n++) b.stress[n].xx = 1e6;
    b.def.apart = 0.03;
    b.def.most = 6;
    return b;
}

// seeds lie a width apart or more; along the bar, across it and everywhere between
TEST(a_pulled_bar_is_cut_square) {
    FrContext *ctx = make_context(1);
    RegionBody b = pulled_bar(ctx);
    double square[2] = {0.0, 0.0};
    for (int k = 0; k < 10; k++) {
        b.def.seed = (uint64_t)(k / 2);
        b.def.stretch = k % 2 ? 5.0 : 0.0;
        region_grow(&b);
        CHECK_INT(region_pieces(&b), b.labels.count);
        Crack c = crack_of(&b);
        square[k % 2] += 0.2 * share_along_x(&c, 10.0);
        free(c.facet);
    }
    region_free(&b);
    printf("  within 10 degrees of square: %.0f %% of the area, %.0f %% without stress\n",
           100.0 * square[1], 100.0 * square[0]);
    CHECK(square[1] > 0.9);  // mesh: cut points keep off nodes, which tilts some facets
    CHECK(square[0] < 0.55); // plain S7 does not know
    fr_context_destroy(ctx);
}

static bool same_labels(const FrLabels *a, const FrLabels *b) {
    return a->count == b->count &&
           !memcmp(a->label, b->label, sizeof *a->label * (size_t)a->node_count);
}

// pulled alike in all directions, or in two, or pressed: no direction is special
TEST(stress_without_direction_changes_nothing) {
    static const FrSym3 even[3] = {
        {2e6, 2e6, 2e6, 0, 0, 0}, {1e6, 1e6, -3e6, 0, 0, 0}, {-1e6, -2e6, -3e6, 0, 0, 0}};
    FrContext *ctx = make_context(1);
    for (int k = 0; k < 3; k++) {
        RegionBody a = pulled_bar(ctx), b = pulled_bar(ctx);
        for (int32_t n = 0; n < a.mesh.node_count; n++) a.stress[n] = b.stress[n] = even[k];
        a.def.most = b.def.most = 30;
        a.def.apart = b.def.apart = 0.0;
        b.def.stretch = 8.0;
        region_grow(&a);
        region_grow(&b);
        CHECK_INT(a.labels.count, 30);
        CHECK(same_labels(&a.labels, &b.labels));
        region_free(&a);
        region_free(&b);
    }
    fr_context_destroy(ctx);
}

static FrSym3 turned(FrMat3 Q, FrSym3 s) {
    return fr_mat3_sym(fr_mat3_mul(Q, fr_mat3_mul(fr_sym3_full(s), fr_mat3_transpose(Q))));
}

// body, stress and grain turn, labels stay
TEST(turned_bodies_break_the_same) {
    FrContext *ctx = make_context(1);
    FrMat3 Q = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0.3, 0.5, -0.8)));
    RegionBody b[2];
    for (int k = 0; k < 2; k++) {
        b[k] = pulled_bar(ctx);
        FrSym3 *grain = FR_NEW(ctx, FrSym3, b[k].mesh.tet_count);
        for (int32_t e = 0; e < b[k].mesh.tet_count; e++) grain[e] = (FrSym3){2, 5, 1, 0, 1, 0};
        for (int32_t n = 0; n < b[k].mesh.node_count; n++) {
            FrVec3 x = fr_get3(b[k].mesh.x, n);
            b[k].density[n] = 1.0 + 100.0 * fabs(x.x);
            b[k].stress[n] = (FrSym3){1.0, 10.0 * x.x, 0.2, 0.0, 3.0 * x.x, 0.4};
            if (k) b[k].stress[n] = turned(Q, b[k].stress[n]);
        }
        for (int32_t e = 0; k && e < b[k].mesh.tet_count; e++) grain[e] = turned(Q, grain[e]);
        if (k) CHECK_OK(ctx, fr_tetmesh_transform(ctx, &b[k].mesh, Q, fr_vec3(1, 2, 3)));
        b[k].def.grain = grain;
        b[k].def.stretch = 5.0;
        b[k].def.most = 25;
        b[k].def.apart = 0.0;
        region_grow(&b[k]);
        fr_free(ctx, grain);
    }
    CHECK_INT(b[0].labels.count, 25);
    CHECK(same_labels(&b[0].labels, &b[1].labels));
    // rounding: of places 3 m from the origin, and what fronts leave out
    for (int32_t n = 0; n < b[0].mesh.node_count; n++)
        CHECK_NEAR(b[0].labels.key[n], b[1].labels.key[n], 1e-7);
    region_free(&b[0]);
    region_free(&b[1]);
    fr_context_destroy(ctx);
}

// grain alone does what its metric says: across it, regions grow slower
TEST(grain_stretches_regions) {
    FrContext *ctx = make_context(1);
    RegionBody b = pulled_bar(ctx);
    FrSym3 *grain = FR_NEW(ctx, FrSym3, b.mesh.tet_count);
    for (int32_t e = 0; e < b.mesh.tet_count; e++) grain[e] = (FrSym3){36, 1, 1, 0, 0, 0};
    b.def.grain = grain;
    region_grow(&b);
    Crack with = crack_of(&b);
    // the metric that tension along x gives with g = 5
    b.def.grain = NULL;
    b.def.stretch = 5.0;
    FrLabels labels = b.labels;
    b.labels = (FrLabels){0};
    region_grow(&b);
    CHECK(same_labels(&labels, &b.labels));
    CHECK(share_along_x(&with, 10.0) > 0.85); // mesh: cut points keep off nodes
    free(with.facet);
    fr_labels_free(ctx, &labels);
    fr_free(ctx, grain);
    region_free_all(&b);
}

// a strip that is bent is pulled on one side only, but it is one wall: ways along it are stretched
// on both sides, with two layers of cells and with five
TEST(a_bent_wall_is_stretched_all_through) {
    for (int layers = 2; layers <= 5; layers += 3) {
        FrTetMesh mesh;
        FrContext *ctx = make_context(1);
        CHECK_OK(ctx, fr_mesh_scattered_box(ctx, fr_vec3(0.2, 0.05, 0.005), 0.005, layers, &mesh));
        RegionBody b = region_body(ctx, mesh, 1.0);
        for (int32_t n = 0; n < mesh.node_count; n++) b.stress[n].xx = 1e9 * fr_get3(mesh.x, n).z;
        const FrVec3 p = {-0.099, 0.0, 0.0};
        b.def.stretch = 5.0;
        b.def.chosen = &p;
        b.def.chosen_count = b.def.most = 1;
        region_grow(&b);
        double least = HUGE_VAL;
        for (int32_t n = 0; n < mesh.node_count; n++) {
            double along = fr_get3(mesh.x, n).x - p.x;
            if (along > 0.15) least = fr_min(least, b.labels.key[n] / (6.0 * along));
        }
        printf("  %d layers: %.3f of the stretched length\n", layers, least);
        CHECK(least > 0.98); // mesh: the front slips along cells with less tension
        region_free_all(&b);
    }
}

// --- a pane that is hit in its middle

#define PANE 0.3 // m

static RegionBody hit_pane(FrContext *ctx) {
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_scattered_box(ctx, fr_vec3(PANE, PANE, 0.006), 0.01, 2, &mesh));
    RegionBody b = region_body(ctx, mesh, 80.0);
    region_bend(&b,
                (RegionPlate){
                    .outer = 0.5 * PANE * sqrt(2.0), .inner = 0.006, .thick = 0.006, .P = 3000.0});
    b.def.stretch = 5.0;
    b.def.energy = 2.0; // J: 250 cm^2, some 40 shards
    b.def.apart = 0.004;
    b.def.smallest = 1e-7;
    return b;
}

/// borders of two regions that reach half the radius and are radial there, within 30 degrees
static int32_t radial_borders(const Crack *c) {
    int32_t count = 0, pair[200][2];
    for (int32_t k = 0; k < c->count && count < 200; k++) {
        const Seen *s = &c->facet[k];
        double r = sqrt(s->x.x * s->x.x + s->x.y * s->x.y);
        if (fabs(r - 0.25 * PANE) > 0.005) continue; // a cell's width round the circle
        if (fabs(s->n.x * s->x.x + s->n.y * s->x.y) > 0.5 * r) continue;
        bool known = false;
        for (int32_t j = 0; j < count; j++) known |= pair[j][0] == s->a && pair[j][1] == s->b;
        if (known) continue;
        pair[count][0] = s->a;
        pair[count++][1] = s->b;
    }
    return count;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// median volume of the regions with centres inside (or outside) of a third of the radius, m^3
static double median_volume(const RegionBody *b, bool inside, int32_t *count) {
    FrVec3 *centre;
    double *volume = region_volumes(b, &centre);
    *count = 0;
    for (int32_t r = 0; r < b->labels.count; r++) {
        bool is = sqrt(centre[r].x * centre[r].x + centre[r].y * centre[r].y) < PANE / 6.0;
        if (is == inside) volume[(*count)++] = volume[r];
    }
    qsort(volume, (size_t)*count, sizeof *volume, by_size);
    double median = *count ? volume[*count / 2] : 0.0;
    free(volume);
    free(centre);
    return median;
}

/// What ten breaks of a pane look like.
typedef struct Ten {
    int32_t least_radial; ///< borders
    double regions;       ///< mean
    double inner_share,
        worst; ///< median volume within a third of the radius over that outside: mean, most
} Ten;

static Ten break_ten(RegionBody *b) {
    Ten ten = {.least_radial = 1000};
    for (int k = 0; k < 10; k++) {
        b->def.seed = (uint64_t)k;
        region_grow(b);
        CHECK_INT(region_pieces(b), b->labels.count);
        Crack c = crack_of(b);
        int32_t inner, outer;
        double r = median_volume(b, true, &inner) / median_volume(b, false, &outer);
        CHECK(inner >= 3 && outer >= 3);
        ten.least_radial = fr_min_i(ten.least_radial, radial_borders(&c));
        ten.regions += 0.1 * b->labels.count;
        ten.inner_share += 0.1 * r;
        ten.worst = fr_max(ten.worst, r);
        free(c.facet);
    }
    printf("  %.1f shards, %d or more radial borders at half the radius, median volume "
           "within a third over that outside: mean %.3f, at most %.3f\n",
           ten.regions, (int)ten.least_radial, ten.inner_share, ten.worst);
    return ten;
}

// what a pane that was hit looks like. The paper's exponent makes the inner shards a quarter as
// large as the outer ones, give or take some; 0.4 makes them clearly smaller
TEST(a_pane_falls_into_radial_shards) {
    FrContext *ctx = make_context(1);
    RegionBody b = hit_pane(ctx);
    Ten ten = break_ten(&b);
    CHECK(ten.least_radial >= 5);
    CHECK(ten.inner_share <= 0.25);
    region_free(&b);
    fr_context_destroy(ctx);
}

// --- borders are smooth

typedef struct Edge {
    uint64_t a, b; ///< hashes of the ends
    int32_t facet;
} Edge;

static int edge_order(const void *x, const void *y) {
    const Edge *e = x, *f = y;
    if (e->a != f->a) return e->a < f->a ? -1 : 1;
    if (e->b != f->b) return e->b < f->b ? -1 : 1;
    return (e->facet > f->facet) - (e->facet < f->facet);
}

// place on a grid of 1e-9 m: facets of neighbouring tets share edges to rounding
static uint64_t place_key(FrVec3 x) {
    uint64_t h = 0;
    const double v[3] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; i++)
        h = (h ^ (uint64_t)llround(v[i] * 1e9 + 0.37)) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static int32_t tet_facets(const RegionBody *b, int32_t e, Edge *edge, Seen *seen, int32_t at) {
    RegionFacet facet[FR_REGION_FACETS];
    int32_t label[4];
    int count = region_facets(b, e, label, facet);
    for (int k = 0; k < count; k++) {
        seen[at + k] = (Seen){.a = fr_min_i(label[facet[k].a], label[facet[k].b]),
                              .b = fr_max_i(label[facet[k].a], label[facet[k].b]),
                              .area = fr_region_facet_area(&facet[k]),
                              .n = region_facet_normal(&facet[k])};
        for (int i = 0; i < 3; i++) {
            uint64_t p = place_key(facet[k].corner[i]), q = place_key(facet[k].corner[(i + 1) % 3]);
            edge[3 * (at + k) + i] = (Edge){p < q ? p : q, p < q ? q : p, at + k};
        }
    }
    return count;
}

// angles between facets of one border that share an edge, degrees; the median
static double median_angle(const RegionBody *b) {
    size_t room = FR_REGION_FACETS * (size_t)b->mesh.tet_count;
    Seen *seen = malloc(sizeof *seen * room);
    Edge *edge = malloc(sizeof *edge * 3 * room);
    double *angle = malloc(sizeof *angle * 3 * room);
    int32_t facets = 0, count = 0;
    for (int32_t e = 0; e < b->mesh.tet_count; e++) facets += tet_facets(b, e, edge, seen, facets);
    qsort(edge, 3 * (size_t)facets, sizeof *edge, edge_order);
    for (int32_t k = 1; k < 3 * facets; k++) {
        const Seen *s = &seen[edge[k - 1].facet], *t = &seen[edge[k].facet];
        if (edge[k].a != edge[k - 1].a || edge[k].b != edge[k - 1].b) continue;
        if (s->a != t->a || s->b != t->b) continue;
        angle[count++] = acos(fr_min(fabs(fr_dot(s->n, t->n)), 1.0)) * 180.0 / FR_PI;
    }
    CHECK(count > facets / 2);
    qsort(angle, (size_t)count, sizeof *angle, by_size);
    double median = angle[count / 2];
    free(seen);
    free(edge);
    free(angle);
    return median;
}

/// share of crack area within a degree of a face of its tet
static double share_on_faces(const RegionBody *b) {
    double on = 0.0, all = 0.0;
    for (int32_t e = 0; e < b->mesh.tet_count; e++) {
        RegionFacet facet[FR_REGION_FACETS];
        int32_t label[4];
        int count = region_facets(b, e, label, facet);
        for (int k = 0; k < count; k++) {
            double area = fr_region_facet_area(&facet[k]), near = 0.0;
            FrVec3 n = region_facet_normal(&facet[k]);
            for (int i = 0; i < 4; i++) {
                FrVec3 x[3];
                for (int j = 0; j < 3; j++)
                    x[j] = fr_get3(b->mesh.x, b->mesh.tet[e][fr_tet_face[i][j]]);
                FrVec3 m = fr_normalize(fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
                near = fr_max(near, fabs(fr_dot(n, m)));
            }
            all += area;
            on += near > cos(FR_PI / 180.0) ? area : 0.0;
        }
    }
    return on / all;
}

// shards are not tets: borders run through them, and smoothly
TEST(borders_are_smooth) {
    FrContext *ctx = make_context(1);
    RegionBody pane = hit_pane(ctx);
    const int32_t n[3] = {16, 16, 16};
    RegionBody block = region_box(ctx, fr_vec3(0.1, 0.1, 0.1), n, 1.0);
    block.def.most = 30;
    RegionBody *both[2] = {&pane, &block};
    for (int k = 0; k < 2; k++) {
        region_grow(both[k]);
        double angle = median_angle(both[k]), on = share_on_faces(both[k]);
        printf("  %s: %d regions, facets meet at %.1f degrees (median), %.1f %% lie on faces\n",
               k ? "block" : "pane", both[k]->labels.count, angle, 100.0 * on);
        CHECK(angle <= 15.0);
        CHECK(on <= 0.05);
        region_free(both[k]);
    }
    fr_context_destroy(ctx);
}
