// block_cg.h: conjugate gradients on symmetric matrices of 3x3 blocks, with links between nodes
// (contacts) that are never put into the matrix, and nodes that are held.
#pragma once
#include "fracas/base.h"
#include "math/vec.h"
#include "sparse/solver.h"

/// One side of a link: a point of some nodes, or of a rigid frame.
typedef struct FrLinkSide {
    int32_t count;    ///< of nodes; 0: nothing that the system moves
    bool turns;       ///< node[0] is the velocity of a frame, node[1] its spin
    int32_t node[4];  ///< of the system
    double weight[4]; ///< of each, sum 1
    FrVec3 arm;       ///< of a frame: from its centre to the point, m
} FrLinkSide;

/// Adds u' W u / 2 to what is minimised, u the velocity of the point of a less that of b.
typedef struct FrLink {
    FrLinkSide a, b;
    FrSym3 W; ///< kg
} FrLink;

/// u of a link.
FrVec3 fr_link_velocity(const FrLink *link, const double *x);
/// y + (impulse on a, its negation on b).
void fr_link_push(const FrLink *link, FrVec3 impulse, double *y);

/// Nodes of one matrix; those of all parts lie one part after the other.
typedef struct FrCgPart {
    const FrBlockMatrix *A; ///< width 9, each block by columns, one number of room behind the last
    int32_t first;          ///< its first node in the system
} FrCgPart;

/// Where memory is.
typedef struct FrCgArrays {
    double *b, *x;                   ///< right-hand side; start and solution (3 node_count)
    double *r, *z, *p, *q, *inverse; ///< scratch: (3 node_count), the last (9 node_count)
    uint8_t *held;                   ///< 1: x stays as it is (node_count)
    int32_t capacity;                ///< nodes there is room for
} FrCgArrays;

typedef struct FrCgSystem {
    const FrCgPart *part;
    int32_t part_count;
    const FrLink *link;
    int32_t link_count;
    int32_t node_count;
    const double *other; ///< one more guess that may be near, by itself or with the first
                         ///< (3 node_count); NULL: none
    FrCgArrays *at;
} FrCgSystem;

/// When to stop.
typedef struct FrCgLimit {
    double residual;    ///< |b - A x| in the norm of the preconditioner
    int32_t iterations; ///< at most
} FrCgLimit;

typedef struct FrCgReport {
    int32_t iterations;
    double residual;      ///< in the norm of the preconditioner, when it stopped
    FrSolveReason reason; ///< converged, stalled (all iterations), or not positive
} FrCgReport;

/// Room for so many nodes. False: no memory.
bool fr_cg_reserve(FrContext *ctx, FrCgArrays *at, int32_t node_count);
void fr_cg_free(FrContext *ctx, FrCgArrays *at);
/// Invert the 3x3 blocks on the diagonal, links included: what preconditions, and gives the norm.
void fr_cg_prepare(FrContext *ctx, const FrCgSystem *system);
/// y' P y of a vector (3 node_count), free nodes only, P the preconditioner.
double fr_cg_norm2(FrContext *ctx, const FrCgSystem *system, const double *y);
/// Solve A x = b after fr_cg_prepare. The search starts at those multiples of the guesses which are
/// best, one after the other, so that however early it ends x' A x / 2 - b' x is not above what it
/// is with held nodes alone, or with a multiple of a guess.
/// The same bits for any number of workers.
FrCgReport fr_cg_solve(FrContext *ctx, const FrCgSystem *system, FrCgLimit limit);
