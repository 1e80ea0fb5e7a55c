// node_surface.h: the surface at a node of a mesh that is cut: what is free, and where a crack
// ends.
#pragma once
#include "base/array.h"
#include "cut/split.h"

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

/// A face at a node that is the side of a crack.
typedef struct FrCrackSide {
    int32_t u, w;         ///< its other corners
    uint64_t same, other; ///< earlier sides of the node (the first 64) that meet it at an edge: u
                          ///< or w in the same place of both, in the other
} FrCrackSide;
/// Those at all nodes; they change by cuts alone.
typedef struct FrCrackSides {
    FR_ARRAY(FrCrackSide) side;
    FR_ARRAY(int32_t) first; ///< of each node, and one more
} FrCrackSides;
/// List them anew. `open`: bit i of each tet: its face i is a side of a crack. False: no memory.
bool fr_crack_sides_list(FrContext *ctx, const FrCutMesh *cut, const uint8_t *open,
                         FrCrackSides *sides);
void fr_crack_sides_free(FrContext *ctx, FrCrackSides *sides);

/// Sides of cracks at one node that are looked at, one by one.
#define FR_SIDES 64
typedef struct FrNodeCrack {
    FrSym3 faces;          ///< FrNodeSurface.crack
    FrVec3 side[FR_SIDES]; ///< twice the area vectors of its faces, m^2
    int32_t sides;
} FrNodeCrack;
/// How they lie; false: a crack ends at the node, and it is not known. Several times cheaper than
/// all of the surface.
bool fr_node_crack(const FrCrackSides *sides, const double *p, int32_t node, FrNodeCrack *crack);
