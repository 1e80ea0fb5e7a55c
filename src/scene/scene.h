// scene.h: a scene as plain definitions, and the calls that make it from Lua or JSON.
// All lengths m, masses kg, times s, angles rad (scenes write degrees). NaN: not given.
// Everything belongs to the scene and lives until fr_scene_free.
#pragma once
#include "base/bytes.h"
#include "fracas/base.h"
#include "fracas/world.h"

typedef struct FrSceneVec2 {
    double x, y;
} FrSceneVec2;

// shapes: solids about the origin, z is the axis of what is round

typedef enum FrSceneShapeKind {
    FR_SCENE_BOX,
    FR_SCENE_BALL,
    FR_SCENE_ELLIPSOID,
    FR_SCENE_CYLINDER,
    FR_SCENE_TUBE,
    FR_SCENE_CONE,
    FR_SCENE_TORUS,
    FR_SCENE_LATHE,
    FR_SCENE_EXTRUDE,
    FR_SCENE_TEXT,
    FR_SCENE_UNION,
    FR_SCENE_INTERSECTION,
    FR_SCENE_DIFFERENCE,
    FR_SCENE_SHELL,
    FR_SCENE_MOVE,
    FR_SCENE_TURN,
    FR_SCENE_SCALE,
    FR_SCENE_SURFACE,
    FR_SCENE_MESH,
} FrSceneShapeKind;

typedef struct FrSceneBox {
    FrVec3 size;  ///< full edge lengths, m
    double round; ///< radius of the edges, m
} FrSceneBox;

typedef struct FrSceneBall {
    double radius; ///< m
} FrSceneBall;

typedef struct FrSceneEllipsoid {
    FrVec3 radii; ///< half axes, m
} FrSceneEllipsoid;

typedef struct FrSceneCylinder {
    double radius, height, round; ///< m
} FrSceneCylinder;

typedef struct FrSceneTube {
    double radius, wall, height; ///< outer radius, wall thickness, m
} FrSceneTube;

typedef struct FrSceneCone {
    double radius, top, height; ///< radius at the bottom, at the top, m
} FrSceneCone;

typedef struct FrSceneTorus {
    double radius, thickness; ///< of the ring's middle line, of its section (a radius), m
} FrSceneTorus;

typedef struct FrSceneLathe {
    FrSceneVec2 *profile;  ///< (radius, z), m
    int32_t profile_count; ///<
    double wall;           ///< m; 0: the profile is closed with the axis into a solid
} FrSceneLathe;

typedef struct FrSceneHole {
    FrSceneVec2 *outline; ///< (x, y), m
    int32_t outline_count;
} FrSceneHole;

typedef struct FrSceneExtrude {
    FrSceneVec2 *outline; ///< (x, y), m
    int32_t outline_count;
    FrSceneHole *holes;
    int32_t holes_count;
    double height; ///< along z, centred, m
} FrSceneExtrude;

typedef struct FrSceneText {
    const char *text;    ///< letters, digits, spaces
    double size, height; ///< of a capital; along z, m. Text lies in the xy plane, centred
    double round;        ///< radius of the edges between faces and sides, m
} FrSceneText;

typedef struct FrSceneShape FrSceneShape;

typedef struct FrSceneGroup { ///< union, intersection, difference (first less the others)
    FrSceneShape *parts;
    int32_t parts_count;
    double round; ///< blending radius, m
} FrSceneGroup;

typedef struct FrSceneShell {
    FrSceneShape *shape;
    double thickness; ///< of the wall, inwards, m
} FrSceneShell;

typedef struct FrSceneMove {
    FrSceneShape *shape;
    FrVec3 by; ///< m
} FrSceneMove;

typedef struct FrSceneTurn {
    FrSceneShape *shape;
    FrVec3 by; ///< rad: about x, then y, then z (fixed axes)
} FrSceneTurn;

typedef struct FrSceneScale {
    FrSceneShape *shape;
    double by;
} FrSceneScale;

typedef enum FrSceneUp { FR_SCENE_UP_Z, FR_SCENE_UP_Y } FrSceneUp;

typedef struct FrSceneFile { ///< surface, mesh
    const char *file;        ///< relative to the scene's folder
    double unit;             ///< metres per unit of the file
    FrSceneUp up;            ///< which axis of the file points up
} FrSceneFile;

struct FrSceneShape {
    FrSceneShapeKind kind;
    union {
        void *data;
        const FrSceneBox *box;
        const FrSceneBall *ball;
        const FrSceneEllipsoid *ellipsoid;
        const FrSceneCylinder *cylinder;
        const FrSceneTube *tube;
        const FrSceneCone *cone;
        const FrSceneTorus *torus;
        const FrSceneLathe *lathe;
        const FrSceneExtrude *extrude;
        const FrSceneText *text;
        const FrSceneGroup *group; ///< union, intersection, difference
        const FrSceneShell *shell;
        const FrSceneMove *move;
        const FrSceneTurn *turn;
        const FrSceneScale *scale;
        const FrSceneFile *file; ///< surface, mesh
    };
};

// regions: parts of a body, in the body's own frame (as its shape is written, before at and turn)

typedef enum FrSceneRegionKind {
    FR_SCENE_ALL,
    FR_SCENE_BELOW,
    FR_SCENE_ABOVE,
    FR_SCENE_SIDE,
    FR_SCENE_NEAR,
    FR_SCENE_INSIDE,
} FrSceneRegionKind;

typedef struct FrSceneLimits { ///< below, above: every coordinate that is given; NaN: not given
    double x, y, z;            ///< m
} FrSceneLimits;

typedef struct FrSceneSide { ///< (x - point) . normal >= 0
    FrVec3 point, normal;    ///< m; unit
} FrSceneSide;

typedef struct FrSceneNear {
    FrVec3 at;     ///< m
    double radius; ///< m
} FrSceneNear;

typedef struct FrSceneInside {
    FrSceneShape *shape;
    double margin; ///< m added around the shape
} FrSceneInside;

typedef struct FrSceneRegion {
    FrSceneRegionKind kind;
    union {
        void *data;
        const FrSceneLimits *limits; ///< below, above
        const FrSceneSide *side;
        const FrSceneNear *near;
        const FrSceneInside *inside;
    };
} FrSceneRegion;

// keyframes: linear between keys, constant before the first and after the last; times ascend

typedef struct FrSceneKey {
    double t, value; ///< s
} FrSceneKey;

typedef struct FrSceneKey3 {
    double t; ///< s
    FrVec3 value;
} FrSceneKey3;

typedef struct FrScenePose {
    double t;    ///< s
    FrVec3 move; ///< m, from where it was at the start
    FrVec3 turn; ///< rad, about x, then y, then z (fixed axes)
} FrScenePose;

// what a scene is made of

/// A material of its own: `base` of the library (or an earlier material of the scene), changed.
/// Numbers that are NaN keep the base's value.
typedef struct FrSceneMaterial {
    const char *name, *base; ///< base "": none, density and elasticity are given
    double density;          ///< kg/m^3
    double young, poisson;   ///< Pa, 1; both or none
    double lambda, mu;       ///< Pa; both or none
    double *stiffness;       ///< 6x6 rows, Pa, order xx yy zz yz zx xy, engineering shears
    int32_t stiffness_count; ///< 0 or 36
    double alpha1, alpha2;   ///< s, 1/s
    double phi, psi;         ///< Pa s
    double eta;              ///< 1
    double friction_static, friction_dynamic, restitution;
    double strength; ///< Pa
    double Gc;       ///< J/m^2
    double tau;      ///< N
    double yield_strain, plastic_limit, crack_alpha;
    double creep;                                ///< 1/s
    double conductivity, heat_capacity, cooling; ///< W/m/K, J/kg/K, W/m^2/K
    double softens, melts;                       ///< degrees C
    FrVec3 colour;                               ///< linear RGB, 0..1
    double roughness, metallic, opacity;
    FrVec3 inside; ///< linear RGB, 0..1; NaN: of the base, or a lighter tone of `colour`
} FrSceneMaterial;

typedef struct FrSceneGround {
    double height; ///< along the normal, m
    FrVec3 normal; ///< unit; what lies behind it is solid
    const char *material;
    FrVec3 colour; ///< linear RGB; NaN: of the material
} FrSceneGround;

/// Part of a body that stays where it is.
typedef struct FrSceneFix {
    FrSceneRegion where;
    double release; ///< s; NaN: never
} FrSceneFix;

/// A part of a body that is weaker or stronger than the rest.
typedef struct FrSceneWeaken {
    FrSceneRegion where;
    FrSceneVec2 by; ///< factor on the strength: least and largest
    double size;    ///< of the patches of noise between them, m; 0: no noise, the least everywhere
} FrSceneWeaken;

/// A crack that is there from the start.
typedef struct FrSceneCut {
    FrVec3 at;     ///< m, own frame
    FrVec3 normal; ///< unit, own frame
    double radius; ///< m
} FrSceneCut;

typedef enum FrSceneMesher {
    FR_SCENE_MESHER_AUTO,
    FR_SCENE_MESHER_STRUCTURED,
    FR_SCENE_MESHER_SCATTERED,
    FR_SCENE_MESHER_STUFFING,
    FR_SCENE_MESHER_CAGE
} FrSceneMesher;
typedef enum FrSceneSkin {
    FR_SCENE_SKIN_AUTO,
    FR_SCENE_SKIN_NONE,
    FR_SCENE_SKIN_SHAPE
} FrSceneSkin;

/// Most parts of a body.
#define FR_SCENE_PARTS 30

/// A part of a body of another material.
typedef struct FrScenePart {
    FrSceneRegion where; ///< in the body's own frame
    const char *material;
    FrVec3 strain; ///< plastic strain that it begins with, along x, y and z of the body's frame
    double bond;   ///< factor on the strength where it meets other parts, 0 to 1
} FrScenePart;

typedef struct FrSceneBody {
    const char *name;     ///< unique among bodies and spheres
    const char *material; ///< of the scene or of the library
    FrVec3 grain;         ///< unit, own frame: where the material's x axis points; NaN: along x
    FrModel model;        ///< as it is written
    FrModel chosen;       ///< what that comes to (fr_scene_model)
    int64_t modes;        ///< of the model modal; -1: those that can be seen
    FrSceneShape shape;
    double cells; ///< wanted edge length, m; 0: chosen
    FrSceneMesher mesher;
    bool graded;     ///< larger tets inside
    bool coarse;     ///< given cells stay, though thin parts are lost
    FrVec3 at;       ///< m, where the origin of the shape goes
    FrVec3 turn;     ///< rad, about x, then y, then z (fixed axes), before at
    FrVec3 velocity; ///< m/s
    FrVec3 spin;     ///< rad/s, world axes, about the centre of mass
    FrSceneFix *fixed;
    int32_t fixed_count;
    FrScenePart *parts; ///< the last that has a tet's middle says what it is made of
    int32_t parts_count;
    FrCrackDef crack; ///< without weak and cut: they follow from `weaken` and `cuts`
    FrSceneWeaken *weaken;
    int32_t weaken_count;
    FrSceneCut *cuts;
    int32_t cuts_count;
    FrVec3 *seeds; ///< places that get pieces of their own, own frame, m
    int32_t seeds_count;
    bool linear;        ///< of model corot: tets do not turn
    bool turning;       ///< of model modal: its spin acts on its modes
    double temperature; ///< of model corot, at the start, degrees C
    bool self_contact;
    FrSceneSkin skin;   ///< which surface is drawn: of the tets, or a finer one carried by them
    FrVec3 colour;      ///< linear RGB; NaN: of the material
    double born;        ///< s; 0: there from the start
    double dies;        ///< s; NaN: never
    const char *parent; ///< body or sphere that it goes on with; "": none
} FrSceneBody;

typedef struct FrSceneSphere {
    const char *name;
    double radius; ///< m
    double mass;   ///< kg; 0: from the material
    const char *material;
    FrVec3 at, velocity; ///< m, m/s
    FrVec3 spin;         ///< rad/s
    bool kinematic;      ///< nothing moves it but its path or its velocity; true where a path is
    FrSceneKey3 *path;   ///< where it is when, m
    int32_t path_count;
    FrVec3 colour;      ///< linear RGB; NaN: of the material
    double born;        ///< s; 0: there from the start
    double dies;        ///< s; NaN: never
    const char *parent; ///< as of a body
} FrSceneSphere;

typedef enum FrSceneJointKind {
    FR_SCENE_PIN,
    FR_SCENE_HINGE,
    FR_SCENE_CORD,
    FR_SCENE_NAIL,
    FR_SCENE_DRAG,
    FR_SCENE_GRAB
} FrSceneJointKind;

/// A point of one solid that stays at a point of another. Solids: bodies by index, then spheres;
/// -1: the world.
typedef struct FrScenePin {
    int32_t body, to;
    FrVec3 at;   ///< m, world, at the start
    double grip; ///< m around it: what is nearer cannot vibrate; 0: all rings as if free
} FrScenePin;

/// A pin about which nothing turns but the axis.
typedef struct FrSceneHinge {
    int32_t body, to;
    FrVec3 at;   ///< m, world, at the start
    FrVec3 axis; ///< unit, world, at the start
    double grip; ///< m around the axis, as for a pin
} FrSceneHinge;

/// A string: its ends are never farther apart than its length.
typedef struct FrSceneCord {
    int32_t body, to;
    FrVec3 from, till; ///< its end on `body` and on `to`, m, world, at the start
    double length;     ///< m; 0: the distance at the start
} FrSceneCord;

/// A point of a body that stays where it is in the world.
typedef struct FrSceneNail {
    int32_t body;
    FrVec3 at;      ///< m, world, at the start
    double release; ///< s; NaN: never
} FrSceneNail;

/// What a drag asks of its point; in the order of FrPullKind, less the spring.
typedef enum FrSceneDragKind {
    FR_SCENE_DRAG_PLACE,
    FR_SCENE_DRAG_VELOCITY,
    FR_SCENE_DRAG_ACCELERATION
} FrSceneDragKind;

/// A place at which the forces of a drag act.
typedef struct FrSceneSpot {
    FrVec3 at; ///< m, world, at the start
} FrSceneSpot;

/// A point of a body that goes where it is told.
typedef struct FrSceneDrag {
    int32_t body;
    FrVec3 at;         ///< m, world, at the start
    FrSceneKey3 *path; ///< where it is when, m
    int32_t path_count;
    FrVec3 velocity, acceleration; ///< m/s, m/s^2; NaN: not asked for
    FrSceneSpot *by;
    int32_t by_count;
    double release; ///< s; NaN: never
} FrSceneDrag;

/// A damped spring from a point of a body to a place that may move.
typedef struct FrSceneGrab {
    int32_t body;
    FrVec3 at;         ///< m, world, at the start
    FrSceneKey3 *path; ///< of its other end, m
    int32_t path_count;
    double stiffness, damping; ///< N/m, N s/m
    double most;               ///< N; NaN: as hard as it takes
    double release;            ///< s; NaN: never
} FrSceneGrab;

typedef struct FrSceneJoint {
    FrSceneJointKind kind;
    union {
        void *data;
        const FrScenePin *pin;
        const FrSceneHinge *hinge;
        const FrSceneCord *cord;
        const FrSceneNail *nail;
        const FrSceneDrag *drag;
        const FrSceneGrab *grab;
    };
} FrSceneJoint;

typedef enum FrSceneLoadKind {
    FR_SCENE_FORCE,
    FR_SCENE_PRESSURE,
    FR_SCENE_BLAST,
    FR_SCENE_DRIVE,
    FR_SCENE_HEAT
} FrSceneLoadKind;

/// A force in world axes, shared by the region's mass.
typedef struct FrSceneForce {
    int32_t body; ///< index
    FrSceneRegion where;
    FrSceneKey3 *value; ///< N, whole region together
    int32_t value_count;
} FrSceneForce;

/// Pressure on the outside, against the outward normal.
typedef struct FrScenePressure {
    int32_t body;
    FrSceneRegion where;
    FrSceneKey *value; ///< Pa
    int32_t value_count;
} FrScenePressure;

/// Heat into a part of a body.
typedef struct FrSceneHeat {
    int32_t body; ///< index
    FrSceneRegion where;
    FrSceneKey *power; ///< W, whole region together
    int32_t power_count;
} FrSceneHeat;

/// A wave from a point: arrives at start + distance / speed with `peak`, then decays as
/// exp(-t/decay).
typedef struct FrSceneBlast {
    int32_t body;     ///< -1: every body
    FrVec3 origin;    ///< m, world
    double start;     ///< s
    double peak;      ///< overpressure, Pa
    double speed;     ///< m/s
    double decay;     ///< s
    double reference; ///< distance at which the peak holds, falling as 1/r; 0: same everywhere, m
} FrSceneBlast;

/// Nodes that move as given: path (keyframes), or constant velocity and spin where there is none.
typedef struct FrSceneDrive {
    int32_t body;
    FrSceneRegion where;
    FrScenePose *path;
    int32_t path_count;
    FrVec3 velocity; ///< m/s
    FrVec3 spin;     ///< rad/s
    FrVec3 about;    ///< point the turning goes about, m, world
    double release;  ///< s; NaN: never
} FrSceneDrive;

typedef struct FrSceneLoad {
    FrSceneLoadKind kind;
    union {
        void *data;
        const FrSceneForce *force;
        const FrScenePressure *pressure;
        const FrSceneBlast *blast;
        const FrSceneDrive *drive;
        const FrSceneHeat *heat;
    };
} FrSceneLoad;

typedef enum FrSceneMethod { FR_SCENE_SYMPLECTIC, FR_SCENE_EULER, FR_SCENE_TAYLOR } FrSceneMethod;

typedef struct FrSceneStep {
    double dt;     ///< s; 0: from the stability bound
    double safety; ///< largest part of the stable step
    FrSceneMethod method;
    bool adaptive;        ///< watch the energy, restore and halve
    double tolerance;     ///< of that watch, relative
    double damping_limit; ///< largest loss factor at the finest tets
    int64_t rigid_steps;  ///< of rigid frames within a macro step
    double sleep;         ///< s of stillness after which rigid frames rest; 0: never
} FrSceneStep;

typedef enum FrSceneCriterion { FR_SCENE_OVERLAP, FR_SCENE_NODE } FrSceneCriterion;

typedef struct FrSceneContact {
    double stiffness, damping; ///< factors on the defaults
    FrSceneCriterion criterion;
    bool conservative;  ///< forces from the gradient of the overlap volume
    double stick_speed; ///< m/s
    double rolling;     ///< m
} FrSceneContact;

typedef struct FrSceneSettings {
    const char *name;
    double duration; ///< s
    double fps;      ///< recorded frames per second
    int64_t seed;
    FrVec3 gravity; ///< m/s^2
    double detail;  ///< 2: cells half as large
    FrSceneStep step;
    FrSceneContact contact;
} FrSceneSettings;

typedef struct FrSceneCamera {
    FrVec3 position, target; ///< m; NaN: chosen
    double fov;              ///< rad, vertical; NaN: chosen
} FrSceneCamera;

typedef enum FrSceneSlowAt {
    FR_SCENE_SLOW_IMPACT,
    FR_SCENE_SLOW_CRACK,
    FR_SCENE_SLOW_TIME
} FrSceneSlowAt;

typedef struct FrSceneSlow {
    FrSceneSlowAt at;
    double time;   ///< s, where at is "time"
    double factor; ///< how many times slower
    double lasts;  ///< s of film
} FrSceneSlow;

/// Frames in quick succession around breaks.
typedef struct FrSceneBurst {
    double rate;           ///< frames per second
    double length, before; ///< s after the first crack, and before it
    int64_t most;          ///< bursts
    double slow;           ///< how many times slower the film shows them; 0: not
} FrSceneBurst;

typedef enum FrSceneShow {
    FR_SCENE_SHOW_SURFACE,
    FR_SCENE_SHOW_STRESS,
    FR_SCENE_SHOW_TETS,
    FR_SCENE_SHOW_SEPARATION,
    FR_SCENE_SHOW_HEAT
} FrSceneShow;

typedef struct FrSceneFilm {
    FrSceneCamera camera;
    FrSceneVec2 size; ///< pixels
    double fps;       ///< 0: as recorded
    FrSceneShow show;
    FrSceneSlow *slow;   ///< NULL: none
    FrSceneBurst *burst; ///< NULL: none
    bool spectrogram;    ///< of the sound, under the picture
} FrSceneFilm;

typedef enum FrScenePulse { FR_SCENE_PULSE_HALF_SINE, FR_SCENE_PULSE_GAUSS } FrScenePulse;
typedef enum FrSceneAir { FR_SCENE_AIR_SMALL, FR_SCENE_AIR_FLAT, FR_SCENE_AIR_FULL } FrSceneAir;

typedef struct FrSceneSound {
    FrVec3 listener; ///< m; NaN: where the film is seen from
    double gain;     ///< dB, on mix and stems alike; NAN: 0, or less where that would clip
    FrSceneAir air;
    FrScenePulse pulse;
    bool microphone; ///< deformable bodies are heard, too
    double rest;     ///< 1/s: what lies still after it moved dies away that much faster
} FrSceneSound;

typedef enum FrSceneScalarKind {
    FR_SCENE_NONE,
    FR_SCENE_NUMBER,
    FR_SCENE_WORD,
    FR_SCENE_TRUTH
} FrSceneScalarKind;

typedef struct FrSceneScalar {
    FrSceneScalarKind kind;
    double number;
    const char
        *unit; ///< it was written with, "cm"; NULL: none. The number is in SI, angles in degrees
    const char *word;
    bool truth;
} FrSceneScalar;

/// A knob of the scene with the value it had in this load.
typedef struct FrSceneParam {
    const char *name;
    FrSceneScalar value;
    const char *unit;       ///< of its dimension: "m"; "": a plain number; "any": not known
    FrSceneScalar min, max; ///< FR_SCENE_NONE: no bound
    FrSceneScalar *choices;
    int32_t choices_count;
    const char *help;
} FrSceneParam;

typedef struct FrSceneNote FrSceneNote; ///< where a part was written (notes.h)

typedef struct FrScene {
    FrSceneParam *params;
    int32_t params_count;
    FrSceneSettings scene;
    FrSceneMaterial *materials;
    int32_t materials_count;
    FrSceneGround *ground; ///< NULL: none
    FrSceneBody *bodies;
    int32_t bodies_count;
    FrSceneSphere *spheres;
    int32_t spheres_count;
    FrSceneJoint *joints;
    int32_t joints_count;
    FrSceneLoad *loads;
    int32_t loads_count;
    FrSceneFilm film;
    FrSceneSound sound;
    const char *folder; ///< where its mesh files are; "": nowhere (read from memory)
    const char *file;   ///< as messages name it
    const FrSceneNote *notes;
} FrScene;

// making one

/// What the material library knows; NULL functions: every name is taken.
typedef struct FrSceneLibrary {
    bool (*has_material)(void *user, const char *name);
    const char *(*material_name)(void *user, int32_t k);
    int32_t material_count;
    const char *(*everyday_material)(const char *name); ///< what is called so at home; NULL: none
    void *user;
} FrSceneLibrary;

typedef struct FrSceneOptions {
    const char *const *sets; ///< "name=value" (set_count), from --set
    int32_t set_count;
    int32_t vary_count; ///< so many of the last are from --vary
    bool has_seed;      ///< take `seed` instead of the scene's
    int64_t seed;
    FrSceneLibrary library;
    bool skip_files; ///< do not look whether mesh files are there
    bool quiet;      ///< what a script prints was heard before
} FrSceneOptions;

/// Read a .lua or .json scene. FR_BAD_INPUT: the message has every problem found (up to 20), one
/// per line, as file:line[:column]: key path: what is wrong. `options` may be NULL.
FrResult fr_scene_load(FrContext *ctx, const char *path, const FrSceneOptions *options,
                       FrScene **scene);

/// The material's own colour, unless this one is not NaN.
void fr_set_colour(FrVec3 colour, FrMaterial *material);
/// A material by name: of the scene, else of the library, with everything the scene changes.
FrResult fr_scene_material(FrContext *ctx, const FrScene *scene, const char *name,
                           FrMaterial *material);

/// Turn the axes of an anisotropic material so that its x axis lies along `grain` (unit). NaN: as
/// it is.
void fr_turn_grain(FrVec3 grain, FrMaterial *material);

/// The model of a body; `*open` (may be NULL): the scene left the choice to fr_model_choose.
FrModel fr_scene_model(const FrSceneBody *body, bool *open);
/// Choose the models of all bodies, once the rest of the scene is known.
void fr_scene_choose_models(FrContext *ctx, FrScene *scene);

/// From memory. `file` is the name used in messages; include and mesh files are not looked for.
FrResult fr_scene_parse_lua(FrContext *ctx, const char *text, size_t size, const char *file,
                            const FrSceneOptions *options, FrScene **scene);
FrResult fr_scene_parse_json(FrContext *ctx, const char *text, size_t size, const char *file,
                             const FrSceneOptions *options, FrScene **scene);

/// Accepts NULL.
void fr_scene_free(FrScene *scene);

/// The scene as JSON: complete, in one fixed form; loading it gives the same text again.
FrResult fr_scene_json(FrContext *ctx, const FrScene *scene, FrWriter *json);

/// The same as fr_scene_load, with every problem in `report`, one per line.
FrResult fr_scene_check(FrContext *ctx, const char *path, const FrSceneOptions *options,
                        FrWriter *report, FrScene **scene);

/// Index of the scene's own material of this name; -1: it is one of the library's.
int32_t fr_scene_find_material(const FrScene *scene, const char *name);

/// Pages made from the schema table.
void fr_schema_print_reference(FrWriter *page);
void fr_schema_print_json_schema(FrWriter *page);
void fr_schema_print_completion(FrWriter *page);
