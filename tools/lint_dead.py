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
    "fr_modes_select": "which modes bend a body, and which are heard [S1]", "fr_mode_filter_audio": "same",
    "fr_mode_filter_visual": "same",
    "fr_piece_changes": "the table of piece states as data, which a test walks", "fr_piece_state_name": "same",
    "fr_world_add_model": "models of hosts and of tests; rows of later models are tried by it",
    "fr_world_add_criterion": "likewise for criteria that decide what breaks",
    # the fuzzers' way in
    "fr_scene_parse_lua": "any bytes as a scene",
    # oracles and handles of tests; they are to move to test/
    "fr_cutlog_init": "logs of cuts made by hand", "fr_cutlog_copy_node": "same",
    "fr_fem_advance": "steps of one body alone", "fr_fem_set_state": "a body in a known state",
    "fr_fem_add_stiffness": "outside springs that shorten the step",
    "fr_fem_tet_piola": "the stress of one tet", "fr_fem_tet_strain": "the strain of one tet",
    "fr_fem_tet_stress": "the stress of one tet",
    "fr_element_elastic": "the plain energy and force, which the lanes are held against",
    "fr_tearing_bound": "a cheap bound on what tears at a node",
    "fr_stiffness_isotropic": "known stiffness for tests of rooms above",
    "fr_surface_tets": "the tets that reach the surface", "fr_node_tets": "which tets a node is of",
    "fr_tetmesh_create": "meshes from arrays, of which tests of rooms above are made",
    "fr_camera_project": "where a point is in the picture",
    "fr_rigid_step": "one frame alone",
    "fr_penalty_apply": "the plain law, which stick.c is held against",
    "fr_rows_residual": "how far the rows are from solved, which tests hold the solver to",
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
