// bulk.c: which pieces of a broken body are its bulk, and which few fly far off.

#include "render/camera.h"
#include <stdlib.h>

/// Those that make up at most this share of the body's mass may fly off ...
#define LOST 0.07
/// ... and do so when they are so many times as far out as all the rest, and farther than the body
/// was long: the neck of a vase still stands over what its belly broke to.
#define OFF 2.0
/// Where all fly apart, those that are farther out than this many lengths of the body leave, too,
/// as long as this share of the mass stays: shards would be specks among each other.
#define APART 1.5
#define KEPT 0.25

typedef FrBulkPiece Piece;

typedef struct Bulk {
    const FrTetMesh *mesh;
    const int32_t *piece_of; ///< (tet_count)
    const double *p;         ///< node positions, m
    Piece *piece;
    int32_t count;
} Bulk;

static FrVec3 centre_of(const double *x, const int32_t tet[4]) {
    FrVec3 sum = fr_add(fr_get3(x, tet[0]), fr_get3(x, tet[1]));
    return fr_scale(0.25, fr_add(sum, fr_add(fr_get3(x, tet[2]), fr_get3(x, tet[3]))));
}

static void weigh(Bulk *b) {
    const double *x = b->mesh->x;
    for (int32_t e = 0; e < b->mesh->tet_count; e++) {
        const int32_t *t = b->mesh->tet[e];
        FrVec3 o = fr_get3(x, t[0]);
        FrVec3 u = fr_sub(fr_get3(x, t[1]), o), v = fr_sub(fr_get3(x, t[2]), o);
        double volume = fabs(fr_dot(fr_cross(u, v), fr_sub(fr_get3(x, t[3]), o))) / 6;
        Piece *piece = &b->piece[b->piece_of[e]];
        piece->centre = fr_axpy(volume, centre_of(b->p, t), piece->centre);
        piece->volume += volume;
    }
    for (int32_t k = 0; k < b->count; k++) {
        Piece *piece = &b->piece[k];
        piece->id = k;
        if (piece->volume > 0) piece->centre = fr_scale(1 / piece->volume, piece->centre);
    }
}

// --- the middle: half of the mass lies to either side of it, along each axis

static int by_number(double a, double b, const Piece *x, const Piece *y) {
    return a != b ? (a < b ? -1 : 1) : (x->id > y->id) - (x->id < y->id);
}
static int by_x(const void *a, const void *b) {
    return by_number(((const Piece *)a)->centre.x, ((const Piece *)b)->centre.x, a, b);
}
static int by_y(const void *a, const void *b) {
    return by_number(((const Piece *)a)->centre.y, ((const Piece *)b)->centre.y, a, b);
}
static int by_z(const void *a, const void *b) {
    return by_number(((const Piece *)a)->centre.z, ((const Piece *)b)->centre.z, a, b);
}
static int by_distance(const void *a, const void *b) {
    return by_number(((const Piece *)a)->far, ((const Piece *)b)->far, a, b);
}
static int by_id(const void *a, const void *b) { return by_number(0, 0, a, b); }

// the first piece, in this order, with which `share` of the mass is reached
static const Piece *reached(Piece *piece, int32_t count, double share,
                            int (*order)(const void *, const void *)) {
    double sum = 0, all = 0;
    int32_t k = 0;
    qsort(piece, (size_t)count, sizeof *piece, by_id);
    for (int32_t i = 0; i < count; i++) all += piece[i].volume;
    qsort(piece, (size_t)count, sizeof *piece, order);
    while (k + 1 < count && (sum += piece[k].volume) < share * all) k++;
    return &piece[k];
}

FrVec3 fr_bulk_middle(FrBulkPiece *piece, int32_t count) {
    FrVec3 middle;
    middle.x = reached(piece, count, 0.5, by_x)->centre.x;
    middle.y = reached(piece, count, 0.5, by_y)->centre.y;
    middle.z = reached(piece, count, 0.5, by_z)->centre.z;
    qsort(piece, (size_t)count, sizeof *piece, by_id);
    return middle;
}

double fr_bulk_limit(FrBulkPiece *piece, int32_t count, double length) {
    double kept = reached(piece, count, KEPT, by_distance)->far;
    double most = fr_max(kept, APART * length);
    double rest = reached(piece, count, 1 - LOST, by_distance)->far;
    qsort(piece, (size_t)count, sizeof *piece, by_id);
    return fr_clamp(OFF * rest, length, most);
}

static double length_at_rest(const FrTetMesh *mesh) {
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < mesh->node_count; n++) box = fr_box_add(box, fr_get3(mesh->x, n));
    return fr_distance(box.lo, box.hi);
}

static void measure(Bulk *b) {
    FrVec3 middle = fr_bulk_middle(b->piece, b->count);
    for (int32_t e = 0; e < b->mesh->tet_count; e++) {
        Piece *piece = &b->piece[b->piece_of[e]];
        for (int i = 0; i < 4; i++)
            piece->far = fr_max(piece->far, fr_distance(fr_get3(b->p, b->mesh->tet[e][i]), middle));
    }
}

FrResult fr_bulk_leave_out(FrContext *ctx, const FrBodyView *body, const double *p, bool *out) {
    Bulk b = {.mesh = body->mesh, .piece_of = body->piece, .p = p};
    for (int32_t e = 0; b.piece_of && e < b.mesh->tet_count; e++)
        b.count = fr_max_i(b.count, b.piece_of[e] + 1);
    if (b.count < 2) return FR_OK;
    b.piece = FR_NEW(ctx, Piece, b.count);
    if (!b.piece) return fr_no_memory(ctx, "the camera");
    weigh(&b);
    measure(&b);
    double limit = fr_bulk_limit(b.piece, b.count, length_at_rest(b.mesh));
    for (int32_t e = 0; e < b.mesh->tet_count; e++)
        for (int i = 0; i < 4; i++)
            if (b.piece[b.piece_of[e]].far > limit) out[b.mesh->tet[e][i]] = true;
    fr_free(ctx, b.piece);
    return FR_OK;
}
