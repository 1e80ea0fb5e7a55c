// main.c: the program: finds the verb, sets up the context (threads, log, progress, Ctrl-C), prints
// what the job returns.

#include "options.h"
#include "terminal.h"
#include "verbs.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const Verb *const verbs[] = {&verb_run,       &verb_break,   &verb_sweep,  &verb_mesh,
                                    &verb_modes,     &verb_radiate, &verb_strike, &verb_listen,
                                    &verb_bake,      &verb_sound,   &verb_render, &verb_export,
                                    &verb_info,      &verb_events,  &verb_scene,  &verb_check,
                                    &verb_materials, &verb_bench,   &verb_bank};
#define VERB_COUNT ((int32_t)(sizeof verbs / sizeof verbs[0]))

static void print_usage(FILE *to) {
    fprintf(to,
            "fracas %s: solids that bend, squash, crack, tear and ring, from a scene file to a "
            "film with "
            "sound\n\n",
            fr_version());
    for (int32_t k = 0; k < VERB_COUNT; k++)
        fprintf(to, "  fracas %-10s %s\n", verbs[k]->name, verbs[k]->summary);
    fprintf(to, "  fracas %-10s %s\n", "view",
            "a window: pull, strike, shoot and break a scene, and hear it; or play a recording");
    fprintf(to, "\n`fracas VERB --help` has options and examples. Start with: fracas run "
                "scenes/hello.lua\n");
}

static void print_help(const Verb *verb) {
    printf("fracas %s %s\n%s\n\n", verb->name, verb->form, verb->summary);
    options_print(verb->options, verb->option_count);
    printf("\nExamples:\n%s", verb->examples);
}

static int unknown_verb(const char *word) {
    const char *names[VERB_COUNT + 1];
    for (int32_t k = 0; k < VERB_COUNT; k++) names[k] = verbs[k]->name;
    names[VERB_COUNT] = "view";
    const char *near = nearest_word(word, names, VERB_COUNT + 1);
    fprintf(stderr, "fracas: there is no '%s'", word);
    if (near) fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\n");
    return FR_BAD_USE;
}

static int finish(FrContext *ctx, FrResult result, const FrText *text) {
    terminal_clear();
    errno = 0;
    if (text->data) fwrite(text->data, 1, text->size, stdout);
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && errno == EPIPE) written = true; // `| head` has seen enough
    if (result != FR_OK) fprintf(stderr, "fracas: %s\n", fr_context_message(ctx));
    if (result == FR_OK && !written) {
        fprintf(stderr, "fracas: cannot write to stdout\n");
        result = FR_IO;
    }
    return (int)result;
}

static int run_verb(const Verb *verb, int argc, char **argv) {
    Line line = {.max_words = verb->max_words};
    VerbState state;
    memset(&state, 0, sizeof state);
    state.line = &line;
    char command[4096];
    terminal_command(command, sizeof command, verb->name, argc, argv);
    state.command = command;
    if (verb->prepare) verb->prepare(&state);
    OptionList list = {verb->name, verb->options, verb->option_count, &state.u};
    int status = options_parse(argc, argv, &list, &line);
    if (status) return status;
    if (line.help) return print_help(verb), 0;
    if (line.word_count < verb->min_words) {
        fprintf(stderr, "fracas %s %s: an argument is missing; `fracas %s --help` has examples\n",
                verb->name, verb->form, verb->name);
        return FR_BAD_USE;
    }
    FrContext *ctx = terminal_context(&line);
    if (!ctx) {
        fprintf(stderr, "fracas: out of memory\n");
        return FR_NO_MEMORY;
    }
    FrText text = {NULL, 0};
    FrResult result = verb->run(ctx, &state, &text);
    status = finish(ctx, result, &text);
    fr_text_free(ctx, &text);
    terminal_close(ctx);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2) return print_usage(stderr), FR_BAD_USE;
    const char *word = argv[1];
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
        return print_usage(stdout), 0;
    if (!strcmp(word, "--version")) return printf("fracas %s\n", fr_version()), 0;
    if (!strcmp(word, "view")) return view_main(argv + 1);
    for (int32_t k = 0; k < VERB_COUNT; k++)
        if (!strcmp(word, verbs[k]->name)) return run_verb(verbs[k], argc - 2, argv + 2);
    return unknown_verb(word);
}
