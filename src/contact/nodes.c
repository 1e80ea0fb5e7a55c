// nodes.c: S2's criterion: a node inside a tet of the other body, and how deep under the surface it
// came through [S2 s. 3.3, M11].

#include "contact/contact_scene.h"

// S2 lets the force be proportional to the depth of the node. Here the depth times the surface that
// the node stands for is taken as the volume, so that the constants of the overlap criterion serve
// both, and the answer does not depend on the mesh.
static void set_depth(FrContact *c, FrVec3 n, double depth, double area) {
    c->n = n;
    c->depth = depth;
    c->area = area;
    c->volume = depth * area;
    c->area_normal = fr_scale(area, n);
}

static FrContact node_contact(const FrContactPair *pair, bool swapped, const FrContactBody *body,
                              int32_t leaf, int corner) {
    int32_t node = body->leaf_node[leaf][corner];
    FrContact c = {.a = swapped ? pair->b : pair->a, .b = swapped ? pair->a : pair->b};
    c.pa.tet = body->leaf_tet[leaf];
    c.pa.b[corner] = 1.0;
    c.x = fr_get3(body->view.p, node);
    c.key = fr_contact_key(c.a, c.b, node, -1);
    return c;
}

// the surface face of this tet that the node is nearest to
static bool entered_face(const FrContactBody *body, int32_t leaf, FrVec3 x, FrVec3 *n,
                         double *depth) {
    const FrClipTet *tet = &body->frame[leaf];
    *depth = HUGE_VAL;
    *n = fr_vec3_zero;
    for (int face = 0; face < 4; face++) {
        FrClipPlane plane = fr_clip_tet_face(tet, face);
        double inside = plane.c - fr_dot(plane.n, x), len = fr_length(plane.n);
        if (!(inside >= 0.0)) return false;
        if (!(tet->open >> face & 1) || !(inside < *depth * len)) continue;
        *depth = inside / len;
        *n = fr_scale(1.0 / len, plane.n);
    }
    return *depth > 0.0 && isfinite(*depth);
}

// the reaction is spread over the entered tet by the weights of the node's place in it: force and
// moment are exactly the negation of those on the node
static int32_t nodes_in_tet(const FrContactScene *scene, const FrContactPair *pair, bool swapped,
                            int32_t leaf_a, int32_t leaf_b, FrContact *out) {
    const FrContactItem *ia = &scene->item.data[swapped ? pair->b : pair->a];
    const FrContactItem *ib = &scene->item.data[swapped ? pair->a : pair->b];
    const FrContactBody *a = &ia->body, *b = &ib->body;
    int32_t count = 0;
    if (!(b->frame[leaf_b].volume > 0.0)) return 0;
    for (int i = 0; i < 4; i++) {
        if (!(a->leaf_owns[leaf_a] >> i & 1)) continue;
        FrVec3 n, x = fr_get3(a->view.p, a->leaf_node[leaf_a][i]);
        double depth;
        if (!fr_box_contains(b->frame[leaf_b].box, x) || !entered_face(b, leaf_b, x, &n, &depth))
            continue;
        FrContact *c = &out[count++];
        *c = node_contact(pair, swapped, a, leaf_a, i);
        c->pb.tet = b->leaf_tet[leaf_b];
        fr_clip_tet_weights(&b->frame[leaf_b], x, c->pb.b);
        // nodes of both sides are tested: each stands for half
        set_depth(c, n, depth, 0.5 * a->node_area[a->leaf_node[leaf_a][i]]);
    }
    return count;
}

static int32_t nodes_in_shape(const FrContactScene *scene, const FrContactPair *pair, int32_t leaf,
                              FrContact *out) {
    const FrContactBody *a = &scene->item.data[pair->a].body;
    const FrContactItem *b = &scene->item.data[pair->b];
    int32_t count = 0;
    for (int i = 0; i < 4; i++) {
        if (!(a->leaf_owns[leaf] >> i & 1)) continue;
        FrVec3 x = fr_get3(a->view.p, a->leaf_node[leaf][i]), r = fr_sub(x, b->centre);
        bool plane = b->kind == FR_ITEM_PLANE;
        double depth = plane ? b->offset - fr_dot(b->normal, x) : b->radius - fr_length(r);
        if (!(depth > 0.0)) continue;
        FrVec3 n = plane ? b->normal : fr_normalize(r);
        if (!(fr_length2(n) > 0.0)) n = fr_vec3(0.0, 0.0, 1.0);
        FrContact *c = &out[count++];
        *c = node_contact(pair, false, a, leaf, i);
        FrVec3 at = plane ? x : r;
        FrPoint on_shape = {-1, {at.x, at.y, at.z, 0.0}};
        c->pb = on_shape;
        set_depth(c, n, depth, a->node_area[a->leaf_node[leaf][i]]);
    }
    return count;
}

int32_t fr_contact_nodes(const FrContactScene *scene, const FrContactPair *pair, uint64_t candidate,
                         FrContact *out) {
    int32_t leaf_a = (int32_t)(candidate >> 32), leaf_b = (int32_t)(uint32_t)candidate;
    if (scene->item.data[pair->b].kind != FR_ITEM_BODY)
        return nodes_in_shape(scene, pair, leaf_a, out);
    int32_t count = nodes_in_tet(scene, pair, false, leaf_a, leaf_b, out);
    return count + nodes_in_tet(scene, pair, true, leaf_b, leaf_a, out + count);
}
