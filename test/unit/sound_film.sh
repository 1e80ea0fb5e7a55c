#!/bin/bash
# sound_film.sh: the sound inside a film is in step with the sound.wav beside it, within 1 ms: what an
# encoder puts in front of its frames must be taken off again.
set -eu
fail() {
    echo "sound_film.sh: $1" >&2
    exit 1
}
command -v ffmpeg > /dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FRACAS_CACHE="$work"
cat > "$work/drop.lua" << 'END'
scene { duration = 0.4*s, fps = 25 }
ground { material = "concrete" }
body { name = "block", model = "frame", material = "oak", at = {0, 0, 10*cm}, turn = {10, 20, 0},
  shape = box { 10*cm, 8*cm, 4*cm }, cells = 4*cm }
film { size = {64, 36} }
END
"$FRACAS" run "$work/drop.lua" -o "$work/out" --quiet > "$work/log" 2>&1 || fail "$(cat "$work/log")"
[ -f "$work/out/preview.mp4" ] || exit 77 # no OpenGL here
ffmpeg -v error -y -i "$work/out/preview.mp4" -vn -ac 2 -ar 48000 -f f32le "$work/film.f32" || fail "no sound in the film"
python3 - "$work/out/sound.wav" "$work/film.f32" << 'END' || fail "the film's sound is out of step"
import array, sys
wav, film = array.array("f"), array.array("f")
wav.frombytes(open(sys.argv[1], "rb").read()[58:])
film.frombytes(open(sys.argv[2], "rb").read())
wav, film = wav[0::2], film[0::2]
peak = max(range(24000), key=lambda n: abs(wav[n]))
part = range(max(peak - 500, 0), peak + 1500)
best = max(range(-1300, 1301), key=lambda lag: sum(wav[n] * film[n + lag] for n in part if 0 <= n + lag < len(film)))
print(f"lag {best / 48:.2f} ms")
sys.exit(abs(best) > 48)
END
