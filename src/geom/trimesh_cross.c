// trimesh_cross.c: which triangles of a surface run through others.

#include "geom/aabb.h"
#include "geom/trimesh.h"

typedef struct Search {
    const FrTriMesh *mesh;
    bool *crossed;  ///< (tri_count)
    int64_t budget; ///< pairs that may still be looked at
} Search;

static double side_of(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d) {
    return fr_dot(fr_sub(d, a), fr_cross(fr_sub(b, a), fr_sub(c, a)));
}

// does the segment pq pass through the inside of the triangle abc?
static bool pierces(FrVec3 p, FrVec3 q, const FrVec3 t[3]) {
    double from = side_of(t[0], t[1], t[2], p), to = side_of(t[0], t[1], t[2], q);
    if (!((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0))) return false;
    double u = side_of(p, q, t[0], t[1]), v = side_of(p, q, t[1], t[2]),
           w = side_of(p, q, t[2], t[0]);
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

static bool share_a_point(const int32_t a[3], const int32_t b[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a[i] == b[j]) return true;
    return false;
}

// two triangles cross where an edge of one passes through the other
static bool cross(const FrTriMesh *mesh, int32_t a, int32_t b) {
    FrVec3 s[3], t[3];
    for (int k = 0; k < 3; k++) {
        s[k] = fr_get3(mesh->p, mesh->tri[a][k]);
        t[k] = fr_get3(mesh->p, mesh->tri[b][k]);
    }
    for (int k = 0; k < 3; k++)
        if (pierces(s[k], s[(k + 1) % 3], t) || pierces(t[k], t[(k + 1) % 3], s)) return true;
    return false;
}

static bool look_at_pair(void *user, int32_t a, int32_t b) {
    Search *search = user;
    const FrTriMesh *mesh = search->mesh;
    if (search->budget-- <= 0) return false;
    if (share_a_point(mesh->tri[a], mesh->tri[b])) return true;
    if (cross(mesh, a, b)) search->crossed[a] = search->crossed[b] = true;
    return true;
}

FrResult fr_trimesh_crossings(FrContext *ctx, const FrTriMesh *mesh, int32_t *count) {
    // tidy surfaces have some 20 pairs of boxes a triangle
    Search search = {mesh, FR_NEW(ctx, bool, mesh->tri_count),
                     1000000 + 200 * (int64_t)mesh->tri_count};
    FrBox *box = FR_NEW(ctx, FrBox, mesh->tri_count);
    FrAabbTree tree = {0};
    bool room = search.crossed && box && fr_aabb_reserve(ctx, &tree, mesh->tri_count);
    *count = 0;
    if (room) {
        for (int32_t t = 0; t < mesh->tri_count; t++) {
            box[t] = fr_box_empty();
            for (int k = 0; k < 3; k++)
                box[t] = fr_box_add(box[t], fr_get3(mesh->p, mesh->tri[t][k]));
        }
        fr_aabb_build(&tree, box, mesh->tri_count);
        fr_aabb_self_pairs(&tree, look_at_pair, &search);
        for (int32_t t = 0; t < mesh->tri_count; t++) *count += search.crossed[t];
    }
    fr_aabb_free(ctx, &tree);
    fr_free(ctx, box);
    fr_free(ctx, search.crossed);
    return room ? FR_OK : fr_no_memory(ctx, "a surface report");
}
