// matrices.h: stiffness and mass of a tet mesh at rest, for linear and 10-node tets.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "sparse/sparse.h"

#define FR_TET_NODES 10

/// What to assemble. All borrowed.
typedef struct FrMatricesDef {
    const FrTetMesh *mesh;
    const FrMaterial *material; ///< of each region (material_count)
    int32_t material_count;
    bool lumped;         ///< mass on the diagonal (10-node tets: as Hinton, Rock, Zienkiewicz)
    const uint8_t *held; ///< nodes that do not move are left out (node_count); NULL: none
} FrMatricesDef;

typedef struct FrMatrices {
    int32_t node_count; ///< nodes that move
    int32_t *node;      ///< their numbers in the mesh, ascending (node_count)
    FrBlockMatrix K;    ///< N/m
    FrBlockMatrix M;    ///< kg
} FrMatrices;
void fr_matrices_free(FrContext *ctx, FrMatrices *matrices);

/// FR_BAD_INPUT: a tet without volume, a floating node, a region without a material. The same bits
/// for any number of workers.
FrResult fr_matrices_assemble(FrContext *ctx, const FrMatricesDef *def, FrMatrices *matrices);

/// Nodes of tet e, corners first, then the mid-nodes of order 2; returns how many (4 or 10).
int32_t fr_tet_nodes(const FrTetMesh *mesh, int32_t e, int32_t node[FR_TET_NODES]);
/// Stiffness of tet e, N/m: rows of 3 nodes numbers. False: its volume is not positive everywhere.
bool fr_tet_stiffness(const FrTetMesh *mesh, int32_t e, const FrMaterial *material, double *K);
/// Mass of tet e between nodes, kg: rows of `nodes` numbers. False: as above.
bool fr_tet_mass(const FrTetMesh *mesh, int32_t e, double density, bool lumped, double *M);

/// Points and weights (their sum is 1) of a rule on a tet, exact for polynomials of degree 5.
#define FR_TET_RULE 14
typedef struct FrTetRule {
    double b[FR_TET_RULE][4]; ///< barycentric
    double weight[FR_TET_RULE];
} FrTetRule;
void fr_tet_rule(FrTetRule *rule);
