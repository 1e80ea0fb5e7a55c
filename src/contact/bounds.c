// bounds.c: boxes grown by velocity, and the check each step that nothing left its box
// [S6 eq. 5.1, 5.2; M9].

#include "contact/contact_scene.h"
#include "base/tasks.h"
#include <string.h>

// bound_max = max over nodes and gamma in [0, horizon] of p + gamma v, + skin     [S6 eq. 5.1]
// bound_min likewise                                                              [S6 eq. 5.2]
// p + gamma v is linear in gamma: the extremes are at the two ends.
FrBox fr_contact_grown_leaf(const FrContactBody *body, int32_t leaf, double horizon, double skin) {
    FrBox box = fr_box_empty();
    for (int i = 0; i < 4; i++) {
        int32_t node = body->leaf_node[leaf][i];
        FrVec3 p = fr_get3(body->view.p, node), v = fr_get3(body->view.v, node);
        box = fr_box_add(fr_box_add(box, p), fr_axpy(horizon, v, p));
    }
    return fr_box_grow(box, skin);
}

// the path of every leaf's fastest corner; what lies between the corners moves less
static void travel(FrContactBody *body, int64_t now) {
    const double *p = body->view.p;
    double *last = body->last.data, *moved2 = body->moved2.data;
    for (int32_t n = 0; n < body->view.node_count; n++)
        moved2[n] = fr_length2(fr_sub(fr_get3(p, n), fr_get3(last, n)));
    memcpy(last, p, 3 * (size_t)body->view.node_count * sizeof *last);
    for (int32_t k = 0; k < body->leaf_count; k++) {
        const int32_t *n = body->leaf_node[k];
        double most =
            fr_max(fr_max(moved2[n[0]], moved2[n[1]]), fr_max(moved2[n[2]], moved2[n[3]]));
        if (!(most > 0.0)) continue;
        body->leaf_travel[k] += sqrt(most);
        body->leaf_moved[k] = now;
    }
}

// how far the corners of a leaf are from the sides of its box, m; below 0: it left it
static double room_in_box(const FrContactBody *body, int32_t leaf) {
    const FrBox *box = &body->leaf_box[leaf];
    double room = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        const double *x = body->view.p + 3 * (size_t)body->leaf_node[leaf][i];
        double lo = fr_min(fr_min(x[0] - box->lo.x, x[1] - box->lo.y), x[2] - box->lo.z);
        double hi = fr_min(fr_min(box->hi.x - x[0], box->hi.y - x[1]), box->hi.z - x[2]);
        room = fr_min(room, fr_min(lo, hi));
    }
    return room;
}

// Which leaves left their boxes. One that travelled less than the room it had is still inside.
static int32_t find_dirty(FrContactBody *body) {
    int32_t count = 0;
    for (int32_t k = 0; k < body->leaf_count; k++) {
        body->leaf_dirty[k] = 0;
        if (body->leaf_travel[k] < body->leaf_due[k]) continue;
        double room = room_in_box(body, k);
        body->leaf_due[k] = body->leaf_travel[k] + FR_SURE * room;
        body->leaf_dirty[k] = !(room >= 0.0);
        count += body->leaf_dirty[k];
    }
    return count;
}

// Those that will leave them soon go along, so that boxes change seldom and many at a time. Returns
// how many are dirty now.
static int32_t find_soon_dirty(FrContactBody *body, double ahead) {
    int32_t count = 0;
    for (int32_t k = 0; k < body->leaf_count; k++) {
        bool in = true;
        for (int i = 0; i < 4; i++) {
            int32_t n = body->leaf_node[k][i];
            FrVec3 x = fr_axpy(ahead, fr_get3(body->view.v, n), fr_get3(body->view.p, n));
            in &= fr_box_contains(body->leaf_box[k], x);
        }
        body->leaf_dirty[k] |= !in;
        count += body->leaf_dirty[k];
    }
    return count;
}

static void grow_all(FrContactScene *scene, FrContactBody *body) {
    double skin = scene->options.skin * body->edge;
    body->version++;
    for (int32_t k = 0; k < body->leaf_count; k++) {
        body->leaf_box[k] = fr_contact_grown_leaf(body, k, scene->dt_growth, skin);
        body->leaf_changed[k] = body->version;
        body->leaf_due[k] = 0.0;
    }
}

static void grow_dirty(FrContactScene *scene, FrContactBody *body) {
    double skin = scene->options.skin * body->edge;
    body->version++;
    for (int32_t k = 0; k < body->leaf_count; k++) {
        if (!body->leaf_dirty[k]) continue;
        body->leaf_box[k] = fr_contact_grown_leaf(body, k, scene->dt_growth, skin);
        body->leaf_changed[k] = body->version;
        body->leaf_due[k] = 0.0;
    }
}

static void mend_tree(FrContactBody *body) {
    for (int32_t k = 0; k < body->leaf_count; k++)
        if (body->leaf_dirty[k]) fr_aabb_update(&body->tree, k, body->leaf_box[k]);
}

// a third of each surface triangle to each of its corners, at the present positions
static void spread_areas(FrContactBody *body) {
    static const int corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    memset(body->node_area, 0, (size_t)body->view.node_count * sizeof *body->node_area);
    for (int32_t k = 0; k < body->leaf_count; k++)
        for (int f = 0; f < 4; f++) {
            if (!(body->leaf_faces[k] >> f & 1)) continue;
            int32_t n[3];
            FrVec3 x[3];
            for (int i = 0; i < 3; i++) {
                n[i] = body->leaf_node[k][corner[f][i]];
                x[i] = fr_get3(body->view.p, n[i]);
            }
            double area = 0.5 * fr_length(fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
            for (int i = 0; i < 3; i++) body->node_area[n[i]] += area / 3.0;
        }
}

typedef enum Renewal { KEPT, UPDATED, REFITTED, BUILT } Renewal;

// build, refit or mend the tree, as little as will do
static Renewal refresh_tree(FrContactScene *scene, FrContactBody *body) {
    if (body->age < 0 || body->age >= scene->options.rebuild_every) {
        grow_all(scene, body);
        fr_aabb_build(&body->tree, body->leaf_box, body->leaf_count);
        body->age = 1;
        return BUILT;
    }
    if (body->age == 0) { // some leaves are new
        body->age = 1;
        find_dirty(body);
        grow_dirty(scene, body);
        fr_aabb_build(&body->tree, body->leaf_box, body->leaf_count);
        return BUILT;
    }
    body->age++;
    int32_t dirty = find_dirty(body);
    if (!dirty) return KEPT;
    dirty = find_soon_dirty(body, 0.5 * scene->dt_growth);
    if (dirty > body->leaf_count / 8) {
        grow_all(scene, body);
        fr_aabb_refit(&body->tree, body->leaf_box);
        return REFITTED;
    }
    grow_dirty(scene, body);
    mend_tree(body);
    return UPDATED;
}

static void refresh_body(FrContactScene *scene, FrContactItem *item, uint8_t *renewal) {
    travel(&item->body, scene->stats.detections);
    *renewal = (uint8_t)refresh_tree(scene, &item->body);
    item->box = fr_aabb_bounds(&item->body.tree);
    item->body.centre = fr_box_center(item->box);
    if (scene->options.node_penetration) spread_areas(&item->body);
}

static FrBox ball_box(FrVec3 centre, double radius) {
    FrBox box = {centre, centre};
    return fr_box_grow(box, radius);
}

static FrBox grown_ball(const FrContactItem *item, double horizon) {
    return fr_box_union(ball_box(item->centre, item->radius),
                        ball_box(fr_axpy(horizon, item->velocity, item->centre), item->radius));
}

static void refresh_sphere(FrContactScene *scene, FrContactItem *item) {
    FrBox now = ball_box(item->centre, item->radius);
    if (fr_length2(fr_sub(item->centre, item->last)) > 0.0) item->moved = scene->stats.detections;
    item->last = item->centre;
    if (item->version && fr_box_contains(item->box, now.lo) && fr_box_contains(item->box, now.hi))
        return;
    item->box = fr_box_grow(grown_ball(item, scene->dt_growth), scene->options.skin * item->radius);
    item->version++;
}

typedef struct Refresh {
    FrContactScene *scene;
    const int32_t *items;
    uint8_t *renewal; ///< (item count)
} Refresh;

static void refresh_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    Refresh *run = arg;
    for (int32_t k = begin; k < end; k++) {
        FrContactItem *item = &run->scene->item.data[run->items[k]];
        if (item->kind == FR_ITEM_BODY)
            refresh_body(run->scene, item, &run->renewal[k]);
        else if (item->kind == FR_ITEM_SPHERE)
            refresh_sphere(run->scene, item);
    }
}

FrResult fr_contact_refresh(FrContactScene *scene, const int32_t *items, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        FrContactItem *item = &scene->item.data[items[k]];
        if (item->kind == FR_ITEM_BODY && item->body.stale)
            FR_TRY(fr_contact_renew(scene, items[k]));
        if (item->kind == FR_ITEM_BODY && item->body.stiffer)
            fr_contact_drop_rigid(scene, items[k]);
    }
    scene->in_call.count = 0;
    if (!fr_array_extend(scene->ctx, &scene->in_call, count))
        return fr_no_memory(scene->ctx, "contact items");
    Refresh run = {scene, items, scene->in_call.data};
    fr_parallel_for(scene->ctx, count, 1, refresh_range, &run);
    for (int32_t k = 0; k < count; k++) {
        scene->stats.rebuilds += run.renewal[k] == BUILT;
        scene->stats.refits += run.renewal[k] == REFITTED || run.renewal[k] == UPDATED;
    }
    return FR_OK;
}

FrBox fr_contact_bounds(const FrContactScene *scene, int32_t item, double horizon) {
    FR_ASSERT_IN(scene->ctx, item >= 0 && item < scene->item.count,
                 "an item that fr_contact_add_... gave");
    const FrContactItem *it = &scene->item.data[item];
    if (it->kind == FR_ITEM_SPHERE) return grown_ball(it, horizon);
    FrBox box = fr_box_empty();
    if (it->kind == FR_ITEM_PLANE) {
        FrBox all = {box.hi, box.lo};
        return all;
    }
    const FrShapeView *view = &it->body.view;
    for (int32_t n = 0; n < view->node_count; n++) {
        FrVec3 p = fr_get3(view->p, n);
        box = fr_box_add(fr_box_add(box, p), fr_axpy(horizon, fr_get3(view->v, n), p));
    }
    return box;
}

static FrBox swept(const FrShapeView *view, int32_t n, double horizon) {
    FrVec3 p = fr_get3(view->p, n), to = fr_axpy(horizon, fr_get3(view->v, n), p);
    return fr_box_add(fr_box_add(fr_box_empty(), p), to);
}

// the sides of a region that a box lies beyond, bit each
static uint8_t sides_beyond(FrBox box, FrBox region) {
    return (uint8_t)((box.lo.x > region.hi.x) | (box.hi.x < region.lo.x) << 1 |
                     (box.lo.y > region.hi.y) << 2 | (box.hi.y < region.lo.y) << 3 |
                     (box.lo.z > region.hi.z) << 4 | (box.hi.z < region.lo.z) << 5);
}

// a tet reaches into the region where no side has all of its corners beyond
FrBox fr_contact_bounds_in(const FrContactScene *scene, int32_t item, double horizon, FrBox region,
                           uint8_t *beyond) {
    FR_ASSERT_IN(scene->ctx, item >= 0 && item < scene->item.count,
                 "an item that fr_contact_add_... gave");
    const FrContactItem *it = &scene->item.data[item];
    if (it->kind != FR_ITEM_BODY) return fr_contact_bounds(scene, item, horizon);
    FrBox all = fr_box_empty();
    const FrShapeView *view = &it->body.view;
    for (int32_t n = 0; n < view->node_count; n++)
        beyond[n] = sides_beyond(swept(view, n, horizon), region);
    for (int32_t e = 0; e < view->tet_count; e++) {
        const int32_t *n = view->tet[e];
        if (beyond[n[0]] & beyond[n[1]] & beyond[n[2]] & beyond[n[3]]) continue;
        for (int i = 0; i < 4; i++) all = fr_box_union(all, swept(view, n[i], horizon));
    }
    return all;
}

static void add_boxes(const FrAabbTree *tree, int32_t node, int32_t depth, FrBox *box, int32_t room,
                      int32_t *count) {
    if (*count == room) return;
    int32_t right = tree->right[node];
    if (depth == 0 || right < 0) {
        box[(*count)++] = tree->box[node];
        return;
    }
    add_boxes(tree, node + 1, depth - 1, box, room, count);
    add_boxes(tree, right, depth - 1, box, room, count);
}

int32_t fr_contact_boxes(const FrContactScene *s, int32_t item, int32_t depth, FrBox *box,
                         int32_t room) {
    const FrContactItem *it = &s->item.data[item];
    int32_t count = 0;
    if (it->kind == FR_ITEM_BODY && it->body.tree.node_count)
        add_boxes(&it->body.tree, 0, depth, box, room, &count);
    return count;
}
