// scene_messages.c: what is reported when a scene is wrong: the file, the line, the key path, the
// word that was meant. The texts are pinned: people and editors read them.

#include "test.h"
#include "scene_help.h"
#include <sys/stat.h>
#include <unistd.h>

typedef struct Case {
    const char *scene, *set, *message;
} Case;

static void check_cases(const Case *cases, size_t count) {
    for (size_t k = 0; k < count; k++)
        CHECK_TEXT(scene_message(cases[k].scene, cases[k].set), cases[k].message);
}
#define CHECK_CASES(cases) check_cases(cases, sizeof cases / sizeof cases[0])

TEST(lua_messages) {
    static const Case cases[] = {
        {"\nbody { materal = 'oak', material = 'oak', shape = ball(1) }", NULL,
         "a.lua:2:8: bodies[1].materal: unknown key; did you mean \"material\"?"},
        {"body { material = 'oak', shape = ball(1) }\n\nbody { material = 'galss', shape = ball(1) "
         "}",
         NULL, "a.lua:3:19: bodies[2].material: no material \"galss\"; did you mean \"glass\"?"},
        {"body { material = 'oak' }", NULL,
         "a.lua:1:6: bodies[1].shape: missing. Its form at rest."},
        {"body { material = 'oak', shape = ball(-1) }", NULL,
         "a.lua:1:39: bodies[1].shape.ball.radius: -1 m is out of range; allowed: 1e-06 to 10000"},
        {"body { material = 'oak', shape = ball('x') }", NULL,
         "a.lua:1:39: bodies[1].shape.ball.radius: expected a number (length in m), found \"x\""},
        {"body { material = 'oak', shape = ball(0/0) }", NULL,
         "a.lua:1:39: bodies[1].shape.ball.radius: nan m is out of range; allowed: 1e-06 to 10000"},
        {"body { material = 'oak', shape = ball(1), model = 'fme' }", NULL,
         "a.lua:1:51: bodies[1].model: \"fme\" is not one of auto, fem, frame, shatter, "
         "modal, corot; did you mean \"fem\"?"},
        {"body { material = 'oak', shape = ball(1), at = {0, 0} }", NULL,
         "a.lua:1:48: bodies[1].at: expected a list of 3 numbers (m), found a list of 2"},
        {"body { material = 'oak', shape = ball(1), graded = 1 }", NULL,
         "a.lua:1:52: bodies[1].graded: expected true or false, found 1"},
        {"body { material = 'oak', shape = 'bal' }", NULL,
         "a.lua:1:34: bodies[1].shape: \"bal\" is not a shape; did you mean \"ball\"?"},
        {"body { material = 'oak', shape = {1, 2} }", NULL,
         "a.lua:1:34: bodies[1].shape: expected a shape, found a list of 2"},
        {"bdoy { material = 'oak' }", NULL,
         "a.lua:1:1: unknown word \"bdoy\"; did you mean \"body\"?"},
        {"shatter { }", NULL, "a.lua:1:1: unknown word \"shatter\""},
        {"local x = os.time()", NULL, "a.lua:1:11: scenes have no \"os\""},
        {"m = 3", NULL, "a.lua:1: \"m\" is a word of scenes; use another name, or a local"},
        {"scene { }\nscene { }", NULL, "a.lua:2: scene was given already, in line 1"},
        {"scene { duration = 0 }", NULL,
         "a.lua:1:20: scene.duration: 0 s is out of range; allowed: 1e-06 to 3600"},
        {"scene { seed = 1.5 }", NULL,
         "a.lua:1:16: scene.seed: expected a whole number, found 1.5"},
        {"scene { step = { method = 'verlet' } }", NULL,
         "a.lua:1:27: scene.step.method: \"verlet\" is not one of symplectic, euler, taylor"},
        {"fix { where = 'all' }", NULL, "a.lua:1: fix wants a body: fix { body, where = ... }"},
        {"body()", NULL, "a.lua:1: body takes one table: body { ... }"},
        {"local b = body { material = 'oak', shape = ball(1) }\nfix { b, where = below { } }", NULL,
         "a.lua:2:24: bodies[1].fixed[1].where.below: give at least one of x, y, z"},
        {"local b = body { material = 'oak', shape = ball(1) }\nfix { b, whree = 'all' }", NULL,
         "a.lua:2:10: bodies[1].fixed[1].whree: unknown key; did you mean \"where\"?"},
        {"sphere { 1, born = 2, dies = 2 }", NULL,
         "a.lua:1:8: spheres[1]: dies must be later than born"},
        {"sphere { 1, born = -1 }", NULL,
         "a.lua:1:20: spheres[1].born: -1 s is out of range; allowed: 0 to 3600"},
        {"sphere { 1, path = {{0, {0, 0, 1}}, {1, {0, 1, 1}}}, born = 0.5 }", NULL,
         "a.lua:1:8: spheres[1]: its path begins before it is born"},
        {"body { material = 'oak', shape = ball(1), dies = 0 }", NULL,
         "a.lua:1:6: bodies[1]: dies must be later than born"},
        {"sphere { 1, born = 1, parent = 'x' }", NULL,
         "a.lua:1:8: spheres[1].parent: no body or sphere has the name \"x\""},
        {"sphere { 1, name = 'a', born = 1 }\nsphere { 1, at = {0, 0, 9}, parent = 'a', born = 1 }",
         NULL, "a.lua:2:8: spheres[2].parent: \"a\" is born at 1 s: it must be there before 1 s"},
        {"sphere { 1, name = 'a', dies = 1 }\nbody { material = 'oak', shape = ball(1), parent = "
         "'a', born = 2 }",
         NULL, "a.lua:2:6: bodies[1].parent: \"a\" is gone since 1 s, before 2 s"},
        {"local s = sphere { 1 }\nforce { s, value = {0, 0, 1} }", NULL,
         "a.lua:2:9: loads[1].force.body: \"sphere1\" is a sphere; a body is wanted"},
        {"body { name = 'bowl', material = 'oak', shape = ball(1) }\nforce { 'bwol', value = {0, "
         "0, 1} }",
         NULL, "a.lua:2:9: loads[1].force.body: no body \"bwol\"; did you mean \"bowl\"?"},
        {"local s = sphere { 1, name = 'bob' }\ncord { 'bbo', from = {0, 0, 0}, till = {0, 0, 1} }",
         NULL, "a.lua:2:8: joints[1].cord.body: no body or sphere \"bbo\"; did you mean \"bob\"?"},
        {"local s = sphere { 1 }\ndrag { s, at = {0, 0, 0} }", NULL,
         "a.lua:2:6: joints[1].drag: give a path, a velocity or an acceleration: one of them"},
        {"local s = sphere { 1 }\nhinge { s, at = {0, 0, 0}, axis = {0, 0, 0} }", NULL,
         "a.lua:2:7: joints[1].hinge: the axis must not be zero"},
        {"local s = sphere { 1 }\ncord { s, from = {0, 0, 0}, till = {0, 0, 1}, length = -1 }",
         NULL, "a.lua:2:56: joints[1].cord.length: -1 m is out of range; allowed: 0 to 10000"},
        {"body { name = 'a', material = 'oak', shape = ball(1) }\nsphere { 1, name = 'a' }", NULL,
         "a.lua:2:8: spheres[1].name: the name \"a\" is taken already"},
        {"material { 'soft' }", NULL,
         "a.lua:1:10: materials[1]: without a base, density and elasticity (young and poisson) "
         "must "
         "be "
         "given"},
        {"material { 'soft', base = 'rubber', poisson = 0.3 }", NULL,
         "a.lua:1:10: materials[1]: young and poisson go together"},
        {"material { 'soft', density = 1000, young = 1*MPa }", NULL,
         "a.lua:1:10: materials[1]: young and poisson go together, unless a base has poisson"},
        {"material { 'soft', base = 'rubber', friction = 1 }", NULL,
         "a.lua:1:37: materials[1].friction: unknown key; use friction_static and "
         "friction_dynamic"},
        {"body { material = 'oak', shape = ball(1), size = 1*cm }", NULL,
         "a.lua:1:43: bodies[1].size: unknown key; use cells (its tets), or sizes in its shape"},
        {"body { material = 'oak', shape = sphere { radius = 1 } }", NULL,
         "a.lua:1:34: bodies[1].shape: a sphere is a thing of its own, not a shape; use ball { "
         "radius "
         "}"},
        {"\xEF\xBB\xBF"
         "bdoy { }",
         NULL, "a.lua:1:1: unknown word \"bdoy\"; did you mean \"body\"?"},
        {"material { 'glass', base = 'ice' }", NULL,
         "a.lua:1:10: materials[1].name: \"glass\" is in the library; choose another name"},
        {"body { material = 'oak', shape = tube { radius = 1, wall = 2, height = 3 } }", NULL,
         "a.lua:1:39: bodies[1].shape.tube: wall must be less than radius (a full one is a "
         "cylinder)"},
        {"body { material = 'oak', shape = box { 1, 1, 1, round = 0.6 } }", NULL,
         "a.lua:1:38: bodies[1].shape.box: round is more than half the shortest edge"},
        {"body { material = 'oak', shape = text 'a+b' }", NULL,
         "a.lua:1:39: bodies[1].shape.text: only letters A-Z a-z, digits and spaces can be drawn"},
        {"body { material = 'oak', shape = lathe { {0, 0} } }", NULL,
         "a.lua:1:40: bodies[1].shape.lathe.profile: found 1 items; allowed: 2 to 10000"},
        {"body { material = 'oak', shape = extrude { {0, 0}, {1, 0}, {2, 0}, height = 1 } }", NULL,
         "a.lua:1:42: bodies[1].shape.extrude: the outline encloses no area"},
        {"sphere { 1, path = { {1, {0, 0, 0}}, {1, {0, 0, 1}} } }", NULL,
         "a.lua:1:20: spheres[1].path[2]: times must ascend; 1 comes after 1"},
        {"sphere { 1, path = { {0, {0, 0, 0}} }, velocity = {1, 0, 0} }", NULL,
         "a.lua:1:8: spheres[1]: give a path or a velocity, not both"},
        {"sphere { 1, path = { {0, {0, 0, 0}} }, spin = {1, 0, 0} }", NULL,
         "a.lua:1:8: spheres[1]: a kinematic sphere does not turn: leave out spin"},
        {"sphere { 1, kinematic = true, spin = {1, 0, 0} }", NULL,
         "a.lua:1:8: spheres[1]: a kinematic sphere does not turn: leave out spin"},
        {"sphere { 1, path = { {0, {0, 0, 0}} }, mass = 2 }", NULL,
         "a.lua:1:8: spheres[1]: what follows a path needs no mass: leave out mass or path"},
        {"sphere { 1, path = { {0, {0, 0, 0}} }, kinematic = false }", NULL,
         "a.lua:1:8: spheres[1]: a path makes it kinematic: leave out path or kinematic = false"},
        {"sphere { 1, at = {0, 0, 1}, path = { {0, {0, 0, 0}}, {1, {0, 0, 1}} } }", NULL,
         "a.lua:1:8: spheres[1]: at is not where its path starts: leave out at"},
        {"sphere { 1, at = {0, 0, 0.5}, path = { {1, {0, 0, 0.5}}, {2, {0, 0, 1}} } }", NULL, ""},
        {"film { camera = 'atuo' }", NULL,
         "a.lua:1:17: film.camera: expected a table with the keys of camera, found \"atuo\""},
        {"film { size = {640.5, 480} }", NULL, "a.lua:1:6: film: size must be whole numbers"},
        {"film { size = {640, 481} }", NULL,
         "a.lua:1:6: film: size must be even numbers, or there is no film"},
        {"body { material = 'oak', shape = ball }", NULL,
         "a.lua:1: body.shape: a function is not a value; was a call meant?"},
        {"body { material = 'oak', shape = ball(1), [2.5] = 1 }", NULL,
         "a.lua:1: body: keys must be names, or 1, 2, 3, ... without a gap"},
        {"body { material = 'o\\xffk', shape = ball(1) }", NULL,
         "a.lua:1: body.material: this text is not UTF-8"},
        {"body { 1, material = 'oak', shape = ball(1) }", NULL,
         "a.lua:1:6: bodies[1]: body takes keys only; found values without keys"},
        {"body { material = 'oak', shape = ball { 1, 2 } }", NULL,
         "a.lua:1:39: bodies[1].shape.ball: expected one radius before the keys, found 2 values"},
        {"body { material = 'oak', shape = ball { 1, radius = 2 } }", NULL,
         "a.lua:1:44: bodies[1].shape.ball.radius: given twice, with its key and without"},
        {"body {", NULL, "a.lua:1: unexpected symbol near <eof>"},
        {"error('no ' .. 'way')", NULL, "a.lua:1: no way"},
        {"error({})", NULL, "a.lua: the script failed without a message"},
        {"include 'x.lua'", NULL, "a.lua:1: include: this scene has no folder"},
    };
    CHECK_CASES(cases);
}

TEST(param_messages) {
    static const char scene[] =
        "\nlocal fall = param('fall', 75*cm, {min = 0.1, max = 2*m})\n"
        "local stuff = param('stuff', 'glass', {choices = {'glass', 'oak'}})\n"
        "local on = param('on', true)";
    static const Case cases[] = {
        {scene, "fal=1",
         "a.lua: --set fal: no such param; the scene has: fall, stuff, on; did you mean \"fall\"?"},
        {scene, "zzz=1", "a.lua: --set zzz: no such param; the scene has: fall, stuff, on"},
        {scene, "fall", "a.lua: --set fall: expected name=value"},
        {scene, "fall=3m", "a.lua:2:14: params[1]: --set fall = 3 is out of range; most: 2"},
        {scene, "fall=1mm",
         "a.lua:2:14: params[1]: --set fall = 0.001 is out of range; least: 0.1"},
        {scene, "fall=high", "a.lua:2:14: params[1]: --set fall=high: expected a number"},
        {scene, "fall=3 parsec",
         "a.lua:2:14: params[1]: --set fall=3 parsec: unknown unit \"parsec\""},
        {scene, "fall=1kg",
         "a.lua:2:14: params[1]: --set fall=1kg: expected a number in m, not in kg"},
        {scene, "fall=20kg",
         "a.lua:2:14: params[1]: --set fall=20kg: expected a number in m, not in kg"},
        {"sphere { 1, material = param('mat', 'oak', {choices = {'oak', 'pine'}}) }", "mat=oka",
         "a.lua:1:24: params[1]: --set mat = \"oka\" is not one of \"oak\", \"pine\"; did you mean "
         "\"oak\"?"},
        {scene, "fall=60", "a.lua:2:14: params[1]: --set fall = 60 is out of range; most: 2"},
        {"param('n', 3)", "n=3cm",
         "a.lua:1:1: params[1]: --set n=3cm: n is a plain number; where it is declared, unit = "
         "\"m\" "
         "or another would give it a dimension"},
        {"param('v', 3*m/s, {unit = 'm/s'})", "v=3kg",
         "a.lua:1:1: params[1]: --set v=3kg: expected a number in m/s, not in kg"},
        {"param('v', 3*m/s)", "v=3Pa",
         "a.lua:1:1: params[1]: --set v=3Pa: expected a number in m/s, not in Pa"},
        {"param('v', 3*m/s)", "v=3m/s^2",
         "a.lua:1:1: params[1]: --set v=3m/s^2: expected a number in m/s, not in m/s^2"},
        {"param('r', 3*Hz)", "r=3s",
         "a.lua:1:1: params[1]: --set r=3s: expected a number in 1/s, not in s"},
        {"param('r', 3*Hz)", "r=3kHz", ""},
        {"param('r', 3/m^2)", "r=3 /cm^2", ""},
        {"param('v', 0*m/s)", "v=3kg",
         "a.lua:1:1: params[1]: --set v=3kg: expected a number that is plain or has a compound "
         "unit; where it is declared, unit = \"m/s\" or another would give it a dimension"},
        {"param('v', 3, {unit = 'metre'})", NULL, "a.lua:1:1: params[1]: unit is not a unit"},
        {"param('v', 'x', {unit = 'm'})", NULL, "a.lua:1:1: params[1]: unit is for numbers"},
        {"{\"params\": [{\"name\": \"h\", \"value\": \"5cm\", \"max\": \"2kg\"}]}", NULL,
         "a.json:1:13: params[1]: value, min, max, choices and unit have different dimensions"},
        {"{\"params\": [{\"name\": \"h\", \"value\": \"5cm\", \"max\": \"2m\"}], \"ground\": "
         "{\"height\": {\"param\": \"h\"}}}",
         "h=3m", "a.json:1:13: params[1]: --set h = 3 is out of range; most: 2"},
        {scene, "stuff=gold",
         "a.lua:3:15: params[2]: --set stuff = \"gold\" is not one of \"glass\", \"oak\""},
        {scene, "stuff=gless",
         "a.lua:3:15: params[2]: --set stuff = \"gless\" is not one of \"glass\", \"oak\"; did you "
         "mean \"glass\"?"},
        {scene, "on=maybe", "a.lua:4:12: params[3]: --set on=maybe: expected true or false"},
        {"param('x', 5, {max = 2})", NULL, "a.lua:1:1: params[1]: x = 5 is out of range; most: 2"},
        {"param('x', 5, {mx = 2})", NULL,
         "a.lua:1:1: params[1].mx: unknown key; did you mean \"max\"?"},
        {"param('x', {})", NULL,
         "a.lua:1:1: params[1].value: expected a number, a text, true or false, found an empty "
         "table"},
        {"param('x', 1) param('x', 2)", NULL,
         "a.lua:1: params[2].name: the name \"x\" is taken already"},
        {"param('x')", NULL,
         "a.lua:1: param takes a name, a value, and a table: param(\"fall\", 1*m, {max = 2*m})"},
        {"{\"params\": [{\"name\": \"x\", \"value\": 1}]}", "x=2",
         "a.json: --set x: nothing in this file uses the param (a resolved scene has its values "
         "filled "
         "in; set it where it was made)"},
        {"{\"scene\": {\"duration\": {\"param\": \"y\"}}, \"params\": [{\"name\": \"yy\", "
         "\"value\": 1}]}",
         NULL, "a.json:1:24: scene.duration: no param \"y\""},
    };
    CHECK_CASES(cases);
}

TEST(json_messages) {
    static const Case cases[] = {
        {"{\n  \"bodies\": [{\"materal\": \"oak\", \"shape\": {\"ball\": 1}, \"material\": "
         "\"oak\"}]}",
         NULL, "a.json:2:15: bodies[1].materal: unknown key; did you mean \"material\"?"},
        {"{\"scene\": {\"duration\": \"3 kg\"}}", NULL,
         "a.json:1:24: scene.duration: \"3 kg\": kg is no unit of time; allowed: s, ms, us"},
        {"{\"scene\": {\"duration\": \"3\"}}", NULL,
         "a.json:1:24: scene.duration: expected a number (time in s), found \"3\" without a unit"},
        {"{\"scene\": {\"duration\": \"3 parsec\"}}", NULL,
         "a.json:1:24: scene.duration: \"3 parsec\": unknown unit \"parsec\"; allowed: s, ms, us"},
        {"{\"scene\": {\"duration\": null}}", NULL, ""},
        {"{\"scene\": {\"gravity\": [\"0\", \"0\", \"-1 m/s^2\"]}}", NULL, ""},
        {"{\"bodies\": [{\"material\": \"oak\", \"shape\": {\"ball\": 1, \"box\": [1, 1, 1]}}]}",
         NULL, "a.json:1:42: bodies[1].shape: expected one shape, found 2: ball, box"},
        {"{\"bodies\": 3}", NULL, "a.json:1:12: bodies: expected a list, found 3"},
        {"{\"bodies\": [3]}", NULL,
         "a.json:1:13: bodies[1]: expected a table with the keys of body, found 3"},
        {"{\"loads\": [{\"forse\": {}}]}", NULL,
         "a.json:1:12: loads[1]: \"forse\" is not a load; did you mean \"force\"?"},
        {"{\"a\": 1, \"a\": 2}", NULL, "a.json:1:10: the key \"a\" is here twice"},
        {"{\"scene\": }", NULL, "a.json:1:11: found '}' where a value was expected"},
        {"{\"scene\": {", NULL,
         "a.json:1:12: found the end of the file where a key in quotes was expected"},
        {"{\"scene\" 1}", NULL, "a.json:1:10: found '1' where ':' was expected"},
        {"{\"scene\": {} \"film\": {}}", NULL,
         "a.json:1:14: found '\"' where ',' or '}' was expected"},
        {"{} x", NULL, "a.json:1:4: found 'x' after the end of the scene"},
        {"{\"x\": 01}", NULL, "a.json:1:7: this is not a finite JSON number"},
        {"{\"x\": 1e999}", NULL, "a.json:1:7: this is not a finite JSON number"},
        {"{\"x\": \"a\\q\"}", NULL, "a.json:1:9: this is not an escape JSON knows"},
        {"{\"x\": \"a\tb\"}", NULL, "a.json:1:9: byte 9 inside a text; write it as an escape"},
        {"{\"x\": \"a\xff\"}", NULL, "a.json:1:9: byte 255 is not UTF-8"},
        {"{\"x\": \"\\ud800\"}", NULL, "a.json:1:8: this is not an escape JSON knows"},
        {"{\"x\": \"abc}", NULL, "a.json:1:7: this text has no closing quote"},
        {"{\"bodis\": []}", NULL, "a.json:1:2: bodis: unknown key; did you mean \"bodies\"?"},
        {"{\"camera\": []}", NULL, "a.json:1:2: camera: unknown key; use film = { camera = ... }"},
        {"{\"film\": {\"look\": \"stress\"}}", NULL,
         "a.json:1:11: film.look: unknown key; use show"},
        {"{\"weather\": []}", NULL,
         "a.json:1:2: weather: unknown key; top has: params, scene, materials, ground, bodies, "
         "spheres, joints, loads, film, sound"},
    };
    CHECK_CASES(cases);
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *scene;
    CHECK_INT(fr_scene_parse_json(ctx, "[]", 2, "a.json", NULL, &scene), FR_BAD_INPUT);
    CHECK_TEXT(fr_context_message(ctx), "a.json:1:1: a scene is one object: { ... }");
    fr_context_destroy(ctx);
}

TEST(deep_nesting_is_refused) {
    char text[2000] = "{\"x\": ";
    for (int k = 0; k < 300; k++) strcat(text, "[");
    CHECK_HAS(scene_message(text, NULL), "nested too deeply");
    CHECK_HAS(scene_message(
                  "local s = ball(1) for k = 1, 300 do s = move { s, by = {1, 0, 0} } end", NULL),
              "a.lua:1: nested too deeply");
    CHECK_HAS(scene_message("local t = {} t.t = t body(t)", NULL),
              "a table is nested too deeply (or holds itself)");
    // shared parts double at every level: what counts is what they make
    CHECK_HAS(scene_message("local s = ball(1) for k = 1, 40 do s = union { s, s } end\n"
                            "body { material = 'oak', shape = s }",
                            NULL),
              "the scene has more than 200000 parts");
}

// all warnings of a scene, joined
static void join_warnings(void *user, FrLogLevel level, const char *text) {
    char *all = user;
    if (level == FR_LOG_WARNING && strlen(all) + strlen(text) + 2 < 2000)
        strcat(strcat(all, text), "\n");
}

// unit words are numbers; one that does not fit is reported and taken, since a formula may lack
// units
TEST(units_that_do_not_fit_are_reported) {
    static const char *const set[] = {"a=20cm"};
    static const struct {
        const char *scene, *warnings;
    } cases[] = {
        {"scene { duration = 3*m }",
         "a.lua:1:20: scene.duration: its unit is m; wanted: a number (time in s)\n"},
        {"local c = body { material = 'oak', shape = ball(1*kg) }\n"
         "pressure { c, value = 3*kPa*cm }",
         "a.lua:1:49: bodies[1].shape.ball.radius: its unit is kg; wanted: a number (length in m)\n"
         "a.lua:2:23: loads[1].pressure.value: its unit is J/m^2; wanted: a number (pressure in "
         "Pa)\n"},
        {"for k = 1, 9 do sphere { 1, at = {0, 0, k*s} } end",
         "a.lua:1:41: spheres[1].at[3]: its unit is s; wanted: a number (length in m)\n"},
        {"scene { seed = 3*m/cm, duration = math.sqrt(2*75*cm / (9.81*m/s^2)), fps = 30*Hz }", ""},
        // plain numbers, sums with them, roots and what depends on the size say nothing
        {"scene { duration = math.sqrt(2*75*cm / 9.81) }", ""},
        {"local h = 75*cm scene { duration = h > 1 and 2*s or 1, fps = 3 + h }", ""},
        {"scene { duration = 2 }", ""},
        // what --set gives has the unit of what it replaces
        {"local a = param('a', 10*cm) sphere { 1, mass = 2*kg/m^3 * a^3 }", ""},
        {"local a = param('a', 10*cm) sphere { 1, mass = 2*kg/m^3 * a^2 }",
         "a.lua:1:48: spheres[1].mass: its unit is kg/m; wanted: a number (mass in kg)\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char warnings[2000] = "";
        FrContext *ctx = make_refusing_context(NULL);
        FrSceneOptions options = scene_options();
        FrScene *scene = NULL;
        options.sets = set, options.set_count = strstr(cases[k].scene, "param") != NULL;
        fr_log_listen(ctx, join_warnings, warnings);
        CHECK_OK(ctx, scene_from(ctx, cases[k].scene, &options, &scene));
        CHECK_TEXT(warnings, cases[k].warnings);
        fr_scene_free(scene);
        fr_context_destroy(ctx);
    }
}

// the column is that of the key or the value, wherever the table is written
TEST(places_within_a_call) {
    static const Case cases[] = {
        {"body {\n  shape = ball(1), -- material = 'x', }\n  --[[ cells = 2, ]]\n"
         "  ['material'] = [[galss]],\n}",
         NULL, "a.lua:4:18: bodies[1].material: no material \"galss\"; did you mean \"glass\"?"},
        {"body({ material = 'oak', shape = ball(1), at = { 1, (2 + 3) * 4, { 'x}' } } })", NULL,
         "a.lua:1:66: bodies[1].at[3]: expected a number (length in m), found a list of 1"},
        {"body { material = 'oak', shape = ball(1),\n at = {1, math.max(2, 3),\n   'up'} }", NULL,
         "a.lua:3:4: bodies[1].at[3]: expected a number (length in m), found \"up\""},
        // twice in a line, or not in the line at all: only the line is known
        {"body { material = 'oak', shape = union { ball(1), ball(-1) } }", NULL,
         "a.lua:1: bodies[1].shape.union.parts[2].ball.radius: -1 m is out of range; allowed: "
         "1e-06 "
         "to 10000"},
        {"local b = body\nb { material = 'galss', shape = ball(1) }", NULL,
         "a.lua:2: bodies[1].material: no material \"galss\"; did you mean \"glass\"?"},
        // a table from elsewhere: the place of the call
        {"local t = { material = 'galss', shape = ball(1) }\nbody(t)", NULL,
         "a.lua:2:1: bodies[1].material: no material \"galss\"; did you mean \"glass\"?"},
        {"\xef\xbb\xbf"
         "body { material = 'galss', shape = ball(1) }",
         NULL, "a.lua:1:19: bodies[1].material: no material \"galss\"; did you mean \"glass\"?"},
    };
    CHECK_CASES(cases);
}

TEST(all_problems_are_reported_at_once) {
    const char *message = scene_message("body { material = 'galss', shape = ball(-1) }\n"
                                        "body { material = 'oak', shape = box { 1, 1 } }\n"
                                        "scene { duration = 'x' }",
                                        NULL);
    CHECK_TEXT(
        message,
        "a.lua:3:20: scene.duration: expected a number (time in s), found \"x\"\n"
        "a.lua:1:19: bodies[1].material: no material \"galss\"; did you mean \"glass\"?\n"
        "a.lua:1:41: bodies[1].shape.ball.radius: -1 m is out of range; allowed: 1e-06 to 10000\n"
        "a.lua:2:38: bodies[2].shape.box.size: expected a list of 3 numbers (m), found a list of "
        "2");
    message = scene_message("for k = 1, 30 do body { material = 'oak' } end", NULL);
    CHECK_HAS(message, "bodies[20].shape: missing");
    CHECK_HAS(message, "and 10 more problems");
}

// an unknown word is reported once, and what it gave is not reported again as wrong
TEST(unknown_words_do_not_hide_the_rest) {
    static const Case cases[] = {
        {"local b = bdoy { material = 'galss', shape = ball(-1) }\n"
         "fix { b, where = 'all' }\n"
         "force { b, value = {0, 0, 2*newton} }\n"
         "local n = nubmer + 1\n"
         "for k = 1, #nubmer do shatter(k) end\n"
         "body { material = 'oak', shape = ball(-1), at = {0, n, 0} }\n"
         "body { material = steal, shape = union { ball(1), bal(2) } }\n"
         "scene { durration = 1 }",
         "n=1",
         "a.lua:1:11: unknown word \"bdoy\"; did you mean \"body\"?\n"
         "a.lua:3:29: unknown word \"newton\"\n"
         "a.lua:4:11: unknown word \"nubmer\"\n"
         "a.lua:5:13: unknown word \"nubmer\"\n"
         "a.lua:7:19: unknown word \"steal\"; did you mean \"shell\"?\n"
         "a.lua:7:51: unknown word \"bal\"; did you mean \"ball\"?\n"
         "a.lua:8:9: scene.durration: unknown key; did you mean \"duration\"?\n"
         "a.lua:6:39: bodies[1].shape.ball.radius: -1 m is out of range; allowed: 1e-06 to 10000"},
        {"local p = param('p', 3*metre)\nparam(p, 3)\nsphere { p }\nsphere(p)\nmaterial(p)", NULL,
         "a.lua:1:24: unknown word \"metre\""},
        {"for k = 1, nubmer do end", NULL, "a.lua:1:12: unknown word \"nubmer\""},
        {"for _, t in ipairs(thngs) do sphere { t } end\nscene { durration = 1 }", NULL,
         "a.lua:1:20: unknown word \"thngs\"\n"
         "a.lua:2:9: scene.durration: unknown key; did you mean \"duration\"?"},
        {"local t = {}\nfor k, v in pairq({1}) do t[#t + 1] = k end\nscene { durration = 1 }", NULL,
         "a.lua:2:13: unknown word \"pairq\"; did you mean \"pairs\"?\n"
         "a.lua:3:9: scene.durration: unknown key; did you mean \"duration\"?"},
        {"local n, k = nodse, 1\nwhile n[k] do k = k + 1 end\nscene { durration = 1 }", NULL,
         "a.lua:1:14: unknown word \"nodse\"\n"
         "a.lua:3:9: scene.durration: unknown key; did you mean \"duration\"?"},
        {"local a = plcaes[1]\nsphere { a[1] + 1, at = {a[1], a[2], 0} }", NULL,
         "a.lua:1:11: unknown word \"plcaes\""},
        {"local n = nodse\nwhile n.next do n = n.next end", NULL,
         "a.lua:1:11: unknown word \"nodse\""},
        {"sphere { math.max(1, nubmer) }", NULL, "a.lua:1:22: unknown word \"nubmer\""},
        {"local x = nubmer\nlocal y = x.a.b(3) .. 'c' < x\nx.d = -x ^ 2\nerror('here')", NULL,
         "a.lua:1:11: unknown word \"nubmer\"\na.lua:4: here"},
    };
    CHECK_CASES(cases);
}

static void save(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file) fputs(text, file), fclose(file);
}

static const char *load_message(FrContext *ctx, const char *path) {
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    FrResult result = fr_scene_load(ctx, path, &options, &scene);
    fr_scene_free(scene);
    return result == FR_OK ? "" : fr_context_message(ctx);
}

TEST(include_stays_in_the_folder) {
    FrContext *ctx = make_refusing_context(NULL);
    mkdir("scene-inc", 0777), mkdir("scene-inc/parts", 0777);
    save("scene-inc/parts/ball.lua", "return ball(5*cm)\n");
    save("scene-inc/bad.lua", "\nlocal x = nil + 1\n");
    save("scene-inc/again.lua", "include 'again.lua'\n");
    save("scene-outside.lua", "return 1\n");
    unlink("scene-inc/link.lua");
    CHECK_INT(symlink("../scene-outside.lua", "scene-inc/link.lua"), 0);
    struct {
        const char *scene, *message;
    } cases[] = {
        {"body { material = 'oak', shape = include 'parts/ball.lua' }", ""},
        {"include '../scene-outside.lua'", "scene-inc/a.lua:1: include \"../scene-outside.lua\": "
                                           "only files inside the scene's folder"},
        {"include 'parts/../../scene-outside.lua'",
         "scene-inc/a.lua:1: include \"parts/../../scene-outside.lua\": only files inside the "
         "scene's folder"},
        {"include '/etc/passwd'",
         "scene-inc/a.lua:1: include \"/etc/passwd\": only files inside the scene's folder"},
        {"include 'link.lua'",
         "scene-inc/a.lua:1: include \"link.lua\": leads out of the scene's folder"},
        {"include 'none.lua'",
         "scene-inc/a.lua:1: include \"none.lua\": no such file in the scene's folder"},
        {"include 'parts'", "scene-inc/a.lua:1: include: "},
        {"include 'bad.lua'", "scene-inc/bad.lua:2: attempt to perform arithmetic on a nil value"},
        {"include 'again.lua'", "include \"again.lua\": nested deeper than 8"},
        {"for k = 1, 200 do include 'parts/ball.lua' end", "more than 100 files"},
        {"body { material = 'oak', shape = surface 'none.obj' }",
         "scene-inc/a.lua:1:42: bodies[1].shape.surface.file: cannot read the file "
         "scene-inc/none.obj"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        save("scene-inc/a.lua", cases[k].scene);
        const char *message = load_message(ctx, "scene-inc/a.lua");
        if (cases[k].message[0])
            CHECK_HAS(message, cases[k].message);
        else
            CHECK_TEXT(message, "");
    }
    CHECK_HAS(load_message(ctx, "scene-inc/none.lua"), "cannot read scene-inc/none.lua");
    CHECK_TEXT(load_message(ctx, "bowl.txt"), "bowl.txt: a scene is a .lua or a .json file");
    fr_context_destroy(ctx);
}

TEST(check_reports_every_problem) {
    FrContext *ctx = make_refusing_context(NULL);
    FrSceneOptions options = scene_options();
    FrWriter report;
    fr_writer_init(&report, ctx);
    save("scene-check.lua", "body { material = 'galss', shape = ball(-1) }");
    FrScene *scene;
    CHECK_INT(fr_scene_check(ctx, "scene-check.lua", &options, &report, &scene), FR_BAD_INPUT);
    CHECK(!scene);
    fr_write_u8(&report, 0);
    CHECK_TEXT(
        (const char *)report.data,
        "scene-check.lua:1:19: bodies[1].material: no material \"galss\"; did you mean \"glass\"?\n"
        "scene-check.lua:1:41: bodies[1].shape.ball.radius: -1 m is out of range; allowed: 1e-06 "
        "to "
        "10000\n");
    report.size = 0;
    save("scene-check.lua", "body { material = 'glass', shape = ball(1) }");
    CHECK_OK(ctx, fr_scene_check(ctx, "scene-check.lua", &options, &report, &scene));
    fr_scene_free(scene);
    CHECK_INT(report.size, 0);
    fr_writer_free(&report);
    fr_context_destroy(ctx);
}
