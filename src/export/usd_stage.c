// usd_stage.c: what USD has beside the bodies: header, looks, camera and lights.

#include "export/usd_text.h"
#include <string.h>

static FrResult put_header(FrUsd *u) {
    const FrUsdGather *g = &u->gather;
    FR_TRY(fr_usd_put(u, "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Fracas\"\n"));
    FR_TRY(fr_usd_put(u, g->options.preset == FR_USD_UNREAL ? "    metersPerUnit = 0.01\n"
                                                            : "    metersPerUnit = 1\n"));
    FR_TRY(fr_usd_put(u, g->options.preset == FR_USD_HOUDINI ? "    upAxis = \"Y\"\n"
                                                             : "    upAxis = \"Z\"\n"));
    FR_TRY(fr_usd_put(u, "    startTimeCode = "));
    FR_TRY(fr_usd_time(u, g->code[0]));
    FR_TRY(fr_usd_put(u, "\n    endTimeCode = "));
    FR_TRY(fr_usd_time(u, g->code[g->frame_count - 1]));
    FR_TRY(fr_usd_put(u, "\n    framesPerSecond = "));
    FR_TRY(fr_usd_time(u, g->options.fps));
    FR_TRY(fr_usd_put(u, "\n    timeCodesPerSecond = "));
    FR_TRY(fr_usd_time(u, g->options.fps));
    return fr_usd_put(u, "\n)\n\ndef Xform \"World\"\n{\n");
}

static FrResult put_look(FrUsd *u, const FrUsdBody *body, bool inside) {
    const FrMaterial *m = &body->material;
    float colour[3] = {m->colour[0], m->colour[1], m->colour[2]};
    if (inside) fr_material_inside(m, colour);
    FR_TRY(fr_usd_put(u, "        def Material \""));
    FR_TRY(fr_usd_put(u, body->look));
    FR_TRY(fr_usd_put(u, inside ? "_inside\"\n        {\n" : "\"\n        {\n"));
    FR_TRY(fr_usd_put(u, "            token outputs:surface.connect = </World/Looks/"));
    FR_TRY(fr_usd_put(u, body->look));
    FR_TRY(
        fr_usd_put(u, inside ? "_inside/shader.outputs:surface>\n" : "/shader.outputs:surface>\n"));
    FR_TRY(fr_usd_put(u, "            def Shader \"shader\"\n            {\n"
                         "                uniform token info:id = \"UsdPreviewSurface\"\n"
                         "                color3f inputs:diffuseColor = "));
    FR_TRY(fr_usd_tuple(u, colour, 3));
    FR_TRY(fr_usd_put(u, "\n                float inputs:roughness = "));
    FR_TRY(fr_usd_number(u, (double)m->roughness));
    FR_TRY(fr_usd_put(u, "\n                float inputs:metallic = "));
    FR_TRY(fr_usd_number(u, (double)m->metallic));
    FR_TRY(fr_usd_put(u, "\n                float inputs:opacity = "));
    FR_TRY(fr_usd_number(u, (double)m->opacity));
    return fr_usd_put(u, "\n                token outputs:surface\n            }\n        }\n");
}

// does any prim with this look have faces that cracks opened?
static bool breaks(const FrUsd *u, int32_t look) {
    for (int32_t b = 0; b < u->gather.prim.count; b++) {
        const FrUsdBody *body = &u->gather.prim.data[b];
        if (body->material_index != look) continue;
        for (const FrUsdShape *s = body->shape; s; s = s->next)
            if (s->inside_count) return true;
    }
    return false;
}

static FrResult put_looks(FrUsd *u) {
    FR_TRY(fr_usd_put(u, "    def Scope \"Looks\"\n    {\n"));
    for (int32_t b = 0; b < u->gather.prim.count; b++)
        if (u->gather.prim.data[b].material_index == b) {
            FR_TRY(put_look(u, &u->gather.prim.data[b], false));
            if (breaks(u, b)) FR_TRY(put_look(u, &u->gather.prim.data[b], true));
        }
    return fr_usd_put(u, "    }\n");
}

FrResult fr_usd_stage(FrUsd *u) {
    FR_TRY(put_header(u));
    return put_looks(u);
}

FrResult fr_usd_look_path(FrUsd *u, const FrUsdBody *body, bool inside) {
    FR_TRY(fr_usd_put(u, "</World/Looks/"));
    FR_TRY(fr_usd_put(u, u->gather.prim.data[body->material_index].look));
    return fr_usd_put(u, inside && breaks(u, body->material_index) ? "_inside>" : ">");
}

FrResult fr_usd_material(FrUsd *u, const FrUsdBody *body) {
    char name[sizeof body->material.name + 1] = {0};
    memcpy(name, body->material.name, sizeof body->material.name);
    FR_TRY(fr_usd_put(u, "        color3f[] primvars:displayColor = ["));
    FR_TRY(fr_usd_tuple(u, body->material.colour, 3));
    FR_TRY(fr_usd_put(u, "]\n        float[] primvars:displayOpacity = ["));
    FR_TRY(fr_usd_number(u, (double)body->material.opacity));
    FR_TRY(fr_usd_put(u, "]\n        rel material:binding = "));
    FR_TRY(fr_usd_look_path(u, body, false));
    FR_TRY(fr_usd_put(u, "\n"));
    FR_TRY(fr_usd_put(u, "        custom string fracas:material = "));
    FR_TRY(fr_usd_text(u, name));
    return fr_usd_put(u, "\n");
}

// --- camera and lights

/// Height of the picture of a camera, mm: USD's apertures and focal lengths are tenths of a unit.
#define APERTURE 20.25

// the place and the axes of what is seen, or shines, along its own -z with its own y upwards
static void pose_of(const FrUsdOptions *o, FrVec3 eye, FrVec3 forward, FrVec3 up, float to[7]) {
    FrVec3 z = fr_neg(fr_normalize(forward)), x = fr_cross(up, z);
    if (fr_length(x) <= 1e-9 * fr_length(up)) x = fr_any_normal(z);
    x = fr_normalize(x);
    FrMat3 R = fr_mat3(fr_usd_turn(o, x), fr_usd_turn(o, fr_cross(z, x)), fr_usd_turn(o, z));
    FrQuat q = fr_quat_from_mat3(R);
    FrVec3 p = fr_usd_axes(o, eye);
    const double all[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
    for (int k = 0; k < 7; k++) to[k] = (float)all[k];
}

static void view_pose(const FrUsdGather *g, int32_t frame, float to[7]) {
    const FrUsdView *v = &g->options.view[frame];
    pose_of(&g->options, v->eye, fr_sub(v->target, v->eye), v->up, to);
}

// of a camera: from `at` on `count` numbers of its pose
static FrResult put_poses(FrUsd *u, const char *attribute, int at, int count) {
    float pose[7];
    view_pose(&u->gather, 0, pose);
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, " = "));
    FR_TRY(fr_usd_tuple(u, pose + at, count));
    FR_TRY(fr_usd_put(u, "\n"));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, ".timeSamples = {\n"));
    for (int32_t k = 0; k < u->gather.frame_count; k++) {
        view_pose(&u->gather, k, pose);
        FR_TRY(fr_usd_put(u, "            "));
        FR_TRY(fr_usd_time(u, u->gather.code[k]));
        FR_TRY(fr_usd_put(u, ": "));
        FR_TRY(fr_usd_tuple(u, pose + at, count));
        FR_TRY(fr_usd_put(u, ",\n"));
    }
    return fr_usd_put(u, "        }\n");
}

static FrResult put_order(FrUsd *u, const char *order) {
    FR_TRY(fr_usd_put(u, "        uniform token[] xformOpOrder = ["));
    FR_TRY(fr_usd_put(u, order));
    return fr_usd_put(u, "]\n    }\n");
}

static FrResult put_eye(FrUsd *u) {
    const FrUsdOptions *o = &u->gather.options;
    double unit = fr_usd_scale(o);
    const float clip[2] = {(float)(0.001 * unit), (float)(1000.0 * unit)};
    FR_TRY(fr_usd_put(u, "    def Camera \""));
    FR_TRY(fr_usd_put(u, u->gather.camera));
    FR_TRY(fr_usd_put(u, "\"\n    {\n        token projection = \"perspective\"\n"
                         "        float horizontalAperture = "));
    FR_TRY(fr_usd_number(u, APERTURE * o->aspect));
    FR_TRY(fr_usd_put(u, "\n        float verticalAperture = "));
    FR_TRY(fr_usd_number(u, APERTURE));
    FR_TRY(fr_usd_put(u, "\n        float focalLength = "));
    FR_TRY(fr_usd_number(u, 0.5 * APERTURE / tan(0.5 * o->fov)));
    FR_TRY(fr_usd_put(u, "\n        float2 clippingRange = "));
    FR_TRY(fr_usd_tuple(u, clip, 2));
    FR_TRY(fr_usd_put(u, "\n"));
    FR_TRY(put_poses(u, "        double3 xformOp:translate", 0, 3));
    FR_TRY(put_poses(u, "        quatf xformOp:orient", 3, 4));
    return put_order(u, "\"xformOp:translate\", \"xformOp:orient\"");
}

// the film's own sun, and a sky
static FrResult put_lights(FrUsd *u) {
    float pose[7];
    const FrUsdOptions *o = &u->gather.options;
    pose_of(o, fr_vec3_zero, fr_neg(o->sun), fr_vec3(0, 0, 1), pose);
    FR_TRY(fr_usd_put(u, "    def DistantLight \""));
    FR_TRY(fr_usd_put(u, u->gather.sun));
    FR_TRY(fr_usd_put(u, "\"\n    {\n        float inputs:angle = 4\n"
                         "        float inputs:intensity = 2.5\n"
                         "        quatf xformOp:orient = "));
    FR_TRY(fr_usd_tuple(u, pose + 3, 4));
    FR_TRY(fr_usd_put(u, "\n"));
    FR_TRY(put_order(u, "\"xformOp:orient\""));
    FR_TRY(fr_usd_put(u, "    def DomeLight \""));
    FR_TRY(fr_usd_put(u, u->gather.sky));
    return fr_usd_put(u, "\"\n    {\n        float inputs:intensity = 0.6\n"
                         "        color3f inputs:color = (0.85, 0.92, 1)\n    }\n");
}

FrResult fr_usd_camera(FrUsd *u) {
    if (!u->gather.options.view) return FR_OK;
    FR_TRY(put_eye(u));
    return put_lights(u);
}
