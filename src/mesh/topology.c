// topology.c: incidence, face neighbours, edges, components of a tet mesh.

#include "mesh/topology.h"
#include "base/table.h"
#include <string.h>

bool fr_sort3(int32_t *v) {
    bool odd = false;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (v[k] > v[k + 1]) {
                int32_t t = v[k];
                v[k] = v[k + 1];
                v[k + 1] = t;
                odd = !odd;
            }
    return odd;
}

static void sorted_face(const FrTetMesh *mesh, int32_t face, int32_t *v) {
    const int8_t *corner = fr_tet_face[face & 3];
    for (int k = 0; k < 3; k++) v[k] = mesh->tet[face >> 2][corner[k]];
    fr_sort3(v);
}

// for every face (4 e + i): the first face with the same corners, and how many share them
typedef struct FaceMatch {
    int32_t *first; ///< (4 * tet_count)
    uint8_t *share; ///< at `first`; stops at 255
    int32_t *last;  ///< at `first`: the last face that joined
} FaceMatch;

static void face_match_free(FrContext *ctx, FaceMatch *match) {
    fr_free(ctx, match->first);
    fr_free(ctx, match->share);
    fr_free(ctx, match->last);
}

/// Faces by their smallest node: those that may be equal lie side by side, where a table of all
/// would be looked up all over memory.
typedef struct FaceGroups {
    int32_t *start; ///< of each node's faces (node_count + 1)
    int32_t *face;  ///< by node, in rising order (4 * tet_count)
    uint64_t *rest; ///< of each face there: its other two nodes (4 * tet_count)
    int32_t *slots; ///< a table for one node's faces: place + 1, 0: free
} FaceGroups;

static void face_groups_free(FrContext *ctx, FaceGroups *g) {
    FR_FREE_ALL(ctx, g->start, g->face, g->rest, g->slots);
}

static uint32_t slots_for(int32_t faces) {
    uint32_t slots = 16;
    while (slots < 2 * (uint32_t)faces) slots *= 2;
    return slots;
}

static FrResult group_faces(FrContext *ctx, const FrTetMesh *mesh, FaceGroups *g) {
    size_t faces = 4 * (size_t)mesh->tet_count;
    int32_t v[3], most = 0;
    g->start = FR_NEW(ctx, int32_t, (size_t)mesh->node_count + 1);
    g->face = FR_NEW(ctx, int32_t, faces);
    g->rest = FR_NEW(ctx, uint64_t, faces);
    if (!g->start || !g->face || !g->rest) return fr_no_memory(ctx, "the faces of a mesh");
    for (int32_t face = 0; face < (int32_t)faces; face++) {
        sorted_face(mesh, face, v);
        most = fr_max_i(most, ++g->start[v[0]]);
    }
    // start[n] becomes the end of list n, then filling backwards brings it to its beginning
    for (int32_t n = 1; n <= mesh->node_count; n++) g->start[n] += g->start[n - 1];
    for (int32_t face = (int32_t)faces - 1; face >= 0; face--) {
        sorted_face(mesh, face, v);
        int32_t place = --g->start[v[0]];
        g->face[place] = face;
        g->rest[place] = (uint64_t)v[1] << 32 | (uint64_t)v[2];
    }
    g->slots = FR_NEW(ctx, int32_t, slots_for(most));
    return g->slots ? FR_OK : fr_no_memory(ctx, "the faces of a mesh");
}

// the place of the first face of the group that has the same corners as the one at `place`
static int32_t first_alike(const FaceGroups *g, uint32_t mask, int32_t place) {
    uint32_t slot = (uint32_t)fr_mix64(g->rest[place]) & mask;
    for (; g->slots[slot]; slot = (slot + 1) & mask)
        if (g->rest[g->slots[slot] - 1] == g->rest[place]) return g->slots[slot] - 1;
    g->slots[slot] = place + 1;
    return place;
}

static void match_group(FaceGroups *g, int32_t n, FaceMatch *match) {
    uint32_t slot_count = slots_for(g->start[n + 1] - g->start[n]);
    memset(g->slots, 0, slot_count * sizeof *g->slots);
    for (int32_t place = g->start[n]; place < g->start[n + 1]; place++) {
        int32_t first = g->face[first_alike(g, slot_count - 1, place)];
        match->first[g->face[place]] = first;
        match->last[first] = g->face[place];
        if (match->share[first] < 255) match->share[first]++;
    }
}

static FrResult match_faces(FrContext *ctx, const FrTetMesh *mesh, FaceMatch *match) {
    FaceGroups groups = {0};
    size_t faces = 4 * (size_t)mesh->tet_count;
    *match = (FaceMatch){0};
    if (mesh->tet_count > (1 << 28)) return fr_fail(ctx, FR_BAD_USE, "over 2^28 tets");
    match->first = FR_NEW(ctx, int32_t, faces);
    match->share = FR_NEW(ctx, uint8_t, faces);
    match->last = FR_NEW(ctx, int32_t, faces);
    bool good = match->first && match->share && match->last;
    FrResult result =
        good ? group_faces(ctx, mesh, &groups) : fr_no_memory(ctx, "the faces of a mesh");
    for (int32_t n = 0; result == FR_OK && n < mesh->node_count; n++)
        match_group(&groups, n, match);
    face_groups_free(ctx, &groups);
    if (result != FR_OK) face_match_free(ctx, match);
    return result;
}

FrResult fr_tet_neighbours(FrContext *ctx, const FrTetMesh *mesh, int32_t (**across)[4]) {
    FaceMatch match;
    *across = NULL;
    FR_TRY(match_faces(ctx, mesh, &match));
    FrResult result = FR_OK;
    int32_t(*out)[4] = fr_alloc_zero(ctx, (size_t)mesh->tet_count, sizeof *out);
    if (!out) result = fr_no_memory(ctx, "tet neighbours");
    for (int32_t face = 0; result == FR_OK && face < 4 * mesh->tet_count; face++) {
        int32_t first = match.first[face];
        int32_t other = first == face ? match.last[face] : first;
        out[face >> 2][face & 3] = other == face ? -1 : other >> 2;
        if (match.share[first] > 2)
            result = fr_fail(ctx, FR_BAD_INPUT,
                             "a face of tet %d (from 0) is shared by %d tets, at most 2", face >> 2,
                             match.share[first]);
    }
    face_match_free(ctx, &match);
    if (result == FR_OK)
        *across = out;
    else
        fr_free(ctx, out);
    return result;
}

// tets a and b have the same corners
static bool same_corners(const FrTetMesh *mesh, int32_t a, int32_t b) {
    for (int i = 0; i < 4; i++) {
        bool found = false;
        for (int j = 0; j < 4; j++) found |= mesh->tet[a][i] == mesh->tet[b][j];
        if (!found) return false;
    }
    return true;
}

FrResult fr_tetmesh_face_counts(FrContext *ctx, const FrTetMesh *mesh, int32_t *duplicate_tets,
                                int32_t *crowded_faces) {
    *duplicate_tets = *crowded_faces = 0;
    FaceMatch match;
    FR_TRY(match_faces(ctx, mesh, &match));
    for (int32_t face = 0; face < 4 * mesh->tet_count; face++)
        *crowded_faces += match.first[face] == face && match.share[face] > 2;
    // a copy of an earlier tet shares all four faces with earlier ones
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t other = match.first[4 * e] >> 2;
        *duplicate_tets += other < e && same_corners(mesh, e, other);
    }
    face_match_free(ctx, &match);
    return FR_OK;
}

FrResult fr_tet_components(FrContext *ctx, const FrTetMesh *mesh, int32_t **component,
                           int32_t *component_count) {
    int32_t(*across)[4];
    *component = NULL;
    FR_TRY(fr_tet_neighbours(ctx, mesh, &across));
    int32_t *part = fr_alloc(ctx, (size_t)mesh->tet_count * sizeof(int32_t));
    int32_t *stack = FR_NEW(ctx, int32_t, mesh->tet_count);
    if (!part || !stack) {
        fr_free(ctx, across);
        fr_free(ctx, part);
        fr_free(ctx, stack);
        return fr_no_memory(ctx, "mesh components");
    }
    memset(part, 0xFF, (size_t)mesh->tet_count * sizeof(int32_t));
    int32_t parts = 0;
    for (int32_t seed = 0; seed < mesh->tet_count; seed++) {
        if (part[seed] >= 0) continue;
        int32_t depth = 0;
        stack[depth++] = seed;
        part[seed] = parts;
        while (depth > 0) {
            int32_t e = stack[--depth];
            for (int i = 0; i < 4; i++) {
                int32_t other = across[e][i];
                if (other < 0 || part[other] >= 0) continue;
                part[other] = parts;
                stack[depth++] = other;
            }
        }
        parts++;
    }
    fr_free(ctx, across);
    fr_free(ctx, stack);
    *component = part;
    *component_count = parts;
    return FR_OK;
}

void fr_edges_free(FrContext *ctx, FrEdges *edges) {
    fr_free(ctx, edges->node);
    fr_free(ctx, edges->of_tet);
    *edges = (FrEdges){0};
}

static uint64_t edge_key(int32_t a, int32_t b) {
    return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

FrResult fr_tetmesh_edges(FrContext *ctx, const FrTetMesh *mesh, FrEdges *edges) {
    *edges = (FrEdges){0};
    int32_t all, *order = NULL;
    if (__builtin_mul_overflow(mesh->tet_count, 6, &all)) return fr_no_memory(ctx, "mesh edges");
    uint64_t *key = FR_NEW(ctx, uint64_t, all);
    FrResult result = key ? FR_OK : fr_no_memory(ctx, "mesh edges");
    for (int32_t k = 0; result == FR_OK && k < all; k++) {
        const int8_t *ends = fr_tet_edge[k % 6];
        key[k] = edge_key(mesh->tet[k / 6][ends[0]], mesh->tet[k / 6][ends[1]]);
    }
    if (result == FR_OK) result = fr_sort_keys(ctx, key, all, &order);
    int32_t count = 0;
    for (int32_t k = 0; result == FR_OK && k < all; k++)
        count += k == 0 || key[order[k]] != key[order[k - 1]];
    if (result == FR_OK) {
        edges->node = fr_alloc_zero(ctx, (size_t)count, sizeof *edges->node);
        edges->of_tet = fr_alloc_zero(ctx, (size_t)mesh->tet_count, sizeof *edges->of_tet);
        if (!edges->node || !edges->of_tet) result = fr_no_memory(ctx, "mesh edges");
    }
    for (int32_t k = 0; result == FR_OK && k < all; k++) {
        if (k == 0 || key[order[k]] != key[order[k - 1]]) {
            edges->node[edges->count][0] = (int32_t)(key[order[k]] >> 32);
            edges->node[edges->count++][1] = (int32_t)(uint32_t)key[order[k]];
        }
        edges->of_tet[order[k] / 6][order[k] % 6] = edges->count - 1;
    }
    fr_free(ctx, key);
    fr_free(ctx, order);
    if (result != FR_OK) fr_edges_free(ctx, edges);
    return result;
}
