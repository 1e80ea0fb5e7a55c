// fracture.h: a deformable body that breaks: finds nodes that fail, splits them, passes on what is
// left over, after every step.
#pragma once
#include "fracture/criterion.h"
#include "base/bytes.h"
#include "cut/break_result.h"
#include "cut/labels.h"
#include "cut/pieces.h"
#include "fracas/crack.h"
#include "fem/step_cost.h"

typedef struct FrFractureDef {
    FrCutMesh *cut;               ///< the body's mesh, at rest, whole; stays the caller's
    FrPieces *pieces;             ///< of it; likewise
    const FrToughness *toughness; ///< one per material (material_count), copied
    int32_t material_count;
    FrCrackDef crack; ///< how it breaks; `toughness` has what materials and crack say of that;
                      ///< criterion.scan_interval and cost are the caller's to keep
    bool everywhere;  ///< scan every node, and skip none by what was known before: for tests
    double pace;      ///< of scans, over how fast stresses change: below 1 nodes wait
    bool each_time;   ///< no node waits (fr_fracture_wait): for tests
    const FrCriterion *criterion; ///< what decides; the table lives on (fr_criterion_separation)
    int32_t generations; ///< splits that follow from each other within one step, at most (8)
} FrFractureDef;
FrFractureDef fr_fracture_def_default(void);

typedef struct FrFracture FrFracture;

/// `fem`, def->cut and def->pieces stay the caller's and are cut by fr_fracture_step; they live
/// longer.
FrResult fr_fracture_create(FrContext *ctx, FrFem *fem, const FrFractureDef *def,
                            FrFracture **fracture);
void fr_fracture_destroy(FrFracture *fracture); ///< accepts NULL

/// Break what has to break, as the body stands now, at time t s [M6]. The same bits for any number
/// of workers.
FrResult fr_fracture_step(FrFracture *fracture, double t, FrBreakResult *result);
/// Is it in one piece?
bool fr_fracture_is_whole(const FrFracture *fracture);
/// Has nothing broken for FrCrackDef.settle of a body that cracked and is still in one piece, of
/// material that does not flow?
bool fr_fracture_whole_is_quiet(const FrFracture *fracture, double t);
/// Then it may be rigid, or stand, as loose pieces do by themselves. Only the caller knows whether
/// something bends it too slowly for a blow to show it.
FrResult fr_fracture_settle_whole(FrFracture *fracture);
/// Is the tet of a piece that is rigid, or stands, only because nothing broke for
/// FrCrackDef.settle? Not of material that flows.
bool fr_fracture_is_settled(const FrFracture *fracture, int32_t tet);
/// May it break the piece of that tet?
bool fr_fracture_feels(const FrFracture *fracture, int32_t tet, FrBlow blow);
/// The piece of that tet bends again, and settles no sooner than FrCrackDef.settle from t on.
/// `first`: none of the body had since it settled.
FrResult fr_fracture_wake(FrFracture *fracture, int32_t tet, FrPieceCause cause, double t,
                          FrVec3 gravity, bool *first);
/// Nothing of it settles sooner than FrCrackDef.settle from t on, s.
void fr_fracture_put_off(FrFracture *fracture, double t);
/// How it breaks, with what was chosen where its def left it open; without `weak` and `cut`.
FrCrackDef fr_fracture_settings(const FrFracture *fracture);
/// Is it of material that flows, and does it settle?
bool fr_fracture_settles(const FrFracture *fracture);
/// For how long the deforming part of it has to be slow before it may rest (fr_fem_stay), s:
/// material that flows, with `settle_time`, once no loose piece of it bends; HUGE_VAL: it may not.
double fr_fracture_patience(const FrFracture *fracture);
/// Draw the pieces that left at the last scan together in points: once they were reported.
FrResult fr_fracture_shrink_dust(FrFracture *fracture);
/// A crack that is there from the start: a disc (present frame, m), moved along its normal to a
/// node near its centre. All that it covers is cut. No crack is reported, the log is: empty where
/// the disc goes past the body. Pieces are reported, and bend until fr_fracture_set_off.
FrResult fr_fracture_precut(FrFracture *fracture, FrVec3 centre, FrVec3 normal, double radius,
                            FrBreakResult *result);

/// Cut at once along the borders of regions of its nodes, whatever it stands. As fr_fracture_step,
/// without a scan; the log is empty where no border goes through a tet.
FrResult fr_fracture_sever(FrFracture *fracture, const FrLabels *labels, double t,
                           FrBreakResult *result);

/// Once supports are on the body, before its first step: small pieces that were cut off and are not
/// held leave as dust, or are rigid.
FrResult fr_fracture_set_off(FrFracture *fracture, FrBreakResult *result);

/// How each node stands (node_count of the body): value over limit, 0 where it cannot fail.
void fr_fracture_loads(FrFracture *fracture, double *load);

/// What later scans depend on, besides the body, its cut mesh and its pieces. Load after these.
void fr_fracture_save(const FrFracture *fracture, FrWriter *writer);
FrResult fr_fracture_load(FrFracture *fracture, FrReader *reader);
/// The same of a body that was never cut.
void fr_fracture_save_whole(const FrFracture *fracture, FrWriter *writer);
FrResult fr_fracture_load_whole(FrFracture *fracture, FrReader *reader);
