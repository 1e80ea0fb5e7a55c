// shatter_holds.c: what holds a rigid frame that may shatter: drives take hold of its nodes, and as
// long as one does it moves as they do. Pieces that keep some of what is held stay held.

#include "world/member.h"

bool fr_world_holds_frame(const FrBody *body) { return body->ops->shatters != NULL; }

static bool holds(const FrDrive *drive, int32_t body) {
    return drive->body == body && !drive->released;
}

// drives that hold a body, in their order. fr_free
static FrResult list_holds(FrWorld *w, int32_t index, FrShatterHold **hold, int32_t *count) {
    *count = 0;
    for (int32_t k = 0; k < w->drive.count; k++) *count += holds(&w->drive.data[k], index);
    *hold = FR_NEW(w->ctx, FrShatterHold, *count);
    if (!*hold) return fr_no_memory(w->ctx, "what holds a body");
    for (int32_t k = 0, at = 0; k < w->drive.count; k++) {
        const FrDrive *d = &w->drive.data[k];
        if (holds(d, index))
            (*hold)[at++] = (FrShatterHold){d->node, d->node_count, d->track, d->from};
    }
    return FR_OK;
}

// ledgers of what moves by itself begin, or begin anew
static void open_ledgers(FrWorld *w, FrBody *body, double kinetic) {
    FrVec3 angular;
    FrFrameParts *part = &w->frames.frame.data[body->frame].part;
    *part->contact_work = 0.0;
    *part->outer_work = kinetic;
    *part->outer_impulse = fr_vec3_zero;
    body->ops->momentum(body->state, &body->momentum, &angular);
}

static void set_kinematic(FrWorld *w, FrBody *body, bool kinematic) {
    body->kinematic = w->frames.frame.data[body->frame].kinematic = kinematic;
}

// What it had leaves the ledgers when something takes hold of it, and comes back when all let go:
// what holds it gives and takes that.
FrResult fr_world_renew_holds(FrWorld *w, int32_t index, bool again) {
    FrBody *body = &w->body.data[index];
    FrShatterHold *hold;
    int32_t count;
    FR_TRY(list_holds(w, index, &hold, &count));
    bool was = body->kinematic, taken = count > 0 && !was, let_go = !count && was;
    if (taken && !again) fr_world_book_leaving(w, body);
    FrResult result = body->ops->shatters->hold(body->state, fr_world_time(w), hold, count, again);
    fr_free(w->ctx, hold);
    FR_TRY(result);
    if (!again && (taken || let_go)) {
        const FrFrame *frame = &w->frames.frame.data[body->frame];
        open_ledgers(w, body, let_go ? fr_rigid_kinetic(frame->part.rigid) : 0.0);
    }
    set_kinematic(w, body, count > 0);
    return FR_OK;
}

FrResult fr_world_reload_holds(FrWorld *w) {
    for (int32_t k = 0; k < w->drive.count; k++) {
        int32_t index = w->drive.data[k].body;
        if (fr_world_holds_frame(&w->body.data[index]))
            FR_TRY(fr_world_renew_holds(w, index, true));
    }
    return FR_OK;
}

FrAxes fr_world_mesh_axes(const FrBody *body) {
    FrAxes axes;
    FrVec3 v, spin;
    body->ops->pose(body->state, &axes.origin, &axes.q, &v, &spin);
    return axes;
}

// the nodes of a child that its parent's hold h keeps
static FrResult list_nodes(FrWorld *w, const FrBody *child, const uint8_t *held, int32_t h,
                           FrDrive *drive) {
    FrShapeView view;
    child->ops->view(child->state, &view);
    drive->node = FR_NEW(w->ctx, int32_t, view.node_count);
    drive->start = FR_NEW(w->ctx, double, 3 * (size_t)view.node_count);
    if (!drive->node || !drive->start) return fr_no_memory(w->ctx, "what holds a piece");
    for (int32_t n = 0; n < view.node_count; n++) {
        if (held[n] != h + 1) continue;
        fr_set3(drive->start, drive->node_count, fr_get3(view.p, n));
        drive->node[drive->node_count++] = n;
    }
    return FR_OK;
}

// meshes of pieces have the axes of the whole: what held it holds them from the same place on
static FrResult pass_hold(FrWorld *w, const FrDrive *from, int32_t h, int32_t index,
                          const uint8_t *held) {
    FrDrive drive = {.late = true, .body = index, .until = from->until, .from = from->from};
    FrResult result = list_nodes(w, &w->body.data[index], held, h, &drive);
    if (result == FR_OK && drive.node_count)
        result = fr_track_copy(w->ctx, &from->track, &drive.track);
    if (result == FR_OK && drive.node_count)
        result = fr_world_need_number(w, w->next_hold, "drives");
    if (result == FR_OK && drive.node_count) {
        drive.number = w->next_hold;
        if (fr_array_push(w->ctx, &w->drive, drive)) {
            w->next_hold++;
            return FR_OK;
        }
        result = fr_no_memory(w->ctx, "what holds a piece");
    }
    fr_world_free_drive(w->ctx, &drive);
    return result;
}

FrResult fr_world_keep_holds(FrWorld *w, int32_t index, FrKeptHolds *kept) {
    *kept = (FrKeptHolds){0};
    for (int32_t k = 0; k < w->drive.count; k++) {
        const FrDrive *from = &w->drive.data[k];
        FrDrive copy = {.until = from->until, .from = from->from};
        if (!holds(from, index)) continue;
        FR_TRY(fr_track_copy(w->ctx, &from->track, &copy.track));
        if (fr_array_push(w->ctx, &kept->drive, copy)) continue;
        fr_world_free_drive(w->ctx, &copy);
        return fr_no_memory(w->ctx, "what holds a body");
    }
    return FR_OK;
}

void fr_world_free_holds(FrWorld *w, FrKeptHolds *kept) {
    for (int32_t k = 0; k < kept->drive.count; k++)
        fr_world_free_drive(w->ctx, &kept->drive.data[k]);
    fr_array_free(w->ctx, &kept->drive);
}

FrResult fr_world_pass_holds(FrWorld *w, const FrKeptHolds *kept, const FrFallen *fallen,
                             const FrBodyId *id) {
    for (int32_t c = 0; c < fallen->count; c++) {
        int32_t index = fr_world_find(w, id[c]);
        if (!fallen->held || !fallen->held[c]) continue;
        for (int32_t h = 0; h < kept->drive.count; h++)
            FR_TRY(pass_hold(w, &kept->drive.data[h], h, index, fallen->held[c]));
        FR_TRY(fr_world_renew_holds(w, index, false));
    }
    return FR_OK;
}
