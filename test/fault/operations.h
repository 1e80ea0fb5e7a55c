// operations.h: what the studio and the world can do, as operations on files of a scratch folder,
// for tests that make parts of them fail.
#pragma once
#include "base/file.h"
#include "base/hash.h"
#include "checkpoint.h"
#include "context.h"
#include "fracas/studio.h"
#include "fracas/world.h"
#include "mesh/structured.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static FrContext *new_context(Refuser *refuser, const FrFileCalls *files) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1; // the k-th allocation is the same one each time
    def.files.sync = no_sync;
    if (refuser) def.allocator = (FrAllocator){refusing_resize, refuser};
    if (files) def.files = *files;
    return fr_context_create(&def);
}

/// The scratch folder: all of it in memory where that can be had.
static char place[64];

static const char *at(const char *name) {
    static char path[8][640];
    static int turn;
    char *to = path[turn++ % 8];
    snprintf(to, sizeof path[0], "%s/%s", place, name);
    return to;
}

static void put_text(const char *name, const char *text) {
    FILE *file = fopen(at(name), "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

/// What a file holds; 0: there is none.
static uint64_t file_hash(const char *name) {
    FILE *file = fopen(at(name), "rb");
    if (!file) return 0;
    FrHash hash;
    uint8_t bytes[65536];
    fr_hash_begin(&hash, 1);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) fr_hash_bytes(&hash, bytes, n);
    fclose(file);
    return fr_hash_end(&hash) | 1;
}

static void copy_file(const char *from, const char *to) {
    FILE *in = fopen(at(from), "rb"), *out = fopen(at(to), "wb");
    uint8_t bytes[65536];
    CHECK(in && out);
    if (in && out)
        for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;) fwrite(bytes, 1, n, out);
    if (in) fclose(in);
    if (out) fclose(out);
}

typedef void EachFile(const char *name, void *arg);
/// Files of a folder below the scratch folder; none when it is not there.
static void each_file(const char *folder, EachFile *fn, void *arg) {
    DIR *dir = opendir(at(folder));
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char name[512];
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        struct stat info;
        if (stat(at(name), &info) == 0 && S_ISREG(info.st_mode)) fn(name, arg);
    }
    closedir(dir);
}
static void remove_one(const char *name, void *arg) {
    (void)arg;
    unlink(at(name));
}
static void clear_folder(const char *folder) {
    each_file(folder, remove_one, NULL);
    rmdir(at(folder));
}
static void find_piece(const char *name, void *arg) {
    if (strstr(name, ".part") || strstr(name, ".new") || strstr(name, ".scratch")) (*(int *)arg)++;
}
/// Temporary files that were left behind.
static int pieces_left(const char *folder) {
    int count = 0;
    each_file(folder, find_piece, &count);
    return count;
}
static void add_hash(const char *name, void *arg) {
    *(uint64_t *)arg += file_hash(name) * 31 + strlen(name);
}
static uint64_t folder_hash(const char *folder) {
    uint64_t sum = 0;
    each_file(folder, add_hash, &sum);
    return sum;
}

static const char tiny_scene[] =
    "local fall = param('fall', 0.1*cm, {min = 0, max = 1})\n"
    "scene { step = { safety = 0.9 }, duration = 12*ms, fps = 250, seed = 3 } ground { }\n"
    "local soft = material { 'soft', base = 'jelly', density = 900 }\n"
    "body { name = 'cube', material = soft, shape = box { 10*cm, 10*cm, 10*cm }, mesher = "
    "'structured',\n"
    "  cells = 10*cm, skin = 'none', at = {0, 0, 4.8*cm + fall}, velocity = {0, 0, -2} }\n"
    "local b = body { name = 'log', material = 'jelly', shape = cylinder { radius = 5*cm, height = "
    "10*cm },\n"
    "  cells = 10*cm, skin = 'shape', at = {30*cm, 0, 20*cm} }\n"
    "fix { b, where = above { z = 3*cm } }\n"
    "sphere { 3*cm, name = 'marble', material = soft, at = {0, 1*cm, 16*cm} }\n";

static const char tiny_surface[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// `until` 0: to the end.
static FrResult run_until(FrContext *ctx, const char *folder, double until) {
    FrText text;
    char out[640];
    snprintf(out, sizeof out, "%s", at(folder));
    FrRunDef options = fr_run_def_default();
    options.scene = at("tiny.lua");
    options.out = out;
    options.detail = FR_DETAIL_NORMAL;
    options.no_film = true;
    if (until > 0.0) options.until = until;
    FrResult result = fr_job_run(ctx, &options, false, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult run_into(FrContext *ctx, const char *folder) { return run_until(ctx, folder, 0.0); }
static FrResult do_run(FrContext *ctx) { return run_into(ctx, "run"); }
static FrResult do_resume(FrContext *ctx) { return run_into(ctx, "resume"); }
static FrResult do_extend(FrContext *ctx) { return run_into(ctx, "extend"); }

static FrResult do_mesh(FrContext *ctx) {
    FrText text;
    FrMeshDef options = fr_mesh_def_default();
    options.input = at("tiny.obj");
    options.output = at("out/tiny.msh");
    options.size = 0.3;
    FrResult result = fr_job_mesh(ctx, &options, true, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult do_check(FrContext *ctx) {
    FrText text;
    FrRunDef options = fr_run_def_default();
    options.scene = at("tiny.lua");
    FrResult result = fr_job_check(ctx, &options, true, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult do_scene(FrContext *ctx) {
    FrText text;
    const char *set = "fall=3cm";
    FrRunDef options = fr_run_def_default();
    options.scene = at("tiny.lua");
    options.set = &set;
    options.set_count = 1;
    FrResult result = fr_job_scene(ctx, &options, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult do_info(FrContext *ctx) {
    FrText text;
    FrResult result = fr_job_info(ctx, at("truth/run.fracas"), true, &text);
    fr_text_free(ctx, &text);
    if (result == FR_OK) result = fr_job_info(ctx, at("tiny.obj"), false, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult export_to(FrContext *ctx, const char *name) {
    FrText text;
    FrExportDef job = fr_export_def_default();
    job.recording = at("truth/run.fracas"), job.output = at(name);
    FrResult result = fr_job_export(ctx, &job, false, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult do_usda(FrContext *ctx) { return export_to(ctx, "out/tiny.usda"); }
static FrResult do_pvd(FrContext *ctx) { return export_to(ctx, "out/tiny.pvd"); }

static FrResult do_materials(FrContext *ctx) {
    FrText text;
    FrResult result = fr_job_materials(ctx, NULL, true, &text);
    fr_text_free(ctx, &text);
    if (result == FR_OK) result = fr_job_materials(ctx, "oak", false, &text);
    fr_text_free(ctx, &text);
    if (result == FR_OK) result = fr_job_language(ctx, FR_LANGUAGE_MARKDOWN, &text);
    fr_text_free(ctx, &text);
    return result;
}
static FrResult do_render(FrContext *ctx) {
    FrText text;
    FrRenderDef job = fr_render_def_default();
    job.recording = at("truth/run.fracas"), job.output = at("out/tiny.png");
    job.frame = 0, job.width = 64, job.height = 36;
    FrResult result = fr_job_render(ctx, &job, false, &text);
    fr_text_free(ctx, &text);
    return result;
}

// over two runs that are there: they are read again, the table and the sheet are made anew
static FrResult do_sweep(FrContext *ctx) {
    FrText text;
    static const char *const fall[] = {"1mm", "2mm"};
    FrVaryDef vary = fr_vary_def_default();
    vary.param = "fall", vary.value = fall, vary.value_count = 2;
    char out[640];
    snprintf(out, sizeof out, "%s", at("sweep"));
    FrSweepDef job = fr_sweep_def_default();
    job.run.scene = at("tiny.lua"), job.run.out = out, job.run.detail = FR_DETAIL_DRAFT;
    job.vary = &vary, job.vary_count = 1;
    FrResult result = fr_job_sweep(ctx, &job, true, &text);
    fr_text_free(ctx, &text);
    return result;
}

// two boxes on a plane, some steps, saved, and loaded into a second world
static FrResult fill_world(FrContext *ctx, FrWorld *world, const FrTetMesh *mesh,
                           const FrMaterial *material) {
    FR_TRY(fr_world_add_plane(world, "ground", (FrVec3){0, 0, 1}, 0.0, material));
    for (int k = 0; k < 2; k++) {
        FrBodyDef def = fr_body_def_default();
        FrBodyId id;
        def.name = "box";
        def.mesh = mesh;
        def.material = material;
        def.material_count = 1;
        def.position = (FrVec3){0.01 * k, 0, 0.049 + 0.1 * k};
        FR_TRY(fr_body_create(world, &def, &id));
        FrLoadDef load = fr_load_def_default();
        load.kind = FR_LOAD_PRESSURE;
        load.body = id;
        load.pressure = 10.0;
        FR_TRY(fr_load_create(world, &load, NULL));
    }
    (void)ctx;
    return FR_OK;
}
static bool same_state(const FrWorld *a, const FrWorld *b) {
    uint64_t x = checkpoint_hash(a), y = checkpoint_hash(b);
    return x == y || !x || !y; // 0: no memory for it
}
static FrResult step_and_copy(FrWorld *world, FrWorld *other, FrContext *ctx) {
    uint8_t *bytes;
    size_t size;
    for (int k = 0; k < 3; k++) FR_TRY(fr_world_step(world));
    if (!fr_world_view(world)) return fr_no_memory(ctx, "a view");
    FR_TRY(fr_world_save(world, &bytes, &size));
    FrResult result = fr_world_load(other, bytes, size);
    fr_world_free_bytes(ctx, bytes);
    FR_TRY(result);
    CHECK(same_state(world, other));
    FR_TRY(fr_world_step(world));
    FR_TRY(fr_world_step(other));
    CHECK(same_state(world, other));
    return FR_OK;
}
static FrResult do_world(FrContext *ctx) {
    FrTetMesh mesh = {0};
    FrMaterial material = {
        .name = "test", .density = 1000.0, .friction_static = 0.5, .friction_dynamic = 0.4};
    FrWorldDef def = fr_world_def_default();
    FrWorld *world = NULL, *other = NULL;
    material.lambda = material.mu = 1e5;
    material.opacity = 1.0f;
    FrResult result = fr_mesh_box_cells(ctx, (FrBox){{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}},
                                        (int32_t[3]){1, 1, 1}, &mesh);
    if (result == FR_OK) result = fr_world_create(ctx, &def, &world);
    if (result == FR_OK) result = fr_world_create(ctx, &def, &other);
    if (result == FR_OK) result = fill_world(ctx, world, &mesh, &material);
    if (result == FR_OK) result = fill_world(ctx, other, &mesh, &material);
    if (result == FR_OK) result = step_and_copy(world, other, ctx);
    fr_world_destroy(world);
    fr_world_destroy(other);
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

/// One thing that can be done.
typedef struct Operation {
    const char *name;
    FrResult (*call)(FrContext *ctx);
    const char *output; ///< file that is the old one or the new one afterwards; NULL: none
    uint64_t truth;     ///< what `output` comes to when nothing fails
    uint64_t all;       ///< and its folder
    long share;         ///< how much of the time there is it would take: see next_trial
} Operation;

static Operation operations[] = {
    {"run", do_run, "run/run.fracas", 0, 0, 8},
    {"resume", do_resume, "resume/run.fracas", 0, 0, 16},
    {"extend", do_extend, "extend/run.fracas", 0, 0, 16},
    {"mesh", do_mesh, "out/tiny.msh", 0, 0, 2},
    {"check", do_check, NULL, 0, 0, 4},
    {"scene", do_scene, NULL, 0, 0, 4},
    {"info", do_info, NULL, 0, 0, 2},
    {"export usda", do_usda, "out/tiny.usda", 0, 0, 2},
    {"export pvd", do_pvd, "out/tiny.pvd", 0, 0, 2},
    {"materials", do_materials, NULL, 0, 0, 2},
    {"render", do_render, "out/tiny.png", 0, 0, 16},
    {"sweep", do_sweep, NULL, 0, 0, 16},
    {"world", do_world, NULL, 0, 0, 2},
};
#define OPERATION_COUNT ((int)(sizeof operations / sizeof operations[0]))

// what the operation finds: no run yet, a stopped one, a shorter one, or an old file in the way
static void set_stage(const Operation *op) {
    clear_folder("run");
    if (op->call == do_resume) copy_file("stopped.fracas", "resume/run.fracas");
    if (op->call == do_extend) copy_file("shorter.fracas", "extend/run.fracas");
    if (!op->output || strncmp(op->output, "out/", 4)) return;
    clear_folder("out");
    mkdir(at("out"), 0777);
    put_text(op->output, "old\n");
}

static void stop_half_way(void *user, const char *stage, double done, double total) {
    if (!strcmp(stage, "simulate") && done > 0.5 * total) fr_context_cancel(*(FrContext **)user);
}

static void make_stopped_run(void) {
    FrContextDef def = fr_context_def_default();
    FrContext *ctx = NULL;
    def.tasks.workers = 1;
    def.progress = stop_half_way;
    def.user = &ctx;
    ctx = fr_context_create(&def);
    CHECK_INT(run_into(ctx, "resume"), FR_INTERRUPTED);
    copy_file("resume/run.fracas", "stopped.fracas");
    fr_context_destroy(ctx);
}

static void make_shorter_run(void) {
    FrContext *ctx = new_context(NULL, NULL);
    CHECK_OK(ctx, run_until(ctx, "extend", 0.01));
    copy_file("extend/run.fracas", "shorter.fracas");
    fr_context_destroy(ctx);
}

/// Everything the operations need, and what they make when nothing fails. False: no place for it.
static bool set_up(void) {
    if (place[0]) return true;
    snprintf(place, sizeof place, "%s/fracas-fault-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(place)) return false;
    put_text("tiny.lua", tiny_scene);
    put_text("tiny.obj", tiny_surface);
    FrContext *ctx = new_context(NULL, NULL);
    CHECK_OK(ctx, run_into(ctx, "truth"));
    make_stopped_run();
    make_shorter_run();
    for (int k = 0; k < OPERATION_COUNT; k++) {
        Operation *op = &operations[k];
        set_stage(op);
        FrResult result = op->call(ctx);
        if (result != FR_OK && op->call == do_render) {
            printf("  nothing is drawn here: %s\n", fr_context_message(ctx));
            op->call = NULL;
            continue;
        }
        if (result != FR_OK)
            TEST_FAIL("%s: %d, %s", op->name, (int)result, fr_context_message(ctx));
        if (op->output) op->truth = file_hash(op->output);
        op->all = folder_hash("out");
    }
    for (int k = 0; k < 3; k++) CHECK(operations[k].truth == file_hash("truth/run.fracas"));
    fr_context_destroy(ctx);
    return true;
}

static void tear_down(void) {
    const char *folders[] = {"run",   "resume",         "extend",         "out",
                             "truth", "sweep/fall=1mm", "sweep/fall=2mm", "sweep"};
    for (int k = 0; k < 8; k++) clear_folder(folders[k]);
    clear_folder(".");
    rmdir(place);
    place[0] = 0;
}

/// Old or new: run, resume and extend are gone on with to the right end; other outputs are one or
/// the other, whole.
static void check_output(const Operation *op, FrResult result, long k) {
    if (!op->output) return;
    bool recording = op->call == do_run || op->call == do_resume || op->call == do_extend;
    const char *folder = recording ? op->name : "out";
    int pieces = pieces_left(folder);
    if (pieces) TEST_FAIL("%s, failure %ld: %d temporary files are left", op->name, k, pieces);
    if (recording) {
        FrContext *ctx = new_context(NULL, NULL);
        FrText text = {NULL, 0};
        if (file_hash(op->output)) CHECK_OK(ctx, fr_job_info(ctx, at(op->output), false, &text));
        fr_text_free(ctx, &text);
        CHECK_OK(ctx, op->call(ctx));
        fr_context_destroy(ctx);
    }
    uint64_t found = file_hash(op->output);
    set_stage(op);
    uint64_t old = recording ? 0 : file_hash(op->output);
    if (found != op->truth && (recording || result == FR_OK || found != old))
        TEST_FAIL("%s, failure %ld: result %d, and %s is neither old nor new", op->name, k,
                  (int)result, op->output);
}
