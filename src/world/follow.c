// follow.c: lists of nodes and triangles that drives and loads hold follow the cuts of a body.

#include "mesh/tetmesh.h"
#include "world/world.h"
#include "world/world_tuning.h"
#include <string.h>

static int32_t find(const int32_t *list, int32_t count, int32_t node) {
    for (int32_t k = 0; k < count; k++)
        if (list[k] == node) return k;
    return -1;
}

static bool grow(FrContext *ctx, void **data, int32_t count, size_t item) {
    void *moved = fr_resize(ctx, *data, (size_t)count * item);
    if (moved) *data = moved;
    return moved != NULL;
}

// new nodes between driven ones, and copies, are driven too
FrResult fr_world_follow_drive(FrWorld *w, FrDrive *drive, const FrCutLog *log) {
    for (int32_t k = 0; k < log->node_count; k++) {
        const FrNewNode *made = &log->nodes[k];
        int32_t count = drive->node_count, a = find(drive->node, count, made->a);
        int32_t b = made->a == made->b ? a : find(drive->node, count, made->b);
        if (a < 0 || b < 0) continue;
        if (!grow(w->ctx, (void **)&drive->node, count + 1, sizeof *drive->node) ||
            !grow(w->ctx, (void **)&drive->start, 3 * (count + 1), sizeof *drive->start))
            return fr_no_memory(w->ctx, "driven nodes");
        FrVec3 start = fr_get3(drive->start, a);
        if (a != b) start = fr_lerp(start, fr_get3(drive->start, b), made->t);
        drive->node[count] = log->first_node + k;
        fr_set3(drive->start, count, start);
        drive->node_count++;
    }
    return FR_OK;
}

// nodes between two of different supports belong to neither
static void release_others(FrWorld *w, int32_t index, const FrCutLog *log) {
    const FrBody *body = &w->body.data[index];
    for (int32_t k = 0; k < log->node_count; k++) {
        int32_t n = log->first_node + k;
        bool driven = false;
        for (int32_t d = 0; d < w->drive.count && !driven; d++) {
            const FrDrive *drive = &w->drive.data[d];
            driven = drive->body == index && !drive->released &&
                     find(drive->node, drive->node_count, n) >= 0;
        }
        if (!driven && body->ops->solid->is_supported(body->state, n))
            body->ops->solid->release(body->state, n);
    }
}

static FrResult follow_nodes(FrWorld *w, FrLoad *load, const FrCutLog *log) {
    if (!load->def.node) return FR_OK;
    int32_t *list = (int32_t *)(uintptr_t)load->def.node;
    for (int32_t k = 0; k < log->node_count; k++) {
        int32_t count = load->def.node_count;
        if (find(list, count, log->nodes[k].a) < 0 || find(list, count, log->nodes[k].b) < 0)
            continue;
        if (!grow(w->ctx, (void **)&list, count + 1, sizeof *list))
            return fr_no_memory(w->ctx, "a load");
        load->def.node = list;
        list[count] = log->first_node + k;
        load->def.node_count++;
    }
    load->mass = 0.0;
    const FrBody *body = &w->body.data[load->body];
    for (int32_t k = 0; k < load->def.node_count; k++)
        load->mass += body->ops->solid->node_mass(body->state, list[k]);
    return FR_OK;
}

// height of x above the face opposite corner i, as a share of the corner's
static double weight(const double *rest, const int32_t n[4], int i, FrVec3 x) {
    const int8_t *f = fr_tet_face[i];
    FrVec3 a = fr_get3(rest, n[f[0]]), b = fr_get3(rest, n[f[1]]), c = fr_get3(rest, n[f[2]]);
    return fr_volume6(a, b, c, x) / fr_volume6(a, b, c, fr_get3(rest, n[i]));
}

static bool face_on(const double *rest, const FrSplitTet *s, int child_face, int parent_face) {
    for (int k = 0; k < 3; k++) {
        int32_t n = s->node[fr_tet_face[child_face][k]];
        if (fabs(weight(rest, s->parent_node, parent_face, fr_get3(rest, n))) > FR_ON_FACE)
            return false;
    }
    return true;
}

static int face_of(const int32_t node[4], const int32_t tri[3]) {
    for (int i = 0; i < 4; i++)
        if (node[i] != tri[0] && node[i] != tri[1] && node[i] != tri[2]) return i;
    return -1;
}

static FrResult add_tri(FrWorld *w, FrLoad *load, const FrSplitTet *s, int face) {
    int32_t count = load->def.tri_count;
    int32_t(*tri)[3] = (int32_t(*)[3])(uintptr_t)load->def.tri;
    if (!grow(w->ctx, (void **)&tri, count + 1, sizeof *tri)) return fr_no_memory(w->ctx, "a load");
    load->def.tri = (const int32_t(*)[3])tri;
    if (!grow(w->ctx, (void **)&load->tri_tet, count + 1, sizeof *load->tri_tet))
        return fr_no_memory(w->ctx, "a load");
    for (int k = 0; k < 3; k++) tri[count][k] = s->node[fr_tet_face[face][k]];
    load->tri_tet[count] = s->child;
    load->def.tri_count++;
    return FR_OK;
}

// the faces of the children that lie on the loaded face take its place
static FrResult divide_tri(FrWorld *w, FrLoad *load, const double *rest, const FrCutLog *log,
                           int32_t first, int32_t at) {
    const FrSplitTet *s = &log->tets[first];
    int parent_face = face_of(s->parent_node, load->def.tri[at]);
    bool placed = false;
    for (int32_t k = first; k < log->tet_count && log->tets[k].group == s->group; k++)
        for (int i = 0; i < 4; i++) {
            const FrSplitTet *child = &log->tets[k];
            if (!face_on(rest, child, i, parent_face)) continue;
            if (placed) {
                FR_TRY(add_tri(w, load, child, i));
                continue;
            }
            int32_t *tri = (int32_t *)(uintptr_t)load->def.tri[at];
            for (int j = 0; j < 3; j++) tri[j] = child->node[fr_tet_face[i][j]];
            load->tri_tet[at] = child->child;
            placed = true;
        }
    return FR_OK;
}

static FrResult follow_tris(FrWorld *w, FrLoad *load, const FrCutLog *log) {
    const FrBody *body = &w->body.data[load->body];
    const double *rest = body->ops->solid->rest(body->state);
    for (int32_t k = 0; k < log->tet_count; k++) {
        if (k > 0 && log->tets[k - 1].group == log->tets[k].group) continue;
        int32_t count = load->def.tri_count;
        for (int32_t t = 0; t < count; t++)
            if (load->tri_tet[t] == log->tets[k].parent)
                FR_TRY(divide_tri(w, load, rest, log, k, t));
    }
    return FR_OK;
}

FrResult fr_world_follow_load(FrWorld *w, FrLoad *load, const FrCutLog *log) {
    FR_TRY(follow_nodes(w, load, log));
    return follow_tris(w, load, log);
}

FrResult fr_world_follow_loads(FrWorld *w, int32_t body, const FrCutLog *log) {
    for (int32_t k = 0; k < w->drive.count; k++)
        if (w->drive.data[k].body == body) FR_TRY(fr_world_follow_drive(w, &w->drive.data[k], log));
    release_others(w, body, log);
    for (int32_t k = 0; k < w->load.count; k++)
        if (w->load.data[k].body == body) FR_TRY(fr_world_follow_load(w, &w->load.data[k], log));
    return FR_OK;
}
