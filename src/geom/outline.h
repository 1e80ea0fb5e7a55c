// outline.h: plane figures made of line segments: how far, and which side.
#pragma once
#include "base/arena.h"
#include "math/vec.h"

/// Closed loops of points; the last joins the first. Inside: an odd number of loops around.
typedef struct FrOutline {
    int32_t loop_count, point_count;
    const int32_t *loop_end; ///< where each loop ends in `xy` (loop_count)
    const double (*xy)[2];   ///< m (point_count)
} FrOutline;

/// Segments in groups of neighbours, each with its box.
typedef struct FrSegments FrSegments;

/// Segment k runs from (s[k][0], s[k][1]) to (s[k][2], s[k][3]); copied into the arena. NULL: no
/// memory.
FrSegments *fr_segments_create(FrArena *arena, const double (*s)[4], int32_t count);
/// From the loops of an outline.
FrSegments *fr_segments_of(FrArena *arena, const FrOutline *outline);
double fr_segments_distance(const FrSegments *segments, double x, double y);
/// Does a ray from (x, y) towards +x cross an odd number of segments?
bool fr_segments_odd(const FrSegments *segments, double x, double y);
FrOutline *fr_outline_copy(FrArena *arena, const FrOutline *outline);
double fr_outline_area(const FrOutline *outline); ///< with holes turning the other way, m^2
