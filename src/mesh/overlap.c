// overlap.c: tets of one mesh that lie inside each other, by a tree of their boxes.

#include "mesh/overlap.h"
#include "base/context.h"
#include "geom/aabb.h"
#include "clip/clip.h"

/// Parts that touch overlap by what their coordinates were rounded to: a smaller share of the
/// smaller tet is no overlap.
#define LEAST_SHARE 1e-3
/// Boxes are smaller than their tets by this part of their diagonal on each side.
#define SMALLER 1e-7

typedef struct Search {
    const FrTetMesh *mesh;
    uint8_t *meets; ///< 1: it overlaps another (tet_count)
    FrMeshOverlap *overlap;
    FrVec3 moment; ///< sum of volume times centroid, m^4
} Search;

static FrVec3 corner(const FrTetMesh *mesh, int32_t e, int i) {
    return fr_get3(mesh->x, mesh->tet[e][i]);
}

static FrClipTet solid_tet(const FrTetMesh *mesh, int32_t e) {
    FrClipTet tet;
    fr_clip_tet_init(&tet, corner(mesh, e, 0), corner(mesh, e, 1), corner(mesh, e, 2),
                     corner(mesh, e, 3), 0);
    return tet;
}

// is it a corner of the tet, other than the one left out?
static bool has_corner(const int32_t tet[4], int32_t node, int left_out) {
    for (int i = 0; i < 4; i++)
        if (i != left_out && tet[i] == node) return true;
    return false;
}

// has one of a's faces all of b outside, or on it?
static bool face_parts(const FrTetMesh *mesh, int32_t a, int32_t b) {
    for (int face = 0; face < 4; face++) {
        FrVec3 x = corner(mesh, a, (face + 1) & 3);
        FrVec3 n = fr_cross(fr_sub(corner(mesh, a, (face + 2) & 3), x),
                            fr_sub(corner(mesh, a, (face + 3) & 3), x));
        double inner = fr_dot(n, fr_sub(corner(mesh, a, face), x));
        int outside = 0;
        for (int i = 0; i < 4; i++)
            outside += has_corner(mesh->tet[a], mesh->tet[b][i], face) ||
                       inner * fr_dot(n, fr_sub(corner(mesh, b, i), x)) <= 0.0;
        if (outside == 4) return true;
    }
    return false;
}

// neighbours are many, and nearly all of them are parted by a face
static bool parted_neighbours(const FrTetMesh *mesh, int32_t a, int32_t b) {
    bool neighbours = false;
    for (int i = 0; i < 4; i++) neighbours |= has_corner(mesh->tet[a], mesh->tet[b][i], -1);
    return neighbours && (face_parts(mesh, a, b) || face_parts(mesh, b, a));
}

static bool test_pair(void *user, int32_t a, int32_t b) {
    Search *search = user;
    const FrTetMesh *mesh = search->mesh;
    if (parted_neighbours(mesh, a, b)) return true;
    FrClipTet first = solid_tet(mesh, a), second = solid_tet(mesh, b);
    FrOverlap shared;
    if (!fr_overlap_tet_tet(&first, &second, &shared, NULL)) return true;
    if (shared.volume > LEAST_SHARE * fr_min(first.volume, second.volume))
        search->meets[a] = search->meets[b] = 1;
    search->overlap->volume += shared.volume;
    search->moment = fr_add(search->moment, fr_scale(shared.volume, shared.centroid));
    return true;
}

// a little smaller than the tet: what only touches is no pair
static FrBox box_of(const FrTetMesh *mesh, int32_t e) {
    FrBox box = fr_box_empty();
    for (int i = 0; i < 4; i++) box = fr_box_add(box, corner(mesh, e, i));
    return fr_box_grow(box, -SMALLER * fr_length(fr_box_size(box)));
}

static void walk(Search *search, FrAabbTree *tree, FrBox *box) {
    const FrTetMesh *mesh = search->mesh;
    FrMeshOverlap *overlap = search->overlap;
    for (int32_t e = 0; e < mesh->tet_count; e++) box[e] = box_of(mesh, e);
    fr_aabb_build(tree, box, mesh->tet_count);
    fr_aabb_self_pairs(tree, test_pair, search);
    for (int32_t e = 0; e < mesh->tet_count; e++) overlap->tets += search->meets[e];
    if (overlap->volume > 0.0) overlap->centroid = fr_scale(1.0 / overlap->volume, search->moment);
}

FrResult fr_tetmesh_overlap(FrContext *ctx, const FrTetMesh *mesh, FrMeshOverlap *overlap) {
    *overlap = (FrMeshOverlap){0};
    FrAabbTree tree = {0};
    FrBox *box = FR_NEW(ctx, FrBox, mesh->tet_count);
    Search search = {.mesh = mesh, .overlap = overlap};
    search.meets = FR_NEW(ctx, uint8_t, mesh->tet_count);
    bool room = box && search.meets && fr_aabb_reserve(ctx, &tree, mesh->tet_count);
    if (room) walk(&search, &tree, box);
    fr_aabb_free(ctx, &tree);
    fr_free(ctx, search.meets);
    fr_free(ctx, box);
    return room ? FR_OK : fr_no_memory(ctx, "overlaps of tets");
}
