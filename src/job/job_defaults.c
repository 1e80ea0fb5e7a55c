// job_defaults.c: what jobs do when nothing else is said.

#include "fracas/studio.h"

FrRunDef fr_run_def_default(void) { return (FrRunDef){.detail = FR_DETAIL_NORMAL}; }

FrSweepDef fr_sweep_def_default(void) {
    return (FrSweepDef){.run = fr_run_def_default(), .frame = -1, .time = -1.0};
}

FrMeshDef fr_mesh_def_default(void) { return (FrMeshDef){.order = 1}; }

FrModesDef fr_modes_def_default(void) { return (FrModesDef){.max_hz = 20e3}; }

FrRenderDef fr_render_def_default(void) { return (FrRenderDef){.frame = -1, .time = -1.0}; }

FrExportDef fr_export_def_default(void) { return (FrExportDef){.topology = FR_TOPOLOGY_FINAL}; }

FrStrikeDef fr_strike_def_default(void) { return (FrStrikeDef){.speed = 1.0, .distance = 1.0}; }

FrBakeDef fr_bake_def_default(void) { return (FrBakeDef){.modes = 64, .max_hz = 20e3}; }

FrSoundDef fr_sound_def_default(void) { return (FrSoundDef){0}; }
