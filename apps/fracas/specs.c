// specs.c: words of a command line that mean several values.

#include "specs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// argv is the program's own to change
static char *own(const char *text) { return (char *)(uintptr_t)text; }

bool spec_vary(char *text, const char **value, int32_t *used, FrVaryDef *vary) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text) return false;
    *equals = 0;
    *vary = fr_vary_def_default();
    vary->param = text;
    vary->value = value + *used;
    for (char *at = equals + 1, *colon = at; colon; at = colon + 1) {
        colon = strchr(at, ':');
        if (colon) *colon = 0;
        if (!*at || *used == MOST_VALUES) return false;
        value[(*used)++] = at;
        vary->value_count++;
    }
    return true;
}

bool spec_tones(const char *text, FrTone *tone, int32_t *count) {
    const char *at = text;
    *count = 0;
    for (bool more = true; more; (*count)++) {
        char *end;
        if (*count == MOST_TONES) return false;
        FrTone *one = &tone[*count];
        one->hz = strtod(at, &end);
        if (end == at || *end != ':') return false;
        at = end + 1;
        one->t60 = strtod(at, &end);
        if (end == at || (*end && *end != ',')) return false;
        if (!(one->hz > 0.0 && one->t60 > 0.0 && isfinite(one->hz + one->t60))) return false;
        more = *end == ',';
        at = end + 1;
    }
    return true;
}

FrResult spec_materials(FrContext *ctx, const char *text, Materials *materials) {
    materials->count = 0;
    materials->given = text && strchr(text, '=');
    if (materials->given) return fr_material_parse(ctx, text, &materials->made_of);
    for (char *at = own(text); at && materials->count <= MOST_MATERIALS;) {
        materials->name[materials->count++] = at;
        at = strchr(at, ',');
        if (at) *at++ = 0;
    }
    return FR_OK;
}

static bool change_factor(const char *text, FrSoundChangeDef *change) {
    char *end;
    change->factor = strtod(text, &end);
    return end != text && !*end && change->factor > 0.0 && change->factor <= 1e6;
}

const char *spec_change(char *text, SpecChange *to) {
    static const char *const key[] = {"material", "t60",       "damping",
                                      "density",  "stiffness", "size"}; // in the order of the enum
    char *equals = strchr(text, '='), *dot = strchr(text, '.'), *from = text;
    *to = (SpecChange){.change = fr_sound_change_def_default()};
    if (!equals || equals == text) return "takes name=value";
    if (dot && dot < equals) {
        *dot = 0;
        to->change.body = text;
        from = dot + 1;
    }
    *equals = 0;
    size_t k = 0, count = sizeof key / sizeof key[0];
    while (k < count && strcmp(key[k], from) != 0) k++;
    if (k == count) return "sets material, t60, damping, density, stiffness or size";
    to->change.key = (FrSoundKey)k;
    to->change.material = equals + 1;
    if (to->change.key == FR_SOUND_MATERIAL) return NULL;
    if (to->change.key != FR_SOUND_T60)
        return change_factor(equals + 1, &to->change) ? NULL
                                                      : "takes a factor above 0 and at most 1e6";
    to->change.t60 = to->tone;
    return spec_tones(equals + 1, to->tone, &to->change.t60_count)
               ? NULL
               : "takes 1 to 16 pairs of Hz and s above 0, like t60=440:2.5,2000:0.8";
}

FrResult spec_change_material(FrContext *ctx, SpecChange *to) {
    if (to->change.key != FR_SOUND_MATERIAL || !strchr(to->change.material, '=')) return FR_OK;
    to->change.made_of = &to->made_of;
    return fr_material_parse(ctx, to->change.material, &to->made_of);
}
