#!/bin/bash
# view.sh: the window without a display: SDL's offscreen driver draws with Mesa, keys and pointer come from a script; what
# hands did is seen in the pictures and played again; wrong words and scenes are refused, random play breaks nothing.
. "$(dirname "$0")/kit.bash"
[ -x "$(dirname "$fracas")/fracas-view" ] || exit 77
export SDL_VIDEODRIVER=offscreen SDL_AUDIODRIVER=dummy LP_NUM_THREADS=2
# what Mesa and SDL keep to the end of the process is no leak of ours
export ASAN_OPTIONS=detect_leaks=0

cat > toys.lua << 'LUA'
-- toys.lua: two boxes and a ball.
local high = param("high", 30*cm, {min = 10*cm, max = 1*m, help = "of the cube"})
ground { material = "concrete" }
body { name = "block", material = "oak", model = "frame", shape = box { 20*cm, 20*cm, 20*cm }, cells = 10*cm, at = {0, 0, 10*cm} }
body { name = "cube", material = "jelly", shape = box { 10*cm, 10*cm, 10*cm }, cells = 5*cm, at = {-30*cm, 0, high} }
sphere { 6*cm, name = "ball", material = "steel", at = {30*cm, 0, 6*cm} }
film { camera = { position = {0, -1.5*m, 0.6*m}, target = {0, 0, 0.1*m}, fov = 40 } }
LUA
# picture FILE COLUMN ROW: red, green, blue there; "size": its width and height; "ink": pixels of the accent colour
picture() {
    python3 - "$@" << 'PY'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, bits = 8, b""
while at < len(data):
    n, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR": w, h, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    if kind == b"IDAT": bits += data[at + 8:at + 8 + n]
    at += 12 + n
k = {2: 3, 6: 4}[colour]
raw, rows, before = zlib.decompress(bits), [], bytes(w * k)
for y in range(h):
    f, line = raw[y * (w * k + 1)], bytearray(raw[y * (w * k + 1) + 1:(y + 1) * (w * k + 1)])
    for x in range(w * k):
        a, b, c = line[x - k] if x >= k else 0, before[x], before[x - k] if x >= k else 0
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        line[x] = (line[x] + (0, a, b, (a + b) // 2, near)[f]) & 255
    rows.append(line)
    before = line
def pixel(x, y): return tuple(rows[y][x * k:x * k + 3])
if sys.argv[2] == "size": print(w, h)
elif sys.argv[2] == "ink":
    print(sum(r > 220 and 120 < g < 190 and b < 90 for line in rows for r, g, b in zip(line[0::k], line[1::k], line[2::k])))
elif sys.argv[2] == "like":
    other = sys.argv[3]
    print("same" if open(other, "rb").read() == data else "other")
else: print(*pixel(int(sys.argv[2]), int(sys.argv[3])))
PY
}

# paused it is the same picture; a ball that is shot is seen; Ctrl+S keeps what hands did
cat > play.txt << 'END'
# pulls, shoots, drops
0.1 shot start.png
0.3 key 5
0.4 press 470 300
0.5 release 470 300
0.6 key Space
1.6 key Space
1.8 key Ctrl+S
2.0 shot after.png
2.2 key F1
2.4 shot help.png
2.6 quit
END
expect 0 view toys.lua --paused --size 800x600 --scale 1 --script play.txt
for name in start after help; do
    [ "$(picture $name.png size)" = "800 600" ] || fail "$name.png is not 800 x 600: $(ls; cat stderr)"
done
[ "$(picture start.png ink)" -gt 500 ] || fail "the accent colour is not in start.png"
[ "$(picture start.png like after.png)" = other ] || fail "nothing moved"
grep -q '"do": "spawn"' fracas-inputs.json || fail "the drop is not among the inputs: $(cat fracas-inputs.json)"

# played again (law/live holds that it comes to the same hash)
printf '0.1 shot again.png\n1 quit\n' > again.txt
expect 0 view --replay fracas-inputs.json --size 800x600 --scale 1 --script again.txt
[ -s again.png ] || fail "the inputs are not played again: $(cat stderr)"

# and filmed
expect 0 view --replay fracas-inputs.json --film session
for file in run.fracas film.mp4; do [ -s session/$file ] || fail "no session/$file"; done
expect 2 view toys.lua --film session

# a mistake of the scene is shown, and ends nothing
echo 'body { name = "x", materiel = "oak" }' > wrong.lua
printf '0.5 shot wrong.png\n0.7 quit\n' > wrong.txt
expect 0 view wrong.lua --size 800x600 --scale 1 --script wrong.txt
[ -s wrong.png ] || fail "no picture of the mistake"

# a recording is played
expect 0 run toys.lua --until 0.2 --no-film --no-sound --quiet -o out
expect 0 view out/run.fracas --size 640x480 --scale 1 --script again.txt

# words that mean nothing, scripts with mistakes, no display
expect 2 view toys.lua --fast
says stderr "--fast"
expect 2 view toys.lua --size 3x4
printf '0.1 shot a.png\n0.2 kee Space\n' > bad.txt
expect 3 view toys.lua --script bad.txt
says stderr "bad.txt:2:5"
printf '0.2 key NoSuchKey\n' > bad.txt
expect 3 view toys.lua --script bad.txt
says stderr "bad.txt:1:9"
printf '0.2 press 3\n' > bad.txt
expect 3 view toys.lua --script bad.txt
says stderr "bad.txt:1:11"
printf '0.2 quit\n0.1 quit\n' > bad.txt
expect 3 view toys.lua --script bad.txt
says stderr "bad.txt:2:1"
SDL_VIDEODRIVER=x11 DISPLAY=:77 expect 1 view toys.lua
says stderr "fracas run toys.lua"
(unset SDL_VIDEODRIVER DISPLAY WAYLAND_DISPLAY
    expect 1 view toys.lua
    says stderr "fracas run toys.lua"
    [ "$failures" = 0 ]) || fail "without a display: $(head -c 300 stderr)"

# random keys and clicks
expect 0 view toys.lua --size 640x480 --scale 1 --play "${PLAY_SECONDS:-6}" --seed "${PLAY_SEED:-3}"
verdict
