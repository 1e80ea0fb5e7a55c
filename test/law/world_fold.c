// world_fold.c: a strip folded by its ends does not pass through itself, and comes apart again.

#include "world_kit.h"
#include "mesh/structured.h"
#include "mesh/tetmesh.h"

#define LENGTH 0.4 // m
#define THICK 0.02 // m
#define CELLS 32   // along the strip
#define FOLDED 0.5 // s
#define FREED 0.7  // s

// even counts of cells: the mesh is its own mirror image, node by node
static FrTetMesh make_strip(FrContext *ctx) {
    FrBox box = {{-0.5 * LENGTH, -0.02, -0.5 * THICK}, {0.5 * LENGTH, 0.02, 0.5 * THICK}};
    FrTetMesh mesh;
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (const int32_t[3]){CELLS, 2, 2}, &mesh));
    return mesh;
}

// one end turned up by 50 degrees and led to 14 mm beside the middle (0.2 m cos 50 = 129 mm): the
// arms lean to each other and would cross
static void lead_end(FrContext *ctx, FrWorld *world, FrBodyId body, const FrTetMesh *mesh,
                     double side) {
    int32_t node[32], count = 0;
    for (int32_t n = 0; n < mesh->node_count; n++)
        if (fabs(mesh->x[3 * n] - side * 0.5 * LENGTH) < 1e-9) node[count++] = n;
    FrQuat turn = fr_quat_from_rotation(fr_vec3(0, -side * 50.0 * FR_PI / 180.0, 0));
    FrKey key[2] = {{0.0, {0, 0, 0}, {1, 0, 0, 0}}, {FOLDED, {-side * 0.115, 0, 0}, turn}};
    FrDriveDef drive = fr_drive_def_default();
    drive.body = body;
    drive.node = node;
    drive.node_count = count;
    drive.until = FREED;
    drive.track = (FrTrack){key, 2, {0, 0, 0}};
    CHECK_OK(ctx, fr_drive_create(world, &drive, NULL));
}

// The penalty is four times the default: where the arms are bent onto each other the default lets
// the faces sink in by 14 % of the thickness, this by 5 %.
static FrWorld *folding(FrContext *ctx, const FrTetMesh *mesh, bool self_contact) {
    FrMaterial material = elastic_material(1e5, 0.3);
    material.alpha1 = 2e-3;
    fr_material_set_young(&material, 1e5, 0.3);
    FrWorldDef world_def = fr_world_def_default();
    world_def.gravity = fr_vec3_zero;
    world_def.contact_stiffness = 4.0;
    FrWorld *world = NULL;
    CHECK_OK(ctx, fr_world_create(ctx, &world_def, &world));
    FrBodyDef def = fr_body_def_default();
    def.mesh = mesh;
    def.material = &material;
    def.material_count = 1;
    def.self_contact = self_contact;
    FrBodyId id;
    CHECK_OK(ctx, fr_body_create(world, &def, &id));
    lead_end(ctx, world, id, mesh, -1.0);
    lead_end(ctx, world, id, mesh, 1.0);
    return world;
}

// a node of the inside of the right arm and its mirror image on the left
typedef struct Facing {
    int32_t pair[128][2], count;
} Facing;

static Facing find_facing(const FrTetMesh *mesh) {
    Facing facing = {.count = 0};
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 x = fr_get3(mesh->x, n), mirrored = fr_vec3(-x.x, x.y, x.z);
        if (x.x < 0.1 * LENGTH || x.z < 0.49 * THICK) continue;
        for (int32_t k = 0; k < mesh->node_count; k++) {
            if (fr_distance(fr_get3(mesh->x, k), mirrored) > 1e-9) continue;
            facing.pair[facing.count][0] = n;
            facing.pair[facing.count++][1] = k;
        }
    }
    return facing;
}

// least distance of facing nodes along x, m; below 0: they passed each other
static double least_gap(const Facing *facing, FrWorld *world) {
    const double *p = fr_world_view(world)->frame[0].p;
    double gap = HUGE_VAL;
    for (int32_t k = 0; k < facing->count; k++)
        gap = fr_min(gap, p[3 * facing->pair[k][0]] - p[3 * facing->pair[k][1]]);
    return gap;
}

static double least_until(FrContext *ctx, const Facing *facing, FrWorld *world, double until) {
    double least = HUGE_VAL;
    while (fr_world_time(world) < until - 1e-9) {
        FrResult result = fr_world_step(world);
        if (result != FR_OK) {
            CHECK_OK(ctx, result);
            break;
        }
        least = fr_min(least, least_gap(facing, world));
    }
    return least;
}

TEST(folded_faces_hold_and_come_apart) {
    FrContext *ctx = test_context(1);
    FrTetMesh mesh = make_strip(ctx);
    Facing facing = find_facing(&mesh);
    CHECK_INT(facing.count, 3 * 13); // three rows, cells 4 to 16 of an arm
    FrWorld *world = folding(ctx, &mesh, true);
    double least = least_until(ctx, &facing, world, FREED);
    CHECK(least < 0.0);          // they met
    CHECK(least > -0.1 * THICK); // and held: the overlap of a penalty, not a passage
    test_run(ctx, world, FREED + 0.3);
    CHECK(least_gap(&facing, world) > THICK); // let go they part; nothing sticks or is entangled
    fr_world_destroy(world);
    // the same without self contact goes through: it is the contact that held
    world = folding(ctx, &mesh, false);
    CHECK(least_until(ctx, &facing, world, FREED) < -THICK);
    fr_world_destroy(world);
    fr_tetmesh_free(ctx, &mesh);
    fr_context_destroy(ctx);
}
