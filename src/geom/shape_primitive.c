// shape_primitive.c: box, sphere, ellipsoid, cylinder, tube, cone, torus; all exact.

#include "geom/shape_node.h"

static bool positive(double a) { return isfinite(a) && a > 0.0; }

static FrBox box_of_size(FrVec3 size) {
    FrBox box = {fr_scale(-0.5, size), fr_scale(0.5, size)};
    return box;
}

static double box_distance(const FrShape *shape, FrVec3 x) {
    FrVec3 h = shape->info.box.size;
    double r = shape->info.box.rounding;
    double dx = fabs(x.x) - 0.5 * h.x + r, dy = fabs(x.y) - 0.5 * h.y + r;
    double dz = fabs(x.z) - 0.5 * h.z + r;
    FrVec3 out = {fr_max(dx, 0.0), fr_max(dy, 0.0), fr_max(dz, 0.0)};
    return fr_length(out) + fr_min(fr_max(dx, fr_max(dy, dz)), 0.0) - r;
}

const FrShape *fr_shape_box(FrShapeSet *set, FrVec3 size, double rounding) {
    if (!positive(size.x) || !positive(size.y) || !positive(size.z))
        return fr_shape_refuse(set, "box: size is (%g, %g, %g) m; each must be above 0", size.x,
                               size.y, size.z);
    double least = fr_min(size.x, fr_min(size.y, size.z));
    if (!(rounding >= 0.0 && rounding <= 0.5 * least))
        return fr_shape_refuse(set,
                               "box: rounding is %g m; allowed are 0 to %g, half its thickness",
                               rounding, 0.5 * least);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_BOX, box_distance, box_of_size(size));
    if (!shape) return NULL;
    shape->info.box.size = size;
    shape->info.box.rounding = rounding;
    return shape;
}

static double sphere_distance(const FrShape *shape, FrVec3 x) {
    return fr_length(x) - shape->info.sphere.radius;
}

const FrShape *fr_shape_sphere(FrShapeSet *set, double radius) {
    if (!positive(radius))
        return fr_shape_refuse(set, "sphere: radius is %g m; must be above 0", radius);
    double d = 2.0 * radius;
    FrShape *shape =
        fr_shape_new(set, FR_SHAPE_SPHERE, sphere_distance, box_of_size(fr_vec3(d, d, d)));
    if (shape) shape->info.sphere.radius = radius;
    return shape;
}

// The nearest point of the ellipsoid sum (x_i/e_i)^2 = 1 to y is x_i = e_i^2 y_i / (t + e_i^2) with
// the largest root t of sum (e_i y_i / (t + e_i^2))^2 = 1. In u = t / e_min^2 + 1, z = y / e,
// r = (e / e_min)^2 and q = r - 1:  G(u) = sum (r z / (u + q))^2 = 1. Newton on 1/sqrt(G) from the
// left, where G >= 1, climbs to the root without passing it.
static double ellipsoid_root(const double r[3], const double z[3]) {
    double u = 0.0;
    for (int k = 0; k < 3; k++) u = fr_max(u, r[k] * z[k] - (r[k] - 1.0)); // one term alone is 1
    for (int iteration = 0; iteration < 60; iteration++) {
        double G = 0.0, H = 0.0;
        for (int k = 0; k < 3; k++) {
            double below = u + (r[k] - 1.0), term = r[k] * z[k] / below;
            G += term * term;
            H += term * term / below;
        }
        double step = G * (sqrt(G) - 1.0) / H;
        u += step;
        if (!(step > 1e-15 * u)) break;
    }
    return u;
}

static double ellipsoid_distance(const FrShape *shape, FrVec3 x) {
    FrVec3 e = shape->info.ellipsoid.radii;
    double least = fr_min(e.x, fr_min(e.y, e.z)), r[3], z[3], inside = 0.0, d2 = 0.0;
    for (int k = 0; k < 3; k++) {
        double ek = fr_vec3_get(e, k), ratio = ek / least;
        r[k] = ratio * ratio;
        // off the planes of symmetry by 1e-13: the root then exists, the distance moves no more
        z[k] = fr_max(fabs(fr_vec3_get(x, k)) / ek, 1e-13);
        inside += z[k] * z[k];
    }
    double u = ellipsoid_root(r, z);
    for (int k = 0; k < 3; k++) {
        double d = fr_vec3_get(e, k) * z[k] * ((u - 1.0) / (u + (r[k] - 1.0))); // y - x
        d2 += d * d;
    }
    return inside < 1.0 ? -sqrt(d2) : sqrt(d2);
}

const FrShape *fr_shape_ellipsoid(FrShapeSet *set, FrVec3 radii) {
    if (!positive(radii.x) || !positive(radii.y) || !positive(radii.z))
        return fr_shape_refuse(set, "ellipsoid: radii are (%g, %g, %g) m; each must be above 0",
                               radii.x, radii.y, radii.z);
    double least = fr_min(radii.x, fr_min(radii.y, radii.z));
    double most = fr_max(radii.x, fr_max(radii.y, radii.z));
    if (most > 1e4 * least)
        return fr_shape_refuse(set, "ellipsoid: radii differ %g-fold; at most 10000 is allowed",
                               most / least);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_ELLIPSOID, ellipsoid_distance,
                                  box_of_size(fr_scale(2.0, radii)));
    if (shape) shape->info.ellipsoid.radii = radii;
    return shape;
}

static double cylinder_distance(const FrShape *shape, FrVec3 x) {
    double r = sqrt(x.x * x.x + x.y * x.y);
    return fr_rectangle_distance(r, x.z, shape->info.tube.outer, 0.5 * shape->info.tube.height);
}

const FrShape *fr_shape_cylinder(FrShapeSet *set, double radius, double height) {
    if (!positive(radius) || !positive(height))
        return fr_shape_refuse(set, "cylinder: radius is %g m, height %g m; both must be above 0",
                               radius, height);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_CYLINDER, cylinder_distance,
                                  fr_box_about_z(radius, -0.5 * height, 0.5 * height));
    if (!shape) return NULL;
    shape->info.tube.outer = radius;
    shape->info.tube.height = height;
    return shape;
}

static double tube_distance(const FrShape *shape, FrVec3 x) {
    double r = sqrt(x.x * x.x + x.y * x.y);
    double outer = shape->info.tube.outer, inner = shape->info.tube.inner;
    return fr_rectangle_distance(r - 0.5 * (outer + inner), x.z, 0.5 * (outer - inner),
                                 0.5 * shape->info.tube.height);
}

const FrShape *fr_shape_tube(FrShapeSet *set, double outer, double inner, double height) {
    if (!positive(inner) || !isfinite(outer) || !(outer > inner) || !positive(height))
        return fr_shape_refuse(
            set,
            "tube: outer radius is %g m, inner %g m, height %g m; wanted outer > inner > 0 "
            "and height > 0",
            outer, inner, height);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_TUBE, tube_distance,
                                  fr_box_about_z(outer, -0.5 * height, 0.5 * height));
    if (!shape) return NULL;
    shape->info.tube.outer = outer;
    shape->info.tube.inner = inner;
    shape->info.tube.height = height;
    return shape;
}

// squared distance in the (r, z) half plane to the segment a-b
static double segment2(double r, double z, double ar, double az, double br, double bz) {
    double er = br - ar, ez = bz - az, pr = r - ar, pz = z - az;
    double t = fr_clamp((pr * er + pz * ez) / (er * er + ez * ez), 0.0, 1.0);
    double dr = pr - t * er, dz = pz - t * ez;
    return dr * dr + dz * dz;
}

static double cone_distance(const FrShape *shape, FrVec3 x) {
    double bottom = shape->info.cone.bottom, top = shape->info.cone.top;
    double h = 0.5 * shape->info.cone.height, r = sqrt(x.x * x.x + x.y * x.y);
    double d2 = segment2(r, x.z, bottom, -h, top, h);
    // the two flat faces
    double low = fr_max(r - bottom, 0.0), high = fr_max(r - top, 0.0);
    d2 = fr_min(d2, low * low + (x.z + h) * (x.z + h));
    d2 = fr_min(d2, high * high + (x.z - h) * (x.z - h));
    double side = (r - bottom) * 2.0 * h - (top - bottom) * (x.z + h);
    return side < 0.0 && fabs(x.z) < h ? -sqrt(d2) : sqrt(d2);
}

const FrShape *fr_shape_cone(FrShapeSet *set, double bottom, double top, double height) {
    if (!isfinite(bottom) || !isfinite(top) || bottom < 0.0 || top < 0.0 || !(bottom + top > 0.0) ||
        !positive(height))
        return fr_shape_refuse(set,
                               "cone: bottom radius is %g m, top %g m, height %g m; wanted radii "
                               "of 0 or more, one of them and the height above 0",
                               bottom, top, height);
    FrShape *shape = fr_shape_new(set, FR_SHAPE_CONE, cone_distance,
                                  fr_box_about_z(fr_max(bottom, top), -0.5 * height, 0.5 * height));
    if (!shape) return NULL;
    shape->info.cone.bottom = bottom;
    shape->info.cone.top = top;
    shape->info.cone.height = height;
    return shape;
}

static double torus_distance(const FrShape *shape, FrVec3 x) {
    double r = sqrt(x.x * x.x + x.y * x.y) - shape->info.torus.ring;
    return sqrt(r * r + x.z * x.z) - shape->info.torus.pipe;
}

const FrShape *fr_shape_torus(FrShapeSet *set, double ring, double pipe) {
    if (!positive(pipe) || !isfinite(ring) || !(ring > pipe))
        return fr_shape_refuse(set, "torus: ring is %g m, pipe %g m; wanted ring > pipe > 0", ring,
                               pipe);
    FrShape *shape =
        fr_shape_new(set, FR_SHAPE_TORUS, torus_distance, fr_box_about_z(ring + pipe, -pipe, pipe));
    if (!shape) return NULL;
    shape->info.torus.ring = ring;
    shape->info.torus.pipe = pipe;
    return shape;
}
