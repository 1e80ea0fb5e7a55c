// microphone.h: what deforming bodies sound like: their surfaces push the air, and two ears sum it
// up.
//
// After O'Brien, Cook & Essl 2001: every triangle of the surface sends
//     p = rho/(4 pi) A n.a / r,   heard r/c later
// a: its acceleration, from how far it went between ticks, which smooths away what is faster than
// the ticks. Bodies do not shade or reflect each other's sound.
#pragma once
#include "base/bytes.h"
#include "fracas/frame.h"

typedef struct FrMicrophone FrMicrophone;

/// `ear`: left and right, m. `rate`: ticks per second that it will hear.
FrResult fr_microphone_create(FrContext *ctx, const FrVec3 ear[2], double rate,
                              FrMicrophone **microphone);
void fr_microphone_destroy(FrMicrophone *microphone); ///< accepts NULL
/// The next tick, all deformable bodies of the view. Bodies may change their meshes.
FrResult fr_microphone_hear(FrMicrophone *microphone, const FrFrameView *view);
/// For checkpoints: everything that was heard, and where things were.
void fr_microphone_save(const FrMicrophone *microphone, FrWriter *writer);
/// FR_BAD_INPUT: not what fr_microphone_save writes.
FrResult fr_microphone_load(FrMicrophone *microphone, FrReader *reader);
/// All that was heard as left and right by turns, Pa, at `rate` samples per second; fr_free.
/// Without what is slower than 20 Hz (pieces that spin pull their surface inwards: a steady
/// pressure), up to where nothing is missing, and faded there.
FrResult fr_microphone_track(const FrMicrophone *microphone, double rate, float **track,
                             int64_t *frames);
