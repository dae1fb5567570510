# SPDX-License-Identifier: MIT
"""What a notebook shows is the tree of the program's page, well-formed, and nothing of a name is markup."""

import dataclasses
import os
import subprocess
import xml.etree.ElementTree as xml

import pytest
import tdprobe
from tdprobe import _library

PAGE = "{http://www.w3.org/1999/xhtml}"


def shape(element):
    """An element without its namespace, and without what a notebook has not: to unfold what a node means."""
    kind = element.tag.removeprefix(PAGE)
    if kind == "details" and element.get("class") is None:  # a row that unfolds
        (summary,) = element.findall(PAGE + "summary")
        return ("div", (("class", "row"),), "", [shape(e) for e in summary])
    return (kind, tuple(sorted(element.attrib.items())), (element.text or "").strip(), [shape(e) for e in element])


@pytest.mark.parametrize("trace, options", [
    ("icl-myjoin8.trace", {}),
    ("icx-perf-metrics-intervals.trace", {"level": 6}),  # deep, and multiplexed
    ("ehl-tremont-intervals.trace", {"level": 6}),  # with a fold that is open as a node in it is beyond its threshold
    ("zen4-perf-ninja-pipeline-l2-text.txt", {"uarch": "zen4"}),
])
def test_the_tree_of_the_page(source, trace, options):
    path = source / "traces" / trace
    recording = tdprobe.replay(path, **options)
    result = recording.summary()[0]
    words = [f"--{name}={value}" for name, value in options.items()]
    page = subprocess.run([os.environ["TDPROBE"], "replay", "--format", "html", *words, path], capture_output=True, check=True).stdout
    of_page = next(ul for ul in xml.fromstring(page).iter(PAGE + "ul") if ul.get("class") == "tree")
    of_notebook = next(ul for ul in xml.fromstring(result._repr_html_()).iter("ul") if ul.get("class") == "tree")
    without_value(of_page)
    assert shape(of_notebook) == shape(of_page)


def without_value(tree):
    """Takes the nodes off that have no value, which the page has with the reason, and a notebook has not."""
    for item in [i for i in tree.iter(PAGE + "li") if i.get("data-value") is None]:
        parent = next(p for p in tree.iter() if item in list(p))
        parent.remove(item)


def test_hostile_names(source):
    (result,) = tdprobe.replay(source / "traces" / "icl-myjoin8.trace")
    name = "<script>alert(1)</script>\"'&"
    metrics = {name if n == "retiring" else n: dataclasses.replace(m, name=name, unit="<b>") if n == "retiring" else m for n, m in result.metrics.items()}
    bad = dataclasses.replace(result, scope=name, cpu="</table>", metrics=metrics)
    drawn = xml.fromstring(bad._repr_html_())
    assert not list(drawn.iter("script"))
    assert "<script>" in "".join(drawn.find("p").itertext())
    assert [li.get("data-node") for li in drawn.iter("li")][0] == name


def test_parents_in_a_circle(source):
    """Whatever a result is changed to, drawing it ends."""
    (result,) = tdprobe.replay(source / "traces" / "icl-myjoin8.trace")
    metrics = dict(result.metrics)
    metrics["retiring"] = dataclasses.replace(metrics["retiring"], parent="retiring")
    dataclasses.replace(result, metrics=metrics)._repr_html_()


def test_another_version_of_the_library(source, monkeypatch):
    """Without the function, and with one that is for other structs: a table."""
    (result,) = tdprobe.replay(source / "traces" / "icl-myjoin8.trace")

    class Longer(_library.Tree):
        _fields_ = [("more", _library.ctypes.c_int)]

    for name, value in (("DRAWS", False), ("Tree", Longer)):
        with monkeypatch.context() as patch:
            patch.setattr(_library, name, value)
            drawn = xml.fromstring(result._repr_html_())
        assert not list(drawn.iter("svg"))
        rows = {row.find("th").text: row for row in drawn.iter("tr")}
        assert list(rows) == [metric.name for _, metric in result.tree()]
        for name, row in rows.items():
            metric = result[name]
            assert [td.text for td in row.findall("td")] == [f"{100 * metric.value:.1f} %", f"{100 * metric.low:.1f} .. {100 * metric.high:.1f}, {metric.bounds}"]
            assert ("bold" in row.find("th").get("style")) == (name in result.verdict.path)
