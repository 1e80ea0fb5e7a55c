// cords.c: strings between bodies as thin tubes.

#include "render/drawlist.h"
#include <string.h>

/// Pieces along a cord, sides around it.
#define ALONG 12
#define AROUND 6
#define POINTS ((ALONG + 1) * AROUND)
#define CORNERS (6 * ALONG * AROUND)
/// Radius: a share of the length, but no less than half a millimetre.
#define SLENDER 250.0
#define THINNEST 5e-4

FrResult fr_cords_layout(FrDrawList *list, int32_t count) {
    list->cord_vertex = list->vertex.count;
    list->cord_index = list->index.count;
    if (count > INT32_MAX / CORNERS || !fr_array_extend(list->ctx, &list->vertex, count * POINTS) ||
        !fr_array_extend(list->ctx, &list->index, count * CORNERS))
        return fr_no_memory(list->ctx, "drawn cords");
    uint32_t *to = list->index.data + list->cord_index;
    for (int32_t c = 0; c < count; c++)
        for (int32_t k = 0; k < ALONG * AROUND; k++) {
            uint32_t base = (uint32_t)(list->cord_vertex + c * POINTS + k / AROUND * AROUND);
            uint32_t a = base + (uint32_t)(k % AROUND), b = base + (uint32_t)((k + 1) % AROUND);
            uint32_t quad[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
            for (int i = 0; i < 6; i++) *to++ = quad[i];
        }
    return FR_OK;
}

static FrVec3 end_of(const FrFrameView *view, const FrDrawCord *cord, int side) {
    int32_t body = cord->body[side];
    if (body < 0) return cord->at[side];
    const FrBodyFrame *frame = &view->frame[body];
    return fr_add(frame->position, fr_mat3_apply(fr_quat_mat3(frame->rotation), cord->at[side]));
}

// A flat parabola of length L over a span d sags by s: L = d + 8 s^2 / (3 d). A deep one is a fold.
static double sag_of(double length, double span) {
    double slack = fr_max(length - span, 0.0);
    return fr_min(sqrt(0.375 * span * slack), 0.5 * slack + 0.25 * span);
}

static void put_ring(FrDrawVertex *to, FrVec3 centre, FrVec3 along, double radius, float s) {
    FrVec3 u = fr_any_normal(along), v = fr_cross(along, u);
    for (int k = 0; k < AROUND; k++) {
        double angle = 2.0 * FR_PI * k / AROUND;
        FrVec3 n = fr_axpy(cos(angle), u, fr_scale(sin(angle), v));
        FrVec3 p = fr_axpy(radius, n, centre);
        to[k] = (FrDrawVertex){
            {(float)p.x, (float)p.y, (float)p.z}, {(float)n.x, (float)n.y, (float)n.z}, s};
    }
}

static void fill_cord(FrDrawList *list, const FrFrameView *view, const FrDrawCord *cord,
                      FrDrawVertex *to, float s) {
    FrVec3 a = fr_sub(end_of(view, cord, 0), list->origin),
           b = fr_sub(end_of(view, cord, 1), list->origin), d = fr_sub(b, a);
    double span = fr_length(d), sag = sag_of(cord->length, span);
    double radius = fr_max(cord->length / SLENDER, THINNEST);
    for (int k = 0; k <= ALONG; k++) {
        double t = (double)k / ALONG;
        FrVec3 x = fr_lerp(a, b, t), along = d;
        x.z -= 4.0 * sag * t * (1.0 - t);
        along.z -= 4.0 * sag * (1.0 - 2.0 * t);
        if (!(fr_length2(along) > 0.0)) along = fr_vec3(0, 0, 1);
        put_ring(to + (size_t)k * AROUND, x, fr_normalize(along), radius, s);
    }
}

// both ends are there
static bool is_tied(const FrFrameView *view, const FrDrawCord *cord) {
    bool tied = true;
    for (int side = 0; side < 2; side++)
        tied = tied && (cord->body[side] < 0 || view->frame[cord->body[side]].alive);
    return tied;
}

FrResult fr_cords_fill(FrDrawList *list, const FrFrameView *view, FrVec3 eye,
                       const FrRenderOptions *options) {
    bool scale = fr_show_scaled(options->show);
    FrBox box = fr_box_empty();
    FrDrawVertex *vertex = list->vertex.data + list->cord_vertex;
    int32_t tied = 0;
    for (int32_t c = 0; c < options->cord_count; c++) {
        FrDrawVertex *own = vertex + (size_t)c * POINTS;
        memset(own, 0, POINTS * sizeof *own); // no area: not seen
        if (!is_tied(view, &options->cord[c])) continue;
        fill_cord(list, view, &options->cord[c], own, scale ? -1.0f : 1.0f);
        tied++;
        for (int32_t k = 0; k < POINTS; k++)
            box = fr_box_add(
                box, fr_vec3((double)own[k].p[0], (double)own[k].p[1], (double)own[k].p[2]));
    }
    if (tied == 0) return FR_OK;
    list->bounds = fr_box_union(list->bounds, box);
    FrDrawBatch batch = {.first = list->cord_index,
                         .count = options->cord_count * CORNERS,
                         .body = -1,
                         .closed = false,
                         .colour = {0.16f, 0.13f, 0.10f},
                         .roughness = 0.8f,
                         .opacity = 1.0f,
                         .distance = fr_distance(fr_box_center(box), eye)};
    return fr_array_push(list->ctx, &list->batch, batch) ? FR_OK
                                                         : fr_no_memory(list->ctx, "batches");
}
