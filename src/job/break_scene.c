// break_scene.c: from a file and how it is to break to a scene: where it hangs or stands, where a
// ball comes from.

#include "job/break_scene.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/mesh_report.h"
#include "export/report_text.h"
#include "geom/creases.h"
#include "geom/probe.h"
#include "geom/solid.h"
#include "mesh/meshfile.h"
#include "mesh/topology.h"
#include "score/cook.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/// How long it goes on, s.
#define DURATION 2.0
/// How long the ball flies until it hits, s: less where it is so slow that it would rise first.
#define APPROACH 0.05
/// What falls in the approach, m/s^2: as in every scene.
#define GRAVITY 9.81
/// Room between the ball and the ground, m.
#define HAIR 1e-3

typedef struct Breaking {
    FrContext *ctx;
    const FrBreakDef *job;
    FrBreakNames names;
    FrTriMesh skin; ///< m, z up, as the file has it
    FrBox box;      ///< of the thing as it is turned, m
    FrQuat turn;
    FrVec3 at;             ///< where the origin of the file goes, m
    FrVec3 ball, velocity; ///< of the ball at the start, m and m/s
} Breaking;

FrBreakNames fr_break_names(const char *path) {
    FrBreakNames names;
    const char *slash = strrchr(path, '/');
    names.file = slash ? slash + 1 : path;
    const char *dot = strrchr(names.file, '.');
    int length = dot && dot > names.file ? (int)(dot - names.file) : (int)strlen(names.file);
    snprintf(names.body, sizeof names.body, "%.*s", length, names.file);
    return names;
}

// the surface of a tet mesh
static FrResult read_tets(Breaking *b) {
    FrTetMesh mesh = {0};
    FrSurface surface = {0};
    FrResult result = fr_tets_load(b->ctx, b->job->file, &mesh);
    if (result == FR_OK) result = fr_tetmesh_surface(b->ctx, &mesh, &surface);
    if (result == FR_OK)
        result = fr_trimesh_alloc(b->ctx, mesh.node_count, surface.tri_count, &b->skin);
    if (result == FR_OK) {
        memcpy(b->skin.p, mesh.x, 3 * (size_t)mesh.node_count * sizeof *mesh.x);
        memcpy(b->skin.tri, surface.tri, (size_t)surface.tri_count * sizeof *surface.tri);
    }
    fr_surface_free(b->ctx, &surface);
    fr_tetmesh_free(b->ctx, &mesh);
    return result;
}

static FrResult read_skin(Breaking *b) {
    FrFileKind kind = fr_file_kind(b->job->file);
    if (kind == FR_FILE_SCENE)
        return fr_fail(b->ctx, FR_BAD_USE, "%s is a scene already: fracas run %s", b->job->file,
                       b->job->file);
    if (kind != FR_FILE_SURFACE && kind != FR_FILE_TETS)
        return fr_fail(b->ctx, FR_BAD_INPUT,
                       "%s: not a surface (.obj .ply .stl) or tet mesh (.msh .node)", b->job->file);
    FR_TRY(kind == FR_FILE_TETS ? read_tets(b) : fr_trimesh_read(b->ctx, b->job->file, &b->skin));
    if (!b->skin.point_count) return fr_fail(b->ctx, FR_BAD_INPUT, "%s is empty", b->job->file);
    fr_trimesh_scale(&b->skin, b->job->unit);
    if (b->job->up_y) fr_trimesh_y_up_to_z_up(&b->skin);
    fr_question_size(b->ctx, b->job->file, fr_box_size(fr_trimesh_bounds(&b->skin)), b->job->unit,
                     "--unit");
    return FR_OK;
}

// over the origin, its lowest point at this height
static void place(Breaking *b, double height) {
    b->turn = fr_quat_from_euler(b->job->turn);
    b->box = fr_box_empty();
    for (int32_t k = 0; k < b->skin.point_count; k++)
        b->box = fr_box_add(b->box, fr_quat_rotate(b->turn, fr_get3(b->skin.p, k)));
    FrVec3 middle = fr_box_center(b->box);
    // 0 less 0: no minus in the scene
    b->at = fr_vec3(0.0 - middle.x, 0.0 - middle.y, height - b->box.lo.z);
}

/// A point of the surface, and the triangle that it lies on.
typedef struct Spot {
    FrVec3 x; ///< m
    int32_t tri;
    double away; ///< from the point that was asked for, m
} Spot;

static Spot nearest(const FrTriMesh *mesh, FrVec3 x) {
    Spot best = {.away = HUGE_VAL};
    for (int32_t k = 0; k < mesh->tri_count; k++) {
        FrVec3 corner[3], at = fr_vec3_zero;
        double weight[3];
        for (int i = 0; i < 3; i++) corner[i] = fr_get3(mesh->p, mesh->tri[k][i]);
        fr_tri_nearest(corner, x, weight);
        for (int i = 0; i < 3; i++) at = fr_axpy(weight[i], corner[i], at);
        double away = fr_length(fr_sub(at, x));
        if (away < best.away) best = (Spot){at, k, away};
    }
    return best;
}

static double approach(const FrBreakDef *job) {
    return fr_min(APPROACH, 0.5 * job->speed / GRAVITY);
}

// the direction in which the ball lies as it touches: along the normal, but never in the ground
static FrResult ball_side(const Breaking *b, FrVec3 point, FrVec3 normal, FrVec3 *side) {
    double r = FR_BREAK_BALL, room = r + HAIR - point.z;
    // above it as it touches, and as it starts, lower by what gravity takes in between
    double t = approach(b->job), sag = 0.5 * GRAVITY * t * t;
    double least = fr_max(room / r, (room + sag) / (r + b->job->speed * t));
    FrVec3 level = fr_vec3(normal.x, normal.y, 0.0);
    *side = normal;
    if (normal.z >= least) return FR_OK;
    if (least >= 1.0 || fr_length(level) < 1e-3)
        return fr_fail(b->ctx, FR_BAD_USE,
                       "--hit %g,%g,%g lies beneath it, where it stands on the ground; --turn lays "
                       "it on another side",
                       b->job->hit->x, b->job->hit->y, b->job->hit->z);
    *side = fr_axpy(sqrt(1.0 - least * least), fr_normalize(level), fr_vec3(0, 0, least));
    return FR_OK;
}

// it meets the surface after its approach, with the speed that was asked for
static FrResult aim_at(Breaking *b, const FrTriMesh *mesh) {
    FrVec3 wanted = *b->job->hit, side;
    Spot spot = nearest(mesh, wanted);
    FrBox box = fr_trimesh_bounds(mesh);
    double size = fr_length(fr_box_size(box));
    FrVec3 middle = fr_box_center(box);
    if (!(spot.away <= FR_OFF_SURFACE * size))
        return fr_fail(b->ctx, FR_BAD_USE,
                       "--hit %g,%g,%g is %.3g m off the body, which is %.3g m across and has its "
                       "middle at %.3g,%.3g,%.3g",
                       wanted.x, wanted.y, wanted.z, spot.away, size, middle.x, middle.y, middle.z);
    FrVec3 point = fr_add(b->at, fr_quat_rotate(b->turn, spot.x));
    FrVec3 normal = fr_quat_rotate(b->turn, fr_face_normal(mesh->p, mesh->tri[spot.tri]));
    FR_TRY(ball_side(b, point, normal, &side));
    FrVec3 up = fr_vec3(0, 0, 1), centre = fr_axpy(FR_BREAK_BALL, side, point);
    double t = approach(b->job);
    b->ball = fr_axpy(b->job->speed * t, side, centre);
    b->ball = fr_axpy(-0.5 * GRAVITY * t * t, up, b->ball);
    b->velocity = fr_axpy(GRAVITY * t, up, fr_scale(-b->job->speed, side));
    return FR_OK;
}

// files may have their triangles inside out: the ball comes from where the outside is
static FrResult aim(Breaking *b) {
    FrSolid *solid = NULL;
    FrResult result = fr_solid_create(b->ctx, &b->skin, &solid);
    if (result == FR_OK) result = aim_at(b, fr_solid_mesh(solid));
    fr_solid_destroy(b->ctx, solid);
    return result;
}

static FrVec3 degrees(FrVec3 rad) {
    double *v[3] = {&rad.x, &rad.y, &rad.z};
    for (int i = 0; i < 3; i++) *v[i] = round(*v[i] * 180.0 / FR_PI * 1e9) * 1e-9;
    return rad;
}

static void write_body(const Breaking *b, FrJson *j) {
    const FrBreakDef *job = b->job;
    bool tets = fr_file_kind(job->file) == FR_FILE_TETS;
    fr_json_array(j, "bodies");
    fr_json_object(j, NULL);
    fr_json_text(j, "name", b->names.body);
    fr_json_text(j, "material", job->material);
    fr_json_text(j, "model", "shatter");
    fr_json_object(j, "shape");
    fr_json_object(j, tets ? "mesh" : "surface");
    fr_json_text(j, "file", b->names.file);
    fr_json_number(j, "unit", job->unit);
    fr_json_text(j, "up", job->up_y ? "y" : "z");
    fr_json_end(j);
    fr_json_end(j);
    // walls are kept where the size is chosen, and may be lost where it is given
    if (!isnan(job->size)) {
        fr_json_number(j, "cells", job->size);
        fr_json_bool(j, "coarse", true);
    }
    if (!tets) fr_json_bool(j, "graded", true);
    fr_json_vec3(j, "at", b->at);
    fr_json_vec3(j, "turn", degrees(job->turn));
    fr_json_end(j);
    fr_json_end(j);
}

static void write_ball(const Breaking *b, FrJson *j) {
    fr_json_array(j, "spheres");
    fr_json_object(j, NULL);
    fr_json_text(j, "name", strcmp(b->names.body, "ball") ? "ball" : "steel");
    fr_json_text(j, "material", "steel");
    fr_json_number(j, "radius", FR_BREAK_BALL);
    fr_json_vec3(j, "at", b->ball);
    fr_json_vec3(j, "velocity", b->velocity);
    fr_json_end(j);
    fr_json_end(j);
}

static FrResult write_scene(const Breaking *b, FrText *json) {
    FrWriter w;
    FrJson j;
    fr_writer_init(&w, b->ctx);
    fr_json_begin(&j, &w, true);
    fr_json_object(&j, NULL);
    fr_json_object(&j, "scene");
    fr_json_text(&j, "name", b->names.body);
    fr_json_number(&j, "duration", DURATION);
    fr_json_end(&j);
    fr_json_object(&j, "ground");
    fr_json_text(&j, "material", "concrete");
    fr_json_end(&j);
    write_body(b, &j);
    if (b->job->hit) write_ball(b, &j);
    fr_json_end(&j);
    return fr_text_take(&w, json);
}

FrResult fr_break_scene(FrContext *ctx, const FrBreakDef *job, FrText *json) {
    Breaking b = {.ctx = ctx, .job = job, .names = fr_break_names(job->file)};
    FrResult result = read_skin(&b);
    if (result == FR_OK) {
        place(&b, job->hit ? 0.0 : job->drop);
        if (job->hit) result = aim(&b);
    }
    if (result == FR_OK) result = write_scene(&b, json);
    fr_trimesh_free(ctx, &b.skin);
    return result;
}
