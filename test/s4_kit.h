// s4_kit.h: rows of S4's table 1: what is found for them, and what their decay should be.
#pragma once
#include "bench/bench_sounds.h"
#include "context.h"
#include "test.h"
#include <math.h>
#include <string.h>

#define PAPERS FRACAS_SOURCE_DIR "/scenes/papers"

static inline const FrSoundRow *row_of(const char *name) {
    for (int32_t k = 0; k < fr_sound_row_count; k++)
        if (!strcmp(fr_sound_rows[k].name, name)) return &fr_sound_rows[k];
    return NULL;
}

static inline FrSoundFound found_for(const char *name) {
    FrContext *ctx = make_context(1);
    FrSoundFound found = {0};
    const FrSoundRow *row = row_of(name);
    CHECK(row != NULL);
    if (row) CHECK_OK(ctx, fr_sound_row(ctx, PAPERS, row, &found));
    CHECK(found.nodes > 0 && found.seconds > 0.0);
    fr_context_destroy(ctx);
    return found;
}

// (alpha1 w0^2 + alpha2) / 2 with w0^2 = w^2 + decay^2, w the tone                        [S4 eq.
// 9]
static inline double decay_at(double hz, double alpha1, double alpha2) {
    double w = 2.0 * M_PI * hz, decay = 0.5 * alpha2;
    for (int k = 0; k < 60; k++) decay = 0.5 * (alpha1 * (w * w + decay * decay) + alpha2);
    return decay;
}

static inline void check_decay(FrSoundFound found, double alpha1, double alpha2) {
    CHECK_CLOSE(found.decay, decay_at(found.hz, alpha1, alpha2), 1e-6); // digits of pi and sqrt
}
