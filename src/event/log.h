// log.h: the ordered list of what happened; motion appends, sound and recordings read.
#pragma once
#include "fracas/event.h"
#include "base/bytes.h"
#include "base/hash.h"

/// With the rest of it 0.
FrEvent fr_event_new(FrEventKind kind, double t, FrBodyId a, FrBodyId b);
/// Of a piece of body a.
FrEvent fr_event_of_piece(FrEventKind kind, double t, FrBodyId a, int32_t piece);

/// Events by rising seq. Zero it with fr_event_log_init.
typedef struct FrEventLog {
    FrContext *ctx;
    FrEvent *data; ///< (count)
    int32_t count, capacity;
    uint64_t next_seq; ///< the least number the next event may have; clearing keeps it
} FrEventLog;

void fr_event_log_init(FrEventLog *log, FrContext *ctx);
void fr_event_log_free(FrEventLog *log);
/// Append a copy with the seq it has; FR_BAD_INPUT when that is not above the last one.
FrResult fr_event_log_put(FrEventLog *log, const FrEvent *event);
/// Forget the events, go on counting.
void fr_event_log_clear(FrEventLog *log);
/// Same events, same number; padding and unused union members do not count.
uint64_t fr_event_log_hash(const FrEventLog *log);
/// What happened, without its number: when, to whom, where, how strongly. Its order is its own: it
/// does not follow how events are stored.
void fr_event_hash(const FrEvent *event, FrHash *hash);

/// One event: the fields of its kind, little-endian.
void fr_event_save(const FrEvent *event, FrWriter *writer);
FrResult fr_event_load(FrContext *ctx, FrReader *reader, FrEvent *event);
/// "impact", "crack", "piece", "release", "contact", "dust", "birth", "death"; "?" for any other
/// number.
const char *fr_event_kind_name(uint32_t kind);
/// The first and the second body by number (FrBodyView.number), and the piece of the first that
/// came off or left; -1: none.
int32_t fr_event_body(const FrEvent *event);
int32_t fr_event_other(const FrEvent *event);
int32_t fr_event_piece(const FrEvent *event);

/// What tables tell of an event, whatever its kind; NaN where it has none.
typedef struct FrEventFacts {
    FrVec3 x, n, impulse;   ///< place m, unit normal, N s
    double strength, limit; ///< N
    double area, energy;    ///< m^2, J
    double mass, volume;    ///< kg, m^3
} FrEventFacts;
FrEventFacts fr_event_facts(const FrEvent *event);
/// Where it happened (m), what was handed over (N s) and how large (m^2); zeros where a kind has
/// none.
void fr_event_summary(const FrEvent *event, FrVec3 *x, FrVec3 *impulse, double *area);
