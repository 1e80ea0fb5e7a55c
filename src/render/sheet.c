// sheet.c: single pictures and contact sheets of a source of frames.

#include "render/image.h"
#include "render/render.h"

FrResult fr_picture_render(FrRenderer *renderer, const FrFrameSource *source, int32_t k,
                           const FrCamera *camera, const FrRenderOptions *options,
                           const char *path) {
    FrContext *ctx = fr_renderer_context(renderer);
    if (k < 0 || k >= source->frame_count)
        return fr_fail(ctx, FR_BAD_USE, "frame %d; there are 0 to %d", k, source->frame_count - 1);
    int32_t width, height;
    fr_renderer_size(renderer, &width, &height);
    const FrFrameView *view;
    FR_TRY(source->get(source->user, k, &view));
    uint8_t *rgba = fr_alloc(ctx, 4 * (size_t)width * (size_t)height);
    if (!rgba) return fr_no_memory(ctx, "a picture");
    FrResult result = fr_render_frame(renderer, view, camera, options, rgba);
    if (result == FR_OK) result = fr_png_write(ctx, path, width, height, rgba);
    fr_free(ctx, rgba);
    return result;
}

#define GAP 6

typedef struct Sheet {
    FrImage all, cell;
    int32_t columns, count;
} Sheet;

// spread evenly, from the first to the last
static int32_t frame_of(const Sheet *sheet, int32_t k, int32_t frame_count) {
    int64_t gaps = fr_max_i(sheet->count - 1, 1);
    return (int32_t)((2 * (int64_t)k * (frame_count - 1) + gaps) / (2 * gaps));
}

static FrResult draw_cells(FrRenderer *renderer, const FrFrameSource *source,
                           const FrCamera *camera, const FrRenderOptions *options, Sheet *sheet) {
    FrContext *ctx = fr_renderer_context(renderer);
    FrRenderOptions with_time = *options;
    const FrFrameView *view;
    FR_TRY(source->get(source->user, source->frame_count - 1, &view));
    with_time.time_stamp = true;
    with_time.time_in_ms = view->t < 0.1; // one unit for all of them
    fr_image_fill(sheet->all, 0, 0, sheet->all.width, sheet->all.height, (FrInk){244, 244, 246, 1});
    for (int32_t k = 0; k < sheet->count; k++) {
        if (fr_context_cancelled(ctx)) return fr_fail(ctx, FR_INTERRUPTED, "interrupted");
        fr_progress(ctx, "sheet", k, sheet->count);
        FR_TRY(source->get(source->user, frame_of(sheet, k, source->frame_count), &view));
        FR_TRY(fr_render_frame(renderer, view, camera, &with_time, sheet->cell.rgba));
        fr_image_paste(sheet->all, GAP + k % sheet->columns * (sheet->cell.width + GAP),
                       GAP + k / sheet->columns * (sheet->cell.height + GAP), sheet->cell);
    }
    fr_progress(ctx, "sheet", sheet->count, sheet->count);
    return FR_OK;
}

static FrResult check_sheet(FrContext *ctx, const FrFrameSource *source, int32_t columns,
                            int32_t rows, int32_t width, int32_t height) {
    if (source->frame_count < 1)
        return fr_fail(ctx, FR_BAD_USE, "there is no frame to make a sheet of");
    if (columns < 1 || rows < 1 || columns > 64 || rows > 64)
        return fr_fail(ctx, FR_BAD_USE, "sheet of %d x %d pictures; 1 to 64 each are possible",
                       columns, rows);
    if ((int64_t)columns * (width + GAP) > 32000 || (int64_t)rows * (height + GAP) > 32000)
        return fr_fail(ctx, FR_BAD_USE,
                       "sheet of %d x %d pictures of %d x %d pixels is over 32000 pixels long",
                       columns, rows, width, height);
    return FR_OK;
}

FrResult fr_sheet_render(FrRenderer *renderer, const FrFrameSource *source, const FrCamera *camera,
                         const FrRenderOptions *options, FrSheetGrid grid, const char *path) {
    int32_t columns = grid.columns, rows = grid.rows;
    FrContext *ctx = fr_renderer_context(renderer);
    Sheet sheet = {.columns = columns};
    fr_renderer_size(renderer, &sheet.cell.width, &sheet.cell.height);
    FR_TRY(check_sheet(ctx, source, columns, rows, sheet.cell.width, sheet.cell.height));
    // no frame twice: cells without one are left out
    sheet.count = fr_min_i(columns * rows, source->frame_count);
    sheet.columns = columns = fr_min_i(columns, sheet.count);
    rows = (sheet.count + columns - 1) / columns;
    sheet.all.width = columns * (sheet.cell.width + GAP) + GAP;
    sheet.all.height = rows * (sheet.cell.height + GAP) + GAP;
    sheet.all.rgba = fr_alloc(ctx, 4 * (size_t)sheet.all.width * (size_t)sheet.all.height);
    sheet.cell.rgba = fr_alloc(ctx, 4 * (size_t)sheet.cell.width * (size_t)sheet.cell.height);
    FrResult result = sheet.all.rgba && sheet.cell.rgba ? FR_OK : fr_no_memory(ctx, "a sheet");
    if (result == FR_OK) result = draw_cells(renderer, source, camera, options, &sheet);
    if (result == FR_OK)
        result = fr_png_write(ctx, path, sheet.all.width, sheet.all.height, sheet.all.rgba);
    fr_free(ctx, sheet.all.rgba);
    fr_free(ctx, sheet.cell.rgba);
    return result;
}
