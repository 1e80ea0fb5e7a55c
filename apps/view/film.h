// film.h: what hands did as a recording, with its sound and its film.
#pragma once
#include <fracas/live.h>

/// Play inputs again into `folder`: run.fracas, sound.wav, film.mp4.
FrResult film_make(FrContext *ctx, const char *inputs, const char *folder);
/// The same in the background; false: one is being made. The inputs are kept in the folder.
bool film_begin(const char *inputs, const char *folder);
/// What became of it, once; NULL: nothing new.
const char *film_news(void);
void film_end(void); ///< stop it
