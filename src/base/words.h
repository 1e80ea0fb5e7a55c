// words.h: lists of texts that a caller gives, as the studio's defs have them.
#pragma once
#include "base/base.h"

static inline bool fr_words_there(const char *const *word, int32_t count) {
    bool there = count == 0 || (count > 0 && word);
    for (int32_t k = 0; there && k < count; k++) there = word[k] != NULL;
    return there;
}

/// FR_NEED: as many as are said, all there.
#define FR_NEED_WORDS(ctx, word, count)                                                            \
    FR_NEED(ctx, fr_words_there((word), (count)), "give as many words as are said")
