# SPDX-License-Identifier: MIT
"""A pytest fixture: what limits the code of a test.

    def test_sort(topdown):
        sort(data)
        assert topdown.memory_bound.high < 0.3

Enable it by -p tdprobe.pytest_plugin, or pytest_plugins = ["tdprobe.pytest_plugin"] in conftest.py; where tdprobe is
installed by a wheel, it is enabled. Where nothing can be counted the test is skipped, with the reason.
"""

from typing import Any, Iterator, Optional

import pytest

from ._library import Error, Snapshot
from ._regions import Regions
from ._results import Metric, Result


class TopDown:
    """What the calling thread does from the test's beginning, or from start(), until it is first asked for a metric."""

    def __init__(self, regions: Regions):
        self._regions = regions
        self._begin: Snapshot = regions.read()
        self._result: Optional[Result] = None

    def start(self) -> None:
        """Begins anew: what was measured before is left out."""
        self._result = None
        self._begin = self._regions.read()

    def stop(self) -> Result:
        """What happened up to the first call after start()."""
        if self._result is None:
            self._result = self._regions.between(self._begin, self._regions.read())
        return self._result

    def __enter__(self) -> "TopDown":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __getattr__(self, name: str) -> Metric:
        if name.startswith("_"):
            raise AttributeError(name)
        metrics = self.stop().metrics
        if name not in metrics:
            raise AttributeError(f"there is no metric {name!r} here; there are {', '.join(metrics)}")
        metric = metrics[name]
        if metric.value is None:
            pytest.skip(f"{metric}")
        return metric

    @property
    def result(self) -> Result:
        """All of it."""
        return self.stop()


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("tdprobe")
    group.addoption("--tdprobe-machine", metavar="FILE", help="measure on a simulated machine, tdprobe-machine(5)")
    group.addoption("--tdprobe-uarch", metavar="NAME", help="the CPU, where it is not found")


@pytest.fixture
def topdown(request: Any) -> Iterator[TopDown]:
    """Measures the calling thread; topdown.memory_bound and the like are tdprobe.Metric."""
    option = request.config.getoption
    try:
        regions = Regions(uarch=option("--tdprobe-uarch"), machine=option("--tdprobe-machine"))
    except Error as error:
        pytest.skip(f"nothing can be counted: {error}")
    with regions:
        yield TopDown(regions)
