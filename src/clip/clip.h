// clip.h: what a tet shares with a tet, a plane, a ball [S6 s. 5.2.2, M10, K2]. Nothing here
// allocates.
#pragma once
#include "math/vec.h"

/// n.x <= c is inside. n need not be unit; |n.x - c| <= tolerance counts as on the plane.
typedef struct FrClipPlane {
    FrVec3 n;
    double c, tolerance;
} FrClipPlane;

typedef enum FrClipResult { FR_CLIP_EMPTY, FR_CLIP_WHOLE, FR_CLIP_CUT } FrClipResult;

/// A tet made ready for clipping.
typedef struct FrClipTet {
    double x[4], y[4], z[4];                        ///< corners, positively oriented
    double nx[4], ny[4], nz[4], c[4], tolerance[4]; ///< fr_clip_tet_face
    FrBox box;
    double volume; ///< m^3, > 0; 0: flat or not finite, overlaps nothing
    double edge;   ///< longest of the three edges at corner 0, m
    double inner;  ///< a ball of this radius fits inside, m
    double blur;   ///< clipping takes nothing for inside that is this far outside, m: FR_CLIP_STAY
    bool flipped;  ///< corners 2 and 3 were exchanged to get a positive volume
    uint8_t open;  ///< bit i: face i is part of a body's surface
} FrClipTet;
/// `open`: bit i: the face opposite corner i, of those given, is part of a body's surface.
void fr_clip_tet_init(FrClipTet *tet, FrVec3 x0, FrVec3 x1, FrVec3 x2, FrVec3 x3, uint8_t open);
static inline FrVec3 fr_clip_tet_corner(const FrClipTet *tet, int i) {
    return fr_vec3(tet->x[i], tet->y[i], tet->z[i]);
}
/// Face i is opposite corner i; n outward, |n| = 2 area.
static inline FrClipPlane fr_clip_tet_face(const FrClipTet *tet, int i) {
    FrClipPlane plane = {fr_vec3(tet->nx[i], tet->ny[i], tet->nz[i]), tet->c[i], tet->tolerance[i]};
    return plane;
}
/// Barycentric weights of x, in the order of the corners given to fr_clip_tet_init; sum is 1.
void fr_clip_tet_weights(const FrClipTet *tet, FrVec3 x, double b[4]);

/// What a tet shares with something else.
typedef struct FrOverlap {
    double volume;   ///< m^3
    FrVec3 centroid; ///< m
    FrVec3 push;     ///< - sum of area normals of the first solid's faces, m^2: grad of -volume by
                     ///< its position; pushes the first solid out
    FrVec3 apart; ///< two tets: the same of their open faces only, mean of what the first has and
                  ///< of what it meets; pushes the first out, m^2
    double area;  ///< of the whole boundary, m^2
    double way;   ///< two tets: along a normal of a face they have to go this far to be apart, m
} FrOverlap;

/// `blur` holds as long as corners did not go further than this share of `inner`.
#define FR_CLIP_STAY 0.1
/// Tets that are further apart than this share of the sum of their edges never overlap, whatever
/// they become: `blur` is as wide where `inner` is a 20,000th of an edge.
#define FR_CLIP_APART 1e-4

/// How two tets that do not overlap are known to be apart.
typedef struct FrClipGap {
    double stay; ///< they do not overlap while corners of the two went less than this, added up, m;
                 ///< 0: not known
    int8_t by; ///< 1..4: a face of a, 5..8: a face of b, 9..44: an edge of each parts them; 0: not
               ///< known; < 0: no edges did, which are asked again after so many looks
} FrClipGap;

/// False when the volume is below 1e-12 edge^3. `gap` (may be NULL): in: what parted them before,
/// which is asked first and changes nothing but the time it takes; out: what parts them now.
bool fr_overlap_tet_tet(const FrClipTet *a, const FrClipTet *b, FrOverlap *overlap, FrClipGap *gap);
/// With the half-space n.x <= offset (n unit).
bool fr_overlap_tet_plane(const FrClipTet *tet, FrVec3 n, double offset, FrOverlap *overlap);

/// Exact; a ball of more than 100 edges counts as its tangent plane within the tet.
bool fr_overlap_tet_sphere(const FrClipTet *tet, FrVec3 centre, double radius, FrOverlap *overlap);

/// Ball and half-space n.x <= offset; ball and ball: closed forms. `push` pushes the first ball.
bool fr_overlap_sphere_plane(FrVec3 centre, double radius, FrVec3 n, double offset,
                             FrOverlap *overlap);
bool fr_overlap_sphere_sphere(FrVec3 ca, double ra, FrVec3 cb, double rb, FrOverlap *overlap);
