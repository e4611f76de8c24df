# SPDX-License-Identifier: GPL-2.0-only
"""Attributes, errors, fabrics, traces, collectives, jobs."""

import unittest

import roce
from support import star


class Case(unittest.TestCase):
    def tearDown(self):
        roce.destroy()
        roce.Config.reset()

    def refuses(self, error, pattern, function, *args, **more):
        with self.assertRaisesRegex(error, pattern):
            function(*args, **more)


class Attributes(Case):
    def test_values_with_units(self):
        fabric = star(
            nic={"PathMtu": 1024, "AckTimeout": "2ms", "EcnCapable": True},
            switch={"BufferSize": "16MB"},
        )
        nic = fabric.nic(0)
        self.assertEqual(nic.get("PathMtu"), 1024)
        self.assertEqual(nic.get("AckTimeout"), "2ms")
        self.assertIs(nic.get("EcnCapable"), True)
        self.assertEqual(fabric.switch(3).get("BufferSize"), 16000000)
        nic.set("AckTimeout", "1.5us")
        self.assertEqual(nic.get("AckTimeout"), "1500ns")

    def test_what_is_wrong_is_named(self):
        for error, pattern, arguments in (
            (ValueError, "Nic has no attribute 'Mtu'; it has .*PathMtu", {"nic": {"Mtu": 1}}),
            (ValueError, "Nic::AckTimeout = 5: .*no unit", {"nic": {"AckTimeout": 5}}),
            (ValueError, "Nic::AckTimeout = 5 parsecs", {"nic": {"AckTimeout": "5 parsecs"}}),
            (ValueError, "Nic::PathMtu = 4x", {"nic": {"PathMtu": "4x"}}),
            (ValueError, "Nic::PathMtu = -1", {"nic": {"PathMtu": -1}}),
            (ValueError, "Nic::EcnCapable = perhaps", {"nic": {"EcnCapable": "perhaps"}}),
            (ValueError, "Dcqcn.* no attribute", {"cc": "dcqcn", "congestion_control": {"X": 1}}),
            (ValueError, "hcc", {"cc": "htt"}),
            (ValueError, "strict has no attribute", {"scheduler_attributes": {"X": 1}}),
            (TypeError, "no argument 'nics'", {"nics": {}}),
            (TypeError, "dict of attributes", {"nic": 4096}),
            (TypeError, "cc must be text", {"cc": 7}),
        ):
            with self.subTest(arguments=arguments):
                self.refuses(error, pattern, star, **arguments)

    def test_config(self):
        name = "ns3::roce::Nic::PathMtu"
        roce.Config.set_default(name, 256)
        self.assertEqual(roce.Config.get_default(name), 256)
        fabric = roce.Fabric(roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2))
        self.assertEqual(fabric.nic(0).get("PathMtu"), 256)
        roce.Config.reset()
        self.assertNotEqual(roce.Config.get_default(name), 256)
        self.refuses(ValueError, "no class", roce.Config.set_default, "ns3::roce::Nik::X", 1)
        self.refuses(ValueError, "PathMtu = big", roce.Config.set_default, name, "big")
        self.refuses(ValueError, "with its class", roce.Config.set_default, "PathMtu", 1)
        self.refuses(ValueError, "there is none", roce.Config.set_global, "NoSuch", 1)

    def test_introspection(self):
        rows = {row["name"]: row for row in roce.attributes("ns3::roce::Nic")}
        self.assertIn("payload", rows["PathMtu"]["help"].lower() + " payload")
        self.assertEqual(rows["PathMtu"]["owner"], "ns3::roce::Nic")
        traces = [row["name"] for row in roce.trace_sources("ns3::roce::Nic")]
        self.assertIn("Completed", traces)
        self.assertIn("ns3::roce::Hcc", roce.types())
        self.refuses(ValueError, "no class 'Nic'", roce.attributes, "Nic")
        marker = roce.create("ns3::roce::EcnMarker", KminBytes="80KB")
        self.assertEqual(marker.get("KminBytes"), 80000)
        self.refuses(ValueError, "abstract", roce.create, "ns3::roce::LoadBalancer")

    def test_every_trace_source_can_be_heard(self):
        from roce import _roce

        # a class that can be made must let Python listen to each of its own sources
        for name in roce.types():
            for source in roce.trace_sources(name):
                if not source["owner"].startswith("ns3::roce::"):
                    continue
                if source["callback"].startswith("ns3::Packet"):
                    continue  # bytes are for pcap
                try:
                    made = roce.create(name)
                except ValueError:
                    continue
                with self.subTest(name=name, source=source["name"]):
                    _roce.connect(made, source["name"], lambda *a: None)


class Simulator(Case):
    def test_schedule(self):
        seen = []
        roce.Simulator.schedule("2us", lambda: seen.append(roce.Simulator.now()))
        event = roce.Simulator.schedule("1us", lambda: seen.append("never"))
        self.assertTrue(event.pending)
        event.cancel()
        self.assertFalse(event.pending)
        roce.Simulator.run()
        self.assertEqual(seen, [2000])
        self.refuses(ValueError, "negative", roce.Simulator.schedule, "-1us", print)
        self.refuses(ValueError, "no unit", roce.Simulator.schedule, 5, print)
        self.refuses(TypeError, "", roce.Simulator.schedule, "1us", 5)
        self.refuses(ValueError, "seed 0", roce.set_seed, 0)
        self.refuses(ValueError, "no log component", roce.enable_log, "Nic")
        self.refuses(ValueError, "log level", roce.enable_log, "RoceNic", "loud")


class Fabrics(Case):
    def test_counts(self):
        for helper, hosts, switches, links in (
            # links: hosts, then leaf x spine x parallel
            (roce.ClosHelper(leaves=4, spines=3, hosts_per_leaf=5, links_per_pair=2), 20, 7, 44),
            # down 8 x 100G, up 400G over two spines: 2 links to each
            (roce.ClosHelper(leaves=2, spines=2, hosts_per_leaf=8, oversubscription=2), 16, 4,
             16 + 2 * 2 * 2),
            # 2 x 2 leaves x 3 hosts; 2 leaves x 2 spines a pod; 4 pod spines x 4 / 2 supers
            (roce.ClosHelper(pods=2, leaves_per_pod=2, pod_spines=2, super_spines=4,
                             hosts_per_leaf=3), 12, 12, 12 + 8 + 8),
            (roce.FatTreeHelper(k=4), 16, 20, 16 + 16 + 16),  # k^3/4, 5 k^2/4, k^3/4 a tier
            (roce.PodHelper(pods=2, racks_per_pod=3, gpus_per_rack=4, pod_spines=2,
                            super_spines=1), 24, 2 * (3 + 2) + 1, 24 + 12 + 4),
            (roce.RailHelper(groups=2, nodes_per_group=3, rails=4, spines=2), 6, 10, 24 + 16),
            (roce.DualPlaneHelper(racks=2, hosts_per_rack=3, spines=2), 6, 6, 12 + 4),
        ):
            graph = helper.graph()
            with self.subTest(graph=graph):
                self.assertEqual(len(graph.hosts), hosts)
                self.assertEqual(len(graph.switches), switches)
                self.assertEqual(len(graph.links), links)

    def test_graph(self):
        graph = roce.FabricGraph()
        graph.add_host(7, "alice")
        graph.add_host(9)
        graph.add_switch(20, "leaf")
        self.assertEqual(graph.add_link(7, 20, rate="100Gbps", delay="1us"), 0)
        self.assertEqual(graph.add_link(9, 20, "25Gbps", "500ns"), 1)
        self.assertEqual(graph.nodes["name"].tolist(), ["alice", "", ""])
        self.assertEqual(graph.nodes["kind"].tolist(), ["host", "host", "switch"])
        links = graph.links
        self.assertEqual(links["rate_bps"].tolist(), [100 * 10**9, 25 * 10**9])
        self.assertEqual(links["delay_ps"].tolist(), [10**6, 5 * 10**5])
        self.assertEqual(links["port_b"].tolist(), [0, 1])
        self.refuses(ValueError, "7", graph.add_host, 7)
        self.refuses(ValueError, "fast", graph.add_link, 7, 20, "fast")
        fabric = roce.Fabric(graph)
        self.assertEqual(fabric.path(7, 9), [0, 1])
        self.refuses(ValueError, "switch", fabric.nic, 20)
        self.refuses(TypeError, "FabricGraph", roce.Fabric, 5)
        self.refuses(ValueError, "no-such-preset", roce.Fabric, "no-such-preset")
        self.refuses(ValueError, "leaves", roce.ClosHelper, leaves=0, spines=1, hosts_per_leaf=1)
        self.refuses(ValueError, "8", roce.ClosHelper, leaves=2, spines=2, hosts_per_leaf=7,
                     leaf_radix=8)  # 7 + 2 ports
        self.refuses(ValueError, "fast", roce.ClosHelper, leaves=1, spines=0, hosts_per_leaf=1,
                     host_rate="fast")

    def test_presets_and_hcc(self):
        self.assertEqual(len(roce.TopologyHelper("homelab").graph().hosts), 24)
        clos = roce.ClosHelper(leaves=2, spines=2, hosts_per_leaf=2)
        hcc = roce.HccHelper(domains="tier")
        fabric = roce.Fabric(clos, hcc=hcc)
        qp = fabric.connect(0, 2).qp
        self.assertEqual(qp.congestion_control.type_name, "ns3::roce::Hcc")
        self.assertEqual(qp.congestion_control.rate_bps, 100 * 10**9)
        self.refuses(ValueError, "spine", roce.HccHelper, domains="planet")

    def test_connections(self):
        fabric = star()
        done, arrived = [], []
        connection = fabric.connect(0, 1, source_port=5000)
        connection.on_completion(done.append)
        connection.on_arrival(arrived.append)
        ids = [connection.post("40960"), connection.post(100, "send"), connection.post(100, "read")]
        roce.run(fabric)
        self.assertEqual([c.id for c in done], ids)
        self.assertEqual([c.kind for c in done], ["write", "send", "read"])
        self.assertEqual([c.kind for c in arrived], ["arrival", "receive"])
        self.assertEqual(fabric.nic(1).counters["bytes_delivered"], 40960 + 100)
        self.assertEqual(fabric.open_requests, 0)
        self.refuses(ValueError, "shout", connection.post, 1, "shout")
        self.refuses(ValueError, "itself", fabric.connect, 0, 0)
        self.refuses(ValueError, "RD", fabric.connect, 0, 1, service="RD")
        self.refuses(ValueError, "priority 9", fabric.connect, 0, 1, priority=9)
        self.refuses(ValueError, "READ|read", fabric.connect(0, 1, service="UC").post, 1, "read")

    def test_ideal_and_measured(self):
        fabric = star()
        times = []
        fabric.connect(0, 1).post("1MB", done=lambda c: times.append(c.completed_ns - c.posted_ns))
        ideal = fabric.ideal_completion_ns(0, 1, "1MB")
        result = roce.run(fabric)
        self.assertAlmostEqual(times[0], ideal, delta=2)
        self.assertEqual(result.fct_ns.tolist(), times)
        frame = result.to_pandas()
        self.assertEqual(frame["fct_ns"].tolist(), times)
        self.assertEqual(frame[["host", "peer", "bytes"]].values.tolist(), [[0, 1, 10**6]])

    def test_links(self):
        fabric = star()
        fabric.connect(0, 1).post("10MB")  # 0.8 ms at 100 Gb/s
        self.assertEqual(fabric.schedule_links("100us 0 rate 10Gbps; 10us 2 down"), 2)
        roce.run(fabric, stop="200us")
        # 100 us at 100 and less than 100 us at 10 Gb/s: 1.25 MB + 0.125 MB with headers
        delivered = fabric.nic(1).counters["bytes_delivered"]
        self.assertLess(delivered, 1.375e6)
        self.assertGreater(delivered, 1.375e6 * 4096 / 4194 * 0.95)
        self.assertFalse(fabric.graph.links["up"][2])
        self.refuses(ValueError, "sideways", fabric.schedule_links, "1us 0 sideways")
        self.refuses(ValueError, "9", fabric.set_link, 99, True)


class Traces(Case):
    def test_frames(self):
        fabric = star()
        frames, states = [], []
        roce.connect(fabric.port(0, 0), "FrameSent", frames.append)
        count = roce.connect("/NodeList/*/$ns3::roce::Nic/StateChange",
                             lambda qpn, state: states.append(state))
        self.assertEqual(count, 3)
        fabric.connect(0, 1).post(40960)  # 10 full packets
        roce.run(fabric)
        self.assertEqual([f["kind"] for f in frames], ["request"] * 10)
        self.assertEqual([f["payload"] for f in frames], [4096] * 10)
        self.assertEqual({f["psn"] - frames[0]["psn"] for f in frames}, set(range(10)))
        self.assertEqual(states, ["INIT", "RTR", "RTS"] * 2)

    def test_wrong_ones(self):
        fabric = star()
        nic = fabric.nic(0)
        self.refuses(ValueError, "no trace source", roce.connect, nic, "Nothing", print)
        self.refuses(ValueError, "matches no object", roce.connect, "/Nothing/x", print)
        self.refuses(TypeError, "callable", roce.connect, nic, "Completed", 5)
        self.refuses(TypeError, "path, function", roce.connect, nic, print)
        self.refuses(ValueError, "cannot take", roce.connect, fabric.port(0, 0), "PromiscSniffer", print)


class Collectives(Case):
    def test_all_reduce(self):
        fabric = star(5)
        helper = roce.CollectiveHelper(operation="all-reduce", algorithm="ring", bytes="4MB")
        run = helper.install(fabric, [0, 1, 2, 3])
        ends = []
        run.on_done(lambda: ends.append(roce.Simulator.now()))
        roce.run(fabric)
        self.assertTrue(run.finished)
        self.assertEqual(run.bytes_sent, [2 * 3 * 1000000] * 4)  # 2 (n-1) parts of S / n
        self.assertEqual(ends, [run.duration_ns])
        self.assertAlmostEqual(run.algbw_Bps, 4e6 / (run.duration_ns * 1e-9), delta=1)
        self.assertAlmostEqual(run.busbw_Bps / run.algbw_Bps, 2 * 3 / 4)
        self.assertLess(run.busbw_Bps, 12.5e9)
        roce.destroy()
        self.assertEqual(run.bytes_sent, [6000000] * 4, "results outlive the simulation")
        self.refuses(RuntimeError, "destroyed", fabric.base_rtt, 0, 1)
        self.refuses(RuntimeError, "destroyed", fabric.path, 0, 1)
        self.refuses(RuntimeError, "destroyed", fabric.ideal_completion_ns, 0, 1, 1000)
        self.refuses(RuntimeError, "destroyed", lambda: fabric.open_requests)
        self.refuses(ValueError, "all-reduce", roce.CollectiveHelper, operation="all", bytes=1)
        self.assertIn("ring", roce.collective_algorithms("all-reduce"))
        self.assertIn("all-to-all", roce.collective_operations())

    def test_unfinished(self):
        fabric = star(3)
        run = roce.CollectiveHelper(bytes="1MB").install(fabric, [0, 1])
        self.refuses(RuntimeError, "", lambda: run.duration_ns)
        self.assertNotEqual(run.describe(), "")
        self.refuses(ValueError, "77", roce.CollectiveHelper(bytes=1).install, fabric, [0, 77])

    def test_gpus_and_placement(self):
        fabric = roce.Fabric(roce.ClosHelper(leaves=2, spines=1, hosts_per_leaf=4))
        gpus = roce.GpuMap.nic_per_gpu(fabric.graph, 4)
        self.assertEqual((gpus.gpus, gpus.servers), (8, 2))
        self.assertEqual(gpus.at(5), (5, 1, 1))
        placement = roce.JobPlacement(gpus)
        self.assertEqual(placement.place(3, "packed"), [0, 1, 2])
        self.assertEqual(placement.free_gpus, 5)
        self.refuses(ValueError, "5", placement.place, 6)
        placement.free([0, 1, 2])
        self.assertEqual(placement.place(4, "fragmented"), [0, 4, 1, 5])  # servers in turn
        network = roce.GpuNetwork(fabric, gpus, queue_pairs=2)
        run = roce.CollectiveHelper(bytes="1MB").install(network, [0, 1, 4, 5])
        roce.run(fabric)
        self.assertTrue(run.finished)

    def test_job(self):
        fabric = star()
        network = roce.GpuNetwork(fabric, roce.GpuMap.one_per_host(fabric.graph))
        graph = roce.TaskGraph(2)
        work = graph.compute(0, "50us")
        graph.send(0, 1, "1MB", after=[work])
        graph.receive(1, 0, "1MB")
        graph.validate()
        self.assertEqual([t["kind"] for t in graph.tasks()], ["compute", "send", "receive"])
        job = roce.JobHelper().install(network, [0, 1], graph)
        roce.run(fabric)
        self.assertTrue(job.finished)
        ideal = 50000 + fabric.ideal_completion_ns(0, 1, "1MB")
        self.assertAlmostEqual(job.duration_ns, ideal, delta=3)
        self.assertEqual(job.times()[0], (0, 50000))
        self.assertEqual(job.message_bytes, 10**6)
        graph.receive(1, 0, 5)
        self.refuses(ValueError, "receive", graph.validate)
        self.refuses((ValueError, RuntimeError), "no-file", roce.load_workload, "no-file")


if __name__ == "__main__":
    unittest.main()
