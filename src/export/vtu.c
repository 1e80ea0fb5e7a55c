// vtu.c: frames for ParaView: appended raw binary with UInt64 headers.

#include "export/vtu.h"
#include "export/shapes.h"
#include "material/stress.h"
#include "base/json.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VTK_TRIANGLE = 5, VTK_QUAD = 9, VTK_TETRA = 10 };
enum {
    POINTS,
    VELOCITY,
    TEMPERATURE,
    CONNECTIVITY,
    OFFSETS,
    TYPES,
    BODY,
    PIECE,
    CRACK_TIME,
    STRESS,
    STRAIN,
    VON_MISES,
    ARRAYS
};

// what a cell belongs to
typedef struct Owner {
    int32_t body, piece;
    double opened; ///< s, for faces that a crack opened; -1: all others
} Owner;

// the arrays of one file, bytes ready to write
typedef struct Grid {
    FrWriter array[ARRAYS];
    int64_t points, cells, corners;
    FrBox box; ///< of all bodies in the first frame: planes reach as far in every frame
    bool boxed;
} Grid;

static void put_float(FrWriter *out, double value) {
    float narrow = (float)fr_clamp(value, -3e38, 3e38);
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    fr_write_i32(out, (int32_t)bits);
}

static void put_vec3(FrWriter *out, FrVec3 v) {
    put_float(out, v.x);
    put_float(out, v.y);
    put_float(out, v.z);
}

// VTK's order of symmetric tensors
static void put_sym3(FrWriter *out, FrSym3 s) {
    const double part[6] = {s.xx, s.yy, s.zz, s.xy, s.yz, s.zx};
    for (int k = 0; k < 6; k++) put_float(out, part[k]);
}

static void add_point(Grid *g, FrVec3 p, FrVec3 v, double temperature) {
    put_vec3(&g->array[POINTS], p);
    put_vec3(&g->array[VELOCITY], v);
    put_float(&g->array[TEMPERATURE], temperature);
    g->points++;
}

/// A cell of the grid.
typedef struct Cell {
    int type, count;       ///< VTK's number; corners
    const int32_t *corner; ///< (count)
    int64_t base;          ///< the point that corner 0 stands for
} Cell;

static void add_cell(Grid *g, Cell cell, Owner owner, const FrTetStress *stress) {
    for (int k = 0; k < cell.count; k++)
        fr_write_u64(&g->array[CONNECTIVITY], (uint64_t)(cell.base + cell.corner[k]));
    g->corners += cell.count;
    g->cells++;
    fr_write_u64(&g->array[OFFSETS], (uint64_t)g->corners);
    fr_write_u8(&g->array[TYPES], (uint8_t)cell.type);
    fr_write_i32(&g->array[BODY], owner.body);
    fr_write_i32(&g->array[PIECE], owner.piece);
    put_float(&g->array[CRACK_TIME], owner.opened);
    put_sym3(&g->array[STRESS], stress->cauchy);
    put_sym3(&g->array[STRAIN], stress->strain);
    put_float(&g->array[VON_MISES], stress->von_mises);
}

static const FrTetStress no_stress = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0, 0};

// What does not bend has no stress that could be known from where it is: rigid frames, and pieces
// that became rigid, which share no node with others.
static FrTetStress stress_of(const FrBodyView *body, const FrBodyFrame *frame, int32_t e) {
    const FrTetMesh *mesh = body->mesh;
    const float *plastic = frame->plastic ? frame->plastic + 6 * (size_t)e : NULL;
    FrVec3 x[4], p[4];
    if (body->rigid) return no_stress;
    if (frame->load && frame->load[mesh->tet[e][0]] < 0) return no_stress;
    for (int k = 0; k < 4; k++) {
        x[k] = fr_get3(mesh->x, mesh->tet[e][k]);
        p[k] = fr_get3(frame->p, mesh->tet[e][k]);
    }
    return fr_tet_stress(&body->material, x, p, plastic);
}

static void add_tets(Grid *g, const FrBodyView *body, const FrBodyFrame *frame, int32_t id) {
    const FrTetMesh *mesh = body->mesh;
    int64_t base = g->points;
    for (int32_t n = 0; n < mesh->node_count; n++)
        add_point(g, fr_get3(frame->p, n), fr_get3(frame->v, n),
                  frame->warmth ? (double)frame->warmth[n] : FR_AIR);
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrTetStress stress = stress_of(body, frame, e);
        Owner owner = {id, body->piece ? body->piece[e] : 0, -1};
        add_cell(g, (Cell){VTK_TETRA, 4, mesh->tet[e], base}, owner, &stress);
    }
    const FrSurface *surface = body->surface;
    for (int32_t k = 0; surface && surface->opened && k < surface->tri_count; k++) {
        Owner owner = {id, surface->piece ? surface->piece[k] : 0, surface->opened[k]};
        if (owner.opened >= 0)
            add_cell(g, (Cell){VTK_TRIANGLE, 3, surface->tri[k], base}, owner, &no_stress);
    }
}

static void add_sphere(Grid *g, const FrBodyView *body, const FrBodyFrame *frame, int32_t id) {
    FrVec3 point[FR_SPHERE_POINTS];
    int32_t tri[FR_SPHERE_TRIS][3];
    int64_t base = g->points;
    fr_sphere_points(point);
    fr_sphere_tris(tri);
    for (int k = 0; k < FR_SPHERE_POINTS; k++) {
        FrVec3 arm = fr_quat_rotate(frame->rotation, fr_scale(body->radius, point[k]));
        add_point(g, fr_add(frame->position, arm), frame->velocity, FR_AIR);
    }
    for (int k = 0; k < FR_SPHERE_TRIS; k++)
        add_cell(g, (Cell){VTK_TRIANGLE, 3, tri[k], base}, (Owner){id, 0, -1}, &no_stress);
}

static void add_plane(Grid *g, const FrBodyView *body, FrBox box, int32_t id) {
    bool empty = box.lo.x > box.hi.x;
    FrVec3 near = empty ? fr_vec3_zero : fr_box_center(box), corner[4];
    double reach = empty ? 1.0 : 2.0 * fr_length(fr_box_size(box));
    const int32_t quad[4] = {0, 1, 2, 3};
    int64_t base = g->points;
    fr_plane_quad(body, near, reach, corner);
    for (int k = 0; k < 4; k++) add_point(g, corner[k], fr_vec3_zero, FR_AIR);
    add_cell(g, (Cell){VTK_QUAD, 4, quad, base}, (Owner){id, 0, -1}, &no_stress);
}

static void add_bodies(Grid *g, const FrFrameView *view) {
    if (!g->boxed) g->box = fr_frame_box(view);
    g->boxed = true;
    for (int32_t b = 0; b < view->body_count; b++) {
        const FrBodyView *body = &view->body[b];
        if (!view->frame[b].alive) continue;
        if (body->kind == FR_BODY_TETS) add_tets(g, body, &view->frame[b], b);
        if (body->kind == FR_BODY_SPHERE) add_sphere(g, body, &view->frame[b], b);
        if (body->kind == FR_BODY_PLANE) add_plane(g, body, g->box, b);
    }
}

// one DataArray tag; its bytes start `*offset` after the underscore
static FrResult put_tag(FrFileWriter *file, const Grid *g, int which, uint64_t *offset) {
    static const struct {
        const char *name, *type;
        int components;
    } info[ARRAYS] = {
        {"Points", "Float32", 3},     {"velocity", "Float32", 3}, {"temperature", "Float32", 1},
        {"connectivity", "Int64", 1}, {"offsets", "Int64", 1},    {"types", "UInt8", 1},
        {"body", "Int32", 1},         {"piece", "Int32", 1},      {"crackTime", "Float32", 1},
        {"stress", "Float32", 6},     {"strain", "Float32", 6},   {"von_mises", "Float32", 1}};
    FR_TRY(fr_file_printf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"",
                          info[which].type, info[which].name, info[which].components));
    static const char *const part[6] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
    for (int k = 0; k < 6 && info[which].components == 6; k++)
        FR_TRY(fr_file_printf(file, " ComponentName%d=\"%s\"", k, part[k]));
    FR_TRY(fr_file_printf(file, " format=\"appended\" offset=\"%llu\"/>\n",
                          (unsigned long long)*offset));
    *offset += 8 + g->array[which].size;
    return FR_OK;
}

/// Arrays from one to another, and the tags around them.
typedef struct Group {
    const char *open, *close;
    int from, to;
} Group;

static FrResult put_group(FrFileWriter *file, const Grid *g, Group group, uint64_t *offset) {
    FR_TRY(fr_file_printf(file, "%s\n", group.open));
    for (int k = group.from; k <= group.to; k++) FR_TRY(put_tag(file, g, k, offset));
    return fr_file_printf(file, "%s\n", group.close);
}

static FrResult put_bytes(FrFileWriter *file, const FrWriter *array) {
    uint8_t size[8];
    for (int k = 0; k < 8; k++) size[k] = (uint8_t)((uint64_t)array->size >> (8 * k));
    FR_TRY(fr_file_write(file, size, sizeof size));
    return fr_file_write(file, array->data, array->size);
}

static FrResult put_grid(FrFileWriter *file, const Grid *g, double t) {
    char time[FR_NUMBER_TEXT];
    uint64_t offset = 0;
    fr_number_text(t, time);
    FR_TRY(fr_file_printf(file,
                          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" "
                          "version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                          "<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" "
                          "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%s"
                          "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"%lld\" "
                          "NumberOfCells=\"%lld\">\n",
                          time, (long long)g->points, (long long)g->cells));
    static const Group group[] = {
        {"<Points>", "</Points>", POINTS, POINTS},
        {"<PointData Vectors=\"velocity\">", "</PointData>", VELOCITY, TEMPERATURE},
        {"<Cells>", "</Cells>", CONNECTIVITY, TYPES},
        {"<CellData Scalars=\"von_mises\">", "</CellData>", BODY, VON_MISES}};
    for (int k = 0; k < 4; k++) FR_TRY(put_group(file, g, group[k], &offset));
    FR_TRY(fr_file_printf(file, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">_"));
    for (int k = 0; k < ARRAYS; k++) FR_TRY(put_bytes(file, &g->array[k]));
    return fr_file_printf(file, "\n</AppendedData>\n</VTKFile>\n");
}

// g's buffers are kept from frame to frame
static FrResult write_frame(FrContext *ctx, Grid *g, const FrFrameView *view, const char *path) {
    FrFileWriter file;
    g->points = g->cells = g->corners = 0;
    for (int k = 0; k < ARRAYS; k++) g->array[k].size = 0;
    add_bodies(g, view);
    for (int k = 0; k < ARRAYS; k++) FR_TRY(fr_writer_result(&g->array[k]));
    FR_TRY(fr_file_begin(ctx, path, &file));
    FrResult result = put_grid(&file, g, view->t);
    if (result == FR_OK) return fr_file_commit(&file);
    fr_file_abort(&file);
    return result;
}

static void grid_init(Grid *g, FrContext *ctx) {
    g->boxed = false;
    for (int k = 0; k < ARRAYS; k++) fr_writer_init(&g->array[k], ctx);
}

static void grid_free(Grid *g) {
    for (int k = 0; k < ARRAYS; k++) fr_writer_free(&g->array[k]);
}

// "a/b/run.pvd" -> "run"
static char *stem_of(FrContext *ctx, const char *path) {
    const char *slash = strrchr(path, '/');
    char *stem = fr_strdup(ctx, slash ? slash + 1 : path);
    char *dot = stem ? strrchr(stem, '.') : NULL;
    if (dot && dot != stem) *dot = 0;
    return stem;
}

typedef struct Series {
    FrContext *ctx;
    const FrFrameSource *source;
    char *stem;   ///< of the .pvd
    char *frames; ///< folder of the frames
    char *making; ///< where all is written first: a full disk leaves what was there
    char *name;   ///< room for a file name
    size_t room;
    FrWriter list; ///< the DataSet lines
    Grid grid;
} Series;

static const char *frame_name(Series *s, int32_t k) {
    snprintf(s->name, s->room, "%s_%05d.vtu", s->stem, k);
    return s->name;
}

static void list_frame(Series *s, const char *name, double t) {
    char time[FR_NUMBER_TEXT], line[96];
    fr_number_text(t, time);
    snprintf(line, sizeof line, "<DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"", time);
    fr_write_bytes(&s->list, line, strlen(line));
    const char *part[] = {s->stem, "_frames/", name};
    for (int k = 0; k < 3; k++)
        for (const char *c = part[k]; *c; c++) {
            const char *text = *c == '&'   ? "&amp;"
                               : *c == '<' ? "&lt;"
                               : *c == '"' ? "&quot;"
                                           : NULL;
            fr_write_bytes(&s->list, text ? text : c, text ? strlen(text) : 1);
        }
    fr_write_bytes(&s->list, "\"/>\n", 4);
}

static FrResult write_one(Series *s, int32_t k) {
    const FrFrameView *view;
    FR_TRY(s->source->get(s->source->user, k, &view));
    char *path = fr_path_join(s->ctx, s->making, frame_name(s, k));
    if (!path) return fr_no_memory(s->ctx, "a file name");
    FrResult result = write_frame(s->ctx, &s->grid, view, path);
    fr_free(s->ctx, path);
    FR_TRY(result);
    list_frame(s, s->name, view->t);
    fr_progress(s->ctx, "export", k + 1, s->source->frame_count);
    return fr_writer_result(&s->list);
}

static FrResult write_frames(Series *s) {
    for (int32_t k = 0; k < s->source->frame_count; k++) {
        if (fr_context_cancelled(s->ctx))
            return fr_fail(s->ctx, FR_INTERRUPTED, "export stopped after %d frames", k);
        FR_TRY(write_one(s, k));
    }
    return FR_OK;
}

// the list of frames, for now beside them
static FrResult write_list(Series *s, const char *path) {
    static const char tail[] = "</Collection>\n</VTKFile>\n";
    fr_write_bytes(&s->list, tail, strlen(tail));
    FR_TRY(fr_writer_result(&s->list));
    return fr_file_save(s->ctx, path, s->list.data, s->list.size);
}

// out of the folder of what is being made; takes no room on the disk
static FrResult move(FrContext *ctx, const char *from, const char *to) {
    const FrFileCalls *calls = fr_context_files(ctx);
    if (calls->rename ? !calls->rename(calls->user, from, to) : !rename(from, to)) return FR_OK;
    return fr_fail(ctx, FR_IO, "%s cannot be put in place: %s", to, strerror(errno));
}

static FrResult move_frame(Series *s, int32_t k) {
    char *from = fr_path_join(s->ctx, s->making, frame_name(s, k));
    char *to = fr_path_join(s->ctx, s->frames, s->name);
    FrResult result = from && to ? move(s->ctx, from, to) : fr_no_memory(s->ctx, "a file name");
    fr_free(s->ctx, from);
    fr_free(s->ctx, to);
    return result;
}

static FrResult put_in_place(Series *s, const char *list, const char *path) {
    FR_TRY(fr_make_folders(s->ctx, s->frames));
    for (int32_t k = 0; k < s->source->frame_count; k++) FR_TRY(move_frame(s, k));
    return move(s->ctx, list, path);
}

// the folder of what was being made, with all that is in it; fine when there is none
static void clear_making(Series *s) {
    DIR *dir = opendir(s->making);
    if (!dir) return;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char *path = fr_path_join(s->ctx, s->making, entry->d_name);
        if (path) unlink(path);
        fr_free(s->ctx, path);
    }
    closedir(dir);
    rmdir(s->making);
}

static FrResult write_series(Series *s, const char *path) {
    static const char head[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                               "version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
    char *list = fr_path_join(s->ctx, s->making, "list.pvd");
    clear_making(s); // of an export that was killed
    FrResult result = list ? fr_make_folders(s->ctx, s->making) : fr_no_memory(s->ctx, "a name");
    fr_write_bytes(&s->list, head, strlen(head));
    if (result == FR_OK) result = write_frames(s);
    if (result == FR_OK) result = write_list(s, list);
    if (result == FR_OK) result = put_in_place(s, list, path);
    clear_making(s);
    fr_free(s->ctx, list);
    return result;
}

// "a/b", "run", "_frames" -> "a/b/run_frames"; NULL: no memory
static char *folder_beside(FrContext *ctx, const char *folder, const char *stem, const char *end) {
    size_t room = stem ? strlen(stem) + strlen(end) + 1 : 0;
    char *name = room ? fr_alloc(ctx, room) : NULL, *path = NULL;
    if (name) snprintf(name, room, "%s%s", stem, end);
    if (name && folder) path = fr_path_join(ctx, folder, name);
    fr_free(ctx, name);
    return path;
}

FrResult fr_export_pvd(FrContext *ctx, const FrFrameSource *source, const char *path) {
    Series s = {.ctx = ctx, .source = source};
    fr_writer_init(&s.list, ctx);
    grid_init(&s.grid, ctx);
    char *folder = fr_path_folder(ctx, path);
    s.stem = stem_of(ctx, path);
    s.frames = folder_beside(ctx, folder, s.stem, "_frames");
    s.making = folder_beside(ctx, folder, s.stem, "_frames.part");
    s.room = s.stem ? strlen(s.stem) + 32 : 0;
    s.name = s.stem ? fr_alloc(ctx, s.room) : NULL;
    FrResult result =
        s.frames && s.making && s.name ? write_series(&s, path) : fr_no_memory(ctx, path);
    fr_free(ctx, folder);
    fr_free(ctx, s.frames);
    fr_free(ctx, s.making);
    fr_free(ctx, s.stem);
    fr_free(ctx, s.name);
    fr_writer_free(&s.list);
    grid_free(&s.grid);
    return result;
}
