#!/usr/bin/env python3
# export_usda.py: a strict reader of the USD text we write; says what is wrong and exits 1.
# export_usda.py FILE FRAMES: checks header, prims, required attributes, sample counts, numbers.
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

def check_mesh(prim, frames):
    a = prim["attr"]
    if a.get("subdivisionScheme") != "none": fail(prim["name"] + ": subdivisionScheme")
    points = a["points"]
    if len(a["extent"]) != 2: fail("extent")
    if len(a["faceVertexCounts"]) == 1 and a["faceVertexCounts"][0] == 4: return # ground
    if a["primvars:piecename"] != prim["name"]: fail("piecename")
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
        if prim["kind"] == "Sphere":
            if a["radius"] <= 0 or a["xformOpOrder"] != ["xformOp:translate", "xformOp:orient"]: fail("sphere")
            n = len(a["xformOp:translate.timeSamples"])
            if n != len(a["xformOp:orient.timeSamples"]) or ("visibility" not in a and n != frames): fail("sphere samples")
        if prim["kind"] in ("Mesh", "Sphere") and "primvars:displayColor" not in a: fail("displayColor")
    print(" ".join("%s:%s" % (c["kind"], c["name"]) for c in world["children"]))

if __name__ == "__main__": main()
