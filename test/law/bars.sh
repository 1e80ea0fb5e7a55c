#!/bin/bash
# bars.sh: bars that come as eight points in a surface file weigh what they should and have the tones of the same box in a
# scene, however thick they are and however they lie; a rod of 64 sides weighs what it should, too. What is no prism and
# loses mass to its cells is warned of.
. "$(dirname "$0")/kit.bash"
python3 - "$work" << 'END'
import math, sys
quads = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
def write(name, size, turned=False, narrow=1.0):
    with open("%s/%s.obj" % (sys.argv[1], name), "w") as f:
        for k in range(8):
            x, y, z = (size[i] * (k >> i & 1) for i in range(3))
            if k & 4:
                x, y = size[0] / 2 + narrow * (x - size[0] / 2), size[1] / 2 + narrow * (y - size[1] / 2)
            if turned:
                x, y = math.cos(0.7) * x - math.sin(0.7) * y, math.sin(0.7) * x + math.cos(0.7) * y
                x, z = math.cos(0.4) * x - math.sin(0.4) * z, math.sin(0.4) * x + math.cos(0.4) * z
            print("v %.17g %.17g %.17g" % (x + 0.3, y - 0.1, z + 0.2), file=f)
        for a, b, c, d in quads:  # turned ones in triangles
            print("f %d %d %d\nf %d %d %d" % (a, b, c, a, c, d) if turned else "f %d %d %d %d" % (a, b, c, d), file=f)
for mm in (4, 6, 10, 30):
    write("bar%d" % mm, (0.3, 0.03, mm / 1000))
with open("%s/rod.obj" % sys.argv[1], "w") as f:  # 64 sides, digits as modellers write them
    for k in range(128):
        a = 2 * math.pi * k / 64
        print("v %.6f %.6f %.6f" % (0.005 * math.cos(a), 0.2 if k > 63 else -0.1, 0.005 * math.sin(a)), file=f)
    for k in range(64):
        print("f", k + 1, 65 + k, 65 + (k + 1) % 64, (k + 1) % 64 + 1, file=f)
    print("f", *range(1, 65), file=f)
    print("f", *range(128, 64, -1), file=f)
write("turned", (0.3, 0.03, 0.006), True)
write("taper", (0.3, 0.03, 0.01), True, 0.8)
END
for name in bar4 bar6 bar10 bar30 turned rod; do
    "$FRACAS" bake "$work/$name.obj" --material steel --modes 3 --json -o "$work/$name.frm" > "$work/$name.json" 2> "$work/log" || fail "$(cat "$work/log")"
    if grep -q "volume" "$work/log"; then fail "$name: $(cat "$work/log")"; fi
done
for name in bar6 turned; do
    "$FRACAS" modes "$work/$name.obj" --material steel --count 6 --json > "$work/$name.modes" 2> "$work/log" || fail "$(cat "$work/log")"
done
echo 'body { name = "bar", material = "steel", shape = box { 0.3, 0.03, 0.006 }, cells = 3*mm }' > "$work/box.lua"
"$FRACAS" modes "$work/box.lua" --count 6 --json > "$work/box.modes" 2> "$work/log" || fail "$(cat "$work/log")"
python3 - "$work" << 'END' || fail "mass or tones differ"
import json, math, sys
load = lambda name: json.load(open("%s/%s" % (sys.argv[1], name)))
bad = 0
for name, mm in (("bar4", 4), ("bar6", 6), ("bar10", 10), ("bar30", 30), ("turned", 6)):
    found, wanted = load(name + ".json")["mass"], 7850 * 0.3 * 0.03 * mm / 1000
    print("%s: %.9g kg, wanted %.9g" % (name, found, wanted))
    bad += abs(found / wanted - 1) > 1e-9
rod, wanted = load("rod.json")["mass"], 7850 * 0.3 * 32 * 0.005**2 * math.sin(math.pi / 32)
print("rod: %.5g kg, wanted %.5g" % (rod, wanted))
bad += abs(rod / wanted - 1) > 2e-3
box = [m["hz"] for m in load("box.modes")["modes"]]
for name in ("bar6", "turned"):
    hz = [m["hz"] for m in load(name + ".modes")["modes"]]
    print(name, *("%.1f" % f for f in hz), "Hz; box", *("%.1f" % f for f in box))
    bad += abs(hz[0] / box[0] - 1) > 0.003  # first bending
    bad += abs(hz[4] / box[4] - 1) > 0.005  # first torsion
sys.exit(bad)
END
for log in first again; do # made, then kept
    "$FRACAS" modes "$work/taper.obj" --material steel --order 1 --count 2 > /dev/null 2> "$work/$log" || fail "$(cat "$work/$log")"
    grep -q "% less volume than its surface.*--size" "$work/$log" || fail "nothing is said of what the taper loses: $(cat "$work/$log")"
done
tail -1 "$work/first"
