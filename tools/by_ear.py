#!/usr/bin/env python3
# by_ear.py: what an ear would check of strikes and of scenes that were run: measured, wanted, ok.
#   tools/by_ear.py [out/chimes out/bowl-rings ...]     strikes of scenes/bowl-rings.lua first, then each folder of a run
# FRACAS: the program (build/fracas). Exit 1 when a row is not ok.
import argparse, array, csv, json, math, os, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FRACAS = os.environ.get("FRACAS", HERE + "/build/fracas")
BOWL, BLOCKS = HERE + "/scenes/bowl-rings.lua", HERE + "/scenes/papers/blocks-and-boxes.lua"
failed = 0


def row(what, measured, wanted, ok):
    global failed
    failed += not ok
    print("%-62s %-26s wanted %-22s %s" % (what, measured, wanted, "ok" if ok else "NO"))


def fracas(*args):
    done = subprocess.run([FRACAS, *args, "--json", "--quiet"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def wav(path):
    """channels of a float WAV, and its rate"""
    data, at, channels, rate = open(path, "rb").read(), 12, 1, 48000
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        if name == b"fmt ":
            channels, rate = struct.unpack("<HI", data[at + 10:at + 16])
        if name == b"data":
            samples = array.array("f", data[at + 8:at + 8 + size])
        at += 8 + size + size % 2
    return [samples[k::channels] for k in range(channels)], rate


def decibels(x):
    return 20 * math.log10(max(x, 1e-15))


def peak(part):
    return max((abs(v) for v in part), default=0.0)


def strike(folder, *args):
    path = folder + "/hit.wav"
    return fracas("strike", BOWL, "-o", path, *args)["strikes"][0], wav(path)[0][0]


def brightness(folder):
    slow, fast = (strike(folder, "--mallet", "rubber", "--speed", v)[0]["centroid_hz"] for v in ("0.5", "4"))
    row("brightness: bowl, rubber mallet, 4 instead of 0.5 m/s", "%.2f x the centroid" % (fast / slow), ">= 1.15", fast >= 1.15 * slow)
    felt, steel = (strike(folder, "--mallet", m)[0]["centroid_hz"] for m in ("felt", "steel"))
    row("brightness: steel instead of felt", "%.1f x the centroid" % (steel / felt), ">= 3", steel >= 3 * felt)


def ten_times(folder):
    fracas("bake", BOWL, "-o", folder + "/bowl.frm")
    loud = []
    for j in ("0.01", "0.1"):
        open(folder + "/hit.csv", "w").write("body, bowl, bowl.frm\nhit, 0.05, bowl, 0.084, 0, 0.062, -%s, 0, 0, 0.0003\n" % j)
        fracas("sound", folder + "/hit.csv", "-o", folder + "/hits.wav", "--no-stems")
        loud.append(peak(wav(folder + "/hits.wav")[0][0]))
    more = decibels(loud[1] / loud[0])
    row("brightness: ten times the impulse", "%+.2f dB" % more, "+20 +- 0.5", abs(more - 20) <= 0.5)


def materials():
    def t60(m, hz):
        w = 2 * math.pi * hz
        return 2 * math.log(1000) / (m["alpha1"] * w * w + m["alpha2"] + m["eta"] * w)
    names = ["rubber", "s4-shelf-wood", "s4-shelf-plastic", "ceramic", "glass", "bronze"]
    stuff = [fracas("materials", name) for name in names]
    at = [t60(m, 1000) for m in stuff]
    least = min(b / a for a, b in zip(at, at[1:]))
    row("material: T60 at 1 kHz, rubber wood plastic ceramic glass bronze", " ".join("%.2g" % t for t in at) + " s", "each >= 1.5 x", least >= 1.5)
    row("material: high tones die first", "%.1f x at least" % min(t60(m, 500) / t60(m, 4000) for m in stuff), "> 1",
        all(t60(m, 500) > t60(m, 4000) for m in stuff))


def clean(name, channels, rate, hits):
    """hits: times of contacts, s; second differences are looked at away from them"""
    loudest = max(peak(c) for c in channels)
    mean = max(abs(sum(c) / len(c)) for c in channels)
    n = rate // 100
    ends = max(max(peak(c[:n]), peak(c[-n:])) for c in channels)
    row(name + ": mean", "%.0f dB of full scale" % decibels(mean), "< -80", decibels(mean) < -80)
    row(name + ": first and last 10 ms", "%.0f dB of the peak" % decibels(ends / loudest), "< -60", ends < 1e-3 * loudest)
    busy = {int((t + d * 0.005) * 100) for t in hits for d in range(-1, 9)}
    worst = 0.0
    for c in channels:
        for k in range(1, len(c) // n):
            part = [c[i] - 2 * c[i - 1] + c[i - 2] for i in range(k * n, k * n + n)]
            sigma = math.sqrt(sum(d * d for d in part) / n)
            if k not in busy and sigma > 1e-7:
                worst = max(worst, peak(part) / sigma)
    row(name + ": second differences away from contacts", "%.1f sigma" % worst, "<= 8", worst <= 8)


def variety(folder):
    blows = [strike(folder, "--at", at)[1][480:480 + 12000] for at in ("0.084,0,0.062", "0.07,0,0.025", "0.02,0,0")]
    most = 0.0
    for a in range(3):
        for b in range(a):
            xy = sum(x * y for x, y in zip(blows[a], blows[b]))
            most = max(most, abs(xy) / math.sqrt(sum(x * x for x in blows[a]) * sum(y * y for y in blows[b])))
    row("variety: rim, wall and foot of the bowl", "correlate %.2f at most" % most, "< 0.95", most < 0.95)


def size():
    small, large = (fracas("modes", BLOCKS, "--set", "size=" + s, "--body", "cube1", "--count", "20")["modes"] for s in ("5cm", "50cm"))
    ratio = [a["undamped_hz"] / b["undamped_hz"] if "undamped_hz" in a else a["hz"] / b["hz"] for a, b in zip(small, large)]
    row("level: ten times as large", "pitch / %.4f to %.4f" % (min(ratio), max(ratio)), "10", max(abs(r - 10) for r in ratio) < 0.01)


def line_at(part, hz, rate):
    """amplitude of a tone, Hann window"""
    w, n = 2 * math.pi * hz / rate, len(part)
    re = im = 0.0
    for k, v in enumerate(part):
        v *= 1 - math.cos(2 * math.pi * k / n)
        re += v * math.cos(w * k)
        im += v * math.sin(w * k)
    return 2 * math.hypot(re, im) / n


def run(folder):
    name = os.path.basename(os.path.normpath(folder))
    channels, rate = wav(folder + "/sound.wav")
    events = list(csv.DictReader(open(folder + "/events.csv")))
    hits = [float(e["t_s"]) for e in events if e["kind"] in ("impact", "contact")]
    loudest = max(peak(c) for c in channels)
    clean(name, channels, rate, hits)
    # steps of 1/240 s: in what rings on after the last contact, beside the tones next to each multiple
    after = int((max(hits) + 0.05) * rate)
    rest = channels[0][after:after + rate // 2]
    if len(rest) == rate // 2:
        worst = 0.0
        for k in range(1, 9):
            near = {d: line_at(rest, 240.0 * k + d, rate) for d in range(-24, 25, 3)}
            if max(near, key=near.get) == 0:  # otherwise it is the flank of a tone
                worst = max(worst, near[0])
        row(name + ": lines at 240 Hz and its multiples at rest", "%.0f dB of the peak" % decibels(worst / loudest), "< -70", worst < 3.2e-4 * loudest)
    impulse = [math.sqrt(sum(float(e[k]) ** 2 for k in ("jx_Ns", "jy_Ns", "jz_Ns"))) for e in events if e["kind"] == "impact"]
    apart = decibels(max(impulse) / min(i for i in impulse if i > 0))
    few = len(impulse) < 20  # a tune is played evenly
    row(name + ": loudest and faintest of %d impacts" % len(impulse), "%.0f dB apart" % apart, ">= 25 (from 20 on)", few or apart >= 25)
    row(name + ": peak", "%.1f dB of full scale" % decibels(loudest), "-30 to 0", -30 <= decibels(loudest) <= 0)
    film = folder + "/preview.mp4"
    if os.path.exists(film):
        sync(name, film, channels[0], rate)


def sync(name, film, left, rate):
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", film, "-vn", "-ac", "2", "-ar", str(rate), "-f", "f32le", "-"],
                         stdout=subprocess.PIPE, check=True).stdout
    heard = array.array("f", raw)[0::2]
    end = min(len(left), len(heard))
    at = max(range(end), key=lambda k: abs(left[k]))
    part = range(max(at - 400, 1400), min(at + 1200, end - 1400))
    best = max(range(-1300, 1301), key=lambda lag: sum(left[k] * heard[k + lag] for k in part))
    row(name + ": sound of the film beside sound.wav", "%+.2f ms" % (1000 * best / rate), "<= 1", abs(best) * 1000 <= rate)


def main():
    parser = argparse.ArgumentParser(description="what an ear would check: strikes of scenes/bowl-rings.lua first, then each run")
    parser.add_argument("folder", nargs="*", help="of a run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        brightness(folder)
        ten_times(folder)
        materials()
        for mallet in ("steel", "felt"):
            about, sound = strike(folder, "--mallet", mallet)
            clean("bowl, " + mallet, [sound], 48000, [0.01])
        variety(folder)
        size()
    for folder in given.folder:
        run(folder)
    sys.exit(failed > 0)


main()
