#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# All scenarios of roce-headline over fresh seeds, one table: HCC beside its rivals.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
scenarios=pods-ring-dep-dlb,dep16,dep16-dlb,ring-dep,ring,hotspot,victim,incast-96,incast-448
scenarios+=,parking-lot,parking-lot-pods,permutation,all-to-all,steady-incast,ring-dep-dlb,ring-dlb
runs=pfc,pfc-cap,dcqcn-paper,dcqcn-cap,dcqcn-cap-path,dcqcn-vendor,hpcc,hcc
seeds=3
first=41
jobs="$(nproc)"

usage()
{
    cat <<TEXT
usage: tools/hcc-table.sh [--seeds=N] [--first-seed=N] [--scenarios=LIST] [--runs=LIST] [--jobs=N]
                          [ARGUMENT OF roce-headline...]

Builds if need be, runs each scenario of roce-headline with each label and seed, leaves results in
out/hcc-table/SCENARIO.json, and prints one table: payload / line rate, XOFF, worst flow as share of
its max-min rate, worst queue; then how hcc compares with the best of the others.
  --seeds=N        runs of each (default: $seeds)
  --first-seed=N   the first of them (default: $first; 1 to 5 and 21 were used while HCC was written)
  --scenarios=LIST default: all 16, about 10 minutes of two processors
  --runs=LIST      labels of roce-headline; default: $runs
  --jobs=N         scenarios at once (default: the number of processors, $(nproc))
TEXT
}

rest=()
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --seeds=*) seeds="${arg#*=}" ;;
        --first-seed=*) first="${arg#*=}" ;;
        --scenarios=*) scenarios="${arg#*=}" ;;
        --runs=*) runs="${arg#*=}" ;;
        --jobs=*) jobs="${arg#*=}" ;;
        *) rest+=("$arg") ;;
    esac
done

program="${ROCE_HEADLINE:-$repo/build/bin/roce-headline}"
[ -n "${ROCE_HEADLINE:-}" ] || "$repo/tools/build.sh" --target=roce-headline
cd "$repo"
out="${OUT:-out/hcc-table}"
mkdir -p "$out"
IFS=, read -r -a names <<< "$scenarios"
printf '%s\n' "${names[@]}" | xargs -P "$jobs" -I '{}' \
    "$program" --scenario='{}' --runs="$runs" --seeds="$seeds" --first-seed="$first" --quiet \
    --json="$out/{}.json" "${rest[@]}"
/usr/bin/python3 tools/hcc-table.py "${names[@]/#/$out/}"
