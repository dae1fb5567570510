# SPDX-License-Identifier: MIT
"""tdprobe: where a CPU's pipeline slots went (top-down analysis).

    import tdprobe

    for result in tdprobe.replay("app.csv", uarch="spr"):
        print(result.scope, result.metrics["retiring"].value, result.verdict)

    print(tdprobe.measure(["./app"]).result)

    with tdprobe.Region("sort"):
        data.sort()
    print(tdprobe.Region("sort").result)

It calls the shared library by ctypes, and needs nothing else. A handle belongs to one thread at a time; each thread
can have its own, and the interpreter's lock is released in the library's calls. Shares are of 1; times are in ns where
the name says so, otherwise in seconds.
"""

from ._frame import frame, rows
from ._library import Error, lib as _lib
from ._live import Measurement, measure
from ._program import compare, explain
from ._recording import Recording, replay
from ._regions import Region, RegionResult, Regions, regions
from ._results import Count, Metric, Result, Verdict

__version__ = _lib.td_version().decode()

__all__ = [
    "Count", "Error", "Measurement", "Metric", "Recording", "Region", "RegionResult", "Regions", "Result", "Verdict",
    "compare", "explain", "frame", "measure", "regions", "replay", "rows",
]
