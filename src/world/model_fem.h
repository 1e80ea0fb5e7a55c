// model_fem.h: the state behind a body of the fem row; for the files of that row, and for tests.
#pragma once
#include "base/array.h"
#include "fem/fem.h"
#include "fem/step_cost.h"
#include "fracture/fracture.h"
#include "world/model.h"

typedef struct FrFemBody {
    FrContext *ctx;
    FrFem *fem;
    FrFracture *fracture; ///< NULL: does not break
    double interval;      ///< between scans for nodes that fail, s; 0: every substep
    FrContactTraits traits;
    FR_ARRAY(FrFem *) together; ///< scratch: bodies that step with this one, itself first
} FrFemBody;

static inline FrFem *fr_fem_of(const void *state) { return ((const FrFemBody *)state)->fem; }
static inline FrFracture *fr_fracture_of(const void *state) {
    return ((const FrFemBody *)state)->fracture;
}

/// Mean edge of a tet, m.
double fr_fem_tet_edge(const FrShapeView *view, int32_t tet);
/// What contact needs to know of a solid of this def, nodes as in `view`; mass in kg.
FrResult fr_fem_traits_of(FrContext *ctx, const FrBodyDef *def, const FrShapeView *view,
                          double mass, FrContactTraits *traits);
/// lambda + 2 mu, Pa.
double fr_fem_squeeze_modulus(const FrMaterial *material);

extern const FrSolidOps fr_fem_solid_ops;
extern const FrFlightOps fr_fem_flight_ops;
extern const FrPieceOps fr_fem_piece_ops;
extern const FrBreakOps fr_fem_break_ops;
