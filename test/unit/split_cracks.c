// split_cracks.c: where cracks go: not back, near their planes, upright, on along their fronts, and
// away from the surface.

#include "split_kit.h"

static const FrVec3 up = {0, 0, 1};

// a block with a slit from x = 0 to x = 3 at half height
static void notched(FrContext *ctx, CutTest *t) {
    unit_box(ctx, 6, 2, 4, t);
    FrSplitOptions options = fr_split_options_default();
    options.back_angle = 0;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y <= 2; y++) cut_split(t, node_at(t, x, y, 2), up, &options);
    CHECK_CLOSE(t->area, 2 * (12 + 24 + 8) + 2 * 6, 1e-12); // rounding: slit of 3 x 2
    check_whole(t);
}

// At the tip of a slit, a plane turned by 30 degrees meets material behind the tip as well. With
// avoidance only the part ahead opens, and no tet behind the tip is cut. [S6 4.3, M8]
TEST(no_crack_runs_back) {
    for (int avoid = 0; avoid < 2; avoid++) {
        FrContext *ctx = make_context(1);
        CutTest t;
        notched(ctx, &t);
        FrSplitOptions options = fr_split_options_default();
        if (!avoid) options.back_angle = 0;
        int32_t face0 = t.log.face_count, node0 = t.log.node_count;
        FrVec3 turned = {sin(FR_PI / 6), 0, cos(FR_PI / 6)};
        FrSplitResult result = cut_split(&t, node_at(&t, 3, 1, 2), turned, &options);
        CHECK_INT(result.outcome, FR_SPLIT_DONE);
        const FrTetMesh *mesh = fr_cutmesh_view(t.cut);
        int behind = 0;
        for (int32_t k = face0; k < t.log.face_count; k++)
            for (int i = 0; i < 3; i++)
                behind += mesh->x[3 * t.log.faces[k].plus_node[i]] < 3 - 1e-9;
        for (int32_t k = node0; k < t.log.node_count; k++)
            behind += mesh->x[3 * (t.log.first_node + k)] < 3 - 1e-9;
        CHECK((behind == 0) == avoid);
        // one chain of nodes ahead: it turns round the split node from tip node to tip node
        if (avoid) CHECK(result.front_count >= 3);
        cut_done(&t);
    }
}

// a plane at 15 degrees to the surface is refused at 20, cut when allowed
TEST(shallow_cracks_are_refused) {
    FrContext *ctx = make_context(1);
    CutTest t;
    unit_box(ctx, 4, 4, 2, &t);
    FrSplitOptions options = fr_split_options_default();
    options.snap_angle = options.snap_distance = 0.01;
    FrVec3 shallow = {sin(FR_PI / 12), 0, cos(FR_PI / 12)};
    int32_t node = node_at(&t, 2, 2, 2);
    CHECK_INT(cut_split(&t, node, shallow, &options).outcome, FR_SPLIT_VOID);
    options.back_angle = 0.2;
    options.min_height = 0;
    CHECK_INT(cut_split(&t, node, shallow, &options).outcome, FR_SPLIT_DONE);
    cut_done(&t);
}

// how far the faces that opened since face0 lie off a plane, rad: mean, weighted with their areas
static double mean_tilt(const CutTest *t, int32_t face0, FrVec3 normal) {
    const double *x = fr_cutmesh_view(t->cut)->x;
    double sum = 0, weight = 0;
    for (int32_t k = face0; k < t->log.face_count; k++) {
        const int32_t *n = t->log.faces[k].plus_node;
        FrVec3 a = fr_get3(x, n[0]);
        FrVec3 s = fr_cross(fr_sub(fr_get3(x, n[1]), a), fr_sub(fr_get3(x, n[2]), a));
        double size = fr_length(s);
        sum += size * acos(fr_min(1, fabs(fr_dot(s, normal)) / size));
        weight += size;
    }
    return sum / weight;
}

// Cuts of any direction through whole tets, none of whose parts may be flat (cut_split looks): the
// points of the cut give way, and the crack stays near its plane all the same. Along faces it is
// three times as far off.
TEST(mended_cuts_stay_near_their_plane) {
    FrContext *ctx = make_context(1);
    double tilt[2] = {0, 0};
    int done[2] = {0, 0};
    for (int k = 0; k < 60; k++)
        for (int faces = 0; faces < 2; faces++) {
            CutTest t;
            unit_box(ctx, 4, 4, 4, &t);
            FrSplitOptions options = fr_split_options_default();
            options.min_height = 0.2;
            options.along_faces = faces;
            FrVec3 n = fr_normalize(fr_vec3(cos(0.7 * k), sin(0.7 * k), 0.1 * (k % 20) - 1));
            if (cut_split(&t, node_at(&t, 2, 2, 2), n, &options).outcome == FR_SPLIT_DONE) {
                tilt[faces] += mean_tilt(&t, 0, n);
                done[faces]++;
            }
            cut_end(&t);
        }
    tilt[0] /= done[0], tilt[1] /= done[1];
    printf("  %d of 60 cuts, off by %.1f degrees; along faces %.1f\n", done[0],
           tilt[0] * 180 / FR_PI, tilt[1] * 180 / FR_PI);
    CHECK(done[0] > 50);
    CHECK(tilt[0] < tilt[1] / 3);
    fr_context_destroy(ctx);
}

// share of the area opened that lies within 1 degree of a face of the first mesh at that place
static double share_along_faces(const CutTest *t, const FrTetMesh *first) {
    const double *x = fr_cutmesh_view(t->cut)->x;
    double along = 0, whole = 0;
    for (int32_t k = 0; k < t->log.face_count; k++) {
        const FrOpenFace *f = &t->log.faces[k];
        FrVec3 a = fr_get3(x, f->plus_node[0]), b = fr_get3(x, f->plus_node[1]),
               c = fr_get3(x, f->plus_node[2]);
        FrVec3 s = fr_cross(fr_sub(b, a), fr_sub(c, a));
        double size = fr_length(s), most = 0;
        int32_t root = f->plus;
        for (int32_t e = t->log.tet_count - 1; e >= 0; e--)
            if (t->log.tets[e].child == root) root = t->log.tets[e].parent;
        for (int i = 0; i < 4; i++) {
            const int8_t *o = fr_tet_face[i];
            FrVec3 q = fr_get3(first->x, first->tet[root][o[0]]);
            FrVec3 n = fr_cross(fr_sub(fr_get3(first->x, first->tet[root][o[1]]), q),
                                fr_sub(fr_get3(first->x, first->tet[root][o[2]]), q));
            most = fr_max(most, fabs(fr_dot(s, n)) / (size * fr_length(n)));
        }
        along += most > cos(FR_PI / 180) ? size : 0;
        whole += size;
    }
    return along / whole;
}

// Cuts of any direction whose parts may not be flat: few of them end in faces of the mesh.
TEST(mended_cuts_seldom_follow_faces) {
    FrContext *ctx = make_context(1);
    double share = 0;
    int done = 0;
    for (int k = 0; k < 60; k++) {
        CutTest t;
        FrTetMesh first;
        unit_box(ctx, 4, 4, 4, &t);
        CHECK_OK(ctx, fr_mesh_box_cells(ctx, (FrBox){{0, 0, 0}, {4, 4, 4}}, (int32_t[3]){4, 4, 4},
                                        &first));
        FrSplitOptions options = fr_split_options_default();
        options.min_height = 0.2;
        options.snap_distance = 0.02;
        options.snap_angle = 0.02;
        options.snap_part = 0.25;
        FrVec3 n = fr_normalize(fr_vec3(cos(0.7 * k), sin(0.7 * k), 0.1 * (k % 20) - 1));
        if (cut_split(&t, node_at(&t, 2, 2, 2), n, &options).outcome == FR_SPLIT_DONE) {
            share += share_along_faces(&t, &first);
            done++;
        }
        cut_end(&t);
        fr_tetmesh_free(ctx, &first);
    }
    share /= done;
    printf("  %d of 60 cuts, %.1f %% of their area in faces of the mesh\n", done, 100 * share);
    CHECK(done > 50);
    CHECK(share < 0.05);
    fr_context_destroy(ctx);
}

// A wall of two layers, each a sixth as thick as its tets are wide, and upright planes: what gives
// way does so through the wall, and a crack led in from one side stays upright.
TEST(cracks_stand_upright_in_thin_walls) {
    FrContext *ctx = make_context(1);
    double lean = 0, area = 0;
    int done = 0;
    for (int k = 0; k < 60; k++) {
        CutTest t;
        FrTetMesh mesh;
        FrBox box = {{0, 0, 0}, {6, 6, 0.5}};
        CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){4, 4, 2}, &mesh));
        cut_begin(&t, ctx, &mesh, 3);
        FrSplitOptions options = fr_split_options_default();
        options.min_height = 0.4;
        options.snap_distance = options.snap_angle = 0.02;
        options.together = 0.4;
        FrVec3 n = fr_vec3(cos(0.7 * k), sin(0.7 * k), 0);
        int32_t next[64] = {node_at(&t, 3, 3, 0.5)}, count = 1;
        for (int32_t i = 0; i < count && i < 6; i++) {
            FrSplitResult r = cut_split(&t, next[i], n, &options);
            for (int32_t j = 0; r.outcome == FR_SPLIT_DONE && j < r.front_count && count < 64; j++)
                next[count++] = r.front[j];
            done += r.outcome == FR_SPLIT_DONE;
        }
        const double *x = fr_cutmesh_view(t.cut)->x;
        for (int32_t f = 0; f < t.log.face_count; f++) {
            const int32_t *c = t.log.faces[f].plus_node;
            FrVec3 a = fr_get3(x, c[0]);
            FrVec3 s = fr_cross(fr_sub(fr_get3(x, c[1]), a), fr_sub(fr_get3(x, c[2]), a));
            lean += fabs(s.z);
            area += fr_length(s);
        }
        cut_end(&t);
    }
    printf("  %d cuts, %.1f %% of their area lies flat\n", done, 100 * lean / area);
    CHECK(done > 200);
    CHECK(lean < 0.05 * area);
    fr_context_destroy(ctx);
}

// In a wall whose way through is z a plane may lean, but not lie: within 30 degrees of the wall it
// is refused, unless the body is no wall
TEST(nothing_opens_flat_in_a_wall) {
    FrContext *ctx = make_context(1);
    for (int k = 0; k < 24; k++) {
        CutTest t;
        unit_box(ctx, 4, 4, 4, &t);
        FrSplitOptions options = fr_split_options_default();
        options.min_height = options.straight = options.snap_distance = options.snap_angle = 0.0;
        if (k % 3) options.upright = fr_vec3(0, 0, 1);
        double rise = k % 3 == 1 ? 0.8 : 0.93, across = sqrt(1.0 - rise * rise);
        FrVec3 n = fr_vec3(across * cos(0.7 * k), across * sin(0.7 * k), rise);
        int outcome = cut_split(&t, node_at(&t, 2, 2, 2), n, &options).outcome;
        CHECK_INT(outcome, k % 3 == 2 ? FR_SPLIT_POOR : FR_SPLIT_DONE);
        cut_end(&t);
    }
    fr_context_destroy(ctx);
}

// A plane that crosses the front of a slit by 25 degrees is turned to hold it: the new faces hang
// on the edges of the front, and the tip moves on as a whole. [S6 4.3]
TEST(a_crack_goes_on_along_its_front) {
    FrContext *ctx = make_context(1);
    CutTest t;
    notched(ctx, &t);
    FrSplitOptions options = fr_split_options_default();
    int32_t node = node_at(&t, 3, 1, 2), face0 = t.log.face_count;
    FrVec3 across = {0, sin(25 * FR_PI / 180), cos(25 * FR_PI / 180)};
    CHECK_INT(cut_split(&t, node, across, &options).outcome, FR_SPLIT_DONE);
    // rounding, in degrees: the plane is turned into the front
    CHECK_NEAR(mean_tilt(&t, face0, up), 0, 1e-9);
    int hung = 0;
    for (int32_t k = face0; k < t.log.face_count; k++)
        for (int i = 0; i < 3; i++) {
            FrVec3 x = fr_get3(fr_cutmesh_view(t.cut)->x, t.log.faces[k].plus_node[i]);
            hung += x.x == 3 && x.y != 1 && x.z == 2;
        }
    CHECK_INT(hung, 2); // both ends of the front
    cut_done(&t);
}

// Where a crack turns, it keeps part of its direction: by half of the turn where both weigh alike.
TEST(cracks_turn_by_part_of_what_is_asked) {
    double turned[3];
    const double weight[3] = {0, 1, 10};
    for (int k = 0; k < 3; k++) {
        FrContext *ctx = make_context(1);
        CutTest t;
        notched(ctx, &t);
        FrSplitOptions options = {.min_quality = 1e-9, .back_angle = 0.35, .straight = weight[k]};
        FrVec3 asked = {sin(0.4), 0, cos(0.4)};
        int32_t face0 = t.log.face_count;
        CHECK_INT(cut_split(&t, node_at(&t, 3, 1, 2), asked, &options).outcome, FR_SPLIT_DONE);
        turned[k] = mean_tilt(&t, face0, up);
        cut_done(&t);
    }
    // rounding: angles of order 1
    CHECK_CLOSE(turned[0], 0.4, 1e-12);
    CHECK_CLOSE(turned[1], 0.2, 1e-12);
    CHECK(turned[2] > 0 && turned[2] < 0.05);
}

// a wedge of 60 degrees between z = 0 and a slope, swept along y
static void wedge(FrContext *ctx, CutTest *t) {
    FrTetMesh mesh;
    FrBox box = {{0, 0, 0}, {4, 2, 2}};
    CHECK_OK(ctx, fr_mesh_box_cells(ctx, box, (int32_t[3]){4, 2, 2}, &mesh));
    for (int32_t n = 0; n < mesh.node_count; n++)
        mesh.x[3 * n] += mesh.x[3 * n + 2] / tan(FR_PI / 3);
    cut_begin(t, ctx, &mesh, 3);
}

// the least angle between the faces of a crack and the surface at their common edges, rad
static double least_angle(const CutTest *t) {
    const FrTetMesh *mesh = fr_cutmesh_view(t->cut);
    FrSurface surface;
    double least = FR_PI;
    CHECK_OK(t->ctx, fr_tetmesh_surface(t->ctx, mesh, &surface));
    for (int32_t k = 0; k < 2 * t->log.face_count; k++)
        for (int32_t s = 0; s < surface.tri_count; s++) {
            const FrOpenFace *f = &t->log.faces[k / 2];
            const int32_t *a = k % 2 ? f->minus_node : f->plus_node, *b = surface.tri[s];
            int32_t shared = 0, edge[3], apex_a = 0, apex_b = 0;
            for (int i = 0; i < 3; i++) {
                bool in_b = a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
                bool in_a = b[i] == a[0] || b[i] == a[1] || b[i] == a[2];
                if (in_b) edge[shared++] = a[i];
                if (!in_b) apex_a = a[i];
                if (!in_a) apex_b = b[i];
            }
            // the same fan of the material: both triangles belong to one tet
            if (shared != 2 || surface.tet[s] != (k % 2 ? f->minus : f->plus)) continue;
            FrVec3 o = fr_get3(mesh->x, edge[0]);
            FrVec3 e = fr_normalize(fr_sub(fr_get3(mesh->x, edge[1]), o));
            FrVec3 p = fr_sub(fr_get3(mesh->x, apex_a), o), q = fr_sub(fr_get3(mesh->x, apex_b), o);
            p = fr_axpy(-fr_dot(p, e), e, p);
            q = fr_axpy(-fr_dot(q, e), e, q);
            least = fr_min(least, atan2(fr_length(fr_cross(p, q)), fr_dot(p, q)));
        }
    fr_surface_free(t->ctx, &surface);
    return least;
}

// new faces form no small angle with the surface, whatever the plane; without avoidance they do
// [S6 fig. 4.19]
TEST(no_small_angles_with_the_surface) {
    double least[2] = {FR_PI, FR_PI};
    int done[2] = {0};
    for (int k = 0; k < 400; k++) {
        FrContext *ctx = make_context(1);
        FrRandom random = fr_random_for(11, "ends", (uint64_t)k);
        FrVec3 normal = {fr_random_normal(&random), fr_random_normal(&random),
                         fr_random_normal(&random)};
        CutTest t;
        wedge(ctx, &t);
        FrSplitOptions options = fr_split_options_default();
        options.snap_angle = options.snap_distance = 0.01;
        options.min_height = options.min_quality = 0;
        int avoid = k % 2;
        if (!avoid) options.back_angle = 0;
        // on the sharp edge, or in the middle of the floor
        int32_t node = k % 4 < 2 ? node_at(&t, 0, 1, 0) : node_at(&t, 2, 1, 0);
        FrSplitResult result = cut_split(&t, node, fr_normalize(normal), &options);
        if (result.outcome == FR_SPLIT_DONE) {
            least[avoid] = fr_min(least[avoid], least_angle(&t));
            done[avoid]++;
        }
        if (k % 20 < 2) check_whole(&t);
        cut_end(&t);
        fr_context_destroy(ctx);
    }
    CHECK(least[0] < 0.1);
    CHECK(least[1] > 0.35 - 0.01); // nodes snap within 0.01 rad
    CHECK(done[1] > done[0] / 2);
}
