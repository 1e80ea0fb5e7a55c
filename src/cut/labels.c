// labels.c: regions of a mesh as plain data.

#include "cut/labels.h"

void fr_labels_free(FrContext *ctx, FrLabels *labels) {
    FR_FREE_ALL(ctx, labels->label, labels->key, labels->second, labels->second_key);
    *labels = (FrLabels){0};
}
