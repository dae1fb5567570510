# SPDX-License-Identifier: MIT
"""Measuring a command."""

import ctypes
import dataclasses
import errno
import os
import shutil
import signal
import subprocess
from typing import List, Optional, Sequence, Tuple

from . import _library
from ._library import Handle, c_result, lib, raw
from ._results import Result, copy


@dataclasses.dataclass(frozen=True)
class Measurement:
    """What a command did."""

    #: one for each interval, scope and kind of core; without intervals, usually one
    results: Tuple[Result, ...]
    #: as subprocess has it: its exit status, or below 0 the signal that ended it
    returncode: int
    #: what should be known and is no error, a line each
    notes: Tuple[str, ...]

    @property
    def result(self) -> Result:
        """The last result of the command: the only one, without intervals and on CPUs with one kind of core."""
        return self.results[-1]

    def __str__(self) -> str:
        return "\n".join(str(result) for result in self.results)

    def _repr_html_(self) -> str:
        return "".join(result._repr_html_() for result in self.results)


class _Stopped:
    """A process of this machine that waits to execute its command until it is let go."""

    # the shell stops itself, so that its counters can be opened before it becomes the command
    SCRIPT = 'kill -STOP $$; exec "$@"'

    def __init__(self, command: Sequence[str]):
        if not shutil.which(command[0]):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
        self.process = subprocess.Popen(["/bin/sh", "-c", self.SCRIPT, "sh", *command])
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.pid = self.process.pid

    def release(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def wait(self, seconds: Optional[float]) -> Optional[int]:
        """Its exit status, or None after so many seconds."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Whatever happened, nothing is left of it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class _Simulated:
    """A command of a simulated machine, whose clock it has."""

    def __init__(self, handle: Handle, command: Sequence[str]):
        self.handle = handle
        words = (ctypes.c_char_p * (len(command) + 1))(*(raw(word) for word in command), None)
        self.pid = handle.check(lib.td_run_start(handle.td, words))

    def release(self) -> None:
        self.handle.check(lib.td_run_release(self.handle.td))

    def wait(self, seconds: Optional[float]) -> Optional[int]:
        now = lib.td_run_now(self.handle.td)
        until = 2**64 - 1 if seconds is None else now + round(seconds * 1e9)
        event = _library.RunEvent(size=ctypes.sizeof(_library.RunEvent))
        self.handle.check(lib.td_run_wait(self.handle.td, until, -1, ctypes.byref(event)))
        return os.waitstatus_to_exitcode(event.status) if event.what == _library.RUN_EXIT else None

    def end(self) -> None:
        pass


def _take(handle: Handle, counts: bool) -> List[Result]:
    """An interval ends: its results."""
    found: List[Result] = []
    result = c_result()
    code = lib.td_take(handle.td)
    if code != -errno.ENODATA:
        handle.check(code)
    while (code := lib.td_next(handle.td, ctypes.byref(result))) not in (-errno.EAGAIN, -errno.ENODATA):
        handle.check(code)
        found.append(copy(result, counts))
    return found


def measure(
    command: Sequence[str],
    *,
    uarch: Optional[str] = None,
    level: Optional[int] = None,
    metrics: Optional[str] = None,
    interval: Optional[float] = None,
    system: bool = False,
    user_only: bool = False,
    counts: bool = False,
    machine: "str | os.PathLike[str] | None" = None,
) -> Measurement:
    """Runs a command, and measures it with all that it starts.

    command: its words. level: the deepest level, 1 to 6 (default 2). metrics: further ones, names or groups separated
    by commas, or "all". interval: a result after each so many seconds. system: all CPUs, while the command runs, which
    needs more rights and knows most. user_only: not what the kernel does for it. machine: a tdprobe-machine(5) that is
    simulated, with its own commands, instead of this one.

    Raises Error where nothing can be measured; its text has the reason and what to do, as 'tdprobe doctor' has.
    FileNotFoundError: there is no such command. KeyboardInterrupt ends the command as well.
    """
    if isinstance(command, (str, bytes)) or not command:
        raise TypeError("command is a list of words, such as ['make', '-j2']")
    handle = Handle()
    child: "_Simulated | _Stopped | None" = None
    try:
        handle.settings(uarch, level, metrics)
        handle.machine(machine)
        child = _Stopped(command) if machine is None else _Simulated(handle, command)
        live = _library.Live(size=ctypes.sizeof(_library.Live), no_kernel=user_only)
        if not system:
            tasks = (ctypes.c_int * 1)(child.pid)
            live.tasks, live.ntasks, live.on_exec = tasks, 1, True
            live.name = raw(os.path.basename(command[0]))
        handle.check(lib.td_open_live(handle.td, ctypes.byref(live)))
        child.release()
        results: List[Result] = []
        while (status := child.wait(interval)) is None:
            results += _take(handle, counts)
        results += _take(handle, counts)
        handle.check(lib.td_close_live(handle.td))
        return Measurement(tuple(results), status, tuple(handle.notes))
    finally:
        if child is not None:
            child.end()
        handle.close()
