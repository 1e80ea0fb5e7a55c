// usd_gather.c: one run through the frames; each body's samples land at a known place of a scratch
// file, from which the writer picks them body by body.

#include "export/usd_inside.h"
#include "export/piece_list.h"
#include "export/shapes.h"
#include "base/file.h"
#include "skin/embed.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POSE_FLOATS 7 // position, rotation w x y z

double fr_usd_scale(const FrUsdOptions *options) {
    return options->preset == FR_USD_UNREAL ? 100.0 : 1.0;
}

FrVec3 fr_usd_turn(const FrUsdOptions *options, FrVec3 v) {
    return options->preset == FR_USD_HOUDINI ? fr_vec3(v.x, v.z, -v.y) : v;
}

FrVec3 fr_usd_axes(const FrUsdOptions *options, FrVec3 v) {
    FrVec3 s = fr_scale(fr_usd_scale(options), v);
    return fr_usd_turn(options, s);
}

static FrResult io_failed(FrUsdGather *g, const char *doing) {
    return fr_fail(g->ctx, FR_IO, "cannot %s the scratch file beside %s: %s", doing, g->path,
                   strerror(errno));
}

// unlinked at once: it goes away with the process, whatever happens
static FrResult open_scratch(FrUsdGather *g, const char *path) {
    size_t room = strlen(path) + 40;
    g->path = path;
    char *name = fr_alloc(g->ctx, room);
    if (!name) return fr_no_memory(g->ctx, path);
    snprintf(name, room, "%s.%ld.scratch", path, (long)getpid());
    g->scratch = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (g->scratch >= 0) unlink(name);
    fr_free(g->ctx, name);
    return g->scratch >= 0
               ? FR_OK
               : fr_fail(g->ctx, FR_IO, "cannot write beside %s: %s", path, strerror(errno));
}

static FrResult scratch_write(FrUsdGather *g, uint64_t at, const float *value, size_t count) {
    const FrFileCalls *calls = fr_context_files(g->ctx);
    const char *bytes = (const char *)value;
    size_t left = count * sizeof *value;
    if (lseek(g->scratch, (off_t)at, SEEK_SET) < 0) return io_failed(g, "write");
    while (left) {
        ssize_t n = calls->write ? calls->write(calls->user, g->scratch, bytes, left)
                                 : write(g->scratch, bytes, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return io_failed(g, "write");
        bytes += n;
        left -= (size_t)n;
    }
    return FR_OK;
}

const FrUsdShape *fr_usd_shape(const FrUsdBody *body, int32_t frame) {
    const FrUsdShape *shape = body->shape;
    while (shape && shape->next && shape->next->from <= frame) shape = shape->next;
    return shape;
}

static size_t floats_of(const FrUsdBody *body, int32_t frame) {
    if (body->kind == FR_BODY_SPHERE || body->rigid) return POSE_FLOATS;
    return body->shape ? 6 * (size_t)fr_usd_shape(body, frame)->point_count : 0;
}

FrResult fr_usd_sample(FrUsdGather *g, const FrUsdBody *body, int32_t frame) {
    char *to = (char *)g->sample.data;
    size_t left = floats_of(body, frame) * sizeof(float);
    off_t at = (off_t)body->at[frame];
    while (left) {
        ssize_t n = pread(g->scratch, to, left, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return io_failed(g, "read");
        to += n;
        at += n;
        left -= (size_t)n;
    }
    return FR_OK;
}

static bool is_prim(const FrUsdGather *g, const char *name, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (!strcmp(g->prim.data[k].prim, name)) return true;
    return false;
}

// a name that no body has
static FrResult spare_name(FrUsdGather *g, const char *wish, const char **name) {
    char text[32];
    snprintf(text, sizeof text, "%s", wish);
    for (int k = 2; is_prim(g, text, g->prim.count); k++)
        snprintf(text, sizeof text, "%s__%d", wish, k);
    *name = fr_arena_text(&g->arena, text, strlen(text));
    return *name ? FR_OK : fr_no_memory(g->ctx, "a prim name");
}

// a name of a look, or of that of its inside
static bool is_look(const FrUsdGather *g, const char *name, int32_t count) {
    char inside[FR_PIECE_NAME + 32];
    for (int32_t k = 0; k < count; k++) {
        if (!g->prim.data[k].look) continue;
        snprintf(inside, sizeof inside, "%s_inside", g->prim.data[k].look);
        if (!strcmp(g->prim.data[k].look, name) || !strcmp(inside, name)) return true;
    }
    return false;
}

// after its material
static FrResult name_look(FrUsdGather *g, int32_t id) {
    const FrMaterial *m = &g->prim.data[id].material;
    char text[FR_PIECE_NAME + 16], name[sizeof m->name + 1] = {0};
    memcpy(name, m->name, sizeof m->name);
    fr_piece_name(name[0] ? name : "look", -1, text);
    size_t used = strlen(text);
    if (is_look(g, text, id)) snprintf(text + used, sizeof text - used, "__%d", id);
    g->prim.data[id].look = fr_arena_text(&g->arena, text, strlen(text));
    return g->prim.data[id].look ? FR_OK : fr_no_memory(g->ctx, "a name of a look");
}

// pieces have their number
static FrResult name_prim(FrUsdGather *g, int32_t id, bool pieces) {
    char text[FR_PIECE_NAME + 16];
    fr_piece_name(g->prim.data[id].name, pieces ? g->prim.data[id].piece : -1, text);
    size_t used = strlen(text);
    // "Looks" is taken by the materials
    bool taken = !strcmp(text, "Looks") || is_prim(g, text, id);
    if (taken) snprintf(text + used, sizeof text - used, "__%d", id);
    g->prim.data[id].prim = fr_arena_text(&g->arena, text, strlen(text));
    return g->prim.data[id].prim ? FR_OK : fr_no_memory(g->ctx, "a prim name");
}

static bool same_looks(const FrMaterial *a, const FrMaterial *b) {
    return !strncmp(a->name, b->name, sizeof a->name) && a->colour[0] == b->colour[0] &&
           a->colour[1] == b->colour[1] && a->colour[2] == b->colour[2] &&
           a->roughness == b->roughness && a->metallic == b->metallic && a->opacity == b->opacity &&
           a->inside[0] == b->inside[0] && a->inside[1] == b->inside[1] &&
           a->inside[2] == b->inside[2];
}

// spheres and planes have one prim; what they are does not change
static FrResult plan_simple(FrUsdGather *g, const FrFrameView *view, int32_t id) {
    const FrBodyView *from = &view->body[id];
    FrUsdBody *prim = fr_usd_prim(g, from, id, 0);
    if (!prim) return fr_no_memory(g->ctx, "samples");
    if (from->kind != FR_BODY_PLANE) return FR_OK;
    FrBox box = fr_frame_box(view);
    bool empty = box.lo.x > box.hi.x;
    fr_plane_quad(from, empty ? fr_vec3_zero : fr_box_center(box),
                  empty ? 1.0 : 2.0 * fr_length(fr_box_size(box)), prim->corner);
    return FR_OK;
}

// meshes that were cut have more nodes than before
static FrResult plan(FrUsdGather *g, const FrFrameView *view, int32_t frame) {
    while (g->nodes.count < view->body_count)
        if (!fr_array_push(g->ctx, &g->nodes, -1)) return fr_no_memory(g->ctx, "samples");
    for (int32_t b = 0; b < view->body_count; b++) {
        const FrBodyView *body = &view->body[b];
        int32_t nodes = body->mesh ? body->mesh->node_count : 0;
        if (g->nodes.data[b] == nodes) continue;
        FR_TRY(body->kind == FR_BODY_TETS ? fr_usd_plan_tets(g, body, b, frame)
                                          : plan_simple(g, view, b));
        g->nodes.data[b] = nodes;
    }
    return FR_OK;
}

static void put3(float *to, FrVec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void fill_pose(const FrUsdOptions *o, const FrBodyFrame *frame, float *to) {
    FrQuat q = frame->rotation;
    put3(to, fr_usd_axes(o, frame->position));
    to[3] = (float)q.w;
    put3(to + 4, fr_usd_turn(o, fr_vec3(q.x, q.y, q.z)));
}

static void fill_points(const FrUsdOptions *o, const FrUsdShape *shape, const FrBodyView *view,
                        const FrBodyFrame *frame, float *to) {
    for (int32_t k = 0; k < shape->point_count; k++) {
        FrVec3 p, v;
        if (shape->source[k] >= 0) {
            p = fr_get3(frame->p, shape->source[k]);
            v = fr_get3(frame->v, shape->source[k]);
        } else {
            const FrPoint *at = &view->embedded->at[-1 - shape->source[k]];
            const int32_t(*tet)[4] = (const int32_t(*)[4])view->mesh->tet;
            p = fr_point_carried(tet, at, frame->p);
            v = fr_point_carried(tet, at, frame->v);
        }
        put3(to + 3 * (size_t)k, fr_usd_axes(o, p));
        put3(to + 3 * ((size_t)shape->point_count + (size_t)k), fr_usd_axes(o, v));
    }
}

// dust is drawn together in one point: nothing to see
static bool in_a_point(const FrUsdShape *shape, const float *p) {
    for (int32_t k = 3; k < 3 * shape->point_count; k++)
        if (p[k] != p[k % 3]) return false;
    return true;
}

// is this piece part of the body at this frame?
static bool present(const FrUsdBody *prim, int32_t frame) {
    return prim->kind != FR_BODY_TETS || (prim->shape && prim->shape->from <= frame);
}

static FrResult gather_prim(FrUsdGather *g, FrUsdBody *prim, const FrFrameView *view, int32_t k) {
    size_t floats = floats_of(prim, k);
    if (floats > INT32_MAX || !fr_array_reserve(g->ctx, &g->sample, (int32_t)floats))
        return fr_no_memory(g->ctx, "samples");
    prim->at[k] = g->end;
    if (floats == 0) return FR_OK;
    if (prim->kind == FR_BODY_SPHERE || prim->rigid)
        fill_pose(&g->options, &view->frame[prim->body], g->sample.data);
    else
        fill_points(&g->options, fr_usd_shape(prim, k), &view->body[prim->body],
                    &view->frame[prim->body], g->sample.data);
    if (prim->kind == FR_BODY_TETS && !prim->rigid &&
        in_a_point(fr_usd_shape(prim, k), g->sample.data))
        prim->alive[k] = 0;
    g->end += floats * sizeof(float);
    return scratch_write(g, prim->at[k], g->sample.data, floats);
}

static FrResult gather_frame(FrUsdGather *g, const FrFrameView *view, int32_t k) {
    if (k > 0 && view->body_count != g->nodes.count)
        return fr_fail(g->ctx, FR_BAD_USE, "frame %d has %d bodies, frame 0 has %d", k,
                       view->body_count, g->nodes.count);
    FR_TRY(plan(g, view, k));
    for (int32_t b = 0; b < g->prim.count; b++) {
        FrUsdBody *prim = &g->prim.data[b];
        prim->alive[k] = view->frame[prim->body].alive && present(prim, k);
        if (prim->alive[k]) FR_TRY(gather_prim(g, prim, view, k));
    }
    return FR_OK;
}

static int by_body(const void *a, const void *b) {
    const FrUsdBody *x = a, *y = b;
    if (x->body != y->body) return x->body < y->body ? -1 : 1;
    return x->piece < y->piece ? -1 : 1;
}

// order, names and looks, once all prims are known
static FrResult finish(FrUsdGather *g) {
    qsort(g->prim.data, (size_t)g->prim.count, sizeof *g->prim.data, by_body);
    for (int32_t k = 0; k < g->prim.count; k++) {
        FrUsdBody *prim = &g->prim.data[k];
        bool pieces = (k > 0 && prim[-1].body == prim->body) ||
                      (k + 1 < g->prim.count && prim[1].body == prim->body);
        FR_TRY(name_prim(g, k, pieces));
        prim->material_index = k;
        for (int32_t j = k - 1; j >= 0; j--)
            if (same_looks(&g->prim.data[j].material, &prim->material)) prim->material_index = j;
        if (prim->material_index == k) FR_TRY(name_look(g, k));
    }
    FR_TRY(spare_name(g, "camera", &g->camera));
    FR_TRY(spare_name(g, "sun", &g->sun));
    FR_TRY(spare_name(g, "dust", &g->dust));
    return spare_name(g, "sky", &g->sky);
}

// whole time codes where the frame rate allows
static double time_code(const FrUsdOptions *o, double t) {
    double code = o->start_frame + t * o->fps, whole = round(code);
    return fabs(code - whole) < 1e-6 ? whole : code;
}

FrResult fr_usd_gather(FrUsdGather *g, const char *path) {
    double t0 = 0.0;
    const FrFrameView *view;
    g->scratch = -1;
    g->frame_count = g->source->frame_count;
    fr_arena_init(&g->arena, g->ctx);
    if (g->frame_count <= 0) return fr_fail(g->ctx, FR_BAD_USE, "there is no frame to export");
    g->code = FR_ARENA_NEW(&g->arena, double, g->frame_count);
    g->t = FR_ARENA_NEW(&g->arena, double, g->frame_count);
    if (!g->code || !g->t) return fr_no_memory(g->ctx, "samples");
    FR_TRY(open_scratch(g, path));
    for (int32_t k = 0; k < g->frame_count; k++) {
        if (fr_context_cancelled(g->ctx))
            return fr_fail(g->ctx, FR_INTERRUPTED, "export stopped after %d frames", k);
        FR_TRY(g->source->get(g->source->user, k, &view));
        if (k == 0) t0 = view->t;
        g->t[k] = view->t;
        g->code[k] = time_code(&g->options, view->t - t0);
        if (k > 0 && g->code[k] <= g->code[k - 1])
            return fr_fail(g->ctx, FR_BAD_INPUT, "frame %d at %g s is not after the one before", k,
                           view->t);
        FR_TRY(gather_frame(g, view, k));
        fr_progress(g->ctx, "export", 0.5 * (k + 1), g->frame_count);
    }
    return finish(g);
}

void fr_usd_gather_free(FrUsdGather *g) {
    if (g->scratch >= 0) close(g->scratch);
    fr_array_free(g->ctx, &g->prim);
    fr_array_free(g->ctx, &g->nodes);
    fr_array_free(g->ctx, &g->sample);
    fr_arena_free(&g->arena);
}
