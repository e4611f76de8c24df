# SPDX-License-Identifier: GPL-2.0-only
"""Experiments that are given as JSON."""

import json
import os
import warnings

from . import _roce
from ._progress import bar_of


def plain(value):
    """For json.dumps: ranges, tuples, paths, and the numbers and arrays of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, range):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} cannot be part of an experiment: JSON has no such value")


def text_of(value):
    """A value as JSON text; NaN and infinity are refused with ValueError."""
    return json.dumps(value, default=plain, allow_nan=False)


def flat(numbers, prefix=""):
    """{"fct_ns": {"mean": 1}} as {"fct_ns.mean": 1}; lists are left out."""
    out = {}
    for key, value in numbers.items():
        if isinstance(value, dict):
            out.update(flat(value, f"{prefix}{key}."))
        elif not isinstance(value, list):
            out[prefix + key] = value
    return out


def frame_of(rows):
    """A DataFrame, or the rows themselves without pandas."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _index(part, node, pointer, length):
    if not part.isascii() or not part.isdigit() or int(part) >= length:
        raise ValueError(
            f"{pointer}: {part!r} is no place in a list of {len(node)}; counting begins with 0"
        )
    return int(part)


def change(document, pointer, value):
    """Give a document another value at a JSON pointer; None: take it out."""
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise ValueError(f'{pointer!r} is no path of a key; paths begin with "/", as "/cc"')
    parts = [p.replace("~1", "/").replace("~0", "~") for p in pointer[1:].split("/")]
    node = document
    for part in parts[:-1]:
        if isinstance(node, list):
            node = node[_index(part, node, pointer, len(node))]
        elif isinstance(node, dict):
            node = node.setdefault(part, {})
        else:
            break
    last = parts[-1]
    if isinstance(node, list):
        more = 0 if value is None else 1  # one past the end appends
        place = _index(last, node, pointer, len(node) + more)
        node[place : place + 1] = [] if value is None else [value]
    elif not isinstance(node, dict):
        raise ValueError(f"{pointer}: what should have the key {last!r} is {node!r}")
    elif value is None:
        node.pop(last, None)
    else:
        node[last] = value


class Results(list):
    """The results of an experiment, a Result a run; results["dcqcn"] is the run of that label."""

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for result in self:
            if result.label == key:
                return result
        raise KeyError(f"no run is labelled {key!r}; there are {[r.label for r in self]}")

    def to_pandas(self):
        """A DataFrame with a row a run: all single numbers of the result file, "fct_ns.mean".

        Needs pandas.
        """
        import pandas

        return pandas.DataFrame([flat(result.as_dict()) for result in self])


class Experiment:
    """An experiment of schema roce-experiment/1, as roce-run takes them (doc/experiments.rst).

        star = {"star": {"hosts": 9, "rate": "100Gbps", "delay": "1us"}}
        incast = roce.Experiment(
            {
                "schema": "roce-experiment/1",
                "topology": star,
                "cc": ["none", "hcc"],
                "traffic": [{"type": "incast", "senders": 8, "bytes": "1MB"}],
            }
        )
        results = incast.run()

    source  a dict, JSON text, or the path of a file; in text the first character that is no space
            is "{". A file is looked for files that it names in its folder, others where Python runs

    All is checked here, and nothing is built: ValueError names the path of what is wrong, such as
    a key that is not known. OSError if the file cannot be read. An experiment does not change; set
    and with_ give new ones.
    """

    def __init__(self, source):
        name, folder = "experiment", ""
        if isinstance(source, dict):
            text = text_of(source)
        elif isinstance(source, str) and source.lstrip().startswith("{"):
            text = source
        elif isinstance(source, (str, os.PathLike)):
            name = os.fspath(source)
            folder = os.path.dirname(name)
            with open(name, encoding="utf-8") as file:
                text = file.read()
        else:
            raise TypeError(f"an experiment is a dict, JSON text or a path, not {source!r}")
        self._make(name, text, folder)

    def _make(self, name, text, folder):
        self._name, self._folder = name, folder
        self._document = _roce._Document(name, text, folder)
        return self

    def __reduce__(self):
        return _restore, (self._name, self._document.given(), os.path.abspath(self._folder))

    def __repr__(self):
        labels = self.labels
        shown = ", ".join(labels[:4]) + (", ..." if len(labels) > 4 else "")
        return f"<roce.Experiment {self._name!r}: {self._document.runs} runs ({shown})>"

    def __eq__(self, other):
        if not isinstance(other, Experiment):
            return NotImplemented
        return self._document.full() == other._document.full() and os.path.abspath(
            self._folder
        ) == os.path.abspath(other._folder)

    __hash__ = None

    @property
    def labels(self):
        """Names of the runs, without repeats."""
        return self._document.labels

    def as_dict(self, defaults=False):
        """The experiment as a dict, a copy.

        defaults: with all keys that have a default, as the simulator sees it
        """
        return json.loads(self._document.full() if defaults else self._document.given())

    @staticmethod
    def schema():
        """The JSON Schema (draft 2020-12) of experiments, a dict.

        It is what roce-run --schema prints.
        """
        return json.loads(_roce._Document.schema())

    def set(self, pointer, value):
        """The same with another value: experiment.set("/topology/clos/spines", 8).

        pointer  path of the key, a JSON pointer: "/traffic/0/bytes"; what is missing on the way is
                 made, and one past the end of a list appends
        value    new value; None: without the key
        """
        return self.with_({pointer: value})

    def with_(self, values=None, **keys):
        """The same with other values: with_({"/nic/PathMtu": 1024}, cc="hcc", seed=3).

        values  by path, as in set
        keys    by name; "__" stands for "/": topology__clos__spines=8

        All are set before the experiment is checked; ValueError as from Experiment().
        """
        document = self.as_dict()
        named = {"/" + key.replace("__", "/"): value for key, value in keys.items()}
        for pointer, value in {**(values or {}), **named}.items():
            change(document, pointer, value)
        return object.__new__(Experiment)._make(self._name, text_of(document), self._folder)

    def run(self, progress=False, on_stall="warn"):
        """Run all of it, and return Results, a list with a Result a run.

        progress  True: a bar a run; or a function, called about five times a second and at the end
                  of each run with (label, simulated ns, bytes delivered, bytes posted, frame-hops)
        on_stall  what to do if a run cannot finish and is not meant to ("expect"): "warn"
                  (StallWarning) or "ignore"

        Each run is a simulation of its own, which is destroyed at its end. The files of "output"
        are written. RuntimeError if there is a simulation already, if a run is under way, or if a
        file cannot be written. The GIL is free meanwhile. Ctrl-C and exceptions of progress end all
        of it and are raised; no simulation is left then.
        """
        if on_stall not in ("warn", "ignore"):
            raise ValueError(f'on_stall = {on_stall!r}: expected "warn" or "ignore"')
        with _bars(progress) as tell:
            results = Results(self._document.run(tell))
        if on_stall == "warn" and not self.as_dict().get("expect", {}).get("stall"):
            from . import StallWarning, _stall_text

            for result in results:
                if not result.finished:
                    warnings.warn(_stall_text(result), StallWarning, stacklevel=2)
        return results


def _restore(name, text, folder):
    return object.__new__(Experiment)._make(name, text, folder)


class _Bars:
    """A bar for each label that comes."""

    def __init__(self):
        self.label, self.bar, self.tell = None, None, None

    def __call__(self, label, *numbers):
        if label != self.label:
            self.close()
            self.label, self.bar = label, bar_of(True, label)
            self.tell = self.bar.__enter__()
        self.tell(*numbers)

    def close(self):
        if self.bar:
            self.bar.__exit__(None, None, None)
        self.bar = None


class _bars:
    """What the C++ part calls now and then, closed at the end."""

    def __init__(self, progress):
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise TypeError(f"progress must be a bool or a function, not {progress!r}")
        self.tell = _Bars() if progress is True else progress or None

    def __enter__(self):
        return self.tell

    def __exit__(self, *error):
        if isinstance(self.tell, _Bars):
            self.tell.close()
