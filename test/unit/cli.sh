#!/bin/bash
# cli.sh: the command line as scripts rely on it: exit codes, help, suggestions, JSON on stdout alone.
# Interrupts (130), breakdowns (5) and full disks (4) have their own scripts in test/fault.
. "$(dirname "$0")/kit.bash"

# help: every verb explains itself on stdout
expect 0 --help
for verb in run sweep mesh modes listen render export info events scene check materials bench; do
    expect 0 --help
    says stdout "fracas $verb"
    expect 0 "$verb" --help
    says stdout Examples
    silent stderr
done
expect 0 --version
says stdout "fracas "
expect 2
silent stdout
says stderr "fracas run"

# usage: 2, on stderr, with the word that was meant
expect 2 rnu small.lua
says stderr "did you mean 'run'?"
silent stdout
expect 2 run small.lua --dry-rum
says stderr "did you mean --dry-run?"
expect 2 run
says stderr "an argument is missing"
expect 2 run small.lua other.lua
says stderr "one argument too many"
expect 2 run small.lua --fps
says stderr "needs N after it"
expect 2 run small.lua --fps 30mm
expect 2 run small.lua --fps 0
expect 2 run small.lua --until -1
expect 2 run small.lua --threads two
expect 2 run small.lua --detail ultra
says stderr "draft, normal, fine"
expect 2 run small.lua --set fall
says stderr "name=value"
expect 2 run small.lua --json=yes
expect 2 export small.fracas
says stderr "-o"
expect 2 scene --language french

# bad input: 3, with the place and what was meant
expect 3 run nothere.lua
says stderr nothere.lua
expect 3 run small.lua --set fall=5m
says stderr "out of range"
expect 3 run small.lua --set fal=5cm
says stderr 'did you mean "fall"?'
expect 3 materials glas
says stderr "did you mean 'glass'?"
expect 3 info .
says stderr "a folder without a run.fracas"
expect 3 info nothere.fracas
expect 3 info nothere.obj
expect 3 events nothere.fracas
expect 3 events small.lua
says stderr "no recording"
echo "not a recording" > garbage.fracas
expect 3 info garbage.fracas
says stderr garbage.fracas
echo "v 1 2 x" > garbage.obj
expect 3 info garbage.obj
says stderr "garbage.obj:1:7"
mkdir folder.fracas folder.lua
expect 3 info folder.fracas
expect 3 info folder.lua
expect 3 render garbage.fracas
expect 3 export garbage.fracas -o x.usda
expect 4 run small.lua -o /proc/nowhere --no-film
says stderr /proc/nowhere
silent stdout

# check finds slips, says where, and suggests
expect 0 check small.lua
sed 's/cells =/cels =/' small.lua > typo.lua
{ echo 'print("once")'; cat typo.lua; } > prints.lua
expect 3 check prints.lua
[ "$(grep -c once stderr)" = 1 ] || fail "$last: what the script prints is there $(grep -c once stderr) times"
expect 3 check typo.lua
says stdout "typo.lua:5"
says stdout 'did you mean "cells"?'
expect 3 check typo.lua --json
is_json
is ok False
says stdout cells
expect 0 check small.lua --json
is_json
is ok True

# a dry run says tets, steps, time and disk, and writes nothing
expect 0 run small.lua --dry-run
for word in tets steps "s to simulate" MB frames; do says stdout "$word"; done
expect 0 run small.lua --dry-run --json
is_json
is tets 48
is bodies 2
is breaks_on False
[ ! -d out ] || fail "a dry run wrote something"
# where it ends while something breaks it says that it guesses
expect 0 run "$FRACAS_SOURCE/scenes/papers/wall.lua" --dry-run --json --quiet
is breaks_on True
# one meaning of steps in a dry run and in a report, also where the step is given, or the ticks are many steps long
sed 's/seed = 5 }/seed = 5, step = { dt = 50*us } }/' small.lua > fixed.lua
sed 's/material = "rubber"/material = "steel"/; s/0.2\*s/20*ms/; s/fall", 12\*cm/fall", 5*cm/' small.lua > stiff.lua # it stands: flight is free
for scene in small fixed stiff; do
    expect 0 run $scene.lua --dry-run --json --quiet
    said=$(field steps)
    step=$(field step)
    expect 0 run $scene.lua --no-film --json --quiet -o steps-$scene
    python3 -c 'import sys; said, was = map(float, sys.argv[1:]); sys.exit(not was / 2 <= said <= was * 2)' \
        "$said" "$(field steps)" || fail "$scene: a dry run says $said steps, there were $(field steps)"
    [ $scene != fixed ] || [ "$(printf %.3e "$step")" = 5.000e-05 ] || fail "a step of 50 us is told as $step"
done

# stdout has the data, stderr the rest
expect 0 run small.lua --no-film --json --threads 0 -o run
is_json
says stderr "model fem (deformable): block"
[ "$(field bodies)" = 2 ] && [ "$(field tets_end)" = 48 ] || fail "$last: wrong counts"
for name in scene_hash state_hash seed sim_seconds steps pieces nodes_start energy.closure momentum_drift timing.checkpoint; do
    field "$name" > /dev/null 2>&1 || fail "$last: no field $name"
done
python3 -c "import sys; sys.exit(not 0 <= float(sys.argv[1]) < 1e-12)" "$(field momentum_drift)" ||
    fail "$last: momentum_drift is not a small number"
hash=$(field state_hash)
for file in run.fracas report.json events.csv index.html; do [ -s run/$file ] || fail "no run/$file"; done
expect 0 run small.lua --no-film --quiet -o run
says stdout "run/run.fracas: 2 bodies, 48 tets"
silent stderr

# the folder of a run stands for its recording
for verb in info events; do
    expect 0 $verb run/run.fracas
    cp stdout of-file
    expect 0 $verb run
    cmp -s stdout of-file || fail "$last is not what run/run.fracas gives"
done
expect 0 export run/ -o folder.usda
expect 0 render run --frame 3 --size 160x90 -o folder.png
expect 0 sound run --no-stems -o folder.wav
for verb in info events render sound "export -o x.usda"; do
    expect 3 $verb folder.lua
    says stderr "folder.lua is a folder without a run.fracas"
done

# what is missing is made again, and nothing else; the report keeps its timings
cp run/run.fracas before
timing=$(python3 -c 'import json; print(json.load(open("run/report.json"))["timing"]["simulate"])')
rm run/events.csv run/index.html
expect 0 run small.lua --no-film --quiet --json -o run
[ -s run/events.csv ] && [ -s run/index.html ] || fail "a deleted table did not come back"
is timing.simulate "$timing"
cmp -s before run/run.fracas || fail "a finished recording was written again"

# other settings do not resume: 2, the old run is kept
expect 2 run small.lua --set fall=30cm --no-film -o run
says stderr "--restart"
cmp -s before run/run.fracas || fail "the old run was not kept"
# the default folder has the settings in its name
expect 0 run small.lua --set fall=11cm --until 40ms --no-film --quiet
[ -s out/small-fall=11cm/run.fracas ] || fail "no folder out/small-fall=11cm"

# the resolved scene: complete, stable, and the same motion
expect 0 scene small.lua --json
is_json
silent stderr
cp stdout small.json
expect 0 scene small.json --json
cmp -s stdout small.json || fail "the resolved scene does not come back the same"
expect 0 run small.json --no-film --json --threads 1 -o replay
is state_hash "$hash"
cmp -s run/run.fracas replay/run.fracas || fail "the replay is another recording"

# looking at it
expect 0 info run/run.fracas
says stdout "finished"
expect 0 info run/run.fracas --json
is_json
is kind recording
is finished True
is bodies.0.name block
frames=$(field frames)
expect 0 info small.lua
expect 0 materials --json
is_json
expect 0 materials
says stdout "13.8:2.1:1.1 GPa    ortho"
expect 0 materials oak --json
is_json
is anisotropic True
field young_axes.2 > /dev/null || fail "$last: no field young_axes"
expect 0 materials glass --json
is_json
is name glass
expect 2 render run/run.fracas --frame 9999 -o frame.png
says stderr "0 to $((frames - 1))"
expect 2 render run/run.fracas --time 9s -o frame.png
says stderr "there is no frame at 9 s; the recording has 0 s to "
[ ! -e frame.png ] || fail "a frame behind the end was drawn"
expect 2 render run/run.fracas --frame 1 --time 20ms -o frame.png
says stderr "not both"
expect 0 render --help
says stdout "cut open towards the eye"
expect 2 render run/run.fracas -o picture.gif
mkdir usd vtu tables pictures
expect 0 export run/run.fracas -o usd/run.usda --preset blender --json
is_json
is output usd/run.usda
python3 "$source/test/unit/export_usda.py" usd/run.usda "$frames" || fail "the USD file is not good"
expect 0 export run/run.fracas -o vtu/run.pvd
python3 "$source/test/unit/export_vtu.py" vtu/run.pvd "$frames" || fail "the VTU files are not good"
expect 2 export run/run.fracas -o run.abc

# no OpenGL and no ffmpeg: the run is whole all the same, and says what is missing
__EGL_VENDOR_LIBRARY_FILENAMES=/none.json expect 0 run small.lua --until 40ms -o blind
says stderr "warning: no OpenGL"
[ -s blind/run.fracas ] && [ -s blind/index.html ] || fail "without OpenGL there is no recording"

# meshes: sizes in metres, a wrong unit questioned
cat > cube.obj << 'OBJ'
v 0 0 0
v 90 0 0
v 90 90 0
v 0 90 0
v 0 0 90
v 90 0 90
v 90 90 90
v 0 90 90
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
OBJ
expect 0 mesh cube.obj --size 20 --quiet
says stderr "did you mean --unit mm?"
expect 0 mesh cube.obj --unit mm --size 9mm
says stdout "size 0.09 x 0.09 x 0.09 m"
silent stderr
expect 0 mesh cube.obj --unit mm --size 2cm --json -o cube.msh
is_json
is closed True
for name in nodes tets volume min_dihedral_deg max_dihedral_deg; do field $name > /dev/null || fail "no $name"; done
expect 0 info cube.msh --json
is_json
is kind tets
expect 0 info cube.obj --json
is kind surface
# a cube through itself, a face doubled, another one taken away and one turned over: said, and meshed all the same
{ cat cube.obj; sed -n 's/^v \(.*\)/\1/p' cube.obj | awk '{ print "v", $1 + 40, $2 + 30, $3 + 20 }'
    printf 'f 12 11 10 9\nf 13 14 15 16\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 16 15 11 12\n'; } > faults.obj
expect 0 mesh faults.obj --unit mm --size 15mm
says stdout "not closed, 2 parts"
says stdout "open edges"
says stdout "wound against each other"
says stdout "run through others"
says stdout "2 doubled triangles"
expect 0 mesh faults.obj --unit mm --size 15mm --json
is surface.duplicate_triangles 2
is surface.closed False
expect 0 mesh cube.obj --unit mm --size 2cm --json -o cube.node
tets=$(field tets)
expect 0 info cube.ele --json
is tets "$tets"
# ten metres: questioned
expect 0 mesh cube.obj --unit in --size 50cm --quiet
silent stderr
sed 's/90/10/g' cube.obj > ten.obj
expect 0 mesh ten.obj --size 2
says stderr "ten.obj is 10 m x 10 m x 10 m: did you mean --unit cm?"
# a unit forgotten in a scene
echo 'body { name = "huge", material = "rubber", shape = box {200, 200, 200}, at = {0, 0, 100} }' > huge.lua
expect 0 check huge.lua
grep -q "huge is 200 m x 200 m x 200 m: lengths without a unit are metres" stdout stderr || fail "a box of 200 m is not questioned"
# 10-node tets: the mid-nodes lie on the shape, so that the volume of a ball is twenty times nearer to 4/3 pi R^3
echo 'body { name = "round", material = "rubber", shape = ball { 10*cm }, cells = 4*cm }' > ball.lua
expect 0 mesh ball.lua --json
short=$(python3 -c "import math; print(1 - $(field bodies.0.volume) / (4e-3 / 3 * math.pi))")
expect 0 mesh ball.lua --order 2 --json -o ball.msh
is bodies.0.order 2
curved=$(python3 -c "import math; print(1 - $(field bodies.0.volume) / (4e-3 / 3 * math.pi))")
python3 -c "import sys; sys.exit(not ($short > 0 and abs($curved) < $short / 20))" ||
    fail "a ball of 10-node tets is off by $curved, of 4-node tets by $short"
expect 0 info ball.msh --json
is order 2
python3 -c "import sys; sys.exit(abs(1 - $(field volume) / (4e-3 / 3 * 3.141592653589793) - $curved) > 1e-12)" ||
    fail "ball.msh has another volume"
# 10-node tets do not move; files that are no meshes by their names; endings that no mesh has
echo 'body { name = "m", material = "rubber", shape = mesh "ball.msh", at = {0, 0, 1} }' > ten.lua
expect 3 check ten.lua
says stdout "bodies[1]: m: motion takes 4-node tets"
cp ball.msh nothing
sed 's/ball.msh/nothing/' ten.lua > named.lua
expect 3 check named.lua
says stdout "nothing: is not a tet mesh; .msh, .node and .ele are read"
expect 2 mesh ball.lua -o ball.xyz
says stderr "ball.xyz: meshes are written as .msh or .node"
[ ! -e ball.xyz ] || fail "ball.xyz was written"
echo 'body { name = "cube", material = "rubber", shape = surface { "cube.obj" }, cells = 20*m }' > cube.lua
expect 0 run cube.lua --dry-run
says stderr "did you mean unit = mm?"

# pictures, where this machine can draw at all
if "$fracas" render run/run.fracas --frame 0 --size 160x90 -o frame.png > stdout 2> stderr; then
    [ "$(head -c 4 frame.png | tail -c 3)" = PNG ] || fail "frame.png is no PNG"
    expect 0 render run/run.fracas --frame 2 --size 160x90 -o frame.png
    expect 0 render run/run.fracas --time 75ms --size 160x90 -o moment.png
    says stderr "frame 2, at "
    cmp -s frame.png moment.png || fail "--time shows another frame than --frame"
    expect 0 render run/run.fracas --sheet 2x1 -o pictures/sheet.png --show stress --json
    is_json
    is output pictures/sheet.png
    # fov without a position: 32 degrees are what is chosen, 70 look otherwise
    for fov in 32 70; do
        { cat small.lua && echo "film { camera = { fov = $fov } }"; } > fov$fov.lua
        expect 0 run fov$fov.lua --until 0.1ms --no-film --quiet -o fov$fov
        expect 0 render fov$fov/run.fracas --frame 0 --size 160x90 -o fov$fov.png
    done
    expect 0 run small.lua --until 0.1ms --no-film --quiet -o one
    expect 0 render one/run.fracas --frame 0 --size 160x90 -o one.png
    cmp -s one.png fov32.png || fail "a camera of 32 degrees is not the automatic one"
    cmp -s one.png fov70.png && fail "film.camera.fov does nothing without a position"
    # pictures have the size that was asked for; films have none that is odd
    expect 0 render one/run.fracas --frame 0 --size 161x91 -o odd.png
    [ "$(python3 -c 'import struct; print("%dx%d" % struct.unpack(">II", open("odd.png", "rb").read()[16:24]))')" = 161x91 ] ||
        fail "a picture of 161x91 has another size"
    if command -v ffmpeg > /dev/null; then
        expect 2 render one/run.fracas --size 161x91 -o odd.mp4
        says stderr "both have to be even"
        # a film of a recording with a single frame
        expect 0 render one/run.fracas --size 160x90 -o one.mp4
        [ -s one.mp4 ] || fail "no film of one frame"
    fi
fi

# what begins inside the ground is reported, and a list of mistakes is reported once
cat > buried.lua << 'LUA'
scene { duration = 2*ms }
ground { material = "concrete" }
body { name = "egg", material = "rubber", shape = ball(5*cm), at = {0, 0, 2*cm} }
LUA
expect 0 run buried.lua --dry-run
says stderr "egg begins 0.03"
echo 'ground { materiel = "concrete" }' > typo.lua
expect 3 check typo.lua
says stdout "materiel"
grep -q materiel stderr && fail "$last: stderr repeats the mistake"

# what ended inside something else is reported by name, and stands in the report; what was kept out is not
cat > sunk.lua << 'LUA'
scene { duration = 2*ms, gravity = {0, 0, 0} }
body { name = "pad", material = "silicone", shape = box { 12*cm, 12*cm, 12*cm }, cells = 3*cm }
body { name = "ball", model = "frame", material = "steel", shape = ball(2*cm), cells = 1*cm, at = {0.3*cm, 0.2*cm, 1*cm} }
LUA
expect 0 run sunk.lua --no-film --no-sound --json -o sunk
says stderr "ball ended with 100 % of its volume inside pad"
is sunk.0.body ball
is sunk.0.in pad
expect 0 run small.lua --no-film --json -o run
is sunk "[]"
# also what went through a wall with a small part of its volume
cat > pierced.lua << 'LUA'
scene { duration = 0.1*ms, gravity = {0, 0, 0}, contact = { stiffness = 0.001 } }
body { name = "sheet", material = "rubber", shape = box { 20*cm, 20*cm, 5*mm }, cells = 2*cm, crack = { off = true } }
sphere { 5*cm, name = "ball", kinematic = true, at = {0, 0, param("high", 2*cm)} }
LUA
expect 0 run pierced.lua --no-film --no-sound --json -o pierced
says stderr "m deep, more than a wall, in ball"
is sunk.0.body sheet
expect 0 run pierced.lua --no-film --no-sound --json -o pierced --set high=4.9cm --restart
is sunk "[]"
# the ground counts, also for what came back; what was put under it and stays there does not
cat > under.lua << 'LUA'
scene { duration = param("long", 8*ms), fps = 1000 }
ground {}
body { name = "fast", material = "jelly", shape = box { 5*cm, 5*cm, 5*cm }, cells = 2.5*cm, at = {0, 0, 20*cm}, velocity = {0, 0, -60} }
body { name = "slow", material = "rubber", shape = box { 5*cm, 5*cm, 5*cm }, cells = 2.5*cm, at = {1, 0, 3*cm} }
sphere { 2*cm, name = "buried", kinematic = true, at = {2, 0, -1} }
LUA
expect 0 run under.lua --no-film --no-sound --json -o under
says stderr "fast ended with 100 % of its volume under ground, and was 0.23"
is sunk.0.body fast
is sunk.0.in ground
is sunk.0.share 1
grep -q "slow ended\|buried ended\|slow was\|buried was" stderr && fail "$last: warns of what was kept out or put there"
expect 0 run under.lua --no-film --no-sound --json -o under --set long=40ms --restart
says stderr "fast was wholly under ground, 0.25"
is sunk.0.share 0
grep -q '"depth": 0.2' stdout || fail "$last: the depth is not told"

# modes: a table, a document, files for other programs; the second time from the cache
expect 0 modes small.lua --count 6
says stdout "6 rigid motions left out"
says stdout "T60 s"
expect 0 modes small.lua --count 4 --json -o block.dsp
is_json
is cached True
is order 2
is rigid_modes 6
grep -q 'pm.modalModel(nModes' block.dsp || fail "block.dsp is no Faust program"
expect 0 modes small.lua --count 4 --json --no-cache --order 1 --mass lumped
is cached False
is mass lumped
if "$fracas" modes small.lua --count 2 -o shapes.png > stdout 2> stderr; then
    [ "$(head -c 4 shapes.png | tail -c 3)" = PNG ] || fail "shapes.png is no PNG"
fi
expect 0 mesh small.lua -o block.msh
expect 0 modes block.msh --material E=2GPa,nu=0.4,rho=1000 --count 3 -o tables/block.csv
says tables/block.csv "mode,hz,note"
expect 2 modes block.msh --count 3
says stderr "--material NAME"
expect 3 modes block.msh --material steeel
says stderr 'did you mean'
expect 2 modes small.lua --count 3 -o x.wav
expect 2 modes small.lua --count 0
says stderr "--count takes a whole number from 1 up"
expect 0 bake block.msh --material steel --quiet -o block.frm
expect 3 modes block.frm
says stderr "fracas info block.frm"
# no tones beyond what is heard, unless they are asked for
expect 0 modes block.msh --material E=2GPa,nu=0.4,rho=1000 --count 50 --max-freq 1e6 --json
[ "$(grep -c '"hz"' stdout)" = 50 ] || fail "$last: fewer than 50 modes"
expect 0 modes block.msh --material E=2GPa,nu=0.4,rho=1000 --count 50 --json
python3 -c 'import json; m = json.load(open("stdout"))["modes"]; assert 0 < len(m) < 50 and m[-1]["hz"] <= 20000' ||
    fail "$last: tones above 20 kHz"
says stderr "--max-freq asks for higher ones"
expect 0 modes block.msh --material E=2GPa,nu=0.4,rho=1000 --count 3
says stderr "--order 2"
expect 0 modes block.msh --material E=2GPa,nu=0.4,rho=1000 --count 3 --order 2 --quiet
silent stderr

# a file is written into a folder that is there, and that is known before the work begins
for verb in "modes block.msh --material steel -o no/x.csv" "bake block.msh --material steel -o no/x.frm" \
    "strike block.msh --material steel -o no/x.wav" "mesh small.lua -o no/x.msh" "export run/run.fracas -o no/x.usda"; do
    expect 4 $verb
    says stderr "there is no folder no"
    [ ! -e no ] || fail "$last: made a folder"
done

# what it is made of is looked at before meshing: cells this small would be refused
python3 - > half.obj <<'END'
from math import *
n, m = 24, 6
for i in range(m):
    for k in range(n):
        a, b = 0.5*pi*i/m, 2*pi*k/n
        print("v", 0.05*cos(a)*cos(b), 0.05*cos(a)*sin(b), -0.05*sin(a))
print("v 0 0 -0.05")
for i in range(m - 1):
    for k in range(n):
        a, b = i*n + k + 1, i*n + (k + 1) % n + 1
        print("f", a, a + n, b + n, b)
for k in range(n): print("f", (m - 1)*n + k + 1, m*n + 1, (m - 1)*n + (k + 1) % n + 1)
END
for verb in strike modes bake; do
    expect 3 $verb half.obj --material steeel --size 1e-9
    says stderr 'did you mean'
    expect 3 $verb half.obj --material E=1,nu=0.7,rho=-3 --size 1e-9
    says stderr 'found 0.7; rho must be above 0, found -3'
    expect 2 $verb half.obj --size 1e-9
    says stderr '--material NAME'
done
# an open surface is filled, but not in silence
expect 0 modes half.obj --material bronze --count 1 --order 1 --size 2cm --quiet
says stderr "half.obj is not closed (24 open edges)"
says stderr "shell { surface"
expect 0 modes block.msh --material bronze --count 1 --order 1 --quiet
silent stderr
# a tet mesh with a loose node and a tet inside out
printf '6 3 0 0\n0 0 0 0\n1 .1 0 0\n2 0 .1 0\n3 0 0 .1\n4 .1 .1 .1\n5 9 9 9\n' > loose.node
printf '2 4 0\n0 0 1 2 3\n1 1 2 3 4\n' > loose.ele
expect 0 mesh loose.node --quiet
says stderr "1 node belongs to no tet: left out"
[ "$(wc -l < stderr)" = 1 ] && [ "$(grep -o 'loose.node:' stderr | wc -l)" = 1 ] || fail "a loose node is told, or named, twice: $(cat stderr)"
printf '2 4 0\n0 0 1 2 3\n1 2 1 3 4\n' > loose.ele
expect 0 mesh loose.node --quiet
says stderr "1 tet was inside out: turned over"
# two cubes of 10 cm in one file, 3 cm apart: 0.7 of 2 litres are there twice
python3 - << 'PY'
six = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
node = [(s + .1 * (k & 1), .1 * (k >> 1 & 1), .1 * (k >> 2)) for s in (0, .03) for k in range(8)]
tet = [[s + k for k in t] for s in (0, 8) for t in six]
with open("double.node", "w") as f: print(16, 3, 0, 0, *[f"\n{k} {x} {y} {z}" for k, (x, y, z) in enumerate(node)], file=f)
with open("double.ele", "w") as f: print(12, 4, 0, *[f"\n{k} {a} {b} {c} {d}" for k, (a, b, c, d) in enumerate(tet)], file=f)
PY
for verb in mesh info; do
    expect 0 $verb double.node --quiet
    says stderr ": 12 tets lie inside each other, around (0.065, 0.05, 0.05) of the file: 35 % of the volume counts twice"
done
# a bar is struck, and heard by who thinks that it is half as stiff
python3 - << 'PY'
n = 12
with open("bar.node", "w") as f:
    print(4 * (n + 1), 3, 0, 0, file=f)
    for i in range(n + 1):
        for k in range(4): print(4 * i + k, 0.3 * i / n, 0.02 * (k & 1), 0.01 * (k >> 1), file=f)
six = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
with open("bar.ele", "w") as f:
    tet = [[4 * i + 4 * (k & 1) + (k >> 1) for k in t] for i in range(n) for t in six]
    print(len(tet), 4, 0, *[f"\n{k} {a} {b} {c} {d}" for k, (a, b, c, d) in enumerate(tet)], file=f)
PY
expect 0 strike bar.node --material steel --air flat --at 0.29,0.004,0.01 -o blow.wav --quiet
expect 0 listen blow.wav --shape bar.node --material E=100e9,nu=0.29,rho=7850 --json --quiet
python3 - << 'PY' || fail "listen: $(cat stdout)"
import json
heard = json.load(open("stdout"))
assert abs(heard["young"] / 210e9 - 1) < 0.01 and heard["confidence"] > 3, heard
PY
expect 2 listen blow.wav --material steel
says stderr "--shape"
expect 2 listen blow.wav --shape bar.node
says stderr "--material NAME"
expect 3 listen bar.ele --shape bar.node --material steel
says stderr "bar.ele: byte 0: not a WAV file"
expect 3 modes small.lua --count 3 --body bell
says stderr "it has: block"

verdict
