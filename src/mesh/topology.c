// topology.c: incidence, face neighbours, edges, components of a tet mesh.

#include "mesh/topology.h"
#include "base/table.h"
#include "base/tasks.h"
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

// for every face (4 e + i): the first face with the same corners, and how many share them
typedef struct FaceMatch {
    int32_t *first; ///< (4 * tet_count)
    uint8_t *share; ///< at `first`; stops at 255
    int32_t *last;  ///< at `first`: the last face that joined
} FaceMatch;

static void face_match_free(FrContext *ctx, FaceMatch *match) {
    FR_FREE_ALL(ctx, match->first, match->share, match->last);
}

#define TET_GRAIN 2048
#define NODE_GRAIN 1024
#define FEW 64 ///< faces of one node whose table is on the stack

/// Faces by their smallest node: those that may be equal lie side by side, where a table of all
/// would be looked up all over memory.
typedef struct FaceGroups {
    const FrTetMesh *mesh;
    int32_t *low;   ///< of each face: its smallest node (4 * tet_count)
    uint64_t *rest; ///< of each face: its other two nodes, the smaller one first (4 * tet_count)
    int32_t *start; ///< of each node's faces (node_count + 1)
    int32_t *face;  ///< by node, in rising order (4 * tet_count)
    int32_t *slots; ///< a table for one node that has many: place + 1, 0: free
    FaceMatch *match;
} FaceGroups;

static void face_groups_free(FrContext *ctx, FaceGroups *g) {
    FR_FREE_ALL(ctx, g->low, g->rest, g->start, g->face, g->slots);
}

static void key_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FaceGroups *g = arg;
    for (int32_t face = 4 * begin; face < 4 * end; face++) {
        const int8_t *corner = fr_tet_face[face & 3];
        const int32_t *n = g->mesh->tet[face >> 2];
        int32_t a = n[corner[0]], b = n[corner[1]], c = n[corner[2]];
        int32_t low = fr_min_i(a, fr_min_i(b, c)), high = fr_max_i(a, fr_max_i(b, c));
        uint32_t middle = (uint32_t)a ^ (uint32_t)b ^ (uint32_t)c ^ (uint32_t)low ^ (uint32_t)high;
        g->low[face] = low;
        g->rest[face] = (uint64_t)middle << 32 | (uint32_t)high;
    }
}

static uint32_t slots_for(int32_t faces) {
    uint32_t slots = 16;
    while (slots < 2 * (uint32_t)faces) slots *= 2;
    return slots;
}

static FrResult group_faces(FrContext *ctx, const FrTetMesh *mesh, FaceGroups *g) {
    size_t faces = 4 * (size_t)mesh->tet_count;
    int32_t most = 0;
    g->low = fr_alloc(ctx, faces * sizeof *g->low);
    g->rest = fr_alloc(ctx, faces * sizeof *g->rest);
    g->start = FR_NEW(ctx, int32_t, (size_t)mesh->node_count + 1);
    g->face = fr_alloc(ctx, faces * sizeof *g->face);
    bool good = g->start && (!faces || (g->low && g->rest && g->face));
    if (!good) return fr_no_memory(ctx, "the faces of a mesh");
    fr_parallel_for(ctx, mesh->tet_count, TET_GRAIN, key_range, g);
    for (size_t face = 0; face < faces; face++) most = fr_max_i(most, ++g->start[g->low[face]]);
    // start[n] becomes the end of list n, then filling backwards brings it to its beginning
    for (int32_t n = 1; n <= mesh->node_count; n++) g->start[n] += g->start[n - 1];
    for (int32_t face = (int32_t)faces - 1; face >= 0; face--)
        g->face[--g->start[g->low[face]]] = face;
    if (most <= FEW) return FR_OK;
    g->slots = FR_NEW(ctx, int32_t, slots_for(most));
    return g->slots ? FR_OK : fr_no_memory(ctx, "the faces of a mesh");
}

// the first face of the group that has the same corners as the one at `place`
static int32_t first_alike(const FaceGroups *g, int32_t *slots, uint32_t mask, int32_t place) {
    int32_t face = g->face[place];
    uint32_t slot = (uint32_t)fr_mix64(g->rest[face]) & mask;
    for (; slots[slot]; slot = (slot + 1) & mask) {
        int32_t other = g->face[slots[slot] - 1];
        if (g->rest[other] == g->rest[face]) return other;
    }
    slots[slot] = place + 1;
    return face;
}

static void match_group(const FaceGroups *g, int32_t n, int32_t *slots) {
    const FaceMatch *match = g->match;
    uint32_t slot_count = slots_for(g->start[n + 1] - g->start[n]);
    memset(slots, 0, slot_count * sizeof *slots);
    for (int32_t place = g->start[n]; place < g->start[n + 1]; place++) {
        int32_t first = first_alike(g, slots, slot_count - 1, place);
        match->first[g->face[place]] = first;
        match->last[first] = g->face[place];
        if (match->share[first] < 255) match->share[first]++;
    }
}

static void match_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const FaceGroups *g = arg;
    int32_t slots[2 * FEW];
    for (int32_t n = begin; n < end; n++)
        if (g->start[n + 1] - g->start[n] <= FEW) match_group(g, n, slots);
}

static FrResult match_faces(FrContext *ctx, const FrTetMesh *mesh, FaceMatch *match) {
    FaceGroups groups = {.mesh = mesh, .match = match};
    size_t faces = 4 * (size_t)mesh->tet_count;
    *match = (FaceMatch){0};
    if (mesh->tet_count > (1 << 28)) return fr_fail(ctx, FR_BAD_USE, "over 2^28 tets");
    match->first = fr_alloc(ctx, faces * sizeof *match->first);
    match->share = FR_NEW(ctx, uint8_t, faces);
    match->last = fr_alloc(ctx, faces * sizeof *match->last);
    bool good = !faces || (match->first && match->share && match->last);
    FrResult result =
        good ? group_faces(ctx, mesh, &groups) : fr_no_memory(ctx, "the faces of a mesh");
    if (result == FR_OK) {
        fr_parallel_for(ctx, mesh->node_count, NODE_GRAIN, match_range, &groups);
        for (int32_t n = 0; groups.slots && n < mesh->node_count; n++)
            if (groups.start[n + 1] - groups.start[n] > FEW) match_group(&groups, n, groups.slots);
    }
    face_groups_free(ctx, &groups);
    if (result != FR_OK) face_match_free(ctx, match);
    return result;
}

typedef struct AcrossRun {
    const FaceMatch *match;
    int32_t (*across)[4];
} AcrossRun;

static void across_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const AcrossRun *run = arg;
    for (int32_t face = 4 * begin; face < 4 * end; face++) {
        int32_t first = run->match->first[face];
        int32_t other = first == face ? run->match->last[face] : first;
        run->across[face >> 2][face & 3] = other == face ? -1 : other >> 2;
    }
}

static FrResult refuse_crowded(FrContext *ctx, const FrTetMesh *mesh, const FaceMatch *match) {
    for (int32_t face = 0; face < 4 * mesh->tet_count; face++)
        if (match->share[face] > 2)
            return fr_fail(ctx, FR_BAD_INPUT,
                           "a face of tet %d (from 0) is shared by %d tets, at most 2", face >> 2,
                           match->share[face]);
    return FR_OK;
}

static FrResult neighbours_of(FrContext *ctx, const FrTetMesh *mesh, const FaceMatch *match,
                              int32_t (**across)[4]) {
    FR_TRY(refuse_crowded(ctx, mesh, match));
    AcrossRun run = {match, fr_alloc(ctx, (size_t)mesh->tet_count * sizeof **across)};
    if (!run.across && mesh->tet_count) return fr_no_memory(ctx, "tet neighbours");
    fr_parallel_for(ctx, mesh->tet_count, TET_GRAIN, across_range, &run);
    *across = run.across;
    return FR_OK;
}

FrResult fr_tet_neighbours(FrContext *ctx, const FrTetMesh *mesh, int32_t (**across)[4]) {
    FaceMatch match;
    *across = NULL;
    FR_TRY(match_faces(ctx, mesh, &match));
    FrResult result = neighbours_of(ctx, mesh, &match, across);
    face_match_free(ctx, &match);
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
                                int32_t *crowded_faces, int32_t (**across)[4]) {
    *duplicate_tets = *crowded_faces = 0;
    *across = NULL;
    FaceMatch match;
    FR_TRY(match_faces(ctx, mesh, &match));
    for (int32_t face = 0; face < 4 * mesh->tet_count; face++)
        *crowded_faces += match.first[face] == face && match.share[face] > 2;
    // a copy of an earlier tet shares all four faces with earlier ones
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        int32_t other = match.first[4 * e] >> 2;
        *duplicate_tets += other < e && same_corners(mesh, e, other);
    }
    FrResult result = *crowded_faces ? FR_OK : neighbours_of(ctx, mesh, &match, across);
    face_match_free(ctx, &match);
    return result;
}

FrResult fr_tet_components_across(FrContext *ctx, int32_t tet_count, int32_t (*across)[4],
                                  int32_t **component, int32_t *component_count) {
    int32_t *part = fr_alloc(ctx, (size_t)tet_count * sizeof(int32_t));
    int32_t *stack = fr_alloc(ctx, (size_t)tet_count * sizeof(int32_t));
    *component = NULL;
    if (tet_count && (!part || !stack)) {
        FR_FREE_ALL(ctx, part, stack);
        return fr_no_memory(ctx, "mesh components");
    }
    if (tet_count) memset(part, 0xFF, (size_t)tet_count * sizeof(int32_t));
    int32_t parts = 0;
    for (int32_t seed = 0; seed < tet_count; seed++) {
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
    fr_free(ctx, stack);
    *component = part;
    *component_count = parts;
    return FR_OK;
}

FrResult fr_tet_components(FrContext *ctx, const FrTetMesh *mesh, int32_t **component,
                           int32_t *component_count) {
    int32_t(*across)[4];
    *component = NULL;
    FR_TRY(fr_tet_neighbours(ctx, mesh, &across));
    FrResult result =
        fr_tet_components_across(ctx, mesh->tet_count, across, component, component_count);
    fr_free(ctx, across);
    return result;
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
