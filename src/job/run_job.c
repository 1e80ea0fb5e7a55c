// run_job.c: `fracas run`: read, mesh, simulate, film; goes on where it stopped, does nothing where
// nothing changed.

#include "base/clock.h"
#include "base/words.h"
#include "base/file.h"
#include "base/hash.h"
#include "build/initial_overlap.h"
#include "build/scene_keys.h"
#include "build/scene_load.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "output/outputs.h"
#include "run/estimate.h"
#include "run/simulate.h"
#include "scene/scene_files.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// s: as good as no time between two checkpoints.
#define AT_ONCE 1e-9

typedef struct Run {
    FrContext *ctx;
    const FrRunDef *options;
    FrScene *scene;
    FrWriter json; ///< the resolved scene
    uint64_t key;  ///< hash of all that decides the motion, but for how long it goes on
    FrTiming timing;
    FrOutputs outputs;
    FrBuilt built;
    FrRunNumbers numbers;
} Run;

static double coarseness(FrDetail detail) {
    return detail == FR_DETAIL_DRAFT ? 1.5 : detail == FR_DETAIL_FINE ? 2.0 / 3.0 : 1.0;
}

static FrResult open_folder(Run *run) {
    const FrRunDef *options = run->options;
    FrText folder = {NULL, 0};
    if (!options->out)
        FR_TRY(
            fr_default_folder(run->ctx, options->scene, options->set, options->set_count, &folder));
    FrResult result =
        fr_outputs_init(&run->outputs, run->ctx, options->out ? options->out : folder.data);
    fr_text_free(run->ctx, &folder);
    return result;
}

// everything that decides the motion: the scene, its mesh files, and what the command line changes;
// but not how long it goes on, so that a run can be made longer
static FrResult find_key(Run *run) {
    FrHash hash;
    fr_hash_begin(&hash, 0);
    FR_TRY(fr_scene_motion_hash(run->ctx, run->scene, &hash));
    fr_hash_u64(&hash, (uint64_t)run->options->detail);
    fr_hash_f64(&hash, run->timing.fps);
    FR_TRY(fr_scene_files_hash(run->ctx, run->scene, &hash));
    run->key = fr_hash_end(&hash);
    return FR_OK;
}

static FrResult check_options(const Run *run) {
    double fps = run->options->fps, until = run->options->until;
    if (!isnan(fps) && !(fps >= 1.0 && fps <= 1e5))
        return fr_fail(run->ctx, FR_BAD_USE, "%g frames per second; 1 to 100000 are possible", fps);
    if (!isnan(until) && !(until > 0.0 && isfinite(until)))
        return fr_fail(run->ctx, FR_BAD_USE, "cannot run until %g s", until);
    if (run->options->checkpoint_every < 0.0)
        return fr_fail(run->ctx, FR_BAD_USE, "%g s between checkpoints; 0 or more are possible",
                       run->options->checkpoint_every);
    return FR_OK;
}

static FrTiming choose_timing(const Run *run) {
    const FrRunDef *options = run->options;
    double duration = run->scene->scene.duration;
    if (options->until > duration)
        fr_log(run->ctx, FR_LOG_WARNING, "the scene ends at %.4g s, before the %.4g s asked for",
               duration, options->until);
    if (!isnan(options->until)) duration = fr_min(options->until, duration);
    return fr_timing(duration, isnan(options->fps) ? run->scene->scene.fps : options->fps,
                     fr_step_rate(run->scene, run->scene->sound.microphone));
}

static FrResult build(Run *run) {
    double start = fr_wall_seconds();
    FrBuildOptions options = {.coarseness = coarseness(run->options->detail)};
    FR_TRY(fr_build_meshes(run->ctx, run->scene, &options, &run->built));
    FR_TRY(fr_build_world(&run->built, run->scene, run->timing.step));
    run->timing = fr_timing_for(run->timing, fr_built_substep(&run->built, run->scene));
    FR_TRY(fr_world_set_step(run->built.world, run->timing.step));
    FR_TRY(fr_build_start(&run->built, run->scene));
    FR_TRY(fr_build_result(&run->built));
    run->numbers.mesh_seconds += fr_wall_seconds() - start;
    return FR_OK;
}

static FrResult read_scene(Run *run) {
    FR_TRY(check_options(run));
    FR_TRY(fr_load_scene(run->ctx, run->options, &run->scene));
    FR_TRY(fr_scene_json(run->ctx, run->scene, &run->json));
    fr_write_u8(&run->json, 0); // ends the text
    FR_TRY(fr_writer_result(&run->json));
    run->timing = choose_timing(run);
    FrResult result = find_key(run);
    // a file cannot be read: building finds what else is wrong
    if (result == FR_BAD_INPUT) FR_TRY(build(run));
    FR_TRY(result);
    return open_folder(run);
}

static FrRecorderDef recorder_def(const Run *run) {
    const FrSceneBurst *bursts = run->scene->film.burst;
    return (FrRecorderDef){.scene_json = (const char *)run->json.data,
                           .scene_hash = run->key,
                           .seed = (uint64_t)run->scene->scene.seed,
                           .fps = run->timing.fps,
                           .duration = run->timing.duration,
                           .tick_seconds = run->timing.step,
                           .pose_hz = 1.0 / (run->timing.step * run->timing.ticks_per_pose),
                           .burst_hz = bursts ? bursts->rate : 0.0};
}

static FrResult start_recording(Run *run, FrSimulation *sim) {
    FrRecorderDef def = recorder_def(run);
    FR_TRY(fr_recorder_create(run->ctx, run->outputs.run, &def, &sim->recorder));
    return fr_simulate_begin(sim);
}

// what broke, and how many nodes and tets there are at the end
static FrResult record_breaks(Run *run, FrSimulation *sim, const FrWorldStats *stats) {
    const FrFrameView *view = fr_world_view(run->built.world);
    if (!view) return fr_no_memory(run->ctx, "the last view");
    int64_t number[6] = {stats->cracks, stats->pieces, 0, 0, 0, 0};
    for (int32_t k = 0; k < view->body_count; k++) {
        if (!view->body[k].mesh) continue;
        number[2] += view->body[k].mesh->node_count;
        number[3] += view->body[k].mesh->tet_count;
    }
    for (int32_t k = 0; k < run->built.mesh_count; k++) {
        number[4] += run->built.mesh[k].mesh.node_count;
        number[5] += run->built.mesh[k].mesh.tet_count;
    }
    const char *name[6] = {"cracks",   "pieces_born", "nodes_end",
                           "tets_end", "nodes_start", "tets_start"};
    for (int k = 0; k < 6; k++) {
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)number[k]);
        FR_TRY(fr_recorder_meta(sim->recorder, name[k], text));
    }
    return FR_OK;
}

// bodies that ended inside others or went under planes; nothing where there are none
static FrResult record_sunk(Run *run, FrSimulation *sim) {
    const FrFrameView *view = fr_world_view(run->built.world);
    if (!view) return fr_no_memory(run->ctx, "the last view");
    FrWriter lines;
    fr_writer_init(&lines, run->ctx);
    FrResult result = fr_find_sunk(run->ctx, run->scene, view, &lines);
    if (result == FR_OK) view = fr_roster_view(run->ctx, &sim->roster, view);
    if (!view) result = fr_no_memory(run->ctx, "the last view");
    if (result == FR_OK) result = fr_find_under(run->ctx, run->scene, view, &sim->under, &lines);
    fr_write_u8(&lines, 0);
    if (result == FR_OK) result = fr_writer_result(&lines);
    if (result == FR_OK) result = fr_recorder_meta(sim->recorder, "sunk", (char *)lines.data);
    fr_writer_free(&lines);
    return result;
}

// what kept steps long
static FrResult record_step_cost(FrSimulation *sim, const FrWorldStats *stats) {
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"added_mass", stats->added_mass},        {"added_mass_share", stats->added_share},
        {"below_step_floor", stats->below_floor}, {"rigid_pieces", (double)stats->rigid_pieces},
        {"rigid_volume", stats->rigid_volume},    {"dust_pieces", (double)stats->dust_pieces},
        {"dust_mass", stats->dust_mass},          {"dust_mass_share", stats->dust_share},
        {"dust_energy", stats->dust_energy}};
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", number[k].value);
        FR_TRY(fr_recorder_meta(sim->recorder, number[k].name, text));
    }
    return FR_OK;
}

static FrResult record_numbers(Run *run, FrSimulation *sim) {
    char text[32];
    FrWorldStats stats = fr_world_stats(run->built.world);
    uint64_t hash = fr_world_hash(run->built.world);
    if (!hash) return fr_no_memory(run->ctx, "the hash of the state");
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    FR_TRY(fr_recorder_meta(sim->recorder, "state_hash", text));
    snprintf(text, sizeof text, "%lld", (long long)stats.steps);
    FR_TRY(fr_recorder_meta(sim->recorder, "steps", text));
    snprintf(text, sizeof text, "%lld", (long long)stats.rejected);
    FR_TRY(fr_recorder_meta(sim->recorder, "rejected_steps", text));
    snprintf(text, sizeof text, "%d", stats.guarded_tets);
    FR_TRY(fr_recorder_meta(sim->recorder, "guarded_tets", text));
    snprintf(text, sizeof text, "%.17g", stats.momentum_drift);
    FR_TRY(fr_recorder_meta(sim->recorder, "momentum_drift", text));
    snprintf(text, sizeof text, "%.17g", stats.overlap);
    FR_TRY(fr_recorder_meta(sim->recorder, "overlap", text));
    FR_TRY(record_sunk(run, sim));
    FR_TRY(record_step_cost(sim, &stats));
    return record_breaks(run, sim, &stats);
}

// an early picture tells at once whether camera and shapes are as meant; it must never stop a run
static void early_poster(Run *run) {
    FrRecording *recording;
    if (run->options->no_film || fr_recording_open(run->ctx, run->outputs.run, &recording) != FR_OK)
        return;
    if (fr_output_poster(&run->outputs, recording, run->scene) != FR_OK)
        fr_log(run->ctx, FR_LOG_WARNING, "no poster: %s", fr_context_message(run->ctx));
    fr_recording_close(recording);
}

static FrResult simulate_from(Run *run, FrSimulation *sim, const FrResumePoint *point) {
    if (point->state == FR_RUN_STARTED && point->bytes) {
        FR_TRY(fr_simulate_load(sim, point->bytes, point->size));
        fr_log(run->ctx, FR_LOG_INFO, "going on at %.4g s of %.4g s",
               fr_world_time(run->built.world), run->timing.duration);
    } else {
        // nothing worth keeping: start over
        fr_recorder_close(sim->recorder);
        sim->recorder = NULL;
        FR_TRY(start_recording(run, sim));
        early_poster(run);
    }
    FR_TRY(fr_simulate(sim));
    if (sim->microphone) FR_TRY(fr_output_track(&run->outputs, sim->microphone));
    FR_TRY(record_numbers(run, sim));
    FR_TRY(fr_simulate_end(sim));
    double seconds; // of this part; a finished run that goes on has an earlier one
    FR_TRY(fr_recorder_timing_get(sim->recorder, "simulate", &seconds));
    run->numbers.simulate_seconds += seconds;
    FR_TRY(fr_recorder_timing_get(sim->recorder, "checkpoint", &seconds));
    run->numbers.checkpoint_seconds += seconds;
    return fr_recorder_finish(sim->recorder);
}

static FrResult load_text(FrContext *ctx, const char *path, FrText *text) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(ctx, path, 64u << 20, &bytes, &size));
    *text = (FrText){(char *)bytes, size};
    return FR_OK;
}

// how long things took when they were done; a later run that only adds a picture keeps these
static FrResult keep_numbers(Run *run) {
    FrText report;
    if (access(run->outputs.report, F_OK)) return FR_OK;
    FR_TRY(load_text(run->ctx, run->outputs.report, &report));
    run->numbers.mesh_seconds = fr_report_number(&report, "mesh");
    run->numbers.simulate_seconds = fr_report_number(&report, "simulate");
    run->numbers.checkpoint_seconds = fr_report_number(&report, "checkpoint");
    run->numbers.film_seconds = fr_report_number(&report, "film");
    fr_text_free(run->ctx, &report);
    return FR_OK;
}

// the same for a motion whose film or report did not come to its end
static void keep_spent(Run *run) {
    const FrSpent *spent = &run->outputs.spent;
    if (!spent->source || spent->source != run->outputs.source) return;
    run->numbers.mesh_seconds = 1e-6 * (double)spent->mesh;
    run->numbers.simulate_seconds = 1e-6 * (double)spent->simulate;
    run->numbers.checkpoint_seconds = 1e-6 * (double)spent->checkpoint;
}

// A run that was stopped or finished goes on to another end, if that is not behind it already.
static FrResult take_up(Run *run, FrSimulation *sim, FrResumePoint *point) {
    FrRecorderDef def = recorder_def(run);
    double wanted = run->timing.duration, had = point->duration;
    bool finished = point->state == FR_RUN_FINISHED;
    if (finished && had == wanted) return FR_OK;
    double reached = finished ? had : (double)point->tick * point->tick_seconds;
    if (finished ? wanted < had : reached > wanted + point->tick_seconds)
        return fr_fail(run->ctx, FR_BAD_USE,
                       "%s holds this scene up to %.4g s already, and %.4g s are asked for; use "
                       "--restart for a shorter run, or -o for another folder (the old run is "
                       "kept)",
                       run->outputs.folder, reached, wanted);
    if (!finished) return fr_recorder_retarget(sim->recorder, &def);
    FR_TRY(keep_numbers(run));
    FrResult result =
        fr_recorder_open_extend(run->ctx, run->outputs.run, &def, &sim->recorder, point);
    if (result != FR_BAD_USE) return result;
    return fr_fail_within(run->ctx, result, "a longer run needs --restart: ");
}

// the first thing in which the motion that was recorded differs from the one that is wanted; "":
// not known
static FrResult find_difference(Run *run, FrText *difference) {
    FrRecording *recording;
    FR_TRY(fr_recording_open(run->ctx, run->outputs.run, &recording));
    FrScene *scene = fr_recording_scene(run->ctx, recording);
    FrResult result = scene ? fr_scene_difference(run->ctx, scene, run->scene, difference)
                            : fr_text_print(run->ctx, difference, "%s", "");
    fr_scene_free(scene);
    fr_recording_close(recording);
    return result;
}

static FrResult refuse(Run *run) {
    FrText difference = {NULL, 0};
    FrResult result = find_difference(run, &difference);
    if (result == FR_OK)
        result = fr_fail(run->ctx, FR_BAD_USE,
                         "%s holds a run of another scene or with other settings%s; use --restart "
                         "to replace it, or -o for another folder (the old run is kept)",
                         run->outputs.folder, difference.data);
    fr_text_free(run->ctx, &difference);
    return result;
}

static FrResult check_resume(Run *run, FrSimulation *sim, FrResumePoint *point) {
    if (run->options->restart) return FR_OK;
    FrResult result =
        fr_recorder_open_resume(run->ctx, run->outputs.run, run->key, &sim->recorder, point);
    if (result == FR_OK && point->state != FR_RUN_ABSENT) return take_up(run, sim, point);
    return result == FR_BAD_USE ? refuse(run) : result;
}

// what goes on was reported of its meshes and steps when it began
static FrResult build_for(Run *run, const FrResumePoint *point) {
    fr_log_hush(run->ctx, point->bytes != NULL);
    FrResult result = build(run);
    fr_log_hush(run->ctx, false);
    return result;
}

static FrResult simulate(Run *run, bool *was_finished) {
    FrSimulation sim = {.ctx = run->ctx, .built = &run->built, .scene = run->scene};
    if (!isnan(run->options->checkpoint_every))
        sim.checkpoint_every = fr_max(run->options->checkpoint_every, AT_ONCE);
    sim.bursts = run->scene->film.burst;
    FrResumePoint point = {.state = FR_RUN_ABSENT, .tick = -1};
    FrResult checked = check_resume(run, &sim, &point);
    if (checked != FR_OK) {
        fr_recorder_close(sim.recorder);
        fr_free(run->ctx, point.bytes);
        return checked;
    }
    *was_finished = point.state == FR_RUN_FINISHED;
    FrResult result = *was_finished ? FR_OK : build_for(run, &point);
    fr_built_drop_whole(&run->built);
    sim.timing = run->timing;
    if (result == FR_OK && !*was_finished && run->scene->sound.microphone)
        result =
            fr_output_microphone(&run->built, run->scene, 1.0 / run->timing.step, &sim.microphone);
    if (result == FR_OK && !*was_finished) result = simulate_from(run, &sim, &point);
    fr_simulate_close(&sim);
    fr_microphone_destroy(sim.microphone);
    fr_free(run->ctx, point.bytes);
    return result;
}

// film and report come even where the sound cannot be made
static FrResult sound_or_warn(Run *run, FrRecording *recording) {
    FrResult result = fr_output_sound(&run->outputs, recording, run->scene);
    if (result != FR_BAD_INPUT && result != FR_NUMERICAL) return result;
    fr_log(run->ctx, FR_LOG_WARNING, "no sound: %s (--no-sound leaves it out)",
           fr_context_message(run->ctx));
    return FR_OK;
}

static FrResult write_outputs(Run *run, FrRecording *recording) {
    double start = fr_wall_seconds();
    FrResult result = FR_OK;
    if (!run->options->no_sound) result = sound_or_warn(run, recording);
    if (result == FR_OK && !run->options->no_film)
        result = fr_output_pictures(&run->outputs, recording, run->scene);
    run->numbers.film_seconds += fr_wall_seconds() - start;
    run->numbers.command = run->options->command;
    if (result == FR_OK)
        result = fr_output_tables(&run->outputs, recording, run->scene, &run->numbers);
    return result;
}

// what the scene asks for now and is not there yet
static FrResult renew_outputs(Run *run, bool was_finished) {
    FrRecording *recording;
    FR_TRY(fr_recording_open(run->ctx, run->outputs.run, &recording));
    FrResult result =
        fr_outputs_source(&run->outputs, recording, run->scene, !run->options->no_sound);
    if (result == FR_OK)
        result = was_finished ? keep_numbers(run) : fr_output_spent(&run->outputs, &run->numbers);
    if (result == FR_OK && was_finished &&
        !fr_output_made_from(&run->outputs, run->outputs.report, run->outputs.source))
        keep_spent(run);
    if (result == FR_OK &&
        !(was_finished && fr_outputs_all_there(&run->outputs, !run->options->no_film)))
        result = write_outputs(run, recording);
    fr_recording_close(recording);
    return result;
}

// the one line that a run ends with
static FrResult closing_line(Run *run, const FrText *report, FrText *summary) {
    double seconds = fr_report_number(report, "mesh") + fr_report_number(report, "simulate") +
                     fr_report_number(report, "film");
    long long bodies = (long long)fr_report_number(report, "bodies");
    char time[32], tets[64], broke[64];
    fr_duration_text(seconds, time);
    fr_tets_text((int64_t)fr_report_number(report, "tets_start"),
                 (int64_t)fr_report_number(report, "tets_end"), tets);
    fr_broke_text(bodies, (int64_t)fr_report_number(report, "pieces"),
                  (int64_t)fr_report_number(report, "cracks"), broke);
    return fr_text_print(run->ctx, summary, "%s: %lld %s, %s%s, %s, energy closes to %.2g %%\n",
                         run->options->no_film ? run->outputs.run : run->outputs.page, bodies,
                         fr_bodies(bodies), tets, broke, time,
                         100.0 * fr_report_number(report, "closure"));
}

static FrResult go(Run *run, bool json, FrText *summary) {
    FR_TRY(read_scene(run));
    if (run->options->dry_run) {
        FR_TRY(build(run));
        return fr_estimate(&run->built, run->scene, &run->timing, coarseness(run->options->detail),
                           json, summary);
    }
    bool was_finished;
    FR_TRY(fr_outputs_claim(&run->outputs));
    FR_TRY(simulate(run, &was_finished));
    FR_TRY(renew_outputs(run, was_finished));
    // an encoder whose run was killed may have begun its file after the claim
    FR_TRY(fr_outputs_tidy(&run->outputs));
    FrText report;
    FR_TRY(load_text(run->ctx, run->outputs.report, &report));
    if (json) {
        *summary = report;
        return FR_OK;
    }
    FrResult result = closing_line(run, &report, summary);
    fr_text_free(run->ctx, &report);
    return result;
}

FrResult fr_job_run(FrContext *ctx, const FrRunDef *options, bool json, FrText *summary) {
    FR_NEED_ALL(ctx, ctx && options && summary);
    Run run = {.ctx = ctx, .options = options};
    *summary = (FrText){NULL, 0};
    FR_NEED(ctx, options->cookie == FR_COOKIE, "start from fr_run_def_default()");
    FR_NEED(ctx, options->scene, "name a scene");
    FR_NEED_WORDS(ctx, options->set, options->set_count);
    fr_writer_init(&run.json, ctx);
    FrResult result = go(&run, json, summary);
    fr_built_free(&run.built);
    fr_outputs_free(&run.outputs);
    fr_writer_free(&run.json);
    fr_scene_free(run.scene);
    return result;
}
