# SPDX-License-Identifier: GPL-2.0-only
"""Each notebook of bindings/notebooks runs headless, without errors, and draws something."""

import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

import roce  # noqa: F401  (a package that does not load is said once)

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))
LIMIT_S = 120

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
        print(f"{name}: {took:.1f} s, {len(pictures)} pictures", file=sys.stderr)

    def test_there_are_some(self):
        self.assertGreaterEqual(len(NAMES), 4)

    def test_an_error_is_an_error(self):
        cells = [nbformat.v4.new_code_cell("import roce\nroce.Fabric('no-such-preset')")]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.ipynb")
            nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
            with self.assertRaisesRegex(nbclient.exceptions.CellExecutionError, "no-such-preset"):
                executed(path)


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
