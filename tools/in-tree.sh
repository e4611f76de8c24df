#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the module as contrib/roce in Debian's ns-3 source tree and runs test.py on it.
# tools/test.sh --in-tree calls this.
set -euo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cache="${ROCE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/roce}"
modules=core,network,internet,point-to-point,csma,traffic-control,stats,applications,bridge,mpi,roce

usage()
{
    cat <<TEXT
usage: tools/in-tree.sh [--jobs=N] [--suite=NAME | --programs=LIST] [--configure]

Gets Debian's ns-3 source package (apt-get source, with a private package list: the system's is not
touched), copies this module to contrib/roce in it, builds the modules roce needs, and runs every
roce suite and every example of test/examples-to-run.py with ns-3's test.py. Fails if one fails.
  --jobs=N      compile jobs (default: the number of processors, $(nproc))
  --suite=NAME  run this suite only, and no examples
  --programs=LIST  build no programs but these, as roce-first,roce-run, and those ns-3 wants for its
                test-runner; all suites
  --configure   run ns-3's configure again
Takes 10 to 40 minutes the first time, then only builds what changed.
Everything is kept in $cache (set ROCE_CACHE for another folder; delete it as you like).
TEXT
}

jobs="$(nproc)"
only=
programs=
configure=no
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --jobs=*) jobs="${arg#*=}" ;;
        --suite=*) only="${arg#*=}" ;;
        --programs=*) programs="${arg#*=}" ;;
        --configure) configure=yes ;;
        *) echo "in-tree.sh: unknown option $arg; see --help" >&2; exit 2 ;;
    esac
done

say() { echo "in-tree: $*"; }
fail() { echo "in-tree.sh: $*" >&2; exit 1; }

# apt-get with our own package list, in the cache folder
private_apt()
{
    apt-get -q -o Dir::Etc::sourcelist="$cache/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$cache/apt/lists" -o Dir::Cache="$cache/apt/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

# Finds where the machine gets libns3-dev from and fetches the ns3 source from the same place.
get_source()
{
    local line uri suite component
    line="$(apt-cache policy libns3-dev | grep -m1 -E '^ +[0-9]+ [a-z+]+:.* Packages$' || true)"
    [ -n "$line" ] || fail "apt knows no archive that has libns3-dev; run apt-get update, or" \
        "unpack an ns-3 3.37 or later as $tree"
    read -r _ uri suite _ <<< "$line"
    component="${suite#*/}"
    suite="${suite%%/*}"
    mkdir -p "$cache"/apt/lists/partial "$cache"/apt/cache/archives/partial
    echo "deb-src $uri $suite $component" > "$cache/apt/sources.list"
    say "fetching the ns3 source package from the archive of libns3-dev ($suite)"
    (
        cd "$cache"
        { private_apt update && private_apt source --only-source ns3; } > apt/log 2>&1
    ) || { tail -n 20 "$cache/apt/log" >&2; fail "could not fetch the ns3 source package"; }
    local found
    found="$(find "$cache" -maxdepth 3 -path '*/ns3-*' -name ns3 -type f | sort | head -n 1)"
    [ -n "$found" ] || fail "no ./ns3 script in the source package; look into $cache"
    ln -sfn "$(dirname "$found")" "$tree"
}

# Copies the repository to contrib/roce; files of equal content keep their time stamps.
copy_module()
{
    local to="$tree/contrib/roce" list
    mkdir -p "$to"
    list="$(mktemp)"
    (cd "$repo" && find . \( -name .git -o -path './build*' -o -path ./out -o -name __pycache__ \) \
        -prune -o -type f -print | sort) > "$list"
    while read -r f; do
        if ! cmp -s "$repo/$f" "$to/$f"; then
            mkdir -p "$to/$(dirname "$f")"
            cp "$repo/$f" "$to/$f"
        fi
    done < "$list"
    (cd "$to" && find . -type f | sort) | comm -13 "$list" - | (cd "$to" && xargs -r -d '\n' rm -f)
    rm -f "$list"
}

"$repo/tools/setup.sh" in-tree
mkdir -p "$cache"
exec 9> "$cache/lock"
flock -n 9 || { say "waiting for another run to end"; flock 9; }

tree="$cache/ns3"
[ -e "$tree/ns3" ] || get_source
version="$(head -n 1 "$tree/VERSION")"
copy_module

cd "$tree"
export CCACHE_DEPEND=1 # a file that is new to the cache is not preprocessed twice
export CLICOLOR=1 # as ./ns3 does; without it, a new run of CMake changes the flags of all objects
if [ "$configure" = yes ] || [ ! -e cmake-cache/build.ninja ]; then
    say "configuring ns-3 $version"
    ./ns3 configure -d release --enable-asserts --enable-logs --enable-tests --enable-examples \
        --enable-mpi --filter-module-examples-and-tests=roce --enable-modules="$modules" \
        -G Ninja > "$cache/configure.log" 2>&1 \
        || { tail -n 30 "$cache/configure.log" >&2; fail "configure failed"; }
    # it compiles for longer than it runs: -O0 in place of -O3
    cmake -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" cmake-cache >> "$cache/configure.log" 2>&1 \
        || { tail -n 30 "$cache/configure.log" >&2; fail "configure failed"; }
fi

say "building ns-3 $version with contrib/roce, $jobs jobs"
start=$SECONDS
targets=()
if [ -n "$only" ] || [ -n "$programs" ]; then # the rest is not built
    targets=(--target test-runner)
    for program in ${programs//,/ }; do
        targets+=("$program")
    done
fi
# not "./ns3 build": that of 3.37 uses one job
cmake --build cmake-cache -j "$jobs" "${targets[@]}" > "$cache/build.log" 2>&1 \
    || { grep -E -A15 'error|FAILED|CMake Error' "$cache/build.log" | head -n 80 >&2
         fail "the build failed; all of it is in $cache/build.log"; }
say "built in $((SECONDS - start)) s"

# Runs test.py and checks that as many passed as there should be: it passes over what was not built.
failed=0
run_tests()
{
    local what="$1" expected="$2" passed ok=yes
    shift 2
    env -u CLICOLOR ./test.py --no-build "$@" > "$cache/test.log" 2>&1 || ok=no
    grep -aE '(PASS|FAIL|CRASH|SKIP)' "$cache/test.log" | grep -av '^PASS: TestSuite\|tests passed' || true
    passed="$(grep -aoE '[0-9]+ of [0-9]+ tests passed' "$cache/test.log" | cut -d ' ' -f 1)"
    say "$what: ${passed:-0} of $expected passed"
    if [ "$ok" = no ] || [ "${passed:-0}" != "$expected" ]; then
        cat "$cache/test.log" >&2
        failed=1
    fi
}

pattern="${only:-roce*}"
runner="$(find build/utils -name 'ns*test-runner*' -type f | head -n 1)"
suites="$("$runner" --list | grep -cE "^${pattern/\*/.*}\$" || true)"
[ "$suites" -gt 0 ] || fail "no suite called $pattern"
run_tests suites "$suites" --suite="$pattern"
examples=0
if [ -z "$only" ] && [ -e contrib/roce/test/examples-to-run.py ]; then
    examples="$(python3 -c '
import os, sys
built = os.listdir("build/contrib/roce/examples")
scope = {}
exec(open("contrib/roce/test/examples-to-run.py").read(), scope)
def there(name):
    return sys.argv[1] == "" or any(file.partition("-")[2] == name for file in built)
print(sum(str(entry[1]) == "True" and there(entry[0].split()[0])
          for entry in scope["cpp_examples"]))' "$programs")"
    run_tests examples "$examples" --constrain=example
fi
[ "$failed" = 0 ] || fail "ns-3 $version: something failed, see above"
say "ns-3 $version: all passed"
