// crack_kit.h: how bodies of tests break where nothing shall be chosen for walls.
#pragma once
#include "fracas/crack.h"

/// as S6 has it: the same whatever the body's shape
static inline FrCrackDef test_paper_crack(void) {
    FrCrackDef crack = fr_crack_def_default();
    crack.upright = false;
    crack.settle = 0.0;
    crack.remeshing.snap_distance = 0.1;
    crack.remeshing.snap_angle = 0.1;
    crack.remeshing.back_angle = 0.35;
    crack.remeshing.together = 0.0;
    return crack;
}

/// For sizes of pieces: more tets than any mesh has.
#define TEST_ALL_TETS 1e9
