// bench_modes.c: modes of the D3 chime against CalculiX: same mesh, same run, one thread each.

#include "bench/bench_modes.h"
#include "backend/backend.h"
#include "base/file.h"
#include "bench/calculix.h"
#include "math/vec.h"
#include "mesh/meshfile.h"
#include "mesh/structured.h"
#include "modal/compute.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// S4's tube with about its 18,796 nodes, linear tets, one layer
#define EDGE 0.00203
#define MODES 106
#define RIGID 6

static double cpu_seconds(double *peak_mb) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    *peak_mb = (double)u.ru_maxrss / 1024.0;
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// read the mesh as CalculiX has to, then everything up to checked modes
static FrResult ours(FrContext *ctx, const char *path, const FrMaterial *material, FrModesBench *b,
                     double *lambda) {
    FrTetMesh mesh;
    FrModes modes;
    double before, begun = cpu_seconds(&before);
    FR_TRY(fr_msh_load(ctx, path, &mesh));
    FrModalDef def = {.mesh = &mesh, .material = material, .material_count = 1, .count = MODES};
    fr_backend_fill(ctx);
    FrResult result = fr_modes_compute(ctx, &def, &modes, NULL);
    b->seconds = cpu_seconds(&b->peak_mb) - begun;
    b->nodes = mesh.node_count;
    b->tets = mesh.tet_count;
    if (result == FR_OK) {
        b->modes = modes.mode_count;
        for (int32_t i = 0; i < modes.mode_count; i++) lambda[i] = modes.lambda[i];
        fr_modes_free(ctx, &modes);
    }
    fr_tetmesh_free(ctx, &mesh);
    return result;
}

static FrResult theirs(FrContext *ctx, const char *folder, FrModesBench *b, const double *lambda) {
    double values[MODES + RIGID];
    FrCalculixRun run;
    FR_TRY(fr_calculix_run(ctx, folder, "tube", values, MODES + RIGID, &run));
    if (!run.installed) return FR_OK;
    if (run.count != MODES + RIGID)
        return fr_fail(ctx, FR_FAILED, "ccx found %d of %d eigenvalues", run.count, MODES + RIGID);
    b->calculix_seconds = run.seconds;
    b->calculix_peak_mb = run.peak_mb;
    for (int32_t i = 0; i < b->modes; i++)
        b->calculix_off = fr_max(b->calculix_off, fabs(sqrt(values[RIGID + i] / lambda[i]) - 1.0));
    return FR_OK;
}

static FrResult both(FrContext *ctx, const char *folder, FrModesBench *b) {
    FrMaterial aluminium = {
        .name = "s4-aluminium", .density = 2700.0, .lambda = 4.98e10, .mu = 2.57e10};
    FrTetMesh mesh;
    double lambda[MODES];
    char *path = fr_path_join(ctx, folder, "tube.msh");
    if (!path) return fr_no_memory(ctx, "a benchmark");
    FrResult result = fr_mesh_tube_layers(ctx, (FrTube){0.0125, 0.0115, 0.505}, EDGE, 1, &mesh);
    if (result == FR_OK) result = fr_msh_save(ctx, path, &mesh);
    if (result == FR_OK)
        result = fr_calculix_save(ctx, folder, "tube", &mesh, &aluminium, MODES + RIGID);
    fr_tetmesh_free(ctx, &mesh);
    if (result == FR_OK) result = ours(ctx, path, &aluminium, b, lambda);
    if (result == FR_OK) result = theirs(ctx, folder, b, lambda);
    fr_free(ctx, path);
    return result;
}

static void clean(FrContext *ctx, const char *folder) {
    static const char *const files[] = {"tube.msh", "tube.inp", "tube.dat", "tube.sta",
                                        "tube.cvg", "tube.frd", "tube.12d", "spooles.out"};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        char *path = fr_path_join(ctx, folder, files[k]);
        if (path) unlink(path);
        fr_free(ctx, path);
    }
    rmdir(folder);
}

FrResult fr_modes_bench(FrContext *ctx, FrModesBench *bench) {
    char folder[] = "/tmp/fracas-bench-XXXXXX";
    *bench = (FrModesBench){0};
    if (!mkdtemp(folder)) return fr_fail(ctx, FR_IO, "cannot make a folder in /tmp");
    FrResult result = both(ctx, folder, bench);
    clean(ctx, folder);
    return result;
}
