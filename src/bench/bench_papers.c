// bench_papers.c: `fracas bench SCENE...`: minutes per simulated second, next to the papers'.

#include "bench/bench_papers.h"
#include "bench/bench_bends.h"
#include "bench/bench_sounds.h"
#include "base/base.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "build/build.h"
#include "build/scene_load.h"
#include "export/report_text.h"
#include "run/simulate.h"
#include <math.h>
#include <string.h>
#include <sys/resource.h>

/// What the papers say: minutes for a simulated second, the mean over a run, on an SGI O2 with one
/// R10000 of 195 MHz.
typedef struct Printed {
    const char *file, *set[2], *name;
    double minutes;
    double until; ///< s: a part of the scene in which things break, that takes seconds
    bool apart;   ///< of S7, whose machine is another one: no part of the means
} Printed;

// S2's wall has 1,109 tets; the other meshes are not printed
static const Printed printed[] = {
    {"wall.lua", {"heavy=false", "cell=26cm"}, "wall 1", 399, 0.06, false},
    {"wall.lua", {"heavy=true", "cell=26cm"}, "wall 2", 1098, 0.06, false},
    {"slab.lua", {NULL}, "glass slab", 273, 0.06, false},
    {"bowls.lua", {"tau=52.9"}, "bowl 1", 109, 0.06, false},
    {"bowls.lua", {"tau=39.6"}, "bowl 2", 115, 0.06, false},
    {"bowls.lua", {"tau=33.1"}, "bowl 3", 127, 0.06, false},
    {"bowls.lua", {"tau=13.2"}, "bowl 4", 156, 0.06, false},
    {"comparison-bowl.lua", {NULL}, "comp. bowl", 347, 0.06, false},
    {"comparison-tray.lua", {NULL}, "comp. tray", 1371, 0.04, false},
    {"trays.lua", {"tray=1"}, "tray a", 1433, 0.02, false},
    {"trays.lua", {"tray=2"}, "tray b", 1561, 0.02, false},
    {"trays.lua", {"tray=3"}, "tray c", 1374, 0.02, false},
    {"trays.lua", {"tray=4"}, "tray d", 998, 0.02, false},
    {"trays.lua", {"tray=5"}, "tray e", 1182, 0.02, false},
    {"bunny.lua", {NULL}, "bunny", 17280, 0.016, false},
    {"blast-window.lua", {NULL}, "explosion", 544, 0.03, false},
    {"letters.lua", {NULL}, "the end", 4665, 0.02, false},
    // S7's table 3: hours of its fracture stage over the seconds of film
    {"plate.lua", {NULL}, "plate", 60.0 * 1.41 / 5.0, 0.7, true},
    {"tile.lua", {NULL}, "tile", 60.0 * 0.05 / 0.9, 0.5, true},
    {"window.lua", {"Gc=120"}, "window, Gc 120", 60.0 * 3.1 / 5.0, 0.2, true},
    {"window.lua", {"Gc=50"}, "window, Gc 50", 60.0 * 3.4 / 5.0, 0.2, true},
    {"glass-slab.lua", {NULL}, "slab of S7", 60.0 * 3.6 / 2.0, 0.7, true},
    {"piggy.lua", {NULL}, "poor piggy", 60.0 * 6.4 / 3.2, 0.7, true},
};
#define PRINTED ((int)(sizeof printed / sizeof printed[0]))

static int32_t set_count_of(const Printed *row) {
    return (row->set[0] != NULL) + (row->set[1] != NULL);
}

static int32_t tets_of(FrWorld *world) {
    const FrFrameView *view = fr_world_view(world);
    int32_t count = 0;
    for (int32_t k = 0; view && k < view->body_count; k++)
        count += view->body[k].mesh ? view->body[k].mesh->tet_count : 0;
    return count;
}

static FrResult time_world(FrBuilt *built, const FrScene *scene, int64_t ticks,
                           FrPaperBench *bench) {
    FrContext *ctx = built->ctx;
    FrWorld *world = built->world;
    bench->tets_start = tets_of(world);
    double start = fr_wall_seconds(), worked = fr_processor_seconds();
    for (int64_t k = 0; k < ticks; k++) {
        if (fr_context_cancelled(ctx)) return fr_fail(ctx, FR_INTERRUPTED, "stopped");
        FR_TRY(fr_build_births(built, scene));
        FR_TRY(fr_world_step(world));
    }
    bench->seconds = fr_wall_seconds() - start;
    bench->processor = fr_processor_seconds() - worked;
    bench->simulated = fr_world_time(world);
    FrWorldStats stats = fr_world_stats(world);
    double all = fr_max(bench->processor, 1e-9);
    bench->force = stats.force_seconds / all;
    bench->contact = stats.contact_seconds / all;
    bench->fracture = stats.fracture_seconds / all;
    bench->remesh = (stats.fracture_seconds - stats.scan_seconds) / all;
    bench->quiet_fracture = stats.quiet_fracture_seconds / fr_max(stats.quiet_seconds, 1e-9);
    bench->steps = stats.steps;
    bench->added_share = stats.added_share;
    bench->rigid_pieces = stats.rigid_pieces;
    bench->cracks = stats.cracks;
    bench->pieces = stats.pieces;
    bench->tets_end = tets_of(world);
    return FR_OK;
}

static FrResult time_scene(FrContext *ctx, const FrScene *scene, double until,
                           FrPaperBench *bench) {
    FrBuildOptions options = {.coarseness = 1.0};
    FrBuilt built;
    double duration = isnan(until) ? scene->scene.duration : until;
    FrTiming timing = fr_timing(duration, scene->scene.fps, fr_step_rate(scene, false));
    FrResult result = fr_build_meshes(ctx, scene, &options, &built);
    if (result == FR_OK) result = fr_build_world(&built, scene, timing.step);
    if (result == FR_OK) result = fr_build_start(&built, scene);
    if (result == FR_OK) result = fr_build_result(&built);
    if (result == FR_OK) result = time_world(&built, scene, timing.tick_count, bench);
    fr_built_free(&built);
    return result;
}

FrResult fr_paper_bench(FrContext *ctx, const char *path, const char *const *set, int32_t set_count,
                        double until, FrPaperBench *bench) {
    FrScene *scene;
    *bench = (FrPaperBench){0};
    FR_TRY(fr_load_scene_with(ctx, path, set, set_count, &scene));
    FrResult result = time_scene(ctx, scene, until, bench);
    fr_scene_free(scene);
    return result;
}

typedef struct Table {
    FrContext *ctx;
    FrWriter *w;
    FrJson json;
    bool as_json;
    const char *const *set;
    int32_t set_count;
    double until;
    const char *film;                            ///< folder; NULL: nothing is filmed
    double log_ratio, log_processor, log_filmed; ///< sums, for the geometric means
    double least, least_filmed;                  ///< ratios
    double contact;                              ///< sum of the shares
    int ratios;
} Table;

static double minutes_of(const FrPaperBench *b) { return b->seconds / 60.0 / b->simulated; }
static double filmed_minutes(const FrPaperBench *b) { return b->filmed / 60.0 / b->simulated; }
static double processor_minutes(const FrPaperBench *b) {
    return b->processor / 60.0 / b->simulated;
}

static void json_row(Table *t, const char *name, double printed_minutes, const FrPaperBench *b) {
    FrJson *j = &t->json;
    fr_json_object(j, NULL);
    fr_json_text(j, "scene", name);
    fr_json_number(j, "sim_seconds", b->simulated);
    fr_json_number(j, "seconds", b->seconds);
    fr_json_number(j, "processor_seconds", b->processor);
    fr_json_number(j, "minutes_per_second", minutes_of(b));
    fr_json_number(j, "paper_minutes_per_second", printed_minutes);
    fr_json_number(j, "ratio", printed_minutes / minutes_of(b));
    fr_json_number(j, "processor_ratio", printed_minutes / processor_minutes(b));
    if (b->filmed > 0.0) fr_json_number(j, "filmed_seconds", b->filmed);
    if (b->filmed > 0.0) fr_json_number(j, "filmed_ratio", printed_minutes / filmed_minutes(b));
    fr_json_number(j, "force_share", b->force);
    fr_json_number(j, "contact_share", b->contact);
    fr_json_number(j, "fracture_share", b->fracture);
    fr_json_number(j, "remesh_share", b->remesh);
    fr_json_number(j, "quiet_fracture_share", b->quiet_fracture);
    fr_json_number(j, "added_mass_share", b->added_share);
    fr_json_int(j, "rigid_pieces", b->rigid_pieces);
    fr_json_int(j, "steps", b->steps);
    fr_json_int(j, "cracks", b->cracks);
    fr_json_int(j, "pieces", b->pieces);
    fr_json_int(j, "tets_start", b->tets_start);
    fr_json_int(j, "tets_end", b->tets_end);
    fr_json_end(j);
}

static void text_row(Table *t, const char *name, double printed_minutes, const FrPaperBench *b) {
    fr_print(t->w,
             "%-14s %7.3f %8.1f %8.1f %9.3g %8.0f %8.0f %8.0f %8.0f  %5.0f %4.0f %4.0f %4.0f %5.0f "
             " %7lld "
             "%6lld %6d %6d %6.2f %5lld\n",
             name, b->simulated, b->seconds, b->processor, minutes_of(b), printed_minutes,
             printed_minutes / minutes_of(b), printed_minutes / processor_minutes(b),
             b->filmed > 0.0 ? printed_minutes / filmed_minutes(b) : 0.0, 100.0 * b->force,
             100.0 * b->contact, 100.0 * (b->fracture - b->remesh), 100.0 * b->remesh,
             100.0 * b->quiet_fracture, (long long)b->cracks, (long long)b->pieces, b->tets_start,
             b->tets_end, 100.0 * b->added_share, (long long)b->rigid_pieces);
}

/// One row to be measured.
typedef struct Trial {
    const char *path, *name;
    const char *const *set; ///< (set_count)
    int32_t set_count;
    double minutes; ///< printed, per second of film; 0: none
    double until;   ///< s; FR_CHOSEN: all of it
    bool apart;     ///< no part of the means
} Trial;

// with that of programs that ran for it: ffmpeg
static double all_processor_seconds(void) {
    struct rusage u;
    if (getrusage(RUSAGE_CHILDREN, &u) != 0) return fr_processor_seconds();
    return fr_processor_seconds() + (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// the whole of `fracas run`, but for sound
static FrResult time_filmed(Table *t, const Trial *trial, FrPaperBench *b) {
    FrRunDef run = fr_run_def_default();
    char *folder = fr_path_join(t->ctx, t->film, trial->name);
    FrText report = {NULL, 0};
    if (!folder) return fr_no_memory(t->ctx, "a benchmark");
    run.scene = trial->path;
    run.set = trial->set;
    run.set_count = trial->set_count;
    run.until = b->simulated;
    run.out = folder;
    run.restart = run.no_sound = true;
    run.detail = FR_DETAIL_NORMAL;
    double start = all_processor_seconds();
    FrResult result = fr_job_run(t->ctx, &run, true, &report);
    b->filmed = all_processor_seconds() - start;
    fr_text_free(t->ctx, &report);
    fr_free(t->ctx, folder);
    return result;
}

static void take_row(Table *t, const Trial *trial, const FrPaperBench *b) {
    double ratio = trial->minutes / minutes_of(b), filmed = HUGE_VAL;
    if (b->filmed > 0.0) filmed = trial->minutes / filmed_minutes(b);
    t->log_ratio += log(ratio);
    t->log_processor += log(trial->minutes / processor_minutes(b));
    t->log_filmed += b->filmed > 0.0 ? log(filmed) : 0.0;
    t->contact += b->contact;
    t->least = t->ratios ? fr_min(t->least, ratio) : ratio;
    t->least_filmed = t->ratios ? fr_min(t->least_filmed, filmed) : filmed;
    t->ratios++;
}

static FrResult add_row(Table *t, const Trial *trial) {
    FrPaperBench b;
    FR_TRY(fr_paper_bench(t->ctx, trial->path, trial->set, trial->set_count, trial->until, &b));
    bool counts = trial->minutes > 0.0 && !trial->apart;
    if (counts && t->film) FR_TRY(time_filmed(t, trial, &b));
    if (counts) take_row(t, trial, &b);
    if (t->as_json)
        json_row(t, trial->name, trial->minutes, &b);
    else
        text_row(t, trial->name, trial->minutes, &b);
    return FR_OK;
}

// the rows of a file; one without a figure when the papers have none
static FrResult add_scene(Table *t, const char *path) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    bool known = false;
    for (int k = 0; k < PRINTED && !t->set_count; k++) {
        const Printed *row = &printed[k];
        if (strcmp(row->file, file) != 0) continue;
        FR_TRY(add_row(t, &(Trial){path, row->name, row->set, set_count_of(row), row->minutes,
                                   t->until, row->apart}));
        known = true;
    }
    return known ? FR_OK
                 : add_row(t, &(Trial){path, file, t->set, t->set_count, 0.0, t->until, false});
}

static FrResult add_printed(Table *t, const char *folder) {
    FrResult result = FR_OK;
    for (int k = 0; result == FR_OK && k < PRINTED; k++) {
        const Printed *row = &printed[k];
        char *path = fr_path_join(t->ctx, folder, row->file);
        if (!path) return fr_no_memory(t->ctx, "a benchmark");
        result = add_row(t, &(Trial){path, row->name, row->set, set_count_of(row), row->minutes,
                                     isnan(t->until) ? row->until : t->until, row->apart});
        fr_free(t->ctx, path);
    }
    return result;
}

static FrResult add_folders(Table *t, const char *const *folder, int32_t count) {
    for (int32_t k = 0; k < count; k++) FR_TRY(add_printed(t, folder[k]));
    return FR_OK;
}

static FrResult add_scenes(Table *t, const char *const *path, int32_t count) {
    for (int32_t k = 0; k < count; k++) FR_TRY(add_scene(t, path[k]));
    return FR_OK;
}

static void begin_table(Table *t) {
    if (t->as_json) {
        fr_json_begin(&t->json, t->w, true);
        fr_json_object(&t->json, NULL);
        fr_json_array(&t->json, "scenes");
        return;
    }
    fr_print(
        t->w,
        "%-14s %7s %8s %8s %9s %8s %8s %8s %8s  %5s %4s %4s %4s %5s  %7s %6s %6s %6s %6s %5s\n",
        "scene", "s", "wall s", "cpu s", "min per s", "paper", "ratio", "cpu", "filmed", "force",
        "cont", "scan", "cut", "quiet", "cracks", "pieces", "tets", "end", "mass %", "rigid");
}

static FrResult end_table(Table *t, const char *papers) {
    double mean = t->ratios ? exp(t->log_ratio / t->ratios) : 0.0;
    double processor = t->ratios ? exp(t->log_processor / t->ratios) : 0.0;
    double filmed = t->film && t->ratios ? exp(t->log_filmed / t->ratios) : 0.0;
    double contact = t->ratios ? t->contact / t->ratios : 0.0;
    if (t->as_json) {
        fr_json_end(&t->json);
        fr_json_number(&t->json, "geometric_mean", mean);
        fr_json_number(&t->json, "processor_geometric_mean", processor);
        fr_json_number(&t->json, "least_ratio", t->least);
        fr_json_number(&t->json, "mean_contact_share", contact);
        if (t->film) fr_json_number(&t->json, "filmed_geometric_mean", filmed);
        if (t->film) fr_json_number(&t->json, "filmed_least_ratio", t->least_filmed);
        if (papers) FR_TRY(fr_sound_json(t->ctx, papers, &t->json));
        if (papers) FR_TRY(fr_bends_json(t->ctx, papers, &t->json));
        fr_json_end(&t->json);
        fr_print(t->w, "\n");
        return FR_OK;
    }
    fr_print(t->w,
             "geometric mean of the ratios %.0f, the least %.0f (goal >= 300, each >= 100); by "
             "processor time, of all cores together, %.0f\n",
             mean, t->least, processor);
    if (t->film)
        fr_print(t->w,
                 "filmed, by processor time (recording, pictures and film as the scene has it): "
                 "%.0f, the "
                 "least %.0f\n",
                 filmed, t->least_filmed);
    if (t->ratios) fr_print(t->w, "mean share of contact %.0f %%\n", 100.0 * contact);
    fr_print(
        t->w,
        "force, cont, scan, cut: %% of processor time for forces and motion, contact, scans "
        "for failed nodes, cutting; quiet: scans,\n"
        "in steps where nothing broke; mass, rigid: mass added for longer steps, and pieces "
        "made rigid\n"
        "rows of S7 (plate, tile, windows, its slab) are beside the time of its fracture stage, "
        "on a machine of its own, and in no mean\n");
    if (papers) FR_TRY(fr_sound_table(t->ctx, papers, t->w));
    return papers ? fr_bends_table(t->ctx, papers, t->w) : FR_OK;
}

static FrResult bench_table(Table *t, FrResult (*rows)(Table *, const char *const *, int32_t),
                            const char *const *path, int32_t count, FrText *text) {
    const char *papers = rows == add_folders ? path[0] : NULL;
    FrWriter w;
    *text = (FrText){NULL, 0};
    fr_writer_init(&w, t->ctx);
    t->w = &w;
    begin_table(t);
    FrResult result = rows(t, path, count);
    if (result == FR_OK) result = end_table(t, papers);
    if (result != FR_OK) {
        fr_writer_free(&w);
        return result;
    }
    return fr_text_take(&w, text);
}

FrResult fr_bench_scenes(FrContext *ctx, const FrBenchDef *job, bool json, FrText *text) {
    Table t = {.ctx = ctx,
               .as_json = json,
               .set = job->set,
               .set_count = job->set_count,
               .until = job->until,
               .film = job->film};
    return job->papers ? bench_table(&t, add_folders, &job->papers, 1, text)
                       : bench_table(&t, add_scenes, job->scene, job->scene_count, text);
}
