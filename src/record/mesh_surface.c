// mesh_surface.c: the outside of a mesh read from a file, in linear time whatever the file says.

#include "record/mesh_code.h"
#include <string.h>

// corners of the face opposite corner k, counter-clockwise from outside for a positive tet
static const int8_t face_corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

typedef struct Faces {
    int32_t (*key)[3];      ///< corners by rising number (count)
    int32_t *order, *spare; ///< face numbers 4 e + k (count)
    int32_t *start;         ///< bins (node_count + 1)
    bool *outside;          ///< (count)
    size_t count;
} Faces;

static void swap_down(int32_t *a, int32_t *b) {
    if (*a <= *b) return;
    int32_t old = *a;
    *a = *b;
    *b = old;
}

static void sort_key(int32_t key[3]) {
    swap_down(&key[0], &key[1]);
    swap_down(&key[1], &key[2]);
    swap_down(&key[0], &key[1]);
}

// stable counting sort by one corner; three passes sort by all: no comparison sort to go quadratic
static void sort_by(Faces *f, int32_t node_count, int corner) {
    memset(f->start, 0, ((size_t)node_count + 1) * sizeof *f->start);
    for (size_t k = 0; k < f->count; k++) f->start[f->key[k][corner] + 1]++;
    for (int32_t n = 0; n < node_count; n++) f->start[n + 1] += f->start[n];
    for (size_t k = 0; k < f->count; k++) {
        int32_t face = f->order[k];
        f->spare[f->start[f->key[face][corner]]++] = face;
    }
    int32_t *old = f->order;
    f->order = f->spare;
    f->spare = old;
}

// a face whose corners no other face has is outside
static int32_t mark_outside(Faces *f) {
    int32_t found = 0;
    for (size_t k = 0; k < f->count;) {
        size_t end = k + 1;
        const int32_t *key = f->key[f->order[k]];
        while (end < f->count && !memcmp(key, f->key[f->order[end]], sizeof f->key[0])) end++;
        if (end == k + 1) f->outside[f->order[k]] = true, found++;
        k = end;
    }
    return found;
}

static void collect(const Faces *f, const FrTetMesh *mesh, FrSurface *surface) {
    int32_t at = 0;
    for (size_t face = 0; face < f->count; face++) {
        if (!f->outside[face]) continue;
        const int32_t *tet = mesh->tet[face / 4];
        for (int c = 0; c < 3; c++) surface->tri[at][c] = tet[face_corner[face % 4][c]];
        surface->tet[at++] = (int32_t)(face / 4);
    }
}

static FrResult find_outside(FrContext *ctx, const FrTetMesh *mesh, Faces *f, FrSurface *surface) {
    for (size_t k = 0; k < f->count; k++) {
        for (int c = 0; c < 3; c++) f->key[k][c] = mesh->tet[k / 4][face_corner[k % 4][c]];
        sort_key(f->key[k]);
        f->order[k] = (int32_t)k;
    }
    for (int corner = 2; corner >= 0; corner--) sort_by(f, mesh->node_count, corner);
    surface->tri_count = mark_outside(f);
    surface->tri = fr_alloc_zero(ctx, (size_t)surface->tri_count, sizeof *surface->tri);
    surface->tet = FR_NEW(ctx, int32_t, surface->tri_count);
    if (!surface->tri || !surface->tet) return fr_no_memory(ctx, "a surface");
    collect(f, mesh, surface);
    return FR_OK;
}

FrResult fr_mesh_code_surface(FrContext *ctx, const FrTetMesh *mesh, FrSurface *surface) {
    memset(surface, 0, sizeof *surface);
    if (mesh->tet_count > INT32_MAX / 4)
        return fr_fail(ctx, FR_BAD_INPUT, "mesh: %d tets are more than can be drawn",
                       mesh->tet_count);
    Faces f = {.count = 4 * (size_t)mesh->tet_count};
    f.key = fr_alloc_zero(ctx, f.count, sizeof *f.key);
    f.order = FR_NEW(ctx, int32_t, f.count);
    f.spare = FR_NEW(ctx, int32_t, f.count);
    f.start = FR_NEW(ctx, int32_t, (size_t)mesh->node_count + 1);
    f.outside = FR_NEW(ctx, bool, f.count);
    FrResult result = f.key && f.order && f.spare && f.start && f.outside
                          ? find_outside(ctx, mesh, &f, surface)
                          : fr_no_memory(ctx, "a surface");
    FR_FREE_ALL(ctx, f.key, f.order, f.spare, f.start, f.outside);
    if (result != FR_OK) fr_mesh_code_surface_free(ctx, surface);
    return result;
}

void fr_mesh_code_surface_free(FrContext *ctx, FrSurface *surface) {
    fr_free(ctx, surface->tri);
    fr_free(ctx, surface->tet);
    fr_free(ctx, surface->opened);
    memset(surface, 0, sizeof *surface);
}
