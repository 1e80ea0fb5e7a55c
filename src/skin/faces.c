// faces.c: a surface of tets as a fine surface: its points hang on nodes.

#include "skin/faces.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/table.h"
#include "geom/creases.h"
#include "skin/embed.h"
#include <string.h>

static FrResult no_memory(FrContext *ctx) { return fr_no_memory(ctx, "the skin of faces"); }

static bool is_outside(const FrSurface *s, int32_t t) { return !s->opened || s->opened[t] < 0.0; }

static int32_t count_outside(const FrSurface *s) {
    int32_t count = 0;
    for (int32_t t = 0; t < s->tri_count; t++) count += is_outside(s, t);
    return count;
}

static FrPoint point_on(const FrTetMesh *mesh, int32_t tet, int32_t node) {
    FrPoint at = {.tet = tet};
    for (int i = 0; i < 4; i++) at.b[i] = mesh->tet[tet][i] == node;
    return at;
}

FrResult fr_embedded_of_faces(FrContext *ctx, const FrTetMesh *mesh, const FrSurface *surface,
                              FrEmbedded *skin) {
    int32_t *point = FR_NEW(ctx, int32_t, mesh->node_count), tris = count_outside(surface);
    *skin = (FrEmbedded){.at = FR_NEW(ctx, FrPoint, mesh->node_count),
                         .tri = fr_alloc_zero(ctx, (size_t)tris, sizeof *skin->tri)};
    if (!point || !skin->at || !skin->tri) {
        fr_free(ctx, point);
        fr_embedded_free(ctx, skin);
        return no_memory(ctx);
    }
    for (int32_t n = 0; n < mesh->node_count; n++) point[n] = -1;
    for (int32_t t = 0; t < surface->tri_count; t++) {
        if (!is_outside(surface, t)) continue;
        for (int i = 0; i < 3; i++) {
            int32_t n = surface->tri[t][i];
            if (point[n] < 0) {
                point[n] = skin->point_count++;
                skin->at[point[n]] = point_on(mesh, surface->tet[t], n);
            }
            skin->tri[skin->tri_count][i] = point[n];
        }
        skin->tri_count++;
    }
    fr_free(ctx, point);
    return FR_OK;
}

// does the point hang on this node alone?
static bool hangs_on(const FrTetMesh *mesh, const FrPoint *at, int32_t node) {
    for (int i = 0; i < 4; i++)
        if (at->b[i] != (mesh->tet[at->tet][i] == node)) return false;
    return true;
}

bool fr_embedded_is_of_faces(const FrTetMesh *mesh, const FrSurface *surface,
                             const FrEmbedded *skin) {
    int32_t own = 0;
    if (skin->closing_count || skin->tri_count != count_outside(surface)) return false;
    for (int32_t t = 0; t < surface->tri_count; t++) {
        if (!is_outside(surface, t)) continue;
        for (int i = 0; i < 3; i++)
            if (!hangs_on(mesh, &skin->at[skin->tri[own][i]], surface->tri[t][i])) return false;
        own++;
    }
    return true;
}

/// A skin that gets its normals.
typedef struct Shading {
    FrContext *ctx;
    const FrEmbedded *skin;
    FrCorners corners;
    FR_ARRAY(int32_t) from; ///< point before, of each point
    FR_ARRAY(FrVec3) normal;
    int32_t (*tri)[3];
} Shading;

static bool same(FrVec3 a, FrVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// one point for each normal that the corners at a point have
static bool split_point(Shading *s, int32_t point) {
    int32_t first = s->from.count;
    for (int32_t k = s->corners.start[point]; k < s->corners.start[point + 1]; k++) {
        int32_t corner = s->corners.list[k], at = first;
        FrVec3 n = fr_corner_normal(&s->corners, point, corner);
        while (at < s->from.count && !same(s->normal.data[at], n)) at++;
        s->tri[corner / 3][corner % 3] = at;
        if (at < s->from.count) continue;
        if (!fr_array_push(s->ctx, &s->from, point) || !fr_array_push(s->ctx, &s->normal, n))
            return false;
    }
    return true;
}

static bool make_shading(Shading *s, const FrTetMesh *mesh, double *x) {
    const FrEmbedded *skin = s->skin;
    s->tri = fr_alloc_zero(s->ctx, (size_t)skin->tri_count, sizeof *s->tri);
    if (!x || !s->tri) return false;
    for (int32_t k = 0; k < skin->point_count; k++)
        fr_set3(x, k, fr_point_carried((const int32_t(*)[4])mesh->tet, &skin->at[k], mesh->x));
    s->corners = (FrCorners){.x = x,
                             .tri = (const int32_t(*)[3])skin->tri,
                             .point_count = skin->point_count,
                             .tri_count = skin->tri_count};
    bool good = fr_corners_make(s->ctx, &s->corners) == FR_OK;
    for (int32_t k = 0; k < skin->point_count && good; k++) good = split_point(s, k);
    return good;
}

// points (count) come from those before
static bool copy_points(FrContext *ctx, const FrEmbedded *from, const int32_t *point, int32_t count,
                        FrEmbedded *to) {
    to->point_count = count;
    to->at = FR_NEW(ctx, FrPoint, count);
    to->normal = FR_NEW(ctx, double, 3 * (size_t)count);
    if (from->uv) to->uv = FR_NEW(ctx, double, 2 * (size_t)count);
    if (from->piece) to->piece = FR_NEW(ctx, int32_t, count);
    if (!to->at || !to->normal || (from->uv && !to->uv) || (from->piece && !to->piece))
        return false;
    for (int32_t k = 0; k < count; k++) {
        to->at[k] = from->at[point[k]];
        if (to->uv) memcpy(to->uv + 2 * k, from->uv + 2 * point[k], 2 * sizeof *to->uv);
        if (to->piece) to->piece[k] = from->piece[point[k]];
    }
    return true;
}

FrResult fr_embedded_shade(FrContext *ctx, const FrTetMesh *mesh, FrEmbedded *skin) {
    Shading s = {.ctx = ctx, .skin = skin};
    FrEmbedded shaded = {.tri_count = skin->tri_count};
    double *x = FR_NEW(ctx, double, 3 * (size_t)skin->point_count);
    bool good =
        make_shading(&s, mesh, x) && copy_points(ctx, skin, s.from.data, s.from.count, &shaded);
    shaded.tri = s.tri;
    for (int32_t k = 0; k < shaded.point_count && good; k++)
        fr_set3(shaded.normal, k, s.normal.data[k]);
    if (good) {
        fr_embedded_free(ctx, skin);
        *skin = shaded;
    } else {
        fr_embedded_free(ctx, &shaded);
    }
    fr_corners_free(ctx, &s.corners);
    fr_array_free(ctx, &s.from);
    fr_array_free(ctx, &s.normal);
    fr_free(ctx, x);
    return good ? FR_OK : no_memory(ctx);
}

/// What a corner of a face looks like.
typedef struct Look {
    FrVec3 normal;
    double uv[2];
} Look;

/// A skin of faces that are cut.
typedef struct Cutting {
    FrContext *ctx;
    const FrEmbedded *whole;
    const FrFaceCut *faces;
    FrTable known; ///< points by node and look
    FrEmbedded *out;
    FR_ARRAY(FrPoint) at;
    FR_ARRAY(int32_t) piece; ///< of each point
    FR_ARRAY(double) normal, uv;
} Cutting;

// Sums in the order of points: faces that share two of them agree between these.
static Look look_at(const Cutting *c, const int32_t tri[3], const double w[3]) {
    Look look = {0};
    int32_t last = -1;
    for (int pass = 0; pass < 3; pass++) {
        int next = -1;
        for (int j = 0; j < 3; j++)
            if (tri[j] > last && (next < 0 || tri[j] < tri[next])) next = j;
        if (next < 0) break;
        last = tri[next];
        if (w[next] == 0.0) continue;
        look.normal = fr_axpy(w[next], fr_get3(c->whole->normal, last), look.normal);
        for (int k = 0; k < 2 && c->whole->uv; k++)
            look.uv[k] += w[next] * c->whole->uv[2 * (size_t)last + (size_t)k];
    }
    look.normal = fr_normalize(look.normal);
    return look;
}

// a corner on its way to a point
typedef struct Corner {
    int32_t node, tet, piece;
    Look look;
} Corner;

static bool looks_so(const Cutting *c, int32_t point, const Corner *corner) {
    const double *n = c->normal.data + 3 * (size_t)point, *uv = c->uv.data + 2 * (size_t)point;
    const Look *look = &corner->look;
    return c->piece.data[point] == corner->piece &&
           hangs_on(c->faces->mesh, &c->at.data[point], corner->node) &&
           same(look->normal, fr_vec3(n[0], n[1], n[2])) && uv[0] == look->uv[0] &&
           uv[1] == look->uv[1];
}

static bool add_point(Cutting *c, const Corner *corner) {
    const Look *look = &corner->look;
    double number[5] = {look->normal.x, look->normal.y, look->normal.z, look->uv[0], look->uv[1]};
    for (int k = 0; k < 5; k++) {
        bool good = k < 3 ? fr_array_push(c->ctx, &c->normal, number[k])
                          : fr_array_push(c->ctx, &c->uv, number[k]);
        if (!good) return false;
    }
    FrPoint at = point_on(c->faces->mesh, corner->tet, corner->node);
    return fr_array_push(c->ctx, &c->at, at) && fr_array_push(c->ctx, &c->piece, corner->piece);
}

// the point of the corner's piece at its node that looks so; -1: no memory
static int32_t need_point(Cutting *c, const Corner *corner) {
    FrHash hash;
    fr_hash_begin(&hash, (uint64_t)corner->node);
    fr_hash_u64(&hash, (uint64_t)corner->piece);
    fr_hash_bytes(&hash, &corner->look, sizeof corner->look);
    if (!fr_table_reserve(c->ctx, &c->known, 1)) return -1;
    int32_t point = fr_table_add(&c->known, fr_hash_end(&hash), c->at.count);
    if (point < c->at.count && looks_so(c, point, corner)) return point;
    point = c->at.count;
    return add_point(c, corner) ? point : -1;
}

static bool cut_face(Cutting *c, int32_t t, const int32_t *skin_tri) {
    const FrFaceCut *f = c->faces;
    const FrFaceRoot *root = &f->root[t];
    const int32_t *from = c->whole->tri[skin_tri[root->tri]];
    for (int i = 0; i < 3; i++) {
        Corner corner = {f->now->tri[t][i], f->now->tet[t], f->now->piece[t],
                         look_at(c, from, root->w[i])};
        int32_t point = need_point(c, &corner);
        if (point < 0) return false;
        c->out->tri[c->out->tri_count][i] = point;
    }
    c->out->tri_count++;
    return true;
}

// number of each face before the cuts in the skin
static int32_t *number_faces(FrContext *ctx, const FrSurface *was) {
    int32_t *number = FR_NEW(ctx, int32_t, was->tri_count), next = 0;
    for (int32_t t = 0; number && t < was->tri_count; t++)
        number[t] = is_outside(was, t) ? next++ : -1;
    return number;
}

FrResult fr_embedded_cut_faces(FrContext *ctx, const FrEmbedded *whole, const FrFaceCut *faces,
                               FrEmbedded *out) {
    Cutting c = {.ctx = ctx, .whole = whole, .faces = faces, .out = out};
    int32_t *number = number_faces(ctx, faces->was);
    *out = (FrEmbedded){.tri = fr_alloc_zero(ctx, (size_t)faces->now->tri_count, sizeof *out->tri)};
    bool good = number && out->tri;
    for (int32_t t = 0; t < faces->now->tri_count && good; t++) {
        int32_t root = faces->root[t].tri;
        if (root >= 0 && number[root] >= 0) good = cut_face(&c, t, number);
    }
    out->point_count = c.at.count;
    out->at = c.at.data;
    out->normal = c.normal.data;
    out->piece = c.piece.data;
    if (whole->uv)
        out->uv = c.uv.data;
    else
        fr_array_free(ctx, &c.uv);
    fr_table_free(ctx, &c.known);
    fr_free(ctx, number);
    if (!good) fr_embedded_free(ctx, out);
    return good ? FR_OK : no_memory(ctx);
}
