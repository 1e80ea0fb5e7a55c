// burst.c: frames between ticks around what breaks: where the ordinary frames are, they are the
// same; nothing else changes by them, and they come out the same however the run went.

#include "fracas/studio.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "place.h"
#include "record/recording.h"

__attribute__((constructor)) static void start(void) { place_make("burst"); }

// a bar is pulled apart while a ball spins beside it; 100 samples are one macro step of 1/240 s
#define RATE 24000.0
static const char bar[] =
    "scene { duration = 40*ms, fps = 240, seed = 2 }\n"
    "material { name = 'soft', base = 's6-ceramic', lambda = 5.8e6, mu = 3.85e6, density = 1000,\n"
    "  phi = 120, psi = 80, tau = 0, strength = 60*kPa }\n"
    "local bar = body { name = 'bar', material = 'soft', mesher = 'structured', cells = 5*cm,\n"
    "  shape = box { 60*cm, 10*cm, 10*cm }, at = {0, 0, 50*cm} }\n"
    "fix { bar, where = below { x = -29*cm } }\n"
    "drive { bar, where = above { x = 29*cm }, velocity = {30*cm, 6*cm, 2*cm} }\n"
    "sphere { name = 'ball', radius = 5*cm, material = 'iron', at = {0, 50*cm, 50*cm},\n"
    "  spin = {0, 0, 3000} }\n";

static void run(FrContext *with, const char *film, const char *folder, double until, bool restart) {
    char text[2048];
    FrRunDef options = fr_run_def_default();
    options.scene = at("bar.lua");
    options.out = at(folder);
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    options.no_sound = true;
    if (until > 0.0) options.until = until;
    options.restart = restart;
    FrText report;
    snprintf(text, sizeof text, "%s%s\n", bar, film);
    put_text("bar.lua", text);
    CHECK_OK(with, fr_job_run(with, &options, false, &report));
    fr_text_free(with, &report);
}

static FrRecording *open(const char *folder) {
    char name[64];
    FrRecording *recording = NULL;
    snprintf(name, sizeof name, "%s/run.fracas", folder);
    CHECK_OK(ctx, fr_recording_open(ctx, at(name), &recording));
    return recording;
}

static double first_crack(FrRecording *recording) {
    FrEventLog log;
    double first = HUGE_VAL;
    fr_event_log_init(&log, ctx);
    CHECK_OK(ctx, fr_recording_events(recording, &log));
    for (int32_t k = 0; k < log.count; k++)
        if (log.data[k].kind == FR_EVENT_CRACK) first = fr_min(first, log.data[k].t);
    fr_event_log_free(&log);
    return first;
}

#define BURST "film { burst = { rate = 24000, length = 6*ms, before = 1*ms } }"

TEST(ordinary_frames_do_not_know) {
    uint64_t frames[2], events[2];
    run(ctx, BURST, "with", 0, true);
    run(ctx, "", "without", 0, true);
    FrRecording *with = open("with"), *without = open("without");
    CHECK_OK(ctx, fr_recording_hash(with, &frames[0], &events[0]));
    CHECK_OK(ctx, fr_recording_hash(without, &frames[1], &events[1]));
    CHECK(frames[0] == frames[1]);
    CHECK(events[0] == events[1]);
    CHECK(!strcmp(fr_recording_meta(with, "state_hash"), fr_recording_meta(without, "state_hash")));
    CHECK_INT(fr_recording_info(without)->burst_count, 0);
    fr_recording_close(with);
    fr_recording_close(without);
}

// from `before` the first crack to `length` after it, without a gap, whole before and cut after
TEST(around_the_first_crack) {
    run(ctx, BURST, "with", 0, true);
    FrRecording *r = open("with");
    const FrRecordingInfo *info = fr_recording_info(r);
    double crack = first_crack(r);
    CHECK(crack > 5e-3 && crack < 30e-3);
    int32_t count = info->burst_count;
    CHECK_INT(count, (int)(7e-3 * RATE));
    // rounding: half a moment at most
    CHECK(info->burst_t[0] >= crack - 1e-3 && info->burst_t[0] < crack - 1e-3 + 1 / RATE);
    for (int32_t k = 1; k < count; k++)
        CHECK_CLOSE(info->burst_t[k] - info->burst_t[k - 1], 1 / RATE, 1e-9); // rounding
    for (int32_t k = 0; k < count; k++) {
        const FrFrameView *view;
        CHECK_OK(ctx, fr_recording_burst(r, k, &view));
        const FrTetMesh *mesh = view->body[0].mesh;
        // a substep of 0.15 ms later at most
        if (view->t < crack - 1.5e-4) CHECK_INT(mesh->node_count, 117);
        if (view->t > crack) CHECK(mesh->node_count > 117);
        const FrSurface *surface = view->body[0].surface;
        for (int32_t t = 0; surface->opened && t < surface->tri_count; t++)
            CHECK(surface->opened[t] < view->t + 1.5e-4); // step: a substep of 0.15 ms
        // the ball turns at 3000 degrees a second and falls
        double angle = 3000 * FR_PI / 180 * view->t;
        FrVec3 x = fr_quat_rotate(view->frame[1].rotation, fr_vec3(1, 0, 0));
        double fallen = 0.5 - view->frame[1].position.z;
        CHECK(fr_length(fr_sub(x, fr_vec3(cos(angle), sin(angle), 0))) < 1e-12); // rounding
        CHECK(fabs(fallen - 4.905 * view->t * view->t) < 1.5e-4); // one macro step is 4.2 ms
    }
    fr_recording_close(r);
}

// moments that are both: same mesh, same loads, same places to the rounding of a float of 60 cm
TEST(where_frames_meet_they_agree) {
    run(ctx, BURST, "with", 0, true);
    FrRecording *bursts = open("with"), *frames = open("with");
    const FrRecordingInfo *info = fr_recording_info(frames);
    int32_t met = 0;
    double most = 0.0;
    for (int32_t b = info->burst_count - 1; b >= 0; b--)
        for (int32_t f = 0; f < info->frame_count; f++) {
            const FrFrameView *fast, *slow;
            if (fabs(info->t[f] - info->burst_t[b]) > 1e-9) continue;
            CHECK_OK(ctx, fr_recording_burst(bursts, b, &fast));
            CHECK_OK(ctx, fr_recording_frame(frames, f, &slow));
            met++;
            CHECK(fr_tetmesh_hash(fast->body[0].mesh) == fr_tetmesh_hash(slow->body[0].mesh));
            for (int32_t k = 0; k < 3 * slow->body[0].mesh->node_count; k++) {
                // rounding: float32 of 60 cm
                CHECK(fabs(fast->frame[0].p[k] - slow->frame[0].p[k]) < 1e-7);
                CHECK(fabs(fast->frame[0].v[k] - slow->frame[0].v[k]) < 1e-7);
            }
            for (int32_t n = 0; n < slow->body[0].mesh->node_count; n++) {
                CHECK(fast->frame[0].load[n] == slow->frame[0].load[n]);
                most = fr_max(most, (double)fast->frame[0].load[n]);
            }
            CHECK(!fast->frame[1].load); // the ball does not break
        }
    CHECK(met >= 1);
    CHECK(most > 0.1);
    fr_recording_close(bursts);
    fr_recording_close(frames);
}

// the load rises to 1 in the frames before the first crack, and falls where it opened
TEST(loads_rise_to_the_first_crack) {
    run(ctx, BURST, "with", 0, true);
    FrRecording *r = open("with");
    const FrRecordingInfo *info = fr_recording_info(r);
    double last = 0.0, first_load = 0.0;
    for (int32_t b = 0; b < info->burst_count; b++) {
        const FrFrameView *view;
        CHECK_OK(ctx, fr_recording_burst(r, b, &view));
        const FrTetMesh *mesh = view->body[0].mesh;
        if (b == 0) first_load = (double)view->frame[0].load[0];
        if (mesh->node_count > 3 * 3 * 13) break; // the first crack was there
        last = 0.0;
        for (int32_t n = 0; n < mesh->node_count; n++)
            last = fr_max(last, (double)view->frame[0].load[n]);
    }
    printf("  %.3f at a corner in the first frame, %.3f at most in the last before the crack\n",
           first_load, last);
    CHECK(last > 0.9 && last < 1.1); // 127 bytes to 1; a frame is 42 us
    fr_recording_close(r);
}

// nodes go on from frame to frame at a speed between the two that they have there
TEST(motion_is_smooth) {
    run(ctx, BURST, "with", 0, true);
    FrRecording *r = open("with");
    fr_recording_set_topology(r, FR_TOPOLOGY_FINAL);
    const FrRecordingInfo *info = fr_recording_info(r);
    double *p = NULL, *v = NULL, worst = 0, far = 0;
    for (int32_t k = 0; k < info->burst_count; k++) {
        const FrFrameView *view;
        CHECK_OK(ctx, fr_recording_burst(r, k, &view));
        int32_t n = 3 * view->body[0].mesh->node_count;
        size_t size = sizeof *p * (size_t)n;
        if (!p) p = malloc(size), v = malloc(size);
        for (int32_t i = 0; k > 0 && i < n; i++) {
            double step = view->frame[0].p[i] - p[i];
            double now = view->frame[0].v[i], mean = 0.5 * (v[i] + now),
                   half = 0.5 * fabs(now - v[i]);
            worst = fr_max(worst, fabs(step - mean / RATE) - half / RATE);
            far = fr_max(far, fabs(step));
        }
        memcpy(p, view->frame[0].p, size);
        memcpy(v, view->frame[0].v, size);
    }
    printf("  steps of %.3g m, %.3g m beyond their speeds\n", far, worst);
    CHECK(worst < 1e-3 * far); // places shift a little where a step is shorter than the last
    free(p);
    free(v);
    fr_recording_close(r);
}

static bool same_files(const char *a, const char *b) {
    uint8_t *bytes[2];
    size_t size[2];
    const char *folder[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s/run.fracas", folder[k]);
        CHECK_OK(ctx, fr_file_load(ctx, at(name), 1 << 28, &bytes[k], &size[k]));
    }
    bool same = size[0] == size[1] && !memcmp(bytes[0], bytes[1], size[0]);
    for (int k = 0; k < 2; k++) fr_free(ctx, bytes[k]);
    return same;
}

// stopped before the crack (samples from before it are kept) and within the burst
TEST(same_bytes_in_parts_and_for_any_workers) {
    run(ctx, BURST, "one", 0, true);
    FrRecording *r = open("one");
    double crack = first_crack(r), tick = 1.0 / 240;
    fr_recording_close(r);
    double before = floor(crack / tick) * tick;
    run(ctx, BURST, "parts", before, true);
    run(ctx, BURST, "parts", before + tick, false);
    run(ctx, BURST, "parts", 0, false);
    CHECK(same_files("one", "parts"));
    FrContext *three = make_context(3);
    run(three, BURST, "three", 0, true);
    fr_context_destroy(three);
    CHECK(same_files("one", "three"));
}

// two breaks of two bars, 15 ms apart: as many bursts as were asked for
TEST(as_many_as_asked) {
    static const char two[] =
        "local other = body { name = 'other', material = 'soft', mesher = 'structured',\n"
        "  cells = 5*cm, shape = box { 60*cm, 10*cm, 10*cm }, at = {0, -50*cm, 50*cm} }\n"
        "fix { other, where = below { x = -29*cm } }\n"
        "drive { other, where = above { x = 29*cm }, velocity = {12*cm, 0, 0} }\n"
        "film { burst = { rate = 20000, length = 2*ms, before = 0, most = %d } }";
    for (int most = 1; most <= 2; most++) {
        char text[1024];
        snprintf(text, sizeof text, two, most);
        run(ctx, text, "two", 0, true);
        FrRecording *r = open("two");
        const FrRecordingInfo *info = fr_recording_info(r);
        int32_t gaps = 0;
        for (int32_t k = 1; k < info->burst_count; k++)
            gaps += info->burst_t[k] - info->burst_t[k - 1] > 1.5 / info->burst_hz;
        CHECK_INT(gaps + 1, most);
        CHECK_INT(info->burst_count, 40 * most);
        fr_recording_close(r);
    }
}

// how slowly bursts are shown is the film's; what is recorded decides whose run it is
TEST(slowness_is_the_films) {
    FrRunDef options = fr_run_def_default();
    options.scene = at("bar.lua");
    options.out = at("keys");
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    options.no_sound = true;
    FrText report;
    char text[2048];
    run(ctx, BURST, "keys", 0, true);
    run(ctx, "film { burst = { rate = 24000, length = 6*ms, before = 1*ms, slow = 7 } }", "keys", 0,
        false);
    snprintf(text, sizeof text, "%s%s\n", bar, "film { burst = 'auto' }");
    put_text("bar.lua", text);
    CHECK_INT(fr_job_run(ctx, &options, false, &report), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "another scene");
}
