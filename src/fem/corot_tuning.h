// corot_tuning.h: the constants that decide how corot bodies move: what they are of, why they have
// their size, and the test that notices them.
#pragma once

/// A solve ends when the residual is this share of the forces that act, or after so many iterations
/// (S5 section 7: 20). Noticed by law/corot.
#define FR_COROT_RESIDUAL 1e-3
#define FR_COROT_ITERATIONS 60
/// Friction is found by solving again so often, which contacts hold, slide or open being as the
/// solve before left them. Noticed by law/corot.
#define FR_COROT_SOLVES 5
/// Tets squeezed below this share of their volume, or turned inside out, get their rotation from
/// singular values; Newton's iteration takes the others. Noticed by unit/corot.
#define FR_COROT_FLAT 0.1
#define FR_COROT_POLAR_STEPS 12
