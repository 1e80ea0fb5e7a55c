#!/usr/bin/env python3
# by_eye.py: what an eye would check of a run in which things broke, from its report and events.
#   tools/by_eye.py out/panes glass     body in the middle of which something struck; without a body: energy and pieces only
# Says: pieces, whether contact made energy, and for the body how many radial cracks reach half way and how many rings cross them.
import csv, json, math, sys


def cracks_of(folder, body):
    with open(folder + "/events.csv") as file:
        rows = [r for r in csv.DictReader(file) if r["kind"] == "crack" and r["a_name"] == body]
    return [tuple(float(r[k]) for k in "xyz") for r in rows]


def flat(points):
    """drop the axis along which they spread least; the first crack is the middle"""
    spread = [max(p[k] for p in points) - min(p[k] for p in points) for k in range(3)]
    i, j = sorted(range(3), key=lambda k: spread[k])[1:]
    return [(p[i] - points[0][i], p[j] - points[0][j]) for p in points]


def main():
    folder = sys.argv[1]
    report = json.load(open(folder + "/report.json"))
    energy = report["energy"]
    gained = max(0.0, energy["peak"] / max(energy["start"], 1e-300) - 1.0)
    print("pieces %d, cracks %d" % (report["pieces"], report["cracks"]))
    print("no explosion: the peak of energy is %.1f %% above the start: %s" % (100 * gained, "ok" if gained < 0.05 else "NO"))
    if len(sys.argv) < 3:
        return
    points = flat(cracks_of(folder, sys.argv[2]))
    polar = [(math.hypot(x, y), math.atan2(y, x)) for x, y in points]
    half = 0.5 * max(r for r, _ in polar)
    # a sector of 30 degrees with cracks in four fifths of the way to half the radius is a radial crack
    radial = 0
    for k in range(12):
        steps = {int(5 * r / half) for r, a in polar if r < half and int((a + math.pi) / (2 * math.pi) * 12) % 12 == k}
        radial += len(steps) >= 4
    # a ring has cracks in 9 of 12 sectors at one radius
    rings = 0
    for step in range(10):
        at = {int((a + math.pi) / (2 * math.pi) * 12) % 12 for r, a in polar if step <= 5 * r / half < step + 1}
        rings += step > 0 and len(at) >= 9
    print("radial cracks to half the radius (%.2f m): %d: %s" % (half, radial, "ok" if radial >= 5 else "NO"))
    print("rings: %d: %s" % (rings, "ok" if rings >= 1 else "NO"))


main()
