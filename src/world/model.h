// model.h: the table that makes every way of moving a body look the same to the world: a row per
// model, a file (or a few) per row. The world asks a row what it can do, never which model it is.
#pragma once
#include "base/bytes.h"
#include "base/hash.h"
#include "contact/contact.h"
#include "cut/break_result.h"
#include "cut/piece_state.h"
#include "cut/pieces.h"
#include "fracas/world.h"
#include "frames/frame_ops.h"
#include "math/step_control.h"

/// How the world takes a body through a macro step.
typedef enum FrStepping {
    FR_STEPS_EXPLICIT, ///< substeps with its group, watched by its energy, taken back if need be
    FR_STEPS_IMPLICIT, ///< the macro step at once, whatever touches it
    FR_STEPS_ROWS,     ///< equal steps, in which rows (contact, friction, joints) are solved
} FrStepping;

/// What penalty contact needs to know of a body.
typedef struct FrContactTraits {
    double young;     ///< Pa
    double edge;      ///< mean edge of its tets, m
    double node_mass; ///< mean, kg
    double wall;      ///< 2 V / A: how thick it is if it is a wall, m; 0: no matter
} FrContactTraits;

/// A solid with nodes of its own: supports and loads act on them, and what it yielded can be read.
typedef struct FrSolidOps {
    const double *(*rest)(const void *state);    ///< nodes at rest, m (3 * node_count)
    double *(*contact_forces)(void *state);      ///< where contact adds forces, N (likewise)
    const uint8_t *(*crumbs)(const void *state); ///< of each tet: dust or a crumb; NULL: none
    double (*node_mass)(const void *state, int32_t node); ///< kg
    const FrMaterial *(*material)(const void *state, int32_t tet);
    void (*set_damping)(void *state, int32_t material, const FrMaterial *from);
    /// the loss factor of a material's strain-rate damping at the highest frequency that tets of
    /// one region of a mesh can carry; NULL: steps do not depend on it
    double (*most_loss)(const FrTetMesh *mesh, int32_t region, const FrMaterial *material);
    bool (*yields)(const void *state);
    FrSym3 (*plastic_strain)(const void *state, int32_t tet); ///< Green, axes of the mesh
    int32_t (*guarded)(void *state); ///< tets squeezed below 0.3 of their volume
    // supports and loads
    bool (*is_supported)(const void *state, int32_t node);
    bool (*left)(const void *state, int32_t node); ///< its piece left as dust: it is nowhere
    void (*support)(void *state, int32_t node);
    void (*release)(void *state, int32_t node);
    void (*drive)(void *state, int32_t node, FrVec3 velocity); ///< of a supported node, m/s
    void (*fix_supports)(void *state, bool fixed); ///< they never move and are never taken away
    void (*load)(void *state, int32_t node, FrVec3 force); ///< for the next step, N
    /// nodes a caller puts elsewhere, m and m/s (3 * node_count; NULL: as they are), between steps;
    /// booked as external work and impulse
    void (*put)(void *state, const double *p, const double *v, FrVec3 gravity);
    // heat; NULL: it has none
    bool (*feels_heat)(const void *state);                ///< does its material get warm?
    const double *(*temperature)(const void *state);      ///< degrees C (node_count)
    void (*warm)(void *state, int32_t node, double heat); ///< at once, J
    void (*heat)(const void *state, FrHeat *heat);
    // steps
    double (*kick_time)(const void *state, double dt); ///< for how long forces act in a step, s
    bool (*was_cut)(const void *state);                ///< since its last step
    void (*retime)(void *state, double dt);            ///< its next step has this length, s
} FrSolidOps;

/// A solid parts of which may move as rigid pieces. Pieces are named by one of their tets.
typedef struct FrPieceOps {
    FrPieceState (*state)(const void *state, int32_t tet); ///< what its piece is doing now
    bool (*all_rigid)(const void *state);                  ///< nothing of it deforms now
    bool (*is_rigid)(const void *state, int32_t tet);      ///< its piece is rigid, or stands
    bool (*stands)(const void *state, int32_t tet); ///< all its nodes are kept where they are
    double (*mass)(const void *state, int32_t tet); ///< of a rigid piece, kg; 0: it is none
    /// how easily a blow at x along n moves the rigid piece, 1/kg; 0: it stands or deforms
    double (*give)(const void *state, int32_t tet, FrVec3 x, FrVec3 n);
    FrStepCost (*step_cost)(const void *state); ///< what keeps its steps long did so far
    // steps in which rigid pieces move piece by piece
    FrResult (*begin_motion)(void *state);
    void (*end_motion)(void *state);
    bool (*steps_alone)(const void *state); ///< between these two, when all of it is rigid
    FrResult (*step_often)(void *state, double dt, int32_t times, FrVec3 gravity);
    // contacts as springs on rigid pieces and on nodes
    FrResult (*begin_springs)(void *state);
    /// on one side of a contact; `push`: what the contact pushes it with, N
    void (*add_spring)(void *state, FrPoint at, const FrContact *contact, double stiffness,
                       FrVec3 push);
    double (*piece_w2)(void *state, int32_t tet);      ///< of a piece on its springs, 1/s^2
    double (*node_w2)(const void *state, int32_t tet); ///< of nodes on theirs, 1/s^2
    bool (*wedged)(void *state, int32_t tet);
    /// how easily x moves with its rigid piece, 1/kg, times the springs that it has; 0: it stands
    /// or sleeps; HUGE_VAL: it deforms
    double (*ease)(void *state, int32_t tet, FrVec3 x);
    /// factors on all springs of each rigid piece (in their order) with which none swings faster
    /// than w^2 = `most`, 1/s^2; borrowed until the springs are forgotten
    const double *(*soften)(void *state, double most);
    /// that of the rigid piece which has this tet; NULL: it has none, or sleeps
    double *(*softness)(void *state, int32_t tet);
    // sleep of rigid pieces
    /// pieces that went slower than `limit` m/s in the mean over the `span` s since begin_motion
    /// were still for so long; for how long the last of them has been, s (HUGE_VAL: there is none)
    double (*note_still)(void *state, double span, double limit);
    double (*still)(const void *state, int32_t tet); ///< for how long, s
    void (*make_restless)(void *state, int32_t tet); ///< it touches something that moves
    void (*fall_asleep)(void *state, double after);
    void (*wake)(void *state, int32_t tet);
    void (*wake_all)(void *state);
    // rest of what deforms
    double (*bend_speed)(const void *state); ///< rms, m/s
    /// what deforms stops where it is until go_on: kinetic energy is booked as damping, momentum
    /// goes into the supports. False: supports are not fixed, nothing deforms, or some hangs on
    /// none
    bool (*stay)(void *state, FrVec3 gravity);
    bool (*rests)(const void *state);
    void (*go_on)(void *state, FrPieceCause cause); ///< it deforms again
} FrPieceOps;

/// What the world lends to a row so that it can break a body: it is cut in place, and stays the
/// body's.
typedef struct FrLent {
    FrCutMesh *cut;   ///< the body's mesh, whole, at rest
    FrPieces *pieces; ///< of it
    /// what FrCrackCriterion.kind names, if the world has it; NULL: the row knows it by the kind
    const struct FrCriterion *criterion;
    uint64_t seed; ///< of what is left to chance
} FrLent;

struct FrLabels;
/// How a body breaks: a criterion that scans it, cuts that follow. Rows without it never break. All
/// but the first two are asked of bodies that may break.
typedef struct FrBreakOps {
    bool along_faces;                     ///< its cuts open faces that are there, and divide no tet
    bool (*wanted)(const FrBodyDef *def); ///< may a body that is made so break?
    /// it may: what it needs for that; `lent` lives longer than the state
    FrResult (*begin)(void *state, const FrBodyDef *def, const FrLent *lent);
    double (*scan_interval)(const void *state); ///< s; 0: after every substep
    double (*scan_wait)(const void *state); ///< how much time may pass without a scan, s; HUGE_VAL
    /// scan it after the substep from t to t + dt, if it is time for it, and cut at failed nodes
    FrResult (*scan)(void *state, double t, double dt, FrBreakResult *result);
    /// cut right through along the borders of regions of its nodes, whatever it stands; NULL: it
    /// cannot be
    FrResult (*sever)(void *state, const struct FrLabels *labels, double t, FrBreakResult *result);
    /// a crack that is there from the start: a disc, present frame
    FrResult (*precut)(void *state, const FrPreCut *disc, FrBreakResult *result);
    /// supports are there: what becomes of small pieces that were cut off from the start
    FrResult (*set_off)(void *state, FrBreakResult *result);
    FrResult (*shrink_dust)(void *state); ///< what left at the last scan is drawn in points
    void (*node_loads)(void *state, double *load);        ///< value over limit (node_count)
    void (*chosen)(const void *state, FrCrackDef *crack); ///< what was chosen for it
    // settled pieces: rigid because nothing broke for FrCrackDef's settling time
    bool (*flows_and_settles)(const void *state);
    /// for how long what deforms of it has to be slow before it may rest, s; HUGE_VAL: it may not
    double (*patience)(const void *state);
    void (*put_off)(void *state, double t); ///< nothing settles sooner than that from t on, s
    bool (*is_whole)(const void *state);    ///< in one piece
    bool (*whole_is_quiet)(const void *state, double t);
    FrResult (*settle_whole)(void *state);
    bool (*is_settled)(const void *state, int32_t tet);
    bool (*feels)(const void *state, int32_t tet, FrBlow blow); ///< may the blow break the piece?
    /// its piece deforms again; `first`: none of the body had since it settled
    FrResult (*wake)(void *state, int32_t tet, FrPieceCause cause, double t, FrVec3 gravity,
                     bool *first);
} FrBreakOps;

struct FrMeetStep;
/// A solid that may fly as a rigid frame while it is whole, unstressed and alone.
typedef struct FrFlightOps {
    bool (*flies)(const void *state);
    bool (*take_off)(void *state, FrVec3 gravity);       ///< it flies from now on, if it may
    void (*fly)(void *state, double dt, FrVec3 gravity); ///< a step of any length
    void (*land)(void *state);                           ///< it deforms again
} FrFlightOps;

struct FrBearing;
struct FrShatterHold;
struct FrStrike;
struct FrStruck;
struct FrFallen;
/// A frame that a blow may turn into several (shatter.h). The world asks after each macro step what
/// the blows in it did, and puts what a body fell into in its place.
typedef struct FrShatterOps {
    bool (*may)(const void *state); ///< may this one?
    /// what a blow does to it; not followed where it surely holds
    FrResult (*struck)(void *state, const struct FrStrike *strike, struct FrStruck *struck);
    /// it is to fall apart into these regions, which it takes over, whatever it stands
    FrResult (*sever)(void *state, struct FrLabels *labels);
    /// after a blow that breaks it: into what
    FrResult (*fall_apart)(void *state, const struct FrStruck *struck, struct FrFallen *fallen);
    struct FrShatter *(*modes)(void *state); ///< by which it gives way when it strikes another
    size_t (*bytes)(const void *state);      ///< of what it made for blows, that may be dropped
    void (*drop)(void *state);
    /// Forces on it that together are less than this do not break it, N; supports that move may.
    double (*bears)(const void *state);
    /// what it bears at time t, by what pushes it; of supports it knows itself
    FrResult (*bear)(void *state, double t, struct FrBearing *bearing, struct FrStruck *struck);
    /// These hold it from t on, and it is kinematic: it moves as they do in the mean, from where it
    /// is, or, of a checkpoint that was loaded (`again`), as it did. Borrowed as long as they hold
    /// it; 0: it is free.
    FrResult (*hold)(void *state, double t, const struct FrShatterHold *hold, int32_t count,
                     bool again);
} FrShatterOps;

/// Points of a body come as a material point and its present place x; spheres use x alone (tet ==
/// -1).
typedef struct FrModelOps {
    const char *name;
    FrStepping stepping;
    /// a body that may break gets FrBreakOps.begin next
    FrResult (*create)(FrContext *ctx, const FrBodyDef *def, void **state);
    void (*destroy)(void *state);
    double (*dt_limit)(void *state); ///< s, without safety factor; INFINITY: none
    /// all bodies of this row in a group from t to t + dt with the forces added so far, which are
    /// then cleared; `failed`: which one broke down. Rows: one kinematic body along its track.
    FrResult (*step)(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                     int32_t *failed);
    void (*view)(const void *state, FrShapeView *view); ///< false shapes (spheres): zero tets
    /// where its frame is; false where there is none
    bool (*pose)(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                 FrVec3 *spin);
    FrVec3 (*velocity)(const void *state, FrPoint at, FrVec3 x);
    double (*inverse_mass)(const void *state, FrPoint at,
                           FrVec3 x); ///< 1/kg, of the softest direction
    void (*force)(void *state, FrPoint at, FrVec3 x, FrVec3 force); ///< from contact, N
    /// of the work of contact this much came from a kinematic body, J
    void (*note_kinematic)(void *state, double work);
    void (*traits)(const void *state, FrContactTraits *traits);
    void (*backup)(void *state); ///< one level; of implicit rows not asked for
    void (*restore)(void *state);
    /// of implicit rows, which step once in a macro step, while contact acts in many substeps: the
    /// contact forces added since the last call acted for dt s and are cleared; their impulse is
    /// kept for `step`. Until then it is shown where it will be about: dt s farther. dt 0: they did
    /// not act, and it stays. `step` begins where it was when the last one ended, takes the kept
    /// impulse instead of forces, and may put it where that impulse, as it came, has moved it to.
    void (*predict)(void *state, double dt, FrVec3 gravity);
    /// of implicit rows that solve contact with their bodies (sparse/meet.h): a step with what they
    /// meet, as it is shown. NULL: contact acts on them in substeps.
    FrResult (*meet)(void *const *state, int32_t count, struct FrMeetStep *step, int32_t *failed);
    FrStepWatch (*watch)(const void *state); ///< of the last step [M3]; implicit rows: its energy
    void (*energy)(void *state, FrVec3 gravity, FrEnergy *energy);
    void (*momentum)(const void *state, FrVec3 *linear, FrVec3 *angular);
    /// of gravity, loads, supports and mass damping since the start, N s; and its mass, kg
    void (*impulse)(const void *state, FrVec3 *impulse, double *mass);
    /// what is physical in its state: places, velocities, strains, tets
    void (*hash)(const void *state, FrHash *hash);
    /// besides what the body lends it (FrLent), which is saved and loaded before
    void (*save)(const void *state, FrWriter *writer);
    FrResult (*load)(void *state, FrReader *reader);
    /// of implicit rows that may sleep: how fast it moves and bends, rms m/s; HUGE_VAL: it may not
    /// now. And it stops where it is: kinetic energy is booked as damping, momentum as an impulse
    /// of what carries it. NULL: it never sleeps.
    double (*calm_speed)(const void *state);
    void (*stop)(void *state);
    // what only some can; NULL: it cannot
    /// of a ball without frame and nodes: a caller puts its centre at x, with this rotation,
    /// velocity and spin; booked as external work and impulse
    void (*put)(void *state, FrVec3 x, FrQuat rotation, FrVec3 velocity, FrVec3 spin);
    const FrSolidOps *solid;
    const FrPieceOps *pieces;
    const FrBreakOps *breaks;
    const FrFrameOps *frame; ///< of all that step by rows
    const FrShatterOps *shatters;
    const FrFlightOps *flight; ///< of what steps explicitly
} FrModelOps;

extern const FrBreakOps fr_corot_break_ops; ///< of corot bodies (FrCorotBody first)
extern const FrModelOps fr_model_fem, fr_model_frame, fr_model_shatter, fr_model_modal,
    fr_model_corot;

/// Stiff, and breaks before it yields: what is made of it shatters.
bool fr_is_brittle(const FrMaterial *material);

/// The row of a model that the library has; NULL: it has none of this number.
const FrModelOps *fr_model_row(FrModel model);
/// The first of the library's models that suits; FR_MODEL_AUTO: none does.
FrModel fr_model_find(bool (*suits)(const FrModelTraits *traits));
/// fr_model_choose where there may be no solvers, which what shatters needs.
FrModel fr_model_choose_with(const FrBodyDef *def, bool solvers);
/// Macro steps that bodies of a row want, 1/s.
double fr_model_step_rate(const FrModelOps *row);
/// Steps of rigid frames in a macro step, of which there are `each` in 1/240 s.
int32_t fr_frame_substeps(double step, int32_t each);
/// What a row lacks, or what does not fit in it; NULL: nothing.
const char *fr_model_flaw(const FrModelOps *row);
/// Another row for this world, which outlives it; bodies get it by FrBodyDef.model. FR_BAD_USE: it
/// cannot work; the message says why.
FrResult fr_world_add_model(FrWorld *world, const FrModelOps *row, FrModel *model);
/// Another criterion for this world (fracture/criterion.h), which outlives it; bodies get it by
/// FrCrackCriterion.kind.
FrResult fr_world_add_criterion(FrWorld *world, const struct FrCriterion *row,
                                FrCriterionKind *kind);
