// step_cost.h: what keeps steps long while a body breaks, within bounds: mass on nodes of small
// tets, small pieces that move as rigid ones, and smaller ones that leave as dust.
#pragma once
#include "cut/break_result.h"
#include "cut/piece_state.h"
#include "fem/fem.h"

/// The stable step of the shape at rest shall not fall below `part` of what it was before the first
/// cut (0: no floor): nodes that would need it get more mass, in all up to `most` of the body's
/// mass. Momentum stays: nodes that get mass slow down, and the energy that this takes is
/// FrFemEnergy.fracture. Mass stays on its node.
void fr_fem_set_floor(FrFem *fem, double part, double most);
/// After cuts, and after small pieces became rigid: `log` says what was cut since the last call.
/// Mass goes to the nodes that ring fastest and brings them down to one frequency: no other way to
/// share it out leaves longer steps. The first quarter of the mass keeps steps at 0.75 of the
/// first, the second at less and less, down to the floor; the half that is left is for the floor
/// alone.
FrResult fr_fem_keep_floor(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut);

/// From now on these tets, which hang together with no other ones, move as one rigid body: forces
/// in them and their elastic energy are gone (FrFemEnergy.fracture), momentum and angular momentum
/// stay. Pieces with held nodes are left as they are. FR_NO_MEMORY: nothing was done.
FrResult fr_fem_make_rigid(FrFem *fem, const int32_t *tet, int32_t count, FrPieceCause cause);
/// Are supports of held nodes never moved nor taken away? Only the caller knows; false at first.
void fr_fem_set_supports_fixed(FrFem *fem, bool fast);
/// These tets, which hang together with no other ones, stand still from now on, if some of their
/// nodes are held and supports are fixed; else nothing is done. Their kinetic and elastic energy is
/// FrFemEnergy.fracture, their momentum goes into the supports.
void fr_fem_stand(FrFem *fem, const int32_t *tet, int32_t count);
/// A piece that is rigid or stands bends again, from where it is and with the strains that it had:
/// their energy comes back out of FrFemEnergy.fracture. All tets of it; not while it moves loose.
void fr_fem_make_deformable(FrFem *fem, const int32_t *tet, int32_t count, FrVec3 gravity,
                            FrPieceCause cause);
/// What the piece of a tet is doing now (cut/piece_state.h). All changes here are rows of its
/// table.
FrPieceState fr_fem_piece_state(const FrFem *fem, int32_t tet);
bool fr_fem_is_rigid(const FrFem *fem, int32_t tet); ///< rigid, standing, or dust
/// Is all of it, or does the rest of it stand for now (fr_fem_stay)? Then nothing of it bends or
/// breaks.
bool fr_fem_is_loose(const FrFem *fem);

/// The rms speed of the deforming part, by volume, m/s.
double fr_fem_bend_speed(const FrFem *fem);
/// The deforming part of it stops where it is and stays there, whatever pushes it, until
/// fr_fem_wake_body: for bodies whose bending pieces are all held by fixed supports and hardly
/// move. Kinetic energy goes into FrFemEnergy.damping, momentum into the supports; strains and
/// their energy stay. False: supports are not fixed, nothing bends, or some of the deforming part
/// hangs on none.
bool fr_fem_stay(FrFem *fem, FrVec3 gravity);
bool fr_fem_rests(const FrFem *fem);
/// It bends on; nothing if it did not rest.
void fr_fem_wake_body(FrFem *fem, FrPieceCause cause);

/// Contacts as springs on the rigid pieces of a body that is loose: forget those there were.
/// FR_NO_MEMORY: there is no room to note them.
FrResult fr_fem_begin_springs(FrFem *fem);
/// A spring at x more on the rigid piece of a tet: `across` N/m along the unit vector n and `along`
/// at right angles to it. Nothing for what stands or sleeps.
void fr_fem_add_spring(FrFem *fem, int32_t tet, FrVec3 x, FrVec3 n, double across, double along);
/// Its piece on all of them, held by nothing else, swings no faster, 1/s^2; at most a quarter above
/// the fastest swing.
double fr_fem_spring_w2(FrFem *fem, int32_t tet);

/// Its piece is pushed, N, besides what pushed it so far.
void fr_fem_note_push(FrFem *fem, int32_t tet, FrVec3 push);
/// Do those pushes hold each other, for more than a tenth?
bool fr_fem_wedged(FrFem *fem, int32_t tet);

/// A spring on the nodes of a tet that bends; none on others.
void fr_fem_add_node_spring(FrFem *fem, FrPoint at, double stiffness);
/// Its nodes on all of them, held by nothing else, swing no faster, 1/s^2.
double fr_fem_node_w2(const FrFem *fem, int32_t tet);

/// How easily x moves with the rigid piece that has this tet, 1/kg, times the springs that it has;
/// 0: it stands or sleeps; HUGE_VAL: it bends.
double fr_fem_ease(FrFem *fem, int32_t tet, FrVec3 x);

/// Factors on all springs of each rigid piece (in their order) with which none swings faster than
/// w^2 = `most`, 1/s^2. Borrowed until the springs are forgotten.
const double *fr_fem_soften(FrFem *fem, double most);
/// That of the rigid piece which has this tet; NULL: it has none, or sleeps.
double *fr_fem_softness(FrFem *fem, int32_t tet);

/// Here fr_fem_note_still measures from.
FrResult fr_fem_mark_places(FrFem *fem);
/// A body that is loose, about to take steps in which nothing but its pieces moves: marks its
/// places too. FR_NO_MEMORY: it moves as before.
FrResult fr_fem_begin_loose(FrFem *fem);
void fr_fem_end_loose(FrFem *fem);
bool fr_fem_moves_loose(const FrFem *fem); ///< between these two
/// Are all nodes of the tet held where they are?
bool fr_fem_stands(const FrFem *fem, int32_t tet);
/// Pieces that went slower than `limit` m/s in the mean over the `span` s since fr_fem_mark_places
/// were still for so long; others are not. Returns for how long the last of them has been, s
/// (HUGE_VAL: there is none). Crumbs under a load quiver in place: that is rest.
double fr_fem_note_still(FrFem *fem, double span, double limit);
/// For how long the rigid piece of a tet has been still, s; HUGE_VAL for what stands, 0 for what
/// bends.
double fr_fem_still(const FrFem *fem, int32_t tet);
/// Of the rigid piece of a tet, kg; 0: it is of none.
double fr_fem_piece_mass(const FrFem *fem, int32_t tet);
/// How easily a blow at x along the unit vector n moves the rigid piece of a tet, 1/kg; 0: it
/// stands or bends.
double fr_fem_piece_give(const FrFem *fem, int32_t tet, FrVec3 x, FrVec3 n);
/// Its piece touches something that is not at rest, and does not fall asleep.
void fr_fem_make_restless(FrFem *fem, int32_t tet);
/// Rigid pieces that were still for this long, s, sleep: they stay where they are, whatever pushes
/// them, until they are woken. Kinetic energy goes into contact_work, momentum into fr_fem_impulse,
/// as when rigid frames fall asleep. After fr_fem_begin_springs and fr_fem_make_restless.
void fr_fem_fall_asleep(FrFem *fem, double after);
void fr_fem_wake(FrFem *fem, int32_t tet); ///< the piece that has it
void fr_fem_wake_all(FrFem *fem);
/// That of each tet (tet_count); borrowed until the next cut. NULL: none is.
const uint8_t *fr_fem_crumbs(const FrFem *fem);

/// At most this share of the body's mass may leave as dust (0: nothing).
void fr_fem_set_dust(FrFem *fem, double most);
/// These tets, which hang together with no other ones, leave: their energy is FrFemEnergy.dust,
/// their momentum goes out of fr_fem_impulse; from now on they neither move nor push nor are
/// touched. False: nothing was done, because nodes are held or too much has left already.
bool fr_fem_leave(FrFem *fem, const int32_t *tet, int32_t count, FrDust *dust);
/// Draw tets that left together in one point, so that who draws nodes sees nothing of them.
void fr_fem_shrink(FrFem *fem, const int32_t *tet, int32_t count, FrVec3 to);
/// Was the node drawn together with such tets?
bool fr_fem_node_left(const FrFem *fem, int32_t node);

/// What was done so far.
FrStepCost fr_fem_step_cost(const FrFem *fem);
