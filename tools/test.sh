#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs what is missing, builds, and runs the tests.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

usage()
{
    cat <<TEXT
usage: tools/test.sh [--sanitize | --in-tree | --slow] [--jobs=N] [CTEST_ARGUMENT...]

Installs missing Debian packages (asks for sudo's password if need be), builds, and runs all quick
tests: the ns-3 suites and the Catch2 tests. Fails if one fails. Can be run again in seconds.
  (no option)   the Release build in build/
  --sanitize    the suites and the Catch2 tests built with AddressSanitizer and UBSan, in
                build-asan/; with the programs too after tools/build.sh --sanitize -DROCE_EXAMPLES=ON
  --slow        the slow tests instead of the quick ones: reference results of others, see
                doc/validation.rst; about 3 minutes
  --in-tree     in Debian's ns-3 source tree, as contrib/roce, with ns-3's test.py; 10 to 40 minutes
                the first time; see tools/in-tree.sh --help
  --jobs=N      jobs of the build and of ctest (default: $(nproc))
Other arguments go to ctest: tools/test.sh -R psn -V
TEXT
}

mode=plain
jobs="$(nproc)"
rest=()
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --sanitize) mode=sanitize ;;
        --in-tree) mode=in-tree ;;
        --slow) mode=slow ;;
        --jobs=*) jobs="${arg#*=}" ;;
        *) rest+=("$arg") ;;
    esac
done

if [ "$mode" = in-tree ]; then
    exec "$repo/tools/in-tree.sh" --jobs="$jobs" "${rest[@]}"
fi
dir=build
build=()
if [ "$mode" = sanitize ]; then
    dir=build-asan
    build=(--sanitize)
fi

kind=quick
if [ "$mode" = slow ]; then
    kind=slow
    rest=(-C Slow -L slow "${rest[@]}")
fi

echo "test: installs what is missing, builds in $dir/, runs all $kind tests"
"$repo/tools/build.sh" --jobs="$jobs" "${build[@]}"
cd "$repo/$dir"
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}"
start=$SECONDS
ctest -j "$jobs" --output-on-failure --no-tests=error "${rest[@]}"
echo "test: all passed ($((SECONDS - start)) s)"
