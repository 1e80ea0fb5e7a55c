// lathe.c: rings joined by strips of triangles into sheets of revolution, thickened or extruded.

#include "mesh/grid.h"
#include "base/array.h"

// one ring of the sheet: its points are point .. point + count - 1; a ring of one is on the axis
typedef struct Ring {
    double r, z;   ///< m
    double mr, mz; ///< offset per metre of thickness, so that both neighbours move by a metre
    int32_t point, count;
} Ring;

typedef struct Sheet {
    FrContext *ctx;
    FR_ARRAY(Ring) ring;
    FR_ARRAY(struct { int32_t v[3]; }) tri;
    int32_t point_count;
    bool closed;
    double wall; ///< m
    int32_t layers;
    double height; ///< m, cylinders
} Sheet;

static void sheet_free(Sheet *s) {
    fr_array_free(s->ctx, &s->ring);
    fr_array_free(s->ctx, &s->tri);
}

static FrResult add_ring(Sheet *s, double r, double z, int32_t count) {
    Ring ring = {.r = r, .z = z, .point = s->point_count, .count = count};
    if (s->point_count > 100000000 - count)
        return fr_fail(s->ctx, FR_BAD_INPUT, "too many points: use a larger h");
    s->point_count += count;
    return fr_array_push(s->ctx, &s->ring, ring) ? FR_OK : fr_no_memory(s->ctx, "a lathe");
}

static FrResult add_tri(Sheet *s, int32_t a, int32_t b, int32_t c) {
    if (!fr_array_extend(s->ctx, &s->tri, 1)) return fr_no_memory(s->ctx, "a lathe");
    int32_t *v = s->tri.data[s->tri.count - 1].v;
    v[0] = a, v[1] = b, v[2] = c;
    return FR_OK;
}

// triangles between two rings, always stepping on the ring that is behind; where both are level the
// side alternates, so that no direction is preferred
static FrResult add_strip(Sheet *s, const Ring *a, const Ring *b, int turn) {
    int32_t i = 0, j = 0;
    bool axis_a = a->count == 1, axis_b = b->count == 1;
    while ((i < a->count && !axis_a) || (j < b->count && !axis_b)) {
        int64_t ahead = (int64_t)(i + 1) * b->count - (int64_t)(j + 1) * a->count;
        bool step_a = ahead < 0 || (ahead == 0 && ((i + turn) & 1));
        if (axis_a || i == a->count) step_a = false;
        if (axis_b || j == b->count) step_a = true;
        int32_t pa = a->point + i % a->count, pb = b->point + j % b->count;
        if (step_a)
            FR_TRY(add_tri(s, pa, a->point + (i + 1) % a->count, pb));
        else
            FR_TRY(add_tri(s, pa, b->point + (j + 1) % b->count, pb));
        step_a ? i++ : j++;
    }
    return FR_OK;
}

static FrResult add_strips(Sheet *s) {
    for (int32_t k = 0; k + 1 < s->ring.count; k++)
        FR_TRY(add_strip(s, &s->ring.data[k], &s->ring.data[k + 1], k));
    if (s->closed) FR_TRY(add_strip(s, &s->ring.data[s->ring.count - 1], &s->ring.data[0], 1));
    return FR_OK;
}

// which ring a point is on, by bisection
static const Ring *ring_of(const Sheet *s, int32_t point) {
    int32_t lo = 0, hi = s->ring.count;
    while (hi - lo > 1) {
        int32_t mid = (lo + hi) / 2;
        if (s->ring.data[mid].point <= point)
            lo = mid;
        else
            hi = mid;
    }
    return &s->ring.data[lo];
}

static FrVec3 turned(const Ring *ring, int32_t point, double r, double z) {
    double angle = 2 * FR_PI * (point - ring->point) / ring->count;
    return ring->count == 1 ? fr_vec3(0, 0, z) : fr_vec3(r * cos(angle), r * sin(angle), z);
}

static FrVec3 wall_at(const void *user, int32_t point, int32_t layer) {
    const Sheet *s = user;
    const Ring *ring = ring_of(s, point);
    double t = s->wall * ((double)layer / s->layers - 0.5);
    return turned(ring, point, ring->r + t * ring->mr, ring->z + t * ring->mz);
}

static FrVec3 cylinder_at(const void *user, int32_t point, int32_t layer) {
    const Sheet *s = user;
    const Ring *ring = ring_of(s, point);
    double z = layer == s->layers ? 0.5 * s->height : s->height * ((double)layer / s->layers - 0.5);
    return turned(ring, point, ring->r, z);
}

static FrResult sweep(const Sheet *s, FrSheetAt *at, FrTetMesh *mesh) {
    FrSheet sheet = {
        (const int32_t(*)[3])s->tri.data, s->tri.count, s->point_count, s->layers, at, s};
    return fr_mesh_sweep(s->ctx, &sheet, mesh);
}

FrResult fr_mesh_cylinder(FrContext *ctx, double radius, double height, double h, FrTetMesh *mesh) {
    Sheet s = {.ctx = ctx, .height = height};
    int32_t rings;
    FR_TRY(fr_mesh_count(ctx, radius, h, 1, &rings));
    FR_TRY(fr_mesh_count(ctx, height, h, 1, &s.layers));
    FrResult result = add_ring(&s, 0, 0, 1);
    // six more points on each further ring keep all edges near h
    for (int32_t k = 1; result == FR_OK && k <= rings; k++)
        result = add_ring(&s, k == rings ? radius : radius * k / rings, 0, 6 * k);
    if (result == FR_OK) result = add_strips(&s);
    if (result == FR_OK) result = sweep(&s, cylinder_at, mesh);
    sheet_free(&s);
    return result;
}

static int32_t points_around(double r, double h) {
    double n = floor(2 * FR_PI * r / h + 0.5);
    return r == 0 ? 1 : n < 6 ? 6 : n > 1e6 ? 1000000 : (int32_t)n;
}

// rings along the profile, about h apart; profile points are kept
static FrResult add_profile(Sheet *s, const double (*rz)[2], int32_t count, double h) {
    for (int32_t k = 0; k + 1 < count; k++) {
        double dr = rz[k + 1][0] - rz[k][0], dz = rz[k + 1][1] - rz[k][1];
        int32_t n;
        FR_TRY(fr_mesh_count(s->ctx, sqrt(dr * dr + dz * dz), h, 1, &n));
        for (int32_t i = 0; i < n; i++) {
            double t = (double)i / n, r = rz[k][0] + t * dr;
            FR_TRY(add_ring(s, r, rz[k][1] + t * dz, points_around(r, h)));
        }
    }
    if (s->closed) return FR_OK;
    return add_ring(s, rz[count - 1][0], rz[count - 1][1], points_around(rz[count - 1][0], h));
}

// m = (n1 + n2) / (1 + n1.n2): moving a corner by t m moves both its sides by t. On the axis the
// other side is the mirror image
static FrResult add_offsets(Sheet *s) {
    int32_t count = s->ring.count;
    for (int32_t k = 0; k < count; k++) {
        Ring *ring = &s->ring.data[k];
        double n[2][2] = {{0, 0}, {0, 0}};
        bool has[2] = {k > 0 || s->closed, k + 1 < count || s->closed};
        for (int side = 0; side < 2; side++) {
            if (!has[side]) continue;
            const Ring *a = side ? ring : &s->ring.data[(k + count - 1) % count];
            const Ring *b = side ? &s->ring.data[(k + 1) % count] : ring;
            double dr = b->r - a->r, dz = b->z - a->z, length = sqrt(dr * dr + dz * dz);
            n[side][0] = -dz / length, n[side][1] = dr / length;
        }
        for (int side = 0; side < 2; side++) {
            if (has[side]) continue;
            n[side][0] = ring->r == 0 ? -n[1 - side][0] : n[1 - side][0];
            n[side][1] = n[1 - side][1];
        }
        double scale = 1 + n[0][0] * n[1][0] + n[0][1] * n[1][1];
        if (scale < 0.1)
            return fr_fail(s->ctx, FR_BAD_INPUT, "the profile turns back too sharply at (%g, %g) m",
                           ring->r, ring->z);
        ring->mr = (n[0][0] + n[1][0]) / scale;
        ring->mz = (n[0][1] + n[1][1]) / scale;
        if (ring->r > 0 && ring->r <= 0.5 * s->wall * fabs(ring->mr))
            return fr_fail(s->ctx, FR_BAD_INPUT, "a wall of %g m reaches the axis at (%g, %g) m",
                           s->wall, ring->r, ring->z);
    }
    return FR_OK;
}

static FrResult check_profile(FrContext *ctx, const double (*rz)[2], int32_t count, double wall) {
    if (count < 2 || !(wall > 0) || !isfinite(wall))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "a lathe of %d points and a wall of %g m: at least 2 points, wall > 0",
                       count, wall);
    bool closed = rz[0][0] == rz[count - 1][0] && rz[0][1] == rz[count - 1][1];
    for (int32_t k = 0; k < count; k++) {
        if (!isfinite(rz[k][0]) || !isfinite(rz[k][1]) || rz[k][0] < 0)
            return fr_fail(ctx, FR_BAD_INPUT, "profile point %d is (%g, %g) m: needs r >= 0", k,
                           rz[k][0], rz[k][1]);
        if (rz[k][0] == 0 && ((k > 0 && k + 1 < count) || closed))
            return fr_fail(ctx, FR_BAD_INPUT, "profile point %d is on the axis: only ends may be",
                           k);
        if (k > 0 && rz[k][0] == rz[k - 1][0] && rz[k][1] == rz[k - 1][1])
            return fr_fail(ctx, FR_BAD_INPUT, "profile points %d and %d are the same", k - 1, k);
    }
    if (closed && count < 4)
        return fr_fail(ctx, FR_BAD_INPUT, "a closed profile needs at least 3 different points");
    return FR_OK;
}

FrResult fr_mesh_lathe_layers(FrContext *ctx, FrProfile profile, double h, int32_t layers,
                              FrTetMesh *mesh) {
    const double(*rz)[2] = profile.rz, wall = profile.wall;
    int32_t count = profile.count;
    *mesh = (FrTetMesh){0};
    FR_TRY(check_profile(ctx, rz, count, wall));
    Sheet s = {.ctx = ctx, .wall = wall};
    s.closed = rz[0][0] == rz[count - 1][0] && rz[0][1] == rz[count - 1][1];
    FR_TRY(fr_mesh_count(ctx, wall, h, 1, &s.layers));
    if (layers > 0) s.layers = layers;
    FrResult result = add_profile(&s, rz, count, h);
    if (result == FR_OK) result = add_offsets(&s);
    if (result == FR_OK) result = add_strips(&s);
    if (result == FR_OK) result = sweep(&s, wall_at, mesh);
    sheet_free(&s);
    return result;
}
