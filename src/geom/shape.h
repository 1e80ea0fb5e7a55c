// shape.h: solids as trees of distance fields: primitives, lathes, extrusions, letters, transforms,
// set operations, imported surfaces.
//
// The distance is signed (negative inside) and changes by no more than the way moved. It is exact
// for primitives, lathes, extrusions without rounding, and rigidly moved or scaled ones; set
// operations, rounding of extrusions and shells give a bound: never more than the distance to the
// surface, zero on it, right sign. Imported surfaces: see solid.h.
#pragma once
#include "geom/field.h"
#include "geom/outline.h"
#include "geom/solid.h"

#define FR_SHAPE_DEPTH 64 ///< most shapes one inside the other

typedef enum FrShapeKind {
    FR_SHAPE_BOX,
    FR_SHAPE_SPHERE,
    FR_SHAPE_ELLIPSOID,
    FR_SHAPE_CYLINDER,
    FR_SHAPE_TUBE,
    FR_SHAPE_CONE,
    FR_SHAPE_TORUS,
    FR_SHAPE_LATHE,
    FR_SHAPE_EXTRUSION,
    FR_SHAPE_TRANSFORM,
    FR_SHAPE_UNION,
    FR_SHAPE_INTERSECTION,
    FR_SHAPE_DIFFERENCE,
    FR_SHAPE_SHELL,
    FR_SHAPE_SURFACE
} FrShapeKind;

/// One immutable node of a tree. Lives as long as its set; safe to evaluate from any thread.
typedef struct FrShape FrShape;

/// Owns shapes. Constructors return NULL when they fail (or were given a NULL shape); then
/// fr_shapeset_result says how the first failure ended and the context's message why.
typedef struct FrShapeSet FrShapeSet;

FrResult fr_shapeset_create(FrContext *ctx, FrShapeSet **set);
void fr_shapeset_destroy(FrShapeSet *set); ///< accepts NULL
FrResult fr_shapeset_result(const FrShapeSet *set);

/// Centred at the origin; edges rounded with a radius (0: sharp).
const FrShape *fr_shape_box(FrShapeSet *set, FrVec3 size, double rounding);
const FrShape *fr_shape_sphere(FrShapeSet *set, double radius);
const FrShape *fr_shape_ellipsoid(FrShapeSet *set, FrVec3 radii);
/// About the z axis, from -height/2 to height/2; so are tube and cone.
const FrShape *fr_shape_cylinder(FrShapeSet *set, double radius, double height);
const FrShape *fr_shape_tube(FrShapeSet *set, double outer, double inner, double height);
/// Either radius may be 0.
const FrShape *fr_shape_cone(FrShapeSet *set, double bottom, double top, double height);
/// In the xy plane; `ring` to the middle of the pipe.
const FrShape *fr_shape_torus(FrShapeSet *set, double ring, double pipe);
/// A profile (r, z) turned about the z axis; copied. wall == 0: the solid between profile and
/// axis (its ends joined to the axis; first == last point: a ring). wall > 0: a sheet of that
/// thickness with the profile in its middle and round rims.
const FrShape *fr_shape_lathe(FrShapeSet *set, const double (*rz)[2], int32_t count, double wall);
/// Loops in the xy plane (inside: an odd number of loops around), from -depth/2 to depth/2; copied.
/// `rounding` rounds the edges between sides and faces.
const FrShape *fr_shape_extrusion(FrShapeSet *set, const FrOutline *outline, double depth,
                                  double rounding);
/// An extrusion: letters A-Z (a-z look the same), digits and . , : ; ! ? - + = / ' ( ) and space,
/// capitals `size` high, the middle of the text at the origin, readable from +z.
const FrShape *fr_shape_text(FrShapeSet *set, const char *text, double size, double depth,
                             double rounding);
/// x -> scale * rotation x + offset
const FrShape *fr_shape_transform(FrShapeSet *set, const FrShape *child, FrQuat rotation,
                                  FrVec3 offset, double scale);
const FrShape *fr_shape_move(FrShapeSet *set, const FrShape *child, FrVec3 by);
const FrShape *fr_shape_rotate(FrShapeSet *set, const FrShape *child, FrQuat rotation);
const FrShape *fr_shape_scale(FrShapeSet *set, const FrShape *child, double factor);
/// `rounding` > 0 blends the surfaces where they meet, as a fillet of about that radius would.
const FrShape *fr_shape_union(FrShapeSet *set, const FrShape *const *child, int32_t count,
                              double rounding);
const FrShape *fr_shape_intersection(FrShapeSet *set, const FrShape *const *child, int32_t count,
                                     double rounding);
/// The first without the others.
const FrShape *fr_shape_difference(FrShapeSet *set, const FrShape *const *child, int32_t count,
                                   double rounding);
/// Only what lies within `thickness` of the surface, inside it.
const FrShape *fr_shape_shell(FrShapeSet *set, const FrShape *child, double thickness);
/// The inside of a surface, however bad; `name` is for messages. Refused when it encloses nothing.
const FrShape *fr_shape_surface(FrShapeSet *set, const char *name, const FrTriMesh *mesh);

double fr_shape_distance(const FrShape *shape, FrVec3 x); ///< m
FrBox fr_shape_bounds(const FrShape *shape);              ///< the solid lies inside, m
void fr_shape_field(const FrShape *shape, FrField *field);

/// What a node is made of, so that box, tube, lathe, extrusion can be meshed by structure.
typedef struct FrShapeInfo {
    FrShapeKind kind;
    union {
        struct {
            FrVec3 size;
            double rounding;
        } box;
        struct {
            double radius;
        } sphere;
        struct {
            FrVec3 radii;
        } ellipsoid;
        struct {
            double outer, inner, height; ///< inner is 0 for a cylinder
        } tube;                          ///< and cylinder
        struct {
            double bottom, top, height;
        } cone;
        struct {
            double ring, pipe;
        } torus;
        struct {
            const double (*rz)[2]; ///< (count), as given
            int32_t count;
            double wall;
        } lathe;
        struct {
            FrOutline outline;
            double depth, rounding;
        } extrusion; ///< and text
        struct {
            const FrShape *child;
            FrMat3 rotation;
            FrVec3 offset;
            double scale;
        } transform;
        struct {
            const FrShape *const *child; ///< (count)
            int32_t count;
            double rounding;
        } combine; ///< union, intersection, difference
        struct {
            const FrShape *child;
            double thickness;
        } shell;
        const FrSolid *solid; ///< surface
    };
} FrShapeInfo;

const FrShapeInfo *fr_shape_info(const FrShape *shape);
/// "box", "lathe", ...
const char *fr_shape_kind_name(FrShapeKind kind);
