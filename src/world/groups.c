// groups.c: which bodies can meet during the next macro step.

#include "world/world.h"
#include "base/groups.h"

static FrBox part_in(const FrWorld *w, int32_t body, FrBox region) {
    return fr_contact_bounds_in(w->scene, w->body.data[body].item, w->def.step, region,
                                w->now.beyond.data);
}

// one that has come into pieces, which lie far apart, or may fly, if it is far enough from others
static bool is_worth_a_look(const FrBody *body) {
    return fr_world_topology(body) > 1 || body->ops->flight;
}

// Can any part of one reach the other body? Looked for where the bounds of both overlap, and again
// where what was found there does.
static bool can_meet(const FrWorld *w, int32_t a, int32_t b) {
    FrBox of_a = w->now.reach.data[a], of_b = w->now.reach.data[b];
    if (!fr_box_overlaps(of_a, of_b)) return false;
    if (!is_worth_a_look(&w->body.data[a]) && !is_worth_a_look(&w->body.data[b])) return true;
    for (int k = 0; k < 2 && fr_box_overlaps(of_a, of_b); k++) {
        of_a = part_in(w, a, of_b);
        of_b = part_in(w, b, of_a);
    }
    return fr_box_overlaps(of_a, of_b);
}

static void join_touching(FrWorld *w) {
    for (int32_t k = 0; k < w->body.count; k++)
        w->now.reach.data[k] = fr_contact_bounds(w->scene, w->body.data[k].item, w->def.step);
    for (int32_t a = 0; a < w->body.count; a++) {
        if (w->body.data[a].kinematic) continue;
        for (int32_t b = a + 1; b < w->body.count; b++) {
            if (w->body.data[b].kinematic) continue;
            if (can_meet(w, a, b)) fr_group_join(w->now.group_of.data, a, b);
        }
    }
}

static void join_frames(FrWorld *w, int32_t a, int32_t b) {
    const FrFrame *frame = w->frames.frame.data;
    if (b < 0 || frame[a].kinematic || frame[b].kinematic) return;
    fr_group_join(w->now.group_of.data, frame[a].body, frame[b].body);
}

// rows that reach from one group into another would step a frame in both
static void join_by_rows(FrWorld *w) {
    const FrFrames *f = &w->frames;
    for (int32_t k = 0; k < f->joint.count; k++)
        join_frames(w, f->joint.data[k].a, f->joint.data[k].b);
    for (int32_t k = 0; k < f->pair.count; k++)
        join_frames(w, f->pair.data[k].a, f->pair.data[k].b);
}

// of the body with the most
static int32_t most_nodes(const FrWorld *w) {
    int32_t most = 0;
    for (int32_t k = 0; k < w->body.count; k++) {
        FrShapeView view;
        w->body.data[k].ops->view(w->body.data[k].state, &view);
        most = fr_max_i(most, view.node_count);
    }
    return most;
}

FrResult fr_world_make_groups(FrWorld *w) {
    int32_t n = w->body.count;
    w->now.group_of.count = w->now.group_body.count = w->now.group.count = 0;
    w->now.reach.count = 0;
    if (w->frames.frame.count == n) return FR_OK; // all rigid: they have islands instead
    if (!fr_array_extend(w->ctx, &w->now.group_of, n) ||
        !fr_array_reserve(w->ctx, &w->now.group_body, n) ||
        !fr_array_reserve(w->ctx, &w->now.group, n) ||
        !fr_array_reserve(w->ctx, &w->now.reach, n) ||
        !fr_array_reserve(w->ctx, &w->now.beyond, most_nodes(w)) ||
        !fr_array_reserve(w->ctx, &w->now.items, w->item_body.count) ||
        !fr_array_reserve(w->ctx, &w->now.item_chosen, w->item_body.count))
        return fr_no_memory(w->ctx, "groups of bodies");
    for (int32_t k = 0; k < n; k++) w->now.group_of.data[k] = k;
    join_touching(w);
    join_by_rows(w);
    for (int32_t lead = 0; lead < n; lead++) {
        if (w->body.data[lead].kinematic || fr_group_head(w->now.group_of.data, lead) != lead)
            continue;
        FrGroup group = {w->now.group_body.count, 0};
        for (int32_t k = lead; k < n; k++)
            if (!w->body.data[k].kinematic && fr_group_head(w->now.group_of.data, k) == lead)
                w->now.group_body.data[w->now.group_body.count++] = k;
        group.count = w->now.group_body.count - group.first;
        w->now.group.data[w->now.group.count++] = group;
    }
    return FR_OK;
}
