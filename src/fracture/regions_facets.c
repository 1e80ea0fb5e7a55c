// regions_facets.c: the cracks in a tet whose corners belong to several regions: their area, and
// how much of the tet each region gets. [M20]
//
// One corner against three: a triangle. Two against two: a quad, as two triangles. Three or four
// labels: each face is divided from its edges, or about a middle where its corners are all
// different, and all that is joined to a middle of the tet. Middles are means of cut points, and so
// are near the line where three regions meet: about centroids of faces and tets facets of a block
// meet at 15 degrees instead of 7.7 (median), and a pane of 40 pieces has an eighth more crack.

#include "fracture/regions_inside.h"
#include "mesh/tetmesh.h"

static const int8_t edge_of[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

// how far along the edge from corner i towards corner j it is cut
static double cut_from(const double cut[6], int i, int j) {
    double t = cut[edge_of[i][j]];
    return i < j ? t : 1.0 - t;
}

static FrVec3 cut_point(const FrVec3 x[4], const double cut[6], int i, int j) {
    return i < j ? fr_lerp(x[i], x[j], cut[edge_of[i][j]])
                 : fr_lerp(x[j], x[i], cut[edge_of[j][i]]);
}

// corners of one label first: i alone, or i with j. Returns how many labels there are, 3 for more
typedef struct Split {
    int labels; ///< 1, 2, or 3 for more
    int alone;  ///< corner of its own label, of two labels; -1: two against two
    int pair;   ///< two against two: the corner with corner 0's label
} Split;

static Split split_of(const int32_t label[4]) {
    Split s = {.labels = 1, .alone = -1, .pair = -1};
    int same[4] = {0, 0, 0, 0}, pairs = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) same[i] += label[i] == label[j];
    for (int i = 0; i < 4; i++) pairs += same[i]; // 16, 10, 8, or 6 and 4
    s.labels = pairs == 16 ? 1 : pairs >= 8 ? 2 : 3;
    for (int i = 0; i < 4 && s.labels == 2; i++) {
        if (same[i] == 1) s.alone = i;
        if (i && label[i] == label[0]) s.pair = i;
    }
    return s;
}

static int one_against_three(const FrVec3 x[4], const double cut[6], int i, RegionFacet *facet) {
    int a = (i + 1) % 4, b = (i + 2) % 4, c = (i + 3) % 4;
    facet[0] =
        (RegionFacet){(int8_t)i,
                      (int8_t)a,
                      {cut_point(x, cut, i, a), cut_point(x, cut, i, b), cut_point(x, cut, i, c)}};
    return 1;
}

// 0 and i against a and b; the quad's diagonal runs from edge 0 b to edge i a, a < b
static int two_against_two(const FrVec3 x[4], const double cut[6], int i, RegionFacet *facet) {
    int a = i == 1 ? 2 : 1, b = i == 3 ? 2 : 3;
    FrVec3 p = cut_point(x, cut, 0, a), q = cut_point(x, cut, 0, b);
    FrVec3 r = cut_point(x, cut, i, b), s = cut_point(x, cut, i, a);
    facet[0] = (RegionFacet){0, (int8_t)a, {p, q, s}};
    facet[1] = (RegionFacet){0, (int8_t)a, {q, r, s}};
    return 2;
}

// mean of the cut points on the edges between these corners: its weights
static void middle_of(const int32_t label[4], const double cut[6], int left_out, double b[4]) {
    int count = 0;
    for (int i = 0; i < 4; i++) b[i] = 0.0;
    for (int k = 0; k < 6; k++) {
        int i = fr_tet_edge[k][0], j = fr_tet_edge[k][1];
        if (label[i] == label[j] || i == left_out || j == left_out) continue;
        b[i] += 1.0 - cut[k];
        b[j] += cut[k];
        count++;
    }
    for (int i = 0; i < 4; i++) b[i] /= fr_max_i(count, 1);
}

static FrVec3 weighted(const FrVec3 x[4], const double b[4]) {
    FrVec3 sum = fr_vec3_zero;
    for (int i = 0; i < 4; i++) sum = fr_axpy(b[i], x[i], sum);
    return sum;
}

// cracks that end on the face opposite corner `opposite`, joined to the middle of the tet
static int on_face(const FrVec3 x[4], const int32_t label[4], const double cut[6], int opposite,
                   RegionFacet *facet) {
    const int8_t *face = fr_tet_face[opposite];
    double tet[4], mean[4];
    middle_of(label, cut, -1, tet);
    middle_of(label, cut, opposite, mean);
    FrVec3 middle = weighted(x, tet), centre = weighted(x, mean);
    FrVec3 at[3];
    int from[3], to[3], count = 0;
    for (int k = 0; k < 3; k++) {
        int i = face[k], j = face[(k + 1) % 3];
        if (label[i] == label[j]) continue;
        at[count] = cut_point(x, cut, i, j);
        from[count] = i, to[count++] = j;
    }
    if (count == 2) { // from edge to edge
        centre = at[1];
        count = 1;
    }
    for (int k = 0; k < count; k++)
        facet[k] = (RegionFacet){(int8_t)from[k], (int8_t)to[k], {at[k], centre, middle}};
    return count;
}

int fr_region_facets(const FrVec3 x[4], const int32_t label[4], const double cut[6],
                     RegionFacet facet[FR_REGION_FACETS]) {
    Split s = split_of(label);
    if (s.labels == 1) return 0;
    if (s.labels == 2 && s.alone >= 0) return one_against_three(x, cut, s.alone, facet);
    if (s.labels == 2) return two_against_two(x, cut, s.pair, facet);
    int count = 0;
    for (int k = 0; k < 4; k++) count += on_face(x, label, cut, k, facet + count);
    return count;
}

// what a face gives to each of its corners: it and the middle of the tet span `span` of the tet
static void share_face(const int32_t label[4], const double cut[6], int opposite, double span,
                       double share[4]) {
    const int8_t *face = fr_tet_face[opposite];
    double mean[4];
    middle_of(label, cut, opposite, mean);
    for (int k = 0; k < 3; k++) {
        int i = face[k], a = face[(k + 1) % 3], b = face[(k + 2) % 3];
        bool ia = label[i] != label[a], ib = label[i] != label[b], ab = label[a] != label[b];
        if (ia && ib && ab) // two triangles: corner, cut, middle of the face
            share[i] += span * (cut_from(cut, i, a) * mean[b] + cut_from(cut, i, b) * mean[a]);
        else if (ia && ib) { // alone: its corner of the face; the rest is the others'
            double corner = cut_from(cut, i, a) * cut_from(cut, i, b);
            share[i] += span * corner;
            share[a] += span * (1.0 - corner);
        } else if (!ia && !ib && k == 0)
            share[i] += span;
    }
}

// 6 times the volume of four points of the tet with x0 = 0 and x1, x2, x3 = the axes
static double part(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d) { return fabs(fr_volume6(a, b, c, d)); }

void fr_region_shares(const int32_t label[4], const double cut[6], double share[4]) {
    static const FrVec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Split s = split_of(label);
    for (int i = 0; i < 4; i++) share[i] = 0.0;
    if (s.labels == 1) {
        share[0] = 1.0;
    } else if (s.labels == 2 && s.alone >= 0) {
        int i = s.alone, a = (i + 1) % 4, b = (i + 2) % 4, c = (i + 3) % 4;
        share[i] = cut_from(cut, i, a) * cut_from(cut, i, b) * cut_from(cut, i, c);
        share[a] = 1.0 - share[i];
    } else if (s.labels == 2) {
        // a wedge of three tets, with the diagonal of two_against_two
        int i = s.pair, a = i == 1 ? 2 : 1, b = i == 3 ? 2 : 3;
        FrVec3 p = cut_point(x, cut, 0, a), q = cut_point(x, cut, 0, b);
        FrVec3 r = cut_point(x, cut, i, b), t = cut_point(x, cut, i, a);
        share[0] = part(x[0], p, q, t) + part(x[0], q, r, t) + part(x[0], x[i], t, r);
        share[a] = 1.0 - share[0];
    } else {
        double middle[4];
        middle_of(label, cut, -1, middle);
        for (int k = 0; k < 4; k++) share_face(label, cut, k, middle[k], share);
    }
}

bool fr_regions_cuts(const Regions *R, int32_t tet, int32_t label[4], double cut[6]) {
    const int32_t *n = R->mesh->tet[tet];
    bool mixed = false;
    for (int i = 0; i < 4; i++) label[i] = R->label[n[i]];
    for (int k = 0; k < 6; k++) {
        int i = fr_tet_edge[k][0], j = fr_tet_edge[k][1];
        if (label[i] == label[j]) continue;
        mixed = true;
        // from the lower node on, so that all tets of an edge say the same
        bool turn = n[i] > n[j];
        int32_t a = turn ? n[j] : n[i], b = turn ? n[i] : n[j];
        double at_a[2] = {R->key[a], fr_regions_key(R, a, R->label[b])};
        double at_b[2] = {fr_regions_key(R, b, R->label[a]), R->key[b]};
        double t = fr_label_balance(at_a, at_b);
        cut[k] = turn ? 1.0 - t : t;
    }
    return mixed;
}

double fr_regions_area(const Regions *R, int32_t tet) {
    int32_t label[4];
    double cut[6], area = 0.0;
    if (!fr_regions_cuts(R, tet, label, cut)) return 0.0;
    FrVec3 x[4];
    for (int i = 0; i < 4; i++) x[i] = fr_get3(R->mesh->x, R->mesh->tet[tet][i]);
    RegionFacet facet[FR_REGION_FACETS];
    int count = fr_region_facets(x, label, cut, facet);
    for (int k = 0; k < count; k++) area += fr_region_facet_area(&facet[k]);
    return area;
}
