#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks who includes whom: the layer table of the design, and how includes are written.

usage: tools/check-layers.py [--root=FOLDER] [--ns3=FOLDER]

Layers are the folders of model/. A layer includes the layers of its row below and nothing else.
A header of the same folder is included as "roce-x.h", of another folder as "ns3/roce-x.h".
ns-3's own headers are looked up in the <module>-module.h files of --ns3 (default: where the
compiler finds them, /usr/include/ns3); without them that column is not checked, and it says so.
"""

import argparse
import fnmatch
import pathlib
import re
import sys

ANY = ["*"]

# layer -> {layer it may include: header names (patterns) it may include of it}
LAYERS = {
    "base": {},
    "topology": {"base": ANY},
    "congestion": {"base": ANY},
    "wire": {"base": ANY},
    "link": {"base": ANY, "wire": ANY},
    "transport": {"base": ANY, "wire": ANY, "congestion": ["roce-congestion-control.h",
                                                               "roce-path-chooser.h"]},
    "nic": {"base": ANY, "wire": ANY, "congestion": ANY, "transport": ANY, "link": ANY},
    "switch": {
        "base": ANY,
        "wire": ANY,
        "link": ANY,
        # the domain map and the body of a CNP, not the laws
        "congestion": ["roce-*domain*.h", "roce-cnp*.h"],
    },
    "collective": {
        "base": ANY,
        "wire": ANY,
        "transport": ["roce-work-request.h", "roce-completion*.h"],
        "nic": ["roce-nic.h"],
    },
    # where workloads come from: data, no simulator
    "workload": {
        "base": ANY,
        "topology": ["roce-fabric-graph.h", "roce-flow-reader.h", "roce-json-source.h",
                     "roce-quantity.h", "roce-text-source.h"],
        "collective": ["roce-task*.h", "roce-collective-catalog.h"],
    },
    # reads everything; that nothing in the other layers includes it follows from their rows
    "monitor": {
        layer: ANY
        for layer in ("base", "wire", "congestion", "transport", "link", "nic", "switch",
                      "topology", "collective", "workload")
    },
}

# layer -> the highest ns-3 module it may include
NS3_ORDER = ["core", "network", "internet"]
NS3_LIMIT = {
    "base": "core",
    "topology": "core",
    "congestion": "core",
    "wire": "network",
    "link": "network",
    "transport": "network",
    "nic": "internet",
    "switch": "internet",
    "collective": "network",
    "workload": "core",
}
# the one place that knows the differences between ns-3 versions
NS3_EXEMPT = {"model/base/roce-compat.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def ns3_modules(folder):
    """Which module each ns-3 header belongs to, from the aggregate headers."""
    owner = {}
    for module in NS3_ORDER:
        aggregate = folder / f"{module}-module.h"
        if not aggregate.exists():
            return None
        for line in aggregate.read_text().splitlines():
            found = INCLUDE.match(line)
            if found:
                owner[pathlib.PurePosixPath(found.group(2)).name] = module
    return owner


class Checker:
    """Collects what is wrong in the tree at root."""

    def __init__(self, root, ns3):
        self.root = root
        self.owner = ns3_modules(ns3)
        self.problems = []
        self.folder_of = {}
        for part in ("model", "helper"):
            for header in sorted((root / part).rglob("*.h")):
                self.folder_of[header.name] = header.parent.relative_to(root).as_posix()

    def problem(self, name, number, text):
        self.problems.append(f"{name}:{number}: {text}")

    def run(self):
        for part in ("model", "helper", "examples", "test", "bindings"):
            for path in sorted((self.root / part).rglob("*")):
                if path.suffix in (".h", ".cc"):
                    self.check_file(path)
        return self.problems

    def check_file(self, path):
        name = path.relative_to(self.root).as_posix()
        parts = name.split("/")
        layer = None
        if parts[0] == "model":
            layer = parts[1]
            if len(parts) != 3 or layer not in LAYERS:
                self.problem(name, 1, "model/ has one folder for each layer: " + " ".join(LAYERS))
                return
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found:
                self.check_include(name, number, layer, found.group(1), found.group(2))

    def check_include(self, name, number, layer, quote, target):
        folder = name.rpartition("/")[0]
        base = target.rpartition("/")[2]
        if base in self.folder_of:
            owner = self.folder_of[base]
            right = base if owner == folder else f"ns3/{base}"
            if quote != '"' or target != right:
                self.problem(name, number, f'write #include "{right}": it is in {owner}/')
            self.check_layer(name, number, layer, base, owner)
        elif base == "roce-module.h":
            if layer or folder == "helper":
                self.problem(name, number, "include the headers you use, not roce-module.h")
        elif base.startswith("roce-") and not (self.root / folder / target).exists():
            self.problem(name, number, f"no header {target} in model/ or helper/")
        elif target.startswith("ns3/"):
            self.check_ns3(name, number, layer, base)

    def check_layer(self, name, number, layer, base, owner):
        if layer is None:
            return
        other = owner.partition("/")[2]
        if other == layer:
            return
        patterns = LAYERS[layer].get(other, [])
        if not any(fnmatch.fnmatch(base, p) for p in patterns):
            text = f"layer {layer} must not include {base} of {owner}"
            if patterns:
                text += ", only " + " ".join(patterns)
            self.problem(name, number, text)

    def check_ns3(self, name, number, layer, base):
        if base.endswith("-module.h") and (layer or name.startswith("helper/")):
            self.problem(name, number, f"include the headers you use, not {base}")
            return
        if self.owner is None or layer not in NS3_LIMIT or name in NS3_EXEMPT:
            return
        allowed = NS3_ORDER[: NS3_ORDER.index(NS3_LIMIT[layer]) + 1]
        module = self.owner.get(base, "another module")
        if module not in allowed:
            self.problem(
                name, number,
                f"layer {layer} may use ns-3's {' '.join(allowed)}; ns3/{base} is of {module}",
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=default)
    parser.add_argument("--ns3", type=pathlib.Path, default=pathlib.Path("/usr/include/ns3"))
    args = parser.parse_args()
    checker = Checker(args.root, args.ns3)
    problems = checker.run()
    for line in problems:
        print(line)
    if checker.owner is None:
        print(f"check-layers: no ns-3 headers in {args.ns3}: use of ns-3 modules not checked")
    print(f"check-layers: {len(checker.folder_of)} headers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
