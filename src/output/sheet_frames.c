// sheet_frames.c: which moments of a run a contact sheet shows: where something breaks, mostly
// those around the first crack.

#include "output/sheet_frames.h"
#include "math/vec.h"
#include <math.h>
#include <stdlib.h>

/// Tiles crowd after the break: tile i of n at (i / n)^CROWD of the time that is shown.
#define CROWD 1.5

/// Frames [from, to) that share some tiles.
typedef struct Part {
    int32_t from, to, tiles;
} Part;

// the first frame at or after a time
static int32_t frame_at(const double *t, int32_t count, double time) {
    int32_t k = 0;
    while (k < count && t[k] < time) k++;
    return k;
}

static int32_t nearest(const double *t, int32_t count, double time) {
    int32_t k = fr_min_i(frame_at(t, count, time), count - 1);
    return k > 0 && time - t[k - 1] <= t[k] - time ? k - 1 : k;
}

static int32_t clamp(int32_t k, int32_t least, int32_t most) {
    return fr_max_i(least, fr_min_i(k, most));
}

// frame k for tile i of a part, unless it is taken, or would leave too few for the tiles to come
static void put(Part part, int32_t i, int32_t k, int32_t *frame) {
    int32_t least = i ? frame[i - 1] + 1 : part.from;
    int32_t most = part.to - (part.tiles - i);
    frame[i] = clamp(k, least, most);
}

static int32_t spread(int32_t i, int32_t gaps, int32_t last) {
    gaps = fr_max_i(gaps, 1);
    return (int32_t)((2 * (int64_t)i * last + gaps) / (2 * gaps));
}

// from the part's first frame on, its last one left out
static void fill_before(Part part, int32_t *frame) {
    for (int32_t i = 0; i < part.tiles; i++)
        put(part, i, part.from + spread(i, part.tiles, part.to - part.from), frame);
}

// up to the part's last frame
static void fill_after(Part part, int32_t *frame) {
    int32_t frames = part.to - part.from;
    for (int32_t i = 0; i < part.tiles; i++)
        put(part, i, part.from + spread(i + 1, part.tiles, frames) - 1, frame);
}

// the last frame before the crack (the first of all, if it is near), and then the more of them the
// nearer to it
static void fill_break(const double *t, Part part, double crack, int32_t *frame) {
    double last = t[part.to - 1] - crack;
    int32_t n = part.tiles - 2;
    if (n >= 0) put(part, 0, part.from ? frame_at(t, part.to, crack) - 1 : 0, frame);
    for (int32_t i = n < 0 ? 0 : 1; i < part.tiles; i++) {
        double far = n > 0 ? pow((double)(i - 1) / n, CROWD) : 1.0; // few tiles: the last moment
        put(part, i, nearest(t, part.to, crack + last * far), frame);
    }
}

// the tile before the break that is nearest to it shows the first impact
static void show_impact(const double *t, Part part, double impact, int32_t *frame) {
    int32_t k = frame_at(t, part.to, impact), best = 0;
    if (part.tiles < 2 || k >= part.to) return;
    for (int32_t i = 1; i < part.tiles; i++)
        if (abs(frame[i] - k) < abs(frame[best] - k)) best = i;
    best = fr_max_i(best, 1); // the first frame stays
    int32_t next = best + 1 < part.tiles ? frame[best + 1] : part.to;
    frame[best] = clamp(k, frame[best - 1] + 1, next - 1);
}

static int32_t count_between(const int32_t *frame, int32_t count, Part part) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) found += frame[i] >= part.from && frame[i] < part.to;
    return found;
}

// tiles of what lies before and after the break, by how many frames they have
static void share(int32_t tiles, Part *before, Part *after) {
    int32_t b = before->to - before->from, a = after->to - after->from;
    int32_t most = fr_max_i(0, fr_min_i(tiles - (a > 0), b));
    before->tiles = b + a ? (int32_t)((int64_t)tiles * b / (b + a)) : 0;
    before->tiles = clamp(before->tiles, fr_min_i(b > 0, most), most);
    after->tiles = tiles - before->tiles;
    if (after->tiles <= a) return;
    after->tiles = a;
    before->tiles = tiles - a;
}

void fr_sheet_frames(const double *t, int32_t frame_count, int32_t tiles, FrMoments moments,
                     int32_t *frame) {
    for (int32_t i = 0; i < tiles; i++) frame[i] = spread(i, tiles - 1, frame_count - 1);
    if (!isfinite(moments.crack) || tiles < 2) return;
    Part part = {frame_at(t, frame_count, moments.crack - FR_BREAK_BEFORE),
                 frame_at(t, frame_count, moments.crack + FR_BREAK_AFTER), 0};
    int32_t inside = part.to - part.from, outside = frame_count - inside;
    int32_t wanted = fr_max_i(fr_min_i(inside, (2 * tiles) / 3), tiles - outside);
    if (count_between(frame, tiles, part) >= wanted) return;
    Part before = {0, part.from, 0}, after = {part.to, frame_count, 0};
    part.tiles = wanted;
    share(tiles - wanted, &before, &after);
    fill_before(before, frame);
    show_impact(t, before, moments.impact, frame);
    fill_break(t, part, moments.crack, frame + before.tiles);
    fill_after(after, frame + before.tiles + part.tiles);
}
