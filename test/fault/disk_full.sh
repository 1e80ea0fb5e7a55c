#!/bin/bash
# disk_full.sh: a run on a disk too small: 4, the file named, what was there stays whole; with more room it ends right.
# Needs a small tmpfs: as root, or in a mount namespace of its own. Neither to be had: exit 77 (skipped).
if [ -z "${DISK:-}" ]; then
    DISK=$(mktemp -d)
    export DISK
    if mount -t tmpfs -o size=64k tmpfs "$DISK" 2> /dev/null; then
        umount "$DISK"
        bash "$0" && code=0 || code=$?
    elif unshare -rm mount -t tmpfs -o size=64k tmpfs "$DISK" 2> /dev/null; then
        unshare -rm bash "$0" && code=0 || code=$?
    else
        echo "skipped: neither root nor unshare -rm may mount a tmpfs here"
        code=77
    fi
    rmdir "$DISK"
    exit "$code"
fi
. "$(dirname "$0")/kit.bash"
mount -t tmpfs -o size=64k tmpfs "$DISK"
trap 'umount "$DISK"; rm -rf "$work"' EXIT
full=0

run sheet "$work/whole"
bytes=$(stat -c %s "$work/whole/run.fracas")
finished=""
# from far too small to enough, on the same folder: each time more of it is done
for size in 64k 160k 256k 384k 512k 640k 1m 1280k 1536k 2m 4m; do
    mount -o remount,size=$size "$DISK"
    start sheet "$DISK/run"
    end
    if [ "$code" = 0 ]; then
        finished=$size
        break
    fi
    full=$((full + 1))
    [ "$code" = 4 ] || fail "full at $size ended in $code, wanted 4: $(cat "$work/stderr")"
    grep -q "$DISK/run" "$work/stderr" || fail "full at $size: the file is not named: $(cat "$work/stderr")"
    [ ! -e "$DISK/run/run.fracas" ] || "$FRACAS" info "$DISK/run/run.fracas" > /dev/null 2> "$work/stderr" ||
        fail "full at $size: what is there cannot be read: $(cat "$work/stderr")"
done
[ -n "$finished" ] || fail "no end with 4 MB for $bytes bytes"
[ "$full" -ge 3 ] || fail "full only $full times"
same "$work/whole" "$DISK/run" "the run that met a full disk differs"

# a restart that does not fit leaves the old run as it was
used=$(du -sk "$DISK" | cut -f 1)
mount -o remount,size=$((used + 24))k "$DISK"
start drop "$DISK/run" --restart
end
[ "$code" = 4 ] || fail "a restart on a full disk ended in $code, wanted 4: $(cat "$work/stderr")"
same "$work/whole" "$DISK/run" "a restart that did not fit changed the old run"
for job in "export run.usda" "export run.pvd"; do
    set -- $job
    "$FRACAS" "$1" "$DISK/run/run.fracas" -o "$DISK/$2" --quiet > /dev/null 2> "$work/stderr" && code=0 || code=$?
    [ "$code" = 4 ] || fail "$job on a full disk ended in $code, wanted 4"
    grep -q "$DISK/" "$work/stderr" || fail "$job: the file is not named: $(cat "$work/stderr")"
    [ ! -e "$DISK/$2" ] || fail "$job left half a file"
done
[ -z "$(find "$DISK" -name '*.part' -o -name '*.new')" ] || fail "pieces are left: $(find "$DISK")"

# no frame of an export that failed; an older export stays as it was, also when there is room for some of the new one
find "$DISK" -name '*_frames*' | grep . && fail "a failed export left frames"
mount -o remount,size=32m "$DISK"
"$FRACAS" export "$DISK/run/run.fracas" -o "$DISK/run.pvd" --quiet > /dev/null || fail "no export with room"
(cd "$DISK" && find run.pvd run_frames -type f -exec cksum {} + | sort) > "$work/before"
[ "$(grep -c vtu "$work/before")" -gt 3 ] || fail "too few frames exported: $(cat "$work/before")"
run pane "$work/other"
used=$(du -sk "$DISK" | cut -f 1)
mount -o remount,size=$((used + 300))k "$DISK"
"$FRACAS" export "$work/other/run.fracas" -o "$DISK/run.pvd" --quiet > /dev/null 2> "$work/stderr" && code=0 || code=$?
[ "$code" = 4 ] || fail "an export over another on a full disk ended in $code, wanted 4: $(cat "$work/stderr")"
(cd "$DISK" && find run.pvd run_frames* -type f -exec cksum {} + | sort) > "$work/after"
cmp -s "$work/before" "$work/after" || fail "a failed export changed the one that was there"
[ ! -e "$DISK/run_frames.part" ] || fail "a failed export left its folder"

verdict "$full full disks, the run of $bytes bytes ended with $finished"
