// colour.c: the sRGB curve, CIE L*a*b* and the colour map made from them.

#include "render/colour.h"
#include "math/vec.h"

double fr_srgb_encode(double x) {
    x = fr_clamp(x, 0.0, 1.0);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

double fr_srgb_decode(double x) {
    x = fr_clamp(x, 0.0, 1.0);
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
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

static bool shown_by_srgb(FrVec3 c) {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x <= 1 && c.y <= 1 && c.z <= 1;
}

// the most colourful colour up to `chroma` that sRGB can show
static FrVec3 vivid(double L, double chroma, double hue) {
    double lo = 0, hi = chroma;
    if (shown_by_srgb(linear_from_lch(L, chroma, hue))) return linear_from_lch(L, chroma, hue);
    for (int k = 0; k < 20; k++) {
        double middle = 0.5 * (lo + hi);
        if (shown_by_srgb(linear_from_lch(L, middle, hue)))
            lo = middle;
        else
            hi = middle;
    }
    return linear_from_lch(L, lo, hue);
}

static uint8_t to_byte(double linear) { return (uint8_t)(255.0 * fr_srgb_encode(linear) + 0.5); }

void fr_colour_map(uint8_t rgb[FR_COLOUR_STEPS][3]) {
    for (int k = 0; k < FR_COLOUR_STEPS; k++) {
        double t = k / (double)(FR_COLOUR_STEPS - 1);
        double hue = (305.0 - 208.0 * t) * FR_PI / 180.0;
        FrVec3 c = vivid(17.0 + 74.0 * t, 52.0 - 40.0 * t * (1 - t) + 30.0 * t * t, hue);
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
