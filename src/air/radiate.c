// radiate.c: from how a surface moves in its modes to how they go out into the air.

#include "air/radiate.h"
#include "air/multipole.h"
#include "air/radiator.h"
#include "math/complex.h"
#include <stdlib.h>
#include <string.h>

#define MOST_PANELS 2000
/// Edges per wave in the air and in the body at the top of a band, and how much longer its longest
/// waves are.
#define EDGES_IN_AIR 6.0
#define EDGES_IN_BODY 10.0
#define BAND 1.5
/// Fewer than this part of them are rough.
#define ROUGH 0.6
/// Edges are no longer than this much of the body's radius, however long the waves.
#define COARSEST 0.1
/// How far panels may be from the surface, over their edges, and over how thick the body is.
#define OFF_EDGE 0.1
#define OFF_WALL 0.15
/// Area of a triangle of edge 1, as remeshing leaves them.
#define TRI_AREA 0.4

typedef struct Mode {
    int32_t index;
    double k;    ///< in the air, 1/m
    double edge; ///< that its waves want, m
} Mode;

typedef struct Maker {
    FrContext *ctx;
    const FrRadiateDef *def;
    FrRadiateReport *report;
    FrVec3 x0;
    double radius, area, wall; ///< m, m^2, m
    Mode *mode;                ///< by rising `edge` (mode_count)
    FrMultipole *multipole;    ///< (mode_count)
    float **c;                 ///< (mode_count)
    // of the band
    double wanted, edge; ///< m
    FrCoarse coarse;
    FrShare *shares;
    int32_t share_count;
    FrPanels panels;
    FrRadiator *radiator;
    double complex *q, *p, *moment;
} Maker;

static int by_edge(const void *a, const void *b) {
    const Mode *x = a, *y = b;
    if (x->edge != y->edge) return x->edge < y->edge ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void measure(Maker *m) {
    const FrFine *s = &m->def->surface;
    FrBox box = fr_box_empty();
    double volume = 0.0;
    for (int32_t v = 0; v < s->point_count; v++) box = fr_box_add(box, fr_get3(s->point, v));
    m->x0 = fr_box_center(box);
    for (int32_t v = 0; v < s->point_count; v++)
        m->radius = fr_max(m->radius, fr_distance(fr_get3(s->point, v), m->x0));
    for (int32_t t = 0; t < s->tri_count; t++) {
        FrVec3 a = fr_sub(fr_get3(s->point, s->tri[t][0]), m->x0),
               b = fr_sub(fr_get3(s->point, s->tri[t][1]), m->x0),
               c = fr_sub(fr_get3(s->point, s->tri[t][2]), m->x0);
        m->area += 0.5 * fr_length(fr_cross(fr_sub(b, a), fr_sub(c, a)));
        volume += fr_dot(a, fr_cross(b, c)) / 6.0;
    }
    m->wall = 2.0 * volume / m->area;
}

// Wave number in the body: how much displacements differ along edges, over how large they are.
// Edges lie across the wave as often as along it.
static double k_in_body(const Maker *m, int32_t mode) {
    const FrFine *s = &m->def->surface;
    double differ = 0.0, all = 0.0;
    for (int32_t t = 0; t < s->tri_count; t++)
        for (int i = 0; i < 3; i++) {
            int32_t a = s->tri[t][i], b = s->tri[t][(i + 1) % 3];
            FrVec3 x = fr_sub(fr_get3(s->point, a), fr_get3(s->point, b));
            FrVec3 u = m->def->move(m->def->user, mode, a), v = m->def->move(m->def->user, mode, b);
            differ += fr_length2(fr_sub(u, v));
            all += fr_length2(x) * 0.5 * (fr_length2(u) + fr_length2(v));
        }
    return all > 0.0 ? sqrt(2.0 * differ / all) : 0.0;
}

static FrResult prepare(Maker *m) {
    int32_t count = m->def->mode_count;
    m->mode = FR_NEW(m->ctx, Mode, count);
    m->multipole = FR_NEW(m->ctx, FrMultipole, count);
    m->c = FR_NEW(m->ctx, float *, count);
    m->moment = FR_NEW(m->ctx, double complex, FR_SPHERICAL_COUNT);
    if (!m->mode || !m->multipole || !m->c || !m->moment)
        return fr_no_memory(m->ctx, "a radiation");
    measure(m);
    if (!(m->wall > 0.0))
        return fr_fail(m->ctx, FR_BAD_INPUT, "what radiates needs a closed surface, outside out");
    for (int32_t i = 0; i < count; i++) {
        double k = m->def->omega[i] / FR_SOUND_SPEED;
        double most = fr_max(EDGES_IN_AIR * k, EDGES_IN_BODY * k_in_body(m, i));
        m->mode[i] = (Mode){i, k, 2.0 * FR_PI / most};
    }
    qsort(m->mode, (size_t)count, sizeof *m->mode, by_edge);
    return FR_OK;
}

static void close_band(Maker *m) {
    fr_radiator_destroy(m->radiator);
    m->radiator = NULL;
    fr_panels_free(m->ctx, &m->panels);
    fr_coarse_free(m->ctx, &m->coarse);
    FR_FREE_ALL(m->ctx, m->shares, m->q, m->p);
    m->shares = NULL;
    m->q = m->p = NULL;
}

static int32_t most_panels(const Maker *m) {
    return m->def->most_panels > 0 ? m->def->most_panels : MOST_PANELS;
}

// as fine as the band's shortest waves want, but no finer than there is room for
static double edge_for(const Maker *m, const Mode *mode) {
    double edge = fr_min(mode->edge, COARSEST * m->radius);
    return fr_max(edge, sqrt(m->area / (TRI_AREA * most_panels(m))));
}

static FrResult remesh(Maker *m) {
    int32_t most = most_panels(m);
    m->edge = m->wanted;
    for (int round = 0;; round++) {
        double tolerance = fr_min(OFF_EDGE * m->edge, OFF_WALL * m->wall);
        fr_coarse_free(m->ctx, &m->coarse);
        FR_TRY(fr_coarse_make(m->ctx, &m->def->surface, m->edge, tolerance, &m->coarse));
        if (m->coarse.tri_count <= most || round == 4) return FR_OK;
        m->edge *= 1.05 * sqrt((double)m->coarse.tri_count / most);
    }
}

static FrResult open_band(Maker *m) {
    close_band(m);
    FR_TRY(remesh(m));
    FR_TRY(fr_coarse_share(m->ctx, &m->def->surface, &m->coarse, m->edge, &m->shares,
                           &m->share_count));
    FR_TRY(fr_panels_make(m->ctx, m->coarse.point, (const int32_t(*)[3])m->coarse.tri,
                          m->coarse.tri_count, &m->panels));
    FR_TRY(fr_radiator_create(m->ctx, &m->panels, &m->radiator));
    int32_t n = m->panels.count;
    m->q = FR_NEW(m->ctx, double complex, n);
    m->p = FR_NEW(m->ctx, double complex, n);
    FrRadiateReport *r = m->report;
    r->least_panels = r->bands++ ? fr_min_i(r->least_panels, n) : n;
    r->most_panels = fr_max_i(r->most_panels, n);
    return m->q && m->p ? FR_OK : fr_no_memory(m->ctx, "a radiation");
}

// q = rho omega^2 u_n, the mean over each panel, so that volumes are kept             [S7 eq. 16]
static void set_motion(Maker *m, int32_t mode) {
    const FrFine *s = &m->def->surface;
    double omega = m->def->omega[mode];
    for (int32_t t = 0; t < m->panels.count; t++) m->q[t] = 0.0;
    for (int32_t k = 0; k < m->share_count; k++) {
        const FrShare *share = &m->shares[k];
        const int32_t *v = s->tri[share->fine];
        FrVec3 a = fr_get3(s->point, v[0]), u = fr_vec3_zero;
        FrVec3 normal = fr_normalize(
            fr_cross(fr_sub(fr_get3(s->point, v[1]), a), fr_sub(fr_get3(s->point, v[2]), a)));
        for (int i = 0; i < 3; i++)
            u = fr_axpy((double)share->b[i], m->def->move(m->def->user, mode, v[i]), u);
        m->q[share->coarse] += share->area * fr_dot(normal, u);
    }
    for (int32_t t = 0; t < m->panels.count; t++)
        m->q[t] *= FR_AIR_DENSITY * omega * omega / m->panels.area[t];
}

// M_l h_n(ka), rounded as files keep them, so that what is read is what was made
static FrResult keep(Maker *m, const Mode *mode, int32_t order) {
    double g[2 * (FR_SPHERICAL_ORDER + 1)];
    float *c = FR_NEW(m->ctx, float, 2 * (size_t)(order + 1) * (size_t)(order + 1));
    if (!c) return fr_no_memory(m->ctx, "a radiation");
    fr_spherical_hankel(mode->k * m->radius, order, g);
    for (int32_t n = 0, l = 0; n <= order; n++)
        for (; l < (n + 1) * (n + 1); l++) {
            double complex scaled = m->moment[l] * fr_complex(g[2 * n], g[2 * n + 1]);
            c[2 * l] = (float)creal(scaled);
            c[2 * l + 1] = (float)cimag(scaled);
        }
    fr_multipole_round(c, order);
    m->c[mode->index] = c;
    m->multipole[mode->index] = (FrMultipole){mode->k, order, c};
    return FR_OK;
}

static FrResult radiate_mode(Maker *m, const Mode *mode) {
    FrRadiated how;
    FrRadiateReport *r = m->report;
    set_motion(m, mode->index);
    FR_TRY(fr_radiator_solve(m->radiator, mode->k, m->q, m->p, &how));
    int32_t order = fr_multipole_order(mode->k * m->radius);
    FrSurfaceSound sound = {&m->panels, mode->k, m->q, m->p};
    FR_TRY(fr_multipole_moments(m->ctx, &sound, m->x0, order, m->moment));
    r->rough += mode->edge < ROUGH * m->edge;
    r->tired += how.end == FR_RADIATOR_TIRED;
    r->most_inside = fr_max_i(r->most_inside, how.inside);
    return keep(m, mode, order);
}

static FrResult radiate_all(Maker *m) {
    for (int32_t i = 0; i < m->def->mode_count; i++) {
        const Mode *mode = &m->mode[i];
        double edge = edge_for(m, mode);
        if (i == 0 || edge > BAND * m->wanted) {
            m->wanted = edge;
            FR_TRY(open_band(m));
        }
        FR_TRY(radiate_mode(m, mode));
        fr_progress(m->ctx, "air", i + 1, m->def->mode_count);
        if (fr_context_cancelled(m->ctx)) return fr_fail(m->ctx, FR_INTERRUPTED, "interrupted");
    }
    return FR_OK;
}

FrResult fr_radiate(FrContext *ctx, const FrRadiateDef *def, FrRadiation **radiation,
                    FrRadiateReport *report) {
    FrRadiateReport none;
    Maker m = {.ctx = ctx, .def = def, .report = report ? report : &none};
    *m.report = (FrRadiateReport){0};
    *radiation = NULL;
    FrResult result = prepare(&m);
    if (result == FR_OK) result = radiate_all(&m);
    FrRadiationDef made = {
        .x0 = m.x0, .radius = m.radius, .mode = m.multipole, .mode_count = def->mode_count};
    if (result == FR_OK) result = fr_radiation_create(ctx, &made, radiation);
    close_band(&m);
    for (int32_t i = 0; i < def->mode_count && m.c; i++) fr_free(ctx, m.c[i]);
    FR_FREE_ALL(ctx, m.mode, m.multipole, m.c, m.moment);
    return result;
}
