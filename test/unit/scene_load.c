// scene_load.c: scenes say the same in Lua and in JSON, and print in a form that reads back.

#include "test.h"
#include "base/hash.h"
#include "scene_help.h"
#include "math/vec.h"
#include "scene/number.h"
#include <locale.h>

#define DEG (FR_PI / 180.0)

// one of everything, in Lua
static const char all_lua[] =
    "local fall = param('fall', 75*cm, {min = 10*cm, max = 2*m, help = 'height'})\n"
    "local stuff = param('stuff', 'ceramic', {choices = {'ceramic', 'glass'}})\n"
    "local wet = param('wet', false)\n"
    "scene { name = 'all', duration = 1.5*s, fps = 50, seed = 7, gravity = {0, 0, -1.62}, detail = "
    "2,\n"
    "  step = { dt = 2*us, safety = 0.5, method = 'taylor', adaptive = wet, tolerance = 1e-5 },\n"
    "  contact = { stiffness = 2, damping = 0.5, criterion = 'node', conservative = true, "
    "stick_speed = 2*mm/s } }\n"
    "ground { height = -5*cm, normal = {0, 0, 1}, material = 'granite', colour = {0.1, 0.2, 0.3} "
    "}\n"
    "local soft = material { 'soft', base = 'rubber', young = 0.2*MPa, poisson = 0.45, "
    "friction_static = 0.9, friction_dynamic = 0.8 }\n"
    "local bowl = body { name = 'bowl', material = stuff, model = 'fem', at = {0, 0, fall}, turn = "
    "{25, 0, -90},\n"
    "  velocity = {1, 0, 0}, spin = {0, 0, 360}, cells = 5*mm, mesher = 'structured', graded = "
    "true,\n"
    "  self_contact = true, skin = 'shape', colour = {1, 0, 0},\n"
    "  shape = lathe { {0, 0}, {4*cm, 0}, {9*cm, 2*cm}, {13*cm, 8*cm}, wall = 4*mm } }\n"
    "local b = body { material = soft, shape = box { 20*cm, 10*cm, 4*cm, round = 5*mm } }\n"
    "body { material = 'oak', shape = union { ball(5*cm), move { ellipsoid { 6*cm, 4*cm, 3*cm }, "
    "by = {0, 0, 10*cm} }, round = 1*cm } }\n"
    "body { material = 'oak', shape = intersection { turn { cylinder { radius = 3*cm, height = "
    "10*cm }, by = {90, 0, 0} }, scale { torus { radius = 6*cm, thickness = 15*mm }, by = 2 } } }\n"
    "body { material = 'oak', shape = difference { tube { radius = 3*cm, wall = 4*mm, height = "
    "40*cm }, cone { radius = 5*cm, height = 12*cm, top = 1*cm } } }\n"
    "body { material = 'oak', shape = extrude { {0, 0}, {10*cm, 0}, {0, 10*cm}, holes = { { {1*cm, "
    "1*cm}, {2*cm, 1*cm}, {1*cm, 2*cm} } }, height = 3*cm } }\n"
    "body { material = 'oak', shape = shell { text { 'Fr 1', size = 20*cm, height = 5*cm }, "
    "thickness = 4*mm } }\n"
    "body { material = 'oak', shape = surface { 'bunny.obj', unit = 1*cm, up = 'y' } }\n"
    "body { material = 'oak', shape = mesh 'part.msh' }\n"
    "fix { bowl, where = below { z = 1*cm }, release = 0.5*s }\n"
    "fix { bowl, where = above { x = 1*cm, y = 0 } }\n"
    "fix { b }\n"
    "sphere { 4*cm, at = {0, 0, 1*m}, material = 'steel', mass = 2*kg, velocity = {0, 1, 0}, spin "
    "= {0, 180, 0} }\n"
    "sphere { radius = 4*cm, name = 'mover', path = { {0, {0, 0, 1}}, {t = 1*s, value = {0, 0, 0}} "
    "} }\n"
    "pin { b, at = {0, 0, 1*m} }\n"
    "hinge { 'mover', to = b, at = {1, 0, 0}, axis = {0, 0, 1} }\n"
    "cord { 'mover', to = bowl, from = {0, 0, 0}, till = {0, 0, 1*m}, length = 2*m }\n"
    "force { bowl, where = side { {0, 3, 4}, point = {0, 0, 1*cm} }, value = {0, 0, -20*N} }\n"
    "force { b, where = near { {0, 0, 0}, radius = 2*cm }, value = { {0, {0, 0, 0}}, {10*ms, "
    "{1*kN, 0, 0}} } }\n"
    "pressure { b, where = box { 1, 1, 1 }, value = 3*kPa }\n"
    "pressure { b, where = inside { ball(3*cm), margin = 1*mm }, value = { {0, 0}, {5*ms, 20*kPa} "
    "} }\n"
    "blast { origin = {0, -2*m, 1*m}, peak = 3*atm, decay = 4*ms }\n"
    "drive { b, where = above { x = 0 }, path = { {0, {0, 0, 0}}, {1*s, {5*cm, 0, 0}, {0, 0, 90}} "
    "} }\n"
    "drive { bowl, velocity = {0.1, 0, 0}, spin = {0, 0, 90}, about = {0, 0, 1} }\n"
    "film { camera = { position = {1, -2, 1}, target = {0, 0, 0.2}, fov = 40 }, size = {640, 480}, "
    "fps = 24, show = 'stress',\n"
    "  slow = { at = 'first-crack', factor = 200, lasts = 2*s } }\n";

// the same by hand, with units in texts, other orders of keys, short forms
static const char all_json[] =
    "{ \"film\": {\"slow\": {\"lasts\": \"2s\", \"at\": \"first-crack\", \"factor\": 200}, "
    "\"show\": \"stress\",\n"
    "    \"size\": [640, 480], \"fps\": \"24 Hz\", \"camera\": {\"position\": [1, -2, 1], "
    "\"target\": [0, 0, 0.2], \"fov\": \"40deg\"}},\n"
    "  \"params\": [ {\"name\": \"fall\", \"value\": \"75cm\", \"min\": \"10 cm\", \"max\": 2, "
    "\"help\": "
    "\"height\"},\n"
    "    {\"name\": \"stuff\", \"value\": \"ceramic\", \"choices\": [\"ceramic\", \"glass\"]}, "
    "{\"name\": \"wet\", \"value\": false} ],\n"
    "  \"scene\": {\"name\": \"all\", \"duration\": \"1500 ms\", \"fps\": 50, \"seed\": 7, "
    "\"gravity\": [0, 0, \"-1.62 m/s^2\"], \"detail\": 2,\n"
    "    \"step\": {\"dt\": \"2us\", \"safety\": 0.5, \"method\": \"taylor\", \"adaptive\": "
    "{\"param\": \"wet\"}, \"tolerance\": 1e-5},\n"
    "    \"contact\": {\"stiffness\": 2, \"damping\": 0.5, \"criterion\": \"node\", "
    "\"conservative\": true, \"stick_speed\": \"2 mm/s\"}},\n"
    "  \"ground\": {\"height\": \"-5cm\", \"normal\": [0, 0, 2], \"material\": \"granite\", "
    "\"colour\": [0.1, 0.2, 0.3]},\n"
    "  \"materials\": [ {\"name\": \"soft\", \"base\": \"rubber\", \"young\": \"0.2 MPa\", "
    "\"poisson\": 0.45, \"friction_static\": 0.9, \"friction_dynamic\": 0.8} ],\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"bowl\", \"material\": {\"param\": \"stuff\"}, \"model\": \"fem\", \"at\": "
    "[0, 0, {\"param\": \"fall\"}], \"turn\": [25, 0, -90],\n"
    "     \"velocity\": [1, 0, 0], \"spin\": [0, 0, \"360 deg/s\"], \"cells\": \"5mm\", "
    "\"mesher\": \"structured\", \"graded\": true,\n"
    "     \"self_contact\": true, \"skin\": \"shape\", \"colour\": [1, 0, 0],\n"
    "     \"fixed\": [{\"where\": {\"below\": {\"z\": \"1cm\"}}, \"release\": 0.5}, {\"where\": "
    "{\"above\": {\"x\": \"1cm\", \"y\": 0}}}],\n"
    "     \"shape\": {\"lathe\": {\"profile\": [[0, 0], [\"4cm\", 0], [\"9cm\", \"2cm\"], "
    "[\"13cm\", \"8cm\"]], \"wall\": \"4mm\"}}},\n"
    "    {\"material\": \"soft\", \"shape\": {\"box\": {\"size\": [0.2, 0.1, 0.04], \"round\": "
    "0.005}}, \"fixed\": [{\"where\": \"all\"}]},\n"
    "    {\"material\": \"oak\", \"shape\": {\"union\": {\"parts\": [{\"ball\": {\"radius\": "
    "0.05}}, {\"move\": {\"shape\": {\"ellipsoid\": {\"radii\": [0.06, 0.04, 0.03]}}, \"by\": [0, "
    "0, 0.1]}}], \"round\": 0.01}}},\n"
    "    {\"material\": \"oak\", \"shape\": {\"intersection\": [{\"turn\": {\"shape\": "
    "{\"cylinder\": {\"radius\": 0.03, \"height\": 0.1}}, \"by\": [90, 0, 0]}}, {\"scale\": "
    "{\"shape\": {\"torus\": {\"radius\": 0.06, \"thickness\": 0.015}}, \"by\": 2}}]}},\n"
    "    {\"material\": \"oak\", \"shape\": {\"difference\": [{\"tube\": {\"radius\": \"3cm\", "
    "\"wall\": \"4mm\", \"height\": \"40cm\"}}, {\"cone\": {\"radius\": 0.05, \"height\": 0.12, "
    "\"top\": 0.01}}]}},\n"
    "    {\"material\": \"oak\", \"shape\": {\"extrude\": {\"outline\": [[0, 0], [0.1, 0], [0, "
    "0.1]], \"holes\": [[[0.01, 0.01], [0.02, 0.01], [0.01, 0.02]]], \"height\": \"3cm\"}}},\n"
    "    {\"material\": \"oak\", \"shape\": {\"shell\": {\"shape\": {\"text\": {\"text\": \"Fr "
    "1\", \"size\": 0.2, \"height\": 0.05}}, \"thickness\": 0.004}}},\n"
    "    {\"material\": \"oak\", \"shape\": {\"surface\": {\"file\": \"bunny.obj\", \"unit\": "
    "0.01, \"up\": \"y\"}}},\n"
    "    {\"material\": \"oak\", \"shape\": {\"mesh\": \"part.msh\"}} ],\n"
    "  \"spheres\": [ {\"radius\": 0.04, \"at\": [0, 0, 1], \"material\": \"steel\", \"mass\": \"2 "
    "kg\", \"velocity\": [0, 1, 0], \"spin\": [0, 180, 0]},\n"
    "    {\"radius\": 0.04, \"name\": \"mover\", \"path\": [[0, [0, 0, 1]], [1, [0, 0, 0]]]} ],\n"
    "  \"joints\": [ {\"pin\": {\"body\": \"body2\", \"at\": [0, 0, 1]}},\n"
    "    {\"hinge\": {\"body\": \"mover\", \"to\": \"body2\", \"at\": [1, 0, 0], \"axis\": [0, 0, "
    "1]}},\n"
    "    {\"cord\": {\"body\": \"mover\", \"to\": \"bowl\", \"from\": [0, 0, 0], \"till\": [0, 0, "
    "1], "
    "\"length\": 2}} ],\n"
    "  \"loads\": [ {\"force\": {\"body\": \"bowl\", \"where\": {\"side\": {\"normal\": [0, 3, 4], "
    "\"point\": [0, 0, 0.01]}}, \"value\": [0, 0, \"-20 N\"]}},\n"
    "    {\"force\": {\"body\": \"body2\", \"where\": {\"near\": {\"at\": [0, 0, 0], \"radius\": "
    "0.02}}, \"value\": [[0, [0, 0, 0]], [\"10ms\", [\"1 kN\", 0, 0]]]}},\n"
    "    {\"pressure\": {\"body\": \"body2\", \"where\": {\"box\": [1, 1, 1]}, \"value\": \"3 "
    "kPa\"}},\n"
    "    {\"pressure\": {\"body\": \"body2\", \"where\": {\"inside\": {\"shape\": {\"ball\": "
    "{\"radius\": 0.03}}, \"margin\": 0.001}}, \"value\": [[0, 0], [0.005, 20000]]}},\n"
    "    {\"blast\": {\"origin\": [0, -2, 1], \"peak\": \"3 atm\", \"decay\": 0.004}},\n"
    "    {\"drive\": {\"body\": \"body2\", \"where\": {\"above\": {\"x\": 0}}, \"path\": [[0, [0, "
    "0, 0]], [1, [0.05, 0, 0], [0, 0, 90]]]}},\n"
    "    {\"drive\": {\"body\": \"bowl\", \"velocity\": [0.1, 0, 0], \"spin\": [0, 0, 90], "
    "\"about\": [0, 0, 1]}} ] }\n";

TEST(lua_and_json_say_the_same) {
    char *lua = scene_json(all_lua, NULL), *json = scene_json(all_json, NULL);
    CHECK_HAS(lua, "\"params\"");
    CHECK_TEXT(json, lua);
    char *again = scene_json(lua, NULL);
    CHECK_TEXT(again, lua);
    free(lua), free(json), free(again);
    lua = scene_json(all_lua, "fall=60cm");
    json = scene_json(all_json, "fall=60cm");
    CHECK_HAS(lua, "\"at\": [0, 0, 0.6]");
    CHECK_TEXT(json, lua);
    free(lua), free(json);
}

static FrScene *load(FrContext *ctx, const char *text) {
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    CHECK_OK(ctx, scene_from(ctx, text, &options, &scene));
    return scene;
}

TEST(every_record_arrives) {
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *scene = load(ctx, all_lua);
    if (!scene) return;
    CHECK_INT(scene->bodies_count, 9);
    CHECK_INT(scene->params_count, 3);
    CHECK(scene->params[0].value.kind == FR_SCENE_NUMBER && scene->params[0].value.number == 0.75);
    CHECK_TEXT(scene->params[1].value.word, "ceramic");
    CHECK_INT(scene->scene.seed, 7);
    CHECK(scene->scene.step.method == FR_SCENE_TAYLOR && !scene->scene.step.adaptive);
    CHECK(scene->scene.contact.criterion == FR_SCENE_NODE);
    CHECK_NEAR(scene->scene.contact.stick_speed, 0.002, TOL_EXACT);
    CHECK(scene->ground && scene->ground->height == -0.05);
    const FrSceneBody *bowl = &scene->bodies[0];
    // angles: one multiplication
    CHECK_NEAR(bowl->turn.x, 25 * DEG, TOL_EXACT);
    CHECK_NEAR(bowl->spin.z, 360 * DEG, TOL_EXACT);
    CHECK(bowl->shape.kind == FR_SCENE_LATHE && bowl->shape.lathe->profile_count == 4);
    CHECK_NEAR(bowl->shape.lathe->profile[3].y, 0.08, TOL_EXACT);
    CHECK_INT(bowl->fixed_count, 2);
    CHECK(bowl->fixed[0].where.kind == FR_SCENE_BELOW && isnan(bowl->fixed[0].where.limits->x));
    CHECK_NEAR(bowl->fixed[0].release, 0.5, TOL_EXACT);
    CHECK(isnan(bowl->fixed[1].release));
    CHECK_TEXT(scene->bodies[1].name, "body2");
    CHECK_TEXT(scene->bodies[1].material, "soft");
    CHECK_INT(fr_scene_find_material(scene, "soft"), 0);
    CHECK_INT(fr_scene_find_material(scene, "oak"), -1);
    CHECK(isnan(scene->materials[0].density) && scene->materials[0].young == 0.2e6);
    const FrSceneShape *shape = &scene->bodies[2].shape;
    CHECK(shape->kind == FR_SCENE_UNION && shape->group->parts_count == 2);
    CHECK(shape->group->parts[1].kind == FR_SCENE_MOVE);
    CHECK(shape->group->parts[1].move->shape->kind == FR_SCENE_ELLIPSOID);
    CHECK_INT(scene->bodies[5].shape.extrude->holes_count, 1);
    CHECK_TEXT(scene->bodies[8].shape.file->file, "part.msh");
    CHECK_INT(scene->spheres_count, 2);
    CHECK(!scene->spheres[0].kinematic && scene->spheres[1].kinematic);
    CHECK_INT(scene->loads_count, 7);
    CHECK(scene->loads[0].kind == FR_SCENE_FORCE && scene->loads[0].force->body == 0);
    CHECK_NEAR(scene->loads[0].force->where.side->normal.y, 0.6,
               1.2e-16); // rounding: 3 * fl(1/5), one ulp of 0.6
    CHECK(scene->loads[2].pressure->where.kind == FR_SCENE_INSIDE);
    CHECK(scene->loads[2].pressure->value_count == 1 && scene->loads[2].pressure->value[0].t == 0);
    CHECK(scene->loads[4].kind == FR_SCENE_BLAST && scene->loads[4].blast->body == -1);
    CHECK_NEAR(scene->loads[4].blast->peak, 3 * 101325.0, TOL_EXACT);
    CHECK_NEAR(scene->loads[5].drive->path[1].turn.z, 90 * DEG, TOL_EXACT);
    CHECK(scene->film.slow && scene->film.slow->at == FR_SCENE_SLOW_CRACK);
    CHECK_NEAR(scene->film.camera.fov, 40 * DEG, TOL_EXACT);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

// a ball on a path is on it from the start, whatever `at` says
TEST(paths_begin_on_themselves) {
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *scene =
        load(ctx, "sphere { 1*cm, path = { {0*s, {-0.5, 0, 0.1}}, {1*s, {1, 0, 0}} } }\n"
                  "sphere { 1*cm, path = { {1*s, {2, 0, 0}}, {3*s, {3, 0, 0}} } }\n");
    if (!scene) return;
    CHECK_NEAR(scene->spheres[0].at.x, -0.5, TOL_EXACT);
    CHECK_NEAR(scene->spheres[0].at.z, 0.1, TOL_EXACT);
    CHECK_NEAR(scene->spheres[1].at.x, 2, TOL_EXACT);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

// points kept in a variable, before the keys
TEST(lists_before_the_keys) {
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *scene = load(ctx, "local p = { {0, 0}, {4*cm, 0}, {9*cm, 2*cm} }\n"
                               "body { material = 'oak', shape = lathe { p, wall = 4*mm } }\n"
                               "body { material = 'oak', shape = lathe(p) }\n"
                               "body { material = 'oak', shape = extrude { p, height = 1*cm } }\n");
    if (!scene) return;
    CHECK_INT(scene->bodies[0].shape.lathe->profile_count, 3);
    CHECK_NEAR(scene->bodies[0].shape.lathe->profile[2].x, 0.09, TOL_EXACT);
    CHECK_NEAR(scene->bodies[0].shape.lathe->wall, 0.004, TOL_EXACT);
    CHECK_INT(scene->bodies[1].shape.lathe->profile_count, 3);
    CHECK_INT(scene->bodies[2].shape.extrude->outline_count, 3);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

// one factor on the strength is the least and the largest
TEST(weaken_takes_one_number) {
    static const char form[] = "local b = body { material = 'glass', shape = ball(1*cm) }\n"
                               "weaken { b, by = %s }\n";
    char text[200];
    snprintf(text, sizeof text, form, "param('by', 0.3)");
    char *one = scene_json(text, "by=0.4");
    CHECK_HAS(one, "\"by\": [0.4, 0.4]");
    free(one);
    snprintf(text, sizeof text, form, "2000");
    CHECK_HAS(scene_message(text, NULL),
              "a.lua:2:18: bodies[1].weaken[1].by: 2000 is out of range");
    snprintf(text, sizeof text, form, "'weak'");
    CHECK_HAS(scene_message(text, NULL), "bodies[1].weaken[1].by: expected a number");
}

TEST(defaults_of_an_empty_scene) {
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *scene = load(ctx, "");
    CHECK_TEXT(scene->scene.name, "a");
    CHECK_NEAR(scene->scene.gravity.z, -9.81, TOL_EXACT);
    CHECK(!scene->ground && !scene->film.slow && isnan(scene->film.camera.position.x));
    CHECK_NEAR(scene->film.size.x, 1280, TOL_EXACT);
    fr_scene_free(scene);
    fr_context_destroy(ctx);
}

TEST(params_take_what_set_says) {
    static const char scene[] = "local h = param('h', 1*m, {min = 0.1, max = 2})\n"
                                "local w = param('w', 'oak')\nlocal on = param('on', true)\n"
                                "body { name = tostring(on), material = w, shape = ball(h) }";
    struct {
        const char *set, *wanted;
    } cases[] = {{"h=60cm", "\"radius\": 0.6"},       {"h=1.5", "\"radius\": 1.5"},
                 {"h=120 mm", "\"radius\": 0.12"},    {"w=glass", "\"material\": \"glass\""},
                 {"on=false", "\"name\": \"false\""}, {"on=yes", "\"name\": \"true\""}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char *json = scene_json(scene, cases[k].set);
        CHECK_HAS(json, cases[k].wanted);
        free(json);
    }
}

// the dimension of a param: of the unit words in its call, of its text, or as it says
TEST(params_have_dimensions) {
    static const struct {
        const char *scene, *unit;
    } cases[] = {
        {"param('h', 75*cm, {max = 2*m})", "m"},
        {"param('h', 0, {max = 2*MPa, min = -1*atm})", "Pa"},
        {"local w = 3*kg; param('n', 3)", ""},
        {"param('v', 3*m/s)", "m/s"},
        {"param('v', math.sqrt(2 * 9.81*m/s^2 * 30*cm))", "m/s"},
        {"param('v', 0*m/s)", "any"},
        {"param('v', 0*m/s, {max = 5*km/s})", "m/s"},
        {"param('v', 2*m + 3*s)", "any"},
        {"param('a', 3*cm*cm)", "m^2"},
        {"param('a', 3*m^4)", "m^4"},
        {"param('a', 3*m^5)", "any"},
        {"param('a', math.sqrt(2*kg*m))", "any"},
        {"param('r', 3*cm/m)", ""},
        {"param('r', 3/s)", "1/s"},
        {"param('r', 3*kHz)", "1/s"},
        {"param('i', 3*kg*m^2/s)", "kg m^2/s"},
        {"param('i', 1/m^2)", "1/m^2"},
        {"param('w', 3*rad/s)", "deg/s"},
        {"param('d', 3*g/cm^3)", "kg/m^3"},
        {"local v = param('v', 3*m/s) param('w', v / (2*m))", "m/s"},
        {"param('v', 3*m/s, {unit = 'cm/s'})", "m/s"},
        {"param('a', 30*deg)", "deg"},
        {"param('e', 3*J)", "J"},
        {"{\"params\": [{\"name\": \"h\", \"value\": \"75 cm\"}]}", "m"},
        {"{\"params\": [{\"name\": \"h\", \"value\": 1, \"max\": \"1.5e2cm\"}]}", "m"},
        {"{\"params\": [{\"name\": \"h\", \"value\": 1, \"unit\": \"km\"}]}", "m"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        FrContext *ctx = make_refusing_context(NULL);
        FrSceneOptions options = scene_options();
        FrScene *scene = NULL;
        CHECK_OK(ctx, scene_from(ctx, cases[k].scene, &options, &scene));
        if (scene) CHECK_TEXT(scene->params[0].unit, cases[k].unit);
        fr_scene_free(scene);
        fr_context_destroy(ctx);
    }
}

// several unit words in the call: plain numbers, or that dimension, in SI
TEST(params_of_compound_units_take_compound_units) {
    static const char scene[] = "sphere { 1, name = 'v' .. param('v', 3*m/s) }";
    static const char *const sets[] = {"v=2.5", "v=2.5 m/s", "v=250cm/s", "v=2.5 m Hz"};
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        char *json = scene_json(scene, sets[k]);
        CHECK_HAS(json, "\"name\": \"v2.5\"");
        free(json);
    }
}

TEST(seed_of_the_caller_wins) {
    FrContext *ctx = make_refusing_context(NULL);
    double found[3];
    for (int k = 0; k < 3; k++) {
        FrSceneOptions options = scene_options();
        options.has_seed = k > 0;
        options.seed = k;
        FrScene *scene = NULL;
        const char *text =
            "scene { seed = 1 } body { material = 'oak', shape = ball(math.random()) }";
        CHECK_OK(ctx, scene_from(ctx, text, &options, &scene));
        found[k] = scene->bodies[0].shape.ball->radius;
        CHECK_INT(scene->scene.seed, k == 2 ? 2 : 1);
        fr_scene_free(scene);
    }
    CHECK(found[0] == found[1] && found[1] != found[2]);
    fr_context_destroy(ctx);
}

TEST(numbers_print_short_and_read_back) {
    double values[] = {
        0, 0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, 5e-324, 123456789, 0.35000000000000003};
    char text[FR_NUMBER_ROOM];
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        double back = -1;
        fr_number_print(values[k], text);
        CHECK_INT(fr_number_scan(text, strlen(text), &back), strlen(text));
        CHECK(back == values[k]);
    }
    CHECK_TEXT(fr_number_print(0.1, text), "0.1");
    CHECK_TEXT(fr_number_print(-0.0, text), "0");
    // degrees survive the way through radians
    for (int k = 0; k < 20000; k++) {
        double degrees = (k * 7919 % 360000) / 1000.0 - 180.0 + k * 1e-9, back;
        fr_number_print_degrees(degrees * DEG, text);
        fr_number_scan(text, strlen(text), &back);
        CHECK(back * DEG == degrees * DEG);
    }
    CHECK_TEXT(fr_number_print_degrees(25 * DEG, text), "25");
    CHECK_TEXT(fr_number_print_degrees(0.1 * DEG, text), "0.1");
}

TEST(units_multiply_and_divide) {
    struct {
        const char *text;
        double value;
        FrDimension dimension;
    } cases[] = {{"60cm", 60 * 0.01, FR_DIM_LENGTH},
                 {"2 GPa", 2e9, FR_DIM_PRESSURE},
                 {"9.81 m/s^2", 9.81, FR_DIM_ACCELERATION},
                 {"2500 kg/m^3", 2500, FR_DIM_DENSITY},
                 {"3 J/m^2", 3, FR_DIM_TOUGHNESS},
                 {"5 Pa s", 5, FR_DIM_VISCOSITY},
                 {"1 rad/s", 180 / FR_PI, FR_DIM_SPIN},
                 {"7", 7, FR_DIM_NONE},
                 {"4/s", 4, FR_DIM_RATE},
                 {" -1e3 um ", -1e-3, FR_DIM_LENGTH}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double value;
        FrPowers powers;
        bool has_unit;
        char bad[FR_NUMBER_ROOM];
        CHECK_INT(fr_quantity_parse(cases[k].text, &value, &powers, &has_unit, bad),
                  FR_QUANTITY_OK);
        CHECK_CLOSE(value, cases[k].value, 2e-16); // one rounding
        CHECK(fr_dimension_is(cases[k].dimension, powers));
    }
}

// a host that set a locale with a decimal comma still reads and prints points
TEST(no_locale_in_numbers) {
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) return;
    char text[FR_NUMBER_ROOM];
    double value = 0;
    CHECK_TEXT(fr_number_print(0.5, text), "0.5");
    CHECK(fr_number_scan("2.25", 4, &value) == 4 && value == 2.25);
    setlocale(LC_NUMERIC, "C");
}

// comments and ways of saying it do not show in the resolved scene, of which the run's key is made
TEST(resolved_scene_follows_the_content) {
    FrContext *ctx = make_refusing_context(NULL);
    FrScene *a = load(ctx, "body { material = 'oak', shape = ball(1) }");
    FrScene *b =
        load(ctx, "-- a comment\nlocal r = 0.5 + 0.5\nbody { shape = ball(r), material = 'oak' }");
    FrScene *c = load(ctx, "body { material = 'oak', shape = ball(1.0000000001) }");
    const FrScene *scene[3] = {a, b, c};
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        FrWriter json;
        fr_writer_init(&json, ctx);
        CHECK_OK(ctx, fr_scene_json(ctx, scene[k], &json));
        hash[k] = fr_hash_of(json.data, json.size, 0);
        fr_writer_free(&json);
    }
    CHECK(hash[0] == hash[1] && hash[0] != hash[2]);
    fr_scene_free(a), fr_scene_free(b), fr_scene_free(c);
    fr_context_destroy(ctx);
}
