#!/bin/bash
# break.sh: one line breaks a surface or a tet mesh: what it leaves, that it is the same scene `fracas run` takes, that nothing is done twice,
# and what is said when it cannot be.
. "$(dirname "$0")/kit.bash"
export PYTHONDONTWRITEBYTECODE=1
pieces="$source/test/unit/export_obj.py"

# a tile of 8 x 8 x 0.5 cm: tets, and a surface in mm with y up
cat > tile.lua << 'LUA'
body { material = "glass", shape = box { 8*cm, 8*cm, 5*mm }, cells = 8*mm }
LUA
python3 - > tile.obj << 'PY'
for z in (-40, 40):
    for y in (0, 5):
        for x in (-40, 40): print("v", x, y, z)
for f in ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"): print("f", f)
PY
expect 0 mesh tile.lua -o tile.msh --quiet
bare="--no-film --no-sound --quiet"
drop="--material china --drop 1.5m --turn 20,5,0 --until 0.58 $bare"

expect 0 break tile.msh $drop --json -o out
is_json
is material porcelain
is obj out/pieces
[ "$(field cracks)" -ge 1 ] || fail "nothing broke"
[ "$(field pieces)" = "$(ls out/pieces | wc -l)" ] || fail "$(field pieces) pieces, but $(ls out/pieces | wc -l) files"
python3 -c 'import json, os
r = json.load(open("out/report.json"))
names = [p["name"] for p in r["piece_table"] if p["gone_s"] is None]
assert r["bodies"] == r["pieces"] == len(names) == len(os.listdir("out/pieces")), (r["bodies"], r["pieces"], len(names))
assert all(p["parent_body"] >= 0 and p["mass_kg"] > 0 for p in r["piece_table"])
' || fail "report.json counts other pieces"
for file in break.json tile.msh run.fracas report.json index.html pieces.usda; do [ -s "out/$file" ] || fail "no $file"; done
cracked=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) col[$k] = k } $col["kind"] == "crack" { sum += $col["area_m2"] } END { printf "%.17g", sum }' out/events.csv)
python3 "$pieces" out/pieces 32e-6 "$cracked" || fail "the pieces are not those of the tile"

# once more: nothing is done; the scene is one, and runs elsewhere to the same end
cp -r out before
expect 0 break tile.msh $drop -o out
says stdout "pieces.usda"
diff -r out before > /dev/null || fail "a second call changed files"
expect 0 check out/break.json --quiet
expect 0 run out/break.json --until 0.58 $bare -o again
python3 -c 'import json
a, b = (json.load(open(f + "/report.json"))["state_hash"] for f in ("out", "again"))
assert a == b, (a, b)' || fail "break.json is another scene"
expect 0 export again -o objects/ --quiet
diff -r out/pieces objects > /dev/null || fail "export writes other pieces"
expect 2 export again -o objects.obj
says stderr "-o objects/"

# another one in the same folder is not written over, unless it is said
expect 2 break tile.msh --material glass $bare -o out
says stderr "--restart"
diff -r out before > /dev/null || fail "a refusal changed files"

# a surface, hit where it stands; too gently
expect 0 break tile.obj --unit mm --up y --size 5mm --material glass --hit 0,0,0.005 --speed 0.1 --until 0.06 $bare
says stdout "stayed whole: try a higher --speed"
[ -d "out/tile-glass-hit=0,0,0.005-speed=0.1" ] || fail "no folder of its own"

# a first one that cannot begin leaves nothing
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > sheet.obj
expect 3 break sheet.obj --unit cm --material glass $bare
[ ! -e out/sheet-glass ] || fail "it left $(ls out/sheet-glass)"

# what cannot be, and what to do instead
expect 2 break tile.obj
says stderr "these break: glass, porcelain"
expect 2 break tile.obj --material rubber
says stderr "soft and bounces"
expect 2 break tile.obj --material steel
says stderr "dented"
expect 3 break tile.obj --material glas
says stderr "did you mean 'glass'"
expect 2 break tile.obj --material glass --unit mm --hit 1,1,1
says stderr "m off the body"
expect 2 break tile.obj --material glass --unit mm --up y --hit 0,0,0
says stderr "--turn"
expect 2 break tile.obj --material glass --drop 1m --hit 0,0,0
says stderr "not both"
expect 2 break small.lua --material glass
says stderr "fracas run small.lua"
expect 3 break none.obj --material glass
expect 2 break tile.obj --material glass --drop=-1
expect 2 break tile.obj --material glass --turn 90
says stderr "degrees"
expect 2 break tile.obj --material glass --hit 99,99,99
says stderr "did you mean --unit mm"
verdict
