// fracas/crack.h: how a body breaks: one struct, the same in programs and, key by key, in scenes.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/base.h"
#include <math.h>

FR_EXTERN_C_BEGIN

/// For numbers that may be left open (null in scenes): a value that fits the body is chosen.
#define FR_CHOSEN ((double)NAN)

/// A crack that is there from the start: a disc, in the frame of the mesh.
typedef struct FrPreCut {
    FrVec3 centre; ///< m
    FrVec3 normal; ///< unit
    double radius; ///< m
} FrPreCut;

/// What decides that a node fails, and across which plane.
typedef enum FrCriterionKind {
    FR_CRITERION_SEPARATION, ///< the separation tensor: how the tets round a node tear at it
} FrCriterionKind;

/// When nodes fail.
typedef struct FrCrackCriterion {
    FrCriterionKind kind; ///< what decides
    bool elastic_only;    ///< the viscous stress does not count
    double scan_interval; ///< s between scans for nodes that fail; 0: every substep; FR_CHOSEN:
                          ///< half of what a pressure wave takes along an edge of the median tet,
                          ///< but twice the first stable step at least
} FrCrackCriterion;

/// How the mesh follows a crack.
typedef struct FrCrackRemeshing {
    double snap_distance; ///< cuts this near a node go through it; fraction of the local edge, 0 to
                          ///< 0.49; FR_CHOSEN: 0.05 of brittle walls, else 0.1
    double snap_angle;    ///< likewise by angle, rad, 0 to 1
    double snap_part;     ///< where cuts would leave flat tets: go through nodes that are within
                          ///< this part of the way that the cut would have to move, 0 to 0.5
    double together;   ///< cuts of edges this near each other move alike; fraction of the edge, 0
                       ///< to 1; FR_CHOSEN: 0.4 of brittle walls, else 0
    bool move;         ///< nodes that cracks go through move onto their plane, where they can
    double straight;   ///< weight of a crack's own direction against that of the stress ahead, 0 to
                       ///< 10
    double back_angle; ///< a crack does not run back along an old one by less than this, rad, 0 to
                       ///< 1.5
    double min_height; ///< least height of the tets that cuts leave, over that of the tets they
                       ///< came from in the first mesh, 0.001 to 1
} FrCrackRemeshing;

/// What becomes of small pieces. Volumes are multiples of the mean tet of the body's mesh.
typedef struct FrCrackPieces {
    double rigid_piece; ///< mean tets: smaller pieces move as rigid ones from then on; FR_CHOSEN:
                        ///< 24 for each layer of tets of a brittle wall, else twice min_piece
    double dust_piece;  ///< mean tets: smaller pieces leave as dust instead; 0: none
    double dust_mass;   ///< share of the body's mass that may leave so, 0 to 0.01
} FrCrackPieces;

/// What keeps steps long while a body breaks: mass scaling.
typedef struct FrCrackCost {
    double step_floor; ///< least stable step, over that before the first cut, 0 to 1; 0: no floor
    double added_mass; ///< share of the body's mass that may be added for it, 0 to 0.01
} FrCrackCost;

/// Where cracks of a body that shatters run.
typedef enum FrShatterStyle {
    FR_SHATTER_STRESS,  ///< across the largest tension
    FR_SHATTER_RADIAL,  ///< out from where it was struck
    FR_SHATTER_RING,    ///< round that place
    FR_SHATTER_SPLINTER ///< along its grain, or its longest side
} FrShatterStyle;

/// How a blow shatters a body of the model shatter.
typedef struct FrCrackShatter {
    double eta;           ///< share of the elastic energy at the break that cracks may take, 0 to 1
    double exponent;      ///< of the energy density in the weights of regions: more, and pieces are
                          ///< smaller where it was struck, 0 to 2
    FrShatterStyle style; ///< what regions follow
    double stretch;       ///< how much they do, 0 to 20; 0: round ones
    double least;         ///< m: pieces smaller than a cube with this edge do not break again;
                          ///< FR_CHOSEN: as small as two that bending waves unload
    double dust;  ///< m: pieces smaller than a cube with this edge leave as dust; 0: none do
    bool release; ///< what is left of the energy drives the pieces apart
    bool literal; ///< as S7 prints it: a blow is its impulse over a macro step, at rest
    int32_t kin;  ///< pieces of one body have the same, and its axes: set when it falls apart; 0
} FrCrackShatter;

/// How a body breaks; how strong it is, its materials say (strength or tau above 0). Start from
/// fr_crack_def_default(). The first fields are those to try first; the groups hold the rest.
typedef struct FrCrackDef {
    bool off;         ///< it never breaks
    bool along_faces; ///< no remeshing: cracks follow the faces of the mesh
    bool upright; ///< cracks of brittle walls of one or two tets stand upright in them; then such
                  ///< bodies have values of their own for what is FR_CHOSEN (docs/scene.md)
    double residual;  ///< of what exceeds the limit, passed on to the crack's front, 0 to 1;
                      ///< FR_CHOSEN: what the materials say (crack_alpha)
    FrVec3 toughness; ///< along the axes of `cleavage`, as multiples of the strength: cracks turn
                      ///< towards a plane across the weakest, part of the way (docs/scene.md)
    FrVec3 cleavage;  ///< rad: turn of those axes about x, then y, then z, in the frame of the mesh
    double min_piece; ///< mean tets: no cut frees a smaller piece; FR_CHOSEN: 3 for each layer of
                      ///< tets of a brittle wall without dust, else 1
    double settle;    ///< s: when nothing broke for so long after a crack that a load opened, loose
                      ///< pieces move as rigid ones from then on, and supported ones stand still,
    ///< until a blow may break them, what is in one piece until another body touches
    ///< it; where it yields supported ones rest once they were slow for so long,
    ///< until they are struck; 0: never; FR_CHOSEN: one oscillation of a brittle
    ///< wall, else never
    FrCrackCriterion criterion; ///< when a node fails
    FrCrackRemeshing remeshing; ///< how cuts go through the mesh
    FrCrackPieces pieces;       ///< what becomes of small pieces
    FrCrackCost cost;           ///< what keeps steps long
    FrCrackShatter shatter;     ///< of the model shatter alone; it takes `off`, `toughness`,
                                ///< `cleavage`, `weak` and `seed` besides
    const double *weak;         ///< factor on the strength of each tet of the mesh; copied; NULL: 1
    const FrPreCut *cut;        ///< (cut_count); used while the body is made
    int32_t cut_count;          ///< 0: no crack from the start
    const FrVec3 *seed;         ///< of the model shatter: places in pieces of their own when it
                                ///< breaks, frame of the mesh, m; copied (seed_count)
    int32_t seed_count;         ///< 0: chance chooses all
} FrCrackDef;

/// Breaks by remeshing, equally tough in all directions; what fits the body is chosen. A scene that
/// says nothing about `crack` has the same.
FR_API FrCrackDef fr_crack_def_default(void);

FR_EXTERN_C_END
