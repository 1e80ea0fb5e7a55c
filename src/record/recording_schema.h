// recording_schema.h: the tables of a recording (docs/recording.md explains each column).
#pragma once
#include "store/store.h"

#define FR_POSE_CHUNK 256 ///< pose samples in one row
#define FR_POSE_FLOATS 7  ///< x y z, rotation w x y z
#define FR_BODIES_MAX 1000000
#define FR_LOAD_ONE 127.0 ///< byte of a node that is about to break
#define FR_LOAD_RIGID 255 ///< byte of a node of a rigid piece; others have less

extern const FrStoreKind fr_record_kind;

/// How the rows that stay are copied into the finished file: SELECT in key order, INSERT.
typedef struct FrRecordCopy {
    const char *from, *into;
} FrRecordCopy;

extern const FrRecordCopy fr_record_copies[];
extern const int32_t fr_record_copy_count;

/// A number of the table `meta`. FR_BAD_INPUT: it is not there, or none.
FrResult fr_record_meta_real(FrStore *store, const char *key, double *value);

/// Names in the `shape` column, by FrBodyKind.
extern const char *const fr_record_shapes[3];
