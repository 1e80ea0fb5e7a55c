// view.c: a world as pictures, exports and recordings see it, and skins as a host draws them.

#include "math/lanes.h"
#include "skin/cells.h"
#include "world/member.h"

// does one frame say where all of it is?
static bool has_pose(const FrBody *body) {
    FrVec3 x, v, spin;
    FrQuat q;
    return body->ops->pose(body->state, &x, &q, &v, &spin);
}

// by which modes it bends in its frame; NULL: it does not
static const FrBend *bend_of(const FrBody *body) {
    return body->ops->frame ? body->ops->frame->parts(body->state).bend : NULL;
}

static bool shatters(const FrBody *body) {
    return body->ops->shatters && body->ops->shatters->may(body->state);
}

// the fine surface as it is now; NULL: none
static const FrEmbedded *skin_of(const FrBody *body, bool cut) {
    if (!body->embedded.point_count) return NULL;
    if (cut) return body->cells ? fr_cells_surface(body->cells) : NULL;
    return &body->embedded;
}

static FrBodyView view_of_body(const FrBody *body) {
    bool ball = body->mesh.tet_count == 0, cut = fr_world_topology(body) > 1;
    const FrTetMesh *mesh = cut ? fr_cutmesh_view(body->cut) : &body->mesh;
    const FrBend *bend = bend_of(body);
    return (FrBodyView){.id = {body->number + 1},
                        .parent = body->parent,
                        .name = body->name,
                        .model = body->ops->name,
                        .kind = ball ? FR_BODY_SPHERE : FR_BODY_TETS,
                        .mesh = ball ? NULL : mesh,
                        .surface = ball ? NULL : &body->surface,
                        .embedded = skin_of(body, cut),
                        .rigid = has_pose(body),
                        .deforms = body->ops->solid || bend,
                        .breaks = breaking_of(body) || shatters(body),
                        .modes = bend && bend->count ? &bend->shown : NULL,
                        .piece = cut ? fr_pieces_of_tets(body->pieces) : NULL,
                        .material = body->material[0],
                        .radius = body->radius};
}

FrBodyView fr_world_first_view(const FrWorld *w, int32_t index) {
    const FrBody *body = &w->body.data[index];
    FrBodyView view = view_of_body(body);
    if (view.mesh) view.mesh = &body->mesh;
    if (body->surface_topology > 1) view.surface = NULL; // it has followed the cuts
    if (body->embedded.point_count) view.embedded = &body->embedded;
    view.piece = NULL;
    return view;
}

static FrBodyFrame frame_of_body(const FrBody *body) {
    FrShapeView shape;
    FrBodyFrame frame = {.alive = true};
    body->ops->view(body->state, &shape);
    body->ops->pose(body->state, &frame.position, &frame.rotation, &frame.velocity, &frame.spin);
    frame.p = shape.p;
    frame.v = shape.v;
    const FrBend *bend = bend_of(body);
    if (bend && bend->count) frame.z = bend->z, frame.z_speed = bend->v;
    return frame;
}

// The skin follows cuts along faces, if it can be divided by its tets. False: no memory.
static bool renew_cells(FrWorld *w, FrBody *body) {
    if (!body->ops->breaks->along_faces || !body->embedded.point_count || body->undivided)
        return true;
    if (!body->cells) {
        FrResult made = fr_cells_create(w->ctx, &body->mesh, &body->embedded, &body->cells);
        body->undivided = made == FR_BAD_INPUT;
        if (made != FR_OK) return body->undivided;
    }
    return fr_cells_follow(body->cells, body->cut, fr_pieces_of_tets(body->pieces)) == FR_OK;
}

// the surface of a body that was cut since it was last looked at
bool fr_world_renew_surface(FrWorld *w, FrBody *body) {
    uint64_t topology = fr_world_topology(body);
    if (topology <= 1 || body->surface_topology == topology) return true;
    FrSurface surface;
    const int32_t *piece = fr_pieces_of_tets(body->pieces);
    if (fr_cutmesh_surface(body->cut, piece, &surface) != FR_OK) return false;
    fr_surface_free(w->ctx, &body->surface);
    body->surface = surface;
    body->surface_topology = topology;
    return renew_cells(w, body);
}

void fr_world_number_planes(FrWorld *w) {
    for (int32_t k = 0; k < w->plane.count; k++)
        if (w->plane.data[k].number < 0) w->plane.data[k].number = w->next_number++;
}

static bool add_views(FrWorld *w) {
    w->shown.body_view.count = w->shown.body_frame.count = 0;
    fr_world_number_planes(w);
    for (int32_t k = 0; k < w->body.count; k++)
        if (!fr_world_renew_surface(w, &w->body.data[k])) return false;
    for (int32_t k = 0; k < w->body.count; k++)
        if (!fr_array_push(w->ctx, &w->shown.body_view, view_of_body(&w->body.data[k])) ||
            !fr_array_push(w->ctx, &w->shown.body_frame, frame_of_body(&w->body.data[k])))
            return false;
    for (int32_t k = 0; k < w->plane.count; k++) {
        const FrPlane *plane = &w->plane.data[k];
        FrBodyView view = {.id = {plane->number + 1},
                           .name = plane->name,
                           .model = "plane",
                           .kind = FR_BODY_PLANE,
                           .material = plane->material,
                           .normal = plane->normal,
                           .offset = plane->offset};
        FrBodyFrame frame = {.rotation = fr_quat_identity, .alive = true};
        if (!fr_array_push(w->ctx, &w->shown.body_view, view) ||
            !fr_array_push(w->ctx, &w->shown.body_frame, frame))
            return false;
    }
    return true;
}

const FrFrameView *fr_world_view(FrWorld *w) {
    if (!w || w->spoiled) return NULL;

    if (!add_views(w)) return NULL;
    w->shown.view = (FrFrameView){w->tick, fr_world_time(w), w->shown.body_view.count,
                                  w->shown.body_view.data, w->shown.body_frame.data};
    return &w->shown.view;
}

int32_t fr_world_view_of(const FrWorld *w, FrBodyId id) {
    if (!w) return -1;

    int32_t body = fr_world_find(w, id);
    for (int32_t k = 0; id.index1 > 0 && body < 0 && k < w->plane.count; k++)
        if (w->plane.data[k].number == id.index1 - 1) return w->body.count + k;
    return body;
}

uint64_t fr_world_cut_number(const FrWorld *w, int32_t index) {
    return fr_world_topology(&w->body.data[index]);
}

FrResult fr_body_modes(FrWorld *w, FrBodyId id, double *z, int32_t room, int32_t *count) {
    FR_NEED_ALL(fr_world_context(w), w && count);

    int32_t index;
    FR_TRY(fr_world_need(w, id, &index));
    const FrBend *bend = bend_of(&w->body.data[index]);
    *count = bend ? bend->count : 0;
    for (int32_t m = 0; z && m < fr_min_i(room, *count); m++) z[m] = bend->z[m];
    return FR_OK;
}

/// What carries the points of a skin.
typedef struct Carrier {
    const FrPoint *at;
    const int32_t (*tet)[4];
    const double *p; ///< of nodes, m
} Carrier;

// sum b p of four points, one axis
FR_LANE_INLINE FrLane four_points(const Carrier *c, const FrPoint *at, int axis) {
    FrLane sum = fr_lane_set(0.0);
    const double *p = c->p + axis;
    for (int i = 0; i < 4; i++) {
        FrLane b = {at[0].b[i], at[1].b[i], at[2].b[i], at[3].b[i]};
        FrLane x = {p[3 * c->tet[at[0].tet][i]], p[3 * c->tet[at[1].tet][i]],
                    p[3 * c->tet[at[2].tet][i]], p[3 * c->tet[at[3].tet][i]]};
        sum += b * x;
    }
    return sum;
}

static void place_skin(const Carrier *c, int32_t count, float *place) {
    for (int32_t k = 0; k < count; k += FR_LANES) {
        FrPoint last[FR_LANES];
        const FrPoint *at = &c->at[k];
        int32_t lanes = fr_min_i(FR_LANES, count - k);
        if (lanes < FR_LANES) { // the last few: again the first of them
            for (int i = 0; i < FR_LANES; i++) last[i] = c->at[i < lanes ? k + i : k];
            at = last;
        }
        for (int axis = 0; axis < 3; axis++) {
            FrLane x = four_points(c, at, axis);
            for (int32_t i = 0; i < lanes; i++) place[3 * (k + i) + axis] = (float)x[i];
        }
    }
}

FrResult fr_body_skin(FrWorld *w, FrBodyId id, float *place, int32_t room, int32_t *count) {
    FR_NEED_ALL(fr_world_context(w), w && count);

    int32_t index;
    FrShapeView shape;
    FR_TRY(fr_world_need(w, id, &index));
    const FrBody *body = &w->body.data[index];
    if (!body->mesh.tet_count)
        return fr_fail(w->ctx, FR_BAD_USE, "%s: a sphere has no skin of points", body->name);
    body->ops->view(body->state, &shape);
    const FrEmbedded *fine = skin_of(body, fr_world_topology(body) > 1);
    *count = fine ? fine->point_count : shape.node_count;
    Carrier carrier = {fine ? fine->at : NULL, shape.tet, shape.p};
    int32_t points = fr_min_i(room, *count);
    if (place && fine) place_skin(&carrier, points, place);
    for (int32_t k = 0; place && !fine && k < 3 * points; k++) place[k] = (float)shape.p[k];
    return FR_OK;
}
