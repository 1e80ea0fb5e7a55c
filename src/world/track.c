// track.c: straight lines and shortest turns between keys.

#include "world/track.h"
#include <string.h>

static bool key_finite(const FrKey *key) {
    return isfinite(key->t) && fr_vec3_finite(key->move) && isfinite(key->turn.w) &&
           isfinite(key->turn.x) && isfinite(key->turn.y) && isfinite(key->turn.z);
}

FrResult fr_track_copy(FrContext *ctx, const FrTrack *from, FrTrack *to) {
    if (from->count < 0)
        return fr_fail(ctx, FR_BAD_USE, "a track has %d keys; at least 0", from->count);
    FR_NEED(ctx, from->key || !from->count, "give the keys of the track");
    for (int32_t k = 0; k < from->count; k++) {
        if (!key_finite(&from->key[k]))
            return fr_fail(ctx, FR_BAD_USE, "key %d of a track is not finite", k);
        if (k > 0 && !(from->key[k].t > from->key[k - 1].t))
            return fr_fail(ctx, FR_BAD_USE,
                           "key %d of a track is at %g s, not after the one before (%g s)", k,
                           from->key[k].t, from->key[k - 1].t);
    }
    FrKey *key = FR_NEW(ctx, FrKey, from->count);
    if (!key) return fr_no_memory(ctx, "a track");
    if (from->count) memcpy(key, from->key, (size_t)from->count * sizeof *key);
    *to = (FrTrack){key, from->count, from->pivot};
    return FR_OK;
}

FrResult fr_curve_copy(FrContext *ctx, const FrCurve *from, FrCurve *to) {
    if (from->count < 0)
        return fr_fail(ctx, FR_BAD_USE, "a curve has %d keys; at least 0", from->count);
    FR_NEED(ctx, from->key || !from->count, "give the keys of the curve");
    for (int32_t k = 0; k < from->count; k++) {
        if (!isfinite(from->key[k][0]) || !isfinite(from->key[k][1]))
            return fr_fail(ctx, FR_BAD_USE, "key %d of a curve is not finite", k);
        if (k > 0 && !(from->key[k][0] > from->key[k - 1][0]))
            return fr_fail(ctx, FR_BAD_USE,
                           "key %d of a curve is at %g s, not after the one before (%g s)", k,
                           from->key[k][0], from->key[k - 1][0]);
    }
    double(*key)[2] = fr_alloc_zero(ctx, (size_t)from->count, sizeof *key);
    if (!key) return fr_no_memory(ctx, "a curve");
    if (from->count) memcpy(key, from->key, (size_t)from->count * sizeof *key);
    *to = (FrCurve){(const double(*)[2])key, from->count};
    return FR_OK;
}

void fr_track_free(FrContext *ctx, FrTrack *track) { fr_free(ctx, (void *)(uintptr_t)track->key); }
void fr_curve_free(FrContext *ctx, FrCurve *curve) { fr_free(ctx, (void *)(uintptr_t)curve->key); }

FrKey fr_track_at(const FrTrack *track, double t) {
    if (track->count == 0) return (FrKey){t, fr_vec3_zero, fr_quat_identity};
    int32_t after = 0;
    while (after < track->count && track->key[after].t <= t) after++;
    if (after == 0) return track->key[0];
    if (after == track->count) return track->key[after - 1];
    const FrKey *a = &track->key[after - 1], *b = &track->key[after];
    double s = (t - a->t) / (b->t - a->t);
    return (FrKey){t, fr_lerp(a->move, b->move, s), fr_quat_slerp(a->turn, b->turn, s)};
}

FrVec3 fr_track_point(const FrTrack *track, double t, FrVec3 x) {
    FrKey key = fr_track_at(track, t);
    FrVec3 arm = fr_quat_rotate(key.turn, fr_sub(x, track->pivot));
    return fr_add(fr_add(track->pivot, arm), key.move);
}

double fr_curve_at(const FrCurve *curve, double t) {
    if (curve->count == 0) return 1.0;
    int32_t after = 0;
    while (after < curve->count && curve->key[after][0] <= t) after++;
    if (after == 0) return curve->key[0][1];
    if (after == curve->count) return curve->key[after - 1][1];
    const double *a = curve->key[after - 1], *b = curve->key[after];
    return a[1] + (b[1] - a[1]) * ((t - a[0]) / (b[0] - a[0]));
}
