// report_text.c: printf into a growing buffer.

#include "export/report_text.h"
#include "base/json.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_args(FrWriter *writer, const char *format, va_list args) {
    char small[512];
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    if (length < 0) {
        writer->failed = true;
    } else if ((size_t)length < sizeof small) {
        fr_write_bytes(writer, small, (size_t)length);
    } else {
        char *large = fr_alloc(writer->ctx, (size_t)length + 1);
        if (large) {
            vsnprintf(large, (size_t)length + 1, format, again);
            fr_write_bytes(writer, large, (size_t)length);
        } else {
            writer->failed = true;
        }
        fr_free(writer->ctx, large);
    }
    va_end(again);
}

void fr_print(FrWriter *writer, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_args(writer, format, args);
    va_end(args);
}

FrResult fr_text_take(FrWriter *writer, FrText *text) {
    *text = (FrText){NULL, 0};
    fr_write_u8(writer, 0);
    FrResult result = fr_writer_result(writer);
    if (result != FR_OK) {
        fr_writer_free(writer);
        return result;
    }
    *text = (FrText){(char *)writer->data, writer->size - 1};
    return FR_OK;
}

FrResult fr_text_print(FrContext *ctx, FrText *text, const char *format, ...) {
    FrWriter writer;
    fr_writer_init(&writer, ctx);
    va_list args;
    va_start(args, format);
    print_args(&writer, format, args);
    va_end(args);
    return fr_text_take(&writer, text);
}

FrResult fr_text_output(FrContext *ctx, const char *path, bool json, FrText *text) {
    if (!json) return fr_text_print(ctx, text, "%s\n", path);
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "output", path);
    fr_json_end(&j);
    return fr_text_take(&w, text);
}

void fr_text_free(FrContext *ctx, FrText *text) {
    if (!ctx || !text) return;
    fr_free(ctx, text->data);
    *text = (FrText){NULL, 0};
}

void fr_duration_text(double seconds, char text[32]) {
    if (!text) return;
    double whole = floor(seconds + 0.5);
    if (!(whole < 1e12))
        snprintf(text, 32, "years");
    else if (whole >= 3600.0)
        snprintf(text, 32, "%.0f h %.0f min", floor(whole / 3600.0),
                 floor(fmod(whole, 3600.0) / 60.0));
    else if (whole >= 60.0)
        snprintf(text, 32, "%.0f min %.0f s", floor(whole / 60.0), fmod(whole, 60.0));
    else if (seconds >= 9.95)
        snprintf(text, 32, "%.0f s", whole);
    else
        snprintf(text, 32, "%.2g s", seconds);
}

void fr_tets_text(int64_t start, int64_t end, char text[64]) {
    int used = snprintf(text, 64, "%" PRId64 " tet%s", start, fr_s(start));
    if (end != start) snprintf(text + used, 64 - (size_t)used, ", %" PRId64 " at the end", end);
}

void fr_broke_text(int64_t bodies, int64_t pieces, int64_t cracks, char text[64]) {
    text[0] = 0;
    if (cracks || pieces != bodies)
        snprintf(text, 64, ", %" PRId64 " piece%s, %" PRId64 " crack%s", pieces, fr_s(pieces),
                 cracks, fr_s(cracks));
}

double fr_report_number(const FrText *report, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(report->data, key);
    return at ? strtod(at + strlen(key), NULL) : 0.0;
}

FrResult fr_check_time(FrContext *ctx, double time, const char *name, double first, double last,
                       double fps) {
    if (time >= first - 1.0 / fps && time <= last + 1.0 / fps) return FR_OK;
    return fr_fail(ctx, FR_BAD_USE, "there is no frame at %.6g s; %s has %.6g s to %.6g s", time,
                   name, first, last);
}
