# SPDX-License-Identifier: GPL-2.0-only
"""The same experiment by a C++ program and by Python: all numbers are the same."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import roce

PROGRAM = pathlib.Path(os.environ.get("ROCE_BIN", "build/bin")) / "roce-incast"
SENDERS = 8
SIZE = 65536


def incast(cc):
    """What examples/roce-incast.cc does, with its defaults."""
    graph = roce.ClosHelper(
        leaves=1, spines=0, hosts_per_leaf=SENDERS + 1, host_rate="100Gbps", host_delay="1us"
    )
    fabric = roce.Fabric(graph, cc=cc, nic={"PathMtu": 4096}, switch={"BufferSize": "32MiB"})
    for sender in range(SENDERS):
        fabric.connect(sender, SENDERS).post(SIZE, id=sender)
    result = roce.run(fabric, label=cc)
    result.add("peak_buffer_bytes", fabric.switch(SENDERS + 1).buffer_peak)
    return result


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built (ROCE_EXAMPLES=OFF)")
class Twin(unittest.TestCase):
    def tearDown(self):
        roce.destroy()

    def test_incast(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "incast.json")
            subprocess.run(
                [PROGRAM, f"--senders={SENDERS}", f"--size={SIZE}", "--cc=none,dcqcn,hcc",
                 f"--json={path}", "--quiet"],
                check=True,
                timeout=120,
            )
            with open(path) as file:
                runs = json.load(file)["runs"]
        self.assertEqual([r["label"] for r in runs], ["none", "dcqcn", "hcc"])
        for theirs in runs:
            result = incast(theirs["label"])
            ours = result.as_dict()
            roce.destroy()
            for one in (ours, theirs):
                del one["wall_s"]
            self.assertEqual(ours, theirs)
            # the list of completion times, which fct_cdf has in full for so few
            cdf = [ns for ns, share in theirs["fct_cdf"]]
            self.assertEqual(sorted(set(result.fct_sorted_ns)), cdf)

    def test_result_file(self):
        result = incast("hcc")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "new", "result.json")
            roce.write_results(path, [result], program="mine", config={"cc": "hcc"})
            with open(path) as file:
                written = json.load(file)
        self.assertEqual(written["schema"], "roce-result/1")
        self.assertEqual((written["program"], written["config"]), ("mine", {"cc": "hcc"}))
        self.assertEqual(written["runs"], [result.as_dict()])


if __name__ == "__main__":
    unittest.main()
