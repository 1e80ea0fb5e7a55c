// starts.c: where the bodies of a recording began, for pictures that put them together again.

#include "output/starts.h"
#include "math/decompose.h"
#include "math/vec.h"

static FrVec3 middle(const double *x, int32_t count) {
    FrVec3 sum = fr_vec3_zero;
    for (int32_t k = 0; k < count; k++) sum = fr_add(sum, fr_get3(x, k));
    return fr_scale(1.0 / count, sum);
}

// sum of (p - middle) (x - middle)': its rotation is the one that takes x nearest to p
static FrMat3 moment(const double *p, const double *x, int32_t count, FrVec3 pm, FrVec3 xm) {
    FrMat3 m = fr_mat3_zero;
    for (int32_t k = 0; k < count; k++) {
        FrVec3 a = fr_sub(fr_get3(p, k), pm), b = fr_sub(fr_get3(x, k), xm);
        m.c0 = fr_axpy(b.x, a, m.c0);
        m.c1 = fr_axpy(b.y, a, m.c1);
        m.c2 = fr_axpy(b.z, a, m.c2);
    }
    return m;
}

static FrDrawStart start_of(const FrBodyView *view, const FrBodyFrame *frame) {
    const FrTetMesh *mesh = view->mesh;
    if (!frame->alive || !mesh || !mesh->node_count) return (FrDrawStart){.known = false};
    if (!frame->p) return (FrDrawStart){true, frame->position, fr_quat_mat3(frame->rotation)};
    FrVec3 pm = middle(frame->p, mesh->node_count), xm = middle(mesh->x, mesh->node_count);
    FrMat3 R = fr_mat3_polar(moment(frame->p, mesh->x, mesh->node_count, pm, xm), fr_mat3_identity);
    return (FrDrawStart){true, fr_sub(pm, fr_mat3_apply(R, xm)), R};
}

FrResult fr_find_starts(FrContext *ctx, const FrFrameSource *source, FrStarts *starts) {
    const FrFrameView *view;
    FR_TRY(source->get(source->user, 0, &view));
    if (!fr_array_extend(ctx, &starts->body, view->body_count))
        return fr_no_memory(ctx, "where bodies began");
    for (int32_t k = 0; k < view->body_count; k++)
        starts->body.data[k] = start_of(&view->body[k], &view->frame[k]);
    return FR_OK;
}
