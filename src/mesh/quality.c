// quality.c: how good the tets are, and the mass properties of a tet mesh.

#include "mesh/quality.h"
#include "mesh/topology.h"
#include "base/tasks.h"

void fr_tet_dihedrals(const FrVec3 p[4], double angle[6]) {
    FrVec3 normal[4];
    for (int i = 0; i < 4; i++) {
        const int8_t *f = fr_tet_face[i];
        normal[i] = fr_cross(fr_sub(p[f[1]], p[f[0]]), fr_sub(p[f[2]], p[f[0]]));
    }
    for (int k = 0; k < 6; k++) {
        // the faces at edge k are those opposite the ends of the edge 5 - k across
        FrVec3 a = normal[fr_tet_edge[5 - k][0]], b = normal[fr_tet_edge[5 - k][1]];
        angle[k] = atan2(fr_length(fr_cross(a, b)), -fr_dot(a, b));
    }
}

// 3 r / R with r = 3 V / A and R = sqrt((x+y+z)(x+y-z)(x-y+z)(-x+y+z)) / (24 V),
// x y z: products of opposite edge lengths
static double radius_ratio(const FrVec3 p[4], double volume) {
    double area = 0, length[6];
    for (int i = 0; i < 4; i++) {
        const int8_t *f = fr_tet_face[i];
        area += 0.5 * fr_length(fr_cross(fr_sub(p[f[1]], p[f[0]]), fr_sub(p[f[2]], p[f[0]])));
    }
    for (int k = 0; k < 6; k++) length[k] = fr_distance(p[fr_tet_edge[k][0]], p[fr_tet_edge[k][1]]);
    double x = length[0] * length[5], y = length[1] * length[4], z = length[2] * length[3];
    double product = (x + y + z) * (x + y - z) * (x - y + z) * (y + z - x);
    if (!(volume > 0) || !(product > 0)) return 0.0;
    return 3.0 * (3.0 * volume / area) * 24.0 * volume / sqrt(product);
}

static double longest_edge(const FrVec3 p[4]) {
    double longest = 0;
    for (int k = 0; k < 6; k++)
        longest = fr_max(longest, fr_distance(p[fr_tet_edge[k][0]], p[fr_tet_edge[k][1]]));
    return longest;
}

static FrMeshQuality quality_zero(void) {
    return (FrMeshQuality){.min_dihedral = 180,
                           .min_radius_ratio = HUGE_VAL,
                           .min_volume = HUGE_VAL,
                           .worst_tet = -1,
                           .first_sliver = -1};
}

static void add_tet(const FrTetMesh *mesh, int32_t e, FrMeshQuality *q) {
    FrVec3 p[4];
    double angle[6];
    for (int i = 0; i < 4; i++) p[i] = fr_get3(mesh->x, mesh->tet[e][i]);
    fr_tet_dihedrals(p, angle);
    for (int k = 0; k < 6; k++) {
        double degrees = angle[k] * (180.0 / FR_PI);
        q->min_dihedral = fr_min(q->min_dihedral, degrees);
        q->max_dihedral = fr_max(q->max_dihedral, degrees);
        q->histogram[fr_min_i((int32_t)(degrees / 10.0), FR_DIHEDRAL_BINS - 1)]++;
    }
    double volume = fr_volume6(p[0], p[1], p[2], p[3]) / 6.0;
    double ratio = radius_ratio(p, volume), longest = longest_edge(p);
    q->volume += volume;
    q->min_volume = fr_min(q->min_volume, volume);
    q->mean_radius_ratio += ratio;
    if (ratio < q->min_radius_ratio) q->min_radius_ratio = ratio, q->worst_tet = e;
    if (volume < 1e-3 * longest * longest * longest / 12.0) {
        if (q->first_sliver < 0) q->first_sliver = e;
        q->sliver_count++;
    }
}

static void add_quality(FrMeshQuality *q, const FrMeshQuality *part) {
    q->min_dihedral = fr_min(q->min_dihedral, part->min_dihedral);
    q->max_dihedral = fr_max(q->max_dihedral, part->max_dihedral);
    for (int b = 0; b < FR_DIHEDRAL_BINS; b++) q->histogram[b] += part->histogram[b];
    q->volume += part->volume;
    q->min_volume = fr_min(q->min_volume, part->min_volume);
    q->mean_radius_ratio += part->mean_radius_ratio;
    if (part->min_radius_ratio < q->min_radius_ratio) {
        q->min_radius_ratio = part->min_radius_ratio;
        q->worst_tet = part->worst_tet;
    }
    if (q->first_sliver < 0) q->first_sliver = part->first_sliver;
    q->sliver_count += part->sliver_count;
}

typedef struct QualityRun {
    const FrTetMesh *mesh;
    FrMeshQuality *part; ///< one per chunk
} QualityRun;

static void quality_range(void *arg, int32_t begin, int32_t end, int32_t chunk, int32_t worker) {
    (void)worker;
    QualityRun *run = arg;
    run->part[chunk] = quality_zero();
    for (int32_t e = begin; e < end; e++) add_tet(run->mesh, e, &run->part[chunk]);
}

static FrResult edge_lengths(FrContext *ctx, const FrTetMesh *mesh, FrMeshQuality *q) {
    FrEdges edges;
    FR_TRY(fr_tetmesh_edges(ctx, mesh, &edges));
    double sum = 0;
    q->min_edge = HUGE_VAL;
    for (int32_t k = 0; k < edges.count; k++) {
        double length =
            fr_distance(fr_get3(mesh->x, edges.node[k][0]), fr_get3(mesh->x, edges.node[k][1]));
        q->min_edge = fr_min(q->min_edge, length);
        q->max_edge = fr_max(q->max_edge, length);
        sum += length;
    }
    if (edges.count) q->mean_edge = sum / edges.count;
    fr_edges_free(ctx, &edges);
    return FR_OK;
}

#define GRAIN 1024

FrResult fr_tetmesh_quality(FrContext *ctx, const FrTetMesh *mesh, FrMeshQuality *quality) {
    int32_t chunks = fr_chunk_count(mesh->tet_count, GRAIN);
    *quality = quality_zero();
    QualityRun run = {mesh, FR_NEW(ctx, FrMeshQuality, chunks)};
    if (!run.part) return fr_no_memory(ctx, "mesh quality");
    fr_parallel_for(ctx, mesh->tet_count, GRAIN, quality_range, &run);
    for (int32_t c = 0; c < chunks; c++) add_quality(quality, &run.part[c]);
    fr_free(ctx, run.part);
    if (mesh->tet_count) quality->mean_radius_ratio /= mesh->tet_count;
    return edge_lengths(ctx, mesh, quality);
}

// integral of x x' over a tet = V/20 (sum_i x_i x_i' + s s'), s = sum_i x_i
static FrSym3 second_moment(const FrVec3 p[4], double volume) {
    FrVec3 s = fr_add(fr_add(p[0], p[1]), fr_add(p[2], p[3]));
    FrSym3 m = {s.x * s.x, s.y * s.y, s.z * s.z, s.y * s.z, s.z * s.x, s.x * s.y};
    for (int i = 0; i < 4; i++) {
        FrSym3 square = {p[i].x * p[i].x, p[i].y * p[i].y, p[i].z * p[i].z,
                         p[i].y * p[i].z, p[i].z * p[i].x, p[i].x * p[i].y};
        m = fr_sym3_axpy(1.0, square, m);
    }
    return fr_sym3_axpy(volume / 20.0, m, fr_sym3_zero);
}

FrSolidProps fr_tetmesh_props(const FrTetMesh *mesh) {
    FrSolidProps props = {0};
    FrVec3 first = fr_vec3_zero;
    // about a node of the mesh, so that a body far from the origin loses no digits
    FrVec3 origin = mesh->node_count ? fr_get3(mesh->x, 0) : fr_vec3_zero;
    FrSym3 m = fr_sym3_zero;
    for (int32_t e = 0; e < mesh->tet_count; e++) {
        FrVec3 p[4], sum = fr_vec3_zero;
        for (int i = 0; i < 4; i++) {
            p[i] = fr_sub(fr_get3(mesh->x, mesh->tet[e][i]), origin);
            sum = fr_add(sum, p[i]);
        }
        double volume = fr_volume6(p[0], p[1], p[2], p[3]) / 6.0;
        props.volume += volume;
        first = fr_axpy(0.25 * volume, sum, first);
        m = fr_sym3_axpy(1.0, second_moment(p, volume), m);
    }
    if (props.volume == 0.0) return props;
    FrVec3 c = fr_scale(1.0 / props.volume, first);
    FrSym3 shift = {c.x * c.x, c.y * c.y, c.z * c.z, c.y * c.z, c.z * c.x, c.x * c.y};
    m = fr_sym3_axpy(-props.volume, shift, m);
    props.centre = fr_add(origin, c);
    props.inertia = (FrSym3){m.yy + m.zz, m.zz + m.xx, m.xx + m.yy, -m.yz, -m.zx, -m.xy};
    return props;
}

double fr_tetmesh_mean_edge(const FrTetMesh *mesh) {
    double sum = 0.0;
    for (int32_t e = 0; e < mesh->tet_count; e++)
        for (int k = 0; k < 6; k++)
            sum += fr_length(fr_sub(fr_get3(mesh->x, mesh->tet[e][fr_tet_edge[k][0]]),
                                    fr_get3(mesh->x, mesh->tet[e][fr_tet_edge[k][1]])));
    return sum / (6.0 * mesh->tet_count);
}
