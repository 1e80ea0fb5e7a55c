// fracas/frame.h: one moment of a world or of a recording, as pictures and exports see it.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/material.h"
#include "fracas/mesh.h"

FR_EXTERN_C_BEGIN

/// How the shape of a body is given.
typedef enum FrBodyKind { FR_BODY_TETS, FR_BODY_SPHERE, FR_BODY_PLANE } FrBodyKind;

/// What pictures show.
typedef enum FrShow {
    FR_SHOW_SURFACE,
    FR_SHOW_STRESS,
    FR_SHOW_TETS,
    FR_SHOW_CRACKS,     ///< faces that cracks opened, coloured by when; the rest is clear
    FR_SHOW_SEPARATION, ///< how near nodes are to breaking
    FR_SHOW_PIECES,     ///< each body, and each piece that came off, in a colour of its own
    FR_SHOW_SPEED,      ///< how fast it moves
    FR_SHOW_HEAT,       ///< how warm it is, from 20 degrees C to where it melts
    FR_SHOW_REST, ///< put together again in the shape that it had, with its mesh and its cracks
    FR_SHOW_WIRE, ///< likewise, see-through, with the edges of the faces that cracks opened
} FrShow;

/// Which mesh frames have where bodies break.
typedef enum FrTopology {
    FR_TOPOLOGY_CHANGING, ///< the mesh as it was at each frame
    FR_TOPOLOGY_FINAL,    ///< the last one, played back over all frames: nodes that were not there
                          ///< yet lie where the material was that they came from
} FrTopology;

/// Modes by which a body bends in its frame [S1 3.1]: by mode m with coordinate z, node n is
/// displaced by z times `shape`, in the axes of the mesh.
typedef struct FrModeShapes {
    int32_t mode_count, node_count; ///< of them
    const float *shape;             ///< kg^-1/2, mode after mode: x y z of each node
} FrModeShapes;

/// What does not change while the topology stays: one per body. All borrowed.
typedef struct FrBodyView {
    FrBodyId id;       ///< of planes too; recordings number bodies by index1 - 1
    FrBodyId parent;   ///< whose place and motion it went on with (FrBodyDef.parent); or null
    const char *name;  ///< as the body was made with
    const char *model; ///< "fem", "frame", ...: to be shown; the flags below say what it can do
    bool rigid;        ///< moves as a rigid frame: position and rotation say where all of it is,
                       ///< unless it deforms
    bool deforms;      ///< its nodes move against each other; if it is `rigid` too, in that frame
    bool breaks;       ///< it may break
    FrBodyKind kind;   ///< tets, sphere or plane
    const FrTetMesh *mesh;      ///< rest mesh; NULL for spheres and planes
    const FrSurface *surface;   ///< of the mesh
    const FrEmbedded *embedded; ///< drawn instead of `surface` when not NULL, with the triangles of
                                ///< `surface` that cracks opened
    const FrModeShapes *modes;  ///< by which it bends in its frame; NULL: by none
    const int32_t *piece;       ///< which piece each tet belongs to (tet_count); NULL: all 0
    FrMaterial material;        ///< of its first region
    double radius;              ///< sphere, m
    FrVec3 normal;              ///< plane: unit, out of the solid
    double offset;              ///< plane: n.x == offset, m
} FrBodyView;

/// Where one body is. All borrowed.
typedef struct FrBodyFrame {
    const double *p,
        *v; ///< node positions m, velocities m/s (3 * node_count); NULL for spheres and planes
    FrVec3
        position; ///< of frames and spheres, m: a point x of the mesh is at rotation * x + position
    FrQuat rotation;           ///< of frames and spheres, unit
    FrVec3 velocity;           ///< of the point at `position`, m/s
    FrVec3 spin;               ///< rad/s, world axes
    const double *z, *z_speed; ///< how far out each of its modes is, sqrt(kg) m, and how fast,
                               ///< sqrt(kg) m/s; NULL: it has none, or nodes alone are known
    bool alive;                ///< false before birth and after death
    const float *load;    ///< by the body's criterion what tears at a node over its limit: breaks
                          ///< above 1; -1: of a rigid piece, which bears nothing (node_count);
                          ///< NULL: not known
    const float *plastic; ///< plastic strain of each tet, Green, axes of the mesh: xx yy zz yz zx
                          ///< xy (6 * tet_count); NULL: none, or not known
    const float
        *warmth; ///< temperature of each node, degrees C (node_count); NULL: 20, or not known
} FrBodyFrame;

/// All bodies at one time.
typedef struct FrFrameView {
    int64_t tick;             ///< macro steps since the start
    double t;                 ///< s
    int32_t body_count;       ///< planes included
    const FrBodyView *body;   ///< what they are (body_count)
    const FrBodyFrame *frame; ///< where they are (body_count)
} FrFrameView;

/// Frames one after the other, from a recording or made on the fly. `get` gives frame k; the view
/// stays valid until the next call.
typedef struct FrFrameSource {
    void *user;          ///< handed to get
    int32_t frame_count; ///< k goes from 0 to frame_count - 1
    double fps;          ///< frames per second of simulated time
    FrResult (*get)(void *user, int32_t k, const FrFrameView **view); ///< as above
} FrFrameSource;

FR_EXTERN_C_END
