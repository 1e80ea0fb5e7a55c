// outline.c: exact distance to line segments in the plane, groups of them skipped by their boxes.

#include "geom/outline.h"
#include <string.h>

#define GROUP 8

typedef struct Group {
    double x0, y0, x1, y1; ///< box
    int32_t begin, end;
} Group;

struct FrSegments {
    int32_t count, group_count;
    double (*s)[4];
    double *inverse_length2; ///< 0 for a segment without length
    Group *group;
};

static Group make_group(const double (*s)[4], int32_t begin, int32_t end) {
    Group g = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, begin, end};
    for (int32_t k = begin; k < end; k++) {
        g.x0 = fr_min(g.x0, fr_min(s[k][0], s[k][2])),
        g.x1 = fr_max(g.x1, fr_max(s[k][0], s[k][2]));
        g.y0 = fr_min(g.y0, fr_min(s[k][1], s[k][3])),
        g.y1 = fr_max(g.y1, fr_max(s[k][1], s[k][3]));
    }
    return g;
}

FrSegments *fr_segments_create(FrArena *arena, const double (*s)[4], int32_t count) {
    FrSegments *segments = FR_ARENA_NEW(arena, FrSegments, 1);
    if (!segments) return NULL;
    segments->count = count;
    segments->group_count = (count + GROUP - 1) / GROUP;
    segments->s = fr_arena_alloc(arena, (size_t)count, sizeof *segments->s);
    segments->inverse_length2 = FR_ARENA_NEW(arena, double, count);
    segments->group = FR_ARENA_NEW(arena, Group, segments->group_count);
    if (!segments->s || !segments->inverse_length2 || !segments->group) return NULL;
    for (int32_t k = 0; k < count; k++) {
        memcpy(segments->s[k], s[k], sizeof s[k]);
        double dx = s[k][2] - s[k][0], dy = s[k][3] - s[k][1], length2 = dx * dx + dy * dy;
        segments->inverse_length2[k] = length2 > 0.0 ? 1.0 / length2 : 0.0;
    }
    for (int32_t g = 0; g < segments->group_count; g++)
        segments->group[g] = make_group(s, g * GROUP, fr_min_i(count, (g + 1) * GROUP));
    return segments;
}

FrSegments *fr_segments_of(FrArena *arena, const FrOutline *outline) {
    double(*s)[4] = fr_arena_alloc(arena, (size_t)outline->point_count, sizeof *s);
    if (!s) return NULL;
    for (int32_t loop = 0, begin = 0; loop < outline->loop_count; loop++) {
        int32_t end = outline->loop_end[loop];
        for (int32_t k = begin; k < end; k++) {
            const double *a = outline->xy[k], *b = outline->xy[k + 1 < end ? k + 1 : begin];
            s[k][0] = a[0], s[k][1] = a[1], s[k][2] = b[0], s[k][3] = b[1];
        }
        begin = end;
    }
    return fr_segments_create(arena, (const double(*)[4])s, outline->point_count);
}

static double group_distance2(const Group *g, double x, double y) {
    double dx = fr_max(fr_max(g->x0 - x, x - g->x1), 0.0);
    double dy = fr_max(fr_max(g->y0 - y, y - g->y1), 0.0);
    return dx * dx + dy * dy;
}

static double nearest_in(const FrSegments *segments, const Group *g, double x, double y,
                         double best) {
    for (int32_t k = g->begin; k < g->end; k++) {
        const double *s = segments->s[k];
        double ex = s[2] - s[0], ey = s[3] - s[1], px = x - s[0], py = y - s[1];
        double t = fr_clamp((px * ex + py * ey) * segments->inverse_length2[k], 0.0, 1.0);
        double dx = px - t * ex, dy = py - t * ey;
        best = fr_min(best, dx * dx + dy * dy);
    }
    return best;
}

double fr_segments_distance(const FrSegments *segments, double x, double y) {
    // the group whose box is nearest first: it rules out most others
    int32_t first = 0;
    double least = HUGE_VAL, best = HUGE_VAL;
    for (int32_t g = 0; g < segments->group_count; g++) {
        double d = group_distance2(&segments->group[g], x, y);
        if (d < least) least = d, first = g;
    }
    if (segments->group_count) best = nearest_in(segments, &segments->group[first], x, y, best);
    for (int32_t g = 0; g < segments->group_count; g++)
        if (g != first && group_distance2(&segments->group[g], x, y) < best)
            best = nearest_in(segments, &segments->group[g], x, y, best);
    return sqrt(best);
}

bool fr_segments_odd(const FrSegments *segments, double x, double y) {
    bool odd = false;
    for (int32_t g = 0; g < segments->group_count; g++) {
        const Group *group = &segments->group[g];
        if (x > group->x1 || y < group->y0 || y > group->y1) continue;
        for (int32_t k = group->begin; k < group->end; k++) {
            const double *s = segments->s[k];
            if ((s[1] > y) == (s[3] > y)) continue;
            odd ^= x < s[0] + (y - s[1]) / (s[3] - s[1]) * (s[2] - s[0]);
        }
    }
    return odd;
}

FrOutline *fr_outline_copy(FrArena *arena, const FrOutline *outline) {
    FrOutline *copy = FR_ARENA_NEW(arena, FrOutline, 1);
    int32_t *loop_end = FR_ARENA_NEW(arena, int32_t, outline->loop_count);
    double(*xy)[2] = fr_arena_alloc(arena, (size_t)outline->point_count, sizeof *xy);
    if (!copy || !loop_end || !xy) return NULL;
    if (outline->loop_count)
        memcpy(loop_end, outline->loop_end, (size_t)outline->loop_count * sizeof *loop_end);
    if (outline->point_count) memcpy(xy, outline->xy, (size_t)outline->point_count * sizeof *xy);
    *copy =
        (FrOutline){outline->loop_count, outline->point_count, loop_end, (const double(*)[2])xy};
    return copy;
}

double fr_outline_area(const FrOutline *outline) {
    double area = 0.0;
    for (int32_t loop = 0, begin = 0; loop < outline->loop_count; begin = outline->loop_end[loop++])
        for (int32_t k = begin; k < outline->loop_end[loop]; k++) {
            int32_t next = k + 1 < outline->loop_end[loop] ? k + 1 : begin;
            const double *a = outline->xy[k], *b = outline->xy[next];
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        }
    return area;
}
