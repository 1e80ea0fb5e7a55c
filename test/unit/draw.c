// draw.c: pictures of a live scene without a window: fast and fine, resized, with marks, picked by
// the rays that they show.

#include "test.h"
#include "context.h"
#include "fracas/draw.h"
#include "math/vec.h"

static FrContext *ctx;
static FrLive *live;
static FrSnapshot *snapshot;
static FrDrawLook look;

// a ball and a block above the ground
static const FrFrameView *stage(void) {
    FILE *file = fopen("draw.lua", "wb");
    fputs(
        "ground { material = 'concrete' }\n"
        "body { name = 'block', material = 'jelly', shape = box { 1*m, 1*m, 1*m }, cells = 50*cm,\n"
        "  at = {1, 0, 0.5} }\n"
        "sphere { 0.5*m, name = 'ball', material = 'glass', at = {-1, 0, 0.5} }\n",
        file);
    fclose(file);
    FrLiveDef def = fr_live_def_default();
    def.scene = "draw.lua";
    ctx = make_context(2);
    CHECK_OK(ctx, fr_live_open(ctx, &def, &live));
    CHECK_OK(ctx, fr_snapshot_create(ctx, &snapshot));
    CHECK_OK(ctx, fr_live_snapshot(live, snapshot, true));
    look = fr_draw_look_default();
    look.from = (FrViewpoint){{0, -6, 2}, {0, 0, 0.5}, 0.6};
    return &fr_snapshot_moment(snapshot)->view;
}

static void strike_stage(void) {
    fr_snapshot_destroy(snapshot);
    fr_live_close(live);
    fr_context_destroy(ctx);
}

static FrDraw *open_draw(bool fine, int32_t width, int32_t height) {
    FrDrawDef def = fr_draw_def_default();
    FrDraw *draw = NULL;
    def.offscreen = true;
    def.fine = fine;
    def.samples = 1;
    def.width = width;
    def.height = height;
    CHECK_OK(ctx, fr_draw_create(ctx, &def, &draw));
    return draw;
}

// how different two pictures are, 0..255 in the mean
static double difference(const uint8_t *a, const uint8_t *b, size_t bytes) {
    double sum = 0.0;
    for (size_t k = 0; k < bytes; k++) sum += abs(a[k] - b[k]);
    return sum / (double)bytes;
}

TEST(the_same_view_is_the_same_picture) {
    const FrFrameView *view = stage();
    enum { W = 160, H = 96 };
    static uint8_t rgba[4][4 * W * H];
    for (int k = 0; k < 4; k++) {
        FrDraw *draw = open_draw(k >= 2, W, H);
        CHECK_OK(ctx, fr_draw_view(draw, view, &look));
        CHECK_OK(ctx, fr_draw_read(draw, rgba[k]));
        FrDrawCost cost = fr_draw_cost(draw);
        CHECK(cost.calls > 3 && cost.calls < 50);
        CHECK(cost.uploaded > 0 && cost.uploaded < 1000000);
        fr_draw_destroy(draw);
    }
    CHECK(!memcmp(rgba[0], rgba[1], sizeof rgba[0]));
    CHECK(!memcmp(rgba[2], rgba[3], sizeof rgba[2]));
    // both paths show the same things under nearly the same light
    double paths = difference(rgba[0], rgba[2], sizeof rgba[0]);
    CHECK(paths > 0.0 && paths < 12.0);
    strike_stage();
}

TEST(other_sizes_and_paths_are_as_if_made_so) {
    const FrFrameView *view = stage();
    enum { W = 128, H = 80 };
    static uint8_t changed[4 * W * H], fresh[4 * W * H];
    FrDraw *draw = open_draw(false, 300, 200), *other = open_draw(true, W, H);
    CHECK_OK(ctx, fr_draw_view(draw, view, &look));
    CHECK_OK(ctx, fr_draw_resize(draw, W, H));
    CHECK_OK(ctx, fr_draw_set_quality(draw, true, 1));
    CHECK_OK(ctx, fr_draw_view(draw, view, &look));
    CHECK_OK(ctx, fr_draw_read(draw, changed));
    CHECK_OK(ctx, fr_draw_view(other, view, &look));
    CHECK_OK(ctx, fr_draw_read(other, fresh));
    CHECK(!memcmp(changed, fresh, sizeof fresh));
    CHECK(fr_draw_resize(draw, 3, 3) == FR_BAD_USE);
    CHECK_OK(ctx, fr_draw_view(draw, view, &look)); // it is as it was
    fr_draw_destroy(draw);
    fr_draw_destroy(other);
    strike_stage();
}

TEST(marks_are_where_they_belong) {
    const FrFrameView *view = stage();
    enum { W = 160, H = 120 };
    static uint8_t rgba[4 * W * H];
    FrDraw *draw = open_draw(false, W, H);
    FrVec3 top = {1, 0, 1};
    FrVec3 at = fr_draw_place(&look.from, W, H, top);
    FrDrawLine line = {fr_vec3(1, 0, 0.2), top, 5, {1, 0, 0, 1}, false};
    FrDrawLine behind = {fr_vec3(0, -20, 0), fr_vec3(0, -30, 0), 5, {0, 1, 0, 1}, true};
    FrDrawLine lines[] = {line, behind};
    FrDrawLabel label = {.at = {4, 100, 0}, .pixels = true, .text = "H", .size = 24};
    label.colour[2] = label.colour[3] = 1;
    CHECK_OK(ctx, fr_draw_view(draw, view, &look));
    CHECK_OK(ctx, fr_draw_marks(draw, lines, 2, &label, 1));
    CHECK_OK(ctx, fr_draw_read(draw, rgba));
    const uint8_t *p = rgba + 4 * ((int)(at.y + 3) * W + (int)at.x);
    CHECK(p[0] > 250 && p[1] < 5 && p[2] < 5);
    int green = 0, blue = 0;
    for (int k = 0; k < W * H; k++) {
        const uint8_t *q = rgba + 4 * k;
        green += q[1] > 200 && q[0] < 60;
        blue += q[2] > 200 && q[0] < 60;
    }
    CHECK(green == 0 && blue > 20);
    fr_draw_destroy(draw);
    strike_stage();
}

TEST(rays_go_through_what_is_seen) {
    const FrFrameView *view = stage();
    FrVec3 place = {0.7, -0.5, 0.4};
    FrVec3 at = fr_draw_place(&look.from, 640, 480, place);
    FrRay ray = fr_draw_ray(&look.from, 640, 480, at.x, at.y);
    FrRayHit hit;
    CHECK(fr_view_ray(view, &ray, &hit));
    CHECK_NEAR(fr_distance(hit.x, place), 0.0, 1e-9); // rounding, of 6 m
    CHECK(!strcmp(view->body[hit.body.index1 - 1].name, "block"));
    strike_stage();
}

TEST(pieces_and_speed_have_colours) {
    const FrFrameView *view = stage();
    enum { W = 96, H = 64 };
    static uint8_t rgba[3][4 * W * H];
    static const FrShow show[3] = {FR_SHOW_SURFACE, FR_SHOW_PIECES, FR_SHOW_SPEED};
    FrDraw *draw = open_draw(false, W, H);
    for (int k = 0; k < 3; k++) {
        look.show = show[k];
        CHECK_OK(ctx, fr_draw_view(draw, view, &look));
        CHECK_OK(ctx, fr_draw_read(draw, rgba[k]));
    }
    CHECK(difference(rgba[0], rgba[1], sizeof rgba[0]) > 1.0);
    CHECK(difference(rgba[1], rgba[2], sizeof rgba[0]) > 1.0);
    float low[3], high[3];
    fr_draw_colour(0.0, low);
    fr_draw_colour(1.0, high);
    CHECK(low[0] + low[1] + low[2] < high[0] + high[1] + high[2]); // read without seeing colours
    fr_draw_destroy(draw);
    strike_stage();
}
