// fracture_precut.c: cracks that are there from the start.

#include "fracture_kit.h"
#include "mesh/structured.h"
#include "mesh/quality.h"

TEST(a_cut_from_the_start_opens_a_disc) {
    Plate p = plate_make(8, 0.0, NULL);
    FrBreakResult r;
    CHECK_OK(p.ctx,
             fr_fracture_precut(p.fracture, fr_vec3(0, 0.05, 0.4), fr_vec3(0, 0, 1), 0.4, &r));
    CHECK_INT(r.crack_count, 0);
    CHECK(r.log->face_count > 0);
    const FrTetMesh *mesh = plate_mesh(&p);
    const double *x = mesh->x;
    double far = 0.0, area = 0.0;
    for (int32_t k = 0; k < r.log->face_count; k++) {
        const int32_t *n = r.log->faces[k].plus_node;
        FrVec3 a = fr_get3(x, n[0]), b = fr_get3(x, n[1]), c = fr_get3(x, n[2]);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(fr_get3(x, n[i]).z, 0.4, 1e-12); // rounding: a layer of the mesh lies there
            far = fr_max(far, fr_get3(x, n[i]).x);
        }
        area += 0.5 * fr_length(fr_cross(fr_sub(b, a), fr_sub(c, a)));
    }
    // mesh: half way across 0.8 m, up to a cell, and 0.1 m deep
    CHECK_NEAR(far, 0.4, 0.101);
    CHECK_NEAR(area, 0.1 * far, 1e-12); // rounding: faces of the mesh
    plate_free(&p);
}

/// a body that discs cut
typedef struct Carved {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial material;
    FrFem *fem;
    FrFracture *fracture;
    double edge; ///< of a cell, m
    double area; ///< that the last disc opened, m^2
    double off;  ///< of it, furthest off the plane, m
    double out;  ///< and from the centre, m
} Carved;

static Carved carved_of(FrContext *ctx, FrTetMesh mesh, double edge) {
    Carved b = {.ctx = ctx, .mesh = mesh, .edge = edge};
    b.material = test_material(1e6, 0.0, 0.0);
    b.fem = test_body(b.ctx, &b.mesh, &b.material);
    FrToughness toughness = {.strength = 1000.0};
    FrFractureDef def = test_fracture_def(b.ctx, &b.mesh, &toughness);
    def.crack.remeshing.min_height = 0.3;
    CHECK_OK(b.ctx, fr_fracture_create(b.ctx, b.fem, &def, &b.fracture));
    return b;
}

/// cells of 1 cm, the middle at the origin
static Carved carved_box(int nx, int ny, int nz) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh;
    double h = 0.01;
    int32_t n[3] = {nx, ny, nz};
    FrVec3 half = fr_scale(0.5 * h, fr_vec3(nx, ny, nz));
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, (FrBox){fr_neg(half), half}, n, &mesh));
    return carved_of(ctx, mesh, h);
}

/// along z, walls of 8 mm
static Carved carved_tube(void) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_tube_layers(ctx, (FrTube){0.04, 0.032, 0.08}, 0.008, 0, &mesh));
    return carved_of(ctx, mesh, 0.008);
}

static void carved_free(Carved *b) {
    test_fracture_free(b->fracture);
    fr_fem_destroy(b->fem);
    fr_tetmesh_free(b->ctx, &b->mesh);
    fr_context_destroy(b->ctx);
}

static void carved_cut(Carved *b, FrVec3 centre, FrVec3 normal, double radius) {
    FrBreakResult r;
    FrVec3 n = fr_normalize(normal);
    CHECK_OK(b->ctx, fr_fracture_precut(b->fracture, centre, n, radius, &r));
    const double *x = fr_cutmesh_view(b->fracture->cut)->x;
    b->area = b->off = b->out = 0.0;
    for (int32_t i = 0; i < r.log->face_count; i++) {
        FrVec3 p[3];
        for (int j = 0; j < 3; j++) {
            p[j] = fr_get3(x, r.log->faces[i].plus_node[j]);
            b->off = fr_max(b->off, fabs(fr_dot(fr_sub(p[j], centre), n)));
            b->out = fr_max(b->out, fr_distance(p[j], centre));
        }
        b->area += 0.5 * fr_length(fr_cross(fr_sub(p[1], p[0]), fr_sub(p[2], p[0])));
    }
}

static int32_t carved_pieces(const Carved *b) {
    int32_t count;
    fr_pieces_table(b->fracture->pieces, &count);
    return count;
}

// whatever its angle to the mesh: as large as the disc, and along it
TEST(a_tilted_cut_is_a_disc) {
    double radius = 0.04;
    for (int k = 0; k < 6; k++) {
        Carved b = carved_of(test_context(1), test_box(20, 10, 10, 0.01), 0.01);
        carved_cut(&b, fr_vec3(0.1, 0.05, 0.05), fr_vec3(1, 0.2 * k, 0.1 * k), radius);
        printf("  tilt %.1f: %.2f of the disc, %.2f edges off, %.2f edges beyond\n", 0.2 * k,
               b.area / (FR_PI * radius * radius), b.off / b.edge, (b.out - radius) / b.edge);
        CHECK(b.off <= 0.5 * b.edge);
        CHECK(b.out <= radius + 1.5 * b.edge);
        // its rim ends with whole tets: up to an edge beyond
        CHECK(b.area >= 0.95 * FR_PI * radius * radius);
        CHECK(b.area <= FR_PI * (radius + b.edge) * (radius + b.edge));
        carved_free(&b);
    }
}

// m^3
static double volume_of_piece(const FrTetMesh *mesh, const int32_t *piece, int32_t of) {
    double sum = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        if (piece[e] == of) sum += fr_tet_volume(mesh, e);
    return sum;
}

// two discs that cover the whole body divide it by four, whatever their angles
TEST(discs_that_cross_cut_through_each_other) {
    static const FrVec3 normal[5][2] = {{{1, 0, 0}, {0, 1, 0}},
                                        {{1, 0.3, 0}, {0.2, 1, 0.3}},
                                        {{1, 0.1, 0.4}, {-0.5, 1, 0}},
                                        {{1, 1, 0}, {1, -1, 0.2}},
                                        {{1, -0.2, 0.2}, {0.3, 1, -0.1}}};
    for (int k = 0; k < 5; k++) {
        Carved b = carved_box(10, 8, 2);
        for (int j = 0; j < 2; j++) carved_cut(&b, fr_vec3_zero, normal[k][j], 1.0);
        CHECK_INT(carved_pieces(&b), 4);
        const FrTetMesh *mesh = fr_cutmesh_view(b.fracture->cut);
        const int32_t *piece = fr_pieces_of_tets(b.fracture->pieces);
        double least = HUGE_VAL, most = 0.0;
        for (int32_t j = 0; j < 4; j++) {
            double v = volume_of_piece(mesh, piece, j);
            least = fr_min(least, v);
            most = fr_max(most, v);
        }
        printf("  pieces of %.3g to %.3g of the body, %.2f edges off\n", least / 160e-6,
               most / 160e-6, b.off / b.edge);
        CHECK(b.off <= b.edge);
        // rounding: the first pair lies in layers of nodes
        if (k == 0) CHECK(least > (0.25 - 1e-9) * 160e-6 && most < (0.25 + 1e-9) * 160e-6);
        carved_free(&b);
    }
}

// a disc that crosses both walls of a tube cuts both, one that reaches one wall cuts that alone
TEST(both_walls_of_a_tube_are_cut) {
    static const FrVec3 normal[4] = {{1, 0, 0}, {0.8, 0.6, 0}, {1, 0.3, 0.4}, {0, 1, 0.9}};
    double wall = 0.008, length = 0.08;
    for (int k = 0; k < 4; k++) {
        Carved b = carved_tube();
        carved_cut(&b, fr_vec3_zero, normal[k], 1.0);
        printf("  %d pieces, %.2f edges off, %.3g of both walls\n", carved_pieces(&b),
               b.off / b.edge, b.area / (2.0 * wall * length));
        CHECK_INT(carved_pieces(&b), 2);
        CHECK(b.off <= 0.6 * b.edge);
        // mesh: the cut follows faces that stand askew
        if (k < 2) CHECK_CLOSE(b.area, 2.0 * wall * length, 0.05);
        carved_free(&b);
    }
    Carved b = carved_tube();
    carved_cut(&b, fr_vec3(0, 0.036, 0), fr_vec3(1, 0, 0), 0.045);
    CHECK_INT(carved_pieces(&b), 1);
    CHECK_CLOSE(b.area, wall * length, 0.05); // mesh: as above
    carved_free(&b);
}

// and a cut through a tube's hollow that goes past the tube is none
TEST(a_disc_beside_the_body_cuts_nothing) {
    Carved b = carved_box(10, 8, 2);
    carved_cut(&b, fr_vec3(0.5, 0, 0), fr_vec3(1, 0, 0), 1.0); // its plane is 45 cm off
    CHECK(b.area == 0.0);
    carved_cut(&b, fr_vec3(0, 0.5, 0), fr_vec3(1, 0, 0), 0.1); // its rim 36 cm
    CHECK(b.area == 0.0);
    CHECK_INT(carved_pieces(&b), 1);
    carved_free(&b);
    b = carved_tube();
    carved_cut(&b, fr_vec3_zero, fr_vec3(1, 0, 0), 0.02); // in the hollow
    CHECK(b.area == 0.0);
    carved_free(&b);
}

// one that is smaller than a cell opens one at least
TEST(a_small_disc_opens_the_tets_round_a_node) {
    Carved b = carved_box(10, 8, 2);
    carved_cut(&b, fr_vec3(0.002, 0.003, 0.001), fr_vec3(1, 0, 0), 0.001);
    CHECK(b.area > 0.5 * b.edge * b.edge && b.area < 5.0 * b.edge * b.edge);
    CHECK(b.off <= 0.5 * b.edge);
    carved_free(&b);
}

// whatever a plane's angle to the mesh, and wherever it goes through: two pieces, with hardly an
// exception
TEST(planes_divide_plates_and_tubes) {
    FrRandom r = fr_random_for(3, "planes", 0);
    int good = 0, count = 60;
    double off = 0.0;
    for (int k = 0; k < count; k++) {
        Carved b = k % 2 ? carved_tube() : carved_box(10, 8, 2);
        b.fracture->settings.split.min_piece = fr_tetmesh_props(&b.mesh).volume / b.mesh.tet_count;
        FrVec3 n = fr_normalize(test_vec(&r, 1.0)), centre = test_vec(&r, 0.01);
        n.z *= 0.5;
        carved_cut(&b, centre, n, 1.0);
        good += carved_pieces(&b) == 2;
        off += b.off / b.edge / count;
        carved_free(&b);
    }
    printf("  %d of %d planes make two pieces, furthest off by %.2f edges on average\n", good,
           count, off);
    CHECK(good >= 0.95 * count);
    CHECK(off < 0.5);
}
