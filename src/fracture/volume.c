// volume.c: how much tets that yield have grown, evened out round their nodes.
//
// Material that flows keeps its volume, and a linear tet has too few freedoms to flow so:
// neighbours grow and shrink by turns, with pressures of either sign far above the strength of lead
// (whose bulk modulus is 2,500 times that). Their mean round a node is right. So the criterion
// takes the pressure of a tet from the mean of its nodes', and these from the tets round them by
// volume (the average nodal pressure of Bonet & Burton 1998); where all grow alike nothing changes.

#include "fracture/inside.h"

// in which way volumes of what yields are evened out
static bool flows(const FrFracture *f, int32_t tet) {
    const FrMaterial *m = fr_fem_material(f->fem, tet);
    return fr_material_yields(m) && !m->anisotropic;
}

FrResult fr_fracture_even_out(FrFracture *f, const int32_t *tet, int32_t count) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    if (!f->settings.flows || !count) return FR_OK;
    if (f->scratch.scan.evened == FR_EVENED_NONE ||
        (!tet && f->scratch.scan.evened != FR_EVENED_ALL)) {
        FR_TRY(fr_fem_find_grown(f->fem, NULL));
        f->scratch.scan.evened = FR_EVENED_ALL;
    }
    if (!fr_array_extend(f->ctx, &f->scratch.scan.grown,
                         mesh->tet_count - f->scratch.scan.grown.count))
        return fr_no_memory(f->ctx, "stresses");
    for (int32_t k = 0; k < count; k++) {
        int32_t e = tet ? tet[k] : k;
        double sum = 0.0;
        for (int i = 0; flows(f, e) && i < 4; i++)
            sum += fr_fem_node_grown(f->fem, mesh->tet[e][i]);
        f->scratch.scan.grown.data[e] = 0.25 * sum;
    }
    return FR_OK;
}

FrResult fr_fracture_even_out_all(FrFracture *f) {
    return fr_fracture_even_out(f, NULL, fr_cutmesh_view(f->cut)->tet_count);
}
