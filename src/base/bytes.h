// bytes.h: growable byte buffers and bounded readers, little-endian; checkpoints and blobs are made
// of them.
#pragma once
#include "base/base.h"

typedef struct FrWriter {
    FrContext *ctx;
    uint8_t *data;
    size_t size, capacity;
    bool failed; ///< memory ran out; checked once at the end with fr_writer_result
} FrWriter;

void fr_writer_init(FrWriter *writer, FrContext *ctx);
void fr_writer_free(FrWriter *writer);
FrResult fr_writer_result(const FrWriter *writer);
void fr_write_bytes(FrWriter *writer, const void *bytes, size_t size);
void fr_write_u8(FrWriter *writer, uint8_t value);
void fr_write_i32(FrWriter *writer, int32_t value);
void fr_write_u64(FrWriter *writer, uint64_t value);
void fr_write_f64(FrWriter *writer, double value);
void fr_write_vec3(FrWriter *writer, FrVec3 value);

/// A cursor over borrowed bytes. Reading past the end sets `failed` and gives zeros.
typedef struct FrReader {
    const uint8_t *data;
    size_t size, at;
    bool failed;
} FrReader;

void fr_reader_init(FrReader *reader, const void *bytes, size_t size);
void fr_read_bytes(FrReader *reader, void *to, size_t size);
uint8_t fr_read_u8(FrReader *reader);
int32_t fr_read_i32(FrReader *reader);
uint64_t fr_read_u64(FrReader *reader);
double fr_read_f64(FrReader *reader);
FrVec3 fr_read_vec3(FrReader *reader);
size_t fr_reader_left(const FrReader *reader);
