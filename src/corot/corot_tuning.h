// corot_tuning.h: the constants that decide how corot bodies move: what they are of, why they have
// their size, and the test that notices them.
#pragma once

/// A solve ends when the residual is this share of the forces that act, or after so many
/// iterations: with S5's 20 a blow is not solved for in stiff bodies (1e9 Pa), which leap (S5
/// section 7). Noticed by law/corot.
#define FR_COROT_RESIDUAL 1e-3
#define FR_COROT_ITERATIONS 60
/// Friction is found by solving again so often, which contacts hold, slide or open being as the
/// solve before left them. Noticed by law/corot.
#define FR_COROT_SOLVES 5
/// A contact is no stiffer than so many times the mass of the lighter side over the square of a
/// step: what lies on one contact is g dt^2 over this deep. Noticed by law/corot.
#define FR_COROT_MEET 10.0
/// Tets squeezed below this share of their volume, or turned inside out, get their rotation from
/// singular values; Newton's iteration takes the others. Noticed by unit/corot.
#define FR_COROT_FLAT 0.1
#define FR_COROT_POLAR_STEPS 12
/// What is molten has this share of its stiffness, its creep has no more than this time (s), and it
/// yields at this share of its strain at least: the solver needs some of each [M32]. Noticed by
/// law/heat.
#define FR_COROT_MOLTEN 0.02
#define FR_COROT_MELT_TIME 0.1
#define FR_COROT_LEAST_YIELD 1e-3
/// Heat is solved for until so little of it is left, of what there is. Noticed by law/heat.
#define FR_COROT_HEAT_LEFT 1e-13
#define FR_COROT_HEAT_ROUNDS 500
/// Stress below this share of the limit is not told apart from none: it tears nothing. Noticed by
/// pictures of separation alone.
#define FR_TEAR_LITTLE 0.1
/// Tears in a step: so many, and one more for so many tets. Stress is known anew a step later, when
/// what tore has moved. Noticed by law/tear.
#define FR_TEARS_AT_ONCE 10
#define FR_TETS_A_TEAR 100
