// s4_table.c: S4's table 1: lowest tones and their decays. What has a size of ours, chosen for one
// row's tone, has the other rows' tones by its material alone.

#include "s4_kit.h"

TEST(chime) {
    FrSoundFound chime = found_for("chime D3");
    CHECK_CLOSE(chime.hz, 587.4, 0.005); // mesh
    check_decay(chime, 1e-7, 0);
    CHECK_CLOSE(chime.decay, 0.68, 0.01); // digits of the print; E39 has 0.68 for its 0.6
}

TEST(shelves) {
    FrSoundFound plastic = found_for("shelf, plastic"), metal = found_for("shelf, aluminium"),
                 wood = found_for("shelf, wood");
    CHECK_CLOSE(plastic.hz, 488.9, 0.01);   // model: the size is chosen for it
    CHECK_CLOSE(plastic.decay, 29.7, 0.02); // digits of the print
    CHECK_CLOSE(metal.hz, 691.5, 0.01);     // mesh: twice the moduli, the same density
    CHECK_CLOSE(metal.decay, 0.9, 0.06);    // digits of the print
    // E40: in wood no shelf that rings at 691.5 Hz in aluminium can have the printed 154.6 Hz
    CHECK(wood.hz < 131.5);
    check_decay(wood, 8e-6, 50);
}

TEST(blocks_and_boxes) {
    FrSoundFound block = found_for("block, 5 cm"), box = found_for("box, 50 cm");
    const double w0 = 2.0 * M_PI * sqrt(block.hz * block.hz + pow(block.decay / (2.0 * M_PI), 2));
    const double w1 = 2.0 * M_PI * sqrt(box.hz * box.hz + pow(box.decay / (2.0 * M_PI), 2));
    CHECK_CLOSE(w0 / w1, 10.0, 1e-9);             // rounding: undamped, ten times the size
    CHECK(block.hz < 1596.2 && block.hz > 900.0); // E6: their mesh is too stiff
    check_decay(block, 8e-6, 50);
    check_decay(box, 8e-6, 50);
}

TEST(the_end) {
    FrSoundFound letter = found_for("The End, T");
    CHECK_CLOSE(letter.hz, 247.7, 0.01);   // model: the size is chosen for it
    CHECK_CLOSE(letter.decay, 15.2, 0.01); // digits of the print
}
