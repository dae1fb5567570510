# SPDX-License-Identifier: MIT
"""Recordings: whatever 'tdprobe replay' reads."""

import ctypes
import errno
import os
import threading
from typing import Iterator, List, Optional

from ._library import Handle, c_result, lib, raw, reader
from ._results import Result, copy

END = 2**64 - 1
# PerfSpect's raw folder has the machine in a file beside that of the events
_PERFSPECT = ("_events.jsonl", "_metadata.json")


def _open(handle: Handle, path: bytes) -> None:
    events, metadata = (raw(end) for end in _PERFSPECT)
    if path.endswith(events):
        try:
            file = open(path[: -len(events)] + metadata, "rb")
        except OSError:
            pass  # the events alone are a recording, too
        else:
            with file:
                handle.check(lib.td_set_metadata(handle.td, raw(file.name), reader(file), None))
    handle.check(lib.td_open_file(handle.td, path))


class Recording:
    """A recording that is open: its intervals, one after the other, and then its summary.

    It is an iterator, and a context manager that closes it. One thread at a time goes on; others wait.
    """

    def __init__(self, handle: Handle, counts: bool):
        self._handle = handle
        self._counts = counts
        self._ended = False
        self._lock = threading.Lock()

    @property
    def notes(self) -> List[str]:
        """What should be known and is no error, a line each: a CPU that was assumed, lines that were skipped."""
        return self._handle.notes

    def __iter__(self) -> Iterator[Result]:
        return self

    def __next__(self) -> Result:
        result = c_result()
        with self._lock:
            if self._ended:
                raise StopIteration
            code = lib.td_next(self._handle.td, ctypes.byref(result))
            if code == -errno.ENODATA:
                self._ended = True
                raise StopIteration
            if code:
                self._ended = True
                raise self._handle.error(code)
            return copy(result, self._counts)

    def summary(self) -> List[Result]:
        """The sums over the whole recording, one for each scope and kind of core; the rest is read first."""
        for _ in self:
            pass
        sums: List[Result] = []
        result = c_result()
        with self._lock:
            while True:
                code = lib.td_summary(self._handle.td, len(sums), ctypes.byref(result))
                if code == -errno.ENODATA:
                    return sums
                self._handle.check(code)
                sums.append(copy(result, self._counts))

    def close(self) -> None:
        """Closes the file and gives back its memory."""
        with self._lock:
            self._ended = True
            self._handle.close()

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def replay(
    path: "str | os.PathLike[str]",
    *,
    uarch: Optional[str] = None,
    level: Optional[int] = None,
    metrics: Optional[str] = None,
    smt: Optional[str] = None,
    format: Optional[str] = None,
    after: float = 0,
    until: Optional[float] = None,
    intervals: bool = True,
    counts: bool = False,
) -> Recording:
    """Opens a recording, whose results the returned object gives in their order.

    path: a file of any format that 'tdprobe replay' reads. uarch: the CPU, "spr" or what it is sold as, where the
    recording does not name it. level: the deepest level, 1 to 6 (default 2). metrics: further ones, names or groups
    separated by commas, or "all". smt: "on" or "off", where the recording does not tell. format: instead of what its
    content shows. after, until: seconds since it began, of the intervals that are wanted. intervals=False: only adds
    up, for summary(). counts: results have the counts of the events.

    Raises Error: the file cannot be read, is no recording (errno EBADMSG), no CPU that fits can be told (EINVAL:
    uarch= has to name it) or answers (EOPNOTSUPP).
    """
    handle = Handle()
    try:
        handle.settings(uarch, level, metrics)
        handle.set(lib.td_set_smt, smt)
        handle.set(lib.td_set_format, format)
        if after or until is not None:
            handle.set(lib.td_set_times, round(after * 1e9), END if until is None else round(until * 1e9))
        lib.td_set_intervals(handle.td, intervals)
        _open(handle, raw(path))
    except BaseException:
        handle.close()
        raise
    return Recording(handle, counts)
