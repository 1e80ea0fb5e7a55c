// break_job.c: `fracas break`: a thing falls or is hit, and leaves a film, its sound and its
// pieces.

#include "base/file.h"
#include "base/file_names.h"
#include "base/json.h"
#include "build/scene_load.h"
#include "export/obj.h"
#include "export/piece_list.h"
#include "export/report_text.h"
#include "job/break_scene.h"
#include "math/vec.h"
#include "output/outputs.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// m/s and m; more is another unit.
#define FASTEST 1e3
#define HIGHEST 1e3
/// The largest file that is put beside its scene, bytes.
#define MOST_BYTES ((size_t)2 << 30)

typedef struct Job {
    FrContext *ctx;
    FrBreakDef def; ///< its material as the library calls it
    FrOutputs outputs;
    FrText scene;     ///< as JSON
    char *scene_path; ///< break.json in the folder
    FrText ran;       ///< the closing line of the run
    char *made[3];    ///< files that were not there before, for the first run; they go if it fails
    int32_t made_count;
    int32_t pieces;
    int64_t cracks;
} Job;

static FrResult check_numbers(const Job *j) {
    const FrBreakDef *d = &j->def;
    FR_TRY(fr_check_size(j->ctx, d->size, d->unit));
    if (!(d->drop > 0.0 && d->drop <= HIGHEST))
        return fr_fail(j->ctx, FR_BAD_USE, "it cannot fall %g m; up to %g are possible", d->drop,
                       HIGHEST);
    if (!(d->speed > 0.0 && d->speed <= FASTEST))
        return fr_fail(j->ctx, FR_BAD_USE, "the speed is %g m/s; it can be up to %g", d->speed,
                       FASTEST);
    if (!fr_vec3_finite(d->turn) || (d->hit && !fr_vec3_finite(*d->hit)))
        return fr_fail(j->ctx, FR_BAD_USE, "turn and the point to hit must be finite");
    return FR_OK;
}

// out/mug-glass, and what is not as usual: out/mug-glass-drop=1.5
static FrResult open_folder(Job *j) {
    const FrBreakDef *d = &j->def, usual = fr_break_def_default();
    FrText folder = {NULL, 0}, name = {NULL, 0};
    char drop[32], hit[128], turn[128];
    const char *set[3];
    int32_t count = 0;
    FrVec3 at = d->hit ? *d->hit : fr_vec3_zero, by = fr_scale(180.0 / FR_PI, d->turn);
    snprintf(drop, sizeof drop, "drop=%.4g", d->drop);
    snprintf(hit, sizeof hit, "hit=%.4g,%.4g,%.4g-speed=%.4g", at.x, at.y, at.z, d->speed);
    snprintf(turn, sizeof turn, "turn=%.4g,%.4g,%.4g", by.x, by.y, by.z);
    if (d->hit)
        set[count++] = hit;
    else if (fabs(d->drop - usual.drop) > 0.0)
        set[count++] = drop;
    if (fr_length2(d->turn) > 0.0) set[count++] = turn;
    FrResult result =
        fr_text_print(j->ctx, &name, "%s-%s.json", fr_break_names(d->file).body, d->material);
    if (result == FR_OK && !d->run.out)
        result = fr_default_folder(j->ctx, name.data, set, count, &folder);
    if (result == FR_OK)
        result = fr_outputs_init(&j->outputs, j->ctx, d->run.out ? d->run.out : folder.data);
    fr_text_free(j->ctx, &name);
    fr_text_free(j->ctx, &folder);
    if (result != FR_OK) return result;
    j->scene_path = fr_path_join(j->ctx, j->outputs.folder, "break.json");
    return j->scene_path ? FR_OK : fr_no_memory(j->ctx, "a path");
}

// is this what the file holds already?
static bool holds(FrContext *ctx, const char *path, const void *bytes, size_t size) {
    uint8_t *old;
    size_t old_size;
    if (access(path, F_OK) || fr_file_load(ctx, path, MOST_BYTES, &old, &old_size) != FR_OK)
        return false;
    bool same = old_size == size && !memcmp(old, bytes, size);
    fr_free(ctx, old);
    return same;
}

static FrResult save_changed(Job *j, const char *path, const void *bytes, size_t size) {
    if (holds(j->ctx, path, bytes, size)) return FR_OK;
    bool there = access(path, F_OK) == 0;
    FR_TRY(fr_file_save(j->ctx, path, bytes, size));
    if (there) return FR_OK;
    char *made = fr_strdup(j->ctx, path);
    if (!made) return fr_no_memory(j->ctx, "a path");
    j->made[j->made_count++] = made;
    return FR_OK;
}

// a run that could not even begin leaves nothing; one that has a recording can go on
static void clear_made(Job *j) {
    bool ran = j->outputs.run && access(j->outputs.run, F_OK) == 0;
    for (int32_t k = 0; k < j->made_count && !ran; k++) unlink(j->made[k]);
    if (j->made_count && !ran) rmdir(j->outputs.folder); // unless something else is there
}

// beside the scene, so that the folder can go elsewhere
static FrResult copy_file(Job *j, const char *from) {
    uint8_t *bytes;
    size_t size;
    const char *slash = strrchr(from, '/');
    char *path = fr_path_join(j->ctx, j->outputs.folder, slash ? slash + 1 : from);
    if (!path) return fr_no_memory(j->ctx, "a path");
    FrResult result = fr_file_load(j->ctx, from, MOST_BYTES, &bytes, &size);
    if (result == FR_OK) {
        result = save_changed(j, path, bytes, size);
        fr_free(j->ctx, bytes);
    }
    fr_free(j->ctx, path);
    return result;
}

// TetGen has two files
static FrResult copy_files(Job *j) {
    const char *file = j->def.file;
    FR_TRY(copy_file(j, file));
    if (!fr_ends_with(file, ".node")) return FR_OK;
    FrText other = {NULL, 0};
    FrResult result =
        fr_text_print(j->ctx, &other, "%.*sele", (int)(strlen(file) - strlen("node")), file);
    if (result == FR_OK) result = copy_file(j, other.data);
    fr_text_free(j->ctx, &other);
    return result;
}

// another break in this folder is not written over
static FrResult save_scene(Job *j) {
    bool there = access(j->scene_path, F_OK) == 0;
    if (there && !j->def.run.restart && !holds(j->ctx, j->scene_path, j->scene.data, j->scene.size))
        return fr_fail(j->ctx, FR_BAD_USE,
                       "%s holds another scene; use --restart to replace it, or -o for another "
                       "folder",
                       j->scene_path);
    FR_TRY(fr_make_folders(j->ctx, j->outputs.folder));
    FR_TRY(copy_files(j));
    return save_changed(j, j->scene_path, j->scene.data, j->scene.size);
}

static FrResult run(Job *j, bool json) {
    FrRunDef run = j->def.run;
    run.scene = j->scene_path;
    run.out = j->outputs.folder;
    run.set = NULL;
    run.set_count = 0;
    return fr_job_run(j->ctx, &run, json, &j->ran);
}

// of an earlier run
static FrResult clear_pieces(Job *j) {
    FrResult result = FR_OK;
    DIR *dir = opendir(j->outputs.pieces);
    if (!dir) return FR_OK;
    for (const struct dirent *entry; result == FR_OK && (entry = readdir(dir)) != NULL;) {
        if (!fr_ends_with(entry->d_name, ".obj")) continue;
        char *path = fr_path_join(j->ctx, j->outputs.pieces, entry->d_name);
        if (!path) result = fr_no_memory(j->ctx, "a path");
        if (path) unlink(path);
        fr_free(j->ctx, path);
    }
    closedir(dir);
    return result;
}

static FrResult export_usd(Job *j) {
    FrText ignored;
    FrExportDef def = fr_export_def_default();
    def.recording = j->outputs.run;
    def.output = j->outputs.usd;
    FrResult result = fr_job_export(j->ctx, &def, false, &ignored);
    fr_text_free(j->ctx, &ignored);
    return result;
}

static FrResult count_cracks(Job *j, FrRecording *recording) {
    FrEventLog log;
    fr_event_log_init(&log, j->ctx);
    FrResult result = fr_recording_events(recording, &log);
    j->cracks = result == FR_OK ? fr_crack_sum(&log).count : 0;
    fr_event_log_free(&log);
    return result;
}

static FrResult export_from(Job *j, FrRecording *recording, const FrScene *scene) {
    const FrFrameView *view;
    FrOutputs *o = &j->outputs;
    FR_TRY(count_cracks(j, recording));
    FR_TRY(fr_outputs_source(o, recording, scene, !j->def.run.no_sound));
    bool fresh = fr_output_fresh(o, o->usd) && !access(o->pieces, F_OK);
    FR_TRY(fr_recording_frame(recording, fr_recording_info(recording)->frame_count - 1, &view));
    if (!fresh) FR_TRY(clear_pieces(j));
    FR_TRY(fr_export_obj(j->ctx, view, fresh ? NULL : o->pieces, &j->pieces));
    if (fresh) return FR_OK;
    FR_TRY(export_usd(j));
    return fr_output_made(o, o->usd);
}

static FrResult export_pieces(Job *j) {
    FrRecording *recording;
    FR_TRY(fr_outputs_claim(&j->outputs));
    FR_TRY(fr_recording_open(j->ctx, j->outputs.run, &recording));
    FrScene *scene = fr_recording_scene(j->ctx, recording);
    FrResult result = scene ? export_from(j, recording, scene)
                            : fr_fail(j->ctx, FR_BAD_INPUT, "%s has no scene", j->outputs.run);
    fr_scene_free(scene);
    fr_recording_close(recording);
    return result;
}

static void print_summary(const Job *j, FrWriter *w) {
    const FrOutputs *o = &j->outputs;
    fr_print(w, "%s", j->ran.data);
    if (j->cracks)
        fr_print(w, "%s, %s/: %d piece%s\n", o->usd, o->pieces, j->pieces, fr_s(j->pieces));
    else
        fr_print(w, "%s stayed whole: try %s, or a weaker material\n",
                 fr_break_names(j->def.file).body,
                 j->def.hit ? "a higher --speed" : "a higher --drop, or --turn");
}

static void json_summary(const Job *j, FrWriter *w) {
    FrJson json;
    const FrOutputs *o = &j->outputs;
    fr_json_begin(&json, w, true);
    fr_json_object(&json, NULL);
    fr_json_text(&json, "folder", o->folder);
    fr_json_text(&json, "scene", j->scene_path);
    fr_json_text(&json, "material", j->def.material);
    fr_json_text(&json, "report", o->report);
    fr_json_text(&json, "usd", o->usd);
    fr_json_text(&json, "obj", o->pieces);
    fr_json_int(&json, "pieces", j->pieces);
    fr_json_int(&json, "cracks", j->cracks);
    fr_json_end(&json);
}

static FrResult go(Job *j, bool json, FrText *summary) {
    FrWriter w;
    FR_TRY(fr_break_material(j->ctx, &j->def.material));
    FR_TRY(check_numbers(j));
    FR_TRY(fr_break_scene(j->ctx, &j->def, &j->scene));
    FR_TRY(open_folder(j));
    FR_TRY(save_scene(j));
    FR_TRY(run(j, json && j->def.run.dry_run));
    if (j->def.run.dry_run) {
        *summary = j->ran;
        j->ran = (FrText){NULL, 0};
        return FR_OK;
    }
    FR_TRY(export_pieces(j));
    fr_writer_init(&w, j->ctx);
    if (json)
        json_summary(j, &w);
    else
        print_summary(j, &w);
    return fr_text_take(&w, summary);
}

FrResult fr_job_break(FrContext *ctx, const FrBreakDef *job, bool json, FrText *summary) {
    FR_NEED_ALL(ctx, ctx && job && summary);
    Job j = {.ctx = ctx, .def = *job};
    *summary = (FrText){NULL, 0};
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_break_def_default()");
    FR_NEED(ctx, job->file, "name the thing that is broken: file");
    FrResult result = go(&j, json, summary);
    if (result != FR_OK) clear_made(&j);
    for (int32_t k = 0; k < j.made_count; k++) fr_free(ctx, j.made[k]);
    fr_text_free(ctx, &j.scene);
    fr_text_free(ctx, &j.ran);
    fr_free(ctx, j.scene_path);
    fr_outputs_free(&j.outputs);
    return result;
}
