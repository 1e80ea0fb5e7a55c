#!/usr/bin/env python3
# export_broken.py: what a run that broke is as USD, read by a reader of our own.
# export_broken.py scene: writes scene.lua and can.obj; export_broken.py FINAL.usda CHANGING.usda BURST.usda FOLDER: checks
import csv, json, math, os, sys
import export_model as model
import export_usda as usda

SCENE = """
scene { duration = 1.25*ms, fps = 4000, seed = 3 }
ground { material = "concrete" }
material { name = "china", base = "porcelain", young = 2*GPa, poisson = 0.2, strength = 5*MPa, density = 2400 }
body { name = "can", model = "fem", material = "china", cells = 14*mm, shape = surface { "can.obj", unit = 1*m }, at = {0, 0, 37*mm},
       velocity = {0, 0, -12} }
body { name = "roof tile", model = "fem", material = "china", cells = 16*mm, shape = turn { box { 8*cm, 6*cm, 10*mm }, by = {25, 20, 0} },
       at = {12*cm, 0, 38*mm}, velocity = {0, 0, -12}, crack = { min_piece = 0.3, pieces = { dust_piece = 1 } } }
sphere { 1*cm, name = "ball", material = "steel", at = {30*cm, 0, 5*cm} }
film { burst = { rate = 20000, length = 0.4*ms, before = 0.1*ms, slow = 100 } }
"""
# where its bodies are put, and the volume of the one without a skin
AT = {"can": (0, 0, 0.037), "roof_tile": (0.12, 0, 0.038)}
TILE = 0.08 * 0.06 * 0.01


def tilted(x, y, z, a=math.radians(35), b=math.radians(20)):
    y, z = y * math.cos(a) - z * math.sin(a), y * math.sin(a) + z * math.cos(a)
    return x * math.cos(b) + z * math.sin(b), y, -x * math.sin(b) + z * math.cos(b)


def write_can(path, sides=20, rings=4, radius=0.03, height=0.05):
    """A closed can, on its side: the wall with a seam in the left half of the UVs, its ends in the right half."""
    turn = [2 * math.pi * i / sides for i in range(sides)]
    v = [(radius * math.cos(a), radius * math.sin(a), height * (j / rings - 0.5)) for j in range(rings + 1) for a in turn]
    vt = [(0.5 * i / sides, j / rings) for j in range(rings + 1) for i in range(sides + 1)]
    corner = lambda i, j: (j * sides + i % sides, j * (sides + 1) + i)
    faces = [[corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)] for j in range(rings) for i in range(sides)]
    for top in 0, 1:
        middle, first = (len(v), len(vt)), len(vt) + 1
        v.append((0, 0, height * (top - 0.5)))
        vt.append((0.75, 0.25 + 0.5 * top))
        vt += [(0.75 + 0.2 * math.cos(a), 0.25 + 0.5 * top + 0.2 * math.sin(a)) for a in turn]
        for i in range(sides):
            pair = [(rings * top * sides + k, first + k) for k in (i, (i + 1) % sides)]
            faces.append([middle] + (pair if top else pair[::-1]))
    with open(path, "w") as file:
        for p in v: file.write("v %.9g %.9g %.9g\n" % tilted(*p))
        for p in vt: file.write("vt %.9g %.9g\n" % p)
        for f in faces: file.write("f %s\n" % " ".join("%d/%d" % (a + 1, b + 1) for a, b in f))


def write_scene(folder):
    write_can(os.path.join(folder, "can.obj"))
    with open(os.path.join(folder, "scene.lua"), "w") as file: file.write(SCENE)


def shape_at(prim, t):
    a, part = prim["attr"], {c["name"]: c["attr"] for c in prim["children"]}
    corner = [int(k) for k in usda.at(a, "faceVertexIndices", t)]
    optional = lambda key: usda.at(a, key, t) if key in a else None
    subset = lambda name: [int(k) for k in usda.at(part[name], "indices", t)] if part else []
    return model.Shape(a["points.timeSamples"][t], a["velocities.timeSamples"][t], list(zip(*[iter(corner)] * 3)),
                       optional("primvars:st"), optional("primvars:crackTime"), subset("inside"), subset("outside"))


def prims_of(path):
    head, world = usda.read(path)
    out = {}
    for prim in world["children"]:
        a = prim["attr"]
        if prim["kind"] != "Mesh" or "points.timeSamples" not in a: continue
        seen = lambda t: "visibility" not in a or usda.at(a, "visibility", t) == "inherited"
        out[prim["name"]] = model.Prim(prim["name"], a["primvars:piecename"],
                                       {t: shape_at(prim, t) for t in a["points.timeSamples"] if seen(t)})
    return head, out


def run_of(folder, head):
    report = json.load(open(os.path.join(folder, "report.json")))
    events = list(csv.DictReader(open(os.path.join(folder, "events.csv"))))
    codes = [head["startTimeCode"] + k for k in range(int(head["endTimeCode"] - head["startTimeCode"]) + 1)]
    return model.Run(report, events, codes, head["timeCodesPerSecond"], AT)


def main():
    if sys.argv[1:] == ["scene"]: return write_scene(".")
    final, changing, burst, folder = sys.argv[1:]
    head, prims = prims_of(final)
    run = run_of(folder, head)
    print(model.check_broken(prims, prims_of(changing)[1], run, "can.obj", "can", "roof_tile", TILE))
    # a tile in flight goes as far as its velocity says; so does what has just touched the ground, in slow motion
    head, slow = prims_of(burst)
    for read, rate in (prims, run.per_second), (slow, head["timeCodesPerSecond"]):
        for prim in model.of_body(read, "roof_tile").values():
            model.check_velocities(prim, *sorted(prim.shapes)[:2], 1 / rate, 2e-6)


if __name__ == "__main__": main()
