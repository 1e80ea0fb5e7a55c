// fracture_loop.c: the loop that breaks a body: order, residuals, cracks from the start,
// checkpoints.

#include "fracture/inside.h"
#include "fem/element.h"
#include "fem_mesh.h"

typedef struct Plate {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial stuff;
    FrFem *fem;
    FrFracture *fracture;
} Plate;

/// n x 1 x n cells of 10 cm; strength 1 kPa at 1 MPa, along the axes of `A` where that is given;
/// `alpha1`: damping, s
static Plate plate_of(int n, double residual, const double *weak, const FrMat3 *A, double alpha1) {
    Plate p = {.ctx = test_context(1), .mesh = test_box(n, 1, n, 0.1)};
    p.stuff = test_material(1e6, 0.0, alpha1);
    p.stuff.density = 1000.0;
    p.stuff.strength = 1000.0;
    p.fem = test_body(p.ctx, &p.mesh, &p.stuff);
    FrToughness toughness = {.strength = 1000.0, .residual = residual, .directional = A != NULL};
    if (A) toughness.A = *A;
    FrFractureDef def = fr_fracture_def_default();
    def.mesh = &p.mesh;
    def.toughness = &toughness;
    def.material_count = 1;
    def.weak = weak;
    CHECK_OK(p.ctx, fr_fracture_create(p.ctx, p.fem, &def, &p.fracture));
    return p;
}

static Plate plate_make(int n, double residual, const double *weak) {
    return plate_of(n, residual, weak, NULL, 0.0);
}

static void plate_free(Plate *p) {
    fr_fracture_destroy(p->fracture);
    fr_fem_destroy(p->fem);
    test_mesh_free(&p->mesh);
    fr_context_destroy(p->ctx);
}

/// stretch along z by `strain`
static void stretch(Plate *p, double strain) {
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    double *x = calloc(3 * (size_t)mesh->node_count, sizeof *x);
    memcpy(x, mesh->x, 3 * (size_t)mesh->node_count * sizeof *x);
    for (int32_t n = 0; n < mesh->node_count; n++) x[3 * n + 2] *= 1.0 + strain;
    fr_fem_set_state(p->fem, x, NULL);
    free(x);
}

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
    FrFractureResult r;
    stretch(&p, 0.00098);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK_INT(r.crack_count, 0);
    CHECK_INT(r.log->tet_count, 0);
    stretch(&p, 0.00102);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK(r.crack_count > 0);
    CHECK(r.crack[0].n.z > 0.999);
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
    FrFractureResult r;
    stretch(&p, 0.00095); // only the weak spot fails by itself
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

TEST(a_cut_from_the_start_opens_a_disc) {
    Plate p = plate_make(8, 0.0, NULL);
    FrFractureResult r;
    CHECK_OK(p.ctx,
             fr_fracture_precut(p.fracture, fr_vec3(0, 0.05, 0.4), fr_vec3(0, 0, 1), 0.4, &r));
    CHECK_INT(r.crack_count, 0);
    CHECK(r.log->face_count > 0);
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p.fracture));
    const double *x = mesh->x;
    double far = 0.0, area = 0.0;
    for (int32_t k = 0; k < r.log->face_count; k++) {
        const int32_t *n = r.log->faces[k].plus_node;
        FrVec3 a = fr_get3(x, n[0]), b = fr_get3(x, n[1]), c = fr_get3(x, n[2]);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(fr_get3(x, n[i]).z, 0.4, 1e-12); // a layer of the mesh lies there
            far = fr_max(far, fr_get3(x, n[i]).x);
        }
        area += 0.5 * fr_length(fr_cross(fr_sub(b, a), fr_sub(c, a)));
    }
    // half way across 0.8 m, up to a cell, and 0.1 m deep
    CHECK_NEAR(far, 0.4, 0.101);
    CHECK_NEAR(area, 0.1 * far, 0.02 * 0.1);
    plate_free(&p);
}

// pulled equally along x and z, a plate cracks across the axis that is half as tough, as in the
// four cases of S6 figure 4.21: none, x, z, and z turned by 45 degrees about y
TEST(cracks_follow_the_weak_axis) {
    FrMat3 turn = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0, 0.25 * FR_PI, 0)));
    FrMat3 A[3] = {fr_toughness_scale(fr_mat3_identity, fr_vec3(0.25, 1, 1)),
                   fr_toughness_scale(fr_mat3_identity, fr_vec3(1, 1, 0.25)),
                   fr_toughness_scale(turn, fr_vec3(1, 1, 0.25))};
    FrVec3 across[3] = {{1, 0, 0}, {0, 0, 1}, turn.c2};
    for (int k = 0; k < 3; k++) {
        Plate p = plate_of(6, 0.0, NULL, &A[k], 0.0);
        double *x = calloc(3 * (size_t)p.mesh.node_count, sizeof *x);
        for (int32_t n = 0; n < p.mesh.node_count; n++) {
            FrVec3 m = fr_get3(p.mesh.x, n);
            fr_set3(x, n, fr_vec3(1.0008 * m.x, m.y, 1.0008 * m.z));
        }
        fr_fem_set_state(p.fem, x, NULL);
        free(x);
        FrBreakable body = fr_fracture_body(p.fracture);
        FrNodeState state = fr_node_state(&body, 3 + 7 * 2 * 3, fr_sym3_zero); // (0.3, 0, 0.3) m
        CHECK(fr_node_fails(&state));
        // the tets round a node are no circle: within 10 degrees
        CHECK(fabs(fr_dot(state.normal, across[k])) > cos(10.0 * FR_PI / 180.0));
        plate_free(&p);
    }
    Plate p = plate_of(6, 0.0, NULL, NULL, 0.0);
    FrFractureResult r;
    stretch(&p, 0.0008);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK_INT(r.crack_count, 0); // as tough everywhere: the same pull breaks nothing
    plate_free(&p);
}

// Tets lie in chunks for speed alone: nodes that are looked at are the corners of all tets whose
// breaking stress (scaled by toughness, or without its viscous part) is above 0.4 of the strength,
// wherever their chunk ends
static void check_candidates(bool directional, bool elastic_only) {
    FrMat3 A = fr_toughness_scale(fr_mat3_identity, fr_vec3(0.1, 1, 1));
    Plate p = plate_of(28, 0.0, NULL, directional ? &A : NULL, elastic_only ? 0.05 : 0.0);
    FrRandom r = fr_random_for(3, "chunks", 0);
    int32_t nodes = p.mesh.node_count;
    double *x = calloc(3 * (size_t)nodes, sizeof *x), *v = calloc(3 * (size_t)nodes, sizeof *v);
    uint8_t *hot = calloc((size_t)nodes, 1);
    FrFractureDef def = fr_fracture_def_default();
    FrToughness toughness = p.fracture->toughness[0];
    def.mesh = &p.mesh, def.toughness = &toughness, def.material_count = 1;
    def.elastic_only = elastic_only;
    fr_fracture_destroy(p.fracture);
    CHECK_OK(p.ctx, fr_fracture_create(p.ctx, p.fem, &def, &p.fracture));
    CHECK(fr_fem_chunk_count(p.fem) > 3);
    int seen = 0, spared = 0;
    for (int round = 0; round < 40; round++) {
        double wild = 1e-4 * fr_random_unit(&r); // a few cells with stress, most with hardly any
        for (int32_t n = 0; n < nodes; n++) {
            double some = fr_random_unit(&r) < 0.02 ? wild : 0.01 * wild;
            fr_set3(x, n, fr_add(fr_get3(p.mesh.x, n), test_vec(&r, some)));
            fr_set3(v, n, test_vec(&r, elastic_only ? 20.0 * some : 0.0));
        }
        fr_fem_set_state(p.fem, x, v);
        CHECK_OK(p.ctx, fr_fracture_look(p.fracture));
        FrBreakable body = fr_fracture_body(p.fracture);
        memset(hot, 0, (size_t)nodes);
        for (int32_t e = 0; e < p.mesh.tet_count; e++) {
            FrMat3 F;
            FrSym3 S = fr_breaking_stress(&body, e, &F);
            for (int i = 0; i < 4; i++)
                hot[p.mesh.tet[e][i]] |= sqrt(fr_sym3_dot(S, S)) > 0.4 * toughness.strength;
        }
        int32_t at = 0;
        for (int32_t n = 0; n < nodes; n++) {
            bool listed = at < p.fracture->candidate.count && p.fracture->candidate.data[at] == n;
            CHECK_INT(listed, hot[n]);
            at += listed;
            seen += listed;
            spared += !listed;
        }
        fr_fracture_forget(p.fracture);
    }
    CHECK(seen > 500 && spared > 500);
    free(x), free(v), free(hot);
    plate_free(&p);
}

TEST(chunks_do_not_choose_what_is_looked_at) {
    check_candidates(false, false);
    check_candidates(true, false);
    check_candidates(false, true);
    check_candidates(true, true);
}

/// a box of stuff that yields, and how it may break
static Plate yielding_box(int n) {
    Plate p = {.ctx = test_context(1), .mesh = test_box(n, n, 2 * n, 1.0 / n)};
    p.stuff = test_material(1e6, 0.4, 0.0);
    p.stuff.strength = 1000.0, p.stuff.yield_strain = 1e-3, p.stuff.plastic_limit = 0.5;
    p.fem = test_body(p.ctx, &p.mesh, &p.stuff);
    FrToughness toughness = {.strength = 1000.0};
    FrFractureDef def = fr_fracture_def_default();
    def.mesh = &p.mesh, def.toughness = &toughness, def.material_count = 1;
    CHECK_OK(p.ctx, fr_fracture_create(p.ctx, p.fem, &def, &p.fracture));
    return p;
}

/// move all nodes to map(x); root mean squares of det C - 1 of the tets, and evened out
static void grown_under(const Plate *p, FrVec3 (*map)(FrVec3), double *own, double *even) {
    double *x = calloc(3 * (size_t)p->mesh.node_count, sizeof *x);
    for (int32_t n = 0; n < p->mesh.node_count; n++) fr_set3(x, n, map(fr_get3(p->mesh.x, n)));
    fr_fem_set_state(p->fem, x, NULL);
    free(x);
    CHECK_OK(p->ctx, fr_fracture_even_out(p->fracture));
    *own = *even = 0.0;
    for (int32_t e = 0; e < p->mesh.tet_count; e++) {
        *own += p->fracture->own.data[e] * p->fracture->own.data[e] / p->mesh.tet_count;
        *even += p->fracture->grown.data[e] * p->fracture->grown.data[e] / p->mesh.tet_count;
    }
    *own = sqrt(*own), *even = sqrt(*even);
}

// bent to a ring of radius 8 m round the y axis, each layer as long as its volume wants: det F = 1
static FrVec3 bent(FrVec3 m) {
    double radius = 8.0, r = sqrt(radius * radius + 2.0 * radius * m.x), a = m.z / radius;
    return fr_vec3(r * cos(a), m.y, r * sin(a));
}

static FrVec3 blown_up(FrVec3 m) { return fr_scale(1.1, m); }

// A body that is bent at its own volume: tets grow and shrink by turns, of first order in their
// size; their means round nodes hardly do, of second order. What grows alike stays.
TEST(volumes_are_evened_out) {
    double own[2], even[2];
    for (int k = 0; k < 2; k++) {
        Plate p = yielding_box(4 << k);
        grown_under(&p, bent, &own[k], &even[k]);
        CHECK(even[k] < 0.4 * own[k]);
        plate_free(&p);
    }
    printf("  tets grow by %.2e and %.2e, evened out %.2e and %.2e\n", own[0], own[1], even[0],
           even[1]);
    CHECK(even[1] < 0.4 * even[0]);
    Plate p = yielding_box(3);
    grown_under(&p, blown_up, &own[0], &even[0]);
    CHECK_CLOSE(own[0], pow(1.1, 6) - 1, 1e-12);
    CHECK_CLOSE(even[0], own[0], 1e-12);
    plate_free(&p);
}

// loads of nodes: value over limit, 0 where a node is held
TEST(loads_of_nodes) {
    Plate p = plate_make(4, 0.0, NULL);
    stretch(&p, 0.0005);
    double *load = calloc((size_t)p.mesh.node_count, sizeof *load), most = 0.0;
    fr_fem_hold(p.fem, 12);
    fr_fracture_loads(p.fracture, load);
    for (int32_t n = 0; n < p.mesh.node_count; n++) most = fr_max(most, load[n]);
    CHECK_CLOSE(most, 0.5, 0.002);
    CHECK(load[12] == 0.0);
    free(load);
    plate_free(&p);
}

// no memory at the k-th request: a message, nothing lost
TEST(memory_that_runs_out_is_told) {
    FrTetMesh mesh = test_box(2, 1, 2, 0.1);
    for (int k = 1; k < 400; k++) {
        Refuser refuser = {.refuse_at = k};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) continue;
        FrMaterial stuff = test_material(1e6, 0.0, 0.0);
        stuff.density = 1000.0;
        stuff.strength = 1000.0;
        FrFemDef body = {
            .mesh = &mesh, .material = &stuff, .material_count = 1, .rotation = {1, 0, 0, 0}};
        FrToughness toughness = {.strength = 1000.0, .residual = 1.0};
        FrFractureDef def = fr_fracture_def_default();
        def.mesh = &mesh;
        def.toughness = &toughness;
        def.material_count = 1;
        FrFem *fem = NULL;
        FrFracture *fracture = NULL;
        FrResult result = fr_fem_create(ctx, &body, &fem);
        if (result == FR_OK) result = fr_fracture_create(ctx, fem, &def, &fracture);
        if (result == FR_OK) {
            Plate p = {.ctx = ctx, .fem = fem, .fracture = fracture};
            stretch(&p, 0.002);
            FrFractureResult r;
            result = fr_fracture_step(fracture, 0.0, &r);
        }
        bool refused = refuser.calls >= k;
        CHECK(refused ? result == FR_NO_MEMORY : result == FR_OK);
        fr_fracture_destroy(fracture);
        fr_fem_destroy(fem);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        if (!refused) break;
    }
    test_mesh_free(&mesh);
}

/// of all tets of a mesh
static FrTetLever *levers(const FrTetMesh *mesh) {
    FrTetLever *lever = calloc((size_t)mesh->tet_count, sizeof *lever);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 m[4];
        FrElement element;
        for (int i = 0; i < 4; i++) m[i] = fr_get3(mesh->x, mesh->tet[e][i]);
        CHECK(fr_element_make(m, &element));
        for (int i = 0; i < 4; i++) lever[e].area[i] = element.volume * fr_length(element.G[i]);
    }
    return lever;
}

/// four nodes at once stand as each by itself, bit by bit
static void check_four(const Plate *p) {
    FrBreakable body = fr_fracture_body(p->fracture);
    body.pulls_of = NULL;
    int32_t count = fr_cutmesh_view(fr_fracture_mesh(p->fracture))->node_count;
    for (int32_t n = 0; n + 4 <= count; n += 4) {
        FrNodeState four[4];
        fr_node_states_four(&body, (int32_t[4]){n, n + 1, n + 2, n + 3}, four);
        for (int k = 0; k < 4; k++) {
            FrNodeState one = fr_node_state(&body, n + k, fr_sym3_zero);
            CHECK(memcmp(&one, &four[k], sizeof one) == 0);
        }
    }
}

/// the force kernel's stresses are those of fr_fem_tet_piola, and nothing pulls harder than it says
static void check_kernel_stress(const Plate *p, FrRandom *r) {
    CHECK(fr_fem_chunk_stress(p->fem, 0) > 0.0);
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrMat3 F;
        FrSym3 S = fr_fem_tet_piola(p->fem, e, &F), plus, minus;
        fr_stress_parts(S, &plus, &minus);
        CHECK_CLOSE(fr_fem_tet_stress2(p->fem, e), fr_sym3_dot(S, S), 1e-9);
        for (int k = 0; k < 8; k++) {
            FrVec3 x = test_vec(r, 1.0);
            double pull = fr_length(fr_mat3_apply(F, fr_sym3_apply(plus, x)));
            CHECK(pull <= (1.0 + 1e-9) * fr_fem_tet_reach(p->fem, e) * fr_length(x) + 1e-6);
        }
    }
}

// The quick tests that spare the splitting of stresses never let a node go that fails, for any
// random strain and rate of strain (random forces on every node: the worst case); where a body is
// pulled evenly they are sharp. What the first, from the force kernel's stresses, lets go the
// second lets go too.
TEST(nodes_that_surely_hold_do_hold) {
    Plate p = plate_of(4, 0.0, NULL, NULL, 1e-3);
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p.fracture));
    int32_t *known = calloc((size_t)mesh->tet_count, sizeof *known);
    FrTetReach *reach = calloc((size_t)mesh->tet_count, sizeof *reach);
    double *x = calloc(3 * (size_t)mesh->node_count, sizeof *x),
           *v = calloc(3 * (size_t)mesh->node_count, sizeof *v);
    FrTetLever *lever = levers(mesh);
    FrRandom r = fr_random_for(5, "reach", 0);
    int let_go = 0, at_once = 0, fail = 0, sharp = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) known[e] = e + 1;
    for (int round = 0; round < 200; round++) {
        double even = round % 2 ? 0.05 * fr_random_unit(&r) : 0.0;
        double wild = round % 2 ? 0.0 : 0.03 * fr_random_unit(&r);
        for (int32_t k = 0; k < 3 * mesh->node_count; k++)
            x[k] = mesh->x[k] * (k % 3 == 2 ? 1.0 + even : 1.0) + wild * (fr_random_unit(&r) - 0.5);
        for (int32_t k = 0; k < 3 * mesh->node_count; k++)
            v[k] = (even + wild) * (fr_random_unit(&r) - 0.5);
        fr_fem_set_state(p.fem, x, round % 3 ? v : NULL);
        const double *elastic, *viscous;
        fr_fem_internal_forces(p.fem, &elastic, &viscous);
        if (round < 20) check_kernel_stress(&p, &r);
        FrToughness toughness = {.tau = exp(fr_random_range(&r, log(1.0), log(1000.0)))};
        FrBreakable body = fr_fracture_body(p.fracture), quick;
        body.toughness = &toughness;
        quick = body;
        quick.pulls_of = known;
        body.pulls_of = NULL;
        for (int32_t e = 0; e < mesh->tet_count; e++) fr_tet_reach(&body, e, &reach[e]);
        for (int32_t n = 0; n < mesh->node_count; n++) {
            FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
            bool may = fr_node_may_fail(&quick, n, reach);
            fail += fr_node_fails(&state);
            let_go += !may;
            sharp += !may && state.value > 0.5 * state.limit;
            CHECK(may || !fr_node_fails(&state));
            bool holds =
                fr_node_holds(&body, n, lever, fr_add(fr_get3(elastic, n), fr_get3(viscous, n)));
            at_once += holds;
            CHECK(!holds || !may);
        }
    }
    check_four(&p);
    printf("  %d nodes fail, %d surely hold, %d of them as the force kernel knows\n", fail, let_go,
           at_once);
    CHECK(fail > 100 && let_go > 100 && sharp > 10 && at_once > let_go / 2);
    free(known), free(reach), free(x), free(v), free(lever);
    plate_free(&p);
}
