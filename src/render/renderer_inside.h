// renderer_inside.h: what the files of the renderer share: its programs, targets and buffers.
#pragma once
#include "render/camera.h"
#include "render/drawlist.h"
#include "render/gl.h"
#include "render/shaders.h"

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
    FAST_BODY,
    FAST_STRESS,
    FAST_GLASS,
    FAST_FLOOR,
    FAST_FLOOR_CUT,
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
    FrRenderCost cost;
};

// renderer_numbers.c
/// What shaders get of a frame: eye, sun, floor, exposure. After its draw list.
void fr_renderer_set_numbers(FrRenderer *r, const FrCamera *camera, const FrRenderOptions *options);

// renderer_draw.c
/// Draw the list with these numbers into the picture.
void fr_renderer_draw(FrRenderer *r);
/// Show the picture.
void fr_renderer_show(FrRenderer *r);
/// A framebuffer into rgba.
void fr_renderer_read_back(FrRenderer *r, GLuint framebuffer, uint8_t *rgba);
