// surface_report.c: what a surface file holds and what is wrong with it.

#include "export/surface_report.h"
#include "base/file.h"
#include "export/mesh_report.h"
#include "export/report_text.h"
#include "math/vec.h"
#include <stdio.h>

FrResult fr_surface_numbers(FrContext *ctx, const char *path, FrSurfaceNumbers *n) {
    FrTriMesh mesh;
    *n = (FrSurfaceNumbers){0};
    FR_TRY(fr_trimesh_read(ctx, path, &mesh));
    n->file_points = mesh.point_count;
    FrResult result = fr_trimesh_weld(ctx, &mesh, 0.0, NULL);
    if (result == FR_OK) result = fr_trimesh_report(ctx, &mesh, &n->report);
    if (result == FR_OK) result = fr_trimesh_crossings(ctx, &mesh, &n->crossing_tris);
    n->points = mesh.point_count;
    n->tris = mesh.tri_count;
    n->size = fr_box_size(fr_trimesh_bounds(&mesh));
    n->area = fr_trimesh_area(&mesh);
    n->inside_out = n->report.closed && fr_trimesh_props(&mesh).volume < 0.0;
    fr_trimesh_free(ctx, &mesh);
    return result;
}

FrResult fr_warn_surface(FrContext *ctx, const FrSceneShape *shape, const char *folder,
                         const char *how) {
    while (shape->kind == FR_SCENE_MOVE || shape->kind == FR_SCENE_TURN ||
           shape->kind == FR_SCENE_SCALE)
        shape = shape->kind == FR_SCENE_MOVE   ? shape->move->shape
                : shape->kind == FR_SCENE_TURN ? shape->turn->shape
                                               : shape->scale->shape;
    if (shape->kind != FR_SCENE_SURFACE) return FR_OK;
    FrTriMesh mesh = {0};
    FrTriReport report = {0};
    char *path = fr_path_join(ctx, folder, shape->file->file);
    fr_log_mute(ctx, true);
    FrResult result =
        path ? fr_trimesh_read(ctx, path, &mesh) : fr_no_memory(ctx, shape->file->file);
    fr_log_mute(ctx, false);
    if (result == FR_OK) result = fr_trimesh_weld(ctx, &mesh, 0.0, NULL);
    if (result == FR_OK) result = fr_trimesh_report(ctx, &mesh, &report);
    if (result == FR_OK && how)
        fr_question_size(ctx, shape->file->file,
                         fr_scale(shape->file->unit, fr_box_size(fr_trimesh_bounds(&mesh))),
                         shape->file->unit, how);
    if (result == FR_OK && report.holes > FR_LARGE_HOLES)
        fr_log(ctx, FR_LOG_WARNING,
               "%s is not closed (%d open edges): it is filled, and rings as a solid. If it is a "
               "wall, say how thick in a scene: shape = shell { surface \"%s\", thickness = 2*mm }",
               shape->file->file, report.open_edges, shape->file->file);
    if (result == FR_OK && report.groups > 1)
        fr_log(ctx, FR_LOG_WARNING,
               "%s has %d parts that do not touch, and modes are of one body: specks are left out, "
               "but "
               "else keep one part, or make a body of each",
               shape->file->file, report.groups);
    fr_trimesh_free(ctx, &mesh);
    fr_free(ctx, path);
    return result;
}

/// Share of the triangles that run through others in a surface that is no solid's.
#define MANY_CROSS 0.1

FrResult fr_blame_surface(FrContext *ctx, const FrSceneFile *file, const char *folder) {
    char message[512];
    FrSurfaceNumbers n;
    snprintf(message, sizeof message, "%s", fr_context_message(ctx));
    char *path = fr_path_join(ctx, folder, file->file);
    fr_log_mute(ctx, true);
    FrResult result = path ? fr_surface_numbers(ctx, path, &n) : fr_no_memory(ctx, file->file);
    fr_log_mute(ctx, false);
    fr_free(ctx, path);
    FR_TRY(result);
    if (n.report.holes > FR_LARGE_HOLES || n.crossing_tris > MANY_CROSS * n.tris)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "%s; the surface of %s has %d open edges, and %d of its %d triangles run "
                       "through others",
                       message, file->file, n.report.open_edges, n.crossing_tris, n.tris);
    return fr_fail(ctx, FR_BAD_INPUT, "%s", message);
}

void fr_surface_print(FrWriter *w, const FrSurfaceNumbers *n) {
    const struct {
        int32_t count;
        const char *one, *many;
    } fault[] = {
        {n->report.open_edges, "open edge", "open edges"},
        {n->report.nonmanifold_edges, "edge of three triangles or more",
         "edges of three triangles or more"},
        {n->report.inconsistent_edges, "edge whose triangles are wound against each other",
         "edges whose triangles are wound against each other"},
        {n->crossing_tris, "triangle that runs through another",
         "triangles that run through others"},
        {n->report.duplicate_tris, "doubled triangle", "doubled triangles"},
        {n->report.degenerate_tris, "triangle without area", "triangles without area"},
    };
    fr_print(w, "  surface: %d triangle%s, %s, %d part%s", n->tris, fr_s(n->tris),
             n->report.closed ? "closed" : "not closed", n->report.components,
             fr_s(n->report.components));
    bool any = n->inside_out;
    if (n->inside_out) fr_print(w, "; inside out");
    for (size_t k = 0; k < sizeof fault / sizeof *fault; k++) {
        if (!fault[k].count) continue;
        fr_print(w, "; %d %s", fault[k].count, fault[k].count == 1 ? fault[k].one : fault[k].many);
        any = true;
    }
    fr_print(w, any ? "\n" : "; nothing wrong with it\n");
}

void fr_surface_json(FrJson *j, const FrSurfaceNumbers *n) {
    fr_json_int(j, "triangles", n->tris);
    fr_json_int(j, "points", n->points);
    fr_json_int(j, "file_points", n->file_points);
    fr_json_vec3(j, "size", n->size);
    fr_json_number(j, "area", n->area);
    fr_json_bool(j, "closed", n->report.closed);
    fr_json_bool(j, "inside_out", n->inside_out);
    fr_json_int(j, "parts", n->report.components);
    fr_json_int(j, "open_edges", n->report.open_edges);
    fr_json_int(j, "nonmanifold_edges", n->report.nonmanifold_edges);
    fr_json_int(j, "inconsistent_edges", n->report.inconsistent_edges);
    fr_json_int(j, "crossing_triangles", n->crossing_tris);
    fr_json_int(j, "duplicate_triangles", n->report.duplicate_tris);
    fr_json_int(j, "degenerate_triangles", n->report.degenerate_tris);
}
