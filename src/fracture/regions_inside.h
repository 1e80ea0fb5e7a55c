// regions_inside.h: what the files that grow regions share.
#pragma once
#include "fracture/regions.h"
#include "base/array.h"
#include "base/random.h"
#include "mesh/locate.h"

/// The distance of a node to the middle of one region; those of a node are a list.
typedef struct RegionKey {
    int32_t node, region;
    int32_t next; ///< of the same node, in Regions.keys; -1: none
    double key;   ///< weighted distance, m
} RegionKey;

/// What the front of a region reaches next; the same in K6's order: key, node, region.
typedef struct RegionStep {
    double key; ///< m
    int32_t node, region;
} RegionStep;

/// What a try changed: a node's label, or what the cracks in a tet cost.
typedef struct RegionChange {
    int32_t node, label; ///< label: before
    double key;          ///< before, m
} RegionChange;
typedef struct RegionCost {
    int32_t tet;
    double energy; ///< before, J
} RegionCost;

/// A middle from which a region grows.
typedef struct RegionSeed {
    FrVec3 x; ///< m
    FrPoint at;
    double weight; ///< k of its distances, 1
    double closer; ///< factor on how far it is from others, 1
} RegionSeed;

/// Nodes of one label that hang together.
typedef struct RegionPart {
    int32_t label;
    int32_t first, count; ///< in Regions.queue
    double key;           ///< the smallest of its nodes, m
} RegionPart;

typedef FR_ARRAY(RegionStep) RegionHeap;

/// A body while regions grow in it.
typedef struct Regions {
    FrContext *ctx;
    const FrRegionsDef *def;
    const FrTetMesh *mesh;
    double *volume;      ///< of each tet, m^3 (tet_count)
    FrSym3 *metric;      ///< G of each tet, 1 (tet_count)
    double (*length)[6]; ///< square of the length of its edges by G, m^2 (tet_count)
    int32_t *star_start; ///< (node_count + 1)
    int32_t *star;       ///< tets round each node, ascending (4 * tet_count)
    int32_t *link_start; ///< (node_count + 1)
    int32_t *link;       ///< nodes that share an edge with each node (link_start[node_count])
    int32_t *label;      ///< region of each node; -1: none yet (node_count)
    double *key;         ///< distance to its middle, m; HUGE_VAL: none yet (node_count)
    int32_t *head;       ///< first of a node's keys; -1: none (node_count)
    double *dist;        ///< of the front that runs, m, not weighted; HUGE_VAL (node_count)
    double *straight;    ///< of nodes it has reached: straight from its seed, m (node_count)
    uint8_t *outside;    ///< steps of that front outside of its region (node_count)
    uint8_t *turns;      ///< times that a node marched in that front (node_count)
    uint32_t *seen;      ///< last visit of a node (node_count)
    uint32_t *adrift;    ///< visit in which a node had no region (node_count)
    uint32_t *seen_tet;  ///< last visit of a tet (tet_count)
    double *cost;        ///< of the cracks in each tet, J (tet_count)
    uint32_t visit;
    double energy; ///< sum of cost, J
    FR_ARRAY(RegionKey) keys;
    FR_ARRAY(RegionSeed) seeds;  ///< of all regions
    FR_ARRAY(int32_t) nodes_of;  ///< nodes of each region
    FR_ARRAY(int32_t) best_part; ///< of each region, while parts are looked at
    FR_ARRAY(int32_t) touched;   ///< nodes that the front has reached
    FR_ARRAY(int32_t) queue;
    FR_ARRAY(RegionPart) parts;
    FR_ARRAY(RegionChange) changes;
    FR_ARRAY(RegionCost) costs;
    RegionHeap heap;
} Regions;

/// Key of a region at a node; HUGE_VAL: not known.
double fr_regions_key(const Regions *R, int32_t node, int32_t region);
/// Note a key. False: no memory.
bool fr_regions_note(Regions *R, int32_t node, int32_t region, double key);
/// The node goes to this region; noted so that it can be taken back. False: no memory.
bool fr_regions_give(Regions *R, int32_t node, int32_t region, double key);

// regions_metric.c
/// G of each tet and the lengths of its edges by it.
FrResult fr_regions_measure(Regions *R);

// regions_march.c
bool fr_region_heap_push(Regions *R, RegionStep step);
RegionStep fr_region_heap_pop(RegionHeap *heap);
/// Distance of corner x of a tet from those of the others (HUGE_VAL: not known), m. `length`: as
/// Regions.length.
double fr_region_update(const double length[6], int x, const double d[4]);
/// The front of region `region` runs from its seed: nodes that it reaches first become its, those
/// round it get to know its key. False: no memory.
bool fr_regions_march(Regions *R, int32_t region);

// regions_facets.c
/// A triangle of the crack between the regions of corners a and b of a tet.
typedef struct RegionFacet {
    int8_t a, b;
    FrVec3 corner[3]; ///< m
} RegionFacet;
#define FR_REGION_FACETS 12 ///< in one tet, at most
/// Cracks in one tet: labels of its corners, and where its edges 01 02 03 12 13 23 are cut, from
/// the first corner on (those with two labels). Returns how many.
int fr_region_facets(const FrVec3 x[4], const int32_t label[4], const double cut[6],
                     RegionFacet facet[FR_REGION_FACETS]);
/// How much of the tet belongs to the label of each corner, 1; of corners with one label only the
/// sum means something.
void fr_region_shares(const int32_t label[4], const double cut[6], double share[4]);
static inline double fr_region_facet_area(const RegionFacet *f) {
    return 0.5 * fr_length(fr_cross(fr_sub(f->corner[1], f->corner[0]),
                                    fr_sub(f->corner[2], f->corner[0])));
}
/// Labels of the corners of a tet, and where its edges are cut. False: one label, no cut.
bool fr_regions_cuts(const Regions *R, int32_t tet, int32_t label[4], double cut[6]);
/// Area of the cracks in a tet, m^2.
double fr_regions_area(const Regions *R, int32_t tet);

// regions_mend.c
/// What a try cut off from its region joins the neighbour with the smallest key. False: no memory.
bool fr_regions_mend(Regions *R);
/// Regions that lie wholly inside of another join it, regions smaller than wanted join the
/// neighbour that they share most area with; numbers close up. Returns in *count how many are left.
FrResult fr_regions_join(Regions *R, int32_t *count);
/// Volume below which a region joins a neighbour, m^3.
double fr_regions_smallest(const Regions *R, int32_t region);

// regions_seeds.c
/// Where seeds come from.
typedef struct RegionSource {
    FrRandom random;
    FrLocator locator; ///< of chosen seeds
    double *below;     ///< energy of all tets up to and with each, J (tet_count)
    double mean;       ///< density, J/m^3
    int32_t chosen;    ///< chosen seeds that were taken
} RegionSource;
FrResult fr_region_source_open(RegionSource *source, const Regions *R);
void fr_region_source_close(RegionSource *source, FrContext *ctx);
/// The next seed. False: no place is left that is far enough from all others.
bool fr_region_source_next(const Regions *R, RegionSource *source, RegionSeed *seed);

// regions_write.c
/// Labels of the nodes, and the keys that borders need.
FrResult fr_regions_write(const Regions *R, int32_t count, FrLabels *labels);
