// recording_frame.c: bodies with their meshes, and one frame at a time, from a recording.

#include "record/recording_inside.h"
#include "record/bend_code.h"
#include "record/material_json.h"
#include "record/mesh_code.h"
#include "record/state_code.h"
#include "store/deflate.h"
#include "math/vec.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COUNT_MAX (INT32_MAX / 32) // nodes, tets, points: sizes in bytes stay far from overflow

static FrResult mesh_row(FrRecording *r, FrQuery *query, void *arg) {
    FrReadMesh *mesh = arg;
    FrMeshHead h;
    int32_t regions;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_i32(query, 0, 1, 2, &h.order));
    FR_TRY(fr_query_i32(query, 1, 1, COUNT_MAX, &h.nodes));
    FR_TRY(fr_query_i32(query, 2, 1, h.nodes, &h.corners));
    FR_TRY(fr_query_i32(query, 3, 0, COUNT_MAX, &h.tets));
    FR_TRY(fr_query_i32(query, 4, 0, 1, &regions));
    FR_TRY(fr_query_i32(query, 5, 0, COUNT_MAX, &h.opened));
    FR_TRY(fr_query_blob(query, 6, &z, &z_size));
    FR_TRY(fr_recording_charge(r, z_size));
    h.regions = regions != 0;
    return fr_mesh_code_read(r->ctx, &h, z, z_size, &mesh->mesh, &mesh->surface);
}

static void drop_mesh(FrContext *ctx, FrReadMesh *mesh) {
    fr_mesh_code_free(ctx, &mesh->mesh);
    fr_mesh_code_surface_free(ctx, &mesh->surface);
    fr_free(ctx, mesh);
}

static FrResult missing(FrRecording *r, const char *what, int64_t hash) {
    return fr_fail(r->ctx, FR_BAD_INPUT, "%s: %s %016" PRIx64 " is missing", r->info.path, what,
                   (uint64_t)hash);
}

FrResult fr_recording_mesh(FrRecording *r, int64_t hash, FrReadMesh **out) {
    for (int32_t k = 0; k < r->mesh.count; k++)
        if (r->mesh.data[k]->hash == (uint64_t)hash) return *out = r->mesh.data[k], FR_OK;
    FrReadMesh *mesh = FR_NEW(r->ctx, FrReadMesh, 1);
    FrCell cell = fr_cell_int(hash);
    if (!mesh) return fr_no_memory(r->ctx, "a mesh");
    mesh->hash = (uint64_t)hash;
    FrResult result = fr_recording_each(
        r,
        &(FrSelect){"mesh",
                    "SELECT ord, nodes, corners, tets, regions, opened, z FROM mesh WHERE hash=?",
                    &cell, 1},
        mesh_row, mesh);
    if (result == FR_OK && !mesh->mesh.x) result = missing(r, "mesh", hash);
    if (result == FR_OK && !fr_array_push(r->ctx, &r->mesh, mesh))
        result = fr_no_memory(r->ctx, "a mesh");
    if (result != FR_OK) drop_mesh(r->ctx, mesh);
    *out = result == FR_OK ? mesh : NULL;
    return result;
}

static FrResult skin_row(FrRecording *r, FrQuery *query, void *arg) {
    FrReadSkin *skin = arg;
    FrSkinHead h;
    int32_t normals, uvs;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_i32(query, 0, 1, COUNT_MAX, &h.points));
    FR_TRY(fr_query_i32(query, 1, 0, COUNT_MAX, &h.tris));
    FR_TRY(fr_query_i32(query, 2, 0, 1, &normals));
    FR_TRY(fr_query_i32(query, 3, 0, 1, &uvs));
    FR_TRY(fr_query_i32(query, 4, 0, h.tris, &h.closings));
    FR_TRY(fr_query_blob(query, 5, &z, &z_size));
    FR_TRY(fr_recording_charge(r, z_size));
    h.normals = normals != 0;
    h.uvs = uvs != 0;
    return fr_skin_code_read(r->ctx, &h, skin->tet_count, z, z_size, &skin->skin);
}

FrResult fr_recording_skin(FrRecording *r, int64_t hash, int32_t tet_count, FrReadSkin **out) {
    for (int32_t k = 0; k < r->skin.count; k++)
        if (r->skin.data[k]->hash == (uint64_t)hash && r->skin.data[k]->tet_count == tet_count)
            return *out = r->skin.data[k], FR_OK;
    FrReadSkin *skin = FR_NEW(r->ctx, FrReadSkin, 1);
    FrCell cell = fr_cell_int(hash);
    if (!skin) return fr_no_memory(r->ctx, "a skin");
    skin->hash = (uint64_t)hash;
    skin->tet_count = tet_count;
    FrResult result = fr_recording_each(
        r,
        &(FrSelect){"skin", "SELECT points, tris, normals, uvs, closings, z FROM skin WHERE hash=?",
                    &cell, 1},
        skin_row, skin);
    if (result == FR_OK && !skin->skin.at) result = missing(r, "skin", hash);
    if (result == FR_OK && !fr_array_push(r->ctx, &r->skin, skin))
        result = fr_no_memory(r->ctx, "a skin");
    if (result != FR_OK) {
        fr_skin_code_free(r->ctx, &skin->skin);
        fr_free(r->ctx, skin);
    }
    *out = result == FR_OK ? skin : NULL;
    return result;
}

static FrResult bend_row(FrRecording *r, FrQuery *query, void *arg) {
    FrReadBend *bend = arg;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_i32(query, 0, 1, COUNT_MAX, &bend->modes.mode_count));
    FR_TRY(fr_query_i32(query, 1, 1, COUNT_MAX, &bend->modes.node_count));
    FR_TRY(fr_query_blob(query, 2, &z, &z_size));
    FR_TRY(fr_recording_charge(r, z_size));
    FR_TRY(fr_bend_code_read(r->ctx, bend->modes.mode_count, bend->modes.node_count, z, z_size,
                             &bend->shape));
    bend->modes.shape = bend->shape;
    return FR_OK;
}

// by which modes a body of `nodes` nodes bends
static FrResult bend_of(FrRecording *r, int64_t hash, int32_t nodes, const FrModeShapes **out) {
    FrReadBend *bend = NULL;
    for (int32_t k = 0; k < r->bend.count && !bend; k++)
        if (r->bend.data[k]->hash == (uint64_t)hash) bend = r->bend.data[k];
    if (!bend) {
        bend = FR_NEW(r->ctx, FrReadBend, 1);
        FrCell cell = fr_cell_int(hash);
        if (!bend) return fr_no_memory(r->ctx, "modes");
        bend->hash = (uint64_t)hash;
        FrResult result = fr_recording_each(
            r, &(FrSelect){"bend", "SELECT modes, nodes, z FROM bend WHERE hash=?", &cell, 1},
            bend_row, bend);
        if (result == FR_OK && !bend->shape) result = missing(r, "bend", hash);
        if (result == FR_OK && !fr_array_push(r->ctx, &r->bend, bend))
            result = fr_no_memory(r->ctx, "modes");
        if (result != FR_OK) {
            FR_FREE_ALL(r->ctx, bend->shape, bend);
            return result;
        }
    }
    if (bend->modes.node_count != nodes)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: bend: modes of %d nodes bend a body of %d",
                       r->info.path, bend->modes.node_count, nodes);
    *out = &bend->modes;
    return FR_OK;
}

static FrResult material_row(FrRecording *r, FrQuery *query, void *arg) {
    const char *json;
    FR_TRY(fr_query_text(query, 0, &json));
    return fr_material_json_read(r->ctx, json, strlen(json), arg);
}

// columns of SELECT_BODY
enum {
    ID,
    PARENT,
    NAME,
    PIECE,
    MODEL,
    SHAPE,
    MESH,
    SKIN,
    MATERIAL,
    BORN,
    DIED,
    RADIUS,
    NORMAL,
    OFFSET = NORMAL + 3,
    RIGID,
    DEFORMS,
    BREAKS,
    BEND
};
#define SELECT_BODY                                                                                \
    "SELECT id, parent, name, piece, model, shape, mesh, skin, material, born, died, radius, "     \
    "nx, ny, nz, \"offset\", posed, deforms, breaks, bend FROM body ORDER BY id"

static FrResult keep_text(FrRecording *r, FrQuery *query, int column, const char **out) {
    const char *text;
    FR_TRY(fr_query_text(query, column, &text));
    FR_TRY(fr_recording_charge(r, strlen(text)));
    *out = fr_arena_text(&r->text, text, strlen(text));
    return *out ? FR_OK : fr_no_memory(r->ctx, "a name");
}

static FrResult body_shape(FrRecording *r, FrQuery *query, FrBodyView *view, FrReadBody *body) {
    const char *shape;
    int64_t hash;
    FR_TRY(fr_query_text(query, SHAPE, &shape));
    int kind = 0;
    while (kind < 3 && strcmp(shape, fr_record_shapes[kind])) kind++;
    if (kind == 3)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: shape \"%.20s\"; tets, sphere, plane are known",
                       r->info.path, shape);
    view->kind = (FrBodyKind)kind;
    FR_TRY(fr_query_real(query, RADIUS, &view->radius));
    FR_TRY(fr_query_real(query, NORMAL, &view->normal.x));
    FR_TRY(fr_query_real(query, NORMAL + 1, &view->normal.y));
    FR_TRY(fr_query_real(query, NORMAL + 2, &view->normal.z));
    FR_TRY(fr_query_real(query, OFFSET, &view->offset));
    if (view->kind != FR_BODY_TETS) return FR_OK;
    FrReadMesh *mesh;
    FR_TRY(fr_query_int(query, MESH, INT64_MIN, INT64_MAX, &hash));
    FR_TRY(fr_recording_mesh(r, hash, &mesh));
    body->mesh_hash = (uint64_t)hash;
    body->mesh = mesh;
    view->mesh = &mesh->mesh;
    view->surface = &mesh->surface;
    if (!fr_query_null(query, BEND)) {
        FR_TRY(fr_query_int(query, BEND, INT64_MIN, INT64_MAX, &hash));
        FR_TRY(bend_of(r, hash, mesh->mesh.node_count, &view->modes));
    }
    if (fr_query_null(query, SKIN)) return FR_OK;
    FrReadSkin *skin;
    FR_TRY(fr_query_int(query, SKIN, INT64_MIN, INT64_MAX, &hash));
    FR_TRY(fr_recording_skin(r, hash, mesh->mesh.tet_count, &skin));
    view->embedded = body->skin = &skin->skin;
    return FR_OK;
}

static FrResult read_flag(FrQuery *query, int column, bool *flag) {
    int32_t value = 0;
    FrResult result = fr_query_i32(query, column, 0, 1, &value);
    *flag = value != 0;
    return result;
}

static FrResult body_row(FrRecording *r, FrQuery *query, void *arg) {
    int32_t *count = arg, id;
    FrReadBody body = {.parent = -1, .died = INT64_MAX};
    FrBodyView view = {0};
    int64_t hash;
    FR_TRY(fr_query_i32(query, ID, *count, *count, &id));
    if (!fr_query_null(query, PARENT)) FR_TRY(fr_query_i32(query, PARENT, 0, id - 1, &body.parent));
    view.parent.index1 = body.parent + 1;
    FR_TRY(fr_query_i32(query, PIECE, 0, INT32_MAX, &body.piece));
    FR_TRY(fr_query_int(query, BORN, INT64_MIN, INT64_MAX, &body.born));
    if (!fr_query_null(query, DIED))
        FR_TRY(fr_query_int(query, DIED, INT64_MIN, INT64_MAX, &body.died));
    FR_TRY(keep_text(r, query, NAME, &view.name));
    FR_TRY(keep_text(r, query, MODEL, &view.model));
    FR_TRY(body_shape(r, query, &view, &body));
    FR_TRY(read_flag(query, RIGID, &view.rigid));
    FR_TRY(read_flag(query, DEFORMS, &view.deforms));
    FR_TRY(read_flag(query, BREAKS, &view.breaks));
    FR_TRY(fr_query_int(query, MATERIAL, INT64_MIN, INT64_MAX, &hash));
    FrCell cell = fr_cell_int(hash);
    FR_TRY(fr_recording_each(
        r, &(FrSelect){"material", "SELECT json FROM material WHERE hash=?", &cell, 1},
        material_row, &view.material));
    // the arrays never shrink, so that a refresh keeps each body's buffers
    FrBodyFrame frame = {.rotation = fr_quat_identity};
    if (id >= r->body.count) {
        if (!fr_array_reserve(r->ctx, &r->view, 1) || !fr_array_reserve(r->ctx, &r->frame, 1) ||
            !fr_array_push(r->ctx, &r->body, body))
            return fr_no_memory(r->ctx, "a body");
        (void)fr_array_push(r->ctx, &r->view, view);
        (void)fr_array_push(r->ctx, &r->frame, frame);
    }
    FrReadBody *slot = &r->body.data[id];
    fr_recording_uncut(r->ctx, slot);
    fr_array_free(r->ctx, &slot->load);
    fr_array_free(r->ctx, &slot->plastic);
    fr_array_free(r->ctx, &slot->warmth);
    body.p = slot->p;
    body.v = slot->v;
    body.room = slot->room;
    fr_free(r->ctx, slot->z); // of other modes, maybe
    *slot = body;
    r->view.data[id] = view;
    r->frame.data[id] = frame;
    ++*count;
    return FR_OK;
}

FrResult fr_recording_load_bodies(FrRecording *r) {
    int32_t count = 0;
    FR_TRY(fr_recording_each(r, &(FrSelect){"body", SELECT_BODY, NULL, 0}, body_row, &count));
    // a resumed run may have fewer bodies than it had before it was killed
    for (int32_t k = count; k < r->body.count; k++)
        fr_recording_drop_body(r->ctx, &r->body.data[k]);
    r->body.count = r->view.count = r->frame.count = count;
    return FR_OK;
}

void fr_recording_drop_body(FrContext *ctx, FrReadBody *body) {
    fr_recording_uncut(ctx, body);
    fr_free(ctx, body->p);
    fr_free(ctx, body->v);
    fr_free(ctx, body->z);
    fr_array_free(ctx, &body->load);
    fr_array_free(ctx, &body->plastic);
    fr_array_free(ctx, &body->warmth);
}

static int32_t node_count_of(const FrBodyView *view) {
    return view->mesh ? view->mesh->node_count : 0;
}

typedef struct StateWalk {
    FrReadMoment at; ///< of the body
    bool burst;      ///< rows say how far the body's cuts had come
    int32_t id;      ///< last body seen
    size_t total;    ///< compressed bytes so far
    int32_t modes;   ///< of the row; 0: it has a pose or nodes
    FrHash *hash;    ///< hash instead of decoding
} StateWalk;

// room for the numbers of its modes; `encoding` says that it has some
static FrResult take_modes(FrRecording *r, StateWalk *walk, int32_t encoding) {
    const FrModeShapes *modes = r->view.data[walk->id].modes;
    FrReadBody *body = &r->body.data[walk->id];
    walk->modes = encoding == FR_STATE_MODES && modes ? modes->mode_count : 0;
    if (encoding != FR_STATE_MODES) return FR_OK;
    if (!walk->modes || walk->burst)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: state of body %d: it bends by no modes",
                       r->info.path, walk->id);
    if (!body->z) body->z = FR_NEW(r->ctx, double, 2 * (size_t)walk->modes);
    return body->z ? FR_OK : fr_no_memory(r->ctx, "a frame");
}

static size_t state_size(const StateWalk *walk, int32_t nodes) {
    return walk->modes ? fr_state_modes_size(walk->modes) : fr_state_size(nodes);
}

// the body's row as raw bytes in r->raw; `nodes`: that it has, 0 for a pose
static FrResult unpack_state(FrRecording *r, FrQuery *query, StateWalk *walk, int32_t *nodes) {
    int32_t encoding;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_i32(query, 0, walk->id + 1, r->body.count - 1, &walk->id));
    FR_TRY(fr_query_i32(query, 1, FR_STATE_NODES, FR_STATE_MODES, &encoding));
    FR_TRY(take_modes(r, walk, encoding));
    if (walk->burst) {
        FR_TRY(fr_query_i32(query, 3, 0, INT32_MAX / 24, &walk->at.nodes));
        FR_TRY(fr_query_i32(query, 4, 0, INT32_MAX, &walk->at.cuts));
    }
    *nodes = 0;
    if (encoding == FR_STATE_NODES) FR_TRY(fr_recording_nodes_at(r, walk->id, walk->at, nodes));
    FR_TRY(fr_query_blob(query, 2, &z, &z_size));
    // rows that share bytes of the file would let a small file unpack into a large one
    walk->total += z_size;
    if (walk->total > r->info.file_size + 65536)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: damaged: a frame longer than the file",
                       r->info.path);
    size_t size = state_size(walk, *nodes);
    if (r->raw_room < size) {
        uint8_t *moved = fr_resize(r->ctx, r->raw, size);
        if (!moved) return fr_no_memory(r->ctx, "a frame");
        r->raw = moved;
        r->raw_room = size;
    }
    return fr_inflate(r->ctx, z, z_size, r->raw, size);
}

static FrResult give_room(FrRecording *r, FrReadBody *body, int32_t nodes) {
    if (body->p && body->v && nodes <= body->room) return FR_OK;
    fr_free(r->ctx, body->p);
    fr_free(r->ctx, body->v);
    body->p = FR_NEW(r->ctx, double, 3 * (size_t)nodes);
    body->v = FR_NEW(r->ctx, double, 3 * (size_t)nodes);
    body->room = nodes;
    return body->p && body->v ? FR_OK : fr_no_memory(r->ctx, "a frame");
}

// nodes of a rigid body from its pose
static void place_nodes(const FrTetMesh *mesh, FrReadBody *body, FrBodyFrame *frame) {
    for (int32_t k = 0; k < mesh->node_count; k++) {
        FrVec3 arm = fr_quat_rotate(frame->rotation, fr_get3(mesh->x, k));
        fr_set3(body->p, k, fr_add(frame->position, arm));
        fr_set3(body->v, k, fr_add(frame->velocity, fr_cross(frame->spin, arm)));
    }
    frame->p = body->p;
    frame->v = body->v;
}

// loads of `nodes` nodes from a column of the row
static FrResult read_loads(FrRecording *r, FrQuery *query, int column, int32_t nodes,
                           FrReadBody *body) {
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_blob(query, column, &z, &z_size));
    FR_TRY(fr_inflate_check(r->ctx, z, z_size, (size_t)nodes));
    uint8_t *bytes = fr_alloc(r->ctx, (size_t)nodes + 1);
    body->load.count = 0;
    FrResult result = bytes && fr_array_extend(r->ctx, &body->load, nodes)
                          ? fr_inflate(r->ctx, z, z_size, bytes, (size_t)nodes)
                          : fr_no_memory(r->ctx, "a frame");
    for (int32_t n = 0; result == FR_OK && n < nodes; n++)
        body->load.data[n] = bytes[n] == FR_LOAD_RIGID ? -1 : (float)(bytes[n] / FR_LOAD_ONE);
    fr_free(r->ctx, bytes);
    return result;
}

// what a frame of a burst knows of the inside of a body
static FrResult burst_loads(FrRecording *r, FrQuery *query, int32_t id, int32_t nodes) {
    FrReadBody *body = &r->body.data[id];
    if (!nodes || !body->mesh || fr_query_null(query, 5)) return FR_OK;
    body->plastic.count = body->warmth.count = 0;
    FR_TRY(read_loads(r, query, 5, nodes, body));
    FR_TRY(fr_recording_play_fields(r, body, r->view.data[id].mesh));
    r->frame.data[id].load = body->load.data;
    return FR_OK;
}

static FrResult state_row(FrRecording *r, FrQuery *query, void *arg) {
    StateWalk *walk = arg;
    int32_t nodes;
    FR_TRY(unpack_state(r, query, walk, &nodes));
    int32_t id = walk->id;
    if (walk->hash) {
        fr_hash_u64(walk->hash, (uint64_t)id);
        fr_hash_bytes(walk->hash, r->raw, state_size(walk, nodes));
        return FR_OK;
    }
    FrReadBody *body = &r->body.data[id];
    FR_TRY(fr_recording_follow(r, id, walk->at));
    if (nodes > node_count_of(&r->view.data[id]))
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: state of body %d: %d nodes of %d", r->info.path,
                       id, nodes, node_count_of(&r->view.data[id]));
    FR_TRY(give_room(r, body, node_count_of(&r->view.data[id])));
    FrBodyFrame *frame = &r->frame.data[id];
    bool good = walk->modes ? fr_state_decode_modes(r->raw, walk->modes, body->z, frame)
                            : fr_state_decode(r->raw, nodes, body->p, body->v, frame);
    if (!good)
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: state of body %d: a number is not finite",
                       r->info.path, id);
    if (walk->modes)
        fr_bend_code_place(r->view.data[id].mesh, r->view.data[id].modes, body->p, body->v, frame);
    else if (nodes)
        fr_recording_play_back(body, nodes, node_count_of(&r->view.data[id]));
    else if (r->view.data[id].mesh)
        place_nodes(r->view.data[id].mesh, body, &r->frame.data[id]);
    r->frame.data[id].alive = true;
    return walk->burst ? burst_loads(r, query, id, nodes) : FR_OK;
}

static FrResult strain_row(FrRecording *r, FrQuery *query, void *arg) {
    FrReadBody *body = arg;
    int32_t tets;
    const void *z;
    size_t z_size;
    FR_TRY(fr_query_i32(query, 0, 1, COUNT_MAX, &tets));
    FR_TRY(fr_query_blob(query, 1, &z, &z_size));
    size_t count = 6 * (size_t)tets, size = 4 * count;
    FR_TRY(fr_inflate_check(r->ctx, z, z_size, size));
    uint8_t *planes = fr_alloc(r->ctx, size);
    body->plastic.count = 0;
    FrResult result = planes && fr_array_extend(r->ctx, &body->plastic, 6 * tets)
                          ? fr_inflate(r->ctx, z, z_size, planes, size)
                          : fr_no_memory(r->ctx, "a frame");
    if (result == FR_OK) fr_planes_join(planes, count, body->plastic.data);
    fr_free(r->ctx, planes);
    for (size_t k = 0; result == FR_OK && k < count; k++)
        if (!isfinite(body->plastic.data[k]))
            result =
                fr_fail(r->ctx, FR_BAD_INPUT, "%s: strain: a number is not finite", r->info.path);
    return result;
}

// temperatures of `nodes` nodes
static FrResult read_warmth(FrRecording *r, FrQuery *query, int32_t nodes, FrReadBody *body) {
    const void *z;
    size_t z_size, size = 4 * (size_t)nodes;
    FR_TRY(fr_query_blob(query, 3, &z, &z_size));
    FR_TRY(fr_inflate_check(r->ctx, z, z_size, size));
    uint8_t *planes = fr_alloc(r->ctx, size + 1);
    body->warmth.count = 0;
    FrResult result = planes && fr_array_extend(r->ctx, &body->warmth, nodes)
                          ? fr_inflate(r->ctx, z, z_size, planes, size)
                          : fr_no_memory(r->ctx, "a frame");
    if (result == FR_OK) fr_planes_join(planes, (size_t)nodes, body->warmth.data);
    fr_free(r->ctx, planes);
    for (int32_t n = 0; result == FR_OK && n < nodes; n++)
        if (!isfinite(body->warmth.data[n]))
            result =
                fr_fail(r->ctx, FR_BAD_INPUT, "%s: warmth: a number is not finite", r->info.path);
    return result;
}

// what a frame knows of the inside of a body that it has nodes of
static FrResult field_row(FrRecording *r, FrQuery *query, void *arg) {
    const int64_t *tick = arg;
    int32_t id;
    int64_t hash = 0;
    FR_TRY(fr_query_i32(query, 0, 0, r->body.count - 1, &id));
    FrReadBody *body = &r->body.data[id];
    const FrTetMesh *mesh = r->view.data[id].mesh;
    if (!r->frame.data[id].alive || !mesh || !body->mesh) return FR_OK;
    body->load.count = body->plastic.count = body->warmth.count = 0;
    if (!fr_query_null(query, 3)) {
        int32_t nodes;
        FR_TRY(fr_recording_nodes_at(r, id, (FrReadMoment){*tick, -1, -1}, &nodes));
        FR_TRY(read_warmth(r, query, nodes, body));
    }
    if (!fr_query_null(query, 1)) {
        int32_t nodes;
        FR_TRY(fr_recording_nodes_at(r, id, (FrReadMoment){*tick, -1, -1}, &nodes));
        FR_TRY(read_loads(r, query, 1, nodes, body));
    }
    if (!fr_query_null(query, 2)) {
        FR_TRY(fr_query_int(query, 2, INT64_MIN, INT64_MAX, &hash));
        FrCell cell = fr_cell_int(hash);
        FR_TRY(fr_recording_each(
            r, &(FrSelect){"strain", "SELECT tets, z FROM strain WHERE hash=?", &cell, 1},
            strain_row, body));
        if (!body->plastic.count) return missing(r, "strain", hash);
    }
    int32_t tets = body->plastic.count / 6;
    if (tets > mesh->tet_count || (tets && tets < body->mesh->mesh.tet_count))
        return fr_fail(r->ctx, FR_BAD_INPUT, "%s: field of body %d: %d tets of %d", r->info.path,
                       id, tets, mesh->tet_count);
    FR_TRY(fr_recording_play_fields(r, body, mesh));
    r->frame.data[id].load = body->load.count ? body->load.data : NULL;
    r->frame.data[id].plastic = body->plastic.count ? body->plastic.data : NULL;
    r->frame.data[id].warmth = body->warmth.count ? body->warmth.data : NULL;
    return FR_OK;
}

#define SELECT_STATE "SELECT body, enc, z FROM state WHERE tick=? ORDER BY body"
#define SELECT_BURST                                                                               \
    "SELECT body, enc, z, nodes, cuts, load FROM burst_state WHERE sample=? ORDER BY body"

static StateWalk walk_to(int64_t tick) { return (StateWalk){.at = {tick, -1, -1}, .id = -1}; }

static FrResult read_states(FrRecording *r, const char *sql, int64_t key, StateWalk walk, double t,
                            const FrFrameView **view) {
    int64_t tick = walk.at.tick;
    FrCell cell = fr_cell_int(key);
    for (int32_t b = 0; b < r->body.count; b++) {
        bool plane = r->view.data[b].kind == FR_BODY_PLANE;
        bool alive = plane && tick >= r->body.data[b].born && tick < r->body.data[b].died;
        r->frame.data[b] = (FrBodyFrame){.rotation = fr_quat_identity, .alive = alive};
    }
    FR_TRY(fr_recording_each(r, &(FrSelect){"state", sql, &cell, 1}, state_row, &walk));
    r->current = (FrFrameView){tick, t, r->info.body_count, r->view.data, r->frame.data};
    *view = &r->current;
    return FR_OK;
}

FrResult fr_recording_frame(FrRecording *r, int32_t k, const FrFrameView **view) {
    FR_ASSERT_IN(r->ctx, k >= 0 && k < r->info.frame_count,
                 "ask for a frame between 0 and frame_count - 1");
    int64_t tick = r->tick.data[k];
    FrCell cell = fr_cell_int(tick);
    FR_TRY(read_states(r, SELECT_STATE, tick, walk_to(tick), r->t.data[k], view));
    return fr_recording_each(
        r,
        &(FrSelect){"field",
                    "SELECT body, load, strain, warmth FROM field WHERE tick=? ORDER BY body",
                    &cell, 1},
        field_row, &tick);
}

FrResult fr_recording_burst(FrRecording *r, int32_t k, const FrFrameView **view) {
    FR_ASSERT_IN(r->ctx, k >= 0 && k < r->info.burst_count,
                 "ask for a frame between 0 and burst_count - 1");
    StateWalk walk = walk_to(r->burst_tick.data[k]);
    walk.burst = true;
    return read_states(r, SELECT_BURST, r->burst_sample.data[k], walk, r->burst_t.data[k], view);
}

static FrResult source_get(void *user, int32_t k, const FrFrameView **view) {
    return fr_recording_frame(user, k, view);
}

static FrResult burst_get(void *user, int32_t k, const FrFrameView **view) {
    return fr_recording_burst(user, k, view);
}

void fr_recording_set_bursts(FrRecording *r, bool bursts) { r->bursts = bursts; }
bool fr_recording_shows_bursts(const FrRecording *r) { return r->bursts; }

void fr_recording_source(FrRecording *r, FrFrameSource *source) {
    *source = (FrFrameSource){
        .user = r, .frame_count = r->info.frame_count, .fps = r->info.fps, .get = source_get};
    if (!r->bursts) return;
    source->frame_count = r->info.burst_count;
    source->fps = r->info.burst_hz;
    source->get = burst_get;
}

FrResult fr_recording_bare_frame(FrRecording *r, int32_t k, const FrFrameView **view) {
    bool was = r->bare;
    r->bare = true;
    FrResult result = fr_recording_frame(r, k, view);
    r->bare = was;
    return result;
}

static FrResult bare_get(void *user, int32_t k, const FrFrameView **view) {
    return fr_recording_bare_frame(user, k, view);
}

static FrResult bare_burst(void *user, int32_t k, const FrFrameView **view) {
    FrRecording *r = user;
    bool was = r->bare;
    r->bare = true;
    FrResult result = fr_recording_burst(r, k, view);
    r->bare = was;
    return result;
}

void fr_recording_bare_source(FrRecording *r, FrFrameSource *source) {
    fr_recording_source(r, source);
    source->get = r->bursts ? bare_burst : bare_get;
}

FrResult fr_recording_frame_hash(FrRecording *r, int32_t k, uint64_t *out) {
    FR_ASSERT_IN(r->ctx, k >= 0 && k < r->info.frame_count,
                 "ask for a frame between 0 and frame_count - 1");
    FrHash hash;
    StateWalk walk = walk_to(r->tick.data[k]);
    walk.hash = &hash;
    FrCell cell = fr_cell_int(r->tick.data[k]);
    fr_hash_begin(&hash, 0);
    fr_hash_u64(&hash, (uint64_t)r->tick.data[k]);
    fr_hash_f64(&hash, r->t.data[k]);
    FR_TRY(fr_recording_each(r, &(FrSelect){"state", SELECT_STATE, &cell, 1}, state_row, &walk));
    *out = fr_hash_end(&hash);
    return FR_OK;
}

FrResult fr_recording_hash(FrRecording *r, uint64_t *frames, uint64_t *events) {
    FrHash hash;
    FrEventLog log;
    fr_hash_begin(&hash, 0);
    for (int32_t k = 0; k < r->info.frame_count; k++) {
        uint64_t one;
        FR_TRY(fr_recording_frame_hash(r, k, &one));
        fr_hash_u64(&hash, one);
    }
    *frames = fr_hash_end(&hash);
    fr_event_log_init(&log, r->ctx);
    FrResult result = fr_recording_events(r, &log);
    *events = fr_event_log_hash(&log);
    fr_event_log_free(&log);
    return result;
}
