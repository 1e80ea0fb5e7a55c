// live_history.c: moments that can be gone back to, in bounded memory.

#include "live/live.h"
#include <math.h>
#include <string.h>

void fr_kept_free(FrLive *live, FrKept *kept) {
    live->kept_bytes -= (int64_t)kept->size;
    fr_world_free_bytes(live->ctx, kept->bytes);
    fr_free(live->ctx, kept->hand);
    fr_free(live->ctx, kept->ready);
}

static void drop(FrLive *live, int32_t k) {
    fr_kept_free(live, &live->kept.data[k]);
    memmove(&live->kept.data[k], &live->kept.data[k + 1],
            (size_t)(--live->kept.count - k) * sizeof(FrKept));
}

// The one whose loss leaves the smallest gap for its age: the farther back, the wider they lie.
static int32_t least_missed(const FrLive *live) {
    const FrKept *kept = live->kept.data;
    int32_t count = live->kept.count, best = 0;
    double least = HUGE_VAL, now = (double)kept[count - 1].tick;
    for (int32_t k = 0; k + 1 < count; k++) {
        double before = k ? (double)kept[k - 1].tick : 0.0;
        double gap = ((double)kept[k + 1].tick - before) / (1.0 + now - (double)kept[k].tick);
        if (gap < least) best = k, least = gap;
    }
    return best;
}

static FrResult keep_now(FrLive *live) {
    FrKept kept = {.tick = fr_live_tick(live),
                   .spawned = live->spawned,
                   .hand_count = live->hand.count,
                   .ready_count = live->ready.count};
    kept.hand = FR_NEW(live->ctx, FrHand, live->hand.count);
    kept.ready = FR_NEW(live->ctx, int32_t, live->ready.count);
    FrResult result = kept.hand && kept.ready ? FR_OK : fr_no_memory(live->ctx, "hands");
    for (int32_t k = 0; result == FR_OK && k < kept.hand_count; k++)
        kept.hand[k] = live->hand.data[k];
    for (int32_t k = 0; result == FR_OK && k < kept.ready_count; k++)
        kept.ready[k] = live->ready.data[k];
    if (result == FR_OK) result = fr_world_save(live->built.world, &kept.bytes, &kept.size);
    if (result == FR_OK && !fr_array_push(live->ctx, &live->kept, kept)) {
        fr_world_free_bytes(live->ctx, kept.bytes);
        result = fr_no_memory(live->ctx, "a moment");
    }
    if (result != FR_OK) {
        FR_FREE_ALL(live->ctx, kept.hand, kept.ready);
        return result;
    }
    live->kept_bytes += (int64_t)kept.size;
    while (live->kept_bytes > live->def.history_bytes && live->kept.count > 0)
        drop(live, least_missed(live));
    return FR_OK;
}

FrResult fr_live_keep(FrLive *live) {
    int32_t count = live->kept.count;
    int64_t now = fr_live_tick(live), last = count ? live->kept.data[count - 1].tick : 0;
    return (double)(now - last) >= live->every ? keep_now(live) : FR_OK;
}

static FrResult load(FrLive *live, const FrKept *kept) {
    FR_TRY(fr_world_load(live->built.world, kept->bytes, kept->size));
    FR_TRY(fr_build_find(&live->built, live->scene));
    live->spawned = kept->spawned;
    for (int32_t k = 0; k < kept->hand_count; k++)
        if (!fr_array_push(live->ctx, &live->hand, kept->hand[k]))
            return fr_no_memory(live->ctx, "hands");
    for (int32_t k = 0; k < kept->ready_count; k++)
        if (!fr_array_push(live->ctx, &live->ready, kept->ready[k]))
            return fr_no_memory(live->ctx, "hands");
    return FR_OK;
}

// inputs from the first that is done at this tick on wait again
static void wait_from(FrLive *live, int64_t tick) {
    while (live->done > 0 && live->input.data[live->done - 1].tick >= tick) live->done--;
}

FrResult fr_live_rewind(FrLive *live, int64_t tick) {
    FR_NEED_ALL(live ? live->ctx : NULL, live);
    if (tick < 0 || tick > fr_live_tick(live))
        return fr_fail(live->ctx, FR_BAD_USE, "step %lld is not behind: it is at %lld",
                       (long long)tick, (long long)fr_live_tick(live));
    while (live->kept.count && live->kept.data[live->kept.count - 1].tick > tick)
        drop(live, live->kept.count - 1);
    const FrKept *kept = live->kept.count ? &live->kept.data[live->kept.count - 1] : NULL;
    FR_TRY(fr_live_fill(live));
    if (kept) FR_TRY(load(live, kept));
    wait_from(live, kept ? kept->tick : 0);
    while (fr_live_tick(live) < tick) FR_TRY(fr_live_step_once(live));
    FR_TRY(fr_live_take_events(live));
    live->event.count = 0; // they were told when they happened
    live->old_story = fr_live_waiting(live) > 0;
    return FR_OK;
}

void fr_live_drop_waiting(FrLive *live) {
    if (!live) return;
    live->input.count = live->done;
    live->old_story = false;
}
int32_t fr_live_waiting(const FrLive *live) { return live ? live->input.count - live->done : 0; }
