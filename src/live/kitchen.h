// kitchen.h: what blows are judged by, made in another thread, on a shelf that scenes share.
#pragma once
#include "fracas/live.h"
#include "modal/load_stress.h"

/// The same for the same shape, material and supports.
uint64_t fr_kitchen_key(const FrStressDef *def);
/// It is wanted; all of it is copied. Nothing happens if it is there, or is wanted already.
FrResult fr_kitchen_order(FrKitchen *kitchen, uint64_t key, const FrStressDef *def);
/// One more owner of what was made. NULL: not made yet. `failed`: it never will be.
FrStressModel *fr_kitchen_take(FrKitchen *kitchen, uint64_t key, bool *failed);
