// scene_keys.h: parts of a scene as numbers: which change asks for what to be done again.
#pragma once
#include "base/hash.h"
#include "fracas/studio.h"
#include "scene/scene.h"

/// All that decides the motion, but for how long it goes on and the content of files: not the film
/// (but which bursts are recorded), not the sound (unless a microphone listens while things move),
/// not the names of knobs, not how solids look.
FrResult fr_scene_motion_hash(FrContext *ctx, const FrScene *scene, FrHash *hash);
/// All that decides how the film looks, once the motion is known.
FrResult fr_scene_film_hash(FrContext *ctx, const FrScene *scene, FrHash *hash);
/// All that decides what is heard, once the motion is known.
FrResult fr_scene_sound_hash(FrContext *ctx, const FrScene *scene, FrHash *hash);
/// The whole scene.
FrResult fr_scene_hash(FrContext *ctx, const FrScene *scene, FrHash *hash);
/// The first line in which the motions of two scenes differ, as " (... , was ...)"; "": none.
FrResult fr_scene_difference(FrContext *ctx, const FrScene *old, const FrScene *now, FrText *text);
