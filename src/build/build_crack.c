// build_crack.c: how a scene's body breaks: weak places by region and by chance, cracks
// from the start.

#include "base/random.h"
#include "build/build.h"
#include "mesh/topology.h"
#include "math/vec.h"

/// A number in [0, 1) for a place of the noise's lattice.
static double lattice_value(uint64_t seed, int64_t x, int64_t y, int64_t z) {
    uint64_t place = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^
                     (uint64_t)z * 0x165667b19e3779f9u;
    FrRandom r = fr_random_for(seed, "weaken", place);
    return fr_random_unit(&r);
}

// values at the corners of cells, mixed with smooth weights: patches of about the cell's size
static double patches(uint64_t seed, FrVec3 x, double size) {
    double at[3] = {x.x / size, x.y / size, x.z / size}, sum = 0.0;
    int64_t low[3];
    double w[3];
    for (int i = 0; i < 3; i++) {
        double cell = floor(at[i]), t = at[i] - cell;
        low[i] = (int64_t)cell;
        w[i] = t * t * (3.0 - 2.0 * t);
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        int64_t n[3];
        for (int i = 0; i < 3; i++) {
            int up = corner >> i & 1;
            n[i] = low[i] + up;
            weight *= up ? w[i] : 1.0 - w[i];
        }
        sum += weight * lattice_value(seed, n[0], n[1], n[2]);
    }
    return sum;
}

static FrVec3 middle(const FrTetMesh *mesh, int32_t e) {
    FrVec3 sum = fr_vec3_zero;
    for (int i = 0; i < 4; i++) sum = fr_axpy(0.25, fr_get3(mesh->x, mesh->tet[e][i]), sum);
    return sum;
}

// how many tets have their middle in the region
static int32_t weaken(const FrSceneWeaken *from, const FrRegionTest *test, const FrTetMesh *mesh,
                      uint64_t seed, double *weak) {
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 x = middle(mesh, e);
        if (!fr_region_has(test, x)) continue;
        count++;
        double share = from->size > 0.0 ? patches(seed, x, from->size) : 0.0;
        weak[e] *= from->by.x + share * (from->by.y - from->by.x);
    }
    return count;
}

static bool has_node(const FrRegionTest *test, const FrTetMesh *mesh) {
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fr_region_has(test, fr_get3(mesh->x, n))) return true;
    return false;
}

static FrResult build_weak(FrBuilt *built, const FrScene *scene, int32_t index, FrShapeSet *set,
                           double *weak) {
    const FrSceneBody *body = &scene->bodies[index];
    const FrTetMesh *mesh = &built->mesh[index].mesh;
    for (int32_t e = 0; e < mesh->tet_count; e++) weak[e] = 1.0;
    for (int32_t k = 0; k < body->weaken_count; k++) {
        const FrSceneWeaken *from = &body->weaken[k];
        FrRegionTest test = {&from->where, NULL};
        if (from->where.kind == FR_SCENE_INSIDE)
            FR_TRY(fr_build_shape(built->ctx, set, from->where.inside->shape, scene->folder,
                                  &test.shape));
        if (weaken(from, &test, mesh, (uint64_t)scene->scene.seed + (uint64_t)k, weak)) continue;
        if (has_node(&test, mesh)) {
            built->mesh[index].thin_weak = from;
            continue;
        }
        FrResult empty = fr_empty_region(built->ctx, mesh);
        FR_TRY(fr_build_problem(built, scene, &from->where, from, body->name, empty));
    }
    return FR_OK;
}

static double bond_of(const FrSceneBody *body, int32_t region) {
    return region > 0 ? body->parts[region - 1].bond : 1.0;
}

static bool has_bonds(const FrSceneBody *body) {
    for (int32_t k = 0; k < body->parts_count; k++)
        if (body->parts[k].bond < 1.0) return true;
    return false;
}

// tets that have a face where two parts meet are as weak as the weaker bond
static FrResult weaken_bonds(FrBuilt *built, const FrSceneBody *body, const FrTetMesh *mesh,
                             double *weak) {
    int32_t(*across)[4];
    FR_TRY(fr_tet_neighbours(built->ctx, mesh, &across));
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        double least = 1.0, own = bond_of(body, mesh->region[e]);
        for (int i = 0; i < 4; i++) {
            int32_t other = across[e][i] < 0 ? mesh->region[e] : mesh->region[across[e][i]];
            if (other == mesh->region[e]) continue;
            least = fr_min(least, fr_min(own, bond_of(body, other)));
        }
        weak[e] *= least;
    }
    fr_free(built->ctx, across);
    return FR_OK;
}

static FrResult add_weak(FrBuilt *built, const FrScene *scene, int32_t k, FrCrackParts *parts) {
    FrShapeSet *set;
    FR_TRY(fr_shapeset_create(built->ctx, &set));
    parts->weak = FR_NEW(built->ctx, double, built->mesh[k].mesh.tet_count);
    FrResult result = parts->weak ? build_weak(built, scene, k, set, parts->weak)
                                  : fr_no_memory(built->ctx, "weak places");
    const FrSceneBody *body = &scene->bodies[k];
    if (result == FR_OK && has_bonds(body))
        result = weaken_bonds(built, body, &built->mesh[k].mesh, parts->weak);
    fr_shapeset_destroy(set);
    return result;
}

static FrResult add_cuts(FrBuilt *built, const FrSceneBody *body, FrCrackParts *parts) {
    parts->cut = FR_NEW(built->ctx, FrPreCut, body->cuts_count);
    if (!parts->cut) return fr_no_memory(built->ctx, "cracks");
    for (int32_t k = 0; k < body->cuts_count; k++)
        parts->cut[k] = (FrPreCut){body->cuts[k].at, body->cuts[k].normal, body->cuts[k].radius};
    return FR_OK;
}

static bool begins_strained(const FrSceneBody *body) {
    for (int32_t k = 0; k < body->parts_count; k++)
        if (fr_length2(body->parts[k].strain) > 0.0) return true;
    return false;
}

static FrResult check_strain(FrBuilt *built, FrVec3 s, const FrMaterial *m, bool fem) {
    double sum = s.x + s.y + s.z, most = fr_min(m->plastic_limit, m->yield_strain);
    if (!(fr_length2(s) > 0.0)) return FR_OK;
    if (!fem)
        return fr_fail(built->ctx, FR_BAD_INPUT, "only fem bodies can begin with a plastic strain");
    if (!(fabs(sum) <= 1e-9))
        return fr_fail(built->ctx, FR_BAD_INPUT,
                       "plastic strain keeps the volume: its three parts must add up to 0, not %g",
                       sum);
    if (fr_length(s) <= most) return FR_OK;
    return fr_fail(built->ctx, FR_BAD_INPUT,
                   "a plastic strain of %g would flow back at once: %s holds %g, the least of its "
                   "yield_strain and plastic_limit",
                   fr_length(s), m->name, most);
}

FrResult fr_build_strained(FrBuilt *built, const FrScene *scene, int32_t k, FrBodyDef *def,
                           FrCrackParts *parts) {
    const FrSceneBody *body = &scene->bodies[k];
    const FrTetMesh *mesh = &built->mesh[k].mesh;
    FrModelTraits traits = fr_model_traits(def->model);
    bool fem = traits.deforms && traits.breaks && !traits.rigid, good = true;
    if (!begins_strained(body)) return FR_OK;
    for (int32_t i = 0; i < body->parts_count; i++) {
        const FrScenePart *part = &body->parts[i];
        FrResult result = check_strain(built, part->strain, &def->material[i + 1], fem);
        good = good && result == FR_OK;
        FR_TRY(fr_build_problem(built, scene, &part->strain, part, body->name, result));
    }
    if (!good) return FR_OK; // told, with the other problems of the scene
    parts->strained = FR_NEW(built->ctx, double, 6 * (size_t)mesh->tet_count);
    if (!parts->strained) return fr_no_memory(built->ctx, "plastic strains");
    for (int32_t e = 0; e < mesh->tet_count; e++)
        if (mesh->region[e])
            fr_set3(parts->strained, 2 * e, body->parts[mesh->region[e] - 1].strain);
    def->strained = parts->strained;
    return FR_OK;
}

FrResult fr_build_crack(FrBuilt *built, const FrScene *scene, int32_t k, FrCrackParts *parts,
                        FrCrackDef *def) {
    const FrSceneBody *body = &scene->bodies[k];
    *def = body->crack;
    if (!fr_body_traits(body).breaks) return FR_OK;
    if (body->weaken_count || has_bonds(body)) FR_TRY(add_weak(built, scene, k, parts));
    if (body->cuts_count) FR_TRY(add_cuts(built, body, parts));
    def->weak = parts->weak;
    def->cut = parts->cut;
    def->cut_count = body->cuts_count;
    def->seed = body->seeds;
    def->seed_count = body->seeds_count;
    return FR_OK;
}

void fr_crack_parts_free(FrContext *ctx, FrCrackParts *parts) {
    fr_free(ctx, parts->weak);
    fr_free(ctx, parts->cut);
    fr_free(ctx, parts->strained);
}
