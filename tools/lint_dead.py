#!/usr/bin/env python3
"""lint_dead.py: library functions that no program, public header or other library code uses.

What is left is used by tests only, or by nobody: use it or delete it. A name is used where it stands in src/, apps/ or
examples/ outside its declarations; comments and strings do not count. Public headers are for users: what they declare is
used.
"""
import pathlib
import re
import sys

# functions that stay all the same, and why
KEPT = {
    # later models need them
    "fr_mat3_svd": "plastic flow of inverted tets",
    "fr_mode_filter_audio": "which modes are heard [S1]",
    "fr_piece_changes": "the table of piece states is one room's own: a test walks all of it", "fr_piece_state_name": "same",
    "fr_world_add_model": "a world takes rows that it does not know: tests have some, later models are tried so",
    "fr_world_add_criterion": "likewise for criteria that decide what breaks",
    # the fuzzers' way in
    "fr_scene_parse_lua": "any bytes as a scene, without a file",
    # what tests cannot do from outside: state that is the module's own
    "fr_fem_set_state": "a body in a known state; what was found for another one is forgotten, which only fem knows",
    "fr_fem_add_stiffness": "springs of the caller shorten steps as they are; contact goes by fr_fem_add_node_spring",
    "fr_tetmesh_create": "a mesh from arrays that are wrong: what it refuses, no mesher makes",
    "fr_radiator_field": "pressure outside by the integrals themselves, which multipoles are held to",
}

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
NAME = re.compile(r"\b(fr_[a-z0-9_]+)\b")
DEFINED = re.compile(r"^(?!static|typedef|#|extern)[A-Za-z_][^;={}]*?\b(fr_[a-z0-9_]+)\([^;{}]*\)\s*\{", re.M)


def code(path):
    return NOISE.sub(" ", path.read_text())


def uses(text):
    """Names on indented lines, and on others behind a brace or an equals sign."""
    for line in text.splitlines():
        if not line[:1].isspace() and not line.startswith("#"):
            cut = min((k for k in (line.find("{"), line.find("=")) if k >= 0), default=len(line))
            line = line[cut:]
        yield from NAME.findall(line)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    public, used, defined = set(), set(), {}
    for path in root.glob("include/fracas/*.h"):
        public.update(NAME.findall(code(path)))
    for pattern in ("src/*/*.[ch]", "apps/*/*.[ch]", "examples/**/*.[ch]"):
        for path in sorted(root.glob(pattern)):
            text = code(path)
            used.update(uses(text))
            if pattern.startswith("src") and path.suffix == ".c":
                for name in DEFINED.findall(text):
                    defined[name] = path.relative_to(root)
    dead = []
    for name, path in sorted(defined.items(), key=lambda item: (str(item[1]), item[0])):
        if name in used or name in public:
            continue
        if name not in KEPT:
            dead.append(f"{path}: {name}: only tests use it, or nobody does")
    # a reason outlives what it excused
    for name in sorted(KEPT):
        if name not in defined:
            dead.append(f"tools/lint_dead.py: {name} is kept, but is no function")
        elif name in used or name in public:
            dead.append(f"tools/lint_dead.py: {name} is kept, but used: it needs no excuse")
    print("\n".join(dead) if dead else f"dead code: ok, {len(defined)} functions are used")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
