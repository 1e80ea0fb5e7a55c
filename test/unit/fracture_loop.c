// fracture_loop.c: the loop that breaks a body: order, residuals, loads, memory that runs out.

#include "fracture_kit.h"

TEST(the_most_overloaded_comes_first) {
    FrContext *ctx = test_context(1);
    FrFailingQueue q = {{0}};
    FrRandom r = fr_random_for(1, "queue", 0);
    for (int k = 0; k < 500; k++) {
        FrFailing item = {.load = (float)floor(fr_random_range(&r, 0, 50)), .node = k};
        CHECK(fr_failing_push(ctx, &q, item));
    }
    FrFailing last, item;
    CHECK(fr_failing_pop(&q, &last));
    for (int k = 1; k < 500; k++) {
        CHECK(fr_failing_pop(&q, &item));
        CHECK(item.load < last.load || (item.load == last.load && item.node > last.node));
        last = item;
    }
    CHECK(!fr_failing_pop(&q, &item));
    fr_array_free(ctx, &q.item);
    fr_context_destroy(ctx);
}

// below the strength nothing is cut; above it something is, across the pull
TEST(nothing_breaks_below_its_strength) {
    Plate p = plate_make(4, 0.0, NULL);
    FrBreakResult r;
    plate_stretch(&p, 0, 0, 0.00098);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK_INT(r.crack_count, 0);
    CHECK_INT(r.log->tet_count, 0);
    plate_stretch(&p, 0, 0, 0.00102);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK(r.crack_count > 0);
    CHECK(r.crack[0].n.z > 0.999);
    // model: strain of 1e-3 is taken as small; (1 + e)^2
    CHECK_CLOSE(r.crack[0].value / r.crack[0].limit, 1.02, 0.005);
    CHECK(r.crack[0].area > 0.0 && r.crack[0].energy > 0.0);
    plate_free(&p);
}

/// weak in the middle of one side only: the crack has a place to start
static double *weak_spot(const FrTetMesh *mesh, double x0, double z0) {
    double *weak = calloc((size_t)mesh->tet_count, sizeof *weak);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 c = fr_vec3_zero;
        for (int i = 0; i < 4; i++) c = fr_axpy(0.25, fr_get3(mesh->x, mesh->tet[e][i]), c);
        weak[e] = fabs(c.x - x0) < 0.11 && fabs(c.z - z0) < 0.11 ? 0.5 : 1.0;
    }
    return weak;
}

/// how far cracks come in one look, m, and how many there are
static double reach_with(double residual, int32_t *count) {
    FrTetMesh mesh = test_box(8, 1, 8, 0.1);
    double *weak = weak_spot(&mesh, 0.0, 0.4);
    Plate p = plate_make(8, residual, weak);
    FrBreakResult r;
    plate_stretch(&p, 0, 0, 0.00095); // only the weak spot fails by itself
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    double reach = 0.0;
    *count = r.crack_count;
    for (int32_t k = 0; k < r.crack_count; k++) {
        CHECK(residual > 0.0 || r.crack[k].x.x < 0.31); // stays where it is weak
        reach = fr_max(reach, r.crack[k].x.x);
    }
    plate_free(&p);
    test_mesh_free(&mesh);
    free(weak);
    return reach;
}

// what exceeds the limit is passed on to the front: the crack runs on within the same step; without
// it, it does not. What it passes by waits: fewer branches                      [S6 eq. 4.7]
TEST(what_exceeds_the_limit_runs_ahead) {
    int32_t with, without;
    double far = reach_with(1.0, &with), near = reach_with(0.0, &without);
    printf("  %.2f m with %d cracks, without residuals %.2f m with %d\n", far, with, near, without);
    CHECK(far > near + 0.05); // half a cell
    CHECK(with <= without);
}

// E23: a node that was split is looked at again with the stresses that were there before: tets that
// a cut divides hold what their parent held, so that a second plane is judged by the same pull
TEST(divided_tets_keep_their_stress) {
    Plate p = plate_make(4, 1.0, NULL);
    FrBreakResult r;
    FrVec3 pull = fr_normalize(fr_vec3(0.4, 0.1, 1)); // askew, so that cracks cut tets
    double *x = calloc(3 * (size_t)p.mesh.node_count, sizeof *x);
    for (int32_t n = 0; n < p.mesh.node_count; n++) {
        FrVec3 m = fr_get3(p.mesh.x, n);
        fr_set3(x, n, fr_axpy(0.0015 * fr_dot(pull, m), pull, m));
    }
    fr_fem_set_state(p.fem, x, NULL);
    free(x);
    FrMat3 F, was;
    FrBreakable body = fr_fracture_body(p.fracture);
    FrSym3 held = fr_breaking_stress(&body, 0, &was);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    body = fr_fracture_body(p.fracture);
    const FrTetMesh *mesh = plate_mesh(&p);
    CHECK(r.crack_count > 4 && mesh->tet_count > p.mesh.tet_count + 20);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrSym3 S = fr_breaking_stress(&body, e, &F), off = fr_sym3_axpy(-1.0, held, S);
        // rounding: edges of small tets: 1e-16 of a place over 1/100 of a cell
        CHECK(sqrt(fr_sym3_dot(off, off)) < 1e-9 * held.zz);
    }
    plate_free(&p);
}

// loads of nodes: value over limit, 0 where a node is held
TEST(loads_of_nodes) {
    Plate p = plate_make(4, 0.0, NULL);
    plate_stretch(&p, 0, 0, 0.0005);
    double *load = calloc((size_t)p.mesh.node_count, sizeof *load), most = 0.0;
    fr_fem_hold(p.fem, 12);
    fr_fracture_loads(p.fracture, load);
    for (int32_t n = 0; n < p.mesh.node_count; n++) most = fr_max(most, load[n]);
    CHECK_CLOSE(most, 0.5, 0.002); // model: strain of 5e-4 is taken as small; (1 + e)^2
    CHECK(load[12] == 0.0);
    free(load);
    plate_free(&p);
}

// -1 once they are of a rigid piece, however much that was stretched then
TEST(loads_of_rigid_pieces) {
    Plate p = plate_make(4, 0.0, NULL);
    plate_stretch(&p, 0, 0, 0.0005);
    double *load = calloc((size_t)p.mesh.node_count, sizeof *load);
    int32_t *tet = calloc((size_t)p.mesh.tet_count, sizeof *tet);
    for (int32_t e = 0; e < p.mesh.tet_count; e++) tet[e] = e;
    CHECK_OK(p.ctx, fr_fem_make_rigid(p.fem, tet, p.mesh.tet_count, FR_CAUSE_SMALL));
    fr_fracture_loads(p.fracture, load);
    for (int32_t n = 0; n < p.mesh.node_count; n++) CHECK(load[n] == -1.0);
    free(tet);
    free(load);
    plate_free(&p);
}

// no memory at the k-th request: a message, nothing lost
TEST(memory_that_runs_out_is_reported) {
    FrTetMesh mesh = test_box(2, 1, 2, 0.1);
    for (int k = 1; k < 400; k++) {
        Refuser refuser = {.refuse_at = k};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) continue;
        FrMaterial material = test_material(1e6, 0.0, 0.0);
        material.density = 1000.0;
        material.strength = 1000.0;
        FrFemDef body = {
            .mesh = &mesh, .material = &material, .material_count = 1, .rotation = {1, 0, 0, 0}};
        FrToughness toughness = {.strength = 1000.0, .residual = 1.0};
        FrFractureDef def = test_fracture_of(&toughness);
        FrFem *fem = NULL;
        FrFracture *fracture = NULL;
        FrResult result = fr_fem_create(ctx, &body, &fem);
        if (result == FR_OK) result = fr_cutmesh_create(ctx, &mesh, &def.cut);
        if (result == FR_OK) result = fr_pieces_create(ctx, def.cut, &def.pieces);
        if (result == FR_OK) result = fr_fracture_create(ctx, fem, &def, &fracture);
        if (result == FR_OK) {
            Plate p = {.ctx = ctx, .fem = fem, .fracture = fracture};
            plate_stretch(&p, 0, 0, 0.002);
            FrBreakResult r;
            result = fr_fracture_step(fracture, 0.0, &r);
        }
        bool refused = refuser.calls >= k;
        CHECK(refused ? result == FR_NO_MEMORY : result == FR_OK);
        fr_fracture_destroy(fracture);
        fr_pieces_destroy(def.pieces);
        fr_cutmesh_destroy(def.cut);
        fr_fem_destroy(fem);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        if (!refused) break;
    }
    test_mesh_free(&mesh);
}

// Pushes that do not balance look like a tear (E65): every node on the surface of a plate that is
// pressed from all sides has a separation tensor with an eigenvalue above its limit. Nothing pulls
// there, so nothing breaks.
TEST(pressed_from_all_sides_nothing_breaks) {
    Plate p = plate_make(4, 0.0, NULL);
    FrBreakResult r;
    plate_stretch(&p, -0.1, -0.1, -0.1);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK_INT(r.crack_count, 0);
    // as the tensor alone has it
    FrBreakable body = fr_fracture_body(p.fracture);
    const FrTetMesh *mesh = plate_mesh(&p);
    int32_t torn = 0;
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        CHECK(!fr_node_fails(&state));
        torn += state.value > 0.0;
    }
    printf("  %d of %d nodes look torn\n", torn, mesh->node_count);
    CHECK(torn > mesh->node_count / 2);
    // pulled along z it does
    plate_stretch(&p, -0.1, -0.1, 0.1);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 1.0, &r));
    CHECK(r.crack_count > 0);
    plate_free(&p);
}
