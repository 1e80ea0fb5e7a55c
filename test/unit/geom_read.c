// geom_read.c: good surface files are read, bad ones are refused with a place and a reason.

#include "test.h"
#include "geom.h"

typedef FrResult ParseFn(FrContext *, const char *, const void *, size_t, FrTriMesh *);

static FrResult parse(FrContext *ctx, ParseFn *fn, const char *text, FrTriMesh *mesh) {
    return fn(ctx, "f", text, strlen(text), mesh);
}

static void refused(ParseFn *fn, const char *text, const char *message) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    CHECK_INT(parse(ctx, fn, text, &mesh), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), message);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

static const char *tetra_obj = "# a tetrahedron\nmtllib x.mtl\no tetra\n"
                               "v 0 0 0\nv 1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\nv 0 0 1e0\n"
                               "vt 0 0\nvt 1 0.5\nvn 0 0 -2\ns off\nusemtl grey\n"
                               "f 1 3 2\nf -4 2 4\nf 2/1/1 3/2/1 4//1\nf 1 4 \\\n 3\n";

TEST(obj_good) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    CHECK_OK(ctx, parse(ctx, fr_trimesh_parse_obj, tetra_obj, &mesh));
    CHECK_INT(mesh.tri_count, 4);
    CHECK_INT(mesh.point_count, 7); // 1 2 3 4 bare, and three with more
    CHECK(mesh.uv && mesh.normal);
    // rounding: three products
    CHECK_NEAR(fr_trimesh_props(&mesh).volume, 1.0 / 6, 1e-16);
    int32_t n = mesh.tri[2][1];
    CHECK(mesh.uv[2 * n] == 1 && mesh.uv[2 * n + 1] == 0.5 && mesh.normal[3 * n + 2] == -1);
    FrTriReport report;
    CHECK_OK(ctx, fr_trimesh_weld(ctx, &mesh, 0, NULL));
    CHECK_OK(ctx, fr_trimesh_report(ctx, &mesh, &report));
    CHECK(report.closed && mesh.point_count == 4);
    fr_trimesh_free(ctx, &mesh);
    // an L of six corners in a tilted plane: ears, not a fan from the first corner
    CHECK_OK(ctx,
             parse(ctx, fr_trimesh_parse_obj,
                   "v 2 0 2\nv 2 1 2\nv 1 1 1\nv 1 2 1\nv 0 2 0\nv 0 0 0\nf 1 2 3 4 5 6", &mesh));
    CHECK_INT(mesh.tri_count, 4);
    CHECK_NEAR(fr_trimesh_area(&mesh), 3 * sqrt(2), 1e-15);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(obj_bad) {
    ParseFn *obj = fr_trimesh_parse_obj;
    refused(obj, "", "f: holds no face (no line begins with f)");
    refused(obj, "v 1 2\nf 1 1 1",
            "f:1:6: coordinate of v: found the end of the line; wanted a number");
    refused(obj, "v 1 2 nan", "f:1:7: coordinate of v: found \"nan\"; wanted a number");
    refused(obj, "v 1 2 1e31", "f:1:7: coordinate of v: found \"1e31\"; allowed are -1e30 to 1e30");
    refused(obj, "v 1 2 3\nf 1 2 1", "f:2:5: v of a corner: found 2; there are 1 so far");
    refused(obj, "v 1 2 3\r\n\r\n f 1 1 -2", "f:3:8: v of a corner: found -2; there are 1 so far");
    refused(obj, "v 1 2 3\nf 0 1 1",
            "f:2:3: v of a corner: found 0; counting starts at 1 (or -1 from the end)");
    refused(obj, "v 1 2 3\nf 1 1", "f:2:6: a face of 2 corners; at least 3 are needed");
    refused(obj, "v 1 2 3\nf 1/x/1 1 1", "f:2:5: vt of a corner: found \"x\"; wanted an integer");
    refused(
        obj, "v 1 2 3\n1curv 1 2",
        "f:2:1: found \"1curv\"; wanted v, vt, vn or f (skipped are o, g, s, usemtl, mtllib, l, "
        "p)");
    refused(obj, "v 1 2 3\ncurv 1 2", "f: holds no face (no line begins with f)");
    refused(obj, "v 1 2 3\nf 1 1 99999999999",
            "f:2:7: v of a corner: found \"99999999999\"; allowed are -2147483648 to 2147483647");
}

/// What a context says, line by line.
typedef struct Said {
    char text[512];
} Said;

static void hear(void *user, FrLogLevel level, const char *text) {
    Said *said = user;
    size_t used = strlen(said->text);
    if (level == FR_LOG_WARNING)
        snprintf(said->text + used, sizeof said->text - used, "%s\n", text);
}

// a good surface all the same, and one warning for all of a kind
static void warned(ParseFn *fn, const char *text, const char *message) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    Said said = {""};
    fr_log_listen(ctx, hear, &said);
    CHECK_OK(ctx, parse(ctx, fn, text, &mesh));
    CHECK_INT(mesh.tri_count, 1);
    CHECK_INT(mesh.point_count, 3);
    CHECK(!mesh.uv && !mesh.normal);
    CHECK_TEXT(said.text, message);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define CORNERS_OF_PLY "element face 1\nproperty list uchar int vertex_indices\n"
#define POINTS_OF_PLY                                                                              \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\n"

TEST(what_tools_write_is_read_with_a_warning) {
    ParseFn *obj = fr_trimesh_parse_obj, *ply = fr_trimesh_parse_ply;
    warned(obj, THREE "f 1 2 3\n", "");
    warned(obj, THREE "f 1// 2// 3//\n",
           "f:4:6: a corner's vn is empty, or not in the file: left out, 3 times\n");
    warned(obj, THREE "f 1/1/1 2/2/1 3\n",
           "f:4:5: a corner's vt is empty, or not in the file: left out, 2 times\n"
           "f:4:7: a corner's vn is empty, or not in the file: left out, 2 times\n");
    warned(obj, THREE "f 1/ 2 3\n",
           "f:4:5: a corner's vt is empty, or not in the file: left out\n");
    warned(obj, "v 0 0 0 red\nv 1 0 0 ff0000\nv 0 1 0 - 0 0\nf 1 2 3\n",
           "f:1:9: what follows the coordinates is no number: passed over, 3 times\n");
    warned(obj, THREE "cstype bezier\nf 1 2 3\n",
           "f:4:1: not a statement that is read (v, vt, vn, f): passed over\n");
    warned(ply,
           POINTS_OF_PLY "colour space rgb\n" CORNERS_OF_PLY
                         "property list uchar float texcoord\nend_header\n"
                         "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 1 0 0 1\n",
           "f:7:1: not a line of a header that is read: passed over\n");
    warned(ply,
           POINTS_OF_PLY "property uchar red\n" CORNERS_OF_PLY
                         "property list uchar uchar flags\nend_header\n"
                         "0 0 0 0.5\n1 0 0 none\n0 1 0 300\n3 0 1 2 2 x 999\n",
           "f:13:7: a value that is not read is no number: passed over, 2 times\n");
}

// a second list in a row of faces, as texture tools write it, in binary: passed over byte by byte
TEST(more_lists_of_a_binary_face) {
    static const char head[] = "ply\nformat binary_little_endian 1.0\ncomment TextureFile a.png\n"
                               "element vertex 3\nproperty float x\nproperty float y\n"
                               "property float z\nelement face 2\n"
                               "property list uchar int vertex_indices\n"
                               "property list uchar float texcoord\nproperty int texnumber\n"
                               "end_header\n";
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    uint8_t bytes[500];
    size_t at = strlen(head);
    memcpy(bytes, head, at);
    float x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[6] = {0, 0, 1, 0, 0, 1};
    memcpy(bytes + at, x, sizeof x), at += sizeof x;
    for (int32_t f = 0; f < 2; f++) {
        int32_t corner[3] = {f, 1 + f, (2 + f) % 3};
        bytes[at++] = 3;
        memcpy(bytes + at, corner, sizeof corner), at += sizeof corner;
        bytes[at++] = 6;
        memcpy(bytes + at, uv, sizeof uv), at += sizeof uv;
        memcpy(bytes + at, &f, sizeof f), at += sizeof f;
    }
    CHECK_OK(ctx, fr_trimesh_parse_ply(ctx, "f", bytes, at, &mesh));
    CHECK_INT(mesh.tri_count, 2);
    CHECK_INT(mesh.point_count, 3);
    CHECK_INT(mesh.tri[1][2], 0);
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}

static const char *tetra_stl =
    "solid some name\n"
    "facet normal 0 0 -1\n outer loop\n vertex 0 0 0\n vertex 0 1 0\n vertex 1 0 0\n "
    "endloop\nendfacet\n"
    "facet normal nan nan nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 0 1\n "
    "endloop\nendfacet\n"
    "FACET NORMAL 1 1 1\n OUTER LOOP\n VERTEX 1 0 0\n VERTEX 0 1 0\n VERTEX 0 0 1\n "
    "ENDLOOP\nENDFACET\n"
    "facet normal -1 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet\n"
    "endsolid some name\n";

static size_t tetra_binary(uint8_t *bytes, const char *header) {
    static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int tri[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    memset(bytes, 0, 284);
    memcpy(bytes, header, strlen(header));
    bytes[80] = 4;
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 3; k++)
            memcpy(bytes + 84 + 50 * t + 12 + 12 * k, corner[tri[t][k]], 12);
    return 284;
}

TEST(stl_good) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    uint8_t bytes[300];
    for (int kind = 0; kind < 4; kind++) {
        size_t size = tetra_binary(bytes, kind == 1 ? "solid but binary" : "made by hand");
        if (kind == 3) bytes[size++] = 7; // something after the last triangle
        if (kind == 0)
            CHECK_OK(ctx, parse(ctx, fr_trimesh_parse_stl, tetra_stl, &mesh));
        else
            CHECK_OK(ctx, fr_trimesh_parse(ctx, "x.STL", bytes, size, &mesh));
        CHECK_INT(mesh.point_count, 4);
        CHECK_INT(mesh.tri_count, 4);
        CHECK_NEAR(fr_trimesh_props(&mesh).volume, 1.0 / 6, 1e-16); // rounding: three products
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

TEST(stl_bad) {
    ParseFn *stl = fr_trimesh_parse_stl;
    refused(stl, "", "f: holds no facet");
    refused(stl, "solid x\nfacet normal 0 0\n outer loop",
            "f:3:2: found \"outer\"; wanted three numbers of the normal");
    refused(stl, "solid x\nfacet normal 0 0 1\n outer loop\n  vertex 0 zero 0",
            "f:4:12: coordinate of vertex: found \"zero\"; wanted a number");
    refused(stl, "solid x\n vertex 1 2 3",
            "f:2:2: found \"vertex\"; wanted \"facet\" or \"endsolid\"");
    refused(stl, "solid x\n", "f:2:1: found the end of the file; wanted \"facet\" or \"endsolid\"");
    refused(stl, "solid x\nendsolid x\nmore", "f:3:1: found \"more\"; wanted \"solid\"");
    refused(stl, "short", "f: byte 5: the file ends; a binary STL has at least 84 bytes");
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    uint8_t bytes[300];
    size_t size = tetra_binary(bytes, "solid but binary");
    CHECK_INT(fr_trimesh_parse_stl(ctx, "f", bytes, size - 1, &mesh), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx),
               "f: byte 80: says 4 triangles, which need 284 bytes; the file has 283");
    bytes[83] = 255; // four thousand million triangles: refused before anything is allocated
    refuser.peak = refuser.bytes;
    size_t before = refuser.bytes;
    CHECK_INT(fr_trimesh_parse_stl(ctx, "f", bytes, size, &mesh), FR_BAD_INPUT);
    CHECK_INT(refuser.peak, before);
    bytes[83] = 0;
    float nan = NAN;
    memcpy(bytes + 84 + 50 + 12 + 4, &nan, 4);
    CHECK_INT(fr_trimesh_parse_stl(ctx, "f", bytes, size, &mesh), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "f: byte 150: coordinate is ");
    fr_context_destroy(ctx);
}

static const char *tetra_ply =
    "ply\nformat ascii 1.0\ncomment by hand\nelement note 1\nproperty list uchar float words\n"
    "element vertex 4\nproperty double z\nproperty uchar red\nproperty float x\nproperty short y\n"
    "property float nx\nproperty float ny\nproperty float nz\nproperty float u\nproperty float v\n"
    "element face 4\nproperty uchar flags\nproperty list uchar int vertex_indices\n"
    "element edge 1\nproperty int a\nend_header\n"
    "2 1.5 2.5\n"
    "0 255 0 0 0 0 -1 0 0\n0 255 1 0 1 0 0 .5 0\n0 255 0 1 0 2 0 0 .5\n1 255 0 0 0 0 1 1 1\n"
    "9 3 0 2 1\n9 3 0 1 3\n9 3 1 2 3\n9 3 0 3 2\n12\n";

// the same in binary of either byte order, made by hand
static size_t binary_ply(uint8_t *bytes, bool big, const char *line_break) {
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint8_t tri[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    const char *lines[] = {"ply",
                           big ? "format binary_big_endian 1.0" : "format binary_little_endian 1.0",
                           "element face 4",
                           "property list ushort uchar vertex_index",
                           "element vertex 4",
                           "property float x",
                           "property int y",
                           "property double z",
                           "end_header"};
    size_t at = 0;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        at += (size_t)sprintf((char *)bytes + at, "%s%s", lines[k], line_break);
    for (int t = 0; t < 4; t++) {
        bytes[at + (big ? 1 : 0)] = 3, bytes[at + (big ? 0 : 1)] = 0;
        memcpy(bytes + at + 2, tri[t], 3);
        at += 5;
    }
    for (int n = 0; n < 4; n++) {
        float x = (float)corner[n][0];
        int32_t y = (int32_t)corner[n][1];
        uint8_t part[16];
        memcpy(part, &x, 4), memcpy(part + 4, &y, 4), memcpy(part + 8, &corner[n][2], 8);
        static const int start[3] = {0, 4, 8}, length[3] = {4, 4, 8};
        for (int f = 0; f < 3; f++)
            for (int k = 0; k < length[f]; k++)
                bytes[at++] = part[start[f] + (big ? length[f] - 1 - k : k)];
    }
    return at;
}

TEST(ply_good) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    CHECK_OK(ctx, parse(ctx, fr_trimesh_parse_ply, tetra_ply, &mesh));
    CHECK_INT(mesh.point_count, 4);
    // rounding: three products
    CHECK_NEAR(fr_trimesh_props(&mesh).volume, 1.0 / 6, 1e-16);
    CHECK(mesh.uv && mesh.normal && mesh.uv[2] == 0.5 && mesh.uv[5] == 0.5);
    CHECK(mesh.normal[7] == 1);
    fr_trimesh_free(ctx, &mesh);
    uint8_t bytes[600];
    static const char *breaks[] = {"\n", "\r\n", "\r"};
    for (int kind = 0; kind < 6; kind++) {
        size_t size = binary_ply(bytes, kind & 1, breaks[kind / 2]);
        CHECK_OK(ctx, fr_trimesh_parse(ctx, "no ending", bytes, size, &mesh));
        CHECK_INT(mesh.tri_count, 4);
        CHECK_NEAR(fr_trimesh_props(&mesh).volume, 1.0 / 6, 1e-16);
        fr_trimesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

#define PLY_HEAD "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

TEST(ply_bad) {
    ParseFn *ply = fr_trimesh_parse_ply;
    refused(ply, "", "f:1:1: found the end of the file; wanted \"ply\"");
    refused(ply, "ply\nelement vertex 3", "f:2:1: found \"element\"; wanted \"format\"");
    refused(ply, "ply\nformat ascii 2.0", "f:2:14: found \"2.0\"; wanted \"1.0\"");
    refused(ply, "ply\nformat text 1.0",
            "f:2:8: found \"text\"; wanted ascii, binary_little_endian or binary_big_endian");
    refused(ply, "ply\nformat ascii 1.0\nproperty int x\n",
            "f:3:10: a property before the first element");
    refused(ply, "ply\nformat ascii 1.0\nelement vertex 3000000\n",
            "f:3:16: says 3000000 rows; only 1 bytes follow");
    refused(
        ply, "ply\nformat ascii 1.0\nelement vertex 3\nproperty number x\n",
        "f:4:10: found \"number\"; wanted a type: char uchar short ushort int uint float double");
    refused(ply, PLY_HEAD PLY_FACE, "f: has no element vertex with properties x, y and z");
    refused(ply, PLY_HEAD "property float z\nend_header\n",
            "f: has no element face with a list vertex_indices");
    refused(ply, PLY_HEAD "property float x\n", "f:6:16: \"x\" is given twice");
    refused(ply, PLY_HEAD "property float z\n" PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
            "f:13:7: \"vertex_indices\": found 3; allowed are 0 to 2");
    refused(ply, PLY_HEAD "property float z\n" PLY_FACE "0 0 0\n1 0 0\n0 inf 0\n3 0 1 2\n",
            "f:12:3: \"y\": found \"inf\"; wanted a number");
    refused(ply, PLY_HEAD "property float z\n" PLY_FACE "0 0 0\n1 0 0\n0 1 0\n200 0 1 2\n",
            "f:13:1: \"vertex_indices\": found 200; allowed are 0 to 7");
    refused(ply, PLY_HEAD "property float z\n" PLY_FACE "0 0 0\n1 0 0\n0 1 0\n2 0 1\n",
            "f: no face has three corners");
    refused(ply, PLY_HEAD "property list float int z\n",
            "f:6:10: the length of a list cannot be a float");
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    uint8_t bytes[600];
    size_t size = binary_ply(bytes, false, "\n");
    bytes[size - 84 + 4] = 77; // the third corner of the first face
    CHECK_INT(fr_trimesh_parse_ply(ctx, "f", bytes, size, &mesh), FR_BAD_INPUT);
    char wanted[200];
    snprintf(wanted, sizeof wanted, "f: byte %zu: \"vertex_index\": found 77; allowed are 0 to 3",
             size - 84 + 4);
    CHECK_TEXT(fr_context_message(ctx), wanted);
    // rows without properties cost nothing, however many are promised
    const char *endless =
        "ply\nformat binary_little_endian 1.0\nelement nothing 9000000000000000000\n"
        "element vertex 0\nproperty float x\nend_header\n";
    CHECK_INT(parse(ctx, fr_trimesh_parse_ply, endless, &mesh), FR_BAD_INPUT);
    fr_context_destroy(ctx);
}

TEST(names_and_content) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrTriMesh mesh;
    CHECK_INT(fr_trimesh_parse(ctx, "x.txt", "hello", 5, &mesh), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "x.txt: is not a surface; .obj, .ply and .stl are read");
    CHECK_INT(fr_trimesh_parse(ctx, "x.obj", "", 0, &mesh), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "x.obj: is empty");
    CHECK_OK(ctx, fr_trimesh_parse(ctx, "x.obj", tetra_ply, strlen(tetra_ply), &mesh));
    fr_trimesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// every prefix, and bytes changed at random: an answer or a message, memory in proportion, no leak
static void maul(ParseFn *fn, const void *bytes, size_t size) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    FrRandom random = fr_random_for(7, "maul", size);
    size_t base = refuser.bytes;
    for (int round = 0; round < 3000; round++) {
        size_t length = (size_t)round < size ? (size_t)round : size;
        uint8_t *copy = malloc(length ? length : 1); // its end is watched by the sanitizer
        memcpy(copy, bytes, length);
        if ((size_t)round >= size)
            for (int k = fr_random_below(&random, 4); k >= 0; k--)
                copy[fr_random_below(&random, (int32_t)size)] =
                    fr_random_below(&random, 2)
                        ? (uint8_t)fr_random_u32(&random)
                        : (uint8_t)("0123456789 -./ne\n"[fr_random_below(&random, 17)]);
        FrTriMesh mesh;
        refuser.peak = refuser.bytes;
        FrResult result = fn(ctx, "f", copy, length, &mesh);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        CHECK(refuser.peak - base < 40000 + 200 * size); // the PLY header table, and arrays
        fr_trimesh_free(ctx, &mesh);
        CHECK_INT(refuser.bytes, base);
        free(copy);
    }
    fr_context_destroy(ctx);
}

TEST(truncated_and_mauled) {
    uint8_t bytes[600];
    maul(fr_trimesh_parse_obj, tetra_obj, strlen(tetra_obj));
    maul(fr_trimesh_parse_stl, tetra_stl, strlen(tetra_stl));
    maul(fr_trimesh_parse_ply, tetra_ply, strlen(tetra_ply));
    maul(fr_trimesh_parse_stl, bytes, tetra_binary(bytes, "solid but binary"));
    maul(fr_trimesh_parse_ply, bytes, binary_ply(bytes, false, "\n"));
    maul(fr_trimesh_parse_ply, bytes, binary_ply(bytes, true, "\r\n"));
}

// in time and memory in proportion to the input, polygons of many corners included
TEST(large_inputs) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    size_t room = 4000000, at = 0;
    char *text = malloc(room);
    for (int n = 0; n < 100000; n++)
        at += (size_t)sprintf(text + at, "v %d %d 0\n", n % 317, n * 7 % 1013);
    at += (size_t)sprintf(text + at, "f");
    for (int n = 0; n < 200000; n++) at += (size_t)sprintf(text + at, " %d", n % 100000 + 1);
    FrTriMesh mesh;
    refuser.peak = refuser.bytes;
    CHECK_OK(ctx, fr_trimesh_parse_obj(ctx, "f", text, at, &mesh));
    CHECK_INT(mesh.tri_count, 199998);
    CHECK(refuser.peak < 20 * at);
    fr_trimesh_free(ctx, &mesh);
    free(text);
    fr_context_destroy(ctx);
}

TEST(allocations_may_fail) {
    Refuser refuser;
    FrContext *ctx = geom_context(&refuser);
    const char *text[3] = {tetra_obj, tetra_stl, tetra_ply};
    ParseFn *parser[3] = {fr_trimesh_parse_obj, fr_trimesh_parse_stl, fr_trimesh_parse_ply};
    for (int kind = 0; kind < 3; kind++)
        EVERY_ALLOCATION_FAILS(ctx, &refuser, {
            FrTriMesh mesh;
            result = parse(ctx, parser[kind], text[kind], &mesh);
            fr_trimesh_free(ctx, &mesh);
        });
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}
