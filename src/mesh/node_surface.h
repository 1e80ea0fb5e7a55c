// node_surface.h: the surface at a node of a mesh that is cut: what is free, and where a crack
// ends.
#pragma once
#include "mesh/split.h"

#define FR_FRONT_ENDS 8

typedef struct FrNodeSurface {
    FrSym3 outer; ///< sum of s s' over faces on the surface since the start, by area, trace 1; or 0
    FrSym3 crack; ///< likewise over sides of cracks
    FrVec3 along; ///< direction of that crack's front; zero: none, or several
    int32_t end[FR_FRONT_ENDS]; ///< other ends of the edges at the node that are the front
    int32_t ends;
} FrNodeSurface;

/// `p`: where the nodes are, m. Costs in proportion to the star; can be called by several workers.
void fr_node_surface(const FrCutMesh *cut, const double *p, int32_t node, FrNodeSurface *surface);

/// Sides of cracks at one node that are looked at, one by one.
#define FR_CRACK_SIDES 64
typedef struct FrNodeCrack {
    FrSym3 faces;                 ///< FrNodeSurface.crack
    FrVec3 side[FR_CRACK_SIDES];  ///< twice the area vectors of its faces, m^2
    int32_t sides;
} FrNodeCrack;
/// Only the sides of cracks; false: a crack ends at the node, and they are not known. Several times
/// cheaper. `open`: bit i of each tet: its face i is a side of a crack.
bool fr_node_crack(const FrCutMesh *cut, const uint8_t *open, const double *p, int32_t node,
                   FrNodeCrack *crack);
