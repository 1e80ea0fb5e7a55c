// bench_sounds.c: the lowest tones of S4's objects, next to its table 1.

#include "bench/bench_sounds.h"
#include "backend/backend.h"
#include "base/clock.h"
#include "base/file.h"
#include "export/report_text.h"
#include "modal/compute.h"
#include "score/modes_source.h"
#include "score/modes_table.h"

#define PLAIN "its mesh: S4's linear tets are too stiff"

// Where no shape is printed, ours has the size for which the first row of its kind has the printed
// tone (M28, 19). Decays are (alpha1 w^2 + alpha2) / 2; those that S4 prints otherwise are E39.
const FrSoundRow fr_sound_rows[] = {
    {"chime D3", "../chimes.lua", "tube1", {NULL}, 587.4, 0.6, 144, 18796, "0.6 is 0.68 (E39)"},
    {"bowl 1", "bowl.lua", "bowl", {NULL}, 551.3, 15.6, 4.2, 387, "form ours, size for its tone"},
    {"bowl 2, wood",
     "bowl.lua",
     "bowl",
     {"material=s4-bowl-wood"},
     216.7,
     22.4,
     4.2,
     387,
     "same size; decay misprinted (E39)"},
    {"bunny, ceramic", "chute.lua", "bunny1", {NULL}, 855.9, 19.5, 280, 37114, "size for its tone"},
    {"shelf, plastic",
     "chute.lua",
     "plastic",
     {NULL},
     488.9,
     29.7,
     0.5,
     361,
     "form ours, size for its tone"},
    {"shelf, aluminium", "chute.lua", "aluminium", {NULL}, 691.5, 0.9, 0.5, 361, "same size"},
    {"shelf, wood",
     "chute.lua",
     "wood",
     {NULL},
     154.6,
     28.8,
     0.5,
     361,
     "same size; printed tone impossible (E40)"},
    {"bunny, metal",
     "chute.lua",
     "bunny1",
     {"material=s4-bunny-metal"},
     855.9,
     19.5,
     280,
     37114,
     "same size; copied from ceramic (E39)"},
    {"block, 5 cm", "blocks-and-boxes.lua", "cube1", {NULL}, 1596.2, 428.1, 328, 1160, PLAIN},
    {"box, 50 cm",
     "blocks-and-boxes.lua",
     "cube1",
     {"size=50cm"},
     159.1,
     49.0,
     328,
     1160,
     "its mesh; decay misprinted (E39)"},
    {"The End, T",
     "letters-ring.lua",
     "T1",
     {"size=44.9cm"},
     247.7,
     15.2,
     0.7,
     71,
     "form ours, size for its tone"},
};
const int32_t fr_sound_row_count = (int32_t)(sizeof fr_sound_rows / sizeof fr_sound_rows[0]);

static FrResult lowest(FrContext *ctx, FrModesSource *source, FrSoundFound *found) {
    FrModes modes = {0};
    FrModeTable table = {0};
    FR_TRY(fr_modes_source_build(ctx, source));
    FrModalDef def = {.mesh = &source->mesh,
                      .material = source->material,
                      .material_count = source->material_count,
                      .held = source->held,
                      .count = 1};
    FrResult result = fr_modes_compute(ctx, &def, &modes, NULL);
    if (result == FR_OK)
        result = fr_mode_table(ctx, &source->mesh, &modes, &source->material[0], &table);
    if (result == FR_OK && table.count < 1) result = fr_fail(ctx, FR_FAILED, "no mode was found");
    if (result == FR_OK) {
        found->hz = table.row[0].tone;
        found->decay = table.row[0].decay;
        found->nodes = source->mesh.node_count;
    }
    fr_mode_table_free(ctx, &table);
    fr_modes_free(ctx, &modes);
    return result;
}

FrResult fr_sound_row(FrContext *ctx, const char *folder, const FrSoundRow *row,
                      FrSoundFound *found) {
    FrModesSource source = {0};
    FrModesDef job = fr_modes_def_default();
    char *path = fr_path_join(ctx, folder, row->file);
    if (!path) return fr_no_memory(ctx, "a benchmark");
    job.input = path;
    job.body = row->body;
    job.set = row->set;
    job.set_count = (row->set[0] != NULL) + (row->set[1] != NULL);
    job.no_cache = true;
    fr_backend_fill(ctx);
    double start = fr_wall_seconds();
    FrResult result = fr_modes_source_open(ctx, &job, &source);
    if (result == FR_OK) result = lowest(ctx, &source, found);
    found->seconds = fr_wall_seconds() - start;
    fr_modes_source_free(ctx, &source);
    fr_free(ctx, path);
    return result;
}

FrResult fr_sound_table(FrContext *ctx, const char *folder, FrWriter *w) {
    fr_print(w, "\n%-18s %8s %8s %8s %8s %8s %8s %8s %8s  %s\n", "S4 table 1", "Hz", "printed",
             "decay", "printed", "nodes", "printed", "s", "printed", "departs");
    for (int32_t k = 0; k < fr_sound_row_count; k++) {
        const FrSoundRow *row = &fr_sound_rows[k];
        FrSoundFound found;
        FR_TRY(fr_sound_row(ctx, folder, row, &found));
        fr_print(w, "%-18s %8.1f %8.1f %8.2f %8.1f %8d %8d %8.2f %8.0f  %s\n", row->name, found.hz,
                 row->hz, found.decay, row->decay, found.nodes, row->nodes, found.seconds,
                 60.0 * row->minutes, row->departs);
    }
    return FR_OK;
}

FrResult fr_sound_json(FrContext *ctx, const char *folder, FrJson *j) {
    fr_json_array(j, "sounds");
    for (int32_t k = 0; k < fr_sound_row_count; k++) {
        const FrSoundRow *row = &fr_sound_rows[k];
        FrSoundFound found;
        FR_TRY(fr_sound_row(ctx, folder, row, &found));
        fr_json_object(j, NULL);
        fr_json_text(j, "name", row->name);
        fr_json_number(j, "hz", found.hz);
        fr_json_number(j, "printed_hz", row->hz);
        fr_json_number(j, "decay", found.decay);
        fr_json_number(j, "printed_decay", row->decay);
        fr_json_int(j, "nodes", found.nodes);
        fr_json_int(j, "printed_nodes", row->nodes);
        fr_json_number(j, "seconds", found.seconds);
        fr_json_number(j, "printed_seconds", 60.0 * row->minutes);
        fr_json_text(j, "departs", row->departs);
        fr_json_end(j);
    }
    fr_json_end(j);
    return FR_OK;
}
