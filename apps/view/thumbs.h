// thumbs.h: small pictures of scenes, made in the background, kept in the cache.
#pragma once
#include <stdbool.h>

#define THUMB_WIDTH 240
#define THUMB_HEIGHT 150

/// These scenes (paths, count) are wanted, in this order. They stay borrowed.
void thumbs_want(const char *const *path, int count);
/// The OpenGL texture of scene k; 0: not there yet. With the context current.
unsigned thumbs_texture(int k);
/// Before the program ends.
void thumbs_end(void);
