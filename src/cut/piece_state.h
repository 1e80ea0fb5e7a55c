// piece_state.h: what a piece of a body can be doing, and how it comes to do something else: the
// one table of states and changes. No model has others.
#pragma once
#include "base/base.h"

typedef enum FrPieceState {
    FR_PIECE_DEFORMS,   ///< its nodes move against each other; it may break
    FR_PIECE_RIGID,     ///< moves as one; strains are kept for when it deforms again
    FR_PIECE_SUPPORTED, ///< stands where supports that never move hold it
    FR_PIECE_RESTS,     ///< of material that flows: stopped for now, strained as it is
    FR_PIECE_ASLEEP,    ///< a rigid one that stays where it is, whatever pushes it
    FR_PIECE_DUST,      ///< left, and is nowhere any more
} FrPieceState;
#define FR_PIECE_STATES 6

/// Who may bring about a change, and by what.
typedef enum FrPieceCause {
    FR_CAUSE_SMALL,   ///< fracture: it came off and is smaller than rigid_piece, or dust_piece
    FR_CAUSE_SETTLED, ///< fracture: nothing broke for FrCrackDef.settle
    FR_CAUSE_SLOW,    ///< world: it hardly moved for its settling time, or for sleep_time
    FR_CAUSE_STRUCK,  ///< world: a blow that may break it, or more energy than rest has
    FR_CAUSE_TOUCHED, ///< world: something that moves touches it, or a caller woke it
    FR_CAUSE_SUPPORT, ///< world: a support of it came, or left
} FrPieceCause;
#define FR_PIECE_CAUSES 6

/// One row of the table.
typedef struct FrPieceChange {
    FrPieceState from, to;
    FrPieceCause cause;
    const char *cost; ///< part of the energy ledger that takes or gives what the change needs
} FrPieceChange;

/// All changes there are.
const FrPieceChange *fr_piece_changes(int32_t *count);
/// Is there such a change, by this cause?
bool fr_piece_may(FrPieceState from, FrPieceState to, FrPieceCause cause);
/// "deforms", "rigid", "supported", "rests", "asleep", "dust".
const char *fr_piece_state_name(FrPieceState state);
