# SPDX-License-Identifier: GPL-2.0-only
"""Pictures: what is drawn is what was given; axes have units; bad input is named."""

import json
import os
import re
import tempfile
import textwrap
import unittest

import roce
from support import python, star

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy
except ImportError:
    matplotlib = None

UNIT = re.compile(r"\((ns|µs|ms|s|B|KB|MB|GB|[KMGT]?bit/s|[KMG]?B/s|1|1/µs|number|name|label|key|by id)\)$")


def run_dict(label, **more):
    """A run of a result file, as far as pictures need it."""
    return {
        "label": label,
        "goodput_bps": 50e9,
        "fct_ns": {"mean": 2000.0, "p99": 4000.0},
        "fct_cdf": [[1000.0, 0.25], [2000.0, 1.0]],
        "pfc": {"xoff": 3, "xoff_per_s": [[0.0, 1e6], [1e-6, 2e6]]},
        "cnp": {"received": 0, "per_s": []},
        "queues": {"interval_ns": 2000, "max_bytes_over_s": [[0, 0], [1e-6, 7000], [2e-6, 0],
                                                             [3e-6, 9000], [4e-6, 0]]},
        **more,
    }


GANTT = {
    "schema": "roce-gantt/1",
    "runs": [{"label": "hcc", "jobs": [{
        "ranks": [{"tensor": 0, "pipeline": 0, "data": 0}, {"tensor": 1, "pipeline": 0, "data": 0},
                  {"tensor": 0, "pipeline": 1, "data": 0}],
        "tasks": [[0, "f", "forward", 0.0, 3e6], [1, "f", "forward", 0.0, 3e6],
                  [2, "r", "receive", 0.0, 4e6], [2, "f", "forward", 4e6, 8e6],
                  [0, "s", "send", 3e6, 4e6], [0, "o", "optimizer", 4e6, 4e6]]}]}],
}  # fmt: skip


@unittest.skipIf(matplotlib is None, "matplotlib and numpy are not installed (setup.sh plot)")
class Plot(unittest.TestCase):
    def tearDown(self):
        plt.close("all")
        roce.destroy()

    def labelled(self, ax):
        self.assertRegex(ax.get_xlabel(), UNIT)
        self.assertRegex(ax.get_ylabel(), UNIT)
        self.assertTrue(ax.get_title())
        ax.figure.canvas.draw()  # no error, no warning
        return ax

    def drawn(self, line):
        return [list(map(float, values)) for values in line.get_data()]

    def test_fct_cdf(self):
        ax = self.labelled(roce.plot.fct_cdf({"a": [4000, 1000, 2000, 3000], "b": [5000.0]}))
        self.assertEqual(ax.get_xlabel(), "completion time (µs)")
        self.assertEqual([line.get_label() for line in ax.lines], ["a", "b"])
        x, y = self.drawn(ax.lines[0])
        self.assertEqual(x, [1, 1, 2, 3, 4])
        self.assertEqual(y, [0, 0.25, 0.5, 0.75, 1])
        looks = {(line.get_color(), line.get_linestyle()) for line in ax.lines}
        self.assertEqual(len(looks), 2)
        file = {"schema": "roce-result/1", "runs": [run_dict("x"), run_dict("y")]}
        ax = roce.plot.fct_cdf(file)
        self.assertEqual(self.drawn(ax.lines[1]), [[1, 1, 2], [0, 0.25, 1]])

    def test_given_axes(self):
        _, ax = plt.subplots()
        self.assertIs(roce.plot.fct_cdf([1, 2], ax=ax), ax)
        self.assertIs(roce.plot.compare_bars(run_dict("x"), ax=ax), ax)
        with self.assertRaisesRegex(ValueError, "ax is a int: expected matplotlib Axes"):
            roce.plot.fct_cdf([1, 2], ax=3)

    def test_results(self):
        fabric = star(4)
        for sender in range(3):
            fabric.connect(sender, 3).post("100KB")
        result = roce.run(fabric, label="incast", queues="1us")
        x, _ = self.drawn(self.labelled(roce.plot.fct_cdf(result)).lines[0])
        self.assertEqual(x[1:], list(result.fct_sorted_ns / 1e3))
        # one size: a point each for the percentiles of completion time / that of one alone
        ax = self.labelled(roce.plot.slowdown_by_size(result, fabric))
        self.assertEqual(self.drawn(ax.lines[0])[0], [100])  # KB
        alone = fabric.ideal_completion_ns(0, 3, 100000)
        expected = numpy.percentile(result.fct_sorted_ns / alone, [99, 50])
        self.assertAlmostEqual(ax.lines[0].get_ydata()[0], expected[0])
        self.assertAlmostEqual(ax.lines[1].get_ydata()[0], expected[1])
        for draw in (roce.plot.queue_over_time, roce.plot.cnp_over_time, roce.plot.xoff_over_time,
                     roce.plot.ttd_histogram, roce.plot.compare_bars):
            self.labelled(draw([result]))
        peak = self.drawn(roce.plot.queue_over_time(result).lines[0])[1]
        self.assertAlmostEqual(max(peak), result["queues"]["max_bytes"] / 1e3)  # KB
        try:
            frame = result.to_pandas()
        except ImportError:
            return
        self.assertEqual(self.drawn(roce.plot.fct_cdf(frame).lines[0])[0], x)
        frame["slowdown"] = [1.0, 2.0, 4.0]
        ax = roce.plot.slowdown_by_size({"f": frame})
        self.assertEqual(list(ax.lines[1].get_ydata()), [2.0])

    def test_queue_drops_buckets_without_a_sample(self):
        # buckets of 1 us, a sample each 2 us, the first in the second bucket
        ax = self.labelled(roce.plot.queue_over_time(run_dict("x")))
        self.assertEqual(self.drawn(ax.lines[0]), [[1, 3], [7, 9]])
        short = run_dict("x", queues={"interval_ns": 1000, "max_bytes_over_s": [[0, 1], [1e-6, 2]]})
        self.assertEqual(len(roce.plot.queue_over_time(short).lines[0].get_xdata()), 2)

    def test_rates_and_events(self):
        ax = self.labelled(roce.plot.rate_over_time({"a": [[0, 1e11], [1e-3, 2.5e10]]}))
        self.assertEqual(ax.get_ylabel(), "rate (Gbit/s)")
        self.assertEqual(self.drawn(ax.lines[0]), [[0, 1000], [100, 25]])
        ax = self.labelled(roce.plot.xoff_over_time(run_dict("x")))
        self.assertEqual(ax.lines[0].get_label(), "x: 3")
        # 1 and 2 a us in buckets of 1 us, and back to 0: together the 3 of the label
        self.assertEqual(self.drawn(ax.lines[0]), [[0, 1, 2], [1, 2, 0]])
        ax = self.labelled(roce.plot.cnp_over_time(run_dict("x")))
        self.assertEqual([text.get_text() for text in ax.texts], ["no CNP in any run"])
        # 512 buckets become about 64 whose area is the same
        rows = [[i * 1e-6, float(i % 7) * 1e6] for i in range(512)]
        x, y = self.drawn(roce.plot.cnp_over_time({"a": rows}).lines[0])
        self.assertLessEqual(len(x), 66)
        area = sum((b - a) * v for a, b, v in zip(x, x[1:], y))
        self.assertAlmostEqual(area, sum(i % 7 for i in range(512)))

    def test_ttd_histogram(self):
        ax = self.labelled(roce.plot.ttd_histogram({"a": [0, 1, 1, 10], "b": [5]}, bins=10))
        outlines = [p for p in ax.patches if p.get_label() in ("a", "b")]
        self.assertEqual(list(outlines[0].get_data().values), [1, 2, 0, 0, 0, 0, 0, 0, 0, 1])
        self.assertEqual(list(outlines[0].get_data().edges), list(range(11)))
        self.assertEqual(sum(outlines[1].get_data().values), 1)

    def test_compare_bars(self):
        runs = [run_dict("x"), run_dict("y", goodput_bps=80e9)]
        ax = self.labelled(roce.plot.compare_bars(runs))
        self.assertEqual([bar.get_height() for bar in ax.patches], [50, 80])
        self.assertEqual(ax.get_ylabel(), "goodput (Gbit/s)")
        self.assertEqual([t.get_text() for t in ax.get_xticklabels()], ["x", "y"])
        ax = self.labelled(roce.plot.compare_bars(runs, ["fct_ns.mean", "fct_ns.p99"]))
        self.assertEqual([bar.get_height() for bar in ax.patches], [2, 4, 2, 4])
        self.assertEqual(len({(b.get_facecolor(), b.get_hatch()) for b in ax.patches}), 2)

    def test_training_gantt(self):
        ax = self.labelled(roce.plot.training_gantt(GANTT))
        rows = [text.get_text() for text in ax.get_yticklabels()]
        self.assertEqual(rows, ["0, stage 0", "2, stage 1"])
        spans = sorted(
            (c.get_label(), *p.get_extents().bounds[:3:2])
            for c in ax.collections for p in c.get_paths()
        )
        self.assertEqual(spans, [("_", 4.0, 4.0), ("forward", 0.0, 3.0), ("send to a stage", 3.0, 1.0),
                                 ("wait for a stage", 0.0, 4.0)])  # fmt: skip
        # y grows downwards: what a rank waits for is above the middle of its row, the rest below
        tops = {c.get_label(): c.get_paths()[0].get_extents().bounds[1] for c in ax.collections}
        self.assertLess(tops["forward"] + 0.3, 0.05)
        self.assertGreaterEqual(tops["send to a stage"], 0.05)
        self.assertLess(ax.get_ylim()[1], ax.get_ylim()[0])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gantt.json")
            with open(path, "w") as file:
                json.dump(GANTT, file)
            ax = roce.plot.training_gantt(path, run="hcc", ranks=[1])
            self.assertEqual(len(ax.get_yticks()), 1)
            with open(path, "w") as file:
                file.write("{")
            with self.assertRaisesRegex(ValueError, "gantt.json is no JSON"):
                roce.plot.training_gantt(path)

    def test_link_heatmap(self):
        graph = roce.ClosHelper(leaves=2, spines=2, hosts_per_leaf=2).graph()
        shares = numpy.linspace(0, 1, len(graph.links))
        ax = self.labelled(roce.plot.link_heatmap(graph, shares))
        self.assertEqual([t.get_text() for t in ax.get_yticklabels()], ["host", "leaf", "spine"])
        links = ax.collections[0]
        self.assertEqual(list(links.get_array()), list(shares))
        heights = {tuple(sorted(segment[:, 1])) for segment in links.get_segments()}
        self.assertEqual(heights, {(0, 1), (1, 2)})  # hosts to leaves, leaves to spines
        self.assertEqual([len(line.get_xdata()) for line in ax.lines], [4, 2, 2])
        for bad in (shares[1:], shares * 2, shares - 1, [["a"]] * len(shares)):
            with self.assertRaisesRegex(ValueError, "utilization"):
                roce.plot.link_heatmap(graph, bad)

    def test_bad_input_is_named(self):
        plot = roce.plot
        for pattern, function, *arguments in (
            ("got int 5: expected a roce.Result", plot.fct_cdf, 5),
            ("no runs: expected", plot.fct_cdf, {}),
            ("schema 'roce-gantt/1'.*expected roce-result/1", plot.fct_cdf, GANTT),
            ('run "a" has no completed messages', plot.fct_cdf, {"a": []}),
            ('run "a": expected finite numbers', plot.fct_cdf, {"a": [1, float("nan")]}),
            ('run "a": expected numbers, got', plot.fct_cdf, {"a": ["x"]}),
            ("roce.run\\(queues=", plot.queue_over_time, {"label": "a"}),
            ("rows of time in s and a finite value, got shape \\(3,\\)", plot.queue_over_time,
             {"a": [1, 2, 3]}),
            ("times must not go back", plot.rate_over_time, {"a": [[2, 1], [1, 1]]}),
            ('run "a" has no rates: roce.run\\(rates=', plot.rate_over_time, {"a": run_dict("a")}),
            ("lacks pfc.xoff_per_s; it has label", plot.xoff_over_time, {"label": "a"}),
            ("ideal is a NoneType", plot.slowdown_by_size, {"a": run_dict("a")}),
            ("no single messages", plot.ttd_histogram, run_dict("a")),
            ("bins = 0: expected a number from 1", plot.ttd_histogram, [1], 0),
            ("no 'fct_ns.p42': at fct_ns there is mean, p99", plot.compare_bars, run_dict("a"),
             "fct_ns.p42"),
            ("fct_ns is a dict.*expected a number", plot.compare_bars, run_dict("a"), "fct_ns"),
            ("goodput_bps in bit/s, fct_ns.mean in ns; expected one unit", plot.compare_bars,
             run_dict("a"), ["goodput_bps", "fct_ns.mean"]),
            ("figures is empty", plot.compare_bars, run_dict("a"), []),
            ("expected roce-gantt/1, which roce-training", plot.training_gantt, run_dict("a")),
            ("run = 1: expected 0..0", plot.training_gantt, GANTT, 1),
            ("run = 'x': expected one of hcc", plot.training_gantt, GANTT, "x"),
            ("job = 9: expected 0..0", plot.training_gantt, GANTT, 0, 9),
            ("a rank = 3: expected 0..2", plot.training_gantt, GANTT, 0, 0, [3]),
            ("graph is int 1: expected a Result, a FabricGraph", plot.link_heatmap, 1, [1]),
        ):  # fmt: skip
            with self.subTest(pattern=pattern), self.assertRaisesRegex(ValueError, pattern):
                function(*arguments)


    def test_docstring(self):
        code = textwrap.dedent(re.search(r"\n((?:    .*\n|\n)+)", roce.plot.__doc__).group(1))
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                exec(compile(code, "roce.plot.__doc__", "exec"), {})
                self.assertGreater(os.path.getsize("queue.png"), 5000)
            finally:
                os.chdir(before)


class Lazy(unittest.TestCase):
    def test_import_needs_no_matplotlib(self):
        done = python("import roce, sys; assert 'matplotlib' not in sys.modules, 'imported'")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_message_without_matplotlib(self):
        done = python("""
            import sys
            sys.modules["matplotlib"] = None
            import roce
            try:
                roce.plot.ttd_histogram([1.0])
            except ImportError as error:
                print(error)
        """)
        self.assertIn("apt-get install python3-matplotlib", done.stdout)


if __name__ == "__main__":
    if matplotlib is None:
        print("pictures are not drawn: matplotlib or numpy is missing; tools/setup.sh plot")
    unittest.main()
