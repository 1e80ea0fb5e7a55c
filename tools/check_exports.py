#!/usr/bin/env python3
"""check_exports.py: a small run, exported, read by ParaView and by Pixar's USD; both must see the same motion.

usage: tools/check_exports.py FRACAS FOLDER
Needs, besides fracas: pvpython (Debian: paraview python3-paraview), node and chromium, and a FOLDER in which
`npm install three-usdz-loader playwright-core` was done. Exits 77 and says so where they are missing.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCENE = """
scene  { duration = 0.3, fps = 20 }
ground { material = "concrete" }
body   { name = "soft cube", material = "silicone", skin = "none", shape = box { 20*cm, 20*cm, 20*cm }, cells = 5*cm,
         mesher = "structured", at = {0, 0, 0.16}, turn = {30, 10, 0}, velocity = {1, 0, -1} }
sphere { name = "ball", radius = 5*cm, material = "oak", at = {22*cm, 0, 5*cm}, velocity = {0, 1, 0} }
"""
ARRAYS = {"body": 1, "piece": 1, "crackTime": 1, "strain": 6, "stress": 6, "von_mises": 1, "velocity": 3}
BODIES = {"soft_cube": 0, "ball": 1, "ground": 2}
# what a preset writes, as metres with z up: the axis of each coordinate, its sign, the unit
PRESETS = {"blender": ([0, 1, 2], [1, 1, 1], 1.0), "unreal": ([0, 1, 2], [1, 1, 1], 0.01),
           "houdini": ([0, 2, 1], [1, -1, 1], 1.0)}


def lines(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        sys.exit("%s: %s" % (command[0], done.stderr[-2000:]))
    if done.stderr.strip() and command[0] == "node":
        sys.exit("USD complains: " + done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def upright(bounds, preset):
    axis, sign, unit = PRESETS[preset]
    out = []
    for c in range(3):
        pair = [sign[c] * unit * bounds[2 * axis[c] + k] for k in range(2)]
        out += sorted(pair)
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    fracas, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    wanted = [shutil.which("pvpython"), shutil.which("node"),
              os.path.isdir(os.path.join(folder, "node_modules", "three-usdz-loader")) or None]
    if None in wanted:
        print("not checked. " + __doc__[__doc__.index("Needs"):].strip())
        return 77
    work = tempfile.mkdtemp()
    try:
        with open(os.path.join(work, "scene.lua"), "w") as file:
            file.write(SCENE)
        subprocess.run([fracas, "run", "scene.lua", "-o", "out", "--no-film", "--quiet"], cwd=work, check=True,
                       stdout=subprocess.DEVNULL)
        run = os.path.join(work, "out", "run.fracas")
        subprocess.run([fracas, "export", run, "-o", os.path.join(work, "x.pvd"), "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        seen = {}
        for row in lines(["pvpython", os.path.join(HERE, "read_pvd.py"), os.path.join(work, "x.pvd")]):
            seen[(round(row["time"], 9), row["body"])] = row
            assert row["arrays"] == ARRAYS, row
        assert len(seen) == 3 * 7, len(seen)
        compared = 0
        for preset in PRESETS:
            usda = os.path.join(work, preset + ".usda")
            subprocess.run([fracas, "export", run, "-o", usda, "--preset", preset, "--quiet"], check=True,
                           stdout=subprocess.DEVNULL)
            for row in lines(["node", os.path.join(HERE, "read_usd.js"), folder, usda]):
                name = row["prim"].split("/")[-1]
                other = seen[(round(row["time"], 9), BODIES[name])]
                bounds = upright(row["bounds"], preset)
                # USD draws its spheres from a net of its own, which falls short by 5 % of the radius, ours by 1 %
                within = 0.06 * 0.05 if name == "ball" else 2e-6
                off = max(abs(a - b) for a, b in zip(bounds, other["bounds"]))
                assert off <= within, (preset, row, other)
                assert row["colour"] and row["largest"] < row["points"], row
                compared += 1
        assert compared == 3 * len(seen), compared
        print("%d bodies and times: ParaView and USD (%s) agree" % (compared, ", ".join(PRESETS)))
        return 0
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
