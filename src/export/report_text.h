// report_text.h: text that grows by printing, for what a job tells.
#pragma once
#include "base/bytes.h"
#include "fracas/studio.h"

void fr_print(FrWriter *writer, const char *format, ...) FR_PRINTF(2, 3);
/// Hand the text over with a zero byte behind it. Frees the writer either way.
FrResult fr_text_take(FrWriter *writer, FrText *text);
/// The path of a file that was written: a line, or {"output": path}.
FrResult fr_text_output(FrContext *ctx, const char *path, bool json, FrText *text);
/// FR_BAD_USE when frames from `first` to `last` s have none at a time, give or take one of `fps`.
FrResult fr_check_time(FrContext *ctx, double time, const char *name, double first, double last,
                       double fps);
/// "s", or "" behind a single thing: "%d tet%s".
static inline const char *fr_s(int64_t count) { return count == 1 ? "" : "s"; }
/// "bodies", or "body" for a single one.
static inline const char *fr_bodies(int64_t count) { return count == 1 ? "body" : "bodies"; }
/// "2233 tets", and "2233 tets, 2308 at the end" where cracks made more.
void fr_tets_text(int64_t start, int64_t end, char text[64]);
/// ", 12 pieces, 340 cracks"; "" where nothing broke: as many pieces as bodies, and no crack.
void fr_broke_text(int64_t bodies, int64_t pieces, int64_t cracks, char text[64]);
/// The number called `name` in a report that this program wrote; 0 when it is not there.
double fr_report_number(const FrText *report, const char *name);
/// Make a text from a format.
FrResult fr_text_print(FrContext *ctx, FrText *text, const char *format, ...) FR_PRINTF(3, 4);
