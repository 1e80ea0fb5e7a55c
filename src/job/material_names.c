// material_names.c: everyday words for materials of the library, and slips of their names.

#include "job/material_names.h"
#include "fracas/material.h"
#include "scene/problems.h"
#include <strings.h>

const char *fr_material_everyday(const char *name) {
    static const char *const words[][2] = {{"china", "porcelain"},
                                           {"crockery", "porcelain"},
                                           {"tile", "ceramic"},
                                           {"stoneware", "ceramic"},
                                           {"pottery", "ceramic"},
                                           {"earthenware", "terracotta"},
                                           {"wood", "oak"},
                                           {"timber", "pine"},
                                           {"metal", "steel"},
                                           {"cast iron", "iron"},
                                           {"stone", "granite"},
                                           {"rock", "granite"},
                                           {"cement", "concrete"},
                                           {"gypsum", "plaster"},
                                           {"crystal", "glass"},
                                           {"window", "glass"},
                                           {"plexiglass", "acrylic"},
                                           {"perspex", "acrylic"},
                                           {"styrofoam", "polystyrene"},
                                           {"latex", "rubber"},
                                           {"sponge", "foam"},
                                           {"jello", "jelly"},
                                           {"mud", "clay"},
                                           {"candle", "wax"}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (!strcasecmp(name, words[k][0])) return words[k][1];
    return NULL;
}

static const char *library_name(const void *user, int32_t k) {
    (void)user;
    return fr_material_name(k);
}

const char *fr_material_meant(const char *name) {
    const char *near = fr_material_everyday(name);
    return near ? near : fr_suggest(name, library_name, NULL, fr_material_count());
}
