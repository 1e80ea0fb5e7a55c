// geom_shape.c: distances against closed forms, volumes by sampling, and what every distance must
// obey: no faster than the way moved, zero on the surface, the same from every side.

#include "test.h"
#include "geom.h"
#include "geom/font.h"
#include "geom/shape.h"

typedef struct Fixture {
    Refuser refuser;
    FrContext *ctx;
    FrShapeSet *set;
} Fixture;

static void begin(Fixture *f) {
    f->ctx = geom_context(&f->refuser);
    CHECK_OK(f->ctx, fr_shapeset_create(f->ctx, &f->set));
}

static void end(Fixture *f) {
    fr_shapeset_destroy(f->set);
    fr_context_destroy(f->ctx);
    CHECK_INT(f->refuser.live, 0);
}

static const double bowl_profile[4][2] = {{0, 0}, {0.4, 0}, {0.9, 0.2}, {1.3, 0.8}};
static const double vase_profile[5][2] = {{0, 0}, {0.5, 0}, {0.3, 0.6}, {0.6, 1}, {0, 1}};
static const double ring_profile[5][2] = {{1, 0}, {1.5, 0}, {1.5, 1}, {1, 1}, {1, 0}};
// a square of side 2 with a square hole of side 1, and a triangle beside it
static const double plate_xy[11][2] = {{-1, -1},     {1, -1},     {1, 1},     {-1, 1},
                                       {-0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5},
                                       {1.5, 0},     {2.5, 0},    {1.5, 1}};
static const int32_t plate_end[3] = {4, 8, 11};
static const FrOutline plate = {3, 11, plate_end, plate_xy};

typedef struct Case {
    const char *name;
    const FrShape *shape;
    double volume; ///< closed form, m^3; 0: none
    bool exact;    ///< the distance is exact, so the gradient has length 1
} Case;

#define CASES 24

static double frustum(double a, double b, double h) {
    return FR_PI * h * (a * a + a * b + b * b) / 3;
}

static int make_cases(Fixture *f, Case *c) {
    FrShapeSet *s = f->set;
    int n = 0;
    FrQuat q = fr_quat_from_rotation(fr_vec3(0.4, -0.9, 0.3));
    const FrShape *box = fr_shape_box(s, fr_vec3(1, 2, 3), 0), *ball = fr_shape_sphere(s, 1);
    const FrShape *apart[2] = {ball, fr_shape_move(s, ball, fr_vec3(1, 0, 0))};
    const FrShape *cut[2] = {fr_shape_box(s, fr_vec3(2, 2, 2), 0), fr_shape_cylinder(s, 0.5, 3)};
    double r = 0.3, a = 2 - 2 * r;
    // two unit balls at distance 1: the lens is 5 pi / 12
    double lens = 5 * FR_PI / 12, sphere = 4 * FR_PI / 3;
    c[n++] = (Case){"box", box, 6, true};
    c[n++] =
        (Case){"rounded box", fr_shape_box(s, fr_vec3(2, 2, 2), r),
               a * a * a + 6 * a * a * r + 3 * FR_PI * r * r * a + 4 * FR_PI * r * r * r / 3, true};
    c[n++] = (Case){"sphere", ball, sphere, true};
    c[n++] = (Case){"ellipsoid", fr_shape_ellipsoid(s, fr_vec3(0.5, 1.5, 1)), 0.75 * sphere, true};
    c[n++] =
        (Case){"flat ellipsoid", fr_shape_ellipsoid(s, fr_vec3(1, 1, 0.1)), 0.1 * sphere, true};
    c[n++] = (Case){"cylinder", fr_shape_cylinder(s, 0.7, 2), FR_PI * 0.49 * 2, true};
    c[n++] = (Case){"tube", fr_shape_tube(s, 1, 0.8, 2), FR_PI * 0.36 * 2, true};
    c[n++] = (Case){"cone", fr_shape_cone(s, 1, 0.4, 2), frustum(1, 0.4, 2), true};
    c[n++] = (Case){"sharp cone", fr_shape_cone(s, 0, 1, 1.5), frustum(0, 1, 1.5), true};
    c[n++] = (Case){"torus", fr_shape_torus(s, 1, 0.3), 2 * FR_PI * FR_PI * 0.09, true};
    c[n++] = (Case){"bowl", fr_shape_lathe(s, bowl_profile, 4, 0.1), 0, true};
    c[n++] = (Case){"vase", fr_shape_lathe(s, vase_profile, 5, 0),
                    frustum(0.5, 0.3, 0.6) + frustum(0.3, 0.6, 0.4), true};
    c[n++] = (Case){"ring", fr_shape_lathe(s, ring_profile, 5, 0), FR_PI * 1.25, true};
    c[n++] = (Case){"plate", fr_shape_extrusion(s, &plate, 0.5, 0), 3.5 * 0.5, true};
    c[n++] = (Case){"rounded plate", fr_shape_extrusion(s, &plate, 0.5, 0.1), 0, false};
    c[n++] = (Case){"text", fr_shape_text(s, "FRACAS", 1, 0.3, 0), 0, true};
    c[n++] = (Case){"rounded text", fr_shape_text(s, "S8", 1, 0.3, 0.05), 0, false};
    c[n++] = (Case){"placed", fr_shape_transform(s, box, q, fr_vec3(1, 2, -1), 0.5), 6.0 / 8, true};
    c[n++] = (Case){"union", fr_shape_union(s, apart, 2, 0), 2 * sphere - lens, false};
    c[n++] = (Case){"smooth union", fr_shape_union(s, apart, 2, 0.4), 0, false};
    c[n++] = (Case){"intersection", fr_shape_intersection(s, apart, 2, 0), lens, false};
    c[n++] = (Case){"smooth difference", fr_shape_difference(s, cut, 2, 0.2), 0, false};
    c[n++] = (Case){"difference", fr_shape_difference(s, cut, 2, 0), 8 - FR_PI * 0.25 * 2, false};
    c[n++] = (Case){"shell", fr_shape_shell(s, ball, 0.2), sphere * (1 - 0.512), true};
    CHECK_OK(f->ctx, fr_shapeset_result(s));
    return n;
}

TEST(no_faster_than_the_way) {
    Fixture f;
    Case c[CASES];
    begin(&f);
    int n = make_cases(&f, c);
    for (int k = 0; k < n; k++) {
        FrRandom random = fr_random_for(1, c[k].name, 0);
        FrBox box = fr_box_grow(fr_shape_bounds(c[k].shape), 0.7);
        int wrong = 0;
        for (int i = 0; i < 4000; i++) {
            FrVec3 x = random_in(&random, box), y = random_in(&random, box);
            y = fr_lerp(x, y, pow(10, -6 * fr_random_unit(&random)));
            double dx = fr_shape_distance(c[k].shape, x), dy = fr_shape_distance(c[k].shape, y);
            // 1e-12: rounding of either distance, and the ellipsoid's 1e-13 off its planes
            wrong += !(fabs(dx - dy) <= fr_distance(x, y) * (1 + 1e-9) + 1e-12);
        }
        if (wrong) TEST_FAIL("%s is too steep at %d of 4000", c[k].name, wrong);
    }
    end(&f);
}

// exact distances: going d along the gradient meets the surface
TEST(exact_distances_lead_to_the_surface) {
    Fixture f;
    Case c[CASES];
    begin(&f);
    int n = make_cases(&f, c);
    for (int k = 0; k < n; k++) {
        if (!c[k].exact) continue;
        FrRandom random = fr_random_for(2, c[k].name, 0);
        FrBox box = fr_box_grow(fr_shape_bounds(c[k].shape), 0.5);
        int missed = 0, creased = 0;
        for (int i = 0; i < 1000; i++) {
            FrVec3 x = random_in(&random, box), g;
            double d = fr_shape_distance(c[k].shape, x), h = 1e-6;
            const FrShape *s = c[k].shape;
            g.x = fr_shape_distance(s, fr_add(x, fr_vec3(h, 0, 0))) -
                  fr_shape_distance(s, fr_sub(x, fr_vec3(h, 0, 0)));
            g.y = fr_shape_distance(s, fr_add(x, fr_vec3(0, h, 0))) -
                  fr_shape_distance(s, fr_sub(x, fr_vec3(0, h, 0)));
            g.z = fr_shape_distance(s, fr_add(x, fr_vec3(0, 0, h))) -
                  fr_shape_distance(s, fr_sub(x, fr_vec3(0, 0, h)));
            g = fr_scale(0.5 / h, g);
            if (fabs(fr_length(g) - 1) > 1e-3) {
                creased++; // as near to two places of the surface
                continue;
            }
            missed += fabs(fr_shape_distance(s, fr_axpy(-d, g, x))) > 1e-5; // h^2 and rounding / h
        }
        if (missed || creased > 30)
            TEST_FAIL("%s: %d missed, %d creased", c[k].name, missed, creased);
    }
    end(&f);
}

TEST(volumes) {
    Fixture f;
    Case c[CASES];
    begin(&f);
    int n = make_cases(&f, c);
    for (int k = 0; k < n; k++) {
        if (c[k].volume == 0) continue;
        FrRandom random = fr_random_for(3, c[k].name, 0);
        FrBox box = fr_box_grow(fr_shape_bounds(c[k].shape), 0.01);
        FrVec3 size = fr_box_size(box);
        int inside = 0, count = 60000;
        for (int i = 0; i < count; i++)
            inside += fr_shape_distance(c[k].shape, random_in(&random, box)) < 0;
        double all = size.x * size.y * size.z, part = c[k].volume / all;
        // statistics: five standard errors of a share of `count` points
        CHECK_NEAR((double)inside / count, part, 5 * sqrt(part * (1 - part) / count));
    }
    end(&f);
}

// nothing inside sticks out of the bounds, and they are no wider than needed where exact
TEST(bounds_hold) {
    Fixture f;
    Case c[CASES];
    begin(&f);
    int n = make_cases(&f, c);
    for (int k = 0; k < n; k++) {
        FrRandom random = fr_random_for(4, c[k].name, 0);
        FrBox bounds = fr_shape_bounds(c[k].shape), box = fr_box_grow(bounds, 0.3);
        for (int i = 0; i < 5000; i++) {
            FrVec3 x = random_in(&random, box);
            if (!fr_box_contains(fr_box_grow(bounds, 1e-12), x))
                CHECK(fr_shape_distance(c[k].shape, x) >= 0);
        }
    }
    end(&f);
}

TEST(transforms_change_nothing_else) {
    Fixture f;
    Case c[CASES];
    begin(&f);
    int n = make_cases(&f, c);
    FrRandom random = fr_random_for(5, "frames", 0);
    for (int k = 0; k < n; k++) {
        FrQuat q = fr_quat_from_rotation(random_in(&random, (FrBox){{-2, -2, -2}, {2, 2, 2}}));
        FrVec3 t = random_in(&random, (FrBox){{-2, -2, -2}, {2, 2, 2}});
        double s = fr_random_range(&random, 0.1, 3);
        const FrShape *moved = fr_shape_transform(f.set, c[k].shape, q, t, s);
        for (int i = 0; i < 200; i++) {
            FrVec3 x = random_in(&random, fr_box_grow(fr_shape_bounds(c[k].shape), 0.5));
            FrVec3 y = fr_axpy(s, fr_quat_rotate(q, x), t);
            // rounding of coordinates of order 10, and of the ellipsoid's root
            CHECK_NEAR(fr_shape_distance(moved, y), s * fr_shape_distance(c[k].shape, x), 1e-12);
        }
    }
    end(&f);
}

TEST(known_distances) {
    Fixture f;
    begin(&f);
    FrShapeSet *s = f.set;
    // rounding: of a root and a few sums
    const FrShape *box = fr_shape_box(s, fr_vec3(2, 4, 6), 0.5);
    CHECK_NEAR(fr_shape_distance(box, fr_vec3(4, 0, 0)), 3, 1e-15);
    CHECK_NEAR(fr_shape_distance(box, fr_vec3(3.5, 4.5, 0)), sqrt(18) - 0.5, 1e-15);
    CHECK_NEAR(fr_shape_distance(box, fr_vec3(0, 0, 0)), -1, 1e-15);
    const FrShape *egg = fr_shape_ellipsoid(s, fr_vec3(1, 2, 3));
    // solver: the foot point on an ellipsoid is found to 1e-13
    CHECK_NEAR(fr_shape_distance(egg, fr_vec3(5, 0, 0)), 4, 1e-12);
    CHECK_NEAR(fr_shape_distance(egg, fr_vec3(0, 0, 5)), 2, 1e-12);
    CHECK_NEAR(fr_shape_distance(egg, fr_vec3(0, 0, 0)), -1, 1e-12);
    CHECK_NEAR(fr_shape_distance(egg, fr_vec3(0, 0, 2.9)), -0.1, 1e-12);
    const FrShape *tube = fr_shape_tube(s, 2, 1, 4);
    // rounding: of a root and a few sums
    CHECK_NEAR(fr_shape_distance(tube, fr_vec3(0, 0, 0)), 1, 1e-15);
    CHECK_NEAR(fr_shape_distance(tube, fr_vec3(0, 1.5, 1.75)), -0.25, 1e-15);
    const FrShape *cone = fr_shape_cone(s, 1, 0, 1); // 45 degrees
    CHECK_NEAR(fr_shape_distance(cone, fr_vec3(1, 0, 0.5)), sqrt(0.5), 1e-15);
    CHECK_NEAR(fr_shape_distance(cone, fr_vec3(0, 0, 1.5)), 1, 1e-15);
    const FrShape *bowl = fr_shape_lathe(s, bowl_profile, 4, 0.1);
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(0, 0, 0.5)), 0.45, 1e-15);
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(0, 1.3, 0.8)), -0.05, 1e-15);
    const FrShape *slab = fr_shape_extrusion(s, &plate, 0.5, 0);
    CHECK_NEAR(fr_shape_distance(slab, fr_vec3(0, 0, 0)), 0.5, 1e-15); // in the hole
    CHECK_NEAR(fr_shape_distance(slab, fr_vec3(0, 0.75, 0)), -0.25, 1e-15);
    CHECK_NEAR(fr_shape_distance(slab, fr_vec3(0, 0.75, 1)), 0.75, 1e-15);
    // blended, two planes at right angles meet a quarter of the radius out
    const FrShape *two[2] = {fr_shape_box(s, fr_vec3(10, 2, 10), 0),
                             fr_shape_box(s, fr_vec3(2, 10, 10), 0)};
    const FrShape *cross = fr_shape_union(s, two, 2, 0.8);
    CHECK_NEAR(fr_shape_distance(cross, fr_vec3(1.2, 1.2, 0)), 0, 1e-15);
    CHECK_NEAR(fr_shape_distance(cross, fr_vec3(4, 1, 0)), 0, 1e-15);
    const FrShape *shell = fr_shape_shell(s, fr_shape_sphere(s, 1), 0.2);
    CHECK_NEAR(fr_shape_distance(shell, fr_vec3(0, 0, 0)), 0.8, 1e-15);
    CHECK_NEAR(fr_shape_distance(shell, fr_vec3(0.9, 0, 0)), -0.1, 1e-15);
    CHECK_OK(f.ctx, fr_shapeset_result(s));
    end(&f);
}

// half a sphere without a lid is a sheet: its wall lies on both sides, and its mouth is open
TEST(shell_of_an_open_surface) {
    Fixture f = {0};
    begin(&f);
    FrTriMesh mesh = make_sphere(f.ctx, 1, 80, 160);
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh.tri_count; t++) {
        double z = 0;
        for (int k = 0; k < 3; k++) z = fmax(z, mesh.p[3 * mesh.tri[t][k] + 2]);
        if (z < 1e-9) memcpy(mesh.tri[kept++], mesh.tri[t], sizeof *mesh.tri);
    }
    mesh.tri_count = kept;
    const FrShape *bowl = fr_shape_shell(f.set, fr_shape_surface(f.set, "bowl", &mesh), 0.1);
    CHECK_OK(f.ctx, fr_shapeset_result(f.set));
    // mesh: facets of 1/80 of a half circle stand off by 2e-4 in their middles
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(0, 0, -1)), -0.05, 4e-4);
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(0, 0, -1.2)), 0.15, 4e-4);
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(0, 0, -0.5)), 0.45, 4e-4);
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(0.3, 0, 0)), 0.65, 4e-4); // no lid
    CHECK_NEAR(fr_shape_distance(bowl, fr_vec3(1, 0, 0.2)), 0.15, 4e-4); // a round rim
    CHECK_NEAR(fr_shape_bounds(bowl).hi.z, 0.05, 1e-15);                 // rounding
    fr_trimesh_free(f.ctx, &mesh);
    end(&f);
}

// brute force over a finely sampled surface of the ellipsoid
TEST(ellipsoid_against_samples) {
    Fixture f;
    begin(&f);
    FrVec3 e = {1, 0.4, 2};
    const FrShape *egg = fr_shape_ellipsoid(f.set, e);
    FrRandom random = fr_random_for(6, "egg", 0);
    for (int i = 0; i < 40; i++) {
        FrVec3 x = random_in(&random, (FrBox){{-2, -1, -3}, {2, 1, 3}});
        double best = HUGE_VAL;
        for (int a = 0; a <= 300; a++)
            for (int b = 0; b < 600; b++) {
                double u = FR_PI * a / 300, v = 2 * FR_PI * b / 600;
                best = fr_min(best, fr_distance(x, fr_vec3(e.x * sin(u) * cos(v),
                                                           e.y * sin(u) * sin(v), e.z * cos(u))));
            }
        double d = fabs(fr_shape_distance(egg, x));
        CHECK(best >= d - 1e-12);
        CHECK(best <= d + 0.012); // samples are 0.02 apart
    }
    end(&f);
}

TEST(letters_are_clean) {
    Fixture f;
    begin(&f);
    const char *all = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?-+=/'()";
    for (const char *c = all; *c; c++) {
        char one[2] = {*c, 0};
        const FrShape *letter = fr_shape_text(f.set, one, 1, 0.25, 0.02);
        CHECK(letter != NULL);
        if (!letter) continue;
        const FrShapeInfo *info = fr_shape_info(letter);
        CHECK_INT(info->kind, FR_SHAPE_EXTRUSION);
        const FrOutline *o = &info->extrusion.outline;
        // segments of different loops, or not next to each other, must not meet
        int crossings = 0;
        for (int32_t i = 0; i < o->point_count; i++) {
            for (int32_t j = i + 1; j < o->point_count; j++) {
                int32_t li = 0, lj = 0;
                while (o->loop_end[li] <= i) li++;
                while (o->loop_end[lj] <= j) lj++;
                int32_t bi = li ? o->loop_end[li - 1] : 0, bj = lj ? o->loop_end[lj - 1] : 0;
                int32_t i2 = i + 1 < o->loop_end[li] ? i + 1 : bi,
                        j2 = j + 1 < o->loop_end[lj] ? j + 1 : bj;
                if (i2 == j || j2 == i) continue;
                const double *p = o->xy[i], *q = o->xy[i2], *r = o->xy[j], *t = o->xy[j2];
                double d1 = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
                double d2 = (q[0] - p[0]) * (t[1] - p[1]) - (q[1] - p[1]) * (t[0] - p[0]);
                double d3 = (t[0] - r[0]) * (p[1] - r[1]) - (t[1] - r[1]) * (p[0] - r[0]);
                double d4 = (t[0] - r[0]) * (q[1] - r[1]) - (t[1] - r[1]) * (q[0] - r[0]);
                crossings += (d1 > 0) != (d2 > 0) && (d3 > 0) != (d4 > 0);
            }
        }
        if (crossings) TEST_FAIL("%c crosses itself %d times", *c, crossings);
        // holes turn the other way, so the area by the outline is that of the figure
        FrBox b = fr_shape_bounds(letter);
        int inside = 0, n = 120;
        for (int k = 0; k < n * n; k++)
            inside += fr_shape_distance(
                          letter, fr_vec3(b.lo.x + (k % n + 0.5) / n * (b.hi.x - b.lo.x),
                                          b.lo.y + (k / n + 0.5) / n * (b.hi.y - b.lo.y), 0)) < 0;
        double area = (double)inside / n / n * (b.hi.x - b.lo.x) * (b.hi.y - b.lo.y);
        // raster: a grid of 120: half a cell along the rim
        CHECK_CLOSE(area, fr_outline_area(o), 0.04);
        CHECK(fr_outline_area(o) > 0.02);
    }
    // holes where they belong
    static const struct {
        char letter;
        int loops;
    } loops[] = {{'F', 1}, {'R', 2}, {'A', 2}, {'C', 1}, {'S', 1},
                 {'B', 3}, {'8', 3}, {'!', 2}, {'O', 2}};
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        char one[2] = {loops[k].letter, 0};
        CHECK_INT(fr_shape_info(fr_shape_text(f.set, one, 1, 0.1, 0))->extrusion.outline.loop_count,
                  loops[k].loops);
    }
    // capitals are as high as asked, to the overshoot of round ones, and centred
    FrBox b = fr_shape_bounds(fr_shape_text(f.set, "FRACAS", 0.1, 0.03, 0));
    // rounding: round capitals stand over by a hundredth of the height
    CHECK_NEAR(b.lo.y, -0.0512, 1e-12);
    CHECK_NEAR(b.hi.y, 0.0512, 1e-12);
    // model: letters are centred by their widths, to which their sides are added
    CHECK_NEAR(b.lo.x + b.hi.x, 0, 2e-3);
    CHECK_NEAR(b.hi.z, 0.015, TOL_EXACT); // exact
    CHECK_OK(f.ctx, fr_shapeset_result(f.set));
    end(&f);
}

static void refused(const char *message, const FrShape *(*make)(FrShapeSet *)) {
    Fixture f;
    begin(&f);
    CHECK(make(f.set) == NULL);
    CHECK_INT(fr_shapeset_result(f.set), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(f.ctx), message);
    end(&f);
}

static const FrShape *flat_box(FrShapeSet *s) { return fr_shape_box(s, fr_vec3(1, 0, 1), 0); }
static const FrShape *round_box(FrShapeSet *s) { return fr_shape_box(s, fr_vec3(1, 2, 3), 0.6); }
static const FrShape *wrong_tube(FrShapeSet *s) { return fr_shape_tube(s, 1, 2, 1); }
static const FrShape *nan_ball(FrShapeSet *s) { return fr_shape_sphere(s, nan("")); }
static const FrShape *greek(FrShapeSet *s) { return fr_shape_text(s, "AB$", 1, 1, 0); }
static const FrShape *blank(FrShapeSet *s) { return fr_shape_text(s, "  ", 1, 1, 0); }
static const FrShape *point_lathe(FrShapeSet *s) { return fr_shape_lathe(s, bowl_profile, 1, 0.1); }
static const FrShape *left_lathe(FrShapeSet *s) {
    static const double profile[2][2] = {{0, 0}, {-1, 1}};
    return fr_shape_lathe(s, profile, 2, 0.1);
}
// the first failure is the one that is reported, however far up NULL is handed on
static const FrShape *null_child(FrShapeSet *s) {
    const FrShape *two[2] = {fr_shape_sphere(s, 1), fr_shape_sphere(s, -1)};
    return fr_shape_shell(s, fr_shape_scale(s, fr_shape_union(s, two, 2, 0), 0), -1);
}
static const FrShape *deep(FrShapeSet *s) {
    const FrShape *shape = fr_shape_sphere(s, 1);
    for (int k = 0; k < 64; k++) shape = fr_shape_scale(s, shape, 1);
    return shape;
}
static const FrShape *apart(FrShapeSet *s) {
    const FrShape *ball = fr_shape_sphere(s, 1),
                  *two[2] = {ball, fr_shape_move(s, ball, fr_vec3(3, 0, 0))};
    return fr_shape_intersection(s, two, 2, 0);
}

TEST(refusals) {
    refused("box: size is (1, 0, 1) m; each must be above 0", flat_box);
    refused("box: rounding is 0.6 m; allowed are 0 to 0.5, half its thickness", round_box);
    refused(
        "tube: outer radius is 1 m, inner 2 m, height 1 m; wanted outer > inner > 0 and height > 0",
        wrong_tube);
    refused("sphere: radius is nan m; must be above 0", nan_ball);
    refused("text \"AB$\": character 3 is not to be had; allowed are A-Z 0-9 . , : ; ! ? - + = / ' "
            "( ) and space",
            greek);
    refused("text: there is nothing to see in it", blank);
    refused("lathe: a profile of 1 points; at least 2 are needed", point_lathe);
    refused("lathe: point 2 is r = -1 m, z = 1 m; r must be 0 or more", left_lathe);
    refused("sphere: radius is -1 m; must be above 0", null_child);
    refused("shapes inside shapes 65 deep; at most 64 are allowed", deep);
    refused("intersection: the shapes have nothing in common", apart);
}

TEST(many_parts_and_fields) {
    Fixture f;
    begin(&f);
    const FrShape *part[200], *ball = fr_shape_sphere(f.set, 0.3);
    for (int k = 0; k < 200; k++)
        part[k] = fr_shape_move(f.set, ball, fr_vec3(k % 6, k / 6 % 6, k / 36));
    const FrShape *all = fr_shape_union(f.set, part, 200, 0);
    FrField field;
    fr_shape_field(all, &field);
    FrRandom random = fr_random_for(7, "parts", 0);
    for (int i = 0; i < 500; i++) {
        FrVec3 x = random_in(&random, fr_box_grow(field.bounds, 1));
        double d = HUGE_VAL;
        for (int k = 0; k < 200; k++)
            d = fr_min(d, fr_distance(x, fr_vec3(k % 6, k / 6 % 6, k / 36)) - 0.3);
        CHECK_NEAR(fr_field_at(&field, x), d, 1e-15); // rounding
    }
    end(&f);
}

TEST(allocations_may_fail) {
    Fixture f;
    begin(&f);
    EVERY_ALLOCATION_FAILS(f.ctx, &f.refuser, {
        FrShapeSet *set;
        result = fr_shapeset_create(f.ctx, &set);
        if (result == FR_OK) {
            const FrShape *two[2];
            two[0] =
                fr_shape_text(set, "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG", 1, 0.1, 0.01);
            two[1] = fr_shape_lathe(set, bowl_profile, 4, 0.1);
            const FrShape *shape = fr_shape_shell(set, fr_shape_union(set, two, 2, 0.1), 0.1);
            result = fr_shapeset_result(set);
            CHECK(!shape == (result != FR_OK));
        }
        fr_shapeset_destroy(set);
    });
    end(&f);
}
