// renderer_numbers.c: the numbers that shaders get of a frame: eye, sun, floor, exposure.

#include "render/renderer_inside.h"

static void to4(float to[4], FrVec3 v, double w) {
    to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z, to[3] = (float)w;
}

// rows of a 4x4 matrix to OpenGL's columns
static void to_columns(float to[16], double m[4][4]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) to[4 * j + i] = (float)m[i][j];
}

static void set_row(double row[4], FrVec3 v, double w) {
    row[0] = v.x, row[1] = v.y, row[2] = v.z, row[3] = w;
}

static void set_view(FrRenderer *r, const FrCamera *camera) {
    FrSceneBlock *b = &r->block;
    FrCameraFrame f = fr_camera_frame(camera);
    FrVec3 eye = fr_sub(camera->eye, r->list.origin);
    double aspect = r->def.width / (double)r->def.height, t = tan(0.5 * camera->fov);
    double radius = f.distance * t; // half the height of the picture, at the target
    double near = 0.04 * f.distance, far = f.distance + 30 * radius;
    double m[4][4];
    set_row(m[0], fr_scale(1 / (t * aspect), f.right), -fr_dot(f.right, eye) / (t * aspect));
    set_row(m[1], fr_scale(1 / t, f.up), -fr_dot(f.up, eye) / t);
    double a = (far + near) / (far - near), c = -2 * far * near / (far - near);
    set_row(m[2], fr_scale(a, f.forward), -a * fr_dot(f.forward, eye) + c);
    set_row(m[3], f.forward, -fr_dot(f.forward, eye));
    to_columns(b->clip_from_world, m);
    to4(b->eye, eye, f.distance);
    to4(b->forward, f.forward, 0);
    to4(b->ray_x, fr_scale(t * aspect, f.right), 0);
    to4(b->ray_y, fr_scale(t, f.up), 0);
    to4(b->focus, fr_sub(camera->target, r->list.origin), radius);
    b->screen[0] = (float)r->def.width, b->screen[1] = (float)r->def.height;
    b->screen[2] = (float)r->occlusion_width, b->screen[3] = (float)r->occlusion_height;
    b->look[1] = (float)(0.17 * radius);
}

// The shadow map holds everything that casts a shadow. Its size goes in steps and its place in
// whole texels, so that shadow edges do not swim while bodies move.
FrVec3 fr_film_sun(void) { return fr_normalize(fr_vec3(-0.46, -0.42, 0.88)); }

static void set_sun(FrRenderer *r) {
    FrSceneBlock *b = &r->block;
    FrVec3 sun = fr_film_sun();
    FrVec3 x = fr_normalize(fr_cross(fr_vec3(0, 0, 1), sun)), y = fr_cross(sun, x);
    FrBox box = r->list.bounds;
    FrVec3 centre = fr_vec3_zero;
    double radius = (double)b->focus[3];
    if (box.lo.x <= box.hi.x) {
        centre = fr_box_center(box);
        radius = 0.5 * fr_length(fr_box_size(box));
    }
    radius = fr_max(1.08 * radius, 1e-6 * (double)b->focus[3]);
    radius = exp2(ceil(8 * log2(radius)) / 8);
    double width = 2 * radius, range = 6 * radius, texel = width / r->def.shadow_size;
    FrVec3 fixed = fr_add(centre, r->list.origin);
    double cx = floor(fr_dot(x, fixed) / texel) * texel - fr_dot(x, r->list.origin);
    double cy = floor(fr_dot(y, fixed) / texel) * texel - fr_dot(y, r->list.origin);
    double top = fr_dot(sun, centre) + radius;
    double m[4][4];
    set_row(m[0], fr_scale(1 / width, x), 0.5 - cx / width);
    set_row(m[1], fr_scale(1 / width, y), 0.5 - cy / width);
    set_row(m[2], fr_scale(-1 / range, sun), top / range);
    set_row(m[3], fr_vec3_zero, 1);
    to_columns(b->light_from_world, m);
    to4(b->sun, sun, 0.075);
    to4(b->light_x, x, width);
    to4(b->light_y, y, range);
    b->look[2] = (float)r->def.shadow_size;
}

static double luminance(const float c[3]) {
    return 0.2126 * (double)c[0] + 0.7152 * (double)c[1] + 0.0722 * (double)c[2];
}

/// Brightness of what lies in full light, of 1; a floor is lost in the backdrop at that.
#define KEY 0.43
/// How much less where one looks straight down.
#define STEEP 0.15

// Metered from the floor: bright floors are exposed less, though not all the way; and floors that
// are looked at from high above, since they fill the picture. So does the foot of the backdrop
// where there is no floor.
static void set_look(FrRenderer *r, const FrCamera *camera, const FrRenderOptions *options) {
    FrSceneBlock *b = &r->block;
    const FrDrawList *list = &r->list;
    FrVec3 forward = fr_camera_frame(camera).forward;
    double seen = 0.5, key = KEY, foot = 1.0 - STEEP / KEY * fr_clamp(-forward.z, 0, 1);
    to4(b->floor_colour, fr_vec3(0.5, 0.5, 0.5), list->plane_count > 0);
    for (int32_t k = 0; k < FR_DRAW_PLANES; k++) to4(b->plane[k], fr_vec3(0, 0, 1), -1e9);
    for (int32_t k = 0; k < list->plane_count; k++)
        to4(b->plane[k], list->plane[k].normal, list->plane[k].offset);
    if (list->plane_count > 0) {
        const float *c = list->plane[0].colour;
        seen = fr_clamp(luminance(c), 0.04, 1);
        key = 0.38 - STEEP * fr_clamp(-fr_dot(forward, list->plane[0].normal), 0, 1);
        foot = key / KEY;
        to4(b->floor_colour, fr_vec3((double)c[0], (double)c[1], (double)c[2]), 1);
    }
    b->planes[0] = (float)list->plane_count;
    FrBox box = fr_box_grow(list->bounds, 1.2 * (double)b->look[1]);
    to4(b->box_lo, box.lo, 0);
    to4(b->box_hi, box.hi, 0);
    b->look[0] = (float)(options->exposure * key / (2.75 * pow(seen, 0.8) * pow(0.6, 0.2)));
    b->look[3] = (float)foot;
}

void fr_renderer_set_numbers(FrRenderer *r, const FrCamera *camera,
                             const FrRenderOptions *options) {
    set_view(r, camera);
    set_sun(r);
    set_look(r, camera, options);
}
