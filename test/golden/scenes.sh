#!/bin/bash
# scenes.sh: every shipped scene at reduced length ends in the hash written down in scenes.txt.
# A line is: scene, until (s), hash, further options. UPDATE=1 writes the file anew (say why in the
# commit). One worker: the bits are the same for any number, and small runs are quicker.
set -euo pipefail
golden="$FRACAS_SOURCE/test/golden/scenes.txt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
while read -r scene until wanted options; do
    [ -n "$scene" ] || continue
    # shellcheck disable=SC2086  # options are words
    found=$("$FRACAS" run "$FRACAS_SOURCE/scenes/$scene" -o "$work/out" --restart --no-film --quiet \
        --detail draft --threads 1 --until "$until" $options --json < /dev/null |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["state_hash"])')
    echo "$scene $until $found${options:+ $options}" >> "$work/new"
    if [ "$found" != "$wanted" ]; then
        echo "$scene until $until: state_hash is $found, wanted $wanted"
        status=1
    fi
done < "$golden"
if [ "${UPDATE:-}" = 1 ]; then
    cp "$work/new" "$golden"
    exit 0
fi
exit $status
