// chunk.h: tets in groups small enough for the first-level cache, each with its own short node
// list.
//
// Tets are sorted by material and place, cut into chunks of one material, and packed four to a
// block. A chunk adds its forces into its own rows (slots); every node then sums its slots in a
// fixed order. So the bits do not depend on who computes which chunk.
#pragma once
#include "fracas/mesh.h"
#include "fracas/material.h"
#include "base/base.h"
#include "fem/fem_tuning.h"
#include "math/lanes.h"

struct FrElement;

/// Four tets of one material. Unused lanes repeat the last tet with vol = w2 = 0.
typedef struct FrTetBlock {
    double B[3][3][FR_LANES];   ///< B[r][c]: row r (= gradient of node r+1) of Dm^-1, 1/m
    double vol[FR_LANES];       ///< m^3
    double w2[FR_LANES];        ///< bound on the squared frequency at rest, 1/s^2
    double damp[FR_LANES];      ///< factor on strain-rate damping (cut.c)
    double share[FR_LANES];     ///< factor on what the guard adds to w2 (cut.c)
    uint16_t node[FR_LANES][4]; ///< rows of the chunk
} FrTetBlock;

/// What the kernel knows of a node: rows x y z and a spare.
typedef struct FrLocalNode {
    double p[4], v[4]; ///< m, m/s
    double f[4], d[4]; ///< elastic and viscous force, N
} FrLocalNode;

/// Plastic strain of a tet, standard Green strain: xx yy zz, a spare, yz zx xy, a spare.
typedef double FrPlasticRow[8];

/// What the kernel knows of plastic strain; NULL: nothing yields.
typedef struct FrFlow {
    FrPlasticRow *row;  ///< of all tets (tet_count)
    const int32_t *tet; ///< tets of the chunk's lanes, -1: unused
    double dt;          ///< s; above 0: a step of this length ends here, let it flow first
} FrFlow;

/// Stress of four tets, elastic plus viscous (or not), where the material breaks; without a meaning
/// in unused lanes.
typedef struct FrBlockStress {
    double size2[FR_LANES];   ///< S:S, Pa^2
    double S[6][FR_LANES];    ///< second Piola-Kirchhoff, order of FrSym3, Pa
    double stretch[FR_LANES]; ///< >= |F x| / |x| for all x
    double F[9][FR_LANES];    ///< columns; also where the material yields
} FrBlockStress;

/// Which part of the stress of a chunk that yields counts for breaking (breaking_stress.c).
typedef struct FrCounting {
    double half_bulk;            ///< Pa
    const double *nodal;         ///< det C - 1 round each of its nodes; NULL: its own counts
    const FrPlasticRow *plastic; ///< of all tets
    const int32_t *tet;          ///< of its lanes, -1: unused
    double most, flowed;         ///< FrMeanCap
} FrCounting;

/// What holds tets together, 4 for each block.
typedef struct FrHolding {
    const double *strength; ///< Pa; NULL: not wanted
    const uint8_t *skip;    ///< bit i: nothing at corner i
} FrHolding;

typedef struct FrKernelMaterial {
    double half_lambda, mu;   ///< Pa
    double half_bulk;         ///< Pa, of what yields
    double phi, psi;          ///< Pa s
    double barrier;           ///< stiffness of the inversion guard, Pa
    double four_over_density; ///< m^3/kg
    double C[6][6];           ///< Pa; columns 0..2 halved (they meet doubled stretches)
    double damping;           ///< bound: viscous rate <= damping * w^2, s
    double alpha2;            ///< 1/s
    double twice_yield;       ///< of doubled elastic strain, 1
    double plastic_limit;     ///< 1
    bool anisotropic, viscous, yields;
    bool breaks;       ///< stress norms are wanted
    bool elastic_only; ///< without the viscous stress
} FrKernelMaterial;

typedef struct FrChunkSums {
    double energy;  ///< J
    double w2;      ///< largest squared frequency bound, 1/s^2
    double v2;      ///< same without what stress and guard add: bounds the viscous rate, 1/s^2
    double plastic; ///< work spent in flow by the step that ends here, J
    double stress2; ///< largest S:S of elastic plus viscous stress, Pa^2; 0: cannot break
    int32_t crushed;
} FrChunkSums;

/// `stress` (count) is written where the material breaks.
typedef void FrChunkFn(const FrTetBlock *block, int32_t count, const FrKernelMaterial *m,
                       FrLocalNode *local, const FrFlow *flow, FrBlockStress *stress,
                       FrChunkSums *out);
FrChunkFn fr_fem_chunk_portable, fr_fem_chunk_avx2;

/// What breaking wants to know of the stresses of many tets; `over`: 1 for each block.
typedef struct FrStressFns {
    /// bit k: lane k has S:S above limit2 (4 for each block, Pa^2)
    void (*overstressed)(const FrBlockStress *stress, const double *limit2, int32_t count,
                         uint8_t *over);
    /// Adds to `row` of each node of the blocks bounds on how hard each tet pulls it, N.
    void (*pull)(const FrTetBlock *block, const FrBlockStress *stress, int32_t count, double *row);
    /// Adds vol (det C - 1) and vol of the tets round each node to its row (2 each), m^3. `at`:
    /// rows of the chunk's nodes; 0: not wanted, what is added there means nothing.
    void (*grown)(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                  const uint16_t *at, double *row);
    /// Adds what tears at such nodes, and what holds them together, to rows of 20; returns the
    /// largest stretch. `counting`: NULL: all stress counts.
    double (*tear)(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                   const uint16_t *at, const FrCounting *counting, FrHolding holding, double *row);
    /// Adds what holds them together, and how hard they are pulled at most, to rows of 8.
    void (*spread)(const FrTetBlock *block, const FrBlockStress *stress, int32_t count,
                   const uint16_t *at, const double *strength, double *row);
} FrStressFns;
extern const FrStressFns fr_fem_stress_portable, fr_fem_stress_avx2;

typedef struct FrChunk {
    int32_t material;
    int32_t first_block, block_count, block_room;
    int32_t first_slot, slot_count, slot_room; ///< one slot per node of the chunk
} FrChunk;

/// Chunks, blocks and gather lists of one mesh.
typedef struct FrChunks {
    int32_t chunk_count, block_count, slot_count, node_count;
    FrChunk *chunk;      ///< (chunk_count)
    FrTetBlock *block;   ///< (block_count), 64-byte aligned, inside block_memory
    void *block_memory;  ///< what was allocated
    int32_t *slot_node;  ///< node of each slot, -1: unused (slot_count)
    int32_t *node_first; ///< first entry of each node in node_slot (node_count + 1)
    int32_t *node_slot;  ///< slots of each node, ascending (used slots)
    int32_t *lane_tet;   ///< tet of each lane, -1: unused (4 * block_count)
    int32_t *tet_lane;   ///< lane of each tet (tet_count)
    int32_t chunk_capacity, block_capacity, slot_capacity, tet_capacity;
    int32_t first_capacity, list_capacity; ///< of node_first, node_slot
} FrChunks;

/// Regions of the mesh name the material of each tet. Every tet has volume > 0 and nodes in range.
FrResult fr_chunks_create(FrContext *ctx, const FrTetMesh *mesh, const FrMaterial *material,
                          FrChunks *chunks);
void fr_chunks_free(FrContext *ctx, FrChunks *chunks);

/// Room for tets up to this number. False: no memory.
bool fr_chunks_reserve_tets(FrContext *ctx, FrChunks *chunks, int32_t tet_count);
/// Put in a tet that is new or has other nodes, into the chunk of tet `beside` if there is room;
/// its w2 stays to be set. Gather lists are out of date then. False: no memory; the chunks are only
/// good for being freed.
bool fr_chunks_put(FrContext *ctx, FrChunks *chunks, int32_t tet, int32_t beside,
                   const int32_t node[4], const struct FrElement *element);
/// Room for the gather lists of so many nodes. False: no memory.
bool fr_chunks_reserve_lists(FrContext *ctx, FrChunks *chunks, int32_t node_count);
/// Make the gather lists of these nodes anew; there is room for them.
void fr_chunks_gather(FrChunks *chunks, int32_t node_count);
/// Write the basis, the volume and the rows of a tet into its lane; its nodes have rows.
void fr_chunks_pack(FrChunks *chunks, int32_t tet, const int32_t node[4],
                    const struct FrElement *element);
/// Room in all lists for these sizes; what is there stays. False: no memory.
bool fr_chunks_reserve(FrContext *ctx, FrChunks *chunks, int32_t chunk_count, int32_t block_count,
                       int32_t slot_count);
static inline double *fr_chunks_w2(const FrChunks *chunks, int32_t tet) {
    int32_t lane = chunks->tet_lane[tet];
    return &chunks->block[lane / FR_LANES].w2[lane % FR_LANES];
}
static inline double fr_chunks_volume(const FrChunks *chunks, int32_t tet) {
    int32_t lane = chunks->tet_lane[tet];
    return chunks->block[lane / FR_LANES].vol[lane % FR_LANES];
}

/// Constants of a material as the kernel wants them.
void fr_kernel_material(const FrMaterial *material, FrKernelMaterial *out);
