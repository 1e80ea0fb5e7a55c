// tear.c: tets of a corot body that are pulled too hard tear it: a corner is split across the
// largest stress, its tets part by the side of their middles, and no tet is divided.
//                                                                         [S5 section 4] [M13]

#include "corot/tear.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/table.h"
#include "base/tasks.h"
#include "corot/corot_tuning.h"
#include "math/decompose.h"
#include <string.h>

#define TETS_A_CHUNK 256

struct FrTear {
    FrContext *ctx;
    FrCorot *body;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrTetJudge *judge;
    FrTearMaterial *material;
    FrSplitOptions split;
    double *limit; ///< of each tet, Pa (tet_count)
    uint64_t seed;
    // state
    FR_ARRAY(uint8_t) tip; ///< of each node: a crack ends there
    int64_t splits;
    // scratch
    double *load;     ///< of each tet: value over limit (tet_count)
    FrVec3 *normal;   ///< of the plane it would tear across, present frame
    uint8_t *changed; ///< in this step: its stress is not known any more
    FR_ARRAY(uint64_t) key;
    FR_ARRAY(int32_t) torn;
    FR_ARRAY(FrCrack) crack;
    FrCutLog log;
};

FrTetState fr_tear_tension(FrSym3 stress, double limit) {
    FrTetState state = {0.0, limit, {0, 0, 1}};
    double little = FR_TEAR_LITTLE * limit;
    if (fr_sym3_dot(stress, stress) <= little * little) return state; // so is every eigenvalue
    FrEigen3 e = fr_sym3_eigen(stress);
    for (int k = 0; k < 3; k++)
        if (e.value[k] > state.value) state.value = e.value[k], state.normal = e.vector[k];
    return state;
}

// Above which stress a tet tears. A band as wide as its edge a that gives up s^2 a / 2E per area
// pays for a crack where that is Gc: below it a crack would cost more than it frees, whatever the
// strength of the material.
static double limit_of(const FrTear *t, const FrTearDef *def, int32_t tet, int32_t region) {
    const FrTearMaterial *m = &t->material[region];
    double weak = def->crack->weak ? def->crack->weak[tet] : 1.0;
    double edge = cbrt(6.0 * sqrt(2.0) * fr_corot_tet_volume(t->body, tet)); // of a regular one
    if (!(m->strength > 0.0)) return 0.0;
    return fr_max(weak * m->strength, sqrt(2.0 * m->young * m->Gc / edge));
}

static FrSplitOptions split_options(const FrTear *t, const FrCrackDef *crack) {
    FrSplitOptions split = fr_split_options_default();
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    double volume = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++) volume += fr_corot_tet_volume(t->body, e);
    double least = isnan(crack->min_piece) ? 1.0 : crack->min_piece;
    split.along_faces = true;
    split.snap_distance = split.snap_angle = split.back_angle = split.straight = split.move = 0.0;
    split.min_piece = 0.999 * least * volume / mesh->tet_count; // a mean tet is not below it
    return split;
}

static FrResult fill(FrTear *t, const FrTearDef *def) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    t->material = FR_NEW(t->ctx, FrTearMaterial, def->material_count);
    t->limit = FR_NEW(t->ctx, double, mesh->tet_count);
    t->load = FR_NEW(t->ctx, double, mesh->tet_count);
    t->normal = FR_NEW(t->ctx, FrVec3, mesh->tet_count);
    t->changed = FR_NEW(t->ctx, uint8_t, mesh->tet_count);
    if (!t->material || !t->limit || !t->load || !t->normal || !t->changed ||
        !fr_array_extend(t->ctx, &t->tip, mesh->node_count))
        return fr_no_memory(t->ctx, "a body that tears");
    memcpy(t->material, def->material, (size_t)def->material_count * sizeof *t->material);
    for (int32_t e = 0; e < mesh->tet_count; e++)
        t->limit[e] = limit_of(t, def, e, mesh->region ? mesh->region[e] : 0);
    t->split = split_options(t, def->crack);
    return FR_OK;
}

FrResult fr_tear_create(FrContext *ctx, FrCorot *body, const FrTearDef *def, FrTear **out) {
    FrTear *t = FR_NEW(ctx, FrTear, 1);
    *out = NULL;
    if (!t) return fr_no_memory(ctx, "a body that tears");
    t->ctx = ctx, t->body = body, t->cut = def->cut, t->pieces = def->pieces;
    t->judge = def->judge, t->seed = def->seed;
    FrResult result = fill(t, def);
    if (result == FR_OK)
        *out = t;
    else
        fr_tear_destroy(t);
    return result;
}

void fr_tear_destroy(FrTear *t) {
    if (!t) return;
    FR_FREE_ALL(t->ctx, t->material, t->limit, t->load, t->normal, t->changed);
    fr_array_free(t->ctx, &t->tip);
    fr_array_free(t->ctx, &t->key);
    fr_array_free(t->ctx, &t->torn);
    fr_array_free(t->ctx, &t->crack);
    fr_cutlog_free(t->ctx, &t->log);
    fr_free(t->ctx, t);
}

// sigma = E B (R^-1 x - x0) of the elastic strain; scaled where toughness has directions (E16)
static void judge_tet(FrTear *t, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    const FrTearMaterial *m = &t->material[mesh->region ? mesh->region[tet] : 0];
    FrMat3 R;
    t->load[tet] = 0.0;
    if (!(t->limit[tet] > 0.0)) return;
    FrSym3 s = fr_corot_stress(t->body, tet, &R);
    if (m->directional)
        s = fr_mat3_sym(fr_mat3_mul(fr_mat3_transpose(m->A), fr_mat3_mul(fr_sym3_full(s), m->A)));
    FrTetState state = t->judge(s, t->limit[tet] * fr_corot_hardness(t->body, tet));
    t->load[tet] = state.value / state.limit;
    t->normal[tet] = fr_mat3_apply(R, state.normal);
}

static void judge_chunk(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    for (int32_t e = begin; e < end; e++) judge_tet(arg, e);
}

static void judge_all(FrTear *t) {
    fr_parallel_for(t->ctx, fr_cutmesh_view(t->cut)->tet_count, TETS_A_CHUNK, judge_chunk, t);
}

// those that tear, the most overloaded first, then by number
static FrResult list_torn(FrTear *t) {
    int32_t *order;
    t->key.count = t->torn.count = 0;
    for (int32_t e = 0; e < fr_cutmesh_view(t->cut)->tet_count; e++) {
        double over = t->load[e];
        if (!(over > 1.0)) continue;
        uint64_t bits; // of positive numbers they are in the same order
        memcpy(&bits, &over, sizeof bits);
        if (!fr_array_push(t->ctx, &t->key, ~bits) || !fr_array_push(t->ctx, &t->torn, e))
            return fr_no_memory(t->ctx, "tets that tear");
    }
    FR_TRY(fr_sort_keys(t->ctx, t->key.data, t->key.count, &order));
    for (int32_t k = 0; k < t->torn.count; k++) t->key.data[k] = (uint64_t)t->torn.data[k];
    for (int32_t k = 0; k < t->torn.count; k++) t->torn.data[k] = (int32_t)t->key.data[order[k]];
    fr_free(t->ctx, order);
    return FR_OK;
}

// the tets round it have new neighbours
static void note_changed(FrTear *t, const FrSplitResult *split) {
    for (int32_t k = 0; k < split->touched_count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(t->cut, split->touched[k], &count);
        for (int32_t j = 0; j < count; j++) t->changed[star[j]] = 1;
    }
}

static double energy_round(const FrTear *t, int32_t node) {
    int32_t count;
    const int32_t *star = fr_cutmesh_star(t->cut, node, &count);
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) sum += 0.25 * fr_corot_tet_energy(t->body, star[k]);
    return sum;
}

static FrResult note_crack(FrTear *t, int32_t tet, FrCrack crack, const FrSplitResult *split) {
    crack.area = split->area;
    crack.value = t->load[tet];
    t->splits++;
    note_changed(t, split);
    int32_t nodes = fr_cutmesh_view(t->cut)->node_count;
    if (!fr_array_extend(t->ctx, &t->tip, nodes - t->tip.count) ||
        !fr_array_push(t->ctx, &t->crack, crack))
        return fr_no_memory(t->ctx, "cracks");
    t->tip.data[crack.node] = 0;
    for (int32_t k = 0; k < split->front_count; k++) t->tip.data[split->front[k]] = 1;
    return FR_OK;
}

// A crack tip among the corners, else any, by chance; where one side of the plane has no tet, or a
// piece would be too small, the next of these.
static FrResult tear_tet(FrTear *t, int32_t tet) {
    const int32_t *corner = fr_cutmesh_view(t->cut)->tet[tet];
    int32_t node[4], tips = 0, others = 0, rest[4];
    for (int i = 0; i < 4; i++) {
        if (fr_corot_held(t->body, corner[i])) continue;
        if (t->tip.data[corner[i]])
            node[tips++] = corner[i];
        else
            rest[others++] = corner[i];
    }
    if (!tips) memcpy(node, rest, sizeof rest);
    int32_t count = tips ? tips : others;
    if (!count) return FR_OK;
    FrRandom chance = fr_random_for(t->seed, "tear", (uint64_t)t->splits << 32 | (uint32_t)tet);
    int32_t first = fr_random_below(&chance, count);
    for (int32_t k = 0; k < count; k++) {
        FrSplitResult split;
        int32_t at = node[(first + k) % count];
        FrCrack crack = {.x = fr_get3(fr_cutmesh_placed(t->cut), at),
                         .n = t->normal[tet],
                         .limit = 1.0,
                         .energy = energy_round(t, at),
                         .node = at};
        FR_TRY(fr_cutmesh_split(t->cut, at, crack.n, &t->split, &t->log, &split));
        if (split.outcome == FR_SPLIT_DONE) return note_crack(t, tet, crack, &split);
    }
    return FR_OK;
}

FrResult fr_tear_step(FrTear *t, double now, FrBreakResult *result) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    FrShapeView view;
    double begun = fr_processor_seconds();
    *result = (FrBreakResult){.log = &t->log};
    fr_cutlog_clear(&t->log, mesh->node_count);
    t->crack.count = 0;
    judge_all(t);
    FR_TRY(list_torn(t));
    result->scan_seconds = fr_processor_seconds() - begun;
    if (!t->torn.count) return FR_OK;
    fr_corot_view(t->body, &view);
    fr_cutmesh_place(t->cut, view.p);
    fr_cutmesh_clock(t->cut, now);
    memset(t->changed, 0, (size_t)mesh->tet_count);
    int32_t most = FR_TEARS_AT_ONCE + mesh->tet_count / FR_TETS_A_TEAR;
    for (int32_t k = 0; k < t->torn.count && t->crack.count < most; k++)
        if (!t->changed[t->torn.data[k]]) FR_TRY(tear_tet(t, t->torn.data[k]));
    if (!t->crack.count) return FR_OK;
    FR_TRY(fr_corot_cut(t->body, &t->log, fr_cutmesh_view(t->cut)));
    result->crack = t->crack.data, result->crack_count = result->planes = t->crack.count;
    fr_pieces_table(t->pieces, &result->first_piece);
    return fr_pieces_follow(t->pieces, t->cut, &t->log, 0, now, &result->piece_count);
}

void fr_tear_loads(FrTear *t, double *load) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    judge_all(t);
    for (int32_t n = 0; n < mesh->node_count; n++) load[n] = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++)
            load[mesh->tet[e][i]] = fr_max(load[mesh->tet[e][i]], t->load[e]);
}

const FrCutMesh *fr_tear_mesh(const FrTear *t) { return t->cut; }

bool fr_tear_is_whole(const FrTear *t) {
    int32_t count;
    fr_pieces_table(t->pieces, &count);
    return count == 1;
}

void fr_tear_save(const FrTear *t, FrWriter *writer) {
    fr_write_i32(writer, t->tip.count);
    fr_write_bytes(writer, t->tip.data, (size_t)t->tip.count);
    fr_write_u64(writer, (uint64_t)t->splits);
}

FrResult fr_tear_load(FrTear *t, FrReader *reader) {
    int32_t count = fr_read_i32(reader), nodes = fr_cutmesh_view(t->cut)->node_count;
    if (reader->failed || count != nodes || fr_reader_left(reader) < (size_t)count)
        return fr_fail(t->ctx, FR_BAD_INPUT, "not the state of this torn body, or cut short");
    t->tip.count = 0;
    if (!fr_array_extend(t->ctx, &t->tip, nodes)) return fr_no_memory(t->ctx, "a body that tears");
    fr_read_bytes(reader, t->tip.data, (size_t)nodes);
    t->splits = (int64_t)fr_read_u64(reader);
    return FR_OK;
}
