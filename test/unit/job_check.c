// job_check.c: `fracas check` and `run` find what only meshing and filling the world can find, all
// of it at once, each with its file, line and key path.

#include "test.h"
#include "context.h"
#include "fracas/studio.h"
#include <stdio.h>
#include <string.h>

static void save(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

/// All that was logged since the last check, one line each.
static char logged[8192];

static void keep_log(void *user, FrLogLevel level, const char *text) {
    (void)user;
    size_t used = strlen(logged);
    snprintf(logged + used, sizeof logged - used, "%s%s\n",
             level == FR_LOG_WARNING ? "warning: " : "", text);
}

static FrContext *make_logging_context(void) {
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    def.log = keep_log;
    logged[0] = 0;
    return fr_context_create(&def);
}

/// What `check` says about a scene; "" and a failed test when it does not end in `wanted`.
static const char *checked(const char *path, FrResult wanted) {
    static char found[8192];
    FrContext *ctx = make_logging_context();
    FrRunDef options = fr_run_def_default();
    options.scene = path;
    options.detail = FR_DETAIL_NORMAL;
    FrText text;
    FrResult result = fr_job_check(ctx, &options, false, &text);
    CHECK_INT(result, wanted);
    snprintf(found, sizeof found, "%s", text.data ? text.data : "");
    fr_text_free(ctx, &text);
    fr_context_destroy(ctx);
    return found;
}

static const char *run_message(const char *path) {
    static char found[8192];
    FrContext *ctx = make_context(1);
    FrRunDef options = fr_run_def_default();
    options.scene = path;
    options.detail = FR_DETAIL_NORMAL;
    options.dry_run = true;
    FrText text;
    CHECK_INT(fr_job_run(ctx, &options, false, &text), FR_BAD_INPUT);
    snprintf(found, sizeof found, "%s", fr_context_message(ctx));
    fr_text_free(ctx, &text);
    fr_context_destroy(ctx);
    return found;
}

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static const char mistakes[] =
    "ground { material = 'concrete' }\n"
    "local a = body { name = 'a', material = 'rubber', shape = box { 0.1, 0.1, 0.1 },\n"
    "  at = {0, 0, 0.2} }\n"
    "fix { a, where = below { z = -9*cm } }\n"
    "local f = body { name = 'f', material = 'oak', model = 'frame',\n"
    "  shape = box { 0.1, 0.1, 0.1 }, at = {0, 0, 0.6} }\n"
    "force { f, value = {0, 0, 1} }\n"
    "pressure { a, where = ball(1*mm), value = 1 }\n"
    "drive { a, where = above { x = 6*cm }, velocity = {1, 0, 0} }\n"
    "body { name = 'empty', material = 'rubber', shape = difference { ball(1*cm), ball(2*cm) } }\n"
    "body { name = 'file', material = 'rubber', shape = surface { 'check-garbage.obj' } }\n"
    "body { name = 'tets', material = 'rubber', shape = mesh { 'check-half.node' } }\n"
    "body { name = 'thin', material = 'rubber', cells = 10*cm,\n"
    "  shape = shell { ball(50*cm), thickness = 0.5*mm } }\n"
    "fix { f, where = below { z = -9*cm } }\n";

static const char *const found_by_building[] = {
    "check-bad.lua:4:18: bodies[1].fixed[1].where: a: the region holds no part of the body",
    "check-bad.lua:7:1: loads[1]: f: a rigid frame takes no loads",
    "check-bad.lua:8:23: loads[2].pressure.where: a: the region holds no part of the body",
    "check-bad.lua:9:20: loads[3].drive.where: a: the region holds no part of the body",
    "check-bad.lua:10:53: bodies[3].shape: empty: the shape is empty",
    "check-bad.lua:11:52: bodies[4].shape: file: check-garbage.obj:1:7: coordinate of v",
    "check-bad.lua:12:52: bodies[5].shape: tets: cannot read check-half.ele",
    "check-bad.lua:14:11: bodies[6].shape: thin: nothing is left at a size of 0.1 m",
    "check-bad.lua:15:18: bodies[2].fixed[1].where: f: the region holds no part of the body",
};

// check and run say all these lines, and check says nothing else
static void check_found(const char *path, const char *const *wanted, int count) {
    char check[8192];
    snprintf(check, sizeof check, "%s", checked(path, FR_BAD_INPUT));
    const char *run = run_message(path);
    for (int k = 0; k < count; k++) {
        CHECK_HAS(check, wanted[k]);
        CHECK_HAS(run, wanted[k]);
    }
    CHECK_INT(lines_of(check), count);
}
#define CHECK_FOUND(path, wanted) check_found(path, wanted, (int)(sizeof wanted / sizeof wanted[0]))

TEST(check_and_run_report_all_that_building_finds) {
    save("check-bad.lua", mistakes);
    save("check-garbage.obj", "v 1 2 x\n");
    save("check-half.node", "1 3 0 0\n1 0 0 0\n");
    CHECK_FOUND("check-bad.lua", found_by_building);
}

#define CUBES                                                                                      \
    "local function cube(name, x, model)\n"                                                        \
    "  return body { name = name, material = 'rubber', model = model, cells = 5*cm,\n"             \
    "    shape = box { 0.1, 0.1, 0.1 }, at = {x, 0, 0} }\n"                                        \
    "end\n"

// a node follows one drive: what would be dropped is refused, for soft and for rigid bodies
TEST(what_is_driven_twice_is_refused) {
    save("check-twice.lua", CUBES
         "local soft, parts, led = cube('soft', 0), cube('parts', 1), cube('led', 2, 'frame')\n"
         "drive { soft, velocity = {1, 0, 0} }\n"
         "drive { soft, velocity = {-1, 0, 0} }\n"
         "drive { parts, where = below { z = -49*mm }, velocity = {0, 0, -1} }\n"
         "drive { parts, where = above { z = 49*mm }, velocity = {0, 0, 1} }\n"
         "drive { parts, where = below { x = -49*mm, y = -49*mm, z = 1*mm }, velocity = {0, 0, 1} "
         "}\n"
         "drive { led, velocity = {1, 0, 0} }\n"
         "drive { led, velocity = {-1, 0, 0} }\n"
         "drive { led, where = above { z = 9*cm }, velocity = {1, 0, 0} }\n"
         "force { led, value = {0, 0, 1} }\n"
         "pressure { led, value = 1 }\n"
         "blast { led, origin = {2, 0, 1}, peak = 1 }\n");
    static const char *const wanted[] = {
        "check-twice.lua:7:1: loads[2]: soft: driven twice: 27 of 27 nodes follow loads[1] already",
        "check-twice.lua:10:24: loads[5].drive.where: parts: driven twice: 1 of 27 nodes follow",
        "check-twice.lua:12:1: loads[7]: led: driven twice: ",
        "check-twice.lua:13:22: loads[8].drive.where: led: a rigid frame takes no loads",
        "check-twice.lua:14:1: loads[9]: led: a rigid frame takes no loads",
        "check-twice.lua:15:1: loads[10]: led: a rigid frame takes no loads",
        "check-twice.lua:16:1: loads[11]: led: a rigid frame takes no loads",
    };
    CHECK_FOUND("check-twice.lua", wanted); // the two sides of `parts` are fine
}

// nor is a driven node fixed: one of the two would be dropped
TEST(what_is_driven_and_fixed_is_refused) {
    save("check-both.lua", CUBES
         "local soft, parts, led = cube('soft', 0), cube('parts', 1), cube('led', 2, 'frame')\n"
         "fix { soft, where = below { z = -49*mm } }\n"
         "drive { soft, velocity = {1, 0, 0} }\n"
         "fix { parts, where = below { z = -49*mm } }\n"
         "drive { parts, where = above { z = 49*mm }, velocity = {0, 0, 1} }\n"
         "drive { parts, where = below { x = -49*mm, z = 1*mm }, velocity = {0, 0, 1} }\n"
         "fix { led, where = below { z = -49*mm }, release = 1*s }\n"
         "drive { led, velocity = {1, 0, 0} }\n");
    static const char *const wanted[] = {
        "check-both.lua:7:1: loads[1]: soft: driven and fixed: 9 of 27 nodes are held by bodies[1]",
        "check-both.lua:10:24: loads[3].drive.where: parts: driven and fixed: 3 of 27 nodes",
        "check-both.lua:12:1: loads[4]: led: driven and fixed: ",
    };
    CHECK_FOUND("check-both.lua", wanted);
}

TEST(json_problems_have_columns) {
    save("check-bad.json",
         "{\"bodies\": [\n"
         "  {\"name\": \"a\", \"material\": \"rubber\", \"shape\": {\"box\": [1, 1, 1]},\n"
         "   \"fixed\": [{\"where\": {\"above\": {\"z\": 2}}}]}],\n"
         " \"loads\": [{\"force\": {\"body\": \"a\", \"value\": [0, 0, 1],\n"
         "             \"where\": {\"near\": {\"at\": [5, 0, 0], \"radius\": 1}}}}]}\n");
    const char *found = checked("check-bad.json", FR_BAD_INPUT);
    CHECK_HAS(found, "check-bad.json:3:24: bodies[1].fixed[1].where: a: the region holds no part");
    CHECK_HAS(found, "check-bad.json:5:23: loads[1].force.where: a: the region holds no part");
}

// a script that stops early still has what it gave before checked
TEST(lua_errors_do_not_hide_the_rest) {
    save("check-stop.lua", "local h = param('h', 5, {max = 2})\n"
                           "body { material = 'galss', shape = ball(1) }\n"
                           "body { material = 'glass', shape = ball(-h) }\n"
                           "bdoy { }\n");
    CHECK_TEXT(checked("check-stop.lua", FR_BAD_INPUT),
               "check-stop.lua:1:11: params[1]: h = 5 is out of range; most: 2\n"
               "check-stop.lua:4:1: unknown word \"bdoy\"; did you mean \"body\"?\n"
               "check-stop.lua:2:19: bodies[1].material: no material \"galss\"; did you mean "
               "\"glass\"?\n"
               "check-stop.lua:3:41: bodies[2].shape.ball.radius: -5 m is out of range; allowed: "
               "1e-06 to 10000\n");
}

TEST(nothing_to_simulate) {
    save("check-empty.lua", "ground { material = 'concrete' }\n");
    static const char wanted[] =
        "check-empty.lua: there is nothing to simulate: a body or a sphere is wanted";
    CHECK_HAS(checked("check-empty.lua", FR_BAD_INPUT), wanted);
    CHECK_TEXT(run_message("check-empty.lua"), wanted);
}

// what would take long is not meshed, and the check says so
TEST(check_says_what_it_left_out) {
    save("check-large.lua", "body { name = 'large', material = 'rubber', shape = ball(0.5),\n"
                            "  cells = 15*mm }\n"
                            "body { name = 'small', material = 'rubber', shape = box { 1, 1, 1 },\n"
                            "  cells = 0.5, at = {3, 0, 0} }\n");
    const char *found = checked("check-large.lua", FR_OK);
    CHECK_HAS(found, "check-large.lua: ok: bodies 2, spheres 0, loads 0, 48 tets, 2 s\n");
    CHECK_HAS(found, "large: up to 3.6e+06 tets are too many for a check");
}

// what a run is certain to refuse is refused by a check: at least half of the ball's box is solid
TEST(check_refuses_what_a_run_would) {
    save("check-huge.lua", "body { name = 'huge', material = 'rubber', shape = ball(0.5),\n"
                           "  cells = 5*mm }\n");
    const char *wanted = "tets, the limit is 3000000";
    CHECK_HAS(checked("check-huge.lua", FR_BAD_INPUT), wanted);
    CHECK_HAS(run_message("check-huge.lua"), wanted);
}

TEST(bodies_that_begin_inside_each_other_are_reported) {
    save("check-inside.lua",
         "scene { gravity = {0, 0, 0} }\n"
         "local function cube(name, z, more)\n"
         "  return body { name = name, material = 'silicone', cells = 2.5*cm, at = {0, 0, z},\n"
         "    shape = box { 10*cm, 10*cm, 10*cm } }\n"
         "end\n"
         "cube('a', 0) cube('b', 8*cm) cube('c', 18*cm)\n" // b is 2 cm inside a, c touches b
         "body { name = 'seed', material = 'silicone', shape = ball(1*cm), cells = 5*mm,\n"
         "  at = {0, 0, 18*cm} }\n"                            // all of it in the middle of c
         "sphere { 3*cm, name = 'ball', at = {7*cm, 0, 0} }\n" // 1 cm inside a
         "for k = 1, 2 do fix { body { name = 'post' .. k, material = 'oak', model = 'frame',\n"
         "  shape = box { 10*cm, 10*cm, 10*cm }, at = {1*m + k * 5*cm, 0, 0} } } end\n");
    checked("check-inside.lua", FR_OK);
    CHECK_HAS(logged, "warning: a begins 0.02 m inside b and will be pushed out hard\n");
    CHECK_HAS(logged, "warning: seed begins 0.05 m inside c and will be pushed out hard\n");
    CHECK_HAS(logged, "warning: a begins 0.01 m inside ball and will be pushed out hard\n");
    // fixed posts push nobody; what only touches is fine
    const char *first = strstr(logged, "warning");
    CHECK_INT(first ? lines_of(first) : 0, 3);
}

TEST(a_mesh_that_is_missing_is_reported) {
    save("check-gone.lua", "body { name = 'a', material = 'oak', shape = mesh 'gone.obj' }\n");
    CHECK_HAS(checked("check-gone.lua", FR_BAD_INPUT),
              "a: cannot read gone.obj: No such file or directory");
}

TEST(what_a_blast_passes_by_is_reported) {
    static const char solids[] =
        "scene { gravity = {0, 0, 0} }\n"
        "local function cube(name, x, model)\n"
        "  return body { name = name, material = 'silicone', cells = 5*cm, at = {x, 0, 0},\n"
        "    shape = box { 10*cm, 10*cm, 10*cm }, model = model }\n"
        "end\n"
        "local soft = cube('soft', 0)\n"
        "cube('crate', 1, 'frame') fix { cube('post', 2, 'frame') }\n"
        "drive { cube('led', 3, 'frame'), velocity = {1, 0, 0} }\n"
        "sphere { 3*cm, name = 'ball', at = {0, 1, 0} }\n"
        "sphere { 3*cm, name = 'fist', at = {0, 2, 0}, kinematic = true }\n";
    char text[1000];
    snprintf(text, sizeof text, "%sblast { origin = {0, -2, 0}, peak = 1 }\n", solids);
    save("check-blast.lua", text);
    checked("check-blast.lua", FR_OK);
    CHECK_HAS(logged,
              "warning: a blast acts on deformable bodies; rigid frames and spheres do not feel "
              "it: crate, ball\n");
    snprintf(text, sizeof text, "%sblast { soft, origin = {0, -2, 0}, peak = 1 }\n", solids);
    save("check-blast.lua", text);
    checked("check-blast.lua", FR_OK);
    CHECK(!strstr(logged, "a blast acts"));
}

#define SLAB "material = 'porcelain', cells = 5*cm, shape = box { 30*cm, 10*cm, 10*cm } }"

static void check_logged(const char *const *wanted, int count) {
    for (int k = 0; k < count; k++) CHECK_HAS(logged, wanted[k]);
    const char *at = logged;
    for (; count >= 0 && (at = strstr(at, "warning: ")); at++) count--;
    CHECK_INT(count, 0);
}

// a check warns of these and of nothing else, and so does a run
static void check_warned(const char *path, const char *const *wanted, int count) {
    checked(path, FR_OK);
    check_logged(wanted, count);
    FrContext *ctx = make_logging_context();
    FrRunDef options = fr_run_def_default();
    options.scene = path;
    options.detail = FR_DETAIL_NORMAL;
    options.dry_run = true;
    FrText text;
    CHECK_OK(ctx, fr_job_run(ctx, &options, false, &text));
    check_logged(wanted, count);
    fr_text_free(ctx, &text);
    fr_context_destroy(ctx);
}

// settings of breaking that do nothing
TEST(what_does_nothing_is_reported) {
    save("check-idle.lua",
         "material { name = 'both', base = 'porcelain', tau = 5*N, strength = 9*MPa }\n"
         "material { name = 'raw', base = 'porcelain', tau = 5*N }\n"
         "material { name = 'tough', base = 'rubber', strength = 0 }\n"
         "body { name = 'far', cuts = { { at = {0, 0, 0}, normal = {1, 0, 0}, radius = 8*cm },\n"
         "  { at = {1, 0, 0}, normal = {1, 0, 0}, radius = 3*cm } }, " SLAB "\n"
         "body { name = 'never', at = {1, 0, 0}, crack = { off = true },\n"
         "  cuts = { { at = {0, 0, 0}, normal = {1, 0, 0}, radius = 3*cm } }, " SLAB "\n"
         "body { name = 'frame', at = {2, 0, 0}, model = 'frame',\n"
         "  cuts = { { at = {0, 0, 0}, normal = {1, 0, 0}, radius = 3*cm } }, " SLAB "\n"
         "local soft = body { name = 'soft', at = {3, 0, 0}, material = 'tough',\n"
         "  cells = 5*cm, shape = box { 30*cm, 10*cm, 10*cm } }\n"
         "weaken { soft, by = 0.5 }\n"
         "local thin = body { name = 'thin', at = {4, 0, 0}, " SLAB "\n"
         "weaken { thin, where = box { 1*mm, 1, 1 }, by = 0.5 }\n"
         "body { name = 'dust', at = {5, 0, 0}, crack = { pieces = { dust_piece = 0.5 } }, " SLAB
         "\n"
         "body { name = 'dusty', at = {6, 0, 0}, crack = { min_piece = 7, pieces = { dust_piece = "
         "8 } }, " SLAB "\n"
         "body { name = 'two', at = {7, 0, 0}, material = 'porcelain', model = 'fem', cells = "
         "2*cm,\n"
         "  shape = union { ball(3*cm), move { ball(3*cm), by = {1, 0, 0} } } }\n"
         "body { name = 'small', at = {10, 0, 0},\n"
         "  cuts = { { at = {0, 0, 0}, normal = {1, 0, 0}, radius = 2*cm } }, " SLAB "\n");
    static const char *const wanted[] = {
        "warning: check-idle.lua:1:10: materials[1]: strength is not used: tau = 5 N is; tau = 0",
        "warning: check-idle.lua:5:3: bodies[1].cuts[2]: far: the cut opens nothing: its disc, "
        "0.85 m from the nearest node of the body, with a radius of 0.03 m, goes past it",
        "warning: check-idle.lua:7:12: bodies[2].cuts[1]: never: the cut is left out: "
        "crack.off is true",
        "warning: check-idle.lua:9:12: bodies[3].cuts[1]: frame: the cut is left out: a rigid "
        "frame does not break",
        "warning: check-idle.lua:12:1: bodies[4].weaken[1]: soft: weaken does nothing: its "
        "material has no strength to change",
        "warning: check-idle.lua:14:24: bodies[5].weaken[1].where: thin: weaken does nothing: the "
        "region is thinner than the cells",
        "warning: check-idle.lua:15:47: bodies[6].crack: dust: nothing leaves as dust: no piece "
        "smaller than min_piece = 1 comes off, and dust_piece is 0.5",
        "warning: check-idle.lua:16:48: bodies[7].crack: dusty: nothing leaves as dust: the "
        "smallest piece (min_piece = 7 of 1",
        "warning: check-idle.lua:18:11: bodies[8].shape: two: begins in 2 parts that no tet holds "
        "together",
        "warning: check-idle.lua:20:12: bodies[9].cuts[1]: small: the cut, 0.04 m across, is "
        "smaller than the cells (0.056",
    };
    check_warned("check-idle.lua", wanted, (int)(sizeof wanted / sizeof wanted[0]));
}

#define GLASS(name)                                                                                \
    "name = '" name "', material = 'glass', shape = box { 5*cm, 5*cm, 1*cm }, cells = 1*cm"

// numbers that are allowed, and hardly meant
TEST(what_is_hardly_meant_is_reported) {
    save(
        "check-slips.lua",
        "scene { duration = 5*ms }\n"
        "material { name = 'touchy', base = 'glass', strength = 40 }\n"
        "material { name = 'grit', density = 2000, young = 1*GPa, poisson = 0.2, strength = 5 }\n"
        "material { name = 'hard', base = 'glass', strength = 1e12 }\n"
        "material { name = 'limp', base = 'glass', plastic_limit = 0.3 }\n"
        "material { name = 'froth', density = 1000, young = 1*kPa, poisson = 0.2, strength = 20 }\n"
        "body { at = {0, 0, 0}, crack = { criterion = { scan_interval = 0.5*s } }, " GLASS(
            "late") " }\n"
                    "body { at = {1, 0, 0}, crack = { criterion = { scan_interval = 1*ms } "
                    "}, " GLASS(
                        "seldom") " }\n"
                                  "local flat = body { at = {2, 0, 0}, " GLASS(
                                      "flat") " }\n"
                                              "weaken { flat, by = {0.5, 1.5} }\n"
                                              "local wide = body { at = {3, 0, 0}, " GLASS(
                                                  "wide") " }\n"
                                                          "weaken { wide, by = {0.5, 1.5}, size = "
                                                          "5*m }\n"
                                                          "body { at = {4, 0, 0}, crack = { "
                                                          "min_piece = 10, pieces = { rigid_piece "
                                                          "= 1 } }, " GLASS(
                                                              "stiff") " }\n"
                                                                       "body { name = 'heap', at = "
                                                                       "{5, 0, 0}, turn = {90, 0, "
                                                                       "0}, material = 'froth',\n"
                                                                       "  shape = box { 5*cm, "
                                                                       "10*cm, 5*cm }, cells = "
                                                                       "2.5*cm }\n");
    static const char *const wanted[] = {
        "warning: check-slips.lua:2:10: materials[1]: strength = 40 Pa is 8.9e-07 times the "
        "strength of glass, 4.5e+07 Pa: it breaks at a touch; did you mean 40*MPa?",
        "warning: check-slips.lua:3:10: materials[2]: strength = 5 Pa is 5e-09 times its "
        "stiffness, 1e+09 Pa: it breaks at a touch; did you mean 5*MPa?",
        "warning: check-slips.lua:4:10: materials[3]: strength = 1e+12 Pa is 2.2e+04 times the "
        "strength of glass, 4.5e+07 Pa: nothing breaks it; strength = 0 says the same",
        "warning: check-slips.lua:5:10: materials[4]: plastic_limit = 0.3 does nothing: "
        "yield_strain is 0, and nothing yields; give a yield_strain too",
        "warning: check-slips.lua:7:32: bodies[1].crack: late: scan_interval = 0.5 s is longer "
        "than "
        "the scene, 0.005 s: nothing scans for cracks",
        "warning: check-slips.lua:8:32: bodies[2].crack: seldom: scan_interval = 0.001 s is 79 "
        "times "
        "what a wave takes through the body, 1.3e-05 s",
        "warning: check-slips.lua:10:1: bodies[3].weaken[1]: flat: by = {0.5, 1.5} without a size "
        "of the patches is 0.5 everywhere; did you mean size = 0.005*m",
        "warning: check-slips.lua:12:1: bodies[4].weaken[1]: wide: patches of 5 m in a body of "
        "0.05 m are one patch: its strength hardly varies; did you mean size = 0.005*m",
        "warning: check-slips.lua:13:32: bodies[5].crack: stiff: rigid_piece = 1 does nothing: no "
        "piece "
        "smaller than min_piece = 10 comes off",
        "warning: check-slips.lua:14:6: bodies[6]: heap: the strength of froth, 20 Pa, is far "
        "below what the body's own weight makes (up to 981 Pa over its height of 0.1 m)",
    };
    check_warned("check-slips.lua", wanted, (int)(sizeof wanted / sizeof wanted[0]));
}

// lead has mu 5.6e9 Pa: sqrt(6) mu 0.02 = 270 MPa
TEST(material_that_breaks_before_it_yields_is_reported) {
    save("check-brittle.lua", "scene { duration = 5*ms }\n"
                              "material { name = 'hard', base = 'lead', strength = 5*MPa, "
                              "yield_strain = 0.02 }\n"
                              "material { name = 'soft', base = 'lead', strength = 5*MPa, "
                              "yield_strain = 0.0002 }\n"
                              "body { " GLASS("one") " }\n");
    static const char *const wanted[] = {
        "warning: check-brittle.lua:2:10: materials[1]: a bar breaks at 5 MPa (strength), before "
        "it yields at 272 MPa (yield_strain 0.02): it breaks as brittle materials do; more "
        "strength, "
        "or a yield_strain below 0.00037, lets it dent first",
    };
    check_warned("check-brittle.lua", wanted, 1);
}

// numbers at the edge of what is usual, and what says that it is meant so
TEST(what_may_be_meant_is_not_reported) {
    save("check-meant.lua",
         "scene { duration = 5*ms }\n"
         "material { name = 'weak', base = 'glass', strength = 100*kPa }\n"
         "material { name = 'wire', base = 'steel', strength = 4*GPa }\n"
         "material { name = 'soft', base = 'rubber', strength = 200*kPa, yield_strain = 0.05 }\n"
         "material { name = 'brittle', base = 'lead', yield_strain = 0, plastic_limit = 0 }\n"
         "body { at = {0, 0, 0}, crack = { criterion = { scan_interval = 0 } }, " GLASS(
             "each") " }\n"
                     "body { at = {1, 0, 0}, crack = { criterion = { scan_interval = 50*us }, "
                     "pieces = { rigid_piece = 0 } }, " GLASS(
                         "some") " }\n"
                                 "local one = body { at = {2, 0, 0}, " GLASS(
                                     "one") " }\n"
                                            "weaken { one, by = 0.5 }\n"
                                            "weaken { one, by = {0.5, 1.5}, size = 5*cm }\n"
                                            "for k, material in ipairs { 'weak', 'wire', 'soft', "
                                            "'brittle' } do\n"
                                            "  body { at = {2 + k, 0, 0}, material = material, "
                                            "shape "
                                            "= box { 5*cm, 5*cm, 1*cm },\n"
                                            "    cells = 1*cm, crack = { min_piece = 2, pieces = { "
                                            "rigid_piece = 3 "
                                            "} } }\n"
                                            "end\n");
    check_warned("check-meant.lua", NULL, 0);
}

TEST(weak_regions_that_hold_nothing_are_refused) {
    save("check-weak.lua", "local a = body { name = 'a', " SLAB "\n"
                           "weaken { a, where = above { x = 1 }, by = {0.2, 1} }\n");
    static const char *const wanted[] = {
        "check-weak.lua:2:21: bodies[1].weaken[1].where: a: the region holds no part of the body"};
    CHECK_FOUND("check-weak.lua", wanted);
}

// no node of either is inside the other
TEST(bars_that_cross_are_reported) {
    save("check-cross.lua",
         "scene { gravity = {0, 0, 0} }\n"
         "body { name = 'one', material = 'silicone', mesher = 'structured', cells = 1*m,\n"
         "  shape = box { 1*m, 10*cm, 10*cm } }\n"
         "body { name = 'other', material = 'silicone', mesher = 'structured', cells = 1*m,\n"
         "  shape = box { 9*cm, 1*m, 11*cm }, at = {12*cm, 0, 0} }\n");
    checked("check-cross.lua", FR_OK);
    CHECK_HAS(logged, "warning: one begins 0.0");
    CHECK_HAS(logged, " m inside other and will be pushed out hard\n");
}

TEST(steps_above_the_stable_one_are_reported_or_refused) {
    static const char form[] = "scene { step = { dt = %s, adaptive = %s } }\n"
                               "body { name = 'a', material = 'silicone', cells = 2.5*cm,\n"
                               "  shape = box { 10*cm, 10*cm, 10*cm } }\n";
    char text[400];
    snprintf(text, sizeof text, form, "1*us", "false");
    save("check-step.lua", text);
    checked("check-step.lua", FR_OK);
    CHECK(!strstr(logged, "warning"));
    snprintf(text, sizeof text, form, "4*ms", "true");
    save("check-step.lua", text);
    checked("check-step.lua", FR_OK);
    CHECK_HAS(logged, "warning: step.dt is 0.004 s, above the stable 0.000");
    CHECK_HAS(logged, "steps that gain energy are done again, shorter");
    snprintf(text, sizeof text, form, "4*ms", "false");
    save("check-step.lua", text);
    CHECK_HAS(checked("check-step.lua", FR_BAD_INPUT),
              "check-step.lua:1:16: scene.step: dt is 0.004 s; steps above 0.000");
}

TEST(notes_are_one_line_per_material) {
    save("check-notes.lua", "for k = 1, 8 do\n"
                            "  body { material = k % 2 == 0 and 'rubber' or 'silicone',\n"
                            "    shape = box { 10*cm, 10*cm, 10*cm }, cells = 1*cm + k * 2*mm,\n"
                            "    at = {k, 0, 0} }\n"
                            "end\n");
    checked("check-notes.lua", FR_OK);
    CHECK_HAS(logged, "model fem (deformable): body1, body2, body3, body4, body5, body6, ...\n");
    CHECK_HAS(logged, "rubber: strain-rate damping lowered to ");
    CHECK_HAS(logged, "silicone: strain-rate damping lowered to ");
    CHECK_HAS(logged, " in 4 bodies");
    CHECK_INT(lines_of(logged), 3);
}

TEST(what_is_chosen_for_brittle_walls_is_reported) {
    const char *form =
        "body { name = 'plate', material = 'glass', model = 'fem', cells = 2*cm, at = {0, 0, 1},\n"
        "  shape = box { 10*cm, 10*cm, %s }, crack = { %s } }\n";
    char text[400];
    snprintf(text, sizeof text, form, "1*cm", "pieces = { rigid_piece = 9 }");
    save("check-wall.lua", text);
    checked("check-wall.lua", FR_OK);
    CHECK_HAS(
        logged,
        "plate: a brittle wall: cracks upright, together 0.4, snap_distance 0.05, min_piece ");
    CHECK_HAS(logged, ", rigid_piece 9, settle ");
    CHECK_HAS(logged, " us\n");
    snprintf(text, sizeof text, form, "1*cm", "upright = false");
    save("check-wall.lua", text);
    checked("check-wall.lua", FR_OK);
    CHECK(!strstr(logged, "brittle wall"));
    snprintf(text, sizeof text, form, "10*cm", "");
    save("check-wall.lua", text);
    checked("check-wall.lua", FR_OK);
    CHECK(!strstr(logged, "brittle wall"));
}

TEST(every_allocation_of_a_check_can_fail) {
    save("check-small.lua", "local b = body { name = 'b', material = 'rubber', cells = 0.5,\n"
                            "  shape = box { 1, 1, 1 } }\n"
                            "fix { b, where = below { z = -2 } }\n"
                            "force { b, value = {0, 0, 1}, where = ball(0.1) }\n"
                            "sphere { 1, name = 's' }\n");
    FrRunDef options = fr_run_def_default();
    options.scene = "check-small.lua";
    options.detail = FR_DETAIL_NORMAL;
    int refused = 0;
    bool through = false;
    for (int k = 1; k < 100000 && !through; k++) {
        Refuser refuser = {.refuse_at = k};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) continue;
        int before = refuser.live;
        FrText text;
        FrResult result = fr_job_check(ctx, &options, k % 2, &text);
        fr_text_free(ctx, &text);
        CHECK(result == FR_NO_MEMORY || result == FR_BAD_INPUT);
        refused += result == FR_NO_MEMORY;
        through = refuser.calls < k;
        CHECK_INT(refuser.live, before);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
    }
    CHECK(through && refused > 100);
}
