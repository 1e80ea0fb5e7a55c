#!/bin/bash
# interrupt.sh: Ctrl-C once and twice, a changed scene, readers on a run still going, a run that blows up.
. "$(dirname "$0")/kit.bash"

# Ctrl-C: 130, checkpoint written, the same command ends in the same bytes
run sheet "$work/whole"
start sheet "$work/cut"
wait_for_recording "$work/cut"
kill -INT "$pid"
end
[ "$code" = 130 ] || fail "Ctrl-C ended in $code, wanted 130"
grep -q "goes on from here" "$work/stderr" || fail "Ctrl-C did not say how to go on: $(cat "$work/stderr")"
"$FRACAS" info "$work/cut/run.fracas" > "$work/info" || fail "no info on a stopped run"
grep -q "recording, stopped" "$work/info" || fail "info on a stopped run: $(head -1 "$work/info")"
"$FRACAS" info "$work/cut/run.fracas" --json | grep -q '"going": false' || fail "info --json: a stopped run is going"
run sheet "$work/cut"
same "$work/whole" "$work/cut" "after Ctrl-C the bytes differ"

# a finished run is left as it is by the same command
before=$(stat -c %Y.%i "$work/whole/run.fracas")
run sheet "$work/whole"
[ "$before" = "$(stat -c %Y.%i "$work/whole/run.fracas")" ] || fail "a finished run was written again"

# another scene in the same folder: 2, and the old run is kept
cp "$work/whole/run.fracas" "$work/kept"
for scene in drop pane; do
    start "$scene" "$work/whole"
    end
    [ "$code" = 2 ] || fail "another scene ended in $code, wanted 2"
    grep -q -- "--restart" "$work/stderr" || fail "another scene: no advice: $(cat "$work/stderr")"
    cmp -s "$work/kept" "$work/whole/run.fracas" || fail "another scene changed the old run"
done

# one macro step that takes seconds, on any machine: one Ctrl-C leaves it unfinished, and the checkpoint before is gone on from
cat > "$work/slow.lua" << 'LUA'
scene { duration = param("last", 120) * 1e-6*s, fps = 30 }
local cube = body { name = "cube", material = "steel", shape = box { 10*cm, 10*cm, 10*cm }, mesher = "structured",
  cells = 4*mm, velocity = {0, 0, 1}, spin = {90, 0, 0} }
force { cube, value = {0, 0, 1*N} } -- what nothing acts on would fly as a rigid body, in no time
LUA
last=60 took=0
while [ "$took" -lt 4000 ]; do
    last=$((2 * last))
    before=$(milliseconds)
    run slow "$work/slow_whole" --no-sound --restart --set "last=$last"
    took=$(($(milliseconds) - before))
done
start slow "$work/slow" --no-sound --set "last=$last"
wait_for_recording "$work/slow"
before=$(stat -c %s "$work/slow/run.fracas")
for _ in $(seq 6000); do
    [ "$before" = "$(stat -c %s "$work/slow/run.fracas")" ] || break # a checkpoint came
    nap 10
done
nap 100
before=$(milliseconds)
kill -TERM "$pid"
end
took=$(($(milliseconds) - before))
[ "$code" = 130 ] || fail "SIGTERM in a long step ended in $code, wanted 130"
[ "$took" -lt 5000 ] || fail "SIGTERM in a long step took $took ms"
grep -q "the same command goes on from \(here\|there\)" "$work/stderr" || fail "SIGTERM in a long step: $(cat "$work/stderr")"
run slow "$work/slow" --no-sound --set "last=$last"
same "$work/slow_whole" "$work/slow" "after SIGTERM in a long step the bytes differ"

# one macro step of this takes seconds: a stop is asked for, then forced
cat > "$work/stiff.lua" << 'LUA'
scene { duration = 1*s, fps = 30 }
local cube = body { name = "cube", material = "steel", shape = box { 10*cm, 10*cm, 10*cm }, mesher = "structured",
  cells = 3*mm, velocity = {0, 0, 1}, spin = {90, 0, 0} }
force { cube, value = {0, 0, 1*N} } -- what nothing acts on would fly as a rigid body, in no time
LUA
go_stiff() {
    "$FRACAS" run "$work/stiff.lua" -o "$work/stiff" --no-film --checkpoint 0.05 > /dev/null 2> "$work/said" &
    pid=$!
}
go_stiff
wait_for_recording "$work/stiff"
"$FRACAS" info "$work/stiff/run.fracas" > "$work/info" || fail "no info on a run still going"
grep -q "recording, still going$" "$work/info" || fail "info on a run still going: $(head -1 "$work/info")"
"$FRACAS" info "$work/stiff/run.fracas" --json | grep -q '"going": true' || fail "info --json: a run that goes is not going"
grep -q cube "$work/info" || fail "info does not name the body: $(cat "$work/info")"
"$FRACAS" render "$work/stiff/run.fracas" --frame 0 --size 160x90 -o "$work/frame.png" --quiet > /dev/null 2> "$work/draw" ||
    fail "no picture of a run still going: $(cat "$work/draw")"
[ "$(head -c 4 "$work/frame.png" | tail -c 3)" = PNG ] || fail "the picture is no PNG"
"$FRACAS" export "$work/stiff/run.fracas" -o "$work/going.usda" --quiet > /dev/null || fail "no export of a run still going"
going=$pid
inode=$(stat -c %i "$work/stiff/run.fracas")
start stiff "$work/stiff"
end
[ "$code" = 4 ] || fail "two runs write one recording: $code"
grep -q "another run is writing .*run.fracas" "$work/stderr" || fail "two runs: $(cat "$work/stderr")"
start stiff "$work/stiff" --restart
end
[ "$code" = 4 ] || fail "--restart replaces a run that is going: $code"
[ "$(stat -c %i "$work/stiff/run.fracas")" = "$inode" ] || fail "--restart replaced the recording of a run that is going"
pid=$going
# Ctrl-C gives the step a second. One that ended by itself meanwhile was not waited for: then once more.
for _ in $(seq 5); do
    kill -INT "$pid"
    nap 300
    kill -0 "$pid" 2> /dev/null && break
    end
    [ "$code" = 130 ] && grep -q "goes on from here" "$work/said" ||
        fail "one Ctrl-C did not give the step a second: $code, $(cat "$work/said")"
    go_stiff
    nap 1500
done
kill -0 "$pid" 2> /dev/null || fail "one Ctrl-C never found a step to wait for"
grep -q "Ctrl-C again stops at once" "$work/said" || fail "the first Ctrl-C is not answered: $(cat "$work/said")"
before=$(milliseconds)
kill -INT "$pid"
end
[ "$code" = 130 ] || fail "a second Ctrl-C ended in $code, wanted 130"
[ $(($(milliseconds) - before)) -lt 5000 ] || fail "a second Ctrl-C took over 5 s"
"$FRACAS" info "$work/stiff/run.fracas" > /dev/null || fail "the recording is damaged after a second Ctrl-C"

verdict "Ctrl-C, changed scenes, readers"
