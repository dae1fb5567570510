# SPDX-License-Identifier: MIT
"""Where the tree is: TD_SRCDIR and TD_BUILDDIR, as tests/scripts/python.sh gives them."""

import os
import pathlib

import pytest

pytest_plugins = ["pytester"]
# a sanitizer's runtime, which the library needs: not for compilers, which leak
_PRELOAD = os.environ.pop("LD_PRELOAD", None)


@pytest.fixture(scope="session")
def source():
    return pathlib.Path(os.environ["TD_SRCDIR"])


@pytest.fixture(scope="session")
def build():
    return pathlib.Path(os.environ["TD_BUILDDIR"])


@pytest.fixture(scope="session")
def machine(source):
    """The path of a machine that the tree ships, by its name."""
    return lambda name: source / "sim" / "machines" / f"{name}.machine"


@pytest.fixture
def preload(monkeypatch):
    """For tests that start another interpreter, which loads the library as this one did."""
    if _PRELOAD:
        monkeypatch.setenv("LD_PRELOAD", _PRELOAD)
