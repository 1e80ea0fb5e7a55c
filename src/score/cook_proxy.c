// cook_proxy.c: a body that borrows its sound: its mass and moments, its lowest tone, the bank's
// ellipsoid.

#include "score/cook_proxy.h"
#include "backend/backend.h"
#include "bank/pitch.h"
#include "base/clock.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "modal/compute.h"
#include <math.h>

/// Polynomials of which the last two degrees still lower the tone by this much are not enough.
#define MOST_SLACK 0.08
/// Meshes of more tets are not made 10-node ones.
#define MOST_CURVED 30000

// the slow way, for shells: one mode of the sparse system
static FrResult pitch_of_tets(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                              double *hz) {
    FrTetMesh curved = {0};
    FrModes modes = {0};
    if (mesh->order == 1 && mesh->tet_count <= MOST_CURVED)
        FR_TRY(fr_tetmesh_order2(ctx, mesh, NULL, &curved, NULL));
    FrModalDef def = {.mesh = curved.tet_count ? &curved : mesh,
                      .material = material,
                      .material_count = 1,
                      .count = 1,
                      .unproved = true};
    FrResult result = fr_modes_compute(ctx, &def, &modes, NULL);
    if (result == FR_OK && modes.mode_count > 0) *hz = sqrt(modes.lambda[0]) / (2.0 * FR_PI);
    fr_modes_free(ctx, &modes);
    fr_tetmesh_free(ctx, &curved);
    return result;
}

static FrResult find_pitch(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                           FrProxied *to) {
    double slack, start = fr_thread_seconds();
    fr_backend_fill(ctx);
    FR_TRY(fr_body_pitch(ctx, mesh, material, &to->hz, &slack));
    to->meshed = slack > MOST_SLACK;
    if (to->meshed) FR_TRY(pitch_of_tets(ctx, mesh, material, &to->hz));
    to->seconds = fr_thread_seconds() - start;
    return FR_OK;
}

FrResult fr_cook_proxy(FrContext *ctx, const FrProxyRule *rule, const FrTetMesh *mesh,
                       const FrMaterial *material, FrProxied *to) {
    FrProxyDef def = fr_proxy_def_default();
    FrSolidProps props = fr_tetmesh_props(mesh);
    FR_TRY(find_pitch(ctx, mesh, material, to));
    if (rule->limit.kind == FR_PROXY_ABOVE && !(to->hz > rule->limit.value)) return FR_OK;
    def.bank = rule->bank;
    def.mass = material->density * props.volume;
    def.centre = props.centre;
    def.inertia = fr_sym3_axpy(material->density, props.inertia, fr_sym3_zero);
    def.lowest_hz = to->hz;
    def.material = *material;
    return fr_proxy_create(ctx, &def, &to->asset, &to->info);
}
