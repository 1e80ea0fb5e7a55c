// fracture_plane.c: the plane along which a node tears: toughness by direction, free surfaces.

#include "fracture_kit.h"

// pulled equally along x and z, a plate cracks across the axis that is half as tough, as in the
// four cases of S6 figure 4.21: none, x, z, and z turned by 45 degrees about y
TEST(cracks_follow_the_weak_axis) {
    FrMat3 turn = fr_quat_mat3(fr_quat_from_rotation(fr_vec3(0, 0.25 * FR_PI, 0)));
    FrMat3 A[3] = {fr_toughness_scale(fr_mat3_identity, fr_vec3(0.25, 1, 1)),
                   fr_toughness_scale(fr_mat3_identity, fr_vec3(1, 1, 0.25)),
                   fr_toughness_scale(turn, fr_vec3(1, 1, 0.25))};
    FrVec3 across[3] = {{1, 0, 0}, {0, 0, 1}, turn.c2};
    for (int k = 0; k < 3; k++) {
        Plate p = plate_of(6, 0.0, NULL, &A[k], 0.0);
        plate_stretch(&p, 0.0008, 0, 0.0008);
        FrBreakable body = fr_fracture_body(p.fracture);
        FrNodeState state = fr_node_state(&body, 3 + 7 * 2 * 3, fr_sym3_zero); // (0.3, 0, 0.3) m
        CHECK(fr_node_fails(&state));
        // the tets round a node are no circle: within 10 degrees
        CHECK(fabs(fr_dot(state.normal, across[k])) > cos(10.0 * FR_PI / 180.0));
        plate_free(&p);
    }
    Plate p = plate_of(6, 0.0, NULL, NULL, 0.0);
    FrBreakResult r;
    plate_stretch(&p, 0, 0, 0.0008);
    CHECK_OK(p.ctx, fr_fracture_step(p.fracture, 0.0, &r));
    CHECK_INT(r.crack_count, 0); // as tough everywhere: the same pull breaks nothing
    plate_free(&p);
}

// A plate under shear through its thickness, and pulled unevenly along it: what its faces are torn
// along is their own normal as well, by the papers' tensor; but nothing pulls there from outside,
// so the plane that counts stands on the face, and crosses the edges. Inside nothing changes.
TEST(cracks_stand_on_free_surfaces) {
    Plate p = plate_make(4, 0.0, NULL);
    FrBreakable body = fr_fracture_body(p.fracture);
    FrToughness printed = {.tau = 1.0}, ours = {.strength = 1.0};
    FrRandom r = fr_random_for(6, "square", 0);
    double *x = calloc(3 * (size_t)p.mesh.node_count, sizeof *x), off = 0.0, off_printed = 0.0;
    for (int32_t n = 0; n < p.mesh.node_count; n++) {
        FrVec3 m = fr_get3(p.mesh.x, n);
        m.x += 1e-4 * fr_random_unit(&r), m.z += 1e-4 * fr_random_unit(&r);
        m.y += 1e-3 * m.z;
        fr_set3(x, n, m);
    }
    fr_fem_set_state(p.fem, x, NULL);
    int faces = 0, edges = 0;
    for (int32_t n = 0; n < p.mesh.node_count; n++) {
        FrVec3 m = fr_get3(p.mesh.x, n);
        bool end_x = m.x < 0.01 || m.x > 0.39, end_z = m.z < 0.01 || m.z > 0.39;
        body.toughness = &ours;
        FrNodeState state = fr_node_state(&body, n, fr_sym3_zero);
        body.toughness = &printed;
        FrNodeState raw = fr_node_state(&body, n, fr_sym3_zero);
        CHECK(state.value <= raw.value + 1e-9 * fabs(raw.value)); // rounding
        if (state.value <= 0.0) continue;
        if (end_x && end_z) continue; // at corners no direction is left
        off = fr_max(off, fabs(state.normal.y));
        off_printed = fr_max(off_printed, fabs(raw.normal.y));
        faces += !end_x && !end_z;
        if (end_x == end_z) continue;
        edges++;
        // model: the plate is turned by 1e-3
        CHECK(fabs(end_x ? state.normal.x : state.normal.z) < 3e-3);
    }
    printf("  %d on faces, %d on edges; largest part across the plate %.2g, as printed %.2g\n",
           faces, edges, off, off_printed);
    CHECK(faces > 10 && edges > 10);
    CHECK(off < 3e-3); // model: the plate is turned by 1e-3
    CHECK(off_printed > 0.5);
    free(x);
    plate_free(&p);
}
