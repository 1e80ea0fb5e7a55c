// opened.c: sides of a fresh crack lie in the same place; they do not touch until they were apart.
//
// A node that was copied stays joined to the one it came from until the two have been some way
// apart. Tets with joined nodes are neighbours, as tets with a shared node are.

#include "contact/scene.h"

/// Two joined nodes are apart from this share of the mean edge on.
#define APART 0.02

FrResult fr_contact_follow(FrContactScene *scene, int32_t item, const FrCutLog *log) {
    FR_ASSERT(item >= 0 && item < scene->item.count && scene->item.data[item].kind == FR_ITEM_BODY,
              "follow the cuts of a body");
    FrContactBody *body = &scene->item.data[item].body;
    if (!body->self_contact) return FR_OK;
    int32_t before = body->joined.count, wanted = log->first_node + log->node_count;
    if (!before) body->part = APART * body->edge;
    if (!fr_array_extend(scene->ctx, &body->joined, wanted - before))
        return fr_no_memory(scene->ctx, "the sides of a crack");
    for (int32_t n = before; n < log->first_node; n++) body->joined.data[n] = n;
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *made = &log->nodes[k];
        int32_t n = log->first_node + k;
        bool copy = made->a == made->b;
        body->joined.data[n] = copy ? body->joined.data[made->a] : n;
        if (copy && !fr_array_push(scene->ctx, &body->closed, n))
            return fr_no_memory(scene->ctx, "the sides of a crack");
    }
    return FR_OK;
}

void fr_contact_part(FrContactBody *body) {
    int32_t kept = 0, *joined = body->joined.data;
    for (int32_t k = 0; k < body->closed.count; k++) {
        int32_t n = body->closed.data[k];
        double apart = fr_distance(fr_get3(body->view.p, n), fr_get3(body->view.p, joined[n]));
        if (apart > body->part)
            joined[n] = n;
        else
            body->closed.data[kept++] = n;
    }
    body->closed.count = kept;
}

bool fr_contact_joined(const FrContactBody *body, int32_t leaf_a, int32_t leaf_b) {
    if (!body->closed.count) return false;
    const int32_t *a = body->leaf_node[leaf_a], *b = body->leaf_node[leaf_b];
    const int32_t *joined = body->joined.data;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (joined[a[i]] == joined[b[j]]) return true;
    return false;
}

void fr_contact_joined_save(const FrContactBody *body, FrWriter *writer) {
    fr_write_f64(writer, body->part);
    fr_write_i32(writer, body->joined.count);
    fr_write_i32(writer, body->closed.count);
    for (int32_t k = 0; k < body->closed.count; k++) {
        fr_write_i32(writer, body->closed.data[k]);
        fr_write_i32(writer, body->joined.data[body->closed.data[k]]);
    }
}

FrResult fr_contact_joined_load(FrContactScene *scene, FrContactBody *body, FrReader *reader) {
    FrContext *ctx = scene->ctx;
    size_t at = reader->at;
    body->part = fr_read_f64(reader);
    int32_t nodes = fr_read_i32(reader), count = fr_read_i32(reader);
    if (reader->failed || !isfinite(body->part) || (nodes != 0 && nodes != body->view.node_count) ||
        count < 0 || count > nodes || (size_t)count > fr_reader_left(reader) / 8)
        return fr_fail(ctx, FR_BAD_INPUT,
                       "contact state, byte %zu: %d joined of %d nodes; the body has %d", at, count,
                       nodes, body->view.node_count);
    body->joined.count = body->closed.count = 0;
    if (!fr_array_extend(ctx, &body->joined, nodes) || !fr_array_extend(ctx, &body->closed, count))
        return fr_no_memory(ctx, "the sides of a crack");
    for (int32_t n = 0; n < nodes; n++) body->joined.data[n] = n;
    for (int32_t k = 0; k < count; k++) {
        int32_t n = fr_read_i32(reader), to = fr_read_i32(reader);
        if (n < 0 || n >= nodes || to < 0 || to >= nodes)
            return fr_fail(ctx, FR_BAD_INPUT,
                           "contact state, byte %zu: node %d joined to %d; nodes are 0 to %d",
                           reader->at - 8, n, to, nodes - 1);
        body->closed.data[k] = n;
        body->joined.data[n] = to;
    }
    return FR_OK;
}
