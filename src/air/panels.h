// panels.h: a closed surface as flat triangles that send and reflect sound, with what is near what.
#pragma once
#include "math/vec.h"

/// Panels of a group are worked on at once.
#define FR_PANEL_LANES 8
/// Points of a triangle at which waves are summed; exact for quadratics.
#define FR_PANEL_POINTS 3

/// Triangles side by side. Arrays of floats have `padded` numbers, zero weight beyond `count`.
typedef struct FrPanels {
    int32_t count, padded;
    double (*corner)[3][3]; ///< m, counter-clockwise seen from outside (count)
    double *middle;         ///< m (3 * count)
    double *normal;         ///< unit, out of the body (3 * count)
    double *area;           ///< m^2 (count)
    double *longest;        ///< longest edge, m (count)
    float *y;               ///< where waves are summed, m: FR_PANEL_POINTS times x, y, z (padded)
    float *n;               ///< normal: x, y, z (padded)
    float *share;           ///< area over FR_PANEL_POINTS and 4 pi, m^2 (padded)
    // what the sums lack of the exact static integrals over panels that are near: row by row
    int32_t *near_first;   ///< (count + 1)
    int32_t *near;         ///< panel (near_first[count])
    float (*near_lack)[2]; ///< of S and of D (near_first[count])
} FrPanels;

/// `point` (3 numbers each) is borrowed for the call. FR_BAD_INPUT: a triangle has no area.
FrResult fr_panels_make(FrContext *ctx, const double *point, const int32_t (*tri)[3], int32_t count,
                        FrPanels *panels);
void fr_panels_free(FrContext *ctx, FrPanels *panels); ///< fine on a zeroed one

/// S and D of a static source: integrals of G and of dG/dn_y, G = 1/(4 pi r), over one triangle.
typedef struct FrStatic {
    double s, d;
} FrStatic;
FrStatic fr_panel_static(double (*corner)[3], FrVec3 normal, FrVec3 x); ///< exact [M23]
/// The share of all directions that the surface covers as seen from x, with sign: 1 from inside, 0
/// from outside.
double fr_panels_around(const FrPanels *panels, FrVec3 x);
/// The largest distance of a point inside from the surface, about, m: half of how thick it is where
/// it is thickest. `deep`: so many points inside, spread over the body, deep ones (3 * count).
double fr_panels_depth(const FrPanels *panels, double *deep, int32_t count);
