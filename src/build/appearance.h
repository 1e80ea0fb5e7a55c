// appearance.h: the appearance of the solids of a scene: what may change without another motion.
#pragma once
#include "base/hash.h"
#include "record/recording.h"
#include "scene/scene.h"

/// Give the bodies of a recording (and the pieces that broke off them) the appearance that the
/// scene has now. Bodies that the scene does not have keep theirs.
void fr_appearance_paint(FrContext *ctx, FrRecording *recording, const FrScene *scene);
/// The appearance of all solids.
void fr_appearance_hash(FrContext *ctx, const FrScene *scene, FrHash *hash);
/// Lists of a scene in which no solid and no material has an appearance of its own.
typedef struct FrPlainScene {
    FrSceneBody *body;
    FrSceneSphere *sphere;
    FrSceneMaterial *material;
    FrSceneGround ground;
} FrPlainScene;
/// Take the appearance out of `scene`, a copy by value; its lists are then those of `plain`. Free
/// in any case.
FrResult fr_appearance_take_out(FrContext *ctx, FrScene *scene, FrPlainScene *plain);
void fr_plain_scene_free(FrContext *ctx, FrPlainScene *plain);
