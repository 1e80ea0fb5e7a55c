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
// wherever their chunk ends; where bounds on stresses are known, less those that surely hold
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
            if (hot[n] && !listed && !directional) {
                FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
                CHECK(!fr_node_fails(&state));
            } else {
                CHECK_INT(listed, hot[n]);
            }
            at += listed;
            seen += hot[n];
            spared += !hot[n];
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
    p->fracture->evened++;
    CHECK_OK(p->ctx, fr_fracture_even_out_all(p->fracture));
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

/// four nodes at once stand as each by itself: bit by bit where they fail
static void check_four(const Plate *p) {
    FrBreakable body = fr_fracture_body(p->fracture);
    body.pulls_of = NULL;
    int32_t count = fr_cutmesh_view(fr_fracture_mesh(p->fracture))->node_count;
    for (int32_t n = 0; n + 4 <= count; n += 4) {
        FrNodeState four[4];
        fr_node_states_four(&body, (int32_t[4]){n, n + 1, n + 2, n + 3}, four);
        for (int k = 0; k < 4; k++) {
            FrNodeState one = fr_node_state(&body, n + k, fr_sym3_zero);
            CHECK(fr_node_fails(&one) == fr_node_fails(&four[k]));
            CHECK(!fr_node_fails(&one) || memcmp(&one, &four[k], sizeof one) == 0);
        }
    }
}

static int32_t *all_blocks(int32_t count) {
    int32_t *block = calloc((size_t)count, sizeof *block);
    for (int32_t k = 0; k < count; k++) block[k] = k;
    return block;
}

/// what tears at the corners of each tet, in lanes, is what it is by itself
static void check_tears(const Plate *p, const FrBreakable *body) {
    int32_t blocks = fr_fem_block_count(p->fem);
    int32_t *block = all_blocks(blocks);
    FrTears *tears = calloc((size_t)blocks, sizeof *tears);
    fr_fem_find_tears(p->fem, block, blocks, tears);
    int32_t tets = fr_cutmesh_view(fr_fracture_mesh(p->fracture))->tet_count;
    for (int32_t e = 0; e < tets; e++) {
        FrTetPulls pulls;
        fr_tet_pulls(body, e, &pulls);
        int32_t lane = fr_fem_tet_lane(p->fem, e), at = lane % 4;
        for (int i = 0; i < 4; i++) {
            const FrCornerTears *c = &tears[lane / 4].corner[i];
            FrVec3 plus = {c->plus[0][at], c->plus[1][at], c->plus[2][at]};
            FrVec3 minus = {c->minus[0][at], c->minus[1][at], c->minus[2][at]};
            FrTearing tearing = {0};
            fr_tearing_add(&tearing, pulls.plus[i], pulls.minus[i]);
            FrSym3 tear = {c->tear[0][at], c->tear[1][at], c->tear[2][at],
                           c->tear[3][at], c->tear[4][at], c->tear[5][at]};
            tear = fr_sym3_axpy(-1.0, tearing.plus, fr_sym3_axpy(1.0, tearing.minus, tear));
            double size = c->size[at];
            CHECK(size >= (1.0 - 1e-9) * fr_length(pulls.plus[i]) &&
                  size >= (1.0 - 1e-9) * fr_length(pulls.minus[i]));
            CHECK(fr_distance(plus, pulls.plus[i]) <= 1e-7 * size);
            CHECK(fr_distance(minus, pulls.minus[i]) <= 1e-7 * size);
            CHECK(sqrt(fr_sym3_dot(tear, tear)) <= 4e-7 * size);
        }
    }
    free(block), free(tears);
}

/// bounds on pulls of the stresses that count, and their forces
static void check_tugs(const Plate *p, const FrBreakable *body) {
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    double *tug = calloc(4 * (size_t)mesh->node_count, sizeof *tug);
    CHECK_OK(p->ctx, fr_fem_bound_tugs(p->fem, tug));
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(fr_fracture_mesh(p->fracture), n, &count);
        FrVec3 force = fr_vec3_zero;
        double pull = 0.0, size = 0.0;
        for (int32_t k = 0; k < 4 * count; k++) {
            FrTetPulls pulls;
            if (mesh->tet[star[k / 4]][k % 4] != n) continue;
            fr_tet_pulls(body, star[k / 4], &pulls);
            force = fr_add(force, fr_add(pulls.plus[k % 4], pulls.minus[k % 4]));
            pull += fr_length(pulls.plus[k % 4]);
            size += fr_length(pulls.plus[k % 4]) + fr_length(pulls.minus[k % 4]);
        }
        CHECK(pull <= (1.0 + 1e-9) * tug[4 * n + 3]);
        CHECK(fr_distance(force, fr_vec3(tug[4 * n], tug[4 * n + 1], tug[4 * n + 2])) <=
              1e-9 * size);
    }
    free(tug);
}

static FrSym3 zeta_of(const Plate *p, const FrBreakable *body, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    int32_t count;
    const int32_t *star = fr_cutmesh_star(fr_fracture_mesh(p->fracture), node, &count);
    FrTearing tearing = {0};
    for (int32_t k = 0; k < count; k++) {
        FrTetPulls pulls;
        fr_tet_pulls(body, star[k], &pulls);
        for (int i = 0; i < 4; i++)
            if (mesh->tet[star[k]][i] == node)
                fr_tearing_add(&tearing, pulls.plus[i], pulls.minus[i]);
    }
    return fr_separation_tensor(&tearing);
}

/// the force kernel's stresses are those of fr_fem_tet_piola, and nothing pulls harder than it says
static void check_kernel_stress(const Plate *p, const double *pull) {
    CHECK(fr_fem_chunk_stress(p->fem, 0) > 0.0);
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    FrBreakable body = fr_fracture_body(p->fracture);
    double *sum = calloc((size_t)mesh->node_count, sizeof *sum);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrMat3 F;
        FrSym3 S = fr_fem_tet_piola(p->fem, e, &F);
        CHECK_CLOSE(fr_fem_tet_stress2(p->fem, e), fr_sym3_dot(S, S), 1e-9);
        FrTetPulls pulls;
        fr_tet_pulls(&body, e, &pulls);
        for (int i = 0; i < 4; i++) sum[mesh->tet[e][i]] += fr_length(pulls.plus[i]);
    }
    for (int32_t n = 0; n < mesh->node_count; n++) CHECK(sum[n] <= (1.0 + 1e-9) * pull[n] + 1e-9);
    free(sum);
}

/// What quick tests found, by node.
typedef struct Quick {
    int fail, let_go, sharp, roomy, held, unchanged;
} Quick;

// a body pulled evenly or wildly by random strains and rates of strain
static void shake(const Plate *p, FrRandom *r, int round, double *x, double *v) {
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    double even = round % 2 ? 0.05 * fr_random_unit(r) : 0.0;
    double wild = round % 2 ? 0.0 : 0.03 * fr_random_unit(r);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++)
        x[k] = mesh->x[k] * (k % 3 == 2 ? 1.0 + even : 1.0) + wild * (fr_random_unit(r) - 0.5);
    for (int32_t k = 0; k < 3 * mesh->node_count; k++)
        v[k] = (even + wild) * (fr_random_unit(r) - 0.5);
}

// Bounds on values and limits of all nodes, with this toughness. Then a few steps are made: nodes
// do not come closer to failing than the bound says.
static void check_bounds(const Plate *p, const FrToughness *toughness, Quick *quick) {
    FrBreakable body = fr_fracture_body(p->fracture);
    const FrTetMesh *mesh = fr_cutmesh_view(fr_fracture_mesh(p->fracture));
    double *pull = calloc((size_t)mesh->node_count, sizeof *pull);
    double *room = calloc((size_t)mesh->node_count, sizeof *room);
    double *tau = calloc((size_t)mesh->node_count, sizeof *tau);
    const double *elastic, *viscous;
    body.toughness = toughness;
    body.pulls_of = NULL;
    body.now = 1.0;
    fr_fem_bound_pulls(p->fem, pull);
    fr_fem_internal_forces(p->fem, &elastic, &viscous);
    check_kernel_stress(p, pull);
    check_tears(p, &body);
    check_tugs(p, &body);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 force = fr_add(fr_get3(elastic, n), fr_get3(viscous, n));
        double most = fr_node_value_at_most(pull[n], force);
        double least = fr_node_tau(&body, n);
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        FrSym3 zeta = zeta_of(p, &body, n);
        double rooms[4];
        tau[n] = least;
        CHECK(state.value <= (1.0 + 1e-9) * most + 1e-9);
        CHECK(state.limit >= (1.0 - 1e-9) * least);
        bool holds = most < least;
        quick->fail += fr_node_fails(&state);
        quick->let_go += holds;
        quick->sharp += holds && state.value > 0.5 * state.limit;
        double enough[4] = {HUGE_VAL, 1e-3, HUGE_VAL, 1e-6};
        double off[4] = {0.0, 1e-6 * most, 0.0, 1e-6 * most};
        bool held[4];
        fr_node_rooms_four(&body, (int32_t[4]){n, n, n, n}, (FrSym3[4]){zeta, zeta, zeta, zeta},
                           off, tau, enough, rooms, held);
        for (int k = 0; k < 4; k++) {
            CHECK(held[k] || !(rooms[k] > off[k]));
            CHECK(!held[k] || !fr_node_fails(&state));
        }
        quick->held += held[1] && !(rooms[1] > off[1]);
        for (int k = 1; k < 4; k++)
            if (rooms[k] > 0.0) CHECK(rooms[k] <= (1.0 + 1e-9) * (state.limit - state.value));
        room[n] = rooms[0];
        if (room[n] > 0.0) CHECK(room[n] <= (1.0 + 1e-9) * (state.limit - state.value));
        quick->roomy += room[n] > 0.0 && state.value > 0.5 * state.limit;
    }
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        fr_fem_mark_tet(p->fem, e, toughness->strength);
        CHECK(fr_fem_is_marked(p->fem, e));
    }
    // a change of the step shifts nodes
    for (int k = 0; k < 3; k++) {
        double dt = (0.2 - 0.05 * k) * fr_fem_dt_limit(p->fem);
        CHECK_OK(p->ctx, fr_fem_step(p->fem, dt, fr_vec3(0, 0, -9.8)));
    }
    int32_t blocks = fr_fem_block_count(p->fem), *block = all_blocks(blocks);
    fr_fem_find_drifts(p->fem, block, blocks);
    free(block);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(fr_fracture_mesh(p->fracture), n, &count);
        double change = 0.0;
        for (int32_t k = 0; k < count; k++) {
            FrVec3 m[4];
            FrElement e;
            int corner = 0;
            for (int i = 0; i < 4; i++) {
                m[i] = fr_get3(mesh->x, mesh->tet[star[k]][i]);
                if (mesh->tet[star[k]][i] == n) corner = i;
            }
            CHECK(fr_element_make(m, &e));
            change += e.volume * fr_length(e.G[corner]) * fr_fem_tet_drift(p->fem, star[k]);
        }
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        if (change < room[n]) CHECK(state.limit - state.value >= room[n] - (1.0 + 1e-9) * change);
        quick->unchanged += change < room[n];
    }
    free(pull), free(room), free(tau);
}

static Quick check_toughness(FrToughness toughness, bool cracked) {
    Plate p = plate_of(4, 0.0, NULL, NULL, 1e-3);
    FrRandom r = fr_random_for(5, "bounds", 0);
    Quick quick = {0};
    if (cracked) {
        FrFractureResult result;
        CHECK_OK(p.ctx, fr_fracture_precut(p.fracture, fr_vec3(0.1, 0.2, 0.3),
                                           fr_vec3(0.3, 0.2, 1.0), 0.3, &result));
        CHECK(result.log->face_count > 0);
    }
    int32_t nodes = fr_cutmesh_view(fr_fracture_mesh(p.fracture))->node_count;
    double *x = calloc(3 * (size_t)nodes, sizeof *x), *v = calloc(3 * (size_t)nodes, sizeof *v);
    for (int round = 0; round < 60; round++) {
        shake(&p, &r, round, x, v);
        fr_fem_set_state(p.fem, x, round % 3 ? v : NULL);
        FrToughness random = toughness;
        double factor = exp(fr_random_range(&r, 0.0, log(1000.0)));
        random.tau *= factor, random.strength *= factor, random.tip *= factor;
        check_bounds(&p, &random, &quick);
    }
    check_four(&p);
    free(x), free(v);
    plate_free(&p);
    printf("  %d nodes fail, %d surely hold, %d of them with more than half; %d have room then, "
           "%d hold without; %d hardly changed\n",
           quick.fail, quick.let_go, quick.sharp, quick.roomy, quick.held, quick.unchanged);
    return quick;
}

// The quick tests that spare the splitting of stresses never let a node go that fails, for any
// random strain and rate of strain (random forces on every node: the worst case), whether limits
// come from tau, strength or the tips of cracks; and where a body is pulled evenly they are sharp.
TEST(nodes_that_surely_hold_do_hold) {
    Quick tau = check_toughness((FrToughness){.tau = 1.0}, false);
    Quick whole = check_toughness((FrToughness){.strength = 5e3}, false);
    Quick tips =
        check_toughness((FrToughness){.strength = 5e3, .tip = 500.0, .crack_speed = 1e3}, true);
    CHECK(tau.fail > 100 && tau.let_go > 100 && tau.sharp > 10);
    CHECK(whole.fail > 100 && whole.roomy > 100);
    Quick cracked = check_toughness((FrToughness){.strength = 5e3}, true);
    CHECK(tips.fail > 100 && tips.roomy > 10 && tips.held > 100);
    CHECK(cracked.fail > 100 && cracked.roomy > 10 && cracked.held > 100);
    CHECK(tau.unchanged > 100 && whole.unchanged > 100 && tips.unchanged > 100);
}

// A plate under shear through its thickness, and pulled unevenly along it: what its faces are torn
// along is their own normal as well, by the papers' tensor; but nothing pulls there from outside,
// so the plane that counts stands on the face, and crosses the edges. Inside nothing changes.
TEST(cracks_stand_on_free_surfaces) {
    Plate p = plate_make(4, 0.0, NULL);
    FrBreakable body = fr_fracture_body(p.fracture);
    FrToughness printed = {.tau = 1.0}, ours = {.strength = 1.0};
    FrRandom r = fr_random_for(6, "square", 0);
    double *x = calloc(3 * (size_t)p.mesh.node_count, sizeof *x), off = 0.0, off_printed = 0.0;
    for (int32_t n = 0; n < p.mesh.node_count; n++) {
        FrVec3 m = fr_get3(p.mesh.x, n);
        m.x += 1e-4 * fr_random_unit(&r), m.z += 1e-4 * fr_random_unit(&r);
        m.y += 1e-3 * m.z;
        fr_set3(x, n, m);
    }
    fr_fem_set_state(p.fem, x, NULL);
    int faces = 0, edges = 0;
    for (int32_t n = 0; n < p.mesh.node_count; n++) {
        FrVec3 m = fr_get3(p.mesh.x, n);
        bool end_x = m.x < 0.01 || m.x > 0.39, end_z = m.z < 0.01 || m.z > 0.39;
        body.toughness = &ours;
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        body.toughness = &printed;
        FrNodeState raw = fr_node_state(&body, n, fr_sym3_zero);
        CHECK(state.value <= raw.value + 1e-9 * fabs(raw.value));
        if (state.value <= 0.0) continue;
        if (end_x && end_z) continue; // at corners no direction is left
        off = fr_max(off, fabs(state.normal.y));
        off_printed = fr_max(off_printed, fabs(raw.normal.y));
        faces += !end_x && !end_z;
        if (end_x == end_z) continue;
        edges++;
        CHECK(fabs(end_x ? state.normal.x : state.normal.z) < 3e-3);
    }
    printf("  %d on faces, %d on edges; largest part across the plate %.2g, as printed %.2g\n",
           faces, edges, off, off_printed);
    CHECK(faces > 10 && edges > 10);
    CHECK(off < 3e-3); // the plate is turned by 1e-3
    CHECK(off_printed > 0.5);
    free(x);
    plate_free(&p);
}

// the stress that counts of a box that is stretched by these parts along x, y and z
static FrSym3 counted(double yield, double limit, double tau, double x, double y, double z) {
    Plate p = {.ctx = test_context(1), .mesh = test_box(1, 1, 1, 0.1)};
    p.stuff = test_material(1e6, 0.3, 0.0);
    p.stuff.density = 1000.0;
    p.stuff.strength = 1000.0;
    p.stuff.yield_strain = yield;
    p.stuff.plastic_limit = limit;
    p.fem = test_body(p.ctx, &p.mesh, &p.stuff);
    FrToughness toughness = {.strength = 1000.0, .tau = tau};
    FrFractureDef def = fr_fracture_def_default();
    def.mesh = &p.mesh;
    def.toughness = &toughness;
    def.material_count = 1;
    CHECK_OK(p.ctx, fr_fracture_create(p.ctx, p.fem, &def, &p.fracture));
    double *at = calloc(3 * (size_t)p.mesh.node_count, sizeof *at);
    for (int32_t n = 0; n < p.mesh.node_count; n++) {
        at[3 * n] = p.mesh.x[3 * n] * (1.0 + x);
        at[3 * n + 1] = p.mesh.x[3 * n + 1] * (1.0 + y);
        at[3 * n + 2] = p.mesh.x[3 * n + 2] * (1.0 + z);
    }
    fr_fem_set_state(p.fem, at, NULL);
    FrBreakable body = fr_fracture_body(p.fracture);
    FrMat3 F;
    FrSym3 S = fr_breaking_stress(&body, 0, &F);
    free(at);
    plate_free(&p);
    return S;
}

// Pulled alike in all directions nothing flows, however much: of what yields no more of that counts
// than flow leaves at a free surface pulled in two directions, 2/3 of the yield stress. Pulls that
// such surfaces have, brittle stuff and a tau are as they were.
TEST(what_yields_does_not_part_by_mean_tension) {
    double e = 0.01, g = 1e-3, mu = 1e6 / 2.6, yield = sqrt(1.5) * 2.0 * mu * g; // Pa
    FrSym3 brittle = counted(0.0, 0.0, 0.0, e, e, e), ductile = counted(g, 0.5, 0.0, e, e, e);
    CHECK(fr_sym3_trace(brittle) / 3.0 > 20.0 * yield);
    CHECK_CLOSE(fr_sym3_trace(ductile) / 3.0, 2.0 / 3.0 * yield, 1e-9);
    CHECK_NEAR(ductile.xx - ductile.zz, 0.0, 1e-9 * yield);
    CHECK(fr_sym3_trace(counted(g, 0.5, 5.0, e, e, e)) / 3.0 > 20.0 * yield);
    // in two directions, to 0.9 of the yield stress: nu / (1 - nu) of the sum across
    double part = 0.9 * yield * 0.7 / 1e6, across = -0.3 / 0.7 * 2.0 * part;
    CHECK_CLOSE(counted(g, 0.5, 0.0, part, part, across).xx,
                counted(g, 0.5, 5.0, part, part, across).xx, 1e-12);
}
