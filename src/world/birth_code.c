// birth_code.c: a body's definition as bytes and back, field by field: one walk, two directions.

#include "world/birth_code.h"
#include "base/array.h"
#include "material/material_bytes.h"
#include <string.h>

typedef struct Walk {
    FrContext *ctx;
    FrWriter *writer; ///< NULL when reading
    FrReader *reader;
    bool no_memory;
} Walk;

static void walk_f64(Walk *w, double *x) {
    if (w->writer)
        fr_write_f64(w->writer, *x);
    else
        *x = fr_read_f64(w->reader);
}

static void walk_f64s(Walk *w, double *x, int count) {
    for (int k = 0; k < count; k++) walk_f64(w, &x[k]);
}

static void walk_vec3(Walk *w, FrVec3 *v) {
    walk_f64(w, &v->x);
    walk_f64(w, &v->y);
    walk_f64(w, &v->z);
}

static void walk_quat(Walk *w, FrQuat *q) {
    walk_f64(w, &q->w);
    walk_f64(w, &q->x);
    walk_f64(w, &q->y);
    walk_f64(w, &q->z);
}

static void walk_i32(Walk *w, int32_t *x) {
    if (w->writer)
        fr_write_i32(w->writer, *x);
    else
        *x = fr_read_i32(w->reader);
}

static void walk_bool(Walk *w, bool *x) {
    if (w->writer)
        fr_write_u8(w->writer, *x);
    else
        *x = fr_read_u8(w->reader) != 0;
}

// numbers without gaps between them; NULL and 0 of them when there are none
static void walk_array(Walk *w, void **data, int32_t count, size_t item) {
    if (count <= 0 || (w->writer && !*data)) return;
    if (w->writer) {
        fr_write_bytes(w->writer, *data, (size_t)count * item);
        return;
    }
    if ((size_t)count > fr_reader_left(w->reader) / item) {
        w->reader->failed = true;
        return;
    }
    *data = fr_alloc_zero(w->ctx, (size_t)count, item);
    w->no_memory = w->no_memory || !*data;
    if (*data) fr_read_bytes(w->reader, *data, (size_t)count * item);
}

#define WALK_ARRAY(w, data, count)                                                                 \
    do {                                                                                           \
        void *array_ = (void *)(uintptr_t)(data);                                                  \
        walk_array(w, &array_, count, sizeof *(data));                                             \
        (data) = array_;                                                                           \
    } while (0)

// an array that may be left out
#define WALK_OPTIONAL(w, data, count)                                                              \
    do {                                                                                           \
        bool there_ = (data) != NULL;                                                              \
        walk_bool(w, &there_);                                                                     \
        if (there_) WALK_ARRAY(w, data, count);                                                    \
    } while (0)

static void walk_text(Walk *w, char **text) {
    int32_t count = w->writer && *text ? (int32_t)strlen(*text) + 1 : 0;
    walk_i32(w, &count);
    WALK_ARRAY(w, *text, count);
    if (!w->writer && *text) (*text)[count - 1] = 0;
}

static void walk_mesh(Walk *w, FrTetMesh *mesh) {
    walk_i32(w, &mesh->node_count);
    walk_i32(w, &mesh->tet_count);
    mesh->corner_count = mesh->node_count;
    mesh->order = 1;
    if (mesh->node_count < 0 || mesh->node_count > INT32_MAX / 3) mesh->node_count = 0;
    if (mesh->tet_count < 0) mesh->tet_count = 0;
    WALK_ARRAY(w, mesh->x, 3 * mesh->node_count);
    WALK_ARRAY(w, mesh->tet, mesh->tet_count);
    WALK_OPTIONAL(w, mesh->region, mesh->tet_count);
}

static void walk_surface(Walk *w, FrSurface *surface) {
    walk_i32(w, &surface->tri_count);
    if (surface->tri_count < 0) surface->tri_count = 0;
    WALK_ARRAY(w, surface->tri, surface->tri_count);
    WALK_ARRAY(w, surface->tet, surface->tri_count);
    WALK_OPTIONAL(w, surface->opened, surface->tri_count);
    WALK_OPTIONAL(w, surface->piece, surface->tri_count);
}

static void walk_skin(Walk *w, FrEmbedded *skin) {
    walk_i32(w, &skin->point_count);
    walk_i32(w, &skin->tri_count);
    walk_i32(w, &skin->closing_count);
    if (skin->closing_count < 0 || skin->closing_count > skin->tri_count) skin->closing_count = 0;
    if (skin->point_count < 0 || skin->point_count > INT32_MAX / 3) skin->point_count = 0;
    if (skin->tri_count < 0) skin->tri_count = 0;
    if (!w->writer && (size_t)skin->point_count <= fr_reader_left(w->reader) / 36)
        skin->at = FR_NEW(w->ctx, FrPoint, skin->point_count);
    if (!skin->at) skin->point_count = 0;
    for (int32_t k = 0; k < skin->point_count; k++) {
        walk_i32(w, &skin->at[k].tet);
        walk_f64s(w, skin->at[k].b, 4);
    }
    WALK_ARRAY(w, skin->tri, skin->tri_count);
    WALK_OPTIONAL(w, skin->normal, 3 * skin->point_count);
    WALK_OPTIONAL(w, skin->uv, 2 * skin->point_count);
    WALK_OPTIONAL(w, skin->piece, skin->point_count);
    WALK_ARRAY(w, skin->opened, skin->closing_count);
}

static void walk_material(Walk *w, FrMaterial *m) {
    if (w->writer)
        fr_material_write(w->writer, m);
    else
        fr_material_read(w->reader, m);
}

static void walk_materials(Walk *w, FrMaterial **list, int32_t *count) {
    walk_i32(w, count);
    if (*count < 0 || *count > 4096) *count = 0;
    if (!w->writer) *list = FR_NEW(w->ctx, FrMaterial, *count);
    w->no_memory = w->no_memory || !*list;
    for (int32_t k = 0; *list && k < *count; k++) walk_material(w, &(*list)[k]);
}

static void walk_track(Walk *w, FrTrack *track, FrKey **key) {
    walk_i32(w, &track->count);
    if (track->count < 0) track->count = 0;
    WALK_ARRAY(w, *key, track->count);
    walk_vec3(w, &track->pivot);
    track->key = *key;
}

static void walk_crack(Walk *w, FrCrackDef *c) {
    FrCrackRemeshing *r = &c->remeshing;
    bool *flag[] = {&c->off,  &c->along_faces,     &c->upright,        &c->criterion.elastic_only,
                    &r->move, &c->shatter.release, &c->shatter.literal};
    double *number[] = {&c->residual,
                        &c->min_piece,
                        &c->settle,
                        &c->criterion.scan_interval,
                        &r->snap_distance,
                        &r->snap_angle,
                        &r->snap_part,
                        &r->together,
                        &r->straight,
                        &r->back_angle,
                        &r->min_height,
                        &c->pieces.rigid_piece,
                        &c->pieces.dust_piece,
                        &c->pieces.dust_mass,
                        &c->cost.step_floor,
                        &c->cost.added_mass,
                        &c->shatter.eta,
                        &c->shatter.exponent,
                        &c->shatter.stretch,
                        &c->shatter.least,
                        &c->shatter.dust};
    int32_t kind = (int32_t)c->criterion.kind, style = (int32_t)c->shatter.style;
    walk_i32(w, &kind);
    walk_i32(w, &style);
    c->criterion.kind = (FrCriterionKind)kind;
    c->shatter.style = (FrShatterStyle)style;
    for (size_t k = 0; k < sizeof flag / sizeof flag[0]; k++) walk_bool(w, flag[k]);
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) walk_f64(w, number[k]);
    walk_i32(w, &c->shatter.kin);
    walk_vec3(w, &c->toughness);
    walk_vec3(w, &c->cleavage);
}

static void walk_breaking(Walk *w, FrBirth *b) {
    FrCrackDef *c = &b->def.crack;
    walk_crack(w, c);
    WALK_OPTIONAL(w, b->weak, b->mesh.tet_count);
    walk_i32(w, &c->cut_count);
    if (c->cut_count < 0) c->cut_count = 0;
    WALK_ARRAY(w, b->cut, c->cut_count);
    walk_i32(w, &c->seed_count);
    if (c->seed_count < 0) c->seed_count = 0;
    WALK_ARRAY(w, b->seed, c->seed_count);
    c->seed = b->seed;
    c->weak = b->weak;
    c->cut = b->cut;
}

// modes that it did not compute
static void walk_cooked(Walk *w, FrBirth *b) {
    bool there = b->def.motion != NULL;
    walk_bool(w, &there);
    if (!there) return;
    if (w->writer)
        fr_motion_write(b->def.motion, w->writer);
    else if (fr_motion_read(w->ctx, "cooked modes", w->reader, &b->motion) != FR_OK)
        w->reader->failed = true;
    if (!w->writer) b->def.motion = b->motion;
}

static void walk_motion(Walk *w, FrBirth *b) {
    FrBodyDef *d = &b->def;
    walk_i32(w, &d->parent.index1);
    walk_vec3(w, &d->position);
    walk_quat(w, &d->rotation);
    walk_vec3(w, &d->velocity);
    walk_vec3(w, &d->spin);
    walk_bool(w, &d->linear);
    walk_bool(w, &d->turning);
    walk_bool(w, &d->self_contact);
    walk_bool(w, &d->kinematic);
    walk_f64(w, &d->until);
    walk_track(w, &d->track, &b->key);
    walk_i32(w, &d->modes);
    walk_i32(w, &d->held_count);
    if (d->held_count < 0) d->held_count = 0;
    WALK_ARRAY(w, b->held, d->held_count);
    d->held = b->held;
    walk_f64(w, &d->mode_fps);
    walk_cooked(w, b);
}

static void walk_def(Walk *w, FrBirth *b) {
    FrBodyDef *d = &b->def;
    int32_t model = (int32_t)d->model, method = (int32_t)d->method;
    bool mesh = d->mesh != NULL, surface = d->surface != NULL, skin = d->embedded != NULL;
    walk_text(w, &b->name);
    walk_i32(w, &model);
    walk_i32(w, &method);
    d->model = (FrModel)model;
    d->method = (FrStepMethod)method;
    walk_bool(w, &mesh);
    if (mesh) walk_mesh(w, &b->mesh);
    walk_bool(w, &surface);
    if (surface) walk_surface(w, &b->surface);
    walk_bool(w, &skin);
    if (skin) walk_skin(w, &b->skin);
    walk_materials(w, &b->material, &d->material_count);
    walk_f64(w, &d->radius);
    walk_vec3(w, &d->box);
    walk_vec3(w, &d->box_centre);
    walk_f64(w, &d->mass);
    walk_f64(w, &d->damping_limit);
    walk_f64(w, &d->temperature);
    walk_motion(w, b);
    walk_breaking(w, b);
    d->mesh = mesh ? &b->mesh : NULL;
    d->surface = surface ? &b->surface : NULL;
    d->embedded = skin ? &b->skin : NULL;
    d->name = b->name ? b->name : "";
    d->material = b->material;
}

void fr_birth_write(const FrBodyDef *def, FrWriter *writer) {
    Walk walk = {.ctx = writer->ctx, .writer = writer};
    FrBirth borrowed = {.def = *def,
                        .name = (char *)(uintptr_t)def->name,
                        .material = (FrMaterial *)(uintptr_t)def->material,
                        .key = (FrKey *)(uintptr_t)def->track.key,
                        .weak = (double *)(uintptr_t)def->crack.weak,
                        .cut = (FrPreCut *)(uintptr_t)def->crack.cut,
                        .seed = (FrVec3 *)(uintptr_t)def->crack.seed,
                        .held = (int32_t *)(uintptr_t)def->held};
    if (def->mesh) borrowed.mesh = *def->mesh;
    if (def->surface) borrowed.surface = *def->surface;
    if (def->embedded) borrowed.skin = *def->embedded;
    walk_def(&walk, &borrowed);
}

FrResult fr_birth_read(FrContext *ctx, FrReader *reader, FrBirth *birth) {
    size_t start = reader->at;
    Walk walk = {.ctx = ctx, .reader = reader};
    *birth = (FrBirth){.ctx = ctx, .def = fr_body_def_default()};
    walk_def(&walk, birth);
    if (walk.no_memory) return fr_no_memory(ctx, "a body of a checkpoint");
    if (reader->failed)
        return fr_fail(ctx, FR_BAD_INPUT, "byte %zu: not the definition of a body", start);
    return FR_OK;
}

void fr_birth_free(FrBirth *birth) {
    if (!birth->ctx) return;
    fr_tetmesh_free(birth->ctx, &birth->mesh);
    fr_surface_free(birth->ctx, &birth->surface);
    fr_embedded_free(birth->ctx, &birth->skin);
    fr_motion_destroy(birth->motion);
    FR_FREE_ALL(birth->ctx, birth->name, birth->material, birth->key, birth->weak, birth->cut,
                birth->seed, birth->held);
}
