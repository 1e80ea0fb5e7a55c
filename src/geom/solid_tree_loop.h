// solid_tree_loop.h: what a tree of triangles is asked most, in one table. Compiled twice, with and
// without AVX2: same bits.
#pragma once
#include "geom/nearest_loop.h"
#include "geom/turns_loop.h"
#include "geom/winding_loop.h"

const FrTreeQueries FR_TREE_QUERIES = {nearest2, turns, winding, winding_gradient};
