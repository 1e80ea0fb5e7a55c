// refusal.c: planes that could not be cut are not tried again until something has changed.
//
// Whether a plane can be cut hangs on the tets round the node and those behind them, at rest, and
// on where the plane passes between their corners. So a refusal is believed until one of these tets
// is cut, or a corner round the node has moved against the plane, as the body flows and the plane
// turns, by a fiftieth of the mean edge there: so much is what cuts give way by anyhow.

#include "fracture/inside.h"
#include <string.h>

/// Distances of the corners of a star from a plane.
typedef struct Offs {
    double off[3 * FR_REFUSAL_TETS];
} Offs;

// over the mean edge; false: there are too many
static bool measure(const FrFracture *f, int32_t node, FrVec3 normal, Offs *offs,
                    FrRefusal *refusal) {
    int32_t count, at = 0;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    FrVec3 o = fr_get3(view.p, node);
    double edges = 0.0;
    if (count > FR_REFUSAL_TETS) return false;
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = view.tet[star[k / 4]][k % 4];
        if (n == node) continue;
        FrVec3 edge = fr_sub(fr_get3(view.p, n), o);
        edges += fr_length(edge);
        offs->off[at++] = fr_dot(edge, normal);
    }
    for (int32_t k = 0; k < at; k++) offs->off[k] = offs->off[k] * at / edges;
    *refusal = (FrRefusal){node, at, offs->off};
    return true;
}

// nothing moved; the two senses of a normal make one plane
static bool is_same(const FrRefusal *a, const FrRefusal *b) {
    double apart = 0.0, turned = 0.0;
    if (a->count != b->count) return false;
    for (int32_t k = 0; k < a->count; k++) {
        apart = fr_max(apart, fabs(a->off[k] - b->off[k]));
        turned = fr_max(turned, fabs(a->off[k] + b->off[k]));
    }
    return fr_min(apart, turned) < FR_REFUSAL_MOVED;
}

bool fr_fracture_is_refused(const FrFracture *f, int32_t node, FrVec3 normal) {
    int32_t at = f->scratch.cuts.refused.data[node] - 1;
    Offs offs;
    FrRefusal now;
    return at >= 0 && measure(f, node, normal, &offs, &now) &&
           is_same(&now, &f->state.refusal.data[at]);
}

static void forget(FrFracture *f, int32_t node) {
    int32_t at = f->scratch.cuts.refused.data[node] - 1;
    if (at < 0) return;
    fr_free(f->ctx, f->state.refusal.data[at].off);
    FrRefusal last = f->state.refusal.data[--f->state.refusal.count];
    f->state.refusal.data[at] = last;
    f->scratch.cuts.refused.data[last.node] = at + 1;
    f->scratch.cuts.refused.data[node] = 0;
}

void fr_fracture_forget_refusals(FrFracture *f) {
    while (f->state.refusal.count)
        forget(f, f->state.refusal.data[f->state.refusal.count - 1].node);
}

bool fr_fracture_note_refusal(FrFracture *f, FrRefusal refusal) {
    int32_t at = f->scratch.cuts.refused.data[refusal.node] - 1;
    double *off = FR_NEW(f->ctx, double, refusal.count);
    if (!off) return false;
    memcpy(off, refusal.off, (size_t)refusal.count * sizeof *off);
    refusal.off = off;
    if (at >= 0) {
        fr_free(f->ctx, f->state.refusal.data[at].off);
        f->state.refusal.data[at] = refusal;
        return true;
    }
    if (!fr_array_push(f->ctx, &f->state.refusal, refusal)) return fr_free(f->ctx, off), false;
    f->scratch.cuts.refused.data[refusal.node] = f->state.refusal.count;
    return true;
}

bool fr_fracture_refuse(FrFracture *f, int32_t node, FrVec3 normal) {
    Offs offs;
    FrRefusal refusal;
    return !measure(f, node, normal, &offs, &refusal) || fr_fracture_note_refusal(f, refusal);
}

void fr_fracture_allow(FrFracture *f, const int32_t *touched, int32_t touched_count) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    for (int32_t k = 0; k < touched_count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, touched[k], &count);
        for (int32_t j = 0; j < 4 * count; j++) {
            forget(f, mesh->tet[star[j / 4]][j % 4]);
            f->state.wait.data[mesh->tet[star[j / 4]][j % 4]] = 0;
        }
    }
}
