// spawn.c: bodies that come from another one: they go on with its place, its turn and its motion,
// and may take its place.

#include "math/decompose.h"
#include "mesh/quality.h"
#include "world/member.h"
#include "world/birth_code.h"

/// A body as if it were rigid.
typedef struct Carrier {
    FrVec3 origin;         ///< of its mesh, m
    FrQuat rotation;       ///< of its mesh
    FrVec3 centre;         ///< of the point that moves with `velocity`, m
    FrVec3 velocity, spin; ///< m/s, rad/s
} Carrier;

// The turn R and the place that bring nodes at rest nearest to where they are: R is the rotation of
// sum m (p - c)(X - C)', c and C the centres of mass.
static Carrier carrier_of_solid(const FrBody *body) {
    const FrSolidOps *solid = body->ops->solid;
    FrWhole whole = fr_world_whole(body);
    const double *rest = solid->rest(body->state);
    FrVec3 centre = fr_vec3_zero;
    FrMat3 spread = {0};
    FrShapeView view;
    body->ops->view(body->state, &view);
    for (int32_t n = 0; n < view.node_count; n++)
        centre = fr_axpy(solid->node_mass(body->state, n), fr_get3(rest, n), centre);
    centre = fr_scale(1.0 / whole.mass, centre);
    for (int32_t n = 0; n < view.node_count; n++) {
        FrVec3 p = fr_sub(fr_get3(view.p, n), whole.centre), X = fr_sub(fr_get3(rest, n), centre);
        spread = fr_mat3_axpy(solid->node_mass(body->state, n), fr_outer(p, X), spread);
    }
    FrQuat turn = fr_quat_from_mat3(fr_mat3_polar(spread, fr_mat3_identity));
    FrVec3 origin = fr_sub(whole.centre, fr_quat_rotate(turn, centre));
    return (Carrier){origin, turn, whole.centre, whole.velocity, whole.spin};
}

static FrResult carrier_of(FrWorld *w, const FrBody *body, Carrier *c) {
    bool posed = body->ops->pose(body->state, &c->origin, &c->rotation, &c->velocity, &c->spin);
    c->centre = c->origin;
    if (!posed && !body->ops->solid)
        return fr_fail(w->ctx, FR_BAD_USE, "%s has no motion that another body could go on with",
                       body->name);
    if (!posed) *c = carrier_of_solid(body);
    return FR_OK;
}

// of the mesh as it is written, m; a ball's is its middle
static FrVec3 centre_of(const FrBodyDef *def, bool by_region) {
    if (!def->mesh) return fr_vec3_zero;
    if (!by_region || !def->mesh->region) return fr_tetmesh_props(def->mesh).centre;
    FrVec3 sum = fr_vec3_zero;
    double mass = 0.0;
    for (int32_t e = 0; e < def->mesh->tet_count; e++) {
        FrTetMesh one = {.x = def->mesh->x, .tet = &def->mesh->tet[e], .tet_count = 1};
        FrSolidProps props = fr_tetmesh_props(&one);
        double m = def->material[def->mesh->region[e]].density * props.volume;
        sum = fr_axpy(m, props.centre, sum);
        mass += m;
    }
    return fr_scale(1.0 / mass, sum);
}

static bool regions_fit(const FrBodyDef *def) {
    for (int32_t e = 0; def->mesh->region && e < def->mesh->tet_count; e++)
        if (def->mesh->region[e] < 0 || def->mesh->region[e] >= def->material_count) return false;
    return true;
}

static FrResult find_carrier(FrWorld *w, const FrBodyDef *def, int32_t *index, Carrier *from) {
    FrResult result = fr_world_need(w, def->parent, index);
    if (result == FR_OK) result = carrier_of(w, &w->body.data[*index], from);
    return result == FR_OK ? FR_OK : fr_fail_within(w->ctx, result, "parent of %s: ", def->name);
}

// what a def leaves to its parent
static FrResult take_over(FrWorld *w, const FrBodyDef *def, const FrBody *parent, Carrier from,
                          FrBodyDef *child) {
    if (!def->material_count) {
        child->material = parent->material;
        child->material_count = parent->material_count;
    }
    const FrModelOps *row;
    FR_TRY(fr_world_check_def(w, child, &row));
    bool by_region = row->solid && def->mesh && regions_fit(child);
    child->rotation = fr_quat_normalize(fr_quat_mul(from.rotation, def->rotation));
    child->position = fr_add(from.origin, fr_quat_rotate(from.rotation, def->position));
    FrVec3 at = fr_quat_rotate(child->rotation, centre_of(child, by_region));
    FrVec3 arm = fr_sub(fr_add(child->position, at), from.centre);
    child->velocity = fr_add(def->velocity, fr_add(from.velocity, fr_cross(from.spin, arm)));
    child->spin = fr_add(def->spin, from.spin);
    return FR_OK;
}

FrResult fr_world_inherit(FrWorld *w, const FrBodyDef *def, FrBodyDef *child) {
    *child = *def;
    FR_NEED(w->ctx, def->cookie == FR_COOKIE, "start from fr_body_def_default()");
    if (!def->parent.index1) return FR_OK;
    int32_t index;
    Carrier from;
    FR_TRY(find_carrier(w, def, &index, &from));
    return take_over(w, def, &w->body.data[index], from, child);
}

// a solid's mean motion is a sum over its nodes: found once for all children
static FrResult bear_all(FrWorld *w, FrBodyId parent, const FrBodyDef *child, int32_t count,
                         FrBodyId *id) {
    int32_t index;
    Carrier from = {0};
    for (int32_t k = 0; k < count; k++) {
        FrBodyDef def = child[k], own;
        def.parent = parent;
        FR_NEED(w->ctx, def.cookie == FR_COOKIE, "start from fr_body_def_default()");
        if (k == 0) FR_TRY(find_carrier(w, &def, &index, &from));
        own = def;
        FR_TRY(take_over(w, &def, &w->body.data[index], from, &own));
        FR_TRY(fr_world_bear(w, &own, &id[k]));
    }
    return fr_body_destroy(w, parent);
}

FrResult fr_body_exchange(FrWorld *w, FrBodyId parent, const FrBodyDef *child, int32_t count,
                          FrBodyId *id) {
    FR_NEED_ALL(fr_world_context(w), w && child && id);

    int32_t index;
    FrWorld before = *w;
    if (count < 1)
        return fr_fail(w->ctx, FR_BAD_USE,
                       "a body is exchanged for %d others; at least 1 (fr_body_destroy takes it "
                       "out)",
                       count);
    for (int32_t k = 0; k < count; k++) id[k] = (FrBodyId){0};
    FR_TRY(fr_world_need(w, parent, &index));
    FrResult result = bear_all(w, parent, child, count, id);
    if (result == FR_OK) return FR_OK;
    fr_world_take_back(w, &before);
    for (int32_t k = 0; k < count; k++) id[k] = (FrBodyId){0};
    return result;
}
