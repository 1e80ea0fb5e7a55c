// mesh_report.h: a tet mesh in numbers, for people and for scripts.
#pragma once
#include "fracas/mesh.h"
#include "base/bytes.h"
#include "base/json.h"

typedef struct FrMeshNumbers {
    const char *name, *method;
    int32_t nodes, tets, components, slivers;
    double volume; ///< m^3
    double min_dihedral_deg, max_dihedral_deg;
    double min_edge, mean_edge, max_edge; ///< m
    double min_radius_ratio, mean_radius_ratio;
    FrVec3 size;           ///< m
    int32_t histogram[18]; ///< dihedral angles, ten degrees each
    bool closed;           ///< every surface edge has two triangles
    int32_t order;         ///< 2: 10-node tets
} FrMeshNumbers;

FrResult fr_mesh_numbers(FrContext *ctx, const FrTetMesh *mesh, FrMeshNumbers *numbers);
void fr_mesh_print(FrWriter *writer, const FrMeshNumbers *numbers);
/// Fields of one mesh, into an object that is open.
void fr_mesh_json(FrJson *json, const FrMeshNumbers *numbers);
/// Warn where the size of something imported looks like a wrong unit. `unit`: the one in use, m
/// (0: 1). `how`: how to say it, as in "--unit".
void fr_question_size(FrContext *ctx, const char *name, FrVec3 size, double unit, const char *how);
/// Log a warning when a shape of a scene is so large that a unit was forgotten.
void fr_question_lengths(FrContext *ctx, const char *name, FrVec3 size);
