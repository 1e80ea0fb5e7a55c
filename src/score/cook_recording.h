// cook_recording.h: the rigid bodies of a recording as bodies that ring, many at one time.
#pragma once
#include "record/recording.h"
#include "score/cook.h"
#include "score/cook_proxy.h"

/// One of them.
typedef struct FrCookItem {
    FrRecordingBody body;
    const FrSceneBody *from; ///< of the scene, by its name; NULL: not there
    bool clamped;            ///< in parts: it rings otherwise than one of the same shape
    bool borrows;            ///< from the bank, if its tone is as the rule wants it
    FrProxied proxied;       ///< asset NULL: it did not
    int32_t twin;            ///< an earlier item that rings alike and has the asset; -1: its own
    FrAsset *asset;          ///< the caller's, also after a failure; NULL: a twin's, or not made
} FrCookItem;

/// Fill `body`, zero the rest. Twins share their modes; small bodies are cooked side by side, each
/// by one thread, large ones by all. The same bits for any number of workers. `scene`: of the
/// recording; NULL: not readable. Free bodies of tets borrow as `rule` says.
FrResult fr_cook_recorded(FrContext *ctx, const FrScene *scene, FrCookItem *item, int32_t count,
                          const FrProxyRule *rule, bool radiate);

/// The scene's body of this name; NULL: none.
const FrSceneBody *fr_cook_scene_body(const FrScene *scene, const char *name);
