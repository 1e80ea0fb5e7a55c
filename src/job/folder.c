// folder.c: where the files of a run go.

#include "base/file.h"
#include "base/hash.h"
#include "job/outputs.h"
#include "job/text.h"
#include <string.h>

/// Longest name of a folder; file systems stop at 255 bytes.
#define LONGEST_NAME 200

// "scene-fall=60cm", with nothing in it that a path would take apart
static void print_name(FrWriter *w, const char *scene, const char *const *set, int32_t set_count) {
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    const char *dot = strrchr(name, '.');
    fr_print(w, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    for (int32_t k = 0; k < set_count; k++) {
        if (w->size) fr_print(w, "-");
        for (const char *c = set[k]; *c; c++) fr_write_u8(w, *c == '/' ? '_' : (uint8_t)*c);
    }
}

FrResult fr_settings_name(FrContext *ctx, const char *scene, const char *const *set,
                          int32_t set_count, FrText *name) {
    FrWriter w;
    FrText whole;
    fr_writer_init(&w, ctx);
    print_name(&w, scene, set, set_count);
    FR_TRY(fr_text_take(&w, &whole));
    // too long for a name: its beginning and a hash of all of it
    unsigned long long rest = fr_hash_of(whole.data, whole.size, 0);
    FrResult result =
        whole.size <= LONGEST_NAME
            ? fr_text_print(ctx, name, "%s", whole.data)
            : fr_text_print(ctx, name, "%.*s-%016llx", LONGEST_NAME - 20, whole.data, rest);
    fr_text_free(ctx, &whole);
    return result;
}

FrResult fr_default_folder(FrContext *ctx, const char *scene, const char *const *set,
                           int32_t set_count, FrText *folder) {
    FrText name;
    FR_TRY(fr_settings_name(ctx, scene, set, set_count, &name));
    FrResult result = fr_text_print(ctx, folder, "out/%s", name.data);
    fr_text_free(ctx, &name);
    return result;
}

static FrResult join(FrOutputs *outputs, const char *name, char **path) {
    *path = fr_path_join(outputs->ctx, outputs->folder, name);
    return *path ? FR_OK : fr_no_memory(outputs->ctx, "a path");
}

FrResult fr_outputs_init(FrOutputs *outputs, FrContext *ctx, const char *folder) {
    *outputs = (FrOutputs){.ctx = ctx};
    outputs->folder = fr_strdup(ctx, folder);
    if (!outputs->folder) return fr_no_memory(ctx, "a path");
    FR_TRY(join(outputs, "run.fracas", &outputs->run));
    FR_TRY(join(outputs, "preview.mp4", &outputs->film));
    FR_TRY(join(outputs, "poster.png", &outputs->poster));
    FR_TRY(join(outputs, "sheet.png", &outputs->sheet));
    FR_TRY(join(outputs, "events.csv", &outputs->events));
    FR_TRY(join(outputs, "report.json", &outputs->report));
    FR_TRY(join(outputs, "scene.json", &outputs->scene));
    FR_TRY(join(outputs, "made.json", &outputs->stamps));
    FR_TRY(join(outputs, "sound.wav", &outputs->sound));
    FR_TRY(join(outputs, "stems", &outputs->stems));
    FR_TRY(join(outputs, "microphone.wav", &outputs->microphone));
    FR_TRY(join(outputs, "spectrogram.png", &outputs->spectrogram));
    return join(outputs, "index.html", &outputs->page);
}

void fr_outputs_free(FrOutputs *outputs) {
    if (!outputs->ctx) return;
    char *const path[] = {
        outputs->folder,      outputs->run,        outputs->film,  outputs->poster, outputs->sheet,
        outputs->events,      outputs->report,     outputs->page,  outputs->sound,  outputs->stems,
        outputs->spectrogram, outputs->microphone, outputs->scene, outputs->stamps, outputs->made};
    for (size_t k = 0; k < sizeof path / sizeof path[0]; k++) fr_free(outputs->ctx, path[k]);
    *outputs = (FrOutputs){0};
}
