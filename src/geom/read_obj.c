// read_obj.c: Wavefront OBJ: v, vt, vn and f; groups, materials and lines are skipped.

#include "base/hash.h"
#include "base/text.h"
#include "geom/soup.h"
#include <string.h>

#define MOST_NUMBERS (INT32_MAX - 8)

typedef struct Corner {
    int32_t v, vt, vn; ///< from 0; -1: none
} Corner;

typedef struct Obj {
    FrText text;
    FR_ARRAY(double) v;  ///< 3 each
    FR_ARRAY(double) vt; ///< 2 each
    FR_ARRAY(double) vn; ///< 3 each
    FR_ARRAY(Corner) corner;
    FR_ARRAY(int32_t) end; ///< of each face, in `corner`
    bool split;            ///< some corner has a vt or vn
    FrPassed no_vt, no_vn, no_number, no_statement;
} Obj;

static FrResult out_of_memory(const Obj *obj) {
    return fr_no_memory(obj->text.ctx, obj->text.name);
}

// the next word of the statement, which a "\" at the end of a line carries on
static FrWord next_word(FrText *text) {
    FrWord word = fr_text_word(text);
    while (fr_word_is(word, "\\") && fr_text_line_done(text) && fr_text_next_line(text))
        word = fr_text_word(text);
    return word;
}

// `least` to `kept` numbers; what follows (a weight, a colour) is passed over, numbers or not
static FrResult read_numbers(Obj *obj, const char *what, int least, int kept, double *to) {
    FrText *text = &obj->text;
    for (int k = 0; k < kept; k++) {
        FrWord word = next_word(text);
        if (!word.length && k >= least) return FR_OK;
        FR_TRY(fr_word_double(text, word, what, &to[k]));
        if (fabs(to[k]) > FR_SOUP_FAR)
            return fr_text_fail(text, word, "%s: found %s; allowed are -1e30 to 1e30", what,
                                fr_text_quote(text, word).text);
    }
    for (FrWord word = next_word(text); word.length; word = next_word(text)) {
        double value;
        if (!fr_parse_double(word.data, word.length, &value)) fr_text_pass(&obj->no_number, word);
    }
    return FR_OK;
}

static FrResult read_point(Obj *obj) {
    double v[3]; // may be followed by a weight, or by a colour
    FR_TRY(read_numbers(obj, "coordinate of v", 3, 3, v));
    if (!fr_array_reserve(obj->text.ctx, &obj->v, 3)) return out_of_memory(obj);
    memcpy(obj->v.data + obj->v.count, v, sizeof v);
    obj->v.count += 3;
    return FR_OK;
}

static FrResult read_uv(Obj *obj) {
    double vt[2] = {0.0, 0.0};
    FR_TRY(read_numbers(obj, "coordinate of vt", 1, 2, vt));
    if (!fr_array_reserve(obj->text.ctx, &obj->vt, 2)) return out_of_memory(obj);
    memcpy(obj->vt.data + obj->vt.count, vt, sizeof vt);
    obj->vt.count += 2;
    return FR_OK;
}

static FrResult read_normal(Obj *obj) {
    double vn[3];
    FR_TRY(read_numbers(obj, "coordinate of vn", 3, 3, vn));
    if (!fr_array_reserve(obj->text.ctx, &obj->vn, 3)) return out_of_memory(obj);
    fr_set3(obj->vn.data, obj->vn.count / 3, fr_normalize(fr_vec3(vn[0], vn[1], vn[2])));
    obj->vn.count += 3;
    return FR_OK;
}

// 1 is the first of `count`, -1 the last so far
static FrResult read_index(const FrText *text, FrWord word, const char *what, int32_t count,
                           int32_t *index) {
    int64_t i;
    FR_TRY(fr_word_int(text, word, what, INT32_MIN, INT32_MAX, &i));
    if (i == 0)
        return fr_text_fail(text, word, "%s: found 0; counting starts at 1 (or -1 from the end)",
                            what);
    if (i > count || i < -(int64_t)count)
        return fr_text_fail(text, word, "%s: found %lld; there are %d so far", what, (long long)i,
                            count);
    *index = (int32_t)(i > 0 ? i - 1 : count + i);
    return FR_OK;
}

static FrWord cut_at_slash(FrWord *rest) {
    const char *slash = memchr(rest->data, '/', rest->length);
    size_t length = slash ? (size_t)(slash - rest->data) : rest->length;
    FrWord part = *rest;
    part.length = length;
    size_t used = slash ? length + 1 : length;
    rest->data += used, rest->length -= used, rest->column += (int64_t)used;
    return part;
}

// a vt or vn that is left empty, or is not in the file, is left out: places are what matters
static FrResult read_extra(const FrText *text, FrWord word, const char *what, int32_t count,
                           FrPassed *passed, int32_t *index) {
    int64_t i = 0;
    if (word.length) FR_TRY(fr_word_int(text, word, what, INT32_MIN, INT32_MAX, &i));
    if (i == 0 || i > count || i < -(int64_t)count) {
        fr_text_pass(passed, word);
        return FR_OK;
    }
    return read_index(text, word, what, count, index);
}

// v, v/vt, v//vn or v/vt/vn
static FrResult read_corner(Obj *obj, FrWord word, Corner *corner) {
    const FrText *text = &obj->text;
    FrWord rest = word, v = cut_at_slash(&rest);
    *corner = (Corner){-1, -1, -1};
    bool more = v.length < word.length;
    FR_TRY(read_index(text, v, "v of a corner", obj->v.count / 3, &corner->v));
    if (!more) return FR_OK;
    size_t before = rest.length;
    FrWord vt = cut_at_slash(&rest);
    more = vt.length < before;
    if (vt.length || !more)
        FR_TRY(read_extra(text, vt, "vt of a corner", obj->vt.count / 2, &obj->no_vt, &corner->vt));
    if (more)
        FR_TRY(
            read_extra(text, rest, "vn of a corner", obj->vn.count / 3, &obj->no_vn, &corner->vn));
    obj->split |= corner->vt >= 0 || corner->vn >= 0;
    return FR_OK;
}

static FrResult read_face(Obj *obj) {
    int32_t begin = obj->corner.count;
    for (;;) {
        FrWord word = next_word(&obj->text);
        Corner corner;
        if (!word.length && obj->corner.count - begin >= 3) break;
        if (!word.length)
            return fr_text_fail(&obj->text, word, "a face of %d corners; at least 3 are needed",
                                obj->corner.count - begin);
        FR_TRY(read_corner(obj, word, &corner));
        if (!fr_array_push(obj->text.ctx, &obj->corner, corner)) return out_of_memory(obj);
    }
    if (!fr_array_push(obj->text.ctx, &obj->end, obj->corner.count)) return out_of_memory(obj);
    return FR_OK;
}

static bool is_skipped(FrWord word) {
    static const char *const skipped[] = {
        "o",   "g",     "s",      "usemtl", "mtllib",     "l",         "p",        "vp",      "mg",
        "lod", "bevel", "usemap", "maplib", "shadow_obj", "trace_obj", "c_interp", "d_interp"};
    for (size_t k = 0; k < sizeof skipped / sizeof *skipped; k++)
        if (fr_word_is(word, skipped[k])) return true;
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static FrResult read_statement(Obj *obj) {
    FrWord word = fr_text_word(&obj->text);
    if (fr_word_is(word, "v")) return read_point(obj);
    if (fr_word_is(word, "vt")) return read_uv(obj);
    if (fr_word_is(word, "vn")) return read_normal(obj);
    if (fr_word_is(word, "f")) return read_face(obj);
    if (is_skipped(word)) return FR_OK;
    // what else tools write begins with a letter; bytes of something else are no OBJ
    if (!is_letter(word.data[0]))
        return fr_text_unwanted(&obj->text, word,
                                "v, vt, vn or f (skipped are o, g, s, usemtl, mtllib, l, p)");
    fr_text_pass(&obj->no_statement, word);
    return FR_OK;
}

static void warn_passed(const Obj *obj) {
    fr_text_warn_passed(&obj->text, &obj->no_vt);
    fr_text_warn_passed(&obj->text, &obj->no_vn);
    fr_text_warn_passed(&obj->text, &obj->no_number);
    fr_text_warn_passed(&obj->text, &obj->no_statement);
}

static FrResult read_statements(Obj *obj) {
    while (!fr_text_done(&obj->text)) {
        FR_TRY(read_statement(obj));
        if (!fr_text_next_line(&obj->text)) break;
    }
    if (obj->end.count) return FR_OK;
    return fr_fail(obj->text.ctx, FR_BAD_INPUT, "%s: holds no face (no line begins with f)",
                   obj->text.name);
}

// points as they are: no corner asks for more than a place
static FrResult plain_points(Obj *obj, FrSoup *soup) {
    soup->p.data = obj->v.data, soup->p.count = obj->v.count, soup->p.capacity = obj->v.capacity;
    obj->v.data = NULL, obj->v.count = obj->v.capacity = 0;
    if (!fr_array_reserve(soup->ctx, &soup->corner, obj->corner.count)) return out_of_memory(obj);
    for (int32_t k = 0; k < obj->corner.count; k++) soup->corner.data[k] = obj->corner.data[k].v;
    soup->corner.count = obj->corner.count;
    return FR_OK;
}

static bool same_corner(Corner a, Corner b) { return a.v == b.v && a.vt == b.vt && a.vn == b.vn; }

// one point for each different (v, vt, vn), in order of first use; first[k]: its first corner
static int32_t number_corners(const Obj *obj, int32_t *slot, uint64_t mask, int32_t *first,
                              int32_t *number) {
    int32_t count = 0;
    for (uint64_t k = 0; k <= mask; k++) slot[k] = -1;
    for (int32_t k = 0; k < obj->corner.count; k++) {
        Corner corner = obj->corner.data[k];
        uint64_t at = fr_hash_of(&corner, sizeof corner, 0) & mask;
        while (slot[at] >= 0 && !same_corner(obj->corner.data[first[slot[at]]], corner))
            at = (at + 1) & mask;
        if (slot[at] < 0) first[slot[at] = count++] = k;
        number[k] = slot[at];
    }
    return count;
}

static FrResult fill_split(const Obj *obj, const int32_t *first, int32_t count, FrSoup *soup) {
    bool some_uv = false, some_normal = false;
    for (int32_t n = 0; n < count; n++) {
        some_uv |= obj->corner.data[first[n]].vt >= 0;
        some_normal |= obj->corner.data[first[n]].vn >= 0;
    }
    if (count > MOST_NUMBERS / 3 || !fr_array_extend(soup->ctx, &soup->p, 3 * count) ||
        (some_uv && !fr_array_extend(soup->ctx, &soup->uv, 2 * count)) ||
        (some_normal && !fr_array_extend(soup->ctx, &soup->normal, 3 * count)))
        return out_of_memory(obj);
    for (int32_t n = 0; n < count; n++) {
        Corner c = obj->corner.data[first[n]];
        fr_set3(soup->p.data, n, fr_get3(obj->v.data, c.v));
        if (c.vn >= 0) fr_set3(soup->normal.data, n, fr_get3(obj->vn.data, c.vn));
        if (c.vt >= 0) memcpy(soup->uv.data + 2 * n, obj->vt.data + 2 * c.vt, 2 * sizeof(double));
    }
    return FR_OK;
}

static FrResult split_points(Obj *obj, FrSoup *soup) {
    FrContext *ctx = obj->text.ctx;
    int32_t total = obj->corner.count;
    uint64_t mask = 15;
    while (mask < 2 * (uint64_t)total) mask = 2 * mask + 1;
    int32_t *slot = FR_NEW(ctx, int32_t, mask + 1), *first = FR_NEW(ctx, int32_t, total);
    bool good = slot && first && fr_array_extend(ctx, &soup->corner, total);
    FrResult result = good ? FR_OK : out_of_memory(obj);
    if (good) {
        int32_t count = number_corners(obj, slot, mask, first, soup->corner.data);
        result = fill_split(obj, first, count, soup);
    }
    fr_free(ctx, slot);
    fr_free(ctx, first);
    return result;
}

static FrResult make_mesh(Obj *obj, FrTriMesh *mesh) {
    FrSoup soup = {.ctx = obj->text.ctx};
    FrResult result = obj->split ? split_points(obj, &soup) : plain_points(obj, &soup);
    if (result != FR_OK) {
        fr_soup_free(&soup);
        return result;
    }
    soup.end.data = obj->end.data, soup.end.count = obj->end.count;
    obj->end.data = NULL;
    return fr_soup_finish(&soup, mesh);
}

FrResult fr_trimesh_parse_obj(FrContext *ctx, const char *name, const void *bytes, size_t size,
                              FrTriMesh *mesh) {
    *mesh = (FrTriMesh){0};
    Obj obj = {.no_vt.what = "a corner's vt is empty, or not in the file: left out",
               .no_vn.what = "a corner's vn is empty, or not in the file: left out",
               .no_number.what = "what follows the coordinates is no number: passed over",
               .no_statement.what = "not a statement that is read (v, vt, vn, f): passed over"};
    fr_text_init(&obj.text, ctx, name, bytes, size);
    obj.text.comment = '#';
    FrResult result = read_statements(&obj);
    if (result == FR_OK) warn_passed(&obj);
    if (result == FR_OK) result = make_mesh(&obj, mesh);
    fr_array_free(ctx, &obj.v);
    fr_array_free(ctx, &obj.vt);
    fr_array_free(ctx, &obj.vn);
    fr_array_free(ctx, &obj.corner);
    fr_array_free(ctx, &obj.end);
    return result;
}
