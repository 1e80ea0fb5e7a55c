// corot_body.h: what a corot body holds; only corot/corot*.c include it.
#pragma once
#include "corot/corot.h"
#include "base/array.h"
#include "math/lanes.h"

/// Four tets, one per lane; lanes without one have volume 0.
typedef struct FrCorotBlock {
    double G[4][3][FR_LANES]; ///< gradients of the shape functions at rest, 1/m
    double R[3][3][FR_LANES]; ///< rotation, [column][row]
    double Ep[6][FR_LANES];   ///< plastic strain in the axes of the mesh: xx yy zz yz zx xy
    double vol[FR_LANES], lambda[FR_LANES], mu[FR_LANES], phi[FR_LANES], psi[FR_LANES];
    double yield[FR_LANES], limit[FR_LANES], creep[FR_LANES]; ///< yield 0: it does not
    int32_t node[4][FR_LANES];                                ///< [corner][lane]
} FrCorotBlock;

/// What assembly needs of a tet, side by side.
typedef struct FrCorotTet {
    double h[4][4];              ///< R G of each corner, 1/m; the last is 0
    double lambda, mu, phi, psi; ///< times volume
} FrCorotTet;

/// Sums over tets, J.
typedef struct FrCorotSums {
    double elastic; ///< now
    double turned;  ///< lost as rotations followed the step
    double bent;    ///< 1/2 dx' K' dx of the step
    double viscous; ///< dissipated
    double plastic; ///< spent in flow
} FrCorotSums;

/// One pass over the tets, at the end of a step that moved nodes by `d`.
typedef struct FrCorotPass {
    const double *p; ///< places of nodes, m (3 * node_count)
    const double *q; ///< where the equations of the step took them; NULL: nothing was solved
    const double *d; ///< by how much
    double dt;       ///< s; 0: nothing flows, nothing is viscous
    bool linear;
    FrCorotBlock *block;
    FrCorotTet *tet;
    double *frozen; ///< of each corner: force with the rotations of before the step, N (12 a tet)
    double *force;  ///< of each corner: elastic force now, N
} FrCorotPass;

typedef void FrCorotTetsFn(const FrCorotPass *pass, int32_t begin, int32_t end, FrCorotSums *sums);
FrCorotTetsFn fr_corot_tets_portable, fr_corot_tets_avx2;

/// Which tets a node has, and where their blocks are in its row of the matrix.
typedef struct FrCorotEntry {
    int32_t corner;  ///< 4 tet + corner
    int32_t slot[4]; ///< number of the entry (node, node of corner j)
} FrCorotEntry;

typedef struct FrCorotRows {
    const FrCorotTet *tet;
    const FrCorotEntry *entry;
    const int32_t *first; ///< entries of node n: first[n] .. first[n + 1] - 1
    const double *mass;
    const double *drag; ///< mass damping, 1/s, of each node
    double dt;
    FrBlockMatrix *A;
} FrCorotRows;
typedef void FrCorotRowsFn(const FrCorotRows *rows, int32_t begin, int32_t end);
FrCorotRowsFn fr_corot_rows_portable, fr_corot_rows_avx2;

/// What a contact did last.
typedef enum FrHoldState { FR_HOLDS, FR_SLIDES, FR_OPEN } FrHoldState;

/// A contact after a step.
typedef struct FrHold {
    uint64_t key;
    FrVec3 shear; ///< m, where it holds
    double grip;  ///< kg, where it slides
    FrHoldState state;
} FrHold;

/// How warm a body is [M32].
typedef struct FrCorotHeat {
    bool feels;                  ///< some of it gets warm
    double *above;               ///< of nodes, above the air, K (node_count)
    double *soft;                ///< of tets: 0 solid, 1 molten (tet_count)
    double start, brought, lost; ///< J
    // follows from tets and what is open
    double *capacity, *cooling; ///< of nodes, J/K, W/K
    double *conducts;           ///< as the matrix has its blocks, W/K
    double *r, *z, *p, *q;      ///< scratch (node_count)
} FrCorotHeat;

/// Where a step began; `shown`: nodes are where it ends.
typedef struct FrCorotBegan {
    double *p, *v; ///< m, m/s (3 * node_count)
    bool shown;
} FrCorotBegan;

struct FrCorot {
    FrContext *ctx;
    FrCorotHeat heat;
    // settings
    int32_t node_count, tet_count, block_count;
    FrMaterial *material;
    int32_t material_count;
    int32_t (*tet)[4];
    int32_t *region;
    double *x;    ///< at rest, m
    double *mass; ///< of nodes, kg
    double *drag;
    double total; ///< kg
    bool linear, yields;
    int32_t *first;      ///< (node_count + 1)
    FrCorotEntry *entry; ///< (4 tet_count)
    FrBlockMatrix A;

    // state: what a checkpoint has
    uint64_t topology; ///< 1, and more with each cut
    FrCorotBlock *block;
    double *p, *v;
    uint8_t *held;
    double *drive;
    FrVec3 outer;          ///< impulse of gravity, loads, supports and mass damping, N s
    FrCorotEnergy spent;   ///< works and dissipations; kinetic and elastic are found
    FR_ARRAY(FrHold) hold; ///< contacts of the last step, by key

    // scratch: follows from these, or is of one step
    FrCorotTet *now;
    double *frozen, *force; ///< of corners
    double *f;              ///< elastic force of nodes, N
    double *load, *contact; ///< of the next step, N
    double *given;          ///< impulse of contact in substeps, N s
    double *q;              ///< where the equations of the step took the nodes, m
    FrCorotBegan began;     ///< the step, while where it ends is shown
    double elastic;
    FrCorotReport report;
    FrCorotSolves solves; ///< told only
    FrCgArrays cg;        ///< of the first body of a step
};

/// Masses and mass damping of nodes, from tets as they are.
FrResult fr_corot_weigh(FrCorot *body);
/// Which tets each node has, and the pattern of the matrix.
FrResult fr_corot_link(FrCorot *body);
/// Constants of a tet's material in its lane, as warm as it is.
void fr_corot_fill_lane(FrCorot *body, int32_t tet);
/// Room for heat; FR_OK at once where nothing gets warm.
FrResult fr_corot_heat_make(FrCorot *body, double temperature);
void fr_corot_heat_free(FrCorot *body);
/// Nodes came apart: copies are as warm; conduction and surfaces are found anew.
FrResult fr_corot_heat_link(FrCorot *body, const FrTetMesh *mesh, int32_t nodes_before);
/// Heat spreads for dt s, and makes soft.
void fr_corot_heat_step(FrCorot *body, double dt);
/// Is any of it not as warm as the air?
bool fr_corot_any_warm(const FrCorot *body);
/// After a checkpoint: what follows from temperatures.
void fr_corot_heat_recall(FrCorot *body);
/// Rotations, forces and what assembly needs, of where the nodes are; sums of the pass.
/// `d`: how far the step moved nodes, as its equations have it, to `q` of the body; NULL: none was.
void fr_corot_renew(FrCorot *body, const double *d, double dt, FrCorotSums *sums);
/// Add up what corners have, node by node.
void fr_corot_gather(const FrCorot *body, const double *corner, double *to);
/// A = M (1 + dt a) + dt C + dt^2 K'.
void fr_corot_assemble(FrCorot *body, double dt);
