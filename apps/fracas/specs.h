// specs.h: what is typed as one word and means several: values of a param, tones, materials,
// changes of bodies.
#pragma once
#include "fracas/studio.h"
#include <stdbool.h>

#define MOST_VALUES 1000
#define MOST_TONES 16
#define MOST_MATERIALS 16

// Words are taken apart where they are, in the command line's own memory. False: not of this form.

/// "strength=20MPa:40MPa"; values follow those that are there already (*used of MOST_VALUES).
bool spec_vary(char *text, const char **value, int32_t *used, FrVaryDef *vary);

/// "440:2.5,2000:0.8"; 1 to MOST_TONES of them.
bool spec_tones(const char *text, FrTone *tone, int32_t *count);

/// Materials of a command line: names, or the constants of one.
typedef struct Materials {
    const char *name[MOST_MATERIALS + 1];
    int32_t count; ///< of names
    bool given;    ///< as constants, in `made_of`
    FrMaterial made_of;
} Materials;

/// "oak,glass" or "E=70e9,nu=0.33,rho=2700"; NULL: none. The context has the message.
FrResult spec_materials(FrContext *ctx, const char *text, Materials *materials);

/// One change, with room for what it points at.
typedef struct SpecChange {
    FrSoundChangeDef change; ///< a material by name may be constants: change_materials
    FrTone tone[MOST_TONES];
    FrMaterial made_of;
} SpecChange;

/// "[BODY.]KEY=VALUE". NULL, or what it takes, in words.
const char *spec_change(char *text, SpecChange *change);
/// Materials that are given as constants. The context has the message.
FrResult spec_change_material(FrContext *ctx, SpecChange *change);
