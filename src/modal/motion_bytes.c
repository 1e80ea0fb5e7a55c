// motion_bytes.c: a cooked body that bends by modes as bytes and back, little-endian, checked when
// read.
//
//     "MOTN"  i32 version   i32 nodes, tets, regions (0 or 1), materials, held nodes, modes,
//     points, triangles, normals (0 or 1), uvs (0 or 1)   name, 40 bytes   then x y z of each node,
//     f64; four i32 of each tet; its region, i32; materials (src/material/material_bytes.c); held
//     nodes, i32; per mode: squared angular frequency, f64; largest displacement of a node, f64;
//     what gravity does, rows x y z, f64; x y z of each node, f32. Then the fine surface: of each
//     point its tet, i32, and four weights, f64; normals, f64; uvs, f64; three i32 of each
//     triangle.

#include "material/material_bytes.h"
#include "math/vec.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "modal/motion.h"
#include <math.h>
#include <string.h>

static const char magic[4] = {'M', 'O', 'T', 'N'};
#define VERSION 2
/// Counts are below this: sizes of arrays stay far from overflow.
#define MOST 0x3fffff
#define MOST_MATERIALS 4096
/// Numbers beyond this are nonsense: metres, and what modes are.
#define LARGE 1e15
/// Share by which a largest displacement may be off its floats, 1.
#define OFF 1e-6

/// What a motion begins with.
typedef struct Head {
    int32_t nodes, tets, regions, materials, held, modes, points, tris, normals, uvs;
} Head;
#define COUNTS 10

static void counts_of(Head *h, int32_t *count[COUNTS]) {
    int32_t *all[COUNTS] = {&h->nodes, &h->tets,   &h->regions, &h->materials, &h->held,
                            &h->modes, &h->points, &h->tris,    &h->normals,   &h->uvs};
    memcpy(count, all, sizeof all);
}

static void write_f32(FrWriter *w, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr_write_i32(w, (int32_t)bits);
}

static void write_f64s(FrWriter *w, const double *value, size_t count) {
    for (size_t k = 0; k < count; k++) fr_write_f64(w, value[k]);
}

static void write_skin(FrWriter *w, const FrEmbedded *skin, const Head *h) {
    for (int32_t k = 0; k < h->points; k++) {
        fr_write_i32(w, skin->at[k].tet);
        write_f64s(w, skin->at[k].b, 4);
    }
    if (h->normals) write_f64s(w, skin->normal, 3 * (size_t)h->points);
    if (h->uvs) write_f64s(w, skin->uv, 2 * (size_t)h->points);
    for (int32_t k = 0; k < 3 * h->tris; k++) fr_write_i32(w, skin->tri[k / 3][k % 3]);
}

void fr_motion_write(const FrMotion *m, FrWriter *w) {
    const FrBendModes *modes = &m->modes;
    size_t nodes = (size_t)m->mesh.node_count, count = (size_t)modes->count;
    Head h = {m->mesh.node_count,     m->mesh.tet_count, m->mesh.region != NULL, m->material_count,
              m->held_count,          modes->count,      m->skin.point_count,    m->skin.tri_count,
              m->skin.normal != NULL, m->skin.uv != NULL};
    int32_t *number[COUNTS];
    counts_of(&h, number);
    fr_write_bytes(w, magic, sizeof magic);
    fr_write_i32(w, VERSION);
    for (int k = 0; k < COUNTS; k++) fr_write_i32(w, *number[k]);
    fr_write_bytes(w, m->name, sizeof m->name);
    write_f64s(w, m->mesh.x, 3 * nodes);
    for (int32_t k = 0; k < 4 * h.tets; k++) fr_write_i32(w, m->mesh.tet[k / 4][k % 4]);
    for (int32_t k = 0; h.regions && k < h.tets; k++) fr_write_i32(w, m->mesh.region[k]);
    for (int32_t k = 0; k < h.materials; k++) fr_material_write(w, &m->material[k]);
    for (int32_t k = 0; k < h.held; k++) fr_write_i32(w, m->held[k]);
    write_f64s(w, modes->lambda, count);
    write_f64s(w, modes->most, count);
    write_f64s(w, modes->gravity, 3 * count);
    for (size_t k = 0; k < 3 * nodes * count; k++) write_f32(w, modes->shape[k]);
    write_skin(w, &m->skin, &h);
}

/// Reading one.
typedef struct Reading {
    FrContext *ctx;
    const char *what; ///< begins messages
    FrReader *r;
    Head h;
    FrMotion *m;
} Reading;

static FrResult wrong(const Reading *g, size_t at, const char *text) {
    return fr_fail(g->ctx, FR_BAD_INPUT, "%s, byte %zu: %s", g->what, at, text);
}

static FrResult read_head(Reading *g) {
    char word[4] = {0};
    size_t at = g->r->at;
    int32_t *number[COUNTS];
    counts_of(&g->h, number);
    fr_read_bytes(g->r, word, sizeof word);
    int32_t version = fr_read_i32(g->r);
    if (g->r->failed || memcmp(word, magic, sizeof magic))
        return wrong(g, at, "a motion begins with MOTN");
    if (version != VERSION)
        return fr_fail(g->ctx, FR_BAD_INPUT,
                       "%s, byte %zu: a motion of version %d; this program reads %d", g->what,
                       at + 4, version, VERSION);
    static const int32_t least[COUNTS] = {4, 1, 0, 1, 0, 0, 0, 0, 0, 0};
    for (int k = 0; k < COUNTS; k++) {
        bool flag =
            number[k] == &g->h.regions || number[k] == &g->h.normals || number[k] == &g->h.uvs;
        int32_t most = flag ? 1 : number[k] == &g->h.materials ? MOST_MATERIALS : MOST;
        at = g->r->at;
        *number[k] = fr_read_i32(g->r);
        if (*number[k] < least[k] || *number[k] > most)
            return fr_fail(g->ctx, FR_BAD_INPUT, "%s, byte %zu: count %d; %d to %d is possible",
                           g->what, at, *number[k], least[k], most);
    }
    return FR_OK;
}

// before anything is allocated: files of a few bytes ask for no gigabytes
static FrResult check_size(const Reading *g) {
    const Head *h = &g->h;
    double nodes = h->nodes, modes = h->modes, points = h->points;
    double need = 40 + 24 * nodes + 16.0 * h->tets + 4.0 * h->tets * h->regions + 4.0 * h->held +
                  modes * (40 + 12 * nodes) + 36 * points + 24 * points * h->normals +
                  16 * points * h->uvs + 12.0 * h->tris;
    if (need <= (double)fr_reader_left(g->r)) return FR_OK;
    return fr_fail(g->ctx, FR_BAD_INPUT,
                   "%s, byte %zu: %d nodes, %d tets, %d modes and %d points need %.0f bytes; %zu "
                   "are left",
                   g->what, g->r->at, h->nodes, h->tets, h->modes, h->points, need,
                   fr_reader_left(g->r));
}

static FrResult make_room(Reading *g) {
    FrMotion *m = g->m;
    const Head *h = &g->h;
    FR_TRY(fr_tetmesh_alloc(g->ctx, h->nodes, h->tets, 1, h->regions != 0, &m->mesh));
    FR_TRY(fr_bend_modes_alloc(g->ctx, h->modes, h->nodes, &m->modes));
    m->material = FR_NEW(g->ctx, FrMaterial, h->materials);
    m->held = FR_NEW(g->ctx, int32_t, h->held + 1);
    m->skin.at = FR_NEW(g->ctx, FrPoint, h->points + 1);
    m->skin.tri = fr_alloc_zero(g->ctx, (size_t)h->tris + 1, sizeof *m->skin.tri);
    if (h->normals) m->skin.normal = FR_NEW(g->ctx, double, 3 * (size_t)h->points + 1);
    if (h->uvs) m->skin.uv = FR_NEW(g->ctx, double, 2 * (size_t)h->points + 1);
    m->material_count = h->materials;
    m->held_count = h->held;
    m->skin.point_count = h->points;
    m->skin.tri_count = h->tris;
    bool good = m->material && m->held && m->skin.at && m->skin.tri &&
                (!h->normals || m->skin.normal) && (!h->uvs || m->skin.uv);
    return good ? FR_OK : fr_no_memory(g->ctx, "a motion");
}

static FrResult read_f64s(const Reading *g, double *to, size_t count, double least) {
    for (size_t k = 0; k < count; k++) {
        size_t at = g->r->at;
        to[k] = fr_read_f64(g->r);
        if (!(to[k] >= least && to[k] <= LARGE))
            return fr_fail(g->ctx, FR_BAD_INPUT, "%s, byte %zu: %g is out of range", g->what, at,
                           to[k]);
    }
    return FR_OK;
}

static FrResult read_ints(const Reading *g, int32_t *to, size_t count, int32_t end) {
    for (size_t k = 0; k < count; k++) {
        size_t at = g->r->at;
        to[k] = fr_read_i32(g->r);
        if (to[k] < 0 || to[k] >= end)
            return fr_fail(g->ctx, FR_BAD_INPUT, "%s, byte %zu: number %d; 0 to %d is possible",
                           g->what, at, to[k], end - 1);
    }
    return FR_OK;
}

static FrResult read_mesh(Reading *g) {
    FrMotion *m = g->m;
    const Head *h = &g->h;
    fr_read_bytes(g->r, m->name, sizeof m->name);
    m->name[sizeof m->name - 1] = 0;
    size_t at = g->r->at;
    FR_TRY(read_f64s(g, m->mesh.x, 3 * (size_t)h->nodes, -LARGE));
    FR_TRY(read_ints(g, &m->mesh.tet[0][0], 4 * (size_t)h->tets, h->nodes));
    if (h->regions) FR_TRY(read_ints(g, m->mesh.region, (size_t)h->tets, h->materials));
    FrResult result = fr_tetmesh_check(g->ctx, &m->mesh, NULL);
    if (result == FR_OK) return FR_OK;
    return fr_fail_within(g->ctx, result, "%s, byte %zu: ", g->what, at);
}

static FrResult read_materials(Reading *g) {
    for (int32_t k = 0; k < g->h.materials; k++) {
        size_t at = g->r->at;
        fr_material_read(g->r, &g->m->material[k]);
        FrResult result = g->r->failed ? wrong(g, at, "ends inside a material")
                                       : fr_material_check(g->ctx, &g->m->material[k]);
        if (g->r->failed) return result;
        if (result != FR_OK)
            return fr_fail_within(g->ctx, FR_BAD_INPUT, "%s, byte %zu: ", g->what, at);
    }
    return FR_OK;
}

static float read_f32(FrReader *r) {
    uint32_t bits = (uint32_t)fr_read_i32(r);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// a mode, and whether no node goes farther than it is said to
static FrResult read_shape(const Reading *g, int32_t mode) {
    const FrBendModes *modes = &g->m->modes;
    size_t nodes = (size_t)g->h.nodes, at = g->r->at;
    float *w = modes->shape + 3 * nodes * (size_t)mode;
    double most = 0.0;
    for (size_t n = 0; n < nodes; n++) {
        for (int axis = 0; axis < 3; axis++) w[3 * n + (size_t)axis] = read_f32(g->r);
        FrVec3 d = fr_vec3((double)w[3 * n], (double)w[3 * n + 1], (double)w[3 * n + 2]);
        if (!fr_vec3_finite(d) || fr_length(d) > LARGE) return wrong(g, at, "a mode without end");
        most = fr_max(most, fr_length(d));
    }
    if (fabs(most - modes->most[mode]) <= OFF * most) return FR_OK;
    return fr_fail(g->ctx, FR_BAD_INPUT,
                   "%s, byte %zu: mode %d moves nodes by %g, not by %g as it says", g->what, at,
                   mode, most, modes->most[mode]);
}

static FrResult read_modes(Reading *g) {
    const FrBendModes *modes = &g->m->modes;
    size_t count = (size_t)modes->count;
    FR_TRY(read_ints(g, g->m->held, (size_t)g->h.held, g->h.nodes));
    // what does not swing at all would be no mode but a rigid motion
    FR_TRY(read_f64s(g, modes->lambda, count, 1e-12));
    FR_TRY(read_f64s(g, modes->most, count, 0.0));
    FR_TRY(read_f64s(g, modes->gravity, 3 * count, -LARGE));
    for (int32_t k = 0; k < modes->count; k++) FR_TRY(read_shape(g, k));
    return FR_OK;
}

static FrResult read_skin(Reading *g) {
    FrEmbedded *skin = &g->m->skin;
    for (int32_t k = 0; k < g->h.points; k++) {
        FR_TRY(read_ints(g, &skin->at[k].tet, 1, g->h.tets));
        FR_TRY(read_f64s(g, skin->at[k].b, 4, -LARGE));
    }
    if (g->h.normals) FR_TRY(read_f64s(g, skin->normal, 3 * (size_t)g->h.points, -LARGE));
    if (g->h.uvs) FR_TRY(read_f64s(g, skin->uv, 2 * (size_t)g->h.points, -LARGE));
    return read_ints(g, &skin->tri[0][0], 3 * (size_t)g->h.tris, g->h.points);
}

// of a body without a fine surface the nodes outside are drawn; those inside are points, too
static FrResult draw_tets(Reading *g) {
    FrMotion *m = g->m;
    FrSurface surface;
    m->drawn = m->skin;
    if (m->skin.point_count) return FR_OK;
    m->drawn = (FrEmbedded){.point_count = g->h.nodes};
    m->drawn.at = FR_NEW(g->ctx, FrPoint, g->h.nodes);
    if (!m->drawn.at) return fr_no_memory(g->ctx, "a surface");
    for (int32_t k = 0; k < 4 * g->h.tets; k++) {
        FrPoint at = {.tet = k / 4};
        at.b[k % 4] = 1.0;
        m->drawn.at[m->mesh.tet[k / 4][k % 4]] = at;
    }
    FR_TRY(fr_tetmesh_surface(g->ctx, &m->mesh, &surface));
    m->drawn.tri = surface.tri;
    m->drawn.tri_count = surface.tri_count;
    surface.tri = NULL;
    fr_free(g->ctx, surface.tet);
    return FR_OK;
}

static FrResult read_all(Reading *g) {
    FR_TRY(make_room(g));
    FR_TRY(read_mesh(g));
    FR_TRY(read_materials(g));
    FR_TRY(read_modes(g));
    FR_TRY(read_skin(g));
    if (g->r->failed) return wrong(g, g->r->at, "ends too soon");
    return draw_tets(g);
}

FrResult fr_motion_read(FrContext *ctx, const char *what, FrReader *reader, FrMotion **motion) {
    Reading g = {.ctx = ctx, .what = what, .r = reader};
    *motion = NULL;
    FR_TRY(read_head(&g));
    FR_TRY(check_size(&g));
    g.m = FR_NEW(ctx, FrMotion, 1);
    if (!g.m) return fr_no_memory(ctx, "a motion");
    g.m->ctx = ctx;
    FrResult result = read_all(&g);
    if (result == FR_OK)
        *motion = g.m;
    else
        fr_motion_destroy(g.m);
    return result;
}
