// read_param.c: values from --set and --vary, bounds of params, and names that must be unique.

#include "scene/read.h"
#include "base/hash.h"
#include "math/vec.h"
#include <stdio.h>
#include <string.h>

// the last set for this name; -1: none
static int32_t find_set(const FrSceneOptions *options, const char *name) {
    size_t n = strlen(name);
    for (int32_t k = options->set_count - 1; k >= 0; k--)
        if (!strncmp(options->sets[k], name, n) && options->sets[k][n] == '=') return k;
    return -1;
}

// the option that a set came from
static const char *option_of(const FrSceneOptions *options, int32_t k) {
    return k < options->set_count - options->vary_count ? "--set" : "--vary";
}

/// A value from outside for a param.
typedef struct Given {
    const char *option; ///< as the user wrote it
    const char *text;
} Given;

static bool set_truth(const char *text, bool *truth) {
    static const char *const yes[] = {"true", "yes", "on", "1"};
    static const char *const no[] = {"false", "no", "off", "0"};
    for (int k = 0; k < 4; k++) {
        if (!strcmp(text, yes[k])) return *truth = true, true;
        if (!strcmp(text, no[k])) return *truth = false, true;
    }
    return false;
}

// m, kg, s or deg alone
static bool is_base(FrPowers p) {
    int parts = (p.m != 0) + (p.kg != 0) + (p.s != 0) + (p.deg != 0);
    return parts == 1 && p.m + p.kg + p.s + p.deg == 1;
}

// a --set with a unit must have the dimension of its param; one that may be any is declared with
// several unit words, and has none of them alone. No unit: looked at later
static bool check_unit(FrSceneReader *r, const FrSceneParam *param, FrPowers found, Given given,
                       FrPlace place, const FrPath *path) {
    FrPowers wanted;
    char unit[FR_NUMBER_ROOM];
    if (!param->unit) return true;
    bool any = !strcmp(param->unit, "any");
    if (any && !is_base(found)) return true;
    if (any)
        fr_problem(r->problems, place, path,
                   "%s %s=%.60s: expected a number that is plain or has a compound unit; where it "
                   "is declared, unit = \"m/s\" or another would give it a dimension",
                   given.option, param->name, given.text);
    else if (!param->unit[0])
        fr_problem(r->problems, place, path,
                   "%s %s=%.60s: %s is a plain number; where it is declared, unit = \"m\" or "
                   "another would give it a dimension",
                   given.option, param->name, given.text, param->name);
    else if (fr_unit_parse(param->unit, &wanted) && fr_powers_same(wanted, found))
        return true;
    else
        fr_problem(r->problems, place, path, "%s %s=%.60s: expected a number in %s, not in %s",
                   given.option, param->name, given.text, param->unit,
                   fr_powers_print(found, unit));
    return false;
}

// the text of a --set as the kind of value the param has; false when a problem was added
static bool take_set(FrSceneReader *r, FrSceneParam *param, Given given, FrPlace place,
                     const FrPath *path) {
    const char *text = given.text;
    FrPowers powers;
    bool has_unit;
    char bad[FR_NUMBER_ROOM];
    if (param->value.kind == FR_SCENE_WORD) {
        param->value.word = fr_arena_text(r->arena, text, strlen(text));
        if (!param->value.word) r->problems->no_memory = true;
        return !r->problems->no_memory;
    }
    if (param->value.kind == FR_SCENE_TRUTH) {
        if (set_truth(text, &param->value.truth)) return true;
        fr_problem(r->problems, place, path, "%s %s=%.60s: expected true or false", given.option,
                   param->name, text);
        return false;
    }
    switch (fr_quantity_parse(text, &param->value.number, &powers, &has_unit, bad)) {
    case FR_QUANTITY_OK:
        param->value.number += 0.0;
        return !has_unit || check_unit(r, param, powers, given, place, path);
    case FR_QUANTITY_BAD_UNIT:
        fr_problem(r->problems, place, path, "%s %s=%.60s: unknown unit \"%s\"", given.option,
                   param->name, text, bad);
        return false;
    case FR_QUANTITY_NO_NUMBER:
        break;
    }
    fr_problem(r->problems, place, path, "%s %s=%.60s: expected a number", given.option,
               param->name, text);
    return false;
}

static bool same_scalar(const FrSceneScalar *a, const FrSceneScalar *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == FR_SCENE_NUMBER) return a->number == b->number;
    return a->kind == FR_SCENE_TRUTH ? a->truth == b->truth : !strcmp(a->word, b->word);
}

static const char *print_scalar(const FrSceneScalar *s, char *buffer, size_t size) {
    char number[FR_NUMBER_ROOM];
    if (s->kind == FR_SCENE_NUMBER)
        snprintf(buffer, size, "%s", fr_number_print(s->number, number));
    else if (s->kind == FR_SCENE_WORD)
        snprintf(buffer, size, "\"%.60s\"", s->word);
    else
        snprintf(buffer, size, "%s", s->truth ? "true" : "false");
    return buffer;
}

static const char *choice_word(const void *user, int32_t k) {
    const FrSceneScalar *choice = &((const FrSceneParam *)user)->choices[k];
    return choice->kind == FR_SCENE_WORD ? choice->word : "";
}

static void check_choice(FrSceneReader *r, const FrSceneParam *param, const char *option,
                         FrPlace place, const FrPath *path) {
    char list[400] = "", one[80], meant[100];
    for (int32_t k = 0; k < param->choices_count; k++) {
        if (same_scalar(&param->choices[k], &param->value)) return;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "",
                 print_scalar(&param->choices[k], one, sizeof one));
    }
    if (param->choices_count == 0) return;
    const char *near = NULL;
    if (param->value.kind == FR_SCENE_WORD)
        near = fr_suggest(param->value.word, choice_word, param, param->choices_count);
    fr_problem(r->problems, place, path, "%s%s%s = %s is not one of %s%s", option,
               option[0] ? " " : "", param->name, print_scalar(&param->value, one, sizeof one),
               list, fr_suggest_text(near, meant, sizeof meant));
}

void fr_read_param(FrSceneReader *r, FrSceneParam *param, FrPlace place, const FrPath *path) {
    if (!param->name || !param->name[0] || param->value.kind == FR_SCENE_NONE) return;
    int32_t set = find_set(r->options, param->name);
    Given given = {"", NULL};
    if (set >= 0) given.option = option_of(r->options, set);
    if (set >= 0) given.text = r->options->sets[set] + strlen(param->name) + 1;
    if (set >= 0 && !take_set(r, param, given, place, path)) return;
    if (set >= 0 && !param->unit && param->value.kind == FR_SCENE_NUMBER) return; // later, as above
    bool number = param->value.kind == FR_SCENE_NUMBER;
    const FrSceneScalar *min = &param->min, *max = &param->max;
    bool below = number && min->kind == FR_SCENE_NUMBER && param->value.number < min->number;
    bool above = number && max->kind == FR_SCENE_NUMBER && param->value.number > max->number;
    if (below || above) {
        char a[FR_NUMBER_ROOM], b[FR_NUMBER_ROOM];
        fr_problem(r->problems, place, path, "%s%s%s = %s is out of range; %s: %s", given.option,
                   set >= 0 ? " " : "", param->name, fr_number_print(param->value.number, a),
                   below ? "least" : "most", fr_number_print(below ? min->number : max->number, b));
    }
    check_choice(r, param, given.option, place, path);
}

static const char *param_name(const void *user, int32_t k) {
    return ((const FrScene *)user)->params[k].name;
}

static int32_t find_param(const FrScene *scene, const char *name, size_t length) {
    for (int32_t k = 0; k < scene->params_count; k++)
        if (strlen(scene->params[k].name) == length && !memcmp(scene->params[k].name, name, length))
            return k;
    return -1;
}

// every set names a param, and in JSON the param is used somewhere
static void check_sets(FrSceneReader *r, FrPlace place, bool json) {
    const FrScene *scene = r->scene;
    for (int32_t k = 0; k < r->options->set_count; k++) {
        const char *set = r->options->sets[k], *option = option_of(r->options, k);
        const char *equals = strchr(set, '=');
        if (!equals || equals == set) {
            fr_problem(r->problems, place, NULL, "%s %.60s: expected name=value", option, set);
            continue;
        }
        size_t length = (size_t)(equals - set);
        int32_t found = find_param(scene, set, length);
        if (found >= 0 && (!json || !r->set_used || r->set_used[k])) continue;
        char name[64], list[400] = "", meant[100];
        snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, set);
        if (found >= 0) {
            fr_problem(r->problems, place, NULL,
                       "%s %s: nothing in this file uses the param (a resolved scene has its "
                       "values filled in; set it where it was made)",
                       option, name);
            continue;
        }
        for (int32_t p = 0; p < scene->params_count; p++) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", p ? ", " : "", scene->params[p].name);
        }
        const char *near = fr_suggest(name, param_name, scene, scene->params_count);
        fr_problem(r->problems, place, NULL, "%s %s: no such param; the scene has%s%s%s", option,
                   name, list[0] ? ": " : " none", list,
                   fr_suggest_text(near, meant, sizeof meant));
    }
}

typedef struct NameSet {
    const char **slot;
    size_t size;
} NameSet;

// false: the name was there already
static bool add_name(NameSet *set, const char *name) {
    size_t at = (size_t)fr_hash_of(name, strlen(name), 0) % set->size;
    while (set->slot[at]) {
        if (!strcmp(set->slot[at], name)) return false;
        at = (at + 1) % set->size;
    }
    set->slot[at] = name;
    return true;
}

/// A list of the scene whose items have names.
typedef struct Named {
    const char *key;
    const void *items; ///< (count), `size` bytes each, the name at `offset`
    int32_t count;
    size_t size, offset;
} Named;

static const char *name_at(const Named *named, int32_t k) {
    const char *name, *items = named->items;
    memcpy(&name, items + (size_t)k * named->size + named->offset, sizeof name);
    return name;
}

static void check_names(FrSceneReader *r, NameSet *set, const Named *named, const FrValue *root) {
    FrPath list = {NULL, named->key, 0};
    const FrMember *listed = fr_value_find(root, named->key);
    const FrMember *m = listed ? listed->value->first : NULL;
    for (int32_t k = 0; k < named->count; k++, m = m ? m->next : NULL) {
        const char *name = name_at(named, k);
        FrPlace place = m ? m->value->place : root->place;
        FrPath item = {&list, NULL, k + 1}, field = {&item, "name", 0};
        if (name && name[0] && !add_name(set, name))
            fr_problem(r->problems, place, &field, "the name \"%.60s\" is taken already", name);
    }
}

static void check_materials(FrSceneReader *r, const FrValue *root) {
    const FrSceneLibrary *library = &r->options->library;
    FrPath list = {NULL, "materials", 0};
    const FrMember *listed = fr_value_find(root, "materials");
    const FrMember *m = listed ? listed->value->first : NULL;
    for (int32_t k = 0; library->has_material && k < r->scene->materials_count; k++) {
        FrPlace place = m ? m->value->place : root->place;
        m = m ? m->next : NULL;
        const char *name = r->scene->materials[k].name;
        FrPath item = {&list, NULL, k + 1}, field = {&item, "name", 0};
        if (name && library->has_material(library->user, name))
            fr_problem(r->problems, place, &field,
                       "\"%.60s\" is in the library; choose another name", name);
    }
}

/// Who comes from whom.
typedef struct Life {
    const char *name, *parent;
    double born, dies; ///< s; dies NaN: never
} Life;

static Life life_of(const FrScene *scene, int32_t k) {
    if (k >= scene->bodies_count) {
        const FrSceneSphere *s = &scene->spheres[k - scene->bodies_count];
        return (Life){s->name, s->parent, s->born, s->dies};
    }
    const FrSceneBody *b = &scene->bodies[k];
    return (Life){b->name, b->parent, b->born, b->dies};
}

static void check_parent(FrSceneReader *r, int32_t k, FrPlace place, const FrPath *item) {
    int32_t count = r->scene->bodies_count + r->scene->spheres_count, p = 0;
    Life child = life_of(r->scene, k), parent = {0};
    FrPath field = {item, "parent", 0};
    if (!child.parent || !child.parent[0]) return;
    for (; p < count; p++) {
        parent = life_of(r->scene, p);
        if (parent.name && !strcmp(parent.name, child.parent)) break;
    }
    if (p == count)
        fr_problem(r->problems, place, &field, "no body or sphere has the name \"%.60s\"",
                   child.parent);
    else if (!(child.born > parent.born))
        fr_problem(r->problems, place, &field,
                   "\"%.60s\" is born at %.6g s: it must be there before %.6g s", child.parent,
                   parent.born, child.born);
    else if (child.born > parent.dies)
        fr_problem(r->problems, place, &field, "\"%.60s\" is gone since %.6g s, before %.6g s",
                   child.parent, parent.dies, child.born);
}

static void check_parents(FrSceneReader *r, const char *key, int32_t first, int32_t count,
                          const FrValue *root) {
    FrPath list = {NULL, key, 0};
    const FrMember *listed = fr_value_find(root, key);
    const FrMember *m = listed ? listed->value->first : NULL;
    for (int32_t k = 0; k < count; k++, m = m ? m->next : NULL) {
        FrPath item = {&list, NULL, k + 1};
        check_parent(r, first + k, m ? m->value->place : root->place, &item);
    }
}

void fr_read_finish(FrSceneReader *r, const FrValue *root, bool json) {
    FrScene *scene = r->scene;
    size_t size = 2 * ((size_t)scene->bodies_count + (size_t)scene->spheres_count +
                       (size_t)scene->materials_count + (size_t)scene->params_count) +
                  8;
    NameSet set = {FR_NEW(r->ctx, const char *, size), size};
    if (!set.slot) {
        r->problems->no_memory = true;
        return;
    }
#define NAMES(list, T)                                                                             \
    check_names(r, &set,                                                                           \
                &(Named){#list, scene->list, scene->list##_count, sizeof(T), offsetof(T, name)},   \
                root)
    NAMES(bodies, FrSceneBody);
    NAMES(spheres, FrSceneSphere);
    memset(set.slot, 0, size * sizeof *set.slot);
    NAMES(materials, FrSceneMaterial);
    memset(set.slot, 0, size * sizeof *set.slot);
    NAMES(params, FrSceneParam);
#undef NAMES
    fr_free(r->ctx, set.slot);
    check_materials(r, root);
    check_parents(r, "bodies", 0, scene->bodies_count, root);
    check_parents(r, "spheres", scene->bodies_count, scene->spheres_count, root);
    if (!r->unfinished) check_sets(r, (FrPlace){root->place.file, 0, 0}, json);
}
