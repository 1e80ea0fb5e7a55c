// solid.h: the inside of a triangle surface, however bad: distance by a tree of boxes, side by the
// generalized winding number.
#pragma once
#include "geom/field.h"
#include "geom/trimesh.h"

typedef struct FrSolid FrSolid;

/// What was done to the surface, and what is left.
typedef struct FrSolidReport {
    FrTriReport before; ///< as given, equal points joined
    FrTriReport after;
    int32_t dropped_tris; ///< doubles and triangles without area
    int32_t flipped_tris;
    int32_t patches; ///< sets of triangles joined by edges of two triangles
    double volume;   ///< inside, m^3: of a closed surface by its triangles (overlaps count twice),
                     ///< else estimated
} FrSolidReport;

/// Join equal points, drop doubles, turn triangles so that neighbours agree and patches face
/// outwards, build the tree. The mesh is copied.
FrResult fr_solid_create(FrContext *ctx, const FrTriMesh *mesh, FrSolid **solid);
void fr_solid_destroy(FrContext *ctx, FrSolid *solid); ///< accepts NULL
const FrSolidReport *fr_solid_report(const FrSolid *solid);
/// FR_BAD_INPUT where the surface encloses no volume worth the name.
FrResult fr_solid_check(FrContext *ctx, const char *name, const FrSolid *solid);

/// How often the surface goes round x: 1 inside, 0 outside, in between near holes. Counted along a
/// ray where the surface is closed; else near triangles by their solid angle and far ones together
/// (Barill et al. 2018), right to about 0.01. What is left out is bounded: where the bound does not
/// tell whether it is above 1/2 it is summed more closely, to about 0.0005.
double fr_solid_winding(const FrSolid *solid, FrVec3 x);
/// To the nearest point of any triangle, m.
double fr_solid_unsigned(const FrSolid *solid, FrVec3 x);
/// Negative inside, that is where |winding| > 1/2. Across a hole, where no triangle is near, the
/// distance to the surface winding = 1/2 is estimated, so that the field passes through zero there.
double fr_solid_distance(const FrSolid *solid, FrVec3 x);
FrBox fr_solid_bounds(const FrSolid *solid);
/// Where the surface has the inside behind it: the middles of at most `most` triangles, taken
/// evenly, as points without triangles. What encloses nothing `depth` m behind it is left out.
FrResult fr_solid_skin_points(FrContext *ctx, const FrSolid *solid, int32_t most, double depth,
                              FrTriMesh *points);
void fr_solid_field(const FrSolid *solid, FrField *field);
/// The same by the sums of all triangles' solid angles: slow, to measure the other against.
void fr_solid_exact_field(const FrSolid *solid, FrField *field);
/// The repaired surface; borrowed.
const FrTriMesh *fr_solid_mesh(const FrSolid *solid);
/// The repaired surface to be looked at: with the UVs and normals that were given, and normals that
/// have creases at sharp edges where none were. Places where they differ have several points, all
/// exactly there. Caller frees.
FrResult fr_solid_dressed(FrContext *ctx, const FrSolid *solid, FrTriMesh *mesh);
bool fr_solid_has_uv(const FrSolid *solid); ///< UVs were given
