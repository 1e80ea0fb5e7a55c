// solid_outwards.c: which way patches face is put to the vote of rays, all patches at once.

#include "base/random.h"
#include "base/tasks.h"
#include "geom/solid_repair.h"

#define MOST_RAYS 200000 ///< for all patches together, about
#define RAYS_OF_PATCH 24
#define MOST_BOXES 4000000 ///< looked at by all rays: part of a second, for the worst of surfaces
#define GRAIN 32           ///< patches

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
    FrVec3 vector = fr_tri_vector(mesh, t), way = tilt(random, fr_normalize(vector));
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
        FrVec3 vector = fr_tri_vector(mesh, t);
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

/// Patches whose votes are counted, each with the triangles it has.
typedef struct VoteRun {
    const FrTriMesh *mesh;
    const FrTree *tree;
    int32_t *start; ///< of each patch's triangles (patches + 1)
    int32_t *list;  ///< by patch, in rising order (tri_count)
    Vote *vote;
    int32_t patches;
    double whole, rays;
} VoteRun;

// rays from places spread evenly over the area of the patch; it may look at boxes by its area and
// by its being one
static void ask_rays(const VoteRun *run, int32_t patch) {
    Vote *of = &run->vote[patch];
    double share = 0.5 * of->area / run->whole + 0.5 / run->patches;
    int64_t budget = (int64_t)(share * MOST_BOXES);
    FrRandom random = fr_random_for(1, "orientation", (uint64_t)patch);
    for (int32_t k = run->start[patch]; k < run->start[patch + 1] && budget > 0; k++) {
        int32_t t = run->list[k];
        of->walked += fr_length(fr_tri_vector(run->mesh, t));
        while (of->rays < run->rays && of->walked >= of->area * (of->rays + 0.5) / run->rays &&
               !is_settled(of, run->whole)) {
            cast_vote(run->mesh, run->tree, t, &random, &budget, of);
            of->rays++;
        }
    }
}

static void patch_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)chunk, (void)worker;
    const VoteRun *run = arg;
    for (int32_t k = begin; k < end; k++)
        if (!run->vote[k].closed || run->vote[k].volume < 0.0) ask_rays(run, k);
}

static void list_patches(const VoteRun *run, const FrPatches *patches) {
    for (int32_t t = 0; t < run->mesh->tri_count; t++) run->start[patches->of[t]]++;
    for (int32_t k = 1; k <= run->patches; k++) run->start[k] += run->start[k - 1];
    for (int32_t t = run->mesh->tri_count - 1; t >= 0; t--)
        run->list[--run->start[patches->of[t]]] = t;
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
    VoteRun run = {mesh,
                   tree,
                   FR_NEW(ctx, int32_t, (size_t)patches->count + 1),
                   FR_NEW(ctx, int32_t, mesh->tri_count),
                   FR_NEW(ctx, Vote, patches->count),
                   patches->count,
                   fr_trimesh_area(mesh),
                   fr_clamp(MOST_RAYS / patches->count, 3.0, RAYS_OF_PATCH)};
    FrResult result = run.start && run.list && run.vote ? FR_OK : fr_no_memory(ctx, "patches");
    *flipped = 0;
    if (result == FR_OK) {
        list_patches(&run, patches);
        measure(mesh, patches, fr_box_center(tree->bounds), run.vote);
        fr_parallel_for(ctx, patches->count, GRAIN, patch_range, &run);
        bool most = most_inwards(run.vote, patches);
        for (int32_t t = 0; t < mesh->tri_count; t++)
            if (faces_inwards(&run.vote[patches->of[t]], most))
                fr_tri_turn_over(mesh, t), (*flipped)++;
    }
    FR_FREE_ALL(ctx, run.start, run.list, run.vote);
    return result;
}
