#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests the JSON Schema of experiments with a validator of others (Debian's python3-jsonschema).

usage: tools/test-schema.py [--build=FOLDER] [--all]

- what "roce-run --schema" prints is a valid schema of the draft that it names
- it takes all of examples/experiments/ and the experiments on the pages
- of malformed experiments it refuses what it can express, and roce-run refuses all of them
- what it refuses, roce-run refuses: each value of an example is replaced by values of other kinds,
  each key is taken away or misspelled; what roce-run runs it takes, so nobody's editor marks a
  good file as bad (of the long examples each 12th change is tried; --all tries them all, a minute)
Skipped with a message (exit code 77) if the package is missing.
"""

import argparse
import copy
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from blocks import pages  # noqa: E402  (beside this file)

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent
DRAFT = "https://json-schema.org/draft/2020-12/schema"

BASE = {
    "schema": "roce-experiment/1",
    "topology": {"star": {"hosts": 4}},
    "cc": "none",
    "traffic": [{"type": "incast", "senders": 3, "bytes": "1kB"}],
}
# path, its value (None takes it away): refused by the schema and by roce-run
MALFORMED = [
    ("/schema", "roce-experiment/2"),
    ("/schema", None),
    ("/topology", None),
    ("/traffic", None),
    ("/traffic", []),
    ("/trafic", []),
    ("/topology", {}),
    ("/topology", {"star": {"hosts": 4}, "preset": "homelab"}),
    ("/topology/star/host", 4),
    ("/topology/star/hosts", 0),
    ("/topology/star/hosts", "4"),
    ("/topology/star/hosts", 4.5),
    ("/topology/star/rate", 100),
    ("/topology/star/rate", "100"),
    ("/topology/star/delay", "fast"),
    ("/cc", []),
    ("/cc", 3),
    ("/repeats", 0),
    ("/repeats", 10001),
    ("/seed", 0),
    ("/nic", {"PathMtu": [1024]}),
    ("/nic", "PathMtu"),
    ("/traffic/0/type", "outcast"),
    ("/traffic/0/type", None),
    ("/traffic/0/bytes", 1000),
    ("/traffic/0/bytes", "-1kB"),
    ("/traffic/0/bytes", None),
    ("/traffic/0/size", "1kB"),
    ("/links", [{"at": "1us", "link": 0, "state": "sideways"}]),
    ("/links", [{"at": "1us", "state": "up"}]),
    ("/expect", {"stall": "yes"}),
    ("/output", {"xml": "a"}),
]
# refused by roce-run alone: what a schema cannot say (names of classes, sums, other keys' values)
BEYOND = [
    ("/cc", "dqcn"),
    ("/cc", ["none", "none"]),
    ("/topology", "homelap"),
    ("/topology/star/rate", "100bananas"),
    ("/nic", {"PathMTU": 1024}),
    ("/nic", {"PathMtu": 100000}),
    ("/traffic/0/senders", 4),
    ("/traffic/0/receiver", 9),
]
STRIDE = 12
OTHERS = (None, True, -1, 0.5, "", "x", [], {}, [{}], {"x": 1})


def changed(document, pointer, value):
    """A copy of the document with the value at the pointer, or without it for None."""
    document = copy.deepcopy(document)
    *way, last = pointer.strip("/").split("/")
    at = document
    for key in way:
        at = at[int(key)] if isinstance(at, list) else at[key]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return document


def mutants(value):
    """Copies of the value, each with one change somewhere."""
    for other in OTHERS:
        if other != value or isinstance(other, bool) != isinstance(value, bool):
            yield other
    if isinstance(value, dict):
        for key in value:
            rest = {k: v for k, v in value.items() if k != key}
            yield rest
            yield {**rest, key + "x": value[key]}
            for new in mutants(value[key]):
                yield {**rest, key: new}
    elif isinstance(value, list):
        yield value + value[:1]
        for index, item in enumerate(value):
            for new in mutants(item):
                yield value[:index] + [new] + value[index + 1:]


class Test:
    """All of it. program: roce-run; validator: the module jsonschema."""

    def __init__(self, program, validator, folder):
        self.program = program
        self.path = folder / "x.json"
        self.folder = folder
        self.problems = []
        done = subprocess.run([program, "--schema"], capture_output=True, text=True, check=True)
        self.schema = json.loads(done.stdout)
        if self.schema.get("$schema") != DRAFT:
            self.problems.append(f"$schema is {self.schema.get('$schema')}, expected {DRAFT}")
        kind = validator.validators.validator_for(self.schema, default=None)
        if kind is not validator.Draft202012Validator:
            self.problems.append(f"the validator takes it for {kind}")
        validator.Draft202012Validator.check_schema(self.schema)
        self.validator = validator.Draft202012Validator(self.schema)

    def run(self, document):
        """Exit code and last words of roce-run."""
        self.path.write_text(json.dumps(document))
        done = subprocess.run([self.program, self.path.name, "--quiet"], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              timeout=60)
        return done.returncode, done.stdout.strip()[-300:]

    def good(self, documents):
        """Experiments that are right. documents: (name, document)"""
        for name, document in documents:
            for error in self.validator.iter_errors(document):
                self.problems.append(f"{name}: the schema refuses it: {error.json_path}: "
                                     f"{error.message[:200]}")

    def refused(self, changes, by_schema):
        """Malformed ones."""
        for pointer, value in changes:
            document = changed(BASE, pointer, value)
            what = f"{pointer} = {json.dumps(value)}"
            if self.validator.is_valid(document) == by_schema:
                verb = "takes" if by_schema else "can express it and refuses"
                self.problems.append(f"{what}: the schema {verb} it")
            code, text = self.run(document)
            if code != 2:
                self.problems.append(f"{what}: roce-run ends with {code}, expected 2: {text}")

    def sound(self, documents, stride):
        """What the schema refuses, roce-run refuses. Returns (refused, taken) by the schema."""
        counts = [0, 0]
        for name, document in documents:
            for mutant in itertools.islice(mutants(document), 0, None, stride):
                if self.validator.is_valid(mutant):
                    counts[1] += 1
                    continue
                counts[0] += 1
                code, text = self.run(mutant)
                if code != 2:
                    self.problems.append(f"{name}: the schema refuses and roce-run ends with "
                                         f"{code}: {json.dumps(mutant)[:400]}: {text}")
        return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("test-schema: skipped: no python3-jsonschema (tools/setup.sh check)")
        return SKIPPED
    files = [(path.name, json.loads(path.read_text()))
             for path in sorted((ROOT / "examples" / "experiments").glob("*.json"))]
    blocks = [(block.place, json.loads(block.text)) for block in pages.read(ROOT)[0]
              if block.language == "json" and "roce-experiment/1" in block.text]
    with tempfile.TemporaryDirectory() as folder:
        test = Test((args.build / "bin" / "roce-run").resolve(), jsonschema, pathlib.Path(folder))
        test.good(files + blocks + [("the base of the malformed ones", BASE)])
        test.refused(MALFORMED, by_schema=True)
        test.refused(BEYOND, by_schema=False)
        base = test.sound([("base", BASE)], 1)
        more = test.sound(files, 1 if args.all else STRIDE)
        counts = [base[0] + more[0], base[1] + more[1]]
    for problem in test.problems:
        print(problem)
    print(f"test-schema: {len(files)} examples, {len(blocks)} blocks, {len(MALFORMED)} malformed, "
          f"{len(BEYOND)} beyond a schema, {counts[0]} mutants refused, {counts[1]} taken by the "
          f"schema: {len(test.problems)} problems")
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
