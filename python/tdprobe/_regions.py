# SPDX-License-Identifier: MIT
"""Regions of the calling thread, by counters that it reads itself."""

import contextlib
import ctypes
import dataclasses
import errno
import os
import threading
from typing import Any, Dict, List, Optional

from . import _library
from ._library import Handle, c_result, lib, raw, text
from ._results import Result, copy


@dataclasses.dataclass(frozen=True)
class RegionResult:
    """The passes through a region so far, added up and solved once."""

    name: str
    #: those in the result
    passes: int
    #: passes that do not count, by the reason: "reset", "unscheduled", "other_core"
    discarded: Dict[str, int]
    #: of the passes; 0 where slots are not counted
    slots: int
    result: Result

    def __str__(self) -> str:
        return f"{self.name}: {self.passes} passes\n{self.result}"

    def _repr_html_(self) -> str:
        return self.result._repr_html_()


class Regions:
    """The counters of the thread that made it, and its regions by name. Only that thread may use it.

    uarch, level: as for replay(). target: how wide the bounds of a share may be to either side, such as 0.02: the
    registers are zeroed (a system call) before a pass that would miss it. corrections: also counts the small terms of
    the published formula. user_only: not what the kernel does for the thread. machine: a tdprobe-machine(5) that is
    simulated instead. Raises Error where the thread cannot count itself: its text has the reason and what to do.
    """

    def __init__(
        self,
        *,
        uarch: Optional[str] = None,
        level: Optional[int] = None,
        target: float = 0,
        corrections: bool = False,
        user_only: bool = False,
        machine: "str | os.PathLike[str] | None" = None,
    ):
        self._handle = Handle()
        self._number: Dict[str, int] = {}
        ask = _library.SelfAsk(
            size=ctypes.sizeof(_library.SelfAsk), target=target, corrections=corrections, no_kernel=user_only
        )
        try:
            # the level is automatic unless one is asked for
            self._handle.set(lib.td_set_uarch, uarch)
            self._handle.set(lib.td_set_level, level)
            self._handle.machine(machine)
            self._handle.check(lib.td_open_self(self._handle.td, ctypes.byref(ask)))
        except BaseException:
            self._handle.close()
            raise

    def region(self, name: str) -> "Region":
        """A context manager: what is inside it belongs to the region of this name."""
        return Region(name, self)

    def begin(self, name: str) -> None:
        """A pass through a region begins."""
        number = self._number.get(name)
        if number is None:
            number = self._number[name] = self._handle.check(lib.td_region(self._handle.td, raw(name)))
        self._handle.check(lib.td_region_begin(self._handle.td, number))

    def end(self, name: str) -> None:
        """The innermost pass ends, which is one through this region."""
        self._handle.check(lib.td_region_end(self._handle.td, self._number.get(name, -1)))

    def results(self) -> List[RegionResult]:
        """All regions so far, in the order of their first passes."""
        found: List[RegionResult] = []
        info = _library.RegionInfo(size=ctypes.sizeof(_library.RegionInfo))
        result = c_result()
        while True:
            code = lib.td_region_result(self._handle.td, len(found), ctypes.byref(info), ctypes.byref(result))
            if code == -errno.ENODATA:
                return found
            self._handle.check(code)
            discarded = {name: info.discarded[i] for i, name in enumerate(_library.DISCARDS) if info.discarded[i]}
            found.append(RegionResult(text(info.name) or "", info.passes, discarded, info.slots, copy(result)))

    def read(self) -> _library.Snapshot:
        """All counters now, for between()."""
        snapshot = _library.Snapshot()
        self._handle.check(lib.td_read(self._handle.td, ctypes.byref(snapshot)))
        return snapshot

    def between(self, begin: _library.Snapshot, end: _library.Snapshot) -> Result:
        """What happened between two readings, the older one first."""
        result = c_result()
        self._handle.check(
            lib.td_measure(self._handle.td, ctypes.byref(begin), ctypes.byref(end), ctypes.byref(result))
        )
        return copy(result)

    def close(self) -> None:
        """Closes the counters. No results can be had any more."""
        self._handle.close()

    def __enter__(self) -> "Regions":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_thread = threading.local()


def regions(**options: Any) -> Regions:
    """The calling thread's own Regions, opened by the first call with these options, and closed with the thread."""
    own: Optional[Regions] = getattr(_thread, "regions", None)
    if own is None:
        own = _thread.regions = Regions(**options)
    elif options:
        raise ValueError("this thread's counters are open already: options belong to the first call of regions()")
    return own


class Region(contextlib.ContextDecorator):
    """A region of the calling thread: with tdprobe.Region("sort"): ...; or a decorator of a function.

    of: the Regions it belongs to; default: regions(), which are opened where they are needed first.
    """

    def __init__(self, name: str, of: Optional[Regions] = None):
        self.name = name
        self._of = of

    def __enter__(self) -> "Region":
        (self._of or regions()).begin(self.name)
        return self

    def __exit__(self, *_: object) -> None:
        (self._of or regions()).end(self.name)

    @property
    def result(self) -> Optional[RegionResult]:
        """All passes of this thread through the region so far; None: there is no such region yet."""
        found = [r for r in (self._of or regions()).results() if r.name == self.name]
        return found[0] if found else None
