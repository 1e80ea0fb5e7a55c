// modes_job.c: choosing modes, couplings, notes, tables for other programs, the cache, bad input.

#include "modal_kit.h"
#include "backend/backend.h"
#include "base/file.h"
#include "fracas/studio.h"
#include "score/modes_cache.h"
#include "score/modes_material.h"
#include "output/modes_picture.h"
#include "output/modes_export.h"
#include "modal/compute.h"
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

static FrModes plain_modes(double *lambda, double *shape, int32_t count) {
    FrModes m = {.node_count = 1, .mode_count = count, .lambda = lambda, .shape = shape};
    return m;
}

static double square_of_hz(double hz) { return 4.0 * FR_PI * FR_PI * hz * hz; }

// 20 Hz are 125.7 rad/s, not 3.18 (E36); an over-damped mode has no tone
TEST(what_can_be_heard) {
    double lambda[6], shape[18] = {0};
    const double hz[6] = {3.18, 19.9, 20.1, 3180.0, 19999.0, 20001.0};
    for (int i = 0; i < 6; i++) {
        lambda[i] = square_of_hz(hz[i]);
        shape[3 * i] = i;
    }
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    FrModeFilter audio = fr_mode_filter_audio(48000.0);
    FrModes modes = plain_modes(lambda, shape, 6);
    fr_modes_select(&modes, &m, &audio);
    CHECK_INT(modes.mode_count, 3);
    for (int i = 0; i < 3; i++) CHECK(modes.shape[3 * i] == i + 2.0); // shapes go with their modes
    // rounding: one product, one root
    CHECK_NEAR(fr_mode_filter_audio(22050.0).highest_hz, 9922.5, 1e-12);
    // c = 2 sqrt(lambda) is critical: above it there is no tone
    m.alpha2 = 2.1 * sqrt(square_of_hz(20.1));
    CHECK(fr_mode_tone(&m, square_of_hz(20.1)) == 0.0);
    m.alpha2 = 1.0;
    CHECK_NEAR(fr_mode_tone(&m, 4.0), sqrt(4.0 - 0.25), 1e-15);
    m.alpha2 = 2.1 * sqrt(square_of_hz(20.1));
    modes = plain_modes(lambda, shape, 6);
    lambda[0] = square_of_hz(20.1);
    fr_modes_select(&modes, &m, &audio);
    CHECK(modes.mode_count == 0 || modes.lambda[0] > square_of_hz(20.1));
}

// S1 3.2: 0.1 mm under 60,000 N; below half the frame rate; over-damped ones stay
TEST(what_can_be_seen) {
    double lambda[4] = {100.0, 100.0, square_of_hz(31.0), square_of_hz(29.0)};
    double limit = 1e-4 / 6e4, shape[12] = {0};
    shape[0] = sqrt(1.01 * limit * lambda[0]);
    shape[3] = sqrt(0.99 * limit * lambda[1]);
    shape[6] = shape[9] = 1.0;
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    m.alpha2 = 25.0; // over-damped at lambda 100
    FrModeFilter seen = fr_mode_filter_visual(1e-4, 6e4, 60.0);
    FrModes modes = plain_modes(lambda, shape, 4);
    fr_modes_select(&modes, &m, &seen);
    CHECK_INT(modes.mode_count, 2);
    CHECK(modes.lambda[0] == 100.0 && modes.lambda[1] == square_of_hz(29.0));
    seen.count = 1;
    fr_modes_select(&modes, &m, &seen);
    CHECK_INT(modes.mode_count, 1);
}

// E43: the whole surface moving along z at speed omega: n.w is w on two of six sides of a cube
TEST(couplings_of_a_sliding_cube) {
    FrContext *ctx = make_modal_context(1);
    for (int order = 1; order <= 2; order++) {
        FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, order);
        double lambda[1] = {9.0}, a, *shape = calloc(3 * (size_t)mesh.node_count, sizeof(double));
        for (int32_t n = 0; n < mesh.node_count; n++) shape[3 * n + 2] = 2.0;
        FrModes modes = {
            .node_count = mesh.node_count, .mode_count = 1, .lambda = lambda, .shape = shape};
        CHECK_OK(ctx, fr_modes_couplings(ctx, &mesh, &modes, &a));
        // the signed sum of S4 would be zero
        // rounding: sums over the faces of 48 tets
        CHECK_NEAR(a, 3.0 * 2.0 * sqrt(2.0 / 6.0), 1e-14);
        // n.w = z on the caps only: stretching, linear along z: 1/4 on them
        for (int32_t n = 0; n < mesh.node_count; n++) shape[3 * n + 2] = mesh.x[3 * n + 2];
        CHECK_OK(ctx, fr_modes_couplings(ctx, &mesh, &modes, &a));
        CHECK_NEAR(a, 3.0 * 0.5 * sqrt(2.0 / 6.0), 1e-14);
        free(shape);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// The first mode of a free bar: phi = cosh + cos - 0.9825 (sinh + sin) of 4.73 x/L. It is at rest
// 0.2242 L from either end but for the slope there, 3.951 phi(0)/L, by which its faces slide; its
// middle moves 0.6078 as far as its ends.
TEST(a_picture_of_a_bar_is_dark_where_it_is_held) {
    enum { ALONG = 58 }; // 13 cells from its ends are 0.2241 L
    FrContext *ctx = make_modal_context(1);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.3, 0.03, 0.006), ALONG, 2, 1, 2);
    FrMaterial steel = kit_material(7850, 210e9, 0.3);
    FrModalDef def = {.mesh = &mesh, .material = &steel, .material_count = 1, .count = 1};
    FrModes modes;
    float along[ALONG + 1] = {0}, *moved = calloc((size_t)mesh.corner_count, sizeof *moved);
    CHECK_OK(ctx, fr_modes_compute(ctx, &def, &modes, NULL));
    CHECK(fr_mode_moved(&modes, 0, mesh.corner_count, moved) > 0.0);
    for (int32_t n = 0; n < mesh.corner_count; n++) {
        FrVec3 x = fr_get3(mesh.x, n);
        if (fabs(x.y) < 1e-9 && x.z > 0) along[lround((x.x / 0.3 + 0.5) * ALONG)] = moved[n];
    }
    int darkest = 0;
    for (int k = 0; k <= ALONG / 2; k++)
        if (along[k] < along[darkest]) darkest = k;
    CHECK_INT(darkest, 13);
    // model: a thin beam; shear and the width add some percent
    CHECK_CLOSE((double)along[13], 3.951 * 0.003 / 0.3, 0.1);
    CHECK_CLOSE((double)along[ALONG - 13], 3.951 * 0.003 / 0.3, 0.1);
    CHECK_CLOSE((double)along[ALONG / 2], 0.6078, 0.01);
    CHECK_CLOSE((double)along[0], 1.0, 0.01); // corners bend a little more
    CHECK_CLOSE((double)along[ALONG], 1.0, 0.01);
    free(moved);
    fr_modes_free(ctx, &modes);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

TEST(nearest_notes) {
    char note[16];
    double cents;
    const struct {
        double hz;
        const char *note;
        double cents;
    } known[] = {{440.0, "A4", 0.0},   {587.33, "D5", 0.0},   {783.99, "G5", 0.0},
                 {1174.66, "D6", 0.0}, {261.6256, "C4", 0.0}, {440.0 * 1.0145453349, "A4", 25.0},
                 {27.5, "A0", 0.0},    {8.1758, "C-1", 0.0},  {466.1638, "A#4", 0.0}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        fr_nearest_note(known[k].hz, note, &cents);
        CHECK_TEXT(note, known[k].note);
        CHECK_NEAR(cents, known[k].cents, 0.02); // the Hz are rounded
    }
    fr_nearest_note(0.0, note, &cents);
    CHECK_TEXT(note, "-");
    fr_nearest_note((double)NAN, note, &cents);
    CHECK_TEXT(note, "-");
}

TEST(materials_from_the_command_line) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m;
    CHECK_OK(ctx, fr_material_parse(ctx, "E=210GPa,nu=0.3,rho=7850,alpha1=1e-7", &m));
    // rounding: a handful of operations
    CHECK_CLOSE(fr_young(m.lambda, m.mu), 210e9, 1e-14);
    CHECK_CLOSE(fr_poisson(m.lambda, m.mu), 0.3, 1e-14);
    CHECK(m.density == 7850.0 && m.alpha1 == 1e-7);
    CHECK_OK(ctx, fr_material_parse(ctx, "rho=2700,lambda=49.8GPa,mu=2.57e10", &m));
    CHECK_CLOSE(m.lambda, 4.98e10, 1e-15);
    CHECK_OK(ctx, fr_material_parse(ctx, "steel", &m));
    const struct {
        const char *text, *says;
    } bad[] = {{"steell", "did you mean"},
               {"E=1", "give rho"},
               {"E=1,nu=0.5,rho=1", "nu between -1 and 0.5"},
               {"E=1e9,nu=x,rho=1", "not a number"},
               {"F=1e9", "none of E="},
               {"E=1e9,nu=0.3,rho=-5", "rho must be above 0, found -5"},
               {"E=1,nu=0.7,rho=-3", "nu between -1 and 0.5, found 0.7; rho must be above 0"},
               {"lambda=1e9,mu=0,rho=5", "mu must be above 0, found 0"},
               {"E=1e99,nu=0.3,rho=5", "allowed"},
               {"", "there is no material"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        CHECK_INT(fr_material_parse(ctx, bad[k].text, &m), FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), bad[k].says);
    }
    fr_context_destroy(ctx);
}

static const FrModeRow rows[2] = {{.hz = 440.0,
                                   .tone = 440.0,
                                   .ratio = 1.0,
                                   .decay = 2.0,
                                   .t60 = 3.4538776394910684,
                                   .coupling = 5.0,
                                   .pressure = 3.0,
                                   .share = 1.0,
                                   .note = "A4"},
                                  {.hz = 1200.5,
                                   .tone = 1200.5,
                                   .ratio = 2.7,
                                   .decay = 0.0,
                                   .t60 = HUGE_VAL,
                                   .coupling = 2.5,
                                   .pressure = 1.0,
                                   .share = 0.5,
                                   .note = "D6",
                                   .cents = 37.6}};

static void check_format(FrContext *ctx, const char *path, const char *const *says) {
    FrModeRow copy[2];
    memcpy(copy, rows, sizeof copy);
    FrModeTable table = {"Bowl 1", "bronze", 2, copy};
    FrWriter w;
    fr_writer_init(&w, ctx);
    const FrModeFormat *format = fr_mode_format(path);
    CHECK(format != NULL);
    if (format) format->write(&w, &table);
    fr_write_u8(&w, 0);
    CHECK_OK(ctx, fr_writer_result(&w));
    for (; *says; says++) CHECK_HAS((const char *)w.data, *says);
    fr_writer_free(&w);
}

TEST(tables_for_other_programs) {
    FrContext *ctx = make_modal_context(1);
    check_format(ctx, "x.csv",
                 (const char *const[]){"mode,hz,note",
                                       "1,440,A4,0.00,1,2,3.4538776394910684,5,3,1\n",
                                       "2,1200.5,D6,37.60,2.7,0,,2.5,1,0.5\n",
                                       "coupling,pressure_per_impulse,pressure_share\n", NULL});
    check_format(
        ctx, "x.DSP",
        (const char *const[]){"nModes = 2;", "modeFreqs = (440, 1200.5);",
                              "modeT60s = (3.4538776394910684, 60);", "modeGains = (0.375, 0.125);",
                              "pm.modalModel(nModes, modeFreqs, modeT60s, modeGains)", NULL});
    check_format(ctx, "x.csd",
                 (const char *const[]){"giFreq ftgen 0, 0, -2, -2, 439.9", "index < 1",
                                       "</CsoundSynthesizer>", NULL});
    // a symbol starts small and has letters only
    check_format(ctx, "x.scd",
                 (const char *const[]){"SynthDef(\\mBowl_1", "#[439.9998", "#[1.5, 0.5]", NULL});
    CHECK(fr_mode_format("x.wav") == NULL);
    fr_context_destroy(ctx);
}

// one row answers smaller requests, other stiffness and density, but no other Poisson's ratio
TEST(cached_modes) {
    FrContext *ctx = make_modal_context(1);
    char folder[] = "/tmp/fracas-modes-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(0.1, 0.08, 0.05), 3, 3, 3, 1);
    FrMaterial m = kit_material(2700.0, 7e10, 0.33), other = kit_material(900.0, 1e10, 0.33),
               third = kit_material(900.0, 1e10, 0.2);
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 12};
    FrModes first, again, direct;
    bool hit;
    CHECK_OK(ctx, fr_modes_cached(ctx, &def, folder, &first, NULL, &hit));
    CHECK(!hit);
    def.count = 8;
    CHECK_OK(ctx, fr_modes_cached(ctx, &def, folder, &again, NULL, &hit));
    CHECK(hit);
    CHECK_INT(again.mode_count, 8);
    CHECK(!memcmp(first.lambda, again.lambda, 8 * sizeof(double)));
    CHECK(!memcmp(first.shape, again.shape, 8 * 3 * (size_t)mesh.node_count * sizeof(double)));
    fr_modes_free(ctx, &again);
    // other material of the same Poisson's ratio
    def.material = &other;
    CHECK_OK(ctx, fr_modes_cached(ctx, &def, folder, &again, NULL, &hit));
    CHECK(hit);
    CHECK_OK(ctx, fr_modes_compute(ctx, &def, &direct, NULL));
    // solver: eigenvalues converge to some 1e-12, vectors to the root of that
    for (int i = 0; i < 8; i++) CHECK_CLOSE(again.lambda[i], direct.lambda[i], 1e-10);
    CHECK_CLOSE(again.shape[5], direct.shape[5], 1e-6);
    fr_modes_free(ctx, &again);
    // a limit that the row covers, and one that it does not
    def.count = 0;
    def.max_hz = 0.5 * (sqrt(direct.lambda[5]) + sqrt(direct.lambda[6])) / (2.0 * FR_PI);
    CHECK_OK(ctx, fr_modes_cached(ctx, &def, folder, &again, NULL, &hit));
    CHECK(hit);
    CHECK_INT(again.mode_count, 6);
    fr_modes_free(ctx, &again);
    def.count = 13;
    def.max_hz = 0.0;
    CHECK_OK(ctx, fr_modes_cached(ctx, &def, folder, &again, NULL, &hit));
    CHECK(!hit);
    fr_modes_free(ctx, &again);
    fr_modes_free(ctx, &direct);
    FrModalDef turned = def;
    turned.material = &third;
    CHECK(fr_modes_key(&turned) != fr_modes_key(&def));
    turned = def;
    turned.lumped = true;
    CHECK(fr_modes_key(&turned) != fr_modes_key(&def));
    // a broken file is passed by
    char path[64];
    snprintf(path, sizeof path, "%s/modes.sqlite", folder);
    CHECK_OK(ctx, fr_file_save(ctx, path, "no database", 11));
    CHECK_OK(ctx, fr_modes_cached(ctx, &def, folder, &again, NULL, &hit));
    CHECK(!hit);
    fr_modes_free(ctx, &again);
    fr_modes_free(ctx, &first);
    fr_tetmesh_free(ctx, &mesh);
    unlink(path);
    rmdir(folder);
    fr_context_destroy(ctx);
}

static const char cube[] = "v 0 0 0\nv .1 0 0\nv .1 .1 0\nv 0 .1 0\nv 0 0 .1\nv .1 0 .1\n"
                           "v .1 .1 .1\nv 0 .1 .1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\n"
                           "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// narrower at the top: no prism, so it is stuffed
static const char stump[] = "v 0 0 0\nv .1 0 0\nv .1 .1 0\nv 0 .1 0\nv .01 .01 .1\nv .09 .01 .1\n"
                            "v .09 .09 .1\nv .01 .09 .1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\n"
                            "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static int64_t kept_meshes(const char *path) {
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    int64_t kept = -1;
    if (sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT count(*) FROM meshes", -1, &q, NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        kept = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return kept;
}

// what is hopeless is refused at once, with a size that fits
TEST(too_fine_is_refused_at_once) {
    FrContext *ctx = make_modal_context(1);
    FrText text;
    char folder[] = "/tmp/fracas-fine-XXXXXX", input[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(input, sizeof input, "%s/cube.obj", folder);
    CHECK_OK(ctx, fr_file_save(ctx, input, cube, sizeof cube - 1));
    FrModesDef job = fr_modes_def_default();
    job.input = input;
    job.material = "steel";
    job.size = 0.001;
    job.no_cache = true;
    clock_t begun = clock();
    CHECK_INT(fr_job_modes(ctx, &job, false, &text), FR_BAD_INPUT);
    CHECK(clock() - begun < 3 * CLOCKS_PER_SEC); // the tets alone would take a minute
    CHECK_HAS(fr_context_message(ctx), "for modes: ");
    CHECK_HAS(fr_context_message(ctx), " fits");
    unlink(input);
    rmdir(folder);
    fr_context_destroy(ctx);
}

typedef struct Notes {
    int notes, cells; ///< all, and those about cells that cut off edges
} Notes;

static void count_notes(void *user, FrLogLevel level, const char *text) {
    Notes *n = user;
    (void)level;
    n->notes++;
    n->cells += strstr(text, "cut off") != NULL;
}

// the table of the job without the line of its times, and what was printed
static FrText table_of(FrContextDef *def, const FrModesDef *job, Notes *notes) {
    FrText text;
    *notes = (Notes){0};
    def->user = notes;
    FrContext *ctx = fr_context_create(def);
    CHECK_OK(ctx, fr_job_modes(ctx, job, false, &text));
    char *copy = strdup(strstr(text.data, "mode "));
    fr_text_free(ctx, &text);
    fr_context_destroy(ctx);
    return (FrText){copy, strlen(copy)};
}

// tets are made once: the second time the same table comes with the same notes and nothing is
// meshed; another size, another file content or a spoilt row makes them anew
TEST(kept_tets) {
    FrContext *ctx = make_modal_context(1);
    FrContextDef def = fr_context_def_default();
    def.tasks.workers = 1;
    def.log = count_notes;
    char folder[] = "/tmp/fracas-tets-XXXXXX", input[64], meshes[64], modes[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(input, sizeof input, "%s/stump.obj", folder);
    snprintf(meshes, sizeof meshes, "%s/meshes.sqlite", folder);
    snprintf(modes, sizeof modes, "%s/modes.sqlite", folder);
    CHECK_OK(ctx, fr_file_save(ctx, input, stump, sizeof stump - 1));
    FrModesDef job = fr_modes_def_default();
    job.input = input;
    job.material = "steel";
    job.size = 0.03;
    job.count = 3;
    job.cache = folder;
    Notes first, again;
    FrText one = table_of(&def, &job, &first), two = table_of(&def, &job, &again);
    CHECK(!strcmp(one.data, two.data));
    CHECK(first.cells == 1 && again.cells == 1);
    CHECK_INT(again.notes, first.notes);
    CHECK_INT(kept_meshes(meshes), 1);
    free(two.data);
    job.order = 2; // what a surface gets anyway
    two = table_of(&def, &job, &again);
    CHECK_INT(kept_meshes(meshes), 1);
    free(two.data);
    job.size = 0.04;
    two = table_of(&def, &job, &again);
    CHECK_INT(kept_meshes(meshes), 2);
    free(two.data);
    job.size = 0.03;
    CHECK_OK(ctx, fr_file_save(ctx, input, stump, sizeof stump - 2)); // one byte less
    two = table_of(&def, &job, &again);
    CHECK_INT(kept_meshes(meshes), 3);
    free(two.data);
    sqlite3 *db;
    CHECK(sqlite3_open(meshes, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "UPDATE meshes SET mesh = x'0102'", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    two = table_of(&def, &job, &again);
    CHECK(!strcmp(one.data, two.data));
    CHECK_INT(again.notes, first.notes + 1); // that it could not be read
    free(two.data);
    free(one.data);
    unlink(input), unlink(meshes), unlink(modes);
    CHECK_INT(rmdir(folder), 0);
    fr_context_destroy(ctx);
}

// everything the job needs, with each allocation refused once
TEST(every_refused_allocation_is_survived) {
    FrContext *plain = make_modal_context(1);
    FrTetMesh mesh = kit_box(plain, fr_vec3(1, 0.9, 0.8), 2, 2, 2, 1);
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1, .count = 6};
    bool done = false;
    for (int k = 1; !done && k < 300; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        fr_backend_fill(ctx);
        int before = refuser.live;
        refuser.refuse_at = refuser.calls + k;
        FrModes modes = {0};
        FrModeTable table = {0};
        FrResult result = fr_modes_compute(ctx, &def, &modes, NULL);
        if (result == FR_OK) result = fr_mode_table(ctx, &mesh, &modes, &m, &table);
        CHECK(result == FR_OK || result == FR_NO_MEMORY);
        done = result == FR_OK;
        fr_mode_table_free(ctx, &table);
        fr_modes_free(ctx, &modes);
        CHECK_INT(refuser.live, before);
        fr_context_destroy(ctx);
    }
    CHECK(done);
    fr_tetmesh_free(plain, &mesh);
    fr_context_destroy(plain);
}

TEST(what_is_wrong_is_reported) {
    FrContext *ctx = make_modal_context(1);
    FrMaterial m = kit_material(1.0, 1.0, 0.3);
    FrTetMesh mesh = kit_box(ctx, fr_vec3(1, 1, 1), 2, 2, 2, 1);
    FrModalDef def = {.mesh = &mesh, .material = &m, .material_count = 1};
    FrModes modes;
    CHECK_INT(fr_modes_compute(ctx, &def, &modes, NULL), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), "how many modes");
    def.count = 3;
    m.density = 0.0;
    CHECK_INT(fr_modes_compute(ctx, &def, &modes, NULL), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "density is 0");
    m.density = 1.0;
    // two cubes that touch along an edge swing about it
    FrTetMesh hinge = kit_box(ctx, fr_vec3(2, 2, 1), 2, 2, 1, 1);
    uint8_t *keep = malloc((size_t)hinge.tet_count);
    for (int32_t e = 0; e < hinge.tet_count; e++) {
        FrVec3 c = fr_vec3_zero;
        for (int i = 0; i < 4; i++) c = fr_add(c, fr_get3(hinge.x, hinge.tet[e][i]));
        keep[e] = c.x * c.y > 0.0;
    }
    CHECK_OK(ctx, fr_tetmesh_keep(ctx, &hinge, keep));
    def.mesh = &hinge;
    def.parts = true;
    CHECK_INT(fr_modes_compute(ctx, &def, &modes, NULL), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "without a common face");
    CHECK(modes.lambda == NULL);
    free(keep);
    fr_tetmesh_free(ctx, &hinge);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

// a whole job: what it prints, writes and refuses
TEST(the_job) {
    FrContext *ctx = make_modal_context(1);
    FrText text;
    FrModesDef job = fr_modes_def_default();
    job.input = "x.wav";
    job.material = "steel";
    CHECK_INT(fr_job_modes(ctx, &job, false, &text), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "not a scene");
    job.output = "x.wav";
    CHECK_INT(fr_job_modes(ctx, &job, false, &text), FR_BAD_USE);
    CHECK_HAS(fr_context_message(ctx), ".dsp (Faust)");
    CHECK(text.data == NULL);
    fr_context_destroy(ctx);
}

static const char swing[] =
    "local bar = body { name = 'bar', model = 'frame', material = 'steel', cells = 8*mm,\n"
    "  shape = box { 30*cm, 2*cm, 6*mm }, at = {1, 2, 3}, turn = {0, 0, 90} }\n"
    "hinge { bar, at = {1, 1.85, 3}, axis = {1, 0, 0}, grip = ";

// the hz of a mode of the bar, with this grip at its end
static double swinging_hz(FrContext *ctx, const char *grip, int mode) {
    FrText text;
    FrModesDef job = fr_modes_def_default();
    job.input = "swing.lua";
    job.count = 4;
    job.no_cache = true;
    char scene[500];
    int size = snprintf(scene, sizeof scene, "%s%s }\n", swing, grip);
    CHECK_OK(ctx, fr_file_save(ctx, "swing.lua", scene, (size_t)size));
    CHECK_OK(ctx, fr_job_modes(ctx, &job, true, &text));
    const char *at = text.data;
    for (int k = 0; at && k < mode; k++) at = strstr(at + 1, "\"hz\":");
    double hz = at ? strtod(at + 5, NULL) : 0.0;
    fr_text_free(ctx, &text);
    return hz;
}

// A bar on a hinge whose axis holds it is a beam pinned at one end and free at the other,
// beta L = 3.9266; without a grip it is free at both, 4.7300. It still swings: that is no mode.
TEST(what_a_hinge_grips_cannot_vibrate) {
    FrContext *ctx = make_modal_context(1);
    double scale = sqrt(210e9 * 0.006 * 0.006 / (12 * 7850)) / (2 * M_PI * 0.3 * 0.3);
    // model: a thin beam, of which shear takes (h / L)^2; the mesh adds as little
    CHECK_CLOSE(swinging_hz(ctx, "0.1*mm", 2), 3.9266 * 3.9266 * scale, 5e-3);
    // a wider grip holds no more of it: it turns all the same
    CHECK_CLOSE(swinging_hz(ctx, "5*mm", 2), 3.9266 * 3.9266 * scale, 5e-3);
    CHECK_CLOSE(swinging_hz(ctx, "0", 1), 4.73 * 4.73 * scale, 5e-3);
    static const char far[] = "pin { body { name = 'b', model = 'frame', material = 'steel',\n"
                              "  shape = box { 1, 1, 1 } }, at = {2, 0, 0}, grip = 1*mm }\n";
    FrModesDef job = fr_modes_def_default();
    job.input = "far.lua";
    job.count = 4;
    job.no_cache = true;
    FrText text;
    CHECK_OK(ctx, fr_file_save(ctx, "far.lua", far, sizeof far - 1));
    CHECK_INT(fr_job_modes(ctx, &job, false, &text), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "holds no node");
    fr_context_destroy(ctx);
}
