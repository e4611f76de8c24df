# SPDX-License-Identifier: GPL-2.0-only
"""Runs: signals, threads, the GIL, progress, stalls."""

import signal
import threading
import time
import unittest
import warnings

import roce
from support import python, star


def incast(messages=20, **more):
    fabric = star(9, cc="dcqcn", **more)
    for host in range(8):
        connection = fabric.connect(host, 8)
        for _ in range(messages):
            connection.post("256KB")
    return fabric


class Signals(unittest.TestCase):
    ENDLESS = """
        import signal, sys, time, roce
        graph = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2)
        fabric = roce.Fabric(graph)
        fabric.connect(0, 1).post("100TB")
        if sys.argv[1] == "run":
            run = lambda: roce.run(fabric)
        else:
            run = roce.Simulator.run
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        begun = time.monotonic()
        try:
            run()
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - begun < 10, roce.Simulator.now() > 0)
        roce.destroy()
        again = roce.Fabric(graph)
        again.connect(0, 1).post("1MB")
        print(roce.run(again)["messages"]["completed"])
        """

    def test_interrupt_ends_a_run(self):
        for how in ("run", "simulator"):
            done = python(self.ENDLESS, how)
            self.assertEqual(done.stdout, "interrupted True True\n1\n", done.stderr)
            self.assertEqual(done.returncode, 0)

    def test_interrupt_from_outside(self):
        import os
        import subprocess
        import sys
        import textwrap

        code = textwrap.dedent("""
            import roce
            fabric = roce.Fabric(roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2))
            fabric.connect(0, 1).post("100TB")
            print("begun", flush=True)
            roce.run(fabric)
            """)
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen([sys.executable, "-B", "-c", code], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.readline(), "begun\n")
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertEqual(process.returncode, -signal.SIGINT)

    def test_a_handler_that_returns_changes_nothing(self):
        def numbers():
            fabric = incast()
            result = roce.run(fabric).as_dict()
            roce.destroy()
            del result["wall_s"]
            return result

        quiet = numbers()
        rings = []
        before = signal.signal(signal.SIGALRM, lambda *_: rings.append(roce.Simulator.now()))
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        try:
            disturbed = numbers()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(quiet, disturbed)
        self.assertTrue(any(now > 0 for now in rings), "handlers ran during the run")

    def test_the_wakeup_descriptor_of_others_is_kept(self):
        import os

        read, write = os.pipe()
        os.set_blocking(write, False)
        os.set_blocking(read, False)
        before = signal.set_wakeup_fd(write)
        fabric = incast(2)
        roce.Simulator.schedule("1us", lambda: signal.raise_signal(signal.SIGUSR1))
        handler = signal.signal(signal.SIGUSR1, lambda *_: None)
        try:
            roce.run(fabric)
        finally:
            signal.signal(signal.SIGUSR1, handler)
            self.assertEqual(signal.set_wakeup_fd(before), write)
            roce.destroy()
        self.assertEqual(os.read(read, 8), bytes([signal.SIGUSR1]))
        os.close(read)
        os.close(write)


class Threads(unittest.TestCase):
    def tearDown(self):
        roce.destroy()

    def test_the_gil_is_free(self):
        fabric = incast(400)
        ticks = []
        stop = threading.Event()

        def count():
            while not stop.wait(0.001):
                if roce.Simulator.running():
                    ticks.append(1)

        thread = threading.Thread(target=count)
        thread.start()
        begun = time.monotonic()
        roce.run(fabric)
        wall = time.monotonic() - begun
        stop.set()
        thread.join()
        # 3200 messages of 63 packets are 0.8 million frame-hops, some 0.1 s; a held GIL gives 0 or 1
        self.assertGreater(wall, 0.02)
        self.assertGreater(len(ticks), 5)

    def test_runs_in_another_thread(self):
        fabric = incast(2)
        results = []
        thread = threading.Thread(target=lambda: results.append(roce.run(fabric)))
        thread.start()
        thread.join()
        self.assertEqual(results[0]["messages"]["completed"], 16)

    def test_references_dropped_by_another_thread(self):
        fabric = incast(50)
        stop = threading.Event()
        held = [fabric.nic(i % 9) for i in range(2000)]

        def drop():
            while held and not stop.is_set():
                held.pop()

        thread = threading.Thread(target=drop)
        roce.Simulator.schedule("1us", thread.start)
        result = roce.run(fabric)
        stop.set()
        thread.join()
        self.assertEqual(result["messages"]["completed"], 400)

    def test_a_run_inside_a_run_is_refused(self):
        fabric = incast(1)
        for inner in (roce.Simulator.run, roce.destroy, lambda: roce.run(fabric), lambda: star()):
            roce.Simulator.schedule("1us", inner)
            with self.assertRaisesRegex(RuntimeError, "a run is under way"):
                roce.Simulator.run()

    def test_exception_of_a_trace_of_a_post(self):
        fabric = incast(0)
        roce.connect(fabric.nic(0), "Posted", lambda qpn, request: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            fabric.connect(0, 1).post(1)


class Reports(unittest.TestCase):
    def tearDown(self):
        roce.destroy()

    def test_progress(self):
        calls = []
        result = roce.run(incast(5), progress=lambda *a: calls.append(a))
        now, delivered, posted, hops = calls[-1]
        self.assertEqual((delivered, posted), (40 * 256000, 40 * 256000))
        self.assertEqual(hops, result["frame_hops"])

    def test_progress_changes_nothing(self):
        dicts = []
        for progress in (False, lambda *a: None):
            d = roce.run(incast(5), progress=progress).as_dict()
            roce.destroy()
            del d["wall_s"]
            dicts.append(d)
        self.assertEqual(*dicts)

    def test_stall(self):
        def stalled():
            fabric = star(3, nic={"AckTimeout": "0s"})  # a lost tail stays lost
            fabric.connect(0, 1).post("1MB")
            fabric.set_link(1, False)
            return fabric

        with self.assertWarnsRegex(roce.StallWarning, "cannot finish"):
            result = roce.run(stalled(), label="cut")
        self.assertFalse(result.finished)
        roce.destroy()
        with self.assertRaises(roce.StalledError) as caught:
            roce.run(stalled(), on_stall="raise")
        self.assertEqual(caught.exception.result["messages"]["completed"], 0)
        roce.destroy()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            roce.run(stalled(), on_stall="ignore")

    def test_stop_and_queues(self):
        fabric = incast(200)
        result = roce.run(fabric, stop="100us", queues="10us")
        self.assertEqual(roce.Simulator.now(), 100000)
        self.assertTrue(result.finished, "open requests at the stop are no stall")
        self.assertEqual(result.queue_bytes.shape[1], 2)
        self.assertEqual(result["queues"]["max_bytes"], result.queue_bytes[:, 1].max())

    def test_simulation_block(self):
        before = roce.get_seed()
        with self.assertRaises(KeyError):
            with roce.Simulation(seed=before + 5):
                self.assertEqual(roce.get_seed(), before + 5)
                roce.Simulator.schedule("1us", lambda: None)
                roce.Simulator.run()
                raise KeyError
        self.assertEqual((roce.Simulator.now(), roce.get_seed()), (0, before))


if __name__ == "__main__":
    unittest.main()
