// adaptive.c: the energy-watched step: how long the next step is, and whether it was a good one.

#include "fem/adaptive.h"
#include "fem/fem_tuning.h"

FrStepControl fr_step_control_default(void) {
    FrStepControl control = {.tolerance = FR_STEP_TOLERANCE,
                             .floor = FR_STEP_FLOOR,
                             .budget = FR_STEP_BUDGET,
                             .part = 1.0,
                             .patience = FR_STEP_PATIENCE};
    fr_step_control_cap(&control, FR_STEP_CAP);
    return control;
}

void fr_step_control_cap(FrStepControl *control, double most) {
    control->most = most;
    control->first = FR_STEP_AIM * most;
}

double fr_step_control_begin(FrStepControl *control, double dt_limit, double left) {
    FR_ASSERT(dt_limit > 0.0 && left > 0.0, "give a stable step and a time left above 0 s");
    control->dt_limit = control->part * dt_limit;
    dt_limit = control->dt_limit;
    if (!(control->dt > 0.0)) control->dt = control->first * dt_limit;
    // when it has to shrink it shrinks to `first`, which is also as far as it grows: steps stay as
    // they are while the limit changes little
    if (control->dt > control->most * dt_limit) {
        control->dt = control->first * dt_limit;
        control->good = 0;
    }
    double count = ceil(left / control->dt * (1.0 - FR_STEP_ROUNDING));
    control->used = count > 1.0 ? left / count : left;
    return control->used;
}

// Without it a hard blow costs 2e-3 of the energy: some forty steps that each lose 5e-5. Errors of
// swings come and go, so nothing happens before a quarter of the budget is used; then a part in 32
// of what is left is fair for a blow of some tens of steps, and a millionth never matters.
static void spend(FrStepControl *control, const FrStepWatch *watch) {
    control->drift += watch->error + watch->shift;
    double budget = control->budget * control->reference, used = fabs(control->drift);
    double fair = fr_max((budget - used) / FR_BUDGET_STEPS, FR_BUDGET_TRIFLE * control->reference);
    bool costly = used > FR_BUDGET_FREE * budget && watch->error * control->drift > 0.0 &&
                  fabs(watch->error) > fair && watch->jolt < FR_BUDGET_JOLT * fabs(watch->error);
    if (costly && budget > 0.0) {
        control->part = fr_max(FR_PART_LEAST, FR_PART_SHRINK * control->part);
        control->settled = FR_PART_SETTLED * watch->scale;
    } else if (control->part < 1.0 && watch->scale < control->settled) {
        control->part = fr_min(1.0, FR_PART_GROW * control->part);
        control->settled = FR_PART_SETTLED * watch->scale;
    }
}

// accept while dE <= tolerance (KE + PE + E0); halve when not; grow by 1.1 after 50 good steps [M3]
FrResult fr_step_control_judge(FrContext *ctx, FrStepControl *control, const FrStepWatch *watch,
                               bool broke, bool *accepted) {
    double error = watch->error, scale = watch->scale;
    // an infinite tolerance watches nothing but that the energies stay numbers
    bool gained = isfinite(control->tolerance) &&
                  !(error <= control->tolerance * (scale + control->reference));
    *accepted = !broke && isfinite(error) && isfinite(scale) && !gained;
    if (*accepted) {
        control->accepted++;
        control->reference = fr_max(control->reference, scale);
        if (++control->good >= control->patience) {
            control->good = 0;
            double aim = control->first * control->dt_limit;
            if (aim > control->dt / FR_STEP_AIM)
                control->dt = fr_min(FR_STEP_GROWTH * control->dt, aim);
        }
        spend(control, watch);
        return FR_OK;
    }
    fr_step_control_shorten(control);
    if (control->dt >= control->floor * control->dt_limit) return FR_OK;
    const char *format =
        "the step fell to %g s, %g of the stable step %g s, and still makes energy "
        "from nothing: %g J with %g J in the bodies (%lld steps accepted, %lld "
        "rejected)";
    if (broke)
        return fr_fail_within(ctx, FR_NUMERICAL,
                              "the step fell to %g s, %g of the stable step: ", control->dt,
                              control->dt / control->dt_limit);
    return fr_fail(ctx, FR_NUMERICAL, format, control->dt, control->dt / control->dt_limit,
                   control->dt_limit, error, scale, (long long)control->accepted,
                   (long long)control->rejected);
}

void fr_step_control_shorten(FrStepControl *control) {
    control->rejected++;
    control->good = 0;
    control->dt = 0.5 * fr_min(control->dt, control->used);
}

#define CONTROL_TAG 0x32505453 // "STP2"
#define CONTROL_NUMBERS 12

static void numbers_of(FrStepControl *c, double *list[CONTROL_NUMBERS]) {
    double *all[CONTROL_NUMBERS] = {&c->dt,     &c->dt_limit, &c->used,  &c->tolerance,
                                    &c->first,  &c->most,     &c->floor, &c->reference,
                                    &c->budget, &c->drift,    &c->part,  &c->settled};
    for (int k = 0; k < CONTROL_NUMBERS; k++) list[k] = all[k];
}

void fr_step_control_save(const FrStepControl *control, FrWriter *writer) {
    FrStepControl copy = *control;
    double *list[CONTROL_NUMBERS];
    numbers_of(&copy, list);
    fr_write_i32(writer, CONTROL_TAG);
    for (int k = 0; k < CONTROL_NUMBERS; k++) fr_write_f64(writer, *list[k]);
    fr_write_i32(writer, control->good);
    fr_write_i32(writer, control->patience);
    fr_write_u64(writer, (uint64_t)control->accepted);
    fr_write_u64(writer, (uint64_t)control->rejected);
}

FrResult fr_step_control_load(FrContext *ctx, FrStepControl *control, FrReader *reader) {
    FrStepControl read = {0};
    double *list[CONTROL_NUMBERS];
    numbers_of(&read, list);
    size_t start = reader->at;
    int32_t tag = fr_read_i32(reader);
    if (reader->failed || tag != CONTROL_TAG)
        return fr_fail(ctx, FR_BAD_INPUT, "byte %zu: 0x%08x is not a step control (0x%08x)", start,
                       (unsigned)tag, (unsigned)CONTROL_TAG);
    bool good = true;
    for (int k = 0; k < CONTROL_NUMBERS; k++) {
        *list[k] = fr_read_f64(reader);
        good = good && (*list[k] >= 0.0 || list[k] == &read.drift) &&
               (isfinite(*list[k]) || list[k] == &read.tolerance);
    }
    read.good = fr_read_i32(reader);
    read.patience = fr_read_i32(reader);
    read.accepted = (int64_t)fr_read_u64(reader);
    read.rejected = (int64_t)fr_read_u64(reader);
    if (reader->failed || !good || read.good < 0 || read.patience < 1 || read.accepted < 0 ||
        read.rejected < 0)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "byte %zu: the step control is cut short or holds a number below zero or "
                       "without end",
                       start);
    *control = read;
    return FR_OK;
}
