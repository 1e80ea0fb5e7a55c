// renderer_draw.c: draws a draw list in passes: shadow, geometry, occlusion, blur, picture.

#include "render/renderer_inside.h"
#include <string.h>

static void upload(FrRenderer *r) {
    const FrDrawList *list = &r->list;
    glBindBuffer(GL_ARRAY_BUFFER, r->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(FrDrawVertex) * (size_t)list->vertex.count),
                 list->vertex.data, GL_STREAM_DRAW);
    glBindVertexArray(r->vertex_array);
    r->cost.calls = 0;
    r->cost.uploaded = (int64_t)sizeof(FrDrawVertex) * list->vertex.count;
    if (list->index_changed) r->cost.uploaded += (int64_t)sizeof(uint32_t) * list->index.count;
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
            v[6 * k + i] = (FrDrawVertex){.p = {(float)p.x, (float)p.y, (float)p.z},
                                          .n = {(float)n.x, (float)n.y, (float)n.z}};
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, r->floor_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof v, v, GL_STREAM_DRAW);
}

static void draw_batch(FrRenderer *r, const FrDrawBatch *batch) {
    r->cost.calls++;
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
        draw_batch(r, batch);
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
        r->cost.calls++;
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
        draw_batch(r, batch);
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
    Pass pass = b->clear ? GLASS : scale ? STRESS : BODY;
    const Program *p = &r->program[r->def.fast ? pass - BODY + FAST_BODY : pass];
    glUseProgram(p->id);
    glBindVertexArray(r->vertex_array);
    glUniform4f(p->colour, b->colour[0], b->colour[1], b->colour[2], b->opacity);
    glUniform4f(p->finish, b->roughness, b->metallic, 0, b->index);
    if (b->closed) glEnable(GL_CULL_FACE); // its back is never seen
    draw_batch(r, b);
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
        draw_batch(r, b);
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

// from far to near, each over what is behind it
static void draw_clear_fast(FrRenderer *r) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_SRC_ALPHA); // what it keeps of what is behind it is in alpha
    glDepthMask(GL_FALSE);
    for (int32_t k = 0; k < r->list.batch.count; k++)
        if (r->list.batch.data[k].clear) draw_body(r, &r->list.batch.data[k]);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

static void draw_picture(FrRenderer *r) {
    glEnable(GL_FRAMEBUFFER_SRGB);
    begin(r, T_SAMPLES, r->def.width, r->def.height, BODY);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    bind(0, r->occlusion[0], 0);
    bind(2, r->shadow_map, r->compare);
    bind(3, r->colour_map, 0);
    for (int32_t k = 0; k < r->list.batch.count; k++)
        if (!r->list.batch.data[k].clear) draw_body(r, &r->list.batch.data[k]);
    draw_planes(r, r->def.fast ? FAST_FLOOR : FLOOR);
    glDepthFunc(GL_LEQUAL);
    glUseProgram(r->program[SKY].id);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    r->cost.calls++;
    glDepthFunc(GL_LESS);
    if (r->def.fast)
        draw_clear_fast(r);
    else
        draw_clear(r);
    resolve(r);
    glDisable(GL_FRAMEBUFFER_SRGB);
}

void fr_renderer_read_back(FrRenderer *r, GLuint framebuffer, uint8_t *rgba) {
    int32_t w = r->def.width, h = r->def.height;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, r->flip);
    size_t row = 4 * (size_t)w;
    for (int32_t j = 0; j < h; j++)
        memcpy(rgba + row * (size_t)j, r->flip + row * (size_t)(h - 1 - j), row);
    for (size_t k = 3; k < row * (size_t)h; k += 4) rgba[k] = 255;
}

void fr_renderer_draw(FrRenderer *r) {
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    upload(r);
    upload_planes(r);
    draw_shadow(r);
    if (!r->def.fast) {
        draw_geometry(r);
        draw_occlusion(r);
    }
    draw_picture(r);
}

// bytes as they are: the window has no colours of its own
void fr_renderer_show(FrRenderer *r) {
    int32_t w = r->def.width, h = r->def.height;
    if (!r->def.adopt) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->target[T_PICTURE]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
