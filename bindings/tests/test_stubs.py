# SPDX-License-Identifier: GPL-2.0-only
"""The type stubs are those of the module; all that is public has a docstring."""

import pathlib
import subprocess
import sys
import unittest

import roce

BINDINGS = pathlib.Path(__file__).resolve().parent.parent


class Stubs(unittest.TestCase):
    def test_current(self):
        done = subprocess.run(
            [sys.executable, "-B", BINDINGS / "tools" / "make-stubs.py", "--check"],
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_docstrings(self):
        for name in roce.__all__:
            value = getattr(roce, name)
            if isinstance(value, str):
                continue
            text = value.__doc__ or ""
            self.assertGreater(len(text.strip().splitlines()), 0, name)
            if isinstance(value, type):
                for key, member in vars(value).items():
                    if isinstance(member, property):
                        self.assertTrue(member.__doc__, f"{name}.{key}")
                    elif callable(member) and not key.startswith("_"):
                        lines = (member.__doc__ or "").strip().splitlines()
                        self.assertGreater(len(lines), 1, f"{name}.{key} has a signature only")

    def test_help(self):
        import pydoc

        text = pydoc.render_doc(roce.ClosHelper)
        for words in ("hosts_per_leaf", "super_spines", "parallel links", "ValueError"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
