// model_fem.c: the row of the model table for solids that bend.

#include "material/laws.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "world/model_fem.h"

double fr_fem_tet_edge(const FrShapeView *view, int32_t tet) {
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += fr_distance(fr_get3(view->p, view->tet[tet][fr_tet_edge[k][0]]),
                           fr_get3(view->p, view->tet[tet][fr_tet_edge[k][1]]));
    return sum / 6.0;
}

static double mean_edge(const FrShapeView *view) {
    double sum = 0.0;
    for (int32_t e = 0; e < view->tet_count; e++) sum += fr_fem_tet_edge(view, e);
    return view->tet_count ? sum / view->tet_count : 0.0;
}

// lambda + 2 mu: how stiff a tet is when it is squeezed, which is what contact does to it. Young's
// modulus (M11) is far less for materials that hardly change their volume, and they sink in deep.
double fr_fem_squeeze_modulus(const FrMaterial *m) {
    if (m->anisotropic) return (m->C[0][0] + m->C[1][1] + m->C[2][2]) / 3.0;
    return m->lambda + 2.0 * m->mu;
}

// how thick a wall with the mesh's volume and surface is, m
static FrResult find_wall(FrContext *ctx, const FrTetMesh *mesh, double *wall) {
    FrSurface surface;
    FR_TRY(fr_tetmesh_surface(ctx, mesh, &surface));
    double twice = 0.0; // m^2
    for (int32_t k = 0; k < surface.tri_count; k++) {
        FrVec3 x[3];
        for (int i = 0; i < 3; i++) x[i] = fr_get3(mesh->x, surface.tri[k][i]);
        twice += fr_length(fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
    }
    fr_surface_free(ctx, &surface);
    *wall = 4.0 * fr_tetmesh_props(mesh).volume / twice;
    return FR_OK;
}

FrResult fr_fem_traits_of(FrContext *ctx, const FrBodyDef *def, const FrShapeView *view,
                          double mass, FrContactTraits *traits) {
    double wall = 0.0;
    FR_TRY(find_wall(ctx, def->mesh, &wall));
    *traits = (FrContactTraits){fr_fem_squeeze_modulus(&def->material[0]), mean_edge(view),
                                mass / view->node_count, wall};
    return FR_OK;
}

static void fem_destroy(void *state) {
    FrFemBody *body = state;
    if (!body) return;
    fr_fracture_destroy(body->fracture);
    fr_fem_destroy(body->fem);
    fr_array_free(body->ctx, &body->together);
    fr_free(body->ctx, body);
}

static FrResult begin_strained(FrFem *fem, const FrBodyDef *def) {
    for (int32_t e = 0; def->strained && e < def->mesh->tet_count; e++) {
        const double *s = def->strained + 6 * (size_t)e;
        FrSym3 strain = {s[0], s[1], s[2], s[3], s[4], s[5]};
        FR_TRY(fr_fem_set_plastic_strain(fem, e, strain));
    }
    return FR_OK;
}

static FrResult fem_create(FrContext *ctx, const FrBodyDef *def, void **state) {
    if (!def->mesh) return fr_fail(ctx, FR_BAD_USE, "a fem body needs a tet mesh");
    for (int32_t k = 0; k < def->material_count; k++)
        if (def->material[k].plastic_limit > FR_PLASTIC_LIMIT_MAX)
            return fr_fail(ctx, FR_BAD_USE,
                           "material %s: plastic_limit %g is above 0.55, where no rest shape need "
                           "exist in finite strain (E11); model corot takes it",
                           def->material[k].name, def->material[k].plastic_limit);
    FrFemBody *body = FR_NEW(ctx, FrFemBody, 1);
    if (!body) return fr_no_memory(ctx, "a fem body");
    body->ctx = ctx;
    FrFemDef fem = {.mesh = def->mesh,
                    .integrator = (FrIntegrator)def->method,
                    .material = def->material,
                    .material_count = def->material_count,
                    .position = def->position,
                    .rotation = def->rotation,
                    .velocity = def->velocity,
                    .spin = def->spin};
    FrResult result = fr_fem_create(ctx, &fem, &body->fem);
    FrShapeView view;
    if (result == FR_OK) result = begin_strained(body->fem, def);
    if (result == FR_OK) {
        fr_fem_view(body->fem, &view);
        result = fr_fem_traits_of(ctx, def, &view, fr_fem_mass(body->fem), &body->traits);
    }
    if (result != FR_OK) {
        fem_destroy(body);
        return result;
    }
    *state = body;
    return FR_OK;
}

static double fem_dt_limit(void *state) { return fr_fem_dt_limit(((FrFemBody *)state)->fem); }

static FrResult fem_step(void *const *state, int32_t count, double t, double dt, FrVec3 gravity,
                         int32_t *failed) {
    (void)t;
    FrFemBody *first = state[0];
    first->together.count = 0;
    *failed = 0;
    if (!fr_array_reserve(first->ctx, &first->together, count))
        return fr_no_memory(first->ctx, "a step of solids");
    for (int32_t k = 0; k < count; k++) first->together.data[k] = fr_fem_of(state[k]);
    return fr_fem_step_all(first->together.data, count, dt, gravity, failed);
}

static void fem_view(const void *state, FrShapeView *view) {
    fr_fem_view(((const FrFemBody *)state)->fem, view);
}

static bool fem_pose(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                     FrVec3 *spin) {
    (void)state;
    *position = *velocity = *spin = fr_vec3_zero;
    *rotation = fr_quat_identity;
    return false;
}

// v = sum_i b_i v_i, m/s                                              [S2 eq. 14] [S6 eq. 3.19]
static FrVec3 fem_velocity(const void *state, FrPoint at, FrVec3 x) {
    (void)x;
    FrShapeView view;
    fem_view(state, &view);
    FrVec3 v = fr_vec3_zero;
    for (int i = 0; i < 4; i++) v = fr_axpy(at.b[i], fr_get3(view.v, view.tet[at.tet][i]), v);
    return v;
}

// 1/m = sum_i b_i^2 / m_i over nodes that can move                                     [M11]
static double fem_inverse_mass(const void *state, FrPoint at, FrVec3 x) {
    (void)x;
    const FrFem *fem = ((const FrFemBody *)state)->fem;
    FrShapeView view;
    fr_fem_view(fem, &view);
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        int32_t node = view.tet[at.tet][i];
        if (!fr_fem_held(fem, node)) sum += at.b[i] * at.b[i] / fr_fem_node_mass(fem, node);
    }
    return sum;
}

// f_i = b_i f: the same net force and moment                                        [S6 eq. 5.6]
static void fem_force(void *state, FrPoint at, FrVec3 x, FrVec3 force) {
    (void)x;
    FrFem *fem = ((FrFemBody *)state)->fem;
    FrShapeView view;
    fr_fem_view(fem, &view);
    for (int i = 0; i < 4; i++)
        fr_fem_add_force(fem, FR_FEM_CONTACT, view.tet[at.tet][i], fr_scale(at.b[i], force));
}

static void fem_note_kinematic(void *state, double work) {
    fr_fem_note_kinematic(((FrFemBody *)state)->fem, work);
}

static void fem_traits(const void *state, FrContactTraits *traits) {
    *traits = ((const FrFemBody *)state)->traits;
}
static void fem_backup(void *state) { fr_fem_backup(((FrFemBody *)state)->fem); }
static void fem_restore(void *state) { fr_fem_restore(((FrFemBody *)state)->fem); }

static FrStepWatch fem_watch(const void *state) {
    return fr_fem_watch(((const FrFemBody *)state)->fem);
}

static void fem_energy(void *state, FrVec3 gravity, FrEnergy *energy) {
    FrFemEnergy e;
    fr_fem_energy(((FrFemBody *)state)->fem, gravity, &e);
    *energy = (FrEnergy){.kinetic = e.kinetic,
                         .elastic = e.elastic,
                         .plastic = e.plastic,
                         .fracture = e.fracture,
                         .dust = e.dust,
                         .damping = e.damping,
                         .contact = -e.contact_work,
                         .external = e.gravity_work + e.load_work};
}

static void fem_momentum(const void *state, FrVec3 *linear, FrVec3 *angular) {
    fr_fem_momentum(((const FrFemBody *)state)->fem, linear, angular);
}

static void fem_impulse(const void *state, FrVec3 *impulse, double *mass) {
    const FrFem *fem = ((const FrFemBody *)state)->fem;
    *impulse = fr_fem_impulse(fem);
    *mass = fr_fem_mass(fem);
}

static bool was_cut(const FrFemBody *body) {
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    return view.topology > 1;
}

// with where its nodes rest: cuts made some and moved others, and strains follow from them
static void hash_cut(const FrShapeView *view, const double *rest, FrHash *hash) {
    for (int32_t n = 0; n < 3 * view->node_count; n++) fr_hash_f64(hash, rest[n]);
    for (int32_t e = 0; e < view->tet_count; e++) {
        for (int k = 0; k < 4; k++) fr_hash_u64(hash, (uint64_t)view->tet[e][k]);
        fr_hash_u64(hash, view->gone ? view->gone[e] : 0);
    }
}

static void hash_strain(FrSym3 E, FrHash *hash) {
    const double part[6] = {E.xx, E.yy, E.zz, E.yz, E.zx, E.xy};
    for (int k = 0; k < 6; k++) fr_hash_f64(hash, part[k]);
}

static void fem_hash(const void *state, FrHash *hash) {
    const FrFemBody *body = state;
    FrShapeView view;
    fr_fem_view(body->fem, &view);
    for (int32_t n = 0; n < 3 * view.node_count; n++) {
        fr_hash_f64(hash, view.p[n]);
        fr_hash_f64(hash, view.v[n]);
    }
    if (view.topology > 1) hash_cut(&view, fr_fem_rest(body->fem), hash);
    for (int32_t e = 0; fr_fem_yields(body->fem) && e < view.tet_count; e++)
        hash_strain(fr_fem_plastic_strain(body->fem, e), hash);
}

static void fem_save(const void *state, FrWriter *writer) {
    const FrFemBody *body = state;
    fr_fem_save(body->fem, writer);
    if (was_cut(body))
        fr_fracture_save(body->fracture, writer);
    else if (body->fracture)
        fr_fracture_save_whole(body->fracture, writer);
}

static FrResult fem_load(void *state, FrReader *reader) {
    FrFemBody *body = state;
    FR_TRY(fr_fem_load(body->fem, reader));
    if (!was_cut(body))
        return body->fracture ? fr_fracture_load_whole(body->fracture, reader) : FR_OK;
    if (body->fracture) return fr_fracture_load(body->fracture, reader);
    return fr_fail(body->ctx, FR_BAD_INPUT, "the state of a broken body; this one does not break");
}

const FrModelOps fr_model_fem = {
    .name = "fem",
    .stepping = FR_STEPS_EXPLICIT,
    .create = fem_create,
    .destroy = fem_destroy,
    .dt_limit = fem_dt_limit,
    .step = fem_step,
    .view = fem_view,
    .pose = fem_pose,
    .velocity = fem_velocity,
    .inverse_mass = fem_inverse_mass,
    .force = fem_force,
    .note_kinematic = fem_note_kinematic,
    .traits = fem_traits,
    .backup = fem_backup,
    .restore = fem_restore,
    .watch = fem_watch,
    .energy = fem_energy,
    .momentum = fem_momentum,
    .impulse = fem_impulse,
    .hash = fem_hash,
    .save = fem_save,
    .load = fem_load,
    .solid = &fr_fem_solid_ops,
    .pieces = &fr_fem_piece_ops,
    .breaks = &fr_fem_break_ops,
    .flight = &fr_fem_flight_ops,
};
