// frames_bend.c: rigid frames with modes on top: colliders that follow them, what rows see of them,
// and what blows they take [S1 s. 3.4.2, M17].
//
// A blow acts at once; a mode takes as much of it as it can follow within the substep
// (FrBendStep.weight). What rows hold acts as constant forces for what is left of the substep, and
// gaps close no further than its end (bend.h): no stiffness is too large, for the work of a force
// that holds a gap is never above zero.

#include "frames/frames.h"
#include "frames/frames_tuning.h"
#include <stddef.h>

// the surface where the modes have it
static void follow(FrFrame *frame, FrLocal *local) {
    FrColliderMesh *mesh = &frame->mesh;
    fr_bend_field(local->bend, 0, local->bend->outside, mesh->point, NULL);
    for (int32_t k = 0; k < mesh->point_count; k++)
        fr_add3(mesh->point, k, fr_get3(local->bend->rest, k));
    fr_collider_mesh_refit(mesh);
    local->shape.radius += fr_bend_farthest(local->bend);
}

// what is held does not move as a whole; gravity bends it
static void hold_still(const FrFrames *f, FrLocal *local, FrRowBody *body) {
    body->inv_mass = 0.0;
    body->inv_inertia = fr_sym3_zero;
    body->v = body->w = local->w_given = fr_vec3_zero;
    fr_bend_weigh(local->bend, fr_mat3_apply_t(local->R, f->gravity));
}

void fr_frames_bend_begin(FrFrames *f, FrFrameScratch *s) {
    s->bends = false;
    for (int32_t k = 1; k < s->local.count; k++) {
        FrLocal *local = &s->local.data[k];
        FrFrame *frame = &f->frame.data[local->frame];
        FrRowBody *body = &s->body.data[k];
        local->bend = frame->part.bend;
        if (!local->bend) continue;
        fr_bend_begin(local->bend, f->h);
        follow(frame, local);
        body->mode_count = local->bend->count;
        body->mode = local->bend->v;
        body->mode_weight = local->bend->whole.weight;
        if (local->bend->held) hold_still(f, local, body);
        s->bends = true;
    }
}

FrVec3 fr_frames_arm(const FrLocal *local, FrVec3 rest, const FrGrip *grip) {
    if (local->bend) rest = fr_add(rest, fr_bend_shift(local->bend, grip));
    return fr_mat3_apply(local->R, rest);
}

FrGrip fr_frames_hold_on(const FrLocal *local, FrVec3 *place) {
    FrGrip grip = fr_grip_none();
    double b[3];
    if (!local->bend) return grip;
    fr_collider_mesh_nearest(local->shape.mesh, *place, grip.slot, b);
    for (int i = 0; i < 3; i++) grip.b[i] = (float)b[i];
    *place = fr_sub(*place, fr_bend_shift(local->bend, &grip));
    return grip;
}

// grips of a row, in FrFramePoint or FrJoint; NULL: it follows no modes
static const FrGrip *grips_of(const FrFrames *f, const FrRow *row, const FrRowOrigin *origin) {
    if (row->kind == FR_ROW_AXIS) return NULL;
    if (origin->pair >= 0) return &f->pair.data[origin->pair].point[origin->point].ga;
    return &f->joint.data[origin->point].ga;
}

_Static_assert(offsetof(FrFramePoint, gb) == offsetof(FrFramePoint, ga) + sizeof(FrGrip) &&
                   offsetof(FrJoint, gb) == offsetof(FrJoint, ga) + sizeof(FrGrip),
               "ga gb");

// how a side moves by an impulse along axis 0, rigidly and by its modes, 1/kg
static double rigid_give(const FrRowBody *body, FrVec3 arm, FrVec3 n) {
    FrVec3 turn = fr_cross(arm, n);
    return body->inv_mass + fr_dot(turn, fr_sym3_apply(body->inv_inertia, turn));
}

static double modal_give(const FrRowBody *body, const double *mode, FrVec3 n) {
    double sum = 0.0;
    int32_t count = body->mode_count;
    for (int32_t m = 0; mode && m < count; m++) {
        double along = n.x * mode[m] + n.y * mode[count + m] + n.z * mode[2 * count + m];
        along *= body->mode_weight[m];
        sum += along * along;
    }
    return sum;
}

// Restitution stands for what no mode in the model does: of modes that were left out, or are too
// fast for the substep, a blow sees none. The kept ones take their share of it and give it back by
// themselves. So a blow bounces with the restitution times the rigid share of what gives way: all
// of it without modes, next to nothing of jelly. Between things that touch already, and that give
// way by modes for the most part, nothing is a blow: what holds them follows it.
static void share_blow(const FrFrames *f, const FrFrameScratch *s, const FrRow *row,
                       FrRowOrigin *origin) {
    const FrRowBody *a = &s->body.data[row->a], *b = &s->body.data[row->b];
    double rigid = rigid_give(a, row->ra, row->axis[0]) + rigid_give(b, row->rb, row->axis[0]);
    double modal =
        modal_give(a, row->mode_a, row->axis[0]) + modal_give(b, row->mode_b, row->axis[0]);
    double share = rigid / (rigid + modal);
    origin->restitution *= share;
    if (f->pair.data[origin->pair].touched && share < 0.5) origin->slow = HUGE_VAL;
}

void fr_frames_bend_rows(FrFrames *f, FrFrameScratch *s) {
    if (!s->bends) return;
    int32_t room = 0;
    for (int32_t k = 0; k < s->row.count; k++)
        room += 3 * (s->body.data[s->row.data[k].a].mode_count +
                     s->body.data[s->row.data[k].b].mode_count);
    s->mode.count = 0;
    if (!fr_array_reserve(f->ctx, &s->mode, room)) {
        s->failed = true;
        return;
    }
    for (int32_t k = 0; k < s->row.count; k++) {
        FrRow *row = &s->row.data[k];
        const FrGrip *grip = grips_of(f, row, &s->origin.data[k]);
        const double **to[2] = {&row->mode_a, &row->mode_b};
        for (int i = 0; grip && i < 2; i++) {
            const FrLocal *local = &s->local.data[i ? row->b : row->a];
            if (!local->bend || grip[i].slot[0] < 0) continue;
            *to[i] = s->mode.data + s->mode.count;
            fr_bend_rows(local->bend, &grip[i], local->R, s->mode.data + s->mode.count);
            s->mode.count += 3 * local->bend->count;
        }
        if (s->origin.data[k].pair >= 0 && (row->mode_a || row->mode_b))
            share_blow(f, s, row, &s->origin.data[k]);
    }
}

// along axis 0: by how much a side is displaced since the substep began, and will be
static double displaced(const FrFrameScratch *s, int32_t side, const double *mode, FrVec3 n,
                        double at) {
    const FrLocal *local = &s->local.data[side];
    const FrBend *b = local->bend;
    double sum = 0.0, left = at - local->elapsed;
    if (!mode) return 0.0;
    for (int32_t m = 0; m < b->count; m++) {
        double by = b->z[m] - b->start[m] + left * b->whole.weight[m] * b->v[m];
        sum += by * (n.x * mode[m] + n.y * mode[b->count + m] + n.z * mode[2 * b->count + m]);
    }
    return sum;
}

double fr_frames_bend_gap(const FrFrameScratch *s, const FrRow *row, double at) {
    return displaced(s, row->a, row->mode_a, row->axis[0], at) -
           displaced(s, row->b, row->mode_b, row->axis[0], at);
}

void fr_frames_bend_open(FrFrames *f, FrFrameScratch *s) {
    for (int32_t k = 1; s->bends && k < s->local.count; k++) {
        FrBend *bend = s->local.data[k].bend;
        if (!bend) continue;
        double left = fr_max(f->h - s->local.data[k].elapsed, FR_LEFT_LEAST * f->h);
        const FrBendStep *step = fr_bend_open(bend, left);
        s->body.data[k].mode = bend->y;
        s->body.data[k].mode_weight = step->reach;
    }
}

void fr_frames_bend_close(FrFrames *f, FrFrameScratch *s) {
    for (int32_t k = 1; s->bends && k < s->local.count; k++) {
        FrBend *bend = s->local.data[k].bend;
        if (!bend) continue;
        const FrFrameParts *part = &f->frame.data[s->local.data[k].frame].part;
        *part->contact_work += fr_bend_work(bend, bend->force);
        *part->outer_work += fr_bend_work(bend, bend->steady) + fr_bend_work(bend, bend->weigh);
        fr_bend_close(bend);
    }
}

FrVec3 fr_frames_bend_mean(const FrFrameScratch *s, int32_t side, const double *mode) {
    const FrRowBody *body = &s->body.data[side];
    FrVec3 now = fr_row_mode_velocity(body, mode);
    const FrBend *bend = s->local.data[side].bend;
    if (body->mode == bend->y) return fr_scale(2.0, now); // of the whole step already
    FrRowBody before = *body;
    before.mode = bend->before;
    return fr_add(now, fr_row_mode_velocity(&before, mode));
}
