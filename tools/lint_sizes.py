#!/usr/bin/env python3
"""lint_sizes.py: prints long functions and files. A mirror, not a judge: never fails."""
import pathlib
import re

LONG_FUNCTION, LONG_FILE = 80, 500


def functions(text):
    """Yield (name, line, length) of each function: from a line that opens a brace at column 0 depth to its end."""
    depth, start, name = 0, 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|//.*', "", line)
        if depth == 0 and "(" in code and not code.startswith(("#", " ", "typedef")):
            start, name = number, code.split("(")[0].split()[-1] if code.split("(")[0].split() else ""
        depth += code.count("{") - code.count("}")
        if depth == 0 and "}" in code and start:
            yield name, start, number - start + 1
            start = 0


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    lengths = []
    for path in sorted(root.glob("src/*/*.[ch]")) + sorted(root.glob("apps/*/*.c")):
        text = path.read_text()
        count = text.count("\n")
        if count > LONG_FILE:
            print(f"  {path.relative_to(root)}: {count} lines")
        for name, line, length in functions(text):
            lengths.append(length)
            if length > LONG_FUNCTION:
                print(f"  {path.relative_to(root)}:{line}: {name} has {length} lines")
    lengths.sort()
    if lengths:
        print(f"sizes: {len(lengths)} functions, median {lengths[len(lengths) // 2]} lines, "
              f"{sum(l <= 40 for l in lengths) * 100 // len(lengths)} % within 40")


if __name__ == "__main__":
    main()
