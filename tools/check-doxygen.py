#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that Doxygen has nothing to say about the headers of model/ and helper/.

usage: tools/check-doxygen.py [--root=FOLDER] [--html=FOLDER]

Runs Doxygen with doc/Doxyfile in a temporary folder and prints each of its warnings once; fails
if there is one. --html keeps the pages.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SETTINGS = pathlib.Path("doc") / "Doxyfile"


class Checker:
    """One run of Doxygen over a tree.

    root: top folder; out: where the pages go. run() raises FileNotFoundError without doxygen and
    RuntimeError if doxygen stops for another reason than its input.
    """

    def __init__(self, root, out=None):
        self.root = root.resolve()
        self.out = out

    def run(self):
        """The warnings, each once, sorted; continued ones on one line, paths below the root."""
        if self.out:
            self.out.mkdir(parents=True, exist_ok=True)
            return self._warnings(self.out.resolve())
        with tempfile.TemporaryDirectory() as folder:
            return self._warnings(folder)

    def _warnings(self, folder):
        settings = (self.root / SETTINGS).read_text(encoding="utf-8")
        settings += f'\nOUTPUT_DIRECTORY = "{folder}"\n'
        done = subprocess.run(["doxygen", "-"], input=settings, cwd=self.root, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            raise RuntimeError(f"doxygen failed with {done.returncode}: {done.stdout[-500:]}")
        warnings = []
        for line in done.stdout.splitlines():
            if line.startswith("  ") and warnings:
                warnings[-1] += " " + line.strip()
            elif line.strip():
                warnings.append(line.replace(f"{self.root}/", ""))
        return sorted(set(warnings))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=default)
    parser.add_argument("--html", type=pathlib.Path, help="keep the pages in this folder")
    args = parser.parse_args()
    try:
        warnings = Checker(args.root, args.html).run()
    except FileNotFoundError as error:
        what = error.filename or "doxygen"
        print(f"check-doxygen: {what} not found; tools/setup.sh check installs doxygen")
        return 1
    except RuntimeError as error:
        print(f"check-doxygen: {error}")
        return 1
    for line in warnings:
        print(line)
    print(f"check-doxygen: {len(warnings)} warnings")
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main())
