// marks.h: lines and words over a picture, on the GPU.
#pragma once
#include "base/array.h"
#include "fracas/draw.h"
#include "render/gl.h"

/// A corner of a triangle. `u` below 0: of a line, v across it from -1 to 1; else of a letter.
typedef struct FrMark {
    float x, y; ///< clip space
    float u, v;
    float colour[4];
} FrMark;

typedef struct FrMarks {
    GLuint program, array, buffer, letters;
    GLint sampler;
    FR_ARRAY(FrMark) corner;
} FrMarks;

FrResult fr_marks_create(FrContext *ctx, FrMarks *marks);
void fr_marks_free(FrContext *ctx, FrMarks *marks); ///< its context has to be current
/// A line between two pixels (from the upper left corner) of a picture of this size.
FrResult fr_marks_line(FrContext *ctx, FrMarks *marks, const FrDrawLine *line, const double from[2],
                       const double to[2], const int32_t size[2]);
/// Words that begin at a pixel.
FrResult fr_marks_text(FrContext *ctx, FrMarks *marks, const FrDrawLabel *label, const double at[2],
                       const int32_t size[2]);
/// All of them into the bound framebuffer; none are left then. Returns bytes that were uploaded.
int64_t fr_marks_draw(FrMarks *marks);
