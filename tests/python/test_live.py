# SPDX-License-Identifier: MIT
"""Commands: on simulated machines, whose shares their heads state, and on this one as far as it counts."""

import os
import signal
import subprocess
import sys
import time

import pytest
import tdprobe

# the head of sapphirerapids.machine
SHARES = {"retiring": 0.25, "bad_speculation": 0.125, "frontend_bound": 0.125, "backend_bound": 0.5,
          "fetch_latency": 0.0625, "branch_mispredicts": 0.09375, "memory_bound": 0.375, "core_bound": 0.125}


def test_a_command_of_a_simulated_machine(machine):
    done = tdprobe.measure(["app"], machine=machine("sapphirerapids"))
    assert done.returncode == 0
    assert done.result.scope == "app" and done.result.cpu == "spr"
    for name, share in SHARES.items():
        metric = done.result[name]
        assert abs(metric.value - share) < 0.003
        assert metric.low <= share + 1e-4 and share - 1e-4 <= metric.high
    assert done.result.verdict.path == ("backend_bound", "memory_bound")
    assert done.result.verdict.status == "decided"
    assert "limited by backend_bound > memory_bound" in str(done)


def test_intervals_and_whole_cpus(machine):
    whole = tdprobe.measure(["app"], machine=machine("sapphirerapids"), level=1)
    parts = tdprobe.measure(["app"], machine=machine("sapphirerapids"), level=1, interval=0.1)
    assert len(parts.results) > 1
    total = sum(r.duration_ns for r in parts.results)
    assert abs(total - whole.result.duration_ns) < 0.01 * whole.result.duration_ns
    assert list(n for n, m in whole.result.metrics.items() if m.level == 2) == []
    system = tdprobe.measure(["app"], machine=machine("sapphirerapids"), system=True)
    assert system.result.scope_kind == "system"
    both = tdprobe.measure(["app"], machine=machine("alderlake"), system=True)
    assert {r.core for r in both.results} == {"P", "E"}


@pytest.mark.parametrize("name", ["genoa", "skylake", "graviton4", "icelake"])
def test_families(machine, name):
    done = tdprobe.measure(["app"], machine=machine(name), level=1)
    assert {n for n, m in done.result.metrics.items() if m.value is not None} >= {"retiring", "backend_bound"}
    assert abs(sum(m.value for m in done.result if m.level == 1 and m.value is not None) - 1) < 0.06


def test_what_cannot_be_measured(machine, tmp_path):
    with pytest.raises(tdprobe.Error, match="PMU"):
        tdprobe.measure(["app"], machine=machine("guest-without-pmu"))
    with pytest.raises(FileNotFoundError):
        tdprobe.measure([str(tmp_path / "missing")])
    with pytest.raises(FileNotFoundError):
        tdprobe.measure(["app"], machine=tmp_path / "missing.machine")
    with pytest.raises(TypeError):
        tdprobe.measure("true")
    with pytest.raises(tdprobe.Error):
        tdprobe.measure(["app"], machine=machine("sapphirerapids"), uarch="nonsense")


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()


def test_here(tmp_path):
    """Counted or refused: the command ran once, or never, and nothing is left of it."""
    before = children()
    file = tmp_path / "ran"
    try:
        done = tdprobe.measure(["sh", "-c", f'echo >> "{file}"; exit 3'])
        assert done.returncode == 3 and file.read_text() == "\n"
    except tdprobe.Error as error:
        assert len(str(error)) > 20 and not file.exists()
    assert children() == before


def test_the_program_that_waits(tmp_path):
    """What measure() starts here: it executes the command when it is let go, and not before."""
    from tdprobe._live import _Stopped

    file = tmp_path / "ran"
    child = _Stopped(["sh", "-c", f'echo > "{file}"; exit 3'])
    time.sleep(0.2)
    assert not file.exists() and child.wait(0.01) is None
    child.release()
    assert child.wait(10) == 3 and file.exists()
    child.end()
    child = _Stopped(["sleep", "100"])
    child.release()
    child.end()
    assert child.process.returncode == -signal.SIGKILL


def test_control_c_ends_both(tmp_path, preload):
    """A KeyboardInterrupt while the command runs: it is raised, and the command is gone."""
    script = """
import os, signal, sys, threading
from tdprobe import _live
child = _live._Stopped(["sleep", "100"])
child.release()
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    child.wait(None)
except KeyboardInterrupt:
    child.end()
    print("interrupted", child.process.returncode)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=20)
    assert done.stdout == f"interrupted {-signal.SIGKILL}\n", done.stderr
