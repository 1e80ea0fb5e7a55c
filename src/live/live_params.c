// live_params.c: the knobs of a live scene, and where it wants to be seen from.

#include "live/live.h"
#include "math/vec.h"
#include "render/render.h"
#include "scene/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Opening of a camera that a scene places without saying it, rad.
#define PLACED_FOV (35.0 * FR_PI / 180.0)

int32_t fr_live_param_count(const FrLive *live) { return live->scene->params_count; }

static bool same(const FrSceneScalar *a, const FrSceneScalar *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == FR_SCENE_NUMBER) return a->number == b->number;
    if (a->kind == FR_SCENE_WORD) return !strcmp(a->word, b->word);
    return a->truth == b->truth;
}

static double bound(const FrSceneScalar *s) {
    return s->kind == FR_SCENE_NUMBER ? s->number : FR_CHOSEN;
}

FrParam fr_live_param(const FrLive *live, int32_t k) {
    const FrSceneParam *from = &live->scene->params[k];
    FrParam param = {.name = from->name,
                     .help = from->help ? from->help : "",
                     .unit = from->unit ? from->unit : "",
                     .is_number = from->value.kind == FR_SCENE_NUMBER,
                     .value = from->value.number,
                     .min = bound(&from->min),
                     .max = bound(&from->max),
                     .word = from->value.kind == FR_SCENE_WORD ? from->value.word
                             : from->value.truth               ? "true"
                                                               : "false",
                     .choices = from->choices_count,
                     .choice = -1};
    for (int32_t i = 0; i < from->choices_count; i++)
        if (same(&from->choices[i], &from->value)) param.choice = i;
    return param;
}

void fr_live_param_choice(const FrLive *live, int32_t k, int32_t i, char text[64]) {
    const FrSceneScalar *s = &live->scene->params[k].choices[i];
    char number[FR_NUMBER_ROOM];
    if (s->kind == FR_SCENE_NUMBER)
        snprintf(text, 64, "%s", fr_number_print(s->number, number));
    else
        snprintf(text, 64, "%s", s->kind == FR_SCENE_WORD ? s->word : s->truth ? "true" : "false");
}

FrResult fr_live_viewpoint(FrLive *live, double aspect, FrViewpoint *to) {
    const FrSceneCamera *from = &live->scene->film.camera;
    const FrFrameView *view = fr_world_view(live->built.world);
    FrCamera camera;
    if (!view) return fr_no_memory(live->ctx, "a view");
    FR_TRY(fr_camera_auto_view(live->ctx, view, aspect, &camera));
    *to = (FrViewpoint){camera.eye, camera.target, camera.fov};
    if (!isnan(from->fov)) to->fov = from->fov;
    if (!isnan(from->position.x)) {
        to->eye = from->position;
        if (isnan(from->fov)) to->fov = PLACED_FOV;
    }
    if (!isnan(from->target.x)) to->target = from->target;
    return FR_OK;
}
