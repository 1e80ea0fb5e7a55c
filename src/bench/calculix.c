// calculix.c: CalculiX (ccx) as a yardstick: write its input, run it, read its eigenvalues.

#include "bench/calculix.h"
#include "base/file.h"
#include "base/text.h"
#include "material/laws.h"
#include "math/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES ((size_t)64 << 20)
// what the child ends with when there is no ccx
#define NOT_THERE 127

// mid-nodes in its order: 01 12 02 03 13 23
static FrResult write_tet(FrFileWriter *w, const FrTetMesh *mesh, int32_t e) {
    static const int mid[6] = {0, 3, 1, 2, 4, 5};
    FR_TRY(fr_file_printf(w, "%d", e + 1));
    for (int i = 0; i < 4; i++) FR_TRY(fr_file_printf(w, ",%d", mesh->tet[e][i] + 1));
    for (int i = 0; i < 6 && mesh->order == 2; i++)
        FR_TRY(fr_file_printf(w, ",%d", mesh->mid[e][mid[i]] + 1));
    return fr_file_printf(w, "\n");
}

static FrResult write_input(FrFileWriter *w, const FrTetMesh *mesh, const FrMaterial *m,
                            int32_t count) {
    // it reads at most 20 characters a number
    FR_TRY(fr_file_printf(w, "*NODE,NSET=N\n"));
    for (int32_t n = 0; n < mesh->node_count; n++)
        FR_TRY(fr_file_printf(w, "%d,%.12e,%.12e,%.12e\n", n + 1, mesh->x[3 * (size_t)n],
                              mesh->x[3 * (size_t)n + 1], mesh->x[3 * (size_t)n + 2]));
    FR_TRY(fr_file_printf(w, "*ELEMENT,TYPE=%s,ELSET=E\n", mesh->order == 2 ? "C3D10" : "C3D4"));
    for (int32_t e = 0; e < mesh->tet_count; e++) FR_TRY(write_tet(w, mesh, e));
    return fr_file_printf(w,
                          "*MATERIAL,NAME=M\n*ELASTIC\n%.12e,%.12e\n*DENSITY\n%.12e\n*SOLID "
                          "SECTION,ELSET=E,MATERIAL=M\n"
                          "*STEP\n*FREQUENCY\n%d\n*END STEP\n",
                          fr_young(m->lambda, m->mu), fr_poisson(m->lambda, m->mu), m->density,
                          count);
}

// folder/name.end; caller frees
static char *file_path(FrContext *ctx, const char *folder, const char *name, const char *end) {
    char file[256];
    snprintf(file, sizeof file, "%s%s", name, end);
    return fr_path_join(ctx, folder, file);
}

FrResult fr_calculix_save(FrContext *ctx, const char *folder, const char *name,
                          const FrTetMesh *mesh, const FrMaterial *material, int32_t count) {
    char *path = file_path(ctx, folder, name, ".inp");
    if (!path) return fr_no_memory(ctx, name);
    FrFileWriter w = {0};
    FrResult result = fr_file_begin(ctx, path, &w);
    fr_free(ctx, path);
    if (result == FR_OK) result = write_input(&w, mesh, material, count);
    if (result == FR_OK) return fr_file_commit(&w);
    fr_file_abort(&w);
    return result;
}

static void be_calculix(const char *folder, const char *name) {
    static char threads[] = "OMP_NUM_THREADS=1", blas[] = "OPENBLAS_NUM_THREADS=1";
    char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", program[] = "ccx", file[256];
    char *environment[] = {threads, blas, path, NULL}, *arguments[] = {program, file, NULL};
    snprintf(file, sizeof file, "%s", name);
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, 1), dup2(nothing, 2);
    if (chdir(folder) == 0) execvpe(program, arguments, environment);
    _exit(NOT_THERE);
}

static double seconds_of(const struct rusage *u) {
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

// rows "  7   0.1373187E+08   ..." of name.dat
static FrResult read_values(FrContext *ctx, const char *path, double *lambda, int32_t most,
                            int32_t *count) {
    uint8_t *bytes;
    size_t size;
    FR_TRY(fr_file_load(ctx, path, MOST_BYTES, &bytes, &size));
    FrText text;
    fr_text_init(&text, ctx, path, bytes, size);
    do {
        FrWord number = fr_text_word(&text), value = fr_text_word(&text);
        double n, l;
        // the table ends where its numbers start again
        if (!fr_parse_double(number.data, number.length, &n) || n != *count + 1) continue;
        if (*count < most && fr_parse_double(value.data, value.length, &l)) lambda[(*count)++] = l;
    } while (fr_text_next_line(&text));
    fr_free(ctx, bytes);
    return FR_OK;
}

FrResult fr_calculix_run(FrContext *ctx, const char *folder, const char *name, double *lambda,
                         int32_t most, FrCalculixRun *run) {
    *run = (FrCalculixRun){0};
    pid_t child = fork();
    if (child == 0) be_calculix(folder, name);
    struct rusage usage;
    int status = 0;
    if (child < 0) return fr_fail(ctx, FR_FAILED, "cannot start ccx: %s", strerror(errno));
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return fr_fail(ctx, FR_FAILED, "cannot wait for ccx: %s", strerror(errno));
    run->installed = !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE);
    run->seconds = seconds_of(&usage);
    run->peak_mb = (double)usage.ru_maxrss / 1024.0;
    if (!run->installed) return FR_OK;
    if (fr_context_cancelled(ctx)) return fr_fail(ctx, FR_INTERRUPTED, "interrupted");
    char *path = file_path(ctx, folder, name, ".dat");
    if (!path) return fr_no_memory(ctx, name);
    FrResult result = read_values(ctx, path, lambda, most, &run->count);
    fr_free(ctx, path);
    return result;
}
