// initial_overlap.c: what bodies share with each other: those that began or ended inside others.

#include "build/initial_overlap.h"
#include "build/build.h"
#include "build/depth.h"
#include "contact/contact.h"
#include "math/vec.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include <stdio.h>
#include <string.h>

bool fr_stays(const FrScene *scene, const char *name) {
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, name)) return fr_body_stays(&scene->bodies[k]);
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!strcmp(scene->spheres[k].name, name)) return scene->spheres[k].kinematic;
    return false;
}

// every body and sphere as an item of a contact scene; item_body leads back
static FrResult fill(const FrFrameView *view, FrContactScene *contact, int32_t *item_body,
                     int32_t *count) {
    for (int32_t k = 0; k < view->body_count; k++) {
        const FrBodyView *body = &view->body[k];
        const FrBodyFrame *frame = &view->frame[k];
        int32_t item = 0;
        if (body->kind == FR_BODY_PLANE) continue;
        if (body->mesh) {
            FrShapeView shape = fr_tetmesh_view(body->mesh, frame->p, frame->v);
            FR_TRY(fr_contact_add_body(contact, &shape, false, &item));
        } else {
            FR_TRY(fr_contact_add_sphere(contact, frame->position, body->radius, &item));
        }
        item_body[item] = k;
        *count = item + 1;
    }
    return FR_OK;
}

// contacts of a pair come together: the newest first
static FrSharedVolume *slot_of(FrContext *ctx, FrSharedVolumes *shared, int32_t a, int32_t b) {
    for (int32_t k = shared->count - 1; k >= 0; k--)
        if (shared->data[k].a == a && shared->data[k].b == b) return &shared->data[k];
    FrSharedVolume none = {a, b, 0.0, 0.0, 0.0};
    return fr_array_push(ctx, shared, none) ? &shared->data[shared->count - 1] : NULL;
}

static FrResult gather(FrContext *ctx, const FrContactList *list, const int32_t *item_body,
                       FrSharedVolumes *shared) {
    for (int32_t k = 0; k < list->count; k++) {
        const FrContact *c = &list->contact[k];
        FrSharedVolume *slot = slot_of(ctx, shared, item_body[c->a], item_body[c->b]);
        if (!slot) return fr_no_memory(ctx, "overlaps");
        slot->volume += c->volume;
        slot->largest = fr_max(slot->largest, c->volume);
        slot->depth = fr_max(slot->depth, c->depth);
    }
    return FR_OK;
}

FrResult fr_find_shared(FrContext *ctx, const FrFrameView *view, FrSharedVolumes *shared) {
    FrContactOptions options = fr_contact_options_default();
    options.inside = true;
    FrContactScene *contact;
    FrContactList list = {0};
    int32_t count = 0;
    FR_TRY(fr_contact_scene_create(ctx, &options, &contact));
    int32_t *items = FR_NEW(ctx, int32_t, view->body_count + 1);
    int32_t *item_body = FR_NEW(ctx, int32_t, view->body_count + 1);
    FrResult result = items && item_body ? FR_OK : fr_no_memory(ctx, "overlaps");
    if (result == FR_OK) result = fill(view, contact, item_body, &count);
    for (int32_t k = 0; result == FR_OK && k < count; k++) items[k] = k;
    if (result == FR_OK) result = fr_contact_detect(contact, items, count, 1e-6, &list);
    if (result == FR_OK) result = gather(ctx, &list, item_body, shared);
    fr_contact_list_free(ctx, &list);
    fr_free(ctx, items);
    fr_free(ctx, item_body);
    fr_contact_scene_destroy(contact);
    return result;
}

static double volume_of(const FrFrameView *view, int32_t k) {
    const FrBodyView *body = &view->body[k];
    if (!body->mesh) return 4.0 / 3.0 * FR_PI * body->radius * body->radius * body->radius;
    FrTetMesh there = *body->mesh;
    there.x = (double *)(uintptr_t)view->frame[k].p;
    return fr_tetmesh_props(&there).volume;
}

/// Tets that share less than this part of a wall's thickness are of bodies that lie on each other.
#define LIES_ON 0.1

// Deeper in each other than the thinner wall of the two, m; 0: they are not. What lies on something
// is not looked at.
static FrResult find_pierced(FrDepths *depths, const FrSharedVolume *pair, double *depth) {
    const FrBodyView *body = depths->view->body;
    double wall = fr_min(fr_wall_of(&body[pair->a]), fr_wall_of(&body[pair->b])), other;
    *depth = 0.0;
    if (!(pair->depth > LIES_ON * wall)) return FR_OK;
    FR_TRY(fr_depth_inside(depths, pair->a, pair->b, depth));
    FR_TRY(fr_depth_inside(depths, pair->b, pair->a, &other));
    *depth = fr_max(*depth, other);
    if (!(*depth > wall)) *depth = 0.0;
    return FR_OK;
}

static void tell_sunk(FrContext *ctx, const FrBodyView *inner, const FrBodyView *outer,
                      double share, double depth) {
    char how[64];
    if (share > FR_SUNK)
        snprintf(how, sizeof how, "with %.0f %% of its volume inside", 100.0 * share);
    else
        snprintf(how, sizeof how, "%.3g m deep, more than a wall, in", depth);
    fr_log(ctx, FR_LOG_WARNING,
           "%s ended %s %s: contact did not keep it out; a stiffer %s or contact.stiffness far "
           "above 1 helps",
           inner->name, how, outer->name, outer->name);
}

// in recordings
static int32_t number_of(const FrFrameView *view, int32_t k) { return view->body[k].id.index1 - 1; }

static FrResult judge_pair(FrDepths *depths, const FrScene *scene, const FrSharedVolume *pair,
                           FrWriter *lines) {
    const FrFrameView *view = depths->view;
    double a = volume_of(view, pair->a), b = volume_of(view, pair->b), depth;
    int32_t inner = a < b ? pair->a : pair->b, outer = a < b ? pair->b : pair->a;
    double share = pair->volume / fr_min(a, b);
    if (fr_stays(scene, view->body[inner].name) && fr_stays(scene, view->body[outer].name))
        return FR_OK;
    FR_TRY(find_pierced(depths, pair, &depth));
    if (!(share > FR_SUNK) && !(depth > 0.0)) return FR_OK;
    char line[64];
    int length = snprintf(line, sizeof line, "%d %d %.3g %.6g\n", number_of(view, inner),
                          number_of(view, outer), share, depth);
    fr_write_bytes(lines, line, (size_t)length);
    tell_sunk(depths->ctx, &view->body[inner], &view->body[outer], share, depth);
    return FR_OK;
}

FrResult fr_find_sunk(FrContext *ctx, const FrScene *scene, const FrFrameView *view,
                      FrWriter *lines) {
    FrSharedVolumes shared = {0};
    FrDepths depths;
    FrResult result = fr_depths_init(&depths, ctx, view);
    if (result == FR_OK) result = fr_find_shared(ctx, view, &shared);
    for (int32_t k = 0; result == FR_OK && k < shared.count; k++)
        result = judge_pair(&depths, scene, &shared.data[k], lines);
    fr_array_free(ctx, &shared);
    fr_depths_free(&depths);
    return result == FR_OK ? fr_writer_result(lines) : result;
}
