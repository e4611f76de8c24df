#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints results of roce-headline as one table of scenarios and labels.

usage: tools/hcc-table.py FILE[.json]...

A cell is payload / line rate, XOFF, worst flow as share of its max-min rate, worst queue in KB: means
over seeds. Below it, hcc against the best of the labels that do not begin with hcc: by payload, and by
how full the links are that max-min fair rates fill.
"""

import json
import pathlib
import sys

FIGURES = ("goodput_share", "xoff", "worst_share", "worst_queue_bytes", "utilization",
           "cnp_per_packet")
NEAR = 0.99  # of the best: what counts as equal to it
EQUAL = 0.01  # difference of shares that counts as none


def read(name):
    """Mean figures by label of one result file."""
    path = pathlib.Path(name if name.endswith(".json") else name + ".json")
    try:
        summary = json.loads(path.read_text())["summary"]
        return path.stem, {
            label: {figure: row[figure]["mean"] for figure in FIGURES}
            for label, row in summary.items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{path}: not a result of roce-headline: {error!r}")


def cell(row):
    """Text of a cell."""
    return (f"{row['goodput_share']:.3f}/{row['xoff']:.0f}/{row['worst_share']:.2f}"
            f"/{row['worst_queue_bytes'] / 1000:.0f}")


def main():
    """Read, print, compare."""
    names = sys.argv[1:]
    if not names or names[0] in ("-h", "--help"):
        sys.exit(__doc__)
    scenarios = [read(name) for name in names]
    labels = list(scenarios[0][1])
    for name, rows in scenarios:
        if list(rows) != labels:
            sys.exit(f"{name} has labels {list(rows)}, the first file {labels}; run them alike")
    rivals = [label for label in labels if not label.startswith("hcc")]
    print("payload / line rate, XOFF, worst flow / its max-min rate, worst queue in KB")
    width = max(len(cell(row)) for _, rows in scenarios for row in rows.values()) + 2
    width = max(width, max(len(label) for label in labels) + 2)
    first = max(len(name) for name, _ in scenarios) + 2
    print(" " * first + "".join(label.rjust(width) for label in labels))
    for name, rows in scenarios:
        print(name.ljust(first) + "".join(cell(rows[label]).rjust(width) for label in labels))
    if "hcc" not in labels or not rivals:
        return
    print("\nhcc against the best of the others")
    print("scenario".ljust(first) + f"{'best goodput':>28}{'difference':>12}{'full links':>12}"
          f"{'worst flow':>12}{'XOFF':>6}{'queue of best, own (KB)':>25}{'CNPs/100':>10}")
    near = full = fair = silent = 0
    for name, rows in scenarios:
        own = rows["hcc"]
        best = max(rivals, key=lambda label: rows[label]["goodput_share"])
        top = rows[best]
        fairest = max(rows[label]["worst_share"] for label in rivals)
        fullest = max(rows[label]["utilization"] for label in rivals)
        full += own["utilization"] >= NEAR * fullest
        near += own["goodput_share"] >= NEAR * top["goodput_share"]
        fair += own["worst_share"] >= fairest - EQUAL
        silent += own["xoff"] == 0
        queues = f"{top['worst_queue_bytes'] / 1000:.0f}, {own['worst_queue_bytes'] / 1000:.0f}"
        print(name.ljust(first) + f"{best + ' ' + format(top['goodput_share'], '.3f'):>28}"
              f"{own['goodput_share'] / top['goodput_share'] - 1:>+12.2%}"
              f"{own['utilization'] / fullest - 1:>+12.2%}"
              f"{own['worst_share'] - fairest:>+12.2f}{own['xoff']:>6.0f}{queues:>25}"
              f"{own['cnp_per_packet'] * 100:>10.2f}")
    count = len(scenarios)
    print(f"\nof {count}: within 1 % of the best goodput {near}, of the fullest links {full}, worst flow "
          f"best or equal (.01) {fair}, no XOFF {silent}")


if __name__ == "__main__":
    main()
