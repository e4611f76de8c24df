#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws a result file (schema roce-result/1): FCT, goodput, utilization, PFC and CNP over time.

usage: tools/plot.py RESULT.json OUT.svg|OUT.png [--title=TEXT] [--picture=runs|headline|paths]
       tools/plot.py GANTT.json OUT.svg|OUT.png [--title=TEXT] [--job=0] [--ranks=0,16,...]

Picture "headline" shows the key "summary" of roce-headline, roce-many-flows and roce-parking-lot: mean
and standard deviation over seeds by label. It is the default for files that have the key; "runs" shows
each run. Picture "paths" shows the key "paths" of roce-int-oracle in the same way, and shares over time.

A file of tasks (schema roce-gantt/1, --gantt of roce-training) is drawn as a Gantt chart, a panel a
run: by default of the first rank of each pipeline stage.

The same result file gives the same SVG, byte for byte. Needs python3-matplotlib.
"""

import argparse
import json
import pathlib
import runpy
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot.py: matplotlib is missing; on Debian: apt-get install python3-matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# colors and names of roce.plot: one file of the source tree, which needs no build
_root = pathlib.Path(__file__).resolve().parent.parent
_shared = runpy.run_path(str(_root / "bindings" / "roce" / "_plot_style.py"))
COLORS, TASKS, BESIDE = _shared["COLORS"], _shared["TASKS"], _shared["BESIDE"]
DASHES = ["-", "--", "-.", ":"]


class PlotError(Exception):
    """What is wrong with the input, for people."""


def style(index):
    """Color and dashes of run number index."""
    return COLORS[index % len(COLORS)], DASHES[index % len(DASHES)]


def load(path):
    """The runs of a result file."""
    try:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PlotError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise PlotError(f"{path} is no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") not in ("roce-result/1", "roce-gantt/1"):
        raise PlotError(f"{path} is no result file: expected \"schema\": \"roce-result/1\", or "
                        "\"roce-gantt/1\" of tasks")
    if not data.get("runs"):
        raise PlotError(f"{path} holds no runs")
    return data


def cdf_points(run):
    """Completion times in us and the share of messages done by then, or what is known of them."""
    cdf = run.get("fct_cdf")
    if cdf:
        return [x / 1e3 for x, _ in cdf], [y for _, y in cdf]
    fct = run["fct_ns"]
    if fct["min"] is None:
        return [], []
    return [fct["min"] / 1e3, fct["p50"] / 1e3, fct["p99"] / 1e3, fct["max"] / 1e3], [0, .5, .99, 1]


def draw_fct(axes, runs):
    """Distribution of completion times; a cross at the mean."""
    for index, run in enumerate(runs):
        color, dash = style(index)
        x, y = cdf_points(run)
        if not x:
            continue
        if x[0] == x[-1]:  # all alike: a vertical line
            x, y = [x[0], x[0]], [0, 1]
        axes.step(x, y, where="post", color=color, linestyle=dash, label=run["label"], linewidth=1.8)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("flow completion time (µs)")
    axes.set_ylabel("share of messages")
    axes.set_title("Flow completion time")


def draw_bars(axes, runs):
    """Goodput on the left axis, utilization on the right one."""
    width = 0.25
    right = axes.twinx()
    bars = []
    for index, run in enumerate(runs):
        color, _ = style(index)
        goodput = axes.bar(index - width, run["goodput_bps"] / 1e9, width, color=color)
        mean = right.bar(index, 100 * run["utilization"]["mean"], width, color=color, alpha=0.55,
                         hatch="///", edgecolor="white")
        top = right.bar(index + width, 100 * run["utilization"]["bottleneck"], width, color=color,
                        alpha=0.55, hatch="...", edgecolor="white")
        axes.bar_label(goodput, fmt="%.4g", fontsize=8)
        right.bar_label(mean, fmt="%.3g", fontsize=8)
        right.bar_label(top, fmt="%.3g", fontsize=8)
        bars = [goodput, mean, top]
    axes.set_xticks(range(len(runs)), [run["label"] for run in runs])
    axes.set_xlim(-0.6, max(len(runs) - 0.4, 1.4))
    axes.set_ylabel("goodput (Gb/s)")
    axes.set_ylim(0, 1.3 * max(1e-9, max(run["goodput_bps"] for run in runs) / 1e9))
    right.set_ylabel("utilization (%)")
    right.set_ylim(0, 130)
    right.set_yticks(range(0, 101, 20))
    if bars:
        legend = right.legend(bars, ["goodput", "utilization, mean", "utilization, busiest link"],
                              fontsize=8, loc="upper center", ncol=3, columnspacing=1,
                              handlelength=1.5)
        for handle in legend.legend_handles if hasattr(legend, "legend_handles") \
                else legend.legendHandles:
            handle.set_facecolor("#777777")
    axes.set_title("Goodput and utilization")
    right.grid(False)


def thin(points, limit=80):
    """Begin in ms, rate in 1000 a second and width of at most limit buckets: means of equal runs."""
    if not points:
        return [], [], 0
    width = points[1][0] - points[0][0] if len(points) > 1 else 1e-6
    group = -(-len(points) // limit)
    begins = [1e3 * points[i][0] for i in range(0, len(points), group)]
    rates = [sum(rate for _, rate in points[i:i + group]) / group / 1e3
             for i in range(0, len(points), group)]
    return begins, rates, 1e3 * width * group


def draw_rates(axes, runs, part, key, what):
    """Events a second over time."""
    seen = False
    for index, run in enumerate(runs):
        begins, rates, width = thin(run.get(part, {}).get(key) or [])
        color, dash = style(index)
        if not begins:
            axes.plot([], [], color=color, linestyle=dash, label=run["label"] + ": 0")
            continue
        seen = True
        total = run[part]["xoff" if part == "pfc" else "sent"]
        axes.step(begins + [begins[-1] + width], rates + [0], where="post", color=color,
                  linestyle=dash, label=f"{run['label']}: {total}", linewidth=1.4)
    if not seen:
        axes.text(0.5, 0.5, "none in any run", ha="center", va="center",
                  transform=axes.transAxes, color="#555555")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("simulated time (ms)")
    axes.set_ylabel(f"{what} rate (1000/s)")
    axes.set_title(f"{what} over time, totals in the legend")


def draw_summary(axes, summary, figures, label, unit=1.0, log=False):
    """Bars of figures by label of a summary, with standard deviations."""
    width = 0.8 / len(figures)
    top = 0
    for number, (figure, name) in enumerate(figures):
        place = [i + (number - (len(figures) - 1) / 2) * width for i in range(len(summary))]
        rows = [row[figure] for row in summary.values()]
        mean = [row["mean"] / unit for row in rows]
        std = [row["std"] / unit for row in rows]
        top = max(top, *(m + s for m, s in zip(mean, std)))
        bars = axes.bar(place, mean, width, yerr=std, capsize=3, color=COLORS[number], label=name)
        axes.bar_label(bars, fmt="%.3g", fontsize=7, padding=2)
    axes.set_xticks(range(len(summary)), list(summary), rotation=30, ha="right", fontsize=8)
    axes.set_ylabel(label)
    if log and top > 0:
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(0, 8 * max(top, 1))
    else:
        axes.set_ylim(0, 1.25 * top or 1)
    if len(figures) > 1:
        axes.legend(loc="lower right", fontsize=8)


def draw_cnps(axes, data):
    """CNPs over time of the first seed of each label."""
    seen = set()
    firsts = []
    for run in data["runs"]:
        label = run["label"].rsplit("/", 1)[0]
        if label not in seen:
            seen.add(label)
            firsts.append({**run, "label": label})
    draw_rates(axes, [run for run in firsts if run["cnp"]["received"]], "cnp", "per_s", "CNP")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", fontsize=8)
    axes.set_title("CNPs over time, first seed")


def draw_headline(data):
    """Figures of all labels: mean and standard deviation over seeds."""
    summary = data["summary"]
    figure, grid = plt.subplots(2, 3, figsize=(15, 8.5), layout="constrained")
    draw_summary(grid[0][0], summary, [("goodput_share", "payload / line rate"),
                                       ("utilization", "bottleneck links")], "share")
    grid[0][0].set_title("Utilization")
    if data.get("program") == "roce-headline":
        for share, dash in ((0.95, "--"), (0.6, ":")):
            grid[0][0].axhline(share, color="#555555", linestyle=dash, linewidth=1)
        grid[0][0].set_title("Utilization; lines: the article's 95 % and 60 %")
    draw_summary(grid[0][1], summary, [("worst_share", "")], "part of its max-min rate")
    grid[0][1].set_title("Worst flow")
    draw_summary(grid[0][2], summary, [("worst_queue_bytes", "")], "KB", 1e3)
    grid[0][2].set_title("Longest queue in the window")
    draw_summary(grid[1][0], summary, [("xoff", "")], "number", log=True)
    grid[1][0].set_title("PFC XOFF in the window")
    draw_summary(grid[1][1], summary, [("ttd_std_share", "")], "standard deviation / mean")
    grid[1][1].set_title("Time to data")
    draw_cnps(grid[1][2], data)
    return figure


def draw_shares(axes, data, figure):
    """A share of line rate over time of the first seed of each label."""
    firsts = {}
    for run in data["runs"]:
        firsts.setdefault(run["label"].rsplit("/", 1)[0], run["shares_over_time"])
    for index, (label, series) in enumerate(firsts.items()):
        color, dash = style(index)
        axes.plot([row["begin_us"] / 1e3 for row in series], [row[figure] for row in series],
                  color=color, linestyle=dash, label=label, linewidth=1.8, drawstyle="steps-post")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("time (ms)")
    axes.set_ylabel("share of line rate")
    axes.legend(loc="best", fontsize=8)


def draw_paths(data):
    """Shares, moves and queues of ways to pick paths."""
    summary = data["paths"]
    figure, grid = plt.subplots(2, 2, figsize=(11, 7.5), layout="constrained")
    draw_summary(grid[0][0], summary, [("mean_share", "mean pair"),
                                       ("slowest_share", "slowest pair")], "share of line rate")
    grid[0][0].set_title("Second half of the run")
    draw_summary(grid[0][1], summary, [("worst_queue_bytes", "")], "KB", 1e3)
    grid[0][1].set_title("Longest queue in that half")
    for axes, name, title in ((grid[1][0], "mean_share", "Mean pair"),
                              (grid[1][1], "slowest_share", "Slowest pair")):
        draw_shares(axes, data, name)
        axes.set_title(f"{title} over time, first seed")
    return figure


def draw_runs(data):
    """Each run by itself."""
    runs = data["runs"]
    figure, grid = plt.subplots(2, 2, figsize=(11, 7.5), layout="constrained")
    draw_fct(grid[0][0], runs)
    draw_bars(grid[0][1], runs)
    draw_rates(grid[1][0], runs, "pfc", "xoff_per_s", "PFC XOFF")
    draw_rates(grid[1][1], runs, "cnp", "per_s", "CNP")
    for axes in (grid[0][0], grid[1][0], grid[1][1]):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best", fontsize=9)
    return figure


def chosen_ranks(job, wanted):
    """Numbers of the ranks to draw, and what to call them."""
    places = job["ranks"]
    if wanted:
        try:
            numbers = [int(text) for text in wanted.split(",")]
        except ValueError as error:
            raise PlotError(f"--ranks={wanted}: expected numbers with commas") from error
    else:
        numbers = [n for n, place in enumerate(places) if place["tensor"] == place["data"] == 0]
    for number in numbers:
        if not 0 <= number < len(places):
            raise PlotError(f"--ranks has {number}, the job has ranks 0..{len(places) - 1}")
    return {n: f"rank {n}\nstage {places[n]['pipeline']}" for n in numbers}


def draw_tasks(axes, job, ranks):
    """A row a rank: above what its program does, below what goes on beside it."""
    spans = {}
    rows = {rank: row for row, rank in enumerate(ranks)}
    for rank, _, kind, begin, end in job["tasks"]:
        if rank in rows and end > begin:
            spans.setdefault((kind, rows[rank]), []).append((begin / 1e6, (end - begin) / 1e6))
    last = max((end for _, _, _, _, end in job["tasks"]), default=0) / 1e6
    seen = {}
    for kind, (name, color, hatch) in TASKS.items():
        for row in rows.values():
            if (kind, row) in spans:
                place = (row + 0.06, 0.3) if kind in BESIDE else (row - 0.36, 0.4)
                seen[name] = axes.broken_barh(
                    spans[(kind, row)], place, facecolor=color, hatch=hatch,
                    edgecolor="white" if hatch or kind in ("forward", "backward") else color,
                    linewidth=0.3 if hatch or kind in ("forward", "backward") else 0)
    axes.set_yticks(list(rows.values()), list(ranks.values()), fontsize=8)
    axes.set_ylim(len(rows) - 0.45, -0.5)
    axes.axvline(last, color="#555555", linestyle="--", linewidth=1)
    axes.grid(axis="y", visible=False)
    return last, seen


def draw_gantt(data, number, wanted):
    """When the tasks of some ranks ran, a panel a run."""
    runs = data["runs"]
    for run in runs:
        if not 0 <= number < len(run["jobs"]):
            raise PlotError(f"--job={number}: run {run['label']} has jobs 0..{len(run['jobs']) - 1}")
    ranks = chosen_ranks(runs[0]["jobs"][number], wanted)
    panel = 0.6 + 0.5 * len(ranks)
    figure, grid = plt.subplots(len(runs) + 1, 1, figsize=(12, 1.2 + len(runs) * panel),
                                layout="constrained", squeeze=False,
                                gridspec_kw={"height_ratios": [panel] * len(runs) + [0.35]})
    names = {}
    longest = 0
    for axes, run in zip(grid[:, 0], runs):
        last, seen = draw_tasks(axes, run["jobs"][number], ranks)
        longest = max(longest, last)
        names.update(seen)
        axes.set_title(f"{run['label']}: step {last:.3g} ms", fontsize=10, loc="left")
    for axes in grid[:-1, 0]:
        axes.set_xlim(0, 1.01 * longest or 1)
    grid[-2][0].set_xlabel("time since the start of the step (ms)")
    order = [name for name, _, _ in TASKS.values() if name in names]
    grid[-1][0].axis("off")
    grid[-1][0].legend([names[name] for name in order], order, loc="center", ncol=len(order),
                       fontsize=9, handlelength=1.6, columnspacing=1.4)
    return figure


def draw(data, title, flags):
    """The whole figure."""
    plt.rcParams.update({
        "font.size": 10, "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True,
        "svg.hashsalt": "roce", "svg.fonttype": "path", "legend.framealpha": 0.9,
    })
    if data["schema"] == "roce-gantt/1":
        figure = draw_gantt(data, flags.job, flags.ranks)
        figure.suptitle(title or "When ranks do what; below in a row: beside the program")
        return figure
    picture = flags.picture or ("headline" if data.get("summary") else
                                "paths" if data.get("paths") else "runs")
    figure = {"headline": draw_headline, "paths": draw_paths, "runs": draw_runs}[picture](data)
    figure.suptitle(title or f"{data.get('program', '')}  (roce {data.get('version', '')}, "
                             f"ns-{data.get('ns3', '')}, seed {data.get('seed', '')}, "
                             f"run {data.get('run', '')})")
    return figure


def main():
    """Read the flags, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", help="a result file, schema roce-result/1")
    parser.add_argument("out", help="picture to write; .svg or .png")
    parser.add_argument("--picture", default="", choices=["runs", "headline", "paths"],
                        help="what to draw; else headline or paths if the file has their key")
    parser.add_argument("--title", default="", help="heading in place of the program's name")
    parser.add_argument("--job", type=int, default=0, help="of a file of tasks: which job to draw")
    parser.add_argument("--ranks", default="", help="of a file of tasks: which ranks, with commas")
    flags = parser.parse_args()
    out = pathlib.Path(flags.out)
    try:
        if out.suffix not in (".svg", ".png"):
            raise PlotError(f"{out}: write a name that ends with .svg or .png")
        figure = draw(load(flags.result), flags.title, flags)
        out.parent.mkdir(parents=True, exist_ok=True)
        # no date and no version of matplotlib: the same input gives the same bytes
        figure.savefig(out, dpi=110, metadata={"Date": None, "Creator": None}
                       if out.suffix == ".svg" else {"Software": None})
    except KeyError as error:
        print(f"plot.py: {flags.result} lacks the key {error}", file=sys.stderr)
        return 2
    except (PlotError, OSError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
