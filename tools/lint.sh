#!/bin/sh
# lint.sh: format, layers, papers ledger, dead code, tolerances, comments of public headers, headers alone, clang's warnings. Sizes are shown, never judged.
set -eu
cd "$(dirname "$0")/.."
status=0
step() {
    "$@" || status=1
}

headers_alone() {
    for header in include/fracas/*.h; do
        for try in "gcc -std=c17 -x c" "clang -std=c17 -x c" "clang++ -std=c++17 -x c++"; do
            echo "#include \"fracas/${header##*/}\"" |
                $try -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude - || return 1
        done
    done
    echo "headers: ok"
}

format_ok() {
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror || {
        echo "run: make format"
        return 1
    }
    echo "format: ok"
}

clang_clean() {
    cmake -S . -B build-clang -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release -DFRACAS_WERROR=ON > /dev/null
    cmake --build build-clang -j "$(nproc)" --target fracas-program fracas-view test-golden-bits > build-clang/log 2>&1 || {
        grep -E 'error|warning' build-clang/log | head -20
        return 1
    }
    python3 tools/lint_tests.py build-clang || return 1
    # the bits that gcc's build is tested against
    build-clang/test/test-golden-bits || return 1
    echo "clang: ok, same bits"
}

step python3 tools/lint_layers.py
step python3 tools/lint_papers.py
step python3 tools/lint_dead.py
step python3 tools/lint_tolerances.py
step python3 tools/lint_sizes.py
step python3 tools/lint_api_docs.py
step headers_alone
step format_ok
step clang_clean
exit $status
