// frames_pairs.c: which rigid frames may meet during the next step, and the islands they form.

#include "frames/frames.h"
#include "frames/frames_tuning.h"
#include <stdlib.h>
#include <string.h>

// planes come last: -1 is the largest when read without sign
static int order_near(int32_t a, int32_t b, int32_t c, int32_t d) {
    if (a != c) return a < c ? -1 : 1;
    return (uint32_t)b < (uint32_t)d ? -1 : (uint32_t)b > (uint32_t)d;
}

static int compare_near(const void *x, const void *y) {
    const FrNear *p = x, *q = y;
    return order_near(p->a, p->b, q->a, q->b);
}

static int compare_ignored(const void *x, const void *y) {
    const FrIgnored *p = x, *q = y;
    return compare_near(&p->pair, &q->pair);
}

FrIgnored *fr_frames_ignored(const FrFrames *f, int32_t a, int32_t b) {
    FrIgnored key = {.pair = {fr_min_i(a, b), fr_max_i(a, b)}};
    if (!f->ignored.count) return NULL;
    return bsearch(&key, f->ignored.data, (size_t)f->ignored.count, sizeof key, compare_ignored);
}

FrIgnored *fr_frames_ignore(FrFrames *f, int32_t a, int32_t b) {
    FrIgnored it = {.pair = {fr_min_i(a, b), fr_max_i(a, b)}}, *found = fr_frames_ignored(f, a, b);
    if (found) return found;
    if (!fr_array_extend(f->ctx, &f->ignored, 1)) return NULL;
    int32_t at = f->ignored.count - 1;
    for (; at > 0 && compare_ignored(&f->ignored.data[at - 1], &it) > 0; at--)
        f->ignored.data[at] = f->ignored.data[at - 1];
    f->ignored.data[at] = it;
    return &f->ignored.data[at];
}

void fr_frames_unjoin(FrFrames *f, int32_t a, int32_t b) {
    FrIgnored *found = fr_frames_ignored(f, a, b);
    if (!found || --found->joints > 0 || found->asked) return;
    int32_t at = (int32_t)(found - f->ignored.data);
    memmove(found, found + 1, (size_t)(--f->ignored.count - at) * sizeof *found);
}

static void place_shape(FrFrame *frame, FrVec3 x, FrQuat q) {
    frame->shape.R = fr_quat_mat3(q);
    frame->shape.x = fr_add(x, fr_mat3_apply(frame->shape.R, frame->centre));
}

// where a frame can get within the horizon
static FrBox reach_of(FrFrames *f, int32_t k, double horizon, double gravity) {
    FrFrame *frame = &f->frame.data[k];
    const FrRigid *r = frame->part.rigid;
    double rest = FR_REST_REACH * frame->size;
    if (frame->kinematic) {
        FrBox reach = fr_box_empty();
        for (int32_t s = 0; s < f->substeps; s++) {
            const FrKinematicPose *pose =
                &f->kinematic.data[(size_t)s * (size_t)f->frame.count + (size_t)k];
            place_shape(frame, pose->x, pose->q);
            double far = f->h * (fr_length(pose->v) + fr_length(pose->w) * frame->shape.radius);
            FrBox box = fr_box_grow(fr_collider_bounds(&frame->shape), rest + far);
            reach = fr_box_union(reach, box);
        }
        return reach;
    }
    place_shape(frame, r->x, r->q);
    const FrBend *bend = frame->part.bend;
    if (bend) rest += fr_bend_farthest(bend) + horizon * fr_bend_fastest(bend);
    FrBox here = fr_collider_bounds(&frame->shape);
    if (frame->asleep) return fr_box_grow(here, rest);
    double turn = fr_min(horizon * fr_length(fr_rigid_spin(r)), 2.0) * frame->shape.radius;
    FrVec3 go = fr_scale(horizon, r->v);
    FrBox there = {fr_add(here.lo, go), fr_add(here.hi, go)};
    return fr_box_grow(fr_box_union(here, there), rest + turn + gravity * horizon * horizon);
}

// nearly sorted from the step before
static void sort_by_x(FrFrames *f) {
    FrReach *by_x = f->by_x.data;
    for (int32_t k = 1; k < f->by_x.count; k++) {
        FrReach it = by_x[k];
        int32_t j = k;
        for (; j > 0; j--) {
            double y = by_x[j - 1].box.lo.x;
            if (y < it.box.lo.x || (!(it.box.lo.x < y) && by_x[j - 1].frame < it.frame)) break;
            by_x[j] = by_x[j - 1];
        }
        if (j != k) by_x[j] = it;
    }
}

static bool note(FrFrames *f, int32_t a, int32_t b) {
    if (f->frame.data[a].kinematic && f->frame.data[b].kinematic) return true;
    if (fr_frames_ignored(f, a, b)) return true;
    FrNear near = {fr_min_i(a, b), fr_max_i(a, b)};
    return fr_array_push(f->ctx, &f->near, near);
}

static bool note_planes(FrFrames *f, int32_t a, FrBox box) {
    for (int32_t p = 0; p < f->plane.count; p++) {
        FrVec3 n = f->plane.data[p].normal;
        double low = n.x * (n.x > 0.0 ? box.lo.x : box.hi.x) +
                     n.y * (n.y > 0.0 ? box.lo.y : box.hi.y) +
                     n.z * (n.z > 0.0 ? box.lo.z : box.hi.z);
        FrNear near = {a, -1 - p};
        if (low <= f->plane.data[p].offset && !fr_array_push(f->ctx, &f->near, near)) return false;
    }
    return true;
}

static bool find_near(FrFrames *f) {
    const FrReach *by_x = f->by_x.data;
    f->near.count = 0;
    for (int32_t k = 0; k < f->by_x.count; k++) {
        int32_t a = by_x[k].frame;
        FrBox box = by_x[k].box;
        for (int32_t j = k + 1; j < f->by_x.count && !(by_x[j].box.lo.x > box.hi.x); j++)
            if (fr_box_overlaps(box, by_x[j].box) && !note(f, a, by_x[j].frame)) return false;
        if (!f->frame.data[a].kinematic && !note_planes(f, a, box)) return false;
    }
    if (f->near.count) qsort(f->near.data, (size_t)f->near.count, sizeof(FrNear), compare_near);
    return true;
}

// remembered pairs that are still near stay as they are
static bool merge_pairs(FrFrames *f) {
    f->pair_next.count = 0;
    if (!fr_array_reserve(f->ctx, &f->pair_next, f->near.count)) return false;
    for (int32_t k = 0, old = 0; k < f->near.count; k++) {
        FrNear near = f->near.data[k];
        while (old < f->pair.count &&
               order_near(f->pair.data[old].a, f->pair.data[old].b, near.a, near.b) < 0)
            old++;
        bool known =
            old < f->pair.count && f->pair.data[old].a == near.a && f->pair.data[old].b == near.b;
        FrFramePair *to = &f->pair_next.data[f->pair_next.count++];
        if (known)
            *to = f->pair.data[old];
        else
            memset(to, 0, sizeof *to), to->a = near.a, to->b = near.b;
    }
    void *data = f->pair.data;
    int32_t capacity = f->pair.capacity;
    f->pair.data = f->pair_next.data, f->pair.capacity = f->pair_next.capacity;
    f->pair.count = f->pair_next.count;
    f->pair_next.data = data, f->pair_next.capacity = capacity;
    return true;
}

// the same pairs in the same order: nothing to move
static bool pairs_unchanged(const FrFrames *f) {
    if (f->near.count != f->pair.count) return false;
    for (int32_t k = 0; k < f->near.count; k++)
        if (f->near.data[k].a != f->pair.data[k].a || f->near.data[k].b != f->pair.data[k].b)
            return false;
    return true;
}

FrResult fr_frames_pairs(FrFrames *f, double horizon, double gravity) {
    for (int32_t k = f->by_x.count; k < f->frame.count; k++)
        if (!fr_array_push(f->ctx, &f->by_x, (FrReach){.frame = k}))
            return fr_no_memory(f->ctx, "rigid bodies");
    for (int32_t k = 0; k < f->by_x.count; k++)
        f->by_x.data[k].box = reach_of(f, f->by_x.data[k].frame, horizon, gravity);
    sort_by_x(f);
    if (!find_near(f)) return fr_no_memory(f->ctx, "pairs of rigid bodies");
    if (!pairs_unchanged(f) && !merge_pairs(f))
        return fr_no_memory(f->ctx, "pairs of rigid bodies");
    return FR_OK;
}

static int32_t root_of(FrFrames *f, int32_t k) {
    FrFrame *frame = f->frame.data;
    while (frame[k].island != k) k = frame[k].island = frame[frame[k].island].island;
    return k;
}

// the smaller number leads: the result does not depend on the order of joining
static void join(FrFrames *f, int32_t a, int32_t b) {
    if (b < 0 || f->frame.data[a].island < 0 || f->frame.data[b].island < 0) return;
    int32_t ra = root_of(f, a), rb = root_of(f, b);
    f->frame.data[fr_max_i(ra, rb)].island = fr_min_i(ra, rb);
}

static bool kinematic_moves(const FrFrames *f, int32_t k) {
    if (k < 0 || !f->frame.data[k].kinematic) return false;
    for (int32_t s = 0; s < f->substeps; s++) {
        const FrKinematicPose *pose =
            &f->kinematic.data[(size_t)s * (size_t)f->frame.count + (size_t)k];
        if (fr_length2(pose->v) > 0.0 || fr_length2(pose->w) > 0.0) return true;
    }
    return false;
}

static void wake(FrFrames *f, int32_t k) {
    if (k < 0 || f->frame.data[k].kinematic) return;
    f->frame.data[k].asleep = false;
    f->frame.data[k].still = 0.0;
}

// something that moves is near: its neighbours wake, and with them their islands
static void wake_near(FrFrames *f) {
    for (int32_t k = 0; k < f->pair.count; k++) {
        int32_t a = f->pair.data[k].a, b = f->pair.data[k].b;
        if (kinematic_moves(f, a)) wake(f, b);
        if (kinematic_moves(f, b)) wake(f, a);
    }
    for (int32_t k = 0; k < f->joint.count; k++) {
        if (kinematic_moves(f, f->joint.data[k].a)) wake(f, f->joint.data[k].b);
        if (kinematic_moves(f, f->joint.data[k].b)) wake(f, f->joint.data[k].a);
    }
}

// roots become numbers of islands, in the order of their leads; a lead comes before its members
static void number_islands(FrFrames *f) {
    for (int32_t k = 0; k < f->frame.count; k++)
        if (f->frame.data[k].island >= 0) f->frame.data[k].island = root_of(f, k);
    for (int32_t k = 0; k < f->frame.count; k++) {
        int32_t root = f->frame.data[k].island;
        if (root < 0) continue;
        if (root == k) f->island.data[f->island.count++] = (FrFrameIsland){.first = k};
        // by halves: leads have risen, so the one with .first == root is found
        int32_t lo = 0, hi = f->island.count - 1;
        while (lo < hi) {
            int32_t mid = lo + (hi - lo + 1) / 2;
            if (f->island.data[mid].first <= root)
                lo = mid;
            else
                hi = mid - 1;
        }
        f->by_root.data[k] = lo;
    }
    for (int32_t k = 0; k < f->frame.count; k++)
        if (f->frame.data[k].island >= 0) f->frame.data[k].island = f->by_root.data[k];
}

static int32_t island_of(const FrFrames *f, int32_t a, int32_t b) {
    int32_t k = a >= 0 ? f->frame.data[a].island : -1;
    return k >= 0 || b < 0 ? k : f->frame.data[b].island;
}

static bool meshes_meet(const FrFrames *f, const FrFramePair *pair) {
    return pair->b >= 0 && f->frame.data[pair->a].item >= 0 && f->frame.data[pair->b].item >= 0;
}

static void count_parts(FrFrames *f) {
    for (int32_t k = 0; k < f->frame.count; k++)
        if (f->frame.data[k].island >= 0) f->island.data[f->frame.data[k].island].count++;
    for (int32_t k = 0; k < f->pair.count; k++) {
        int32_t i = island_of(f, f->pair.data[k].a, f->pair.data[k].b);
        if (i < 0) continue;
        f->island.data[i].pairs++;
        f->island.data[i].meshes |= meshes_meet(f, &f->pair.data[k]);
    }
    for (int32_t k = 0; k < f->joint.count; k++) {
        int32_t i = island_of(f, f->joint.data[k].a, f->joint.data[k].b);
        if (i >= 0) f->island.data[i].joints++;
    }
    int32_t frames = 0, pairs = 0, joints = 0;
    for (int32_t i = 0; i < f->island.count; i++) {
        FrFrameIsland *island = &f->island.data[i];
        island->first = frames, frames += island->count, island->count = 0;
        island->first_pair = pairs, pairs += island->pairs, island->pairs = 0;
        island->first_joint = joints, joints += island->joints, island->joints = 0;
    }
}

static void fill_parts(FrFrames *f) {
    FrFrameIsland *island = f->island.data;
    for (int32_t k = 0; k < f->frame.count; k++) {
        int32_t i = f->frame.data[k].island;
        if (i >= 0) f->island_frame.data[island[i].first + island[i].count++] = k;
    }
    for (int32_t k = 0; k < f->pair.count; k++) {
        int32_t i = island_of(f, f->pair.data[k].a, f->pair.data[k].b);
        if (i >= 0) f->island_pair.data[island[i].first_pair + island[i].pairs++] = k;
    }
    for (int32_t k = 0; k < f->joint.count; k++) {
        int32_t i = island_of(f, f->joint.data[k].a, f->joint.data[k].b);
        if (i >= 0) f->island_joint.data[island[i].first_joint + island[i].joints++] = k;
    }
}

// an island sleeps as a whole or not at all; what sleeps is left out
static void drop_sleeping(FrFrames *f) {
    int32_t kept = 0;
    for (int32_t i = 0; i < f->island.count; i++) {
        FrFrameIsland island = f->island.data[i];
        bool asleep = true;
        const int32_t *member = f->island_frame.data + island.first;
        for (int32_t k = 0; k < island.count; k++) asleep &= f->frame.data[member[k]].asleep;
        if (asleep) continue;
        for (int32_t k = 0; k < island.count; k++)
            if (f->frame.data[member[k]].asleep) wake(f, member[k]);
        f->island.data[kept++] = island;
    }
    f->island.count = kept;
}

FrResult fr_frames_islands(FrFrames *f, const uint8_t *chosen) {
    f->island.count = 0;
    if (!fr_array_reserve(f->ctx, &f->island, f->frame.count) ||
        !fr_array_reserve(f->ctx, &f->island_frame, f->frame.count) ||
        !fr_array_reserve(f->ctx, &f->island_pair, f->pair.count) ||
        !fr_array_reserve(f->ctx, &f->island_joint, f->joint.count) ||
        !fr_array_reserve(f->ctx, &f->by_root, f->frame.count))
        return fr_no_memory(f->ctx, "islands of rigid bodies");
    wake_near(f);
    for (int32_t k = 0; k < f->frame.count; k++)
        f->frame.data[k].island = f->frame.data[k].kinematic || (chosen && !chosen[k]) ? -1 : k;
    for (int32_t k = 0; k < f->pair.count; k++) join(f, f->pair.data[k].a, f->pair.data[k].b);
    for (int32_t k = 0; k < f->joint.count; k++) join(f, f->joint.data[k].a, f->joint.data[k].b);
    number_islands(f);
    count_parts(f);
    fill_parts(f);
    drop_sleeping(f);
    return FR_OK;
}
