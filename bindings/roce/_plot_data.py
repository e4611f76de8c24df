# SPDX-License-Identifier: GPL-2.0-only
"""What roce.plot draws, read from results, dicts, frames and arrays."""

import collections.abc

EXPECTED = (
    "expected a roce.Result, a dict of a result file (roce-result/1) or of one of its runs, {more}"
    "a list of such, or a dict of them by label"
)


def kind_of(thing):
    """What a thing is called in messages."""
    if isinstance(thing, (str, int, float)):
        return f"{type(thing).__name__} {thing!r:.60}"
    if isinstance(thing, collections.abc.Mapping):
        return f"a dict of {', '.join(map(str, list(thing)[:8])) or 'nothing'}"
    return f"a {type(thing).__name__}"


def is_result(thing):
    """Whether it is a Result, or behaves like one."""
    return hasattr(thing, "as_dict") and hasattr(thing, "label")


def is_frame(thing):
    """Whether it is a DataFrame."""
    return hasattr(thing, "columns") and hasattr(thing, "iloc")


def is_run(thing):
    """Whether it is the dict of a run of a result file."""
    return isinstance(thing, collections.abc.Mapping) and isinstance(thing.get("label"), str)


def runs_of(runs, more=""):
    """Label and data of each run of what a caller gave, a list.

    more: what else a run may be, for the message: "a DataFrame, "
    """
    if is_result(runs):
        return [(runs.label, runs)]
    if isinstance(runs, collections.abc.Mapping):
        if "schema" in runs:
            if runs["schema"] != "roce-result/1" or not runs.get("runs"):
                raise ValueError(
                    f"a file of schema {runs['schema']!r} with {len(runs.get('runs') or [])} runs: "
                    "expected roce-result/1 with at least one"
                )
            return [(run["label"], run) for run in runs["runs"]]
        if is_run(runs):
            return [(runs["label"], runs)]
        if not runs:
            raise ValueError("no runs: " + EXPECTED.format(more=more))
        return [(str(label), run) for label, run in runs.items()]
    if isinstance(runs, (list, tuple)) and runs and all(is_result(r) or is_run(r) for r in runs):
        return [runs_of(run)[0] for run in runs]
    if more and hasattr(runs, "__len__") and not isinstance(runs, str) and len(runs):
        return [("run", runs)]  # a frame or an array by itself
    raise ValueError(f"got {kind_of(runs)}: " + EXPECTED.format(more=more))


def numbers(values, name):
    """Numbers of one dimension as an array: ValueError if they are none, or not finite."""
    import numpy

    try:
        array = numpy.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected numbers, got {kind_of(values)} ({error})") from error
    if array.ndim != 1 or not numpy.isfinite(array).all():
        raise ValueError(
            f"{name}: expected finite numbers in one dimension, got shape {array.shape}"
            + ("" if array.ndim != 1 else " with infinite or missing ones")
        )
    return array


def column(frame, name, label):
    """A column of a DataFrame."""
    if name not in frame.columns:
        raise ValueError(
            f'run "{label}": the DataFrame lacks the column {name!r}; it has '
            + ", ".join(map(str, frame.columns))
        )
    return numbers(frame[name], f'run "{label}", {name}')


def samples(run, label, attribute, frame_column):
    """Samples in ns of a run: an attribute of a Result, a column of a frame, or plain numbers."""
    if is_result(run):
        return getattr(run, attribute)
    if is_frame(run):
        return column(run, frame_column, label)
    if isinstance(run, collections.abc.Mapping):
        raise ValueError(
            f'run "{label}": a dict of a result file has no single messages; '
            f"expected a Result, a DataFrame with {frame_column!r} or numbers of ns"
        )
    return numbers(run, f'run "{label}"')


def pairs(series, label, what):
    """Rows of time in s and a value, as an array of shape (n, 2), n may be 0."""
    import numpy

    try:
        array = numpy.asarray(series, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f'run "{label}": {what}: expected rows of two numbers ({error})') from error
    if array.size == 0:
        return array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2 or not numpy.isfinite(array).all():
        raise ValueError(
            f'run "{label}": {what}: expected rows of time in s and a finite value, '
            f"got shape {array.shape}"
        )
    if (numpy.diff(array[:, 0]) < 0).any():
        raise ValueError(f'run "{label}": {what}: times must not go back')
    return array


def look_up(run, path, label):
    """A number of a run by its keys with dots between: "fct_ns.mean"."""
    found = run.as_dict() if is_result(run) else run
    if not isinstance(found, collections.abc.Mapping):
        raise ValueError(f'run "{label}": ' + EXPECTED.format(more="") + f"; got {kind_of(found)}")
    seen = []
    for key in path.split("."):
        if not isinstance(found, collections.abc.Mapping) or key not in found:
            has = ", ".join(found) if isinstance(found, collections.abc.Mapping) else "no keys"
            raise ValueError(
                f'run "{label}" has no {path!r}: at {".".join(seen) or "its top"} there is {has}'
            )
        found = found[key]
        seen.append(key)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise ValueError(f'run "{label}": {path} is {kind_of(found)}, expected a number')
    return found


def part_of(run, label, key, hint):
    """What a monitor adds to a run, by its key. hint: how to get it, for the message."""
    found = run.as_dict() if is_result(run) else run
    if not isinstance(found, collections.abc.Mapping):
        raise ValueError(f'run "{label}": ' + EXPECTED.format(more="") + f"; got {kind_of(found)}")
    if key not in found:
        raise ValueError(f'run "{label}" has no {key}: {hint}')
    return found[key]


def series_of(run, label, attribute, keys):
    """Rows over time of a run: of a Result, a dict of a run by keys, or rows themselves."""
    what = attribute
    if is_result(run):
        series = getattr(run, attribute)
    elif isinstance(run, collections.abc.Mapping):
        series = run
        what = ".".join(keys)
        for key in keys:
            if not isinstance(series, collections.abc.Mapping) or key not in series:
                raise ValueError(f'run "{label}" lacks {what}; it has {", ".join(run)}')
            series = series[key]
    else:
        series = run
    return pairs(series, label, what)


def thin(series, width_s):
    """Begins in s, values and end in s of buckets of about a width: means of equally many buckets."""
    import numpy

    if len(series) == 0:
        return numpy.empty(0), numpy.empty(0), 0.0
    width = series[1, 0] - series[0, 0] if len(series) > 1 else 1e-6
    group = max(1, int(numpy.ceil(width_s / width - 1e-6)))
    begins = series[::group, 0]
    values = numpy.array(
        [series[i : i + group, 1].sum() / group for i in range(0, len(series), group)]
    )
    return begins, values, begins[-1] + width * group


def sampled(series, interval_ns):
    """The buckets of a series that hold a sample, if samples are rarer than buckets.

    A bucket without a sample is 0. When the first sample was is not known, but all buckets above 0
    hold one: the first time of the interval at which that is so is taken, if there is one.
    """
    import numpy

    if len(series) < 2 or not interval_ns:
        return series
    begin = numpy.rint(series[:, 0] * 1e9)
    width = begin[1] - begin[0]
    for first in numpy.unique(begin[series[:, 1] > 0] % interval_ns):
        held = numpy.ceil((begin - first) / interval_ns) * interval_ns + first < begin + width
        if not series[~held, 1].any():
            return series[held]
    return series
