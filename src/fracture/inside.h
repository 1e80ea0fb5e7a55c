// inside.h: what a breaking body holds; only fracture/ includes it.
#pragma once
#include "fracture/fracture.h"
#include "fracture/fracture_tuning.h"
#include "fracture/queue.h"
#include "fracture/separation_criterion.h"

/// What the front of a crack got from behind in this step.
typedef struct FrResidual {
    int32_t node;
    int32_t generation; ///< splits in a row that led here
    int32_t splits;     ///< of this node or of what it was copied from
    bool passed;        ///< a crack went by: its stresses are out of date until the next step
    FrSym3 zeta;        ///< N
} FrResidual;

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

/// What it is made of, and what was asked for.
typedef struct FrFractureSettings {
    const FrCriterion *criterion; ///< what decides
    int32_t material_count;
    FrToughness *toughness; ///< (material_count)
    FrMeanCap *cap;         ///< (material_count)
    FrCrackDef def;         ///< as asked for, then with what was chosen; no `weak`, no `cut`
    FrSplitOptions split;   ///< of it
    int32_t generations;    ///< FrFractureDef.generations
    bool breaks;            ///< some material does
    bool flows;             ///< some material yields
    bool by_tau;            ///< some material has a tau
    bool directional;       ///< some material is
    bool elastic_only;      ///< FrCrackCriterion.elastic_only
    bool everywhere;        ///< scan every node
    bool patient;           ///< nodes wait
    double rise;            ///< of its limit, that a load is taken to rise by in a scan
    double rigid_piece;     ///< m^3
    double dust_piece;      ///< m^3
    double settle_time;     ///< s: FrCrackDef.settle
    double weakest;         ///< Pa: of the whole body
} FrFractureSettings;

/// What a checkpoint has; of a whole body `scan` and `wait` only.
typedef struct FrFractureState {
    FR_ARRAY(double) weak; ///< factor on strength (tet_count); empty: 1
    FR_ARRAY(FrVec3) wall; ///< FrBreakable.wall (tet_count); empty: not asked for
    double broke_at;       ///< s: when something broke last
    bool cracked_once;     ///< something did, by a load
    bool settled;          ///< nothing broke since loose pieces became rigid
    FR_ARRAY(FrRefusal) refusal;
    int32_t scan;           ///< how many there were, less whole longest waits
    FR_ARRAY(uint8_t) wait; ///< a node is scanned where 2^wait divides `scan` (node_count)
} FrFractureState;

/// What follows from the mesh at rest and its cracks (overstressed.c).
typedef struct FrFractureLimits {
    FR_ARRAY(double)
    overstress; ///< stress above which the nodes of a tet are scanned, Pa (tet_count)
    FR_ARRAY(FrElement) element; ///< at rest (tet_count)
    FR_ARRAY(uint8_t) open;      ///< bit i: face i of a tet is a side of a crack (tet_count)
    FR_ARRAY(double) area; ///< a third of the faces opposite each node, at rest, m^2 (node_count)
    FR_ARRAY(FrNodeLimit) limit;       ///< (node_count)
    uint64_t topology;                 ///< of the body when what follows was made; 0: not made
    FR_ARRAY(double) chunk_overstress; ///< smallest of a chunk's tets, Pa
    FR_ARRAY(double) overstress2;      ///< squares of `overstress` by places in the chunks, Pa^2
    FR_ARRAY(double) strength;         ///< of each tet, at fr_fem_tet_lane, Pa
    FR_ARRAY(uint8_t) behind;          ///< likewise, bit i: at corner i a tip may leave it behind
    FrCrackSides sides;
} FrFractureLimits;

/// Of one scan.
typedef struct FrFractureScan {
    double now;             ///< s
    FR_ARRAY(uint8_t) mark; ///< all 0 between calls (node_count)
    FR_ARRAY(int32_t) candidate;
    FR_ARRAY(FrNodeState) state; ///< of each candidate
    FrEvened evened;
    FR_ARRAY(double) grown; ///< det C - 1 of tets that flow, evened out (tet_count); empty: none
    FR_ARRAY(int32_t) tet;  ///< that are scanned
    FR_ARRAY(FrTetPulls) pulls;    ///< of `tet`
    FR_ARRAY(int32_t) pulls_of;    ///< entry of a tet in `pulls` + 1; 0 between scans (tet_count)
    FR_ARRAY(double) most;         ///< no value of a node is above it, N (node_count)
    FR_ARRAY(FrScreened) screened; ///< of each candidate
    bool spares;                   ///< candidates are spared tensors
    int32_t spared;                ///< how many were
    double stretch;                ///< at most
} FrFractureScan;

/// Of the cuts that follow from one scan.
typedef struct FrFractureCuts {
    FrSplitOptions split;       ///< as these cuts are made
    FR_ARRAY(uint32_t) version; ///< counts changes of the tets round a node (node_count)
    FR_ARRAY(FrResidual) residual;
    FR_ARRAY(int32_t) known;   ///< entry of a node in residual + 1; 0: none (node_count)
    FR_ARRAY(int32_t) refused; ///< entry of a node in state.refusal + 1; 0: none (node_count)
    int32_t planes;            ///< that were tried
    FrFailingQueue queue;
    FR_ARRAY(FrCrack) crack;
    FrCutLog log, one;     ///< of the whole scan, of one split
    FR_ARRAY(uint8_t) met; ///< what a disc that is cut has met (precut.c)
} FrFractureCuts;

/// Of pieces that come off.
typedef struct FrFracturePieces {
    FR_ARRAY(int32_t) tet;      ///< of one piece
    FR_ARRAY(uint8_t) listed;   ///< tets of it; all 0 between calls (tet_count)
    FR_ARRAY(FrDustPiece) dust; ///< that left at this scan
    FrCutLog precuts;           ///< of all discs that were cut from the start, until it sets off
    int32_t first_cut_off, cut_off; ///< pieces that they cut off
} FrFracturePieces;

struct FrFracture {
    FrContext *ctx;
    FrFem *fem;       ///< borrowed, as what follows
    FrCutMesh *cut;   ///< the same mesh
    FrPieces *pieces; ///< of it
    FrFractureSettings settings;
    FrFractureState state;
    struct {
        FrFractureLimits limits;
        FrFractureScan scan;
        FrFractureCuts cuts;
        FrFracturePieces piece;
    } scratch; ///< rebuilt
};

/// A node below this load waits for 2^wait scans.
static inline double fr_load_to_wait(const FrFracture *f, int wait) {
    return 1.0 - f->settings.rise * (1 << wait);
}

FrBreakable fr_fracture_body(const FrFracture *fracture);
/// How a node stands, by the body's criterion; supported ones never fail.
FrNodeState fr_fracture_judge(const FrFracture *fracture, int32_t node, FrSym3 residual);

// fracture_arrays.c
/// All arrays as long as the mesh is; children of tets that the log names (NULL: none) get what
/// their parents have where that is inherited. False: no memory.
bool fr_fracture_arrays_follow(FrFracture *fracture, const FrCutLog *log);
void fr_fracture_arrays_free(FrFracture *fracture);
/// When a checkpoint has an array.
typedef enum FrFractureSaved { FR_SAVED_CUT = 1, FR_SAVED_PATIENT = 2 } FrFractureSaved;
void fr_fracture_arrays_save(const FrFracture *fracture, FrFractureSaved saved, FrWriter *writer);
/// As long as the mesh is. FR_BAD_INPUT: a number that cannot be there.
FrResult fr_fracture_arrays_load(FrFracture *fracture, FrFractureSaved saved, FrReader *reader);

/// Make per-tet and per-node lists as long as the mesh is, and the limits of the tets that the log
/// names anew (NULL: of all). False: no memory.
bool fr_fracture_follow(FrFracture *fracture, const FrCutLog *log);
/// What was cut last (scratch.cuts.one) is taken over by the body and by all lists; nodes whose
/// tets changed are judged anew.
FrResult fr_fracture_take(FrFracture *fracture, const int32_t *touched, int32_t count);
/// The strength of the weakest tet, Pa; of a tau, and along the weakest axis, what it amounts to.
double fr_fracture_weakest(const FrFracture *fracture);
/// Limits of tets that bend again.
void fr_fracture_limit_tets(FrFracture *fracture, const int32_t *tet, int32_t count);
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
bool fr_fracture_limit_chunks(FrFracture *fracture);
/// How much larger stresses get by being scaled for direction, at most.
double fr_fracture_most_scaled(const FrToughness *toughness);
/// Forget the pulls of a scan.
void fr_fracture_forget(FrFracture *fracture);
/// Nodes that may fail by the body's criterion, ascending, into `candidate`; states of them into
/// `state`.
FrResult fr_fracture_scan(FrFracture *fracture);
/// Where a body yields, how long a node with this load waits.
uint8_t fr_fracture_wait(const FrFracture *fracture, double load);
/// Candidates that surely hold by the separation tensor go.
FrResult fr_separation_screen(FrFracture *fracture);
/// The next four of a list; its last again where there are no more. How many there were.
int fr_next_four(const int32_t *list, int32_t at, int32_t end, int32_t four[4]);
/// Is no load worth telling, since all stress is below a thousandth of what may break something?
bool fr_fracture_at_ease(FrFracture *fracture);

/// Forget the last scan.
void fr_fracture_begin(FrFracture *fracture);
/// If the node fails, and can be cut for all that is known, it is to be split in this scan.
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
/// Split what was pushed, the most overloaded first, and nodes that fail by that.
FrResult fr_fracture_break_all(FrFracture *fracture);
/// Pieces come off at time t, s; tell which.
FrResult fr_fracture_come_off(FrFracture *fracture, double t, FrBreakResult *result);
