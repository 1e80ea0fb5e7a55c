// soup.c: polygons become triangles.

#include "geom/soup.h"
#include <string.h>

#define MOST_EARS 1000 ///< corners; cutting ears takes time in n^2, so beyond this a fan is made

void fr_soup_free(FrSoup *soup) {
    fr_array_free(soup->ctx, &soup->p);
    fr_array_free(soup->ctx, &soup->normal);
    fr_array_free(soup->ctx, &soup->uv);
    fr_array_free(soup->ctx, &soup->corner);
    fr_array_free(soup->ctx, &soup->end);
}

// twice the signed area of a, b, c
static double turn(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double polygon_area2(const double (*xy)[2], int32_t n) {
    double sum = 0.0;
    for (int32_t k = 2; k < n; k++) sum += turn(xy[0], xy[k - 1], xy[k]);
    return sum;
}

static bool is_convex(const double (*xy)[2], int32_t n, double sign) {
    double total = 0.0;
    for (int32_t k = 0; k < n; k++) {
        int32_t i = (k + 1) % n, j = (k + 2) % n;
        if (sign * turn(xy[k], xy[i], xy[j]) < 0.0) return false;
        total += sign * turn(xy[0], xy[k], xy[i]) < 0.0;
    }
    return total == 0.0; // else it goes round more than once
}

static bool ear_at(const double (*xy)[2], const int32_t *prev, const int32_t *next, int32_t at,
                   double sign) {
    const double *a = xy[prev[at]], *b = xy[at], *c = xy[next[at]];
    if (sign * turn(a, b, c) <= 0.0) return false;
    for (int32_t k = next[next[at]]; k != prev[at]; k = next[k]) {
        const double *q = xy[k];
        bool corner = !memcmp(q, a, 16) || !memcmp(q, b, 16) || !memcmp(q, c, 16);
        if (!corner && sign * turn(a, b, q) >= 0.0 && sign * turn(b, c, q) >= 0.0 &&
            sign * turn(c, a, q) >= 0.0)
            return false;
    }
    return true;
}

static void cut_ears(const double (*xy)[2], int32_t n, double sign, int32_t *link,
                     int32_t (*tri)[3]) {
    int32_t *prev = link, *next = link + n;
    for (int32_t k = 0; k < n; k++) prev[k] = (k + n - 1) % n, next[k] = (k + 1) % n;
    int32_t at = 0, tried = 0, made = 0;
    for (int32_t left = n; left > 2;) {
        // after a full round without an ear the polygon crosses itself: cut anywhere
        if (tried < left && !ear_at(xy, prev, next, at, sign)) {
            at = next[at];
            tried++;
            continue;
        }
        tri[made][0] = prev[at], tri[made][1] = at, tri[made][2] = next[at];
        made++, left--, tried = 0;
        next[prev[at]] = next[at];
        prev[next[at]] = prev[at];
        at = next[next[at]];
    }
}

void fr_face_triangles(const double (*xy)[2], int32_t n, int32_t *link, int32_t (*tri)[3]) {
    double sign = polygon_area2(xy, n) < 0.0 ? -1.0 : 1.0;
    if (n <= MOST_EARS && !is_convex(xy, n, sign)) {
        cut_ears(xy, n, sign, link, tri);
        return;
    }
    for (int32_t k = 2; k < n; k++) tri[k - 2][0] = 0, tri[k - 2][1] = k - 1, tri[k - 2][2] = k;
}

typedef struct Scratch {
    double (*xy)[2];
    int32_t *link, (*tri)[3];
} Scratch;

// drop the axis along which the polygon faces most, keeping its sense of turning
static void flatten(const FrSoup *soup, const int32_t *corner, int32_t n, double (*xy)[2]) {
    FrVec3 o = fr_get3(soup->p.data, corner[0]), face = fr_vec3_zero;
    for (int32_t k = 2; k < n; k++)
        face = fr_add(face, fr_cross(fr_sub(fr_get3(soup->p.data, corner[k - 1]), o),
                                     fr_sub(fr_get3(soup->p.data, corner[k]), o)));
    double x = fabs(face.x), y = fabs(face.y), z = fabs(face.z);
    int drop = z >= x && z >= y ? 2 : x >= y ? 0 : 1;
    for (int32_t k = 0; k < n; k++) {
        const double *p = soup->p.data + 3 * (size_t)corner[k];
        xy[k][0] = p[(drop + 1) % 3];
        xy[k][1] = p[(drop + 2) % 3];
    }
}

static int32_t cut_polygon(const FrSoup *soup, const int32_t *corner, int32_t n, Scratch *scratch,
                           int32_t (*tri)[3]) {
    if (n < 3) return 0;
    if (n == 3) {
        memcpy(tri[0], corner, sizeof tri[0]);
        return 1;
    }
    flatten(soup, corner, n, scratch->xy);
    fr_face_triangles((const double(*)[2])scratch->xy, n, scratch->link, scratch->tri);
    for (int32_t t = 0; t < n - 2; t++)
        for (int k = 0; k < 3; k++) tri[t][k] = corner[scratch->tri[t][k]];
    return n - 2;
}

static FrResult cut_polygons(FrSoup *soup, FrTriMesh *mesh) {
    FrContext *ctx = soup->ctx;
    int32_t total = 0, longest = 0;
    for (int32_t f = 0, begin = 0; f < soup->end.count; begin = soup->end.data[f++]) {
        int32_t n = soup->end.data[f] - begin;
        longest = fr_max_i(longest, n);
        total += fr_max_i(n - 2, 0);
    }
    Scratch scratch = {fr_alloc_zero(ctx, (size_t)longest, sizeof *scratch.xy),
                       FR_NEW(ctx, int32_t, 2 * (size_t)longest),
                       fr_alloc_zero(ctx, (size_t)longest, sizeof *scratch.tri)};
    mesh->tri = fr_alloc_zero(ctx, (size_t)total, sizeof *mesh->tri);
    bool good = scratch.xy && scratch.link && scratch.tri && mesh->tri;
    for (int32_t f = 0, begin = 0; f < soup->end.count && good; begin = soup->end.data[f++]) {
        int32_t n = soup->end.data[f] - begin;
        if (n < 3) continue; // also where no face has a corner, and there is no array of them
        mesh->tri_count +=
            cut_polygon(soup, soup->corner.data + begin, n, &scratch, mesh->tri + mesh->tri_count);
    }
    fr_free(ctx, scratch.xy);
    fr_free(ctx, scratch.link);
    fr_free(ctx, scratch.tri);
    return good ? FR_OK : fr_no_memory(ctx, "triangles");
}

static double *take(double **data) {
    double *taken = *data;
    *data = NULL;
    return taken;
}

FrResult fr_soup_finish(FrSoup *soup, FrTriMesh *mesh) {
    FrContext *ctx = soup->ctx;
    *mesh = (FrTriMesh){0};
    FrResult result = cut_polygons(soup, mesh);
    if (result == FR_OK) {
        mesh->point_count = soup->p.count / 3;
        mesh->p = take(&soup->p.data);
        if (soup->normal.count) mesh->normal = take(&soup->normal.data);
        if (soup->uv.count) mesh->uv = take(&soup->uv.data);
    } else {
        fr_trimesh_free(ctx, mesh);
    }
    fr_soup_free(soup);
    return result;
}
