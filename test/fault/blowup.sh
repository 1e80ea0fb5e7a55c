#!/bin/bash
# blowup.sh: steps far too long without the watch: 5, who and where, what was good is kept, nothing but numbers recorded.
. "$(dirname "$0")/kit.bash"

# bomb DT ADAPTIVE: a box flies at the ground with fixed steps; 0.18 ms are stable until it is squeezed there
bomb() {
    cat > "$work/bomb.lua" << LUA
scene { duration = 0.2*s, fps = 200, step = { dt = $1, adaptive = $2 } }
ground { material = "concrete" }
body { name = "bomb", material = "rubber", shape = box { 20*cm, 20*cm, 20*cm }, mesher = "structured",
  cells = 4*cm / 1.5, at = {0, 0, 32*cm}, turn = {10, 20, 30}, velocity = {0, 0, -8} }
LUA
}
blows_up() {
    start bomb "$work/bomb" --checkpoint 0.0001
    end
    [ "$code" = 5 ] || fail "a blow-up ended in $code, wanted 5: $(cat "$work/stderr")"
    grep -q "bomb at .* s: .*tet [0-9]" "$work/stderr" || fail "no body and tet named: $(cat "$work/stderr")"
    "$FRACAS" export "$work/bomb/run.fracas" -o "$work/bomb.usda" --quiet > /dev/null || fail "the recording cannot be read"
    ! grep -qiE '[^a-z](nan|inf)[^a-z]' "$work/bomb.usda" || fail "the recording holds what is no number"
}

# grows over some frames: they are kept, and the same command goes on from the last checkpoint to the same end
bomb 0.18*ms false
blows_up
frames=$(grep -o "[0-9]* frames" <("$FRACAS" info "$work/bomb/run.fracas"))
[ "${frames% *}" -ge 3 ] || fail "only $frames are kept"
cp "$work/stderr" "$work/first"
blows_up
cmp -s "$work/first" "$work/stderr" || fail "the second end is another: $(cat "$work/first" "$work/stderr")"
rm -rf "$work/bomb"

# far above the stable step: refused at once, with the place and both numbers
bomb 4*ms false
start bomb "$work/bomb"
end
[ "$code" = 3 ] || fail "steps that must blow up ended in $code, wanted 3: $(cat "$work/stderr")"
grep -q "bomb.lua:1:[0-9]*: .*dt is 0.004 s; steps above" "$work/stderr" || fail "no place or step named: $(cat "$work/stderr")"
rm -rf "$work/bomb"

# the watch refuses such steps, goes back and halves them: no blow-up
bomb 0.18*ms true
run bomb "$work/bomb"
rm -rf "$work/bomb"

# fixed steps that are short enough, stopped and gone on with: the same bytes
bomb 0.05*ms false
run bomb "$work/bomb"
start bomb "$work/cut"
wait_for_recording "$work/cut"
kill -INT "$pid" 2> /dev/null || true
end
run bomb "$work/cut"
same "$work/bomb" "$work/cut" "fixed steps: the resumed recording differs"

verdict "blow-ups"
