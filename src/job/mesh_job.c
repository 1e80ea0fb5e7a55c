// mesh_job.c: `fracas mesh`: tets from a surface, a scene or a tet file, with a quality report.

#include "base/file.h"
#include "base/words.h"
#include "base/file_names.h"
#include "build/build.h"
#include "build/scene_load.h"
#include "export/mesh_report.h"
#include "export/report_text.h"
#include "export/surface_report.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include "mesh/meshfile.h"
#include "mesh/tetmesh.h"
#include <math.h>
#include <string.h>

/// What was meshed, whatever it came from.
typedef struct Meshes {
    FrContext *ctx;
    FrScene *scene; ///< NULL: a single file
    FrBuilt built;
    bool has_surface; ///< a single surface file
    FrSurfaceNumbers surface;
} Meshes;

// a lone file is a scene of one body
static FrResult mesh_file(Meshes *m, const FrMeshDef *options, FrFileKind kind) {
    FrSceneFile file = {options->input, options->unit,
                        options->up_y ? FR_SCENE_UP_Y : FR_SCENE_UP_Z};
    FrSceneBody body = {
        .name = options->input, .graded = options->graded, .skin = FR_SCENE_SKIN_NONE};
    if (!isnan(options->size)) body.cells = options->size;
    body.shape.kind = kind == FR_FILE_TETS ? FR_SCENE_MESH : FR_SCENE_SURFACE;
    body.shape.file = &file;
    m->built = (FrBuilt){.ctx = m->ctx, .mesh = FR_NEW(m->ctx, FrBuiltMesh, 1)};
    fr_problems_init(&m->built.problems, m->ctx);
    if (!m->built.mesh) return fr_no_memory(m->ctx, "a mesh");
    m->built.mesh_count = 1;
    m->has_surface = kind == FR_FILE_SURFACE;
    fr_log_mute(m->ctx, true); // it is read once more for its tets
    FrResult result =
        m->has_surface ? fr_surface_numbers(m->ctx, options->input, &m->surface) : FR_OK;
    fr_log_mute(m->ctx, false);
    FR_TRY(result);
    FrBuildOptions whole = {.coarseness = 1.0};
    fr_log_about(m->ctx, options->input);
    result = fr_build_tets(m->ctx, &body, "", &whole, &m->built.mesh[0]);
    fr_log_about(m->ctx, NULL);
    if (result == FR_OK && options->order == 2)
        return fr_build_order2(m->ctx, &body, "", &m->built.mesh[0]);
    // readers name the file themselves
    size_t length = strlen(options->input);
    bool named = !strncmp(fr_context_message(m->ctx), options->input, length);
    if (result == FR_OK || named) return result;
    return fr_fail_within(m->ctx, result, "%s: ", options->input);
}

static FrResult mesh_scene(Meshes *m, const FrMeshDef *options) {
    FR_TRY(fr_load_scene_with(m->ctx, options->input, options->set, options->set_count, &m->scene));
    for (int32_t k = 0; k < m->scene->bodies_count && !isnan(options->size); k++)
        m->scene->bodies[k].cells = options->size;
    FrBuildOptions whole = {.coarseness = 1.0};
    FR_TRY(fr_build_meshes(m->ctx, m->scene, &whole, &m->built));
    FR_TRY(fr_build_result(&m->built));
    for (int32_t k = 0; k < m->built.mesh_count && options->order == 2; k++)
        FR_TRY(fr_build_order2(m->ctx, &m->scene->bodies[k], m->scene->folder, &m->built.mesh[k]));
    return FR_OK;
}

static FrResult make(Meshes *m, const FrMeshDef *options) {
    FrFileKind kind = fr_file_kind(options->input);
    if (kind == FR_FILE_SCENE) return mesh_scene(m, options);
    if (kind == FR_FILE_SURFACE || kind == FR_FILE_TETS) return mesh_file(m, options, kind);
    return fr_fail(
        m->ctx, FR_BAD_INPUT,
        "%s: not a scene (.lua .json), surface (.obj .ply .stl) or tet mesh (.msh .node)",
        options->input);
}

static FrResult check_output(FrContext *ctx, const char *output) {
    if (!output) return FR_OK;
    if (fr_ends_with(output, ".msh") || fr_ends_with(output, ".node"))
        return fr_check_folder_of(ctx, output);
    return fr_fail(ctx, FR_BAD_USE, "%s: meshes are written as .msh or .node", output);
}

static FrResult save(Meshes *m, const FrMeshDef *options) {
    if (!options->output) return FR_OK;
    if (m->built.mesh_count != 1)
        return fr_fail(m->ctx, FR_BAD_USE, "%s has %d bodies; -o takes one", options->input,
                       m->built.mesh_count);
    const FrTetMesh *mesh = &m->built.mesh[0].mesh;
    if (!fr_ends_with(options->output, ".node")) return fr_msh_save(m->ctx, options->output, mesh);
    char *stem = fr_strdup(m->ctx, options->output);
    if (!stem) return fr_no_memory(m->ctx, options->output);
    stem[strlen(stem) - strlen(".node")] = 0;
    FrResult result = fr_tetgen_save(m->ctx, stem, mesh);
    fr_free(m->ctx, stem);
    return result;
}

static FrResult numbers_of(Meshes *m, const FrMeshDef *options, int32_t k, FrMeshNumbers *n) {
    n->name = m->scene ? m->scene->bodies[k].name : options->input;
    n->method = m->built.mesh[k].method;
    FR_TRY(fr_mesh_numbers(m->ctx, &m->built.mesh[k].mesh, n));
    if (!m->scene) fr_question_size(m->ctx, n->name, n->size, options->unit, "--unit");
    return FR_OK;
}

static FrResult report(Meshes *m, const FrMeshDef *options, bool json, FrWriter *w) {
    FrJson j;
    bool list = m->scene != NULL;
    if (json) fr_json_begin(&j, w, true);
    if (json) fr_json_object(&j, NULL);
    if (json && list) fr_json_array(&j, "bodies");
    for (int32_t k = 0; k < m->built.mesh_count; k++) {
        FrMeshNumbers n;
        FR_TRY(numbers_of(m, options, k, &n));
        if (!json) fr_mesh_print(w, &n);
        if (!json && m->has_surface) fr_surface_print(w, &m->surface);
        if (json && list) fr_json_object(&j, NULL);
        if (json) fr_mesh_json(&j, &n);
        if (json && m->has_surface) fr_json_object(&j, "surface");
        if (json && m->has_surface) fr_surface_json(&j, &m->surface);
        if (json && m->has_surface) fr_json_end(&j);
        if (json && list) fr_json_end(&j);
    }
    if (json && list) fr_json_end(&j);
    if (json) fr_json_end(&j);
    return FR_OK;
}

FrResult fr_job_mesh(FrContext *ctx, const FrMeshDef *options, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && options && text);
    Meshes m = {.ctx = ctx};
    FrWriter w;
    *text = (FrText){NULL, 0};
    FR_NEED(ctx, options->cookie == FR_COOKIE, "start from fr_mesh_def_default()");
    FR_NEED(ctx, options->input, "name a scene, a surface or a mesh: input");
    FR_NEED_WORDS(ctx, options->set, options->set_count);
    FR_TRY(fr_check_size(ctx, options->size, options->unit));
    if (options->order != 1 && options->order != 2)
        return fr_fail(ctx, FR_BAD_USE, "tets of order %d; 1 or 2 are possible", options->order);
    fr_writer_init(&w, ctx);
    FrResult result = check_output(ctx, options->output);
    if (result == FR_OK) result = make(&m, options);
    if (result == FR_OK) result = report(&m, options, json, &w);
    if (result == FR_OK) result = save(&m, options);
    fr_built_free(&m.built);
    fr_scene_free(m.scene);
    if (result == FR_OK) return fr_text_take(&w, text);
    fr_writer_free(&w);
    return result;
}
