// solver.h: what a back end fills: factors of sparse matrices, and eigenvalues. Nothing in the
// runtime has one; the studio's are in backend/.
#pragma once
#include "sparse/sparse.h"

/// Why a solve ended.
typedef enum FrSolveReason {
    FR_SOLVE_CONVERGED,
    FR_SOLVE_NOT_POSITIVE, ///< not positive definite
    FR_SOLVE_TOO_LARGE,    ///< more entries than the back end can number
    FR_SOLVE_NO_MEMORY,
    FR_SOLVE_STALLED,    ///< as many steps as allowed, and not there yet
    FR_SOLVE_INCOMPLETE, ///< the count of eigenvalues says that some were missed
} FrSolveReason;

typedef struct FrFactor FrFactor;

/// A sparse symmetric factoriser. analyse -> factorise -> solve; each may be repeated.
typedef struct FrSparseSolver {
    const char *name;
    /// Order the unknowns and find where the factor has entries. Takes the pattern only.
    FrResult (*analyse)(FrContext *ctx, const FrSparse *matrix, FrFactor **factor);
    /// A = L L'. `matrix` has the pattern that was analysed; another shift is fine. Not positive
    /// definite: FR_OK and the reason.
    FrResult (*factorise)(FrFactor *factor, const FrSparse *matrix, FrSolveReason *reason);
    /// X = A^-1 B for `columns` vectors, one after the other; X may be B. The same bits for any
    /// number of workers.
    FrResult (*solve)(FrFactor *factor, const double *B, double *X, int32_t columns);
    /// How many eigenvalues of A are negative (Sylvester: the signs of D in L D L'). `safe` false:
    /// a pivot was so small that the count may be off; try another shift. Any L L' is dropped.
    FrResult (*inertia)(FrFactor *factor, const FrSparse *matrix, int32_t *negative, bool *safe);
    size_t (*bytes)(const FrFactor *factor); ///< that it holds
    void (*destroy)(FrFactor *factor);       ///< fine on NULL
} FrSparseSolver;

/// K x = lambda M x, the lowest ones.
typedef struct FrEigenProblem {
    const FrBlockMatrix *K, *M;
    const double *rigid; ///< known null vectors of K, M-orthonormal (3 node_count * rigid_count)
    int32_t rigid_count;
    int32_t count; ///< wanted; 0: all up to `limit`
    double limit;  ///< lambda up to which; 0: no limit
    /// No count says whether some were missed; `count` and `limit` both end the search. For those
    /// who can do without one that hides, in a quarter of the time.
    bool unproved;
    /// With `unproved`: where the factor of K - shift M goes (FrEigenReport.shift), for more
    /// solves. Stays NULL where full matrices were quicker. NULL: nobody wants it
    FrFactor **factor;
} FrEigenProblem;

typedef struct FrEigenPairs {
    int32_t size, count;
    double *lambda; ///< ascending (count)
    double *X;      ///< M-orthonormal, M-orthogonal to `rigid`, one after the other (size * count)
} FrEigenPairs;
void fr_eigen_pairs_free(FrContext *ctx, FrEigenPairs *pairs);

/// How it went, for reports.
typedef struct FrEigenReport {
    FrSolveReason reason;
    bool dense;                           ///< by LAPACK on full matrices
    int32_t steps, restarts;              ///< block steps, thick restarts
    int32_t counted;                      ///< eigenvalues below the cut by inertia; -1: not counted
    double shift;                         ///< of the factor, 1/s^2 in the units of lambda
    double factor_seconds, eigen_seconds; ///< wall time
    int64_t factor_entries;               ///< numbers in L
    double residual;                      ///< largest |K x - lambda M x| / (lambda |M x|)
    double orthogonality;                 ///< largest |X' M X - 1|, rigid motions included
} FrEigenReport;

/// What FrContextDef.backend points to.
struct FrBackend {
    const char *name;
    const FrSparseSolver *sparse;
    /// FR_NUMERICAL with a message where it did not converge.
    FrResult (*eigen)(FrContext *ctx, const FrEigenProblem *problem, FrEigenPairs *pairs,
                      FrEigenReport *report);
    /// K x = lambda M x of full symmetric matrices (size * size each, overwritten), ascending: x
    /// one after the other in K, X' M X = 1. M NULL: 1. FR_NUMERICAL where it did not converge.
    FrResult (*dense)(FrContext *ctx, int32_t size, double *K, double *M, double *lambda);
};

/// The back end of the context, which `what` ("modes") needs. FR_BAD_USE: it has none.
FrResult fr_backend_of(FrContext *ctx, const char *what, const FrBackend **backend);
