// load_stress.h: what a load does to a body that is free in space: how it gives, which stress that
// makes in it, and the stress of each of its modes. On 10-node tets; results stand at the corner
// nodes.
//
// A free body that is pushed is accelerated: loads are balanced by inertia (g = P_M f, E48) before
// anything is solved.
#pragma once
#include "geom/field.h"
#include "modal/compute.h"

/// What to prepare. All borrowed; nothing of it is needed later.
typedef struct FrStressDef {
    const FrTetMesh *mesh;      ///< order 1: the mesh that is cut; results stand at its nodes
    const FrField *shape;       ///< mid-nodes go onto it; NULL: straight edges
    const FrMaterial *material; ///< of each region (material_count)
    int32_t material_count;
    const uint8_t *held; ///< corner nodes that do not move (node_count); NULL: the body is free
    double max_hz;       ///< modes up to here, undamped; 0: FR_MODES_MAX_HZ
    int32_t most_modes;  ///< at most; 0: no limit but max_hz
} FrStressDef;

/// Modes, their stress, and the factor that static answers come from.
typedef struct FrStressModel FrStressModel;

/// FR_BAD_USE: the context has no back end.
FrResult fr_stress_create(FrContext *ctx, const FrStressDef *def, FrStressModel **model);
void fr_stress_destroy(FrStressModel *model); ///< accepts NULL; gone with its last owner
/// One more owner: pushes of all of them come one at a time. Returns it.
FrStressModel *fr_stress_share(FrStressModel *model);
/// It was made in another context, which lives on; from now on this one works for it.
void fr_stress_move(FrStressModel *model, FrContext *ctx);
/// Bytes that it holds.
size_t fr_stress_bytes(const FrStressModel *model);

/// The modes of a stress model; borrowed.
typedef struct FrStressModes {
    int32_t node_count;    ///< corner nodes
    int32_t count;         ///< modes, ascending
    const double *lambda;  ///< squared angular frequency, 1/s^2 (count)
    const double *damping; ///< c = alpha1 lambda + alpha2 + eta sqrt(lambda), 1/s (count)
    const float *shape;    ///< corner nodes, mode after mode, kg^-1/2 (3 * node_count * count)
    const float *stress;   ///< per modal displacement, order xx yy zz yz zx xy, mode after mode, Pa
                           ///< kg^1/2 / m (6 * node_count * count)
    const double *most;    ///< largest |principal stress| of each mode over the nodes (count)
    const int32_t *region; ///< whose stress stands at each node: stress is no average over regions
                           ///< of different stiffness (node_count)
} FrStressModes;
FrStressModes fr_stress_modes(const FrStressModel *model);

/// A push along `n` on the surface, spread over a disc.
typedef struct FrStressLoad {
    FrVec3 x;      ///< middle, axes of the mesh, m
    FrVec3 n;      ///< unit
    double radius; ///< of the disc about the surface point nearest to x, m; one far below the size
                   ///< of a triangle is a point. Sides that look another way take no part
} FrStressLoad;

/// Pushes that act together: 1 N in all.
typedef struct FrStressLoads {
    const FrStressLoad *load; ///< (count)
    const double *share;      ///< of each; their sum is 1 (count)
    int32_t count;
} FrStressLoads;

/// What they do.
typedef struct FrStressAnswer {
    double *w;           ///< what each mode takes up of it: shape . load, kg^-1/2 (mode count)
    double compliance;   ///< all modes together, rigid motion left out: f' u, m/N
    double left;         ///< of that, what the modes of the model leave out, m/N (>= 0)
    FrSym3 *stress;      ///< static, at the corner nodes, Pa/N (node_count)
    FrSym3 *stress_left; ///< of that, what the modes leave out (node_count)
    double residual;     ///< |K u - g| / |g|
} FrStressAnswer;
void fr_stress_answer_free(FrContext *ctx, FrStressAnswer *answer);
/// All of them, with what each does to the others, in one solve; one call at a time of a model.
/// FR_NUMERICAL: the residual stays above 1e-8.
FrResult fr_stress_push(FrStressModel *model, const FrStressLoads *all, FrStressAnswer *answer);

/// What acts on a body slowly, all at once.
typedef struct FrStressStill {
    const FrStressLoad *load; ///< pushes (load_count)
    const double *force;      ///< of each, N
    int32_t load_count;
    FrVec3 weight;       ///< what pulls all of it, m/s^2, axes of the mesh
    const double *moved; ///< displacement of corner nodes that are held, m (3 * node_count); NULL:
                         ///< they stay where they are
    bool even; ///< what is left of the loads on a free body stands on all its nodes alike, as S7
               ///< has it, not on its mass
} FrStressStill;
/// Static: stress at the corner nodes, Pa (node_count), and the elastic energy, J. A free body is
/// accelerated by what is left of the loads. FR_NUMERICAL: as of fr_stress_push.
FrResult fr_stress_still(FrStressModel *model, const FrStressStill *still, FrSym3 *stress,
                         double *energy);

/// What each mode takes up of the push alone, without a solve: w (mode count). Several threads may
/// ask.
void fr_stress_weights(const FrStressModel *model, const FrStressLoad *load, double *w);

/// The field sum_i q_i S_i + force * S_left at the corner nodes, Pa (node_count). `left` may be
/// NULL. In parallel, the same bits for any number of workers.
void fr_stress_field(const FrStressModel *model, const double *q, double force, const FrSym3 *left,
                     FrSym3 *stress);
/// Elastic energy density at a node with this stress and material, J/m^3.
double fr_stress_density(const FrMaterial *material, FrSym3 stress);
