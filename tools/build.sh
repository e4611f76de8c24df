#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs what is missing, configures and builds, stand-alone. Only does what is left to do.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

usage()
{
    cat <<TEXT
usage: tools/build.sh [--sanitize] [--jobs=N] [--target=NAME] [-DCMAKE_OPTION=...]

Installs missing packages (tools/setup.sh), configures, and builds with Ninja and ccache.
  (no option)    a Release build in build/
  --sanitize     a build with AddressSanitizer and UBSan in build-asan/, without programs
  --jobs=N       compile jobs (default: the number of processors, $(nproc))
  --target=NAME  build this only, as roce-bench
  -D...          passed to cmake, as -DROCE_LOG=OFF
TEXT
}

dir=build
options=()
jobs="$(nproc)"
targets=()
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --sanitize)
            dir=build-asan
            options+=(-DROCE_SANITIZE=address,undefined -DROCE_ASSERT=ON -DROCE_EXAMPLES=OFF) ;;
        --jobs=*) jobs="${arg#*=}" ;;
        --target=*) targets+=(--target "${arg#*=}") ;;
        -D*) options+=("$arg") ;;
        *) echo "build.sh: unknown option $arg; see --help" >&2; exit 2 ;;
    esac
done

"$repo/tools/setup.sh" build
cd "$repo"
if [ ! -e "$dir/build.ninja" ] || [ ${#options[@]} -gt 0 ]; then
    echo "build: configuring $dir/"
    log="$(mktemp)"
    if ! cmake -S . -B "$dir" -G Ninja "${options[@]}" > "$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    sed -n '/^-- roce /,$ { /^-- Configuring done/q; s/^-- //p }' "$log"
    rm -f "$log"
fi
start=$SECONDS
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
echo "build: building $dir/ with $jobs jobs"
if [ -t 1 ]; then
    cmake --build "$dir" -j "$jobs" "${targets[@]}" # Ninja's one line of progress
elif ! cmake --build "$dir" -j "$jobs" "${targets[@]}" > "$log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Creating)' "$log" >&2
    exit 1
fi
echo "build: $dir/ is up to date ($((SECONDS - start)) s)"
