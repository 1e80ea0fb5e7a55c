// queue.c: nodes that fail, the most overloaded first; ties by number, so that the order is fixed.

#include "fracture/queue.h"

static bool before(const FrFailing *a, const FrFailing *b) {
    if (a->load > b->load) return true;
    if (a->load < b->load) return false;
    return a->node < b->node;
}

bool fr_failing_push(FrContext *ctx, FrFailingQueue *q, FrFailing item) {
    if (!fr_array_push(ctx, &q->item, item)) return false;
    FrFailing *heap = q->item.data;
    int32_t k = q->item.count - 1;
    for (; k > 0 && before(&item, &heap[(k - 1) / 2]); k = (k - 1) / 2) heap[k] = heap[(k - 1) / 2];
    heap[k] = item;
    return true;
}

bool fr_failing_pop(FrFailingQueue *q, FrFailing *item) {
    if (!q->item.count) return false;
    FrFailing *heap = q->item.data, last = heap[--q->item.count];
    *item = heap[0];
    int32_t count = q->item.count, k = 0;
    for (int32_t child = 1; child < count; child = 2 * k + 1) {
        if (child + 1 < count && before(&heap[child + 1], &heap[child])) child++;
        if (!before(&heap[child], &last)) break;
        heap[k] = heap[child];
        k = child;
    }
    heap[k] = last;
    return true;
}
