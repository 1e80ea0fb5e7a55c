// asset.h: a cooked body that rings: the modes one hears, where they move its surface, what it is
// of.
#pragma once
#include "air/radiate.h"
#include "fracas/bank.h"
#include "fracas/motion.h"
#include "modal/modes.h"

/// An ellipsoid in place of a body.
typedef struct FrProxyAxes {
    double half[3];  ///< half axes with the body's mass and inertia, rising, m
    double rings[3]; ///< of what is heard, which has the body's lowest tone, m
    FrQuat turn;     ///< from its axes to the body's
} FrProxyAxes;

struct FrAsset {
    FrContext *ctx;
    FrAssetInfo info;
    double *lambda;    ///< squared angular frequency, 1/s^2, by fr_heard_shares (mode_count)
    double *coupling;  ///< a_i, speed of the surface per displacement of the mode, kg^-1/2/s
    float *x;          ///< surface points, m (3 * vertex_count)
    int32_t (*tri)[3]; ///< counter-clockwise seen from outside (tri_count)
    float (*ball)[4];  ///< around each triangle: middle and radius, m; fr_asset_balls makes them
    float *shape;      ///< kg^-1/2: point after point, mode after mode, xyz
    FrVec3 place[3];   ///< rim, top and centre of the body that it was made of, m
    int32_t *made_of;  ///< the mode of FrModes that each mode was; all 0 where it was read
    FrProxyAxes proxy; ///< of one that borrows its sound; half 0: of its own
    FrRadiation *radiation; ///< how its modes go out into the air; NULL: as fr_air_gain says
};

/// A point of the surface.
typedef struct FrSpot {
    int32_t tri;
    double b[3];
    double away; ///< how far it is from what was asked for, m
} FrSpot;

/// Which modes are worth keeping. Zeros: 20 Hz to 20 kHz, no more than 1000.
typedef struct FrAssetOptions {
    double lowest, highest; ///< Hz
    int32_t most_modes;
    bool radiate; ///< for cooks: how its modes go out into the air, too
} FrAssetOptions;

/// Nodes of `modes` are those of `mesh`. A body without modes in the band still clicks.
FrResult fr_asset_make(FrContext *ctx, const FrTetMesh *mesh, const FrModes *modes,
                       const FrMaterial *material, const FrAssetOptions *options, FrAsset **asset);
/// The bytes of a .frm file; *bytes from ctx, given back with fr_free. With how it moves, unless
/// NULL.
FrResult fr_asset_save(const FrAsset *asset, const FrMotion *motion, uint8_t **bytes, size_t *size);
FrResult fr_asset_copy(FrContext *ctx, const FrAsset *from, FrAsset **to);
/// Leave away modes beyond the band (0: no end of it) and, of those first of which most is heard,
/// all after `most_modes` (0: none).
FrResult fr_asset_keep(FrAsset *asset, const FrAssetOptions *options);
/// How many points a .frm file of this body should have to be small.
int32_t fr_asset_points(const FrAsset *asset);
/// The same tones and levels, but no more than so many surface points to be hit at.
FrResult fr_asset_thin(FrContext *ctx, const FrAsset *from, int32_t most_points, FrAsset **to);

/// How its modes go out into the air, from the mesh and the modes that it was just made of.
/// FR_BAD_INPUT: its surface is not closed.
FrResult fr_asset_radiate(FrAsset *asset, const FrTetMesh *mesh, const FrModes *modes,
                          FrRadiateReport *report);

/// `to` gets the radiation of `from` (may be the same): modes `mode` (to->info.mode_count; NULL: as
/// they are), lengths times `size`, shapes times `shape`.
FrResult fr_asset_change_air(const FrAsset *from, FrAsset *to, const int32_t *mode, double size,
                             double shape);

/// From now on of another context with the same memory: what was made side by side (base/each.h).
void fr_asset_adopt(FrAsset *asset, FrContext *ctx);

/// An asset with arrays of these sizes, all zero.
FrResult fr_asset_alloc(FrContext *ctx, const FrAssetInfo *info, FrAsset **asset);

/// After points or triangles were set.
void fr_asset_balls(FrAsset *asset);
/// Find rim, top and centre (FrStrikePlace), after fr_asset_balls, on a surface that is not
/// thinned.
void fr_asset_places(FrAsset *asset);
/// The nearest point of the surface.
FrSpot fr_asset_nearest(const FrAsset *asset, FrVec3 at);
/// Where a push at this place acts: there, or on a proxy where its surface faces the push
/// [S7 eq. 23] (E55).
FrSpot fr_asset_struck(const FrAsset *asset, FrVec3 at, FrVec3 push);
FrVec3 fr_asset_spot(const FrAsset *asset, const FrSpot *spot); ///< where it is, m
FrVec3 fr_asset_normal(const FrAsset *asset, int32_t tri);      ///< unit, outward
/// What mode i takes up of a push at a spot: b1 w_1 . f + b2 w_2 . f + b3 w_3 . f
double fr_asset_weight(const FrAsset *asset, const FrSpot *spot, int32_t i, FrVec3 f);
/// c of mode i, 1/s
double fr_asset_damping(const FrAsset *asset, int32_t i);
