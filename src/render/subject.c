// subject.c: which bodies a film is about: what broke, with its larger pieces, or what was named.

#include "render/subject.h"
#include <string.h>

/// A piece of less than this share of the largest one's volume is a crumb.
#define CRUMB 0.1

double fr_mesh_volume(const FrTetMesh *mesh) {
    double volume = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 x0 = fr_get3(mesh->x, mesh->tet[e][0]);
        FrMat3 D = fr_mat3(fr_sub(fr_get3(mesh->x, mesh->tet[e][1]), x0),
                           fr_sub(fr_get3(mesh->x, mesh->tet[e][2]), x0),
                           fr_sub(fr_get3(mesh->x, mesh->tet[e][3]), x0));
        volume += fr_mat3_det(D) / 6;
    }
    return volume;
}

static double length_of(const FrTetMesh *mesh) {
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < mesh->node_count; n++) box = fr_box_add(box, fr_get3(mesh->x, n));
    return mesh->node_count ? fr_distance(box.lo, box.hi) : 0.0;
}

// the body that this one came from, and whose place it may have taken; -1: none
static int32_t parent_of(const FrFrameView *view, int32_t k) {
    int32_t parent = view->body[k].parent.index1 - 1;
    return parent >= 0 && parent < k ? parent : -1;
}

static FrResult take_up(FrContext *ctx, FrSubject *s, const FrFrameView *view, int32_t k) {
    const FrBodyView *body = &view->body[k];
    FrSubjectBody made = {.root = k};
    int32_t parent = parent_of(view, k);
    made.named = s->name && body->name && !strcmp(body->name, s->name);
    if (parent >= 0 && !made.named) {
        made.root = s->body.data[parent].root;
        made.named = s->body.data[parent].named;
    }
    if (body->mesh) {
        made.volume = fabs(fr_mesh_volume(body->mesh));
        made.length = length_of(body->mesh);
    }
    return fr_array_push(ctx, &s->body, made) ? FR_OK : fr_no_memory(ctx, "the camera");
}

static bool replaces(const FrFrameView *view, int32_t k) {
    int32_t parent = parent_of(view, k);
    return parent >= 0 && view->frame[k].alive && !view->frame[parent].alive;
}

FrResult fr_subject_look(FrContext *ctx, FrSubject *s, const FrFrameView *view) {
    while (s->body.count < view->body_count) FR_TRY(take_up(ctx, s, view, s->body.count));
    for (int32_t k = 0; k < view->body_count; k++) {
        int32_t at = replaces(view, k) ? parent_of(view, k) : -1;
        for (; at >= 0; at = parent_of(view, at)) s->body.data[at].parent = true;
    }
    return FR_OK;
}

bool fr_subject_broke(const FrSubject *s, int32_t k) {
    return s->body.data[k].parent || s->body.data[s->body.data[k].root].parent;
}

// the largest of those that did not break again
static double largest_piece(const FrSubject *s, int32_t root) {
    double most = 0.0;
    for (int32_t k = 0; k < s->body.count; k++)
        if (s->body.data[k].root == root && !s->body.data[k].parent)
            most = fr_max(most, s->body.data[k].volume);
    return most;
}

FrResult fr_subject_choose(FrContext *ctx, FrSubject *s) {
    bool found = !s->name;
    for (int32_t root = 0; root < s->body.count; root++) {
        found |= s->body.data[root].named;
        if (s->body.data[root].root != root || !s->body.data[root].parent) continue;
        double most = largest_piece(s, root);
        for (int32_t k = root; k < s->body.count; k++)
            if (s->body.data[k].root == root)
                s->body.data[k].crumb = s->body.data[k].volume < CRUMB * most;
    }
    return found ? FR_OK : fr_fail(ctx, FR_BAD_USE, "no body of the film is called %s", s->name);
}

FrResult fr_break_frame(const FrFrameSource *source, int32_t *frame) {
    *frame = -1;
    int32_t whole = 0, broken = source->frame_count - 1;
    while (whole <= broken) {
        const FrFrameView *view;
        int32_t mid = whole + (broken - whole) / 2, took = 0;
        FR_TRY(source->get(source->user, mid, &view));
        for (int32_t k = 0; k < view->body_count; k++) took += replaces(view, k);
        if (took > 1)
            *frame = mid, broken = mid - 1;
        else
            whole = mid + 1;
    }
    return FR_OK;
}
