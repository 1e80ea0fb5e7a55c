# kit.bash: small scenes, runs of them and checks, for the scripts of this folder.
# FRACAS: the program.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# two soft boxes fall on the ground and on each other
cat > "$work/drop.lua" << 'LUA'
scene { duration = 0.6*s, fps = 30, seed = 3 }
ground { material = "concrete" }
for k = 1, 2 do
  body { name = "box" .. k, material = "rubber", shape = box { 20*cm, 20*cm, 20*cm }, mesher = "structured",
    cells = 4*cm, at = {3*cm * k, 0, 13*cm + (k - 1) * 24*cm}, turn = {0, 9 * k, 4} }
end
LUA
# a sheet falls on a ball and hangs over it
cat > "$work/sheet.lua" << 'LUA'
scene { duration = 0.5*s, fps = 30, seed = 4 }
sphere { 15*cm, name = "ball", material = "brass", kinematic = true, at = {0, 0, 20*cm} }
body { name = "sheet", material = "silicone", self_contact = true, shape = box { 50*cm, 50*cm, 3*cm },
  mesher = "structured", cells = 5*cm, at = {2*cm, 1*cm, 37*cm} }
LUA
# a blast runs into a clamped pane
cat > "$work/pane.lua" << 'LUA'
scene { duration = 20*ms, fps = 1000, seed = 1 }
local pane = body { name = "pane", material = "acrylic", mesher = "structured", cells = 4*cm,
  shape = box { 60*cm, 2*cm, 60*cm }, at = {0, 0, 50*cm} }
for _, where in ipairs { below { x = -27*cm }, above { x = 27*cm } } do fix { pane, where = where } end
blast { pane, origin = {10*cm, -1.5*m, 60*cm}, peak = 0.1*atm, decay = 4*ms, start = 1*ms }
LUA
# a bar is pulled apart, with a burst of frames
cat > "$work/bar.lua" << 'LUA'
scene { duration = 60*ms, fps = 240, seed = 2 }
material { name = "soft", base = "s6-ceramic", lambda = 5.8e6, mu = 3.85e6, density = 1000,
  phi = 120, psi = 80, tau = 0, strength = 60*kPa }
local bar = body { name = "bar", material = "soft", mesher = "structured", cells = 2*cm,
  shape = box { 60*cm, 10*cm, 10*cm }, at = {0, 0, 50*cm} }
fix { bar, where = below { x = -29*cm } }
drive { bar, where = above { x = 29*cm }, velocity = {30*cm, 6*cm, 2*cm} }
film { burst = "auto" }
LUA
# soft boxes, a hinged arm with a ball pinned to it, a ball that is led and a stick that is pulled apart come and go
cat > "$work/lives.lua" << 'LUA'
scene { duration = 0.5*s, fps = 60, seed = 3 }
ground { material = "concrete" }
local cube = box { 20*cm, 20*cm, 20*cm }
body { name = "first", material = "rubber", shape = cube, mesher = "structured", cells = 7*cm, at = {0, 0, 12*cm}, dies = 0.3*s }
body { name = "second", material = "rubber", shape = cube, mesher = "structured", cells = 7*cm, at = {3*cm, 0, 35*cm},
  born = 0.1*s, dies = 0.4*s }
local arm = body { name = "arm", material = "oak", model = "frame", shape = box { 20*cm, 4*cm, 4*cm }, mesher = "structured",
  cells = 4*cm, at = {35*cm, 0, 50*cm}, born = 0.05*s }
hinge { arm, at = {26*cm, 0, 50*cm}, axis = {0, 1, 0} }
local ball = sphere { 5*cm, name = "ball", material = "steel", at = {50*cm, 0, 50*cm}, born = 0.12*s, dies = 0.35*s }
pin { ball, to = arm, at = {45*cm, 0, 50*cm} }
sphere { 4*cm, name = "ram", material = "steel", kinematic = true, at = {-30*cm, 0, 20*cm}, velocity = {2, 0, 0}, born = 0.2*s }
material { name = "brittle", base = "s6-ceramic", lambda = 5.8e6, mu = 3.85e6, density = 1000, phi = 120, psi = 80, tau = 0,
  strength = 60*kPa }
local stick = body { name = "stick", material = "brittle", shape = box { 40*cm, 5*cm, 5*cm }, mesher = "structured",
  cells = 5*cm, at = {0, 50*cm, 30*cm}, born = 0.15*s, dies = 0.47*s }
fix { stick, where = below { x = -19*cm } }
drive { stick, where = above { x = 19*cm }, velocity = {0.3, 0, 0.1} }
sphere { 3*cm, name = "last", material = "oak", at = {60*cm, 30*cm, 20*cm}, born = 0.41*s, dies = 0.45*s }
body { name = "quiver", material = "rubber", model = "modal", modes = 12, shape = cube, mesher = "structured", cells = 7*cm,
  at = {0, 90*cm, 20*cm}, turn = {20, 30, 0}, born = 0.07*s, dies = 0.45*s }
body { name = "beam", material = "oak", model = "frame", shape = box { 20*cm, 10*cm, 10*cm }, mesher = "structured", cells = 10*cm,
  at = {0, -60*cm, 60*cm}, spin = {0, 300, 0}, dies = 0.15*s }
for k = -1, 1, 2 do body { name = "half" .. k, material = "oak", model = k < 0 and "fem" or "frame", shape = box { 10*cm, 10*cm, 10*cm },
  mesher = "structured", cells = 10*cm, at = {5*k*cm, 0, 0}, born = 0.15*s, parent = "beam" } end
LUA

# start SCENE FOLDER [options]: the program itself in the background, its id in $pid
start() {
    "$FRACAS" run "$work/$1.lua" -o "$2" --no-film --quiet --detail draft --checkpoint 0.05 "${@:3}" \
        > "$work/stdout" 2> "$work/stderr" &
    pid=$!
}
# end: wait for it; its exit code in $code
end() {
    code=0
    wait "$pid" 2> /dev/null || code=$?
}
# run SCENE FOLDER [options]: to the end, which must be good
run() {
    start "$@"
    end
    [ "$code" = 0 ] || fail "$1 ended in $code: $(cat "$work/stderr")"
}
same() { cmp -s "$1/run.fracas" "$2/run.fracas" || fail "$3"; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
nap() { sleep "$(awk -v ms="$1" 'BEGIN { printf "%.3f", ms / 1000 }')"; }
# the run has come so far that its recording has a frame
wait_for_recording() {
    for _ in $(seq 3000); do
        "$FRACAS" info "$1/run.fracas" 2> /dev/null | grep -q " [1-9][0-9]* frames\? at" && return
        nap 10
    done
    fail "no frame after half a minute"
}
verdict() {
    echo "$1, $failed failures"
    [ "$failed" = 0 ]
}
