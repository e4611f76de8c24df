# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of results, by matplotlib.

    import roce

    star = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=5)
    fabric = roce.Fabric(star, cc="dcqcn", switch={"BufferSize": "4MiB"})
    for sender in range(4):
        fabric.connect(sender, 4).post("1MB")
    result = roce.run(fabric, label="incast", queues="5us")
    roce.plot.fct_cdf(result)
    roce.plot.queue_over_time(result).figure.savefig("queue.png")

Each function takes runs: a Result, the dict of a result file (roce-result/1) or of a run in one, a
list of them, or a dict {label: run}; some take DataFrames (Result.to_pandas) or arrays too. `ax` are
the Axes to draw on; None makes a figure as wide as a notebook's cell. The Axes are returned.
ValueError says what was found and what was expected. Colours are Okabe and Ito's; dashes, markers
and hatches differ as well. Every axis has its unit. matplotlib is imported when something is drawn.
"""

from ._plot_bars import compare_bars, training_gantt
from ._plot_fabric import link_heatmap
from ._plot_pauses import pfc_timeline
from ._plot_rates import domain_rates, rate_over_time
from ._plot_sweep import sweep_lines
from . import _plot_data as data
from . import _plot_style as style

__all__ = [
    "cnp_over_time",
    "compare_bars",
    "domain_rates",
    "fct_cdf",
    "link_heatmap",
    "pfc_timeline",
    "queue_over_time",
    "rate_over_time",
    "slowdown_by_size",
    "sweep_lines",
    "training_gantt",
    "ttd_histogram",
    "xoff_over_time",
]

_FRAMES = "a DataFrame, an array, "
_BUCKETS = 64  # of a series in a picture: more cannot be told apart in a cell of a notebook


def fct_cdf(runs, ax=None):
    """Draw the share of messages done within a time, a line a run.

    runs  results, dicts, DataFrames with fct_ns, or arrays of ns
    """
    import numpy

    ax = style.axes_of(ax)
    lines = []
    for label, run in data.runs_of(runs, _FRAMES):
        if data.is_run(run):
            points = data.pairs(run.get("fct_cdf", []), label, "fct_cdf")
            x, y = points[:, 0], points[:, 1]
        else:
            x = numpy.sort(data.samples(run, label, "fct_sorted_ns", "fct_ns"))
            y = numpy.arange(1, len(x) + 1) / max(1, len(x))
        if not len(x):
            raise ValueError(f'run "{label}" has no completed messages: nothing to draw')
        lines.append((label, x, y))
    factor, unit = style.unit_of(style.TIMES, max(x[-1] for _, x, _ in lines))
    for index, (label, x, y) in enumerate(lines):
        x, y = numpy.append(x[:1], x), numpy.append(0.0, y)  # rises from 0 at the first one
        ax.step(x / factor, y, where="post", label=label, **style.line_style(index))
    ax.set_ylim(-0.02, 1.02)
    return style.finish(
        ax, f"completion time ({unit})", "share of messages (1)", "Flow completion time"
    )


def slowdown_by_size(runs, ideal=None, ax=None):
    """Draw completion time / that of the message alone over its size: median and 99th percentile.

    runs   results or DataFrames; these may have the columns bytes and slowdown
    ideal  what a message alone takes: the Fabric, before roce.destroy(), or a function (host,
           peer, bytes) -> ns; not needed for DataFrames with slowdown

    More than 16 different sizes are put together by powers of 2, at the largest of each.
    """
    import numpy

    ax = style.axes_of(ax)
    largest = 0
    curves = []
    for label, run in data.runs_of(runs, "a DataFrame, "):
        sizes, slowdown = _slowdowns(run, label, ideal)
        keys = sizes
        if len(numpy.unique(sizes)) > 16:
            keys = numpy.exp2(numpy.ceil(numpy.log2(numpy.maximum(sizes, 1))))
        x = [sizes[keys == key].max() for key in numpy.unique(keys)]
        middle, high = (
            [numpy.percentile(slowdown[keys == key], share) for key in numpy.unique(keys)]
            for share in (50, 99)
        )
        largest = max(largest, x[-1])
        curves.append((label, x, middle, high))
    factor, unit = style.unit_of(style.BYTES, largest)
    for index, (label, x, middle, high) in enumerate(curves):
        look = {**style.line_style(index), "marker": style.MARKERS[index % 7], "markersize": 5}
        x = numpy.array(x) / factor
        ax.plot(x, high, label=f"{label}, 99th percentile", **look)
        ax.plot(x, middle, label=f"{label}, median", **{**look, "linewidth": 1.0, "mfc": "white"})
    ax.set_xscale("log")
    sizes = sorted({x for _, xs, _, _ in curves for x in xs})
    if len(sizes) <= 7:
        ax.set_xticks([x / factor for x in sizes], [f"{x / factor:g}" for x in sizes])
        ax.minorticks_off()
    top = max(max(high) for _, _, _, high in curves)
    ax.set_ylim(0, top * (1.1 + 0.12 * len(curves)))  # room for the legend
    style.finish(ax, f"message size ({unit})", "slowdown (1)", "Slowdown by size", legend=False)
    ax.legend(loc="upper left", ncol=2, fontsize=8, handlelength=3.2)
    return ax


def _slowdowns(run, label, ideal):
    """Sizes and slowdowns of the messages of a run."""
    if data.is_frame(run) and "slowdown" in run.columns:
        columns = [data.column(run, name, label) for name in ("bytes", "slowdown")]
    else:
        function = getattr(ideal, "ideal_completion_ns", ideal)
        if not callable(function):
            raise ValueError(
                f"ideal is {data.kind_of(ideal)}: expected the Fabric or a function of host, peer "
                "and bytes, as the messages have no column slowdown"
            )
        if data.is_result(run):
            m = run.messages
            columns = [m[name].astype(float) for name in ("bytes", "host", "peer")] + [run.fct_ns]
        elif data.is_frame(run):
            columns = [data.column(run, n, label) for n in ("bytes", "host", "peer", "fct_ns")]
        else:
            raise ValueError(f'run "{label}" is {data.kind_of(run)}: expected a Result or DataFrame')
        rows = list(zip(*(map(int, c) for c in columns[:3])))
        alone = {(h, p, b): float(function(h, p, b)) for b, h, p in set(rows)}
        sizes, fct = columns[0], columns[3]
        columns = [sizes, fct / [alone[(h, p, b)] for b, h, p in rows]] if rows else [sizes, fct]
    if not len(columns[0]):
        raise ValueError(f'run "{label}" has no completed messages: nothing to draw')
    return columns


def queue_over_time(runs, ax=None):
    """Draw the longest queue of any switch over time, a line a run.

    runs  of roce.run(queues="10us"), or arrays of rows of s and bytes
    """
    ax = style.axes_of(ax)
    curves = []
    for label, run in data.runs_of(runs, _FRAMES):
        asked = run.as_dict() if data.is_result(run) else run
        if data.is_run(asked) and "queues" not in asked:
            raise ValueError(f'run "{label}" has no samples of queues: roce.run(queues="10us")')
        series = data.series_of(run, label, "queue_bytes", ("queues", "max_bytes_over_s"))
        if not len(series):
            raise ValueError(f'run "{label}" has no samples of queues: roce.run(queues="10us")')
        if data.is_run(asked):
            series = data.sampled(series, asked["queues"].get("interval_ns"))
        curves.append((label, series))
    return style.lines(ax, curves, style.BYTES, "longest queue", "Longest switch queue")


def cnp_over_time(runs, ax=None):
    """Draw CNPs that arrive, over time; totals are in the legend.

    runs  results, dicts, or arrays of rows of s and CNPs a second. Steps are
          means of buckets, as many as make a 64th of the longest run
    """
    return _events(runs, ax, "cnp_per_s", ("cnp", "per_s"), "cnp.received", "CNP")


def xoff_over_time(runs, ax=None):
    """Draw how often switches paused others: XOFFs over time, totals in the legend.

    runs  results, dicts, or arrays of rows of s and XOFFs a second, as of cnp_over_time
    """
    return _events(runs, ax, "xoff_per_s", ("pfc", "xoff_per_s"), "pfc.xoff", "XOFF")


def _events(runs, ax, attribute, keys, total, name):
    """Events a second over time."""
    import numpy

    ax = style.axes_of(ax)
    curves = []
    given = [(n, r, data.series_of(r, n, attribute, keys)) for n, r in data.runs_of(runs, _FRAMES)]
    wanted = max(series[-1, 0] if len(series) else 0 for _, _, series in given) / _BUCKETS
    for label, run, series in given:
        begins, values, end = data.thin(series, wanted)
        if data.is_result(run) or data.is_run(run):
            label = f"{label}: {data.look_up(run, total, label):g}"
        curves.append((label, begins, values, end))
    tick, time = style.unit_of(style.TIMES, 1e9 * max(end for _, _, _, end in curves))
    for index, (label, begins, values, end) in enumerate(curves):
        look = {**style.line_style(index), "linewidth": 1.3}
        if not len(begins):
            ax.plot([], [], label=label, **look)
            continue
        x = numpy.append(begins, end) * 1e9 / tick
        y = numpy.append(values, 0) / 1e6
        ax.fill_between(x, y, step="post", color=look["color"], alpha=0.15, linewidth=0)
        ax.step(x, y, where="post", label=label, **look)
    if not any(len(begins) for _, begins, _, _ in curves):
        style.nothing(ax, f"no {name} in any run")
    ax.set_ylim(bottom=0)
    return style.finish(ax, f"simulated time ({time})", f"{name} frames (1/µs)", f"{name} over time")


def ttd_histogram(runs, bins=30, ax=None):
    """Draw how many messages took how long until their data was there.

    runs  results, DataFrames with ttd_ns, or arrays of ns
    bins  number of bins, all of one width and the same for all runs
    """
    import numpy

    if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= 1000:
        raise ValueError(f"bins = {bins!r}: expected a number from 1 to 1000")
    ax = style.axes_of(ax)
    times = []
    for label, run in data.runs_of(runs, _FRAMES):
        ns = data.samples(run, label, "ttd_sorted_ns", "ttd_ns")
        if not len(ns):
            raise ValueError(f'run "{label}" has no messages that arrived: nothing to draw')
        times.append((label, ns))
    factor, unit = style.unit_of(style.TIMES, max(ns.max() for _, ns in times))
    edges = numpy.histogram_bin_edges(numpy.concatenate([ns for _, ns in times]) / factor, bins)
    for index, (label, ns) in enumerate(times):
        counts, _ = numpy.histogram(ns / factor, edges)
        look = style.line_style(index)
        ax.stairs(counts, edges, fill=True, facecolor=look["color"], alpha=0.25)
        ax.stairs(counts, edges, label=label, **look)
    ax.set_ylim(bottom=0)
    return style.finish(ax, f"time to data ({unit})", "messages (number)", "Time to data")
