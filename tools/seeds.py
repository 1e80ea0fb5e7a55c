#!/usr/bin/env python3
"""Into how many pieces scenes fall, over seeds: mean, least and most of the bodies that are there when a run ends, with what left as dust.

usage: tools/seeds.py [--seeds 10] [--until 0.3] [--program build/fracas] [--set NAME=VALUE]... SCENE...

One line a scene, fit for a table of docs/breaking.md. Runs are without film and sound, in a folder that is removed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def run(options, scene, seed, folder):
    command = [options.program, "run", scene, "-o", folder, "--restart", "--no-film", "--no-sound", "--quiet", "--json", "--seed", str(seed)]
    if options.until:
        command += ["--until", str(options.until)]
    for value in options.set:
        command += ["--set", value]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{scene}, seed {seed}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--until", type=float)
    parser.add_argument("--program", default="build/fracas")
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    print("| scene | bodies at the end, mean | least to most | crack area, cm² | simulated in, s |\n|---|---|---|---|---|")
    for scene in options.scenes:
        pieces, area, seconds = [], [], []
        for seed in range(1, options.seeds + 1):
            with tempfile.TemporaryDirectory() as folder:
                report = run(options, scene, seed, os.path.join(folder, "out"))
            dust = report["step_cost"]["dust_pieces"]
            pieces.append(report["bodies"] + dust)
            area.append(1e4 * report["crack_area_m2"])
            seconds.append(report["timing"]["simulate"])
        print(
            f"| `{scene}`{''.join(' ' + v for v in options.set)} | {statistics.mean(pieces):.0f} | {min(pieces)} to {max(pieces)} |"
            f" {statistics.mean(area):.0f} | {statistics.mean(seconds):.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
