// decompose.h: eigenvectors, polar rotation and singular values of 3x3 matrices, safe for repeated
// values and inversion.
#pragma once
#include "math/vec.h"

/// s = sum_k value[k] vector[k] vector[k]', values descending, vectors orthonormal and
/// right-handed. Signs are fixed: the largest component of vectors 0 and 1 is positive.
typedef struct FrEigen3 {
    double value[3];
    FrVec3 vector[3];
} FrEigen3;
FrEigen3 fr_sym3_eigen(FrSym3 s);
/// The same bits, for four at once.
void fr_sym3_eigen_four(const FrSym3 s[4], FrEigen3 e[4]);

/// m = U diag(sigma) V', U and V rotations (det +1), |sigma| descending; only sigma[2] may be
/// negative, with the sign of det m.
typedef struct FrSvd3 {
    FrMat3 U, V;
    double sigma[3];
} FrSvd3;
FrSvd3 fr_mat3_svd(FrMat3 m);

/// The rotation nearest to m (det +1 also for inverted m). `previous` fills what m leaves open.
FrMat3 fr_mat3_polar(FrMat3 m, FrMat3 previous);
