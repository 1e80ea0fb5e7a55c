// scene_files.h: the mesh and surface files that a scene names.
#pragma once
#include "base/hash.h"
#include "scene/scene.h"

/// Mix the content of every file into `hash`: a run is another run when a file has changed.
FrResult fr_scene_files_hash(FrContext *ctx, const FrScene *scene, FrHash *hash);

/// The same for the files of one shape, which are looked for in `folder`.
FrResult fr_shape_files_hash(FrContext *ctx, const FrSceneShape *shape, const char *folder,
                             FrHash *hash);

/// The file behind a shape when it comes from one, moved, turned or scaled; NULL otherwise.
const FrSceneFile *fr_scene_shape_file(const FrSceneShape *shape);
