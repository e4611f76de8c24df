#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs the Debian packages of tools/packages.txt that are not there yet.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

usage()
{
    cat <<TEXT
usage: tools/setup.sh [--dry-run] [GROUP...]

Installs, with apt-get, the packages of the groups that are missing. Without a GROUP: build, plot
and check. Does nothing, and asks for no password, when all are there.
Groups: $(awk '$1 !~ /^#/ && NF == 2 { print $1 }' "$here/packages.txt" | sort -u | xargs)
  --dry-run   print the missing packages and stop; exit code 1 if there are any
The list is tools/packages.txt.
TEXT
}

dry=no
groups=()
for arg in "$@"; do
    case "$arg" in
        -h | --help) usage; exit 0 ;;
        --dry-run) dry=yes ;;
        -*) echo "setup.sh: unknown option $arg; see --help" >&2; exit 2 ;;
        *)
            if ! grep -q "^$arg " "$here/packages.txt"; then
                echo "setup.sh: no group \"$arg\" in tools/packages.txt; see --help" >&2
                exit 2
            fi
            groups+=("$arg") ;;
    esac
done
[ ${#groups[@]} -gt 0 ] || groups=(build plot check)

wanted=()
for g in "${groups[@]}"; do
    mapfile -t -O "${#wanted[@]}" wanted < <(awk -v g="$g" '$1 == g { print $2 }' \
        "$here/packages.txt")
done

if ! command -v dpkg-query > /dev/null; then
    echo "setup.sh: this is not a Debian-like system (no dpkg). Install what matches these Debian" >&2
    echo "packages, then use cmake directly (README.md): ${wanted[*]}" >&2
    exit 1
fi

missing=()
while read -r p; do
    state="$(dpkg-query -W -f '${db:Status-Status}' "$p" 2> /dev/null || true)"
    # an old pkg-config is as good as pkgconf, which provides it
    [ "$p" = pkg-config ] && command -v pkg-config > /dev/null && state=installed
    [ "$state" = installed ] || missing+=("$p")
done < <(printf '%s\n' "${wanted[@]}" | sort -u)

if [ ${#missing[@]} -eq 0 ]; then
    [ "$dry" = no ] || echo "setup: nothing is missing"
    exit 0
fi
echo "setup: missing: ${missing[*]}"
[ "$dry" = no ] || exit 1

sudo=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
        echo "setup.sh: installing needs root, and there is no sudo. As root, run:" >&2
        echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    echo "setup: installing with sudo, which may ask for your password"
    sudo=(sudo)
fi

apt()
{
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@"
}

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
install=(install -y --no-install-recommends "${missing[@]}")
echo "setup: apt-get update && apt-get ${install[*]}"
# a third-party archive may fail to update without harm; what counts is the install
if ! { apt update || true; apt "${install[@]}"; } > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "setup.sh: apt-get could not install: ${missing[*]}" >&2
    echo "The lines above say why. libns3-dev 3.37 needs Debian 12 or later." >&2
    exit 1
fi
echo "setup: done"
