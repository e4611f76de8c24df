# SPDX-License-Identifier: GPL-2.0-only
"""Pauses over time in roce.plot."""

from . import _plot_data as data
from . import _plot_style as style

_HINT = 'roce.run(pauses=True), or "monitors": {"pauses": true} of an experiment'
# by whom: name, colour, share of a row; who cannot see the colour sees the height
_KINDS = {
    True: ("by a host", "#D55E00", 0.72),
    False: ("by a switch", "#0072B2", 0.40),
}


def pfc_timeline(runs, rows=12, ax=None):
    """Draw pauses as bars from XOFF to XON, a row a port that must not send.

    runs  of roce.run(pauses=True)
    rows  draw at most so many, those that were paused longest

    At the right of a row is for how long its port was paused in all, and how often. A pause that a
    host has sent is a high bar, one of a switch a low one. What goes on at the end of a run is drawn
    up to there.
    """
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= 200:
        raise ValueError(f"rows = {rows!r}: expected a number from 1 to 200")
    given = data.runs_of(runs)
    ports, last = {}, 0.0
    for index, (label, run) in enumerate(given):
        pauses = data.part_of(run, label, "pauses", _HINT)
        for pause in pauses["episodes"]:
            end = pauses["end_s"] if pause["end_s"] is None else pause["end_s"]
            key = (index, not pause["host"], pause["node"], pause["port"], pause["priority"])
            ports.setdefault(key, []).append((pause["begin_s"], end, pause["by_host"]))
            last = max(last, end)
    several = len({key[4] for key in ports}) > 1
    longest = sorted(ports, key=lambda key: (-_paused(ports[key]), key))
    shown = sorted(longest[:rows])
    ax = style.axes_of(ax, 1.5 + 0.32 * max(3, len(shown)))
    tick, time = style.unit_of(style.TIMES, 1e9 * last)
    for row, key in enumerate(shown):
        for kind, (name, color, height) in _KINDS.items():
            spans = [(b * 1e9 / tick, (e - b) * 1e9 / tick) for b, e, k in ports[key] if k == kind]
            if spans:
                ax.broken_barh(spans, (row - height / 2, height), facecolor=color, edgecolor=color,
                               linewidth=0.4, label=name)
        ax.text(1.01, row, _sum(ports[key]), transform=ax.get_yaxis_transform(), va="center",
                fontsize=8, color=style.TEXT)
    if not shown:
        style.nothing(ax, "no pause in any run")
    ax.set_yticks(range(len(shown)), [_name(key, given, several) for key in shown])
    ax.set_ylim(max(1, len(shown)) - 0.4, -0.6)
    ax.set_xlim(0, 1e9 * last / tick or 1)
    ax.grid(False, axis="y")
    title = "PFC pauses"
    if len(shown) < len(ports):
        title += f", {len(shown)} of {len(ports)} ports"
    style.finish(ax, f"simulated time ({time})", "paused port (name)", "", legend=False)
    ax.set_title(title, fontsize=11, loc="left")  # the legend is to the right of it
    handles = dict(zip(*reversed(ax.get_legend_handles_labels())))
    if handles:
        ax.legend(handles.values(), handles.keys(), fontsize=9, ncol=2, loc="lower right",
                  bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, frameon=False)
    return ax


def _paused(pauses):
    return sum(end - begin for begin, end, _ in pauses)


def _sum(pauses):
    ns = 1e9 * _paused(pauses)
    factor, unit = style.unit_of(style.TIMES, ns)
    size = ns / factor
    return f"{size:.{0 if size >= 100 else 3}{'f' if size >= 100 else 'g'}} {unit}, {len(pauses)}×"


def _name(key, given, several):
    index, is_switch, node, port, priority = key
    name = f"switch {node} port {port}" if is_switch else f"host {node}"
    if not is_switch and port:
        name += f" port {port}"
    if several:
        name += f" priority {priority}"
    return f"{given[index][0]}: {name}" if len(given) > 1 else name
