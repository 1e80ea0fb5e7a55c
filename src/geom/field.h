// field.h: a signed distance field as a callback: negative inside; what meshing sees of a shape.
#pragma once
#include "math/vec.h"

typedef struct FrField {
    /// signed distance (or a 1-Lipschitz bound of it) at x, m; thread-safe
    double (*distance)(const void *user, FrVec3 x);
    const void *user;
    FrBox bounds; ///< the solid lies inside, m
} FrField;

static inline double fr_field_at(const FrField *field, FrVec3 x) {
    return field->distance(field->user, x);
}

/// Is the field below `value` somewhere in its bounds? Looked for in blocks down to 1/64 of them;
/// those that are surely above it by the distance at their centres are left out at once.
bool fr_field_below(const FrField *field, double value);
