// solid_tree_portable.c: questions to a tree of triangles, for every processor.
#define FR_TREE_QUERIES fr_tree_queries_portable
#include "geom/solid_tree_loop.h"
