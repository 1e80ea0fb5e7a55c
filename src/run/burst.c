// burst.c: when bursts begin and end, and which samples of the world are theirs.

#include "run/burst.h"
#include "math/vec.h"
#include "world/samples.h"

FrBurst fr_burst_begin(FrWorld *world, const FrSceneBurst *set) {
    FrBurst burst = {
        .from = -HUGE_VAL, .until = -HUGE_VAL, .last_crack = -HUGE_VAL, .recorded = INT64_MIN};
    if (!set) return burst;
    burst.set = *set;
    fr_world_sample_every(world, 1.0 / set->rate, set->before);
    return burst;
}

// the first crack after a while without any begins one; bodies step one after the other, so events
// of one macro step are not in order
static void note_cracks(FrBurst *b, const FrEvent *event, int64_t count) {
    double first = HUGE_VAL, last = b->last_crack;
    for (int64_t k = 0; k < count; k++) {
        if (event[k].kind != FR_EVENT_CRACK) continue;
        first = fr_min(first, event[k].t);
        last = fr_max(last, event[k].t);
    }
    bool quiet = first < HUGE_VAL && first > b->until && first >= b->last_crack + b->set.length;
    if (quiet && b->begun < b->set.most) {
        b->begun++;
        b->from = first - b->set.before;
        b->until = first + b->set.length;
    }
    b->last_crack = last;
}

static FrResult record_sample(FrBurst *b, const FrBurstInto *into, int32_t k) {
    FrWorldSample sample;
    FrRoster *roster = into->roster;
    FR_TRY(fr_world_sample(into->world, k, &sample));
    double t = sample.view.t, slack = 1e-9 / b->set.rate;
    if (sample.number <= b->recorded || t < b->from - slack || t > b->until + slack) return FR_OK;
    b->recorded = sample.number;
    FrContext *ctx = fr_world_context(into->world);
    const FrFrameView *view = fr_roster_view(ctx, roster, &sample.view);
    if (!view) return fr_no_memory(ctx, "a sample");
    FrBurstFrame frame = {sample.number, view,
                          fr_roster_spread(roster, &sample.view, sample.nodes, roster->nodes.data),
                          fr_roster_spread(roster, &sample.view, sample.cuts, roster->cuts.data)};
    return fr_recorder_burst(into->recorder, &frame);
}

static FrResult record_samples(FrBurst *b, const FrBurstInto *into) {
    for (int32_t k = 0; b->begun && k < fr_world_sample_count(into->world); k++)
        FR_TRY(record_sample(b, into, k));
    return FR_OK;
}

FrResult fr_burst_record(FrBurst *b, const FrBurstInto *into, const FrEvent *event, int64_t count) {
    if (!(b->set.rate > 0.0)) return FR_OK;
    // the rest of a burst first: the next one may begin in the same macro step
    FR_TRY(record_samples(b, into));
    note_cracks(b, event, count);
    FR_TRY(record_samples(b, into));
    // no more to come
    if (b->begun == b->set.most && fr_world_time(into->world) > b->until)
        fr_world_sample_every(into->world, 0.0, 0.0);
    return FR_OK;
}

void fr_burst_save(const FrBurst *b, const FrWorld *world, FrWriter *writer) {
    fr_write_u64(writer, (uint64_t)b->begun);
    fr_write_f64(writer, b->from);
    fr_write_f64(writer, b->until);
    fr_write_f64(writer, b->last_crack);
    fr_write_u64(writer, (uint64_t)b->recorded);
    fr_world_samples_save(world, writer);
}

FrResult fr_burst_load(FrContext *ctx, FrBurst *b, FrWorld *world, FrReader *reader) {
    b->begun = (int64_t)fr_read_u64(reader);
    b->from = fr_read_f64(reader);
    b->until = fr_read_f64(reader);
    b->last_crack = fr_read_f64(reader);
    b->recorded = (int64_t)fr_read_u64(reader);
    if (reader->failed || b->begun < 0)
        return fr_fail(ctx, FR_BAD_INPUT, "byte %zu: the state of a burst is damaged", reader->at);
    return fr_world_samples_load(world, reader);
}
