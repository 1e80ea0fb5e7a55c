// krylov.h: a growing M-orthonormal basis, block by block, and the eigenvalues it holds already.
#pragma once
#include "sparse/solver.h"

#define FR_KRYLOV_BLOCK 32 // the widest

typedef struct FrKrylovDef {
    const FrEigenProblem *problem;
    FrFactor *factor; ///< of K - shift M
    double shift;
    int32_t wanted; ///< lowest eigenvalues
    int32_t more;   ///< and this many behind them, so that a cut can be made
    int32_t block;  ///< vectors a step: eigenvalues of that multiplicity are found at once
    double limit;   ///< the search ends, too, when all up to here are there; 0: no limit
    double
        tolerance; ///< |A^-1 M x - theta x| over theta: lambda's error is its square over the gap
} FrKrylovDef;

typedef struct FrKrylov {
    FrContext *ctx;
    FrKrylovDef def;
    int32_t size, block, most; ///< unknowns, vectors a block, columns the basis may have
    int32_t count;             ///< columns of the basis that are done; the next block stands behind
    int32_t since;             ///< columns at the last restart; 0: none
    double *V;                 ///< (size * (most + block))
    double *MV;                ///< M times the next block (size * block)
    double *W;                 ///< scratch (size * block)
    double *MR;                ///< M times the rigid motions (size * rigid_count)
    double *C;                 ///< coefficients of one step (most * block)
    double *H;                 ///< V' M A^-1 M V, upper triangle (most * most)
    double *R;                 ///< what couples the next block to the last (block * block)
    double *Y, *theta;         ///< eigenvectors and values of H, ascending (most * most, most)
    int32_t solved;            ///< columns of H that Y and theta belong to
    int32_t converged;         ///< from the largest theta on
} FrKrylov;

FrResult fr_krylov_create(FrContext *ctx, const FrKrylovDef *def, FrKrylov *krylov);
void fr_krylov_free(FrKrylov *krylov); ///< fine on a zeroed one
/// Until `wanted + more`, or all up to the limit, are there. FR_NUMERICAL: they do not come.
FrResult fr_krylov_run(FrKrylov *krylov, FrEigenReport *report);
/// Of the i-th lowest; from 0.
double fr_krylov_lambda(const FrKrylov *krylov, int32_t i);
/// The `count` lowest, M-orthonormal, one after the other.
FrResult fr_krylov_vectors(const FrKrylov *krylov, int32_t count, double *X);
