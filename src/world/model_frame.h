// model_frame.h: what the rows of rigid frames share: the state of one, and its functions.
#pragma once
#include "modal/bend.h"
#include "rigid/rigid.h"
#include "world/model.h"
#include "world/track.h"

typedef struct FrFrameBody {
    FrContext *ctx;
    FrRigid rigid, backup;
    FrVec3 start; ///< centre of mass before its track, m; in the axes of its holds
    FrQuat start_turn;
    struct FrShatterHold *hold; ///< what holds it (hold_count); lists and tracks are borrowed
    int32_t hold_count;
    FrVec3 start_v, start_spin; ///< of one that is let go, m/s, rad/s
    FrVec3 offset;              ///< centre of mass in mesh coordinates, m
    bool kinematic;
    FrTrack track;
    int32_t node_count, tet_count;
    double *rest;  ///< nodes about the centre of mass, body axes, m (3 * node_count)
    double *p, *v; ///< where they are now (3 * node_count)
    int32_t (*tet)[4];
    FrContactTraits traits;
    double volume;                                   ///< m^3
    double contact_work, outer_work, backup_work[2]; ///< as of FrFrameParts, J
    FrVec3 outer_impulse, backup_impulse;            ///< of gravity and what nothing moves, N s
    struct FrShatter *shatter;                       ///< NULL: no blow breaks it
    struct FrTurning *turning; ///< its spin acts on its modes; NULL: it does not
    FrBend *bend;              ///< modes on top of the frame; NULL: none
} FrFrameBody;

FrResult fr_frame_body_create(FrContext *ctx, const FrBodyDef *def, void **state);
void fr_frame_body_destroy(void *state);
double fr_frame_body_dt_limit(void *state);
FrResult fr_frame_body_step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                            int32_t *failed);
void fr_frame_body_view(const void *state, FrShapeView *view);
bool fr_frame_body_pose(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                        FrVec3 *spin);
FrVec3 fr_frame_body_velocity(const void *state, FrPoint at, FrVec3 x);
double fr_frame_body_inverse_mass(const void *state, FrPoint at, FrVec3 x);
void fr_frame_body_force(void *state, FrPoint at, FrVec3 x, FrVec3 force);
void fr_frame_body_note_kinematic(void *state, double work);
void fr_frame_body_traits(const void *state, FrContactTraits *traits);
void fr_frame_body_backup(void *state);
void fr_frame_body_restore(void *state);
FrStepWatch fr_frame_body_watch(const void *state);
void fr_frame_body_energy(void *state, FrVec3 gravity, FrEnergy *energy);
void fr_frame_body_momentum(const void *state, FrVec3 *linear, FrVec3 *angular);
void fr_frame_body_impulse(const void *state, FrVec3 *impulse, double *mass);
void fr_frame_body_hash(const void *state, FrHash *hash);
void fr_frame_body_save(const void *state, FrWriter *writer);
FrResult fr_frame_body_load(void *state, FrReader *reader);

// of FrFrameOps
FrFrameParts fr_frame_body_parts(void *state);
void fr_frame_body_place(void *state);
bool fr_frame_body_travels(const void *state);
void fr_frame_body_follow(const void *state, double t, double dt, FrRigid *rigid);
void fr_frame_body_stay(void *state);
void fr_frame_body_set_free(void *state, bool fresh);
extern const FrFrameOps fr_frame_body_ops;

/// What all rigid frames have.
#define FR_FRAME_ROW                                                                               \
    .stepping = FR_STEPS_ROWS, .destroy = fr_frame_body_destroy,                                   \
    .dt_limit = fr_frame_body_dt_limit, .step = fr_frame_body_step, .view = fr_frame_body_view,    \
    .pose = fr_frame_body_pose, .velocity = fr_frame_body_velocity,                                \
    .inverse_mass = fr_frame_body_inverse_mass, .force = fr_frame_body_force,                      \
    .note_kinematic = fr_frame_body_note_kinematic, .traits = fr_frame_body_traits,                \
    .backup = fr_frame_body_backup, .restore = fr_frame_body_restore,                              \
    .watch = fr_frame_body_watch, .energy = fr_frame_body_energy,                                  \
    .momentum = fr_frame_body_momentum, .impulse = fr_frame_body_impulse,                          \
    .hash = fr_frame_body_hash, .save = fr_frame_body_save, .load = fr_frame_body_load,            \
    .frame = &fr_frame_body_ops
