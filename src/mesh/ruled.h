// ruled.h: which shapes a rule meshes, and tets by that rule.
#pragma once
#include "geom/placed_shape.h"
#include "mesh/tetmesh.h"

/// Can this shape be meshed by rule, with its edges kept sharp?
bool fr_has_rule(const FrShapeInfo *info);
/// False where its sides are much shorter than the cells (m), which would make slivers and short
/// steps.
bool fr_rule_is_good(const FrShapeInfo *info, double cells);
/// Can its points lie here and there?
bool fr_has_scatter(const FrShapeInfo *info);
/// Tets by the rule of a shape that has one, edges near `cells`, m.
FrResult fr_tets_by_rule(FrContext *ctx, const FrPlacedShape *placed, double cells,
                         FrTetMesh *mesh);
/// The same with points that lie here and there, so that no direction is special.
FrResult fr_tets_scattered(FrContext *ctx, const FrPlacedShape *placed, double cells,
                           FrTetMesh *mesh);
