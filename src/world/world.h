// world.h: what a world holds; only world/ looks inside.
#pragma once
#include "base/array.h"
#include "contact/contact.h"
#include "solve/penalty.h"
#include "world/cuts.h"
#include "world/fields.h"
#include "frames/frames.h"
#include "world/external.h"
#include "world/model.h"
#include "world/samples.h"
#include "shatter/shatter.h"
#include "world/track.h"

/// Of a contact item that is free.
#define FR_NO_ITEM (-2)

typedef struct FrBody {
    // settings: of its birth
    int32_t number;  ///< of its id, less 1: never used twice; bodies lie in their order
    int64_t born;    ///< tick
    FrBodyId parent; ///< whose place and motion it went on with; null: of none
    uint8_t *birth;  ///< what it was made from, if born later (birth_code.h); else NULL
    size_t birth_size;
    uint64_t made; ///< hash of row, mesh and size, by which checkpoints know a body of the start
    char *name;
    const FrModelOps *ops; ///< its row of the model table
    FrTetMesh mesh;        ///< at rest; empty for spheres
    FrEmbedded embedded;   ///< point_count 0: none
    int32_t material_count;
    double damping_kept;        ///< share of its first material's strain-rate damping
    double radius;              ///< of a sphere, m
    double until;               ///< s: when a kinematic one is let go; HUGE_VAL: never
    FR_ARRAY(uint8_t) cut_made; ///< of each cut from the start: does it open anything?
    void *user;                 ///< the caller's

    // state: what checkpoints have
    void *state;           ///< of its row
    FrCutMesh *cut;        ///< its mesh as it is cut, lent to its row; NULL: it never breaks
    FrPieces *pieces;      ///< of that
    FrMaterial *material;  ///< (material_count); callers change some of it
    FrStepControl control; ///< its step, watched by its energy
    FrVec3 momentum;       ///< at the start, kg m/s
    bool kinematic;        ///< not let go so far
    bool asleep;           ///< of a group whose soft bodies are rigid pieces (rigid_pieces.c)
    double still;          ///< for how long it has hardly moved, s
    double sunk;           ///< its own deepest overlap when its group fell asleep, m
    int32_t item;          ///< in the contact scene

    // scratch: found again, or only until the next step
    int32_t frame; ///< among the rigid frames; -1: it is none
    FrSurface surface;
    uint64_t surface_topology; ///< topology that `surface` was made for
    struct FrCells *cells;     ///< `embedded` where cuts follow faces; NULL: not yet
    bool undivided;            ///< it cannot be divided into cells
    FrCutLog cuts;             ///< since they were reported last (cuts.h)
    int32_t cuts_from;         ///< tets before them
    FrCutLog first_cuts; ///< made at its birth, for supports and loads that come before its first
                         ///< step; empty after it
    bool touched;        ///< what made it bend again was no blow that is reported
    int64_t struck;      ///< tick of the last blow that was followed
} FrBody;

typedef struct FrPlane {
    int32_t number; ///< of its id, less 1; -1: nobody asked for it so far
    char *name;
    FrVec3 normal;
    double offset;
    FrMaterial material;
    int32_t item;
} FrPlane;

typedef struct FrDrive {
    int32_t number; ///< of its id, less 1
    bool late;      ///< added after the first step: checkpoints have all of it
    int32_t body;
    int32_t *node; ///< (node_count)
    double *start; ///< where they were when taken, m (3 * node_count)
    int32_t node_count;
    FrTrack track;
    double until; ///< s
    bool released;
    FrAxes from; ///< of a frame: its mesh when it was taken
} FrDrive;

typedef struct FrLoad {
    int32_t number;   ///< of its id, less 1
    bool late;        ///< as of a drive
    FrLoadDef def;    ///< with own copies of node, tri and curve
    int32_t *tri_tet; ///< the tet behind each tri; -1: none (tri_count)
    int32_t body;
    double mass; ///< of the loaded nodes, kg
} FrLoad;

/// Two things that touch: gathered into one impact event.
typedef struct FrTouch {
    int32_t a, b;       ///< bodies; b == -1: a plane
    bool reported;      ///< the event is out; what follows is resting
    double first, last; ///< s
    FrVec3 impulse;     ///< on a, N s
    FrVec3 place;       ///< impulse-weighted sum, m N s
    double weight;      ///< N s
    FrVec3 normal;      ///< at first touch
    FrPoint pa, pb;
    double v_n, v_t, area;
    uint64_t key;
} FrTouch;

/// Bodies that can meet during the macro step; they share their substeps.
typedef struct FrGroup {
    int32_t first, count; ///< slice of group_body
} FrGroup;

/// A frame that a blow broke, and the blow.
typedef struct FrBroken {
    FrBodyId id;
    FrStruck struck;
    double t;    ///< s
    bool slowly; ///< by what it bore: who bent it gave what it had stored
} FrBroken;

/// What one macro step works with; nothing of it lasts.
typedef struct FrWorldNow {
    FrContactList contacts; ///< of the group that steps
    bool detected;          ///< `contacts` are those of where the bodies are now
    FrContactList ahead;    ///< of where a group of rigid pieces came to
    double swing;           ///< the stiffest of those, over mass, 1/s^2
    FR_ARRAY(FrEase) ease;  ///< of each contact
    FR_ARRAY(FrEase) ahead_ease;
    FR_ARRAY(FrContactForce) force;  ///< of each contact
    FR_ARRAY(int32_t) items;         ///< of the contact scene that a group can touch
    FR_ARRAY(uint8_t) item_chosen;   ///< of each item
    FR_ARRAY(FrBox) reach;           ///< bounds of each body over the macro step
    FR_ARRAY(uint8_t) beyond;        ///< of nodes
    FR_ARRAY(int32_t) group_of;      ///< union-find, then slices
    FR_ARRAY(int32_t) group_body;    ///< bodies, group by group
    FR_ARRAY(FrGroup) group;         ///< bodies that can meet
    FR_ARRAY(uint8_t) chosen;        ///< frames of a group
    FR_ARRAY(void *) together;       ///< bodies of one row that step at once
    FR_ARRAY(int32_t) together_body; ///< which they are
    FR_ARRAY(FrBroken) broken;       ///< frames that blows or loads broke
    FR_ARRAY(double) borne;          ///< forces of contacts on each frame, N
    double asked_to_stop;            ///< wall time at which this step saw it, s; 0: it was not
} FrWorldNow;

/// What is shown of a world.
typedef struct FrWorldShown {
    FR_ARRAY(FrBodyView) body_view;   ///< of living bodies and planes
    FR_ARRAY(FrBodyFrame) body_frame; ///< likewise
    FrFrameView view;
    FrSamples samples; ///< between macro steps
    FrFields fields;
} FrWorldShown;

struct FrWorld {
    // settings
    FrContext *ctx;
    FrWorldDef def;
    bool step_chosen; ///< the macro step: it suits the bodies that are there before the first one
    FR_ARRAY(const FrModelOps *) model;             ///< rows besides those of the library
    FR_ARRAY(const struct FrCriterion *) criterion; ///< likewise
    FR_ARRAY(FrPlane) plane;
    bool spoiled; ///< a checkpoint was loaded in part: it can only be destroyed

    // state: what checkpoints have
    int64_t tick;
    FrVec3 gravity;        ///< m/s^2; of the def until a caller sets another one
    FR_ARRAY(FrBody) body; ///< that live, in the order of their births
    FR_ARRAY(FrDrive) drive;
    FR_ARRAY(FrLoad) load;
    FrFrames frames;             ///< rigid frames, which touch by rows
    FrExternal external;         ///< what callers push and grab
    FrContactScene *scene;       ///< all that may touch otherwise
    FrStick *stick;              ///< static friction that holds
    FR_ARRAY(FrMover) mover;     ///< per contact item
    FR_ARRAY(int32_t) item_body; ///< body of a contact item; -1: a plane; FR_NO_ITEM: free
    FR_ARRAY(FrTouch) touch;     ///< sorted by (a, b)
    FR_ARRAY(FrEvent) event;     ///< of the last step, and since then
    int32_t event_done;          ///< of those, that the next step drops
    int64_t event_base;          ///< events before them
    uint64_t event_hash;         ///< of all events so far
    int32_t next_number;         ///< of bodies and planes so far
    int32_t next_hold;           ///< of drives, loads and joints so far
    FrWorldStats stats;
    FrEnergy passed;       ///< of bodies that left; external: what came with those born later too
    FrVec3 push;           ///< of planes and kinematic bodies on free ones since the start, N s
    double momentum_scale; ///< largest momentum and impulse so far, N s

    FrWorldNow now;     ///< scratch
    FrWorldShown shown; ///< scratch
};

/// Of a world whose step is chosen: short enough for a body of this row.
void fr_world_suit_step(FrWorld *world, const FrModelOps *row);

/// Forces of loads and velocities of driven nodes of one body, for the substep from t to t + dt.
void fr_world_apply_loads(FrWorld *world, int32_t body, double t, double dt);

/// The row of a model; NULL: there is none of this number.
const FrModelOps *fr_world_model(const FrWorld *world, FrModel model);
/// A criterion of this world's own; NULL: it has none of this number.
const struct FrCriterion *fr_world_criterion(const FrWorld *world, FrCriterionKind kind);
/// Contact sees the arrays of a solid as they are now.
void fr_world_show_arrays(FrWorld *world, const FrBody *body);
void fr_world_free_body(FrContext *ctx, FrBody *body);
/// How near each node of a body is to breaking (node count).
FrResult fr_world_loads(FrWorld *world, const FrBody *body, int32_t nodes, float *load);

/// Break what has to break in a body after the substep from t to t + dt, and let all that refers to
/// its mesh follow. `scanned`: becomes true when it was.
FrResult fr_world_break(FrWorld *world, int32_t body, double t, double dt, bool *scanned);
/// Once supports and loads are there: what becomes of small pieces that were cut off from the
/// start.
FrResult fr_world_set_off(FrWorld *world);
/// Cracks that are there from the start.
FrResult fr_world_precut(FrWorld *world, int32_t body, const FrCrackDef *crack);
/// What was cut of a body is followed by contact, loads and touches, and reported.
FrResult fr_world_take_cut(FrWorld *world, int32_t body, double t, const FrBreakResult *result);
/// It falls apart now, as its row was told; nothing happens if that leaves one body.
FrResult fr_world_break_apart(FrWorld *world, FrBroken *broken);
/// Drives and loads of a body follow a cut.
FrResult fr_world_follow_loads(FrWorld *world, int32_t body, const FrCutLog *log);
/// One of them, which was added after the cut, does.
FrResult fr_world_follow_drive(FrWorld *world, FrDrive *drive, const FrCutLog *log);
FrResult fr_world_follow_load(FrWorld *world, FrLoad *load, const FrCutLog *log);
/// Drives and loads, whole.
void fr_world_save_loads(const FrWorld *world, FrWriter *writer);
FrResult fr_world_load_loads(FrWorld *world, FrReader *reader);
/// Which drives and loads of the start there are.
void fr_world_save_first_holds(const FrWorld *world, FrWriter *writer);
/// FR_BAD_INPUT: this world lacks one of those. It stays as it is.
FrResult fr_world_check_first_holds(FrWorld *world, FrReader *reader);
/// The surface of a body that was cut since it was last looked at. False: no memory.
/// FR_BAD_USE: heat does nothing to the body.
FrResult fr_world_need_warm(FrWorld *world, int32_t index);
bool fr_world_renew_surface(FrWorld *world, FrBody *body);
/// Times the mesh of a body was cut, plus 1.
uint64_t fr_world_topology(const FrBody *body);
// bodies.c
/// Where a body lies; -1: the id is stale, or null.
int32_t fr_world_find(const FrWorld *world, FrBodyId id);
/// The same; FR_BAD_USE: it is.
FrResult fr_world_need(FrWorld *world, FrBodyId id, int32_t *body);
/// Null for -1.
FrBodyId fr_world_id(const FrWorld *world, int32_t body);
/// A body was born after the first step.
FrResult fr_world_tell_birth(FrWorld *world, int32_t body, FrBodyId parent);
/// Take a body out of the world, without an event.
FrResult fr_world_remove_body(FrWorld *world, int32_t body);
/// The same, and nothing is booked: as if it had not been there.
void fr_world_take_out(FrWorld *world, int32_t body);
/// What it has leaves the ledgers: energy and momentum.
void fr_world_book_leaving(FrWorld *world, const FrBody *body);
/// A body moves from now on, if it slept.
void fr_world_wake(FrWorld *world, int32_t body);
/// Bodies that may rest on this one wake.
void fr_world_wake_near(FrWorld *world, int32_t body);
void fr_world_free_drive(FrContext *ctx, FrDrive *drive);
void fr_world_free_load(FrContext *ctx, FrLoad *load);
/// Planes that have none yet get their numbers: when somebody asks for one, or with the first step.
void fr_world_number_planes(FrWorld *world);
void fr_energy_add(FrEnergy *sum, const FrEnergy *e);
/// Is it a def of a body? `row`: of its model.
FrResult fr_world_check_def(FrWorld *world, const FrBodyDef *def, const FrModelOps **row);
/// FR_BAD_USE: `next` is past the last number that an id can have. `what`: of which.
FrResult fr_world_need_number(FrWorld *world, int32_t next, const char *what);
/// Add a body where its def says, parent or not, under the next number.
FrResult fr_world_bear(FrWorld *world, const FrBodyDef *def, FrBodyId *id);
/// Add a body under this number, where its def says, parent or not, and tell of it if the world has
/// stepped.
FrResult fr_world_add_body(FrWorld *world, const FrBodyDef *def, int32_t number, FrBodyId *id);

/// Bodies that were born since `before` (a copy of the world) were never there.
void fr_world_take_back(FrWorld *world, const FrWorld *before);
/// spawn.c: a def whose place and motion count from its parent's, if it has one, as one that counts
/// from the world's.
FrResult fr_world_inherit(FrWorld *world, const FrBodyDef *def, FrBodyDef *child);

/// Add an event at time t with its number.
FrResult fr_world_add_event(FrWorld *world, FrEvent event);
/// Take one more event into event_hash.
void fr_world_hash_event(FrWorld *world, const FrEvent *event);

// rigid_pieces.c: groups whose solids are rigid pieces only, or flow and settle. Their
// steps follow the contacts that there are instead of the stiffest that a node could have
// (`always`, s).
bool fr_world_detects_ahead(const FrWorld *world, const FrGroup *group);
/// After a substep: contacts where the bodies came to, and how they would swing.
FrResult fr_world_detect_ahead(FrWorld *world, const FrGroup *group, double dt);
/// How long the next substep may be, s.
double fr_world_loose_step(const FrWorld *world, double always);
/// Did the substep make contacts that are too stiff for its length? It is taken back then.
bool fr_world_too_long(const FrWorld *world, double dt, double always);

/// In other groups none sleeps, and contacts are as stiff as they are.
void fr_world_wake_pieces(FrWorld *world, const FrGroup *group);
/// Around the substeps of a group that detects ahead: bodies of rigid pieces only move piece by
/// piece, and fr_world_note_still measures from where all were.
FrResult fr_world_begin_loose(FrWorld *world, const FrGroup *group);
void fr_world_end_loose(FrWorld *world, const FrGroup *group);
/// After a macro step of a group that detects ahead: pieces that hardly moved for long enough
/// sleep, and when all did, the group, until something awake comes into it. What that takes is
/// booked as for rigid frames.
FrResult fr_world_note_still(FrWorld *world, const FrGroup *group);
/// Does the group sleep? If only some of it do they wake.
bool fr_world_sleeps(FrWorld *world, const FrGroup *group);
/// Tell a body whether its supports, if it has any, stay for good.
void fr_world_fix_supports(FrWorld *world, int32_t body);
/// Does no drive ever move or let go of nodes of the body?
bool fr_world_holds_fast(const FrWorld *world, int32_t body);
/// Has it made no step yet? Callers name nodes of the mesh of its def then, before any cut.
bool fr_world_is_new(const FrWorld *world, const FrBody *body);

// implicit.c
/// Do all of a group step implicitly that rows do not move?
bool fr_world_all_implicit(const FrWorld *world, const FrGroup *group);
/// What contact did in a substep of dt to bodies that step implicitly counts (dt 0: it does not),
/// and they are shown where they will be about.
void fr_world_predict(FrWorld *world, const FrGroup *group, double dt);
/// Does the one body of a group come near a plane or a kinematic body during the macro step?
bool fr_world_comes_near(const FrWorld *world, const FrGroup *group);
/// May something touch during the macro step? Where nothing does contacts limit no step.
bool fr_world_may_touch(const FrWorld *world, const FrGroup *group);

// implicit_meet.c
/// Does a row solve contacts of the group?
bool fr_world_meets(const FrWorld *world, const FrGroup *group);
/// Those leave the list of what acts in substeps.
void fr_world_drop_met(const FrWorld *world, FrContactList *list);
/// The bodies of that row from t to t + dt, with all that they meet and no substep settles.
FrResult fr_world_step_meeting(FrWorld *world, const FrGroup *group, double t, double dt);

// fly.c
/// The one body of a group is whole, unstressed, and nothing acts on it or comes near: it flies.
bool fr_world_flies(FrWorld *world, const FrGroup *group);
/// It does, through the macro step.
FrResult fr_world_fly(FrWorld *world, const FrGroup *group);
/// It deforms again, if it flew.
void fr_world_land(FrBody *body);

// rest_bodies.c: held bodies that hardly bend
/// Pieces with one of these nodes deform: a support of theirs comes or leaves.
FrResult fr_world_deform_nodes(FrWorld *world, int32_t body, const int32_t *node, int32_t count);
/// The piece of this tet deforms, if it had settled.
FrResult fr_world_deform_settled(FrWorld *world, int32_t body, int32_t tet);
/// All pieces that had settled do.
FrResult fr_world_deform_all(FrWorld *world, int32_t body);
/// Does some of it bend?
bool fr_world_bends(const FrBody *body);
/// After a macro step: those that were slow for long enough rest.
void fr_world_note_rest(FrWorld *world, const FrGroup *group);
/// Which bodies of a group are about to rest: movers are marked.
void fr_world_note_slow(FrWorld *world, const FrGroup *group);
/// After an accepted substep that ended at t: those that its contacts struck bend on. `woke`:
/// pieces that had settled deform again, too, and nothing that was found for rigid ones holds.
FrResult fr_world_wake_struck(FrWorld *world, double t, bool *woke);
/// After a scan that ended at t: a body that cracked but is in one piece is rigid, or stands, once
/// nothing broke for FrCrackDef.settle, while nothing that may press it slowly touches it.
FrResult fr_world_settle_whole(FrWorld *world, int32_t body, double t);

FrPenaltyOptions fr_world_penalty(const FrWorld *world);
/// Tell the contact scene where a sphere is; does nothing for other bodies.
void fr_world_place_sphere(FrWorld *world, const FrBody *body);

/// Add up what planes and kinematic bodies push during an accepted substep, and the work of that.
void fr_world_note_pushes(FrWorld *world, double dt);
/// Compare momentum with the impulses so far, for stats.momentum_drift.
void fr_world_note_momentum(FrWorld *world);

/// Kinematic frames whose time has come are free.
void fr_world_free_kinematic(FrWorld *world);
/// One is; not `fresh`: its motion is read afterwards.
void fr_world_set_free(FrWorld *world, FrBody *body, bool fresh);
/// Let go of nodes whose time is up. Between macro steps only, so that rolling back does not undo
/// it.
FrResult fr_world_release_drives(FrWorld *world, double t);

// external.c, push.c, grab.c, anchor.c: what callers do
/// A solid as if it were rigid.
typedef struct FrWhole {
    double mass;           ///< kg
    FrVec3 centre;         ///< m
    FrVec3 velocity, spin; ///< with its momenta, m/s, rad/s
    FrMat3 inertia;        ///< about the centre, kg m^2
} FrWhole;
FrWhole fr_world_whole(const FrBody *body);
/// A body without frame and nodes, as its row lets callers move it.
typedef struct FrBall {
    FrVec3 x, v, spin; ///< m, m/s, rad/s
    FrQuat q;
} FrBall;
bool fr_world_is_ball(const FrBody *body);
FrBall fr_world_ball(const FrBody *body);
void fr_world_put_ball(FrWorld *world, const FrBody *body, const FrBall *ball);
/// Before a macro step an impulse at x to what steps as a whole, N s: a frame or a ball.
void fr_world_kick_whole(FrWorld *world, const FrBody *body, FrVec3 x, FrVec3 impulse);
/// Where the target of a grab is at time t, m.
FrVec3 fr_world_grab_target(const FrGrab *grab, double t);
/// Is it one that frames solve?
bool fr_world_pulls_exactly(const FrWorld *world, const FrGrab *grab);
/// Before a macro step: frames get their exact grabs; after it: how these went.
FrResult fr_world_begin_pulls(FrWorld *world);
void fr_world_end_pulls(FrWorld *world);
void fr_world_free_grab(FrContext *ctx, FrGrab *grab);
/// A force on the modes of a frame that bends, for the next macro step, N.
void fr_world_press_modes(FrWorld *world, const FrBody *body, const FrAnchor *at, FrVec3 force);
/// How a point of a frame that bends follows its modes; of others not at all.
FrGrip fr_world_anchor_grip(const FrWorld *world, const FrBody *body, const FrAnchor *anchor);
/// The body of an id that callers may move: a frame, a solid or a ball, not kinematic.
FrResult fr_world_need_movable(FrWorld *world, FrBodyId id, int32_t *body);
/// The point of a body that is at x, or nearest to it.
FrResult fr_world_anchor(FrWorld *world, int32_t body, FrVec3 x, FrAnchor *anchor);
/// Where it is now; `body` may have been cut since.
FrVec3 fr_world_anchor_place(const FrBody *body, FrAnchor *anchor, const FrFrames *frames);
/// Before a macro step: what is pushed and grabbed wakes and deforms, and frames get their
/// impulses.
FrResult fr_world_begin_external(FrWorld *world);
/// Does a caller grab it, or push it in this macro step?
bool fr_world_is_pushed(const FrWorld *world, const FrBody *body);
/// What callers push and pull one solid with, for a substep of dt.
void fr_world_apply_external(FrWorld *world, int32_t body, double t, double dt);
/// Of grabs on a solid.
void fr_world_apply_grabs(FrWorld *world, int32_t body, double t, double dt);
/// Before a macro step, those on all others.
void fr_world_pull_wholes(FrWorld *world);
/// An impulse at x and a turn to a free frame, N s and N m s.
void fr_world_kick_frame(FrWorld *world, const FrBody *body, FrVec3 x, FrVec3 impulse, FrVec3 turn);
/// What an implicit body gives a free frame that it touches, N s.
void fr_world_push_frame(FrWorld *world, const FrBody *body, FrVec3 x, FrVec3 impulse);
/// Supports, grabs and pushes of a body that leaves.
void fr_world_drop_external(FrWorld *world, FrBodyId body);
void fr_world_save_external(const FrWorld *world, FrWriter *writer);
FrResult fr_world_load_external(FrWorld *world, FrReader *reader);
void fr_world_free_external(FrWorld *world);
/// What may change of one of a body's materials, from another.
void fr_world_take_material(FrBody *body, int32_t index, const FrMaterial *from);
/// Friction and restitution of a body, as its first material has them, to all that touches.
void fr_world_show_surface(FrWorld *world, const FrBody *body);

/// Bodies into groups whose grown bounds overlap.
FrResult fr_world_make_groups(FrWorld *world);

/// Gather the forces of one substep into touches.
FrResult fr_world_gather_touches(FrWorld *world, double t, double dt);
/// Report a touch now.
FrResult fr_world_report_touch(FrWorld *world, const FrTouch *touch);
/// Report touches that have ended or gone to rest by time t.
FrResult fr_world_report_touches(FrWorld *world, double t);

// samples.c: what the steps tell it
/// The macro step begins: make room.
FrResult fr_world_samples_begin(FrWorld *world);
/// A group begins its substeps.
void fr_world_samples_group(FrWorld *world);
/// It is at time `now`, at the end of the macro step when `last`.
FrResult fr_world_samples_pass(FrWorld *world, const FrGroup *group, double now, bool last);
/// All are at the end of the macro step.
void fr_world_samples_end(FrWorld *world);
void fr_world_samples_free(FrContext *ctx, FrSamples *samples);

// frames_world.c: rigid frames
/// Make the frame of a body that is about to be added; sets body->frame.
FrResult fr_world_frame_add(FrWorld *world, const FrBodyDef *def, FrBody *body);
/// Take back the last fr_world_frame_add.
void fr_world_frame_drop(FrWorld *world);
/// Leave this item of the penalty's scene to rows where it meets its like. `meshed`: it has tets.
void fr_world_frame_layer(FrWorld *world, int32_t item, bool meshed);
bool fr_world_frame_plane(FrWorld *world, FrVec3 normal, double offset, const FrMaterial *m);
bool fr_world_frame_ignore(FrWorld *world, int32_t body_a, int32_t body_b);
/// Begin a macro step: who is near whom.
FrResult fr_world_frames_begin(FrWorld *world);
/// The frames with chosen[frame] != 0 (NULL: all) through the whole macro step.
FrResult fr_world_frames_step(FrWorld *world, const uint8_t *chosen);
/// Frames of a group that steps with fem bodies: begin, one substep, take it back.
FrResult fr_world_frames_group(FrWorld *world, const uint8_t *chosen);
FrResult fr_world_frames_substep(FrWorld *world, double t, double dt, bool last);
void fr_world_frames_undo(FrWorld *world);
/// What frames did in this macro step, in order.
FrResult fr_world_frames_list(FrWorld *world);
/// The same as events.
FrResult fr_world_frames_tell(FrWorld *world);
/// A place on a frame, from its centre of mass in body axes (frame -1: world), as a material point;
/// without tets as an offset in world axes.
FrPoint fr_world_frame_point(FrWorld *world, int32_t frame, FrVec3 local);

// model_shatter_release.c
/// Drive the bodies that another one fell into apart, `id` (fallen->count); book what they gain and
/// what cracks took, and report it. `axes`: of the other's mesh.
FrResult fr_world_drive_apart(FrWorld *world, const FrFallen *fallen, const FrBodyId *id,
                              const FrAxes *axes);
// shatter_holds.c
/// Do drives hold a body of its row by making it kinematic?
bool fr_world_holds_frame(const FrBody *body);
/// The drives of such a body changed; `again`: they are as a checkpoint has them.
FrResult fr_world_renew_holds(FrWorld *world, int32_t body, bool again);
/// After a checkpoint was loaded, all of them.
FrResult fr_world_reload_holds(FrWorld *world);
/// Where the mesh of a frame is.
FrAxes fr_world_mesh_axes(const FrBody *body);
/// What holds a body that is about to fall apart; its nodes are not kept.
typedef struct FrKeptHolds {
    FR_ARRAY(FrDrive) drive;
} FrKeptHolds;
FrResult fr_world_keep_holds(FrWorld *world, int32_t body, FrKeptHolds *kept);
/// It holds those of its pieces that have some of what was held, `id` (fallen->count).
FrResult fr_world_pass_holds(FrWorld *world, const FrKeptHolds *kept, const FrFallen *fallen,
                             const FrBodyId *id);
void fr_world_free_holds(FrWorld *world, FrKeptHolds *kept);
// shatter_bears.c
/// What lies on frames that may shatter, or bends them: which of them break.
FrResult fr_world_bears(FrWorld *world);
// shatter_bodies.c
/// May it break now? What breaks in this step already does so along its own cracks.
bool fr_world_may_shatter(const FrWorld *world, const FrBody *body);
/// Chance of where cracks of a body begin in this step.
uint64_t fr_world_break_seed(const FrWorld *world, const FrBody *body);
/// It falls apart at the end of this step, if nothing broke it before.
FrResult fr_world_note_broken(FrWorld *world, const FrBroken *broken);
/// Blows on frames that may shatter: how they part, and which of them break.
FrResult fr_world_blows(FrWorld *world);
/// Bodies that broke in this macro step fall apart.
FrResult fr_world_fall_apart(FrWorld *world);
