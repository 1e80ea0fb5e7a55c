// rest.c: a held body that hardly bends any more stands where it is until something strikes it.
//
// Unlike pieces that stand for good (rigid_piece.c) it keeps its strains and the energy in them:
// the deforming part goes on from there when it is woken.

#include "fem/rigid_piece.h"

double fr_fem_bend_speed(const FrFem *fem) {
    double volume = 0.0, sum = 0.0;
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        double part =
            fem->scratch.is_rigid[e] ? 0.0 : 0.25 * fr_chunks_volume(&fem->state.chunks, e);
        volume += 4.0 * part;
        for (int i = 0; part > 0.0 && i < 4; i++)
            sum += part * fr_length2(fr_get3(fem->state.v, fem->state.tet[e][i]));
    }
    return volume > 0.0 ? sqrt(sum / volume) : 0.0;
}

bool fr_fem_rests(const FrFem *fem) { return fem->scratch.rests; }

double fr_fem_ledger(FrFem *fem, FrVec3 gravity) {
    FrFemEnergy e;
    fr_fem_energy(fem, gravity, &e);
    return e.kinetic + e.elastic + e.damping + e.plastic + e.fracture + e.dust - e.gravity_work -
           e.load_work - e.contact_work;
}

/// A node that hangs on one that is held, while fr_fem_stay searches.
#define REACHED 4

// from the held nodes on, tet by tet, until no more are reached
static void reach(FrFem *fem) {
    for (bool grew = true; grew;) {
        grew = false;
        for (int32_t e = 0; e < fem->state.tet_count; e++) {
            const int32_t *n = fem->state.tet[e];
            bool held = fem->state.held[n[0]] || fem->state.held[n[1]] || fem->state.held[n[2]] ||
                        fem->state.held[n[3]];
            for (int i = 0; held && !fem->scratch.is_rigid[e] && i < 4; i++) {
                if (fem->state.held[n[i]]) continue;
                fem->state.held[n[i]] = REACHED;
                grew = true;
            }
        }
    }
}

static bool hangs_on_supports(FrFem *fem) {
    bool all = true;
    reach(fem);
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        all = all && (fem->scratch.is_rigid[e] || fem->state.held[fem->state.tet[e][0]]);
    for (int32_t n = 0; n < fem->state.node_count; n++)
        if (fem->state.held[n] == REACHED) fem->state.held[n] = 0;
    return all;
}

bool fr_fem_stay(FrFem *fem, FrVec3 gravity) {
    if (!fem->settings.supports_fixed || fem->settings.integrator != FR_SYMPLECTIC ||
        fr_fem_is_loose(fem))
        return false;
    if (!hangs_on_supports(fem)) return false;
    double before = fr_fem_ledger(fem, gravity);
    FrStop stop = {0};
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        for (int i = 0; !fem->scratch.is_rigid[e] && i < 4; i++) {
            int32_t n = fem->state.tet[e][i];
            if (fem->state.held[n]) continue;
            fr_stop_node(fem, n, &stop);
            fem->state.held[n] = FR_RESTING;
        }
    fem->state.works.impulse = fr_sub(fem->state.works.impulse, stop.momentum);
    fr_fem_change_all(fem, FR_PIECE_DEFORMS, FR_PIECE_RESTS, FR_CAUSE_SLOW);
    fem->scratch.current = fem->scratch.rest_known = false;
    fem->state.works.damping += before - fr_fem_ledger(fem, gravity); // the last of its swing
    return true;
}

void fr_fem_wake_body(FrFem *fem, FrPieceCause cause) {
    if (!fem->scratch.rests) return;
    fr_fem_change_all(fem, FR_PIECE_RESTS, FR_PIECE_DEFORMS, cause);
    for (int32_t n = 0; n < fem->state.node_count; n++)
        if (fem->state.held[n] == FR_RESTING) fr_fem_release(fem, n);
    fem->scratch.rest_known = fem->scratch.current = fem->scratch.loose.moves = false;
}
