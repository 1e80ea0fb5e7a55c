# export_model.py: what a breaking run is as USD, whoever read it, and what must hold of it. Used with a reader of our own
# by export_broken.sh and with Pixar's by tools/check_exports.py.
import bisect, collections, math

# One mesh at one time. st: (u, v) of each corner; opened: crackTime of each face; None where a mesh has none.
Shape = collections.namedtuple("Shape", "points velocities faces st opened inside outside")
# shapes: by time code, only while it is visible; piecename: primvar
Prim = collections.namedtuple("Prim", "name piecename shapes")


def sub(a, b): return (a[0] - b[0], a[1] - b[1], a[2] - b[2])
def dot(a, b): return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
def cross(a, b): return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
def of_body(prims, body): return {n: p for n, p in prims.items() if n == body or n.startswith(body + "_p")}


def volume(shape):
    p = shape.points
    return math.fsum(dot(p[a], cross(p[b], p[c])) for a, b, c in shape.faces) / 6


def bounds(points):
    return [f(p[c] for p in points) for c in range(3) for f in (min, max)]


def edges(shape):
    """For each edge: triangles that run through it one way, and the other."""
    use = collections.defaultdict(lambda: [0, 0])
    for f in shape.faces:
        for i in range(3):
            a, b = f[i], f[(i + 1) % 3]
            use[min(a, b), max(a, b)][a > b] += 1
    return use


def check_faces(prim, shape, crack_times):
    """Subsets cover every face once; crackTime is that of a crack inside, -1 outside; every corner has a UV."""
    n = len(shape.faces)
    assert prim.piecename == prim.name, (prim.name, prim.piecename)
    assert all(0 <= k < len(shape.points) for f in shape.faces for k in f), prim.name
    assert sorted(shape.inside + shape.outside) == list(range(n)), prim.name
    assert len(shape.opened) == n and len(shape.st) == 3 * n, prim.name
    assert all(shape.opened[k] == -1 for k in shape.outside), prim.name
    order = sorted(crack_times)
    for o in {shape.opened[k] for k in shape.inside}:
        at = bisect.bisect(order, o)
        assert any(abs(o - t) <= 1e-6 * t for t in order[max(at - 1, 0):at + 1]), (prim.name, o)


def check_closed(prim, shape):
    """As many triangles run through an edge one way as the other; the count of edges with more than two."""
    use = edges(shape)
    open_edges = [e for e, u in use.items() if u[0] != u[1]]
    assert not open_edges, (prim.name, len(open_edges), len(use))
    return sum(u[0] > 1 for u in use.values()), len(use)


def check_box_uvs(prim, shape):
    """`shape` at rest: the UVs of a face inside are two of its coordinates, seen along the axis nearest to its normal."""
    for k in shape.inside:
        x = [shape.points[n] for n in shape.faces[k]]
        n = cross(sub(x[1], x[0]), sub(x[2], x[0]))
        steep = max(abs(c) for c in n)
        longest = max(dot(sub(x[i], x[i - 1]), sub(x[i], x[i - 1])) for i in range(3))
        needle = steep < 1e-3 * longest  # its normal is that of rounding
        fits = [all(abs(shape.st[3 * k + i][0] - x[i][(axis + 1) % 3]) < 2e-6 and
                    abs(shape.st[3 * k + i][1] - x[i][(axis + 2) % 3]) < 2e-6 for i in range(3)) and
                (needle or abs(n[axis]) >= 0.99 * steep) for axis in range(3)]
        assert any(fits), (prim.name, k, x, shape.st[3 * k:3 * k + 3])


def read_obj(path):
    """Triangles of an OBJ: three places and three UVs each."""
    v, vt, tris = [], [], []
    for line in open(path):
        word = line.split()
        if not word: continue
        if word[0] == "v": v.append(tuple(map(float, word[1:4])))
        if word[0] == "vt": vt.append(tuple(map(float, word[1:3])))
        if word[0] == "f":
            corner = [tuple(int(i) - 1 for i in w.split("/")[:2]) for w in word[1:]]
            for k in range(1, len(corner) - 1):
                tri = [corner[0], corner[k], corner[k + 1]]
                tris.append(([v[c[0]] for c in tri], [vt[c[1]] for c in tri]))
    return tris


class Atlas:
    """The UVs that an OBJ has at places on its surface."""

    def __init__(self, tris):
        self.tri = []
        for x, uv in tris:
            u, w = sub(x[1], x[0]), sub(x[2], x[0])
            n = cross(u, w)
            self.tri.append((x[0], u, w, n, dot(n, n), uv))

    def at(self, p, near):
        """UVs at p, one for each triangle it lies on to within `near` (m)."""
        out = []
        for o, u, w, n, nn, uv in self.tri:
            d = sub(p, o)
            away = dot(d, n)
            if away * away > near * near * nn: continue
            b1, b2 = dot(cross(d, w), n) / nn, dot(cross(u, d), n) / nn
            slack = near / math.sqrt(math.sqrt(nn))
            if min(b1, b2, 1 - b1 - b2) < -slack: continue
            out.append(tuple(uv[0][c] * (1 - b1 - b2) + uv[1][c] * b1 + uv[2][c] * b2 for c in range(2)))
        return out


def check_own_uvs(prim, shape, to_file, atlas, near, within):
    """Corners outside have the UVs that the file has at their place; to_file: from the world at rest. Counts them."""
    pairs = {(shape.faces[k][i], tuple(shape.st[3 * k + i])) for k in shape.outside for i in range(3)}
    seen, own_at = 0, {}
    for n, st in pairs:
        if n not in own_at: own_at[n] = atlas.at(to_file(shape.points[n]), near)
        if not own_at[n]: continue  # chips show their tets
        seen += 1
        assert any(abs(st[0] - a[0]) < within and abs(st[1] - a[1]) < within for a in own_at[n]), (prim.name, n, st)
    return seen, len(pairs)


def check_velocities(prim, t0, t1, dt, within):
    """Between two frames of free flight points go as far as their velocities say (m)."""
    a, b = prim.shapes[t0], prim.shapes[t1]
    for p, q, v, w in zip(a.points, b.points, a.velocities, b.velocities):
        for c in range(3):
            assert abs(q[c] - p[c] - 0.5 * dt * (v[c] + w[c])) < within, (prim.name, p, q, v, w)


class Near:
    """Places that can be asked for to within a distance."""

    def __init__(self, points, within):
        self.cell, self.within, self.grid = 4 * within, within, collections.defaultdict(list)
        for p in points: self.grid[self.key(p)].append(p)

    def key(self, p): return tuple(int(math.floor(c / self.cell)) for c in p)

    def has(self, p):
        k = self.key(p)
        return any(max(abs(a - b) for a, b in zip(p, q)) <= self.within
                   for i in (-1, 0, 1) for j in (-1, 0, 1) for l in (-1, 0, 1)
                   for q in self.grid.get((k[0] + i, k[1] + j, k[2] + l), ()))


def check_topology_final(prims, run):
    """The last mesh over all frames: the same faces throughout, pieces by the names and volumes of the report."""
    told = {p["name"]: p for p in run.report["piece_table"]}
    assert set(told) <= set(prims), set(told) - set(prims)
    folds = edges_seen = 0
    for name, prim in prims.items():
        first = prim.shapes[min(prim.shapes)]
        for t, shape in prim.shapes.items():
            assert shape.faces == first.faces and shape.opened == first.opened and shape.st == first.st, (name, t)
        if name not in told: continue
        gone = told[name]["gone_s"]
        assert sorted(prim.shapes) == [t for t in run.codes if gone is None or run.seconds(t) < gone], (name, sorted(prim.shapes))
        check_faces(prim, first, run.crack_times[run.body_of(name)])
        folded, all_edges = check_closed(prim, first)
        folds, edges_seen = folds + folded, edges_seen + all_edges
        check_box_uvs(prim, moved(first, run.at[run.body_of(name)]))
    assert folds <= 0.003 * edges_seen, (folds, edges_seen)
    return folds, edges_seen


def check_topology_changing(prims, run):
    """The mesh of each frame: no face before its crack, pieces from their birth on."""
    for name, prim in prims.items():
        told = next((p for p in run.report["piece_table"] if p["name"] == name), None)
        if told is None: continue
        for t, shape in prim.shapes.items():
            if shape.opened is None: continue
            check_faces(prim, shape, run.crack_times[run.body_of(name)])
            check_closed(prim, shape)
            assert all(o <= run.seconds(t) * (1 + 1e-6) for o in shape.opened), (name, t)
        born = told["born_s"] if told["piece"] else 0
        gone = math.inf if told["gone_s"] is None else told["gone_s"]
        wanted = [t for t in run.codes if born <= run.seconds(t) < gone]
        assert sorted(prim.shapes) == wanted, (name, sorted(prim.shapes), wanted)


def moved(shape, by):
    """The same shape with its points in the frame of its body."""
    return shape._replace(points=[sub(p, by) for p in shape.points])


def check_volumes(prims, run, body, whole, within):
    """Pieces at rest hold what the body does, and those without a skin what the report says."""
    first = {n: volume(p.shapes[min(p.shapes)]) for n, p in of_body(prims, body).items()}
    assert abs(math.fsum(first.values()) - whole) < within * whole, (sum(first.values()), whole)
    return first


def from_triangle(p, x):
    """Distance from a place to a triangle (Ericson's regions)."""
    ab, ac, ap = sub(x[1], x[0]), sub(x[2], x[0]), sub(p, x[0])
    n = cross(ab, ac)
    nn = dot(n, n)
    if nn > 0:
        v, w = dot(cross(ap, ac), n) / nn, dot(cross(ab, ap), n) / nn
        if v >= 0 and w >= 0 and v + w <= 1: return abs(dot(ap, n)) / math.sqrt(nn)
    least = math.inf
    for i in range(3):
        side, d = sub(x[(i + 1) % 3], x[i]), sub(p, x[i])
        t = min(1, max(0, dot(d, side) / max(dot(side, side), 1e-300)))
        least = min(least, dot(*[tuple(d[c] - t * side[c] for c in range(3))] * 2))
    return math.sqrt(least)


def check_same_motion(final, changing, body, share, at_rest, bent):
    """Where the mesh of a frame has a point, the last mesh has one then, or a surface (m): cuts may move nodes along it."""
    mine, other = of_body(final, body), of_body(changing, body)
    times = sorted(next(iter(mine.values())).shapes)
    for t in times:
        now = [q.shapes[t] for q in mine.values() if t in q.shapes]
        near = Near([p for s in now for p in s.points], 2e-7)
        points = [p for q in other.values() if t in q.shapes for p in q.shapes[t].points]
        missing = [p for p in points if not near.has(p)]
        assert len(missing) <= (1 - share) * len(points), (body, t, len(missing), len(points))
        faces, slack = [[s.points[k] for k in f] for s in now for f in s.faces], at_rest if t == times[0] else bent
        boxes = [bounds(x) for x in faces]
        for p in missing[::1 + len(missing) // 40]:
            assert any(from_triangle(p, x) <= slack for x, b in zip(faces, boxes)
                       if all(b[2 * c] - slack <= p[c] <= b[2 * c + 1] + slack for c in range(3))), (body, t, p)


class Run:
    """What a run says of itself: report.json, events.csv."""

    def __init__(self, report, events, codes, per_second, at):
        self.report, self.events, self.codes, self.per_second, self.at = report, events, codes, per_second, at
        self.crack_times = collections.defaultdict(set)
        for e in events:
            if e["kind"] == "crack": self.crack_times[e["a_name"].replace(" ", "_")].add(float(e["t_s"]))

    def seconds(self, code): return (code - self.codes[0]) / self.per_second
    def body_of(self, prim): return next(b for b in self.at if prim == b or prim.startswith(b + "_p"))


def obj_volume(tris): return math.fsum(dot(x[0], cross(x[1], x[2])) for x, uv in tris) / 6


def check_broken(final, changing, run, obj, skinned, bare, bare_volume):
    """All of it, for a run with a body in the skin of an OBJ and one that is seen as its tets are. Says what it saw."""
    folds, all_edges = check_topology_final(final, run)
    check_topology_changing(changing, run)
    tris = read_obj(obj)
    rest = check_volumes(final, run, skinned, obj_volume(tris), 0.01)
    assert min(rest.values()) > 0, rest
    told = {p["name"]: p["volume_m3"] for p in run.report["piece_table"]}
    for name, v in check_volumes(final, run, bare, bare_volume, 1e-6).items():
        assert abs(v - told[name]) < 1e-5 * bare_volume, (name, v, told[name])
    atlas, seen, corners, places = Atlas(tris), 0, 0, set()
    for topology in final, changing:
        for name, prim in of_body(topology, skinned).items():
            first = prim.shapes[min(prim.shapes)]
            if min(prim.shapes) != run.codes[0]: continue  # no longer at rest
            found = check_own_uvs(prim, first, lambda p: sub(p, run.at[skinned]), atlas, 1e-6, 2e-5)
            seen, corners = seen + found[0], corners + found[1]
            places.update(tuple(round(c, 6) for c in sub(p, run.at[skinned])) for p in first.points)
    assert seen > 0.97 * corners, (seen, corners)
    corner = {tuple(round(c, 6) for c in p) for x, uv in tris for p in x}
    there = Near(places, 2e-6)
    assert all(there.has(p) for p in corner), "a vertex of the OBJ is gone"
    check_same_motion(final, changing, bare, 0.5, 1e-7, 1e-4)
    check_same_motion(final, changing, skinned, 0.8, 1e-7, 1e-3)
    return "%d pieces, %d faces of cracks, %d corners with the UVs of the OBJ, %d of %d edges with four triangles" % (
        len(told), sum(len(p.shapes[min(p.shapes)].inside) for p in final.values()), seen, folds, all_edges)
