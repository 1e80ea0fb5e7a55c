#!/usr/bin/env python3
# by_eye.py: what an eye would check of a run in which things broke, from its recording, report and poster.
#   tools/by_eye.py out/bowl                     what holds for every run
#   tools/by_eye.py out/panes --pane glass       a body struck in its middle: radial cracks, rings, sizes of shards
#   tools/by_eye.py out/panes --ductile lead --petals vinyl   dents that stay; holes with petals
#   tools/by_eye.py out/bowl --faces out/bowl-faces   the same scene with remeshing off beside it
# Each line: what, measured, wanted, ok or NO ("-": the run is too short to tell). Exit 1 when a line says NO.
import argparse, json, math, os, sqlite3, struct, sys, zlib

FACES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))
NEEDLE, FRONT, ON_FACE = 20.0, 150.0, math.cos(math.radians(1.0))
LEAST_DENT = 0.1   # of the wall: less is none
failed = []


def row(what, measured, wanted, good):
    print("%-58s %-26s %-18s %s" % (what, measured, wanted, "-" if good is None else "ok" if good else "NO"))
    if good is False:
        failed.append(what)


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def between(a, b, t):
    return tuple((1 - t) * u + t * w for u, w in zip(a, b))


def unit(a):
    length = math.sqrt(dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length) if length > 0.0 else (0.0, 0.0, 0.0)


def share_below(pairs, part):
    """the value below which `part` of the weight lies; pairs (value, weight)"""
    left = part * sum(w for _, w in pairs)
    for value, weight in sorted(pairs):
        left -= weight
        if left <= 0.0:
            return value
    return math.nan


class Body:
    """a body that broke: its last mesh, where each node and tet came from, and its pieces"""

    def __init__(self, db, key, name, mesh):
        self.key, self.name = key, name
        nodes, corners, tets, z = db.execute("SELECT nodes, corners, tets, z FROM mesh WHERE hash = ?", (mesh,)).fetchone()
        raw = zlib.decompress(z)
        flat = struct.unpack_from("<%dd" % (3 * nodes), raw)
        self.rest = [flat[3 * k:3 * k + 3] for k in range(nodes)]
        flat = struct.unpack_from("<%di" % (4 * tets), raw, 24 * nodes)
        self.tet = [flat[4 * e:4 * e + 4] for e in range(tets)]
        self.root_tet, self.first_rest = list(self.tet), list(self.rest)
        self.root = list(range(tets))
        self.made = []   # (a, b, t) of new nodes
        self.moved = []  # (nodes before, node, to, t) of those that cuts moved
        self.first_nodes = nodes
        for log, in db.execute("SELECT cutlog FROM topo WHERE body = ? ORDER BY tick", (key,)):
            self.follow(log)
        self.across = self.neighbours(self.tet)
        self.volume = [self.tet_volume(e) for e in range(len(self.tet))]
        self.name_pieces()

    def follow(self, log):
        _, nodes, _, divisions, children, faces, steps, moves = struct.unpack_from("<8i", log)
        raw = zlib.decompress(log[32:])
        at = 28 * steps
        a = struct.unpack_from("<%di" % nodes, raw, at)
        b = struct.unpack_from("<%di" % nodes, raw, at + 4 * nodes)
        t = struct.unpack_from("<%dd" % nodes, raw, at + 8 * nodes)
        at += 16 * nodes
        parent = struct.unpack_from("<%di" % divisions, raw, at)
        count = struct.unpack_from("<%di" % divisions, raw, at + 4 * divisions)
        corner = struct.unpack_from("<%di" % (4 * children), raw, at + 8 * divisions)
        move = [struct.unpack_from("<5i4d", raw, at + 8 * divisions + 16 * children + 36 * faces + 52 * k) for k in range(moves)]
        for k in range(nodes):
            while move and move[0][2] == len(self.rest):
                node, to, before, _, _, part = move.pop(0)[:6]
                self.moved.append((before, node, to, part))
                self.rest[node] = between(self.rest[node], self.rest[to], part)
            self.made.append((a[k], b[k], t[k]))
            self.rest.append(between(self.rest[a[k]], self.rest[b[k]], t[k]))
        child = 0
        for k in range(divisions):
            for j in range(count[k]):
                nodes_of = corner[4 * child:4 * child + 4]
                if j == 0:
                    self.tet[parent[k]] = nodes_of
                else:
                    self.tet.append(nodes_of)
                    self.root.append(self.root[parent[k]])
                child += 1

    @staticmethod
    def neighbours(tets):
        """face (tet, i) -> the tet on its other side"""
        seen, across = {}, {}
        for e, n in enumerate(tets):
            for i, f in enumerate(FACES):
                face = tuple(sorted((n[f[0]], n[f[1]], n[f[2]])))
                if face in seen:
                    other = seen.pop(face)
                    across[e, i], across[other] = other[0], e
                else:
                    seen[face] = (e, i)
        return across

    def tet_volume(self, e):
        a, b, c, d = (self.rest[n] for n in self.tet[e])
        return abs(dot(cross(sub(b, a), sub(c, a)), sub(d, a))) / 6.0

    def name_pieces(self):
        self.piece_of = [-1] * len(self.tet)
        self.piece = []   # tets of each
        for seed in range(len(self.tet)):
            if self.piece_of[seed] >= 0:
                continue
            found = [seed]
            self.piece_of[seed] = len(self.piece)
            for e in found:
                for i in range(4):
                    other = self.across.get((e, i), -1)
                    if other >= 0 and self.piece_of[other] < 0:
                        self.piece_of[other] = len(self.piece)
                        found.append(other)
            self.piece.append(found)
        self.piece_volume = [sum(self.volume[e] for e in p) for p in self.piece]
        self.piece_nodes = [sorted({n for e in p for n in self.tet[e]}) for p in self.piece]
        self.weight = []   # of nodes
        share = [0.0] * len(self.rest)
        for e, n in enumerate(self.tet):
            for i in n:
                share[i] += self.volume[e] / 4
        self.weight = share

    def grow(self, x, end=None):
        """positions or velocities of the nodes there were -> of all nodes of the last mesh, or of the first `end`"""
        x = list(x)
        end = len(self.rest) if end is None else end
        moved = [m for m in self.moved if m[0] >= len(x)]
        for a, b, t in self.made[len(x) - self.first_nodes:end - self.first_nodes]:
            while moved and moved[0][0] == len(x):
                _, node, to, part = moved.pop(0)
                x[node] = between(x[node], x[to], part)
            x.append(between(x[a], x[b], t))
        return x

    def crack_facets(self):
        """(tet, i, normal, area) of the faces that cracks opened, in the rest shape"""
        first = self.neighbours(self.root_tet)
        for e, n in enumerate(self.tet):
            for i, f in enumerate(FACES):
                if (e, i) in self.across:
                    continue
                p = [self.rest[n[k]] for k in f]
                normal = cross(sub(p[1], p[0]), sub(p[2], p[0]))
                area = 0.5 * math.sqrt(dot(normal, normal))
                if area > 0.0 and not self.outside(first, self.root[e], p):
                    yield e, i, unit(normal), area

    def outside(self, first, root, p):
        """do these points lie on a face that was open before the first cut?"""
        n = self.root_tet[root]
        for i, f in enumerate(FACES):
            if (root, i) in first:
                continue
            q = [self.first_rest[n[k]] for k in f]
            normal = unit(cross(sub(q[1], q[0]), sub(q[2], q[0])))
            size = max(math.dist(q[0], q[1]), math.dist(q[0], q[2]))
            if all(abs(dot(normal, sub(x, q[0]))) < 1e-6 * size for x in p):
                return True
        return False

    def wall(self):
        """thickness of a wall with this volume and surface, m"""
        first, surface = self.neighbours(self.root_tet), 0.0
        for e, n in enumerate(self.root_tet):
            for i, f in enumerate(FACES):
                p = [self.first_rest[n[k]] for k in f]
                normal = cross(sub(p[1], p[0]), sub(p[2], p[0]))
                surface += 0.0 if (e, i) in first else 0.5 * math.sqrt(dot(normal, normal))
        return 2.0 * sum(self.volume) / surface

    def centre(self, x, k):
        total = sum(self.weight[n] for n in self.piece_nodes[k])
        return tuple(sum(self.weight[n] * x[n][c] for n in self.piece_nodes[k]) / total for c in range(3))


class Run:
    def __init__(self, folder):
        self.folder = folder
        path = os.path.join(folder, "run.fracas")
        if not os.path.exists(path):
            sys.exit("%s: no run.fracas there" % folder)
        self.db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        self.meta = dict(self.db.execute("SELECT k, v FROM meta"))
        report = os.path.join(folder, "report.json")
        if self.meta.get("state") != "finished" or not os.path.exists(report):
            sys.exit("%s: the run is not finished: fracas run goes on with it" % folder)
        self.report = json.load(open(report))
        self.scene = json.loads(self.meta["scene"])
        self.gravity = self.scene.get("scene", {}).get("gravity", [0, 0, -9.81])
        self.frames = self.db.execute("SELECT tick, t FROM frame ORDER BY tick").fetchall()
        self.body_name = dict(self.db.execute("SELECT id, name FROM body"))
        self.bodies = [Body(self.db, *r) for r in self.db.execute(
            "SELECT id, name, mesh FROM body WHERE mesh IS NOT NULL AND id IN (SELECT body FROM topo) ORDER BY id")]

    def find(self, name):
        """a body that bends, broken or not"""
        for body in self.bodies:
            if body.name == name:
                return body
        found = self.db.execute("SELECT id, name, mesh FROM body WHERE mesh IS NOT NULL AND name = ?", (name,)).fetchone()
        return Body(self.db, *found) if found else sys.exit("%s: no body %s that bends" % (self.folder, name))

    @staticmethod
    def state(enc, z):
        raw = zlib.decompress(z)
        head = struct.unpack_from("<13d", raw)
        if enc != 1:
            return None
        planes, n = raw[104:], (len(raw) - 104) // 24
        mixed = bytearray(24 * n)
        for k in range(4):
            mixed[k::4] = planes[k * 6 * n:(k + 1) * 6 * n]
        flat = struct.unpack("<%df" % (6 * n), bytes(mixed))
        x = [(head[0] + flat[k], head[1] + flat[n + k], head[2] + flat[2 * n + k]) for k in range(n)]
        v = [(flat[3 * n + k], flat[4 * n + k], flat[5 * n + k]) for k in range(n)]
        return x, v

    def at(self, tick, body):
        enc, z = self.db.execute("SELECT enc, z FROM state WHERE tick = ? AND body = ?", (tick, body.key)).fetchone()
        x, v = self.state(enc, z)
        return body.grow(x), body.grow(v)

    def heads(self, tick):
        """centre and velocity of bodies that do not bend"""
        for key, enc, z in self.db.execute("SELECT body, enc, z FROM state WHERE tick = ?", (tick,)):
            if enc != 1:
                head = struct.unpack_from("<13d", zlib.decompress(z))
                yield key, head[3:6], head[10:13]

    def impact_speed(self):
        """of what strikes: the largest speed in the first frame"""
        tick = self.frames[0][0]
        speeds = [math.hypot(*v) for _, _, v in self.heads(tick)]
        for body in self.bodies:
            _, v = self.at(tick, body)
            speeds.append(max((math.hypot(*u) for u in v), default=0.0))
        speeds += [math.hypot(*hand["velocity"]) for hand in self.hands()]
        return max(speeds, default=0.0)

    def hands(self):
        """what leads parts of bodies"""
        return [load["drive"] for load in self.scene.get("loads", []) if "drive" in load]

    def last_crack(self):
        return self.db.execute("SELECT max(t) FROM event WHERE kind IN (2, 3)").fetchone()[0]


def check_energy(run):
    """what moves and bends against what was there and was brought in until then, frame by frame"""
    start, most, made = run.report["energy"]["start"], 0.0, 0.0
    for kinetic, elastic, external in run.db.execute("SELECT kinetic, elastic, external FROM energy"):
        most = max(most, start + external)
        made = max(made, kinetic + elastic - start - external)
    print("%s: pieces %d, cracks %d" % (run.folder, run.report["pieces"], run.report["cracks"]))
    if most > 0.0:
        row("no explosion: energy above what was given", "%.2f %%" % (100 * made / most), "< 5 %", made < 0.05 * most)


def check_tets(body):
    facets = list(body.crack_facets())
    area = sum(f[3] for f in facets)
    if not area > 0.0:
        return
    along = 0.0
    for e, _, normal, size in facets:
        n = body.root_tet[body.root[e]]
        p = [body.first_rest[k] for k in n]
        if any(abs(dot(normal, unit(cross(sub(p[f[1]], p[f[0]]), sub(p[f[2]], p[f[0]]))))) > ON_FACE for f in FACES):
            along += size
    row("%s: crack area within 1 degree of a first face" % body.name, "%.1f %%" % (100 * along / area), "<= 20 %", along <= 0.2 * area)
    # neighbours on one side of a crack share an edge; weighted by its length. The two sides of a crack meet at its front
    edges, angles = {}, []
    for e, i, normal, _ in facets:
        n = [body.tet[e][k] for k in FACES[i]]
        for k in range(3):
            edges.setdefault(tuple(sorted((n[k], n[(k + 1) % 3]))), []).append(normal)
    for (a, b), normals in edges.items():
        if len(normals) == 2:
            angle = math.degrees(math.acos(max(-1.0, min(1.0, dot(*normals)))))
            if angle < FRONT:
                angles.append((angle, math.dist(body.rest[a], body.rest[b])))
    middle = share_below(angles, 0.5)
    row("%s: median angle of neighbouring crack facets" % body.name, "%.1f degrees" % middle, "<= 25", middle <= 25.0)
    single = sum(v for p, v in zip(body.piece, body.piece_volume) if len(p) == 1) / sum(body.volume)
    row("%s: volume of single-tet pieces" % body.name, "%.2f %%" % (100 * single), "<= 3 %", single <= 0.03)


def aspect(body, k):
    """longest over middle axis of the box of equal inertia"""
    c = body.centre(body.rest, k)
    m = [[0.0] * 3 for _ in range(3)]
    for n in body.piece_nodes[k]:
        d = sub(body.rest[n], c)
        for i in range(3):
            for j in range(3):
                m[i][j] += body.weight[n] * d[i] * d[j]
    q = (m[0][0] + m[1][1] + m[2][2]) / 3
    for i in range(3):
        m[i][i] -= q
    p = math.sqrt(sum(m[i][j] ** 2 for i in range(3) for j in range(3)) / 6)
    if not p > 0.0:
        return 1.0
    det = dot(m[0], cross(m[1], m[2])) / p ** 3
    phi = math.acos(max(-1.0, min(1.0, det / 2))) / 3
    first, last = q + 2 * p * math.cos(phi), q + 2 * p * math.cos(phi + 2 * math.pi / 3)
    return math.sqrt(first / max(3 * q - first - last, 1e-30 * first))


def check_needles(body):
    volume = sum(v for k, v in enumerate(body.piece_volume) if aspect(body, k) > NEEDLE)
    share = volume / sum(body.volume)
    row("%s: volume of needles" % body.name, "%.2f %%" % (100 * share), "<= 1 %", share <= 0.01)


def pieces_through(run, body):
    """per frame (t, velocities, boxes, speeds of their fastest nodes) of the last pieces"""
    for tick, t in run.frames:
        x, v = run.at(tick, body)
        boxes = [box_of([x[n] for n in nodes]) for nodes in body.piece_nodes]
        count = len(body.piece)
        fastest = [max(math.hypot(*v[n]) for n in nodes) for nodes in body.piece_nodes]
        yield t, [body.centre(v, k) for k in range(count)], boxes, fastest


def apart(a, b, gap):
    return any(a[0][c] > b[1][c] + gap or b[0][c] > a[1][c] + gap for c in range(3))


def sweep(now, then, more):
    """the box of two, grown by how far it can have been in between"""
    return (tuple(min(a, b) - more for a, b in zip(now[0], then[0])), tuple(max(a, b) + more for a, b in zip(now[1], then[1])))


def box_of(points):
    return (tuple(min(p[c] for p in points) for c in range(3)), tuple(max(p[c] for p in points) for c in range(3)))


def reaches(run):
    """of bodies of tets that do not bend, m from where they are said to be"""
    reach = {}
    for key, nodes, z in run.db.execute("SELECT id, nodes, z FROM body JOIN mesh ON mesh = hash WHERE model IN ('frame', 'modal')"):
        flat = struct.unpack_from("<%dd" % (3 * nodes), zlib.decompress(z))
        reach[key] = max(math.hypot(*flat[3 * k:3 * k + 3]) for k in range(nodes))
    return reach


def other_boxes(run, tick, body):
    """boxes of the other bodies of tets, those in many pieces as a whole"""
    boxes = []
    for key, enc, z in run.db.execute("SELECT body, enc, z FROM state WHERE tick = ? AND body != ?", (tick, body.key)):
        if enc == 1:
            boxes.append(box_of(run.state(enc, z)[0]))
        elif key in run.reach:
            head = struct.unpack_from("<13d", zlib.decompress(z))
            boxes.append((tuple(c - run.reach[key] for c in head[3:6]), tuple(c + run.reach[key] for c in head[3:6])))
    return boxes


def fly_freely(run, boxes, k, balls, others, gap):
    lo = boxes[k][0]
    if not all(apart(boxes[k], other, gap) for other in others):
        return False
    if any(lo[2] < offset + gap for offset in run.floors):
        return False
    if any(all(b[0][c] - gap - r < p[c] < b[1][c] + gap + r for c in range(3)) for p, r in balls for b in (boxes[k],)):
        return False
    return all(j == k or apart(boxes[k], boxes[j], gap) for j in range(len(boxes)))


def solve3(m, b):
    """m x = b by elimination; m symmetric, positive"""
    rows = [list(r) + [v] for r, v in zip(m, b)]
    for i in range(3):
        for j in range(3):
            if j != i:
                part = rows[j][i] / rows[i][i]
                rows[j] = [u - part * w for u, w in zip(rows[j], rows[i])]
    return tuple(rows[i][3] / rows[i][i] for i in range(3))


def turning(body, k, x, v, u):
    """3 x 3: velocity, against the middle of the volume, of a point given in axes that go with the piece"""
    nodes, c = body.piece_nodes[k], body.centre(x, k)
    spin, inertia = [0.0] * 3, [[0.0] * 3 for _ in range(3)]
    for n in nodes:
        r = sub(x[n], c)
        turn = cross(r, sub(v[n], u))
        for i in range(3):
            spin[i] += body.weight[n] * turn[i]
            for j in range(3):
                inertia[i][j] += body.weight[n] * ((dot(r, r) if i == j else 0.0) - r[i] * r[j])
    omega = solve3(inertia, spin)
    rest = [body.rest[n] for n in nodes]
    far = max(range(len(nodes)), key=lambda i: math.dist(rest[i], rest[0]))
    off = max(range(len(nodes)), key=lambda i: dot(*[cross(sub(rest[far], rest[0]), sub(rest[i], rest[0]))] * 2))
    first = unit(sub(x[nodes[far]], x[nodes[0]]))
    third = unit(cross(first, sub(x[nodes[off]], x[nodes[0]])))
    return list(zip(*(cross(omega, axis) for axis in (first, cross(third, first), third))))


def true_centre(looks):
    """Small tets carry mass for the step's floor, which no recording has: the centre of mass is off the middle of the
    volume. The place, in axes of the piece, whose velocity changes by gravity alone, as nearly as all looks allow."""
    m, b = [[float(i == j) for j in range(3)] for i in range(3)], [0.0] * 3   # pieces that hardly turn (1 rad/s) tell nothing of it
    for was, now, falls, _ in looks:
        a = [[p - q for p, q in zip(r, s)] for r, s in zip(now[1], was[1])]
        gained = sub(sub(now[0], was[0]), falls)
        for i in range(3):
            b[i] += sum(a[c][i] * gained[c] for c in range(3))
            for j in range(3):
                m[i][j] += sum(a[c][i] * a[c][j] for c in range(3))
    place = solve3(m, b)
    return place if math.hypot(*place) < looks[0][3] else (0.0, 0.0, 0.0)


def gains_of(looks):
    """m/s, of one piece in free flight; seen once it tells nothing"""
    if len(looks) < 2:
        return []
    place, gains = true_centre(looks), []
    for was, now, falls, _ in looks:
        before, after = (sub(u, tuple(dot(r, place) for r in turn)) for u, turn in (was, now))
        gains.append(math.hypot(*after) - math.hypot(*(p + q for p, q in zip(before, falls))))
    return gains


def check_speeds(run):
    impact = run.impact_speed()
    run.floors = [offset for offset, nz in run.db.execute("SELECT offset, nz FROM body WHERE shape = 'plane'") if nz > 0.99]
    radius = dict(run.db.execute("SELECT id, radius FROM body WHERE shape = 'sphere'"))
    run.reach = reaches(run)
    speeds, looks = [], {}
    run.led = {hand["body"] for hand in run.hands()}
    for body in run.bodies:
        if len(body.piece) < 2:
            continue
        fastest = [0.0] * len(body.piece)
        last = None
        begun = {tick for tick, in run.db.execute("SELECT tick FROM topo WHERE body = ?", (body.key,))}
        start = run.db.execute("SELECT min(t) FROM event WHERE kind = 2 AND a = ?", (body.key,)).fetchone()[0]
        for (tick, t), (_, velocities, boxes, speed) in zip(run.frames, pieces_through(run, body)):
            if t <= start:
                continue
            fastest = [max(f, math.hypot(*v)) for f, v in zip(fastest, velocities)]
            balls = [(x, radius[key]) for key, x, _ in run.heads(tick) if key in radius]
            others = other_boxes(run, tick, body)
            gap = 0.02 * (sum(body.volume) / len(body.volume)) ** (1 / 3)
            if last and tick not in begun and body.name not in run.led:
                dt = t - last[0]
                swept = [sweep(*both, 0.5 * dt * speed[k]) for k, both in enumerate(zip(boxes, last[2]))]
                near = [sweep(*both, 0.0) for both in zip(others, last[4])]
                free = [k for k in range(len(boxes)) if fly_freely(run, swept, k, balls + last[3], near, gap)]
                states = [run.at(a, body) for a in (last[5], tick)] if free else []
                for k in free:
                    if any(states[1][1][n] == (0.0, 0.0, 0.0) for n in body.piece_nodes[k]):   # held
                        continue
                    was, now = ((u, turning(body, k, *state, u)) for u, state in zip((last[1][k], velocities[k]), states))
                    reach = 0.5 * max(math.dist(body.rest[n], body.rest[body.piece_nodes[k][0]]) for n in body.piece_nodes[k])
                    looks.setdefault((body.key, k), []).append((was, now, tuple(dt * g for g in run.gravity), reach))
            last = (t, velocities, boxes, balls, others, tick)
        speeds += list(zip(fastest, [1.0] * len(fastest)))
    if not speeds:
        return
    fast = share_below(speeds, 0.99)
    row("99th percentile of piece speeds", "%.2f m/s, impact %.2f" % (fast, impact), "<= 2 x impact", fast <= 2.0 * impact)
    gains = [g for seen in looks.values() for g in gains_of(seen)]
    if gains:
        most = max(gains)
        row("speed gained in free flight (%d looks)" % len(gains), "%.4f m/s" % most, "<= 1 % impact", most <= 0.01 * impact)


def check_jumps(run):
    """between two samples of a burst a node moves no farther than 1.5 v dt, v the largest speed round it in these
    two or the one before, and at least a twentieth of the impact's: what rings faster than the samples come may be at
    rest in all of them"""
    least = 0.05 * run.impact_speed()
    hz = float(run.meta.get("burst_hz") or 0)
    samples = [s for s, in run.db.execute("SELECT sample FROM burst ORDER BY sample")]
    if not hz or not samples:
        return
    worst, count = 0.0, 0
    for body in run.bodies:
        last, before = None, []
        for s in samples:
            enc, z = run.db.execute("SELECT enc, z FROM burst_state WHERE sample = ? AND body = ?", (s, body.key)).fetchone()
            x, v = run.state(enc, z)
            if last and last[0] == s - 1 and len(last[1]) < len(x):   # it was split between the two
                speed = [0.0] * len(x)
                for n, u in enumerate(v):
                    speed[n] = math.hypot(*u)
                for n, u in list(enumerate(last[2])) + list(enumerate(before)):
                    speed[n] = max(speed[n], math.hypot(*u))
                near = list(speed)
                for tet in body.root_tet:
                    most = max(speed[n] for n in tet)
                    for n in tet:
                        near[n] = max(near[n], most)
                was = body.grow(last[1], len(x))
                for n in range(body.first_nodes):
                    if v[n] == (0.0, 0.0, 0.0):   # dust, or held
                        continue
                    moved = math.dist(x[n], was[n])
                    worst = max(worst, (moved - 1e-7) * hz / max(near[n], least, 1e-3))
                    count += 1
            before = last[2] if last else []
            last = (s, x, v)
    if count:
        row("largest way of a node across a split (%d looks)" % count, "%.2f v dt" % worst, "<= 1.5", worst <= 1.5)


def rms_speed(run, tick):
    v2 = weight = 0.0
    for body in run.bodies:
        _, v = run.at(tick, body)
        v2 += sum(w * dot(u, u) for w, u in zip(body.weight, v))
        weight += sum(body.weight)
    return math.sqrt(v2 / weight)


def check_rest(run):
    """at the end; shards that are thrown up or rock take longer than the second that is the least: said beside it"""
    tick, t = run.frames[-1]
    last = run.last_crack()
    if last is None:
        return
    if not any(sum(body.weight) for body in run.bodies):
        row("at the end: rest", "no body here deforms", "-", None)
        return
    rms, rest = rms_speed(run, tick), t
    long_enough = t >= last + 1.0
    if rms < 1e-3:
        rest = next((b for (_, b), (a, _) in zip(run.frames[:0:-1], run.frames[-2::-1]) if rms_speed(run, a) >= 1e-3), 0.0)
    since = ", from %.2f s on" % (rest - last) if rms < 1e-3 else ""
    row("rms speed %.2f s after the last crack" % (t - last), "%.2f mm/s%s" % (1e3 * rms, since), "< 1 after 1 s", rms < 1e-3 if long_enough else None)
    if "overlap" in run.report:
        part = run.report["overlap"] / min(body.wall() for body in run.bodies)
        row("overlap of pieces and bodies at the end", "%.1f %% of the wall" % (100 * part), "<= 2 %", part <= 0.02)


def flat(points, centre):
    """drop the axis along which they spread least"""
    spread = [max(p[k] for p in points) - min(p[k] for p in points) for k in range(3)]
    i, j = sorted(range(3), key=lambda k: spread[k])[1:]
    return [(p[i] - centre[i], p[j] - centre[j]) for p in points]


def sector(a):
    return int((a + math.pi) / (2 * math.pi) * 12) % 12


def check_pane(run, body):
    cracks = run.db.execute("SELECT x, y, z FROM event WHERE kind = 2 AND a = ? ORDER BY seq", (body.key,)).fetchall()
    polar = [(math.hypot(x, y), math.atan2(y, x)) for x, y in flat(cracks, cracks[0])]
    reach = max(r for r, _ in polar)
    half = 0.5 * reach
    # a sector of 30 degrees with cracks in four fifths of the way to half the radius is a radial crack
    radial = sum(len({int(5 * r / half) for r, a in polar if r < half and sector(a) == k}) >= 4 for k in range(12))
    # a ring has cracks in 9 of 12 sectors at one radius
    rings = sum(len({sector(a) for r, a in polar if step <= 5 * r / half < step + 1}) >= 9 for step in range(1, 10))
    row("%s: radial cracks to half the radius (%.2f m)" % (body.name, half), radial, ">= 5", radial >= 5)
    row("%s: rings" % body.name, rings, ">= 1", rings >= 1)
    x, _ = run.at(run.frames[0][0], body)
    centres = flat([body.centre(x, k) for k in range(len(body.piece))], cracks[0])
    near = [(v, v) for c, v in zip(centres, body.piece_volume) if math.hypot(*c) < reach / 3]
    far = [(v, v) for c, v in zip(centres, body.piece_volume) if math.hypot(*c) >= reach / 3]
    # by volume: half of the stuff is in larger pieces. By number crumbs along the cracks, which are as small as
    # min_piece lets them be wherever they are, outvote the shards
    ratio = share_below(near, 0.5) / share_below(far, 0.5) if near and far else math.nan
    row("%s: median piece inside r/3 over outside (%d, %d)" % (body.name, len(near), len(far)), "%.2f" % ratio, "<= 0.25", ratio <= 0.25)


def strike(run, body):
    """unit direction of what strikes it: the fastest rigid body of the first frame"""
    moving = [(dot(v, v), v) for _, _, v in run.heads(run.frames[0][0])]
    return unit(max(moving)[1]) if moving else (0.0, 0.0, -1.0)


def across_pane(points, way):
    """unit axis along which they spread least, the way of what strikes it"""
    spread = [max(p[k] for p in points) - min(p[k] for p in points) for k in range(3)]
    axis = spread.index(min(spread))
    return tuple((-1.0 if way[k] < 0.0 else 1.0) if k == axis else 0.0 for k in range(3))


def rim_of(points, normal):
    """the twentieth of the nodes that is farthest from the middle of the pane: where it is clamped"""
    middle = tuple(0.5 * (min(p[k] for p in points) + max(p[k] for p in points)) for k in range(3))
    away = [math.hypot(*cross(normal, sub(p, middle))) for p in points]
    return sorted(range(len(points)), key=lambda n: -away[n])[:max(4, len(points) // 20)]


def check_ductile(run, body, torn):
    first, _ = run.at(run.frames[0][0], body)
    normal = across_pane(first, strike(run, body))
    rim = rim_of(first, normal)
    largest = max(range(len(body.piece)), key=lambda k: body.piece_volume[k])
    nodes = body.piece_nodes[largest]
    peak, sunk = 0.0, {}
    for tick, _ in run.frames:
        x, _ = run.at(tick, body)
        held = sum(dot(normal, sub(x[n], first[n])) for n in rim) / len(rim)
        sunk = {n: dot(normal, sub(x[n], first[n])) - held for n in nodes}
        peak = max(peak, max(sunk.values()))
    kept, least = max(sunk.values()), LEAST_DENT * body.wall()
    row("%s: dent that stays" % body.name, "%.2f of %.2f mm" % (1e3 * kept, 1e3 * peak), ">= 50 %%, %.2f mm" % (1e3 * least), kept >= max(0.5 * peak, least))
    loose = 1.0 - body.piece_volume[largest] / sum(body.volume)
    row("%s: volume that came off" % body.name, "%.2f %%" % (100 * loose), "<= 5 %", loose <= 0.05)
    if not torn:
        return
    most = 0
    for level in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        most = max(most, petals(body, body.piece[largest], sunk, level * kept))
    row("%s: petals" % body.name, most, "3 to 8", 3 <= most <= 8)


def petals(body, tets, sunk, depth):
    """parts of what went deeper than this that hang together, each at least 2 % of it"""
    deep = {e for e in tets if sum(sunk[n] for n in body.tet[e]) > 4 * depth}
    whole, count = sum(body.volume[e] for e in deep), 0
    while deep:
        found = [deep.pop()]
        for e in found:
            for i in range(4):
                other = body.across.get((e, i), -1)
                if other in deep:
                    deep.remove(other)
                    found.append(other)
        count += sum(body.volume[e] for e in found) > 0.02 * whole
    return count


def read_png(path):
    """rows of 8-bit samples, and how many a pixel has"""
    data = open(path, "rb").read()
    at, z = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            wide, high, depth, colour = struct.unpack_from(">IIBB", data, at + 8)
        if kind == b"IDAT":
            z += data[at + 8:at + 8 + size]
        at += 12 + size
    samples = {2: 3, 6: 4}[colour]
    raw, stride, above = zlib.decompress(z), wide * samples, bytearray(wide * samples)
    rows = []
    for y in range(high):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for k in range(stride):
            a, b = line[k - samples] if k >= samples else 0, above[k]
            c = above[k - samples] if k >= samples else 0
            if kind == 1:
                line[k] = (line[k] + a) & 255
            elif kind == 2:
                line[k] = (line[k] + b) & 255
            elif kind == 3:
                line[k] = (line[k] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[k] = (line[k] + near) & 255
        rows.append(line)
        above = line
    return rows, samples


def check_picture(run):
    path = os.path.join(run.folder, "poster.png")
    if not os.path.exists(path):
        return
    rows, samples = read_png(path)
    total = clipped = count = 0
    for line in rows:
        for k in range(0, len(line), samples):
            r, g, b = line[k], line[k + 1], line[k + 2]
            total += 0.2126 * r + 0.7152 * g + 0.0722 * b
            clipped += max(r, g, b) == 255 or max(r, g, b) == 0
            count += 1
    mean = total / count / 255
    row("poster: mean luminance", "%.2f" % mean, "0.25 to 0.6", 0.25 <= mean <= 0.6)
    row("poster: clipped", "%.2f %%" % (100 * clipped / count), "< 1 %", clipped < 0.01 * count)
    check_size(run)


def check_size(run):
    """how much of the frame's height the bodies take in the first frame, seen by the film's camera"""
    camera = run.scene.get("film", {}).get("camera")
    if not camera or not isinstance(camera.get("position"), list):
        return
    eye, target = camera["position"], camera["target"]
    forward = unit(sub(target, eye))
    right = unit(cross(forward, (0, 0, 1)))
    up = cross(right, forward)
    half = math.tan(math.radians(camera["fov"]) / 2)
    heights = []
    for body in run.bodies:
        x, _ = run.at(run.frames[0][0], body)
        for p in x:
            d = sub(p, eye)
            heights.append(dot(d, up) / dot(d, forward) / half)
    part = (max(heights) - min(heights)) / 2
    row("frame height that the bodies fill at the start", "%.0f %%" % (100 * part), "35 to 70 %", 0.35 <= part <= 0.7)


def main():
    parser = argparse.ArgumentParser(description="what an eye would check of a run in which things broke")
    parser.add_argument("folder")
    parser.add_argument("--pane", action="append", default=[], help="a brittle body struck in its middle")
    parser.add_argument("--ductile", action="append", default=[], help="a body that should keep a dent")
    parser.add_argument("--petals", action="append", default=[], help="one that should tear open into petals")
    parser.add_argument("--faces", help="a run of the same scene with remeshing off, to stand beside this one")
    given = parser.parse_args()
    run = Run(given.folder)
    known = {b.name: b for b in run.bodies}
    for name in given.pane:
        if name not in known:
            sys.exit("%s: %s did not break" % (given.folder, name))
    check_energy(run)
    for body in run.bodies:
        if body.name not in given.ductile + given.petals:
            check_tets(body)
            check_needles(body)
    for name in given.pane:
        check_pane(run, known[name])
    for name in given.ductile + given.petals:
        check_ductile(run, run.find(name), name in given.petals)
    check_speeds(run)
    check_jumps(run)
    check_rest(run)
    check_picture(run)
    if given.faces:
        print("\nbeside it, with remeshing off:")
        before = list(failed)
        for body in Run(given.faces).bodies:
            check_tets(body)
        failed[:] = before
    sys.exit(1 if failed else 0)


main()
