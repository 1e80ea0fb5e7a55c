// rigid_piece.c: pieces of a deformable body that broke off: small ones become rigid, held ones
// stand still, the smallest leave as dust.

#include "fem/rigid_piece.h"
#include "fem/element.h"
#include <string.h>

bool fr_fem_is_rigid(const FrFem *fem, int32_t tet) { return fem->scratch.is_rigid[tet] != 0; }

const uint8_t *fr_fem_crumbs(const FrFem *fem) {
    return fem->state.step_cost.rigid_pieces ? fem->scratch.is_rigid : NULL;
}

bool fr_fem_is_loose(const FrFem *fem) {
    if (fem->scratch.rests || fem->scratch.loose.moves) return true;
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        if (!fem->scratch.is_rigid[e]) return false;
    return true;
}

void fr_fem_silence(FrFem *fem, int32_t tet) {
    int32_t lane = fem->state.chunks.tet_lane[tet], k = lane % FR_LANES;
    FrTetBlock *block = &fem->state.chunks.block[lane / FR_LANES];
    block->vol[k] = block->w2[k] = block->damp[k] = block->share[k] = 0.0;
}

static bool any_held(const FrFem *fem, const int32_t *tet, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++)
            if (fem->state.held[fem->state.tet[tet[k]][i]]) return true;
    return false;
}

// the nodes of the tets, each once, at the end of the list; false: no memory, nothing was listed
static bool list_nodes(FrFem *fem, const int32_t *tet, int32_t count) {
    int32_t first = fem->state.pieces.node.count;
    bool room = true;
    for (int32_t k = 0; k < 4 * count && room; k++) {
        int32_t n = fem->state.tet[tet[k / 4]][k % 4];
        if (fem->scratch.listed[n]) continue;
        room = fr_array_push(fem->ctx, &fem->state.pieces.node, n);
        fem->scratch.listed[n] = room;
    }
    for (int32_t k = first; k < fem->state.pieces.node.count; k++)
        fem->scratch.listed[fem->state.pieces.node.data[k]] = 0;
    if (!room) fem->state.pieces.node.count = first;
    return room;
}

// what its tets add to the ledger's elastic part, J
static double elastic_of(const FrFem *fem, const int32_t *tet, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) sum += fr_fem_tet_elastic(fem, tet[k]);
    return sum;
}

// its tets have no forces any more
static void silence_piece(FrFem *fem, const int32_t *tet, int32_t count) {
    for (int32_t k = 0; k < count; k++) fr_fem_silence(fem, tet[k]);
    fem->scratch.current = false;
}

static double volume_of(const FrFem *fem, const int32_t *tet, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) sum += fr_chunks_volume(&fem->state.chunks, tet[k]);
    return sum;
}

// Mass damping stands for what a material loses as it bends; of a rigid piece it would slow the
// fall.
static void free_of_drag(FrFem *fem, int32_t first) {
    for (int32_t k = first; k < fem->state.pieces.node.count; k++)
        fem->scratch.drag[fem->state.pieces.node.data[k]] = 0.0;
}

void fr_rigid_pieces_free_of_drag(FrFem *fem) { free_of_drag(fem, 0); }

// in the order of fr_fem_set_masses
static void give_drag(FrFem *fem, int32_t number) {
    for (int32_t e = 0; e < fem->state.tet_count; e++) {
        if (fem->scratch.rigid_of[e] != number) continue;
        FrElement element;
        fr_fem_element(fem, e, &element);
        const FrMaterial *m = &fem->settings.material[fem->state.region[e]];
        double share = 0.25 * m->density * element.volume;
        for (int i = 0; i < 4; i++) fem->scratch.drag[fem->state.tet[e][i]] += m->alpha2 * share;
    }
}

FrResult fr_fem_make_rigid(FrFem *fem, const int32_t *tet, int32_t count, FrPieceCause cause) {
    int32_t first = fem->state.pieces.node.count;
    if (fem->settings.integrator != FR_SYMPLECTIC || any_held(fem, tet, count)) return FR_OK;
    if (!fr_array_reserve(fem->ctx, &fem->state.pieces.end, 1) ||
        !fr_array_reserve(fem->ctx, &fem->state.pieces.still, 1) ||
        !fr_array_reserve(fem->ctx, &fem->state.pieces.tet, 1) || !list_nodes(fem, tet, count))
        return fr_no_memory(fem->ctx, "a rigid piece");
    FrRigidPieceNodes piece = {fem->state.pieces.node.data + first,
                               fem->state.pieces.node.count - first};
    double elastic = elastic_of(fem, tet, count);
    double before = fr_rigid_piece_kinetic(fem, piece);
    fr_fem_change(fem, (FrPieceTets){tet, count}, FR_PIECE_RIGID, cause);
    FrRigidPieceMotion m = fr_rigid_piece_motion(fem, piece);
    fr_rigid_piece_set_motion(fem, piece, &m);
    free_of_drag(fem, first);
    fem->state.step_cost.rigid_volume += volume_of(fem, tet, count);
    silence_piece(fem, tet, count);
    fem->state.pieces.end.data[fem->state.pieces.end.count++] = fem->state.pieces.node.count;
    fem->state.pieces.still.data[fem->state.pieces.still.count++] = 0.0;
    fem->state.pieces.tet.data[fem->state.pieces.tet.count++] = tet[0];
    fem->state.step_cost.rigid_pieces++;
    fem->state.works.fracture += elastic + before - fr_rigid_piece_kinetic(fem, piece);
    return FR_OK;
}

FrResult fr_fem_number_rigid(FrFem *fem) {
    FR_TRY(fr_fem_follow_states(fem));
    free_of_drag(fem, 0);
    return FR_OK;
}

void fr_fem_set_supports_fixed(FrFem *fem, bool fast) { fem->settings.supports_fixed = fast; }

void fr_fem_stand(FrFem *fem, const int32_t *tet, int32_t count) {
    FrStop stop = {0};
    if (!fem->settings.supports_fixed || fem->settings.integrator != FR_SYMPLECTIC ||
        !any_held(fem, tet, count))
        return;
    double elastic = elastic_of(fem, tet, count);
    fr_fem_change(fem, (FrPieceTets){tet, count}, FR_PIECE_SUPPORTED, FR_CAUSE_SETTLED);
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = fem->state.tet[tet[k / 4]][k % 4];
        if (fem->state.held[n]) continue;
        fr_stop_node(fem, n, &stop);
        fem->state.held[n] = FR_STANDING;
    }
    fem->state.step_cost.rigid_volume += volume_of(fem, tet, count);
    fem->state.step_cost.rigid_pieces++;
    silence_piece(fem, tet, count);
    fem->state.works.fracture += elastic + stop.energy;
    fem->state.works.impulse = fr_sub(fem->state.works.impulse, stop.momentum);
}

// rigid piece k is not one any more
static void drop_rigid(FrFem *fem, int32_t k) {
    FrRigidPieceNodes piece = fr_rigid_piece_nodes(fem, k);
    int32_t end = fem->state.pieces.end.data[k], left = fem->state.pieces.end.count - k - 1;
    memmove(fem->state.pieces.node.data + (end - piece.count), fem->state.pieces.node.data + end,
            (size_t)(fem->state.pieces.node.count - end) * sizeof *fem->state.pieces.node.data);
    memmove(fem->state.pieces.end.data + k, fem->state.pieces.end.data + k + 1,
            (size_t)left * sizeof *fem->state.pieces.end.data);
    memmove(fem->state.pieces.still.data + k, fem->state.pieces.still.data + k + 1,
            (size_t)left * sizeof *fem->state.pieces.still.data);
    memmove(fem->state.pieces.tet.data + k, fem->state.pieces.tet.data + k + 1,
            (size_t)left * sizeof *fem->state.pieces.tet.data);
    for (int32_t j = k; j < k + left; j++) fem->state.pieces.end.data[j] -= piece.count;
    fem->state.pieces.node.count -= piece.count;
    fem->state.pieces.end.count--;
    fem->state.pieces.still.count--;
    fem->state.pieces.tet.count--;
    for (int32_t e = 0; e < fem->state.tet_count; e++)
        fem->scratch.rigid_of[e] -= fem->scratch.rigid_of[e] > FR_FIRST_RIGID + k;
}

// its tets have forces and bounds again
static void give_voice(FrFem *fem, const int32_t *tet, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        FrElement element;
        int32_t lane = fem->state.chunks.tet_lane[tet[k]];
        fr_fem_element(fem, tet[k], &element);
        fem->state.chunks.block[lane / FR_LANES].vol[lane % FR_LANES] = element.volume;
        fr_fem_bound_tet(fem, tet[k]);
    }
}

void fr_fem_make_deformable(FrFem *fem, const int32_t *tet, int32_t count, FrVec3 gravity,
                            FrPieceCause cause) {
    int32_t number = fem->scratch.rigid_of[tet[0]];
    FR_ASSERT_IN(fem->ctx, number >= FR_STANDS && !fem->scratch.loose.moves,
                 "a piece that is rigid or stands");
    double before = fr_fem_ledger(fem, gravity);
    if (number >= FR_FIRST_RIGID) fr_fem_wake(fem, tet[0]);
    fr_fem_check_change(fem, (FrPieceTets){tet, count}, FR_PIECE_DEFORMS, cause);
    if (number >= FR_FIRST_RIGID) give_drag(fem, number);
    fr_fem_change(fem, (FrPieceTets){tet, count}, FR_PIECE_DEFORMS, cause);
    if (number >= FR_FIRST_RIGID) drop_rigid(fem, number - FR_FIRST_RIGID);
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = fem->state.tet[tet[k / 4]][k % 4];
        if (fem->state.held[n] == FR_STANDING) fr_fem_release(fem, n);
    }
    give_voice(fem, tet, count);
    fem->state.step_cost.rigid_volume =
        fr_max(0.0, fem->state.step_cost.rigid_volume - volume_of(fem, tet, count));
    fem->state.step_cost.rigid_pieces--;
    fem->state.last_dt =
        0.0; // velocities are of this moment: the deforming part takes shorter steps
    fem->scratch.current = false;
    fem->state.works.fracture += before - fr_fem_ledger(fem, gravity);
}

void fr_fem_set_dust(FrFem *fem, double most) {
    FR_ASSERT_IN(fem->ctx, most >= 0.0 && most <= 1.0, "a share of the mass lies between 0 and 1");
    fem->settings.dust_limit = most * fem->settings.total_mass;
}

// of the material itself, kg: without what the floor put on its nodes
static double mass_of(const FrFem *fem, const int32_t *tet, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++)
        sum += fem->settings.material[fem->state.region[tet[k]]].density *
               fr_chunks_volume(&fem->state.chunks, tet[k]);
    return sum;
}

bool fr_fem_leave(FrFem *fem, const int32_t *tet, int32_t count, FrDust *dust) {
    *dust = (FrDust){.mass = mass_of(fem, tet, count)};
    if (fem->state.step_cost.dust_mass + dust->mass > fem->settings.dust_limit ||
        any_held(fem, tet, count))
        return false;
    double elastic = elastic_of(fem, tet, count);
    fr_fem_change(fem, (FrPieceTets){tet, count}, FR_PIECE_DUST, FR_CAUSE_SMALL);
    FrStop stop = {0};
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            FrVec3 p = fr_get3(fem->state.p, fem->state.tet[tet[k]][i]);
            dust->centre = fr_axpy(0.25 * mass_of(fem, tet + k, 1) / dust->mass, p, dust->centre);
            fr_stop_node(fem, fem->state.tet[tet[k]][i], &stop);
        }
    silence_piece(fem, tet, count);
    dust->momentum = stop.momentum;
    dust->energy = stop.energy + elastic;
    fem->state.works.dust += dust->energy;
    fem->state.works.impulse = fr_sub(fem->state.works.impulse, dust->momentum);
    fem->state.step_cost.dust_mass += dust->mass;
    fem->state.step_cost.dust_pieces++;
    return true;
}

bool fr_fem_node_left(const FrFem *fem, int32_t node) { return fem->state.held[node] == FR_LEFT; }

void fr_fem_shrink(FrFem *fem, const int32_t *tet, int32_t count, FrVec3 to) {
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = fem->state.tet[tet[k / 4]][k % 4];
        fr_fem_hold(fem, n); // a new node between supports may have been let go
        fem->state.held[n] = FR_LEFT;
        fr_set3(fem->state.p, n, to);
    }
    fem->scratch.current = false;
}
