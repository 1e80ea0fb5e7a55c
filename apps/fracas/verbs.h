// verbs.h: one row per verb: its words, options, examples, and what it calls.
#pragma once
#include "options.h"
#include <stddef.h>

#define COUNT(a) ((int32_t)(sizeof(a) / sizeof((a)[0])))
/// Offset of a field of the union member `u.member`, from the start of u.
#define AT(member, field) (offsetof(VerbState, u.member.field) - offsetof(VerbState, u))

// rows that several verbs have
// clang-format off
#define SET_OPTION {"--set", OPTION_SETTING, 0, "NAME=VALUE", "change a param of the scene; units as in 60cm", NULL}
#define SEED_OPTION {"--seed", OPTION_SEED, 0, "N", "another seed", NULL}
/// How a file becomes tets; `input` has size, unit and up_y.
#define FILE_OPTIONS(member, input) \
    {"--size", OPTION_LENGTH, AT(member, input.size), "H", "target edge of tets, m (or 5mm, 2cm)", NULL}, \
    {"--unit", OPTION_UNIT, AT(member, input.unit), "m|cm|mm|in", "unit of the file (m)", NULL}, \
    {"--up", OPTION_UP, AT(member, input.up_y), "z|y", "which axis of the file points up (z)", NULL}
/// The same of a file or a scene.
#define SHAPE_OPTIONS(member, input) SET_OPTION, FILE_OPTIONS(member, input)
/// How it is run; `run` is a FrRunDef, `detail` an int32_t.
#define GOING_OPTIONS(member, run, detail) SEED_OPTION, \
    {"--until", OPTION_TIME, AT(member, run.until), "T", "stop at this time, s (or 300ms)", NULL}, \
    {"--restart", OPTION_FLAG, AT(member, run.restart), NULL, "throw an earlier run away", NULL}, \
    {"--detail", OPTION_CHOICE, AT(member, detail), "draft|normal|fine", "mesh size: x1.5, x1, x0.67", detail_choices}, \
    {"--fps", OPTION_NUMBER, AT(member, run.fps), "N", "frames per second (the scene's)", NULL}, \
    {"--checkpoint", OPTION_TIME, AT(member, run.checkpoint_every), "S", "wall time between checkpoints, s (60); a long step is not parted", NULL}
/// The same of a scene.
#define RUN_OPTIONS(member, run, detail) SET_OPTION, GOING_OPTIONS(member, run, detail)
/// What is left out of a run.
#define LESS_OPTIONS(member, run) \
    {"--dry-run", OPTION_FLAG, AT(member, run.dry_run), NULL, "say tets, steps, time and disk; simulate nothing", NULL}, \
    {"--no-film", OPTION_FLAG, AT(member, run.no_film), NULL, "simulate, but draw nothing", NULL}, \
    {"--no-sound", OPTION_FLAG, AT(member, run.no_sound), NULL, "no modes, no sound", NULL}
#define SHOW_OPTION(member) \
    {"--show", OPTION_CHOICE, AT(member, show), "surface|stress|tets|cracks|separation|pieces|speed|rest|wire", "what to show (tets: with bodies cut open towards the eye; rest: put together again, with mesh and cracks; wire: with the edges of cracks inside)", show_choices}
#define AIR_OPTION(member) \
    {"--air", OPTION_CHOICE, AT(member, air), "full|plain|flat", "tones go out as the body's shape has it (full); alike in all directions, low ones of small bodies weakly (plain); all tones alike (flat)", air_choices}
// clang-format on

/// Where the options of a verb put their values.
typedef struct VerbState {
    Line *line;
    const char *command; ///< the command line, for the page of a run
    union {
        struct {
            FrRunDef options;
            int32_t detail;
        } run;
        struct {
            FrSweepDef job;
            int32_t detail, show;
        } sweep;
        struct {
            FrMeshDef options;
            int32_t order;
        } mesh;
        struct {
            FrBreakDef job;
            int32_t detail;
            Place hit, turn;
            double drop; ///< m; 0: not given
        } breaking;
        struct {
            FrModesDef job;
            const char *material;
            int32_t order, mass;
        } modes;
        struct {
            FrRenderDef job;
            int32_t show;
            Place camera, target;
        } render;
        struct {
            FrExportDef job;
            int32_t preset, topology;
        } export;
        struct {
            FrStrikeDef job;
            const char *material;
            Tones t60;
            int32_t mallet, air;
            Place at;
        } strike;
        struct {
            FrBakeDef job;
            const char *material;
            int32_t air;
        } bake;
        struct {
            FrRadiateJobDef job;
            const char *material;
        } radiate;
        struct {
            FrListenDef job;
            const char *material;
        } listen;
        struct {
            FrSoundDef job;
            Changes changes;
            int32_t air;
            Place listener;
            const char *proxy;
        } sound;
        struct {
            FrSoundbankDef job;
            const char *part;
        } soundbank;
        struct {
            bool csv;
        } events;
        struct {
            int32_t language; ///< FrLanguageForm; -1: none
        } scene;
        struct {
            FrBenchDef job;
            bool papers;
        } bench;
    } u;
} VerbState;

extern const char *const detail_choices[]; ///< in the order of FrDetail

typedef struct Verb {
    const char *name, *form, *summary, *examples;
    const Option *options;
    int32_t option_count, min_words, max_words;
    void (*prepare)(VerbState *state); ///< defaults that are not zero; NULL: none
    FrResult (*run)(FrContext *ctx, VerbState *state, FrText *text);
} Verb;

/// `fracas view`: becomes fracas-view with these words (argv[0]: "view"); returns where it cannot.
int view_main(char **argv);

extern const Verb verb_run, verb_break, verb_sweep, verb_mesh, verb_modes, verb_radiate,
    verb_strike, verb_listen, verb_bake, verb_sound, verb_render, verb_export, verb_info,
    verb_events, verb_scene, verb_check, verb_materials, verb_bench, verb_bank;
