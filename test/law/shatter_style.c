// shatter_style.c: what a scene asks of the cracks of a body that shatters: styles, a grain, places
// with pieces of their own, dust; and the blow as S7 prints it.

#include "material/laws.h"
#include "math/decompose.h"
#include "fracture/separation.h"
#include "shatter_kit.h"

// a pane of 20 cm, struck in its middle
static Struck pane(FrCrackDef crack) {
    Struck s = struck_box(fr_vec3(0.2, 0.2, 0.006), 0.012, 0.03, 12.0);
    make_shatter(&s, crack);
    return s;
}

// share of the crack area outside of the middle whose normal is within 30 degrees of `along`, over
// some seeds; 0: radially away from the middle
static double share_along(Struck *s, FrVec3 along) {
    double all = 0.0, found = 0.0;
    for (int seed = 0; seed < 5; seed++) {
        blow(s, seed);
        for (int32_t k = 0; k < s->fallen.facet_count; k++) {
            const FrFallenFacet *f = &s->fallen.facet[k];
            FrVec3 r = {f->x.x, f->x.y, 0.0};
            if (fr_length(r) < 0.03) continue;
            FrVec3 n = fr_length(along) > 0.0 ? along : fr_normalize(r);
            all += f->area;
            if (fabs(fr_dot(f->n, n)) > cos(30.0 * FR_PI / 180.0)) found += f->area;
        }
    }
    return found / all;
}

// Round cells look every way: a third of their borders is within 30 degrees of any direction in the
// plane. A style has twice that.
TEST(styles_lead_cracks) {
    Struck s = pane(fr_crack_def_default());
    FrCrackShatter *how = &s.shatter->how; // no part of stress and modes: one pane serves all
    how->stretch = 0.0;
    double even = share_along(&s, fr_vec3_zero);
    CHECK_NEAR(even, 1.0 / 3.0, 0.12); // mesh: five seeds of some twenty pieces
    how->stretch = 5.0;
    how->style = FR_SHATTER_RING;
    double rings = share_along(&s, fr_vec3_zero);
    how->style = FR_SHATTER_RADIAL;
    double radials = share_along(&s, fr_vec3_zero);
    printf("  normals along the radius: even %.2f, rings %.2f, radial %.2f\n", even, rings,
           radials);
    CHECK(rings > 2.0 * even);
    CHECK(radials < 0.5 * even);
    leave(&s);
}

// splinters lie along the longest side: their faces look across it
TEST(splinters_are_long) {
    FrCrackDef crack = fr_crack_def_default();
    crack.shatter.style = FR_SHATTER_SPLINTER;
    Struck s = struck_box(fr_vec3(0.25, 0.1, 0.006), 0.012, 0.03, 14.0);
    make_shatter(&s, crack);
    double across = share_along(&s, fr_vec3(0, 1, 0)), cut = share_along(&s, fr_vec3(1, 0, 0));
    printf("  of the area %.2f along, %.2f across\n", across, cut);
    CHECK(across > 3.0 * cut);
    leave(&s);
}

// a material that is ten times as stiff along its grain, which runs along x or y
static Struck grained(bool along_y) {
    Struck s = struck_box(fr_vec3(0.2, 0.2, 0.008), 0.012, 0.03, 14.0);
    FrOrthotropic wood = {6.2e10, 6e9, 6e9, 2.5e9, 2.5e9, 2.5e9, 0.2, 0.2, 0.3};
    if (along_y) {
        wood.young_x = 6e9, wood.young_y = 6.2e10;
        wood.poisson_xy = 0.2 * 6e9 / 6.2e10, wood.poisson_yz = 0.2, wood.poisson_xz = 0.3;
    }
    CHECK(fr_material_set_orthotropic(&s.material, &wood));
    CHECK_CLOSE(fr_stiffness_young(s.material.C, fr_vec3(!along_y, along_y, 0)), 6.2e10,
                1e-12);                                                          // rounding
    CHECK_CLOSE(fr_stiffness_young(s.material.C, fr_vec3(0, 0, 1)), 6e9, 1e-12); // rounding
    FrCrackDef crack = fr_crack_def_default();
    crack.shatter.stretch = 0.0; // the grain alone
    make_shatter(&s, crack);
    return s;
}

// pieces of wood are long along its grain, and turn with it
TEST(cracks_keep_to_a_grain) {
    for (int along_y = 0; along_y < 2; along_y++) {
        Struck s = grained(along_y);
        double split = share_along(&s, fr_vec3(along_y, !along_y, 0));
        double snapped = share_along(&s, fr_vec3(!along_y, along_y, 0));
        printf("  of the area %.2f along the grain, %.2f across\n", split, snapped);
        CHECK(split > 3.0 * snapped);
        leave(&s);
    }
}

// A pull that is too little across a tough axis is too much across a weak one; the limit goes with
// 1 / (cos^2 / k + sin^2), as of fem.                                                [S6 eq. 4.8]
TEST(toughness_has_directions) {
    FrCrackDef crack = fr_crack_def_default();
    crack.toughness = fr_vec3(0.25, 1, 1);
    crack.cleavage = fr_vec3(0, 0, 0.5);
    Struck s = struck_box(fr_vec3(0.1, 0.1, 0.006), 0.02, 0.03, 12.0);
    make_shatter(&s, crack);
    CHECK(s.shatter->directional && s.shatter->grained);
    CHECK_CLOSE(s.shatter->weakest, 0.25, 1e-12); // rounding
    FrStrike nowhere = {.point_count = 0};
    s.shatter->field = calloc((size_t)s.mesh.node_count, sizeof *s.shatter->field);
    for (int k = 0; k < 4; k++) {
        double angle = 0.4 * k, c = cos(angle), share;
        FrVec3 d = {cos(0.5 + angle), sin(0.5 + angle), 0};
        for (int32_t n = 0; n < s.mesh.node_count; n++)
            s.shatter->field[n] = fr_outer_times(1e7, d);
        CHECK_OK(s.ctx, fr_shatter_stands(s.shatter, &nowhere, &share));
        CHECK_CLOSE(share, 1e7 / s.material.strength * (c * c / 0.25 + 1.0 - c * c),
                    1e-9); // rounding, in an eigenvalue
    }
    free(s.shatter->field);
    s.shatter->field = NULL;
    leave(&s);
}

// which child has a place, -1: none
static int32_t child_at(const FrFallen *f, FrVec3 x) {
    int32_t best = -1;
    double least = HUGE_VAL;
    for (int32_t c = 0; c < f->count; c++)
        for (int32_t e = 0; e < f->child[c].mesh->tet_count; e++) {
            FrVec3 m = fr_vec3_zero;
            for (int i = 0; i < 4; i++)
                m = fr_axpy(0.25, fr_get3(f->child[c].mesh->x, f->child[c].mesh->tet[e][i]), m);
            if (fr_distance(m, x) < least) least = fr_distance(m, x), best = c;
        }
    return best;
}

TEST(chosen_places_get_pieces_of_their_own) {
    FrVec3 place[4] = {{0.05, 0.05, 0}, {-0.05, 0.05, 0}, {-0.05, -0.05, 0}, {0.05, -0.05, 0}};
    FrCrackDef crack = fr_crack_def_default();
    crack.seed = place;
    crack.seed_count = 4;
    Struck s = pane(crack);
    for (int seed = 0; seed < 3; seed++) {
        blow(&s, seed);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                CHECK(child_at(&s.fallen, place[i]) != child_at(&s.fallen, place[j]));
        for (int32_t c = 0; c < s.fallen.count; c++)
            CHECK_INT(s.fallen.child[c].crack.seed_count, 0);
    }
    leave(&s);
}

// By the letter the energy goes with the square of force, so of one over the step, and is more than
// came in (M31); the same blow in modes takes from what came in. E_S = 1/2 f'u of the static
// answer.
TEST(the_letter_makes_energy) {
    FrCrackDef crack = fr_crack_def_default();
    crack.shatter.literal = true;
    Struck s = pane(crack);
    blow(&s, 1);
    double J = 1.5 * s.strike.speed / s.strike.mobility, first = s.struck.elastic;
    CHECK(s.struck.made);
    CHECK_CLOSE(s.struck.impulse, J, 1e-12); // rounding: rows' own
    printf("  the blow brings %.3g J, the letter stores %.3g J\n",
           0.5 * s.strike.speed * s.strike.speed / s.strike.mobility, first);
    CHECK(first > 0.5 * s.strike.speed * s.strike.speed / s.strike.mobility);
    s.strike.step *= 0.5;
    blow(&s, 1);
    CHECK_CLOSE(s.struck.elastic, 4.0 * first, 1e-6); // solver: residuals below 1e-8
    int32_t many = s.fallen.count;
    s.shatter->how.literal = false;
    blow(&s, 1);
    CHECK(!s.struck.made &&
          s.struck.elastic <= 0.5 * s.strike.speed * s.strike.speed / s.strike.mobility);
    CHECK(many > s.fallen.count);
    leave(&s);
}
