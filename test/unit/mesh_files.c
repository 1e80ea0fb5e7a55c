// mesh_files.c: Gmsh and TetGen files come in, go out, and bad ones end in a message.

#include "mesh_support.h"
#include "mesh/meshfile.h"
#include "mesh/order2.h"
#include "mesh/overlap.h"
#include "mesh/quality.h"
#include "mesh/structured.h"
#include "base/random.h"
#include <unistd.h>

static const char msh2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n1\n3 7 \"steel\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n15 1 1 1\n20 9 9 9\n$EndNodes\n"
    "$Elements\n4\n1 15 2 0 1 1\n2 2 2 0 1 1 2 3\n3 4 2 7 1 1 2 3 4\n"
    "4 4 2 3 1 3 2 4 15\n$EndElements\n";

static const char msh4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$Entities\n1 0 0 2\n1 0 0 0 0\n1 0 0 0 1 1 1 1 5 0\n2 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 5 1 15\n0 1 0 1\n1\n0 0 0\n3 1 0 4\n2\n3\n4\n15\n1 0 0\n0 1 0\n0 0 1\n1 1 "
    "1\n$EndNodes\n"
    "$Elements\n3 3 1 3\n0 1 15 1\n1 1\n3 1 4 1\n2 1 2 3 4\n3 2 4 1\n3 2 3 4 15\n$EndElements\n";

static FrResult read_text(FrContext *ctx, const char *text, FrTetMesh *mesh) {
    return fr_msh_read(ctx, "a.msh", text, strlen(text), mesh);
}

TEST(msh_versions_2_and_4_give_the_same_mesh) {
    FrContext *ctx = make_context(1);
    const char *text[2] = {msh2, msh4};
    for (int k = 0; k < 2; k++) {
        FrTetMesh mesh;
        CHECK_OK(ctx, read_text(ctx, text[k], &mesh));
        CHECK_INT(mesh.node_count, 5);
        CHECK_INT(mesh.tet_count, 2);
        CHECK(mesh.region != NULL);
        // tags 7, 3 and 5, 2: ascending order is region 0, 1
        if (mesh.region) CHECK_INT(mesh.region[0], 1);
        if (mesh.region) CHECK_INT(mesh.region[1], 0);
        CHECK_CLOSE(fr_tetmesh_props(&mesh).volume, 0.5, 1e-14); // rounding: of a third and a sixth
        check_mesh(ctx, &mesh);
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// a mesh twice in one, the second shifted, with nodes of its own
static FrTetMesh doubled(FrContext *ctx, const FrTetMesh *one, FrVec3 shift) {
    FrTetMesh two;
    int32_t nodes = one->node_count, tets = one->tet_count;
    CHECK_OK(ctx, fr_tetmesh_alloc(ctx, 2 * nodes, 2 * tets, 1, false, &two));
    for (int32_t n = 0; n < nodes; n++) {
        fr_set3(two.x, n, fr_get3(one->x, n));
        fr_set3(two.x, nodes + n, fr_add(fr_get3(one->x, n), shift));
    }
    for (int32_t e = 0; e < tets; e++)
        for (int i = 0; i < 4; i++) {
            two.tet[e][i] = one->tet[e][i];
            two.tet[tets + e][i] = nodes + one->tet[e][i];
        }
    return two;
}

// a box moved by s shares (1 - s/side) of itself along each axis, the middle of that is half way
TEST(overlaps_of_two_boxes_are_those_of_boxes) {
    FrContext *ctx = make_context(1);
    const FrVec3 shift[] = {{0.03, 0, 0}, {0, 0, 0},   {0.033, 0.047, -0.021},
                            {0.1, 0, 0},  {0.3, 0, 0}, {0, 0.1 - 1e-9, 0}};
    FrTetMesh one;
    FrBox box = {{0, 0, 0}, {0.1, 0.1, 0.1}};
    CHECK_OK(ctx, fr_mesh_box_sized(ctx, box, 0.025, 1, &one));
    for (size_t k = 0; k < sizeof shift / sizeof shift[0]; k++) {
        FrVec3 s = shift[k];
        FrTetMesh two = doubled(ctx, &one, s);
        FrMeshOverlap overlap;
        CHECK_OK(ctx, fr_tetmesh_overlap(ctx, &two, &overlap));
        double shared = fr_max(0.0, 0.1 - fabs(s.x)) * (0.1 - fabs(s.y)) * (0.1 - fabs(s.z));
        if (k >= 3) {
            CHECK_INT(overlap.tets, 0);
            CHECK(overlap.volume < 1e-7 * 0.001); // exact: none is found
        } else {
            CHECK(overlap.tets > one.tet_count / 2);
            // rounding: sums of overlaps of tets
            CHECK_CLOSE(overlap.volume, shared, 1e-12);
            FrVec3 middle = fr_add(fr_box_center(box), fr_scale(0.5, s));
            CHECK(fr_distance(overlap.centroid, middle) < 1e-12);
        }
        fr_tetmesh_free(ctx, &two);
    }
    fr_tetmesh_free(ctx, &one);
    fr_context_destroy(ctx);
}

// two tets on one side of the face they share, then on both
TEST(neighbours_that_overlap_are_found) {
    FrContext *ctx = make_context(1);
    static const double x[6][3] = {{0, 0, 0}, {1, 0, 0},   {0, 1, 0},
                                   {0, 0, 1}, {0, 0, 0.5}, {0.25, 0.25, -1}};
    static const int32_t pair[2][4] = {{0, 1, 2, 4}, {0, 2, 1, 5}};
    for (int k = 0; k < 2; k++) {
        FrTetMesh mesh;
        CHECK_OK(ctx, fr_tetmesh_alloc(ctx, 6, 2, 1, false, &mesh));
        for (int32_t n = 0; n < 6; n++) fr_set3(mesh.x, n, fr_vec3(x[n][0], x[n][1], x[n][2]));
        for (int i = 0; i < 4; i++) mesh.tet[0][i] = i, mesh.tet[1][i] = pair[k][i];
        FrMeshOverlap overlap;
        CHECK_OK(ctx, fr_tetmesh_overlap(ctx, &mesh, &overlap));
        CHECK_INT(overlap.tets, k == 0 ? 2 : 0);
        CHECK_NEAR(overlap.volume, k == 0 ? 0.5 / 6.0 : 0.0, 1e-12); // rounding
        fr_tetmesh_free(ctx, &mesh);
    }
    fr_context_destroy(ctx);
}

// how many warnings about overlaps were given
static void hear(void *user, FrLogLevel level, const char *text) {
    if (level == FR_LOG_WARNING && strstr(text, "lie inside each other")) ++*(int *)user;
}

TEST(sound_meshes_of_all_kinds_have_no_overlaps) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh, twice;
    FrMeshOverlap overlap;
    CHECK_OK(ctx, fr_mesh_tube_layers(ctx, (FrTube){1, 0.3, 1}, 0.1, 0, &mesh));
    CHECK_OK(ctx, fr_tetmesh_overlap(ctx, &mesh, &overlap));
    CHECK_INT(overlap.tets, 0);
    int warnings = 0;
    twice = doubled(ctx, &mesh, fr_vec3(0.5, 0, 0));
    CHECK_OK(ctx, fr_msh_save(ctx, "overlap.msh", &twice));
    CHECK_OK(ctx, fr_msh_save(ctx, "sound.msh", &mesh));
    fr_tetmesh_free(ctx, &twice);
    fr_tetmesh_free(ctx, &mesh);
    fr_log_listen(ctx, hear, &warnings);
    CHECK_OK(ctx, fr_msh_load(ctx, "sound.msh", &mesh));
    CHECK_INT(warnings, 0);
    fr_tetmesh_free(ctx, &mesh);
    CHECK_OK(ctx, fr_msh_load(ctx, "overlap.msh", &mesh));
    CHECK_INT(warnings, 1);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}

static void check_same(const FrTetMesh *a, const FrTetMesh *b) {
    CHECK(fr_tetmesh_hash(a) == fr_tetmesh_hash(b));
}

static FrTetMesh make_mesh(FrContext *ctx, bool order2, bool regions) {
    FrTetMesh linear, mesh;
    CHECK_OK(ctx, fr_mesh_tube_layers(ctx, (FrTube){1, 0.3, 1}, 0.5, 0, &linear));
    if (!order2) {
        mesh = linear;
    } else {
        Body rod = {.kind = ROD, .a = 1, .b = 0.5, .turn = {1, 0, 0, 0}};
        FrField field = body_field(&rod);
        CHECK_OK(ctx, fr_tetmesh_order2(ctx, &linear, &field, &mesh, NULL));
        fr_tetmesh_free(ctx, &linear);
    }
    if (regions) {
        mesh.region = FR_NEW(ctx, int32_t, mesh.tet_count);
        for (int32_t e = 0; e < mesh.tet_count; e++) mesh.region[e] = e % 3;
    }
    return mesh;
}

TEST(round_trips_are_exact) {
    FrContext *ctx = make_context(1);
    char path[64], part[80];
    snprintf(path, sizeof path, "/tmp/fracas-mesh-%d", (int)getpid());
    for (int k = 0; k < 4; k++) {
        FrTetMesh mesh = make_mesh(ctx, k & 1, k & 2), back;
        snprintf(part, sizeof part, "%s.msh", path);
        CHECK_OK(ctx, fr_msh_save(ctx, part, &mesh));
        CHECK_OK(ctx, fr_msh_load(ctx, part, &back));
        check_same(&mesh, &back);
        fr_tetmesh_free(ctx, &back);
        unlink(part);
        CHECK_OK(ctx, fr_tetgen_save(ctx, path, &mesh));
        snprintf(part, sizeof part, "%s.ele", path);
        CHECK_OK(ctx, fr_tetgen_load(ctx, part, &back));
        check_same(&mesh, &back);
        fr_tetmesh_free(ctx, &back);
        unlink(part);
        snprintf(part, sizeof part, "%s.node", path);
        unlink(part);
        fr_tetmesh_free(ctx, &mesh);
    }
    FrTetMesh mesh;
    CHECK_INT(fr_msh_load(ctx, "/nowhere/x.msh", &mesh), FR_BAD_INPUT);
    CHECK_INT(fr_tetgen_load(ctx, "/nowhere/x", &mesh), FR_BAD_INPUT);
    fr_context_destroy(ctx);
}

static const char node1[] = "# made by hand\n5 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0.5 1\n3 0 1 0 0.5 1\n"
                            "4 0 0 1 0.5 0\n\n5 1 1 1 0.5 0\n";
static const char ele1[] = "2 4 1\n1 1 2 3 4 10\n2 3 2 4 5 20 # turned\n";

TEST(tetgen_from_one_and_from_zero) {
    FrContext *ctx = make_context(1);
    FrTetMesh mesh, zero;
    CHECK_OK(ctx, fr_tetgen_read(ctx, (FrTextFile){"a.node", node1, strlen(node1)},
                                 (FrTextFile){"a.ele", ele1, strlen(ele1)}, &mesh));
    CHECK_INT(mesh.tet_count, 2);
    CHECK_INT(mesh.region[1], 1);
    CHECK_CLOSE(fr_tetmesh_props(&mesh).volume, 0.5, 1e-14); // rounding: of a third and a sixth
    const char *node0 = "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n";
    const char *ele0 = "2 4 1\n0 0 1 2 3 10\n1 2 1 3 4 20\n";
    CHECK_OK(ctx, fr_tetgen_read(ctx, (FrTextFile){"b.node", node0, strlen(node0)},
                                 (FrTextFile){"b.ele", ele0, strlen(ele0)}, &zero));
    check_same(&mesh, &zero);
    fr_tetmesh_free(ctx, &mesh);
    fr_tetmesh_free(ctx, &zero);
    fr_context_destroy(ctx);
}

TEST(mistakes_are_named_with_line_and_column) {
    FrContext *ctx = make_context(1);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "a.msh:1:1: the file ends without $Elements"},
        {"hello", "a.msh:1:1"},
        {"$Nodes\n", "wanted $MeshFormat first"},
        {"$MeshFormat\n3.1 0 8\n$EndMeshFormat\n", "a.msh:2:1: version 3.1"},
        {"$MeshFormat\n4.1 1 8\n", "a.msh:2:5: a binary file"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n0\n", "$Elements before $Nodes"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999\n", "a.msh:5:1: the number of nodes"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 nan 0\n", "a.msh:6:5"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 0 0 0\n",
         "node 1 is there twice"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comment\nfoo\n", "has no end"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 5 0 "
         "1\n",
         "a.msh:10:3: element type 5 is a solid"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 "
         "1 2 3 4\n",
         "a.msh:10:9: node 2 is not in $Nodes"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 "
         "0\n$EndNodes\n$Elements\n0\n$EndElements\n",
         "a.msh: no tets"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        FrTetMesh mesh;
        CHECK_INT(read_text(ctx, bad[k].text, &mesh), FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), bad[k].message);
        CHECK(mesh.x == NULL);
    }
    // a flat tet is refused by name
    FrTetMesh mesh;
    const char *flat =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
        "4 1 1 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
    CHECK_INT(read_text(ctx, flat, &mesh), FR_BAD_INPUT);
    CHECK_HAS(fr_context_message(ctx), "a.msh: tet 1 has volume");
    static const struct {
        const char *node, *ele, *message;
    } worse[] = {
        {"", "", "a.node:1:1"},
        {"1 2 0 0\n", "", "a.node:1:3"},
        {"1 3 0 0\n5 0 0 0\n", "", "points start at 5"},
        {"2 3 0 0\n0 0 0 0\n2 1 1 1\n", "", "a.node:3:1: point 2 out of order"},
        {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 4 0\n0 0 1 2 4\n", "a.ele:2:9"},
        {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 5 0\n", "5 nodes per tet"},
        {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 4 0\n", "a.ele:"},
    };
    for (size_t k = 0; k < sizeof worse / sizeof worse[0]; k++) {
        CHECK_INT(fr_tetgen_read(ctx, (FrTextFile){"a.node", worse[k].node, strlen(worse[k].node)},
                                 (FrTextFile){"a.ele", worse[k].ele, strlen(worse[k].ele)}, &mesh),
                  FR_BAD_INPUT);
        CHECK_HAS(fr_context_message(ctx), worse[k].message);
    }
    fr_context_destroy(ctx);
}

// no prefix of a file crashes or passes for the whole; bytes are copied so that a sanitizer sees
// the end
TEST(every_prefix_ends_in_a_message) {
    FrContext *ctx = make_context(1);
    const char *text[2] = {msh2, msh4};
    for (int k = 0; k < 2; k++)
        for (size_t size = 0; size < strlen(text[k]); size++) {
            char *bytes = malloc(size ? size : 1);
            memcpy(bytes, text[k], size);
            FrTetMesh mesh;
            FrResult result = fr_msh_read(ctx, "p.msh", bytes, size, &mesh);
            // only the last line break can be missed
            if (result == FR_OK) CHECK(size + 1 >= strlen(text[k]));
            if (result != FR_OK) CHECK_HAS(fr_context_message(ctx), "p.msh:");
            fr_tetmesh_free(ctx, &mesh);
            free(bytes);
        }
    for (size_t size = 0; size < strlen(node1) + strlen(ele1); size++) {
        size_t nodes = size < strlen(node1) ? size : strlen(node1), tets = size - nodes;
        char *a = malloc(nodes ? nodes : 1), *b = malloc(tets ? tets : 1);
        memcpy(a, node1, nodes);
        memcpy(b, ele1, tets);
        FrTetMesh mesh;
        FrResult result = fr_tetgen_read(ctx, (FrTextFile){"p.node", a, nodes},
                                         (FrTextFile){"p.ele", b, tets}, &mesh);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        fr_tetmesh_free(ctx, &mesh);
        free(a);
        free(b);
    }
    fr_context_destroy(ctx);
}

// changed bytes: a mesh or a message, and never memory out of proportion
TEST(mutated_files_do_no_harm) {
    FrRandom r = fr_random_for(11, "mutate", 0);
    const char *text[2] = {msh2, msh4};
    for (int k = 0; k < 2000; k++) {
        Refuser refuser = {0};
        FrContext *ctx = make_refusing_context(&refuser);
        refuser.largest = 0;
        char bytes[1024];
        size_t size = strlen(text[k % 2]);
        memcpy(bytes, text[k % 2], size);
        for (int m = 0; m <= k % 5; m++) {
            size_t at = (size_t)fr_random_below(&r, (int32_t)size);
            static const char pool[] = "0123456789 .-+e$\n\t#\xff\0n";
            bytes[at] = pool[fr_random_below(&r, (int32_t)sizeof pool)];
        }
        FrTetMesh mesh;
        FrResult result = fr_msh_read(ctx, "m.msh", bytes, size, &mesh);
        CHECK(result == FR_OK || result == FR_BAD_INPUT);
        CHECK(refuser.largest < 100 * size);
        fr_tetmesh_free(ctx, &mesh);
        fr_context_destroy(ctx);
        CHECK_INT(refuser.live, 0);
    }
}

static FrResult read_both(FrContext *ctx) {
    FrTetMesh mesh;
    FR_TRY(fr_msh_read(ctx, "a.msh", msh4, strlen(msh4), &mesh));
    fr_tetmesh_free(ctx, &mesh);
    FR_TRY(fr_tetgen_read(ctx, (FrTextFile){"a.node", node1, strlen(node1)},
                          (FrTextFile){"a.ele", ele1, strlen(ele1)}, &mesh));
    fr_tetmesh_free(ctx, &mesh);
    return FR_OK;
}

TEST(file_refusals) { refuse_each(read_both); }

// the sync of the folder may go without memory, all else may not
TEST(saving_without_memory_leaves_no_file) {
    const char *path = "/tmp/fracas-mesh-refuse.msh";
    for (int k = 1, refused = 1; refused; k++) {
        Refuser r = {0};
        FrContext *ctx = make_refusing_context(&r);
        FrTetMesh mesh;
        CHECK_OK(ctx, read_text(ctx, msh2, &mesh));
        r.refuse_at = r.calls + k;
        FrResult result = fr_msh_save(ctx, path, &mesh);
        refused = r.calls >= r.refuse_at;
        CHECK(result == FR_OK || (refused && result == FR_NO_MEMORY));
        CHECK_INT(access(path, F_OK) == 0, result == FR_OK);
        unlink(path);
        fr_tetmesh_free(ctx, &mesh);
        fr_context_destroy(ctx);
        CHECK_INT(r.live, 0);
    }
}
