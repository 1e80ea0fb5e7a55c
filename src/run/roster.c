// roster.c: a world's view, spread out so that a body's place is its number.

#include "run/roster.h"
#include "base/base.h"
#include "math/vec.h"

static int32_t number_of(const FrBodyView *body) { return body->id.index1 - 1; }

bool fr_roster_reserve(FrContext *ctx, FrRoster *r, int32_t count) {
    int32_t more = fr_max_i(count - r->body.count, 0);
    return fr_array_extend(ctx, &r->body, more) && fr_array_extend(ctx, &r->frame, more) &&
           fr_array_extend(ctx, &r->nodes, more) && fr_array_extend(ctx, &r->cuts, more);
}

// names and meshes of what is gone are gone, too
static FrBodyView left_of(const FrBodyView *body, int32_t number) {
    return (FrBodyView){
        .id = {number + 1}, .name = "", .model = "", .kind = body->kind, .rigid = body->rigid};
}

const FrFrameView *fr_roster_view(FrContext *ctx, FrRoster *r, const FrFrameView *from) {
    int32_t count = 0;
    for (int32_t k = 0; k < from->body_count; k++)
        count = fr_max_i(count, number_of(&from->body[k]) + 1);
    if (!fr_roster_reserve(ctx, r, count)) return NULL;
    for (int32_t k = 0; k < r->body.count; k++) {
        r->frame.data[k] = (FrBodyFrame){.rotation = fr_quat_identity};
        r->body.data[k] = left_of(&r->body.data[k], k);
    }
    for (int32_t k = 0; k < from->body_count; k++) {
        int32_t number = number_of(&from->body[k]);
        r->body.data[number] = from->body[k];
        r->frame.data[number] = from->frame[k];
    }
    r->view = (FrFrameView){from->tick, from->t, r->body.count, r->body.data, r->frame.data};
    return &r->view;
}

const int32_t *fr_roster_spread(FrRoster *r, const FrFrameView *from, const int32_t *value,
                                int32_t *to) {
    for (int32_t k = 0; k < r->body.count; k++) to[k] = 0;
    for (int32_t k = 0; k < from->body_count; k++) to[number_of(&from->body[k])] = value[k];
    return to;
}

void fr_roster_free(FrContext *ctx, FrRoster *r) {
    fr_array_free(ctx, &r->body);
    fr_array_free(ctx, &r->frame);
    fr_array_free(ctx, &r->nodes);
    fr_array_free(ctx, &r->cuts);
}
