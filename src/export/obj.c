// obj.c: the writer of OBJ files: shapes as USD has them, at rest, with normals of their own.

#include "base/file.h"
#include "export/obj.h"
#include "export/usd_inside.h"
#include "geom/creases.h"
#include "skin/embed.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// Letters of a name, with room for the number of a piece and of a namesake.
#define NAME_LETTERS 200
#define NAME_ROOM 240

/// Normals or UVs of corners: a point has each one once.
typedef struct Values {
    FR_ARRAY(FrVec3) value;
    FR_ARRAY(int32_t) corner; ///< number of each corner's value, from 1
    FR_ARRAY(int32_t) first;  ///< of each point: its latest value, -1: none
    FR_ARRAY(int32_t) next;   ///< of each value: another one of its point, -1: none
} Values;

typedef struct Objects {
    FrContext *ctx;
    const FrFrameView *view;
    const char *folder; ///< NULL: only counted
    FrUsdGather shapes; ///< what USD would have of this one frame
    FR_ARRAY(double) x; ///< points of a piece, m
    Values normal, uv;
    FrFileWriter file;
} Objects;

// letters, digits, "-", "_" and "." of a body's name: "mug.3"
static void plain_name(const char *body, char name[NAME_ROOM]) {
    size_t used = 0;
    for (const char *c = body && *body ? body : "body"; *c && used < NAME_LETTERS; c++) {
        bool good = (unsigned char)*c < 128 &&
                    (isalnum((unsigned char)*c) || strchr("-_", *c) || (*c == '.' && used));
        name[used++] = good ? *c : '_';
    }
    name[used] = 0;
}

static bool is_cut(const FrUsdGather *g, int32_t k) {
    const FrUsdBody *prim = g->prim.data;
    return (k > 0 && prim[k - 1].body == prim[k].body) ||
           (k + 1 < g->prim.count && prim[k + 1].body == prim[k].body);
}

static FrResult name_pieces(Objects *o) {
    FrUsdGather *g = &o->shapes;
    char name[NAME_ROOM];
    for (int32_t k = 0; k < g->prim.count; k++) {
        FrUsdBody *prim = &g->prim.data[k];
        plain_name(prim->name, name);
        size_t used = strlen(name);
        if (is_cut(g, k))
            used += (size_t)snprintf(name + used, sizeof name - used, ".%d", prim->piece);
        bool taken = false;
        for (int32_t i = 0; i < k && !taken; i++) taken = !strcmp(g->prim.data[i].prim, name);
        if (taken) snprintf(name + used, sizeof name - used, "__%d", k);
        prim->prim = fr_arena_text(&g->arena, name, strlen(name));
        if (!prim->prim) return fr_no_memory(o->ctx, "a name");
    }
    return FR_OK;
}

static FrVec3 rest_of(const FrBodyView *body, const double *x, int32_t source) {
    if (source >= 0) return fr_get3(x, source);
    const int32_t(*tet)[4] = (const int32_t(*)[4])body->mesh->tet;
    return fr_point_carried(tet, &body->embedded->at[-1 - source], x);
}

// dust is kept together in one point
static bool is_dust(const Objects *o, const FrUsdBody *prim) {
    const double *p = o->view->frame[prim->body].p;
    const FrUsdShape *shape = prim->shape;
    const FrBodyView *body = &o->view->body[prim->body];
    for (int32_t k = 1; p && k < shape->point_count; k++) {
        FrVec3 away =
            fr_sub(rest_of(body, p, shape->source[k]), rest_of(body, p, shape->source[0]));
        if (fr_length2(away) > 0.0) return false;
    }
    return p != NULL;
}

static bool values_begin(FrContext *ctx, Values *v, int32_t points) {
    v->value.count = v->corner.count = v->first.count = v->next.count = 0;
    if (!fr_array_extend(ctx, &v->first, points)) return false;
    for (int32_t k = 0; k < points; k++) v->first.data[k] = -1;
    return true;
}

static void values_free(FrContext *ctx, Values *v) {
    fr_array_free(ctx, &v->value);
    fr_array_free(ctx, &v->corner);
    fr_array_free(ctx, &v->first);
    fr_array_free(ctx, &v->next);
}

// the value of the next corner, which is at this point
static bool values_add(FrContext *ctx, Values *v, int32_t point, FrVec3 value) {
    int32_t at = v->first.data[point];
    while (at >= 0 && fr_length2(fr_sub(v->value.data[at], value)) > 0.0) at = v->next.data[at];
    if (at < 0) {
        at = v->value.count;
        if (!fr_array_push(ctx, &v->value, value) ||
            !fr_array_push(ctx, &v->next, v->first.data[point]))
            return false;
        v->first.data[point] = at;
    }
    return fr_array_push(ctx, &v->corner, at + 1);
}

static FrResult place_points(Objects *o, const FrUsdBody *prim) {
    const FrUsdShape *shape = prim->shape;
    const FrBodyView *body = &o->view->body[prim->body];
    o->x.count = 0;
    if (!fr_array_extend(o->ctx, &o->x, 3 * shape->point_count) ||
        !values_begin(o->ctx, &o->normal, shape->point_count) ||
        !values_begin(o->ctx, &o->uv, shape->point_count))
        return fr_no_memory(o->ctx, "a piece");
    for (int32_t k = 0; k < shape->point_count; k++)
        fr_set3(o->x.data, k, rest_of(body, body->mesh->x, shape->source[k]));
    for (int32_t k = 0; k < 3 * shape->tri_count; k++) {
        FrVec3 st = fr_vec3((double)shape->st[2 * k], (double)shape->st[2 * k + 1], 0);
        if (!values_add(o->ctx, &o->uv, shape->tri[k / 3][k % 3], st))
            return fr_no_memory(o->ctx, "UVs");
    }
    return FR_OK;
}

// of triangles from one to another: those outside and those inside never share normals
static FrResult find_normals(Objects *o, const FrUsdShape *shape, int32_t from, int32_t to) {
    FrCorners corners = {.x = o->x.data,
                         .tri = (const int32_t(*)[3])(shape->tri + from),
                         .point_count = shape->point_count,
                         .tri_count = to - from};
    FrResult result = to > from ? fr_corners_make(o->ctx, &corners) : FR_OK;
    for (int32_t k = 3 * from; result == FR_OK && k < 3 * to; k++) {
        int32_t point = shape->tri[k / 3][k % 3];
        FrVec3 n = fr_corner_normal(&corners, point, k - 3 * from);
        if (fr_length2(n) == 0.0) n = fr_vec3(0, 0, 1); // of a triangle without area
        if (!values_add(o->ctx, &o->normal, point, n)) result = fr_no_memory(o->ctx, "normals");
    }
    fr_corners_free(o->ctx, &corners);
    return result;
}

static FrResult write_group(Objects *o, const FrUsdBody *prim, bool inside) {
    const FrUsdShape *shape = prim->shape;
    int32_t middle = shape->tri_count - shape->inside_count;
    int32_t from = inside ? middle : 0, to = inside ? shape->tri_count : middle;
    if (from == to) return FR_OK;
    FR_TRY(fr_file_printf(&o->file, "g %s\nusemtl %s%s\n", inside ? "inside" : "outside",
                          prim->material.name[0] ? prim->material.name : "material",
                          inside ? "-inside" : ""));
    for (int32_t k = from; k < to; k++) {
        const int32_t *v = shape->tri[k];
        const int32_t *vt = o->uv.corner.data + 3 * (size_t)k;
        const int32_t *vn = o->normal.corner.data + 3 * (size_t)k;
        FR_TRY(fr_file_printf(&o->file, "f %d/%d/%d %d/%d/%d %d/%d/%d\n", v[0] + 1, vt[0], vn[0],
                              v[1] + 1, vt[1], vn[1], v[2] + 1, vt[2], vn[2]));
    }
    return FR_OK;
}

static FrResult write_rows(Objects *o, const FrUsdBody *prim) {
    const FrUsdShape *shape = prim->shape;
    FR_TRY(
        fr_file_printf(&o->file, "# %s at rest, in metres, z up\no %s\n", prim->prim, prim->prim));
    for (int32_t k = 0; k < shape->point_count; k++) {
        FrVec3 x = fr_get3(o->x.data, k);
        FR_TRY(fr_file_printf(&o->file, "v %.9g %.9g %.9g\n", x.x, x.y, x.z));
    }
    for (int32_t k = 0; k < o->uv.value.count; k++) {
        FrVec3 uv = o->uv.value.data[k];
        FR_TRY(fr_file_printf(&o->file, "vt %.6g %.6g\n", uv.x, uv.y));
    }
    for (int32_t k = 0; k < o->normal.value.count; k++) {
        FrVec3 n = o->normal.value.data[k];
        FR_TRY(fr_file_printf(&o->file, "vn %.5f %.5f %.5f\n", n.x, n.y, n.z));
    }
    FR_TRY(write_group(o, prim, false));
    return write_group(o, prim, true);
}

static FrResult write_piece(Objects *o, const FrUsdBody *prim) {
    const FrUsdShape *shape = prim->shape;
    int32_t outside = shape->tri_count - shape->inside_count;
    char name[NAME_ROOM + 8];
    FR_TRY(place_points(o, prim));
    FR_TRY(find_normals(o, shape, 0, outside));
    FR_TRY(find_normals(o, shape, outside, shape->tri_count));
    snprintf(name, sizeof name, "%s.obj", prim->prim);
    char *path = fr_path_join(o->ctx, o->folder, name);
    FrResult result = path ? fr_file_begin(o->ctx, path, &o->file) : fr_no_memory(o->ctx, "a path");
    fr_free(o->ctx, path);
    FR_TRY(result);
    result = write_rows(o, prim);
    if (result == FR_OK) return fr_file_commit(&o->file);
    fr_file_abort(&o->file);
    return result;
}

static FrResult write_all(Objects *o, int32_t *count) {
    FrUsdGather *g = &o->shapes;
    for (int32_t k = 0; k < o->view->body_count; k++)
        if (o->view->body[k].kind == FR_BODY_TETS && o->view->frame[k].alive)
            FR_TRY(fr_usd_plan_tets(g, &o->view->body[k], k, 0));
    FR_TRY(name_pieces(o));
    if (o->folder) FR_TRY(fr_make_folders(o->ctx, o->folder));
    for (int32_t k = 0; k < g->prim.count; k++) {
        if (is_dust(o, &g->prim.data[k])) continue;
        if (o->folder) FR_TRY(write_piece(o, &g->prim.data[k]));
        ++*count;
        fr_progress(o->ctx, "pieces", k + 1, g->prim.count);
    }
    return FR_OK;
}

FrResult fr_export_obj(FrContext *ctx, const FrFrameView *view, const char *folder,
                       int32_t *count) {
    Objects o = {.ctx = ctx, .view = view, .folder = folder};
    *count = 0;
    o.shapes = (FrUsdGather){.ctx = ctx, .frame_count = 1, .scratch = -1};
    fr_arena_init(&o.shapes.arena, ctx);
    FrResult result = write_all(&o, count);
    fr_usd_gather_free(&o.shapes);
    fr_array_free(ctx, &o.x);
    values_free(ctx, &o.normal);
    values_free(ctx, &o.uv);
    return result;
}
