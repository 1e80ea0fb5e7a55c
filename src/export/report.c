// report.c: report.json with its stable field names.

#include "export/report.h"
#include "base/json.h"
#include "base/file.h"
#include <inttypes.h>
#include <stdio.h>

static void put_energy(FrJson *json, const FrReport *r) {
    const FrEnergyRow *e = &r->energy;
    fr_json_object(json, "energy");
    fr_json_number(json, "kinetic", e->kinetic);
    fr_json_number(json, "elastic", e->elastic);
    fr_json_number(json, "plastic", e->plastic);
    fr_json_number(json, "damping", e->damping);
    fr_json_number(json, "contact", e->contact);
    fr_json_number(json, "fracture", e->fracture);
    fr_json_number(json, "dust", e->dust);
    fr_json_number(json, "external", e->external);
    fr_json_number(json, "start", r->energy_start);
    fr_json_number(json, "peak", r->energy_peak);
    fr_json_number(json, "closure", r->energy_closure);
    fr_json_end(json);
}

static void put_sunk(FrJson *json, const FrReport *r) {
    fr_json_array(json, "sunk");
    for (int32_t k = 0; k < r->sunk_count; k++) {
        fr_json_object(json, NULL);
        fr_json_text(json, "body", r->sunk[k].body);
        fr_json_text(json, "in", r->sunk[k].in);
        fr_json_number(json, "share", r->sunk[k].share);
        if (r->sunk[k].depth > 0.0) fr_json_number(json, "depth", r->sunk[k].depth);
        fr_json_end(json);
    }
    fr_json_end(json);
}

static void put_report(FrJson *json, const FrReport *r) {
    fr_json_object(json, NULL);
    fr_json_hash(json, "scene_hash", r->scene_hash);
    fr_json_hash(json, "state_hash", r->state_hash);
    fr_json_hash(json, "frame_hash", r->frame_hash);
    fr_json_hash(json, "event_hash", r->event_hash);
    // a seed may need all 64 bits, which JSON readers keep only up to 2^53
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, r->seed);
    if (r->seed >> 53)
        fr_json_text(json, "seed", seed);
    else
        fr_json_int(json, "seed", (int64_t)r->seed);
    fr_json_number(json, "sim_seconds", r->sim_seconds);
    fr_json_int(json, "steps", r->steps);
    fr_json_int(json, "rejected_steps", r->rejected_steps);
    fr_json_int(json, "guarded_tets", r->guarded_tets);
    fr_json_int(json, "bodies", r->bodies);
    fr_json_int(json, "pieces", r->pieces);
    fr_json_int(json, "cracks", r->cracks);
    fr_json_int(json, "nodes_start", r->nodes_start);
    fr_json_int(json, "nodes_end", r->nodes_end);
    fr_json_int(json, "tets_start", r->tets_start);
    fr_json_int(json, "tets_end", r->tets_end);
    fr_json_int(json, "events", r->events);
    fr_cracks_json(json, &r->crack_sum);
    fr_json_object(json, "step_cost");
    fr_json_number(json, "added_mass", r->added_mass);
    fr_json_number(json, "added_mass_share", r->added_share);
    fr_json_bool(json, "below_step_floor", r->below_floor);
    fr_json_int(json, "rigid_pieces", r->rigid_pieces);
    fr_json_number(json, "rigid_volume", r->rigid_volume);
    fr_json_int(json, "dust_pieces", r->dust_pieces);
    fr_json_number(json, "dust_mass", r->dust_mass);
    fr_json_number(json, "dust_mass_share", r->dust_share);
    fr_json_number(json, "dust_energy", r->dust_energy);
    fr_json_end(json);
    put_energy(json, r);
    fr_json_number(json, "momentum_drift", r->momentum_drift);
    fr_json_number(json, "overlap", r->overlap);
    put_sunk(json, r);
    fr_pieces_json(json, r->piece, r->piece_count);
    fr_json_object(json, "timing");
    fr_json_int(json, "workers", r->workers);
    for (int32_t k = 0; k < r->stage_count; k++)
        fr_json_number(json, r->stage[k].name, r->stage[k].seconds);
    fr_json_end(json);
    fr_json_end(json);
}

FrResult fr_export_report(FrContext *ctx, const FrReport *report, const char *path) {
    FrWriter out;
    FrJson json;
    fr_writer_init(&out, ctx);
    fr_json_begin(&json, &out, true);
    put_report(&json, report);
    FrResult result = fr_writer_result(&out);
    if (result == FR_OK) result = fr_file_save(ctx, path, out.data, out.size);
    fr_writer_free(&out);
    return result;
}
