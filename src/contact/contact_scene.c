// contact_scene.c: makes contact scenes and tells them what is in the world and where it is now.

#include "contact/contact_scene.h"
#include <string.h>

FrContactOptions fr_contact_options_default(void) {
    FrContactOptions options = {.horizon = 0.0,
                                .steps = FR_STEPS_AHEAD,
                                .skin = FR_LEAF_SKIN,
                                .rebuild_every = FR_REBUILD_EVERY};
    return options;
}

FrResult fr_contact_scene_create(FrContext *ctx, const FrContactOptions *options,
                                 FrContactScene **scene) {
    *scene = NULL;
    FrContactOptions o = options ? *options : fr_contact_options_default();
    if (!(o.horizon >= 0.0 && isfinite(o.horizon)))
        return fr_fail(ctx, FR_BAD_INPUT, "contact horizon %g s; a number >= 0", o.horizon);
    if (!(o.steps >= 0.0 && isfinite(o.steps)))
        return fr_fail(ctx, FR_BAD_INPUT, "contact steps %g; a number >= 0", o.steps);
    if (!(o.skin >= 0.0 && o.skin <= 10.0))
        return fr_fail(ctx, FR_BAD_INPUT, "contact skin %g; 0 to 10 mean edges", o.skin);
    if (o.rebuild_every < 1)
        return fr_fail(ctx, FR_BAD_INPUT, "contact rebuild_every %d; 1 or more", o.rebuild_every);
    FrContactScene *made = FR_NEW(ctx, FrContactScene, 1);
    if (!made) return fr_no_memory(ctx, "a contact scene");
    made->ctx = ctx;
    made->options = o;
    made->whole = o.inside;
    *scene = made;
    return FR_OK;
}

void fr_contact_scene_destroy(FrContactScene *scene) {
    if (!scene) return;
    FrContext *ctx = scene->ctx;
    for (int32_t k = 0; k < scene->item.count; k++)
        fr_contact_body_free(ctx, &scene->item.data[k].body);
    for (int32_t k = 0; k < scene->pair.count; k++) fr_contact_pair_free(ctx, &scene->pair.data[k]);
    fr_array_free(ctx, &scene->item);
    fr_array_free(ctx, &scene->ignored);
    fr_array_free(ctx, &scene->pair);
    fr_array_free(ctx, &scene->past);
    fr_array_free(ctx, &scene->past_next);
    fr_array_free(ctx, &scene->barred);
    fr_array_free(ctx, &scene->bar_next);
    fr_array_free(ctx, &scene->by_x);
    fr_array_free(ctx, &scene->near_item);
    fr_array_free(ctx, &scene->active);
    fr_array_free(ctx, &scene->awake);
    fr_array_free(ctx, &scene->framing);
    fr_array_free(ctx, &scene->found);
    fr_array_free(ctx, &scene->found_count);
    fr_array_free(ctx, &scene->in_call);
    fr_array_free(ctx, &scene->sort);
    fr_free(ctx, scene);
}

static FrResult add_item(FrContactScene *scene, const FrContactItem *item, int32_t *index) {
    int32_t at = fr_contact_free_number(scene);
    *index = -1;
    if (at == scene->item.count && !fr_array_extend(scene->ctx, &scene->item, 1))
        return fr_no_memory(scene->ctx, "a contact item");
    scene->item.data[at] = *item;
    scene->next = 0;
    *index = at;
    return FR_OK;
}

FrResult fr_contact_add_body(FrContactScene *scene, const FrShapeView *view, bool self_contact,
                             int32_t *item) {
    FrContactItem made = {.kind = FR_ITEM_BODY};
    made.body.view = *view;
    made.body.self_contact = self_contact;
    made.body.age = -1;
    FrResult result = fr_contact_leaves(scene, &made.body);
    if (result == FR_OK) result = add_item(scene, &made, item);
    if (result != FR_OK) fr_contact_body_free(scene->ctx, &made.body);
    return result;
}

FrResult fr_contact_add_plane(FrContactScene *scene, FrVec3 normal, double offset, int32_t *item) {
    double len = fr_length(normal);
    if (!(len > 0.0 && isfinite(len) && isfinite(offset)))
        return fr_fail(scene->ctx, FR_BAD_INPUT,
                       "plane with normal (%g %g %g) and offset %g; finite, normal not zero",
                       normal.x, normal.y, normal.z, offset);
    FrContactItem made = {
        .kind = FR_ITEM_PLANE, .normal = fr_scale(1.0 / len, normal), .offset = offset / len};
    return add_item(scene, &made, item);
}

FrResult fr_contact_add_sphere(FrContactScene *scene, FrVec3 centre, double radius, int32_t *item) {
    if (!(radius > 0.0 && isfinite(radius) && fr_vec3_finite(centre)))
        return fr_fail(scene->ctx, FR_BAD_INPUT,
                       "sphere of radius %g m at (%g %g %g); finite, radius > 0", radius, centre.x,
                       centre.y, centre.z);
    FrContactItem made = {.kind = FR_ITEM_SPHERE, .centre = centre, .radius = radius};
    return add_item(scene, &made, item);
}

void fr_contact_set_view(FrContactScene *scene, int32_t item, const FrShapeView *view) {
    FR_ASSERT_IN(scene->ctx,
                 item >= 0 && item < scene->item.count &&
                     scene->item.data[item].kind == FR_ITEM_BODY,
                 "set the view of a body");
    FrContactBody *body = &scene->item.data[item].body;
    if (view->topology != body->view.topology || view->tet_count != body->view.tet_count ||
        view->node_count != body->view.node_count)
        body->stale = true;
    body->self_contact |= view->topology > 1; // pieces of one body meet
    body->stiffer |= view->rigid != NULL;
    body->view = *view;
}

void fr_contact_thin(FrContactScene *scene, int32_t item) {
    FR_ASSERT_IN(scene->ctx,
                 item >= 0 && item < scene->item.count &&
                     scene->item.data[item].kind == FR_ITEM_BODY,
                 "what left was part of a body");
    scene->item.data[item].body.stale = true;
}

void fr_contact_loosen(FrContactScene *scene, int32_t item) {
    for (int32_t k = 0; k < scene->pair.count; k++)
        if (scene->pair.data[k].a == item && scene->pair.data[k].b == item)
            scene->pair.data[k].valid = false;
}

void fr_contact_set_sphere(FrContactScene *scene, int32_t item, FrVec3 centre, FrVec3 velocity) {
    FR_ASSERT_IN(scene->ctx,
                 item >= 0 && item < scene->item.count &&
                     scene->item.data[item].kind == FR_ITEM_SPHERE,
                 "set the place of a sphere");
    scene->item.data[item].centre = centre;
    scene->item.data[item].velocity = velocity;
}

void fr_contact_set_layer(FrContactScene *scene, int32_t item, int32_t layer) {
    FR_ASSERT_IN(scene->ctx, item >= 0 && item < scene->item.count && layer >= 0,
                 "give an item of this scene");
    scene->item.data[item].layer = layer;
}

void fr_contact_set_rigid(FrContactScene *scene, int32_t item) {
    FR_ASSERT_IN(scene->ctx,
                 item >= 0 && item < scene->item.count &&
                     scene->item.data[item].kind == FR_ITEM_BODY,
                 "give a body of this scene");
    scene->item.data[item].rigid = true;
    if (scene->whole) return;
    scene->whole = true;
    for (int32_t k = 0; k < scene->item.count; k++) scene->item.data[k].body.stale = true;
}

FrResult fr_contact_ignore(FrContactScene *scene, int32_t a, int32_t b) {
    FR_ASSERT_IN(scene->ctx,
                 a >= 0 && b >= 0 && a < scene->item.count && b < scene->item.count && a != b,
                 "ignore a pair of two items of this scene");
    FrIgnored pair = {fr_min_i(a, b), fr_max_i(a, b)};
    int32_t at = 0;
    while (at < scene->ignored.count &&
           (scene->ignored.data[at].a < pair.a ||
            (scene->ignored.data[at].a == pair.a && scene->ignored.data[at].b < pair.b)))
        at++;
    if (at < scene->ignored.count && scene->ignored.data[at].a == pair.a &&
        scene->ignored.data[at].b == pair.b)
        return FR_OK;
    if (!fr_array_push(scene->ctx, &scene->ignored, pair))
        return fr_no_memory(scene->ctx, "ignored pairs");
    FrIgnored *data = scene->ignored.data;
    memmove(data + at + 1, data + at, (size_t)(scene->ignored.count - 1 - at) * sizeof *data);
    data[at] = pair;
    return FR_OK;
}

FrContactStats fr_contact_stats(const FrContactScene *scene) { return scene->stats; }
