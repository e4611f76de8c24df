# SPDX-License-Identifier: GPL-2.0-only
"""Experiments as JSON: what is refused, what runs, and that roce-run gives the same numbers."""

import json
import os
import pathlib
import pickle
import subprocess
import tempfile
import threading
import time
import unittest

import roce
from support import python, star

PROGRAM = pathlib.Path(os.environ.get("ROCE_BIN", "build/bin")) / "roce-run"
FILES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "experiments"

INCAST = {
    "schema": "roce-experiment/1",
    "topology": {"star": {"hosts": 5, "rate": "100Gbps", "delay": "1us"}},
    "cc": ["none", "dcqcn"],
    "traffic": [{"type": "incast", "senders": 4, "bytes": "256kB"}],
}


def dicts(results):
    """Results without the time they took."""
    out = [result.as_dict() for result in results]
    for run in out:
        del run["wall_s"]
    return out


class Documents(unittest.TestCase):
    def test_forms(self):
        whole = roce.Experiment(INCAST)
        self.assertEqual(whole, roce.Experiment(json.dumps(INCAST)))
        self.assertEqual(whole, roce.Experiment("\n " + json.dumps(INCAST)))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.json"
            path.write_text(json.dumps(INCAST))
            self.assertEqual(roce.Experiment(path).as_dict(), INCAST)
            self.assertEqual(roce.Experiment(str(path)).labels, ["none", "dcqcn"])
            self.assertIn("x.json", repr(roce.Experiment(path)))
        self.assertIn("2 runs (none, dcqcn)", repr(whole))
        self.assertEqual(whole.as_dict(), INCAST)
        self.assertEqual(whole.as_dict(defaults=True)["repeats"], 1)
        self.assertEqual(pickle.loads(pickle.dumps(whole)), whole)

    def test_refused(self):
        for pointer, value, text in (
            ("/topology/star/host", 5, r"/topology/star/host: .* not known.*hosts"),
            ("/traffic/0/bytes", 5, "/traffic/0/bytes"),
            ("/traffic/0/senders", 5, "/traffic/0"),  # of 5 hosts one receives
            ("/nic/Mtu", 1024, "Mtu"),
            ("/cc", "dcqnc", "dcqnc"),
            ("/topology", None, "topology"),
            ("/nothing", {"a": 1}, "/nothing"),
        ):
            with self.subTest(pointer), self.assertRaisesRegex(ValueError, text):
                roce.Experiment(INCAST).set(pointer, value)
        for text in ("{", "{}", '{"schema": "roce-experiment/1", "schema": "roce-experiment/1"}'):
            with self.subTest(text), self.assertRaises(ValueError):
                roce.Experiment(text)
        with self.assertRaises(ValueError):
            roce.Experiment({**INCAST, "stop": float("nan")})
        for source in (None, 3, [INCAST]):
            with self.assertRaises(TypeError):
                roce.Experiment(source)
        with self.assertRaises(TypeError):
            roce.Experiment({**INCAST, "name": object()})
        with self.assertRaises(FileNotFoundError):
            roce.Experiment("no-such-file.json")

    def test_set(self):
        one = roce.Experiment(INCAST)
        two = one.set("/topology/star/hosts", 9).set("/traffic/0/senders", 8)
        self.assertEqual(two.as_dict()["topology"]["star"]["hosts"], 9)
        self.assertEqual(one.as_dict(), INCAST, "the first one does not change")
        self.assertEqual(one.with_(topology__star__hosts=9, traffic__0__senders=8), two)
        self.assertEqual(one.with_({"/nic/PathMtu": 1024}).as_dict()["nic"], {"PathMtu": 1024})
        self.assertEqual(one.set("/cc", "hcc").labels, ["hcc"])
        more = one.set("/traffic/1", {"type": "incast", "senders": 2, "bytes": "1kB"})
        self.assertEqual(len(more.as_dict()["traffic"]), 2)
        self.assertEqual(more.set("/traffic/1", None), one)
        for pointer in ("cc", "/traffic/5", "/traffic/x", "/schema/x", "/traffic/0/type/a/b"):
            with self.subTest(pointer), self.assertRaises(ValueError):
                one.set(pointer, 1)

    def test_schema(self):
        schema = roce.Experiment.schema()
        self.assertIn("2020-12", schema["$schema"])
        self.assertFalse(schema["additionalProperties"])
        self.assertLessEqual(set(INCAST), set(schema["properties"]))


class Runs(unittest.TestCase):
    def setUp(self):
        roce.destroy()

    tearDown = setUp

    def test_results(self):
        results = roce.Experiment(INCAST).set("/monitors", {"queues": "1us"}).run()
        self.assertEqual([r.label for r in results], ["none", "dcqcn"])
        none = results["none"]
        self.assertIs(none, results[0])
        # 4 x 256 kB over one link of 100 Gb/s: at least 8 x 1,024,000 / 100 ns = 81.92 us
        self.assertGreater(none["fct_ns"]["max"], 81920)
        self.assertEqual(none["messages"]["completed"], 4)
        self.assertEqual(sorted(none.messages["bytes"]), [256000] * 4)
        self.assertEqual(none.queue_bytes[:, 1].max(), none["queues"]["max_bytes"])
        with self.assertRaises(KeyError):
            results["hcc"]
        frame = results.to_pandas()
        self.assertEqual(list(frame["label"]), ["none", "dcqcn"])
        self.assertEqual(frame["fct_ns.max"][0], none["fct_ns"]["max"])

    def test_twice_and_as_by_hand(self):
        experiment = roce.Experiment(INCAST)
        first = experiment.run()
        self.assertEqual(roce.Simulator.now(), 0, "no simulation is left")
        self.assertEqual(dicts(first), dicts(experiment.run()))
        fabric = star(5, nic={})
        for sender in range(4):
            fabric.connect(sender, 4).post("256kB", id=sender)
        by_hand = roce.run(fabric)
        self.assertEqual(sorted(by_hand.messages["completed"]), sorted(first[0].messages["completed"]))

    def test_seed_and_defaults_come_back(self):
        before = (roce.get_seed(), roce.get_run())
        roce.Experiment({**INCAST, "seed": 77, "run": 5, "nic": {"PathMtu": 512}}).run()
        self.assertEqual((roce.get_seed(), roce.get_run()), before)

    def test_output(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "new", "r.json")
            results = roce.Experiment(INCAST).set("/output/json", path).run()
            with open(path) as file:
                self.assertEqual(json.load(file)["runs"], [r.as_dict() for r in results])
            os.mkdir(os.path.join(folder, "x"))
            with self.assertRaisesRegex(RuntimeError, "/x"):
                roce.Experiment(INCAST).set("/output/json", os.path.join(folder, "x")).run()

    def test_stall(self):
        cut = roce.Experiment(INCAST).with_(
            {"/links": [{"at": "5us", "link": 4, "state": "down"}], "/nic/AckTimeout": "0s"},
            cc="none",
        )
        with self.assertWarnsRegex(roce.StallWarning, "cannot finish"):
            self.assertFalse(cut.run()[0].finished)

    def test_a_simulation_is_refused(self):
        fabric = star()
        with self.assertRaisesRegex(RuntimeError, "destroy"):
            roce.Experiment(INCAST).run()
        roce.Simulator.schedule("1us", lambda: roce.Experiment(INCAST))
        with self.assertRaisesRegex(RuntimeError, "a run is under way"):
            roce.run(fabric)

    def test_what_only_the_builder_refuses(self):
        # the headroom of five ports is more than 10 kB: 2 us of cable at 100 Gb/s alone are 25 kB
        small = roce.Experiment(INCAST).set("/switch/BufferSize", "10kB")
        for _ in range(2):
            with self.assertRaises(ValueError):
                small.run()
        self.assertEqual(len(roce.Experiment(INCAST).run()), 2, "nothing is left behind")

    def test_progress(self):
        calls = []
        results = roce.Experiment(INCAST).run(progress=lambda *a: calls.append(a))
        ends = {label: more for label, *more in calls}
        self.assertEqual(list(ends), ["none", "dcqcn"])
        self.assertEqual(ends["none"][1:], [1024000, 1024000, results[0]["frame_hops"]])
        self.assertEqual(dicts(results), dicts(roce.Experiment(INCAST).run()))
        with self.assertRaises(TypeError):
            roce.Experiment(INCAST).run(progress=3)

    def test_exception_of_progress(self):
        calls = []

        def fail(label, *numbers):
            calls.append(label)
            raise KeyError(label)

        with self.assertRaises(KeyError):
            roce.Experiment(INCAST).run(progress=fail)
        self.assertEqual(calls, ["none"], "no run begins after it")
        self.assertEqual(len(roce.Experiment(INCAST).run()), 2)

    def test_gil_is_free(self):
        long = roce.Experiment(INCAST).with_(traffic__0__bytes="500MB", cc="none")
        ticks = []
        stop = threading.Event()

        def count():
            while not stop.wait(0.001):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=count)
        thread.start()
        begin = time.monotonic()
        long.run()
        end = time.monotonic()
        stop.set()
        thread.join()
        # a thread that gets no GIL has no tick in between
        self.assertTrue([t for t in ticks if begin + 0.01 < t < end - 0.01], end - begin)

    def test_interrupt(self):
        code = """
        import os, signal, sys, threading
        import roce
        experiment = roce.Experiment(sys.argv[1])
        seen = []
        def tell(label, *numbers):
            if not seen:  # the first run is under way
                seen.append(label)
                threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            experiment.run(progress=tell)
        except KeyboardInterrupt:
            assert roce.Simulator.now() == 0
            experiment.with_(traffic__0__bytes="1kB", repeats=1).run()
            print("interrupted", seen)
        """
        # 100 x 2 runs of 4 x 1 GB, 2 million frame-hops each: minutes, if nothing ends them
        long = roce.Experiment(INCAST).with_(traffic__0__bytes="1GB", repeats=100)
        begin = time.monotonic()
        done = python(code, json.dumps(long.as_dict()))
        self.assertEqual((done.returncode, done.stdout[:11]), (0, "interrupted"), done.stderr)
        self.assertLess(time.monotonic() - begin, 100)

    def test_interrupt_between_short_runs(self):
        code = """
        import os, signal, sys, threading
        import roce
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            roce.Experiment(sys.argv[1]).run()
        except KeyboardInterrupt:
            print("interrupted")
        """
        short = roce.Experiment(INCAST).with_(traffic__0__bytes="1kB", repeats=10000)
        done = python(code, json.dumps(short.as_dict()))
        self.assertEqual((done.returncode, done.stdout), (0, "interrupted\n"), done.stderr)


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built (ROCE_EXAMPLES=OFF)")
class Twins(unittest.TestCase):
    def test_files(self):
        """All numbers of all files, and of one in the other form."""
        for path in sorted(FILES.glob("*.json")):
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "r.json")
                subprocess.run([PROGRAM, path, f"--json={out}", "--quiet"], check=True, timeout=300)
                with open(out) as file:
                    theirs = json.load(file)["runs"]
                for run in theirs:
                    del run["wall_s"]
                self.assertEqual(dicts(roce.Experiment(path).run()), theirs)

    def test_schema(self):
        done = subprocess.run([PROGRAM, "--schema"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout), roce.Experiment.schema())


if __name__ == "__main__":
    unittest.main()
