// fem_arrays.c: all arrays of a body that have an entry for each node, tet, chunk or slot, as lists
// that grow, copy, save, load and free them.

#include "fem/fem_arrays.h"
#include "fem/rigid_piece.h"
#include "base/tasks.h"
#include <stddef.h>
#include <string.h>

/// What an entry is made of.
typedef enum Number { F64, I32, U8 } Number;
static const size_t number_size[] = {[F64] = 8, [I32] = 4, [U8] = 1};

/// Which numbers a checkpoint may have.
typedef enum Range { FINITE, NOT_NEGATIVE, FLAG, HELD, STATE, NODE, MATERIAL } Range;

typedef struct Array {
    size_t at;      ///< of its pointer in FrFem
    size_t backup;  ///< of that to its copy; 0: none
    Number number;  ///< what it is saved as
    uint32_t width; ///< numbers of an entry
    unsigned use;   ///< FrArrayUse
    Range range;
} Array;

#define AT(field) offsetof(FrFem, field)
#define ONE_STEP (FR_ARRAY_MOTION | FR_ARRAY_ONE_STEP | FR_ARRAY_NEW_ZERO)
#define BACKED_UP (FR_ARRAY_MOTION | FR_ARRAY_BACKED_UP)
#define ROW(type) (sizeof(type) / 8)

static const Array node_arrays[] = {
    {AT(state.x), 0, F64, 3, FR_ARRAY_SHAPE, FINITE},
    {AT(state.added), 0, F64, 1, FR_ARRAY_SHAPE | FR_ARRAY_NEW_ZERO, NOT_NEGATIVE},
    {AT(state.held), AT(backup.held), U8, 1, BACKED_UP, HELD},
    {AT(state.p), AT(backup.p), F64, 3, BACKED_UP, FINITE},
    {AT(state.v), AT(backup.v), F64, 3, BACKED_UP, FINITE},
    {AT(state.drive), AT(backup.drive), F64, 3, BACKED_UP, FINITE},
    {AT(state.load), 0, F64, 3, ONE_STEP, FINITE},
    {AT(state.contact), 0, F64, 3, ONE_STEP, FINITE},
    {AT(state.stiffness), 0, F64, 1, ONE_STEP, FINITE},
    {AT(scratch.mass), 0, F64, 1, FR_ARRAY_NEW_ZERO, FINITE},
    {AT(scratch.inverse_mass), 0, F64, 1, 0, FINITE},
    {AT(scratch.drag), 0, F64, 1, FR_ARRAY_NEW_ZERO, FINITE},
    {AT(scratch.node_w2), 0, F64, 1, 0, FINITE},
    {AT(scratch.f), 0, F64, 3, 0, FINITE},
    {AT(scratch.d), 0, F64, 3, 0, FINITE},
    {AT(scratch.gain), 0, F64, 3, 0, FINITE},
    {AT(scratch.listed), 0, U8, 1, 0, FLAG},
};
static const Array node_chunk_arrays[] = {
    {AT(scratch.node_sums), 0, F64, ROW(FrNodeSums), 0, FINITE},
    {AT(scratch.node_works), 0, F64, ROW(FrFemWorks), 0, FINITE},
};
static const Array tet_arrays[] = {
    {AT(state.tet), 0, I32, 4, FR_ARRAY_SHAPE, NODE},
    {AT(state.region), 0, I32, 1, FR_ARRAY_SHAPE, MATERIAL},
    {AT(state.doing), AT(backup.doing), U8, 1, FR_ARRAY_SHAPE | FR_ARRAY_BACKED_UP, STATE},
    {AT(state.plastic), AT(backup.plastic), F64, 8, BACKED_UP | FR_ARRAY_YIELDS, FINITE},
    {AT(scratch.tet_w2), 0, F64, 1, 0, FINITE},
    {AT(scratch.is_rigid), 0, U8, 1, 0, FLAG},
    {AT(scratch.gone), 0, U8, 1, 0, FLAG},
    {AT(scratch.rigid_of), 0, I32, 1, 0, FINITE},
};
static const Array slot_arrays[] = {
    {AT(scratch.slots.force), 0, F64, 6, 0, FINITE},
    {AT(scratch.slots.pull), 0, F64, 1, 0, FINITE},
};
static const Array chunk_arrays[] = {
    {AT(scratch.slots.chunk_sums), 0, F64, ROW(FrChunkSums), 0, FINITE},
};
static const Array block_arrays[] = {
    {AT(scratch.slots.block_stress), 0, F64, ROW(FrBlockStress), 0, FINITE},
};
_Static_assert(sizeof(FrChunkSums) % 8 == 0 && sizeof(FrFemWorks) % 8 == 0, "rows of eight bytes");

#define LIST(name)                                                                                 \
    { name, sizeof name / sizeof name[0] }
static const struct {
    const Array *array;
    size_t count;
} lists[FR_PER_COUNT] = {
    [FR_PER_NODE] = LIST(node_arrays),   [FR_PER_NODE_CHUNK] = LIST(node_chunk_arrays),
    [FR_PER_TET] = LIST(tet_arrays),     [FR_PER_SLOT] = LIST(slot_arrays),
    [FR_PER_CHUNK] = LIST(chunk_arrays), [FR_PER_BLOCK] = LIST(block_arrays)};

/// Lists that grow by themselves (FR_ARRAY), and what has an entry for each material.
static const size_t others[] = {AT(settings.material),
                                AT(settings.kernel),
                                AT(state.pieces.end),
                                AT(state.pieces.node),
                                AT(state.pieces.still),
                                AT(state.pieces.tet),
                                AT(backup.motion),
                                AT(scratch.lasting),
                                AT(scratch.tears.slot_grown),
                                AT(scratch.tears.slot_tears),
                                AT(scratch.tears.slot_spread),
                                AT(scratch.tears.chunk_stretch),
                                AT(scratch.tears.node_grown),
                                AT(scratch.tears.ring),
                                AT(scratch.springs.piece),
                                AT(scratch.springs.factor),
                                AT(scratch.springs.on_node),
                                AT(scratch.loose.motion),
                                AT(scratch.loose.from)};

static void *pointer_at(const FrFem *fem, size_t at) {
    void *data;
    memcpy(&data, (const char *)fem + at, sizeof data);
    return data;
}

static void *data_of(const FrFem *fem, const Array *a) { return pointer_at(fem, a->at); }

// bytes of so many entries
static size_t size_of(const Array *a, int32_t count) {
    return (size_t)count * a->width * number_size[a->number];
}

// has it one of these uses (0: any), and is it there?
static bool serves(const FrFem *fem, const Array *a, unsigned use) {
    return (!use || a->use & use) && (fem->settings.yields || !(a->use & FR_ARRAY_YIELDS));
}

// the new places are zero
static bool grow(FrFem *fem, size_t at, size_t old_size, size_t size) {
    void *moved = fr_resize(fem->ctx, pointer_at(fem, at), size ? size : 1);
    if (!moved) return false;
    memset((char *)moved + old_size, 0, size - old_size);
    memcpy((char *)fem + at, &moved, sizeof moved);
    return true;
}

bool fr_fem_arrays_reserve(FrFem *fem, FrFemPer per, int32_t count, unsigned use) {
    int32_t had = fem->scratch.capacity[per];
    for (size_t k = 0; k < lists[per].count; k++) {
        const Array *a = &lists[per].array[k];
        size_t old_size = size_of(a, had), size = size_of(a, count);
        if (!serves(fem, a, use)) continue;
        if (!grow(fem, a->at, old_size, size)) return false;
        if (a->backup && !use && !grow(fem, a->backup, old_size, size)) return false;
    }
    fem->scratch.capacity[per] = count;
    return true;
}

void fr_fem_arrays_free(FrFem *fem) {
    for (int per = 0; per < FR_PER_COUNT; per++)
        for (size_t k = 0; k < lists[per].count; k++) {
            const Array *a = &lists[per].array[k];
            fr_free(fem->ctx, data_of(fem, a));
            if (a->backup) fr_free(fem->ctx, pointer_at(fem, a->backup));
        }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        fr_free(fem->ctx, pointer_at(fem, others[k]));
    fr_chunks_free(fem->ctx, &fem->state.chunks);
}

typedef void Visit(const Array *a, int32_t count, void *arg);

// arrays per node, then per tet, that have this use
static void each(const FrFem *fem, unsigned use, Visit *visit, void *arg) {
    for (size_t k = 0; k < lists[FR_PER_NODE].count; k++)
        if (serves(fem, &node_arrays[k], use)) visit(&node_arrays[k], fem->state.node_count, arg);
    for (size_t k = 0; k < lists[FR_PER_TET].count; k++)
        if (serves(fem, &tet_arrays[k], use)) visit(&tet_arrays[k], fem->state.tet_count, arg);
}

static void keep(const Array *a, int32_t count, void *arg) {
    memcpy(pointer_at(arg, a->backup), data_of(arg, a), size_of(a, count));
}

void fr_fem_arrays_backup(FrFem *fem) { each(fem, FR_ARRAY_BACKED_UP, keep, fem); }

static void bring_back(const Array *a, int32_t count, void *arg) {
    memcpy(data_of(arg, a), pointer_at(arg, a->backup), size_of(a, count));
}

void fr_fem_arrays_restore(FrFem *fem) { each(fem, FR_ARRAY_BACKED_UP, bring_back, fem); }

static void clear(const Array *a, int32_t count, void *arg) {
    memset(data_of(arg, a), 0, size_of(a, count));
}

void fr_fem_arrays_clear_added(FrFem *fem) { each(fem, FR_ARRAY_ONE_STEP, clear, fem); }

void fr_fem_arrays_clear_new(FrFem *fem, int32_t first, int32_t count) {
    for (size_t k = 0; k < lists[FR_PER_NODE].count; k++) {
        const Array *a = &node_arrays[k];
        if (a->use & FR_ARRAY_NEW_ZERO)
            memset((char *)data_of(fem, a) + size_of(a, first), 0, size_of(a, count));
    }
}

typedef struct Copy {
    FrFem *to;
    const FrFem *from;
} Copy;

static void copy(const Array *a, int32_t count, void *arg) {
    Copy *c = arg;
    memcpy(data_of(c->to, a), data_of(c->from, a), size_of(a, count));
}

void fr_fem_arrays_copy(FrFem *to, const FrFem *from, unsigned use) {
    each(from, use, copy, &(Copy){to, from});
}

static void add_size(const Array *a, int32_t count, void *arg) {
    *(size_t *)arg += size_of(a, count);
}

size_t fr_fem_arrays_size(const FrFem *fem, unsigned use) {
    size_t size = 0;
    each(fem, use, add_size, &size);
    return size;
}

typedef struct Save {
    const FrFem *fem;
    FrWriter *writer;
} Save;

static void save(const Array *a, int32_t count, void *arg) {
    Save *s = arg;
    const void *data = data_of(s->fem, a);
    size_t numbers = (size_t)count * a->width;
    if (a->number == U8) fr_write_bytes(s->writer, data, numbers);
    for (size_t k = 0; a->number == I32 && k < numbers; k++)
        fr_write_i32(s->writer, ((const int32_t *)data)[k]);
    for (size_t k = 0; a->number == F64 && k < numbers; k++)
        fr_write_f64(s->writer, ((const double *)data)[k]);
}

void fr_fem_arrays_save(const FrFem *fem, unsigned use, FrWriter *writer) {
    each(fem, use, save, &(Save){fem, writer});
}

typedef struct Load {
    const FrFem *shape;
    FrReader *reader;
    FrFem *to; ///< NULL: only check
    FrResult result;
} Load;

// the largest whole number that may be there
static int32_t most_of(const Load *l, Range range) {
    switch (range) {
    case HELD:
        return FR_LEFT;
    case STATE:
        return FR_PIECE_STATES - 1;
    case NODE:
        return l->shape->state.node_count - 1;
    case MATERIAL:
        return l->shape->settings.material_count - 1;
    case FLAG:
    case FINITE:
    case NOT_NEGATIVE:
        break;
    }
    return 1;
}

static void load_real(const Array *a, size_t numbers, Load *l) {
    double *to = l->to ? data_of(l->to, a) : NULL;
    bool signless = a->range == NOT_NEGATIVE;
    for (size_t k = 0; l->result == FR_OK && k < numbers; k++) {
        double value = fr_read_f64(l->reader);
        if (!isfinite(value) || (signless && value < 0.0))
            l->result =
                fr_fail(l->shape->ctx, FR_BAD_INPUT, "byte %zu: %g; allowed: finite numbers%s",
                        l->reader->at - 8, value, signless ? ", 0 or more" : "");
        if (to) to[k] = value;
    }
}

static void load_whole(const Array *a, size_t numbers, Load *l) {
    void *to = l->to ? data_of(l->to, a) : NULL;
    int32_t most = most_of(l, a->range);
    for (size_t k = 0; l->result == FR_OK && k < numbers; k++) {
        int32_t value = a->number == U8 ? fr_read_u8(l->reader) : fr_read_i32(l->reader);
        if (value < 0 || value > most)
            l->result = fr_fail(l->shape->ctx, FR_BAD_INPUT, "byte %zu: %d; allowed: 0 to %d",
                                l->reader->at - number_size[a->number], value, most);
        if (to && a->number == U8)
            ((uint8_t *)to)[k] = (uint8_t)value;
        else if (to)
            ((int32_t *)to)[k] = value;
    }
}

static void load(const Array *a, int32_t count, void *arg) {
    size_t numbers = (size_t)count * a->width;
    if (a->number == F64)
        load_real(a, numbers, arg);
    else
        load_whole(a, numbers, arg);
}

FrResult fr_fem_arrays_load(const FrFem *shape, unsigned use, FrReader *reader, FrFem *to) {
    size_t size = fr_fem_arrays_size(shape, use), left = fr_reader_left(reader);
    if (left < size)
        return fr_fail(shape->ctx, FR_BAD_INPUT, "byte %zu: %zu bytes left; the body needs %zu",
                       reader->at, left, size);
    Load l = {shape, reader, to, FR_OK};
    each(shape, use, load, &l);
    return l.result;
}
