#!/usr/bin/env python3
# lint_tolerances.py: every tolerance of a test says why it has its size, in words that test/test.h lists.
# A reason is in reach when the statement has it in a comment, or a TOL_ name, or a comment above it says "reason: ..."
# (such a comment holds to the end of its block). Without -v only the count is shown.
import glob, re, sys

REASONS = "exact|rounding|float32|mesh|step|solver|statistics|digits|model|raster|promise"
ALLOWED = 0  # tolerances without a reason; this number only falls

WORD = re.compile(r"\b(%s)\b|\bround(ed|ings|-off)\b|\b(floats?|steps|meshes)\b" % REASONS, re.I)
HEADING = re.compile(r"\s*//+ *(%s):" % REASONS, re.I)
CHECK = re.compile(r"\bCHECK(_NEAR|_CLOSE)?\(")
SMALL = re.compile(r"<=? *[^&|]*\b([\d.]+e-\d|TOL_)")  # what CHECK bounds by a small number
RANGE = re.compile(r">=? *[\d.]+(e-\d+)? *&&|&& [^&]*>=? *[\d.]+(e-\d+)?\W*$")  # between two: no tolerance


def statement(text, at):
    """the call that begins at `at`, and where it ends"""
    depth = 0
    for end in range(text.index("(", at), len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return text[at : end + 1], end
    return text[at:], len(text)


def headings(lines):
    """for each line: whether a comment above it names the reason of its block"""
    held, reach = [], []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip():
            held = [h for h in held if h < indent or (h == indent and not line.startswith("}"))]
        reach.append(bool(held))
        if HEADING.match(line):
            held.append(indent)
    return reach


def comment_above(lines, first):
    words = []
    while first > 0 and lines[first - 1].lstrip().startswith("//"):
        first -= 1
        words.append(lines[first])
    return " ".join(words)


def tolerances(path):
    """(line number, whether a reason is in reach) of each"""
    text = open(path).read()
    lines = text.split("\n")
    reach = headings(lines)
    for match in CHECK.finditer(text):
        call, end = statement(text, match.start())
        first, last = text.count("\n", 0, match.start()), text.count("\n", 0, end)
        if lines[first].startswith("#define") or (not match.group(1) and (not SMALL.search(call) or RANGE.search(call))):
            continue
        comments = " ".join(line.split("//", 1)[1] for line in lines[first : last + 1] if "//" in line)
        near = comments + " " + comment_above(lines, first)
        yield first + 1, "TOL_" in call or "tol_" in call or reach[first] or bool(WORD.search(near))


def main():
    total, silent = 0, []
    for path in sorted(set(glob.glob("test/**/*.[ch]", recursive=True)) - {"test/test.h"}):
        for line, said in tolerances(path):
            total += 1
            if not said:
                silent.append("%s:%d" % (path, line))
    if "-v" in sys.argv or len(silent) > ALLOWED:
        print("\n".join(silent))
    print("tolerances: %d, of which %d without a reason (at most %d)" % (total, len(silent), ALLOWED))
    sys.exit(len(silent) > ALLOWED)


main()
