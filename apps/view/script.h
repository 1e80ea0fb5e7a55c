// script.h: keys and pointer from a file, one event a line, for tests and films of the window.
#pragma once
#include <SDL.h>
#include <stdbool.h>

typedef struct Script Script;

/// NULL: it cannot be read; a message with file:line:column went to stderr.
Script *script_read(const char *path);
void script_free(Script *script); ///< accepts NULL
/// Push what is due at this time (s) into SDL's events, at most one a call. A picture that is to be
/// taken: its path, else NULL. `quit`: it is over.
const char *script_step(Script *script, double t, bool *quit);
