// fields.c: how near nodes are to breaking, plastic strain, and how warm they are, as recordings
// keep them.

#include "world/fields.h"
#include "world/member.h"

static bool any_plastic(const FrBody *body, int32_t tets) {
    if (!body->ops->solid->yields(body->state)) return false;
    for (int32_t e = 0; e < tets; e++) {
        FrSym3 E = body->ops->solid->plastic_strain(body->state, e);
        if (fr_sym3_dot(E, E) > 0.0) return true;
    }
    return false;
}

FrResult fr_world_loads(FrWorld *w, const FrBody *body, int32_t nodes, float *load) {
    FrFields *f = &w->shown.fields;
    f->load.count = 0;
    if (!fr_array_extend(w->ctx, &f->load, nodes)) return fr_no_memory(w->ctx, "what nodes bear");
    body->ops->breaks->node_loads(body->state, f->load.data);
    for (int32_t n = 0; n < nodes; n++) load[n] = (float)f->load.data[n];
    return FR_OK;
}

static FrResult add_loads(FrWorld *w, const FrBody *body, int32_t nodes) {
    FrFields *f = &w->shown.fields;
    if (!fr_array_reserve(w->ctx, &f->value, nodes)) return fr_no_memory(w->ctx, "what nodes bear");
    f->value.count += nodes;
    return fr_world_loads(w, body, nodes, f->value.data + f->value.count - nodes);
}

static FrResult add_plastic(FrWorld *w, const FrBody *body, int32_t tets) {
    FrFields *f = &w->shown.fields;
    if (!fr_array_reserve(w->ctx, &f->value, 6 * tets))
        return fr_no_memory(w->ctx, "plastic strains");
    for (int32_t e = 0; e < tets; e++) {
        FrSym3 E = body->ops->solid->plastic_strain(body->state, e);
        const double part[6] = {E.xx, E.yy, E.zz, E.yz, E.zx, E.xy};
        for (int i = 0; i < 6; i++) f->value.data[f->value.count++] = (float)part[i];
    }
    return FR_OK;
}

// degrees C of its nodes; NULL: it does not get warm
static const double *temperature_of(const FrBody *body) {
    const FrSolidOps *solid = body->ops->solid;
    return solid->temperature ? solid->temperature(body->state) : NULL;
}

static FrResult add_warmth(FrWorld *w, const double *temperature, int32_t nodes) {
    FrFields *f = &w->shown.fields;
    if (!fr_array_reserve(w->ctx, &f->value, nodes)) return fr_no_memory(w->ctx, "temperatures");
    for (int32_t n = 0; n < nodes; n++) f->value.data[f->value.count++] = (float)temperature[n];
    return FR_OK;
}

FrResult fr_world_fields(FrWorld *w) {
    FR_ASSERT_IN(w->ctx, w->shown.body_frame.count >= w->body.count,
                 "look at the world before its fields");
    w->shown.fields.value.count = 0;
    for (int pass = 0; pass < 2; pass++) { // the second one knows where the numbers are
        int32_t at = 0;
        for (int32_t k = 0; k < w->body.count; k++) {
            const FrBody *body = &w->body.data[k];
            FrBodyFrame *frame = &w->shown.body_frame.data[k];
            if (!body->ops->solid) continue;
            FrShapeView view;
            body->ops->view(body->state, &view);
            bool breaks = breaking_of(body), flowed = any_plastic(body, view.tet_count);
            if (pass == 0 && breaks) FR_TRY(add_loads(w, body, view.node_count));
            const double *warm = temperature_of(body);
            if (pass == 0 && flowed) FR_TRY(add_plastic(w, body, view.tet_count));
            if (pass == 0 && warm) FR_TRY(add_warmth(w, warm, view.node_count));
            frame->load = pass && breaks ? w->shown.fields.value.data + at : NULL;
            at += breaks ? view.node_count : 0;
            frame->plastic = pass && flowed ? w->shown.fields.value.data + at : NULL;
            at += flowed ? 6 * view.tet_count : 0;
            frame->warmth = pass && warm ? w->shown.fields.value.data + at : NULL;
            at += warm ? view.node_count : 0;
        }
    }
    return FR_OK;
}

int32_t fr_world_boxes(const FrWorld *w, int32_t depth, FrBox *box, int32_t room) {
    int32_t count = 0;
    for (int32_t k = 0; k < w->body.count; k++)
        count += fr_contact_boxes(w->scene, w->body.data[k].item, depth, box + count, room - count);
    return count;
}
