// lanes.c: does this machine have AVX2?

#include "math/lanes.h"

bool fr_cpu_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}
