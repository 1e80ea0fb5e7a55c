#!/bin/bash
# dust.sh: pieces that leave as dust through recording, resuming, report, pictures and exports.
set -eu
fail() {
    echo "$*"
    exit 1
}
cat > dust.lua << 'LUA'
scene { duration = 3*ms, fps = 1000, seed = 4, gravity = {0, 0, 0} }
material { name = "soft-glass", base = "glass", young = 0.1*GPa, poisson = 0.2, strength = 1*MPa }
body { name = "pane", material = "soft-glass", model = "fem", shape = box { 20*cm, 20*cm, 2*cm }, cells = 3*cm,
  crack = { min_piece = 0.5, pieces = { dust_piece = 2 } } }
sphere { 2*cm, name = "ball", material = "steel", at = {1*cm, 0, 3.1*cm}, velocity = {0, 0, -10} }
LUA
run() { "$FRACAS" run dust.lua --no-film --no-sound --quiet "$@"; }
rm -rf whole parts
run -o whole
# stopped while it breaks and taken up again: the same bytes
run -o parts --until 2ms
run -o parts
cmp whole/run.fracas parts/run.fracas || fail "a run in two parts has other bytes"
python3 - << 'PY' || fail "the report"
import json, sqlite3
report = json.load(open("whole/report.json"))
cost, energy = report["step_cost"], report["energy"]
db = sqlite3.connect("file:whole/run.fracas?mode=ro", uri=True)
pieces, = db.execute("SELECT count(*) FROM event WHERE kind = 6").fetchone()
print("%d of %d pieces left with %.2g of the mass; the ledger closes to %.1g" %
      (pieces, report["pieces"], cost["dust_mass_share"], energy["closure"]))
assert pieces == cost["dust_pieces"] > 0
assert 0 < cost["dust_mass_share"] <= 0.01
assert energy["dust"] == cost["dust_energy"] > 0
assert energy["closure"] < 1e-3 and report["momentum_drift"] < 1e-12
PY
left=$(sqlite3 whole/run.fracas "SELECT count(*) FROM event WHERE kind = 6")
"$FRACAS" export whole/run.fracas -o dust.usda 2> /dev/null
[ "$(grep -c '"invisible"' dust.usda)" = "$left" ] || fail "dust is still to be seen in USD"
"$FRACAS" export whole/run.fracas -o dust.pvd 2> /dev/null
"$FRACAS" render whole/run.fracas --frame 3 --size 160x90 -o dust.png 2> /dev/null
[ -s dust.png ] || fail "no picture"
echo ok
