// queue.h: nodes that fail, the most overloaded first.
#pragma once
#include "fracture/criterion.h"
#include "base/array.h"

typedef struct FrFailing {
    float load; ///< value over limit; a float: loads that differ by rounding only are equal
    int32_t node;
    uint32_t version; ///< of the tets round the node when this was computed
    FrNodeState state;
} FrFailing;

/// A binary heap: largest load first, equal loads by node.
typedef struct FrFailingQueue {
    FR_ARRAY(FrFailing) item;
} FrFailingQueue;

bool fr_failing_push(FrContext *ctx, FrFailingQueue *queue, FrFailing item); ///< false: no memory
bool fr_failing_pop(FrFailingQueue *queue, FrFailing *item);                 ///< false: empty
