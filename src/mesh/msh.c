// msh.c: Gmsh .msh files, ASCII, versions 2.x and 4.1.

#include "mesh/meshfile.h"
#include "mesh/rawmesh.h"
#include "base/table.h"
#include "base/text.h"
#include <string.h>

#define TAG_MAX ((int64_t)1 << 62)

// our mid-nodes 01 02 03 12 13 23 in Gmsh's order 01 12 02 03 23 13
static const int8_t gmsh_mid[6] = {0, 2, 3, 1, 5, 4};

typedef struct MshReader {
    FrText text;
    FrContext *ctx;
    int version; ///< 2 or 4; 0: not read yet
    FrRawMesh raw;
    FrTable node_at; ///< tag -> node
    FrTable volume;  ///< tag of a volume -> index into physical
    FR_ARRAY(int64_t) physical;
    bool has_nodes, has_elements;
} MshReader;

// a declared count must fit what is left of the file, at `least` bytes each
static FrResult read_count(MshReader *m, const char *what, int64_t least, int64_t *count) {
    FrText *t = &m->text;
    FrWord word = fr_text_word(t);
    FR_TRY(fr_word_int(t, word, what, 0, INT32_MAX, count));
    int64_t left = (int64_t)(t->size - t->at);
    if (*count > left / least + 1)
        return fr_text_fail(t, word, "%s is %lld, but only %lld bytes are left", what,
                            (long long)*count, (long long)left);
    return FR_OK;
}

static FrResult next_line(MshReader *m, const char *wanted) {
    if (!fr_text_done(&m->text)) return FR_OK;
    FrWord end = fr_text_word(&m->text);
    return fr_text_unwanted(&m->text, end, wanted);
}

static FrResult add_node_tag(MshReader *m, int32_t index) {
    FrText *t = &m->text;
    FrWord word = fr_text_word(t);
    int64_t tag;
    FR_TRY(fr_word_int(t, word, "a node tag", 1, TAG_MAX, &tag));
    if (!fr_table_reserve(m->ctx, &m->node_at, 1)) return fr_no_memory(m->ctx, "mesh nodes");
    if (fr_table_add(&m->node_at, (uint64_t)tag, index) != index)
        return fr_text_fail(t, word, "node %lld is there twice", (long long)tag);
    if (!fr_array_push(m->ctx, &m->raw.number, tag)) return fr_no_memory(m->ctx, "mesh nodes");
    return FR_OK;
}

static FrResult read_xyz(MshReader *m, FrVec3 *x) {
    FR_TRY(fr_text_double(&m->text, "x of a node", &x->x));
    FR_TRY(fr_text_double(&m->text, "y of a node", &x->y));
    return fr_text_double(&m->text, "z of a node", &x->z);
}

static FrResult read_nodes2(MshReader *m) {
    int64_t count;
    FR_TRY(next_line(m, "the number of nodes"));
    FR_TRY(read_count(m, "the number of nodes", 8, &count));
    if (count && !fr_array_extend(m->ctx, &m->raw.node, (int32_t)count))
        return fr_no_memory(m->ctx, "mesh nodes");
    for (int32_t k = 0; k < count; k++) {
        FR_TRY(next_line(m, "a node"));
        FR_TRY(add_node_tag(m, k));
        FR_TRY(read_xyz(m, &m->raw.node.data[k]));
        fr_text_next_line(&m->text);
    }
    return FR_OK;
}

// tags of a block, then its coordinates
static FrResult read_node_block(MshReader *m) {
    FrText *t = &m->text;
    int64_t dimension, entity, parametric, count;
    FR_TRY(next_line(m, "a block of nodes"));
    FR_TRY(fr_text_int(t, "the dimension of an entity", 0, 3, &dimension));
    FR_TRY(fr_text_int(t, "the tag of an entity", -TAG_MAX, TAG_MAX, &entity));
    FR_TRY(fr_text_int(t, "parametric", 0, 1, &parametric));
    FR_TRY(read_count(m, "the number of nodes in a block", 8, &count));
    int32_t first = m->raw.node.count;
    if (count > INT32_MAX - first ||
        (count && !fr_array_extend(m->ctx, &m->raw.node, (int32_t)count)))
        return fr_no_memory(m->ctx, "mesh nodes");
    for (int32_t k = 0; k < count; k++) {
        fr_text_next_line(t);
        FR_TRY(next_line(m, "a node tag"));
        FR_TRY(add_node_tag(m, first + k));
    }
    for (int32_t k = 0; k < count; k++) {
        fr_text_next_line(t);
        FR_TRY(next_line(m, "the coordinates of a node"));
        FR_TRY(read_xyz(m, &m->raw.node.data[first + k]));
    }
    fr_text_next_line(t);
    return FR_OK;
}

// $Nodes and $Elements of format 4: how many blocks, how many things, their tags; then the blocks
static FrResult read_blocks4(MshReader *m, const char *what, size_t least_bytes,
                             FrResult (*read_block)(MshReader *)) {
    int64_t blocks, count, tag;
    FR_TRY(next_line(m, what));
    FR_TRY(read_count(m, "the number of blocks", 8, &blocks));
    FR_TRY(read_count(m, what, least_bytes, &count));
    FR_TRY(fr_text_int(&m->text, "the smallest tag", 0, TAG_MAX, &tag));
    FR_TRY(fr_text_int(&m->text, "the largest tag", 0, TAG_MAX, &tag));
    fr_text_next_line(&m->text);
    for (int64_t b = 0; b < blocks; b++) FR_TRY(read_block(m));
    return FR_OK;
}

static FrResult read_nodes4(MshReader *m) {
    return read_blocks4(m, "the number of nodes", 8, read_node_block);
}

// nodes of one tet, from tags
static FrResult read_tet(MshReader *m, int64_t number, int64_t type, int64_t tag) {
    FrText *t = &m->text;
    FrRawTet tet = {.tag = tag, .number = number};
    int order = type == 4 ? 1 : 2;
    if (m->raw.order && m->raw.order != order)
        return fr_text_fail(t, fr_text_word(t), "4- and 10-node tets in one file");
    m->raw.order = order;
    for (int k = 0; k < (order == 2 ? 10 : 4); k++) {
        FrWord word = fr_text_word(t);
        int64_t node;
        FR_TRY(fr_word_int(t, word, "a node of a tet", 1, TAG_MAX, &node));
        int32_t index = fr_table_find(&m->node_at, (uint64_t)node);
        if (index < 0) return fr_text_fail(t, word, "node %lld is not in $Nodes", (long long)node);
        if (k < 4) tet.n[k] = index;
        for (int j = 0; j < 6 && k >= 4; j++)
            if (gmsh_mid[j] == k - 4) tet.n[4 + j] = index;
    }
    if (!fr_array_push(m->ctx, &m->raw.tet, tet)) return fr_no_memory(m->ctx, "mesh tets");
    return FR_OK;
}

// hexahedra, prisms and pyramids of every order would leave holes
static bool is_other_solid(int64_t type) {
    return (type >= 5 && type <= 7) || (type >= 12 && type <= 14) || (type >= 17 && type <= 19);
}

static FrResult read_element(MshReader *m, int64_t number, FrWord type_word, int64_t type,
                             int64_t tag) {
    if (type == 4 || type == 11) return read_tet(m, number, type, tag);
    if (is_other_solid(type))
        return fr_text_fail(&m->text, type_word,
                            "element type %lld is a solid that is not a tet (4 or 11)",
                            (long long)type);
    if (type >= 29 && type <= 31)
        return fr_text_fail(&m->text, type_word, "element type %lld: tets of order 1 or 2 only",
                            (long long)type);
    return FR_OK;
}

static FrResult read_elements2(MshReader *m) {
    FrText *t = &m->text;
    int64_t count, number, type, tags, tag;
    FR_TRY(next_line(m, "the number of elements"));
    FR_TRY(read_count(m, "the number of elements", 8, &count));
    for (int64_t k = 0; k < count; k++) {
        fr_text_next_line(t);
        FR_TRY(next_line(m, "an element"));
        FR_TRY(fr_text_int(t, "the number of an element", 0, TAG_MAX, &number));
        FrWord word = fr_text_word(t);
        FR_TRY(fr_word_int(t, word, "an element type", 1, 1000, &type));
        FR_TRY(fr_text_int(t, "the number of tags", 0, 1000, &tags));
        // the first tag is the physical group, the second the entity
        int64_t region = 0;
        for (int64_t j = 0; j < tags; j++) {
            FR_TRY(fr_text_int(t, "a tag", -TAG_MAX, TAG_MAX, &tag));
            if (j == 0 || (j == 1 && region == 0)) region = tag;
        }
        FR_TRY(read_element(m, number, word, type, region));
    }
    fr_text_next_line(t);
    return FR_OK;
}

static FrResult read_element_block(MshReader *m) {
    FrText *t = &m->text;
    int64_t dimension, entity, type, count, number;
    FR_TRY(next_line(m, "a block of elements"));
    FR_TRY(fr_text_int(t, "the dimension of an entity", 0, 3, &dimension));
    FR_TRY(fr_text_int(t, "the tag of an entity", -TAG_MAX, TAG_MAX, &entity));
    FrWord word = fr_text_word(t);
    FR_TRY(fr_word_int(t, word, "an element type", 1, 1000, &type));
    FR_TRY(read_count(m, "the number of elements in a block", 4, &count));
    int32_t known = fr_table_find(&m->volume, (uint64_t)entity);
    int64_t region = known >= 0 ? m->physical.data[known] : entity;
    for (int64_t k = 0; k < count; k++) {
        fr_text_next_line(t);
        FR_TRY(next_line(m, "an element"));
        FR_TRY(fr_text_int(t, "the number of an element", 0, TAG_MAX, &number));
        FR_TRY(read_element(m, number, word, type, region));
    }
    fr_text_next_line(t);
    return FR_OK;
}

static FrResult read_elements4(MshReader *m) {
    return read_blocks4(m, "the number of elements", 4, read_element_block);
}

// which physical group a volume is in
static FrResult read_volume(MshReader *m) {
    FrText *t = &m->text;
    int64_t tag, groups, group;
    double bound;
    FR_TRY(next_line(m, "a volume"));
    FR_TRY(fr_text_int(t, "the tag of a volume", -TAG_MAX, TAG_MAX, &tag));
    for (int k = 0; k < 6; k++) FR_TRY(fr_text_double(t, "a bound of a volume", &bound));
    FR_TRY(fr_text_int(t, "the number of physical groups", 0, 1000000, &groups));
    if (groups) {
        FR_TRY(fr_text_int(t, "a physical group", -TAG_MAX, TAG_MAX, &group));
        if (!fr_table_reserve(m->ctx, &m->volume, 1) || !fr_array_push(m->ctx, &m->physical, group))
            return fr_no_memory(m->ctx, "mesh volumes");
        fr_table_add(&m->volume, (uint64_t)tag, m->physical.count - 1);
    }
    fr_text_next_line(t);
    return FR_OK;
}

static FrResult read_entities(MshReader *m) {
    int64_t count[4];
    FR_TRY(next_line(m, "the numbers of entities"));
    for (int k = 0; k < 4; k++) FR_TRY(read_count(m, "a number of entities", 8, &count[k]));
    fr_text_next_line(&m->text);
    for (int64_t k = 0; k < count[0] + count[1] + count[2]; k++) {
        FR_TRY(next_line(m, "an entity"));
        fr_text_next_line(&m->text);
    }
    for (int64_t k = 0; k < count[3]; k++) FR_TRY(read_volume(m));
    return FR_OK;
}

static FrResult read_format(MshReader *m) {
    FrText *t = &m->text;
    FR_TRY(next_line(m, "the version of the format"));
    FrWord word = fr_text_word(t);
    double version;
    int64_t binary, bytes;
    FR_TRY(fr_word_double(t, word, "the version of the format", &version));
    if (!(version >= 2.0 && version < 3.0) && !(version > 4.05 && version < 4.15))
        return fr_text_fail(t, word, "version %g of the format, allowed 2.0 to 2.2 and 4.1",
                            version);
    m->version = version < 3.0 ? 2 : 4;
    word = fr_text_word(t);
    FR_TRY(fr_word_int(t, word, "the file type", 0, 1, &binary));
    if (binary)
        return fr_text_fail(t, word, "a binary file: save it as ASCII (gmsh -format msh41 -bin 0)");
    return fr_text_int(t, "the size of a number", 1, 16, &bytes);
}

static FrResult skip_section(MshReader *m, FrWord section) {
    for (;;) {
        FrWord word = fr_text_next_word(&m->text);
        if (!word.length)
            return fr_text_fail(&m->text, section, "section %s has no end",
                                fr_text_quote(&m->text, section).text);
        if (word.length > 4 && !memcmp(word.data, "$End", 4)) return FR_OK;
        fr_text_next_line(&m->text);
    }
}

static FrResult expect_end(MshReader *m, const char *end) {
    FrWord word = fr_text_next_word(&m->text);
    if (!fr_word_is(word, end)) return fr_text_unwanted(&m->text, word, end);
    fr_text_next_line(&m->text);
    return FR_OK;
}

static FrResult read_section(MshReader *m, FrWord section) {
    fr_text_next_line(&m->text);
    if (fr_word_is(section, "$MeshFormat")) {
        FR_TRY(read_format(m));
        fr_text_next_line(&m->text);
        return expect_end(m, "$EndMeshFormat");
    }
    if (!m->version)
        return fr_text_fail(&m->text, section, "found %s, wanted $MeshFormat first",
                            fr_text_quote(&m->text, section).text);
    if (fr_word_is(section, "$Entities") && m->version == 4) {
        FR_TRY(read_entities(m));
        return expect_end(m, "$EndEntities");
    }
    if (fr_word_is(section, "$Nodes")) {
        if (m->has_nodes) return fr_text_fail(&m->text, section, "a second $Nodes section");
        m->has_nodes = true;
        FR_TRY(m->version == 2 ? read_nodes2(m) : read_nodes4(m));
        return expect_end(m, "$EndNodes");
    }
    if (fr_word_is(section, "$Elements")) {
        if (!m->has_nodes) return fr_text_fail(&m->text, section, "$Elements before $Nodes");
        if (m->has_elements) return fr_text_fail(&m->text, section, "a second $Elements section");
        m->has_elements = true;
        FR_TRY(m->version == 2 ? read_elements2(m) : read_elements4(m));
        return expect_end(m, "$EndElements");
    }
    return skip_section(m, section);
}

static FrResult read_file(MshReader *m) {
    for (;;) {
        FrWord word = fr_text_next_word(&m->text);
        if (!word.length) break;
        if (word.data[0] != '$') return fr_text_unwanted(&m->text, word, "a section ($...)");
        FR_TRY(read_section(m, word));
    }
    if (!m->has_elements) {
        FrWord end = fr_text_word(&m->text);
        return fr_text_fail(&m->text, end, "the file ends without $Elements");
    }
    return FR_OK;
}

FrResult fr_msh_read(FrContext *ctx, const char *name, const void *bytes, size_t size,
                     FrTetMesh *mesh) {
    MshReader m = {.ctx = ctx};
    *mesh = (FrTetMesh){0};
    fr_text_init(&m.text, ctx, name, bytes, size);
    FrResult result = read_file(&m);
    if (result == FR_OK) result = fr_rawmesh_finish(ctx, name, &m.raw, mesh);
    fr_rawmesh_free(ctx, &m.raw);
    fr_table_free(ctx, &m.node_at);
    fr_table_free(ctx, &m.volume);
    fr_array_free(ctx, &m.physical);
    return result;
}

FrResult fr_msh_load(FrContext *ctx, const char *path, FrTetMesh *mesh) {
    uint8_t *bytes;
    size_t size;
    *mesh = (FrTetMesh){0};
    FR_TRY(fr_file_load(ctx, path, FR_MESH_FILE_MAX, &bytes, &size));
    FrResult result = fr_msh_read(ctx, path, bytes, size, mesh);
    fr_free(ctx, bytes);
    return result;
}

static FrResult write_msh(FrFileWriter *w, const FrTetMesh *mesh) {
    FR_TRY(
        fr_file_printf(w, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", mesh->node_count));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FR_TRY(fr_file_printf(w, "%d ", n + 1));
        FR_TRY(fr_write_point(w, mesh->x + 3 * (size_t)n));
    }
    FR_TRY(fr_file_printf(w, "$EndNodes\n$Elements\n%d\n", mesh->tet_count));
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t region = mesh->region ? mesh->region[e] + 1 : 1;
        const int32_t *n = mesh->tet[e];
        FR_TRY(fr_file_printf(w, "%d %d 2 %d %d %d %d %d %d", e + 1, mesh->mid ? 11 : 4, region,
                              region, n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1));
        // Gmsh's place k holds our mid-node j with gmsh_mid[j] == k
        for (int k = 0; k < 6 && mesh->mid; k++)
            for (int j = 0; j < 6; j++)
                if (gmsh_mid[j] == k) FR_TRY(fr_file_printf(w, " %d", mesh->mid[e][j] + 1));
        FR_TRY(fr_file_write(w, "\n", 1));
    }
    return fr_file_printf(w, "$EndElements\n");
}

FrResult fr_msh_save(FrContext *ctx, const char *path, const FrTetMesh *mesh) {
    FrFileWriter writer = {0};
    FR_TRY(fr_file_begin(ctx, path, &writer));
    FrResult result = write_msh(&writer, mesh);
    if (result == FR_OK) return fr_file_commit(&writer);
    fr_file_abort(&writer);
    return result;
}
