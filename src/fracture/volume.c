// volume.c: how much tets that yield have grown, evened out round their nodes.
//
// What flows keeps its volume, and a linear tet has too few freedoms to flow so: neighbours grow
// and shrink by turns, with pressures of either sign far above the strength of lead (whose bulk
// modulus is 2,500 times that). Their mean round a node is right. So the criterion takes the
// pressure of a tet from the mean of its nodes', and these from the tets round them by volume (the
// average nodal pressure of Bonet & Burton 1998); where all grow alike nothing changes.

#include "fracture/inside.h"
#include "base/tasks.h"
#include "material/laws.h"

#define GRAIN 256

bool fr_fracture_flows(const FrFracture *f, int32_t tet) {
    const FrMaterial *m = fr_fem_material(f->fem, tet);
    return fr_material_yields(m) && !m->anisotropic;
}

static FrSym3 strain_of(const FrFracture *f, int32_t tet) {
    FrShapeView view;
    fr_fem_view(f->fem, &view);
    FrVec3 p[4];
    for (int i = 0; i < 4; i++) p[i] = fr_get3(view.p, view.tet[tet][i]);
    return fr_green_strain(fr_element_gradient(&f->element.data[tet], p));
}

static void own_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k++) {
        int32_t e = f->ring_tet.data[k];
        f->own.data[e] = f->lever.data[e].flowing > 0.0 ? fr_volume_change(strain_of(f, e)) : 0.0;
    }
}

static void nodal_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t k = begin; k < end; k++) {
        int32_t n = f->ring_node.data[k], count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        double sum = 0.0, weight = 0.0;
        for (int32_t j = 0; j < count; j++) {
            double volume = f->lever.data[star[j]].flowing;
            sum += volume * f->own.data[star[j]];
            weight += volume;
        }
        f->nodal.data[n] = weight > 0.0 ? sum / weight : 0.0;
    }
}

typedef struct Wanted {
    FrFracture *f;
    const int32_t *tet; ///< NULL: all
} Wanted;

static void even_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const Wanted *wanted = arg;
    const FrTetMesh *mesh = fr_cutmesh_view(wanted->f->cut);
    const double *nodal = wanted->f->nodal.data;
    for (int32_t k = begin; k < end; k++) {
        int32_t e = wanted->tet ? wanted->tet[k] : k;
        const int32_t *n = mesh->tet[e];
        wanted->f->grown.data[e] = 0.25 * (nodal[n[0]] + nodal[n[1]] + nodal[n[2]] + nodal[n[3]]);
    }
}

// the corners of the tets whose means are not known yet
static void list_corners(FrFracture *f, const int32_t *tet, int32_t count) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    f->ring_node.count = 0;
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = mesh->tet[tet ? tet[k / 4] : k / 4][k % 4];
        if (f->nodal_at.data[n] == f->evened) continue;
        f->nodal_at.data[n] = f->evened;
        f->ring_node.data[f->ring_node.count++] = n;
    }
}

// the tets round them that are not known yet
static void list_round(FrFracture *f) {
    f->ring_tet.count = 0;
    for (int32_t k = 0; k < f->ring_node.count; k++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, f->ring_node.data[k], &count);
        for (int32_t j = 0; j < count; j++) {
            if (f->own_at.data[star[j]] == f->evened) continue;
            f->own_at.data[star[j]] = f->evened;
            f->ring_tet.data[f->ring_tet.count++] = star[j];
        }
    }
}

static bool make_room(FrFracture *f) {
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, nodes = fr_cutmesh_view(f->cut)->node_count;
    f->ring_tet.count = f->ring_node.count = 0;
    return fr_array_reserve(f->ctx, &f->ring_tet, tets) &&
           fr_array_reserve(f->ctx, &f->ring_node, nodes) &&
           fr_array_extend(f->ctx, &f->own, tets - f->own.count) &&
           fr_array_extend(f->ctx, &f->own_at, tets - f->own_at.count) &&
           fr_array_extend(f->ctx, &f->grown, tets - f->grown.count) &&
           fr_array_extend(f->ctx, &f->nodal, nodes - f->nodal.count) &&
           fr_array_extend(f->ctx, &f->nodal_at, nodes - f->nodal_at.count);
}

FrResult fr_fracture_even_out(FrFracture *f, const int32_t *tet, int32_t count) {
    if (!f->flows || !count) return FR_OK;
    if (!make_room(f)) return fr_no_memory(f->ctx, "stresses");
    Wanted wanted = {f, tet};
    list_corners(f, tet, count);
    list_round(f);
    fr_parallel_for(f->ctx, f->ring_tet.count, GRAIN, own_range, f);
    fr_parallel_for(f->ctx, f->ring_node.count, GRAIN, nodal_range, f);
    fr_parallel_for(f->ctx, count, GRAIN, even_range, &wanted);
    return FR_OK;
}

FrResult fr_fracture_even_out_all(FrFracture *f) {
    return fr_fracture_even_out(f, NULL, fr_cutmesh_view(f->cut)->tet_count);
}
