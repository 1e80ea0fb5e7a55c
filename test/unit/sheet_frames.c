// sheet_frames.c: a contact sheet shows the moments in which something happens.

#include "test.h"
#include "output/sheet_frames.h"
#include <math.h>
#include <stdbool.h>

#define FRAMES 121

static double t[FRAMES];

static void fill_times(double fps) {
    for (int32_t k = 0; k < FRAMES; k++) t[k] = k / fps;
}

// rising, none twice, none that is not there
static void check_frames(const int32_t *frame, int32_t tiles, int32_t count) {
    for (int32_t i = 0; i < tiles; i++)
        CHECK(frame[i] >= 0 && frame[i] < count && (!i || frame[i] > frame[i - 1]));
    CHECK_INT(frame[tiles - 1], count - 1);
}

static int32_t count_around(const int32_t *frame, int32_t tiles, double crack) {
    int32_t found = 0;
    for (int32_t i = 0; i < tiles; i++)
        found += t[frame[i]] >= crack - FR_BREAK_BEFORE && t[frame[i]] < crack + FR_BREAK_AFTER;
    return found;
}

TEST(half_of_a_sheet_is_the_break) {
    int32_t frame[40];
    fill_times(60);
    for (int32_t tiles = 2; tiles <= 40; tiles++)
        for (int k = 0; k < 50; k++) {
            double crack = 2.0 * k / 50;
            fr_sheet_frames(t, FRAMES, tiles, (FrMoments){HUGE_VAL, crack}, frame);
            check_frames(frame, tiles, FRAMES);
            // 60 frames per second: no more than 19 in 0.32 s, fewer at the ends of the film
            int32_t all = 0;
            for (int32_t i = 0; i < FRAMES; i++)
                all += t[i] >= crack - FR_BREAK_BEFORE && t[i] < crack + FR_BREAK_AFTER;
            CHECK(2 * count_around(frame, tiles, crack) >= tiles ||
                  count_around(frame, tiles, crack) == all);
        }
    fr_sheet_frames(t, FRAMES, 12, (FrMoments){HUGE_VAL, 0.403}, frame);
    CHECK_INT(frame[0], 0);
    // the last whole frame, the first broken one, and the next
    int32_t whole = 0;
    for (int32_t i = 0; i < 12; i++)
        if (frame[i] == 24) whole = i;
    CHECK(whole > 0 && frame[whole + 1] == 25 && frame[whole + 2] == 26);
    CHECK(frame[whole + 6] - frame[whole + 5] > frame[whole + 3] - frame[whole + 2]);
}

TEST(a_first_impact_is_shown) {
    int32_t frame[12];
    bool shown = false;
    fill_times(60);
    fr_sheet_frames(t, FRAMES, 12, (FrMoments){0.5, 1.6}, frame);
    check_frames(frame, 12, FRAMES);
    for (int32_t i = 0; i < 12; i++) shown |= frame[i] == 30;
    CHECK(shown);
    CHECK_INT(frame[0], 0);
}

TEST(what_does_not_break_is_shown_evenly) {
    int32_t frame[13];
    fill_times(60);
    fr_sheet_frames(t, FRAMES, 13, (FrMoments){0.4, HUGE_VAL}, frame);
    for (int32_t i = 0; i < 13; i++) CHECK_INT(frame[i], 10 * i);
    // a film of 12 ms is all break
    fill_times(10000);
    fr_sheet_frames(t, FRAMES, 13, (FrMoments){0.004, 0.004}, frame);
    for (int32_t i = 0; i < 13; i++) CHECK_INT(frame[i], 10 * i);
    // as many tiles as frames: all of them
    fr_sheet_frames(t, 13, 13, (FrMoments){0.0, 0.0005}, frame);
    for (int32_t i = 0; i < 13; i++) CHECK_INT(frame[i], i);
    fr_sheet_frames(t, 1, 1, (FrMoments){0.0, 0.0}, frame);
    CHECK_INT(frame[0], 0);
}
