// model_shatter_release.c: what a broken body had stored drives its pieces apart, by impulses on
// their new faces (M21).

#include "event/log.h"
#include "fracture/release.h"
#include "world/world.h"
#include "world/world_tuning.h"
#include <stdlib.h>

/// Bodies that drive each other apart.
typedef struct Parting {
    const FrBodyId *id;
    FrReleasePiece *piece;
    FrReleaseFacet *facet;
    double tau; ///< s
} Parting;

static bool is_held(const FrWorld *w, FrBodyId id) {
    return w->body.data[fr_world_find(w, id)].kinematic;
}

static FrRigid *rigid_of(FrWorld *w, FrBodyId id) {
    const FrBody *body = &w->body.data[fr_world_find(w, id)];
    return w->frames.frame.data[body->frame].part.rigid;
}

static void fill_parting(FrWorld *w, const FrFallen *fallen, const FrAxes *axes, Parting *p) {
    FrMat3 R = fr_quat_mat3(axes->q);
    for (int32_t k = 0; k < fallen->count; k++) {
        const FrRigid *r = rigid_of(w, p->id[k]);
        p->piece[k] = (FrReleasePiece){.mass = r->mass,
                                       .x = r->x,
                                       .inv_inertia = fr_rigid_inv_inertia(r),
                                       .v = r->v,
                                       .w = fr_rigid_spin(r)};
    }
    for (int32_t k = 0; k < fallen->facet_count; k++) {
        const FrFallenFacet *from = &fallen->facet[k];
        FrMat3 s = fr_mat3_mul(fr_mat3_mul(R, fr_sym3_full(from->stress)), fr_mat3_transpose(R));
        p->facet[k] = (FrReleaseFacet){from->a,
                                       from->b,
                                       from->area,
                                       fr_axes_place(axes, from->x),
                                       fr_quat_rotate(axes->q, from->n),
                                       fr_mat3_sym(s)};
    }
}

// Near a crack a held piece recoils as a free one does; what holds it stops it, and takes the rest.
// What it pushes a free one with comes from outside. The work of that, J.
static double book_held(FrWorld *w, const FrFallen *fallen, const Parting *p) {
    double work = 0.0;
    for (int32_t k = 0; k < fallen->facet_count; k++) {
        const FrReleaseFacet *f = &p->facet[k];
        bool a = is_held(w, p->id[f->a]), b = is_held(w, p->id[f->b]);
        if (a == b || !fr_release_pulls(f)) continue;
        double side = a ? 1.0 : -1.0;
        FrVec3 J = fr_scale(side * p->tau * f->area, fr_sym3_apply(f->stress, f->n));
        const FrRigid *held = rigid_of(w, p->id[a ? f->a : f->b]);
        const FrBody *free = &w->body.data[fr_world_find(w, p->id[a ? f->b : f->a])];
        FrVec3 *given = w->frames.frame.data[free->frame].part.outer_impulse;
        *given = fr_add(*given, J);
        work += fr_dot(J, fr_add(held->v, fr_cross(fr_rigid_spin(held), fr_sub(f->x, held->x))));
    }
    return work;
}

// what the pieces gain comes out of what contact had stored, and so does what cracks take
static void book_break(FrWorld *w, const FrFallen *fallen, Parting *p) {
    double gained = 0.0, given = book_held(w, fallen, p);
    for (int32_t k = 0; k < fallen->count; k++) {
        if (is_held(w, p->id[k])) continue;
        FrRigid *r = rigid_of(w, p->id[k]);
        gained -= fr_rigid_kinetic(r);
        r->v = p->piece[k].v;
        fr_rigid_set_spin(r, p->piece[k].w);
        gained += fr_rigid_kinetic(r);
        FrFrame *frame = &w->frames.frame.data[w->body.data[fr_world_find(w, p->id[k])].frame];
        frame->ops->place(frame->part.state);
    }
    w->passed.fracture += fallen->spent;
    w->passed.external += given;
    w->passed.contact -= fallen->spent + gained - given;
}

/// What one body does to another at their common crack.
typedef struct Between {
    int32_t a, b;
    double area; ///< m^2
    FrVec3 x;    ///< times area, m^3
    FrVec3 J;    ///< on a, N s
} Between;

static int order_between(const void *x, const void *y) {
    const FrReleaseFacet *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        double u = fr_vec3_get(p->x, i), v = fr_vec3_get(q->x, i);
        if (u < v || v < u) return u < v ? -1 : 1;
    }
    return 0;
}

// Dust rings not: what it pushes does, as by nothing.
static Between without_dust(const FrFallen *fallen, const Between *s) {
    if (!fallen->dust[s->a]) return *s;
    return (Between){s->b, s->a, s->area, s->x, fr_neg(s->J)};
}

static FrResult report_release(FrWorld *w, const FrFallen *fallen, const Parting *p,
                               const Between *between) {
    Between both = without_dust(fallen, between), *s = &both;
    if (fallen->dust[s->a]) return FR_OK;
    FrBodyId other = fallen->dust[s->b] ? (FrBodyId){0} : p->id[s->b];
    FrEvent e = fr_event_new(FR_EVENT_RELEASE, fr_world_time(w), p->id[s->a], other);
    int32_t index = fr_world_find(w, p->id[s->a]);
    const FrRigid *r = rigid_of(w, p->id[s->a]);
    FrVec3 arm = fr_sub(fr_scale(1.0 / s->area, s->x), r->x);
    FrVec3 local = fr_quat_rotate(fr_quat_conj(r->q), arm);
    e.u.release.p = fr_world_frame_point(w, w->body.data[index].frame, local);
    e.u.release.impulse = s->J;
    e.u.release.other = other;
    return fr_world_add_event(w, e);
}

// facets sorted by their bodies, a below b: one event for two bodies
static FrResult report_releases(FrWorld *w, const FrFallen *fallen, const Parting *p) {
    int32_t count = fallen->facet_count;
    Between now = {.a = -1};
    for (int32_t k = 0; k <= count; k++) {
        const FrReleaseFacet *f = k < count ? &p->facet[k] : NULL;
        if (!f || f->a != now.a || f->b != now.b) {
            if (now.area > 0.0 && fr_length(now.J) > 0.0)
                FR_TRY(report_release(w, fallen, p, &now));
            if (f) now = (Between){.a = f->a, .b = f->b};
        }
        if (!f || !fr_release_pulls(f)) continue;
        now.area += f->area;
        now.x = fr_axpy(f->area, f->x, now.x);
        // force on a: -a s n
        now.J = fr_axpy(-p->tau * f->area, fr_sym3_apply(f->stress, f->n), now.J);
    }
    return FR_OK;
}

static void sort_facets(FrReleaseFacet *facet, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (facet[k].a > facet[k].b) {
            int32_t a = facet[k].a;
            facet[k].a = facet[k].b, facet[k].b = a;
            facet[k].n = fr_neg(facet[k].n);
        }
    if (count) qsort(facet, (size_t)count, sizeof *facet, order_between);
}

static FrResult drive(FrWorld *w, const FrFallen *fallen, const FrAxes *axes, Parting *p) {
    fill_parting(w, fallen, axes, p);
    if (fallen->free > 0.0)
        p->tau = fr_release(p->piece, fallen->count, p->facet, fallen->facet_count, fallen->free,
                            FR_RELEASE_FASTEST);
    book_break(w, fallen, p);
    sort_facets(p->facet, fallen->facet_count);
    return report_releases(w, fallen, p);
}

FrResult fr_world_drive_apart(FrWorld *w, const FrFallen *fallen, const FrBodyId *id,
                              const FrAxes *axes) {
    Parting p = {id, FR_NEW(w->ctx, FrReleasePiece, fallen->count),
                 FR_NEW(w->ctx, FrReleaseFacet, fallen->facet_count), 0.0};
    FrResult result =
        p.piece && p.facet ? drive(w, fallen, axes, &p) : fr_no_memory(w->ctx, "pieces");
    FR_FREE_ALL(w->ctx, p.piece, p.facet);
    return result;
}
