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

/// Nodes with more tets than this round them are tried at each look.
#define FR_REFUSAL_TETS 64
/// A plane through a node that could not be cut.
typedef struct FrRefusal {
    int32_t node, count; ///< of `off`
    double *off;         ///< of the other corners of its tets from the plane, mean edges; owned
} FrRefusal;

/// Round which nodes it is known how what yields has grown.
typedef enum FrEvened { FR_EVENED_NONE, FR_EVENED_CANDIDATES, FR_EVENED_ALL } FrEvened;

/// A candidate by the force kernel's stresses.
typedef struct FrScreened {
    FrSym3 zeta; ///< separation tensor, N
    FrSym3 hold; ///< its limit along n is not below n.hold n, N; all 0: not known
    double off;  ///< that zeta may be off, N
    double load; ///< v+ over the limit, at most; not below 1: may fail
} FrScreened;

struct FrFracture {
    FrContext *ctx;
    FrFem *fem;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrToughness *toughness; ///< (material_count)
    int32_t material_count;
    FrCrackDef def;            ///< as asked for, then with what was chosen; no `weak`, no `cut`
    FrSplitOptions split;      ///< of it
    double now;                ///< s, of this look
    bool elastic_only, breaks; ///< some material breaks
    bool everywhere;           ///< look at every node
    bool directional;          ///< some material is
    double rise;               ///< of its limit, that a load is taken to rise by in a look
    bool patient;              ///< nodes wait
    int32_t look;              ///< how many there were, less whole longest waits
    FR_ARRAY(uint8_t) wait;    ///< a node is looked at where 2^wait divides `look` (node_count)
    int32_t generations;
    double rigid_piece;         ///< m^3
    double dust_piece;          ///< m^3
    double calm, broke_at;      ///< s: FrCrackDef.settle; when something broke last
    double weakest;             ///< Pa: of the whole body
    bool cracked_once;          ///< something did, by a load
    bool calmed;                ///< nothing broke since loose pieces became rigid
    FR_ARRAY(FrDustPiece) dust; ///< that left at this look
    FR_ARRAY(int32_t) loose;    ///< scratch: tets of a piece
    FR_ARRAY(double) weak;      ///< factor on strength (tet_count); empty: 1
    FR_ARRAY(FrVec3) wall;      ///< FrBreakable.wall (tet_count); empty: not asked for
    bool flows;                 ///< some material yields
    FrMeanCap *cap;             ///< (material_count)
    FrEvened evened;            ///< in this look
    FR_ARRAY(double)
    grown;                ///< det C - 1 of tets that flow, evened out (tet_count); empty: none does
    FR_ARRAY(double) hot; ///< stress at which the nodes of a tet are looked at, Pa (tet_count)
    bool by_tau;          ///< some material has a tau
    FR_ARRAY(double) area; ///< a third of the faces opposite each node, at rest, m^2 (node_count)
    FR_ARRAY(FrNodeLimit) limit;   ///< (node_count)
    FR_ARRAY(double) chunk_hot;    ///< smallest of a chunk's tets, Pa
    uint64_t hot_topology;         ///< of the body when chunk_hot, and lists by it, were made
    FR_ARRAY(int32_t) tet;         ///< scratch: tets to look at
    FR_ARRAY(double) hot2;         ///< squares of `hot` by places in the chunks, Pa^2
    FR_ARRAY(double) strength;     ///< of each tet, at fr_fem_tet_lane, Pa
    FR_ARRAY(uint8_t) behind;      ///< likewise, bit i: at corner i a tip may leave it behind
    FR_ARRAY(int32_t) pulls_of;    ///< (tet_count), all 0 between looks
    FR_ARRAY(FrElement) element;   ///< at rest (tet_count)
    FR_ARRAY(uint8_t) open;        ///< bit i: face i of a tet is a side of a crack (tet_count)
    FrCrackSides sides;            ///< as of hot_topology
    FR_ARRAY(double) most;         ///< scratch: no value of a node is above it, N (node_count)
    FR_ARRAY(FrScreened) screened; ///< scratch: of each candidate
    bool spares;                   ///< scratch: candidates of this look are spared tensors
    int32_t spared;                ///< how many were
    double stretch;                ///< scratch: of this look, at most
    FR_ARRAY(uint8_t) fresh;       ///< scratch, all 0: tets of a piece that are listed (tet_count)
    FR_ARRAY(FrTetPulls) pulls;    ///< of `tet`
    FR_ARRAY(uint8_t) mark;        ///< scratch (node_count)
    FR_ARRAY(uint8_t) met;         ///< scratch: what a disc that is cut has met (precut.c)
    FR_ARRAY(uint32_t) version;    ///< counts changes of the tets round a node (node_count)
    FR_ARRAY(int32_t) candidate;
    FR_ARRAY(FrNodeState) state; ///< of each candidate
    FR_ARRAY(FrResidual) residual;
    FR_ARRAY(int32_t) known; ///< entry of a node in residual + 1; 0: none (node_count)
    FR_ARRAY(FrRefusal) refusal;
    FR_ARRAY(int32_t) refused; ///< entry of a node in refusal + 1; 0: none (node_count)
    int32_t planes;            ///< that were tried at this look
    FrFailingQueue queue;
    FR_ARRAY(FrCrack) crack;
    FrCutLog log, one; ///< of the whole look, of one split
    FrCutLog precuts;  ///< of all discs that were cut from the start, until it sets off
    int32_t first_cut_off, cut_off; ///< pieces that they cut off
};

/// Nodes or fours of tets that one task looks at.
#define FR_LOOK_GRAIN 32
/// The longest wait, of 2^3 looks.
#define FR_MOST_WAIT 3
/// A node below this load waits for 2^wait looks.
static inline double fr_load_to_wait(const FrFracture *f, int wait) {
    return 1.0 - f->rise * (1 << wait);
}
/// Rounding of what is compared, times what it is compared with.
#define FR_LOOK_ROUNDING 1e-9

FrBreakable fr_fracture_body(const FrFracture *fracture);
/// Make per-tet and per-node lists as long as the mesh is, and the limits of the tets that the log
/// names anew (NULL: of all). False: no memory.
bool fr_fracture_follow(FrFracture *fracture, const FrCutLog *log);
/// The strength of the weakest tet, Pa; of a tau, and along the weakest axis, what it amounts to.
double fr_fracture_weakest(const FrFracture *fracture);
/// Limits of tets that bend again.
void fr_fracture_heat(FrFracture *fracture, const int32_t *tet, int32_t count);
/// All of it has a strength, no tau, and does not yield?
bool fr_fracture_is_brittle(const FrFracture *fracture);
/// Which way it is through the wall, of each tet of a whole body. False: no memory.
bool fr_fracture_find_walls(FrFracture *fracture);
/// Choose what is FR_CHOSEN, once walls are known.
void fr_fracture_choose(FrFracture *fracture);
/// How much each of these tets that yields has grown, evened out, as the body stood when `evened`
/// was NONE.
FrResult fr_fracture_even_out(FrFracture *fracture, const int32_t *tet, int32_t count);
FrResult fr_fracture_even_out_all(FrFracture *fracture);
/// Make the limits of chunks anew if the body was cut. False: no memory.
bool fr_fracture_heat_chunks(FrFracture *fracture);
/// How much larger stresses get by being scaled for direction, at most.
double fr_fracture_most_scaled(const FrToughness *toughness);
/// Forget the pulls of a look.
void fr_fracture_forget(FrFracture *fracture);
/// Nodes of tets with enough stress, ascending, into `candidate`; states of them into `state`.
FrResult fr_fracture_look(FrFracture *fracture);
/// Where a body yields, how long a node with this load waits.
uint8_t fr_fracture_wait(const FrFracture *fracture, double load);
/// Candidates that surely hold go.
FrResult fr_fracture_screen(FrFracture *fracture);
/// The next four of a list; its last again where there are no more. How many there were.
int fr_next_four(const int32_t *list, int32_t at, int32_t end, int32_t four[4]);
/// Is no load worth telling, since all stress is below a thousandth of what may break something?
bool fr_fracture_at_ease(FrFracture *fracture);

/// Forget the last look.
void fr_fracture_begin(FrFracture *fracture);
/// If the node fails, and can be cut for all that is known, it is to be split in this look.
FrResult fr_fracture_push(FrFracture *fracture, int32_t node, const FrNodeState *state);
/// Was this plane, or one close to it, tried before, and could not be cut?
bool fr_fracture_is_refused(const FrFracture *fracture, int32_t node, FrVec3 normal);
/// Remember that it could not be cut, or what a checkpoint says of it (`off` is copied). False: no
/// memory.
bool fr_fracture_note_refusal(FrFracture *fracture, FrRefusal refusal);
bool fr_fracture_refuse(FrFracture *fracture, int32_t node, FrVec3 normal);
void fr_fracture_forget_refusals(FrFracture *fracture);
/// A cut changed tets round these nodes: planes through them and through nodes beside them may be
/// cut now.
void fr_fracture_allow(FrFracture *fracture, const int32_t *touched, int32_t touched_count);
/// Split a node along a plane; the body and the lists follow. DONE or not is in `result`.
FrResult fr_fracture_split(FrFracture *fracture, int32_t node, FrVec3 normal,
                           FrSplitResult *result);
/// Split what was pushed, the most overloaded first, and what fails by that.
FrResult fr_fracture_break_all(FrFracture *fracture);
/// Pieces come off at time t, s; tell which.
FrResult fr_fracture_come_off(FrFracture *fracture, double t, FrFractureResult *result);
