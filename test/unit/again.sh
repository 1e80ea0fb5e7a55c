#!/bin/bash
# again.sh: what is done again when a scene changes: the film where the camera did, nothing where nothing did, all
# where the motion would be another one; and the same recording seen from elsewhere.
. "$(dirname "$0")/kit.bash"

{ cat small.lua; echo 'film { size = {64, 36}, camera = { position = {0.5, -1, 0.4}, target = {0, 0, 0.1} } }'; } > drop.lua
expect 0 run drop.lua -o out --quiet --until 0.1s
[ -f out/preview.mp4 ] || exit 77 # no OpenGL or no ffmpeg here
cp -r out before
same() { cmp -s before/"$1" out/"$1" || fail "$last: $1 was made again"; }
other() { cmp -s before/"$1" out/"$1" && fail "$last: $1 is still the old one"; }
times() { stat -c '%n %y' out/*; }

# nothing changed: nothing is written, not even when all files are newer or older than they were
was=$(times)
expect 0 run drop.lua -o out --quiet --until 0.1s
[ "$(times)" = "$was" ] || fail "a second run wrote something"
touch -d "2001-01-01" out/preview.mp4 out/poster.png
was=$(times)
expect 0 run drop.lua -o out --quiet --until 0.1s
[ "$(times)" = "$was" ] || fail "a folder with other dates is made again"

# the camera moves: the recording stays as it is, to the byte; the pictures are others
sed -i 's/0.5, -1, 0.4/-0.5, -1, 0.4/' drop.lua
expect 0 run drop.lua -o out --quiet --until 0.1s
same run.fracas
same events.csv
for file in preview.mp4 poster.png sheet.png scene.json; do other $file; done
# and a picture of it is seen from where the camera is now, unless another place is wanted
expect 0 render out/run.fracas --frame 2 -o now.png
expect 0 render before/run.fracas --frame 2 -o then.png
cmp -s now.png then.png && fail "render sees the run from the old camera"
expect 0 render before/run.fracas --frame 2 --camera=-0.5,-1,0.4 -o placed.png
cmp -s now.png placed.png || fail "--camera is not the scene's camera"
expect 0 render before/run.fracas --frame 2 --scene drop.lua -o scene.png
cmp -s now.png scene.png || fail "--scene is not the scene's camera"
expect 0 render out/run.fracas --frame 2 --camera 0.5,-1,0.4 --target 0,0,0.1 -o back.png
cmp -s then.png back.png || fail "--camera and --target do not lead back"
expect 0 render out/run.fracas --frame 2 --fov 70 -o wide.png
cmp -s now.png wide.png && fail "--fov does nothing"
# several moments in one picture, which is none of them
expect 0 render out/run.fracas --strobe 3 --size 320x180 -o strobe.png
expect 0 render out/run.fracas --frame 0 --size 320x180 -o first.png
cmp -s strobe.png first.png && fail "--strobe shows the first moment only"
expect 2 render out/run.fracas --strobe 1 -o x.png
expect 2 render out/run.fracas --strobe 3 --frame 2 -o x.png
expect 0 render out/run.fracas --frame 2 --size 32x32 -o square.png
python3 -c 'import struct, sys; sys.exit(struct.unpack(">II", open("square.png", "rb").read()[16:24]) != (32, 32))' ||
    fail "--size 32x32 is another size"
# back to the old camera: the old pictures, and a film that was deleted or painted over comes back
sed -i 's/-0.5, -1, 0.4/0.5, -1, 0.4/' drop.lua
echo paint > out/poster.png
expect 0 run drop.lua -o out --quiet --until 0.1s
for file in run.fracas poster.png sheet.png scene.json; do same $file; done
echo paint > out/poster.png
rm out/sheet.png
was=$(stat -c %y out/preview.mp4)
expect 0 run drop.lua -o out --quiet --until 0.1s
for file in run.fracas poster.png sheet.png; do same $file; done
[ "$(stat -c %y out/preview.mp4)" = "$was" ] || fail "a film that was there was made again"

# another colour is no other motion either
sed 's/material = "rubber"/material = "rubber", colour = {0.1, 0.7, 0.2}/' drop.lua > green.lua
cmp -s drop.lua green.lua && fail "no colour was set"
mv drop.lua red.lua && cp green.lua drop.lua
expect 0 run drop.lua -o out --quiet --until 0.1s
for file in run.fracas events.csv; do same $file; done
for file in preview.mp4 poster.png sheet.png scene.json; do other $file; done
expect 0 render out/run.fracas --frame 2 -o green.png
cmp -s now.png green.png && fail "render shows the old colour"
expect 0 run drop.lua -o fresh --quiet --until 0.1s
for file in poster.png sheet.png; do cmp -s fresh/$file out/$file || fail "$file is not that of a run in this colour"; done
mv red.lua drop.lua
expect 0 run drop.lua -o out --quiet --until 0.1s
for file in run.fracas poster.png sheet.png scene.json; do same $file; done

# mistakes of a camera
expect 2 render out/run.fracas --camera 1,2 -o x.png
says stderr "X,Y,Z"
expect 2 render out/run.fracas --fov 170 -o x.png
expect 2 render out/run.fracas --camera 0,0,1 --target 0,0,1 -o x.png
says stderr "stands at its target"
expect 2 render out/run.fracas --look 0,0,1 -o x.png
says stderr "unknown option --look; use --target"
expect 2 render out/run.fracas --set fall=1cm -o x.png
says stderr "--scene"
expect 3 render out/run.fracas --scene drop.lua --set fal=1cm -o x.png
says stderr 'did you mean "fall"?'

# what a killed run left half written is removed, what a process still writes is not
sleep 0 &
gone=$!
wait $gone
touch out/preview.mp4.$gone.part out/notes.$gone.part out/sheet.png.$PPID.part
expect 0 run drop.lua -o out --quiet --until 0.1s
[ ! -e out/preview.mp4.$gone.part ] || fail "a piece of a killed run is left"
[ -e out/notes.$gone.part ] && [ -e out/sheet.png.$PPID.part ] || fail "a piece of somebody else is gone"
rm out/*.part

# a piece that an encoder begins after its run was killed goes, too, once the film is there
printf '#!/bin/bash\ntouch out/preview.mp4.%s.part\nexec %s "$@"\n' "$gone" "$(command -v ffmpeg)" > ffmpeg
chmod +x ffmpeg
rm out/preview.mp4
PATH=$PWD:$PATH expect 0 run drop.lua -o out --quiet --until 0.1s
[ -s out/preview.mp4 ] && [ ! -e out/preview.mp4.$gone.part ] || fail "a piece of a late encoder is left"
# a run that was killed while its film was made still knows how long the motion took
seconds=$(python3 -c 'import json; t = json.load(open("out/report.json"))["timing"]; print(t["mesh"], t["simulate"])')
rm out/preview.mp4 out/report.json out/index.html ffmpeg
expect 0 run drop.lua -o out --quiet --until 0.1s
python3 - $seconds << 'PY' || fail "a resumed film forgot the seconds of the motion: $seconds"
import json, sys
t = json.load(open("out/report.json"))["timing"]
sys.exit(not all(w > 0 and abs(t[k] - w) < 2e-6 for k, w in zip(("mesh", "simulate"), map(float, sys.argv[1:]))))
PY

# another material is another motion: 2, with advice, and the old run is kept
sed 's/"rubber"/"cork"/' drop.lua > cork.lua
expect 2 run cork.lua -o out --quiet --until 0.1s
says stderr "--restart"
says stderr '"material": "cork"'
says stderr '"material": "rubber"'
same run.fracas
# a knob that no motion hangs on, and a name
sed '1i param("mood", 3)' drop.lua > mood.lua
expect 0 run mood.lua -o out --quiet --until 0.1s
same run.fracas

# sound: another gain makes another sound and film, and no motion; without a sound wanted before, it comes
cat > ring.lua << 'LUA'
scene { duration = 0.15*s, fps = 25 }
ground { material = "concrete" }
body { name = "block", model = "frame", material = "oak", at = {0, 0, 4*cm}, turn = {10, 20, 0},
  shape = box { 10*cm, 8*cm, 4*cm }, cells = 4*cm }
film { size = {64, 36} }
LUA
expect 0 run ring.lua -o ring --quiet --no-sound
[ ! -e ring/sound.wav ] || fail "--no-sound makes a sound"
cp ring/run.fracas still
expect 0 run ring.lua -o ring --quiet
[ -s ring/sound.wav ] || fail "no sound after a run without one"
ffprobe -v error -show_entries stream=codec_type ring/preview.mp4 | grep -q audio || fail "the film has no sound"
cp ring/sound.wav loud.wav
echo 'sound { gain = -6 }' >> ring.lua
expect 0 run ring.lua -o ring --quiet
cmp -s loud.wav ring/sound.wav && fail "another gain is the same sound"
cmp -s still ring/run.fracas || fail "a gain wrote the recording again"
expect 0 render ring/run.fracas -o seen.mp4
ffprobe -v error -show_entries stream=codec_type seen.mp4 | grep -q audio || fail "a rendered film has no sound"

verdict
