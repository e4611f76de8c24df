#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests roce-report without a browser: figures, escapes, refusals, colors. See check-report.py too.

usage: tools/test-report.py [-v]
"""

import base64
import contextlib
import copy
import hashlib
import html
import html.parser
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TOOLS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TOOLS))

from report import charts, cli, load, page, series, tables, units  # noqa: E402

DATA = TOOLS.parent / "test" / "data"
INCAST = DATA / "report-incast.json"
EVERYTHING = DATA / "report-everything.json"


def read(path):
    """The object of a result file."""
    return json.loads(path.read_text(encoding="utf-8"))


class Cells(html.parser.HTMLParser):
    """Rows of each table by caption: {caption: [[text...]...]}; counts elements, collects text."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.counts, self.words = {}, {}, []
        self.rows, self.caption, self.inside = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in ("meta", "br"):
            self.inside.append(tag)
        if tag == "table":
            self.rows, self.caption = [], ""
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if self.inside[-1:] != [tag]:
            raise AssertionError(f"</{tag}> closes {self.inside[-1:]}")
        self.inside.pop()
        if tag == "table":
            self.tables[self.caption] = self.rows

    def handle_data(self, data):
        if "script" not in self.inside and "style" not in self.inside:
            self.words.append(data)
        if self.inside[-1:] == ["caption"]:
            self.caption += data
        elif self.rows and self.rows[-1] and ("td" in self.inside or "th" in self.inside):
            self.rows[-1][-1] += data


class Report(unittest.TestCase):
    """Runs the program in this process."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "page.html"

    def run_cli(self, *arguments):
        """Exit code and what it says on stderr."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            try:
                code = cli.main([str(a) for a in arguments])
            except SystemExit as end:  # of argparse
                code = end.code
        return code, said.getvalue()

    def make(self, *paths):
        """The page of some files."""
        code, said = self.run_cli(*paths, "-o", self.out)
        self.assertEqual((code, said), (0, ""))
        return self.out.read_text(encoding="utf-8")

    def write(self, data, name="r.json"):
        """A result file."""
        path = self.folder / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return path


class Content(Report):
    """What the page shows."""

    def test_runs_table(self):
        rows = Cells(self.make(INCAST)).tables["Runs"]
        head = dict(zip(["run"] + rows[1][1:], range(len(rows[1]))))
        groups = [cell for cell in rows[0] if cell]
        # 2,600,000 ns are 2.6 ms, 49e9 bit/s are 49 Gb/s: units of a column by its largest value
        self.assertIn("Completion time (ms)", groups)
        self.assertIn("Goodput (Gb/s)", groups)
        self.assertEqual([row[0] for row in rows[2:]], ["none", "dcqcn"])
        self.assertEqual([row[rows[1].index("p99")] for row in rows[2:]], ["1.3", "2.6"])
        self.assertEqual([row[head["goodput"]] for row in rows[2:]], ["98", "49"])
        self.assertEqual([row[head["XOFF"]] for row in rows[2:]], ["2,000", "20"])
        self.assertEqual([row[head["active"]] for row in rows[2:]], ["no", "yes"])
        # 4 ms and 40 us
        self.assertEqual([row[head["paused (ms)"]] for row in rows[2:]], ["4", "0.04"])
        self.assertEqual([row[head["rate changes"]] for row in rows[2:]], ["0", "4,695"])

    def test_pictures(self):
        titles = re.findall(r'<h4 id="chart-\d+-title">([^<]*)', self.make(INCAST))
        self.assertEqual(titles, [
            "Completion time by run", "Slowdown by run", "Goodput by run", "Utilization by run",
            "PFC pauses by run", "Distribution of completion times", "CNPs over time",
            "PFC pauses over time", "Longest queue over time"])

    def test_work_and_seeds(self):
        cells = Cells(self.make(EVERYTHING))
        gpus = cells.tables["GPU utilization by run: share of the time in which GPUs compute"]
        self.assertEqual([row[1] for row in gpus[1:]], ["0.75", "0.5", "0.875", units.NONE])
        traffic = cells.tables["Traffic by kind and run: bytes sent (MB)"]
        self.assertEqual(traffic[:2], [["run", "data", "tensor"], ["pfc/1", "64", "32"]])
        bandwidth = cells.tables["Collective bandwidth by run: bandwidth (GB/s)"]
        self.assertEqual(bandwidth[1][1:], ["5", "8.75"])
        step = cells.tables["Time of a step by run: time (ms)"]
        self.assertEqual(step[3][1:], ["3.2", "1"])
        seeds = cells.tables["Mean and standard deviation over seeds"]
        self.assertEqual(seeds[1], ["goodput_share", "0.6 \u00b1 0.01", "0.96 \u00b1 0.01"])

    def test_stall_is_an_alert(self):
        text = self.make(EVERYTHING)
        alerts = re.findall(r'role="alert"[^>]*><p><strong>([^<]*)', text)
        self.assertEqual(len(alerts), 1)
        self.assertIn("1 queue pair cannot finish", alerts[0])
        rows = next(rows for caption, rows in Cells(text).tables.items() if "Stalled" in caption)
        self.assertEqual(rows[1][1:4], ["3", "17", "4"])
        self.assertNotIn('role="alert"', self.make(INCAST))

    def test_unknown_keys(self):
        cells = Cells(self.make(EVERYTHING))
        rows = {row[0]: row[4] for row in cells.tables["Other keys of the runs"][1:]}
        self.assertEqual(rows["new_figure"], "42")
        self.assertEqual(rows["new_object.inner.deep"], "<i>text</i>")
        # (1 + 2 + 3 + 4 + 10) / 5 = 4
        self.assertEqual(rows["new_list"], "5 numbers: least 1, mean 4, most 10")
        own = next(rows for caption, rows in cells.tables.items() if "new_rows" in caption)
        self.assertEqual(own[1:], [["1", "a&b", "10", units.NONE], ["2", "c", "9", "yes"]])
        article = cells.tables["article.steady"]
        self.assertEqual(article[1][1], "<u>no pause</u>")

    def test_several_files(self):
        text = self.make(INCAST, EVERYTHING, INCAST)
        self.assertEqual(re.findall(r'<h2 id="(file-\d)"', text), ["file-1", "file-2", "file-3"])
        ids = re.findall(r'\bid="([^"]*)"', text)
        self.assertEqual(len(ids), len(set(ids)))
        for target in re.findall(r'href="#([^"]*)"', text):
            self.assertIn(target, ids)

    def test_same_bytes(self):
        self.assertEqual(self.make(INCAST), self.make(INCAST))

    def test_installed(self):
        """The program itself finds its parts, also through a link and beside share/."""
        link = self.folder / "bin" / "roce-report"
        link.parent.mkdir()
        link.symlink_to(TOOLS / "roce-report")
        subprocess.run([sys.executable, str(link), str(INCAST), "-o", str(self.out)], check=True,
                       stdout=subprocess.DEVNULL)
        through_link = self.out.read_bytes()
        link.unlink()
        shutil.copy(TOOLS / "roce-report", link)
        command = [sys.executable, str(link), str(INCAST), "-o", str(self.out)]
        alone = subprocess.run(command, capture_output=True, check=False)
        self.assertEqual(alone.returncode, 1)
        self.assertIn(b"parts are missing", alone.stderr)
        shutil.copytree(TOOLS / "report", self.folder / "share" / "roce" / "report")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(self.out.read_bytes(), through_link)


class Safety(Report):
    """Nothing of a file becomes part of the page but as text; the page needs nothing else."""

    def test_hostile_texts(self):
        data = read(INCAST)
        evil = "</script><script>window.hacked=1</script><img src=x onerror=alert(1)>\"'&\ud800"
        data["program"] = data["version"] = evil
        data["config"] = {evil: evil}
        data["runs"][0].update({"label": evil, evil: evil, "new": [{evil: evil}],
                                "stalled": [{evil: evil}]})
        data["summary"] = {evil: {evil: {"mean": 1, "std": 0}}}
        cells = Cells(self.make(self.write(data)))
        self.assertEqual(cells.counts["script"], 2)
        self.assertNotIn("img", cells.counts)
        self.assertIn(evil.replace("\ud800", "\ufffd"), "".join(cells.words))

    def test_chart_data(self):
        text = self.make(EVERYTHING)
        code = re.search(r'id="chart-data">(.*?)</script>', text, re.S).group(1)
        self.assertFalse(set("<>&") & set(code))
        found = json.loads(code)
        self.assertEqual(len(found), text.count("<figure"))
        self.assertEqual(found[0]["categories"][3], read(EVERYTHING)["runs"][3]["label"])

    def test_self_contained(self):
        text = self.make(INCAST, EVERYTHING)
        markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.S)
        self.assertFalse(re.search(r"\bsrc\s*=|url\(|@import", markup))
        self.assertTrue(all(link.startswith("#") for link in re.findall(r'href="([^"]*)', markup)))
        self.assertEqual(set(re.findall(r"https?://[^\"'\s]*", text)),
                         {"http://www.w3.org/2000/svg"})  # a name, not fetched

    def test_policy(self):
        """The page's policy lets run its own script and style, and no other."""
        text = self.make(INCAST)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
        self.assertTrue(policy.startswith("default-src 'none';"))
        self.assertNotIn("unsafe", policy)
        for tag in ("script", "style"):
            code = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S).group(1)
            digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
            self.assertIn(f"{tag}-src 'sha256-{digest}'", policy)


# what is done to a good file -> words of the message
BAD = [
    (lambda d: d.pop("schema"), ['no key "schema"', 'expected "roce-result/1"']),
    (lambda d: d.update(schema="roce-gantt/1"), ['"roce-gantt/1"', '"roce-result/1"']),
    (lambda d: d.pop("program"), ["program is missing"]),
    (lambda d: d.update(runs=[]), ["empty list", "at least one run"]),
    (lambda d: d.update(runs={}), ["runs is {} (object)", "expected a list"]),
    (lambda d: d.update(runs=[3]), ["runs[0]", "3 (number)", "expected an object"]),
    (lambda d: d.update(config=[]), ["config is [] (list)", "expected an object"]),
    (lambda d: d.update(seed="1"), ['seed is "1" (text)', "expected a number"]),
    (lambda d: d["runs"][1].pop("label"), ["runs[1]", "label is missing"]),
    (lambda d: d["runs"][1].pop("goodput_bps"), ['runs[1] "dcqcn"', "goodput_bps is missing"]),
    (lambda d: d["runs"][1]["fct_ns"].pop("p99"), ["fct_ns.p99 is missing", "min, mean, p50, max"]),
    (lambda d: d["runs"][0]["pfc"].update(xoff=True), ["pfc.xoff is true (true or false)"]),
    (lambda d: d["runs"][0].update(pfc=7), ["pfc is 7 (number), expected an object"]),
    (lambda d: d["runs"][0]["cnp"].update(per_s=[[1, 2], [3]]), ["cnp.per_s", "number pairs"]),
    (lambda d: d["runs"][0].update(stalled=["x"]), ["stalled", "list of objects"]),
    (lambda d: d["runs"][0].update(goodput_bps=float("nan")), ["found NaN", "number or null"]),
    (lambda d: d["runs"][0].update(sim_time_s=float("inf")), ["found Infinity"]),
]


class Refusals(Report):
    """Exit code 2 and a message that names file, what was found and what was expected."""

    def refused(self, path, *words):
        """The file is refused with these words, and no page is left."""
        code, said = self.run_cli(path, "-o", self.out)
        self.assertEqual(code, 2, said)
        self.assertTrue(said.startswith("roce-report: "), said)
        for word in (str(path), *words):
            self.assertIn(word, said)
        self.assertFalse(self.out.exists())

    def test_bad_files(self):
        for change, words in BAD:
            data = read(INCAST)
            change(data)
            with self.subTest(words[0]):
                self.refused(self.write(data), *words)

    def test_no_json(self):
        for text, words in (("", ["no JSON", "line 1"]), ("{\"schema\": ", ["no JSON"]),
                            ("[1]", ["[1] (list)", "expected an object"]),
                            ("{\"schema\": 1e999}", ["found 1e999"]),
                            ("{\"schema\": " + "9" * 400 + "}", ["400 digits"]),
                            ("[" * 100000, ["nested too deep"])):
            with self.subTest(text[:20]):
                self.refused(self.write(text), *words)
        path = self.folder / "bytes.json"
        path.write_bytes(b"{\"schema\": \"\xff\"}")
        self.refused(path, "no UTF-8", "byte 12")

    def test_no_file(self):
        self.refused(self.folder / "nowhere.json", "No such file")
        self.refused(self.folder, "Is a directory")

    def test_output(self):
        (self.folder / "file").write_text("")
        for out in (self.folder, self.folder / "file" / "x.html", "/dev/full"):
            code, said = self.run_cli(INCAST, "-o", out)
            self.assertEqual(code, 2)
            self.assertIn(f"{out}: cannot be written", said)
        copied = self.write(read(INCAST))
        code, said = self.run_cli(copied, "-o", copied)
        self.assertEqual(code, 2)
        self.assertIn("as result and as page", said)
        self.assertEqual(read(copied), read(INCAST))

    def test_flags(self):
        self.assertEqual(self.run_cli(INCAST)[0], 2)
        self.assertEqual(self.run_cli("-o", self.out)[0], 2)

    def test_names_of_bytes(self):
        path = os.fsdecode(os.fsencode(self.folder) + b"/\xff.json")
        pathlib.Path(path).write_bytes(INCAST.read_bytes())
        self.assertTrue("\ufffd.json" in self.make(path))

    def test_any_change_ends_well(self):
        """Each value of a file in turn becomes something odd: a page or a refusal, no traceback."""
        good = read(EVERYTHING)
        good["runs"] = [good["runs"][0], good["runs"][3]]
        odd = [None, -1, 1e300, "x", True, [], {}, [[1, 2]], [{}], {"mean": 1, "std": None}]

        def places(value, path=()):
            yield path
            keys = value if isinstance(value, dict) else range(min(2, len(value))) \
                if isinstance(value, list) else ()
            for key in keys:
                yield from places(value[key], (*path, key))

        codes = {0: 0, 2: 0}
        for place in list(places(good))[1:]:
            for value in odd:
                data = copy.deepcopy(good)
                inner = data
                for key in place[:-1]:
                    inner = inner[key]
                inner[place[-1]] = value
                try:
                    load.check(data, "x.json")
                    page.build([("x.json", data)], "x")
                    codes[0] += 1
                except load.ReportError:
                    codes[2] += 1
                except Exception as error:  # what must not be
                    self.fail(f"{place} = {value!r}: {error!r}")
        self.assertGreater(min(codes.values()), 300)


class Parts(unittest.TestCase):
    """Numbers, series and colors."""

    def test_numbers(self):
        for value, text in ((None, units.NONE), (0, "0"), (0.0, "0"), (1234567, "1,234,567"),
                            (1234567.8, "1,234,568"), (1234.5, "1,234.5"), (0.5, "0.5"),
                            (-0.5, "-0.5"), (2.0, "2"), (100000.4, "100,000"),
                            (0.00001234, "1.234e-05"), (1e20, "1e+20"), (True, "yes")):
            self.assertEqual(units.number(value), text)

    def test_scales(self):
        self.assertEqual(units.scale([10, 2.6e6], "ns"), (1e-6, "ms"))
        self.assertEqual(units.scale([0.0002], "s"), (1e6, "\u00b5s"))
        self.assertEqual(units.scale([None, 98e9], "bps"), (1e-9, "Gb/s"))
        self.assertEqual(units.scale([3], ""), (1, ""))
        self.assertEqual(units.times(45955, 1e-3), 45.955)

    def test_thin(self):
        # 512 buckets, at most 120 points: 5 each (ceil(512 / 120)), 103 points; 0..4 have mean 2
        points = [[0.5 * i, i] for i in range(512)]
        x, y, end, group = series.thin(points, series.mean)
        self.assertEqual((group, len(x), x[1], y[0], y[1], end), (5, 103, 2.5, 2, 7, 256))
        self.assertEqual(series.thin(points, max)[1][0], 4)
        self.assertEqual(y[-1], 510.5)  # the last two, 510 and 511

    def test_intervals(self):
        # 10 buckets of 1 s, 30 parts of 1/3 s: each value three times; 0 after the last
        points = [[float(i), i + 1] for i in range(10)]
        self.assertEqual(series.intervals(points, series.mean, 10.0)[:7], [1, 1, 1, 2, 2, 2, 3])
        self.assertEqual(series.intervals(points, max, 20.0)[15:17], [0, 0])

    def test_distribution(self):
        run = {"label": "a", "fct_ns": {}, "fct_cdf": [[1000, 0.5], [3000, 0.75], [9000, 1]]}
        chart = series.distribution([run])
        row = dict(zip(chart["table"]["columns"], chart["table"]["rows"][0][1]))
        self.assertEqual((row["1%"], row["50%"], row["75%"], row["90%"]), (1, 1, 3, 9))
        self.assertEqual(chart["series"][0]["y"], [0, 0.5, 0.75, 1])

    def test_many_runs(self):
        labels = [f"{name}/{seed}" for name in "abcde" for seed in (1, 2)]
        # more than 8 lines: the first seed of each
        self.assertEqual(series.first_lines(labels), [True, False] * 5)
        self.assertEqual(charts.base("a/1", labels), "a")
        self.assertEqual(charts.base("ring/4", ["ring/4", "tree/4"]), "ring/4")
        chart = charts.bars("t", [str(i) for i in range(80)], [("s", list(range(80)))], "", "w")
        self.assertEqual(len(chart["categories"]), charts.MOST_RUNS)
        self.assertIn("of 80 runs", chart["summary"])

    def test_long_values(self):
        self.assertIn("(1,000 characters)", tables.short("x" * 1000))
        rows = tables.rows_table("t", [{"a": i} for i in range(300)])
        self.assertEqual(rows.count("<tr>"), 1 + tables.MOST_ROWS)
        self.assertIn("of 300", html.unescape(rows))

    def test_contrast(self):
        """WCAG 2: text 4.5 to 1, pictures 3 to 1, on both backgrounds, light and dark."""
        style = (TOOLS / "report" / "style.css").read_text(encoding="utf-8")
        sets = [dict(re.findall(r"--([\w-]+): (#\w{6});", block))
                for block in re.findall(r":root \{(.*?)\}", style, re.S)]
        self.assertEqual(len(sets), 2)

        def light(color):
            parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        def contrast(one, other):
            low, high = sorted((light(one), light(other)))
            return (high + 0.05) / (low + 0.05)

        self.assertAlmostEqual(contrast("#ffffff", "#000000"), 21, places=6)
        self.assertAlmostEqual(contrast("#ffffff", "#777777"), 4.48, places=2)  # known to fail AA
        for colors in sets:
            for name in ("text", "soft", "link"):
                for ground in ("page", "panel"):
                    self.assertGreaterEqual(contrast(colors[name], colors[ground]), 4.5, name)
            self.assertGreaterEqual(contrast(colors["alert"], colors["alert-page"]), 4.5)
            for i in range(7):
                self.assertGreaterEqual(contrast(colors[f"s{i}"], colors["page"]), 3, f"s{i}")


if __name__ == "__main__":
    unittest.main()
