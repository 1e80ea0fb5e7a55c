// modes_export.c: the table of modes for other programs: CSV, Faust, Csound, SuperCollider.

#include "output/modes_export.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/report_text.h"
#include "math/vec.h"
#include <ctype.h>
#include <string.h>

// A patch is struck by one sample of 1. Each of the three resonators is
//     G (1 - z^-2) / (1 - 2 r cos(theta)/z + r^2/z^2)
// with a scale G of its own; it answers by 2 G r^n cos(n theta), as the speed of a mode does when
// an instant blow sets it going. Numbers are such that poles lie where they belong, and that mode
// i sounds with amplitude A_i = p_i / sum of all p: together they never pass 1.

/// Sample rate of the Csound file: its numbers are for this one.
#define CSOUND_RATE 48000.0
#define LN_1000 6.907755278982137
/// Tones above this are not heard, and low rates would fold them back, Hz.
#define HIGHEST 20000.0

/// What is exported: modes with a tone, and what they add up to.
typedef struct Patch {
    const FrModeTable *table;
    int32_t count;
    double sum; ///< of pressures
} Patch;

static double decay_of(const FrModeRow *row) {
    return fr_max(row->decay, LN_1000 / FR_LONGEST_T60);
}

// the frequency that Klank wants: it sets cos(theta) = cos(w)/cosh(decay/rate)
static double klank_hz2(const FrModeRow *row) {
    double off = decay_of(row) / (2.0 * FR_PI);
    return row->tone * row->tone - off * off;
}

static bool sounds(const FrModeRow *row) { return row->tone <= HIGHEST && klank_hz2(row) > 0.0; }

static Patch patch_of(const FrModeTable *t) {
    Patch p = {.table = t};
    for (int32_t i = 0; i < t->count; i++)
        if (sounds(&t->row[i])) p.count++, p.sum += t->row[i].pressure;
    return p;
}

static double amplitude(const Patch *p, const FrModeRow *row) {
    return p->sum > 0.0 ? row->pressure / p->sum : 0.0;
}

typedef double Number(const Patch *p, const FrModeRow *row);
static double hz_of(const Patch *p, const FrModeRow *row) { return (void)p, row->tone; }
static double t60_of(const Patch *p, const FrModeRow *row) {
    return (void)p, fr_min(row->t60, FR_LONGEST_T60);
}
// pm.modeFilter: G = gain
static double faust_gain(const Patch *p, const FrModeRow *row) { return 0.5 * amplitude(p, row); }
// Klank: G = level / 4
static double klank_hz(const Patch *p, const FrModeRow *row) {
    return (void)p, sqrt(klank_hz2(row));
}
static double klank_level(const Patch *p, const FrModeRow *row) { return 2.0 * amplitude(p, row); }

// The opcode `mode` is b (y_n - 2 y_n-1 + y_n-2) + d/Q (y_n - y_n-2) + y_n-1 = x_n-1, out d y, with
// b = (rate/omega)^2 and d = rate/(2 omega): r^2 = (b - d/Q)/(b + d/Q), 2 r cos(theta) =
// (2b - 1)/(b + d/Q). Solved for 1/b and Q, with r = e^-s:
static double mode_inverse(const FrModeRow *row) {
    double theta = 2.0 * FR_PI * row->tone / CSOUND_RATE, s = decay_of(row) / CSOUND_RATE;
    return 2.0 * (1.0 - cos(theta) / cosh(s));
}
static double mode_hz(const Patch *p, const FrModeRow *row) {
    return (void)p, CSOUND_RATE * sqrt(mode_inverse(row)) / (2.0 * FR_PI);
}
static double mode_q(const Patch *p, const FrModeRow *row) {
    return (void)p, 0.5 * sqrt(mode_inverse(row)) / tanh(decay_of(row) / CSOUND_RATE);
}
// G = gain d/(b + d/Q) = gain / (2 sqrt(b) (1 + tanh s)) for x_n - x_n-2
static double mode_gain(const Patch *p, const FrModeRow *row) {
    return amplitude(p, row) * (1.0 + tanh(decay_of(row) / CSOUND_RATE)) / sqrt(mode_inverse(row));
}

static void print_number(FrWriter *w, double value) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(value, text);
    fr_print(w, "%s", text);
}

// a, b, c with some on each line
static void list(FrWriter *w, const Patch *p, Number *of, const char *line) {
    for (int32_t i = 0, k = 0; i < p->table->count; i++) {
        if (!sounds(&p->table->row[i])) continue;
        fr_print(w, "%s", k == 0 ? "" : k % 6 == 0 ? line : ", ");
        print_number(w, of(p, &p->table->row[i]));
        k++;
    }
}

// what a patch holds, after its language's sign for comments
static void headline(FrWriter *w, const Patch *p, const char *sign) {
    fr_print(
        w,
        "%s %s of %s: %d modes. Struck by an instant blow, each sounds with its part of the\n"
        "%s pressure that a real one makes, at a place of middling effect; the amplitudes of all\n"
        "%s parts add up to 1, so that a gain of 1 does not clip. Softer: low-pass the strike.\n",
        sign, p->table->name, p->table->material, p->count, sign, sign);
}

static void write_csv(FrWriter *w, const FrModeTable *t) {
    fr_print(w, "mode,hz,note,cents,ratio,decay,t60,coupling,pressure_per_impulse,"
                "pressure_share\n");
    for (int32_t i = 0; i < t->count; i++) {
        const FrModeRow *row = &t->row[i];
        const double value[] = {row->ratio,    row->decay,    row->t60,
                                row->coupling, row->pressure, row->share};
        fr_print(w, "%d,", i + 1);
        print_number(w, row->hz);
        fr_print(w, ",%s,%.2f", row->note, row->cents);
        for (size_t k = 0; k < sizeof value / sizeof value[0]; k++) {
            fr_print(w, ",");
            if (isfinite(value[k])) print_number(w, value[k]);
        }
        fr_print(w, "\n");
    }
}

// pm.modalModel takes how many, then lists of frequencies, T60s and gains
static void write_faust(FrWriter *w, const FrModeTable *t) {
    Patch p = patch_of(t);
    headline(w, &p, "//");
    fr_print(w,
             "// Frequencies in Hz, T60s in s. Gains are half of the parts, for a filter of gain g "
             "answers by 2 g.\nimport(\"stdfaust.lib\");\n\nnModes = %d;\n"
             "modeFreqs = (",
             p.count);
    list(w, &p, hz_of, ",\n    ");
    fr_print(w, ");\nmodeT60s = (");
    list(w, &p, t60_of, ",\n    ");
    fr_print(w, ");\nmodeGains = (");
    list(w, &p, faust_gain, ",\n    ");
    fr_print(w, ");\n\nmodel = pm.modalModel(nModes, modeFreqs, modeT60s, modeGains);\n"
                "process = button(\"strike\") : ba.impulsify : model : *(hslider(\"gain\", 0.5, 0, "
                "1, 0.01)) <: _, _;\n");
}

static void csound_table(FrWriter *w, const Patch *p, const char *name, Number *of) {
    fr_print(w, "%s ftgen 0, 0, -%d, -2, ", name, p->count);
    list(w, p, of, ", \\\n    ");
    fr_print(w, "\n");
}

static void write_csound(FrWriter *w, const FrModeTable *t) {
    double longest = 0.0;
    Patch p = patch_of(t);
    for (int32_t i = 0; i < t->count; i++)
        if (sounds(&t->row[i])) longest = fr_max(longest, t60_of(&p, &t->row[i]));
    fr_print(w, "<CsoundSynthesizer>\n<CsOptions>\n-odac\n</CsOptions>\n<CsInstruments>\n");
    headline(w, &p, ";");
    fr_print(
        w,
        "; The opcode `mode` is sharp by itself; giFreq and giQ put it right at this rate only."
        "\nsr = %.0f\nksmps = 32\nnchnls = 1\n0dbfs = 1\n\n",
        CSOUND_RATE);
    csound_table(w, &p, "giFreq", mode_hz);
    csound_table(w, &p, "giQ", mode_q);
    csound_table(w, &p, "giGain", mode_gain);
    fr_print(w,
             "\nopcode ModeBank, a, ai\n  ain, index xin\n"
             "  aout mode ain, table:i(index, giFreq), table:i(index, giQ)\n"
             "  aout = aout * table:i(index, giGain)\n  if index < %d then\n"
             "    anext ModeBank ain, index + 1\n    aout = aout + anext\n  endif\n  xout "
             "aout\nendop\n\n"
             "instr 1\n  astrike mpulse 1, 0\n  aonce delay1 astrike\n  atwice delay1 aonce\n"
             "  aout ModeBank astrike - atwice, 0\n  out aout * 0.5\nendin\n"
             "</CsInstruments>\n<CsScore>\ni1 0 %.3g\n</CsScore>\n</CsoundSynthesizer>\n",
             p.count - 1, longest);
}

// a name that SuperCollider takes: letters, digits and _, a small letter first
static void symbol(const char *name, char *to, size_t size) {
    size_t at = 0;
    if (!islower((unsigned char)name[0])) to[at++] = 'm';
    for (const char *c = name; *c && at + 1 < size; c++)
        to[at++] = isalnum((unsigned char)*c) ? *c : '_';
    to[at] = 0;
}

static void write_supercollider(FrWriter *w, const FrModeTable *t) {
    char name[64];
    Patch p = patch_of(t);
    symbol(t->name, name, sizeof name);
    headline(w, &p, "//");
    fr_print(w,
             "// Frequencies in Hz, ring times (60 dB) in s.\n(\nSynthDef(\\%s, { |out = 0, amp = "
             "0.5|\n    var freqs = #[",
             name);
    list(w, &p, klank_hz, ",\n        ");
    fr_print(w, "];\n    var levels = #[");
    list(w, &p, klank_level, ",\n        ");
    fr_print(w, "];\n    var times = #[");
    list(w, &p, t60_of, ",\n        ");
    fr_print(w,
             "];\n    var sound = Klank.ar(`[freqs, levels, times], Impulse.ar(0)) * amp;\n"
             "    DetectSilence.ar(sound, doneAction: 2);\n    Out.ar(out, sound ! "
             "2);\n}).add;\n)\n\nSynth(\\%s);\n",
             name);
}

const FrModeFormat *fr_mode_format(const char *path) {
    static const FrModeFormat formats[] = {{".csv", "table", write_csv},
                                           {".dsp", "Faust", write_faust},
                                           {".csd", "Csound", write_csound},
                                           {".scd", "SuperCollider", write_supercollider}};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (fr_ends_with(path, formats[k].end)) return &formats[k];
    return NULL;
}
