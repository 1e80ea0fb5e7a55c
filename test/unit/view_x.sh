#!/bin/bash
# view_x.sh: the window on a real X server (Xvfb) with real input (xdotool): keys and pointer come by way of X, the window is
# resized, what hands did is kept, Ctrl+Q ends it.
. "$(dirname "$0")/kit.bash"
[ -x "$(dirname "$fracas")/fracas-view" ] || exit 77
command -v Xvfb > /dev/null && command -v xdotool > /dev/null || exit 77
export SDL_VIDEODRIVER=x11 SDL_AUDIODRIVER=dummy LP_NUM_THREADS=2 ASAN_OPTIONS=detect_leaks=0
cat > toys.lua << 'LUA'
-- toys.lua: a box and a ball.
ground { material = "concrete" }
body { name = "block", material = "oak", model = "frame", shape = box { 20*cm, 20*cm, 20*cm }, cells = 10*cm, at = {0, 0, 10*cm} }
sphere { 6*cm, name = "ball", material = "steel", at = {30*cm, 0, 6*cm} }
film { camera = { position = {0, -1.5*m, 0.6*m}, target = {0, 0, 0.1*m}, fov = 40 } }
LUA
# the server says on fd 3 which display it has
mkfifo display
Xvfb -displayfd 3 -screen 0 1024x768x24 3> display 2> xvfb.log &
server=$!
read -r number < display
export DISPLAY=:$number
"$fracas" view toys.lua --size 800x600 --scale 1 > out.txt 2> err.txt &
window=$!
trap 'kill $window $server 2> /dev/null' EXIT
until id=$(xdotool search --name '^Fracas$' 2> /dev/null | head -1) && [ -n "$id" ]; do
    kill -0 $window 2> /dev/null || { cat err.txt; fail "the window did not open"; verdict; }
    sleep 0.2
done
# a while after its first picture: a slow machine has it late
picture_is_there() { xdotool key --clearmodifiers F12; sleep 1; [ -s fracas-001.png ]; }
xdotool windowfocus "$id" mousemove --window "$id" 400 330 2> /dev/null
for try in 1 2 3 4 5 6 7 8 9 10; do picture_is_there && break; done
[ -s fracas-001.png ] || fail "F12 made no picture: $(cat err.txt)"
xdotool mousemove --window "$id" 400 330 key 1 mousedown 1
for x in 420 440 460 480; do xdotool mousemove --window "$id" $x 280; sleep 0.15; done
xdotool mouseup 1
sleep 0.5
xdotool windowsize "$id" 640 480
sleep 0.5
xdotool key ctrl+s
for try in 1 2 3 4 5 6 7 8 9 10; do [ -s fracas-inputs.json ] && break; sleep 0.5; done
grep -q '"do": "grab"' fracas-inputs.json || fail "the drag is not among the inputs: $(cat fracas-inputs.json)"
grep -q '"do": "let go"' fracas-inputs.json || fail "it was not let go"
xdotool key ctrl+q
for try in 1 2 3 4 5 6 7 8 9 10; do kill -0 $window 2> /dev/null || break; sleep 0.5; done
kill -0 $window 2> /dev/null && fail "Ctrl+Q does not end it"
wait $window || fail "it ended with $?: $(cat err.txt)"
verdict
