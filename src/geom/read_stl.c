// read_stl.c: STL, text and binary. Normals are not believed; equal corners become one point.

#include "base/text.h"
#include "geom/soup.h"
#include <stdio.h>
#include <string.h>

#define HEADER 84 ///< bytes: 80 of anything, then the count
#define FACET 50  ///< bytes: normal, three corners, two more bytes

static FrResult add_corner(FrSoup *soup, const double x[3]) {
    if (!fr_array_reserve(soup->ctx, &soup->p, 3)) return fr_no_memory(soup->ctx, "points");
    int32_t number = soup->p.count / 3;
    memcpy(soup->p.data + soup->p.count, x, 3 * sizeof *x);
    soup->p.count += 3;
    if (!fr_array_push(soup->ctx, &soup->corner, number)) return fr_no_memory(soup->ctx, "corners");
    return FR_OK;
}

static FrResult end_facet(FrSoup *soup) {
    if (!fr_array_push(soup->ctx, &soup->end, soup->corner.count))
        return fr_no_memory(soup->ctx, "facets");
    return FR_OK;
}

static FrResult expect_word(FrText *text, const char *wanted) {
    FrWord word = fr_text_next_word(text);
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", wanted);
    return fr_word_is_nocase(word, wanted) ? FR_OK : fr_text_unwanted(text, word, quoted);
}

static FrResult read_vertex(FrText *text, FrSoup *soup) {
    double x[3];
    FR_TRY(expect_word(text, "vertex"));
    for (int k = 0; k < 3; k++) {
        FrWord word = fr_text_next_word(text);
        FR_TRY(fr_word_double(text, word, "coordinate of vertex", &x[k]));
        if (fabs(x[k]) > FR_SOUP_FAR)
            return fr_text_fail(text, word,
                                "coordinate of vertex: found %s; allowed are -1e30 to 1e30",
                                fr_text_quote(text, word).text);
    }
    return add_corner(soup, x);
}

// after "facet"; the three numbers of the normal may be anything, nan for facets without area
static FrResult read_facet(FrText *text, FrSoup *soup) {
    FR_TRY(expect_word(text, "normal"));
    for (int k = 0; k < 3; k++) {
        FrWord word = fr_text_next_word(text);
        if (!word.length || fr_word_is_nocase(word, "outer"))
            return fr_text_unwanted(text, word, "three numbers of the normal");
    }
    FR_TRY(expect_word(text, "outer"));
    FR_TRY(expect_word(text, "loop"));
    for (int k = 0; k < 3; k++) FR_TRY(read_vertex(text, soup));
    FR_TRY(expect_word(text, "endloop"));
    FR_TRY(expect_word(text, "endfacet"));
    return end_facet(soup);
}

static FrResult read_text(FrText *text, FrSoup *soup) {
    while (!fr_text_done(text)) {
        FR_TRY(expect_word(text, "solid"));
        fr_text_next_line(text); // the rest of the line is a name
        for (;;) {
            FrWord word = fr_text_next_word(text);
            if (fr_word_is_nocase(word, "endsolid")) break;
            if (!fr_word_is_nocase(word, "facet"))
                return fr_text_unwanted(text, word, "\"facet\" or \"endsolid\"");
            FR_TRY(read_facet(text, soup));
        }
        fr_text_next_line(text);
    }
    return FR_OK;
}

static uint32_t little_u32(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_f32(const uint8_t *b) {
    uint32_t bits = little_u32(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static FrResult read_binary(FrSoup *soup, const char *name, const uint8_t *data, size_t size) {
    if (size < HEADER)
        return fr_fail(soup->ctx, FR_BAD_INPUT,
                       "%s: byte %zu: the file ends; a binary STL has at least %d bytes", name,
                       size, HEADER);
    uint32_t count = little_u32(data + 80);
    if (count > (size - HEADER) / FACET)
        return fr_fail(soup->ctx, FR_BAD_INPUT,
                       "%s: byte 80: says %u triangles, which need %llu bytes; the file has %zu",
                       name, count, HEADER + FACET * (unsigned long long)count, size);
    size_t more = (size - HEADER) / FACET - count;
    if (more)
        fr_log(soup->ctx, FR_LOG_WARNING,
               "%s: byte 80: says %u triangles; the file has room for %zu more, which are not read",
               name, count, more);
    for (uint32_t t = 0; t < count; t++) {
        size_t at = HEADER + FACET * (size_t)t + 12;
        for (int k = 0; k < 3; k++, at += 12) {
            double x[3];
            for (int i = 0; i < 3; i++) {
                x[i] = little_f32(data + at + 4 * (size_t)i);
                if (!(fabs(x[i]) <= FR_SOUP_FAR))
                    return fr_fail(soup->ctx, FR_BAD_INPUT,
                                   "%s: byte %zu: coordinate is %g; allowed are -1e30 to 1e30",
                                   name, at + 4 * (size_t)i, x[i]);
            }
            FR_TRY(add_corner(soup, x));
        }
        FR_TRY(end_facet(soup));
    }
    return FR_OK;
}

// "solid" begins a text file, but some binary files begin with it too: the size tells, else a zero
static bool is_binary(const uint8_t *data, size_t size) {
    if (size >= HEADER && HEADER + FACET * (uint64_t)little_u32(data + 80) == size) return true;
    size_t start = 0;
    while (start < size && (data[start] == ' ' || (data[start] >= '\t' && data[start] <= '\r')))
        start++;
    if (size - start < 5 || memcmp(data + start, "solid", 5)) {
        FrWord word = {(const char *)data + start, size - start < 5 ? size - start : 5, 1, 1};
        return !fr_word_is_nocase(word, "solid");
    }
    return memchr(data, 0, size < 512 ? size : 512) != NULL;
}

FrResult fr_trimesh_parse_stl(FrContext *ctx, const char *name, const void *bytes, size_t size,
                              FrTriMesh *mesh) {
    *mesh = (FrTriMesh){0};
    FrSoup soup = {.ctx = ctx};
    FrResult result;
    if (size && is_binary(bytes, size)) {
        result = read_binary(&soup, name, bytes, size);
    } else {
        FrText text;
        fr_text_init(&text, ctx, name, bytes, size);
        result = read_text(&text, &soup);
    }
    if (result == FR_OK && !soup.end.count)
        result = fr_fail(ctx, FR_BAD_INPUT, "%s: holds no facet", name);
    if (result != FR_OK) {
        fr_soup_free(&soup);
        return result;
    }
    FR_TRY(fr_soup_finish(&soup, mesh));
    result = fr_trimesh_weld(ctx, mesh, 0.0, NULL);
    if (result == FR_OK && !mesh->tri_count)
        result = fr_fail(ctx, FR_BAD_INPUT, "%s: no facet has three different corners", name);
    if (result != FR_OK) fr_trimesh_free(ctx, mesh);
    return result;
}
