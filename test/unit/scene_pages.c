// scene_pages.c: the pages in docs/ are those the schema makes, every default and example is valid,
// and every scene that ships loads. FRACAS_WRITE_DOCS=1 writes the pages.

#include "test.h"
#include "scene_help.h"
#include "base/file.h"
#include "scene/json_read.h"
#include "scene/schema.h"
#include <glob.h>
#include <lauxlib.h>
#include <lua.h>

static void compare_page(const char *name, void (*print)(FrWriter *)) {
    FrContext *ctx = make_refusing_context(NULL);
    char path[500];
    snprintf(path, sizeof path, "%s/docs/%s", FRACAS_SOURCE_DIR, name);
    FrWriter page;
    fr_writer_init(&page, ctx);
    print(&page);
    CHECK_OK(ctx, fr_writer_result(&page));
    if (getenv("FRACAS_WRITE_DOCS")) CHECK_OK(ctx, fr_file_save(ctx, path, page.data, page.size));
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK_OK(ctx, fr_file_load(ctx, path, 1 << 20, &bytes, &size));
    test_checks++;
    if (size != page.size || memcmp(bytes, page.data, size))
        TEST_FAIL("docs/%s is not what the schema makes: run this test with FRACAS_WRITE_DOCS=1",
                  name);
    fr_free(ctx, bytes);
    fr_writer_free(&page);
    fr_context_destroy(ctx);
}

TEST(pages_are_up_to_date) {
    compare_page("scene.md", fr_schema_print_reference);
    compare_page("fracas-scene.schema.json", fr_schema_print_json_schema);
    compare_page("fracas-completion.lua", fr_schema_print_completion);
}

TEST(completion_is_lua) {
    FrContext *ctx = make_refusing_context(NULL);
    FrWriter page;
    fr_writer_init(&page, ctx);
    fr_schema_print_completion(&page);
    lua_State *L = luaL_newstate();
    if (luaL_loadbuffer(L, (const char *)page.data, page.size, "completion"))
        TEST_FAIL("%s", lua_tostring(L, -1));
    lua_close(L);
    fr_writer_free(&page);
    fr_context_destroy(ctx);
}

TEST(json_schema_is_json) {
    FrContext *ctx = make_refusing_context(NULL);
    FrWriter page;
    FrProblems problems;
    FrValueTree tree;
    fr_writer_init(&page, ctx);
    fr_problems_init(&problems, ctx);
    fr_value_tree_init(&tree, ctx, 1000000);
    fr_schema_print_json_schema(&page);
    const FrValue *root =
        fr_json_read(&tree, (const char *)page.data, page.size, "schema", &problems);
    CHECK(root != NULL);
    const FrValue *defs = root ? fr_value_find(root, "$defs")->value : NULL;
    for (int32_t k = 0; defs && k < fr_record_count; k++)
        CHECK(fr_value_find(defs, fr_records[k]->name) != NULL);
    for (int32_t k = 0; defs && k < fr_variant_shape.case_count; k++)
        CHECK(fr_value_find(defs, fr_variant_shape.cases[k].tag) != NULL);
    fr_value_tree_free(&tree);
    fr_problems_free(&problems);
    fr_writer_free(&page);
    fr_context_destroy(ctx);
}

// examples of the reference page, each in the place it is for
static void check_example(const FrRecord *record, const char *format) {
    char scene[1000];
    if (!record->example) {
        TEST_FAIL("%s has no example", record->name);
        return;
    }
    snprintf(scene, sizeof scene, format, record->example);
    const char *message = scene_message(scene, NULL);
    test_checks++;
    if (message[0]) TEST_FAIL("example of %s: %s\n%s", record->name, message, scene);
}

TEST(examples_load) {
    for (int32_t k = 0; k < fr_variant_shape.case_count; k++)
        check_example(fr_variant_shape.cases[k].record, "body { material = 'oak', shape = %s }");
    for (int32_t k = 0; k < fr_variant_region.case_count; k++)
        check_example(fr_variant_region.cases[k].record,
                      "body { material = 'oak', shape = ball(1), fixed = { { where = %s } } }");
    static const char *const inside[][2] = {
        {"step", "scene { %s }"},
        {"contact", "scene { %s }"},
        {"camera", "film { %s }"},
        {"slow", "film { %s }"},
        {"key", "pressure { 'b', value = { %s } }"},
        {"force key", "force { 'b', value = { %s } }"},
        {"place key", "sphere { 1, path = { %s } }"},
        {"power key", "heat { 'b', power = { %s } }"},
        {"part", "body { material = 'oak', shape = ball(1), parts = { %s } }"},
        {"spot", "drag { b, at = {0, 0, 0}, velocity = {1, 0, 0}, by = { %s } }"},
        {"pose", "drive { 'b', path = { %s } }"},
        {"hole", "body { material = 'oak', shape = extrude { {0, 0}, {1, 0}, {0, 1}, height = 1, "
                 "holes = { %s } } }"}};
    for (int32_t k = 1; k < fr_record_count; k++) {
        const char *format = "%s";
        for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
            if (!strcmp(inside[i][0], fr_records[k]->name)) format = inside[i][1];
        char whole[600];
        snprintf(whole, sizeof whole,
                 "local b = body { name = 'b', material = 'oak', shape = ball(1) }\n"
                 "local beam, pane, bar = b, b, b %s",
                 format);
        check_example(fr_records[k], whole);
    }
}

TEST(every_field_is_documented) {
    for (int32_t k = 0; k < fr_record_count; k++)
        for (int32_t f = 0; f < fr_records[k]->field_count; f++) {
            const FrField *field = &fr_records[k]->field[f];
            CHECK(field->doc && field->doc[0] && field->name[0]);
            CHECK(field->type != FR_FIELD_CHOICE || field->choices);
        }
}

// what is printed reads back to the same bytes, of which the scene's hashes are made
static void check_reads_back(FrContext *ctx, const char *path) {
    FrSceneOptions options = scene_options();
    options.skip_files = true; // surfaces come from another part of the repository
    FrScene *scene = NULL, *again = NULL;
    CHECK_OK(ctx, fr_scene_load(ctx, path, &options, &scene));
    if (!scene) return;
    FrWriter json, second;
    fr_writer_init(&json, ctx), fr_writer_init(&second, ctx);
    CHECK_OK(ctx, fr_scene_json(ctx, scene, &json));
    CHECK_OK(ctx, fr_scene_parse_json(ctx, (const char *)json.data, json.size, "x.json", &options,
                                      &again));
    if (again) CHECK_OK(ctx, fr_scene_json(ctx, again, &second));
    CHECK(json.size == second.size && !memcmp(json.data, second.data, json.size));
    fr_writer_free(&json), fr_writer_free(&second);
    fr_scene_free(scene), fr_scene_free(again);
}

TEST(shipped_scenes_load_and_read_back) {
    FrContext *ctx = make_refusing_context(NULL);
    glob_t found;
    CHECK_INT(glob(FRACAS_SOURCE_DIR "/scenes/*.lua", 0, NULL, &found), 0);
    CHECK_INT(glob(FRACAS_SOURCE_DIR "/scenes/papers/*.lua", GLOB_APPEND, NULL, &found), 0);
    CHECK(found.gl_pathc >= 28);
    for (size_t k = 0; k < found.gl_pathc; k++) check_reads_back(ctx, found.gl_pathv[k]);
    globfree(&found);
    fr_context_destroy(ctx);
}

// directions that unit length was given to keep it, to the last bit
TEST(directions_read_back) {
    FrContext *ctx = make_refusing_context(NULL);
    const char *path = "directions.lua";
    for (int k = 0; k < 200; k++) {
        char text[700], n[80];
        snprintf(n, sizeof n, "{1, %.3f, %.3f}", 0.013 * k, 0.5 - 0.007 * k);
        snprintf(text, sizeof text,
                 "ground { normal = {0.01, %.4f, 1} }\n"
                 "local b = body { material = 'oak', shape = box { 1, 1, 1 }, cells = 0.5, grain = "
                 "%s, cuts = { { at = {0, 0, 0}, normal = %s, radius = 1*cm } } }\n"
                 "fix { b, where = side { %s, point = {0, 0, 0} } }\n",
                 0.001 * k, n, n, n);
        CHECK_OK(ctx, fr_file_save(ctx, path, text, strlen(text)));
        check_reads_back(ctx, path);
    }
    remove(path);
    fr_context_destroy(ctx);
}
