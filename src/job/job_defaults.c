// job_defaults.c: what jobs do when nothing else is given.

#include "base/base.h"
#include "fracas/studio.h"

FrRunDef fr_run_def_default(void) {
    return (FrRunDef){.detail = FR_DETAIL_NORMAL,
                      .until = FR_CHOSEN,
                      .fps = FR_CHOSEN,
                      .checkpoint_every = FR_CHOSEN,
                      .cookie = FR_COOKIE};
}

FrSweepDef fr_sweep_def_default(void) {
    return (FrSweepDef){
        .run = fr_run_def_default(), .frame = -1, .time = -1.0, .cookie = FR_COOKIE};
}

FrVaryDef fr_vary_def_default(void) { return (FrVaryDef){.cookie = FR_COOKIE}; }

FrMeshDef fr_mesh_def_default(void) {
    return (FrMeshDef){.size = FR_CHOSEN, .unit = 1.0, .order = 1, .cookie = FR_COOKIE};
}

FrModesDef fr_modes_def_default(void) {
    return (FrModesDef){
        .size = FR_CHOSEN, .unit = 1.0, .max_hz = 20e3, .count = INT32_MAX, .cookie = FR_COOKIE};
}

FrRenderDef fr_render_def_default(void) {
    return (FrRenderDef){.frame = -1, .time = -1.0, .fov = FR_CHOSEN, .cookie = FR_COOKIE};
}

FrExportDef fr_export_def_default(void) {
    return (FrExportDef){.fps = FR_CHOSEN, .topology = FR_TOPOLOGY_FINAL, .cookie = FR_COOKIE};
}

FrBreakDef fr_break_def_default(void) {
    return (FrBreakDef){.size = FR_CHOSEN,
                        .unit = 1.0,
                        .drop = 0.75,
                        .speed = 5.0,
                        .run = fr_run_def_default(),
                        .cookie = FR_COOKIE};
}

FrRingDef fr_ring_def_default(void) { return (FrRingDef){.size = FR_CHOSEN, .unit = 1.0}; }

FrStrikeDef fr_strike_def_default(void) {
    return (FrStrikeDef){.input = fr_ring_def_default(),
                         .speed = 1.0,
                         .distance = 1.0,
                         .air = FR_AIR_FULL,
                         .cookie = FR_COOKIE};
}

FrListenDef fr_listen_def_default(void) {
    return (FrListenDef){.shape = fr_ring_def_default(), .cookie = FR_COOKIE};
}

FrRadiateJobDef fr_radiate_job_def_default(void) {
    return (FrRadiateJobDef){
        .input = fr_ring_def_default(), .modes = 64, .max_hz = 20e3, .cookie = FR_COOKIE};
}

FrBakeDef fr_bake_def_default(void) {
    return (FrBakeDef){
        .input = fr_ring_def_default(), .modes = 64, .max_hz = 20e3, .cookie = FR_COOKIE};
}

FrSoundChangeDef fr_sound_change_def_default(void) {
    return (FrSoundChangeDef){.factor = 1.0, .cookie = FR_COOKIE};
}

FrSoundDef fr_sound_def_default(void) {
    return (FrSoundDef){.gain = FR_CHOSEN, .proxy = {FR_PROXY_SHARE, 1.0}, .cookie = FR_COOKIE};
}

FrBenchDef fr_bench_def_default(void) {
    return (FrBenchDef){.until = FR_CHOSEN, .cookie = FR_COOKIE};
}

FrSoundbankDef fr_soundbank_def_default(void) {
    return (FrSoundbankDef){.act = FR_SOUNDBANK_INFO, .part = 1, .parts = 1, .cookie = FR_COOKIE};
}
