# SPDX-License-Identifier: GPL-2.0-only
"""Parameter sweeps over processes."""

import collections
import concurrent.futures
import contextlib
import hashlib
import itertools
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import threading
import warnings

from . import _roce
from ._experiment import Experiment, flat, frame_of, text_of

SCHEMA = "roce-sweep-point/1"
_one = threading.Lock()  # one simulation a process


class _Broken(Exception):
    """A process has ended while it worked on something."""


def run_point(experiment):
    """In a worker: the runs of an experiment, as in a result file."""
    with _one, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a stall is in the numbers
        return [result.as_dict() for result in experiment.run(on_stall="ignore")]


def _start_worker():
    """A worker leaves Ctrl-C to its parent, and goes when the parent has gone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow():
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


class _Point:
    """One experiment of a sweep, and its file."""

    def __init__(self, experiment, values, directory):
        self.experiment, self.values = experiment, values
        self.asked = {
            "experiment": experiment.as_dict(),
            "files": dict(_digests(experiment)),
            "roce": _roce.version,
            "ns3": _roce.ns3_version,
        }
        text = json.dumps(self.asked, sort_keys=True, separators=(",", ":"))
        self.key = hashlib.sha256(text.encode()).hexdigest()[:32]
        self.path = pathlib.Path(directory) / f"{self.key}.json" if directory else None
        self.runs, self.error = None, None

    def load(self):
        """Whether a file has the runs; one that is broken, or says that they failed, has not."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            if stored["schema"] == SCHEMA and stored["asked"] == self.asked:
                self.runs = stored["runs"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return self.runs is not None

    def store(self):
        """Write the file, whole or not at all."""
        stored = {"schema": SCHEMA, "asked": self.asked, "runs": self.runs, "error": self.error}
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.key, suffix=".part")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                json.dump(stored, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def end(self, runs=None, error=None):
        self.runs, self.error = runs, error
        if self.path:
            self.store()

    def rows(self):
        if self.error is not None:
            return [{**self.values, "error": self.error}]
        return [{**self.values, "error": None, **flat(run)} for run in self.runs]


def _digests(experiment):
    """The files that an experiment names, and what is in them."""
    stack = [experiment.as_dict()]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += value.values()
        elif isinstance(value, list):
            stack += value
        elif isinstance(value, str) and 0 < len(value) < 4096 and "\0" not in value:
            path = experiment._document.resolve(value)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    yield value, hashlib.sha256(file.read()).hexdigest()


class _Local:
    """Processes of this machine, which are started anew if one ends by itself."""

    def __init__(self, processes):
        self.processes, self.pool, self.before = processes, None, set()

    def width(self):
        return self.processes

    def submit(self, experiment):
        if not self.pool:
            self.before = set(multiprocessing.active_children())
            self.pool = concurrent.futures.ProcessPoolExecutor(
                self.processes, multiprocessing.get_context("spawn"), _start_worker
            )
        try:
            return self.pool.submit(run_point, experiment)
        except concurrent.futures.BrokenExecutor as error:
            raise _Broken from error

    def renew(self):
        """Forget a pool that is broken."""
        self.pool.shutdown(wait=True)
        self.pool = None

    def kill(self):
        if self.pool:
            for child in set(multiprocessing.active_children()) - self.before:
                child.terminate()
            self.pool.shutdown(wait=True, cancel_futures=True)
            self.pool = None

    def close(self):
        if self.pool:
            self.pool.shutdown(wait=True)


class _Cluster:
    """Workers of dask.distributed."""

    def __init__(self, client):
        self.client, self.executor = client, client.get_executor(pure=False)

    def width(self):
        return max(1, sum(self.client.ncores().values()))

    def submit(self, experiment):
        return self.executor.submit(run_point, experiment)

    def kill(self):
        self.executor.shutdown(wait=False)

    def close(self):
        self.executor.shutdown(wait=True)


class _Here:
    """This process."""

    def width(self):
        return 1

    def submit(self, experiment):
        future = concurrent.futures.Future()
        try:
            future.set_result(run_point(experiment))
        except Exception as error:
            future.set_exception(error)
        return future

    def kill(self):
        pass

    close = kill


class _Progress:
    """Tells a function, tqdm or stderr how many points are done."""

    def __init__(self, progress, total):
        self.total, self.done, self.failed = total, 0, 0
        self.bar, self.function = None, progress if callable(progress) else None
        if progress is True:
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(total=total, desc="sweep", unit="point")
            except ImportError:
                self.function = self.print

    def print(self, done, total, failed):
        more = f", {failed} failed" if failed else ""
        print(f"sweep: {done} of {total} points{more}", file=sys.stderr, flush=True)

    def add(self, point):
        self.done += 1
        self.failed += point.error is not None
        if self.bar is not None:
            self.bar.update(1)
        if self.function:
            self.function(self.done, self.total, self.failed)

    def close(self):
        if self.bar is not None:
            self.bar.close()


def _points(experiment, axes, directory):
    if "output" in experiment.as_dict():
        raise ValueError('/output: the points of a sweep would write the same files; leave it out')
    base = {"seed": _roce.get_seed(), "run": _roce.get_run(), **experiment.as_dict()}
    columns = []
    for pointer, values in axes.items():
        if isinstance(values, (str, bytes, dict)):
            raise TypeError(f"{pointer}: expected a list of values, not {values!r}")
        columns.append([json.loads(text_of(value)) for value in values])
        if not columns[-1]:
            raise ValueError(f"{pointer}: the list of values is empty")
    fixed = {"/seed": base["seed"], "/run": base["run"]}
    for combination in itertools.product(*columns):
        values = dict(zip(axes, combination))
        try:
            yield _Point(experiment.with_({**fixed, **values}), values, directory)
        except ValueError as error:
            raise ValueError(f"{values}: {error}") from error


def _work(engine, todo, progress):
    """Run points, a few at a time, so that after a crash few can be its cause."""
    waiting = collections.deque(todo)
    flying = {}
    suspects = []
    while waiting or flying:
        try:
            while waiting and len(flying) < engine.width():
                flying[engine.submit(waiting[0].experiment)] = waiting[0]
                waiting.popleft()
            done, _ = concurrent.futures.wait(
                flying, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in done:
                error = future.exception()
                if isinstance(error, concurrent.futures.BrokenExecutor):
                    raise _Broken
                point = flying.pop(future)
                text = None if error is None else f"{type(error).__name__}: {error}"
                point.end(future.result() if error is None else None, text)
                progress.add(point)
        except _Broken:
            suspects += flying.values()
            flying.clear()
            engine.renew()
    return suspects


def _work_alone(suspects, progress):
    """Each in a process that nobody shares: one that ends it now is the cause."""
    for point in suspects:
        with _engine(1, None, False) as engine:
            if _work(engine, [point], _Silent()):
                point.end(error="the process ended: a fault of ns-3, or the machine's memory")
        progress.add(point)


class _Silent:
    def add(self, point):
        pass


@contextlib.contextmanager
def _engine(processes, client, distributed):
    with contextlib.ExitStack() as stack:
        if client is None and distributed:
            from distributed import Client, LocalCluster

            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=processes or os.cpu_count(),
                    threads_per_worker=1,
                    dashboard_address=None,
                )
            )
            client = stack.enter_context(Client(cluster))
        if client is not None:
            engine = _Cluster(client)
        else:
            engine = _Here() if processes == 0 else _Local(processes or os.cpu_count() or 1)
        try:
            yield engine
        except BaseException:
            engine.kill()
            raise
        engine.close()


def sweep(
    experiment,
    axes,
    processes=None,
    directory=None,
    progress=True,
    *,
    client=None,
    distributed=False,
):
    """Run an experiment for all combinations of values, and return a table with a row a run.

        table = roce.sweep(
            experiment, {"/cc": ["dcqcn", "hcc"], "/seed": range(1, 4)}, directory="out/sweep"
        )

    experiment   an Experiment, or what makes one; without "output"
    axes         by path of a key (as in Experiment.set) a list of values
    processes    how many; None: one a processor; 0: this process, without others
    directory    where results are kept: a file a point, written whole or not at all. What it has
                 is not run again, so a sweep that was cut short goes on when it is called again.
                 None: nothing is kept
    progress     True: a bar (tqdm if it is there, else lines on stderr); or a function, called
                 with (points done, points, points that failed)
    client       a dask.distributed Client, whose workers run the points in place of processes
    distributed  True: the same with a cluster of dask.distributed on this machine

    The table is a DataFrame, or a list of dicts without pandas. Columns: the axes, "error", then
    the single numbers of the result file, "fct_ns.mean". A point that failed has one row, with the
    message in "error"; it is run again when it is asked for again.

    All points are checked before one runs; ValueError names the one that cannot be. Ctrl-C ends the
    processes and is raised; what was done is kept in the directory. Processes are started anew
    ("spawn"): a program must have its calls under if __name__ == "__main__", and defaults set by
    Config.set_default are not those of the processes. Seed and run number are, where the experiment
    has none.
    """
    if not isinstance(experiment, Experiment):
        experiment = Experiment(experiment)
    if processes is not None and (not isinstance(processes, int) or processes < 0):
        raise ValueError(f"processes = {processes!r}: expected a number, 0 or more, or None")
    if directory is not None:
        os.makedirs(directory, exist_ok=True)
    points = list(_points(experiment, axes, directory))
    unique = {}
    for point in points:
        unique.setdefault(point.key, point)
    tell = _Progress(progress, len(unique))
    try:
        todo = []
        for point in unique.values():
            if point.path and point.load():
                tell.add(point)
            else:
                todo.append(point)
        if todo:
            with _engine(processes, client, distributed) as engine:
                suspects = _work(engine, todo, tell)
            _work_alone(suspects, tell)
    finally:
        tell.close()
    rows = []
    for point in points:
        same = unique[point.key]
        point.runs, point.error = same.runs, same.error
        rows += point.rows()
    return frame_of(rows)
