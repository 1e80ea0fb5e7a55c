// fracas/body.h: what callers do to bodies of a world: read and set their motion, push and grab
// them, look for them.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/world.h"

FR_EXTERN_C_BEGIN

// All of this is called between two steps. What a call gives a body or takes from it is booked as
// external work and impulse, so that energies and momenta still add up. Every call that takes an id
// answers FR_BAD_USE when it is stale. A frame here is a body that moves as a rigid frame, a solid
// one that deforms. Balls of models that are neither are moved and pushed as far as their row lets
// callers do so (`put` of world/model.h); they take no torque, and do not sleep.

/// How a body moves as a whole.
typedef struct FrBodyMotion {
    double mass;     ///< of its material, kg: without what left as dust
    FrVec3 centre;   ///< of mass, m
    FrQuat rotation; ///< of a frame: axes of its mesh to world axes; of a solid: the identity
    FrVec3 velocity; ///< of the centre, m/s
    FrVec3 spin;     ///< rad/s, world axes; of a solid: of the rigid motion that turns as much
} FrBodyMotion;

/// Read it.
FR_API FrResult fr_body_motion(FrWorld *world, FrBodyId body, FrBodyMotion *motion);

/// Put a body elsewhere: its centre of mass goes to `centre`. A frame gets this rotation; a solid
/// is turned by it, about its centre, from how it is now. Velocity and spin stay. A kinematic frame
/// stays where it is put. What rested on it wakes; nothing is done about overlaps. FR_BAD_USE: it
/// follows a track, or nodes of it are supported; a value is not finite, the rotation not of unit
/// length.
FR_API FrResult fr_body_set_place(FrWorld *world, FrBodyId body, FrVec3 centre, FrQuat rotation);

/// Give it another velocity of the centre of mass and another spin. Of a solid the rigid part of
/// its motion is replaced; what swings goes on. FR_BAD_USE: it is kinematic, or supported.
FR_API FrResult fr_body_set_velocity(FrWorld *world, FrBodyId body, FrVec3 velocity, FrVec3 spin);

/// Push with a force (N) during the next macro step, at a place in the world. It stays with the
/// point of the body that is there; of a solid with the nearest one. Forces add up, and end with
/// the step. A frame gets force times step as an impulse when the step begins. FR_BAD_USE: it is
/// kinematic.
FR_API FrResult fr_body_add_force(FrWorld *world, FrBodyId body, FrVec3 at, FrVec3 force);

/// The same with a torque (N m) about the centre of mass. A solid gets forces on all of its nodes
/// that turn it without bending it.
FR_API FrResult fr_body_add_torque(FrWorld *world, FrBodyId body, FrVec3 torque);

/// An impulse (N s) at once, at a place in the world. A solid gets it on the nodes of the tet
/// there: a tap of a sharp hammer, where a force, or a load on more nodes, pushes more gently.
/// Supports take what falls on supported nodes; a piece that had settled deforms, and may break.
/// FR_BAD_USE: it is kinematic.
FR_API FrResult fr_body_add_impulse(FrWorld *world, FrBodyId body, FrVec3 at, FrVec3 impulse);

/// Bring heat (J; below 0: take it) at once, as a brush does: to nodes within `radius` m of a place
/// in the world, most in the middle; where there is none, to the nearest. FR_BAD_USE: the body is
/// not of model corot, or its material does not get warm (heat_capacity).
FR_API FrResult fr_body_heat(FrWorld *world, FrBodyId body, FrVec3 at, double radius,
                             double energy);
/// How warm the nearest node is, degrees C; 20 where its material does not get warm.
FR_API FrResult fr_body_temperature(FrWorld *world, FrBodyId body, FrVec3 at, double *temperature);

/// Points at which a pull may act.
#define FR_PULL_POINTS 4

/// What a grab does to its point.
typedef enum FrPullKind {
    FR_PULL_SPRING,       ///< pulls it to the target by a damped spring
    FR_PULL_PLACE,        ///< it is at the target at the end of each step [S1 eq. 15, E32]
    FR_PULL_VELOCITY,     ///< it moves with `value` then [S1 eq. 14]
    FR_PULL_ACCELERATION, ///< it is accelerated by `value` [S1 eq. 13]
} FrPullKind;

/// A damped spring from a point of a body to a target that a caller moves, or whatever forces it
/// takes that the point does as it is told. Start from
/// fr_grab_def_default(). The body gets -stiffness * (point - target) - damping * velocity, taken
/// at the end of each step (implicitly), so that no stiffness is too large: of steps that cannot
/// follow it the spring becomes softer and more damped.
typedef struct FrGrabDef {
    FrBodyId body;    ///< not kinematic
    FrVec3 at;        ///< m, world: the point that is there now; of a solid the nearest one
    FrVec3 target;    ///< m, world
    double stiffness; ///< N/m
    double damping;   ///< N s/m, against the velocity of the point
    double max_force; ///< N: a spring never pulls harder; INFINITY: as hard as it takes
    FrPullKind kind;  ///< a spring, or exactly. Exactly is for frames, in one system with what
                      ///< touches and joins them; a solid is pulled to a place by a spring as stiff
                      ///< as its steps can follow
    FrVec3 value;     ///< of a velocity m/s, of an acceleration m/s^2
    const FrVec3 *by; ///< places in the world at which the forces of an exact one act instead of at
                      ///< the point itself [S1's phi] (by_count); copied
    int32_t by_count; ///< of them, FR_PULL_POINTS at most
    FrTrack track;    ///< that the target follows from where it is; empty: it stays. Copied
    double until;     ///< s: it lets go then. INFINITY: never
    int32_t cookie;   ///< set by fr_grab_def_default(); do not touch
} FrGrabDef;

/// Names a grab of a world; zero is null, never used twice.
typedef struct FrGrabId {
    int32_t index1; ///< 1-based
} FrGrabId;

/// 100 N/m and 10 N s/m at the origin, as hard as it takes.
FR_API FrGrabDef fr_grab_def_default(void);

/// Grab a body. It stays awake while it is grabbed, and its pieces do not settle: the one that is
/// grabbed deforms, and can be torn. The grab goes when the body does, and checkpoints have it.
/// FR_BAD_USE: the body is kinematic, a value is not finite or below 0.
FR_API FrResult fr_grab_create(FrWorld *world, const FrGrabDef *def, FrGrabId *grab);

/// Another target, m, world. FR_BAD_USE: it is gone, or the target is not finite.
FR_API FrResult fr_grab_move(FrWorld *world, FrGrabId grab, FrVec3 target);

/// How an exact grab went in the last step.
typedef struct FrGrabReport {
    FrVec3 force;       ///< that it took, N: of the last substep
    int32_t rank, rows; ///< of the system with all exact grabs of bodies that touch: with fewer
                        ///< ranks than rows, targets depend on each other, or modes are too few
    double left;        ///< by how much the system missed its targets, m/s
} FrGrabReport;

/// Read it. FR_BAD_USE: it is gone already.
FR_API FrResult fr_grab_report(FrWorld *world, FrGrabId grab, FrGrabReport *report);

/// Let go. FR_BAD_USE: it is gone already.
FR_API FrResult fr_grab_destroy(FrWorld *world, FrGrabId grab);

/// A straight line to look along.
typedef struct FrRay {
    FrVec3 from;   ///< m
    FrVec3 along;  ///< its direction, any length above 0
    double length; ///< m; INFINITY: for ever
} FrRay;

/// What a ray meets first.
typedef struct FrRayHit {
    FrBodyId body;   ///< null: nothing; planes have ids too (FrBodyView.id)
    FrPoint at;      ///< of a body of tets; of others tet is -1
    FrVec3 x;        ///< m, world
    FrVec3 normal;   ///< unit, out of the body
    double distance; ///< from where the ray begins, m
} FrRayHit;

/// Which surface a ray enters first, as bodies and planes are now. What it begins in does not
/// count. FR_BAD_USE: it has no direction, or a value is not finite.
FR_API FrResult fr_world_ray(FrWorld *world, const FrRay *ray, FrRayHit *hit);

/// Bodies (not planes) that reach into a box, in the order of their births: the first `room` of
/// them into `body` (NULL: none), and how many there are into `count`.
FR_API FrResult fr_world_overlap_box(FrWorld *world, FrBox box, FrBodyId *body, int32_t room,
                                     int32_t *count);

/// The same for a ball of this radius, m.
FR_API FrResult fr_world_overlap_sphere(FrWorld *world, FrVec3 centre, double radius,
                                        FrBodyId *body, int32_t room, int32_t *count);

/// A place where bodies push each other.
typedef struct FrTouchPoint {
    FrBodyId a, b; ///< b null: a plane
    FrVec3 x;      ///< m
    FrVec3 force;  ///< on a, N
} FrTouchPoint;

/// Where bodies touch now: the first `room` of the places into `touch` (NULL: none), and how many
/// there are into `count`. Between rigid frames each point with its force in the last substep;
/// otherwise one place for two bodies, with the mean force since they met.
FR_API void fr_world_touch_points(FrWorld *world, FrTouchPoint *touch, int32_t room,
                                  int32_t *count);

/// Two points that something joins.
typedef struct FrTie {
    FrVec3 a, b;      ///< m; of a hinge or a ball: of the one and of the other, nearly the same
    bool hand;        ///< a grab: from the point that is held to where it is pulled; else a joint
    FrJointKind kind; ///< of a joint
    FrJointId joint;  ///< that it is; null: a grab
} FrTie;

/// Joints, then grabs, likewise.
FR_API void fr_world_ties(FrWorld *world, FrTie *tie, int32_t room, int32_t *count);

/// How far out each mode of a modal body is now (FrBodyFrame.z): the first `room` of them into `z`
/// (NULL: none), and how many there are into `count`; 0 of other models.
FR_API FrResult fr_body_modes(FrWorld *world, FrBodyId body, double *z, int32_t room,
                              int32_t *count);

/// Where the points of a body's skin are now, m, world: x y z each of the first `room` points into
/// `place` (NULL: none), and how many there are into `count`. Of a body without a finer surface,
/// or that is cut, its nodes. FR_BAD_USE: it has no tets.
FR_API FrResult fr_body_skin(FrWorld *world, FrBodyId body, float *place, int32_t room,
                             int32_t *count);

/// Keep a pointer with a body. The world does nothing with it; checkpoints do not have it.
FR_API FrResult fr_body_set_user(FrWorld *world, FrBodyId body, void *user);

/// The pointer that was set; NULL: none was.
FR_API FrResult fr_body_get_user(FrWorld *world, FrBodyId body, void **user);

/// It moves from now on, if it slept or rested.
FR_API FrResult fr_body_wake(FrWorld *world, FrBodyId body);

/// A free frame stops and sleeps until something comes near. So does a solid that is rigid pieces
/// only. A solid that deforms stops and rests where supports that never move carry all that deforms
/// of it, until something strikes it. FR_BAD_USE: a solid of which anything else deforms; it is
/// kinematic; its model has neither a frame nor nodes.
FR_API FrResult fr_body_sleep(FrWorld *world, FrBodyId body);

/// Does it sleep, or rest?
FR_API FrResult fr_body_asleep(FrWorld *world, FrBodyId body, bool *asleep);

/// Another material for one of a body's, by its number in FrBodyDef.material. Friction, restitution
/// and damping (alpha1, alpha2, phi, psi, eta) may differ from what it has. Contact takes friction
/// and restitution of the first; alpha2, phi and psi of each are what its part of a solid feels.
/// Density, stiffness, strength, yielding and crack_alpha cannot change: masses, steps, rest shape
/// and what broke so far follow from them; make another body. FR_BAD_USE: one of them differs (the
/// message names it), or there is no such number.
FR_API FrResult fr_body_set_material(FrWorld *world, FrBodyId body, int32_t index,
                                     const FrMaterial *material);

/// Another gravity, m/s^2; everything wakes, and what had settled deforms. FR_BAD_USE: it is not
/// finite.
FR_API FrResult fr_world_set_gravity(FrWorld *world, FrVec3 gravity);

/// Where fr_world_view has a body or plane; -1: nowhere. The other way round: FrBodyView.id.
FR_API int32_t fr_world_view_of(const FrWorld *world, FrBodyId body);

FR_EXTERN_C_END
