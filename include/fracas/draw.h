// fracas/draw.h: draws views of a live scene or a recording with OpenGL: into the window whose
// context is current, or without a window.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/live.h"

FR_EXTERN_C_BEGIN

/// Pictures of one size, again and again. From one thread, that which has the OpenGL context.
typedef struct FrDraw FrDraw;

/// All that is needed to draw. Start from fr_draw_def_default(), then change fields.
typedef struct FrDrawDef {
    int32_t width, height; ///< pixels, 16 to 8192
    bool offscreen; ///< with an OpenGL context of its own, without a window; else with the one that
                    ///< is current (3.3 core or later), into its framebuffer 0
    bool fine;      ///< with soft shadows, occlusion and glass that bends light; else several times
                    ///< as fast: hard shadows, glass that is only seen through
    int32_t samples; ///< per pixel for smooth edges: 1, 2, 4, 8
    int32_t cookie;  ///< set by fr_draw_def_default(); do not touch
} FrDrawDef;

/// 1280 x 720, fast, with four samples, into the current context.
FR_API FrDrawDef fr_draw_def_default(void);

/// FR_FAILED "no OpenGL: ..." where there is none.
FR_API FrResult fr_draw_create(FrContext *ctx, const FrDrawDef *def, FrDraw **draw);
/// Accepts NULL. The context that it drew with has to be current.
FR_API void fr_draw_destroy(FrDraw *draw);
/// Other pixels from now on.
FR_API FrResult fr_draw_resize(FrDraw *draw, int32_t width, int32_t height);
/// The fine path, or the fast one; and samples per pixel.
FR_API FrResult fr_draw_set_quality(FrDraw *draw, bool fine, int32_t samples);

/// What is drawn of a view, and from where. Start from fr_draw_look_default().
typedef struct FrDrawLook {
    FrViewpoint from; ///< where it is seen from
    FrShow show;      ///< what colours mean
    double scale;   ///< top of the colours of stress (Pa) and speed (m/s); 0: from the view itself
    FrBodyId lit;   ///< a body that is drawn brighter; null: none
    int32_t cookie; ///< set by fr_draw_look_default(); do not touch
} FrDrawLook;
/// Surfaces, from two metres away.
FR_API FrDrawLook fr_draw_look_default(void);

/// Draw a view, planes and backdrop included. FR_NUMERICAL: a position is not finite.
FR_API FrResult fr_draw_view(FrDraw *draw, const FrFrameView *view, const FrDrawLook *look);

/// A line between two places, in front of everything.
typedef struct FrDrawLine {
    FrVec3 from, to; ///< m
    float width;     ///< pixels
    float colour[4]; ///< sRGB and opacity, 0..1
    bool arrow;      ///< with a head at `to`
} FrDrawLine;

/// Words at a place, in front of everything.
typedef struct FrDrawLabel {
    FrVec3 at;        ///< m: their left end stands there, unless `pixels`
    bool pixels;      ///< x and y of `at` are pixels from the upper left corner instead
    const char *text; ///< printable ASCII
    float size;       ///< height of a capital, pixels
    float shift;      ///< that they stand to the right and lower, pixels: for a shadow
    float colour[4];  ///< sRGB and opacity, 0..1
} FrDrawLabel;

/// Lines (line_count) and words (label_count) over the picture that was drawn last.
FR_API FrResult fr_draw_marks(FrDraw *draw, const FrDrawLine *line, int32_t line_count,
                              const FrDrawLabel *label, int32_t label_count);

/// What the last picture took. Nothing is read back for it.
typedef struct FrDrawCost {
    int32_t calls;    ///< draw calls
    int64_t uploaded; ///< bytes
    double scale;     ///< what the top of the colours stood for, Pa or m/s
} FrDrawCost;
FR_API FrDrawCost fr_draw_cost(const FrDraw *draw); ///< of the last view, marks included

/// What is in the framebuffer now: rows from the top, 4 * width * height bytes, opaque. It waits
/// for OpenGL: not for every frame.
FR_API FrResult fr_draw_read(FrDraw *draw, uint8_t *rgba);
/// The same as a PNG: the old file or the new one, never half.
FR_API FrResult fr_draw_save(FrDraw *draw, const char *path);

/// The ray from the eye through a pixel (from the upper left corner) of a picture of this size.
FR_API FrRay fr_draw_ray(const FrViewpoint *from, int32_t width, int32_t height, double x,
                         double y);
/// Where a place is seen: x, y in pixels from the upper left corner, z the distance along the view,
/// m; behind the eye z is not above 0.
FR_API FrVec3 fr_draw_place(const FrViewpoint *from, int32_t width, int32_t height, FrVec3 place);
/// The colour of s, 0..1 of a scale: sRGB, 0..1. Safe for colour-blind eyes.
FR_API void fr_draw_colour(double s, float rgb[3]);

FR_EXTERN_C_END
