// drawlist.c: fills the draw list from a frame; keeps what did not change.

#include "render/drawlist.h"
#include "base/hash.h"
#include "base/tasks.h"
#include "render/colour.h"
#include <stdlib.h>
#include <string.h>

#define GRAIN 2048

static const float ghost_opacity = 0.25f; // of what is not a crack, where cracks are shown
static const float glass_index = 1.5f;    // of refraction, of whatever light passes through

void fr_drawlist_init(FrDrawList *list, FrContext *ctx) {
    *list = (FrDrawList){.ctx = ctx, .bounds = fr_box_empty()};
}

static void drop_body(FrDrawList *list, FrDrawBody *body) {
    fr_skin_free(&body->skin);
    fr_free(list->ctx, body->posed);
    memset(body, 0, sizeof *body);
}

void fr_drawlist_free(FrDrawList *list) {
    FrContext *ctx = list->ctx;
    if (!ctx) return;
    for (int32_t k = 0; k < list->body.count; k++) drop_body(list, &list->body.data[k]);
    fr_array_free(ctx, &list->body);
    fr_array_free(ctx, &list->vertex);
    fr_array_free(ctx, &list->index);
    fr_array_free(ctx, &list->batch);
    fr_array_free(ctx, &list->wire);
    fr_array_free(ctx, &list->ball);
    fr_array_free(ctx, &list->ball_index);
    memset(list, 0, sizeof *list);
}

// --- what depends on the topology only

// a unit sphere: the six sides of a cube, each n x n cells, pushed out
static FrResult make_ball(FrDrawList *list, int32_t n) {
    if (list->ball_cells == n) return FR_OK;
    list->ball.count = list->ball_index.count = list->ball_cells = 0;
    int32_t side = (n + 1) * (n + 1);
    if (!fr_array_extend(list->ctx, &list->ball, 6 * side) ||
        !fr_array_reserve(list->ctx, &list->ball_index, 36 * n * n))
        return fr_no_memory(list->ctx, "spheres");
    for (int32_t f = 0; f < 6; f++) {
        int axis = f / 2;
        double sign = f % 2 ? -1 : 1;
        for (int32_t k = 0; k < side; k++) {
            // tan: cells of nearly equal angle
            double u = tan(FR_PI / 4 * (2.0 * (k % (n + 1)) / n - 1));
            double v = sign * tan(FR_PI / 4 * (2.0 * (k / (n + 1)) / n - 1));
            double c[3];
            c[axis] = sign, c[(axis + 1) % 3] = u, c[(axis + 2) % 3] = v;
            list->ball.data[f * side + k] = fr_normalize(fr_vec3(c[0], c[1], c[2]));
        }
        for (int32_t k = 0; k < n * n; k++) {
            uint32_t a = (uint32_t)(f * side + k / n * (n + 1) + k % n), b = a + (uint32_t)n + 1;
            uint32_t quad[6] = {a, a + 1, b + 1, a, b + 1, b};
            for (int i = 0; i < 6; i++) list->ball_index.data[list->ball_index.count++] = quad[i];
        }
    }
    list->ball_cells = n;
    return FR_OK;
}

// many spheres are small spheres: fewer cells each
static int32_t ball_cells_for(const FrFrameView *view) {
    int32_t count = 0;
    for (int32_t k = 0; k < view->body_count; k++) count += view->body[k].kind == FR_BODY_SPHERE;
    return count <= 8 ? 20 : count <= 40 ? 14 : count <= 200 ? 8 : 5;
}

// as it is drawn: what is put together again shows its tets, whose cracks these are
static FrBodyView shown_body(const FrFrameView *view, int32_t k, FrShow show) {
    FrBodyView body = view->body[k];
    if (fr_show_reassembled(show)) body.embedded = NULL;
    return body;
}

static FrResult sync_bodies(FrDrawList *list, const FrFrameView *view, FrShow show) {
    while (list->body.count > view->body_count)
        drop_body(list, &list->body.data[--list->body.count]);
    if (!fr_array_extend(list->ctx, &list->body, view->body_count - list->body.count))
        return fr_no_memory(list->ctx, "drawn bodies");
    for (int32_t k = 0; k < view->body_count; k++) {
        FrDrawBody *body = &list->body.data[k];
        FrBodyView shape = shown_body(view, k, show);
        uint64_t signature = fr_skin_signature(&shape);
        if (signature == body->signature) continue;
        drop_body(list, body);
        FR_TRY(fr_skin_build(list->ctx, &shape, &body->skin));
        body->signature = signature;
    }
    return FR_OK;
}

static uint64_t layout_of(const FrDrawList *list, const FrRenderOptions *options) {
    FrShow show = options->show;
    bool own = show == FR_SHOW_TETS || fr_show_reassembled(show); // others share one
    FrHash hash;
    fr_hash_begin(&hash, 1);
    fr_hash_u64(&hash, (uint64_t)options->cord_count);
    fr_hash_u64(&hash, options->grains ? (uint64_t)options->grains->grain.count : 0);
    fr_hash_u64(&hash, (uint64_t)options->stroke_count);
    fr_hash_u64(&hash, own ? (uint64_t)show : 0);
    fr_hash_u64(&hash, (uint64_t)list->ball_cells);
    for (int32_t k = 0; k < list->body.count; k++) fr_hash_u64(&hash, list->body.data[k].signature);
    uint64_t layout = fr_hash_end(&hash);
    return layout ? layout : 1;
}

static void count_body(const FrDrawList *list, const FrBodyView *view, FrDrawBody *body,
                       FrShow show) {
    if (view->kind == FR_BODY_SPHERE)
        body->vertex_count = list->ball.count, body->index_count = list->ball_index.count;
    else if (view->kind == FR_BODY_TETS && show == FR_SHOW_TETS)
        body->vertex_count = body->index_count = 12 * body->skin.tet_count;
    else
        body->vertex_count = body->skin.vertex_count, body->index_count = body->skin.index_count;
}

static uint32_t local_index(const FrDrawList *list, const FrBodyView *view, const FrDrawBody *body,
                            FrShow show, int32_t k) {
    if (view->kind == FR_BODY_SPHERE) return list->ball_index.data[k];
    if (show == FR_SHOW_TETS) return (uint32_t)k;
    return (uint32_t)body->skin.index[k];
}

// give every body its ranges and write the triangles
static FrResult make_layout(FrDrawList *list, const FrFrameView *view, FrShow show) {
    list->vertex.count = list->index.count = 0;
    for (int32_t k = 0; k < view->body_count; k++) {
        FrDrawBody *body = &list->body.data[k];
        if (body->skin.tet_count > INT32_MAX / 12) return fr_no_memory(list->ctx, "drawn tets");
        count_body(list, &view->body[k], body, show);
        body->first_vertex = list->vertex.count;
        body->first_index = list->index.count;
        if (!fr_array_extend(list->ctx, &list->vertex, body->vertex_count) ||
            !fr_array_extend(list->ctx, &list->index, body->index_count))
            return fr_no_memory(list->ctx, "drawn triangles");
        for (int32_t i = 0; i < body->index_count; i++)
            list->index.data[body->first_index + i] =
                (uint32_t)body->first_vertex + local_index(list, &view->body[k], body, show, i);
    }
    return FR_OK;
}

static FrResult sync_layout(FrDrawList *list, const FrFrameView *view,
                            const FrRenderOptions *options) {
    FR_TRY(make_ball(list, ball_cells_for(view)));
    FR_TRY(sync_bodies(list, view, options->show));
    uint64_t layout = layout_of(list, options);
    list->index_changed = layout != list->layout;
    if (!list->index_changed) return FR_OK;
    list->layout = 0;
    FR_TRY(make_layout(list, view, options->show));
    FR_TRY(fr_cords_layout(list, options->cord_count));
    FR_TRY(fr_dust_layout(list, options->grains));
    FR_TRY(fr_wires_layout(list, view, options));
    list->layout = layout;
    return FR_OK;
}

// --- what changes with every frame

typedef struct FillRun {
    FrDrawList *list;
    FrDrawBody *body;
    const FrBodyView *view;
    const FrBodyFrame *frame;
    const double *p;
} FillRun;

static void put(FrDrawVertex *to, FrVec3 p, FrVec3 n, double s) {
    *to = (FrDrawVertex){
        {(float)p.x, (float)p.y, (float)p.z}, {(float)n.x, (float)n.y, (float)n.z}, (float)s};
}

// 0 to 1 of the range; -1: it did not come by itself
static double crack_colour(const FrDrawList *list, double opened) {
    if (!fr_cracked_itself(opened)) return -1;
    return (opened - list->crack_first) / (list->crack_last - list->crack_first);
}

// steps of the golden ratio: neighbours in number lie far apart in colour
static double piece_colour(FrBodyId body, int32_t piece) {
    double s = 0.38196601125 * body.index1 + 0.61803398875 * piece;
    return s - floor(s);
}

// the tets of a node are all of one piece
static int32_t piece_of(const FillRun *run, int32_t vertex) {
    const FrSkin *skin = &run->body->skin;
    int32_t node = skin->vertex[vertex].node[0];
    if (!run->view->piece || skin->incident_start[node] == skin->incident_start[node + 1]) return 0;
    return run->view->piece[skin->incident[skin->incident_start[node]]];
}

static FrVec3 rigid_velocity(const FrBodyFrame *frame, FrVec3 x) {
    return fr_add(frame->velocity, fr_cross(frame->spin, fr_sub(x, frame->position)));
}

// m/s
static double speed_of(const FillRun *run, int32_t vertex, FrVec3 x) {
    const FrSkinVertex *v = &run->body->skin.vertex[vertex];
    if (!run->frame->v) return fr_length(rigid_velocity(run->frame, x));
    FrVec3 sum = fr_vec3_zero;
    for (int i = 0; i < 4; i++)
        sum = fr_axpy(v->weight[i], fr_get3(run->frame->v, v->node[i]), sum);
    return fr_length(sum);
}

static double value_of(const FillRun *run, int32_t k, FrVec3 x) {
    const FrSkin *skin = &run->body->skin;
    switch (run->list->show) {
    case FR_SHOW_STRESS:
        return fr_skin_stress(skin, k);
    case FR_SHOW_SEPARATION:
        return fr_skin_load(skin, k, run->frame->load);
    case FR_SHOW_CRACKS:
        return skin->vertex[k].opened >= 0 ? crack_colour(run->list, skin->vertex[k].opened) : 1;
    case FR_SHOW_PIECES:
        return piece_colour(run->view->id, piece_of(run, k));
    case FR_SHOW_SPEED:
        return speed_of(run, k, x);
    case FR_SHOW_HEAT:
        return fr_skin_warmth(skin, k, run->frame->warmth, &run->view->material);
    default:
        return 1;
    }
}

static void fill_skin(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const FillRun *run = arg;
    const FrSkin *skin = &run->body->skin;
    FrDrawVertex *to = run->list->vertex.data + run->body->first_vertex;
    for (int32_t k = begin; k < end; k++) {
        FrVec3 x = fr_skin_position(skin, k, run->p);
        double s = value_of(run, k, x);
        put(&to[k], fr_sub(x, run->list->origin), fr_skin_normal(skin, k), s);
    }
}

// -1: has no stress, no crack
static double ball_value(const FillRun *run) {
    FrShow show = run->list->show;
    if (show == FR_SHOW_PIECES) return piece_colour(run->view->id, 0);
    if (show == FR_SHOW_SPEED) return fr_length(run->frame->velocity);
    return fr_show_scaled(show) ? -1 : 1;
}

static void fill_ball(const FillRun *run) {
    double s = ball_value(run);
    FrMat3 R = fr_quat_mat3(run->frame->rotation);
    FrVec3 centre = fr_sub(run->frame->position, run->list->origin);
    FrDrawVertex *to = run->list->vertex.data + run->body->first_vertex;
    for (int32_t k = 0; k < run->list->ball.count; k++) {
        FrVec3 n = fr_mat3_apply(R, run->list->ball.data[k]);
        put(&to[k], fr_axpy(run->view->radius, n, centre), n, s);
    }
}

// four flat triangles of a tet drawn smaller about its centre
static void put_tet(FrDrawVertex *to, const FrVec3 x[4], double shrink, double s) {
    static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    FrVec3 centre = fr_scale(0.25, fr_add(fr_add(x[0], x[1]), fr_add(x[2], x[3])));
    FrVec3 y[4];
    for (int i = 0; i < 4; i++) y[i] = fr_lerp(centre, x[i], shrink);
    for (int f = 0; f < 4; f++) {
        const int *c = face[f];
        FrVec3 n = fr_cross(fr_sub(y[c[1]], y[c[0]]), fr_sub(y[c[2]], y[c[0]]));
        n = fr_normalize(n);
        for (int i = 0; i < 3; i++) put(&to[3 * f + i], y[c[i]], n, s);
    }
}

// tets whose centre lies behind the cut plane through the body's middle; returns how many
static int32_t fill_tets(const FillRun *run, FrVec3 cut, double shrink) {
    const FrTetMesh *mesh = run->view->mesh;
    FrBox box = fr_box_empty();
    for (int32_t n = 0; n < mesh->node_count; n++) box = fr_box_add(box, fr_get3(run->p, n));
    double middle = fr_dot(cut, fr_box_center(box));
    FrDrawVertex *to = run->list->vertex.data + run->body->first_vertex;
    int32_t kept = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 x[4], sum = fr_vec3_zero;
        for (int i = 0; i < 4; i++) {
            x[i] = fr_get3(run->p, mesh->tet[e][i]);
            sum = fr_add(sum, x[i]);
            x[i] = fr_sub(x[i], run->list->origin);
        }
        if (0.25 * fr_dot(cut, sum) > middle) continue;
        // neighbours differ a little, so that each tet can be distinguished from the next
        double shade = 0.8 + 0.4 * (double)((uint32_t)e * 2654435761u >> 24) / 255;
        put_tet(to + 12 * (size_t)kept++, x, shrink, shade);
    }
    return kept;
}

static FrResult pose_nodes(FrDrawList *list, FrDrawBody *body, const FrTetMesh *mesh,
                           FrDrawStart to) {
    if (!body->posed) body->posed = FR_NEW(list->ctx, double, 3 * (size_t)mesh->node_count);
    if (!body->posed) return fr_no_memory(list->ctx, "a posed body");
    for (int32_t n = 0; n < mesh->node_count; n++)
        fr_set3(body->posed, n,
                fr_add(to.position, fr_mat3_apply(to.rotation, fr_get3(mesh->x, n))));
    return FR_OK;
}

// where body k is put together again
static FrDrawStart start_of(const FrRenderOptions *options, int32_t k) {
    if (!options->start) return (FrDrawStart){true, fr_vec3_zero, fr_mat3_identity};
    return k < options->start_count ? options->start[k] : (FrDrawStart){.known = false};
}

static FrResult place_nodes(FrDrawList *list, int32_t k, FillRun *run,
                            const FrRenderOptions *options) {
    const FrBodyFrame *frame = run->frame;
    bool rest = fr_show_reassembled(options->show);
    run->p = frame->p;
    if (frame->p && !rest) return FR_OK;
    FrDrawStart now = {true, frame->position, fr_quat_mat3(frame->rotation)};
    FR_TRY(pose_nodes(list, run->body, run->view->mesh, rest ? start_of(options, k) : now));
    run->p = run->body->posed;
    return FR_OK;
}

static FrResult grow_bounds(FrDrawList *list, const FrDrawBody *body, const char *name,
                            int32_t count, FrBox *box) {
    const FrDrawVertex *v = list->vertex.data + body->first_vertex;
    for (int32_t k = 0; k < count; k++) {
        FrVec3 p = fr_vec3((double)v[k].p[0], (double)v[k].p[1], (double)v[k].p[2]);
        if (!fr_vec3_finite(p))
            return fr_fail(list->ctx, FR_NUMERICAL, "body \"%s\": drawn vertex %d is not finite",
                           name ? name : "", k);
        *box = fr_box_add(*box, p);
    }
    return FR_OK;
}

// broken faces are lighter than the surface, and not polished
static void look_inside(const FrMaterial *material, FrDrawBatch *batch) {
    fr_material_inside(material, batch->colour);
    if (batch->roughness < 0.6f) batch->roughness = 0.6f;
    if (batch->clear) batch->opacity = 0.5f * (1.0f + batch->opacity);
}

// as if held to the light
static void light_up(FrDrawBatch *batch) {
    for (int i = 0; i < 3; i++) batch->colour[i] = 0.75f * batch->colour[i] + 0.25f;
}

// pale, so that its lines are seen
static void pale(FrDrawBatch *batch) {
    for (int i = 0; i < 3; i++) batch->colour[i] = 0.35f * batch->colour[i] + 0.45f;
    batch->metallic = 0.0f;
    batch->roughness = fmaxf(batch->roughness, 0.6f);
}

// An embedded surface may be wound either way. Through ghosts, cracks are seen from behind, too.
static bool back_is_hidden(FrShow show, const FrBodyView *shape, bool inside) {
    if (show == FR_SHOW_TETS) return true;
    return inside ? show != FR_SHOW_CRACKS : !shape->embedded;
}

// `distance` from the eye, m
static FrResult add_batch(FrDrawList *list, int32_t k, const FrBodyView *shape, int32_t first,
                          int32_t count, double distance) {
    const FrMaterial *m = &shape->material;
    const FrDrawBody *body = &list->body.data[k];
    bool inside = first > 0, tets = shape->kind == FR_BODY_TETS;
    bool ghost = (list->show == FR_SHOW_CRACKS || list->show == FR_SHOW_WIRE) && tets && !inside;
    bool clear = ghost || (list->show == FR_SHOW_SURFACE && m->opacity < 0.995f);
    FrDrawBatch batch = {.first = body->first_index + first,
                         .count = count,
                         .body = k,
                         .clear = clear,
                         .inside = inside,
                         .closed = back_is_hidden(list->show, shape, inside),
                         .colour = {m->colour[0], m->colour[1], m->colour[2]},
                         .roughness = m->roughness,
                         .metallic = m->metallic,
                         .opacity = ghost   ? ghost_opacity
                                    : clear ? m->opacity
                                            : 1.0f,
                         .inward = body->skin.inward && !inside,
                         // cracks are shown where they are
                         .index = ghost ? 1.0f : glass_index,
                         .distance = distance};
    if (inside) look_inside(m, &batch);
    if (fr_show_reassembled(list->show)) pale(&batch);
    if (list->lit.index1 && list->lit.index1 == shape->id.index1) light_up(&batch);
    return fr_array_push(list->ctx, &list->batch, batch) ? FR_OK
                                                         : fr_no_memory(list->ctx, "batches");
}

// the outside, then the faces that cracks opened
static FrResult add_batches(FrDrawList *list, int32_t k, const FrBodyView *shape, int32_t count,
                            FrBox box, FrVec3 eye) {
    const FrSkin *skin = &list->body.data[k].skin;
    bool drawn = shape->kind == FR_BODY_TETS && list->show != FR_SHOW_TETS;
    int32_t outside = drawn ? skin->outside : count;
    double distance = fr_distance(fr_box_center(box), eye);
    if (outside > 0) FR_TRY(add_batch(list, k, shape, 0, outside, distance));
    // put together again, faces that cracks opened lie on each other
    bool open = outside < count && !fr_show_reassembled(list->show);
    if (open) FR_TRY(add_batch(list, k, shape, outside, count - outside, distance));
    return FR_OK;
}

static FrResult fill_body(FrDrawList *list, const FrFrameView *view, int32_t k, FrVec3 eye,
                          const FrRenderOptions *options) {
    FrDrawBody *body = &list->body.data[k];
    FrBodyView bare = shown_body(view, k, options->show);
    const FrBodyView *shape = &bare;
    FillRun run = {.list = list, .body = body, .view = shape, .frame = &view->frame[k]};
    int32_t vertices = body->vertex_count, count = body->index_count;
    if (shape->kind == FR_BODY_SPHERE) {
        fill_ball(&run);
    } else {
        FR_TRY(place_nodes(list, k, &run, options));
        if (options->show == FR_SHOW_TETS) {
            FrVec3 cut = options->cut;
            if (!(fr_length2(cut) > 0)) cut = fr_vec3(eye.x, eye.y, 0.35 * eye.z); // mostly upright
            vertices = count = 12 * fill_tets(&run, cut, options->shrink);
        } else {
            fr_skin_deform(&body->skin, shape, run.frame, run.p, options->show == FR_SHOW_STRESS);
            fr_parallel_for(list->ctx, vertices, GRAIN, fill_skin, &run);
        }
    }
    if (count == 0) return FR_OK;
    FrBox box = fr_box_empty();
    FR_TRY(grow_bounds(list, body, shape->name, vertices, &box));
    list->bounds = fr_box_union(list->bounds, box);
    return add_batches(list, k, shape, count, box, eye);
}

// an empty layer of planes never hurts: those beyond FR_DRAW_PLANES are left out of the picture
static void take_plane(FrDrawList *list, const FrBodyView *shape) {
    double length = fr_length(shape->normal);
    if (list->plane_count == FR_DRAW_PLANES || !(length > 0)) return;
    FrVec3 n = fr_scale(1 / length, shape->normal);
    FrDrawPlane *plane = &list->plane[list->plane_count++];
    *plane = (FrDrawPlane){.normal = n,
                           .offset = shape->offset / length - fr_dot(n, list->origin),
                           .roughness = shape->material.roughness};
    for (int i = 0; i < 3; i++) plane->colour[i] = shape->material.colour[i];
}

// --- order of drawing

static int by_order(const void *a, const void *b) {
    const FrDrawBatch *x = a, *y = b;
    if (x->clear != y->clear) return x->clear ? 1 : -1;
    if (x->distance != y->distance) return (x->distance > y->distance) == x->clear ? -1 : 1;
    if (x->body != y->body) return x->body < y->body ? -1 : 1;
    // what is inside a clear body is seen through it
    return x->inside == x->clear ? -1 : 1;
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

// what 99 in 100 drawn vertices do not exceed, rounded up
static FrResult meter_stress(FrDrawList *list) {
    float *value = FR_NEW(list->ctx, float, list->vertex.count);
    if (!value) return fr_no_memory(list->ctx, "the stress range");
    int32_t count = 0;
    for (int32_t b = 0; b < list->batch.count; b++) {
        const FrDrawBatch *batch = &list->batch.data[b];
        if (batch->inside || batch->body < 0) continue; // has the vertices of the outside's batch
        const FrDrawBody *body = &list->body.data[batch->body];
        for (int32_t k = 0; k < body->vertex_count; k++) {
            float s = list->vertex.data[body->first_vertex + k].s;
            if (s > 0) value[count++] = s;
        }
    }
    qsort(value, (size_t)count, sizeof *value, by_value);
    list->stress_max = fr_round_up(count ? (double)value[(int64_t)(count - 1) * 99 / 100] : 0);
    fr_free(list->ctx, value);
    return FR_OK;
}

// stress in Pa -> 0..1; -1 stays: has none
static FrResult scale_stress(FrDrawList *list, double stress_max) {
    list->stress_max = stress_max;
    if (!(stress_max > 0)) FR_TRY(meter_stress(list));
    float scale = (float)(1 / list->stress_max);
    for (int32_t b = 0; b < list->batch.count; b++) {
        const FrDrawBatch *batch = &list->batch.data[b];
        if (batch->inside || batch->body < 0) continue;
        const FrDrawBody *body = &list->body.data[batch->body];
        for (int32_t k = 0; k < body->vertex_count; k++) {
            float *s = &list->vertex.data[body->first_vertex + k].s;
            if (*s > 0) *s *= scale;
        }
    }
    return FR_OK;
}

static bool cut_before(const FrSurface *s) {
    for (int32_t k = 0; s && s->opened && k < s->tri_count; k++)
        if (s->opened[k] == 0.0) return true;
    return false;
}

// from the options, or from what is open in this frame; never empty
static void find_crack_range(FrDrawList *list, const FrFrameView *view,
                             const FrRenderOptions *options) {
    list->precut = false;
    for (int32_t b = 0; b < view->body_count && !list->precut; b++)
        list->precut = cut_before(view->body[b].surface);
    list->crack_first = options->crack_first;
    list->crack_last = options->crack_last;
    if (!(list->crack_last > list->crack_first)) {
        list->crack_first = HUGE_VAL;
        list->crack_last = -HUGE_VAL;
        for (int32_t b = 0; b < view->body_count; b++)
            fr_crack_span(&view->body[b], &list->crack_first, &list->crack_last);
    }
    if (!(list->crack_last > list->crack_first)) {
        list->crack_first = fr_min(list->crack_first, list->crack_last);
        if (!isfinite(list->crack_first)) list->crack_first = 0;
        list->crack_last = list->crack_first + 1e-3;
    }
}

// balls would hide what is put together again
static bool is_drawn(const FrFrameView *view, int32_t k, const FrRenderOptions *options) {
    bool ball = view->body[k].kind == FR_BODY_SPHERE;
    if (!fr_show_reassembled(options->show)) return ball || view->body[k].mesh;
    return !ball && view->body[k].mesh && start_of(options, k).known;
}

FrResult fr_drawlist_update(FrDrawList *list, const FrFrameView *view, FrVec3 eye, FrVec3 origin,
                            const FrRenderOptions *options) {
    list->origin = origin;
    list->show = options->show;
    list->lit = options->lit;
    list->bounds = fr_box_empty();
    list->batch.count = list->plane_count = 0;
    FR_TRY(sync_layout(list, view, options));
    if (options->show == FR_SHOW_CRACKS) find_crack_range(list, view, options);
    FrVec3 seen_from = fr_sub(eye, origin);
    for (int32_t k = 0; k < view->body_count; k++) {
        if (!view->frame[k].alive) continue;
        if (view->body[k].kind == FR_BODY_PLANE)
            take_plane(list, &view->body[k]);
        else if (is_drawn(view, k, options))
            FR_TRY(fill_body(list, view, k, seen_from, options));
    }
    FR_TRY(fr_cords_fill(list, view, seen_from, options));
    FR_TRY(fr_dust_fill(list, view, seen_from, options));
    FR_TRY(fr_wires_fill(list, options));
    if (fr_show_metered(options->show)) FR_TRY(scale_stress(list, options->stress_max));
    if (list->batch.count)
        qsort(list->batch.data, (size_t)list->batch.count, sizeof *list->batch.data, by_order);
    return FR_OK;
}
