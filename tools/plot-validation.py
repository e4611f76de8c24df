#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the figures of doc/validation.rst from the time series of roce-validate.

usage: tools/plot-validation.py PREFIX FOLDER

PREFIX is what roce-validate --csv=PREFIX got; FOLDER gets a file a case, validate-d1.svg and so on.
A case whose series are missing is skipped with a message. The same series give the same files, byte
for byte. Needs nothing but Python.
"""

import csv
import pathlib
import sys

# Okabe and Ito's palette for color-blind readers
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 380, 210, 48, 24, 36, 10
POINTS = 250  # of a line: what a small picture can show

QUEUE = ["queue_kb"]


def rates(count):
    """Columns of the rates of flows 0 to count - 1."""
    return [f"rate{i}_gbps" for i in range(count)]


# case -> panels: title, series, columns, first and last ms (None: all), a level to draw or None
FIGURES = {
    "d1": [(f"DCQCN, {n} flows: queue, KB", f"d1-{n}", QUEUE, 300, 350, q)
           for n, q in ((2, 20.5), (4, 42.7), (8, 95.8), (10, 125.3))],
    "d2": [("DCQCN, 2+1 flows: Gb/s", "d2-3-40-1", rates(3), 50, None, 13.33),
           ("DCQCN, 2+1 flows, R_AI 10 Mb/s: Gb/s", "d2-3-10-1", rates(3), 50, None, 13.33)],
    "d3": [(f"DCQCN, {n} flows, {d} us: queue, KB", f"d3-{d}-{n}", QUEUE, 200, 230, q)
           for n, q in ((2, 20.5), (10, 125.3), (64, 1183)) for d in (4, 85)],
    "d4": [("patched TIMELY, from 7 and 3 Gb/s: Gb/s", "d4-patched-7-3", rates(2), 0, None, 5),
           ("TIMELY, from 7 and 3 Gb/s: Gb/s", "d4-timely-7-3", rates(2), 0, None, 5),
           ("patched TIMELY, 10 flows: queue, KB", "d4-10", QUEUE, 0, None, 140.6),
           ("patched TIMELY, 40 flows: queue, KB", "d4-40", QUEUE, 0, None, 375)],
    "d9": [("innocent F1 and F2: Gb/s", "d9", rates(2), 0, 40, None)],
    "d10": [("HPCC, 16 flows: queue, KB", "d10-16", QUEUE, 0, 0.4, None),
            ("HPCC, a second flow: Gb/s", "d10-join", rates(2), 0.4, 0.8, None)],
    "d11": [("PowerTCP: Gb/s", "d11-power", rates(4), 0, None, None),
            ("theta-PowerTCP: Gb/s", "d11-theta", rates(4), 0, None, None)],
}


def read(path, columns, first, last):
    """Times and the columns of a series, thinned by taking means."""
    with open(path, encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines)
                if (first is None or float(row["time_ms"]) >= first)
                and (last is None or float(row["time_ms"]) <= last)]
    step = max(1, -(-len(rows) // POINTS))
    chunks = [rows[i:i + step] for i in range(0, len(rows) - step + 1, step)]
    times = [float(chunk[-1]["time_ms"]) for chunk in chunks]
    return times, [[sum(float(row[c]) for row in chunk) / step for chunk in chunks]
                   for c in columns]


def ticks(low, high):
    """Three to six round numbers from low to high."""
    span = (high - low) or 1
    unit = 10.0 ** (len(str(int(span))) - 1) if span >= 1 else 0.1
    for part in (0.1, 0.2, 0.5, 1, 2, 5):
        if span / (unit * part) <= 5:
            unit *= part
            break
    value = unit * -(-low // unit) + 0.0  # not -0
    while value <= high + unit * 1e-9:
        yield value
        value += unit


def panel(x, y, title, times, lines, level):
    """SVG of one panel."""
    high = max([max(line) for line in lines] + [level or 0]) * 1.05 or 1
    begin, end = times[0], times[-1]
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(time):
        return x + LEFT + (time - begin) / (end - begin) * wide

    def up(value):
        return y + TOP + (1 - value / high) * tall

    out = [f'<text x="{x + LEFT}" y="{y + 15}" font-size="12">{title}</text>',
           f'<rect x="{x + LEFT}" y="{y + TOP}" width="{wide}" height="{tall}" fill="none" '
           'stroke="#888"/>']
    for value in ticks(begin, end):
        out.append(f'<text x="{at(value):.1f}" y="{y + HEIGHT - 20}" text-anchor="middle">'
                   f'{value:g}</text>')
    for value in ticks(0, high):
        out.append(f'<text x="{x + LEFT - 4}" y="{up(value) + 4:.1f}" text-anchor="end">'
                   f'{value:g}</text>')
    out.append(f'<text x="{x + LEFT + wide / 2}" y="{y + HEIGHT - 5}" text-anchor="middle">'
               'time, ms</text>')
    for index, line in enumerate(lines):
        points = " ".join(f"{at(t):.1f},{up(v):.1f}" for t, v in zip(times, line))
        out.append(f'<polyline points="{points}" fill="none" stroke-width="1.2" '
                   f'stroke="{COLORS[index % len(COLORS)]}"/>')
    if level:
        out.append(f'<line x1="{at(begin):.1f}" x2="{at(end):.1f}" y1="{up(level):.1f}" '
                   f'y2="{up(level):.1f}" stroke="#000" stroke-dasharray="4 3"/>')
    return out


def draw(prefix, folder, case):
    """One figure."""
    out = []
    for index, (title, series, columns, first, last, level) in enumerate(FIGURES[case]):
        times, lines = read(f"{prefix}-{series}.csv", columns, first, last)
        out += panel(index % 2 * WIDTH, index // 2 * HEIGHT, title, times, lines, level)
    count = len(FIGURES[case])
    size = (WIDTH * min(2, count), HEIGHT * -(-count // 2))
    path = pathlib.Path(folder) / f"validate-{case}.svg"
    path.write_text("\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
         'font-family="sans-serif" font-size="10">',
         '<!-- SPDX-License-Identifier: GPL-2.0-only -->',
         '<rect width="100%" height="100%" fill="#fff"/>'] + out + ["</svg>", ""]),
        encoding="utf-8")
    print(f"plot-validation: {path}")


def main(arguments):
    """Draw what there is. Returns the exit code."""
    if len(arguments) != 2 or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    prefix, folder = arguments
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    drawn = 0
    for case in FIGURES:
        try:
            draw(prefix, folder, case)
            drawn += 1
        except FileNotFoundError as error:
            print(f"plot-validation: {case} skipped: no {error.filename}", file=sys.stderr)
    return 0 if drawn else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
