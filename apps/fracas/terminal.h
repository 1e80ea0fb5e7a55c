// terminal.h: the person at the other end: progress bar, notes, Ctrl-C.
#pragma once
#include "options.h"

/// A context whose log, progress and interrupts go to this terminal. NULL: out of memory.
FrContext *terminal_context(const Line *line);
/// Take the progress bar away, so that text can follow.
void terminal_clear(void);
/// Back to the usual Ctrl-C; the context is gone.
void terminal_close(FrContext *ctx);
/// The command line as one would type it.
void terminal_command(char *text, size_t size, const char *verb, int argc, char **argv);
