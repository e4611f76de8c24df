# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of what monitors of a run saw: rates, congestion points, pauses, links."""

import re
import unittest

import roce
from support import star

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy
except ImportError:
    matplotlib = None

UNIT = re.compile(r"\((ns|µs|ms|s|[KMGT]?bit/s|1|name|by id)\)$")


def pair(host, peer, s, rate, goodput=None, points=(), qpn=1):
    """A queue pair of the key rates."""
    goodput = goodput or [None] + [1e9] * (len(s) - 1)
    return {"host": host, "peer": peer, "qpn": qpn, "s": s, "rate_bps": rate,
            "goodput_bps": goodput, "points": list(points)}


def run_of(label, *pairs, **more):
    return {"label": label, "rates": {"interval_ns": 1000, "ignored": 0, "queue_pairs": pairs}, **more}


def pause(begin, end, node, port=0, host=True, by_host=False, priority=3):
    return {"begin_s": begin, "end_s": end, "by": 9, "by_host": by_host, "full_port": 1, "node": node,
            "host": host, "port": port, "priority": priority, "cause": None}


def paused(label, *episodes, end=1e-3):
    return {"label": label, "pauses": {"end_s": end, "count": len(episodes), "roots": [],
                                       "episodes": list(episodes)}}


@unittest.skipIf(matplotlib is None, "matplotlib and numpy are not installed (setup.sh plot)")
class Series(unittest.TestCase):
    def tearDown(self):
        plt.close("all")
        roce.destroy()

    def labelled(self, ax):
        self.assertRegex(ax.get_xlabel(), UNIT)
        self.assertRegex(ax.get_ylabel(), UNIT)
        self.assertTrue(ax.get_title() or ax.get_title("left"))
        ax.figure.canvas.draw()
        return ax

    def drawn(self, line):
        return [list(map(float, values)) for values in line.get_data()]

    def test_rates(self):
        first = pair(0, 4, [0, 1e-5, 2e-5], [1e11, 5e10, 5e10], [None, 9e10, 4e10])
        second = pair(1, 4, [0, 1e-5], [1e11, 25e9], [None, 2e10])
        ax = self.labelled(roce.plot.rate_over_time(run_of("x", first, second)))
        self.assertEqual([line.get_label() for line in ax.lines], ["host 0 to 4", "host 1 to 4"])
        self.assertEqual(self.drawn(ax.lines[0]), [[0, 10, 20], [100, 50, 50]])
        self.assertEqual(ax.get_ylabel(), "rate (Gbit/s)")
        # goodput of a sample is that of the time before it
        ax = self.labelled(roce.plot.rate_over_time(run_of("x", first, second), "goodput"))
        self.assertEqual(self.drawn(ax.lines[0]), [[0, 10, 20], [90, 40, 40]])
        self.assertEqual(self.drawn(ax.lines[1]), [[0, 10], [20, 20]])
        ax = roce.plot.rate_over_time(run_of("x", first, second), pairs=[(1, 4)])
        self.assertEqual([line.get_label() for line in ax.lines], ["host 1 to 4"])
        runs = [run_of("x", first), run_of("y", second, {**second, "qpn": 2})]
        ax = roce.plot.rate_over_time(runs)
        self.assertEqual([line.get_label() for line in ax.lines],
                         ["x: host 0 to 4", "y: host 1 to 4, QP 1", "y: host 1 to 4, QP 2"])
        self.assertEqual(ax.get_xlabel(), "simulated time (µs)")

    def test_many_rates_are_a_mean_and_a_band(self):
        # nine queue pairs of 10, 20, ... 90 Gbit/s; the last one only until 10 us
        pairs = [pair(n, 9, [0, 1e-5, 2e-5], [1e10 * (n + 1)] * 3) for n in range(8)]
        pairs.append(pair(8, 9, [0, 1e-5], [9e10] * 2))
        ax = self.labelled(roce.plot.rate_over_time(run_of("x", *pairs)))
        (line,) = ax.lines
        self.assertEqual(self.drawn(line), [[0, 10], [50, 45]])
        (band,) = ax.collections
        heights = band.get_paths()[0].vertices[:, 1]
        self.assertEqual((heights.min(), heights.max()), (10, 90))

    def test_rates_of_a_run(self):
        fabric = star(3, nic={"PathMtu": 4096})
        fabric.connect(0, 2).post("1MB")
        fabric.connect(1, 2).post("1MB")
        result = roce.run(fabric, label="two", rates="5us")
        ax = self.labelled(roce.plot.rate_over_time(result, "goodput"))
        self.assertEqual([line.get_label() for line in ax.lines], ["host 0 to 2", "host 1 to 2"])
        rows = result.rates[result.rates["host"] == 0]
        x, y = self.drawn(ax.lines[0])
        self.assertEqual([round(us, 6) for us in x], [ns / 1e3 for ns in rows["time_ns"].tolist()])
        self.assertEqual(y[:-1], [bps / 1e9 for bps in rows["goodput_bps"].tolist()[1:]])
        # the area is what was sent: 1 MB each
        area = sum((b - a) * v for a, b, v in zip(x, x[1:], y))  # us x Gbit/s = Kbit
        self.assertAlmostEqual(area * 1e3 / 8, 1e6, delta=1)

    def test_domain_rates(self):
        points = [{"domain": 0, "point": 7, "s": [0, 1e-5, 2e-5], "rate_bps": [8e10, 4e10, 1e11]},
                  {"domain": 1, "point": None, "s": [1e-5, 2e-5], "rate_bps": [6e10, 6e10]}]
        few = pair(1, 4, [0, 1e-5], [1e11, 1e11], points=points[:1])
        most = pair(0, 4, [0, 1e-5, 2e-5], [1e11] * 3, points=points)
        run = run_of("hcc", pair(3, 4, [0, 1e-5], [1e11] * 2), few, most)
        ax = self.labelled(roce.plot.domain_rates(run, names=["leaf 8"]))
        self.assertEqual([line.get_label() for line in ax.lines],
                         ["leaf 8, point 7", "domain 1", "least of them"])
        self.assertEqual(self.drawn(ax.lines[0]), [[0, 10, 20], [80, 40, 100]])
        # at 20 us the second allows 60, below the first
        self.assertEqual(self.drawn(ax.lines[2]), [[0, 10, 20], [80, 40, 60]])
        self.assertIn("host 0 to 4", ax.get_title())
        ax = roce.plot.domain_rates(run, pair=(1, 4))
        self.assertEqual([line.get_label() for line in ax.lines],
                         ["domain 0, point 7", "least of them"])

    def test_domain_rates_of_a_run(self):
        fabric = star(5, cc="hcc", switch={"BufferSize": "32MiB"})
        for host in range(4):
            fabric.connect(host, 4).post("1MB")
        result = roce.run(fabric, label="hcc", rates="5us")
        ax = self.labelled(roce.plot.domain_rates(result, (2, 4)))
        rows = result.rates[(result.rates["host"] == 2) & (result.rates["domain"] >= 0)]
        self.assertEqual(self.drawn(ax.lines[0])[1], [bps / 1e9 for bps in rows["rate_bps"].tolist()])
        names = roce.HccHelper.domain_names(result.graph)
        ax = roce.plot.domain_rates(result, (2, 4), names)
        self.assertTrue(ax.lines[0].get_label().startswith(names[0] + ", point "))

    def test_pfc_timeline(self):
        run = paused("x", pause(1e-4, 2e-4, 0), pause(3e-4, None, 0), pause(2e-4, 6e-4, 1),
                     pause(0, 1e-4, 5, port=2, host=False, by_host=True), pause(0, 1e-6, 2))
        ax = self.labelled(roce.plot.pfc_timeline(run, rows=3))
        # hosts first, then switches; host 2 was paused least
        self.assertEqual([t.get_text() for t in ax.get_yticklabels()],
                         ["host 0", "host 1", "switch 5 port 2"])
        self.assertEqual(ax.get_title("left"), "PFC pauses, 3 of 4 ports")
        spans = {}
        for bars in ax.collections:
            for path in bars.get_paths():
                x, y, width, height = path.get_extents().bounds
                spans.setdefault(round(y + height / 2), []).append(
                    (round(x), round(x + width), round(height, 2)))
        # in us; what has no end goes on to the end of the run; pauses of hosts are higher
        self.assertEqual(spans, {0: [(100, 200, 0.4), (300, 1000, 0.4)], 1: [(200, 600, 0.4)],
                                 2: [(0, 100, 0.72)]})
        self.assertEqual([t.get_text() for t in ax.texts], ["800 µs, 2×", "400 µs, 1×", "100 µs, 1×"])
        legend = [t.get_text() for t in ax.get_legend().get_texts()]
        self.assertEqual(sorted(legend), ["by a host", "by a switch"])
        both = [run, paused("y", pause(0, 1e-4, 0, priority=4))]
        ax = roce.plot.pfc_timeline(both)
        self.assertEqual(ax.get_yticklabels()[-1].get_text(), "y: host 0 priority 4")
        ax = self.labelled(roce.plot.pfc_timeline(paused("x")))
        self.assertEqual([t.get_text() for t in ax.texts], ["no pause in any run"])

    def test_pauses_of_a_run(self):
        fabric = star(2)
        fabric.connect(0, 1).post("1MB")
        roce.PauseStorm().start(fabric.port(1, 0), start="20us", duration="100us")
        result = roce.run(fabric, label="storm", pauses=True)
        ax = self.labelled(roce.plot.pfc_timeline(result))
        self.assertIn("switch 2 port 1", [t.get_text() for t in ax.get_yticklabels()])
        ends = [path.get_extents() for bars in ax.collections for path in bars.get_paths()]
        long = max(ends, key=lambda box: box.width)
        # from the frame that pauses to the one that releases, 84 bytes and 1 us later each
        self.assertAlmostEqual(long.x0, 21.007, delta=0.002)
        self.assertAlmostEqual(long.x1, 121.007, delta=0.002)

    def test_links_of_a_run(self):
        graph = roce.ClosHelper(leaves=2, spines=2, hosts_per_leaf=2)
        fabric = roce.Fabric(graph, cc="none")
        fabric.connect(0, 2).post("1MB")
        result = roce.run(fabric, label="one")
        expected = numpy.maximum(result.links["utilization_to_a"], result.links["utilization_to_b"])
        for arguments in ((result,), (fabric, result), (result.graph, expected)):
            ax = self.labelled(roce.plot.link_heatmap(*arguments))
            self.assertEqual(list(ax.collections[0].get_array()), list(expected))
        # host 0, leaf, spine, leaf, host 2: the path has four links, the rest is idle
        self.assertEqual(sum(expected > 0.5), 4)
        self.assertEqual(sum(expected == 0), len(expected) - 4)
        self.assertEqual(roce.plot.link_heatmap(result).get_title(), "Links in use, one")
        listed = {"label": "file", "links": [
            {"utilization_to_a": 0.1, "utilization_to_b": float(share)} for share in expected]}
        ax = roce.plot.link_heatmap(result.graph, listed)
        self.assertEqual(list(ax.collections[0].get_array()), [max(0.1, s) for s in expected])

    def test_sweep_lines(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        rows = [(cc, load, seed, load * 1000 * factor + 100 * seed, None)
                for cc, factor in (("a", 1), ("b", 2)) for load in (20, 40) for seed in (1, 3)]
        rows.append(("b", 60, 1, None, "ValueError: x"))
        table = pandas.DataFrame(rows, columns=["/cc", "/load", "/seed", "fct_ns.mean", "error"])
        ax = self.sweep_labelled(roce.plot.sweep_lines(table, "/load", "fct_ns.mean", "/cc"))
        lines = [container.lines for container in ax.containers]
        # mean of seeds 1 and 3 in us, and the ends of the bars
        self.assertEqual([self.drawn(line) for line, _, _ in lines],
                         [[[20, 40], [20.2, 40.2]], [[20, 40], [40.2, 80.2]]])
        ends = [[path.vertices[:, 1].tolist() for path in bars[0].get_paths()] for _, _, bars in lines]
        numpy.testing.assert_allclose(ends, [[[20.1, 20.3], [40.1, 40.3]], [[40.1, 40.3], [80.1, 80.3]]])
        self.assertEqual([t.get_text() for t in ax.get_legend().get_texts()], ["a", "b"])
        self.assertEqual(ax.get_ylabel(), "fct.mean (µs)")
        self.assertIn("mean and range", ax.get_title())
        one = table[table["/seed"] == 1]
        ax = self.sweep_labelled(roce.plot.sweep_lines(one[one["/load"] == 20], "/cc", "fct_ns.mean"))
        self.assertEqual([t.get_text() for t in ax.get_xticklabels()], ["a", "b"])
        self.assertNotIn("range", ax.get_title())
        self.assertIsNone(ax.get_legend())
        for pattern, *arguments in (
            ("table is a list: expected the DataFrame", [], "/cc", "x"),
            ("no column 'x'; it has /cc, /load", table, "/cc", "x"),
            ("no row of the table has 'fct_ns.mean'", table[table["/load"] == 60], "/cc", "fct_ns.mean"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(ValueError, pattern):
                roce.plot.sweep_lines(*arguments)

    def sweep_labelled(self, ax):
        self.assertRegex(ax.get_xlabel(), r"\(value\)$")
        self.assertRegex(ax.get_ylabel(), UNIT)
        ax.figure.canvas.draw()
        return ax

    def test_bad_input_is_named(self):
        plot = roce.plot
        graph = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2).graph()
        one = run_of("a", pair(0, 1, [0, 1e-5], [1e11] * 2))
        for pattern, function, *arguments in (
            ("figure = 'speed': expected 'rate', 'goodput'", plot.rate_over_time, one, "speed"),
            ('run "a" has no samples of rate_bps: a shorter', plot.rate_over_time, run_of("a")),
            ("no samples of rate_bps of the pairs \\[\\(5, 6\\)\\]", plot.rate_over_time, one, "rate",
             [(5, 6)]),
            ("no rates of congestion points: it takes cc=", plot.domain_rates, one),
            ("2 runs: expected one", plot.domain_rates, [one, run_of("b")]),
            ("pair = \\(0, 9\\): expected one with congestion points, as \\(0, 1\\)", plot.domain_rates,
             run_of("a", pair(0, 1, [0], [1], points=[{"domain": 0, "point": 1, "s": [0],
                                                       "rate_bps": [1]}])), (0, 9)),
            ('run "a" has no pauses: roce.run\\(pauses=True', plot.pfc_timeline, {"label": "a"}),
            ("rows = 0: expected a number from 1", plot.pfc_timeline, paused("a"), 0),
            ("utilization is missing: expected a share a link", plot.link_heatmap, graph),
            ('run "a" has no links: "monitors"', plot.link_heatmap, graph, {"label": "a"}),
            ("utilization has 1 numbers, the fabric 2 links", plot.link_heatmap, graph, [1]),
        ):  # fmt: skip
            with self.subTest(pattern=pattern), self.assertRaisesRegex(ValueError, pattern):
                function(*arguments)


if __name__ == "__main__":
    if matplotlib is None:
        print("pictures are not drawn: matplotlib or numpy is missing; tools/setup.sh plot")
    unittest.main()
