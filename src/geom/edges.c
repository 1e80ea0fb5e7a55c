// edges.c: sides of triangles sorted by their points, in linear time.

#include "geom/edges.h"
#include <string.h>

typedef struct Triple {
    int32_t key[3]; ///< points in rising order
    int32_t tri;
} Triple;

static int32_t use_key(const void *items, int32_t i, int part) {
    const FrEdgeUse *use = (const FrEdgeUse *)items + i;
    return part == 0 ? use->hi : use->lo;
}

static int32_t triple_key(const void *items, int32_t i, int part) {
    return ((const Triple *)items)[i].key[2 - part];
}

typedef int32_t KeyFn(const void *items, int32_t i, int part);

/// What to sort by.
typedef struct Keys {
    KeyFn *of;
    int parts;     ///< keys of an item, the least important first
    int32_t count; ///< keys are below this
} Keys;

// stable counting sort by one key after the other
static bool radix_sort(FrContext *ctx, void **items, int32_t count, size_t size, Keys key) {
    uint8_t *from = *items, *to = fr_alloc_zero(ctx, (size_t)count, size);
    int32_t *start = FR_NEW(ctx, int32_t, (size_t)key.count + 1);
    bool good = to && start;
    for (int part = 0; part < key.parts && good; part++) {
        memset(start, 0, ((size_t)key.count + 1) * sizeof *start);
        for (int32_t i = 0; i < count; i++) start[key.of(from, i, part) + 1]++;
        for (int32_t k = 0; k < key.count; k++) start[k + 1] += start[k];
        for (int32_t i = 0; i < count; i++)
            memcpy(to + (size_t)start[key.of(from, i, part)]++ * size, from + (size_t)i * size,
                   size);
        uint8_t *swap = from;
        from = to, to = swap;
    }
    *items = from;
    fr_free(ctx, to);
    fr_free(ctx, start);
    return good;
}

FrResult fr_trimesh_edges(FrContext *ctx, const FrTriMesh *mesh, FrEdgeUse **uses) {
    *uses = NULL;
    if (mesh->tri_count > INT32_MAX / 3) return fr_no_memory(ctx, "edges");
    int32_t count = 3 * mesh->tri_count;
    FrEdgeUse *list = FR_NEW(ctx, FrEdgeUse, count);
    if (!list) return fr_no_memory(ctx, "edges");
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        for (int k = 0; k < 3; k++) {
            int32_t a = mesh->tri[t][k], b = mesh->tri[t][(k + 1) % 3];
            FrEdgeUse *use = &list[3 * t + k];
            use->lo = fr_min_i(a, b), use->hi = fr_max_i(a, b);
            use->tri = t, use->forward = a < b;
        }
    }
    void *items = list;
    bool good = radix_sort(ctx, &items, count, sizeof *list, (Keys){use_key, 2, mesh->point_count});
    *uses = items;
    if (good) return FR_OK;
    fr_free(ctx, items);
    *uses = NULL;
    return fr_no_memory(ctx, "edges");
}

static Triple sorted_triple(const int32_t tri[3], int32_t t) {
    int32_t a = tri[0], b = tri[1], c = tri[2];
    int32_t lo = fr_min_i(fr_min_i(a, b), c), hi = fr_max_i(fr_max_i(a, b), c);
    int64_t mid = (int64_t)a + b + c - lo - hi;
    return (Triple){{lo, (int32_t)mid, hi}, t};
}

FrResult fr_trimesh_duplicates(FrContext *ctx, const FrTriMesh *mesh, bool **duplicate) {
    *duplicate = NULL;
    int32_t count = mesh->tri_count;
    Triple *list = FR_NEW(ctx, Triple, count);
    bool *flags = FR_NEW(ctx, bool, count);
    void *items = list;
    bool good = list && flags;
    for (int32_t t = 0; t < count && good; t++) list[t] = sorted_triple(mesh->tri[t], t);
    good = good &&
           radix_sort(ctx, &items, count, sizeof *list, (Keys){triple_key, 3, mesh->point_count});
    list = items;
    // the sort is stable: of equal triples the first has the lowest number
    for (int32_t i = 1; i < count && good; i++)
        if (!memcmp(list[i].key, list[i - 1].key, sizeof list[i].key)) flags[list[i].tri] = true;
    fr_free(ctx, list);
    if (!good) {
        fr_free(ctx, flags);
        return fr_no_memory(ctx, "triangles");
    }
    *duplicate = flags;
    return FR_OK;
}
