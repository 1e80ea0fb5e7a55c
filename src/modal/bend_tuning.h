// bend_tuning.h: constants that decide by which modes a body bends, each with its unit, its reason
// and the test that notices when it is another one.
#pragma once

/// What can be seen of a mode [S1 3.2]: a move of this size, m, by the largest force there is, N
/// (the brakes of a large truck); and no more modes than this are looked at. test/law/modal_body.c
#define FR_SEEN_MOVE 1e-4
#define FR_SEEN_FORCE 6e4
#define FR_MODES_MOST 64
