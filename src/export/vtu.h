// vtu.h: frames for ParaView: one VTU per frame and a PVD that lists them.
#pragma once
#include "record/recording.h"

/// Writes `path` (.pvd) and NAME_frames/NAME_00000.vtu, ... beside it; the .pvd comes last, so that
/// what it lists exists. Point data: velocity. Cell data: body, piece, crackTime (s; faces
/// that cracks opened are triangles of their own; -1: all other cells), stress (Cauchy) and strain
/// (Green) as XX YY ZZ XY YZ XZ, von_mises.
FrResult fr_export_pvd(FrContext *ctx, const FrFrameSource *source, const char *path);
