// number.h: numbers as text: shortest form that reads back the same, units, dimensions.
#pragma once
#include "base/base.h"

#define FR_NUMBER_ROOM 32

/// Shortest decimal that reads back as `value`; always with a point as decimal sign.
const char *fr_number_print(double value, char buffer[FR_NUMBER_ROOM]);
/// The same for radians as degrees: the text times pi/180 is `value` again.
const char *fr_number_print_degrees(double value, char buffer[FR_NUMBER_ROOM]);

/// Reads -12.5e3 at the front of text. Returns how many bytes it took; 0: no finite number there.
size_t fr_number_scan(const char *text, size_t length, double *value);

typedef enum FrDimension {
    FR_DIM_NONE,
    FR_DIM_LENGTH,
    FR_DIM_MASS,
    FR_DIM_TIME,
    FR_DIM_ANGLE,
    FR_DIM_SPEED,
    FR_DIM_SPIN,
    FR_DIM_ACCELERATION,
    FR_DIM_FORCE,
    FR_DIM_PRESSURE,
    FR_DIM_DENSITY,
    FR_DIM_RATE,
    FR_DIM_TOUGHNESS,
    FR_DIM_VISCOSITY,
    FR_DIM_STIFFNESS, ///< of a spring
    FR_DIM_DRAG,      ///< force per speed
    FR_DIM_COUNT
} FrDimension;

typedef struct FrPowers {
    int8_t m, kg, s, deg;
} FrPowers;

typedef struct FrUnit {
    const char *name;
    double factor; ///< to m, kg, s, degree
    FrPowers powers;
    const char *doc;
    bool word; ///< also a word of Lua scenes
} FrUnit;

extern const FrUnit fr_units[];
extern const int32_t fr_unit_count;

/// "length", "m" and so on.
const char *fr_dimension_name(FrDimension dimension);
const char *fr_dimension_unit(FrDimension dimension);
bool fr_dimension_is(FrDimension dimension, FrPowers powers);

bool fr_powers_same(FrPowers a, FrPowers b);
/// The unit of a dimension with these powers, "m/s"; NULL: none has a name.
const char *fr_powers_unit(FrPowers powers);
/// The same for any powers: "kg m^2/s"; "": a plain number.
const char *fr_powers_print(FrPowers powers, char buffer[FR_NUMBER_ROOM]);
/// "m/s": false when it is not a unit.
bool fr_unit_parse(const char *text, FrPowers *powers);

typedef enum FrQuantityProblem {
    FR_QUANTITY_OK,
    FR_QUANTITY_NO_NUMBER,
    FR_QUANTITY_BAD_UNIT
} FrQuantityProblem;

/// "60cm", "2 GPa", "9.81 m/s^2", "1500 kg/m^3". *has_unit: something followed the number.
/// `bad` (32 bytes) gets the unit that is not known.
FrQuantityProblem fr_quantity_parse(const char *text, double *value, FrPowers *powers,
                                    bool *has_unit, char *bad);
