// record_python.c: the lines of Python in docs/recording.md read a frame.

#include "test.h"
#include "record_world.h"
#include "base/file.h"
#include <unistd.h>

// what stands between ```python and ``` of the page
static void save_snippet(FrContext *ctx, const char *to) {
    uint8_t *page;
    size_t size;
    CHECK_OK(ctx, fr_file_load(ctx, FRACAS_SOURCE_DIR "/docs/recording.md", 100000, &page, &size));
    char *from = strstr((char *)page, "```python\n");
    char *end = from ? strstr(from + 10, "```") : NULL;
    CHECK(from && end);
    if (end) CHECK_OK(ctx, fr_file_save(ctx, to, from + 10, (size_t)(end - from - 10)));
    int lines = 0;
    for (char *c = from; c && c < end; c++) lines += *c == '\n';
    CHECK_INT(lines - 1, 10);
    fr_free(ctx, page);
}

TEST(the_documented_lines_read_a_frame) {
    FrContextDef context = fr_context_def_default();
    context.tasks.workers = 1;
    FrContext *ctx = fr_context_create(&context);
    World w;
    FrRecorder *r;
    FrRecorderDef def = world_def();
    char line[3][256] = {"", "", ""}, wanted[256];
    world_init(&w, ctx, 2);
    CHECK_OK(ctx, fr_recorder_create(ctx, "py.fracas", &def, &r));
    CHECK_OK(ctx, world_start(&w, r));
    CHECK_OK(ctx, world_run(&w, r, 30, 0, 0));
    CHECK_OK(ctx, fr_recorder_commit(r));
    save_snippet(ctx, "py-snippet.py");
    // while the run is still going
    FILE *pipe = popen("python3 py-snippet.py py.fracas 3", "r");
    for (int k = 0; pipe && k < 3; k++) CHECK(fgets(line[k], sizeof line[k], pipe) != NULL);
    CHECK(pipe && pclose(pipe) == 0);
    double highest = -HUGE_VAL, at[3] = {0, 0, 0};
    FrVec3 mean = fr_vec3_zero;
    for (int32_t n = 0; n < w.mesh.node_count; n++) {
        highest = fr_max(highest, fr_get3(w.p[0], n).z);
        mean = fr_add(mean, fr_scale(1.0 / w.mesh.node_count, fr_get3(w.p[0], n)));
    }
    CHECK_HAS(line[0], "0.03 s cube \"A\": 27 nodes, highest ");
    char *number = strstr(line[0], "highest ");
    // rounding: float32 about the body's middle
    CHECK_NEAR(number ? atof(number + 8) : 0, highest, 1e-8);
    number = strstr(line[0], ", middle ");
    CHECK(number && sscanf(number, ", middle %lf %lf %lf", &at[0], &at[1], &at[2]) == 3);
    // rounding: float32 about the body's middle
    CHECK_NEAR(fr_length(fr_sub(fr_vec3(at[0], at[1], at[2]), mean)), 0, 1e-8);
    snprintf(wanted, sizeof wanted, "0.03 s ball: 0 nodes, highest %.9g m, middle 0.03 0 %.9g\n",
             w.height, w.height);
    CHECK_TEXT(line[2], wanted);
    fr_recorder_close(r);
    world_free(&w);
    fr_context_destroy(ctx);
    unlink("py.fracas"), unlink("py-snippet.py");
}
