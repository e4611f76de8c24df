# SPDX-License-Identifier: GPL-2.0-only
"""Tables of sweeps in roce.plot."""

from . import _plot_data as data
from . import _plot_style as style
from ._plot_bars import name_of, units_of


def sweep_lines(table, x, figure, lines=None, ax=None):
    """Draw a number of a sweep over one of its axes: a line, the mean of rows alike, and their range.

    table   DataFrame of roce.sweep
    x       path of the axis to draw over, "/traffic/0/load"
    figure  column of the number, "slowdown.p99"; its end tells the unit, as in compare_bars
    lines   path of the axis with a line a value, "/cc"; None: one line

    Rows that have the same x and line, as those of several seeds, are a mean, and a bar from the
    lowest to the highest. Rows that failed are left out. Text at x is drawn in the order of the table.
    """
    if not data.is_frame(table):
        raise ValueError(f"table is {data.kind_of(table)}: expected the DataFrame of roce.sweep")
    for name in filter(None, (x, figure, lines)):
        if name not in table.columns:
            known = ", ".join(map(str, list(table.columns)[:12]))
            raise ValueError(f"the table has no column {name!r}; it has {known}, ...")
    done = table[table[figure].notna()]
    if not len(done):
        raise ValueError(f"no row of the table has {figure!r}: nothing to draw")
    places = list(done[x].unique())
    numeric = all(isinstance(p, (int, float)) or hasattr(p, "dtype") for p in places)
    at = {p: float(p) if numeric else place for place, p in enumerate(places)}
    units = units_of(figure)
    factor, unit = style.unit_of(units, done[figure].max())
    ax = style.axes_of(ax)
    groups = [(None, done)] if lines is None else done.groupby(lines, sort=False)
    for index, (label, rows) in enumerate(groups):
        spread = (rows.groupby(x, sort=numeric)[figure].agg(["mean", "min", "max"])) / factor
        where = [at[p] for p in spread.index]
        look = {**style.line_style(index), "marker": style.MARKERS[index % 7], "markersize": 5}
        ends = [spread["mean"] - spread["min"], spread["max"] - spread["mean"]]
        ax.errorbar(where, spread["mean"], yerr=ends, capsize=3 + 2 * index, elinewidth=1,
                    label="_" if label is None else str(label), **look)
    if not numeric:
        ax.set_xticks(range(len(places)), list(map(str, places)))
    ax.set_ylim(bottom=-0.02 * ax.get_ylim()[1])  # a line at 0 can be seen
    several = len(done) > len(done.drop_duplicates([c for c in (x, lines) if c]))
    title = f"{name_of(figure)} over {x}" + (": mean and range" if several else "")
    return style.finish(ax, f"{x} (value)", f"{name_of(figure)} ({unit})", title)
