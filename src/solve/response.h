// response.h: the parts of a contact's answer that penalty.c and stick.c share.
#pragma once
#include "solve/penalty.h"

/// Constants of a pair of items.
typedef struct FrPairLaw {
    int32_t a, b;
    double k;       ///< k_err, N/m^3
    double h;       ///< m
    double k_area;  ///< conservative: k_err / area of a face, N/m^5
    double damping; ///< damping time t_d, s
    double slide;   ///< damping time of the tangential spring, s
    double slack;   ///< m: overlaps that stay deeper than this get firmer
    double mu_s, mu_d;
} FrPairLaw;

/// A contact seen by the response.
typedef struct FrTouch {
    FrVec3 n;         ///< unit, pushes a
    FrVec3 w, w_t;    ///< velocity of a against b, and its part across n, m/s
    double v_t;       ///< |w_t|, m/s
    double push;      ///< of the overlap, N
    double drag;      ///< of the dashpot against it, N
    double late;      ///< what `push` falls by until it acts, N
    double normal;    ///< push - drag - late, N, >= 0
    double stiffness; ///< of the normal force, N/m
} FrTouch;

FrPairLaw fr_pair_law(const FrContact *contact, const FrMover *movers,
                      const FrPenaltyOptions *options);
/// `ease`: for a step of dt; NULL: not known.
FrTouch fr_touch(const FrContact *contact, const FrPairLaw *law, const FrMover *movers,
                 const FrPenaltyOptions *options, const FrEase *ease, double dt);
/// What is found of one contact before forces are put on it.
typedef struct FrSeen {
    FrPairLaw law;
    FrTouch touch;
} FrSeen;

/// Put the force on both sides and fill the record.
void fr_touch_apply(const FrContact *contact, const FrTouch *touch, FrVec3 friction, double share,
                    const FrMover *movers, FrContactForce *force);
/// Moments against spin and rolling on rigid pieces (brake.c); `turned`: by how much a turned
/// against b since the contact took hold, less what slipped, rad.
void fr_touch_brake(const FrContact *contact, const FrSeen *seen, const FrMover *movers,
                    const FrPenaltyOptions *options, double dt, FrVec3 *turned);
/// Does the point lie in a rigid piece of a body that broke?
bool fr_is_crumb(const FrMover *mover, FrPoint at);
