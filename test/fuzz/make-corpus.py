#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the seeds of the fuzz targets into test/fuzz/corpus, the same ones each time.

usage: test/fuzz/make-corpus.py [--check]

  --check   write nothing; fail if a seed is missing or differs

Seeds are captured packets of test/data/golden, one of each opcode and size class; packets made here
of what is not captured: each opcode, VLAN, IPv6, CNP, FCS, PFC, PAUSE, other protocols; and the text
files of test/data. Seeds named found-* showed a fault once; such files that the script does not make
are left alone. The first byte of a seed is the target's options, see roce-fuzz-targets.h.
"""

import argparse
import pathlib
import re
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"

FCS, BAD_ICRC, ADD_FCS, ANY_PORT, REPAIR, FIELDS = 1, 2, 2, 4, 8, 16
MAX_CAPTURED_BYTES = 1200  # larger ones make the fuzzer slow and reach nothing new

# extension headers and whether there is payload (IBTA 9.2.1 table 38, A17.9.3)
DETH, RETH, ATOMIC, AETH, ATOMIC_ACK, IMM, IETH, CNP = 8, 16, 28, 4, 8, 4, 4, 16
OPCODES = {
    0x00: (0, True), 0x01: (0, True), 0x02: (0, True), 0x03: (IMM, True), 0x04: (0, True),
    0x05: (IMM, True), 0x06: (RETH, True), 0x07: (0, True), 0x08: (0, True), 0x09: (IMM, True),
    0x0a: (RETH, True), 0x0b: (RETH + IMM, True), 0x0c: (RETH, False), 0x0d: (AETH, True),
    0x0e: (0, True), 0x0f: (AETH, True), 0x10: (AETH, True), 0x11: (AETH, False),
    0x12: (AETH + ATOMIC_ACK, False), 0x13: (ATOMIC, False), 0x14: (ATOMIC, False),
    0x16: (IETH, True), 0x17: (IETH, True), 0x20: (0, True), 0x21: (0, True), 0x22: (0, True),
    0x23: (IMM, True), 0x24: (0, True), 0x25: (IMM, True), 0x26: (RETH, True), 0x27: (0, True),
    0x28: (0, True), 0x29: (IMM, True), 0x2a: (RETH, True), 0x2b: (RETH + IMM, True),
    0x64: (DETH, True), 0x65: (DETH + IMM, True), 0x81: (CNP, False),
}
MACS = bytes.fromhex("02000a000002" "02000a000001")


def internet_checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def icrc(ip):
    """Invariant CRC over an IP packet without it (IBTA A17.3.3): what may change counts as ones."""
    masked = bytearray(ip)
    if ip[0] >> 4 == 4:
        header, ones = 20, [1, 8, 10, 11]
    else:
        header, ones = 40, [1, 2, 3, 7]
        masked[0] |= 0x0f
    for at in ones + [header + 6, header + 7, header + 8 + 4]:
        masked[at] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked)))


def ipv4(payload, protocol=17, length=None, first=0x45, ident=0):
    header = struct.pack("!BBHHHBBH4s4s", first, 2, 20 + len(payload) if length is None else length,
                         ident, 0x4000, 64, protocol, 0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    return header[:10] + struct.pack("!H", internet_checksum(header)) + header[12:] + payload


def ipv6(payload):
    return struct.pack("!IHBB", 6 << 28 | 2 << 20 | 0x12345, len(payload), 17, 64) + \
        bytes.fromhex("fe80" + "00" * 13 + "01" + "fe80" + "00" * 13 + "02") + payload


def roce(opcode, payload=b"", v6=False, port=4791, fcs=False, vlan=b""):
    """An Ethernet frame with one packet; extension headers hold 1, 2, 3..."""
    extension, _ = OPCODES[opcode]
    pad = -len(payload) % 4
    bth = struct.pack("!BBHII", opcode, 0x40 | pad << 4, 0xffff, 0x11, 1 << 31 | 0x000102)
    body = bth + bytes(range(1, extension + 1)) + payload + bytes(pad)
    udp = struct.pack("!HHHH", 49152, port, 8 + len(body) + 4, 0) + body
    # lengths with the ICRC, which is computed with them
    packet = (ipv6 if v6 else ipv4)(udp + bytes(4))[:-4]
    frame = MACS + vlan + (b"\x86\xdd" if v6 else b"\x08\x00") + packet + icrc(packet)
    return frame + struct.pack("<I", zlib.crc32(frame)) if fcs else frame


def pause(opcode, body):
    return (bytes.fromhex("0180c2000001" "02000a000001" "8808") + struct.pack("!H", opcode) +
            body).ljust(60, b"\0")


def captured():
    """(name, frame): the first RoCEv2 packet of each opcode and payload size class."""
    seen = set()
    for path in sorted((DATA / "golden").glob("*.pcap")):
        data = path.read_bytes()
        at = 24
        while at < len(data):
            size = struct.unpack_from("<I", data, at + 8)[0]
            frame = data[at + 16:at + 16 + size]
            at += 16 + size
            if frame[12:14] != b"\x08\x00" or frame[23] != 17 or frame[36:38] != b"\x12\xb7":
                continue
            opcode = frame[42]
            size_class = size.bit_length()
            if size > MAX_CAPTURED_BYTES or (opcode, size_class) in seen:
                continue
            seen.add((opcode, size_class))
            yield f"captured-{opcode:02x}-{size}", frame


def frames():
    """(name, frame): all seeds without FCS, each an Ethernet frame."""
    yield from captured()
    for opcode, (_, payload) in OPCODES.items():
        yield f"opcode-{opcode:02x}", roce(opcode, b"RoCE!" if payload else b"")
    vlan = b"\x81\x00" + struct.pack("!H", 3 << 13 | 100)
    yield "empty", roce(0x04)
    yield "zeros", roce(0x0a, bytes(64))
    yield "pad-1", roce(0x04, b"123")
    yield "pad-2", roce(0x04, b"12")
    yield "vlan", roce(0x0a, b"tagged", vlan=vlan)
    yield "ipv6", roce(0x0a, b"six", v6=True)
    yield "ipv6-cnp", roce(0x81, v6=True)
    yield "other-port", roce(0x04, b"port", port=100)
    yield "trailer", roce(0x11) + bytes(6)
    yield "pfc", pause(0x0101, struct.pack("!9H", 0x18, 0, 0, 0, 65535, 100, 0, 0, 0))
    yield "pause", pause(0x0001, struct.pack("!H", 65535))
    yield "mac-control", pause(0x0002, b"")
    yield "tcp", MACS + b"\x08\x00" + ipv4(struct.pack("!HHIIHHHH", 80, 50000, 1, 2, 0x5010, 100, 0, 0), 6)
    yield "udp", MACS + b"\x08\x00" + ipv4(struct.pack("!HHHH", 53, 53, 8, 0))
    yield "tagged-tcp", MACS + vlan + b"\x08\x00" + ipv4(bytes(20), 6)
    yield "arp", b"\xff" * 6 + MACS[6:] + bytes.fromhex("0806" "0001080006040001") + MACS[6:] + \
        bytes([10, 0, 0, 1]) + bytes(6) + bytes([10, 0, 0, 2])
    yield "two-tags", MACS + vlan + vlan + b"\x08\x00" + ipv4(bytes(8))


def fields(kind, opcode, flags=0, payload=0, protocol=0, rest=b"", body=bytes(16)):
    """A Frame as FillFrame of roce-fuzz-frame-codec.cc reads it, least significant byte first."""
    return struct.pack("<BBHIIIIIHHHBBBBHQIII", kind, opcode, flags, 0x0a000001, 0x0a000002, 7, 9,
                       0, 49152, 4791, payload, 3, 2, 64, 0x18, protocol, 4096, 5, 64, 6) + body + rest


def checksum_of_ones():
    """An ACK whose IPv4 header sums up without its checksum field, which is 0 and sent as ones."""
    frame = bytearray(roce(0x11))
    # the identification takes what the sum lacks: the checksum there was
    frame[18:20], frame[24:26] = frame[24:26], b"\xff\xff"
    frame[-4:] = icrc(frame[14:-4])
    return bytes(frame)


def codec_seeds():
    for name, frame in frames():
        yield name, bytes([0]) + frame
    yield "fcs", bytes([FCS]) + roce(0x11, fcs=True)
    yield "bad-icrc", bytes([BAD_ICRC]) + roce(0x11)[:-1] + b"\0"
    yield "any-port", bytes([ANY_PORT]) + roce(0x04, b"port", port=100)
    yield "repair", bytes([REPAIR | FCS]) + roce(0x0a, b"mended", fcs=True)
    yield "found-checksum-ones", bytes([0]) + checksum_of_ones()


def frame_codec_seeds():
    for name, frame in frames():
        yield name, bytes([0]) + frame
    yield "fcs", bytes([FCS | ADD_FCS]) + roce(0x11, fcs=True)
    yield "any-port", bytes([ANY_PORT]) + roce(0x04, b"port", port=100)
    yield "repair", bytes([REPAIR | FCS]) + roce(0x0a, b"mended", fcs=True)
    extended, packet = 4, 8
    yield "fields-write", bytes([FIELDS]) + fields(0, 0x0a, extended, 64)
    yield "fields-send", bytes([FIELDS]) + fields(0, 0x04, packet, 5, rest=b"RoCE!")
    yield "fields-last", bytes([FIELDS | ADD_FCS]) + fields(0, 0x08, 1, 1000)
    for kind in range(6):
        yield f"fields-kind-{kind}", bytes([FIELDS]) + fields(
            kind, [0x0c, 0x10, 0x11, 0x81, 0, 0][kind], extended | packet, 0, 0x0800,
            ipv4(bytes(20), 6), bytes(range(16)))
    ether = MACS + b"\x08\x00"
    ports = struct.pack("!HH", 49152, 4791)
    yield "found-ports-in-padding", bytes([0]) + ether + ipv4(b"", 6) + ports + bytes(22)
    yield "short-header", bytes([0]) + ether + ipv4(bytes(20), 6, first=0x42)
    yield "ip-version-3", bytes([0]) + ether + ipv4(bytes(40), 6, first=0x3f)
    yield "found-cut-udp", bytes([0]) + ether + ipv4(ports)
    yield "found-long-frame", bytes([FIELDS]) + fields(0, 0x04, 0, 65488)


def int_seeds():
    # INT-MD 2.1, 5.7.2 and 5.8: shim, header, stack; two hops of node ID and hop latency
    def int_md(instructions, hop_words, stack, remaining=5, flags=0, domain=0):
        words = 3 + len(stack) // 4
        return struct.pack("!BBHIHHHH", 0x14, words, 4791, 2 << 28 | flags << 24 | hop_words << 8 | remaining,
                           instructions, domain, 0, 0) + stack

    room = 0xfc | 2
    yield "md-empty", bytes([room]) + int_md(0xa000, 2, b"") + b"payload"
    yield "md-two-hops", bytes([room]) + int_md(0xa000, 2, bytes(range(16)))
    yield "md-all", bytes([room]) + int_md(0xffff, 19, bytes(range(76)))
    yield "md-domain", bytes([room]) + int_md(0x8000, 3, bytes(24), domain=1)
    yield "md-last-hop", bytes([room]) + int_md(0x8000, 1, bytes(4), remaining=0, flags=4)
    yield "md-no-room", bytes([2]) + int_md(0xa000, 2, bytes(8))
    yield "md-no-bits", bytes([room]) + int_md(0, 0, b"")
    yield "md-full", bytes([room]) + int_md(0x8000, 1, bytes(252 * 4), remaining=3)

    def hop(code, time, sent, queue):
        return struct.pack("<Q", code | time << 3 | sent << 27 | queue << 47)

    def hpcc(hops, count, size):
        return b"".join(hops).ljust(size - 2, b"\0") + struct.pack("<H", count)

    yield "hpcc-none", bytes([0]) + hpcc([], 0, 42)
    yield "hpcc-two", bytes([0]) + hpcc([hop(2, 1000, 5, 7), hop(4, 2000, 9, 0)], 2, 42)
    yield "hpcc-many", bytes([0]) + hpcc([hop(i, (1 << 24) - 1, (1 << 20) - 1, (1 << 17) - 1)
                                          for i in range(5)], 65535, 42)
    rate = struct.pack("<I", 800000)
    yield "extended-none", bytes([1]) + hpcc([], 0, 62)
    yield "extended-two", bytes([1]) + hpcc([hop(7, 1, 2, 3) + rate] * 2, 2, 62)
    yield "extended-five", bytes([1]) + hpcc([hop(7, 1, 2, 3) + rate] * 5, 5, 62)


TOPOLOGY, SPARSE, FLOWS, STAR_FLOWS, CONFIG, NUMBER = (bytes([c]) for c in b"012346")


def known_keys():
    """The keys of HpccConfigReader, from its source."""
    source = HERE.parent.parent / "model/topology/roce-hpcc-config-reader.cc"
    return sorted(set(re.findall(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|LOAD)"', source.read_text())))


def text_seeds():
    for path in sorted(DATA.glob("*.txt")):
        text = path.read_bytes()
        name = path.stem
        if "topology" in name:
            yield name, TOPOLOGY + text
            yield name + "-sparse", SPARSE + text
        elif "flows" in name:
            yield name, FLOWS + text
            yield name + "-star", STAR_FLOWS + text
        else:
            yield name, CONFIG + text
    yield "topology-gaps", SPARSE + \
        b"\xef\xbb\xbf3 1 2\r\n70\r\n10 70 1e11 2us 0.5\r\n20 70 100GB/s 0 1e-3\r\n"
    yield "topology-absurd", TOPOLOGY + b"4294967295 1 4294967295\n7\n0 7 100Gbps 1us 0\n"
    yield "topology-no-hosts", TOPOLOGY + b"4294967295 4294967294 1\n"
    yield "flows-absurd", FLOWS + b"4294967295\n0 1 3 100 500000 2.0\n"
    yield "flows-limits", STAR_FLOWS + \
        b"2\n0 1 7 65535 4611686018427387904 9223372.036854775807\n3 2 0 0 0 0\n"
    yield "config-keys", CONFIG + "".join(f"{key} 0\n" for key in known_keys()).encode()
    yield "found-control-bytes", CONFIG + b"\x1b[2J\x07 1\n"
    yield "found-control-bytes-topology", TOPOLOGY + b"4 1 3\n\x1b[2J\n"
    yield "found-long-number", CONFIG + b"CC_MODE " + b"0" * 600 + b"2\n"
    yield "config-typo", CONFIG + b"rate-AI 20Mb/s\n"
    for i, number in enumerate(["100Gbps", "12.5GB/s", "25000000000.0", "1e11", "0.0005ms", "-1us",
                                "18446744073709551615", "1e-12", "+.5s", "0.99999999999999999999bps",
                                "1.5 MiB", "64kB"]):
        yield f"number-{i}", NUMBER + number.encode()


def varint(value):
    """A number of protocol buffers."""
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    """A field of a message: a number, or bytes behind their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def trace(*nodes):
    """A Chakra trace: metadata and nodes, each message behind its length."""
    return b"".join(varint(len(m)) + m for m in (field(1, b"0.0.4"),) + nodes)


def node(number, kind, after=b"", **attributes):
    """A node of a trace; attributes are 64 bit numbers."""
    return field(1, number) + field(2, b"n") + field(3, kind) + field(5, after) + b"".join(
        field(10, field(1, name.encode()) + field(9, value)) for name, value in attributes.items())


JSON, SIZES, HTSIM, SIMAI, CHAKRA = (bytes([c]) for c in b"01234")


def workload_seeds():
    head = b'{"schema": "roce-workload/1", "ranks": 2, "groups": [{"name": "g", "ranks": [1, 0]}], "tasks": ['
    yield "json", JSON + head + (
        b'{"kind": "compute", "rank": 0, "name": "c", "duration": "12us", "stream": 0},'
        b'{"kind": "collective", "rank": 0, "after": [0], "group": 0, "operation": "broadcast",'
        b'"algorithm": "ring", "root": 1, "bytes": "1.5MB"},'
        b'{"kind": "collective", "rank": 1, "group": 0, "operation": "broadcast", "algorithm": "ring",'
        b'"root": 1, "bytes": 1500000},'
        b'{"kind": "send", "rank": 0, "not_before": "5ns", "peer": 1, "tag": 7, "bytes": 4},'
        b'{"kind": "receive", "rank": 1, "peer": 0, "tag": 7, "bytes": 4}]}')
    yield "json-empty", JSON + head + b"]}"
    yield "json-stuck", JSON + head + b",".join(
        b'{"kind": "receive", "rank": %d, "peer": %d, "bytes": 4},'
        b'{"kind": "send", "rank": %d, "peer": %d, "after": [%d], "bytes": 4}'
        % (rank, 1 - rank, rank, 1 - rank, 2 * rank) for rank in (0, 1)) + b"]}"
    yield "json-absurd", JSON + b'{"schema": "roce-workload/1", "ranks": 4294967295, "tasks": []}'
    yield "json-control", JSON + head + b'{"kind": "\\u001b[2J", "rank": 0}]}'
    yield "found-control-bytes", JSON + head + '{"kind": "send", "rank": 0, "peer": 1, "bytes": "1.²B"}]}'.encode()
    yield "sizes", SIZES + b"0 0\n4 40\n4 75\n9 100\n"
    yield "sizes-absurd", SIZES + b"0 0\n1125899906842624 1e-300\n1125899906842624 100\n"
    yield "sizes-falling", SIZES + b"0 0\n10 60\n9 100\n"
    yield "htsim", HTSIM + (
        b"# two\nNodes 16\nConnections 3\nTriggers 2\n0->13 id 1 start 1499 size 2000000\n"
        b"13->0 id 2 trigger 1 size 5 recv_done_trigger 2\n0->1 id 3 start 0 size 1 send_done_trigger 1\n"
        b"trigger id 1 oneshot\ntrigger id 2 barrier count 1\n")
    yield "htsim-cycle", HTSIM + (b"Nodes 2\nConnections 1\nTriggers 1\n"
                                  b"0->1 trigger 1 size 1 send_done_trigger 1\ntrigger id 1 oneshot\n")
    yield "htsim-absurd", HTSIM + b"Nodes 16777216\nConnections 1073741823\n0->1 start 9e15 size 1\n"
    yield "simai", SIMAI + (
        b"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 8 ga: 1 "
        b"all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0\n2\n"
        b"a -1 10 ALLREDUCE 100 20 NONE 0 30 ALLREDUCE 200 40\n"
        b"b -1 50 ALLTOALL_EP 6 60 ALLGATHER 300 70 REDUCESCATTER_DP_EP 1 80\n")
    yield "simai-micro", SIMAI + b"MICRO\n1\nm -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4096 1\n"
    yield "simai-absurd", SIMAI + b"MICRO\n4294967295\nm -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4096 1\n"
    yield "chakra-collective", CHAKRA + trace(node(0, 7, comm_type=0, comm_size=1 << 20))
    yield "chakra-nodes", CHAKRA + trace(
        node(3, 4, bytes([2, 1])) + field(7, 42), node(1, 2), node(2, 1, b"\1"),
        node(4, 7, b"\3", comm_type=2, comm_size=1000), node(5, 7, comm_type=9))
    yield "chakra-message", CHAKRA + trace(node(1, 5, comm_dst=1, comm_tag=3, comm_size=9))
    yield "chakra-cycle", CHAKRA + trace(node(1, 1, b"\2"), node(2, 1, b"\1"))
    yield "chakra-dimensions", CHAKRA + trace(node(1, 7, comm_type=0, comm_size=8) + field(
        10, field(1, b"involved_dim") + field(28, field(1, b"\1\1"))))
    yield "chakra-absurd", CHAKRA + trace() + varint((1 << 64) - 1)


def experiment_seeds():
    for path in sorted((HERE.parent.parent / "examples/experiments").glob("*.json")):
        yield path.stem, path.read_bytes()
    head = b'{"schema": "roce-experiment/1", "topology": '
    traffic = b', "traffic": [{"type": "incast", "bytes": "1MB"}]}'
    yield "preset", head + b'"homelab"' + traffic
    for name, plan in (("three-tier", b'{"three_tier": {"pods": 2, "leaves_per_pod": 2, "pod_spines": 2, '
                        b'"super_spines": 4, "hosts_per_leaf": 4}}'),
                       ("fat-tree", b'{"fat_tree": {"k": 4}}'),
                       ("rails", b'{"rails": {"groups": 1, "nodes_per_group": 4, "rails": 8, "spines": 0}}'),
                       ("dual-plane", b'{"dual_plane": {"racks": 2, "hosts_per_rack": 4, "spines": 2}}'),
                       ("fabric", b'{"fabric": {"schema": "roce-topology/1", "nodes": [], "links": []}}')):
        yield name, head + plan + traffic
    yield "messages", head + (
        b'"homelab", "runs": [{"label": "a", "cc": "none", "lb": "spray", "attributes": '
        b'{"ns3::roce::Nic::PathMtu": 1024}}], "expect": {"stall": true, "failures": 0}, "output": '
        b'{"json": "x"}, "traffic": [{"type": "messages", "messages": [{"from": 0, "to": 1, "bytes": '
        b'"1MB", "at": "1us", "operation": "read", "priority": 3}]}, {"type": "all_to_all", "bytes": "1B", '
        b'"hosts": [0, 1]}, {"type": "flows", "file": "f"}]}')
    yield "unknown", head + b'"homelab", "traffick": []' + traffic
    yield "twice", head + b'"homelab", "name": "a", "name": "b"' + traffic
    yield "control", head + b'"homelab", "\\u001b[2J": 1' + traffic
    yield "found-size-bytes", head + b'{"fat_tree": {"k": 4}}, "traffic": [{"type": "incast", "bytes": "' + "ƶB\"}]}".encode()
    yield "no-unit", head + b'{"star": {"hosts": 2, "rate": "1"}}' + traffic
    yield "empty", b""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    wrong = []
    for target, seeds in (("codec", codec_seeds), ("frame-codec", frame_codec_seeds),
                          ("int", int_seeds), ("text", text_seeds),
                          ("workload", workload_seeds), ("experiment", experiment_seeds)):
        folder = HERE / "corpus" / target
        wanted = dict(seeds())
        have = {path.name for path in folder.glob("*")}
        stale = {name for name in have - set(wanted) if not name.startswith("found-")}
        if args.check:
            wrong += [f"{target}/{name} is not made by this script" for name in sorted(stale)]
            wrong += [f"{target}/{name} is missing or differs" for name, data in wanted.items()
                      if name not in have or (folder / name).read_bytes() != data]
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for name in stale:
            (folder / name).unlink()
        for name, data in wanted.items():
            (folder / name).write_bytes(data)
        print(f"{target}: {len(wanted)} seeds, {sum(map(len, wanted.values()))} bytes")
    for line in wrong:
        print(f"make-corpus.py: {line}; run it without --check", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
