# SPDX-License-Identifier: MIT
"""A result as a notebook shows it: the verdict, and below it the tree that the program's pages have.

The library draws both trees. Another version of it may lack the function, which is not of its API: then there is a
table without bars.
"""

import ctypes
import math
from html import escape
from typing import Dict, List, Optional

from . import _library
from ._library import lib, raw
from ._results import Metric, Result

# The tree's own style is in a rule of its own, so that nothing else in the notebook changes, twice by its class, as
# Jupyter has rules for the lists in its outputs. Its colours are those around it, dark or light.
_STYLE = """.tdprobe.tdprobe {
--ink: currentColor; --soft: color-mix(in srgb, currentColor 75%, transparent); --line: color-mix(in srgb, currentColor 20%, transparent);
--track: color-mix(in srgb, currentColor 12%, transparent); --mark: color-mix(in srgb, currentColor 6%, transparent);
--paper: var(--jp-layout-color0, var(--vscode-editor-background, Canvas));
position: relative; font-family: system-ui, sans-serif; line-height: 1.45; overflow-wrap: anywhere;
* { box-sizing: border-box; }
summary { cursor: pointer; color: var(--soft); font-size: 0.85em; }
small { color: var(--soft); font-size: 0.85em; }
"""


def _fill(to: _library.Metric, metric: Metric) -> None:
    to.name, to.parent, to.unit = raw(metric.name), raw(metric.parent or ""), raw(metric.unit)
    to.level = metric.level
    to.status = _library.STATUS_OK
    to.value, to.low, to.high = (math.nan if v is None else v for v in (metric.value, metric.low, metric.high))
    to.bounds = _library.BOUNDS.index(metric.bounds)
    to.kind = _library.METRIC_KINDS.index(metric.kind)
    to.over = _library.OVER.index(metric.over)


def _tree(result: Result) -> Optional[str]:
    """The tree as the library draws it; None: it cannot."""
    if not _library.DRAWS:
        return None
    shown = [metric for _, metric in result.tree()]
    metrics = (_library.Metric * len(shown))()
    place: Dict[str, int] = {}
    for i, metric in enumerate(shown):
        _fill(metrics[i], metric)
        place[metric.name] = i

    def pointers(names: "tuple[str, ...]") -> "ctypes.Array[ctypes._Pointer[_library.Metric]]":
        found = [ctypes.pointer(metrics[place[name]]) for name in names if name in place]
        return (ctypes.POINTER(_library.Metric) * len(found))(*found)

    path, among = pointers(result.verdict.path), pointers(result.verdict.among)
    verdict = _library.Verdict(path=path, npath=len(path), nsound=result.verdict.sound, among=among, namong=len(among))
    parts: List[bytes] = []

    def write(_: object, text: int, size: int) -> int:
        parts.append(ctypes.string_at(text, size))
        return 0

    writer = _library.WRITE_FN(write)
    tree = _library.Tree(
        size=ctypes.sizeof(_library.Tree),
        metric_size=ctypes.sizeof(_library.Metric),
        metric=metrics,
        n=len(shown),
        shown=(ctypes.c_bool * len(shown))(*[True] * len(shown)),
        verdict=ctypes.pointer(verdict),
        write=writer,
    )
    style = lib.td_tree_style().contents.text.decode()
    if lib.td_bar_patterns(writer, None) or lib.td_tree_html(ctypes.byref(tree)):
        return None
    return f"<style>\n{_STYLE}{style}}}\n</style>\n" + b"".join(parts).decode("utf-8", "replace")


def _table(result: Result) -> str:
    """The nodes without bars."""
    lines = ['<table style="border-collapse:collapse">']
    for depth, metric in result.tree():
        mark = " font-weight:bold;" if metric.name in result.verdict.path else ""
        bounds = ""
        if metric.low is not None and metric.high is not None:
            bounds = f"{100 * metric.low:.1f} .. {100 * metric.high:.1f}, {metric.bounds}"
        lines.append(
            f'<tr><th scope="row" style="text-align:left;font-weight:normal;{mark}padding-left:{1 + depth}em">'
            f'{escape(metric.name)}</th><td style="text-align:right">{100 * (metric.value or 0):.1f} %</td>'
            f'<td style="text-align:left">{bounds}</td></tr>'
        )
    return "\n".join([*lines, "</table>"])


def _flags(result: Result) -> str:
    """Which flags the nodes have, each once."""
    nodes = [metric for _, metric in result.tree()]
    lines = []
    for flag in dict.fromkeys(flag for metric in nodes for flag in metric.flags):
        of = [metric.name for metric in nodes if flag in metric.flags]
        lines.append(escape(flag if len(of) == len(nodes) else f"{flag}: {', '.join(of)}"))
    return f'<p><small>{"; ".join(lines)}</small></p>' if lines else ""


def html_of(result: Result) -> str:
    """HTML without scripts; every name in it is escaped."""
    head = f"{escape(result.scope)} ({escape(result.cpu)}): <b>{escape(str(result.verdict))}</b>"
    return f'<div class="tdprobe">\n<p>{head}</p>\n{_tree(result) or _table(result)}\n{_flags(result)}</div>'
