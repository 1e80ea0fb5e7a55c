// output_tables.c: events.csv, report.json and index.html from a recording; the closing line.

#include "output/outputs.h"
#include "base/file.h"
#include "export/page.h"
#include "export/piece_list.h"
#include "export/report.h"
#include "export/report_text.h"
#include "export/tables.h"
#include "math/vec.h"
#include "run/ledger.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// All that is read from the recording for tables.
typedef struct Tables {
    FrContext *ctx;
    FrRecording *recording;
    FrEventLog events;
    FrEnergyRow *energy;
    int32_t energy_count;
    const char **name; ///< of each body
    int32_t name_count;
    int64_t tets, nodes;
    FrReportSunk *sunk;
    FrPieceRow *piece; ///< (report.piece_count)
    FrReport report;
} Tables;

static FrResult read_names(Tables *t) {
    const FrRecordingInfo *info = fr_recording_info(t->recording);
    t->name = (const char **)fr_alloc_zero(t->ctx, (size_t)info->body_count, sizeof *t->name);
    if (!t->name) return fr_no_memory(t->ctx, "names");
    t->name_count = info->body_count;
    for (int32_t k = 0; k < info->body_count; k++) {
        FrRecordingBody body;
        fr_recording_body(t->recording, k, &body);
        t->name[k] = body.view->name;
        bool there = body.died == INT64_MAX;
        if (body.view->kind != FR_BODY_PLANE && there) t->report.bodies++;
        if (!body.view->mesh) continue;
        t->tets += body.view->mesh->tet_count;
        t->nodes += body.view->mesh->node_count;
    }
    return FR_OK;
}

static uint64_t meta_hash(const FrRecording *recording, const char *key, int base) {
    const char *text = fr_recording_meta(recording, key);
    return text ? strtoull(text, NULL, base) : 0;
}

static FrResult fill_energy(Tables *t) {
    FrReport *r = &t->report;
    FrLedger ledger;
    if (t->energy_count == 0) return FR_OK;
    r->energy = t->energy[t->energy_count - 1];
    FR_TRY(fr_energy_ledger(t->recording, t->energy, t->energy_count, &ledger));
    r->energy_start = ledger.start;
    r->energy_closure = fr_ledger_closure(&ledger);
    r->energy_peak = ledger.peak;
    return FR_OK;
}

// lines "inner outer share depth" of fr_find_sunk and fr_find_under; an older run has no depth, or
// none of them
static FrResult fill_sunk(Tables *t) {
    const char *text = fr_recording_meta(t->recording, "sunk");
    int32_t count = 0;
    for (const char *at = text; at && *at; at++) count += *at == '\n';
    t->sunk = FR_NEW(t->ctx, FrReportSunk, count + 1);
    if (!t->sunk) return fr_no_memory(t->ctx, "the report");
    for (int32_t k = 0; k < count; k++, text = strchr(text, '\n') + 1) {
        int inner, outer, used = 0;
        double share;
        if (sscanf(text, "%d %d %lf%n", &inner, &outer, &share, &used) != 3 || inner < 0 ||
            outer < 0 || inner >= t->name_count || outer >= t->name_count)
            continue; // not what this program writes
        double depth = text[used] == ' ' ? strtod(text + used, NULL) : 0.0;
        t->sunk[t->report.sunk_count++] =
            (FrReportSunk){t->name[inner], t->name[outer], share, depth};
    }
    t->report.sunk = t->sunk;
    return FR_OK;
}

static double meta_number(const FrRecording *recording, const char *key) {
    const char *text = fr_recording_meta(recording, key);
    return text ? strtod(text, NULL) : 0.0;
}

static void fill_step_cost(Tables *t) {
    FrReport *r = &t->report;
    r->added_mass = meta_number(t->recording, "added_mass");
    r->added_share = meta_number(t->recording, "added_mass_share");
    r->below_floor = meta_number(t->recording, "below_step_floor") != 0.0;
    r->rigid_pieces = (int64_t)meta_number(t->recording, "rigid_pieces");
    r->rigid_volume = meta_number(t->recording, "rigid_volume");
    r->dust_pieces = (int64_t)meta_number(t->recording, "dust_pieces");
    r->dust_mass = meta_number(t->recording, "dust_mass");
    r->dust_share = meta_number(t->recording, "dust_mass_share");
    r->dust_energy = meta_number(t->recording, "dust_energy");
}

static FrResult fill_report(Tables *t) {
    const FrRecordingInfo *info = fr_recording_info(t->recording);
    FrReport *r = &t->report;
    r->scene_hash = info->scene_hash;
    r->state_hash = meta_hash(t->recording, "state_hash", 16);
    r->seed = info->seed;
    r->sim_seconds = info->frame_count ? info->t[info->frame_count - 1] : 0.0;
    r->steps = (int64_t)meta_hash(t->recording, "steps", 10);
    r->rejected_steps = (int64_t)meta_hash(t->recording, "rejected_steps", 10);
    r->guarded_tets = (int64_t)meta_hash(t->recording, "guarded_tets", 10);
    r->cracks = (int64_t)meta_hash(t->recording, "cracks", 10);
    r->pieces = (int32_t)fr_pieces_by(&t->events, r->bodies, HUGE_VAL);
    r->nodes_start = r->nodes_end = t->nodes;
    r->tets_start = r->tets_end = t->tets;
    if (fr_recording_meta(t->recording, "tets_end")) {
        r->nodes_end = (int64_t)meta_hash(t->recording, "nodes_end", 10);
        r->tets_end = (int64_t)meta_hash(t->recording, "tets_end", 10);
        r->nodes_start = (int64_t)meta_hash(t->recording, "nodes_start", 10);
        r->tets_start = (int64_t)meta_hash(t->recording, "tets_start", 10);
    }
    r->events = t->events.count;
    const char *drift = fr_recording_meta(t->recording, "momentum_drift");
    r->momentum_drift = drift ? strtod(drift, NULL) : (double)NAN; // null: an older run
    FR_TRY(fill_energy(t));
    r->overlap = meta_number(t->recording, "overlap");
    FR_TRY(fill_sunk(t));
    fill_step_cost(t);
    FR_TRY(fr_recording_hash(t->recording, &r->frame_hash, &r->event_hash));
    r->crack_sum = fr_crack_sum(&t->events);
    FR_TRY(fr_recorded_pieces(t->ctx, t->recording, &t->events, &t->piece, &r->piece_count));
    r->piece = t->piece;
    return FR_OK;
}

static FrResult read_tables(Tables *t) {
    FR_TRY(fr_recording_events(t->recording, &t->events));
    FR_TRY(fr_recording_energy(t->recording, &t->energy, &t->energy_count));
    FR_TRY(read_names(t));
    return fill_report(t);
}

static FrResult write_report(Tables *t, FrOutputs *outputs, const FrRunNumbers *numbers) {
    const FrReportStage all[] = {{"mesh", numbers->mesh_seconds},
                                 {"simulate", numbers->simulate_seconds},
                                 {"checkpoint", numbers->checkpoint_seconds},
                                 {"film", numbers->film_seconds}};
    FrReportStage stage[sizeof all / sizeof all[0]];
    int32_t count = 0; // what is not known is left out
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (all[k].seconds > 0.0) stage[count++] = all[k];
    t->report.stage = stage;
    t->report.stage_count = count;
    t->report.workers = fr_context_workers(t->ctx);
    return fr_export_report(t->ctx, &t->report, outputs->report);
}

static void value_text(const FrSceneScalar *value, char *text, size_t size) {
    if (value->kind == FR_SCENE_NUMBER)
        snprintf(text, size, "%.6g", value->number);
    else if (value->kind == FR_SCENE_WORD)
        snprintf(text, size, "%s", value->word);
    else
        snprintf(text, size, "%s", value->truth ? "true" : "false");
}

static FrResult write_page(Tables *t, FrOutputs *outputs, const FrScene *scene,
                           const FrRunNumbers *numbers) {
    char summary[256], closes[32], tets[64], broke[64], steps[32], hash[32], value[32][64];
    const FrReport *r = &t->report;
    const FrRecordingInfo *info = fr_recording_info(t->recording);
    char time[32];
    fr_duration_text(numbers->mesh_seconds + numbers->simulate_seconds + numbers->film_seconds,
                     time);
    fr_tets_text(r->tets_start, r->tets_end, tets);
    fr_broke_text(r->bodies, r->pieces, r->cracks, broke);
    snprintf(summary, sizeof summary,
             "%d %s, %s%s, %.4g s of motion in %s, energy closes to %.2g %%", r->bodies,
             fr_bodies(r->bodies), tets, broke, r->sim_seconds, time, 100.0 * r->energy_closure);
    snprintf(closes, sizeof closes, "%.2g %%", 100.0 * r->energy_closure);
    snprintf(steps, sizeof steps, "%lld", (long long)t->report.steps);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)t->report.state_hash);
    FrPagePair fact[] = {
        {"tets", tets}, {"steps", steps}, {"energy closes to", closes}, {"state hash", hash}};
    FrPagePair file[] = {{"run.fracas", "the recording (SQLite)"},
                         {"events.csv", "impacts, cracks, pieces born: when, where, how much"},
                         {"report.json", "the numbers of this run"},
                         {"scene.json", "the scene with every default"}};
    FrPagePair parameter[32];
    int32_t count = 0;
    for (; count < scene->params_count && count < 32; count++) {
        value_text(&scene->params[count].value, value[count], sizeof value[count]);
        parameter[count] = (FrPagePair){scene->params[count].name, value[count]};
    }
    FrPage page = {.title = scene->scene.name,
                   .summary = summary,
                   .film = fr_output_fresh(outputs, outputs->film) ? "preview.mp4" : NULL,
                   .poster = fr_output_fresh(outputs, outputs->poster) ? "poster.png" : NULL,
                   .sheet = fr_output_fresh(outputs, outputs->sheet) ? "sheet.png" : NULL,
                   .sound = fr_output_fresh(outputs, outputs->sound) ? "sound.wav" : NULL,
                   .spectrogram =
                       fr_output_fresh(outputs, outputs->spectrogram) ? "spectrogram.png" : NULL,
                   .command = numbers->command,
                   .parameter = parameter,
                   .parameter_count = count,
                   .fact = fact,
                   .fact_count = 4,
                   .file = file,
                   .file_count = 4,
                   .events = &t->events,
                   .piece = t->piece,
                   .piece_count = r->piece_count,
                   .body_name = t->name,
                   .body_name_count = t->name_count,
                   .energy = t->energy,
                   .energy_count = t->energy_count,
                   .tick_seconds = info->tick_seconds};
    return fr_export_page(t->ctx, &page, outputs->page);
}

// the scene as the files of the folder show it
static FrResult write_scene(FrOutputs *outputs, const FrScene *scene) {
    FrWriter json;
    fr_writer_init(&json, outputs->ctx);
    FrResult result = fr_scene_json(outputs->ctx, scene, &json);
    if (result == FR_OK) result = fr_file_save(outputs->ctx, outputs->scene, json.data, json.size);
    fr_writer_free(&json);
    return result == FR_OK ? fr_output_made(outputs, outputs->scene) : result;
}

// what a user has to know before trusting a run
static void warn(const Tables *t) {
    if (t->report.below_floor)
        fr_log(t->ctx, FR_LOG_WARNING,
               "steps fell below crack.step_floor: it would have taken more than the mass that may "
               "be added (%.3g %% was)",
               100.0 * t->report.added_share);
    if (t->report.guarded_tets)
        fr_log(t->ctx, FR_LOG_WARNING,
               "up to %lld tets (%lld at the start) were crushed below a third of their volume at "
               "once; "
               "a stiffer material, a softer blow or contact.stiffness above 1 helps",
               (long long)t->report.guarded_tets, (long long)t->tets);
    if (t->report.energy_closure > 1e-3)
        fr_log(t->ctx, FR_LOG_WARNING,
               "the energy ledger is off by %.2g %% of its peak; step.safety "
               "below 0.9 makes it better",
               100.0 * t->report.energy_closure);
}

FrResult fr_output_tables(FrOutputs *outputs, FrRecording *recording, const FrScene *scene,
                          const FrRunNumbers *numbers) {
    Tables t = {.ctx = outputs->ctx, .recording = recording};
    fr_event_log_init(&t.events, outputs->ctx);
    FrResult result = read_tables(&t);
    if (result == FR_OK) result = write_scene(outputs, scene);
    if (result == FR_OK)
        result = fr_export_events_csv(t.ctx, &t.events, t.name, t.name_count, outputs->events);
    if (result == FR_OK) result = fr_output_made(outputs, outputs->events);
    if (result == FR_OK) result = write_page(&t, outputs, scene, numbers);
    if (result == FR_OK) result = fr_output_made(outputs, outputs->page);
    if (result == FR_OK) result = write_report(&t, outputs, numbers);
    if (result == FR_OK) result = fr_output_made(outputs, outputs->report);
    if (result == FR_OK) warn(&t);
    fr_event_log_free(&t.events);
    fr_free(t.ctx, t.energy);
    fr_free(t.ctx, t.name);
    fr_free(t.ctx, t.sunk);
    fr_free(t.ctx, t.piece);
    return result;
}
