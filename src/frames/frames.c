// frames.c: making the set of rigid frames, and keeping it in checkpoints.

#include "frames/frames.h"
#include "frames/frames_tuning.h"
#include <string.h>

FrResult fr_frames_create(FrContext *ctx, FrFrames *f) {
    *f = (FrFrames){.ctx = ctx};
    FrContactOptions options = fr_contact_options_default();
    options.steps = FR_FRAME_STEPS_AHEAD;
    FR_TRY(fr_contact_scene_create(ctx, &options, &f->scene));
    int32_t workers = fr_context_workers(ctx);
    return fr_array_extend(ctx, &f->scratch, workers) ? FR_OK : fr_no_memory(ctx, "rigid bodies");
}

static void free_scratch(FrContext *ctx, FrFrameScratch *s) {
    fr_array_free(ctx, &s->body);
    fr_array_free(ctx, &s->local);
    fr_array_free(ctx, &s->local_of);
    fr_array_free(ctx, &s->row);
    fr_array_free(ctx, &s->hit);
    fr_array_free(ctx, &s->mode);
    fr_array_free(ctx, &s->pull);
    fr_array_free(ctx, &s->pull_number);
    fr_array_free(ctx, &s->origin);
    fr_array_free(ctx, &s->when);
    fr_array_free(ctx, &s->first);
    fr_array_free(ctx, &s->before);
    fr_array_free(ctx, &s->impact);
    fr_array_free(ctx, &s->sample);
}

static void free_frame(FrFrames *f, FrFrame *frame) {
    fr_collider_mesh_free(f->ctx, &frame->mesh);
    fr_locator_free(f->ctx, &frame->locator);
}

void fr_frames_free(FrFrames *f) {
    FrContext *ctx = f->ctx;
    if (!ctx) return;
    for (int32_t k = 0; k < f->frame.count; k++) free_frame(f, &f->frame.data[k]);
    for (int32_t k = 0; k < f->scratch.count; k++) free_scratch(ctx, &f->scratch.data[k]);
    fr_contact_scene_destroy(f->scene);
    fr_contact_list_free(ctx, &f->overlap);
    fr_array_free(ctx, &f->frame);
    fr_array_free(ctx, &f->plane);
    fr_array_free(ctx, &f->joint);
    fr_array_free(ctx, &f->ignored);
    fr_array_free(ctx, &f->pull);
    fr_array_free(ctx, &f->pair);
    fr_array_free(ctx, &f->pair_backup);
    fr_array_free(ctx, &f->joint_backup);
    fr_array_free(ctx, &f->cluster);
    fr_array_free(ctx, &f->by_x);
    fr_array_free(ctx, &f->near);
    fr_array_free(ctx, &f->pair_next);
    fr_array_free(ctx, &f->island);
    fr_array_free(ctx, &f->island_frame);
    fr_array_free(ctx, &f->island_pair);
    fr_array_free(ctx, &f->island_joint);
    fr_array_free(ctx, &f->by_root);
    fr_array_free(ctx, &f->items);
    fr_array_free(ctx, &f->kinematic);
    fr_array_free(ctx, &f->impact);
    fr_array_free(ctx, &f->sample);
    fr_array_free(ctx, &f->scratch);
}

static int32_t after(int32_t frame, int32_t gone) { return frame > gone ? frame - 1 : frame; }

// lists keep their order: numbers fall, but not past each other
static void drop_pairs(FrFrames *f, int32_t gone) {
    int32_t kept = 0;
    for (int32_t k = 0; k < f->pair.count; k++) {
        FrFramePair pair = f->pair.data[k];
        if (pair.a == gone || pair.b == gone) continue;
        pair.a = after(pair.a, gone);
        pair.b = after(pair.b, gone);
        f->pair.data[kept++] = pair;
    }
    f->pair.count = kept;
    kept = 0;
    for (int32_t k = 0; k < f->ignored.count; k++) {
        FrIgnored it = f->ignored.data[k];
        if (it.pair.a == gone || it.pair.b == gone) continue;
        it.pair = (FrNear){after(it.pair.a, gone), after(it.pair.b, gone)};
        f->ignored.data[kept++] = it;
    }
    f->ignored.count = kept;
}

static void drop_joints(FrFrames *f, int32_t gone) {
    int32_t kept = 0;
    for (int32_t k = 0; k < f->joint.count; k++) {
        FrJoint joint = f->joint.data[k];
        if (joint.a == gone || joint.b == gone) continue;
        joint.a = after(joint.a, gone);
        joint.b = after(joint.b, gone);
        f->joint.data[kept++] = joint;
    }
    f->joint.count = kept;
}

void fr_frames_remove(FrFrames *f, int32_t gone) {
    FrFrame *frame = &f->frame.data[gone];
    if (frame->item >= 0) fr_contact_remove(f->scene, frame->item);
    free_frame(f, frame);
    memmove(frame, frame + 1, (size_t)(f->frame.count - 1 - gone) * sizeof *frame);
    f->frame.count--;
    drop_pairs(f, gone);
    drop_joints(f, gone);
    f->by_x.count = f->island.count = 0;
}

// writing and reading walk the same fields: one walk, two directions
typedef struct Walk {
    FrWriter *writer; ///< NULL when reading
    FrReader *reader;
} Walk;

static void walk_f64(Walk *w, double *x) {
    if (w->writer)
        fr_write_f64(w->writer, *x);
    else
        *x = fr_read_f64(w->reader);
}

static void walk_vec3(Walk *w, FrVec3 *v) {
    walk_f64(w, &v->x);
    walk_f64(w, &v->y);
    walk_f64(w, &v->z);
}

static void walk_u8(Walk *w, uint8_t *x) {
    if (w->writer)
        fr_write_u8(w->writer, *x);
    else
        *x = fr_read_u8(w->reader);
}

static void walk_i32(Walk *w, int32_t *x) {
    if (w->writer)
        fr_write_i32(w->writer, *x);
    else
        *x = fr_read_i32(w->reader);
}

static void walk_f32(Walk *w, float *x) {
    double wide = (double)*x;
    walk_f64(w, &wide);
    *x = (float)wide;
}

static void walk_grip(Walk *w, FrGrip *grip) {
    for (int i = 0; i < 4; i++) {
        walk_i32(w, &grip->slot[i]);
        walk_f32(w, &grip->b[i]);
    }
}

/// What walk_grip takes.
#define GRIP_BYTES 48

static void walk_point(Walk *w, FrFramePoint *p) {
    walk_vec3(w, &p->la);
    walk_vec3(w, &p->lb);
    walk_grip(w, &p->ga);
    walk_grip(w, &p->gb);
    walk_vec3(w, &p->ln);
    walk_vec3(w, &p->force);
    walk_f64(w, &p->gap);
    walk_u8(w, &p->slides);
}

/// What walk_pair takes at least.
#define PAIR_BYTES (3 * 4 + 12 * 8 + 2)

// sums of the next sample are empty between macro steps
static void walk_pair(Walk *w, FrFramePair *pair) {
    walk_i32(w, &pair->a);
    walk_i32(w, &pair->b);
    walk_i32(w, &pair->count);
    if (pair->count < 0 || pair->count > FR_MANIFOLD_POINTS) return;
    for (int32_t k = 0; k < pair->count; k++) walk_point(w, &pair->point[k]);
    walk_f64(w, &pair->margin);
    walk_vec3(w, &pair->rel_x);
    double *q[] = {&pair->rel_q.w, &pair->rel_q.x, &pair->rel_q.y, &pair->rel_q.z};
    for (int i = 0; i < 4; i++) walk_f64(w, q[i]);
    walk_f64(w, &pair->path);
    walk_vec3(w, &pair->last_place);
    walk_u8(w, &pair->has_place);
    walk_u8(w, &pair->touched);
}

static void walk_frame(Walk *w, FrFrame *frame) {
    uint8_t asleep = frame->asleep;
    walk_u8(w, &asleep);
    frame->asleep = asleep != 0;
    walk_f64(w, &frame->still);
}

static void walk_joint(Walk *w, FrJoint *joint) {
    int32_t kind = (int32_t)joint->kind;
    walk_i32(w, &kind);
    joint->kind = (FrJointKind)kind;
    walk_i32(w, &joint->number);
    walk_i32(w, &joint->a);
    walk_i32(w, &joint->b);
    FrVec3 *part[] = {&joint->la,     &joint->lb,    &joint->axis_a,
                      &joint->axis_b, &joint->force, &joint->torque};
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) walk_vec3(w, part[k]);
    walk_f64(w, &joint->length);
    walk_grip(w, &joint->ga);
    walk_grip(w, &joint->gb);
}

/// What walk_joint takes.
#define JOINT_BYTES (4 * 4 + 19 * 8 + 2 * GRIP_BYTES)

static void walk_ignored(Walk *w, FrIgnored *it) {
    walk_i32(w, &it->pair.a);
    walk_i32(w, &it->pair.b);
    walk_u8(w, &it->asked);
    walk_i32(w, &it->joints);
}

/// What walk_ignored takes.
#define IGNORED_BYTES 13

void fr_frames_save(const FrFrames *f, FrWriter *writer) {
    Walk walk = {.writer = writer};
    fr_write_i32(writer, f->frame.count);
    fr_write_i32(writer, f->joint.count);
    for (int32_t k = 0; k < f->frame.count; k++) {
        FrFrame frame = f->frame.data[k];
        walk_frame(&walk, &frame);
    }
    for (int32_t k = 0; k < f->joint.count; k++) {
        FrJoint joint = f->joint.data[k];
        walk_joint(&walk, &joint);
    }
    fr_write_i32(writer, f->ignored.count);
    for (int32_t k = 0; k < f->ignored.count; k++) {
        FrIgnored it = f->ignored.data[k];
        walk_ignored(&walk, &it);
    }
    fr_write_i32(writer, f->pair.count);
    for (int32_t k = 0; k < f->pair.count; k++) {
        FrFramePair pair = f->pair.data[k];
        walk_pair(&walk, &pair);
    }
    fr_contact_save(f->scene, writer);
}

// grips of a body are among its nodes; k < 0: the world, or a plane
static bool grip_makes_sense(const FrFrames *f, int32_t k, const FrGrip *grip) {
    const FrBend *bend = k < 0 ? NULL : f->frame.data[k].part.bend;
    for (int i = 0; i < 4; i++)
        if (grip->slot[i] >= (bend ? bend->node_count : 0)) return false;
    return true;
}

static bool points_make_sense(const FrFrames *f, const FrFramePair *pair) {
    for (int32_t k = 0; k < pair->count; k++)
        if (!grip_makes_sense(f, pair->a, &pair->point[k].ga) ||
            !grip_makes_sense(f, pair->b, &pair->point[k].gb))
            return false;
    return true;
}

static bool pair_makes_sense(const FrFrames *f, const FrFramePair *pair) {
    return pair->count >= 0 && pair->count <= FR_MANIFOLD_POINTS && pair->a >= 0 &&
           pair->a < f->frame.count && pair->b < f->frame.count && pair->b >= -f->plane.count &&
           pair->b != pair->a;
}

static FrResult load_pairs(FrFrames *f, FrReader *reader) {
    Walk walk = {.reader = reader};
    int32_t count = fr_read_i32(reader);
    if (count < 0 || (size_t)count > fr_reader_left(reader) / PAIR_BYTES)
        return fr_fail(f->ctx, FR_BAD_INPUT, "the checkpoint claims %d pairs of rigid bodies",
                       count);
    f->pair.count = 0;
    for (int32_t k = 0; k < count; k++) {
        FrFramePair pair;
        memset(&pair, 0, sizeof pair);
        walk_pair(&walk, &pair);
        if (!pair_makes_sense(f, &pair) || !points_make_sense(f, &pair))
            return fr_fail(f->ctx, FR_BAD_INPUT,
                           "the checkpoint joins rigid bodies %d and %d at %d points", pair.a,
                           pair.b, pair.count);
        if (!fr_array_push(f->ctx, &f->pair, pair))
            return fr_no_memory(f->ctx, "pairs of rigid bodies");
    }
    return FR_OK;
}

static FrResult load_joints(FrFrames *f, FrReader *reader, int32_t count) {
    Walk walk = {.reader = reader};
    if (count < 0 || (size_t)count > fr_reader_left(reader) / JOINT_BYTES)
        return fr_fail(f->ctx, FR_BAD_INPUT, "the checkpoint claims %d joints", count);
    f->joint.count = 0;
    for (int32_t k = 0; k < count; k++) {
        FrJoint joint = {0};
        walk_joint(&walk, &joint);
        bool good = (uint32_t)joint.kind <= FR_JOINT_STRING && joint.a >= 0 &&
                    joint.a < f->frame.count && joint.b >= -1 && joint.b < f->frame.count;
        good = good && grip_makes_sense(f, joint.a, &joint.ga) &&
               grip_makes_sense(f, joint.b, &joint.gb);
        if (!good)
            return fr_fail(f->ctx, FR_BAD_INPUT, "the checkpoint has a joint of frames %d and %d",
                           joint.a, joint.b);
        if (!fr_array_push(f->ctx, &f->joint, joint)) return fr_no_memory(f->ctx, "joints");
    }
    return FR_OK;
}

// pairs that never touch
static FrResult load_ignored(FrFrames *f, FrReader *reader) {
    Walk walk = {.reader = reader};
    int32_t count = fr_read_i32(reader);
    if (count < 0 || (size_t)count > fr_reader_left(reader) / IGNORED_BYTES)
        return fr_fail(f->ctx, FR_BAD_INPUT, "the checkpoint claims %d ignored pairs", count);
    f->ignored.count = 0;
    for (int32_t k = 0; k < count; k++) {
        FrIgnored it = {0};
        walk_ignored(&walk, &it);
        if (!fr_array_push(f->ctx, &f->ignored, it)) return fr_no_memory(f->ctx, "pairs");
    }
    return FR_OK;
}

FrResult fr_frames_load(FrFrames *f, FrReader *reader) {
    Walk walk = {.reader = reader};
    int32_t frames = fr_read_i32(reader), joints = fr_read_i32(reader);
    if (frames != f->frame.count)
        return fr_fail(f->ctx, FR_BAD_INPUT, "the checkpoint has %d rigid bodies, this world %d",
                       frames, f->frame.count);
    for (int32_t k = 0; k < frames; k++) walk_frame(&walk, &f->frame.data[k]);
    FR_TRY(load_joints(f, reader, joints));
    FR_TRY(load_ignored(f, reader));
    FR_TRY(load_pairs(f, reader));
    return fr_contact_load(f->scene, reader);
}
