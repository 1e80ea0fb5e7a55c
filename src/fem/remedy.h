// remedy.h: what keeps steps long while a body breaks, within bounds: mass on nodes of small tets,
// and small pieces that move as rigid ones.
#pragma once
#include "fem/fem.h"

/// The stable step of the shape at rest shall not fall below `part` of what it was before the first
/// cut (0: no floor): nodes that would need it get more mass, in all up to `most` of the body's
/// mass. Momentum stays: nodes that get mass slow down, and the energy that this takes is
/// FrFemEnergy.fracture. Mass stays on its node.
void fr_fem_set_floor(FrFem *fem, double part, double most);
/// After cuts, and after small pieces stiffened: `log` says what was cut since the last call. Mass
/// goes to the nodes that ring fastest and brings them down to one frequency: no other way to share
/// it out leaves longer steps. The first quarter of the mass keeps steps at 0.75 of the first, the
/// second at less and less, down to the floor; the half that is left is for the floor alone.
FrResult fr_fem_keep_floor(FrFem *fem, const FrCutLog *log, const FrCutMesh *cut);

/// From now on these tets, which hang together with no other ones, move as one rigid body: forces
/// in them and their elastic energy are gone (FrFemEnergy.fracture), momentum and angular momentum
/// stay. Pieces with held nodes are left as they are. FR_NO_MEMORY: nothing was done.
FrResult fr_fem_stiffen(FrFem *fem, const int32_t *tet, int32_t count);
bool fr_fem_is_stiff(const FrFem *fem, int32_t tet);

/// What was done so far.
typedef struct FrFemRemedies {
    double added_mass;    ///< on its nodes, kg
    bool below_floor;     ///< at some time there was not enough of it for the floor
    int32_t rigid_pieces; ///< that stiffened
    double rigid_volume;  ///< of them at rest, m^3
} FrFemRemedies;
FrFemRemedies fr_fem_remedies(const FrFem *fem);
