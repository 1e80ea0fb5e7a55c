// break_material.c: which materials can be broken, and what is said of the others.

#include "fracas/material.h"
#include "job/break_scene.h"
#include "material/laws.h"
#include "scene/material_names.h"
#include "world/model.h"
#include "world/world_tuning.h"
#include <stdio.h>
#include <string.h>

// "glass, porcelain, ..."; names of tables of papers are left out
static void list_brittle(char *list, size_t room) {
    size_t used = 0;
    list[0] = 0;
    for (int32_t k = 0; k < fr_material_count(); k++) {
        FrMaterial m;
        const char *name = fr_material_name(k);
        if (!fr_material_find(name, &m) || !fr_is_brittle(&m) || strpbrk(name, "0123456789"))
            continue;
        int n = snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
        if (n < 0 || (size_t)n >= room - used) return;
        used += (size_t)n;
    }
}

static FrResult no_material(FrContext *ctx, const char *name, const char *list) {
    if (!name)
        return fr_fail(ctx, FR_BAD_USE, "what is it made of? --material NAME; these break: %s",
                       list);
    const char *near = fr_material_meant(name);
    if (near)
        return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%s'; did you mean '%s'?", name,
                       near);
    return fr_fail(ctx, FR_BAD_INPUT, "there is no material '%s'; these break: %s", name, list);
}

FrResult fr_break_material(FrContext *ctx, const char **material) {
    char list[512];
    FrMaterial m;
    list_brittle(list, sizeof list);
    const char *name = *material;
    if (name && !fr_material_find(name, &m)) name = fr_material_everyday(name);
    if (!name || !fr_material_find(name, &m)) return no_material(ctx, *material, list);
    *material = name;
    if (fr_is_brittle(&m)) return FR_OK;
    const char *why = m.yield_strain > 0.0 ? "it yields and is dented"
                      : !(m.strength > 0.0 && m.Gc > 0.0) || m.tau > 0.0
                          ? "it has no strength and Gc in Pa and J/m^2"
                      : fr_young(m.lambda, m.mu) < FR_STIFF ? "it is soft and bounces"
                                                            : "it does not break";
    return fr_fail(ctx, FR_BAD_USE,
                   "%s does not shatter: %s. These do: %s. A scene can bend and tear the others "
                   "(model = \"fem\", docs/breaking.md)",
                   name, why, list);
}
