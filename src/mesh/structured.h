// structured.h: tet meshes of boxes, plates, cylinders, tubes, lathes and extrusions, made by rule.
//
// All conform, have positive volumes, and have their boundary nodes exactly on the shape (to
// rounding). `h` is the edge length wanted. Places and sizes agree with the distance fields of
// geom/shape.h: centred at the origin, round ones about the z axis.
#pragma once
#include "geom/outline.h"
#include "mesh/tetmesh.h"

/// n[k] cells along each axis, each six tets: Kuhn's split, mirrored from cell to cell. The mirror
/// takes away the direction that a plain Kuhn split prefers (even counts: the mesh is its own
/// mirror image in each axis), all tets are congruent (a five-tet split has two kinds, and its
/// stiffness alternates from cell to cell), and no split has fewer stretched angles (45 60 90).
FrResult fr_mesh_box_cells(FrContext *ctx, FrBox box, const int32_t n[3], FrTetMesh *mesh);
/// Layers through the thinnest side of a box that nobody asked for more: one locks in bending.
#define FR_BOX_LAYERS 2
/// Edge of cells when nobody gives one: 600 of them fill a box of this size, m.
double fr_mesh_chosen_cell(FrVec3 size);
/// Cells of about h, at least `layers` (0: 1) along the shortest side.
FrResult fr_mesh_box_sized(FrContext *ctx, FrBox box, double h, int32_t layers, FrTetMesh *mesh);

/// A closed box with walls, measured inwards; one layer of cells or more through them.
/// FR_BAD_INPUT: the walls leave no room.
FrResult fr_mesh_hollow_box(FrContext *ctx, FrBox box, double wall, double h, FrTetMesh *mesh);

/// A solid cylinder (inner == 0) or a tube, z from -height/2 to height/2.
typedef struct FrTube {
    double outer, inner, height; ///< radii and height, m
} FrTube;
/// `layers` (0: from h) through the wall of a tube.
FrResult fr_mesh_tube_layers(FrContext *ctx, FrTube tube, double h, int32_t layers,
                             FrTetMesh *mesh);

/// A line that is turned about the z axis, and how thick it is.
typedef struct FrProfile {
    const double (*rz)[2]; ///< m (count)
    int32_t count;
    double wall; ///< m
} FrProfile;
/// A sheet of thickness `wall` with the profile (r, z) in its middle, turned about the z axis;
/// layers (0: from h) through it. Points with r = 0 may only be the ends: the sheet closes there.
/// first == last point: a closed profile. Rims are cut square (the distance field has round ones).
/// FR_BAD_INPUT: the profile turns back too sharply, or the wall is too thick for it.
FrResult fr_mesh_lathe_layers(FrContext *ctx, FrProfile profile, double h, int32_t layers,
                              FrTetMesh *mesh);

/// An outline in the xy plane, z from -depth/2 to depth/2; layers (0: from h) through it.
FrResult fr_mesh_extrusion(FrContext *ctx, const FrOutline *outline, double depth, double h,
                           int32_t layers, FrTetMesh *mesh);

/// The same with points inside that lie here and there, so that no lines run through it that cracks
/// could follow. At least so many layers.
FrResult fr_mesh_scattered(FrContext *ctx, const FrOutline *outline, double depth, double h,
                           int32_t least_layers, FrTetMesh *mesh);
/// A box at the origin, swept along its shortest side.
FrResult fr_mesh_scattered_box(FrContext *ctx, FrVec3 size, double h, int32_t least_layers,
                               FrTetMesh *mesh);

/// Where point k of a sheet lies in a layer, m.
typedef FrVec3 FrSheetAt(const void *user, int32_t point, int32_t layer);
/// Triangles, and where they lie in each layer.
typedef struct FrSheet {
    const int32_t (*tri)[3]; ///< (tri_count)
    int32_t tri_count, point_count, layers;
    FrSheetAt *at;
    const void *user; ///< of `at`
} FrSheet;
/// Triangles swept through layers: prisms of three tets each. A side between points a < b has its
/// diagonal from a, below in even layers and above in odd ones. FR_BAD_INPUT: a tet is not
/// positive.
FrResult fr_mesh_sweep(FrContext *ctx, const FrSheet *sheet, FrTetMesh *mesh);
