// folder.c: where the files of a run go.

#include "base/file.h"
#include "job/outputs.h"

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
    return join(outputs, "index.html", &outputs->page);
}

void fr_outputs_free(FrOutputs *outputs) {
    if (!outputs->ctx) return;
    char *const path[] = {outputs->folder, outputs->run,    outputs->film,   outputs->poster,
                          outputs->sheet,  outputs->events, outputs->report, outputs->page};
    for (size_t k = 0; k < sizeof path / sizeof path[0]; k++) fr_free(outputs->ctx, path[k]);
    *outputs = (FrOutputs){0};
}
