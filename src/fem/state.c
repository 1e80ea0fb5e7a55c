// state.c: backup and restore in memory; saving and loading everything that changes with time.

#include "fem/stiff.h"
#include <string.h>

static void backup_nodes(FrFem *fem) {
    size_t n = (size_t)fem->node_count, size = 3 * n * sizeof(double);
    memcpy(fem->backup_p, fem->p, size);
    memcpy(fem->backup_v, fem->v, size);
    memcpy(fem->backup_drive, fem->drive, size);
    memcpy(fem->backup_held, fem->held, n);
    if (fem->yields)
        memcpy(fem->backup_plastic, fem->plastic, (size_t)fem->tet_count * sizeof(FrPlasticRow));
}

static void restore_nodes(FrFem *fem) {
    size_t n = (size_t)fem->node_count, size = 3 * n * sizeof(double);
    memcpy(fem->p, fem->backup_p, size);
    memcpy(fem->v, fem->backup_v, size);
    memcpy(fem->drive, fem->backup_drive, size);
    memcpy(fem->held, fem->backup_held, n);
    if (fem->yields)
        memcpy(fem->plastic, fem->backup_plastic, (size_t)fem->tet_count * sizeof(FrPlasticRow));
}

void fr_fem_backup(FrFem *fem) {
    if (fem->moves_loose)
        fr_fem_backup_loose(fem);
    else
        backup_nodes(fem);
    fem->backup_works = fem->works;
    fem->backup_last_dt = fem->last_dt;
    fem->backup_step_error = fem->step_error;
}

void fr_fem_restore(FrFem *fem) {
    size_t n = (size_t)fem->node_count, size = 3 * n * sizeof(double);
    if (fem->moves_loose)
        fr_fem_restore_loose(fem);
    else
        restore_nodes(fem);
    memset(fem->load, 0, size);
    memset(fem->contact, 0, size);
    memset(fem->stiffness, 0, n * sizeof(double));
    fem->stiffened = false;
    fem->works = fem->backup_works;
    fem->last_dt = fem->backup_last_dt;
    fem->step_error = fem->backup_step_error;
    fem->current = false;
}

#define FEM_TAG 0x324d4546 // "FEM2"
#define CUT_TAG 0x334d4546 // "FEM3": of a body that was cut: its shape comes first

#define TOTALS 12 ///< of works and steps

static void write_numbers(FrWriter *writer, const double *a, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_f64(writer, a[k]);
}

static void read_numbers(FrReader *reader, double *a, size_t count) {
    for (size_t k = 0; k < count; k++) a[k] = fr_read_f64(reader);
}

void fr_fem_save(const FrFem *fem, FrWriter *writer) {
    size_t n = (size_t)fem->node_count;
    bool cut = fem->topology > 1;
    FrVec3 j = fem->works.impulse;
    double totals[TOTALS] = {fem->works.damping,
                             fem->works.gravity,
                             fem->works.load,
                             fem->works.contact,
                             fem->last_dt,
                             fem->step_error,
                             fem->works.fracture,
                             j.x,
                             j.y,
                             j.z,
                             fem->works.plastic,
                             fem->works.dust};
    fr_write_i32(writer, cut ? CUT_TAG : FEM_TAG);
    if (cut) fr_fem_shape_save(fem, writer);
    fr_write_i32(writer, fem->node_count);
    fr_write_u8(writer, fem->stiffened);
    fr_write_bytes(writer, fem->held, n);
    write_numbers(writer, totals, TOTALS);
    write_numbers(writer, fem->p, 3 * n);
    write_numbers(writer, fem->v, 3 * n);
    write_numbers(writer, fem->drive, 3 * n);
    write_numbers(writer, fem->load, 3 * n);
    write_numbers(writer, fem->contact, 3 * n);
    write_numbers(writer, fem->stiffness, n);
    for (size_t e = 0; fem->yields && e < (size_t)fem->tet_count; e++)
        write_numbers(writer, fem->plastic[e], 8);
}

// looks at everything before anything is changed
static FrResult check_state(FrFem *fem, FrReader reader, int32_t nodes, int32_t tets) {
    size_t n = (size_t)nodes, start = reader.at, rows = fem->yields ? (size_t)tets : 0;
    int32_t count = fr_read_i32(&reader);
    if (reader.failed || count != nodes)
        return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: state of %d nodes; this body has %d",
                       start, count, nodes);
    size_t numbers = TOTALS + 16 * n + 8 * rows, size = 1 + n + 8 * numbers;
    if (fr_reader_left(&reader) < size)
        return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: %zu bytes left; the state needs %zu",
                       reader.at, fr_reader_left(&reader), size);
    for (size_t k = 0; k < 1 + n; k++) {
        uint8_t flag = fr_read_u8(&reader), most = k ? FR_STANDING : 1;
        if (flag > most)
            return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: flag is %u; allowed: 0 to %u",
                           reader.at - 1, flag, most);
    }
    for (size_t k = 0; k < numbers; k++) {
        double value = fr_read_f64(&reader);
        if (!isfinite(value))
            return fr_fail(fem->ctx, FR_BAD_INPUT, "byte %zu: %g; allowed: finite numbers",
                           reader.at - 8, value);
    }
    return FR_OK;
}

static void read_state(FrFem *fem, FrReader *reader) {
    size_t n = (size_t)fem->node_count;
    double totals[TOTALS];
    fr_read_i32(reader);
    fem->stiffened = fr_read_u8(reader) != 0;
    fr_read_bytes(reader, fem->held, n);
    fem->rests = fem->rest_known = false;
    for (size_t k = 0; k < n; k++) fem->rests = fem->rests || fem->held[k] == FR_RESTING;
    read_numbers(reader, totals, TOTALS);
    read_numbers(reader, fem->p, 3 * n);
    read_numbers(reader, fem->v, 3 * n);
    read_numbers(reader, fem->drive, 3 * n);
    read_numbers(reader, fem->load, 3 * n);
    read_numbers(reader, fem->contact, 3 * n);
    read_numbers(reader, fem->stiffness, n);
    for (size_t e = 0; fem->yields && e < (size_t)fem->tet_count; e++)
        read_numbers(reader, fem->plastic[e], 8);
    fem->works = (FrFemWorks){.damping = totals[0],
                              .gravity = totals[1],
                              .load = totals[2],
                              .contact = totals[3],
                              .fracture = totals[6],
                              .plastic = totals[10],
                              .dust = totals[11],
                              .impulse = {totals[7], totals[8], totals[9]}};
    fem->last_dt = totals[4];
    fem->step_error = totals[5];
    fem->current = false;
}

static FrResult load_cut(FrFem *fem, FrReader *reader) {
    FrFemShape shape;
    FrResult result = fr_fem_shape_read(fem, reader, &shape);
    if (result == FR_OK) result = check_state(fem, *reader, shape.node_count, shape.tet_count);
    if (result == FR_OK) result = fr_fem_shape_take(fem, &shape);
    fr_fem_shape_free(fem->ctx, &shape);
    if (result == FR_OK) read_state(fem, reader);
    return result;
}

FrResult fr_fem_load(FrFem *fem, FrReader *reader) {
    size_t start = reader->at;
    int32_t tag = fr_read_i32(reader);
    if (reader->failed || (tag != FEM_TAG && tag != CUT_TAG))
        return fr_fail(fem->ctx, FR_BAD_INPUT,
                       "byte %zu: 0x%08x is not the state of a deformable body (0x%08x)", start,
                       (unsigned)tag, (unsigned)FEM_TAG);
    if (tag == CUT_TAG) return load_cut(fem, reader);
    if (fem->topology > 1)
        return fr_fail(fem->ctx, FR_BAD_USE, "a body that was cut does not grow together again");
    FR_TRY(check_state(fem, *reader, fem->node_count, fem->tet_count));
    read_state(fem, reader);
    return FR_OK;
}
