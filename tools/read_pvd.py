#!/usr/bin/env pvpython
# read_pvd.py: what ParaView sees in a .pvd file: one JSON line per body and time.
# usage: pvpython tools/read_pvd.py FILE.pvd        (Debian: paraview, python3-paraview)
import json
import sys

from paraview.simple import PVDReader
from paraview import servermanager

reader = PVDReader(FileName=sys.argv[1])
reader.UpdatePipelineInformation()
for time in reader.TimestepValues:
    reader.UpdatePipeline(time)
    grid = servermanager.Fetch(reader)
    cells, points = grid.GetCellData(), grid.GetPointData()
    names = sorted(cells.GetArrayName(k) for k in range(cells.GetNumberOfArrays()))
    sizes = {name: cells.GetArray(name).GetNumberOfComponents() for name in names}
    sizes["velocity"] = points.GetArray("velocity").GetNumberOfComponents()
    body, bounds, count, speed = cells.GetArray("body"), {}, {}, 0.0
    for k in range(grid.GetNumberOfCells()):
        id, box = int(body.GetValue(k)), grid.GetCell(k).GetBounds()
        old = bounds.get(id, [1e300, -1e300] * 3)
        bounds[id] = [f(old[c], box[c]) for c, f in enumerate([min, max] * 3)]
        count[id] = count.get(id, 0) + 1
    stress = cells.GetArray("von_mises").GetRange(0)[1]
    for id in bounds:
        print(json.dumps({"time": time, "body": id, "cells": count[id], "bounds": bounds[id],
                          "arrays": sizes, "von_mises": stress}))
