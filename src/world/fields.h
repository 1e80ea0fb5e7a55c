// fields.h: what is known inside a world's bodies besides where they are: how near nodes are to
// breaking, and plastic strain.
#pragma once
#include "base/array.h"
#include "fracas/world.h"

/// Fill FrBodyFrame.load and .plastic of the world's view, which was taken just before; they stay
/// until the next call. FR_NO_MEMORY only.
FrResult fr_world_fields(FrWorld *world);

/// Boxes by which contact finds bodies, at this depth of each tree; at most `room`. Returns how
/// many.
int32_t fr_world_boxes(const FrWorld *world, int32_t depth, FrBox *box, int32_t room);

typedef struct FrFields {
    FR_ARRAY(float) value; ///< loads, then plastic strains, of all bodies
    FR_ARRAY(double) load; ///< scratch: of one body (node_count)
} FrFields;
