// sounds.h: the sound device: what is heard of the scene, or the sound beside a recording.
#pragma once
#include <fracas/hear.h>
#include <stddef.h>

typedef struct Sounds Sounds;

Sounds *sounds_create(void); ///< NULL: there is no device
void sounds_destroy(Sounds *sounds);
/// Another scene, or another past: what rang is gone. (Simulation thread, as the next.)
void sounds_forget(Sounds *sounds);
void sounds_tell(Sounds *sounds, const FrMoment *moment, const FrEvent *event, int64_t count);
/// A mallet of wood, heard with the next moment. (Window's thread, as all below.)
void sounds_strike(Sounds *sounds, const FrRayHit *hit, double speed);
void sounds_listen(Sounds *sounds, const FrViewpoint *from);
double sounds_gain(const Sounds *sounds); ///< dB
void sounds_set_gain(Sounds *sounds, double gain);
void sounds_text(Sounds *sounds, char *text, size_t room); ///< what sounds, for people

/// The newest samples, both ears together.
void sounds_recent(const Sounds *sounds, float *sample, int count);
int sounds_modes(Sounds *sounds, FrBodyId body, FrHearMode *mode, int room); ///< fr_hear_modes
bool sounds_shape(Sounds *sounds, FrBodyId body, int i, const FrBodyView *view, double *u);
void sounds_want(Sounds *sounds, FrBodyId body);         ///< its modes, with the next moment
void sounds_tone(Sounds *sounds, double hz, double t60); ///< heard alone, once

bool sounds_load(Sounds *sounds, const char *wav); ///< beside a recording; false: it has none
void sounds_play(Sounds *sounds, bool playing, double t);
