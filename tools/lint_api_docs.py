#!/usr/bin/env python3
"""lint_api_docs.py: every function, type and field of include/fracas has a comment of its own: `///` above it, `///<` behind it.

Every function that takes a pointer is called with NULL in test/fault/misuse.c or test/fault/studio_misuse.c.

Reads headers as clang-format leaves them: a declaration ends its line. A field that shares its line with others shares
their comment. Values of enums are not counted.
"""
import collections
import pathlib
import re
import sys

# headers that are not there yet; the list must end empty
LATER = set()
KINDS = ("functions", "types", "fields")
POINTER = re.compile(r"\(\s*\*\s*(\w+)\s*(?:\[[^]]*\])?\)")
NAME = re.compile(r"(\w+)\s*(?:\[[^]]*\]\s*)*$")

Item = collections.namedtuple("Item", "kind name line documented")


def declared(text):
    """Names of `double *x, (*tet)[3], b[4]`."""
    pointer = POINTER.findall(text)
    if pointer and re.search(r"\)\s*\(", text):
        return pointer[:1]
    plain = POINTER.sub(lambda match: match.group(1), text)
    return [NAME.search(part.strip()).group(1) for part in plain.split(",") if NAME.search(part.strip())]


class Reader:
    """Statements of a header, with the comment that belongs to each."""

    def __init__(self):
        self.items, self.open, self.text = [], [], ""  # open: (word, documented) of each brace
        self.above = False  # a /// comment stands directly above

    def add(self, kind, names, number, documented):
        self.items += [Item(kind, name, number, documented) for name in names]

    def statement(self, number, documented):
        text = " ".join(self.text.split())
        inside = self.open[-1][0] if self.open else ""
        if inside in ("struct", "union"):
            self.add("fields", declared(text), number, documented)
        elif text.startswith("FR_API"):
            self.add("functions", re.findall(r"\b(fr_\w+)\s*\(", text)[:1], number, documented)
        elif text.startswith("typedef") and "(" in text:
            self.add("types", re.findall(r"\b(Fr\w+)\s*\(", text)[:1], number, documented)
        elif text.startswith("typedef"):
            self.add("types", re.findall(r"(\w+)$", text), number, documented)

    def begin(self, number, documented):
        text = self.text.split()
        word = next((w for w in text if w in ("struct", "union", "enum")), "")
        if text[:1] == ["typedef"]:
            self.add("types", text[-1:], number, documented)
        self.open.append((word, documented))

    def line(self, number, line):
        code, slash, comment = line.partition("//")
        behind = comment.startswith("/<")
        if not code.strip():
            self.above = (slash != "" and comment.startswith("/") and not behind) if not self.text.strip() else self.above
            return
        closed = None
        for character in code:
            if character == "{":
                self.begin(number, self.above or behind)
                self.text = ""
            elif character == "}":
                closed = self.open.pop()
                self.text = ""
            elif character == ";":
                if closed is None:
                    self.statement(number, self.above or behind)
                elif self.open and self.text.strip():
                    self.add("fields", declared(self.text), number, closed[1] or behind)
                self.text, closed = "", None
            else:
                self.text += character
        if not self.text.strip():
            self.above = False
        self.text += " "


def read(path):
    reader, skip = Reader(), False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if skip or line.startswith("#") or line.startswith("FR_EXTERN_C"):
            skip = line.endswith("\\")
            continue
        reader.line(number, line)
    return reader.items


def unmisused(root):
    """Functions that take a pointer, and that no test of callers' bugs calls."""
    tried = "".join((root / "test/fault" / name).read_text() for name in ("misuse.c", "studio_misuse.c"))
    for path in sorted(root.glob("include/fracas/*.h")):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for name, arguments in re.findall(r"FR_API[^;]*?\b(fr_\w+)\s*\(([^;]*);", text):
            if "*" in arguments and name not in tried:
                yield f"{path.relative_to(root)}: {name} takes a pointer: call it with NULL in test/fault/misuse.c or studio_misuse.c"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    total, found, failed = collections.Counter(), collections.Counter(), 0
    for path in sorted(root.glob("include/fracas/*.h")):
        for item in read(path):
            total[item.kind] += 1
            found[item.kind] += item.documented
            if item.documented:
                continue
            later = path.name in LATER
            failed += not later
            if not later or "--all" in sys.argv:
                print(f"{path.relative_to(root)}:{item.line}: {item.name} has no comment")
    for name in sorted(LATER):
        if all(item.documented for item in read(root / "include/fracas" / name)):
            print(f"tools/lint_api_docs.py: {name} is complete; take it off LATER")
            failed += 1
    careless = list(unmisused(root))
    failed += len(careless)
    print("".join(line + "\n" for line in careless), end="")
    counts = ", ".join(f"{kind} {found[kind]} of {total[kind]}" for kind in KINDS)
    print(f"comments of include/fracas: {counts}" + (f"; not yet: {', '.join(sorted(LATER))}" if LATER else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
