// report.h: report.json, the numbers of a run under names that scripts rely on.
#pragma once
#include "export/piece_list.h"
#include "record/recorder.h"

typedef struct FrReportStage {
    const char *name;
    double seconds;
} FrReportStage;

/// A body that ended inside another or under a plane, or was wholly under one.
typedef struct FrReportSunk {
    const char *body, *in; ///< names
    double share;          ///< of the volume of `body`, at the end
    double depth;          ///< at which it was wholly under a plane, at the worst, m; 0: it was not
} FrReportSunk;

/// All that depends on the clock or the machine goes into `stage`; the rest repeats bit for bit.
typedef struct FrReport {
    uint64_t scene_hash, state_hash, frame_hash, event_hash;
    uint64_t seed;
    double sim_seconds;
    int64_t steps;          ///< substeps, summed over bodies
    int64_t rejected_steps; ///< substeps done again with a smaller step
    int64_t guarded_tets;   ///< most tets below 0.3 of their volume at one time
    int32_t bodies, pieces;
    int64_t cracks;          ///< nodes that were split
    FrCrackSum crack_sum;    ///< of the events that tell of them
    const FrPieceRow *piece; ///< of bodies that fell apart (piece_count)
    int32_t piece_count;
    double added_mass, added_share; ///< for the floor of steps, kg, and of its body
    bool below_floor;               ///< it was not enough
    int64_t rigid_pieces;           ///< pieces that became rigid
    double rigid_volume;            ///< m^3
    int64_t dust_pieces;            ///< pieces that left as dust
    double dust_mass;               ///< kg
    double dust_share;              ///< the largest share of a body
    double dust_energy;             ///< J
    int64_t nodes_start, nodes_end, tets_start, tets_end;
    int64_t events;
    FrEnergyRow energy;       ///< at the end, J
    double energy_start;      ///< sum of all parts at the start, J
    double energy_peak;       ///< largest stored energy on the way, J
    double energy_closure;    ///< |what the ledger misses| / peak
    double momentum_drift;    ///< of FrWorldStats; NaN: not measured, null in the file
    double overlap;           ///< deepest at the end, m
    const FrReportSunk *sunk; ///< (sunk_count)
    int32_t sunk_count;
    const FrReportStage *stage; ///< under "timing"
    int32_t stage_count;
    int32_t workers; ///< under "timing": the numbers do not depend on it
} FrReport;

FrResult fr_export_report(FrContext *ctx, const FrReport *report, const char *path);
