// usd.c: USD text: one prim per body with defaults and time samples.

#include "export/usd_text.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

FrUsdOptions fr_usd_options_default(void) {
    return (FrUsdOptions){.preset = FR_USD_BLENDER, .fps = 0.0, .start_frame = 1.0};
}

// the body that this one came from
static FrResult put_parent(FrUsd *u, const FrUsdBody *body) {
    for (int32_t k = 0; body->parent >= 0 && k < u->gather.prim.count; k++) {
        if (u->gather.prim.data[k].body != body->parent) continue;
        FR_TRY(fr_usd_put(u, "        custom string fracas:parent = "));
        FR_TRY(fr_usd_text(u, u->gather.prim.data[k].name));
        return fr_usd_put(u, "\n");
    }
    return FR_OK;
}

// a body that comes or goes is hidden meanwhile
static FrResult put_visibility(FrUsd *u, const FrUsdBody *body) {
    bool changes = false;
    for (int32_t k = 0; k < u->gather.frame_count; k++) changes |= !body->alive[k];
    if (!changes) return FR_OK;
    FR_TRY(fr_usd_put(u, "        token visibility = "));
    FR_TRY(fr_usd_put(u, body->alive[0] ? "\"inherited\"\n" : "\"invisible\"\n"));
    FR_TRY(fr_usd_put(u, "        token visibility.timeSamples = {\n"));
    for (int32_t k = 0; k < u->gather.frame_count; k++) {
        if (k > 0 && body->alive[k] == body->alive[k - 1]) continue;
        FR_TRY(fr_usd_put(u, "            "));
        FR_TRY(fr_usd_time(u, u->gather.code[k]));
        FR_TRY(fr_usd_put(u, body->alive[k] ? ": \"inherited\",\n" : ": \"invisible\",\n"));
    }
    return fr_usd_put(u, "        }\n");
}

// writes one value out of gather.sample
typedef FrResult PutValue(FrUsd *u, const FrUsdBody *body, int32_t frame);

static FrResult put_points(FrUsd *u, const FrUsdBody *body, int32_t frame) {
    return fr_usd_tuples(u, u->gather.sample.data, (size_t)fr_usd_shape(body, frame)->point_count,
                         3);
}

static FrResult put_velocities(FrUsd *u, const FrUsdBody *body, int32_t frame) {
    size_t count = (size_t)fr_usd_shape(body, frame)->point_count;
    return fr_usd_tuples(u, u->gather.sample.data + 3 * count, count, 3);
}

static FrResult put_box(FrUsd *u, const float *p, int32_t points) {
    float box[6] = {0, 0, 0, 0, 0, 0};
    for (int c = 0; c < 3 && points; c++) box[c] = box[3 + c] = p[c];
    for (int32_t k = 0; k < points; k++)
        for (int c = 0; c < 3; c++) {
            float value = p[3 * (size_t)k + (size_t)c];
            if (value < box[c]) box[c] = value;
            if (value > box[3 + c]) box[3 + c] = value;
        }
    return fr_usd_tuples(u, box, 2, 3);
}

static FrResult put_extent(FrUsd *u, const FrUsdBody *body, int32_t frame) {
    return put_box(u, u->gather.sample.data, fr_usd_shape(body, frame)->point_count);
}

static FrResult put_translate(FrUsd *u, const FrUsdBody *body, int32_t frame) {
    (void)body, (void)frame;
    return fr_usd_tuple(u, u->gather.sample.data, 3);
}

static FrResult put_orient(FrUsd *u, const FrUsdBody *body, int32_t frame) {
    (void)body, (void)frame;
    return fr_usd_tuple(u, u->gather.sample.data + 3, 4);
}

// default from the first frame the body lives in, then a sample per such frame
static FrResult put_samples(FrUsd *u, const FrUsdBody *body, const char *attribute,
                            PutValue *value) {
    FrUsdGather *g = &u->gather;
    int32_t first = 0;
    while (!body->alive[first]) first++;
    FR_TRY(fr_usd_put(u, "        "));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, " = "));
    FR_TRY(fr_usd_sample(g, body, first));
    FR_TRY(value(u, body, first));
    FR_TRY(fr_usd_put(u, "\n        "));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, ".timeSamples = {\n"));
    for (int32_t k = first; k < g->frame_count; k++) {
        if (!body->alive[k]) continue;
        FR_TRY(fr_usd_sample(g, body, k));
        FR_TRY(fr_usd_put(u, "            "));
        FR_TRY(fr_usd_time(u, g->code[k]));
        FR_TRY(fr_usd_put(u, ": "));
        FR_TRY(value(u, body, k));
        FR_TRY(fr_usd_put(u, ",\n"));
    }
    return fr_usd_put(u, "        }\n");
}

// writes what depends on the triangles only
typedef FrResult PutShape(FrUsd *u, const FrUsdShape *shape);

static FrResult put_counts(FrUsd *u, const FrUsdShape *shape) {
    FR_TRY(fr_usd_put(u, "["));
    for (int32_t k = 0; k < shape->tri_count; k++) FR_TRY(fr_usd_put(u, k ? ", 3" : "3"));
    return fr_usd_put(u, "]");
}

static FrResult put_indices(FrUsd *u, const FrUsdShape *shape) {
    char text[48];
    FR_TRY(fr_usd_put(u, "["));
    for (int32_t k = 0; k < shape->tri_count; k++) {
        const int32_t *t = shape->tri[k];
        snprintf(text, sizeof text, "%s%d, %d, %d", k ? ", " : "", t[0], t[1], t[2]);
        FR_TRY(fr_usd_put(u, text));
    }
    return fr_usd_put(u, "]");
}

static FrResult put_range(FrUsd *u, int32_t begin, int32_t end) {
    char text[16];
    FR_TRY(fr_usd_put(u, "["));
    for (int32_t k = begin; k < end; k++) {
        snprintf(text, sizeof text, k > begin ? ", %d" : "%d", k);
        FR_TRY(fr_usd_put(u, text));
    }
    return fr_usd_put(u, "]");
}

static FrResult put_outside(FrUsd *u, const FrUsdShape *shape) {
    return put_range(u, 0, shape->tri_count - shape->inside_count);
}

static FrResult put_inside(FrUsd *u, const FrUsdShape *shape) {
    return put_range(u, shape->tri_count - shape->inside_count, shape->tri_count);
}

static FrResult put_corner_uvs(FrUsd *u, const FrUsdShape *shape) {
    return fr_usd_tuples(u, shape->st, 3 * (size_t)shape->tri_count, 2);
}

static FrResult put_crack_times(FrUsd *u, const FrUsdShape *shape) {
    FR_TRY(fr_usd_put(u, "["));
    for (int32_t k = 0; k < shape->tri_count; k++) {
        if (k) FR_TRY(fr_usd_put(u, ", "));
        FR_TRY(fr_usd_number(u, shape->opened ? (double)shape->opened[k] : -1));
    }
    return fr_usd_put(u, "]");
}

static FrResult put_shape_sample(FrUsd *u, const char *indent, const FrUsdShape *shape,
                                 int32_t frame, PutShape *value) {
    FR_TRY(fr_usd_put(u, indent));
    FR_TRY(fr_usd_put(u, "    "));
    FR_TRY(fr_usd_time(u, u->gather.code[frame]));
    FR_TRY(fr_usd_put(u, ": "));
    FR_TRY(value(u, shape));
    return fr_usd_put(u, ",\n");
}

// the first shape's value, and samples where there are several shapes
static FrResult put_by_shape(FrUsd *u, const FrUsdBody *body, const char *indent,
                             const char *attribute, const char *interpolation, PutShape *value) {
    FR_TRY(fr_usd_put(u, indent));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, " = "));
    FR_TRY(value(u, body->shape));
    if (interpolation) {
        FR_TRY(fr_usd_put(u, " (\n            interpolation = \""));
        FR_TRY(fr_usd_put(u, interpolation));
        FR_TRY(fr_usd_put(u, "\"\n        )"));
    }
    FR_TRY(fr_usd_put(u, "\n"));
    if (!body->shape->next) return FR_OK;
    FR_TRY(fr_usd_put(u, indent));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, ".timeSamples = {\n"));
    for (const FrUsdShape *s = body->shape; s; s = s->next) {
        FR_TRY(put_shape_sample(u, indent, s, s->from, value));
        // readers blend lists that are as long as each other: the old one holds until its last
        // frame
        if (s->next && s->next->tri_count == s->tri_count && s->next->from > s->from + 1)
            FR_TRY(put_shape_sample(u, indent, s, s->next->from - 1, value));
    }
    FR_TRY(fr_usd_put(u, indent));
    return fr_usd_put(u, "}\n");
}

static const char in_prim[] = "        ", in_subset[] = "            ";

static FrResult put_faces(FrUsd *u, const FrUsdBody *body) {
    FR_TRY(fr_usd_put(u, "        uniform token subdivisionScheme = \"none\"\n"
                         "        uniform token orientation = \"rightHanded\"\n"));
    FR_TRY(put_by_shape(u, body, in_prim, "int[] faceVertexCounts", NULL, put_counts));
    FR_TRY(put_by_shape(u, body, in_prim, "int[] faceVertexIndices", NULL, put_indices));
    if (body->last->opened || body->shape->own_uv)
        FR_TRY(put_by_shape(u, body, in_prim, "texCoord2f[] primvars:st", "faceVarying",
                            put_corner_uvs));
    if (!body->last->opened) return FR_OK;
    return put_by_shape(u, body, in_prim, "float[] primvars:crackTime", "uniform", put_crack_times);
}

// faces that cracks opened, and the others; the former have a lighter look
static FrResult put_subsets(FrUsd *u, const FrUsdBody *body) {
    if (!body->last->opened) return FR_OK;
    FR_TRY(fr_usd_put(
        u, "        uniform token subsetFamily:materialBind:familyType = \"partition\"\n"));
    for (int inside = 0; inside < 2; inside++) {
        FR_TRY(fr_usd_put(u, inside ? "        def GeomSubset \"inside\""
                                    : "        def GeomSubset \"outside\""));
        FR_TRY(fr_usd_put(
            u, " (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n"
               "        {\n            uniform token elementType = \"face\"\n"
               "            uniform token familyName = \"materialBind\"\n"));
        FR_TRY(put_by_shape(u, body, in_subset, "int[] indices", NULL,
                            inside ? put_inside : put_outside));
        FR_TRY(fr_usd_put(u, "            rel material:binding = "));
        FR_TRY(fr_usd_look_path(u, body, inside));
        FR_TRY(fr_usd_put(u, "\n"));
        FR_TRY(fr_usd_put(u, "        }\n"));
    }
    return FR_OK;
}

static FrResult put_piece(FrUsd *u, const FrUsdBody *body) {
    FR_TRY(fr_usd_put(u, "        string primvars:piecename = "));
    FR_TRY(fr_usd_text(u, body->prim));
    return fr_usd_put(u, " (\n            interpolation = \"constant\"\n        )\n");
}

static FrResult put_rest(FrUsd *u, const FrUsdShape *shape) {
    return fr_usd_tuples(u, shape->point, (size_t)shape->point_count, 3);
}

static FrResult put_rest_extent(FrUsd *u, const FrUsdShape *shape) {
    return put_box(u, shape->point, shape->point_count);
}

static FrResult put_pose(FrUsd *u, const FrUsdBody *body) {
    FR_TRY(put_samples(u, body, "double3 xformOp:translate", put_translate));
    FR_TRY(put_samples(u, body, "quatf xformOp:orient", put_orient));
    return fr_usd_put(u, "        uniform token[] xformOpOrder = [\"xformOp:translate\", "
                         "\"xformOp:orient\"]\n");
}

// where its points are: moved by a pose, or each for itself
static FrResult put_motion(FrUsd *u, const FrUsdBody *body) {
    if (body->rigid) {
        FR_TRY(put_by_shape(u, body, in_prim, "point3f[] points", NULL, put_rest));
        FR_TRY(put_by_shape(u, body, in_prim, "float3[] extent", NULL, put_rest_extent));
        return put_pose(u, body);
    }
    FR_TRY(put_samples(u, body, "point3f[] points", put_points));
    FR_TRY(put_samples(u, body, "vector3f[] velocities", put_velocities));
    return put_samples(u, body, "float3[] extent", put_extent);
}

static FrResult put_tets(FrUsd *u, const FrUsdBody *body) {
    FR_TRY(put_faces(u, body));
    FR_TRY(put_motion(u, body));
    FR_TRY(put_piece(u, body));
    return put_subsets(u, body);
}

static FrResult put_sphere(FrUsd *u, const FrUsdBody *body) {
    float r = (float)(fr_usd_scale(&u->gather.options) * body->radius);
    const float box[6] = {-r, -r, -r, r, r, r};
    FR_TRY(fr_usd_put(u, "        double radius = "));
    FR_TRY(fr_usd_number(u, (double)r));
    FR_TRY(fr_usd_put(u, "\n        float3[] extent = "));
    FR_TRY(fr_usd_tuples(u, box, 2, 3));
    FR_TRY(fr_usd_put(u, "\n"));
    return put_pose(u, body);
}

static FrResult put_plane(FrUsd *u, const FrUsdBody *body) {
    float corner[12], box[6];
    for (int k = 0; k < 4; k++) {
        FrVec3 p = fr_usd_axes(&u->gather.options, body->corner[k]);
        const double part[3] = {p.x, p.y, p.z};
        for (int c = 0; c < 3; c++) {
            float value = corner[3 * k + c] = (float)part[c];
            if (k == 0 || value < box[c]) box[c] = value;
            if (k == 0 || value > box[3 + c]) box[3 + c] = value;
        }
    }
    FR_TRY(fr_usd_put(u, "        uniform token subdivisionScheme = \"none\"\n"
                         "        int[] faceVertexCounts = [4]\n"
                         "        int[] faceVertexIndices = [0, 1, 2, 3]\n"
                         "        point3f[] points = "));
    FR_TRY(fr_usd_tuples(u, corner, 4, 3));
    FR_TRY(fr_usd_put(u, "\n        float3[] extent = "));
    FR_TRY(fr_usd_tuples(u, box, 2, 3));
    return fr_usd_put(u, "\n");
}

static bool ever_alive(const FrUsd *u, const FrUsdBody *body) {
    for (int32_t k = 0; k < u->gather.frame_count; k++)
        if (body->alive[k]) return true;
    return false;
}

static FrResult put_body(FrUsd *u, const FrUsdBody *body) {
    if (!ever_alive(u, body)) return FR_OK;
    FR_TRY(fr_usd_put(u, body->kind == FR_BODY_SPHERE ? "    def Sphere \"" : "    def Mesh \""));
    FR_TRY(fr_usd_put(u, body->prim));
    FR_TRY(fr_usd_put(
        u, "\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n"));
    if (body->kind == FR_BODY_TETS) FR_TRY(put_tets(u, body));
    if (body->kind == FR_BODY_SPHERE) FR_TRY(put_sphere(u, body));
    if (body->kind == FR_BODY_PLANE) FR_TRY(put_plane(u, body));
    FR_TRY(put_visibility(u, body));
    FR_TRY(fr_usd_material(u, body));
    FR_TRY(put_parent(u, body));
    return fr_usd_put(u, "    }\n");
}

static FrResult put_all(FrUsd *u) {
    FR_TRY(fr_usd_stage(u));
    for (int32_t b = 0; b < u->gather.prim.count; b++) {
        FR_TRY(put_body(u, &u->gather.prim.data[b]));
        fr_progress(u->gather.ctx, "export", u->gather.prim.count + b + 1,
                    2.0 * u->gather.prim.count);
    }
    FR_TRY(fr_usd_dust(u));
    FR_TRY(fr_usd_camera(u));
    return fr_usd_put(u, "}\n");
}

FrResult fr_export_usd(FrContext *ctx, const FrFrameSource *source, const FrUsdOptions *options,
                       const char *path) {
    FrUsd u = {.gather = {.ctx = ctx, .source = source, .options = *options},
               .point = localeconv()->decimal_point[0]};
    if (u.gather.options.fps == 0.0) u.gather.options.fps = source->fps;
    if (!(u.gather.options.fps > 0.0) || !isfinite(u.gather.options.fps + options->start_frame))
        return fr_fail(ctx, FR_BAD_USE, "fps is %g; more than 0 is allowed", u.gather.options.fps);
    FrResult result = fr_usd_gather(&u.gather, path);
    if (result == FR_OK) result = fr_file_begin(ctx, path, &u.file);
    if (result == FR_OK) {
        result = put_all(&u);
        if (result == FR_OK)
            result = fr_file_commit(&u.file);
        else
            fr_file_abort(&u.file);
    }
    fr_usd_gather_free(&u.gather);
    return result;
}
