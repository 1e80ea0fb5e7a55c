#!/usr/bin/env python3
# export_usda.py: a strict reader of the USD text we write; says what is wrong and exits 1.
# export_usda.py FILE FRAMES [PLACES]: checks header, prims, required attributes, sample counts, numbers; and that points of
# rigid prims are where the lines "PRIM CODE X Y Z" of PLACES say, in the axes and unit of the file.
import math, re, sys

TOKEN = re.compile(r'''\s*(?:(\#usda\ 1\.0)|("(?:[^"\\\n])*")|(<[^>\s]*>)|(-?\d+\.?\d*(?:[eE][+-]?\d+)?)
                    |([A-Za-z_][A-Za-z0-9_:.]*(?:\[\])?)|([(){}\[\]=:,]))''', re.X)

def fail(text):
    print("usda:", text)
    sys.exit(1)

def tokens(text):
    at, out = 0, []
    text = text.rstrip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m: fail("byte %d: not USD: %r" % (at, text[at:at + 40]))
        out.append(m.group(0).strip())
        at = m.end()
    return out

class Parser:
    def __init__(self, text):
        self.t, self.k = tokens(text), 0
    def peek(self): return self.t[self.k] if self.k < len(self.t) else None
    def next(self):
        self.k += 1
        return self.t[self.k - 1]
    def want(self, token):
        found = self.next()
        if found != token: fail("token %d: %r instead of %r" % (self.k, found, token))
    def value(self):
        t = self.next()
        if t in "([":
            close, items = {"(": ")", "[": "]"}[t], []
            while self.peek() != close:
                items.append(self.value())
                if self.peek() != close: self.want(",")
            self.want(close)
            return tuple(items) if t == "(" else items
        if t == "{":
            samples = {}
            while self.peek() != "}":
                time = float(self.next())
                self.want(":")
                if samples and time <= max(samples): fail("time codes do not rise at %g" % time)
                samples[time] = self.value()
                self.want(",")
            self.want("}")
            return samples
        if t[0] in '"<': return t[1:-1]
        x = float(t)
        if not math.isfinite(x): fail("a number is not finite")
        return x
    def metadata(self):
        out = {}
        if self.peek() != "(": return out
        self.want("(")
        while self.peek() != ")":
            key = self.next()
            if key == "prepend": key = self.next()
            self.want("=")
            out[key] = self.value()
        self.want(")")
        return out
    def prim(self):
        kind, name = self.next(), self.next()[1:-1]
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name): fail("prim name %r" % name)
        self.metadata()
        prim = {"kind": kind, "name": name, "children": [], "attr": {}}
        self.want("{")
        while self.peek() != "}":
            words = [self.next()]
            if words[0] == "def":
                prim["children"].append(self.prim())
                continue
            while self.peek() not in ("=", "}") and len(words) < (4 if words[0] in ("custom", "uniform") else 2):
                words.append(self.next())
            key = words[-1]
            if key in prim["attr"]: fail("%s twice in %s" % (key, name))
            prim["attr"][key] = None
            if self.peek() != "=": continue
            self.want("=")
            prim["attr"][key] = self.value()
            self.metadata()
        self.want("}")
        names = [c["name"] for c in prim["children"]]
        if len(set(names)) != len(names): fail("two prims of one name in " + name)
        return prim

# the value that holds at a time: the newest sample up to then, or the default
def at(a, key, t):
    samples = a.get(key + ".timeSamples")
    if samples is None: return a[key]
    if a[key] != samples[min(samples)]: fail(key + ": the default is not the first sample")
    held, later = max(s for s in samples if s <= t), [s for s in samples if s > t]
    if key.startswith("primvars:") and held < t and later:
        after = samples[min(later)]
        if len(after) == len(samples[held]) and after != samples[held]: fail("%s: readers blend it at %g" % (key, t))
    return samples[held]

def check_faces(prim, t, points):
    a = prim["attr"]
    counts, indices = at(a, "faceVertexCounts", t), at(a, "faceVertexIndices", t)
    if sum(counts) != len(indices): fail("face counts")
    if indices and not 0 <= min(indices) <= max(indices) < points: fail(prim["name"] + ": an index out of range")
    if set(indices) != set(range(points)): fail(prim["name"] + ": a point without a face")
    if "primvars:crackTime" in a:
        times, subset = at(a, "primvars:crackTime", t), {c["name"]: at(c["attr"], "indices", t) for c in prim["children"]}
        if len(times) != len(counts): fail("crackTime")
        if sorted(subset["inside"] + subset["outside"]) != list(range(len(counts))): fail("subsets")
        if any((times[int(k)] >= 0) != (name == "inside") for name in subset for k in subset[name]): fail("crackTime of subsets")
        if any(x > t for x in times) and "faceVertexCounts.timeSamples" in a: fail("a face before its crack")
        if "primvars:st" not in a: fail("no uvs")
        if a["subsetFamily:materialBind:familyType"] != "partition": fail("family of the subsets")
    if "primvars:st" in a and len(at(a, "primvars:st", t)) != len(indices): fail("corner uvs")

# place and rotation (w x y z) of a prim at a time code
def pose(prim, t):
    return at(prim["attr"], "xformOp:translate", t), at(prim["attr"], "xformOp:orient", t)

def placed(x, place, turn):
    w, v = turn[0], turn[1:]
    cross = lambda p, q: (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])
    u = cross(v, x)
    u = tuple(2 * (w * a + b) for a, b in zip(u, cross(v, u)))
    return tuple(a + b + c for a, b, c in zip(x, u, place))

def check_pose(prim, frames):
    a = prim["attr"]
    if a["xformOpOrder"] != ["xformOp:translate", "xformOp:orient"]: fail(prim["name"] + ": order of the pose")
    n = a["xformOp:translate.timeSamples"], a["xformOp:orient.timeSamples"]
    if sorted(n[0]) != sorted(n[1]) or ("visibility" not in a and len(n[0]) != frames): fail(prim["name"] + ": samples of the pose")
    for q in n[1].values():
        # eight digits of float32
        if abs(sum(c * c for c in q) - 1) > 1e-6: fail(prim["name"] + ": a rotation that is none")

# one mesh that a pose moves
def check_rigid(prim, frames):
    a = prim["attr"]
    check_pose(prim, frames)
    for key in ("points.timeSamples", "velocities", "extent.timeSamples"):
        if key in a: fail("%s: %s of what is rigid" % (prim["name"], key))
    check_faces(prim, min(a["xformOp:translate.timeSamples"]), len(a["points"]))
    for c in range(3):
        column = [p[c] for p in a["points"]]
        if (min(column), max(column)) != (a["extent"][0][c], a["extent"][1][c]): fail("extent is not the box of the points")

def check_camera(prim, frames):
    a = prim["attr"]
    check_pose(prim, frames)
    if a["focalLength"] <= 0 or a["verticalAperture"] <= 0 or a["horizontalAperture"] <= 0: fail("lens")
    if not 0 < a["clippingRange"][0] < a["clippingRange"][1]: fail("clippingRange")

def check_bindings(world):
    looks = {c["name"] for c in world["children"][0]["children"]}
    for prim in world["children"]:
        for p in [prim] + prim["children"]:
            path = p["attr"].get("material:binding")
            if path and path.rpartition("/")[2] not in looks: fail("%s: no look %s" % (p["name"], path))

def check_places(world, path):
    prims = {p["name"]: p for p in world["children"]}
    for line in open(path):
        name, t, *x = line.split()
        prim, want = prims[name], tuple(map(float, x))
        where = pose(prim, float(t))
        near = min(max(abs(p - q) for p, q in zip(placed(v, *where), want)) for v in prim["attr"]["points"])
        # float32 of a place of a metre, or of a hundred units
        if near > 2e-6 * max(1, *map(abs, want)): fail("%s at %s: %g from where it should be" % (name, t, near))

def check_mesh(prim, frames):
    a = prim["attr"]
    if a.get("subdivisionScheme") != "none": fail(prim["name"] + ": subdivisionScheme")
    points = a["points"]
    if len(a["extent"]) != 2: fail("extent")
    if len(a["faceVertexCounts"]) == 1 and a["faceVertexCounts"][0] == 4: return # ground
    if a["primvars:piecename"] != prim["name"]: fail("piecename")
    if "xformOpOrder" in a: return check_rigid(prim, frames)
    samples = a["points.timeSamples"]
    if "visibility" not in a and len(samples) != frames: fail("%s: %d samples, not %d" % (prim["name"], len(samples), frames))
    for key in ("points", "velocities", "extent"):
        s = a[key + ".timeSamples"]
        if sorted(s) != sorted(samples) or any(len(s[t]) != (2 if key == "extent" else len(samples[t])) for t in s): fail(key + " samples")
        if a[key] != s[min(s)]: fail(key + ": the default is not the first sample")
    for t, box in a["extent.timeSamples"].items():
        check_faces(prim, t, len(samples[t]))
        for c in range(3):
            column = [p[c] for p in samples[t]]
            if (min(column), max(column)) != (box[0][c], box[1][c]): fail("extent is not the box of the points")

# the metadata of a file and its prim
def read(path):
    p = Parser(re.sub(r'""".*?"""', '""', open(path).read(), flags=re.S)) # a long doc of other writers
    p.want("#usda 1.0")
    head = p.metadata()
    for key in ("defaultPrim", "metersPerUnit", "upAxis", "startTimeCode", "endTimeCode", "timeCodesPerSecond"):
        if key not in head: fail("header lacks " + key)
    p.want("def")
    world = p.prim()
    if p.peek() is not None: fail("something after the last brace")
    if world["name"] != head["defaultPrim"]: fail("defaultPrim does not exist")
    return head, world

def main():
    head, world = read(sys.argv[1])
    frames = int(sys.argv[2])
    for prim in world["children"]:
        a = prim["attr"]
        if prim["kind"] == "Mesh": check_mesh(prim, frames)
        if prim["kind"] == "Camera": check_camera(prim, frames)
        if prim["kind"] == "Sphere":
            check_pose(prim, frames)
            if a["radius"] <= 0: fail("sphere")
        if prim["kind"] in ("Mesh", "Sphere") and "primvars:displayColor" not in a: fail("displayColor")
    check_bindings(world)
    if len(sys.argv) > 3: check_places(world, sys.argv[3])
    print(" ".join("%s:%s" % (c["kind"], c["name"]) for c in world["children"]))

if __name__ == "__main__": main()
