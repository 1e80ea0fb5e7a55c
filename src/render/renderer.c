// renderer.c: draws a draw list in passes: shadow, geometry, occlusion, blur, picture.

#include "render/camera.h"
#include "render/colour.h"
#include "render/drawlist.h"
#include "render/gl.h"
#include "render/overlay.h"
#include "render/shaders.h"
#include <string.h>

typedef enum Pass {
    SHADOW,
    SHADOW_CLEAR,
    GEOMETRY,
    GEOMETRY_CUT,
    OCCLUSION,
    BLUR,
    BODY,
    STRESS,
    GLASS,
    FLOOR,
    FLOOR_CUT,
    SKY,
    PASS_COUNT
} Pass;
typedef enum Target {
    T_SHADOW,
    T_GEOMETRY,
    T_OCCLUSION,
    T_BLUR,
    T_SAMPLES,
    T_PICTURE,
    T_FAR_SIDE,
    TARGETS
} Target;

typedef struct Program {
    GLuint id;
    GLint colour, finish, opacity, own_plane, step;
} Program;

struct FrRenderer {
    FrContext *ctx;
    FrRendererDef def;
    FrGl gl;
    Program program[PASS_COUNT];
    GLuint target[TARGETS], buffer[2]; ///< buffers: colour and depth of the samples
    GLuint shadow_map, geometry, geometry_depth, occlusion[2], colour_map, picture, compare;
    GLuint far_side, far_depth; ///< where a clear body ends: normal towards the eye, depth in m
    GLuint vertex_array, floor_array, vertex_buffer, index_buffer, floor_buffer, block_buffer;
    int32_t occlusion_width, occlusion_height;
    uint8_t *flip; ///< the picture as OpenGL has it, rows from below
    FrDrawList list;
    FrSceneBlock block;
};

FrRendererDef fr_renderer_def_default(void) {
    return (FrRendererDef){
        .width = 1280, .height = 720, .samples = 4, .shadow_size = 1024, .occlusion_scale = 2};
}

FrRendererDef fr_renderer_def_still(int32_t width, int32_t height) {
    return (FrRendererDef){
        .width = width, .height = height, .samples = 8, .shadow_size = 2048, .occlusion_scale = 1};
}

FrRenderOptions fr_render_options_default(void) {
    return (FrRenderOptions){
        .show = FR_SHOW_SURFACE, .shrink = 0.86, .exposure = 1, .legend = true};
}

// --- making

static FrResult check_def(FrContext *ctx, const FrRendererDef *def) {
    if (def->width < 16 || def->height < 16 || def->width > 8192 || def->height > 8192)
        return fr_fail(ctx, FR_BAD_USE, "picture of %d x %d pixels; 16 to 8192 each are drawn",
                       def->width, def->height);
    if (def->samples < 1 || def->samples > 16)
        return fr_fail(ctx, FR_BAD_USE, "%d samples a pixel; 1 to 16 are possible", def->samples);
    if (def->shadow_size < 256 || def->shadow_size > 8192)
        return fr_fail(ctx, FR_BAD_USE, "shadow map of %d texels; 256 to 8192 are possible",
                       def->shadow_size);
    if (def->occlusion_scale < 1 || def->occlusion_scale > 4)
        return fr_fail(ctx, FR_BAD_USE, "occlusion at 1/%d of the size; 1 to 4 are possible",
                       def->occlusion_scale);
    return FR_OK;
}

static FrResult make_programs(FrRenderer *r) {
    static const FrGlSource source[PASS_COUNT] = {
        {"shadow", "", fr_shader_shadow_vertex, "", fr_shader_shadow_fragment},
        {"clear shadow", "#define CLEAR\n", fr_shader_shadow_vertex, "", fr_shader_shadow_fragment},
        {"geometry", "", fr_shader_body_vertex, "", fr_shader_geometry_fragment},
        {"cut geometry", "#define CUT\n", fr_shader_body_vertex, "", fr_shader_geometry_fragment},
        {"occlusion", "", fr_shader_screen_vertex, "", fr_shader_occlusion_fragment},
        {"blur", "", fr_shader_screen_vertex, "", fr_shader_blur_fragment},
        {"body", "", fr_shader_body_vertex, fr_shader_lighting, fr_shader_body_fragment},
        {"stress", "#define STRESS\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_body_fragment},
        {"glass", "#define GLASS\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_body_fragment},
        {"floor", "", fr_shader_body_vertex, fr_shader_lighting, fr_shader_floor_fragment},
        {"cut floor", "#define CUT\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_floor_fragment},
        {"sky", "", fr_shader_screen_vertex, "", fr_shader_sky_fragment},
    };
    // texture units: 0 geometry or blur source or occlusion, 1 shadow depth, 2 shadow, 3 colours,
    // 4 the picture behind, 5 geometry, 6 the far side of a clear body
    static const char *const sampler[][2] = {
        {"geometry", "0"},     {"source", "0"}, {"occlusion", "0"},
        {"shadow_depth", "1"}, {"shadow", "2"}, {"map", "3"},
        {"behind", "4"},       {"depths", "5"}, {"far_side", "6"}};
    for (int k = 0; k < PASS_COUNT; k++) {
        Program *p = &r->program[k];
        FR_TRY(fr_gl_program(r->ctx, fr_shader_common, &source[k], &p->id));
        p->colour = glGetUniformLocation(p->id, "colour");
        p->finish = glGetUniformLocation(p->id, "finish");
        p->opacity = glGetUniformLocation(p->id, "opacity");
        p->own_plane = glGetUniformLocation(p->id, "own_plane");
        p->step = glGetUniformLocation(p->id, "step");
        glUseProgram(p->id);
        for (size_t i = 0; i < sizeof sampler / sizeof *sampler; i++)
            glUniform1i(glGetUniformLocation(p->id, sampler[i][0]), sampler[i][1][0] - '0');
    }
    return fr_gl_check(r->ctx, "making programs");
}

static void attach(GLuint target, GLenum at, GLuint texture) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, at, GL_TEXTURE_2D, texture, 0);
}

static FrResult make_textures(FrRenderer *r) {
    int32_t size = r->def.shadow_size, w = r->occlusion_width, h = r->occlusion_height;
    r->shadow_map = fr_gl_texture(GL_DEPTH_COMPONENT24, size, size, GL_NEAREST);
    glGenSamplers(1, &r->compare);
    glSamplerParameteri(r->compare, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(r->compare, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(r->compare, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(r->compare, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(r->compare, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(r->compare, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    r->geometry = fr_gl_texture(GL_RGBA32F, w, h, GL_NEAREST);
    r->geometry_depth = fr_gl_texture(GL_DEPTH_COMPONENT24, w, h, GL_NEAREST);
    for (int k = 0; k < 2; k++) r->occlusion[k] = fr_gl_texture(GL_RGBA32F, w, h, GL_NEAREST);
    r->picture = fr_gl_texture(GL_SRGB8_ALPHA8, r->def.width, r->def.height, GL_LINEAR);
    r->far_side = fr_gl_texture(GL_RGBA32F, r->def.width, r->def.height, GL_NEAREST);
    r->far_depth = fr_gl_texture(GL_DEPTH_COMPONENT24, r->def.width, r->def.height, GL_NEAREST);
    uint8_t map[FR_COLOUR_STEPS][3];
    fr_colour_map(map);
    r->colour_map = fr_gl_texture(GL_SRGB8, FR_COLOUR_STEPS, 1, GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, FR_COLOUR_STEPS, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, map);
    return fr_gl_check(r->ctx, "making textures");
}

static void make_renderbuffer(GLuint buffer, GLenum at, GLenum format, int32_t samples, int32_t w,
                              int32_t h) {
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, w, h);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, at, GL_RENDERBUFFER, buffer);
}

static FrResult make_targets(FrRenderer *r) {
    glGenFramebuffers(TARGETS, r->target);
    glGenRenderbuffers(2, r->buffer);
    attach(r->target[T_SHADOW], GL_DEPTH_ATTACHMENT, r->shadow_map);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    FR_TRY(fr_gl_check_target(r->ctx, "shadow"));
    attach(r->target[T_GEOMETRY], GL_COLOR_ATTACHMENT0, r->geometry);
    attach(r->target[T_GEOMETRY], GL_DEPTH_ATTACHMENT, r->geometry_depth);
    FR_TRY(fr_gl_check_target(r->ctx, "geometry"));
    attach(r->target[T_OCCLUSION], GL_COLOR_ATTACHMENT0, r->occlusion[0]);
    FR_TRY(fr_gl_check_target(r->ctx, "occlusion"));
    attach(r->target[T_BLUR], GL_COLOR_ATTACHMENT0, r->occlusion[1]);
    FR_TRY(fr_gl_check_target(r->ctx, "blur"));
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    int32_t samples = fr_min_i(r->def.samples, most), w = r->def.width, h = r->def.height;
    glBindFramebuffer(GL_FRAMEBUFFER, r->target[T_SAMPLES]);
    make_renderbuffer(r->buffer[0], GL_COLOR_ATTACHMENT0, GL_SRGB8_ALPHA8, samples, w, h);
    make_renderbuffer(r->buffer[1], GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples, w, h);
    FR_TRY(fr_gl_check_target(r->ctx, "picture with samples"));
    attach(r->target[T_FAR_SIDE], GL_COLOR_ATTACHMENT0, r->far_side);
    attach(r->target[T_FAR_SIDE], GL_DEPTH_ATTACHMENT, r->far_depth);
    FR_TRY(fr_gl_check_target(r->ctx, "far side"));
    attach(r->target[T_PICTURE], GL_COLOR_ATTACHMENT0, r->picture);
    return fr_gl_check_target(r->ctx, "picture");
}

static void make_array(GLuint *array, GLuint *vertices, GLuint indices) {
    glGenVertexArrays(1, array);
    glGenBuffers(1, vertices);
    glBindVertexArray(*array);
    glBindBuffer(GL_ARRAY_BUFFER, *vertices);
    GLsizei stride = sizeof(FrDrawVertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(FrDrawVertex, p));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(FrDrawVertex, n));
    glVertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(FrDrawVertex, s));
    for (GLuint k = 0; k < 3; k++) glEnableVertexAttribArray(k);
    if (indices) glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
}

static FrResult make_everything(FrRenderer *r) {
    r->flip = fr_alloc(r->ctx, 4 * (size_t)r->def.width * (size_t)r->def.height);
    if (!r->flip) return fr_no_memory(r->ctx, "a picture");
    FR_TRY(fr_gl_open(r->ctx, &r->gl));
    FR_TRY(make_programs(r));
    FR_TRY(make_textures(r));
    FR_TRY(make_targets(r));
    glGenBuffers(1, &r->index_buffer);
    glGenBuffers(1, &r->block_buffer);
    make_array(&r->vertex_array, &r->vertex_buffer, r->index_buffer);
    make_array(&r->floor_array, &r->floor_buffer, 0);
    return fr_gl_check(r->ctx, "making buffers");
}

FrResult fr_renderer_create(FrContext *ctx, const FrRendererDef *def, FrRenderer **renderer) {
    *renderer = NULL;
    FR_TRY(check_def(ctx, def));
    FrRenderer *r = FR_NEW(ctx, FrRenderer, 1);
    if (!r) return fr_no_memory(ctx, "a renderer");
    r->ctx = ctx;
    r->def = *def;
    r->gl.display = EGL_NO_DISPLAY;
    r->occlusion_width = (def->width + def->occlusion_scale - 1) / def->occlusion_scale;
    r->occlusion_height = (def->height + def->occlusion_scale - 1) / def->occlusion_scale;
    fr_drawlist_init(&r->list, ctx);
    FrResult result = make_everything(r);
    if (result == FR_OK)
        *renderer = r;
    else
        fr_renderer_destroy(r);
    return result;
}

// what OpenGL holds goes with its context
void fr_renderer_destroy(FrRenderer *r) {
    if (!r) return;
    fr_gl_close(&r->gl);
    fr_drawlist_free(&r->list);
    fr_free(r->ctx, r->flip);
    fr_free(r->ctx, r);
}

FrContext *fr_renderer_context(const FrRenderer *renderer) { return renderer->ctx; }

void fr_renderer_size(const FrRenderer *renderer, int32_t *width, int32_t *height) {
    *width = renderer->def.width;
    *height = renderer->def.height;
}

// --- the numbers of a frame

static void to4(float to[4], FrVec3 v, double w) {
    to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z, to[3] = (float)w;
}

// rows of a 4x4 matrix to OpenGL's columns
static void to_columns(float to[16], double m[4][4]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) to[4 * j + i] = (float)m[i][j];
}

static void set_row(double row[4], FrVec3 v, double w) {
    row[0] = v.x, row[1] = v.y, row[2] = v.z, row[3] = w;
}

static void set_view(FrRenderer *r, const FrCamera *camera) {
    FrSceneBlock *b = &r->block;
    FrCameraFrame f = fr_camera_frame(camera);
    FrVec3 eye = fr_sub(camera->eye, r->list.origin);
    double aspect = r->def.width / (double)r->def.height, t = tan(0.5 * camera->fov);
    double radius = f.distance * t; // half the height of the picture, at the target
    double near = 0.04 * f.distance, far = f.distance + 30 * radius;
    double m[4][4];
    set_row(m[0], fr_scale(1 / (t * aspect), f.right), -fr_dot(f.right, eye) / (t * aspect));
    set_row(m[1], fr_scale(1 / t, f.up), -fr_dot(f.up, eye) / t);
    double a = (far + near) / (far - near), c = -2 * far * near / (far - near);
    set_row(m[2], fr_scale(a, f.forward), -a * fr_dot(f.forward, eye) + c);
    set_row(m[3], f.forward, -fr_dot(f.forward, eye));
    to_columns(b->clip_from_world, m);
    to4(b->eye, eye, f.distance);
    to4(b->forward, f.forward, 0);
    to4(b->ray_x, fr_scale(t * aspect, f.right), 0);
    to4(b->ray_y, fr_scale(t, f.up), 0);
    to4(b->focus, fr_sub(camera->target, r->list.origin), radius);
    b->screen[0] = (float)r->def.width, b->screen[1] = (float)r->def.height;
    b->screen[2] = (float)r->occlusion_width, b->screen[3] = (float)r->occlusion_height;
    b->look[1] = (float)(0.17 * radius);
}

// The shadow map holds everything that casts a shadow. Its size goes in steps and its place in
// whole texels, so that shadow edges do not swim while bodies move.
static void set_sun(FrRenderer *r) {
    FrSceneBlock *b = &r->block;
    FrVec3 sun = fr_normalize(fr_vec3(-0.46, -0.42, 0.88));
    FrVec3 x = fr_normalize(fr_cross(fr_vec3(0, 0, 1), sun)), y = fr_cross(sun, x);
    FrBox box = r->list.bounds;
    FrVec3 centre = fr_vec3_zero;
    double radius = (double)b->focus[3];
    if (box.lo.x <= box.hi.x) {
        centre = fr_box_center(box);
        radius = 0.5 * fr_length(fr_box_size(box));
    }
    radius = fr_max(1.08 * radius, 1e-6 * (double)b->focus[3]);
    radius = exp2(ceil(8 * log2(radius)) / 8);
    double width = 2 * radius, range = 6 * radius, texel = width / r->def.shadow_size;
    FrVec3 fixed = fr_add(centre, r->list.origin);
    double cx = floor(fr_dot(x, fixed) / texel) * texel - fr_dot(x, r->list.origin);
    double cy = floor(fr_dot(y, fixed) / texel) * texel - fr_dot(y, r->list.origin);
    double top = fr_dot(sun, centre) + radius;
    double m[4][4];
    set_row(m[0], fr_scale(1 / width, x), 0.5 - cx / width);
    set_row(m[1], fr_scale(1 / width, y), 0.5 - cy / width);
    set_row(m[2], fr_scale(-1 / range, sun), top / range);
    set_row(m[3], fr_vec3_zero, 1);
    to_columns(b->light_from_world, m);
    to4(b->sun, sun, 0.075);
    to4(b->light_x, x, width);
    to4(b->light_y, y, range);
    b->look[2] = (float)r->def.shadow_size;
}

static double luminance(const float c[3]) {
    return 0.2126 * (double)c[0] + 0.7152 * (double)c[1] + 0.0722 * (double)c[2];
}

// metered from the floor: bright floors are exposed less, though not all the way
static void set_look(FrRenderer *r, const FrRenderOptions *options) {
    FrSceneBlock *b = &r->block;
    const FrDrawList *list = &r->list;
    double seen = 0.5;
    to4(b->floor_colour, fr_vec3(0.5, 0.5, 0.5), list->plane_count > 0);
    for (int32_t k = 0; k < FR_DRAW_PLANES; k++) to4(b->plane[k], fr_vec3(0, 0, 1), -1e9);
    for (int32_t k = 0; k < list->plane_count; k++)
        to4(b->plane[k], list->plane[k].normal, list->plane[k].offset);
    if (list->plane_count > 0) {
        const float *c = list->plane[0].colour;
        seen = fr_clamp(luminance(c), 0.04, 1);
        to4(b->floor_colour, fr_vec3((double)c[0], (double)c[1], (double)c[2]), 1);
    }
    b->planes[0] = (float)list->plane_count;
    FrBox box = fr_box_grow(list->bounds, 1.2 * (double)b->look[1]);
    to4(b->box_lo, box.lo, 0);
    to4(b->box_hi, box.hi, 0);
    b->look[0] = (float)(options->exposure * 0.43 / (2.75 * pow(seen, 0.8) * pow(0.6, 0.2)));
}

// --- drawing

static void upload(FrRenderer *r) {
    const FrDrawList *list = &r->list;
    glBindBuffer(GL_ARRAY_BUFFER, r->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(FrDrawVertex) * (size_t)list->vertex.count),
                 list->vertex.data, GL_STREAM_DRAW);
    glBindVertexArray(r->vertex_array);
    if (list->index_changed)
        glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                     (GLsizeiptr)(sizeof(uint32_t) * (size_t)list->index.count), list->index.data,
                     GL_STATIC_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, r->block_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof r->block, &r->block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->block_buffer);
}

// each plane as a square as far as the fog lets one see
static void upload_planes(FrRenderer *r) {
    FrDrawVertex v[6 * FR_DRAW_PLANES];
    memset(v, 0, sizeof v);
    double half = 14 * (double)r->block.focus[3];
    FrVec3 focus = {(double)r->block.focus[0], (double)r->block.focus[1],
                    (double)r->block.focus[2]};
    static const double corner[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
    for (int32_t k = 0; k < r->list.plane_count; k++) {
        FrVec3 n = r->list.plane[k].normal, x = fr_any_normal(n), y = fr_cross(n, x);
        FrVec3 c = fr_axpy(r->list.plane[k].offset - fr_dot(n, focus), n, focus);
        for (int i = 0; i < 6; i++) {
            FrVec3 p = fr_axpy(half * corner[i][0], x, fr_axpy(half * corner[i][1], y, c));
            float place[4], normal[4];
            to4(place, p, 0), to4(normal, n, 0);
            memcpy(v[6 * k + i].p, place, sizeof v->p);
            memcpy(v[6 * k + i].n, normal, sizeof v->n);
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, r->floor_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof v, v, GL_STREAM_DRAW);
}

static void draw_batch(const FrDrawBatch *batch) {
    glDrawElements(GL_TRIANGLES, batch->count, GL_UNSIGNED_INT,
                   (void *)(sizeof(uint32_t) * (size_t)batch->first));
}

static void begin(FrRenderer *r, Target target, int32_t width, int32_t height, Pass pass) {
    glBindFramebuffer(GL_FRAMEBUFFER, r->target[target]);
    glViewport(0, 0, width, height);
    glUseProgram(r->program[pass].id);
}

static void bind(GLenum unit, GLuint texture, GLuint sampler) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindSampler(unit, sampler);
}

static void draw_shadow(FrRenderer *r) {
    begin(r, T_SHADOW, r->def.shadow_size, r->def.shadow_size, SHADOW);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glBindVertexArray(r->vertex_array);
    for (int32_t k = 0; k < r->list.batch.count; k++) {
        const FrDrawBatch *batch = &r->list.batch.data[k];
        const Program *p = &r->program[batch->clear ? SHADOW_CLEAR : SHADOW];
        glUseProgram(p->id);
        if (batch->clear) glUniform1f(p->opacity, 0.25f + 0.75f * batch->opacity);
        draw_batch(batch);
    }
}

// `pass`: the one for a single plane; the next one cuts planes by each other
static void draw_planes(FrRenderer *r, Pass pass) {
    // alone, a plane is never hidden behind another
    const Program *p = &r->program[r->list.plane_count > 1 ? pass + 1 : pass];
    glUseProgram(p->id);
    glBindVertexArray(r->floor_array);
    glEnable(GL_CULL_FACE); // a plane seen from behind is not there
    for (int32_t k = 0; k < r->list.plane_count; k++) {
        const FrDrawPlane *plane = &r->list.plane[k];
        if (p->own_plane >= 0) glUniform1i(p->own_plane, k);
        if (p->colour >= 0)
            glUniform4f(p->colour, plane->colour[0], plane->colour[1], plane->colour[2], 1);
        glDrawArrays(GL_TRIANGLES, 6 * k, 6);
    }
    glDisable(GL_CULL_FACE);
}

static void draw_geometry(FrRenderer *r) {
    begin(r, T_GEOMETRY, r->occlusion_width, r->occlusion_height, GEOMETRY);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBindVertexArray(r->vertex_array);
    for (int32_t k = 0; k < r->list.batch.count; k++) {
        const FrDrawBatch *batch = &r->list.batch.data[k];
        if (batch->clear) continue;
        if (batch->closed) glEnable(GL_CULL_FACE);
        draw_batch(batch);
        glDisable(GL_CULL_FACE);
    }
    draw_planes(r, GEOMETRY);
}

static void draw_occlusion(FrRenderer *r) {
    int32_t w = r->occlusion_width, h = r->occlusion_height;
    glDisable(GL_DEPTH_TEST);
    begin(r, T_OCCLUSION, w, h, OCCLUSION);
    bind(1, r->shadow_map, 0);
    bind(2, r->shadow_map, r->compare);
    bind(0, r->geometry, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int k = 0; k < 2; k++) {
        begin(r, k ? T_OCCLUSION : T_BLUR, w, h, BLUR);
        bind(0, r->occlusion[k], 0);
        glUniform2i(r->program[BLUR].step, k == 0, k == 1);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glEnable(GL_DEPTH_TEST);
}

static void draw_body(FrRenderer *r, const FrDrawBatch *b) {
    bool scale = fr_show_scaled(r->list.show);
    const Program *p = &r->program[b->clear ? GLASS : scale ? STRESS : BODY];
    glUseProgram(p->id);
    glBindVertexArray(r->vertex_array);
    glUniform4f(p->colour, b->colour[0], b->colour[1], b->colour[2], b->opacity);
    glUniform4f(p->finish, b->roughness, b->metallic, 0, b->index);
    if (b->closed) glEnable(GL_CULL_FACE); // its back is never seen
    draw_batch(b);
    glDisable(GL_CULL_FACE);
}

// the samples of each pixel become one
static void resolve(FrRenderer *r) {
    int32_t w = r->def.width, h = r->def.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->target[T_SAMPLES]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->target[T_PICTURE]);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, r->target[T_SAMPLES]);
}

#define CLEAR_LAYERS 6

// Where the clear batches [from, to) end that are seen first: surfaces along a line of sight face
// towards the eye and away from it in turns, so the nearest that faces away goes with the nearest.
static void draw_far_side(FrRenderer *r, int32_t from, int32_t to) {
    begin(r, T_FAR_SIDE, r->def.width, r->def.height, GEOMETRY);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBindVertexArray(r->vertex_array);
    glEnable(GL_CULL_FACE);
    for (int32_t k = from; k < to; k++) {
        const FrDrawBatch *b = &r->list.batch.data[k];
        if (!b->clear || b->index <= 1) continue;
        glCullFace(b->inward ? GL_BACK : GL_FRONT);
        draw_batch(b);
    }
    glCullFace(GL_BACK);
    glDisable(GL_CULL_FACE);
}

// of the body that batch k belongs to, whose batches lie together; `rest`: and of all behind it
static void draw_far_side_of(FrRenderer *r, int32_t k, bool rest) {
    const FrDrawBatch *batch = r->list.batch.data;
    int32_t from = k, to = k + 1;
    while (from > 0 && batch[from - 1].body == batch[k].body) from--;
    while (to < r->list.batch.count && (rest || batch[to].body == batch[k].body)) to++;
    draw_far_side(r, from, to);
}

// clear bodies from far to near; each sees the picture behind it, the last ones share one
static void draw_clear(FrRenderer *r) {
    const FrDrawBatch *batch = r->list.batch.data;
    int32_t layer = 0;
    for (int32_t k = 0; k < r->list.batch.count; k++) {
        if (!batch[k].clear) continue;
        if (layer < CLEAR_LAYERS) {
            bind(4, 0, 0), bind(5, 0, 0), bind(6, 0, 0);
            bool last = layer == CLEAR_LAYERS - 1;
            if (last || layer == 0 || batch[k].body != batch[k - 1].body)
                draw_far_side_of(r, k, last);
            resolve(r);
            bind(4, r->picture, 0), bind(5, r->geometry, 0), bind(6, r->far_side, 0);
        }
        layer++;
        draw_body(r, &batch[k]);
    }
}

static void draw_picture(FrRenderer *r) {
    glEnable(GL_FRAMEBUFFER_SRGB);
    begin(r, T_SAMPLES, r->def.width, r->def.height, BODY);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    bind(0, r->occlusion[0], 0);
    bind(3, r->colour_map, 0);
    for (int32_t k = 0; k < r->list.batch.count; k++)
        if (!r->list.batch.data[k].clear) draw_body(r, &r->list.batch.data[k]);
    draw_planes(r, FLOOR);
    glDepthFunc(GL_LEQUAL);
    glUseProgram(r->program[SKY].id);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_LESS);
    draw_clear(r);
    resolve(r);
    glDisable(GL_FRAMEBUFFER_SRGB);
}

static void read_back(FrRenderer *r, uint8_t *rgba) {
    int32_t w = r->def.width, h = r->def.height;
    glBindFramebuffer(GL_FRAMEBUFFER, r->target[T_PICTURE]);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, r->flip);
    size_t row = 4 * (size_t)w;
    for (int32_t j = 0; j < h; j++)
        memcpy(rgba + row * (size_t)j, r->flip + row * (size_t)(h - 1 - j), row);
    for (size_t k = 3; k < row * (size_t)h; k += 4) rgba[k] = 255;
}

static FrResult check_camera(FrContext *ctx, const FrCamera *camera) {
    if (!fr_vec3_finite(camera->eye) || !fr_vec3_finite(camera->target) ||
        !fr_vec3_finite(camera->up) || !(fr_distance(camera->eye, camera->target) > 0))
        return fr_fail(ctx, FR_BAD_USE, "camera: eye and target must be finite and apart");
    if (!(camera->fov > 0.01 && camera->fov < 3.0))
        return fr_fail(ctx, FR_BAD_USE, "camera: fov is %g rad; 0.01 to 3 are allowed",
                       camera->fov);
    return FR_OK;
}

FrResult fr_render_frame(FrRenderer *r, const FrFrameView *view, const FrCamera *camera,
                         const FrRenderOptions *options, uint8_t *rgba) {
    FR_TRY(check_camera(r->ctx, camera));
    FrCamera now = fr_camera_at(camera, view->t);
    FR_TRY(fr_drawlist_update(&r->list, view, now.eye, now.target, options));
    FR_TRY(fr_gl_use(&r->gl));
    set_view(r, &now);
    set_sun(r);
    set_look(r, options);
    upload(r);
    upload_planes(r);
    draw_shadow(r);
    draw_geometry(r);
    draw_occlusion(r);
    draw_picture(r);
    read_back(r, rgba);
    FR_TRY(fr_gl_check(r->ctx, "drawing a frame"));
    FrImage image = {r->def.width, r->def.height, rgba};
    if (options->time_stamp) fr_overlay_time(image, view->t, options->time_in_ms);
    if (options->show == FR_SHOW_STRESS && options->legend)
        fr_overlay_legend(image, r->list.stress_max);
    if (options->show == FR_SHOW_SEPARATION && options->legend) fr_overlay_load_legend(image);
    if (options->show == FR_SHOW_CRACKS && options->legend)
        fr_overlay_crack_legend(image, r->list.crack_first, r->list.crack_last);
    return FR_OK;
}
