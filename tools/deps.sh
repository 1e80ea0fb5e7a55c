#!/bin/sh
# deps.sh [PACKAGE...]: installs the packages of packages.txt, and those named, that are missing; says nothing when all are there.
set -eu
cd "$(dirname "$0")/.."
missing=
for name in $(sed 's/#.*//' packages.txt) "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing="$missing $name"
done
[ -z "$missing" ] && exit 0
echo "installing:$missing" >&2
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq >&2
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >&2
