#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes bindings/roce/_roce.pyi, the types of the C++ part, from the signatures of pybind11.

usage: PYTHONPATH=build/python bindings/tools/make-stubs.py [--check] [FILE]

--check compares instead of writing and fails if the file is not current. A signature is the first
line of a docstring, or the numbered lines of overloads.
"""

import argparse
import inspect
import pathlib
import re
import sys

from roce import _roce

HEAD = '''# SPDX-License-Identifier: GPL-2.0-only
# Made by bindings/tools/make-stubs.py from the docstrings of the module; do not edit.
# ruff: noqa
from typing import Any, Callable, Dict, List, Optional, Tuple, Union, overload
import typing

'''


def tidy(text):
    text = text.replace("roce._roce.", "").replace("numpy.ndarray", "Any")
    text = re.sub(r"ns3::[\w:<>, ]+", "Any", text)
    text = re.sub(r"= <[^>]*>", "= ...", text)
    text = re.sub(r"\b(object|handle)\b", "Any", text)
    text = re.sub(r"\bfunction\b(?=[\],)=]| =)", "Callable[..., Any]", text)
    text = re.sub(r"(\w+): Callable\[\.\.\., Any\]: ", r"\1: ", text)
    text = re.sub(r"\*args\b(?!:)", "*args: Any", text)
    return re.sub(r"\*\*kwargs\b(?!:)", "**kwargs: Any", text)


def signatures(name, doc):
    """The signatures in a docstring: one, or those of overloads."""
    lines = (doc or "").splitlines()
    found = [re.sub(r"^\d+\. ", "", line) for line in lines if re.match(rf"^\d+\. {name}\(", line)]
    if not found and lines and lines[0].startswith(name + "("):
        found = [lines[0]]
    return [tidy(line) for line in found]


def function(name, value, indent, static=False):
    out = []
    found = signatures(name, value.__doc__) or [f"{name}(*args: Any, **kwargs: Any) -> Any"]
    for line in found:
        if static:
            out.append(f"{indent}@staticmethod")
        if len(found) > 1:
            out.append(f"{indent}@overload")
        line = re.sub(r"\(self: [\w.]+", "(self", line)
        out.append(f"{indent}def {line}: ...")
    return out


def class_of(name, value):
    base = value.__mro__[1].__name__
    out = ["", f"class {name}({base}):" if base not in ("pybind11_object", "object") else f"class {name}:"]
    body = []
    for key, member in sorted(vars(value).items()):
        if isinstance(member, property):
            line = (member.fget.__doc__ or "").splitlines()
            found = re.search(r"-> (.*)$", line[0]) if line else None
            body += ["    @property", f"    def {key}(self) -> {tidy(found.group(1)) if found else 'Any'}: ..."]
        elif isinstance(member, staticmethod):
            body += function(key, member.__func__, "    ", static=True)
        elif callable(member) and (not key.startswith("_") or key in ("__init__", "__len__", "__getitem__")):
            body += function(key, member, "    ")
    return out + (body or ["    ..."])


def make():
    out = []
    names = sorted(n for n in vars(_roce) if not n.startswith("__"))
    for name in names:
        value = getattr(_roce, name)
        if isinstance(value, str):
            out.append(f"{name}: str")
    for name in names:
        value = getattr(_roce, name)
        if inspect.ismodule(value):
            out += ["", f"class {name}:  # a module"]
            for key in sorted(k for k in vars(value) if not k.startswith("_")):
                out += function(key, getattr(value, key), "    ", static=True)
        elif inspect.isclass(value):
            out += class_of(name, value)
    out.append("")
    for name in names:
        value = getattr(_roce, name)
        if not inspect.isclass(value) and not inspect.ismodule(value) and callable(value):
            out += function(name, value, "")
    return HEAD + "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parent.parent / "roce" / "_roce.pyi"
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=default)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = make()
    compile(text, str(args.file), "exec")
    if not args.check:
        args.file.write_text(text)
        return 0
    if not args.file.exists() or args.file.read_text() != text:
        print(f"make-stubs: {args.file} is not current; run bindings/tools/make-stubs.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
