// lua_units.c: the dimension of a param's number. Scripts see plain numbers, so the script is run
// once more with larger units: a number grows by the powers of metres, kilograms, seconds and
// degrees that are in it.

#include "math/vec.h"
#include "scene/lua_state.h"
#include <string.h>

#define GROWTH                                                                                     \
    1.01 ///< of the metre; each next base unit grows by the ninth power of the one before
#define POWER_MAX 4

double fr_lua_grown(FrPowers p) {
    return pow(GROWTH, p.m + 9.0 * (p.kg + 9.0 * (p.s + 9.0 * p.deg)));
}

// the digit of a number in base 9 with digits -4 to 4, which is taken from it
static int8_t take_power(int32_t *sum) {
    int32_t digit = ((*sum % 9) + 9 + POWER_MAX) % 9 - POWER_MAX;
    *sum = (*sum - digit) / 9;
    return (int8_t)digit;
}

// false: the number is zero, or a sum of different things
static bool powers_of(double plain, double grown, FrPowers *powers) {
    double sum = log(grown / plain) / log(GROWTH);
    if (!(fabs(sum) < 3281.0 && fabs(sum - round(sum)) < 1e-6)) return false;
    int32_t left = (int32_t)lround(sum);
    powers->m = take_power(&left);
    powers->kg = take_power(&left);
    powers->s = take_power(&left);
    powers->deg = take_power(&left);
    return left == 0;
}

// the dimension of a param by its value, or by its bounds where that is zero or plain
static bool param_powers(const FrValue *plain, const FrValue *grown, FrPowers *powers) {
    static const char *const keys[] = {"value", "min", "max"};
    bool known = false;
    for (int k = 0; k < 3; k++) {
        FrPowers found;
        const FrMember *a = fr_value_find(plain, keys[k]), *b = fr_value_find(grown, keys[k]);
        bool numbers =
            a && b && a->value->kind == FR_VALUE_NUMBER && b->value->kind == FR_VALUE_NUMBER;
        if (!numbers || !powers_of(a->value->number, b->value->number, &found)) continue;
        if (!known) *powers = found;
        known = true;
        if (!fr_dimension_is(FR_DIM_NONE, found)) {
            *powers = found;
            break;
        }
    }
    return known;
}

static const FrMember *params_of(const FrValue *root) {
    const FrMember *list = fr_value_find(root, "params");
    return list ? list->value->first : NULL;
}

bool fr_lua_units_guessed(const FrValue *root) {
    for (const FrMember *m = params_of(root); m; m = m->next) {
        const FrMember *unit = fr_value_find(m->value, "unit");
        if (unit && unit->value->guessed) return true;
    }
    return false;
}

bool fr_lua_name_units(FrValueTree *tree, const FrValue *root, const FrValue *grown_root) {
    const FrMember *grown = params_of(grown_root);
    for (const FrMember *m = params_of(root); m && grown; m = m->next, grown = grown->next) {
        const FrMember *unit = fr_value_find(m->value, "unit");
        FrPowers powers;
        char text[FR_NUMBER_ROOM];
        if (!unit || !unit->value->guessed || !param_powers(m->value, grown->value, &powers))
            continue;
        fr_powers_print(powers, text);
        const char *kept = fr_arena_text(&tree->arena, text, strlen(text));
        if (!kept) return false;
        ((FrValue *)unit->value)->text = kept;
    }
    return true;
}
