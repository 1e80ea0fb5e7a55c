// skin.c: corner normals by crease angle at rest, carried by F^-T; stress averaged to nodes.

#include "render/skin.h"
#include "base/hash.h"
#include "base/tasks.h"
#include "geom/creases.h"
#include "material/stress.h"
#include "base/table.h"
#include "skin/embed.h"
#include <string.h>

#define GRAIN 2048

uint64_t fr_skin_signature(const FrBodyView *body) {
    FrHash hash;
    fr_hash_begin(&hash, 0x736b696e);
    fr_hash_u64(&hash, (uint64_t)body->kind);
    if (body->mesh) {
        const FrTetMesh *m = body->mesh;
        fr_hash_u64(&hash, (uint64_t)m->node_count);
        fr_hash_bytes(&hash, m->x, 3 * sizeof(double) * (size_t)m->node_count);
        fr_hash_bytes(&hash, m->tet, sizeof *m->tet * (size_t)m->tet_count);
    }
    if (body->embedded) {
        const FrEmbedded *e = body->embedded;
        fr_hash_u64(&hash, (uint64_t)e->point_count);
        for (int32_t k = 0; k < e->point_count; k++) { // field by field: FrPoint has padding
            fr_hash_u64(&hash, (uint64_t)e->at[k].tet);
            fr_hash_bytes(&hash, e->at[k].b, sizeof e->at[k].b);
        }
        if (e->normal) fr_hash_bytes(&hash, e->normal, 3 * sizeof(double) * (size_t)e->point_count);
        fr_hash_bytes(&hash, e->tri, sizeof *e->tri * (size_t)e->tri_count);
    } else if (body->surface) {
        fr_hash_bytes(&hash, body->surface->tri,
                      sizeof *body->surface->tri * (size_t)body->surface->tri_count);
    }
    if (body->surface && body->surface->opened)
        fr_hash_bytes(&hash, body->surface->opened,
                      sizeof *body->surface->opened * (size_t)body->surface->tri_count);
    return fr_hash_end(&hash);
}

void fr_skin_free(FrSkin *skin) {
    FrContext *ctx = skin->ctx;
    if (!ctx) return;
    FR_FREE_ALL(ctx, skin->vertex, skin->index, skin->rest_inverse, skin->volume,
                skin->incident_start, skin->incident, skin->tet_F, skin->node_cofactor,
                skin->tet_stress, skin->node_stress);
    memset(skin, 0, sizeof *skin);
}

static FrResult check_triangles(FrContext *ctx, const FrBodyView *body, const int32_t (*tri)[3],
                                int32_t tri_count, int32_t point_count) {
    for (int32_t k = 0; k < tri_count; k++)
        for (int i = 0; i < 3; i++)
            if (tri[k][i] < 0 || tri[k][i] >= point_count)
                return fr_fail(ctx, FR_BAD_USE,
                               "body \"%s\": corner %d of triangle %d is point %d of %d",
                               body->name ? body->name : "", i, k, tri[k][i], point_count);
    return FR_OK;
}

static FrResult check_tets(FrContext *ctx, const FrBodyView *body) {
    const FrTetMesh *m = body->mesh;
    for (int32_t e = 0; e < m->tet_count; e++)
        for (int i = 0; i < 4; i++)
            if (m->tet[e][i] < 0 || m->tet[e][i] >= m->node_count)
                return fr_fail(ctx, FR_BAD_USE, "body \"%s\": corner %d of tet %d is node %d of %d",
                               body->name ? body->name : "", i, e, m->tet[e][i], m->node_count);
    const FrEmbedded *s = body->embedded;
    for (int32_t k = 0; s && k < s->point_count; k++)
        if (s->at[k].tet < 0 || s->at[k].tet >= m->tet_count)
            return fr_fail(ctx, FR_BAD_USE, "body \"%s\": skin point %d lies in tet %d of %d",
                           body->name ? body->name : "", k, s->at[k].tet, m->tet_count);
    return FR_OK;
}

static FrMat3 edge_matrix(const double *x, const int32_t tet[4]) {
    FrVec3 x0 = fr_get3(x, tet[0]);
    return fr_mat3(fr_sub(fr_get3(x, tet[1]), x0), fr_sub(fr_get3(x, tet[2]), x0),
                   fr_sub(fr_get3(x, tet[3]), x0));
}

// tets around each node, in tet order
static void fill_incidence(FrSkin *skin, const FrTetMesh *mesh) {
    int32_t *start = skin->incident_start;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int i = 0; i < 4; i++) start[mesh->tet[e][i] + 1]++;
    for (int32_t n = 0; n < mesh->node_count; n++) start[n + 1] += start[n];
    // fill from the back of each range's end by walking tets backwards: no extra cursor array
    for (int32_t e = mesh->tet_count - 1; e >= 0; e--)
        for (int i = 3; i >= 0; i--) skin->incident[--start[mesh->tet[e][i] + 1]] = e;
    // each start now sits one slot late: node n begins where n + 1 was left
    for (int32_t n = 0; n < mesh->node_count; n++) start[n] = start[n + 1];
    start[mesh->node_count] = 4 * mesh->tet_count;
}

static FrResult build_tets(FrContext *ctx, const FrBodyView *body, FrSkin *skin) {
    const FrTetMesh *m = body->mesh;
    FR_TRY(check_tets(ctx, body));
    if (m->tet_count > INT32_MAX / 4) return fr_no_memory(ctx, "a body's tets");
    skin->node_count = m->node_count;
    skin->tet_count = m->tet_count;
    skin->rest_inverse = FR_NEW(ctx, FrMat3, m->tet_count);
    skin->volume = FR_NEW(ctx, double, m->tet_count);
    skin->incident_start = FR_NEW(ctx, int32_t, (size_t)m->node_count + 1);
    skin->incident = FR_NEW(ctx, int32_t, 4 * (size_t)m->tet_count);
    skin->tet_F = FR_NEW(ctx, FrMat3, m->tet_count);
    skin->node_cofactor = FR_NEW(ctx, FrMat3, m->node_count);
    skin->tet_stress = FR_NEW(ctx, FrSym3, m->tet_count);
    skin->node_stress = FR_NEW(ctx, double, m->node_count);
    if (!skin->rest_inverse || !skin->volume || !skin->incident_start || !skin->incident ||
        !skin->tet_F || !skin->node_cofactor || !skin->tet_stress || !skin->node_stress)
        return fr_no_memory(ctx, "a drawn body");
    for (int32_t e = 0; e < m->tet_count; e++) {
        FrMat3 D = edge_matrix(m->x, m->tet[e]);
        double det = fr_mat3_det(D);
        skin->volume[e] = det > 0 ? det / 6 : 0;
        skin->rest_inverse[e] = det > 0 ? fr_mat3_inverse(D) : fr_mat3_zero;
    }
    fill_incidence(skin, m);
    return FR_OK;
}

static bool same_vec3(FrVec3 a, FrVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static FrSkinVertex hang_on_tet(const FrTetMesh *mesh, const FrPoint *at) {
    FrSkinVertex v = {.normal = {0, 0, 1}, .opened = -1};
    for (int i = 0; i < 4; i++) v.node[i] = mesh->tet[at->tet][i], v.weight[i] = at->b[i];
    return v;
}

static FrSkinVertex hang_on_node(int32_t node) {
    FrSkinVertex v = {.node = {node, node, node, node}, .weight = {1, 0, 0, 0}, .opened = -1};
    return v;
}

static bool hangs_alike(const FrSkinVertex *a, const FrSkinVertex *b) {
    return !memcmp(a->node, b->node, sizeof a->node) &&
           !memcmp(a->weight, b->weight, sizeof a->weight);
}

// one vertex for each point and different corner normal at a place
static void split_place(const FrCorners *c, int32_t place, const FrBodyView *body, FrSkin *skin) {
    int32_t first = skin->vertex_count;
    for (int32_t k = c->start[place]; k < c->start[place + 1]; k++) {
        int32_t point = c->tri[c->list[k] / 3][c->list[k] % 3], v = first;
        FrSkinVertex wanted = body->embedded ? hang_on_tet(body->mesh, &body->embedded->at[point])
                                             : hang_on_node(point);
        wanted.normal = fr_corner_normal(c, place, c->list[k]);
        while (v < skin->vertex_count && (!same_vec3(skin->vertex[v].normal, wanted.normal) ||
                                          !hangs_alike(&skin->vertex[v], &wanted)))
            v++;
        if (v == skin->vertex_count) skin->vertex[skin->vertex_count++] = wanted;
        skin->index[c->list[k]] = v;
    }
}

// the embedded surface brings its own normals: its points are the vertices
static void build_given(const FrBodyView *body, FrSkin *skin) {
    const FrEmbedded *e = body->embedded;
    for (int32_t k = 0; k < e->point_count; k++) {
        skin->vertex[k] = hang_on_tet(body->mesh, &e->at[k]);
        skin->vertex[k].normal = fr_get3(e->normal, k);
    }
    int32_t outside = e->tri_count - e->closing_count;
    skin->vertex_count = e->point_count;
    if (outside) memcpy(skin->index, e->tri, sizeof *e->tri * (size_t)outside);
}

// normals from the triangles of the surface, or of an embedded one without normals
static FrResult build_creased(FrContext *ctx, const FrBodyView *body, FrCorners *c, FrSkin *skin) {
    FR_TRY(fr_corners_make(ctx, c));
    for (int32_t k = 0; k < c->point_count; k++) split_place(c, k, body, skin);
    return FR_OK;
}

// a flat triangle inside, with vertices of its own
static void add_inside(FrSkin *skin, FrSkinVertex corner[3], FrVec3 normal, double opened) {
    for (int i = 0; i < 3; i++) {
        corner[i].normal = normal;
        corner[i].opened = opened;
        skin->index[skin->index_count++] = skin->vertex_count;
        skin->vertex[skin->vertex_count++] = corner[i];
    }
}

// are faces of tets that cracks opened part of what is seen?
static bool shows_faces(const FrBodyView *body) {
    const FrSurface *s = body->surface;
    return s && s->opened && !(body->embedded && body->embedded->closed);
}

// faces that cracks opened, and the strips between them and an embedded surface; x: its points
static void build_inside(const FrBodyView *body, const double *x, FrSkin *skin) {
    const FrSurface *s = body->surface;
    const FrEmbedded *e = body->embedded;
    FrSkinVertex corner[3];
    for (int32_t t = 0; shows_faces(body) && t < s->tri_count; t++) {
        if (s->opened[t] < 0) continue;
        for (int i = 0; i < 3; i++) corner[i] = hang_on_node(s->tri[t][i]);
        add_inside(skin, corner, fr_face_normal(body->mesh->x, s->tri[t]), s->opened[t]);
    }
    for (int32_t k = 0; e && k < e->closing_count; k++) {
        const int32_t *tri = e->tri[e->tri_count - e->closing_count + k];
        for (int i = 0; i < 3; i++) corner[i] = hang_on_tet(body->mesh, &e->at[tri[i]]);
        add_inside(skin, corner, fr_face_normal(x, tri), e->opened[k]);
    }
}

static FrResult embedded_points(FrContext *ctx, const FrBodyView *body, double **points) {
    const FrEmbedded *e = body->embedded;
    double *x = FR_NEW(ctx, double, 3 * (size_t)e->point_count);
    if (!x) return fr_no_memory(ctx, "a drawn body");
    const int32_t(*tet)[4] = (const int32_t(*)[4])body->mesh->tet;
    for (int32_t k = 0; k < e->point_count; k++)
        fr_set3(x, k, fr_point_carried(tet, &e->at[k], body->mesh->x));
    *points = x;
    return FR_OK;
}

// the triangles outside, and the place of each node: copies that a crack made lie where their
// original does
typedef struct Outside {
    int32_t (*tri)[3]; ///< NULL: all of the surface
    int32_t *place;
    int32_t count;
} Outside;

static void outside_free(FrContext *ctx, Outside *o) {
    fr_free(ctx, o->tri);
    fr_free(ctx, o->place);
}

static uint64_t place_key(const double *x) {
    FrHash hash;
    fr_hash_begin(&hash, 1);
    fr_hash_bytes(&hash, x, 3 * sizeof *x);
    return fr_hash_end(&hash);
}

static FrResult find_outside(FrContext *ctx, const FrBodyView *body, Outside *o) {
    const FrSurface *s = body->surface;
    const FrTetMesh *mesh = body->mesh;
    FrTable table = {0};
    o->tri = fr_alloc_zero(ctx, (size_t)s->tri_count, sizeof *o->tri);
    o->place = FR_NEW(ctx, int32_t, mesh->node_count);
    if (!o->tri || !o->place || !fr_table_reserve(ctx, &table, mesh->node_count)) {
        fr_table_free(ctx, &table);
        return fr_no_memory(ctx, "a drawn body");
    }
    for (int32_t t = 0; t < s->tri_count; t++)
        if (s->opened[t] < 0) memcpy(o->tri[o->count++], s->tri[t], sizeof *o->tri);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        const double *x = mesh->x + 3 * (size_t)n;
        int32_t first = fr_table_add(&table, place_key(x), n);
        bool same = !memcmp(x, mesh->x + 3 * (size_t)first, 3 * sizeof *x);
        o->place[n] = same ? first : n;
    }
    fr_table_free(ctx, &table);
    return FR_OK;
}

static bool allocate_vertices(FrContext *ctx, FrSkin *skin, int32_t vertices, int32_t tris) {
    skin->vertex = FR_NEW(ctx, FrSkinVertex, vertices);
    skin->index = FR_NEW(ctx, int32_t, 3 * (size_t)tris);
    return skin->vertex && skin->index;
}

// what the surface outside is made of; points: room for those of an embedded surface
static FrResult plan_corners(FrContext *ctx, const FrBodyView *body, Outside *outside,
                             double **points, FrCorners *c) {
    const FrEmbedded *e = body->embedded;
    const FrSurface *s = body->surface;
    *c = (FrCorners){.x = body->mesh->x,
                     .tri = (const int32_t(*)[3])(e ? e->tri : s->tri),
                     .point_count = e ? e->point_count : body->mesh->node_count,
                     .tri_count = e ? e->tri_count : s->tri_count};
    FR_TRY(check_triangles(ctx, body, c->tri, c->tri_count, c->point_count));
    if (e) c->tri_count -= e->closing_count;
    if (s && s->opened)
        FR_TRY(check_triangles(ctx, body, (const int32_t(*)[3])s->tri, s->tri_count,
                               body->mesh->node_count));
    if (e) {
        FR_TRY(embedded_points(ctx, body, points));
        c->x = *points;
    }
    if (e || !s->opened) return FR_OK;
    FR_TRY(find_outside(ctx, body, outside));
    c->tri = (const int32_t(*)[3])outside->tri;
    c->tri_count = outside->count;
    c->place = outside->place;
    return FR_OK;
}

static FrResult fill_vertices(FrContext *ctx, const FrBodyView *body, FrCorners *c, FrSkin *skin) {
    const FrEmbedded *e = body->embedded;
    const FrSurface *s = body->surface;
    int32_t inside = e ? e->closing_count : 0;
    for (int32_t t = 0; shows_faces(body) && t < s->tri_count; t++) inside += s->opened[t] >= 0;
    int32_t given = e && e->normal ? e->point_count : 3 * c->tri_count, vertices;
    if (c->tri_count > INT32_MAX / 6 || inside > INT32_MAX / 6 ||
        __builtin_add_overflow(given, 3 * inside, &vertices) ||
        !allocate_vertices(ctx, skin, vertices, c->tri_count + inside))
        return fr_no_memory(ctx, "a body's triangles");
    if (e && e->normal)
        build_given(body, skin);
    else
        FR_TRY(build_creased(ctx, body, c, skin));
    skin->outside = skin->index_count = 3 * c->tri_count;
    if (inside) build_inside(body, c->x, skin);
    FrSkinVertex *fitted =
        fr_resize(ctx, skin->vertex, sizeof *fitted * (size_t)fr_max_i(skin->vertex_count, 1));
    if (fitted) skin->vertex = fitted;
    return FR_OK;
}

// Seen from the middles of the tets that carry it, most of a surface that faces inwards faces them:
// pieces of a thin wall are open where they broke, and hold nothing by themselves.
static bool faces_inward(const FrBodyView *body, const FrCorners *c) {
    double sum = 0;
    for (int32_t k = 0; k < c->tri_count; k++) {
        FrVec3 at[3];
        FrPoint middle = {.tet = body->embedded->at[c->tri[k][0]].tet, .b = {.25, .25, .25, .25}};
        FrVec3 o = fr_point_carried((const int32_t(*)[4])body->mesh->tet, &middle, body->mesh->x);
        for (int i = 0; i < 3; i++) at[i] = fr_sub(fr_get3(c->x, c->tri[k][i]), o);
        sum += fr_dot(at[0], fr_cross(at[1], at[2]));
    }
    return sum < 0;
}

static FrResult build_vertices(FrContext *ctx, const FrBodyView *body, FrSkin *skin) {
    if (!body->embedded && !body->surface) return FR_OK;
    FrCorners c = {0};
    Outside outside = {0};
    double *points = NULL;
    FrResult result = plan_corners(ctx, body, &outside, &points, &c);
    if (result == FR_OK) result = fill_vertices(ctx, body, &c, skin);
    if (result == FR_OK) skin->inward = body->embedded && faces_inward(body, &c);
    fr_corners_free(ctx, &c);
    outside_free(ctx, &outside);
    fr_free(ctx, points);
    return result;
}

FrResult fr_skin_build(FrContext *ctx, const FrBodyView *body, FrSkin *skin) {
    fr_skin_free(skin);
    skin->ctx = ctx;
    skin->signature = fr_skin_signature(body);
    if (!body->mesh) return FR_OK;
    FrResult result = build_tets(ctx, body, skin);
    if (result == FR_OK) result = build_vertices(ctx, body, skin);
    if (result != FR_OK) fr_skin_free(skin);
    return result;
}

void fr_crack_span(const FrBodyView *body, double *first, double *last) {
    const FrSurface *s = body->surface;
    for (int32_t k = 0; s && s->opened && k < s->tri_count; k++) {
        if (!fr_cracked_itself(s->opened[k])) continue;
        *first = fr_min(*first, s->opened[k]);
        *last = fr_max(*last, s->opened[k]);
    }
}

typedef struct DeformRun {
    FrSkin *skin;
    const FrBodyView *body;
    const FrBodyFrame *frame;
    const double *p;
    bool stress, rigid; ///< a rigid frame has no stress that could be known from where it is
} DeformRun;

static FrSym3 tet_stress(const DeformRun *run, int32_t e, FrMat3 F) {
    const float *plastic = run->frame->plastic ? run->frame->plastic + 6 * (size_t)e : NULL;
    return fr_stress_shown(&run->body->material, F, plastic).cauchy;
}

static void deform_tets(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const DeformRun *run = arg;
    for (int32_t e = begin; e < end; e++) {
        FrMat3 F =
            fr_mat3_mul(edge_matrix(run->p, run->body->mesh->tet[e]), run->skin->rest_inverse[e]);
        run->skin->tet_F[e] = F;
        if (run->stress && !run->rigid) run->skin->tet_stress[e] = tet_stress(run, e, F);
    }
}

// pieces that became rigid share no node with others
static bool is_rigid(const DeformRun *run, int32_t n) {
    return run->rigid || (run->frame->load && run->frame->load[n] < 0);
}

// Normals move with cof F = det F F^-T. Averaging it over the tets around a node, by volume, keeps
// the shading of a round shape smooth although F is constant in each tet. So does averaging stress
// before its von Mises value is taken: the tets of a bent plate err in turn to either side.
static void average_nodes(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const DeformRun *run = arg;
    const FrSkin *skin = run->skin;
    for (int32_t n = begin; n < end; n++) {
        FrMat3 sum = fr_mat3_zero;
        FrSym3 stress = fr_sym3_zero;
        double total = 0;
        for (int32_t k = skin->incident_start[n]; k < skin->incident_start[n + 1]; k++) {
            int32_t e = skin->incident[k];
            double V = skin->volume[e];
            sum = fr_mat3_axpy(V, fr_mat3_cofactor(skin->tet_F[e]), sum);
            stress = fr_sym3_axpy(V, skin->tet_stress[e], stress);
            total += V;
        }
        run->skin->node_cofactor[n] = total > 0 ? fr_mat3_scale(1 / total, sum) : fr_mat3_identity;
        run->skin->node_stress[n] = is_rigid(run, n) ? -1
                                    : total > 0      ? fr_von_mises(stress) / total
                                                     : 0;
    }
}

void fr_skin_deform(FrSkin *skin, const FrBodyView *body, const FrBodyFrame *frame, const double *p,
                    bool stress) {
    DeformRun run = {skin, body, frame, p, stress, body->rigid && !body->deforms};
    fr_parallel_for(skin->ctx, skin->tet_count, GRAIN, deform_tets, &run);
    fr_parallel_for(skin->ctx, skin->node_count, GRAIN, average_nodes, &run);
}

FrVec3 fr_skin_position(const FrSkin *skin, int32_t vertex, const double *p) {
    const FrSkinVertex *v = &skin->vertex[vertex];
    FrVec3 x = fr_scale(v->weight[0], fr_get3(p, v->node[0]));
    for (int i = 1; i < 4; i++)
        if (v->weight[i] != 0) x = fr_axpy(v->weight[i], fr_get3(p, v->node[i]), x);
    return x;
}

FrVec3 fr_skin_normal(const FrSkin *skin, int32_t vertex) {
    const FrSkinVertex *v = &skin->vertex[vertex];
    FrVec3 n = fr_vec3_zero;
    for (int i = 0; i < 4; i++)
        if (v->weight[i] != 0)
            n = fr_axpy(v->weight[i], fr_mat3_apply(skin->node_cofactor[v->node[i]], v->normal), n);
    n = fr_normalize(n);
    return fr_length2(n) > 0 ? n : v->normal;
}

double fr_skin_load(const FrSkin *skin, int32_t vertex, const float *load) {
    const FrSkinVertex *v = &skin->vertex[vertex];
    double sum = 0;
    if (!load || load[v->node[0]] < 0) return -1;
    for (int i = 0; i < 4; i++) sum += v->weight[i] * (double)load[v->node[i]];
    return fr_max(0, fr_min(sum, 1));
}

double fr_skin_warmth(const FrSkin *skin, int32_t vertex, const float *warmth,
                      const FrMaterial *material) {
    const FrSkinVertex *v = &skin->vertex[vertex];
    double sum = 0, top = material->melts > FR_AIR ? material->melts : 100.0;
    if (!warmth) return -1;
    for (int i = 0; i < 4; i++) sum += v->weight[i] * (double)warmth[v->node[i]];
    return fr_clamp((sum - FR_AIR) / (top - FR_AIR), 0, 1);
}

double fr_skin_stress(const FrSkin *skin, int32_t vertex) {
    const FrSkinVertex *v = &skin->vertex[vertex];
    double stress = 0;
    if (skin->node_stress[v->node[0]] < 0) return -1;
    for (int i = 0; i < 4; i++) stress += v->weight[i] * skin->node_stress[v->node[i]];
    return fr_max(stress, 0); // points of a fine skin may lie outside their tet
}
