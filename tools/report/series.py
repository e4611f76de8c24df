# SPDX-License-Identifier: GPL-2.0-only
"""Line charts of a result file: distributions and what happened over time. Form: see charts.py."""

from . import units
from .charts import base
from .load import get

MOST_POINTS = 120  # of a line; more buckets are put together
TABLE_ROWS = 30  # of the table of a line chart
MOST_LINES = 8  # shown at first; buttons show the others
QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1)


def thin(points, join):
    """At most MOST_POINTS buckets: join() of equal numbers of them. Returns x, y, end, group."""
    if not points:
        return [], [], None, 1
    width = points[1][0] - points[0][0] if len(points) > 1 else 1e-6
    group = -(-len(points) // MOST_POINTS)
    parts = [points[i:i + group] for i in range(0, len(points), group)]
    return ([part[0][0] for part in parts], [join([y for _, y in part]) for part in parts],
            points[-1][0] + width, group)


def mean(values):
    """Arithmetic mean."""
    return sum(values) / len(values)


def first_lines(labels):
    """Which lines are shown at first: all, or one a base label if there are too many."""
    if len(labels) <= MOST_LINES:
        return [True] * len(labels)
    seen = set()
    shown = []
    for label in labels:
        head = base(label, labels)
        shown.append(head not in seen and len(seen) < MOST_LINES)
        if shown[-1]:
            seen.add(head)
    return shown


def intervals(points, join, last):
    """join() of the buckets in each of TABLE_ROWS equal parts of the time until last."""
    width = points[1][0] - points[0][0] if len(points) > 1 else last
    found = []
    for number in range(TABLE_ROWS):
        begin, end = last * number / TABLE_ROWS, last * (number + 1) / TABLE_ROWS
        inside = [y for x, y in points if begin <= x < end]
        if not inside:  # parts are shorter than buckets: the one that this part is in
            inside = [y for x, y in points if x <= begin < x + width]
        found.append(join(inside) if inside else 0)
    return found


def over_time(runs, key, title, unit, what, join=mean):
    """A step line a run; None if no run has the key."""
    having = [(run["label"], get(run, key)) for run in runs if get(run, key) is not None]
    if not having:
        return None
    lines = [(label, *thin(points, join)) for label, points in having]
    factor, unit_name = units.scale([y for line in lines for y in line[2]], unit)
    last = max((line[3] for line in lines if line[3] is not None), default=0)
    x_factor, x_unit = units.scale([last], "s")
    on = first_lines([label for label, _ in having])
    series, words = [], []
    for shown, (label, x, y, end, _) in zip(on, lines):
        y = [units.times(value, factor) for value in y]
        series.append({"name": label, "x": [units.times(value, x_factor) for value in x], "y": y,
                       "end": units.times(end, x_factor), "on": shown})
        if y:
            top = y.index(max(y))
            words.append(f"{label}: at most {units.number(float(max(y)))} {unit_name} from "
                         f"{units.number(series[-1]['x'][top])} {x_unit} on")
        else:
            words.append(f"{label}: 0")
    group = max(line[4] for line in lines)
    note = f" Up to {group} buckets of the file are one step here." if group > 1 else ""
    summary = "; ".join(words[:MOST_LINES]) + (
        f"; and {len(words) - MOST_LINES} more runs" if len(words) > MOST_LINES else "")
    if not any(line[1] for line in lines):
        summary = "0 in each run"
    return {"kind": "lines", "step": True, "title": title, "xlabel": f"simulated time ({x_unit})",
            "ylabel": f"{what} ({unit_name})", "series": series, "summary": summary + "." + note,
            "log": "y", "empty": not any(line[1] for line in lines),
            "table": time_table(f"{title}: {what} ({unit_name})", having, join, last,
                                (factor, x_factor, x_unit))}


def time_table(caption, having, join, last, factors):
    """The numbers of a chart over time: rows are parts of the time."""
    factor, x_factor, x_unit = factors
    columns = [intervals(points, join, last) for _, points in having]
    rows = [[units.number(float(last * i / TABLE_ROWS * x_factor)),
             [units.times(column[i], factor) for column in columns]] for i in range(TABLE_ROWS)]
    how = "most" if join is max else "mean"
    return {"caption": f"{caption}, {how} of each part of the time", "head": f"begin ({x_unit})",
            "columns": [label for label, _ in having], "rows": rows if last else []}


def cdf_of(run):
    """[[ns, share], ...]: of the file, or of what is known otherwise."""
    if run.get("fct_cdf"):
        return run["fct_cdf"]
    known = [(run["fct_ns"]["min"], 0.0), (run["fct_ns"]["p50"], 0.5),
             (run["fct_ns"]["p99"], 0.99), (run["fct_ns"]["max"], 1.0)]
    return [[value, share] for value, share in known if value is not None]


def quantile(points, share):
    """The least time by which this share was done."""
    return next((x for x, y in points if y >= share - 1e-9), points[-1][0])


def distribution(runs):
    """Share of messages done by a time; its table has quantiles."""
    lines = [(run["label"], cdf_of(run)) for run in runs]
    if not any(points for _, points in lines):
        return None
    factor, unit = units.scale([x for _, points in lines for x, _ in points], "ns")
    on = first_lines([label for label, _ in lines])
    series, table = [], []
    for shown, (label, points) in zip(on, lines):
        x = [units.times(value, factor) for value, _ in points]
        y = [share for _, share in points]
        if x:  # from 0 on
            x, y = [x[0], *x], [0, *y]
        series.append({"name": label, "x": x, "y": y, "end": x[-1] if x else None, "on": shown})
        table.append([units.times(quantile(points, share), factor) if points else None
                      for share in QUANTILES])
    columns = [f"{share:.0%}" for share in QUANTILES]
    median = [f"{label} by {units.number(row[4])} {unit}"
              for (label, _), row in zip(lines, table) if row[4] is not None]
    summary = "; ".join(median[:MOST_LINES]) + (
        f"; and {len(median) - MOST_LINES} more runs" if len(median) > MOST_LINES else "")
    return {"kind": "lines", "step": True, "title": "Distribution of completion times",
            "xlabel": f"flow completion time ({unit})", "ylabel": "share of messages done (0 to 1)",
            "series": series, "summary": f"Half of the messages were done: {summary}.", "log": "x",
            "table": {"caption": f"Time by which a share of the messages was done ({unit})",
                      "head": "run", "columns": columns, "rows": [[label, row] for (label, _), row
                                                   in zip(lines, table)]}}


def time_charts(runs):
    """What happened over time."""
    found = [over_time(runs, "cnp.per_s", "CNPs over time", "per s", "CNPs received"),
             over_time(runs, "pfc.xoff_per_s", "PFC pauses over time", "per s", "XOFF"),
             over_time(runs, "queues.max_bytes_over_s", "Longest queue over time", "bytes",
                       "longest queue of any switch", max)]
    return [chart for chart in found if chart]
