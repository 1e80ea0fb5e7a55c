// fracas/event.h: what happened, when and where; plain data between motion and sound.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/base.h"

FR_EXTERN_C_BEGIN

/// What happened; says which part of FrEvent.u is set.
typedef enum FrEventKind {
    FR_EVENT_IMPACT = 1, ///< two bodies hit each other
    FR_EVENT_CRACK,      ///< a node of a body was split
    FR_EVENT_PIECE,      ///< a piece came off inside a body
    FR_EVENT_RELEASE,    ///< stress was let go at a new face
    FR_EVENT_CONTACT,    ///< a sample of two bodies that stay in touch and slide or roll
    FR_EVENT_DUST,       ///< a piece of a body was too small and left
    FR_EVENT_BIRTH,      ///< a body came into a world that had stepped already
    FR_EVENT_DEATH       ///< a body was taken out of the world
} FrEventKind;

/// One thing that happened. Plain data: no pointers, may be copied and kept.
typedef struct FrEvent {
    uint64_t seq;             ///< order of happening; ties in t are resolved by it
    double t;                 ///< s
    uint32_t kind;            ///< FrEventKind
    FrBodyId a, b;            ///< bodies; b null: a plane or nothing. Of a birth b is the parent
    int32_t piece;            ///< of a: that came off, or left as dust; 0 otherwise
    union {                   ///< what belongs to `kind`
        struct {              ///< of FR_EVENT_IMPACT
            FrPoint pa, pb;   ///< where, in the mesh of a and of b; tet -1: it has none
            FrVec3 x, n;      ///< place m; unit normal, pushes a
            FrVec3 impulse;   ///< on a, N s, over `duration`
            double v_n, v_t;  ///< closing and sliding speed at first touch, m/s
            double duration;  ///< of the push, s; between rigid frames Hertz's
            double area;      ///< largest, m^2
            uint64_t contact; ///< key of the pair
        } impact;
        struct {             ///< of FR_EVENT_CRACK
            FrVec3 x, n;     ///< place m; unit normal of the plane it was split along
            double strength; ///< by the body's criterion what tears at the node, N; of a body that
                             ///< shatters the largest tension, Pa
            double limit;    ///< what the node stands, N; of a body that shatters or is corot, Pa
            double area;     ///< of the new faces, one side, m^2
            double energy;   ///< elastic, that the tets round the node held for it, J
        } crack;
        struct {                 ///< of FR_EVENT_PIECE
            int32_t parent;      ///< the piece it broke off
            double mass, volume; ///< kg, m^3
            FrVec3 centre;       ///< m
            FrSym3 inertia;      ///< about the centre, kg m^2
            uint64_t mesh;       ///< hash
        } piece;
        struct {                 ///< of FR_EVENT_BIRTH
            double mass, volume; ///< kg, m^3
            FrVec3 centre;       ///< m
            FrSym3 inertia;      ///< about the centre, kg m^2
            uint64_t mesh;       ///< hash of its mesh at rest; 0: a sphere
        } birth;
        struct {            ///< of FR_EVENT_RELEASE
            FrPoint p;      ///< where, in the mesh of a
            FrVec3 impulse; ///< on a, N s
            FrBodyId other; ///< body that held it; null: the world
        } release;
        struct {              ///< over [t, t + span]; what lies still gives no samples
            FrPoint pa, pb;   ///< as of an impact
            FrVec3 x, n;      ///< place m; unit normal, pushes a
            FrVec3 force;     ///< on a, mean over `span`, friction included, N
            FrVec3 slip;      ///< velocity of a's surface against b's, across n, m/s
            FrVec3 roll;      ///< velocity of the place of contact against b's surface, m/s
            double span;      ///< s, at most 5 ms
            uint64_t contact; ///< key of the pair
        } contact;
        struct {                     ///< what it took along
            double mass, energy;     ///< kg; kinetic and elastic, J
            FrVec3 momentum, centre; ///< kg m/s, m
        } dust;
    } u;
} FrEvent;

FR_EXTERN_C_END
