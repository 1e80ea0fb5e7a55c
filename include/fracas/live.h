// fracas/live.h: a scene under someone's hands: step it while it is pulled, struck and changed,
// look at copies, go back, and play it again bit for bit. SI units (m, kg, s, Pa). Right-handed
// frame, +z up. Conventions: docs/conventions.md SPDX-License-Identifier: MIT
#pragma once
#include "fracas/body.h"
#include "fracas/studio.h"

FR_EXTERN_C_BEGIN

/// A scene that goes on as long as somebody steps it. One caller at a time; what others are to see
/// is copied for them (FrSnapshot).
typedef struct FrLive FrLive;

/// How a scene is opened. Start from fr_live_def_default(), then change fields.
typedef struct FrLiveDef {
    const char *scene;      ///< path of a .lua or .json
    const char *const *set; ///< params changed from outside, "fall=60cm" (set_count)
    int32_t set_count;      ///< of them
    bool has_seed;          ///< `seed` is given
    uint64_t seed;          ///< instead of the scene's
    FrDetail detail;        ///< how fine it is meshed
    double rate;            ///< macro steps per second, 1 to 1e6; FR_CHOSEN: 240, or 1000 where
                            ///< something may shatter, and more where steps would hold too much
    bool quick;            ///< soft bodies whose model the scene leaves open, and that do not break
                           ///< before they are pulled to twice their length, are of model corot;
                           ///< where nothing else bends there are 120 steps a second
    double history_every;  ///< s of the scene between moments that are kept to go back to
    int64_t history_bytes; ///< that they may take: the farther back, the fewer are kept
    int32_t cookie;        ///< set by fr_live_def_default(); do not touch
} FrLiveDef;

/// As a run would have it; a moment every quarter of a second, 256 MiB of them.
FR_API FrLiveDef fr_live_def_default(void);

/// Read, mesh and fill. FR_BAD_INPUT: all mistakes of the scene, with their places.
FR_API FrResult fr_live_open(FrContext *ctx, const FrLiveDef *def, FrLive **live);
FR_API void fr_live_close(FrLive *live); ///< accepts NULL; after its snapshots or before them

/// What a hand does.
typedef enum FrInputKind {
    FR_INPUT_GRAB = 1, ///< a spring from a point of `body` to `to`, held by `hand`
    FR_INPUT_NAIL,     ///< the same, so stiff that it holds fast
    FR_INPUT_MOVE,     ///< `hand` goes to `to`
    FR_INPUT_LET_GO,   ///< `hand` lets go
    FR_INPUT_STRIKE,   ///< the impulse `v` (N s) at a point of `body`
    FR_INPUT_SPAWN,    ///< a new body: `word` says of what shape, `material` of what, `amount` how
                       ///< large (m), with its middle at `to`, flying with `v` (m/s)
    FR_INPUT_DELETE,   ///< `body` goes
    FR_INPUT_MATERIAL, ///< the constant `word` of the material of `body` becomes `amount`
    FR_INPUT_GRAVITY,  ///< becomes `v` (m/s^2)
    FR_INPUT_CUT,      ///< the piece of `body` at the place is cut along the plane through it with
                       ///< the normal `v`, whatever it stands (fr_body_cut)
    FR_INPUT_PART,     ///< the joint that is nearest to `at` comes apart
    FR_INPUT_TWIST,    ///< `hand` turns `body` as fast as `v` (rad/s) says, as well as it can,
                       ///< until it lets go or twists another way
    FR_INPUT_READY,    ///< from now on blows may break `body`: by itself, see fr_live_use_kitchen
    FR_INPUT_KINDS     ///< how many, plus 1
} FrInputKind;

/// Something that a hand does, and when. Zeros are good defaults. Plain data: it may be copied and
/// kept.
typedef struct FrInput {
    int64_t tick;      ///< it is done before the step that leads away from this tick; earlier than
                       ///< now: before the next step
    FrInputKind kind;  ///< what is done
    int32_t hand;      ///< any number; a hand holds one thing
    FrBodyId body;     ///< which it is done to
    FrPoint point;     ///< of its mesh, with `has_point`
    bool has_point;    ///< else the point of it that is at `at`
    FrVec3 at;         ///< m, world
    FrVec3 to;         ///< m, world
    FrVec3 v;          ///< as its kind says
    double amount;     ///< as its kind says; of a grab a factor on its strength, 0: 1
    char word[16];     ///< a shape or a constant
    char material[40]; ///< of the library
} FrInput;

/// The shapes that can be spawned, and the constants of materials that can change: NULL after the
/// last. Static.
FR_API const char *fr_live_shape(int32_t k);
FR_API const char *fr_live_constant(int32_t k); ///< likewise
/// What a constant of a material is now, for a slider. False: there is none of that name.
FR_API bool fr_live_constant_of(const FrMaterial *material, const char *word, double *value);

/// Do it, at its tick. FR_BAD_USE: it cannot be done (a stale body, a hand that holds nothing, an
/// unknown word), and nothing happened. What was done is logged. What still waited (after
/// fr_live_rewind, or from a file) is dropped: from here on there is another story.
FR_API FrResult fr_live_input(FrLive *live, const FrInput *input);

/// Whole macro steps, one after the other, until `budget` s of wall time are over or `most` are
/// done (`done`, may be NULL: how many). At least one, if `most` is above 0. The budget decides how
/// many steps there are, never what is in them. FR_NUMERICAL: it broke down; go back, or close it.
FR_API FrResult fr_live_advance(FrLive *live, double budget, int32_t most, int32_t *done);

FR_API int64_t fr_live_tick(const FrLive *live);  ///< macro steps since the start
FR_API double fr_live_step(const FrLive *live);   ///< the macro step, s
FR_API uint64_t fr_live_hash(const FrLive *live); ///< fr_world_hash; 0: no memory
/// What happened since this was asked last (it is kept until then): valid until the next step. What
/// is stepped again to go back is not told again.
FR_API const FrEvent *fr_live_events(FrLive *live, int64_t *count);

/// Makes in a thread of its own what blows on bodies that shatter are judged by, which takes
/// seconds, and keeps it for when the same shape comes again. Several scenes may use it, one after
/// the other or side by side, if one thread steps them all.
typedef struct FrKitchen FrKitchen;
/// It holds some 512 MiB at most.
FR_API FrResult fr_kitchen_create(FrContext *ctx, FrKitchen **kitchen);
FR_API void fr_kitchen_destroy(FrKitchen *kitchen); ///< accepts NULL; after its scenes
/// Make what is wanted most (cooking thread). False: nothing is. `ctx`: of that thread; it has to
/// live longer than the scenes.
FR_API bool fr_kitchen_cook(FrKitchen *kitchen, FrContext *ctx);
/// Before the first step: from now on nothing of the scene breaks that is not cooked yet, instead
/// of holding up the step. When it is, that is an input (FR_INPUT_READY), so that a replay breaks
/// the same at the same tick. FR_BAD_USE: it has stepped, or is a replay of a scene without one.
FR_API FrResult fr_live_use_kitchen(FrLive *live, FrKitchen *kitchen);
/// How many bodies are not cooked yet.
FR_API int32_t fr_live_raw(const FrLive *live);

/// Be where it was after so many steps: from the nearest moment that was kept, and steps from
/// there. What hands did later waits, and is done again if nobody does anything else. FR_BAD_USE:
/// that is not behind.
FR_API FrResult fr_live_rewind(FrLive *live, int64_t tick);
FR_API void fr_live_drop_waiting(FrLive *live);     ///< what waits is not done
FR_API int32_t fr_live_waiting(const FrLive *live); ///< how many inputs wait

/// The scene by its path, its settings, all inputs and what they led to, as JSON: fr_live_replay
/// comes to the same hash.
FR_API FrResult fr_live_save_inputs(const FrLive *live, const char *path);
/// Open the scene of such a file, with its inputs waiting. `end`, `hash` (may be NULL): up to where
/// it went, and fr_live_hash there. FR_BAD_INPUT: file:line:column, what is wrong.
FR_API FrResult fr_live_replay(FrContext *ctx, const char *path, FrLive **live, int64_t *end,
                               uint64_t *hash);

/// Do such inputs again into a recording (`path`, run.fracas): for fr_job_sound, fr_job_render and
/// fr_job_export. A warning says if it does not come to the same hash. FR_INTERRUPTED after
/// fr_context_cancel.
FR_API FrResult fr_live_record(FrContext *ctx, const char *inputs, const char *path);

/// A knob of the scene. All borrowed.
typedef struct FrParam {
    const char *name; ///< as in --set
    const char *help; ///< "": none
    const char *unit; ///< of its numbers: "m"; "": a plain number
    bool is_number;   ///< else `word` is its value
    double value;     ///< SI; angles in degrees
    double min, max;  ///< FR_CHOSEN: no bound
    const char *word; ///< its value as the scene would say it
    int32_t choices;  ///< values that it can have; 0: any
    int32_t choice;   ///< which of them it has; -1: none
} FrParam;
FR_API int32_t fr_live_param_count(const FrLive *live); ///< of the scene
/// Knob k in [0, fr_live_param_count()).
FR_API FrParam fr_live_param(const FrLive *live, int32_t k);
/// Value i of knob k, as --set takes it.
FR_API void fr_live_param_choice(const FrLive *live, int32_t k, int32_t i, char text[64]);

/// Where a picture is taken from.
typedef struct FrViewpoint {
    FrVec3 eye, target; ///< m
    double fov;         ///< vertical opening, rad
} FrViewpoint;
/// Where the scene wants to be seen from as it is now; else a place from which all of it is seen.
/// `aspect`: width / height of the picture.
FR_API FrResult fr_live_viewpoint(FrLive *live, double aspect, FrViewpoint *viewpoint);

/// All that is seen of one moment: a copy, which stays as it is while the scene goes on.
typedef struct FrMoment {
    FrFrameView view;          ///< all bodies
    const FrTouchPoint *touch; ///< (touch_count)
    int32_t touch_count;       ///< of them
    const FrTie *tie;          ///< (tie_count)
    int32_t tie_count;         ///< of them
    const bool *asleep;        ///< of each body of the view
    FrEnergy energy;           ///< of all bodies together
    FrVec3 gravity;            ///< m/s^2
    double step;               ///< the macro step, s
    double seconds;            ///< that the last macro step took, of wall time
    int64_t contacts;          ///< answered since the start
    const FrBox *box;          ///< by which contact finds bodies, some levels down (box_count)
    int32_t box_count;         ///< of them
    FrWorldStats stats;        ///< since the start
    int32_t tets, nodes;       ///< of all bodies
    int32_t waiting;           ///< inputs
} FrMoment;

/// Room for such a copy, with a context of its owner. Meshes are shared between snapshots of a
/// scene, and copied only when they change.
typedef struct FrSnapshot FrSnapshot;
FR_API FrResult fr_snapshot_create(FrContext *ctx, FrSnapshot **snapshot); ///< empty
FR_API void fr_snapshot_destroy(FrSnapshot *snapshot);                     ///< accepts NULL
/// Copy the present moment; `fields`: with loads and plastic strains, which take time.
FR_API FrResult fr_live_snapshot(FrLive *live, FrSnapshot *snapshot, bool fields);
/// What was copied: valid until the next copy into it.
FR_API const FrMoment *fr_snapshot_moment(const FrSnapshot *snapshot);

/// What a ray meets first in a view, planes included: what a pointer points at. False: nothing.
FR_API bool fr_view_ray(const FrFrameView *view, const FrRay *ray, FrRayHit *hit);
/// Where a point of a body of a view is now, m. `index`: of the view.
FR_API FrVec3 fr_view_point(const FrFrameView *view, int32_t index, const FrPoint *point);

/// A finished or growing recording, frame by frame.
typedef struct FrPlayback FrPlayback;
FR_API FrResult fr_playback_open(FrContext *ctx, const char *path,
                                 FrPlayback **playback);               ///< a file
FR_API void fr_playback_close(FrPlayback *playback);                   ///< accepts NULL
FR_API int32_t fr_playback_frames(const FrPlayback *playback);         ///< how many there are
FR_API double fr_playback_time(const FrPlayback *playback, int32_t k); ///< of frame k, s
/// Frame k; valid until the next call.
FR_API FrResult fr_playback_frame(FrPlayback *playback, int32_t k, const FrFrameView **view);
/// A place from which the whole action is seen; `aspect` as above.
FR_API FrResult fr_playback_viewpoint(FrPlayback *playback, double aspect, FrViewpoint *viewpoint);

FR_EXTERN_C_END
