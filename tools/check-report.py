#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests the page of roce-report in headless Chromium: what a reader sees and presses.

usage: tools/check-report.py [--required] [--pictures=FOLDER] [RESULT.json...]

Without files: those of test/data/. Looks for errors on the console, requests, missing pictures, a
page wider than a phone (360), buttons that do nothing by keyboard, names that a screen reader would
miss; then breaks the page in several ways, expects each to be found, and draws odd values. Without
Chromium (Debian: chromium) it says so and ends well, or badly with --required.
  --pictures=FOLDER  leave screenshots: desktop, phone, dark
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import devtools  # noqa: E402

TOOLS = pathlib.Path(__file__).resolve().parent
PHONE, DESKTOP = (360, 740), (1280, 900)
READY = "document.documentElement.dataset.ready === 'yes'"

# what a page must have; each expression gives a list of what is wrong
STRUCTURE = """(() => {
  const wrong = [];
  const all = (q) => Array.from(document.querySelectorAll(q));
  const wanted = Number(document.body.dataset.charts);
  const drawn = all('.plot > svg').filter((s) => s.querySelector('.bar, .curve')
    && s.getBoundingClientRect().height > 50 && s.getBoundingClientRect().width > 200);
  if (!wanted || drawn.length !== wanted || all('figure').length !== wanted) {
    wrong.push(`${drawn.length} pictures drawn of ${wanted}`);
  }
  if (all('script').length !== 2) wrong.push(`${all('script').length} scripts, expected 2`);
  if (window.hacked !== undefined) wrong.push('a label of the file ran as a script');
  if (document.documentElement.lang !== 'en') wrong.push('no language');
  if (all('h1').length !== 1 || all('main').length !== 1) wrong.push('not one h1, one main');
  let level = 0;
  for (const h of all('h1, h2, h3, h4')) {
    const now = Number(h.tagName[1]);
    if (now > level + 1) wrong.push(`heading ${h.textContent} of level ${now} after ${level}`);
    level = now;
  }
  const ids = all('[id]').map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push('an id is there twice');
  for (const a of all('a[href^="#"]')) {
    if (!document.getElementById(a.hash.slice(1))) wrong.push(`no place for ${a.hash}`);
  }
  for (const e of all('[aria-labelledby], [aria-describedby]')) {
    for (const n of ['aria-labelledby', 'aria-describedby']) {
      const id = e.getAttribute(n);
      if (id && !document.getElementById(id).textContent) wrong.push(`${n} ${id} is empty`);
    }
  }
  for (const t of all('table')) {
    if (!t.caption || !t.caption.textContent) wrong.push('a table without caption');
    if (!t.querySelector('thead') || t.querySelector('th:not([scope])')) wrong.push('th without scope');
    if (!t.closest('.scroll[tabindex="0"][aria-label]')) wrong.push('a table that keys do not scroll');
  }
  for (const f of all('figure')) {
    if (!f.querySelector('details table td') || !f.querySelector('figcaption p').textContent.trim()) {
      wrong.push(`${f.id} has no words or no table`);
    }
  }
  for (const b of all('button')) {
    if (!b.textContent.trim()) wrong.push('a button without a name');
    if (b.closest('.tools') && !b.hasAttribute('aria-pressed')) wrong.push('no aria-pressed');
  }
  return wrong;
})()"""
NAMELESS = ("button", "link", "application", "region", "table", "figure", "navigation")


class Reader:
    """Does with one page what a person does; notes what is wrong."""

    def __init__(self, browser, path):
        self.browser = browser
        self.path = path
        self.wrong = []

    def check(self, fine, text):
        """Note text unless it is fine."""
        if not fine:
            self.wrong.append(text)
        return fine

    def load(self, size, **media):
        """Open the page in a window of a size; whether its script came to its end."""
        self.browser.size(*size, **media)
        self.browser.open(self.path)
        return self.check(self.browser.wait(READY, 5), f"at {size[0]}: the script did not end")

    def quiet(self, where):
        """Nothing on the console, nothing fetched."""
        some = list(dict.fromkeys(self.browser.problems))
        self.check(not some, f"{where}: {len(some)} on the console: {some[:3]}")
        others = [u for u in self.browser.requests if not u.startswith("file:")]
        self.check(len(self.browser.requests) == 1 and not others,
                   f"{where}: fetched {self.browser.requests}")

    def width(self, size):
        """The page does not scroll sideways, with all tables open."""
        self.browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        wide = self.browser.run("document.documentElement.scrollWidth")
        self.check(wide <= size[0], f"at {size[0]}: the page is {wide} wide")

    def press(self, find, key):
        """Focus an element and press a key."""
        self.browser.run(f"{find}.focus()")
        self.browser.key(key)

    def sort(self):
        """A heading sorts by Enter, up and then down."""
        heads = "Array.from(document.querySelector('table.runs thead tr:last-child').cells)"
        number = self.browser.run(f"{heads}.findIndex((c) => c.textContent === 'p99')")
        head = f"{heads}[{number}]"
        values = ("Array.from(document.querySelector('table.runs').tBodies[0].rows)"
                  f".map((r) => r.cells[{number}].dataset.v).filter((v) => v !== '').map(Number)")
        for direction in ("ascending", "descending"):
            self.press(f"{head}.querySelector('button')", "Enter")
            told = self.browser.run(f"{head}.getAttribute('aria-sort')")
            found = self.browser.run(values)
            self.check(told == direction, f"sorting: aria-sort is {told}, not {direction}")
            self.check(found == sorted(found, reverse=direction == "descending"),
                       f"sorting {direction}: {found}")
            shown = self.browser.run("document.activeElement.textContent")
            self.check(shown.startswith("p99"), f"sorting moves the focus to {shown!r}")
        said = self.browser.run("document.getElementById('said').textContent")
        self.check("descending" in (said or ""), f"sorting says {said}")

    def sort_names(self):
        """Names sort too."""
        head = "document.querySelector('table.runs thead tr:last-child').cells[0]"
        self.press(f"{head}.querySelector('button')", "Enter")
        names = self.browser.run("Array.from(document.querySelector('table.runs').tBodies[0].rows)"
                                 ".map((r) => r.cells[0].textContent)")
        order = self.browser.run(f"{json.dumps(names)}.sort((a, b) => a.localeCompare(b, 'en', "
                                 "{numeric: true}))")
        self.check(names == order, f"names are sorted as {names}")

    def series(self):
        """Space hides a series and shows it again; the scale changes."""
        shapes = "document.querySelectorAll('#chart-0 .plot .bar').length"
        places = ("Array.from(document.querySelectorAll('#chart-0 .plot .bar'))"
                  ".map((b) => b.getAttribute('width')).join()")
        button = "document.querySelector('#chart-0 .series')"
        before, at = self.browser.run(shapes), self.browser.run(places)
        self.press(button, " ")
        self.check(self.browser.run(f"{button}.getAttribute('aria-pressed')") == "false",
                   "a series stays pressed")
        self.check(self.browser.run(shapes) < before, "hiding a series hides nothing")
        self.press(button, " ")
        self.check(self.browser.run(places) == at, "showing a series again gives another picture")
        self.press("document.querySelector('#chart-0 .scale')", "Enter")
        self.check(self.browser.run(places) != at, "the logarithmic scale changes nothing")
        self.press("document.querySelector('#chart-0 .scale')", "Enter")

    def values(self):
        """Arrow keys and the pointer say values, Escape is silent."""
        last = int(self.browser.run("document.body.dataset.charts")) - 1
        for number in (0, last):
            readout = f"document.querySelector('#chart-{number} .readout').textContent"
            self.press(f"document.querySelector('#chart-{number} svg[role]')", "ArrowRight")
            first = self.browser.run(readout)
            self.browser.key("End")
            self.browser.key("ArrowDown")
            second = self.browser.run(readout)
            self.check(first and second and any(c.isdigit() for c in first),
                       f"chart {number}: keys say {first!r}, {second!r}")
            self.browser.key("Escape")
            self.check(self.browser.run(readout) == "", f"chart {number}: Escape leaves a value")
        self.browser.run("document.activeElement.blur()")
        tip = "(document.querySelector('#chart-0 .tip.shown') || {}).textContent || ''"
        for step in range(10):  # as a hand does; a busy browser may still be moving the page
            place = self.browser.run("""(() => {
                const bar = document.querySelector('#chart-0 .plot .bar');
                bar.scrollIntoView({block: 'center', behavior: 'instant'});
                const r = bar.getBoundingClientRect();
                return [r.left + 5, r.top + r.height / 2]; })()""")
            self.browser.move(place[0] + step % 3, place[1])
            if self.browser.wait(tip, 2):
                break
        said = self.browser.run(tip)
        self.check(any(c.isdigit() for c in said), f"pointing at {place} says {said!r}")

    def names(self):
        """The tree that screen readers get: what can be used has a name."""
        self.browser.call("Accessibility.enable")
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        self.browser.call("Accessibility.disable")
        roles = {}
        for entry in nodes:
            role = entry.get("role", {}).get("value")
            roles[role] = roles.get(role, 0) + 1
            if role in NAMELESS and not entry.get("ignored") and \
                    not entry.get("name", {}).get("value"):
                self.wrong.append(f"a {role} has no name")
        charts = int(self.browser.run("document.body.dataset.charts"))
        self.check(roles.get("application") == charts,
                   f"{roles.get('application')} charts for screen readers, expected {charts}")

    def tabs(self):
        """The first Tab gives the skip link, and it can be seen."""
        self.browser.run("window.scrollTo(0, 0)")
        self.browser.key("Tab")
        seen = self.browser.run("(() => { const r = document.activeElement.getBoundingClientRect();"
                                "return [document.activeElement.className, r.left]; })()")
        self.check(seen == ["skip", 0], f"the first Tab goes to {seen}")

    def all(self):
        """Everything; returns what is wrong."""
        for size in (PHONE, DESKTOP):
            if not self.load(size):
                self.quiet(f"at {size[0]}")
                return self.wrong
            self.wrong += self.browser.run(STRUCTURE)
            if self.wrong:
                self.quiet(f"at {size[0]}")
                return self.wrong
            if size == DESKTOP:
                self.tabs()
            self.width(size)
            self.names()
            self.sort()
            self.sort_names()
            self.series()
            self.values()
            self.quiet(f"at {size[0]}")
        paper = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.run(paper)
        if self.load(PHONE, dark=True, still=True):
            self.check(self.browser.run(paper) != light, "dark readers get a light page")
            moves = self.browser.run("[getComputedStyle(document.documentElement).scrollBehavior, "
                                     "getComputedStyle(document.querySelector('.tip'))"
                                     ".transitionDuration]")
            self.check(moves == ["auto", "0s"], f"things move for who does not want it: {moves}")
            self.quiet("dark")
        return self.wrong


# how a page can be broken, and a word of what must be said then
BROKEN = [
    ("</main>", "<svg width=\"900\" height=\"9\"></svg></main>", "wide"),
    ("</main>", "<p style=\"color:red\">x</p></main>", "style"),
    ("</main>", "<img src=\"http://127.0.0.1:9/x.png\" alt=\"x\"></main>", "fetched"),
    ("drawAll();\n", "drawAll(1);\n", "did not end"),
    ("<caption>Runs</caption>", "", "caption"),
    ("<p class=\"readout\"", "<p class=\"other\"", "did not end"),
    ("<h2 ", "<h5></h5><h4>x</h4><h2 ", "heading"),
]


def make(folder, results):
    """The page of the files."""
    path = pathlib.Path(folder) / "page.html"
    subprocess.run([sys.executable, str(TOOLS / "roce-report"), *map(str, results), "-o", str(path)],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def pictures(browser, path, folder):
    """Screenshots to look at."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, dark in (("desktop", DESKTOP, False), ("phone", PHONE, False),
                             ("dark", DESKTOP, True)):
        browser.size(*size, dark=dark)
        browser.open(path)
        browser.wait(READY)
        browser.picture(folder / f"report-{name}.png")


def broken(browser, path):
    """Each way to break the page must be found."""
    wrong = []
    text = path.read_text(encoding="utf-8")
    for old, new, word in BROKEN:
        if old not in text:
            wrong.append(f"cannot break the page: no {old!r} in it")
            continue
        other = path.with_name("broken.html")
        other.write_text(text.replace(old, new, 1), encoding="utf-8")
        found = Reader(browser, other).all()
        if not any(word in line for line in found):
            wrong.append(f"{new!r} in place of {old!r} was not found, but {found}")
    return wrong


def odd(browser, folder):
    """Values that no program writes but a file may hold: every button, no error, no NaN drawn."""
    wrong = []
    good = json.loads((TOOLS.parent / "test/data/report-incast.json").read_text(encoding="utf-8"))
    for value in (0, -5, 1e300, 5e-324, [0, 1e300], [-1e300, 1e300], [1e-300, None], [None, None]):
        pair = value if isinstance(value, list) else [value, value]
        for run, number in zip(good["runs"], pair):
            known = 0 if number is None else number
            run.update(goodput_bps=number, fct_cdf=[[known, 0.5], [known, 1]], gpu_utilization=number)
            run["fct_ns"] = dict.fromkeys(run["fct_ns"], number)
            run["pfc"].update(xoff=known, xoff_per_s=[[0, known], [1e-6, 0], [2e-6, known]])
            run["cnp"]["per_s"] = [[known, known]]
        path = pathlib.Path(folder) / "odd.json"
        path.write_text(json.dumps(good), encoding="utf-8")
        reader = Reader(browser, make(folder, [path]))
        if reader.load(PHONE):
            drawn = browser.run("""(() => {
              let all = '';
              for (let round = 0; round < 2; round++) {
                document.querySelectorAll('button').forEach((b) => { b.click(); });
                document.querySelectorAll('.plot').forEach((p) => { all += p.innerHTML; });
              }
              return (all.match(/"[^"]*(NaN|Infinity|undefined)[^"]*"/) || [''])[0]; })()""")
            reader.check(not drawn, f"draws {drawn}")
        reader.quiet("odd values")
        wrong += [f"values {value}: {line}" for line in reader.wrong]
    return wrong


def main():
    """Exit code 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results", nargs="*")
    parser.add_argument("--required", action="store_true", help="fail without Chromium")
    parser.add_argument("--pictures", metavar="FOLDER", help="leave screenshots there")
    flags = parser.parse_args()
    program = devtools.find()
    if not program:
        print("check-report: no chromium, so the page was not tried (package chromium)")
        return 1 if flags.required else 0
    data = TOOLS.parent / "test" / "data"
    results = flags.results or [data / "report-incast.json", data / "report-everything.json"]
    with tempfile.TemporaryDirectory() as folder, devtools.Browser(program) as browser:
        page = make(folder, results)
        wrong = Reader(browser, page).all()
        charts = browser.run("document.body.dataset.charts")
        if flags.pictures:
            pictures(browser, page, flags.pictures)
        if not flags.results and not wrong:
            wrong += broken(browser, page) + odd(browser, folder)
    for line in wrong:
        print(line)
    more = "" if flags.results else f", {len(BROKEN)} broken pages, odd values"
    print(f"check-report: {charts} pictures at 360 and 1280{more}: {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
