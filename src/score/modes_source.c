// modes_source.c: the body whose modes are asked for: from a file or a scene, with its material.

#include "score/modes_source.h"
#include "base/file.h"
#include "base/file_names.h"
#include "build/build_walls.h"
#include "build/mesh_cache.h"
#include "build/scene_keys.h"
#include "build/scene_load.h"
#include "export/mesh_report.h"
#include "export/surface_report.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "scene/scene_files.h"
#include "score/modes_material.h"
#include "store/cache_file.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// where cells were not given: more tets than this are made larger
#define ENOUGH_TETS 20000
/// Share of the volume that tets may lack or have too much before it is reported.
#define MOST_VOLUME_OFF 0.02

void fr_modes_source_free(FrContext *ctx, FrModesSource *s) {
    fr_tetmesh_free(ctx, &s->mesh);
    fr_free(ctx, s->material);
    fr_free(ctx, s->held);
    fr_scene_free(s->scene);
    *s = (FrModesSource){0};
}

typedef struct Source {
    FrContext *ctx;
    const FrModesDef *job;
    FrModesSource *to;
    const FrSceneBody *body; ///< of the scene, or made of the file
    const char *folder;
    FrBuiltMesh built;
} Source;

// "models/bowl.obj" -> "bowl"
static void short_name(const char *path, char *to, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(to, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(to, '.');
    if (dot && dot != to) *dot = 0;
}

static FrResult choose_body(FrContext *ctx, FrModesSource *s) {
    const FrScene *scene = s->scene;
    const char *wanted = s->job->body;
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        s->body = k;
        if (wanted ? !strcmp(scene->bodies[k].name, wanted) : scene->bodies_count == 1)
            return FR_OK;
    }
    char names[512] = "";
    size_t at = 0;
    for (int32_t k = 0; k < scene->bodies_count && at < sizeof names - 64; k++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%.48s", k ? ", " : "",
                               scene->bodies[k].name);
    if (wanted)
        return fr_fail(ctx, FR_BAD_INPUT, "%s has no body '%s'; it has: %s", s->job->input, wanted,
                       names);
    return fr_fail(ctx, FR_BAD_USE, "%s has %d bodies; say which with --body: %s", s->job->input,
                   scene->bodies_count, names);
}

static FrResult choose_material(FrContext *ctx, FrModesSource *s) {
    const char *given = s->job->material;
    if (s->job->made_of) {
        s->made_of = *s->job->made_of;
        return fr_material_check(ctx, &s->made_of);
    }
    if (given) return fr_material_named(ctx, s->scene, given, &s->made_of);
    if (!s->scene) return FR_OK;
    return fr_scene_material(ctx, s->scene, s->scene->bodies[s->body].material, &s->made_of);
}

// every region is made of the one material
static FrResult fill_material(Source *s) {
    int32_t regions = 1;
    for (int32_t e = 0; e < s->to->mesh.tet_count && s->to->mesh.region; e++)
        regions = fr_max_i(regions, s->to->mesh.region[e] + 1);
    s->to->material = FR_NEW(s->ctx, FrMaterial, regions);
    if (!s->to->material) return fr_no_memory(s->ctx, "materials");
    s->to->material_count = regions;
    for (int32_t k = 0; k < regions; k++) s->to->material[k] = s->to->made_of;
    return FR_OK;
}

// The factor of 75,000 nodes takes minutes and gigabytes: larger tets are enough where the shape
// allows it. Walls and tips stay: a bunny without the tips of its ears is off by 18 %.
static FrResult coarsen(Source *s) {
    FrTetMesh *mesh = &s->built.mesh;
    int32_t before = mesh->tet_count;
    FR_TRY(fr_built_coarsen(s->ctx, ENOUGH_TETS, &s->built));
    fr_log(
        s->ctx, FR_LOG_INFO,
        "%s: %d tets of %.2g m are many for modes; %d, larger where the shape allows it, instead "
        "(--size says otherwise)",
        s->to->name, before, s->built.cells, mesh->tet_count);
    return FR_OK;
}

static FrResult raise_order(Source *s) {
    bool file = s->body->shape.kind == FR_SCENE_MESH;
    if (s->job->order == FR_ORDER_1 || (file && s->job->order == FR_ORDER_AUTO)) return FR_OK;
    bool own = !file && !(s->body->cells > 0.0) && !strcmp(s->built.method, "stuffing");
    if (own && s->built.mesh.tet_count > ENOUGH_TETS) FR_TRY(coarsen(s));
    return fr_build_order2(s->ctx, s->body, s->folder, &s->built);
}

// the mass that tets lack or have too much, where the volume of the surface is known
static void warn_volume(const Source *s) {
    const FrTetMesh *mesh = &s->built.mesh;
    if (!(s->built.volume > 0.0)) return;
    double volume = mesh->order == 2 ? fr_order2_volume(mesh) : fr_tetmesh_props(mesh).volume;
    double off = volume / s->built.volume - 1.0;
    if (fabs(off) <= MOST_VOLUME_OFF) return;
    fr_log(s->ctx, FR_LOG_WARNING,
           "%s: its tets have %.1f %% %s volume than its surface, and that much %s mass; its tones "
           "are off. Cells of %.2g m are taken; smaller ones (%s) are nearer",
           s->to->name, 100.0 * fabs(off), off < 0.0 ? "less" : "more", off < 0.0 ? "less" : "more",
           s->built.cells, s->to->scene ? "cells in the scene" : "--size");
}

static FrResult make_tets(Source *s) {
    FrBuildOptions whole = {.coarseness = 1.0, .walls = s->job->order != FR_ORDER_1};
    const char *how = s->to->scene ? NULL : s->to->unit_name;
    FR_TRY(fr_warn_surface(s->ctx, &s->body->shape, s->folder, how));
    FR_TRY(fr_build_tets(s->ctx, s->body, s->folder, &whole, &s->built));
    if (s->job->order == FR_ORDER_1 && s->built.mesh.order == 2)
        return fr_fail(s->ctx, FR_BAD_USE, "%s has 10-node tets; leave --order away",
                       s->job->input);
    FR_TRY(raise_order(s));
    warn_volume(s);
    s->to->mesh = s->built.mesh;
    s->built.mesh = (FrTetMesh){0};
    return FR_OK;
}

// all that decides the tets: the program, the shape with its files, what is asked for
static FrResult tets_key(const Source *s, uint64_t *key) {
    const FrModesDef *job = s->job;
    FrHash hash;
    fr_hash_begin(&hash, 1);
    fr_hash_u64(&hash, fr_mesh_cache_program());
    fr_hash_u64(&hash, job->order == FR_ORDER_1 ? 1 : 2);
    fr_hash_f64(&hash, s->body->cells);
    if (s->to->scene) {
        fr_hash_u64(&hash, 1 + (uint64_t)s->to->body);
        FR_TRY(fr_scene_hash(s->ctx, s->to->scene, &hash));
    } else {
        fr_hash_text(&hash, s->to->unit_name); // notes say it
        fr_hash_text(&hash, job->input);
        fr_hash_f64(&hash, s->body->shape.file->unit);
        fr_hash_u64(&hash, s->body->shape.file->up);
    }
    FrResult result = fr_shape_files_hash(s->ctx, &s->body->shape, s->folder, &hash);
    *key = fr_hash_end(&hash);
    return result;
}

// tets that an earlier call made of the same, else new ones: what is stuffed takes seconds and is
// kept
static FrResult find_tets(Source *s, const char *kept_in) {
    uint64_t key;
    bool hit = false;
    FrWriter heard;
    FR_TRY(tets_key(s, &key));
    FR_TRY(fr_mesh_cache_take(s->ctx, kept_in, key, &s->to->mesh, &hit));
    if (hit) return FR_OK;
    fr_writer_init(&heard, s->ctx);
    fr_log_listen(s->ctx, fr_mesh_cache_hear, &heard);
    FrResult result = make_tets(s);
    fr_log_listen(s->ctx, NULL, NULL);
    if (result == FR_OK && !strcmp(s->built.method, "stuffing"))
        fr_mesh_cache_put(s->ctx, kept_in, key, &s->to->mesh, &heard);
    fr_writer_free(&heard);
    return result;
}

static FrResult build(Source *s) {
    bool file = s->body->shape.kind == FR_SCENE_MESH;
    char *kept_in = file ? NULL : fr_modes_job_cache(s->ctx, s->job);
    FrResult result = kept_in ? find_tets(s, kept_in) : make_tets(s);
    fr_free(s->ctx, kept_in);
    FR_TRY(result);
    if (!s->to->scene && file)
        fr_question_size(s->ctx, s->job->input, fr_box_size(fr_tetmesh_bounds(&s->to->mesh)),
                         s->job->unit, s->to->unit_name);
    if (s->to->mesh.order == 1 && s->job->order == FR_ORDER_AUTO)
        fr_log(s->ctx, FR_LOG_INFO,
               "%s: its 4-node tets are too stiff, pitches come out high; --order 2 makes 10-node "
               "ones of them",
               s->to->name);
    FR_TRY(fill_material(s));
    return fr_held_nodes(s->ctx, s->to->scene, s->body, s->folder, &s->to->mesh, &s->to->held);
}

char *fr_modes_job_cache(FrContext *ctx, const FrModesDef *job) {
    if (job->no_cache) return NULL;
    return job->cache ? fr_strdup(ctx, job->cache) : fr_cache_folder(ctx);
}

FrResult fr_modes_source_build(FrContext *ctx, FrModesSource *source) {
    const FrModesDef *job = source->job;
    Source s = {.ctx = ctx, .job = job, .to = source, .folder = ""};
    FrSceneFile file = {job->input, job->unit, job->up_y ? FR_SCENE_UP_Y : FR_SCENE_UP_Z};
    FrSceneBody own = {.name = job->input}, *body = &own;
    bool tets = fr_file_kind(job->input) == FR_FILE_TETS;
    own.shape.kind = tets ? FR_SCENE_MESH : FR_SCENE_SURFACE;
    own.shape.file = &file;
    if (source->scene) { // joints know it by its place in the scene
        body = &source->scene->bodies[source->body];
        s.folder = source->scene->folder;
    }
    if (!isnan(job->size)) body->cells = job->size;
    s.body = body;
    FrResult result = build(&s);
    fr_tetmesh_free(ctx, &s.built.mesh);
    fr_embedded_free(ctx, &s.built.skin);
    return result;
}

static FrResult open_scene(FrContext *ctx, FrModesSource *s) {
    const FrModesDef *job = s->job;
    FR_TRY(fr_load_scene_with(ctx, job->input, job->set, job->set_count, &s->scene));
    FR_TRY(choose_body(ctx, s));
    snprintf(s->name, sizeof s->name, "%s", s->scene->bodies[s->body].name);
    return choose_material(ctx, s);
}

static FrResult open_file(FrContext *ctx, FrModesSource *s) {
    if (access(s->job->input, R_OK))
        return fr_fail(ctx, FR_BAD_INPUT, "cannot read %s: %s", s->job->input, strerror(errno));
    short_name(s->job->input, s->name, sizeof s->name);
    return choose_material(ctx, s);
}

FrResult fr_modes_source_open(FrContext *ctx, const FrModesDef *job, FrModesSource *source) {
    *source = (FrModesSource){.job = job, .unit_name = "--unit"};
    FR_TRY(fr_check_size(ctx, job->size, job->unit));
    FrFileKind kind = fr_file_kind(job->input);
    FrResult result;
    if (kind == FR_FILE_SCENE)
        result = open_scene(ctx, source);
    else if (kind == FR_FILE_SURFACE || kind == FR_FILE_TETS)
        result = open_file(ctx, source);
    else if (kind == FR_FILE_ASSET)
        result = fr_fail(ctx, FR_BAD_INPUT,
                         "%s: a cooked body has its modes already; `fracas info %s` lists them",
                         job->input, job->input);
    else
        result = fr_fail(
            ctx, FR_BAD_INPUT,
            "%s: not a scene (.lua .json), surface (.obj .ply .stl) or tet mesh (.msh .node)",
            job->input);
    if (result != FR_OK) fr_modes_source_free(ctx, source);
    return result;
}
