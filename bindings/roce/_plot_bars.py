# SPDX-License-Identifier: GPL-2.0-only
"""Bars and spans of roce.plot."""

import json
import os
import re

from . import _plot_data as data
from . import _plot_style as style

def units_of(key):
    """Units of a number by the end of one of its keys: ns, bps, Bps, bytes, s; else a number."""
    for part in reversed(key.split(".")):
        for end, units in (
            ("_ns", style.TIMES),
            ("_bps", style.RATES),
            ("_Bps", style.BYTE_RATES),
            ("bytes", style.BYTES),
        ):
            if part.endswith(end):
                return units
        if part.endswith("_s"):
            return [(factor / 1e9, name) for factor, name in style.TIMES]
    ratio = key.startswith(("utilization", "slowdown")) or key.endswith(("share", "cov", "slowdown"))
    return [(1.0, "1" if ratio else "number")]


def name_of(key):
    """A key without the unit at the ends of its parts."""
    return re.sub(r"_(ns|s|bps|Bps)(?=\.|$)", "", key)


def compare_bars(runs, figures="goodput_bps", ax=None):
    """Draw numbers of runs as bars, their values above; of several numbers, a group of bars each.

    runs     results or dicts of runs
    figures  a number by its keys, or a list: "goodput_bps", ["fct_ns.p50", "fct_ns.p99"]. All must
             have one unit, which the end of a key tells (_ns, _s, _bps, _Bps, bytes)
    """
    figures = [figures] if isinstance(figures, str) else list(figures)
    if not figures:
        raise ValueError('figures is empty: expected keys such as "goodput_bps" or "fct_ns.mean"')
    units = [units_of(figure) for figure in figures]
    if any(unit != units[0] for unit in units):
        names = ", ".join(f"{f} in {u[0][1]}" for f, u in zip(figures, units))
        raise ValueError(f"figures of different units: {names}; expected one unit a picture")
    table = [
        (label, [data.look_up(run, figure, label) for figure in figures])
        for label, run in data.runs_of(runs)
    ]
    ax = style.axes_of(ax)
    top = max(max(row) for _, row in table)
    factor, unit = style.unit_of(units[0], top)
    single = len(figures) == 1
    width = 1 / len(table) if single else 0.84 / len(table)
    for index, (label, row) in enumerate(table):
        at = [i + (index - (len(table) - 1) / 2) * width for i in range(len(figures))]
        bars = ax.bar(at, [v / factor for v in row], 0.8 * width if single else 0.92 * width,
                      label=label, **style.bar_style(index))
        ax.bar_label(bars, fmt="%.4g", fontsize=8, padding=2)
    ax.grid(False, axis="x")
    if single:
        long = sum(len(label) for label, _ in table) > 60
        at = [(index - (len(table) - 1) / 2) * width for index in range(len(table))]
        ax.set_xticks(at, [label for label, _ in table], rotation=25 if long else 0,
                      ha="right" if long else "center")
        ax.set_ylim(0, 1.12 * top / factor or 1)
        ax.set_xlim(-0.55, 0.55)
        return style.finish(ax, "run (label)", f"{name_of(figures[0])} ({unit})", "Runs side by side", False)
    ax.set_xticks(range(len(figures)), figures)
    ax.set_xlim(-0.6, len(figures) - 0.4)
    ax.set_ylim(0, (1.15 + 0.1 * -(-len(table) // 4)) * top / factor or 1)
    style.finish(ax, "figure (key)", f"value ({unit})", "Runs side by side", legend=False)
    ax.legend(fontsize=9, loc="upper left", ncol=min(4, len(table)), framealpha=0.9)
    return ax


def _load_gantt(source):
    """The dict of a file of tasks."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, encoding="utf-8") as file:
            try:
                source = json.load(file)
            except ValueError as error:
                raise ValueError(f"{file.name} is no JSON: {error}") from error
    schema = source.get("schema") if isinstance(source, dict) else None
    if schema != "roce-gantt/1":
        raise ValueError(
            f"got {data.kind_of(source)} with schema {schema!r}: expected roce-gantt/1, "
            "which roce-training --gantt=FILE writes"
        )
    return source


def _pick(items, number, what):
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(items):
        raise ValueError(f"{what} = {number!r}: expected 0..{len(items) - 1}")
    return items[number]


def training_gantt(source, run=0, job=0, ranks=None, ax=None):
    """Draw when the tasks of ranks ran in a training step, a row a rank.

    source  a file that roce-training --gantt=FILE wrote (roce-gantt/1): its path or its dict
    run     number of the run, or its label
    job     number of the job
    ranks   which to draw; None: the first rank of each pipeline stage

    The upper half of a row is what the rank's program does, the lower half what goes on beside it.
    """
    runs = _load_gantt(source).get("runs") or []
    labels = [r.get("label") for r in runs]
    if isinstance(run, str):
        if run not in labels:
            raise ValueError(f"run = {run!r}: expected one of {', '.join(map(str, labels))}")
        run = labels.index(run)
    chosen = _pick(runs, run, "run")
    picked = _pick(chosen["jobs"], job, "job")
    places = picked["ranks"]
    if ranks is None:
        ranks = [n for n, place in enumerate(places) if place["tensor"] == place["data"] == 0]
    rows = {}
    for rank in ranks:
        _pick(places, rank, "a rank")
        rows[rank] = len(rows)
    if not rows:
        raise ValueError("ranks is empty: expected at least one")
    ax = style.axes_of(ax, 1.6 + 0.5 * len(rows))
    _spans(ax, picked["tasks"], rows)
    ax.set_yticks(list(rows.values()), [f"{n}, stage {places[n]['pipeline']}" for n in rows])
    ax.set_ylim(len(rows) - 0.45, -0.5)
    ax.grid(False, axis="y")
    title = f"{chosen['label']}: training step"
    xlabel = ax.get_xlabel()
    style.finish(ax, xlabel, "rank (number)", title, legend=False)
    handles, names = ax.get_legend_handles_labels()
    if handles:
        ax.legend(handles, names, fontsize=8, ncol=4, loc="upper center",
                  bbox_to_anchor=(0.5, -0.22 - 0.25 / len(rows)), handlelength=1.6)
    return ax


def _spans(ax, tasks, rows):
    """Draw tasks as spans, and set the label of the time axis."""
    spans = {}
    for rank, _, kind, begin, end in tasks:
        if kind not in style.TASKS:
            raise ValueError(f"a task of kind {kind!r}: expected {', '.join(style.TASKS)}")
        if rank in rows and end > begin:
            spans.setdefault(kind, {}).setdefault(rows[rank], []).append((begin, end - begin))
    last = max((task[4] for task in tasks), default=0)
    factor, unit = style.unit_of(style.TIMES, last)
    for kind, (name, color, hatch) in style.TASKS.items():
        edged = hatch or kind in ("forward", "backward")
        for row, of_row in spans.get(kind, {}).items():
            place = (row + 0.06, 0.3) if kind in style.BESIDE else (row - 0.36, 0.4)
            ax.broken_barh([(b / factor, w / factor) for b, w in of_row], place, facecolor=color,
                           hatch=hatch, edgecolor="white" if edged else color,
                           linewidth=0.3 if edged else 0, label=name)
            name = "_"  # one entry of the legend a kind
    ax.set_xlim(0, 1.01 * last / factor or 1)
    ax.set_xlabel(f"time since the start of the step ({unit})")
