// solid_tree_avx2.c: questions to a tree of triangles, with AVX2.
#define FR_TREE_QUERIES fr_tree_queries_avx2
#include "geom/solid_tree_loop.h"
