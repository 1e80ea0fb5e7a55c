// bank_store.h: the tables of a soundbank file; only bank_file.c and bank_build.c look inside.
#pragma once
#include "store/store.h"

extern const FrStoreKind fr_bank_kind;

/// Appends the head's bytes.
FrResult fr_bank_store_head(FrStore *store, FrWriter *w);
