// chunk.h: tets in groups small enough for the first-level cache, each with its own short node
// list.
//
// Tets are sorted by material and place, cut into chunks of one material, and packed four to a
// block. A chunk adds its forces into its own rows (slots); every node then sums its slots in a
// fixed order. So the bits do not depend on who computes which chunk.
#pragma once
#include "fracas/material.h"
#include "base/base.h"
#include "math/lanes.h"

#define FR_GUARD_J0 0.7     ///< volume ratio below which the inversion guard pushes back (kernel.h)
#define FR_CRUSHED_J 0.3    ///< volume ratio below which a tet is counted as crushed [M1, E5]
#define FR_CHUNK_BLOCKS 128 ///< at most; 512 tets
#define FR_CHUNK_NODES 320  ///< at most; 40 kB of rows

/// Four tets of one material. Unused lanes repeat the last tet with vol = w2 = 0.
typedef struct FrTetBlock {
    double B[3][3][FR_LANES];   ///< B[r][c]: row r (= gradient of node r+1) of Dm^-1, 1/m
    double vol[FR_LANES];       ///< m^3
    double w2[FR_LANES];        ///< bound on the squared frequency at rest, 1/s^2
    uint16_t node[FR_LANES][4]; ///< rows of the chunk
} FrTetBlock;

/// What the kernel knows of a node: rows x y z and a spare.
typedef struct FrLocalNode {
    double p[4], v[4]; ///< m, m/s
    double f[4], d[4]; ///< elastic and viscous force, N
} FrLocalNode;

typedef struct FrKernelMaterial {
    double half_lambda, mu;   ///< Pa
    double phi, psi;          ///< Pa s
    double barrier;           ///< stiffness of the inversion guard, Pa
    double four_over_density; ///< m^3/kg
    double C[6][6];           ///< Pa; columns 0..2 halved (they meet doubled stretches)
    double damping;           ///< bound: viscous rate <= damping * w^2, s
    double alpha2;            ///< 1/s
    bool anisotropic, viscous;
} FrKernelMaterial;

typedef struct FrChunkSums {
    double energy; ///< J
    double w2;     ///< largest squared frequency bound, 1/s^2
    double v2;     ///< same without what stress and guard add: bounds the viscous rate, 1/s^2
    int32_t crushed;
} FrChunkSums;

typedef void FrChunkFn(const FrTetBlock *block, int32_t count, const FrKernelMaterial *m,
                       FrLocalNode *local, FrChunkSums *out);
FrChunkFn fr_fem_chunk_portable, fr_fem_chunk_avx2;

typedef struct FrChunk {
    int32_t material;
    int32_t first_block, block_count;
    int32_t first_slot, slot_count; ///< one slot per node of the chunk
} FrChunk;

/// Chunks, blocks and gather lists of one mesh.
typedef struct FrChunks {
    int32_t chunk_count, block_count, slot_count, node_count;
    FrChunk *chunk;      ///< (chunk_count)
    FrTetBlock *block;   ///< (block_count), 64-byte aligned, inside block_memory
    void *block_memory;  ///< what was allocated
    int32_t *slot_node;  ///< node of each slot (slot_count)
    int32_t *node_first; ///< first entry of each node in node_slot (node_count + 1)
    int32_t *node_slot;  ///< slots of each node, ascending (slot_count)
    int32_t *lane_tet;   ///< tet of each lane, -1: unused (4 * block_count)
} FrChunks;

/// `region`: material of each tet (tet_count). Every tet has volume > 0 and nodes in range.
FrResult fr_chunks_create(FrContext *ctx, const double *x, int32_t node_count,
                          const int32_t (*tet)[4], const int32_t *region, int32_t tet_count,
                          const FrMaterial *material, FrChunks *chunks);
void fr_chunks_free(FrContext *ctx, FrChunks *chunks);

/// Constants of a material as the kernel wants them.
void fr_kernel_material(const FrMaterial *material, FrKernelMaterial *out);
