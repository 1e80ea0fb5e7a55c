// body_def.c: what the def of a body leaves open: a box seen from its mesh, damping that would only
// make steps shorter.

#include "world/body_def.h"
#include "fem/element.h"
#include "math/vec.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "world/world_tuning.h"

void fr_body_def_see_box(FrBodyDef *def) {
    if (!isnan(def->box.x)) return;
    def->box = def->box_centre = fr_vec3_zero;
    if (!def->mesh) return;
    FrBox bounds = fr_tetmesh_bounds(def->mesh);
    FrVec3 size = fr_sub(bounds.hi, bounds.lo);
    double box = size.x * size.y * size.z;
    // tets do not overlap: what has the volume of the box around it fills it
    if (!(fabs(fr_tetmesh_props(def->mesh).volume - box) <= FR_BOX_ROUNDING * box)) return;
    def->box = fr_scale(0.5, size);
    def->box_centre = fr_scale(0.5, fr_add(bounds.lo, bounds.hi));
}

// the fastest that tets of one region can ring, 1/s^2
static double fastest(const FrTetMesh *mesh, int32_t region, const FrMaterial *material) {
    double w2 = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 x[4];
        FrElement element;
        if (mesh->region && mesh->region[e] != region) continue;
        for (int i = 0; i < 4; i++) x[i] = fr_get3(mesh->x, mesh->tet[e][i]);
        if (fr_element_make(x, &element)) w2 = fr_max(w2, fr_element_w2(&element, material));
    }
    return w2;
}

// Strain-rate damping has the loss factor alpha1 w, without end: at the highest frequency that the
// mesh can carry it is often far above 1, where it only shortens explicit steps (M2). Keep it at
// `limit` there.
static double limit_one(double limit, double w2, FrMaterial *material) {
    double loss = fr_material_damping_bound(material) * sqrt(w2);
    if (!(loss > limit)) return 1.0;
    double keep = limit / loss;
    material->alpha1 *= keep;
    material->phi *= keep;
    material->psi *= keep;
    return keep;
}

double fr_body_def_limit_damping(const FrBodyDef *def, FrMaterial *material) {
    double first = 1.0;
    for (int32_t k = 0; def->mesh && k < def->material_count; k++) {
        if (k && !def->mesh->region) break; // no tet is of it
        double keep =
            limit_one(def->damping_limit, fastest(def->mesh, k, &material[k]), &material[k]);
        if (!k) first = keep;
    }
    return first;
}
