// contact_scene.h: what a contact scene holds; only contact/ and its tests look inside.
#pragma once
#include "contact/contact.h"
#include "contact/contact_tuning.h"
#include "base/array.h"
#include "geom/aabb.h"
#include "clip/clip.h"

/// Sorted neighbours of nodes: the far ends of their edges.
typedef struct FrRings {
    int32_t *start; ///< (node_count + 1)
    int32_t *node;  ///< ascending for each node
} FrRings;

/// What is kept of the leaves while new ones are found (renew.c).
typedef struct FrOldLeaves {
    FR_ARRAY(int32_t) tet;
    FR_ARRAY(double) travel;
    FR_ARRAY(FrBox) box;
    FR_ARRAY(uint32_t) changed;
    FR_ARRAY(int32_t) now; ///< the leaf that each became, -1: it is gone
} FrOldLeaves;

/// A body of tets. Leaves are its surface tets (all tets when the scene is whole), ascending; the
/// tets below the surface, which planes and spheres see too, follow them in the arrays marked
/// (all).
typedef struct FrContactBody {
    FrShapeView view;
    bool self_contact;
    bool stale; ///< topology changed: leaves and tree have to be made again
    int32_t leaf_count, leaf_capacity, all_capacity;
    int32_t *leaf_tet;       ///< (all)
    int32_t (*leaf_node)[4]; ///< (all)
    int32_t *leaf_of;        ///< place of each tet in the arrays of (all)
    uint8_t *leaf_faces;     ///< bit i: the face opposite corner i lies on the surface (all)
    uint8_t *leaf_owns; ///< bit i: surface node i is tested for penetration through this leaf (all)
    uint8_t *leaf_dirty;     ///< scratch: left its box this time
    uint32_t *leaf_changed;  ///< version at which the leaf's box last changed
    uint32_t version;        ///< counts changes of boxes
    FrBox *leaf_box;         ///< grown boxes; the tree has them too
    double *leaf_travel;     ///< path of its fastest corner from detection to detection, m
    double *leaf_due;        ///< travel up to which it is in its box for certain, m
    int64_t *leaf_moved;     ///< detection that last found it elsewhere than the one before
    FR_ARRAY(double) last;   ///< nodes at the last detection, m (3 node_count)
    FR_ARRAY(double) moved2; ///< scratch: square of what each node moved since, m^2 (node_count)
    FrClipTet *frame; ///< made ready for clipping when framed == scene's detection number (all)
    int64_t *framed;  ///< (all)
    FrAabbTree tree;
    int64_t age;       ///< detections since the last build
    double edge;       ///< mean edge of the leaves at build, m
    FrRings rings;     ///< self contact only
    double *node_area; ///< third of the surface triangles round a node, m^2; node criterion only
    FrVec3 centre;     ///< of the bounds
    FR_ARRAY(uint8_t) fresh; ///< tets that were cut since the last detection
    bool any_fresh;
    FR_ARRAY(uint8_t) touched; ///< nodes whose tets were cut since the leaves were found
    bool stiffer; ///< candidates of tets that became parts of one rigid piece may be listed
    bool follows; ///< the cuts since then are known: `touched` has them all
    FrOldLeaves old;
} FrContactBody;

typedef enum FrContactKind {
    FR_ITEM_BODY,
    FR_ITEM_SPHERE,
    FR_ITEM_PLANE,
    FR_ITEM_NONE, ///< removed: the number is free
} FrContactKind;

typedef struct FrContactItem {
    FrContactKind kind;
    int32_t layer; ///< above 0: does not touch its like
    bool rigid;    ///< meets all tets of bodies that are not
    FrContactBody body;
    FrVec3 centre, velocity; ///< sphere, m, m/s
    double radius;
    FrVec3 normal; ///< plane
    double offset;
    FrBox box;        ///< grown bounds
    uint32_t version; ///< sphere: counts changes of its box
    FrVec3 last;      ///< sphere: its centre at the last detection, m
    int64_t moved;    ///< sphere: as leaf_moved
} FrContactItem;

/// Leaves of a and b (b: 0 for a shape) that may touch: (leaf a << 32 | leaf b), ascending.
typedef struct FrContactPair {
    int32_t a, b; ///< a is the body, or the sphere against a plane; a < b for equals
    uint32_t version_a, version_b;
    bool valid;
    bool active; ///< scratch: the bounds overlap this time
    bool failed; ///< memory ran out while walking
    FR_ARRAY(uint64_t) candidate;
    /// Of each candidate of two bodies: they do not overlap while the travels of the two leaves add
    /// up to less than this, m; 0: not known.
    FR_ARRAY(double) apart;
    FR_ARRAY(int8_t) parting; ///< of each: what parted them last (FrClipGap.by)
    FR_ARRAY(uint64_t) fresh; ///< scratch: found now
    FR_ARRAY(uint64_t) next;  ///< scratch: candidate, apart and parting, while they are merged
    FR_ARRAY(double) next_apart;
    FR_ARRAY(int8_t) next_parting;
    FR_ARRAY(uint8_t) beyond; ///< scratch: sides of a shape that a node lies beyond, bit each
    /// What the last detection with this pair found, in the order of candidates: where nothing
    /// moved since it is so still.
    FR_ARRAY(FrContact) kept;
    int64_t seen;   ///< the number of that detection; 0: there was none
    int32_t reused; ///< scratch: how many of `kept` are so still
} FrContactPair;

/// The direction a pair of tets was last pushed apart.
typedef struct FrContactPast {
    uint64_t key;
    int32_t a, b;
    FrVec3 n;
} FrContactPast;

/// A tet to be made ready for clipping.
typedef struct FrFraming {
    FrContactBody *body;
    int32_t leaf;
} FrFraming;

/// A candidate that has to be looked at.
typedef struct FrAwake {
    int32_t pair, candidate;
    int32_t kept; ///< it is what it was: this one of `kept`; -1: look at it
} FrAwake;

typedef struct FrIgnored {
    int32_t a, b;
} FrIgnored;

struct FrContactScene {
    FrContext *ctx;
    FrContactOptions options;
    FrContactStats stats;
    bool whole; ///< leaves are all tets: options.inside, or a body is rigid
    FR_ARRAY(FrContactItem) item;
    FR_ARRAY(FrIgnored) ignored;  ///< a < b, sorted
    FR_ARRAY(FrContactPair) pair; ///< sorted by (a, b)
    FR_ARRAY(FrContactPast) past; ///< sorted by (key, a, b)
    FR_ARRAY(FrContactPast) past_next;
    FR_ARRAY(uint64_t) barred; ///< keys of contacts of bodies with themselves, ascending (opened.c)
    FR_ARRAY(uint64_t) bar_next;
    FR_ARRAY(int32_t) by_x;        ///< scratch: items by lower x bound
    FR_ARRAY(FrIgnored) near_item; ///< scratch: pairs of items whose bounds overlap
    FR_ARRAY(int32_t) active;      ///< pairs in use this time, ascending
    FR_ARRAY(FrAwake) awake;       ///< scratch: candidates that may overlap now
    FR_ARRAY(FrFraming) framing;   ///< scratch
    FR_ARRAY(FrContact) found;     ///< scratch: slots for each chunk of candidates
    FR_ARRAY(int32_t) found_count; ///< of each chunk
    FR_ARRAY(uint8_t) in_call;     ///< items taking part
    FR_ARRAY(FrContact) sort;      ///< scratch
    double dt_growth;              ///< horizon of this call, s
    int32_t next;                  ///< number of the next item plus 1; 0: the lowest that is free
};

// touching_tets.c
/// Find the leaves of a body, and its rings when it touches itself.
FrResult fr_contact_leaves(FrContactScene *scene, FrContactBody *body);
void fr_contact_body_free(FrContext *ctx, FrContactBody *body);
/// True when the leaves are of one rigid piece.
bool fr_contact_as_one(const FrContactBody *body, int32_t leaf_a, int32_t leaf_b);
/// True when an edge of the mesh joins the leaves, or a node is shared.
bool fr_contact_neighbours(const FrContactBody *body, int32_t leaf_a, int32_t leaf_b);

// renew.c
/// New leaves for an item whose mesh was cut. Leaves away from the cuts keep boxes and candidates.
FrResult fr_contact_renew(FrContactScene *scene, int32_t item);
/// Candidates that became parts of one rigid piece are none any more.
void fr_contact_drop_rigid(FrContactScene *scene, int32_t item);

// opened.c
/// Which contacts are barred now, from those of before; before fr_contact_remember.
FrResult fr_contact_bar(FrContactScene *scene, const FrContactList *list);
/// Take them out of the list.
void fr_contact_drop_barred(FrContactScene *scene, FrContactList *list);
void fr_contact_barred_save(const FrContactScene *scene, FrWriter *writer);
FrResult fr_contact_barred_load(FrContactScene *scene, FrReader *reader);

// bounds.c
FrResult fr_contact_refresh(FrContactScene *scene, const int32_t *items, int32_t count);
FrBox fr_contact_grown_leaf(const FrContactBody *body, int32_t leaf, double horizon, double skin);

// pairs.c
FrResult fr_contact_candidates(FrContactScene *scene, const int32_t *items, int32_t count);

// narrow.c
/// Contacts of candidate k into `out` (room for 8); returns how many. Notes how far apart two
/// leaves are that do not touch.
int32_t fr_contact_narrow(const FrContactScene *scene, const FrContactPair *pair, int32_t k,
                          FrContact *out);
/// Same, by S2's criterion (nodes.c).
int32_t fr_contact_nodes(const FrContactScene *scene, const FrContactPair *pair, uint64_t candidate,
                         FrContact *out);
uint64_t fr_contact_key(int32_t a, int32_t b, int32_t part_a, int32_t part_b);
/// Total order of contacts: key first.
int fr_contact_order(const FrContact *x, const FrContact *y);

// remove.c
void fr_contact_pair_free(FrContext *ctx, FrContactPair *pair);
/// Where the next item goes.
int32_t fr_contact_free_number(const FrContactScene *scene);

// past.c
/// Last direction of this contact, NULL when there is none.
const FrVec3 *fr_contact_past(const FrContactScene *scene, const FrContact *contact);
FrResult fr_contact_remember(FrContactScene *scene, const FrContactList *list);
