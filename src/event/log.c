// log.c: the ordered list of events: append and hash.

#include "event/log.h"
#include "base/array.h"
#include "base/hash.h"
#include <string.h>

void fr_event_log_init(FrEventLog *log, FrContext *ctx) { *log = (FrEventLog){.ctx = ctx}; }

void fr_event_log_free(FrEventLog *log) {
    if (log->ctx) fr_free(log->ctx, log->data);
    log->data = NULL;
    log->count = log->capacity = 0;
}

FrResult fr_event_log_put(FrEventLog *log, const FrEvent *event) {
    if (event->seq < log->next_seq || event->seq >= INT64_MAX)
        return fr_fail(log->ctx, FR_BAD_INPUT, "event %llu is out of order: at least %llu expected",
                       (unsigned long long)event->seq, (unsigned long long)log->next_seq);
    if (!fr_array_push(log->ctx, log, *event)) return fr_no_memory(log->ctx, "the event log");
    log->next_seq = event->seq + 1;
    return FR_OK;
}

void fr_event_log_clear(FrEventLog *log) { log->count = 0; }

uint64_t fr_event_log_hash(const FrEventLog *log) {
    FrHash hash;
    fr_hash_begin(&hash, 0);
    uint8_t room[512];
    for (int32_t k = 0; k < log->count; k++) {
        // the largest kind takes 297 bytes, so the writer never grows beyond `room`
        FrWriter writer = {.ctx = log->ctx, .data = room, .capacity = sizeof room};
        fr_event_save(&log->data[k], &writer);
        fr_hash_bytes(&hash, writer.data, writer.size);
    }
    fr_hash_u64(&hash, (uint64_t)log->count);
    return fr_hash_end(&hash);
}
