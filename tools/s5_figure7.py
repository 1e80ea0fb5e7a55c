#!/usr/bin/env python3
"""s5_figure7.py: figure 7 of S5 as a table: milliseconds of a step against tets, for tets that turn and for linear ones, and for fem.

usage: tools/s5_figure7.py [FRACAS] [MOST]   the program (build/fracas), and the most tets (20000)

A cube of 60 cm lies on the ground, 1/300 s a step, 100 kPa as S5's snake, one worker; the best of three runs of 150 steps. fem takes as
many substeps in that time as it needs.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SCENE = """
local model = param("model", "corot", {help = "fem or corot"})
local linear = param("linear", false, {help = "tets do not turn"})
local cell = param("cell", 10*cm, {min = 5*mm, max = 50*cm})
scene { duration = 0.5*s, fps = 100 }
ground { material = "concrete" }
material { name = "soft", base = "silicone", density = 1000, young = 100*kPa, poisson = 0.33 }
body { name = "cube", material = "soft", model = model, linear = linear, crack = { off = true }, shape = box { 60*cm, 60*cm, 60*cm },
       at = {0, 0, 30*cm}, cells = cell, mesher = "structured" }
"""
STEPS = 150
CELLS = (0.2, 0.15, 0.12, 0.1, 0.075, 0.06, 0.05, 0.04, 0.03, 0.025)
WAYS = (("warped", ["model=corot"]), ("linear", ["model=corot", "linear=true"]), ("fem", ["model=fem"]))


def step_ms(fracas, folder, cell, settings):
    """milliseconds of a step, and how many tets"""
    best, tets = float("inf"), 0
    for _ in range(3):
        args = [fracas, "run", f"{folder}/cube.lua", "-o", f"{folder}/out", "--restart", "--no-film", "--no-sound", "--quiet", "--json", "--threads", "1",
                "--set", f"cell={cell}"]
        for setting in settings:
            args += ["--set", setting]
        report = json.loads(subprocess.run(args, check=True, capture_output=True, text=True).stdout)
        best = min(best, 1e3 * report["timing"]["simulate"] / STEPS)
        tets = report["tets_end"]
    return best, tets


def main():
    fracas = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/fracas").resolve())
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    print("| tets | warped, ms | linear, ms | fem, ms | warped, ms per 1,000 tets | fem over warped |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "cube.lua").write_text(SCENE)
        for cell in CELLS:
            ms = {}
            for name, settings in WAYS:
                ms[name], tets = step_ms(fracas, folder, cell, settings)
            print(f"| {tets:,} | {ms['warped']:.2f} | {ms['linear']:.2f} | {ms['fem']:.2f} | {1e3 * ms['warped'] / tets:.2f} "
                  f"| {ms['fem'] / ms['warped']:.2f} |", flush=True)
            if tets >= most:
                break


if __name__ == "__main__":
    main()
