#!/bin/sh
# test-long.sh: the soaks: kills, malformed inputs, refusals, long motion, fuzzers. Writes docs/test-long.md.
# usage: tools/test-long.sh BUILD [OUTPUT]
# ONLY: an expression (grep -E); rows whose text has it are run, the others stay as OUTPUT has them, with their own dates.
# KILLS (200), MALFORMED (20000 changed inputs of each kind), SOAK_STEPS (1e5), SPLITS (10000), BIRTHS (10000), BLOWS (10000), REST_SECONDS (3600), PLAY_SECONDS (150 per scene), FUZZ_SECONDS (60 per parser; 0: none) say how long.
# EXPORT_READERS: the folder that tools/check_exports.py asks for; exports are read by ParaView and USD where it is given.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(cd "${1:-build}" && pwd) || exit 1
output=${2:-docs/test-long.md}
only=${ONLY:-}
kills=${KILLS:-200}
malformed=${MALFORMED:-20000}
steps=${SOAK_STEPS:-100000}
splits=${SPLITS:-10000}
births=${BIRTHS:-10000}
blows=${BLOWS:-10000}
rest=${REST_SECONDS:-3600}
fuzz_seconds=${FUZZ_SECONDS:-60}
play=${PLAY_SECONDS:-150}
when="$(date -u +%Y-%m-%d), $(git rev-parse --short HEAD), $(nproc) cores"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# row WHAT COMMAND...: run it, keep its last line that says what came out
row() {
    what=$1
    shift
    if [ -n "$only" ] && ! printf '%s\n' "$what" | grep -Eq "$only"; then
        grep -F "| $what |" "$output" >> "$work/rows" || echo "no earlier row: $what"
        return
    fi
    printf '%s ... ' "$what"
    begun=$(date +%s)
    if "$@" > "$work/log" 2>&1; then result=passed; else result=FAILED; fi
    took=$(($(date +%s) - begun))
    [ $result = passed ] || { bad=$((bad + 1)); tail -n 20 "$work/log"; }
    found=$(grep -E "$pattern" "$work/log" | tail -n 1 | sed "s/^ *//; s/|/;/g; s|$PWD/||g" | cut -c 1-160)
    echo "$result, $took s"
    printf '| %s | %s | %s | %s s | %s |\n' "$what" "$found" "$result" "$took" "$when" >> "$work/rows"
}
in_tests() { (cd "$build/test" && "$@"); }

pattern='kills over'
row "kill -9, also through births and deaths, resumed to the same bytes" env KILLS="$kills" KILL_SEED=$$ FRACAS="$build/fracas" bash test/fault/kill.sh
pattern='went on from a checkpoint'
row "a model of a host killed through births and deaths, resumed to the same bytes" in_tests env KILL_SEED=$$ ./test-law-own_model_life killed_through
pattern='failures$'
row "Ctrl-C, changed scenes, readers on a running run" env FRACAS="$build/fracas" bash test/fault/interrupt.sh
row "random play in the window, four scenes of $play s, memory flat" env PLAY_SECONDS="$play" FRACAS="$build/fracas" FRACAS_SOURCE="$PWD" bash test/fault/play.sh
row "full disks" env FRACAS="$build/fracas" bash test/fault/disk_full.sh
row "each allocation refused once" in_tests env FRACAS_EVERY=1 ./test-fault-refusals
row "each write failed once" in_tests ./test-fault-bad_writes
row "$splits random splits of nodes, everything kept" in_tests env SPLITS="$splits" ./test-unit-split_random
pattern='blows:'
row "$blows random blows on real bodies: none that breaks is passed over" in_tests env BLOWS="$blows" ./test-law-shatter_screen
pattern='failures$'
mkdir -p "$work/samples"
row "inputs with bytes changed, $malformed of each of 12 kinds, refused with a message or read" in_tests env MALFORMED="$malformed" MALFORMED_SAMPLES="$work/samples" \
    ./test-fault-malformed
pattern='steps,'
row "free motion, undamped" in_tests env SOAK_STEPS="$steps" ./test-fault-soak
pattern='births,'
row "$births bodies of all kinds born and dead, memory flat" in_tests env BIRTHS="$births" ./test-fault-births over_births
row "as many far apart, memory flat" in_tests env BIRTHS="$births" ./test-fault-births quiet_births
row "as many recorded, only a row kept of each" in_tests env BIRTHS="$births" ./test-fault-births row_for_each
pattern='of rest,'
row "$rest s of a pile at rest, events drained, memory flat" in_tests env REST_SECONDS="$rest" ./test-fault-births hour_of_rest

if [ -n "${EXPORT_READERS:-}" ]; then
    pattern='agree|complains|Error'
    row "exports read by ParaView and by USD" python3 tools/check_exports.py "$build/fracas" "$EXPORT_READERS"
fi

pattern='nodes$'
row "all modes of the D3 chime below 20 kHz" in_tests env CHIME_EDGE=0.0042 ./test-law-modal_chimes all_modes
pattern='failures$'
row "frequencies of CalculiX on the same tets" in_tests env CALCULIX=1 ./test-law-modal_calculix

row "orders of outcome: bowls, walls, ductile walls, trays, five starts each" in_tests ./test-law-orders
row "bowls and bunnies of S4's table 1" in_tests ./test-law-s4_large

# the valid samples that a fuzzer starts from
seeds() {
    case $1 in
    fuzz_obj) echo obj ;;
    fuzz_ply) echo ply ply-bytes ;;
    fuzz_stl) echo stl stl-bytes ;;
    fuzz_msh) echo msh-2.2 msh-4.1 ;;
    fuzz_tetgen) echo node-ele ;;
    fuzz_scene_lua) echo lua ;;
    fuzz_scene_json) echo json ;;
    fuzz_recording) echo recording ;;
    fuzz_cutlog) echo cutlog ;;
    esac
}
fuzz() {
    mkdir -p "$work/corpus/$1"
    for seed in $(seeds "$1"); do cp "$work/samples/$seed" "$work/corpus/$1/"; done
    "build-fuzz/test/$1" -max_total_time="$fuzz_seconds" -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/" "$work/corpus/$1"
}
if [ "$fuzz_seconds" -gt 0 ]; then
    names=$(cd test/fuzz && ls ./*.c | sed 's|^\./||; s|\.c$||')
    if echo "$names" | grep -Eq "$only"; then
        echo "building the fuzzers"
        cmake -S . -B build-fuzz -DCMAKE_C_COMPILER=clang -DFRACAS_FUZZ=ON -DCMAKE_C_FLAGS_RELEASE="-O1 -g" > /dev/null &&
            cmake --build build-fuzz -j "$(nproc)" --target $names > "$work/build" 2>&1 ||
            { tail -n 20 "$work/build"; bad=$((bad + 1)); }
    fi
    pattern='^Done|ERROR|SUMMARY'
    for name in $names; do row "$name, ${fuzz_seconds} s under ASan and UBSan" fuzz "$name"; done
fi

{
    echo "# Long tests"
    echo
    echo "What \`make test-long\` found last. Written by \`tools/test-long.sh\`; do not edit."
    echo
    echo "- Each row says when it was run, and of which commit. Rows of an earlier commit were not run again (\`ONLY='births|kill' make test-long\` runs some)."
    echo "- How much: \`KILLS=$kills MALFORMED=$malformed SOAK_STEPS=$steps SPLITS=$splits BIRTHS=$births BLOWS=$blows REST_SECONDS=$rest FUZZ_SECONDS=$fuzz_seconds make test-long\`"
    echo
    echo "| what | what it reported | result | took | run |"
    echo "|---|---|---|---|---|"
    cat "$work/rows"
} > "$output.part" && mv "$output.part" "$output"
echo "$output: $bad failures"
[ "$bad" = 0 ]
