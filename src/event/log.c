// log.c: the ordered list of events: append, hash, save and load.

#include "event/log.h"
#include "base/array.h"
#include "base/hash.h"
#include <string.h>

#define EVENT_BYTES_MIN 28 // seq, t, kind, a, b

void fr_event_log_init(FrEventLog *log, FrContext *ctx) { *log = (FrEventLog){.ctx = ctx}; }

void fr_event_log_free(FrEventLog *log) {
    if (log->ctx) fr_free(log->ctx, log->data);
    log->data = NULL;
    log->count = log->capacity = 0;
}

static FrResult append(FrEventLog *log, const FrEvent *event, uint64_t seq) {
    if (!fr_array_push(log->ctx, log, *event)) return fr_no_memory(log->ctx, "the event log");
    log->data[log->count - 1].seq = seq;
    log->next_seq = seq + 1;
    return FR_OK;
}

FrResult fr_event_log_add(FrEventLog *log, const FrEvent *event) {
    return append(log, event, log->next_seq);
}

FrResult fr_event_log_put(FrEventLog *log, const FrEvent *event) {
    if (event->seq < log->next_seq || event->seq >= INT64_MAX)
        return fr_fail(log->ctx, FR_BAD_INPUT, "event %llu is out of order: at least %llu expected",
                       (unsigned long long)event->seq, (unsigned long long)log->next_seq);
    return append(log, event, event->seq);
}

void fr_event_log_clear(FrEventLog *log) { log->count = 0; }

const FrEvent *fr_event_log_at(const FrEventLog *log, int32_t k) {
    FR_ASSERT(k >= 0 && k < log->count, "ask for an event between 0 and count - 1");
    return &log->data[k];
}

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

void fr_event_log_save(const FrEventLog *log, FrWriter *writer) {
    fr_write_u64(writer, log->next_seq);
    fr_write_i32(writer, log->count);
    for (int32_t k = 0; k < log->count; k++) fr_event_save(&log->data[k], writer);
}

static FrResult load_events(FrEventLog *log, FrReader *reader) {
    uint64_t next = fr_read_u64(reader);
    int32_t count = fr_read_i32(reader);
    if (reader->failed || count < 0 || (size_t)count > fr_reader_left(reader) / EVENT_BYTES_MIN)
        return fr_fail(log->ctx, FR_BAD_INPUT,
                       "byte %zu: %d events do not fit the %zu bytes that follow", reader->at,
                       count, fr_reader_left(reader));
    log->next_seq = 0;
    for (int32_t k = 0; k < count; k++) {
        FrEvent event;
        FR_TRY(fr_event_load(log->ctx, reader, &event));
        FR_TRY(fr_event_log_put(log, &event));
    }
    if (next < log->next_seq)
        return fr_fail(log->ctx, FR_BAD_INPUT, "byte %zu: the next event is %llu, but %llu is used",
                       reader->at, (unsigned long long)next, (unsigned long long)log->next_seq - 1);
    log->next_seq = next;
    return FR_OK;
}

FrResult fr_event_log_load(FrEventLog *log, FrReader *reader) {
    fr_event_log_clear(log);
    FrResult result = load_events(log, reader);
    if (result != FR_OK) fr_event_log_clear(log);
    return result;
}
