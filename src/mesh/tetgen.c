// tetgen.c: TetGen .node and .ele files.

#include "mesh/meshfile.h"
#include "mesh/rawmesh.h"
#include "base/text.h"
#include <string.h>

static FrResult next_line(FrText *t, const char *wanted) {
    if (!fr_text_done(t)) return FR_OK;
    return fr_text_unwanted(t, fr_text_word(t), wanted);
}

static FrResult read_count(FrText *t, const char *what, int64_t *count) {
    FR_TRY(next_line(t, what));
    FrWord word = fr_text_word(t);
    FR_TRY(fr_word_int(t, word, what, 1, INT32_MAX, count));
    int64_t left = (int64_t)(t->size - t->at);
    if (*count <= left / 8 + 1) return FR_OK;
    return fr_text_fail(t, word, "%s is %lld, but only %lld bytes are left", what,
                        (long long)*count, (long long)left);
}

// <count> <dimension> <attributes> <markers>, then <number> <x> <y> <z> ... ; base: first number
static FrResult read_nodes(FrContext *ctx, FrText *t, FrRawMesh *raw, int64_t *base) {
    int64_t count, dimension, number;
    FR_TRY(read_count(t, "the number of points", &count));
    FR_TRY(fr_text_int(t, "the dimension", 3, 3, &dimension));
    if (!fr_array_extend(ctx, &raw->node, (int32_t)count)) return fr_no_memory(ctx, "mesh nodes");
    for (int32_t k = 0; k < count; k++) {
        fr_text_next_line(t);
        FR_TRY(next_line(t, "a point"));
        FrWord word = fr_text_word(t);
        FR_TRY(fr_word_int(t, word, "the number of a point", 0, INT32_MAX, &number));
        if (k == 0) *base = number;
        if (k == 0 && number > 1)
            return fr_text_fail(t, word, "points start at %lld, allowed 0 or 1", (long long)number);
        if (number != *base + k)
            return fr_text_fail(t, word, "point %lld out of order, wanted %lld", (long long)number,
                                (long long)(*base + k));
        if (!fr_array_push(ctx, &raw->number, number)) return fr_no_memory(ctx, "mesh nodes");
        FrVec3 *x = &raw->node.data[k];
        FR_TRY(fr_text_double(t, "x of a point", &x->x));
        FR_TRY(fr_text_double(t, "y of a point", &x->y));
        FR_TRY(fr_text_double(t, "z of a point", &x->z));
    }
    return FR_OK;
}

// mid-nodes in any order: each belongs to the edge whose middle it is nearest to
static FrResult sort_mids(const FrText *t, FrWord where, const FrRawMesh *raw, FrRawTet *tet) {
    int32_t sorted[6];
    bool taken[6] = {false};
    for (int m = 0; m < 6; m++) {
        int best = 0;
        double nearest = HUGE_VAL;
        for (int k = 0; k < 6; k++) {
            FrVec3 a = raw->node.data[tet->n[fr_tet_edge[k][0]]];
            FrVec3 b = raw->node.data[tet->n[fr_tet_edge[k][1]]];
            double d = fr_distance(fr_lerp(a, b, 0.5), raw->node.data[tet->n[4 + m]]);
            if (d < nearest) nearest = d, best = k;
        }
        if (taken[best])
            return fr_text_fail(t, where, "two mid-nodes of this tet are nearest to the same edge");
        taken[best] = true;
        sorted[best] = tet->n[4 + m];
    }
    memcpy(tet->n + 4, sorted, sizeof sorted);
    return FR_OK;
}

static FrResult read_tet(FrText *t, const FrRawMesh *raw, int64_t base, bool attribute,
                         FrRawTet *tet) {
    int64_t number, node;
    FrWord where = fr_text_word(t);
    FR_TRY(fr_word_int(t, where, "the number of a tet", 0, INT32_MAX, &number));
    tet->number = number;
    for (int k = 0; k < (raw->order == 2 ? 10 : 4); k++) {
        FR_TRY(fr_text_int(t, "a node of a tet", base, base + raw->node.count - 1, &node));
        tet->n[k] = (int32_t)(node - base);
    }
    double region = 0;
    if (attribute) FR_TRY(fr_text_double(t, "the region of a tet", &region));
    // regions are whole numbers; anything else counts as no region
    if (region > -1e15 && region < 1e15 && region == floor(region)) tet->tag = (int64_t)region;
    return raw->order == 2 ? sort_mids(t, where, raw, tet) : FR_OK;
}

static FrResult read_tets(FrContext *ctx, FrText *t, int64_t base, FrRawMesh *raw) {
    int64_t count, nodes = 4, attributes = 0;
    FR_TRY(read_count(t, "the number of tets", &count));
    FrWord word = fr_text_word(t);
    if (word.length) FR_TRY(fr_word_int(t, word, "nodes per tet", 4, 10, &nodes));
    if (nodes != 4 && nodes != 10)
        return fr_text_fail(t, word, "%lld nodes per tet, allowed 4 or 10", (long long)nodes);
    word = fr_text_word(t);
    if (word.length) FR_TRY(fr_word_int(t, word, "attributes per tet", 0, 1000, &attributes));
    raw->order = nodes == 4 ? 1 : 2;
    for (int32_t k = 0; k < count; k++) {
        FrRawTet tet = {0};
        fr_text_next_line(t);
        FR_TRY(next_line(t, "a tet"));
        FR_TRY(read_tet(t, raw, base, attributes > 0, &tet));
        if (!fr_array_push(ctx, &raw->tet, tet)) return fr_no_memory(ctx, "mesh tets");
    }
    return FR_OK;
}

FrResult fr_tetgen_read(FrContext *ctx, FrTextFile node, FrTextFile ele, FrTetMesh *mesh) {
    FrRawMesh raw = {0};
    FrText nodes, tets;
    int64_t base = 0;
    *mesh = (FrTetMesh){0};
    fr_text_init(&nodes, ctx, node.name, node.bytes, node.size);
    fr_text_init(&tets, ctx, ele.name, ele.bytes, ele.size);
    nodes.comment = tets.comment = '#';
    FrResult result = read_nodes(ctx, &nodes, &raw, &base);
    if (result == FR_OK) result = read_tets(ctx, &tets, base, &raw);
    if (result == FR_OK) result = fr_rawmesh_finish(ctx, ele.name, &raw, mesh);
    fr_rawmesh_free(ctx, &raw);
    return result;
}

// path without .node or .ele, then with `ending`
static char *with_ending(FrContext *ctx, const char *path, const char *ending) {
    size_t length = strlen(path);
    if (length > 5 && !strcmp(path + length - 5, ".node"))
        length -= 5;
    else if (length > 4 && !strcmp(path + length - 4, ".ele"))
        length -= 4;
    char *text = fr_alloc(ctx, length + strlen(ending) + 1);
    if (!text) return NULL;
    memcpy(text, path, length);
    memcpy(text + length, ending, strlen(ending) + 1);
    return text;
}

FrResult fr_tetgen_load(FrContext *ctx, const char *path, FrTetMesh *mesh) {
    char *name[2] = {with_ending(ctx, path, ".node"), with_ending(ctx, path, ".ele")};
    uint8_t *bytes[2] = {NULL, NULL};
    size_t size[2];
    *mesh = (FrTetMesh){0};
    FrResult result = name[0] && name[1] ? FR_OK : fr_no_memory(ctx, "a file name");
    for (int k = 0; k < 2 && result == FR_OK; k++)
        result = fr_file_load(ctx, name[k], FR_MESH_FILE_MAX, &bytes[k], &size[k]);
    if (result == FR_OK)
        result = fr_tetgen_read(ctx, (FrTextFile){name[0], bytes[0], size[0]},
                                (FrTextFile){name[1], bytes[1], size[1]}, mesh);
    for (int k = 0; k < 2; k++) {
        fr_free(ctx, bytes[k]);
        fr_free(ctx, name[k]);
    }
    return result;
}

static FrResult write_nodes(FrFileWriter *w, const FrTetMesh *mesh) {
    FR_TRY(fr_file_printf(w, "%d 3 0 0\n", mesh->node_count));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FR_TRY(fr_file_printf(w, "%d ", n));
        FR_TRY(fr_write_point(w, mesh->x + 3 * (size_t)n));
    }
    return FR_OK;
}

static FrResult write_tets(FrFileWriter *w, const FrTetMesh *mesh) {
    FR_TRY(
        fr_file_printf(w, "%d %d %d\n", mesh->tet_count, mesh->mid ? 10 : 4, mesh->region != NULL));
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FR_TRY(fr_file_printf(w, "%d", e));
        for (int k = 0; k < 4; k++) FR_TRY(fr_file_printf(w, " %d", mesh->tet[e][k]));
        for (int k = 0; k < 6 && mesh->mid; k++) FR_TRY(fr_file_printf(w, " %d", mesh->mid[e][k]));
        if (mesh->region) FR_TRY(fr_file_printf(w, " %d", mesh->region[e]));
        FR_TRY(fr_file_write(w, "\n", 1));
    }
    return FR_OK;
}

static FrResult save_part(FrContext *ctx, const char *path, const char *ending,
                          FrResult (*write)(FrFileWriter *, const FrTetMesh *),
                          const FrTetMesh *mesh) {
    char *name = with_ending(ctx, path, ending);
    if (!name) return fr_no_memory(ctx, "a file name");
    FrFileWriter writer = {0};
    FrResult result = fr_file_begin(ctx, name, &writer);
    if (result == FR_OK) {
        result = write(&writer, mesh);
        if (result == FR_OK)
            result = fr_file_commit(&writer);
        else
            fr_file_abort(&writer);
    }
    fr_free(ctx, name);
    return result;
}

FrResult fr_tetgen_save(FrContext *ctx, const char *path, const FrTetMesh *mesh) {
    FR_TRY(save_part(ctx, path, ".node", write_nodes, mesh));
    return save_part(ctx, path, ".ele", write_tets, mesh);
}
