#!/bin/bash
# by_eye.sh: tools/by_eye.py tells panes that keep a dent from panes that spring back and panes that nothing struck, and
# judges what lies inside what however short the run was.
. "$(dirname "$0")/kit.bash"

cat > dents.lua << 'LUA'
-- balls fall on a pane of lead and on one of acrylic; nothing touches a second one of lead
scene { duration = 8*ms, fps = 4000, gravity = {0, 0, 0} }
for k, name in ipairs { "lead", "acrylic", "still" } do
  local x = (k - 1) * 30*cm
  local pane = body { name = name, material = k == 2 and "acrylic" or "lead", shape = box { 12*cm, 12*cm, 6*mm }, cells = 2*cm, at = {x, 0, 0}, crack = { off = true } }
  for _, where in ipairs { below { x = -55*mm }, above { x = 55*mm }, below { y = -55*mm }, above { y = 55*mm } } do
    fix { pane, where = where }
  end
  if k < 3 then
    sphere { 2*cm, name = "ball" .. k, material = "steel", at = {x, 0, 24*mm}, velocity = {0, 0, k == 1 and -12 or -2} }
  end
end
LUA
expect 0 run dents.lua --no-film --no-sound --quiet -o dents

# eye CODE ARGS...: what the script says into the file `said`, and its exit code
eye() {
    local wanted=$1 found=0
    shift
    python3 "$source/tools/by_eye.py" "$@" > said 2>&1 || found=$?
    checks=$((checks + 1))
    last="by_eye.py $*"
    [ "$found" = "$wanted" ] || fail "$last: exit $found, wanted $wanted: $(cat said)"
}
# judged WHAT VERDICT: the line about it ends so
judged() { grep -F -- "$1" said | grep -qE " $2\$" || fail "$last: '$1' is not $2: $(cat said)"; }

eye 0 dents --ductile lead
judged "lead: dent that stays" ok
python3 - << 'PY' || fail "the dents are not those of the recording: $(cat said)"
import re
kept, peak = map(float, re.search(r"dent that stays +([\d.]+) of ([\d.]+) mm", open("said").read()).groups())
assert 3.0 < peak < 15.0 and 0.5 * peak <= kept < peak, (kept, peak)
PY
eye 1 dents --ductile acrylic
judged "acrylic: dent that stays" NO
eye 1 dents --ductile still
judged "still: dent that stays" NO
eye 1 dents --ductile pewter

# while it still flies apart
cat > tile.lua << 'LUA'
scene { duration = 0.9*ms, fps = 10000, seed = 5 }
ground {}
material { name = "tile", base = "porcelain", young = 2*GPa, poisson = 0.2, strength = 4*MPa, density = 2400 }
body { name = "tile", material = "tile", model = "fem", cells = 16*mm, shape = box { 8*cm, 8*cm, 12*mm }, at = {0, 0, 36*mm}, turn = {25, 20, 0},
       velocity = {0, 0, -12} }
LUA
expect 0 run tile.lua --no-film --no-sound --quiet -o tile
python3 "$source/tools/by_eye.py" tile > said
last="by_eye.py tile"
judged "after the last crack" -
python3 - << 'PY' || fail "the overlap is not judged by its number: $(cat said)"
import re
part, verdict = re.search(r"overlap .* ([\d.]+) % of the wall .* (\S+)$", open("said").read(), re.M).groups()
assert verdict == ("ok" if float(part) <= 2.0 else "NO"), (part, verdict)
PY
verdict
