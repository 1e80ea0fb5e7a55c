// cut_code.h: what cuts did to a mesh, as bytes and back, checked.
//
// Little-endian. Head, not packed: eight int32: nodes before, new nodes, tets before, divisions,
// children, open faces, steps, moved nodes. Then a zlib stream of:
//   steps:      int32 x 5 each: new nodes, divisions, children, open faces and moved nodes up to
//   its
//               end, float64 when, s; pieces are distinguished after each step
//   new nodes:  int32 a of each, int32 b of each, float64 t of each: (1 - t) a + t b, a = b: a copy
//   divisions:  int32 parent of each, int32 number of children of each
//   children:   int32 x 4 corners of each; the first child keeps its parent's number, the others
//               get the next free ones
//   open faces: int32 x 9 each: tets on either side, the corners as one side and as the other names
//               them, divisions before it
//   moved nodes: int32 x 5 each: node, other end of the edge that it moves along, nodes of the
//   mesh,
//               divisions before and after the cut; float64 x 4: how far along the edge, where it
//               rested, m
#pragma once
#include "base/bytes.h"
#include "cut/cutlog.h"

#define FR_CUT_HEAD_BYTES 32

typedef struct FrCutHead {
    int32_t first_node, nodes, first_tet, divisions, children, faces, steps, moves;
} FrCutHead;

/// first_tet: tets before the log. z is scratch. `out` is replaced.
FrResult fr_cut_code_write(FrContext *ctx, const FrCutLog *log, int32_t first_tet, FrWriter *raw,
                           FrWriter *z, FrWriter *out);
/// FR_BAD_INPUT: counts that cannot be.
FrResult fr_cut_code_head(FrContext *ctx, const void *bytes, size_t size, FrCutHead *head);
/// Replaces what `log` holds. Parents' corners are taken from `tet` (first_tet of them) and from
/// earlier children. FR_BAD_INPUT: the log is empty.
FrResult fr_cut_code_read(FrContext *ctx, const void *bytes, size_t size, const int32_t (*tet)[4],
                          FrCutLog *log);
