// terminal.h: the person at the other end: progress bar, notes, Ctrl-C.
#pragma once
#include "options.h"

/// A context whose log, progress and interrupts go to this terminal. NULL: out of memory.
FrContext *terminal_context(const Line *line);
/// Clear the progress bar.
void terminal_end(FrContext *ctx);
void terminal_close(FrContext *ctx);
/// The command line as one would type it.
void terminal_command(char *to, size_t size, const char *verb, int argc, char **argv);
