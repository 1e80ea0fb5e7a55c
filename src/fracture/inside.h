// inside.h: what a breaking body holds; only fracture/ looks inside.
#pragma once
#include "fracture/fracture.h"
#include "fracture/queue.h"

/// What the front of a crack got from behind in this step.
typedef struct FrResidual {
    int32_t node;
    int32_t generation; ///< splits in a row that led here
    int32_t splits;     ///< of this node or of what it was copied from
    bool passed;        ///< a crack went by: its stresses are out of date until the next step
    FrSym3 zeta;        ///< N
} FrResidual;

/// What is known of a tet at rest.
typedef struct FrTetLever {
    double area[4]; ///< of each corner: a third of the face opposite it, m^2: vol |G|
    double flowing; ///< its volume if it yields, m^3; 0: it does not
} FrTetLever;

struct FrFracture {
    FrContext *ctx;
    FrFem *fem;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrToughness *toughness; ///< (material_count)
    int32_t material_count;
    FrSplitOptions split;
    double now;                ///< s, of this look
    bool elastic_only, breaks; ///< some material breaks
    bool everywhere;           ///< look at every node
    int32_t generations;
    double rigid_piece;         ///< m^3
    double dust_piece;          ///< m^3
    double calm, broke_at;      ///< s: FrFractureDef.calm; when something broke last
    bool calmed;                ///< nothing broke since loose pieces became rigid
    FR_ARRAY(FrDustPiece) dust; ///< that left at this look
    FR_ARRAY(int32_t) loose;    ///< scratch: tets of a piece
    FR_ARRAY(double) weak;      ///< factor on strength (tet_count); empty: 1
    bool flows;                 ///< some material yields
    FR_ARRAY(FrSym3) strain;    ///< scratch: Green strain of each tet, where some yield (tet_count)
    FR_ARRAY(double) own;       ///< scratch: det C - 1 of each tet that yields (tet_count)
    FR_ARRAY(double) nodal;     ///< scratch: its mean round each node (node_count)
    FR_ARRAY(double) grown; ///< and the mean over the nodes of a tet (tet_count); empty: none flows
    FR_ARRAY(double) hot;   ///< stress at which the nodes of a tet are looked at, Pa (tet_count)
    uint64_t limit_topology; ///< of the body when `limit` was begun
    int32_t looked_at;       ///< nodes, one by one, since stresses were marked
    int32_t uses;            ///< looks since then that compared with them
    int32_t wait, next_wait; ///< looks until the next mark; and after one that was of little use
    bool only_tau;           ///< all materials have a tau
    bool by_tau;             ///< some material has a tau
    bool by_round;           ///< some material has a tau or tips: limits hang on the two below
    FR_ARRAY(double) area;   ///< a third of the faces opposite each node, at rest, m^2 (node_count)
    FR_ARRAY(uint8_t) cracked;  ///< an open face of a crack ends at the node (node_count)
    FR_ARRAY(double) chunk_hot; ///< smallest of a chunk's tets, Pa
    uint64_t hot_topology;      ///< of the body when chunk_hot was made
    FR_ARRAY(int32_t) tet;      ///< scratch: tets to look at
    FR_ARRAY(uint8_t) tet_hot;  ///< scratch: of each of them
    FR_ARRAY(int32_t) pulls_of; ///< (tet_count), all 0 between looks
    FR_ARRAY(double) most;      ///< scratch: no value of a node is above it, N (node_count)
    FR_ARRAY(FrTetLever) lever; ///< (tet_count)
    FR_ARRAY(double) limit;     ///< no limit of a candidate is below it, N (node_count)
    FR_ARRAY(double) room;      ///< fr_node_room when stresses were marked, N (node_count)
    FR_ARRAY(double) change;    ///< scratch: of `tet`
    FR_ARRAY(FrSym3) counted;   ///< what flows: stress that counted at the mark, Pa (tet_count)
    FR_ARRAY(FrTetPulls) pulls; ///< of `tet`
    FR_ARRAY(uint8_t) mark;     ///< scratch (node_count)
    FR_ARRAY(uint32_t) version; ///< counts changes of the tets round a node (node_count)
    FR_ARRAY(int32_t) candidate;
    FR_ARRAY(FrNodeState) state; ///< of each candidate
    FR_ARRAY(FrResidual) residual;
    FR_ARRAY(int32_t) known; ///< entry of a node in residual + 1; 0: none (node_count)
    FrFailingQueue queue;
    FR_ARRAY(FrCrack) crack;
    FrCutLog log, one; ///< of the whole look, of one split
};

FrBreakable fr_fracture_body(const FrFracture *fracture);
/// Make per-tet and per-node lists as long as the mesh is, and the limits of the tets that the log
/// names anew (NULL: of all). False: no memory.
bool fr_fracture_follow(FrFracture *fracture, const FrCutLog *log);
/// How much each tet that yields has grown, evened out, as the body stands now.
FrResult fr_fracture_even_out(FrFracture *fracture);
/// Does the tet yield, in a way that keeps its volume?
bool fr_fracture_flows(const FrFracture *fracture, int32_t tet);
/// Forget the pulls of a look.
void fr_fracture_forget(FrFracture *fracture);
/// Nodes of tets with enough stress, ascending, into `candidate`; states of them into `state`.
FrResult fr_fracture_look(FrFracture *fracture);
/// Is no load worth telling, since all stress is below a thousandth of what may break something?
bool fr_fracture_at_ease(FrFracture *fracture);
