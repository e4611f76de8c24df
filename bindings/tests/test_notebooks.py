# SPDX-License-Identifier: GPL-2.0-only
"""Each notebook of bindings/notebooks runs headless, without errors, draws something, and gives what
its page in doc/notebooks shows."""

import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

import roce  # noqa: F401  (a package that does not load is said once)

BINDINGS = pathlib.Path(__file__).resolve().parent.parent
FOLDER = BINDINGS / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))
LIMIT_S = 120
LIMIT_PICTURES = 1_500_000  # bytes of all pictures of the pages

_spec = importlib.util.spec_from_file_location("pages", BINDINGS / "tools" / "doc-notebooks.py")
PAGES = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(PAGES)

try:
    import ipykernel  # noqa: F401
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
    import pandas  # noqa: F401

    MISSING = ""
except ImportError as error:
    MISSING = f"{error}; on Debian: tools/setup.sh notebooks"


def executed(path, out=None):
    """The notebook at path with outputs, run by this interpreter, whatever kernels are installed."""
    # a kernel of this interpreter, found before those of the machine
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JUPYTER_PATH"] = folder
        spec = pathlib.Path(folder) / "kernels" / "roce-test"
        spec.mkdir(parents=True)
        argv = [sys.executable, "-B", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec = spec / "kernel.json"
        spec.write_text(json.dumps({"argv": argv, "display_name": "test", "language": "python"}))
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        nbclient.NotebookClient(notebook, kernel_name="roce-test", timeout=LIMIT_S).execute()
    if out:
        nbformat.write(notebook, out)
    return notebook


def prepare():
    """The environment of the kernels."""
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # silences a warning of the debugger
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"


@unittest.skipIf(MISSING, MISSING)
class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        prepare()

    def check(self, name):
        begin = time.monotonic()
        out = os.environ.get("ROCE_NOTEBOOKS_OUT")  # folder for executed copies
        if out:
            os.makedirs(out, exist_ok=True)
        notebook = executed(FOLDER / name, os.path.join(out, name) if out else None)
        took = time.monotonic() - begin
        pictures = []
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                self.assertNotEqual(output.output_type, "error")
                self.assertNotEqual(output.get("name"), "stderr", output.get("text"))
                png = output.get("data", {}).get("image/png")
                if png:
                    pictures.append(png)
        self.assertGreaterEqual(len(pictures), 1)
        for png in pictures:
            self.assertGreater(len(png), 5000, "an empty picture")  # base64 of 3.7 KB
        self.assertLess(took, LIMIT_S)
        self.assertFalse(
            PAGES.differs(name.split(".")[0], notebook.cells),
            f"doc/notebooks has other outputs: run bindings/tools/doc-notebooks.py {name}",
        )
        print(f"{name}: {took:.1f} s, {len(pictures)} pictures", file=sys.stderr)

    def test_there_are_some(self):
        self.assertGreaterEqual(len(NAMES), 6)

    def test_an_error_is_an_error(self):
        cells = [nbformat.v4.new_code_cell("import roce\nroce.Fabric('no-such-preset')")]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.ipynb")
            nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
            with self.assertRaisesRegex(nbclient.exceptions.CellExecutionError, "no-such-preset"):
                executed(path)


class Pages(unittest.TestCase):
    """The pages of the manual; needs no Jupyter."""

    def test_text_and_code_are_those_of_the_notebooks(self):
        self.assertEqual(PAGES.check(PAGES.names()), [])

    def test_a_change_is_found(self):
        cells = PAGES.load("01-first-steps")
        text = (PAGES.DOC / "notebooks" / "01-first-steps.rst").read_text(encoding="utf-8")
        same = PAGES.page("01-first-steps", cells)
        self.assertEqual(PAGES.without_outputs(text), same)
        for number in (0, 3):  # text, code
            changed = [{**c, "source": list(c["source"])} for c in cells]
            changed[number]["source"][-1] += " more"
            self.assertNotEqual(PAGES.page("01-first-steps", changed), same)
        self.assertIn(PAGES.OUTPUT, text)
        self.assertNotIn(PAGES.OUTPUT, same)

    def test_pictures_are_small(self):
        folder = PAGES.DOC / "figures" / "notebooks"
        sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
        self.assertGreaterEqual(len(sizes), 6)
        self.assertLess(sum(sizes.values()), LIMIT_PICTURES)

    def test_markdown(self):
        for given, expected in (
            ("# A `b`", "A ``b``\n======="),
            ("a *b* and `c_d`, e_ and 2 * 3", "a *b* and ``c_d``, e\\_ and 2 \\* 3"),
            ("$2 \\cdot 3\\,\\mathrm{µs}$ and $$ alone", None),
            ("x $2 \\cdot 3\\,\\mathrm{µs}$ y", "x 2 · 3 µs y"),
            ("$$a \\le b$$", "   a ≤ b"),
            ("    code\n    more", ".. code-block:: text\n\n   code\n   more"),
            ("- one\n- two `x`", "- one\n- two ``x``"),
            ("$\\frac{1}{2}$", None),
            ("[text](address)", None),
            ("| a | b |", None),
            ("1. first", None),
        ):
            with self.subTest(given):
                if expected is None:
                    self.assertRaises(ValueError, PAGES.markdown, given)
                else:
                    self.assertEqual(PAGES.markdown(given), expected)


def add(name):
    def test(self):
        self.check(name)

    method = "test_" + name.split(".")[0].replace("-", "_")
    setattr(Notebooks, method, test)


for one in NAMES:
    add(one)


if __name__ == "__main__":
    if MISSING:
        print(f"notebooks are not run: {MISSING}")
    unittest.main()
