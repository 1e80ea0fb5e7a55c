// clip.h: convex polyhedra cut by half-spaces, and what a tet shares with a tet, a plane, a ball
// [S6 s. 5.2.2, M10, K2]. Nothing here allocates.
#pragma once
#include "math/vec.h"

#define FR_CLIP_FACES 84     ///< a tet and the 80 planes of the ball
#define FR_CLIP_VERTICES 168 ///< 2 faces - 4
#define FR_CLIP_CORNERS 512  ///< 6 faces - 12

/// n.x <= c is inside. n need not be unit; |n.x - c| <= tolerance counts as on the plane.
typedef struct FrClipPlane {
    FrVec3 n;
    double c, tolerance;
} FrClipPlane;

/// Who a face came from: owner 0 is the solid that was cut, owner 1 the one that cut it.
typedef enum FrClipOwner { FR_CLIP_A, FR_CLIP_B } FrClipOwner;

/// A closed convex polyhedron; faces counter-clockwise seen from outside.
typedef struct FrClipPoly {
    int32_t vertex_count, face_count;
    FrVec3 vertex[FR_CLIP_VERTICES];
    uint16_t start[FR_CLIP_FACES + 1]; ///< corners of face f: start[f] .. start[f + 1]
    uint8_t owner[FR_CLIP_FACES];
    uint8_t corner[FR_CLIP_CORNERS]; ///< vertex numbers
} FrClipPoly;

typedef enum FrClipResult { FR_CLIP_EMPTY, FR_CLIP_WHOLE, FR_CLIP_CUT } FrClipResult;

/// in cut by the half-space. `out` is filled for FR_CLIP_CUT only, the new face has owner B.
FrClipResult fr_clip(const FrClipPoly *in, const FrClipPlane *plane, FrClipPoly *out);

/// Volume, centroid and area-weighted outward normals by owner.
typedef struct FrClipMeasure {
    double volume;    ///< m^3
    double area;      ///< of all faces, m^2
    FrVec3 centroid;  ///< m
    FrVec3 normal[2]; ///< sum of area normals of each owner's faces, m^2; they add up to 0
} FrClipMeasure;
void fr_clip_measure(const FrClipPoly *poly, FrClipMeasure *measure);

/// A tet made ready for clipping.
typedef struct FrClipTet {
    double x[4], y[4], z[4]; ///< corners, positively oriented
    FrClipPlane face[4];     ///< face i is opposite corner i; n outward, |n| = 2 area
    FrBox box;
    double volume; ///< m^3, > 0; 0: flat or not finite, overlaps nothing
    double edge;   ///< longest of the three edges at corner 0, m
    bool flipped;  ///< corners 2 and 3 were exchanged to get a positive volume
} FrClipTet;
void fr_clip_tet_init(FrClipTet *tet, FrVec3 x0, FrVec3 x1, FrVec3 x2, FrVec3 x3);
void fr_clip_tet_poly(const FrClipTet *tet, FrClipPoly *poly);
static inline FrVec3 fr_clip_tet_corner(const FrClipTet *tet, int i) {
    return fr_vec3(tet->x[i], tet->y[i], tet->z[i]);
}
/// Barycentric weights of x, in the order of the corners given to fr_clip_tet_init; sum is 1.
void fr_clip_tet_weights(const FrClipTet *tet, FrVec3 x, double b[4]);

/// What a tet shares with something else.
typedef struct FrOverlap {
    double volume;   ///< m^3
    FrVec3 centroid; ///< m
    FrVec3 push;     ///< - sum of area normals of the first solid's faces, m^2: grad of -volume by
                     ///< its position; pushes the first solid out
    double area;     ///< of the whole boundary, m^2
} FrOverlap;

/// False when the volume is below 1e-12 edge^3.
bool fr_overlap_tet_tet(const FrClipTet *a, const FrClipTet *b, FrOverlap *overlap);
/// With the half-space n.x <= offset (n unit).
bool fr_overlap_tet_plane(const FrClipTet *tet, FrVec3 n, double offset, FrOverlap *overlap);

/// 80 planes round the unit ball, moved out so that they enclose its volume.
typedef struct FrClipBall {
    FrVec3 n[80]; ///< unit
    double c[80]; ///< distance from the centre for radius 1
} FrClipBall;
void fr_clip_ball_init(FrClipBall *ball);
/// Exact where the ball sits in one face only, or is inside the tet; with 19 planes fitted to what
/// the tet sees of it where that is narrow, else with the 80 planes.
bool fr_overlap_tet_sphere(const FrClipTet *tet, FrVec3 centre, double radius,
                           const FrClipBall *ball, FrOverlap *overlap);

/// Ball and half-space n.x <= offset; ball and ball: closed forms. `push` pushes the first ball.
bool fr_overlap_sphere_plane(FrVec3 centre, double radius, FrVec3 n, double offset,
                             FrOverlap *overlap);
bool fr_overlap_sphere_sphere(FrVec3 ca, double ra, FrVec3 cb, double rb, FrOverlap *overlap);
