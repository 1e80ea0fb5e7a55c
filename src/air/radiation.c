// radiation.c: the multipoles of all modes of a body, evaluated together.

#include "air/radiation.h"
#include "air/air.h"
#include "air/multipole.h"
#include "air/transfer.h"
#include "math/lanes.h"
#include <stdlib.h>
#include <string.h>

#define LANES FR_TRANSFER_LANES
/// The least ka: floats end there.
#define LEAST_PHASE 1e-4

typedef struct Seat {
    int32_t mode, order;
} Seat;

struct FrRadiation {
    FrContext *ctx;
    FrVec3 x0;
    double radius;
    FrQuat turn; ///< see FrRadiationDef
    bool turned;
    int32_t mode_count, group_count;
    FrMultipole *mode;      ///< without coefficients (mode_count)
    Seat *seat;             ///< modes by rising order: eight of them are a group (mode_count)
    double *power;          ///< (mode_count)
    FrTransferGroup *group; ///< (group_count)
    float *rows;            ///< what the groups point at
    FrSphericalTable table;
    FrTransferFn *transfer;
};

void fr_radiation_destroy(FrRadiation *r) {
    if (!r) return;
    FR_FREE_ALL(r->ctx, r->mode, r->seat, r->power, r->group, r->rows);
    fr_free(r->ctx, r);
}

static int by_order(const void *a, const void *b) {
    const Seat *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return x->mode < y->mode ? -1 : x->mode > y->mode;
}

static size_t square(int32_t order) { return (size_t)(order + 1) * (size_t)(order + 1); }

static double least_k(double k, double radius) { return fr_max(k, LEAST_PHASE / radius); }

/// How many floats a group of this order has: k, 1/g_n, coefficients.
static size_t floats_of(int32_t order) {
    return LANES * (1 + 2 * (size_t)(order + 1) + 2 * square(order));
}

/// Numbers of a group, before it has them.
typedef struct Rows {
    float *k, *inverse, *c;
} Rows;

// mode number `lane` of a group; its power by the way: P = sum |M|^2/(2 rho c k^2)          [M24]
static void fill_lane(FrRadiation *r, const FrMultipole *mode, int lane, const Rows *to,
                      double *power) {
    double g[2 * (FR_SPHERICAL_ORDER + 1)], sum = 0.0;
    fr_spherical_hankel(least_k(mode->k, r->radius) * r->radius, mode->order, g);
    to->k[lane] = (float)least_k(mode->k, r->radius);
    for (int32_t n = 0, l = 0; n <= mode->order; n++) {
        double size = g[2 * n] * g[2 * n] + g[2 * n + 1] * g[2 * n + 1];
        to->inverse[2 * LANES * n + lane] = (float)(g[2 * n] / size);
        to->inverse[2 * LANES * n + LANES + lane] = (float)(-g[2 * n + 1] / size);
        for (; l < (n + 1) * (n + 1); l++) {
            double re = (double)mode->c[2 * l], im = (double)mode->c[2 * l + 1];
            to->c[2 * LANES * l + lane] = mode->c[2 * l];
            to->c[2 * LANES * l + LANES + lane] = mode->c[2 * l + 1];
            sum += (re * re + im * im) / size;
        }
    }
    *power = sum / (2.0 * FR_AIR_DENSITY * FR_SOUND_SPEED * mode->k * mode->k);
}

static void fill_group(FrRadiation *r, const FrRadiationDef *def, int32_t g, float *rows) {
    int32_t first = g * LANES, end = fr_min_i(first + LANES, r->mode_count);
    int32_t order = r->seat[end - 1].order;
    float *inverse = rows + LANES, *c = inverse + 2 * LANES * (size_t)(order + 1);
    Rows to = {rows, inverse, c};
    FrTransferGroup *group = &r->group[g];
    *group = (FrTransferGroup){.order = order, .k = rows, .inverse = inverse, .c = c};
    for (int lane = 0; lane < LANES; lane++) to.k[lane] = 1.0f;
    for (int32_t s = first; s < end; s++) {
        int32_t i = r->seat[s].mode;
        fill_lane(r, &def->mode[i], s - first, &to, &r->power[i]);
        group->coarse = fr_max_i(
            group->coarse, fr_min_i(order, fr_multipole_order_coarse(def->mode[i].k * r->radius)));
    }
}

static FrResult fill(FrRadiation *r, const FrRadiationDef *def) {
    size_t floats = 0;
    r->group_count = (def->mode_count + LANES - 1) / LANES;
    r->mode = FR_NEW(r->ctx, FrMultipole, def->mode_count);
    r->seat = FR_NEW(r->ctx, Seat, def->mode_count);
    r->power = FR_NEW(r->ctx, double, def->mode_count);
    r->group = FR_NEW(r->ctx, FrTransferGroup, r->group_count);
    if (!r->mode || !r->seat || !r->power || !r->group) return fr_no_memory(r->ctx, "a radiation");
    for (int32_t i = 0; i < def->mode_count; i++) {
        r->mode[i] = (FrMultipole){def->mode[i].k, def->mode[i].order, NULL};
        r->seat[i] = (Seat){i, def->mode[i].order};
    }
    qsort(r->seat, (size_t)def->mode_count, sizeof *r->seat, by_order);
    for (int32_t g = 0; g < r->group_count; g++)
        floats += floats_of(r->seat[fr_min_i(g * LANES + LANES, def->mode_count) - 1].order);
    r->rows = FR_NEW(r->ctx, float, floats);
    if (!r->rows) return fr_no_memory(r->ctx, "a radiation");
    floats = 0;
    for (int32_t g = 0; g < r->group_count; g++) {
        fill_group(r, def, g, r->rows + floats);
        floats += floats_of(r->group[g].order);
    }
    return FR_OK;
}

FrResult fr_radiation_create(FrContext *ctx, const FrRadiationDef *def, FrRadiation **radiation) {
    FrRadiation *r = FR_NEW(ctx, FrRadiation, 1);
    *radiation = NULL;
    if (!r) return fr_no_memory(ctx, "a radiation");
    r->ctx = ctx;
    r->x0 = def->x0;
    r->radius = def->radius;
    r->turn = def->turn;
    r->turned =
        def->turn.w != 0.0 || def->turn.x != 0.0 || def->turn.y != 0.0 || def->turn.z != 0.0;
    r->mode_count = def->mode_count;
    r->transfer = fr_cpu_has_avx2() ? fr_transfer_avx2 : fr_transfer_portable;
    fr_spherical_table(&r->table);
    FrResult result = fill(r, def);
    if (result == FR_OK)
        *radiation = r;
    else
        fr_radiation_destroy(r);
    return result;
}

void fr_radiation_adopt(FrRadiation *r, FrContext *ctx) { r->ctx = ctx; }

int32_t fr_radiation_mode_count(const FrRadiation *r) { return r ? r->mode_count : 0; }

double fr_radiation_power(const FrRadiation *r, int32_t i) {
    return i >= 0 && i < fr_radiation_mode_count(r) ? r->power[i] : 0.0;
}

FrRadiationDef fr_radiation_about(const FrRadiation *r) {
    return (FrRadiationDef){
        .x0 = r->x0, .radius = r->radius, .mode_count = r->mode_count, .turn = r->turn};
}

FrMultipole fr_radiation_mode(const FrRadiation *r, int32_t i) { return r->mode[i]; }

void fr_radiation_coefficients(const FrRadiation *r, int32_t i, float *c) {
    int32_t s = 0;
    while (r->seat[s].mode != i) s++;
    const float *from = r->group[s / LANES].c + s % LANES;
    for (size_t l = 0; l < 2 * square(r->mode[i].order); l++) c[l] = from[LANES * l];
}

// [S7 eq. 8]
void fr_radiation_gains(const FrRadiation *r, FrVec3 listener, FrRadiationDetail detail,
                        float *gain) {
    float y[FR_SPHERICAL_COUNT], row[LANES];
    if (!gain || fr_radiation_mode_count(r) == 0) return;
    bool coarse = detail == FR_RADIATION_COARSE;
    int32_t order = 0;
    for (int32_t g = 0; g < r->group_count; g++)
        order = fr_max_i(order, coarse ? r->group[g].coarse : r->group[g].order);
    FrVec3 way = fr_sub(listener, r->x0);
    double distance = fr_max(fr_length(way), r->radius);
    if (r->turned) way = fr_quat_rotate(fr_quat_conj(r->turn), way);
    fr_spherical_harmonics(&r->table, way, order, y);
    for (int32_t g = 0; g < r->group_count; g++) {
        const FrTransferGroup *group = &r->group[g];
        r->transfer(group, (float)distance, y, coarse ? group->coarse : group->order, row);
        int32_t first = g * LANES, end = fr_min_i(first + LANES, r->mode_count);
        for (int32_t s = first; s < end; s++) gain[r->seat[s].mode] = row[s - first];
    }
}
