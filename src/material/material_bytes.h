// material_bytes.h: a material as bytes and back, field by field.
#pragma once
#include "base/bytes.h"
#include "fracas/material.h"

void fr_material_write(FrWriter *writer, const FrMaterial *material);
/// What ends too soon is zeros, and the reader has failed; fr_material_check says if it is one.
void fr_material_read(FrReader *reader, FrMaterial *material);
