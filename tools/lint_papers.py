#!/usr/bin/env python3
"""lint_papers.py: docs/papers.md and the code agree: every tagged equation is in the ledger and every row exists.

A formula is tagged [S2 eq. 24] or [S6 eq. 3.29] in src/. A ledger row is
| S2 eq. 24 | `function` in `src/room/file.c` | `test_name` in `test/kind/file.c` |
Tests that docs/errata.md names exist, and every erratum of grade A has one.
"""
import pathlib
import re
import sys

TAG = re.compile(r"\[((?:S[1-7]) eq\. [0-9A-Z.]+(?:-[0-9.]+)?)\]")
ROW = re.compile(r"^\|\s*(S[1-7] eq\. [0-9A-Z.]+(?:-[0-9.]+)?)\s*\|([^|]*)\|([^|]*)\|")
ERRATUM = re.compile(r"^\| \*\*(E[0-9]+)\*\* ([ABC]) \|.*\|([^|]*)\|$")
NAMES = re.compile(r"((?:`[A-Za-z0-9_]+`(?:, )?)+) in `(test/[^`]+)`")
NAMED = re.compile(r"`([A-Za-z0-9_]+)` in `([^`]+)`")


def check_named(root, row, cell, what):
    found = NAMED.findall(cell)
    if not found:
        yield f"docs/papers.md: {row}: no `{what}` in `file`"
    for name, file in found:
        path = root / file
        if not path.exists():
            yield f"docs/papers.md: {row}: {file} does not exist"
        elif name not in path.read_text():
            yield f"docs/papers.md: {row}: {name} is not in {file}"


def check_errata(root):
    for line in (root / "docs/errata.md").read_text().splitlines():
        match = ERRATUM.match(line)
        if not match:
            continue
        found = NAMES.findall(match.group(3))
        if match.group(2) == "A" and not found:
            yield f"docs/errata.md: {match.group(1)}: no test that fails on the printed form"
        for names, file in found:
            path = root / file
            text = path.read_text() if path.exists() else ""
            for name in re.findall(r"`(\w+)`", names):
                if f"TEST({name})" not in text:
                    yield f"docs/errata.md: {match.group(1)}: no TEST({name}) in {file}"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    ledger, found = {}, []
    for line in (root / "docs/papers.md").read_text().splitlines():
        match = ROW.match(line)
        if match:
            ledger[match.group(1)] = True
            found += check_named(root, match.group(1), match.group(2), "function")
            found += check_named(root, match.group(1), match.group(3), "test")
    tagged = set()
    for path in sorted(root.glob("src/*/*.[ch]")):
        for tag in TAG.findall(path.read_text()):
            tagged.add(tag)
            if tag not in ledger:
                found.append(f"{path.relative_to(root)}: [{tag}] is not in docs/papers.md")
    found += [f"docs/papers.md: {row}: no formula in src/ carries this tag" for row in ledger if row not in tagged]
    found += check_errata(root)
    print("\n".join(sorted(set(found))) if found else f"papers: {len(ledger)} equations, both ways ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
