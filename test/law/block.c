// block.c: the notched block of S6 chapter 4: its crack reaches the far side, and looks that come
// ten times more seldom make few branches when what exceeds the limit runs ahead [S6 section 4.2].

#include "base/file.h"
#include "context.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include "record/recording.h"
#include "test.h"
#include <string.h>
#include <unistd.h>

typedef struct Broken {
    double area;    ///< of the cracks, one side, without the notch, m^2
    double notch;   ///< that was cut before the start, m^2
    int32_t pieces; ///< at the end
    double reach;   ///< largest x of a crack, m
} Broken;

/// scenes/papers/block.lua with these settings
static Broken block(const char *residual, const char *every) {
    FrContext *ctx = make_unsynced_context(NULL);
    char folder[64], path[96], command[128], first[32], second[32];
    snprintf(folder, sizeof folder, "block-%d", (int)getpid());
    snprintf(path, sizeof path, "%s/run.fracas", folder);
    snprintf(first, sizeof first, "residual=%s", residual);
    snprintf(second, sizeof second, "every=%s", every);
    const char *set[2] = {first, second};
    FrRunDef options = fr_run_def_default();
    options.scene = FRACAS_SOURCE_DIR "/scenes/papers/block.lua";
    options.out = folder;
    options.set = set;
    options.set_count = 2;
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    options.no_sound = true;
    options.restart = true;
    FrText report;
    CHECK_OK(ctx, fr_job_run(ctx, &options, false, &report));
    fr_text_free(ctx, &report);
    FrRecording *r = NULL;
    const FrFrameView *view;
    const FrPiece *piece;
    Broken b = {.reach = -1};
    CHECK_OK(ctx, fr_recording_open(ctx, path, &r));
    CHECK_OK(ctx, fr_recording_pieces(r, 0, &piece, &b.pieces));
    CHECK_OK(ctx, fr_recording_frame(r, fr_recording_info(r)->frame_count - 1, &view));
    const FrSurface *s = view->body[0].surface;
    const double *x = view->body[0].mesh->x;
    for (int32_t k = 0; k < s->tri_count; k++) {
        if (s->opened[k] < 0.0) continue;
        FrVec3 a = fr_get3(x, s->tri[k][0]), u = fr_sub(fr_get3(x, s->tri[k][1]), a),
               v = fr_sub(fr_get3(x, s->tri[k][2]), a);
        double half = 0.25 * fr_length(fr_cross(u, v)); // of two sides
        bool before = !(s->opened[k] > 0.0);
        *(before ? &b.notch : &b.area) += half;
        if (!before) b.reach = fr_max(b.reach, fr_max(a.x, fr_max(a.x + u.x, a.x + v.x)));
    }
    fr_recording_close(r);
    fr_context_destroy(ctx);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command)) TEST_FAIL("%s stays behind", folder);
    return b;
}

// notch and straight way are 100 x 10 cm: the notch ends at a node, beyond the middle
static double beside(const Broken *b) { return b->area + b->notch - 0.1; }

TEST(the_crack_reaches_the_far_side) {
    for (int k = 0; k < 2; k++) {
        Broken b = block(k ? "1" : "0", "0s");
        printf("  residual %d: %.4f m^2 and %.4f of notch, %d pieces\n", k, b.area, b.notch,
               b.pieces);
        CHECK_INT(b.pieces, 2);
        CHECK_NEAR(b.reach, 0.5, 1e-12); // rounding: a side of the block
        CHECK(beside(&b) > -1e-9 && beside(&b) < 0.005);
    }
}

// what is cut beside the straight way, at looks 7 to 25 times the step of 0.2 ms apart
TEST(large_steps_branch_little_with_residuals) {
    static const char *const every[5] = {"1.5ms", "2ms", "3ms", "4ms", "5ms"};
    double without = 0, with = 0, straight = 0;
    for (int k = 0; k < 5; k++) {
        Broken off = block("0", every[k]), on = block("1", every[k]);
        double more = beside(&off), left = beside(&on);
        printf("  looks every %s: %.4f m^2 of branches, %.4f m^2 with residuals\n", every[k], more,
               left);
        CHECK(more > 0.3 * (0.1 - off.notch));
        CHECK(left < 0.3 * more);
        CHECK_NEAR(on.reach, 0.5, 1e-12); // rounding
        straight += 0.1 - off.notch;
        without += more;
        with += left;
    }
    printf("  %.0f %% fewer\n", 100 * (1 - with / without));
    CHECK(without > straight); // as much again as the straight way
    CHECK(with < 0.3 * without);
}
