// material_json.h: a material as one JSON object and back, every field, same bits.
#pragma once
#include "fracas/material.h"
#include "base/bytes.h"

/// Zero fields are left out. Ends without a zero byte.
void fr_material_json_write(const FrMaterial *material, FrWriter *out);
/// FR_BAD_INPUT with the byte offset. Unknown keys are passed over.
FrResult fr_material_json_read(FrContext *ctx, const char *json, size_t size, FrMaterial *material);
