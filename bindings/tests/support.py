# SPDX-License-Identifier: GPL-2.0-only
"""What several tests need."""

import os
import subprocess
import sys
import textwrap

import roce


def star(hosts=3, **more):
    """Hosts on one switch, 100 Gb/s, 1 us a cable, without congestion control."""
    graph = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=hosts)
    return roce.Fabric(graph, **{"cc": "none", "nic": {"PathMtu": 4096}, **more})


def python(code, *args, **more):
    """Run a program in an interpreter of its own; its output and exit code."""
    return subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(code), *args],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **more,
    )
