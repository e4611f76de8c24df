#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the pages say what the sources have.

usage: doc/check-docs.py [--root=FOLDER]

Fails, naming place and reason, if
- a TypeId of model/ or helper/ is not named in doc/*.rst, or one of its attributes or trace sources
  is missing in the tables "Attributes of ``ns3::roce::X``" and "Trace sources of ``ns3::roce::X``";
- such a table has a name that the TypeId has not, or another default than it;
- a program of examples/, or a program of tools/ that a build puts into build/bin, or one of its
  flags is not named in doc/*.rst;
- a page names a file or folder that does not exist, or a header roce-*.h that is nowhere;
- a command on a page or in tools/*.sh gives a program a flag that it does not have;
- a folder of model/ has no chapter, or its chapter lacks a section of ns-3's outline (OUTLINE).
Pages are doc/*.rst, README.md and CHANGES.md.
"""

import argparse
import pathlib
import re
import sys

FOLDERS = "model|helper|examples|test|tools|doc|cmake|wscript-compat|bindings"
PATH = re.compile(r"(?<![\w/.-])((?:" + FOLDERS + r")/[\w./*-]*|\.ci/run|\.clang-format)")
HEADER = re.compile(r"(?<![\w/*])(roce-[\w-]+\.(?:h|cc))\b")
TABLE = re.compile(r"^\.\. list-table:: (Attributes|Trace sources) of ``ns3::roce::(\w+)``$")
TYPE = re.compile(r'TypeId\(\s*"ns3::roce::(\w+)"\s*\)')
ATTRIBUTE = re.compile(
    r'AddAttribute\(\s*"(\w+)",\s*((?:"[^"]*"\s*)+),\s*(.*?),\s*(?:Compat)?Make\w+Accessor',
    re.S)
TRACE = re.compile(r'AddTraceSource\(\s*"(\w+)"')
FLAG = re.compile(r'(?:AddFlag|AddValue|m_flags\.Add)\(\s*"([\w-]+)"')
# programs of tools/ in build/bin, and where their flags are
SCRIPTS = {"roce-report": "tools/report/cli.py"}
SCRIPT_FLAG = re.compile(r'add_argument\((?:"-\w", )?"--([\w-]+)"')
# what every program has: ns-3's own flags and global values
COMMON = re.compile(r"^(Print\w+|help|version|h|RngSeed|RngRun|SchedulerType|SimulatorImplementationType|"
                    r"ChecksumEnabled|ns3::[\w:]+)$")
TEXTS = [
    (re.compile(r"^BooleanValue\((true|false)\)$"), r"\1"),
    (re.compile(r'^StringValue\("([^"]*)"\)$'), r"\1"),
    (re.compile(r"^(?:Uinteger|Integer|Double)Value\((-?[\d.]+)\)$"), r"\1"),
    (re.compile(r'^DataRateValue\(DataRate\("(\w+)"\)\)$'), r"\1"),
    (re.compile(r"^TypeId::ATTR_GET, .*$"), "read only"),
    (re.compile(r"^PointerValue\(\)$"), "none"),
    (re.compile(r"^TimeValue\(Time\(0\)\)$"), "0"),
    (re.compile(r"^TimeValue\(MilliSeconds\((\d+)\)\)$"), r"\1 ms"),
    (re.compile(r"^TimeValue\(MicroSeconds\((\d+)\)\)$"), r"\1 us"),
    (re.compile(r"^TimeValue\(Seconds\((-?\d+)\)\)$"), r"\1 s"),
]


# the sections that ns-3's chapters have; a title and the character under it
OUTLINE = [("Scope and Limitations", "-"), ("Usage", "-"), ("Helpers", "~"), ("Attributes", "~"),
           ("Traces", "~"), ("Examples and Tests", "-"), ("Validation", "-"), ("References", "-")]
# folder of model/ -> its chapter, where the names differ
CHAPTERS = {"workload": "workloads"}


def default_text(expression):
    """How a page writes a default; None if the expression is not a plain literal."""
    for pattern, text in TEXTS:
        if pattern.match(expression):
            return pattern.sub(text, expression)
    return None


def read_types(root):
    """TypeId -> (attributes: name -> (help, default expression), names of trace sources)."""
    types = {}
    for folder in ("model", "helper"):
        for path in sorted((root / folder).rglob("*.cc")):
            text = path.read_text(encoding="utf-8")
            starts = [(m.start(), m.group(1)) for m in TYPE.finditer(text)]
            for _, name in starts:
                types.setdefault(name, ({}, []))

            def owner(place, starts=starts):
                before = [name for start, name in starts if start < place]
                return (before or [starts[0][1]])[-1]

            for m in ATTRIBUTE.finditer(text):
                help_text = "".join(re.findall(r'"([^"]*)"', m.group(2)))
                types[owner(m.start())][0][m.group(1)] = (help_text, " ".join(m.group(3).split()))
            for m in TRACE.finditer(text):
                types[owner(m.start())][1].append(m.group(1))
    return types


def read_tables(pages):
    """(kind, TypeId) -> {name: (page, line, second cell)} of all tables."""
    tables = {}
    for page, text in pages.items():
        rows = None
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            start = TABLE.match(line)
            if start:
                rows = tables.setdefault((start.group(1), start.group(2)), {})
                continue
            if line and not line.startswith(" "):
                rows = None
            row = re.match(r"^   \* - ``(\w+)``$", line)
            if rows is not None and row:
                second = lines[number].strip()[2:] if number < len(lines) else ""
                rows[row.group(1)] = (page, number, second)
    return tables


def check_types(types, tables, text):
    """Tables against TypeIds."""
    problems = []
    for name, (attributes, traces) in sorted(types.items()):
        if f"ns3::roce::{name}" not in text:
            problems.append(f"doc/: ns3::roce::{name} is not named")
        for kind, wanted in (("Attributes", attributes), ("Trace sources", traces)):
            rows = tables.get((kind, name), {})
            for item in wanted:
                if item not in rows:
                    problems.append(f"doc/: {item} is missing in a table "
                                    f"\"{kind} of ``ns3::roce::{name}``\"")
            for item, (page, number, _) in rows.items():
                if item not in wanted:
                    problems.append(f"{page}:{number}: ns3::roce::{name} has no {item}")
        for item, (page, number, cell) in tables.get(("Attributes", name), {}).items():
            expected = default_text(attributes.get(item, ("", ""))[1])
            if expected is not None and cell != expected:
                problems.append(f"{page}:{number}: default of {name}::{item} is {expected}, "
                                f"the page says {cell}")
    for kind, name in tables:
        if name not in types:
            problems.append(f"doc/: a table is about ns3::roce::{name}, which does not exist")
    return problems


def read_programs(root):
    """Program -> its flags."""
    names = (root / "examples/CMakeLists.txt").read_text(encoding="utf-8")
    names = re.search(r"set\(names\s([^)]*)\)", names).group(1).split()
    helper = root / "helper/roce-experiment-helper.cc"
    common = set(FLAG.findall(helper.read_text(encoding="utf-8")))
    programs = {}
    for name in names:
        path = root / "examples" / f"{name}.cc"
        if path.exists():
            parts = sorted((root / "examples").glob(f"{name}-*.cc"))
            text = "".join(part.read_text(encoding="utf-8") for part in [path, *parts])
            programs[name] = set(FLAG.findall(text))
            if "ExperimentHelper " in text:
                programs[name] |= common
    for name, path in SCRIPTS.items():
        if (root / "tools" / name).exists():
            programs[name] = set(SCRIPT_FLAG.findall((root / path).read_text(encoding="utf-8")))
    return programs


def check_programs(programs, text):
    """Programs and flags that no page names."""
    problems = []
    for name, flags in programs.items():
        if name not in text:
            problems.append(f"doc/: the program {name} is not named")
        for flag in sorted(flags):
            if not re.search(r"--" + re.escape(flag) + r"(?![\w-])", text):
                problems.append(f"doc/: flag --{flag} of {name} is not named")
    return problems


def check_commands(programs, where, text):
    """Flags that a program does not have, and programs that do not exist."""
    problems = []
    joined = text.replace("\\\n", "  ")
    joined = re.sub(r"(\$\{?\w*|command=\()(build/bin/[^)]*)\)", # a bash array over several lines
                    lambda m: m.group(2).replace("\n", " ") + "\n", joined)
    for line in joined.splitlines():
        for m in re.finditer(r"build/bin/([\w-]+)([^`|;&]*)", line):
            name, rest = m.groups()
            if name in ("test-runner", "roce-catch2"):
                continue
            if name not in programs:
                problems.append(f"{where}: build/bin/{name} is no program of examples/ or tools/")
                continue
            for flag in re.findall(r"(?<!\S)--([\w:-]+)", rest):
                if flag not in programs[name] and not COMMON.match(flag):
                    problems.append(f"{where}: {name} has no flag --{flag}")
    return problems


def check_outline(root, pages):
    """Chapters of folders without a section, or with sections in another order or empty."""
    problems = []
    for folder in sorted(path.name for path in (root / "model").iterdir() if path.is_dir()):
        page = f"doc/{CHAPTERS.get(folder, folder)}.rst"
        lines = pages.get(page, "").splitlines()
        place = 0
        for title, mark in OUTLINE:
            found = [i for i, line in enumerate(lines[:-3]) if line == title
                     and lines[i + 1] == mark * len(title) and not lines[i + 2]]
            if not found:
                problems.append(f"{page}: the chapter of model/{folder}/ has no section '{title}', "
                                f"underlined with '{mark}'")
            elif found[0] < place:
                problems.append(f"{page}:{found[0] + 1}: the section '{title}' is out of order")
            else:
                place = found[0]
                text = next((line for line in lines[place + 2:] if line), "")
                if title != "Usage" and text in (title for title, _ in OUTLINE):
                    problems.append(f"{page}:{place + 1}: the section '{title}' is empty")
    return problems


def check_paths(root, where, text, headers):
    """Files that do not exist."""
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        for found in PATH.findall(line):
            name = found.rstrip(".,")
            hits = root.glob(name.rstrip("/")) if "*" in name else [root / name]
            if not any(hit.exists() for hit in hits):
                problems.append(f"{where}:{number}: {name} does not exist")
        for found in HEADER.findall(line):
            if found not in headers:
                problems.append(f"{where}:{number}: there is no file {found}")
    return problems


def main():
    """Read, check, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parent.parent)
    root = pathlib.Path(parser.parse_args().root)
    pages = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
             for path in sorted((root / "doc").glob("*.rst"))}
    text = "\n".join(pages.values())
    types = read_types(root)
    programs = read_programs(root)
    headers = {path.name for folder in ("model", "helper", "examples", "test")
               for path in (root / folder).rglob("roce-*.*")} | {"roce-module.h"}
    problems = check_types(types, read_tables(pages), text) + check_programs(programs, text)
    problems += check_outline(root, pages)
    for name in ("README.md", "CHANGES.md"):
        pages[name] = (root / name).read_text(encoding="utf-8")
    for where, page in pages.items():
        problems += check_paths(root, where, page, headers)
        problems += check_commands(programs, where, page)
    for path in sorted((root / "tools").glob("*.sh")):
        problems += check_commands(programs, str(path.relative_to(root)),
                                   path.read_text(encoding="utf-8"))
    for problem in problems:
        print(problem)
    attributes = sum(len(a) for a, _ in types.values())
    traces = sum(len(t) for _, t in types.values())
    print(f"check-docs: {len(pages)} pages, {len(types)} TypeIds, {attributes} attributes, "
          f"{traces} trace sources, {len(programs)} programs: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
