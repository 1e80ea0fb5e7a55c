// manifold_mesh.c: contact points of a rigid mesh against planes, spheres and boxes.

#include "contact/manifold.h"
#include "contact/contact_tuning.h"
#include <string.h>

static FrVec3 to_world(const FrCollider *c, FrVec3 p) {
    return fr_add(c->x, fr_mat3_apply(c->R, p));
}

typedef struct Few {
    FrManifoldPoint point[FR_NEAR_POINTS];
    int32_t count;
} Few;

// when full, thin out to half: the deepest and the farthest stay
static void few_add(Few *few, FrVec3 pa, FrVec3 pb, FrVec3 n, double gap) {
    if (few->count == FR_NEAR_POINTS)
        few->count = fr_manifold_thin(few->point, FR_NEAR_POINTS, FR_NEAR_POINTS / 2);
    few->point[few->count++] = (FrManifoldPoint){pa, pb, n, gap};
}

static void few_out(Few *few, FrManifold *out) {
    out->count = fr_manifold_thin(few->point, few->count, FR_MANIFOLD_POINTS);
    memcpy(out->point, few->point, (size_t)out->count * sizeof *out->point);
}

void fr_manifold_mesh_plane(const FrCollider *a, const FrCollider *b, double margin,
                            FrManifold *out) {
    if (fr_dot(b->normal, a->x) - b->offset - a->radius >= margin) return;
    // heights in the axes of the mesh: one product for each point
    FrVec3 n = fr_mat3_apply_t(a->R, b->normal);
    double base = fr_dot(b->normal, a->x) - b->offset;
    Few few = {.count = 0};
    for (int32_t k = 0; k < a->mesh->point_count; k++) {
        FrVec3 p = fr_get3(a->mesh->point, k);
        double gap = base + fr_dot(n, p);
        if (gap >= margin) continue;
        FrVec3 x = to_world(a, p);
        few_add(&few, x, fr_axpy(-gap, b->normal, x), b->normal, gap);
    }
    few_out(&few, out);
}

// nearest point of a triangle; *face: it lies inside the triangle, not on its rim
static FrVec3 nearest_on(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 p, bool *face) {
    FrVec3 ab = fr_sub(b, a), ac = fr_sub(c, a), n = fr_cross(ab, ac), ap = fr_sub(p, a);
    double nn = fr_length2(n);
    *face = false;
    if (nn > 0.0) {
        double v = fr_dot(fr_cross(ap, ac), n) / nn, w = fr_dot(fr_cross(ab, ap), n) / nn;
        *face = v > 0.0 && w > 0.0 && v + w < 1.0;
        if (*face) return fr_axpy(v, ab, fr_axpy(w, ac, a));
    }
    FrVec3 from[3] = {a, b, c}, to[3] = {b, c, a}, best = a;
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        FrVec3 e = fr_sub(to[k], from[k]);
        double ee = fr_length2(e);
        double t = ee > 0.0 ? fr_clamp(fr_dot(fr_sub(p, from[k]), e) / ee, 0.0, 1.0) : 0.0;
        FrVec3 q = fr_axpy(t, e, from[k]);
        double d = fr_length2(fr_sub(p, q));
        if (d < least) least = d, best = q;
    }
    return best;
}

// what a walk over triangles near a point finds
typedef struct Near {
    const FrColliderMesh *mesh;
    FrVec3 p;                           ///< mesh axes
    double reach;                       ///< m
    double best;                        ///< smallest distance so far
    FrVec3 point, n;                    ///< nearest point and the outward normal of its triangle
    bool on_face;                       ///< the nearest lies inside its triangle
    FrManifoldPoint at[FR_NEAR_POINTS]; ///< points inside triangles: pa on the mesh, n outward
    int32_t count;
} Near;

static bool take_triangle(void *user, int32_t leaf) {
    Near *near = user;
    const int32_t *t = near->mesh->tri[leaf];
    FrVec3 a = fr_get3(near->mesh->point, t[0]), b = fr_get3(near->mesh->point, t[1]);
    FrVec3 c = fr_get3(near->mesh->point, t[2]);
    bool face;
    FrVec3 q = nearest_on(a, b, c, near->p, &face), d = fr_sub(near->p, q);
    double dist = fr_length(d);
    if (dist >= near->reach) return true;
    FrVec3 n = fr_normalize(fr_cross(fr_sub(b, a), fr_sub(c, a)));
    // of triangles that share the nearest point, the one that faces p most tells the side
    bool tie = dist <= near->best + FR_NEAREST_TIE * near->reach &&
               dist >= near->best - FR_NEAREST_TIE * near->reach;
    if (tie ? fabs(fr_dot(n, d)) > fabs(fr_dot(near->n, fr_sub(near->p, near->point)))
            : dist < near->best) {
        near->best = dist;
        near->point = q;
        near->n = n;
        near->on_face = face;
    }
    if (face && near->count < FR_NEAR_POINTS && fr_dot(n, d) > 0.0)
        near->at[near->count++] = (FrManifoldPoint){.pa = q, .n = n, .gap = dist};
    return true;
}

static double distance_to(const FrColliderMesh *mesh, int32_t leaf, FrVec3 p) {
    const int32_t *t = mesh->tri[leaf];
    bool face;
    FrVec3 q = nearest_on(fr_get3(mesh->point, t[0]), fr_get3(mesh->point, t[1]),
                          fr_get3(mesh->point, t[2]), p, &face);
    return fr_length(fr_sub(p, q));
}

// down the nearer boxes to some triangle: nothing that is farther is the nearest
static double some_distance(const FrColliderMesh *mesh, FrVec3 p) {
    const FrAabbTree *tree = &mesh->tree;
    int32_t node = 0;
    if (!tree->node_count) return HUGE_VAL;
    while (tree->right[node] >= 0) {
        int32_t left = node + 1, right = tree->right[node];
        double to_left = fr_box_distance2(tree->box[left], p);
        node = to_left <= fr_box_distance2(tree->box[right], p) ? left : right;
    }
    return distance_to(mesh, ~tree->right[node], p);
}

// all that is near; `alone`: the nearest is enough
static void look_near(const FrCollider *a, FrVec3 x, double reach, bool alone, Near *near) {
    *near = (Near){.mesh = a->mesh,
                   .p = fr_mat3_apply_t(a->R, fr_sub(x, a->x)),
                   .reach = reach,
                   .best = HUGE_VAL};
    double far = reach;
    if (alone) far = fr_min(reach, some_distance(a->mesh, near->p) + 2.0 * FR_NEAREST_TIE * reach);
    fr_aabb_in_box(&a->mesh->tree, fr_box_grow((FrBox){near->p, near->p}, far), take_triangle,
                   near);
}

// outward direction and signed distance at the nearest point
static double nearest_side(const Near *near, FrVec3 *n) {
    FrVec3 d = fr_sub(near->p, near->point);
    bool inside = fr_dot(near->n, d) < 0.0;
    if (near->best > 0.0)
        *n = fr_scale((inside ? -1.0 : 1.0) / near->best, d);
    else
        *n = near->n;
    return inside ? -near->best : near->best;
}

// the sphere is b: its normal on the mesh points into the mesh
void fr_manifold_mesh_sphere(const FrCollider *a, const FrCollider *b, double margin,
                             FrManifold *out) {
    Near near;
    look_near(a, b->x, b->radius + margin, false, &near);
    if (!(near.best < HUGE_VAL)) return;
    FrVec3 n;
    nearest_side(&near, &n);
    Few few = {.count = 0};
    FrVec3 out_n = fr_mat3_apply(a->R, n);
    FrVec3 pa = to_world(a, near.point), pb = fr_axpy(-b->radius, out_n, b->x);
    few_add(&few, pa, pb, fr_neg(out_n), fr_dot(out_n, fr_sub(pb, pa)));
    // in a hollow there are more: every triangle that faces the centre squarely
    for (int32_t k = 0; k < near.count; k++) {
        if (fr_dot(near.at[k].n, n) > 0.94) continue;
        out_n = fr_mat3_apply(a->R, near.at[k].n);
        pa = to_world(a, near.at[k].pa);
        pb = fr_axpy(-b->radius, out_n, b->x);
        few_add(&few, pa, pb, fr_neg(out_n), near.at[k].gap - b->radius);
    }
    few_out(&few, out);
}

// points of the mesh near the box
static void mesh_in_box(const FrCollider *a, const FrCollider *b, double margin, Few *few) {
    for (int32_t k = 0; k < a->mesh->point_count; k++) {
        FrVec3 n, c, x = to_world(a, fr_get3(a->mesh->point, k));
        FrVec3 p = fr_mat3_apply_t(b->R, fr_sub(x, b->x));
        if (fabs(p.x) > b->half.x + margin || fabs(p.y) > b->half.y + margin ||
            fabs(p.z) > b->half.z + margin)
            continue;
        double gap = fr_manifold_in_box(b->half, p, &n, &c);
        if (gap >= margin) continue;
        n = fr_mat3_apply(b->R, n);
        few_add(few, x, fr_axpy(-gap, n, x), n, gap);
    }
}

// corners of the box near the mesh
static void box_in_mesh(const FrCollider *a, const FrCollider *b, double margin, Few *few) {
    double reach = fr_max(margin, 0.5 * fr_min(b->half.x, fr_min(b->half.y, b->half.z)));
    for (int k = 0; k < 8; k++) {
        FrVec3 corner = fr_vec3(k & 1 ? b->half.x : -b->half.x, k & 2 ? b->half.y : -b->half.y,
                                k & 4 ? b->half.z : -b->half.z);
        FrVec3 n, x = to_world(b, corner);
        Near near;
        look_near(a, x, reach, true, &near);
        if (!(near.best < HUGE_VAL) || !near.on_face) continue;
        double gap = nearest_side(&near, &n);
        if (gap >= margin) continue;
        n = fr_neg(fr_mat3_apply(a->R, n));
        few_add(few, to_world(a, near.point), x, n, gap);
    }
}

void fr_manifold_mesh_box(const FrCollider *a, const FrCollider *b, double margin,
                          FrManifold *out) {
    Few few = {.count = 0};
    mesh_in_box(a, b, margin, &few);
    box_in_mesh(a, b, margin, &few);
    few_out(&few, out);
}

// Points of the mesh a near the surface of the mesh b. `turned`: they come out with a and b
// changed.
static void points_on_mesh(const FrCollider *a, const FrCollider *b, double margin, bool turned,
                           Few *few) {
    FrBox reach = fr_box_grow(fr_aabb_bounds(&b->mesh->tree), margin);
    for (int32_t k = 0; k < a->mesh->point_count; k++) {
        FrVec3 x = to_world(a, fr_get3(a->mesh->point, k)), n;
        if (!fr_box_contains(reach, fr_mat3_apply_t(b->R, fr_sub(x, b->x)))) continue;
        Near near;
        look_near(b, x, margin, true, &near);
        if (!(near.best < HUGE_VAL)) continue;
        double gap = nearest_side(&near, &n);
        if (gap < 0.0 && !near.on_face) continue; // at an edge the side is not sure
        n = fr_mat3_apply(b->R, n);
        FrVec3 on_b = to_world(b, near.point);
        if (turned)
            few_add(few, on_b, x, fr_neg(n), gap);
        else
            few_add(few, x, on_b, n, gap);
    }
}

void fr_manifold_mesh_mesh(const FrCollider *a, const FrCollider *b, double margin,
                           FrManifold *out) {
    Few few = {.count = 0};
    points_on_mesh(a, b, margin, false, &few);
    points_on_mesh(b, a, margin, true, &few);
    few_out(&few, out);
}

static FrBox tri_box(const FrColliderMesh *mesh, int32_t k) {
    FrBox box = fr_box_empty();
    for (int i = 0; i < 3; i++) box = fr_box_add(box, fr_get3(mesh->point, mesh->tri[k][i]));
    return box;
}

static bool make_tree(FrContext *ctx, FrColliderMesh *mesh) {
    mesh->box = FR_NEW(ctx, FrBox, mesh->tri_count);
    bool made = mesh->box && fr_aabb_reserve(ctx, &mesh->tree, mesh->tri_count);
    for (int32_t k = 0; made && k < mesh->tri_count; k++) mesh->box[k] = tri_box(mesh, k);
    if (made) fr_aabb_build(&mesh->tree, mesh->box, mesh->tri_count);
    return made;
}

void fr_collider_mesh_refit(FrColliderMesh *mesh) {
    for (int32_t k = 0; k < mesh->tri_count; k++) mesh->box[k] = tri_box(mesh, k);
    fr_aabb_refit(&mesh->tree, mesh->box);
}

typedef struct Nearest {
    const FrColliderMesh *mesh;
    FrVec3 p, q;
    double best; ///< m
    int32_t tri;
} Nearest;

static bool take_nearest(void *user, int32_t leaf) {
    Nearest *near = user;
    const int32_t *t = near->mesh->tri[leaf];
    bool face;
    FrVec3 q = nearest_on(fr_get3(near->mesh->point, t[0]), fr_get3(near->mesh->point, t[1]),
                          fr_get3(near->mesh->point, t[2]), near->p, &face);
    double d = fr_distance(near->p, q);
    if (d < near->best || (!(d > near->best) && leaf < near->tri))
        near->best = d, near->q = q, near->tri = leaf;
    return true;
}

// in boxes that grow until one has a triangle nearer than its half
void fr_collider_mesh_nearest(const FrColliderMesh *mesh, FrVec3 p, int32_t corner[3],
                              double b[3]) {
    Nearest near = {.mesh = mesh, .p = p, .best = HUGE_VAL, .tri = INT32_MAX};
    FrBox all = fr_box_add(fr_aabb_bounds(&mesh->tree), p);
    double most = fr_distance(all.lo, all.hi);
    for (double reach = 1e-3 * most; !(near.best <= reach) && reach < 4.0 * most; reach *= 8.0)
        fr_aabb_in_box(&mesh->tree, fr_box_grow((FrBox){p, p}, reach), take_nearest, &near);
    FR_ASSERT(near.tri < mesh->tri_count, "a mesh has triangles");
    const int32_t *t = mesh->tri[near.tri];
    FrVec3 x = fr_get3(mesh->point, t[0]), ab = fr_sub(fr_get3(mesh->point, t[1]), x);
    FrVec3 ac = fr_sub(fr_get3(mesh->point, t[2]), x), n = fr_cross(ab, ac), d = fr_sub(near.q, x);
    double nn = fr_length2(n);
    b[1] = nn > 0.0 ? fr_clamp(fr_dot(fr_cross(d, ac), n) / nn, 0.0, 1.0) : 0.0;
    b[2] = nn > 0.0 ? fr_clamp(fr_dot(fr_cross(ab, d), n) / nn, 0.0, 1.0 - b[1]) : 0.0;
    b[0] = 1.0 - b[1] - b[2];
    for (int i = 0; i < 3; i++) corner[i] = t[i];
}

FrResult fr_collider_mesh_make(FrContext *ctx, const double *x, int32_t node_count,
                               const FrSurface *surface, FrVec3 origin, FrColliderMesh *mesh) {
    int32_t tri_count = surface->tri_count;
    *mesh = (FrColliderMesh){.tri_count = tri_count};
    int32_t *place = FR_NEW(ctx, int32_t, node_count);
    mesh->point = FR_NEW(ctx, double, 3 * (size_t)node_count);
    mesh->tri = fr_alloc_zero(ctx, (size_t)tri_count, sizeof *mesh->tri);
    bool made = place && mesh->point && mesh->tri;
    for (int32_t k = 0; made && k < 3 * tri_count; k++) place[surface->tri[k / 3][k % 3]] = 1;
    for (int32_t n = 0; made && n < node_count; n++) {
        if (!place[n]) continue;
        fr_set3(mesh->point, mesh->point_count, fr_sub(fr_get3(x, n), origin));
        place[n] = mesh->point_count++;
    }
    for (int32_t k = 0; made && k < tri_count; k++)
        for (int i = 0; i < 3; i++) mesh->tri[k][i] = place[surface->tri[k][i]];
    made = made && make_tree(ctx, mesh);
    fr_free(ctx, place);
    if (made) return FR_OK;
    fr_collider_mesh_free(ctx, mesh);
    return fr_no_memory(ctx, "the surface of a rigid body");
}

void fr_collider_mesh_free(FrContext *ctx, FrColliderMesh *mesh) {
    fr_free(ctx, mesh->point);
    fr_free(ctx, mesh->tri);
    fr_free(ctx, mesh->box);
    fr_aabb_free(ctx, &mesh->tree);
    *mesh = (FrColliderMesh){0};
}
