// tables.h: events and energies as CSV, for spreadsheets and scripts.
#pragma once
#include "record/recording.h"

/// One line per event, columns as docs/exports.md lists them; empty where a kind has no such thing.
/// Names of bodies by index; "" for -1 and unknown ones. SI units.
FrResult fr_export_events_csv(FrContext *ctx, const FrEventLog *log, const char *const *name,
                              int32_t name_count, const char *path);
