// build.h: from a scene's definitions to meshes, materials and a filled world.
#pragma once
#include "fracas/world.h"
#include "geom/shape.h"
#include "mesh/stuffing.h"
#include "modal/motion.h"
#include "scene/notes.h"

/// s; no scene can be longer. Steady motions go on up to here, so that a run that is made longer
/// is the same as one done at once.
#define FR_LONGEST_RUN 3600.0

/// Quality and origin of one body's mesh, for reports.
typedef struct FrBuiltMesh {
    FrTetMesh mesh;
    FrEmbedded skin;    ///< point_count 0: none
    const char *method; ///< "structured", "stuffing", "flat", "prism", "file"
    double cells;       ///< edge that was asked for, m
    double wall;        ///< of walls that decided the cells, m; 0: none did
    FrVec3 size;        ///< of the box around what was asked for, m; 0: not read
    double volume;      ///< of the one closed surface it was made of, m^3; 0: of something else
    const FrSceneWeaken *thin_weak; ///< one whose region is thinner than the cells; NULL: none
    double left_out; ///< about so many tets, too many for what was asked: not made; 0: made
} FrBuiltMesh;

typedef struct FrBuilt {
    FrContext *ctx;
    FrBuiltMesh *mesh; ///< per body of the scene (mesh_count)
    int32_t mesh_count;
    FrWorld *world;
    FrBodyId *body;   ///< ids of the scene's bodies (mesh_count); null where there is none now
    FrBodyId *sphere; ///< ids of the scene's spheres, likewise; NULL before the world
    FrWorld *whole;   ///< all bodies at once, whenever they are born; NULL: the world has them all
    FrBodyId *whole_body; ///< ids of the scene's bodies there; NULL: as above
    double dt;            ///< stable substep of the whole, s; 0: as above
    FrProblems problems;  ///< what is wrong with the scene, with places
} FrBuilt;

/// How a scene is meshed.
typedef struct FrBuildOptions {
    double coarseness; ///< factor on the cells: 1.5 draft, 1 normal, 0.67 fine
    double most_tets;  ///< of all bodies together; what comes after is left out. 0: no limit
    bool rough;        ///< no skins, and thin parts may be lost
    bool walls;        ///< no skins; where cells are chosen, so small that walls have no holes
    bool breaks;       ///< skins so fine that cracks can cut them
    bool shatters;     ///< likewise, but with skins, and then so large that modes take seconds
} FrBuildOptions;

/// Mistakes of the scene are gathered in built->problems, and the rest is built all the same, so
/// that all are found at once; fr_build_result tells. What is returned is other failures (memory,
/// Ctrl-C).
FrResult fr_build_meshes(FrContext *ctx, const FrScene *scene, const FrBuildOptions *options,
                         FrBuilt *built);
/// `step`: the macro step, s. Bodies without a mesh are left out, those born later not there yet.
/// fr_build_start comes after it.
FrResult fr_build_world(FrBuilt *built, const FrScene *scene, double step);
/// Before each step: bodies and spheres whose time has come are made, with what holds, loads and
/// joins them; those whose time is over leave. The scene's words `born` and `dies`.
FrResult fr_build_births(FrBuilt *built, const FrScene *scene);
/// After a checkpoint was loaded: who lives, by name.
FrResult fr_build_find(FrBuilt *built, const FrScene *scene);
/// Is somebody of the scene born later than at its start?
bool fr_scene_births(const FrScene *scene);
/// The body or sphere of this name (bodies, then spheres); -1: none.
int32_t fr_scene_solid(const FrScene *scene, const char *name);
/// The id of a body's or sphere's parent by its name; null for "". FR_BAD_USE: it is not there.
FrResult fr_build_parent(const FrBuilt *built, const FrScene *scene, const char *parent,
                         FrBodyId *id);
/// Is it there, or does it have no parent (by its place among bodies, then spheres)?
bool fr_built_parent_there(const FrBuilt *built, const FrScene *scene, int32_t solid);
/// Bodies, then spheres: does it live at the world's time?
bool fr_built_lives(const FrBuilt *built, const FrScene *scene, int32_t solid);
/// The largest stable substep with all bodies that are born within the run, s.
double fr_built_dt(const FrBuilt *built);
/// The length of a substep, s: the scene's own, or what is stable.
double fr_built_substep(const FrBuilt *built, const FrScene *scene);
/// FR_OK, or FR_BAD_INPUT with all problems as the context's message.
FrResult fr_build_result(FrBuilt *built);
/// A failure that is the scene's own mistake becomes a problem at `part` (or its `owner`), and
/// FR_OK; any other is passed on. `name`: of the body or sphere, NULL: none.
FrResult fr_build_problem(FrBuilt *built, const FrScene *scene, const void *part, const void *owner,
                          const char *name, FrResult result);
void fr_built_free(FrBuilt *built); ///< fine on a zeroed one
/// What is reported before the start was reported: all bodies at once are not needed any more.
void fr_built_drop_whole(FrBuilt *built);
/// That world, or the world itself where nobody is born later.
FrWorld *fr_built_all(const FrBuilt *built);

/// Shapes live in `set`. Files are looked for in `folder`.
FrResult fr_build_shape(FrContext *ctx, FrShapeSet *set, const FrSceneShape *from,
                        const char *folder, const FrShape **shape);
/// Tets for a shape of the scene, in the way asked for. `cells` 0: chosen from the size.
FrResult fr_build_tets(FrContext *ctx, const FrSceneBody *body, const char *folder,
                       const FrBuildOptions *options, FrBuiltMesh *mesh);

/// The same tets with 10 nodes, mid-nodes on the shape of the body; nothing to do where they are.
FrResult fr_build_order2(FrContext *ctx, const FrSceneBody *body, const char *folder,
                         FrBuiltMesh *mesh);

/// The fine surface to be seen, carried by the tets; of breakable bodies, with no edge longer than
/// their cells. `away`: how far its farthest point is from them, m.
FrResult fr_build_skin(FrContext *ctx, const FrShape *shape, bool breaks, FrBuiltMesh *built,
                       double *away);

/// Uneven tets that contain all of the fine surface, which is made too: it can tear along their
/// faces and stay closed. FR_BAD_INPUT: none of this size do.
FrResult fr_build_cage(FrContext *ctx, const FrShape *shape, int32_t most, FrBuiltMesh *built);

/// How far the farthest part of the shape is from the tets, m. Of most shapes the fine surface
/// tells, which is drawn for that; of an imported one that is open its own triangles, and none is
/// drawn.
/// Parts that were dropped as specks do not count.
FrResult fr_build_away(FrContext *ctx, const FrShape *shape, const FrStuffingReport *stuffed,
                       bool breaks, FrBuiltMesh *built, double *away);

/// Say so where surfaces have UVs that the skin made from them has not.
void fr_note_uv(FrContext *ctx, const FrShape *shape, const FrBuiltMesh *built);

/// Is a point of the body (its own frame) inside the region?
typedef struct FrRegionTest {
    const FrSceneRegion *region;
    const FrShape *shape; ///< for FR_SCENE_INSIDE
} FrRegionTest;
bool fr_region_has(const FrRegionTest *test, FrVec3 x);

/// What to say of a region that has no node of the body: FR_BAD_INPUT.
FrResult fr_empty_region(FrContext *ctx, const FrTetMesh *mesh);

/// Materials of the parts of a body, after its own; its tets are told which is theirs.
FrResult fr_build_parts(FrBuilt *built, const FrScene *scene, int32_t body, FrMaterial *material);
/// What the model of a body can do: loads and cracks ask this, never which model it is.
FrModelTraits fr_body_traits(const FrSceneBody *body);
/// One that bends by modes and is fixed in parts, for good: these are held, the rest bends.
bool fr_body_bent_parts(const FrSceneBody *body);
/// A frame that is fixed, as a whole or in a part; *until: when it is let go, s; 0: never.
bool fr_body_fixed(const FrSceneBody *body, double *until);
/// The same, and it is kinematic for that: of what shatters only what is fixed is held.
bool fr_body_held_whole(const FrSceneBody *body, double *until);
/// A frame that is fixed, as a whole or in a part, and never let go: it takes part in contact only.
bool fr_body_stays(const FrSceneBody *body);
/// Is a part of it fixed for good, or gripped by a joint? `scene`: for its joints; NULL: none.
bool fr_body_clamped(const FrScene *scene, const FrSceneBody *body);
/// 1 for nodes in parts that are fixed for good or gripped, which cannot vibrate; NULL: none. What
/// is fixed as a whole is held softly, and rings as if free, as does what hangs. fr_free.
FrResult fr_held_nodes(FrContext *ctx, const FrScene *scene, const FrSceneBody *body,
                       const char *folder, const FrTetMesh *mesh, uint8_t **held);
/// Nodes of the fixed parts of one that bends by modes into its def; *list is given back with
/// fr_free.
FrResult fr_build_held_list(FrBuilt *built, const FrScene *scene, int32_t body, int32_t **list,
                            FrBodyDef *def);
/// How body k of the scene moves by modes, whichever model it names: its tets as a run has them.
/// `made_of`: what it is of, but for its parts.
FrResult fr_build_motion(FrContext *ctx, const FrScene *scene, int32_t body,
                         const FrMaterial *made_of, FrMotion **motion);
/// What holds and loads one body; -1: all bodies.
FrResult fr_build_loads(FrBuilt *built, const FrScene *scene, int32_t body);
/// Pins, hinges, cords of one solid (bodies by index, then spheres), where both ends are there; -1:
/// of all.
FrResult fr_build_joints(FrBuilt *built, const FrScene *scene, int32_t solid);
/// Is it a nail, a drag or a grab? Of which body (as above).
bool fr_scene_joint_holds(const FrSceneJoint *joint, int32_t *body);
/// One of those on a body of the world.
FrResult fr_build_hold(FrBuilt *built, const FrSceneJoint *joint, FrBodyId body);
/// A body of the scene, or a sphere (bodies by index, then spheres), into the world; alone, as it
/// is written.
FrResult fr_build_solid(FrBuilt *built, const FrScene *scene, int32_t solid);
/// The drive that makes a rigid body kinematic; NULL: none.
const FrSceneDrive *fr_body_drive(const FrScene *scene, int32_t body);
/// Its keys; what is steady begins now. The track's keys are given back with fr_free.
FrResult fr_drive_track(FrBuilt *built, const FrSceneDrive *drive, double duration, FrTrack *track);
/// Notes and warnings before the first step: models, damping, the step, what begins inside what.
FrResult fr_build_start(FrBuilt *built, const FrScene *scene);

/// Warnings of what the scene says about breaking and does nothing; part of fr_build_start.
FrResult fr_build_idle(const FrBuilt *built, const FrScene *scene);
/// Why nothing of a body can break; NULL: it can.
const char *fr_stays_whole(const FrSceneBody *body, const FrMaterial *material);
/// Warnings of numbers about breaking that are probably slips; part of fr_build_start.
FrResult fr_build_unlikely(const FrBuilt *built, const FrScene *scene);

/// Lists that a crack def borrows.
typedef struct FrCrackParts {
    double *weak;     ///< (tets)
    FrPreCut *cut;    ///< (cuts)
    double *strained; ///< plastic strain at the start (6 * tets); NULL: none
} FrCrackParts;
/// How body k of the scene breaks. Free the parts in any case.
FrResult fr_build_crack(FrBuilt *built, const FrScene *scene, int32_t k, FrCrackParts *parts,
                        FrCrackDef *def);
/// The plastic strain that it begins with, kept in `parts`. Its materials are known.
FrResult fr_build_strained(FrBuilt *built, const FrScene *scene, int32_t k, FrBodyDef *def,
                           FrCrackParts *parts);
void fr_crack_parts_free(FrContext *ctx, FrCrackParts *parts);
