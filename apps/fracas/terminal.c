// terminal.c: progress with the time left, notes on stderr, first Ctrl-C asks, second stops.

#include "terminal.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// More would only wait for one another.
#define MOST_THREADS 256

// one program, one terminal: the only state outside a context, because signal handlers take no
// argument
static struct {
    FrContext *ctx;
    volatile sig_atomic_t interrupts;
    bool bar, shown, quiet;
    const char *stage;
    double stage_start, last;
} terminal;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void on_interrupt(int signal_number) {
    static const char words[] = "\nstopping within seconds; Ctrl-C again stops at once\n";
    (void)signal_number;
    int kept = errno;
    if (++terminal.interrupts > 1) _exit(FR_INTERRUPTED);
    fr_context_cancel(terminal.ctx);
    // nothing can be done about a message that does not get through
    ssize_t written = terminal.quiet ? 0 : write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    errno = kept;
}

static void clear_bar(void) {
    if (terminal.shown) fprintf(stderr, "\r\033[K");
    terminal.shown = false;
}

static void on_progress(void *user, const char *stage, double done, double total) {
    (void)user;
    double t = now();
    if (terminal.stage != stage) {
        terminal.stage = stage;
        terminal.stage_start = t;
    }
    if (!terminal.bar || (t - terminal.last < 0.1 && done < total)) return;
    terminal.last = t;
    double share = total > 0.0 ? done / total : 0.0;
    char bar[31], left[32] = "";
    int filled = (int)(share * 30.0);
    for (int k = 0; k < 30; k++) bar[k] = k < filled ? '#' : '.';
    bar[30] = 0;
    if (share > 0.01)
        fr_duration_text(floor((t - terminal.stage_start) * (1.0 / share - 1.0) + 0.5), left);
    fprintf(stderr, "\r\033[K%-10s [%s] %3.0f %%  %s%s", stage, bar, 100.0 * share, left,
            left[0] ? " left" : "");
    fflush(stderr);
    terminal.shown = true;
}

static void on_log(void *user, FrLogLevel level, const char *text) {
    (void)user;
    if (level == FR_LOG_DEBUG || (terminal.quiet && level == FR_LOG_INFO)) return;
    clear_bar();
    fprintf(stderr, "%s%s\n", level == FR_LOG_WARNING ? "warning: " : "", text);
}

FrContext *terminal_context(const Line *line) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = line->threads < MOST_THREADS ? line->threads : MOST_THREADS;
    terminal.bar = !line->quiet && isatty(STDERR_FILENO);
    def.progress = on_progress;
    terminal.quiet = line->quiet;
    def.log = on_log;
    terminal.ctx = fr_context_create(&def);
    if (!terminal.ctx) return NULL;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return terminal.ctx;
}

void terminal_clear(void) { clear_bar(); }

void terminal_close(FrContext *ctx) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    fr_context_destroy(ctx);
}

// one word of a command line as a shell would need it: 'it'\\''s'
static void add_word(FILE *to, const char *word) {
    if (word[0] && strcspn(word, " \t\n'\"$\\*?<>|&;()[]{}#~`!") == strlen(word)) {
        fprintf(to, " %s", word);
        return;
    }
    fprintf(to, " '");
    for (; *word; word++)
        if (*word == '\'')
            fprintf(to, "'\\''");
        else
            fputc(*word, to);
    fputc('\'', to);
}

void terminal_command(char *text, size_t size, const char *verb, int argc, char **argv) {
    text[0] = 0;
    FILE *to = fmemopen(text, size, "w"); // what does not fit is cut off
    if (!to) return;
    fprintf(to, "fracas %s", verb);
    for (int k = 0; k < argc; k++) add_word(to, argv[k]);
    fclose(to);
    text[size - 1] = 0;
}
