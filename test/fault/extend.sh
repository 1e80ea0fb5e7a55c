# extend.sh: a run that is made longer, by --until or by its duration, ends in the bytes of a run done at once; a
# shorter one is refused and the old one kept.
. "$(dirname "$0")/kit.bash"

# a bar is led and turned, and lets a ball go: what moves steadily must not know how long the run is
cat > "$work/led.lua" << 'LUA'
scene { duration = 0.3*s, fps = 30, seed = 2 }
local bar = body { name = "bar", material = "rubber", shape = box { 20*cm, 5*cm, 5*cm }, cells = 5*cm, at = {0, 0, 20*cm} }
drive { bar, where = below { x = -8*cm }, velocity = {0.1, 0, 0}, spin = {0, 0, 170}, release = 0.27*s }
sphere { 3*cm, name = "ball", material = "oak", at = {0, 0, 30*cm} }
sphere { 2*cm, name = "led", kinematic = true, velocity = {0.3, 0.01, 0}, at = {0, 30*cm, 20*cm} }
LUA
# stopped SCENE FOLDER: a run that would go on for 30 s is stopped within its first 200 ms. On a busy machine the signal
# may come later than that; then once more. How long the scene lasts is no part of its motion.
stopped() {
    cp "$work/$1.lua" "$work/as-it-is"
    for _ in $(seq 20); do
        rm -rf "$2"
        sed -i 's/duration = [0-9.]*\*s/duration = 30*s/' "$work/$1.lua"
        start "$1" "$2"
        wait_for_recording "$2"
        kill -INT "$pid"
        end
        cp "$work/as-it-is" "$work/$1.lua"
        [ "$code" = 130 ] || fail "$1 stopped ended in $code: $(cat "$work/stderr")"
        "$FRACAS" info "$2/run.fracas" --json |
            python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["recorded_seconds"] > 0.2)' && return
    done
    fail "$1 could not be stopped in its first 200 ms"
}

for scene in sheet led lives; do
    run "$scene" "$work/$scene-once"
    # ends between frames, at a frame, after the last birth and its death, and at the end
    for until in 110ms 200ms 460ms 1s; do run "$scene" "$work/$scene-parts" --until $until; done
    same "$work/$scene-once" "$work/$scene-parts" "$scene in parts differs"
    # stopped, then asked for less than before, then for all
    stopped "$scene" "$work/$scene-cut"
    run "$scene" "$work/$scene-cut" --until 290ms
    run "$scene" "$work/$scene-cut"
    same "$work/$scene-once" "$work/$scene-cut" "$scene stopped and made longer differs"
done

# stuff that flows is cut while its pieces, and it, look at contacts ahead
cat > "$work/tin.lua" << 'LUA'
scene { duration = 1*ms, fps = 10000 }
material { name = "tin", base = "lead", yield_strain = 0.004, plastic_limit = 0.3, strength = 15*MPa }
local sheet = body { name = "sheet", material = "tin", shape = box { 30*cm, 30*cm, 3*mm }, at = {0, 0, 20*cm}, cells = 30*mm,
  crack = { settle = 20*ms } }
for _, where in ipairs { below { x = -13.5*cm }, above { x = 13.5*cm }, below { y = -13.5*cm }, above { y = 13.5*cm } } do
  fix { sheet, where = where }
end
sphere { 4*cm, name = "ball", material = "steel", at = {0, 0, 24.5*cm}, velocity = {0, 0, -25} }
LUA
run tin "$work/tin-once"
for until in 0.5ms 0.8ms 1ms; do run tin "$work/tin-parts" --until $until; done
same "$work/tin-once" "$work/tin-parts" "tin in three parts differs"

# it does go on, it does not start over
run sheet "$work/on" --until 200ms
"$FRACAS" run "$work/sheet.lua" -o "$work/on" --no-film --detail draft > /dev/null 2> "$work/stderr" || fail "no longer run"
grep -q "going on at 0.2 s of 0.5 s" "$work/stderr" || fail "made longer from the start: $(cat "$work/stderr")"
grep -q "model fem" "$work/stderr" && fail "what goes on repeats the notes of its start: $(cat "$work/stderr")"
"$FRACAS" run "$work/sheet.lua" -o "$work/told" --no-film --detail draft --until 10ms 2>&1 | grep -q "model fem" || fail "the start has no notes"
same "$work/sheet-once" "$work/on" "a longer run without checkpoints on the way differs"

# killed on the way to the longer end
run sheet "$work/killed" --until 200ms
start sheet "$work/killed"
nap 250
kill -9 "$pid" 2> /dev/null || true
end
run sheet "$work/killed"
same "$work/sheet-once" "$work/killed" "killed while made longer: the bytes differ"

# a longer duration in the scene is the same as one that was written at once
sed 's/0.3\*s, fps/0.2*s, fps/' "$work/led.lua" > "$work/short.lua"
run short "$work/grown"
cp "$work/led.lua" "$work/short.lua" # the file has another name, the scene is called short
run short "$work/grown"
run short "$work/grown-once"
same "$work/grown-once" "$work/grown" "a longer duration differs"

# shorter: a message says how, and nothing is lost
cp "$work/sheet-once/run.fracas" "$work/kept"
start sheet "$work/sheet-once" --until 100ms
end
[ "$code" = 2 ] || fail "a shorter run ended in $code, wanted 2"
grep -q "up to 0.5 s already, and 0.1 s are asked for; use --restart" "$work/stderr" ||
    fail "a shorter run says: $(cat "$work/stderr")"
cmp -s "$work/kept" "$work/sheet-once/run.fracas" || fail "a shorter run changed the old one"
run sheet "$work/sheet-once" --until 100ms --restart

verdict "runs made longer"
