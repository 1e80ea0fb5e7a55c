// usd.c: USD text: header, looks, and one prim per body with defaults and time samples.

#include "export/usd_inside.h"
#include "base/json.h"
#include "base/file.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

FrUsdOptions fr_usd_options_default(void) {
    return (FrUsdOptions){.preset = FR_USD_BLENDER, .fps = 0.0, .start_frame = 1.0};
}

typedef struct Usd {
    FrUsdGather gather;
    FrFileWriter file;
    char point; ///< decimal point of the locale
} Usd;

static FrResult put(Usd *u, const char *text) {
    return fr_file_write(&u->file, text, strlen(text));
}

// eight digits: float32 to within a unit in the last place
static FrResult put_number(Usd *u, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.8g", value);
    char *point = u->point == '.' ? NULL : strchr(text, u->point);
    if (point) *point = '.';
    return put(u, text);
}

static FrResult put_tuple(Usd *u, const float *value, int count) {
    FR_TRY(put(u, "("));
    for (int k = 0; k < count; k++) {
        if (k) FR_TRY(put(u, ", "));
        FR_TRY(put_number(u, (double)value[k]));
    }
    return put(u, ")");
}

static FrResult put_tuples(Usd *u, const float *value, size_t count, int width) {
    FR_TRY(put(u, "["));
    for (size_t k = 0; k < count; k++) {
        if (k) FR_TRY(put(u, ", "));
        FR_TRY(put_tuple(u, value + k * (size_t)width, width));
    }
    return put(u, "]");
}

// in USD a text may hold anything but quotes, backslashes and line ends
static FrResult put_text(Usd *u, const char *text) {
    FR_TRY(put(u, "\""));
    for (const char *c = text; *c; c++) {
        bool plain = *c != '"' && *c != '\\' && (unsigned char)*c >= 0x20;
        FR_TRY(fr_file_write(&u->file, plain ? c : "_", 1));
    }
    return put(u, "\"");
}

static FrResult put_time(Usd *u, double code) {
    char text[FR_NUMBER_TEXT];
    fr_number_text(code, text);
    return put(u, text);
}

static FrResult put_header(Usd *u) {
    const FrUsdGather *g = &u->gather;
    FR_TRY(put(u, "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Fracas\"\n"));
    FR_TRY(put(u, g->options.preset == FR_USD_UNREAL ? "    metersPerUnit = 0.01\n"
                                                     : "    metersPerUnit = 1\n"));
    FR_TRY(put(u, g->options.preset == FR_USD_HOUDINI ? "    upAxis = \"Y\"\n"
                                                      : "    upAxis = \"Z\"\n"));
    FR_TRY(put(u, "    startTimeCode = "));
    FR_TRY(put_time(u, g->code[0]));
    FR_TRY(put(u, "\n    endTimeCode = "));
    FR_TRY(put_time(u, g->code[g->frame_count - 1]));
    FR_TRY(put(u, "\n    framesPerSecond = "));
    FR_TRY(put_time(u, g->options.fps));
    FR_TRY(put(u, "\n    timeCodesPerSecond = "));
    FR_TRY(put_time(u, g->options.fps));
    return put(u, "\n)\n\ndef Xform \"World\"\n{\n");
}

static FrResult put_look(Usd *u, const FrUsdBody *body, int32_t id, bool inside) {
    const FrMaterial *m = &body->material;
    char line[160];
    const char *what = inside ? "inside" : "look";
    float colour[3] = {m->colour[0], m->colour[1], m->colour[2]};
    if (inside) fr_material_inside(m, colour);
    snprintf(line, sizeof line,
             "        def Material \"%s_%d\"\n        {\n"
             "            token outputs:surface.connect = "
             "</World/Looks/%s_%d/shader.outputs:surface>\n",
             what, id, what, id);
    FR_TRY(put(u, line));
    FR_TRY(put(u, "            def Shader \"shader\"\n            {\n"
                  "                uniform token info:id = \"UsdPreviewSurface\"\n"
                  "                color3f inputs:diffuseColor = "));
    FR_TRY(put_tuple(u, colour, 3));
    FR_TRY(put(u, "\n                float inputs:roughness = "));
    FR_TRY(put_number(u, (double)m->roughness));
    FR_TRY(put(u, "\n                float inputs:metallic = "));
    FR_TRY(put_number(u, (double)m->metallic));
    FR_TRY(put(u, "\n                float inputs:opacity = "));
    FR_TRY(put_number(u, (double)m->opacity));
    return put(u, "\n                token outputs:surface\n            }\n        }\n");
}

// does any prim with this look have faces that cracks opened?
static bool breaks(const Usd *u, int32_t look) {
    for (int32_t b = 0; b < u->gather.prim.count; b++) {
        const FrUsdBody *body = &u->gather.prim.data[b];
        if (body->material_index != look) continue;
        for (const FrUsdShape *s = body->shape; s; s = s->next)
            if (s->inside_count) return true;
    }
    return false;
}

static FrResult put_looks(Usd *u) {
    FR_TRY(put(u, "    def Scope \"Looks\"\n    {\n"));
    for (int32_t b = 0; b < u->gather.prim.count; b++)
        if (u->gather.prim.data[b].material_index == b) {
            FR_TRY(put_look(u, &u->gather.prim.data[b], b, false));
            if (breaks(u, b)) FR_TRY(put_look(u, &u->gather.prim.data[b], b, true));
        }
    return put(u, "    }\n");
}

// colour, look, material name
static FrResult put_material(Usd *u, const FrUsdBody *body) {
    char line[96], name[sizeof body->material.name + 1] = {0};
    memcpy(name, body->material.name, sizeof body->material.name);
    FR_TRY(put(u, "        color3f[] primvars:displayColor = ["));
    FR_TRY(put_tuple(u, body->material.colour, 3));
    FR_TRY(put(u, "]\n        float[] primvars:displayOpacity = ["));
    FR_TRY(put_number(u, (double)body->material.opacity));
    snprintf(line, sizeof line, "]\n        rel material:binding = </World/Looks/look_%d>\n",
             body->material_index);
    FR_TRY(put(u, line));
    FR_TRY(put(u, "        custom string fracas:material = "));
    FR_TRY(put_text(u, name));
    return put(u, "\n");
}

// the body that this one came from
static FrResult put_parent(Usd *u, const FrUsdBody *body) {
    for (int32_t k = 0; body->parent >= 0 && k < u->gather.prim.count; k++) {
        if (u->gather.prim.data[k].body != body->parent) continue;
        FR_TRY(put(u, "        custom string fracas:parent = "));
        FR_TRY(put_text(u, u->gather.prim.data[k].name));
        return put(u, "\n");
    }
    return FR_OK;
}

// a body that comes or goes is hidden meanwhile
static FrResult put_visibility(Usd *u, const FrUsdBody *body) {
    bool changes = false;
    for (int32_t k = 0; k < u->gather.frame_count; k++) changes |= !body->alive[k];
    if (!changes) return FR_OK;
    FR_TRY(put(u, "        token visibility = "));
    FR_TRY(put(u, body->alive[0] ? "\"inherited\"\n" : "\"invisible\"\n"));
    FR_TRY(put(u, "        token visibility.timeSamples = {\n"));
    for (int32_t k = 0; k < u->gather.frame_count; k++) {
        if (k > 0 && body->alive[k] == body->alive[k - 1]) continue;
        FR_TRY(put(u, "            "));
        FR_TRY(put_time(u, u->gather.code[k]));
        FR_TRY(put(u, body->alive[k] ? ": \"inherited\",\n" : ": \"invisible\",\n"));
    }
    return put(u, "        }\n");
}

// writes one value out of gather.sample
typedef FrResult PutValue(Usd *u, const FrUsdBody *body, int32_t frame);

static FrResult put_points(Usd *u, const FrUsdBody *body, int32_t frame) {
    return put_tuples(u, u->gather.sample.data, (size_t)fr_usd_shape(body, frame)->point_count, 3);
}

static FrResult put_velocities(Usd *u, const FrUsdBody *body, int32_t frame) {
    size_t count = (size_t)fr_usd_shape(body, frame)->point_count;
    return put_tuples(u, u->gather.sample.data + 3 * count, count, 3);
}

static FrResult put_extent(Usd *u, const FrUsdBody *body, int32_t frame) {
    float box[6] = {0, 0, 0, 0, 0, 0};
    const float *p = u->gather.sample.data;
    int32_t points = fr_usd_shape(body, frame)->point_count;
    for (int c = 0; c < 3 && points; c++) box[c] = box[3 + c] = p[c];
    for (int32_t k = 0; k < points; k++)
        for (int c = 0; c < 3; c++) {
            float value = p[3 * (size_t)k + (size_t)c];
            if (value < box[c]) box[c] = value;
            if (value > box[3 + c]) box[3 + c] = value;
        }
    return put_tuples(u, box, 2, 3);
}

static FrResult put_translate(Usd *u, const FrUsdBody *body, int32_t frame) {
    (void)body, (void)frame;
    return put_tuple(u, u->gather.sample.data, 3);
}

static FrResult put_orient(Usd *u, const FrUsdBody *body, int32_t frame) {
    (void)body, (void)frame;
    return put_tuple(u, u->gather.sample.data + 3, 4);
}

// default from the first frame the body lives in, then a sample per such frame
static FrResult put_samples(Usd *u, const FrUsdBody *body, const char *attribute, PutValue *value) {
    FrUsdGather *g = &u->gather;
    int32_t first = 0;
    while (!body->alive[first]) first++;
    FR_TRY(put(u, "        "));
    FR_TRY(put(u, attribute));
    FR_TRY(put(u, " = "));
    FR_TRY(fr_usd_sample(g, body, first));
    FR_TRY(value(u, body, first));
    FR_TRY(put(u, "\n        "));
    FR_TRY(put(u, attribute));
    FR_TRY(put(u, ".timeSamples = {\n"));
    for (int32_t k = first; k < g->frame_count; k++) {
        if (!body->alive[k]) continue;
        FR_TRY(fr_usd_sample(g, body, k));
        FR_TRY(put(u, "            "));
        FR_TRY(put_time(u, g->code[k]));
        FR_TRY(put(u, ": "));
        FR_TRY(value(u, body, k));
        FR_TRY(put(u, ",\n"));
    }
    return put(u, "        }\n");
}

// writes what depends on the triangles only
typedef FrResult PutShape(Usd *u, const FrUsdShape *shape);

static FrResult put_counts(Usd *u, const FrUsdShape *shape) {
    FR_TRY(put(u, "["));
    for (int32_t k = 0; k < shape->tri_count; k++) FR_TRY(put(u, k ? ", 3" : "3"));
    return put(u, "]");
}

static FrResult put_indices(Usd *u, const FrUsdShape *shape) {
    char text[48];
    FR_TRY(put(u, "["));
    for (int32_t k = 0; k < shape->tri_count; k++) {
        const int32_t *t = shape->tri[k];
        snprintf(text, sizeof text, "%s%d, %d, %d", k ? ", " : "", t[0], t[1], t[2]);
        FR_TRY(put(u, text));
    }
    return put(u, "]");
}

static FrResult put_range(Usd *u, int32_t begin, int32_t end) {
    char text[16];
    FR_TRY(put(u, "["));
    for (int32_t k = begin; k < end; k++) {
        snprintf(text, sizeof text, k > begin ? ", %d" : "%d", k);
        FR_TRY(put(u, text));
    }
    return put(u, "]");
}

static FrResult put_outside(Usd *u, const FrUsdShape *shape) {
    return put_range(u, 0, shape->tri_count - shape->inside_count);
}

static FrResult put_inside(Usd *u, const FrUsdShape *shape) {
    return put_range(u, shape->tri_count - shape->inside_count, shape->tri_count);
}

static FrResult put_corner_uvs(Usd *u, const FrUsdShape *shape) {
    return put_tuples(u, shape->st, 3 * (size_t)shape->tri_count, 2);
}

static FrResult put_crack_times(Usd *u, const FrUsdShape *shape) {
    FR_TRY(put(u, "["));
    for (int32_t k = 0; k < shape->tri_count; k++) {
        if (k) FR_TRY(put(u, ", "));
        FR_TRY(put_number(u, shape->opened ? (double)shape->opened[k] : -1));
    }
    return put(u, "]");
}

static FrResult put_shape_sample(Usd *u, const char *indent, const FrUsdShape *shape, int32_t frame,
                                 PutShape *value) {
    FR_TRY(put(u, indent));
    FR_TRY(put(u, "    "));
    FR_TRY(put_time(u, u->gather.code[frame]));
    FR_TRY(put(u, ": "));
    FR_TRY(value(u, shape));
    return put(u, ",\n");
}

// the first shape's value, and samples where there are several shapes
static FrResult put_by_shape(Usd *u, const FrUsdBody *body, const char *indent,
                             const char *attribute, const char *interpolation, PutShape *value) {
    FR_TRY(put(u, indent));
    FR_TRY(put(u, attribute));
    FR_TRY(put(u, " = "));
    FR_TRY(value(u, body->shape));
    if (interpolation) {
        FR_TRY(put(u, " (\n            interpolation = \""));
        FR_TRY(put(u, interpolation));
        FR_TRY(put(u, "\"\n        )"));
    }
    FR_TRY(put(u, "\n"));
    if (!body->shape->next) return FR_OK;
    FR_TRY(put(u, indent));
    FR_TRY(put(u, attribute));
    FR_TRY(put(u, ".timeSamples = {\n"));
    for (const FrUsdShape *s = body->shape; s; s = s->next) {
        FR_TRY(put_shape_sample(u, indent, s, s->from, value));
        // readers blend lists that are as long as each other: the old one holds until its last
        // frame
        if (s->next && s->next->tri_count == s->tri_count && s->next->from > s->from + 1)
            FR_TRY(put_shape_sample(u, indent, s, s->next->from - 1, value));
    }
    FR_TRY(put(u, indent));
    return put(u, "}\n");
}

static const char in_prim[] = "        ", in_subset[] = "            ";

static FrResult put_faces(Usd *u, const FrUsdBody *body) {
    FR_TRY(put(u, "        uniform token subdivisionScheme = \"none\"\n"
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
static FrResult put_subsets(Usd *u, const FrUsdBody *body) {
    char line[96];
    if (!body->last->opened) return FR_OK;
    FR_TRY(put(u, "        uniform token subsetFamily:materialBind:familyType = \"partition\"\n"));
    for (int inside = 0; inside < 2; inside++) {
        FR_TRY(put(u, inside ? "        def GeomSubset \"inside\""
                             : "        def GeomSubset \"outside\""));
        FR_TRY(put(u, " (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n"
                      "        {\n            uniform token elementType = \"face\"\n"
                      "            uniform token familyName = \"materialBind\"\n"));
        FR_TRY(put_by_shape(u, body, in_subset, "int[] indices", NULL,
                            inside ? put_inside : put_outside));
        snprintf(line, sizeof line, "            rel material:binding = </World/Looks/%s_%d>\n",
                 inside && breaks(u, body->material_index) ? "inside" : "look",
                 body->material_index);
        FR_TRY(put(u, line));
        FR_TRY(put(u, "        }\n"));
    }
    return FR_OK;
}

static FrResult put_piece(Usd *u, const FrUsdBody *body) {
    FR_TRY(put(u, "        string primvars:piecename = "));
    FR_TRY(put_text(u, body->prim));
    return put(u, " (\n            interpolation = \"constant\"\n        )\n");
}

static FrResult put_tets(Usd *u, const FrUsdBody *body) {
    FR_TRY(put_faces(u, body));
    FR_TRY(put_samples(u, body, "point3f[] points", put_points));
    FR_TRY(put_samples(u, body, "vector3f[] velocities", put_velocities));
    FR_TRY(put_samples(u, body, "float3[] extent", put_extent));
    FR_TRY(put_piece(u, body));
    return put_subsets(u, body);
}

static FrResult put_sphere(Usd *u, const FrUsdBody *body) {
    float r = (float)(fr_usd_scale(&u->gather.options) * body->radius);
    const float box[6] = {-r, -r, -r, r, r, r};
    FR_TRY(put(u, "        double radius = "));
    FR_TRY(put_number(u, (double)r));
    FR_TRY(put(u, "\n        float3[] extent = "));
    FR_TRY(put_tuples(u, box, 2, 3));
    FR_TRY(put(u, "\n"));
    FR_TRY(put_samples(u, body, "double3 xformOp:translate", put_translate));
    FR_TRY(put_samples(u, body, "quatf xformOp:orient", put_orient));
    return put(u, "        uniform token[] xformOpOrder = [\"xformOp:translate\", "
                  "\"xformOp:orient\"]\n");
}

static FrResult put_plane(Usd *u, const FrUsdBody *body) {
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
    FR_TRY(put(u, "        uniform token subdivisionScheme = \"none\"\n"
                  "        int[] faceVertexCounts = [4]\n"
                  "        int[] faceVertexIndices = [0, 1, 2, 3]\n"
                  "        point3f[] points = "));
    FR_TRY(put_tuples(u, corner, 4, 3));
    FR_TRY(put(u, "\n        float3[] extent = "));
    FR_TRY(put_tuples(u, box, 2, 3));
    return put(u, "\n");
}

static bool ever_alive(const Usd *u, const FrUsdBody *body) {
    for (int32_t k = 0; k < u->gather.frame_count; k++)
        if (body->alive[k]) return true;
    return false;
}

static FrResult put_body(Usd *u, const FrUsdBody *body) {
    if (!ever_alive(u, body)) return FR_OK;
    FR_TRY(put(u, body->kind == FR_BODY_SPHERE ? "    def Sphere \"" : "    def Mesh \""));
    FR_TRY(put(u, body->prim));
    FR_TRY(put(u, "\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n"));
    if (body->kind == FR_BODY_TETS) FR_TRY(put_tets(u, body));
    if (body->kind == FR_BODY_SPHERE) FR_TRY(put_sphere(u, body));
    if (body->kind == FR_BODY_PLANE) FR_TRY(put_plane(u, body));
    FR_TRY(put_visibility(u, body));
    FR_TRY(put_material(u, body));
    FR_TRY(put_parent(u, body));
    return put(u, "    }\n");
}

static FrResult put_all(Usd *u) {
    FR_TRY(put_header(u));
    FR_TRY(put_looks(u));
    for (int32_t b = 0; b < u->gather.prim.count; b++) {
        FR_TRY(put_body(u, &u->gather.prim.data[b]));
        fr_progress(u->gather.ctx, "export", u->gather.prim.count + b + 1,
                    2.0 * u->gather.prim.count);
    }
    return put(u, "}\n");
}

FrResult fr_export_usd(FrContext *ctx, const FrFrameSource *source, const FrUsdOptions *options,
                       const char *path) {
    Usd u = {.gather = {.ctx = ctx, .source = source, .options = *options},
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
