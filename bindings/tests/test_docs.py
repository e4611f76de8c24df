# SPDX-License-Identifier: GPL-2.0-only
"""The Python of doc/python.rst, README.md and docstrings runs."""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import textwrap
import unittest

import roce

os.environ["MPLBACKEND"] = "Agg"  # draws without a screen
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def blocks_of_rst(text):
    """The code blocks of a page, dedented."""
    for found in re.finditer(r"^\.\. code-block:: python\n\n((?:(?:   .*)?\n)+)", text, re.M):
        yield textwrap.dedent(found.group(1))


class Docs(unittest.TestCase):
    def setUp(self):
        roce.destroy()

    tearDown = setUp

    def execute(self, code, name):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, name, "exec"), {"__name__": "example"})
        roce.destroy()
        return out.getvalue()

    def test_page(self):
        blocks = list(blocks_of_rst((ROOT / "doc" / "python.rst").read_text()))
        self.assertGreaterEqual(len(blocks), 4)
        for number, block in enumerate(blocks):
            if "roce.plot" in block and not importlib.util.find_spec("matplotlib"):
                print(f"block {number} is not run: no matplotlib (tools/setup.sh plot)")
                continue
            with self.subTest(block=number):
                self.execute(block, f"doc/python.rst, block {number}")

    def test_readme(self):
        for block in re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(),
                                re.M | re.S):
            self.execute(block, "README.md")

    def test_docstring_of_the_package(self):
        code = textwrap.dedent(re.search(r"\n((?:    .*\n|\n)+)", roce.__doc__).group(1))
        # 4 x 1 MB over one link cannot take less than 8 x 4 MB / 100 Gb/s = 320 us; the mean of
        # four that share it fairly is below that and not below that of one alone, 80 us
        mean, xoff = self.execute(code, "roce.__doc__").split()
        self.assertGreater(float(mean), 80e3)
        self.assertEqual(int(xoff), 0)


if __name__ == "__main__":
    unittest.main()
