// break_result.h: what breaking did to a body, and what that saved it, in plain numbers: whatever
// the model, whatever decided on it.
#pragma once
#include "cut/cutlog.h"

/// One crack: a node that was split.
typedef struct FrCrack {
    FrVec3 x, n;         ///< where, m, and the plane's unit normal, present frame
    double value, limit; ///< N
    double area;         ///< of the surface that opened, one side, at rest, m^2
    double energy;       ///< elastic energy that the tets round the node held for it, J
    int32_t node;
} FrCrack;

/// What a piece took along when it left.
typedef struct FrDust {
    double mass;     ///< kg
    double energy;   ///< kinetic and elastic, J
    FrVec3 momentum; ///< kg m/s
    FrVec3 centre;   ///< m
} FrDust;
/// One piece that left.
typedef struct FrDustPiece {
    int32_t piece, tet; ///< tet: one of it
    FrDust dust;
} FrDustPiece;

/// What one scan of the body did.
typedef struct FrBreakResult {
    const FrCrack *crack; ///< (crack_count); borrowed until the next scan
    int32_t crack_count;
    const FrCutLog *log;              ///< all cuts of this scan, one after the other; borrowed
    int32_t first_piece, piece_count; ///< that came off
    int32_t planes;                   ///< that were tried: cracks, and what could not be cut
    double scan_seconds;              ///< of processors, until it was known which nodes fail
    const FrDustPiece *dust;          ///< that left (dust_count); borrowed until the next scan
    int32_t dust_count;
    bool settled; ///< loose pieces became rigid because nothing broke for so long
} FrBreakResult;

/// What may come to a piece that is struck, at most.
typedef struct FrBlow {
    double stress, energy; ///< Pa, J
} FrBlow;

/// What keeps steps long while a body breaks, so far.
typedef struct FrStepCost {
    double added_mass;    ///< on its nodes, kg
    bool below_floor;     ///< at some time there was not enough of it for the floor
    int32_t rigid_pieces; ///< that became rigid, or stand
    double rigid_volume;  ///< of them at rest, m^3
    int32_t dust_pieces;  ///< that left
    double dust_mass;     ///< of them, kg
    double dust_energy;   ///< that left with them, J
} FrStepCost;
