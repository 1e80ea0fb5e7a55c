// rows.h: contacts, friction, joints and strings as rows of one system, solved through the mobility
// of the bodies they join [S1 s. 3.4, M17].
#pragma once
#include "math/vec.h"

/// A body as rows see it: velocities, and what an impulse does to them. What nothing moves has zero
/// inverse mass and inertia.
typedef struct FrRowBody {
    FrVec3 v, w;        ///< of the centre of mass, m/s; rad/s, world axes
    double inv_mass;    ///< 1/kg
    FrSym3 inv_inertia; ///< world axes, 1/(kg m^2)
    int32_t mode_count; ///< 0: rigid
    double *mode;       ///< velocities of mass-normalised modes (mode_count); NULL: rigid
    FrVec3 move, turn;  ///< of the correction of places, m, rad; never part of a velocity
} FrRowBody;

typedef enum FrRowKind {
    FR_ROW_CONTACT, ///< axis 0 pushes a and never pulls; axes 1, 2 rub within Coulomb's cone
    FR_ROW_STRING,  ///< axis 0 pulls a towards b and never pushes
    FR_ROW_BALL,    ///< the points stay together
    FR_ROW_AXIS,    ///< no turning against each other about axes 0 and 1
} FrRowKind;

/// Up to three rows between two points: u_i = axis_i . (velocity of a's point - of b's point).
typedef struct FrRow {
    FrRowKind kind;
    int32_t a, b;     ///< bodies
    FrVec3 ra, rb;    ///< from the centres of mass to the points, world axes, m
    FrVec3 axis[3];   ///< orthonormal
    double target[3]; ///< wanted u (for a push or pull: at least), m/s; axis rows: rad/s
    double friction;  ///< Coulomb's coefficient, 1
    double error[3];  ///< wanted change of place along the axes (a push or pull: at least), m; rad
    double lambda[3]; ///< impulse on a along the axes, N s; N m s. In: a guess; out: the answer
    double push[3];   ///< the same of the correction, kg m
    const double *mode_a, *mode_b; ///< velocity of the point per modal velocity, world axes
                                   ///< (3 x mode_count, rows x y z); NULL: rigid
    FrSym3 K;                      ///< made by fr_rows_prepare: u per lambda, 1/kg
    FrSym3 inv; ///< its inverse (ball); 1/K.xx and the inverse of the rest (contact); of xx, xy, yy
                ///< (axis)
    int32_t tag; ///< the caller's
} FrRow;

/// How the points answer impulses: fills K and inv.
///     K = I/m - [r]x I^-1 [r]x + R U W W' U' R'        of a, plus the same of b    [S1 eq. 21,
///     E33]
void fr_rows_prepare(const FrRowBody *body, FrRow *row, int32_t count);
/// Relative velocity u of a row along its axes.
FrVec3 fr_row_velocity(const FrRowBody *body, const FrRow *row);
/// Apply `lambda` along the axes of a row to its bodies.
void fr_row_apply(FrRowBody *body, const FrRow *row, FrVec3 lambda);

/// Why a solve stopped.
typedef enum FrRowsEnd { FR_ROWS_CONVERGED, FR_ROWS_SWEEPS } FrRowsEnd;

typedef struct FrRowsReport {
    FrRowsEnd end;
    int32_t sweeps;
    double change; ///< largest change of a velocity in the last sweep, m/s
} FrRowsReport;

/// Projected Gauss-Seidel, there and back in turn, from the impulses given (they are applied
/// first), until no velocity changes by more than `tolerance` (m/s) in a sweep. Order: that of the
/// array.
FrRowsReport fr_rows_solve(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance);

/// Moves (FrRowBody.move, turn) that bring places nearer to what rows want, from `error`.
/// Velocities and impulses stay as they are. `tolerance`: m.
FrRowsReport fr_rows_correct(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                             double tolerance);

/// Largest violation of 0 <= lambda  perp  u - target >= 0, of Coulomb's law and of the joints, as
/// a velocity, m/s: what is left of x - P(x - K_ii^-1 u) (natural map).
double fr_rows_residual(const FrRowBody *body, const FrRow *row, int32_t count);
