// render_glass.c: what is seen through clear bodies lies where the law of refraction puts it.
//
// The pictures are left beside the test as render-glass-*.png for the eye.

#include "test.h"
#include "context.h"
#include "unit/render_scene.h"

enum { WIDTH = 720, HEIGHT = 480 };

#define INDEX 1.5
#define EYE_BACK 6.0 // the eye is at y = -6 m and looks along +y
#define WALL 2.0     // the wall's face is at y = 2 m

typedef struct Shot {
    FrCamera camera;
    uint8_t rgba[4 * WIDTH * HEIGHT];
} Shot;

static void shoot(const Scene *s, bool cracks, const char *name, Shot *shot) {
    FrContext *ctx = make_context(1);
    FrRendererDef def = fr_renderer_def_default();
    FrRenderer *renderer = NULL;
    def.width = WIDTH, def.height = HEIGHT;
    CHECK_OK(ctx, fr_renderer_create(ctx, &def, &renderer));
    shot->camera = (FrCamera){
        .eye = {0, -EYE_BACK, 0}, .target = {0, 0, 0}, .up = {0, 0, 1}, .fov = 20 * FR_PI / 180};
    FrRenderOptions options = fr_render_options_default();
    if (cracks) options.show = FR_SHOW_CRACKS, options.legend = false;
    CHECK_OK(ctx, fr_render_frame(renderer, &s->view, &shot->camera, &options, shot->rgba));
    CHECK_OK(ctx, fr_png_write(ctx, name, WIDTH, HEIGHT, shot->rgba));
    fr_renderer_destroy(renderer);
    fr_context_destroy(ctx);
}

// a wall of two halves, bright for x < edge and dark for x > edge
static void two_walls(Scene *s, double edge) {
    memset(s, 0, sizeof *s);
    FrMaterial bright = scene_material(0.9, 0.9, 0.9, 0.9, 0, 1);
    FrMaterial dark = scene_material(0.02, 0.02, 0.02, 0.9, 0, 1);
    scene_box(s, fr_vec3(edge - 4, WALL, -2), 0.5, 8, 1, 8, bright);
    scene_box(s, fr_vec3(edge, WALL, -2), 0.5, 8, 1, 8, dark);
}

static FrMaterial glass(void) { return scene_material(0.9, 0.95, 0.92, 0.05, 0, 0.1); }

// where light and dark meet in the row through the middle, pixels, between two columns
static double edge_column(const Shot *shot, int32_t from, int32_t to) {
    const uint8_t *row = shot->rgba + (size_t)4 * (HEIGHT / 2) * WIDTH;
    int32_t best = from, most = 0;
    for (int32_t x = from; x + 2 < to; x++) {
        int32_t step = abs(row[4 * (x + 2) + 1] - row[4 * x + 1]);
        if (step > most) most = step, best = x;
    }
    CHECK(most > 40);
    return best + 1.5; // the middle of the pixel between the two
}

static double column_of(const Shot *shot, double x) {
    return fr_camera_project(&shot->camera, WIDTH, HEIGHT, fr_vec3(x, WALL, 0)).x;
}

// --- a flat plate

// the plate stands in the middle, turned about the upright axis
static void add_plate(Scene *s, double thick, double turn) {
    int32_t k = scene_box(s, fr_vec3(-1, -0.5, -1), 0.5, 4, 2, 4, glass());
    FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0, 0, turn)));
    for (int32_t i = 0; i < s->mesh[k].node_count; i++) {
        FrVec3 x = fr_get3(s->mesh[k].x, i);
        x.y *= thick; // 1 m thick until now
        fr_set3(s->p[k], i, fr_mat3_apply(R, x));
    }
}

// A plate moves a ray sideways by t sin i (1 - cos i / sqrt(n^2 - sin^2 i)) and does not turn it:
// a point at the distance of the wall is seen by as much aside, in its own scale.
static double plate_shift(double thick, double incidence) {
    double s = sin(incidence);
    return thick * s * (1 - cos(incidence) / sqrt(INDEX * INDEX - s * s));
}

static void check_plate(double thick, double degrees) {
    static Scene s;
    static Shot shot;
    char name[64];
    two_walls(&s, 0);
    add_plate(&s, thick, degrees * FR_PI / 180);
    snprintf(name, sizeof name, "render-glass-%g-%g.png", 1000 * thick, degrees);
    shoot(&s, false, name, &shot);
    double unit = 0.5 * HEIGHT / tan(0.5 * shot.camera.fov) / (EYE_BACK + WALL);
    // turned to the left by `degrees`: the ray leaves to the left, thus the edge is seen to the
    // right
    double want = column_of(&shot, 0) + unit * plate_shift(thick, degrees * FR_PI / 180);
    CHECK_NEAR(edge_column(&shot, WIDTH / 2 - 60, WIDTH / 2 + 60), want, 1.0); // raster: a pixel
    scene_free(&s);
}

TEST(a_flat_plate_moves_what_is_behind_by_a_part_of_its_thickness) {
    check_plate(0.2, 0);
    check_plate(0.2, 45);
    check_plate(0.2, -45);
    check_plate(0.3, 30);
    check_plate(0.1, 60);
    check_plate(0.02, 45);
}

// a fragment that flies far away does not make the plate any thicker
TEST(a_plate_is_as_thick_as_it_is_where_one_looks) {
    static Scene s;
    static Shot shot;
    two_walls(&s, 0);
    add_plate(&s, 0.02, FR_PI / 4);
    // the body has a second part now: the nodes of the lowest row of cells move off to the side
    int32_t k = s.view.body_count - 1;
    for (int32_t i = 0; i < s.mesh[k].node_count; i++)
        if (fr_get3(s.mesh[k].x, i).z < -0.9) fr_add3(s.p[k], i, fr_vec3(0.5, 1.2, -0.6));
    shoot(&s, false, "render-glass-far.png", &shot);
    // raster: a pixel at either edge
    CHECK_NEAR(edge_column(&shot, WIDTH / 2 - 60, WIDTH / 2 + 60), column_of(&shot, 0), 2.0);
    scene_free(&s);
}

// where cracks are shown, all else is a ghost that bends no light: they are seen where they are
TEST(ghosts_bend_no_light) {
    static Scene s;
    static Shot shot;
    memset(&s, 0, sizeof s);
    double radius = 0.15, far = EYE_BACK + WALL;
    add_plate(&s, 0.3, FR_PI / 4);
    scene_ball(&s, fr_vec3(0, WALL, 0), radius, glass());
    int32_t wall = scene_add(&s, "wall", FR_BODY_PLANE, scene_material(0.01, 0.01, 0.01, 1, 0, 1));
    s.body[wall].normal = fr_vec3(0, -1, 0);
    s.body[wall].offset = -WALL - 1;
    shoot(&s, true, "render-glass-ghost.png", &shot);
    double rim =
        0.5 * HEIGHT / tan(0.5 * shot.camera.fov) * radius / sqrt(far * far - radius * radius);
    // raster: a pixel
    CHECK_NEAR(edge_column(&shot, WIDTH / 2 + 10, WIDTH / 2 + 60), 0.5 * WIDTH + rim, 1.0);
    CHECK_NEAR(edge_column(&shot, WIDTH / 2 - 60, WIDTH / 2 - 10), 0.5 * WIDTH - rim, 1.0);
    scene_free(&s);
}

// --- a solid ball

// where the ray to (b, 0) in the plane of the ball's centre comes to the wall: turned towards the
// centre by i - r at each of the two surfaces
static double ball_reaches(double radius, double b) {
    double slope = b / EYE_BACK, c = 1 / sqrt(1 + slope * slope);
    FrVec3 d = fr_vec3(slope * c, c, 0), eye = fr_vec3(0, -EYE_BACK, 0);
    double near = -fr_dot(eye, d), miss2 = EYE_BACK * EYE_BACK - near * near;
    FrVec3 in = fr_axpy(near - sqrt(radius * radius - miss2), d, eye);
    double i = asin(sqrt(miss2) / radius), r = asin(sin(i) / INDEX);
    // about the centre the ray inside spans pi - 2 r, from entry to exit
    double start = atan2(in.y, in.x), sign = b > 0 ? 1 : -1;
    double out = start + sign * (FR_PI - 2 * r);
    double heading = atan2(d.y, d.x) + sign * 2 * (i - r);
    FrVec3 x = fr_vec3(radius * cos(out), radius * sin(out), 0);
    return x.x + (WALL - x.y) * cos(heading) / sin(heading);
}

static void check_ball(double edge) {
    static Scene s;
    static Shot shot;
    double radius = 0.6, lo = -0.9 * radius, hi = 0.9 * radius;
    two_walls(&s, edge);
    scene_ball(&s, fr_vec3_zero, radius, glass());
    shoot(&s, false, "render-glass-ball.png", &shot);
    // the picture is upside down: from left to right the ray goes from right to left
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (lo + hi);
        *(ball_reaches(radius, middle) > edge ? &lo : &hi) = middle;
    }
    double unit = 0.5 * HEIGHT / tan(0.5 * shot.camera.fov) / EYE_BACK, rim = 0.95 * radius * unit;
    double seen = edge_column(&shot, WIDTH / 2 - (int32_t)rim, WIDTH / 2 + (int32_t)rim);
    CHECK_NEAR(seen, 0.5 * WIDTH + unit * lo, 2.0); // raster: a pixel at either edge
    // dark is left of it
    const uint8_t *row = shot.rgba + (size_t)4 * (HEIGHT / 2) * WIDTH;
    CHECK(row[4 * ((int32_t)seen - 5) + 1] < row[4 * ((int32_t)seen + 5) + 1]);
    scene_free(&s);
}

TEST(a_solid_ball_turns_the_picture_round) {
    check_ball(0);
    check_ball(0.2);
    check_ball(-0.35);
}
