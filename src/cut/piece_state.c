// piece_state.c: the table of what pieces do, and how that changes. docs/architecture.md draws it.

#include "cut/piece_state.h"

static const FrPieceChange changes[] = {
    {FR_PIECE_DEFORMS, FR_PIECE_RIGID, FR_CAUSE_SMALL, "fracture"},
    {FR_PIECE_DEFORMS, FR_PIECE_RIGID, FR_CAUSE_SETTLED, "fracture"},
    {FR_PIECE_DEFORMS, FR_PIECE_SUPPORTED, FR_CAUSE_SETTLED, "fracture"},
    {FR_PIECE_DEFORMS, FR_PIECE_RESTS, FR_CAUSE_SLOW, "damping"},
    {FR_PIECE_DEFORMS, FR_PIECE_DUST, FR_CAUSE_SMALL, "dust"},
    {FR_PIECE_RIGID, FR_PIECE_DEFORMS, FR_CAUSE_STRUCK, "fracture"},
    {FR_PIECE_SUPPORTED, FR_PIECE_DEFORMS, FR_CAUSE_STRUCK, "fracture"},
    {FR_PIECE_RESTS, FR_PIECE_DEFORMS, FR_CAUSE_STRUCK, "none"},
    {FR_PIECE_RIGID, FR_PIECE_DEFORMS, FR_CAUSE_TOUCHED, "fracture"},
    {FR_PIECE_SUPPORTED, FR_PIECE_DEFORMS, FR_CAUSE_TOUCHED, "fracture"},
    {FR_PIECE_RESTS, FR_PIECE_DEFORMS, FR_CAUSE_TOUCHED, "none"},
    {FR_PIECE_RIGID, FR_PIECE_DEFORMS, FR_CAUSE_SUPPORT, "fracture"},
    {FR_PIECE_SUPPORTED, FR_PIECE_DEFORMS, FR_CAUSE_SUPPORT, "fracture"},
    {FR_PIECE_RIGID, FR_PIECE_ASLEEP, FR_CAUSE_SLOW, "contact"},
    {FR_PIECE_ASLEEP, FR_PIECE_RIGID, FR_CAUSE_TOUCHED, "none"},
};

const FrPieceChange *fr_piece_changes(int32_t *count) {
    *count = sizeof changes / sizeof changes[0];
    return changes;
}

bool fr_piece_may(FrPieceState from, FrPieceState to, FrPieceCause cause) {
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++)
        if (changes[k].from == from && changes[k].to == to && changes[k].cause == cause)
            return true;
    return false;
}

const char *fr_piece_state_name(FrPieceState state) {
    static const char *const name[FR_PIECE_STATES] = {"deforms", "rigid",  "supported",
                                                      "rests",   "asleep", "dust"};
    return (uint32_t)state < FR_PIECE_STATES ? name[state] : "?";
}
