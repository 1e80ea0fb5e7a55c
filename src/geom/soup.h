// soup.h: what a surface reader collects: points and polygons, made into triangles at the end.
#pragma once
#include "base/array.h"
#include "geom/trimesh.h"

#define FR_SOUP_FAR 1e30 ///< m; coordinates beyond would overflow in volumes and inertias

typedef struct FrSoup {
    FrContext *ctx;
    FR_ARRAY(double) p;       ///< 3 each
    FR_ARRAY(double) normal;  ///< 3 each, or none at all
    FR_ARRAY(double) uv;      ///< 2 each, or none at all
    FR_ARRAY(int32_t) corner; ///< points of the polygons, one after the other
    FR_ARRAY(int32_t) end;    ///< where in `corner` each polygon ends
} FrSoup;

void fr_soup_free(FrSoup *soup);
/// Cut polygons into triangles (ears, or a fan where that is the same), move all into `mesh`, and
/// free the soup. Polygons of fewer than three corners are left out.
FrResult fr_soup_finish(FrSoup *soup, FrTriMesh *mesh);

/// Cut a simple polygon of n >= 3 points (x, y) into n - 2 triangles of its corner numbers. What
/// crosses itself still gives n - 2 triangles. Convex: linear time; above 1000 corners: a fan.
/// link: scratch (2 * n).
void fr_face_triangles(const double (*xy)[2], int32_t n, int32_t *link, int32_t (*tri)[3]);
