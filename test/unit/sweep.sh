#!/bin/bash
# sweep.sh: many runs of one scene: every combination once, in its own folder, in one table and one sheet; nothing twice,
# and mistakes before anything starts.
. "$(dirname "$0")/kit.bash"

cat > drop.lua << 'LUA'
local fall = param("fall", 12*cm, {min = 1*cm, max = 2*m, help = "height"})
local made_of = param("material", "rubber", {choices = {"rubber", "cork", "silicone"}})
scene { duration = 0.2*s, fps = 30 }
ground { material = "concrete" }
body { name = "block", material = made_of, shape = box { 10*cm, 10*cm, 10*cm }, cells = 5*cm, at = {0, 0, fall} }
LUA

# mistakes: usage 2, the scene's 3, both before the first run
expect 2 sweep drop.lua
says stderr "--vary"
for bad in fall fall= fall=1cm: fall=:1cm fall=1cm::2cm =1; do expect 2 sweep drop.lua --vary "$bad"; done
expect 2 sweep drop.lua --vary fall=1cm:2cm --vary fall=3cm
says stderr "fall is given twice"
expect 2 sweep drop.lua --vary fall=1cm:2cm --set fall=3cm
expect 2 sweep drop.lua --varry fall=1cm
says stderr "did you mean --vary?"
expect 3 sweep drop.lua --vary fal=11cm:12cm
says stderr "drop.lua: --vary fal: no such param; the scene has: fall, material"
says stderr 'did you mean "fall"?'
expect 3 sweep drop.lua --vary fall=11cm:9m
says stderr "out of range"
expect 3 sweep drop.lua --vary material=rubber:corc
expect 3 sweep nothere.lua --vary fall=11cm
[ ! -e out ] || fail "a sweep that cannot be began all the same"

# 2 x 2 runs, the last param fastest
sweep() { expect "$1" sweep drop.lua --vary fall=11cm:20cm --vary material=rubber:cork --until 0.1s -o s --quiet "${@:2}"; }
sweep 0 --json
is_json
is folder s
is runs.0.set.fall 11cm
is runs.1.set.material cork
is runs.3.folder s/fall=20cm-material=cork
is runs.3.pieces 1
[ "$(wc -l < s/sweep.csv)" = 5 ] || fail "sweep.csv has not five lines"
says s/sweep.csv "fall,material,folder,result,pieces,cracks"
says s/sweep.csv "20cm,cork,fall=20cm-material=cork,ok,1,0,48,48,"
for run in fall=11cm-material=rubber fall=11cm-material=cork fall=20cm-material=rubber fall=20cm-material=cork; do
    [ -s s/$run/run.fracas ] || fail "no run in s/$run"
done
# each is the run that one would do by hand
expect 0 run drop.lua --set fall=20cm --set material=cork --until 0.1s --no-film --no-sound --quiet -o alone
cmp -s alone/run.fracas s/fall=20cm-material=cork/run.fracas || fail "a run of the sweep is another than alone"
grep -q "$(python3 -c 'import json; print(json.load(open("alone/report.json"))["energy"]["kinetic"])' | cut -c1-12)" s/sweep.csv ||
    fail "the table has another kinetic energy than the run"

# again: nothing is done twice; a longer one goes on; what was lost comes back
was=$(stat -c '%n %y' s/*/run.fracas s/sheet.png 2> /dev/null)
sweep 0
[ "$(stat -c '%n %y' s/*/run.fracas s/sheet.png 2> /dev/null)" = "$was" ] || fail "a second sweep did something again"
rm -r s/fall=11cm-material=cork
sweep 0
[ -s s/fall=11cm-material=cork/run.fracas ] || fail "a run that was lost is not done again"
if [ -f s/sheet.png ]; then
    size() { python3 -c 'import struct, sys; print("%dx%d" % struct.unpack(">II", open(sys.argv[1], "rb").read()[16:24]))' "$1"; }
    [ "$(size s/sheet.png)" = 978x558 ] || fail "a sheet of 2 x 2 pictures is $(size s/sheet.png)"
    cp s/sheet.png last.png
    sweep 0 --frame 0
    cmp -s last.png s/sheet.png && fail "--frame 0 is the last frame"
    cp s/sheet.png first.png
    sweep 0 --time 1ms
    cmp -s first.png s/sheet.png || fail "--time 1ms is not the first frame"
    sweep 2 --frame 99
    says stderr "its frames are 0 to 3"
    sweep 2 --time 1s
    says stderr "there is no frame at 1 s; fall="
fi

# Ctrl-C in the middle: 130, and the same command ends in the same bytes
sed -i 's/cells = 5\*cm/cells = 1*cm/' drop.lua
"$fracas" sweep drop.lua --vary fall=11cm:12cm --until 60ms -o cut --quiet > stdout 2> stderr &
pid=$!
for _ in $(seq 600); do [ -s cut/fall=11cm/run.fracas ] && break; sleep 0.05; done
kill -INT $pid
code=0
wait $pid || code=$?
[ $code = 130 ] || [ $code = 0 ] || fail "an interrupted sweep ends in $code: $(cat stderr)"
expect 0 sweep drop.lua --vary fall=11cm:12cm --until 60ms -o cut --quiet
expect 0 sweep drop.lua --vary fall=11cm:12cm --until 60ms -o whole --quiet
for fall in 11cm 12cm; do cmp -s cut/fall=$fall/run.fracas whole/fall=$fall/run.fracas || fail "fall=$fall ends in other bytes"; done

# the default folder names the scene and what is varied
expect 0 sweep small.lua --vary fall=11cm:12cm --until 10ms --quiet
[ -s out/small-sweep-fall/sweep.csv ] || fail "no out/small-sweep-fall/sweep.csv"
verdict
