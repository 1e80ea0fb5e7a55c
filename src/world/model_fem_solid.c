// model_fem_solid.c: nodes of a fem body: supports, loads and what it yielded, as the world asks.

#include "fem/element.h"
#include "world/model_fem.h"

static const double *rest(const void *state) { return fr_fem_rest(fr_fem_of(state)); }
static double *contact_forces(void *state) { return fr_fem_contact_forces(fr_fem_of(state)); }
static const uint8_t *crumbs(const void *state) { return fr_fem_crumbs(fr_fem_of(state)); }
static double node_mass(const void *state, int32_t node) {
    return fr_fem_node_mass(fr_fem_of(state), node);
}
static const FrMaterial *material(const void *state, int32_t tet) {
    return fr_fem_material(fr_fem_of(state), tet);
}
static void set_damping(void *state, int32_t material, const FrMaterial *from) {
    fr_fem_set_damping(fr_fem_of(state), material, from);
}
static double most_loss(const FrTetMesh *mesh, int32_t region, const FrMaterial *material) {
    double w2 = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 x[4];
        FrElement element;
        if (mesh->region && mesh->region[e] != region) continue;
        for (int i = 0; i < 4; i++) x[i] = fr_get3(mesh->x, mesh->tet[e][i]);
        if (fr_element_make(x, &element)) w2 = fr_max(w2, fr_element_w2(&element, material));
    }
    return fr_material_damping_bound(material) * sqrt(w2);
}
static bool yields(const void *state) { return fr_fem_yields(fr_fem_of(state)); }
static FrSym3 plastic_strain(const void *state, int32_t tet) {
    return fr_fem_plastic_strain(fr_fem_of(state), tet);
}
static int32_t guarded(void *state) { return fr_fem_crushed(fr_fem_of(state)); }
static bool is_supported(const void *state, int32_t node) {
    return fr_fem_held(fr_fem_of(state), node);
}
static bool left(const void *state, int32_t node) {
    return fr_fem_node_left(fr_fem_of(state), node);
}
static void support(void *state, int32_t node) { fr_fem_hold(fr_fem_of(state), node); }
static void release(void *state, int32_t node) { fr_fem_release(fr_fem_of(state), node); }
static void drive(void *state, int32_t node, FrVec3 velocity) {
    fr_fem_drive(fr_fem_of(state), node, velocity);
}
static void fix_supports(void *state, bool fixed) {
    fr_fem_set_supports_fixed(fr_fem_of(state), fixed);
}
static void load(void *state, int32_t node, FrVec3 force) {
    fr_fem_add_force(fr_fem_of(state), FR_FEM_LOAD, node, force);
}
static void put(void *state, const double *p, const double *v, FrVec3 gravity) {
    fr_fem_put(fr_fem_of(state), p, v, gravity);
}
static double kick_time(const void *state, double dt) {
    return fr_fem_kick_time(fr_fem_of(state), dt);
}
static bool was_cut(const void *state) { return fr_fem_was_cut(fr_fem_of(state)); }
static void retime(void *state, double dt) { fr_fem_retime(fr_fem_of(state), dt); }

static bool flies(const void *state) { return fr_fem_flies(fr_fem_of(state)); }
static bool take_off(void *state, FrVec3 gravity) {
    return fr_fem_take_off(fr_fem_of(state), gravity);
}
static void fly(void *state, double dt, FrVec3 gravity) {
    fr_fem_fly(fr_fem_of(state), dt, gravity);
}
static void land(void *state) { fr_fem_land(fr_fem_of(state)); }

const FrFlightOps fr_fem_flight_ops = {flies, take_off, fly, land};

const FrSolidOps fr_fem_solid_ops = {
    .rest = rest,
    .contact_forces = contact_forces,
    .crumbs = crumbs,
    .node_mass = node_mass,
    .material = material,
    .set_damping = set_damping,
    .most_loss = most_loss,
    .yields = yields,
    .plastic_strain = plastic_strain,
    .guarded = guarded,
    .is_supported = is_supported,
    .left = left,
    .support = support,
    .release = release,
    .drive = drive,
    .fix_supports = fix_supports,
    .load = load,
    .put = put,
    .kick_time = kick_time,
    .was_cut = was_cut,
    .retime = retime,
};
