// stiffness_kit.h: a stiffness that is known.
#pragma once
#include <string.h>

/// 6x6, of an isotropic solid.
static inline void isotropic_stiffness(double lambda, double mu, double C[6][6]) {
    memset(C, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) C[i][j] = lambda;
        C[i][i] = lambda + 2.0 * mu;
        C[i + 3][i + 3] = mu;
    }
}
