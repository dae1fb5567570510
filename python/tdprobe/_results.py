# SPDX-License-Identifier: MIT
"""Results: what the library's structs hold, copied, so that they stay when the handle goes on."""

import ctypes
import dataclasses
import math
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import _library
from ._library import lib, text


def _number(value: float) -> Optional[float]:
    return None if math.isnan(value) else value


@dataclasses.dataclass(frozen=True)
class Metric:
    """A node of the top-down tree or another metric, in one interval."""

    name: str
    #: the node above; None at level 1, and for what is not in the tree
    parent: Optional[str]
    #: 1 to 6; 0 for what is not in the tree
    level: int
    #: for a node what it is a share of: "slots", "cycles", "core_cycles", "stalls", "uops"; else value's unit: "GB/s"
    unit: str
    #: "node", "bottleneck" or "info"
    kind: str
    #: "ok", or why there is no value: "missing_event", "not_on_this_cpu", ...
    status: str
    #: for a node 0..1, or outside with a flag; for others in their unit; None where status is not "ok"
    value: Optional[float]
    #: low <= value <= high; None: there are no bounds
    low: Optional[float]
    high: Optional[float]
    #: "sound": the true value is within the bounds, always; "likely": in at least 95 of 100 cases; None
    bounds: Optional[str]
    #: "multiplexed", "correction_missing:EVENT", ...: tdprobe explain FLAG
    flags: Tuple[str, ...]
    #: the event that status refers to
    event: Optional[str]
    #: more about status
    why: Optional[str]
    #: whether the published condition holds under which it is worth looking at; None: not known
    over: Optional[bool]

    def __str__(self) -> str:
        if self.value is None:
            about = self.why or self.event
            return f"{self.name}: {self.status}" + (f" ({about})" if about else "")
        if self.kind != "node":
            return f"{self.name}: {self.value:g} {self.unit}"
        bounds = "" if self.low is None or self.high is None else f" ({100 * self.low:.1f} to {100 * self.high:.1f})"
        return f"{self.name}: {100 * self.value:.1f} % of {self.unit}{bounds}"


@dataclasses.dataclass(frozen=True)
class Count:
    """An event of the interval."""

    event: str
    status: str
    #: scaled for multiplexing; None where status is not "ok"
    value: Optional[float]
    #: share of the time in which it was counted, 0..1; None: not recorded
    coverage: Optional[float]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What limits the program, as far as the bounds can show it."""

    #: "decided" by sound bounds, "likely" by likely ones, "undecided", or "none": nothing but retiring can be large
    status: str
    #: the deepest node that is decided or likely, or None
    node: Optional[str]
    #: from level 1 to node
    path: Tuple[str, ...]
    #: how many of path, from its beginning, are decided by sound bounds
    sound: int
    #: the nodes below node that it is undecided between, the largest first
    among: Tuple[str, ...]
    #: undecided because this node has no value
    absent: Optional[str]
    #: what would decide more: "whole_cpus" (-a), "longer", "level_1", "fewer_events", "intervals", "cores", "one_cpu",
    #: "runs", "doctor", "smt", or "none"
    remedy: str

    def __str__(self) -> str:
        if self.status == "undecided":
            return "undecided" + (" between " + ", ".join(self.among) if self.among else "")
        if self.status == "none":
            return "nothing but retiring is large"
        return ("limited by " if self.status == "decided" else "probably limited by ") + " > ".join(self.path)


@dataclasses.dataclass(frozen=True, repr=False)
class Result:
    """One interval of one scope and kind of core."""

    #: end of the interval in ns since the recording began; None: not recorded
    time_ns: Optional[int]
    #: how long the interval was, in ns; for a summary, all intervals
    duration_ns: Optional[int]
    #: what was counted, "CPU3", and of which kind, "cpu"
    scope: str
    scope_kind: str
    #: "P", "E" or "LP" on hybrids
    core: Optional[str]
    #: the CPU, or all that fit the recording and give this answer, joined by "|"
    cpu: str
    backend: str
    formula: str
    #: a sum over the whole recording
    summary: bool
    #: the least share of the time in which an event was counted, 0..1
    coverage: Optional[float]
    flags: Tuple[str, ...]
    #: relations that no program breaks and these counts do
    contradictions: Tuple[str, ...]
    #: instructions per cycle; cycles per ns on a CPU
    ipc: Optional[float]
    ghz: Optional[float]
    #: by name, in the tree's order
    metrics: Dict[str, Metric]
    verdict: Verdict
    #: of the events, where counts were asked for
    counts: Tuple[Count, ...] = ()

    def __getitem__(self, name: str) -> Metric:
        return self.metrics[name]

    def __iter__(self) -> Iterator[Metric]:
        return iter(self.metrics.values())

    def tree(self) -> List[Tuple[int, Metric]]:
        """The nodes that have a value with their depth, 0 at level 1, each after its parent."""
        below: Dict[Optional[str], List[Metric]] = {}
        for metric in self:
            if metric.level and metric.value is not None:
                below.setdefault(metric.parent, []).append(metric)

        def walk(parent: Optional[str], depth: int) -> Iterator[Tuple[int, Metric]]:
            for metric in below.get(parent, []):
                yield depth, metric
                yield from walk(metric.name, depth + 1)

        return list(walk(None, 0))

    def __repr__(self) -> str:
        return f"<tdprobe.Result: {self.scope} ({self.cpu}): {self.verdict}>"

    def __str__(self) -> str:
        lines = [f"{self.scope} ({self.cpu}): {self.verdict}"]
        lines += ["  " * (depth + 1) + str(metric) for depth, metric in self.tree()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from ._notebook import html_of

        return html_of(self)


def _strings(function: Any, result: Any) -> Tuple[str, ...]:
    """All texts that an accessor gives, which ends with NULL."""
    found: List[str] = []
    while (line := function(result, len(found))) is not None:
        found.append(text(line) or "")
    return tuple(found)


def _flags(flags: int, corrections: Tuple[str, ...], left_out: int) -> Tuple[str, ...]:
    names: List[str] = []
    for bit, name in _library.flag_names(flags).items():
        if bit == _library.FLAG_CORRECTION_MISSING and corrections:
            names += [f"{name}:{event}" for i, event in enumerate(corrections) if i >= 32 or left_out >> i & 1]
        else:
            names.append(name)
    return tuple(names)


def _metric(m: _library.Metric, corrections: Tuple[str, ...]) -> Metric:
    ok = m.status == _library.STATUS_OK
    return Metric(
        name=text(m.name) or "",
        parent=text(m.parent) or None,
        level=m.level,
        unit=text(m.unit) or "",
        kind=_library.METRIC_KINDS[m.kind],
        status=lib.td_status_name(m.status).decode(),
        value=_number(m.value) if ok else None,
        low=_number(m.low) if ok else None,
        high=_number(m.high) if ok else None,
        bounds=text(lib.td_bounds_name(m.bounds)) if ok else None,
        flags=_flags(m.flags, corrections, m.corrections),
        event=text(m.event),
        why=text(m.why),
        over=_library.OVER[m.over],
    )


def _verdict(v: _library.Verdict) -> Verdict:
    def name(metric: Any) -> Optional[str]:
        return text(metric.contents.name) if metric else None

    return Verdict(
        status=lib.td_verdict_name(v.status).decode(),
        node=name(v.node),
        path=tuple(name(v.path[i]) or "" for i in range(v.npath)),
        sound=v.nsound,
        among=tuple(name(v.among[i]) or "" for i in range(v.namong)),
        absent=name(v.absent),
        remedy=_library.REMEDIES[v.remedy],
    )


def _counts(result: Any) -> Iterator[Count]:
    i = 0
    while count := lib.td_result_count(result, i):
        c = count.contents
        ok = c.status == _library.STATUS_OK
        yield Count(
            text(c.event) or "",
            lib.td_status_name(c.status).decode(),
            _number(c.value) if ok else None,
            _number(c.coverage),
        )
        i += 1


def copy(result: Any, counts: bool = False) -> Result:
    """The library's result, which is valid only until the next call, as Python's."""

    def moment(function: Any) -> Optional[int]:
        ns = ctypes.c_uint64()
        return ns.value if function(result, ctypes.byref(ns)) else None

    corrections = _strings(lib.td_result_correction, result)
    metrics = [
        _metric(lib.td_result_metric(result, i).contents, corrections) for i in range(lib.td_result_metrics(result))
    ]
    return Result(
        time_ns=moment(lib.td_result_time),
        duration_ns=moment(lib.td_result_duration),
        scope=text(lib.td_result_scope(result)) or "",
        scope_kind=text(lib.td_result_scope_kind(result)) or "",
        core=text(lib.td_result_core(result)),
        cpu=text(lib.td_result_cpu(result)) or "",
        backend=text(lib.td_result_backend(result)) or "",
        formula=text(lib.td_result_formula(result)) or "",
        summary=lib.td_result_is_summary(result),
        coverage=_number(lib.td_result_coverage(result)),
        flags=_flags(lib.td_result_flags(result), corrections, -1),
        contradictions=_strings(lib.td_result_contradiction, result),
        ipc=_number(lib.td_result_ipc(result)),
        ghz=_number(lib.td_result_ghz(result)),
        metrics={metric.name: metric for metric in metrics},
        verdict=_verdict(lib.td_result_verdict(result).contents),
        counts=tuple(_counts(result)) if counts else (),
    )
