// cook.h: from what a user has to bodies that ring: meshes, materials, modes, assets.
#pragma once
#include "base/bytes.h"
#include "build/build.h"
#include "fracas/studio.h"
#include "score/modes_material.h"
#include "score/modes_source.h"
#include "sound/asset.h"

/// How far a contact may be from the surface, over the size of the body.
#define FR_OFF_SURFACE 0.25

/// One body to be cooked, in any number of materials.
typedef struct FrCook {
    FrContext *ctx;
    FrModesDef job;       ///< the source points at it: a cook is never copied
    FrModesSource source; ///< its tets are made when an asset is first asked for
    FrAsset *ready;       ///< read from a .frm; NULL: from the source
    FrMaterial material;  ///< what the scene or the asset says; name "": nothing
} FrCook;
/// As for `fracas modes`: 10-node tets on the true shape, not too many of them.
FrModesDef fr_ring_modes_def(const FrRingDef *input);
/// What takes no time, so that a wrong material is found before meshing. `input` and `cook` stay
/// where they are.
FrResult fr_cook_open(FrContext *ctx, const FrRingDef *input, FrCook *cook);
FrResult fr_cook_asset(FrCook *cook, const FrMaterial *material, const FrAssetOptions *options,
                       FrAsset **asset);
/// How it moves by modes, of tets as a run has them.
FrResult fr_cook_motion(FrCook *cook, const FrMaterial *material, FrMotion **motion);
void fr_cook_close(FrCook *cook); ///< fine on a zeroed one

/// A tet mesh as it is, of one material; `held` nodes (node_count, NULL: none) do not move.
FrResult fr_cook_mesh(FrContext *ctx, const FrTetMesh *mesh, const uint8_t *held,
                      const FrMaterial *material, const FrAssetOptions *options, FrAsset **asset);
/// A ball: no modes, only its click.
FrResult fr_cook_ball(FrContext *ctx, double radius, const FrMaterial *material, FrAsset **asset);

/// The same modes in another material, by its stiffness, density and damping; what they cannot know
/// of it is warned of. Nothing happens where all constants are the same.
FrResult fr_cook_remake(FrContext *ctx, FrAsset *asset, const FrMaterial *material);
/// Damping that fits how long these tones last (count, 1 to 16).
FrResult fr_cook_tones(FrContext *ctx, FrAsset *asset, const FrTone *tone, int32_t count);
/// Change an asset, whatever body is meant; `scene` (may be NULL): for its own materials.
FrResult fr_cook_change(FrContext *ctx, const FrScene *scene, FrAsset *asset,
                        const FrSoundChangeDef *change);

/// Decibels as a factor. FR_BAD_USE: beyond -200 to 200.
FrResult fr_gain_of(FrContext *ctx, double decibels, double *gain);
