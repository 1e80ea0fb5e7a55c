// modes_source.c: the body whose modes are asked for: from a file or a scene, with its material.

#include "job/modes_source.h"
#include "job/build.h"
#include "job/mesh_report.h"
#include "job/modes_material.h"
#include "job/names.h"
#include "job/scene_load.h"
#include "job/surface_report.h"
#include "math/vec.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// more tets of a solid than this are thinned out where its cells were not given; bodies with more
// of their corners on the surface than this are walls and keep theirs
#define MOST_SOLID 30000
#define THIN_SHARE 0.6
// volume that larger tets may lose
#define MOST_LOST 0.015

void fr_modes_source_free(FrContext *ctx, FrModesSource *s) {
    fr_tetmesh_free(ctx, &s->mesh);
    fr_free(ctx, s->material);
    fr_free(ctx, s->held);
    fr_scene_free(s->scene);
    *s = (FrModesSource){0};
}

typedef struct Source {
    FrContext *ctx;
    const FrModesJob *job;
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
    if (given && s->scene && !strchr(given, '='))
        return fr_build_material(ctx, s->scene, given, &s->stuff);
    if (given) return fr_material_parse(ctx, given, &s->stuff);
    if (!s->scene) return FR_OK;
    return fr_build_material(ctx, s->scene, s->scene->bodies[s->body].material, &s->stuff);
}

// every region is made of the one material
static FrResult fill_material(Source *s) {
    int32_t regions = 1;
    for (int32_t e = 0; e < s->to->mesh.tet_count && s->to->mesh.region; e++)
        regions = fr_max_i(regions, s->to->mesh.region[e] + 1);
    s->to->material = FR_NEW(s->ctx, FrMaterial, regions);
    if (!s->to->material) return fr_no_memory(s->ctx, "materials");
    s->to->material_count = regions;
    for (int32_t k = 0; k < regions; k++) s->to->material[k] = s->to->stuff;
    return FR_OK;
}

// are most corners on the surface, as in a wall? Then a factor stays small
static FrResult is_thin(Source *s, bool *thin) {
    const FrTetMesh *mesh = &s->built.mesh;
    FrSurface surface;
    uint8_t *outside = FR_NEW(s->ctx, uint8_t, mesh->node_count);
    if (!outside) return fr_no_memory(s->ctx, "a surface");
    FrResult result = fr_tetmesh_surface(s->ctx, mesh, &surface);
    int32_t count = 0;
    for (int32_t t = 0; t < surface.tri_count && result == FR_OK; t++)
        for (int k = 0; k < 3; k++) {
            count += !outside[surface.tri[t][k]];
            outside[surface.tri[t][k]] = 1;
        }
    *thin = count > THIN_SHARE * mesh->corner_count;
    fr_surface_free(s->ctx, &surface);
    fr_free(s->ctx, outside);
    return result;
}

// is it still one body of nearly the same volume?
static FrResult still_whole(Source *s, const FrTetMesh *fine, const FrTetMesh *coarse,
                            bool *whole) {
    int32_t *component, count;
    FR_TRY(fr_tet_components(s->ctx, coarse, &component, &count));
    fr_free(s->ctx, component);
    double before = fr_tetmesh_props(fine).volume, after = fr_tetmesh_props(coarse).volume;
    *whole = count == 1 && fabs(after - before) <= MOST_LOST * before;
    return FR_OK;
}

// The factor of 75,000 nodes takes minutes and gigabytes: larger tets inside are enough, within 0.1
// % of the pitches. At the surface they stay: a bunny without the tips of its ears is off by 18 %,
// a teapot whose handle is cut through by 33 %.
static FrResult coarsen(Source *s) {
    FrSceneBody coarse = *s->body;
    FrBuiltMesh fine = s->built;
    FrBuildOptions as_before = {.coarseness = 1.0};
    bool taken = false;
    coarse.cells = fine.cells;
    coarse.graded = true;
    s->built = (FrBuiltMesh){0};
    FrResult result = fr_build_tets(s->ctx, &coarse, s->folder, &as_before, &s->built);
    if (result == FR_OK) result = still_whole(s, &fine.mesh, &s->built.mesh, &taken);
    taken = taken && s->built.cells >= fine.cells && s->built.mesh.tet_count < fine.mesh.tet_count;
    if (taken)
        fr_log(s->ctx, FR_LOG_INFO,
               "%s: %d tets are many for modes; %d, larger ones inside, instead (--size says "
               "otherwise)",
               s->to->name, fine.mesh.tet_count, s->built.mesh.tet_count);
    FrBuiltMesh other = taken ? fine : s->built;
    if (!taken) s->built = fine;
    fr_tetmesh_free(s->ctx, &other.mesh);
    fr_embedded_free(s->ctx, &other.skin);
    return result;
}

static FrResult raise_order(Source *s) {
    bool file = s->body->shape.kind == FR_SCENE_MESH, thin = true;
    if (s->job->order == 1 || (file && s->job->order == 0)) return FR_OK;
    bool many = s->built.mesh.tet_count > MOST_SOLID && !file && !(s->body->cells > 0.0);
    if (many) FR_TRY(is_thin(s, &thin));
    if (!thin) FR_TRY(coarsen(s));
    return fr_build_order2(s->ctx, s->body, s->folder, &s->built);
}

static FrResult build(Source *s) {
    FrBuildOptions whole = {.coarseness = 1.0};
    FR_TRY(fr_build_tets(s->ctx, s->body, s->folder, &whole, &s->built));
    if (s->job->order == 1 && s->built.mesh.order == 2)
        return fr_fail(s->ctx, FR_BAD_USE, "%s has 10-node tets; leave --order away",
                       s->job->input);
    FR_TRY(raise_order(s));
    s->to->mesh = s->built.mesh;
    s->built.mesh = (FrTetMesh){0};
    if (!s->to->scene)
        fr_question_size(s->ctx, s->job->input, fr_box_size(fr_tetmesh_bounds(&s->to->mesh)),
                         s->job->unit, "--unit");
    if (s->to->mesh.order == 1 && s->job->order == 0)
        fr_log(s->ctx, FR_LOG_INFO,
               "%s: its 4-node tets are too stiff, pitches come out high; --order 2 makes 10-node "
               "ones of them",
               s->to->name);
    FR_TRY(fill_material(s));
    return fr_held_nodes(s->ctx, s->body, s->folder, &s->to->mesh, &s->to->held);
}

FrResult fr_modes_source_build(FrContext *ctx, FrModesSource *source) {
    const FrModesJob *job = source->job;
    Source s = {.ctx = ctx, .job = job, .to = source, .folder = ""};
    FrSceneFile file = {job->input, job->unit > 0.0 ? job->unit : 1.0,
                        job->up_y ? FR_SCENE_UP_Y : FR_SCENE_UP_Z};
    FrSceneBody body = {.name = job->input};
    bool tets = fr_file_kind(job->input) == FR_FILE_TETS;
    body.shape.kind = tets ? FR_SCENE_MESH : FR_SCENE_SURFACE;
    body.shape.file = &file;
    if (source->scene) {
        body = source->scene->bodies[source->body];
        s.folder = source->scene->folder;
    }
    if (job->size > 0.0) body.cells = job->size;
    s.body = &body;
    FrResult result = fr_warn_open(ctx, &body.shape, s.folder);
    if (result == FR_OK) result = build(&s);
    fr_tetmesh_free(ctx, &s.built.mesh);
    fr_embedded_free(ctx, &s.built.skin);
    return result;
}

static FrResult open_scene(FrContext *ctx, FrModesSource *s) {
    const FrModesJob *job = s->job;
    FrRunOptions run = {.scene = job->input, .set = job->set, .set_count = job->set_count};
    FR_TRY(fr_load_scene(ctx, &run, &s->scene));
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

FrResult fr_modes_source_open(FrContext *ctx, const FrModesJob *job, FrModesSource *source) {
    *source = (FrModesSource){.job = job};
    FrFileKind kind = fr_file_kind(job->input);
    FrResult result;
    if (kind == FR_FILE_SCENE)
        result = open_scene(ctx, source);
    else if (kind == FR_FILE_SURFACE || kind == FR_FILE_TETS)
        result = open_file(ctx, source);
    else
        result = fr_fail(
            ctx, FR_BAD_INPUT,
            "%s: not a scene (.lua .json), surface (.obj .ply .stl) or tet mesh (.msh .node)",
            job->input);
    if (result != FR_OK) fr_modes_source_free(ctx, source);
    return result;
}
