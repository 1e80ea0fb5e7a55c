// render_scene.h: small made-up scenes for the render tests: letters, boxes, balls, a floor.
#pragma once
#include "math/vec.h"
#include "render/render.h"
#include <stdlib.h>
#include <string.h>

#define SCENE_BODIES 16
#define SCENE_FUNCTION __attribute__((unused)) static

typedef struct Scene {
    FrFrameView view;
    FrBodyView body[SCENE_BODIES];
    FrBodyFrame frame[SCENE_BODIES];
    FrTetMesh mesh[SCENE_BODIES];
    FrSurface surface[SCENE_BODIES];
    double *p[SCENE_BODIES], *v[SCENE_BODIES];
} Scene;

typedef struct SceneFace {
    int32_t key[3], tri[3], tet;
} SceneFace;

SCENE_FUNCTION int scene_face_order(const void *a, const void *b) {
    const SceneFace *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

SCENE_FUNCTION void scene_sort3(int32_t *k) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j + 1 < 3; j++)
            if (k[j] > k[j + 1]) {
                int32_t t = k[j];
                k[j] = k[j + 1], k[j + 1] = t;
            }
}

// faces that only one tet has
SCENE_FUNCTION void scene_surface(const FrTetMesh *mesh, FrSurface *surface) {
    static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    int32_t count = 4 * mesh->tet_count, n = 0;
    SceneFace *all = calloc((size_t)count, sizeof *all);
    for (int32_t k = 0; k < count; k++) {
        for (int i = 0; i < 3; i++)
            all[k].key[i] = all[k].tri[i] = mesh->tet[k / 4][face[k % 4][i]];
        all[k].tet = k / 4;
        scene_sort3(all[k].key);
    }
    qsort(all, (size_t)count, sizeof *all, scene_face_order);
    surface->tri = calloc((size_t)count, sizeof *surface->tri);
    surface->tet = calloc((size_t)count, sizeof *surface->tet);
    for (int32_t k = 0; k < count; k++) {
        if ((k > 0 && !scene_face_order(&all[k], &all[k - 1])) ||
            (k + 1 < count && !scene_face_order(&all[k], &all[k + 1])))
            continue;
        memcpy(surface->tri[n], all[k].tri, sizeof all[k].tri);
        surface->tet[n++] = all[k].tet;
    }
    surface->tri_count = n;
    free(all);
}

SCENE_FUNCTION FrMaterial scene_material(double r, double g, double b, double rough, double metal,
                                         double opacity) {
    FrMaterial m;
    memset(&m, 0, sizeof m);
    m.density = 1000, m.lambda = 4e5, m.mu = 1e5;
    m.colour[0] = (float)r, m.colour[1] = (float)g, m.colour[2] = (float)b;
    m.roughness = (float)rough, m.metallic = (float)metal, m.opacity = (float)opacity;
    return m;
}

SCENE_FUNCTION int32_t scene_add(Scene *s, const char *name, FrBodyKind kind, FrMaterial material) {
    int32_t k = s->view.body_count++;
    s->body[k] = (FrBodyView){.name = name, .model = "fem", .kind = kind, .material = material};
    s->frame[k] = (FrBodyFrame){.alive = true, .rotation = fr_quat_identity};
    s->view.body = s->body, s->view.frame = s->frame;
    return k;
}

// rest shape is in mesh[k]: take its surface and start at rest
SCENE_FUNCTION void scene_finish_mesh(Scene *s, int32_t k) {
    FrTetMesh *m = &s->mesh[k];
    m->corner_count = m->node_count, m->order = 1;
    scene_surface(m, &s->surface[k]);
    s->body[k].mesh = m, s->body[k].surface = &s->surface[k];
    s->p[k] = calloc(3 * (size_t)m->node_count, sizeof(double));
    s->v[k] = calloc(3 * (size_t)m->node_count, sizeof(double));
    memcpy(s->p[k], m->x, 3 * sizeof(double) * (size_t)m->node_count);
    s->frame[k].p = s->p[k], s->frame[k].v = s->v[k];
}

SCENE_FUNCTION void scene_floor(Scene *s) {
    int32_t k = scene_add(s, "floor", FR_BODY_PLANE, scene_material(0.60, 0.59, 0.57, 0.8, 0, 1));
    s->body[k].normal = fr_vec3(0, 0, 1);
}

SCENE_FUNCTION void scene_ball(Scene *s, FrVec3 at, double radius, FrMaterial material) {
    int32_t k = scene_add(s, "ball", FR_BODY_SPHERE, material);
    s->body[k].radius = radius;
    s->frame[k].position = at;
}

// cells of a grid that `inside` keeps, six tets each
SCENE_FUNCTION int32_t scene_grid(Scene *s, const char *name, const int n[3], FrVec3 lo, double h,
                                  bool (*inside)(void *, FrVec3), void *arg, FrMaterial material) {
    int32_t k = scene_add(s, name, FR_BODY_TETS, material);
    FrTetMesh *m = &s->mesh[k];
    int32_t nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), cells = n[0] * n[1] * n[2];
    int32_t *number = malloc(sizeof *number * (size_t)nodes);
    memset(number, 0xff, sizeof *number * (size_t)nodes);
    m->x = calloc(3 * (size_t)nodes, sizeof(double));
    m->tet = calloc(6 * (size_t)cells, sizeof *m->tet);
    static const int path[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                   {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    for (int32_t c = 0; c < cells; c++) {
        int i = c % n[0], j = c / n[0] % n[1], l = c / n[0] / n[1];
        if (!inside(arg, fr_vec3(lo.x + h * (i + 0.5), lo.y + h * (j + 0.5), lo.z + h * (l + 0.5))))
            continue;
        int32_t corner[8];
        for (int q = 0; q < 8; q++) {
            int a = i + (q & 1), b = j + (q >> 1 & 1), d = l + (q >> 2);
            int32_t *slot = &number[a + (n[0] + 1) * (b + (n[1] + 1) * d)];
            if (*slot < 0) {
                *slot = m->node_count++;
                fr_set3(m->x, *slot, fr_vec3(lo.x + h * a, lo.y + h * b, lo.z + h * d));
            }
            corner[q] = *slot;
        }
        for (int t = 0; t < 6; t++, m->tet_count++)
            for (int q = 0; q < 4; q++) m->tet[m->tet_count][q] = corner[path[t][q]];
    }
    free(number);
    return k;
}

SCENE_FUNCTION bool scene_everywhere(void *arg, FrVec3 x) {
    (void)arg, (void)x;
    return true;
}

// a box of cells standing on z = lo.z
SCENE_FUNCTION int32_t scene_box(Scene *s, FrVec3 lo, double h, int nx, int ny, int nz,
                                 FrMaterial m) {
    int n[3] = {nx, ny, nz};
    int32_t k = scene_grid(s, "box", n, lo, h, scene_everywhere, NULL, m);
    scene_finish_mesh(s, k);
    return k;
}

// a ball of tets: a cube of cells pushed round
SCENE_FUNCTION int32_t scene_soft_ball(Scene *s, FrVec3 centre, double radius, int cells,
                                       FrMaterial m) {
    int n[3] = {cells, cells, cells};
    int32_t k =
        scene_grid(s, "soft ball", n, fr_vec3(-1, -1, -1), 2.0 / cells, scene_everywhere, NULL, m);
    for (int32_t i = 0; i < s->mesh[k].node_count; i++) {
        FrVec3 x = fr_get3(s->mesh[k].x, i);
        double a[3] = {fabs(x.x), fabs(x.y), fabs(x.z)};
        double cube = fr_max(a[0], fr_max(a[1], a[2]));
        x = fr_vec3(tan(FR_PI / 4 * x.x), tan(FR_PI / 4 * x.y), tan(FR_PI / 4 * x.z));
        fr_set3(s->mesh[k].x, i, fr_axpy(radius * cube, fr_normalize(x), centre));
    }
    scene_finish_mesh(s, k);
    return k;
}

// --- letters as strokes of some width, extruded along y

typedef struct SceneLetter {
    const char *strokes; ///< x digit 0..8 and z letter c..i, as in the stroke font
    double width;
} SceneLetter;

SCENE_FUNCTION double scene_letter_distance(const SceneLetter *letter, double x, double z) {
    double best = 1e9, px = 0, pz = 0;
    bool start = true;
    for (const char *c = letter->strokes; *c; c++) {
        if (*c == ' ') {
            start = true;
            continue;
        }
        double qx = (c[0] - '0') / 12.0, qz = (c[1] - 'c') / 6.0;
        c++;
        if (!start) {
            double dx = qx - px, dz = qz - pz;
            double t = fr_clamp(((x - px) * dx + (z - pz) * dz) / (dx * dx + dz * dz), 0, 1);
            double ex = x - px - t * dx, ez = z - pz - t * dz;
            best = fr_min(best, sqrt(ex * ex + ez * ez));
        }
        px = qx, pz = qz, start = false;
    }
    return best - letter->width;
}

SCENE_FUNCTION bool scene_letter_inside(void *arg, FrVec3 x) {
    return scene_letter_distance(arg, x.x, x.z) < 0;
}

// onto the outline of the letter
SCENE_FUNCTION FrVec3 scene_to_outline(const SceneLetter *letter, FrVec3 x) {
    double e = 1e-5;
    for (int round = 0; round < 3; round++) {
        double d = scene_letter_distance(letter, x.x, x.z);
        double gx = scene_letter_distance(letter, x.x + e, x.z) - d;
        double gz = scene_letter_distance(letter, x.x, x.z + e) - d;
        double g = sqrt(gx * gx + gz * gz);
        if (g > 0) x.x -= d * gx / g, x.z -= d * gz / g;
    }
    return x;
}

// nodes of the side walls: evenly along the outline
SCENE_FUNCTION void scene_smooth_rim(Scene *s, int32_t k, const SceneLetter *letter) {
    int32_t nodes = s->mesh[k].node_count, tris = s->surface[k].tri_count;
    double *rest = s->mesh[k].x, *sum = calloc(3 * (size_t)nodes, sizeof *sum);
    int *count = calloc((size_t)nodes, sizeof *count);
    bool *side = calloc((size_t)tris, sizeof *side);
    for (int32_t t = 0; t < tris; t++) {
        int32_t *c = s->surface[k].tri[t];
        FrVec3 a = fr_get3(rest, c[0]);
        FrVec3 n = fr_cross(fr_sub(fr_get3(rest, c[1]), a), fr_sub(fr_get3(rest, c[2]), a));
        side[t] = fabs(n.y) < 0.5 * fr_length(n);
    }
    for (int round = 0; round < 12; round++) {
        memset(sum, 0, 3 * sizeof *sum * (size_t)nodes);
        memset(count, 0, sizeof *count * (size_t)nodes);
        for (int32_t t = 0; t < 3 * tris; t++) {
            int32_t a = s->surface[k].tri[t / 3][t % 3], b = s->surface[k].tri[t / 3][(t + 1) % 3];
            FrVec3 d = fr_sub(fr_get3(rest, b), fr_get3(rest, a));
            if (!side[t / 3] || fabs(d.y) > 1e-9) continue;
            fr_add3(sum, a, d), fr_add3(sum, b, fr_neg(d));
            count[a]++, count[b]++;
        }
        for (int32_t i = 0; i < nodes; i++)
            if (count[i] > 0)
                fr_set3(rest, i,
                        scene_to_outline(
                            letter, fr_axpy(0.5 / count[i], fr_get3(sum, i), fr_get3(rest, i))));
    }
    free(sum), free(count), free(side);
}

// rest shape about 1 high, cut from a grid, its rim pulled onto the outline
SCENE_FUNCTION int32_t scene_letter(Scene *s, const char *strokes, double width, int cells,
                                    FrMaterial m) {
    SceneLetter letter = {strokes, width};
    double h = 1.0 / cells;
    int n[3] = {(int)(1.1 * cells), fr_max_i(2, cells / 4), (int)(1.5 * cells)};
    int32_t k = scene_grid(s, "letter", n, fr_vec3(-0.2, -0.5 * h * n[1], -0.25), h,
                           scene_letter_inside, &letter, m);
    scene_finish_mesh(s, k);
    double *rest = s->mesh[k].x;
    scene_smooth_rim(s, k, &letter);
    memcpy(s->p[k], rest, 3 * sizeof(double) * (size_t)s->mesh[k].node_count);
    return k;
}

// squash towards the floor, bulge, twist, then turn and move
typedef struct ScenePose {
    double squash, twist; ///< 1: none; radians over the height
    FrVec3 turn, at;      ///< radians about x, y, z; m
    double size;
} ScenePose;

SCENE_FUNCTION void scene_pose(Scene *s, int32_t k, ScenePose pose) {
    FrMat3 R = fr_quat_mat3(fr_quat_from_euler(pose.turn));
    for (int32_t i = 0; i < s->mesh[k].node_count; i++) {
        FrVec3 x = fr_get3(s->mesh[k].x, i);
        x.x -= 0.33;
        double low = 1 + (1 - pose.squash) * 1.6 * (1 - fr_clamp(x.z + 0.1, 0, 1));
        double a = pose.twist * (x.z - 0.5), c = cos(a), b = sin(a);
        x = fr_vec3(low * (c * x.x - b * x.y), low * (b * x.x + c * x.y), pose.squash * x.z);
        fr_set3(s->p[k], i, fr_axpy(pose.size, fr_mat3_apply(R, x), pose.at));
    }
}

// bring the body down (or up) until its lowest node is at z
SCENE_FUNCTION void scene_rest_on(Scene *s, int32_t k, double z) {
    double low = HUGE_VAL;
    for (int32_t i = 0; i < s->mesh[k].node_count; i++) low = fr_min(low, fr_get3(s->p[k], i).z);
    for (int32_t i = 0; i < s->mesh[k].node_count; i++) fr_add3(s->p[k], i, fr_vec3(0, 0, z - low));
}

SCENE_FUNCTION void scene_free(Scene *s) {
    for (int32_t k = 0; k < SCENE_BODIES; k++) {
        free(s->mesh[k].x);
        free(s->mesh[k].tet);
        free(s->surface[k].tri);
        free(s->surface[k].tet);
        free(s->p[k]);
        free(s->v[k]);
    }
}

// six soft letters fallen on a floor, with a few balls: the picture of a README
SCENE_FUNCTION void scene_hello(Scene *s, int cells) {
    static const char *const word[6] = {"8i0i0c 0f6f", "0c0i6i8h8g6f0f 4f8c",
                                        "0c4i8c 2f6f", "8h6i2i0h0d2c6c8d",
                                        "0c4i8c 2f6f", "8h6i2i0h0g2f6f8e8d6c2c0d"};
    static const double colour[6][3] = {{0.80, 0.10, 0.07}, {0.92, 0.36, 0.04}, {0.90, 0.62, 0.06},
                                        {0.10, 0.46, 0.20}, {0.05, 0.30, 0.62}, {0.32, 0.12, 0.50}};
    static const ScenePose pose[6] = {{0.88, 0.10, {0.02, 0.05, -0.25}, {-2.35, 0.10, 0}, 0.9},
                                      {0.80, -0.15, {-0.08, -0.12, 0.10}, {-1.45, -0.05, 0}, 0.9},
                                      {0.84, 0.20, {0.05, 0.10, -0.15}, {-0.50, 0.05, 0}, 0.9},
                                      {0.76, -0.25, {-0.10, -0.25, 0.20}, {0.45, -0.10, 0}, 0.9},
                                      {0.86, 0.12, {0.04, 0.16, 0.05}, {1.35, 0.10, 0}, 0.9},
                                      {0.94, 0.35, {-0.16, -0.45, -0.25}, {2.25, 0.0, 0}, 0.9}};
    memset(s, 0, sizeof *s);
    scene_floor(s);
    for (int k = 0; k < 6; k++) {
        int32_t b =
            scene_letter(s, word[k], 0.125, cells,
                         scene_material(colour[k][0], colour[k][1], colour[k][2], 0.42, 0, 1));
        scene_pose(s, b, pose[k]);
        scene_rest_on(s, b, k == 5 ? 0.28 : 0.0);
    }
    scene_ball(s, fr_vec3(-0.95, -0.95, 0.17), 0.17, scene_material(0.95, 0.93, 0.88, 0.14, 1, 1));
    scene_ball(s, fr_vec3(0.75, -1.05, 0.22), 0.22,
               scene_material(0.75, 0.90, 0.95, 0.05, 0, 0.18));
    scene_ball(s, fr_vec3(1.75, -0.80, 0.13), 0.13, scene_material(0.03, 0.03, 0.035, 0.6, 0, 1));
    scene_ball(s, fr_vec3(-2.0, -0.75, 0.12), 0.12, scene_material(0.95, 0.64, 0.34, 0.3, 1, 1));
}

/// What fr_srgb_encode undoes: 0..1 as stored -> linear light.
static inline double srgb_decode(double x) {
    x = fr_clamp(x, 0.0, 1.0);
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}
