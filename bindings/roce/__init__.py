# SPDX-License-Identifier: GPL-2.0-only
"""RoCEv2 fabrics for AI training, simulated packet by packet by ns-3.

    import roce

    star = roce.ClosHelper(leaves=1, spines=0, hosts_per_leaf=5, host_rate="100Gbps")
    fabric = roce.Fabric(star, cc="hcc", switch={"BufferSize": "32MiB"})
    for sender in range(4):
        fabric.connect(sender, 4).post("1MB")
    result = roce.run(fabric, label="incast")
    print(result["fct_ns"]["mean"], result["pfc"]["xoff"])
    roce.destroy()

Units: text with units where a quantity has one ("100Gbps", "1us", "16MB"); numbers that come back
have their unit in their name and are ns, bytes and bit/s. Errors: ValueError for what cannot be,
with the name, the value and what was expected; RuntimeError for what cannot be done now.

One simulation a process: build fabrics, post, run(), read results, destroy(). Callbacks run in the
thread that called run(); what they raise stops the run and is raised by run().
"""

import warnings

from . import _roce
from ._roce import (
    ClosHelper,
    CollectiveHelper,
    CollectiveRun,
    Completion,
    Config,
    CongestionControl,
    Connection,
    DeadlockDetector,
    DualPlaneHelper,
    Fabric,
    FabricGraph,
    FatTreeHelper,
    GpuMap,
    GpuNetwork,
    HccHelper,
    Job,
    JobHelper,
    JobPlacement,
    Nic,
    Object,
    PauseStorm,
    PauseTreeMonitor,
    PfcSpikeDetector,
    PfcWatchdog,
    PodHelper,
    Port,
    QueuePair,
    RailHelper,
    Result,
    ScheduledEvent,
    Simulator,
    Switch,
    TaskGraph,
    TopologyHelper,
    WatchdogHelper,
    attributes,
    collective_algorithms,
    collective_operations,
    connect,
    create,
    enable_log,
    get_run,
    get_seed,
    load_workload,
    ns3_version,
    set_run,
    set_seed,
    trace_sources,
    types,
    write_results,
)
from . import plot
from ._experiment import Experiment, Results
from ._progress import bar_of
from ._sweep import sweep

__version__ = _roce.version
destroy = Simulator.destroy

__all__ = [
    name
    for name, value in list(globals().items())
    if not name.startswith("_") and name not in ("warnings", "bar_of")
]
__all__ += ["Simulation", "StallWarning", "StalledError", "run"]


class StallWarning(UserWarning):
    """A run ended although requests are open that nothing can finish."""


class StalledError(RuntimeError):
    """The same as an exception, by run(on_stall="raise"); `result` is what the run came to."""

    def __init__(self, result):
        super().__init__(_stall_text(result))
        self.result = result


def _stall_text(result):
    lines = result.stalled
    return f'run "{result.label}" cannot finish: ' + "; ".join(lines[:3]) + (
        f"; and {len(lines) - 3} more, see Result.stalled" if len(lines) > 3 else ""
    )


def run(
    fabric,
    label="run",
    *,
    stop=None,
    queues=None,
    rates=None,
    pauses=False,
    progress=False,
    on_stall="warn",
):
    """Run the simulation until the work on a fabric is done, and return a Result.

    label     name of the run in results
    stop      latest end, "5ms" from now; None: until the work is done or cannot be done.
              Requests that are open then are no stall
    queues    time between samples of switch queues ("10us"), for Result.queue_bytes and
              result["queues"]; None: none
    rates     time between samples of the rates of queue pairs and, under hcc, of their congestion
              points, for Result.rates and result["rates"]; None: none. The first 64 queue pairs
              with open requests are followed
    pauses    True: note each pause of a port, for Result.pauses and result["pauses"]
    progress  True: a bar (tqdm if it is there, else text on stderr); or a function, called about
              five times a second with (simulated ns, bytes delivered, bytes posted, frame-hops)
    on_stall  what to do if the run cannot finish: "warn" (StallWarning), "raise" (StalledError)
              or "ignore"

    The GIL is free meanwhile. Ctrl-C and exceptions of callbacks end the run and are raised; the
    simulation is then where it stopped. ValueError for times without unit, RuntimeError if a run
    is under way or the fabric belongs to a simulation that was destroyed.
    """
    if on_stall not in ("warn", "raise", "ignore"):
        raise ValueError(f'on_stall = {on_stall!r}: expected "warn", "raise" or "ignore"')
    with bar_of(progress, label) as tell:
        result = _roce._run(fabric, label, stop, queues, rates, pauses, tell)
    if not result.finished:
        if on_stall == "raise":
            raise StalledError(result)
        if on_stall == "warn":
            warnings.warn(_stall_text(result), StallWarning, stacklevel=2)
    return result


class Simulation:
    """A simulation that is destroyed at the end of a block, whatever happens in it.

        with roce.Simulation(seed=7):
            fabric = roce.Fabric("homelab")
            ...

    seed, run: of the random streams; None: as they are. What was set before comes back.
    """

    def __init__(self, seed=None, run=None):
        self._wanted = (seed, run)
        self._before = None

    def __enter__(self):
        destroy()
        self._before = (get_seed(), get_run())
        seed, run_number = self._wanted
        if seed is not None:
            set_seed(seed)
        if run_number is not None:
            set_run(run_number)
        return self

    def __exit__(self, *error):
        destroy()
        set_seed(self._before[0])
        set_run(self._before[1])
