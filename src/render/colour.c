// colour.c: the sRGB curve, CIE L*a*b* and the colour map made from them.

#include "render/colour.h"
#include "math/vec.h"

double fr_srgb_encode(double x) {
    x = fr_clamp(x, 0.0, 1.0);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

// inverse of the cube-root-with-linear-foot of CIE 1976
static double lab_inverse(double f) {
    double d = 6.0 / 29.0;
    return f > d ? f * f * f : 3.0 * d * d * (f - 4.0 / 29.0);
}

// L* (0..100), chroma and hue angle (radians) to linear sRGB; D65 white
static FrVec3 linear_from_lch(double L, double chroma, double hue) {
    double fy = (L + 16.0) / 116.0;
    double X = 0.95047 * lab_inverse(fy + chroma * cos(hue) / 500.0);
    double Y = lab_inverse(fy);
    double Z = 1.08883 * lab_inverse(fy - chroma * sin(hue) / 200.0);
    return fr_vec3(3.2406 * X - 1.5372 * Y - 0.4986 * Z, -0.9689 * X + 1.8758 * Y + 0.0415 * Z,
                   0.0557 * X - 0.2040 * Y + 1.0570 * Z);
}

static uint8_t to_byte(double linear) { return (uint8_t)(255.0 * fr_srgb_encode(linear) + 0.5); }

void fr_colour_map(uint8_t rgb[FR_COLOUR_STEPS][3]) {
    for (int k = 0; k < FR_COLOUR_STEPS; k++) {
        double t = k / (double)(FR_COLOUR_STEPS - 1);
        double hue = (305.0 - 208.0 * t) * FR_PI / 180.0;
        // as colourful as sRGB can show along the way, without a kink
        FrVec3 c = linear_from_lch(17.0 + 74.0 * t, 46.0 - 118.0 * t + 154.0 * t * t, hue);
        rgb[k][0] = to_byte(c.x), rgb[k][1] = to_byte(c.y), rgb[k][2] = to_byte(c.z);
    }
}

double fr_round_up(double x) {
    if (!(x > 0) || !isfinite(x)) return 1.0;
    double decade = pow(10.0, floor(log10(x)));
    static const double step[4] = {1, 2, 5, 10};
    // a hair of slack: 2e5 itself stays 2e5
    for (int k = 0; k < 4; k++)
        if (step[k] * decade >= x * (1 - 1e-9)) return step[k] * decade;
    return 10 * decade;
}
