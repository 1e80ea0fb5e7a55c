#!/usr/bin/env python3
"""lint_papers.py: docs/papers.md and the code agree: every tagged equation is in the ledger and every row exists.

A formula is tagged [S2 eq. 24] or [S6 eq. 3.29] in src/. A ledger row is
| S2 eq. 24 | `function` in `src/room/file.c` | `test_name` in `test/kind/file.c` |
Tests that docs/errata.md names exist, and every erratum of grade A has one.
Comments in src/, include/ and test/ cite recipes (M3, K5) and errata (E9): each is a heading of docs/methods.md or a row of
docs/errata.md. Every heading of docs/methods.md is cited, what it names exists, and M and K numbers in other pages are links.
"""
import pathlib
import re
import sys

TAG = re.compile(r"\[((?:S[1-7]) eq\. [0-9A-Z.]+(?:-[0-9.]+)?)\]")
ROW = re.compile(r"^\|\s*(S[1-7] eq\. [0-9A-Z.]+(?:-[0-9.]+)?)\s*\|([^|]*)\|([^|]*)\|")
ERRATUM = re.compile(r"^\| \*\*(E[0-9]+)\*\* ([ABC]) \|.*\|([^|]*)\|$")
NAMES = re.compile(r"((?:`[A-Za-z0-9_]+`(?:, )?)+) in `(test/[^`]+)`")
NAMED = re.compile(r"`([A-Za-z0-9_]+)`\s+in\s+`([^`]+)`")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
CITED = re.compile(r"\b([EKM](?:0|[1-9][0-9]?))\b")
RECIPE = re.compile(r"^## ([MK][0-9]+): ", re.M)
PATH = re.compile(r"`((?:src|include|test|tools)/[^`]+\.[a-z]+)`")
UNLINKED = re.compile(r"(?<![\[A-Za-z0-9/#-])[MK](?:0|[1-9][0-9]?)\b(?!\]|-)")


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


def citations(root):
    """(number, file) for each recipe and erratum that a comment cites."""
    for room in ("src", "include", "test"):
        for path in sorted(root.glob(f"{room}/**/*.[ch]")):
            for comment in COMMENT.findall(path.read_text()):
                for number in CITED.findall(comment):
                    yield number, str(path.relative_to(root))


def check_methods(root, cited):
    text = (root / "docs/methods.md").read_text()
    headings = RECIPE.findall(text)
    errata = {m.group(1) for m in map(ERRATUM.match, (root / "docs/errata.md").read_text().splitlines()) if m}
    for number, file in cited:
        if number[0] == "E" and number != "E0" and number not in errata:
            yield f"{file}: {number} is not in docs/errata.md"
        if number[0] != "E" and number not in headings:
            yield f"{file}: {number} is no heading of docs/methods.md"
    used = {number for number, _ in cited}
    for number in headings:
        if number not in used:
            yield f"docs/methods.md: {number}: no comment in src/, include/ or test/ cites it"
        if headings.count(number) > 1:
            yield f"docs/methods.md: {number}: two headings"
    for section in text.split("\n## ")[1:]:
        title = section.split(":")[0]
        for name, file in NAMED.findall(section):
            path = root / file
            if file.startswith("test/") and (not path.exists() or f"TEST({name})" not in path.read_text()):
                yield f"docs/methods.md: {title}: no TEST({name}) in {file}"
        for file in PATH.findall(section):
            if not (root / file).exists():
                yield f"docs/methods.md: {title}: {file} does not exist"


def check_links(root):
    """M and K numbers in pages other than docs/methods.md lead there."""
    for path in sorted(root.glob("docs/*.md")) + [root / "README.md", root / "CONTRIBUTING.md"]:
        if path.name == "methods.md" or not path.exists():
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for found in UNLINKED.findall(line):
                yield f"{path.relative_to(root)}:{number}: {found} is no link to docs/methods.md"


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
    cited = list(citations(root))
    found += check_methods(root, cited)
    found += check_links(root)
    recipes = len({number for number, _ in cited if number[0] in "MK"})
    good = f"papers: {len(ledger)} equations and {recipes} recipes, both ways ok"
    print("\n".join(sorted(set(found))) if found else good)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
