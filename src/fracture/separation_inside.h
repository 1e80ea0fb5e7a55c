// separation_inside.h: what the separation criterion and bounds on it share.
#pragma once
#include "fracture/separation_criterion.h"
#include "fracture/fracture_tuning.h"

static inline int fr_corner_of(const int32_t *nodes, int32_t node) {
    for (int i = 0; i < 3; i++)
        if (nodes[i] == node) return i;
    return 3;
}
/// Does a face of the tet open at the node?
bool fr_opens_at(const FrBreakable *body, int32_t tet, int32_t node);
bool fr_is_torn(const FrBreakable *body, int32_t node); ///< does one of any tet?
/// Twice the present area vector of the face opposite a corner, outwards, m^2.
FrVec3 fr_face_area(const FrShapeView *view, const int32_t *nodes, int corner);
/// A third of the present area vector of the face opposite the node, towards the node, m^2.
FrVec3 fr_opposite_area(const FrShapeView *view, const int32_t *nodes, int32_t node);
/// The limit along the plane with this normal, N; INFINITY: it never fails. `most`: no limit of the
/// node is above this, N; NULL: not wanted.
double fr_node_limit(const FrBreakable *body, const FrShapeView *view, int32_t node, FrVec3 normal,
                     double *most);
/// The separation tensors of four nodes as far as they count where faces are open (`torn`), N.
void fr_at_crack_four(const FrBreakable *body, const FrShapeView *view, const int32_t node[4],
                      const bool torn[4], FrSym3 zeta[4]);
