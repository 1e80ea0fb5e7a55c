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

static FrResult record_sample(FrBurst *b, FrWorld *world, int32_t k, FrRecorder *recorder) {
    FrWorldSample sample;
    fr_world_sample(world, k, &sample);
    double t = sample.view.t, slack = 1e-9 / b->set.rate;
    if (sample.number <= b->recorded || t < b->from - slack || t > b->until + slack) return FR_OK;
    b->recorded = sample.number;
    FrBurstFrame frame = {sample.number, &sample.view, sample.nodes, sample.cuts};
    return fr_recorder_burst(recorder, &frame);
}

static FrResult record_samples(FrBurst *b, FrWorld *world, FrRecorder *recorder) {
    for (int32_t k = 0; b->begun && k < fr_world_sample_count(world); k++)
        FR_TRY(record_sample(b, world, k, recorder));
    return FR_OK;
}

FrResult fr_burst_record(FrBurst *b, FrWorld *world, const FrEvent *event, int64_t count,
                         FrRecorder *recorder) {
    if (!(b->set.rate > 0.0)) return FR_OK;
    // the rest of a burst first: the next one may begin in the same macro step
    FR_TRY(record_samples(b, world, recorder));
    note_cracks(b, event, count);
    FR_TRY(record_samples(b, world, recorder));
    // no more to come
    if (b->begun == b->set.most && fr_world_time(world) > b->until)
        fr_world_sample_every(world, 0.0, 0.0);
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
