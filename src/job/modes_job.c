// modes_job.c: `fracas modes`: how a body vibrates, as a table and for other programs.

#include "backend/backend.h"
#include "base/words.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_names.h"
#include "base/json.h"
#include "export/report_text.h"
#include "fracas/studio.h"
#include "math/vec.h"
#include "output/modes_export.h"
#include "output/modes_picture.h"
#include "score/modes_cache.h"
#include "score/modes_source.h"
#include "score/modes_table.h"
#include <sys/resource.h>

// soft bodies have thousands below 20 kHz; nobody hears more than this many apart [S4 3.4]
#define MOST_MODES 1000

typedef struct Modes {
    FrContext *ctx;
    const FrModesDef *job;
    FrModesSource source;
    FrModes modes;
    FrModesReport report;
    FrModeTable table;
    bool cached;
    double seconds; ///< all of it, wall time
} Modes;

static FrResult check_output(const Modes *m) {
    const char *path = m->job->output;
    if (!path) return FR_OK;
    if (fr_ends_with(path, ".json") || fr_ends_with(path, ".png") || fr_mode_format(path))
        return fr_check_folder_of(m->ctx, path);
    return fr_fail(m->ctx, FR_BAD_USE,
                   "%s: modes are written as .json, .csv, .png, .dsp (Faust), .csd (Csound) or "
                   ".scd (SuperCollider)",
                   path);
}

static FrResult check_range(const Modes *m) {
    const FrModesDef *job = m->job;
    if (!(job->max_hz > 0.0 && isfinite(job->max_hz)))
        return fr_fail(m->ctx, FR_BAD_USE, "modes up to %g Hz; above 0 are possible", job->max_hz);
    if (job->count < 1)
        return fr_fail(m->ctx, FR_BAD_USE, "%d modes; 1 or more are possible", job->count);
    return FR_OK;
}

static FrResult compute(Modes *m) {
    const FrModesDef *job = m->job;
    FrModalDef def = {.mesh = &m->source.mesh,
                      .material = m->source.material,
                      .material_count = m->source.material_count,
                      .lumped = job->lumped,
                      .held = m->source.held,
                      .max_hz = job->max_hz,
                      .count = job->count};
    bool all = def.count == INT32_MAX;
    if (all) def.count = MOST_MODES;
    char *folder = fr_modes_job_cache(m->ctx, job);
    FrResult result = fr_modes_cached(m->ctx, &def, folder, &m->modes, &m->report, &m->cached);
    fr_free(m->ctx, folder);
    if (result == FR_OK && all && m->modes.mode_count == MOST_MODES)
        fr_log(m->ctx, FR_LOG_WARNING,
               "%s: only the first %d modes; there are more below %g Hz (--count asks for them)",
               m->source.name, MOST_MODES, def.max_hz);
    if (result == FR_OK && !all && m->modes.mode_count > 0 && m->modes.mode_count < def.count)
        fr_log(m->ctx, FR_LOG_INFO,
               "%s: no more than %d mode%s up to %g Hz (--max-freq asks for higher ones)",
               m->source.name, m->modes.mode_count, fr_s(m->modes.mode_count), def.max_hz);
    return result;
}

static double peak_megabytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024.0 : 0.0;
}

static void row_json(FrJson *j, const FrModeRow *row) {
    fr_json_object(j, NULL);
    fr_json_number(j, "hz", row->hz);
    fr_json_number(j, "damped_hz", row->tone);
    fr_json_text(j, "note", row->note);
    fr_json_number(j, "cents", row->cents);
    fr_json_number(j, "ratio", row->ratio);
    fr_json_number(j, "decay", row->decay);
    fr_json_number(j, "t60", row->t60);
    fr_json_number(j, "coupling", row->coupling);
    fr_json_number(j, "pressure_per_impulse", row->pressure);
    fr_json_end(j);
}

static void seconds_json(FrJson *j, const Modes *m) {
    fr_json_object(j, "seconds");
    fr_json_number(j, "assemble", m->report.assemble_seconds);
    fr_json_number(j, "factor", m->report.eigen.factor_seconds);
    fr_json_number(j, "eigen", m->report.eigen.eigen_seconds);
    fr_json_number(j, "total", m->seconds);
    fr_json_end(j);
}

static void write_json(FrWriter *w, const Modes *m) {
    FrJson j;
    fr_json_begin(&j, w, true);
    fr_json_object(&j, NULL);
    fr_json_text(&j, "name", m->source.name);
    fr_json_text(&j, "material", m->source.material[0].name);
    fr_json_int(&j, "nodes", m->source.mesh.node_count);
    fr_json_int(&j, "tets", m->source.mesh.tet_count);
    fr_json_int(&j, "order", m->source.mesh.order);
    fr_json_text(&j, "mass", m->job->lumped ? "lumped" : "consistent");
    fr_json_int(&j, "rigid_modes", m->modes.rigid_count);
    fr_json_array(&j, "modes");
    for (int32_t i = 0; i < m->table.count; i++) row_json(&j, &m->table.row[i]);
    fr_json_end(&j);
    fr_json_bool(&j, "cached", m->cached);
    if (!m->cached) {
        fr_json_number(&j, "residual", m->report.eigen.residual);
        fr_json_number(&j, "orthogonality", m->report.eigen.orthogonality);
    }
    seconds_json(&j, m);
    fr_json_number(&j, "peak_mb", peak_megabytes());
    fr_json_end(&j);
}

static void print_row(FrWriter *w, int32_t i, const FrModeRow *row) {
    fr_print(w, "%5d %11.2f  %-4s %+6.1f %8.3f ", i + 1, row->hz, row->note, row->cents,
             row->ratio);
    if (isfinite(row->t60))
        fr_print(w, "%9.3g ", row->t60);
    else
        fr_print(w, "%9s ", "-");
    if (row->share > 0.0)
        fr_print(w, "%8.1f\n", 20.0 * log10(row->share));
    else
        fr_print(w, "%8s\n", "-");
}

static void print_table(FrWriter *w, const Modes *m) {
    const FrTetMesh *mesh = &m->source.mesh;
    fr_print(w, "%s of %s: %d nodes, %d tet%s of %d nodes, %s mass, %d rigid motion%s left out\n",
             m->source.name, m->source.material[0].name, mesh->node_count, mesh->tet_count,
             fr_s(mesh->tet_count), mesh->order == 2 ? 10 : 4,
             m->job->lumped ? "lumped" : "consistent", m->modes.rigid_count,
             fr_s(m->modes.rigid_count));
    if (m->cached)
        fr_print(w, "%d mode%s, kept from an earlier run, in %.2f s\n\n", m->table.count,
                 fr_s(m->table.count), m->seconds);
    else
        fr_print(w, "%d mode%s in %.2f s, %.0f MB, largest residual %.1e\n\n", m->table.count,
                 fr_s(m->table.count), m->seconds, peak_megabytes(), m->report.eigen.residual);
    fr_print(w, "%5s %11s  %-4s %6s %8s %9s %8s\n", "mode", "Hz", "note", "cents", "ratio", "T60 s",
             "blow dB");
    for (int32_t i = 0; i < m->table.count; i++) print_row(w, i, &m->table.row[i]);
}

static FrResult save(const Modes *m) {
    if (!m->job->output) return FR_OK;
    if (fr_ends_with(m->job->output, ".png"))
        return fr_modes_picture(m->ctx, &m->source.mesh, &m->modes, &m->source.material[0],
                                &m->table, m->job->output);
    FrWriter w;
    fr_writer_init(&w, m->ctx);
    const FrModeFormat *format = fr_mode_format(m->job->output);
    if (format)
        format->write(&w, &m->table);
    else
        write_json(&w, m);
    FrResult result = fr_writer_result(&w);
    if (result == FR_OK) result = fr_file_save(m->ctx, m->job->output, w.data, w.size);
    fr_writer_free(&w);
    return result;
}

static FrResult run(Modes *m) {
    double begun = fr_wall_seconds();
    FR_TRY(check_output(m));
    FR_TRY(check_range(m));
    FR_TRY(fr_modes_source_open(m->ctx, m->job, &m->source));
    if (!*m->source.made_of.name)
        return fr_fail(m->ctx, FR_BAD_USE,
                       "say what it is made of: --material NAME (`fracas materials` lists them)");
    FR_TRY(fr_modes_source_build(m->ctx, &m->source));
    FR_TRY(compute(m));
    m->table.name = m->source.name;
    m->table.material = m->source.material[0].name;
    FR_TRY(fr_mode_table(m->ctx, &m->source.mesh, &m->modes, &m->source.material[0], &m->table));
    m->seconds = fr_wall_seconds() - begun;
    if (m->table.count == 0)
        return fr_fail(
            m->ctx, FR_FAILED,
            "%s of %s has no modes up to %g Hz: the first one is higher (--max-freq asks "
            "for it)",
            m->source.name, m->source.material[0].name, m->job->max_hz);
    return save(m);
}

FrResult fr_job_modes(FrContext *ctx, const FrModesDef *job, bool json, FrText *text) {
    FR_NEED_ALL(ctx, ctx && job && text);
    Modes m = {.ctx = ctx, .job = job};
    *text = (FrText){NULL, 0};
    FR_NEED(ctx, job->cookie == FR_COOKIE, "start from fr_modes_def_default()");
    FR_NEED(ctx, job->input, "name a scene, a surface or a mesh: input");
    FR_NEED_WORDS(ctx, job->set, job->set_count);
    FrWriter w;
    fr_writer_init(&w, ctx);
    FrResult result = run(&m);
    if (result == FR_OK && json) write_json(&w, &m);
    if (result == FR_OK && !json) print_table(&w, &m);
    fr_mode_table_free(ctx, &m.table);
    fr_modes_free(ctx, &m.modes);
    fr_modes_source_free(ctx, &m.source);
    if (result == FR_OK) return fr_text_take(&w, text);
    fr_writer_free(&w);
    return result;
}
