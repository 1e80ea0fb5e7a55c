// refusal.c: planes that could not be cut are not tried again until something has changed.
//
// Whether a plane can be cut hangs on the tets round the node and those behind them, at rest, and
// on where the plane passes between their corners. So a refusal is believed until one of these tets
// is cut, or a corner round the node has moved against the plane, as the body flows and the plane
// turns, by a fiftieth of the mean edge there: so much is what cuts give way by anyhow.

#include "fracture/inside.h"

/// Corners move against the plane by this much of the mean edge at the node before it is tried
/// again.
#define MOVED 0.02

// distances of the corners of the star from the plane, over the mean edge; false: there are too
// many
static bool measure(const FrFracture *f, int32_t node, FrVec3 normal, FrRefusal *refusal) {
    int32_t count, offs = 0;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    FrVec3 at = fr_get3(view.p, node), off[3 * FR_REFUSAL_TETS];
    double edges = 0.0;
    if (count > FR_REFUSAL_TETS) return false;
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = view.tet[star[k / 4]][k % 4];
        if (n == node) continue;
        off[offs] = fr_sub(fr_get3(view.p, n), at);
        edges += fr_length(off[offs++]);
    }
    refusal->count = offs;
    for (int32_t k = 0; k < offs; k++) refusal->off[k] = fr_dot(off[k], normal) * offs / edges;
    return true;
}

// nothing moved; the two senses of a normal make one plane
static bool is_same(const FrRefusal *a, const FrRefusal *b) {
    double apart = 0.0, turned = 0.0;
    for (int32_t k = 0; k < a->count; k++) {
        apart = fr_max(apart, fabs(a->off[k] - b->off[k]));
        turned = fr_max(turned, fabs(a->off[k] + b->off[k]));
    }
    return a->count == b->count && fr_min(apart, turned) < MOVED;
}

bool fr_fracture_is_refused(const FrFracture *f, int32_t node, FrVec3 normal) {
    int32_t at = f->refused.data[node] - 1;
    FrRefusal now;
    return at >= 0 && measure(f, node, normal, &now) && is_same(&now, &f->refusal.data[at]);
}

bool fr_fracture_refuse(FrFracture *f, int32_t node, FrVec3 normal) {
    FrRefusal refusal = {.node = node};
    if (!measure(f, node, normal, &refusal)) return true;
    int32_t at = f->refused.data[node] - 1;
    if (at >= 0) {
        f->refusal.data[at] = refusal;
        return true;
    }
    if (!fr_array_push(f->ctx, &f->refusal, refusal)) return false;
    f->refused.data[node] = f->refusal.count;
    return true;
}

static void forget(FrFracture *f, int32_t node) {
    f->wait.data[node] = 0;
    int32_t at = f->refused.data[node] - 1;
    if (at < 0) return;
    FrRefusal last = f->refusal.data[--f->refusal.count];
    f->refusal.data[at] = last;
    f->refused.data[last.node] = at + 1;
    f->refused.data[node] = 0;
}

void fr_fracture_allow(FrFracture *f, const int32_t *touched, int32_t touched_count) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    for (int32_t k = 0; k < touched_count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, touched[k], &count);
        for (int32_t j = 0; j < 4 * count; j++) forget(f, mesh->tet[star[j / 4]][j % 4]);
    }
}
