#!/bin/bash
# thin_plate.sh: plates that come as surfaces, far thinner than wide and lying askew, have the tones of plate theory within
# 1 %: a free square (Leissa 1973, The free vibration of rectangular plates; roots as converged since) and a free disc
# (Leissa 1969, Vibration of plates), and a disc with a round edge. A dish as thin and as wide is refused, in words.
. "$(dirname "$0")/kit.bash"
python3 - "$work" << 'END'
import math, sys
def write(name, loop, height, points=(), faces=()):
    # turned about an axis of no use to anyone, and moved
    points, n = [(x, y, z) for z in (0, height) for x, y in loop] if loop else points, len(loop)
    c, s, c2, s2 = math.cos(0.7), math.sin(0.7), math.cos(0.4), math.sin(0.4)
    with open("%s/%s.obj" % (sys.argv[1], name), "w") as f:
        for x, y, z in points:
            x, y = c * x - s * y, s * x + c * y
            x, z = c2 * x - s2 * z, s2 * x + c2 * z
            print("v", x + 0.3, y - 0.1, z + 0.2, file=f)
        for face in faces:
            print("f", *face, file=f)
        for k in range(n):
            m = (k + 1) % n
            print("f", k + 1, m + 1, n + m + 1, n + k + 1, file=f)
        if n:
            print("f", *range(n, 0, -1), file=f)
            print("f", *range(n + 1, 2 * n + 1), file=f)
write("square", [(0, 0), (0.12, 0), (0.12, 0.12), (0, 0.12)], 0.0004)
write("disc", [(0.06 * math.cos(a), 0.06 * math.sin(a)) for a in (2 * math.pi * k / 300 for k in range(300))], 0.0004)
# a disc of 2 mm whose edge is a half circle of 1 mm: the area of the edge is 5 % of all
around, across, points, faces = 300, 12, [(0, 0, 0.001), (0, 0, -0.001)], []
for i in range(across + 1):
    t = math.pi * i / across
    points += [((0.059 + 0.001 * math.sin(t)) * math.cos(2 * math.pi * j / around), (0.059 + 0.001 * math.sin(t)) * math.sin(2 * math.pi * j / around), 0.001 * math.cos(t)) for j in range(around)]
at = lambda i, j: 3 + i * around + j % around
for j in range(around):
    faces += [(1, at(0, j), at(0, j + 1)), (2, at(across, j + 1), at(across, j))]
    faces += [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)) for i in range(across)]
write("round", [], 0, points, faces)
# part of a ball's surface, 0.5 mm thick
rings, around, points, faces = 24, 48, [], []
for side in (0.2, 0.1995):
    for i in range(rings + 1):
        t = 0.01 + 0.8 * i / rings
        points += [(side * math.sin(t) * math.cos(2 * math.pi * j / around), side * math.sin(t) * math.sin(2 * math.pi * j / around), side * math.cos(t)) for j in range(around)]
at = lambda side, i, j: side * (rings + 1) * around + i * around + j % around + 1
for j in range(around):
    for i in range(rings):
        faces += [(at(0, i, j), at(0, i + 1, j), at(0, i + 1, j + 1), at(0, i, j + 1)), (at(1, i, j), at(1, i, j + 1), at(1, i + 1, j + 1), at(1, i + 1, j))]
    faces += [(at(0, 0, j), at(0, 0, j + 1), at(1, 0, j + 1), at(1, 0, j)), (at(0, rings, j), at(1, rings, j), at(1, rings, j + 1), at(0, rings, j + 1))]
write("dish", [], 0, points, faces)
END
"$FRACAS" modes "$work/disc.obj" --material E=70e9,nu=0.33,rho=2700 --count 6 --json > "$work/disc.json" 2> "$work/log" || fail "$(cat "$work/log")"
"$FRACAS" modes "$work/round.obj" --material E=70e9,nu=0.33,rho=2700 --count 6 --json > "$work/round.json" 2> "$work/log" || fail "$(cat "$work/log")"
"$FRACAS" modes "$work/square.obj" --material E=70e9,nu=0.3,rho=2700 --count 6 --json > "$work/square.json" 2> "$work/log" || fail "$(cat "$work/log")"
python3 - "$work" << 'END' || fail "the tones differ"
import json, math, sys
# omega a^2 sqrt(rho h / D): side a, nu 0.3; radius a, nu 0.33; thickness h. A round edge has no moments and takes mass away
# only: the disc of the same volume, pi a^2 h, has its tones
square, disc = [13.468, 19.596, 24.271, 34.801, 34.801, 61.093], [5.253, 5.253, 9.084, 12.23, 12.23, 20.52]
volume = 2 * 0.059**2 * 0.001 + math.pi * 0.059 * 0.001**2 + 4 / 3 * 0.001**3  # over pi; Pappus
theory = {"square": (0.12, 0.3, square, 0.0004), "disc": (0.06, 0.33, disc, 0.0004), "round": (math.sqrt(volume / 0.002), 0.33, disc, 0.002)}
bad = 0
for name, (a, nu, roots, h) in theory.items():
    found = json.load(open("%s/%s.json" % (sys.argv[1], name)))
    D = 70e9 * h**3 / 12 / (1 - nu**2)
    wanted = [r / (2 * math.pi * a * a) * math.sqrt(D / (2700 * h)) for r in roots]
    hz = [m["hz"] for m in found["modes"]]
    worst = max(abs(f / w - 1) for f, w in zip(hz, wanted))
    print(name, "theory", *("%.2f" % w for w in wanted), "found", *("%.2f" % f for f in hz), "Hz; worst %.2f %%; %d nodes" % (100 * worst, found["nodes"]))
    bad += len(hz) != 6 or worst > 0.01 or found["nodes"] > 30000
sys.exit(bad)
END
begun=$SECONDS
if "$FRACAS" modes "$work/dish.obj" --material steel > "$work/dish" 2> "$work/log"; then fail "half a millimetre of a dish of 29 cm: $(head -3 "$work/dish")"; fi
grep -q "too thin for it" "$work/log" || fail "the dish: $(cat "$work/log")"
echo "refused within $((SECONDS - begun)) s: $(tail -1 "$work/log")"
