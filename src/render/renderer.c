// renderer.c: a renderer without a window: what it holds of OpenGL, and one frame drawn by it.

#include "render/renderer_inside.h"
#include "render/colour.h"
#include "render/overlay.h"

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
        {"fast body", "#define FAST\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_body_fragment},
        {"fast stress", "#define FAST\n#define STRESS\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_body_fragment},
        {"fast glass", "#define FAST\n#define GLASS\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_body_fragment},
        {"fast floor", "#define FAST\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_floor_fragment},
        {"fast cut floor", "#define FAST\n#define CUT\n", fr_shader_body_vertex, fr_shader_lighting,
         fr_shader_floor_fragment},
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
    // one sample is asked for as none: drivers may give four for one
    int32_t samples = r->def.samples > 1 ? fr_min_i(r->def.samples, most) : 0;
    int32_t w = r->def.width, h = r->def.height;
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

// all that follows from the size
static FrResult make_pictures(FrRenderer *r) {
    const FrRendererDef *def = &r->def;
    r->occlusion_width = (def->width + def->occlusion_scale - 1) / def->occlusion_scale;
    r->occlusion_height = (def->height + def->occlusion_scale - 1) / def->occlusion_scale;
    r->flip = fr_alloc(r->ctx, 4 * (size_t)def->width * (size_t)def->height);
    if (!r->flip) return fr_no_memory(r->ctx, "a picture");
    FR_TRY(make_textures(r));
    return make_targets(r);
}

static void drop_pictures(FrRenderer *r) {
    GLuint texture[] = {r->shadow_map,   r->geometry,     r->geometry_depth,
                        r->occlusion[0], r->occlusion[1], r->picture,
                        r->far_side,     r->far_depth,    r->colour_map};
    glDeleteTextures(sizeof texture / sizeof *texture, texture);
    glDeleteSamplers(1, &r->compare);
    glDeleteFramebuffers(TARGETS, r->target);
    glDeleteRenderbuffers(2, r->buffer);
    fr_free(r->ctx, r->flip);
    r->flip = NULL;
}

FrResult fr_renderer_use(FrRenderer *r) { return r->def.adopt ? FR_OK : fr_gl_use(&r->gl); }

FrResult fr_renderer_change(FrRenderer *r, const FrRendererDef *def) {
    bool adopt = r->def.adopt;
    FR_TRY(check_def(r->ctx, def));
    FR_TRY(fr_renderer_use(r));
    drop_pictures(r);
    r->def = *def;
    r->def.adopt = adopt;
    return make_pictures(r);
}

static FrResult make_everything(FrRenderer *r) {
    if (!r->def.adopt) FR_TRY(fr_gl_open(r->ctx, &r->gl));
    FR_TRY(make_programs(r));
    FR_TRY(make_pictures(r));
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
    fr_drawlist_init(&r->list, ctx);
    FrResult result = make_everything(r);
    if (result == FR_OK)
        *renderer = r;
    else
        fr_renderer_destroy(r);
    return result;
}

// an adopted context goes on without what was made in it
static void drop_everything(FrRenderer *r) {
    for (int k = 0; k < PASS_COUNT; k++)
        if (r->program[k].id) glDeleteProgram(r->program[k].id);
    GLuint buffer[] = {r->vertex_buffer, r->index_buffer, r->floor_buffer, r->block_buffer};
    glDeleteBuffers(sizeof buffer / sizeof *buffer, buffer);
    glDeleteVertexArrays(1, &r->vertex_array);
    glDeleteVertexArrays(1, &r->floor_array);
    drop_pictures(r);
}

// what OpenGL holds goes with its own context
void fr_renderer_destroy(FrRenderer *r) {
    if (!r) return;
    if (r->def.adopt) drop_everything(r);
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

static FrResult check_camera(FrContext *ctx, const FrCamera *camera) {
    if (!fr_vec3_finite(camera->eye) || !fr_vec3_finite(camera->target) ||
        !fr_vec3_finite(camera->up) || !(fr_distance(camera->eye, camera->target) > 0))
        return fr_fail(ctx, FR_BAD_USE, "camera: eye and target must be finite and apart");
    if (!(camera->fov > 0.01 && camera->fov < 3.0))
        return fr_fail(ctx, FR_BAD_USE, "camera: fov is %g rad; 0.01 to 3 are allowed",
                       camera->fov);
    return FR_OK;
}

static FrResult draw(FrRenderer *r, const FrFrameView *view, const FrCamera *camera,
                     const FrRenderOptions *options) {
    FR_TRY(check_camera(r->ctx, camera));
    FrCamera now = fr_camera_at(camera, view->t);
    FR_TRY(fr_drawlist_update(&r->list, view, now.eye, now.target, options));
    FR_TRY(fr_renderer_use(r));
    fr_renderer_set_numbers(r, &now, options);
    fr_renderer_draw(r);
    r->cost.scale = r->list.stress_max;
    return fr_gl_check(r->ctx, "drawing a frame");
}

FrResult fr_render_present(FrRenderer *r, const FrFrameView *view, const FrCamera *camera,
                           const FrRenderOptions *options) {
    FR_TRY(draw(r, view, camera, options));
    fr_renderer_show(r);
    return fr_gl_check(r->ctx, "showing a frame");
}

void fr_renderer_bind_shown(FrRenderer *r) {
    glBindFramebuffer(GL_FRAMEBUFFER, r->def.adopt ? 0 : r->target[T_PICTURE]);
    glViewport(0, 0, r->def.width, r->def.height);
}

FrResult fr_renderer_read(FrRenderer *r, uint8_t *rgba) {
    fr_renderer_read_back(r, r->def.adopt ? 0 : r->target[T_PICTURE], rgba);
    return fr_gl_check(r->ctx, "reading a picture");
}

FrRenderCost fr_renderer_cost(const FrRenderer *r) { return r->cost; }

FrResult fr_render_frame(FrRenderer *r, const FrFrameView *view, const FrCamera *camera,
                         const FrRenderOptions *options, uint8_t *rgba) {
    FR_TRY(draw(r, view, camera, options));
    fr_renderer_read_back(r, r->target[T_PICTURE], rgba);
    FrImage image = {r->def.width, r->def.height, rgba};
    if (options->time_stamp) fr_overlay_time(image, view->t, options->time_in_ms);
    if (options->show == FR_SHOW_STRESS && options->legend)
        fr_overlay_legend(image, r->list.stress_max);
    if (options->show == FR_SHOW_SPEED && options->legend)
        fr_overlay_speed_legend(image, r->list.stress_max);
    if (options->show == FR_SHOW_SEPARATION && options->legend) fr_overlay_load_legend(image);
    if (options->show == FR_SHOW_HEAT && options->legend) fr_overlay_heat_legend(image);
    if (options->show == FR_SHOW_CRACKS && options->legend)
        fr_overlay_crack_legend(image, r->list.crack_first, r->list.crack_last, r->list.precut);
    return FR_OK;
}
