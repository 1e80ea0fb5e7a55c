#!/bin/bash
# thin_walls.sh: a thin bowl that comes as a surface, with nothing given about cells, has the tones of the same bowl
# meshed by rule, within 1 %.
. "$(dirname "$0")/kit.bash"
cat > "$work/rule.lua" << 'END'
material { name = "stuff", base = "bronze" }
body { name = "bowl", material = "stuff", model = "frame", cells = 3.2*mm,
  shape = lathe { {0, 0}, {25*mm, 0}, {40*mm, 12*mm}, {48*mm, 32*mm}, wall = 4*mm } }
END
"$FRACAS" mesh "$work/rule.lua" -o "$work/rule.msh" --quiet > "$work/log" 2>&1 || fail "$(cat "$work/log")"
# the faces that have one tet are its surface
surface_of() {
    python3 - "$1" << 'END'
import sys
lines = open(sys.argv[1]).read().split("\n")
first, tets = lines.index("$Nodes"), lines.index("$Elements")
node = [line.split()[1:4] for line in lines[first + 2:first + 2 + int(lines[first + 1])]]
once = {}
for line in lines[tets + 2:tets + 2 + int(lines[tets + 1])]:
    a, b, c, d = [int(v) for v in line.split()][-4:]
    for face in ((a, c, b), (a, b, d), (a, d, c), (b, c, d)):
        key = tuple(sorted(face))
        once[key] = None if key in once else face
for x in node:
    print("v", *x)
for face in filter(None, once.values()):
    print("f", *face)
END
}
surface_of "$work/rule.msh" > "$work/bowl.obj"
"$FRACAS" modes "$work/rule.lua" --count 8 --json > "$work/rule.json" 2> "$work/log" || fail "$(cat "$work/log")"
"$FRACAS" modes "$work/bowl.obj" --material bronze --count 8 --json > "$work/bowl.json" 2> "$work/log" || fail "$(cat "$work/log")"
python3 - "$work/rule.json" "$work/bowl.json" << 'END' || fail "the tones differ"
import json, sys
rule, bowl = [[m["hz"] for m in json.load(open(path))["modes"]] for path in sys.argv[1:]]
worst = max(abs(b / a - 1) for a, b in zip(rule, bowl))
print("by rule", *("%.1f" % f for f in rule), "Hz; stuffed", *("%.1f" % f for f in bowl), "Hz; worst %.2f %%" % (100 * worst))
sys.exit(len(bowl) != 8 or worst > 0.01)
END
# the same bowl with a third of the wall, to be broken: one connected layer of tets, and not too many of them
sed 's/wall = 4\*mm/wall = 1.5*mm/; s/cells = 3.2\*mm/cells = 1.4*mm/' "$work/rule.lua" > "$work/thin.lua"
"$FRACAS" mesh "$work/thin.lua" -o "$work/rule.msh" --quiet > "$work/log" 2>&1 || fail "$(cat "$work/log")"
surface_of "$work/rule.msh" > "$work/thin.obj"
cat > "$work/break.lua" << 'END'
body { name = "bowl", material = "glass", model = "shatter", shape = surface "thin.obj" }
END
"$FRACAS" mesh "$work/break.lua" > "$work/out" 2> "$work/log" || fail "$(cat "$work/log")"
grep -q "1 part, surface closed" "$work/out" || fail "$(cat "$work/out")"
awk '/ tets, / { exit !($1 > 8000 && $1 < 40000) }' "$work/out" || fail "$(cat "$work/out")"
