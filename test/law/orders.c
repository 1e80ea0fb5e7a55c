// orders.c: what the papers' figures say of each other: which wall, bowl or tray falls into more
// pieces. Scenes at draft detail, each let go five times, a little higher or faster each time:
// means are compared. Long; bowls and walls at their ends are in orders_few.c.

#include "orders_kit.h"

// S2 figure 11: tau falls, pieces get more
TEST(bowls_one_to_four) {
    static const char *const tau[] = {"tau=52.9", "tau=39.6", "tau=33.1", "tau=13.2"};
    double before = 0.0;
    for (int k = 0; k < 4; k++) {
        Outcome bowl = mean_of("bowls", "0.03", tau[k], drops);
        printf("  %s: %.1f pieces, nodes grow %.2f times\n", tau[k], bowl.pieces, bowl.growth);
        CHECK(bowl.pieces > before);
        before = bowl.pieces;
    }
}

// S2 figure 9: the heavy ball breaks more, and the mesh grows more
TEST(walls_one_and_two) {
    Outcome light = mean_of("wall", "0.1", "heavy=false", blows),
            heavy = mean_of("wall", "0.1", "heavy=true", blows);
    printf("  %.1f and %.1f pieces, nodes grow %.2f and %.2f times\n", light.pieces, heavy.pieces,
           light.growth, heavy.growth);
    CHECK(heavy.pieces > light.pieces);
    CHECK(heavy.growth > light.growth && heavy.growth > 5.0);
}

// S3 figure 3: with the same yield, what bears less plastic strain falls into more pieces; the
// brittle wall into more than any that bears much
TEST(ductile_walls_one_to_eight) {
    static const char *const wall[] = {"wall=5", "wall=3", "wall=6", "wall=7", "wall=8"};
    double before = 0.0, first = 0.0;
    for (int k = 0; k < 5; k++) {
        Outcome w = mean_of("walls-ductile", "0.05", wall[k], shots);
        printf("  %s: %.1f pieces\n", wall[k], w.pieces);
        CHECK(w.pieces >= before);
        before = w.pieces;
        if (k == 0) first = w.pieces;
    }
    Outcome brittle = mean_of("walls-ductile", "0.05", "wall=1", shots);
    CHECK(brittle.pieces > 2.0 * first && before > 2.0 * first);
    // left column: what yields later tears less
    Outcome early = mean_of("walls-ductile", "0.05", "wall=2", shots),
            late = mean_of("walls-ductile", "0.05", "wall=4", shots);
    CHECK(brittle.cracks > early.cracks && brittle.cracks > late.cracks);
}

// S6 figure 6.5: less damping, more cracks; (e) with less toughness the most. (a), whose damping
// shortens its steps tenfold, is left out
TEST(trays_b_to_e) {
    static const char *const tray[] = {"tray=2", "tray=3", "tray=4", "tray=5"};
    double before = 0.0;
    for (int k = 0; k < 4; k++) {
        Outcome t = mean_of("trays", "0.03", tray[k], drops);
        printf("  %s: %.1f pieces, %.1f cracks\n", tray[k], t.pieces, t.cracks);
        CHECK(t.cracks > before);
        before = t.cracks;
    }
}
