// rows.h: contacts, friction, joints and strings as rows of one system, solved through the mobility
// of the bodies they join [S1 s. 3.4, M17].
#pragma once
#include "math/lanes.h"
#include "math/vec.h"

/// A body as rows see it: velocities, and what an impulse does to them. What nothing moves has zero
/// inverse mass and inertia.
typedef struct FrRowBody {
    FrVec3 v;           ///< of the centre of mass, m/s
    double v_lane;      ///< 0: v and w fill four lanes each
    FrVec3 w;           ///< rad/s, world axes
    double w_lane;      ///< 0
    double inv_mass;    ///< 1/kg
    FrSym3 inv_inertia; ///< world axes, 1/(kg m^2)
    int32_t changed;    ///< last sweep of fr_rows_solve that changed its velocity; -1: none can
    int32_t mode_count; ///< 0: rigid
    double *mode;       ///< velocities of mass-normalised modes (mode_count); NULL: rigid
    const double *mode_weight; ///< how much of a mode rows see and move (mode_count); NULL: all
    FrVec3 move, turn;         ///< of the correction of places, m, rad; never part of a velocity
} FrRowBody;

typedef enum FrRowKind {
    FR_ROW_CONTACT, ///< axis 0 pushes a and never pulls; axes 1, 2 rub within Coulomb's cone
    FR_ROW_STRING,  ///< axis 0 pulls a towards b and never pushes
    FR_ROW_BALL,    ///< the points stay together
    FR_ROW_AXIS,    ///< no turning against each other about axes 0 and 1
} FrRowKind;

/// What sweeps read of a row: columns of matrices, each in four lanes, the fourth 0.
typedef struct FrRowColumns {
    double push_a[3][FR_LANES], push_b[3][FR_LANES]; ///< velocity per lambda: axis / m
    double turn_a[3][FR_LANES], turn_b[3][FR_LANES]; ///< spin per lambda: I^-1 (r x axis); of b
                                                     ///< both with minus
    double of_v[3][FR_LANES];                        ///< u per velocity of a
    double of_wa[3][FR_LANES], of_wb[3][FR_LANES];   ///< u per spin
    double answer[3][FR_LANES];                      ///< lambda per wanted change of u
    double change[FR_LANES]; ///< change of u per lambda: diagonal of K, 1/kg; joints: 1 for each
                             ///< row that asks for something
} FrRowColumns;

/// Up to three rows between two points: u_i = axis_i . (velocity of a's point - of b's point).
typedef struct FrRow {
    FrRowKind kind;
    int32_t a, b;            ///< bodies
    int32_t tag;             ///< the caller's
    double friction;         ///< Coulomb's coefficient, 1
    double target[FR_LANES]; ///< wanted u (for a push or pull: at least), m/s; axis rows: rad/s
    double lambda[FR_LANES]; ///< impulse on a along the axes, N s; N m s. In: a guess; out: the
                             ///< answer. Three count, here and in target; the fourth is 0
    FrVec3 impulse;          ///< the answer in world axes; of fr_rows_solve
    FrVec3 ra, rb;           ///< from the centres of mass to the points, world axes, m
    FrVec3 axis[3];          ///< orthonormal
    const double *mode_a, *mode_b; ///< velocity of the point per modal velocity, world axes
                                   ///< (3 x mode_count, rows x y z); NULL: rigid
    double error[3]; ///< wanted change of place along the axes (a push or pull: at least), m; rad
    double push;     ///< lambda[0] of the correction, kg m
    FrSym3 K;        ///< made by fr_rows_prepare: u per lambda, 1/kg
    FrSym3 inv; ///< its inverse (ball); 1/K.xx and the inverse of the rest (contact); of xx, xy, yy
                ///< (axis)
    FrSym3 inv_rigid; ///< the same without modes, which corrections of places leave alone; a push
                      ///< or pull: 1/K.xx
    FrRowColumns column; ///< made by fr_rows_prepare
} FrRow;

/// How the points answer impulses: fills K, inv and column.
///     K = I/m - [r]x I^-1 [r]x + R U W W' U' R'        of a, plus the same of b    [S1 eq. 21,
///     E33]
void fr_rows_prepare(const FrRowBody *body, FrRow *row, int32_t count);
/// Relative velocity u of a row along its axes.
FrVec3 fr_row_velocity(const FrRowBody *body, const FrRow *row);
/// What modes add to the velocity of a's point against b's, world axes.
FrVec3 fr_row_modes(const FrRowBody *body, const FrRow *row);
/// Velocity of a place on one side by the modes of its body, world axes: rows of `mode` as of
/// FrRow.
FrVec3 fr_row_mode_velocity(const FrRowBody *body, const double *mode);
/// Its first part alone; not for axis rows.
static inline double fr_row_opening(const FrRowBody *body, const FrRow *row) {
    const FrRowBody *a = &body[row->a], *b = &body[row->b];
    FrVec3 va = fr_add(a->v, fr_cross(a->w, row->ra)), vb = fr_add(b->v, fr_cross(b->w, row->rb));
    FrVec3 u = fr_sub(va, vb);
    if (row->mode_a || row->mode_b) u = fr_add(u, fr_row_modes(body, row));
    return fr_dot(row->axis[0], u);
}
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
/// array. Rows rest while nothing near them changes by more than a tenth of that.
FrRowsReport fr_rows_solve(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance);

/// The same, from impulses that were applied already.
FrRowsReport fr_rows_go_on(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                           double tolerance);

/// Moves (FrRowBody.move, turn) that bring places nearer to what rows want, from `error`.
/// Velocities and impulses stay as they are. `tolerance`: m.
FrRowsReport fr_rows_correct(FrRowBody *body, FrRow *row, int32_t count, int32_t most_sweeps,
                             double tolerance);
