// node_surface.c: the surface at a node of a mesh that is cut: what is free, and where a crack
// ends.

#include "cut/node_surface.h"
#include "cut/cut_tuning.h"

/// Corners of a face besides the node.
typedef struct Side {
    int32_t u, w;
} Side;

static FrVec3 normal_of(const double *p, int32_t node, Side face) {
    FrVec3 o = fr_get3(p, node);
    return fr_cross(fr_sub(fr_get3(p, face.u), o), fr_sub(fr_get3(p, face.w), o));
}

static void add_normal(FrSym3 *sum, FrVec3 s) {
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

// where both sides of a crack meet at an edge, it ends there: the other end of the edge, of the
// k-th of four pairs; below 0: they do not
static int32_t end_at(const double *p, int32_t node, Side f, Side g, int k) {
    int32_t a[2] = {f.u, f.w}, b[2] = {g.u, g.w};
    int32_t u = a[k / 2], w = a[1 - k / 2], x = b[1 - k % 2];
    if (u != b[k % 2] || w == x) return -1;
    return fr_dot(away(p, node, u, w), away(p, node, u, x)) > FR_SAME_SIDE ? u : -1;
}

static void find_ends(FrNodeSurface *surface, const double *p, int32_t node, Side f, Side g) {
    for (int k = 0; k < 4; k++) {
        int32_t u = end_at(p, node, f, g, k);
        if (u >= 0) add_end(surface, p, node, u);
    }
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
    Side side[FR_SIDES];
    int32_t count, sides = 0;
    const int32_t *star = fr_cutmesh_star(cut, node, &count);
    *surface = (FrNodeSurface){.ends = 0};
    for (int32_t k = 0; k < 4 * count; k++) {
        const int32_t *n = mesh->tet[star[k / 4]];
        double mark = opened[star[k / 4]][k % 4];
        if (n[k % 4] == node || mark == FR_FACE_INNER) continue;
        Side face = side_of(n, k % 4, node);
        add_normal(mark >= 0 ? &surface->crack : &surface->outer, normal_of(p, node, face));
        if (mark >= 0 && sides < FR_SIDES) side[sides++] = face;
    }
    for (int32_t k = 0; k < sides; k++)
        for (int32_t j = 0; j < k; j++) find_ends(surface, p, node, side[j], side[k]);
    surface->outer = with_trace_1(surface->outer);
    surface->crack = with_trace_1(surface->crack);
    bool known =
        (surface->ends == 1 || surface->ends == 2) && fr_length(surface->along) > FR_LEAST_SPAN;
    surface->along = known ? fr_normalize(surface->along) : fr_vec3_zero;
}

// which of the sides before it a side meets
static void note_meets(FrCrackSide *side, const FrCrackSide *before, int32_t count) {
    side->same = side->other = 0;
    for (int32_t j = 0; j < count && j < FR_SIDES; j++) {
        const FrCrackSide *f = &before[j];
        side->same |= (uint64_t)(f->u == side->u || f->w == side->w) << j;
        side->other |= (uint64_t)(f->u == side->w || f->w == side->u) << j;
    }
}

static bool list_sides(FrContext *ctx, const FrCutMesh *cut, const uint8_t *open, int32_t node,
                       FrCrackSides *sides) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    int32_t count, first = sides->side.count;
    const int32_t *star = fr_cutmesh_star(cut, node, &count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t *n = mesh->tet[star[k]];
        for (int i = 0; open[star[k]] >> i; i++) {
            if (!(open[star[k]] >> i & 1) || n[i] == node) continue;
            Side face = side_of(n, i, node);
            FrCrackSide side = {.u = face.u, .w = face.w};
            note_meets(&side, sides->side.data + first, sides->side.count - first);
            if (!fr_array_push(ctx, &sides->side, side)) return false;
        }
    }
    return true;
}

bool fr_crack_sides_list(FrContext *ctx, const FrCutMesh *cut, const uint8_t *open,
                         FrCrackSides *sides) {
    int32_t nodes = fr_cutmesh_view(cut)->node_count;
    sides->side.count = sides->first.count = 0;
    if (!fr_array_extend(ctx, &sides->first, nodes + 1)) return false;
    for (int32_t n = 0; n < nodes; n++) {
        if (!list_sides(ctx, cut, open, n, sides)) return false;
        sides->first.data[n + 1] = sides->side.count;
    }
    return true;
}

void fr_crack_sides_free(FrContext *ctx, FrCrackSides *sides) {
    fr_array_free(ctx, &sides->side);
    fr_array_free(ctx, &sides->first);
}

// Does a crack end where side k meets one of those before it? The area vectors of two sides that
// meet at u are e x a and e x b: with (e x a).(e x b) below 0, by more than rounding, they lie on
// either side of the edge, as most do (Lagrange's identity; where u is the first corner of one and
// the second of the other, above 0).
static bool ends_with(const FrCrackSide *side, const double *p, int32_t node,
                      const FrNodeCrack *crack, int32_t k) {
    uint64_t meets = side[k].same | side[k].other;
    FrVec3 normal = crack->side[k];
    for (int32_t j = 0; meets >> j; j++) {
        bool same = side[k].same >> j & 1, other = side[k].other >> j & 1;
        if (!(same || other)) continue;
        double apart = fr_dot(crack->side[j], normal);
        double sizes = fr_dot(crack->side[j], crack->side[j]) * fr_dot(normal, normal);
        if (same != other && apart * apart > FR_SIDES_APART * sizes && (apart < 0) == same)
            continue;
        Side f = {side[j].u, side[j].w}, g = {side[k].u, side[k].w};
        for (int i = 0; i < 4; i++)
            if (end_at(p, node, f, g, i) >= 0) return true;
    }
    return false;
}

bool fr_node_crack(const FrCrackSides *sides, const double *p, int32_t node, FrNodeCrack *crack) {
    const FrCrackSide *side = sides->side.data + sides->first.data[node];
    int32_t count = sides->first.data[node + 1] - sides->first.data[node];
    crack->faces = fr_sym3_zero;
    crack->sides = count < FR_SIDES ? count : FR_SIDES;
    for (int32_t k = 0; k < count; k++) {
        FrVec3 normal = normal_of(p, node, (Side){side[k].u, side[k].w});
        add_normal(&crack->faces, normal);
        if (k >= FR_SIDES) continue;
        crack->side[k] = normal;
        if (ends_with(side, p, node, crack, k)) return false;
    }
    crack->faces = with_trace_1(crack->faces);
    return true;
}
