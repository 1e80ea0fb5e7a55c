// member.h: bodies of a group, and what of a body bends. For world/*.c alone.
#pragma once
#include "world/world.h"

static inline FrBody *member(const FrWorld *w, const FrGroup *group, int32_t k) {
    return &w->body.data[w->group_body.data[group->first + k]];
}

/// NULL: it is a frame.
static inline FrFem *solid_of(const FrBody *body) {
    return body->model == FR_MODEL_FEM ? fr_model_fem_solid(body->state) : NULL;
}
