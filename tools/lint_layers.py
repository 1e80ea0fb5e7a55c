#!/usr/bin/env python3
"""lint_layers.py: a file includes only from lower rooms, its own room, or include/fracas."""
import pathlib
import re
import sys

ROOMS = {
    "base": 0, "math": 1, "sparse": 2, "geom": 2, "event": 2, "mesh": 3, "material": 3, "fem": 4, "rigid": 4,
    "contact": 4, "modal": 5, "fracture": 5, "solve": 5, "sound": 6, "world": 7, "backend": 8, "store": 8,
    "scene": 9, "record": 9, "export": 10, "render": 10, "job": 11,
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def problems(root):
    for path in sorted(root.glob("src/*/*.[ch]")):
        room = path.parent.name
        if room not in ROOMS:
            yield f"{path}: room '{room}' is not in the plan"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
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
    for path in sorted(root.glob("apps/*/*.[ch]")) + sorted(root.glob("examples/**/*.[ch]")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and "/" in match.group(1) and not match.group(1).startswith("fracas/"):
                yield f"{path}:{number}: programs use only include/fracas, found \"{match.group(1)}\""


def main():
    found = list(problems(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) if found else "layers: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
