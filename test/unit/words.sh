#!/bin/bash
# words.sh: what the program says to people: all mistakes at once, sizes questioned, numbers as the file has them, one
# thing in the singular, times in minutes, one newline after a document.
. "$(dirname "$0")/kit.bash"
cp "$source"/assets/*.obj .

# a file that is not there does not hide what else is wrong: a wall that is too thin, a body in the ground, a load on nothing
cat > many.lua << 'LUA'
ground { material = "concrete" }
body { name = "gone", material = "rubber", shape = surface "nothere.obj", at = {0, 0, 1} }
local egg = body { name = "egg", material = "rubber", shape = ball(5*cm), cells = 2*cm, at = {0, 0, 2*cm} }
fix { egg, where = above { z = 1*m } }
body { name = "shell", material = "rubber", shape = shell { ball(5*cm), thickness = 0.1*mm }, cells = 5*cm, at = {1, 0, 1} }
LUA
expect 3 check many.lua --json
is_json
for word in nothere.obj "many.lua:2" "many.lua:4" "many.lua:5" "egg begins"; do says stdout "$word"; done
[ "$(field problems | tr ',' '\n' | grep -c many.lua)" = 3 ] || fail "$last: not three problems: $(field problems)"
says <(field warnings) "egg begins"
# where reading fails, too, both are reported
sed -i 's/ground { material/ground { materiel/' many.lua
expect 3 check many.lua
says stdout 'did you mean "material"?'
says stdout "nothere.obj"

# words for materials that people use at home, units that do not fit, damping that hardly matters
cat > home.lua << 'LUA'
scene { step = { damping_limit = param("limit", 4.2) } }
body { name = "cup", material = "rubber", cells = 5*cm, shape = box { 30*cm, 10*cm, 10*cm } }
LUA
sed 's/"rubber"/"china"/; s/cells = 5\*cm/cells = "45 kg"/' home.lua > odd.lua
expect 3 check odd.lua
says stdout 'no material "china"; did you mean "porcelain"?'
says stdout '"45 kg": kg is no unit of length; allowed: km, m, cm, mm'
expect 3 materials china
says stderr "did you mean 'porcelain'?"
for pair in pmma:acrylic PMMA:acrylic plexiglas:acrylic perspex:acrylic cast_iron:iron Soda-Lime-Glass:glass polyamide:nylon; do
    expect 3 materials "${pair%:*}"
    says stderr "did you mean '${pair#*:}'?"
done
expect 0 check home.lua
grep -q "times shorter" stderr && fail "$last: $(cat stderr)"
expect 0 check home.lua --set limit=2
says stderr "up to 2 times shorter"

# too small is questioned like too large: a bunny of 1.6 mm
expect 0 mesh bunny.obj --unit cm --size 0.2mm --quiet
says stderr "did you mean --unit m?"
echo 'body { name = "bunny", material = "rubber", shape = surface { "bunny.obj", unit = 1*cm }, cells = 0.3*mm, at = {0, 0, 1} }' > tiny.lua
expect 0 check tiny.lua --json --quiet
says <(field warnings) "did you mean unit = m?"
# also where there are too many tets to make; and the unit that is in use is not proposed
printf 'v %s\n' "0 0 0" "1e-9 0 0" "0 1e-9 0" "0 0 1e-9" > tet.obj
printf 'f %s\n' "1 3 2" "1 2 4" "1 4 3" "2 3 4" >> tet.obj
expect 0 mesh tet.obj --size 2e-10 --quiet
grep -q "did you mean" stderr && fail "$last: $(cat stderr)"
says stderr "are its numbers in a unit larger than 1 m?"
sed 's/1e-9/2/g' tet.obj > two.obj
expect 0 mesh two.obj --unit mm --size 0.4mm --quiet
says stderr "did you mean --unit cm or in or m?"
echo 'body { name = "n", material = "rubber", shape = surface { "bunny.obj", unit = 1*km }, cells = 3*cm, at = {0, 0, 60} }' > huge.lua
expect 3 check huge.lua
says stderr "n is 164"
says stderr "did you mean unit = mm?"
says stdout "tets, the limit is 3000000"
# the teapot's handle and spout end in thin edges: both sizes are reported, and who it is
echo 'body { name = "pot", material = "rubber", shape = surface "teapot.obj", cells = 12*mm, at = {0, 0, 1} }' > pot.lua
expect 0 check pot.lua
says stderr "pot: the tets are 0.2"
says stderr "the shape is 0.25 x 0.156 x 0.1"
grep -v "^pot: \|^warning: pot: \|^warning: pot\.lua:1:51: bodies\[1\]\.shape: pot: begins in 2 parts\|^model\|^rubber: " stderr && fail "$last: a note without a name"
expect 0 check small.lua
grep -q "the tets are" stderr && fail "$last: a box is told to be cut off"
expect 0 info teapot.obj
says stdout "529 points (792 with equal ones)"
expect 0 info teapot.obj --json
is size.0 0.25
is file_points 792

# a mesh file is described by its own numbers
printf '4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n' > flat.node
printf '1 4 0\n7 1 2 3 4\n' > flat.ele
expect 3 info flat.node
says stderr "tet 7 has volume"
printf '1 4 0\n7 1 2 3 3\n' > flat.ele
expect 3 info flat.node
says stderr "tet 7 has node 3 twice"
printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n11 0 0 0\n12 1 0 0\n13 0 1 0\n14 1 1 0\n$EndNodes\n$Elements\n1\n90 4 2 0 0 11 12 13 14\n$EndElements\n' > flat.msh
expect 3 info flat.msh
says stderr "tet 90 has volume"

# young alone: poisson is the base's, so that four times the stiffness doubles every tone
for young in 400 1600; do
    echo "material { 'soft', base = 'silicone', young = $young*kPa }
        body { name = 'bar', material = 'soft', shape = box { 20*cm, 4*cm, 4*cm }, cells = 2*cm }" > soft.lua
    expect 0 modes soft.lua --count 3 --json
    hz="${hz:-} $(field modes.2.hz)"
done
echo "body { name = 'bar', material = 'silicone', shape = box { 20*cm, 4*cm, 4*cm }, cells = 2*cm }" > soft.lua
expect 0 modes soft.lua --count 3 --json
python3 -c "import sys; a, b, c = map(float, sys.argv[1:]); sys.exit(not (abs(a / c - 1) < 1e-6 and abs(b / a - 2) < 1e-6))" $hz "$(field modes.2.hz)" ||
    fail "tones of stuff with another young: $hz"

# one thing is one thing; minutes are minutes; a document ends with one newline
printf '4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n' > flat.node
printf '1 4 0\n7 1 2 3 4\n' > flat.ele
expect 0 info flat.node
says stdout " 1 tet, 4 nodes, 1 part,"
sed '/^sphere/d' small.lua > lone.lua
expect 0 run lone.lua --dry-run
says stdout "1 body, 48 tets"
grep -q "e+0" <(sed -n 3p stdout) && fail "$last: $(sed -n 3p stdout)"
# shorter than a frame: the end is recorded all the same
expect 0 run lone.lua --no-film --until 20ms -o lone --json
python3 -c "import sys; sys.exit(not 0.02 <= $(field sim_seconds) < 0.02 + 1/240)" || fail "$last: ends at $(field sim_seconds) s"
expect 0 info lone/run.fracas --json
is frames 2
for args in "info lone/run.fracas" "info flat.node" "info teapot.obj" "materials glass" "materials" "check lone.lua" "mesh lone.lua" \
    "run lone.lua --dry-run" "run lone.lua --no-film --until 20ms -o lone" "modes lone.lua --count 2" "export lone/run.fracas -o x.usda"; do
    expect 0 $args --json --quiet
    is_json
    [[ "$(tail -c 2 stdout | od -An -c)" != *"\n  \n" ]] && [[ "$(tail -c 1 stdout | od -An -c)" == *"\n" ]] || fail "$last: the document does not end with one newline"
done
# what is no recording, and a path as it was given
expect 3 render lone.lua -o x.png
says stderr "fracas: lone.lua: a SQLite file is wanted, such as the run.fracas"
(cd lone && "$fracas" sound run.fracas > stdout 2> stderr)
grep -q '\./' lone/stdout lone/stderr && fail "a stray ./: $(cat lone/stdout lone/stderr)"
# a reader that has seen enough is no failure
"$fracas" materials 2> stderr | head -1 > /dev/null
[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s stderr ] || fail "materials | head: $(cat stderr)"

verdict
