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
    CHECK_OK(a->ctx, fr_asset_save(a, NULL, &bytes[0], &size[0]));
    CHECK_OK(b->ctx, fr_asset_save(b, NULL, &bytes[1], &size[1]));
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

// pieces share the stem of the pane; before they are born they are where it was
TEST(pieces_come_from_their_parent) {
    static Break b;
    make_break(&b);
    for (int k = 1; k <= SHARDS; k++) b.piece[k].parent = 0;
    b.piece[3].parent = 2; // a piece of a piece, a little later
    b.piece[3].born = 5;
    b.piece[0].velocity = fr_vec3(3, 0, 0);
    for (int k = 1; k <= SHARDS; k++) b.piece[k].at = fr_vec3(0.006, 0, 0);
    b.piece[3].at = fr_vec3(0.006 + 0.1 * 0.003, 0, -0.003); // the second moved on until then
    record_pieces(ctx, at("family.fracas"), &b.all);
    FrScore score = score_of(ctx, at("family.fracas"));
    for (int k = 0; k < SHARDS; k++) {
        const FrScoreBody *body = &score.body.data[k];
        CHECK_INT(body->family, 0);
        CHECK_TEXT(body->family_name, "pane");
        CHECK_NEAR(body->born, k == 2 ? 0.005 : 0.002, 1e-15); // exact but for 1e-3
        CHECK_INT(body->place.count, 61);
        FrVec3 own = body->asset->info.centre, *way = body->place.data;
        // 3 m/s before the break, 0.1 k and -1 m/s after it: no jump in between
        for (int n = 0; n < 3; n++) {
            double off = fr_distance(way[n], fr_add(own, fr_vec3(0.003 * n, 0, 0)));
            // raster: the last pose of the pane is one sample old, 3 mm; poses are floats
            CHECK(off < (n < 2 ? 3.1e-3 : 1e-7));
        }
        // raster: 3 m/s at a pose each millisecond
        for (int n = 1; n < 61; n++) CHECK(fr_distance(way[n], way[n - 1]) < 3.1e-3);
    }
    // an instant after its birth the third is struck; until then it went with the second
    CHECK(fr_distance(score.body.data[2].place.data[4],
                      fr_add(score.body.data[2].asset->info.centre,
                             fr_vec3(0.006 + 0.1 * 0.002, 0, -0.002))) <
          1.1e-3); // raster: a sample
    fr_score_free(&score);
}

static double *hear(FrScore *score, int64_t *frames) {
    FrScoreSound sound;
    CHECK_OK(score->ctx, fr_score_play(score, NULL, &sound));
    double *left = malloc(sizeof *left * (size_t)sound.frames);
    for (int64_t n = 0; n < sound.frames; n++) left[n] = (double)sound.sample[2 * n];
    *frames = sound.frames;
    fr_free(score->ctx, sound.sample);
    return left;
}

static FrEvent release(uint64_t seq, double t, int32_t a, int32_t other, FrVec3 impulse) {
    FrEvent e = {.seq = seq, .t = t, .kind = FR_EVENT_RELEASE, .a = {a + 1}};
    e.u.release.other.index1 = other + 1;
    e.u.release.p = (FrPoint){.tet = 0, .b = {0.25, 0.25, 0.25, 0.25}};
    e.u.release.impulse = impulse;
    return e;
}

// a pane is struck at 2 ms, breaks at 20 ms into halves that a face drives apart at three places
typedef struct Snap {
    Piece piece[3];
    FrEvent event[4];
    Pieces all;
} Snap;

static void make_snap(Snap *s) {
    *s = (Snap){.all = {s->piece, 3, s->event, 4, 100}};
    s->piece[0] = (Piece){.name = "bar",
                          .material = "glass",
                          .size = {0.16, 0.04, 0.006},
                          .cell = 0.02,
                          .parent = -1,
                          .died = 20};
    s->piece[1] = (Piece){
        .name = "bar/1", .material = "glass", .size = {0.1, 0.04, 0.006}, .cell = 0.02, .born = 20};
    s->piece[2] = (Piece){.name = "bar/2",
                          .material = "glass",
                          .size = {0.06, 0.04, 0.006},
                          .cell = 0.02,
                          .corner = {0.1, 0, 0},
                          .born = 20};
    s->event[0] = piece_impact(0, 0.002, (FrBodyId){1}, fr_vec3(0, 0, 0), fr_vec3(0, 0, 2e-3));
    for (int k = 1; k < 4; k++)
        s->event[k] = release((uint64_t)k, 0.02, 1, 2, fr_vec3(-1e-3 * k, 0, 2e-3 * (k - 2)));
}

// both sides are pushed alike and against each other, at once, as long as a crack takes
TEST(releases_are_blows) {
    static Snap s;
    make_snap(&s);
    record_pieces(ctx, at("snap.fracas"), &s.all);
    FrScore score = score_of(ctx, at("snap.fracas"));
    CHECK_INT(score.body.count, 3);
    const FrScoreBody *a = &score.body.data[1], *b = &score.body.data[2];
    CHECK_INT(a->hit.count, 3);
    CHECK_INT(b->hit.count, 3);
    double shear = sqrt(7e10 / (2 * 1.22 * 2500)), slow = 0.9 * shear, fast = 0.93 * shear;
    FrVec3 sum = fr_vec3_zero;
    for (int k = 0; k < 3; k++) {
        const FrHit *on_a = &a->hit.data[k], *on_b = &b->hit.data[k];
        CHECK(on_a->t == 0.02 && on_b->t == 0.02 && on_a->duration == on_b->duration);
        CHECK(on_a->duration > 0.06 / fast && on_a->duration < 0.06 / slow); // the smaller half
        CHECK(on_a->joined == (k > 0) && on_b->joined == (k > 0));
        CHECK(fr_length(fr_add(on_a->push, on_b->push)) == 0);
        CHECK_NEAR(on_a->push.x, -1e-3 * (k + 1), TOL_EXACT); // as told
        sum = fr_add(sum, on_a->push);
        // at the middle of a tet near one end of the first, and as near as the second comes
        CHECK(on_a->spot.away < 0.01);
    }
    CHECK_NEAR(sum.x, -6e-3, 1e-15); // rounding: of 1e-2
    fr_score_free(&score);
}

// the largest second difference within [from, to) s of sound, heard 0.5 m away
static double roughest(const double *s, double from, double to) {
    double most = 0, way = 0.5 / 343;
    for (int n = (int)((from + way) * 48000); n < (int)((to + way) * 48000); n++)
        most = fmax(most, fabs(s[n] - 2 * s[n - 1] + s[n - 2]));
    return most;
}

static double loudest(const double *s, double from, double to) {
    double most = 0, way = 0.5 / 343;
    for (int n = (int)((from + way) * 48000); n < (int)((to + way) * 48000); n++)
        most = fmax(most, fabs(s[n]));
    return most;
}

static FrScore near_score(const char *path) {
    FrScore score = score_of(ctx, path);
    score.listener = (FrListener){.at = {0.08, -0.5, 0}, .right = {1, 0, 0}, .mono = true};
    return score;
}

// Nothing of a piece is heard before its birth; the bar is gone 5 ms after it broke; neither birth
// nor death clicks. Without pushes the pieces are silent for good.
TEST(births_and_deaths_do_not_click) {
    static Snap s;
    int64_t frames;
    make_snap(&s);
    s.all.event_count = 1;
    record_pieces(ctx, at("silent.fracas"), &s.all);
    FrScore silent = near_score(at("silent.fracas"));
    CHECK_INT(silent.body.count, 1); // nothing touched the halves
    double *bar = hear(&silent, &frames);
    CHECK(frames >= 4800);
    CHECK(loudest(bar, 0.01, 0.02) > 1e-3);
    CHECK(roughest(bar, 0.019, 0.028) <= roughest(bar, 0.01, 0.019));
    CHECK(loudest(bar, 0.03, 0.08) <
          1e-3 * loudest(bar, 0.01, 0.02)); // promise: 5 ms, and a filter
    make_snap(&s);
    record_pieces(ctx, at("snap.fracas"), &s.all);
    FrScore snap = near_score(at("snap.fracas"));
    double *all = hear(&snap, &frames), worst = 0;
    for (int n = 0; n < (int)((0.02 + 0.4 / 343) * 48000); n++)
        worst = fmax(worst, fabs(all[n] - bar[n]));
    CHECK(worst == 0); // nothing of the halves before they are there
    CHECK(loudest(all, 0.024, 0.03) > 10 * loudest(bar, 0.024, 0.03)); // then they ring, it is gone
    // the same halves struck 2 ms after their birth: at their birth there is nothing new
    for (int k = 1; k < 4; k++) s.event[k].t = 0.022;
    for (int k = 0; k < 3; k++) fr_tetmesh_free(ctx, &s.piece[k].mesh);
    record_pieces(ctx, at("later.fracas"), &s.all);
    FrScore later = near_score(at("later.fracas"));
    double *struck = hear(&later, &frames);
    CHECK(roughest(struck, 0.0195, 0.0215) <= roughest(struck, 0.01, 0.019));
    free(bar), free(all), free(struck);
    fr_score_free(&silent), fr_score_free(&snap), fr_score_free(&later);
}

// what is pushed more than a tick before its birth, or after its death, is pushed by nothing
TEST(no_hits_beyond_a_life) {
    static Snap s;
    make_snap(&s);
    s.event[0] = piece_impact(0, 0.010, (FrBodyId){2}, fr_vec3(0, 0, 0), fr_vec3(0, 0, 2e-3));
    s.event[1] = piece_impact(1, 0.0195, (FrBodyId){2}, fr_vec3(0, 0, 0), fr_vec3(0, 0, 2e-3));
    s.event[2] = piece_impact(2, 0.020, (FrBodyId){1}, fr_vec3(0, 0, 0), fr_vec3(0, 0, 2e-3));
    s.event[3] = piece_impact(3, 0.025, (FrBodyId){1}, fr_vec3(0, 0, 0), fr_vec3(0, 0, 2e-3));
    record_pieces(ctx, at("beyond.fracas"), &s.all);
    FrScore score = score_of(ctx, at("beyond.fracas"));
    CHECK_INT(score.body.count, 2);
    CHECK(score.body.data[0].hit.count >= 1 && score.body.data[1].hit.count >= 1);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < score.body.data[k].hit.count; i++)
            CHECK(score.body.data[k].hit.data[i].t == 0.02); // the blow that breaks it counts
    fr_score_free(&score);
}

// lives begin and end at the moments that events tell, within a tick of those of the rows
TEST(lives_are_as_events_tell) {
    static Snap s;
    make_snap(&s);
    s.event[1] = (FrEvent){.seq = 1, .t = 0.0192, .kind = FR_EVENT_BIRTH, .a = {2}, .b = {1}};
    s.event[2] = (FrEvent){.seq = 2, .t = 0.0192, .kind = FR_EVENT_DEATH, .a = {1}};
    s.event[3] = release(3, 0.0192, 1, 0, fr_vec3(1e-3, 0, 0));
    record_pieces(ctx, at("lives.fracas"), &s.all);
    FrScore score = score_of(ctx, at("lives.fracas"));
    CHECK_INT(score.body.count, 2);
    CHECK(score.body.data[0].died == 0.0192 && score.body.data[1].born == 0.0192);
    CHECK(score.body.data[1].hit.count == 1 && score.body.data[1].hit.data[0].t == 0.0192);
    fr_score_free(&score);
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
