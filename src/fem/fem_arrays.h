// fem_arrays.h: all arrays of a body that have an entry for each node, tet, chunk or slot, as lists
// that grow, copy, save, load and free them.
#pragma once
#include "fem/body.h"

/// What is done with an array, besides growing and freeing it; bits.
typedef enum FrArrayUse {
    FR_ARRAY_SHAPE = 1,     ///< saved of a body that was cut
    FR_ARRAY_MOTION = 2,    ///< saved of every body
    FR_ARRAY_BACKED_UP = 4, ///< copied by fr_fem_backup; the list says where to
    FR_ARRAY_ONE_STEP = 8,  ///< forgotten by fr_fem_restore: was added for one step
    FR_ARRAY_NEW_ZERO = 16, ///< 0 for nodes that a cut makes
    FR_ARRAY_YIELDS = 32,   ///< only where some material yields
} FrArrayUse;

/// Room for so many in the arrays of this kind that have one of these uses (0: in all of them);
/// what is there stays, new places are zero. False: no memory.
bool fr_fem_arrays_reserve(FrFem *fem, FrFemPer per, int32_t count, unsigned use);
/// Frees all that the body owns.
void fr_fem_arrays_free(FrFem *fem);

void fr_fem_arrays_backup(FrFem *fem);
void fr_fem_arrays_restore(FrFem *fem); ///< clears what was added for one step, too
/// Copies those of this use; there is room for them.
void fr_fem_arrays_copy(FrFem *to, const FrFem *from, unsigned use);
/// Of nodes that a cut makes.
void fr_fem_arrays_clear_new(FrFem *fem, int32_t first, int32_t count);
/// 0 at all nodes.
void fr_fem_arrays_clear_added(FrFem *fem);

/// Bytes that those of this use take in a checkpoint.
size_t fr_fem_arrays_size(const FrFem *fem, unsigned use);
void fr_fem_arrays_save(const FrFem *fem, unsigned use, FrWriter *writer);
/// FR_BAD_INPUT: a number that cannot be there, `byte N: ...`. `shape` says how many nodes and tets
/// there are; `to`: NULL: only check.
FrResult fr_fem_arrays_load(const FrFem *shape, unsigned use, FrReader *reader, FrFem *to);
