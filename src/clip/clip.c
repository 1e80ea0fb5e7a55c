// clip.c: tets made ready for cutting, and weights within them [S6 s. 5.2.2]. clip_tet_loop.h cuts.

#include "clip/clip_tet.h"
#include "math/lanes.h"

// |n| to within a factor of 1.73 is good enough for a tolerance; returns it
static double set_face(FrClipTet *tet, int i, FrVec3 n, FrVec3 on) {
    double size = fabs(n.x) + fabs(n.y) + fabs(n.z);
    tet->nx[i] = n.x, tet->ny[i] = n.y, tet->nz[i] = n.z;
    tet->c[i] = fr_dot(n, on);
    tet->tolerance[i] = 1e-9 * tet->edge * size;
    return size;
}

static double far_out(FrBox box) {
    FrVec3 lo = box.lo, hi = box.hi;
    return fr_max(fr_max(fr_max(-lo.x, hi.x), fr_max(-lo.y, hi.y)), fr_max(-lo.z, hi.z));
}

// The inscribed ball has r = 3 volume / area. Planes that are pushed out by t bound the tet scaled
// by 1 + t / r about the ball's centre, which no corner is further from than 2 edges: it reaches
// 2 t edge / r out. t = sqrt(3) 1e-9 edge are the tolerances, 1e-15 far what is rounded. Corners
// that go s make r smaller by s at most (support functions add), edges longer by 2 s < s edge / r:
// 1.1^2 / 0.9 times as much.
static void set_blur(FrClipTet *tet, double six, double size) {
    double t = 1.74e-9 * tet->edge + 1e-15 * far_out(tet->box);
    tet->inner = six / size;
    tet->blur = 1.4 * 2.0 * t * tet->edge * (size / six);
}

void fr_clip_tet_init(FrClipTet *tet, FrVec3 x0, FrVec3 x1, FrVec3 x2, FrVec3 x3, uint8_t open) {
    FrVec3 e1 = fr_sub(x1, x0), e2 = fr_sub(x2, x0), e3 = fr_sub(x3, x0);
    double six = fr_dot(e1, fr_cross(e2, e3));
    tet->flipped = six < 0.0;
    if (tet->flipped) {
        FrVec3 x = x2, e = e2;
        x2 = x3, x3 = x;
        e2 = e3, e3 = e;
        six = -six;
        open = (uint8_t)((open & 3) | (open & 4) << 1 | (open & 8) >> 1);
    }
    tet->volume = six > 0.0 && isfinite(six) ? six / 6.0 : 0.0;
    tet->edge = sqrt(fr_max(fr_length2(e1), fr_max(fr_length2(e2), fr_length2(e3))));
    tet->open = open;
    const FrVec3 x[4] = {x0, x1, x2, x3};
    tet->box = fr_box_empty();
    for (int k = 0; k < 4; k++) {
        tet->x[k] = x[k].x, tet->y[k] = x[k].y, tet->z[k] = x[k].z;
        tet->box = fr_box_add(tet->box, x[k]);
    }
    // outward normals of twice the area: n0 = -(n1 + n2 + n3)
    FrVec3 n1 = fr_cross(e3, e2), n2 = fr_cross(e1, e3), n3 = fr_cross(e2, e1);
    double size = set_face(tet, 0, fr_neg(fr_add(n1, fr_add(n2, n3))), x1);
    size += set_face(tet, 1, n1, x0);
    size += set_face(tet, 2, n2, x0);
    size += set_face(tet, 3, n3, x0);
    set_blur(tet, six, size);
}

// b_i = distance to face i over that of corner i; with |n_i| = 2 area the latter is 6 vol / |n_i|.
// Forces b_i f on the corners have the net force and moment of f at x          [S6 eq. 5.6]
void fr_clip_tet_weights(const FrClipTet *tet, FrVec3 x, double b[4]) {
    double w[4], scale = 1.0 / (6.0 * tet->volume);
    for (int k = 1; k < 4; k++)
        w[k] = -scale * fr_dot(fr_clip_tet_face(tet, k).n, fr_sub(x, fr_clip_tet_corner(tet, 0)));
    b[0] = 1.0 - (w[1] + w[2] + w[3]);
    b[1] = w[1];
    b[2] = tet->flipped ? w[3] : w[2];
    b[3] = tet->flipped ? w[2] : w[3];
}

bool fr_overlap_tet_tet(const FrClipTet *a, const FrClipTet *b, FrOverlap *overlap,
                        FrClipGap *gap) {
    FrClipGap unknown = {0.0, 0};
    if (!gap) gap = &unknown;
    return fr_cpu_has_avx2() ? fr_tet_tet_avx2(a, b, overlap, gap)
                             : fr_tet_tet_portable(a, b, overlap, gap);
}

bool fr_overlap_tet_plane(const FrClipTet *tet, FrVec3 n, double offset, FrOverlap *overlap) {
    return fr_cpu_has_avx2() ? fr_tet_plane_avx2(tet, n, offset, overlap)
                             : fr_tet_plane_portable(tet, n, offset, overlap);
}
