// state.c: backup and restore in memory; saving and loading everything that changes with time.

#include "fem/fem_arrays.h"
#include "fem/rigid_piece.h"
#include <string.h>

void fr_fem_backup(FrFem *fem) {
    if (fem->scratch.loose.moves)
        fr_fem_backup_loose(fem);
    else
        fr_fem_arrays_backup(fem);
    fem->backup.works = fem->state.works;
    fem->backup.last_dt = fem->state.last_dt;
    fem->backup.step_error = fem->state.step_error;
}

void fr_fem_restore(FrFem *fem) {
    if (fem->scratch.loose.moves)
        fr_fem_restore_loose(fem);
    else
        fr_fem_arrays_restore(fem);
    fr_fem_arrays_clear_added(fem);
    fem->state.has_stiffness = false;
    fem->state.works = fem->backup.works;
    fem->state.last_dt = fem->backup.last_dt;
    fem->state.step_error = fem->backup.step_error;
    fem->scratch.current = false;
}

#define FEM_TAG 0x364d4546 // "FEM6"
#define CUT_TAG 0x374d4546 // "FEM7": of a body that was cut: its shape comes first

/// Numbers besides the arrays: works and steps, and of one that flies.
#define TOTALS 12
#define FLIGHT 13

static void list_totals(FrFemState *s, double *list[TOTALS]) {
    FrFemWorks *w = &s->works;
    double *all[TOTALS] = {&w->damping,   &w->gravity,   &w->load,    &w->contact,
                           &w->plastic,   &w->fracture,  &w->dust,    &w->impulse.x,
                           &w->impulse.y, &w->impulse.z, &s->last_dt, &s->step_error};
    memcpy(list, all, sizeof all);
}

static void list_flight(FrFlight *f, double *list[FLIGHT]) {
    double *all[FLIGHT] = {&f->x.x,    &f->x.y,    &f->x.z, &f->v.x, &f->v.y, &f->v.z, &f->turn.x,
                           &f->turn.y, &f->turn.z, &f->q.w, &f->q.x, &f->q.y, &f->q.z};
    memcpy(list, all, sizeof all);
}

void fr_fem_save(const FrFem *fem, FrWriter *writer) {
    bool cut = fem->state.topology > 1;
    FrFemState state = fem->state;
    double *total[TOTALS];
    list_totals(&state, total);
    fr_write_i32(writer, cut ? CUT_TAG : FEM_TAG);
    if (cut) fr_fem_shape_save(fem, writer);
    fr_write_i32(writer, fem->state.node_count);
    fr_write_u8(writer, fem->state.has_stiffness);
    for (int k = 0; k < TOTALS; k++) fr_write_f64(writer, *total[k]);
    double *flight[FLIGHT];
    list_flight(&state.flight, flight);
    fr_write_u8(writer, fem->state.flies);
    for (int k = 0; fem->state.flies && k < FLIGHT; k++) fr_write_f64(writer, *flight[k]);
    fr_fem_arrays_save(fem, FR_ARRAY_MOTION, writer);
}

/// What comes before the arrays.
typedef struct Head {
    int32_t nodes;
    uint8_t has_stiffness, flies;
    double total[TOTALS], flight[FLIGHT];
} Head;

static Head read_head(FrReader *reader) {
    Head head = {.nodes = fr_read_i32(reader)};
    head.has_stiffness = fr_read_u8(reader);
    for (int k = 0; k < TOTALS; k++) head.total[k] = fr_read_f64(reader);
    head.flies = fr_read_u8(reader);
    for (int k = 0; head.flies == 1 && k < FLIGHT; k++) head.flight[k] = fr_read_f64(reader);
    return head;
}

// checks everything before anything is changed; `shape`: the body, or what it becomes
static FrResult check_state(const FrFem *shape, FrReader reader) {
    size_t start = reader.at;
    Head head = read_head(&reader);
    if (reader.failed || head.nodes != shape->state.node_count)
        return fr_fail(shape->ctx, FR_BAD_INPUT, "byte %zu: state of %d nodes; this body has %d",
                       start, head.nodes, shape->state.node_count);
    if (head.has_stiffness > 1)
        return fr_fail(shape->ctx, FR_BAD_INPUT, "byte %zu: flag is %u; allowed: 0 to 1", start + 4,
                       head.has_stiffness);
    for (int k = 0; k < TOTALS; k++)
        if (!isfinite(head.total[k]))
            return fr_fail(shape->ctx, FR_BAD_INPUT, "byte %zu: %g; allowed: finite numbers",
                           start + 5 + 8 * (size_t)k, head.total[k]);
    bool good = head.flies <= 1 && !(head.flies && shape->state.topology > 1);
    for (int k = 0; k < FLIGHT; k++) good = good && isfinite(head.flight[k]);
    if (!good)
        return fr_fail(shape->ctx, FR_BAD_INPUT, "byte %zu: no flight that a whole body can have",
                       start + 5 + 8 * (size_t)TOTALS);
    return fr_fem_arrays_load(shape, FR_ARRAY_MOTION, &reader, NULL);
}

static FrResult read_state(FrFem *fem, FrReader *reader) {
    Head head = read_head(reader);
    double *total[TOTALS];
    list_totals(&fem->state, total);
    for (int k = 0; k < TOTALS; k++) *total[k] = head.total[k];
    fem->state.has_stiffness = head.has_stiffness != 0;
    double *flight[FLIGHT];
    list_flight(&fem->state.flight, flight);
    fem->state.flies = head.flies == 1;
    for (int k = 0; k < FLIGHT; k++) *flight[k] = head.flight[k];
    FR_TRY(fr_fem_arrays_load(fem, FR_ARRAY_MOTION, reader, fem));
    fem->scratch.rest_known = false;
    fr_fem_follow_rest(fem);
    fr_fem_follow_flight(fem);
    fem->scratch.current = false;
    return FR_OK;
}

static FrResult load_cut(FrFem *fem, FrReader *reader) {
    FrFem shape;
    FrResult result = fr_fem_shape_read(fem, reader, &shape);
    if (result == FR_OK) result = check_state(&shape, *reader);
    if (result == FR_OK) result = fr_fem_shape_take(fem, &shape);
    fr_fem_arrays_free(&shape);
    return result == FR_OK ? read_state(fem, reader) : result;
}

FrResult fr_fem_load(FrFem *fem, FrReader *reader) {
    size_t start = reader->at;
    int32_t tag = fr_read_i32(reader);
    if (reader->failed || (tag != FEM_TAG && tag != CUT_TAG))
        return fr_fail(fem->ctx, FR_BAD_INPUT,
                       "byte %zu: 0x%08x is not the state of a deformable body (0x%08x)", start,
                       (unsigned)tag, (unsigned)FEM_TAG);
    if (tag == CUT_TAG) return load_cut(fem, reader);
    if (fem->state.topology > 1)
        return fr_fail(fem->ctx, FR_BAD_USE, "a body that was cut does not grow together again");
    FR_TRY(check_state(fem, *reader));
    return read_state(fem, reader);
}
