#!/usr/bin/env python3
# lint_tests.py BUILD: the compiler of a build folder reads the tests for its warnings, without making them.
import json, os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor


def read(entry):
    before, source = entry["command"].rsplit(" -o ", 1)[0], entry["file"]
    return subprocess.run("%s -fsyntax-only %s" % (before, source), shell=True, cwd=entry["directory"]).returncode


def main():
    with open(os.path.join(sys.argv[1], "compile_commands.json")) as f:
        tests = [e for e in json.load(f) if e["file"].startswith(os.path.join(os.getcwd(), "test") + os.sep)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = sum(code != 0 for code in pool.map(read, tests))
    if failed or not tests:
        sys.exit("clang: %d of %d tests are not clean" % (failed, len(tests)))


main()
