// bend.c: a body that bends by modes: made from them, its points, and its steps.

#include "modal/bend.h"
#include "math/lanes.h"
#include "modal/bend_lanes.h"
#include "modal/oscillator.h"
#include <string.h>

/// Arrays of `count` numbers: damping z v force steady weigh whirl start y y_free before, and eight
/// of each step.
#define PLAIN 11
#define OF_STEP 8

void fr_bend_destroy(FrBend *b) {
    if (!b) return;
    fr_bend_modes_free(b->ctx, &b->modes);
    FR_FREE_ALL(b->ctx, b->slot, b->rest, b->shape, b->memory, b);
}

static void share_out(FrBend *b) {
    size_t n = (size_t)b->count;
    double **plain[PLAIN] = {&b->damping, &b->z,     &b->v, &b->force,  &b->steady, &b->weigh,
                             &b->whirl,   &b->start, &b->y, &b->y_free, &b->before};
    double *at = b->memory;
    b->shift = at, at += 3 * (size_t)b->node_count;
    b->speed = at, at += 3 * (size_t)b->node_count;
    b->kept = at, at += 2 * n + 2;
    for (int k = 0; k < PLAIN; k++, at += n) *plain[k] = at;
    FrBendStep *step[2] = {&b->whole, &b->part};
    for (int s = 0; s < 2; s++) {
        double **of[OF_STEP] = {&step[s]->zz, &step[s]->zv, &step[s]->vz,    &step[s]->vv,
                                &step[s]->gz, &step[s]->gv, &step[s]->reach, &step[s]->weight};
        for (int k = 0; k < OF_STEP; k++, at += n) *of[k] = at;
    }
}

// nodes of the surface first, each kind in its order
static void number_slots(FrBend *b, const FrSurface *surface) {
    for (int32_t k = 0; k < 3 * surface->tri_count; k++) b->slot[surface->tri[k / 3][k % 3]] = 1;
    for (int32_t n = 0; n < b->node_count; n++) b->outside += b->slot[n];
    int32_t out = 0, in = b->outside;
    for (int32_t n = 0; n < b->node_count; n++) b->slot[n] = b->slot[n] ? out++ : in++;
}

static void fill(FrBend *b, const FrBendDef *def) {
    for (int32_t n = 0; n < b->node_count; n++)
        fr_set3(b->rest, b->slot[n], fr_sub(fr_get3(def->mesh->x, n), def->centre));
    for (int32_t m = 0; m < b->count; m++) {
        const float *w = b->modes.shape + 3 * (size_t)m * (size_t)b->node_count;
        b->damping[m] = fr_mode_damping(def->material, b->lambda[m], sqrt(b->lambda[m]));
        for (int32_t n = 0; n < b->node_count; n++)
            for (int axis = 0; axis < 3; axis++) {
                size_t row = (size_t)(b->slot[n] / 4) * 3 + (size_t)axis;
                size_t at = (row * (size_t)b->count + (size_t)m) * 4 + (size_t)(b->slot[n] % 4);
                b->shape[at] = w[3 * (size_t)n + (size_t)axis];
            }
    }
}

static FrResult make_room(FrBend *b) {
    size_t n = (size_t)b->node_count, fours = (n + 3) / 4 * 4;
    b->slot = FR_NEW(b->ctx, int32_t, n + 1);
    b->rest = FR_NEW(b->ctx, double, 3 * n + 1);
    b->shape = FR_NEW(b->ctx, float, 3 * fours * (size_t)b->count + 1);
    b->memory = FR_NEW(b->ctx, double, (PLAIN + 2 * OF_STEP + 2) * (size_t)b->count + 2 + 6 * n);
    return b->slot && b->rest && b->shape && b->memory ? FR_OK
                                                       : fr_no_memory(b->ctx, "a body that bends");
}

FrResult fr_bend_create(FrContext *ctx, const FrBendDef *def, FrBend **bend) {
    FrBend *b = *bend = FR_NEW(ctx, FrBend, 1);
    if (!b) return fr_no_memory(ctx, "a body that bends");
    b->ctx = ctx;
    b->count = def->modes->count;
    b->node_count = def->modes->node_count;
    b->held = def->held;
    b->limit = def->limit;
    FrResult result = fr_bend_modes_copy(ctx, def->modes, &b->modes);
    if (result == FR_OK) result = make_room(b);
    if (result != FR_OK) {
        fr_bend_destroy(b);
        *bend = NULL;
        return result;
    }
    b->lambda = b->modes.lambda;
    b->most = b->modes.most;
    b->shown = (FrModeShapes){b->count, b->node_count, b->modes.shape};
    share_out(b);
    number_slots(b, def->surface);
    fill(b, def);
    return FR_OK;
}

FrGrip fr_bend_grip(const FrBend *b, const int32_t tet[4], FrPoint at) {
    FrGrip grip = fr_grip_none();
    for (int k = 0; k < 4 && at.tet >= 0; k++) {
        grip.slot[k] = b->slot[tet[k]];
        grip.b[k] = (float)at.b[k];
    }
    return grip;
}

// p_l = U (x_rest + W z): what U W is at one place                             [S1 eq. 17] [E33]
void fr_bend_rows(const FrBend *b, const FrGrip *grip, FrMat3 R, double *to) {
    int32_t n = b->count;
    memset(to, 0, 3 * (size_t)n * sizeof *to);
    for (int k = 0; k < 4 && grip->slot[k] >= 0; k++) {
        int32_t slot = grip->slot[k];
        const float *x = fr_bend_at(b, slot, 0), *y = fr_bend_at(b, slot, 1),
                    *z = fr_bend_at(b, slot, 2);
        double w = (double)grip->b[k];
        for (int32_t m = 0; m < n; m++) {
            to[m] += w * (double)x[4 * m];
            to[n + m] += w * (double)y[4 * m];
            to[2 * n + m] += w * (double)z[4 * m];
        }
    }
    for (int32_t m = 0; m < n; m++) {
        FrVec3 d = fr_mat3_apply(R, fr_vec3(to[m], to[n + m], to[2 * n + m]));
        to[m] = d.x, to[n + m] = d.y, to[2 * n + m] = d.z;
    }
}

FrMat3 fr_bend_mobility(const FrBend *b, const FrGrip *grip, const double *share) {
    FrMat3 K = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int32_t m = 0; m < b->count; m++) {
        FrVec3 w = fr_vec3_zero;
        for (int k = 0; k < 4 && grip->slot[k] >= 0; k++) {
            FrVec3 at = fr_vec3((double)fr_bend_at(b, grip->slot[k], 0)[4 * m],
                                (double)fr_bend_at(b, grip->slot[k], 1)[4 * m],
                                (double)fr_bend_at(b, grip->slot[k], 2)[4 * m]);
            w = fr_axpy((double)grip->b[k], at, w);
        }
        K = fr_mat3_axpy(share ? share[m] : 1.0, fr_outer(w, w), K);
    }
    return K;
}

static FrVec3 summed(const FrBend *b, const FrGrip *grip, const double *by) {
    FrVec3 sum = fr_vec3_zero;
    for (int k = 0; k < 4 && grip->slot[k] >= 0; k++) {
        int32_t slot = grip->slot[k];
        const float *x = fr_bend_at(b, slot, 0), *y = fr_bend_at(b, slot, 1),
                    *z = fr_bend_at(b, slot, 2);
        FrVec3 d = fr_vec3_zero;
        for (int32_t m = 0; m < b->count; m++)
            d = fr_axpy(by[m], fr_vec3((double)x[4 * m], (double)y[4 * m], (double)z[4 * m]), d);
        sum = fr_axpy((double)grip->b[k], d, sum);
    }
    return sum;
}

FrVec3 fr_bend_shift(const FrBend *b, const FrGrip *grip) { return summed(b, grip, b->z); }
FrVec3 fr_bend_velocity(const FrBend *b, const FrGrip *grip) { return summed(b, grip, b->v); }

// g = W' f                                                                           [S1 eq. 3]
void fr_bend_push(const FrBend *b, const FrGrip *grip, FrVec3 force, double *to) {
    for (int k = 0; k < 4 && grip->slot[k] >= 0; k++) {
        int32_t slot = grip->slot[k];
        const float *x = fr_bend_at(b, slot, 0), *y = fr_bend_at(b, slot, 1),
                    *z = fr_bend_at(b, slot, 2);
        FrVec3 f = fr_scale((double)grip->b[k], force);
        for (int32_t m = 0; m < b->count; m++)
            to[m] += (double)x[4 * m] * f.x + (double)y[4 * m] * f.y + (double)z[4 * m] * f.z;
    }
}

void fr_bend_field(const FrBend *b, int32_t begin, int32_t end, double *shift, double *speed) {
    FrBendFieldFn *field = fr_cpu_has_avx2() ? fr_bend_field_avx2 : fr_bend_field_portable;
    field(b, begin, end, shift, speed);
}

double fr_bend_kinetic(const FrBend *b) {
    double sum = 0.0;
    for (int32_t m = 0; m < b->count; m++) sum += b->v[m] * b->v[m];
    return 0.5 * sum;
}

double fr_bend_elastic(const FrBend *b) {
    double sum = 0.0;
    for (int32_t m = 0; m < b->count; m++) sum += b->lambda[m] * b->z[m] * b->z[m];
    return 0.5 * sum;
}

static double bound(const FrBend *b, const double *by) {
    double sum = 0.0;
    for (int32_t m = 0; m < b->count; m++) sum += b->most[m] * fabs(by[m]);
    return sum;
}

double fr_bend_farthest(const FrBend *b) { return bound(b, b->z); }
double fr_bend_fastest(const FrBend *b) { return bound(b, b->v); }

static void make_step(const FrBend *b, double T, FrBendStep *step) {
    if (step->T == T) return;
    step->T = T;
    for (int32_t m = 0; m < b->count; m++) {
        FrModeStep s = fr_mode_step(b->lambda[m], b->damping[m], T);
        step->zz[m] = s.zz, step->zv[m] = s.zv, step->vz[m] = s.vz, step->vv[m] = s.vv;
        step->gz[m] = s.gz, step->gv[m] = s.gv;
        step->reach[m] = sqrt(s.gz) / T;
        step->weight[m] = 2.0 * s.gz / (T * T);
    }
}

void fr_bend_begin(FrBend *b, double T) {
    make_step(b, T, &b->whole);
    memcpy(b->start, b->z, (size_t)b->count * sizeof *b->z);
}

void fr_bend_weigh(FrBend *b, FrVec3 g) {
    const double *by = b->modes.gravity;
    for (int32_t m = 0; m < b->count; m++)
        b->weigh[m] = by[m] * g.x + by[b->count + m] * g.y + by[2 * b->count + m] * g.z;
}

static double farthest_node(const FrBend *b) {
    double most = 0.0;
    fr_bend_field(b, 0, b->outside, b->shift, NULL);
    for (int32_t k = 0; k < b->outside; k++) most = fr_max(most, fr_length2(fr_get3(b->shift, k)));
    return sqrt(most);
}

// Displacements are linear in the modes, and mean nothing when they are as large as the body: back
// to the limit, and no farther out. What that takes is lost as by damping.
static void keep_within(FrBend *b) {
    if (!(fr_bend_farthest(b) > b->limit)) return; // a bound
    double far = farthest_node(b), out = 0.0, size = 0.0;
    if (!(far > b->limit)) return;
    for (int32_t m = 0; m < b->count; m++) {
        b->z[m] *= b->limit / far;
        out += b->z[m] * b->v[m];
        size += b->z[m] * b->z[m];
    }
    for (int32_t m = 0; m < b->count; m++)
        b->v[m] = b->limit / far * (b->v[m] - (out > 0.0 ? out / size * b->z[m] : 0.0));
    b->limited = b->stuck = true;
}

void fr_bend_fly(FrBend *b, double dt) {
    double before = fr_bend_kinetic(b) + fr_bend_elastic(b);
    make_step(b, dt, &b->part);
    const FrBendStep *s = &b->part;
    for (int32_t m = 0; m < b->count; m++) {
        double z = b->z[m], v = b->v[m], to = s->zz[m] * z + s->zv[m] * v;
        b->path += b->most[m] * fabs(to - z);
        b->z[m] = to;
        b->v[m] = s->vz[m] * z + s->vv[m] * v;
    }
    b->stuck = false;
    keep_within(b);
    b->damped += before - fr_bend_kinetic(b) - fr_bend_elastic(b);
}

const FrBendStep *fr_bend_open(FrBend *b, double T) {
    FrBendStep *s = b->whole.T == T ? &b->whole : &b->part;
    make_step(b, T, s);
    b->open = s;
    for (int32_t m = 0; m < b->count; m++) {
        double to =
            (s->zz[m] - 1.0) * b->z[m] + s->zv[m] * b->v[m] + s->gz[m] * fr_bend_force(b, m);
        b->y[m] = b->y_free[m] = to / (T * s->reach[m]);
    }
    return s;
}

double fr_bend_work(const FrBend *b, const double *force) {
    double work = 0.0;
    for (int32_t m = 0; m < b->count; m++)
        work += force[m] * b->open->T * b->open->reach[m] * b->y[m];
    return work;
}

// What damping took is what the exact motion lost beyond the work of the forces, g . (z' - z).
void fr_bend_close(FrBend *b) {
    const FrBendStep *s = b->open;
    double before = fr_bend_kinetic(b) + fr_bend_elastic(b), work = 0.0;
    for (int32_t m = 0; m < b->count; m++) {
        double g = fr_bend_force(b, m) + (b->y[m] - b->y_free[m]) / (s->reach[m] * s->T);
        double z = b->z[m], v = b->v[m], by = s->T * s->reach[m] * b->y[m];
        b->z[m] = z + by;
        b->v[m] = s->vz[m] * z + s->vv[m] * v + s->gv[m] * g;
        work += g * by;
        b->path += b->most[m] * fabs(by);
        b->force[m] = 0.0;
    }
    b->stuck = false;
    keep_within(b);
    b->damped += before + work - fr_bend_kinetic(b) - fr_bend_elastic(b);
}

void fr_bend_backup(FrBend *b) {
    size_t n = (size_t)b->count;
    memcpy(b->kept, b->z, n * sizeof *b->z);
    memcpy(b->kept + n, b->v, n * sizeof *b->v);
    b->kept[2 * n] = b->damped;
    b->kept[2 * n + 1] = b->path;
}

void fr_bend_restore(FrBend *b) {
    size_t n = (size_t)b->count;
    memcpy(b->z, b->kept, n * sizeof *b->z);
    memcpy(b->v, b->kept + n, n * sizeof *b->v);
    memset(b->force, 0, n * sizeof *b->force); // contacts are found anew
    b->damped = b->kept[2 * n];
    b->path = b->kept[2 * n + 1];
}

void fr_bend_save(const FrBend *b, FrWriter *writer) {
    fr_write_i32(writer, b->count);
    for (int32_t m = 0; m < b->count; m++) {
        fr_write_f64(writer, b->z[m]);
        fr_write_f64(writer, b->v[m]);
    }
    fr_write_f64(writer, b->damped);
    fr_write_f64(writer, b->path);
    fr_write_u8(writer, b->stuck);
}

FrResult fr_bend_load(FrBend *b, FrReader *reader) {
    int32_t count = fr_read_i32(reader);
    if (count != b->count)
        return fr_fail(b->ctx, FR_BAD_INPUT, "the checkpoint has %d modes of a body with %d", count,
                       b->count);
    bool good = true;
    for (int32_t m = 0; m < count; m++) {
        b->z[m] = fr_read_f64(reader);
        b->v[m] = fr_read_f64(reader);
        good = good && isfinite(b->z[m]) && isfinite(b->v[m]);
    }
    b->damped = fr_read_f64(reader);
    b->path = fr_read_f64(reader);
    b->stuck = fr_read_u8(reader) != 0;
    return good && !reader->failed
               ? FR_OK
               : fr_fail(b->ctx, FR_BAD_INPUT,
                         "the checkpoint ends inside modes, or one is not finite");
}
