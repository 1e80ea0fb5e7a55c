#!/bin/sh
# sanitize.sh: the tests again under AddressSanitizer and UBSan. Leaks count.
set -eu
cd "$(dirname "$0")/.."
cmake -S . -B build-asan -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -g1" -DFRACAS_SANITIZE=ON > /dev/null
cmake --build build-asan -j "$(nproc)" > build-asan/log 2>&1 || { tail -40 build-asan/log; exit 1; }
FRACAS_SANITIZED=1 ctest --test-dir build-asan --output-on-failure -j "$(nproc)" -LE 'long|slow'
