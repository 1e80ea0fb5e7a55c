// samples.h: a world at moments between its macro steps, for slow motion. Taking them changes
// nothing.
#pragma once
#include "base/array.h"
#include "base/bytes.h"
#include "fracas/frame.h"
#include "fracas/world.h"

/// Take samples at all multiples of `every` s and keep the last `keep` s of them; 0: none, and drop
/// those that were taken.
void fr_world_sample_every(FrWorld *world, double every, double keep);

/// The context that the world was made with.
FrContext *fr_world_context(const FrWorld *world);

/// One of them. All borrowed until the next step.
typedef struct FrWorldSample {
    int64_t number;       ///< its time is number * every
    int64_t tick;         ///< the macro step that it lies in ends at this tick
    FrFrameView view;     ///< of bodies that lived then; of those that are gone id, kind and rigid
    const int32_t *nodes; ///< that each body had (view.body_count)
    const int32_t *cuts;  ///< logs of the body's cuts of this tick that had come by then (likewise)
} FrWorldSample;

/// Samples of the last macro step, and before them those that were kept; in order.
int32_t fr_world_sample_count(const FrWorld *world);
/// After fr_world_view: the sample has its body views, whose meshes are those of the tick.
FrResult fr_world_sample(FrWorld *world, int32_t k, FrWorldSample *sample);

/// What later samples are kept with.
void fr_world_samples_save(const FrWorld *world, FrWriter *writer);
FrResult fr_world_samples_load(FrWorld *world, FrReader *reader);

/// What one body looked like.
typedef struct FrSamplePart {
    FrBodyId id;
    FrBodyKind kind;
    bool rigid; ///< FrBodyView.rigid
    FrVec3 position, velocity, spin;
    FrQuat rotation;
    int32_t nodes, cuts;
    int32_t at;      ///< its places, then its velocities, in FrSamples.x; -1: not taken yet
    bool breaks;     ///< there are loads of its nodes
    int32_t load_at; ///< those, in FrSamples.load
} FrSamplePart;

/// One sample.
typedef struct FrSampleHead {
    int64_t number, tick; ///< as of FrWorldSample
    int32_t first, count; ///< slice of FrSamples.part
} FrSampleHead;

typedef struct FrSamples {
    double every, keep; ///< s
    int64_t first;      ///< number of the first sample of this macro step
    int32_t kept;       ///< samples before it
    int32_t next;       ///< place of the next one that a group comes to
    FR_ARRAY(FrSampleHead) head;
    FR_ARRAY(FrSamplePart) part; ///< of each sample the bodies that lived then, and planes
    FR_ARRAY(double) x;
    FR_ARRAY(float) load;
    FR_ARRAY(FrSamplePart) start; ///< poses at the start of the macro step (body count)
    FR_ARRAY(FrBodyView) view;    ///< scratch of a view
    FR_ARRAY(FrBodyFrame) frame;
    FR_ARRAY(int32_t) nodes;
    FR_ARRAY(int32_t) cuts;
} FrSamples;
