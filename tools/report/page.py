# SPDX-License-Identifier: GPL-2.0-only
"""Puts the page together: sections of files, charts as JSON, style and scripts inlined."""

import base64
import hashlib
import json
import pathlib
import string

from . import charts, series, tables
from .tables import table, text

HERE = pathlib.Path(__file__).resolve().parent
STYLES = ("style.css", "chart.css")
SCRIPTS = ("chart-scale.js", "chart-draw.js", "chart.js", "table.js")
TOP_KEYS = ("schema", "program", "version", "ns3", "seed", "run", "config", "runs", "summary",
            "paths")


class Page:
    """Sections of result files; each picture gets a number that is unique on the page."""

    def __init__(self, title):
        self.title = title
        self.charts = []
        self.sections = []
        self.links = []

    def figure(self, chart):
        """A picture: title, what it says in words, place to draw, numbers."""
        name = f"chart-{len(self.charts)}"
        if chart.get("empty"):
            return (f"<div class=\"nothing\"><h4>{text(chart['title'])}</h4>"
                    f"<p>{text(chart['summary'])}</p></div>")
        drawn = {key: value for key, value in chart.items() if key not in ("table", "summary")}
        self.charts.append(drawn)
        return (f"<figure class=\"chart\" id=\"{name}\" aria-labelledby=\"{name}-title\">"
                f"<figcaption><h4 id=\"{name}-title\">{text(chart['title'])}</h4>"
                f"<p id=\"{name}-text\">{text(chart['summary'])}</p></figcaption>"
                f"<div class=\"tools\"></div><div class=\"plot\"></div>"
                f"<p class=\"readout\" aria-live=\"polite\"></p>"
                f"<details><summary>Numbers of \u201c{text(chart['title'])}\u201d</summary>"
                f"{tables.chart_table(chart)}</details></figure>")

    def part(self, name, title, blocks):
        """A part of a file's section; nothing if it has no blocks."""
        blocks = [block for block in blocks if block]
        if not blocks:
            return ""
        self.links[-1][2].append((name, title))
        return f"<section aria-labelledby=\"{name}\"><h3 id=\"{name}\">{text(title)}</h3>" + \
            "\n".join(blocks) + "</section>"

    def figures(self, found):
        """Pictures side by side."""
        found = [self.figure(chart) for chart in found if chart]
        return f"<div class=\"charts\">{''.join(found)}</div>" if found else ""

    def add(self, path, data):
        """The section of one file."""
        number = len(self.sections) + 1
        place = f"file-{number}"
        title = f"{data['program']}: {pathlib.Path(path).name}"
        self.links.append((place, title, []))
        runs = data["runs"]
        parts = [
            self.part(f"{place}-stalled", "Queue pairs that cannot finish", stalls(runs)),
            self.part(f"{place}-runs", "Runs", [unfinished(runs), tables.runs_table(runs)]),
            self.part(f"{place}-work", "Collective and training",
                      [self.figures(charts.run_bars(runs, charts.WORK_BARS)
                                    + [charts.traffic_bars(runs)])]),
            *(self.summary(place, key, title, data) for key, title in
              (("summary", "Over seeds"), ("paths", "Ways to pick paths, over seeds"))),
            self.part(f"{place}-compare", "Runs side by side",
                      [self.figures(charts.run_bars(runs, charts.RUN_BARS)
                                    + [series.distribution(runs)])]),
            self.part(f"{place}-time", "Over time", [self.figures(series.time_charts(runs))]),
            self.part(f"{place}-more", "What else the file has", more(data)),
            self.part(f"{place}-config", "Settings", [settings(data["config"])]),
        ]
        self.sections.append(
            f"<section aria-labelledby=\"{place}\"><h2 id=\"{place}\">{text(title)}</h2>"
            f"{identity(path, data)}{''.join(parts)}</section>")

    def summary(self, place, key, title, data):
        """Mean and deviation over seeds, if the file has the key in that form."""
        value = data.get(key)
        if not is_summary(value):
            return ""
        return self.part(f"{place}-{key}", title,
                         [self.figures(charts.summary_bars(value)),
                          tables.summary_table("Mean and standard deviation over seeds", value)])

    def contents(self):
        """Links to all parts."""
        items = []
        for place, title, parts in self.links:
            inner = "".join(f"<li><a href=\"#{name}\">{text(part)}</a></li>"
                            for name, part in parts)
            items.append(f"<li><a href=\"#{place}\">{text(title)}</a><ul>{inner}</ul></li>")
        return "<ul>" + "".join(items) + "</ul>"

    def html(self):
        """The whole page."""
        style = "\n".join(read(name) for name in STYLES)
        script = "(function () {\n\"use strict\";\n" + "\n".join(map(read, SCRIPTS)) + "})();\n"
        template = string.Template(read("page.html"))
        return template.substitute(
            title=text(self.title), contents=self.contents(), sections="\n".join(self.sections),
            style=style, style_hash=digest(style), script=script, script_hash=digest(script),
            data=inline(self.charts), count=len(self.charts))


def read(name):
    """A part of the page, from the folder of this file."""
    return (HERE / name).read_text(encoding="utf-8")


def digest(code):
    """What the page's own policy lets run: this code and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def inline(value):
    """JSON within a script element: nothing in it can end the element or begin another."""
    code = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return code.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def is_summary(value):
    """Whether it is {label: {figure: ...}}."""
    return isinstance(value, dict) and bool(value) and all(
        isinstance(row, dict) for row in value.values())


def identity(path, data):
    """What made the file."""
    entries = [("File", path), ("Program", data["program"]), ("roce", data["version"]),
               ("ns-3", data["ns3"]), ("Seed", data["seed"]), ("Run", data["run"]),
               ("Runs in the file", len(data["runs"]))]
    return "<dl class=\"identity\">" + "".join(
        f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in entries) + \
        "</dl>"


def stalls(runs):
    """Queue pairs that wait for ever; an alert for screen readers."""
    blocks = []
    for run in runs:
        stalled = run.get("stalled")
        if stalled:
            some = "queue pair" if len(stalled) == 1 else "queue pairs"
            blocks.append(f"<div role=\"alert\" class=\"alert\"><p><strong>{text(run['label'])}: "
                          f"{len(stalled):,} {some} cannot finish.</strong> The figures of this "
                          f"run are of what was done until then.</p></div>"
                          + tables.rows_table(f"Stalled in {run['label']}", stalled))
    return blocks


def unfinished(runs):
    """Messages that are not complete, which may be meant so, and lossless drops, which are not."""
    missing = [f"{run['label']}: {run['messages']['posted'] - run['messages']['completed']:,} of "
               f"{run['messages']['posted']:,}" for run in runs
               if run["messages"]["posted"] > run["messages"]["completed"]]
    dropped = [f"{run['label']}: {run['drops']['lossless']:,}" for run in runs
               if run["drops"]["lossless"]]
    block = ""
    if dropped:
        block += (f"<p class=\"alert\"><strong>Frames of the lossless class were dropped</strong> "
                  f"({text('; '.join(dropped))}).</p>")
    if missing:
        block += (f"<p class=\"note\">Messages not complete when the run ended: "
                  f"{text('; '.join(missing))}.</p>")
    return block


def more(data):
    """Keys that the page does not know."""
    extra = {key: value for key, value in data.items() if key not in TOP_KEYS
             or (key in ("summary", "paths") and not is_summary(value))}
    flat = tables.flat(extra)
    blocks = []
    plain = [[key, tables.generic_cell(value)] for key, value in flat.items()
             if not tables.is_rows(value)]
    if plain:
        blocks.append(table("Other keys of the file", ["key", "value"], plain))
    blocks += [tables.rows_table(key, value) for key, value in flat.items()
               if tables.is_rows(value)]
    return blocks + tables.extra_tables(data["runs"])


def settings(config):
    """Flags and attributes."""
    if not config:
        return "<p>The file names no settings.</p>"
    rows = [[key, f"<td>{text(value) if value != '' else '<em>not set</em>'}</td>"
             if isinstance(value, str) else tables.generic_cell(value)]
            for key, value in config.items()]
    return table("Flags and attributes that were given", ["name", "value"], rows)


def build(files, title):
    """The page of (path, data)..."""
    page = Page(title)
    for path, data in files:
        page.add(path, data)
    return page.html()
