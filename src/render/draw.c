// draw.c: pictures for a window: the renderer of films in somebody else's OpenGL context, with
// marks over it, and a fast path.

#include "fracas/draw.h"
#include "math/vec.h"
#include "render/colour.h"
#include "render/marks.h"
#include "render/renderer_inside.h"
#include <math.h>

struct FrDraw {
    FrContext *ctx;
    FrDrawDef def;
    FrRenderer *renderer;
    FrMarks marks;
    FrViewpoint from; ///< of the last view
    FrDrawCost cost;
};

FrDrawDef fr_draw_def_default(void) {
    return (FrDrawDef){.width = 1280, .height = 720, .samples = 4, .cookie = FR_COOKIE};
}

FrDrawLook fr_draw_look_default(void) {
    return (FrDrawLook){.from = {{1.2, -1.4, 0.9}, {0, 0, 0.1}, FR_CAMERA_FOV},
                        .show = FR_SHOW_SURFACE,
                        .cookie = FR_COOKIE};
}

static FrRendererDef renderer_def(const FrDrawDef *def) {
    return (FrRendererDef){.width = def->width,
                           .height = def->height,
                           .samples = def->samples,
                           .shadow_size = 1024,
                           .occlusion_scale = 2,
                           .adopt = !def->offscreen,
                           .fast = !def->fine};
}

FrResult fr_draw_create(FrContext *ctx, const FrDrawDef *def, FrDraw **draw) {
    FR_NEED_ALL(ctx, ctx && def && draw);
    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_draw_def_default()");
    *draw = NULL;
    FrDraw *d = FR_NEW(ctx, FrDraw, 1);
    if (!d) return fr_no_memory(ctx, "a picture");
    d->ctx = ctx;
    d->def = *def;
    FrRendererDef wanted = renderer_def(def);
    FrResult result = fr_renderer_create(ctx, &wanted, &d->renderer);
    if (result == FR_OK) result = fr_marks_create(ctx, &d->marks);
    if (result == FR_OK)
        *draw = d;
    else
        fr_draw_destroy(d);
    return result;
}

void fr_draw_destroy(FrDraw *d) {
    if (!d) return;
    if (d->renderer) fr_renderer_use(d->renderer);
    fr_marks_free(d->ctx, &d->marks);
    fr_renderer_destroy(d->renderer);
    fr_free(d->ctx, d);
}

static FrResult change(FrDraw *d, const FrDrawDef *def) {
    FrRendererDef wanted = renderer_def(def);
    FR_TRY(fr_renderer_change(d->renderer, &wanted));
    d->def = *def;
    return FR_OK;
}

FrResult fr_draw_resize(FrDraw *d, int32_t width, int32_t height) {
    FR_NEED_ALL(d ? d->ctx : NULL, d);
    FrDrawDef def = d->def;
    if (def.width == width && def.height == height) return FR_OK;
    def.width = width;
    def.height = height;
    return change(d, &def);
}

FrResult fr_draw_set_quality(FrDraw *d, bool fine, int32_t samples) {
    FR_NEED_ALL(d ? d->ctx : NULL, d);
    FrDrawDef def = d->def;
    if (def.fine == fine && def.samples == samples) return FR_OK;
    def.fine = fine;
    def.samples = samples;
    return change(d, &def);
}

FrResult fr_draw_view(FrDraw *d, const FrFrameView *view, const FrDrawLook *look) {
    FR_NEED_ALL(d ? d->ctx : NULL, d && view && look);
    FR_NEED(d->ctx, look->cookie == FR_COOKIE, "start from fr_draw_look_default()");
    FrRenderOptions options = fr_render_options_default();
    FrCamera camera = {
        .eye = look->from.eye, .target = look->from.target, .up = {0, 0, 1}, .fov = look->from.fov};
    options.show = look->show;
    options.stress_max = look->scale;
    options.lit = look->lit;
    d->from = look->from;
    FR_TRY(fr_render_present(d->renderer, view, &camera, &options));
    FrRenderCost cost = fr_renderer_cost(d->renderer);
    d->cost = (FrDrawCost){cost.calls, cost.uploaded, cost.scale};
    return FR_OK;
}

// clipped to before the eye; false: all of it is behind
static bool seen_line(const FrDraw *d, const FrDrawLine *line, double from[2], double to[2]) {
    FrVec3 a = line->from, b = line->to, forward = fr_sub(d->from.target, d->from.eye);
    double near = 1e-3 * fr_length2(forward);
    double ta = fr_dot(fr_sub(a, d->from.eye), forward) - near;
    double tb = fr_dot(fr_sub(b, d->from.eye), forward) - near;
    if (!(ta > 0.0) && !(tb > 0.0)) return false;
    FrVec3 cut = fr_lerp(a, b, ta / (ta - tb));
    if (!(ta > 0.0)) a = cut;
    if (!(tb > 0.0)) b = cut;
    a = fr_draw_place(&d->from, d->def.width, d->def.height, a);
    b = fr_draw_place(&d->from, d->def.width, d->def.height, b);
    from[0] = a.x, from[1] = a.y, to[0] = b.x, to[1] = b.y;
    return true;
}

FrResult fr_draw_marks(FrDraw *d, const FrDrawLine *line, int32_t line_count,
                       const FrDrawLabel *label, int32_t label_count) {
    FR_NEED_ALL(d ? d->ctx : NULL, d && (line || line_count <= 0) && (label || label_count <= 0));
    int32_t size[2] = {d->def.width, d->def.height};
    double from[2], to[2];
    for (int32_t k = 0; k < line_count; k++)
        if (seen_line(d, &line[k], from, to))
            FR_TRY(fr_marks_line(d->ctx, &d->marks, &line[k], from, to, size));
    for (int32_t k = 0; k < label_count; k++) {
        FrVec3 at = label[k].pixels ? fr_vec3(label[k].at.x, label[k].at.y, 1)
                                    : fr_draw_place(&d->from, size[0], size[1], label[k].at);
        double shift = (double)label[k].shift, place[2] = {at.x + shift, at.y + shift};
        if (at.z > 0.0) FR_TRY(fr_marks_text(d->ctx, &d->marks, &label[k], place, size));
    }
    fr_renderer_bind_shown(d->renderer);
    int64_t bytes = fr_marks_draw(&d->marks);
    d->cost.calls += bytes > 0;
    d->cost.uploaded += bytes;
    return fr_gl_check(d->ctx, "drawing marks");
}

FrDrawCost fr_draw_cost(const FrDraw *d) { return d ? d->cost : (FrDrawCost){0}; }

FrResult fr_draw_read(FrDraw *d, uint8_t *rgba) {
    FR_NEED_ALL(d ? d->ctx : NULL, d && rgba);
    fr_renderer_use(d->renderer);
    return fr_renderer_read(d->renderer, rgba);
}

FrResult fr_draw_save(FrDraw *d, const char *path) {
    FR_NEED_ALL(d ? d->ctx : NULL, d && path);
    uint8_t *rgba = fr_alloc(d->ctx, 4 * (size_t)d->def.width * (size_t)d->def.height);
    if (!rgba) return fr_no_memory(d->ctx, "a picture");
    FrResult result = fr_draw_read(d, rgba);
    if (result == FR_OK) result = fr_png_write(d->ctx, path, d->def.width, d->def.height, rgba);
    fr_free(d->ctx, rgba);
    return result;
}

static FrCameraFrame axes_of(const FrViewpoint *from) {
    FrCamera camera = {.eye = from->eye, .target = from->target, .up = {0, 0, 1}, .fov = from->fov};
    return fr_camera_frame(&camera);
}

FrRay fr_draw_ray(const FrViewpoint *from, int32_t width, int32_t height, double x, double y) {
    if (!from) return (FrRay){fr_vec3_zero, fr_vec3_zero, 0.0};
    FrCameraFrame f = axes_of(from);
    double t = tan(0.5 * from->fov), aspect = (double)width / height;
    double sx = (2.0 * x / width - 1.0) * t * aspect, sy = (1.0 - 2.0 * y / height) * t;
    return (FrRay){from->eye, fr_axpy(sx, f.right, fr_axpy(sy, f.up, f.forward)), HUGE_VAL};
}

FrVec3 fr_draw_place(const FrViewpoint *from, int32_t width, int32_t height, FrVec3 place) {
    if (!from) return fr_vec3_zero;
    FrCamera camera = {.eye = from->eye, .target = from->target, .up = {0, 0, 1}, .fov = from->fov};
    return fr_camera_project(&camera, width, height, place);
}

void fr_draw_colour(double s, float rgb[3]) {
    uint8_t map[FR_COLOUR_STEPS][3];
    if (!rgb) return;
    fr_colour_map(map);
    int k = (int)(fr_clamp(s, 0.0, 1.0) * (FR_COLOUR_STEPS - 1) + 0.5);
    for (int i = 0; i < 3; i++) rgb[i] = (float)map[k][i] / 255.0f;
}
