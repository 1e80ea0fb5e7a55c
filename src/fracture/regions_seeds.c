// regions_seeds.c: from where regions grow: chosen places first, then places drawn where energy is
// dense; and how fast they grow.                                                    [S7 3.2, M20,
// K6]

#include "fracture/regions_inside.h"
#include "fracture/fracture_tuning.h"
#include "mesh/tetmesh.h"

static double value_at(const Regions *R, const double *of_node, FrPoint at) {
    double sum = 0.0;
    for (int i = 0; i < 4; i++) sum += at.b[i] * of_node[R->mesh->tet[at.tet][i]];
    return fr_max(sum, 0.0);
}

static double density_at(const Regions *R, FrPoint at) { return value_at(R, R->def->density, at); }

FrResult fr_region_source_open(RegionSource *source, const Regions *R) {
    static const FrPoint middle = {0, {0.25, 0.25, 0.25, 0.25}};
    source->random = fr_random_for(R->def->seed, "regions", 0);
    source->below = FR_NEW(R->ctx, double, R->mesh->tet_count);
    if (!source->below) return fr_no_memory(R->ctx, "regions");
    double sum = 0.0, volume = 0.0;
    for (int32_t e = 0; e < R->mesh->tet_count; e++) {
        FrPoint at = middle;
        at.tet = e;
        volume += R->volume[e];
        source->below[e] = sum += density_at(R, at) * R->volume[e];
    }
    source->mean = sum / volume;
    volume = 0.0;
    for (int32_t e = 0; e < R->mesh->tet_count && !(sum > 0.0); e++)
        source->below[e] = volume += R->volume[e]; // no energy: all places are alike
    return R->def->chosen_count ? fr_locator_create(R->ctx, R->mesh, &source->locator) : FR_OK;
}

void fr_region_source_close(RegionSource *source, FrContext *ctx) {
    fr_free(ctx, source->below);
    fr_locator_free(ctx, &source->locator);
}

// k = (e / e_mean)^exponent: without unit, and large, so that regions are small, where energy is
// dense                                                                          [S7 3.2, M20]
// Departs from the paper: its k has the unit of its e; and seeds lie inside of tets, not at nodes.
static RegionSeed seed_at(const Regions *R, const RegionSource *source, FrPoint at) {
    RegionSeed seed = {.x = fr_vec3_zero, .at = at, .weight = 1.0, .closer = 1.0};
    if (R->def->closer) seed.closer = value_at(R, R->def->closer, at);
    for (int i = 0; i < 4; i++)
        seed.x = fr_axpy(at.b[i], fr_get3(R->mesh->x, R->mesh->tet[at.tet][i]), seed.x);
    if (source->mean > 0.0)
        seed.weight = pow(fr_clamp(density_at(R, at) / source->mean, FR_REGION_LEAST_DENSITY,
                                   1.0 / FR_REGION_LEAST_DENSITY),
                          R->def->exponent);
    return seed;
}

// the first tet up to which there is more than x
static int32_t tet_above(const double *below, int32_t count, double x) {
    int32_t lo = 0, hi = count - 1;
    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;
        if (below[middle] > x)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static void swap_if(double *a, double *b) {
    double low = fr_min(*a, *b), high = fr_max(*a, *b);
    *a = low, *b = high;
}

// a tet with probability ~ its energy, and any place in it                        [M20, K6]
static FrPoint drawn(const Regions *R, RegionSource *source) {
    int32_t last = R->mesh->tet_count - 1;
    double x = fr_random_unit(&source->random) * source->below[last];
    FrPoint at = {.tet = tet_above(source->below, last + 1, x)};
    double u[3];
    for (int i = 0; i < 3; i++) u[i] = fr_random_unit(&source->random);
    swap_if(&u[0], &u[1]);
    swap_if(&u[1], &u[2]);
    swap_if(&u[0], &u[1]);
    at.b[0] = u[0], at.b[1] = u[1] - u[0], at.b[2] = u[2] - u[1], at.b[3] = 1.0 - u[2];
    return at;
}

static FrPoint chosen(RegionSource *source, FrVec3 x) {
    double distance, sum = 0.0;
    FrPoint at = fr_locate(&source->locator, x, &distance);
    for (int i = 0; i < 4; i++) sum += at.b[i] = fr_max(at.b[i], 0.0);
    for (int i = 0; i < 4; i++) at.b[i] /= sum;
    return at;
}

static bool far_from_others(const Regions *R, const RegionSeed *seed) {
    for (int32_t k = 0; k < R->seeds.count; k++)
        if (fr_distance(R->seeds.data[k].x, seed->x) < R->def->apart * seed->closer) return false;
    return true;
}

bool fr_region_source_next(const Regions *R, RegionSource *source, RegionSeed *seed) {
    if (source->chosen < R->def->chosen_count) {
        *seed = seed_at(R, source, chosen(source, R->def->chosen[source->chosen++]));
        return true;
    }
    for (int k = 0; k < FR_REGION_DRAWS; k++) {
        *seed = seed_at(R, source, drawn(R, source));
        if (far_from_others(R, seed)) return true;
    }
    return false;
}
