#!/usr/bin/env python3
"""lint_dead.py: library functions that no program, public header or other library code uses.

What is left is used by tests only, or by nobody: use it or delete it. A name is used where it stands in src/, apps/ or
examples/ outside its declarations; comments and strings do not count. Public headers are for users: what they declare is
used.
"""
import pathlib
import re
import sys

# rooms whose functions are written ahead of their callers, and what they wait for
AHEAD = {
    "sparse": "modal analysis", "modal": "sound", "sound": "sound", "fracture": "breaking worlds",
    "fem": "breaking worlds", "rigid": "pieces as frames",
}
FILES_AHEAD = re.compile(r"src/cut/(cut|split|pieces)|src/record/.*topology")  # breaking worlds
# single functions: why they stay
KEPT = {
    "fr_contact_set_view": "a body that breaks shows contact a new mesh",
    "fr_surface_tets": "a body that breaks", "fr_node_tets": "a body that breaks",
    "fr_recorder_topology": "a body that breaks shows its new mesh",
    "fr_recorder_end_body": "a body that breaks ends, its pieces begin",
    "fr_recording_poses": "sound reads the poses that are recorded for it",
    "fr_random_normal": "noise in sound", "fr_quat_from_mat3": "pieces as frames",
    "fr_mat3_polar": "interactive materials turn elements back [S5]", "fr_mat3_svd": "plastic flow of inverted tets",
    "fr_camera_auto_view": "the camera for a single frame, which its tests hold fixed", "fr_camera_project": "same",
    "fr_scene_parse_lua": "the fuzzers' way in", "fr_penalty_apply": "the plain law, which stick.c is held against",
    "fr_stiffness_isotropic": "known stiffness for tests of rooms above", "fr_stiffness_rotate": "same",
    "fr_plastic_flow": "bodies that yield",
    "fr_rows_residual": "how far the rows are from solved, which tests hold the solver to",
    "fr_tetmesh_create": "meshes from arrays, of which tests of rooms above are made", "fr_tetmesh_hash": "same",
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
        if path.parent.name in AHEAD or FILES_AHEAD.match(str(path)) or name in KEPT:
            continue
        dead.append(f"{path}: {name}: only tests use it, or nobody does")
    # a reason outlives what it excused
    dead += [f"tools/lint_dead.py: {name} is kept, but is no function" for name in sorted(KEPT) if name not in defined]
    print("\n".join(dead) if dead else f"dead code: ok, {len(defined)} functions are used")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
