// hear.c: what is heard of a live scene: a bank for each body that was touched, cooked in the
// background, mixed for two ears.

#include "fracas/hear.h"
#include "base/array.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/tetmesh.h"
#include "score/cook.h"
#include "score/event_push.h"
#include "sound/asset.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/// Bodies that can ring; those touched later are silent.
#define MOST_BODIES 512
/// Samples that are mixed at once.
#define BLOCK 128
/// Meshes of more tets are not made 10-node ones.
#define MOST_CURVED 30000
/// What is fainter is not mixed, 1.
#define INAUDIBLE 1e-6f

/// As if it had been struck so hard: what somebody asks for comes before all that was, N s.
#define ASKED_FOR 1e20f

typedef enum Stage { RAW, COOKING, RINGS, NEVER } Stage;

/// A body that was touched. Written by the telling thread before it is counted, but for what is
/// atomic.
typedef struct Voice {
    int32_t number; ///< of its id
    FrTetMesh mesh; ///< a copy; empty: a ball
    double radius;
    FrMaterial material;
    FrAsset *click_asset, *ring_asset;
    FrBank *click;
    _Atomic(FrBank *) ring; ///< NULL: not cooked yet
    _Atomic int stage;
    _Atomic float struck;      ///< the hardest impulse so far, N s
    _Atomic float left, right; ///< gains that are wanted
    float left_now, right_now; ///< of the pulling thread
    float loud;                ///< likewise: of the last block
} Voice;

struct FrHear {
    FrContext *ctx;
    FrHearDef def;
    FrVec3 ear, to_right;
    double factor; ///< of the gain
    Voice *voice;  ///< (MOST_BODIES)
    _Atomic int32_t count, sounding;
};

FrHearDef fr_hear_def_default(void) {
    return (FrHearDef){.rate = 48000.0, .most_voices = 32, .most_modes = 64, .cookie = FR_COOKIE};
}

FrResult fr_hear_create(FrContext *ctx, const FrHearDef *def, FrHear **hear) {
    FR_NEED_ALL(ctx, ctx && def && hear);
    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_hear_def_default()");
    *hear = NULL;
    double factor;
    if (!(def->rate >= 8000.0 && def->rate <= 384000.0) || def->most_voices < 1 ||
        def->most_modes < 1)
        return fr_fail(ctx, FR_BAD_USE,
                       "%g samples per second, %d voices of %d modes; 8000 to 384000, and above 0",
                       def->rate, def->most_voices, def->most_modes);
    FR_TRY(fr_gain_of(ctx, def->gain, &factor));
    FrHear *h = FR_NEW(ctx, FrHear, 1);
    if (h) h->voice = FR_NEW(ctx, Voice, MOST_BODIES);
    if (!h || !h->voice) return fr_free(ctx, h), fr_no_memory(ctx, "voices");
    h->ctx = ctx;
    h->def = *def;
    h->factor = factor;
    h->to_right = fr_vec3(1, 0, 0);
    *hear = h;
    return FR_OK;
}

void fr_hear_destroy(FrHear *h) {
    if (!h) return;
    for (int32_t k = 0; k < atomic_load(&h->count); k++) {
        Voice *v = &h->voice[k];
        fr_bank_destroy(v->click);
        fr_bank_destroy(atomic_load(&v->ring));
        fr_asset_destroy(v->click_asset);
        fr_asset_destroy(v->ring_asset);
        fr_tetmesh_free(h->ctx, &v->mesh);
    }
    fr_free(h->ctx, h->voice);
    fr_free(h->ctx, h);
}

static FrResult make_bank(const FrHear *h, FrContext *ctx, const FrAsset *asset, bool click,
                          FrBank **bank) {
    FrBankDef def = fr_bank_def_default();
    def.asset = asset;
    def.rate = h->def.rate;
    def.most_modes = h->def.most_modes;
    def.click = click;
    return fr_bank_create(ctx, &def, bank);
}

// what has no modes yet still clicks
static FrResult make_click(FrHear *h, const FrBodyView *view, Voice *v) {
    FrModes none = {.node_count = v->mesh.node_count};
    if (view->kind == FR_BODY_SPHERE)
        FR_TRY(fr_cook_ball(h->ctx, v->radius, &v->material, &v->click_asset));
    else
        FR_TRY(fr_asset_make(h->ctx, &v->mesh, &none, &v->material, NULL, &v->click_asset));
    return make_bank(h, h->ctx, v->click_asset, true, &v->click);
}

static Voice *add_voice(FrHear *h, const FrBodyView *view) {
    int32_t count = atomic_load(&h->count);
    if (count == MOST_BODIES || !view->rigid || view->kind == FR_BODY_PLANE) return NULL;
    Voice *v = &h->voice[count];
    *v = (Voice){.number = view->id.index1, .radius = view->radius, .material = view->material};
    FrResult result = view->mesh ? fr_tetmesh_copy(h->ctx, view->mesh, &v->mesh) : FR_OK;
    if (result == FR_OK) result = make_click(h, view, v);
    if (result != FR_OK) {
        fr_asset_destroy(v->click_asset);
        fr_tetmesh_free(h->ctx, &v->mesh);
        return NULL;
    }
    atomic_store(&v->stage, view->mesh ? RAW : NEVER); // a ball has no modes
    atomic_store_explicit(&h->count, count + 1, memory_order_release);
    return v;
}

static int32_t find_body(const FrFrameView *view, FrBodyId id) {
    for (int32_t k = 0; id.index1 && k < view->body_count; k++)
        if (view->body[k].id.index1 == id.index1) return k;
    return -1;
}

static Voice *voice_of(FrHear *h, const FrBodyView *view) {
    for (int32_t k = 0; k < atomic_load(&h->count); k++)
        if (h->voice[k].number == view->id.index1) return &h->voice[k];
    return add_voice(h, view);
}

// --- telling

// louder on the side where it is; a head of 8.75 cm is as near as anything comes
static void place_voice(const FrHear *h, const FrBodyFrame *frame, Voice *v) {
    FrVec3 arm = fr_sub(frame->position, h->ear);
    double away = fr_max(fr_length(arm), 0.0875);
    double side = fr_clamp(0.8 * fr_dot(arm, h->to_right) / away, -1.0, 1.0);
    double gain = h->factor / away;
    atomic_store(&v->left, (float)(gain * sqrt(1.0 - side)));
    atomic_store(&v->right, (float)(gain * sqrt(1.0 + side)));
}

static FrBank *bank_of(Voice *v) {
    FrBank *ring = atomic_load_explicit(&v->ring, memory_order_acquire);
    return ring ? ring : v->click;
}

static const FrAsset *asset_of(const Voice *v, const FrBank *bank) {
    return bank == v->click ? v->click_asset : v->ring_asset;
}

// a push in the body's own axes; a wall gives way
static void push_voice(Voice *v, const FrEventPush *push, FrVec3 at, FrVec3 own) {
    FrBank *bank = bank_of(v);
    const FrAsset *asset = asset_of(v, bank);
    FrSpot spot = fr_asset_struck(asset, at, own);
    FrPush part[2];
    if (push->hit.cutoff > 0.0) {
        fr_bank_scrape(bank, at, fr_length(own), push->hit.cutoff * FR_SURFACE_GRAIN,
                       push->hit.duration);
        return;
    }
    if (!(fr_length(own) > 0.0)) return;
    if (!(push->speed > 0.0)) {
        fr_bank_strike(bank, at, own, push->hit.duration);
        return;
    }
    FrBlowDef blow = fr_event_blow(own, push->hit.duration, push->speed);
    int32_t count = fr_asset_blow(asset, &spot, &blow, part);
    for (int32_t k = 0; k < count; k++)
        fr_bank_strike(bank, at, fr_scale(part[k].impulse, blow.n), part[k].duration);
}

static void tell_side(FrHear *h, const FrMoment *m, FrBodyId id, const FrEventPush *push,
                      double side) {
    int32_t k = find_body(&m->view, id);
    Voice *v = k >= 0 ? voice_of(h, &m->view.body[k]) : NULL;
    if (!v) return;
    const FrBodyFrame *frame = &m->view.frame[k];
    FrQuat back = fr_quat_conj(frame->rotation);
    FrVec3 at = fr_quat_rotate(back, fr_sub(push->x, frame->position));
    FrVec3 own = fr_quat_rotate(back, fr_scale(side, push->on_a));
    double size = fr_length(own);
    if (push->speed > 0.0 && (float)size > atomic_load(&v->struck))
        atomic_store(&v->struck, (float)size);
    place_voice(h, frame, v);
    push_voice(v, push, at, own);
}

// a face that a crack sets free pushes both sides, in the axes of the body that it is of
static bool release_push(const FrMoment *m, const FrEvent *e, FrEventPush *push) {
    int32_t k = find_body(&m->view, e->a);
    if (k < 0 || !m->view.body[k].mesh) return false;
    *push = (FrEventPush){.x = fr_view_point(&m->view, k, &e->u.release.p),
                          .on_a = e->u.release.impulse,
                          .hit = {.t = e->t, .duration = FR_SHORTEST_PUSH}};
    return true;
}

void fr_hear_tell(FrHear *h, const FrMoment *m, const FrEvent *event, int64_t count) {
    if (!h || !m || (!event && count > 0)) return;
    for (int64_t k = 0; k < count; k++) {
        FrEventPush push;
        const FrEvent *e = &event[k];
        bool release = e->kind == FR_EVENT_RELEASE;
        if (release ? !release_push(m, e, &push) : !fr_event_push(e, &push)) continue;
        tell_side(h, m, e->a, &push, 1.0);
        tell_side(h, m, release ? e->u.release.other : e->b, &push, -1.0);
    }
    for (int32_t k = 0; k < atomic_load(&h->count); k++) {
        int32_t body = find_body(&m->view, (FrBodyId){h->voice[k].number});
        if (body >= 0) place_voice(h, &m->view.frame[body], &h->voice[k]);
    }
}

bool fr_hear_strike(FrHear *h, const FrMoment *m, const FrRayHit *hit, FrMallet mallet,
                    double speed) {
    if (!h || !m || !hit) return false;
    int32_t k = find_body(&m->view, hit->body);
    Voice *v = k >= 0 ? voice_of(h, &m->view.body[k]) : NULL;
    if (!v) return false;
    const FrBodyFrame *frame = &m->view.frame[k];
    FrQuat back = fr_quat_conj(frame->rotation);
    FrVec3 at = fr_quat_rotate(back, fr_sub(hit->x, frame->position));
    place_voice(h, frame, v);
    if ((float)speed > atomic_load(&v->struck)) atomic_store(&v->struck, (float)speed);
    return fr_bank_strike_speed(bank_of(v), at, mallet, 0.0, speed);
}

void fr_hear_listener(FrHear *h, FrVec3 at, FrVec3 right, double gain) {
    double factor;
    if (!h || !fr_vec3_finite(at) || !(fr_length(right) > 0.0) ||
        fr_gain_of(h->ctx, gain, &factor) != FR_OK)
        return;
    h->ear = at;
    h->to_right = fr_normalize(right);
    h->factor = factor;
}

// --- cooking

static FrResult cook_modes(const FrHear *h, FrContext *ctx, const Voice *v, FrAsset **asset) {
    FrAssetOptions options = {.most_modes = h->def.most_modes};
    FrTetMesh curved = {0};
    if (v->mesh.order == 1 && v->mesh.tet_count <= MOST_CURVED)
        FR_TRY(fr_tetmesh_order2(ctx, &v->mesh, NULL, &curved, NULL));
    const FrTetMesh *mesh = curved.tet_count ? &curved : &v->mesh;
    FrResult result = fr_cook_mesh(ctx, mesh, NULL, &v->material, &options, asset);
    fr_tetmesh_free(ctx, &curved);
    return result;
}

static Voice *hardest_struck(FrHear *h) {
    Voice *best = NULL;
    float most = 0.0f;
    int32_t count = atomic_load_explicit(&h->count, memory_order_acquire);
    for (int32_t k = 0; k < count; k++) {
        Voice *v = &h->voice[k];
        float struck = atomic_load(&v->struck);
        if (atomic_load(&v->stage) == RAW && struck > most) best = v, most = struck;
    }
    return best;
}

bool fr_hear_cook(FrHear *h, FrContext *ctx) {
    if (!h || !ctx) return false;
    Voice *v = hardest_struck(h);
    if (!v) return false;
    FrAsset *asset = NULL;
    FrBank *bank = NULL;
    atomic_store(&v->stage, COOKING);
    FrResult result = cook_modes(h, ctx, v, &asset);
    if (result == FR_OK) result = make_bank(h, ctx, asset, true, &bank);
    if (result != FR_OK) fr_asset_destroy(asset);
    if (result == FR_OK) {
        v->ring_asset = asset;
        atomic_store_explicit(&v->ring, bank, memory_order_release);
    }
    atomic_store(&v->stage, result == FR_OK ? RINGS : NEVER); // else it clicks on
    return true;
}

// --- pulling

static float peak_of(const float *sample, int32_t count) {
    float peak = 0.0f;
    for (int32_t k = 0; k < count; k++) peak = fmaxf(peak, fabsf(sample[k]));
    return peak;
}

// gains go from the last block's to those that are wanted, so that nothing clicks
static void mix_in(Voice *v, const float *sample, float *out, int32_t count) {
    float left = atomic_load(&v->left), right = atomic_load(&v->right);
    float dl = (left - v->left_now) / (float)count, dr = (right - v->right_now) / (float)count;
    for (int32_t k = 0; k < count; k++) {
        v->left_now += dl;
        v->right_now += dr;
        out[2 * k] += v->left_now * sample[k];
        out[2 * k + 1] += v->right_now * sample[k];
    }
    v->left_now = left;
    v->right_now = right;
}

static bool pull_voice(Voice *v, float *out, int32_t count) {
    FrBank *bank[2] = {v->click, atomic_load_explicit(&v->ring, memory_order_acquire)};
    float sample[BLOCK], sum[BLOCK] = {0};
    bool sounds = false;
    for (int i = 0; i < 2; i++) {
        if (!bank[i] || !fr_bank_sounding(bank[i])) continue;
        fr_bank_pull(bank[i], sample, count);
        for (int32_t k = 0; k < count; k++) sum[k] += sample[k];
        sounds = true;
    }
    v->loud = sounds ? peak_of(sum, count) * fmaxf(v->left_now, v->right_now) : 0.0f;
    if (sounds) mix_in(v, sum, out, count);
    return sounds;
}

// the loudness that only so many voices had in the last block; 0: there were fewer
static float threshold(const FrHear *h, int32_t count) {
    float loud[MOST_BODIES];
    int32_t n = 0, most = h->def.most_voices;
    for (int32_t k = 0; k < count; k++)
        if (h->voice[k].loud > INAUDIBLE) loud[n++] = h->voice[k].loud;
    if (n <= most) return 0.0f;
    for (int32_t k = 0; k < most; k++) // the first `most` places, largest first
        for (int32_t i = k + 1; i < n; i++)
            if (loud[i] > loud[k]) {
                float t = loud[i];
                loud[i] = loud[k];
                loud[k] = t;
            }
    return loud[most - 1];
}

static void pull_block(FrHear *h, float *out, int32_t frames) {
    int32_t count = atomic_load_explicit(&h->count, memory_order_acquire), sounding = 0;
    float least = threshold(h, count);
    for (int32_t k = 0; k < count; k++) {
        Voice *v = &h->voice[k];
        // those that are too many stand still; their loudness fades, so that they come again
        if (v->loud > 0.0f && v->loud < least)
            v->loud *= 0.999f;
        else
            sounding += pull_voice(v, out, frames);
    }
    atomic_store(&h->sounding, sounding);
}

void fr_hear_pull(FrHear *h, float *out, int32_t frames) {
    if (!out || frames <= 0) return;
    memset(out, 0, 2 * sizeof *out * (size_t)frames);
    for (int32_t n = 0; h && n < frames; n += BLOCK)
        pull_block(h, out + 2 * n, fr_min_i(BLOCK, frames - n));
}

void fr_hear_count(const FrHear *hear, int32_t *touched, int32_t *ring, int32_t *sound) {
    FrHear *h = (FrHear *)(uintptr_t)hear; // atomic loads change nothing
    if (!h || !touched || !ring || !sound) return;
    *touched = atomic_load(&h->count);
    *sound = atomic_load(&h->sounding);
    *ring = 0;
    for (int32_t k = 0; k < *touched; k++) *ring += atomic_load(&h->voice[k].stage) == RINGS;
}

// --- looking at modes

static const FrAsset *rings(const FrHear *hear, FrBodyId body) {
    FrHear *h = (FrHear *)(uintptr_t)hear; // atomic loads change nothing
    int32_t count = atomic_load_explicit(&h->count, memory_order_acquire);
    for (int32_t k = 0; k < count; k++)
        if (h->voice[k].number == body.index1)
            return atomic_load(&h->voice[k].stage) == RINGS ? h->voice[k].ring_asset : NULL;
    return NULL;
}

int32_t fr_hear_modes(const FrHear *h, FrBodyId body, FrHearMode *mode, int32_t room) {
    if (!h) return 0;

    const FrAsset *asset = rings(h, body);
    int32_t count = asset && (mode || room <= 0) ? asset->info.mode_count : 0;
    for (int32_t i = 0; i < fr_min_i(count, room); i++)
        fr_asset_mode(asset, i, &mode[i].hz, &mode[i].t60);
    return count;
}

// the point of the cooked surface at a node; -1: the node lies inside
static int32_t point_at(const FrAsset *asset, FrVec3 x, double reach) {
    int32_t best = -1;
    double least = reach * reach;
    for (int32_t k = 0; k < asset->info.vertex_count; k++) {
        const float *p = asset->x + 3 * (size_t)k;
        double d = fr_length2(fr_sub(fr_vec3((double)p[0], (double)p[1], (double)p[2]), x));
        if (d < least) least = d, best = k;
    }
    return best;
}

bool fr_hear_shape(const FrHear *h, FrBodyId body, int32_t i, const FrBodyView *view, double *u) {
    if (!(h && view && u)) return false;

    const FrAsset *asset = rings(h, body);
    if (!asset || i < 0 || i >= asset->info.mode_count || !view->mesh || !view->surface)
        return false;
    const FrTetMesh *mesh = view->mesh;
    double reach = 1e-4 * fr_length(fr_sub(asset->info.bounds.hi, asset->info.bounds.lo)),
           most = 0.0;
    memset(u, 0, 3 * sizeof *u * (size_t)mesh->node_count);
    for (int32_t t = 0; t < 3 * view->surface->tri_count; t++) {
        int32_t n = view->surface->tri[t / 3][t % 3];
        if (fr_length2(fr_get3(u, n)) > 0.0) continue; // had its turn
        int32_t k = point_at(asset, fr_get3(mesh->x, n), reach);
        if (k < 0) continue;
        const float *w =
            asset->shape + 3 * ((size_t)k * (size_t)asset->info.mode_count + (size_t)i);
        fr_set3(u, n, fr_vec3((double)w[0], (double)w[1], (double)w[2]));
        most = fr_max(most, fr_length(fr_get3(u, n)));
    }
    for (int32_t n = 0; most > 0.0 && n < 3 * mesh->node_count; n++) u[n] /= most;
    return most > 0.0;
}

bool fr_hear_want(FrHear *h, const FrMoment *m, FrBodyId body) {
    if (!(h && m)) return false;

    int32_t k = find_body(&m->view, body);
    Voice *v = k >= 0 ? voice_of(h, &m->view.body[k]) : NULL;
    if (!v || atomic_load(&v->stage) == NEVER) return false;
    atomic_store(&v->struck, ASKED_FOR);
    return true;
}
