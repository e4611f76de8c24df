# SPDX-License-Identifier: GPL-2.0-only
"""Runs blocks in a folder that looks like the top of the repository after a build."""

import doctest
import importlib.util
import json
import os
import re
import resource
import shutil
import subprocess
import sys

from . import cpp

SECONDS = 60  # a block that takes longer fails; it needs a marker "not run"
# schema of a JSON block -> the program that reads it, and what goes before the file
READERS = {
    "roce-experiment/1": ["build/bin/roce-run"],
    "roce-topology/1": ["build/bin/roce-topology"],
    "roce-workload/1": ["build/bin/roce-workload", "--file"],
}


class Failure(Exception):
    """Why a block is wrong."""


def missing(block, build):
    """What the block needs and this machine or the build has not, or None."""
    for name in re.split(r"[,\s]+", block.get("needs")):
        if name.startswith("python:"):
            if importlib.util.find_spec(name.partition(":")[2]) is None:
                return name
        elif name.startswith("build/"):
            if not (build / name.partition("/")[2]).exists():
                return name
        elif name and not shutil.which(name):
            return name
    return None


class Runner:
    """Runs the blocks of pages. root: the repository; build: the build; work: an empty folder."""

    def __init__(self, root, build, work):
        self.root = root
        self.build = build
        self.work = work
        self.cpp = {}  # place -> command of a compiled block
        self.said = ""  # what the compiler said
        self.told = False  # whether that was reported
        self.later = set()  # places of blocks that are files which later blocks name
        self.last = None  # what the last block of the page printed
        self.folder = None
        self.environment = dict(os.environ, MPLBACKEND="Agg",
                                PATH="/usr/bin:" + os.environ.get("PATH", ""))

    def prepare(self, blocks):
        """Compile the C++ blocks."""
        blocks = [b for b in blocks if b.language == "cpp"]
        if not blocks:
            return
        compiler = cpp.Compiler(self.build)
        folder = self.work / "cpp"
        folder.mkdir()
        (folder / "blocks.cc").write_text(cpp.make_source(blocks))
        self.said = compiler.compile(folder, "blocks")
        for index, block in enumerate(blocks):
            self.cpp[block.place] = [str(folder / "blocks"), str(index)]

    def begin(self, page):
        """A new page: its blocks share a folder with links to the repository and the build."""
        self.folder = self.work / page.replace("/", "-")
        self.folder.mkdir()
        self.last = None
        for path in self.root.iterdir():
            if not path.name.startswith(("build", "out", ".")):
                (self.folder / path.name).symlink_to(path)
        (self.folder / "build").symlink_to(self.build)

    def save(self, block):
        """Save a block that says under which name."""
        if "file" in block.markers:
            path = self.folder / block.get("file")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)

    def run(self, block):
        """CPU seconds of the block. Failure if it is wrong."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.save(block)
        getattr(self, f"_{block.language}")(block)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def _call(self, command, text=None):
        try:
            done = subprocess.run(command, cwd=self.folder, input=text, timeout=SECONDS, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                  env=self.environment, errors="replace")
        except subprocess.TimeoutExpired as error:
            raise Failure(f"took longer than {SECONDS} s; shorten it or say '.. not run:' and "
                          "how long it takes") from error
        except OSError as error:
            raise Failure(f"cannot run {command[0]}: {error}") from error
        self.last = done.stdout
        if done.returncode:
            raise Failure(f"exit code {done.returncode}:\n{done.stdout[-2000:]}")

    def _expect(self, block):
        for part in block.markers.get("prints", []):
            if part not in self.last:
                raise Failure(f"does not print '{part}', but:\n{self.last[-2000:]}")

    def _sh(self, block):
        self._call(["/bin/bash", "-e", "-o", "pipefail", "-s"], block.text)
        self._expect(block)

    def _python(self, block):
        if not (self.build / "python" / "roce").is_dir():
            raise Failure(f"{self.build}/python/roce does not exist")
        self.environment["PYTHONPATH"] = str(self.build / "python")
        self._call([sys.executable, "-"], block.text)
        self._expect(block)

    def _cpp(self, block):
        if self.said:
            if self.told:
                raise Failure("not run, as what is compiled with it failed")
            self.told = True
            raise Failure(f"this, or another C++ block, does not compile:\n{self.said[:3000]}")
        self._call(self.cpp[block.place])
        self._expect(block)

    def _json(self, block):
        try:
            value = json.loads(block.text, object_pairs_hook=_unique)
        except ValueError as error:
            raise Failure(f"is no JSON: {error}") from error
        schema = value.get("schema") if isinstance(value, dict) else None
        if block.place in self.later:
            return
        if schema in READERS:
            path = self.folder / f"block-{block.line}.json"
            path.write_text(block.text)
            *words, last = READERS[schema]
            words += [f"{last}={path.name}"] if last.startswith("--") else [last, path.name]
            self._call(words)
        elif schema:
            raise Failure(f"schema '{schema}' is not known; known are {', '.join(READERS)}")

    def _text(self, block):
        if "output" not in block.markers:
            return
        if self.last is None:
            raise Failure("is an output, but no block before it on this page was run")
        checker = doctest.OutputChecker()
        if not checker.check_output(block.text, _tidy(self.last), doctest.ELLIPSIS):
            raise Failure(f"the block before it prints\n{self.last[-3000:]}\nnot\n{block.text}")

    def _cmake(self, _):
        raise Failure("CMake is not run; say '.. not run:' and what tests it")


def _unique(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the key '{name}' comes twice")
    return dict(pairs)


def _tidy(text):
    """Without spaces at ends of lines and empty lines around, as a page has it."""
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n")) + "\n"
