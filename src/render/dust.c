// dust.c: grains of what left as dust, as small eight-sided bodies.

#include "render/drawlist.h"
#include <string.h>

#define POINTS 6
#define CORNERS 24

FrResult fr_dust_layout(FrDrawList *list, const FrGrains *grains) {
    static const uint32_t corner[CORNERS] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                             2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    int32_t count = grains ? grains->grain.count : 0;
    list->dust_vertex = list->vertex.count;
    list->dust_index = list->index.count;
    if (count > INT32_MAX / CORNERS || !fr_array_extend(list->ctx, &list->vertex, count * POINTS) ||
        !fr_array_extend(list->ctx, &list->index, count * CORNERS))
        return fr_no_memory(list->ctx, "drawn dust");
    uint32_t *to = list->index.data + list->dust_index;
    for (int32_t g = 0; g < count; g++)
        for (int i = 0; i < CORNERS; i++)
            *to++ = (uint32_t)(list->dust_vertex + g * POINTS) + corner[i];
    return FR_OK;
}

static void put_grain(FrDrawVertex *to, FrVec3 x, double radius, float s) {
    static const float n[POINTS][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                       {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    const float at[3] = {(float)x.x, (float)x.y, (float)x.z};
    for (int k = 0; k < POINTS; k++) {
        to[k].s = s;
        for (int i = 0; i < 3; i++) {
            to[k].n[i] = n[k][i];
            to[k].p[i] = at[i] + (float)radius * n[k][i];
        }
    }
}

static FrResult add_batch(FrDrawList *list, FrVec3 eye, const FrGrain *grain, int32_t first,
                          int32_t count) {
    const FrDrawVertex *at = &list->vertex.data[list->dust_vertex + first * POINTS];
    FrVec3 x = fr_vec3((double)at->p[0], (double)at->p[1], (double)at->p[2]);
    FrDrawBatch batch = {.first = list->dust_index + first * CORNERS,
                         .count = count * CORNERS,
                         .body = -1,
                         .closed = true,
                         .roughness = 0.8f,
                         .opacity = 1.0f,
                         .distance = fr_distance(x, eye)};
    memcpy(batch.colour, grain->colour, sizeof batch.colour);
    return fr_array_push(list->ctx, &list->batch, batch) ? FR_OK
                                                         : fr_no_memory(list->ctx, "batches");
}

// one batch for all of one colour that follow each other
static FrResult add_batches(FrDrawList *list, FrVec3 eye, const FrGrain *grain, int32_t count) {
    for (int32_t first = 0, k = 1; k <= count; k++) {
        if (k < count && !memcmp(grain[k].colour, grain[first].colour, sizeof grain->colour))
            continue;
        FR_TRY(add_batch(list, eye, &grain[first], first, k - first));
        first = k;
    }
    return FR_OK;
}

FrResult fr_dust_fill(FrDrawList *list, const FrFrameView *view, FrVec3 eye,
                      const FrRenderOptions *options) {
    const FrGrains *grains = options->grains;
    int32_t count = grains ? grains->grain.count : 0, there = 0;
    float s = fr_show_scaled(options->show) ? -1.0f : 1.0f;
    FrDrawVertex *vertex = list->vertex.data + list->dust_vertex;
    if (count) memset(vertex, 0, (size_t)count * POINTS * sizeof *vertex); // no area: not seen
    for (int32_t g = 0; g < count; g++) {
        FrVec3 x;
        if (!fr_grain_place(grains, &grains->grain.data[g], view->t, &x)) continue;
        put_grain(vertex + (size_t)g * POINTS, fr_sub(x, list->origin),
                  grains->grain.data[g].radius, s);
        there = g + 1;
    }
    return there ? add_batches(list, eye, grains->grain.data, there) : FR_OK;
}
