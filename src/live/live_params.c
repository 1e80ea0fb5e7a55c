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
/// Of the sphere round the action, for what hands will do beside it.
#define ROOM 1.05

int32_t fr_live_param_count(const FrLive *live) { return live ? live->scene->params_count : 0; }

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
    if (k < 0 || k >= fr_live_param_count(live))
        return (FrParam){.name = "", .help = "", .unit = "", .word = "", .choice = -1};
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
    char number[FR_NUMBER_ROOM];
    if (!text) return;
    text[0] = 0;
    if (i < 0 || i >= fr_live_param(live, k).choices) return;
    const FrSceneScalar *s = &live->scene->params[k].choices[i];
    if (s->kind == FR_SCENE_NUMBER)
        snprintf(text, 64, "%s", fr_number_print(s->number, number));
    else
        snprintf(text, 64, "%s", s->kind == FR_SCENE_WORD ? s->word : s->truth ? "true" : "false");
}

// all bodies, and the ground under them: they will fall
static FrBox action(const FrFrameView *view) {
    FrBox box = fr_box_empty();
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyFrame *frame = &view->frame[k];
        double r = view->body[k].radius;
        if (view->body[k].kind == FR_BODY_SPHERE)
            box = fr_box_union(box, fr_box_grow((FrBox){frame->position, frame->position}, r));
        for (int32_t n = 0; frame->p && n < view->body[k].mesh->node_count; n++)
            box = fr_box_add(box, fr_get3(frame->p, n));
    }
    FrVec3 foot = fr_box_center(box);
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *plane = &view->body[k];
        if (plane->kind != FR_BODY_PLANE || !(plane->normal.z > 0.5)) continue;
        foot.z =
            (plane->offset - foot.x * plane->normal.x - foot.y * plane->normal.y) / plane->normal.z;
        box = fr_box_add(box, foot);
    }
    return box;
}

// as far away as it takes to see all of a box, along the way that the camera looks
static void step_back(FrBox box, double aspect, FrViewpoint *to) {
    FrVec3 arm = fr_normalize(fr_sub(to->eye, to->target));
    double radius = 0.5 * fr_length(fr_box_size(box)), t = tan(0.5 * to->fov);
    double needed = ROOM * radius / sin(atan(t * fr_min(aspect, 1.0)));
    to->target = fr_box_center(box);
    to->eye = fr_axpy(needed, arm, to->target);
}

FrResult fr_live_viewpoint(FrLive *live, double aspect, FrViewpoint *to) {
    FR_NEED_ALL(live ? live->ctx : NULL, live && to);
    const FrSceneCamera *from = &live->scene->film.camera;
    const FrFrameView *view = fr_world_view(live->built.world);
    FrCamera camera;
    if (!view) return fr_no_memory(live->ctx, "a view");
    FR_TRY(fr_camera_auto_view(live->ctx, view, aspect, &camera));
    *to = (FrViewpoint){camera.eye, camera.target, camera.fov};
    if (!isnan(from->fov)) to->fov = from->fov;
    FrBox box = action(view);
    if (box.lo.x <= box.hi.x) step_back(box, aspect, to);
    if (!isnan(from->position.x)) {
        to->eye = from->position;
        if (isnan(from->fov)) to->fov = PLACED_FOV;
    }
    if (!isnan(from->target.x)) to->target = from->target;
    return FR_OK;
}
