# SPDX-License-Identifier: MIT
"""What the program does for the module."""

import errno

import pytest
import tdprobe


@pytest.fixture(autouse=True)
def program(monkeypatch):
    import os

    monkeypatch.setenv("TDPROBE_PROGRAM", os.environ["TDPROBE"])


def test_compare(source):
    a, b = (source / "traces" / f"icl-myjoin{n}.trace" for n in (8, 11))
    objects = tdprobe.compare(a, b)
    (backend,) = [o for o in objects if o.get("metric") == "backend_bound"]
    values = [next(iter(tdprobe.replay(path))).metrics["backend_bound"].value for path in (a, b)]
    assert [backend["a"]["value"] if isinstance(backend["a"], dict) else backend["a"],
            backend["b"]["value"] if isinstance(backend["b"], dict) else backend["b"]] == pytest.approx(values)
    assert tdprobe.compare([a, a], [b, b])
    with pytest.raises(tdprobe.Error) as caught:
        tdprobe.compare(a, source / "missing")
    assert "missing" in str(caught.value)
    with pytest.raises(tdprobe.Error) as caught:
        tdprobe.compare(a, b, level=9)
    assert caught.value.errno == errno.EINVAL


def test_explain():
    assert tdprobe.explain("memory_bound").startswith("memory_bound\n")
    with pytest.raises(tdprobe.Error, match="nonsense"):
        tdprobe.explain("nonsense")


def test_without_the_program(monkeypatch, tmp_path):
    monkeypatch.delenv("TDPROBE_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tdprobe.Error, match="TDPROBE_PROGRAM"):
        tdprobe.explain("retiring")
