// face_roots.c: faces followed back through the nodes that cuts added.

#include "cut/face_roots.h"
#include "base/hash.h"
#include "base/table.h"
#include <string.h>

/// Nodes before the cuts that a node comes from, ascending, and their shares.
typedef struct Origin {
    int32_t node[3], count;
    double share[3];
    bool inside; ///< of more than three: it lies on no face
} Origin;

static void add_share(Origin *o, int32_t node, double share) {
    int at = 0;
    while (at < o->count && o->node[at] < node) at++;
    if (at < o->count && o->node[at] == node) {
        o->share[at] += share;
        return;
    }
    if (o->count == 3) {
        o->inside = true;
        return;
    }
    for (int k = o->count++; k > at; k--) {
        o->node[k] = o->node[k - 1];
        o->share[k] = o->share[k - 1];
    }
    o->node[at] = node;
    o->share[at] = share;
}

static void trace(const FrCutLog *log, int32_t node, double share, Origin *o) {
    if (node < log->first_node) {
        add_share(o, node, share);
        return;
    }
    const FrNewNode *from = &log->nodes[node - log->first_node];
    if (from->a == from->b) {
        trace(log, from->a, share, o);
        return;
    }
    trace(log, from->a, (1.0 - from->t) * share, o);
    trace(log, from->b, from->t * share, o);
}

/// Three nodes of a face, ascending.
typedef struct Key {
    int32_t node[3];
} Key;

static Key key_of(const int32_t tri[3]) {
    Key k = {{tri[0], tri[1], tri[2]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (k.node[j] > k.node[j + 1]) {
                int32_t low = k.node[j + 1];
                k.node[j + 1] = k.node[j];
                k.node[j] = low;
            }
    return k;
}

static uint64_t hash_of(const Key *key) { return fr_hash_of(key, sizeof *key, 0); }

static FrResult list_faces(FrContext *ctx, const FrSurface *was, FrTable *table) {
    if (!fr_table_reserve(ctx, table, was->tri_count)) return fr_no_memory(ctx, "faces");
    for (int32_t k = 0; k < was->tri_count; k++) {
        Key key = key_of(was->tri[k]);
        (void)fr_table_add(table, hash_of(&key), k);
    }
    return FR_OK;
}

// the nodes before the cuts that the corners of a face come from are those of the face it lies on
static bool find_root(const FrCutLog *log, const FrSurface *was, const FrTable *table,
                      const int32_t tri[3], FrFaceRoot *root) {
    Origin all = {0}, corner[3] = {0};
    for (int i = 0; i < 3; i++) {
        trace(log, tri[i], 1.0, &corner[i]);
        for (int k = 0; k < corner[i].count; k++) add_share(&all, corner[i].node[k], 0.0);
        all.inside = all.inside || corner[i].inside;
    }
    if (all.inside || all.count < 3) return false;
    Key key = key_of(all.node), found;
    int32_t k = fr_table_find(table, hash_of(&key));
    if (k < 0) return false;
    found = key_of(was->tri[k]);
    if (memcmp(&found, &key, sizeof key) != 0) return false;
    root->tri = k;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            root->w[i][j] = 0.0;
            for (int n = 0; n < corner[i].count; n++)
                if (corner[i].node[n] == was->tri[k][j]) root->w[i][j] = corner[i].share[n];
        }
    return true;
}

FrResult fr_face_roots(FrContext *ctx, const FrCutLog *log, const FrSurface *was,
                       const FrSurface *now, FrFaceRoot *root) {
    FrTable table = {0};
    FrResult result = list_faces(ctx, was, &table);
    for (int32_t k = 0; k < now->tri_count && result == FR_OK; k++) {
        root[k] = (FrFaceRoot){.tri = -1};
        if (now->opened[k] < 0.0 && !find_root(log, was, &table, now->tri[k], &root[k]))
            result = fr_fail(ctx, FR_BAD_USE, "face %d is on no face from before the cuts", k);
    }
    fr_table_free(ctx, &table);
    return result;
}
