// ellipsoid.h: how a free ellipsoid vibrates: by polynomials, without a mesh.
//
// Three mirror planes: every mode is even or odd in x, y and z. Its class has a bit for each axis:
// displacement along d is odd in e where bit e is set, unless e = d, where it is the other way
// round; pressure and normal displacement are odd where the bit is set [M31].
#pragma once
#include "math/vec.h"

/// Its half axes (m) lie along x, y and z; any order.
typedef struct FrEllipsoidDef {
    double half[3];
    double young, poisson, density; ///< Pa; 0 to 0.49; kg/m^3
    double highest; ///< angular frequency up to which modes are wanted, rad/s; 0: no limit
    int32_t most;   ///< no more than these; 0: no limit
    int32_t degree; ///< of the polynomials along the longest axis; 0: enough for some 60 modes
} FrEllipsoidDef;

/// One of its modes.
typedef struct FrEllipsoidMode {
    double lambda;  ///< squared angular frequency, 1/s^2
    int32_t parity; ///< class
    int32_t first;  ///< of its coefficients
} FrEllipsoidMode;

/// A product of orthogonal polynomials of the ball; degrees along the longest, the middle and the
/// shortest axis.
typedef struct FrBallTerm {
    int32_t degree[3];
    double size; ///< root of the integral of its square
} FrBallTerm;

typedef struct FrEllipsoid {
    double half[3];
    int32_t axis[3]; ///< longest, middle, shortest
    double scale;    ///< of shapes, kg^-1/2
    int32_t most_degree, term_count, mode_count;
    FrBallTerm *term;      ///< by parity (term_count)
    int32_t group[9];      ///< the first term of each parity (bits by axis, as they lie)
    FrEllipsoidMode *mode; ///< ascending, rigid motions left out (mode_count)
    double *coefficient;   ///< of the terms of x, then of y, then of z, mode after mode
} FrEllipsoid;
/// Ritz's method on orthogonal polynomials: frequencies come down to the true ones as the degree
/// grows. Needs a back end. The same bits for any number of workers.
FrResult fr_ellipsoid_modes(FrContext *ctx, const FrEllipsoidDef *def, FrEllipsoid *ellipsoid);
void fr_ellipsoid_free(FrContext *ctx, FrEllipsoid *ellipsoid); ///< fine on a zeroed one
/// Displacements (kg^-1/2) at the point whose coordinates over the half axes are `unit`: 3 numbers
/// for each mode.
FrResult fr_ellipsoid_shapes(FrContext *ctx, const FrEllipsoid *e, FrVec3 unit, double *w);
