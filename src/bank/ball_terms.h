// ball_terms.h: polynomials that are orthogonal on the unit ball, and their slopes.
#pragma once
#include "math/vec.h"

/// Degrees reach up to this.
#define FR_BALL_DEGREE 40
#define FR_BALL_DEGREES (FR_BALL_DEGREE + 1)

/// All factors at one point: C_i of lambda = m + 3/2 at t0; of m + 1 at t1 in a disc of radius^2 u
/// = 1 - t0^2; Legendre's at t2 within v = u - t1^2. Dunkl & Xu 2014, 5.2.
typedef struct FrBallTables {
    double a[FR_BALL_DEGREES][FR_BALL_DEGREES][2]; ///< [m][i]: value, slope
    double b[FR_BALL_DEGREES][FR_BALL_DEGREES][3]; ///< [k][j]: value, by t1, by u
    double c[FR_BALL_DEGREES][3];                  ///< [k]: value, by t2, by v
    double t[3];
} FrBallTables;
void fr_ball_tables(const double t[3], int32_t degree, FrBallTables *tables);
/// The product for these degrees, and its slopes along t.
double fr_ball_term(const FrBallTables *tables, const int32_t degree[3], double slope[3]);

/// Points of an eighth of the ball and their weights, exact for polynomials of twice these degrees
/// that are even in t0, t1 and t2.
typedef struct FrBallPoints {
    int32_t count;
    double *t;      ///< (3 * count)
    double *weight; ///< of all eight (count)
} FrBallPoints;
FrResult fr_ball_points(FrContext *ctx, const int32_t degree[3], FrBallPoints *points);
void fr_ball_points_free(FrContext *ctx, FrBallPoints *points);

/// Nodes in (-1, 1) and weights of Gauss's rule, ascending (count).
void fr_gauss(int32_t count, double *x, double *weight);
