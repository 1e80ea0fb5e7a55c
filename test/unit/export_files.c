// export_files.c: VTU, USD, CSV, JSON and HTML are valid, whole or absent, and hold the right
// numbers.

#include "test.h"
#include "context.h"
#include "record_world.h"
#include "base/file.h"
#include "export/page.h"
#include "export/piece_list.h"
#include "export/report.h"
#include "export/shapes.h"
#include "export/tables.h"
#include "export/usd.h"
#include "record/mesh_code.h"
#include "export/vtu.h"
#include "base/json.h"
#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <unistd.h>

static void record_world(FrContext *ctx, const char *path) {
    World w;
    FrRecorder *r;
    FrRecorderDef def = world_def();
    world_init(&w, ctx, 2);
    CHECK_OK(ctx, fr_recorder_create(ctx, path, &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    CHECK_OK(ctx, world_run(&w, r, 450, 0, 0));
    CHECK_OK(ctx, fr_recorder_finish(r));
    fr_recorder_close(r);
    world_free(&w);
}

// exit status of a checker, its last line in `line`
static int python(const char *command, char *line, size_t room) {
    char text[1024];
    snprintf(text, sizeof text, "python3 %s/test/unit/%s", FRACAS_SOURCE_DIR, command);
    FILE *pipe = popen(text, "r");
    line[0] = 0;
    while (pipe && fgets(line, (int)room, pipe)) {
    }
    return pipe ? pclose(pipe) : -1;
}

static char *load_text(FrContext *ctx, const char *path) {
    uint8_t *bytes;
    size_t size;
    CHECK_OK(ctx, fr_file_load(ctx, path, 100000000, &bytes, &size));
    return (char *)bytes;
}

TEST(sphere_is_closed_and_faces_out) {
    FrVec3 p[FR_SPHERE_POINTS];
    int32_t t[FR_SPHERE_TRIS][3];
    double volume = 0;
    fr_sphere_points(p), fr_sphere_tris(t);
    for (int k = 0; k < FR_SPHERE_TRIS; k++) {
        double v = fr_dot(p[t[k][0]], fr_cross(p[t[k][1]], p[t[k][2]])) / 6;
        CHECK(v > 0);
        volume += v;
    }
    CHECK_CLOSE(volume, 4.0 / 3 * FR_PI, 0.04); // mesh: chords of 15 degrees lose 3.4 %
}

TEST(paraview_files_are_whole) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrRecording *rec;
    FrFrameSource source;
    char line[256];
    record_world(ctx, "exp-vtu.fracas");
    CHECK_OK(ctx, fr_recording_open(ctx, "exp-vtu.fracas", &rec));
    fr_recording_source(rec, &source);
    CHECK_OK(ctx, fr_export_pvd(ctx, &source, "exp-vtu/run.pvd"));
    CHECK_INT(python("export_vtu.py exp-vtu/run.pvd 46", line, sizeof line), 0);
    // a cube of 27 nodes and 48 tets, a cracked one, one living sphere, the ground
    const FrFrameView *view;
    char wanted[128];
    CHECK_OK(ctx, fr_recording_frame(rec, 45, &view));
    CHECK(view->body[1].mesh->tet_count > 48);
    const FrPiece *piece;
    int32_t pieces, faces = 0, rigid = 0;
    for (int32_t k = 0; k < view->body[1].surface->tri_count; k++)
        faces += view->body[1].surface->opened[k] >= 0;
    int32_t nodes = view->body[1].mesh->node_count, tets = view->body[1].mesh->tet_count;
    for (int32_t e = 0; e < tets; e++)
        rigid += view->frame[1].load[view->body[1].mesh->tet[e][0]] < 0;
    CHECK(rigid > 0);
    CHECK_OK(ctx, fr_recording_pieces(rec, 1, &piece, &pieces));
    snprintf(wanted, sizeof wanted,
             "%d points %d tets 4 bodies %d pieces %d faces of cracks %d tets without stress",
             27 + nodes + FR_SPHERE_POINTS + 4, 48 + tets, pieces, faces, rigid);
    CHECK_HAS(line, wanted);
    fr_recording_close(rec);
    fr_context_destroy(ctx);
    CHECK_INT(system("rm -r exp-vtu exp-vtu.fracas"), 0);
}

TEST(usd_text_is_valid_for_each_preset) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrRecording *rec;
    FrFrameSource source;
    char line[256];
    record_world(ctx, "exp-usd.fracas");
    CHECK_OK(ctx, fr_recording_open(ctx, "exp-usd.fracas", &rec));
    fr_recording_source(rec, &source);
    for (int k = 0; k < 3; k++) {
        FrUsdOptions options = fr_usd_options_default();
        options.preset = (FrUsdPreset)k;
        CHECK_OK(ctx, fr_export_usd(ctx, &source, &options, "exp.usda"));
        CHECK_INT(python("export_usda.py exp.usda 46", line, sizeof line), 0);
        CHECK_HAS(line, "Mesh:cube__A_ Mesh:cube_B");
        CHECK_HAS(line, " Sphere:ball Mesh:ground Sphere:late_ball");
        char *text = load_text(ctx, "exp.usda");
        CHECK_HAS(text, k == FR_USD_HOUDINI ? "upAxis = \"Y\"" : "upAxis = \"Z\"");
        CHECK_HAS(text, k == FR_USD_UNREAL ? "metersPerUnit = 0.01" : "metersPerUnit = 1");
        CHECK_HAS(text, k == FR_USD_UNREAL ? "radius = 5" : "radius = 0.05");
        CHECK_HAS(text, "endTimeCode = 46\n");
        CHECK_HAS(text, "texCoord2f[] primvars:st = [(0, 0), (0.5, 0), (1, 0)]");
        fr_free(ctx, text);
    }
    // half the rate: half codes; another start
    FrUsdOptions options = fr_usd_options_default();
    options.fps = 50, options.start_frame = 1001;
    CHECK_OK(ctx, fr_export_usd(ctx, &source, &options, "exp.usda"));
    CHECK_INT(python("export_usda.py exp.usda 46", line, sizeof line), 0);
    char *text = load_text(ctx, "exp.usda");
    CHECK_HAS(text, "startTimeCode = 1001\n    endTimeCode = 1023.5\n");
    CHECK_HAS(text, "timeCodesPerSecond = 50\n");
    fr_free(ctx, text);
    fr_recording_close(rec);
    fr_context_destroy(ctx);
    unlink("exp.usda"), unlink("exp-usd.fracas");
}

// cube B cracks: the last mesh over all frames, and the mesh of each frame
TEST(usd_of_a_body_that_breaks) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrRecording *rec;
    FrFrameSource source;
    char line[4096];
    record_world(ctx, "exp-break.fracas");
    CHECK_OK(ctx, fr_recording_open(ctx, "exp-break.fracas", &rec));
    fr_recording_source(rec, &source);
    const FrPiece *piece;
    int32_t pieces;
    CHECK_OK(ctx, fr_recording_pieces(rec, 1, &piece, &pieces));
    CHECK(pieces > 1);
    for (int k = 0; k < 2; k++) {
        FrUsdOptions options = fr_usd_options_default();
        fr_recording_set_topology(rec, k ? FR_TOPOLOGY_FINAL : FR_TOPOLOGY_CHANGING);
        CHECK_OK(ctx, fr_export_usd(ctx, &source, &options, "exp-break.usda"));
        CHECK_INT(python("export_usda.py exp-break.usda 46", line, sizeof line), 0);
        char last[64];
        snprintf(last, sizeof last, " Mesh:cube_B_p%04d Sphere:ball", pieces - 1);
        CHECK_HAS(line, "Mesh:cube_B_p0000 Mesh:cube_B_p0001");
        CHECK_HAS(line, last);
        char *text = load_text(ctx, "exp-break.usda");
        CHECK_HAS(text, "_inside\"");
        CHECK((strstr(text, "faceVertexCounts.timeSamples") != NULL) == (k == 0));
        fr_free(ctx, text);
    }
    fr_recording_close(rec);
    fr_context_destroy(ctx);
    unlink("exp-break.usda"), unlink("exp-break.fracas");
}

// a cube that turns and breaks at frame 5 to a half that goes on and one that dies at frame 8
enum { RIGID_FRAMES = 12, RIGID_BREAKS = 5, RIGID_DIES = 8 };

typedef struct RigidScene {
    FrTetMesh mesh[3];
    FrSurface surface[3];
    FrBodyView body[3];
    FrBodyFrame frame[3];
    FrFrameView view;
    double p[3 * 27], v[3 * 27];
} RigidScene;

static FrResult rigid_get(void *user, int32_t k, const FrFrameView **view) {
    RigidScene *s = user;
    double t = k / 24.0;
    for (int b = 0; b < 3; b++) {
        FrVec3 spin = fr_vec3(0.3 + b, 2, -1);
        s->frame[b] = (FrBodyFrame){.p = s->p, // of another body, and of no use
                                    .v = s->v,
                                    .position = fr_vec3(t, 0.1 * b, 1 - t * t),
                                    .rotation = fr_quat_from_rotation(fr_scale(t, spin)),
                                    .alive = b ? k >= RIGID_BREAKS : k < RIGID_BREAKS};
    }
    s->frame[2].alive &= k < RIGID_DIES;
    s->view.t = t;
    *view = &s->view;
    return FR_OK;
}

static void make_rigid_scene(FrContext *ctx, RigidScene *s) {
    static const char *const name[] = {"cup", "cup.1", "camera"};
    *s = (RigidScene){.view = {.body_count = 3}};
    for (int b = 0; b < 3; b++) {
        make_cube(ctx, 1 + b % 2, b ? 0.05 : 0.1, &s->mesh[b]);
        CHECK_OK(ctx, fr_mesh_code_surface(ctx, &s->mesh[b], &s->surface[b]));
        s->body[b] = (FrBodyView){.name = name[b],
                                  .kind = FR_BODY_TETS,
                                  .rigid = true,
                                  .parent = {b ? 1 : 0},
                                  .mesh = &s->mesh[b],
                                  .surface = &s->surface[b],
                                  .material = test_material(b == 1 ? "bone china" : "porcelain")};
    }
    s->body[1].material.roughness = 0.5f;
    s->view.body = s->body;
    s->view.frame = s->frame;
}

// where the corner farthest from the origin of each mesh is, frame by frame, for export_usda.py
static void write_places(RigidScene *s, FrUsdPreset preset, const char *path) {
    static const char *const name[] = {"cup", "cup_1", "camera"};
    FILE *file = fopen(path, "wb");
    for (int32_t k = 0; k < RIGID_FRAMES; k++) {
        const FrFrameView *view;
        (void)rigid_get(s, k, &view);
        for (int b = 0; b < 3; b++) {
            if (!s->frame[b].alive) continue;
            FrVec3 x = fr_get3(s->mesh[b].x, s->mesh[b].node_count - 1);
            x = fr_add(s->frame[b].position, fr_quat_rotate(s->frame[b].rotation, x));
            if (preset == FR_USD_HOUDINI) x = fr_vec3(x.x, x.z, -x.y);
            if (preset == FR_USD_UNREAL) x = fr_scale(100, x);
            fprintf(file, "%s %d %.12g %.12g %.12g\n", name[b], k + 1, x.x, x.y, x.z);
        }
    }
    fclose(file);
}

static void free_rigid_scene(FrContext *ctx, RigidScene *s) {
    for (int b = 0; b < 3; b++) {
        fr_mesh_code_surface_free(ctx, &s->surface[b]);
        fr_free(ctx, s->mesh[b].x);
        fr_free(ctx, s->mesh[b].tet);
    }
}

// what is rigid has one mesh that a pose moves; pieces come and go by visibility; a camera looks
// along its own -z; looks are called after materials
TEST(usd_of_rigid_bodies) {
    FrContext *ctx = make_unsynced_context(NULL);
    RigidScene s;
    FrUsdView view[RIGID_FRAMES];
    char line[512];
    make_rigid_scene(ctx, &s);
    FrFrameSource source = {&s, RIGID_FRAMES, 24, rigid_get};
    for (int32_t k = 0; k < RIGID_FRAMES; k++)
        view[k] = (FrUsdView){{1 + k, -4, 1}, {1 + k, 0, 1}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        FrUsdOptions options = fr_usd_options_default();
        options.preset = (FrUsdPreset)k;
        options.view = view, options.fov = 0.5, options.aspect = 1.5, options.sun.z = 1;
        write_places(&s, options.preset, "exp-places.txt");
        CHECK_OK(ctx, fr_export_usd(ctx, &source, &options, "exp-rigid.usda"));
        CHECK_INT(python("export_usda.py exp-rigid.usda 12 exp-places.txt", line, sizeof line), 0);
        CHECK_HAS(line, "Mesh:cup Mesh:cup_1 Mesh:camera Camera:camera__2 DistantLight:sun "
                        "DomeLight:sky");
        char *text = load_text(ctx, "exp-rigid.usda");
        CHECK_HAS(text, "def Material \"porcelain\"");
        CHECK_HAS(text, "</World/Looks/bone_china>");
        CHECK_HAS(text, "token visibility.timeSamples = {\n            1: \"invisible\",\n"
                        "            6: \"inherited\",\n            9: \"invisible\",\n");
        CHECK_HAS(text, "custom string fracas:parent = \"cup\"");
        // looks along +y: a quarter turn about x where z is up, none where y is
        CHECK_HAS(text, k == FR_USD_HOUDINI
                            ? "quatf xformOp:orient = (1, 0, 0, 0)"
                            : "quatf xformOp:orient = (0.70710677, 0.70710677, 0, 0)");
        CHECK_HAS(text, "focalLength = 39.652"); // 10.125 / tan(0.25)
        fr_free(ctx, text);
    }
    free_rigid_scene(ctx, &s);
    fr_context_destroy(ctx);
    unlink("exp-rigid.usda"), unlink("exp-places.txt");
}

TEST(tables_report_and_page) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrEventLog log;
    FrEvent hit = {.t = 0.1, .kind = FR_EVENT_IMPACT, .a = {1}};
    hit.u.impact.impulse = fr_vec3(0, 3, 4);
    hit.u.impact.area = 0.1 + 0.2;
    fr_event_log_init(&log, ctx);
    CHECK_OK(ctx, fr_event_log_put(&log, &hit));
    const char *names[] = {"bowl, \"red\" <b>"};
    CHECK_OK(ctx, fr_export_events_csv(ctx, &log, names, 1, "exp.csv"));
    char *text = load_text(ctx, "exp.csv");
    CHECK_HAS(text, "\n0,0.1,impact,0,,\"bowl, \"\"red\"\" <b>\",,,,0,0,0,0,3,4,0,0,0,,,"
                    "0.30000000000000004,,,\n");
    fr_free(ctx, text);
    FrEnergyRow rows[3] = {
        {0, 1, 2, 0, 0, 0, 0, 0, 0}, {10, 2, 1, 0, 0.5, 0, 0, -1, 0}, {20, .kinetic = 3}};
    FrReportStage stages[] = {{"simulate", 1.5}};
    FrReport report = {.scene_hash = 0xab,
                       .seed = 7,
                       .sim_seconds = 0.1,
                       .energy = rows[1],
                       .stage = stages,
                       .stage_count = 1};
    CHECK_OK(ctx, fr_export_report(ctx, &report, "exp.json"));
    text = load_text(ctx, "exp.json");
    CHECK_HAS(text, "\"scene_hash\": \"00000000000000ab\"");
    const char *fields[] = {"state_hash", "seed",           "sim_seconds", "steps",      "bodies",
                            "pieces",     "nodes_start",    "nodes_end",   "tets_start", "tets_end",
                            "energy",     "momentum_drift", "timing"};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) CHECK_HAS(text, fields[k]);
    fr_free(ctx, text);
    CHECK_INT(
        system("python3 -c 'import json; d = json.load(open(\"exp.json\")); "
               "assert d[\"timing\"][\"simulate\"] == 1.5 and d[\"energy\"][\"damping\"] == 0.5'"),
        0);
    FrPagePair pairs[] = {{"fall", "60 cm"}};
    FrPage page = {.title = "a <script> & b",
                   .film = "preview.mp4",
                   .poster = "poster.png",
                   .sheet = "sheet.png",
                   .command = "fracas run x.lua",
                   .parameter = pairs,
                   .parameter_count = 1,
                   .events = &log,
                   .body_name = names,
                   .body_name_count = 1,
                   .energy = rows,
                   .energy_count = 3,
                   .tick_seconds = 1e-3,
                   .file = pairs,
                   .file_count = 1};
    CHECK_OK(ctx, fr_export_page(ctx, &page, "exp.html"));
    text = load_text(ctx, "exp.html");
    CHECK_HAS(text, "a &lt;script&gt; &amp; b");
    CHECK_HAS(text, "bowl, &quot;red&quot; &lt;b&gt;");
    CHECK_HAS(text, "poster=\"poster.png\" src=\"preview.mp4\"");
    CHECK_HAS(text, "<polyline");
    CHECK(!strstr(text, "http") && !strstr(text, "nan") && !strstr(text, "inf,"));
    fr_free(ctx, text);
    fr_event_log_free(&log);
    fr_context_destroy(ctx);
    unlink("exp.csv"), unlink("exp.json"), unlink("exp.html");
}

// more cracks than a page lists: the largest are shown, and it says so; births do not get lost
TEST(a_page_of_many_cracks) {
    FrContext *ctx = make_unsynced_context(NULL);
    FrEventLog log;
    fr_event_log_init(&log, ctx);
    for (int k = 0; k < 300; k++) {
        FrEvent crack = {.seq = (uint64_t)k, .t = 1e-3 * k, .kind = FR_EVENT_CRACK, .a = {1}};
        crack.u.crack.area = k + 1;
        CHECK_OK(ctx, fr_event_log_put(&log, &crack));
    }
    for (int k = 0; k < 3; k++) {
        FrEvent birth = {
            .seq = 300 + (uint64_t)k, .t = 0.3 + k, .kind = FR_EVENT_PIECE, .a = {1}, .piece = k};
        CHECK_OK(ctx, fr_event_log_put(&log, &birth));
    }
    CHECK_INT(fr_pieces_by(&log, 2, 0.2), 2);
    CHECK_INT(fr_pieces_by(&log, 2, 1.3), 4);
    CHECK_INT(fr_pieces_by(&log, 2, 9.0), 5);
    FrCrackSum sum = fr_crack_sum(&log);
    CHECK_INT(sum.count, 300);
    CHECK(sum.area == 300 * 301 / 2 && sum.first == 0.0 && sum.last == 0.299);
    FrPieceRow piece[2] = {{.name = "bowl_p0000", .parent = -1, .born_mass = (double)NAN},
                           {.name = "bowl_p0001", .piece = 1, .born = 0.25, .mass = 0.5}};
    piece[0].gone = piece[1].gone = (double)NAN;
    FrPage page = {.title = "many", .events = &log, .piece = piece, .piece_count = 2};
    CHECK_OK(ctx, fr_export_page(ctx, &page, "exp-many.html"));
    char *text = load_text(ctx, "exp-many.html");
    CHECK_HAS(text, "300 between 0 s and 0.299 s, 4.515e+04 m&sup2; in all");
    CHECK_HAS(text, "the 100 largest here, all are in events.csv");
    CHECK_HAS(text, "<td>300</td>");
    CHECK_HAS(text, "<td>201</td>");
    CHECK(!strstr(text, "<td>200</td>") && !strstr(text, "nan"));
    CHECK_HAS(text, "<td>bowl_p0001</td><td>0</td><td>0.25</td>");
    fr_free(ctx, text);
    fr_event_log_free(&log);
    fr_context_destroy(ctx);
    unlink("exp-many.html");
}

TEST(numbers_are_short_and_exact) {
    char text[FR_NUMBER_TEXT];
    double back;
    fr_number_text(0.1, text);
    CHECK_TEXT(text, "0.1");
    fr_number_text(1.0 / 3, text);
    CHECK_TEXT(text, "0.3333333333333333");
    fr_number_text((double)NAN, text);
    CHECK_TEXT(text, "null");
    FrRandom random = fr_random_for(2, "numbers", 0);
    for (int k = 0; k < 20000; k++) {
        uint64_t bits = (uint64_t)fr_random_u32(&random) << 32 | fr_random_u32(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        fr_number_text(value, text);
        CHECK(fr_number_read(text, strlen(text), &back) && back == value);
    }
    CHECK(!fr_number_read("1x", 2, &back) && !fr_number_read("", 0, &back));
    CHECK(!fr_number_read("nan", 3, &back) && !fr_number_read("1e999", 5, &back));
    FrContext *ctx = make_unsynced_context(NULL);
    FrWriter out;
    FrJson json;
    fr_writer_init(&out, ctx);
    fr_json_begin(&json, &out, false);
    fr_json_array(&json, NULL);
    fr_json_text(&json, NULL, "a\"\\\n\xff\xc3\xa9");
    fr_json_end(&json);
    fr_write_u8(&out, 0);
    CHECK_TEXT((char *)out.data, "[\"a\\\"\\\\\\u000a\\ufffd\xc3\xa9\"]");
    fr_writer_free(&out);
    fr_context_destroy(ctx);
}

// what a failing export leaves behind: the old file or the new one, and no scraps
typedef struct FailAt {
    int calls, at;
} FailAt;
static long failing_write(void *user, int fd, const void *bytes, size_t size) {
    FailAt *f = user;
    return ++f->calls == f->at ? (errno = ENOSPC, -1) : write(fd, bytes, size);
}
static int failing_sync(void *user, int fd) {
    FailAt *f = user;
    (void)fd;
    return ++f->calls == f->at ? (errno = EIO, -1) : 0;
}
static int failing_rename(void *user, const char *from, const char *to) {
    FailAt *f = user;
    return ++f->calls == f->at ? (errno = EIO, -1) : rename(from, to);
}

static int count_files(const char *folder) {
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) count += e->d_name[0] != '.';
    if (dir) closedir(dir);
    return count;
}

TEST(each_write_may_fail) {
    FrContext *plain = make_unsynced_context(NULL);
    CHECK_OK(plain, fr_make_folders(plain, "exp-fail"));
    record_world(plain, "exp-fail/in.fracas");
    int failed = 0;
    for (int at = 1;; at += at < 12 ? 1 : 17) {
        FailAt fail = {0, at};
        FrContextDef def = fr_context_def_default();
        def.tasks.workers = 1;
        def.files = (FrFileCalls){failing_write, failing_sync, failing_rename, &fail};
        FrContext *ctx = fr_context_create(&def);
        FrRecording *rec;
        FrFrameSource source;
        FrUsdOptions options = fr_usd_options_default();
        CHECK_OK(ctx, fr_recording_open(ctx, "exp-fail/in.fracas", &rec));
        fr_recording_source(rec, &source);
        CHECK_OK(plain, fr_file_save(plain, "exp-fail/out.usda", "old", 3));
        FrResult result = fr_export_usd(ctx, &source, &options, "exp-fail/out.usda");
        CHECK(result == FR_OK || result == FR_IO);
        char *text = load_text(plain, "exp-fail/out.usda");
        CHECK((result == FR_OK) == (strlen(text) > 1000));
        if (result != FR_OK) CHECK_TEXT(text, "old");
        fr_free(plain, text);
        CHECK_INT(count_files("exp-fail"), 2);
        fr_recording_close(rec);
        fr_context_destroy(ctx);
        if (result == FR_OK) break;
        failed++;
    }
    CHECK(failed > 10);
    fr_context_destroy(plain);
    CHECK_INT(system("rm -r exp-fail"), 0);
}

static FrResult export_all(FrContext *ctx) {
    FrRecording *rec;
    FrFrameSource source;
    FrUsdOptions options = fr_usd_options_default();
    FrEventLog log;
    FR_TRY(fr_recording_open(ctx, "exp-alloc/in.fracas", &rec));
    fr_event_log_init(&log, ctx);
    fr_recording_source(rec, &source);
    source.frame_count = 5; // the first crack is at frame 3 of those that follow
    FrResult result = fr_export_usd(ctx, &source, &options, "exp-alloc/out.usda");
    if (result == FR_OK) result = fr_export_pvd(ctx, &source, "exp-alloc/out.pvd");
    if (result == FR_OK) result = fr_recording_events(rec, &log);
    if (result == FR_OK) result = fr_export_events_csv(ctx, &log, NULL, 0, "exp-alloc/out.csv");
    FrPage page = {.title = "t", .events = &log};
    if (result == FR_OK) result = fr_export_page(ctx, &page, "exp-alloc/out.html");
    fr_event_log_free(&log);
    fr_recording_close(rec);
    return result;
}

TEST(each_allocation_may_fail) {
    FrContext *plain = make_unsynced_context(NULL);
    CHECK_OK(plain, fr_make_folders(plain, "exp-alloc"));
    record_world(plain, "exp-alloc/in.fracas");
    int tried = 0;
    // until no allocation is left to refuse; some refusals do no harm
    for (bool more = true; more; tried++) {
        FrResult result = FR_NO_MEMORY;
        Refuser refuser = {.refuse_at = tried + 1};
        FrContext *ctx = make_unsynced_context(&refuser);
        if (ctx) result = export_all(ctx);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        more = refuser.calls >= refuser.refuse_at;
    }
    CHECK(tried > 100);
    printf("  %d refusals\n", tried);
    fr_context_destroy(plain);
    CHECK_INT(system("rm -r exp-alloc"), 0);
}
