// field.c: a search for places deep inside a distance field.

#include "geom/field.h"

/// Halvings of the bounds: 1/64 of them.
#define MOST_LEVELS 6

// in a block and its halves, so many levels of them
static bool below(const FrField *field, double value, FrVec3 centre, FrVec3 half, int levels) {
    double f = fr_field_at(field, centre);
    if (f < value) return true;
    if (levels == 0 || f - fr_length(half) >= value) return false;
    FrVec3 quarter = fr_scale(0.5, half);
    for (int k = 0; k < 8; k++) {
        FrVec3 at = {centre.x + (k & 1 ? quarter.x : -quarter.x),
                     centre.y + (k & 2 ? quarter.y : -quarter.y),
                     centre.z + (k & 4 ? quarter.z : -quarter.z)};
        if (below(field, value, at, quarter, levels - 1)) return true;
    }
    return false;
}

// level by level is cheapest: most fields show their inside after one or two
bool fr_field_below(const FrField *field, double value) {
    FrVec3 half = fr_scale(0.5, fr_box_size(field->bounds)), at = fr_box_center(field->bounds);
    for (int levels = 0; levels <= MOST_LEVELS; levels++)
        if (below(field, value, at, half, levels)) return true;
    return false;
}
