// verbs.c: the table of verbs: thin bridges from command lines to jobs.

#include "verbs.h"
#include <string.h>

const char *const detail_choices[] = {"draft", "normal", "fine", NULL};
static const char *const order_choices[] = {"1", "2", NULL};
static const char *const show_choices[] = {"surface",    "stress", "tets",  "cracks",
                                           "separation", "pieces", "speed", "heat",
                                           "rest",       "wire",   NULL};

static const Option run_options[] = {
    {"-o", OPTION_TEXT, AT(run, options.out), "DIR", "where to write (out/<scene>)", NULL},
    RUN_OPTIONS(run, options, detail),
    LESS_OPTIONS(run, options),
};

static void run_prepare(VerbState *state) {
    state->u.run.options = fr_run_def_default();
    state->u.run.detail = (int32_t)state->u.run.options.detail;
}

static void fill_scene(VerbState *state, FrRunDef *options) {
    options->scene = state->line->word[0];
    options->set = state->line->set;
    options->set_count = state->line->set_count;
    options->has_seed = state->line->has_seed;
    options->seed = state->line->seed;
    options->command = state->command;
}

static FrResult run_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrRunDef *options = &state->u.run.options;
    fill_scene(state, options);
    options->detail = (FrDetail)state->u.run.detail;
    return fr_job_run(ctx, options, state->line->json, text);
}

const Verb verb_run = {
    .name = "run",
    .form = "SCENE [options]",
    .summary = "simulate a scene and film it; goes on where an earlier run was stopped",
    .examples = "  fracas run scenes/hello.lua\n"
                "  fracas run scenes/hello.lua --set fall=60cm --until 1.5\n"
                "  fracas run scenes/bunny.lua --dry-run\n",
    .options = run_options,
    .option_count = COUNT(run_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = run_prepare,
    .run = run_run,
};

static const Option sweep_options[] = {
    {"--vary", OPTION_VARY, 0, "NAME=A:B:C", "values of a param; several: all combinations", NULL},
    {"-o", OPTION_TEXT, AT(sweep, job.run.out), "DIR", "where to write (out/<scene>-sweep-<names>)",
     NULL},
    {"--frame", OPTION_INT, AT(sweep, job.frame), "K", "frame of the sheet (the last)", NULL},
    {"--time", OPTION_TIME, AT(sweep, job.time), "T", "or its time, s (or 300ms)", NULL},
    SHOW_OPTION(sweep),
    RUN_OPTIONS(sweep, job.run, detail),
};

static void sweep_prepare(VerbState *state) {
    state->u.sweep.job = fr_sweep_def_default();
    state->u.sweep.detail = (int32_t)state->u.sweep.job.run.detail;
}

static FrResult sweep_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrSweepDef *job = &state->u.sweep.job;
    fill_scene(state, &job->run);
    job->run.detail = (FrDetail)state->u.sweep.detail;
    job->show = (FrShow)state->u.sweep.show;
    job->vary = state->line->vary;
    job->vary_count = state->line->vary_count;
    return fr_job_sweep(ctx, job, state->line->json, text);
}

const Verb verb_sweep = {
    .name = "sweep",
    .form = "SCENE --vary NAME=A:B:C [--vary ...] [options]",
    .summary = "run a scene with several values of its params, side by side in a sheet and a table",
    .examples = "  fracas sweep scenes/bunny.lua --vary soft=50kPa:150kPa:500kPa\n"
                "  fracas sweep scenes/papers/wall.lua --vary mass=1:50 --until 0.1 --time 50ms\n",
    .options = sweep_options,
    .option_count = COUNT(sweep_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = sweep_prepare,
    .run = sweep_run,
};

static const Option mesh_options[] = {
    {"-o", OPTION_TEXT, AT(mesh, options.output), "FILE.msh|.node",
     "write the tet mesh (Gmsh, or TetGen with its .ele)", NULL},
    SHAPE_OPTIONS(mesh, options),
    {"--graded", OPTION_FLAG, AT(mesh, options.graded), NULL, "larger tets inside", NULL},
    {"--order", OPTION_CHOICE, AT(mesh, order), "1|2",
     "nodes of a tet: 4, or 10 with mid-nodes on the true shape (1)", order_choices},
};

static void mesh_prepare(VerbState *state) { state->u.mesh.options = fr_mesh_def_default(); }

static FrResult mesh_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrMeshDef *options = &state->u.mesh.options;
    options->input = state->line->word[0];
    options->set = state->line->set;
    options->set_count = state->line->set_count;
    options->order = state->u.mesh.order + 1;
    return fr_job_mesh(ctx, options, state->line->json, text);
}

const Verb verb_mesh = {
    .name = "mesh",
    .form = "SCENE|SURFACE|TETS [options]",
    .summary = "make tets from a surface (OBJ, PLY, STL) or a scene, and report their quality",
    .examples = "  fracas mesh assets/bunny.obj --size 8mm -o bunny.msh\n"
                "  fracas mesh part.stl --unit mm --up y --order 2 -o part.msh\n"
                "  fracas mesh scenes/hello.lua --json\n",
    .options = mesh_options,
    .option_count = COUNT(mesh_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = mesh_prepare,
    .run = mesh_run,
};

static const Option render_options[] = {
    {"-o", OPTION_TEXT, AT(render, job.output), "FILE.mp4|.png",
     "what to write (preview.mp4 beside the recording)", NULL},
    {"--frame", OPTION_INT, AT(render, job.frame), "K", "one frame as a picture", NULL},
    {"--time", OPTION_TIME, AT(render, job.time), "T", "or the one nearest to a time, s (or 300ms)",
     NULL},
    {"--sheet", OPTION_SIZE, AT(render, job.columns), "COLSxROWS", "a contact sheet", NULL},
    {"--strobe", OPTION_INT, AT(render, job.strobe), "N",
     "N moments in one picture, from first to last, with the paths of what moves", NULL},
    {"--size", OPTION_SIZE, AT(render, job.width), "WxH", "pixels (the scene's)", NULL},
    {"--camera", OPTION_PLACE, AT(render, camera), "X,Y,Z", "where it is seen from, m", NULL},
    {"--target", OPTION_TARGET, AT(render, target), "X,Y,Z|BODY",
     "what the camera points at, m, or the body that it follows, with its pieces", NULL},
    {"--fov", OPTION_NUMBER, AT(render, job.fov), "DEG", "how much it sees, vertically", NULL},
    {"--scene", OPTION_TEXT, AT(render, job.scene), "SCENE",
     "camera, size and slow motion as this scene has them", NULL},
    SET_OPTION,
    SHOW_OPTION(render),
    {"--burst", OPTION_FLAG, AT(render, job.burst), NULL,
     "the frames around what broke, slowly, instead of the ordinary ones", NULL},
};

static void render_prepare(VerbState *state) { state->u.render.job = fr_render_def_default(); }

static FrResult render_run(FrContext *ctx, VerbState *state, FrText *text) {
    state->u.render.job.recording = state->line->word[0];
    state->u.render.job.show = (FrShow)state->u.render.show;
    if (state->u.render.camera.given) state->u.render.job.camera = &state->u.render.camera.at;
    if (state->u.render.target.given) state->u.render.job.target = &state->u.render.target.at;
    state->u.render.job.target_body = state->u.render.target.name;
    state->u.render.job.set = state->line->set;
    state->u.render.job.set_count = state->line->set_count;
    return fr_job_render(ctx, &state->u.render.job, state->line->json, text);
}

const Verb verb_render = {
    .name = "render",
    .form = "RUN.fracas|FOLDER [options]",
    .summary = "draw a film, one frame or a contact sheet from a recording, also while it is still "
               "being made",
    .examples =
        "  fracas render out/hello/run.fracas -o hello.mp4\n"
        "  fracas render out/hello/run.fracas --frame 40 -o frame.png --show stress\n"
        "  fracas render out/hello/run.fracas --time 500ms -o half.png\n"
        "  fracas render out/hello/run.fracas --sheet 4x3 -o sheet.png\n"
        "  fracas render out/wall/run.fracas --frame 20 -o rest.png --show rest\n"
        "  fracas render out/bowl-rings/run.fracas --strobe 12 -o strobe.png\n"
        "  fracas render out/hello/run.fracas --camera 1,-3,0.5 --target 0,0,0.3 -o low.mp4\n"
        "  fracas render out/hello/run.fracas --target letter2 -o second.mp4\n",
    .options = render_options,
    .option_count = COUNT(render_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = render_prepare,
    .run = render_run,
};

// in the order of FrUsdPreset and FrTopology
static const char *const preset_choices[] = {"blender", "houdini", "unreal", NULL};
static const char *const topology_choices[] = {"changing", "final", NULL};

static const Option export_options[] = {
    {"-o", OPTION_TEXT, AT(export, job.output), "FILE.usda|.pvd|FOLDER/", "what to write", NULL},
    {"--fps", OPTION_NUMBER, AT(export, job.fps), "N", "time codes per second (the recording's)",
     NULL},
    {"--start-frame", OPTION_INT, AT(export, job.start_frame), "N", "number of the first frame (0)",
     NULL},
    {"--preset", OPTION_CHOICE, AT(export, preset), "blender|houdini|unreal",
     "what the other program expects (blender)", preset_choices},
    {"--topology", OPTION_CHOICE, AT(export, topology), "final|changing",
     "where bodies break: the last mesh over all frames (default), or that of each frame",
     topology_choices},
    {"--burst", OPTION_FLAG, AT(export, job.burst), NULL,
     "the frames around what broke, slowly, instead of the ordinary ones", NULL},
};

static void export_prepare(VerbState *state) {
    state->u.export.job = fr_export_def_default();
    state->u.export.topology = (int32_t)state->u.export.job.topology;
}

static FrResult export_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrExportDef *job = &state->u.export.job;
    job->recording = state->line->word[0];
    job->preset = (FrUsdPreset)state->u.export.preset;
    job->topology = (FrTopology)state->u.export.topology;
    return fr_job_export(ctx, job, state->line->json, text);
}

const Verb verb_export = {
    .name = "export",
    .form = "RUN.fracas|FOLDER -o FILE|FOLDER/ [options]",
    .summary = "write a recording as USD (.usda), for ParaView (.pvd), or an OBJ of each piece",
    .examples = "  fracas export out/hello/run.fracas -o hello.usda --preset blender\n"
                "  fracas export out/hello/run.fracas -o paraview/hello.pvd\n"
                "  fracas export out/bowl -o pieces/\n",
    .options = export_options,
    .option_count = COUNT(export_options),
    .min_words = 1,
    .max_words = 1,
    .prepare = export_prepare,
    .run = export_run,
};

static FrResult info_run(FrContext *ctx, VerbState *state, FrText *text) {
    return fr_job_info(ctx, state->line->word[0], state->line->json, text);
}

const Verb verb_info = {
    .name = "info",
    .form = "FILE|FOLDER",
    .summary = "what a recording, mesh, surface or scene holds",
    .examples = "  fracas info out/hello\n  fracas info assets/teapot.obj --json\n",
    .min_words = 1,
    .max_words = 1,
    .run = info_run,
};

static const Option events_options[] = {
    {"--csv", OPTION_FLAG, AT(events, csv), NULL, "all events as events.csv has them", NULL},
};

static FrResult events_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrEventsForm form = state->line->json     ? FR_EVENTS_JSON
                        : state->u.events.csv ? FR_EVENTS_CSV
                                              : FR_EVENTS_TABLE;
    return fr_job_events(ctx, state->line->word[0], form, text);
}

const Verb verb_events = {
    .name = "events",
    .form = "RUN.fracas|FOLDER [options]",
    .summary = "what broke: each crack (time, place, plane, strength, energy) and each piece",
    .examples = "  fracas events out/bowl\n"
                "  fracas events out/bowl/run.fracas --json > broke.json\n"
                "  fracas events out/bowl/run.fracas --csv | head\n",
    .options = events_options,
    .option_count = COUNT(events_options),
    .min_words = 1,
    .max_words = 1,
    .run = events_run,
};

// in the order of FrLanguageForm
static const char *const language_choices[] = {"md", "schema", "lua", NULL};

static const Option scene_options[] = {
    SET_OPTION,
    SEED_OPTION,
    {"--language", OPTION_CHOICE, AT(scene, language), "md|schema|lua",
     "the reference page, JSON Schema or completion file instead", language_choices},
};

static void scene_prepare(VerbState *state) { state->u.scene.language = -1; }

static FrResult scene_run(FrContext *ctx, VerbState *state, FrText *text) {
    int32_t language = state->u.scene.language;
    if (language >= 0) return fr_job_language(ctx, (FrLanguageForm)language, text);
    FrRunDef options = fr_run_def_default();
    fill_scene(state, &options);
    return fr_job_scene(ctx, &options, text);
}

const Verb verb_scene = {
    .name = "scene",
    .form = "SCENE --json",
    .summary = "print the resolved, complete form of a scene (JSON, can be run again), or the "
               "language itself",
    .examples = "  fracas scene scenes/hello.lua --json > hello.json\n"
                "  fracas scene --language schema > fracas-scene.schema.json\n",
    .options = scene_options,
    .option_count = COUNT(scene_options),
    .max_words = 1,
    .prepare = scene_prepare,
    .run = scene_run,
};

static FrResult check_run(FrContext *ctx, VerbState *state, FrText *text) {
    FrRunDef options = fr_run_def_default();
    fill_scene(state, &options);
    return fr_job_check(ctx, &options, state->line->json, text);
}

const Verb verb_check = {
    .name = "check",
    .form = "SCENE [--set NAME=VALUE]",
    .summary = "find the mistakes of a scene, say where, and suggest the word that was meant",
    .examples = "  fracas check scenes/hello.lua --set fall=60cm\n",
    .options = scene_options,
    .option_count = 2,
    .min_words = 1,
    .max_words = 1,
    .run = check_run,
};

static FrResult materials_run(FrContext *ctx, VerbState *state, FrText *text) {
    return fr_job_materials(ctx, state->line->word_count ? state->line->word[0] : NULL,
                            state->line->json, text);
}

const Verb verb_materials = {
    .name = "materials",
    .form = "[NAME]",
    .summary = "list the material library, or explain one with the source of each value",
    .examples = "  fracas materials\n  fracas materials glass\n",
    .max_words = 1,
    .run = materials_run,
};

static const Option bench_options[] = {
    {"--papers", OPTION_FLAG, AT(bench, papers), NULL,
     "all scenes whose times the papers print, from a folder (scenes/papers)", NULL},
    {"--film", OPTION_TEXT, AT(bench, job.film), "DIR",
     "of these: each once more with recording, pictures and film, into DIR", NULL},
    {"--until", OPTION_TIME, AT(bench, job.until), "T", "of each scene, s (or 300ms)", NULL},
    SET_OPTION,
};

static void bench_prepare(VerbState *state) { state->u.bench.job = fr_bench_def_default(); }

static FrResult bench_run(FrContext *ctx, VerbState *state, FrText *text) {
    const Line *line = state->line;
    FrBenchDef *job = &state->u.bench.job;
    if (state->u.bench.papers) {
        job->papers = line->word_count ? line->word[0] : "scenes/papers";
    } else {
        job->scene = line->word;
        job->scene_count = line->word_count;
        job->set = line->set;
        job->set_count = line->set_count;
    }
    return fr_job_bench(ctx, job, line->json, text);
}

const Verb verb_bench = {
    .name = "bench",
    .form = "[SCENE...]",
    .summary = "measure the kernels against limits measured in the same run, or scenes against the "
               "papers' times",
    .examples = "  fracas bench\n  fracas bench --json > bench.json\n"
                "  fracas bench scenes/papers/wall.lua --threads 2\n"
                "  fracas bench --papers --threads 2\n"
                "  fracas bench --papers --film out/papers\n",
    .options = bench_options,
    .option_count = COUNT(bench_options),
    .max_words = MAX_WORDS,
    .prepare = bench_prepare,
    .run = bench_run,
};
