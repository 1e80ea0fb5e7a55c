// png.c: pictures to PNG files, through the crash-safe writer.

#include "base/file.h"
#include "render/render.h"
#include <png.h>
#include <setjmp.h>

/// What libpng's callbacks need.
typedef struct PngRun {
    FrContext *ctx;
    FrFileWriter *file;
    FrResult result;
    bool no_memory;
} PngRun;

static void on_error(png_structp png, png_const_charp text) {
    PngRun *run = png_get_error_ptr(png);
    if (run->no_memory)
        run->result = fr_no_memory(run->ctx, "a PNG");
    else if (run->result == FR_OK)
        run->result = fr_fail(run->ctx, FR_FAILED, "libpng: %s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    PngRun *run = png_get_io_ptr(png);
    run->result = fr_file_write(run->file, bytes, size);
    if (run->result != FR_OK) png_error(png, "writing failed");
}

static void on_flush(png_structp png) { (void)png; }

static png_voidp on_alloc(png_structp png, png_alloc_size_t size) {
    PngRun *run = png_get_mem_ptr(png);
    void *ptr = fr_alloc(run->ctx, size);
    if (!ptr) run->no_memory = true;
    return ptr;
}

static void on_free(png_structp png, png_voidp ptr) {
    PngRun *run = png_get_mem_ptr(png);
    fr_free(run->ctx, ptr);
}

// rgb rows without the alpha that is always 255
static void write_rows(png_structp png, png_infop info, int32_t width, int32_t height,
                       const uint8_t *rgba) {
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 6);
    png_set_filter(png, 0, PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_PAETH);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int32_t j = 0; j < height; j++) png_write_row(png, rgba + 4 * (size_t)width * (size_t)j);
    png_write_end(png, info);
}

static FrResult write_png(PngRun *run, int32_t width, int32_t height, const uint8_t *rgba) {
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, run, on_error, on_warning,
                                                run, on_alloc, on_free);
    if (!png) return fr_no_memory(run->ctx, "a PNG");
    png_infop info = png_create_info_struct(png);
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return fr_no_memory(run->ctx, "a PNG");
    }
    if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_write_fn(png, run, on_write, on_flush);
        write_rows(png, info, width, height, rgba);
    }
    png_destroy_write_struct(&png, &info);
    return run->result;
}

FrResult fr_png_write(FrContext *ctx, const char *path, int32_t width, int32_t height,
                      const uint8_t *rgba) {
    FR_ASSERT_IN(ctx, width > 0 && height > 0, "a picture has pixels");
    FrFileWriter file;
    FR_TRY(fr_file_begin(ctx, path, &file));
    PngRun run = {.ctx = ctx, .file = &file};
    FrResult result = write_png(&run, width, height, rgba);
    if (result == FR_OK) return fr_file_commit(&file);
    fr_file_abort(&file);
    return result;
}
