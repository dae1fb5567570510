# SPDX-License-Identifier: MIT
"""The fixture, in a pytest of its own."""

import re

import pytest

TEST = """
pytest_plugins = ["tdprobe.pytest_plugin"]

def test_memory(topdown):
    assert topdown.memory_bound.high {0} 0.376
    assert topdown.result.scope_kind and topdown.retiring.value > 0.2

def test_again(topdown):
    first = topdown.result
    assert topdown.result is first
    with topdown:
        pass
    assert topdown.result is not first
    assert topdown.backend_bound.low <= 0.5 <= topdown.backend_bound.high

def test_no_such(topdown):
    topdown.memory_bond
"""


@pytest.fixture
def paced(machine, tmp_path):
    text = machine("sapphirerapids").read_text()
    file = tmp_path / "paced.machine"
    file.write_text(re.sub(r"^(spin.*)$", r"\1 each=100000", text, flags=re.M))
    return file


@pytest.mark.parametrize("relation,passed", [(">=", 2), ("<", 1)])
def test_fixture(pytester, paced, relation, passed, preload):
    pytester.makepyfile(TEST.format(relation))
    done = pytester.runpytest_subprocess("-p", "tdprobe.pytest_plugin", "--tdprobe-machine", str(paced))
    done.assert_outcomes(passed=passed, failed=3 - passed)
    done.stdout.fnmatch_lines(["*there is no metric 'memory_bond' here; there are retiring, *"])


def test_nothing_to_count(pytester, machine, preload):
    pytester.makepyfile(TEST.format("<"))
    done = pytester.runpytest_subprocess(
        "-p", "tdprobe.pytest_plugin", "-rs", "--tdprobe-machine", str(machine("guest-without-pmu")))
    done.assert_outcomes(skipped=3)
    done.stdout.fnmatch_lines(["*nothing can be counted: *PMU*"])
