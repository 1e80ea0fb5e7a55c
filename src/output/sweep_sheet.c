// sweep_sheet.c: the runs of a sweep side by side at one moment, all seen by one camera.

#include "output/sweep_sheet.h"
#include "base/hash.h"
#include "build/scene_keys.h"
#include "export/piece_list.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "render/overlay.h"
#include "render/render.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Pixels of one picture, and between them.
#define CELL_WIDTH 480
#define GAP 6
/// Pictures in a row where one param changes.
#define MOST_COLUMNS 4

/// One run, opened.
typedef struct Cell {
    FrRecording *recording;
    FrScene *scene;
    int32_t frame;
} Cell;

/// What all cells of a sheet share.
typedef struct View {
    FrCamera camera;
    FrPictureScale scale; ///< one meaning of the colours
} View;

static FrResult open_cell(FrSweep *s, int32_t k, Cell *cell) {
    const FrSweepDef *job = s->job;
    *cell = (Cell){0};
    FR_TRY(fr_recording_open(s->ctx, s->run[k].outputs.run, &cell->recording));
    const FrRecordingInfo *info = fr_recording_info(cell->recording);
    cell->scene = fr_recording_scene(s->ctx, cell->recording);
    cell->frame = info->frame_count - 1;
    if (job->frame >= 0) cell->frame = job->frame;
    if (job->time >= 0.0) {
        FR_TRY(fr_check_time(s->ctx, job->time, s->run[k].name.data, 0.0,
                             info->t[info->frame_count - 1], info->fps));
        cell->frame = 0;
        while (cell->frame + 1 < info->frame_count && info->t[cell->frame + 1] <= job->time + 1e-9)
            cell->frame++;
    }
    if (cell->frame < info->frame_count) return FR_OK;
    return fr_fail(s->ctx, FR_BAD_USE, "%s has no frame %d; its frames are 0 to %d",
                   s->run[k].name.data, cell->frame, info->frame_count - 1);
}

static void close_cell(Cell *cell) {
    fr_scene_free(cell->scene);
    fr_recording_close(cell->recording);
}

// the camera that stands farthest off sees what the others see
static FrResult widen(FrSweep *s, Cell *cell, FrCamera *widest) {
    FrCamera camera;
    FR_TRY(fr_picture_camera_at(s->ctx, cell->recording, cell->scene, cell->frame, &camera));
    double far = fr_distance(camera.eye, camera.target);
    if (!(far <= fr_distance(widest->eye, widest->target))) *widest = camera;
    return FR_OK;
}

static FrResult pieces_at(FrSweep *s, const Cell *cell, double bodies, int64_t *pieces) {
    FrEventLog log;
    fr_event_log_init(&log, s->ctx);
    FrResult result = fr_recording_events(cell->recording, &log);
    if (result == FR_OK)
        *pieces =
            fr_pieces_by(&log, (int64_t)bodies, fr_recording_info(cell->recording)->t[cell->frame]);
    fr_event_log_free(&log);
    return result;
}

static FrResult label(FrSweep *s, int32_t k, const Cell *cell, FrImage image) {
    const FrSweepRun *run = &s->run[k];
    double size = fr_max(10.0, image.height / 22.0);
    char text[300] = "";
    for (int32_t a = 0; a < s->job->vary_count; a++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", a ? "  " : "", run->set[a]);
    }
    size_t used = strlen(text);
    if (!run->report.data) {
        snprintf(text + used, sizeof text - used, "  broke down");
    } else {
        int64_t pieces;
        double bodies = fr_report_number(&run->report, "bodies");
        bool broke = fr_report_number(&run->report, "pieces") > bodies ||
                     fr_report_number(&run->report, "cracks") > 0.0;
        FR_TRY(pieces_at(s, cell, bodies, &pieces));
        if (broke)
            snprintf(text + used, sizeof text - used, "  %" PRId64 " piece%s", pieces,
                     fr_s(pieces));
    }
    fr_overlay_text(image, size, 1.8 * size, size, text);
    return FR_OK;
}

static void layout(const FrSweep *s, int32_t *columns, int32_t *rows) {
    int32_t last = s->job->vary[s->job->vary_count - 1].value_count;
    *columns = s->job->vary_count > 1 ? last : fr_min_i(last, MOST_COLUMNS);
    *rows = (s->run_count + *columns - 1) / *columns;
}

static FrResult draw_cell(FrSweep *s, int32_t k, const View *seen, FrImage *image) {
    Cell cell;
    FrResult result = open_cell(s, k, &cell);
    if (result == FR_OK)
        result = fr_picture_image(
            s->ctx, cell.recording, cell.scene, cell.frame,
            (FrPictureDef){CELL_WIDTH, s->job->show, &seen->scale, &seen->camera, NULL}, image);
    if (result == FR_OK) result = label(s, k, &cell, *image);
    close_cell(&cell);
    return result;
}

static FrResult draw_all(FrSweep *s, const View *seen) {
    FrImage all = {0};
    int32_t columns, rows;
    FrResult result = FR_OK;
    layout(s, &columns, &rows);
    for (int32_t k = 0; k < s->run_count && result == FR_OK; k++) {
        FrImage cell = {0};
        fr_progress(s->ctx, "sheet", k, s->run_count);
        if (fr_context_cancelled(s->ctx)) return fr_fail(s->ctx, FR_INTERRUPTED, "interrupted");
        result = draw_cell(s, k, seen, &cell);
        if (result == FR_OK && !all.rgba) {
            all.width = columns * (cell.width + GAP) + GAP;
            all.height = rows * (cell.height + GAP) + GAP;
            all.rgba = fr_alloc(s->ctx, 4 * (size_t)all.width * (size_t)all.height);
            if (!all.rgba) result = fr_no_memory(s->ctx, "a sheet");
            if (all.rgba)
                fr_image_fill(all, 0, 0, all.width, all.height, (FrInk){244, 244, 246, 1});
        }
        if (result == FR_OK)
            fr_image_paste(all, GAP + k % columns * (cell.width + GAP),
                           GAP + k / columns * (cell.height + GAP), cell);
        fr_free(s->ctx, cell.rgba);
    }
    fr_progress(s->ctx, "sheet", s->run_count, s->run_count);
    if (result == FR_OK)
        result = fr_png_write(s->ctx, s->outputs.sheet, all.width, all.height, all.rgba);
    fr_free(s->ctx, all.rgba);
    return result;
}

// the colours of all cells mean the same
static FrResult find_scale(FrSweep *s, FrPictureScale *scale) {
    for (int32_t k = 0; k < s->run_count; k++) {
        Cell cell;
        FrResult result = open_cell(s, k, &cell);
        if (result == FR_OK)
            result = fr_picture_scale(s->ctx, cell.recording, cell.frame, s->job->show, scale);
        close_cell(&cell);
        FR_TRY(result);
    }
    return FR_OK;
}

// what the sheet is made of: all recordings, their films' settings, the moment
static FrResult gather(FrSweep *s, FrCamera *camera) {
    FrHash source, settings;
    fr_hash_begin(&source, 0);
    fr_hash_begin(&settings, 0);
    fr_hash_u64(&settings, (uint64_t)s->job->show);
    for (int32_t k = 0; k < s->run_count; k++) {
        Cell cell;
        FrResult result = open_cell(s, k, &cell);
        if (result == FR_OK) result = widen(s, &cell, camera);
        if (result == FR_OK) {
            fr_hash_u64(&source, fr_recording_identity(cell.recording));
            fr_hash_u64(&source, (uint64_t)cell.frame);
            fr_hash_text(&settings, s->run[k].name.data);
        }
        if (result == FR_OK && cell.scene)
            result = fr_scene_film_hash(s->ctx, cell.scene, &settings);
        close_cell(&cell);
        FR_TRY(result);
    }
    s->outputs.source = fr_hash_end(&source);
    s->outputs.film_key = fr_hash_end(&settings);
    return fr_outputs_read_made(&s->outputs);
}

FrResult fr_sweep_sheet(FrSweep *sweep) {
    View seen = {.camera = {.eye = {(double)NAN, (double)NAN, (double)NAN}}};
    FR_TRY(gather(sweep, &seen.camera));
    if (fr_output_fresh(&sweep->outputs, sweep->outputs.sheet)) return FR_OK;
    FR_TRY(find_scale(sweep, &seen.scale));
    FR_TRY(draw_all(sweep, &seen));
    return fr_output_made(&sweep->outputs, sweep->outputs.sheet);
}
