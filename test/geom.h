// geom.h: what the tests of geom/ share: contexts whose k-th allocation fails, and plain surfaces.
#pragma once
#include "base/random.h"
#include "geom/trimesh.h"
#include <stdlib.h>
#include <string.h>

/// An allocator that counts, and refuses from the k-th allocation on.
typedef struct Refuser {
    long left; ///< allocations still granted; < 0: all
    long live; ///< blocks not given back
    size_t bytes, peak;
    bool refused;
} Refuser;

static inline void *refuser_resize(void *user, void *ptr, size_t size) {
    Refuser *refuser = user;
    size_t old = ptr ? *(size_t *)((char *)ptr - 16) : 0;
    if (!size) {
        if (ptr) refuser->live--, refuser->bytes -= old, free((char *)ptr - 16);
        return NULL;
    }
    if (refuser->left == 0) {
        refuser->refused = true;
        return NULL;
    }
    if (refuser->left > 0) refuser->left--;
    char *moved = realloc(ptr ? (char *)ptr - 16 : NULL, size + 16);
    if (!moved) return NULL;
    *(size_t *)moved = size;
    if (!ptr) refuser->live++;
    refuser->bytes += size - old;
    if (refuser->bytes > refuser->peak) refuser->peak = refuser->bytes;
    return moved + 16;
}

static inline FrContext *geom_context(Refuser *refuser) {
    *refuser = (Refuser){.left = -1};
    FrContextDef def = fr_context_def_default();
    def.allocator = (FrAllocator){refuser_resize, refuser};
    def.tasks.workers = 1;
    return fr_context_create(&def);
}

/// Run `body` (which sets `FrResult result` and frees what it made) with the k-th allocation
/// failing, for every k, until it succeeds. Checks FR_NO_MEMORY and that nothing leaks.
#define EVERY_ALLOCATION_FAILS(ctx, refuser, body)                                                 \
    do {                                                                                           \
        FrResult result = FR_NO_MEMORY;                                                            \
        for (long k_ = 0; k_ < 5000 && result != FR_OK; k_++) {                                    \
            long live_ = (refuser)->live;                                                          \
            (refuser)->left = k_;                                                                  \
            body;                                                                                  \
            (refuser)->left = -1;                                                                  \
            CHECK_INT((refuser)->live, live_);                                                     \
            if (result != FR_OK) CHECK_INT(result, FR_NO_MEMORY);                                  \
            if (result != FR_OK && result != FR_NO_MEMORY) break;                                  \
        }                                                                                          \
        CHECK_INT(result, FR_OK);                                                                  \
    } while (0)

/// A box of 8 points and 12 triangles.
static inline FrTriMesh make_box(FrContext *ctx, FrVec3 lo, FrVec3 hi) {
    static const int32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    FrTriMesh mesh;
    if (fr_trimesh_alloc(ctx, 8, 12, &mesh) != FR_OK) abort();
    for (int32_t n = 0; n < 8; n++)
        fr_set3(mesh.p, n, fr_vec3(n & 1 ? hi.x : lo.x, n & 2 ? hi.y : lo.y, n & 4 ? hi.z : lo.z));
    for (int f = 0; f < 6; f++) {
        const int32_t *q = quad[f];
        int32_t two[2][3] = {{q[0], q[1], q[2]}, {q[0], q[2], q[3]}};
        memcpy(mesh.tri + 2 * f, two, sizeof two);
    }
    return mesh;
}

/// A closed grid of quads wrapped round both ways: a torus, R to the middle of a tube of radius r.
static inline FrTriMesh make_torus(FrContext *ctx, double R, double r, int32_t n, int32_t m) {
    FrTriMesh mesh;
    if (fr_trimesh_alloc(ctx, n * m, 2 * n * m, &mesh) != FR_OK) abort();
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < m; j++) {
            double u = 2 * FR_PI * i / n, v = 2 * FR_PI * j / m, d = R + r * cos(v);
            fr_set3(mesh.p, i * m + j, fr_vec3(d * cos(u), d * sin(u), r * sin(v)));
            int32_t a = i * m + j, b = (i + 1) % n * m + j;
            int32_t c = (i + 1) % n * m + (j + 1) % m, d4 = i * m + (j + 1) % m;
            int32_t two[2][3] = {{a, b, c}, {a, c, d4}};
            memcpy(mesh.tri + 2 * a, two, sizeof two);
        }
    }
    return mesh;
}

/// A sphere: rings of latitude, one point at each pole.
static inline FrTriMesh make_sphere(FrContext *ctx, double r, int32_t rings, int32_t sides) {
    FrTriMesh mesh;
    int32_t inner = rings - 1;
    if (fr_trimesh_alloc(ctx, inner * sides + 2, 2 * inner * sides, &mesh) != FR_OK) abort();
    fr_set3(mesh.p, 0, fr_vec3(0, 0, r));
    fr_set3(mesh.p, inner * sides + 1, fr_vec3(0, 0, -r));
    int32_t t = 0;
    for (int32_t i = 0; i < inner; i++) {
        for (int32_t j = 0; j < sides; j++) {
            double a = FR_PI * (i + 1) / rings, b = 2 * FR_PI * j / sides;
            int32_t row = 1 + i * sides, next = (j + 1) % sides;
            fr_set3(mesh.p, row + j, fr_vec3(r * sin(a) * cos(b), r * sin(a) * sin(b), r * cos(a)));
            int32_t up[3] = {i ? row - sides + j : 0, row + j, row + next};
            int32_t more[3] = {i ? row - sides + j : 0, row + next, i ? row - sides + next : 0};
            memcpy(mesh.tri[t++], up, sizeof up);
            if (i) memcpy(mesh.tri[t++], more, sizeof more);
            int32_t down[3] = {row + j, inner * sides + 1, row + next};
            if (i == inner - 1) memcpy(mesh.tri[t++], down, sizeof down);
        }
    }
    mesh.tri_count = t;
    return mesh;
}

/// Both surfaces in one.
static inline FrTriMesh join_meshes(FrContext *ctx, const FrTriMesh *a, const FrTriMesh *b) {
    FrTriMesh mesh;
    if (fr_trimesh_alloc(ctx, a->point_count + b->point_count, a->tri_count + b->tri_count, &mesh))
        abort();
    memcpy(mesh.p, a->p, 3 * sizeof(double) * (size_t)a->point_count);
    memcpy(mesh.p + 3 * a->point_count, b->p, 3 * sizeof(double) * (size_t)b->point_count);
    memcpy(mesh.tri, a->tri, sizeof *a->tri * (size_t)a->tri_count);
    for (int32_t t = 0; t < b->tri_count; t++)
        for (int k = 0; k < 3; k++) mesh.tri[a->tri_count + t][k] = b->tri[t][k] + a->point_count;
    return mesh;
}

static inline FrVec3 random_in(FrRandom *random, FrBox box) {
    double x = fr_random_range(random, box.lo.x, box.hi.x);
    double y = fr_random_range(random, box.lo.y, box.hi.y);
    double z = fr_random_range(random, box.lo.z, box.hi.z);
    return fr_vec3(x, y, z);
}

/// Turn every triangle (and normal) over.
static inline void flip(FrTriMesh *mesh) {
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        int32_t swap = mesh->tri[t][1];
        mesh->tri[t][1] = mesh->tri[t][2];
        mesh->tri[t][2] = swap;
    }
    if (!mesh->normal) return;
    for (size_t k = 0; k < 3 * (size_t)mesh->point_count; k++) mesh->normal[k] = -mesh->normal[k];
}

// sum of all solid angles, one by one, with the library's arc tangent
static inline double exact_winding(const FrTriMesh *mesh, FrVec3 x) {
    double sum = 0;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        FrVec3 a = fr_sub(fr_get3(mesh->p, mesh->tri[t][0]), x);
        FrVec3 b = fr_sub(fr_get3(mesh->p, mesh->tri[t][1]), x);
        FrVec3 c = fr_sub(fr_get3(mesh->p, mesh->tri[t][2]), x);
        double la = fr_length(a), lb = fr_length(b), lc = fr_length(c);
        sum += 2 * atan2(fr_dot(a, fr_cross(b, c)),
                         la * lb * lc + fr_dot(a, b) * lc + fr_dot(b, c) * la + fr_dot(c, a) * lb);
    }
    return sum / (4 * FR_PI);
}

// nearest point of a triangle by walking its regions
static inline double exact_distance(const FrTriMesh *mesh, FrVec3 x) {
    double best = HUGE_VAL;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        FrVec3 v[3];
        for (int k = 0; k < 3; k++) v[k] = fr_get3(mesh->p, mesh->tri[t][k]);
        FrVec3 n = fr_normalize(fr_cross(fr_sub(v[1], v[0]), fr_sub(v[2], v[0])));
        bool above = true;
        for (int k = 0; k < 3; k++) {
            FrVec3 e = fr_sub(v[(k + 1) % 3], v[k]), d = fr_sub(x, v[k]);
            above &= fr_dot(fr_cross(n, e), d) >= 0;
            double s = fr_clamp(fr_dot(d, e) / fr_dot(e, e), 0, 1);
            best = fr_min(best, fr_length(fr_axpy(-s, e, d)));
        }
        if (above) best = fr_min(best, fabs(fr_dot(n, fr_sub(x, v[0]))));
    }
    return best;
}
