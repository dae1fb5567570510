# SPDX-License-Identifier: MIT
"""Regions of a thread: on a simulated machine, whose time passes with each reading."""

import errno
import re
import threading

import pytest
import tdprobe

SHARES = {"retiring": 0.25, "backend_bound": 0.5, "memory_bound": 0.375, "core_bound": 0.125}


@pytest.fixture
def paced(machine, tmp_path):
    """Sapphire Rapids, on which 100 us pass before each reading of a counter."""
    text = machine("sapphirerapids").read_text()
    assert re.search(r"^spin.*$", text, re.M)
    file = tmp_path / "paced.machine"
    file.write_text(re.sub(r"^(spin.*)$", r"\1 each=100000", text, flags=re.M))
    return file


def test_passes_add_up(paced):
    with tdprobe.Regions(machine=paced) as own:
        for _ in range(5):
            with own.region("sort"):
                pass
        with own.region("outer"), own.region("inner"):
            pass
        sort, outer, inner = own.results()
    assert (sort.name, sort.passes, sort.discarded) == ("sort", 5, {})
    assert (outer.passes, inner.passes) == (1, 1)
    assert sort.slots == sort.passes * inner.slots > 0
    assert outer.slots > inner.slots
    for name, share in SHARES.items():
        metric = sort.result[name]
        assert metric.low <= share <= metric.high and abs(metric.value - share) < 0.01, metric
    assert sort.result.scope_kind == "region" and sort.result.scope == "sort"
    assert str(sort).startswith("sort: 5 passes\nsort (spr): ")


def test_the_thread_has_regions_of_its_own(paced):
    """In a thread of its own, with which they end."""
    failed = []

    def run():
        try:
            own_regions(paced)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert not failed, failed[0]
    with tdprobe.Regions(machine=paced):
        pass


def own_regions(paced):
    with pytest.raises(tdprobe.Error):
        tdprobe.regions(machine=paced, uarch="nonsense")
    own = tdprobe.regions(machine=paced)
    assert tdprobe.regions() is own
    with pytest.raises(ValueError, match="first call"):
        tdprobe.regions(machine=paced)

    @tdprobe.Region("function")
    def function(x):
        return x + 1

    assert [function(i) for i in range(3)] == [1, 2, 3]
    with tdprobe.Region("block") as block, pytest.raises(ZeroDivisionError), tdprobe.Region("raises"):
        1 / 0
    assert block.result.passes == 1
    assert tdprobe.Region("function").result.passes == 3
    assert tdprobe.Region("raises").result.passes == 1
    assert tdprobe.Region("other").result is None
    found = []

    def other():
        found.append(tdprobe.regions(machine=paced) is own)
        with tdprobe.Region("function"):
            pass
        found.append(tdprobe.Region("function").result.passes)
        try:
            own.begin("function")
        except tdprobe.Error as error:
            found.append(error.errno)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert found == [False, 1, errno.EPERM]
    assert tdprobe.Region("function").result.passes == 3


def test_wrong_order_and_too_many(paced):
    with tdprobe.Regions(machine=paced) as own:
        own.begin("a")
        own.begin("b")
        with pytest.raises(tdprobe.Error):
            own.end("a")
        own.end("b")
        own.end("a")
        with pytest.raises(tdprobe.Error):
            own.end("a")
        with pytest.raises(tdprobe.Error) as caught:
            for i in range(65):
                with own.region(f"r{i}"):
                    pass
        assert caught.value.errno == errno.ENOSPC


def test_between_two_readings(paced):
    with tdprobe.Regions(machine=paced) as own:
        begin = own.read()
        end = own.read()
        for name, share in SHARES.items():
            metric = own.between(begin, end)[name]
            assert metric.low <= share <= metric.high
        with pytest.raises(tdprobe.Error):
            own.between(end, begin)


def test_where_a_thread_cannot_count_itself(machine):
    with pytest.raises(tdprobe.Error, match="PMU"):
        tdprobe.Regions(machine=machine("guest-without-pmu"))
