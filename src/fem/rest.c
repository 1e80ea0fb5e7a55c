// rest.c: a held body that hardly bends any more stands where it is until something strikes it.
//
// Unlike pieces that stand for good (stiff.c) it keeps its strains and the energy in them: what
// bends goes on from there when it is roused.

#include "fem/stiff.h"

double fr_fem_bend_speed(const FrFem *fem) {
    double volume = 0.0, sum = 0.0;
    for (int32_t e = 0; e < fem->tet_count; e++) {
        double part = fem->stiff[e] ? 0.0 : 0.25 * fr_chunks_volume(&fem->chunks, e);
        volume += 4.0 * part;
        for (int i = 0; part > 0.0 && i < 4; i++)
            sum += part * fr_length2(fr_get3(fem->v, fem->tet[e][i]));
    }
    return volume > 0.0 ? sqrt(sum / volume) : 0.0;
}

bool fr_fem_rests(const FrFem *fem) { return fem->rests; }

double fr_fem_ledger(FrFem *fem, FrVec3 gravity) {
    FrFemEnergy e;
    fr_fem_energy(fem, gravity, &e);
    return e.kinetic + e.elastic + e.damping + e.plastic + e.fracture + e.dust - e.gravity_work -
           e.load_work - e.contact_work;
}

/// A node that hangs on one that is held, while fr_fem_stay looks.
#define REACHED 4

// from the held nodes on, tet by tet, until no more are reached
static void reach(FrFem *fem) {
    for (bool grew = true; grew;) {
        grew = false;
        for (int32_t e = 0; e < fem->tet_count; e++) {
            const int32_t *n = fem->tet[e];
            bool held = fem->held[n[0]] || fem->held[n[1]] || fem->held[n[2]] || fem->held[n[3]];
            for (int i = 0; held && !fem->stiff[e] && i < 4; i++) {
                if (fem->held[n[i]]) continue;
                fem->held[n[i]] = REACHED;
                grew = true;
            }
        }
    }
}

static bool hangs_on_hands(FrFem *fem) {
    bool all = true;
    reach(fem);
    for (int32_t e = 0; e < fem->tet_count; e++)
        all = all && (fem->stiff[e] || fem->held[fem->tet[e][0]]);
    for (int32_t n = 0; n < fem->node_count; n++)
        if (fem->held[n] == REACHED) fem->held[n] = 0;
    return all;
}

bool fr_fem_stay(FrFem *fem, FrVec3 gravity) {
    if (!fem->fast || fem->integrator != FR_SYMPLECTIC || fr_fem_is_loose(fem)) return false;
    if (!hangs_on_hands(fem)) return false;
    double before = fr_fem_ledger(fem, gravity);
    FrStop stop = {0};
    for (int32_t e = 0; e < fem->tet_count; e++)
        for (int i = 0; !fem->stiff[e] && i < 4; i++) {
            int32_t n = fem->tet[e][i];
            if (fem->held[n]) continue;
            fr_stop_node(fem, n, &stop);
            fem->held[n] = FR_RESTING;
        }
    fem->works.impulse = fr_sub(fem->works.impulse, stop.momentum);
    fem->rests = true;
    fem->current = fem->rest_known = false;
    fem->works.damping += before - fr_fem_ledger(fem, gravity); // the last of its swing
    return true;
}

void fr_fem_rouse(FrFem *fem) {
    if (!fem->rests) return;
    for (int32_t n = 0; n < fem->node_count; n++)
        if (fem->held[n] == FR_RESTING) fr_fem_release(fem, n);
    fem->rests = fem->rest_known = fem->current = fem->moves_loose = false;
}
