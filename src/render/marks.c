// marks.c: lines and words over a picture, on the GPU: triangles in clip space, letters from one
// texture.

#include "render/marks.h"
#include "math/vec.h"
#include "render/image.h"
#include <math.h>
#include <string.h>

/// Height of a capital in the texture, and the cells of letters, pixels.
#define CAPITAL 24
#define CELL_WIDTH 40
#define CELL_HEIGHT 48
#define BASE 34
#define COLUMNS 16
#define FIRST ' '
#define LAST '~'
#define ROWS ((LAST - FIRST + COLUMNS) / COLUMNS)
/// Pixels over which the edge of a line fades.
#define SOFT 1.0f

static const char vertex_text[] = "in vec2 place, spot;\n"
                                  "in vec4 ink;\n"
                                  "out vec2 at;\n"
                                  "out vec4 colour;\n"
                                  "void main() {\n"
                                  "    at = spot;\n"
                                  "    colour = ink;\n"
                                  "    gl_Position = vec4(place, 0.0, 1.0);\n"
                                  "}\n";

static const char fragment_text[] =
    "uniform sampler2D letters;\n"
    "in vec2 at;\n"
    "in vec4 colour;\n"
    "out vec4 picture;\n"
    "void main() {\n"
    // of a line: it fades over a pixel; v counts half widths
    "    float edge = abs(at.y), fade = fwidth(at.y);\n"
    "    float a = at.x < 0.0 ? clamp((1.0 - edge) / max(fade, 1e-4), 0.0, 1.0)\n"
    "                         : texture(letters, at).r;\n"
    "    picture = vec4(colour.rgb, colour.a * a);\n"
    "}\n";

// every printable letter in a cell of its own
static FrResult make_letters(FrContext *ctx, FrMarks *marks) {
    int32_t w = COLUMNS * CELL_WIDTH, h = ROWS * CELL_HEIGHT;
    size_t pixels = (size_t)w * (size_t)h;
    FrImage image = {w, h, FR_NEW(ctx, uint8_t, 4 * pixels)};
    if (!image.rgba) return fr_no_memory(ctx, "letters");
    for (int c = FIRST; c <= LAST; c++) {
        char text[2] = {(char)c, 0};
        int k = c - FIRST;
        fr_text_draw(image, k % COLUMNS * CELL_WIDTH + 4, k / COLUMNS * CELL_HEIGHT + BASE, CAPITAL,
                     (FrInk){255, 255, 255, 1.0}, text);
    }
    for (size_t k = 0; k < pixels; k++) image.rgba[k] = image.rgba[4 * k];
    marks->letters = fr_gl_texture(GL_R8, w, h, GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, w, h, 0, GL_RED, GL_UNSIGNED_BYTE, image.rgba);
    fr_free(ctx, image.rgba);
    return FR_OK;
}

static void make_array(FrMarks *marks) {
    static const struct {
        GLint size;
        size_t at;
    } part[] = {{2, offsetof(FrMark, x)}, {2, offsetof(FrMark, u)}, {4, offsetof(FrMark, colour)}};
    static const char *const name[] = {"place", "spot", "ink"};
    glGenVertexArrays(1, &marks->array);
    glGenBuffers(1, &marks->buffer);
    glBindVertexArray(marks->array);
    glBindBuffer(GL_ARRAY_BUFFER, marks->buffer);
    for (int k = 0; k < 3; k++) {
        GLint place = glGetAttribLocation(marks->program, name[k]);
        if (place < 0) continue;
        glVertexAttribPointer((GLuint)place, part[k].size, GL_FLOAT, GL_FALSE, sizeof(FrMark),
                              (void *)part[k].at);
        glEnableVertexAttribArray((GLuint)place);
    }
}

FrResult fr_marks_create(FrContext *ctx, FrMarks *marks) {
    FrGlSource source = {"marks", "", vertex_text, "", fragment_text};
    FR_TRY(fr_gl_program(ctx, "", &source, &marks->program));
    marks->sampler = glGetUniformLocation(marks->program, "letters");
    FR_TRY(make_letters(ctx, marks));
    make_array(marks);
    return fr_gl_check(ctx, "making marks");
}

void fr_marks_free(FrContext *ctx, FrMarks *marks) {
    if (marks->program) glDeleteProgram(marks->program);
    if (marks->letters) glDeleteTextures(1, &marks->letters);
    if (marks->array) glDeleteVertexArrays(1, &marks->array);
    if (marks->buffer) glDeleteBuffers(1, &marks->buffer);
    fr_array_free(ctx, &marks->corner);
    *marks = (FrMarks){0};
}

/// A corner in pixels, and where it is in a line or in the texture.
typedef struct Corner {
    double x, y, u, v;
} Corner;

static bool add_triangle(FrContext *ctx, FrMarks *marks, const Corner corner[3],
                         const float colour[4], const int32_t size[2]) {
    if (!fr_array_reserve(ctx, &marks->corner, 3)) return false;
    for (int k = 0; k < 3; k++) {
        FrMark mark = {.x = (float)(2.0 * corner[k].x / size[0] - 1.0),
                       .y = (float)(1.0 - 2.0 * corner[k].y / size[1]),
                       .u = (float)corner[k].u,
                       .v = (float)corner[k].v};
        memcpy(mark.colour, colour, sizeof mark.colour);
        marks->corner.data[marks->corner.count++] = mark;
    }
    return true;
}

static bool add_quad(FrContext *ctx, FrMarks *marks, const Corner c[4], const float colour[4],
                     const int32_t size[2]) {
    Corner first[3] = {c[0], c[1], c[2]}, second[3] = {c[0], c[2], c[3]};
    return add_triangle(ctx, marks, first, colour, size) &&
           add_triangle(ctx, marks, second, colour, size);
}

FrResult fr_marks_line(FrContext *ctx, FrMarks *marks, const FrDrawLine *line, const double from[2],
                       const double to[2], const int32_t size[2]) {
    double dx = to[0] - from[0], dy = to[1] - from[1], length = hypot(dx, dy);
    if (!isfinite(length)) return FR_OK;
    if (length > 0.0) dx /= length, dy /= length;
    if (!(length > 0.0)) dx = 1.0; // a dot
    double w = 0.5 * (double)line->width + 0.5 * (double)SOFT, head = 4.0 * (double)line->width;
    double shaft = line->arrow ? fr_max(length - head, 0.0) : length + w,
           back = line->arrow ? 0 : w;
    double x0 = from[0] - back * dx, y0 = from[1] - back * dy;
    double x1 = from[0] + shaft * dx, y1 = from[1] + shaft * dy;
    Corner c[4] = {{x0 - w * dy, y0 + w * dx, -1, -1},
                   {x1 - w * dy, y1 + w * dx, -1, -1},
                   {x1 + w * dy, y1 - w * dx, -1, 1},
                   {x0 + w * dy, y0 - w * dx, -1, 1}};
    bool added = add_quad(ctx, marks, c, line->colour, size);
    double half = 0.5 * head;
    Corner tip[3] = {{to[0], to[1], -1, 0},
                     {x1 - half * dy, y1 + half * dx, -1, 0},
                     {x1 + half * dy, y1 - half * dx, -1, 0}};
    if (line->arrow) added = added && add_triangle(ctx, marks, tip, line->colour, size);
    return added ? FR_OK : fr_no_memory(ctx, "marks");
}

FrResult fr_marks_text(FrContext *ctx, FrMarks *marks, const FrDrawLabel *label, const double at[2],
                       const int32_t size[2]) {
    double scale = (double)label->size / CAPITAL, x = at[0];
    for (const char *c = label->text; *c; c++) {
        char text[3] = {*c, '|', 0}; // with the gap to the next letter
        int k = *c >= FIRST && *c <= LAST ? *c - FIRST : '?' - FIRST;
        double left = x - 4 * scale, top = at[1] - BASE * scale;
        double right = left + CELL_WIDTH * scale, foot = top + CELL_HEIGHT * scale;
        double u = k % COLUMNS / (double)COLUMNS, v = k / COLUMNS / (double)ROWS;
        Corner corner[4] = {{left, top, u, v},
                            {right, top, u + 1.0 / COLUMNS, v},
                            {right, foot, u + 1.0 / COLUMNS, v + 1.0 / ROWS},
                            {left, foot, u, v + 1.0 / ROWS}};
        if (!add_quad(ctx, marks, corner, label->colour, size)) return fr_no_memory(ctx, "marks");
        x += fr_text_width((double)label->size, text) - fr_text_width((double)label->size, "|");
    }
    return FR_OK;
}

int64_t fr_marks_draw(FrMarks *marks) {
    int64_t bytes = (int64_t)sizeof(FrMark) * marks->corner.count;
    if (!bytes) return 0;
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(marks->program);
    glUniform1i(marks->sampler, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, marks->letters);
    glBindSampler(0, 0);
    glBindVertexArray(marks->array);
    glBindBuffer(GL_ARRAY_BUFFER, marks->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, marks->corner.data, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, marks->corner.count);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    marks->corner.count = 0;
    return bytes;
}
