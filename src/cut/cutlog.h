// cutlog.h: what a cut did to a mesh, so that trees, embedded surfaces, recordings can follow it.
#pragma once
#include "fracas/mesh.h"
#include "math/vec.h"

/// A node that was not there before: on the edge from a to b at (1 - t) a + t b, or a copy of a
/// (a == b). New node k has number first_node + k; a and b may be new nodes with lower numbers.
typedef struct FrNewNode {
    int32_t a, b;
    double t;
} FrNewNode;

/// A node that a cut moved to (1 - t) node + t to, in the rest shape as placed: onto its plane. The
/// tets round it are among the divisions of the cut, with one child where they stay whole.
typedef struct FrMovedNode {
    int32_t node, to;
    int32_t before;     ///< nodes of the mesh before the cut: its new nodes come after its moves
    int32_t group, end; ///< divisions of the log before the cut, and after it
    double t;
    FrVec3 was; ///< where it rested before, m
} FrMovedNode;

/// One child of a tet that was divided. The children of one division follow each other and share
/// `group`. A child may take over the number of its parent.
typedef struct FrSplitTet {
    int32_t group;
    int32_t parent;         ///< number of the tet before
    int32_t parent_node[4]; ///< its corners before
    int32_t child;          ///< number of this child
    int32_t node[4];        ///< its corners
} FrSplitTet;

/// A face that had a tet on both sides and is now open. Tets and nodes are named as they were when
/// it opened: later entries of the same log may divide them.
typedef struct FrOpenFace {
    int32_t plus, minus; ///< tets on either side
    /// the same three places, as each side names them; counter-clockwise from outside of `plus`
    int32_t plus_node[3], minus_node[3];
    int32_t group; ///< divisions of the log that came before it
} FrOpenFace;

/// Where the entries of one of several logs, put together, end.
typedef struct FrCutStep {
    int32_t nodes, groups, tets, faces, moves; ///< entries up to here
    double t;                                  ///< when it was cut, s; below 0: not known
} FrCutStep;

typedef struct FrCutLog {
    FrSplitTet *tets;
    FrNewNode *nodes;
    FrOpenFace *faces;
    FrMovedNode *moves;
    int32_t tet_count, node_count, face_count, move_count;
    int32_t first_node;  ///< nodes before the cuts
    int32_t first_group; ///< number of the first division: 0, apart from fr_cutlog_step's
    int32_t group_count;
    FrCutStep *steps; ///< of logs that were put together (step_count)
    int32_t step_count;
    int32_t tet_capacity, node_capacity, face_capacity, move_capacity, step_capacity;
} FrCutLog;

void fr_cutlog_init(FrCutLog *log, int32_t node_count);
void fr_cutlog_free(FrContext *ctx, FrCutLog *log);
/// Forget the entries, keep the memory.
void fr_cutlog_clear(FrCutLog *log, int32_t node_count);

/// Room for this many more entries: adding them cannot fail then. False: no memory.
bool fr_cutlog_reserve(FrContext *ctx, FrCutLog *log, int32_t tets, int32_t nodes, int32_t faces,
                       int32_t moves);
/// A node on the edge a b (a twice: a copy of it); *node: its number.
FrResult fr_cutlog_edge_node(FrContext *ctx, FrCutLog *log, int32_t a, int32_t b, double t,
                             int32_t *node);
/// A node moves, before the new nodes of its cut; `move.before` and `group` are set here.
FrResult fr_cutlog_move(FrContext *ctx, FrCutLog *log, FrMovedNode move);
/// Carry a node array (3 numbers per node) through one move.
void fr_cutlog_apply_move(const FrMovedNode *move, double *x);
/// The divisions of the cut whose moves are the last `count` have all been added.
void fr_cutlog_moves_end(FrCutLog *log, int32_t count);
/// A tet and what it becomes.
typedef struct FrChildren {
    int32_t parent;
    const int32_t *parent_node;     ///< its corners (4)
    const int32_t *child;           ///< tets (count)
    const int32_t (*child_node)[4]; ///< their corners (count)
    int32_t count;                  ///< 1: its corners were renamed, or moved
} FrChildren;
/// One tet becomes others.
FrResult fr_cutlog_split(FrContext *ctx, FrCutLog *log, const FrChildren *into);
/// `face.group` is set here.
FrResult fr_cutlog_open(FrContext *ctx, FrCutLog *log, FrOpenFace face);

/// Add what a later log of the same mesh says, which was cut at t s: `more` begins where `log`
/// ends. FR_NO_MEMORY: `log` is as before.
FrResult fr_cutlog_append(FrContext *ctx, FrCutLog *log, const FrCutLog *more, double t);
/// Logs that were put together (a log that was not: 1), and log k of them; borrowed. Names of
/// pieces depend on when pieces are distinguished: after each of these.
int32_t fr_cutlog_steps(const FrCutLog *log);
FrCutLog fr_cutlog_step(const FrCutLog *log, int32_t k);
/// Where the entries end now, and those between two such places; borrowed.
FrCutStep fr_cutlog_end(const FrCutLog *log, double t);
FrCutLog fr_cutlog_between(const FrCutLog *log, FrCutStep from, FrCutStep to);

/// Carry a node array (3 numbers per node) through moves and new nodes: positions, velocities, rest
/// positions. `x` has room for first_node + node_count nodes.
void fr_cutlog_apply_positions(const FrCutLog *log, double *x);

/// Move material points into the children that hold them. `rest`: rest positions, new nodes
/// included. FR_NO_MEMORY only.
FrResult fr_cutlog_retarget(FrContext *ctx, const FrCutLog *log, const double *rest, FrPoint *at,
                            int32_t count);
