// material_names.c: everyday words for materials of the library, and slips of their names.

#include "scene/material_names.h"
#include "fracas/material.h"
#include "scene/problems.h"
#include <ctype.h>
#include <stdbool.h>

static char plain(char c) { return c == '-' || c == '_' ? ' ' : (char)tolower((unsigned char)c); }

// "Cast-Iron" is "cast iron"
static bool same_word(const char *a, const char *b) {
    while (*a && plain(*a) == *b) a++, b++;
    return !*a && !*b;
}

const char *fr_material_everyday(const char *name) {
    static const char *const words[][2] = {{"china", "porcelain"},
                                           {"bone china", "porcelain"},
                                           {"crockery", "porcelain"},
                                           {"tile", "ceramic"},
                                           {"stoneware", "ceramic"},
                                           {"pottery", "ceramic"},
                                           {"earthenware", "terracotta"},
                                           {"wood", "oak"},
                                           {"timber", "pine"},
                                           {"hardwood", "oak"},
                                           {"softwood", "pine"},
                                           {"metal", "steel"},
                                           {"cast iron", "iron"},
                                           {"mild steel", "steel"},
                                           {"stone", "granite"},
                                           {"rock", "granite"},
                                           {"cement", "concrete"},
                                           {"gypsum", "plaster"},
                                           {"crystal", "glass"},
                                           {"window", "glass"},
                                           {"window glass", "glass"},
                                           {"soda lime glass", "glass"},
                                           {"pmma", "acrylic"},
                                           {"plexiglas", "acrylic"},
                                           {"plexiglass", "acrylic"},
                                           {"acrylic glass", "acrylic"},
                                           {"lucite", "acrylic"},
                                           {"perspex", "acrylic"},
                                           {"styrofoam", "polystyrene"},
                                           {"eps", "polystyrene"},
                                           {"polyvinyl chloride", "pvc"},
                                           {"abs", "plastic"},
                                           {"polyamide", "nylon"},
                                           {"pdms", "silicone"},
                                           {"ballistic gel", "gelatine"},
                                           {"latex", "rubber"},
                                           {"sponge", "foam"},
                                           {"jello", "jelly"},
                                           {"mud", "clay"},
                                           {"plasticine", "clay"},
                                           {"candle", "wax"},
                                           {"paraffin", "wax"}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (same_word(name, words[k][0])) return words[k][1];
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
