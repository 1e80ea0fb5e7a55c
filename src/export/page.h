// page.h: index.html of a run: film, sheet, events, energies, parameters, on one page of its own.
#pragma once
#include "event/log.h"
#include "export/piece_list.h"
#include "record/recorder.h"

typedef struct FrPagePair {
    const char *name, *value;
} FrPagePair;

/// NULL or empty: left out. File names are relative to the page. All borrowed.
typedef struct FrPage {
    const char *title;
    const char *summary; ///< one sentence
    const char *film, *poster, *sheet, *sound, *spectrogram;
    const char *command; ///< the command line that makes this run
    const FrPagePair *parameter;
    int32_t parameter_count;
    const FrPagePair *fact; ///< bodies, tets, seconds, hashes
    int32_t fact_count;
    const FrPagePair *file; ///< name and what it is
    int32_t file_count;
    const FrEventLog *events;
    const FrPieceRow *piece; ///< (piece_count)
    int32_t piece_count;
    const char *const *body_name; ///< (body_name_count)
    int32_t body_name_count;
    const FrEnergyRow *energy;
    int32_t energy_count;
    double tick_seconds;
} FrPage;

/// Refers to nothing outside the run's folder.
FrResult fr_export_page(FrContext *ctx, const FrPage *page, const char *path);
