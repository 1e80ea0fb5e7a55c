#!/bin/bash
# play.sh: random keys and clicks in the window, without a display: no crash, nothing that is not finite, memory that
# stays. PLAY_SECONDS (10) for each scene, PLAY_SEED (1).
. "$(dirname "$0")/../unit/kit.bash"
[ -x "$(dirname "$fracas")/fracas-view" ] || exit 77
export SDL_VIDEODRIVER=offscreen SDL_AUDIODRIVER=dummy LP_NUM_THREADS=2 ASAN_OPTIONS=detect_leaks=0
seconds=${PLAY_SECONDS:-10} seed=${PLAY_SEED:-1}
for scene in hello drop-row mug ringing; do
    "$fracas" view "$source/scenes/$scene.lua" --size 480x320 --scale 1 --play "$seconds" --seed "$seed" 2> stderr &
    pid=$!
    early=0 late=0
    for ((t = 0; t < 4 * seconds + 240; t++)); do
        now=$(awk '/VmRSS/ { print $2 }' /proc/$pid/status 2> /dev/null) || break
        [ -n "$now" ] || break
        [ $t -gt $((2 * seconds)) ] && [ "$early" = 0 ] && early=$now
        late=$now
        sleep 0.25
    done
    kill $pid 2> /dev/null && fail "$scene: it does not end"
    wait $pid || fail "$scene: exit $?: $(head -c 300 stderr)"
    ! grep -q "not finite" stderr || fail "$scene: $(head -c 300 stderr)"
    [ "$late" -lt $((early + 600000)) ] || fail "$scene: memory grows from $early kB to $late kB"
    checks=$((checks + 1))
    echo "$scene: $early kB halfway, $late kB at the end"
done
verdict
