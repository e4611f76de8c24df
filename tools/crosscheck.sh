#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Replays the runs of the HPCC artifact and compares the completion times flow by flow.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

usage()
{
    cat <<TEXT
usage: tools/crosscheck.sh [--build=DIR] [--quick] [FOLDER]

Runs roce-replay --compat=all on the inputs of the HPCC artifact in FOLDER, compares its fct.txt
with the artifact's, and prints a table. Fails if the agreement is less than it should be. Exit
code 77 if FOLDER is not there: it is not part of the project.
  FOLDER        default: crosscheck/ in \$ROCE_SHARED, or in the folder "shared" beside the project
  --build=DIR   build with bin/roce-replay (and bin/roce-catch2, for paths); default: build
  --quick       leave out the two runs with 1024 flows
"step" is with Kmin = Kmax, so without random marks, and can be equal; "RED" draws random numbers
that no other simulator can draw, and is compared as a distribution. "staggered" starts flow i a
microsecond after flow i - 1, so that few events share a nanosecond.
TEXT
}

folder="${ROCE_SHARED:-$repo/../shared}/crosscheck"
build="$repo/build"
quick=no
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --build=*) build="${arg#*=}" ;;
        --quick) quick=yes ;;
        -*) echo "crosscheck.sh: unknown option $arg; see --help" >&2; exit 2 ;;
        *) folder="$arg" ;;
    esac
done

if [ ! -e "$folder/ft_k8.topo" ]; then
    echo "crosscheck: skipped, no ft_k8.topo in $folder; give the folder or set ROCE_SHARED"
    exit 77
fi
if [ ! -x "$build/bin/roce-replay" ]; then
    echo "crosscheck.sh: no $build/bin/roce-replay; run tools/build.sh, or give --build=DIR" >&2
    exit 2
fi
python=/usr/bin/python3
[ -x "$python" ] || python=python3
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
failed=()

# run NAME TOPOLOGY FLOWS CONFIG FCT STEP [LIMIT...]: one row of the table
run()
{
    local name="$1" topology="$2" flows="$3" config="$4" fct="$5" step="$6"
    shift 6
    if ! "$build/bin/roce-replay" --compat=all --step="$step" --topology="$folder/$topology" \
        --flows="$folder/$flows" --config="$folder/conf/$config" --fct="$out/fct" --quiet \
        2> "$out/log"; then
        cat "$out/log"
        failed+=("$name")
        return
    fi
    "$python" "$repo/tools/crosscheck.py" "$@" "$name" "$out/fct" "$folder/fct/hpcc317.$fct.fct" \
        || failed+=("$name")
}

if [ -x "$build/bin/roce-catch2" ]; then
    # a.paths 1220 and d.paths 9992 next hops; the test counts them
    if ROCE_SHARED="$(dirname "$folder")" "$build/bin/roce-catch2" \
        "Peer files: all next hops of the HPCC artifact are predicted" > "$out/log"; then
        echo "next hops of a.paths and d.paths: 11212 of 11212 predicted"
    else
        cat "$out/log"
        failed+=("next hops")
    fi
else
    echo "next hops of a.paths and d.paths: not checked, no $build/bin/roce-catch2"
fi

"$python" "$repo/tools/crosscheck.py" --head
a=(ft_k8.topo a_perm_k8_4MB.flow a_perm_k8_4MB.dcqcn.txt)
d=(ft_k16.topo d_perm_k16_1MB.flow d_perm_k16_1MB.dcqcn.txt)
run c ft_k8.topo c_ring_k8_4MB.flow c_ring_k8_4MB.dcqcn.txt c_ring_k8_4MB.dcqcn false \
    --exact=128 --close=128
run "b step staggered" star17.topo b_staggered.flow b_incast16_2MB.dcqcn.txt \
    b_step_staggered.dcqcn true --exact=16
run "bpfc step staggered" star17.topo b_staggered.flow bpfc_incast16_2MB.dcqcn.txt \
    bpfc_step_staggered.dcqcn true --pearson=0.95
run "a step" "${a[@]}" a_step.dcqcn true --exact=128
run "a step staggered" ft_k8.topo a_staggered.flow a_perm_k8_4MB.dcqcn.txt \
    a_step_staggered.dcqcn true --near=120
# the artifact against itself with another seed: .974 (a) and .856 (d)
run "a RED" "${a[@]}" a_perm_k8_4MB.dcqcn false --pearson=0.95 --median=5
if [ "$quick" = no ]; then
    run "d step" "${d[@]}" d_step.dcqcn true --near=1000 --close=1024
    run "d RED" "${d[@]}" d_perm_k16_1MB.dcqcn false --pearson=0.83 --median=5
fi

if [ ${#failed[@]} -gt 0 ]; then
    printf 'crosscheck: failed: %s\n' "${failed[@]}"
    exit 1
fi
echo "crosscheck: all runs agree as they should"
