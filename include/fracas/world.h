// fracas/world.h: a world owns bodies and time: make it, fill it, step it, look at it.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/crack.h"
#include "fracas/event.h"
#include "fracas/frame.h"
#include "fracas/motion.h"

FR_EXTERN_C_BEGIN

/// Bodies and time. Bits do not depend on the number of workers. Not thread-safe: one caller at a
/// time.
typedef struct FrWorld FrWorld;

/// Which method moves a body.
typedef enum FrModel {
    FR_MODEL_AUTO,    ///< what fr_model_choose says
    FR_MODEL_FEM,     ///< finite strain, explicit: bends (S2, S6)
    FR_MODEL_FRAME,   ///< a rigid frame: moves and turns
    FR_MODEL_SHATTER, ///< a rigid frame until a blow breaks it into others (S7)
    FR_MODEL_MODAL,   ///< a rigid frame that bends by its lowest modes (S1)
    FR_MODEL_COROT,   ///< small strain in turning tets, implicit: bends at any step (S5)
} FrModel;

/// FrBodyDef.modes: those that can be seen. 0.1 mm of them by 60,000 N, and slower than half of
/// `mode_fps`; 64 at most [S1 3.2].
#define FR_MODES_SEEN (-1)

/// How a fem body is stepped. The papers' two forms are for comparing with them: without damping
/// they gain energy at any step (E9).
typedef enum FrStepMethod {
    FR_STEP_SYMPLECTIC, ///< v += dt a; x += dt v
    FR_STEP_EULER,      ///< x += dt v; v += dt a
    FR_STEP_TAYLOR,     ///< x += dt v + dt^2/2 a; v += dt a
} FrStepMethod;

/// All that is needed to make a world. Start from fr_world_def_default(), then change fields.
typedef struct FrWorldDef {
    FrVec3 gravity; ///< m/s^2
    double step; ///< the macro step H, s: bodies agree on time at its multiples; FR_CHOSEN: 1/240,
                 ///< or 1/4800 where a body that shatters is created before the first step
    double substep;     ///< a fixed substep, s; 0: from the stable step
    double step_safety; ///< largest fraction of the stable step that is used, in (0, 1) (0.9)
    double
        energy_tolerance; ///< energy gain over a macro step, relative, that is taken for a blow-up
    double contact_stiffness; ///< factor on the default penalty stiffness
    double contact_damping;   ///< factor on the damping that restitution asks for
    double stick_speed;       ///< below it friction has its static coefficient, m/s
    double rolling;           ///< lever arm of what rigid pieces roll on, m
    bool node_penetration;    ///< contacts by nodes inside tets [S2 3.3] instead of overlap volumes
                              ///< [S6 5]
    bool conservative_contact; ///< k vol N instead of k vol n (E27)
    int32_t frame_substeps;    ///< equal steps of rigid frames within the macro step, 1 to 1000; in
                               ///< 1/240 s where a shorter step was chosen
    double sleep_time; ///< rigid frames that hardly moved for this long rest until something comes
                       ///< near, s; 0: never
    uint64_t seed;     ///< of where cracks of blows begin
    int32_t cookie;    ///< set by fr_world_def_default(); do not touch
} FrWorldDef;

/// One moment of a rigid motion.
typedef struct FrKey {
    double t;    ///< s, ascending
    FrVec3 move; ///< m, from where it started
    FrQuat turn; ///< about the pivot
} FrKey;

/// A rigid motion over time: straight between keys, still before the first and after the last.
typedef struct FrTrack {
    const FrKey *key; ///< borrowed; copied by the world
    int32_t count;    ///< 0: does not move
    FrVec3 pivot;     ///< m, world frame
} FrTrack;

/// A number over time: straight between keys, constant before the first and after the last.
typedef struct FrCurve {
    const double (*key)[2]; ///< (t, value) (count); borrowed; copied by the world
    int32_t count;          ///< 0: always 1
} FrCurve;

/// All that is needed to make a body. Start from fr_body_def_default(), then change fields.
typedef struct FrBodyDef {
    const char *name;           ///< copied
    FrModel model;              ///< which method moves it (FR_MODEL_AUTO)
    FrStepMethod method;        ///< of a fem body
    const FrTetMesh *mesh;      ///< borrowed; copied; order 1. NULL: a sphere, model frame only
    const FrSurface *surface;   ///< borrowed; copied; NULL: made from the mesh
    const FrEmbedded *embedded; ///< borrowed; copied; NULL: none
    double radius;              ///< of a sphere, m
    FrVec3 box; ///< half sizes of a frame whose mesh is a box along its axes, m; zero: it is none;
                ///< FR_CHOSEN (all three): found from the mesh
    FrVec3 box_centre;          ///< in the axes of the mesh, m; found with `box`
    const FrMaterial *material; ///< one per region of the mesh (material_count); copied
    int32_t material_count;     ///< of them
    double mass;                ///< of a frame, kg; 0: density times volume
    FrBodyId parent;            ///< alive; the four below then count from it. Null: from the world
    FrVec3 position;            ///< m: a point x of the mesh starts at rotation * x + position
    FrQuat rotation;            ///< unit
    FrVec3 velocity;            ///< of the centre of mass, m/s, world frame
    FrVec3 spin;                ///< about the centre of mass, rad/s, world frame
    double damping_limit; ///< of a solid: strain-rate damping is lowered until the loss factor of
                          ///< the finest tets is no more than this (1); INFINITY: as it is
    double temperature; ///< of a corot body whose material gets warm, at the start, degrees C (20)
    bool linear;        ///< of a corot body: its tets do not turn (S5's figure 1, for comparison)
    bool self_contact;  ///< its parts can touch each other; pieces of a body that broke always can
    bool kinematic;     ///< a frame that follows `track` and feels nothing
    double until;       ///< s: a kinematic frame is let go then, with `velocity` and `spin`.
                        ///< INFINITY: never
    FrTrack track;      ///< of a kinematic frame; empty: it stays where it is
    FrCrackDef crack;   ///< of a fem body
    const double *strained; ///< of a fem body that yields: plastic strain that its tets begin with,
                            ///< Green, axes of the mesh, xx yy zz yz zx xy (6 * tet_count), without
                            ///< trace; copied. NULL: none
    int32_t modes;          ///< of a modal body: how many of its lowest modes; or FR_MODES_SEEN
    const int32_t *held; ///< nodes of a modal body that never move: it stays where it is, and its
                         ///< modes are those of what is left (held_count); copied
    int32_t held_count;  ///< of them
    double mode_fps;     ///< frames a second at which modes are seen (60)
    bool turning;        ///< of a modal body that is not held: its spin acts on its modes
                         ///< (centrifugal and Coriolis forces), and they on its inertia, to first
                         ///< order; S1 leaves that out. Grabs that are exact are so without it
    const FrMotion *motion; ///< of a modal body: modes that were cooked of this mesh and these held
                            ///< nodes, instead of being computed; copied. NULL: none
    int32_t cookie;         ///< set by fr_body_def_default(); do not touch
} FrBodyDef;

/// Names a drive of a world; zero is null, never used twice.
typedef struct FrDriveId {
    int32_t index1; ///< 1-based
} FrDriveId;

/// Names a load of a world; zero is null, never used twice.
typedef struct FrLoadId {
    int32_t index1; ///< 1-based
} FrLoadId;

/// Names a joint of a world; zero is null, never used twice.
typedef struct FrJointId {
    int32_t index1; ///< 1-based
} FrJointId;

/// Nodes that are supported, or driven along a track. A frame that may shatter moves as its drives
/// do in the mean, and breaks between them. Start from fr_drive_def_default().
typedef struct FrDriveDef {
    FrBodyId body;       ///< a solid, or of the model shatter
    const int32_t *node; ///< (node_count); copied
    int32_t node_count;  ///< of them
    FrTrack track;       ///< that they follow; empty: they stay where they are
    double until;        ///< s; let go then. INFINITY: never
    int32_t cookie;      ///< set by fr_drive_def_default(); do not touch
} FrDriveDef;

/// What a joint leaves free.
typedef enum FrJointKind {
    FR_JOINT_BALL,   ///< a point of a stays at a point of b
    FR_JOINT_HINGE,  ///< and they turn against each other about one axis only
    FR_JOINT_STRING, ///< points of a and b are never farther apart than its length
} FrJointKind;

/// What holds two rigid frames together. Those of a ball or hinge do not touch each other. Start
/// from fr_joint_def_default().
typedef struct FrJointDef {
    FrJointKind kind;  ///< what it leaves free
    FrBodyId a, b;     ///< frames; b null: the world
    FrVec3 at_a, at_b; ///< at the start, world, m; ball and hinge: at_a alone
    FrVec3 axis;       ///< of a hinge at the start, world
    double length;     ///< of a string, m; 0: the distance at the start
    int32_t cookie;    ///< set by fr_joint_def_default(); do not touch
} FrJointDef;

/// How a load pushes.
typedef enum FrLoadKind {
    FR_LOAD_FORCE,    ///< `vector` N in all, shared out by mass over `node`
    FR_LOAD_PRESSURE, ///< `pressure` Pa on `tri`, against the outward normal
    FR_LOAD_BLAST,    ///< a pressure front that runs out from `origin` and dies away behind it
    FR_LOAD_HEAT,     ///< `power` W in all, shared out by mass over `node`: of model corot
} FrLoadKind;

/// What pushes a solid. Start from fr_load_def_default(), then set what its kind needs.
typedef struct FrLoadDef {
    FrLoadKind kind;         ///< how it pushes
    FrBodyId body;           ///< a solid
    FrCurve curve;           ///< factor over time
    const int32_t *node;     ///< (node_count); NULL: all
    int32_t node_count;      ///< of them
    FrVec3 vector;           ///< N
    double power;            ///< W
    const int32_t (*tri)[3]; ///< (tri_count), outward; copied; NULL: the whole surface
    int32_t tri_count;       ///< of them
    double pressure;         ///< Pa; for a blast the overpressure at the front, at `reference`
    FrVec3 origin;           ///< m
    double start;            ///< s
    double speed;            ///< of the front, m/s
    double decay;            ///< time constant behind the front, s
    double reference; ///< distance at which the front has `pressure`, m; it falls as 1/distance; 0:
                      ///< it does not
    int32_t cookie;   ///< set by fr_load_def_default(); do not touch
} FrLoadDef;

/// Energies and works since the start, J. kinetic + elastic + plastic + fracture + dust + damping +
/// contact - external stays what it was.
typedef struct FrEnergy {
    double kinetic, elastic; ///< stored
    double plastic;          ///< spent in flow
    double fracture;         ///< taken out by cutting
    double dust;             ///< left with pieces that turned to dust
    double damping;          ///< spent inside bodies
    double contact; ///< taken out of bodies by contact forces: stored in overlaps, spent by damping
                    ///< and friction
    double external; ///< brought in by gravity, loads and driven nodes
} FrEnergy;

/// Heat of all bodies since the start, J: stored = brought - lost. It is no mechanical energy, and
/// not part of FrEnergy; what warmth takes from stiffness is plastic there.
typedef struct FrHeat {
    double stored;  ///< above air of 20 degrees C, less what was there at the start
    double brought; ///< by loads and callers
    double lost;    ///< to the air
} FrHeat;

/// How well the ledger of a run closes. Begin with zeros and note energies as they come.
typedef struct FrLedger {
    double start;    ///< the ledger's sum at the first note, J
    double gap;      ///< how far any other was from it, J
    double peak;     ///< the largest kinetic + elastic energy noted, J
    double moved;    ///< the most that passed through any one part of it, J
    int64_t count;   ///< of notes
    double rounding; ///< what rounding of places alone may bring in, J; 0: not known
} FrLedger;

/// Heat since the start.
FR_API void fr_world_heat(const FrWorld *world, FrHeat *heat);

/// Note the energies of a moment.
FR_API void fr_ledger_note(FrLedger *ledger, const FrEnergy *energy);

/// gap / peak; 0 where there was never any energy, and where the gap is rounding, of what passed
/// through or of places (something that lies still holds hardly any). The promise is 1e-3.
FR_API double fr_ledger_closure(const FrLedger *ledger);

/// What a run took and how well it went, since the start.
typedef struct FrWorldStats {
    int64_t steps;         ///< substeps of bodies
    int64_t flights;       ///< of these, macro steps that bodies flew through at once
    int64_t flown_steps;   ///< that bodies in free flight did not have to take
    int64_t rejected;      ///< substeps done again with a smaller step
    int64_t contacts;      ///< overlaps answered
    double overlap;        ///< deepest overlap with a soft body in the last macro step, m
    int32_t guarded_tets;  ///< most tets below 0.3 of their volume at one time
    double dt_min, dt_max; ///< s
    double momentum_drift; ///< largest change of the free bodies' momentum that no outside impulse
                           ///< explains, over the largest momentum and impulse so far
    int64_t cracks;        ///< nodes that were split
    int64_t pieces;        ///< pieces that came off
    double added_mass;     ///< most mass on nodes for the floor of steps, kg, of all bodies
    double added_share;    ///< the largest share of a body's mass that it was
    bool below_floor;      ///< it was not enough somewhere: steps fell below their floor
    int64_t rigid_pieces;  ///< pieces that became rigid
    double rigid_volume;   ///< of them, m^3
    int64_t dust_pieces;   ///< pieces that left as dust
    double dust_mass;      ///< of them, kg
    double dust_energy;    ///< that went with them, J
    double dust_share;     ///< the largest share of a body's mass that left
    /// Where the time of soft bodies went, s of processor time since the world was made: their
    /// forces and motion, contact, scans for failed nodes and cutting.
    double force_seconds, contact_seconds, fracture_seconds;
    double scan_seconds; ///< of fracture_seconds, until it was known which nodes fail; the rest is
                         ///< remeshing
    /// The same of substeps in which nothing broke: all of them, and of that scans.
    double quiet_seconds, quiet_fracture_seconds;
} FrWorldStats;

/// Earth's gravity, macro steps of 1/240 s.
FR_API FrWorldDef fr_world_def_default(void);
/// The model that a body gets: the one it names; else frame for spheres and kinematic bodies,
/// shatter for what is stiff, whole, of one material, and breaks before it yields, if nothing of
/// `crack` but `off`, `weak` and `shatter` is set; fem for all others. One rule for C, JSON and
/// Lua.
FR_API FrModel fr_model_choose(const FrBodyDef *def);
/// What a model can do, whichever it is: ask this instead of which it is.
typedef struct FrModelTraits {
    const char *name; ///< static; NULL: there is no such model (FR_MODEL_AUTO is none)
    bool deforms;     ///< it has nodes of its own: loads, drives and supports act on them
    bool breaks;      ///< it can, if its material and its crack settings let it
    bool rigid;       ///< it moves as a rigid frame: may be a sphere or kinematic, takes joints
    bool shatters;    ///< a blow may turn it into several bodies
    double step_rate; ///< macro steps that its bodies want, 1/s: 240, or 4800 of what shatters
    bool bends;       ///< rigid, and bends in its frame by modes
    bool implicit;    ///< it takes a macro step at once, however stiff it is
} FrModelTraits;

/// The traits of a model that the library has; models count from 1 without gaps.
FR_API FrModelTraits fr_model_traits(FrModel model);
/// A body without mesh and material, at rest at the origin. With a mesh and a material it is the
/// body that a scene with the same few words makes.
FR_API FrBodyDef fr_body_def_default(void);
/// A modal body as it was cooked: mesh, materials, skin, held nodes and modes are borrowed from
/// `motion` until the body is made. No back end is needed. Place and velocity are the caller's.
FR_API FrBodyDef fr_motion_body_def(const FrMotion *motion);

/// FR_BAD_USE: a value of the def is out of range.
FR_API FrResult fr_world_create(FrContext *ctx, const FrWorldDef *def, FrWorld **world);
FR_API void fr_world_destroy(FrWorld *world); ///< accepts NULL

/// Solid half space below n.x == offset. Before the first step. It gets its id when somebody first
/// asks for it (a view, a ray), at the latest in the first step, and keeps it.
FR_API FrResult fr_world_add_plane(FrWorld *world, const char *name, FrVec3 normal, double offset,
                                   const FrMaterial *material);
/// Add a body, between any two steps. One with a parent goes on with its motion: position and
/// rotation count in the axes of the parent's mesh (both zero: the parent's place and turn),
/// velocity and spin from what the parent does at the child's centre of mass; of a parent that
/// deforms, from its mean motion. Without a material of its own it has the parent's. FR_BAD_INPUT:
/// the mesh or the material cannot be used; the message says why. FR_BAD_USE: the parent is gone.
FR_API FrResult fr_body_create(FrWorld *world, const FrBodyDef *def, FrBodyId *body);
/// Take a body out and put bodies that it falls into in its place, all or none. `id` (count): of
/// them. Each has it as its parent: with a def's place and motion left as they are, the mesh of a
/// child lies where that part of the parent is, and moves as it does. So momentum stays, when the
/// masses and centres of the children add up to the parent's. FR_BAD_USE: a stale id, count < 1.
FR_API FrResult fr_body_exchange(FrWorld *world, FrBodyId parent, const FrBodyDef *child,
                                 int32_t count, FrBodyId *id);
/// Cut a body that can break along a plane, between any two steps, whatever it stands: all of the
/// piece of it that is nearest to `at`, through which the plane with this normal goes. A body whose
/// pieces stay its own (fem) is cut in place; one that shatters is exchanged for its parts.
/// FR_BAD_USE: it does not break, or the plane passes it by.
FR_API FrResult fr_body_cut(FrWorld *world, FrBodyId body, FrVec3 at, FrVec3 normal);
/// Take a body out, between any two steps; its supports, loads and joints go with it, and what
/// rested on it wakes. FR_BAD_USE: the id is stale.
FR_API FrResult fr_body_destroy(FrWorld *world, FrBodyId body);
/// No nodes yet, held where they are, for ever.
FR_API FrDriveDef fr_drive_def_default(void);
/// A force of 0 N on all nodes, for ever.
FR_API FrLoadDef fr_load_def_default(void);
/// A ball joint at the origin with the world.
FR_API FrJointDef fr_joint_def_default(void);
/// False: the id is stale, or null.
FR_API bool fr_body_alive(const FrWorld *world, FrBodyId body);
/// Support or drive nodes of a solid, between any two steps; `id` may be NULL. Nodes are those of
/// the def's mesh until the body's first step, later those that the body has then. A piece that was
/// rigid, or slept, deforms from now on. FR_BAD_USE: the body has no nodes of its own, no node, no
/// such node, one that left as dust, keys out of order, a stale id.
FR_API FrResult fr_drive_create(FrWorld *world, const FrDriveDef *def, FrDriveId *id);
/// Let go; pieces that had settled on it deform again. FR_BAD_USE: it is gone already.
FR_API FrResult fr_drive_destroy(FrWorld *world, FrDriveId id);
/// Push a solid, between any two steps; `id` may be NULL. FR_BAD_USE: as for drives, or a value is
/// out of range.
FR_API FrResult fr_load_create(FrWorld *world, const FrLoadDef *def, FrLoadId *id);
/// End it. FR_BAD_USE: it is gone already.
FR_API FrResult fr_load_destroy(FrWorld *world, FrLoadId id);
/// Join frames, between any two steps; `id` may be NULL. FR_BAD_USE: not frames, both kinematic, a
/// value out of range, a stale id.
FR_API FrResult fr_joint_create(FrWorld *world, const FrJointDef *def, FrJointId *id);
/// Break it; the two may touch each other only if they could before. FR_BAD_USE: it is gone
/// already.
FR_API FrResult fr_joint_destroy(FrWorld *world, FrJointId id);
/// These two never touch. FR_BAD_USE: they are one body, a stale id.
FR_API FrResult fr_world_ignore(FrWorld *world, FrBodyId a, FrBodyId b);

/// Advance by one macro step. FR_NUMERICAL: it broke down; the message names the body and the tet.
/// FR_INTERRUPTED: the context was cancelled and the step had more than a second to go; it is left
/// in the middle, and the world can only be destroyed.
FR_API FrResult fr_world_step(FrWorld *world);

FR_API int64_t fr_world_tick(const FrWorld *world); ///< macro steps done
/// Another macro step, s; FR_BAD_USE: the world has stepped already, or it is not in (0, 10).
FR_API FrResult fr_world_set_step(FrWorld *world, double step);
FR_API double fr_world_time(const FrWorld *world); ///< s
/// The largest stable step of each body now, s (safety included); the smallest of all of them.
FR_API double fr_world_dt(FrWorld *world);
/// Everything as it is now, planes last. Valid until the next step. NULL: no memory.
FR_API const FrFrameView *fr_world_view(FrWorld *world);
/// Events of the last step, and of calls since then (they are there after the next step, too,
/// once); seq goes on. The array moves when the world steps.
FR_API const FrEvent *fr_world_events(const FrWorld *world, int64_t *count);
/// Energies held and works done, of all bodies together.
FR_API void fr_world_energy(FrWorld *world, FrEnergy *energy);
/// kg m/s, and kg m^2/s about the origin.
FR_API void fr_world_momentum(const FrWorld *world, FrVec3 *linear, FrVec3 *angular);
/// Counts since the start, a checkpoint's included.
FR_API FrWorldStats fr_world_stats(const FrWorld *world);
/// Hash of what is physical: tick, places, velocities, plastic strains and tets of all bodies, and
/// the events so far. Equal for equal runs.
FR_API uint64_t fr_world_hash(const FrWorld *world);

/// A checkpoint: bytes from the context's allocator, given back with fr_world_free_bytes.
FR_API FrResult fr_world_save(const FrWorld *world, uint8_t **bytes, size_t *size);
/// Give the bytes of a checkpoint back; accepts NULL.
FR_API void fr_world_free_bytes(FrContext *ctx, uint8_t *bytes);
/// Into a world made by the same calls as the one that was saved, up to its first step: bodies that
/// were born later come from the checkpoint, those that are gone leave. FR_BAD_INPUT: not such a
/// checkpoint, or bytes of it are lost or changed; FR_BAD_USE: bodies were born into this world
/// later. The world is as it was then. All that is judged before anything is loaded, by a hash of
/// the bytes and what each body was made from: bodies are loaded in place, for a second copy of all
/// of them would need the room of another world. So without memory (FR_NO_MEMORY), or of bytes that
/// somebody gave a hash that fits, a world can be loaded in part. It can only be destroyed then:
/// its steps answer FR_BAD_USE, it has no view.
FR_API FrResult fr_world_load(FrWorld *world, const uint8_t *bytes, size_t size);

FR_EXTERN_C_END
