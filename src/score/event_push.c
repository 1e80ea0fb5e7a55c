// event_push.c: events as pushes on what rings: one rule for recordings and for live scenes.

#include "score/event_push.h"
#include "math/vec.h"
#include "sound/ringer.h"

/// Rolling is smoother than sliding, by this factor.
#define ROLLING 0.2
/// Part of the closing speed that comes back, where nothing else is known, 1.
#define BOUNCE 0.5

static bool impact_push(const FrEvent *e, FrEventPush *push) {
    double v = e->u.impact.v_n;
    if (!(v > FR_SLOWEST_TOUCH)) return false;
    FrHit hit = {.t = e->t,
                 .duration = fr_clamp(e->u.impact.duration, FR_SHORTEST_PUSH, FR_LONGEST_PUSH)};
    *push = (FrEventPush){e->u.impact.x, e->u.impact.impulse, v, hit};
    return true;
}

// Samples follow one another: each swells over its span and fades over the next, so that noises of
// neighbours add up to an even power.
static bool contact_push(const FrEvent *e, FrEventPush *push) {
    double slip = fr_length(e->u.contact.slip), roll = fr_length(e->u.contact.roll);
    double speed = fr_max(slip, roll), smooth = slip >= roll * ROLLING ? 1.0 : ROLLING;
    if (!(speed > FR_SLOWEST_TOUCH) || !(e->u.contact.span > 0.0)) return false;
    FrHit hit = {.t = fr_max(e->t - 0.5 * e->u.contact.span, 0.0),
                 .duration = 2.0 * e->u.contact.span,
                 .fade = e->u.contact.span,
                 .cutoff = speed / FR_SURFACE_GRAIN};
    *push = (FrEventPush){e->u.contact.x, fr_scale(smooth, e->u.contact.force), 0.0, hit};
    return true;
}

bool fr_event_push(const FrEvent *e, FrEventPush *push) {
    if (e->kind == FR_EVENT_IMPACT) return impact_push(e, push);
    return e->kind == FR_EVENT_CONTACT && contact_push(e, push);
}

FrBlowDef fr_event_blow(FrVec3 impulse, double duration, double speed) {
    double size = fr_length(impulse);
    return (FrBlowDef){fr_scale(1.0 / size, impulse),
                       {size, duration},
                       (1.0 + BOUNCE) * speed / size,
                       0.25 * size * speed / (1.0 + BOUNCE)};
}
