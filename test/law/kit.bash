# kit.bash: an empty folder that goes in the end, with a cache of its own, and a way to fail, for the scripts here.
# FRACAS: the program.
set -eu
fail() {
    echo "$(basename "$0"): $1" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FRACAS_CACHE="$work"
