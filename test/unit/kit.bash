# kit.bash: the command line as a script uses it: exit codes, what it says, JSON on stdout; a small scene.
# FRACAS: the program; FRACAS_SOURCE: this repository. Sourced by scripts that then stand in an empty folder.
set -u
fracas=$FRACAS
source=$FRACAS_SOURCE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export FRACAS_CACHE="$work/cache"
# LeakSanitizer itself dies ("Tracer caught signal 11") where threads of OpenBLAS or OpenMP end with the program
[ -z "${FRACAS_SANITIZED:-}" ] || export OMP_NUM_THREADS=1
failures=0 checks=0

fail() {
    echo "$(basename "$0"): $*"
    failures=$((failures + 1))
}
# expect CODE ARGS...: run the program, stdout and stderr into files, and look at the exit code
expect() {
    local wanted=$1 found=0
    shift
    "$fracas" "$@" > stdout 2> stderr || found=$?
    checks=$((checks + 1))
    last="fracas $*"
    [ "$found" = "$wanted" ] || fail "$last: exit $found, wanted $wanted: $(head -c 300 stderr)"
}
says() { grep -qF -- "$2" "$1" || fail "$last: $1 does not say '$2': $(head -c 300 "$1")"; }
silent() { [ ! -s "$1" ] || fail "$last: $1 should be empty: $(head -c 300 "$1")"; }
is_json() { python3 -m json.tool < stdout > /dev/null 2>&1 || fail "$last: stdout is not one JSON document"; }
# field NAME: a field of the JSON document on stdout
field() { python3 -c 'import json, sys
v = json.load(open("stdout"))
for k in sys.argv[1].split("."): v = v[int(k)] if k.isdigit() else v[k]
print(v)' "$1"; }
# is NAME VALUE
is() {
    local found
    found=$(field "$1" 2> /dev/null)
    [ "$found" = "$2" ] || fail "$last: $1 is '$found', wanted '$2'"
}

cat > small.lua << 'LUA'
-- a soft box falls beside a ball
local fall = param("fall", 12*cm, {min = 1*cm, max = 2*m, help = "height"})
scene { duration = 0.2*s, fps = 30, seed = 5 }
ground { material = "concrete" }
body { name = "block", material = "rubber", shape = box { 10*cm, 10*cm, 10*cm }, cells = 5*cm, at = {0, 0, fall} }
sphere { 3*cm, name = "ball", material = "brass", at = {20*cm, 0, 5*cm} }
LUA

verdict() {
    echo "$(basename "$0"): $checks commands, $failures failures"
    [ "$failures" = 0 ]
}
