# SPDX-License-Identifier: GPL-2.0-only
"""100 runs in a process need no more memory than one.

A run of 2000 messages that is not given back keeps at least its records (72 bytes each in the
monitor, 56 in the rows of the result): 0.25 MB, so 100 of them 25 MB. A fifth of that is allowed.
"""

import gc
import os
import unittest
import weakref

import roce
from support import star

MESSAGES = 2000
ALLOWED = MESSAGES * (72 + 56) * 100 / 5


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Heard:
    """What callbacks hear; a class, as lists have no weak references."""

    def __init__(self):
        self.count = 0

    def __call__(self, completion):
        self.count += 1


def run():
    heard = Heard()
    fabric = star(4)
    connection = fabric.connect(0, 1)
    roce.connect(fabric.nic(0), "Completed", heard)
    for _ in range(MESSAGES):
        connection.post(64, done=heard)
    result = roce.run(fabric)
    assert len(result.messages) == MESSAGES and heard.count == 2 * MESSAGES
    fct = list(result.fct_sorted_ns[:5])
    roce.destroy()
    return fct, weakref.ref(heard)


class Memory(unittest.TestCase):
    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "no /proc")
    def test_hundred_runs(self):
        first, _ = run()
        for _ in range(10):
            run()  # pools reach their size
        gc.collect()
        before = resident()
        for _ in range(100):
            fct, heard = run()
            self.assertEqual(fct, first)
            gc.collect(0)
        gc.collect()
        self.assertIsNone(heard(), "callbacks go with the simulation")
        self.assertLess(resident() - before, ALLOWED)


if __name__ == "__main__":
    unittest.main()
