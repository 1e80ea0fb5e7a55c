#!/usr/bin/env python3
# export_vtu.py: reads a PVD and its VTUs with the standard library only and checks every array.
# export_vtu.py FILE.pvd FRAMES: offsets and sizes add up, indices are in range, numbers are finite.
import math, os, struct, sys
import xml.etree.ElementTree as xml

SIZE = {"Float32": ("f", 4), "Int64": ("q", 8), "UInt8": ("B", 1), "Int32": ("i", 4)}

def fail(text):
    print("vtu:", text)
    sys.exit(1)

def read_vtu(path):
    data = open(path, "rb").read()
    start = data.index(b"<AppendedData")
    begin = data.index(b"_", start) + 1
    end = data.rindex(b"\n</AppendedData>")
    root = xml.fromstring(data[:start] + b"</VTKFile>")
    if root.get("header_type") != "UInt64" or root.get("byte_order") != "LittleEndian": fail("header")
    piece = root.find("UnstructuredGrid/Piece")
    points, cells = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells"))
    arrays, expected = {}, 0
    for group in piece:
        for a in group:
            offset = int(a.get("offset"))
            if offset != expected: fail("%s: offset %d, not %d" % (a.get("Name"), offset, expected))
            letter, width = SIZE[a.get("type")]
            size = struct.unpack_from("<Q", data, begin + offset)[0]
            expected = offset + 8 + size
            if begin + expected > end: fail("beyond the end")
            values = struct.unpack_from("<%d%s" % (size // width, letter), data, begin + offset + 8)
            n = int(a.get("NumberOfComponents"))
            count = {"Points": points, "PointData": points, "CellData": cells}.get(group.tag)
            if count is not None and len(values) != n * count: fail(a.get("Name") + ": wrong length")
            if letter == "f" and not all(map(math.isfinite, values)): fail("not finite")
            arrays[a.get("Name")] = values
    if begin + expected != end: fail("bytes left over")
    if len(arrays["offsets"]) != cells or arrays["offsets"][-1] != len(arrays["connectivity"]): fail("offsets")
    if not 0 <= min(arrays["connectivity"]) <= max(arrays["connectivity"]) < points: fail("connectivity")
    if set(arrays["types"]) - {5, 9, 10}: fail("types")
    if min(arrays["piece"]) < 0: fail("piece")
    if any(t >= 0 and kind != 5 for t, kind in zip(arrays["crackTime"], arrays["types"])): fail("crackTime")
    return arrays

def main():
    pvd = sys.argv[1]
    sets = xml.parse(pvd).getroot().findall("Collection/DataSet")
    if len(sets) != int(sys.argv[2]): fail("%d files" % len(sets))
    times = [float(s.get("timestep")) for s in sets]
    if times != sorted(set(times)): fail("times")
    planes = set()
    for s in sets:
        a = read_vtu(os.path.join(os.path.dirname(pvd), s.get("file")))
        planes.add(tuple(a["Points"][3 * n + c] for k, t in enumerate(a["types"]) if t == 9
                         for n in a["connectivity"][a["offsets"][k] - 4:a["offsets"][k]] for c in range(3)))
    if len(planes) > 1: fail("the planes change from frame to frame")
    tets = [k for k, t in enumerate(a["types"]) if t == 10]
    print("%d points %d tets %d bodies %d pieces %d faces of cracks %d tets without stress, largest von Mises %.6g" %
          (len(a["Points"]) // 3, len(tets), len(set(a["body"])), max(a["piece"]) + 1,
           sum(t >= 0 for t in a["crackTime"]), sum(a["von_mises"][k] == 0 for k in tets), max(a["von_mises"])))

main()
