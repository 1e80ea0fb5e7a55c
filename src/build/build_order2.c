// build_order2.c: 10-node tets, their mid-nodes on the shape that the tets were made of.

#include "build/build.h"
#include "mesh/order2.h"
#include "mesh/tetmesh.h"

/// Share of mid-nodes short of the shape from which it is reported; fewer do not change a pitch.
#define MANY 0.05

FrResult fr_build_order2(FrContext *ctx, const FrSceneBody *body, const char *folder,
                         FrBuiltMesh *built) {
    if (built->mesh.order == 2) return FR_OK;
    FrShapeSet *set;
    const FrShape *shape;
    FrField field;
    FrTetMesh curved;
    FrOrder2Report report;
    bool known = body->shape.kind != FR_SCENE_MESH;
    FR_TRY(fr_shapeset_create(ctx, &set));
    fr_log_mute(ctx, true); // its file was read for the tets
    FrResult result = known ? fr_build_shape(ctx, set, &body->shape, folder, &shape) : FR_OK;
    fr_log_mute(ctx, false);
    if (result == FR_OK && known) fr_shape_field(shape, &field);
    if (result == FR_OK)
        result = fr_tetmesh_order2(ctx, &built->mesh, known ? &field : NULL, &curved, &report);
    fr_shapeset_destroy(set);
    FR_TRY(result);
    fr_tetmesh_free(ctx, &built->mesh);
    built->mesh = curved;
    bool many = report.pulled_back > MANY * report.projected;
    if (report.pulled_back)
        fr_log(ctx, many ? FR_LOG_INFO : FR_LOG_DEBUG,
               "%s: %d of %d mid-nodes reach the shape only part of the way, or their tets would "
               "turn over; smaller cells help",
               body->name, report.pulled_back, report.projected);
    return FR_OK;
}
