// tear.h: a corot body that tears along faces of its mesh [S5 section 4] [M13].
#pragma once
#include "base/bytes.h"
#include "corot/corot.h"
#include "cut/break_result.h"
#include "cut/pieces.h"
#include "cut/tet_state.h"
#include "fracas/crack.h"

/// How one material tears.
typedef struct FrTearMaterial {
    double strength;  ///< Pa; 0: it does not
    double Gc;        ///< J/m^2; 0: cracks cost nothing
    double young;     ///< Pa
    bool directional; ///< A is used
    FrMat3 A;         ///< scale of stresses, axes of the mesh
} FrTearMaterial;

typedef struct FrTearDef {
    FrCutMesh *cut;                 ///< the body's mesh, whole; stays the caller's
    FrPieces *pieces;               ///< of it; likewise
    const FrTearMaterial *material; ///< one per material (material_count), copied
    int32_t material_count;
    const FrCrackDef *crack; ///< weak and min_piece of it count
    FrTetJudge *judge;       ///< what decides (fr_tear_tension)
    uint64_t seed;           ///< of which corner a crack goes through
} FrTearDef;

typedef struct FrTear FrTear;

/// A corot body with what tears it.
typedef struct FrCorotBody {
    FrContext *ctx;
    FrCorot *corot;
    FrTear *tear;     ///< NULL: it never breaks
    FrCrackDef crack; ///< how it breaks
} FrCorotBody;

/// The largest principal stress, across its axis.                              [S5 section 4]
FrTetState fr_tear_tension(FrSym3 stress, double limit);

/// `body`, def->cut and def->pieces live longer.
FrResult fr_tear_create(FrContext *ctx, FrCorot *body, const FrTearDef *def, FrTear **tear);
void fr_tear_destroy(FrTear *tear); ///< accepts NULL
/// Tear what has to tear, as the body stands now, at time t s. The same bits for any number of
/// workers.
FrResult fr_tear_step(FrTear *tear, double t, FrBreakResult *result);
/// How the tets round each node stand: the largest value over limit (node_count of the body).
void fr_tear_loads(FrTear *tear, double *load);
const FrCutMesh *fr_tear_mesh(const FrTear *tear);
/// Does it hang together by faces?
bool fr_tear_is_whole(const FrTear *tear);
/// What later tears depend on, besides the body, its cut mesh and its pieces. Load after these.
void fr_tear_save(const FrTear *tear, FrWriter *writer);
FrResult fr_tear_load(FrTear *tear, FrReader *reader);
