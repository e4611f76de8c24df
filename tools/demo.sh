#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The main job, from nothing: installs what is missing, builds, simulates, plots.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

usage()
{
    cat <<TEXT
usage: tools/demo.sh [ARGUMENT OF roce-all-reduce...]

Installs missing Debian packages (asks for sudo's password if need be), builds a Release build in
build/, and runs the main job: a ring AllReduce of 16 MB over 32 GPUs on a Clos of 4 leaves and 4
spines, with PFC only, with DCQCN and with HCC. Prints a table and leaves
  out/all-reduce.json  the results (schema roce-result/1)
  out/all-reduce.svg   a plot of them
A second run needs no install and no build. Arguments are added to the program's, and the last of
two wins: tools/demo.sh --size=64MB; all of them: build/bin/roce-all-reduce --help.
TEXT
}

for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
    esac
done

echo "demo: installs what is missing, builds, runs an AllReduce of 16 MB over 32 GPUs, plots it"
"$repo/tools/setup.sh" build plot
"$repo/tools/build.sh"
cd "$repo"
mkdir -p out
command=(build/bin/roce-all-reduce --leaves=4 --spines=4 --hosts-per-leaf=8 --size=16MB
         --cc=none,dcqcn,hcc --progress --json=out/all-reduce.json "$@")
echo "demo: ${command[*]}"
"${command[@]}"
# Debian's Python, as its matplotlib is Debian's; another may be first on PATH
echo "demo: /usr/bin/python3 tools/plot.py out/all-reduce.json out/all-reduce.svg"
/usr/bin/python3 tools/plot.py out/all-reduce.json out/all-reduce.svg
echo "demo: results in out/all-reduce.json, plot in out/all-reduce.svg"
