// zip.h: two loops of points that run side by side, joined by a strip of triangles.
#pragma once
#include "math/vec.h"
#include "base/base.h"

/// One loop of vertices, in order.
typedef struct FrLoop {
    const int32_t *v;
    int32_t count;
} FrLoop;

/// Mean distance from the vertices of a loop to the nearest vertex of another, m, or anything from
/// `most` on where it is not less than that; x: places of all vertices.
double fr_loop_distance(const FrVec3 *x, FrLoop from, FrLoop to, double most);

/// tri (a.count + b.count): triangles that run against every side of `a` and along every side of
/// `b`, each once, of all such strips the one whose lines across are shortest in sum. A triangle
/// has two corners alike where a and b share a vertex. FR_NO_MEMORY only.
FrResult fr_loops_zip(FrContext *ctx, const FrVec3 *x, FrLoop a, FrLoop b, int32_t (*tri)[3]);
