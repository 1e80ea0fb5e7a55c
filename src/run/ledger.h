// ledger.h: how well the energies of a recording add up.
#pragma once
#include "fracas/world.h"
#include "record/recording.h"

/// How well the ledger of a recording closes.
FrResult fr_energy_ledger(FrRecording *recording, const FrEnergyRow *row, int32_t count,
                          FrLedger *ledger);
