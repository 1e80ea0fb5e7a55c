// bench.c: `fracas bench`: kernels as ratios to limits that are measured in the same run.

#include "air/bench.h"
#include "base/words.h"
#include "bank/bench.h"
#include "contact/bench.h"
#include "fem/bench.h"
#include "corot/bench_corot.h"
#include "sound/bench.h"
#include "base/base.h"
#include "base/clock.h"
#include "base/json.h"
#include "bench/bench_bends.h"
#include "bench/bench_births.h"
#include "bench/bench_checkpoint.h"
#include "bench/bench_frames.h"
#include "bench/bench_modes.h"
#include "bench/bench_papers.h"
#include "bench/bench_surface.h"
#include "bench/bench_world.h"
#include "build/build.h"
#include "export/report_text.h"
#include "fracas/studio.h"
#include "geom/field.h"
#include "mesh/stuffing.h"
#include "mesh/tetmesh.h"
#include "run/simulate.h"
#include "score/bank_file.h"
#include <string.h>

#define FEM_TETS 100000
#define COROT_TETS 101000
#define SECONDS 1.0

typedef struct Bench {
    FrFemBench one;                  ///< one worker
    double force_seconds[2];         ///< the least with one worker and with two, s
    FrFemBench breaking;             ///< one worker, of what may break
    FrFemBench pair;                 ///< 40k tets, one worker: what contact is measured against
    FrContactBench contact;          ///< one worker
    FrWorldBench world;              ///< one worker
    FrCorotBench corot[2];           ///< one worker, two workers
    FrFramesBench frames;            ///< two workers
    double stuffing_tets_per_second; ///< one worker, field evaluation taken out
    double stuffing_share;           ///< part of the time that the field took
    int32_t stuffing_tets;
    FrSurfaceBench surface; ///< one worker
    FrSoundBench sound;     ///< one worker
    FrAirBench air;         ///< likewise
    FrBankBench bank;       ///< likewise; no pieces: no bank came with the program
    FrModesBench modes;     ///< one worker
    FrBendsBench bends;     ///< likewise
    double checkpoint;      ///< seconds, 100k tets
    double birth;           ///< seconds, of one of 300 bodies
} Bench;

static double ball_distance(const void *user, FrVec3 x) {
    (void)user;
    return fr_length(x) - 0.5;
}

// seconds per evaluation of the ball, from as many calls through the same pointer
static double evaluation_cost(const FrField *field, int64_t count) {
    double start = fr_wall_seconds();
    volatile double sink = 0.0;
    for (int64_t k = 0; k < count; k++)
        sink += fr_field_at(field, fr_vec3(1e-7 * (double)k, 0.1, 0.2));
    (void)sink;
    return (fr_wall_seconds() - start) / (double)count;
}

static FrResult bench_stuffing(FrContext *ctx, Bench *bench) {
    FrField field = {ball_distance, NULL, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}};
    FrStuffingOptions options = fr_stuffing_options_default(0.02);
    options.thin = FR_THIN_ALLOW;
    FrTetMesh mesh;
    FrStuffingReport report;
    double start = fr_wall_seconds();
    FR_TRY(fr_mesh_stuff(ctx, &field, &options, &mesh, &report));
    double seconds = fr_wall_seconds() - start,
           field_seconds = evaluation_cost(&field, report.evaluations);
    field_seconds *= (double)report.evaluations;
    bench->stuffing_tets = mesh.tet_count;
    bench->stuffing_tets_per_second = mesh.tet_count / (seconds - field_seconds);
    bench->stuffing_share = field_seconds / seconds;
    fr_tetmesh_free(ctx, &mesh);
    // its surface has 10,000 triangles where cells are as large as this
    FrStuffingOptions large = options;
    large.size = 0.0353;
    FR_TRY(fr_mesh_stuff(ctx, &field, &large, &mesh, NULL));
    FrResult result = fr_surface_bench(ctx, &mesh, &options, &bench->surface);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

static FrResult bench_modes(FrContext *ctx, Bench *bench) {
    return fr_modes_bench(ctx, &bench->modes);
}

// 300 pieces by the bank that came with the program
static FrResult bench_bank(FrContext *ctx, Bench *bench) {
    FrSoundbank *bank = NULL;
    char *path = fr_bank_shipped(ctx);
    if (!path) return FR_OK;
    FrResult result = fr_bank_open(ctx, path, &bank);
    if (result == FR_OK) result = fr_bank_bench(ctx, bank, &bench->bank);
    fr_soundbank_destroy(bank);
    fr_free(ctx, path);
    return result;
}

static FrResult bench_one_core(FrContext *ctx, Bench *bench) {
    FR_TRY(fr_fem_bench(ctx, FEM_TETS, SECONDS, false, &bench->one));
    FR_TRY(fr_fem_bench(ctx, FEM_TETS, SECONDS, true, &bench->breaking));
    FR_TRY(fr_contact_bench(ctx, 15, 200, &bench->contact));
    FR_TRY(fr_fem_bench(ctx, bench->contact.tets, SECONDS, false, &bench->pair));
    FR_TRY(fr_corot_bench(ctx, COROT_TETS, SECONDS, &bench->corot[0]));
    FR_TRY(fr_sound_bench(ctx, 2.0 * SECONDS, &bench->sound));
    FR_TRY(fr_air_bench(ctx, &bench->air));
    FR_TRY(bench_bank(ctx, bench));
    FR_TRY(fr_world_bench(ctx, 15, SECONDS, &bench->world));
    FR_TRY(fr_checkpoint_bench(ctx, &bench->checkpoint));
    FR_TRY(fr_births_bench(ctx, &bench->birth));
    FR_TRY(fr_bends_bench(ctx, SECONDS, &bench->bends));
    return bench_stuffing(ctx, bench);
}

static FrResult with_workers(FrContext *ctx, int32_t workers, FrResult (*run)(FrContext *, Bench *),
                             Bench *bench) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = workers;
    FrContext *own = fr_context_create(&def);
    if (!own) return fr_no_memory(ctx, "a benchmark");
    FrResult result = run(own, bench);
    if (result != FR_OK) fr_fail(ctx, result, "%s", fr_context_message(own));
    fr_context_destroy(own);
    return result;
}

static FrResult bench_two_cores(FrContext *ctx, Bench *bench) {
    FR_TRY(fr_corot_bench(ctx, COROT_TETS, SECONDS, &bench->corot[1]));
    return fr_frames_bench(ctx, SECONDS, &bench->frames);
}

static FrResult bench_force(FrContext *ctx, Bench *bench) {
    FrFemBench force;
    FR_TRY(fr_fem_bench(ctx, FEM_TETS, 0.3 * SECONDS, false, &force));
    double *least = &bench->force_seconds[force.workers - 1];
    *least = fr_min(*least, force.kernel_seconds);
    return FR_OK;
}

// in turn, and the best of each: where a body lies in memory changes its time by a tenth
static FrResult bench_speedup(FrContext *ctx, Bench *bench) {
    bench->force_seconds[0] = bench->force_seconds[1] = (double)INFINITY;
    for (int32_t k = 0; k < 10; k++) FR_TRY(with_workers(ctx, 1 + k % 2, bench_force, bench));
    return FR_OK;
}

typedef struct Row {
    const char *name, *meaning;
    double value, goal; ///< goal > 0: at least; < 0: at most
} Row;

#define ROW_COUNT 34

// of what memory lets a step take
static double share_of(const FrCorotBench *b) { return b->bytes / b->bandwidth / b->step_seconds; }

static Row *put_rows(Row *to, const Row *all, size_t bytes) {
    memcpy(to, all, bytes);
    return to + bytes / sizeof *all;
}

// forces, steps and contact of solids that step explicitly
static Row *force_rows(const Bench *b, Row *to) {
    const Row all[] = {
        {"peak_of_pipes", "measured AVX2 peak over lanes x pipes x clock", b->one.peak.of_pipes,
         0.9},
        {"force_of_peak", "elastic and viscous forces over the peak of one core, 100k tets",
         b->one.kernel_ratio, 0.20},
        {"force_breaking_of_peak",
         "the same of what may break: stresses are kept (their flops not counted)",
         b->breaking.kernel_ratio, 0.0},
        {"step_of_peak", "whole step without contact over the peak", b->one.step_ratio, 0.12},
        {"contact_step_of_peak", "whole step of two resting 20k-tet bodies over the peak",
         b->one.flops_per_tet / b->world.seconds_per_tet / b->one.peak.mixed, 0.0},
        {"two_core_speedup", "force kernel, two workers over one",
         b->force_seconds[0] / b->force_seconds[1], 1.8},
        {"contact_over_force",
         "detection of two resting 20k-tet bodies over their force evaluation",
         b->contact.seconds / b->pair.kernel_seconds, -1.0},
        {"contact_renew_over_force",
         "a detection that walks the trees anew, over a force evaluation",
         b->contact.seconds_renew / b->pair.kernel_seconds, 0.0},
        {"ball_over_force",
         "detection of a ball sunk into a 20k-tet body over the body's force evaluation",
         2.0 * b->contact.seconds_ball / b->pair.kernel_seconds, -1.0},
    };
    return put_rows(to, all, sizeof all);
}

// meshes of surfaces
static Row *mesh_rows(const Bench *b, Row *to) {
    const Row all[] = {
        {"stuffing_tets_per_second", "isosurface stuffing, one core, without the field",
         b->stuffing_tets_per_second, 300000.0},
        {"imported_tets_per_second",
         "stuffing of an imported surface, one core, its repair and distance field included",
         b->surface.tets_per_second, 0.0},
        {"broken_surface_of_imported",
         "the same with holes, seams, doubles, wrong turns and crossings, over the good one",
         b->surface.broken_tets_per_second / b->surface.tets_per_second, 0.0},
        {"broken_surface",
         "the time that the broken one would take by exact winding numbers, over what it takes",
         b->surface.exact_over_quick, 20.0},
    };
    return put_rows(to, all, sizeof all);
}

// sound, radiation and modes
static Row *sound_rows(const Bench *b, Row *to) {
    const Row all[] = {
        {"sound_float_modes", "ringing modes of one core in real time at 44.1 kHz, float",
         b->sound.float_modes, 200000.0},
        {"sound_double_modes", "the same, double", b->sound.double_modes, 100000.0},
        {"sound_over_naive", "float modes over a plain loop of two-term recurrences",
         b->sound.float_modes / b->sound.naive_modes, 0.0},
        {"air_surface", "CPU seconds that 5,120 panels take once, before any mode", b->air.surface,
         0.0},
        {"air_mode", "CPU seconds for the sound of one mode on them (limit: two cores in 0.7 s)",
         b->air.solve, -1.4},
        {"air_off", "how far it is off on a ball that swings, ka = 3", b->air.off, -0.008},
        {"air_transfer_us",
         "microseconds for the loudness of S7's plate at a new place: 76 modes, orders 2176 in all "
         "(S7: 300 on a graphics card, 156,000 on eight cores)",
         1e6 * b->air.transfer, -100.0},
        {"bank_pieces",
         "part of a core that 300 pieces by the soundbank take at 48 kHz, all ringing",
         b->bank.share, -0.25},
        {"bank_piece_ms", "CPU milliseconds to make one of them", 1e3 * b->bank.make, -20.0},
        {"modes_seconds", "CPU seconds for 106 modes of the D3 chime, linear tets",
         b->modes.seconds, 0.0},
        {"modes_over_calculix", "CalculiX's time for the same over ours (0: ccx is not installed)",
         b->modes.calculix_seconds / b->modes.seconds,
         b->modes.calculix_seconds > 0.0 ? 10.0 : 0.0},
        {"modes_memory", "our memory over CalculiX's (0: ccx is not installed)",
         b->modes.calculix_peak_mb > 0.0 ? b->modes.peak_mb / b->modes.calculix_peak_mb : 0.0,
         b->modes.calculix_peak_mb > 0.0 ? -1.5 : 0.0},
    };
    return put_rows(to, all, sizeof all);
}

// other models, and what bodies cost besides
static Row *body_rows(const Bench *b, Row *to) {
    const Row all[] = {
        {"rigid_real_time",
         "1,000 rigid boxes in stacks of ten, awake, 240 steps a second, two workers: simulated "
         "over wall time",
         b->frames.real_time, 1.0},
        {"modal_heap_real_time",
         "twenty soft cubes of 40 modes in a heap, one core: simulated over processor time",
         b->bends.heap_real_time, 1.0},
        {"modal_held_ms", "ms a step of one with ten points that go where they are told",
         1e3 * b->bends.held_seconds, -0.5},
        {"modal_skin_ms", "ms to put the 18,847 points of S1's brain where they are",
         1e3 * b->bends.skin_seconds, -0.5},
        {"corot_of_bandwidth",
         "corot step of 105k tets, 20 rounds of the solver: bytes it must move over a triad's, one "
         "core",
         share_of(&b->corot[0]), 0.6},
        {"corot_of_bandwidth_two", "the same, two workers", share_of(&b->corot[1]), 0.6},
        {"corot_over_plain",
         "matrix and solver in a plain loop over rows of single numbers, over ours",
         b->corot[0].plain_seconds / b->corot[0].solve_seconds, 4.0},
        {"checkpoint_share", "a checkpoint of 100k tets over the minute between two",
         b->checkpoint / FR_CHECKPOINT_EVERY, -0.02},
        {"birth_ms", "ms to bear one of 300 bodies of 48 tets between two steps", 1e3 * b->birth,
         -1.0},
    };
    return put_rows(to, all, sizeof all);
}

static void rows_of(const Bench *b, Row row[ROW_COUNT]) {
    Row *end = body_rows(b, sound_rows(b, mesh_rows(b, force_rows(b, row))));
    FR_ASSERT(end == row + ROW_COUNT, "count the rows");
}

static void print_rows(FrWriter *w, const Bench *b, const Row row[ROW_COUNT]) {
    fr_print(w,
             "one core: %.2f GHz, peak %.1f GFLOP/s (AVX2 double, no FMA, %.0f pipes); %.0f flops "
             "a tet\n",
             1e-9 * b->one.peak.clock_hz, 1e-9 * b->one.peak.mixed, b->one.peak.pipes,
             b->one.flops_per_tet);
    fr_print(w,
             "force kernel %.1f ns a tet, whole step %.1f ns a tet, with contact %.1f ns a tet\n",
             1e9 / b->one.kernel_tets_per_second, 1e9 / b->one.step_tets_per_second,
             1e9 * b->world.seconds_per_tet);
    fr_print(w,
             "modes: %d of %d nodes in %.2f s, %.0f MB; CalculiX %.2f s, %.0f MB, frequencies "
             "within %.1e (it sums the mass of a linear tet at one point)\n",
             b->modes.modes, b->modes.nodes, b->modes.seconds, b->modes.peak_mb,
             b->modes.calculix_seconds, b->modes.calculix_peak_mb, b->modes.calculix_off);
    fr_print(w, "detection: %d overlaps of tets in %.2f ms, %d of a ball in %.2f ms\n\n",
             b->contact.contacts, 1e3 * b->contact.seconds, b->contact.ball_contacts,
             1e3 * b->contact.seconds_ball);
    for (int k = 0; k < ROW_COUNT; k++) {
        fr_print(w, "%-26s %10.4g", row[k].name, row[k].value);
        if (row[k].goal > 0.0) fr_print(w, "  (goal >= %g)", row[k].goal);
        if (row[k].goal < 0.0) fr_print(w, "  (goal <= %g)", -row[k].goal);
        fr_print(w, "  %s\n", row[k].meaning);
    }
}

static void json_rows(FrWriter *w, const Bench *b, const Row row[ROW_COUNT]) {
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_number(&j, "clock_hz", b->one.peak.clock_hz);
    fr_json_number(&j, "peak_flops", b->one.peak.mixed);
    fr_json_number(&j, "pipes", b->one.peak.pipes);
    fr_json_number(&j, "flops_per_tet", b->one.flops_per_tet);
    fr_json_number(&j, "force_ns_per_tet", 1e9 / b->one.kernel_tets_per_second);
    fr_json_number(&j, "step_ns_per_tet", 1e9 / b->one.step_tets_per_second);
    fr_json_number(&j, "contact_step_ns_per_tet", 1e9 * b->world.seconds_per_tet);
    fr_json_int(&j, "imported_triangles", b->surface.triangles);
    fr_json_int(&j, "broken_triangles", b->surface.broken_triangles);
    for (int k = 0; k < ROW_COUNT; k++) fr_json_number(&j, row[k].name, row[k].value);
    fr_json_end(&j);
}

static FrResult bench_kernels(FrContext *ctx, bool json, FrText *text) {
    Bench bench = {.stuffing_tets = 0};
    Row row[ROW_COUNT];
    FR_TRY(with_workers(ctx, 1, bench_modes, &bench));
    FR_TRY(with_workers(ctx, 1, bench_one_core, &bench));
    FR_TRY(with_workers(ctx, 2, bench_two_cores, &bench));
    FR_TRY(bench_speedup(ctx, &bench));
    rows_of(&bench, row);
    FrWriter w;
    fr_writer_init(&w, ctx);
    if (json)
        json_rows(&w, &bench, row);
    else
        print_rows(&w, &bench, row);
    return fr_text_take(&w, text);
}

FrResult fr_job_bench(FrContext *ctx, const FrBenchDef *job, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && job && text);
    *text = (FrText){NULL, 0};
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_bench_def_default()");
    FR_NEED_WORDS(ctx, job->scene, job->scene_count);
    FR_NEED_WORDS(ctx, job->set, job->set_count);
    if (job->papers && job->scene_count)
        return fr_fail(ctx, FR_BAD_USE, "scenes or those of the papers, not both");
    if (job->film && !job->papers)
        return fr_fail(ctx, FR_BAD_USE, "--film is for --papers; fracas run films a scene");
    if (!isnan(job->until) && !(job->until > 0.0))
        return fr_fail(ctx, FR_BAD_USE, "cannot run until %g s", job->until);
    if (job->papers || job->scene_count) return fr_bench_scenes(ctx, job, json, text);
    return bench_kernels(ctx, json, text);
}
