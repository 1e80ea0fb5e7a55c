#!/bin/bash
# kill.sh: kill -9 at random points over four scenes, and as often through births and deaths; what resumes ends in the
# same bytes. KILLS: how many (20; 6 under sanitizers). KILL_SEED: where (7).
. "$(dirname "$0")/kit.bash"
kills=${KILLS:-${FRACAS_SANITIZED:+6}}
kills=${kills:-20}
RANDOM=${KILL_SEED:-7}
done_kills=0
lives=0

# one life: killed up to three times at a random moment, then left alone
live() {
    rm -rf "$work/killed"
    for _ in 1 2 3; do
        [ "$done_kills" -lt "$goal" ] || break
        start "$1" "$work/killed"
        nap $((whole_ms * RANDOM / 32768))
        kill -9 "$pid" 2> /dev/null || true
        end
        # 137: it was killed; 0: it was done before, so the next ones come sooner
        if [ "$code" = 137 ]; then done_kills=$((done_kills + 1)); else whole_ms=$((whole_ms * 4 / 5)); fi
        [ "$code" != 0 ] || break
    done
    run "$1" "$work/killed"
    same "$work/whole" "$work/killed" "$1: the resumed recording differs from the one left alone"
    lives=$((lives + 1))
}

part=0
for scene in drop sheet pane bar lives; do
    part=$((part + 1))
    goal=$((kills * part / 4))
    [ "$scene" != lives ] || goal=$((2 * kills))
    before=$(milliseconds)
    run "$scene" "$work/whole"
    whole_ms=$(($(milliseconds) - before))
    while [ "$done_kills" -lt "$goal" ] && [ "$failed" = 0 ]; do live "$scene"; done
    rm -rf "$work/whole"
done
[ "$done_kills" -ge $((2 * kills)) ] || fail "only $done_kills of $((2 * kills)) kills"
verdict "$done_kills kills over five scenes in $lives lives"
