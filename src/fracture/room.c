// room.c: how far nodes are from failing, and which of them that shows to hold.
//
// What was found out about a node holds until the stresses round it have drifted by as much as it
// had room: its room, and the stresses of its tets are remembered (marked) when it is found; each
// tet that is marked anew for one node takes what it drifted so far off the rooms of its others.
// Rooms come from the stresses of the force kernel, in lanes and nearly exact: a node that may fail
// by them is judged as if there were none. Cracks are the same bits as without.

#include "fracture/inside.h"
#include "base/tasks.h"

static int corner_of(const int32_t *n, int32_t node) {
    return n[0] == node ? 0 : n[1] == node ? 1 : n[2] == node ? 2 : 3;
}

// what a tet took of the room of its corner since it was marked, N
static double taken(const FrFracture *f, int32_t tet, int corner) {
    return (1.0 + FR_LOOK_ROUNDING) * f->lever.data[tet].area[corner] *
           fr_fem_tet_drift(f->fem, tet);
}

// is the room of the node not used up?
static bool has_room(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double room = f->room.data[node];
    for (int32_t k = 0; k < count && room > 0.0; k++)
        room -= taken(f, star[k], corner_of(mesh->tet[star[k]], node));
    return room > 0.0;
}

static void room_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->candidate.data[k];
        f->mark.data[n] = !fr_fem_held(f->fem, n) && !has_room(f, n);
    }
}

// Rooms whose nodes had a cut are gone (fr_fracture_follow); a tet that a cut moved among the
// chunks lost its mark.
static void forget_moved(FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    if (f->room_topology == view.topology) return;
    f->room_topology = view.topology;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4 && !fr_fem_is_marked(f->fem, e); i++)
            f->room.data[mesh->tet[e][i]] = 0.0;
}

// the blocks of the tets round the candidates, each once
static FrResult list_blocks(FrFracture *f) {
    int32_t blocks = fr_fem_block_count(f->fem);
    f->block.count = 0;
    if (!fr_array_extend(f->ctx, &f->tears_of, fr_max_i(0, blocks - f->tears_of.count)) ||
        !fr_array_reserve(f->ctx, &f->block, blocks))
        return fr_no_memory(f->ctx, "stresses");
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, f->candidate.data[k], &count);
        for (int32_t j = 0; j < count; j++) {
            int32_t block = fr_fem_tet_lane(f->fem, star[j]) / 4;
            if (f->tears_of.data[block]) continue;
            f->block.data[f->block.count++] = block;
            f->tears_of.data[block] = f->block.count;
        }
    }
    return FR_OK;
}

static void forget_blocks(FrFracture *f) {
    for (int32_t k = 0; k < f->block.count; k++) f->tears_of.data[f->block.data[k]] = 0;
}

/// One candidate among so many nodes: all tets are looked at then, as listing theirs costs more.
#define MANY 4

static FrResult list_drifting(FrFracture *f) {
    int32_t blocks = fr_fem_block_count(f->fem);
    f->block.count = 0;
    if (!fr_array_reserve(f->ctx, &f->block, blocks)) return fr_no_memory(f->ctx, "stresses");
    if (MANY * f->candidate.count < fr_cutmesh_view(f->cut)->node_count) {
        FR_TRY(list_blocks(f));
        forget_blocks(f);
        return FR_OK;
    }
    for (int32_t b = 0; b < blocks; b++) f->block.data[f->block.count++] = b;
    return FR_OK;
}

/// Tears round a node.
typedef struct Torn {
    FrTearing tearing; ///< `plus` less `minus`, which is 0
    double size;       ///< sum of the sizes, N
} Torn;

static Torn torn_at(const FrFracture *f, int32_t node) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    int32_t count;
    const int32_t *star = fr_cutmesh_star(f->cut, node, &count);
    double sum[13] = {0};
    for (int32_t k = 0; k < count; k++) {
        int32_t lane = fr_fem_tet_lane(f->fem, star[k]);
        const FrTears *tears = &f->tears.data[f->tears_of.data[lane / 4] - 1];
        const FrCornerTears *c = &tears->corner[corner_of(mesh->tet[star[k]], node)];
        int at = lane % 4;
        for (int i = 0; i < 6; i++) sum[i] += c->tear[i][at];
        for (int i = 0; i < 3; i++) sum[6 + i] += c->plus[i][at], sum[9 + i] += c->minus[i][at];
        sum[12] += c->size[at];
    }
    return (Torn){{.plus = {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]},
                   .tensile = {sum[6], sum[7], sum[8]},
                   .compressive = {sum[9], sum[10], sum[11]}},
                  sum[12]};
}

/// What tears may be off, times what separation tensors and limits make of it.
#define TEARS_OFF 1e-6

/// Looks until room is looked for again at a node that had none, but held.
#define VAIN_LOOKS 16

static void note_room(FrNodeUse *use, bool some, bool holds) {
    use->vain = (uint8_t)(some || !holds ? 0 : use->vain ? use->vain - 1 : VAIN_LOOKS);
}

// Rooms of four nodes. A node whose marks are of little use gets none, but holds.
static void find_four(FrFracture *f, const FrBreakable *body, const int32_t node[4], int count) {
    FrSym3 zeta[4];
    double room[4], off[4], enough[4];
    bool holds[4];
    for (int k = 0; k < 4; k++) {
        Torn torn = torn_at(f, node[k]);
        zeta[k] = fr_separation_tensor(&torn.tearing);
        off[k] = TEARS_OFF * torn.size;
        enough[k] = f->use.data[node[k]].vain   ? 0.0
                    : f->use.data[node[k]].wait ? 2.0 * off[k]
                                                : HUGE_VAL;
    }
    fr_node_rooms_four(body, node, zeta, off, f->tau.data, enough, room, holds);
    for (int k = 0; k < count; k++) {
        f->may_fail.data[node[k]] = !holds[k];
        note_room(&f->use.data[node[k]], room[k] > off[k], holds[k]);
        f->room.data[node[k]] = f->use.data[node[k]].wait ? 0.0 : fr_max(0.0, room[k] - off[k]);
    }
}

static void find_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t k = begin; k < end; k += 4) {
        int32_t node[4];
        int count = fr_next_four(f->candidate.data, k, end, node);
        find_four(f, &body, node, count);
    }
}

static void mark_tet(FrFracture *f, int32_t tet) {
    const int32_t *n = fr_cutmesh_view(f->cut)->tet[tet];
    double weak = f->weak.count ? f->weak.data[tet] : 1.0;
    for (int i = 0; i < 4; i++)
        if (!f->mark.data[n[i]])
            f->room.data[n[i]] = fr_max(0.0, f->room.data[n[i]] - taken(f, tet, i));
    fr_fem_mark_tet(f->fem, tet, weak * f->toughness[fr_fem_region(f->fem, tet)].strength);
}

/// A mark that is of use for fewer looks than this is not worth its cost: then none is made at this
/// node for a while, for at most so many looks.
#define LEAST_USE 4
#define LONGEST_WAIT 32

static void note_mark(const FrFracture *f, FrNodeUse *use) {
    if (f->look - use->marked >= LEAST_USE)
        use->pause = 0;
    else
        use->wait = use->pause = (uint8_t)fr_min_i(2 * use->pause + 1, LONGEST_WAIT);
    use->marked = f->look;
}

// Of candidates, whose room is new, the tets are marked anew, if there is some.
static void mark_stars(FrFracture *f) {
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k];
        FrNodeUse *use = &f->use.data[n];
        if (use->wait)
            use->wait--;
        else if (f->room.data[n] > 0.0)
            note_mark(f, use);
        f->mark.data[n] = 1;
    }
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k], count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        for (int32_t j = 0; f->room.data[n] > 0.0 && j < count; j++) {
            if (f->fresh.data[star[j]]) continue;
            f->fresh.data[star[j]] = 1;
            mark_tet(f, star[j]);
        }
    }
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k], count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        for (int32_t j = 0; j < count; j++) f->fresh.data[star[j]] = 0;
        f->mark.data[n] = 0;
    }
}

// Of candidates without room: find it. Those that may fail stay.
static FrResult find_rooms(FrFracture *f) {
    FR_TRY(list_blocks(f));
    if (!fr_array_reserve(f->ctx, &f->tears, f->block.count))
        return forget_blocks(f), fr_no_memory(f->ctx, "stresses");
    fr_fem_find_tears(f->fem, f->block.data, f->block.count, f->tears.data);
    fr_parallel_for(f->ctx, f->candidate.count, FR_LOOK_GRAIN, find_range, f);
    forget_blocks(f);
    mark_stars(f);
    for (int32_t k = 0; k < f->candidate.count; k++) {
        int32_t n = f->candidate.data[k];
        f->mark.data[n] = f->may_fail.data[n];
    }
    fr_fracture_keep_marked(f);
    return FR_OK;
}

FrResult fr_fracture_drop_roomy(FrFracture *f) {
    if (f->directional) return FR_OK; // stresses that count are not those of the kernel
    f->look++;
    forget_moved(f);
    FR_TRY(list_drifting(f));
    fr_fem_find_drifts(f->fem, f->block.data, f->block.count);
    fr_parallel_for(f->ctx, f->candidate.count, 4 * FR_LOOK_GRAIN, room_range, f);
    fr_fracture_keep_marked(f);
    return f->candidate.count ? find_rooms(f) : FR_OK;
}
