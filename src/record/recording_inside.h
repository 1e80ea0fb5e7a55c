// recording_inside.h: what the files of the reader share; nobody else includes it.
#pragma once
#include "record/recording.h"
#include "record/recording_schema.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "skin/embed_cut.h"

typedef struct FrReadMesh {
    uint64_t hash;
    FrTetMesh mesh;
    FrSurface surface;
} FrReadMesh;

typedef struct FrReadSkin {
    uint64_t hash;
    int32_t tet_count; ///< checked against a mesh of this many tets
    FrEmbedded skin;
} FrReadSkin;

typedef struct FrReadBend {
    uint64_t hash;
    FrModeShapes modes;
    float *shape;
} FrReadBend;

/// One row of topo.
typedef struct FrReadTopo {
    int64_t tick;
    int32_t body, nodes; ///< nodes: of the mesh after it
} FrReadTopo;

/// A body's mesh with the cuts up to some tick.
typedef struct FrReadCut {
    FrCutMesh *cut;
    FrPieces *pieces;
    int32_t applied; ///< rows
    int32_t part;    ///< steps of the next row
    FrPoint *at;     ///< where the points of the whole skin hang; NULL: no skin
    FrSurface surface;
    FrEmbedded skin;
    struct FrCells *cells;        ///< the skin, while cuts follow faces; NULL: not yet
    bool undivided;               ///< it cannot be divided into cells
    bool dressed;                 ///< the skin is that of the mesh
    FR_ARRAY(FrNewNode) node;     ///< nodes that the cuts added
    FR_ARRAY(FrMovedNode) move;   ///< and that they moved
    FR_ARRAY(int32_t) tet_parent; ///< tets that those were part of which the cuts added
} FrReadCut;

typedef struct FrReadBody {
    int32_t parent, piece;
    int64_t born, died;
    uint64_t mesh_hash;
    double *p, *v;        ///< (3 * room); NULL until a frame has this body
    double *z;            ///< of its modes (2 * mode_count), likewise
    int32_t room;         ///< nodes
    FR_ARRAY(float) load; ///< of a frame
    FR_ARRAY(float) plastic;
    FR_ARRAY(float) warmth;
    int32_t first_topo, topo_count; ///< its rows of topo
    const FrReadMesh *mesh;         ///< before any cut; NULL: no mesh
    const FrEmbedded *skin;         ///< likewise
    FrReadCut cut;
} FrReadBody;

typedef struct FrMetaPair {
    const char *key, *value; ///< in the arena
} FrMetaPair;

struct FrRecording {
    FrContext *ctx;
    FrStore *store;
    FrRecordingInfo info;
    FrArena text; ///< names and meta
    FR_ARRAY(FrMetaPair) meta;
    FR_ARRAY(int64_t) tick;
    FR_ARRAY(double) t;
    FR_ARRAY(int64_t) burst_sample;
    FR_ARRAY(int64_t) burst_tick;
    FR_ARRAY(double) burst_t;
    // meshes and skins are kept by pointer: views hold their address
    FR_ARRAY(FrReadMesh *) mesh;
    FR_ARRAY(FrReadSkin *) skin;
    FR_ARRAY(FrReadBend *) bend;
    FR_ARRAY(FrReadTopo) topo; ///< by body, then tick
    FrTopology topology;
    bool bursts;  ///< what fr_recording_source gives
    bool bare;    ///< nobody looks at the skins of this frame
    FrCutLog log; ///< scratch
    FR_ARRAY(FrReadBody) body;
    FR_ARRAY(FrBodyView) view;
    FR_ARRAY(FrBodyFrame) frame;
    uint8_t *raw;
    size_t raw_room;
    size_t charged; ///< bytes of the file that became lasting memory
    FrFrameView current;
};

/// A moment that a body's mesh is wanted for: the end of a tick, or before it.
typedef struct FrReadMoment {
    int64_t tick;
    int32_t cuts;  ///< steps of the log of this tick that have come; -1: all
    int32_t nodes; ///< that the body has; -1: as its rows say
} FrReadMoment;

/// A query.
typedef struct FrSelect {
    const char *what; ///< for messages
    const char *sql;
    const FrCell *cell; ///< what stands for its question marks (count)
    int32_t count;
} FrSelect;
/// Run it, call `row` for each row.
typedef FrResult FrRowFn(FrRecording *recording, FrQuery *query, void *arg);
FrResult fr_recording_each(FrRecording *recording, const FrSelect *select, FrRowFn *row, void *arg);
/// Rows may share bytes of a crafted file: what is kept must not outgrow it.
FrResult fr_recording_charge(FrRecording *recording, size_t size);
FrResult fr_recording_load_bodies(FrRecording *recording);

// recording_topology.c
FrResult fr_recording_load_topo(FrRecording *recording);
/// Nodes of a body's mesh at a moment, as its state has them. FR_BAD_INPUT: more or fewer than it
/// can have.
FrResult fr_recording_nodes_at(FrRecording *recording, int32_t id, FrReadMoment at, int32_t *nodes);
/// The body's view is that of the moment (or of the last mesh).
FrResult fr_recording_follow(FrRecording *recording, int32_t id, FrReadMoment at);
/// Places and velocities of the nodes up to `all` that a frame with `nodes` nodes did not have yet.
void fr_recording_play_back(FrReadBody *body, int32_t nodes, int32_t all);
void fr_recording_uncut(FrContext *ctx, FrReadBody *body);
/// Likewise for loads of nodes and plastic strains of tets: those of what they came from.
FrResult fr_recording_play_fields(FrRecording *recording, FrReadBody *body, const FrTetMesh *mesh);
/// Everything that a body holds but its name.
void fr_recording_drop_body(FrContext *ctx, FrReadBody *body);

FrResult fr_recording_mesh(FrRecording *recording, int64_t hash, FrReadMesh **mesh);
FrResult fr_recording_skin(FrRecording *recording, int64_t hash, int32_t tet_count,
                           FrReadSkin **skin);
