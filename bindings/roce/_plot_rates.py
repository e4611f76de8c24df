# SPDX-License-Identifier: GPL-2.0-only
"""Rates over time in roce.plot."""

from . import _plot_data as data
from . import _plot_style as style

_LINES = 8  # queue pairs with a line each; of more the mean and the range are drawn
_FIGURES = {
    "rate": ("rate_bps", "rate", "Rate that the law allows"),
    "goodput": ("goodput_bps", "goodput", "Payload acknowledged"),
}
_HINT = 'roce.run(rates="5us"), or "monitors": {"rates": "5us"} of an experiment'


def rate_over_time(runs, figure="rate", pairs=None, ax=None):
    """Draw rates of queue pairs over time.

    runs    of roce.run(rates="5us"), or {label: rows of time in s and bit/s}, or such rows alone
    figure  of runs: "rate", what the law allows, or "goodput", payload that is acknowledged. A window
            may allow less than the rate
    pairs   of runs: (host, peer) of the queue pairs to draw; None: all

    Up to 8 queue pairs have a line each, named by their hosts. Of more each run has a line, the mean
    of its queue pairs at work, in a band from the lowest to the highest.
    """
    if figure not in _FIGURES:
        raise ValueError(f"figure = {figure!r}: expected {', '.join(map(repr, _FIGURES))}")
    ax = style.axes_of(ax)
    given = data.runs_of(runs, "rows of s and bit/s, ")
    if not any(data.is_result(run) or data.is_run(run) for _, run in given):
        curves = [(label, _rows(rows, label)) for label, rows in given]
        return style.lines(ax, curves, style.RATES, "rate", "Rate over time")
    key, name, title = _FIGURES[figure]
    by_run = []
    for label, run in given:
        found = data.part_of(run, label, "rates", _HINT)["queue_pairs"]
        if pairs is not None:
            wanted = {tuple(pair) for pair in pairs}
            found = [pair for pair in found if (pair["host"], pair["peer"]) in wanted]
        steps = [(pair, _steps(pair, key)) for pair in found]
        by_run.append((label, [(pair, line) for pair, line in steps if len(line)]))
        if not by_run[-1][1]:
            raise ValueError(
                f'run "{label}" has no samples of {key}'
                + (": a shorter interval of rates" if pairs is None else f" of the pairs {pairs!r}")
            )
    if sum(len(lines) for _, lines in by_run) > _LINES:
        curves = [(label, *_spread([line for _, line in lines])) for label, lines in by_run]
        title += ": mean and range of queue pairs"
    else:
        curves = [
            (_name(label if len(by_run) > 1 else "", pair, [p for p, _ in lines]), line)
            for label, lines in by_run for pair, line in lines
        ]
    return style.lines(ax, curves, style.RATES, name, title)


def _rows(rows, label):
    rows = data.pairs(rows, label, "rates")
    if not len(rows):
        raise ValueError(f'"{label}" has no rows: expected rows of s and bit/s')
    return rows


def _name(label, pair, pairs):
    """Of a queue pair: its hosts, and its number if others have the same hosts."""
    ends = [(p["host"], p["peer"]) for p in pairs]
    name = f"host {pair['host']} to {'?' if pair['peer'] is None else pair['peer']}"
    if ends.count((pair["host"], pair["peer"])) > 1:
        name += f", QP {pair['qpn']}"
    return f"{label}: {name}" if label else name


def _steps(track, key):
    """Rows of s and a value that holds until the next row, the last one until its own time."""
    import numpy

    times = numpy.array(track["s"], dtype=float)
    values = numpy.array([float("nan") if v is None else v for v in track[key]], dtype=float)
    if key == "goodput_bps":
        values = values[1:]  # each is that of the time before its sample
        values = numpy.append(values, values[-1:])
    return numpy.column_stack([times, values]) if len(values) == len(times) else numpy.empty((0, 2))


def _at(rows, times):
    """Values of a line at times; not a number where it is not."""
    import numpy

    index = numpy.searchsorted(rows[:, 0], times, side="right") - 1
    values = numpy.where(index >= 0, rows[numpy.maximum(index, 0), 1], numpy.nan)
    return numpy.where(times < rows[-1, 0], values, numpy.nan)


def _spread(lines):
    """The mean of lines over time, and rows of s, lowest and highest."""
    import numpy

    times = numpy.unique(numpy.concatenate([rows[:, 0] for rows in lines]))
    table = numpy.array([_at(rows, times) for rows in lines])
    known = ~numpy.isnan(table).all(axis=0)
    times, table = times[known], table[:, known]
    band = numpy.column_stack([times, numpy.nanmin(table, axis=0), numpy.nanmax(table, axis=0)])
    return numpy.column_stack([times, numpy.nanmean(table, axis=0)]), band


def domain_rates(run, pair=None, names=None, ax=None):
    """Draw what hierarchical congestion control allows a queue pair for each congestion point.

    run    one run of roce.run(rates="5us") with cc="hcc"
    pair   (host, peer) of the queue pair; None: the one with most congestion points
    names  of the domains by their numbers, as HccHelper.domain_names(graph) gives

    The wide grey line is the least of them, at which the queue pair may send.
    """
    import numpy

    given = data.runs_of(run)
    if len(given) != 1:
        raise ValueError(f"{len(given)} runs: expected one, as each of its points has a line")
    ((label, one),) = given
    pairs = data.part_of(one, label, "rates", _HINT)["queue_pairs"]
    known = [p for p in pairs if p["points"]]
    if not known:
        raise ValueError(f'run "{label}" has no rates of congestion points: it takes cc="hcc", and CNPs')
    chosen = max(known, key=lambda p: len(p["points"]))
    if pair is not None:
        found = [p for p in known if (p["host"], p["peer"]) == tuple(pair)]
        if not found:
            has = ", ".join(f"({p['host']}, {p['peer']})" for p in known[:8])
            raise ValueError(f"pair = {pair!r}: expected one with congestion points, as {has}")
        chosen = found[0]
    ax = style.axes_of(ax)
    curves = [(_point(p, names), _steps(p, "rate_bps")) for p in chosen["points"]]
    times = numpy.unique(numpy.concatenate([rows[:, 0] for _, rows in curves]))
    least = numpy.nanmin([_at(numpy.append(rows, [[numpy.inf, 0]], axis=0), times)
                          for _, rows in curves], axis=0)
    title = f"{label}: rates of host {chosen['host']} to {chosen['peer']} by congestion point"
    style.lines(ax, curves, style.RATES, "rate", title)
    tick = 1e9 / style.unit_of(style.TIMES, 1e9 * times[-1])[0]
    scale = style.unit_of(style.RATES, max(rows[:, 1].max() for _, rows in curves))[0]
    ax.step(times * tick, least / scale, where="post", label="least of them", color="#BBBBBB",
            linewidth=6, zorder=1, solid_capstyle="butt")
    ax.legend(loc="best", fontsize=9, framealpha=0.9, handlelength=2.8)
    return ax


def _point(track, names):
    """What a congestion point is called."""
    domain, point = track["domain"], track["point"]
    if domain is None:
        return "CNPs without a name"
    known = names is not None and 0 <= domain < len(names)
    name = names[domain] if known else f"domain {domain}"
    return name if point is None else f"{name}, point {point}"
