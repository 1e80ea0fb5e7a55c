// lua_units.c: the dimensions of a script's numbers. Scripts see plain numbers, so the script is
// run once more with larger units: a number grows by the powers of metres, kilograms, seconds and
// degrees that are in it.

#include "math/vec.h"
#include "scene/lua_state.h"
#include <stdlib.h>
#include <string.h>

#define GROWTH 1.001 ///< of the metre
#define BASE 21      ///< each next base unit grows by this power of the one before
#define POWER_MAX 4  ///< more are no unit; the root of kg m looks like kg/m^10

double fr_lua_grown(FrPowers p) {
    double base = BASE;
    return pow(GROWTH, p.m + base * (p.kg + base * (p.s + base * p.deg)));
}

// the digit of a number in base 21 with digits -10 to 10, which is taken from it
static int8_t take_power(int32_t *sum) {
    int32_t digit = ((*sum % BASE) + BASE + BASE / 2) % BASE - BASE / 2;
    *sum = (*sum - digit) / BASE;
    return (int8_t)digit;
}

static bool is_unit(FrPowers p) {
    return abs(p.m) <= POWER_MAX && abs(p.kg) <= POWER_MAX && abs(p.s) <= POWER_MAX &&
           abs(p.deg) <= POWER_MAX;
}

// false: the number is zero, or a sum of different things
static bool powers_of(double plain, double grown, FrPowers *powers) {
    double sum = log(grown / plain) / log(GROWTH);
    if (!(fabs(sum) < BASE * BASE * BASE * BASE && fabs(sum - round(sum)) < 1e-6)) return false;
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

bool fr_lua_name_units(FrValueTree *tree, const FrValue *root, const FrValue *grown_root) {
    const FrMember *grown = params_of(grown_root);
    for (const FrMember *m = params_of(root); m && grown; m = m->next, grown = grown->next) {
        const FrMember *unit = fr_value_find(m->value, "unit");
        FrPowers powers;
        char text[FR_NUMBER_ROOM];
        if (!unit || !unit->value->guessed || !param_powers(m->value, grown->value, &powers))
            continue;
        const char *name = is_unit(powers) ? fr_powers_print(powers, text) : "any";
        const char *kept = fr_arena_text(&tree->arena, name, strlen(name));
        if (!kept) return false;
        ((FrValue *)unit->value)->text = kept;
    }
    return true;
}

static void measure(FrValue *plain, const FrValue *grown);

static void measure_members(const FrValue *plain, const FrValue *grown) {
    if (!plain || !grown || plain->count != grown->count) return;
    const FrMember *b = grown->first;
    for (const FrMember *a = plain->first; a && b; a = a->next, b = b->next) {
        if (a->key && b->key && strcmp(a->key, b->key)) return;
        measure((FrValue *)a->value, b->value);
    }
}

// parts that several things share are looked at once
static void measure(FrValue *plain, const FrValue *grown) {
    FrPowers powers;
    if (plain->measured || plain->kind != grown->kind) return;
    plain->measured = true;
    measure_members(plain, grown);
    measure_members(plain->items, grown->items);
    if (plain->kind == FR_VALUE_NUMBER && powers_of(plain->number, grown->number, &powers) &&
        is_unit(powers))
        plain->powers = powers;
}

void fr_lua_measure(const FrValue *root, const FrValue *grown_root) {
    measure((FrValue *)root, grown_root);
}
