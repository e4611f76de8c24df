#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares two fct.txt files flow by flow and prints one row of the cross-check table.

usage: tools/crosscheck.py [LIMIT...] NAME OURS THEIRS

A flow is known by its addresses and ports. Columns: flows, exact to the nanosecond, within 10 ns,
within 1 %, Pearson's correlation, and minimum, median and maximum of both in us. Exit code 1 if a
flow is missing or a limit is not kept:
  --exact=N      at least N flows are equal to the nanosecond
  --near=N       at least N flows are within 10 ns
  --close=N      at least N flows are within 1 %
  --pearson=R    the correlation is at least R
  --median=P     the medians differ by at most P percent
"""

import argparse
import math
import statistics
import sys

HEAD = (
    f"{'run':20} {'flows':>5} {'exact':>5} {'<=10ns':>6} {'<1%':>5} {'Pearson':>8}"
    f"  {'ours min/median/max (us)':>26}  {'theirs min/median/max (us)':>26}"
)


def read(path):
    """Flow -> (row, completion time in ns)."""
    flows = {}
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            if len(words) != 8:
                sys.exit(f"{path}:{number}: {len(words)} words, expected 8")
            key = tuple(words[:4])
            if key in flows:
                sys.exit(f"{path}:{number}: flow {' '.join(key)} comes twice")
            flows[key] = int(words[6])
    return flows


def pearson(xs, ys):
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    product = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    norm = math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))
    return product / norm if norm > 0 else float(xs == ys)


def spread(times):
    return f"{min(times) / 1e3:.1f}/{statistics.median(times) / 1e3:.1f}/{max(times) / 1e3:.1f}"


def main():
    parser = argparse.ArgumentParser(description="Compares two fct.txt files flow by flow.")
    parser.add_argument("--head", action="store_true", help="print the head of the table only")
    parser.add_argument("--exact", type=int, default=0)
    parser.add_argument("--near", type=int, default=0)
    parser.add_argument("--close", type=int, default=0)
    parser.add_argument("--pearson", type=float, default=-1)
    parser.add_argument("--median", type=float, default=math.inf)
    parser.add_argument("files", nargs="*", metavar="NAME OURS THEIRS")
    args = parser.parse_args()
    if args.head:
        print(HEAD)
        return 0
    if len(args.files) != 3:
        parser.error("expected NAME OURS THEIRS")
    name, ours, theirs = args.files[0], read(args.files[1]), read(args.files[2])
    missing = ours.keys() ^ theirs.keys()
    if missing:
        print(f"{name}: {len(missing)} flows are in one file only, {' '.join(sorted(missing)[0])}")
        return 1
    a = [ours[key] for key in theirs]
    b = list(theirs.values())
    exact = sum(x == y for x, y in zip(a, b))
    near = sum(abs(x - y) <= 10 for x, y in zip(a, b))
    close = sum(abs(x - y) < 0.01 * y for x, y in zip(a, b))
    correlation = pearson(a, b)
    print(
        f"{name:20} {len(b):5} {exact:5} {near:6} {close:5} {correlation:8.4f}"
        f"  {spread(a):>26}  {spread(b):>26}"
    )
    off = abs(statistics.median(a) / statistics.median(b) - 1) * 100
    failed = 0
    for what, have, need in (
        ("exact", exact, args.exact),
        ("within 10 ns", near, args.near),
        ("within 1 %", close, args.close),
        ("correlation", correlation, args.pearson),
    ):
        if have < need:
            print(f"{name}: FAILED: {what}: {have}, need at least {need}")
            failed = 1
    if off > args.median:
        print(f"{name}: FAILED: the medians differ by {off:.2f} %, allowed {args.median} %")
        failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
