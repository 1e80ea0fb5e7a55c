# export_obj.py: a strict reader of OBJ files of pieces, and what must hold of them together. usage: export_obj.py FOLDER VOLUME [CRACKED]
# VOLUME: of all pieces at rest, m^3; CRACKED: area of their cracks, m^2, one side.
import collections, math, pathlib, sys


def sub(a, b): return tuple(x - y for x, y in zip(a, b))
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def read(path):
    """Rows by word, and faces by group; every word is known, every number finite, every index there."""
    rows, faces, group, names = {"v": [], "vt": [], "vn": []}, collections.defaultdict(list), None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        word, *rest = line.split()
        at = f"{path}:{number}"
        if word in rows:
            row = tuple(map(float, rest))
            assert len(row) == (2 if word == "vt" else 3) and all(map(math.isfinite, row)), at
            rows[word].append(row)
        elif word == "f":
            corners = [tuple(int(i) - 1 for i in c.split("/")) for c in rest]
            assert group and len(corners) == 3 and all(len(c) == 3 for c in corners), at
            for corner in corners:
                assert all(0 <= i < len(rows[w]) for i, w in zip(corner, ("v", "vt", "vn"))), at
            faces[group].append(corners)
        elif word == "g":
            group = rest[0]
            assert group in ("outside", "inside") and not faces[group], at
        elif word == "o":
            names += rest
        else:
            assert word in ("#", "usemtl"), at
    assert names == [path.name[:-len(".obj")]], (path, names)
    return rows, faces


def area_normal(v, face): return tuple(0.5 * c for c in cross(sub(v[face[1][0]], v[face[0][0]]), sub(v[face[2][0]], v[face[0][0]])))


def check(path):
    """Closed, every point used, normals of unit length on the side of their faces. Volume, and area inside."""
    rows, faces = read(path)
    v, every = rows["v"], [f for group in faces.values() for f in group]
    use = collections.Counter()
    for f in every:
        for i in range(3): use[f[i][0], f[(i + 1) % 3][0]] += 1
    assert all(use[a, b] == use[b, a] for a, b in use), (path, "open")
    assert {c[0] for f in every for c in f} == set(range(len(v))), path
    for n in rows["vn"]: assert abs(dot(n, n) - 1) < 1e-4, (path, n)  # five digits
    # round edges: a corner's normal is a mean of faces within 40 degrees of its own
    flat = max(math.sqrt(dot(a, a)) for a in (area_normal(v, f) for f in every))
    for f in every:
        a = area_normal(v, f)
        size = math.sqrt(dot(a, a))
        for c in f: assert size < 1e-6 * flat or dot(rows["vn"][c[2]], a) > math.cos(math.radians(41)) * size, (path, f)
    volume = math.fsum(dot(v[f[0][0]], cross(v[f[1][0]], v[f[2][0]])) for f in every) / 6
    assert volume > 0, path
    return volume, math.fsum(math.sqrt(dot(a, a)) for a in (area_normal(v, f) for f in faces["inside"]))


found = [check(p) for p in sorted(pathlib.Path(sys.argv[1]).glob("*.obj"))]
volume, inside = (math.fsum(f[k] for f in found) for k in (0, 1))
# nine digits of each coordinate of 0.1 m, over walls of 5 mm
assert abs(volume - float(sys.argv[2])) < 1e-6 * volume, (volume, sys.argv[2])
if len(sys.argv) > 3: assert abs(inside - 2 * float(sys.argv[3])) < 1e-6 * inside, (inside, sys.argv[3])
print(f"{len(found)} pieces, {volume * 1e6:.3f} cm3, {inside * 1e4:.2f} cm2 inside")
