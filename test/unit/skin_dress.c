// skin_dress.c: bodies that another one falls into keep its skin and its shading: closed, adding up
// to what it was, however often they break.

#include "labels_kit.h"
#include "mesh_support.h"
#include "base/table.h"
#include "cut/split_labels.h"
#include "geom/creases.h"
#include "mesh/stuffing.h"
#include "skin/dress.h"
#include "skin/embed.h"
#include "skin/embed_close.h"
#include "skin/embed_cut.h"
#include <string.h>

/// A body as it is seen.
typedef struct Thing {
    FrTetMesh mesh;
    FrSurface surface;
    FrEmbedded skin; ///< point_count 0: none
} Thing;

static void drop(FrContext *ctx, Thing *thing) {
    fr_tetmesh_free(ctx, &thing->mesh);
    fr_surface_free(ctx, &thing->surface);
    fr_embedded_free(ctx, &thing->skin);
}

/// A body in pieces.
typedef struct Broken {
    FrCutMesh *cut;
    FrPieces *pieces;
    FrCutLog log;
    FrTetPlace *place;
    int32_t count;
} Broken;

static void forget(FrContext *ctx, Broken *b) {
    fr_cutlog_free(ctx, &b->log);
    fr_pieces_destroy(b->pieces);
    fr_cutmesh_destroy(b->cut);
    free(b->place);
}

static void number_tets(Broken *b) {
    fr_pieces_table(b->pieces, &b->count);
    int32_t tets = fr_cutmesh_view(b->cut)->tet_count;
    int32_t *next = calloc((size_t)b->count, sizeof *next);
    b->place = malloc((size_t)tets * sizeof *b->place);
    for (int32_t e = 0; e < tets; e++) {
        int32_t piece = fr_pieces_of_tets(b->pieces)[e];
        b->place[e] = (FrTetPlace){piece, next[piece]++};
    }
    free(next);
}

// along regions about random seeds, at time t
static Broken break_up(FrContext *ctx, const Thing *thing, int32_t regions, double t) {
    Broken b = {0};
    FrLabelCut said;
    FrRandom random = fr_random_for(4, "dress", (uint64_t)regions);
    FrLabels labels = labels_for(ctx, thing->mesh.node_count, regions);
    FrLabelCutOptions options = fr_label_cut_options_default();
    label_by_random_seeds(&thing->mesh, &labels, &random);
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &thing->mesh, &b.cut));
    CHECK_OK(ctx, fr_pieces_create(ctx, b.cut, &b.pieces));
    fr_cutmesh_clock(b.cut, t);
    fr_cutlog_init(&b.log, thing->mesh.node_count);
    CHECK_OK(ctx, fr_cutmesh_split_labels(b.cut, &labels, &options, &b.log, &said));
    CHECK_OK(ctx, fr_pieces_follow(b.pieces, b.cut, &b.log, 0, t, NULL));
    number_tets(&b);
    fr_labels_free(ctx, &labels);
    fr_label_cut_free(ctx, &said);
    return b;
}

static FrDressCut cut_of(const Broken *b) {
    return (FrDressCut){b->cut, b->pieces, &b->log, b->place};
}

static Thing piece_of(FrContext *ctx, const Broken *b, FrDress *dress, int32_t k) {
    Thing piece;
    int32_t *tet;
    CHECK_OK(ctx, fr_tetmesh_part(ctx, fr_cutmesh_view(b->cut),
                                  (FrTetPart){fr_pieces_of_tets(b->pieces), k}, &piece.mesh, NULL,
                                  &tet));
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, &piece.mesh, &piece.surface));
    piece.surface.opened = FR_NEW(ctx, double, piece.surface.tri_count);
    for (int32_t t = 0; t < piece.surface.tri_count; t++) {
        const int32_t *tri = piece.surface.tri[t], e = piece.surface.tet[t];
        for (int i = 0; i < 4; i++) {
            int32_t n = piece.mesh.tet[e][i];
            if (n != tri[0] && n != tri[1] && n != tri[2])
                piece.surface.opened[t] = dress->opened[tet[e]][i];
        }
    }
    piece.skin = dress->skin[k];
    dress->skin[k] = (FrEmbedded){0};
    fr_free(ctx, tet);
    return piece;
}

// child (at least b.count)
static int32_t fall_apart(FrContext *ctx, const Thing *thing, int32_t regions, double t,
                          Thing *child) {
    Broken b = break_up(ctx, thing, regions, t);
    FrDressWhole whole = {&thing->mesh, &thing->surface,
                          thing->skin.point_count ? &thing->skin : NULL};
    FrDressCut cut = cut_of(&b);
    FrDress dress;
    CHECK_OK(ctx, fr_dress_pieces(ctx, &whole, &cut, &dress));
    for (int32_t k = 0; k < b.count; k++) child[k] = piece_of(ctx, &b, &dress, k);
    int32_t count = b.count;
    fr_dress_free(ctx, &dress);
    forget(ctx, &b);
    return count;
}

static double *places(const Thing *thing) {
    const FrEmbedded *s = &thing->skin;
    double *x = malloc(sizeof *x * 3 * (size_t)s->point_count);
    for (int32_t k = 0; k < s->point_count; k++)
        fr_set3(x, k,
                fr_point_carried((const int32_t(*)[4])thing->mesh.tet, &s->at[k], thing->mesh.x));
    return x;
}

static double area_of(const double *x, const int32_t tri[3]) {
    FrVec3 a = fr_get3(x, tri[0]);
    return 0.5 * fr_length(fr_cross(fr_sub(fr_get3(x, tri[1]), a), fr_sub(fr_get3(x, tri[2]), a)));
}

static double volume_of(const double *x, const int32_t tri[3]) {
    return fr_dot(fr_get3(x, tri[0]), fr_cross(fr_get3(x, tri[1]), fr_get3(x, tri[2]))) / 6;
}

/// What is drawn of a body.
typedef struct Seen {
    double outside, inside, volume; ///< m^2, m^3
    double old;                     ///< of faces that opened before 1.5 s, m^2
    int32_t open;                   ///< edges with more triangles one way than the other
} Seen;

static void run_edges(FrTable *table, int32_t *net, const int32_t v[3]) {
    for (int i = 0; i < 3; i++) {
        int32_t a = v[i], b = v[(i + 1) % 3];
        if (a == b) continue;
        uint64_t key = (uint64_t)fr_min_i(a, b) << 32 | (uint32_t)fr_max_i(a, b);
        net[fr_table_add(table, key, table->count)] += a < b ? 1 : -1;
    }
}

// the skin, and the faces that cracks opened
static Seen see(FrContext *ctx, const Thing *thing) {
    const FrEmbedded *skin = &thing->skin;
    const FrSurface *s = &thing->surface;
    Seen seen = {0};
    FrTable table = {0};
    int32_t sides = 3 * (skin->tri_count + s->tri_count);
    int32_t *place = malloc(sizeof *place * (size_t)skin->point_count);
    int32_t *net = calloc((size_t)sides, sizeof *net);
    double *x = places(thing);
    CHECK(fr_table_reserve(ctx, &table, sides));
    CHECK_OK(ctx, fr_embedded_places(ctx, &thing->mesh, skin, place));
    for (int32_t t = 0; t < skin->tri_count; t++) {
        const int32_t *tri = skin->tri[t];
        bool inside = t >= skin->tri_count - skin->closing_count;
        run_edges(&table, net, (int32_t[3]){place[tri[0]], place[tri[1]], place[tri[2]]});
        *(inside ? &seen.inside : &seen.outside) += area_of(x, tri);
        seen.volume += volume_of(x, tri);
    }
    for (int32_t t = 0; t < s->tri_count; t++) {
        if (!s->opened || s->opened[t] < 0) continue;
        run_edges(&table, net, s->tri[t]);
        seen.inside += area_of(thing->mesh.x, s->tri[t]);
        seen.volume += volume_of(thing->mesh.x, s->tri[t]);
        if (s->opened[t] < 1.5) seen.old += area_of(thing->mesh.x, s->tri[t]);
    }
    for (int32_t k = 0; k < table.count; k++) seen.open += net[k] != 0;
    fr_table_free(ctx, &table);
    free(place), free(net), free(x);
    return seen;
}

static Thing stuffed(FrContext *ctx, double cell) {
    Body body = {ROD, 1, 2, 0, fr_quat_identity, {0, 0, 0}};
    FrField field = body_field(&body);
    FrStuffingOptions options = fr_stuffing_options_default(cell);
    Thing thing = {0};
    CHECK_OK(ctx, fr_mesh_stuff(ctx, &field, &options, &thing.mesh, NULL));
    CHECK_OK(ctx, fr_tetmesh_surface(ctx, &thing.mesh, &thing.surface));
    return thing;
}

// a rod of coarse tets in a skin of fine ones, with UVs
static Thing clothed(FrContext *ctx, double cell, double finer) {
    Thing thing = stuffed(ctx, cell), fine = stuffed(ctx, finer);
    int32_t points = fine.mesh.node_count;
    double *uv = malloc(sizeof *uv * 2 * (size_t)points);
    for (int32_t k = 0; k < points; k++)
        uv[2 * k] = fine.mesh.x[3 * k], uv[2 * k + 1] = fine.mesh.x[3 * k + 2];
    FrTriMesh surface = {points, fine.surface.tri_count, fine.mesh.x, fine.surface.tri, NULL, uv};
    CHECK_OK(ctx, fr_embed(ctx, &thing.mesh, &surface, &thing.skin, NULL));
    free(uv);
    drop(ctx, &fine);
    return thing;
}

static Thing dressed(FrContext *ctx) { return clothed(ctx, 0.45, 0.15); }

#define MOST 64

// the skin is off the tets, so strips beside the cracks are in the sum
TEST(pieces_take_their_part_of_a_skin) {
    FrContext *ctx = make_context(2);
    Thing rod = dressed(ctx), child[MOST];
    Seen whole = see(ctx, &rod), sum = {0};
    int32_t count = fall_apart(ctx, &rod, 6, 1.0, child);
    CHECK(count >= 6 && count <= MOST);
    for (int32_t k = 0; k < count; k++) {
        Seen seen = see(ctx, &child[k]);
        CHECK_INT(seen.open, 0);
        CHECK(seen.outside > 0.0 && seen.inside > 0.0);
        CHECK(child[k].skin.uv && child[k].skin.normal);
        sum.outside += seen.outside;
        sum.volume += seen.volume;
        drop(ctx, &child[k]);
    }
    CHECK_INT(whole.open, 0);
    // mesh: cracks bend within a triangle of the skin, and the strips beside them with it
    CHECK_CLOSE(sum.volume, whole.volume, 0.005);
    CHECK_CLOSE(sum.outside, whole.outside, 0.03); // mesh: likewise
    drop(ctx, &rod);
    fr_context_destroy(ctx);
}

// nothing of a skin that was cut and closed is lost or had twice when it is shared out
TEST(parts_of_a_skin_add_up) {
    FrContext *ctx = make_context(1);
    Thing rod = dressed(ctx);
    Broken b = break_up(ctx, &rod, 6, 1.0);
    Thing all = {.mesh = *fr_cutmesh_view(b.cut)};
    FrEmbedded part[MOST];
    size_t bytes = (size_t)rod.skin.point_count * sizeof *rod.skin.at;
    FrPoint *at = memcpy(malloc(bytes), rod.skin.at, bytes);
    CHECK_OK(ctx, fr_cutlog_retarget(ctx, &b.log, all.mesh.x, at, rod.skin.point_count));
    CHECK_OK(ctx, fr_embedded_cut(ctx, &rod.skin, at, b.cut, b.pieces, &all.skin));
    CHECK_OK(ctx, fr_cutmesh_surface(b.cut, fr_pieces_of_tets(b.pieces), &all.surface));
    CHECK_OK(ctx, fr_embedded_close(ctx, &all.mesh, &all.surface, &all.skin));
    CHECK_OK(ctx, fr_embedded_parts(ctx, &all.skin, b.place, part, b.count));
    Seen whole = see(ctx, &all), sum = {0};
    int32_t tris = 0, closings = 0;
    for (int32_t k = 0; k < b.count; k++) {
        Thing piece = {.skin = part[k]};
        CHECK_OK(ctx, fr_tetmesh_part(ctx, &all.mesh, (FrTetPart){fr_pieces_of_tets(b.pieces), k},
                                      &piece.mesh, NULL, NULL));
        Seen seen = see(ctx, &piece);
        sum.outside += seen.outside;
        sum.inside += seen.inside;
        tris += part[k].tri_count;
        closings += part[k].closing_count;
        drop(ctx, &piece);
    }
    for (int32_t t = 0; t < all.surface.tri_count; t++)
        if (all.surface.opened[t] >= 0) sum.inside += area_of(all.mesh.x, all.surface.tri[t]);
    CHECK_INT(tris, all.skin.tri_count);
    CHECK_INT(closings, all.skin.closing_count);
    CHECK(closings > 0);
    CHECK_CLOSE(sum.outside, whole.outside, 1e-12); // rounding of a sum
    CHECK_CLOSE(sum.inside, whole.inside, 1e-12);   // likewise rounding
    free(at);
    fr_embedded_free(ctx, &all.skin);
    fr_surface_free(ctx, &all.surface);
    forget(ctx, &b);
    drop(ctx, &rod);
    fr_context_destroy(ctx);
}

// a piece that breaks again: its first cracks stay what they were, and the skin is closed again
static void check_again(Thing (*make)(FrContext *ctx), double part) {
    FrContext *ctx = make_context(1);
    Thing rod = make(ctx), child[MOST], grandchild[MOST];
    int32_t count = fall_apart(ctx, &rod, 3, 1.0, child), largest = 0;
    for (int32_t k = 1; k < count; k++)
        if (child[k].mesh.tet_count > child[largest].mesh.tet_count) largest = k;
    Seen before = see(ctx, &child[largest]), sum = {0};
    int32_t pieces = fall_apart(ctx, &child[largest], 5, 2.0, grandchild);
    CHECK(pieces >= 3);
    CHECK(before.old > 0.0);
    for (int32_t k = 0; k < pieces; k++) {
        Seen seen = see(ctx, &grandchild[k]);
        CHECK_INT(seen.open, 0);
        sum.old += seen.old;
        sum.volume += seen.volume;
        sum.outside += seen.outside;
        drop(ctx, &grandchild[k]);
    }
    CHECK_CLOSE(sum.old, before.old, 1e-12);            // rounding of a sum
    CHECK_CLOSE(sum.volume, before.volume, part);       // rounding of a sum, or the mesh: see below
    CHECK_CLOSE(sum.outside, before.outside, 6 * part); // rounding or mesh, likewise
    for (int32_t k = 0; k < count; k++) drop(ctx, &child[k]);
    drop(ctx, &rod);
    fr_context_destroy(ctx);
}

static Thing bare(FrContext *ctx) { return stuffed(ctx, 0.3); }

TEST(pieces_of_pieces_keep_a_skin) { check_again(dressed, 0.005); } // mesh: as above
TEST(pieces_of_pieces_keep_faces) { check_again(bare, 1e-12); }     // rounding of a sum

// where a point is in a triangle; false: not in it, or off its plane
static bool weights_in(const double *x, const int32_t tri[3], FrVec3 p, double w[3]) {
    FrVec3 a = fr_get3(x, tri[0]), u = fr_sub(fr_get3(x, tri[1]), a);
    FrVec3 v = fr_sub(fr_get3(x, tri[2]), a), q = fr_sub(p, a), n = fr_cross(u, v);
    double twice = fr_length2(n), size = sqrt(sqrt(twice));
    w[1] = fr_dot(n, fr_cross(q, v)) / twice;
    w[2] = fr_dot(n, fr_cross(u, q)) / twice;
    w[0] = 1.0 - w[1] - w[2];
    return fabs(fr_dot(q, n)) < 1e-9 * twice / size && w[0] > -1e-9 && w[1] > -1e-9 && w[2] > -1e-9;
}

// A body without a skin: each point of a piece has a normal that the body was shaded with there,
// and all triangles outside together are its surface.
TEST(pieces_keep_the_normals_of_a_surface) {
    FrContext *ctx = make_context(1);
    Thing rod = stuffed(ctx, 0.3), child[MOST];
    int32_t count = fall_apart(ctx, &rod, 5, 1.0, child), wrong = 0, between = 0;
    double outside = 0.0, wanted = 0.0;
    FrCorners c = {.x = rod.mesh.x,
                   .tri = (const int32_t(*)[3])rod.surface.tri,
                   .point_count = rod.mesh.node_count,
                   .tri_count = rod.surface.tri_count};
    CHECK_OK(ctx, fr_corners_make(ctx, &c));
    for (int32_t t = 0; t < c.tri_count; t++) wanted += area_of(c.x, c.tri[t]);
    for (int32_t k = 0; k < count; k++) {
        double *x = places(&child[k]);
        CHECK_INT(see(ctx, &child[k]).open, 0);
        outside += see(ctx, &child[k]).outside;
        CHECK_INT(child[k].skin.closing_count, 0);
        for (int32_t p = 0; p < child[k].skin.point_count; p++) {
            bool found = false;
            FrVec3 own = fr_get3(child[k].skin.normal, p);
            for (int32_t t = 0; t < c.tri_count && !found; t++) {
                double w[3];
                FrVec3 n = fr_vec3_zero;
                if (!weights_in(c.x, c.tri[t], fr_get3(x, p), w)) continue;
                for (int i = 0; i < 3; i++)
                    n = fr_axpy(w[i], fr_corner_normal(&c, c.tri[t][i], 3 * t + i), n);
                found = fr_distance(fr_normalize(n), own) < 1e-7; // weights to 1e-9
                between += found && fr_max(w[0], fr_max(w[1], w[2])) < 0.95;
            }
            wrong += !found;
        }
        free(x);
        drop(ctx, &child[k]);
    }
    CHECK_INT(wrong, 0);
    CHECK(between > 20);
    CHECK_CLOSE(outside, wanted, 1e-12); // rounding of a sum
    fr_corners_free(ctx, &c);
    drop(ctx, &rod);
    fr_context_destroy(ctx);
}

// two workers more make no difference
TEST(skins_do_not_depend_on_workers) {
    FrContext *one = make_context(1), *three = make_context(3);
    Thing a = dressed(one), b = dressed(three), from[MOST], other[MOST];
    int32_t count = fall_apart(one, &a, 6, 1.0, from), unlike = 0;
    CHECK_INT(fall_apart(three, &b, 6, 1.0, other), count);
    for (int32_t k = 0; k < count; k++) {
        const FrEmbedded *p = &from[k].skin, *q = &other[k].skin;
        size_t points = (size_t)p->point_count, tris = (size_t)p->tri_count;
        unlike += p->point_count != q->point_count || p->tri_count != q->tri_count ||
                  memcmp(p->tri, q->tri, sizeof *p->tri * tris) != 0 ||
                  memcmp(p->normal, q->normal, 3 * sizeof *p->normal * points) != 0 ||
                  memcmp(p->uv, q->uv, 2 * sizeof *p->uv * points) != 0;
        drop(one, &from[k]), drop(three, &other[k]);
    }
    CHECK_INT(unlike, 0);
    drop(one, &a), drop(three, &b);
    fr_context_destroy(one), fr_context_destroy(three);
}

static const Thing *refused_thing;
static const FrCutLog *refused_log;

static FrResult dress_refused(FrContext *ctx) {
    const Thing *t = refused_thing;
    FrDressWhole whole = {&t->mesh, &t->surface, t->skin.point_count ? &t->skin : NULL};
    Broken b = {0};
    FrDress dress = {0};
    FrResult result = fr_cutmesh_create(ctx, &t->mesh, &b.cut);
    if (result == FR_OK) result = fr_cutmesh_apply(b.cut, refused_log, 1.0);
    if (result == FR_OK) result = fr_pieces_create(ctx, b.cut, &b.pieces);
    if (result == FR_OK) {
        number_tets(&b);
        FrDressCut cut = {b.cut, b.pieces, refused_log, b.place};
        result = fr_dress_pieces(ctx, &whole, &cut, &dress);
    }
    fr_dress_free(ctx, &dress);
    forget(ctx, &b);
    return result;
}

TEST(lost_memory_is_told) {
    FrContext *ctx = make_context(1);
    Thing rod[2] = {clothed(ctx, 0.6, 0.4), stuffed(ctx, 0.6)};
    for (int k = 0; k < 2; k++) {
        Broken b = break_up(ctx, &rod[k], 2, 1.0);
        refused_thing = &rod[k];
        refused_log = &b.log;
        refuse_each(dress_refused);
        forget(ctx, &b);
        drop(ctx, &rod[k]);
    }
    fr_context_destroy(ctx);
}
