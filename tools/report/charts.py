# SPDX-License-Identifier: GPL-2.0-only
"""Bar charts of a result file, as data: chart-*.js draws them, page.py writes their tables.

A chart is a dict: kind ("bars" or "lines"), title, xlabel, ylabel, series, summary (text), and
- bars: categories; a series has name, values (None: not known) and maybe errors
- lines: a series has name, x, y, end (of the last step), on (shown at first); step, log ("x" or "y")
"""

from . import units
from .load import get

MOST_RUNS = 60  # bars of more runs would be a page of their own


def base(label, labels):
    """A label without its seed or size at the end, if others share what is before it."""
    head, slash, tail = label.rpartition("/")
    shared = sum(other.rpartition("/")[0] == head for other in labels) > 1
    return head if slash and tail.isdigit() and shared else label


def extremes(names, values, unit):
    """Which run has most and least, in words."""
    known = [(value, name) for value, name in zip(values, names) if value is not None]
    if not known:
        return "not known of any run"
    most, least = max(known, key=lambda pair: pair[0]), min(known, key=lambda pair: pair[0])
    tail = f" {unit}" if unit else ""
    if len(known) == 1:
        return f"{units.number(most[0])}{tail} in {most[1]}"
    if most[0] == least[0]:
        return f"{units.number(most[0])}{tail} in each run"
    return (f"from {units.number(least[0])}{tail} in {least[1]} "
            f"to {units.number(most[0])}{tail} in {most[1]}")


def bars(title, names, columns, unit, what):
    """A bar chart, or None if no run has any of it.

    columns: (name of the series, values, maybe errors); unit as in units.SCALES, or as printed.
    """
    columns = [column for column in columns if any(value is not None for value in column[1])]
    if not columns:
        return None
    note = ""
    if len(names) > MOST_RUNS:
        note = f" The first {MOST_RUNS} of {len(names)} runs; the table of runs has all."
        names = names[:MOST_RUNS]
    columns = [(name, values[:MOST_RUNS], *(e[:MOST_RUNS] for e in errors))
               for name, values, *errors in columns]
    factor, unit_name = units.scale([v for _, values, *_ in columns for v in values], unit)
    series, words = [], []
    for name, values, *errors in columns:
        values = [units.times(value, factor) for value in values]
        entry = {"name": name, "values": values}
        if errors:
            entry["errors"] = [units.times(value, factor) for value in errors[0]]
        series.append(entry)
        words.append(f"{name}: {extremes(names, values, unit_name)}")
    summary = "; ".join(words)
    if all(value in (0, None) for entry in series for value in entry["values"]):
        summary = "0 in each run"
    label = f"{what} ({unit_name})" if unit_name else what
    return {"kind": "bars", "title": title, "xlabel": label, "ylabel": "run",
            "categories": names, "series": series, "summary": summary + "." + note, "log": "x"}


# title, unit, what the axis says, (name of the series, key of a run)...
RUN_BARS = [
    ("Completion time by run", "ns", "flow completion time",
     ("median", "fct_ns.p50"), ("99th percentile", "fct_ns.p99")),
    ("Slowdown by run", "", "completion time / time of the same message alone",
     ("median", "slowdown.p50"), ("99th percentile", "slowdown.p99")),
    ("Goodput by run", "bps", "goodput", ("goodput", "goodput_bps")),
    ("Utilization by run", "", "share of line rate", ("mean", "utilization.mean"),
     ("busiest link", "utilization.bottleneck")),
    ("PFC pauses by run", "", "XOFF transitions (number)", ("XOFF", "pfc.xoff")),
]
WORK_BARS = [
    ("Collective bandwidth by run", "Bps", "bandwidth", ("algorithm bandwidth", "algbw_Bps"),
     ("bus bandwidth", "busbw_Bps")),
    ("Time of the collective by run", "s", "time", ("collective", "collective_s")),
    ("GPU utilization by run", "", "share of the time in which GPUs compute",
     ("GPU utilization", "gpu_utilization")),
    ("Time of a step by run", "s", "time", ("step", "step_s"), ("job", "job_s"),
     ("exposed communication", "exposed_comm_s")),
]
# figure of a summary over seeds, title, unit, what the axis says
SUMMARY_BARS = [
    ("goodput_share", "Goodput over seeds", "", "payload / line rate"),
    ("utilization", "Utilization over seeds", "", "share of line rate"),
    ("worst_share", "Worst flow over seeds", "", "rate / max-min fair rate"),
    ("xoff", "PFC pauses over seeds", "", "XOFF in the window (number)"),
    ("worst_queue_bytes", "Longest queue over seeds", "bytes", "queue"),
    ("ttd_std_share", "Spread of time to data over seeds", "", "standard deviation / mean"),
    ("mean_share", "Mean pair over seeds", "", "share of line rate"),
    ("slowest_share", "Slowest pair over seeds", "", "share of line rate"),
]


def run_bars(runs, table):
    """The charts of a table like RUN_BARS."""
    names = [run["label"] for run in runs]
    found = [bars(title, names, [(name, [get(run, key) for run in runs]) for name, key in columns],
                  unit, what) for title, unit, what, *columns in table]
    return [chart for chart in found if chart]


def traffic_bars(runs):
    """Bytes by kind of traffic; None if no run has the key."""
    kinds = list(dict.fromkeys(kind for run in runs for kind in run.get("traffic_bytes", {})))
    columns = [(kind, [number_of(run.get("traffic_bytes", {}).get(kind)) for run in runs])
               for kind in kinds]
    return bars("Traffic by kind and run", [run["label"] for run in runs], columns, "bytes",
                "bytes sent")


def number_of(value):
    """The value if it is a number, else None."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def is_figure(value):
    """Whether it is mean and std over seeds."""
    return isinstance(value, dict) and "mean" in value and "std" in value and all(
        number_of(value[part]) is not None or value[part] is None for part in ("mean", "std"))


def summary_bars(summary):
    """Charts of known figures of a summary over seeds."""
    names = list(summary)
    charts = []
    for figure, title, unit, what in SUMMARY_BARS:
        rows = [summary[name].get(figure) for name in names]
        means = [row["mean"] if is_figure(row) else None for row in rows]
        errors = [row["std"] if is_figure(row) else None for row in rows]
        chart = bars(title, names, [("mean", means, errors)], unit, what)
        if chart:
            chart["summary"] += " The whiskers are one standard deviation over seeds."
            charts.append(chart)
    return charts
