// below_plane.c: bodies that went wholly under a plane: how deep at the worst, and what ended
// there.

#include "run/below_plane.h"
#include "build/initial_overlap.h"
#include "clip/clip.h"
#include "math/vec.h"
#include <stdio.h>
#include <string.h>

// depth of the lowest point of a body that is wholly under a plane, m; 0: some of it is not. The
// first point that is not ends the search: it is cheap for all that is where it should be.
static double depth_under(const FrBodyView *body, const FrBodyFrame *frame,
                          const FrBodyView *plane) {
    double middle = plane->offset - fr_dot(plane->normal, frame->position), deepest = 0.0;
    if (!body->mesh) return middle > body->radius ? middle + body->radius : 0.0;
    for (int32_t n = 0; n < body->mesh->node_count; n++) {
        double depth = plane->offset - fr_dot(plane->normal, fr_get3(frame->p, n));
        if (!(depth > 0.0)) return 0.0;
        deepest = fr_max(deepest, depth);
    }
    return deepest;
}

static FrResult make_room(FrContext *ctx, const FrFrameView *view, FrUnders *under) {
    FrUnder never = {-1, 0.0};
    while (under->count < view->body_count)
        if (!fr_array_push(ctx, under, never)) return fr_no_memory(ctx, "depths under planes");
    return FR_OK;
}

FrResult fr_under_note(FrContext *ctx, const FrFrameView *view, FrUnders *under) {
    bool first = under->count == 0;
    FR_TRY(make_room(ctx, view, under));
    for (int32_t p = 0; p < view->body_count; p++) {
        if (view->body[p].kind != FR_BODY_PLANE) continue;
        for (int32_t k = 0; k < view->body_count; k++) {
            if (view->body[k].kind == FR_BODY_PLANE || !view->frame[k].alive) continue;
            FrUnder *slot = &under->data[k];
            double depth = depth_under(&view->body[k], &view->frame[k], &view->body[p]);
            if (slot->depth >= 0.0 && depth > slot->depth)
                *slot = (FrUnder){p, first ? -depth : depth};
        }
    }
    return FR_OK;
}

void fr_under_save(const FrUnders *under, FrWriter *lines) {
    for (int32_t k = 0; k < under->count; k++) {
        char line[64];
        if (under->data[k].depth == 0.0) continue;
        int length = snprintf(line, sizeof line, "%d %d %.17g\n", k, under->data[k].plane,
                              under->data[k].depth);
        fr_write_bytes(lines, line, (size_t)length);
    }
}

FrResult fr_under_load(FrContext *ctx, const FrFrameView *view, const char *lines,
                       FrUnders *under) {
    under->count = 0;
    FR_TRY(make_room(ctx, view, under));
    for (const char *at = lines; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        int body, plane;
        double depth;
        if (sscanf(at, "%d %d %lf", &body, &plane, &depth) != 3) continue;
        if (body >= 0 && body < view->body_count && plane >= 0 && plane < view->body_count)
            under->data[body] = (FrUnder){plane, depth};
    }
    return FR_OK;
}

// volumes of a body, and of what of it is under a plane, m^3
static void add_volumes(const FrBodyView *body, const FrBodyFrame *frame, const FrBodyView *plane,
                        double *whole, double *under) {
    FrOverlap overlap;
    if (!body->mesh) {
        *whole = 4.0 / 3.0 * FR_PI * body->radius * body->radius * body->radius;
        if (fr_overlap_sphere_plane(frame->position, body->radius, plane->normal, plane->offset,
                                    &overlap))
            *under = overlap.volume;
        return;
    }
    for (int32_t e = 0; e < body->mesh->tet_count; e++) {
        const int32_t *n = body->mesh->tet[e];
        FrClipTet tet;
        fr_clip_tet_init(&tet, fr_get3(frame->p, n[0]), fr_get3(frame->p, n[1]),
                         fr_get3(frame->p, n[2]), fr_get3(frame->p, n[3]), 0);
        *whole += tet.volume;
        if (fr_overlap_tet_plane(&tet, plane->normal, plane->offset, &overlap))
            *under += overlap.volume;
    }
}

static double share_under(const FrFrameView *view, int32_t body, int32_t plane) {
    double whole = 0.0, under = 0.0;
    add_volumes(&view->body[body], &view->frame[body], &view->body[plane], &whole, &under);
    return whole > 0.0 ? under / whole : 0.0;
}

static void tell(FrContext *ctx, const FrFrameView *view, int32_t body, int32_t plane, double share,
                 double depth) {
    const char *name = view->body[body].name, *of = view->body[plane].name;
    const char *help = "contact did not keep it out; a stiffer material, a slower blow or "
                       "contact.stiffness far above 1 helps";
    if (share > FR_SUNK && depth > 0.0)
        fr_log(ctx, FR_LOG_WARNING,
               "%s ended with %.0f %% of its volume under %s, and was %.3g m deep: %s", name,
               100.0 * share, of, depth, help);
    else if (share > FR_SUNK)
        fr_log(ctx, FR_LOG_WARNING, "%s ended with %.0f %% of its volume under %s: %s", name,
               100.0 * share, of, help);
    else
        fr_log(ctx, FR_LOG_WARNING, "%s was wholly under %s, %.3g m deep, before it came back: %s",
               name, of, depth, help);
}

FrResult fr_find_under(FrContext *ctx, const FrScene *scene, const FrFrameView *view,
                       const FrUnders *under, FrWriter *lines) {
    for (int32_t k = 0; k < under->count; k++) {
        FrUnder was = under->data[k];
        if (view->body[k].kind == FR_BODY_PLANE || !view->frame[k].alive || was.depth < 0.0 ||
            fr_stays(scene, view->body[k].name))
            continue;
        for (int32_t p = 0; p < view->body_count; p++) {
            if (view->body[p].kind != FR_BODY_PLANE) continue;
            double share = share_under(view, k, p), depth = was.plane == p ? was.depth : 0.0;
            if (!(share > FR_SUNK) && !(depth > 0.0)) continue;
            char line[96];
            int length = snprintf(line, sizeof line, "%d %d %.3g %.6g\n", k, p, share, depth);
            fr_write_bytes(lines, line, (size_t)length);
            tell(ctx, view, k, p, share, depth);
        }
    }
    return fr_writer_result(lines);
}
