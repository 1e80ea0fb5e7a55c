// shaders.h: the GLSL of every pass, and the block of numbers they share.
#pragma once
#include "render/drawlist.h"

/// Mirrors the uniform block "Scene" (std140: vec4 and mat4 only).
typedef struct FrSceneBlock {
    float clip_from_world[16];
    float light_from_world[16];     ///< to [0,1]^3 of the shadow map
    float eye[4];                   ///< w: distance to the focus, m
    float forward[4];               ///< unit
    float ray_x[4];                 ///< right * tan(fov/2) * aspect
    float ray_y[4];                 ///< up * tan(fov/2)
    float sun[4];                   ///< unit, towards the sun; w: tan of its angular radius
    float light_x[4];               ///< unit axis of the shadow map; w: its width, m
    float light_y[4];               ///< unit axis of the shadow map; w: its depth range, m
    float focus[4];                 ///< centre of the action, m; w: its radius, m
    float screen[4];                ///< width, height of the picture; of the occlusion buffer
    float look[4];                  ///< exposure; occlusion radius, m; texels of the shadow map
    float floor_colour[4];          ///< albedo; w: 1 when there is a floor
    float planes[4];                ///< x: how many
    float box_lo[4], box_hi[4];     ///< where bodies can take light from others, m
    float plane[FR_DRAW_PLANES][4]; ///< normal; offset, m
} FrSceneBlock;

extern const char fr_shader_common[];
extern const char fr_shader_body_vertex[];
extern const char fr_shader_shadow_fragment[], fr_shader_shadow_vertex[];
extern const char fr_shader_geometry_fragment[];
extern const char fr_shader_screen_vertex[];
extern const char fr_shader_occlusion_fragment[];
extern const char fr_shader_blur_fragment[];
/// In front of the body and floor fragments.
extern const char fr_shader_lighting[];
extern const char fr_shader_body_fragment[];
extern const char fr_shader_floor_fragment[];
extern const char fr_shader_sky_fragment[];
