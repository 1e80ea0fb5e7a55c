#!/bin/bash
# install.sh: what `make install` leaves is enough for others: pkg-config and CMake find it, and a
# program made from public headers alone needs nothing but libc, libm and threads.
set -eu
fail() {
    echo "install.sh: $1" >&2
    exit 1
}
build=$(dirname "$FRACAS")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=
[ -z "${FRACAS_SANITIZED:-}" ] || flags="-fsanitize=address,undefined"

cmake --install "$build" --prefix "$work/first" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
# a tree that was moved must still work
mv "$work/first" "$work/prefix"

# pkg-config
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name fracas.pc)")
pkg-config --modversion fracas > /dev/null || fail "pkg-config does not find fracas"
cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$FRACAS_SOURCE/examples/embed/drop.c" \
    $(pkg-config --cflags --libs fracas) -o "$work/drop" || fail "pkg-config does not build drop.c"
"$work/drop" > "$work/out" || fail "drop does not run"
grep -q 'impact at 0.24' "$work/out" || fail "no impact at sqrt(2 * 0.3 m / g) = 0.247 s"
if [ -z "$flags" ]; then
    others=$(ldd "$work/drop" | grep -vE 'linux-vdso|libc\.so|libm\.so|libpthread\.so|ld-linux' || true)
    [ -z "$others" ] || fail "the runtime needs more than libc, libm and threads: $others"
fi

# something breaks, and its pieces are all of it
cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$FRACAS_SOURCE/examples/embed/break.c" \
    $(pkg-config --cflags --libs fracas) -o "$work/break" || fail "pkg-config does not build break.c"
"$work/break" > "$work/out3" || fail "break does not run"
grep -q ' pieces, 320.0 cm^3' "$work/out3" || fail "the pieces of a pane of 320 cm^3 have: $(tail -1 "$work/out3")"
grep -q '^first crack after 0\.' "$work/out3" || fail "no crack: $(cat "$work/out3")"

# a cooked body rings in a program that has the runtime only
cat > "$work/bar.lua" << 'END'
scene { duration = 1*s }
body { name = "bar", model = "frame", material = "steel", shape = box { 20*cm, 3*cm, 1*cm }, cells = 2*cm }
END
"$work/prefix/bin/fracas" bake "$work/bar.lua" -o "$work/bar.frm" --quiet > /dev/null || fail "bake does not run"
cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$FRACAS_SOURCE/examples/embed/ring.c" \
    $(pkg-config --cflags --libs fracas) -o "$work/ring" || fail "pkg-config does not build ring.c"
"$work/ring" "$work/bar.frm" "$work/ring.wav" > "$work/out2" || fail "ring does not run"
grep -q '^steel, 0.47. kg' "$work/out2" || fail "a bar of 20 x 3 x 1 cm of steel has 0.471 kg: $(cat "$work/out2")"
[ "$(stat -c %s "$work/ring.wav")" = $((44 + 4 * 48000 * 3)) ] || fail "ring.wav is not three seconds"

# pieces that were never cooked, by the bank that was installed with the program
"$work/prefix/bin/fracas" bank pack -o "$work/glass.bank" --quiet > /dev/null || fail "the bank is not found where it is installed"
cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$FRACAS_SOURCE/examples/embed/shards.c" \
    $(pkg-config --cflags --libs fracas) -lm -o "$work/shards" || fail "pkg-config does not build shards.c"
"$work/shards" "$work/glass.bank" "$work/shards.wav" > "$work/out6" || fail "shards does not run: $(cat "$work/out6")"
grep -q '^300 pieces, peak' "$work/out6" || fail "shards says: $(cat "$work/out6")"

# and one that bends, whose modes no solver of the runtime finds
cat > "$work/jelly.lua" << 'END'
material { name = "soft", base = "silicone", young = 60*kPa, poisson = 0.4 }
body { name = "jelly", model = "modal", modes = 12, material = "soft", shape = box { 20*cm, 20*cm, 20*cm }, cells = 7*cm }
END
"$work/prefix/bin/fracas" bake "$work/jelly.lua" --motion --air small -o "$work/jelly.frm" --quiet > "$work/log" || fail "bake --motion does not run"
grep -q 'moves by 12 modes' "$work/log" || fail "bake --motion says: $(cat "$work/log")"
cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$FRACAS_SOURCE/examples/embed/bend.c" \
    $(pkg-config --cflags --libs fracas) -lm -o "$work/bend" || fail "pkg-config does not build bend.c"
"$work/bend" "$work/jelly.frm" > "$work/out5" || fail "bend does not run: $(cat "$work/out5")"
grep -q '^jelly: 12 modes, ' "$work/out5" || fail "bend says: $(cat "$work/out5")"
"$work/bend" "$work/bar.frm" > "$work/log" 2>&1 && fail "bend takes a body that was baked without its motion"
grep -q 'byte 8: .*--motion' "$work/log" || fail "a body without motion: $(cat "$work/log")"

# a program on the studio: a scene is read (Lua), its modes are found (CHOLMOD, LAPACK) and kept (SQLite)
cat > "$work/studio.c" << 'END'
#include <fracas/fracas.h>
#include <fracas/studio.h>
#include <stdio.h>
int main(int argc, char **argv) {
    FrContextDef def = fr_context_def_default();
    FrContext *ctx = fr_context_create(&def);
    FrModesDef job = fr_modes_def_default();
    job.input = argv[argc - 1];
    job.count = 3;
    job.no_cache = true;
    FrText text;
    FrResult result = ctx ? fr_job_modes(ctx, &job, false, &text) : FR_FAILED;
    printf("%s", result == FR_OK ? text.data : fr_context_message(ctx));
    fr_text_free(ctx, &text);
    fr_context_destroy(ctx);
    return (int)result;
}
END
pkg-config --static --libs fracas-studio | grep -q gfortran && fail "Fortran's library is asked for, and no package of ours brings it"
for static in "" --static; do
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$work/studio.c" $(pkg-config --cflags $static --libs fracas-studio) \
        -o "$work/studio" 2> "$work/log" || fail "pkg-config $static --libs fracas-studio: $(head -5 "$work/log")"
    "$work/studio" "$work/bar.lua" > "$work/modes" || fail "a program on the studio does not run: $(cat "$work/modes")"
    grep -q Hz "$work/modes" || fail "no modes: $(cat "$work/modes")"
done

# a scene under hands, played again to the same bits
cat > "$work/cube.lua" << 'END'
ground { material = "concrete" }
body { name = "cube", material = "jelly", shape = box { 8*cm, 8*cm, 8*cm }, cells = 4*cm, at = {0, 0, 5*cm} }
END
cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$FRACAS_SOURCE/examples/embed/hands.c" \
    $(pkg-config --cflags --libs fracas-studio) -o "$work/hands" || fail "pkg-config does not build hands.c"
(cd "$work" && ./hands cube.lua > out4) || fail "hands does not run: $(cat "$work/out4")"
[ "$(grep -c 'the same bits' "$work/out4")" = 2 ] || fail "hands.c comes to other bits: $(cat "$work/out4")"

# CMake
mkdir "$work/user"
cat > "$work/user/CMakeLists.txt" << 'EOF'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(fracas 0.1 REQUIRED)
add_executable(drop ${SOURCE})
target_link_libraries(drop PRIVATE fracas::fracas)
add_executable(studio ${STUDIO_SOURCE})
target_link_libraries(studio PRIVATE fracas::fracas-studio)
EOF
cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_FLAGS="$flags" \
    -DSTUDIO_SOURCE="$work/studio.c" -DSOURCE="$FRACAS_SOURCE/examples/embed/drop.c" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/user/build" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
"$work/user/build/drop" > "$work/again" || fail "drop made by CMake does not run"
"$work/user/build/studio" "$work/bar.lua" > "$work/again2" || fail "the studio's program made by CMake does not run"
cmp "$work/out" "$work/again" || fail "the two programs do not say the same"

# the program came along, and headers work from C++
"$work/prefix/bin/fracas" --version | grep -q '^fracas ' || fail "the installed program does not run"
echo '#include <fracas/fracas.h>
int main() { return fr_material_count() > 20 ? 0 : 1; }' > "$work/user.cpp"
c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $flags "$work/user.cpp" \
    $(pkg-config --cflags --libs fracas) -o "$work/user.out" || fail "C++ does not build"
"$work/user.out" || fail "the library holds no materials"
echo "install.sh: ok"
