# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: the table, what is kept and run again, what ends them."""

import importlib.util
import json
import os
import pathlib
import signal
import tempfile
import time
import unittest

import roce
from roce import _sweep
from support import python

INCAST = {
    "schema": "roce-experiment/1",
    "topology": {"star": {"hosts": 5, "rate": "100Gbps", "delay": "1us"}},
    "cc": "none",
    "traffic": [{"type": "incast", "senders": 4, "bytes": "64kB"}],
}
AXES = {"/cc": ["none", "dcqcn"], "/traffic/0/bytes": ["64kB", "128kB"]}


def numbers(table):
    """The table without the time runs took."""
    return table.drop(columns="wall_s").to_dict("records")


def kill_self(experiment):
    """In place of run_point: a fault of the process at one point."""
    if experiment.as_dict()["traffic"][0]["bytes"] == "128kB":
        os.kill(os.getpid(), signal.SIGKILL)
    return _sweep.run_point(experiment)


def alive(pid):
    """Whether a process is there and no zombie."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rsplit(")", 1)[1].split()[0] != "Z"


class Tables(unittest.TestCase):
    def setUp(self):
        roce.destroy()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "new"

    tearDown = roce.destroy

    def sweep(self, axes=AXES, processes=0, **more):
        calls = []
        table = roce.sweep(
            INCAST, axes, processes, progress=lambda *a: calls.append(a), **more
        )
        return table, calls

    def test_numbers_are_those_of_run(self):
        table, calls = self.sweep(processes=2)
        self.assertEqual(calls[-1], (4, 4, 0))
        self.assertEqual(len(calls), 4)
        self.assertEqual(list(table["/cc"]), ["none", "none", "dcqcn", "dcqcn"])
        self.assertEqual(list(table["/traffic/0/bytes"]), ["64kB", "128kB"] * 2)
        self.assertTrue(table["error"].isna().all())
        for row in table.to_dict("records"):
            alone = roce.Experiment(INCAST).with_({p: row[p] for p in AXES}).run()[0]
            self.assertEqual(row["fct_ns.mean"], alone["fct_ns"]["mean"])
            self.assertEqual(row["frame_hops"], alone["frame_hops"])
        here, _ = self.sweep()
        self.assertEqual(numbers(here), numbers(table))

    def test_seeds(self):
        """Seeds draw other flows; a seed of the caller is that of the processes."""
        load = {"type": "open_loop", "sizes": "Solar2022", "load": 50, "duration": "100us"}
        flows = {**INCAST, "traffic": [load]}
        table = roce.sweep(flows, {"/seed": range(1, 4)}, 0, progress=False)
        self.assertEqual(list(table["/seed"]), [1, 2, 3])
        self.assertEqual(len(set(table["messages.bytes"])), 3)
        with roce.Simulation(seed=3):
            by_caller = roce.sweep(flows, {"/cc": ["none"]}, 1, progress=False)
        self.assertEqual(by_caller["fct_ns.mean"][0], table["fct_ns.mean"][2])
        self.assertEqual(by_caller["frame_hops"][0], table["frame_hops"][2])

    def test_rows_of_several_runs_and_same_points(self):
        table, calls = self.sweep({"/cc": [["none", "dcqcn"], ["none", "dcqcn"]]})
        self.assertEqual(list(table["label"]), ["none", "dcqcn"] * 2)
        self.assertEqual(calls, [(1, 1, 0)], "the same point runs once")

    def test_resume(self):
        first, _ = self.sweep(directory=self.folder)
        names = sorted(os.listdir(self.folder))
        self.assertEqual(len(names), 4)
        self.assertTrue(all(len(name) == 32 + 5 for name in names), names)
        # what a crash may leave: half a file, an empty one, another experiment, a part
        (self.folder / names[0]).write_text((self.folder / names[0]).read_text()[:100])
        (self.folder / names[1]).write_text("")
        stored = json.loads((self.folder / names[2]).read_text())
        stored["asked"]["roce"] = "0"
        (self.folder / names[2]).write_text(json.dumps(stored))
        times = {name: (self.folder / name).stat().st_mtime_ns for name in names}
        again, _ = self.sweep(directory=self.folder)
        self.assertEqual(numbers(again), numbers(first))
        changed = [n for n in names if (self.folder / n).stat().st_mtime_ns != times[n]]
        self.assertEqual(changed, names[:3], "the fourth is not run again")
        third, calls = self.sweep(directory=self.folder)
        self.assertEqual(list(third["wall_s"]), list(again["wall_s"]), "nothing is run again")
        self.assertEqual(calls[-1], (4, 4, 0))
        self.assertEqual(sorted(os.listdir(self.folder)), names)

    def test_files_of_the_experiment_count(self):
        self.folder.mkdir()
        pairs = {**INCAST, "name": "pairs.txt"}
        keys = []
        for text in ("a", "b", "a"):
            (self.folder / "pairs.txt").write_text(text)
            path = self.folder / "x.json"
            path.write_text(json.dumps(pairs))
            keys.append(_sweep._Point(roce.Experiment(path), {}, None).key)
        self.assertNotEqual(keys[0], keys[1])
        self.assertEqual(keys[0], keys[2])

    def test_failures_are_rows_and_run_again(self):
        axes = {"/switch/BufferSize": ["10kB", "32MiB"]}  # the first holds no headroom
        table, calls = self.sweep(axes, directory=self.folder)
        self.assertIn("ValueError", table["error"][0])
        self.assertEqual(table["error"][1], None)
        self.assertEqual(calls[-1], (2, 2, 1))
        runs = []
        real = _sweep.run_point
        _sweep.run_point = lambda experiment: runs.append(experiment) or real(experiment)
        try:
            self.sweep(axes, directory=self.folder)
        finally:
            _sweep.run_point = real
        self.assertEqual([e.as_dict()["switch"]["BufferSize"] for e in runs], ["10kB"])

    def test_refused_before_a_run(self):
        for axes, text in (
            ({"/cc": ["none", "dcqnc"]}, "dcqnc"),
            ({"cc": ["none"]}, "begin with"),
            ({"/topology/star/host": [5]}, "/topology/star/host"),
            ({"/cc": []}, "empty"),
        ):
            with self.subTest(text), self.assertRaisesRegex(ValueError, text):
                self.sweep(axes, directory=self.folder)
        self.assertEqual(os.listdir(self.folder), [])
        with self.assertRaises(TypeError):
            self.sweep({"/cc": "none"})
        with self.assertRaises(ValueError):
            self.sweep(processes=-1)
        with self.assertRaisesRegex(ValueError, "/output"):
            roce.sweep({**INCAST, "output": {"json": "x"}}, AXES, 0)

    def test_a_process_that_dies(self):
        real = _sweep.run_point
        _sweep.run_point = kill_self
        try:
            table, calls = self.sweep({"/traffic/0/bytes": ["32kB", "128kB", "64kB"]}, 2)
        finally:
            _sweep.run_point = real
        self.assertEqual([e is None for e in table["error"]], [True, False, True])
        self.assertIn("process ended", table["error"][1])
        self.assertEqual(calls[-1], (3, 3, 1))

    def test_interrupt(self):
        """Ctrl-C at the caller alone: its processes go, what is done is kept."""
        code = """
        import json, os, signal, sys, multiprocessing
        import roce
        experiment = roce.Experiment(sys.argv[1])
        tell = lambda *a: os.kill(os.getpid(), signal.SIGINT)
        try:
            roce.sweep(experiment, {"/traffic/0/bytes": ["1kB", "500GB"]}, 2, sys.argv[2], tell)
        except KeyboardInterrupt:
            print("interrupted", multiprocessing.active_children())
        """
        self.folder.mkdir()
        begin = time.monotonic()
        done = python(code, json.dumps(INCAST), str(self.folder))
        self.assertEqual((done.returncode, done.stdout), (0, "interrupted []\n"), done.stderr)
        self.assertLess(time.monotonic() - begin, 60)  # 2 TB take minutes
        self.assertEqual(len(os.listdir(self.folder)), 1)

    def test_killed_and_called_again(self):
        """What was done before the caller was killed is read, the rest is run, and nothing else."""
        code = """
        import json, os, signal, sys
        import roce
        tell = lambda done, *a: done == 2 and os.kill(os.getpid(), signal.SIGKILL)
        roce.sweep(roce.Experiment(sys.argv[1]), json.loads(sys.argv[2]), 2, sys.argv[3], tell)
        """
        self.folder.mkdir()
        done = python(code, json.dumps(INCAST), json.dumps(AXES), str(self.folder))
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        before = {p.name: p.stat().st_mtime_ns for p in self.folder.glob("*.json")}
        self.assertGreaterEqual(len(before), 2)
        self.assertLess(len(before), 4)
        runs = []
        real = _sweep.run_point
        _sweep.run_point = lambda experiment: runs.append(experiment) or real(experiment)
        try:
            table, calls = self.sweep(directory=self.folder)
        finally:
            _sweep.run_point = real
        self.assertEqual(len(runs), 4 - len(before))
        after = {p.name: p.stat().st_mtime_ns for p in self.folder.glob("*.json")}
        self.assertEqual(len(after), 4)
        self.assertEqual({name: after[name] for name in before}, before)
        self.assertEqual(calls[-1], (4, 4, 0))
        self.assertEqual(numbers(table), numbers(self.sweep()[0]))

    def test_processes_go_with_their_parent(self):
        code = """
        import json, multiprocessing, os, signal, sys, threading, time
        import roce
        def die():
            while len(multiprocessing.active_children()) < 2:
                time.sleep(0.1)
            time.sleep(1)  # they run
            print(*(child.pid for child in multiprocessing.active_children()), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        threading.Thread(target=die).start()
        roce.sweep(roce.Experiment(sys.argv[1]), {"/traffic/0/bytes": ["500GB", "501GB"]}, 2)
        """
        done = python(code, json.dumps(INCAST))
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        pids = [int(pid) for pid in done.stdout.split()]
        self.assertEqual(len(pids), 2)
        limit = time.monotonic() + 30
        while any(alive(pid) for pid in pids) and time.monotonic() < limit:
            time.sleep(0.1)
        self.assertFalse([pid for pid in pids if alive(pid)])

    def test_progress_as_text(self):
        code = """
        import sys
        sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
        import roce
        roce.sweep(roce.Experiment(sys.argv[1]), {"/switch/BufferSize": ["10kB", "32MiB"]}, 0)
        """
        done = python(code, json.dumps(INCAST))
        self.assertEqual(
            done.stderr, "sweep: 1 of 2 points, 1 failed\nsweep: 2 of 2 points, 1 failed\n"
        )

    def test_without_pandas(self):
        code = """
        import json, sys
        sys.modules["pandas"] = None
        import roce
        rows = roce.sweep(roce.Experiment(sys.argv[1]), {"/cc": ["none", "hcc"]}, 0)
        print(json.dumps([[row["/cc"], row["messages.completed"]] for row in rows]))
        """
        done = python(code, json.dumps(INCAST))
        self.assertEqual(json.loads(done.stdout), [["none", 4], ["hcc", 4]], done.stderr)

    @unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is missing")
    def test_cluster(self):
        table, calls = self.sweep(processes=2, distributed=True)
        self.assertEqual(calls[-1], (4, 4, 0))
        self.assertEqual(numbers(table), numbers(self.sweep()[0]))

    @unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is missing")
    def test_client(self):
        """A cluster of the caller: its workers run the points, it is there afterwards."""
        from distributed import Client, LocalCluster

        axes = {**AXES, "/switch/BufferSize": ["10kB", "32MiB"]}  # the first holds no headroom
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                table, calls = self.sweep(axes, directory=self.folder, client=client)
                self.assertEqual(client.submit(sum, [1, 2]).result(), 3)
        self.assertEqual(calls[-1], (8, 8, 4))
        fails = table["/switch/BufferSize"] == "10kB"
        self.assertTrue(table[fails]["error"].str.startswith("ValueError").all())
        self.assertTrue(table[~fails]["error"].isna().all())
        self.assertEqual(len(os.listdir(self.folder)), 8)
        again, _ = self.sweep(axes, directory=self.folder)
        self.assertEqual(list(again["wall_s"].dropna()), list(table["wall_s"].dropna()), "kept")

    @unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is missing")
    def test_a_worker_of_a_cluster_that_dies(self):
        """It is started anew; the point that ends each of them is given up, the others are run."""
        real = _sweep.run_point
        _sweep.run_point = kill_self
        try:
            axes = {"/traffic/0/bytes": ["32kB", "128kB", "64kB"]}
            table, calls = self.sweep(axes, 2, distributed=True)
        finally:
            _sweep.run_point = real
        self.assertEqual([e is None for e in table["error"]], [True, False, True])
        self.assertIn("KilledWorker", table["error"][1])
        self.assertEqual(calls[-1], (3, 3, 1))


if __name__ == "__main__":
    unittest.main()
