#!/usr/bin/env python3
"""lint_layers.py: a file includes only from lower rooms, its own room, or include/fracas.

A model that the world steps is known to its row alone. Its name stands in its row, the table and the reader of scenes; others ask what it can.
A name says which file: none is there twice, but for the bench.c and bench.h of a room. No room has more than 60 files.
docs/architecture.md has every room with its floor, and the files that it names exist.
"""
import collections
import pathlib
import re
import sys

# the floor of each room
ROOMS = {
    "base": 0, "math": 1, "sparse": 2, "geom": 2, "clip": 2, "event": 2, "mesh": 3, "material": 3, "cut": 4, "fem": 5,
    "rigid": 5, "contact": 5, "skin": 6, "modal": 6, "fracture": 6, "corot": 6, "solve": 6, "air": 6, "sound": 7, "shatter": 7, "frames": 7,
    "world": 8, "bank": 8, "backend": 9, "store": 9, "scene": 10, "record": 10, "export": 11, "render": 11, "build": 12, "score": 13, "run": 13,
    "output": 14, "live": 14, "bench": 15, "job": 16,
}
# rooms of one model, which only the files of its row may see
ROWS_ALONE = {"world": ("model_", ("fem", "fracture", "corot"))}
NAMES_MODELS = ("world/model", "scene/")  # how the files begin that may name one
MODEL = re.compile(r"\bFR_MODEL_[A-Z]+")
MOST_FILES = 60  # of a room
PAGE = "docs/architecture.md"
ROW = re.compile(r"^\| (\d+) \| `(\w+)/` \|")  # of the table of rooms
NAMED = re.compile(r"`((?:src|include|test|tools|apps|docs|examples)/[\w./*-]*)`")  # NAME stands for any
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def problems(root):
    for path in sorted(root.glob("src/*/*.[ch]")):
        room = path.parent.name
        if room not in ROOMS:
            yield f"{path}: room '{room}' is not in the plan"
            continue
        may_name = path.relative_to(root / "src").as_posix().startswith(NAMES_MODELS)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            name = None if may_name else MODEL.search(line)
            if name:
                yield f"{path}:{number}: {name.group(0)}: ask what a model can do (fr_model_traits), not which it is"
            match = INCLUDE.match(line)
            if not match:
                continue
            other = match.group(1).split("/")[0]
            if other in ("fracas", room):
                continue
            if other not in ROOMS:
                yield f"{path}:{number}: include by room: \"room/file.h\", found \"{match.group(1)}\""
            elif ROOMS[other] >= ROOMS[room]:
                yield f"{path}:{number}: {room} ({ROOMS[room]}) may not include {other} ({ROOMS[other]})"
            row, rooms = ROWS_ALONE.get(room, ("", ()))
            if other in rooms and not path.name.startswith(row):
                yield f"{path}:{number}: {room} knows {other} by its row ({row}*.c) alone"
    for path in sorted(root.glob("apps/*/*.[ch]")) + sorted(root.glob("examples/**/*.[ch]")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and "/" in match.group(1) and not match.group(1).startswith("fracas/"):
                yield f"{path}:{number}: programs use only include/fracas, found \"{match.group(1)}\""


def crowds(root):
    rooms, names = collections.Counter(), collections.defaultdict(list)
    for path in sorted(root.glob("src/*/*.[ch]")):
        rooms[path.parent.name] += 1
        names[path.name].append(path)
    for room, count in sorted(rooms.items()):
        if count > MOST_FILES:
            yield f"src/{room}: {count} files, a room has no more than {MOST_FILES}"
    for name, paths in sorted(names.items()):
        if len(paths) > 1 and name not in ("bench.c", "bench.h"):
            yield f"{name}: {len(paths)} files have this name: {', '.join(str(p.relative_to(root)) for p in paths)}"


def page_problems(root):
    page = root / PAGE
    there = {path.parent.name for path in root.glob("src/*/*.[ch]")}
    listed = {}
    for number, line in enumerate(page.read_text().splitlines(), 1):
        row = ROW.match(line)
        if row:
            listed[row.group(2)] = (number, int(row.group(1)))
        for name in NAMED.findall(line):
            if "NAME" not in name and not any(root.glob(name.rstrip("/"))):
                yield f"{PAGE}:{number}: {name} does not exist"
    for room in sorted(there - set(listed)):
        yield f"{PAGE}: room '{room}' is not in the table"
    for room, (number, floor) in sorted(listed.items()):
        if room not in there:
            yield f"{PAGE}:{number}: room '{room}' has no files"
        elif ROOMS.get(room) != floor:
            yield f"{PAGE}:{number}: room '{room}' is on floor {ROOMS.get(room)}, not {floor}"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(problems(root)) + list(crowds(root)) + list(page_problems(root))
    print("\n".join(found) if found else "layers: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
