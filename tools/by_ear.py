#!/usr/bin/env python3
# by_ear.py: what an ear would check of strikes and of scenes that were run: measured, wanted, ok.
#   tools/by_ear.py [out/chimes out/bowl-rings ...]     strikes of scenes/bowl-rings.lua first, then each folder of a run
#   tools/by_ear.py --no-strikes out/plate              only the run: where bodies are born of others, what makes it a break
# FRACAS: the program (build/fracas). Exit 1 when a row is not ok.
import argparse, array, cmath, csv, glob, json, math, os, sqlite3, struct, subprocess, sys, tempfile

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


def fft(x):
    """of a power of two"""
    n = len(x)
    if n == 1:
        return [complex(x[0])]
    even, odd = fft(x[0::2]), fft(x[1::2])
    turned = [cmath.exp(-2j * math.pi * k / n) * odd[k] for k in range(n // 2)]
    return [e + t for e, t in zip(even, turned)] + [e - t for e, t in zip(even, turned)]


def spectrum(part):
    """amplitudes from 0 Hz on, Hann window; the part has a power of two of samples"""
    n = len(part)
    return [2 * abs(v) / n for v in fft([v * (1 - math.cos(2 * math.pi * k / n)) for k, v in enumerate(part)])[:n // 2]]


def tones_of(samples, start, rate):
    """the strongest tones of a third of a second, Hz, 24 at most"""
    n = 16384
    lines = spectrum(samples[start:start + n])
    low, high = int(400 * n / rate), int(16000 * n / rate)
    most = max(lines[low:high])
    peaks = sorted((k for k in range(low, high) if lines[k] == max(lines[k - 8:k + 9]) and lines[k] > 1e-3 * most), key=lambda k: -lines[k])
    found = []
    for k in peaks[:24]:
        a, b, c = (math.log(max(v, 1e-30)) for v in lines[k - 1:k + 2])
        found.append((k + 0.5 * (a - c) / min(a - 2 * b + c, -1e-9)) * rate / n)
    return found


def turning(samples, start, hz, rate):
    """a tone over 10 ms as a complex number that stays while it rings on"""
    n, w = rate // 100, 2j * math.pi * hz / rate
    part = samples[start:start + n]
    return sum(v * (1 - math.cos(2 * math.pi * k / n)) * cmath.exp(-w * (start + k)) for k, v in enumerate(part))


def changed(samples, blow, tones, rate):
    """the share of tones that a blow changes by half, or more, of what they are before or after; the way to the ear is 2 m at most"""
    before = [turning(samples, int(blow[0] * rate) - rate // 100, hz, rate) for hz in tones]
    after = [turning(samples, int(blow[1] * rate) + rate // 160, hz, rate) for hz in tones]
    return sum(abs(b - a) > 0.5 * max(abs(a), abs(b)) for a, b in zip(before, after)) / len(tones)


def stems_of(folder):
    """name and channels of each, in their order"""
    return [(os.path.basename(path)[4:-4], wav(path)[0]) for path in sorted(glob.glob(folder + "/stems/*.wav"))]


def add_up(name, channels, stems):
    worst = 0.0
    for c, mix in enumerate(channels):
        total = [0.0] * len(mix)
        for _, stem in stems:
            total = [a + b for a, b in zip(total, stem[c])]
        worst = max([worst] + [abs(a - b) for a, b in zip(array.array("f", total), mix)])
    row(name + ": stems add up to the mix", "off by %.2g at most" % worst, "0", worst == 0 and bool(stems))


def families(events):
    """what each body was first, by name"""
    first = {}
    for e in events:
        if e["kind"] == "birth" and e["b_name"]:
            first[e["a_name"]] = first.get(e["b_name"], e["b_name"])
    return first


def burst(name, left, rate, when):
    """from the break on: how fast it begins, and how long its energy takes"""
    at = int(when * rate)
    part = left[at:at + rate // 10]
    loudest = peak(part)
    tenth = next((k for k, v in enumerate(part) if abs(v) > 0.1 * loudest), 0)
    half = next((k for k, v in enumerate(part) if abs(v) >= 0.5 * loudest), 0)
    row(name + ": onset of the burst, from a tenth to half of its peak", "%.2f ms" % (1000 * (half - tenth) / rate), "< 1 ms",
        loudest > 0 and half - tenth < rate // 1000)
    part = part[tenth:tenth + rate // 25]
    total, marks, energy = sum(v * v for v in part), [], 0.0
    for k, v in enumerate(part):
        energy += v * v
        if energy >= (0.1, 0.9)[min(len(marks), 1)] * total and len(marks) < 2:
            marks.append(k)
    took = 1000 * (marks[-1] - marks[0]) / rate if len(marks) == 2 else 1e3
    row(name + ": 10 to 90 % of the energy of its first 40 ms", "%.1f ms" % took, "<= 10", took <= 10)


def first_burst(folder):
    """root mean square and centroid (Hz) of the 10 ms from the first touch on, when something is born of another or after"""
    channels, rate = wav(folder + "/sound.wav")
    events = list(csv.DictReader(open(folder + "/events.csv")))
    born = min(float(e["t_s"]) for e in events if e["kind"] == "birth" and e["b_name"])
    when = min([float(e["t_s"]) for e in events if e["kind"] in ("impact", "contact", "release") and float(e["t_s"]) >= born - 1e-3] or [born])
    part = channels[0][int(when * rate):int(when * rate) + rate // 10]
    start = next((k for k, v in enumerate(part) if abs(v) > 0.1 * peak(part)), 0)
    part = part[start:start + rate // 100]
    lines = [v * v for v in spectrum((list(part) + [0.0] * 512)[:512])]
    return math.sqrt(sum(v * v for v in part) / max(len(part), 1)), sum(k * v for k, v in enumerate(lines)) * rate / 512 / max(sum(lines), 1e-30)


def compare(folder, plain, tough):
    name = os.path.basename(os.path.normpath(folder))
    level, centroid = first_burst(folder)
    if plain:
        more = decibels(level / max(first_burst(plain)[0], 1e-30))
        row(name + ": release raises the first 10 ms", "%+.1f dB" % more, ">= 6 dB", more >= 6)
    if tough:
        other = first_burst(tough)[1]
        row(name + ": centroid of the first 10 ms, lower Gc beside higher", "%.0f and %.0f Hz" % (centroid, other), "higher", centroid > other)


def pulses(name, left, rate, hits, broken):
    """each blow of a bounce changes all tones of the one body; when pieces land, each changes its own"""
    alone = []
    for t, body in sorted(hits):  # what comes within 8 ms is one blow, as when a body rattles
        if alone and t - alone[-1][1] < 0.008:
            alone[-1] = [alone[-1][0], t, alone[-1][2] | {body}]
        else:
            alone.append([t, t, {body}])
    inside = [b for b in alone if rate // 100 <= b[0] * rate and b[1] * rate < len(left) - rate // 50]
    inside = [b for k, b in enumerate(inside) if len(b[2]) == 1 and (k + 1 == len(inside) or inside[k + 1][0] - b[1] > 0.0165)]
    loud = sorted(inside, key=lambda b: -peak(left[int(b[0] * rate):int(b[1] * rate) + rate // 50]))[:10]
    if len(loud) < 3 or int(alone[0][0] * rate) + 16384 > len(left):
        print("%-62s %-26s wanted %-22s -" % (name + ": tones that a blow changes", "%d blows on one body" % len(loud), "3 to compare"))
        return
    tones = tones_of(left, int(alone[0][0] * rate), rate)
    share = sum(changed(left, blow, tones, rate) for blow in loud) / len(loud)
    row(name + ": of %d tones, each of %d blows changes" % (len(tones), len(loud)), "%.0f %%" % (100 * share),
        "< 65: several bodies" if broken else ">= 65: one body", (share < 0.65) == broken)


def free_rings(stem, rate, hits):
    """times between two touches in which it is heard, the longest first"""
    times = sorted(hits)
    gaps = sorted(((b - a, a) for a, b in zip(times, times[1:])), reverse=True)
    heard = [(a + 0.008, a + length - 0.002) for length, a in gaps if length > 0.05]
    return [(a, b) for a, b in heard if peak(stem[int(a * rate):int(b * rate)]) > 1e-3 * peak(stem)]


def decay(name, stem, rate, gap, damping):
    """the clearest tone while nothing touches the body"""
    start, end = int(gap[0] * rate), int(gap[1] * rate)
    n = 1 << max(int(math.log2(max(end - start, 1) / 2)), 0)
    if n < 1024:
        return False
    lines = spectrum(stem[start:start + n])
    order = sorted(range(max(int(200 * n / rate), 12), n // 2 - 12), key=lambda k: -lines[k])
    for k in order[:40]:
        around = max(lines[max(k - 12, 0):k - 2] + lines[k + 3:k + 13])
        if lines[k] < 1e-3 * lines[order[0]] or lines[k] != max(lines[k - 2:k + 3]) or around > 0.03 * lines[k]:
            continue
        hz = max(((k + d / 8) * rate / n for d in range(-8, 9)), key=lambda f: line_at(stem[start:start + n], f, rate))
        early, late = line_at(stem[start:start + n], hz, rate), line_at(stem[end - n:end], hz, rate)
        if late < 1e-4 * early:
            continue
        w, took = 2 * math.pi * hz, (end - n - start) / rate
        rings, should = took * math.log(1000) / math.log(early / late) if early > late else 1e3, 2 * math.log(1000) / damping(w)
        row(name + ": T60 of its tone at %.0f Hz" % hz, "%.3f s" % rings, "%.3f +- 10 %%" % should, abs(rings - should) <= 0.1 * should)
        return True
    return False


def materials_of(folder):
    """of each body by name: damping of a tone of w rad/s, 1/s"""
    with sqlite3.connect("file:%s/run.fracas?mode=ro" % folder, uri=True) as file:
        rows = file.execute("SELECT body.name, material.json FROM body JOIN material ON body.material = material.hash").fetchall()
    made_of = {name: json.loads(text) for name, text in rows}
    return {name: lambda w, m=m: m.get("alpha1", 0) * w * w + m.get("alpha2", 0) + m.get("eta", 0) * w for name, m in made_of.items()}


def quiet_births(name, left, rate, events, hits):
    """second differences where something is born or dies and nothing touches anything"""
    lives, n, worst = {float(e["t_s"]) for e in events if e["kind"] in ("birth", "death")}, rate // 100, 0.0
    busy = {int((t + d * 0.005) * 100) for t in hits for d in range(-1, 9)}
    near = {int(t * 100) + d for t in lives for d in range(3)} - busy
    for k in sorted(near):
        part = [left[i] - 2 * left[i - 1] + left[i - 2] for i in range(max(k * n, 2), min(k * n + n, len(left)))]
        sigma = math.sqrt(sum(d * d for d in part) / max(len(part), 1))
        if sigma > 1e-7:
            worst = max(worst, peak(part) / sigma)
    if lives:
        row(name + ": clicks at %d births and deaths, away from contacts" % len(lives), "%.1f sigma" % worst, "<= 8", worst <= 8)


def bodies(folder, name, channels, rate, events, hits):
    """what stems tell, and what makes a break a break"""
    first, touches, blows = families(events), {}, {}
    for e in events:
        for body in {e["a_name"], e["b_name"]} - {""}:
            if e["kind"] in ("impact", "contact", "release", "birth", "death"):
                touches.setdefault(first.get(body, body), []).append(float(e["t_s"]))
            if e["kind"] in ("impact", "release"):
                blows.setdefault(first.get(body, body), []).append((float(e["t_s"]), body))
    broken = sorted(float(e["t_s"]) for e in events if e["kind"] == "birth" and e["b_name"])
    stems, damping = stems_of(folder), materials_of(folder)
    if stems:
        add_up(name, channels, stems)
    quiet_births(name, channels[0], rate, events, hits)
    if broken:
        burst(name, channels[0], rate, min([t for t in hits if t >= broken[0]] or broken))
    for body, stem in sorted(stems, key=lambda s: -peak(s[1][0]))[:1]:
        pulses(name + ", " + body, stem[0], rate, [b for b in blows.get(body, []) if not broken or b[0] >= broken[0]], bool(broken))
    for body, stem in stems:
        if body in damping and body in touches:
            gaps = free_rings(stem[0], rate, touches[body])
            any(decay(name + ", " + body, stem[0], rate, gap, damping[body]) for gap in gaps)


def run(folder):
    name = os.path.basename(os.path.normpath(folder))
    channels, rate = wav(folder + "/sound.wav")
    events = list(csv.DictReader(open(folder + "/events.csv")))
    hits = [float(e["t_s"]) for e in events if e["kind"] in ("impact", "contact")]
    loudest = max(peak(c) for c in channels)
    clean(name, channels, rate, hits)
    bodies(folder, name, channels, rate, events, hits)
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
    apart = decibels(max(impulse) / min(i for i in impulse if i > 0)) if impulse else 0
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
    parser.add_argument("--plain", help="the first run again, without what breaking lets go")
    parser.add_argument("--tough", help="the first run again, with a higher Gc")
    parser.add_argument("--no-strikes", action="store_true", help="only the runs")
    given = parser.parse_args()
    if not given.no_strikes:
        strikes()
    for folder in given.folder:
        run(folder)
    if given.folder and (given.plain or given.tough):
        compare(given.folder[0], given.plain, given.tough)
    sys.exit(failed > 0)


def strikes():
    with tempfile.TemporaryDirectory() as folder:
        brightness(folder)
        ten_times(folder)
        materials()
        for mallet in ("steel", "felt"):
            about, sound = strike(folder, "--mallet", mallet)
            clean("bowl, " + mallet, [sound], 48000, [0.01])
        variety(folder)
        size()


main()
