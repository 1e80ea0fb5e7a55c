// skin.h: the drawn outside of one body: what follows from the rest shape once, and where it is
// now.
#pragma once
#include "fracas/frame.h"
#include "math/vec.h"

/// A drawn vertex: hangs on up to four nodes, has a rest normal.
typedef struct FrSkinVertex {
    int32_t node[4]; ///< unused ones repeat the first with weight 0
    double weight[4];
    FrVec3 normal; ///< rest, unit
    double opened; ///< s: of a face that a crack opened; -1: outside
} FrSkinVertex;

/// Corner normals by crease angle, or the embedded surface; kept while the topology stays. Faces
/// that cracks opened come last and are flat; the normals outside do not know of cracks.
typedef struct FrSkin {
    FrContext *ctx;
    uint64_t signature; ///< of everything it was made from
    int32_t vertex_count, index_count;
    FrSkinVertex *vertex; ///< (vertex_count)
    int32_t *index;       ///< triangles (index_count)
    int32_t outside;      ///< indices before those of faces that cracks opened
    bool inward;          ///< the triangles outside are wound so that they face inwards
    int32_t node_count, tet_count;
    FrMat3 *rest_inverse; ///< edge matrix at rest, inverted, 1/m (tet_count); 0: flat tet
    double *volume;       ///< rest, m^3 (tet_count)
    int32_t *incident_start, *incident; ///< tets around each node (node_count + 1)
    FrMat3 *tet_F;                      ///< deformation gradients of this frame (tet_count)
    FrMat3 *node_cofactor;              ///< their cofactors, averaged (node_count)
    FrSym3 *tet_stress;                 ///< Cauchy, Pa (tet_count)
    double *node_stress; ///< von Mises of the mean around a node, Pa; -1: has none (node_count)
} FrSkin;

/// Hash of what a skin depends on.
uint64_t fr_skin_signature(const FrBodyView *body);
/// Make or make again. FR_BAD_USE when triangles or skin points name nodes or tets that do not
/// exist. On failure the skin is empty.
FrResult fr_skin_build(FrContext *ctx, const FrBodyView *body, FrSkin *skin);
void fr_skin_free(FrSkin *skin);

/// Did a face open by itself? -1: it did not, 0: it was cut before the first step.
static inline bool fr_cracked_itself(double opened) { return opened > 0.0; }
/// Widen the span (s) to when the body's faces opened by themselves.
void fr_crack_span(const FrBodyView *body, double *first, double *last);

/// F, nodal cofactors and (with `stress`) von Mises stress for node positions p (3 * node_count).
/// Of `frame`, plastic strains and which nodes are of rigid pieces.
void fr_skin_deform(FrSkin *skin, const FrBodyView *body, const FrBodyFrame *frame, const double *p,
                    bool stress);
FrVec3 fr_skin_position(const FrSkin *skin, int32_t vertex, const double *p);
FrVec3 fr_skin_normal(const FrSkin *skin, int32_t vertex);
/// How near the vertex is to breaking, 0 to 1, from the loads of the nodes; -1: not known, or
/// rigid.
double fr_skin_load(const FrSkin *skin, int32_t vertex, const float *load);
/// How warm: 0 as the air, 1 where it melts (or 100 degrees C); -1: not known.
double fr_skin_warmth(const FrSkin *skin, int32_t vertex, const float *warmth,
                      const FrMaterial *material);
double fr_skin_stress(const FrSkin *skin, int32_t vertex);
