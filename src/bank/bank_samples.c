// bank_samples.c: which ellipsoids a bank has: closer together where their frequencies change
// faster.

#include "bank/ellipsoid.h"
#include "bank/entry.h"
#include "base/array.h"
#include <math.h>
#include <string.h>

/// Frequencies that are compared.
#define FIRST 10
/// Degree of the polynomials: enough for these within 1 %.
#define DEGREE 12

/// Logarithms of a/c and b/c, and of the first frequencies.
typedef struct Node {
    double at[2], tone[FIRST];
} Node;

typedef struct Side {
    int32_t node[3];
    double off;   ///< the largest miss halfway along an edge
    int32_t edge; ///< opposite to this corner
    int32_t half; ///< the node halfway there
} Side;

typedef struct Sampler {
    FrContext *ctx;
    const FrBankPlan *plan;
    FR_ARRAY(Node) node;
    FR_ARRAY(Side) side;
} Sampler;

static void half_of(const double at[2], double half[3]) {
    double a = exp(at[0]), b = exp(at[1]), length = sqrt(a * a + b * b + 1.0);
    half[0] = a / length;
    half[1] = b / length;
    half[2] = 1.0 / length;
}

static FrResult add_node(Sampler *s, double x, double y, int32_t *number) {
    Node node = {.at = {x, y}};
    FrEllipsoid e;
    for (int32_t k = 0; k < s->node.count; k++) {
        *number = k;
        const Node *n = &s->node.data[k];
        if (fabs(n->at[0] - x) < 1e-9 && fabs(n->at[1] - y) < 1e-9) return FR_OK;
    }
    *number = s->node.count;
    const FrMaterial *m = &s->plan->material;
    FrEllipsoidDef def = {.poisson = 0.5 * m->lambda / (m->lambda + m->mu),
                          .young = 1.0,
                          .density = 1.0,
                          .most = FIRST,
                          .degree = DEGREE};
    half_of(node.at, def.half);
    FR_TRY(fr_ellipsoid_modes(s->ctx, &def, &e));
    for (int32_t i = 0; i < FIRST; i++) node.tone[i] = 0.5 * log(e.mode[i].lambda);
    fr_ellipsoid_free(s->ctx, &e);
    return fr_array_push(s->ctx, &s->node, node) ? FR_OK : fr_no_memory(s->ctx, "samples");
}

static double miss(const Node *a, const Node *b, const Node *between) {
    double most = 0.0;
    for (int32_t i = 0; i < FIRST; i++)
        most = fr_max(most, fabs(expm1(between->tone[i] - 0.5 * (a->tone[i] + b->tone[i]))));
    return most;
}

static FrResult add_side(Sampler *s, int32_t a, int32_t b, int32_t c) {
    Side side = {.node = {a, b, c}, .off = -1.0};
    for (int k = 0; k < 3; k++) {
        int32_t p = side.node[(k + 1) % 3], q = side.node[(k + 2) % 3], half;
        const double *x = s->node.data[p].at, *y = s->node.data[q].at;
        FR_TRY(add_node(s, 0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), &half));
        double off = miss(&s->node.data[p], &s->node.data[q], &s->node.data[half]);
        if (off > side.off) side.off = off, side.edge = k, side.half = half;
    }
    return fr_array_push(s->ctx, &s->side, side) ? FR_OK : fr_no_memory(s->ctx, "samples");
}

// all triangles that have this edge become two each
static FrResult part_edge(Sampler *s, int32_t p, int32_t q, int32_t half) {
    for (int32_t k = 0; k < s->side.count; k++) {
        Side old = s->side.data[k];
        for (int i = 0; i < 3; i++) {
            int32_t a = old.node[i], b = old.node[(i + 1) % 3], c = old.node[(i + 2) % 3];
            if (!((b == p && c == q) || (b == q && c == p))) continue;
            s->side.data[k] = s->side.data[s->side.count - 1];
            s->side.count--;
            FR_TRY(add_side(s, a, b, half));
            FR_TRY(add_side(s, a, half, c));
            k = -1; // others may have it, too
            break;
        }
    }
    return FR_OK;
}

// which nodes are corners: nodes halfway were only looked at
static int32_t count_corners(const Sampler *s, uint8_t *corner) {
    int32_t count = 0;
    memset(corner, 0, (size_t)s->node.count);
    for (int32_t k = 0; k < s->side.count; k++)
        for (int i = 0; i < 3; i++) corner[s->side.data[k].node[i]] = 1;
    for (int32_t k = 0; k < s->node.count; k++) count += corner[k];
    return count;
}

static FrResult refine(Sampler *s) {
    int32_t corners = 3;
    while (corners < s->plan->most_samples) {
        int32_t worst = 0;
        for (int32_t k = 1; k < s->side.count; k++)
            if (s->side.data[k].off > s->side.data[worst].off) worst = k;
        Side side = s->side.data[worst];
        if (side.off <= s->plan->tolerance) return FR_OK;
        FR_TRY(part_edge(s, side.node[(side.edge + 1) % 3], side.node[(side.edge + 2) % 3],
                         side.half));
        corners++;
    }
    return FR_OK;
}

static FrResult collect(Sampler *s, FrBankShape **shapes, int32_t *count) {
    uint8_t *corner = FR_NEW(s->ctx, uint8_t, s->node.count);
    if (!corner) return fr_no_memory(s->ctx, "samples");
    int32_t n = 0;
    *count = count_corners(s, corner);
    *shapes = FR_NEW(s->ctx, FrBankShape, *count);
    for (int32_t k = 0; k < s->node.count && *shapes; k++)
        if (corner[k]) half_of(s->node.data[k].at, (*shapes)[n++].half);
    fr_free(s->ctx, corner);
    return *shapes ? FR_OK : fr_no_memory(s->ctx, "samples");
}

FrResult fr_bank_shapes(FrContext *ctx, const FrBankPlan *plan, FrBankShape **shapes,
                        int32_t *count) {
    Sampler s = {.ctx = ctx, .plan = plan};
    double thin = log(plan->thinnest);
    int32_t ball, disc, needle;
    *shapes = NULL;
    FrResult result = add_node(&s, 0.0, 0.0, &ball);
    if (result == FR_OK) result = add_node(&s, thin, 0.0, &disc);
    if (result == FR_OK) result = add_node(&s, thin, thin, &needle);
    if (result == FR_OK) result = add_side(&s, ball, disc, needle);
    if (result == FR_OK) result = refine(&s);
    if (result == FR_OK) result = collect(&s, shapes, count);
    fr_array_free(ctx, &s.node);
    fr_array_free(ctx, &s.side);
    return result;
}
