// world.c: making a world, and what is reported of it.

#include "world/world.h"
#include "world/world_tuning.h"

FrWorldDef fr_world_def_default(void) {
    FrPenaltyOptions contact = fr_penalty_options_default();
    return (FrWorldDef){.gravity = {0, 0, -9.81},
                        .step = FR_CHOSEN,
                        .step_safety = 0.9,
                        .energy_tolerance = 1e-4,
                        .contact_stiffness = contact.stiffness,
                        .contact_damping = contact.damping,
                        .stick_speed = contact.stick_speed,
                        .rolling = contact.rolling,
                        .frame_substeps = 4,
                        .sleep_time = 0.5,
                        .cookie = FR_COOKIE};
}

static FrResult check_def(FrContext *ctx, const FrWorldDef *def) {
    FR_NEED(ctx, def->cookie == FR_COOKIE, "start from fr_world_def_default()");
    if (!fr_vec3_finite(def->gravity)) return fr_fail(ctx, FR_BAD_USE, "gravity is not finite");
    if (!isnan(def->step) && !(def->step > 0.0 && def->step < 10.0))
        return fr_fail(ctx, FR_BAD_USE,
                       "the macro step is %g s; it must lie in (0, 10), or be FR_CHOSEN",
                       def->step);
    if (!(def->step_safety > 0.0 && def->step_safety < 1.0))
        return fr_fail(ctx, FR_BAD_USE, "step_safety is %g; it must lie in (0, 1)",
                       def->step_safety);
    if (!(def->substep >= 0.0 && isfinite(def->substep)))
        return fr_fail(ctx, FR_BAD_USE, "the substep is %g s; it must be 0 (chosen) or above",
                       def->substep);
    if (!(def->energy_tolerance > 0.0))
        return fr_fail(ctx, FR_BAD_USE, "energy_tolerance is %g; it must be above 0",
                       def->energy_tolerance);
    if (!(def->contact_stiffness > 0.0 && def->contact_damping >= 0.0))
        return fr_fail(ctx, FR_BAD_USE,
                       "contact stiffness %g must be above 0 and damping %g not below",
                       def->contact_stiffness, def->contact_damping);
    if (!(def->rolling >= 0.0 && def->rolling <= 1.0))
        return fr_fail(ctx, FR_BAD_USE, "rolling is %g m; it must lie in 0 to 1", def->rolling);
    if (def->frame_substeps < 1 || def->frame_substeps > 1000)
        return fr_fail(ctx, FR_BAD_USE, "frame_substeps is %d; it must lie in 1 to 1000",
                       def->frame_substeps);
    if (!(def->sleep_time >= 0.0))
        return fr_fail(ctx, FR_BAD_USE, "sleep_time is %g s; it must not be below 0",
                       def->sleep_time);
    return FR_OK;
}

FrResult fr_world_create(FrContext *ctx, const FrWorldDef *def, FrWorld **world) {
    FR_NEED_ALL(ctx, ctx && def && world);

    *world = NULL;
    FR_TRY(check_def(ctx, def));
    FrWorld *w = FR_NEW(ctx, FrWorld, 1);
    if (!w) return fr_no_memory(ctx, "a world");
    w->ctx = ctx;
    w->def = *def;
    w->step_chosen = isnan(def->step);
    if (w->step_chosen) w->def.step = 1.0 / FR_STEP_HZ;
    w->gravity = def->gravity;
    w->stats.dt_min = HUGE_VAL;
    FrContactOptions options = fr_contact_options_default();
    options.node_penetration = def->node_penetration;
    options.steps = 30.0; // soft bodies on a pile: mending boxes costs less than false candidates
    FrResult result = fr_contact_scene_create(ctx, &options, &w->scene);
    if (result == FR_OK) result = fr_stick_create(ctx, &w->stick);
    if (result == FR_OK) result = fr_frames_create(ctx, &w->frames);
    if (result != FR_OK) {
        fr_world_destroy(w);
        return result;
    }
    *world = w;
    return FR_OK;
}

void fr_world_free_load(FrContext *ctx, FrLoad *load) {
    fr_curve_free(ctx, &load->def.curve);
    fr_free(ctx, (void *)(uintptr_t)load->def.node);
    fr_free(ctx, (void *)(uintptr_t)load->def.tri);
    fr_free(ctx, load->tri_tet);
}

void fr_world_free_drive(FrContext *ctx, FrDrive *drive) {
    fr_track_free(ctx, &drive->track);
    fr_free(ctx, drive->node);
    fr_free(ctx, drive->start);
}

void fr_world_destroy(FrWorld *w) {
    if (!w) return;
    FrContext *ctx = w->ctx;
    for (int32_t k = 0; k < w->body.count; k++) fr_world_free_body(ctx, &w->body.data[k]);
    for (int32_t k = 0; k < w->plane.count; k++) fr_free(ctx, w->plane.data[k].name);
    for (int32_t k = 0; k < w->drive.count; k++) fr_world_free_drive(ctx, &w->drive.data[k]);
    for (int32_t k = 0; k < w->load.count; k++) fr_world_free_load(ctx, &w->load.data[k]);
    fr_contact_scene_destroy(w->scene);
    fr_frames_free(&w->frames);
    fr_world_free_external(w);
    fr_stick_destroy(w->stick);
    fr_contact_list_free(ctx, &w->now.contacts);
    fr_contact_list_free(ctx, &w->now.ahead);
    fr_array_free(ctx, &w->now.broken);
    fr_array_free(ctx, &w->now.borne);
    fr_array_free(ctx, &w->now.beyond);
    fr_array_free(ctx, &w->now.ease);
    fr_array_free(ctx, &w->now.ahead_ease);
    fr_array_free(ctx, &w->body);
    fr_array_free(ctx, &w->plane);
    fr_array_free(ctx, &w->drive);
    fr_array_free(ctx, &w->load);
    fr_array_free(ctx, &w->mover);
    fr_array_free(ctx, &w->item_body);
    fr_array_free(ctx, &w->now.force);
    fr_array_free(ctx, &w->touch);
    fr_array_free(ctx, &w->event);
    fr_array_free(ctx, &w->now.group_of);
    fr_array_free(ctx, &w->now.group_body);
    fr_array_free(ctx, &w->now.items);
    fr_array_free(ctx, &w->now.item_chosen);
    fr_array_free(ctx, &w->now.group);
    fr_array_free(ctx, &w->now.reach);
    fr_array_free(ctx, &w->now.together);
    fr_array_free(ctx, &w->now.together_body);
    fr_array_free(ctx, &w->model);
    fr_array_free(ctx, &w->criterion);
    fr_array_free(ctx, &w->now.chosen);
    fr_array_free(ctx, &w->shown.body_view);
    fr_array_free(ctx, &w->shown.body_frame);
    fr_world_samples_free(ctx, &w->shown.samples);
    fr_array_free(ctx, &w->shown.fields.value);
    fr_array_free(ctx, &w->shown.fields.load);
    fr_free(ctx, w);
}

/// Numbers of rows that are added begin here.
#define FIRST_ADDED 1000

FrResult fr_world_add_model(FrWorld *w, const FrModelOps *row, FrModel *model) {
    const char *flaw = fr_model_flaw(row);
    *model = (FrModel)(FIRST_ADDED + w->model.count);
    if (flaw) return fr_fail(w->ctx, FR_BAD_USE, "model %s: %s", row->name ? row->name : "?", flaw);
    return fr_array_push(w->ctx, &w->model, row) ? FR_OK : fr_no_memory(w->ctx, "a model");
}

const FrModelOps *fr_world_model(const FrWorld *w, FrModel model) {
    int32_t added = (int32_t)model - FIRST_ADDED;
    return added >= 0 && added < w->model.count ? w->model.data[added] : fr_model_row(model);
}

FrResult fr_world_add_criterion(FrWorld *w, const struct FrCriterion *row, FrCriterionKind *kind) {
    *kind = (FrCriterionKind)(FIRST_ADDED + w->criterion.count);
    return fr_array_push(w->ctx, &w->criterion, row) ? FR_OK : fr_no_memory(w->ctx, "a criterion");
}

const struct FrCriterion *fr_world_criterion(const FrWorld *w, FrCriterionKind kind) {
    int32_t added = (int32_t)kind - FIRST_ADDED;
    return added >= 0 && added < w->criterion.count ? w->criterion.data[added] : NULL;
}

FrContext *fr_world_context(const FrWorld *w) { return w ? w->ctx : NULL; }
int64_t fr_world_tick(const FrWorld *w) {
    if (!w) return 0;
    return w->tick;
}
FrResult fr_world_set_step(FrWorld *w, double step) {
    FR_NEED_ALL(fr_world_context(w), w);

    if (w->tick || !(step > 0.0 && step < 10.0))
        return fr_fail(
            w->ctx, FR_BAD_USE,
            "a macro step of %g s at tick %lld; it must lie in (0, 10) and be set before "
            "the first",
            step, (long long)w->tick);
    w->def.step = step;
    w->step_chosen = false;
    return FR_OK;
}

int32_t fr_frame_substeps(double step, int32_t each) {
    return (int32_t)fr_max(1.0, ceil(FR_STEP_HZ * step * (double)each - 1e-9));
}

void fr_world_suit_step(FrWorld *w, const FrModelOps *row) {
    double step = 1.0 / fr_model_step_rate(row);
    if (!w->step_chosen || w->tick || !(step < w->def.step)) return;
    w->def.step = step;
    w->def.frame_substeps = fr_frame_substeps(step, w->def.frame_substeps);
}

double fr_world_time(const FrWorld *w) {
    if (!w) return 0.0;
    return (double)w->tick * w->def.step;
}
FrWorldStats fr_world_stats(const FrWorld *w) {
    if (!w) return (FrWorldStats){0};

    FrWorldStats stats = w->stats;
    for (int32_t k = 0; k < w->body.count; k++) {
        const FrBody *body = &w->body.data[k];
        if (!body->ops->pieces) continue;
        FrStepCost r = body->ops->pieces->step_cost(body->state);
        FrVec3 impulse;
        double mass;
        body->ops->impulse(body->state, &impulse, &mass);
        stats.added_mass += r.added_mass;
        stats.added_share = fr_max(stats.added_share, r.added_mass / mass);
        stats.below_floor = stats.below_floor || r.below_floor;
        stats.rigid_pieces += r.rigid_pieces;
        stats.rigid_volume += r.rigid_volume;
        stats.dust_pieces += r.dust_pieces;
        stats.dust_mass += r.dust_mass;
        stats.dust_energy += r.dust_energy;
        stats.dust_share = fr_max(stats.dust_share, r.dust_mass / mass);
    }
    return stats;
}

const FrEvent *fr_world_events(const FrWorld *w, int64_t *count) {
    if (!(w && count)) return NULL;

    *count = w->event.count;
    return w->event.data;
}

void fr_energy_add(FrEnergy *sum, const FrEnergy *e) {
    sum->kinetic += e->kinetic;
    sum->elastic += e->elastic;
    sum->plastic += e->plastic;
    sum->fracture += e->fracture;
    sum->dust += e->dust;
    sum->damping += e->damping;
    sum->contact += e->contact;
    sum->external += e->external;
}

void fr_world_energy(FrWorld *w, FrEnergy *energy) {
    if (!(w && energy)) return;

    *energy = w->passed;
    for (int32_t k = 0; k < w->body.count; k++) {
        FrEnergy e;
        w->body.data[k].ops->energy(w->body.data[k].state, w->gravity, &e);
        fr_energy_add(energy, &e);
    }
}

void fr_ledger_note(FrLedger *ledger, const FrEnergy *e) {
    if (!(ledger && e)) return;

    double held = e->kinetic + e->elastic;
    double sum = held + e->plastic + e->fracture + e->dust + e->damping + e->contact - e->external;
    if (ledger->count++ == 0) ledger->start = sum;
    ledger->gap = fr_max(ledger->gap, fabs(sum - ledger->start));
    ledger->peak = fr_max(ledger->peak, held);
    const double part[] = {e->plastic, e->fracture, e->dust, e->damping, e->contact, e->external};
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
        ledger->moved = fr_max(ledger->moved, fabs(part[k]));
}

double fr_ledger_closure(const FrLedger *ledger) {
    if (!ledger) return 0.0;

    bool rounding = ledger->gap <= fr_max(1e-12 * ledger->moved, ledger->rounding);
    return ledger->peak > 0.0 && !rounding ? ledger->gap / ledger->peak : 0.0;
}

void fr_world_momentum(const FrWorld *w, FrVec3 *linear, FrVec3 *angular) {
    if (!(w && linear && angular)) return;

    *linear = *angular = fr_vec3_zero;
    for (int32_t k = 0; k < w->body.count; k++) {
        FrVec3 p, L;
        w->body.data[k].ops->momentum(w->body.data[k].state, &p, &L);
        *linear = fr_add(*linear, p);
        *angular = fr_add(*angular, L);
    }
}
