// solid_moments.c: what a tree of triangles knows of each part: corners of leaves, harmonics of
// children, and from where these will do.

#include "base/tasks.h"
#include "geom/solid_tree.h"

#define GRAIN 64
#define HALVINGS 12 ///< of the distance at which a child is far

static double inverse_or_zero(double a) { return a > 0.0 ? 1.0 / a : 0.0; }

static void fill_lane(FrTreeLeaf *leaf, int lane, const FrVec3 x[3]) {
    FrVec3 edge[3];
    double longest2 = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) leaf->corner[k][c][lane] = fr_vec3_get(x[k], c);
        edge[k] = fr_sub(x[(k + 1) % 3], x[k]);
        double length2 = fr_length2(edge[k]);
        leaf->inverse_edge2[k][lane] = inverse_or_zero(length2);
        longest2 = fr_max(longest2, length2);
    }
    // a sliver flatter than 1e-7 is as good as its edges, and its plane is mostly rounding
    double normal2 = fr_length2(fr_cross(edge[0], edge[1]));
    bool sliver = normal2 <= 1e-14 * longest2 * longest2;
    leaf->inverse_normal2[lane] = sliver ? 0.0 : inverse_or_zero(normal2);
}

static void tree_corners(const FrTree *tree, const FrTriMesh *mesh, int32_t i, FrVec3 x[3]) {
    for (int k = 0; k < 3; k++) x[k] = fr_get3(mesh->p, mesh->tri[tree->order[i]][k]);
}

static void fill_leaf(FrTreeLeaf *leaf, const FrTree *tree, const FrTriMesh *mesh) {
    for (int lane = 0; lane < 4; lane++) {
        FrVec3 x[3];
        tree_corners(tree, mesh, leaf->first + fr_min_i(lane, leaf->count - 1), x);
        fill_lane(leaf, lane, x);
    }
}

static FrVec3 area_vector(const FrVec3 x[3]) {
    return fr_scale(0.5, fr_cross(fr_sub(x[1], x[0]), fr_sub(x[2], x[0])));
}

/// Integrals over the triangles of a child, r: from its centre, n: their normals.
typedef struct Moments {
    FrVec3 centre;       ///< of the area, m
    double n[3];         ///< of n, m^2
    double nr[3][3];     ///< of n_i r_j, m^3
    double nrr[3][3][3]; ///< of n_i r_j r_k, m^4
    double radius2;      ///< to the farthest corner, m^2
    double r3;           ///< of |r|^3, at most, m^5
} Moments;

static FrVec3 area_centre(const FrTree *tree, const FrTriMesh *mesh, int32_t begin, int32_t end,
                          FrVec3 middle) {
    double area = 0.0;
    FrVec3 sum = fr_vec3_zero, x[3];
    for (int32_t i = begin; i < end; i++) {
        tree_corners(tree, mesh, i, x);
        double size = fr_length(area_vector(x));
        sum = fr_axpy(size / 3.0, fr_add(x[0], fr_add(x[1], x[2])), sum);
        area += size;
    }
    return area > 0.0 ? fr_scale(1.0 / area, sum) : middle;
}

// of one triangle: r r' has the mean (sum of c c' + s s') / 12, c: corners, s: their sum
static void add_triangle(Moments *m, const FrVec3 x[3]) {
    FrVec3 vector = area_vector(x), s = fr_vec3_zero;
    double c[4][3], farthest2 = 0.0, mean2 = 0.0;
    for (int k = 0; k < 3; k++) {
        FrVec3 r = fr_sub(x[k], m->centre);
        for (int j = 0; j < 3; j++) c[k][j] = fr_vec3_get(r, j);
        farthest2 = fr_max(farthest2, fr_length2(r));
        s = fr_add(s, r);
    }
    for (int j = 0; j < 3; j++) c[3][j] = fr_vec3_get(s, j);
    for (int i = 0; i < 3; i++) {
        double n = fr_vec3_get(vector, i);
        m->n[i] += n;
        for (int j = 0; j < 3; j++) {
            m->nr[i][j] += n * c[3][j] / 3.0;
            for (int k = 0; k < 3; k++)
                m->nrr[i][j][k] +=
                    n / 12.0 *
                    (c[0][j] * c[0][k] + c[1][j] * c[1][k] + c[2][j] * c[2][k] + c[3][j] * c[3][k]);
        }
    }
    for (int k = 0; k < 4; k++)
        mean2 += (c[k][0] * c[k][0] + c[k][1] * c[k][1] + c[k][2] * c[k][2]) / 12.0;
    m->radius2 = fr_max(m->radius2, farthest2);
    m->r3 += fr_length(vector) * mean2 * sqrt(farthest2);
}

// The terms of the sum of n.(d + r) / |d + r|^3 are
//   N.d / |d|^3,  -3 d'C d / |d|^5 + tr C / |d|^3,  and, with T = nrr,
//   15/2 T(d,d,d) / |d|^7 - 3/2 (2 T_iik + T_kii) d_k / |d|^5:
// harmonics of degree 1, 2, 3. Of the last two only the parts without a trace count.
static void set_harmonics(FrTreeNode *node, int slot, const Moments *m) {
    const double(*C)[3] = m->nr, (*T)[3][3] = m->nrr;
    double h[FR_TREE_HARMONICS], trace = (C[0][0] + C[1][1] + C[2][2]) / 3.0;
    for (int k = 0; k < 3; k++) h[k] = m->n[k];
    h[3] = -3.0 * (C[0][0] - trace);
    h[4] = -3.0 * (C[1][1] - trace);
    for (int k = 0; k < 3; k++)
        h[5 + k] = -3.0 * (C[(k + 1) % 3][(k + 2) % 3] + C[(k + 2) % 3][(k + 1) % 3]);
    // of x y^2 and x z^2, y z^2 and y x^2, z x^2 and z y^2
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double jj = T[i][j][j] + 2.0 * T[j][i][j], kk = T[i][k][k] + 2.0 * T[k][i][k];
        double less = (6.0 * T[i][i][i] + 2.0 * jj + 2.0 * kk) / 10.0;
        h[8 + 2 * i] = 7.5 * (jj - less);
        h[9 + 2 * i] = 7.5 * (kk - less);
    }
    h[14] = 15.0 * (T[0][1][2] + T[1][2][0] + T[2][0][1]);
    for (int k = 0; k < FR_TREE_HARMONICS; k++) node->harmonic[k][slot] = h[k];
}

// The three terms leave out at most, with q = R / D (Bernstein: a harmonic of degree k that is r^k
// at most has a gradient of k r^(k-1) at most)
//   sum of k r^(k-1) / D^(k+1), k > 3  <=  r^3 / D^5 (4 - 3 q) / (1 - q)^2.
// The q at which that is FR_TREE_LEFT_OUT of a turn, or less.
static double far_ratio(double r3, double radius) {
    double most = 4.0 * FR_PI * FR_TREE_LEFT_OUT, lo = 0.0, hi = 1.0;
    double whole = r3 / (radius * radius * radius * radius * radius);
    for (int k = 0; k < HALVINGS; k++) {
        double q = 0.5 * (lo + hi);
        double left = whole * q * q * q * q * q * (4.0 - 3.0 * q) / ((1.0 - q) * (1.0 - q));
        if (left <= most)
            lo = q;
        else
            hi = q;
    }
    return lo;
}

static void fill_child(FrTreeNode *node, int slot, const FrTree *tree, const FrTriMesh *mesh) {
    FrVec3 middle = {0.5 * (node->lo[0][slot] + node->hi[0][slot]),
                     0.5 * (node->lo[1][slot] + node->hi[1][slot]),
                     0.5 * (node->lo[2][slot] + node->hi[2][slot])};
    int32_t begin = node->begin[slot], end = node->end[slot];
    Moments m = {.centre = area_centre(tree, mesh, begin, end, middle)};
    for (int32_t i = begin; i < end; i++) {
        FrVec3 x[3];
        tree_corners(tree, mesh, i, x);
        add_triangle(&m, x);
    }
    for (int k = 0; k < 3; k++) node->centre[k][slot] = fr_vec3_get(m.centre, k);
    set_harmonics(node, slot, &m);
    double radius = sqrt(m.radius2), ratio = radius > 0.0 ? far_ratio(m.r3, radius) : 1.0;
    node->near2[slot] = ratio > 0.0 ? m.radius2 / (ratio * ratio) : HUGE_VAL;
}

typedef struct FillRun {
    FrTree *tree;
    const FrTriMesh *mesh;
} FillRun;

static void leaf_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const FillRun *run = arg;
    for (int32_t k = begin; k < end; k++) fill_leaf(&run->tree->leaf[k], run->tree, run->mesh);
}

static void node_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const FillRun *run = arg;
    for (int32_t k = begin; k < end; k++)
        for (int slot = 0; slot < 4; slot++)
            if (run->tree->node[k].child[slot] != FR_TREE_NONE)
                fill_child(&run->tree->node[k], slot, run->tree, run->mesh);
}

void fr_tree_fill(FrContext *ctx, FrTree *tree, const FrTriMesh *mesh) {
    FillRun run = {tree, mesh};
    fr_parallel_for(ctx, tree->leaf_count, GRAIN, leaf_range, &run);
    fr_parallel_for(ctx, tree->node_count, GRAIN, node_range, &run);
}
