// shapes.c: spheres and planes as triangles and quads.

#include "export/shapes.h"

void fr_sphere_points(FrVec3 point[FR_SPHERE_POINTS]) {
    int32_t at = 0;
    point[at++] = fr_vec3(0, 0, 1);
    for (int r = 1; r < FR_SPHERE_RINGS; r++) {
        double theta = FR_PI * r / FR_SPHERE_RINGS;
        for (int s = 0; s < FR_SPHERE_SECTORS; s++) {
            double phi = 2 * FR_PI * s / FR_SPHERE_SECTORS;
            point[at++] = fr_vec3(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
        }
    }
    point[at] = fr_vec3(0, 0, -1);
}

void fr_sphere_tris(int32_t tri[FR_SPHERE_TRIS][3]) {
    int32_t at = 0, last = FR_SPHERE_POINTS - 1;
    for (int s = 0; s < FR_SPHERE_SECTORS; s++) {
        int next = (s + 1) % FR_SPHERE_SECTORS;
        int32_t top[3] = {0, 1 + s, 1 + next};
        int32_t low = last - FR_SPHERE_SECTORS, end[3] = {last, low + next, low + s};
        for (int c = 0; c < 3; c++) tri[at][c] = top[c], tri[at + 1][c] = end[c];
        at += 2;
        for (int r = 0; r < FR_SPHERE_RINGS - 2; r++) {
            int32_t a = 1 + r * FR_SPHERE_SECTORS, b = a + FR_SPHERE_SECTORS;
            int32_t quad[2][3] = {{a + s, b + s, b + next}, {a + s, b + next, a + next}};
            for (int k = 0; k < 2; k++, at++)
                for (int c = 0; c < 3; c++) tri[at][c] = quad[k][c];
        }
    }
}

void fr_plane_quad(const FrBodyView *plane, FrVec3 near, double reach, FrVec3 corner[4]) {
    FrVec3 n = fr_normalize(plane->normal);
    if (fr_length2(n) == 0.0) n = fr_vec3(0, 0, 1);
    FrVec3 u = fr_any_normal(n), v = fr_cross(n, u);
    double length = fr_length(plane->normal);
    double offset = length > 0.0 ? plane->offset / length : plane->offset;
    FrVec3 middle = fr_axpy(offset - fr_dot(near, n), n, near);
    const double side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++)
        corner[k] = fr_axpy(side[k][0] * reach, u, fr_axpy(side[k][1] * reach, v, middle));
}

FrBox fr_frame_box(const FrFrameView *view) {
    FrBox box = fr_box_empty();
    for (int32_t b = 0; b < view->body_count; b++) {
        const FrBodyFrame *frame = &view->frame[b];
        const FrBodyView *body = &view->body[b];
        if (!frame->alive) continue;
        for (int32_t n = 0; frame->p && body->mesh && n < body->mesh->node_count; n++)
            box = fr_box_add(box, fr_get3(frame->p, n));
        if (body->kind != FR_BODY_SPHERE) continue;
        FrVec3 r = fr_vec3(body->radius, body->radius, body->radius);
        box = fr_box_add(fr_box_add(box, fr_sub(frame->position, r)), fr_add(frame->position, r));
    }
    return box;
}
