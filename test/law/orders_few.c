// orders_few.c: the ends of the rows that orders.c checks whole, from one start each: cheap enough
// for every day.

#include "orders_kit.h"

TEST(a_weak_bowl_falls_into_more_pieces) {
    Outcome tough = outcome_of("bowls", "0.008", "tau=52.9", "fall=1"),
            weak = outcome_of("bowls", "0.008", "tau=13.2", "fall=1");
    CHECK(weak.cracks > 2.0 * tough.cracks);
    CHECK(weak.pieces > tough.pieces && weak.growth > tough.growth);
}

TEST(a_wall_that_bears_little_strain_falls_into_more_pieces) {
    Outcome bends = outcome_of("walls-ductile", "0.012", "wall=5", "speed=16"),
            breaks = outcome_of("walls-ductile", "0.012", "wall=8", "speed=16");
    CHECK(breaks.pieces >= bends.pieces && breaks.cracks > 2.0 * bends.cracks);
}
