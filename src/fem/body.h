// body.h: what a deformable body holds; only fem/ includes it.
//
// Settings stay what they are once the caller has made them; the state is what a checkpoint has;
// the backup is a copy of it from before a step; scratch follows from these or is of one call.
// Arrays with an entry for each node, tet, chunk or slot are listed in fem_arrays.c, which grows,
// copies, saves, loads and frees them.
#pragma once
#include "fem/chunk.h"
#include "fem/fem.h"
#include "fem/step_cost.h"
#include "base/array.h"

/// A rigid piece as contacts find it.
typedef struct FrLoosePiece {
    bool known;      ///< the rest follows from where the nodes are now
    bool restless;   ///< it touches something that has not come to rest
    double slowness; ///< 1/sqrt(mass), 1/sqrt(kg)
    FrVec3 centre;   ///< m
    FrMat3 root;     ///< R, R R' the inverse of the inertia about it, 1/(sqrt(kg) m)
    double K[6][6];  ///< springs on it: stiffness of translation and turn over mass, 1/s^2
    int32_t springs; ///< how many
    double w2;       ///< of its fastest swing on them, 1/s^2; 0: not found yet
    FrVec3 push;     ///< of all contacts, N
    double pressed;  ///< the sum of their sizes, N
} FrLoosePiece;

/// A rigid piece on its way (loose.c).
typedef struct FrLooseMotion {
    double mass;            ///< kg
    FrVec3 from;            ///< its centre where its way began, m
    FrVec3 centre, v, turn; ///< m, m/s; angular momentum about the centre, kg m^2/s
    FrVec3 spin;            ///< rad/s
    FrQuat q;               ///< how it has turned since
    FrMat3 inverse_from;    ///< of its inertia about the centre, then, 1/(kg m^2)
    FrMat3 inverse;         ///< and now
} FrLooseMotion;
typedef FR_ARRAY(FrLooseMotion) FrLooseMotions; ///< one per rigid piece

/// Sums over nodes, made per chunk of nodes and added in order.
typedef struct FrNodeSums {
    double kinetic; ///< sum 1/2 m v.v, J
    double elastic; ///< sum f.v, W: power of elastic forces
    double viscous; ///< sum d.v, W
    double leap;    ///< of a kick: change of f.v of held nodes, which leap to their velocities, W
} FrNodeSums;

/// Running totals of work, J.
typedef struct FrFemWorks {
    double damping, gravity, load, contact;
    double plastic;  ///< spent in flow
    double fracture; ///< kinetic and elastic energy that cuts and step_cost took out
    double dust;     ///< kinetic and elastic energy of pieces that left as dust
    FrVec3 impulse;  ///< of gravity, loads, supports, mass damping and dust, N s
} FrFemWorks;

/// What the body is made of, and what the caller asks of it.
typedef struct FrFemSettings {
    FrIntegrator integrator;
    int32_t material_count;
    FrMaterial *material;      ///< (material_count)
    FrKernelMaterial *kernel;  ///< (material_count)
    FrChunkFn *run_chunk;      ///< portable or AVX2
    const FrStressFns *stress; ///< likewise
    bool yields;               ///< some material does
    bool supports_fixed;       ///< held nodes never move and are never let go
    double total_mass;         ///< kg
    double floor_part;         ///< of the step before the first cut (fr_fem_set_floor)
    double added_limit;        ///< mass that may be added for it, kg
    double dust_limit;         ///< mass that may leave as dust, kg
} FrFemSettings;

/// A whole body that flies as a rigid frame (flight.c).
typedef struct FrFlight {
    FrVec3 x, v; ///< of its centre of mass, m, m/s
    FrVec3 turn; ///< angular momentum about it, kg m^2/s
    FrQuat q;    ///< how its shape at rest is turned
} FrFlight;

/// What follows from its mesh at rest.
typedef struct FrFlightFrame {
    FrVec3 centre;  ///< of mass, m
    double mass;    ///< kg
    double reach;   ///< of its farthest node from there, m
    FrMat3 inverse; ///< of its inertia, 1/(kg m^2)
} FrFlightFrame;

/// The rigid pieces: their nodes, one piece after the other.
typedef struct FrRigidPieces {
    FR_ARRAY(int32_t) end;  ///< of each piece in `node`
    FR_ARRAY(int32_t) node; ///< of all of them
    FR_ARRAY(double) still; ///< for how long each has hardly moved, s
    FR_ARRAY(int32_t) tet;  ///< one of each; not in checkpoints
} FrRigidPieces;

/// What a checkpoint has. The mesh, `added`, `doing`, `pieces`, `step_cost`, first_w2 and
/// the order of the chunks are there once the body was cut; until then they are as it was made.
typedef struct FrFemState {
    int32_t node_count, tet_count;
    uint64_t topology;  ///< 1, and one more for each cut
    double first_w2;    ///< largest tet_w2 before the first cut, 1/s^2
    double *x;          ///< rest positions, m (3 * node_count)
    double *added;      ///< mass that step_cost added, kg (node_count)
    uint8_t *held;      ///< 1: by a support, or asleep; 2: at rest (rest.c); 3: stands; 5: left as
                        ///< dust (node_count)
    double *p, *v;      ///< m, m/s (3 * node_count)
    double *drive;      ///< velocity of held nodes, m/s (3 * node_count)
    double *load;       ///< added forces, N (3 * node_count)
    double *contact;    ///< likewise, of contacts, N (3 * node_count)
    double *stiffness;  ///< added stiffness, N/m (node_count)
    bool has_stiffness; ///< some was added since the last step
    int32_t (*tet)[4];  ///< (tet_count)
    int32_t *region;    ///< material of each tet (tet_count)
    uint8_t *doing;     ///< FrPieceState of the piece of each tet: piece_states.c (tet_count)
    FrPlasticRow *plastic; ///< (tet_count); NULL: no material yields
    FrChunks chunks;
    FrRigidPieces pieces;
    FrStepCost step_cost;
    FrFemWorks works;
    bool flies; ///< as a rigid frame: nodes follow `flight`
    FrFlight flight;
    double last_dt;    ///< s; 0 before the first step, and in flight
    double step_error; ///< J, of the last step (FrStepWatch)
} FrFemState;

/// Of fr_fem_backup: what a step changes.
typedef struct FrFemBackup {
    FrPlasticRow *plastic; ///< (tet_count)
    uint8_t *doing;        ///< (tet_count)
    double *p, *v, *drive; ///< m, m/s, m/s (3 * node_count)
    uint8_t *held;         ///< (node_count)
    FrFemWorks works;
    double last_dt, step_error; ///< s, J
    FrLooseMotions motion;      ///< instead of the nodes while pieces move as such (loose.c)
} FrFemBackup;

/// What there is an entry for in the arrays of fem_arrays.c.
typedef enum FrFemPer {
    FR_PER_NODE,
    FR_PER_NODE_CHUNK, ///< FR_NODE_GRAIN nodes
    FR_PER_TET,
    FR_PER_SLOT,
    FR_PER_CHUNK,
    FR_PER_BLOCK,
    FR_PER_COUNT
} FrFemPer;

/// What chunks of tets bring (forces.c).
typedef struct FrSlots {
    double *force;               ///< elastic and viscous, of each slot, N (6 * slot_count)
    double *pull;                ///< bound on the pull on each slot, N (slot_count)
    FrChunkSums *chunk_sums;     ///< (chunk_count)
    FrBlockStress *block_stress; ///< (block_count)
} FrSlots;

/// What tears at nodes, and holds them (breaking_stress.c).
typedef struct FrTearScratch {
    FR_ARRAY(double) slot_grown;      ///< of each slot, m^3 (2 * slot_count)
    FR_ARRAY(FrNodeTears) slot_tears; ///< of each slot
    FR_ARRAY(double) slot_spread;     ///< FrNodeSpread and a spare of each slot, N
    FR_ARRAY(double) chunk_stretch;   ///< the largest of those that were scanned
    FR_ARRAY(double) node_grown;      ///< det C - 1, mean round each node (node_count)
    FR_ARRAY(uint8_t) ring;           ///< nodes whose growth is wanted (node_count)
} FrTearScratch;

/// Contacts as springs (rigid_piece_springs.c).
typedef struct FrContactSprings {
    FR_ARRAY(FrLoosePiece) piece; ///< one per rigid piece
    FR_ARRAY(double) factor;      ///< on the stiffness of contacts of each rigid piece
    FR_ARRAY(double) on_node;     ///< of contacts on the deforming part, N/m (node_count)
} FrContactSprings;

/// Rigid pieces that move as such (loose.c).
typedef struct FrLooseScratch {
    bool moves;            ///< `motion` tells where rigid pieces are, and nodes follow
    FrLooseMotions motion; ///< one per rigid piece
    FR_ARRAY(double) from; ///< where nodes were at fr_fem_mark_places, m
} FrLooseScratch;

/// Of the step that is being made, or was made last.
typedef struct FrStepScratch {
    double shift, jolt;             ///< J, of the last step (FrStepWatch)
    double kick_energy;             ///< elastic energy before it, J
    double still_power, kick_power; ///< elastic power before and after its kick, W
    double half_power, between;     ///< of a kick in two halves: power after the first, W, and what
                                    ///< changed between, J
    double flow_dt; ///< s; above 0 while the end of a step is evaluated: plastic strain flows
} FrStepScratch;

/// What follows from the state, or is of one call.
typedef struct FrFemScratch {
    int32_t capacity[FR_PER_COUNT]; ///< of the arrays of fem_arrays.c
    double *mass, *inverse_mass;    ///< kg, 1/kg (node_count)
    double *drag;                   ///< mass damping, kg/s (node_count)
    double *node_w2;   ///< mean over the tets round a node, once cut, 1/s^2 (node_count)
    double *tet_w2;    ///< bound on the squared frequency at rest, 1/s^2 (tet_count)
    uint8_t *is_rigid; ///< tets of rigid and standing pieces and of dust (tet_count)
    uint8_t *gone;     ///< tets of dust (tet_count)
    int32_t *rigid_of; ///< FrShapeView.rigid: 1: stands, k + 2: rigid piece k (tet_count)
    bool rests;        ///< the deforming part stands for now (rest.c)
    bool rest_known;   ///< and its forces were found since
    bool gather_stale; ///< the gather lists have to be made anew

    // of p and v; computed again when `current` is false
    bool current;
    double *f, *d; ///< elastic and viscous force, N (3 * node_count)
    double energy; ///< elastic, J
    FrNodeSums sums;
    int32_t crushed; ///< tets

    double *gain;    ///< of velocity in the first half of a kick, m/s; between a cut and the next
                     ///< step what elastic forces gave before it, m/s^2 (3 * node_count)
    bool pulled;     ///< it was cut since the last step
    uint8_t *listed; ///< 0 between calls (node_count)
    int32_t first_task;       ///< its first chunk among those of all bodies in a call
    FrNodeSums *node_sums;    ///< (chunks of nodes)
    FrFemWorks *node_works;   ///< (chunks of nodes)
    FR_ARRAY(double) lasting; ///< load and contact of fr_fem_step_often, N
    FrSlots slots;
    FrTearScratch tears;
    FrContactSprings springs;
    FrLooseScratch loose;
    FrFlightFrame flight; ///< known while it flies
    FrStepScratch watch;
} FrFemScratch;

struct FrFem {
    FrContext *ctx;
    FrFemSettings settings;
    FrFemState state;
    FrFemBackup backup;
    FrFemScratch scratch;
};

/// Bodies that are computed together: all their chunks in one parallel loop.
typedef struct FrFemSet {
    FrFem *const *fem;
    int32_t count;
} FrFemSet;
/// Number the tasks of the set, count_of each body; returns how many there are.
int32_t fr_fem_number_tasks(const FrFemSet *set, int32_t (*count_of)(const FrFem *));
/// The body that has this task; its own number is task - first_task.
FrFem *fr_fem_of_task(const FrFemSet *set, int32_t task);
int32_t fr_fem_node_chunks(const FrFem *fem);

/// Room for this many nodes and tets; what is there stays, new places are zero. False: no memory.
bool fr_fem_reserve(FrFem *fem, int32_t nodes, int32_t tets);
/// Room for the forces of all slots. False: no memory.
bool fr_fem_reserve_slots(FrFem *fem);
/// Basis of a tet at rest.
bool fr_fem_element(const FrFem *fem, int32_t tet, struct FrElement *element);
/// The elastic part of the ledger in one tet, J: stored, and the first half of the next kick, which
/// for held nodes is in the work of supports (fr_fem_energy).
double fr_fem_tet_elastic(const FrFem *fem, int32_t tet);
/// Masses and drags of all nodes from the tets. FR_BAD_INPUT: a node belongs to no tet.
FrResult fr_fem_set_masses(FrFem *fem);
/// Bounds on frequencies of a body that was cut: means over the tets round each node.
void fr_fem_set_bounds(FrFem *fem);
/// Of one tet, from those of its nodes.
void fr_fem_bound_tet(FrFem *fem, int32_t tet);

// step_cost.c
/// Add mass to those of these nodes (each once, masses and bounds up to date) that need it most;
/// true: it did, and masses and bounds have to be made anew.
bool fr_fem_weigh_down(FrFem *fem, const int32_t *node, int32_t count);

// piece_states.c
/// A tet that a cut made, or changed: it deforms.
void fr_fem_new_tet(FrFem *fem, int32_t tet);
/// Have the rigid tets their pieces, and the pieces their tets?
FrResult fr_fem_states_fit(FrContext *ctx, const FrFemState *state, bool *fit);
/// All that follows from `doing` and the lists of rigid pieces, which fit.
FrResult fr_fem_follow_states(FrFem *fem);
/// What deforms rests, if its nodes are marked so.
void fr_fem_follow_rest(FrFem *fem);

// rigid_piece.c
/// All that follows from rigid pieces that were read.
FrResult fr_fem_number_rigid(FrFem *fem);
/// A tet without forces and bounds.
void fr_fem_silence(FrFem *fem, int32_t tet);

// rigid_piece_move.c
/// After nodes were kicked and moved by dt v: rigid pieces move as such.
void fr_fem_move_rigid(FrFem *fem, double dt);

// flight.c
/// All that follows from a flight that was read.
void fr_fem_follow_flight(FrFem *fem);

// loose.c
/// A step of a body between fr_fem_begin_loose and fr_fem_end_loose.
void fr_fem_step_loose(FrFem *fem, double dt, FrVec3 gravity);
void fr_fem_backup_loose(FrFem *fem);
void fr_fem_restore_loose(FrFem *fem);

// change.c
/// Between the halves of the kick with which the step changes to `dt`: shift nodes so that the
/// energy is kept; `power`, what the elastic power gained in the first half, W. Returns the kinetic
/// energy that keeping momenta brought, J; the forces are not current if it did something.
double fr_fem_shift(FrFem *fem, double dt, double power);
/// Before a cut: keep what elastic forces give now, for fr_fem_retime.
void fr_fem_note_pulls(FrFem *fem);

// cut_save.c
/// The shape of a body that was cut: mesh, chunks, rigid pieces.
void fr_fem_shape_save(const FrFem *fem, FrWriter *writer);
/// Into a body that holds nothing else. FR_BAD_INPUT: not a shape that `fem` can have. Free it in
/// any case.
FrResult fr_fem_shape_read(const FrFem *fem, FrReader *reader, FrFem *shape);
/// Take it over: nodes, tets, chunks and what follows from them. FR_NO_MEMORY: the body can only be
/// destroyed then.
FrResult fr_fem_shape_take(FrFem *fem, FrFem *shape);

/// Internal forces, energy and sums at (p, v); does nothing when they are current.
void fr_fem_evaluate(FrFem *fem);
void fr_fem_evaluate_all(const FrFemSet *set);
/// Of the ledger, J: stored energy, and the first half of the next kick (fr_fem_energy).
double fr_fem_elastic_part(FrFem *fem);
/// FR_NUMERICAL with the first bad tet when something is not finite.
FrResult fr_fem_check_finite(FrFem *fem);
