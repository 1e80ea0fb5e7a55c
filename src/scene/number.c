// number.c: shortest decimals out, checked decimals and units in; no locale in between.

#include "scene/number.h"
#include "math/vec.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 63 ///< longest number read, bytes

// libc prints and reads the locale's decimal sign; scenes always have a point
static char decimal_sign(void) {
    const char *sign = localeconv()->decimal_point;
    return sign && sign[0] && !sign[1] ? sign[0] : '.';
}

static void print_digits(double value, int digits, char buffer[FR_NUMBER_ROOM]) {
    snprintf(buffer, FR_NUMBER_ROOM, "%.*g", digits, value);
    char sign = decimal_sign();
    char *at = sign == '.' ? NULL : strchr(buffer, sign);
    if (at) *at = '.';
}

static double read_back(const char *text) {
    double value = 0;
    fr_number_scan(text, strlen(text), &value);
    return value;
}

const char *fr_number_print(double value, char buffer[FR_NUMBER_ROOM]) {
    if (isnan(value)) return strcpy(buffer, "nan");
    if (value == 0) value = 0; // no minus
    for (int digits = 15; digits <= 17; digits++) {
        print_digits(value, digits, buffer);
        if (read_back(buffer) == value) break;
    }
    return buffer;
}

const char *fr_number_print_degrees(double value, char buffer[FR_NUMBER_ROOM]) {
    double degrees = value * (180.0 / FR_PI);
    if (degrees == 0) degrees = 0;
    for (int digits = 14; digits <= 17; digits++) {
        print_digits(degrees, digits, buffer);
        if (read_back(buffer) * (FR_PI / 180.0) == value) return buffer;
    }
    // two roundings went past it: one of the neighbours is the one it came from
    double up = degrees, down = degrees;
    for (int k = 0; k < 8; k++) {
        up = nextafter(up, HUGE_VAL);
        down = nextafter(down, -HUGE_VAL);
        print_digits(up, 17, buffer);
        if (up * (FR_PI / 180.0) == value) return buffer;
        print_digits(down, 17, buffer);
        if (down * (FR_PI / 180.0) == value) return buffer;
    }
    print_digits(degrees, 17, buffer);
    return buffer;
}

static size_t digits_at(const char *text, size_t length, size_t at) {
    size_t n = 0;
    while (at + n < length && text[at + n] >= '0' && text[at + n] <= '9') n++;
    return n;
}

size_t fr_number_scan(const char *text, size_t length, double *value) {
    size_t at = length && (text[0] == '-' || text[0] == '+');
    size_t whole = digits_at(text, length, at), part = 0;
    at += whole;
    size_t point = at < length && text[at] == '.' ? at : SIZE_MAX;
    if (point != SIZE_MAX) {
        part = digits_at(text, length, at + 1);
        if (part) at += part + 1;
    }
    if (whole + part == 0) return 0;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+');
        size_t power = digits_at(text, length, at + 1 + sign);
        if (power) at += 1 + sign + power;
    }
    char copy[DIGITS_MAX + 1];
    if (at > DIGITS_MAX) return 0;
    memcpy(copy, text, at);
    copy[at] = 0;
    if (point < at) copy[point] = decimal_sign();
    double found = strtod(copy, NULL);
    if (!isfinite(found)) return 0;
    *value = found;
    return at;
}

static const struct {
    const char *name, *unit;
    FrPowers powers;
} dimensions[FR_DIM_COUNT] = {
    [FR_DIM_NONE] = {"plain number", "1", {0, 0, 0, 0}},
    [FR_DIM_LENGTH] = {"length", "m", {1, 0, 0, 0}},
    [FR_DIM_MASS] = {"mass", "kg", {0, 1, 0, 0}},
    [FR_DIM_TIME] = {"time", "s", {0, 0, 1, 0}},
    [FR_DIM_ANGLE] = {"angle", "deg", {0, 0, 0, 1}},
    [FR_DIM_SPEED] = {"speed", "m/s", {1, 0, -1, 0}},
    [FR_DIM_SPIN] = {"spin", "deg/s", {0, 0, -1, 1}},
    [FR_DIM_ACCELERATION] = {"acceleration", "m/s^2", {1, 0, -2, 0}},
    [FR_DIM_FORCE] = {"force", "N", {1, 1, -2, 0}},
    [FR_DIM_PRESSURE] = {"pressure", "Pa", {-1, 1, -2, 0}},
    [FR_DIM_DENSITY] = {"density", "kg/m^3", {-3, 1, 0, 0}},
    [FR_DIM_RATE] = {"rate", "1/s", {0, 0, -1, 0}},
    [FR_DIM_TOUGHNESS] = {"energy per area", "J/m^2", {0, 1, -2, 0}},
    [FR_DIM_VISCOSITY] = {"viscosity", "Pa s", {-1, 1, -1, 0}},
    [FR_DIM_STIFFNESS] = {"stiffness of a spring", "N/m", {0, 1, -2, 0}},
    [FR_DIM_DRAG] = {"force per speed", "N s/m", {0, 1, -1, 0}},
};

const char *fr_dimension_name(FrDimension dimension) { return dimensions[dimension].name; }
const char *fr_dimension_unit(FrDimension dimension) { return dimensions[dimension].unit; }

bool fr_powers_same(FrPowers a, FrPowers b) {
    return a.m == b.m && a.kg == b.kg && a.s == b.s && a.deg == b.deg;
}

bool fr_dimension_is(FrDimension dimension, FrPowers powers) {
    return fr_powers_same(dimensions[dimension].powers, powers);
}

const char *fr_powers_unit(FrPowers powers) {
    for (int k = 1; k < FR_DIM_COUNT; k++)
        if (fr_powers_same(dimensions[k].powers, powers)) return dimensions[k].unit;
    for (int32_t k = 0; k < fr_unit_count; k++)
        if (fr_units[k].factor == 1.0 && fr_powers_same(fr_units[k].powers, powers))
            return fr_units[k].name;
    return NULL;
}

const char *fr_powers_print(FrPowers powers, char buffer[FR_NUMBER_ROOM]) {
    const char *name[] = {"kg", "m", "s", "deg"};
    int power[] = {powers.kg, powers.m, powers.s, powers.deg};
    const char *usual = fr_powers_unit(powers);
    buffer[0] = 0;
    if (usual) return strcpy(buffer, usual);
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int k = 0; k < 4; k++) {
            char one[16] = "";
            if (sign * power[k] <= 0) continue;
            if (!buffer[0] && sign < 0) strcpy(buffer, "1");
            if (buffer[0]) strcat(buffer, sign < 0 ? "/" : " ");
            if (abs(power[k]) > 1) snprintf(one, sizeof one, "^%d", abs(power[k]));
            strcat(strcat(buffer, name[k]), one);
        }
    return buffer;
}

bool fr_unit_parse(const char *text, FrPowers *powers) {
    char quantity[80], bad[FR_NUMBER_ROOM];
    double one;
    bool has_unit;
    bool whole = strlen(text) < sizeof quantity - 2;
    if (text[0] == '1' && text[1] == '/') text++;
    snprintf(quantity, sizeof quantity, "1 %s", whole ? text : "");
    return fr_quantity_parse(quantity, &one, powers, &has_unit, bad) == FR_QUANTITY_OK && has_unit;
}

const FrUnit fr_units[] = {
    {"km", 1000, {1, 0, 0, 0}, "kilometre", true},
    {"m", 1, {1, 0, 0, 0}, "metre", true},
    {"cm", 0.01, {1, 0, 0, 0}, "centimetre", true},
    {"mm", 0.001, {1, 0, 0, 0}, "millimetre", true},
    {"um", 1e-6, {1, 0, 0, 0}, "micrometre", true},
    {"inch", 0.0254, {1, 0, 0, 0}, "inch", true},
    {"in", 0.0254, {1, 0, 0, 0}, "inch", false},
    {"t", 1000, {0, 1, 0, 0}, "tonne", false},
    {"kg", 1, {0, 1, 0, 0}, "kilogram", true},
    {"g", 0.001, {0, 1, 0, 0}, "gram", true},
    {"mg", 1e-6, {0, 1, 0, 0}, "milligram", true},
    {"s", 1, {0, 0, 1, 0}, "second", true},
    {"ms", 0.001, {0, 0, 1, 0}, "millisecond", true},
    {"us", 1e-6, {0, 0, 1, 0}, "microsecond", true},
    {"deg", 1, {0, 0, 0, 1}, "degree; angles of scenes are in degrees", true},
    {"rad", 180.0 / FR_PI, {0, 0, 0, 1}, "radian, in degrees", true},
    {"N", 1, {1, 1, -2, 0}, "newton", true},
    {"kN", 1000, {1, 1, -2, 0}, "kilonewton", true},
    {"Pa", 1, {-1, 1, -2, 0}, "pascal", true},
    {"kPa", 1e3, {-1, 1, -2, 0}, "kilopascal", true},
    {"MPa", 1e6, {-1, 1, -2, 0}, "megapascal", true},
    {"GPa", 1e9, {-1, 1, -2, 0}, "gigapascal", true},
    {"bar", 1e5, {-1, 1, -2, 0}, "bar", true},
    {"atm", 101325, {-1, 1, -2, 0}, "atmosphere", true},
    {"J", 1, {2, 1, -2, 0}, "joule", true},
    {"Hz", 1, {0, 0, -1, 0}, "hertz", true},
    {"kHz", 1000, {0, 0, -1, 0}, "kilohertz", true},
};
const int32_t fr_unit_count = (int32_t)(sizeof fr_units / sizeof fr_units[0]);

static const FrUnit *find_unit(const char *name, size_t length) {
    for (int32_t k = 0; k < fr_unit_count; k++)
        if (strlen(fr_units[k].name) == length && !memcmp(fr_units[k].name, name, length))
            return &fr_units[k];
    return NULL;
}

static size_t letters_at(const char *text) {
    size_t n = 0;
    while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z')) n++;
    return n;
}

static size_t blanks_at(const char *text) { return strspn(text, " "); }

// one unit with its power: "s^2"; moves *at behind it
static bool unit_factor(const char **at, int sign, double *value, FrPowers *powers, char *bad) {
    size_t length = letters_at(*at);
    const FrUnit *unit = length ? find_unit(*at, length) : NULL;
    if (!unit) {
        snprintf(bad, FR_NUMBER_ROOM, "%.*s", length ? (int)(length < 16 ? length : 16) : 8, *at);
        return false;
    }
    *at += length;
    int power = 1;
    if (**at == '^' && (*at)[1] >= '1' && (*at)[1] <= '4') {
        power = (*at)[1] - '0';
        *at += 2;
    }
    for (int k = 0; k < power; k++)
        *value = sign > 0 ? *value * unit->factor : *value / unit->factor;
    powers->m = (int8_t)(powers->m + sign * power * unit->powers.m);
    powers->kg = (int8_t)(powers->kg + sign * power * unit->powers.kg);
    powers->s = (int8_t)(powers->s + sign * power * unit->powers.s);
    powers->deg = (int8_t)(powers->deg + sign * power * unit->powers.deg);
    return true;
}

FrQuantityProblem fr_quantity_parse(const char *text, double *value, FrPowers *powers,
                                    bool *has_unit, char *bad) {
    *powers = (FrPowers){0, 0, 0, 0};
    const char *at = text + blanks_at(text);
    size_t taken = fr_number_scan(at, strlen(at), value);
    if (!taken) return FR_QUANTITY_NO_NUMBER;
    at += taken;
    at += blanks_at(at);
    *has_unit = *at != 0;
    for (int factors = 0; *at; factors++) {
        int sign = 1;
        if (*at == '/') {
            sign = -1;
            at++;
            at += blanks_at(at);
        }
        if (factors == 4 || !unit_factor(&at, sign, value, powers, bad)) {
            if (factors == 4) snprintf(bad, FR_NUMBER_ROOM, "%.16s", at);
            return FR_QUANTITY_BAD_UNIT;
        }
        at += blanks_at(at);
    }
    return isfinite(*value) ? FR_QUANTITY_OK : FR_QUANTITY_NO_NUMBER;
}
