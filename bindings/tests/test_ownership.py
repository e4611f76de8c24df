# SPDX-License-Identifier: GPL-2.0-only
"""Case A24: what Python drops while the simulation still needs it, and the other way round."""

import gc
import unittest
import weakref

import roce
from support import python, star

# A full packet of a WRITE alone on its link, with preamble and gap: Ethernet 14 + IPv4 20 + UDP 8 +
# BTH 12 + RETH 16 + 4096 + ICRC 4 + FCS 4 + 20 = 4194 bytes, 335.52 ns at 100 Gb/s.
PACKET_NS = 4194 * 8 / 100


def build(seen, messages=100):
    """Everything but the callback's list is local to this function."""
    fabric = star()
    connection = fabric.connect(0, 1)
    for _ in range(messages):
        connection.post(4096, done=lambda c: seen.append((c.id, c.bytes, c.completed_ns, c.ok)))


class Dropped(unittest.TestCase):
    def tearDown(self):
        roce.destroy()

    def check(self, seen):
        self.assertEqual([s[0] for s in seen], list(range(100)))
        self.assertEqual({s[1] for s in seen}, {4096})
        self.assertTrue(all(s[3] for s in seen))
        # messages leave back to back, and each is acknowledged
        self.assertAlmostEqual(seen[-1][2] - seen[0][2], 99 * PACKET_NS, delta=2)

    def test_callback_outlives_every_reference(self):
        seen = []
        build(seen)
        gc.collect()
        roce.Simulator.run()
        self.check(seen)

    def test_second_run_is_identical(self):
        both = []
        for _ in range(2):
            seen = []
            build(seen)
            gc.collect()
            roce.Simulator.run()
            roce.destroy()
            both.append(seen)
        self.check(both[0])
        self.assertEqual(both[0], both[1])

    def test_exit_without_destroy(self):
        done = python("""
            import gc, roce
            def build(seen):
                graph = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2)
                connection = roce.Fabric(graph, cc="none").connect(0, 1)
                for _ in range(100):
                    connection.post(4096, done=lambda c: seen.append(c.id))
            seen = []
            build(seen)
            gc.collect()
            roce.Simulator.run()
            roce.Simulator.schedule("1s", lambda: print("never"))
            print(len(seen))
            """)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("100\n", "", 0))

    def test_exit_with_objects_in_hand_and_events_open(self):
        done = python("""
            import roce
            graph = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=2)
            fabric = roce.Fabric(graph)
            connection = fabric.connect(0, 1)
            nic = fabric.nic(0)
            hold = [nic]
            roce.connect(nic, "Completed", lambda c: hold.append(c))
            connection.post("1MB", done=lambda c: hold.append(c))
            """)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_exception_of_a_callback_is_that_exception(self):
        class Mine(Exception):
            pass

        raised = Mine("at the third")
        seen = []

        def done(completion):
            seen.append(completion.id)
            if len(seen) == 3:
                raise raised

        fabric = star()
        connection = fabric.connect(0, 1)
        for _ in range(100):
            connection.post(4096, done=done)
        with self.assertRaises(Mine) as caught:
            roce.run(fabric)
        self.assertIs(caught.exception, raised)
        self.assertEqual(seen, [0, 1, 2], "nothing of Python is called after it")
        roce.destroy()
        again = []
        build(again)
        roce.Simulator.run()
        self.check(again)

    def test_callbacks_go_with_the_simulation(self):
        class Owner:
            def hear(self, completion):
                pass

        owner = Owner()
        owner.fabric = star()  # a cycle through C++: fabric, NIC, trace, method, owner
        roce.connect(owner.fabric.nic(0), "Completed", owner.hear)
        gone = weakref.ref(owner)
        del owner
        gc.collect()
        self.assertIsNotNone(gone(), "the trace source needs it")
        roce.destroy()
        gc.collect()
        self.assertIsNone(gone())

    def test_used_after_destroy_is_refused(self):
        fabric = star()
        connection = fabric.connect(0, 1)
        roce.destroy()
        for use in (
            lambda: fabric.connect(0, 1),
            lambda: connection.post(1),
            lambda: roce.run(fabric),
            lambda: fabric.set_link(0, False),
            lambda: roce.CollectiveHelper(bytes=1).install(fabric, [0, 1]),
        ):
            with self.assertRaisesRegex(RuntimeError, "destroyed"):
                use()
        self.assertEqual(fabric.hosts, [0, 1, 2], "what it was can be read")

    def test_results_and_arrays_outlive_all(self):
        fabric = star()
        fabric.connect(0, 1).post("1MB")
        result = roce.run(fabric)
        fct = result.fct_sorted_ns
        messages = result.messages
        del result, fabric
        roce.destroy()
        gc.collect()
        self.assertEqual(len(fct), 1)
        self.assertEqual(messages["completed"][0] - messages["posted"][0], fct[0])
        with self.assertRaises(ValueError):
            fct[0] = 0


if __name__ == "__main__":
    unittest.main()
