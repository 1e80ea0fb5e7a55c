// solid_repair.c: doubles go, neighbours agree, patches face outwards.

#include "base/random.h"
#include "geom/edges.h"
#include "geom/solid_repair.h"
#include <string.h>

#define MOST_RAYS 200000 ///< for all patches together, about
#define RAYS_OF_PATCH 24
#define MOST_BOXES 4000000 ///< looked at by all rays: part of a second, for the worst of surfaces

typedef struct Neighbours {
    int32_t tri[3];
    bool against[3]; ///< runs through the common edge the same way, so one must turn
    int32_t count;
} Neighbours;

static FrVec3 area_vector(const FrTriMesh *mesh, int32_t t) {
    FrVec3 a = fr_get3(mesh->p, mesh->tri[t][0]), b = fr_get3(mesh->p, mesh->tri[t][1]);
    FrVec3 c = fr_get3(mesh->p, mesh->tri[t][2]);
    return fr_scale(0.5, fr_cross(fr_sub(b, a), fr_sub(c, a)));
}

static void turn_over(FrTriMesh *mesh, int32_t t) {
    int32_t swap = mesh->tri[t][1];
    mesh->tri[t][1] = mesh->tri[t][2];
    mesh->tri[t][2] = swap;
}

FrResult fr_repair_drop(FrContext *ctx, FrTriMesh *mesh, int32_t *dropped) {
    bool *duplicate;
    FR_TRY(fr_trimesh_duplicates(ctx, mesh, &duplicate));
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        if (duplicate[t] || fr_length2(area_vector(mesh, t)) == 0.0) continue;
        memmove(mesh->tri[kept++], mesh->tri[t], sizeof *mesh->tri);
    }
    *dropped = mesh->tri_count - kept;
    mesh->tri_count = kept;
    fr_free(ctx, duplicate);
    return FR_OK;
}

static void link_two(Neighbours *near, const FrEdgeUse *a, const FrEdgeUse *b) {
    bool against = a->forward == b->forward;
    Neighbours *na = &near[a->tri], *nb = &near[b->tri];
    na->tri[na->count] = b->tri, na->against[na->count++] = against;
    nb->tri[nb->count] = a->tri, nb->against[nb->count++] = against;
}

static FrResult find_neighbours(FrContext *ctx, const FrTriMesh *mesh, Neighbours *near) {
    FrEdgeUse *uses;
    FR_TRY(fr_trimesh_edges(ctx, mesh, &uses));
    int32_t count = 3 * mesh->tri_count;
    for (int32_t at = 0, run; at < count; at += run) {
        run = fr_edge_run(uses, count, at);
        if (run == 2 && uses[at].tri != uses[at + 1].tri) link_two(near, &uses[at], &uses[at + 1]);
    }
    fr_free(ctx, uses);
    return FR_OK;
}

// walk one patch from its first triangle; list: its triangles, turn: which of them must turn
static int32_t walk(const Neighbours *near, int32_t seed, int32_t patch, int32_t *of, bool *turn,
                    int32_t *list) {
    int32_t count = 0;
    of[seed] = patch, turn[seed] = false;
    list[count++] = seed;
    for (int32_t at = 0; at < count; at++) {
        int32_t t = list[at];
        for (int32_t k = 0; k < near[t].count; k++) {
            int32_t other = near[t].tri[k];
            if (of[other] >= 0) continue;
            of[other] = patch;
            turn[other] = turn[t] != near[t].against[k];
            list[count++] = other;
        }
    }
    return count;
}

static int32_t settle(FrTriMesh *mesh, const int32_t *list, int32_t count, const bool *turn) {
    double turned = 0.0, kept = 0.0;
    int32_t flipped = 0;
    for (int32_t i = 0; i < count; i++) {
        double area = fr_length(area_vector(mesh, list[i]));
        if (turn[list[i]])
            turned += area;
        else
            kept += area;
    }
    bool other = turned > kept; // most of the patch was the other way round
    for (int32_t i = 0; i < count; i++)
        if (turn[list[i]] != other) turn_over(mesh, list[i]), flipped++;
    return flipped;
}

FrResult fr_repair_patches(FrContext *ctx, FrTriMesh *mesh, FrPatches *patches, int32_t *flipped) {
    int32_t n = mesh->tri_count;
    *patches = (FrPatches){.of = FR_NEW(ctx, int32_t, n), .closed = FR_NEW(ctx, bool, n)};
    Neighbours *near = FR_NEW(ctx, Neighbours, n);
    int32_t *list = FR_NEW(ctx, int32_t, n);
    bool *turn = FR_NEW(ctx, bool, n);
    bool good = patches->of && patches->closed && near && list && turn;
    FrResult result = good ? find_neighbours(ctx, mesh, near) : fr_no_memory(ctx, "patches");
    *flipped = 0;
    for (int32_t t = 0; t < n && result == FR_OK; t++) patches->of[t] = -1;
    for (int32_t t = 0; t < n && result == FR_OK; t++) {
        if (patches->of[t] >= 0) continue;
        int32_t count = walk(near, t, patches->count, patches->of, turn, list);
        *flipped += settle(mesh, list, count, turn);
        bool closed = true;
        for (int32_t i = 0; i < count; i++) closed &= near[list[i]].count == 3;
        patches->closed[patches->count++] = closed;
    }
    fr_free(ctx, near);
    fr_free(ctx, list);
    fr_free(ctx, turn);
    if (result != FR_OK) fr_patches_free(ctx, patches);
    return result;
}

void fr_patches_free(FrContext *ctx, FrPatches *patches) {
    fr_free(ctx, patches->of);
    fr_free(ctx, patches->closed);
    *patches = (FrPatches){0};
}

typedef struct Vote {
    double volume;       ///< signed, of a closed patch, m^3
    double area, walked; ///< all, and up to the triangle now looked at, m^2
    int32_t keep, flip;
    int32_t within; ///< rays from where it lies inside another part, of an open patch
    bool closed;
    int32_t rays;
} Vote;

// a unit vector not far from n
static FrVec3 tilt(FrRandom *random, FrVec3 n) {
    double x = fr_random_range(random, -0.6, 0.6), y = fr_random_range(random, -0.6, 0.6);
    double z = fr_random_range(random, -0.6, 0.6);
    return fr_normalize(fr_add(n, fr_vec3(x, y, z)));
}

/// Where the surface goes round both sides of a triangle more often than this, the same way, it
/// lies inside another part.
#define SURELY_ROUND 0.6
#define BESIDE 0.05 ///< how far beside it is asked, over the root of its area

// Parts that run through each other, and doubles slightly apart: there crossings say nothing, and a
// triangle that is turned as the others are is no wall of a cavity.
static bool is_overlapped(const FrTree *tree, FrVec3 x, FrVec3 vector) {
    double size = fr_length(vector);
    FrVec3 off = fr_scale(BESIDE * sqrt(size) / size, vector);
    double front = fr_tree_winding(tree, fr_add(x, off), 1.0).turns;
    double back = fr_tree_winding(tree, fr_sub(x, off), 1.0).turns;
    return front * back > 0.0 && fr_min(fabs(front), fabs(back)) > SURELY_ROUND;
}

// From outside a ray crosses the surface an even number of times, from inside an odd number. Rays
// that leak through a hole say nothing.
static void cast_vote(const FrTriMesh *mesh, const FrTree *tree, int32_t t, FrRandom *random,
                      int64_t *budget, Vote *vote) {
    FrVec3 a = fr_get3(mesh->p, mesh->tri[t][0]), b = fr_get3(mesh->p, mesh->tri[t][1]);
    FrVec3 x = fr_scale(1.0 / 3.0, fr_add(a, fr_add(b, fr_get3(mesh->p, mesh->tri[t][2]))));
    FrVec3 vector = area_vector(mesh, t), way = tilt(random, fr_normalize(vector));
    int32_t front = fr_tree_crossings(tree, x, way, t, budget);
    int32_t back = fr_tree_crossings(tree, x, fr_neg(way), t, budget);
    if (front < 0 || back < 0) return;
    bool keep = front % 2 == 0 && back % 2 == 1, flip = front % 2 == 1 && back % 2 == 0;
    bool within = !vote->closed && (keep || flip) && is_overlapped(tree, x, vector);
    vote->keep += keep && !within;
    vote->flip += flip && !within;
    vote->within += within;
}

static void measure(const FrTriMesh *mesh, const FrPatches *patches, FrVec3 o, Vote *vote) {
    for (int32_t t = 0; t < mesh->tri_count; t++) {
        Vote *of = &vote[patches->of[t]];
        FrVec3 vector = area_vector(mesh, t);
        of->closed = patches->closed[patches->of[t]];
        of->area += fr_length(vector);
        of->volume += fr_dot(vector, fr_sub(fr_get3(mesh->p, mesh->tri[t][0]), o)) / 3.0;
    }
}

/// A patch with less of the area than this is settled by so many rays that agree, if none does not:
/// surfaces full of seams have thousands of them. Large ones may lie in others by a part.
#define SMALL_PATCH 0.002
#define CLEAR_VOTE 5

static bool is_settled(const Vote *vote, double whole) {
    int32_t most = fr_max_i(vote->keep, fr_max_i(vote->flip, vote->within));
    return vote->area < SMALL_PATCH * whole && most >= CLEAR_VOTE &&
           most == vote->keep + vote->flip + vote->within;
}

// rays from places spread evenly over the area of each patch in question
static void ask_rays(const FrTriMesh *mesh, const FrPatches *patches, const FrTree *tree,
                     Vote *vote) {
    int32_t share = MOST_RAYS / patches->count;
    double rays = fr_clamp(share, 3.0, RAYS_OF_PATCH), whole = fr_trimesh_area(mesh);
    int64_t budget = MOST_BOXES;
    FrRandom random = fr_random_for(1, "orientation", 0);
    for (int32_t t = 0; t < mesh->tri_count && budget > 0; t++) {
        int32_t patch = patches->of[t];
        Vote *of = &vote[patch];
        if ((of->closed && of->volume >= 0.0) || is_settled(of, whole)) continue;
        of->walked += fr_length(area_vector(mesh, t));
        while (of->rays < rays && of->walked >= of->area * (of->rays + 0.5) / rays &&
               !is_settled(of, whole)) {
            cast_vote(mesh, tree, t, &random, &budget, of);
            of->rays++;
        }
    }
}

// most: rays that told nothing of a patch leave it as most of the area is
static bool faces_inwards(const Vote *vote, bool most) {
    if (vote->closed)
        return vote->volume < 0.0 && vote->flip >= vote->keep; // more keep: the wall of a cavity
    if (vote->keep == 0 && vote->flip == 0) return most;
    return vote->flip > 2 * vote->keep;
}

// is most of the area the wrong way round?
static bool most_inwards(const Vote *vote, const FrPatches *patches) {
    double turned = 0.0, kept = 0.0;
    for (int32_t k = 0; k < patches->count; k++) {
        if (faces_inwards(&vote[k], false))
            turned += vote[k].area;
        else
            kept += vote[k].area;
    }
    return turned > kept;
}

FrResult fr_repair_outwards(FrContext *ctx, FrTriMesh *mesh, const FrPatches *patches,
                            const FrTree *tree, int32_t *flipped) {
    Vote *vote = FR_NEW(ctx, Vote, patches->count);
    *flipped = 0;
    if (!vote) return fr_no_memory(ctx, "patches");
    measure(mesh, patches, fr_box_center(tree->bounds), vote);
    ask_rays(mesh, patches, tree, vote);
    bool most = most_inwards(vote, patches);
    for (int32_t t = 0; t < mesh->tri_count; t++)
        if (faces_inwards(&vote[patches->of[t]], most)) turn_over(mesh, t), (*flipped)++;
    fr_free(ctx, vote);
    return FR_OK;
}
