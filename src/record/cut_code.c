// cut_code.c: what cuts did to a mesh, to bytes and back; counts are checked before memory is
// asked.

#include "record/cut_code.h"
#include "base/array.h"
#include "store/deflate.h"
#include <math.h>
#include <string.h>

#define COUNT_MAX (INT32_MAX / 64)
// numbers of nodes and tets are never packed more tightly than this (found: 3 to 6 times)
#define PACKED_MAX 64

static size_t packed_size(const FrCutHead *h) {
    return 28 * (size_t)h->steps + 16 * (size_t)h->nodes + 8 * (size_t)h->divisions +
           16 * (size_t)h->children + 36 * (size_t)h->faces + 52 * (size_t)h->moves;
}

static void write_head(FrWriter *out, const FrCutHead *h) {
    const int32_t part[8] = {h->first_node, h->nodes, h->first_tet, h->divisions,
                             h->children,   h->faces, h->steps,     h->moves};
    for (int k = 0; k < 8; k++) fr_write_i32(out, part[k]);
}

static void write_steps(FrWriter *out, const FrCutLog *log) {
    FrCutStep whole = {log->node_count, log->group_count, log->tet_count,
                       log->face_count, log->move_count,  -1.0};
    for (int32_t k = 0; k < fr_cutlog_steps(log); k++) {
        const FrCutStep *step = log->step_count ? &log->steps[k] : &whole;
        fr_write_i32(out, step->nodes);
        fr_write_i32(out, step->groups);
        fr_write_i32(out, step->tets);
        fr_write_i32(out, step->faces);
        fr_write_i32(out, step->moves);
        fr_write_f64(out, step->t);
    }
}

static void write_log(FrWriter *out, const FrCutLog *log) {
    write_steps(out, log);
    for (int32_t k = 0; k < log->node_count; k++) fr_write_i32(out, log->nodes[k].a);
    for (int32_t k = 0; k < log->node_count; k++) fr_write_i32(out, log->nodes[k].b);
    for (int32_t k = 0; k < log->node_count; k++) fr_write_f64(out, log->nodes[k].t);
    for (int32_t k = 0; k < log->tet_count; k++)
        if (k == 0 || log->tets[k].group != log->tets[k - 1].group)
            fr_write_i32(out, log->tets[k].parent);
    for (int32_t k = 0; k < log->tet_count;) {
        int32_t first = k;
        while (k < log->tet_count && log->tets[k].group == log->tets[first].group) k++;
        fr_write_i32(out, k - first);
    }
    for (int32_t k = 0; k < log->tet_count; k++)
        for (int i = 0; i < 4; i++) fr_write_i32(out, log->tets[k].node[i]);
    for (int32_t k = 0; k < log->face_count; k++) {
        const FrOpenFace *f = &log->faces[k];
        fr_write_i32(out, f->plus);
        fr_write_i32(out, f->minus);
        for (int i = 0; i < 3; i++) fr_write_i32(out, f->plus_node[i]);
        for (int i = 0; i < 3; i++) fr_write_i32(out, f->minus_node[i]);
        fr_write_i32(out, f->group);
    }
    for (int32_t k = 0; k < log->move_count; k++) {
        const FrMovedNode *m = &log->moves[k];
        fr_write_i32(out, m->node);
        fr_write_i32(out, m->to);
        fr_write_i32(out, m->before);
        fr_write_i32(out, m->group);
        fr_write_i32(out, m->end);
        fr_write_f64(out, m->t);
        fr_write_vec3(out, m->was);
    }
}

FrResult fr_cut_code_write(FrContext *ctx, const FrCutLog *log, int32_t first_tet, FrWriter *raw,
                           FrWriter *z, FrWriter *out) {
    FrCutHead head = {log->first_node,      log->node_count, first_tet,
                      log->group_count,     log->tet_count,  log->face_count,
                      fr_cutlog_steps(log), log->move_count};
    raw->size = out->size = 0;
    write_log(raw, log);
    FR_TRY(fr_writer_result(raw));
    FR_ASSERT_IN(ctx, raw->size == packed_size(&head),
                 "divisions of a log are numbered without gaps");
    FR_TRY(fr_deflate(ctx, raw->data, raw->size, FR_DEFLATE_LEVEL, z));
    write_head(out, &head);
    fr_write_bytes(out, z->data, z->size);
    return fr_writer_result(out);
}

FrResult fr_cut_code_head(FrContext *ctx, const void *bytes, size_t size, FrCutHead *head) {
    FrReader reader;
    int32_t *part[8] = {&head->first_node, &head->nodes, &head->first_tet, &head->divisions,
                        &head->children,   &head->faces, &head->steps,     &head->moves};
    fr_reader_init(&reader, bytes, size);
    bool good = true;
    for (int k = 0; k < 8; k++) {
        *part[k] = fr_read_i32(&reader);
        good = good && *part[k] >= 0 && *part[k] <= COUNT_MAX;
    }
    if (good && !reader.failed && head->children >= head->divisions && head->steps >= 1)
        return FR_OK;
    return fr_fail(
        ctx, FR_BAD_INPUT,
        "a cut log of %zu bytes: %d + %d nodes, %d divisions of %d tets into %d, %d faces", size,
        head->first_node, head->nodes, head->divisions, head->first_tet, head->children,
        head->faces);
}

static FrResult broken(FrContext *ctx, const char *what, int32_t k) {
    return fr_fail(ctx, FR_BAD_INPUT, "a cut log: %s %d: an index out of range", what, k);
}

// ends rise, and the last is that of the log
static FrResult read_steps(FrContext *ctx, FrReader *in, const FrCutHead *h, FrCutLog *log) {
    FrCutStep last = {0}, end = {h->nodes, h->divisions, h->children, h->faces, h->moves, 0.0};
    for (int32_t k = 0; k < h->steps; k++) {
        FrCutStep step = {.nodes = fr_read_i32(in)};
        step.groups = fr_read_i32(in);
        step.tets = fr_read_i32(in);
        step.faces = fr_read_i32(in);
        step.moves = fr_read_i32(in);
        step.t = fr_read_f64(in);
        if (step.nodes < last.nodes || step.groups < last.groups || step.tets < last.tets ||
            step.faces < last.faces || step.moves < last.moves || !isfinite(step.t))
            return broken(ctx, "step", k);
        log->steps[k] = last = step;
    }
    log->step_count = h->steps;
    if (last.nodes == end.nodes && last.groups == end.groups && last.tets == end.tets &&
        last.faces == end.faces && last.moves == end.moves)
        return FR_OK;
    return broken(ctx, "step", h->steps);
}

// a division does not reach over the end of a step
static FrResult check_steps(FrContext *ctx, const FrCutLog *log) {
    for (int32_t k = 0; k < log->step_count; k++) {
        int32_t tets = log->steps[k].tets, groups = log->steps[k].groups;
        if ((tets < log->tet_count && log->tets[tets].group != groups) ||
            (tets > 0 && log->tets[tets - 1].group != groups - 1) || (tets == 0 && groups > 0))
            return broken(ctx, "step", k);
    }
    return FR_OK;
}

static FrResult read_nodes(FrContext *ctx, FrReader *in, const FrCutHead *h, FrCutLog *log) {
    for (int32_t k = 0; k < h->nodes; k++) log->nodes[k].a = fr_read_i32(in);
    for (int32_t k = 0; k < h->nodes; k++) log->nodes[k].b = fr_read_i32(in);
    for (int32_t k = 0; k < h->nodes; k++) {
        FrNewNode *n = &log->nodes[k];
        n->t = fr_read_f64(in);
        int32_t limit = h->first_node + k;
        if (n->a < 0 || n->a >= limit || n->b < 0 || n->b >= limit || !(n->t >= 0 && n->t <= 1))
            return broken(ctx, "node", k);
    }
    log->node_count = h->nodes;
    return FR_OK;
}

// entry[e]: the entry of the log that has the corners of tet e by now; -1: as in the mesh
static FrResult read_divisions(FrContext *ctx, FrReader *in, const FrCutHead *h,
                               const int32_t (*tet)[4], FrCutLog *log, int32_t *entry) {
    FrReader parents = *in, counts = *in, corners = *in;
    counts.at += 4 * (size_t)h->divisions;
    corners.at += 8 * (size_t)h->divisions;
    int32_t tets = h->first_tet;
    for (int32_t d = 0; d < h->divisions; d++) {
        int32_t parent = fr_read_i32(&parents), count = fr_read_i32(&counts);
        if (parent < 0 || parent >= tets || count < 1 || count > h->children - log->tet_count)
            return broken(ctx, "division", d);
        const int32_t *old = entry[parent] < 0 ? tet[parent] : log->tets[entry[parent]].node;
        int32_t head = log->tet_count;
        for (int32_t c = 0; c < count; c++) {
            FrSplitTet *s = &log->tets[log->tet_count];
            *s = (FrSplitTet){.group = d, .parent = parent, .child = c ? tets++ : parent};
            for (int i = 0; i < 4; i++) {
                s->parent_node[i] = c ? log->tets[head].parent_node[i] : old[i];
                s->node[i] = fr_read_i32(&corners);
                if (s->node[i] < 0 || s->node[i] >= h->first_node + h->nodes)
                    return broken(ctx, "child", log->tet_count);
            }
            log->tet_count++;
        }
        for (int32_t c = head; c < log->tet_count; c++) entry[log->tets[c].child] = c;
    }
    log->group_count = h->divisions;
    *in = corners;
    return log->tet_count == h->children ? FR_OK : broken(ctx, "division", h->divisions);
}

static FrResult read_faces(FrContext *ctx, FrReader *in, const FrCutHead *h, FrCutLog *log) {
    int32_t tets = h->first_tet + h->children - h->divisions, nodes = h->first_node + h->nodes;
    for (int32_t k = 0; k < h->faces; k++) {
        FrOpenFace *f = &log->faces[k];
        f->plus = fr_read_i32(in);
        f->minus = fr_read_i32(in);
        bool good = f->plus >= 0 && f->plus < tets && f->minus >= 0 && f->minus < tets;
        for (int i = 0; i < 6; i++) {
            int32_t n = fr_read_i32(in);
            *(i < 3 ? &f->plus_node[i] : &f->minus_node[i - 3]) = n;
            good = good && n >= 0 && n < nodes;
        }
        f->group = fr_read_i32(in);
        if (!good || f->group < 0 || f->group > h->divisions) return broken(ctx, "face", k);
    }
    log->face_count = h->faces;
    return FR_OK;
}

static FrResult read_moves(FrContext *ctx, FrReader *in, const FrCutHead *h, FrCutLog *log) {
    int32_t nodes = h->first_node + h->nodes;
    for (int32_t k = 0; k < h->moves; k++) {
        FrMovedNode *m = &log->moves[k];
        m->node = fr_read_i32(in);
        m->to = fr_read_i32(in);
        m->before = fr_read_i32(in);
        m->group = fr_read_i32(in);
        m->end = fr_read_i32(in);
        m->t = fr_read_f64(in);
        m->was = fr_read_vec3(in);
        if (m->before < h->first_node || m->before >= nodes || m->node < 0 ||
            m->node >= m->before || m->to < 0 || m->to >= m->before || m->group < 0 ||
            m->end <= m->group || m->end > h->divisions || !(m->t >= 0 && m->t <= 1) ||
            !fr_vec3_finite(m->was) || (k > 0 && m->before < m[-1].before))
            return broken(ctx, "moved node", k);
    }
    log->move_count = h->moves;
    return FR_OK;
}

static FrResult parse(FrContext *ctx, FrReader *in, const FrCutHead *h, const int32_t (*tet)[4],
                      FrCutLog *log) {
    size_t tets = (size_t)h->first_tet + (size_t)h->children;
    int32_t *entry = fr_alloc(ctx, tets * sizeof *entry + 1);
    if (!entry || !fr_cutlog_reserve(ctx, log, h->children, h->nodes, h->faces, h->moves) ||
        !fr_array_grow_(ctx, (void **)&log->steps, &log->step_capacity, 0, h->steps,
                        sizeof *log->steps)) {
        fr_free(ctx, entry);
        return fr_no_memory(ctx, "a cut log");
    }
    memset(entry, 0xFF, tets * sizeof *entry);
    FrResult result = read_steps(ctx, in, h, log);
    if (result == FR_OK) result = read_nodes(ctx, in, h, log);
    if (result == FR_OK) result = read_divisions(ctx, in, h, tet, log, entry);
    if (result == FR_OK) result = check_steps(ctx, log);
    if (result == FR_OK) result = read_faces(ctx, in, h, log);
    if (result == FR_OK) result = read_moves(ctx, in, h, log);
    fr_free(ctx, entry);
    return result;
}

FrResult fr_cut_code_read(FrContext *ctx, const void *bytes, size_t size, const int32_t (*tet)[4],
                          FrCutLog *log) {
    FrCutHead head;
    FrReader reader;
    FR_TRY(fr_cut_code_head(ctx, bytes, size, &head));
    const uint8_t *z = (const uint8_t *)bytes + FR_CUT_HEAD_BYTES;
    size_t z_size = size - FR_CUT_HEAD_BYTES, raw_size = packed_size(&head);
    if (raw_size / PACKED_MAX > size)
        return fr_fail(ctx, FR_BAD_INPUT, "a cut log: %zu bytes packed into %zu", raw_size, size);
    FR_TRY(fr_inflate_check(ctx, z, z_size, raw_size));
    uint8_t *raw = fr_alloc(ctx, raw_size + 1);
    if (!raw) return fr_no_memory(ctx, "a cut log");
    fr_cutlog_clear(log, head.first_node);
    FrResult result = fr_inflate(ctx, z, z_size, raw, raw_size);
    fr_reader_init(&reader, raw, raw_size);
    if (result == FR_OK) result = parse(ctx, &reader, &head, tet, log);
    fr_free(ctx, raw);
    if (result != FR_OK) fr_cutlog_clear(log, head.first_node);
    return result;
}
