// tables.h: events and energies as CSV, for spreadsheets and scripts.
#pragma once
#include "record/recording.h"

/// "" for -1 and unknown ones.
const char *fr_body_name(const char *const *name, int32_t count, int32_t id);
/// One line per event, columns as docs/exports.md lists them; empty where a kind has no such thing.
/// Names of bodies by index; "" for -1 and unknown ones. SI units.
void fr_events_csv(FrWriter *out, const FrEventLog *log, const char *const *name,
                   int32_t name_count);
/// The same into a file.
FrResult fr_export_events_csv(FrContext *ctx, const FrEventLog *log, const char *const *name,
                              int32_t name_count, const char *path);
