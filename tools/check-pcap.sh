#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# check-pcap.sh FILE...: has tshark (Debian package tshark) read captures, prints how many packets
# of each BTH opcode and of each MAC control opcode they hold, and fails if any is malformed.
# Wireshark takes the payload of a SEND for RPC-over-RDMA and calls one below 16 bytes malformed;
# that guess is switched off here.
set -u

if [ $# -eq 0 ]; then
    echo "usage: tools/check-pcap.sh FILE..." >&2
    exit 2
fi
if ! command -v tshark >/dev/null 2>&1; then
    echo "check-pcap.sh: tshark not found; install it with: apt-get install tshark" >&2
    exit 2
fi

# fields FILE FILTER FIELD: one line a packet; fails with tshark's own message
fields() {
    if ! tshark --disable-protocol rpcordma -r "$1" -Y "$2" -T fields -e "$3" 2>"$errors"; then
        grep -v 'Running as user' "$errors" >&2
        return 1
    fi
}

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
status=0
for file in "$@"; do
    opcodes=$(fields "$file" infiniband infiniband.bth.opcode) || exit 1
    controls=$(fields "$file" macc macc.opcode) || exit 1
    bad=$(fields "$file" _ws.malformed frame.number) || exit 1
    echo "$file:"
    echo "$opcodes" | sort -n | uniq -c | awk 'NF == 2 { printf "  BTH opcode 0x%02x: %d\n", $2, $1 }'
    echo "$controls" | sort | uniq -c | awk 'NF == 2 { printf "  MAC control %s: %d\n", $2, $1 }'
    if [ -n "$bad" ]; then
        echo "  malformed packets:" $bad >&2
        status=1
    fi
done
exit $status
