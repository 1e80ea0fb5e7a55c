// stress_model.h: what a stress model holds; only the files of modal/load_stress.h look inside, and
// tests.
#pragma once
#include "math/vec.h"
#include "modal/load_stress.h"
#include <stdatomic.h>

/// What one tet says of the displacement gradient at a corner of its own: for each other corner j,
/// (4 u_mid - u_j - 3 u_corner) g_j'.
typedef struct FrStressPart {
    int32_t other[3], mid[3]; ///< nodes of the mesh with mid-nodes
    FrVec3 g[3];              ///< gradient of each other corner's weight there, times the share of
                              ///< the tet in the node's average, 1/m
} FrStressPart;

/// From displacement to stress at corner nodes.
typedef struct FrStressNodes {
    int32_t node_count; ///< corner nodes
    int32_t *start;     ///< parts of each node: start[n] .. start[n + 1] - 1 (node_count + 1)
    FrStressPart *part; ///< (start[node_count])
    int32_t *region;    ///< whose stress stands at each node (node_count)
    const FrMaterial *material; ///< of each region; the model's
} FrStressNodes;

FrResult fr_stress_nodes_create(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                                int32_t material_count, FrStressNodes *nodes);
void fr_stress_nodes_free(FrContext *ctx, FrStressNodes *nodes);
/// Small displacements u of all nodes, mid-nodes too, m (3 * mesh node_count): stress at corner
/// node n, Pa.
FrSym3 fr_stress_at_node(const FrStressNodes *nodes, int32_t n, const double *u);

/// A triangle of the surface, its mid-nodes ab, bc, ca last.
typedef struct FrStressTri {
    int32_t node[6]; ///< of the surface
    FrVec3 normal;   ///< of the flat triangle, unit
    FrVec3 middle;   ///< of its corners, m
    double reach;    ///< of its corners from there, m
    double area;     ///< m^2
} FrStressTri;

/// The surface with its mid-nodes: what loads stand on.
typedef struct FrStressSkin {
    int32_t node_count, tri_count;
    int32_t *node;    ///< nodes of the mesh (node_count)
    double *x;        ///< m (3 * node_count)
    FrStressTri *tri; ///< (tri_count)
} FrStressSkin;

static inline void fr_stress_corners(const FrStressSkin *skin, const FrStressTri *tri,
                                     FrVec3 corner[3]) {
    for (int i = 0; i < 3; i++) corner[i] = fr_get3(skin->x, tri->node[i]);
}

FrResult fr_stress_skin_create(FrContext *ctx, const FrTetMesh *mesh, FrStressSkin *skin);
void fr_stress_skin_free(FrContext *ctx, FrStressSkin *skin);

/// Shares of a load of 1 that stand on the nodes of one triangle.
typedef void FrStressShareFn(void *user, const int32_t node[6], const double share[6]);
/// Spread a load of 1 over the disc about x: the shares of all triangles add up to 1, and where the
/// surface is wide enough the middle of the load is the surface point nearest to x.
void fr_stress_spread(const FrStressSkin *skin, FrVec3 x, double radius, FrStressShareFn *share,
                      void *user);

/// Static answers: K u = g under inertia relief, for E = rho = 1 of the first material.
typedef struct FrStressStatic {
    FrContext *ctx;
    const FrSparseSolver *solver;
    FrModalSystem system;
    FrFactor *factor;       ///< of K - shift M
    double shift;           ///< < 0; 0: held, K itself
    int32_t size;           ///< unknowns
    double *MR;             ///< M times the rigid motions (size * rigid count)
    double *r, *z, *p, *Kp; ///< of one solve (size each)
} FrStressStatic;

/// What is known when static answers are prepared.
typedef struct FrStressStart {
    double lowest;    ///< of the squared frequencies, at least so much, in units of the system
    FrFactor *factor; ///< of K - shift M, taken over; NULL: none
    double shift;     ///< < 0
} FrStressStart;
/// Takes the system and the factor over, also where it fails. Makes a factor of its own where the
/// shift of the other is too near to the lowest.
FrResult fr_stress_static_create(FrContext *ctx, FrModalSystem *system, const FrStressStart *start,
                                 FrStressStatic *s);
void fr_stress_static_free(FrStressStatic *s); ///< fine on a zeroed one
/// f -> P_M f = f - M R R' f: what is left when the body is free to follow.
void fr_stress_balance(const FrStressStatic *s, double *f);

/// f -> P f: its rigid part taken off by what stands on all nodes alike. [S7 eq. 3]
FrResult fr_stress_balance_even(const FrStressStatic *s, double *f);

/// How a solve went.
typedef struct FrStressSolve {
    int32_t steps;   ///< of conjugate gradients
    double residual; ///< |K u - g| / |g|
} FrStressSolve;
/// K u = g of a balanced g, u M-orthogonal to rigid motions (size each). FR_NUMERICAL: the residual
/// stays above `tolerance`.
FrResult fr_stress_solve(FrStressStatic *s, const double *g, double tolerance, double *u,
                         FrStressSolve *report);

struct FrStressModel {
    FrContext *ctx;
    atomic_int sharers;   ///< owners besides the first
    FrTetMesh mesh;       ///< with mid-nodes
    FrMaterial *material; ///< of each region (material_count)
    int32_t material_count;
    FrStressNodes nodes;
    FrStressSkin skin;
    FrStressStatic fixed;            ///< what stands still: static answers
    int32_t count;                   ///< modes
    double *lambda, *damping, *most; ///< see FrStressModes (count each)
    float *shape, *stress;           ///< see FrStressModes
    float *skin_shape; ///< of surface nodes, all modes side by side, kg^-1/2 (3 * skin.node_count *
                       ///< count)
    double *f, *u;     ///< load and answer of one push (fixed.size each)
    double *q;         ///< (count)
    double *everywhere; ///< the answer at all nodes of the mesh (3 * mesh.node_count)
    FrMatrices full;    ///< of all nodes, held ones too, once supports have moved (stress_still.c)
    bool has_full;
};
