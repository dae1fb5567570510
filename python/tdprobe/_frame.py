# SPDX-License-Identifier: MIT
"""Results as a table of pandas."""

import os
from typing import Any, Dict, Iterable, List, Union

from ._recording import replay
from ._results import Result

_CATEGORIES = ("scope", "scope_kind", "core", "cpu", "metric", "parent", "unit", "kind", "bounds", "status", "reason",
               "verdict")


def rows(results: Iterable[Result]) -> List[Dict[str, Any]]:
    """One dict for each metric of each result, in their order: the long form, for those without pandas."""
    return [
        {
            "time": None if result.time_ns is None else result.time_ns / 1e9,
            "duration": None if result.duration_ns is None else result.duration_ns / 1e9,
            "scope": result.scope,
            "scope_kind": result.scope_kind,
            "core": result.core,
            "cpu": result.cpu,
            "metric": metric.name,
            "level": metric.level,
            "parent": metric.parent,
            "unit": metric.unit,
            "kind": metric.kind,
            "value": metric.value,
            "low": metric.low,
            "high": metric.high,
            "bounds": metric.bounds,
            "status": metric.status,
            "reason": metric.why or metric.event,
            "flags": ",".join(metric.flags),
            "coverage": result.coverage,
            "verdict": result.verdict.node or result.verdict.status,
        }
        for result in results
        for metric in result
    ]


def frame(results: "Union[str, os.PathLike[str], Iterable[Result]]", **options: Any) -> Any:
    """A pandas.DataFrame of results, or of the recording of that path (options as for replay()).

    Long form: a row for each metric of each result. time and duration are in seconds. An absent value is NaN, and
    status and reason have why. Columns that repeat are categories.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tdprobe.frame() needs pandas (Debian: python3-pandas); tdprobe.rows() does not") from error
    if isinstance(results, (str, os.PathLike)):
        with replay(results, **options) as recording:
            table = rows(recording)
    else:
        table = rows(results)
    data = pandas.DataFrame(table)
    numbers = {name: "float64" for name in ("time", "duration", "value", "low", "high", "coverage") if name in data}
    return data.astype({**numbers, **{name: "category" for name in _CATEGORIES if name in data}})
