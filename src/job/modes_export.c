// modes_export.c: the table of modes for other programs: CSV, Faust, Csound, SuperCollider.

#include "job/modes_table.h"
#include "job/names.h"
#include "job/text.h"
#include "math/vec.h"
#include "record/json.h"
#include <ctype.h>
#include <string.h>

static double hz_of(const FrModeRow *row) { return row->hz; }
static double t60_of(const FrModeRow *row) { return fr_min(row->t60, FR_LONGEST_T60); }
static double gain_of(const FrModeRow *row) { return row->share; }
// omega / 2 decay: what a resonator calls its Q
static double q_of(const FrModeRow *row) {
    return FR_PI * row->hz * t60_of(row) / 6.907755278982137;
}

static void print_number(FrWriter *w, double value) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(value, text);
    fr_print(w, "%s", text);
}

// a, b, c with some on each line
static void list(FrWriter *w, const FrModeTable *t, double (*of)(const FrModeRow *),
                 const char *line) {
    for (int32_t i = 0; i < t->count; i++) {
        fr_print(w, "%s", i == 0 ? "" : i % 6 == 0 ? line : ", ");
        print_number(w, of(&t->row[i]));
    }
}

static void write_csv(FrWriter *w, const FrModeTable *t) {
    fr_print(w, "mode,hz,note,cents,ratio,decay,t60,gain,gain_share\n");
    for (int32_t i = 0; i < t->count; i++) {
        const FrModeRow *row = &t->row[i];
        const double value[] = {row->ratio, row->decay, row->t60, row->gain, row->share};
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
    fr_print(w, "// %s of %s: %d modes, loudest 1. Frequencies in Hz, T60s in s.\n", t->name,
             t->material, t->count);
    fr_print(w, "import(\"stdfaust.lib\");\n\nnModes = %d;\nmodeFreqs = (", t->count);
    list(w, t, hz_of, ",\n    ");
    fr_print(w, ");\nmodeT60s = (");
    list(w, t, t60_of, ",\n    ");
    fr_print(w, ");\nmodeGains = (");
    list(w, t, gain_of, ",\n    ");
    fr_print(w, ");\n\nmodel = pm.modalModel(nModes, modeFreqs, modeT60s, modeGains);\n"
                "process = button(\"strike\") : ba.impulsify : model : *(hslider(\"gain\", 0.1, 0, "
                "1, 0.01)) <: _, _;\n");
}

static void csound_table(FrWriter *w, const FrModeTable *t, const char *name,
                         double (*of)(const FrModeRow *)) {
    fr_print(w, "%s ftgen 0, 0, -%d, -2, ", name, t->count);
    list(w, t, of, ", \\\n    ");
    fr_print(w, "\n");
}

// the opcode `mode` needs sr / freq above pi: 96 kHz reaches 30 kHz
static void write_csound(FrWriter *w, const FrModeTable *t) {
    double longest = 0.0;
    for (int32_t i = 0; i < t->count; i++) longest = fr_max(longest, t60_of(&t->row[i]));
    fr_print(w,
             "<CsoundSynthesizer>\n<CsOptions>\n-odac\n</CsOptions>\n<CsInstruments>\n"
             "; %s of %s: %d modes, loudest 1\nsr = 96000\nksmps = 32\nnchnls = 1\n0dbfs = 1\n\n",
             t->name, t->material, t->count);
    csound_table(w, t, "giFreq", hz_of);
    csound_table(w, t, "giQ", q_of);
    csound_table(w, t, "giGain", gain_of);
    fr_print(w,
             "\nopcode ModeBank, a, ai\n  ain, index xin\n"
             "  aout mode ain, table:i(index, giFreq), table:i(index, giQ)\n"
             "  aout = aout * table:i(index, giGain)\n  if index < %d then\n"
             "    anext ModeBank ain, index + 1\n    aout = aout + anext\n  endif\n  xout "
             "aout\nendop\n\n"
             "instr 1\n  astrike mpulse 1, 0\n  aout ModeBank astrike, 0\n  out aout * 0.1\nendin\n"
             "</CsInstruments>\n<CsScore>\ni1 0 %.3g\n</CsScore>\n</CsoundSynthesizer>\n",
             t->count - 1, longest);
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
    symbol(t->name, name, sizeof name);
    fr_print(w,
             "// %s of %s: %d modes, loudest 1. Frequencies in Hz, ring times (60 dB) in "
             "s.\n(\nSynthDef(\\%s, { |out = "
             "0, amp = 0.1|\n    var freqs = #[",
             t->name, t->material, t->count, name);
    list(w, t, hz_of, ",\n        ");
    fr_print(w, "];\n    var gains = #[");
    list(w, t, gain_of, ",\n        ");
    fr_print(w, "];\n    var times = #[");
    list(w, t, t60_of, ",\n        ");
    fr_print(w,
             "];\n    var sound = Klank.ar(`[freqs, gains, times], Impulse.ar(0)) * amp;\n"
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
