// body_def.c: what the def of a body leaves open: a box seen from its mesh, damping that would only
// make steps shorter.

#include "world/body_def.h"
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

// Strain-rate damping has the loss factor alpha1 w, without end: at the highest frequency that the
// mesh can carry it is often far above 1, where it only shortens explicit steps (M2). Keep it at
// `limit` there.
static double limit_one(double limit, double loss, FrMaterial *material) {
    if (!(loss > limit)) return 1.0;
    double keep = limit / loss;
    material->alpha1 *= keep;
    material->phi *= keep;
    material->psi *= keep;
    return keep;
}

double fr_body_def_limit_damping(const FrBodyDef *def, const FrSolidOps *solid,
                                 FrMaterial *material) {
    double first = 1.0;
    for (int32_t k = 0; def->mesh && k < def->material_count; k++) {
        if (k && !def->mesh->region) break; // no tet is of it
        double loss = solid->most_loss(def->mesh, k, &material[k]);
        double keep = limit_one(def->damping_limit, loss, &material[k]);
        if (!k) first = keep;
    }
    return first;
}
