// notes.h: where each part of a scene was written, for problems that are found after reading.
#pragma once
#include "scene/problems.h"
#include "scene/scene.h"

/// A body, sphere, material, fix, load, shape or region of a scene, with its place in the file.
struct FrSceneNote {
    const void *part;
    FrPlace place;
    const char *path; ///< "bodies[3].shape"
    const FrSceneNote *next;
};

/// Keep where `part` was written. False: no memory. Parts that came from defaults are passed over.
bool fr_note_part(FrScene *scene, FrArena *arena, const void *part, FrPlace place,
                  const FrPath *path);

/// file:line[:column]: path: message, at the place of `part`, or of `owner` (may be NULL) when the
/// part was left to its default.
void fr_scene_problem(FrProblems *problems, const FrScene *scene, const void *part,
                      const void *owner, const char *format, ...) FR_PRINTF(5, 6);
/// The same as a warning in the log.
void fr_scene_warning(FrContext *ctx, const FrScene *scene, const void *part, const void *owner,
                      const char *format, ...) FR_PRINTF(5, 6);
