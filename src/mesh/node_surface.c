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

// Do the sides o u w and o u x lie within 30 degrees of each other? Most do not by far: the part of
// (w - o).(x - o) at right angles to the edge is below 0, by more than rounding.
static bool same_side(const double *p, int32_t node, int32_t u, int32_t w, int32_t x) {
    FrVec3 o = fr_get3(p, node), e = fr_sub(fr_get3(p, u), o);
    FrVec3 a = fr_sub(fr_get3(p, w), o), b = fr_sub(fr_get3(p, x), o);
    double apart = fr_dot(a, b) * fr_dot(e, e) - fr_dot(a, e) * fr_dot(b, e);
    if (apart < -1e-9 * fr_dot(e, e) * (fr_dot(a, a) + fr_dot(b, b))) return false;
    return fr_dot(away(p, node, u, w), away(p, node, u, x)) > SAME_SIDE;
}

// where both sides of a crack meet at an edge, it ends there: the other end of the edge, of the k-th
// of four pairs; below 0: they do not
static int32_t end_at(const double *p, int32_t node, Side f, Side g, int k) {
    int32_t a[2] = {f.u, f.w}, b[2] = {g.u, g.w};
    int32_t u = a[k / 2], w = a[1 - k / 2], x = b[1 - k % 2];
    return u == b[k % 2] && w != x && same_side(p, node, u, w, x) ? u : -1;
}

static void find_ends(FrNodeSurface *surface, const double *p, int32_t node, Side f, Side g) {
    for (int k = 0; k < 4; k++) {
        int32_t u = end_at(p, node, f, g, k);
        if (u >= 0) add_end(surface, p, node, u);
    }
}

static bool ends_with(const double *p, int32_t node, const Side *side, int32_t sides, Side g) {
    for (int32_t k = 0; k < 4 * sides; k++)
        if (end_at(p, node, side[k / 4], g, k % 4) >= 0) return true;
    return false;
}

// corners besides the node of the face opposite corner i
static Side side_of(const int32_t *n, int i, int32_t node) {
    Side face = {-1, -1};
    for (int k = 0; k < 4; k++)
        if (k != i && n[k] != node) face = (Side){n[k], face.u};
    return face;
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
        Side face = side_of(n, k % 4, node);
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

bool fr_node_crack(const FrCutMesh *cut, const double *p, int32_t node, FrSym3 *crack) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    const double(*opened)[4] = fr_cutmesh_opened(cut);
    Side side[MOST_SIDES];
    int32_t count, sides = 0;
    const int32_t *star = fr_cutmesh_star(cut, node, &count);
    *crack = fr_sym3_zero;
    for (int32_t k = 0; k < count; k++) {
        const int32_t *n = mesh->tet[star[k]];
        for (int i = 0; i < 4; i++) {
            if (!(opened[star[k]][i] >= 0) || n[i] == node) continue;
            Side face = side_of(n, i, node);
            if (sides < MOST_SIDES && ends_with(p, node, side, sides, face)) return false;
            add_normal(crack, p, node, face);
            if (sides < MOST_SIDES) side[sides++] = face;
        }
    }
    *crack = with_trace_1(*crack);
    return true;
}
