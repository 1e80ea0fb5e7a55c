// piece_list.h: what a run broke into: its pieces by name, and its cracks in sum.
#pragma once
#include "base/json.h"
#include "record/recording.h"

/// Letters, digits and _ of a body's name, with room for the number of a piece.
#define FR_PIECE_NAME 80
/// A body or one of its pieces as a prim of USD is called: NAME, NAME_p0007; piece -1: the body.
void fr_piece_name(const char *body, int32_t piece, char name[FR_PIECE_NAME]);

/// One piece of a body that fell apart: of one that was cut in place, whose pieces' masses add up
/// to its own, or a body that another broke into.
typedef struct FrPieceRow {
    char name[FR_PIECE_NAME];
    int32_t body, piece, parent; ///< parent: the piece it broke off; -1: there from the start, or
                                 ///< a body
    int32_t parent_body;         ///< that broke into this one; -1: it is part of its own
    double born;                 ///< when it broke off, s
    double born_mass;            ///< kg, as it came off; NaN: there from the start
    FrVec3 born_centre;          ///< m, then
    double mass, volume;         ///< at the end, kg and m^3 at rest
    FrVec3 centre, velocity;     ///< m, m/s, at the end; NaN: its body is not there then
    double gone;                 ///< when it left as dust, or with its body, s; NaN: it did not
} FrPieceRow;

/// The pieces of all bodies with more than one, and bodies that others broke into, by body and
/// number; free `row` with fr_free. Views of the recording that were given out before are no longer
/// valid.
FrResult fr_recorded_pieces(FrContext *ctx, FrRecording *recording, const FrEventLog *log,
                            FrPieceRow **row, int32_t *count);

/// So many bodies, and what had broken off them by a time, s.
int64_t fr_pieces_by(const FrEventLog *log, int64_t bodies, double t);

typedef struct FrCrackSum {
    int64_t count;
    double area, energy; ///< m^2; elastic, held where they began, J
    double first, last;  ///< s; NaN: none
} FrCrackSum;
FrCrackSum fr_crack_sum(const FrEventLog *log);

/// As report.json and `fracas info --json` list them.
void fr_pieces_json(FrJson *json, const FrPieceRow *row, int32_t count);
void fr_cracks_json(FrJson *json, const FrCrackSum *sum);
/// Each crack, as `fracas events --json` lists them; names of bodies by index.
void fr_crack_list_json(FrJson *json, const FrEventLog *log, const char *const *name,
                        int32_t name_count);
