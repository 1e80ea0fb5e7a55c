// frames.h: rigid frames that are stepped together: who is near whom, joints, islands, sleep. Only
// this room and world/ look inside.
//
// A macro step H goes through `substeps` equal steps h. In each, an island (frames that may meet,
// and what joins them)
//   1. finds contact points and gaps (fr_frames_contacts),
//   2. answers impacts with restitution at the moment within h when the gap closes: every body is
//      advanced to its own moment (fr_frames_impacts),
//   3. takes up gravity and solves all rows (contacts without bounce, friction, joints) for what is
//      left of h, from the last step's forces (fr_frames_hold),
//   4. moves, and corrects places by moves that are no velocities.
// Islands do not see each other, so they run in parallel with the same bits for any worker count.
#pragma once
#include "base/array.h"
#include "base/bytes.h"
#include "contact/contact.h"
#include "contact/manifold.h"
#include "fracas/body.h"
#include "fracas/world.h"
#include "frames/frame_ops.h"
#include "mesh/locate.h"
#include "modal/bend.h"
#include "rigid/rigid.h"
#include "solve/rows.h"

typedef struct FrFrame {
    int32_t body; ///< of the world
    const FrFrameOps *ops;
    FrFrameParts part; ///< borrowed from the model's state
    bool kinematic;
    FrCollider shape;    ///< in its own axes; x and R are set when it is used
    FrVec3 centre;       ///< of the shape from the centre of mass, body axes, m
    FrColliderMesh mesh; ///< empty for spheres and boxes
    int32_t item;        ///< in the scene of overlapping meshes; -1: none
    double size;         ///< m: its diameter if it were a ball
    double facet;        ///< longest edge of the triangles of a mesh, m; 0: smooth or a box
    double curvature;    ///< of the surface where it touches, 1/m (M18: 10 / size where flat)
    double yielding;     ///< (1 - nu^2) / E, 1/Pa
    double friction_static, friction_dynamic, restitution;
    bool asleep;
    double still;      ///< for how long it has hardly moved, s
    int32_t island;    ///< -1: none
    FrLocator locator; ///< made when first asked
    bool located;
} FrFrame;

/// One remembered point of a pair.
typedef struct FrFramePoint {
    FrVec3 la, lb;  ///< on a and b, from the centres of mass, body axes (plane: world), m; of a
                    ///< body with modes where it is when they are at rest
    FrGrip ga, gb;  ///< how it follows the modes
    FrVec3 ln;      ///< normal in the axes of b (plane: world), pushes a
    FrVec3 force;   ///< on a in the last step, world axes, N
    double gap;     ///< now, m
    uint8_t slides; ///< friction is the dynamic one
} FrFramePoint;

/// Two frames, or a frame and a plane (b == -1 - plane), that may touch.
typedef struct FrFramePair {
    int32_t a, b;
    double margin; ///< gaps up to this were detected; 0: again, m
    FrVec3 rel_x;  ///< b from a in a's axes when detected (plane: a in the world)
    FrQuat rel_q;
    double path; ///< of both bodies' modes when detected (FrBend), m
    int32_t count;
    FrFramePoint point[FR_MANIFOLD_POINTS];
    // what goes on between them since the last sample
    FrVec3 impulse;             ///< on a, N s
    FrVec3 place, normal, slip; ///< sums weighted by the normal impulse
    double weight, span;        ///< N s; s
    FrVec3 last_place;          ///< of the sample before, m
    uint8_t has_place;
    uint8_t touched; ///< substeps for which a push still counts as touching
} FrFramePair;

typedef struct FrJoint {
    int32_t number; ///< of its id, less 1
    FrJointKind kind;
    int32_t a, b;          ///< frames; b == -1: the world
    FrVec3 la, lb;         ///< from the centres of mass, body axes (world: place), m
    FrGrip ga, gb;         ///< how these follow the modes, as of a point
    FrVec3 axis_a, axis_b; ///< of a hinge, body axes
    double length;         ///< of a string, m
    FrVec3 force, torque;  ///< on a in the last step, world axes, N, N m
} FrJoint;

/// A point of a frame that goes where it is told, for one macro step; exact grabs of the world.
typedef struct FrFramePull {
    int32_t frame, grab; ///< grab: of the world
    FrPullKind kind;
    FrVec3 at;   ///< from the centre of mass, body axes, modes at rest, m
    FrGrip grip; ///< how it follows the modes
    int32_t by_count;
    FrVec3 by[FR_PULL_POINTS]; ///< where forces act; none: at the point itself
    FrGrip by_grip[FR_PULL_POINTS];
    FrVec3 from, to;    ///< where the point goes within the macro step, m; or its value: m/s, m/s^2
    double t, span;     ///< when it begins, how long that takes, s
    FrVec3 force;       ///< sum of the forces in the last substep, N
    int32_t rank, rows; ///< of the system that it was solved in
    double left;        ///< by how much that misses its targets, m/s
} FrFramePull;

/// Points of an impact that are kept one by one.
#define FR_IMPACT_POINTS 8

/// One of the points where two frames hit each other.
typedef struct FrImpactPoint {
    FrVec3 la, lb; ///< from the centres of mass, body axes (plane: world), m
    double push;   ///< normal impulse, N s
} FrImpactPoint;

/// An impact between rigid frames, before it becomes an event.
typedef struct FrFrameImpact {
    double t;
    int32_t a, b; ///< as of a pair
    FrVec3 x, n, impulse;
    FrVec3 la, lb; ///< place from the centres of mass, body axes (plane: world), sums
    double v_n, v_t, restitution;
    double weight;   ///< sum of normal impulses: x and n are sums weighted by it, N s
    double duration; ///< s; 0: Hertz's
    int32_t point_count;
    FrImpactPoint point[FR_IMPACT_POINTS]; ///< those pushed most (point_count)
} FrFrameImpact;

/// Sliding or rolling, before it becomes an event.
typedef struct FrFrameSample {
    double t, span;
    int32_t a, b;
    FrVec3 x, n, force, slip, roll;
    FrVec3 la, lb; ///< place from the centres of mass, body axes (plane: world)
} FrFrameSample;

/// A body of an island while it is stepped; number 0 is what nothing moves.
typedef struct FrLocal {
    int32_t frame; ///< -1: planes and the world
    FrBend *bend;  ///< its modes; NULL: none
    FrVec3 x;      ///< centre of mass, m
    FrQuat q;
    FrMat3 R;
    FrCollider shape;          ///< where it is now
    double elapsed;            ///< of the substep, s
    FrVec3 shift, twist;       ///< since the substep began, m, rad
    FrVec3 v_flight;           ///< before the last of gravity, m/s
    FrVec3 v_before, w_before; ///< when a solve of rows begins, m/s, rad/s
    FrVec3 w_given;            ///< spin as L gave it, before impulses, rad/s
    bool free;                 ///< nothing supports it: it falls
    int32_t depth;             ///< fewest contacts and joints to what is kinematic or never moves
} FrLocal;

/// Where a contact row comes from.
typedef struct FrRowOrigin {
    int32_t pair, point; ///< pair -1: point is a joint
    double gap;          ///< at the begin of the substep, m
    double restitution;
    double slow; ///< closing slower than this is no impact, m/s
    double slop; ///< overlap that is left alone, m
} FrRowOrigin;

/// What one worker needs; grows, never shrinks.
typedef struct FrFrameScratch {
    FR_ARRAY(FrRowBody) body;
    FR_ARRAY(FrLocal) local;
    FR_ARRAY(int32_t) local_of; ///< number in `local` of each frame; 0: not there
    FR_ARRAY(FrRow) row, hit;
    FR_ARRAY(double) mode;        ///< what rows' places follow of modes (FrRow.mode_a, mode_b)
    bool overlaps_found;          ///< FrFrames.overlap is of this substep
    bool bends;                   ///< a body of the island has modes
    FR_ARRAY(int32_t) pull;       ///< those of the island
    FR_ARRAY(double) pull_number; ///< their system (frames_pull.c)
    int32_t pull_columns;
    double pull_before; ///< what was wanted the time before, m/s
    FR_ARRAY(FrRowOrigin) origin;
    FR_ARRAY(double) when;  ///< moment of each row's impact; HUGE_VAL: none
    FR_ARRAY(double) first; ///< first of them for each body
    FR_ARRAY(FrVec3) before;
    FR_ARRAY(FrFrameImpact) impact;
    FR_ARRAY(FrFrameSample) sample;
    int64_t sweeps, contacts, rounds;
    int32_t depth; ///< of the body of the island that is farthest from what holds it
    bool failed;   ///< memory ran out
} FrFrameScratch;

typedef struct FrFrameIsland {
    int32_t first, count;        ///< slice of island_frame
    int32_t first_pair, pairs;   ///< slice of island_pair
    int32_t first_joint, joints; ///< slice of island_joint
    bool meshes;                 ///< two meshes may overlap: not in parallel
} FrFrameIsland;

/// A kinematic frame during one substep.
typedef struct FrKinematicPose {
    FrVec3 x, v, w;
    FrQuat q;
} FrKinematicPose;

typedef struct FrFramePlane {
    FrVec3 normal;
    double offset; ///< m
    double yielding, friction_static, friction_dynamic, restitution;
} FrFramePlane;

/// Where a frame can get during the macro step.
typedef struct FrReach {
    FrBox box;
    int32_t frame;
} FrReach;

typedef struct FrNear {
    int32_t a, b;
} FrNear;

/// Two frames that never touch.
typedef struct FrIgnored {
    FrNear pair;    ///< a < b
    uint8_t asked;  ///< by a caller: for good
    int32_t joints; ///< that hold them together, but for strings
} FrIgnored;

typedef struct FrFrames {
    FrContext *ctx;
    FR_ARRAY(FrFrame) frame;
    FR_ARRAY(FrFramePlane) plane;
    FR_ARRAY(FrJoint) joint;
    FR_ARRAY(FrIgnored) ignored; ///< sorted
    FR_ARRAY(FrFramePull) pull;  ///< of this macro step
    FR_ARRAY(FrFramePair) pair;  ///< sorted by (a, b), planes last
    FR_ARRAY(FrFramePair) pair_backup;
    FR_ARRAY(FrJoint) joint_backup;
    FrContactScene *scene; ///< meshes only
    FrContactList overlap;
    FR_ARRAY(FrOverlapPoint) cluster;
    // scratch of a macro step
    FR_ARRAY(FrReach) by_x; ///< sorted by the lower end, then by frame
    FR_ARRAY(FrNear) near;
    FR_ARRAY(FrFramePair) pair_next;
    FR_ARRAY(FrFrameIsland) island;
    FR_ARRAY(int32_t) island_frame;
    FR_ARRAY(int32_t) island_pair;
    FR_ARRAY(int32_t) island_joint;
    FR_ARRAY(int32_t) by_root;
    FR_ARRAY(int32_t) items;
    FR_ARRAY(FrKinematicPose) kinematic; ///< (substeps x frames)
    FR_ARRAY(FrFrameScratch) scratch;    ///< one per worker
    FR_ARRAY(FrFrameImpact) impact;      ///< of all workers, in order
    FR_ARRAY(FrFrameSample) sample;
    int32_t impacts_before, samples_before; ///< of a substep that may be taken back
    // of the step that is going on
    double t, h; ///< begin of the macro step, length of a substep, s
    int32_t substeps;
    FrVec3 gravity;
    bool flush;         ///< samples end with this step
    double stick_speed; ///< m/s
    double sleep_time;  ///< s; 0: never
} FrFrames;

// frames.c
FrResult fr_frames_create(FrContext *ctx, FrFrames *frames);
void fr_frames_free(FrFrames *frames);
/// A frame leaves, with its pairs and joints; frames after it get the number before theirs.
void fr_frames_remove(FrFrames *frames, int32_t frame);
void fr_frames_save(const FrFrames *frames, FrWriter *writer);
FrResult fr_frames_load(FrFrames *frames, FrReader *reader);

// frames_pairs.c
/// Pairs that may touch within `horizon` seconds, with what is remembered of them.
FrResult fr_frames_pairs(FrFrames *frames, double horizon, double gravity);
/// Islands of the frames for which chosen[frame] is not 0 (NULL: all). Wakes and puts to rest.
FrResult fr_frames_islands(FrFrames *frames, const uint8_t *chosen);
/// Whether and why two frames never touch; NULL: they may.
FrIgnored *fr_frames_ignored(const FrFrames *frames, int32_t a, int32_t b);
/// The same, and it is there from now on: the caller says why. NULL: no memory.
FrIgnored *fr_frames_ignore(FrFrames *frames, int32_t a, int32_t b);
/// A joint between them is gone: they touch, unless another one or a caller keeps them apart.
void fr_frames_unjoin(FrFrames *frames, int32_t a, int32_t b);

// frames_island.c
/// Change of velocity in a sweep at which many rows are solved, m/s.
double fr_frames_tolerance(const FrFrames *frames);
/// All substeps of one island.
void fr_frames_step_island(FrFrames *frames, const FrFrameIsland *island, FrFrameScratch *s);

// frames_contact.c
/// Contact points of the island's pairs as rows; joints too.
void fr_frames_contacts(FrFrames *frames, const FrFrameIsland *island, FrFrameScratch *s);
/// Closing slower than this is no impact but rest, m/s: what a body can pick up in two substeps.
double fr_frames_slow(const FrFrames *frames);
/// How far a gap wants to be opened (above 0) or may still close (below), m.
double fr_frames_error(double gap, double slop);
/// Friction and restitution of a pair.
void fr_frames_pair_law(const FrFrames *frames, const FrFramePair *pair, double *friction_static,
                        double *friction_dynamic, double *restitution);

// frames_island.c
/// Fastest of its centre and of its turning rim, m/s.
double fr_frame_speed(const FrFrame *frame);
/// It stops: its kinetic energy goes into the work of contact, its momentum into outer impulses.
void fr_frame_stop(FrFrame *frame);

// frames_impact.c
void fr_frames_impacts(FrFrames *frames, FrFrameScratch *s, double t);
/// Gap of a row at the moment `at`, with its bodies moving on as they do, m.
double fr_frames_gap_at(const FrFrames *frames, const FrFrameScratch *s, int32_t row, double at);
/// Arms of a row where its bodies are now.
void fr_frames_settle(const FrFrameScratch *s, FrRow *row);
/// World inertia and spin of a body of an island, from its rigid state.
void fr_frames_turned(FrLocal *local, FrRowBody *body, const FrRigid *rigid);
/// What its spin gained into the rigid state, then a free turn of dt seconds. Steady: of an island
/// that keeps its rows, and with them the axes and inertia they were made with.
void fr_frames_turn(FrLocal *local, FrRowBody *body, FrRigid *rigid, double dt, bool steady);
/// Velocities before a solve of rows, which fr_frames_book needs.
void fr_frames_note_velocities(FrFrameScratch *s);
/// Work of the impulses of solved rows, into the ledger of energy: what kinematic sides give is
/// outer. And impulses of what nothing moves, into that of momentum.
void fr_frames_book(FrFrames *frames, const FrFrameScratch *s, const FrRow *row, int32_t count);

// frames_bend.c
/// Bodies with modes where a substep begins: their colliders, and what of the modes a blow moves.
void fr_frames_bend_begin(FrFrames *frames, FrFrameScratch *s);
/// A point of a body, from its centre of mass, world axes.
FrVec3 fr_frames_arm(const FrLocal *local, FrVec3 rest, const FrGrip *grip);
/// A place on a body's collider, from its centre of mass, body axes: how it follows the modes, and
/// where it is when they are at rest.
FrGrip fr_frames_hold_on(const FrLocal *local, FrVec3 *place);
/// What places of all rows follow of the modes; which rows a blow of which restitution hits.
void fr_frames_bend_rows(FrFrames *frames, FrFrameScratch *s);
/// How much a row's gap has opened by modes since the substep began, and will have at the moment
/// `at`, m.
double fr_frames_bend_gap(const FrFrameScratch *s, const FrRow *row, double at);
/// For what is left of the substep rows see modes as they will be at its end; and they did.
void fr_frames_bend_open(FrFrames *frames, FrFrameScratch *s);
void fr_frames_bend_close(FrFrames *frames, FrFrameScratch *s);
/// What modes add to twice the mean velocity of a row's point, world axes; `mode` as of FrRow.
FrVec3 fr_frames_bend_mean(const FrFrameScratch *s, int32_t side, const double *mode);

// frames_pull.c
/// The system of an island's pulls, once rows are prepared. False: it has none.
bool fr_frames_pull_begin(FrFrames *frames, FrFrameScratch *s);
/// Solves it for what is still wanted in the substep from t on; the largest change of velocity
/// that was, m/s.
double fr_frames_pull(FrFrames *frames, FrFrameScratch *s, double t);
/// Work and impulse of it, and the forces.
void fr_frames_pull_book(FrFrames *frames, FrFrameScratch *s);

// frames_event.c
/// Sums of this substep into the pair's next sample.
void fr_frames_gather(FrFrames *frames, const FrFrameIsland *island, FrFrameScratch *s);
/// Where a place is seen from a body of an island, its axes.
FrVec3 fr_frames_into(const FrLocal *local, FrVec3 x);
/// Pairs of an island whose sums are due at time t become samples; `last`: all of them.
void fr_frames_samples(FrFrames *frames, const FrFrameIsland *island, FrFrameScratch *s, double t,
                       bool last);
