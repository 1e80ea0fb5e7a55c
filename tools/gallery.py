#!/usr/bin/env python3
# gallery.py [NAME ...]: make pictures of docs/gallery.md again, by the commands that stand beside them.
#   tools/gallery.py wall cylinder      those of the sections with these pictures (docs/images/NAME.png); without a name: all
# Runs are made without film and sound, from the start; FRACAS names the program (build/fracas).
import os, re, shlex, subprocess, sys

PROGRAM = os.environ.get("FRACAS", "build/fracas")


def sections():
    with open("docs/gallery.md") as f:
        text = f.read()
    for section in re.split(r"^#+ ", text, flags=re.M)[1:]:
        names = re.findall(r"\(images/([\w-]+)\.png\)", section)
        lines = [line for block in re.findall(r"```\n(.*?)```", section, re.S) for line in block.splitlines()]
        yield names, [shlex.split(line, comments=True) for line in lines]


def run(words):
    if words[1] in ("run", "sweep"):
        words = words + ["--quiet", "--restart"] + (["--no-film", "--no-sound"] if words[1] == "run" else [])
    print(" ".join(words), flush=True)
    subprocess.run([PROGRAM] + words[1:], check=True)


def main():
    wanted, known = set(sys.argv[1:]), set()
    for names, commands in sections():
        known.update(names)
        if wanted and not wanted & set(names):
            continue
        for words in commands:
            if words and words[0] == "fracas" and words[1] in ("run", "sweep", "render"):
                run(words)
    if wanted - known:
        sys.exit("no such picture in docs/gallery.md: %s" % ", ".join(sorted(wanted - known)))


main()
