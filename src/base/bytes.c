// bytes.c: little-endian writing into a growing buffer, bounded reading from borrowed bytes.

#include "base/bytes.h"
#include <string.h>

void fr_writer_init(FrWriter *writer, FrContext *ctx) { *writer = (FrWriter){.ctx = ctx}; }

void fr_writer_free(FrWriter *writer) {
    if (writer->ctx) fr_free(writer->ctx, writer->data);
    writer->data = NULL;
    writer->size = writer->capacity = 0;
}

FrResult fr_writer_result(const FrWriter *writer) {
    return writer->failed ? fr_no_memory(writer->ctx, "a byte buffer") : FR_OK;
}

static bool make_room(FrWriter *writer, size_t more) {
    size_t wanted;
    if (__builtin_add_overflow(writer->size, more, &wanted)) return false;
    if (wanted <= writer->capacity) return true;
    size_t grown = wanted > SIZE_MAX / 2 ? wanted : 2 * wanted;
    uint8_t *moved = fr_resize(writer->ctx, writer->data, grown);
    if (!moved) return false;
    writer->data = moved;
    writer->capacity = grown;
    return true;
}

void fr_write_bytes(FrWriter *writer, const void *bytes, size_t size) {
    if (writer->failed || size == 0) return;
    if (!make_room(writer, size)) {
        writer->failed = true;
        return;
    }
    memcpy(writer->data + writer->size, bytes, size);
    writer->size += size;
}

void fr_write_u8(FrWriter *writer, uint8_t value) { fr_write_bytes(writer, &value, 1); }

void fr_write_u64(FrWriter *writer, uint64_t value) {
    uint8_t bytes[8];
    for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k));
    fr_write_bytes(writer, bytes, sizeof bytes);
}

void fr_write_i32(FrWriter *writer, int32_t value) {
    uint8_t bytes[4];
    for (int k = 0; k < 4; k++) bytes[k] = (uint8_t)((uint32_t)value >> (8 * k));
    fr_write_bytes(writer, bytes, sizeof bytes);
}

void fr_write_f64(FrWriter *writer, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr_write_u64(writer, bits);
}

void fr_write_vec3(FrWriter *writer, FrVec3 value) {
    fr_write_f64(writer, value.x);
    fr_write_f64(writer, value.y);
    fr_write_f64(writer, value.z);
}

void fr_reader_init(FrReader *reader, const void *bytes, size_t size) {
    *reader = (FrReader){bytes, size, 0, false};
}

size_t fr_reader_left(const FrReader *reader) {
    return reader->failed ? 0 : reader->size - reader->at;
}

void fr_read_bytes(FrReader *reader, void *to, size_t size) {
    if (size == 0) return;
    if (fr_reader_left(reader) < size) {
        reader->failed = true;
        memset(to, 0, size);
        return;
    }
    memcpy(to, reader->data + reader->at, size);
    reader->at += size;
}

uint8_t fr_read_u8(FrReader *reader) {
    uint8_t value;
    fr_read_bytes(reader, &value, 1);
    return value;
}

uint64_t fr_read_u64(FrReader *reader) {
    uint8_t bytes[8];
    uint64_t value = 0;
    fr_read_bytes(reader, bytes, sizeof bytes);
    for (int k = 0; k < 8; k++) value |= (uint64_t)bytes[k] << (8 * k);
    return value;
}

int32_t fr_read_i32(FrReader *reader) {
    uint8_t bytes[4];
    uint32_t value = 0;
    fr_read_bytes(reader, bytes, sizeof bytes);
    for (int k = 0; k < 4; k++) value |= (uint32_t)bytes[k] << (8 * k);
    return (int32_t)value;
}

double fr_read_f64(FrReader *reader) {
    uint64_t bits = fr_read_u64(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FrVec3 fr_read_vec3(FrReader *reader) {
    FrVec3 value;
    value.x = fr_read_f64(reader);
    value.y = fr_read_f64(reader);
    value.z = fr_read_f64(reader);
    return value;
}
