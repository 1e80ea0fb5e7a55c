// malformed.c: seeded garbage for every reader: cut off, bytes changed, pieces moved and doubled,
// numbers swapped for bad ones. It ends in a result or a message, soon, and with memory in
// proportion to the input. MALFORMED: how many per reader (1000). MALFORMED_SEED: which (1).
// MALFORMED_SAMPLES: folder that gets the valid ones.

#include "test.h"
#include "base/random.h"
#include "cutlog_bytes.h"
#include "geom/trimesh.h"
#include "mesh/meshfile.h"
#include "meter.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "scene/scene.h"
#include <time.h>
#include <unistd.h>

#define SLOWEST 5.0                       // s: what the readers promise
#define MEMORY_FACTOR 64                  // bytes held at a time per byte of input,
#define MEMORY_CONSTANT ((size_t)1 << 20) // and besides
// a Lua scene may compute: the reader's own limit holds it
#define LUA_MEMORY ((size_t)80 << 20)

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Valid inputs, short enough to read here.
static const char obj_sample[] = "# tetrahedron\nmtllib a.mtl\no thing\nv 0 0 0\nv 1.5 0 0\nv 0 "
                                 "1e0 0\nv 0 0 -1\nvt 0 0\nvt 1 0.5\n"
                                 "vn 0 0 1\ng side\nusemtl red\nf 1 3 2\nf 1/1 2/2 4/1\nf -3//1 "
                                 "-2//1 -1//1\nf 1/1/1 4/2/1 3/1/1\n";
static const char ply_sample[] =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty "
    "float y\n"
    "property float z\nproperty uchar red\nelement face 4\nproperty list uchar int vertex_indices\n"
    "end_header\n0 0 0 255\n1 0 0 3\n0 1 0 3\n0 0 1 0\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
static const char stl_sample[] = "solid thing\nfacet normal 0 0 1\nouter loop\nvertex 0 0 "
                                 "0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                                 "endfacet\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 0 "
                                 "0 1e0\nvertex 1 0 0\nendloop\nendfacet\n"
                                 "endsolid thing\n";
static const char msh2_sample[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
    "$EndNodes\n$Elements\n3\n1 2 2 1 1 1 2 3\n2 4 2 7 1 1 2 3 4\n3 4 2 8 1 2 3 4 "
    "5\n$EndElements\n";
static const char msh4_sample[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 "
    "0\n"
    "0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
static const char tetgen_sample[] =
    "4 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0.5 1\n3 0 1 0 0.5 0\n4 0 0 1 1 0\n"
    "=\n1 4 1\n1 1 2 3 4 9\n";
static const char lua_sample[] =
    "local h = param('h', 10*cm, {min = 1*cm, max = 2*m, help = 'how high'})\n"
    "scene { duration = 100*ms, fps = 30, seed = 3 }\nground { material = 'concrete' }\n"
    "material { 'soft', base = 'rubber', density = 900 }\n"
    "for k = 1, 3 do\n  body { name = 'b' .. k, material = 'soft', at = {0, 0, k * h},\n"
    "    shape = union { ball(h), move { box { 1*cm, 2*cm, 3*cm }, by = {0, 0, h} } } }\nend\n"
    "local names = {}\nfor k, v in pairs({x = 1, y = 2}) do names[#names + 1] = k "
    "end\ntable.sort(names)\n"
    "sphere { 1, name = ('a-b'):gsub('%-', '+'), path = { {0, {0, 0, 0}}, {1, {0, 0, 1}} } }\n"
    "film { slow = { factor = 3 } }\n";
static const char json_sample[] =
    "{\"scene\": {\"duration\": \"100ms\", \"seed\": 3, \"name\": \"\\u00e9\\ud83d\\ude00\"},\n"
    " \"params\": [{\"name\": \"h\", \"value\": 1e-1, \"choices\": [0.1, 2]}], \"ground\": {},\n"
    " \"materials\": [{\"name\": \"soft\", \"base\": \"rubber\", \"density\": 900}],\n"
    " \"bodies\": [{\"material\": \"soft\", \"shape\": {\"ball\": {\"radius\": {\"param\": "
    "\"h\"}}},\n"
    "   \"fixed\": [{\"where\": {\"below\": {\"z\": 0}}}]}],\n"
    " \"loads\": [{\"force\": {\"body\": \"body1\", \"value\": [[0, [0, 0, 1]], [1, [1, 0, "
    "-0]]]}}]}\n";

/// Bytes that are changed in place.
typedef struct Input {
    uint8_t *data;
    size_t size, room;
} Input;

static const char *const bad_words[] = {"nan",
                                        "inf",
                                        "-inf",
                                        "1e999",
                                        "-1",
                                        "0",
                                        "4294967296",
                                        "2147483647",
                                        "9223372036854775808",
                                        "99999999999",
                                        "1e-999",
                                        "0x10",
                                        "1..2",
                                        "+-3",
                                        "",
                                        "\"",
                                        "{{{{{{{{",
                                        "[[[[[[[[",
                                        "\\u0000",
                                        "\xff\xfe",
                                        "end",
                                        "nil",
                                        "null",
                                        "while true do end",
                                        "('x'):rep(1e9)",
                                        "$End",
                                        "vertex",
                                        "3 3 3 3"};

// `span` bytes at `at` make way for `count` others
static void replace(Input *in, size_t from, size_t span, const void *bytes, size_t count) {
    if (from > in->size || span > in->size - from || in->size - span + count > in->room) return;
    memmove(in->data + from + count, in->data + from + span, in->size - from - span);
    memcpy(in->data + from, bytes, count);
    in->size = in->size - span + count;
}

static size_t pick(FrRandom *random, size_t below) {
    return below ? (size_t)fr_random_below(random, (int32_t)below) : 0;
}

static bool digit(uint8_t c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; }

// a number of a text becomes a bad word; any place when none is near
static void swap_number(Input *in, FrRandom *random) {
    size_t from = pick(random, in->size), end;
    while (from < in->size && !digit(in->data[from])) from++;
    for (end = from; end < in->size && digit(in->data[end]);) end++;
    const char *word = bad_words[pick(random, sizeof bad_words / sizeof bad_words[0])];
    replace(in, from, end - from, word, strlen(word));
}

// a piece of it is put in somewhere else
static void splice(Input *in, FrRandom *random) {
    uint8_t piece[64];
    size_t from = pick(random, in->size), count = pick(random, sizeof piece);
    if (count > in->size - from) count = in->size - from;
    memcpy(piece, in->data + from, count);
    replace(in, pick(random, in->size), pick(random, 2) ? count : 0, piece, count);
}

static void mutate(Input *in, FrRandom *random) {
    for (int left = 1 + (int)(pick(random, 3) * pick(random, 3)); left > 0; left--) {
        size_t from = pick(random, in->size), span = pick(random, 40);
        switch (pick(random, 8)) {
        case 0:
            in->size = from; // cut off
            break;
        case 1:
            replace(in, from, span, "", 0);
            break;
        case 2:
        case 3:
            splice(in, random);
            break;
        case 4:
            if (in->size) in->data[from] ^= (uint8_t)(1u << pick(random, 8));
            break;
        case 5:
            if (in->size) in->data[from] = (uint8_t)pick(random, 256);
            break;
        default:
            swap_number(in, random);
        }
    }
}

/// Readers: each takes bytes and must leave nothing behind.
typedef FrResult Reader(FrContext *ctx, const uint8_t *data, size_t size);

static FrResult read_obj(FrContext *ctx, const uint8_t *data, size_t size) {
    FrTriMesh mesh;
    FrResult result = fr_trimesh_parse_obj(ctx, "a.obj", data, size, &mesh);
    fr_trimesh_free(ctx, &mesh);
    return result;
}
static FrResult read_ply(FrContext *ctx, const uint8_t *data, size_t size) {
    FrTriMesh mesh;
    FrResult result = fr_trimesh_parse_ply(ctx, "a.ply", data, size, &mesh);
    fr_trimesh_free(ctx, &mesh);
    return result;
}
static FrResult read_stl(FrContext *ctx, const uint8_t *data, size_t size) {
    FrTriMesh mesh;
    FrResult result = fr_trimesh_parse_stl(ctx, "a.stl", data, size, &mesh);
    fr_trimesh_free(ctx, &mesh);
    return result;
}
static FrResult read_msh(FrContext *ctx, const uint8_t *data, size_t size) {
    FrTetMesh mesh;
    FrResult result = fr_msh_read(ctx, "a.msh", data, size, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}
// the first '=' divides the .node from the .ele
static FrResult read_tetgen(FrContext *ctx, const uint8_t *data, size_t size) {
    const uint8_t *cut = size ? memchr(data, '=', size) : NULL;
    size_t nodes = cut ? (size_t)(cut - data) : size, rest = cut ? nodes + 1 : size;
    FrTetMesh mesh;
    FrResult result = fr_tetgen_read(ctx, (FrTextFile){"a.node", data, nodes},
                                     (FrTextFile){"a.ele", data + rest, size - rest}, &mesh);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}
static FrResult read_lua(FrContext *ctx, const uint8_t *data, size_t size) {
    FrScene *scene = NULL;
    FrResult result = fr_scene_parse_lua(ctx, (const char *)data, size, "a.lua", NULL, &scene);
    fr_scene_free(scene);
    return result;
}
static FrResult read_json(FrContext *ctx, const uint8_t *data, size_t size) {
    FrScene *scene = NULL;
    FrResult result = fr_scene_parse_json(ctx, (const char *)data, size, "a.json", NULL, &scene);
    fr_scene_free(scene);
    return result;
}

static const char recording_path[] = "malformed.fracas";

static void write_file(const uint8_t *data, size_t size) {
    FILE *file = fopen(recording_path, "wb");
    CHECK(file && fwrite(data, 1, size, file) == size);
    if (file) fclose(file);
}

static FrResult read_parts(FrContext *ctx, FrRecording *recording) {
    const FrFrameView *view;
    FrEventLog log;
    FrEnergyRow *rows;
    int32_t count;
    for (int32_t k = 0; k < fr_recording_info(recording)->frame_count; k++)
        FR_TRY(fr_recording_frame(recording, k, &view));
    fr_event_log_init(&log, ctx);
    FrResult result = fr_recording_events(recording, &log);
    fr_event_log_free(&log);
    FR_TRY(result);
    FR_TRY(fr_recording_energy(recording, &rows, &count));
    fr_free(ctx, rows);
    for (int32_t k = 0; k < fr_recording_info(recording)->body_count; k++) {
        FrPoseTrack track;
        FR_TRY(fr_recording_poses(recording, k, &track));
        fr_free(ctx, track.data);
    }
    return FR_OK;
}

static FrResult read_recording(FrContext *ctx, const uint8_t *data, size_t size) {
    FrRecording *recording;
    write_file(data, size);
    FR_TRY(fr_recording_open(ctx, recording_path, &recording));
    FrResult result = read_parts(ctx, recording);
    fr_recording_close(recording);
    return result;
}

typedef struct Tally {
    int inputs, good, bad;
    double slowest;   ///< s
    double hungriest; ///< bytes of memory over bytes allowed
} Tally;

static void try_one(Reader *read, const char *name, const Input *in, size_t allowed, Tally *tally) {
    Meter meter = {0};
    FrContext *ctx = metered_context(&meter);
    // an exact copy, so that a sanitizer sees one byte too far
    uint8_t *copy = malloc(in->size ? in->size : 1);
    memcpy(copy, in->data, in->size);
    size_t before = meter.live;
    meter.peak = meter.live;
    double start = seconds();
    FrResult result = read(ctx, copy, in->size);
    double spent = seconds() - start;
    free(copy);
    tally->inputs++;
    tally->good += result == FR_OK;
    tally->bad += result == FR_BAD_INPUT;
    if (result != FR_OK && result != FR_BAD_INPUT)
        TEST_FAIL("%s, input %d: %d, %s", name, tally->inputs, (int)result,
                  fr_context_message(ctx));
    if (result == FR_BAD_INPUT && !fr_context_message(ctx)[0])
        TEST_FAIL("%s, input %d: refused without a word", name, tally->inputs);
    if (meter.live != before)
        TEST_FAIL("%s, input %d: %zu bytes are lost", name, tally->inputs, meter.live - before);
    if (meter.peak - before > allowed)
        TEST_FAIL("%s, input %d: %zu bytes of memory for %zu bytes", name, tally->inputs,
                  meter.peak - before, in->size);
    if (spent > SLOWEST) TEST_FAIL("%s, input %d: %.1f s", name, tally->inputs, spent);
    tally->slowest = fr_max(tally->slowest, spent);
    tally->hungriest = fr_max(tally->hungriest, (double)(meter.peak - before) / (double)allowed);
    fr_context_destroy(ctx);
}

static int input_count(void) {
    const char *text = getenv("MALFORMED");
    return text ? atoi(text) : 1000;
}

// the valid samples as files, to start a fuzzer from: MALFORMED_SAMPLES is the folder
static void give_sample(const char *name, const void *sample, size_t size) {
    char path[512];
    const char *folder = getenv("MALFORMED_SAMPLES");
    if (!folder) return;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *c = path + strlen(folder) + 1; *c; c++)
        if (*c == ' ' || *c == '/') *c = '-';
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(sample, 1, size, file) == size);
    if (file) fclose(file);
}

static void try_many(const char *name, Reader *read, const void *sample, size_t size,
                     size_t constant) {
    const char *seed = getenv("MALFORMED_SEED");
    FrRandom random = fr_random_for(seed ? strtoull(seed, NULL, 10) : 1, name, 0);
    Tally tally = {0};
    give_sample(name, sample, size);
    Input in = {NULL, 0, size + 4096};
    in.data = malloc(in.room);
    memcpy(in.data, sample, in.size = size);
    try_one(read, name, &in, constant + MEMORY_FACTOR * size, &tally);
    CHECK_INT(tally.good, 1); // as it is, the sample is valid
    for (int k = 0; k < input_count(); k++) {
        memcpy(in.data, sample, in.size = size);
        mutate(&in, &random);
        try_one(read, name, &in, constant + MEMORY_FACTOR * in.size, &tally);
    }
    free(in.data);
    CHECK(tally.bad > tally.inputs / 8);
    printf(
        "  %-10s %5d inputs, %5d refused, slowest %.3f s, most memory %.0f %% of what is allowed\n",
        name, tally.inputs, tally.bad, tally.slowest, 100.0 * tally.hungriest);
}
#define TRY_TEXT(name, read, sample)                                                               \
    try_many(name, read, sample, sizeof sample - 1, MEMORY_CONSTANT)

TEST(surfaces) {
    TRY_TEXT("obj", read_obj, obj_sample);
    TRY_TEXT("ply", read_ply, ply_sample);
    TRY_TEXT("stl", read_stl, stl_sample);
}

// two triangles and a square, as little-endian bytes
static size_t put(uint8_t *to, size_t size, const void *bytes, size_t count) {
    memcpy(to + size, bytes, count);
    return size + count;
}
TEST(binary_surfaces) {
    uint8_t stl[512] = {0}, ply[512];
    uint32_t tris = 4;
    memcpy(stl + 80, &tris, 4);
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 9; c++) {
            float x = (float)((c * (k + 3) + k) % 5);
            memcpy(stl + 84 + 50 * k + 12 + 4 * c, &x, 4);
        }
    try_many("stl bytes", read_stl, stl, 84 + 200, MEMORY_CONSTANT);
    const char head[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float "
        "y\n"
        "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
    const float point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int32_t face[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const uint8_t three = 3;
    size_t size = put(ply, put(ply, 0, head, sizeof head - 1), point, sizeof point);
    for (int k = 0; k < 2; k++) size = put(ply, put(ply, size, &three, 1), face[k], sizeof face[k]);
    try_many("ply bytes", read_ply, ply, size, MEMORY_CONSTANT);
}

TEST(tet_meshes) {
    TRY_TEXT("msh 2.2", read_msh, msh2_sample);
    TRY_TEXT("msh 4.1", read_msh, msh4_sample);
    TRY_TEXT("node/ele", read_tetgen, tetgen_sample);
}

TEST(scenes) {
    try_many("lua", read_lua, lua_sample, sizeof lua_sample - 1, LUA_MEMORY);
    TRY_TEXT("json", read_json, json_sample);
}

// a finished recording of two frames: one tet that falls in two, one ball
static void make_recording(FrContext *ctx) {
    FrRecorderDef def = {.scene_json = "{}",
                         .scene_hash = 1,
                         .fps = 10,
                         .duration = 0.1,
                         .tick_seconds = 0.1,
                         .pose_hz = 10};
    double p[64] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, v[64] = {0};
    int32_t tet[1][4] = {{0, 1, 2, 3}};
    FrTetMesh mesh = {
        .node_count = 4, .corner_count = 4, .tet_count = 1, .order = 1, .x = p, .tet = tet};
    FrBodyView body[2] = {
        {.name = "tet", .model = "fem", .deforms = true, .kind = FR_BODY_TETS, .mesh = &mesh},
        {.name = "ball", .model = "frame", .rigid = true, .kind = FR_BODY_SPHERE, .radius = 0.5}};
    FrBodyFrame frame[2] = {{.p = p, .v = v, .rotation = {1, 0, 0, 0}, .alive = true},
                            {.rotation = {1, 0, 0, 0}, .alive = true}};
    FrRecorder *recorder;
    for (int k = 0; k < 2; k++) {
        snprintf(body[k].material.name, sizeof body[k].material.name, "test");
        body[k].material.density = 1000.0;
        body[k].material.lambda = body[k].material.mu = 1e5;
    }
    unlink(recording_path);
    CHECK_OK(ctx, fr_recorder_create(ctx, recording_path, &def, &recorder));
    for (int k = 0; recorder && k < 2; k++) {
        FrRecordBody row = {.id = k, .parent = -1, .view = body[k]};
        CHECK_OK(ctx, fr_recorder_add_body(recorder, &row));
    }
    FrCutMesh *cut = NULL;
    FrCutLog log;
    FrSplitOptions options = fr_split_options_default();
    FrSplitResult said;
    fr_cutlog_init(&log, 4);
    CHECK_OK(ctx, fr_cutmesh_create(ctx, &mesh, &cut));
    CHECK_OK(ctx,
             fr_cutmesh_split(cut, 0, fr_normalize(fr_vec3(1, -0.8, 0)), &options, &log, &said));
    CHECK_INT(said.outcome, FR_SPLIT_DONE);
    for (int t = 0; recorder && t < 2; t++) {
        if (t == 1) {
            CHECK_OK(ctx, fr_recorder_topology(recorder, 0, t, &log, 1));
            fr_cutlog_apply_positions(&log, p);
            body[0].mesh = fr_cutmesh_view(cut);
        }
        FrFrameView view = {.tick = t, .t = 0.1 * t, .body = body, .frame = frame, .body_count = 2};
        FrEnergyRow row = {.tick = t};
        CHECK_OK(ctx, fr_recorder_poses(recorder, t, &view));
        CHECK_OK(ctx, fr_recorder_frame(recorder, &view));
        CHECK_OK(ctx, fr_recorder_energy(recorder, &row));
    }
    if (recorder) CHECK_OK(ctx, fr_recorder_finish(recorder));
    fr_recorder_close(recorder);
    fr_cutmesh_destroy(cut);
    fr_cutlog_free(ctx, &log);
}

TEST(cut_logs) {
    Meter meter = {0};
    FrContext *ctx = metered_context(&meter);
    FrWriter sample;
    CHECK_OK(ctx, cutlog_sample(ctx, &sample));
    try_many("cutlog", cutlog_read, sample.data, sample.size, MEMORY_CONSTANT);
    fr_writer_free(&sample);
    fr_context_destroy(ctx);
}

TEST(recordings) {
    Meter meter = {0};
    FrContext *ctx = metered_context(&meter);
    make_recording(ctx);
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(recording_path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    CHECK(size > 8192 && size < sizeof bytes);
    try_many("recording", read_recording, bytes, size, MEMORY_CONSTANT);
    unlink(recording_path);
    fr_context_destroy(ctx);
}
