// octa_sphere.c: an octahedron whose sides are parted and blown up to a ball.

#include "bank/octa_sphere.h"
#include <stdlib.h>

/// Numbers of the points by their steps along x and y, and whether they lie below.
typedef struct Grid {
    int32_t level;
    int32_t *number; ///< (2 (2 level + 1)^2)
} Grid;

static int32_t *place(const Grid *g, int32_t i, int32_t j, int32_t k) {
    int32_t side = 2 * g->level + 1;
    return &g->number[2 * ((i + g->level) * side + j + g->level) + (k < 0)];
}

static void add_point(FrOctaSphere *s, const Grid *g, int32_t i, int32_t j, int32_t k) {
    int32_t n = s->point_count++;
    *place(g, i, j, k) = n;
    s->point[n] = fr_normalize(fr_vec3(i, j, k));
    s->mirrored[n] = (uint8_t)((i < 0) | (j < 0) << 1 | (k < 0) << 2);
    if (!s->mirrored[n]) s->octant[s->octant_count++] = n;
}

static void add_points(FrOctaSphere *s, const Grid *g) {
    int32_t level = s->level;
    for (int32_t i = -level; i <= level; i++)
        for (int32_t j = abs(i) - level; j <= level - abs(i); j++) {
            int32_t k = level - abs(i) - abs(j);
            add_point(s, g, i, j, k);
            if (k > 0) add_point(s, g, i, j, -k);
        }
}

// number in the octant, by steps along x and y
static void find_homes(FrOctaSphere *s, const Grid *g) {
    for (int32_t n = 0; n < s->octant_count; n++) s->home[s->octant[n]] = n;
    int32_t level = s->level;
    for (int32_t i = -level; i <= level; i++)
        for (int32_t j = abs(i) - level; j <= level - abs(i); j++)
            for (int side = -1; side <= 1; side += 2) {
                int32_t k = side * (level - abs(i) - abs(j));
                s->home[*place(g, i, j, k)] = s->home[*place(g, abs(i), abs(j), abs(k))];
            }
}

// three points of the first octant, mirrored into the others; a mirror turns them over
static void add_tri(FrOctaSphere *s, const Grid *g, const int32_t at[3][2], int flip) {
    int32_t v[3];
    for (int c = 0; c < 3; c++) {
        int32_t i = at[c][0], j = at[c][1], k = s->level - i - j;
        v[c] = *place(g, flip & 1 ? -i : i, flip & 2 ? -j : j, flip & 4 ? -k : k);
    }
    bool over = __builtin_parity((unsigned)flip);
    int32_t *to = s->tri[s->tri_count++];
    to[0] = v[0];
    to[1] = v[over ? 2 : 1];
    to[2] = v[over ? 1 : 2];
}

static void add_tris(FrOctaSphere *s, const Grid *g) {
    for (int flip = 0; flip < 8; flip++)
        for (int32_t i = 0; i < s->level; i++)
            for (int32_t j = 0; j < s->level - i; j++) {
                const int32_t up[3][2] = {{i, j}, {i + 1, j}, {i, j + 1}},
                              down[3][2] = {{i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
                add_tri(s, g, up, flip);
                if (i + j + 1 < s->level) add_tri(s, g, down, flip);
            }
}

FrResult fr_octa_sphere(FrContext *ctx, int32_t level, FrOctaSphere *s) {
    int32_t points = 4 * level * level + 2;
    Grid g = {level, FR_NEW(ctx, int32_t, 2 * (2 * level + 1) * (2 * level + 1))};
    *s = (FrOctaSphere){.level = level};
    s->point = FR_NEW(ctx, FrVec3, points);
    s->tri = fr_alloc_zero(ctx, 8 * (size_t)level * (size_t)level, sizeof *s->tri);
    s->home = FR_NEW(ctx, int32_t, points);
    s->mirrored = FR_NEW(ctx, uint8_t, points);
    s->octant = FR_NEW(ctx, int32_t, fr_octant_points(level));
    bool good = g.number && s->point && s->tri && s->home && s->mirrored && s->octant;
    if (good) {
        add_points(s, &g);
        find_homes(s, &g);
        add_tris(s, &g);
    }
    fr_free(ctx, g.number);
    if (!good) fr_octa_sphere_free(ctx, s);
    return good ? FR_OK : fr_no_memory(ctx, "a surface");
}

void fr_octa_sphere_free(FrContext *ctx, FrOctaSphere *s) {
    FR_FREE_ALL(ctx, s->point, s->tri, s->home, s->mirrored, s->octant);
    *s = (FrOctaSphere){0};
}
