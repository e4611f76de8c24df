# SPDX-License-Identifier: GPL-2.0-only
"""Compiles C++ blocks with the flags and libraries of a build.

A block with main() is a program. All others are fragments: each is the body of a function, after
what its markers say is given, and runs up to the end of Simulator::Run(). All of them become one
file, as reading the headers takes most of the time; so an #include that a program lacks may stay
unseen, unless commands of a page build it.
"""

import json
import os
import re
import shlex
import subprocess

HEADERS = ("ns3/core-module.h", "ns3/network-module.h", "ns3/internet-module.h",
           "ns3/applications-module.h", "ns3/roce-module.h", "iostream", "numeric")
MODULES = ("network", "internet", "applications")  # their libraries, which a program may not need
MODEL = "examples/roce-first.cc"  # its flags are used, without those that optimize
MAIN = re.compile(r"\bint\s+main\s*\(([^)]*)\)")
INCLUDE = re.compile(r"^#include .*$", re.M)


class Compiler:
    """The compiler of a build.

    build: its folder, with compile_commands.json and bin/roce-first. RuntimeError if it has not.
    """

    def __init__(self, build):
        database = build / "compile_commands.json"
        if not database.exists():
            raise RuntimeError(f"{database} does not exist; build with tools/build.sh first")
        entries = [entry for entry in json.loads(database.read_text())
                   if entry["file"].endswith(MODEL)]
        if not entries:
            raise RuntimeError(f"{database} has no {MODEL}; configure with -DROCE_EXAMPLES=ON")
        words = shlex.split(entries[0]["command"])
        self._flags = []
        skip = False
        for word in words[:-1]:
            if skip or word in ("-c",) or re.fullmatch(r"-O\w*|-g\w*", word):
                skip = False
            elif word == "-o":
                skip = True
            else:
                self._flags.append(word)
        self._libraries = self._find_libraries(build / "bin" / "roce-first")

    @staticmethod
    def _find_libraries(program):
        """The libraries of roce and ns-3 that the program was linked with."""
        done = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
        paths = re.findall(r"=> (/\S*/libns3\S*)", done.stdout)
        if not paths:
            raise RuntimeError(f"ldd {program} names no library of ns-3: {done.stdout}{done.stderr}")
        core = [path for path in paths if "-core" in path]
        more = {path.replace("-core", f"-{name}") for path in core for name in MODULES}
        return paths + sorted(path for path in more if os.path.exists(path) and path not in paths)

    def compile(self, folder, name):
        """What the compiler says of NAME.cc in the folder; empty if it made the program NAME."""
        folders = sorted({f"-Wl,-rpath,{path.rpartition('/')[0]}" for path in self._libraries})
        for command in ([*self._flags, "-O0", "-c", "-o", f"{name}.o", f"{name}.cc"],
                        [*self._flags, "-o", name, f"{name}.o", *self._libraries, *folders]):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                return done.stderr or f"exit code {done.returncode}"
        return ""


def make_source(blocks):
    """One program of all blocks; its argument is the index of the one to run."""
    includes = [f"#include <{header}>" for header in HEADERS]
    bodies, calls = [], []
    for index, block in enumerate(blocks):
        line = f'#line {block.line} "{block.page}"'
        start = MAIN.search(block.text)
        if start:
            includes += INCLUDE.findall(block.text)
            text = INCLUDE.sub("", block.text).rstrip().removesuffix("}") + "return 0;\n}"
            bodies.append(f"namespace block{index}\n{{\n#define main Run\n{line}\n{text}\n"
                          "#undef main\n}")
            arguments = "1, argv" if start.group(1).strip() else ""
            calls.append(f"return block{index}::Run({arguments});")
        else:
            bodies.append("\n".join([
                f"namespace block{index}\n{{\nusing namespace ns3;\nusing namespace ns3::roce;",
                "static void Run()\n{", *block.markers.get("given", []), line, block.text,
                '#line 1 "after the fragment"', "Simulator::Run();\nSimulator::Destroy();\n}\n}"]))
            calls.append(f"block{index}::Run(); return 0;")
    cases = [f"case {index}: {call}" for index, call in enumerate(calls)]
    return "\n".join([*dict.fromkeys(includes), *bodies, "int main(int, char* argv[])\n{",
                      "switch (std::stoi(argv[1]))\n{", *cases, "}\nreturn 1;\n}\n"])
