// precut.c: discs that are cut from the start, through every part of the body that they cover.

#include "fracture/inside.h"

/// A disc, placed.
typedef struct Disc {
    FrVec3 centre, normal;
    double radius; ///< m, round where it was asked for
    double level;  ///< m: its plane goes through the node that the cut begins at
} Disc;

/// What a disc has met at a node.
#define TRIED 1  ///< the node was split, or could not be
#define OPENED 2 ///< a face of the cut ends there
#define PARTED 4 ///< the cut went through it

// mean length of the edges at a node, m
static double edge_at(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double sum = 0.0;
    for (int32_t k = 0; k < 4 * count; k++)
        sum += fr_distance(fr_get3(mesh->x, mesh->tet[star[k / 4]][k % 4]), fr_get3(mesh->x, node));
    return sum / (3 * count);
}

static FrVec3 from_centre(const FrFracture *f, const Disc *disc, int32_t node) {
    return fr_sub(fr_get3(fr_cutmesh_placed(f->cut), node), disc->centre);
}

// height of a node over the plane, m
static double above(const FrFracture *f, const Disc *disc, int32_t node) {
    return fr_dot(from_centre(f, disc, node), disc->normal) - disc->level;
}

// within the disc, and within so many edges of its plane?
static bool on_disc(const FrFracture *f, const Disc *disc, int32_t node, double edges) {
    return fr_length(from_centre(f, disc, node)) <= disc->radius &&
           fabs(above(f, disc, node)) <= edges * edge_at(f, node);
}

// do the tets round a node reach beyond its own layer on both sides of the plane?
static bool divides_star(const FrFracture *f, const Disc *disc, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double least = HUGE_VAL, most = -HUGE_VAL, far = FR_DISC_LAYER * edge_at(f, node);
    for (int32_t k = 0; k < 4 * count; k++) {
        double height = above(f, disc, mesh->tet[star[k / 4]][k % 4]);
        least = fr_min(least, height);
        most = fr_max(most, height);
    }
    return least < -far && most > far;
}

/// Where a cut may begin.
typedef struct Seed {
    int32_t node;        ///< -1: nowhere
    double away, height; ///< m: from the disc's centre, and over its plane
    double edge;         ///< m
} Seed;

// within the disc, or within an edge if that is smaller, are the tets round the node divided?
static bool is_seed(const FrFracture *f, const Disc *disc, int32_t node, Seed *seed) {
    Disc moved = *disc;
    *seed = (Seed){.node = node,
                   .away = fr_length(from_centre(f, disc, node)),
                   .height = fr_dot(from_centre(f, disc, node), disc->normal),
                   .edge = edge_at(f, node)};
    moved.level = seed->height;
    return seed->away <= fr_max(disc->radius, seed->edge) &&
           fabs(seed->height) <= FR_DISC_SEED * seed->edge && divides_star(f, &moved, node);
}

static bool is_better(const Seed *a, const Seed *b) {
    double lower = fabs(b->height) - fabs(a->height), least = FR_DISC_SAME * a->edge;
    return b->node < 0 || lower > least || (lower > -least && a->away < b->away - least);
}

// Of the nodes that are at most an edge further from the centre than the nearest: the nearest to
// the plane.
static Seed first_seed(const FrFracture *f, const Disc *disc) {
    int32_t count = fr_cutmesh_view(f->cut)->node_count;
    double nearest = HUGE_VAL;
    Seed best = {.node = -1}, seed;
    for (int32_t n = 0; n < count; n++)
        if (is_seed(f, disc, n, &seed)) nearest = fr_min(nearest, seed.away);
    for (int32_t n = 0; n < count; n++)
        if (is_seed(f, disc, n, &seed) && seed.away <= nearest + seed.edge &&
            is_better(&seed, &best))
            best = seed;
    return best;
}

// The plane through a node of the disc's front that comes back to the disc within an edge, on the
// way from where the cut began.
static FrVec3 back_to_disc(const FrFracture *f, const Disc *disc, int32_t node, FrVec3 begun) {
    FrVec3 r = fr_sub(fr_get3(fr_cutmesh_placed(f->cut), node), begun);
    double off = above(f, disc, node), edge = edge_at(f, node);
    FrVec3 out = fr_axpy(-fr_dot(r, disc->normal), disc->normal, r);
    if (fr_length(out) < FR_DISC_WAY * edge) return disc->normal;
    return fr_normalize(fr_axpy(off / edge, fr_normalize(out), disc->normal));
}

static bool try_next(FrFracture *f, int32_t node) {
    f->scratch.cuts.met.data[node] |= TRIED;
    return fr_array_push(f->ctx, &f->scratch.scan.candidate, node);
}

// what the last split made
static bool note_split(FrFracture *f) {
    if (!fr_array_extend(f->ctx, &f->scratch.cuts.met,
                         f->scratch.cuts.version.count - f->scratch.cuts.met.count))
        return false;
    for (int32_t k = 0; k < f->scratch.cuts.one.face_count; k++)
        for (int i = 0; i < 3; i++) {
            f->scratch.cuts.met.data[f->scratch.cuts.one.faces[k].plus_node[i]] |= OPENED;
            f->scratch.cuts.met.data[f->scratch.cuts.one.faces[k].minus_node[i]] |= OPENED;
        }
    for (int32_t k = 0; k < f->scratch.cuts.one.node_count; k++) {
        if (f->scratch.cuts.one.nodes[k].a != f->scratch.cuts.one.nodes[k].b) continue;
        f->scratch.cuts.met.data[f->scratch.cuts.one.nodes[k].a] |= PARTED;
        f->scratch.cuts.met.data[f->scratch.cuts.one.first_node + k] |= PARTED;
    }
    return true;
}

// the node nearest to the plane of those to come is the next
static void bring_nearest(FrFracture *f, const Disc *disc, int32_t next) {
    int32_t *node = f->scratch.scan.candidate.data, best = next;
    double least = FR_DISC_SAME * edge_at(f, node[next]);
    for (int32_t k = next + 1; k < f->scratch.scan.candidate.count; k++)
        if (fabs(above(f, disc, node[k])) < fabs(above(f, disc, node[best])) - least) best = k;
    int32_t chosen = node[best];
    for (int32_t k = best; k > next; k--) node[k] = node[k - 1];
    node[next] = chosen;
}

// from a node outwards: the nodes of each front are the next ones
static FrResult cut_from(FrFracture *f, const Disc *disc, int32_t first) {
    FrVec3 begun = fr_get3(fr_cutmesh_placed(f->cut), first);
    f->scratch.scan.candidate.count = 0;
    bool room = try_next(f, first);
    for (int32_t k = 0; room && k < f->scratch.scan.candidate.count; k++) {
        FrSplitResult split;
        bring_nearest(f, disc, k);
        int32_t node = f->scratch.scan.candidate.data[k];
        if (f->scratch.cuts.met.data[node] & PARTED) continue;
        FR_TRY(fr_fracture_split(f, node, back_to_disc(f, disc, node, begun), &split));
        if (split.outcome != FR_SPLIT_DONE) continue;
        room = note_split(f);
        for (int32_t j = 0; room && j < split.front_count; j++) {
            int32_t n = split.front[j];
            if (f->scratch.cuts.met.data[n] & (TRIED | PARTED) ||
                !on_disc(f, disc, n, FR_DISC_LAYER))
                continue;
            room = try_next(f, n);
        }
    }
    return room ? FR_OK : fr_no_memory(f->ctx, "a crack");
}

// Did the cut end at this node, or never come by where it divides the tets?
static bool is_left(const FrFracture *f, const Disc *disc, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    if (f->scratch.cuts.met.data[node]) return f->scratch.cuts.met.data[node] == OPENED;
    for (int32_t k = 0; k < 4 * count; k++)
        if (f->scratch.cuts.met.data[mesh->tet[star[k / 4]][k % 4]]) return false;
    return divides_star(f, disc, node);
}

// Parts of the body that hang together with the first node by a way round the disc, or not at all,
// and what the cut left standing: each is cut from the node with the lowest number of those that
// are as near to the plane.
static FrResult cut_others(FrFracture *f, const Disc *disc) {
    static const double off[] = {FR_DISC_NEAR, FR_DISC_LAYER, FR_DISC_SEED};
    for (size_t k = 0; k < sizeof off / sizeof off[0]; k++)
        for (int32_t n = 0; n < f->scratch.cuts.met.count; n++)
            if (on_disc(f, disc, n, off[k]) && is_left(f, disc, n)) FR_TRY(cut_from(f, disc, n));
    return FR_OK;
}

// Where the crack runs is known: thin tets are allowed and nodes move far to have it there. The
// crack behind does not turn it, but the plane holds its front: else it doubles there.
static void keep_to_plane(FrSplitOptions *split) {
    split->straight = FR_DISC_STRAIGHT;
    split->snap_distance = fr_max(split->snap_distance, FR_DISC_SNAP);
    split->min_height = fr_min(split->min_height, FR_DISC_HEIGHT);
}

// What could not be split can be, now and then, where fewer nodes move.
static void try_again(FrFracture *f) {
    f->scratch.cuts.split.snap_distance = FR_DISC_SNAP_AGAIN;
    for (int32_t n = 0; n < f->scratch.cuts.met.count; n++)
        f->scratch.cuts.met.data[n] &= (uint8_t)~TRIED;
}

static FrResult cut_disc(FrFracture *f, Disc disc) {
    f->scratch.cuts.met.count = 0;
    if (!fr_array_extend(f->ctx, &f->scratch.cuts.met, f->scratch.cuts.version.count))
        return fr_no_memory(f->ctx, "a crack");
    Seed first = first_seed(f, &disc);
    if (first.node < 0) return FR_OK;
    disc.level = first.height;
    FR_TRY(cut_from(f, &disc, first.node));
    try_again(f);
    return cut_others(f, &disc);
}

FrResult fr_fracture_precut(FrFracture *f, FrVec3 centre, FrVec3 normal, double radius,
                            FrBreakResult *result) {
    fr_fracture_begin(f);
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    fr_cutmesh_place(f->cut, view.p);
    fr_cutmesh_clock(f->cut, 0.0);
    keep_to_plane(&f->scratch.cuts.split);
    FR_TRY(cut_disc(f, (Disc){centre, normal, radius, 0.0}));
    FR_TRY(fr_fracture_come_off(f, 0.0, result));
    if (!f->scratch.piece.cut_off) f->scratch.piece.first_cut_off = result->first_piece;
    f->scratch.piece.cut_off += result->piece_count;
    if (!f->scratch.piece.precuts.tet_count)
        fr_cutlog_clear(&f->scratch.piece.precuts, f->scratch.cuts.log.first_node);
    return fr_cutlog_append(f->ctx, &f->scratch.piece.precuts, &f->scratch.cuts.log, 0.0);
}
