# SPDX-License-Identifier: MIT
"""Tables: rows for all, and pandas where it is."""

import math

import pytest
import tdprobe


def test_rows_are_the_results(source):
    results = list(tdprobe.replay(source / "traces" / "adl-hybrid-intervals.trace"))
    rows = tdprobe.rows(results)
    assert len(rows) == sum(len(r.metrics) for r in results)
    assert [(r["metric"], r["value"]) for r in rows] == [(m.name, m.value) for r in results for m in r]
    for row, (result, metric) in zip(rows, ((r, m) for r in results for m in r)):
        for key in ("level", "parent", "unit", "kind", "low", "high", "bounds", "status"):
            assert row[key] == getattr(metric, key), key
        for key in ("scope", "scope_kind", "core", "cpu", "coverage"):
            assert row[key] == getattr(result, key), key
        assert row["duration"] == result.duration_ns / 1e9
        assert row["verdict"] == (result.verdict.node or result.verdict.status)
    assert {(r["core"], r["time"]) for r in rows} == {(r.core, r.time_ns / 1e9) for r in results}


def test_frame(source, tmp_path):
    pandas = pytest.importorskip("pandas")
    path = source / "traces" / "adl-hybrid-intervals.trace"
    data = tdprobe.frame(path, level=2)
    rows = tdprobe.rows(tdprobe.replay(path, level=2))
    assert list(data.columns) == list(rows[0])
    assert len(data) == len(rows)
    for row, (_, found) in zip(rows, data.iterrows()):
        for key in ("value", "low", "high"):
            assert found[key] == row[key] if row[key] is not None else math.isnan(found[key])
    absent = data[data.value.isna()]
    assert len(absent) and (absent.status != "ok").all() and (data[data.value.notna()].status == "ok").all()
    assert isinstance(data.metric.dtype, pandas.CategoricalDtype)
    assert data.value.dtype == "float64"
    assert tdprobe.frame(tdprobe.replay(path, level=2)).equals(data)
    empty = tdprobe.frame([])
    assert len(empty) == 0
    top = data[data.level == 1].groupby(["time", "core"], observed=True).value.sum()
    assert ((top - 1).abs() < 0.06).all()
