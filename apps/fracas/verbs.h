// verbs.h: one row per verb: its words, options, examples, and what it calls.
#pragma once
#include "options.h"

/// Where the options of a verb put their values.
typedef struct VerbState {
    Line *line;
    const char *command; ///< the command line, for the page of a run
    union {
        struct {
            FrRunOptions options;
            int32_t detail;
        } run;
        struct {
            FrMeshOptions options;
            int32_t unit, up, order;
        } mesh;
        struct {
            FrModesJob job;
            int32_t unit, up, order, mass;
        } modes;
        struct {
            FrRenderJob job;
            int32_t show;
        } render;
        FrExportJob export;
        struct {
            FrStrikeJob job;
            int32_t unit, up, mallet, air;
        } strike;
        struct {
            FrBakeJob job;
            int32_t unit, up;
        } bake;
        struct {
            FrSoundJob job;
            int32_t air;
        } sound;
        struct {
            const char *language;
        } scene;
        struct {
            double until;
        } bench;
    } u;
} VerbState;

typedef struct Verb {
    const char *name, *form, *summary, *examples;
    const Option *options;
    int32_t option_count, min_words, max_words;
    void (*prepare)(VerbState *state); ///< defaults that are not zero; NULL: none
    FrResult (*run)(FrContext *ctx, VerbState *state, FrText *text);
} Verb;

extern const Verb verb_run, verb_mesh, verb_modes, verb_strike, verb_bake, verb_sound, verb_render,
    verb_export, verb_info, verb_scene, verb_check, verb_materials, verb_bench;
