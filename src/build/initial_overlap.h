// initial_overlap.h: what bodies share with each other: those that began or ended inside others.
#pragma once
#include "base/array.h"
#include "fracas/world.h"
#include "scene/scene.h"

/// Share of its volume from which a body counts as inside another, or under a plane.
#define FR_SUNK 0.5

typedef struct FrSharedVolume {
    int32_t a, b;   ///< bodies of the view, a != b
    double volume;  ///< that both fill, m^3
    double largest; ///< of one tet with one tet, m^3
    double depth;   ///< the largest of one tet with one tet, m: no more than they are thick
} FrSharedVolume;

typedef FR_ARRAY(FrSharedVolume) FrSharedVolumes;

/// All pairs of bodies and spheres that overlap where they stand; planes are left out.
FrResult fr_find_shared(FrContext *ctx, const FrFrameView *view, FrSharedVolumes *shared);

/// Does nothing that happens move the body or sphere of this name?
bool fr_stays(const FrScene *scene, const char *name);

/// Pairs of which one has more than half of its volume inside the other, or that are deeper in each
/// other than the thinner wall of the two: contact did not keep them apart. Warns by name, and
/// writes a line for each, "inner outer share depth": bodies of the view, the share of the inner
/// one's volume, and m; 0: not deeper than a wall.
FrResult fr_find_sunk(FrContext *ctx, const FrScene *scene, const FrFrameView *view,
                      FrWriter *lines);
