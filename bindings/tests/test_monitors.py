# SPDX-License-Identifier: GPL-2.0-only
"""Storms, watchdogs, detectors, pcap; rates, pauses and links of results."""

import gc
import math
import os
import pathlib
import struct
import tempfile
import unittest

import roce
from support import python, star

# A pause frame of 64 bytes with preamble and gap, 84 bytes at 100 Gb/s, and 1 us of cable.
PAUSE_NS = 84 * 0.08 + 1000
# A packet of 4096 bytes: 62 bytes of headers, 20 of preamble and gap.
PACKET_NS = (4096 + 62 + 20) * 0.08


class Case(unittest.TestCase):
    def setUp(self):
        roce.destroy()

    tearDown = setUp

    def refuses(self, error, pattern, function, *args, **more):
        with self.assertRaisesRegex(error, pattern):
            function(*args, **more)


class Storms(Case):
    def test_storm(self):
        fabric = star()
        storm = roce.PauseStorm(Quanta=100, Interval="5us", Release=False)  # as the C++ test has it
        self.assertEqual((storm.get("Quanta"), storm.get("Interval")), (100, "5us"))
        fabric.connect(0, 1).post("1MB")
        storm.start(fabric.port(1, 0), start="20us", duration="50us")
        self.assertTrue(storm.running)
        self.refuses(ValueError, "under way", storm.start, fabric.port(1, 0), duration="1us")
        roce.run(fabric)
        # one every 5 us in [20, 70), each 100 x 512 bit times = 512 ns at 100 Gb/s
        self.assertEqual((storm.frames, storm.running), (10, False))
        paused = fabric.switch(3).port(1).paused_ns
        self.assertEqual(paused, [0, 0, 0, 10 * 512, 0, 0, 0, 0])

    def test_stop_and_priorities(self):
        fabric = star()
        fabric.connect(0, 2).post("1MB")
        storm = roce.PauseStorm()
        storm.start(fabric.port(1, 0), priorities=[0, 4], duration="1ms")
        roce.Simulator.schedule("30us", storm.stop)
        roce.run(fabric)
        paused = fabric.switch(3).port(1).paused_ns
        self.assertEqual([p > 0 for p in paused], [p in (0, 4) for p in range(8)])
        # the first frame and the one that ends it take the same way
        self.assertEqual(paused[4], 30000)

    def test_storm_outlives_python(self):
        fabric = star()
        fabric.connect(0, 1).post("1MB")
        roce.PauseStorm().start(fabric.port(1, 0), start="10us", duration="100us")
        gc.collect()
        result = roce.run(fabric)
        # alone it takes 82 us and 4 us; it stands still for 100 us
        self.assertGreater(result["fct_ns"]["max"], 180e3)
        self.assertLess(result["fct_ns"]["max"], 192e3)

    def test_destroy_in_a_storm(self):
        fabric = star()
        fabric.connect(0, 1).post("1MB")
        storm = roce.PauseStorm()
        storm.start(fabric.port(1, 0), duration="1s")
        roce.run(fabric, stop="50us")
        roce.destroy()
        port = fabric.port(1, 0)
        self.refuses(RuntimeError, "destroyed", roce.PauseStorm().start, port, duration="1us")
        del storm
        gc.collect()
        again = star()
        again.connect(0, 1).post("1MB")
        self.assertEqual(roce.run(again)["messages"]["completed"], 1)

    def test_refused(self):
        fabric = star()
        storm = roce.PauseStorm()
        port = fabric.port(1, 0)
        for error, pattern, more in (
            (ValueError, "priority 8 is not 0 to 7", {"priorities": [8], "duration": "1us"}),
            (ValueError, "priority -1 is not 0 to 7", {"priorities": [-1], "duration": "1us"}),
            (ValueError, "mask 0 .*sends nothing", {"priorities": [], "duration": "1us"}),
            (ValueError, "sends nothing", {"duration": "0"}),
            (ValueError, "no unit", {"duration": 5}),
            (ValueError, "in the past", {"start": "-1us", "duration": "1us"}),
            (TypeError, "duration", {}),
        ):
            self.refuses(error, pattern, storm.start, port, **more)
        self.refuses(TypeError, "", storm.start, fabric.nic(1), duration="1us")
        self.refuses(ValueError, "no attribute 'Quantum'; it has Quanta", roce.PauseStorm, Quantum=1)
        self.refuses(ValueError, "Quanta = 65536", roce.PauseStorm, Quanta=65536)


def stuck(action, storm="500us", **more):
    """Host 1 pauses its switch from 20 us on; host 0 has 1 MB for it. The watchdogs, what their trace
    told, and the result."""
    fabric = star(2, nic={"PathMtu": 4096, "AckTimeout": "200us", "RetryLimit": 100})
    values = {"DetectionTime": "100us", "RestorationTime": "200us", "PollInterval": "50us"}
    helper = roce.WatchdogHelper(watchdog={**values, "Action": action}, **more)
    watchdogs = helper.install(fabric)
    told = []
    roce.connect(watchdogs[0], "Storm", lambda *a: told.append((roce.Simulator.now(), *a)))
    fabric.connect(0, 1).post("1MB")
    roce.PauseStorm().start(fabric.port(1, 0), start="20us", duration=storm)
    return watchdogs, told, roce.run(fabric)


class Watchdogs(Case):
    def test_drop(self):
        watchdogs, told, result = stuck("drop")
        self.assertEqual(len(watchdogs), 1)
        # stuck from 21 us on: polls at 50, 100, 150 us; 100 us after the first is 150. The pause ends
        # at 521 us: polls at 550 to 750 without one, the restoration time after the first
        self.assertEqual([t[1:] for t in told], [(1, 3, True), (1, 3, False)])
        self.assertEqual(told[0][0], 150000)
        self.assertEqual(told[1][0], 750000)
        counters = watchdogs[0].counters(1)
        self.assertEqual((counters["storms"], counters["restores"]), (1, 1))
        self.assertGreater(counters["dropped"], 0)
        self.assertEqual(counters["dropped"], result["drops"]["watchdog"])
        self.assertEqual(watchdogs[0].totals, counters)
        self.assertEqual(watchdogs[0].counters(0)["storms"], 0)
        self.assertEqual(watchdogs[0].state(1), "operational")
        self.assertEqual(result["pfc"]["storms"], 1)
        self.assertEqual(result["messages"]["completed"], 1)
        self.assertGreater(watchdogs[0].polls, 10)

    def test_forward_and_alert(self):
        (watchdog,), _, result = stuck("forward")
        self.assertGreater(watchdog.totals["forwarded"], 0)
        self.assertEqual(watchdog.totals["dropped"], 0)
        # it goes on when the storm is found: 20 us before, 62 us of 82 after, and the way
        self.assertLess(result["fct_ns"]["max"], 150e3 + 62e3 + 10e3)
        roce.destroy()
        (watchdog,), told, result = stuck("alert")
        self.assertEqual(watchdog.totals["dropped"], 0)
        self.assertEqual(told[0][0], 150000)
        self.assertGreater(result["fct_ns"]["max"], 520e3)

    def test_presets(self):
        for preset, poll in (("sonic", "200ms"), ("junos", "100ms")):
            helper = roce.WatchdogHelper(preset=preset, watchdog={"Action": "alert"})
            (watchdog,) = helper.install(star(2))
            self.assertEqual(watchdog.get("PollInterval"), poll)
            self.assertEqual(watchdog.get("DetectionTime"), "200ms")
            self.assertEqual(watchdog.get("Action"), "alert")
            roce.destroy()

    def test_refused(self):
        self.refuses(ValueError, '"cisco" is not known; choose sonic junos',
                     roce.WatchdogHelper, preset="cisco")
        self.refuses(ValueError, "PollInterval = 5", roce.WatchdogHelper,
                     watchdog={"PollInterval": 5})
        self.refuses(ValueError, "no attribute 'Poll'", roce.WatchdogHelper, watchdog={"Poll": "1us"})
        self.refuses(ValueError, "Threshold", roce.WatchdogHelper, spike={"Threshold": "many"})
        fabric = star(2)
        (watchdog,) = roce.WatchdogHelper().install(fabric)
        self.refuses(IndexError, "port 2 priority 3: the watchdog has no such queue",
                     watchdog.counters, 2)
        self.refuses(IndexError, "port 0 priority 8", watchdog.state, 0, 8)
        roce.destroy()
        self.refuses(RuntimeError, "destroyed", roce.WatchdogHelper().install, fabric)

    def test_spikes(self):
        fabric = star(2)
        helper = roce.WatchdogHelper(spike={"Interval": "100us", "Threshold": 10})
        detector = helper.install_spike_detector(fabric)
        seen = []
        roce.connect(detector, "Spike", seen.append)
        fabric.connect(0, 1).post("6MB")  # 0.5 ms
        # the case of the C++ test: 10, 20 and 10 frames arrive in intervals 2, 3 and 4
        storm = roce.PauseStorm(Quanta=100, Interval="5us", Release=False)
        storm.start(fabric.port(1, 0), start="150us", duration="200us")
        roce.run(fabric)
        self.assertEqual(detector.spikes, 3)
        self.assertEqual([s["xoffs"] for s in seen], [10, 20, 10])
        self.assertEqual(
            detector.peak,
            {"node": 2, "host": False, "port": 1, "priority": 3, "xoffs": 20, "at_ns": 300000},
        )
        self.assertIsNone(helper.install_spike_detector(star(2)).peak)

    def test_pause_tree(self):
        fabric = star(2)
        tree = roce.WatchdogHelper.install_pause_tree(fabric)
        fabric.connect(0, 1).post("1MB")
        roce.PauseStorm().start(fabric.port(1, 0), start="20us", duration="100us")
        result = roce.run(fabric, pauses=True)
        seen = tree.as_dict()
        self.assertEqual(seen, result["pauses"])
        self.assertEqual(seen["roots"][0]["host"], 1)
        self.assertIn("paused by host 1", tree.text)


class Deadlocks(Case):
    def test_ring(self):
        """Five switches in a ring, each host sends two switches further: the shortest way is to the
        right for all, so each link waits for the next when buffers are full."""
        graph = roce.FabricGraph()
        for host in range(5):
            graph.add_host(host)
        for switch in range(5):
            graph.add_switch(5 + switch)
        for host in range(5):
            graph.add_link(host, 5 + host)
        for switch in range(5):
            graph.add_link(5 + switch, 5 + (switch + 1) % 5)
        fabric = roce.Fabric(graph, cc="none", switch={"BufferSize": "1MB"})
        detector = roce.DeadlockDetector(fabric, CheckInterval="50us", HoldTime="500us")
        told = []
        roce.connect(detector, "Deadlock", told.append)
        for host in range(5):
            for _ in range(4):  # queue pairs
                fabric.connect(host, (host + 2) % 5).post("4MB")
        result = roce.run(fabric, on_stall="ignore")
        self.assertFalse(result.finished)
        (report,) = detector.reports
        self.assertEqual(sorted(queue["node"] for queue in report["cycle"]), [5, 6, 7, 8, 9])
        # each waits for the next switch to the right
        for queue in report["cycle"]:
            self.assertEqual(queue["peer"], 5 + (queue["node"] - 4) % 5)
            self.assertGreater(queue["bytes"], 0)
            self.assertLessEqual(queue["since_ns"], report["frozen_ns"])
        # found at a look at least HoldTime after it froze, the first one
        waited = report["at_ns"] - report["frozen_ns"]
        self.assertGreaterEqual(waited, 500e3)
        self.assertLess(waited, 550e3)
        self.assertEqual(told, [report["text"]])
        self.assertEqual(len(detector.find("1ms")), 1)
        self.assertIn("deadlock", result.stalled[0])

    def test_nothing_to_report(self):
        fabric = star()
        detector = roce.DeadlockDetector(fabric, CheckInterval="10us", HoldTime="50us")
        self.assertEqual(detector.get("HoldTime"), "50us")
        fabric.connect(0, 2).post("1MB")
        fabric.connect(1, 2).post("1MB")
        roce.PauseStorm().start(fabric.port(2, 0), start="20us", duration="200us")
        roce.run(fabric)
        self.assertEqual(detector.reports, [])
        self.assertEqual(detector.find(), [])
        self.refuses(ValueError, "no unit", detector.find, 5)
        self.refuses(ValueError, "no attribute 'Hold'", roce.DeadlockDetector, fabric, Hold="1us")


class Pcap(Case):
    def test_pcap(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "host.pcap")
            fabric = star(2)
            fabric.port(0, 0).enable_pcap(path)
            fabric.connect(0, 1).post("40960")
            result = roce.run(fabric)
            roce.destroy()  # closes the file
            data = pathlib.Path(path).read_bytes()
            # the header of 24 bytes: nanoseconds, Ethernet; then a header of 16 bytes a frame
            self.assertEqual(data[:4], struct.pack("<I", 0xA1B23C4D))
            self.assertEqual(struct.unpack("<I", data[20:24]), (1,))
            place, sizes = 24, []
            while place < len(data):
                kept, size = struct.unpack("<II", data[place + 8 : place + 16])
                sizes.append(size)
                place += 16 + kept
            # ten packets of 4096 bytes; without FCS 58 bytes of headers, the first with RETH; the rest
            # are ACKs of 62
            self.assertEqual(sorted(sizes, reverse=True)[:10], [4170] + 9 * [4154])
            self.assertEqual(set(sizes[10:]) - {4154, 4170}, {62})
            self.assertEqual(result["messages"]["completed"], 1)
            self.refuses(RuntimeError, "nowhere/x.pcap", star(2).port(0, 0).enable_pcap,
                         os.path.join(folder, "nowhere", "x.pcap"))


class Series(Case):
    def test_links(self):
        fabric = star(3, nic={"PathMtu": 4096, "AckInterval": 1})
        fabric.connect(0, 1).post(4096 * 100)
        result = roce.run(fabric)
        links = result.links
        self.assertEqual(len(links), 3)
        self.assertEqual(links[["a", "b", "rate_bps"]].tolist(),
                         [(0, 3, 10**11), (1, 3, 10**11), (2, 3, 10**11)])
        # 100 packets with 62 bytes of headers, one RETH of 16; 100 ACKs of 66 bytes
        self.assertEqual(links["bytes_to_b"].tolist(), [100 * 4158 + 16, 6600, 0])
        self.assertEqual(links["bytes_to_a"].tolist(), [6600, 100 * 4158 + 16, 0])
        busiest = max(links["utilization_to_a"].max(), links["utilization_to_b"].max())
        self.assertAlmostEqual(busiest, result["utilization"]["bottleneck"])
        self.assertEqual(links["utilization_to_a"][2], 0)
        self.assertEqual(len(result.graph.links), 3)
        with self.assertRaises(ValueError):
            links["a"][0] = 5
        roce.destroy()
        self.assertEqual(links["bytes_to_a"][0], 6600, "the result lives on")

    def test_rates(self):
        fabric = star(3, nic={"PathMtu": 4096, "AckInterval": 1})
        fabric.connect(0, 2).post(4096 * 1000)
        result = roce.run(fabric, rates="10us")
        rates = result.rates
        self.assertEqual(set(rates["host"]), {0})
        self.assertEqual(set(rates["peer"]), {2})
        self.assertEqual(set(rates["domain"]), {-1})
        # 1000 packets and a round trip of 4 us and a bit: 338.9 us
        self.assertEqual(rates["time_ns"].tolist(), [10000 * i for i in range(35)])
        self.assertEqual(set(rates["rate_bps"]), {1e11})
        self.assertTrue(math.isnan(rates["goodput_bps"][0]))
        full = 4096 * 8 / (PACKET_NS * 1e-9)
        for value in rates["goodput_bps"][2:33]:  # a whole number of packets each time
            self.assertAlmostEqual(value, full, delta=4096 * 8 / 10e-6 * 1.01)
        total = sum(rates["goodput_bps"][1:]) * 10e-6 / 8
        self.assertAlmostEqual(total, 4096 * 1000, delta=1)
        pair = result["rates"]["queue_pairs"][0]
        self.assertEqual(pair["rate_bps"], rates["rate_bps"].tolist())
        self.assertEqual((pair["host"], pair["peer"], pair["points"]), (0, 2, []))

    def test_domains(self):
        fabric = star(5, cc="hcc", switch={"BufferSize": "32MiB"})
        for host in range(4):
            fabric.connect(host, 4).post("2MB")
        result = roce.run(fabric, rates="5us")
        rates = result.rates
        points = rates[rates["domain"] >= 0]
        self.assertEqual(set(points["host"]), {0, 1, 2, 3})
        names = roce.HccHelper.domain_names(fabric.graph)
        # all host ports of the only switch are one domain
        self.assertEqual({names[d] for d in set(points["domain"])}, {names[0]})
        self.assertEqual(len(set(points["point"])), 1, "one port is congested")
        self.assertGreaterEqual(points["rate_bps"].min(), 1)
        self.assertLessEqual(points["rate_bps"].max(), 1e11)
        # four share a link: about a quarter each in the middle of the run
        end = rates["time_ns"].max()
        middle = points[(points["time_ns"] > end / 4) & (points["time_ns"] < end / 2)]
        self.assertAlmostEqual(middle["rate_bps"].mean(), 25e9, delta=5e9)
        self.refuses(ValueError, "planet", roce.HccHelper.domain_names, fabric.graph, "planet")

    def test_pauses(self):
        fabric = star(2)
        fabric.connect(0, 1).post("1MB")
        roce.PauseStorm().start(fabric.port(1, 0), start="20us", duration="100us")
        late = roce.PauseStorm()
        late.start(fabric.port(1, 0), start="150us", duration="10ms")
        result = roce.run(fabric, stop="200us", pauses=True)
        by_host = result.pauses[result.pauses["by_host"]]
        self.assertEqual(by_host["by"].tolist(), [1, 1])
        self.assertEqual(by_host["node"].tolist(), [2, 2])
        self.assertEqual(by_host["host"].tolist(), [False, False])
        self.assertEqual(by_host["port"].tolist(), [1, 1])
        self.assertEqual(by_host["priority"].tolist(), [3, 3])
        self.assertEqual(by_host["cause"].tolist(), [-1, -1])
        self.assertEqual(by_host["end_ns"][1], -1, "it goes on")
        for value, expected in zip(
            (by_host["begin_ns"][0], by_host["end_ns"][0], by_host["begin_ns"][1]),
            (20000 + PAUSE_NS, 120000 + PAUSE_NS, 150000 + PAUSE_NS),
        ):
            self.assertAlmostEqual(value, expected, delta=1)
        listed = result["pauses"]["episodes"]
        self.assertEqual(len(listed), len(result.pauses))
        self.assertEqual([e["end_s"] is None for e in listed],
                         (result.pauses["end_ns"] == -1).tolist())

    def test_without_monitors(self):
        fabric = star(2)
        fabric.connect(0, 1).post("1KB")
        result = roce.run(fabric)
        self.assertEqual((len(result.rates), len(result.pauses)), (0, 0))
        self.assertNotIn("rates", result.as_dict())
        self.assertNotIn("pauses", result.as_dict())
        self.refuses(ValueError, "rates: 5 has no unit", roce.run, fabric, rates=5)
        self.refuses(ValueError, "above 0", roce.run, fabric, rates="-5us")
        self.refuses(TypeError, "", roce.run, fabric, pauses="yes")

    def test_monitors_change_nothing(self):
        def numbers(**more):
            fabric = star(5, cc="hcc")
            for host in range(4):
                fabric.connect(host, 4).post("256KB")
            result = roce.run(fabric, **more).as_dict()
            roce.destroy()
            return {k: v for k, v in result.items() if k not in ("wall_s", "rates", "pauses")}

        self.assertEqual(numbers(), numbers(rates="1us", pauses=True))

    def test_experiments(self):
        experiment = roce.Experiment(
            {
                "schema": "roce-experiment/1",
                "topology": {"star": {"hosts": 5, "rate": "100Gbps", "delay": "1us"}},
                "cc": "none",
                "switch": {"BufferSize": "1MB"},
                "traffic": [{"type": "incast", "senders": 4, "bytes": "1MB"}],
                "monitors": {"rates": "10us", "pauses": True, "links": True},
            }
        )
        (result,) = experiment.run()
        run = result.as_dict()
        self.assertEqual(len(run["rates"]["queue_pairs"]), 4)
        self.assertEqual(len(run["links"]), 5)
        self.assertEqual([link["bytes_to_b"] for link in run["links"]],
                         result.links["bytes_to_b"].tolist())
        self.assertEqual(len(run["pauses"]["episodes"]), len(result.pauses))
        self.assertEqual(run["pauses"]["count"], len(result.pauses))
        # the switch begins each pause, and ends it: XOFFs and XONs are these
        self.assertEqual(run["pauses"]["count"], run["pfc"]["xoff"])
        self.assertGreater(len(result.pauses), 0)
        self.assertFalse(result.pauses["by_host"].any())
        lengths = result.pauses["end_ns"] - result.pauses["begin_ns"]
        self.assertGreaterEqual(lengths.min(), 0)
        # XOFF and XON take the same way to the sender, but for an ACK of 86 bytes that may be ahead
        self.assertAlmostEqual(lengths.sum(), run["pfc"]["paused_s"] * 1e9, delta=7 * len(lengths))

    def test_import_needs_no_numpy(self):
        done = python("""
            import sys
            sys.modules["numpy"] = None
            import roce
            fabric = roce.Fabric(roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2))
            fabric.connect(0, 1).post("1KB")
            print(roce.run(fabric, rates="1us", pauses=True)["pauses"]["count"])
        """)
        self.assertEqual((done.stdout, done.stderr), ("0\n", ""))


if __name__ == "__main__":
    unittest.main()
