// info_job.c: `fracas info`: what a recording, surface, tet mesh or scene holds.

#include "base/file_names.h"
#include "build/build.h"
#include "build/scene_load.h"
#include "export/mesh_report.h"
#include "export/piece_list.h"
#include "export/report_text.h"
#include "export/surface_report.h"
#include "fracas/studio.h"
#include "job/asset_info.h"
#include "math/vec.h"
#include "mesh/meshfile.h"
#include "mesh/tetmesh.h"
#include "output/outputs.h"
#include "run/ledger.h"
#include <stdio.h>
#include <string.h>

// NULL: it came from none
static const char *parent_name(const FrRecording *recording, const FrRecordingBody *body) {
    FrRecordingBody parent;
    if (body->parent < 0) return NULL;
    fr_recording_body(recording, body->parent, &parent);
    return parent.view->name;
}

static void body_json(FrJson *j, FrRecording *recording, int32_t k) {
    FrRecordingBody body;
    fr_recording_body(recording, k, &body);
    const char *parent = parent_name(recording, &body);
    fr_json_object(j, NULL);
    fr_json_text(j, "name", body.view->name);
    if (parent) fr_json_text(j, "parent", parent);
    fr_json_text(j, "model", body.view->model);
    fr_json_text(j, "material", body.view->material.name);
    fr_json_int(j, "tets", body.view->mesh ? body.view->mesh->tet_count : 0);
    fr_json_int(j, "nodes", body.view->mesh ? body.view->mesh->node_count : 0);
    fr_json_end(j);
}

/// A recording as `info` shows it.
typedef struct Summary {
    FrRecording *recording;
    FrEventLog log;
    double gap; ///< of the energy ledger
    FrGoing going;
    int32_t bodies, pieces; ///< planes are none; whole bodies are pieces, too
    int32_t broken;         ///< bodies of which something came off
    FrCrackSum cracks;
    FrPieceRow *piece; ///< of bodies that fell apart (piece_count)
    int32_t piece_count;
} Summary;

static FrResult count_broken(FrContext *ctx, Summary *t, int32_t count) {
    bool *broke = FR_NEW(ctx, bool, count + 1);
    if (!broke) return fr_no_memory(ctx, "bodies");
    for (int32_t k = 0; k < t->log.count; k++) {
        const FrEvent *e = &t->log.data[k];
        int32_t body = fr_event_body(e);
        if (e->kind != FR_EVENT_PIECE || body < 0 || body >= count) continue;
        t->broken += !broke[body];
        broke[body] = true;
    }
    fr_free(ctx, broke);
    return FR_OK;
}

static FrResult count_summary(FrContext *ctx, Summary *t) {
    int32_t count = fr_recording_info(t->recording)->body_count;
    for (int32_t k = 0; k < count; k++) {
        FrRecordingBody body;
        fr_recording_body(t->recording, k, &body);
        t->bodies += body.view->kind != FR_BODY_PLANE && body.died == INT64_MAX;
    }
    t->pieces = (int32_t)fr_pieces_by(&t->log, t->bodies, HUGE_VAL);
    t->cracks = fr_crack_sum(&t->log);
    return count_broken(ctx, t, count);
}

// pieces last: asking for them changes the meshes that bodies are seen with
static FrResult recording_json(FrContext *ctx, FrWriter *w, Summary *t) {
    const FrRecordingInfo *info = fr_recording_info(t->recording);
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "kind", "recording");
    fr_json_bool(&j, "finished", info->finished);
    if (info->finished || t->going != FR_GOING_UNKNOWN)
        fr_json_bool(&j, "going", !info->finished && t->going == FR_GOING);
    fr_json_text(&j, "version", info->version);
    fr_json_hash(&j, "scene_hash", info->scene_hash);
    fr_json_int(&j, "frames", info->frame_count);
    fr_json_number(&j, "fps", info->fps);
    fr_json_int(&j, "burst_frames", info->burst_count);
    fr_json_number(&j, "recorded_seconds",
                   info->frame_count ? info->t[info->frame_count - 1] : 0.0);
    fr_json_number(&j, "duration", info->duration);
    fr_json_int(&j, "events", t->log.count);
    fr_json_int(&j, "pieces", t->pieces);
    fr_json_int(&j, "cracks", t->cracks.count);
    fr_cracks_json(&j, &t->cracks);
    fr_json_number(&j, "energy_closure", t->gap);
    fr_json_int(&j, "bytes", (int64_t)info->file_size);
    fr_json_array(&j, "bodies");
    for (int32_t k = 0; k < info->body_count; k++) body_json(&j, t->recording, k);
    fr_json_end(&j);
    FR_TRY(fr_recorded_pieces(ctx, t->recording, &t->log, &t->piece, &t->piece_count));
    fr_pieces_json(&j, t->piece, t->piece_count);
    fr_json_end(&j);
    return FR_OK;
}

static void print_body(FrWriter *w, const FrBodyView *body, const char *parent) {
    fr_print(w, "  %-16s %-6s %-14s", body->name, body->model, body->material.name);
    if (body->mesh)
        fr_print(w, " %d tet%s, %d nodes", body->mesh->tet_count, fr_s(body->mesh->tet_count),
                 body->mesh->node_count);
    if (body->kind == FR_BODY_SPHERE) fr_print(w, " radius %.4g m", body->radius);
    fr_print(w, "%s%s\n", parent ? ", from " : "", parent ? parent : "");
}

// a line for each body that fell apart
static void print_pieces(FrWriter *w, const Summary *t) {
    for (int32_t k = 0, end; k < t->piece_count; k = end) {
        const FrPieceRow *most = &t->piece[k];
        for (end = k + 1; end < t->piece_count && t->piece[end].body == t->piece[k].body; end++)
            if (t->piece[end].mass > most->mass) most = &t->piece[end];
        FrRecordingBody body;
        fr_recording_body(t->recording, t->piece[k].body, &body);
        fr_print(w, "  %s is in %d pieces, the heaviest is %s with %.4g kg\n", body.view->name,
                 end - k, most->name, most->mass);
    }
}

static FrResult recording_print(FrContext *ctx, FrWriter *w, Summary *t) {
    static const char *const state[] = {"stopped; the same command goes on", "still going",
                                        "still going or stopped"};
    const FrRecordingInfo *info = fr_recording_info(t->recording);
    double end = info->frame_count ? info->t[info->frame_count - 1] : 0.0;
    fr_print(w, "%s: recording, %s\n", info->path, info->finished ? "finished" : state[t->going]);
    fr_print(w, "  %.4g s of %.4g s, %d frame%s at %.4g per second, %d event%s, %.1f MB\n", end,
             info->duration, info->frame_count, fr_s(info->frame_count), info->fps, t->log.count,
             fr_s(t->log.count), 1e-6 * (double)info->file_size);
    if (info->burst_count)
        fr_print(w, "  %d frame%s in bursts at %.6g per second, from %.6g s\n", info->burst_count,
                 fr_s(info->burst_count), info->burst_hz, info->burst_t[0]);
    fr_print(w, "  energy closes to %.2g %%, scene %016llx, made by fracas %s\n", 100.0 * t->gap,
             (unsigned long long)info->scene_hash, info->version ? info->version : "?");
    fr_print(w, "  %d %s: ", t->bodies, fr_bodies(t->bodies));
    if (t->bodies > t->broken) fr_print(w, "%d whole, ", t->bodies - t->broken);
    if (t->broken) fr_print(w, "%d in %d pieces, ", t->broken, t->pieces - (t->bodies - t->broken));
    if (t->cracks.count)
        fr_print(w, "%lld crack%s of %.4g m^2 in all from %.6g s to %.6g s",
                 (long long)t->cracks.count, fr_s(t->cracks.count), t->cracks.area, t->cracks.first,
                 t->cracks.last);
    fr_print(w, t->cracks.count ? "\n" : "no cracks\n");
    for (int32_t k = 0; k < info->body_count; k++) {
        FrRecordingBody body;
        fr_recording_body(t->recording, k, &body);
        print_body(w, body.view, parent_name(t->recording, &body));
    }
    FR_TRY(fr_recorded_pieces(ctx, t->recording, &t->log, &t->piece, &t->piece_count));
    print_pieces(w, t);
    return FR_OK;
}

static FrResult recording_info(FrContext *ctx, const char *path, bool json, FrWriter *w) {
    Summary t = {0};
    FR_TRY(fr_recording_open(ctx, path, &t.recording));
    FrEnergyRow *energy = NULL;
    int32_t count = 0;
    fr_event_log_init(&t.log, ctx);
    FrResult result = fr_recording_events(t.recording, &t.log);
    if (result == FR_OK) result = fr_recording_energy(t.recording, &energy, &count);
    FrLedger ledger = {0};
    if (result == FR_OK) result = fr_energy_ledger(t.recording, energy, count, &ledger);
    t.gap = fr_ledger_closure(&ledger);
    t.going = fr_folder_going(ctx, path);
    if (result == FR_OK) result = count_summary(ctx, &t);
    if (result == FR_OK) result = json ? recording_json(ctx, w, &t) : recording_print(ctx, w, &t);
    fr_free(ctx, energy);
    fr_free(ctx, t.piece);
    fr_event_log_free(&t.log);
    fr_recording_close(t.recording);
    return result;
}

static FrResult surface_info(FrContext *ctx, const char *path, bool json, FrWriter *w) {
    FrSurfaceNumbers n;
    FR_TRY(fr_surface_numbers(ctx, path, &n));
    if (!json) {
        fr_print(w, "%s: %d points", path, n.points);
        if (n.file_points > n.points) fr_print(w, " (%d with equal ones)", n.file_points);
        fr_print(w, ", %.4g x %.4g x %.4g m, area %.4g m^2\n", n.size.x, n.size.y, n.size.z,
                 n.area);
        fr_surface_print(w, &n);
        return FR_OK;
    }
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "kind", "surface");
    fr_surface_json(&j, &n);
    fr_json_end(&j);
    return FR_OK;
}

static FrResult tets_info(FrContext *ctx, const char *path, bool json, FrWriter *w) {
    FrTetMesh mesh;
    FR_TRY(fr_tets_load(ctx, path, &mesh));
    FrMeshNumbers n = {.name = path, .method = "file"};
    FrResult result = fr_mesh_numbers(ctx, &mesh, &n);
    if (result == FR_OK && !json) fr_mesh_print(w, &n);
    if (result == FR_OK && json) {
        FrJson j;
        fr_json_begin(&j, w, true);
        fr_json_object(&j, NULL);
        fr_json_text(&j, "kind", "tets");
        fr_mesh_json(&j, &n);
        fr_json_end(&j);
    }
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

static FrResult scene_info(FrContext *ctx, const char *path, bool json, FrWriter *w) {
    FrRunDef options = fr_run_def_default();
    options.scene = path;
    FrScene *scene;
    FR_TRY(fr_load_scene(ctx, &options, &scene));
    if (json) {
        FrResult result = fr_scene_json(ctx, scene, w);
        fr_scene_free(scene);
        return result;
    }
    fr_print(w, "%s: scene '%s', %.4g s, %d %s, %d sphere%s, %d load%s, %s\n", path,
             scene->scene.name, scene->scene.duration, scene->bodies_count,
             fr_bodies(scene->bodies_count), scene->spheres_count, fr_s(scene->spheres_count),
             scene->loads_count, fr_s(scene->loads_count),
             scene->ground ? "on a ground" : "without a ground");
    for (int32_t k = 0; k < scene->bodies_count; k++)
        fr_print(w, "  body  %-16s %s\n", scene->bodies[k].name, scene->bodies[k].material);
    for (int32_t k = 0; k < scene->params_count; k++) {
        const FrSceneParam *p = &scene->params[k];
        char value[64];
        if (p->value.kind == FR_SCENE_NUMBER)
            snprintf(value, sizeof value, "%.6g", p->value.number);
        else
            snprintf(value, sizeof value, "%s",
                     p->value.kind == FR_SCENE_WORD ? p->value.word
                     : p->value.truth               ? "true"
                                                    : "false");
        bool known = p->unit[0] && strcmp(p->unit, "any") != 0;
        fr_print(w, "  --set %s=%s%s   %s\n", p->name, value, known ? p->unit : "", p->help);
    }
    fr_scene_free(scene);
    return FR_OK;
}

static FrResult any_info(FrContext *ctx, const char *path, bool json, FrWriter *w) {
    switch (fr_file_kind(path)) {
    case FR_FILE_RECORDING:
        return recording_info(ctx, path, json, w);
    case FR_FILE_SURFACE:
        return surface_info(ctx, path, json, w);
    case FR_FILE_TETS:
        return tets_info(ctx, path, json, w);
    case FR_FILE_SCENE:
        return scene_info(ctx, path, json, w);
    case FR_FILE_ASSET:
        return fr_asset_describe(ctx, path, json, w);
    case FR_FILE_UNKNOWN:
        break;
    }
    return fr_fail(
        ctx, FR_BAD_INPUT,
        "%s: not a recording (.fracas), surface (.obj .ply .stl), tet mesh (.msh .node), "
        "scene (.lua .json) or cooked body (.frm)",
        path);
}

FrResult fr_job_info(FrContext *ctx, const char *path, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && path && text);
    FrWriter w;
    char *file;
    *text = (FrText){NULL, 0};
    FR_TRY(fr_recording_file(ctx, path, &file));
    fr_writer_init(&w, ctx);
    FrResult result = any_info(ctx, file, json, &w);
    fr_free(ctx, file);
    if (result == FR_OK) return fr_text_take(&w, text);
    fr_writer_free(&w);
    return result;
}
