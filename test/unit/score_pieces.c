// score_pieces.c: pieces of a recording as bodies that ring: cooked side by side, born mid-run, let
// go by a break.

#include "base/each.h"
#include "pieces_kit.h"
#include "place.h"
#include "score/score.h"

__attribute__((constructor)) static void start(void) {
    place_make("score-pieces");
    setenv("FRACAS_CACHE", place, 1);
}

enum { SHARDS = 9 };

/// A pane of glass that falls into shards at 2 ms; each is struck later.
typedef struct Break {
    Piece piece[SHARDS + 1];
    FrEvent event[SHARDS];
    Pieces all;
} Break;

static void make_break(Break *b) {
    static const char *const names[SHARDS] = {"pane/1", "pane/2", "pane/3", "pane/4", "pane/5",
                                              "pane/6", "pane/7", "pane/8", "pane/9"};
    *b = (Break){.all = {b->piece, SHARDS + 1, b->event, SHARDS, 60}};
    b->piece[0] = (Piece){.name = "pane",
                          .material = "glass",
                          .size = {0.1, 0.1, 0.006},
                          .cell = 0.02,
                          .parent = -1,
                          .died = 2};
    for (int k = 0; k < SHARDS; k++) {
        double s = k == 4 ? 1.0 : 0.3 + 0.1 * k; // the fifth is as the eighth
        b->piece[k + 1] = (Piece){.name = names[k],
                                  .material = "glass",
                                  .size = {0.06 * s, 0.04 * s, 0.006},
                                  .cell = 0.01,
                                  .corner = {0.01 * k, 0, 0},
                                  .born = 2,
                                  .velocity = {0.1 * k, 0, -1}};
        b->event[k] = piece_impact((uint64_t)k, 0.004 + 1e-3 * k, (FrBodyId){k + 2},
                                   fr_vec3(0.01 * k, 0, 0), fr_vec3(0, 0, 1e-3));
    }
    b->piece[5].corner = b->piece[8].corner = fr_vec3(0, 0, 0);
}

static FrScore score_of(FrContext *with, const char *path) {
    FrScore score;
    FrRecording *recording;
    CHECK_OK(with, fr_recording_open(with, path, &recording));
    fr_score_init(&score, with);
    CHECK_OK(with, fr_score_recording(&score, recording, NULL));
    fr_recording_close(recording);
    return score;
}

static bool same_asset(const FrAsset *a, const FrAsset *b) {
    uint8_t *bytes[2];
    size_t size[2];
    CHECK_OK(a->ctx, fr_asset_save(a, &bytes[0], &size[0]));
    CHECK_OK(b->ctx, fr_asset_save(b, &bytes[1], &size[1]));
    bool same = size[0] == size[1] && !memcmp(bytes[0], bytes[1], size[0]);
    fr_free(a->ctx, bytes[0]);
    fr_free(b->ctx, bytes[1]);
    return same;
}

// with empty and full caches, with one worker and with four: the same bodies
TEST(pieces_cook_alike_for_any_workers) {
    static Break b;
    make_break(&b);
    record_pieces(ctx, at("break.fracas"), &b.all);
    FrScore one = score_of(ctx, at("break.fracas"));
    CHECK_INT(one.body.count, SHARDS); // the pane was touched by nothing
    CHECK_TEXT(one.body.data[0].name, "pane/1");
    for (int round = 0; round < 2; round++) { // the second finds all in the cache
        FrContext *many = make_context(4);
        char other[80];
        snprintf(other, sizeof other, "%s/cache-%d", place, round);
        if (round == 0) setenv("FRACAS_CACHE", other, 1);
        FrScore four = score_of(many, at("break.fracas"));
        setenv("FRACAS_CACHE", place, 1);
        for (int k = 0; k < SHARDS; k++) {
            CHECK(same_asset(one.body.data[k].asset, four.body.data[k].asset));
            CHECK(one.body.data[k].shared == four.body.data[k].shared);
            CHECK_INT(one.body.data[k].hit.count, four.body.data[k].hit.count);
        }
        CHECK(four.body.data[7].shared && four.body.data[7].asset == four.body.data[4].asset);
        fr_score_free(&four);
        fr_context_destroy(many);
    }
    int ring = 0;
    for (int k = 0; k < SHARDS; k++) ring += one.body.data[k].asset->info.mode_count > 0;
    CHECK(ring > 2 && ring < SHARDS); // the small ones have no tone below 20 kHz
    fr_score_free(&one);
}

// one allocation in three is refused: a message, and nothing is lost
TEST(pieces_refused_memory) {
    static Break b;
    make_break(&b);
    b.all.count = b.all.event_count = 4;
    b.all.event_count = 3;
    record_pieces(ctx, at("few.fracas"), &b.all);
    bool done = false;
    for (int k = 1; k < 4000 && !done; k += 3) {
        Refuser refuser = {.refuse_at = 0};
        FrContext *own = make_refusing_context(&refuser);
        FrRecording *recording = NULL;
        FrScore score;
        int live = refuser.live;
        CHECK_OK(own, fr_recording_open(own, at("few.fracas"), &recording));
        refuser.refuse_at = refuser.calls + k;
        fr_score_init(&score, own);
        FrResult result = fr_score_recording(&score, recording, NULL);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        if (result == FR_NO_MEMORY) CHECK_HAS(fr_context_message(own), "memory");
        done = refuser.calls < refuser.refuse_at;
        fr_score_free(&score);
        fr_recording_close(recording);
        CHECK_INT(refuser.live, live);
        fr_context_destroy(own);
    }
    CHECK(done);
}
