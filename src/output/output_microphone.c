// output_microphone.c: the microphone of a run: where its ears are, and the file it leaves.

#include "math/vec.h"
#include "output/outputs.h"
#include "render/render.h"
#include "score/score.h"
#include "sound/wav.h"
#include <math.h>

// where the scene puts the listener, else its camera, else where an automatic camera would start
static FrResult place_ears(FrBuilt *built, const FrScene *scene, FrVec3 ear[2]) {
    const FrFrameView *view = fr_world_view(built->world);
    FrCamera camera;
    if (!view) return fr_no_memory(built->ctx, "a frame");
    FR_TRY(fr_camera_auto_view(built->ctx, view, scene->film.size.x / scene->film.size.y, &camera));
    const FrSceneCamera *wish = &scene->film.camera;
    FrVec3 at = isnan(wish->position.x) ? camera.eye : wish->position;
    FrVec3 target = isnan(wish->target.x) ? camera.target : wish->target;
    if (!isnan(scene->sound.listener.x)) at = scene->sound.listener;
    FrVec3 right = fr_normalize(fr_cross(fr_sub(target, at), fr_vec3(0, 0, 1)));
    ear[0] = fr_axpy(-FR_HEAD_RADIUS, right, at);
    ear[1] = fr_axpy(FR_HEAD_RADIUS, right, at);
    return FR_OK;
}

FrResult fr_output_microphone(FrBuilt *built, const FrScene *scene, double rate,
                              FrMicrophone **microphone) {
    FrVec3 ear[2];
    FR_TRY(place_ears(built, scene, ear));
    return fr_microphone_create(built->ctx, ear, rate, microphone);
}

FrResult fr_output_track(FrOutputs *outputs, const FrMicrophone *microphone) {
    float *track;
    int64_t frames;
    FR_TRY(fr_microphone_track(microphone, FR_SOUND_RATE, &track, &frames));
    for (int64_t n = 0; n < 2 * frames; n++) track[n] /= (float)FR_FULL_SCALE;
    FrResult result =
        fr_wav_save(outputs->ctx, outputs->microphone, track, frames, 2, (int32_t)FR_SOUND_RATE);
    fr_free(outputs->ctx, track);
    return result;
}
