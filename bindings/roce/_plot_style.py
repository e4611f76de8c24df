# SPDX-License-Identifier: GPL-2.0-only
"""Colours, dashes, hatches, units and axes of roce.plot; tools/plot.py takes colours from here."""

# Okabe and Ito's palette, dark ones first; what differs in colour differs in dashes or hatches too
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
HATCHES = ["", "///", "...", "\\\\\\", "xxx", "---", "++"]
TEXT = "#444444"

# kind of a task: name, colour, hatches; grey is what a rank does not do but wait for
TASKS = {
    "forward": ("forward", "#0072B2", ""),
    "backward": ("backward", "#E69F00", ""),
    "optimizer": ("optimizer", "#000000", ""),
    "tensor": ("tensor collective", "#009E73", ""),
    "expert": ("expert all-to-all", "#56B4E9", "xxx"),
    "receive": ("wait for a stage", "#E4E4E4", ""),
    "send": ("send to a stage", "#CC79A7", ""),
    "data": ("gradients", "#D55E00", "///"),
}
BESIDE = ("send", "data")  # a rank does not wait for these: lower half of its row

TIMES = [(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")]
BYTES = [(1.0, "B"), (1e3, "KB"), (1e6, "MB"), (1e9, "GB")]
RATES = [(1.0, "bit/s"), (1e3, "Kbit/s"), (1e6, "Mbit/s"), (1e9, "Gbit/s"), (1e12, "Tbit/s")]
BYTE_RATES = [(1.0, "B/s"), (1e3, "KB/s"), (1e6, "MB/s"), (1e9, "GB/s")]


def unit_of(units, largest):
    """Factor and name of the largest unit of which there are at least two; else the smallest."""
    return next((u for u in reversed(units) if largest >= 2 * u[0]), units[0])


def pyplot():
    """matplotlib.pyplot, which is needed for drawing only."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "roce.plot needs matplotlib; on Debian: apt-get install python3-matplotlib"
        ) from error
    return matplotlib.pyplot


def axes_of(ax, height=3.8):
    """The given axes, or those of a new figure as wide as a notebook's cell."""
    if ax is None:
        ax = pyplot().subplots(figsize=(7, height), dpi=100, layout="constrained")[1]
    elif not hasattr(ax, "plot"):
        raise ValueError(f"ax is a {type(ax).__name__}: expected matplotlib Axes, or None for new")
    ax.set_axisbelow(True)
    ax.grid(True, color="#B0B0B0", alpha=0.35, linewidth=0.7)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def line_style(index):
    """Colour, dashes and width of line number index; 49 differ."""
    return {
        "color": COLORS[index % len(COLORS)],
        "linestyle": DASHES[(index + index // len(COLORS)) % len(DASHES)],
        "linewidth": 1.8,
    }


def bar_style(index):
    """Colour and hatch of bars number index; 49 differ."""
    return {
        "color": COLORS[index % len(COLORS)],
        "hatch": HATCHES[(index + index // len(COLORS)) % len(HATCHES)],
        "edgecolor": "white",
        "linewidth": 0.6,
    }


def finish(ax, xlabel, ylabel, title, legend=True):
    """Labels, title and, if something has a label, a legend that covers no data it can avoid."""
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.set_title(title, fontsize=11)
    if legend and ax.get_legend_handles_labels()[0]:
        ax.legend(loc="best", fontsize=9, framealpha=0.9, handlelength=2.8)
    return ax


def nothing(ax, text):
    """Say in the middle of the axes that there is nothing."""
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes, color=TEXT)


def lines(ax, curves, units, name, title):
    """Draw lines over time that keep their value until the next one.

    curves: label, rows of s and a value, and, if there is a band, rows of s, lowest and highest.
    """
    scale, unit = unit_of(units, max(rows[:, 1].max() for _, rows, *_ in curves))
    tick, time = unit_of(TIMES, 1e9 * max(rows[-1, 0] for _, rows, *_ in curves))
    for index, (label, rows, *bands) in enumerate(curves):
        look = {**line_style(index), "linewidth": 1.5}
        for band in bands:
            ax.fill_between(band[:, 0] * 1e9 / tick, band[:, 1] / scale, band[:, 2] / scale,
                            step="post", color=look["color"], alpha=0.15, linewidth=0)
        ax.step(rows[:, 0] * 1e9 / tick, rows[:, 1] / scale, where="post", label=label, **look)
    ax.set_ylim(bottom=0)
    return finish(ax, f"simulated time ({time})", f"{name} ({unit})", title)
