// scene_faults.c: memory runs out, files are cut off, bytes are changed: a result or a message, no
// leak, no crash.

#include "test.h"
#include "scene_help.h"
#include "base/random.h"
#include <unistd.h>

static const char small_lua[] =
    "local h = param('h', 1*m, {min = 0, max = 2, help = 'x'})\n"
    "scene { duration = 1, seed = 3 } ground { }\n"
    "local soft = material { 'soft', base = 'rubber', density = 900 }\n"
    "local b = body { material = soft, shape = union { ball(h), move { box { 1, 1, 1 }, by = {0, "
    "0, 1} } } }\n"
    "fix { b, where = below { z = 0 } }\n"
    "local t = {} for k in pairs({x = 1, y = 2}) do t[#t + 1] = k end table.sort(t)\n"
    "sphere { 1, name = (('a-b'):gsub('%-', '+')), path = { {0, {0, 0, 0}}, {1, {0, 0, 1}} } }\n"
    "pressure { b, value = 3*kPa } film { slow = { factor = 3 } }\n";

static const char small_json[] =
    "{\"params\": [{\"name\": \"h\", \"value\": 1, \"choices\": [1, 2]}],\n"
    " \"scene\": {\"duration\": \"100ms\", \"name\": \"\\u00e9\\ud83d\\ude00\"}, \"ground\": {},\n"
    " \"materials\": [{\"name\": \"soft\", \"base\": \"rubber\", \"density\": 900}],\n"
    " \"bodies\": [{\"material\": \"soft\", \"shape\": {\"ball\": {\"radius\": {\"param\": "
    "\"h\"}}},\n"
    "   \"fixed\": [{\"where\": {\"below\": {\"z\": 0}}}]}],\n"
    " \"loads\": [{\"force\": {\"body\": \"body1\", \"value\": [[0, [0, 0, 1]], [1, [1, 0, "
    "0]]]}}]}\n";

// loads, prints; the result of the first call that fails
static FrResult all_operations(FrContext *ctx, const char *text, bool check) {
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    const char *set = "h=1";
    options.sets = &set;
    options.set_count = 1;
    FrResult result = scene_from(ctx, text, &options, &scene);
    if (result == FR_OK) {
        FrWriter json;
        fr_writer_init(&json, ctx);
        result = fr_scene_json(ctx, scene, &json);
        fr_writer_free(&json);
    }
    fr_scene_free(scene);
    if (result == FR_OK && check) {
        FrWriter report;
        fr_writer_init(&report, ctx);
        result = fr_scene_check(ctx, "scene-fault.lua", &options, &report, &scene);
        fr_scene_free(scene);
        fr_writer_free(&report);
    }
    return result;
}

static void refuse_every(const char *text, bool from_then_on, bool check) {
    int refused = 0, total = 0;
    for (int k = 1; k < 100000; k++) {
        Refuser refuser = {.refuse_at = k, .from_then_on = from_then_on};
        FrContext *ctx = make_refusing_context(&refuser);
        if (!ctx) {
            CHECK_INT(refuser.live, 0);
            continue;
        }
        int before = refuser.live;
        FrResult result = all_operations(ctx, text, check);
        CHECK_INT(refuser.live, before);
        if (result == FR_NO_MEMORY)
            refused++;
        else if (result != FR_OK)
            TEST_FAIL("allocation %d: %d %s", k, result, fr_context_message(ctx));
        total = refuser.calls;
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
        if (k > total) break;
    }
    CHECK(refused > 10);
}

TEST(every_allocation_fails_once) {
    FILE *file = fopen("scene-fault.lua", "w");
    CHECK(file != NULL);
    fputs(small_lua, file), fclose(file);
    refuse_every(small_lua, false, true);
    refuse_every(small_lua, true, false);
    refuse_every(small_json, false, false);
    refuse_every(small_json, true, false);
    unlink("scene-fault.lua");
}

static void parse(FrContext *ctx, const char *text, size_t size, bool json) {
    FrSceneOptions options = scene_options();
    FrScene *scene = NULL;
    // an exact copy, so that a sanitizer sees one byte too far
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    FrResult result = json ? fr_scene_parse_json(ctx, copy, size, "a.json", &options, &scene)
                           : fr_scene_parse_lua(ctx, copy, size, "a.lua", &options, &scene);
    free(copy);
    CHECK(result == FR_OK || result == FR_BAD_INPUT);
    CHECK((result == FR_OK) == (scene != NULL));
    if (result == FR_BAD_INPUT && !json)
        CHECK_HAS(fr_context_message(ctx), "a.lua"); // every message says where
    else if (result == FR_BAD_INPUT)
        CHECK_HAS(fr_context_message(ctx), "a.json:");
    fr_scene_free(scene);
}

TEST(every_prefix) {
    FrContext *ctx = make_refusing_context(NULL);
    for (size_t n = 0; n <= strlen(small_json); n++) parse(ctx, small_json, n, true);
    for (size_t n = 0; n <= strlen(small_lua); n++) parse(ctx, small_lua, n, false);
    fr_context_destroy(ctx);
}

// bytes overwritten, removed, doubled, swapped for words of the language
static size_t mutate(FrRandom *random, const char *from, char *to, size_t room) {
    static const char *const words[] = {
        "{",   "}",    "[",    "]",   "\"",       "1e999",
        "-1",  "nil",  "null", "end", "function", "while true do end",
        "\\u", "\xff", "..",   "{}",  ","};
    size_t size = strlen(from);
    memcpy(to, from, size);
    int changes = 1 + fr_random_below(random, 4);
    for (int k = 0; k < changes; k++) {
        size_t at = (size_t)fr_random_below(random, (int32_t)size);
        const char *word = words[fr_random_below(random, 17)];
        size_t n = strlen(word), span = (size_t)fr_random_below(random, 30);
        switch (fr_random_below(random, 4)) {
        case 0:
            to[at] = (char)fr_random_below(random, 256);
            break;
        case 1:
            if (span < size - at && size > 40) {
                memmove(to + at, to + at + span, size - at - span);
                size -= span;
            }
            break;
        case 2:
            if (size + n < room) {
                memmove(to + at + n, to + at, size - at);
                memcpy(to + at, word, n);
                size += n;
            }
            break;
        default:
            if (span < size - at && size + span < room) {
                memmove(to + at + span, to + at, size - at);
                size += span;
            }
        }
    }
    return size;
}

TEST(changed_bytes) {
    FrRandom random = fr_random_for(1, "scene-mutations", 0);
    Refuser counter = {0};
    FrContext *ctx = make_refusing_context(&counter);
    char text[4096];
    for (int k = 0; k < 3000; k++) {
        size_t size = mutate(&random, k % 2 ? small_json : small_lua, text, sizeof text);
        parse(ctx, text, size, k % 2);
    }
    fr_context_destroy(ctx);
    CHECK_INT(counter.live, 0);
}
