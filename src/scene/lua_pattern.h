// lua_pattern.h: Lua's patterns, with every step counted, so that none can hang.
#pragma once
#include "scene/lua_state.h"

#define FR_PATTERN_CAPTURES 32
#define FR_PATTERN_PLACE (-1) ///< length of a capture that is a place
#define FR_PATTERN_OPEN (-2)  ///< length of a capture not closed yet

typedef struct FrPattern {
    lua_State *L;
    const char *text, *text_end; ///< what is searched
    const char *end;             ///< of the pattern
    int32_t depth, count;
    struct {
        const char *start;
        ptrdiff_t length;
    } capture[FR_PATTERN_CAPTURES];
} FrPattern;

/// Where a match of `pattern` that starts at `at` ends; NULL: none. Errors in the pattern and spent
/// budgets end the script.
const char *fr_pattern_match(FrPattern *m, const char *at, const char *pattern);
