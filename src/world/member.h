// member.h: bodies of a group, and what they can do. For world/*.c alone.
#pragma once
#include "world/world.h"

static inline FrBody *member(const FrWorld *w, const FrGroup *group, int32_t k) {
    return &w->body.data[w->now.group_body.data[group->first + k]];
}

/// The body of a contact item; NULL: a plane.
static inline FrBody *body_of_item(const FrWorld *w, int32_t item) {
    int32_t body = w->item_body.data[item];
    return body < 0 ? NULL : &w->body.data[body];
}

/// NULL: it has no pieces of its own.
static inline const FrPieceOps *pieces_of(const FrBody *body) {
    return body ? body->ops->pieces : NULL;
}

/// How it breaks; NULL: it cannot.
static inline const FrBreakOps *breaking_of(const FrBody *body) {
    return body && body->cut ? body->ops->breaks : NULL;
}

static inline bool is_implicit(const FrBody *body) {
    return body->ops->stepping == FR_STEPS_IMPLICIT;
}
