# SPDX-License-Identifier: GPL-2.0-only
"""Finds the code blocks of pages, and the markers before them.

A block is a directive ``.. code-block:: LANGUAGE`` of a page in reStructuredText, or a fence of
three backquotes with its language in Markdown. A marker is a comment before it, ``.. KEY: VALUE``
or ``<!-- KEY: VALUE -->``; there may be several.
"""

import dataclasses
import pathlib
import re
import textwrap

LANGUAGES = ("cmake", "cpp", "json", "python", "sh", "text")

# markers: what they say, and in which languages
MARKERS = {
    "not run": ("why the block is not run", LANGUAGES),
    "given": ("C++ that stands before a fragment", ("cpp",)),
    "file": ("the block is saved under this name, for the blocks after it", LANGUAGES),
    "prints": ("a part of what the block prints", ("cpp", "python", "sh")),
    "output": ("the block is what the block before it prints; ... stands for anything", ("text",)),
    "needs": ("programs, python:MODULE or build/FILE, without which the block is skipped",
              ("cpp", "python", "sh")),
}
EMPTY = {"output"}  # markers that have no value

RST_MARKER = re.compile(r"^\s*\.\. ([a-z][a-z ]*):(?!:) ?(.*)$|^\s*\.\. (output)$")
RST_BLOCK = re.compile(r"^(\s*)\.\. code-block::\s*(\S*)\s*$")
RST_LITERAL = re.compile(r"^(?!\s*\.\. )(?:.*\s|.*[^:]|)::\s*$")
MD_MARKER = re.compile(r"^<!-- ([a-z][a-z ]*)(?:: (.*?))? -->$")
MD_FENCE = re.compile(r"^```(.*)$")


@dataclasses.dataclass
class Block:
    """One block. line is that of its first line of text; markers: key -> list of values."""

    page: str
    line: int
    language: str
    text: str
    markers: dict

    @property
    def place(self):
        """Where it is, as compilers say it."""
        return f"{self.page}:{self.line}"

    def get(self, key):
        """The values of a marker on one line, or an empty text."""
        return " ".join(self.markers.get(key, []))


def read(root):
    """(blocks, problems) of README.md and doc/*.rst below the folder root, in order."""
    blocks, problems = [], []
    paths = [root / "README.md", *sorted((root / "doc").glob("*.rst"))]
    for path in (path for path in paths if path.exists()):
        page = str(path.relative_to(root))
        lines = path.read_text(encoding="utf-8").split("\n")
        reader = _markdown if path.suffix == ".md" else _rst
        found = list(reader(page, lines, problems))
        for block in found:
            _check(block, problems)
        blocks += found
    return blocks, problems


def _rst(page, lines, problems):
    markers, index = {}, 0
    while index < len(lines):
        line = lines[index]
        start = RST_BLOCK.match(line)
        marker = RST_MARKER.match(line)
        index += 1
        if start:
            index, text, first = _indented(lines, index, len(start.group(1)))
            yield Block(page, first, start.group(2), text, markers)
            markers = {}
        elif marker and (marker.group(3) or marker.group(1) in MARKERS):
            markers.setdefault(marker.group(3) or marker.group(1), []).append(marker.group(2) or "")
        elif line.strip():
            if markers:
                problems.append(f"{page}:{index}: a marker ({', '.join(markers)}) must stand "
                                "before a code-block")
                markers = {}
            if RST_LITERAL.match(line):
                problems.append(f"{page}:{index}: a literal block (::) does not say what it is; "
                                "write .. code-block:: text, or the language")


def _indented(lines, index, indent):
    """(next index, dedented text, number of its first line) of what is indented deeper."""
    while index < len(lines) and not lines[index].strip():
        index += 1
    first = index
    while index < len(lines) and (not lines[index].strip()
                                  or len(lines[index]) - len(lines[index].lstrip()) > indent):
        index += 1
    text = textwrap.dedent("\n".join(lines[first:index])).rstrip("\n") + "\n"
    return index, text, first + 1


def _markdown(page, lines, _):
    markers, index = {}, 0
    while index < len(lines):
        fence = MD_FENCE.match(lines[index])
        marker = MD_MARKER.match(lines[index])
        index += 1
        if fence:
            first = index
            while index < len(lines) and lines[index] != "```":
                index += 1
            text = "\n".join(lines[first:index]) + "\n"
            yield Block(page, first + 1, fence.group(1), text, markers)
            markers, index = {}, index + 1
        elif marker and marker.group(1) in MARKERS:
            markers.setdefault(marker.group(1), []).append(marker.group(2) or "")
        elif lines[index - 1].strip():
            markers = {}


def _check(block, problems):
    if block.language not in LANGUAGES:
        problems.append(f"{block.place}: language '{block.language}' is not known; known are "
                        f"{', '.join(LANGUAGES)}")
    if not block.text.strip():
        problems.append(f"{block.place}: the block is empty")
    for key, values in block.markers.items():
        if block.language in LANGUAGES and block.language not in MARKERS[key][1]:
            problems.append(f"{block.place}: the marker '{key}' is not for {block.language}")
        if key not in EMPTY and not all(values):
            problems.append(f"{block.place}: the marker '{key}' has no value: {MARKERS[key][0]}")
    path = pathlib.PurePath(block.get("file"))
    if path.is_absolute() or ".." in path.parts:
        problems.append(f"{block.place}: 'file' is a path below the top, not '{path}'")
