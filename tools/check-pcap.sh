#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# check-pcap.sh [--guess] [--all-opcodes] FILE...: has tshark (Debian package tshark) read captures,
# prints how many packets of each BTH opcode and of each MAC control opcode they hold, and fails if
# any is malformed.
#   --guess        with tshark's default settings. Without it RPC-over-RDMA is switched off:
#                  Wireshark looks for it in RC SENDs without immediate data, reads bytes 12 to 15
#                  before it looks at the length, and so calls messages below 13 bytes (16 with pad)
#                  malformed.
#   --all-opcodes  fails unless the files together hold each opcode of RC, UC and UD and the CNP
set -u

guess='--disable-protocol rpcordma'
all=no
while [ $# -gt 0 ]; do
    case "$1" in
        --guess) guess= ;;
        --all-opcodes) all=yes ;;
        *) break ;;
    esac
    shift
done
if [ $# -eq 0 ]; then
    echo "usage: tools/check-pcap.sh [--guess] [--all-opcodes] FILE..." >&2
    exit 2
fi
if ! command -v tshark >/dev/null 2>&1; then
    echo "check-pcap.sh: tshark not found; install it with: apt-get install tshark" >&2
    exit 2
fi

# fields FILE FILTER FIELD: one line a packet; fails with tshark's own message
fields() {
    if ! tshark $guess -r "$1" -Y "$2" -T fields -e "$3" 2>"$errors"; then
        grep -v 'Running as user' "$errors" >&2
        return 1
    fi
}

errors=$(mktemp)
seen=$(mktemp)
trap 'rm -f "$errors" "$seen"' EXIT
status=0
for file in "$@"; do
    opcodes=$(fields "$file" infiniband infiniband.bth.opcode) || exit 1
    controls=$(fields "$file" macc macc.opcode) || exit 1
    bad=$(fields "$file" _ws.malformed frame.number) || exit 1
    echo "$opcodes" >> "$seen"
    echo "$file:"
    echo "$opcodes" | sort -n | uniq -c | awk 'NF == 2 { printf "  BTH opcode 0x%02x: %d\n", $2, $1 }'
    echo "$controls" | sort | uniq -c | awk 'NF == 2 { printf "  MAC control %s: %d\n", $2, $1 }'
    if [ -n "$bad" ]; then
        echo "  malformed packets:" $bad >&2
        status=1
    fi
done
if [ "$all" = yes ]; then
    # IBTA 9.2.1 table 38: RC 0x00 to 0x14, 0x16, 0x17; UC 0x20 to 0x2b; UD 0x64, 0x65. A17.9.3: CNP
    known="$(seq 0 20) 22 23 $(seq 32 43) 100 101 129"
    for opcode in $known; do
        if ! grep -qx "$opcode" "$seen"; then
            printf 'check-pcap.sh: no packet with BTH opcode 0x%02x\n' "$opcode" >&2
            status=1
        fi
    done
    [ $status = 0 ] && echo "all $(echo $known | wc -w) opcodes"
fi
exit $status
