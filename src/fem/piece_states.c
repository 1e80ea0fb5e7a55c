// piece_states.c: what each piece of a deformable body does. FrFemState.doing has it, and changes
// here alone, as the table of cut/piece_state.c lets it.

#include "fem/rigid_piece.h"

FrPieceState fr_fem_piece_state(const FrFem *fem, int32_t tet) {
    return (FrPieceState)fem->state.doing[tet];
}

// has it no forces of its own?
static bool is_silent(FrPieceState state) {
    return state != FR_PIECE_DEFORMS && state != FR_PIECE_RESTS;
}

// what follows from the state of a tet; `number`: of its rigid piece
static void follow(FrFem *fem, int32_t tet, int32_t number) {
    FrPieceState state = fr_fem_piece_state(fem, tet);
    fem->scratch.is_rigid[tet] = is_silent(state);
    fem->scratch.gone[tet] = state == FR_PIECE_DUST;
    fem->scratch.rigid_of[tet] = state == FR_PIECE_SUPPORTED                           ? FR_STANDS
                                 : state == FR_PIECE_RIGID || state == FR_PIECE_ASLEEP ? number
                                                                                       : 0;
}

void fr_fem_check_change(const FrFem *fem, FrPieceTets piece, FrPieceState to, FrPieceCause cause) {
    for (int32_t k = 0; k < piece.count; k++)
        FR_ASSERT_IN(fem->ctx, fr_piece_may(fr_fem_piece_state(fem, piece.tet[k]), to, cause),
                     "no such change of a piece (cut/piece_state.c)");
}

void fr_fem_change(FrFem *fem, FrPieceTets piece, FrPieceState to, FrPieceCause cause) {
    fr_fem_check_change(fem, piece, to, cause);
    for (int32_t k = 0; k < piece.count; k++) {
        bool was = is_silent(fr_fem_piece_state(fem, piece.tet[k]));
        int32_t fresh = FR_FIRST_RIGID + fem->state.pieces.end.count;
        fem->state.doing[piece.tet[k]] = (uint8_t)to;
        follow(fem, piece.tet[k], was ? fem->scratch.rigid_of[piece.tet[k]] : fresh);
    }
}

void fr_fem_change_all(FrFem *fem, FrPieceState from, FrPieceState to, FrPieceCause cause) {
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        if (fr_fem_piece_state(fem, e) == from) fr_fem_change(fem, (FrPieceTets){&e, 1}, to, cause);
    fem->scratch.rests = to == FR_PIECE_RESTS;
}

void fr_fem_change_rigid(FrFem *fem, int32_t k, FrPieceState to, FrPieceCause cause) {
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        if (fem->scratch.rigid_of[e] == FR_FIRST_RIGID + k)
            fr_fem_change(fem, (FrPieceTets){&e, 1}, to, cause);
}

bool fr_rigid_piece_sleeps(const FrFem *fem, int32_t k) {
    return fr_fem_piece_state(fem, fem->state.pieces.tet.data[k]) == FR_PIECE_ASLEEP;
}

void fr_fem_new_tet(FrFem *fem, int32_t tet) {
    fem->state.doing[tet] = FR_PIECE_DEFORMS;
    follow(fem, tet, 0);
}

// the rigid piece of each node, counted from 1; 0: none. NULL: no memory
static int32_t *pieces_of_nodes(FrContext *ctx, const FrFemState *s) {
    int32_t *piece = FR_NEW(ctx, int32_t, s->node_count);
    for (int32_t k = 0, at = 0; piece && k < s->pieces.end.count; k++)
        for (; at < s->pieces.end.data[k]; at++) piece[s->pieces.node.data[at]] = k + 1;
    return piece;
}

FrResult fr_fem_states_fit(FrContext *ctx, const FrFemState *s, bool *fit) {
    int32_t *piece = pieces_of_nodes(ctx, s), found = 0;
    uint8_t *seen = FR_NEW(ctx, uint8_t, s->pieces.end.count + 1);
    bool memory = piece && seen;
    *fit = memory;
    for (int32_t e = 0; memory && e < s->tet_count; e++) {
        bool rigid = s->doing[e] == FR_PIECE_RIGID || s->doing[e] == FR_PIECE_ASLEEP;
        int32_t number = piece[s->tet[e][0]];
        if (!rigid) continue;
        *fit = *fit && number;
        found += !seen[number];
        seen[number] = 1;
    }
    *fit = *fit && found == s->pieces.end.count; // none without tets
    FR_FREE_ALL(ctx, piece, seen);
    return memory ? FR_OK : fr_no_memory(ctx, "rigid pieces");
}

FrResult fr_fem_follow_states(FrFem *fem) {
    FrRigidPieces *pieces = &fem->state.pieces;
    int32_t *piece = pieces_of_nodes(fem->ctx, &fem->state);
    pieces->tet.count = 0;
    if (!piece || !fr_array_extend(fem->ctx, &pieces->tet, pieces->end.count)) {
        fr_free(fem->ctx, piece);
        return fr_no_memory(fem->ctx, "rigid pieces");
    }
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        follow(fem, e, FR_FIRST_RIGID + piece[fem->state.tet[e][0]] - 1);
        if (fem->scratch.rigid_of[e] >= FR_FIRST_RIGID)
            pieces->tet.data[fem->scratch.rigid_of[e] - FR_FIRST_RIGID] = e;
    }
    fr_free(fem->ctx, piece);
    return FR_OK;
}

void fr_fem_follow_rest(FrFem *fem) {
    fem->scratch.rests = false;
    for (int32_t n = 0; n < fem->state.node_count; n++)
        fem->scratch.rests = fem->scratch.rests || fem->state.held[n] == FR_RESTING;
    FrPieceState state = fem->scratch.rests ? FR_PIECE_RESTS : FR_PIECE_DEFORMS;
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        if (!is_silent(fr_fem_piece_state(fem, e))) fem->state.doing[e] = (uint8_t)state;
}
