// surface_report.h: what a surface file holds and what is wrong with it, for people and for
// scripts.
#pragma once
#include "base/bytes.h"
#include "base/json.h"
#include "geom/trimesh.h"
#include "scene/scene.h"

typedef struct FrSurfaceNumbers {
    FrTriReport report;  ///< equal points joined
    int32_t file_points; ///< as the file has them, equal ones not joined
    int32_t points, tris, crossing_tris;
    bool inside_out; ///< closed, with a negative volume
    FrVec3 size;     ///< in units of the file
    double area;     ///< in squared units of the file
} FrSurfaceNumbers;

FrResult fr_surface_numbers(FrContext *ctx, const char *path, FrSurfaceNumbers *numbers);
/// Warn when a body is a surface with holes too large to be slips of a scanner: it is filled as if
/// they were closed, and a wall may have been meant. `how` its unit is given ("--unit"): its size
/// is questioned too, before it is meshed; NULL: not.
FrResult fr_warn_surface(FrContext *ctx, const FrSceneShape *shape, const char *folder,
                         const char *how);
/// After FR_BAD_INPUT from meshing what is made of this file: the same, and where the surface has
/// large holes or many triangles run through others, the message says so.
FrResult fr_blame_surface(FrContext *ctx, const FrSceneFile *file, const char *folder);
/// One line: closed or not, and the faults that are there.
void fr_surface_print(FrWriter *writer, const FrSurfaceNumbers *numbers);
/// Fields of one surface, into an object that is open.
void fr_surface_json(FrJson *json, const FrSurfaceNumbers *numbers);
