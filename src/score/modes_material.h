// modes_material.h: a material from the command line.
#pragma once
#include "fracas/material.h"

/// A library material by name, or "E=110GPa,nu=0.34,rho=8800" with alpha1, alpha2, eta if wanted.
FrResult fr_material_parse(FrContext *ctx, const char *text, FrMaterial *material);
