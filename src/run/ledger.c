// ledger.c: how well the energies of a recording add up, and what of the rest is rounding.

#include "run/ledger.h"
#include "fem/element.h"
#include "math/vec.h"
#include <float.h>
#include <stdlib.h>

// the most elastic energy that a deformable body holds when each of its nodes is off by d m:
// u.Ku/2, and u.Ku <= w^2 u.Mu element by element, with the bound on frequencies that steps are
// chosen by [M3]
static double stored_by(const FrBodyView *view, double d) {
    double sum = 0.0;
    for (int32_t e = 0; e < view->mesh->tet_count; e++) {
        FrVec3 x[4];
        FrElement element;
        for (int i = 0; i < 4; i++) x[i] = fr_get3(view->mesh->x, view->mesh->tet[e][i]);
        if (!fr_element_make(x, &element)) continue;
        double mass = view->material.density * element.volume;
        sum += 0.5 * fr_element_w2(&element, &view->material) * mass * d * d;
    }
    return sum;
}

static double farthest(const FrBodyView *view, const FrBodyFrame *frame) {
    double far2 = 0.0;
    for (int32_t n = 0; n < view->mesh->node_count; n++)
        far2 = fr_max(far2, fr_length2(fr_get3(frame->p, n)));
    return sqrt(far2);
}

// Places are kept to DBL_EPSILON of their distance from the origin, and every step rounds them
// anew: the deforming part gets so much energy by that, once a step at most. Where nothing moves
// there is no other, and the ledger, which cannot know it, is off by more than all there ever was.
static double rounding_of(const FrFrameView *view, double steps) {
    double sum = 0.0;
    for (int32_t b = 0; b < view->body_count; b++)
        if (view->body[b].deforms && view->body[b].mesh && view->frame[b].p)
            sum +=
                stored_by(&view->body[b], DBL_EPSILON * farthest(&view->body[b], &view->frame[b]));
    return steps * sum;
}

FrResult fr_energy_ledger(FrRecording *recording, const FrEnergyRow *row, int32_t count,
                          FrLedger *ledger) {
    *ledger = (FrLedger){0};
    for (int32_t k = 0; k < count; k++) {
        FrEnergy e = {.kinetic = row[k].kinetic,
                      .elastic = row[k].elastic,
                      .plastic = row[k].plastic,
                      .fracture = row[k].fracture,
                      .dust = row[k].dust,
                      .damping = row[k].damping,
                      .contact = row[k].contact,
                      .external = row[k].external};
        fr_ledger_note(ledger, &e);
    }
    if (!fr_recording_info(recording)->frame_count) return FR_OK;
    const FrFrameView *view;
    const char *steps = fr_recording_meta(recording, "steps"); // NULL: still going
    FR_TRY(fr_recording_bare_frame(recording, 0, &view));
    ledger->rounding = rounding_of(view, fr_max(1.0, steps ? strtod(steps, NULL) : 1.0));
    return FR_OK;
}
