// clip_kit.h: any convex polyhedron cut by half-spaces, face by face (Sutherland-Hodgman) [K2]: the
// plain way, which the library's clipping of tets is held against.
#pragma once
#include "clip/clip.h"
#include <string.h>

#define FR_CLIP_FACES 16
#define FR_CLIP_VERTICES 28 ///< 2 faces - 4
#define FR_CLIP_CORNERS 84  ///< 6 faces - 12

/// Who a face came from: owner 0 is the solid that was cut, owner 1 the one that cut it.
typedef enum FrClipOwner { FR_CLIP_A, FR_CLIP_B } FrClipOwner;

/// A closed convex polyhedron; faces counter-clockwise seen from outside.
typedef struct FrClipPoly {
    int32_t vertex_count, face_count;
    FrVec3 vertex[FR_CLIP_VERTICES];
    uint16_t start[FR_CLIP_FACES + 1]; ///< corners of face f: start[f] .. start[f + 1]
    uint8_t owner[FR_CLIP_FACES];
    uint8_t corner[FR_CLIP_CORNERS]; ///< vertex numbers
} FrClipPoly;

/// Volume, centroid and area-weighted outward normals by owner.
typedef struct FrClipMeasure {
    double volume;    ///< m^3
    double area;      ///< of all faces, m^2
    FrVec3 centroid;  ///< m
    FrVec3 normal[2]; ///< sum of area normals of each owner's faces, m^2; they add up to 0
} FrClipMeasure;

#define NONE 255
#define CUT_EDGES 128

// the edges cut by one plane: each is met from both of its faces and gives one new vertex
typedef struct Cut {
    const FrClipPoly *in;
    FrClipPoly *out;
    double d[FR_CLIP_VERTICES]; ///< n.x - c of each old vertex; exactly 0 within the tolerance
    uint8_t kept[FR_CLIP_VERTICES];
    int32_t edge_count;
    uint8_t inner[CUT_EDGES], outer[CUT_EDGES], made[CUT_EDGES];
    uint8_t next[FR_CLIP_VERTICES]; ///< the edges of the new face, vertex to vertex
} Cut;

// distances and the verdict that needs no cutting
static inline FrClipResult classify(Cut *cut, const FrClipPlane *plane) {
    bool inside = false, outside = false;
    for (int32_t k = 0; k < cut->in->vertex_count; k++) {
        double d = fr_dot(plane->n, cut->in->vertex[k]) - plane->c;
        if (!(d > plane->tolerance || d < -plane->tolerance)) d = 0.0;
        inside |= d < 0.0;
        outside |= d > 0.0;
        cut->d[k] = d;
    }
    return !inside ? FR_CLIP_EMPTY : !outside ? FR_CLIP_WHOLE : FR_CLIP_CUT;
}

static inline void keep_inner_vertices(Cut *cut) {
    FrClipPoly *out = cut->out;
    out->vertex_count = 0;
    for (int32_t k = 0; k < cut->in->vertex_count; k++) {
        cut->kept[k] = NONE;
        if (cut->d[k] > 0.0) continue;
        cut->kept[k] = (uint8_t)out->vertex_count;
        cut->next[out->vertex_count] = NONE;
        out->vertex[out->vertex_count++] = cut->in->vertex[k];
    }
}

// the vertex where an edge meets the plane; always computed from its inner end, so that both faces
// of the edge get the same bits
static inline uint8_t meet(Cut *cut, uint8_t inner, uint8_t outer) {
    for (int32_t k = 0; k < cut->edge_count; k++)
        if (cut->inner[k] == inner && cut->outer[k] == outer) return cut->made[k];
    FrClipPoly *out = cut->out;
    if (cut->edge_count == CUT_EDGES || out->vertex_count == FR_CLIP_VERTICES)
        return cut->kept[inner];
    double du = cut->d[inner], dw = cut->d[outer];
    uint8_t made = (uint8_t)out->vertex_count;
    cut->next[made] = NONE;
    out->vertex[out->vertex_count++] =
        fr_lerp(cut->in->vertex[inner], cut->in->vertex[outer], du / (du - dw));
    cut->inner[cut->edge_count] = inner;
    cut->outer[cut->edge_count] = outer;
    cut->made[cut->edge_count++] = made;
    return made;
}

// Sutherland-Hodgman on one face; remembers its new edge, reversed, for the cap
static inline int32_t cut_face(Cut *cut, int32_t face, int32_t at) {
    const FrClipPoly *in = cut->in;
    int32_t begin = in->start[face], end = in->start[face + 1];
    uint8_t *corner = cut->out->corner;
    uint8_t entry = NONE, leave = NONE;
    int32_t first = at;
    uint8_t u = in->corner[end - 1];
    for (int32_t k = begin; k < end; k++) {
        uint8_t w = in->corner[k];
        double du = cut->d[u], dw = cut->d[w];
        if (du <= 0.0 && dw > 0.0) {
            leave = du < 0.0 ? meet(cut, u, w) : cut->kept[u];
            if (du < 0.0) corner[at++] = leave;
        } else if (du > 0.0 && dw <= 0.0) {
            entry = dw < 0.0 ? meet(cut, w, u) : cut->kept[w];
            if (dw < 0.0) corner[at++] = entry;
        }
        if (dw <= 0.0) corner[at++] = cut->kept[w];
        u = w;
    }
    if (entry != leave && entry != NONE && leave != NONE) cut->next[entry] = leave;
    return at - first < 3 ? first : at;
}

// link the new edges into the face on the plane
static inline int32_t add_cap(Cut *cut, int32_t at) {
    FrClipPoly *out = cut->out;
    int32_t first = at, begin = 0;
    while (begin < out->vertex_count && cut->next[begin] == NONE) begin++;
    if (begin == out->vertex_count) return at;
    uint8_t v = (uint8_t)begin;
    do {
        uint8_t after = cut->next[v];
        if (after == NONE || at == FR_CLIP_CORNERS) return first;
        cut->next[v] = NONE;
        out->corner[at++] = v;
        v = after;
    } while (v != begin);
    return at - first < 3 ? first : at;
}

static inline void close_face(FrClipPoly *poly, int32_t from, int32_t to, uint8_t owner) {
    if (to == from) return;
    poly->owner[poly->face_count] = owner;
    poly->start[++poly->face_count] = (uint16_t)to;
}

static inline FrClipResult fr_clip(const FrClipPoly *in, const FrClipPlane *plane,
                                   FrClipPoly *out) {
    Cut cut;
    cut.in = in;
    cut.out = out;
    cut.edge_count = 0;
    FrClipResult result = classify(&cut, plane);
    if (result != FR_CLIP_CUT) return result;
    keep_inner_vertices(&cut);
    out->face_count = 0;
    out->start[0] = 0;
    int32_t at = 0;
    for (int32_t f = 0; f < in->face_count; f++) {
        // a face gains at most one corner
        if (at + in->start[f + 1] - in->start[f] + 1 > FR_CLIP_CORNERS) return FR_CLIP_WHOLE;
        int32_t to = cut_face(&cut, f, at);
        close_face(out, at, to, in->owner[f]);
        at = to;
    }
    if (out->face_count < FR_CLIP_FACES) {
        int32_t to = add_cap(&cut, at);
        close_face(out, at, to, FR_CLIP_B);
    }
    return out->face_count < 4 ? FR_CLIP_EMPTY : FR_CLIP_CUT;
}

// vol = 1/6 sum_faces sum_fan (a-q).[(b-q)x(c-q)], faces counter-clockwise      [S6 eq. 5.3]
// centre = sum vol_t (q+a+b+c) / (4 vol)                                        [S6 eq. 5.5]
// N = 1/2 sum_fan (b-a)x(c-a) over one owner's faces                            [S6 eq. 5.4]
// Departs from the paper: 1/6 and the order of the faces (E25; the printed sum is -6 vol).
static inline void fr_clip_measure(const FrClipPoly *poly, FrClipMeasure *measure) {
    FrVec3 q = poly->vertex[poly->corner[0]];
    FrVec3 moment = fr_vec3_zero;
    double volume6 = 0.0, area2 = 0.0;
    FrVec3 normal2[2] = {fr_vec3_zero, fr_vec3_zero};
    for (int32_t f = 0; f < poly->face_count; f++) {
        const uint8_t *corner = poly->corner + poly->start[f];
        int32_t count = poly->start[f + 1] - poly->start[f];
        FrVec3 a = fr_sub(poly->vertex[corner[0]], q);
        FrVec3 b = fr_sub(poly->vertex[corner[1]], q), face2 = fr_vec3_zero;
        for (int32_t k = 2; k < count; k++) {
            FrVec3 c = fr_sub(poly->vertex[corner[k]], q);
            FrVec3 n2 = fr_cross(fr_sub(b, a), fr_sub(c, a));
            double v6 = fr_dot(a, n2);
            volume6 += v6;
            moment = fr_axpy(v6, fr_add(a, fr_add(b, c)), moment);
            face2 = fr_add(face2, n2);
            b = c;
        }
        area2 += fr_length(face2);
        normal2[poly->owner[f]] = fr_add(normal2[poly->owner[f]], face2);
    }
    measure->volume = volume6 / 6.0;
    measure->area = 0.5 * area2;
    measure->centroid = volume6 > 0.0 ? fr_axpy(0.25 / volume6, moment, q) : q;
    measure->normal[FR_CLIP_A] = fr_scale(0.5, normal2[FR_CLIP_A]);
    measure->normal[FR_CLIP_B] = fr_scale(0.5, normal2[FR_CLIP_B]);
}

static inline void fr_clip_tet_poly(const FrClipTet *tet, FrClipPoly *poly) {
    static const uint8_t corner[12] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1};
    poly->vertex_count = poly->face_count = 4;
    for (int k = 0; k < 4; k++) {
        poly->vertex[k] = fr_clip_tet_corner(tet, k);
        poly->start[k] = (uint16_t)(3 * k);
        poly->owner[k] = FR_CLIP_A;
    }
    poly->start[4] = 12;
    memcpy(poly->corner, corner, sizeof corner);
}
