// narrow.c: the overlap of one candidate pair as a contact: volume, place, direction [S6 s. 5.3,
// M10].

#include "contact/contact_scene.h"
#include "contact/contact_tuning.h"

// (a, b, part of a, part of b) in one number where they fit, so that sorting by it groups pairs of
// items; otherwise a hash with the top bit set
uint64_t fr_contact_key(int32_t a, int32_t b, int32_t part_a, int32_t part_b) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b, ta = (uint64_t)(part_a + 1),
             tb = (uint64_t)(part_b + 1);
    if (ua < 1u << 10 && ub < 1u << 11 && ta < 1u << 21 && tb < 1u << 21)
        return ua << 53 | ub << 42 | ta << 21 | tb;
    uint64_t word[2] = {ua << 32 | ub, ta << 32 | tb}, h = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 2; k++) {
        h = (h ^ word[k]) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
        h *= 0xd6e8feb86659fd93u;
        h ^= h >> 29;
    }
    return h | 1ull << 63;
}

static int order_i(int32_t x, int32_t y) { return x < y ? -1 : x > y; }

int fr_contact_order(const FrContact *x, const FrContact *y) {
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    int order = order_i(x->a, y->a);
    if (!order) order = order_i(x->b, y->b);
    if (!order) order = order_i(x->pa.tet, y->pa.tet);
    if (!order) order = order_i(x->pb.tet, y->pb.tet);
    return order;
}

static FrPoint point_on_shape(const FrContactItem *item, FrVec3 x) {
    FrVec3 r = item->kind == FR_ITEM_SPHERE ? fr_sub(x, item->centre) : x;
    FrPoint point = {-1, {r.x, r.y, r.z, 0.0}};
    return point;
}

static FrPoint point_in_tet(const FrContactBody *body, int32_t leaf, FrVec3 x) {
    FrPoint point = {body->leaf_tet[leaf], {0, 0, 0, 0}};
    fr_clip_tet_weights(&body->frame[leaf], x, point.b);
    return point;
}

// all but key, points, direction and depth
static FrContact begin(const FrContactPair *pair, const FrOverlap *overlap) {
    FrContact c = {.a = pair->a,
                   .b = pair->b,
                   .x = overlap->centroid,
                   .area_normal = overlap->push,
                   .volume = overlap->volume,
                   .area = fr_length(overlap->push)};
    return c;
}

static double reach_of(const FrClipTet *tet, FrVec3 n) {
    double most = -HUGE_VAL;
    for (int i = 0; i < 4; i++) most = fr_max(most, fr_dot(n, fr_clip_tet_corner(tet, i)));
    return most;
}

// Volume over surface is a depth where a surface is crossed. What is all but swallowed, or pierces
// a thin wall, has hardly any that does not cancel: then it is no deeper than its way out.
static double depth_of(const FrContact *c, double way) {
    double area = fr_length(c->area_normal);
    return c->volume < fr_max(0.0, way) * area ? c->volume / area : fr_max(0.0, way);
}

// one solid swallowed the other: the sum of its face normals says nothing (M10)
static bool degenerate(FrVec3 push, double area) {
    return fr_length2(push) < FR_NO_DIRECTION * area * area;
}

// outward normal of the surface face of this leaf that is nearest to x; away from the body's centre
// when the leaf has none
static FrVec3 way_out(const FrContactBody *body, int32_t leaf, FrVec3 x) {
    const FrClipTet *tet = &body->frame[leaf];
    double nearest = HUGE_VAL;
    FrVec3 out = fr_normalize(fr_sub(x, body->centre));
    for (int face = 0; face < 4; face++) {
        if (!(tet->open >> face & 1)) continue;
        FrClipPlane plane = fr_clip_tet_face(tet, face);
        double len = fr_length(plane.n), depth = (plane.c - fr_dot(plane.n, x)) / len;
        if (!(depth < nearest)) continue;
        nearest = depth;
        out = fr_scale(1.0 / len, plane.n);
    }
    return out;
}

// the direction of `push`; where that says nothing, that in which a was last pushed
static FrVec3 direction(const FrContactScene *scene, const FrContact *c, FrVec3 push, double area,
                        FrVec3 otherwise) {
    if (!degenerate(push, area)) return fr_normalize(push);
    const FrVec3 *past = fr_contact_past(scene, c);
    if (past) return *past;
    return fr_length2(otherwise) > 0.0 ? otherwise : fr_vec3(0.0, 0.0, 1.0);
}

static double span(const FrContactBody *body) {
    FrBox box = fr_aabb_bounds(&body->tree);
    return fr_length2(fr_box_size(box));
}

// Which way a goes where no surface is in the overlap. Out of the larger tet where the other is
// wholly inside it; out of both surfaces that tets have; between tets that have none, out of the
// smaller body.
static FrVec3 way_apart(const FrContactBody *a, const FrContactBody *b, int32_t leaf_a,
                        int32_t leaf_b, const FrOverlap *overlap) {
    const FrClipTet *ta = &a->frame[leaf_a], *tb = &b->frame[leaf_b];
    FrVec3 x = overlap->centroid, out_a = way_out(a, leaf_a, x), out_b = way_out(b, leaf_b, x);
    FrVec3 n = fr_sub(out_b, out_a);
    bool of_b = ta->volume < tb->volume;
    if (!ta->open != !tb->open)
        of_b = tb->open != 0;
    else if (!ta->open)
        of_b = span(b) < span(a);
    else if (!degenerate(overlap->push, overlap->area) && fr_length2(n) > 1.0)
        return fr_normalize(n);
    return of_b ? out_b : fr_neg(out_a);
}

static int32_t tet_plane(const FrContactScene *scene, const FrContactPair *pair, int32_t leaf,
                         FrContact *out) {
    const FrContactBody *a = &scene->item.data[pair->a].body;
    const FrContactItem *plane = &scene->item.data[pair->b];
    FrOverlap overlap;
    if (!fr_overlap_tet_plane(&a->frame[leaf], plane->normal, plane->offset, &overlap)) return 0;
    *out = begin(pair, &overlap);
    out->pa = point_in_tet(a, leaf, overlap.centroid);
    out->pb = point_on_shape(plane, overlap.centroid);
    out->key = fr_contact_key(pair->a, pair->b, out->pa.tet, -1);
    out->n = plane->normal;
    out->below = plane->offset - fr_dot(plane->normal, overlap.centroid);
    out->depth = depth_of(out, plane->offset + reach_of(&a->frame[leaf], fr_neg(out->n)));
    return 1;
}

static int32_t tet_sphere(const FrContactScene *scene, const FrContactPair *pair, int32_t leaf,
                          FrContact *out) {
    const FrContactBody *a = &scene->item.data[pair->a].body;
    const FrContactItem *ball = &scene->item.data[pair->b];
    FrOverlap overlap;
    if (!fr_overlap_tet_sphere(&a->frame[leaf], ball->centre, ball->radius, &overlap)) return 0;
    *out = begin(pair, &overlap);
    out->pa = point_in_tet(a, leaf, overlap.centroid);
    out->pb = point_on_shape(ball, overlap.centroid);
    out->below = ball->radius - fr_distance(overlap.centroid, ball->centre);
    out->key = fr_contact_key(pair->a, pair->b, out->pa.tet, -1);
    FrVec3 otherwise = fr_vec3_zero;
    if (degenerate(overlap.push, overlap.area)) {
        double R = ball->radius;
        bool ball_inside = a->frame[leaf].volume > 4.0 / 3.0 * FR_PI * R * R * R;
        otherwise = ball_inside ? fr_neg(way_out(a, leaf, overlap.centroid))
                                : fr_normalize(fr_sub(overlap.centroid, ball->centre));
    }
    out->n = direction(scene, out, overlap.push, overlap.area, otherwise);
    double way = ball->radius + fr_dot(out->n, ball->centre);
    out->depth = depth_of(out, way + reach_of(&a->frame[leaf], fr_neg(out->n)));
    return 1;
}

static int32_t ball_ball(const FrContactScene *scene, const FrContactPair *pair, FrContact *out) {
    const FrContactItem *a = &scene->item.data[pair->a], *b = &scene->item.data[pair->b];
    FrOverlap overlap;
    if (b->kind == FR_ITEM_PLANE) {
        if (!fr_overlap_sphere_plane(a->centre, a->radius, b->normal, b->offset, &overlap))
            return 0;
        *out = begin(pair, &overlap);
        out->n = b->normal;
        out->depth = a->radius - (fr_dot(b->normal, a->centre) - b->offset);
    } else {
        if (!fr_overlap_sphere_sphere(a->centre, a->radius, b->centre, b->radius, &overlap))
            return 0;
        FrVec3 apart = fr_sub(a->centre, b->centre);
        *out = begin(pair, &overlap);
        out->n = fr_length2(apart) > 0.0 ? fr_normalize(apart) : fr_vec3(0.0, 0.0, 1.0);
        out->depth = a->radius + b->radius - fr_length(apart);
    }
    out->pa = point_on_shape(a, overlap.centroid);
    out->pb = point_on_shape(b, overlap.centroid);
    out->key = fr_contact_key(pair->a, pair->b, -1, -1);
    return 1;
}

// how far the two leaves may travel, from now on, before they can overlap
static void note_apart(const FrContactPair *pair, int32_t k, const FrContactBody *a,
                       const FrContactBody *b, const FrClipGap *gap) {
    uint64_t c = pair->candidate.data[k];
    int32_t leaf_a = (int32_t)(c >> 32), leaf_b = (int32_t)(uint32_t)c;
    double left = FR_SURE * gap->stay;
    pair->apart.data[k] = left > 0.0 ? a->leaf_travel[leaf_a] + b->leaf_travel[leaf_b] + left : 0.0;
    pair->parting.data[k] = gap->by;
}

// Departs from S6 eq. 5.4, which sums all faces of a in the overlap: faces within a body bound
// nothing. With them, tets that are deep in each other push aside, each pair another way, and a
// heavy body falls through the surface of a soft one.
static int32_t tet_tet(const FrContactScene *scene, const FrContactPair *pair, int32_t k,
                       FrContact *out) {
    const FrContactBody *a = &scene->item.data[pair->a].body, *b = &scene->item.data[pair->b].body;
    uint64_t c = pair->candidate.data[k];
    int32_t leaf_a = (int32_t)(c >> 32), leaf_b = (int32_t)(uint32_t)c;
    FrOverlap overlap;
    FrClipGap gap = {0.0, pair->parting.data[k]};
    bool touch = fr_overlap_tet_tet(&a->frame[leaf_a], &b->frame[leaf_b], &overlap, &gap);
    note_apart(pair, k, a, b, &gap);
    if (!touch) return 0;
    *out = begin(pair, &overlap);
    out->pa = point_in_tet(a, leaf_a, overlap.centroid);
    out->pb = point_in_tet(b, leaf_b, overlap.centroid);
    out->key = fr_contact_key(pair->a, pair->b, out->pa.tet, out->pb.tet);
    FrVec3 otherwise = fr_vec3_zero;
    out->area = fr_length(overlap.apart);
    if (degenerate(overlap.apart, overlap.area))
        otherwise = way_apart(a, b, leaf_a, leaf_b, &overlap);
    out->n = direction(scene, out, overlap.apart, overlap.area, otherwise);
    out->depth = depth_of(out, overlap.way);
    return 1;
}

int32_t fr_contact_narrow(const FrContactScene *scene, const FrContactPair *pair, int32_t k,
                          FrContact *out) {
    const FrContactItem *a = &scene->item.data[pair->a], *b = &scene->item.data[pair->b];
    if (a->kind != FR_ITEM_BODY) return ball_ball(scene, pair, out);
    uint64_t c = pair->candidate.data[k];
    if (scene->options.node_penetration) return fr_contact_nodes(scene, pair, c, out);
    if (b->kind == FR_ITEM_BODY) return tet_tet(scene, pair, k, out);
    if (b->kind == FR_ITEM_PLANE) return tet_plane(scene, pair, (int32_t)(c >> 32), out);
    return tet_sphere(scene, pair, (int32_t)(c >> 32), out);
}
