#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs every check that needs no build.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
    "" | --fix) ;;
    -h | --help)
        cat <<TEXT
usage: tools/check.sh [--fix]

Checks the sources without building: tests of the checkers, of roce-report, and of its page in
headless Chromium (skipped with a message if there is none), layers and includes (tools/check-layers.py), license lines, names, lengths, lists, machine paths
(tools/check-files.py), comments of the headers (Doxygen, tools/check-doxygen.py), formatting
(clang-format), shell syntax. Fails if one finds something.
  --fix   let clang-format rewrite the files first
TEXT
        exit 0 ;;
    *) echo "check.sh: unknown option $1; see --help" >&2; exit 2 ;;
esac

python=/usr/bin/python3
[ -x "$python" ] || python=python3
failed=()
check()
{
    local name="$1"
    shift
    echo "check: $name"
    "$@" || failed+=("$name")
}

mapfile -t sources < <(find model helper examples test bindings bench \
    \( -name '*.cc' -o -name '*.h' \) -type f 2> /dev/null | sort)
mapfile -t scripts < <(find tools .ci -type f \( -name '*.sh' -o -path .ci/run \) | sort)

syntax()
{
    local bad=0
    for script in "${scripts[@]}"; do
        bash -n "$script" || bad=1
        [ -x "$script" ] || { echo "$script is not executable"; bad=1; }
    done
    return $bad
}

format()
{
    local bad
    bad="$(clang-format --dry-run "${sources[@]}" 2>&1 | sed -n 's/^\([^: ]*\):[0-9].*/\1/p' \
        | sort | uniq -c)"
    [ -z "$bad" ] || { echo "places a file to format (tools/check.sh --fix):"; echo "$bad"; return 1; }
}

if [ "${1:-}" = --fix ]; then
    clang-format -i "${sources[@]}"
fi
check "tests of the checkers" "$python" tools/test-checkers.py
check "tests of roce-report" "$python" tools/test-report.py
check "page of roce-report in a browser" "$python" tools/check-report.py
check "layers" "$python" tools/check-layers.py
check "files" "$python" tools/check-files.py
check "shell scripts" syntax
check "documentation" "$python" doc/check-docs.py
if command -v sphinx-build > /dev/null; then
    manual="$(mktemp -d)"
    check "manual" sphinx-build -W -q -b html doc "$manual"
    rm -rf "$manual"
else
    echo "check: no sphinx-build, the manual was not built"
fi
if command -v doxygen > /dev/null; then
    check "doxygen" "$python" tools/check-doxygen.py
else
    echo "check: no doxygen, the comments of the headers were not checked"
fi
if command -v clang-format > /dev/null; then
    check "format" format
else
    echo "check: no clang-format, format not checked"
fi

if [ ${#failed[@]} -gt 0 ]; then
    printf 'check: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "check: all passed"
