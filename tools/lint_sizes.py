#!/usr/bin/env python3
"""lint_sizes.py: prints how large functions, files, structs and rooms are, and the worst. A mirror, not a judge: never fails."""
import collections
import pathlib
import re

# what is worth a line of its own
LONG_FUNCTION, LONG_FILE = 60, 500
MOST_PARAMETERS, DEEPEST, MOST_FIELDS, MOST_FILES = 6, 4, 40, 60
# loops over four lanes: all of them become one function each, and their flags choose its code when it
# is compiled; a struct of arguments would say the same less plainly
KERNELS = {
    "src/fem/kernel.h": ("tet_block", "tet_blocks", "elastic_strain", "FR_KERNEL_NAME"),
    "src/fem/stress_loop.h": ("add_hold", "tear_blocks"),
}
SHOWN = 12  # names of each kind, the worst first

Function = collections.namedtuple("Function", "name line lines parameters nesting")
CONTROL = re.compile(r"\b(?:else if|if|for|while|do|switch|else)\b")
STRUCT = re.compile(r"^(?:typedef )?(?:struct|union) (\w+) \{")


def bare(line):
    """The line without texts, characters and comments."""
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|//.*', "", line)


def parts(text, separator=","):
    """The parts of a list; separators within brackets do not count."""
    depth, found = 0, [""]
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == separator and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part for part in found if part.strip()]


def parameters(head):
    """How many a function has whose head begins the text."""
    depth, inside = 0, ""
    for letter in head[head.index("("):]:
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            break
        inside += letter
    inside = inside[1:].strip()
    return 0 if inside in ("", "void") else len(parts(inside))


def nesting_of(code):
    """How deep the innermost statement is that this line begins, by the indentation of clang-format."""
    begun = len(CONTROL.findall(code)) - code.lstrip().startswith("} while")
    return (len(code) - len(code.lstrip())) // 4 + begun - 1 if begun else 0


def functions(text):
    """Each function of a file, from its head to its closing brace."""
    depth, start, name, head, nesting = 0, 0, "", "", 0
    for number, line in enumerate(text.splitlines(), 1):
        code = bare(line)
        if depth == 0 and "(" in code and not code.startswith(("#", " ", "typedef")):
            words = code.split("(")[0].split()
            start, name, head, nesting = number, words[-1].lstrip("*") if words else "", "", 0
        if start and depth == 0:
            head += code
        if depth:
            nesting = max(nesting, nesting_of(code))
        depth += code.count("{") - code.count("}")
        if depth == 0 and start and "}" in code:
            yield Function(name, start, number - start + 1, parameters(head), nesting)
            start = 0
        elif depth == 0 and start and ";" in code:  # a declaration
            start = 0


def structs(text):
    """Yield (name, line, fields) of each struct at column 0; a struct within it is one field."""
    name, depth, body, start = "", 0, "", 0
    for number, line in enumerate(text.splitlines(), 1):
        code = bare(line)
        match = STRUCT.match(code)
        if depth == 0 and match:
            name, start, body = match.group(1), number, ""
            depth, code = 1, code[match.end():]
        elif depth == 0:
            continue
        depth += code.count("{") - code.count("}")
        if depth == 0:
            body += code[:code.rindex("}")]
            yield name, start, sum(len(parts(field)) for field in parts(body, ";"))
        elif not code.startswith("#"):
            body += code


def worst(title, rows, limit):
    """Says how many are above the limit, and names the worst. Rows: (size, where)."""
    above = sorted((row for row in rows if row[0] > limit), key=lambda row: (-row[0], row[1]))
    print(f"  {len(above)} {title} {limit}")
    for size, where in above[:SHOWN]:
        print(f"    {size:4} {where}")
    if len(above) > SHOWN:
        print(f"         and {len(above) - SHOWN} more")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found, records, files, rooms = [], [], [], collections.Counter()
    headers = sorted(root.glob("include/fracas/*.h"))
    for path in headers + sorted(root.glob("src/*/*.[ch]")) + sorted(root.glob("apps/*/*.[ch]")):
        text, where = path.read_text(), path.relative_to(root)
        files.append((text.count("\n"), str(where)))
        found += [(function, f"{function.name} ({where}:{function.line})") for function in functions(text)]
        records += [(fields, f"{name} ({where}:{line})") for name, line, fields in structs(text)]
        if where.parts[0] == "src":
            rooms[f"src/{where.parts[1]}"] += 1
    lines = sorted(function.lines for function, _ in found)
    print(f"sizes: {len(lines)} functions, lines median {lines[len(lines) // 2]}, "
          f"p90 {lines[len(lines) * 9 // 10]}, max {lines[-1]}; largest struct {max(records)[0]} fields, "
          f"largest room {max(rooms.values())} files")
    worst("functions have more lines than", [(f.lines, where) for f, where in found], LONG_FUNCTION)
    inlined = {f"{name} ({path}:" for path, names in KERNELS.items() for name in names}
    kernel = [(f.parameters, where) for f, where in found if where[:where.index(":") + 1] in inlined]
    others = [(f.parameters, where) for f, where in found if where[:where.index(":") + 1] not in inlined]
    for name in sorted(inlined - {where[:where.index(":") + 1] for _, where in found}):
        print(f"  no function {name[:-1]}) is there any more: tools/lint_sizes.py lists it")
    worst("functions have more parameters than", others, MOST_PARAMETERS)
    worst("kernels, which are inlined into one loop, have more parameters than", kernel, MOST_PARAMETERS)
    worst("functions nest deeper than", [(f.nesting, where) for f, where in found], DEEPEST)
    worst("structs have more fields than", records, MOST_FIELDS)
    worst("files have more lines than", files, LONG_FILE)
    worst("rooms have more files than", [(count, room) for room, count in rooms.items()], MOST_FILES)


if __name__ == "__main__":
    main()
