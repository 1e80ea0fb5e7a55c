// fracture_arrays.c: the arrays of a breaking body that have an entry for each node or tet, as
// lists that grow, hand on, save, load and free them.

#include "fracture/inside.h"
#include <stddef.h>
#include <string.h>

/// What an entry that is saved is made of.
typedef enum Number { NOT_SAVED, FACTOR, FINITE, WAIT } Number;

typedef struct Array {
    size_t at;      ///< in FrFracture
    size_t item;    ///< bytes of an entry
    Number number;  ///< what a checkpoint has of it
    unsigned saved; ///< FrFractureSaved
    bool optional;  ///< stays empty if it was
    bool inherited; ///< a tet that was cut hands it on
} Array;

#define ITEM(field) sizeof *((FrFracture *)NULL)->field.data
#define AT(field) offsetof(FrFracture, field), ITEM(field)

static const Array node_arrays[] = {
    {AT(state.wait), WAIT, FR_SAVED_PATIENT, false, false},
    {AT(scratch.limits.area), NOT_SAVED, 0, false, false},
    {AT(scratch.limits.limit), NOT_SAVED, 0, false, false},
    {AT(scratch.scan.mark), NOT_SAVED, 0, false, false},
    {AT(scratch.cuts.version), NOT_SAVED, 0, false, false},
    {AT(scratch.cuts.known), NOT_SAVED, 0, false, false},
    {AT(scratch.cuts.refused), NOT_SAVED, 0, false, false},
};
static const Array tet_arrays[] = {
    {AT(state.weak), FACTOR, FR_SAVED_CUT, true, true},
    {AT(state.wall), FINITE, FR_SAVED_CUT, true, true},
    {AT(scratch.scan.grown), NOT_SAVED, 0, true, true},
    {AT(scratch.scan.pulls_of), NOT_SAVED, 0, false, false},
    {AT(scratch.limits.overstress), NOT_SAVED, 0, false, false},
    {AT(scratch.limits.element), NOT_SAVED, 0, false, false},
    {AT(scratch.limits.open), NOT_SAVED, 0, false, false},
    {AT(scratch.piece.listed), NOT_SAVED, 0, false, false},
};
static const struct {
    const Array *array;
    size_t count;
} lists[2] = {{node_arrays, sizeof node_arrays / sizeof node_arrays[0]},
              {tet_arrays, sizeof tet_arrays / sizeof tet_arrays[0]}};

/// Lists of other lengths.
static const size_t others[] = {offsetof(FrFracture, settings.toughness),
                                offsetof(FrFracture, settings.cap),
                                offsetof(FrFracture, state.refusal),
                                offsetof(FrFracture, scratch.limits.chunk_overstress),
                                offsetof(FrFracture, scratch.limits.overstress2),
                                offsetof(FrFracture, scratch.limits.strength),
                                offsetof(FrFracture, scratch.limits.behind),
                                offsetof(FrFracture, scratch.scan.candidate),
                                offsetof(FrFracture, scratch.scan.state),
                                offsetof(FrFracture, scratch.scan.tet),
                                offsetof(FrFracture, scratch.scan.pulls),
                                offsetof(FrFracture, scratch.scan.most),
                                offsetof(FrFracture, scratch.scan.screened),
                                offsetof(FrFracture, scratch.cuts.residual),
                                offsetof(FrFracture, scratch.cuts.queue.item),
                                offsetof(FrFracture, scratch.cuts.crack),
                                offsetof(FrFracture, scratch.cuts.met),
                                offsetof(FrFracture, scratch.piece.tet),
                                offsetof(FrFracture, scratch.piece.dust)};

/// An FR_ARRAY of anything.
typedef struct Any {
    void *data;
    int32_t count, capacity;
} Any;
_Static_assert(sizeof(Any) == sizeof(FR_ARRAY(double)), "all FR_ARRAYs are alike");

static Any get(const FrFracture *f, const Array *a) {
    Any any;
    memcpy(&any, (const char *)f + a->at, sizeof any);
    return any;
}

// new entries are zero
static bool extend(FrFracture *f, const Array *a, int32_t count) {
    Any any = get(f, a);
    if (any.count >= count || (a->optional && !any.count)) return true;
    if (!fr_array_grow_(f->ctx, &any.data, &any.capacity, any.count, count - any.count, a->item))
        return false;
    memset((char *)any.data + (size_t)any.count * a->item, 0,
           (size_t)(count - any.count) * a->item);
    any.count = count;
    memcpy((char *)f + a->at, &any, sizeof any);
    return true;
}

static void hand_on(const FrFracture *f, const Array *a, const FrCutLog *log) {
    Any any = get(f, a);
    char *data = any.data;
    if (!a->inherited || !any.count) return;
    for (int32_t k = 0; k < log->tet_count; k++) {
        size_t child = (size_t)log->tets[k].child, parent = (size_t)log->tets[k].parent;
        if (child != parent) memcpy(data + child * a->item, data + parent * a->item, a->item);
    }
}

static int32_t length_of(const FrFracture *f, size_t list) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    return list ? mesh->tet_count : mesh->node_count;
}

bool fr_fracture_arrays_follow(FrFracture *f, const FrCutLog *log) {
    for (size_t list = 0; list < 2; list++)
        for (size_t k = 0; k < lists[list].count; k++) {
            const Array *a = &lists[list].array[k];
            if (!extend(f, a, length_of(f, list))) return false;
            if (log) hand_on(f, a, log);
        }
    return true;
}

static void free_at(FrFracture *f, size_t at) {
    void *data;
    memcpy(&data, (const char *)f + at, sizeof data);
    fr_free(f->ctx, data);
}

void fr_fracture_arrays_free(FrFracture *f) {
    for (size_t list = 0; list < 2; list++)
        for (size_t k = 0; k < lists[list].count; k++) free_at(f, lists[list].array[k].at);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) free_at(f, others[k]);
}

void fr_fracture_arrays_save(const FrFracture *f, FrFractureSaved saved, FrWriter *writer) {
    for (size_t list = 0; list < 2; list++)
        for (size_t k = 0; k < lists[list].count; k++) {
            const Array *a = &lists[list].array[k];
            Any any = get(f, a);
            size_t size = (size_t)any.count * a->item;
            if (!(a->saved & saved)) continue;
            if (a->optional) fr_write_i32(writer, any.count);
            if (a->number == WAIT) fr_write_bytes(writer, any.data, size);
            for (size_t j = 0; a->number != WAIT && j < size / 8; j++)
                fr_write_f64(writer, ((const double *)any.data)[j]);
        }
}

static FrResult load_real(FrFracture *f, const Array *a, size_t count, FrReader *reader) {
    double *data = get(f, a).data;
    for (size_t k = 0; k < count; k++) {
        data[k] = fr_read_f64(reader);
        if (reader->failed || !isfinite(data[k]) || (a->number == FACTOR && data[k] < 0.0))
            return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: %s %g; allowed: %s", reader->at - 8,
                           a->number == FACTOR ? "factor" : "way through a wall", data[k],
                           a->number == FACTOR ? "0 or more" : "finite numbers");
    }
    return FR_OK;
}

static FrResult load_waits(FrFracture *f, const Array *a, size_t count, FrReader *reader) {
    uint8_t *data = get(f, a).data;
    for (size_t k = 0; k < count; k++) {
        data[k] = fr_read_u8(reader);
        if (reader->failed || data[k] > FR_MOST_WAIT)
            return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: a wait of %d; allowed: 0 to %d",
                           reader->at - 1, data[k], FR_MOST_WAIT);
    }
    return FR_OK;
}

// an optional one is there in a checkpoint where it is there in this body
static FrResult load(FrFracture *f, const Array *a, int32_t length, FrReader *reader) {
    size_t start = reader->at;
    int32_t wanted = a->optional && !get(f, a).count ? 0 : length;
    int32_t count = a->optional ? fr_read_i32(reader) : length;
    if (reader->failed || count != wanted)
        return fr_fail(f->ctx, FR_BAD_INPUT, "byte %zu: an array of %d; this body has %d", start,
                       count, wanted);
    if (!extend(f, a, length)) return fr_no_memory(f->ctx, "a body that breaks");
    if (a->number == WAIT) return load_waits(f, a, (size_t)count, reader);
    return load_real(f, a, (size_t)count * a->item / 8, reader);
}

FrResult fr_fracture_arrays_load(FrFracture *f, FrFractureSaved saved, FrReader *reader) {
    for (size_t list = 0; list < 2; list++)
        for (size_t k = 0; k < lists[list].count; k++) {
            const Array *a = &lists[list].array[k];
            if (a->saved & saved) FR_TRY(load(f, a, length_of(f, list), reader));
        }
    return FR_OK;
}
