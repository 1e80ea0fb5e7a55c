// simulate.h: a built world through time into a recording, resumable at any moment.
#pragma once
#include "build/build.h"
#include "record/recorder.h"
#include "run/below_plane.h"
#include "run/burst.h"
#include "run/roster.h"
#include "sound/microphone.h"

/// Wall time between checkpoints, s, and the largest share of a run that they may take.
#define FR_CHECKPOINT_EVERY 60.0
#define FR_CHECKPOINT_SHARE 0.02

/// How time is cut: frames into macro steps.
typedef struct FrTiming {
    double duration;         ///< s
    double fps;              ///< recorded frames per second
    int32_t ticks_per_frame; ///< macro steps in a frame
    double step;             ///< macro step, s
    int64_t tick_count;      ///< macro steps in the whole run
    int32_t ticks_per_pose;  ///< macro steps between two poses
} FrTiming;

/// Macro steps that a scene needs, 1/s: 240, so that poses suffice for sound; 4800 with bodies that
/// shatter, which change between macro steps alone; 96000 where a microphone hears them.
double fr_step_rate(const FrScene *scene, bool microphone);
FrTiming fr_timing(double duration, double fps, double rate);

/// With macro steps that hold at most 256 substeps of this length (s): what is stiff can be stopped
/// and kept within seconds.
FrTiming fr_timing_for(FrTiming timing, double substep);

typedef struct FrSimulation {
    FrContext *ctx;
    FrBuilt *built;
    const FrScene *scene; ///< who comes and goes, and when; borrowed
    FrRecorder *recorder;
    FrTiming timing;
    double checkpoint_every;    ///< s of wall time; 0: FR_CHECKPOINT_EVERY, or longer where
                                ///< checkpoints take more than their share
    double checkpoint_seconds;  ///< that the last checkpoint took; 0: none yet
    double kept;                ///< s: how far the last checkpoint is; 0: there is none
    double clock;               ///< wall time up to which the stage "simulate" is counted
    uint64_t next_event;        ///< seq of the first event not yet recorded
    FrRoster roster;            ///< all bodies so far, by number
    FrMicrophone *microphone;   ///< NULL: none; borrowed
    const FrSceneBurst *bursts; ///< NULL: none; borrowed
    FrBurst burst;
    FrUnders under; ///< who was under planes
} FrSimulation;

/// What the last macro step did: for those who step the world themselves.
FrResult fr_simulate_record(FrSimulation *sim);
/// Bodies and the first frame of a new recording.
FrResult fr_simulate_begin(FrSimulation *sim);
/// Go on from what a checkpoint or an ending holds.
FrResult fr_simulate_load(FrSimulation *sim, const uint8_t *bytes, size_t size);
/// Keep all that was recorded, and the state to go on from.
FrResult fr_simulate_checkpoint(FrSimulation *sim);
/// The state at the end into the recording, to go on from when more is asked for.
FrResult fr_simulate_end(FrSimulation *sim);
/// To the end, or to an interrupt (FR_INTERRUPTED: checkpoint written, unless a macro step would
/// have gone on for long: then the last one is kept) or a breakdown (FR_NUMERICAL: all frames so
/// far and the last checkpoint are kept).
FrResult fr_simulate(FrSimulation *sim);
/// Closes the recorder and frees what the simulation holds.
void fr_simulate_close(FrSimulation *sim);
