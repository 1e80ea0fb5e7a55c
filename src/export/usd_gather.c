// usd_gather.c: one run through the frames; each body's samples land at a known place of a scratch
// file, from which the writer picks them body by body.

#include "export/usd_inside.h"
#include "export/shapes.h"
#include "base/file.h"
#include "mesh/embed.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SPHERE_FLOATS 10 // position, rotation w x y z, velocity

double fr_usd_scale(const FrUsdOptions *options) {
    return options->preset == FR_USD_UNREAL ? 100.0 : 1.0;
}

FrVec3 fr_usd_axes(const FrUsdOptions *options, FrVec3 v) {
    FrVec3 s = fr_scale(fr_usd_scale(options), v);
    return options->preset == FR_USD_HOUDINI ? fr_vec3(s.x, s.z, -s.y) : s;
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

FrResult fr_usd_sample(FrUsdGather *g, const FrUsdBody *body, int32_t frame) {
    char *to = (char *)g->sample;
    size_t left = body->floats * sizeof *g->sample;
    off_t at = (off_t)(g->frame_size * (uint64_t)frame + body->at);
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

// letters, digits and _ only, no digit first
static FrResult name_prim(FrUsdGather *g, int32_t id, const char *name) {
    char text[96];
    size_t used = 0;
    if (!name || !name[0]) name = "body";
    if (isdigit((unsigned char)name[0])) text[used++] = '_';
    for (const char *c = name; *c && used < 64; c++)
        text[used++] = (unsigned char)*c < 128 && isalnum((unsigned char)*c) ? *c : '_';
    text[used] = 0;
    // "Looks" is taken by the materials
    bool taken = !strcmp(text, "Looks");
    for (int32_t k = 0; k < id && !taken; k++) taken = !strcmp(g->body[k].prim, text);
    if (taken) snprintf(text + used, sizeof text - used, "__%d", id);
    g->body[id].prim = fr_arena_text(&g->arena, text, strlen(text));
    return g->body[id].prim ? FR_OK : fr_no_memory(g->ctx, "a prim name");
}

static FrResult plan_skin(FrUsdGather *g, FrUsdBody *body, const FrEmbedded *skin) {
    body->point_count = skin->point_count;
    body->tri_count = skin->tri_count;
    body->tri = fr_arena_alloc(&g->arena, (size_t)skin->tri_count, sizeof *body->tri);
    if (skin->uv) body->uv = FR_ARENA_NEW(&g->arena, float, 2 * (size_t)skin->point_count);
    if (!body->tri || (skin->uv && !body->uv)) return fr_no_memory(g->ctx, "a skin");
    if (skin->tri_count) memcpy(body->tri, skin->tri, (size_t)skin->tri_count * sizeof *skin->tri);
    for (int32_t k = 0; skin->uv && k < 2 * skin->point_count; k++)
        body->uv[k] = (float)skin->uv[k];
    return FR_OK;
}

// only nodes on the outside are exported
static FrResult plan_surface(FrUsdGather *g, FrUsdBody *body, const FrTetMesh *mesh,
                             const FrSurface *surface) {
    int32_t *point = FR_ARENA_NEW(&g->arena, int32_t, mesh->node_count);
    body->node = FR_ARENA_NEW(&g->arena, int32_t, mesh->node_count);
    body->tri = fr_arena_alloc(&g->arena, (size_t)surface->tri_count, sizeof *body->tri);
    if (!point || !body->node || !body->tri) return fr_no_memory(g->ctx, "a surface");
    body->tri_count = surface->tri_count;
    for (int32_t k = 0; k < surface->tri_count; k++)
        for (int c = 0; c < 3; c++) point[surface->tri[k][c]] = 1;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        if (!point[n]) continue;
        body->node[body->point_count] = n;
        point[n] = body->point_count++;
    }
    for (int32_t k = 0; k < surface->tri_count; k++)
        for (int c = 0; c < 3; c++) body->tri[k][c] = point[surface->tri[k][c]];
    return FR_OK;
}

static bool same_looks(const FrMaterial *a, const FrMaterial *b) {
    return !strncmp(a->name, b->name, sizeof a->name) && a->colour[0] == b->colour[0] &&
           a->colour[1] == b->colour[1] && a->colour[2] == b->colour[2] &&
           a->roughness == b->roughness && a->metallic == b->metallic && a->opacity == b->opacity;
}

static FrResult plan_body(FrUsdGather *g, const FrFrameView *view, FrBox box, int32_t id) {
    const FrBodyView *from = &view->body[id];
    FrUsdBody *body = &g->body[id];
    FR_TRY(name_prim(g, id, from->name));
    body->kind = from->kind;
    body->radius = from->radius;
    body->material = from->material;
    body->material_index = id;
    for (int32_t k = id - 1; k >= 0; k--)
        if (same_looks(&g->body[k].material, &from->material)) body->material_index = k;
    body->alive = FR_ARENA_NEW(&g->arena, uint8_t, g->frame_count);
    if (!body->alive) return fr_no_memory(g->ctx, "samples");
    if (from->kind == FR_BODY_PLANE) {
        bool empty = box.lo.x > box.hi.x;
        fr_plane_quad(from, empty ? fr_vec3_zero : fr_box_center(box),
                      empty ? 1.0 : 2.0 * fr_length(fr_box_size(box)), body->corner);
    }
    if (from->kind == FR_BODY_TETS)
        FR_TRY(from->embedded ? plan_skin(g, body, from->embedded)
                              : plan_surface(g, body, from->mesh, from->surface));
    body->floats = from->kind == FR_BODY_TETS     ? 6 * (size_t)body->point_count
                   : from->kind == FR_BODY_SPHERE ? SPHERE_FLOATS
                                                  : 0;
    body->at = g->frame_size;
    g->frame_size += body->floats * sizeof(float);
    return FR_OK;
}

static void put3(float *to, FrVec3 v) {
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void fill_sample(FrUsdGather *g, const FrUsdBody *body, const FrBodyView *view,
                        const FrBodyFrame *frame) {
    const FrUsdOptions *o = &g->options;
    float *to = g->sample;
    if (body->kind == FR_BODY_SPHERE) {
        FrQuat q = frame->rotation;
        bool y_up = o->preset == FR_USD_HOUDINI;
        put3(to, fr_usd_axes(o, frame->position));
        to[3] = (float)q.w;
        put3(to + 4, y_up ? fr_vec3(q.x, q.z, -q.y) : fr_vec3(q.x, q.y, q.z));
        put3(to + 7, fr_usd_axes(o, frame->velocity));
        return;
    }
    for (int32_t k = 0; k < body->point_count; k++) {
        FrVec3 p, v;
        if (body->node) {
            p = fr_get3(frame->p, body->node[k]);
            v = fr_get3(frame->v, body->node[k]);
        } else {
            const int32_t(*tet)[4] = (const int32_t(*)[4])view->mesh->tet;
            p = fr_point_carried(tet, &view->embedded->at[k], frame->p);
            v = fr_point_carried(tet, &view->embedded->at[k], frame->v);
        }
        put3(to + 3 * (size_t)k, fr_usd_axes(o, p));
        put3(to + 3 * ((size_t)body->point_count + (size_t)k), fr_usd_axes(o, v));
    }
}

static FrResult gather_frame(FrUsdGather *g, const FrFrameView *view, int32_t k) {
    if (view->body_count != g->body_count)
        return fr_fail(g->ctx, FR_BAD_USE, "frame %d has %d bodies, frame 0 has %d", k,
                       view->body_count, g->body_count);
    for (int32_t b = 0; b < g->body_count; b++) {
        FrUsdBody *body = &g->body[b];
        body->alive[k] = view->frame[b].alive;
        if (!view->frame[b].alive || body->floats == 0) continue;
        fill_sample(g, body, &view->body[b], &view->frame[b]);
        FR_TRY(scratch_write(g, g->frame_size * (uint64_t)k + body->at, g->sample, body->floats));
    }
    return FR_OK;
}

static FrResult plan(FrUsdGather *g, const FrFrameView *view) {
    FrBox box = fr_frame_box(view);
    size_t most = 1;
    g->body_count = view->body_count;
    g->body = FR_ARENA_NEW(&g->arena, FrUsdBody, view->body_count);
    g->code = FR_ARENA_NEW(&g->arena, double, g->frame_count);
    if (!g->body || !g->code) return fr_no_memory(g->ctx, "samples");
    for (int32_t b = 0; b < g->body_count; b++) {
        FR_TRY(plan_body(g, view, box, b));
        if (g->body[b].floats > most) most = g->body[b].floats;
    }
    g->sample = FR_ARENA_NEW(&g->arena, float, most);
    return g->sample ? FR_OK : fr_no_memory(g->ctx, "samples");
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
    FR_TRY(open_scratch(g, path));
    for (int32_t k = 0; k < g->frame_count; k++) {
        if (fr_context_cancelled(g->ctx))
            return fr_fail(g->ctx, FR_INTERRUPTED, "export stopped after %d frames", k);
        FR_TRY(g->source->get(g->source->user, k, &view));
        if (k == 0) {
            t0 = view->t;
            FR_TRY(plan(g, view));
        }
        g->code[k] = time_code(&g->options, view->t - t0);
        if (k > 0 && g->code[k] <= g->code[k - 1])
            return fr_fail(g->ctx, FR_BAD_INPUT, "frame %d at %g s is not after the one before", k,
                           view->t);
        FR_TRY(gather_frame(g, view, k));
        fr_progress(g->ctx, "export", 0.5 * (k + 1), g->frame_count);
    }
    return FR_OK;
}

void fr_usd_gather_free(FrUsdGather *g) {
    if (g->scratch >= 0) close(g->scratch);
    fr_arena_free(&g->arena);
}
