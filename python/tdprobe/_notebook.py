# SPDX-License-Identifier: MIT
"""A result as a notebook shows it: the verdict, and the tree as bars with their bounds."""

from html import escape

from ._results import Metric, Result

# Okabe and Ito's colours, as on the program's pages: report/page/colours.c
_COLOURS = {"retiring": "#009e73", "backend_bound": "#d55e00", "frontend_bound": "#e69f00",
            "bad_speculation": "#cc79a7", "smt_contention": "#56b4e9"}
_OTHER = "#808080"


def _bar(metric: Metric, colour: str) -> str:
    """A bar of 12 em for 100 %, with a line from low to high, dashed where the bounds are likely ones."""

    def percent(value: float) -> float:
        return round(100 * min(1.0, max(0.0, value)), 2)

    line = ""
    if metric.low is not None and metric.high is not None:
        begin, end = percent(metric.low), percent(metric.high)
        style = "dashed" if metric.bounds == "likely" else "solid"
        line = (f'<div style="position:absolute;top:.55em;left:{begin}%;width:{round(end - begin, 2)}%;'
                f'border-top:2px {style} currentColor"></div>')
    return (f'<div style="position:relative;width:12em;height:1.1em;background:rgba(128,128,128,.2)">'
            f'<div style="width:{percent(metric.value or 0)}%;height:100%;background:{colour}"></div>{line}</div>')


def html_of(result: Result) -> str:
    """A table without scripts; every name in it is escaped."""
    head = f"{escape(result.scope)} ({escape(result.cpu)}): <b>{escape(str(result.verdict))}</b>"
    lines = [f'<table style="border-collapse:collapse"><caption style="text-align:left">{head}</caption>']
    top = ""
    for depth, metric in result.tree():
        top = metric.name if depth == 0 else top
        mark = " font-weight:bold;" if metric.name in result.verdict.path else ""
        bounds = ""
        if metric.low is not None and metric.high is not None:
            bounds = f"{100 * metric.low:.1f} to {100 * metric.high:.1f}, {metric.bounds}"
        flags = escape(", ".join(metric.flags))
        lines.append(
            f'<tr><th scope="row" style="text-align:left;font-weight:normal;{mark}padding-left:{1 + depth}em">'
            f"{escape(metric.name)}</th>"
            f'<td style="text-align:right">{100 * (metric.value or 0):.1f} %</td><td>{_bar(metric, _COLOURS.get(top, _OTHER))}</td>'
            f'<td style="text-align:left">{bounds}</td><td style="text-align:left">{flags}</td></tr>'
        )
    return "\n".join([*lines, "</table>"])
