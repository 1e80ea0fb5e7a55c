// corot_heap.c: ten minutes of a heap of stiff blocks of model corot, at 1/60 s. (E17)

#include "heap_kit.h"

TEST(a_stiff_heap_stays_calm_for_ten_minutes) { watch_heap(10.0); }
