#!/bin/bash
# scenes.sh: the scenes in scenes.txt (all that are shipped), cut short, end in the hashes written there.
# usage: scenes.sh [SCENE]: one of them, which is how ctest calls it; all otherwise, as many at a time as there are cores.
# A line is: scene (@name: one of several lines of it), until (s), hash, further options. UPDATE=1 writes the hash anew (say why in the commit). What --dry-run
# says about steps, that the energy ledger closes, and that nothing the scene says about breaking is warned of, is looked at on the way. One worker: the bits are the same for any number, and small runs are quicker.
# Under sanitizers every other scene, and no dry runs: they take three times as long.
# OpenBLAS takes other kernels, with other bits, on each kind of processor; what shatters is cut by them. The hashes are those of AVX2.
set -euo pipefail
if grep -qw avx2 /proc/cpuinfo; then export OPENBLAS_CORETYPE=Haswell; fi
golden="$FRACAS_SOURCE/test/golden/scenes.txt"
if [ $# = 0 ]; then
    # the longest first
    awk -v step="${FRACAS_SANITIZED:+2}" 'step != 2 || NR % 2 { print ($1 != "bowl.lua"), $1 }' "$golden" | sort -s -n -k 1,1 |
        cut -d " " -f 2 | xargs -P "$(nproc)" -n 1 bash "$0" || exit 1
    exit 0
fi
read -r line scene until wanted options <<< "$(awk -v scene="$1" '$1 == scene { print NR, $0 }' "$golden")"
[ -n "$scene" ] || { echo "$1 is not in $golden"; exit 1; }
[ -z "${FRACAS_SANITIZED:-}" ] || [ $((line % 2)) = 1 ] || exit 77
key=$scene scene=${scene%%@*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
# shellcheck disable=SC2086  # options are words
found=$("$FRACAS" run "$FRACAS_SOURCE/scenes/$scene" -o "$work/out" --restart --no-film --no-sound --quiet \
    --detail draft --threads 1 --until "$until" $options --json < /dev/null 2> "$work/said" |
    python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["state_hash"], r["steps"], r["energy"]["closure"])') ||
    { cat "$work/said"; exit 1; }
if grep -E "warning: .*: (materials|bodies[^.]*\.(crack|weaken|cuts))" "$work/said"; then
    status=1
fi
read -r found steps closure <<< "$found"
# the promise for every run
if ! awk -v closure="$closure" 'BEGIN { exit !(closure <= 1e-3) }'; then
    echo "$key until $until: the energy ledger closes to $closure of its peak only"
    status=1
fi
# times depend on the machine, steps do not: within a factor of two, unless something breaks
# shellcheck disable=SC2086
[ -n "${FRACAS_SANITIZED:-}" ] || grep -q ",crack," "$work/out/events.csv" ||
    "$FRACAS" run "$FRACAS_SOURCE/scenes/$scene" --dry-run --quiet --detail draft --threads 1 \
    --until "$until" $options --json < /dev/null |
    python3 -c 'import json, sys
said, was = json.load(sys.stdin)["steps"], int(sys.argv[2])
if not was / 2 <= said <= was * 2: sys.exit("%s: a dry run says %g steps, there were %d" % (sys.argv[1], said, was))' \
        "$key" "$steps" || status=1
if [ "${UPDATE:-}" = 1 ]; then
    # others may write theirs at the same time
    { flock 9; awk -v scene="$key" -v found="$found" '$1 == scene { $3 = found } { print }' "$golden" > "$work/new"
        cat "$work/new" > "$golden"; } 9< "$golden"
    exit 0
fi
if [ "$found" != "$wanted" ]; then
    echo "$key until $until: state_hash is $found, wanted $wanted"
    status=1
fi
exit $status
