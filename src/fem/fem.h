// fem.h: a deformable solid: linear tets, finite strain, explicit steps.
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"
#include "base/bytes.h"
#include "math/step_control.h"
#include "cut/split.h"

typedef struct FrFem FrFem;

/// How a step moves the body. FR_SYMPLECTIC is what everything uses; the papers' two forms are for
/// paper scenes and tests: without damping they gain energy at any step, with stiffness damping
/// alpha1 they need dt < alpha1 (Euler) or 2 alpha1 (Taylor) and dt < 2 / (alpha1 w^2) (E9).
typedef enum FrIntegrator {
    FR_SYMPLECTIC, ///< v += dt a; p += dt v
    FR_EULER,      ///< p += dt v; v += dt a
    FR_TAYLOR,     ///< p += dt v + dt^2/2 a; v += dt a, S6 section 3.3
} FrIntegrator;

typedef struct FrFemDef {
    const FrTetMesh *mesh;      ///< borrowed during create; order 1
    const FrMaterial *material; ///< one per region (material_count), copied
    int32_t material_count;
    FrVec3 position; ///< m: p = rotation * x + position
    FrQuat rotation;
    FrVec3 velocity; ///< m/s, of the centre of mass
    FrVec3 spin;     ///< rad/s, about the centre of mass, world axes
    FrIntegrator integrator;
    bool portable; ///< never use AVX2; same bits, for tests
} FrFemDef;

/// Energies and works since the start, J. Each term is the work of its own forces; none is the
/// remainder. Symplectic steps close
///     kinetic + elastic + damping + plastic + fracture + dust
///     - gravity_work - load_work - contact_work
/// up to the elastic error of the step (fr_fem_watch); all other terms balance exactly.
typedef struct FrFemEnergy {
    double kinetic; ///< sum 1/2 m v.v + dt/2 f.v with internal forces and gravity f: staggered [M3]
    double elastic; ///< stored, with the guard's part
    double damping; ///< dissipated by strain rate and mass damping
    double gravity_work; ///< done by gravity
    double load_work;    ///< done by forces added with FR_FEM_LOAD, held or driven nodes, kinematic
                         ///< bodies
    double contact_work; ///< done by forces added with FR_FEM_CONTACT, less that of kinematic ones
    double plastic;      ///< spent in plastic flow: the work of stress on plastic strain
    double fracture;     ///< taken out of motion and strain by cuts and step_cost (fem/step_cost.h)
    double dust;         ///< that left with pieces that turned to dust
} FrFemEnergy;

typedef enum FrFemChannel { FR_FEM_LOAD, FR_FEM_CONTACT } FrFemChannel;

/// FR_BAD_INPUT: the mesh is not of order 1, a tet has no volume, a node belongs to no tet, a
/// region has no material, or a material cannot exist; the message says which.
FrResult fr_fem_create(FrContext *ctx, const FrFemDef *def, FrFem **fem);
void fr_fem_destroy(FrFem *fem); ///< accepts NULL

void fr_fem_view(const FrFem *fem, FrShapeView *view);
double fr_fem_mass(const FrFem *fem);                    ///< kg
double fr_fem_node_mass(const FrFem *fem, int32_t node); ///< kg
const FrMaterial *fr_fem_material(const FrFem *fem, int32_t tet);
int32_t fr_fem_region(const FrFem *fem, int32_t tet); ///< which of its materials
/// That material has the alpha1, alpha2, phi, psi and eta of this one from now on.
void fr_fem_set_damping(FrFem *fem, int32_t region, const FrMaterial *from);
const double *fr_fem_rest(const FrFem *fem); ///< rest positions, m (3 * node_count)

/// Put the body into another state: positions m and velocities m/s (3 * node_count); NULL: keep.
/// Works so far are kept; velocities are those of this moment.
void fr_fem_set_state(FrFem *fem, const double *p, const double *v);

/// The same between two steps of a run: velocities stay half a step behind as they are, rigid
/// pieces stay rigid, and what energy and momentum change by is booked as that of loads.
void fr_fem_put(FrFem *fem, const double *p, const double *v, FrVec3 gravity);

// flight.c: a whole body that nothing touches
/// True: it flies from now on, as a rigid frame with its shape at rest. False: it is broken, rigid
/// in parts, held, strained for good, turns too fast, or swings too much.
bool fr_fem_take_off(FrFem *fem, FrVec3 gravity);
bool fr_fem_flies(const FrFem *fem);
/// dt seconds of its flight, in one step of any length.
void fr_fem_fly(FrFem *fem, double dt, FrVec3 gravity);
/// It deforms again: velocities and places are of this moment.
void fr_fem_land(FrFem *fem);

/// Hold a node: from now on it moves as fr_fem_drive says (default: stays).
void fr_fem_hold(FrFem *fem, int32_t node);
void fr_fem_release(FrFem *fem, int32_t node);
bool fr_fem_held(const FrFem *fem, int32_t node);
const uint8_t *fr_fem_all_held(const FrFem *fem); ///< 1: held (node_count); until the next cut
/// Velocity of a held node during the next steps, m/s.
void fr_fem_drive(FrFem *fem, int32_t node, FrVec3 velocity);

/// Add a force for the next step, N.
void fr_fem_add_force(FrFem *fem, FrFemChannel channel, int32_t node, FrVec3 force);
/// Of the work of FR_FEM_CONTACT forces this much came from kinematic bodies, J.
void fr_fem_note_kinematic(FrFem *fem, double work);
/// What FR_FEM_CONTACT forces are added up in, N (3 * node_count); the same until the body is cut.
double *fr_fem_contact_forces(FrFem *fem);
/// For how long the body's own forces and its weight act in a step of dt, s: half of the last step
/// (none before the first) and half of this. An added force acts for dt; times this over dt it
/// stays in balance with them.
double fr_fem_kick_time(const FrFem *fem, double dt);
/// Add a stiffness (N/m) that an outside spring gives a node during the next step; it shortens
/// fr_fem_dt_limit. For a spring between two moving nodes add twice its stiffness to both.
void fr_fem_add_stiffness(FrFem *fem, int32_t node, double stiffness);

/// Largest stable step without safety factor, s [M3], from the present shape and the added
/// stiffness. For FR_EULER and FR_TAYLOR the bound of E9: 0 without damping.
double fr_fem_dt_limit(FrFem *fem);

/// One step: forces at (p, v), v += dt f/m, p += dt v (the body's own forces and gravity act for
/// half of the last and half of this step: the same while the step does not change). The impulse of
/// an added force is force times dt. Clears the added forces and stiffness. FR_NUMERICAL: a value
/// is not finite; the message names the first bad tet. The state is bad then: fr_fem_restore goes
/// back.
FrResult fr_fem_step(FrFem *fem, double dt, FrVec3 gravity);

/// The same for several bodies of one context at once: one parallel loop over all of them. The
/// bits are those of steps one by one. `failed`: the body that the message is about.
FrResult fr_fem_step_all(FrFem *const *fem, int32_t count, double dt, FrVec3 gravity,
                         int32_t *failed);

/// Several steps that last dt together; the added forces act in each of them. fr_fem_watch has the
/// errors of all of them.
FrResult fr_fem_step_often(FrFem *fem, double dt, int32_t times, FrVec3 gravity);

/// Of the last step.
FrStepWatch fr_fem_watch(const FrFem *fem);

void fr_fem_energy(FrFem *fem, FrVec3 gravity, FrFemEnergy *energy);
/// Momentum kg m/s, and angular momentum about the world origin kg m^2/s.
void fr_fem_momentum(const FrFem *fem, FrVec3 *linear, FrVec3 *angular);
/// Impulse since the start of all that is neither inside the body nor contact: gravity, loads,
/// supports of held nodes, mass damping, and less the momentum that left as dust. Momentum changes
/// by it and by the impulses of contact, N s.
FrVec3 fr_fem_impulse(const FrFem *fem);
/// How many tets are squeezed below 0.3 of their volume now.
int32_t fr_fem_crushed(FrFem *fem);
/// Elastic and viscous force on each node now, N (3 * node_count). Borrowed until the next change.
void fr_fem_internal_forces(FrFem *fem, const double **elastic, const double **viscous);

/// Plastic strain of a tet: standard Green strain in the axes of the mesh at rest, without trace.
/// It follows the total strain once per step that is made, S3's rule; zero where nothing yields.
FrSym3 fr_fem_plastic_strain(const FrFem *fem, int32_t tet);
/// Before the first step: a tet begins with this plastic strain (S3, note 1 of section 4.1).
/// FR_BAD_USE: it has a trace, or is more than the
/// least of the material's yield strain and plastic limit: it would flow back in the first step.
FrResult fr_fem_set_plastic_strain(FrFem *fem, int32_t tet, FrSym3 strain);
/// Can any of it flow?
bool fr_fem_yields(const FrFem *fem);
/// Tets lie in chunks. The largest norm sqrt(S:S) of second Piola-Kirchhoff stress, elastic plus
/// viscous, in one, Pa: no principal stress is
/// above it. 0 where the material has neither strength nor tau.
int32_t fr_fem_chunk_count(const FrFem *fem);
double fr_fem_chunk_stress(FrFem *fem, int32_t chunk);
/// From now on that leaves the viscous stress out.
void fr_fem_note_elastic(FrFem *fem);
/// S:S of one tet, Pa^2, as fr_fem_chunk_stress found it at its last call; where the material
/// breaks.
double fr_fem_tet_stress2(const FrFem *fem, int32_t tet);
/// The tets of a chunk, a multiple of four; -1: none at this place. Borrowed until the next cut.
const int32_t *fr_fem_chunk_tets(const FrFem *fem, int32_t chunk, int32_t *count);
/// Marks with 1 (of node_count) the corners of tets of the chunk whose S:S is above limit2, Pa^2,
/// at the same place.
void fr_fem_mark_overstressed(const FrFem *fem, int32_t chunk, const double *limit2, uint8_t *mark);

/// Of a tet with less plastic strain than `flowed` no more mean stress counts than `most`, Pa.
typedef struct FrMeanCap {
    double most, flowed;
} FrMeanCap;
/// Find how much what yields has grown, det C - 1, the mean by volume of the tets round a node: of
/// all nodes of tets round those that are wanted (1 for each; node_count; NULL: all).
FrResult fr_fem_find_grown(FrFem *fem, const uint8_t *wanted);
double fr_fem_node_grown(const FrFem *fem, int32_t node);
/// Sums over the tets round a node that break, N: a is a third of the present area vector of the
/// face opposite the node, s the strength, Pa.
typedef struct FrNodeTears {
    double tear[6];           ///< m(f+) - m(f-), order of FrSym3
    double plus[3], minus[3]; ///< f+ and f-
    double hold[6];           ///< s m(a), likewise
    double size; ///< vol |F| |S| |G| at least: 1e-7 of this is what f+ and f- may be off together
    double spare;
} FrNodeTears;
/// By which stresses and strengths.
typedef struct FrTearsDef {
    const FrMeanCap *cap;   ///< (material_count)
    const double *strength; ///< of each tet, at fr_fem_tet_lane, Pa; NULL: `hold` is not wanted
    const uint8_t *skip;    ///< likewise; bit i: at corner i it holds nothing
} FrTearsDef;
/// Find what tears at the nodes that are wanted (1 for each; node_count) by the stresses that count
/// for breaking: those that its forces follow from but for rounding, and where it yields with the
/// volume change that is the mean of the corners' (which are found too); capped. `stretch`: no edge
/// there is longer than this times what it was at rest.
FrResult fr_fem_find_tears(FrFem *fem, const uint8_t *wanted, const FrTearsDef *def,
                           double *stretch);
FrNodeTears fr_fem_node_tears(const FrFem *fem, int32_t node);
/// What holds a node together, likewise.
typedef struct FrNodeSpread {
    FrSym3 hold; ///< s m(a), N
    double pull; ///< vol |F| |S G|, at least, N, by the stresses of the force kernel
} FrNodeSpread;
/// Find it for the nodes that are wanted. `strength`: as in FrTearsDef.
FrResult fr_fem_find_spreads(FrFem *fem, const uint8_t *wanted, const double *strength);
FrNodeSpread fr_fem_node_spread(const FrFem *fem, int32_t node);
/// Tets lie in blocks of four. Where one is: four times its block, plus its place there. Until the
/// next cut.
int32_t fr_fem_tet_lane(const FrFem *fem, int32_t tet);
int32_t fr_fem_block_count(const FrFem *fem);
/// Of each node (node_count): the tensile forces |vol F S+ G| of the tets round it that break add
/// up to no more than this, N; S+ is the pulling part of their stress, of now. HUGE_VAL where the
/// inversion guard adds forces of its own.
void fr_fem_bound_pulls(FrFem *fem, double *pull);

/// Follow cuts of the body's mesh: `log` says what was done to it, `cut` is the mesh after that.
/// New nodes lie on edges or are copies, with the velocity of that place; masses and bases of what
/// changed are made anew. Mass and momentum stay what they were, strains too unless nodes moved;
/// the kinetic energy falls a little (less mass at the far ends of edges), and the elastic one
/// changes where nodes moved: FrFemEnergy.fracture. Added forces of the nodes that were there stay.
/// FR_NO_MEMORY: the body can only be destroyed then. Thin tets that come of it have less
/// strain-rate damping (fr_fem_damping_factor).
FrResult fr_fem_cut(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut);
bool fr_fem_was_cut(const FrFem *fem); ///< since its last step
/// After cuts, before the next step: that will last dt. What the forces of before the cuts give is
/// taken with them, so that those of after act from the cuts on only and energy stays.
void fr_fem_retime(FrFem *fem, double dt);

/// Factor on phi and psi of this tet: below 1 for thin tets that cuts left.
double fr_fem_damping_factor(const FrFem *fem, int32_t tet);

/// One backup, by copy. Not across a cut. Added forces are not part of it: they are forgotten by a
/// restore.
void fr_fem_backup(FrFem *fem);
void fr_fem_restore(FrFem *fem);

/// All that changes with time, hidden state included.
void fr_fem_save(const FrFem *fem, FrWriter *writer);
/// Also the state of a body that was cut, into one that was not. FR_BAD_INPUT: not the state of
/// this body, cut short, or not finite; the body is unchanged then.
FrResult fr_fem_load(FrFem *fem, FrReader *reader);
