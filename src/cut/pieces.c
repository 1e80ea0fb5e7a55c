// pieces.c: face-connected pieces of a cut mesh, followed cut by cut.
//
// After a cut, one search spreads from both sides of all faces that opened, step by step together.
// Where two fronts meet, their sides hang together. It ends as soon as each piece has at most one
// side whose search goes on: all others are complete parts. So a crack that ends inside costs a
// walk round its front, and a part that breaks off costs about twice its own size.

#include "cut/pieces.h"
#include "base/array.h"

// a side of the cut, while the search spreads
typedef struct Part {
    int32_t joined;  ///< union-find
    int32_t waiting; ///< tets of its front
    int32_t lowest;  ///< lowest tet reached
    int32_t name;    ///< the piece it was part of
    double volume;   ///< m^3 reached
    int32_t renamed; ///< the piece it becomes
} Part;

struct FrPieces {
    FrContext *ctx;
    FR_ARRAY(int32_t) of_tet;
    FR_ARRAY(FrPiece) piece;
    FR_ARRAY(int32_t) owner; ///< part of each tet while a search runs; -1: not reached
    FR_ARRAY(int32_t) queue; ///< tets reached
    FR_ARRAY(Part) part;
    FR_ARRAY(int32_t) open; ///< per piece: parts whose search goes on
};

void fr_pieces_destroy(FrPieces *p) {
    if (!p) return;
    FrContext *ctx = p->ctx;
    fr_array_free(ctx, &p->of_tet);
    fr_array_free(ctx, &p->piece);
    fr_array_free(ctx, &p->owner);
    fr_array_free(ctx, &p->queue);
    fr_array_free(ctx, &p->part);
    fr_array_free(ctx, &p->open);
    fr_free(ctx, p);
}

static FrResult no_memory(FrPieces *p) { return fr_no_memory(p->ctx, "pieces"); }

// all parts from scratch, in the order of their lowest tets
static FrResult name_all(FrPieces *p, const FrCutMesh *cut) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    if (!fr_array_extend(p->ctx, &p->of_tet, mesh->tet_count) ||
        !fr_array_extend(p->ctx, &p->owner, mesh->tet_count) ||
        !fr_array_reserve(p->ctx, &p->queue, mesh->tet_count))
        return no_memory(p);
    for (int32_t e = 0; e < mesh->tet_count; e++) p->of_tet.data[e] = p->owner.data[e] = -1;
    for (int32_t seed = 0; seed < mesh->tet_count; seed++) {
        if (p->of_tet.data[seed] >= 0) continue;
        FrPiece piece = {.parent = -1, .tet = seed};
        p->queue.count = 0;
        p->queue.data[p->queue.count++] = seed;
        p->of_tet.data[seed] = p->piece.count;
        for (int32_t k = 0; k < p->queue.count; k++) {
            int32_t e = p->queue.data[k];
            piece.volume += fr_tet_volume(mesh, e);
            for (int i = 0; i < 4; i++) {
                int32_t other = fr_cutmesh_across(cut, e, i);
                if (other < 0 || p->of_tet.data[other] >= 0) continue;
                p->of_tet.data[other] = p->piece.count;
                p->queue.data[p->queue.count++] = other;
            }
        }
        piece.born_volume = piece.volume;
        if (!fr_array_push(p->ctx, &p->piece, piece)) return no_memory(p);
    }
    return FR_OK;
}

FrResult fr_pieces_create(FrContext *ctx, const FrCutMesh *cut, FrPieces **pieces) {
    *pieces = NULL;
    FrPieces *p = FR_NEW(ctx, FrPieces, 1);
    if (!p) return fr_no_memory(ctx, "pieces");
    p->ctx = ctx;
    FrResult result = name_all(p, cut);
    if (result != FR_OK)
        fr_pieces_destroy(p);
    else
        *pieces = p;
    return result;
}

// children belong to the piece of their parent
static FrResult follow_tets(FrPieces *p, const FrCutMesh *cut, const FrCutLog *log,
                            int32_t group0) {
    int32_t count = fr_cutmesh_view(cut)->tet_count, k = log->tet_count;
    if (!fr_array_extend(p->ctx, &p->of_tet, count - p->of_tet.count) ||
        !fr_array_reserve(p->ctx, &p->owner, count - p->owner.count))
        return no_memory(p);
    while (p->owner.count < count) p->owner.data[p->owner.count++] = -1;
    while (k > 0 && log->tets[k - 1].group >= group0) k--;
    for (; k < log->tet_count; k++)
        p->of_tet.data[log->tets[k].child] = p->of_tet.data[log->tets[k].parent];
    return FR_OK;
}

static int32_t part_of(FrPieces *p, int32_t k) {
    Part *part = p->part.data;
    while (part[k].joined != k) k = part[k].joined = part[part[k].joined].joined;
    return k;
}

// a part ends, by meeting another or by running out
static void close_part(FrPieces *p, int32_t k, int32_t *busy) {
    int32_t *open = &p->open.data[p->part.data[k].name];
    if (--*open == 1) --*busy;
}

static void meet(FrPieces *p, int32_t a, int32_t b, int32_t *busy) {
    a = part_of(p, a);
    b = part_of(p, b);
    if (a == b) return;
    if (a > b) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    Part *to = &p->part.data[a], *from = &p->part.data[b];
    from->joined = a;
    to->waiting += from->waiting;
    to->volume += from->volume;
    if (from->lowest < to->lowest) to->lowest = from->lowest;
    close_part(p, b, busy);
}

static FrResult add_seed(FrPieces *p, int32_t e) {
    if (p->owner.data[e] >= 0) return FR_OK;
    Part part = {.joined = p->part.count,
                 .waiting = 1,
                 .lowest = e,
                 .name = p->of_tet.data[e],
                 .renamed = -1};
    if (!fr_array_push(p->ctx, &p->part, part) || !fr_array_push(p->ctx, &p->queue, e))
        return no_memory(p);
    p->owner.data[e] = p->part.count - 1;
    return FR_OK;
}

static FrResult seed(FrPieces *p, const FrCutLog *log, int32_t group0, int32_t *busy) {
    p->part.count = p->queue.count = p->open.count = 0;
    if (!fr_array_extend(p->ctx, &p->open, p->piece.count)) return no_memory(p);
    for (int32_t k = log->face_count - 1; k >= 0 && log->faces[k].group > group0; k--) {
        FR_TRY(add_seed(p, log->faces[k].plus));
        FR_TRY(add_seed(p, log->faces[k].minus));
    }
    // busy: pieces with more than one part whose search goes on
    *busy = 0;
    for (int32_t k = 0; k < p->part.count; k++) *busy += ++p->open.data[p->part.data[k].name] == 2;
    return FR_OK;
}

static FrResult spread(FrPieces *p, const FrCutMesh *cut, int32_t busy) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    for (int32_t k = 0; k < p->queue.count && busy > 0; k++) {
        int32_t e = p->queue.data[k], own = part_of(p, p->owner.data[e]);
        p->part.data[own].volume += fr_tet_volume(mesh, e);
        for (int i = 0; i < 4; i++) {
            int32_t other = fr_cutmesh_across(cut, e, i);
            if (other < 0) continue;
            own = part_of(p, own);
            if (p->owner.data[other] >= 0) {
                meet(p, own, p->owner.data[other], &busy);
                continue;
            }
            if (!fr_array_push(p->ctx, &p->queue, other)) return no_memory(p);
            p->owner.data[other] = own;
            Part *part = &p->part.data[own];
            part->waiting++;
            if (other < part->lowest) part->lowest = other;
        }
        own = part_of(p, own);
        if (--p->part.data[own].waiting == 0) close_part(p, own, &busy);
    }
    return FR_OK;
}

// The part whose search was left unfinished holds what the others do not. Its lowest tet is not
// known, but only matters where volumes are equal to the last bit.
static void close_volumes(FrPieces *p) {
    for (int32_t k = 0; k < p->part.count; k++) {
        Part *rest = &p->part.data[k];
        if (rest->joined != k || rest->waiting == 0) continue;
        rest->volume = p->piece.data[rest->name].volume;
        for (int32_t j = 0; j < p->part.count; j++) {
            const Part *other = &p->part.data[j];
            if (j != k && other->joined == j && other->name == rest->name)
                rest->volume -= other->volume;
        }
    }
}

// the largest part of a piece that fell apart
static int32_t largest(const FrPieces *p, int32_t name, int32_t *parts) {
    int32_t best = -1;
    *parts = 0;
    for (int32_t k = 0; k < p->part.count; k++) {
        const Part *part = &p->part.data[k];
        if (part->joined != k || part->name != name) continue;
        ++*parts;
        const Part *top = best < 0 ? NULL : &p->part.data[best];
        if (!top || part->volume > top->volume ||
            (part->volume == top->volume && part->lowest < top->lowest))
            best = k;
    }
    return best;
}

// the whole of a part that was left unfinished but gets a new name
static FrResult finish(FrPieces *p, const FrCutMesh *cut, int32_t k) {
    int32_t begin = 0;
    Part *part = &p->part.data[k];
    for (; begin < p->queue.count; begin++) {
        int32_t e = p->queue.data[begin];
        if (part_of(p, p->owner.data[e]) != k) continue;
        for (int i = 0; i < 4; i++) {
            int32_t other = fr_cutmesh_across(cut, e, i);
            if (other < 0 || p->owner.data[other] >= 0) continue;
            if (!fr_array_push(p->ctx, &p->queue, other)) return no_memory(p);
            p->owner.data[other] = k;
            if (other < part->lowest) part->lowest = other;
        }
    }
    part->waiting = 0;
    return FR_OK;
}

#define UNNAMED (-2)

// which part of each piece keeps its name; the others are whole after this, and wait for a name
static FrResult choose(FrPieces *p, const FrCutMesh *cut) {
    for (int32_t k = 0; k < p->part.count; k++) {
        if (p->part.data[k].joined != k || p->part.data[k].renamed != -1) continue;
        int32_t name = p->part.data[k].name, parts, best = largest(p, name, &parts);
        for (int32_t j = 0; j < p->part.count; j++) {
            Part *part = &p->part.data[j];
            if (part->joined != j || part->name != name) continue;
            if (part->waiting && j != best) FR_TRY(finish(p, cut, j));
            part->renamed = j == best ? name : UNNAMED;
        }
        if (parts < 2) continue;
        p->piece.data[name].volume = p->part.data[best].volume;
        p->piece.data[name].tet = p->part.data[best].lowest;
    }
    return FR_OK;
}

// numbers in the order of lowest tets
static FrResult name_parts(FrPieces *p, double t) {
    for (;;) {
        int32_t next = -1;
        for (int32_t k = 0; k < p->part.count; k++) {
            const Part *part = &p->part.data[k];
            if (part->joined != k || part->renamed != UNNAMED) continue;
            if (next < 0 || part->lowest < p->part.data[next].lowest) next = k;
        }
        if (next < 0) return FR_OK;
        Part *part = &p->part.data[next];
        FrPiece piece = {.parent = part->name,
                         .t = t,
                         .volume = part->volume,
                         .born_volume = part->volume,
                         .tet = part->lowest};
        part->renamed = p->piece.count;
        if (!fr_array_push(p->ctx, &p->piece, piece)) return no_memory(p);
    }
}

// the names of the tets reached; the scratch is clean again
static void rename_tets(FrPieces *p) {
    for (int32_t k = 0; k < p->queue.count; k++) {
        int32_t e = p->queue.data[k];
        p->of_tet.data[e] = p->part.data[part_of(p, p->owner.data[e])].renamed;
    }
    for (int32_t k = 0; k < p->queue.count; k++) p->owner.data[p->queue.data[k]] = -1;
}

FrResult fr_pieces_follow(FrPieces *p, const FrCutMesh *cut, const FrCutLog *log, int32_t group0,
                          double t, int32_t *born) {
    int32_t before = p->piece.count, busy = 0;
    FR_TRY(follow_tets(p, cut, log, group0));
    FR_TRY(seed(p, log, group0, &busy));
    FR_TRY(spread(p, cut, busy));
    close_volumes(p);
    FR_TRY(choose(p, cut));
    FR_TRY(name_parts(p, t));
    rename_tets(p);
    if (born) *born = p->piece.count - before;
    return FR_OK;
}

const int32_t *fr_pieces_of_tets(const FrPieces *p) { return p->of_tet.data; }

const FrPiece *fr_pieces_table(const FrPieces *p, int32_t *count) {
    *count = p->piece.count;
    return p->piece.data;
}

static FrSym3 point_inertia(double m, FrVec3 r) {
    double rr = fr_length2(r);
    return (FrSym3){m * (rr - r.x * r.x), m * (rr - r.y * r.y), m * (rr - r.z * r.z),
                    -m * r.y * r.z,       -m * r.z * r.x,       -m * r.x * r.y};
}

// A tet of mass m and corners x_i about the point c, r_i = x_i - c, s = sum r_i: the integral of
// r r' is m / 20 (sum_i r_i r_i' + s s').
static FrSym3 tet_inertia(double m, const FrVec3 r[4]) {
    FrVec3 s = fr_add(fr_add(r[0], r[1]), fr_add(r[2], r[3]));
    FrSym3 sum = point_inertia(m / 20, s);
    for (int i = 0; i < 4; i++) sum = fr_sym3_axpy(1, point_inertia(m / 20, r[i]), sum);
    return sum;
}

void fr_pieces_props(const FrPieces *p, const FrCutMesh *cut, const double *at, int32_t first,
                     int32_t count, FrSolidProps *props) {
    const FrTetMesh *mesh = fr_cutmesh_view(cut);
    if (!at) at = mesh->x;
    for (int32_t k = 0; k < count; k++) props[k] = (FrSolidProps){0};
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t e = 0; e < mesh->tet_count; e++) {
            int32_t k = p->of_tet.data[e] - first;
            if (k < 0 || k >= count) continue;
            double volume = fr_tet_volume(mesh, e);
            FrVec3 r[4];
            for (int i = 0; i < 4; i++) r[i] = fr_get3(at, mesh->tet[e][i]);
            if (pass == 0) {
                props[k].volume += volume;
                for (int i = 0; i < 4; i++)
                    props[k].centre = fr_axpy(0.25 * volume, r[i], props[k].centre);
                continue;
            }
            for (int i = 0; i < 4; i++) r[i] = fr_sub(r[i], props[k].centre);
            props[k].inertia = fr_sym3_axpy(1, tet_inertia(volume, r), props[k].inertia);
        }
        for (int32_t k = 0; k < count && pass == 0; k++)
            if (props[k].volume > 0)
                props[k].centre = fr_scale(1 / props[k].volume, props[k].centre);
    }
}

void fr_pieces_save(const FrPieces *p, FrWriter *out) {
    fr_write_i32(out, p->of_tet.count);
    fr_write_i32(out, p->piece.count);
    for (int32_t e = 0; e < p->of_tet.count; e++) fr_write_i32(out, p->of_tet.data[e]);
    for (int32_t k = 0; k < p->piece.count; k++) {
        const FrPiece *piece = &p->piece.data[k];
        fr_write_i32(out, piece->parent);
        fr_write_f64(out, piece->t);
        fr_write_f64(out, piece->volume);
        fr_write_f64(out, piece->born_volume);
        fr_write_i32(out, piece->tet);
    }
}

FrResult fr_pieces_load(FrPieces *p, const FrCutMesh *cut, FrReader *in) {
    int32_t tets = fr_read_i32(in), pieces = fr_read_i32(in);
    size_t left = fr_reader_left(in);
    bool good = !in->failed && tets == fr_cutmesh_view(cut)->tet_count && pieces >= 0 &&
                4 * (uint64_t)tets <= left && 32 * (uint64_t)pieces <= left;
    p->of_tet.count = p->owner.count = p->piece.count = 0;
    if (good &&
        (!fr_array_extend(p->ctx, &p->of_tet, tets) || !fr_array_extend(p->ctx, &p->owner, tets) ||
         !fr_array_extend(p->ctx, &p->piece, pieces)))
        return no_memory(p);
    for (int32_t e = 0; good && e < tets; e++) {
        p->of_tet.data[e] = fr_read_i32(in);
        p->owner.data[e] = -1;
        good = p->of_tet.data[e] >= 0 && p->of_tet.data[e] < pieces;
    }
    for (int32_t k = 0; good && k < pieces; k++) {
        FrPiece *piece = &p->piece.data[k];
        piece->parent = fr_read_i32(in);
        piece->t = fr_read_f64(in);
        piece->volume = fr_read_f64(in);
        piece->born_volume = fr_read_f64(in);
        piece->tet = fr_read_i32(in);
        good = piece->parent < k && isfinite(piece->t + piece->volume + piece->born_volume) &&
               piece->tet >= 0 && piece->tet < tets;
    }
    if (good && !in->failed) return FR_OK;
    return fr_fail(p->ctx, FR_BAD_INPUT, "a checkpoint: byte %zu: not this mesh's pieces", in->at);
}
