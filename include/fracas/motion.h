// fracas/motion.h: cooked bodies that bend by modes: what moves them without an eigen solver.
// SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include "fracas/mesh.h"

FR_EXTERN_C_BEGIN

/// How a cooked body moves: its tets, materials, skin, and the modes by which it bends in a rigid
/// frame [S1 3]. Read-only; any number of bodies may be made of it. `fracas bake --motion` makes
/// the file; fr_motion_load reads it, fr_motion_body_def makes the definition of a body of it.
typedef struct FrMotion FrMotion;

/// What there is of it.
typedef struct FrMotionInfo {
    char name[40];                  ///< of the body
    int32_t mode_count;             ///< by which it bends
    int32_t node_count, tet_count;  ///< of its mesh
    int32_t held_count;             ///< nodes that never move
    int32_t skin_points, skin_tris; ///< of the surface that is drawn
    bool fine;                      ///< it is a finer one than that of the tets
} FrMotionInfo;

/// From the bytes of a .frm file that was baked with --motion; everything is copied. FR_BAD_INPUT:
/// the message has the byte offset and what was found.
FR_API FrResult fr_motion_load(FrContext *ctx, const void *bytes, size_t size, FrMotion **motion);
/// Accepts NULL. Bodies that were made of it stay.
FR_API void fr_motion_destroy(FrMotion *motion);
FR_API FrMotionInfo fr_motion_info(const FrMotion *motion); ///< a copy

/// Mode i in [0, mode_count), ascending: damped frequency, Hz (0: it creeps back without a swing),
/// and time to fall by 60 dB, s.
FR_API void fr_motion_mode(const FrMotion *motion, int32_t i, double *hz, double *t60);

/// Triangles of the surface that is drawn: points, counter-clockwise seen from outside; belong to
/// the motion (skin_tris).
FR_API const int32_t (*fr_motion_skin_tris(const FrMotion *motion))[3];

/// For graphics hardware [S1 5]: points at rest (3 * skin_points), m, in the axes of the mesh.
FR_API void fr_motion_skin_rest(const FrMotion *motion, float *place);
/// And by how much mode i moves each of them (3 * skin_points), kg^-1/2. With the z of
/// fr_body_modes a point is at R (rest + sum z_i shape_i) + position.
FR_API void fr_motion_skin_shape(const FrMotion *motion, int32_t i, float *shape);

FR_EXTERN_C_END
