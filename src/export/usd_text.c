// usd_text.c: numbers, texts and lists as USD writes them.

#include "export/usd_text.h"
#include "base/json.h"
#include <stdio.h>
#include <string.h>

FrResult fr_usd_put(FrUsd *u, const char *text) {
    return fr_file_write(&u->file, text, strlen(text));
}

FrResult fr_usd_number(FrUsd *u, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.8g", value + 0.0); // no -0
    char *point = u->point == '.' ? NULL : strchr(text, u->point);
    if (point) *point = '.';
    return fr_usd_put(u, text);
}

FrResult fr_usd_tuple(FrUsd *u, const float *value, int count) {
    FR_TRY(fr_usd_put(u, "("));
    for (int k = 0; k < count; k++) {
        if (k) FR_TRY(fr_usd_put(u, ", "));
        FR_TRY(fr_usd_number(u, (double)value[k]));
    }
    return fr_usd_put(u, ")");
}

FrResult fr_usd_tuples(FrUsd *u, const float *value, size_t count, int width) {
    FR_TRY(fr_usd_put(u, "["));
    for (size_t k = 0; k < count; k++) {
        if (k) FR_TRY(fr_usd_put(u, ", "));
        FR_TRY(fr_usd_tuple(u, value + k * (size_t)width, width));
    }
    return fr_usd_put(u, "]");
}

// in USD a text may hold anything but quotes, backslashes and line ends
FrResult fr_usd_text(FrUsd *u, const char *text) {
    FR_TRY(fr_usd_put(u, "\""));
    for (const char *c = text; *c; c++) {
        bool plain = *c != '"' && *c != '\\' && (unsigned char)*c >= 0x20;
        FR_TRY(fr_file_write(&u->file, plain ? c : "_", 1));
    }
    return fr_usd_put(u, "\"");
}

FrResult fr_usd_time(FrUsd *u, double code) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(code, text);
    return fr_usd_put(u, text);
}
