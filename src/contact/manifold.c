// manifold.c: contact points of spheres, planes and boxes; the table of pairs; clusters of
// overlaps.

#include "contact/manifold.h"
#include <string.h>

void fr_manifold_add(FrManifold *out, FrVec3 pa, FrVec3 pb, FrVec3 n) {
    if (out->count >= FR_MANIFOLD_POINTS) return;
    out->point[out->count++] = (FrManifoldPoint){pa, pb, n, fr_dot(n, fr_sub(pa, pb))};
}

static int32_t deepest_of(const FrManifoldPoint *point, int32_t count) {
    int32_t best = 0;
    for (int32_t k = 1; k < count; k++)
        if (point[k].gap < point[best].gap) best = k;
    return best;
}

static void swap_points(FrManifoldPoint *a, FrManifoldPoint *b) {
    FrManifoldPoint t = *a;
    *a = *b, *b = t;
}

int32_t fr_manifold_thin(FrManifoldPoint *point, int32_t count, int32_t most) {
    if (count <= most) return count;
    swap_points(&point[0], &point[deepest_of(point, count)]);
    for (int32_t taken = 1; taken < most; taken++) {
        int32_t best = taken;
        double far = -1.0;
        for (int32_t k = taken; k < count; k++) {
            double near = HUGE_VAL;
            for (int32_t j = 0; j < taken; j++)
                near = fr_min(near, fr_length2(fr_sub(point[k].pa, point[j].pa)));
            if (near > far) far = near, best = k;
        }
        swap_points(&point[taken], &point[best]);
    }
    return most;
}

static void sphere_sphere(const FrCollider *a, const FrCollider *b, double margin,
                          FrManifold *out) {
    FrVec3 d = fr_sub(a->x, b->x);
    double len = fr_length(d);
    if (len - a->radius - b->radius >= margin) return;
    FrVec3 n = len > 0.0 ? fr_scale(1.0 / len, d) : fr_vec3(0, 0, 1);
    fr_manifold_add(out, fr_axpy(-a->radius, n, a->x), fr_axpy(b->radius, n, b->x), n);
}

static void sphere_plane(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out) {
    double height = fr_dot(b->normal, a->x) - b->offset;
    if (height - a->radius >= margin) return;
    fr_manifold_add(out, fr_axpy(-a->radius, b->normal, a->x), fr_axpy(-height, b->normal, a->x),
                    b->normal);
}

// distance to the slab that is nearest from inside
static double inside_box(FrVec3 half, FrVec3 p, FrVec3 *normal, FrVec3 *nearest) {
    double best = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double at = fr_vec3_get(p, k), d = fabs(at) - fr_vec3_get(half, k);
        if (!(d > best)) continue;
        best = d;
        double sign = at < 0.0 ? -1.0 : 1.0;
        *normal = fr_vec3(k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0);
    }
    *nearest = fr_axpy(-best, *normal, p);
    return best;
}

double fr_manifold_in_box(FrVec3 half, FrVec3 p, FrVec3 *normal, FrVec3 *nearest) {
    FrVec3 c = fr_vec3(fr_clamp(p.x, -half.x, half.x), fr_clamp(p.y, -half.y, half.y),
                       fr_clamp(p.z, -half.z, half.z));
    FrVec3 d = fr_sub(p, c);
    double len = fr_length(d);
    if (!(len > 0.0)) return inside_box(half, p, normal, nearest);
    *normal = fr_scale(1.0 / len, d);
    *nearest = c;
    return len;
}

static void sphere_box(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out) {
    FrVec3 n, c;
    FrVec3 p = fr_mat3_apply_t(b->R, fr_sub(a->x, b->x));
    if (fr_manifold_in_box(b->half, p, &n, &c) - a->radius >= margin) return;
    n = fr_mat3_apply(b->R, n);
    fr_manifold_add(out, fr_axpy(-a->radius, n, a->x), fr_add(b->x, fr_mat3_apply(b->R, c)), n);
}

static void box_plane(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out) {
    FrVec3 n = b->normal;
    for (int k = 0; k < 8; k++) {
        FrVec3 corner = fr_vec3(k & 1 ? a->half.x : -a->half.x, k & 2 ? a->half.y : -a->half.y,
                                k & 4 ? a->half.z : -a->half.z);
        FrVec3 p = fr_add(a->x, fr_mat3_apply(a->R, corner));
        double gap = fr_dot(n, p) - b->offset;
        if (gap < margin) fr_manifold_add(out, p, fr_axpy(-gap, n, p), n);
    }
    // the four lowest; a face that lies flat has exactly those
    for (int32_t k = 0; k < out->count && k < 4; k++) {
        int32_t low = k + deepest_of(out->point + k, out->count - k);
        swap_points(&out->point[k], &out->point[low]);
    }
    out->count = fr_min_i(out->count, 4);
}

static void turn_round(FrManifold *out) {
    for (int32_t k = 0; k < out->count; k++) {
        FrManifoldPoint *p = &out->point[k];
        *p = (FrManifoldPoint){p->pb, p->pa, fr_neg(p->n), p->gap};
    }
}

typedef void PairFn(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out);

// rows: a; columns: b, never before a
static PairFn *const table[4][4] = {
    [FR_COLLIDER_SPHERE] = {[FR_COLLIDER_SPHERE] = sphere_sphere,
                            [FR_COLLIDER_BOX] = sphere_box,
                            [FR_COLLIDER_PLANE] = sphere_plane},
    [FR_COLLIDER_BOX] = {[FR_COLLIDER_BOX] = fr_manifold_box_box, [FR_COLLIDER_PLANE] = box_plane},
    [FR_COLLIDER_MESH] = {[FR_COLLIDER_SPHERE] = fr_manifold_mesh_sphere,
                          [FR_COLLIDER_MESH] = fr_manifold_mesh_mesh,
                          [FR_COLLIDER_BOX] = fr_manifold_mesh_box,
                          [FR_COLLIDER_PLANE] = fr_manifold_mesh_plane},
};

void fr_manifold(const FrCollider *a, const FrCollider *b, double margin, FrManifold *out) {
    out->count = 0;
    if (table[a->kind][b->kind]) {
        table[a->kind][b->kind](a, b, margin, out);
    } else if (table[b->kind][a->kind]) {
        table[b->kind][a->kind](b, a, margin, out);
        turn_round(out);
    }
}

FrBox fr_collider_bounds(const FrCollider *c) {
    FrVec3 r = fr_vec3(c->radius, c->radius, c->radius);
    if (c->kind == FR_COLLIDER_PLANE) {
        r = fr_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
        return (FrBox){fr_neg(r), r};
    }
    if (c->kind == FR_COLLIDER_BOX) {
        FrVec3 h = c->half;
        r.x = fabs(c->R.c0.x) * h.x + fabs(c->R.c1.x) * h.y + fabs(c->R.c2.x) * h.z;
        r.y = fabs(c->R.c0.y) * h.x + fabs(c->R.c1.y) * h.y + fabs(c->R.c2.y) * h.z;
        r.z = fabs(c->R.c0.z) * h.x + fabs(c->R.c1.z) * h.y + fabs(c->R.c2.z) * h.z;
    }
    return (FrBox){fr_sub(c->x, r), fr_add(c->x, r)};
}

static bool heavier(const FrOverlapPoint *a, const FrOverlapPoint *b) {
    return a->weight > b->weight;
}

// insertion keeps equals in the order given; overlaps of one pair are few
static void sort_heaviest_first(FrOverlapPoint *point, int32_t count) {
    for (int32_t k = 1; k < count; k++) {
        FrOverlapPoint p = point[k];
        int32_t j = k;
        for (; j > 0 && heavier(&p, &point[j - 1]); j--) point[j] = point[j - 1];
        point[j] = p;
    }
}

void fr_manifold_cluster(FrOverlapPoint *point, int32_t count, double radius, FrManifold *out) {
    out->count = 0;
    sort_heaviest_first(point, count);
    for (int32_t lead = 0; lead < count && out->count < FR_MANIFOLD_POINTS; lead++) {
        if (!(point[lead].weight > 0.0)) continue;
        FrVec3 x = fr_vec3_zero, n = fr_vec3_zero;
        FrOverlapPoint first = point[lead];
        double weight = 0.0, depth = 0.0;
        for (int32_t k = lead; k < count; k++) {
            FrOverlapPoint *p = &point[k];
            if (!(p->weight > 0.0) || fr_dot(p->n, first.n) < 0.94 || // cos 20 degrees
                fr_distance(p->x, first.x) > radius)
                continue;
            x = fr_axpy(p->weight, p->x, x);
            n = fr_axpy(p->weight, p->n, n);
            depth = fr_max(depth, p->depth);
            weight += p->weight;
            p->weight = 0.0;
        }
        x = fr_scale(1.0 / weight, x);
        n = fr_normalize(n);
        fr_manifold_add(out, fr_axpy(-0.5 * depth, n, x), fr_axpy(0.5 * depth, n, x), n);
    }
}
