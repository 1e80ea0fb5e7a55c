// fracture.c: a body that breaks: made, scanned after a step, and what becomes of pieces that
// come off.

#include "fracture/inside.h"
#include "base/clock.h"
#include "cut/split_labels.h"
#include <string.h>

FrFractureDef fr_fracture_def_default(void) {
    return (FrFractureDef){.crack = fr_crack_def_default(),
                           .criterion = &fr_criterion_separation,
                           .generations = FR_GENERATIONS,
                           .pace = 1.0};
}

static double breaking_strain(const FrFracture *f, int32_t tet) {
    const FrMaterial *m = fr_fem_material(f->fem, tet);
    return m->strength / fr_young(m->lambda, m->mu);
}

// all but what may have to be chosen
static FrSplitOptions split_options(const FrCrackDef *crack) {
    FrSplitOptions split = fr_split_options_default();
    split.along_faces = crack->along_faces;
    split.snap_angle = crack->remeshing.snap_angle;
    split.snap_part = crack->remeshing.snap_part;
    if (!crack->remeshing.move) split.move = 0.0;
    split.straight = crack->remeshing.straight;
    split.back_angle = crack->remeshing.back_angle;
    split.min_height = crack->remeshing.min_height;
    return split;
}

static FrResult fill(FrFracture *f, const FrFractureDef *def) {
    FrContext *ctx = f->ctx;
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count;
    f->settings.toughness = FR_NEW(ctx, FrToughness, def->material_count);
    f->settings.cap = FR_NEW(ctx, FrMeanCap, def->material_count);
    if (!f->settings.toughness || !f->settings.cap) return fr_no_memory(ctx, "a body that breaks");
    memcpy(f->settings.toughness, def->toughness,
           (size_t)def->material_count * sizeof *f->settings.toughness);
    for (int32_t e = 0; e < tets; e++) {
        int32_t k = fr_fem_region(f->fem, e);
        f->settings.cap[k] = fr_mean_cap(fr_fem_material(f->fem, e), &f->settings.toughness[k]);
    }
    if (def->crack.weak) {
        if (!fr_array_extend(ctx, &f->state.weak, tets))
            return fr_no_memory(ctx, "a body that breaks");
        memcpy(f->state.weak.data, def->crack.weak, (size_t)tets * sizeof *f->state.weak.data);
    }
    bool brittle = def->crack.upright && fr_fracture_is_brittle(f);
    if ((brittle && !fr_fracture_find_walls(f)) || !fr_fracture_follow(f, NULL))
        return fr_no_memory(ctx, "a body that breaks");
    f->settings.weakest = fr_fracture_weakest(f);
    fr_fracture_choose(f);
    for (int32_t e = 0; brittle && e < tets; e++)
        f->settings.split.move =
            fr_min(f->settings.split.move, FR_MOVE_BRITTLE * breaking_strain(f, e));
    return FR_OK;
}

FrResult fr_fracture_create(FrContext *ctx, FrFem *fem, const FrFractureDef *def,
                            FrFracture **out) {
    *out = NULL;
    FrFracture *f = FR_NEW(ctx, FrFracture, 1);
    if (!f) return fr_no_memory(ctx, "a body that breaks");
    f->ctx = ctx;
    f->fem = fem;
    f->cut = def->cut;
    f->pieces = def->pieces;
    FrFractureSettings *set = &f->settings;
    set->material_count = def->material_count;
    set->criterion = def->criterion;
    set->def = def->crack;
    set->def.weak = NULL;
    set->def.cut = NULL;
    set->def.cut_count = 0;
    set->split = split_options(&def->crack);
    set->elastic_only = def->crack.criterion.elastic_only;
    if (set->elastic_only) fr_fem_note_elastic(fem);
    set->generations = def->generations;
    set->everywhere = def->everywhere;
    for (int32_t k = 0; k < def->material_count; k++) {
        f->settings.by_tau = f->settings.by_tau || def->toughness[k].tau > 0.0;
        f->settings.directional = f->settings.directional || def->toughness[k].directional;
    }
    for (int32_t k = 0; k < def->material_count; k++)
        f->settings.breaks =
            f->settings.breaks || def->toughness[k].strength > 0.0 || def->toughness[k].tau > 0.0;
    for (int32_t e = 0; e < fr_cutmesh_view(f->cut)->tet_count; e++) {
        const FrMaterial *m = fr_fem_material(fem, e);
        f->settings.flows = f->settings.flows || fr_material_yields(m);
        if (fr_material_yields(m))
            f->settings.split.move = fr_min(f->settings.split.move, FR_MOVE_FLOW * m->yield_strain);
    }
    f->settings.rise = FR_LOAD_RISE * fr_min(1.0, def->pace);
    f->settings.patient =
        (f->settings.flows || def->pace < 1.0) && !f->settings.everywhere && !def->each_time;
    FrResult result = fill(f, def);
    if (result != FR_OK) {
        fr_fracture_destroy(f);
        return result;
    }
    *out = f;
    return FR_OK;
}

void fr_fracture_destroy(FrFracture *f) {
    if (!f) return;
    FrContext *ctx = f->ctx;
    fr_fracture_forget_refusals(f);
    fr_crack_sides_free(ctx, &f->scratch.limits.sides);
    fr_cutlog_free(ctx, &f->scratch.cuts.log);
    fr_cutlog_free(ctx, &f->scratch.cuts.one);
    fr_cutlog_free(ctx, &f->scratch.piece.precuts);
    fr_fracture_arrays_free(f);
    fr_free(ctx, f);
}

void fr_fracture_begin(FrFracture *f) {
    fr_fracture_forget(f);
    for (int32_t k = 0; k < f->scratch.cuts.residual.count; k++)
        f->scratch.cuts.known.data[f->scratch.cuts.residual.data[k].node] = 0;
    f->scratch.cuts.split = f->settings.split;
    f->scratch.cuts.planes = 0;
    f->scratch.cuts.crack.count = f->scratch.piece.dust.count = f->scratch.cuts.residual.count =
        f->scratch.cuts.queue.item.count = 0;
    fr_cutlog_clear(&f->scratch.cuts.log, fr_cutmesh_view(f->cut)->node_count);
}

// the tets of a piece, from one of them on
static FrResult list_piece(FrFracture *f, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    f->scratch.piece.tet.count = 0;
    if (!fr_array_push(f->ctx, &f->scratch.piece.tet, tet))
        return fr_no_memory(f->ctx, "a rigid piece");
    f->scratch.piece.listed.data[tet] = 1;
    bool room = true;
    for (int32_t k = 0; k < f->scratch.piece.tet.count && room; k++)
        for (int i = 0; i < 4 && room; i++) {
            int32_t count;
            const int32_t *star =
                fr_cutmesh_star(f->cut, mesh->tet[f->scratch.piece.tet.data[k]][i], &count);
            room = fr_array_reserve(f->ctx, &f->scratch.piece.tet, count);
            for (int32_t j = 0; room && j < count; j++) {
                if (f->scratch.piece.listed.data[star[j]]) continue;
                f->scratch.piece.listed.data[star[j]] = 1;
                f->scratch.piece.tet.data[f->scratch.piece.tet.count++] = star[j];
            }
        }
    for (int32_t k = 0; k < f->scratch.piece.tet.count; k++)
        f->scratch.piece.listed.data[f->scratch.piece.tet.data[k]] = 0;
    return room ? FR_OK : fr_no_memory(f->ctx, "a rigid piece");
}

// of the tets listed, those that do not bend any more are never scanned again
static void note_rigid(FrFracture *f) {
    for (int32_t k = 0; k < f->scratch.piece.tet.count; k++)
        if (fr_fem_is_rigid(f->fem, f->scratch.piece.tet.data[k]))
            f->scratch.limits.overstress.data[f->scratch.piece.tet.data[k]] = HUGE_VAL;
    f->scratch.limits.topology = 0;
}

// a piece that is small enough: dust, or rigid
static FrResult make_rigid_or_dust(FrFracture *f, int32_t piece, double rigid, FrPieceCause cause) {
    int32_t count;
    if (piece < 0) return FR_OK;
    const FrPiece *small = &fr_pieces_table(f->pieces, &count)[piece];
    if (!(small->volume < fr_max(rigid, f->settings.dust_piece)) ||
        fr_fem_is_rigid(f->fem, small->tet))
        return FR_OK;
    FR_TRY(list_piece(f, small->tet));
    if (!fr_array_reserve(f->ctx, &f->scratch.piece.dust, 1)) return fr_no_memory(f->ctx, "dust");
    FrDustPiece dust = {.piece = piece, .tet = small->tet};
    if (small->volume < f->settings.dust_piece &&
        fr_fem_leave(f->fem, f->scratch.piece.tet.data, f->scratch.piece.tet.count, &dust.dust))
        f->scratch.piece.dust.data[f->scratch.piece.dust.count++] = dust;
    else if (small->volume < rigid)
        FR_TRY(fr_fem_make_rigid(f->fem, f->scratch.piece.tet.data, f->scratch.piece.tet.count,
                                 cause));
    note_rigid(f);
    return FR_OK;
}

FrResult fr_fracture_come_off(FrFracture *f, double t, FrBreakResult *result) {
    *result = (FrBreakResult){.crack = f->scratch.cuts.crack.data,
                              .crack_count = f->scratch.cuts.crack.count,
                              .log = &f->scratch.cuts.log,
                              .planes = f->scratch.cuts.planes};
    if (!f->scratch.cuts.log.tet_count) return FR_OK;
    fr_pieces_table(f->pieces, &result->first_piece);
    return fr_pieces_follow(f->pieces, f->cut, &f->scratch.cuts.log, 0, t, &result->piece_count);
}

// small ones of these pieces, and of those that they came off, leave or are rigid
static FrResult tend(FrFracture *f, int32_t first, int32_t piece_count, const FrCutLog *log) {
    for (int32_t k = first; k < first + piece_count; k++) {
        int32_t count;
        FR_TRY(make_rigid_or_dust(f, k, f->settings.rigid_piece, FR_CAUSE_SMALL));
        FR_TRY(make_rigid_or_dust(f, fr_pieces_table(f->pieces, &count)[k].parent,
                                  f->settings.rigid_piece, FR_CAUSE_SMALL));
    }
    return log->tet_count ? fr_fem_keep_floor(f->fem, log, f->cut) : FR_OK;
}

static void tell_dust(const FrFracture *f, FrBreakResult *result) {
    result->dust = f->scratch.piece.dust.data;
    result->dust_count = f->scratch.piece.dust.count;
}

FrResult fr_fracture_set_off(FrFracture *f, FrBreakResult *result) {
    fr_fracture_begin(f);
    *result = (FrBreakResult){.log = &f->scratch.cuts.log};
    FR_TRY(tend(f, f->scratch.piece.first_cut_off, f->scratch.piece.cut_off,
                &f->scratch.piece.precuts));
    f->scratch.piece.cut_off = 0;
    fr_cutlog_free(f->ctx, &f->scratch.piece.precuts);
    tell_dust(f, result);
    return FR_OK;
}

// what hangs on supports that never move, and would ring on
static FrResult stand_still(FrFracture *f, int32_t piece) {
    int32_t count;
    int32_t tet = fr_pieces_table(f->pieces, &count)[piece].tet;
    if (fr_fem_is_rigid(f->fem, tet)) return FR_OK;
    FR_TRY(list_piece(f, tet));
    fr_fem_stand(f->fem, f->scratch.piece.tet.data, f->scratch.piece.tet.count);
    note_rigid(f);
    return FR_OK;
}

// did nothing break for so long?
static bool is_quiet(const FrFracture *f, double t) {
    return f->settings.settle_time > 0.0 && f->state.cracked_once && !f->state.settled &&
           t - f->state.broke_at >= f->settings.settle_time;
}

static FrResult settle_pieces(FrFracture *f) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    f->state.settled = true;
    for (int32_t k = 0; k < count; k++) {
        FR_TRY(make_rigid_or_dust(f, k, HUGE_VAL, FR_CAUSE_SETTLED));
        if (!f->settings.flows)
            FR_TRY(stand_still(f, k)); // material that flows comes to rest by itself
    }
    return FR_OK;
}

bool fr_fracture_is_whole(const FrFracture *f) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    return count == 1;
}

// Shards that lie, fly or hang need no steps that follow their ringing.
static FrResult settle(FrFracture *f, double t, FrBreakResult *result) {
    if (f->scratch.cuts.crack.count)
        f->state.broke_at = t, f->state.cracked_once = true, f->state.settled = false;
    if (!is_quiet(f, t) || fr_fracture_is_whole(f)) return FR_OK;
    result->settled = true;
    return settle_pieces(f);
}

// no smaller piece breaks, m^3
static double least_piece(const FrFracture *f) {
    return fr_max(f->settings.rigid_piece, f->settings.split.min_piece);
}

bool fr_fracture_whole_is_quiet(const FrFracture *f, double t) {
    int32_t count;
    double least = fr_max(least_piece(f), f->settings.dust_piece);
    return is_quiet(f, t) && fr_fracture_is_whole(f) && !f->settings.flows &&
           fr_pieces_table(f->pieces, &count)[0].volume >= least;
}

FrResult fr_fracture_settle_whole(FrFracture *f) { return settle_pieces(f); }

bool fr_fracture_is_settled(const FrFracture *f, int32_t tet) {
    int32_t count, piece = fr_pieces_of_tets(f->pieces)[tet];
    return f->settings.settle_time > 0.0 && f->state.cracked_once && !f->settings.flows &&
           fr_fem_is_rigid(f->fem, tet) &&
           fr_pieces_table(f->pieces, &count)[piece].volume >= least_piece(f);
}

// at its strength s all of the least piece has the energy 1/2 s^2 / E
bool fr_fracture_feels(const FrFracture *f, int32_t tet, FrBlow blow) {
    const FrMaterial *m = fr_fem_material(f->fem, tet);
    double dense = 0.5 * f->settings.weakest * f->settings.weakest / fr_young(m->lambda, m->mu);
    return blow.stress >= f->settings.weakest && blow.energy >= dense * least_piece(f);
}

FrResult fr_fracture_wake(FrFracture *f, int32_t tet, FrPieceCause cause, double t, FrVec3 gravity,
                          bool *first) {
    *first = f->state.settled;
    FR_TRY(list_piece(f, tet));
    fr_fem_make_deformable(f->fem, f->scratch.piece.tet.data, f->scratch.piece.tet.count, gravity,
                           cause);
    fr_fracture_limit_tets(f, f->scratch.piece.tet.data, f->scratch.piece.tet.count);
    f->state.broke_at = t;
    f->state.settled = false;
    return FR_OK;
}

void fr_fracture_put_off(FrFracture *f, double t) {
    f->state.broke_at = fr_max(f->state.broke_at, t);
}

FrCrackDef fr_fracture_settings(const FrFracture *f) { return f->settings.def; }

bool fr_fracture_settles(const FrFracture *f) {
    return f->settings.settle_time > 0.0 && f->settings.flows;
}

double fr_fracture_patience(const FrFracture *f) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    return fr_fracture_settles(f) && (count == 1 || f->state.settled) ? f->settings.settle_time
                                                                      : HUGE_VAL;
}

FrResult fr_fracture_shrink_dust(FrFracture *f) {
    for (int32_t k = 0; k < f->scratch.piece.dust.count; k++) {
        FR_TRY(list_piece(f, f->scratch.piece.dust.data[k].tet));
        fr_fem_shrink(f->fem, f->scratch.piece.tet.data, f->scratch.piece.tet.count,
                      f->scratch.piece.dust.data[k].dust.centre);
    }
    return FR_OK;
}

FrResult fr_fracture_step(FrFracture *f, double t, FrBreakResult *result) {
    fr_fracture_begin(f);
    *result = (FrBreakResult){.log = &f->scratch.cuts.log};
    if (!f->settings.breaks) return FR_OK;
    f->scratch.scan.now = t;
    double begun = fr_processor_seconds();
    FR_TRY(fr_fracture_scan(f));
    double scanned = fr_processor_seconds() - begun;
    for (int32_t k = 0; k < f->scratch.scan.candidate.count; k++) {
        const FrNodeState *state = &f->scratch.scan.state.data[k];
        f->state.wait.data[f->scratch.scan.candidate.data[k]] =
            fr_fracture_wait(f, state->value / state->limit);
        FR_TRY(fr_fracture_push(f, f->scratch.scan.candidate.data[k], state));
    }
    if (f->scratch.cuts.queue.item.count) FR_TRY(fr_fracture_even_out_all(f));
    fr_cutmesh_clock(f->cut, t);
    FR_TRY(fr_fracture_break_all(f));
    FR_TRY(fr_fracture_come_off(f, t, result));
    FR_TRY(tend(f, result->first_piece, result->piece_count, &f->scratch.cuts.log));
    FR_TRY(settle(f, t, result));
    result->scan_seconds = scanned;
    tell_dust(f, result);
    return FR_OK;
}

// all nodes: a cut right through leaves few as they were
static FrResult take_all(FrFracture *f) {
    int32_t count = fr_cutmesh_view(f->cut)->node_count;
    f->scratch.scan.candidate.count = 0;
    if (!fr_array_extend(f->ctx, &f->scratch.scan.candidate, count))
        return fr_no_memory(f->ctx, "a cut");
    for (int32_t n = 0; n < count; n++) f->scratch.scan.candidate.data[n] = n;
    return fr_fracture_take(f, f->scratch.scan.candidate.data, count);
}

FrResult fr_fracture_sever(FrFracture *f, const FrLabels *labels, double t, FrBreakResult *result) {
    FrShapeView view;
    FrLabelCut cut = {0};
    FrLabelCutOptions options = fr_label_cut_options_default();
    fr_fracture_begin(f);
    fr_fem_view(f->fem, &view);
    fr_cutmesh_place(f->cut, view.p);
    fr_cutmesh_clock(f->cut, t);
    fr_cutlog_clear(&f->scratch.cuts.one, view.node_count);
    FR_TRY(fr_cutmesh_split_labels(f->cut, labels, &options, &f->scratch.cuts.one, &cut));
    fr_label_cut_free(f->ctx, &cut);
    if (f->scratch.cuts.one.tet_count || f->scratch.cuts.one.face_count) {
        FR_TRY(take_all(f));
        f->state.broke_at = t, f->state.cracked_once = true, f->state.settled = false;
    }
    FR_TRY(fr_fracture_come_off(f, t, result));
    FR_TRY(tend(f, result->first_piece, result->piece_count, &f->scratch.cuts.log));
    tell_dust(f, result);
    return FR_OK;
}

void fr_fracture_loads(FrFracture *f, double *load) {
    fr_fracture_forget(f); // pulls of the last scan are older than the state
    int32_t count = fr_cutmesh_view(f->cut)->node_count;
    for (int32_t n = 0; n < count; n++) {
        int32_t tets;
        load[n] = fr_fem_is_rigid(f->fem, fr_cutmesh_star(f->cut, n, &tets)[0]) ? -1.0 : 0.0;
    }
    f->scratch.scan.evened = FR_EVENED_NONE;
    const FrCriterion *by = f->settings.criterion;
    if ((by->at_ease && by->at_ease(f)) || fr_fracture_even_out_all(f) != FR_OK) return;
    for (int32_t n = 0; n < count; n++) {
        if (load[n] < 0.0) continue;
        FrNodeState s = fr_fracture_judge(f, n, fr_sym3_zero);
        load[n] = fr_max(0.0, s.value) / s.limit;
    }
}
