// bear.c: what a body bears slowly: what lies on it, its weight between supports, supports that
// bend it. It is judged where it may matter and has changed (M19), and breaks once that lasts.

#include "shatter/shatter_inside.h"
#include "material/laws.h"
#include "modal/hertz.h"
#include <string.h>

// Bending is what breaks: a beam as long as the body, as thick as its wall and as wide as its
// volume then is, held at one end and pushed at the other, has 6 F L / (w t^2). Bodies are worse in
// places: FR_BEARS_SAFE times that.
static double worst_per_newton(const FrShatter *s) {
    double wide = fr_max(s->wall, s->volume / (s->size * s->wall));
    return FR_BEARS_SAFE * 6.0 * s->size / (wide * s->wall * s->wall);
}

double fr_shatter_bears(const FrShatter *s) {
    if (!fr_shatter_may(s) || fr_shatter_crumb(s) || s->parts > 1) return HUGE_VAL;
    return s->weakest * s->material.strength / worst_per_newton(s);
}

// supports that move by d strain it by d / t at most
static double bears_moved(const FrShatter *s) {
    double young = fr_young(s->material.lambda, s->material.mu);
    return s->weakest * s->material.strength * s->wall / young;
}

// what tells loads apart
static FrBorneLoad load_of(const FrShatter *s, const FrBearing *b) {
    FrBorneLoad load = {.weight = b->weight, .moved = b->most_moved};
    for (int32_t k = 0; k < b->point_count; k++) {
        double force = fr_length(b->force[k]);
        FrVec3 x = fr_scale(1.0 / s->size, b->point[k]);
        load.force += force;
        load.moment = fr_axpy(force, x, load.moment);
        load.spread += force * fr_dot(x, x);
    }
    return load;
}

static double share_of(double a, double b, double of) {
    double most = fr_max(fabs(of), 1e-300);
    return fabs(a - b) / most;
}

// largest change of a load, over what it was
static double change_of(const FrBorneLoad *a, const FrBorneLoad *b) {
    double force = fr_max(a->force, b->force), moved = fr_max(a->moved, b->moved);
    double weight = fr_max(fr_length(a->weight), fr_length(b->weight)), change = 0.0;
    if (force > 0.0) change = fr_max(change, share_of(a->force, b->force, force));
    if (force > 0.0) change = fr_max(change, share_of(a->spread, b->spread, force));
    if (force > 0.0) change = fr_max(change, fr_distance(a->moment, b->moment) / force);
    if (weight > 0.0) change = fr_max(change, fr_distance(a->weight, b->weight) / weight);
    return moved > 0.0 ? fr_max(change, share_of(a->moved, b->moved, moved)) : change;
}

// as large a change as may come before it can break, with as much in hand again
static bool is_known(const FrBorne *borne, const FrBorneLoad *load) {
    double room = borne->share > 0.0 ? 0.5 * (1.0 / borne->share - 1.0) : HUGE_VAL;
    double may = fr_min(FR_BEARS_MOST, fr_max(FR_BEARS_LEAST, room));
    return borne->judged && change_of(&borne->load, load) < may;
}

static FrStressLoad push_at(const FrShatter *s, const FrBearing *b, int32_t k, double *force) {
    double young = fr_young(s->material.lambda, s->material.mu);
    double nu = fr_poisson(s->material.lambda, s->material.mu), R = FR_FLAT_RADIUS * s->size;
    *force = fr_length(b->force[k]);
    // Hertz: a^3 = 3 F R / 4 E*
    double radius = cbrt(0.75 * *force * R * (1.0 - nu * nu) / young);
    return (FrStressLoad){b->point[k], fr_normalize(b->force[k]), radius};
}

// stress of all that it bears into s->field; *energy: that it stores, J
static FrResult solve(FrShatter *s, const FrBearing *b, double *energy) {
    FrStressLoad load[FR_BEARING_POINTS];
    double force[FR_BEARING_POINTS];
    FR_TRY(fr_shatter_need_stress(s));
    if (!s->field) s->field = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    if (!s->field) return fr_no_memory(s->ctx, "a load");
    for (int32_t k = 0; k < b->point_count; k++) load[k] = push_at(s, b, k, &force[k]);
    FrStressStill still = {load, force, b->point_count, b->weight, b->moved, false};
    return fr_stress_still(s->stress, &still, s->field, energy);
}

static FrStrike strike_of(const FrBearing *b) {
    FrStrike strike = {.point_count = b->point_count, .seed = b->seed};
    for (int32_t k = 0; k < b->point_count; k++) strike.self.point[k] = b->point[k];
    return strike;
}

// what it was judged for is not what it bears now
static FrResult judge(FrShatter *s, const FrBearing *b, const FrBorneLoad *load) {
    FrStrike strike = strike_of(b);
    double energy;
    FR_TRY(solve(s, b, &energy));
    s->borne.load = *load;
    s->borne.judged = true;
    return fr_shatter_stands(s, &strike, &s->borne.share);
}

// too much for long enough: do cracks part it?
static FrResult part(FrShatter *s, const FrBearing *b, FrStruck *struck) {
    FrStrike strike = strike_of(b);
    double energy;
    FR_TRY(solve(s, b, &energy));
    s->borne.lasted = 0.0;
    if (energy <= FR_TRY_MORE * s->borne.tried) return FR_OK;
    s->borne.tried = energy;
    return fr_shatter_part(s, &strike, energy, struck);
}

FrResult fr_shatter_bear(FrShatter *s, const FrBearing *b, FrStruck *struck) {
    FrBorneLoad load = load_of(s, b);
    *struck = (FrStruck){0};
    double heavy = load.force + fr_length(b->weight) * s->material.density * s->volume;
    if (s->waits || (heavy < fr_shatter_bears(s) && load.moved < bears_moved(s))) {
        s->borne = (FrBorne){0};
        return FR_OK;
    }
    if (!is_known(&s->borne, &load)) FR_TRY(judge(s, b, &load));
    if (!(s->borne.share > 1.0)) {
        s->borne.lasted = s->borne.tried = 0.0;
        return FR_OK;
    }
    s->borne.lasted += b->dt;
    return s->borne.lasted < FR_BEARS_LASTS ? FR_OK : part(s, b, struck);
}

static void walk(FrBorne *b, double *list[FR_BORNE_NUMBERS]) {
    FrBorneLoad *l = &b->load;
    double *all[FR_BORNE_NUMBERS] = {&l->force,  &l->moment.x, &l->moment.y, &l->moment.z,
                                     &l->spread, &l->weight.x, &l->weight.y, &l->weight.z,
                                     &l->moved,  &b->share,    &b->lasted,   &b->tried};
    memcpy(list, all, sizeof all);
}

void fr_shatter_save(const FrShatter *s, FrWriter *writer) {
    FrBorne borne = s->borne;
    double *list[FR_BORNE_NUMBERS];
    walk(&borne, list);
    fr_write_u8(writer, borne.judged);
    for (int k = 0; k < FR_BORNE_NUMBERS; k++) fr_write_f64(writer, *list[k]);
}

FrResult fr_shatter_load(FrShatter *s, FrReader *reader) {
    double *list[FR_BORNE_NUMBERS];
    bool good = true;
    walk(&s->borne, list);
    s->borne.judged = fr_read_u8(reader) != 0;
    for (int k = 0; k < FR_BORNE_NUMBERS; k++) {
        *list[k] = fr_read_f64(reader);
        good = good && isfinite(*list[k]);
    }
    return good && !reader->failed
               ? FR_OK
               : fr_fail(s->ctx, FR_BAD_INPUT, "%s: no load that a body can bear", s->name);
}
