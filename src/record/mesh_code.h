// mesh_code.h: rest meshes and embedded skins as bytes and back, checked; and the outside of a
// mesh.
//
// Mesh, little-endian: float64 x y z of each node; int32 four corners of each tet; order 2: int32
// six mid nodes of each tet; with regions: int32 region of each tet; then of each face outside that
// a crack had opened before: int32 4 e + i, opposite corner i of tet e; float64 when, s. Skin:
// int32 tet of each point; float64 four weights of each point; int32 three points of each triangle;
// with normals: float64 xyz of each point; with uvs: float64 uv of each point; then of the last
// triangles, which lie inside along cracks: float64 when these opened, s.
#pragma once
#include "fracas/mesh.h"
#include "base/bytes.h"

/// Sizes as the tables hold them; checked before anything is allocated.
typedef struct FrMeshHead {
    int32_t order, nodes, corners, tets;
    bool regions;
    int32_t opened; ///< faces outside that a crack had opened before
} FrMeshHead;

typedef struct FrSkinHead {
    int32_t points, tris;
    bool normals, uvs;
    int32_t closings; ///< triangles at the end that lie inside, along cracks
} FrSkinHead;

size_t fr_mesh_code_size(const FrMeshHead *head);
size_t fr_skin_code_size(const FrSkinHead *head);
/// `surface`: the outside of the mesh, for what cracks had opened of it; NULL: nothing.
FrMeshHead fr_mesh_code_head(const FrTetMesh *mesh, const FrSurface *surface);
FrSkinHead fr_skin_code_head(const FrEmbedded *skin);
void fr_mesh_code_write(const FrTetMesh *mesh, const FrSurface *surface, FrWriter *out);
void fr_skin_code_write(const FrEmbedded *skin, FrWriter *out);
/// Inflates z, checks every index and number. FR_BAD_INPUT: nothing is allocated. `surface`: its
/// outside, by tet then face, with what cracks had opened; NULL: it is not wanted.
FrResult fr_mesh_code_read(FrContext *ctx, const FrMeshHead *head, const void *z, size_t z_size,
                           FrTetMesh *mesh, FrSurface *surface);
FrResult fr_skin_code_read(FrContext *ctx, const FrSkinHead *head, int32_t tet_count, const void *z,
                           size_t z_size, FrEmbedded *skin);
uint64_t fr_mesh_code_hash(const FrMeshHead *head, const FrWriter *raw);
uint64_t fr_skin_code_hash(const FrSkinHead *head, const FrWriter *raw);

/// Triangles that belong to one tet only, in the order of their tets.
FrResult fr_mesh_code_surface(FrContext *ctx, const FrTetMesh *mesh, FrSurface *surface);

/// Give back what the functions above made. Fine on zeroed structs.
void fr_mesh_code_free(FrContext *ctx, FrTetMesh *mesh);
void fr_skin_code_free(FrContext *ctx, FrEmbedded *skin);
void fr_mesh_code_surface_free(FrContext *ctx, FrSurface *surface);
