// node_surface.c: the surface at a node of a mesh that is cut: what is free, and where a crack
// ends.

#include "mesh/node_surface.h"

// the two sides of a crack lie within 30 degrees of each other where it ends (cosine)
#define SAME_SIDE 0.87
// a front that turns back at the node has no direction there (sum of two unit vectors)
#define LEAST_SPAN 0.5
// sides of cracks at one node that are looked at, one by one
#define MOST_SIDES 64

/// Corners of a face besides the node.
typedef struct Side {
    int32_t u, w;
} Side;

static void add_normal(FrSym3 *sum, const double *p, int32_t node, Side face) {
    FrVec3 o = fr_get3(p, node);
    FrVec3 s = fr_cross(fr_sub(fr_get3(p, face.u), o), fr_sub(fr_get3(p, face.w), o));
    double size = fr_length(s);
    if (size > 0) *sum = fr_sym3_axpy(1 / size, fr_mat3_sym(fr_outer(s, s)), *sum);
}

static FrSym3 with_trace_1(FrSym3 s) {
    double trace = fr_sym3_trace(s);
    return trace > 0 ? fr_sym3_axpy(1 / trace, s, fr_sym3_zero) : s;
}

// from the edge o u towards w, at right angles to it
static FrVec3 away(const double *p, int32_t node, int32_t u, int32_t w) {
    FrVec3 o = fr_get3(p, node);
    FrVec3 e = fr_normalize(fr_sub(fr_get3(p, u), o)), a = fr_sub(fr_get3(p, w), o);
    return fr_normalize(fr_axpy(-fr_dot(a, e), e, a));
}

static void add_end(FrNodeSurface *surface, const double *p, int32_t node, int32_t u) {
    for (int32_t k = 0; k < surface->ends; k++)
        if (surface->end[k] == u) return;
    if (surface->ends == FR_FRONT_ENDS) return;
    FrVec3 end = fr_normalize(fr_sub(fr_get3(p, u), fr_get3(p, node)));
    surface->along = surface->ends ? fr_sub(surface->along, end) : end;
    surface->end[surface->ends++] = u;
}

// where both sides of a crack meet at an edge, it ends there
static void find_ends(FrNodeSurface *surface, const double *p, int32_t node, Side f, Side g) {
    int32_t a[2] = {f.u, f.w}, b[2] = {g.u, g.w};
    for (int k = 0; k < 4; k++) {
        int32_t u = a[k / 2], w = a[1 - k / 2], x = b[1 - k % 2];
        if (u != b[k % 2] || w == x) continue;
        if (fr_dot(away(p, node, u, w), away(p, node, u, x)) > SAME_SIDE)
            add_end(surface, p, node, u);
    }
}

void fr_node_surface(const FrCutMesh *cut, const double *p, int32_t node, FrNodeSurface *surface) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    const double(*opened)[4] = fr_cutmesh_opened(cut);
    Side side[MOST_SIDES];
    int32_t count, sides = 0;
    const int32_t *star = fr_cutmesh_star(cut, node, &count);
    *surface = (FrNodeSurface){.ends = 0};
    for (int32_t k = 0; k < 4 * count; k++) {
        const int32_t *n = mesh->tet[star[k / 4]];
        double mark = opened[star[k / 4]][k % 4];
        if (n[k % 4] == node || mark == FR_FACE_INNER) continue;
        Side face = {-1, -1};
        for (int i = 0; i < 4; i++)
            if (i != k % 4 && n[i] != node) face = (Side){n[i], face.u};
        add_normal(mark >= 0 ? &surface->crack : &surface->outer, p, node, face);
        if (mark >= 0 && sides < MOST_SIDES) side[sides++] = face;
    }
    for (int32_t k = 0; k < sides; k++)
        for (int32_t j = 0; j < k; j++) find_ends(surface, p, node, side[j], side[k]);
    surface->outer = with_trace_1(surface->outer);
    surface->crack = with_trace_1(surface->crack);
    bool known =
        (surface->ends == 1 || surface->ends == 2) && fr_length(surface->along) > LEAST_SPAN;
    surface->along = known ? fr_normalize(surface->along) : fr_vec3_zero;
}
