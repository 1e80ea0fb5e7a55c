// asset_file.c: .frm files: a cooked body as bytes, little-endian, checked when read.
//
//     0  "FRACASRM"   8  i32 version   12  i32 modes   16  i32 points   20  i32 triangles
//    24  u64 hash of all that follows   32  name, 40 bytes   72  18 f64: density young poisson
//    alpha1 alpha2 eta mass volume area, centre xyz, bounds lo xyz hi xyz   216  9 f64: where rim,
//    top and centre are, xyz each (not in version 1)   then, per mode: f64
//    squared angular frequency; per mode: f64 coupling; per point: 3 f32; per triangle: 3 i32; per
//    mode, as they are kept: f32 of its largest component, then 3 i16 for each point, in 32767ths
//    of it; padded with zeros to 4 bytes. Version 1 has 3 f32 for each point instead. Version 3
//    goes on with a radiation (src/air/radiation_bytes.c); a body without one is of version 2.
//    Version 4: i32 1 if a radiation follows, u64 size of the motion, a motion
//    (src/modal/motion_bytes.c), the radiation.

#include "base/bytes.h"
#include "base/hash.h"
#include "math/vec.h"
#include "modal/motion.h"
#include "sound/asset.h"
#include <math.h>
#include <string.h>

static const char magic[8] = {'F', 'R', 'A', 'C', 'A', 'S', 'R', 'M'};
/// Its versions: without a radiation, with one, and with a motion.
#define PLAIN 2
#define RADIATES 3
#define MOVES 4
/// Steps from 0 to the largest component of a mode.
#define STEPS 32767
/// What a file may hold of points and their share of the modes, bytes; but so many points at least.
#define MOST_BYTES 280000
#define FEWEST_POINTS 100
#define HASHED_FROM 32
#define NUMBERS 18
#define HEAD (72 + 8 * NUMBERS)
#define PLACES (3 * 3 * 8)

static void write_f32(FrWriter *w, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr_write_i32(w, (int32_t)bits);
}

static float read_f32(FrReader *r) {
    uint32_t bits = (uint32_t)fr_read_i32(r);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void numbers_of(FrAssetInfo *i, double *number[NUMBERS]) {
    double *const all[NUMBERS] = {
        &i->density,     &i->young,       &i->poisson,     &i->alpha1,      &i->alpha2,
        &i->eta,         &i->mass,        &i->volume,      &i->area,        &i->centre.x,
        &i->centre.y,    &i->centre.z,    &i->bounds.lo.x, &i->bounds.lo.y, &i->bounds.lo.z,
        &i->bounds.hi.x, &i->bounds.hi.y, &i->bounds.hi.z};
    memcpy(number, all, sizeof all);
}

static void write_i16(FrWriter *w, int32_t value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    fr_write_bytes(w, bytes, sizeof bytes);
}

static int32_t read_i16(FrReader *r) {
    uint8_t bytes[2] = {0, 0};
    fr_read_bytes(r, bytes, sizeof bytes);
    return (int16_t)(uint16_t)(bytes[0] | bytes[1] << 8);
}

// component k of mode i, three for each point
static float *component(const FrAsset *a, int32_t i, size_t k) {
    return a->shape + (k / 3 * (size_t)a->info.mode_count + (size_t)i) * 3 + k % 3;
}

static void write_shape(FrWriter *w, const FrAsset *a, int32_t i) {
    size_t count = 3 * (size_t)a->info.vertex_count;
    float most = 0.0f;
    for (size_t k = 0; k < count; k++) most = fmaxf(most, fabsf(*component(a, i, k)));
    write_f32(w, most);
    double steps = most > 0.0f ? STEPS / (double)most : 0.0;
    for (size_t k = 0; k < count; k++)
        write_i16(w, (int32_t)lround(steps * (double)*component(a, i, k)));
    if (count % 2) write_i16(w, 0);
}

static void write_body(FrWriter *w, const FrAsset *a) {
    FrAssetInfo info = a->info;
    double *number[NUMBERS];
    numbers_of(&info, number);
    fr_write_bytes(w, info.name, sizeof info.name);
    for (int k = 0; k < NUMBERS; k++) fr_write_f64(w, *number[k]);
    for (int k = 0; k < 9; k++) fr_write_f64(w, fr_vec3_get(a->place[k / 3], k % 3));
    for (int32_t i = 0; i < info.mode_count; i++) fr_write_f64(w, a->lambda[i]);
    for (int32_t i = 0; i < info.mode_count; i++) fr_write_f64(w, a->coupling[i]);
    for (size_t k = 0; k < 3 * (size_t)info.vertex_count; k++) write_f32(w, a->x[k]);
    for (int32_t t = 0; t < info.tri_count; t++)
        for (int k = 0; k < 3; k++) fr_write_i32(w, a->tri[t][k]);
    for (int32_t i = 0; i < info.mode_count; i++) write_shape(w, a, i);
}

// a point and its two triangles, and what each mode does there
int32_t fr_asset_points(const FrAsset *a) {
    int64_t each = 3 * 4 + 2 * 3 * 4 + 3 * 2 * (int64_t)a->info.mode_count;
    return fr_max_i((int32_t)(MOST_BYTES / each), FEWEST_POINTS);
}

// its size is known when it is written
static void write_motion(FrWriter *w, const FrAsset *a, const FrMotion *motion) {
    fr_write_i32(w, a->radiation != NULL);
    size_t at = w->size;
    fr_write_u64(w, 0);
    fr_motion_write(motion, w);
    if (w->failed) return;
    uint64_t size = w->size - at - 8;
    for (int k = 0; k < 8; k++) w->data[at + (size_t)k] = (uint8_t)(size >> (8 * k));
}

FrResult fr_asset_save(const FrAsset *a, const FrMotion *motion, uint8_t **bytes, size_t *size) {
    FrWriter w;
    fr_writer_init(&w, a->ctx);
    fr_write_bytes(&w, magic, sizeof magic);
    fr_write_i32(&w, motion ? MOVES : a->radiation ? RADIATES : PLAIN);
    fr_write_i32(&w, a->info.mode_count);
    fr_write_i32(&w, a->info.vertex_count);
    fr_write_i32(&w, a->info.tri_count);
    fr_write_u64(&w, 0);
    write_body(&w, a);
    if (motion) write_motion(&w, a, motion);
    if (a->radiation) fr_radiation_write(&w, a->radiation);
    *bytes = NULL;
    *size = 0;
    FrResult result = fr_writer_result(&w);
    if (result != FR_OK) {
        fr_writer_free(&w);
        return result;
    }
    uint64_t hash = fr_hash_of(w.data + HASHED_FROM, w.size - HASHED_FROM, 0);
    for (int k = 0; k < 8; k++) w.data[24 + k] = (uint8_t)(hash >> (8 * k));
    *bytes = w.data;
    *size = w.size;
    return FR_OK;
}

static FrResult damaged(FrContext *ctx, size_t at, const char *what) {
    return fr_fail(ctx, FR_BAD_INPUT, "modal asset, byte %zu: %s", at, what);
}

// how many bytes such an asset has; 0: more than can be counted
static size_t size_of(const FrAssetInfo *i, int32_t version) {
    size_t modes = (size_t)i->mode_count, points = (size_t)i->vertex_count, total, shapes;
    size_t each = version == 1 ? 12 * points : 4 + 6 * points + 2 * (points % 2);
    if (__builtin_mul_overflow(modes, each, &shapes)) return 0;
    size_t head = HEAD + (version == 1 ? 0 : PLACES);
    if (__builtin_add_overflow(head + 16 * modes + 12 * points + 12 * (size_t)i->tri_count, shapes,
                               &total))
        return 0;
    return total;
}

static FrResult read_head(FrContext *ctx, FrReader *r, FrAssetInfo *info, int32_t *kind) {
    char word[8] = {0};
    fr_read_bytes(r, word, sizeof word);
    if (r->failed || memcmp(word, magic, sizeof magic))
        return damaged(ctx, 0, "not a .frm file: it does not begin with FRACASRM");
    int32_t version = *kind = fr_read_i32(r);
    if (!r->failed && (version < 1 || version > MOVES))
        return fr_fail(ctx, FR_BAD_INPUT,
                       "modal asset, byte 8: version %d; this program reads 1 to %d", version,
                       MOVES);
    info->mode_count = fr_read_i32(r);
    info->vertex_count = fr_read_i32(r);
    info->tri_count = fr_read_i32(r);
    uint64_t hash = fr_read_u64(r);
    if (r->failed) return damaged(ctx, r->size, "the file ends inside its head");
    if (info->mode_count < 0 || info->vertex_count < 3 || info->tri_count < 1)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "modal asset, byte 12: %d modes, %d points, %d triangles; at least 0, 3, 1",
                       info->mode_count, info->vertex_count, info->tri_count);
    size_t needed = size_of(info, version);
    bool wrong = version < RADIATES ? needed != r->size : !needed || needed > r->size;
    if (wrong)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "modal asset, byte 12: %d modes, %d points and %d triangles need %zu bytes; "
                       "the file has %zu",
                       info->mode_count, info->vertex_count, info->tri_count, needed, r->size);
    if (hash != fr_hash_of(r->data + HASHED_FROM, r->size - HASHED_FROM, 0))
        return damaged(ctx, 24, "the hash does not fit the content: the file was changed");
    return FR_OK;
}

static FrResult read_numbers(FrContext *ctx, FrReader *r, FrAssetInfo *info) {
    double *number[NUMBERS];
    fr_read_bytes(r, info->name, sizeof info->name);
    if (info->name[sizeof info->name - 1]) return damaged(ctx, HASHED_FROM, "a name without end");
    numbers_of(info, number);
    for (int k = 0; k < NUMBERS; k++) {
        size_t at = r->at;
        *number[k] = fr_read_f64(r);
        bool wrong = !isfinite(*number[k]) || fabs(*number[k]) > 1e30;
        // density, young, mass, volume, area are above 0; damping is not below
        wrong |= (k < 2 || (k >= 6 && k <= 8)) && !(*number[k] > 0.0);
        wrong |= k >= 3 && k <= 5 && *number[k] < 0.0;
        wrong |= k == 2 && !(*number[k] > -1.0 && *number[k] < 0.5);
        if (wrong)
            return fr_fail(ctx, FR_BAD_INPUT, "modal asset, byte %zu: %g is out of range", at,
                           *number[k]);
    }
    return FR_OK;
}

static FrResult read_places(FrContext *ctx, FrReader *r, FrAsset *a) {
    for (int k = 0; k < 3; k++) {
        size_t at = r->at;
        FrVec3 *p = &a->place[k];
        p->x = fr_read_f64(r);
        p->y = fr_read_f64(r);
        p->z = fr_read_f64(r);
        if (!fr_vec3_finite(*p) || fr_length(*p) > 1e12)
            return damaged(ctx, at, "rim, top or centre is nowhere");
    }
    return FR_OK;
}

static FrResult read_modes(FrContext *ctx, FrReader *r, FrAsset *a) {
    double *row[2] = {a->lambda, a->coupling};
    for (int k = 0; k < 2; k++)
        for (int32_t i = 0; i < a->info.mode_count; i++) {
            size_t at = r->at;
            double value = row[k][i] = fr_read_f64(r);
            if (!(value >= 0.0 && value < 1e30) || (k == 0 && value < 1.0))
                return fr_fail(ctx, FR_BAD_INPUT, "modal asset, byte %zu: mode %d has %s %g", at, i,
                               k ? "a coupling of" : "a squared frequency of", value);
        }
    return FR_OK;
}

static FrResult read_float(FrContext *ctx, FrReader *r, float *to) {
    size_t at = r->at;
    *to = read_f32(r);
    if (isfinite(*to) && fabsf(*to) <= 1e12f) return FR_OK;
    return fr_fail(ctx, FR_BAD_INPUT, "modal asset, byte %zu: %g is out of range", at, (double)*to);
}

static FrResult read_shape(FrContext *ctx, FrReader *r, int32_t version, int32_t i, FrAsset *a) {
    size_t count = 3 * (size_t)a->info.vertex_count;
    float most = 0.0f;
    for (size_t k = 0; version == 1 && k < count; k++)
        FR_TRY(read_float(ctx, r, component(a, i, k)));
    if (version == 1) return FR_OK;
    FR_TRY(read_float(ctx, r, &most));
    for (size_t k = 0; k < count; k++)
        *component(a, i, k) = (float)((double)most / STEPS * read_i16(r));
    if (count % 2) read_i16(r);
    return FR_OK;
}

static FrResult read_surface(FrContext *ctx, FrReader *r, int32_t version, FrAsset *a) {
    for (size_t k = 0; k < 3 * (size_t)a->info.vertex_count; k++)
        FR_TRY(read_float(ctx, r, &a->x[k]));
    for (int32_t t = 0; t < a->info.tri_count; t++)
        for (int k = 0; k < 3; k++) {
            size_t at = r->at;
            int32_t v = a->tri[t][k] = fr_read_i32(r);
            if (v < 0 || v >= a->info.vertex_count)
                return fr_fail(ctx, FR_BAD_INPUT,
                               "modal asset, byte %zu: triangle %d has point %d of %d", at, t, v,
                               a->info.vertex_count);
        }
    for (int32_t i = 0; i < a->info.mode_count; i++) FR_TRY(read_shape(ctx, r, version, i, a));
    return FR_OK;
}

static FrResult read_air(FrContext *ctx, FrReader *r, FrAsset *a) {
    size_t at = r->at;
    FR_TRY(fr_radiation_read(ctx, r, "modal asset", &a->radiation));
    if (fr_radiation_mode_count(a->radiation) != a->info.mode_count)
        return fr_fail(ctx, FR_BAD_INPUT, "modal asset, byte %zu: %d modes radiate, of %d", at,
                       fr_radiation_mode_count(a->radiation), a->info.mode_count);
    return FR_OK;
}

// where a motion is: from r->at so many bytes
static FrResult read_motion_size(FrContext *ctx, FrReader *r, bool *radiates, size_t *size) {
    size_t at = r->at;
    int32_t flag = fr_read_i32(r);
    uint64_t bytes = fr_read_u64(r);
    if (flag < 0 || flag > 1) return damaged(ctx, at, "0 or 1 says whether a radiation follows");
    if (r->failed || bytes > fr_reader_left(r))
        return damaged(ctx, at + 4, "a motion longer than the file");
    *radiates = flag;
    *size = (size_t)bytes;
    return FR_OK;
}

// what comes after the sounding body
static FrResult read_rest(FrContext *ctx, FrReader *r, int32_t version, FrAsset *a) {
    bool radiates = version == RADIATES;
    size_t size = 0;
    if (version == MOVES) FR_TRY(read_motion_size(ctx, r, &radiates, &size));
    r->at += size;
    if (radiates) FR_TRY(read_air(ctx, r, a));
    return fr_reader_left(r) ? damaged(ctx, r->at, "something follows its end") : FR_OK;
}

FrResult fr_asset_load(FrContext *ctx, const void *bytes, size_t size, FrAsset **asset) {
    FR_NEED_ALL(ctx, ctx && bytes && asset);

    FrReader r;
    FrAssetInfo info = {.mode_count = 0};
    FrAsset *a;
    int32_t version = 0;
    *asset = NULL;
    fr_reader_init(&r, bytes, size);
    FR_TRY(read_head(ctx, &r, &info, &version));
    FR_TRY(read_numbers(ctx, &r, &info));
    FR_TRY(fr_asset_alloc(ctx, &info, &a));
    FrResult result = version > 1 ? read_places(ctx, &r, a) : FR_OK;
    if (result == FR_OK) result = read_modes(ctx, &r, a);
    if (result == FR_OK) result = read_surface(ctx, &r, version, a);
    if (result == FR_OK) result = read_rest(ctx, &r, version, a);
    if (result == FR_OK) {
        fr_asset_balls(a);
        if (version == 1) fr_asset_places(a);
        *asset = a;
    } else {
        fr_asset_destroy(a);
    }
    return result;
}

FrResult fr_motion_load(FrContext *ctx, const void *bytes, size_t size, FrMotion **motion) {
    FR_NEED_ALL(ctx, ctx && bytes && motion);

    FrReader r;
    FrAssetInfo info = {.mode_count = 0};
    int32_t version = 0;
    bool radiates;
    size_t length;
    *motion = NULL;
    fr_reader_init(&r, bytes, size);
    FR_TRY(read_head(ctx, &r, &info, &version));
    if (version != MOVES)
        return damaged(ctx, 8,
                       "it says how the body rings, not how it moves: bake it with --motion");
    r.at = size_of(&info, version);
    FR_TRY(read_motion_size(ctx, &r, &radiates, &length));
    r.size = r.at + length;
    FR_TRY(fr_motion_read(ctx, "modal asset", &r, motion));
    if (!fr_reader_left(&r)) return FR_OK;
    fr_motion_destroy(*motion);
    *motion = NULL;
    return damaged(ctx, r.at, "something follows the motion");
}
