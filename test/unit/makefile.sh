#!/bin/bash
# makefile.sh: CMAKE_ARGS of `make` takes effect on a first configure and on every later one, and is kept when it is not
# given again; `make install` builds what it installs, and no test.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$FRACAS_SOURCE"
# the packages are there, or this test would not run: no install here
# what `make test CMAKE_ARGS=...` said is not said to the trials
unset MAKEFLAGS MAKELEVEL CMAKE_ARGS
configure() { make -s configure BUILD="$work/build" -o deps "$@"; }
holds() {
    grep -q "^$1" "$work/build/CMakeCache.txt" || {
        echo "the cache does not hold $1"
        exit 1
    }
}
configure CMAKE_ARGS=-DFRACAS_TRIAL:STRING=one
holds FRACAS_TRIAL:STRING=one
holds CMAKE_BUILD_TYPE:STRING=Release
configure CMAKE_ARGS="-DFRACAS_TRIAL:STRING=two -DCMAKE_BUILD_TYPE=Debug"
holds FRACAS_TRIAL:STRING=two
holds CMAKE_BUILD_TYPE:STRING=Debug
configure
holds FRACAS_TRIAL:STRING=two
# the same again does nothing
configure CMAKE_ARGS="-DFRACAS_TRIAL:STRING=three"
holds FRACAS_TRIAL:STRING=three
after=$(stat -c %y "$work/build/CMakeCache.txt")
configure CMAKE_ARGS="-DFRACAS_TRIAL:STRING=three"
[ "$after" = "$(stat -c %y "$work/build/CMakeCache.txt")" ] || {
    echo "configured again for nothing"
    exit 1
}

# a cmake that only writes down what it is asked
mkdir "$work/stub"
printf '#!/bin/sh\necho "$@" >> "%s"\n' "$work/asked" > "$work/stub/cmake"
chmod +x "$work/stub/cmake"
PATH="$work/stub:$PATH" make -s install BUILD="$work/build" PREFIX="$work/prefix" -o deps
wanted="--target fracas fracas-studio fracas-program fracas-view
--install $work/build --prefix $work/prefix"
[ "$(sed 's/^--build .* --target/--target/' "$work/asked")" = "$wanted" ] || {
    echo "make install asks for $(cat "$work/asked")"
    exit 1
}
