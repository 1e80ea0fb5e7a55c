// wall.c: where a body is a wall of one or two tets, which way it is through it, and how such a
// body breaks unless it was set.

#include "fracture/separation_inside.h"
#include "fracture/inside.h"
#include "math/decompose.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"

// twice the area of face i of a tet, outwards, m^2; 0: it is inside
static FrVec3 outer_face(const FrFracture *f, int32_t tet, int i) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    if (fr_cutmesh_opened(f->cut)[tet][i] == FR_FACE_INNER) return fr_vec3_zero;
    FrVec3 at[3];
    for (int k = 0; k < 3; k++) at[k] = fr_get3(mesh->x, mesh->tet[tet][fr_tet_face[i][k]]);
    return fr_cross(fr_sub(at[1], at[0]), fr_sub(at[2], at[0]));
}

/// Outer faces round a tet: those of all tets that share a node with it, by each node.
typedef struct Outside {
    FrSym3 faces; ///< sum area n n'
    double area;
    double ahead; ///< of those that face along a way
} Outside;

static Outside outside_of(const FrFracture *f, int32_t tet, FrVec3 way) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    Outside sum = {.area = 0.0};
    for (int c = 0; c < 4; c++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, mesh->tet[tet][c], &count);
        for (int32_t k = 0; k < 4 * count; k++) {
            FrVec3 face = outer_face(f, star[k / 4], k % 4);
            double area = fr_length(face);
            sum.faces = fr_sym3_axpy(1.0, fr_unit_outer(face, area), sum.faces);
            sum.area += area;
            if (fr_dot(face, way) > 0.0) sum.ahead += area;
        }
    }
    return sum;
}

// A tet that sees, no farther than its neighbours, both sides of a wall.
static FrVec3 way_through(const FrFracture *f, int32_t tet) {
    Outside outside = outside_of(f, tet, fr_vec3_zero);
    FrEigen3 e = fr_sym3_eigen(outside.faces);
    if (!(e.value[0] >= FR_WALL_ACROSS * outside.area) || !(outside.area > 0.0))
        return fr_vec3_zero;
    outside = outside_of(f, tet, e.vector[0]);
    bool both = fr_min(outside.ahead, outside.area - outside.ahead) >= FR_WALL_SIDE * outside.area;
    return both ? e.vector[0] : fr_vec3_zero;
}

// Which way it is through the flat wall that most tets beside this one are of, if they agree: at a
// rim some tets see too much of it.
static FrVec3 way_of_neighbours(const FrFracture *f, const FrVec3 *way, int32_t tet) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    FrVec3 sum = fr_vec3_zero;
    int32_t all = 0, beside = 0;
    for (int c = 0; c < 4; c++) {
        int32_t count;
        const int32_t *star = fr_cutmesh_star(f->cut, mesh->tet[tet][c], &count);
        beside += count;
        for (int32_t k = 0; k < count; k++) {
            FrVec3 w = way[star[k]];
            if (!(fr_dot(w, w) > 0.0)) continue;
            sum = fr_axpy(fr_dot(w, sum) < 0.0 ? -1.0 : 1.0, w, sum);
            all++;
        }
    }
    double agree = fr_length(sum);
    return 2 * all > beside && agree >= FR_WALL_FLAT * all ? fr_scale(1.0 / agree, sum)
                                                           : fr_vec3_zero;
}

bool fr_fracture_find_walls(FrFracture *f) {
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count;
    FrVec3 *way = FR_NEW(f->ctx, FrVec3, tets);
    if (!way || !fr_array_extend(f->ctx, &f->state.wall, tets)) {
        fr_free(f->ctx, way);
        return false;
    }
    for (int32_t e = 0; e < tets; e++) way[e] = way_through(f, e);
    for (int32_t e = 0; e < tets; e++)
        f->state.wall.data[e] =
            fr_dot(way[e], way[e]) > 0.0 ? way[e] : way_of_neighbours(f, way, e);
    fr_free(f->ctx, way);
    return true;
}

bool fr_fracture_is_brittle(const FrFracture *f) {
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count;
    for (int32_t e = 0; e < tets; e++) {
        const FrToughness *t = &f->settings.toughness[fr_fem_region(f->fem, e)];
        if (!(t->strength > 0.0) || t->tau > 0.0 || fr_material_yields(fr_fem_material(f->fem, e)))
            return false;
    }
    return true;
}

// is most of it a wall?
static bool is_wall(const FrFracture *f) {
    double volume = 0.0, wall = 0.0;
    for (int32_t e = 0; e < f->state.wall.count; e++) {
        FrVec3 way = f->state.wall.data[e];
        volume += f->scratch.limits.element.data[e].volume;
        if (fr_dot(way, way) > 0.0) wall += f->scratch.limits.element.data[e].volume;
    }
    return wall > FR_WALL_MOST * volume;
}

/// A whole body.
typedef struct Whole {
    double volume, outside; ///< m^3, m^2
    double tet;             ///< mean, m^3
    double layers;          ///< of tets in its wall
} Whole;

// A cell of one layer has four faces on the wall's sides and six tets, one of L layers as many
// faces and 6 L.
static Whole measure(const FrFracture *f) {
    const FrTetMesh *mesh = fr_cutmesh_view(f->cut);
    Whole whole = {.volume = fr_tetmesh_props(mesh).volume};
    int32_t tets = 0, sides = 0;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 way = f->state.wall.count ? f->state.wall.data[e] : fr_vec3_zero;
        tets += fr_dot(way, way) > 0.0;
        for (int i = 0; i < 4; i++) {
            FrVec3 face = outer_face(f, e, i);
            double area = fr_length(face);
            whole.outside += 0.5 * area;
            sides += fabs(fr_dot(face, way)) > FR_ALONG * area;
        }
    }
    whole.tet = whole.volume / mesh->tet_count;
    whole.layers = fr_max(1.0, 4.0 * tets / (6.0 * fr_max_i(sides, 1)));
    return whole;
}

// About one swing of the whole wall: of a square plate of side a and thickness h that is held at
// its edges it is a^2 / (0.9 h c) (Leissa 1969); a^2 is half of its surface A, h is 2 V / A.
static double swing(const FrFracture *f, const Whole *whole) {
    const FrMaterial *m = fr_fem_material(f->fem, 0);
    double speed = sqrt(fr_young(m->lambda, m->mu) / m->density);
    return whole->outside * whole->outside / (4.0 * whole->volume * speed);
}

static void choose(double *value, double chosen) {
    if (isnan(*value)) *value = chosen;
}

// what the settings mean for this mesh
static void apply(FrFracture *f, double tet) {
    const FrCrackDef *crack = &f->settings.def;
    f->settings.split.snap_distance = crack->remeshing.snap_distance;
    f->settings.split.together = crack->remeshing.together;
    f->settings.split.min_piece = crack->min_piece * tet;
    f->settings.rigid_piece = crack->pieces.rigid_piece * tet;
    f->settings.dust_piece = crack->pieces.dust_piece * tet;
    f->settings.settle_time = crack->settle;
}

// Brittle walls: cuts of both sides alike, and steps that do not get much shorter; no piece that
// does not go through the wall; pieces that are too small to bend as they should do not bend.
void fr_fracture_choose(FrFracture *f) {
    FrCrackDef *crack = &f->settings.def;
    Whole whole = measure(f);
    bool wall = is_wall(f);
    choose(&crack->remeshing.snap_distance, wall ? FR_WALL_SNAP : FR_SOLID_SNAP);
    choose(&crack->remeshing.together, wall ? FR_WALL_TOGETHER : 0.0);
    choose(&crack->min_piece,
           wall && !(crack->pieces.dust_piece > 0.0) ? FR_WALL_PRISM * whole.layers : 1.0);
    choose(&crack->pieces.rigid_piece,
           wall ? FR_WALL_PATCH * whole.layers : FR_SOLID_PATCH * crack->min_piece);
    choose(&crack->settle, wall ? swing(f, &whole) : 0.0);
    apply(f, whole.tet);
}
