// schema_check.c: what the fields of one record must keep together.

#include "math/vec.h"
#include "scene/schema.h"
#include <string.h>

const char *fr_check_box(void *at) {
    const FrSceneBox *box = at;
    double least = fr_min(box->size.x, fr_min(box->size.y, box->size.z));
    return box->round > 0.5 * least ? "round is more than half the shortest edge" : NULL;
}

const char *fr_check_cylinder(void *at) {
    const FrSceneCylinder *c = at;
    return c->round > c->radius || c->round > 0.5 * c->height
               ? "round is more than the radius or half the height"
               : NULL;
}

const char *fr_check_tube(void *at) {
    const FrSceneTube *tube = at;
    return tube->wall >= tube->radius ? "wall must be less than radius (a full one is a cylinder)"
                                      : NULL;
}

const char *fr_check_torus(void *at) {
    const FrSceneTorus *torus = at;
    return torus->thickness >= torus->radius ? "thickness must be less than radius" : NULL;
}

const char *fr_check_lathe(void *at) {
    const FrSceneLathe *lathe = at;
    double widest = 0;
    for (int32_t k = 0; k < lathe->profile_count; k++) {
        if (lathe->profile[k].x < 0) return "a point of the profile has a radius below 0";
        widest = fr_max(widest, lathe->profile[k].x);
    }
    return widest > 0 ? NULL : "the profile lies on the axis";
}

const char *fr_check_extrude(void *at) {
    const FrSceneExtrude *e = at;
    double twice = 0; // area by the shoelace formula
    for (int32_t k = 0; k < e->outline_count; k++) {
        FrSceneVec2 p = e->outline[k], q = e->outline[(k + 1) % e->outline_count];
        twice += p.x * q.y - p.y * q.x;
    }
    return twice == 0 ? "the outline encloses no area" : NULL;
}

const char *fr_check_text(void *at) {
    const FrSceneText *text = at;
    bool ink = false;
    for (const char *c = text->text; *c; c++) {
        bool letter =
            (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        if (!letter && *c != ' ') return "only letters A-Z a-z, digits and spaces can be drawn";
        ink |= letter;
    }
    return ink ? NULL : "there is no letter in the text";
}

const char *fr_check_limits(void *at) {
    const FrSceneLimits *limits = at;
    return isnan(limits->x) && isnan(limits->y) && isnan(limits->z) ? "give at least one of x, y, z"
                                                                    : NULL;
}

// unit length; what is unit within rounding stays as it is, so that a printed scene reads back
static bool make_unit(FrVec3 *v) {
    double length2 = fr_length2(*v);
    if (!(length2 > 1e-24)) return false;
    if (fabs(length2 - 1.0) > 1e-14) *v = fr_normalize(*v);
    return true;
}

const char *fr_check_side(void *at) {
    FrSceneSide *side = at;
    return make_unit(&side->normal) ? NULL : "normal has no direction";
}

const char *fr_check_ground(void *at) {
    FrSceneGround *ground = at;
    return make_unit(&ground->normal) ? NULL : "normal has no direction";
}

static const char *check_stiffness(const FrSceneMaterial *m) {
    if (m->stiffness_count == 0) return NULL;
    if (m->stiffness_count != 36) return "stiffness wants 36 numbers, six rows of six";
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            if (m->stiffness[6 * i + j] != m->stiffness[6 * j + i])
                return "stiffness is not symmetric";
    return NULL;
}

const char *fr_check_material(void *at) {
    const FrSceneMaterial *m = at;
    if (m->name[0] == 0) return "name is empty";
    if (isnan(m->young) && !isnan(m->poisson)) return "young and poisson go together";
    if (!isnan(m->young) && isnan(m->poisson) && !m->base[0])
        return "young and poisson go together, unless a base has poisson";
    if (isnan(m->lambda) != isnan(m->mu)) return "lambda and mu go together";
    bool young = !isnan(m->young), lame = !isnan(m->lambda), full = m->stiffness_count > 0;
    if (young + lame + full > 1)
        return "give elasticity once: young and poisson, lambda and mu, or stiffness";
    if (m->base[0] == 0 && (isnan(m->density) || young + lame + full == 0))
        return "without a base, density and elasticity (young and poisson) must be given";
    if (m->friction_dynamic > m->friction_static)
        return "friction_dynamic is more than friction_static";
    return check_stiffness(m);
}

const char *fr_check_weaken(void *at) {
    const FrSceneWeaken *w = at;
    return w->by.x <= w->by.y ? NULL : "by: the least comes first";
}

const char *fr_check_cut(void *at) {
    FrSceneCut *cut = at;
    return make_unit(&cut->normal) ? NULL : "normal has no direction";
}

// NaN: it does not die
static const char *check_life(double born, double dies) {
    return dies <= born ? "dies must be later than born" : NULL;
}

const char *fr_check_body(void *at) {
    FrSceneBody *body = at;
    const char *wrong = check_life(body->born, body->dies);
    if (wrong) return wrong;
    return isnan(body->grain.x) || make_unit(&body->grain) ? NULL : "grain has no direction";
}

const char *fr_check_sphere_keys(const FrValue *given, const void *at) {
    const FrSceneSphere *sphere = at;
    const FrMember *kinematic = fr_value_find(given, "kinematic");
    const FrMember *place = fr_value_find(given, "at");
    bool placed = place && place->value->kind != FR_VALUE_NULL && sphere->path_count;
    if (placed && fr_distance(sphere->at, sphere->path[0].value) > 1e-9)
        return "at is not where its path starts: leave out at";
    bool free = kinematic && kinematic->value->kind != FR_VALUE_NULL && !sphere->kinematic;
    return free && sphere->path_count
               ? "a path makes it kinematic: leave out path or kinematic = false"
               : NULL;
}

const char *fr_check_sphere(void *at) {
    FrSceneSphere *sphere = at;
    sphere->kinematic = sphere->kinematic || sphere->path_count;
    if (sphere->kinematic && fr_length2(sphere->spin) > 0.0)
        return "a kinematic sphere does not turn: leave out spin";
    const char *wrong = check_life(sphere->born, sphere->dies);
    if (wrong || sphere->path_count == 0) return wrong;
    if (sphere->path[0].t < sphere->born) return "its path begins before it is born";
    if (fr_length2(sphere->velocity) > 0.0) return "give a path or a velocity, not both";
    if (sphere->mass > 0.0) return "what follows a path needs no mass: leave out mass or path";
    sphere->at = sphere->path[0].value; // still before the first key, whose time is not below 0
    return NULL;
}

const char *fr_check_drive(void *at) {
    const FrSceneDrive *drive = at;
    bool constant = fr_length2(drive->velocity) > 0 || fr_length2(drive->spin) > 0;
    return constant && drive->path_count ? "give a path, or velocity and spin, not both" : NULL;
}

const char *fr_check_drag(void *at) {
    const FrSceneDrag *drag = at;
    bool v = !isnan(drag->velocity.x), a = !isnan(drag->acceleration.x);
    return drag->path_count + v + a == 0 || (drag->path_count > 0) + v + a > 1
               ? "give a path, a velocity or an acceleration: one of them"
               : NULL;
}

const char *fr_check_hinge(void *at) {
    FrSceneHinge *hinge = at;
    double len = fr_length(hinge->axis);
    if (!(len > 0.0)) return "the axis must not be zero";
    hinge->axis = fr_scale(1.0 / len, hinge->axis);
    return NULL;
}

static bool is_bound(const FrSceneScalar *s) {
    return s->kind == FR_SCENE_NONE || s->kind == FR_SCENE_NUMBER;
}

// one dimension for the value, its bounds and its choices; the unit gets its usual name
static const char *check_units(FrSceneParam *param) {
    const FrSceneScalar *fixed[3] = {&param->value, &param->min, &param->max};
    FrPowers powers = {0}, other;
    bool known = param->unit[0] != 0, any = !strcmp(param->unit, "any");
    if (known && param->value.kind != FR_SCENE_NUMBER) return "unit is for numbers";
    if (known && !any && !fr_unit_parse(param->unit, &powers)) return "unit is not a unit";
    for (int32_t k = 0; k < 3 + param->choices_count; k++) {
        const FrSceneScalar *s = k < 3 ? fixed[k] : &param->choices[k - 3];
        if (!s->unit || any) continue;
        if (!fr_unit_parse(s->unit, &other)) return "unit is not a unit";
        if (known && !fr_powers_same(powers, other))
            return "value, min, max, choices and unit have different dimensions";
        powers = other;
        known = true;
    }
    const char *usual = known && !any ? fr_powers_unit(powers) : NULL;
    if (usual) param->unit = usual;
    return NULL;
}

const char *fr_check_param(void *at) {
    const FrSceneParam *param = at;
    if (param->name[0] == 0) return "name is empty";
    if (strchr(param->name, '=')) return "a name cannot have '=' in it";
    if (param->value.kind == FR_SCENE_NONE) return "value must be a number, a text, true or false";
    const FrSceneScalar *min = &param->min, *max = &param->max;
    bool bounds = min->kind != FR_SCENE_NONE || max->kind != FR_SCENE_NONE;
    if (bounds && param->value.kind != FR_SCENE_NUMBER) return "min and max are for numbers";
    if (!is_bound(min) || !is_bound(max)) return "min and max must be numbers";
    if (bounds && min->kind == max->kind && min->number > max->number)
        return "min is more than max";
    const char *wrong = check_units(at);
    if (wrong) return wrong;
    for (int32_t k = 0; k < param->choices_count; k++)
        if (param->choices[k].kind != param->value.kind)
            return "choices must be of the same kind as the value";
    return NULL;
}

const char *fr_check_camera(void *at) {
    const FrSceneCamera *camera = at;
    return fr_distance(camera->position, camera->target) == 0 ? "position and target are the same"
                                                              : NULL;
}

#define BURST_FRAMES 20000 ///< frames that all bursts of a scene may have

const char *fr_check_burst(void *at) {
    const FrSceneBurst *burst = at;
    return (double)burst->most * (burst->length + burst->before) * burst->rate > BURST_FRAMES
               ? "most * (length + before) * rate must be 20000 frames or fewer"
               : NULL;
}

const char *fr_check_film(void *at) {
    const FrSceneFilm *film = at;
    if (film->size.x != floor(film->size.x) || film->size.y != floor(film->size.y))
        return "size must be whole numbers";
    return fmod(film->size.x, 2.0) != 0.0 || fmod(film->size.y, 2.0) != 0.0
               ? "size must be even numbers, or there is no film"
               : NULL;
}
