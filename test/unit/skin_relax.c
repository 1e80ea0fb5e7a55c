// skin_relax.c: drawn surfaces are laid on their shape, stay closed, and get its normals.

#include "skin/skin_relax.h"
#include "context.h"
#include "test.h"

#define RINGS 12
#define AROUND 24

static double ball(const void *user, FrVec3 x) {
    (void)user;
    return fr_length(x) - 1.0;
}

// a globe of unit radius, its points off by up to 3 % in and out
static void make_globe(FrContext *ctx, FrTriMesh *m) {
    CHECK_OK(ctx, fr_trimesh_alloc(ctx, RINGS * AROUND + 2, 2 * RINGS * AROUND, m));
    for (int32_t k = 0; k < RINGS * AROUND; k++) {
        double a = FR_PI * (k / AROUND + 1) / (RINGS + 1), b = 2 * FR_PI * (k % AROUND) / AROUND;
        double r = 1 + 0.03 * sin(7.0 * k);
        fr_set3(m->p, k, fr_scale(r, fr_vec3(sin(a) * cos(b), sin(a) * sin(b), cos(a))));
    }
    int32_t north = RINGS * AROUND, south = north + 1, t = 0;
    fr_set3(m->p, north, fr_vec3(0, 0, 1));
    fr_set3(m->p, south, fr_vec3(0, 0, -1));
    for (int32_t j = 0; j < AROUND; j++) {
        int32_t next = (j + 1) % AROUND, last = (RINGS - 1) * AROUND;
        int32_t top[3] = {north, j, next}, bottom[3] = {south, last + next, last + j};
        for (int i = 0; i < 3; i++) m->tri[t][i] = top[i], m->tri[t + 1][i] = bottom[i];
        t += 2;
        for (int32_t r = 0; r + 1 < RINGS; r++) {
            int32_t a = r * AROUND + j, b = r * AROUND + next, c = a + AROUND, d = b + AROUND;
            int32_t one[3] = {a, c, d}, two[3] = {a, d, b};
            for (int i = 0; i < 3; i++) m->tri[t][i] = one[i], m->tri[t + 1][i] = two[i];
            t += 2;
        }
    }
    CHECK_INT(t, m->tri_count);
}

TEST(points_lie_on_the_ball_with_its_normals) {
    FrContext *ctx = make_context(2);
    FrTriMesh m = {0};
    FrField field = {ball, NULL, {{-1, -1, -1}, {1, 1, 1}}};
    FrTriReport report;
    make_globe(ctx, &m);
    CHECK_OK(ctx, fr_skin_relax(ctx, &field, 0.25, &m));
    for (int32_t k = 0; k < m.point_count; k++) {
        FrVec3 x = fr_get3(m.p, k);
        // mesh: the mean over corners 0.005 away is off by e^2
        CHECK(fabs(fr_length(x) - 1) < 1e-4);
        CHECK(fr_dot(fr_get3(m.normal, k), fr_normalize(x)) > 0.999); // odd terms of e = 0.15
    }
    CHECK_OK(ctx, fr_trimesh_report(ctx, &m, &report));
    CHECK(report.closed);
    CHECK_INT(report.degenerate_tris, 0);
    fr_trimesh_free(ctx, &m);
    fr_context_destroy(ctx);
}

// no memory is a message, whichever allocation it is; the skin that was given stays whole
TEST(each_allocation_may_be_refused) {
    Refuser refuser = {0};
    FrContext *ctx = make_refusing_context(&refuser);
    FrField field = {ball, NULL, {{-1, -1, -1}, {1, 1, 1}}};
    FrTriMesh globe = {0};
    make_globe(ctx, &globe);
    FrResult result = FR_NO_MEMORY;
    int k = 0;
    while (result != FR_OK && ++k < 100) {
        FrTriMesh m = {0};
        FrTriReport report;
        CHECK_OK(ctx, fr_trimesh_copy(ctx, &globe, &m));
        refuser.calls = 0, refuser.refuse_at = k;
        result = fr_skin_relax(ctx, &field, 0.25, &m);
        refuser.refuse_at = 0;
        if (result != FR_OK) CHECK_INT(result, FR_NO_MEMORY);
        if (result != FR_OK) CHECK_HAS(fr_context_message(ctx), "memory");
        CHECK_OK(ctx, fr_trimesh_report(ctx, &m, &report));
        CHECK(report.closed);
        fr_trimesh_free(ctx, &m);
    }
    CHECK_OK(ctx, result);
    CHECK_INT(k, 6); // normals, sums, weights, turned, sides
    fr_trimesh_free(ctx, &globe);
    fr_context_destroy(ctx);
    CHECK_INT(refuser.live, 0);
}
