#!/bin/bash
# broken.sh: what broke is reported: cracks and pieces in events.csv, report.json, index.html, `info`, `events` and the closing line, with
# masses and areas that add up, and names as USD has them.
. "$(dirname "$0")/kit.bash"

cat > tile.lua << 'LUA'
-- a tile falls fast beside a ball: pieces, and dust
scene { duration = 0.9*ms, fps = 20000, seed = 5 }
ground {}
sphere { 1*cm, name = "ball", at = {20*cm, 0, 5*cm} }
material { name = "tile", base = "porcelain", young = 2*GPa, poisson = 0.2, strength = 4*MPa, density = 2400 }
body { name = "roof tile", material = "tile", model = "fem", cells = 16*mm, shape = box { 8*cm, 8*cm, 12*mm }, at = {0, 0, 36*mm}, turn = {25, 20, 0},
       velocity = {0, 0, -12}, crack = { min_piece = 0.3, pieces = { dust_piece = 2 } } }
LUA
expect 0 run tile.lua --no-film --no-sound --quiet -o tile
cp stdout closing
# what the scene leaves open is null there, and reported by a dry run
expect 0 scene tile.lua --json
is bodies.0.crack.criterion.scan_interval None
expect 0 run tile.lua --dry-run --json --quiet
is crack.0.body "roof tile"
is crack.0.min_piece 0.3
python3 -c "import sys; sys.exit(not 1e-7 < float(sys.argv[1]) < 1e-4)" "$(field crack.0.criterion.scan_interval)" || fail "$last: no scan_interval"
expect 0 export tile/run.fracas -o tile.usda --quiet
expect 0 info tile/run.fracas
cp stdout info
expect 0 events tile/run.fracas
silent stderr
cp stdout events
expect 0 events tile/run.fracas --json
is_json
cp stdout events.json
expect 0 events tile/run.fracas --csv
cmp -s stdout tile/events.csv || fail "events --csv is not events.csv"
expect 0 info tile/run.fracas --json
is_json

cat > check.py << 'PY'
import csv, json, math, re
report, info = json.load(open("tile/report.json")), json.load(open("stdout"))
events = list(csv.DictReader(open("tile/events.csv")))
page, closing, said = open("tile/index.html").read(), open("closing").read(), open("info").read()
kind = lambda name: [e for e in events if e["kind"] == name]
cracks, births, dust, pieces = kind("crack"), kind("piece"), kind("dust"), report["piece_table"]
near = lambda a, b: abs(a - b) <= 1e-12 * max(abs(a), abs(b))
unit = lambda e: near(1, sum(float(e[c]) ** 2 for c in ("nx", "ny", "nz")))

# cracks: a plane, a place, above the limit; areas and energies add up to the report's
assert len(cracks) > 50 and len(cracks) == report["cracks"] == info["cracks"]
for e in cracks:
    assert unit(e) and float(e["strength_N"]) > float(e["limit_N"]) > 0, e
    assert float(e["energy_J"]) >= 0 and float(e["area_m2"]) >= 0, e
    assert e["a_name"] == "roof tile" and e["b"] == e["b_name"] == e["piece"] == e["mass_kg"] == e["jx_Ns"] == "", e
for column in ("area_m2", "energy_J"):
    total = math.fsum(float(e[column]) for e in cracks)
    assert abs(total - report["crack_" + column]) < 1e-9 * total, column
    assert info["crack_" + column] == report["crack_" + column]
times = [float(e["t_s"]) for e in cracks]
assert min(times) == report["crack_first_s"] and max(times) == report["crack_last_s"]

# births: a piece is no body
assert len(births) > 3 and len(dust) > 0 and len(births) == len(pieces) - 1 == report["pieces"] - 2
assert info["pieces"] == report["pieces"] and info["piece_table"] == pieces
for e in births:
    assert e["b"] == e["b_name"] == "" and 0 <= int(e["parent"]) < int(e["piece"]), e
    assert near(float(e["mass_kg"]), 2400 * float(e["volume_m3"])), e
assert all(e["b_name"] == "" and int(e["piece"]) > 0 for e in dust)

# pieces: all of the tile, at the end and at each birth
whole = 2400 * 0.08 * 0.08 * 0.012
assert abs(sum(p["mass_kg"] for p in pieces) - whole) < 1e-12
assert abs(sum(p["volume_m3"] for p in pieces) - whole / 2400) < 1e-15
born = {int(e["piece"]): e for e in births}
for p in pieces:
    k, mass, since = p["piece"], whole, -1.0
    if k:
        e, mass, since = born[k], float(born[k]["mass_kg"]), float(born[k]["t_s"])
        assert p["born_s"] == since and p["born_mass_kg"] == mass and p["parent"] == int(e["parent"])
        assert p["born_centre_m"] == [float(e[c]) for c in ("x_m", "y_m", "z_m")]
    # what broke off it later is no longer its own
    mass -= math.fsum(float(e["mass_kg"]) for e in births if int(e["parent"]) == k and float(e["t_s"]) > since)
    assert abs(p["mass_kg"] - mass) < 1e-12 * whole, p
assert pieces[0]["parent"] == -1 and pieces[0]["born_mass_kg"] is None
assert sorted(p["piece"] for p in pieces if p["gone_s"] is not None) == sorted(int(e["piece"]) for e in dust)

# names as in USD, all of them on the page
prims = re.findall(r'def Mesh "(roof_tile_p\d+)"', open("tile.usda").read())
assert sorted(prims) == [p["name"] for p in pieces]
assert all("<td>%s</td>" % p["name"] in page for p in pieces)
assert "<h2>Pieces</h2>\n<p class=\"summary\">%d of bodies that fell apart." % len(pieces) in page
assert "<h2>Cracks</h2>\n<p class=\"summary\">%d between" % len(cracks) in page
assert "<td>birth</td>" not in page and page.count("<td>dust</td>") == len(dust)

# `events`: every crack and every piece
listed = json.load(open("events.json"))
assert listed["piece_table"] == pieces and listed["cracks"] == len(listed["crack_table"]) == len(cracks)
for e, c in zip(cracks, listed["crack_table"]):
    assert c["name"] == e["a_name"] and c["t_s"] == float(e["t_s"]) and c["area_m2"] == float(e["area_m2"]), (e, c)
    assert c["x_m"] + c["normal"] == [float(e[k]) for k in ("x_m", "y_m", "z_m", "nx", "ny", "nz")], (e, c)
    assert [c["strength_N"], c["limit_N"], c["energy_J"]] == [float(e[k]) for k in ("strength_N", "limit_N", "energy_J")]
table = open("events").read().splitlines()
assert len(table) == 1 + 1 + len(cracks) + 1 + len(pieces) and table[0].startswith("tile/run.fracas: %d cracks of " % len(cracks))
assert [abs(float(line.split()[0]) - float(e["t_s"])) < 1e-10 for line, e in zip(table[2:], cracks)] == [True] * len(cracks)
assert [line.split()[1] for line in table[3 + len(cracks):]] == [p["name"] for p in pieces]

# counts in words
counts = "%d pieces, %d cracks" % (report["pieces"], report["cracks"])
tets = "300 tets, %d at the end" % report["tets_end"]
assert report["tets_end"] > 300 and tets + ", " + counts in closing and tets + ", " + counts in page, closing
apart = "2 bodies: 1 whole, 1 in %d pieces, %d cracks" % (len(pieces), report["cracks"])
assert apart in said and "roof tile is in %d pieces" % len(pieces) in said, said
PY
python3 check.py || fail "what broke is not told as it was"

# nothing broke: nothing is reported, and the counts say so
expect 0 run small.lua --no-film --no-sound --quiet -o whole
! grep -q "piece\|crack\|at the end" stdout || fail "a run in which nothing broke speaks of pieces"
! grep -q "<h2>Pieces\|<h2>Cracks" whole/index.html || fail "a page without pieces lists some"
expect 0 info whole/run.fracas
says stdout "2 bodies: 2 whole, no cracks"
expect 0 events whole/run.fracas
says stdout "nothing broke"
verdict
