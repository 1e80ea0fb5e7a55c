// frames_event.c: what goes on between rigid frames that stay in touch, gathered into samples.

#include "frames/frames.h"
#include "frames/frames_tuning.h"

void fr_frames_gather(FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s) {
    for (int32_t k = 0; k < s->row.count; k++) {
        const FrRow *row = &s->row.data[k];
        if (row->kind != FR_ROW_CONTACT || !(row->lambda[0] > 0.0)) continue;
        FrFramePair *pair = &f->pair.data[s->origin.data[k].pair];
        FrVec3 slip = fr_vec3_zero;
        if (row->friction == 0.0 || pair->point[s->origin.data[k].point].slides) {
            FrVec3 u = fr_row_velocity(s->body.data, row);
            slip = fr_axpy(u.y, row->axis[1], fr_scale(u.z, row->axis[2]));
        }
        double push = row->lambda[0];
        pair->impulse = fr_add(pair->impulse, row->impulse);
        pair->place = fr_axpy(push, fr_add(s->local.data[row->a].x, row->ra), pair->place);
        pair->normal = fr_axpy(push, row->axis[0], pair->normal);
        pair->slip = fr_axpy(push, slip, pair->slip);
        pair->weight += push;
    }
    for (int32_t k = 0; k < island->pairs; k++)
        f->pair.data[f->island_pair.data[island->first_pair + k]].span += f->h;
}

FrVec3 fr_frames_into(const FrLocal *local, FrVec3 x) {
    return fr_mat3_apply_t(local->R, fr_sub(x, local->x));
}

static FrVec3 surface_velocity(const FrFrameScratch *s, int32_t local, FrVec3 x) {
    const FrRowBody *body = &s->body.data[local];
    return fr_add(body->v, fr_cross(body->w, fr_sub(x, s->local.data[local].x)));
}

// how fast the place of contact wanders over b; no faster than slip and turning allow, since the
// choice of points may jump
static FrVec3 roll_of(const FrFrames *f, const FrFrameScratch *s, const FrFramePair *pair, FrVec3 x,
                      FrVec3 n, FrVec3 slip) {
    if (!pair->has_place) return fr_vec3_zero;
    int32_t a = s->local_of.data[pair->a], b = pair->b < 0 ? 0 : s->local_of.data[pair->b];
    FrVec3 wander = fr_scale(1.0 / pair->span, fr_sub(x, pair->last_place));
    FrVec3 roll = fr_sub(wander, surface_velocity(s, b, x));
    roll = fr_axpy(-fr_dot(roll, n), n, roll);
    double most = fr_length(slip) + fr_length(fr_sub(s->body.data[a].w, s->body.data[b].w)) *
                                        f->frame.data[pair->a].size;
    double len = fr_length(roll);
    return len > most ? fr_scale(most / len, roll) : roll;
}

static bool make_sample(FrFrames *f, FrFrameScratch *s, FrFramePair *pair, double t) {
    FrVec3 x = fr_scale(1.0 / pair->weight, pair->place), n = fr_normalize(pair->normal);
    FrVec3 slip = fr_scale(1.0 / pair->weight, pair->slip);
    FrVec3 roll = roll_of(f, s, pair, x, n, slip);
    int32_t a = s->local_of.data[pair->a], b = pair->b < 0 ? 0 : s->local_of.data[pair->b];
    pair->last_place = x;
    pair->has_place = 1;
    if (fr_length(slip) < FR_CREEP_SPEED && fr_length(roll) < FR_CREEP_SPEED) return true;
    FrFrameSample sample = {.t = t - pair->span,
                            .span = pair->span,
                            .a = pair->a,
                            .b = pair->b,
                            .x = x,
                            .n = n,
                            .force = fr_scale(1.0 / pair->span, pair->impulse),
                            .slip = slip,
                            .roll = roll,
                            .la = fr_frames_into(&s->local.data[a], x),
                            .lb = fr_frames_into(&s->local.data[b], x)};
    return fr_array_push(f->ctx, &s->sample, sample);
}

void fr_frames_samples(FrFrames *f, const FrFrameIsland *island, FrFrameScratch *s, double t,
                       bool last) {
    for (int32_t k = 0; k < island->pairs; k++) {
        FrFramePair *pair = &f->pair.data[f->island_pair.data[island->first_pair + k]];
        if (!last && pair->span + f->h <= FR_SAMPLE_SPAN) continue;
        // a substep that is itself longer than FR_SAMPLE_SPAN cannot be cut
        if (pair->weight > 0.0) {
            if (!make_sample(f, s, pair, t)) s->failed = true;
        } else {
            pair->has_place = 0;
        }
        pair->impulse = pair->place = pair->normal = pair->slip = fr_vec3_zero;
        pair->weight = pair->span = 0.0;
    }
}
