// penalty.h: contact forces from overlaps: push, damp and rub, with the reaction on both sides [S6
// ch. 5, M11].
#pragma once
#include "contact/contact.h"

/// How the response sees one item: as something that has a velocity, an inverse mass and takes
/// forces.
typedef struct FrMover {
    void *state;
    FrVec3 (*velocity)(const void *state, FrPoint at, FrVec3 x);     ///< m/s
    double (*inverse_mass)(const void *state, FrPoint at, FrVec3 x); ///< 1/kg; 0: immovable
    void (*force)(void *state, FrPoint at, FrVec3 x, FrVec3 force);  ///< N
    /// Bodies of tets may show their arrays instead; velocity and force are then not called for
    /// points in tets. All four or none.
    const int32_t (*tet)[4];
    const double *p, *v;  ///< of nodes, m and m/s
    double *f;            ///< added forces of nodes, N
    const uint8_t *crumb; ///< 1: the tet is of a small rigid piece; NULL: none is
    const int32_t *rigid; ///< with `soft`: which rigid piece a tet is of, plus 2
    const double *soft;   ///< factor on the stiffness of contacts of rigid pieces; NULL: 1
    double lag;           ///< s by which forces on it act late; contacts reckon with that
    double young;         ///< Pa; stiffness scale of its material; 0: rigid, take the other's
    double edge;          ///< mean edge, m; 0: take the other's
    double node_mass;     ///< mean node mass, kg; 0: take the other's
    double wall;          ///< its thickness if it is a wall, m; 0: take the other's
    bool slow;            ///< it comes to rest: no blows any more
    double friction_static, friction_dynamic, restitution; ///< combined by geometric mean
} FrMover;

/// Tangential over normal stiffness of a contact that sticks; 2/3 is about Mindlin's ratio for like
/// solids.
#define FR_TANGENTIAL (2.0 / 3.0)

/// What steps as long as contacts allow have to know of a contact of rigid pieces that are wedged;
/// 0 of others.
typedef struct FrEase {
    /// With all else that they touch they swing no faster than the root of this, 1/s^2. Below 0:
    /// neither side moves, or can: the contact does nothing and stays as it is.
    double w2;
    double mass; ///< kg: a part of them that all their contacts may stop at once
} FrEase;

typedef struct FrPenaltyOptions {
    double stiffness;   ///< factor on 0.5 E/h (1)
    double damping;     ///< factor on the default damping time (1)
    bool conservative;  ///< k vol N instead of k vol n (E27): gives back what it took from a body
                        ///< that moves without turning
    double stick_speed; ///< m/s below which static friction holds (1e-3)
    double rolling;     ///< lever arm of what rigid pieces roll on, m (5e-4)
    double share;       ///< factor on all forces: the time for which they act, in steps (1)
    /// For fr_penalty_step, of each contact (contact count; NULL: steps are much shorter than what
    /// swings on contacts).
    const FrEase *ease;
} FrPenaltyOptions;
FrPenaltyOptions fr_penalty_options_default(void);

/// What one contact did, for the ledger and the events.
typedef struct FrContactForce {
    FrVec3 force;     ///< on a, N
    double normal;    ///< N
    double v_n, v_t;  ///< closing and sliding speed, m/s
    double stiffness; ///< N/m, for the step bound
} FrContactForce;

/// How far contacts have been sheared since they took hold, which makes static friction hold still,
/// and how firm they have become.
typedef struct FrStick FrStick;
FrResult fr_stick_create(FrContext *ctx, FrStick **stick);
void fr_stick_destroy(FrStick *stick); ///< accepts NULL
/// Back to before the last fr_penalty_step, once; for steps that are taken back.
void fr_stick_undo(FrStick *stick);
/// An item of the contact scene is gone.
void fr_stick_forget(FrStick *stick, int32_t item);
/// All of it is state: it belongs into checkpoints.
void fr_stick_save(const FrStick *stick, FrWriter *writer);
FrResult fr_stick_load(FrStick *stick, FrReader *reader);

/// Contacts that are to be pushed apart, and whose they are. All borrowed.
typedef struct FrMeeting {
    const FrContactList *contacts;
    const FrMover *movers; ///< by item
    const int32_t *items;  ///< ascending; those given to fr_contact_detect (item_count)
    int32_t item_count;
} FrMeeting;

/// Apply forces to both sides of every contact. `force` (count of the contacts) is filled. Static
/// friction holds: each contact is a tangential spring that slips at Coulomb's bound. Contacts of
/// this call's items (ascending; those given to fr_contact_detect) that are gone are forgotten; of
/// other items they are kept. FR_NO_MEMORY: no force was applied.
FrResult fr_penalty_step(const FrMeeting *meeting, const FrPenaltyOptions *options, double dt,
                         FrStick *stick, FrContactForce *force);

/// How many times stiffer than at first a contact is by now: those of slow bodies that stay deep
/// get firmer, but of rigid pieces, whose friction gives way. 1: as at first, or not known.
double fr_stick_firmness(const FrStick *stick, const FrContact *contact, const FrMover *movers);

/// Stable step for the stiffest contact a body of this kind can get, s.
double fr_penalty_dt_limit(const FrMover *a, const FrMover *b, const FrPenaltyOptions *options);

/// Stiffness of a new contact against moving in, N/m; not of the conservative kind.
double fr_penalty_stiffness(const FrContact *contact, const FrMover *movers,
                            const FrPenaltyOptions *options);

/// A new contact as a spring, for those who take it implicitly.
typedef struct FrPenaltySpring {
    FrVec3 n;         ///< unit, pushes a
    double push;      ///< N, where the two are shown
    double stiffness; ///< N/m
    double mu_s, mu_d;
} FrPenaltySpring;
FrPenaltySpring fr_penalty_spring(const FrContact *contact, const FrMover *movers,
                                  const FrPenaltyOptions *options);

/// Damping ratio (of critical) of a linear spring and dashpot that never pulls, for a restitution
/// in [0, 1]; at most 1, which bounces with 0.135.
double fr_penalty_damping_ratio(double restitution);
