// bend_code.c: shapes of modes as float32 byte planes, and sums of them.

#include "record/bend_code.h"
#include "base/hash.h"
#include "math/lanes.h"
#include "math/vec.h"
#include "modal/mode_sum.h"
#include "record/state_code.h"
#include "store/deflate.h"
#include <string.h>

/// kg^-1/2; a node of 1e-24 kg would move so far.
#define LARGEST 1e12f

void fr_bend_code_write(const FrModeShapes *s, FrWriter *out) {
    size_t count = fr_bend_code_numbers(s->mode_count, s->node_count), at = out->size;
    for (size_t k = 0; k < count && !out->failed; k++) fr_write_i32(out, 0);
    if (!out->failed) fr_planes_split(s->shape, count, out->data + at);
}

uint64_t fr_bend_code_hash(const FrModeShapes *s, const FrWriter *raw) {
    FrHash hash;
    fr_hash_begin(&hash, 5);
    fr_hash_u64(&hash, (uint64_t)s->mode_count);
    fr_hash_u64(&hash, (uint64_t)s->node_count);
    fr_hash_bytes(&hash, raw->data, raw->size);
    return fr_hash_end(&hash);
}

FrResult fr_bend_code_read(FrContext *ctx, int32_t modes, int32_t nodes, const void *z,
                           size_t z_size, float **shape) {
    size_t count = fr_bend_code_numbers(modes, nodes);
    FR_TRY(fr_inflate_check(ctx, z, z_size, 4 * count));
    uint8_t *planes = fr_alloc(ctx, 4 * count);
    *shape = FR_NEW(ctx, float, count);
    FrResult result = planes && *shape ? fr_inflate(ctx, z, z_size, planes, 4 * count)
                                       : fr_no_memory(ctx, "modes of a body");
    if (result == FR_OK) fr_planes_join(planes, count, *shape);
    for (size_t k = 0; result == FR_OK && k < count; k++)
        if (!(fabsf((*shape)[k]) <= LARGEST))
            result = fr_fail(ctx, FR_BAD_INPUT, "modes of a body: %g is out of range",
                             (double)(*shape)[k]);
    fr_free(ctx, planes);
    if (result == FR_OK) return FR_OK;
    fr_free(ctx, *shape);
    *shape = NULL;
    return result;
}

static void add_up(const FrModeShapes *s, const double *weight, double *sum) {
    size_t stride = 3 * (size_t)s->node_count;
    FrModeSum by = {s->shape, stride, weight, s->mode_count, sum};
    memset(sum, 0, stride * sizeof *sum);
    (fr_cpu_has_avx2() ? fr_mode_sum_avx2 : fr_mode_sum_portable)(&by, 0, (int32_t)stride);
}

void fr_bend_code_place(const FrTetMesh *mesh, const FrModeShapes *s, double *p, double *v,
                        FrBodyFrame *frame) {
    FrMat3 R = fr_quat_mat3(frame->rotation);
    add_up(s, frame->z, p);
    add_up(s, frame->z_speed, v);
    for (int32_t n = 0; n < s->node_count; n++) {
        FrVec3 arm = fr_mat3_apply(R, fr_add(fr_get3(mesh->x, n), fr_get3(p, n)));
        FrVec3 by = fr_mat3_apply(R, fr_get3(v, n));
        fr_set3(p, n, fr_add(frame->position, arm));
        fr_set3(v, n, fr_add(fr_add(frame->velocity, fr_cross(frame->spin, arm)), by));
    }
    frame->p = p;
    frame->v = v;
}
