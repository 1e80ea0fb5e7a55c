// implicit.c: bodies that step implicitly, while their group takes substeps.

#include "world/member.h"

bool fr_world_all_implicit(const FrWorld *w, const FrGroup *group) {
    bool all = true;
    for (int32_t k = 0; k < group->count; k++)
        all = all && (member(w, group, k)->frame >= 0 || is_implicit(member(w, group, k)));
    return all;
}

void fr_world_predict(FrWorld *w, const FrGroup *group, double dt) {
    for (int32_t k = 0; k < group->count; k++) {
        const FrBody *body = member(w, group, k);
        if (is_implicit(body)) body->ops->predict(body->state, dt, w->gravity);
    }
}

// does the box reach below the plane?
static bool reaches(FrBox box, const FrPlane *plane) {
    FrVec3 n = plane->normal;
    FrVec3 low = {n.x > 0.0 ? box.lo.x : box.hi.x, n.y > 0.0 ? box.lo.y : box.hi.y,
                  n.z > 0.0 ? box.lo.z : box.hi.z};
    return fr_dot(n, low) < plane->offset;
}

bool fr_world_may_touch(const FrWorld *w, const FrGroup *group) {
    bool itself = member(w, group, 0)->ops->solid != NULL;
    return group->count > 1 || itself || fr_world_comes_near(w, group);
}

bool fr_world_comes_near(const FrWorld *w, const FrGroup *group) {
    bool any = false;
    FrBox box = fr_contact_bounds(w->scene, member(w, group, 0)->item, w->def.step);
    for (int32_t k = 0; !any && k < w->plane.count; k++) any = reaches(box, &w->plane.data[k]);
    for (int32_t k = 0; !any && k < w->body.count; k++)
        any = w->body.data[k].kinematic &&
              fr_box_overlaps(box, fr_contact_bounds(w->scene, w->body.data[k].item, w->def.step));
    return any;
}
