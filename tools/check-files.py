#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks each file by itself: license line, names, lengths, lists of CMakeLists.txt, paths.

usage: tools/check-files.py [--root=FOLDER]

Lengths: header 250 lines, .cc 500, example 150, binding and part of tools/report 300, function 60; 25
public methods and 12 attributes a class; a notebook 64000 bytes, without outputs. Methods and functions are found by the layout that
clang-format gives, not by a parser.
Overrides do not count as methods: the base class asks for them. GetTypeId and a Catch2 TEST_CASE
may be longer than other functions: they are lists.
"""

import argparse
import json
import pathlib
import re
import sys

LIMIT_HEADER = 250
LIMIT_SOURCE = 500
LIMIT_EXAMPLE = 150
LIMIT_BINDING = 300
LIMIT_REPORT = 300
LIMIT_NOTEBOOK = 64000  # bytes
LIMIT_FUNCTION = 60
LIMIT_METHODS = 25
LIMIT_ATTRIBUTES = 12

SPDX = "SPDX-License-Identifier: GPL-2.0-only"
CPP_START = ["/*", f" * {SPDX}", " */"]
HASH_FILES = (".py", ".pyi", ".sh", ".cmake", ".toml")
HASH_NAMES = ("CMakeLists.txt", "wscript", "run", "roce-report")
STAR_FILES = (".h", ".cc", ".js", ".css")
SKIP_FOLDERS = re.compile(r"^(\.git|build[^/]*|out|\.ccache)$|__pycache__")

# what belongs to one machine; in pieces, so that this file passes
MACHINE = re.compile(
    r"(?<![\w.$}])/(" + "|".join(["wo" + "rk", "tm" + "p", "ro" + "ot", "ho" + r"me/\w+"]) + r")\b"
    + "|" + "deb" + r"\.debian\.org|" + "snap" + r"shot\.debian\.org"
)
PRINTING = re.compile(r"std::(cout|cerr|clog)\b|\b(f|s)?printf\s*\(")
RANDOM = re.compile(r"\bs?rand\s*\(|\brandom_device\b")
CONTROL = re.compile(r"^\s*(if|else|for|while|switch|do|try|catch|namespace|class|struct|union|enum)\b")


class Checker:
    """Collects what is wrong in the tree at root."""

    def __init__(self, root):
        self.root = root
        self.problems = []
        self.files = sorted(self.walk(root))

    def walk(self, folder):
        for path in folder.iterdir():
            if SKIP_FOLDERS.search(path.name):
                continue
            if path.is_dir():
                yield from self.walk(path)
            elif not path.is_symlink():
                yield path

    def problem(self, name, number, text):
        self.problems.append(f"{name}:{number}: {text}")

    def run(self):
        names = {}
        for path in self.files:
            name = path.relative_to(self.root).as_posix()
            try:
                lines = path.read_text().splitlines()
            except UnicodeDecodeError:
                continue  # data
            self.check_license(path, name, lines)
            self.check_paths(name, lines)
            if path.suffix in (".h", ".cc"):
                self.check_name(path, name, names)
                self.check_lengths(path, name, lines)
                self.check_functions(name, lines)
                if name.startswith("model/"):
                    self.check_quiet(name, lines)
                if path.suffix == ".h":
                    self.check_header(path, name, lines)
            elif path.suffix == ".ipynb":
                self.check_notebook(path, name)
            elif name.startswith("tools/report/") and len(lines) > LIMIT_REPORT:
                self.problem(name, LIMIT_REPORT, f"{len(lines)} lines, limit {LIMIT_REPORT}")
        self.check_lists()
        return self.problems

    def check_license(self, path, name, lines):
        if path.suffix in STAR_FILES:
            if lines[:3] != CPP_START:
                self.problem(name, 1, f"the first three lines must be /*, {SPDX}, */")
        elif path.suffix in HASH_FILES or path.name in HASH_NAMES:
            if not any(line == f"# {SPDX}" for line in lines[:3]):
                self.problem(name, 1, f"one of the first three lines must be # {SPDX}")
        elif path.suffix == ".html" and f"<!-- {SPDX} -->" not in lines[:3]:
            self.problem(name, 1, f"one of the first three lines must be <!-- {SPDX} -->")

    def check_notebook(self, path, name):
        """Outputs are stripped: they are data of one machine, and make each difference unreadable."""
        text = path.read_text()
        if len(text.encode()) > LIMIT_NOTEBOOK:
            self.problem(name, 1, f"{len(text.encode())} bytes, limit {LIMIT_NOTEBOOK}")
        try:
            data = json.loads(text)
            cells, license_name = data["cells"], data["metadata"].get("license")
            version = data["nbformat"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.problem(name, 1, f"is no notebook: {error!r}")
            return
        if version != 4:
            self.problem(name, 1, f"nbformat {version}, expected 4")
        if license_name != SPDX.split()[1]:
            self.problem(name, 1, f'"license" of its metadata must be "{SPDX.split()[1]}"')
        for number, cell in enumerate(cells, 1):
            if cell.get("outputs") or cell.get("execution_count"):
                self.problem(name, 1, f"cell {number} has outputs or a count: strip them")

    def check_paths(self, name, lines):
        for number, line in enumerate(lines, 1):
            found = MACHINE.search(line)
            if found:
                self.problem(name, number, f"belongs to one machine: {found.group(0)}")

    def check_name(self, path, name, names):
        top = name.split("/")[0]
        if top == "bindings" and not re.fullmatch(r"bindings/src/py-[a-z0-9-]+\.(h|cc)", name):
            self.problem(name, 1, "the name must be bindings/src/py-<words>.h or .cc")
        if top not in ("model", "helper"):
            return
        if not re.fullmatch(r"roce-[a-z0-9-]+\.(h|cc)", path.name):
            self.problem(name, 1, "the name must be roce-<words>.h or .cc")
        if path.name in names:
            self.problem(name, 1, f"{names[path.name]} has the same name")
        names[path.name] = name

    def check_lengths(self, path, name, lines):
        limit = LIMIT_HEADER if path.suffix == ".h" else LIMIT_SOURCE
        if name.startswith("examples/"):
            limit = LIMIT_EXAMPLE
        if name.startswith("bindings/"):
            limit = min(limit, LIMIT_BINDING)
        if len(lines) > limit:
            self.problem(name, limit, f"{len(lines)} lines, the limit is {limit}")
        attributes = sum(line.count(".AddAttribute(") for line in lines)
        if attributes > LIMIT_ATTRIBUTES and not name.startswith("test/"):
            self.problem(name, 1, f"{attributes} attributes, the limit is {LIMIT_ATTRIBUTES}")

    def check_functions(self, name, lines):
        for number, line in enumerate(lines):
            opened = re.fullmatch(r"( {0,4})\{", line)
            if not opened or number == 0:
                continue
            indent = opened.group(1)
            # the line that begins the signature: the last one with just this indent
            start = number - 1
            while start > 0 and lines[start].startswith(indent + " "):
                start -= 1
            head = " ".join(lines[start:number])
            if "(" not in head or CONTROL.match(lines[start]) or re.search(r"TEST_CASE|GetTypeId", head):
                continue
            close = re.compile(re.escape(indent) + r"\}")
            end = next((i for i in range(number + 1, len(lines)) if close.match(lines[i])), number)
            length = end - number - 1
            if length > LIMIT_FUNCTION:
                self.problem(name, number, f"function of {length} lines, limit {LIMIT_FUNCTION}")

    def check_quiet(self, name, lines):
        for number, line in enumerate(lines, 1):
            code = line.partition("//")[0]
            if code.lstrip().startswith("*"):
                continue
            if PRINTING.search(code):
                self.problem(name, number, "model/ does not print; use NS_LOG or a trace source")
            if RANDOM.search(code):
                self.problem(name, number, "use an ns-3 random variable stream")

    def check_header(self, path, name, lines):
        guard = re.sub(r"[^A-Z0-9]", "_", path.name.upper())
        if f"#ifndef {guard}" not in lines:
            self.problem(name, 4, f"the include guard must be {guard}")
        for cls, number, count in public_methods("\n".join(lines)):
            if count > LIMIT_METHODS:
                self.problem(name, number,
                             f"class {cls} has {count} public methods, limit {LIMIT_METHODS}")

    def check_lists(self):
        listing = self.root / "CMakeLists.txt"
        if not listing.exists():
            return
        on_disk = {path.relative_to(self.root).as_posix() for path in self.files}
        wanted = {
            "roce_sources": r"(model|helper)/.*\.cc",
            "roce_headers": r"(model|helper)/.*\.h",
            "roce_tests": r"test/[^/]*-test-suite\.cc",
            "roce_catch_tests": r"test/catch2/catch-(?!main).*\.cc",
        }
        self.check_list_of("CMakeLists.txt", "", wanted, on_disk)
        self.check_list_of("bindings/CMakeLists.txt", "bindings/",
                           {"roce_py_sources": r"bindings/src/.*\.cc"}, on_disk)

    def check_list_of(self, listing, folder, wanted, on_disk):
        """The lists of one CMake file, which names files below folder."""
        if not (self.root / listing).exists():
            return
        text = (self.root / listing).read_text()
        for variable, pattern in wanted.items():
            found = re.search(r"^set\(" + variable + r"\s([^)]*)\)", text, re.M)
            listed = [folder + name for name in found.group(1).split()] if found else []
            have = {name for name in on_disk if re.fullmatch(pattern, name)}
            for name in sorted(have - set(listed)):
                self.problem(listing, 1, f"{variable} does not list {name}")
            for name in sorted(set(listed) - on_disk):
                self.problem(listing, 1, f"{variable} lists {name}, which does not exist")
            if listed != sorted(set(listed)):
                self.problem(listing, 1, f"{variable} is not sorted or lists a file twice")


def public_methods(text):
    """Yields (class, line, number of public methods) for each class or struct of a header.

    Constructors, destructors, operators, overrides and what is deleted do not count.
    """
    # blanks of equal length for comments and strings, so that lines stay the same
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"',
                  lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)
    text = re.sub(r"^\s*#[^\n]*", "", text, flags=re.M)
    opening = re.compile(r"^ *(class|struct) (\w+)[^;{}()]*\{", re.M)
    for found in opening.finditer(text):
        depth, end = 1, found.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        body = text[found.end() : end - 1]
        name = found.group(2)
        count = count_public(name, found.group(1) == "struct", body)
        yield name, text.count("\n", 0, found.start()) + 1, count


def count_public(name, public, body):
    # drop inner braces: what is left are declarations and the heads of inline functions
    depth, flat = 0, []
    for char in body:
        if char == "}":
            depth -= 1
            if depth == 0:
                flat.append(";")
        elif char == "{":
            depth += 1
        elif depth == 0:
            flat.append(char)
    count = 0
    for statement in "".join(flat).split(";"):
        while True:
            label = re.match(r"\s*(public|protected|private)\s*:", statement)
            if not label:
                break
            public = label.group(1) == "public"
            statement = statement[label.end() :]
        words = statement.strip()
        head = words.partition("(")[0].strip()
        if "(" not in words or not public or re.search(r"= delete|\boverride\b", words):
            continue
        if re.match(r"(using|friend|typedef|static_assert|enum|class|struct)\b", words):
            continue
        if head.split()[-1:] in ([name], ["~" + name]) or "operator" in head:
            continue
        if head.endswith("~" + name) or "=" in head:
            continue
        count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=default)
    args = parser.parse_args()
    checker = Checker(args.root)
    problems = checker.run()
    for line in problems:
        print(line)
    print(f"check-files: {len(checker.files)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
