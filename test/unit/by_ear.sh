#!/bin/bash
# by_ear.sh: tools/by_ear.py tells a bar that bounces from a slab that falls into bars, and finds what was spoilt: a slow
# onset, a long burst, a wrong decay, stems that do not add up, a click at a death.
. "$(dirname "$0")/kit.bash"

cat > bounce.lua << 'LUA'
scene { duration = 1.1*s, fps = 100, seed = 3 }
ground { material = "concrete" }
body { name = "bar", material = "glass", model = "frame", shape = box { 18*cm, 4*cm, 8*mm }, mesher = "structured", cells = 2*cm,
  at = {0, 0, 25*cm}, turn = {0, 3, 0} }
sound { listener = {0, -60*cm, 30*cm} }
LUA
cat > break.lua << 'LUA'
scene { duration = 0.6*s, fps = 100, seed = 3 }
ground { material = "concrete" }
body { name = "slab", material = "glass", model = "frame", shape = box { 24*cm, 12*cm, 8*mm }, mesher = "structured", cells = 2*cm,
  at = {0, 0, 25*cm}, turn = {0, 6, 0}, dies = 0.1*s }
for k = 1, 3 do
  body { name = "bar" .. k, material = "glass", model = "frame", shape = box { (4 + 3*k)*cm, 4*cm, 8*mm }, mesher = "structured",
    cells = 2*cm, at = {0, 4*(k - 2)*cm, 0}, turn = {0, 10*k, 0}, born = 0.1*s, parent = "slab" }
end
sound { listener = {0, -60*cm, 30*cm}, gain = -6 }
LUA
for name in bounce break; do expect 0 run $name.lua --no-film --quiet -o $name; done

# ear ARGS...: what the script says of runs, into the file `said`
ear() {
    python3 "$source/tools/by_ear.py" --no-strikes "$@" > said 2>&1
    checks=$((checks + 1))
    last="by_ear.py $*"
}
# judged WHAT VERDICT: the line about it ends so
judged() { grep -F -- "$1" said | grep -qE " $2\$" || fail "$last: '$1' is not $2: $(cat said)"; }

ear bounce
judged "stems add up" ok
judged "bounce, bar: of " ok
judged "bounce, bar: T60 of its tone" ok
! grep -q "onset of the burst" said || fail "a bounce has no burst: $(cat said)"
ear break
judged "stems add up" ok
judged "clicks at 1 births and deaths" ok
[ "$(ls break/stems)" = "001-slab.wav" ] || fail "pieces do not share a stem: $(ls break/stems)"

# spoil FROM TO FILE: a copy of a run, with samples changed by the lines of Python on stdin: s is left and right by turns,
# `first` the moment (s) of the first touch at or after the birth of the pieces
spoil() {
    cp -r "$1" "$2"
    cat > how.py
    python3 - "$2" "$3" << 'PY'
import array, csv, math, sys
folder, path = sys.argv[1], sys.argv[1] + "/" + sys.argv[2]
events = list(csv.DictReader(open(folder + "/events.csv")))
born = min([float(e["t_s"]) for e in events if e["kind"] == "birth"] or [0.0])
first = min(float(e["t_s"]) for e in events if e["kind"] in ("impact", "contact") and float(e["t_s"]) >= born)
data = open(path, "rb").read()
s = array.array("f", data[58:])
exec(open("how.py").read())
open(path, "wb").write(data[:58] + s.tobytes())
PY
}
# tones that begin at the first touch within `rise` s and die as exp(-t/`fall`)
burst() {
    cat << PY
for n in range(len(s) // 2):
    t = n / 48000 - first - 0.002
    ring = sum(math.sin(2 * math.pi * hz * t) for hz in (1870, 3130, 5210, 7790))
    s[2 * n] = s[2 * n + 1] = 0.1 * ring * min(t / $1, 1) * math.exp(-t / $2) if t > 0 else 0
PY
}

burst 0.0001 0.004 | spoil break quick sound.wav
burst 0.02 0.004 | spoil break slow sound.wav
burst 0.0001 0.2 | spoil break long sound.wav
ear quick slow long
judged "quick: onset of the burst" ok
judged "quick: 10 to 90 %" ok
judged "quick: stems add up" NO
judged "slow: onset of the burst" NO
judged "long: onset of the burst" ok
judged "long: 10 to 90 %" NO

# 6 dB are twice the level; brighter: the same an octave higher
burst 0.0001 0.004 | sed 's/0\.1 \*/0.045 */' | spoil break faint sound.wav
burst 0.0001 0.004 | sed 's/1870, 3130, 5210, 7790/935, 1565, 2605, 3895/' | spoil break dull sound.wav
ear quick --plain faint --tough dull
judged "quick: release raises the first 10 ms" ok
judged "quick: centroid of the first 10 ms" ok
ear dull --plain quick --tough quick
judged "dull: release raises the first 10 ms" NO
judged "dull: centroid of the first 10 ms" NO

# a click while all falls, at the birth of the pieces; one sample of a stem; tones that die twice as fast
spoil break click sound.wav << 'PY'
for n in range(4600, 5600):
    s[2 * n] += 1e-4 * math.sin(0.05 * n)
s[2 * 4850] += 0.01
PY
spoil bounce stem stems/001-bar.wav <<< 's[60000] += 1e-6'
spoil bounce damped stems/001-bar.wav <<< 'for n in range(len(s)): s[n] *= math.exp(-16 * n / 96000)'
# three bars that land in turn at 0.2, 0.25, ... s: each blow at its own tones, and then at all of them
turns() {
    cat << PY
hz = [[830 * k + 97 * k * k + 313 * b for k in range(1, 6)] for b in range(3)]
lines = [open(folder + "/events.csv").readline()] + [l for l in open(folder + "/events.csv") if "birth" in l or "death" in l]
for k in range(8):
    lines.append("%d,%g,impact,%d,,bar%d,,,,,,,0,0,%g,,,,,,,,\n" % (900 + k, 0.2 + 0.05 * k, 2 + k % 3, 1 + k % 3, 0.1 + 0.01 * k))
open(folder + "/events.csv", "w").writelines(lines)
for n in range(len(s)):
    s[n] = 0
for k in range(8):
    at = int((0.202 + 0.05 * k) * 48000)
    for n in range(at, min(at + 19200, len(s) // 2)):
        t = (n - at) / 48000
        s[2 * n] += 0.01 * math.exp(-t / 0.1) * sum(math.sin(2 * math.pi * f * t) for f in $1)
    for n in range(at, len(s) // 2): s[2 * n + 1] = s[2 * n]
PY
}
turns 'hz[k % 3]' | spoil break pieces stems/001-slab.wav
turns 'hz[0] + hz[1] + hz[2]' | spoil break train stems/001-slab.wav
ear click stem damped pieces train
judged "click: clicks at 1 births and deaths" NO
judged "stem: stems add up" NO
judged "damped, bar: T60 of its tone" NO
judged "pieces, slab: of " ok
judged "train, slab: of " NO

echo "by_ear.sh: $checks checks, $failures failures"
[ "$failures" = 0 ]
