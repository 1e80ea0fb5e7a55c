// zip.c: two loops of points that run side by side, joined by a strip of triangles.

#include "skin/zip.h"

static double apart(const FrVec3 *x, int32_t v, int32_t w) { return fr_distance(x[v], x[w]); }

static int32_t nearest_on(const FrVec3 *x, int32_t v, FrLoop to, double *distance) {
    int32_t best = 0;
    *distance = HUGE_VAL;
    for (int32_t k = 0; k < to.count; k++) {
        double d = apart(x, v, to.v[k]);
        if (d < *distance) *distance = d, best = k;
    }
    return best;
}

double fr_loop_distance(const FrVec3 *x, FrLoop from, FrLoop to, double most) {
    double sum = 0, d;
    for (int32_t k = 0; k < from.count && sum < most; k++) {
        nearest_on(x, from.v[k], to, &d);
        sum += d / from.count;
    }
    return sum;
}

// where the loops are nearest to each other
static void find_start(const FrVec3 *x, FrLoop a, FrLoop b, int32_t *i, int32_t *j) {
    double least = HUGE_VAL, d;
    for (int32_t k = 0; k < a.count; k++) {
        int32_t at = nearest_on(x, a.v[k], b, &d);
        if (d < least) least = d, *i = k, *j = at;
    }
}

// Steps along a and b, from their start round to it again. cost[j]: of the shortest way to the line
// between step i of a and step j of b; by_b: it came along b (a.count + 1 rows).
typedef struct Zip {
    const FrVec3 *x;
    FrLoop a, b;
    int32_t a0, b0;
    double *cost;
    uint8_t *by_b;
} Zip;

static int32_t on_a(const Zip *z, int32_t i) { return z->a.v[(z->a0 + i) % z->a.count]; }
static int32_t on_b(const Zip *z, int32_t j) { return z->b.v[(z->b0 + j) % z->b.count]; }

static void find_ways(Zip *z) {
    size_t width = (size_t)z->b.count + 1;
    for (int32_t i = 0; i <= z->a.count; i++)
        for (int32_t j = 0; j <= z->b.count; j++) {
            double by_a = i ? z->cost[j] : HUGE_VAL, by_b = j ? z->cost[j - 1] : HUGE_VAL;
            bool along_b = by_b < by_a;
            z->by_b[(size_t)i * width + (size_t)j] = along_b;
            z->cost[j] =
                apart(z->x, on_a(z, i), on_b(z, j)) + (i + j ? (along_b ? by_b : by_a) : 0.0);
        }
}

// back from the end to the start
static void lay_triangles(const Zip *z, int32_t (*tri)[3]) {
    size_t width = (size_t)z->b.count + 1;
    for (int32_t i = z->a.count, j = z->b.count; i + j > 0;) {
        int32_t *t = tri[i + j - 1];
        if (z->by_b[(size_t)i * width + (size_t)j]) {
            j--;
            t[0] = on_b(z, j), t[1] = on_b(z, j + 1), t[2] = on_a(z, i);
        } else {
            i--;
            t[0] = on_a(z, i + 1), t[1] = on_a(z, i), t[2] = on_b(z, j);
        }
    }
}

FrResult fr_loops_zip(FrContext *ctx, const FrVec3 *x, FrLoop a, FrLoop b, int32_t (*tri)[3]) {
    Zip z = {.x = x, .a = a, .b = b};
    size_t width = (size_t)b.count + 1;
    find_start(x, a, b, &z.a0, &z.b0);
    z.cost = FR_NEW(ctx, double, width);
    z.by_b = FR_NEW(ctx, uint8_t, ((size_t)a.count + 1) * width);
    bool ok = z.cost && z.by_b;
    if (ok) find_ways(&z);
    if (ok) lay_triangles(&z, tri);
    FR_FREE_ALL(ctx, z.cost, z.by_b);
    return ok ? FR_OK : fr_no_memory(ctx, "a closed surface");
}
