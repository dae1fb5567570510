# SPDX-License-Identifier: MIT
"""Nothing leaks, and threads work beside each other."""

import concurrent.futures
import ctypes
import gc
import os
import resource

import pytest
import tdprobe


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


def allocated():
    """Bytes that malloc(3) has given out in this process, but for Python's own small objects."""
    gc.collect()
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Mallinfo2
    info = libc.mallinfo2()
    return info.uordblks + info.hblkhd


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def opened(source, machine, kind):
    """One handle, dropped without close(), in the middle of what it does."""
    if kind == "replay":
        next(tdprobe.replay(source / "traces" / "adl-hybrid-intervals.trace"))
    elif kind == "refused":
        with pytest.raises(tdprobe.Error):
            list(tdprobe.replay(source / "README", uarch="spr"))
    elif kind == "regions":
        with tdprobe.Regions(machine=machine("sapphirerapids")).region("x"):
            pass
    else:
        tdprobe.measure(["app"], machine=machine("sapphirerapids"))


@pytest.mark.parametrize("kind", ["replay", "refused", "regions", "measure"])
def test_hundreds_of_handles_leave_nothing(source, machine, kind):
    """Python's own tables grow now and then, a handle that stays would show in each batch; so would any byte of a recording."""
    rounds = 20
    opened(source, machine, kind)
    files, grown = descriptors(), []
    for _ in range(10):
        before = allocated()
        for _ in range(rounds):
            opened(source, machine, kind)
        grown.append(allocated() - before)
    assert descriptors() == files
    assert min(grown) <= (0 if kind in ("replay", "refused") else 128 * rounds), grown


def test_threads_have_handles_of_their_own(source):
    path = source / "traces" / "adl-hybrid-intervals.trace"
    wanted = [r.metrics for r in tdprobe.replay(path)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: [r.metrics for r in tdprobe.replay(path)], range(64)):
            assert found == wanted


def test_one_recording_by_many_threads_gives_each_interval_once(source):
    path = source / "traces" / "gnr-events-intervals.trace"
    wanted = sorted(str(r.time_ns) + r.scope for r in tdprobe.replay(path))
    recording = tdprobe.replay(path)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = sum(pool.map(lambda _: [str(r.time_ns) + r.scope for r in recording], range(4)), [])
    assert sorted(found) == wanted


def test_without_descriptors_the_reason_is_said(source):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        with pytest.raises(tdprobe.Error, match="Too many open files"):
            tdprobe.replay(source / "traces" / "adl-hybrid-intervals.trace")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
