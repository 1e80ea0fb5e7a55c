// frames_contact.c: contact points of rigid frames, remembered from step to step, and joints, as
// rows.

#include "frames/frames.h"
#include "frames/frames_tuning.h"
#include <stddef.h>
#include <string.h>

static double combine(double a, double b) { return sqrt(a * b); }

void fr_frames_pair_law(const FrFrames *f, const FrFramePair *pair, double *mu_s, double *mu_d,
                        double *e) {
    const FrFrame *a = &f->frame.data[pair->a];
    if (pair->b >= 0) {
        const FrFrame *b = &f->frame.data[pair->b];
        *mu_s = combine(a->friction_static, b->friction_static);
        *mu_d = combine(a->friction_dynamic, b->friction_dynamic);
        *e = combine(a->restitution, b->restitution);
        return;
    }
    const FrFramePlane *b = &f->plane.data[-1 - pair->b];
    *mu_s = combine(a->friction_static, b->friction_static);
    *mu_d = combine(a->friction_dynamic, b->friction_dynamic);
    *e = combine(a->restitution, b->restitution);
}

static FrVec3 into(FrMat3 R, FrVec3 x, FrVec3 p) { return fr_mat3_apply_t(R, fr_sub(p, x)); }

// how b lies as seen from a; a plane: how a lies in the world
static void relative_pose(const FrLocal *a, const FrLocal *b, bool plane, FrVec3 *x, FrQuat *q) {
    *x = plane ? a->x : into(a->R, a->x, b->x);
    *q = plane ? a->q : fr_quat_mul(fr_quat_conj(a->q), b->q);
}

static double quat_dot(FrQuat p, FrQuat q) { return p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z; }

// Boxes and meshes keep their points while they hardly move against each other: a choice of few
// among many that changes with every step would rock what rests.
static bool points_serve(const FrFramePair *pair, const FrLocal *a, const FrLocal *b, double size,
                         double need) {
    double bent = (a->bend ? a->bend->path : 0.0) + (b->bend ? b->bend->path : 0.0) - pair->path;
    bool boxes =
        a->shape.kind == FR_COLLIDER_BOX && (pair->b < 0 || b->shape.kind == a->shape.kind);
    bool round = a->shape.kind == FR_COLLIDER_SPHERE ||
                 (pair->b >= 0 && b->shape.kind == FR_COLLIDER_SPHERE);
    if (round || need > pair->margin || (!boxes && !pair->count)) return false;
    double stale = boxes ? FR_STALE : FR_STALE_MESH;
    FrVec3 x;
    FrQuat q;
    relative_pose(a, b, pair->b < 0, &x, &q);
    // 1 - (p.q)^2 = sin^2(angle / 2)
    double c = quat_dot(q, pair->rel_q);
    return fr_distance(x, pair->rel_x) + bent < stale * size && 1.0 - c * c < 0.25 * stale * stale;
}

static FrCollider plane_shape(const FrFramePlane *plane) {
    return (FrCollider){.kind = FR_COLLIDER_PLANE,
                        .R = fr_mat3_identity,
                        .normal = plane->normal,
                        .offset = plane->offset};
}

// the remembered point that this one is, or none; each serves once
static const FrFramePoint *same_point(const FrFramePoint *old, int32_t count, FrVec3 la, FrVec3 lb,
                                      double within, uint32_t *taken) {
    int32_t best = -1;
    double least = within * within;
    for (int32_t k = 0; k < count; k++) {
        if (*taken >> k & 1) continue;
        double d = fr_min(fr_length2(fr_sub(old[k].la, la)), fr_length2(fr_sub(old[k].lb, lb)));
        if (d < least) least = d, best = k;
    }
    if (best < 0) return NULL;
    *taken |= 1u << best;
    return &old[best];
}

static void take_points(FrFramePair *pair, const FrManifold *found, const FrLocal *a,
                        const FrLocal *b, double size) {
    FrFramePoint old[FR_MANIFOLD_POINTS];
    int32_t old_count = pair->count;
    uint32_t taken = 0;
    memcpy(old, pair->point, sizeof old);
    pair->count = found->count;
    for (int32_t k = 0; k < found->count; k++) {
        const FrManifoldPoint *p = &found->point[k];
        FrFramePoint *to = &pair->point[k];
        *to = (FrFramePoint){.la = into(a->R, a->x, p->pa),
                             .lb = into(b->R, b->x, p->pb),
                             .ln = fr_mat3_apply_t(b->R, p->n),
                             .gap = p->gap};
        to->ga = fr_frames_hold_on(a, &to->la);
        to->gb = fr_frames_hold_on(b, &to->lb);
        const FrFramePoint *was =
            same_point(old, old_count, to->la, to->lb, FR_SAME_POINT * size, &taken);
        if (was) to->force = was->force, to->slides = was->slides;
    }
    relative_pose(a, b, pair->b < 0, &pair->rel_x, &pair->rel_q);
    pair->path = (a->bend ? a->bend->path : 0.0) + (b->bend ? b->bend->path : 0.0);
}

// ascending, as detection wants them: a body born later may have the number of one that died
static bool add_item(FrFrames *f, int32_t item) {
    if (!fr_array_extend(f->ctx, &f->items, 1)) return false;
    int32_t at = f->items.count - 1;
    for (; at > 0 && f->items.data[at - 1] > item; at--) f->items.data[at] = f->items.data[at - 1];
    f->items.data[at] = item;
    return true;
}

// Meshes that may overlap are put in place for the shared detection: at most once in a substep, and
// only where a pair asks for it.
static bool find_overlaps(FrFrames *f, FrFrameScratch *s) {
    if (s->overlaps_found) return true;
    s->overlaps_found = true;
    f->overlap.count = f->items.count = 0;
    for (int32_t k = 0; k < f->frame.count; k++) {
        int32_t local = s->local_of.data[k];
        if (!local || f->frame.data[k].item < 0) continue;
        FrRigid *r = f->frame.data[k].part.rigid;
        r->x = s->local.data[local].x;
        r->q = s->local.data[local].q;
        f->frame.data[k].ops->place(f->frame.data[k].part.state);
        if (!add_item(f, f->frame.data[k].item)) return false;
    }
    return fr_contact_detect(f->scene, f->items.data, f->items.count, f->h, &f->overlap) == FR_OK;
}

// overlaps of two meshes, from the shared detection
static void cluster_overlaps(FrFrames *f, FrFrameScratch *s, const FrFramePair *pair, double size,
                             FrManifold *out) {
    if (!find_overlaps(f, s)) {
        s->failed = true;
        return;
    }
    int32_t ia = f->frame.data[pair->a].item, ib = f->frame.data[pair->b].item;
    f->cluster.count = 0;
    out->count = 0;
    for (int32_t k = 0; k < f->overlap.count; k++) {
        const FrContact *c = &f->overlap.contact[k];
        bool swapped = c->a == ib && c->b == ia;
        if (!swapped && !(c->a == ia && c->b == ib)) continue;
        FrOverlapPoint p = {c->x, swapped ? fr_neg(c->n) : c->n, c->depth, c->volume};
        if (!fr_array_push(f->ctx, &f->cluster, p)) return;
    }
    fr_manifold_cluster(f->cluster.data, f->cluster.count, FR_SAME_POINT * size, out);
}

static void refresh_gaps(FrFramePair *pair, const FrLocal *a, const FrLocal *b) {
    for (int32_t k = 0; k < pair->count; k++) {
        FrFramePoint *p = &pair->point[k];
        FrVec3 pa = fr_add(a->x, fr_frames_arm(a, p->la, &p->ga));
        FrVec3 pb = fr_add(b->x, fr_frames_arm(b, p->lb, &p->gb));
        p->gap = fr_dot(fr_mat3_apply(b->R, p->ln), fr_sub(pa, pb));
    }
}

// A pair while it becomes rows.
typedef struct Meeting {
    int32_t ia, ib; ///< bodies of the island
    const FrLocal *a, *b;
    double mu_s, mu_d;
    FrRowOrigin origin;
} Meeting;

// the box of a mesh: its middle, and its half sizes along its own axes, world
static FrVec3 box_of(const FrCollider *c, FrVec3 half[3]) {
    FrBox box = c->mesh->tree.box[0];
    FrVec3 size = fr_scale(0.5, fr_box_size(box));
    half[0] = fr_mat3_apply(c->R, fr_vec3(size.x, 0, 0));
    half[1] = fr_mat3_apply(c->R, fr_vec3(0, size.y, 0));
    half[2] = fr_mat3_apply(c->R, fr_vec3(0, 0, size.z));
    return fr_add(c->x, fr_mat3_apply(c->R, fr_box_center(box)));
}

// surely the two meshes are farther than this from each other: their boxes are, along an axis of
// either
static bool are_apart(const FrCollider *a, const FrCollider *b, double by) {
    FrVec3 half[6], away = fr_sub(box_of(b, half + 3), box_of(a, half));
    for (int k = 0; k < 6; k++) {
        double reach = by * fr_length(half[k]);
        for (int i = 0; i < 6; i++) reach += fabs(fr_dot(half[k], half[i]));
        if (fabs(fr_dot(half[k], away)) > 1.000001 * reach) return true;
    }
    return false;
}

// of two meshes; where no corner is near, edges may be
static void meet_meshes(FrFrames *f, FrFrameScratch *s, const Meeting *m, const FrFramePair *pair,
                        double size, FrManifold *found) {
    const FrCollider *a = &m->a->shape, *b = &m->b->shape;
    found->count = 0;
    if (are_apart(a, b, pair->margin)) return;
    fr_manifold(a, b, pair->margin, found);
    if (!found->count && !are_apart(a, b, 0.0)) cluster_overlaps(f, s, pair, size, found);
}

static void find_points(FrFrames *f, FrFrameScratch *s, const Meeting *m, FrFramePair *pair,
                        double size, double need) {
    const FrLocal *a = m->a, *b = m->b;
    if (points_serve(pair, a, b, size, need)) {
        refresh_gaps(pair, a, b);
        return;
    }
    FrManifold found;
    pair->margin = 2.0 * need + FR_POINT_MARGIN * size;
    if (pair->b < 0) {
        FrCollider plane = plane_shape(&f->plane.data[-1 - pair->b]);
        fr_manifold(&a->shape, &plane, pair->margin, &found);
    } else if (a->shape.kind == FR_COLLIDER_MESH && b->shape.kind == a->shape.kind) {
        meet_meshes(f, s, m, pair, size, &found);
    } else {
        fr_manifold(&a->shape, &b->shape, pair->margin, &found);
    }
    take_points(pair, &found, a, b, size);
}

static double speed_bound(const FrLocal *a, const FrRowBody *body) {
    double turning = fr_length(body->w) * a->shape.radius;
    return a->bend ? turning + fr_bend_fastest(a->bend) : turning;
}

double fr_frames_slow(const FrFrames *f) {
    return fr_max(2.0 * f->h * fr_length(f->gravity), FR_SLOW_LEAST);
}

// Meshes that touch already do not hit with what is no more than the coarseness of steps
// and triangles: a rim of triangles rolls, it does not rattle. Within a substep the velocity of a
// surface that spins at w about a distance r changes by w^2 r h; the next corner comes down at w
// times the edge.
static double slow_of(const FrFrames *f, const FrFramePair *pair, const FrLocal *a,
                      const FrLocal *b, const FrRowBody *va, const FrRowBody *vb) {
    double slow = fr_frames_slow(f), wa = fr_length(va->w), wb = fr_length(vb->w);
    double facet_a = f->frame.data[pair->a].facet;
    double facet_b = pair->b < 0 ? 0.0 : f->frame.data[pair->b].facet;
    if (!pair->touched || facet_a + facet_b == 0.0) return slow;
    return slow + wa * (f->h * wa * a->shape.radius + facet_a) +
           wb * (f->h * wb * b->shape.radius + facet_b);
}

double fr_frames_error(double gap, double slop) {
    double over = -gap - slop;
    return over > 0.0 ? FR_TAKE_BACK * over : over;
}

// a row of zeros; what fr_rows_prepare makes is left as it was
static FrRow *new_row(FrFrames *f, FrFrameScratch *s, FrRowOrigin origin) {
    if (!fr_array_reserve(f->ctx, &s->row, 1) || !fr_array_push(f->ctx, &s->origin, origin))
        return NULL;
    FrRow *row = &s->row.data[s->row.count];
    memset(row, 0, offsetof(FrRow, column));
    row->tag = s->row.count++;
    return row;
}

static bool add_row(FrFrames *f, FrFrameScratch *s, FrRow from, FrRowOrigin origin) {
    FrRow *row = new_row(f, s, origin);
    if (!row) return false;
    from.tag = row->tag;
    *row = from;
    return true;
}

// two unit vectors across n, without a root (Duff et al. 2017)
static void across(FrVec3 n, FrVec3 *t, FrVec3 *b) {
    double sign = n.z < 0.0 ? -1.0 : 1.0, p = -1.0 / (sign + n.z), q = n.x * n.y * p;
    *t = fr_vec3(1.0 + sign * n.x * n.x * p, sign * q, -sign * n.x);
    *b = fr_vec3(q, sign + n.y * n.y * p, -n.y);
}

// one contact point as rows; both sides are pushed at the same place, so that no turn is made up
static bool add_contact(FrFrames *f, FrFrameScratch *s, const Meeting *m, const FrFramePoint *p) {
    FrRowOrigin origin = m->origin;
    origin.gap = p->gap;
    FrRow *row = new_row(f, s, origin);
    if (!row) return false;
    FrVec3 n = fr_mat3_apply(m->b->R, p->ln);
    FrVec3 arm = fr_axpy(-0.5 * p->gap, n, fr_frames_arm(m->a, p->la, &p->ga));
    row->kind = FR_ROW_CONTACT;
    row->a = m->ia;
    row->b = m->ib;
    row->ra = arm;
    row->rb = fr_add(arm, fr_sub(m->a->x, m->b->x));
    row->axis[0] = n;
    across(n, &row->axis[1], &row->axis[2]);
    row->friction = p->slides ? m->mu_d : m->mu_s;
    row->error[0] = fr_frames_error(p->gap, origin.slop);
    return true;
}

static bool add_pair(FrFrames *f, FrFrameScratch *s, int32_t at) {
    FrFramePair *pair = &f->pair.data[at];
    Meeting m = {.ia = s->local_of.data[pair->a],
                 .ib = pair->b < 0 ? 0 : s->local_of.data[pair->b]};
    const FrRowBody *va = &s->body.data[m.ia], *vb = &s->body.data[m.ib];
    double size = f->frame.data[pair->a].size, g = fr_length(f->gravity);
    m.a = &s->local.data[m.ia], m.b = &s->local.data[m.ib];
    if (pair->b >= 0) size = fr_min(size, f->frame.data[pair->b].size);
    double speed = fr_distance(va->v, vb->v) + speed_bound(m.a, va) + speed_bound(m.b, vb);
    double need = f->h * (speed + 2.0 * f->h * g) + FR_POINT_REACH * size;
    find_points(f, s, &m, pair, size, need);
    m.origin = (FrRowOrigin){.pair = at,
                             .slow = slow_of(f, pair, m.a, m.b, va, vb),
                             .slop = fr_min(FR_SLOP * size, FR_SLOP_MOST)};
    if (pair->touched) pair->touched--; // until rows say otherwise
    fr_frames_pair_law(f, pair, &m.mu_s, &m.mu_d, &m.origin.restitution);
    for (int32_t k = 0; k < pair->count; k++) {
        FrFramePoint *p = &pair->point[k];
        m.origin.point = k;
        if (p->gap >= need) {
            p->force = fr_vec3_zero;
            p->slides = 0;
        } else if (!add_contact(f, s, &m, p)) {
            return false;
        }
    }
    return true;
}

static FrRow ball_row(int32_t ia, int32_t ib, FrVec3 ra, FrVec3 rb) {
    return (FrRow){.kind = FR_ROW_BALL,
                   .a = ia,
                   .b = ib,
                   .ra = ra,
                   .rb = rb,
                   .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static bool add_string(FrFrames *f, FrFrameScratch *s, int32_t at, FrRow row, FrVec3 d) {
    const FrJoint *joint = &f->joint.data[at];
    double len = fr_length(d), slack = joint->length - len;
    if (!(len > 0.0)) return true;
    row.axis[0] = fr_scale(1.0 / len, d);
    row.axis[1] = fr_any_normal(row.axis[0]);
    row.axis[2] = fr_cross(row.axis[0], row.axis[1]);
    row.error[0] = fr_frames_error(slack, 0.0);
    return add_row(f, s, row, (FrRowOrigin){.pair = -1, .point = at, .gap = slack});
}

// the axes stay together: turn a by axis_a x axis_b
static bool add_axis(FrFrames *f, FrFrameScratch *s, int32_t at, FrRow row, const FrLocal *a,
                     const FrLocal *b) {
    const FrJoint *joint = &f->joint.data[at];
    FrVec3 ua = fr_mat3_apply(a->R, joint->axis_a), ub = fr_mat3_apply(b->R, joint->axis_b);
    FrVec3 off = fr_cross(ua, ub);
    row.kind = FR_ROW_AXIS;
    row.axis[0] = fr_any_normal(ua);
    row.axis[1] = fr_cross(ua, row.axis[0]);
    row.axis[2] = ua;
    row.error[0] = FR_TAKE_BACK * fr_dot(off, row.axis[0]);
    row.error[1] = FR_TAKE_BACK * fr_dot(off, row.axis[1]);
    row.error[2] = 0.0;
    return add_row(f, s, row, (FrRowOrigin){.pair = -1, .point = at});
}

static bool add_joint(FrFrames *f, FrFrameScratch *s, int32_t at) {
    const FrJoint *joint = &f->joint.data[at];
    int32_t ia = s->local_of.data[joint->a], ib = joint->b < 0 ? 0 : s->local_of.data[joint->b];
    const FrLocal *a = &s->local.data[ia], *b = &s->local.data[ib];
    FrVec3 ra = fr_frames_arm(a, joint->la, &joint->ga),
           rb = fr_frames_arm(b, joint->lb, &joint->gb);
    FrVec3 d = fr_sub(fr_add(b->x, rb), fr_add(a->x, ra));
    FrRow row = ball_row(ia, ib, ra, rb);
    if (joint->kind == FR_JOINT_STRING) {
        row.kind = FR_ROW_STRING;
        return add_string(f, s, at, row, d);
    }
    row.error[0] = FR_TAKE_BACK * d.x;
    row.error[1] = FR_TAKE_BACK * d.y;
    row.error[2] = FR_TAKE_BACK * d.z;
    if (!add_row(f, s, row, (FrRowOrigin){.pair = -1, .point = at})) return false;
    return joint->kind != FR_JOINT_HINGE || add_axis(f, s, at, row, a, b);
}

void fr_frames_contacts(FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s) {
    s->row.count = s->origin.count = 0;
    bool good = true;
    s->overlaps_found = false;
    for (int32_t k = 0; good && k < island->pairs; k++)
        good = add_pair(f, s, f->island_pair.data[island->first_pair + k]);
    s->contacts += s->row.count;
    for (int32_t k = 0; good && k < island->joints; k++)
        good = add_joint(f, s, f->island_joint.data[island->first_joint + k]);
    if (!good)
        s->failed = true;
    else
        fr_frames_bend_rows(f, s);
}
