// touching_tets.c: which tets of a body can touch something, and which are too near each other to.

#include "contact/contact_scene.h"
#include <string.h>

// corners of the face opposite corner i
static const int face_corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void sort3(int32_t n[3]) {
    for (int k = 0; k < 3; k++) {
        int i = k == 1 ? 1 : 0;
        if (n[i] > n[i + 1]) {
            int32_t swap = n[i];
            n[i] = n[i + 1], n[i + 1] = swap;
        }
    }
}

static void face_nodes(const FrShapeView *view, int32_t face, int32_t n[3]) {
    for (int k = 0; k < 3; k++) n[k] = view->tet[face >> 2][face_corner[face & 3][k]];
    sort3(n);
}

static uint64_t mix(uint64_t x) {
    x ^= x >> 32, x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32, x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static bool same_face(const FrShapeView *view, int32_t x, const int32_t n[3]) {
    int32_t m[3];
    face_nodes(view, x, m);
    return m[0] == n[0] && m[1] == n[1] && m[2] == n[2];
}

// bit i of mask[e]: face i of tet e has no tet on its other side
static FrResult find_open_faces(FrContext *ctx, const FrShapeView *view, uint8_t *mask) {
    uint64_t room = 16;
    while (room < 8 * (uint64_t)view->tet_count) room *= 2;
    int32_t *table = FR_NEW(ctx, int32_t, room); // face + 1
    if (!table) return fr_no_memory(ctx, "the surface of a body");
    memset(mask, 0, (size_t)view->tet_count);
    for (int32_t face = 0; face < 4 * view->tet_count; face++) {
        int32_t n[3];
        face_nodes(view, face, n);
        uint64_t at = mix((uint64_t)(uint32_t)n[0] << 32 | (uint32_t)n[1]);
        at = mix(at ^ (uint32_t)n[2]) & (room - 1);
        while (table[at] && !same_face(view, table[at] - 1, n)) at = (at + 1) & (room - 1);
        int32_t twin = table[at] - 1;
        if (twin >= 0) {
            mask[twin >> 2] &= (uint8_t) ~(1u << (twin & 3));
            continue;
        }
        table[at] = face + 1;
        mask[face >> 2] |= (uint8_t)(1u << (face & 3));
    }
    fr_free(ctx, table);
    return FR_OK;
}

static FrResult reserve_all(FrContext *ctx, FrContactBody *body, int32_t count) {
    if (count <= body->all_capacity) return FR_OK;
    count = fr_max_i(count, body->all_capacity + body->all_capacity / 2);
    fr_free(ctx, body->leaf_tet), body->leaf_tet = FR_NEW(ctx, int32_t, count);
    fr_free(ctx, body->leaf_of), body->leaf_of = FR_NEW(ctx, int32_t, count);
    fr_free(ctx, body->leaf_node);
    body->leaf_node = fr_alloc_zero(ctx, (size_t)count, sizeof *body->leaf_node);
    fr_free(ctx, body->leaf_faces), body->leaf_faces = FR_NEW(ctx, uint8_t, count);
    fr_free(ctx, body->leaf_owns), body->leaf_owns = FR_NEW(ctx, uint8_t, count);
    fr_free(ctx, body->frame), body->frame = FR_NEW(ctx, FrClipTet, count);
    fr_free(ctx, body->framed), body->framed = FR_NEW(ctx, int64_t, count);
    body->all_capacity = 0;
    if (!body->leaf_tet || !body->leaf_of || !body->leaf_node || !body->leaf_faces ||
        !body->leaf_owns || !body->frame || !body->framed)
        return fr_no_memory(ctx, "the tets of a body");
    body->all_capacity = count;
    return FR_OK;
}

static FrResult reserve_leaves(FrContext *ctx, FrContactBody *body, int32_t count) {
    if (count > body->leaf_capacity) {
        count = fr_max_i(count, body->leaf_capacity + body->leaf_capacity / 2);
        fr_free(ctx, body->leaf_dirty), body->leaf_dirty = FR_NEW(ctx, uint8_t, count);
        fr_free(ctx, body->leaf_changed), body->leaf_changed = FR_NEW(ctx, uint32_t, count);
        fr_free(ctx, body->leaf_box), body->leaf_box = FR_NEW(ctx, FrBox, count);
        fr_free(ctx, body->leaf_travel), body->leaf_travel = FR_NEW(ctx, double, count);
        fr_free(ctx, body->leaf_due), body->leaf_due = FR_NEW(ctx, double, count);
        fr_free(ctx, body->leaf_moved), body->leaf_moved = FR_NEW(ctx, int64_t, count);
        body->leaf_capacity = 0;
        if (!body->leaf_dirty || !body->leaf_changed || !body->leaf_box || !body->leaf_travel ||
            !body->leaf_due || !body->leaf_moved)
            return fr_no_memory(ctx, "the surface tets of a body");
        body->leaf_capacity = count;
    }
    if (!fr_aabb_reserve(ctx, &body->tree, count)) return fr_no_memory(ctx, "a box tree");
    return FR_OK;
}

// nodes that are new begin to travel where they are now
static FrResult begin_travel(FrContext *ctx, FrContactBody *body, int64_t now) {
    int32_t old = body->moved2.count, more = body->view.node_count - old;
    if (more < 0) old = body->last.count = body->moved2.count = 0, more = body->view.node_count;
    if (!fr_array_extend(ctx, &body->last, 3 * more) ||
        !fr_array_extend(ctx, &body->moved2, more)) {
        body->last.count = body->moved2.count = 0;
        return fr_no_memory(ctx, "the nodes of a body");
    }
    for (int32_t n = old; n < body->view.node_count; n++)
        fr_set3(body->last.data, n, fr_get3(body->view.p, n));
    for (int32_t k = 0; k < body->leaf_count; k++) {
        body->leaf_travel[k] = body->leaf_due[k] = 0.0;
        body->leaf_moved[k] = now;
    }
    return FR_OK;
}

// each surface node belongs to the first leaf that has it on a surface face
static FrResult own_nodes(FrContext *ctx, FrContactBody *body) {
    uint8_t *seen = FR_NEW(ctx, uint8_t, body->view.node_count);
    if (!seen) return fr_no_memory(ctx, "the surface nodes of a body");
    for (int32_t k = 0; k < body->leaf_count; k++) {
        body->leaf_owns[k] = 0;
        for (int i = 0; i < 4; i++) {
            // corner i is on the surface when a face other than the opposite one is
            bool on_surface = body->leaf_faces[k] & ~(1u << i);
            int32_t node = body->leaf_node[k][i];
            if (!on_surface || seen[node]) continue;
            seen[node] = 1;
            body->leaf_owns[k] |= (uint8_t)(1u << i);
        }
    }
    fr_free(ctx, seen);
    return FR_OK;
}

static int32_t unique_sorted(int32_t *n, int32_t count) {
    for (int32_t k = 1; k < count; k++) { // short lists: insertion
        int32_t x = n[k], at = k;
        while (at > 0 && n[at - 1] > x) n[at] = n[at - 1], at--;
        n[at] = x;
    }
    int32_t kept = 0;
    for (int32_t k = 0; k < count; k++)
        if (k == 0 || n[k] != n[kept - 1]) n[kept++] = n[k];
    return kept;
}

// the nodes that share a tet with each node
static FrResult find_rings(FrContext *ctx, FrContactBody *body) {
    const FrShapeView *view = &body->view;
    FrRings *rings = &body->rings;
    fr_free(ctx, rings->start), fr_free(ctx, rings->node);
    rings->start = FR_NEW(ctx, int32_t, (size_t)view->node_count + 1);
    rings->node = FR_NEW(ctx, int32_t, 12 * (size_t)view->tet_count);
    int32_t *fill = FR_NEW(ctx, int32_t, (size_t)view->node_count + 1);
    if (!rings->start || !rings->node || !fill) {
        fr_free(ctx, fill);
        return fr_no_memory(ctx, "the neighbours of nodes");
    }
    for (int32_t e = 0; e < view->tet_count; e++)
        for (int i = 0; i < 4; i++) fill[view->tet[e][i] + 1] += 3;
    for (int32_t n = 0; n < view->node_count; n++) fill[n + 1] += fill[n];
    memcpy(rings->start, fill, ((size_t)view->node_count + 1) * sizeof *fill);
    for (int32_t e = 0; e < view->tet_count; e++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                if (j != i) rings->node[fill[view->tet[e][i]]++] = view->tet[e][j];
    // sort, drop what came twice, close the gaps
    int32_t at = 0;
    for (int32_t n = 0; n < view->node_count; n++) {
        int32_t begin = rings->start[n], count = rings->start[n + 1] - begin;
        count = unique_sorted(rings->node + begin, count);
        memmove(rings->node + at, rings->node + begin, (size_t)count * sizeof *rings->node);
        rings->start[n] = at;
        at += count;
    }
    rings->start[view->node_count] = at;
    fr_free(ctx, fill);
    return FR_OK;
}

static void take_tet(FrContactBody *body, int32_t tet, uint8_t faces, int32_t at) {
    body->leaf_tet[at] = tet;
    body->leaf_of[tet] = at;
    memcpy(body->leaf_node[at], body->view.tet[tet], sizeof body->leaf_node[at]);
    body->leaf_faces[at] = faces;
    body->leaf_owns[at] = 0;
    body->framed[at] = -1;
}

// dust touches nothing
static bool gone(const FrShapeView *view, int32_t tet) { return view->gone && view->gone[tet]; }

static bool is_leaf(const FrShapeView *view, const uint8_t *mask, bool inside, int32_t tet) {
    return (inside || mask[tet]) && !gone(view, tet);
}

// the surface tets first, then the others, each ascending
static void take_leaves(FrContactBody *body, const uint8_t *mask, bool inside) {
    const FrShapeView *view = &body->view;
    int32_t at = 0;
    double sum = 0.0;
    for (int32_t e = 0; e < view->tet_count; e++) {
        if (!is_leaf(view, mask, inside, e)) continue;
        take_tet(body, e, mask[e], at++);
        for (int i = 0; i < 4; i++)
            sum += fr_distance(fr_get3(view->p, view->tet[e][i]),
                               fr_get3(view->p, view->tet[e][(i + 1) & 3]));
    }
    body->leaf_count = at;
    body->edge = at ? sum / (4.0 * at) : 0.0;
    for (int32_t e = 0; e < view->tet_count; e++)
        if (!is_leaf(view, mask, inside, e)) take_tet(body, e, 0, at++);
}

static FrResult check_view(FrContext *ctx, const FrShapeView *view) {
    if (view->tet_count < 0 || view->tet_count > INT32_MAX / 12)
        return fr_fail(ctx, FR_BAD_INPUT, "a body with %d tets; at most %d", view->tet_count,
                       INT32_MAX / 12);
    for (int32_t e = 0; e < view->tet_count; e++)
        for (int i = 0; i < 4; i++)
            if (view->tet[e][i] < 0 || view->tet[e][i] >= view->node_count)
                return fr_fail(ctx, FR_BAD_INPUT, "tet %d has node %d; nodes are 0 to %d", e,
                               view->tet[e][i], view->node_count - 1);
    return FR_OK;
}

static FrResult make_leaves(FrContactScene *scene, FrContactBody *body, const uint8_t *mask) {
    FrContext *ctx = scene->ctx;
    const FrShapeView *view = &body->view;
    int32_t count = 0;
    for (int32_t e = 0; e < view->tet_count; e++) count += is_leaf(view, mask, scene->whole, e);
    body->leaf_count = 0;
    FR_TRY(reserve_all(ctx, body, view->tet_count));
    FR_TRY(reserve_leaves(ctx, body, count));
    take_leaves(body, mask, scene->whole);
    FR_TRY(begin_travel(ctx, body, scene->stats.detections));
    if (scene->options.node_penetration) {
        FR_TRY(own_nodes(ctx, body));
        fr_free(ctx, body->node_area);
        body->node_area = FR_NEW(ctx, double, view->node_count);
        if (!body->node_area) return fr_no_memory(ctx, "the surface nodes of a body");
    }
    return body->self_contact ? find_rings(ctx, body) : FR_OK;
}

FrResult fr_contact_leaves(FrContactScene *scene, FrContactBody *body) {
    FrContext *ctx = scene->ctx;
    FR_TRY(check_view(ctx, &body->view));
    uint8_t *mask = FR_NEW(ctx, uint8_t, body->view.tet_count);
    if (!mask) return fr_no_memory(ctx, "the surface of a body");
    FrResult result = find_open_faces(ctx, &body->view, mask);
    if (result == FR_OK) result = make_leaves(scene, body, mask);
    fr_free(ctx, mask);
    return result;
}

void fr_contact_body_free(FrContext *ctx, FrContactBody *body) {
    FR_FREE_ALL(ctx, body->leaf_tet, body->leaf_of, body->leaf_node, body->leaf_faces,
                body->leaf_owns, body->leaf_dirty, body->leaf_changed, body->leaf_box,
                body->leaf_travel, body->leaf_due, body->leaf_moved);
    fr_array_free(ctx, &body->last);
    fr_array_free(ctx, &body->moved2);
    FR_FREE_ALL(ctx, body->frame, body->framed, body->rings.start, body->rings.node,
                body->node_area);
    fr_aabb_free(ctx, &body->tree);
    fr_array_free(ctx, &body->fresh);
    fr_array_free(ctx, &body->touched);
    fr_array_free(ctx, &body->old.tet);
    fr_array_free(ctx, &body->old.travel);
    fr_array_free(ctx, &body->old.box);
    fr_array_free(ctx, &body->old.changed);
    fr_array_free(ctx, &body->old.now);
}

// one of four nodes in the ring of n? Rings are short: comparing all, without branches, is faster
// than searching
static bool meets_ring(const FrRings *rings, int32_t n, const int32_t other[4]) {
    int32_t a = other[0], b = other[1], c = other[2], d = other[3], hits = 0;
    for (int32_t k = rings->start[n]; k < rings->start[n + 1]; k++) {
        int32_t m = rings->node[k];
        hits |= (m == a) | (m == b) | (m == c) | (m == d);
    }
    return hits != 0;
}

bool fr_contact_as_one(const FrContactBody *body, int32_t leaf_a, int32_t leaf_b) {
    const int32_t *rigid = body->view.rigid;
    if (!rigid) return false;
    int32_t a = rigid[body->leaf_tet[leaf_a]], b = rigid[body->leaf_tet[leaf_b]];
    return a > 0 && a == b;
}

bool fr_contact_neighbours(const FrContactBody *body, int32_t leaf_a, int32_t leaf_b) {
    const int32_t *a = body->leaf_node[leaf_a], *b = body->leaf_node[leaf_b];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (a[i] == b[j]) return true;
    for (int i = 0; i < 4; i++)
        if (meets_ring(&body->rings, a[i], b)) return true;
    return false;
}
