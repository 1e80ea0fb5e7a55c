// cuts.h: what broke in a world since it was last reported, for recordings.
#pragma once
#include "cut/cutlog.h"
#include "fracas/world.h"

/// All cuts of body k since fr_world_cuts_reported, one after the other; first_tet: tets of its
/// mesh before them. Borrowed until the next step. A body that was loaded from a checkpoint has
/// none.
const FrCutLog *fr_world_cuts(const FrWorld *world, int32_t body, int32_t *first_tet);
void fr_world_cuts_reported(FrWorld *world, int32_t body);

/// Does cut c of a body from its start open anything?
bool fr_world_cut_made(const FrWorld *world, FrBodyId body, int32_t cut);

/// How a body breaks, with what was chosen for it where its def left it open; `weak` and `cut` are
/// not given. False: it does not break.
bool fr_world_crack_chosen(const FrWorld *world, FrBodyId body, FrCrackDef *crack);

/// Share of the strain-rate damping of its first material that a body has
/// (FrBodyDef.damping_limit); 0: the id is stale.
double fr_world_damping_kept(const FrWorld *world, FrBodyId body);

/// Body k as it was before any cut: mesh and skin. All borrowed.
FrBodyView fr_world_first_view(const FrWorld *world, int32_t body);

/// What decides whether a blow breaks body k; NULL: it does not shatter.
struct FrShatter *fr_world_shatter(const FrWorld *world, int32_t body);

/// Times the mesh of body k was cut, plus 1: views of one number show one mesh.
uint64_t fr_world_cut_number(const FrWorld *world, int32_t body);
