# SPDX-License-Identifier: GPL-2.0-only
"""Tables of the page, as HTML. Everything that comes from a file goes through text()."""

import html
import json

from . import units
from .charts import is_figure
from .load import KNOWN, get, is_number

MOST_ROWS = 200  # of a list that the page does not know
MOST_TEXT = 160  # characters of a value that the page does not know


def text(value):
    """A value as text of HTML."""
    return html.escape(str(value), quote=True)


def cell(value, factor=1):
    """A cell of a table; data-v is what a column is sorted by."""
    if value is None:
        return f"<td data-v=\"\">{units.NONE}</td>"
    if is_number(value):
        value = units.times(value, factor)
        return f"<td class=\"n\" data-v=\"{value!r}\">{text(units.number(value))}</td>"
    if isinstance(value, bool):
        return f"<td>{'yes' if value else 'no'}</td>"
    return f"<td class=\"text\">{text(value)}</td>"


def table(caption, columns, rows, groups=None, kind="", hint=""):
    """A table that scrolls by itself. rows: [name, cells as HTML...]; groups: (name, columns)..."""
    head = ""
    if groups:
        spans = "".join(f"<th scope=\"colgroup\" colspan=\"{span}\">{text(name)}</th>" if name
                        else f"<td colspan=\"{span}\"></td>" for name, span in groups)
        head = f"<tr>{spans}</tr>"
    head += "<tr>" + "".join(f"<th scope=\"col\">{text(name)}</th>" for name in columns) + "</tr>"
    body = "\n".join(f"<tr><th scope=\"row\">{text(name)}</th>{''.join(cells)}</tr>"
                     for name, *cells in rows)
    return (f"<div class=\"scroll\" role=\"region\" aria-label=\"{text(caption)}\" tabindex=\"0\">"
            f"<table class=\"{kind}\"><caption>{text(caption)}{hint}</caption>\n"
            f"<thead>{head}</thead>\n<tbody>\n{body}\n</tbody></table></div>")


# group, unit, (heading, key, maybe a unit of its own)...; columns that no run has are left out
RUN_COLUMNS = [
    ("Messages", "", ("completed", "messages.completed"), ("posted", "messages.posted"),
     ("failed", "messages.failed"), ("lost", "messages.lost")),
    ("Completion time", "ns", ("min", "fct_ns.min"), ("mean", "fct_ns.mean"), ("p50", "fct_ns.p50"),
     ("p99", "fct_ns.p99"), ("max", "fct_ns.max")),
    ("Slowdown", "", ("min", "slowdown.min"), ("mean", "slowdown.mean"), ("p50", "slowdown.p50"),
     ("p99", "slowdown.p99"), ("max", "slowdown.max")),
    ("Time to data", "ns", ("mean", "ttd_ns.mean"), ("std", "ttd_ns.std")),
    ("Goodput", "bps", ("goodput", "goodput_bps")),
    ("Utilization", "", ("mean", "utilization.mean"), ("busiest", "utilization.bottleneck")),
    ("Drops", "", ("lossless", "drops.lossless"), ("lossy", "drops.lossy"),
     ("watchdog", "drops.watchdog"), ("error", "drops.error")),
    ("PFC", "", ("XOFF", "pfc.xoff"), ("XON", "pfc.xon"), ("frames", "pfc.frames"),
     ("storms", "pfc.storms"), ("paused", "pfc.paused_s", "s")),
    ("CNPs", "", ("sent", "cnp.sent"), ("received", "cnp.received")),
    ("Recovery", "", ("marked CE", "ecn_marked"), ("resent", "retransmitted"), ("NAKs", "naks"),
     ("RNR NAKs", "rnr_naks"), ("timeouts", "timeouts")),
    ("Congestion control", "", ("active", "cc.active"), ("rate changes", "cc.rate_changes"),
     ("window changes", "cc.window_changes"), ("INT ACKs", "cc.int_acks")),
    ("The run", "", ("simulated", "sim_time_s", "s"), ("took", "wall_s", "s"), ("events", "events"),
     ("frame-hops", "frame_hops")),
]


def runs_table(runs):
    """The runs and their figures; table.js makes its columns sortable."""
    groups, columns = [("", 1)], ["run"]
    cells = [[] for _ in runs]
    for group, unit, *keys in RUN_COLUMNS:
        keys = [(name, [get(run, key) for run in runs], *own) for name, key, *own in keys]
        keys = [entry for entry in keys if any(value is not None for value in entry[1])]
        if not keys:
            continue
        factor, unit_name = units.scale([value for _, values, *_ in keys for value in values], unit)
        groups.append((f"{group} ({unit_name})" if unit_name else group, len(keys)))
        for name, values, *own in keys:
            own_factor, own_name = units.scale(values, own[0]) if own else (factor, "")
            columns.append(f"{name} ({own_name})" if own_name else name)
            for row, value in zip(cells, values):
                row.append(cell(value, own_factor))
    rows = [[run["label"], *row] for run, row in zip(runs, cells)]
    return table("Runs", columns, rows, groups, "sortable runs")


def chart_table(chart):
    """The numbers of a picture."""
    if "table" in chart:
        own = chart["table"]
        return table(own["caption"], [own["head"], *own["columns"]],
                     [[name, *map(cell, values)] for name, values in own["rows"]])
    columns = []
    for series in chart["series"]:
        columns.append((series["name"], series["values"]))
        if "errors" in series:
            columns.append(("standard deviation", series["errors"]))
    rows = [[name, *(cell(values[i]) for _, values in columns)]
            for i, name in enumerate(chart["categories"])]
    return table(f"{chart['title']}: {chart['xlabel']}", ["run", *(c[0] for c in columns)], rows)


def summary_table(title, summary):
    """Mean and standard deviation over seeds; figures as rows, labels as columns."""
    figures = list(dict.fromkeys(key for row in summary.values() for key in row))
    rows = []
    for figure in figures:
        cells = []
        for row in summary.values():
            value = row.get(figure)
            if is_figure(value) and len(value) == 2 and value["mean"] is not None:
                shown = text(units.number(value["mean"]))
                if value["std"]:
                    shown += f" <small>\u00b1 {text(units.number(value['std'], 3))}</small>"
                cells.append(f"<td class=\"n\">{shown}</td>")
            else:
                cells.append(generic_cell(value))
        rows.append([figure, *cells])
    return table(title, ["figure", *summary], rows)


def short(value):
    """A value that the page does not know, in one line."""
    if isinstance(value, list) and len(value) > 3 and all(map(is_number, value)):
        return (f"{len(value):,} numbers: least {units.number(min(value))}, mean "
                f"{units.number(sum(value) / len(value))}, most {units.number(max(value))}")
    if isinstance(value, (dict, list)):
        whole = json.dumps(value, ensure_ascii=False)
    else:
        whole = str(value)
    return whole if len(whole) <= MOST_TEXT else \
        f"{whole[:MOST_TEXT]}... ({len(whole):,} characters)"


def generic_cell(value):
    """A cell of any value."""
    if value is None or isinstance(value, bool) or is_number(value):
        return cell(value)
    return cell(short(value))


def flat(value, prefix=""):
    """Dotted key -> value of objects within objects."""
    found = {}
    for key, inner in value.items():
        if isinstance(inner, dict) and inner and len(prefix.split(".")) < 4:
            found.update(flat(inner, f"{prefix}{key}."))
        else:
            found[prefix + key] = inner
    return found


def is_rows(value):
    """Whether it is a list of objects, which make a table of their own."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def rows_table(title, rows):
    """A list of objects."""
    shown = [flat(row) for row in rows[:MOST_ROWS]]
    columns = list(dict.fromkeys(key for row in shown for key in row))
    if len(rows) > MOST_ROWS:
        title += f" (the first {MOST_ROWS} of {len(rows)})"
    return table(title, ["number", *columns],
                 [[number, *(generic_cell(row.get(key)) for key in columns)]
                  for number, row in enumerate(shown, 1)], kind="sortable")


def extra_of(run):
    """What a run has beyond the keys that the page knows, and drop_reasons."""
    extra = {key: value for key, value in run.items() if key not in KNOWN}
    if run.get("drop_reasons"):
        extra["drop_reasons"] = run["drop_reasons"]
    for key in ("max_bytes", "max_switch", "max_port", "max_priority", "interval_ns", "samples"):
        if get(run, f"queues.{key}") is not None:
            extra[f"queues.{key}"] = run["queues"][key]
    return flat(extra)


def extra_tables(runs):
    """Tables of the keys of runs that the page does not know."""
    extras = [extra_of(run) for run in runs]
    keys = list(dict.fromkeys(key for extra in extras for key in extra))
    lists = [key for key in keys if any(is_rows(extra.get(key)) for extra in extras)]
    plain = [key for key in keys if key not in lists]
    tables = []
    if plain:
        rows = [[key, *(generic_cell(extra.get(key)) for extra in extras)] for key in plain]
        tables.append(table("Other keys of the runs", ["key", *(r["label"] for r in runs)], rows))
    for run, extra in zip(runs, extras):
        tables += [rows_table(f"{key} of {run['label']}", extra[key]) for key in lists
                   if is_rows(extra.get(key))]
    return tables
