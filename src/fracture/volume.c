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

static void own_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t e = begin; e < end; e++) {
        f->strain.data[e] = fr_fem_tet_strain(f->fem, e);
        f->own.data[e] = f->lever.data[e].flowing > 0.0 ? fr_volume_change(f->strain.data[e]) : 0.0;
    }
}

static void nodal_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    for (int32_t n = begin; n < end; n++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, n, &count);
        double sum = 0.0, weight = 0.0;
        for (int32_t k = 0; k < count; k++) {
            double volume = f->lever.data[star[k]].flowing;
            sum += volume * f->own.data[star[k]];
            weight += volume;
        }
        f->nodal.data[n] = weight > 0.0 ? sum / weight : 0.0;
    }
}

static void even_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    FrFracture *f = arg;
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    for (int32_t e = begin; e < end; e++) {
        const int32_t *n = mesh->tet[e];
        const double *nodal = f->nodal.data;
        f->grown.data[e] = 0.25 * (nodal[n[0]] + nodal[n[1]] + nodal[n[2]] + nodal[n[3]]);
    }
}

FrResult fr_fracture_even_out(FrFracture *f) {
    if (!f->flows) return FR_OK;
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    f->strain.count = f->own.count = f->nodal.count = f->grown.count = 0;
    if (!fr_array_extend(f->ctx, &f->strain, mesh->tet_count) ||
        !fr_array_extend(f->ctx, &f->own, mesh->tet_count) ||
        !fr_array_extend(f->ctx, &f->grown, mesh->tet_count) ||
        !fr_array_extend(f->ctx, &f->nodal, mesh->node_count))
        return fr_no_memory(f->ctx, "stresses");
    fr_parallel_for(f->ctx, mesh->tet_count, GRAIN, own_range, f);
    fr_parallel_for(f->ctx, mesh->node_count, GRAIN, nodal_range, f);
    fr_parallel_for(f->ctx, mesh->tet_count, GRAIN, even_range, f);
    return FR_OK;
}
