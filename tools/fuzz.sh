#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the libFuzzer targets of test/fuzz/ with clang and runs each for a while.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
all=(codec experiment frame-codec int text workload)

usage()
{
    cat <<TEXT
usage: tools/fuzz.sh [--if-possible] [--jobs=N] [SECONDS [TARGET...]]

Builds the fuzz targets of test/fuzz/ in build-fuzz/ with clang, AddressSanitizer and UBSan, and runs
each for its share of SECONDS (default: 600 in all). Fails if one finds something: a crash, a broken
promise, more than 10 s for an input, or more than 2 GB. Installs clang if it is missing.
Targets: ${all[*]} (default: all)
  --if-possible  install nothing; without clang and libFuzzer say so and succeed
  --jobs=N       compile jobs (default: the number of processors, $(nproc))
The seeds are test/fuzz/corpus/; inputs that reach new code are kept in build-fuzz/corpus/, findings
in build-fuzz/findings/. To run one again: build-fuzz/bin/roce-fuzz-TARGET FILE
TEXT
}

possible=no
jobs="$(nproc)"
rest=()
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --if-possible) possible=yes ;;
        --jobs=*) jobs="${arg#*=}" ;;
        -*) echo "fuzz.sh: unknown option $arg; see --help" >&2; exit 2 ;;
        *) rest+=("$arg") ;;
    esac
done
seconds="${rest[0]:-600}"
targets=("${rest[@]:1}")
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
if ! [[ "$seconds" =~ ^[1-9][0-9]*$ ]]; then
    echo "fuzz.sh: SECONDS is \"$seconds\", must be a whole number above 0; see --help" >&2
    exit 2
fi
for target in "${targets[@]}"; do
    if [[ " ${all[*]} " != *" $target "* ]]; then
        echo "fuzz.sh: there is no target \"$target\"; there are: ${all[*]}" >&2
        exit 2
    fi
done
share=$((seconds / ${#targets[@]}))
[ "$share" -gt 0 ] || share=1

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
fuzzer_links()
{
    command -v clang++ > /dev/null &&
        echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o "$log" 2> /dev/null
}
if ! fuzzer_links; then
    if [ "$possible" = yes ]; then
        echo "fuzz: skipped: no clang++ with libFuzzer (tools/setup.sh check installs it)"
        exit 0
    fi
    "$repo/tools/setup.sh" check
fi
"$repo/tools/setup.sh" build

cd "$repo"
echo "fuzz: building build-fuzz/ with $jobs jobs"
if ! { [ -e build-fuzz/build.ninja ] ||
    cmake -S . -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DROCE_EXAMPLES=OFF \
        -DBUILD_TESTING=OFF; } > "$log" 2>&1 ||
    ! cmake --build build-fuzz -j "$jobs" --target roce-fuzz > "$log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log" >&2
    exit 1
fi
echo "fuzz: ${#targets[@]} targets, $share s each"

export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}"
mkdir -p build-fuzz/findings
failed=()
for target in "${targets[@]}"; do
    dict=wire
    [ "$target" != text ] || dict=text
    [ "$target" != workload ] || dict=workload
    [ "$target" != experiment ] || dict=experiment
    mkdir -p "build-fuzz/corpus/$target"
    if build-fuzz/bin/"roce-fuzz-$target" -max_total_time="$share" -rss_limit_mb=2048 -timeout=10 \
        -print_final_stats=1 -dict="test/fuzz/$dict.dict" \
        -artifact_prefix="build-fuzz/findings/$target-" \
        "build-fuzz/corpus/$target" "test/fuzz/corpus/$target" > "$log" 2>&1; then
        echo "fuzz: $target: $(awk '/^stat::number_of_executed_units/ { n = $2 }
            /^stat::average_exec_per_sec/ { s = $2 }
            / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") c = $(i + 1) }
            END { print n " inputs, " s " a second, " c " edges, nothing found" }' "$log")"
    else
        grep -vE '^#[0-9]+[[:space:]]+(NEW|REDUCE|pulse|INITED|RELOAD)|NEW_FUNC' "$log" | awk 'NR <= 60' >&2
        echo "fuzz: $target: FOUND something, see above and build-fuzz/findings/" >&2
        failed+=("$target")
    fi
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "fuzz: failed: ${failed[*]}" >&2
    exit 1
fi
echo "fuzz: all passed"
