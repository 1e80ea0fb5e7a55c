#!/usr/bin/env python3
"""What runs broke into, side by side: how many pieces, how large, how fast, and what that took.

usage: tools/pieces.py [--program build/fracas] RUN...      each the folder of a run, or its recording

One line a run, fit for a table of docs/breaking.md. Sizes are edges of cubes of the same volume, weighted by nothing; speeds are
of the pieces that are there when the run ends.
"""

import argparse
import json
import os
import statistics
import subprocess


def row(program, run):
    recording = os.path.join(run, "run.fracas") if os.path.isdir(run) else run
    told = subprocess.run([program, "events", recording, "--json"], stdout=subprocess.PIPE, check=True).stdout
    with open(os.path.join(os.path.dirname(recording), "report.json")) as f:
        report = json.load(f)
    pieces = [p for p in json.loads(told)["piece_table"] if p["gone_s"] is None]
    edges = sorted(1e3 * p["volume_m3"] ** (1 / 3) for p in pieces)
    speeds = sorted(sum(x * x for x in p["velocity_m_s"]) ** 0.5 for p in pieces)
    masses = [p["mass_kg"] for p in pieces]
    if not pieces:
        return f"| {run} | 0 | | | | | {1e4 * (report['crack_area_m2'] or 0):.0f} | {report['timing']['simulate']:.1f} |"
    return (
        f"| {run} | {len(pieces)} | {statistics.median(edges):.0f} | {100 * max(masses) / sum(masses):.0f} |"
        f" {statistics.median(speeds):.2f} | {speeds[int(0.9 * (len(speeds) - 1))]:.2f} | {1e4 * report['crack_area_m2']:.0f} |"
        f" {report['timing']['simulate']:.1f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--program", default="build/fracas")
    options = parser.parse_args()
    print("| run | pieces | median size, mm | largest, % | median speed, m/s | 9 of 10 below | crack area, cm² | simulated in, s |")
    print("|---|---|---|---|---|---|---|---|")
    for run in options.runs:
        print(row(options.program, run))


if __name__ == "__main__":
    main()
