// pieces.h: which face-connected piece each tet of a cut mesh belongs to, with names that stay.
//
// Piece 0 is the whole body. When a piece falls apart, its largest part (by rest volume; ties: the
// part with the lowest tet) keeps the name, and the others get the next numbers in the order of
// their lowest tets. A mesh of several parts at the start is named in that order, too.
#pragma once
#include "cut/split.h"

typedef struct FrPiece {
    int32_t parent;     ///< the piece it broke off; -1: there from the start
    double t;           ///< s, when it broke off; 0: there from the start
    double volume;      ///< m^3 at rest, now
    double born_volume; ///< m^3 at rest, when it broke off
    int32_t tet;        ///< one of its tets
} FrPiece;

typedef struct FrPieces FrPieces;

/// The pieces of a mesh as it is now.
FrResult fr_pieces_create(FrContext *ctx, const FrCutMesh *cut, FrPieces **pieces);
void fr_pieces_destroy(FrPieces *pieces); ///< accepts NULL

/// Follow entries group0 .. of the log (group0: its group_count before the splits; 0: the whole
/// log) at time t, s. *born (may be NULL): how many pieces, the last ones, are new. Costs as much
/// as the smaller parts. After a failure the pieces are only good to be destroyed.
FrResult fr_pieces_follow(FrPieces *pieces, const FrCutMesh *cut, const FrCutLog *log,
                          int32_t group0, double t, int32_t *born);

/// The piece of each tet (tet_count); borrowed until the next call.
const int32_t *fr_pieces_of_tets(const FrPieces *pieces);
/// All pieces by name; borrowed until the next call.
const FrPiece *fr_pieces_table(const FrPieces *pieces, int32_t *count);

/// Volume at rest, and with masses by rest volume (density 1) at the places p (3 * node_count;
/// NULL: at rest): centre m and inertia about it m^5, of pieces first .. first + count - 1. One
/// pass over the mesh.
void fr_pieces_props(const FrPieces *pieces, const FrCutMesh *cut, const double *p, int32_t first,
                     int32_t count, FrSolidProps *props);

void fr_pieces_save(const FrPieces *pieces, FrWriter *out);
/// For the mesh they were saved with. FR_BAD_INPUT: they are another mesh's.
FrResult fr_pieces_load(FrPieces *pieces, const FrCutMesh *cut, FrReader *in);
