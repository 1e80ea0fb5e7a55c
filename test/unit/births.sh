#!/bin/bash
# births.sh: bodies that come and go in a scene: recording, events, USD, VTU, `info`, dry run and check tell it alike, with any number of
# workers; what is wrong is reported before the run.
. "$(dirname "$0")/kit.bash"

cat > lives.lua << 'LUA'
scene { duration = 0.3*s, fps = 100, seed = 3 }
ground { material = "concrete" }
local cube = box { 10*cm, 10*cm, 10*cm }
body { name = "first", material = "rubber", shape = cube, mesher = "structured", cells = 5*cm, at = {0, 0, 6*cm}, dies = 0.2*s }
body { name = "second", material = "rubber", shape = cube, mesher = "structured", cells = 5*cm, at = {0, 0, 18*cm}, born = 0.1*s }
local arm = body { name = "arm", material = "oak", model = "frame", shape = box { 20*cm, 4*cm, 4*cm }, mesher = "structured",
  cells = 4*cm, at = {35*cm, 0, 50*cm}, born = 0.05*s, dies = 0.25*s }
local ball = sphere { 5*cm, name = "ball", material = "steel", at = {35*cm, 0, 20*cm}, born = 0.15*s }
cord { ball, to = arm, from = {35*cm, 0, 25*cm}, till = {35*cm, 0, 48*cm} }
hinge { arm, at = {35*cm, 0, 50*cm}, axis = {0, 1, 0} }
-- led from where it is written, from its birth on
sphere { 2*cm, name = "ram", kinematic = true, velocity = {1, 0, 0}, at = {0, 60*cm, 20*cm}, born = 0.1*s }
local sled = body { name = "sled", material = "oak", model = "frame", shape = cube, mesher = "structured", cells = 10*cm,
  at = {0, -60*cm, 20*cm}, born = 0.1*s }
drive { sled, velocity = {1, 0, 0} }
-- a beam falls into two halves as it turns; a ball comes out of one of them
body { name = "beam", material = "oak", model = "frame", shape = box { 20*cm, 10*cm, 10*cm }, mesher = "structured", cells = 10*cm,
  at = {0, 60*cm, 60*cm}, turn = {0, 0, 30}, spin = {0, 300, 0}, velocity = {1, 0, 0}, dies = 0.1*s }
for k = -1, 1, 2 do body { name = k < 0 and "left" or "right", material = "oak", model = "frame", shape = cube, mesher = "structured",
  cells = 10*cm, at = {5*k*cm, 0, 0}, born = 0.1*s, parent = "beam" } end
sphere { 1*cm, name = "chip", material = "oak", at = {0, 0, 12*cm}, born = 0.15*s, dies = 0.28*s, parent = "right" }
film { camera = { position = {0.4, -2, 0.6}, target = {0.1, 0, 0.2} }, size = {160, 90} }
LUA
expect 0 run lives.lua --quiet -o lives
for workers in 1 4; do expect 0 run lives.lua --no-film --no-sound --quiet -o "with-$workers" --threads "$workers"; done
cmp -s with-1/run.fracas with-4/run.fracas || fail "one and four workers: the recordings differ"
cmp -s with-1/run.fracas lives/run.fracas || fail "with and without a film: the recordings differ"
expect 0 export lives/run.fracas -o lives.usda --quiet
expect 0 export lives/run.fracas -o lives.pvd --quiet
expect 0 info lives/run.fracas
for name in first second arm ball ram sled beam; do says stdout " $name "; done
for name in left right; do grep " $name " stdout | grep -q ", from beam" || fail "info does not say where $name came from"; done
expect 0 run lives.lua --dry-run --json --quiet
is bodies 10
expect 0 check lives.lua
says stdout "bodies 7, spheres 3"

# the name of the plane is a name like others: what is born or dead is found again
cat > ground.lua << 'LUA'
scene { duration = 0.3*s, fps = 100 }
ground {}
body { name = "ground", material = "rubber", shape = box { 10*cm, 10*cm, 10*cm }, mesher = "structured", cells = 5*cm, at = {0, 0, 1},
  born = 0.1*s, dies = 0.2*s }
sphere { 5*cm, name = "ball", material = "steel", at = {1, 0, 0.2} }
LUA
expect 0 run ground.lua --no-film --no-sound --quiet -o ground-once
for until in 0.05 0.15 0.25; do expect 0 run ground.lua --no-film --no-sound --quiet --until $until -o ground-parts; done
expect 0 run ground.lua --no-film --no-sound --quiet -o ground-parts
for run in once parts; do sed -n 's/.*"state_hash": //p' ground-$run/report.json; done | uniq > hashes
[ "$(wc -l < hashes)" = 1 ] || fail "a body called ground: another motion when the run is taken up again"

# what broke into others is not born again when the run is taken up, and its time may come to an end
cat > plates.lua << 'LUA'
scene { duration = 0.03*s, fps = 200, seed = 2 }
ground { material = "granite" }
local plate = box { 60*mm, 40*mm, 5*mm }
for k = 0, 1 do body { name = k == 0 and "early" or "late", material = "glass", model = "shatter", shape = plate, mesher = "structured",
  cells = 5*mm, at = {20*k*cm, 0, 25*mm}, turn = {26, 23, 11}, velocity = {0, 0, -5}, born = 5*k*ms, dies = k == 0 and 25*ms or nil } end
LUA
expect 0 run plates.lua --no-film --no-sound --quiet -o plates-once
for until in 10ms 20ms; do expect 0 run plates.lua --no-film --no-sound --quiet --until $until -o plates-parts; done
expect 0 run plates.lua --no-film --no-sound --quiet -o plates-parts
cmp -s plates-once/run.fracas plates-parts/run.fracas || fail "what broke: another recording when the run is taken up again"
python3 - << 'PY' || fail "two plates break, and each comes once"
import sqlite3
names = [row[0] for row in sqlite3.connect("plates-once/run.fracas").execute("SELECT name FROM body")]
assert names.count("early") == names.count("late") == 1, names
assert any(n.startswith("early.") for n in names) and any(n.startswith("late.") for n in names), names
PY

cat > check.py << 'PY'
import csv, glob, re, sqlite3
life = {"first": (0.0, 0.2), "second": (0.1, None), "arm": (0.05, 0.25), "ball": (0.15, None), "ram": (0.1, None), "sled": (0.1, None),
  "beam": (0.0, 0.1), "left": (0.1, None), "right": (0.1, None), "chip": (0.15, 0.28)}
parents = {"left": "beam", "right": "beam", "chip": "right"}
tick = 1 / 300  # three macro steps in a frame
body = sqlite3.connect("lives/run.fracas").execute("SELECT name, born, died FROM body").fetchall()
for name, born, died in body:
    if name == "ground": continue
    wanted = life[name]
    assert abs(born * tick - wanted[0]) < 1e-9, (name, born)
    # it takes part in no step after its last one
    assert (died is None) == (wanted[1] is None) and (died is None or abs((died - 1) * tick - wanted[1]) < 1e-9), (name, died)
row = sqlite3.connect("lives/run.fracas").execute("SELECT c.name, p.name FROM body c JOIN body p ON c.parent = p.id").fetchall()
assert dict(row) == parents, row
rows = list(csv.DictReader(open("lives/events.csv")))
for kind, place in ("birth", 0), ("death", 1):
    told = {row["a_name"]: float(row["t_s"]) for row in rows if row["kind"] == kind}
    wanted = {name: at[place] for name, at in life.items() if at[place]}
    assert told.keys() == wanted.keys() and all(abs(told[n] - wanted[n]) < 1e-9 for n in told), (kind, told)
assert {row["a_name"]: row["b_name"] for row in rows if row["kind"] == "birth" and row["b_name"]} == parents
text = open("lives.usda").read()
def prim_of(name): return text[text.index('"%s" (' % name):].split("\n    }\n")[0]
told = {name: re.findall('fracas:parent = "(.*?)"', prim_of(name)) for name in life}
assert told == {name: [parents[name]] if name in parents else [] for name in life}, told
for name, (born, died) in life.items():
    prim = text[text.index('"%s" (' % name):]
    seen = re.findall(r'(\d+): "(inherited|invisible)"', re.search(r"visibility.timeSamples = \{(.*?)\}", prim, re.S).group(1))
    wanted = [("0", "inherited" if not born else "invisible")]
    if born: wanted.append((str(round(born * 100) + 1), "inherited"))
    if died: wanted.append((str(round(died * 100) + 1), "invisible"))
    assert seen == wanted, (name, seen, wanted)
def nodes(frame): return int(re.search(rb'NumberOfPoints="(\d+)"', open(sorted(glob.glob("lives_frames/*.vtu"))[frame], "rb").read()).group(1))
assert nodes(0) < nodes(10) < nodes(18) and nodes(30) < nodes(18), [nodes(k) for k in (0, 10, 18, 30)]
# what is led goes on from its place at its birth: 0.2 s at 1 m/s
last = text[text.index('"ram" ('):]
place = re.findall(r"30: \(([^,]*),", last)[0]
assert abs(float(place) - 0.2) < 1e-6, place
PY
python3 check.py || fail "births and deaths are not told alike"

# wrong before anything is simulated
cat > wrong.lua << 'LUA'
scene { duration = 0.3*s }
local late = body { name = "late", material = "rubber", shape = ball(5*cm), cells = 2*cm, at = {0, 0, 1}, born = 0.1*s }
drive { late, path = { {0, {0, 0, 0}}, {0.2*s, {0, 0, 1}} } }
fix { late, where = above { z = 1*m } }
LUA
expect 3 check wrong.lua
says stdout "loads[1]: late: its path begins at 0 s, before it is born at 0.1 s"
says stdout "bodies[1].fixed[1].where: late: the region holds no part of the body"
# only those that come together can begin inside each other
cat > inside.lua << 'LUA'
scene { duration = 0.3*s }
ground {}
sphere { 5*cm, name = "a", at = {0, 0, 1} }
sphere { 5*cm, name = "b", at = {0, 0, 1}, born = 0.1*s }
sphere { 5*cm, name = "c", at = {0, 0.06, 1}, born = 0.1*s }
sphere { 5*cm, name = "d", at = {1, 0, 0}, born = 0.2*s }
LUA
expect 0 check inside.lua
says stderr "inside ground"
[ "$(grep -c "begins .* inside" stderr)" = 2 ] || fail "$last: $(cat stderr)"
verdict
