// fuzz_wav.c: any bytes as a WAV file end in samples or a message.

#include "context.h"
#include "sound/wav.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    FrContext *ctx = make_context(1);
    FrWavSound sound;
    fr_wav_parse(ctx, "fuzz", bytes, size, &sound);
    fr_wav_sound_free(ctx, &sound);
    fr_context_destroy(ctx);
    return 0;
}
