// fracture.c: a body that breaks: made, looked at after a step, and what becomes of pieces that
// come off.

#include "fracture/inside.h"
#include "base/clock.h"
#include <string.h>

/// Of the strain at which stuff flows, that nodes may bring to tets by moving onto a crack's plane.
#define MOVE_SHARE 0.2
/// The same of the strain at which brittle stuff breaks: round a crack it is strained by that much.
/// With a fifth of it cracks hardly leave the mesh (56 % of their area in a plate of glass instead
/// of 38), with four times that moves make energy.
#define BRITTLE_SHARE 1.0

/// Of its limit, that the load of a node that waits is taken to rise by in a look at pace 1.
#define LOAD_RISE (1.0 / 12.0)

FrFractureDef fr_fracture_def_default(void) {
    return (FrFractureDef){.crack = fr_crack_def_default(), .generations = 8, .pace = 1.0};
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
    f->toughness = FR_NEW(ctx, FrToughness, def->material_count);
    f->cap = FR_NEW(ctx, FrMeanCap, def->material_count);
    if (!f->toughness || !f->cap) return fr_no_memory(ctx, "a body that breaks");
    memcpy(f->toughness, def->toughness, (size_t)def->material_count * sizeof *f->toughness);
    for (int32_t e = 0; e < def->mesh->tet_count; e++) {
        int32_t k = fr_fem_region(f->fem, e);
        f->cap[k] = fr_mean_cap(fr_fem_material(f->fem, e), &f->toughness[k]);
    }
    FR_TRY(fr_cutmesh_create(ctx, def->mesh, &f->cut));
    FR_TRY(fr_pieces_create(ctx, f->cut, &f->pieces));
    if (def->crack.weak) {
        if (!fr_array_extend(ctx, &f->weak, def->mesh->tet_count))
            return fr_no_memory(ctx, "a body that breaks");
        memcpy(f->weak.data, def->crack.weak, (size_t)def->mesh->tet_count * sizeof *f->weak.data);
    }
    bool brittle = def->crack.upright && fr_fracture_is_brittle(f);
    if ((brittle && !fr_fracture_find_walls(f)) || !fr_fracture_follow(f, NULL))
        return fr_no_memory(ctx, "a body that breaks");
    f->weakest = fr_fracture_weakest(f);
    fr_fracture_choose(f);
    for (int32_t e = 0; brittle && e < def->mesh->tet_count; e++)
        f->split.move = fr_min(f->split.move, BRITTLE_SHARE * breaking_strain(f, e));
    return FR_OK;
}

FrResult fr_fracture_create(FrContext *ctx, FrFem *fem, const FrFractureDef *def,
                            FrFracture **out) {
    *out = NULL;
    FrFracture *f = FR_NEW(ctx, FrFracture, 1);
    if (!f) return fr_no_memory(ctx, "a body that breaks");
    f->ctx = ctx;
    f->fem = fem;
    f->material_count = def->material_count;
    f->def = def->crack;
    f->def.weak = NULL;
    f->def.cut = NULL;
    f->def.cut_count = 0;
    f->split = split_options(&def->crack);
    f->elastic_only = def->crack.criterion.elastic_only;
    if (f->elastic_only) fr_fem_note_elastic(fem);
    f->generations = def->generations;
    f->everywhere = def->everywhere;
    for (int32_t k = 0; k < def->material_count; k++) {
        f->by_tau = f->by_tau || def->toughness[k].tau > 0.0;
        f->directional = f->directional || def->toughness[k].directional;
    }
    for (int32_t k = 0; k < def->material_count; k++)
        f->breaks = f->breaks || def->toughness[k].strength > 0.0 || def->toughness[k].tau > 0.0;
    for (int32_t e = 0; e < def->mesh->tet_count; e++) {
        const FrMaterial *m = fr_fem_material(fem, e);
        f->flows = f->flows || fr_material_yields(m);
        if (fr_material_yields(m))
            f->split.move = fr_min(f->split.move, MOVE_SHARE * m->yield_strain);
    }
    f->rise = LOAD_RISE * fr_min(1.0, def->pace);
    f->patient = (f->flows || def->pace < 1.0) && !f->everywhere && !def->each_time;
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
    fr_cutmesh_destroy(f->cut);
    fr_pieces_destroy(f->pieces);
    fr_free(ctx, f->toughness);
    fr_array_free(ctx, &f->weak);
    fr_array_free(ctx, &f->wall);
    fr_array_free(ctx, &f->grown);
    fr_array_free(ctx, &f->hot);
    fr_array_free(ctx, &f->area);
    fr_array_free(ctx, &f->limit);
    fr_array_free(ctx, &f->wait);
    fr_array_free(ctx, &f->strength);
    fr_array_free(ctx, &f->screened);
    fr_array_free(ctx, &f->behind);
    fr_array_free(ctx, &f->chunk_hot);
    fr_array_free(ctx, &f->tet);
    fr_array_free(ctx, &f->pulls_of);
    fr_array_free(ctx, &f->fresh);
    fr_array_free(ctx, &f->element);
    fr_array_free(ctx, &f->open);
    fr_crack_sides_free(ctx, &f->sides);
    fr_array_free(ctx, &f->most);
    fr_array_free(ctx, &f->hot2);
    fr_free(ctx, f->cap);
    fr_array_free(ctx, &f->pulls);
    fr_array_free(ctx, &f->mark);
    fr_array_free(ctx, &f->met);
    fr_array_free(ctx, &f->version);
    fr_array_free(ctx, &f->candidate);
    fr_array_free(ctx, &f->state);
    fr_array_free(ctx, &f->residual);
    fr_array_free(ctx, &f->known);
    fr_fracture_forget_refusals(f);
    fr_array_free(ctx, &f->refusal);
    fr_array_free(ctx, &f->refused);
    fr_array_free(ctx, &f->queue.item);
    fr_array_free(ctx, &f->crack);
    fr_array_free(ctx, &f->loose);
    fr_array_free(ctx, &f->dust);
    fr_cutlog_free(ctx, &f->log);
    fr_cutlog_free(ctx, &f->one);
    fr_cutlog_free(ctx, &f->precuts);
    fr_free(ctx, f);
}

const FrCutMesh *fr_fracture_mesh(const FrFracture *f) { return f->cut; }
const FrPieces *fr_fracture_pieces(const FrFracture *f) { return f->pieces; }

void fr_fracture_begin(FrFracture *f) {
    fr_fracture_forget(f);
    for (int32_t k = 0; k < f->residual.count; k++) f->known.data[f->residual.data[k].node] = 0;
    f->planes = 0;
    f->crack.count = f->dust.count = f->residual.count = f->queue.item.count = 0;
    fr_cutlog_clear(&f->log, fr_cutmesh_view(f->cut)->node_count);
}

// the tets of a piece, from one of them on
static FrResult list_piece(FrFracture *f, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    f->loose.count = 0;
    if (!fr_array_push(f->ctx, &f->loose, tet)) return fr_no_memory(f->ctx, "a rigid piece");
    f->fresh.data[tet] = 1;
    bool room = true;
    for (int32_t k = 0; k < f->loose.count && room; k++)
        for (int i = 0; i < 4 && room; i++) {
            int32_t count;
            const int32_t *star = fr_cutmesh_star(f->cut, mesh->tet[f->loose.data[k]][i], &count);
            room = fr_array_reserve(f->ctx, &f->loose, count);
            for (int32_t j = 0; room && j < count; j++) {
                if (f->fresh.data[star[j]]) continue;
                f->fresh.data[star[j]] = 1;
                f->loose.data[f->loose.count++] = star[j];
            }
        }
    for (int32_t k = 0; k < f->loose.count; k++) f->fresh.data[f->loose.data[k]] = 0;
    return room ? FR_OK : fr_no_memory(f->ctx, "a rigid piece");
}

// of the tets listed, those that do not bend any more are never looked at again
static void note_stiff(FrFracture *f) {
    for (int32_t k = 0; k < f->loose.count; k++)
        if (fr_fem_is_stiff(f->fem, f->loose.data[k])) f->hot.data[f->loose.data[k]] = HUGE_VAL;
    f->hot_topology = 0;
}

// a piece that is small enough: dust, or rigid
static FrResult stiffen(FrFracture *f, int32_t piece, double rigid) {
    int32_t count;
    if (piece < 0) return FR_OK;
    const FrPiece *small = &fr_pieces_table(f->pieces, &count)[piece];
    if (!(small->volume < fr_max(rigid, f->dust_piece)) || fr_fem_is_stiff(f->fem, small->tet))
        return FR_OK;
    FR_TRY(list_piece(f, small->tet));
    if (!fr_array_reserve(f->ctx, &f->dust, 1)) return fr_no_memory(f->ctx, "dust");
    FrDustPiece dust = {.piece = piece, .tet = small->tet};
    if (small->volume < f->dust_piece &&
        fr_fem_leave(f->fem, f->loose.data, f->loose.count, &dust.dust))
        f->dust.data[f->dust.count++] = dust;
    else if (small->volume < rigid)
        FR_TRY(fr_fem_stiffen(f->fem, f->loose.data, f->loose.count));
    note_stiff(f);
    return FR_OK;
}

FrResult fr_fracture_come_off(FrFracture *f, double t, FrFractureResult *result) {
    *result = (FrFractureResult){
        .crack = f->crack.data, .crack_count = f->crack.count, .log = &f->log, .planes = f->planes};
    if (!f->log.tet_count) return FR_OK;
    return fr_pieces_follow(f->pieces, f->cut, &f->log, 0, t, &result->first_piece,
                            &result->piece_count);
}

// small ones of these pieces, and of those that they came off, leave or are rigid
static FrResult tend(FrFracture *f, int32_t first, int32_t piece_count, const FrCutLog *log) {
    for (int32_t k = first; k < first + piece_count; k++) {
        int32_t count;
        FR_TRY(stiffen(f, k, f->rigid_piece));
        FR_TRY(stiffen(f, fr_pieces_table(f->pieces, &count)[k].parent, f->rigid_piece));
    }
    return log->tet_count ? fr_fem_keep_floor(f->fem, log, f->cut) : FR_OK;
}

static void tell_dust(const FrFracture *f, FrFractureResult *result) {
    result->dust = f->dust.data;
    result->dust_count = f->dust.count;
}

FrResult fr_fracture_set_off(FrFracture *f, FrFractureResult *result) {
    fr_fracture_begin(f);
    *result = (FrFractureResult){.log = &f->log};
    FR_TRY(tend(f, f->first_cut_off, f->cut_off, &f->precuts));
    f->cut_off = 0;
    fr_cutlog_free(f->ctx, &f->precuts);
    tell_dust(f, result);
    return FR_OK;
}

// what hangs in hands that never move, and would ring on
static FrResult stand_still(FrFracture *f, int32_t piece) {
    int32_t count;
    int32_t tet = fr_pieces_table(f->pieces, &count)[piece].tet;
    if (fr_fem_is_stiff(f->fem, tet)) return FR_OK;
    FR_TRY(list_piece(f, tet));
    fr_fem_stand(f->fem, f->loose.data, f->loose.count);
    note_stiff(f);
    return FR_OK;
}

// did nothing break for so long?
static bool is_quiet(const FrFracture *f, double t) {
    return f->calm > 0.0 && f->cracked_once && !f->calmed && t - f->broke_at >= f->calm;
}

static FrResult calm_pieces(FrFracture *f) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    f->calmed = true;
    for (int32_t k = 0; k < count; k++) {
        FR_TRY(stiffen(f, k, HUGE_VAL));
        if (!f->flows) FR_TRY(stand_still(f, k)); // what flows comes to rest by itself
    }
    return FR_OK;
}

bool fr_fracture_is_whole(const FrFracture *f) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    return count == 1;
}

// Shards that lie, fly or hang need no steps that follow their ringing.
static FrResult calm_down(FrFracture *f, double t, FrFractureResult *result) {
    if (f->crack.count) f->broke_at = t, f->cracked_once = true, f->calmed = false;
    if (!is_quiet(f, t) || fr_fracture_is_whole(f)) return FR_OK;
    result->calmed = true;
    return calm_pieces(f);
}

// no smaller piece breaks, m^3
static double least_piece(const FrFracture *f) {
    return fr_max(f->rigid_piece, f->split.min_piece);
}

bool fr_fracture_whole_is_quiet(const FrFracture *f, double t) {
    int32_t count;
    double least = fr_max(least_piece(f), f->dust_piece);
    return is_quiet(f, t) && fr_fracture_is_whole(f) && !f->flows &&
           fr_pieces_table(f->pieces, &count)[0].volume >= least;
}

FrResult fr_fracture_calm_whole(FrFracture *f) { return calm_pieces(f); }

bool fr_fracture_is_calm(const FrFracture *f, int32_t tet) {
    int32_t count, piece = fr_pieces_of_tets(f->pieces)[tet];
    return f->calm > 0.0 && f->cracked_once && !f->flows && fr_fem_is_stiff(f->fem, tet) &&
           fr_pieces_table(f->pieces, &count)[piece].volume >= least_piece(f);
}

// at its strength s all of the least piece has the energy 1/2 s^2 / E
bool fr_fracture_feels(const FrFracture *f, int32_t tet, FrBlow blow) {
    const FrMaterial *m = fr_fem_material(f->fem, tet);
    double dense = 0.5 * f->weakest * f->weakest / fr_young(m->lambda, m->mu);
    return blow.stress >= f->weakest && blow.energy >= dense * least_piece(f);
}

FrResult fr_fracture_rouse(FrFracture *f, int32_t tet, double t, FrVec3 gravity, bool *first) {
    *first = f->calmed;
    FR_TRY(list_piece(f, tet));
    fr_fem_unstiffen(f->fem, f->loose.data, f->loose.count, gravity);
    fr_fracture_heat(f, f->loose.data, f->loose.count);
    f->broke_at = t;
    f->calmed = false;
    return FR_OK;
}

FrCrackDef fr_fracture_settings(const FrFracture *f) { return f->def; }

bool fr_fracture_calms(const FrFracture *f) { return f->calm > 0.0 && f->flows; }

double fr_fracture_patience(const FrFracture *f) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    return fr_fracture_calms(f) && (count == 1 || f->calmed) ? f->calm : HUGE_VAL;
}

FrResult fr_fracture_settle(FrFracture *f) {
    for (int32_t k = 0; k < f->dust.count; k++) {
        FR_TRY(list_piece(f, f->dust.data[k].tet));
        fr_fem_shrink(f->fem, f->loose.data, f->loose.count, f->dust.data[k].dust.centre);
    }
    return FR_OK;
}

FrResult fr_fracture_step(FrFracture *f, double t, FrFractureResult *result) {
    fr_fracture_begin(f);
    *result = (FrFractureResult){.log = &f->log};
    if (!f->breaks) return FR_OK;
    f->now = t;
    double begun = fr_processor_seconds();
    FR_TRY(fr_fracture_look(f));
    double looked = fr_processor_seconds() - begun;
    for (int32_t k = 0; k < f->candidate.count; k++) {
        const FrNodeState *state = &f->state.data[k];
        f->wait.data[f->candidate.data[k]] = fr_fracture_wait(f, state->value / state->limit);
        FR_TRY(fr_fracture_push(f, f->candidate.data[k], state));
    }
    if (f->queue.item.count) FR_TRY(fr_fracture_even_out_all(f));
    fr_cutmesh_clock(f->cut, t);
    FR_TRY(fr_fracture_break_all(f));
    FR_TRY(fr_fracture_come_off(f, t, result));
    FR_TRY(tend(f, result->first_piece, result->piece_count, &f->log));
    FR_TRY(calm_down(f, t, result));
    result->look_seconds = looked;
    tell_dust(f, result);
    return FR_OK;
}

void fr_fracture_loads(FrFracture *f, double *load) {
    fr_fracture_forget(f); // pulls of the last look are older than the state
    int32_t count = fr_cutmesh_view(f->cut)->node_count;
    for (int32_t n = 0; n < count; n++) {
        int32_t tets;
        load[n] = fr_fem_is_stiff(f->fem, fr_cutmesh_star(f->cut, n, &tets)[0]) ? -1.0 : 0.0;
    }
    f->evened = FR_EVENED_NONE;
    if (fr_fracture_at_ease(f) || fr_fracture_even_out_all(f) != FR_OK) return;
    FrBreakable body = fr_fracture_body(f);
    for (int32_t n = 0; n < count; n++) {
        if (load[n] < 0.0) continue;
        FrNodeState s = fr_node_state(&body, n, fr_sym3_zero);
        load[n] = fr_max(0.0, s.value) / s.limit;
    }
}
