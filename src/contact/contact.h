// contact.h: who overlaps whom, by how much and in which direction; detection only, no response.
#pragma once
#include "fracas/mesh.h"
#include "base/bytes.h"
#include "cut/cutlog.h"
#include "math/vec.h"

/// One overlap. Points with tet == -1 lie on a shape without tets: b[0..2] is the offset from its
/// centre, world axes, m (for a plane: from the world origin).
typedef struct FrContact {
    uint64_t key; ///< stable from step to step; contacts come sorted by it
    int32_t a, b; ///< items of the scene
    FrPoint pa, pb;
    FrVec3 x;           ///< centroid of the overlap, m
    FrVec3 n;           ///< unit; pushes a
    FrVec3 area_normal; ///< area-weighted normal, pushes a, m^2 (E27's conservative variant)
    double volume;      ///< m^3
    double area;        ///< of the surface in the overlap, m^2
    double below;       ///< m: how far x is inside b where that is a plane or a sphere, else 0
    double depth; ///< m: volume / |area_normal|, at most the way out: along n, of two tets along a
                  ///< normal of a face; between spheres and planes the distance to part
} FrContact;

typedef struct FrContactList {
    FrContact *contact;
    int32_t count, capacity;
} FrContactList;

/// Trees, caches and shapes of everything that can touch.
typedef struct FrContactScene FrContactScene;

typedef struct FrContactOptions {
    double horizon; ///< s over which leaf boxes are grown by velocity; 0: `steps` of the dt given
    double steps;   ///< steps to grow leaf boxes by where horizon is 0 (100)
    double skin;    ///< leaf margin as a fraction of the mean edge (0.02)
    int32_t rebuild_every; ///< detections between full rebuilds (4000)
    bool node_penetration; ///< S2's criterion: nodes inside tets instead of overlap volumes
    bool inside; ///< trees over all tets, not the surface only: finds bodies sunk deep, slower
} FrContactOptions;
FrContactOptions fr_contact_options_default(void);

FrResult fr_contact_scene_create(FrContext *ctx, const FrContactOptions *options,
                                 FrContactScene **scene);
void fr_contact_scene_destroy(FrContactScene *scene);

// items get the lowest number that is free: 0, 1, 2, ... while none is removed
/// A body of tets. The view's arrays must stay valid until the next fr_contact_set_view, which also
/// tells of changes of `rigid`: tets of one rigid piece are not tested against each other.
FrResult fr_contact_add_body(FrContactScene *scene, const FrShapeView *view, bool self_contact,
                             int32_t *item);
/// Solid on the side away from the normal: points with n.x < offset are inside.
FrResult fr_contact_add_plane(FrContactScene *scene, FrVec3 normal, double offset, int32_t *item);
FrResult fr_contact_add_sphere(FrContactScene *scene, FrVec3 centre, double radius, int32_t *item);
void fr_contact_set_view(FrContactScene *scene, int32_t item, const FrShapeView *view);
/// Some of the body's tets left though nothing was cut.
void fr_contact_thin(FrContactScene *scene, int32_t item);
/// A rigid piece of the body bends again: its tets may meet each other.
void fr_contact_loosen(FrContactScene *scene, int32_t item);
/// The body was cut: parts of it that overlap because of that do not push until they were apart
/// once. Tell it of every cut, in order, and set the new view.
FrResult fr_contact_follow(FrContactScene *scene, int32_t item, const FrCutLog *log);
void fr_contact_set_sphere(FrContactScene *scene, int32_t item, FrVec3 centre, FrVec3 velocity);
/// Items of one layer above 0 are never tested against each other; all begin in layer 0.
void fr_contact_set_layer(FrContactScene *scene, int32_t item, int32_t layer);
/// A rigid body, before the first detection. Deformable bodies meet it with all of
/// their tets, not with their surfaces alone, so that it does not fall through them.
void fr_contact_set_rigid(FrContactScene *scene, int32_t item);
/// The item is gone, with all that is remembered of it. Its number is free.
void fr_contact_remove(FrContactScene *scene, int32_t item);
/// The next item that is added gets this number, which is free (after a checkpoint).
FrResult fr_contact_number_next(FrContactScene *scene, int32_t item);
/// Never test this pair.
FrResult fr_contact_ignore(FrContactScene *scene, int32_t a, int32_t b);

/// Grown bounds of an item over `horizon` seconds; a plane's are infinite.
FrBox fr_contact_bounds(const FrContactScene *scene, int32_t item, double horizon);
/// Boxes of its tree at `depth` (0: the root), or leaves above, to be looked at: at most `room`.
/// Returns how many; 0: it has none.
int32_t fr_contact_boxes(const FrContactScene *scene, int32_t item, int32_t depth, FrBox *box,
                         int32_t room);
/// Of a body: of those of its tets whose own reach into `region`; empty: none does. `beyond`:
/// scratch (node count).
FrBox fr_contact_bounds_in(const FrContactScene *scene, int32_t item, double horizon, FrBox region,
                           uint8_t *beyond);

/// All overlaps at the present positions among `items` (ascending). `dt`: length of one step, for
/// the default horizon.
FrResult fr_contact_detect(FrContactScene *scene, const int32_t *items, int32_t item_count,
                           double dt, FrContactList *out);
void fr_contact_list_free(FrContext *ctx, FrContactList *list);

/// Cached directions: all that would change a later detection (trees and candidate lists do not:
/// what is found depends on positions only).
void fr_contact_save(const FrContactScene *scene, FrWriter *writer);
FrResult fr_contact_load(FrContactScene *scene, FrReader *reader);
/// Counters for benchmarks and reports.
typedef struct FrContactStats {
    int64_t detections, traversals, refits, rebuilds, candidates, overlaps;
    int64_t tested; ///< candidates that were clipped or found apart; others are known to be apart
} FrContactStats;
FrContactStats fr_contact_stats(const FrContactScene *scene);
