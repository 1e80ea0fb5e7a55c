#!/usr/bin/env pvpython
# read_pvd.py: what ParaView sees in a .pvd file: one JSON line per piece and time.
# usage: pvpython tools/read_pvd.py FILE.pvd        (Debian: paraview, python3-paraview)
import json
import sys

from paraview.simple import PVDReader
from paraview import servermanager

TETRA = 10  # of VTK


def volume(a, b, c, d):
    u, v, w = ([p[k] - a[k] for k in range(3)] for p in (b, c, d))
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])) / 6


reader = PVDReader(FileName=sys.argv[1])
reader.UpdatePipelineInformation()
for time in reader.TimestepValues:
    reader.UpdatePipeline(time)
    grid = servermanager.Fetch(reader)
    cells, points = grid.GetCellData(), grid.GetPointData()
    names = sorted(cells.GetArrayName(k) for k in range(cells.GetNumberOfArrays()))
    sizes = {name: cells.GetArray(name).GetNumberOfComponents() for name in names}
    sizes["velocity"] = points.GetArray("velocity").GetNumberOfComponents()
    body, piece, opened = (cells.GetArray(name) for name in ("body", "piece", "crackTime"))
    # of each piece: box, tets, their volume, when each face that a crack opened was opened
    seen = {}
    for k in range(grid.GetNumberOfCells()):
        cell, id = grid.GetCell(k), (int(body.GetValue(k)), int(piece.GetValue(k)))
        box, own = cell.GetBounds(), seen.setdefault(id, {"bounds": [1e300, -1e300] * 3, "cells": 0, "volume": 0.0, "opened": []})
        own["bounds"] = [f(own["bounds"][c], box[c]) for c, f in enumerate([min, max] * 3)]
        own["cells"] += 1
        if cell.GetCellType() == TETRA:
            x = [cell.GetPoints().GetPoint(i) for i in range(4)]
            own["volume"] += volume(*x)
        if opened.GetValue(k) >= 0:
            own["opened"].append(opened.GetValue(k))
    stress = cells.GetArray("von_mises").GetRange(0)[1]
    for id in sorted(seen):
        print(json.dumps({"time": time, "body": id[0], "piece": id[1], "arrays": sizes, "von_mises": stress, **seen[id]}))
